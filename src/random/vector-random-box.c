/* Random boxes: a hidden size J sets the sides s_i = c_i + J, P(J = j) is proportional to e^(-alpha j) times the product of
 * z_i(c_i + j), z_i(s) = s int_0^1 e^(-q t^2) dt with q = beta_i s/2, and V_i = scale_i s_i U_i, U_i of the density proportional to
 * e^(-q u^2) on (-1, 1). docs/proofs/privacy/random-box.md
 *
 * J is told by one uniform number against the boundaries of a table, U_i by uniform numbers that are kept with the probability e^(-q u^2).
 * Doubles decide almost always, wide numbers the rest.
 */
#include "random/source.h"
#include "random/vector.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

/* A table of doubles errs by less than this of the total: each weight has an error of some ulps for every coordinate. */
#define GUARD 0x1p-30

/* The sizes beyond the table have less than 2^-200 of the weight, and less than this as doubles count. */
#define LOG_REST (-140.0)

enum { MOST_SIZES = 1 << 20 };

void dpn_box_table_free(dpn_box_table *table) {
    free(table->c);
    free(table->beta);
    free(table->times);
    free(table->boundary);
    free(table->group_of);
}

/* ---- making ---- */

static double log_weight(const dpn_box_table *t, double j) {
    double sum = -t->alpha * j;
    for (size_t g = 0; g < t->groups; g++) {
        double s = t->c[g] + j;
        sum += (double)t->times[g] * (0.5 * log(s) + log(erf(sqrt(0.5 * t->beta[g] * s))));
    }
    return sum;
}

static dpn_status group(dpn_box_table *t, size_t dimension, const double *c, const double *beta, dpn_error *why) {
    t->c = malloc(dimension * sizeof *t->c);
    t->beta = malloc(dimension * sizeof *t->beta);
    t->times = malloc(dimension * sizeof *t->times);
    t->group_of = malloc(dimension * sizeof *t->group_of);
    if (!t->c || !t->beta || !t->times || !t->group_of)
        return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors");
    for (size_t i = 0; i < dimension; i++) {
        if (!(c[i] > 0x1p-40 && c[i] < 0x1p40 && beta[i] > 0x1p-60 && beta[i] < 0x1p10))
            return dpn_fail(why, DPN_EDOMAIN,
                            "c of coordinate %zu must lie between 2^-40 and 2^40, beta between 2^-60 and 2^10", i);
        bool same = t->groups > 0 && t->c[t->groups - 1] == c[i] && t->beta[t->groups - 1] == beta[i];
        if (!same) {
            t->c[t->groups] = c[i];
            t->beta[t->groups] = beta[i];
            t->times[t->groups++] = 0;
        }
        t->times[t->groups - 1]++;
        t->group_of[i] = t->groups - 1;
    }
    return DPN_OK;
}

/* The weights are log-concave, so that from a size on they fall at least as fast as just before it. */
static dpn_status fill(dpn_box_table *t, dpn_error *why) {
    double top = -INFINITY, before = 0, sum = 0;
    size_t room = 0;
    for (;; t->sizes++) {
        if (t->sizes == room) {
            room = room ? 2 * room : 256;
            double *larger = room <= MOST_SIZES ? realloc(t->boundary, room * sizeof *larger) : NULL;
            if (!larger)
                return room <= MOST_SIZES
                           ? dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors")
                           : dpn_fail(why, DPN_EDOMAIN, "a random box with alpha %g has too many sizes", t->alpha);
            t->boundary = larger;
        }
        double here = log_weight(t, (double)t->sizes);
        t->boundary[t->sizes] = here;
        top = fmax(top, here);
        double ratio = here - before;
        before = here;
        if (t->sizes > 0 && ratio < 0 && here - log(-expm1(ratio)) - top < LOG_REST) break;
    }
    for (size_t j = 0; j < t->sizes; j++) t->boundary[j] = sum += exp(t->boundary[j] - top);
    for (size_t j = 0; j < t->sizes; j++) t->boundary[j] /= sum;
    return DPN_OK;
}

dpn_status dpn_vector_sampler_random_box(dpn_vector_sampler **out, size_t dimension, const double *scale, double alpha,
                                         const double *c, const double *beta, const int *grid_exponent,
                                         dpn_error *why) {
    if (out == NULL || c == NULL || beta == NULL)
        return dpn_fail(why, DPN_EDOMAIN, "a sampler of random boxes needs a place to put it, c and beta");
    if (!(alpha > 1e-3 && alpha < 0x1p10))
        return dpn_fail(why, DPN_EDOMAIN, "alpha of a random box must lie between 0.001 and 1024");
    dpn_vector_sampler *made;
    dpn_status status = dpn_vector_sampler_begin(&made, DPN_VECTOR_RANDOM_BOX, dimension, scale, 1, grid_exponent, why);
    if (status) return status;
    made->box.alpha = alpha;
    made->box.guard = 0x1p-44;
    made->box.size_guard = GUARD;
    status = group(&made->box, dimension, c, beta, why);
    if (!status) status = fill(&made->box, why);
    for (size_t i = 0; i < dimension && !status; i++)
        if (!(made->factor[i] * (c[i] + (double)made->box.sizes) <= 0x1p50))
            status = dpn_fail(why, DPN_EDOMAIN, "the grid 2^%d of coordinate %zu is too fine for its noise",
                              grid_exponent[i], i);
    if (status)
        dpn_vector_sampler_free(made);
    else
        *out = made;
    return status;
}

/* ---- the size ---- */

/* c + j and beta (c + j)/2. */
static dpn_wide side(dpn_rounding how, const dpn_box_table *t, size_t g, uint64_t j) {
    dpn_wide c = dpn_wide_double(how, t->c[g]), size = dpn_wide_integer(how, j);
    return dpn_wide_add(how, &c, &size);
}

static dpn_wide steepness(dpn_rounding how, const dpn_box_table *t, size_t g, uint64_t j) {
    dpn_wide s = side(how, t, g, j), beta = dpn_wide_double(how, t->beta[g]);
    return dpn_wide_scale(dpn_wide_multiply(how, &s, &beta), -1);
}

/* 1/e^a; a is below 2^40. */
static dpn_wide inverse_exp(dpn_rounding how, const dpn_wide *a) {
    dpn_rounding other = {how.limbs, !how.up};
    dpn_wide one = dpn_wide_integer(how, 1), power;
    if (!dpn_wide_exp(&power, other, a)) return dpn_wide_integer(how, 0);
    return dpn_wide_divide(how, &one, &power);
}

/* e^q int_0^1 e^(-q t^2) dt = the sum over k of (2q)^k/(1 3 5 ... (2k+1)), all positive. From k > 2q on a term is less than half of
 * the one before, and all that follow are less than it. The factor e^-q is put in later, with that of the size, from the other side. */
static dpn_wide series(dpn_rounding how, const dpn_wide *q) {
    dpn_wide term = dpn_wide_integer(how, 1), sum = term, twice = dpn_wide_scale(*q, 1);
    int64_t least = -64 * (int64_t)how.limbs - 64;
    for (uint64_t k = 1;; k++) {
        term = dpn_wide_multiply(how, &term, &twice);
        term = dpn_wide_divide_small(how, &term, 2 * k + 1);
        sum = dpn_wide_add(how, &sum, &term);
        bool small = dpn_wide_is_zero(how, &term) || term.exponent + 64 * (int64_t)how.limbs < least;
        dpn_wide limit = dpn_wide_integer(how, k / 2);
        if (small && dpn_wide_compare(how, &limit, q) > 0) break;
    }
    return how.up ? dpn_wide_add(how, &sum, &term) : sum;
}

/* The weight of a size: the product of (s_i series_i)^times over e^(alpha j + sum of times q). q of bounds rounds with them; what is
 * divided by is rounded the other way. */
static dpn_wide wide_weight(dpn_rounding how, const dpn_box_table *t, uint64_t j) {
    dpn_rounding other = {how.limbs, !how.up};
    dpn_wide product = dpn_wide_integer(how, 1), alpha = dpn_wide_double(other, t->alpha),
             size = dpn_wide_integer(other, j);
    dpn_wide exponent = dpn_wide_multiply(other, &alpha, &size);
    for (size_t g = 0; g < t->groups; g++) {
        dpn_wide q = steepness(how, t, g, j), sum = series(how, &q), s = side(how, t, g, j);
        dpn_wide one = dpn_wide_multiply(how, &sum, &s);
        one = dpn_wide_power(how, &one, (double)t->times[g]);
        product = dpn_wide_multiply(how, &product, &one);
        dpn_wide other_q = steepness(other, t, g, j), times = dpn_wide_integer(other, t->times[g]);
        other_q = dpn_wide_multiply(other, &other_q, &times);
        exponent = dpn_wide_add(other, &exponent, &other_q);
    }
    dpn_wide fall = inverse_exp(how, &exponent);
    return dpn_wide_multiply(how, &product, &fall);
}

/* How many boundaries are certainly at or below U times the total, and how many may be. What the table leaves out is less than 2^-200 of
 * the total, and the total is at most 1 + 2^-190 of what it holds. */
static void look_closely(size_t found[2], const dpn_box_table *t, const dpn_fraction *u) {
    static const uint64_t nothing[2] = {0, 0};
    dpn_rounding how[2] = {{u->words + 3, false}, {u->words + 3, true}};
    dpn_wide sum[2], target[2];
    for (int up = 0; up < 2; up++) {
        sum[up] = dpn_wide_integer(how[up], 0);
        for (size_t j = 0; j < t->sizes; j++) {
            dpn_wide weight = wide_weight(how[up], t, j);
            sum[up] = dpn_wide_add(how[up], &sum[up], &weight);
        }
        target[up] = dpn_fraction_bound(how[up], nothing, u, 0);
        target[up] = dpn_wide_multiply(how[up], &target[up], &sum[up]);
    }
    dpn_wide rest = dpn_wide_scale(sum[1], -190);
    target[1] = dpn_wide_add(how[1], &target[1], &rest);
    sum[0] = sum[1] = dpn_wide_integer(how[0], 0);
    found[0] = found[1] = 0;
    for (size_t j = 0; j < t->sizes; j++) {
        for (int up = 0; up < 2; up++) {
            dpn_wide weight = wide_weight(how[up], t, j);
            sum[up] = dpn_wide_add(how[up], &sum[up], &weight);
        }
        found[0] += dpn_wide_compare(how[0], &sum[1], &target[0]) <= 0;
        found[1] += dpn_wide_compare(how[0], &sum[0], &target[1]) < 0;
    }
}

/* The number of boundaries that are at most x. */
static size_t below(const dpn_box_table *t, double x) {
    size_t low = 0, high = t->sizes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->boundary[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static dpn_try draw_size(const dpn_box_table *t, dpn_rng *rng, size_t *size, double guard) {
    dpn_fraction u = {.words = 0};
    size_t found[2] = {0, 1};
    while (found[0] != found[1]) {
        if (u.words == DPN_FRACTION_WORDS) return DPN_GIVEN_UP;
        if (!dpn_fraction_refine(&u, rng)) return DPN_FAILED;
        if (u.words == 1) {
            double at = 0x1p-64 * (double)u.word[0];
            found[0] = below(t, at - guard);
            found[1] = below(t, at + guard);
        }
        if (found[0] != found[1]) look_closely(found, t, &u);
    }
    *size = found[0];
    return *size < t->sizes ? DPN_DRAWN : DPN_GIVEN_UP;
}

/* ---- a coordinate ---- */

/* Whether a uniform number V is below e^(-q u^2), with more bits of both. */
static dpn_try keep_closely(const dpn_box_table *t, size_t g, size_t size, dpn_lazy *u, dpn_fraction *v, dpn_rng *rng) {
    static const uint64_t nothing[2] = {0, 0};
    for (int words = 1;; words++) {
        dpn_try result = dpn_lazy_refine(u, 1, words, rng);
        if (result != DPN_DRAWN) return result;
        while (v->words < words)
            if (!dpn_fraction_refine(v, rng)) return DPN_FAILED;
        dpn_rounding how[2] = {{words + 3, false}, {words + 3, true}};
        dpn_wide bound[2], point[2];
        for (int up = 0; up < 2; up++) {
            dpn_rounding other = how[!up];
            dpn_wide at = dpn_lazy_bound(other, u), q = steepness(other, t, g, size);
            at = dpn_wide_multiply(other, &at, &at);
            at = dpn_wide_multiply(other, &at, &q);
            bound[up] = inverse_exp(how[up], &at);
            point[up] = dpn_fraction_bound(how[up], nothing, v, 0);
        }
        if (dpn_wide_compare(how[1], &point[1], &bound[0]) <= 0) return DPN_DRAWN;
        if (dpn_wide_compare(how[0], &point[0], &bound[1]) >= 0) return DPN_AGAIN;
    }
}

/* The exponent errs by 2^-50 of itself and what a word of u leaves open, 2 q 2^-63; e^-x by less than x. */
static dpn_try keep(const dpn_box_table *t, size_t g, size_t size, double q, dpn_lazy *u, dpn_rng *rng) {
    dpn_fraction v = {.words = 0};
    if (!dpn_fraction_refine(&v, rng)) return DPN_FAILED;
    double at = dpn_lazy_double(u), level = 0x1p-64 * (double)v.word[0], guard = t->guard * (1 + q), x = q * at * at;
    /* 1 - x <= e^-x <= 1 - x + x^2/2 decide most levels where x is small, and agree with e^-x. */
    if (level < 1 - x - guard) return DPN_DRAWN;
    if (x < 1 && level > 1 - x + 0.5 * x * x + guard) return DPN_AGAIN;
    double height = exp(-x);
    if (level < height - guard) return DPN_DRAWN;
    if (level > height + guard) return DPN_AGAIN;
    return keep_closely(t, g, size, u, &v, rng);
}

static dpn_try settle(const dpn_vector_sampler *sampler, size_t i, size_t size, dpn_lazy *u, dpn_rng *rng,
                      int64_t *steps) {
    const dpn_box_table *t = &sampler->box;
    for (int words = 0;; words++) {
        dpn_try result = dpn_lazy_refine(u, 1, words, rng);
        if (result != DPN_DRAWN) return result;
        int limbs = dpn_lazy_limbs(u->part.words);
        dpn_wide bound[2];
        for (int up = 0; up < 2; up++) {
            dpn_rounding how = {limbs, up};
            dpn_wide s = side(how, t, t->group_of[i], size);
            bound[up] = dpn_lazy_bound(how, u);
            bound[up] = dpn_wide_multiply(how, &bound[up], &s);
            bound[up] = dpn_vector_factor(how, sampler, i, &bound[up]);
        }
        if (dpn_vector_nearest(limbs, &bound[0], &bound[1], u->negative, steps)) return DPN_DRAWN;
    }
}

dpn_try dpn_vector_draw_random_box(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps) {
    const dpn_box_table *t = &sampler->box;
    size_t size = 0;
    dpn_try result = draw_size(t, rng, &size, t->size_guard);
    for (size_t i = 0; i < sampler->dimension && result == DPN_DRAWN; i++) {
        size_t g = t->group_of[i];
        double s = t->c[g] + (double)size, q = 0.5 * t->beta[g] * s, largest = s * sampler->factor[i];
        dpn_lazy u;
        do {
            if (!dpn_lazy_uniform(&u, rng)) return DPN_FAILED;
            result = keep(t, g, size, q, &u, rng);
        } while (result == DPN_AGAIN);
        if (result != DPN_DRAWN) break;
        double value = largest * dpn_lazy_double(&u);
        if (u.part.words == 0 && dpn_vector_near(value, value * 0x1p-48 + largest * 0x1p-61, u.negative, &steps[i]))
            continue;
        result = settle(sampler, i, size, &u, rng, &steps[i]);
    }
    return result;
}
