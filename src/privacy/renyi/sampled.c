/* Renyi divergences of releases from Poisson samples. With r = dP/dQ of a release that the person's record is part of, which is symmetric,
 * and x = 1 - q + qr, the person present against absent has E_Q x^a = e^((a-1) D_a), and absent against present has less
 * (docs/proofs/privacy/sampling.md, section 6). K(a) = log E_Q x^a is
 *
 *     of Gaussian noise      a trapezoid sum (mixture.h);
 *     at whole orders        log(1 + sum over k >= 2 of C(a,k) (1-q)^(a-k) q^k (M_k - 1)), M_k = e^((k-1) D_k(P|Q)) >= 1;
 *     between whole orders   below its chord, since it is convex;
 *     everywhere             at most log(1 - q + q M_a), since x^a is convex in r. */
#include "base/error.h"
#include "privacy/interval.h"
#include "privacy/renyi/curve.h"
#include "privacy/sampling/base.h"
#include "privacy/sampling/mixture.h"

#include <dpnoise/renyi.h>
#include <stdlib.h>

/* Whole orders up to DENSE have a moment each, those further out one in each DENSE/2 or so; sums have at most MOST terms. */
enum { DENSE = 64, MOST = 4096 };
#define SPREAD 1.03

#define ROUNDING (16 * DBL_EPSILON)

/* ---- log(1 - q + q e^y) ---- */

static double mixed(double q, double y) {
    return y > 600 ? dpn_log_add(log1p(-q), y + log(q)) : log1p(q * expm1(y));
}

static dpn_divergence mixed_ends(double q, dpn_divergence y) {
    if (isinf(y.upper)) return y;
    double error = ROUNDING * (y.upper > 600 ? 1 + y.upper - log(q) : 0), low = mixed(q, y.lower),
           high = mixed(q, y.upper);
    return (dpn_divergence){fmax(0, low * (1 - ROUNDING) - error), high * (1 + ROUNDING) + error};
}

/* ---- Sums over moments ---- */

/* log M_k at whole k, from 2 on. */
typedef struct moments {
    double *at;
    dpn_divergence *log; /* first divergences of the orders `at`, then times k - 1 */
    size_t count;
} moments;

static void free_moments(moments *m) {
    free(m->at);
    free(m->log);
}

/* Up to the order `last`, and one more. */
static dpn_status make_moments(moments *out, const dpn_step *step, double last, dpn_error *why) {
    enum { ROOM = DENSE + 256 };
    *out = (moments){.at = malloc(ROOM * sizeof(double)), .log = malloc(ROOM * sizeof(dpn_divergence))};
    if (!out->at || !out->log) return dpn_fail(why, DPN_ENOMEM, "no memory for %d orders", (int)ROOM);
    for (double k = 2; out->count < ROOM; k = k < DENSE ? k + 1 : ceil(SPREAD * k)) {
        out->at[out->count++] = k;
        if (k >= last) break;
    }
    dpn_status status = dpn_renyi_compose(out->log, step->part, step->parts, out->at, out->count, why);
    for (size_t i = 0; i < out->count && !status; i++) {
        out->log[i].lower *= (out->at[i] - 1) * (1 - ROUNDING);
        out->log[i].upper *= (out->at[i] - 1) * (1 + ROUNDING);
    }
    return status;
}

/* Bounds of log M_k, which is convex in k and has an increasing ratio to k - 1, between the moments i and i + 1. */
static dpn_divergence moment(const moments *m, size_t i, double k) {
    if (k == m->at[i]) return m->log[i];
    double share = (k - m->at[i]) / (m->at[i + 1] - m->at[i]);
    double upper = (1 - share) * m->log[i].upper + share * m->log[i + 1].upper;
    double lower = m->log[i].lower * (k - 1) / (m->at[i] - 1);
    return (dpn_divergence){lower * (1 - ROUNDING), upper * (1 + ROUNDING)};
}

static double log_expm1(double y) {
    return y > 40 ? y + log1p(-exp(-y)) : log(expm1(y));
}

static double log1p_exp(double y) {
    return y > 0 ? y + log1p(exp(-y)) : log1p(exp(y));
}

/* K(n) for a whole n from 1 to MOST. */
static dpn_divergence whole_order(const moments *m, double q, double n) {
    double lower = -INFINITY, upper = -INFINITY, choose = log(n);
    size_t i = 0;
    for (double k = 2; k <= n; k++) {
        choose += log((n - k + 1) / k);
        while (i + 1 < m->count && m->at[i + 1] <= k) i++;
        dpn_divergence log_m = moment(m, i, k);
        if (!(log_m.upper > 0)) continue;
        double weight = choose + (n - k) * log1p(-q) + k * log(q);
        upper = dpn_log_add(upper, weight + log_expm1(log_m.upper));
        if (log_m.lower > 0 && isfinite(log_m.lower)) lower = dpn_log_add(lower, weight + log_expm1(log_m.lower));
    }
    if (isinf(upper)) return upper > 0 ? (dpn_divergence){INFINITY, INFINITY} : (dpn_divergence){0, 0};
    double error = ROUNDING * (n + 8) * (2 + n * (1 - log(q) - log1p(-q)) + fabs(upper));
    return (dpn_divergence){log1p_exp(lower - error) * (1 - ROUNDING), log1p_exp(upper + error) * (1 + ROUNDING)};
}

/* An upper end of K(a) by the chord; the lower end is that of the whole order below, whose divergence is not larger. */
static dpn_divergence by_moments(const moments *m, double q, double a) {
    double n = floor(fmin(a, MOST));
    dpn_divergence below = whole_order(m, q, n), out = below;
    if (n == a || isinf(below.upper)) return out;
    out.lower = n == 1 ? 0 : below.lower * ((a - 1) / (n - 1)) * (1 - ROUNDING);
    out.upper = INFINITY;
    if (a > MOST) return out;
    dpn_divergence above = whole_order(m, q, n + 1);
    out.upper = ((n + 1 - a) * below.upper + (a - n) * above.upper) * (1 + ROUNDING);
    return out;
}

/* ---- Gaussian noise ---- */

/* The mixture of a step whose noise is Gaussian. */
static bool gaussian_step(dpn_mixture *out, const dpn_step *step) {
    dpn_base base = {.single = true};
    *out = (dpn_mixture){.rate = step->rate};
    if (step->parts == 1 && step->part[0].times == 1)
        base.loss[0] = base.loss[1] = step->part[0].loss;
    else if (!dpn_compose_gaussian(base.loss, step->part, step->parts))
        return false;
    return dpn_base_gaussian(&out->ratio, &out->doubt, &base);
}

static dpn_status by_mixture(dpn_divergence *out, dpn_mixture_rule *rule, const dpn_mixture *mixture, double a) {
    double size = mixture->rate * mixture->ratio;
    dpn_status status = dpn_mixture_rule_make(rule, mixture, a, fmax(1e-40, 1e-12 * fmin(1, size * size)), false);
    if (status) return status;
    out->lower = fmax(0, (rule->cumulant - rule->error) * (1 - ROUNDING));
    out->upper = (rule->cumulant + rule->error) * (1 + ROUNDING);
    return out->upper > 0 ? DPN_OK : DPN_EACCURACY;
}

/* ---- One step ---- */

/* What is prepared of a step. */
typedef struct sampled_step {
    const dpn_step *step;
    bool gaussian;
    dpn_mixture mixture;
    dpn_mixture_rule rule;
    moments moments; /* only if it is not Gaussian, or a rule failed */
} sampled_step;

static void close_step(sampled_step *own) {
    dpn_mixture_rule_free(&own->rule);
    free_moments(&own->moments);
}

/* K(a), by all that serves. */
static dpn_status cumulant(dpn_divergence *out, sampled_step *own, double a, double last, dpn_error *why) {
    const dpn_step *step = own->step;
    dpn_divergence plain;
    if (own->gaussian) {
        dpn_status status = by_mixture(out, &own->rule, &own->mixture, a);
        if (status == DPN_ENOMEM) return dpn_fail(why, status, "no memory for the orders");
        if (!status) return status;
    }
    dpn_status status = dpn_renyi_compose(&plain, step->part, step->parts, &a, 1, why);
    if (!status && own->moments.count == 0) status = make_moments(&own->moments, step, fmin(MOST, last) + 1, why);
    if (status) return status;
    plain.lower *= (a - 1) * (1 - ROUNDING);
    plain.upper *= (a - 1) * (1 + ROUNDING);
    *out = by_moments(&own->moments, step->rate, a);
    out->upper = fmin(out->upper, mixed_ends(step->rate, plain).upper);
    out->lower = fmin(out->lower, out->upper);
    return DPN_OK;
}

static dpn_status one_step(dpn_divergence *out, sampled_step *own, double a, double last, dpn_error *why) {
    const dpn_step *step = own->step;
    dpn_divergence plain, k = {0, INFINITY};
    if (step->rate == 1 || isinf(a)) {
        dpn_status status = dpn_renyi_compose(&plain, step->part, step->parts, &a, 1, why);
        if (!status) *out = step->rate == 1 ? plain : mixed_ends(step->rate, plain);
        return status;
    }
    dpn_status status = cumulant(&k, own, a, last, why);
    if (!status) *out = (dpn_divergence){k.lower / (a - 1) * (1 - ROUNDING), k.upper / (a - 1) * (1 + ROUNDING)};
    return status;
}

/* ---- All steps ---- */

static dpn_status check_step(const dpn_step *step, size_t i, dpn_error *why) {
    if (!(step->rate >= 0 && step->rate <= 1))
        return dpn_fail(why, DPN_EDOMAIN, "the sampling rate of step %zu must lie in [0, 1]", i);
    if (!step->part && step->parts > 0) return dpn_fail(why, DPN_EDOMAIN, "part must not be NULL");
    for (size_t k = 0; k < step->parts; k++)
        if (step->part[k].loss.kind == &dpn_loss_kind_explicit || step->part[k].loss.kind->largest)
            return dpn_fail(why, DPN_EUNSUPPORTED, "%s losses cannot be sampled", step->part[k].loss.kind->name);
    return DPN_OK;
}

static dpn_status add_step(dpn_divergence *sum, const dpn_step *step, const double *order, size_t orders,
                           dpn_error *why) {
    double last = 2;
    sampled_step own = {.step = step};
    own.gaussian = gaussian_step(&own.mixture, step);
    for (size_t i = 0; i < orders; i++)
        if (isfinite(order[i])) last = fmax(last, order[i]);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < orders && !status; i++) {
        dpn_divergence one;
        status = one_step(&one, &own, order[i], last, why);
        if (!status) sum[i] = dpn_divergence_add(sum[i], dpn_divergence_times(one, (double)step->times));
    }
    close_step(&own);
    return status;
}

dpn_status dpn_renyi_sampling(dpn_divergence *out, const dpn_step *step, size_t steps, const double *order,
                              size_t orders, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < orders && !status; i++)
        if (!(order[i] > 1)) status = dpn_fail(why, DPN_EDOMAIN, "the order of a sample's divergence must exceed 1");
    for (size_t i = 0; i < steps && !status; i++) status = check_step(&step[i], i, why);
    if (status) return status;
    dpn_divergence *sum = calloc(orders + 1, sizeof *sum);
    if (!sum) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu orders", orders);
    for (size_t i = 0; i < steps && !status; i++)
        if (step[i].rate > 0 && step[i].times > 0) status = add_step(sum, &step[i], order, orders, why);
    for (size_t i = 0; i < orders && !status; i++) out[i] = sum[i];
    free(sum);
    return status;
}
