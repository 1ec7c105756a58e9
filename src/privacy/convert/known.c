/* Compositions with mechanisms known by their guarantees. Steps are those of docs/proofs/privacy/guarantees.md. */
#include "base/error.h"
#include "privacy/convert/guarantee.h"
#include "privacy/convert/upper.h"
#include "privacy/interval.h"
#include "privacy/loss/largest.h"
#include "privacy/loss/loss.h"
#include "privacy/renyi/curve.h"

#include <dpnoise/guarantees.h>
#include <stdlib.h>

/* What is asked, taken apart: losses; the probability that some approximate guarantee fails; and guarantees known by divergences,
 * for each of which Gaussian noise that just has it stands behind the losses. */
typedef struct sorted {
    dpn_part *part;
    size_t losses, stand_ins;
    double fail_lower, fail_upper;
    dpn_known *bounded;
    size_t bounds;
    double most_order; /* up to which all of them say something */
    bool only_bounded; /* what is returned is no more than a bound */
} sorted;

static void release(sorted *s) {
    free(s->part);
    free(s->bounded);
}

static dpn_status gaussian_loss(dpn_loss *out, double mu, dpn_error *why) {
    dpn_law standard;
    dpn_status status = dpn_law_make(&standard, "gaussian", (const double[]){1}, 1, why);
    return status ? status : dpn_loss_law(out, &standard, mu, why);
}

/* Gaussian noise has the divergence a mu^2/2 at every order a. */
static double stand_in_mu(const dpn_guarantee *bounded) {
    double rho = bounded->notion == DPN_ZCDP ? bounded->rho : bounded->divergence / bounded->order;
    return dpn_lower(sqrt(2 * rho));
}

/* step 1: an approximate guarantee is a failure and a pure guarantee. */
static dpn_status add_loss(sorted *s, const dpn_guarantee *guarantee, uint64_t times, dpn_error *why) {
    dpn_part *part = &s->part[s->losses];
    dpn_status status = guarantee->notion == DPN_GDP ? gaussian_loss(&part->loss, guarantee->mu, why)
                                                     : dpn_loss_pure(&part->loss, guarantee->epsilon, why);
    if (status) return status;
    part->times = times;
    s->losses++;
    return DPN_OK;
}

static void add_failure(sorted *s, double *log_all, const dpn_guarantee *guarantee, uint64_t times) {
    if (guarantee->notion != DPN_APPROXIMATE || guarantee->delta == 0 || times == 0) return;
    *log_all -= (double)times * log1p(-guarantee->delta);
    s->fail_lower = dpn_lower(-expm1(-dpn_lower(*log_all)));
    s->fail_upper = fmin(1, dpn_upper(-expm1(-dpn_upper(*log_all))));
}

static dpn_status add_known(sorted *s, double *log_all, const dpn_known *known, dpn_error *why) {
    dpn_status status = dpn_guarantee_check(&known->guarantee, why);
    if (status || known->times == 0) return status;
    dpn_guarantee simplest = dpn_guarantee_simplest(&known->guarantee);
    if (simplest.notion == DPN_ZCDP || simplest.notion == DPN_RENYI) {
        s->bounded[s->bounds++] = (dpn_known){simplest, known->times};
        if (simplest.notion == DPN_RENYI) s->most_order = fmin(s->most_order, simplest.order);
        return DPN_OK;
    }
    add_failure(s, log_all, &simplest, known->times);
    return add_loss(s, &simplest, known->times, why);
}

static dpn_status add_stand_ins(sorted *s, dpn_error *why) {
    for (size_t i = 0; i < s->bounds; i++) {
        dpn_part *part = &s->part[s->losses + s->stand_ins];
        dpn_status status = gaussian_loss(&part->loss, stand_in_mu(&s->bounded[i].guarantee), why);
        if (status) return status;
        part->times = s->bounded[i].times;
        s->stand_ins++;
    }
    return DPN_OK;
}

/* The losses are symmetric but for explicit ones, and a divergence is known to bound both directions. */
static dpn_status check_directions(const sorted *s, dpn_error *why) {
    for (size_t i = 0; s->bounds > 0 && i < s->losses; i++)
        if (s->part[i].loss.kind == &dpn_loss_kind_explicit ||
            (s->part[i].loss.kind->largest && !s->part[i].loss.kind->symmetric))
            return dpn_fail(why, DPN_EUNSUPPORTED,
                            "an explicit loss has one direction and cannot stand beside a zCDP or Renyi guarantee");
    return DPN_OK;
}

static dpn_status sort_out(sorted *out, const dpn_part *part, size_t parts, const dpn_known *known, size_t count,
                           dpn_error *why) {
    if ((!part && parts > 0) || (!known && count > 0))
        return dpn_fail(why, DPN_EDOMAIN, "part and known must not be NULL");
    for (size_t i = 0; i < parts; i++)
        if (!part[i].loss.kind) return dpn_fail(why, DPN_EDOMAIN, "part %zu of the composition has no loss", i);
    sorted s = {.part = calloc(parts + count + 1, sizeof *s.part),
                .bounded = calloc(count + 1, sizeof *s.bounded),
                .most_order = INFINITY};
    dpn_status status = s.part && s.bounded ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for %zu guarantees", count);
    double log_all = 0; /* that no guarantee fails, negated */
    for (size_t i = 0; i < parts && !status; i++) s.part[s.losses++] = part[i];
    for (size_t i = 0; i < count && !status; i++) status = add_known(&s, &log_all, &known[i], why);
    if (!status) status = add_stand_ins(&s, why);
    if (!status) status = check_directions(&s, why);
    if (status)
        release(&s);
    else
        *out = s;
    return status;
}

/* ---- Divergences ---- */

/* What one guarantee says of an order: an upper bound, +inf if it is silent; *lower if it is reached. */
static dpn_status divergence_of(dpn_divergence *out, const dpn_guarantee *guarantee, double order, dpn_error *why) {
    dpn_conversion at;
    *out = (dpn_divergence){0, INFINITY};
    if (order == 1) order = nextafter(1, 2); /* divergences grow with the order */
    dpn_status status = dpn_convert_to_renyi(&at, guarantee, order, why);
    if (status == DPN_EUNSUPPORTED) return DPN_OK;
    if (!status) *out = (dpn_divergence){at.exact ? dpn_lower(at.guarantee.divergence) : 0, at.guarantee.divergence};
    return status;
}

/* With `finite` the parts are those of step 4: what they are given that no loss is infinite. */
static dpn_status divergence_sum(dpn_divergence *out, const dpn_part *part, size_t parts, bool finite,
                                 const dpn_known *known, size_t count, double order, dpn_error *why) {
    dpn_divergence sum;
    dpn_status status = finite ? dpn_renyi_compose_finite(&sum, part, parts, &order, 1, why)
                               : dpn_renyi_compose(&sum, part, parts, &order, 1, why);
    for (size_t i = 0; i < count && !status; i++) {
        dpn_divergence one;
        if (known[i].times == 0) continue;
        status = divergence_of(&one, &known[i].guarantee, order, why);
        if (status) return status;
        sum.lower = dpn_lower(sum.lower + (double)known[i].times * one.lower);
        sum.upper = one.upper == 0 ? sum.upper : dpn_upper(sum.upper + (double)known[i].times * one.upper);
    }
    if (!status) *out = sum;
    return status;
}

dpn_status dpn_compose_known_renyi(dpn_divergence *out, const dpn_part *part, size_t parts, const dpn_known *known,
                                   size_t count, const double *order, size_t orders, dpn_error *why) {
    if ((!part && parts > 0) || (!known && count > 0) || (!order && orders > 0))
        return dpn_fail(why, DPN_EDOMAIN, "part, known and order must not be NULL");
    dpn_divergence *sum = calloc(orders + 1, sizeof *sum);
    dpn_status status = sum ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for %zu orders", orders);
    for (size_t i = 0; i < orders && !status; i++)
        status = divergence_sum(&sum[i], part, parts, false, known, count, order[i], why);
    for (size_t i = 0; i < orders && !status; i++) out[i] = sum[i];
    free(sum);
    return status;
}

dpn_status dpn_compose_known_zcdp(dpn_zcdp *out, const dpn_part *part, size_t parts, const dpn_known *known,
                                  size_t count, dpn_error *why) {
    if (!known && count > 0) return dpn_fail(why, DPN_EDOMAIN, "known must not be NULL");
    dpn_zcdp sum;
    dpn_status status = dpn_zcdp_compose(&sum, part, parts, why);
    for (size_t i = 0; i < count && !status; i++) {
        dpn_conversion one;
        if (known[i].times == 0) continue;
        status = dpn_convert_to_zcdp(&one, &known[i].guarantee, DPN_RULE_TIGHTEST, why);
        if (status) return status;
        double xi = one.guarantee.xi, rho = one.guarantee.rho;
        if (xi > 0) sum.xi = dpn_upper(sum.xi + (double)known[i].times * xi);
        if (rho > 0) sum.rho = dpn_upper(sum.rho + (double)known[i].times * rho);
    }
    if (!status) *out = sum;
    return status;
}

/* ---- By the best order ---- */

/* log delta at an epsilon, or epsilon at a delta; upper bounds from every order, the least of them is wanted. */
typedef struct wanted {
    const sorted *s;
    bool of_delta;
    double at;
    double least;
    dpn_status fatal;
} wanted;

/* step 3, at one order. +inf where the order has no answer. */
static double at_order(wanted *w, double order, dpn_rule rule) {
    dpn_divergence sum;
    dpn_conversion out;
    dpn_status status = divergence_sum(&sum, w->s->part, w->s->losses, true, w->s->bounded, w->s->bounds, order, NULL);
    if (!status && isinf(sum.upper)) return INFINITY;
    dpn_guarantee renyi = {.notion = DPN_RENYI, .order = order, .divergence = sum.upper};
    if (!status)
        status = w->of_delta ? dpn_convert_to_epsilon(&out, &renyi, 1, w->at, rule, NULL)
                             : dpn_convert_to_delta(&out, &renyi, 1, w->at, rule, NULL);
    if (status == DPN_ENOMEM) w->fatal = status;
    if (status) return INFINITY;
    double value = w->of_delta ? out.guarantee.epsilon : out.log_delta;
    w->least = fmin(w->least, value);
    return value;
}

static double order_of(double exponent) {
    return 1 + exp2(exponent);
}

/* A walk over orders by the quick rule, then a golden section next to the best by the best rule: any order is a proof, so the search
 * need not be perfect. */
static void search_orders(wanted *w) {
    const double golden = 0.61803398874989485, first = -20, last = 40, step = 0.5;
    const dpn_rule quick = DPN_RULE_CANONNE_KAMATH_STEINKE;
    double best = INFINITY, middle = 0, most = w->s->most_order;
    for (double x = first; x <= last && order_of(x) < most; x += step) {
        double value = at_order(w, order_of(x), quick);
        if (value < best) {
            best = value;
            middle = x;
        }
    }
    if (isfinite(most) && at_order(w, most, quick) < best) middle = log2(most - 1);
    double low = middle - step, high = fmin(middle + step, isfinite(most) ? log2(most - 1) : last);
    for (int i = 0; i < 20; i++) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        bool leftwards = at_order(w, order_of(left), quick) <= at_order(w, order_of(right), quick);
        if (leftwards)
            high = right;
        else
            low = left;
    }
    at_order(w, fmin(most, order_of(0.5 * (low + high))), DPN_RULE_TIGHTEST);
    if (isfinite(most)) at_order(w, most, DPN_RULE_TIGHTEST);
}

/* ---- Together ---- */

/* log of F + (1 - F) x. */
static double log_after(double fail, double log_rest) {
    return dpn_log_add(log(fail), log1p(-fail) + log_rest);
}

/* step 1, of both ends. */
static dpn_delta with_failure(const sorted *s, const dpn_delta *rest) {
    if (s->fail_upper == 0) return *rest;
    double lower = log_after(s->fail_lower, rest->log_lower), upper = log_after(s->fail_upper, rest->log_upper);
    return dpn_delta_between(dpn_below(lower, 1 + fabs(lower)), dpn_above(upper, 1 + fabs(upper)));
}

/* What is left of delta - F for (1 - F) x, rounded down or up; F in [lower, upper], upper <= delta. */
static double left_lower(double delta, double lower, double upper) {
    return dpn_lower((delta - upper) / (1 - lower) * (1 - 4 * DBL_EPSILON));
}

static double left_upper(double delta, double lower, double upper) {
    return fmin(1, dpn_upper((delta - lower) / (1 - upper)));
}

/* What the losses and the stand-ins would have, as far as it is known. */
static double log_lower_end(const sorted *s, dpn_workspace *workspace, double epsilon,
                            const dpn_accounting_options *options) {
    dpn_delta delta;
    dpn_status status = dpn_compose_delta(&delta, workspace, s->part, s->losses + s->stand_ins, epsilon, options, NULL);
    return status ? -INFINITY : delta.log_lower;
}

static dpn_status bounded_delta(dpn_delta *out, const sorted *s, dpn_workspace *workspace, double epsilon,
                                const dpn_accounting_options *options, dpn_error *why) {
    dpn_delta infinite; /* guarantees of finite divergences add nothing to it */
    dpn_status status = dpn_compose_delta(&infinite, workspace, s->part, s->losses, INFINITY, options, why);
    if (!status && epsilon == INFINITY) *out = infinite;
    if (status || epsilon == INFINITY) return status;
    wanted w = {.s = s, .at = fabs(epsilon), .least = 0};
    search_orders(&w);
    if (w.fatal) return dpn_fail(why, w.fatal, "no memory for the divergences");
    if (infinite.upper > 0) { /* step 4 */
        double all = log_after(infinite.upper, w.least);
        w.least = fmin(0, dpn_above(all, 1 + fabs(all)));
    }
    double lower = log_lower_end(s, workspace, w.at, options);
    *out = dpn_delta_between(lower, fmax(lower, w.least));
    if (epsilon >= 0) return DPN_OK;
    /* delta(-e) = 1 - e^-e + e^-e delta(e) of the other direction */
    double rest = log(-expm1(epsilon));
    *out = dpn_delta_between(dpn_log_add(rest, epsilon + out->log_lower) - 8 * DBL_EPSILON,
                             dpn_log_add(rest, epsilon + out->log_upper) + 8 * DBL_EPSILON);
    return DPN_OK;
}

static dpn_status bounded_epsilon(dpn_epsilon *out, const sorted *s, dpn_workspace *workspace, double delta,
                                  const dpn_accounting_options *options, dpn_error *why) {
    dpn_epsilon lower;
    dpn_delta infinite;
    dpn_status status = dpn_compose_delta(&infinite, workspace, s->part, s->losses, INFINITY, options, why);
    if (status) return status;
    if (infinite.lower > delta) {
        *out = (dpn_epsilon){INFINITY, INFINITY};
        return DPN_OK;
    }
    if (infinite.upper > delta) return dpn_fail(why, DPN_EACCURACY, "delta is too close to the mass of infinite loss");
    double left = infinite.upper > 0 ? left_lower(delta, infinite.lower, infinite.upper) : delta; /* step 4 */
    wanted w = {.s = s, .of_delta = true, .at = left, .least = INFINITY};
    search_orders(&w);
    if (w.fatal) return dpn_fail(why, w.fatal, "no memory for the divergences");
    if (isinf(w.least) && delta > 0)
        return dpn_fail(why, DPN_EACCURACY, "no finite epsilon follows: no order has a finite divergence");
    status = dpn_compose_epsilon(&lower, workspace, s->part, s->losses + s->stand_ins, delta, options, NULL);
    *out = (dpn_epsilon){status ? 0 : fmin(lower.lower, w.least), w.least};
    return DPN_OK;
}

/* Whether there are so many pure losses that their sum has no digits left for a single one: the accountant refuses, after seconds. */
static bool are_countless(const sorted *s) {
    double times = 0;
    for (size_t i = 0; i < s->losses; i++) {
        if (s->part[i].loss.kind != &dpn_loss_kind_pure) return false;
        times += (double)s->part[i].times;
    }
    return times > 0x1p50;
}

/* Losses alone by the accountant; countless ones by the best order, and no lower end is known. */
static dpn_status rest_epsilon(dpn_epsilon *out, sorted *s, dpn_workspace *workspace, double delta,
                               const dpn_accounting_options *options, dpn_error *why) {
    if (s->bounds) return bounded_epsilon(out, s, workspace, delta, options, why);
    if (!are_countless(s)) return dpn_compose_epsilon(out, workspace, s->part, s->losses, delta, options, why);
    wanted w = {.s = s, .of_delta = true, .at = delta, .least = INFINITY};
    search_orders(&w);
    if (w.fatal) return dpn_fail(why, w.fatal, "no memory for the divergences");
    double most = dpn_upper(dpn_largest_loss(s->part, s->losses, false).hi); /* +inf if it is not known */
    if (!(fmin(w.least, most) < INFINITY))
        return dpn_fail(why, DPN_EACCURACY, "no finite epsilon follows: no order has a finite divergence");
    *out = (dpn_epsilon){0, fmin(w.least, most)};
    s->only_bounded = true;
    return DPN_OK;
}

static dpn_status rest_delta(dpn_delta *out, sorted *s, dpn_workspace *workspace, double epsilon,
                             const dpn_accounting_options *options, dpn_error *why) {
    if (s->bounds) return bounded_delta(out, s, workspace, epsilon, options, why);
    if (!are_countless(s) || !(epsilon >= 0 && isfinite(epsilon)))
        return dpn_compose_delta(out, workspace, s->part, s->losses, epsilon, options, why);
    wanted w = {.s = s, .at = epsilon, .least = 0};
    search_orders(&w);
    if (w.fatal) return dpn_fail(why, w.fatal, "no memory for the divergences");
    bool none = dpn_largest_loss(s->part, s->losses, false).hi * (1 + 4 * DBL_EPSILON) <= epsilon;
    *out = dpn_delta_between(-INFINITY, none ? -INFINITY : w.least);
    s->only_bounded = true;
    return DPN_OK;
}

/* step 1, solved for what is left of delta. */
static dpn_status epsilon_after_failure(dpn_epsilon *out, sorted *s, dpn_workspace *workspace, double delta,
                                        const dpn_accounting_options *options, dpn_error *why) {
    if (s->fail_upper == 0) return rest_epsilon(out, s, workspace, delta, options, why);
    if (s->fail_lower > delta) {
        *out = (dpn_epsilon){INFINITY, INFINITY};
        return DPN_OK;
    }
    if (s->fail_upper > delta)
        return dpn_fail(why, DPN_EACCURACY, "delta is too close to the probability that a guarantee fails");
    dpn_epsilon upper, lower;
    double least = left_lower(delta, s->fail_lower, s->fail_upper),
           most = left_upper(delta, s->fail_lower, s->fail_upper);
    dpn_status status = rest_epsilon(&upper, s, workspace, least, options, why);
    if (!status) status = rest_epsilon(&lower, s, workspace, most, options, why);
    if (!status) *out = (dpn_epsilon){lower.lower, upper.upper};
    return status;
}

dpn_status dpn_compose_known_delta(dpn_delta *out, dpn_argument *argument, dpn_workspace *workspace,
                                   const dpn_part *part, size_t parts, const dpn_known *known, size_t count,
                                   double epsilon, const dpn_accounting_options *options, dpn_error *why) {
    if (isnan(epsilon)) return dpn_fail(why, DPN_EDOMAIN, "epsilon must be a number");
    sorted s;
    dpn_delta rest;
    dpn_status status = sort_out(&s, part, parts, known, count, why);
    if (status) return status;
    status = rest_delta(&rest, &s, workspace, epsilon, options, why);
    if (!status) {
        *out = with_failure(&s, &rest);
        if (argument) *argument = s.bounds || s.only_bounded ? DPN_ARGUMENT_BOUND : DPN_ARGUMENT_CORNER;
    }
    release(&s);
    return status;
}

dpn_status dpn_compose_known_epsilon(dpn_epsilon *out, dpn_argument *argument, dpn_workspace *workspace,
                                     const dpn_part *part, size_t parts, const dpn_known *known, size_t count,
                                     double delta, const dpn_accounting_options *options, dpn_error *why) {
    if (!(delta >= 0 && delta <= 1)) return dpn_fail(why, DPN_EDOMAIN, "delta must lie in [0, 1]");
    sorted s;
    dpn_epsilon epsilon;
    dpn_status status = sort_out(&s, part, parts, known, count, why);
    if (status) return status;
    status = epsilon_after_failure(&epsilon, &s, workspace, delta, options, why);
    if (!status) {
        *out = epsilon;
        if (argument) *argument = s.bounds || s.only_bounded ? DPN_ARGUMENT_BOUND : DPN_ARGUMENT_CORNER;
    }
    release(&s);
    return status;
}
