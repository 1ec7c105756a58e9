/* The loss of a release from a Poisson sample. */
#include "privacy/sampling/sampled.h"

#include "privacy/interval.h"

#define ROUNDING (8 * DBL_EPSILON)
#define MARGIN (128 * DBL_EPSILON)

/* The arguments below are known up to rounding: an interval of log x of the base, and of the factor before H. */
typedef struct argument {
    double low, high; /* -inf: x <= 0 is possible */
    double least, most;
} argument;

static const dpn_sampled *sampled_of(const dpn_loss_view *view) {
    return view->other;
}

/* Multiply by the factor, keep above what every profile has, and round. */
static void scale_and_round(double *lower, double *upper, argument at, double plain) {
    double least = fmax(*lower + log(at.least), plain), most = fmax(*upper + log(at.most), plain);
    *lower = least == -INFINITY ? least : least - ROUNDING * (1 + fabs(least));
    *upper = most == -INFINITY ? most : fmin(0, most + ROUNDING * (1 + fabs(most)));
}

/* ---- person present against absent ---- */

/* log of 1 + (x-1)/q. From x = e on as log x - log q + log(1 - (1-q)/x): nothing overflows. */
static argument present_argument(double q, double nu) {
    argument at = {.low = -INFINITY, .high = -INFINITY, .least = q, .most = q};
    if (nu > 1) {
        double value = nu - log(q) + log1p(-(1 - q) * exp(-nu)), error = ROUNDING * (1 + nu - log(q));
        at.low = value - error;
        at.high = value + error;
        return at;
    }
    double change = expm1(nu), sum = q + change, error = ROUNDING * (q + fabs(change));
    if (sum > error) at.low = log((sum - error) / q);
    if (sum + error > 0) at.high = log((sum + error) / q);
    at.low -= ROUNDING * (1 + fabs(at.low)); /* -inf stays */
    at.high += isinf(at.high) ? 0 : ROUNDING * (1 + fabs(at.high));
    return at;
}

static dpn_status present_log_delta(double *lower, double *upper, const dpn_loss_view *view, double nu,
                                    dpn_error *why) {
    const dpn_sampled *sampled = sampled_of(view);
    double q = sampled->rate, unused, plain = nu < 0 ? log(-expm1(nu)) : -INFINITY; /* 1 - x is below every profile */
    argument at = nu == INFINITY ? (argument){nu, nu, q, q} : present_argument(q, nu);
    *lower = *upper = at.high > -INFINITY ? 0 : -INFINITY; /* H at x <= 0 is 1 at least */
    dpn_status status = DPN_OK;
    if (at.high > -INFINITY) status = dpn_base_log_delta(lower, &unused, sampled->base, at.high, why);
    if (at.low > -INFINITY && !status) status = dpn_base_log_delta(&unused, upper, sampled->base, at.low, why);
    if (!status) scale_and_round(lower, upper, at, plain);
    return status;
}

static dpn_status present_log_upper(double *upper, const dpn_loss_view *view, double nu, dpn_error *why) {
    const dpn_sampled *sampled = sampled_of(view);
    double q = sampled->rate, lower = -INFINITY, unused, plain = nu < 0 ? log(-expm1(nu)) : -INFINITY;
    argument at = nu == INFINITY ? (argument){nu, nu, q, q} : present_argument(q, nu);
    *upper = at.high > -INFINITY ? 0 : -INFINITY;
    dpn_status status = DPN_OK;
    if (at.low > -INFINITY) status = dpn_base_log_delta(&unused, upper, sampled->base, at.low, why);
    if (!status) scale_and_round(&lower, upper, at, plain);
    return status;
}

static double present_above(double *least, const dpn_loss_view *view, double nu) {
    *least = 0;
    argument at = present_argument(sampled_of(view)->rate, nu);
    return at.low == -INFINITY ? 1 : dpn_base_above(sampled_of(view)->base, at.low);
}

static double present_at_least(const dpn_loss_view *view, double nu) {
    argument at = present_argument(sampled_of(view)->rate, nu);
    return at.high == -INFINITY ? 1 : dpn_base_at_least(sampled_of(view)->base, at.high);
}

/* log(1 - q + q e^loss), to a few units of rounding. */
static double mixed(double q, double loss) {
    if (loss > 700) return dpn_log_add(log1p(-q), loss + log(q));
    double change = q * expm1(loss);
    return change > -0.5 ? log1p(change) : log((1 - q) + q * exp(loss)); /* then q > 1/2, and 1 - q is exact */
}

/* An upper bound of its absolute value: loss itself may be off by a unit of rounding, and the largest losses of up to 64 steps are
 * added up before anything is compared with their sum. */
static double mixed_away(double q, double loss) {
    double away = 2 * DBL_EPSILON * fabs(loss);
    return mixed(q, isinf(loss) ? loss : loss > 0 ? loss + away : loss - away) * (1 + MARGIN);
}

static double present_largest(const dpn_loss_view *view) {
    const dpn_sampled *sampled = sampled_of(view);
    return isinf(sampled->base->largest) ? INFINITY : mixed_away(sampled->rate, sampled->base->largest);
}

/* Where P has no mass the mixture has (1-q)Q: a loss of -inf becomes one of log(1-q), and for absent against present the largest of
 * all. At the rate 1 both stay infinite. */
static bool has_floor(const dpn_sampled *sampled) {
    return sampled->base->infinite && sampled->rate < 1;
}

static double present_least(const dpn_loss_view *view) {
    const dpn_sampled *sampled = sampled_of(view);
    return mixed_away(sampled->rate, has_floor(sampled) ? -INFINITY : -sampled->base->reach);
}

/* The atoms of a single loss move with it. sign is 1 for the person present, -1 for absent. */
static dpn_status moved_atoms(dpn_heavy_atom *out, size_t *count, size_t most, const dpn_sampled *sampled, double sign,
                              double theta) {
    *count = 0;
    if (!sampled->base->single) return DPN_OK;
    const dpn_loss_view *view = &sampled->base->lesser;
    dpn_status status = view->source->atoms(out, count, most, view, 0);
    for (size_t i = 0; i < *count; i++) {
        double q = sampled->rate, loss = out[i].value, mass = out[i].share, reverse = mass * exp(-loss);
        out[i].value = sign * mixed(q, loss);
        out[i].share = (sign > 0 ? q * mass + (1 - q) * reverse : reverse) * exp(theta * out[i].value);
    }
    return status;
}

static dpn_status present_atoms(dpn_heavy_atom *out, size_t *count, size_t most, const dpn_loss_view *view,
                                double theta) {
    return moved_atoms(out, count, most, sampled_of(view), 1, theta);
}

static const struct dpn_loss_source present = {
    present_log_delta, present_above, present_at_least, present_largest, present_least,
    present_atoms,     NULL,          present_log_upper};

/* ---- absent against present ---- */

/* a = 1 - (1-q) x and log of qx/a. */
static argument absent_argument(double q, double nu) {
    double a = -expm1(nu + log1p(-q));
    double error = ROUNDING * ((1 + fabs(nu) + fabs(log1p(-q))) * exp(nu) * (1 - q) + fabs(a));
    if (q == 1) a = 1, error = 0;
    double least = fmax(0, a - error), most = fmax(0, a + error);
    double top = log(q) + nu, slack = ROUNDING * (1 + fabs(nu) + fabs(log(q)));
    return (argument){.low = most > 0 ? top - log(most) - slack - ROUNDING * fabs(log(most)) : INFINITY,
                      .high = least > 0 ? top - log(least) + slack + ROUNDING * fabs(log(least)) : INFINITY,
                      .least = least,
                      .most = most};
}

static dpn_status absent_log_delta(double *lower, double *upper, const dpn_loss_view *view, double nu, dpn_error *why) {
    const dpn_sampled *sampled = sampled_of(view);
    double unused, plain = nu < 0 ? log(-expm1(nu)) : -INFINITY;
    *lower = *upper = -INFINITY;
    if (nu == INFINITY && sampled->rate == 1) return dpn_base_log_delta(lower, upper, sampled->base, nu, why);
    if (nu == INFINITY) return DPN_OK;
    argument at = absent_argument(sampled->rate, nu);
    if (at.most == 0) return DPN_OK;
    dpn_status status = dpn_base_log_delta(&unused, upper, sampled->base, at.low, why);
    if (!status && at.least > 0) status = dpn_base_log_delta(lower, &unused, sampled->base, at.high, why);
    if (!status) scale_and_round(lower, upper, at, plain);
    return status;
}

static dpn_status absent_log_upper(double *upper, const dpn_loss_view *view, double nu, dpn_error *why) {
    const dpn_sampled *sampled = sampled_of(view);
    double lower = -INFINITY, unused, plain = nu < 0 ? log(-expm1(nu)) : -INFINITY;
    if (nu == INFINITY) return absent_log_delta(&unused, upper, view, nu, why);
    argument at = absent_argument(sampled->rate, nu);
    *upper = -INFINITY;
    if (at.most == 0) return DPN_OK;
    dpn_status status = dpn_base_log_delta(&unused, upper, sampled->base, at.low, why);
    if (!status) scale_and_round(&lower, upper, at, plain);
    return status;
}

/* The slope is -(1-q) H - (q/a) Q(L > .) at the argument. */
static double absent_above(double *least, const dpn_loss_view *view, double nu) {
    *least = 0;
    const dpn_sampled *sampled = sampled_of(view);
    double q = sampled->rate, lower, upper;
    argument at = absent_argument(q, nu);
    dpn_error why;
    if (at.most == 0) return 0;
    if (at.least == 0 || dpn_base_height(&lower, &upper, sampled->base, at.low, &why)) return 1;
    return fmin(1, ((1 - q) * upper + q / at.least * dpn_base_above(sampled->base, at.low)) * (1 + ROUNDING));
}

static double absent_at_least(const dpn_loss_view *view, double nu) {
    const dpn_sampled *sampled = sampled_of(view);
    double q = sampled->rate, lower, upper;
    argument at = absent_argument(q, nu);
    dpn_error why;
    if (at.least == 0 || dpn_base_height(&lower, &upper, sampled->base, at.high, &why)) return 0;
    return ((1 - q) * lower + q / at.most * dpn_base_at_least(sampled->base, at.high)) * (1 - ROUNDING);
}

static double absent_largest(const dpn_loss_view *view) {
    const dpn_sampled *sampled = sampled_of(view);
    return -mixed_away(sampled->rate, has_floor(sampled) ? -INFINITY : -sampled->base->largest);
}

static double absent_least(const dpn_loss_view *view) {
    return -mixed_away(sampled_of(view)->rate, sampled_of(view)->base->reach);
}

static dpn_status absent_atoms(dpn_heavy_atom *out, size_t *count, size_t most, const dpn_loss_view *view,
                               double theta) {
    return moved_atoms(out, count, most, sampled_of(view), -1, theta);
}

static const struct dpn_loss_source absent = {
    absent_log_delta, absent_above, absent_at_least, absent_largest, absent_least,
    absent_atoms,     NULL,         absent_log_upper};

void dpn_sampled_argument(double *low, double *high, double q, double nu) {
    argument at = present_argument(q, nu);
    *low = at.low;
    *high = at.high;
}

double dpn_sampled_loss(double q, double loss) {
    return mixed(q, loss);
}

double dpn_sampled_loss_away(double q, double loss) {
    return mixed_away(q, loss);
}

dpn_loss_view dpn_sampled_present(const dpn_sampled *sampled) {
    return (dpn_loss_view){.source = &present, .other = sampled};
}

dpn_loss_view dpn_sampled_absent(const dpn_sampled *sampled) {
    return (dpn_loss_view){.source = &absent, .other = sampled};
}
