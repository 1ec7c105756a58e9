/* delta(epsilon) of a composition: the special cases, and the choice between the engines. */
#include "privacy/compose/compose.h"

#include "base/error.h"
#include "base/options.h"
#include "law/facts.h"
#include "privacy/compose/contour.h"
#include "privacy/compose/wide-gaussian.h"
#include "privacy/interval.h"
#include "privacy/loss/largest.h"
#include "privacy/loss/loss.h"
#include "privacy/profile/closed-forms.h"

#include <stdlib.h>
#include <string.h>

/* Work that the contour sum may do (see contour.h) before the FFT takes its place, in a hurry and else; the same where the FFT is
 * slow or has failed, and if there is no other method. */
#define WORK_BRIEF 2e5
#define WORK_AUTO 2e6
#define WORK_PATIENT 3e7
#define WORK_ALONE 3e8

#define ACCURACY_CONTOUR 1e-6
#define ACCURACY_FFT 1e-5
#define ACCURACY_REMEMBERED 1e-4 /* fewer points, of which each is an integral over a plane */

/* The width of the bounds of wide Gaussian noise on the integers that is taken rather than work for narrower ones. */
#define WIDTH_ENOUGH 1e-3

/* ---- what is asked ---- */

static dpn_status check(const dpn_part *part, size_t parts, const dpn_accounting_options *options, dpn_error *why) {
    if (!part && parts > 0) return dpn_fail(why, DPN_EDOMAIN, "part must not be NULL");
    for (size_t i = 0; i < parts; i++)
        if (!part[i].loss.kind) return dpn_fail(why, DPN_EDOMAIN, "part %zu of the composition has no loss", i);
    if (!(options->accuracy >= 0 && isfinite(options->accuracy)))
        return dpn_fail(why, DPN_EDOMAIN, "accuracy must be finite and not negative");
    if ((options->method < DPN_METHOD_AUTO || options->method > DPN_METHOD_FFT))
        return dpn_fail(why, DPN_EDOMAIN, "method must be one of DPN_METHOD_*");
    return DPN_OK;
}

/* Whether two losses are the same in every bit that counts. */
static bool same(const dpn_loss *a, const dpn_loss *b) {
    if (a->kind != b->kind) return false;
    if (a->kind == &dpn_loss_kind_pure) return a->epsilon == b->epsilon;
    if (a->kind == &dpn_loss_kind_explicit || a->kind->largest)
        return a->epsilon == b->epsilon && a->sensitivity == b->sensitivity && a->value == b->value &&
               a->probability == b->probability && a->count == b->count;
    return a->law.family == b->law.family && a->sensitivity == b->sensitivity &&
           !memcmp(a->law.parameter, b->law.parameter, sizeof a->law.parameter);
}

/* A loss that is 0 for sure: noise on an answer that cannot move. */
static bool always_zero(const dpn_loss *loss) {
    if (loss->kind == &dpn_loss_kind_law) return loss->sensitivity == 0;
    if (loss->kind == &dpn_loss_kind_pure) return loss->epsilon == 0;
    if (loss->kind->largest) return false;
    return loss->count == 1 && loss->value[0] == 0;
}

/* The parts without those that occur 0 times or are 0, equal losses put together. Returns their number. */
static size_t gather(dpn_part *out, const dpn_part *part, size_t parts) {
    size_t count = 0;
    for (size_t i = 0; i < parts; i++) {
        if (part[i].times == 0 || always_zero(&part[i].loss)) continue;
        size_t j = 0;
        while (j < count && !(same(&out[j].loss, &part[i].loss) && out[j].times <= UINT64_MAX - part[i].times)) j++;
        if (j == count)
            out[count++] = part[i];
        else
            out[j].times += part[i].times;
    }
    return count;
}

/* ---- special cases ---- */

/* P(some loss is infinite) = 1 - product of (1 - its mass)^times. */
static dpn_status infinite_mass(dpn_delta *out, const dpn_part *part, size_t parts, dpn_error *why) {
    double least = 0, most = 0; /* log P(all finite), negated */
    for (size_t i = 0; i < parts; i++) {
        dpn_delta one;
        dpn_status status = part[i].loss.kind->delta(&one, &part[i].loss, INFINITY, why);
        if (status) return status;
        least -= (double)part[i].times * log1p(-one.lower);
        most -= (double)part[i].times * log1p(-one.upper);
    }
    double slack = (8 + (double)parts) * DBL_EPSILON;
    *out = most == 0 ? (dpn_delta){0, 0, -INFINITY, -INFINITY}
                     : dpn_delta_between(log(-expm1(-least)) - slack, log(-expm1(-most)) + slack);
    return DPN_OK;
}

/* sensitivity/sigma of a loss of Gaussian noise, 0 for others. */
static double gaussian_ratio(const dpn_loss *loss) {
    double sigma = loss->kind == &dpn_loss_kind_law ? dpn_law_gaussian(&loss->law) : 0;
    return sigma > 0 ? loss->sensitivity / sigma : 0;
}

bool dpn_compose_gaussian(dpn_loss loss[2], const dpn_part *part, size_t parts) {
    double square = 0, unit = 0; /* the largest ratio, so that no square that matters underflows */
    for (size_t i = 0; i < parts; i++) {
        double ratio = gaussian_ratio(&part[i].loss);
        if (!(ratio > 0)) return false;
        unit = fmax(unit, ratio);
    }
    for (size_t i = 0; i < parts; i++) {
        double ratio = gaussian_ratio(&part[i].loss) / unit;
        square += (double)part[i].times * (ratio * ratio);
    }
    if (unit == 0) return false;
    double root = sqrt(square) * unit, slack = (8 + (double)parts) * DBL_EPSILON;
    dpn_law standard;
    return !dpn_law_make(&standard, "gaussian", (const double[]){1}, 1, NULL) &&
           !dpn_loss_law(&loss[0], &standard, root * (1 - slack), NULL) &&
           !dpn_loss_law(&loss[1], &standard, root * (1 + slack), NULL);
}

/* delta increases with the sensitivity. */
static dpn_status gaussian_delta(dpn_delta *out, const dpn_loss loss[2], double epsilon, dpn_error *why) {
    dpn_delta lower, upper;
    dpn_status status = loss[0].kind->delta(&lower, &loss[0], epsilon, why);
    if (!status) status = loss[1].kind->delta(&upper, &loss[1], epsilon, why);
    if (!status) *out = (dpn_delta){lower.lower, upper.upper, lower.log_lower, upper.log_upper};
    return status;
}

/* Pure losses alone, epsilon between the two largest values of their sum: only the largest one counts, all losses at their epsilon.
 * Returns false elsewhere. */
static bool largest_alone(dpn_delta *out, const dpn_part *part, size_t parts, double epsilon) {
    double least = INFINITY, log_mass = 0;
    for (size_t i = 0; i < parts; i++) {
        if (part[i].loss.kind != &dpn_loss_kind_pure) return false;
        least = fmin(least, part[i].loss.epsilon);
        log_mass -= (double)part[i].times * log1p(exp(-part[i].loss.epsilon));
    }
    dpn_twofold largest = dpn_largest_loss(part, parts, false);
    double below = dpn_two_value(dpn_two_subtract(largest, dpn_two(epsilon))), doubt = 0x1p-88 * largest.hi;
    if (!(below > 1e9 * doubt && below < 2 * least * (1 - 1e-9))) return false;
    double log_delta = log_mass + log(-expm1(-below));
    double error = 8 * DBL_EPSILON * (1 + (double)parts + fabs(log_delta) + fabs(log_mass)) + 2 * doubt / below;
    *out = dpn_delta_between(log_delta - error, log_delta + error);
    return true;
}

/* ---- the engines ---- */

static dpn_status by_fft(dpn_delta *out, dpn_composition *c, double epsilon, dpn_error *why) {
    if (!c->workspace) return dpn_fail(why, DPN_EDOMAIN, "the FFT needs a workspace");
    double usual = ACCURACY_FFT;
    for (size_t i = 0; i < c->parts; i++)
        if (c->part[i].loss.kind->remembered) usual = ACCURACY_REMEMBERED;
    return dpn_fft_delta(out, &c->reader, c->workspace, c->part, c->parts, epsilon,
                         c->options.accuracy > 0 ? c->options.accuracy : usual, why);
}

static dpn_status by_contour(dpn_delta *out, const dpn_composition *c, double epsilon, double work, dpn_error *why) {
    return dpn_contour_delta(out, c->part, c->parts, epsilon,
                             c->options.accuracy > 0 ? c->options.accuracy : ACCURACY_CONTOUR, c->enough, work, why);
}

static bool close_enough(const dpn_delta *delta, double accuracy) {
    return delta->log_upper - delta->log_lower <= log1p(accuracy > 0 ? accuracy : ACCURACY_CONTOUR);
}

/* Whether the FFT would ask a profile without closed form at thousands of points: 0.1 to 2 seconds. */
static bool slow_profiles(const dpn_part *part, size_t parts) {
    for (size_t i = 0; i < parts; i++) {
        const dpn_loss *loss = &part[i].loss;
        const struct dpn_closed_form *form = loss->kind == &dpn_loss_kind_law ? dpn_closed_form_of(&loss->law) : NULL;
        if (form && form->slow) return true;
    }
    return false;
}

static bool is_refusal(dpn_status status) {
    return status == DPN_EACCURACY || status == DPN_EUNSUPPORTED;
}

/* What is known of one release of noise, however little: no engine knows more. */
static bool alone(dpn_delta *out, const dpn_composition *c, double epsilon) {
    const dpn_loss *loss = &c->part[0].loss;
    if (c->parts != 1 || c->part[0].times != 1 || loss->kind != &dpn_loss_kind_law) return false;
    dpn_profile profile;
    dpn_profile_prepare(&profile, &loss->law, loss->sensitivity);
    dpn_estimate estimate = dpn_profile_at(&profile, epsilon);
    dpn_estimate_log_interval(&out->log_lower, &out->log_upper, estimate);
    if (isnan(out->log_upper)) return false;
    *out = dpn_delta_between(out->log_lower, out->log_upper);
    return true;
}

/* The cheapest method that reaches the accuracy: a profile in closed form, the contour sum while it is fast, the FFT,
 * and where that refuses the contour sum at length. */
static dpn_status by_any(dpn_delta *out, dpn_composition *c, double epsilon, dpn_error *why) {
    dpn_delta closed;
    dpn_loss gaussian[2];
    dpn_status status = DPN_EACCURACY;
    const struct dpn_loss_kind *kind = c->part[0].loss.kind;
    if (c->parts == 1 && kind->repeated)
        return kind->repeated(out, &c->part[0].loss, c->part[0].times, epsilon, c->options.accuracy, why);
    if (c->parts == 1 && c->part[0].times == 1)
        status = c->part[0].loss.kind->delta(&closed, &c->part[0].loss, epsilon, why);
    else if (dpn_compose_gaussian(gaussian, c->part, c->parts))
        status = gaussian_delta(&closed, gaussian, epsilon, why);
    else if (largest_alone(&closed, c->part, c->parts, epsilon))
        status = DPN_OK;
    if (!status && close_enough(&closed, c->options.accuracy)) {
        *out = closed;
        return DPN_OK;
    }
    if (c->options.accuracy == 0 && alone(out, c, epsilon)) return DPN_OK;
    dpn_delta wide;
    bool is_wide = dpn_wide_gaussian_delta(&wide, c->part, c->parts, epsilon);
    if (is_wide && close_enough(&wide, c->options.accuracy)) {
        *out = wide;
        return DPN_OK;
    }
    bool slow = slow_profiles(c->part, c->parts), brief = c->reader.brief;
    double work = brief ? (slow ? WORK_AUTO : WORK_BRIEF) : slow ? WORK_PATIENT : WORK_AUTO;
    status = by_contour(out, c, epsilon, work, why);
    if (is_refusal(status) && is_wide && c->options.accuracy == 0 && close_enough(&wide, WIDTH_ENOUGH)) {
        *out = wide;
        return DPN_OK;
    }
    if (!is_refusal(status) || !c->workspace || (slow && brief)) return status;
    status = by_fft(out, c, epsilon, why);
    if (!is_refusal(status) || brief) return status;
    dpn_error last;
    dpn_status again = by_contour(out, c, epsilon, WORK_PATIENT, &last);
    if (again == DPN_ENOMEM) {
        if (why) *why = last;
        return again;
    }
    return again ? status : DPN_OK; /* the FFT's reason stands */
}

/* log of a bound of delta by the moment theta > 0 of the loss: (1 - e^(eps-L))_+ <= e^(theta (L - eps)) theta^theta/(1 + theta)^(1 + theta).
 * +inf where a part has none. For epsilon >= 0 all terms but the cumulants have one sign, also those of the logarithm of the last quotient as
 * it is written here: for large theta those of theta log(theta) - (1 + theta) log(1 + theta) cancel. */
static double moment_bound(const dpn_composition *c, double epsilon, double theta) {
    double sum = -theta * log1p(1 / theta) - log1p(theta) - theta * epsilon, size = -sum;
    for (size_t i = 0; i < c->parts; i++) {
        double lower, upper;
        const dpn_loss *loss = &c->part[i].loss;
        if (!loss->kind->cumulant || loss->kind->cumulant(&lower, &upper, loss, theta, NULL)) return INFINITY;
        sum += (double)c->part[i].times * upper;
        size += (double)c->part[i].times * upper;
    }
    return sum + (8 + (double)c->parts) * DBL_EPSILON * size;
}

/* What the engines refuse of joint noise, next to its largest loss, is bounded by the best of its moments, which lie far out there. */
static bool by_moments(dpn_delta *out, const dpn_composition *c, double epsilon) {
    enum { STEPS = 40 };
    if (epsilon < 0) return false;
    const double golden = 0.6180339887498949;
    double low = log(1e-2), high = log(1e7), x = high - golden * (high - low), y = low + golden * (high - low);
    double at_x = moment_bound(c, epsilon, exp(x)), at_y = moment_bound(c, epsilon, exp(y));
    for (int i = 0; i < STEPS; i++) {
        bool left = at_x < at_y || isinf(at_y);
        *(left ? &high : &low) = left ? y : x;
        double next = left ? high - golden * (high - low) : low + golden * (high - low);
        double value = moment_bound(c, epsilon, exp(next));
        if (left)
            y = x, at_y = at_x, x = next, at_x = value;
        else
            x = y, at_x = at_y, y = next, at_y = value;
    }
    double least = fmin(at_x, at_y);
    if (!(least < INFINITY)) return false;
    *out = dpn_delta_between(-INFINITY, least);
    return true;
}

/* Atoms on no lattice, too many for the FFT, by the contour sum that blurs them a little; where that is too much work too, whatever the
 * losses are, the best Chernoff bound; and of joint noise that of its moments. */
static dpn_status by_bounds(dpn_delta *out, const dpn_composition *c, double epsilon, dpn_error *why) {
    static const double accuracy[] = {ACCURACY_CONTOUR, 1e-4, 1e-2, 1};
    dpn_status status = DPN_EACCURACY;
    for (size_t i = 0; i < sizeof accuracy / sizeof *accuracy && is_refusal(status); i++)
        status = dpn_contour_smooth_delta(out, c->part, NULL, c->parts, epsilon, fmax(accuracy[i], c->options.accuracy),
                                          c->enough, WORK_AUTO, why);
    if (is_refusal(status) && epsilon >= 0)
        status = dpn_contour_smooth_delta(out, c->part, NULL, c->parts, epsilon, 1, 1, WORK_AUTO, why);
    return is_refusal(status) && by_moments(out, c, epsilon) ? DPN_OK : status;
}

/* Where nobody asked for an accuracy and the usual one cannot be had, the interval is wider. What is coarse is quick, or it is
 * refused too, but for the last; the contour sum may take its time, since it knows beforehand how much that is. */
static dpn_status by_any_width(dpn_delta *out, dpn_composition *c, double epsilon, dpn_error *why) {
    static const double accuracy[] = {1e-4, 1e-3, 1e-2, 0.1, 1, 1};
    enum { TRIES = sizeof accuracy / sizeof *accuracy };
    bool brief = c->reader.brief;
    dpn_status status = by_any(out, c, epsilon, why);
    if (!is_refusal(status) || brief || c->options.accuracy > 0) return status;
    dpn_status wider = status;
    for (int i = 0; i < TRIES && is_refusal(wider); i++) {
        c->options.accuracy = accuracy[i];
        c->reader.brief = i + 1 < TRIES;
        wider = by_contour(out, c, epsilon, WORK_PATIENT, NULL);
        if (is_refusal(wider)) wider = by_any(out, c, epsilon, NULL);
    }
    c->options.accuracy = 0;
    c->reader.brief = false;
    if (is_refusal(wider)) wider = by_bounds(out, c, epsilon, NULL);
    return wider == DPN_OK ? DPN_OK : status; /* the first reason stands */
}

dpn_status dpn_composition_delta(dpn_delta *out, dpn_composition *c, double epsilon, dpn_error *why) {
    if (epsilon == -INFINITY) {
        *out = (dpn_delta){1, 1, 0, 0};
        return DPN_OK;
    }
    if (c->parts == 0) {
        *out = dpn_delta_near(epsilon < 0 ? -expm1(epsilon) : 0, 4 * DBL_EPSILON);
        return DPN_OK;
    }
    double slack = 0;
    if (epsilon == INFINITY || (epsilon >= 0 && dpn_largest_reached(c->part, c->parts, false, epsilon, &slack))) {
        dpn_delta infinite;
        dpn_status status = infinite_mass(&infinite, c->part, c->parts, why);
        if (!status)
            *out = slack == 0 ? infinite
                              : dpn_delta_between(infinite.log_lower, dpn_log_add(infinite.log_upper, log(slack)));
        return status;
    }
    switch (c->options.method) {
    case DPN_METHOD_CONTOUR:
        return by_contour(out, c, epsilon, WORK_ALONE, why);
    case DPN_METHOD_FFT:
        return by_fft(out, c, epsilon, why);
    default:
        return c->bounds ? by_bounds(out, c, epsilon, why) : by_any_width(out, c, epsilon, why);
    }
}

dpn_status dpn_composition_open(dpn_composition *out, dpn_workspace *workspace, const dpn_part *part, size_t parts,
                                const dpn_accounting_options *options, dpn_error *why) {
    dpn_accounting_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = check(part, parts, &own, why);
    if (status) return status;
    dpn_part *gathered = malloc((parts ? parts : 1) * sizeof *gathered);
    if (!gathered) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu losses", parts);
    *out = (dpn_composition){
        .part = gathered, .parts = gather(gathered, part, parts), .workspace = workspace, .options = own};
    return DPN_OK;
}

void dpn_composition_close(dpn_composition *composition) {
    free(composition->part);
}

dpn_status dpn_compose_curve(dpn_delta *out, dpn_workspace *workspace, const dpn_part *part, size_t parts,
                             const double *epsilon, size_t count, const dpn_accounting_options *options,
                             dpn_error *why) {
    if (count > 0 && !epsilon) return dpn_fail(why, DPN_EDOMAIN, "epsilon must not be NULL");
    for (size_t i = 0; i < count; i++)
        if (isnan(epsilon[i])) return dpn_fail(why, DPN_EDOMAIN, "epsilon must be a number");
    dpn_composition all;
    dpn_status status = dpn_composition_open(&all, workspace, part, parts, options, why);
    if (status) return status;
    dpn_delta *delta = malloc((count ? count : 1) * sizeof *delta);
    if (!delta) status = dpn_fail(why, DPN_ENOMEM, "no memory for %zu deltas", count);
    for (size_t i = 0; i < count && !status; i++) status = dpn_composition_delta(&delta[i], &all, epsilon[i], why);
    if (!status && count > 0) memcpy(out, delta, count * sizeof *delta);
    free(delta);
    dpn_composition_close(&all);
    return status;
}

dpn_status dpn_compose_delta(dpn_delta *out, dpn_workspace *workspace, const dpn_part *part, size_t parts,
                             double epsilon, const dpn_accounting_options *options, dpn_error *why) {
    return dpn_compose_curve(out, workspace, part, parts, &epsilon, 1, options, why);
}
