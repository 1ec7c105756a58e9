#include "calibrate/stairs-pair.h"

#include "law/geometric-sum.h"

#include <math.h>

#define MOST_LEVELS 1e7
#define MOST_CELLS 0x1p50

/* ---- making ---- */

/* sum over 1 <= j <= n of exp(-epsilon j) j^k, k = 0, 1, 2. */
static dpn_power_sums shells(double epsilon, double n) {
    double q = exp(-epsilon), fall = -expm1(-epsilon);
    if (isinf(n))
        return (dpn_power_sums){
            .zeroth = q / fall, .first = q / (fall * fall), .second = q * (1 + q) / (fall * fall * fall)};
    dpn_power_sums all = dpn_geometric_powers(epsilon, n + 1);
    all.zeroth = n > 0 ? q * expm1(-n * epsilon) / expm1(-epsilon) : 0;
    return all;
}

dpn_stairs_one dpn_stairs_make(double epsilon, double period, double first, double end) {
    dpn_stairs_one one = {.share = 1, .first = first, .last = INFINITY, .end = end};
    if (isfinite(end)) {
        one.last = ceil(end / period) - 1;
        one.first = end - one.last * period;
    }
    one.height = 0.5 / (one.first + period * shells(epsilon, one.last).zeroth);
    return one;
}

/* low and high in cells. */
static double cells(const dpn_block *block, double x) {
    return block->step > 0 ? 2 * x + 1 : x * DPN_STAIRS_CELLS;
}

static double period_of(const dpn_block *block) {
    return block->step > 0 ? 2 * block->step : DPN_STAIRS_CELLS;
}

static bool is_whole(double x) {
    return x == floor(x);
}

const char *dpn_stairs_refuse(const dpn_block *block) {
    bool whole = block->kind == DPN_BLOCK_DISCRETE_STAIRCASE, endless = isinf(block->high);
    double period = period_of(block), first = cells(block, block->low), last = cells(block, block->high);
    if (!(block->epsilon >= 1e-4 && block->epsilon <= 100)) return "epsilon must lie in [1e-4, 100]";
    if (whole && !(block->step >= 1 && block->step <= 1e9 && is_whole(block->step)))
        return "step must be a whole number from 1 to 1e9";
    if (!(block->theta > 0 && block->theta <= 1)) return "theta must lie in (0, 1]";
    if (whole && !(block->low >= 0)) return "low must not be negative";
    if (!whole && !(block->low > 0)) return "low must be positive";
    double finer = whole ? 1 : DPN_STAIRS_CELLS;
    if (!is_whole(block->low * finer) || (!endless && !is_whole(block->high * finer)))
        return whole ? "the ends must be whole numbers" : "the ends must be multiples of 1/4096";
    if (endless)
        return !whole             ? "high must be finite"
               : block->theta < 1 ? "a staircase without an end has no second one"
               : first < period   ? NULL
                                  : "start must be less than the step";
    if (!(block->low < block->high)) return "low must be less than high";
    if (!(last <= MOST_CELLS && last / period <= MOST_LEVELS && block->epsilon * last / period <= 700))
        return "high is too far out for this epsilon";
    return NULL;
}

dpn_stairs_pair dpn_stairs_pair_of(const dpn_block *block) {
    dpn_stairs_pair pair = {.epsilon = block->epsilon, .period = period_of(block), .whole = block->step > 0};
    pair.unit = pair.whole ? 0.5 : 1 / DPN_STAIRS_CELLS;
    double low = cells(block, block->low), share[2] = {1 - block->theta, block->theta};
    pair.one[0] = dpn_stairs_make(pair.epsilon, pair.period, 0, low);
    pair.one[1] =
        dpn_stairs_make(pair.epsilon, pair.period, low, isinf(block->high) ? INFINITY : cells(block, block->high));
    for (int i = 0; i < 2; i++) {
        pair.one[i].share = share[i];
        pair.one[i].height *= share[i];
    }
    return pair;
}

/* ---- masses ---- */

/* sum of exp(-epsilon j) over from <= j <= to, which may be +inf. */
static double levels(double epsilon, double from, double to) {
    if (to < from) return 0;
    double all = isinf(to) ? 1 : -expm1(-epsilon * (to - from + 1));
    return exp(-epsilon * from) * all / -expm1(-epsilon);
}

double dpn_stairs_level(const dpn_stairs_pair *pair, const dpn_stairs_one *one, double x) {
    if (!(x < one->end)) return -1;
    return x < one->first ? 0 : floor((x - one->first) / pair->period) + 1;
}

double dpn_stairs_mass(const dpn_stairs_pair *pair, const dpn_stairs_one *one, double a, double b) {
    double period = pair->period, e = pair->epsilon;
    b = fmin(b, one->end);
    if (one->share == 0 || !(a < b)) return 0;
    double from = dpn_stairs_level(pair, one, a), to = b <= one->first ? 0 : ceil((b - one->first) / period);
    if (from == to) return one->height * exp(-e * from) * (b - a);
    double left = one->first + from * period - a, right = isinf(b) ? 0 : b - (one->first + (to - 1) * period);
    double ends = exp(-e * from) * left + (isinf(b) ? 0 : exp(-e * to) * right);
    return one->height * (ends + period * levels(e, from + 1, isinf(b) ? b : to - 1));
}

/* ---- errors ---- */

/* On the integers shell 0 is |k| <= C, and shell j >= 1 has D integers a side from a + 1 on, a = C + uD, u = j - 1, whose squares add to D a^2 + D (D + 1) a + D (D + 1)(2D + 1)/6 and they
 * themselves to D a + D (D + 1)/2. Nothing is subtracted: where epsilon is large almost all noise is 0, and the error is what little is not. */
static double moment_of_integers(const dpn_stairs_pair *pair, const dpn_stairs_one *one, dpn_objective objective) {
    double c = 0.5 * (one->first - 1), d = 0.5 * pair->period, q = exp(-pair->epsilon), sum;
    dpn_power_sums s = {.zeroth = shells(pair->epsilon, one->last).zeroth}; /* of q^j u^k over the shells */
    if (one->last > 1) {
        dpn_power_sums fewer = shells(pair->epsilon, one->last - 1);
        s.first = q * fewer.first;
        s.second = q * fewer.second;
    }
    double a = c * s.zeroth + d * s.first;
    if (objective == DPN_OBJECTIVE_MSE) {
        double square = c * c * s.zeroth + 2 * c * d * s.first + d * d * s.second;
        sum = c * (c + 1) * (2 * c + 1) / 3 + 2 * d * (square + (d + 1) * a + (d + 1) * (2 * d + 1) / 6 * s.zeroth);
    } else {
        sum = c * (c + 1) + 2 * d * (a + 0.5 * (d + 1) * s.zeroth);
    }
    return 2 * one->height * sum; /* an integer is two cells */
}

/* With y = x/P and g = f/P: of y^2 over a shell j the integral is ((g + j)^3 - (g + j - 1)^3)/3, of y (2 (g + j) - 1)/2. */
double dpn_stairs_moment(const dpn_stairs_pair *pair, const dpn_stairs_one *one, dpn_objective objective) {
    if (one->share == 0) return 0;
    if (pair->whole) return moment_of_integers(pair, one, objective);
    double period = pair->period, g = one->first / period;
    dpn_power_sums s = shells(pair->epsilon, one->last);
    if (objective == DPN_OBJECTIVE_MSE) {
        double sum = g * g * g / 3 + s.zeroth * (g * g - g + 1.0 / 3) + s.first * (2 * g - 1) + s.second;
        return fmax(0, 2 * one->height * period * period * period * sum) * pair->unit * pair->unit;
    }
    double sum = g * g / 2 + s.zeroth * (g - 0.5) + s.first;
    return fmax(0, 2 * one->height * period * period * sum) * pair->unit;
}

static double tail(const dpn_stairs_pair *pair, double x) {
    return dpn_stairs_mass(pair, &pair->one[0], x, INFINITY) + dpn_stairs_mass(pair, &pair->one[1], x, INFINITY);
}

/* The least t with P(X > t) <= 0.025. */
static double half_width(const dpn_stairs_pair *pair) {
    double low = 0, high = pair->period;
    while (tail(pair, high) > 0.025) high *= 2;
    if (pair->whole) { /* k > t is x >= 2t + 1 */
        double t = 0, most = ceil(high / 2);
        while (t < most) {
            double middle = floor(0.5 * (t + most));
            if (tail(pair, 2 * middle + 1) > 0.025)
                t = middle + 1;
            else
                most = middle;
        }
        return t;
    }
    for (int i = 0; i < 80 && high - low > 1e-14 * high; i++) {
        double middle = 0.5 * (low + high);
        *(tail(pair, middle) > 0.025 ? &low : &high) = middle;
    }
    return high * pair->unit;
}

double dpn_stairs_error(const dpn_stairs_pair *pair, dpn_objective objective) {
    if (objective == DPN_OBJECTIVE_INTERVAL95) return half_width(pair);
    return dpn_stairs_moment(pair, &pair->one[0], objective) + dpn_stairs_moment(pair, &pair->one[1], objective);
}
