/* The worst two records for log-concave noise on a Poisson sample: one moves the answer by p up, the other, which replaces it, r below that. With
 * f the density, S its tail and t counted from where the first record puts the answer, an output is in the event of the sup if
 *
 *     g(t) = x f(t + r)/f(t) + (a-x) f(t + p)/f(t) < 1.
 *
 * g falls with t, so that the event is a half-line, found by false position. docs/proofs/privacy/replace.md
 */
#include "privacy/interval.h"
#include "privacy/sampling/replaced.h"

#include <dpnoise/law.h>

/* Above the errors of a loss, relative to itself, and of two tails: docs/proofs/privacy/replace.md, section 4. */
#define DOUBT 1e-10
enum { ROUNDS = 200 };

/* Of an interval, beside its ends. */
#define NARROW 0x1p-44

/* log(a - x) = log((x-1) (1-q)/q). */
static double log_rest(const dpn_replaced *r, double nu) {
    return log(expm1(nu)) + log1p(-r->rate) - log(r->rate);
}

/* log f(t)/f(t + shift). Where both vanish the side decides. */
static double loss_at(const dpn_replaced *r, double shift, double t) {
    double loss = dpn_privacy_loss(r->law, shift, t);
    return isnan(loss) ? (t > 0 ? INFINITY : -INFINITY) : loss;
}

/* A bound of the error of log g where g is near 1. A loss errs by a part of itself and counts by its share e^y of g, y <= 0 its exponent; the
 * loss is nu - y or rest - y, and e^y |y| < 1. */
static double doubt_of(double nu, double rest) {
    return DOUBT * (3 + nu + (isinf(rest) ? 0 : fabs(rest)));
}

static double log_g(const dpn_replaced *r, double nu, double rest, double t) {
    return dpn_log_add(nu - loss_at(r, r->replace, t), rest - loss_at(r, r->remove, t));
}

/* Beyond this the law has a mass of less than e^FAR. */
#define FAR -1000
double dpn_replaced_noise_far(const dpn_law *law) {
    double t = dpn_law_isf(law, 1e-300);
    while (dpn_law_log_sf(law, t) > FAR && t < 1e300) t *= 1.5;
    return dpn_law_is_integer(law) ? ceil(t) : t;
}

/* Where a search looks next. The line through the ends, whose heights are counted from the wanted one, meets 0 near the place of a smooth law; an
 * end that stays twice counts half, so that the other one comes near too (Illinois). Every third look halves. */
static double next_look(double low, double high, const double height[2], int round) {
    double middle = low + 0.5 * (high - low);
    if (round % 3 == 2 || !isfinite(height[0]) || !isfinite(height[1])) return middle;
    double meets = low + (high - low) * (height[0] / (height[0] - height[1]));
    return meets > low && meets < high ? meets : middle;
}

/* t such that g is above 1 to the left and not to the right of it, up to its error: for certain not to the left of the true place (side 1), for
 * certain not to the right of it (-1), or either (0). The event is what is larger than t. A search for a certain side ends when its interval is
 * narrow: both ends are certain all the while. */
static double find_place(const dpn_replaced *r, double nu, int side) {
    bool whole = dpn_law_is_integer(r->law);
    double rest = log_rest(r, nu), doubt = doubt_of(nu, rest), wanted = -side * doubt;
    double low = -0.5 * fmax(r->replace, r->remove), high = r->far, height[2] = {NAN, NAN};
    int before = -1; /* the end that moved last */
    low = whole ? floor(low) - 1 : low * (1 + 4 * DBL_EPSILON) - DBL_MIN;
    for (int i = 0; i < ROUNDS; i++) {
        double look = next_look(low, high, height, i);
        if (whole) look = floor(low + 0.5 * (high - low));
        if (!(look > low && look < high)) break;
        double found = log_g(r, nu, rest, look);
        if (side == 0 && fabs(found) <= doubt && !whole) return look;
        int end = !(found > wanted);
        *(end ? &high : &low) = look;
        height[end] = found - wanted;
        if (end == before) height[!end] *= 0.5;
        before = end;
        if (side != 0 && !whole && high - low <= NARROW * (fabs(low) + fabs(high))) break;
    }
    return side > 0 && !whole ? high : low;
}

dpn_status dpn_replaced_noise_log_delta(double *lower, double *upper, const dpn_replaced *r, double nu,
                                        dpn_error *why) {
    if (nu == INFINITY) { /* outputs that only the first record gives: beyond what both others reach */
        double end[2][2];
        dpn_status status = dpn_base_log_delta(&end[0][0], &end[0][1], r->replaced, nu, why);
        if (!status) status = dpn_base_log_delta(&end[1][0], &end[1][1], r->present, nu, why);
        if (status) return status;
        *lower = fmin(end[0][0], end[1][0]) + log(r->rate);
        *upper = fmin(end[0][1], end[1][1]) + log(r->rate);
        return DPN_OK;
    }
    double t = find_place(r, nu, 0), rest = log_rest(r, nu), first = dpn_law_log_sf(r->law, t);
    double second = exp(nu + dpn_law_log_sf(r->law, t + r->replace) - first);
    double third = exp(rest + dpn_law_log_sf(r->law, t + r->remove) - first);
    /* Between the places that cannot be told apart g is as close to 1 as its error. */
    double height = 1 - second - third,
           error = (2 + second + third) * (doubt_of(nu, rest) + 16 * DBL_EPSILON * fabs(first));
    double unit = first + log(r->rate);
    if (!(first > FAR) || isnan(height)) {
        *lower = -INFINITY;
        *upper = FAR;
        return DPN_OK;
    }
    *lower = height > error ? unit + log(height - error) : -INFINITY;
    *upper = fmin(0, unit + log(fmin(1, fmax(height, 0) + error)) + DOUBT);
    return DPN_OK;
}

/* The mass of the event t > place under the second distribution. */
static double second_mass(const dpn_replaced *r, double place) {
    return r->rate * dpn_law_sf(r->law, place + r->replace) + (1 - r->rate) * dpn_law_sf(r->law, place + r->remove);
}

double dpn_replaced_noise_above(const dpn_replaced *r, double nu) {
    return fmin(1, second_mass(r, find_place(r, nu, -1)) * (1 + DOUBT));
}

double dpn_replaced_noise_at_least(const dpn_replaced *r, double nu) {
    return fmax(0, second_mass(r, find_place(r, nu, 1)) * (1 - DOUBT));
}
