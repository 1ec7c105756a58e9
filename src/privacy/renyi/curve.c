/* The Renyi divergences of one privacy loss. */
#include "privacy/renyi/curve.h"

#include "base/error.h"
#include "base/twofold.h"
#include "law/facts.h"
#include "privacy/loss/atoms.h"
#include "privacy/loss/largest.h"
#include "privacy/loss/loss.h"
#include "privacy/profile/profile.h"
#include "privacy/renyi/integers.h"
#include "privacy/renyi/integral.h"
#include "privacy/renyi/segments.h"

#include <float.h>
#include <math.h>

/* Errors above this are not shown. */
#define MOST_ERROR 5e-9

dpn_status dpn_order_check(double order, dpn_error *why) {
    if (order >= 1) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN,
                    "the order must be at least 1 (1 is the Kullback-Leibler divergence, inf the largest loss)");
}

/* ---- intervals ---- */

/* Of losses that are not always 0: what underflowed is not 0. */
static double up(double x, double error) {
    return isinf(x) ? x : x * (1 + error + 4 * DBL_EPSILON) + DBL_MIN;
}

static double down(double x, double error) {
    return isinf(x) ? x : fmax(0, x * (1 - error - 4 * DBL_EPSILON));
}

/* The doubles around an exact sum or product. */
static double above(dpn_twofold x) {
    return x.lo > 0 ? nextafter(x.hi, INFINITY) : x.hi;
}

static double below(dpn_twofold x) {
    return x.lo < 0 ? nextafter(x.hi, 0) : x.hi;
}

dpn_divergence dpn_divergence_times(dpn_divergence one, double times) {
    if (times > 0x1p53) return (dpn_divergence){down(one.lower * times, 0), up(one.upper * times, 0)}; /* was rounded */
    return (dpn_divergence){below(dpn_two_product(one.lower, times)), above(dpn_two_product(one.upper, times))};
}

dpn_divergence dpn_divergence_add(dpn_divergence a, dpn_divergence b) {
    return (dpn_divergence){below(dpn_two_sum(a.lower, b.lower)), above(dpn_two_sum(a.upper, b.upper))};
}

/* ---- order +inf ---- */

static dpn_divergence largest_of_law(const dpn_loss *loss) {
    dpn_profile profile;
    dpn_divergence out;
    dpn_profile_prepare(&profile, &loss->law, loss->sensitivity);
    dpn_profile_supremum(&profile, &out.lower, &out.upper);
    if (isfinite(dpn_law_support(&loss->law))) out.lower = out.upper = INFINITY;
    return out;
}

static dpn_divergence largest_of(const dpn_loss *loss) {
    if (loss->kind->largest) return (dpn_divergence){loss->kind->largest(loss), loss->kind->largest(loss)};
    if (loss->kind == &dpn_loss_kind_pure) return (dpn_divergence){loss->epsilon, loss->epsilon};
    if (loss->kind == &dpn_loss_kind_law) return largest_of_law(loss);
    double last = loss->value[loss->count - 1];
    return (dpn_divergence){fmax(0, last), fmax(0, last)};
}

/* ---- finite orders ---- */

static bool is_zero(const dpn_loss *loss) {
    if (loss->kind == &dpn_loss_kind_law) return loss->sensitivity == 0;
    return loss->kind == &dpn_loss_kind_pure && loss->epsilon == 0;
}

static bool is_integer(const dpn_curve *curve) {
    return curve->loss->kind == &dpn_loss_kind_law && curve->loss->law.family->integer;
}

/* The mass of the atoms of one half of a symmetric loss and of their mirror images. */
static double mass_of(const dpn_tilt_rule *list) {
    double mass = 0;
    for (size_t i = 0; i < list->count; i++)
        mass += list->difference[i] * exp(list->sum[i]) * (1 + exp(-list->value[i]));
    return mass;
}

/* Noise on the reals whose divergences are integrals. */
static bool is_integrated(const dpn_loss *loss) {
    return loss->kind == &dpn_loss_kind_law && !loss->law.family->integer && !dpn_shape_is_closed(&loss->law);
}

/* What is known of large losses has to be enough. */
static dpn_status check_known(const dpn_loss *loss, dpn_error *why) {
    const dpn_law *law = &loss->law;
    if (loss->kind != &dpn_loss_kind_law || (!is_integrated(loss) && !law->family->integer)) return DPN_OK;
    if (dpn_law_is_log_concave(law) && dpn_law_is_regular(law)) return DPN_OK;
    return dpn_fail(why, DPN_EUNSUPPORTED, "no Renyi divergences are known for %s noise", law->family->name);
}

/* Noise whose support ends: some of its losses are infinite. */
static bool is_bounded(const dpn_loss *loss) {
    return loss->kind == &dpn_loss_kind_law && isfinite(dpn_law_support(&loss->law));
}

/* The atoms of a listed loss. */
static dpn_status list_atoms(dpn_curve *curve, dpn_error *why) {
    double lost = 0;
    dpn_status status = dpn_atoms_add(&curve->list, curve->loss, false, 0, -INFINITY, &lost);
    if (status == DPN_ENOMEM) return dpn_fail(why, status, "no memory for the atoms of a loss");
    if (status) return dpn_fail(why, status, "a loss has too many atoms");
    curve->mass = curve->shape.symmetric ? mass_of(&curve->list) : curve->loss->total;
    return DPN_OK;
}

dpn_status dpn_curve_make(dpn_curve *curve, const dpn_loss *loss, dpn_error *why) {
    *curve = (dpn_curve){.loss = loss};
    if (is_zero(loss)) return DPN_OK;
    curve->largest = largest_of(loss);
    if (is_bounded(loss)) {
        curve->shape.infinite = 1; /* or less, but not 0 */
        return DPN_OK;
    }
    if (loss->kind->cumulant) return DPN_OK;
    dpn_status known = check_known(loss, why);
    if (known || is_integrated(loss)) return known;
    dpn_status status = dpn_shape_make(&curve->shape, loss, false, why);
    if (loss->kind == &dpn_loss_kind_pure) curve->shape.scale = 1 + exp(-loss->epsilon); /* the mass itself */
    if (status || !curve->shape.listed || is_integer(curve)) return status;
    return list_atoms(curve, why);
}

/* What is left of the mass is the total of the shape, without infinite losses. Where that is out of reach, the caller knows the largest
 * loss. */
dpn_status dpn_curve_make_finite(dpn_curve *curve, const dpn_loss *loss, dpn_error *why) {
    if (is_zero(loss) || !is_bounded(loss)) return dpn_curve_make(curve, loss, why);
    *curve = (dpn_curve){.loss = loss};
    dpn_twofold largest = dpn_largest_loss(&(dpn_part){*loss, 1}, 1, false);
    curve->largest = (dpn_divergence){down(largest.hi, 0), up(largest.hi, 0)};
    dpn_status status = dpn_shape_make(&curve->shape, loss, false, why);
    if (status) return status;
    curve->shape.infinite = curve->shape.reverse_infinite = 0;
    if (curve->shape.listed) return list_atoms(curve, why);
    dpn_growth total = dpn_segments_total(&curve->shape);
    if (!(total.value > 0 && isfinite(total.value)))
        return dpn_fail(why, DPN_EACCURACY, "the noise and the noise moved have nothing in common");
    curve->shape.scale = total.value;
    curve->doubt = total.error;
    return DPN_OK;
}

void dpn_curve_free(dpn_curve *curve) {
    dpn_tilt_rule_free(&curve->list);
}

static dpn_growth gaussian(double a, double theta) {
    return (dpn_growth){(0.5 + 0.5 * theta) * (a * a), 4 * DBL_EPSILON};
}

static dpn_growth listed(const dpn_curve *curve, double theta) {
    const dpn_tilt_rule *list = &curve->list;
    dpn_tilted tilt = dpn_tilted_begin(theta, curve->shape.symmetric);
    for (size_t i = 0; i < list->count; i++)
        dpn_tilted_add(&tilt, list->value[i], list->sum[i], list->difference[i], list->minus[i]);
    return dpn_tilted_divergence(&tilt, curve->mass, DPN_PLAIN_ERROR);
}

static dpn_growth divergence(const dpn_curve *curve, double theta) {
    const dpn_loss *loss = curve->loss;
    if (curve->list.count > 0) return listed(curve, theta); /* also of bounded noise on the integers */
    if (is_integer(curve)) return dpn_integers_divergence(&loss->law, loss->sensitivity, theta);
    if (is_integrated(loss)) return dpn_integral_divergence(&loss->law, loss->sensitivity, theta);
    if (curve->shape.gaussian != 0) return gaussian(curve->shape.gaussian, theta);
    return dpn_segments_divergence(&curve->shape, theta);
}

/* The sums of an explicit loss may cancel: their error is absolute, and that of the probabilities is the caller's. */
static dpn_divergence explicit_interval(dpn_growth growth) {
    double error = growth.value * growth.error;
    return (dpn_divergence){fmax(0, growth.value - fabs(error)), fmax(0, growth.value) + fabs(error)};
}

/* Where the moment cannot be computed, what is proved of all orders is the bound from above. From below it is the divergence of a lesser order, which is not
 * larger. */
static void of_bound(dpn_divergence *out, const dpn_loss *loss, double order) {
    double lower = 0, upper;
    for (double lesser = 100; lesser > 1; lesser /= 10)
        if (lesser < order && !loss->kind->cumulant(&lower, &upper, loss, lesser - 1, NULL)) {
            lower = down(lower / (lesser - 1), 0);
            break;
        }
    *out = (dpn_divergence){lower, loss->kind->divergence_upper(loss, order)};
}

/* Orders beyond this are left to the bound where each moment is an integral over a plane: most of them fail there, after seconds. */
#define MOST_BY_INTEGRAL 1e4

/* log E e^((order - 1) L)/(order - 1), or E L. */
static dpn_status of_cumulant(dpn_divergence *out, const dpn_curve *curve, double order, dpn_error *why) {
    const struct dpn_loss_kind *kind = curve->loss->kind;
    double lower, upper, theta = order - 1, unit = theta > 0 ? theta : 1;
    dpn_status status = DPN_EACCURACY;
    if (!(kind->remembered && kind->divergence_upper && order > MOST_BY_INTEGRAL))
        status = kind->cumulant(&lower, &upper, curve->loss, theta, kind->divergence_upper ? NULL : why);
    if (status && !(status == DPN_EACCURACY && kind->divergence_upper)) return status;
    if (status)
        of_bound(out, curve->loss, order);
    else
        *out = (dpn_divergence){down(lower / unit, 0), up(upper / unit, 0)};
    out->upper = fmin(out->upper, curve->largest.upper);
    out->lower = fmin(out->lower, out->upper);
    return DPN_OK;
}

dpn_status dpn_curve_at(dpn_divergence *out, const dpn_curve *curve, double order, dpn_error *why) {
    bool infinite = curve->shape.infinite > 0;
    if (isinf(order) && curve->largest.lower < curve->largest.upper && isinf(curve->largest.upper))
        return dpn_fail(why, DPN_EUNSUPPORTED, "the largest loss of %s noise is not known",
                        curve->loss->law.family->name);
    if (is_zero(curve->loss) || isinf(order) || infinite) {
        *out = infinite ? (dpn_divergence){INFINITY, INFINITY} : curve->largest;
        return DPN_OK;
    }
    if (curve->loss->kind->cumulant) return of_cumulant(out, curve, order, why);
    dpn_growth growth = divergence(curve, order - 1);
    growth.error += curve->doubt;
    if (curve->loss->kind == &dpn_loss_kind_explicit && isfinite(growth.value * growth.error)) {
        *out = explicit_interval(growth);
        return DPN_OK;
    }
    if (!(growth.error <= MOST_ERROR && isfinite(growth.value)))
        return dpn_fail(why, DPN_EACCURACY, "the divergence of order %g cannot be computed to one part in 10^8 here",
                        order);
    *out =
        (dpn_divergence){down(growth.value, growth.error), fmin(up(growth.value, growth.error), curve->largest.upper)};
    out->lower = fmin(out->lower, out->upper);
    return DPN_OK;
}
