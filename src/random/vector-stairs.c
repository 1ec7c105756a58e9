/* Staircases that end: each coordinate has the end `high` with the probability theta, else `low`, then a shell J of its staircase, then a uniform place in that.
 * docs/proofs/random/vector-sampler.md, step 13
 *
 * Lengths are whole numbers of cells, as dpnoise/vector-sampler.h has them. Shell 0 has the weight f, shell j the weight P e^(-epsilon j). The end and the shell are each told by
 * a uniform number against boundaries (boundaries.c), which doubles decide almost always and wide numbers else.
 */
#include "random/source.h"
#include "random/vector.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

#define THETA_GUARD 0x1p-50

/* Of itself a weight errs by less than this: its exponent by 2^-53 of at most 746, from where on it is 0, and e^x by less than 2^-50. */
#define WEIGHT_ERROR 0x1p-43

/* Of a staircase without an end the shells beyond the table have less than 2^-200 of the weight. */
#define REST 146.0

enum { MOST_SHELLS = 1 << 20 };

void dpn_stairs_table_free(dpn_stairs_table *table) {
    dpn_boundaries_free(&table->one[0].shells);
    dpn_boundaries_free(&table->one[1].shells);
}

/* ---- making ---- */

/* The shells of an end in cells, or without one of a first shell. */
static dpn_status fill(dpn_stairs_table *t, int i, double first, double end, dpn_error *why) {
    double last = isinf(end) ? ceil(REST / t->epsilon) : ceil(end / t->period) - 1;
    if (!(last < MOST_SHELLS)) return dpn_fail(why, DPN_EDOMAIN, "a staircase with that many steps is not drawn");
    size_t shells = (size_t)last + 1;
    double *weight = malloc(shells * sizeof *weight);
    if (!weight) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors");
    t->one[i].first = isinf(end) ? first : end - last * t->period;
    for (size_t j = 0; j < shells; j++) weight[j] = j == 0 ? t->one[i].first : t->period * exp(-t->epsilon * (double)j);
    dpn_boundaries_make(&t->one[i].shells, weight, shells, isinf(end), WEIGHT_ERROR);
    return DPN_OK;
}

static bool is_whole(double x) {
    return x == floor(x);
}

static dpn_status check(double step, double epsilon, double low, double high, double theta, const int *grid,
                        size_t dimension, dpn_error *why) {
    bool whole = step > 0, endless = isinf(high);
    double finer = whole ? 1 : DPN_STAIRCASE_CELLS;
    if (!(epsilon >= 1e-4 && epsilon <= 100)) return dpn_fail(why, DPN_EDOMAIN, "epsilon must lie in [1e-4, 100]");
    if (!(step >= 0 && step <= 1e9 && is_whole(step)))
        return dpn_fail(why, DPN_EDOMAIN, "the step of a staircase must be a whole number up to 1e9, 0 on the line");
    if (!(theta > 0 && theta <= 1)) return dpn_fail(why, DPN_EDOMAIN, "theta must lie in (0, 1]");
    if (!(low >= 0 && low < high && low <= 0x1p40 && is_whole(low * finer)) || (!whole && low == 0) ||
        (!endless && !(high <= 0x1p40 && is_whole(high * finer))) || (endless && (!whole || theta != 1 || low >= step)))
        return dpn_fail(why, DPN_EDOMAIN, "the ends of the staircases are outside of their domain");
    for (size_t i = 0; i < dimension && whole; i++)
        if (grid[i] != 0) return dpn_fail(why, DPN_EDOMAIN, "noise on the integers is for the grid 1");
    return DPN_OK;
}

dpn_status dpn_vector_sampler_staircase(dpn_vector_sampler **out, size_t dimension, const double *scale, double step,
                                        double epsilon, double low, double high, double theta, const int *grid_exponent,
                                        dpn_error *why) {
    if (out == NULL) return dpn_fail(why, DPN_EDOMAIN, "a sampler of vectors needs a place to put it");
    dpn_vector_sampler *made;
    dpn_status status =
        dpn_vector_sampler_begin(&made, DPN_VECTOR_STAIRS, dimension, scale, DPN_STAIRCASE_CELLS, grid_exponent, why);
    if (status) return status;
    dpn_stairs_table *t = &made->stairs;
    bool whole = step > 0;
    *t = (dpn_stairs_table){.epsilon = epsilon,
                            .theta = theta,
                            .whole = whole,
                            .period = whole ? 2 * step : DPN_STAIRCASE_CELLS,
                            .theta_guard = THETA_GUARD};
    status = check(step, epsilon, low, high, theta, grid_exponent, dimension, why);
    double first = whole ? 2 * low + 1 : low * DPN_STAIRCASE_CELLS;
    if (!status && theta < 1) status = fill(t, 0, 0, first, why);
    if (!status)
        status = fill(t, 1, first, isinf(high) ? high : whole ? 2 * high + 1 : high * DPN_STAIRCASE_CELLS, why);
    for (size_t i = 0; i < dimension && !status && !whole; i++)
        if (!(made->factor[i] * DPN_STAIRCASE_CELLS * high <= 0x1p50))
            status = dpn_fail(why, DPN_EDOMAIN, "the grid 2^%d of coordinate %zu is too fine for its noise",
                              grid_exponent[i], i);
    if (status)
        dpn_vector_sampler_free(made);
    else
        *out = made;
    return status;
}

/* ---- which end ---- */

/* Whether a uniform number is below theta. */
static dpn_try draw_end(const dpn_stairs_table *t, dpn_rng *rng, int *end) {
    static const uint64_t nothing[2] = {0, 0};
    dpn_fraction u = {.words = 0};
    *end = 1;
    if (t->theta == 1) return DPN_DRAWN;
    while (u.words < DPN_FRACTION_WORDS) {
        if (!dpn_fraction_refine(&u, rng)) return DPN_FAILED;
        double at = 0x1p-64 * (double)u.word[0];
        if (u.words == 1 && fabs(at - t->theta) > t->theta_guard) {
            *end = at < t->theta;
            return DPN_DRAWN;
        }
        dpn_rounding down = {u.words + 3, false}, up = {u.words + 3, true};
        dpn_wide theta = dpn_wide_double(down, t->theta), low = dpn_fraction_bound(down, nothing, &u, 0),
                 high = dpn_fraction_bound(up, nothing, &u, 0);
        bool under = dpn_wide_compare(down, &high, &theta) <= 0, over = dpn_wide_compare(down, &low, &theta) >= 0;
        if (under || over) {
            *end = under;
            return DPN_DRAWN;
        }
    }
    return DPN_GIVEN_UP;
}

/* ---- which shell ---- */

typedef struct staircase {
    const dpn_stairs_table *table;
    int end;
} staircase;

static dpn_wide weight(dpn_rounding how, const void *of, size_t j) {
    const staircase *one = of;
    const dpn_stairs_table *t = one->table;
    dpn_rounding other = {how.limbs, !how.up};
    if (j == 0) return dpn_wide_double(how, t->one[one->end].first);
    dpn_wide rate = dpn_wide_double(other, t->epsilon), size = dpn_wide_integer(other, j), power;
    dpn_wide exponent = dpn_wide_multiply(other, &rate, &size), period = dpn_wide_double(how, t->period);
    if (!dpn_wide_exp(&power, other, &exponent)) return dpn_wide_integer(how, 0);
    return dpn_wide_divide(how, &period, &power);
}

static dpn_try draw_shell(const dpn_stairs_table *t, int i, dpn_rng *rng, size_t *shell) {
    const staircase one = {t, i};
    return dpn_boundaries_draw(shell, &t->one[i].shells, weight, &one, rng);
}

/* ---- where in it ---- */

/* A whole number below `count`, at most 2^40 of them. */
static bool draw_below(uint64_t *out, uint64_t count, dpn_rng *rng) {
    uint64_t word, most = UINT64_MAX - UINT64_MAX % count; /* a multiple of count */
    do
        if (!dpn_rng_word(rng, &word)) return false;
    while (word >= most);
    *out = word % count;
    return true;
}

/* On the integers: of the first shell all |k| <= (f - 1)/2, of the others P/2 of them on each side. */
static dpn_try draw_whole(const dpn_stairs_table *t, int i, size_t shell, dpn_rng *rng, int64_t *steps) {
    uint64_t inside, sign;
    int64_t first = (int64_t)((t->one[i].first - 1) / 2), period = (int64_t)(t->period / 2);
    if (shell == 0) {
        if (!draw_below(&inside, 2 * (uint64_t)first + 1, rng)) return DPN_FAILED;
        *steps = (int64_t)inside - first;
        return DPN_DRAWN;
    }
    if (!draw_below(&inside, (uint64_t)period, rng) || !dpn_rng_word(rng, &sign)) return DPN_FAILED;
    int64_t size = first + 1 + ((int64_t)shell - 1) * period + (int64_t)inside;
    *steps = sign & 1 ? -size : size;
    return DPN_DRAWN;
}

/* Round (from + width U) factor with as many more bits as it takes. */
static dpn_try settle(const dpn_vector_sampler *sampler, size_t at, double from, double width, dpn_lazy *uniform,
                      dpn_rng *rng, int64_t *steps) {
    for (int words = 0;; words++) {
        dpn_try result = dpn_lazy_refine(uniform, 1, words, rng);
        if (result != DPN_DRAWN) return result;
        int limbs = dpn_lazy_limbs(uniform->part.words);
        dpn_wide bound[2];
        for (int up = 0; up < 2; up++) {
            dpn_rounding how = {limbs, up};
            dpn_wide start = dpn_wide_double(how, from), length = dpn_wide_double(how, width);
            bound[up] = dpn_lazy_bound(how, uniform);
            bound[up] = dpn_wide_multiply(how, &bound[up], &length);
            bound[up] = dpn_wide_add(how, &bound[up], &start);
            bound[up] = dpn_vector_factor(how, sampler, at, &bound[up]);
        }
        if (dpn_vector_nearest(limbs, &bound[0], &bound[1], uniform->negative, steps)) return DPN_DRAWN;
    }
}

static dpn_try draw_real(const dpn_vector_sampler *sampler, size_t at, int i, size_t shell, dpn_rng *rng,
                         int64_t *steps) {
    const dpn_stairs_table *t = &sampler->stairs;
    double first = t->one[i].first, from = shell == 0 ? 0 : first + ((double)shell - 1) * t->period,
           width = shell == 0 ? first : t->period;
    uint64_t word;
    if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
    double value = (from + width * (0x1p-63 * (double)(word >> 1))) * sampler->factor[at];
    double error = (from + width) * sampler->factor[at] * 0x1p-48;
    if (dpn_vector_near(value, error, word & 1, steps)) return DPN_DRAWN;
    dpn_lazy uniform = {.negative = word & 1, .exponent = -63, .whole = {word >> 1, 0}};
    return settle(sampler, at, from, width, &uniform, rng, steps);
}

dpn_try dpn_vector_draw_stairs(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps) {
    const dpn_stairs_table *t = &sampler->stairs;
    dpn_try result = DPN_DRAWN;
    for (size_t at = 0; at < sampler->dimension && result == DPN_DRAWN; at++) {
        size_t shell = 0;
        int i;
        result = draw_end(t, rng, &i);
        if (result == DPN_DRAWN) result = draw_shell(t, i, rng, &shell);
        if (result != DPN_DRAWN) break;
        result =
            t->whole ? draw_whole(t, i, shell, rng, &steps[at]) : draw_real(sampler, at, i, shell, rng, &steps[at]);
    }
    return result;
}
