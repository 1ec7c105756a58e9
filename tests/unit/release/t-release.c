/* Releases: on the grid, certified, the noise of the plan, the same random words whatever the values, nothing on failure.
 *
 * Statistical tests raise a false alarm with probability below 1e-8 each, and are not repeated. */
#include <dpnoise/plan.h>
#include <dpnoise/release.h>

#include "base/dyadic.h"
#include "release/noise/clamp.h"
#include "reference/draw.h"
#include "unit/random/tape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double three[] = {1, 1, 2};
static const dpn_sensitivity three_set = {.dimension = 3, .bound = three};

static dpn_release *made(const dpn_release_options *options) {
    dpn_release *release = NULL;
    dpn_error why;
    if (dpn_release_new(&release, options, &why)) fail_msg("%s", why.sentence);
    return release;
}

static void parse(int64_t *out, const dpn_release *release, const char *const *text) {
    dpn_error why;
    for (size_t i = 0; i < dpn_release_plan(release)->dimension; i++)
        if (dpn_release_parse(&out[i], release, i, text[i], &why)) fail_msg("%s", why.sentence);
}

/* ---- The guarantee ---- */

/* The certificate once more, from the laws of the plan and a set that is gridded by hand, on a grid so coarse that it matters;
 * the accuracy of this second calculation is 1e-4. */
static void certified_for_the_gridded_answers(void **state) {
    (void)state;
    static const char *const families[] = {"laplace", "gaussian", "discrete-laplace"};
    double bound[] = {0.3, 1, 2.4}, gridded[] = {0.5, 1, 2.5}, whole[] = {1, 1, 3};
    dpn_sensitivity set = {.dimension = 3, .bound = bound};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        dpn_release_options options = {
            .size = sizeof(dpn_release_options), .epsilon = 1, .delta = 1e-6, .set = &set, .family = families[i]};
        options.has_grid = true;
        options.grid_exponent = i < 2 ? -2 : 0;
        dpn_release *release = made(&options);
        const dpn_plan *plan = dpn_release_plan(release);
        dpn_sensitivity again = {.dimension = 3, .bound = plan->integer ? whole : gridded};
        dpn_delta delta = {0};
        dpn_error why;
        dpn_accounting_options rough = {.size = sizeof(dpn_accounting_options), .accuracy = 1e-4};
        if (!plan->integer && dpn_plan_delta(&delta, NULL, NULL, plan, &again, 1, 1, &rough, &why))
            fail_msg("%s: %s", families[i], why.sentence);
        assert_true(delta.upper <= 1.0002e-6 && plan->delta.upper <= 1e-6);
        assert_true(memcmp(dpn_release_sensitivity(release)->bound, again.bound, sizeof bound) == 0);
        dpn_release_free(release);
    }
}

static void best_of_a_few(void **state) {
    (void)state;
    double one = 1;
    dpn_sensitivity set = {.dimension = 1, .bound = &one}, many = {.dimension = 100, .linf = 1};
    dpn_release *release =
        made(&(dpn_release_options){.size = sizeof(dpn_release_options), .epsilon = 1, .delta = 1e-9, .set = &set});
    assert_string_equal(dpn_law_family(dpn_plan_law(dpn_release_plan(release), 0)), "laplace");
    dpn_release_free(release);
    release =
        made(&(dpn_release_options){.size = sizeof(dpn_release_options), .epsilon = 1, .set = &set, .whole = true});
    assert_string_equal(dpn_law_family(dpn_plan_law(dpn_release_plan(release), 0)), "discrete-laplace");
    assert_int_equal(dpn_release_grid_exponent(release, 0), 0);
    dpn_release_free(release);
    dpn_sensitivity unequal = {.dimension = 2,
                               .bound = (double[]){1, 0.3}}; /* 17% less than k-norm noise, and 2% than the box */
    release = made(&(dpn_release_options){.size = sizeof(dpn_release_options), .epsilon = 1, .set = &unequal});
    assert_string_equal(dpn_release_plan(release)->family, "start-staircase");
    assert_true(fabs(dpn_release_plan(release)->mse - 3.6118) < 1e-3); /* the grid widens sensitivities by 2^-16 */
    dpn_release_free(release);
    release =
        made(&(dpn_release_options){.size = sizeof(dpn_release_options), .epsilon = 1, .delta = 1e-6, .set = &many});
    assert_false(dpn_release_plan(release)->integer);
    dpn_plan gaussian = {0};
    assert_int_equal(dpn_calibrate(&gaussian, "gaussian", 1, 1e-6, &many, NULL, NULL), DPN_OK);
    assert_true(dpn_release_plan(release)->mse <= gaussian.mse * (1 + 1e-4));
    dpn_plan_free(&gaussian);
    dpn_release_free(release);
}

/* Answers that share a law share the finer grid; the text of the plan tells the grids, and is read back. */
static void grids_of_blocks(void **state) {
    (void)state;
    double bound[] = {100, 1, 0, 100};
    dpn_sensitivity set = {.dimension = 4, .bound = bound};
    for (int identical = 0; identical < 2; identical++) {
        dpn_calibration_options calibration = {.size = sizeof(dpn_calibration_options), .identical = identical == 1};
        dpn_release *release = made(&(dpn_release_options){.size = sizeof(dpn_release_options),
                                                           .epsilon = 1,
                                                           .set = &set,
                                                           .family = "laplace",
                                                           .calibration = &calibration});
        const dpn_plan *plan = dpn_release_plan(release);
        assert_int_equal(plan->blocks, identical ? 2 : 3);
        assert_int_equal(dpn_release_grid_exponent(release, 0), identical ? -16 : -10);
        assert_int_equal(dpn_release_grid_exponent(release, 1), -16);
        assert_int_equal(dpn_release_grid_exponent(release, 2), -16);
        assert_int_equal(dpn_release_grid_exponent(release, 3), identical ? -16 : -10);
        char *text = NULL;
        dpn_plan back = {0};
        assert_int_equal(dpn_plan_write(&text, NULL, plan, NULL), DPN_OK);
        assert_int_equal(dpn_plan_read(&back, text, strlen(text), NULL), DPN_OK);
        assert_int_equal(back.blocks, plan->blocks);
        for (size_t b = 0; b < plan->blocks; b++) {
            assert_true(plan->block[b].grid ==
                        ldexp(1, dpn_release_grid_exponent(release, plan->block[b].coordinate[0])));
            assert_true(back.block[b].grid == plan->block[b].grid);
        }
        dpn_plan_free(&back);
        free(text);
        dpn_release_free(release);
    }
    static const char *const bad[] = {"0.3", "-1",    "0", "\"1\"",
                                      "[1]", "1e999", "4"}; /* 4: more than the sensitivity */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[200];
        dpn_plan plan = {0};
        snprintf(text, sizeof text,
                 "[{\"coordinates\": \"0\", \"noise\": \"laplace(scale=1)\", \"sensitivities\": 1, \"grid\": %s}]",
                 bad[i]);
        assert_int_not_equal(dpn_plan_read(&plan, text, strlen(text), NULL), DPN_OK);
    }
}

/* ---- Intervals ---- */

/* Half a step for the rounding of the value and half a step for that of the noise, besides the quantile of the noise, which is here that of Laplace's law; whole answers
 * have no rounding of the value, and their noise is a whole number of steps; noise on the integers is not rounded. */
static void intervals_hold_the_noise_and_its_rounding(void **state) {
    (void)state;
    double bound[] = {1, 0, 3};
    dpn_sensitivity set = {.dimension = 3, .bound = bound};
    int lower = 0;
    for (double epsilon = 0.4; epsilon < 8; epsilon *= 1.07) {
        for (int kind = 0; kind < 5; kind++) { /* on grids of a quarter and of 1, of whole answers, and of integers */
            bool whole = kind >= 2 && kind != 4, integer = kind >= 3;
            dpn_release *release = made(&(dpn_release_options){.size = sizeof(dpn_release_options),
                                                               .epsilon = epsilon,
                                                               .set = &set,
                                                               .whole = whole,
                                                               .has_grid = !integer,
                                                               .grid_exponent = kind == 0 ? -2 : 0,
                                                               .family = integer ? "discrete-laplace" : "laplace"});
            const dpn_plan *plan = dpn_release_plan(release);
            double step = kind == 0 ? 0.25 : 1;
            assert_true(dpn_release_interval95(release, 1) == (whole ? 0 : step / 2)); /* no noise */
            for (size_t i = 0; i < 3; i += 2) {
                double width = dpn_release_interval95(release, i), scale = sqrt(plan->variance[i] / 2);
                double noise = scale * log(20);
                if (kind < 2) {
                    assert_true(fabs(width / (noise + step) - 1 - 1e-9) < 1e-11);
                } else if (!integer) {
                    double steps = noise + 0.5; /* the noise is the nearest whole number */
                    if (fabs(steps - nearbyint(steps)) < 1e-7) continue;
                    assert_true(width == floor(steps));
                    lower += floor(steps) == floor(noise);
                } else { /* the least k that the noise is not beyond with 95% */
                    double k = width - (whole ? 0 : 0.5), a = exp(-1 / dpn_plan_law(plan, i)->parameter[0]);
                    assert_true(k >= 0 && k == floor(k));
                    assert_true(2 * pow(a, k + 1) / (1 + a) <= 0.05 + 1e-12);
                    assert_true(k == 0 || 2 * pow(a, k) / (1 + a) > 0.05 - 1e-12);
                }
            }
            dpn_release_free(release);
        }
    }
    assert_true(lower > 5);
}

/* ---- The numbers ---- */

static bool is_multiple(const char *text, int exponent) {
    dpn_int128 steps;
    bool exact = false;
    return !dpn_dyadic_nearest(&steps, &exact, text, exponent, NULL) && exact;
}

static void released_numbers_lie_on_the_grid(void **state) {
    (void)state;
    dpn_release *release = made(&(dpn_release_options){
        .size = sizeof(dpn_release_options), .epsilon = 1, .delta = 1e-6, .set = &three_set, .family = "laplace"});
    assert_int_equal(dpn_release_grid_exponent(release, 0), -16);
    assert_int_equal(dpn_release_grid_exponent(release, 2), -15);
    dpn_rng *rng;
    assert_int_equal(dpn_rng_new(&rng, NULL), DPN_OK);
    int64_t value[3], noisy[3];
    parse(value, release, (const char *const[]){"10", "-20.1", "30"});
    for (int round = 0; round < 100; round++) {
        assert_int_equal(dpn_release_draw(noisy, release, rng, value, NULL), DPN_OK);
        for (size_t i = 0; i < 3; i++) {
            char text[DPN_RELEASE_TEXT_SIZE];
            assert_true(
                is_multiple(dpn_release_print(text, release, i, noisy[i]), dpn_release_grid_exponent(release, i)));
        }
    }
    dpn_rng_free(rng);
    dpn_release_free(release);
}

/* Every coordinate has the noise that the plan gives it, and its interval covers. */
static void the_noise_is_that_of_the_plan(void **state) {
    (void)state;
    enum { DRAWS = 40000 };
    double bound[] = {1, 0, 8, 1};
    dpn_sensitivity set = {.dimension = 4, .bound = bound};
    dpn_release *release = made(&(dpn_release_options){
        .size = sizeof(dpn_release_options), .epsilon = 1, .delta = 1e-6, .set = &set, .family = "laplace"});
    const dpn_plan *plan = dpn_release_plan(release);
    dpn_rng *rng;
    assert_int_equal(dpn_rng_new(&rng, NULL), DPN_OK);
    static const char *const text[] = {"7", "0.1", "1e6", "-3"};
    static const double exact[] = {7, 0.1, 1e6, -3};
    int64_t value[4], noisy[4];
    parse(value, release, text);
    double squares[4] = {0}, sum[4] = {0}, covered[4] = {0}, product = 0;
    for (int n = 0; n < DRAWS; n++) {
        assert_int_equal(dpn_release_draw(noisy, release, rng, value, NULL), DPN_OK);
        double error[4];
        for (size_t i = 0; i < 4; i++) {
            error[i] = ldexp((double)noisy[i], dpn_release_grid_exponent(release, i)) - exact[i];
            sum[i] += error[i];
            squares[i] += error[i] * error[i];
            covered[i] += fabs(error[i]) <= dpn_release_interval95(release, i);
        }
        product += error[0] * error[3];
    }
    for (size_t i = 0; i < 4; i++) {
        double variance = plan->variance[i];
        if (i == 1) { /* cannot move: no noise, and rounded by half a step at most */
            assert_true(variance == 0 && covered[i] == DRAWS);
            continue;
        }
        /* Laplace: the fourth moment is 6 variances squared, so squares/n has the variance 5/n of theirs. */
        assert_true(fabs(squares[i] / DRAWS / variance - 1) < 6.5 * sqrt(5.0 / DRAWS));
        assert_true(fabs(sum[i]) < 6 * sqrt(DRAWS * variance));
        assert_true(covered[i] > 0.95 * DRAWS - 6 * sqrt(DRAWS * 0.0475) && covered[i] < 0.96 * DRAWS);
    }
    assert_true(fabs(product) < 6.5 * sqrt(DRAWS) * plan->variance[0]); /* not the same noise twice */
    dpn_rng_free(rng);
    dpn_release_free(release);
}

/* Joint noise: the variances of the plan, intervals that cover, and in each block of m answers a norm of the law Gamma(m),
 * of mean and variance m, over epsilon. The blocks are independent. */
static void joint_noise_is_that_of_the_plan(void **state) {
    (void)state;
    enum { DRAWS = 40000, ANSWERS = 12 };
    double bound[ANSWERS];
    for (size_t i = 0; i < ANSWERS; i++) bound[i] = (double)((i + 1) * (i + 1));
    dpn_sensitivity set = {.dimension = ANSWERS, .bound = bound};
    dpn_release *release = made(
        &(dpn_release_options){.size = sizeof(dpn_release_options), .epsilon = 0.5, .set = &set, .family = "blocks"});
    const dpn_plan *plan = dpn_release_plan(release);
    assert_true(plan->blocks > 1 && plan->pure);
    dpn_rng *rng;
    assert_int_equal(dpn_rng_new(&rng, NULL), DPN_OK);
    int64_t value[ANSWERS] = {0}, noisy[ANSWERS];
    double squares[ANSWERS] = {0}, covered[ANSWERS] = {0}, width[ANSWERS], norm[ANSWERS] = {0}, product = 0;
    for (size_t i = 0; i < ANSWERS; i++) width[i] = dpn_release_interval95(release, i);
    for (int n = 0; n < DRAWS; n++) {
        assert_int_equal(dpn_release_draw(noisy, release, rng, value, NULL), DPN_OK);
        double error[ANSWERS];
        for (size_t i = 0; i < ANSWERS; i++) {
            error[i] = ldexp((double)noisy[i], dpn_release_grid_exponent(release, i));
            squares[i] += error[i] * error[i];
            covered[i] += fabs(error[i]) <= width[i];
        }
        for (size_t b = 0; b < plan->blocks; b++) {
            double largest = 0;
            for (size_t i = 0; i < plan->block[b].count; i++) {
                size_t c = plan->block[b].coordinate[i];
                largest = fmax(largest, fabs(error[c]) / plan->sensitivity[c]);
            }
            norm[b] += largest * plan->block[b].epsilon;
        }
        product += error[0] * error[ANSWERS - 1];
    }
    for (size_t i = 0; i < ANSWERS; i++) {
        /* E X^4/(E X^2)^2 is 9/5 (m+3)(m+4)/(m+1)(m+2), at most 6. */
        assert_true(fabs(squares[i] / DRAWS / plan->variance[i] - 1) < 6.5 * sqrt(5.0 / DRAWS));
        assert_true(covered[i] > 0.95 * DRAWS - 6 * sqrt(DRAWS * 0.0475) && covered[i] < 0.96 * DRAWS);
    }
    for (size_t b = 0; b < plan->blocks; b++) {
        double m = (double)plan->block[b].count;
        assert_true(fabs(norm[b] / DRAWS - m) < 6 * sqrt(m / DRAWS) + 1e-3);
    }
    assert_true(fabs(product) < 6.5 * sqrt(DRAWS * plan->variance[0] * plan->variance[ANSWERS - 1]));
    dpn_rng_free(rng);
    dpn_release_free(release);
}

/* ---- What the values cannot influence ---- */

enum { WORDS = 4096 };

static void the_same_words_for_neighbours(void **state) {
    (void)state;
    static const char *const families[] = {"laplace",   "gaussian", "osgt",  "flipped-huber",
                                           "staircase", "k-norm",   "blocks"};
    static uint64_t words[WORDS];
    static tape a, b;
    draw_source source = {1};
    static const char *const values[][3] = {
        {"10", "20", "30"},
        {"11", "19", "32"},
        {"0", "0", "0"},
        {"-1e10", "0.00001", "123456789.987654321"},
    };
    double one = 1;
    dpn_sensitivity set = {.dimension = 1, .bound = &one};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        dpn_release *release = made(&(dpn_release_options){
            .size = sizeof(dpn_release_options), .epsilon = 1, .delta = 1e-6, .set = &set, .family = families[f]});
        for (int round = 0; round < 50; round++) {
            for (size_t i = 0; i < WORDS; i++) words[i] = draw_bits(&source);
            for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                int64_t first, other, noisy_first, noisy_other;
                parse(&first, release, values[0]);
                parse(&other, release, values[v]);
                tape_begin(&a, words, WORDS);
                tape_begin(&b, words, WORDS);
                assert_int_equal(dpn_release_draw(&noisy_first, release, &a.rng, &first, NULL), DPN_OK);
                assert_int_equal(dpn_release_draw(&noisy_other, release, &b.rng, &other, NULL), DPN_OK);
                assert_int_equal(tape_taken(&a), tape_taken(&b));
                assert_true(tape_taken(&a) > 0);
                assert_true(noisy_first - first == noisy_other - other);
            }
        }
        dpn_release_free(release);
    }
}

/* ---- Failures ---- */

/* The random source ends after k words, for every k. */
static void without_words_nothing_leaves(void **state) {
    (void)state;
    static uint64_t words[WORDS];
    static tape source;
    draw_source draw = {2};
    for (size_t i = 0; i < WORDS; i++) words[i] = draw_bits(&draw);
    dpn_release *release = made(&(dpn_release_options){
        .size = sizeof(dpn_release_options), .epsilon = 1, .set = &three_set, .family = "laplace"});
    int64_t value[3], noisy[3], before[3];
    parse(value, release, (const char *const[]){"10", "20", "30"});
    memset(before, 0x5a, sizeof before);
    dpn_status status = DPN_EENTROPY;
    size_t k = 0;
    for (; status && k < WORDS; k++) {
        dpn_error why = {0};
        memcpy(noisy, before, sizeof noisy);
        tape_begin(&source, words, k);
        status = dpn_release_draw(noisy, release, &source.rng, value, &why);
        if (!status) break;
        assert_int_equal(status, DPN_EENTROPY);
        assert_int_equal(why.status, DPN_EENTROPY);
        assert_memory_equal(noisy, before, sizeof noisy);
    }
    assert_int_equal(status, DPN_OK);
    assert_true(k >= 3);
    assert_memory_not_equal(noisy, before, sizeof noisy);
    dpn_release_free(release);
}

static void values_that_are_refused(void **state) {
    (void)state;
    dpn_release_options options = {.size = sizeof(dpn_release_options),
                                   .epsilon = 1,
                                   .delta = 1e-6,
                                   .set = &three_set,
                                   .whole = true,
                                   .family = "discrete-laplace"};
    dpn_release *release = made(&options);
    static const struct {
        const char *text;
        dpn_status status;
    } bad[] = {
        {"", DPN_EPARSE},
        {"ten", DPN_EPARSE},
        {"nan", DPN_EPARSE},
        {"0.5", DPN_EDOMAIN},
        {"1e40", DPN_EDOMAIN},
        {"1e999999999", DPN_EDOMAIN},
        {"-1e-999999999", DPN_EDOMAIN},
        {"1e-3", DPN_EDOMAIN},
    };
    int64_t out = 7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_error why = {0};
        if (dpn_release_parse(&out, release, 0, bad[i].text, &why) != bad[i].status) fail_msg("'%s'", bad[i].text);
        assert_true(out == 7 && why.sentence[0]);
        /* The value is private: the sentence says where it stands, not what it is. */
        if (bad[i].text[0]) assert_null(strstr(why.sentence, bad[i].text));
        assert_non_null(strstr(why.sentence, "value 1 "));
    }
    assert_int_equal(dpn_release_parse(&out, release, 3, "1", NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_release_parse(&out, release, 0, "12e-1", NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_release_parse(&out, release, 0, "1200e-2", NULL), DPN_OK);
    assert_true(out == 12);
    dpn_rng *rng;
    assert_int_equal(dpn_rng_new(&rng, NULL), DPN_OK);
    int64_t large[3] = {DPN_RELEASE_MOST_STEPS + 1, 0, 0};
    assert_int_equal(dpn_release_draw(large, release, rng, large, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_release_draw(NULL, release, rng, large, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_release_draw(large, release, NULL, large, NULL), DPN_EDOMAIN);
    assert_true(large[0] == DPN_RELEASE_MOST_STEPS + 1 && large[1] == 0);
    dpn_rng_free(rng);
    dpn_release_free(release);
    dpn_release_free(NULL);
}

static void requests_that_are_refused(void **state) {
    (void)state;
    double tiny = 1e-150;
    dpn_sensitivity open = {.dimension = 2}, small = {.dimension = 1, .bound = &tiny};
    const struct {
        dpn_release_options options;
        dpn_status status;
    } bad[] = {
        {{.epsilon = 1, .delta = 1e-6}, DPN_EDOMAIN},
        {{.epsilon = 1, .delta = 1e-6, .set = &open}, DPN_EDOMAIN},
        {{.epsilon = 1, .delta = 1e-6, .set = &small}, DPN_EDOMAIN},
        {{.epsilon = -1, .delta = 1e-6, .set = &three_set}, DPN_EDOMAIN},
        {{.epsilon = NAN, .delta = 1e-6, .set = &three_set}, DPN_EDOMAIN},
        {{.epsilon = 1, .delta = 1, .set = &three_set}, DPN_EDOMAIN},
        {{.epsilon = 0, .delta = 0, .set = &three_set}, DPN_EDOMAIN},
        {{.epsilon = 1, .delta = 0, .set = &three_set, .family = "gaussian"}, DPN_EUNSUPPORTED},
        {{.epsilon = 1, .delta = 1e-6, .set = &three_set, .family = "uniform"}, DPN_EPARSE},
        {{.epsilon = 1, .delta = 1e-6, .set = &three_set, .has_grid = true, .grid_exponent = -399}, DPN_EDOMAIN},
        {{.epsilon = 1, .set = &three_set, .family = "discrete-laplace", .has_grid = true, .grid_exponent = 1},
         DPN_EDOMAIN},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_release *release = NULL;
        dpn_error why = {0};
        dpn_release_options options = bad[i].options;
        options.size = sizeof options;
        dpn_status status = dpn_release_new(&release, &options, &why);
        if (status != bad[i].status) fail_msg("case %zu: status %d, %s", i, (int)status, why.sentence);
        assert_true(release == NULL && why.sentence[0]);
    }
    assert_int_equal(dpn_release_new(NULL, &bad[0].options, NULL), DPN_EDOMAIN);
}

/* Each value is looked at, wherever it stands, and nothing that lies behind them; nor is anything written there. */
static void all_values_and_no_others(void **state) {
    (void)state;
    dpn_release *release = made(&(dpn_release_options){
        .size = sizeof(dpn_release_options), .epsilon = 1, .set = &three_set, .family = "laplace"});
    dpn_rng *rng;
    assert_int_equal(dpn_rng_new(&rng, NULL), DPN_OK);
    for (size_t i = 0; i <= 3; i++)
        for (int below = 0; below < 2; below++) {
            int64_t value[4] = {0}, noisy[4] = {7, 7, 7, 7};
            char place[20];
            dpn_error why = {DPN_OK, ""};
            value[i] = below ? -DPN_RELEASE_MOST_STEPS - 1 : DPN_RELEASE_MOST_STEPS + 1;
            dpn_status status = dpn_release_draw(noisy, release, rng, value, &why);
            assert_int_equal(status, i < 3 ? DPN_EDOMAIN : DPN_OK);
            snprintf(place, sizeof place, "value %zu ", i + 1);
            if (i < 3) assert_non_null(strstr(why.sentence, place));
            assert_true(noisy[3] == 7 && (i == 3 || (noisy[0] == 7 && noisy[1] == 7 && noisy[2] == 7)));
            value[i] = below ? -DPN_RELEASE_MOST_STEPS : DPN_RELEASE_MOST_STEPS;
            assert_int_equal(dpn_release_draw(noisy, release, rng, value, &why), DPN_OK);
        }
    dpn_rng_free(rng);
    dpn_release_free(release);
}

static void sums_are_clamped(void **state) {
    (void)state;
    static const int64_t values[] = {-DPN_RELEASE_MOST_STEPS, -1, 0, 1, DPN_RELEASE_MOST_STEPS};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_true(dpn_steps_add(values[i], INT64_MAX) == DPN_RELEASE_MOST_STEPS); /* as for all noise beyond */
        assert_true(dpn_steps_add(values[i], INT64_MIN) == -DPN_RELEASE_MOST_STEPS);
        assert_true(dpn_steps_add(values[i], -values[i]) == 0);
        assert_true(dpn_steps_add(values[i], 0) == values[i]);
    }
    assert_true(dpn_steps_add(DPN_RELEASE_MOST_STEPS, 1) == DPN_RELEASE_MOST_STEPS);
    assert_true(dpn_steps_add(DPN_RELEASE_MOST_STEPS - 1, 1) == DPN_RELEASE_MOST_STEPS);
    assert_true(dpn_steps_add(-5, 3) == -2);
}

/* Values at the limit get their noise, written in full, and no sum goes beyond. */
static void large_values(void **state) {
    (void)state;
    double one = 1;
    dpn_sensitivity set = {.dimension = 1, .bound = &one};
    dpn_release *release = made(
        &(dpn_release_options){.size = sizeof(dpn_release_options), .epsilon = 1e-6, .set = &set, .family = "laplace"});
    dpn_rng *rng;
    assert_int_equal(dpn_rng_new(&rng, NULL), DPN_OK);
    static const char *const texts[] = {"70368744177663.9999847412109375",
                                        "-70368744177663.9999847412109375"}; /* a step less than 2^46 */
    for (int i = 0; i < 2; i++) {
        int64_t value, noisy, back, clamped = 0, sign = i ? -1 : 1;
        assert_int_equal(dpn_release_parse(&value, release, 0, texts[i], NULL), DPN_OK);
        assert_true(value == sign * DPN_RELEASE_MOST_STEPS);
        for (int n = 0; n < 64; n++) {
            assert_int_equal(dpn_release_draw(&noisy, release, rng, &value, NULL), DPN_OK);
            assert_true(sign * noisy <= DPN_RELEASE_MOST_STEPS && sign * noisy > DPN_RELEASE_MOST_STEPS - (1LL << 50));
            clamped += noisy == value;
            char text[DPN_RELEASE_TEXT_SIZE];
            dpn_release_print(text, release, 0, noisy);
            assert_int_equal(dpn_release_parse(&back, release, 0, text, NULL), DPN_OK);
            assert_true(back == noisy);
        }
        assert_true(clamped > 0 && clamped < 64); /* half of them, but for a chance of 2^-63 */
    }
    int64_t value = 7;
    assert_int_equal(dpn_release_parse(&value, release, 0, "70368744177664", NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_release_parse(&value, release, 0, "-1e15", NULL), DPN_EDOMAIN);
    assert_true(value == 7);
    dpn_rng_free(rng);
    dpn_release_free(release);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certified_for_the_gridded_answers),
        cmocka_unit_test(best_of_a_few),
        cmocka_unit_test(grids_of_blocks),
        cmocka_unit_test(intervals_hold_the_noise_and_its_rounding),
        cmocka_unit_test(released_numbers_lie_on_the_grid),
        cmocka_unit_test(the_noise_is_that_of_the_plan),
        cmocka_unit_test(joint_noise_is_that_of_the_plan),
        cmocka_unit_test(the_same_words_for_neighbours),
        cmocka_unit_test(without_words_nothing_leaves),
        cmocka_unit_test(values_that_are_refused),
        cmocka_unit_test(requests_that_are_refused),
        cmocka_unit_test(all_values_and_no_others),
        cmocka_unit_test(sums_are_clamped),
        cmocka_unit_test(large_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
