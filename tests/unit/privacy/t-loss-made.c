/* Losses as they are made: what their constructors refuse, and the profiles of lists and of pure losses against sums in long double. */
#include "privacy/loss/loss.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void profiles_of_lists_and_pure_losses(void **state) {
    (void)state;
    const double value[] = {-1, 0.5, 2, INFINITY}, probability[] = {0.125, 0.25, 0.5, 0.125};
    dpn_loss loss;
    dpn_delta got;
    assert_int_equal(dpn_loss_explicit(&loss, value, probability, 4, NULL), DPN_OK);
    assert_true(loss.total == 1 && loss.count == 4 && loss.value == value && loss.probability == probability &&
                loss.kind == &dpn_loss_kind_explicit);
    for (double epsilon = -2; epsilon < 3; epsilon += 0.25) {
        long double delta = 0.125L;
        for (int i = 0; i < 3; i++) delta += value[i] > epsilon ? -probability[i] * expm1l(epsilon - value[i]) : 0;
        assert_int_equal(loss.kind->delta(&got, &loss, epsilon, NULL), DPN_OK);
        long double half = 16 * DBL_EPSILON + 2 * DBL_EPSILON * (1 + fabsl(logl(delta)));
        if (!(got.log_lower <= logl(delta) && got.log_upper >= fminl(0, logl(delta)) &&
              got.log_upper - got.log_lower <= 2 * half + 4e-16L &&
              (got.log_upper == 0 || got.log_upper - got.log_lower >= 2 * half - 4e-16L)))
            fail_msg("%g: [%.17g, %.17g], not %.17Lg", epsilon, got.log_lower, got.log_upper, logl(delta));
    }
    assert_int_equal(loss.kind->delta(&got, &loss, INFINITY, NULL), DPN_OK);
    assert_true(got.lower <= 0.125 && got.upper >= 0.125 && got.upper < 0.125 * (1 + 1e-13));
    for (double atom = 0; atom < 3; atom += 0.7) {
        assert_int_equal(dpn_loss_pure(&loss, atom, NULL), DPN_OK);
        for (double epsilon = -3.1; epsilon < 3.2; epsilon += 0.3) {
            /* L = atom with the probability 1/(1 + e^-atom), else -atom. */
            long double p = 1 / (1 + expl(-atom)), delta = (epsilon < atom ? -p * expm1l(epsilon - atom) : 0) +
                                                           (epsilon < -atom ? -(1 - p) * expm1l(epsilon + atom) : 0);
            assert_int_equal(loss.kind->delta(&got, &loss, epsilon, NULL), DPN_OK);
            if (delta == 0)
                assert_true(got.upper == 0 && got.log_upper == -INFINITY);
            else
                assert_true(got.log_lower <= logl(delta) && got.log_upper >= fminl(0, logl(delta)) &&
                            got.log_upper - got.log_lower <=
                                40 * DBL_EPSILON + 4 * DBL_EPSILON * (1 + fabsl(logl(delta))));
        }
        assert_int_equal(loss.kind->delta(&got, &loss, atom, NULL), DPN_OK);
        assert_true(got.upper == 0);
    }
}

static void what_is_no_loss(void **state) {
    (void)state;
    const double rising[] = {0, 1}, equal[] = {0, 0}, falling[] = {1, 0}, low[] = {-INFINITY, 1}, none[] = {NAN, 1},
                 halves[] = {0.5, 0.5}, much[] = {0.5, 0.6}, zero[] = {0, 1}, over[] = {0.5, 1.5},
                 first_over[] = {1 + 5e-13, 1e-300}, little_more[] = {0.5, 0.5 + 0.9e-12},
                 little_less[] = {0.5, 0.5 - 0.9e-12}, too_much[] = {0.5, 0.5 + 1.1e-12},
                 too_little[] = {0.5, 0.5 - 1.1e-12}, below[] = {-1, 0};
    const double q_too_large[] = {-1e-12, 1e-13}, q_large_enough[] = {-1e-12, 2e-13}, q_ok[] = {-9e-13, 0};
    const struct {
        const double *value, *probability;
        size_t count;
        const char *sentence;
    } rows[] = {{rising, halves, 0, "an explicit loss needs at least one value"},
                {NULL, halves, 2, "an explicit loss needs at least one value"},
                {rising, NULL, 2, "an explicit loss needs at least one value"},
                {equal, halves, 2, "value 1 of the loss must be above the one before"},
                {falling, halves, 2, "value 1 of the loss must be above the one before"},
                {low, halves, 2, "value 0 of the loss must be finite or +inf"},
                {none, halves, 2, "value 0 of the loss must be finite or +inf"},
                {rising, zero, 2, "probability 0 of the loss must lie in (0, 1]"},
                {rising, over, 2, "probability 1 of the loss must lie in (0, 1]"},
                {rising, first_over, 2, "probability 0 of the loss must lie in (0, 1]"},
                {rising, much, 2, "the probabilities of the loss must sum to 1"},
                {rising, too_much, 2, "the probabilities of the loss must sum to 1"},
                {rising, too_little, 2, "the probabilities of the loss must sum to 1"},
                {rising, little_more, 2, NULL},
                {rising, little_less, 2, NULL},
                {below, halves, 2, "the probabilities times exp(-value) must sum to at most 1"},
                {q_ok, halves, 2, NULL},
                {q_too_large, halves, 2, NULL},
                {q_large_enough, halves, 2, NULL},
                {rising, halves, 2, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_loss loss = {.epsilon = 77};
        dpn_error why = {0};
        dpn_status status = dpn_loss_explicit(&loss, rows[i].value, rows[i].probability, rows[i].count, &why);
        if (status != (rows[i].sentence ? DPN_EDOMAIN : DPN_OK))
            fail_msg("row %zu: %d, %s", i, (int)status, why.sentence);
        if (rows[i].sentence) {
            assert_string_equal(why.sentence, rows[i].sentence);
            assert_true(loss.epsilon == 77 && !loss.kind);
        }
    }
    const double q_far[] = {-3e-12, 0}, one = 1, tiny_up = -1.1e-12, tiny = -0.9e-12;
    dpn_loss loss = {.epsilon = 77};
    assert_int_equal(dpn_loss_explicit(&loss, q_far, halves, 2, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_explicit(&loss, &tiny_up, &one, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_explicit(&loss, &tiny, &one, 1, NULL), DPN_OK);
    const double bad[] = {-1, NAN, INFINITY};
    dpn_law law, whole;
    dpn_error why = {0};
    assert_int_equal(dpn_law_parse(&law, "laplace(scale=1)", &why), DPN_OK);
    assert_int_equal(dpn_law_parse(&whole, "discrete-laplace(scale=1)", &why), DPN_OK);
    for (int i = 0; i < 3; i++) {
        loss = (dpn_loss){.epsilon = 77};
        assert_int_equal(dpn_loss_law(&loss, &law, bad[i], &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "sensitivity must be finite and not negative");
        assert_int_equal(dpn_loss_block(&loss, bad[i], &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "epsilon of a block must be finite and not negative");
        assert_int_equal(dpn_loss_pure(&loss, bad[i], &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "epsilon of a pure loss must be finite and not negative");
        assert_true(loss.epsilon == 77 && !loss.kind);
    }
    assert_int_equal(dpn_loss_law(&loss, &whole, 1.5, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "sensitivity must be whole for noise on the integers");
    assert_int_equal(dpn_loss_law(&loss, &law, 1.5, &why), DPN_OK);
    assert_int_equal(dpn_loss_law(&loss, &whole, 2, &why), DPN_OK);
    assert_int_equal(dpn_loss_law(&loss, &law, 0, &why), DPN_OK);
    assert_int_equal(dpn_loss_pure(&loss, 0, &why), DPN_OK);
    assert_int_equal(dpn_loss_block(&loss, 0.75, &why), DPN_OK);
    assert_true(loss.kind == &dpn_loss_kind_law && loss.sensitivity == 0.75 && loss.law.parameter[0] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_of_lists_and_pure_losses),
        cmocka_unit_test(what_is_no_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
