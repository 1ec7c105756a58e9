/* The l_p ball, 1 < p < inf: V_i = R X_i/|X|_p scale_i/rate with R ~ Gamma(dimension) and independent X_i of density
 * proportional to exp(-|x|^p/p), since X/|X|_p is independent of |X|_p and has the cone measure of the ball. Spherical noise has p = 2 and another
 * radius (vector-spherical.c). */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <math.h>
#include <string.h>

#include "random/vector.h"

/* What is drawn of X_i at first: the word of its try, and what that leads to as a double, in cells of the table and with its sign. Numbers of which more is
 * kept, a few in a hundred, lie one after the other at the beginning of `work`; all are made numbers there if doubles do not decide. */
enum { CELL_BITS = 60 };

/* X_i from words of the pool, up to the first that takes more than its word or until the pool is empty. Returns how many; the word after them is also taken
 * if `stopped`. What is left of the pool is counted here: as a member of it, it would be stored for every word. */
static inline size_t draw_by_layout(dpn_layout layout, const uint16_t *slot, uint64_t *restrict words,
                                    double *restrict value, size_t count, dpn_rng_pool *restrict pool, bool *stopped) {
    size_t most = count < pool->left ? count : (size_t)pool->left, i = 0;
    uint64_t *next = &pool->word[pool->left];
    bool quick = true;
    for (; i < most && quick; i++) {
        uint64_t word = *--next;
        *next = 0;
        unsigned entry = slot[dpn_layout_slot(layout, word)];
        int64_t cell = (int64_t)(((uint64_t)entry << layout.cells_log2) + dpn_layout_cell(layout, word)),
                sign = -(int64_t)dpn_layout_negative(layout, word); /* no branch: a processor cannot guess it */
        words[i] = word;
        value[i] = (double)((cell ^ sign) - sign);
        quick = (entry & DPN_STRIPS_UNSURE) == 0;
    }
    pool->left -= i;
    *stopped = !quick;
    return quick ? i : i - 1;
}

/* The usual layout that dpn_lazy_sampler makes is written down here, so that the compiler knows it. */
static size_t draw_quick(const dpn_sampler *table, uint64_t *words, double *value, size_t count, dpn_rng_pool *pool,
                         bool *stopped) {
    const dpn_layout usual = {.slot_bits = DPN_STRIPS_BITS, .cells_log2 = DPN_WORD_BITS - 3 - DPN_STRIPS_BITS};
    bool is_usual = table->layout.slot_bits == usual.slot_bits && table->layout.cells_log2 == usual.cells_log2;
    if (is_usual) return draw_by_layout(usual, table->strips.slot, words, value, count, pool, stopped);
    return draw_by_layout(table->layout, table->strips.slot, words, value, count, pool, stopped);
}

/* Draw all X_i. *far if one is beyond 2^60 cells. */
static dpn_try draw_all(uint64_t *words, double *value, size_t count, const dpn_sampler *table, dpn_rng *rng,
                        dpn_lazy *work, size_t *kept, bool *far) {
    for (size_t i = 0; i < count;) {
        bool stopped;
        if (rng->pool->left == 0 && !dpn_rng_refill(rng)) return DPN_FAILED;
        i += draw_quick(table, words + i, value + i, count - i, rng->pool, &stopped);
        if (!stopped) continue;
        dpn_lazy *x = &work[*kept];
        dpn_try result = dpn_lazy_try(x, table, words[i], rng);
        if (result == DPN_AGAIN) continue;
        if (result != DPN_DRAWN) return result;
        ++*kept;
        *far = *far || x->whole[1] > 0 || x->whole[0] >> CELL_BITS > 0;
        value[i++] = copysign((double)x->whole[0], x->negative ? -1 : 1);
    }
    return DPN_DRAWN;
}

/* Make numbers of them all, from the last to the first: no one is written over before it is moved. */
static void unpack(const uint64_t *words, size_t count, const dpn_sampler *table, dpn_lazy *work, size_t kept) {
    for (size_t i = count; i-- > 0;) {
        uint64_t cell;
        if (dpn_lazy_quick(&cell, table, words[i]))
            work[i] = (dpn_lazy){.negative = dpn_layout_negative(table->layout, words[i]),
                                 .exponent = dpn_lazy_exponent(table),
                                 .whole = {cell, 0}};
        else
            work[i] = work[--kept];
    }
}

/* Two doubles, and their bits or truth values, that processors work on at once. Each is computed as if it were alone. */
typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_bits __attribute__((vector_size(16)));
enum { GROUP = 16, LANES = 8 };

static inline pair load(const double *at) {
    pair out;
    memcpy(&out, at, sizeof out);
    return out;
}

/* The sum of a group's |X_i|^p; squares as four sums that do not wait for each other. */
static double sum_of_group(const double *value, size_t count, double p) {
    double rest = 0;
    if (p != 2) {
        for (size_t i = 0; i < count; i++) rest += pow(0x1p-50 * fabs(value[i]), p);
        return rest;
    }
    size_t i = 0;
    pair one = {0, 0}, two = {0, 0};
    for (; i + 4 <= count; i += 4) {
        pair a = load(value + i), b = load(value + i + 2);
        one += a * a;
        two += b * b;
    }
    for (; i < count; i++) rest += value[i] * value[i];
    return ((one[0] + one[1]) + (two[0] + two[1])) + rest;
}

/* |X|_p of the cells, in cells. Terms are added in groups, whose sums err by less than 2^-49 of them, and the groups with
 * compensation (Neumaier 1974), which errs by less than 2^-51 for all dimensions here. */
static double norm_of(const double *value, size_t count, double p) {
    double sum = 0, rest = 0;
    for (size_t i = 0; i < count; i += GROUP) {
        double group = sum_of_group(value + i, count - i < GROUP ? count - i : GROUP, p), next = sum + group;
        rest += sum >= group ? (sum - next) + group : (group - next) + sum;
        sum = next;
    }
    return p == 2 ? sqrt(sum + rest) : 0x1p50 * pow(sum + rest, 1 / p);
}

/* Bounds of sum |X_i|^p, for all coordinates once the words suffice. */
static void sum_of_powers(dpn_wide sum[2], const dpn_lazy *x, size_t count, double p, int limbs) {
    for (int up = 0; up < 2; up++) {
        dpn_rounding how = {limbs, up};
        sum[up] = dpn_wide_integer(how, 0);
        for (size_t i = 0; i < count; i++) {
            dpn_wide term = dpn_lazy_bound(how, &x[i]);
            term = dpn_wide_power(how, &term, p);
            sum[up] = dpn_wide_add(how, &sum[up], &term);
        }
    }
}

/* Is R X_i factor_i/|X|_p >= h, h = half/2? -1 no, 1 yes, 0 undecided: (R X_i factor_i/h)^p against the sum. */
static int reaches(const dpn_vector_sampler *sampler, size_t i, const dpn_lazy *radius, const dpn_lazy *x,
                   const dpn_wide sum[2], uint64_t half, int limbs) {
    dpn_wide power[2];
    for (int up = 0; up < 2; up++) {
        dpn_rounding how = {limbs, up};
        dpn_wide r = dpn_lazy_bound(how, radius), value = dpn_lazy_bound(how, x);
        value = dpn_wide_multiply(how, &value, &r);
        value = dpn_vector_factor(how, sampler, i, &value);
        value = dpn_wide_scale(dpn_wide_divide_small(how, &value, half), 1);
        power[up] = dpn_wide_power(how, &value, sampler->p);
    }
    dpn_rounding how = {limbs, false};
    if (dpn_wide_compare(how, &power[0], &sum[1]) >= 0) return 1;
    return dpn_wide_compare(how, &power[1], &sum[0]) < 0 ? -1 : 0;
}

/* What is known of a vector in wide numbers, shared by its coordinates. */
typedef struct knowledge {
    int words; /* -1: the sum has not been taken */
    dpn_wide sum[2];
} knowledge;

/* x[count] is the radius. */
static dpn_try know_more(const dpn_vector_sampler *sampler, dpn_lazy *x, dpn_rng *rng, knowledge *known) {
    size_t count = sampler->dimension;
    known->words = known->words < 0 ? 1 : known->words + 1;
    dpn_try result = dpn_lazy_refine(x, count + 1, known->words, rng);
    if (result == DPN_DRAWN) sum_of_powers(known->sum, x, count, sampler->p, dpn_lazy_limbs(known->words));
    return result;
}

/* Walk from a guess to the number that the bounds allow, one step at a time: the guess is that of doubles, and at most
 * some thousand steps away on the finest grid. */
static dpn_try settle(const dpn_vector_sampler *sampler, size_t i, dpn_lazy *x, double guess, dpn_rng *rng,
                      knowledge *known, int64_t *steps) {
    uint64_t size = (uint64_t)(guess + 0.5);
    dpn_try result = known->words < 0 ? know_more(sampler, x, rng, known) : DPN_DRAWN;
    for (int walked = 0; result == DPN_DRAWN; walked++) {
        if (walked == 1 << 16) return DPN_GIVEN_UP;
        const dpn_lazy *radius = &x[sampler->dimension];
        int limbs = dpn_lazy_limbs(known->words);
        int above = reaches(sampler, i, radius, &x[i], known->sum, 2 * size + 1, limbs);
        int below = size == 0 ? 1 : reaches(sampler, i, radius, &x[i], known->sum, 2 * size - 1, limbs);
        if (above < 0 && below > 0) {
            *steps = x[i].negative ? -(int64_t)size : (int64_t)size;
            return DPN_DRAWN;
        }
        if (above > 0 && size >= DPN_VECTOR_MOST_STEPS) {
            *steps = x[i].negative ? INT64_MIN : INT64_MAX;
            return DPN_DRAWN;
        }
        if (above > 0)
            size++;
        else if (below < 0)
            size--;
        else
            result = know_more(sampler, x, rng, known);
    }
    return result;
}

/* |X|_p of numbers beyond what cells hold, to guess where they are rounded to. */
static double rough_norm(const dpn_lazy *x, size_t count, double p) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += pow(dpn_lazy_double(&x[i]), p);
    return pow(sum, 1 / p);
}

/* What is drawn of a vector. */
typedef struct vector {
    const uint64_t *words;
    const double *value;
    dpn_lazy *x; /* x[count] is the radius */
    size_t kept;
    bool far, unpacked;
} vector;

/* A guess at the coordinate i, from what wide numbers will know: where doubles do not decide. */
static double guess(const dpn_vector_sampler *sampler, vector *v, size_t i, double value) {
    size_t count = sampler->dimension;
    if (!v->unpacked) unpack(v->words, count, sampler->table, v->x, v->kept);
    v->unpacked = true;
    if (v->far)
        value = dpn_lazy_double(&v->x[count]) * sampler->factor[i] * dpn_lazy_double(&v->x[i]) /
                rough_norm(v->x, count, sampler->p);
    return value < DPN_VECTOR_MOST_STEPS ? value : 0;
}

static inline pair size_of(pair x) {
    return (pair)((pair_bits)x & INT64_MAX);
}

/* Round two coordinates that doubles know up to `error` of them and two cells, as dpn_vector_near does, but with their signs. Returns where that decides: an
 * error of 2^-46 and more leaves numbers of 2^45 and more undecided. */
static inline pair_bits near_pair(const double *x, const double *factor, double ratio, double error, int64_t *steps) {
    const pair shift = {0x1.8p52, 0x1.8p52};
    pair unit = ratio * load(factor), value = load(x) * unit, shifted = value + shift, rest = value - (shifted - shift);
    pair_bits size = (pair_bits)shifted - (pair_bits)shift;
    memcpy(steps, &size, sizeof size);
    return size_of(rest) + (size_of(value) * error + 2 * unit) < 0.5;
}

/* Round LANES of them; false if that does not decide all. */
static inline bool near_lanes(const double *x, const double *factor, double ratio, double error, int64_t *steps) {
    pair_bits a = near_pair(x, factor, ratio, error, steps), b = near_pair(x + 2, factor + 2, ratio, error, steps + 2),
              c = near_pair(x + 4, factor + 4, ratio, error, steps + 4),
              d = near_pair(x + 6, factor + 6, ratio, error, steps + 6), decided = (a & b) & (c & d);
    return (decided[0] & decided[1]) != 0;
}

static dpn_try round_all(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps, vector *v) {
    size_t count = sampler->dimension;
    const double *x = v->value, *factor = sampler->factor;
    bool l2 = sampler->p == 2;
    /* Cells, squares, sums and a root err by less than 2^-47 in all; pow is trusted to 2^-43, and 2^-40 is 8 times
     * that. */
    double error = sampler->p == 2 ? 0x1p-46 : 0x1p-40, norm = norm_of(x, count, sampler->p);
    double known_radius = dpn_lazy_double(&v->x[count]), ratio = known_radius / norm;
    const dpn_lazy cell = {.exponent = dpn_lazy_exponent(sampler->table)};
    double least = l2 ? sqrt((double)count) : pow((double)count, 1 / sampler->p);
    /* The cells of X are finer than 2^-50: a norm of less than 1/16 on average would know them too little. */
    bool ordinary = !v->far && known_radius > DPN_VECTOR_LEAST_RADIUS * dpn_lazy_width(&v->x[count]) &&
                    norm * dpn_lazy_width(&cell) > least / 16;
    knowledge known;
    known.words = -1;
    for (size_t i = 0, again = 0; i < count; i++) {
        if (ordinary && i >= again && i + LANES <= count) {
            again = i + LANES; /* one by one up to here, if not all are decided */
            if (near_lanes(&x[i], &factor[i], ratio, error, &steps[i])) {
                i = again - 1;
                continue;
            }
        }
        double unit = ratio * factor[i], value = fabs(x[i]) * unit;
        if (ordinary && dpn_vector_near(value, value * error + 2 * unit, x[i] < 0, &steps[i])) continue;
        double from = guess(sampler, v, i, value);
        dpn_try result = settle(sampler, i, v->x, from, rng, &known, &steps[i]);
        if (result != DPN_DRAWN) return result;
    }
    return DPN_DRAWN;
}

dpn_try dpn_vector_draw_lp(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps, dpn_lazy *work,
                           uint64_t *words, double *value) {
    size_t count = sampler->dimension;
    vector v = {.words = words, .value = value, .x = work};
    dpn_try result = sampler->radius ? dpn_radius_draw(&work[count], sampler->radius, rng)
                                     : dpn_gamma_draw(&work[count], sampler->gamma, rng);
    if (result == DPN_DRAWN) result = draw_all(words, value, count, sampler->table, rng, work, &v.kept, &v.far);
    if (result == DPN_DRAWN) result = round_all(sampler, rng, steps, &v);
    explicit_bzero(work, (v.unpacked ? count : v.kept) * sizeof *work);
    explicit_bzero(&work[count], sizeof *work);
    explicit_bzero(words, count * sizeof *words);
    explicit_bzero(value, count * sizeof *value);
    return result;
}
