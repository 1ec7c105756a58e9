/* Random boxes: a hidden size J sets the sides s_i = c_i + J, P(J = j) is proportional to e^(-alpha j) times the product of
 * z_i(c_i + j), z_i(s) = s int_0^1 e^(-q t^2) dt with q = beta_i s/2, and V_i = scale_i s_i U_i, U_i of the density proportional to
 * e^(-q u^2) on (-1, 1). docs/proofs/privacy/random-box.md
 *
 * J is told by one uniform number against the boundaries of a table. For small q U_i is a uniform number that is kept with the
 * probability e^(-q u^2); for larger q s_i U_i is sqrt(s_i/beta_i) X with X of the Gaussian law cut at sqrt(beta_i s_i). Doubles decide almost always, wide
 * numbers the rest. docs/proofs/random/vector-sampler.md, steps 14 and 15
 */
#include "random/source.h"
#include "random/vector.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

/* The sizes beyond the table have less than 2^-200 of the weight, and less than this as doubles count. */
#define LOG_REST (-140.0)

enum { MOST_SIZES = 1 << 20 };

/* The q from which on more of the Gaussian law is kept than of the uniform: at least 0.78 of either. */
#define BELL 0.75

void dpn_box_table_free(dpn_box_table *table) {
    free(table->c);
    free(table->beta);
    free(table->times);
    dpn_boundaries_free(&table->sizes);
}

/* ---- making ---- */

/* *size is the sum of the sizes of the terms, with 4 for each coordinate: the logarithm errs by less than 2^-52 (groups + 8) of it. A term errs by
 * that of s, 2^-53, of the root, 2^-51, and of erf, 2^-50 (all of them relative, and no more in erf than in its argument), and by
 * 2^-52 of itself. */
static double log_weight(const dpn_box_table *t, double j, double *size) {
    double sum = -t->alpha * j;
    *size = -sum;
    for (size_t g = 0; g < t->groups; g++) {
        double s = t->c[g] + j, times = (double)t->times[g];
        double side = 0.5 * log(s), part = log(erf(sqrt(0.5 * t->beta[g] * s)));
        sum += times * (side + part);
        *size += times * (4 + fabs(side) + fabs(part));
    }
    return sum;
}

static dpn_status group(dpn_box_table *t, size_t dimension, const double *c, const double *beta, dpn_error *why) {
    t->c = malloc(dimension * sizeof *t->c);
    t->beta = malloc(dimension * sizeof *t->beta);
    t->times = malloc(dimension * sizeof *t->times);
    if (!t->c || !t->beta || !t->times) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors");
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
    }
    return DPN_OK;
}

/* The weights are log-concave, so that from a size on they fall at least as fast as just before it. Those that are too small to be doubles
 * have no part in what doubles decide. */
static dpn_status fill(dpn_box_table *t, dpn_error *why) {
    double top = -INFINITY, before = 0, largest = 0, *weight = NULL;
    size_t room = 0, sizes = 0;
    for (;; sizes++) {
        if (sizes == room) {
            room = room ? 2 * room : 256;
            double *larger = room <= MOST_SIZES ? realloc(weight, room * sizeof *larger) : NULL;
            if (!larger) {
                free(weight);
                return room <= MOST_SIZES
                           ? dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors")
                           : dpn_fail(why, DPN_EDOMAIN, "a random box with alpha %g has too many sizes", t->alpha);
            }
            weight = larger;
        }
        double size, here = log_weight(t, (double)sizes, &size), ratio = here - before;
        weight[sizes] = before = here;
        top = fmax(top, here);
        largest = fmax(largest, size);
        if (sizes > 0 && ratio < 0 && here - log(-expm1(ratio)) - top < LOG_REST) break;
    }
    for (size_t j = 0; j < sizes; j++) weight[j] = exp(weight[j] - top);
    dpn_boundaries_make(&t->sizes, weight, sizes, true, 0x1p-52 * ((double)t->groups + 8) * largest + 0x1p-45);
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
    status = group(&made->box, dimension, c, beta, why);
    if (!status) status = fill(&made->box, why);
    if (!status) status = dpn_vector_sampler_table(made, 2, why);
    for (size_t i = 0; i < dimension && !status; i++)
        if (!(made->factor[i] * (c[i] + (double)made->box.sizes.count) <= 0x1p50))
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
static dpn_wide wide_weight(dpn_rounding how, const void *of, size_t j) {
    const dpn_box_table *t = of;
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

/* ---- a coordinate ---- */

/* What coordinates of one group have in common. */
typedef struct part {
    size_t group, size;
    double s, q;
    double inside, outside; /* where X is certainly before the cut, and behind it */
    double spread;          /* sqrt(s/beta) */
} part;

/* Edge and spread err by less than 2^-51 of themselves, and the cells of X are finer than 2^-50. */
static part part_of(const dpn_box_table *t, size_t g, size_t size) {
    double s = t->c[g] + (double)size, edge = sqrt(t->beta[g] * s);
    return (part){.group = g,
                  .size = size,
                  .s = s,
                  .q = 0.5 * t->beta[g] * s,
                  .inside = edge * (1 - t->guard),
                  .outside = edge * (1 + t->guard),
                  .spread = sqrt(s / t->beta[g])};
}

/* Round |x| factor_i times the side, or the spread of a bell, with as many more bits as it takes. */
static dpn_try settle(const dpn_vector_sampler *sampler, size_t i, const part *p, dpn_lazy *x, dpn_rng *rng,
                      int64_t *steps) {
    const dpn_box_table *t = &sampler->box;
    for (int words = 0;; words++) {
        dpn_try result = dpn_lazy_refine(x, 1, words, rng);
        if (result != DPN_DRAWN) return result;
        int limbs = dpn_lazy_limbs(x->part.words);
        dpn_wide bound[2];
        for (int up = 0; up < 2; up++) {
            dpn_rounding how = {limbs, up};
            dpn_wide unit = side(how, t, p->group, p->size), beta = dpn_wide_double(how, t->beta[p->group]);
            if (p->q > BELL) {
                unit = dpn_wide_divide(how, &unit, &beta);
                unit = dpn_wide_root(how, &unit);
            }
            bound[up] = dpn_lazy_bound(how, x);
            bound[up] = dpn_wide_multiply(how, &bound[up], &unit);
            bound[up] = dpn_vector_factor(how, sampler, i, &bound[up]);
        }
        if (dpn_vector_nearest(limbs, &bound[0], &bound[1], x->negative, steps)) return DPN_DRAWN;
    }
}

/* ---- by the Gaussian law ---- */

/* Whether X^2 < beta s. */
static dpn_try cut(const dpn_box_table *t, const part *p, dpn_lazy *x, dpn_rng *rng) {
    double at = dpn_lazy_double(x);
    if (at < p->inside) return DPN_DRAWN;
    if (at > p->outside) return DPN_AGAIN;
    for (int words = 1;; words++) {
        dpn_try result = dpn_lazy_refine(x, 1, words, rng);
        if (result != DPN_DRAWN) return result;
        dpn_wide square[2], edge[2];
        for (int up = 0; up < 2; up++) {
            dpn_rounding how = {dpn_lazy_limbs(x->part.words), up};
            dpn_wide bound = dpn_lazy_bound(how, x);
            square[up] = dpn_wide_multiply(how, &bound, &bound);
            edge[up] = dpn_wide_scale(steepness(how, t, p->group, p->size), 1);
        }
        dpn_rounding any = {dpn_lazy_limbs(x->part.words), false};
        if (dpn_wide_compare(any, &square[1], &edge[0]) <= 0) return DPN_DRAWN;
        if (dpn_wide_compare(any, &square[0], &edge[1]) >= 0) return DPN_AGAIN;
    }
}

/* What a word comes to that needs a closer look. */
static dpn_try look_closely(const dpn_vector_sampler *sampler, size_t i, const part *p, uint64_t word, dpn_rng *rng,
                            int64_t *steps) {
    dpn_lazy x;
    dpn_try result = dpn_lazy_try(&x, sampler->table, word, rng);
    if (result == DPN_DRAWN) result = cut(&sampler->box, p, &x, rng);
    if (result != DPN_DRAWN) return result;
    double unit = p->spread * sampler->factor[i], value = dpn_lazy_double(&x) * unit;
    if (dpn_vector_near(value, value * 0x1p-48 + 2 * dpn_lazy_width(&x) * unit, x.negative, steps)) return DPN_DRAWN;
    return settle(sampler, i, p, &x, rng, steps);
}

/* The coordinates from .. to - 1. */
static dpn_try draw_bells(const dpn_vector_sampler *sampler, size_t from, size_t to, const part *p, dpn_rng *rng,
                          int64_t *steps) {
    const dpn_sampler *table = sampler->table;
    const dpn_lazy any = {.exponent = dpn_lazy_exponent(table)};
    const double width = dpn_lazy_width(&any), spread = p->spread, inside = p->inside, outside = p->outside;
    for (size_t i = from; i < to;) {
        uint64_t word, cell;
        if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
        bool quick = dpn_lazy_quick(&cell, table, word);
        double at = (double)(int64_t)cell * width, unit = spread * sampler->factor[i], value = at * unit;
        if (quick && at > outside) continue;
        if (quick && at < inside &&
            dpn_vector_near(value, value * 0x1p-48 + 2 * width * unit, dpn_layout_negative(table->layout, word),
                            &steps[i])) {
            i++;
            continue;
        }
        dpn_try result = look_closely(sampler, i, p, word, rng, &steps[i]);
        if (result == DPN_DRAWN)
            i++;
        else if (result != DPN_AGAIN)
            return result;
    }
    return DPN_DRAWN;
}

/* ---- by a uniform number ---- */

/* A word is a sign, 15 bits of the level Y and 48 of U. */
enum { LEVEL_BITS = 15, PLACE_BITS = 48 };

/* Whether Y is below e^(-q u^2), with more bits of both. */
static dpn_try keep_closely(const dpn_box_table *t, const part *p, dpn_lazy *u, dpn_lazy *y, dpn_rng *rng) {
    for (int words = 1;; words++) {
        dpn_try result = dpn_lazy_refine(u, 1, words, rng);
        if (result == DPN_DRAWN) result = dpn_lazy_refine(y, 1, words, rng);
        if (result != DPN_DRAWN) return result;
        dpn_rounding how[2] = {{dpn_lazy_limbs(words), false}, {dpn_lazy_limbs(words), true}};
        dpn_wide bound[2], point[2];
        for (int up = 0; up < 2; up++) {
            dpn_rounding other = how[!up];
            dpn_wide at = dpn_lazy_bound(other, u), q = steepness(other, t, p->group, p->size);
            at = dpn_wide_multiply(other, &at, &at);
            at = dpn_wide_multiply(other, &at, &q);
            bound[up] = inverse_exp(how[up], &at);
            point[up] = dpn_lazy_bound(how[up], y);
        }
        if (dpn_wide_compare(how[1], &point[1], &bound[0]) <= 0) return DPN_DRAWN;
        if (dpn_wide_compare(how[0], &point[0], &bound[1]) >= 0) return DPN_AGAIN;
    }
}

/* With a word more of Y. The exponent errs by 2^-50 of itself and by what is open of u, 2 q 2^-48 < 2^-47. */
static dpn_try keep(const dpn_box_table *t, const part *p, dpn_lazy *u, dpn_lazy *y, dpn_rng *rng) {
    if (!dpn_fraction_refine(&y->part, rng)) return DPN_FAILED;
    double at = dpn_lazy_double(u), height = exp(-p->q * at * at), level = dpn_lazy_double(y);
    if (level < height - t->guard) return DPN_DRAWN;
    if (level > height + t->guard) return DPN_AGAIN;
    return keep_closely(t, p, u, y, rng);
}

/* e^-x within 2^-18.6 for 0 <= x <= 3/4: the next term of the alternating series is x^8/8!. */
static double roughly_exp(double x) {
    double square = x * x;
    double low = (1 - x) + square * (0.5 - x * (1.0 / 6)),
           high = (1.0 / 24 - x * (1.0 / 120)) + square * (1.0 / 720 - x * (1.0 / 5040));
    return low + square * square * high;
}

static dpn_try look_at_level(const dpn_vector_sampler *sampler, size_t i, const part *p, uint64_t word, dpn_rng *rng,
                             int64_t *steps) {
    dpn_lazy u = {.negative = word & 1, .exponent = -PLACE_BITS, .whole = {word >> (64 - PLACE_BITS), 0}},
             y = {.exponent = -LEVEL_BITS, .whole = {word >> 1 & ((1 << LEVEL_BITS) - 1), 0}};
    dpn_try result = keep(&sampler->box, p, &u, &y, rng);
    return result == DPN_DRAWN ? settle(sampler, i, p, &u, rng, steps) : result;
}

static dpn_try draw_uniforms(const dpn_vector_sampler *sampler, size_t from, size_t to, const part *p, dpn_rng *rng,
                             int64_t *steps) {
    const double guard = 0x1p-18 + sampler->box.guard, q = p->q, s = p->s;
    for (size_t i = from; i < to;) {
        uint64_t word;
        if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
        int64_t place = (int64_t)(word >> (64 - PLACE_BITS)), level = word >> 1 & ((1 << LEVEL_BITS) - 1);
        double at = 0x1p-48 * (double)place, rough = roughly_exp(q * at * at), low = 0x1p-15 * (double)level;
        if (low > rough + guard) continue;
        double largest = s * sampler->factor[i], value = largest * at;
        if (low + 0x1p-15 < rough - guard &&
            dpn_vector_near(value, value * 0x1p-48 + largest * 0x1p-47, word & 1, &steps[i])) {
            i++;
            continue;
        }
        dpn_try result = look_at_level(sampler, i, p, word, rng, &steps[i]);
        if (result == DPN_DRAWN)
            i++;
        else if (result != DPN_AGAIN)
            return result;
    }
    return DPN_DRAWN;
}

dpn_try dpn_vector_draw_random_box(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps) {
    const dpn_box_table *t = &sampler->box;
    size_t size = 0, from = 0;
    dpn_try result = dpn_boundaries_draw(&size, &t->sizes, wide_weight, t, rng);
    for (size_t g = 0; g < t->groups && result == DPN_DRAWN; g++) {
        part p = part_of(t, g, size);
        size_t to = from + t->times[g];
        result = (p.q > BELL ? draw_bells : draw_uniforms)(sampler, from, to, &p, rng, steps);
        from = to;
    }
    return result;
}
