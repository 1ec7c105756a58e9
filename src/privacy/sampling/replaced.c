/* The loss of a release from a random sample if one person's record is replaced. */
#include "privacy/sampling/replaced.h"

#include "privacy/interval.h"
#include "privacy/sampling/sampled.h"

#define ROUNDING (16 * DBL_EPSILON)

static const dpn_replaced *replaced_of(const dpn_loss_view *view) {
    return view->other;
}

/* ---- x >= 1 ---- */

/* An interval of log a; a >= 1. */
static void find_argument(double *low, double *high, double q, double nu) {
    *low = *high = INFINITY;
    if (nu == INFINITY) return;
    dpn_sampled_argument(low, high, q, nu);
    *low = fmax(0, *low);
    *high = fmax(0, *high);
}

/* log D where log K and log H are these: q^2 K + q (1-q) (H (1 - 1/a) + K/a), which falls with a. */
static double log_height(double q, double log_a, double log_k, double log_h) {
    double mixed = dpn_log_add(log_h + log(-expm1(-log_a)), log_k - log_a);
    return dpn_log_add(2 * log(q) + log_k, log(q) + log1p(-q) + mixed);
}

static dpn_status right_log_delta(double *lower, double *upper, const dpn_replaced *r, double nu, dpn_error *why) {
    if (r->law) return dpn_replaced_noise_log_delta(lower, upper, r, nu, why);
    double low, high, k[2], h[2], unused;
    find_argument(&low, &high, r->rate, nu);
    dpn_status status = dpn_base_log_delta(&k[0], &unused, r->replaced, high, why);
    if (!status) status = dpn_base_log_delta(&unused, &k[1], r->replaced, low, why);
    h[0] = k[0];
    h[1] = k[1];
    if (!status && r->present != r->replaced) {
        status = dpn_base_log_delta(&h[0], &unused, r->present, high, why);
        if (!status) status = dpn_base_log_delta(&unused, &h[1], r->present, low, why);
    }
    if (status) return status;
    *lower = log_height(r->rate, high, k[0], h[0]);
    *upper = log_height(r->rate, low, k[1], h[1]);
    if (isfinite(*lower)) *lower -= ROUNDING * (1 + fabs(*lower));
    if (isfinite(*upper)) *upper += ROUNDING * (1 + fabs(*upper));
    *upper = fmin(0, *upper);
    return DPN_OK;
}

/* Minus the slope is q K' + (1-q) (H' (1 - 1/a) + K'/a + (K - H)/a^2), K' and H' without their signs. */
static double slope(const dpn_replaced *r, double log_a, double k, double h, double difference) {
    double q = r->rate, inverse = exp(-log_a);
    return q * k + (1 - q) * (h * -expm1(-log_a) + k * inverse + difference * inverse * inverse);
}

/* K - H at log a: at least (side 0) or at most (1); never negative. */
static double difference(const dpn_replaced *r, double log_a, int side) {
    double k[2], h[2];
    dpn_error why;
    if (r->present == r->replaced) return 0;
    if (dpn_base_height(&k[0], &k[1], r->replaced, log_a, &why)) return side;
    if (dpn_base_height(&h[0], &h[1], r->present, log_a, &why)) return side ? k[1] : 0;
    return fmax(0, k[side] - h[1 - side]);
}

static double right_above(const dpn_replaced *r, double nu) {
    double low, high;
    if (r->law) return dpn_replaced_noise_above(r, nu);
    find_argument(&low, &high, r->rate, nu);
    double k = dpn_base_above(r->replaced, low);
    double h = r->present == r->replaced ? k : dpn_base_above(r->present, low);
    return fmin(1, slope(r, low, k, h, difference(r, low, 1)) * (1 + ROUNDING));
}

static double right_at_least(const dpn_replaced *r, double nu) {
    double low, high;
    if (r->law) return dpn_replaced_noise_at_least(r, nu);
    find_argument(&low, &high, r->rate, nu);
    double k = dpn_base_at_least(r->replaced, high);
    double h = r->present == r->replaced ? k : dpn_base_at_least(r->present, high);
    return fmax(0, slope(r, high, k, h, difference(r, high, 0)) * (1 - ROUNDING));
}

/* ---- all x: what lies below 1 is the mirror image ---- */

static dpn_status log_delta(double *lower, double *upper, const dpn_loss_view *view, double nu, dpn_error *why) {
    dpn_status status = right_log_delta(lower, upper, replaced_of(view), fabs(nu), why);
    if (status || nu >= 0) return status;
    double plain = log(-expm1(nu)), error = ROUNDING * (1 + fabs(plain));
    *lower = dpn_log_add(plain, nu + *lower) - error;
    *upper = fmin(0, dpn_log_add(plain, nu + *upper) + error);
    return DPN_OK;
}

/* Minus the slope at x < 1 is 1 - D(y) + y D'(y), y = 1/x, and to the right of x is to the left of y. At x = 1 the slope on the left is
 * that of the mirror image. */
static double mirrored(const dpn_replaced *r, double nu, double slope_of_mirror, int side) {
    double end[2];
    dpn_error why;
    if (right_log_delta(&end[0], &end[1], r, -nu, &why)) return side;
    double turned = slope_of_mirror * exp(-nu), value = 1 - exp(end[1 - side]) - turned;
    double error = ROUNDING * (1 + turned);
    return fmin(1, fmax(0, side ? value + error : value - error));
}

static double above(double *least, const dpn_loss_view *view, double nu) {
    const dpn_replaced *r = replaced_of(view);
    *least = 0;
    return nu >= 0 ? right_above(r, nu) : mirrored(r, nu, right_at_least(r, -nu), 1);
}

static double at_least(const dpn_loss_view *view, double nu) {
    const dpn_replaced *r = replaced_of(view);
    return nu > 0 ? right_at_least(r, nu) : mirrored(r, nu, right_above(r, -nu), 0);
}

/* An upper bound of log((q + (1-q) e^-H)/(q e^-K + (1-q) e^-H)), what the worst records lose where the first two differ by a loss of K and the
 * first and nobody by H; it rises with both. */
static double loss_of_records(double q, double k, double h) {
    double less = fmin(k, h), gain = log(-q * expm1(-k)) + less;
    double loss = dpn_log_add(0, gain - log(q * exp(less - k) + (1 - q) * exp(less - h)));
    return loss * (1 + 1024 * DBL_EPSILON);
}

/* For any release that of the bound, whose records differ by K at most. */
static double largest(const dpn_loss_view *view) {
    const dpn_replaced *r = replaced_of(view);
    double k = r->replaced->largest;
    if (isinf(k) || (r->law && r->replaced->infinite)) return INFINITY;
    return r->law ? loss_of_records(r->rate, k, r->present->largest) : dpn_sampled_loss_away(r->rate, k);
}

/* Removing may lose more than replacing does: then an output that nobody's record gives is rarer than that of either. */
static double least(const dpn_loss_view *view) {
    const dpn_replaced *r = replaced_of(view);
    double away = dpn_sampled_loss_away(r->rate, r->replaced->reach);
    return r->law ? -fmax(away, loss_of_records(r->rate, r->replaced->reach, r->present->reach)) : -away;
}

/* Where an atom of K, a positive loss, is one of D, and its share. Of log-concave noise the one at the largest loss is known. */
static bool move_atom(dpn_heavy_atom *out, const dpn_replaced *r, dpn_heavy_atom from) {
    double q = r->rate, loss = from.value, removed = exp(-r->present->largest);
    if (!(loss > 0) || (r->law && !(loss > r->replaced->largest * (1 - 1e-9)))) return false;
    double x = r->law ? (q + (1 - q) * removed) / (q * exp(-loss) + (1 - q) * removed) : 1 + q * expm1(loss);
    double share = r->law ? q + (1 - q) * removed : x * exp(-loss);
    if (!r->law && r->present != r->replaced) share *= share;
    *out = (dpn_heavy_atom){log(x), from.share * share};
    return true;
}

/* Atoms lie on both sides of 0, and where the slopes on the sides of 0 differ there is one in the middle. Heaviest first. */
static dpn_status atoms(dpn_heavy_atom *out, size_t *count, size_t most, const dpn_loss_view *view, double theta) {
    const dpn_replaced *r = replaced_of(view);
    const dpn_base *base = r->replaced;
    dpn_heavy_atom own[8], moved;
    size_t owned = 0;
    *count = 0;
    dpn_status status = base->single ? base->lesser.source->atoms(own, &owned, 8, &base->lesser, 0) : DPN_OK;
    if (status) return status;
    double log_d[2], middle = 0;
    dpn_error why;
    if (!right_log_delta(&log_d[0], &log_d[1], r, 0, &why)) middle = 1 - exp(log_d[1]) - 2 * right_above(r, 0);
    if (most > 0 && middle > 1e-6) out[(*count)++] = (dpn_heavy_atom){0, middle};
    for (size_t i = 0; i < owned; i++)
        for (int sign = 1; sign >= -1 && *count < most && move_atom(&moved, r, own[i]); sign -= 2) {
            double value = sign * moved.value, mirror = sign > 0 ? 1 : exp(value);
            out[(*count)++] = (dpn_heavy_atom){value, moved.share * mirror * exp(theta * value)};
        }
    for (size_t i = 1; i < *count; i++)
        for (size_t j = i; j > 0 && out[j].share > out[j - 1].share; j--) {
            dpn_heavy_atom swap = out[j];
            out[j] = out[j - 1];
            out[j - 1] = swap;
        }
    return DPN_OK;
}

static const struct dpn_loss_source source = {log_delta, above, at_least, largest, least, atoms, NULL, NULL};

dpn_loss_view dpn_replaced_view(const dpn_replaced *replaced) {
    return (dpn_loss_view){.source = &source, .other = replaced};
}
