/* The hidden size of a random box: its weights, the table that is made of them, and the ends of its domain, from the definition in multiple precision. */
#include "random/vector-random-box.c" /* to see how much its logarithms may err */

#include "unit/base/wide-real.h"
#include "unit/points.h"
#include "unit/random/tape.h"
#include "unit/random/tie.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 6, BITS = 400 };

static const double ones[MOST] = {1, 1, 1, 1, 1, 1};
static const int coarse[MOST] = {-10, -10, -10, -10, -10, -10};

/* log of int_0^s e^(-q t^2/s^2) dt, q = beta s/2: s (pi/q)^(1/2)/2 erf(q^(1/2)). */
static real log_side(double start, double steepness, size_t j) {
    real s = r_plus(r_num((double)j), start), q = r_times(r_times(s, steepness), 0.5);
    mpfr_t value;
    mpfr_init2(value, BITS);
    mpfr_erf(value, r_sqrt(q), MPFR_RNDN);
    real out = r_log(r_times(r_mul(r_mul(s, r_sqrt(r_div(r_pi(), q))), value), 0.5));
    mpfr_clear(value);
    return out;
}

static real log_weight_of(double slope, const double *start, const double *steepness, size_t count, size_t j) {
    real sum = r_times(r_num(-slope), (double)j);
    for (size_t i = 0; i < count; i++) sum = r_add(sum, log_side(start[i], steepness[i], j));
    return sum;
}

/* Some of the coordinates are alike, so that they make groups. */
static size_t draw_box(double *slope, double *start, double *steepness, draw_source *random) {
    size_t count = 1 + (size_t)(draw_bits(random) % MOST);
    *slope = draw_log_uniform(random, 0.05, 20);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && draw_chance(random, 0.5);
        start[i] = same ? start[i - 1] : draw_log_uniform(random, 1e-3, 1e3);
        steepness[i] = same ? steepness[i - 1] : draw_log_uniform(random, 1e-9, 20);
    }
    return count;
}

static dpn_vector_sampler *sampler_of(double slope, const double *start, const double *steepness, size_t count) {
    dpn_vector_sampler *out;
    dpn_error why;
    if (dpn_vector_sampler_random_box(&out, count, ones, slope, start, steepness, coarse, &why))
        fail_msg("%s", why.sentence);
    return out;
}

/* Up to a constant the logarithm is that of the definition, to 2^-52 (groups + 8) of the sizes of its terms; of which none is left out: alpha j, and of each coordinate the
 * halves of the logarithms of s, that of erf, and 4. */
static void logarithms_err_by_less_than_they_say(void **state) {
    (void)state;
    draw_source random = {.state = 31};
    for (int n = 0; n < points(60, 600); n++) {
        size_t mark = r_mark();
        double slope, start[MOST], steepness[MOST], size, first;
        size_t count = draw_box(&slope, start, steepness, &random), groups = 1;
        for (size_t i = 1; i < count; i++) groups += start[i] != start[i - 1] || steepness[i] != steepness[i - 1];
        dpn_vector_sampler *sampler = sampler_of(slope, start, steepness, count);
        const dpn_box_table *t = &sampler->box;
        assert_int_equal(t->groups, groups);
        double zero = log_weight(t, 0, &first);
        for (size_t j = 0; j < 200; j = 2 * j + 1) {
            double got = log_weight(t, (double)j, &size), terms = slope * (double)j;
            for (size_t i = 0; i < count; i++) {
                double s = start[i] + (double)j;
                terms += 0.5 * fabs(log(s)) + fabs(log(erf(sqrt(0.5 * steepness[i] * s)))) + 4;
            }
            assert_true(fabs(size / terms - 1) < 1e-12);
            real exact = r_sub(log_weight_of(slope, start, steepness, count, j),
                               log_weight_of(slope, start, steepness, count, 0));
            double error = r_double(r_sub(exact, r_sub(r_num(got), r_num(zero))));
            if (!(fabs(error) < 0x1p-52 * ((double)groups + 8) * (size + first)))
                fail_msg("size %zu of %zu coordinates: the logarithm errs by %g", j, count, error);
        }
        dpn_vector_sampler_free(sampler);
        r_release(mark);
    }
}

/* Each boundary is where the definition has it, and further than the guard from no other; what lies behind the table has less than 2^-200 of the weight: the weights are
 * log-concave, so that from the last of them on they fall at least as those of a geometric series. */
static void boundaries_are_where_they_say(void **state) {
    (void)state;
    draw_source random = {.state = 32};
    for (int n = 0; n < points(15, 150); n++) {
        size_t mark = r_mark();
        double slope, start[MOST], steepness[MOST], worst = 0;
        size_t count = draw_box(&slope, start, steepness, &random);
        slope = fmax(slope, 0.3);
        dpn_vector_sampler *sampler = sampler_of(slope, start, steepness, count);
        const dpn_boundaries *sizes = &sampler->box.sizes;
        real total = r_num(0), sum = r_num(0), *weight = malloc((sizes->count + 2) * sizeof *weight);
        assert_non_null(weight);
        for (size_t j = 0; j < sizes->count + 2; j++)
            weight[j] = r_exp(log_weight_of(slope, start, steepness, count, j));
        for (size_t j = 0; j < sizes->count; j++) total = r_add(total, weight[j]);
        for (size_t j = 0; j < sizes->count; j++) {
            sum = r_add(sum, weight[j]);
            worst = fmax(worst, fabs(r_double(r_sub(r_div(sum, total), r_num(sizes->upper[j])))));
        }
        assert_true(8 * worst <= sizes->guard && sizes->guard < 1e-9);
        real next = weight[sizes->count], ratio = r_div(weight[sizes->count + 1], next);
        real rest = r_div(next, r_sub(r_num(1), ratio));
        if (!r_less(rest, r_times(total, 0x1p-200)))
            fail_msg("behind %zu sizes lies 2^%ld of the weight", sizes->count, r_exponent(r_div(rest, total)));
        assert_true(sizes->cut);
        free(weight);
        dpn_vector_sampler_free(sampler);
        r_release(mark);
    }
}

/* ---- the domain ---- */

static dpn_status made(double slope, double start, double steepness, double scale, int exponent) {
    dpn_vector_sampler *sampler = NULL;
    dpn_status status = dpn_vector_sampler_random_box(&sampler, 1, &scale, slope, &start, &steepness, &exponent, NULL);
    assert_true((sampler != NULL) == !status);
    dpn_vector_sampler_free(sampler);
    return status;
}

/* Just inside each end, and just outside. */
static void domains_end_where_they_say(void **state) {
    (void)state;
    assert_int_equal(made(1.01e-3, 1, 1, 1, -10), DPN_OK);
    assert_int_equal(made(0.99e-3, 1, 1, 1, -10), DPN_EDOMAIN);
    assert_int_equal(made(1023, 1, 1, 1, -10), DPN_OK);
    assert_int_equal(made(1025, 1, 1, 1, -10), DPN_EDOMAIN);
    assert_int_equal(made(1, 0x1.01p-40, 1, 1, -10), DPN_OK);
    assert_int_equal(made(1, 0x1.ffp-41, 1, 1, -10), DPN_EDOMAIN);
    assert_int_equal(made(1, 0x1.fep39, 1, 1, -10), DPN_OK);
    assert_int_equal(made(1, 0x1.01p40, 1, 1, -9), DPN_EDOMAIN);
    assert_int_equal(made(1, 1, 0x1.01p-60, 1, -10), DPN_OK);
    assert_int_equal(made(1, 1, 0x1.ffp-61, 1, -10), DPN_EDOMAIN);
    assert_int_equal(made(1, 1, 1023, 1, -10), DPN_OK);
    assert_int_equal(made(1, 1, 1025, 1, -10), DPN_EDOMAIN);
    const double scale = 1, number = 1;
    const int exponent = -10;
    dpn_vector_sampler *sampler = NULL;
    assert_int_equal(dpn_vector_sampler_random_box(NULL, 1, &scale, 1, &number, &number, &exponent, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_random_box(&sampler, 1, &scale, 1, &number, NULL, &exponent, NULL),
                     DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_random_box(&sampler, 0, &scale, 1, &number, &number, &exponent, NULL),
                     DPN_EDOMAIN);
    assert_null(sampler);
}

/* The largest box has at most 2^50 steps: of c = 2^30 and sizes up to some hundreds 2^20 steps to the unit are too many, but not if c is a little smaller. */
static void the_largest_box_has_2_to_50_steps(void **state) {
    (void)state;
    static const double scales[] = {1, 0.75, 1.5};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            const double alphas[] = {1, 0.125}, slope = alphas[j];
            double start = floor(0x1p30 / scales[i]), steepness = 0x1p-40, size, sizes = 0;
            dpn_vector_sampler *sampler = sampler_of(slope, &start, &steepness, 1);
            sizes = (double)sampler->box.sizes.count;
            log_weight(&sampler->box, 0, &size);
            assert_true(slope * sizes > 138 &&
                        slope * sizes < 160); /* of e^(-alpha j), but for the slow growth of c + j */
            dpn_vector_sampler_free(sampler);
            assert_int_equal(made(slope, start - sizes - 8, steepness, scales[i], -20), DPN_OK);
            assert_int_equal(made(slope, start - 0.5 * sizes, steepness, scales[i], -20), DPN_EDOMAIN);
        }
}

/* ---- sources that end ---- */

/* Wherever the words end, on a grid that doubles do not serve, and with a level or the size told by wide numbers: no number has left. */
static dpn_status draw_with(const dpn_vector_sampler *sampler, const uint64_t *word, size_t length) {
    tape words;
    int64_t steps[3] = {7, 7, 7};
    tape_begin(&words, word, length);
    dpn_status status = dpn_vector_sampler_draw(steps, sampler, &words.rng, NULL);
    if (status)
        assert_true(steps[0] == 0 && steps[1] == 0 && steps[2] == 0);
    else
        assert_int_equal(tape_taken(&words), length);
    return status;
}

static void sources_that_end(void **state) {
    (void)state;
    enum { WORDS = 600, TIMES = 10 };
    static const double start[] = {0.6, 1.5, 2}, steepness[] = {0.05, 4, 0.9};
    static const int grid[] = {-40, -40, -40};
    static uint64_t word[WORDS];
    draw_source random = {.state = 33};
    dpn_vector_sampler *sampler;
    assert_int_equal(dpn_vector_sampler_random_box(&sampler, 3, ones, 0.8, start, steepness, grid, NULL), DPN_OK);
    for (int n = 0; n < TIMES; n++) {
        size_t length = 0;
        dpn_status status = DPN_EENTROPY;
        for (int i = 0; i < WORDS; i++) word[i] = draw_bits(&random);
        sampler->box.guard = n % 5 == 4 ? 2 : 0x1p-44;
        for (; length < WORDS && status == DPN_EENTROPY; length++) status = draw_with(sampler, word, length);
        assert_int_equal(status, DPN_OK);
    }
    sampler->box.sizes.guard = 2;
    for (size_t length = 0; length < 3; length++) assert_int_equal(draw_with(sampler, word, length), DPN_EENTROPY);
    dpn_vector_sampler_free(sampler);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_err_by_less_than_they_say),
        cmocka_unit_test(boundaries_are_where_they_say),
        cmocka_unit_test(domains_end_where_they_say),
        cmocka_unit_test(the_largest_box_has_2_to_50_steps),
        cmocka_unit_test(sources_that_end),
    };
    r_precision(BITS);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
