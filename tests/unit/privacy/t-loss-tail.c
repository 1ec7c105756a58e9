/* What engines ask of a loss: profiles, tails, ranges and atoms of laws, lists, pure and joint losses, against their definitions. */
#include "privacy/loss/tail.c" /* to see each source */

#include "privacy/loss/memo.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool near(double x, double y, double relative) {
    return fabs(x - y) <= relative * fmax(fabs(x), fabs(y));
}

static dpn_loss law_loss(const char *text, double shift) {
    dpn_law law;
    dpn_loss loss = {0};
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) || dpn_loss_law(&loss, &law, shift, &why))
        fail_msg("%s: %s", text, why.sentence);
    return loss;
}

/* ---- laws: Laplace noise in closed form, a = shift/scale: Q(L > nu) = e^(-(a + nu)/2)/2 for -a <= nu < a ---- */

static void laws_have_their_tails(void **state) {
    (void)state;
    dpn_loss loss = law_loss("laplace(scale=2)", 3);
    dpn_loss_view view = dpn_loss_look(&loss);
    assert_true(view.source == &law_source && view.loss == &loss);
    for (double nu = -1.4; nu < 1.5; nu += 0.2) {
        double least, truth = 0.5 * exp(-0.5 * (1.5 + nu)), most = view.source->above(&least, &view, nu),
                      at = view.source->at_least(&view, nu);
        if (!(most >= truth * (1 - 1e-15) && most <= truth * (1 + 4e-12) && least <= truth * (1 + 1e-15) &&
              least >= truth * (1 - 4e-12)))
            fail_msg("at %g: %.17g, %.17g for %.17g", nu, most, least, truth);
        assert_true(at <= truth * (1 + 1e-15) && at >= truth * (1 - 4e-12));
        double lower, upper, delta = nu > 0 ? log(-expm1(0.5 * (nu - 1.5))) : 0;
        assert_int_equal(view.source->log_delta(&lower, &upper, &view, nu, NULL), DPN_OK);
        if (nu > 0) assert_true(lower <= delta + 1e-15 && upper >= delta - 1e-15 && upper - lower < 1e-12);
        assert_true(upper >= lower);
    }
    double least = 7;
    assert_true(view.source->above(&least, &view, 1.5) == 0 && least == 0 && view.source->at_least(&view, 1.6) == 0);
    assert_true(near(view.source->at_least(&view, 1.5), 0.5 * exp(-1.5), 4e-12)); /* the atom at the largest loss */
    assert_true(view.source->above(&least, &view, -1.6) >= 1 && view.source->at_least(&view, -1.5) >= 1 - 1e-12);
    assert_true(near(view.source->largest(&view), 1.5, 1e-15) && view.source->largest(&view) >= 1.5 &&
                view.source->least(&view) == -view.source->largest(&view));
    /* Epsilons that fall, one after another, have what each has alone. */
    dpn_loss gaussian = law_loss("subbotin(p=3,scale=1)", 1);
    dpn_loss_view falls = dpn_loss_look(&gaussian);
    dpn_falling last = {0}, of_laplace = {0};
    for (double epsilon = 3; epsilon > 0; epsilon -= 0.25) {
        double one[2], other[2];
        assert_int_equal(falls.source->log_delta(&one[0], &one[1], &falls, epsilon, NULL), DPN_OK);
        assert_int_equal(falls.source->log_delta_after(&other[0], &other[1], &last, &falls, epsilon, NULL), DPN_OK);
        assert_true(other[0] <= one[1] && other[1] >= one[0] && other[1] - other[0] < 1e-6);
        assert_int_equal(view.source->log_delta_after(&other[0], &other[1], &of_laplace, &view, 0.4 * epsilon, NULL),
                         DPN_OK);
        assert_int_equal(view.source->log_delta(&one[0], &one[1], &view, 0.4 * epsilon, NULL), DPN_OK);
        assert_true(one[0] == other[0] && one[1] == other[1]);
    }
}

/* ---- lists ---- */

static void lists_are_summed(void **state) {
    (void)state;
    const double value[] = {-1, -0.25, 0.5, 2, INFINITY}, probability[] = {0.125, 0.25, 0.25, 0.25, 0.125};
    for (size_t count = 4; count <= 5; count++) {
        double chance[5];
        for (size_t i = 0; i < count; i++) chance[i] = probability[i];
        if (count == 4) chance[3] = 0.375;
        dpn_loss loss;
        assert_int_equal(dpn_loss_explicit(&loss, value, chance, count, NULL), DPN_OK);
        dpn_loss_view view = dpn_loss_look(&loss);
        assert_true(view.source == &explicit_source);
        for (double nu = -1.25; nu < 2.5; nu += 0.25) {
            long double above = 0, at_least = 0, unit = DBL_EPSILON, delta = 0;
            for (size_t i = 0; i < count; i++) {
                if (value[i] > nu) above += chance[i] * expl(-value[i]);
                if (value[i] >= nu) at_least += chance[i] * expl(-value[i]);
                if (value[i] > nu) delta += chance[i] * (isinf(value[i]) ? 1 : -expm1l(nu - value[i]));
            }
            double least, most = view.source->above(&least, &view, nu), at = view.source->at_least(&view, nu), lower,
                          upper;
            long double share = (32 + (long double)count) * unit;
            assert_true(most >= above * (1 + share - 4 * unit) && most <= above * (1 + share + 4 * unit));
            assert_true(least <= above * (1 - share + 4 * unit) && least >= above * (1 - share - 4 * unit));
            assert_true(at <= at_least * (1 - share + 4 * unit) && at >= at_least * (1 - share - 4 * unit));
            assert_int_equal(view.source->log_delta(&lower, &upper, &view, nu, NULL), DPN_OK);
            if (delta > 0)
                assert_true(lower <= logl(delta) && upper >= fminl(0, logl(delta)) && upper - lower < 1e-14);
            else
                assert_true(lower == -INFINITY && upper == -INFINITY);
        }
        assert_true(view.source->largest(&view) == 2 && view.source->least(&view) == -1);
        double lower, upper;
        assert_int_equal(dpn_loss_infinite(&lower, &upper, &view, NULL), DPN_OK);
        if (count == 5)
            assert_true(lower <= 0.125 && lower >= 0.125 * (1 - 3e-14) && upper >= 0.125 &&
                        upper <= 0.125 * (1 + 3e-14));
        else
            assert_true(lower == 0 && upper == 0);
        assert_true(!dpn_loss_vanishes(&view));
    }
    const double endless = INFINITY, zero = 0, one = 1, halves[] = {0.5, 0.5}, far[] = {0, INFINITY},
                 some[] = {-0.5, 1};
    dpn_loss only, still, mixed, two;
    assert_int_equal(dpn_loss_explicit(&only, &endless, &one, 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_explicit(&still, &zero, &one, 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_explicit(&mixed, far, halves, 2, NULL), DPN_OK);
    double shares[] = {0.25, 0.75};
    assert_int_equal(dpn_loss_explicit(&two, some, shares, 2, NULL), DPN_OK);
    dpn_loss_view view = dpn_loss_look(&only);
    assert_true(view.source->largest(&view) == 0 && !dpn_loss_vanishes(&view));
    double lower, upper;
    assert_int_equal(dpn_loss_infinite(&lower, &upper, &view, NULL), DPN_OK);
    assert_true(lower <= 1 && lower > 1 - 1e-13 && upper == 1);
    view = dpn_loss_look(&still);
    assert_true(dpn_loss_vanishes(&view));
    view = dpn_loss_look(&mixed);
    assert_true(view.source->largest(&view) == 0 && view.source->least(&view) == 0 &&
                !dpn_loss_vanishes(&view)); /* half is infinite */
    view = dpn_loss_look(&two);
    assert_true(view.source->largest(&view) == 1 && view.source->least(&view) == -0.5 && !dpn_loss_vanishes(&view));
}

/* ---- pure ---- */

static void pure_losses_have_two_atoms(void **state) {
    (void)state;
    for (double epsilon = 0; epsilon < 5; epsilon += 0.8) {
        dpn_loss loss;
        assert_int_equal(dpn_loss_pure(&loss, epsilon, NULL), DPN_OK);
        dpn_loss_view view = dpn_loss_look(&loss);
        assert_true(view.source == &pure_source && view.source->largest(&view) == epsilon &&
                    view.source->least(&view) == -epsilon);
        assert_true(dpn_loss_vanishes(&view) == (epsilon == 0));
        const double places[] = {
            -9,      nextafter(-epsilon, -9), -epsilon, nextafter(-epsilon, 9), 0.5 * epsilon, nextafter(epsilon, -9),
            epsilon, nextafter(epsilon, 9),   9};
        long double q = 1 / (1 + expl(epsilon)); /* Q(L = epsilon); L = -epsilon otherwise */
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            double nu = places[i], least, most = view.source->above(&least, &view, nu),
                   at = view.source->at_least(&view, nu);
            long double above = (nu < epsilon ? q : 0) + (nu < -epsilon ? 1 - q : 0),
                        at_least = (nu <= epsilon ? q : 0) + (nu <= -epsilon ? 1 - q : 0);
            const long double slack = 10 * DBL_EPSILON;
            if (!(most >= above && most <= above * (1 + slack) && least <= above && least >= above * (1 - slack) &&
                  at <= at_least && at >= at_least * (1 - slack)))
                fail_msg("epsilon %g at %g: %.17g, %.17g for %.17Lg, %.17g for %.17Lg", epsilon, nu, most, least, above,
                         at, at_least);
        }
    }
    dpn_loss still = law_loss("laplace(scale=2)", 0); /* cannot move */
    dpn_loss_view view = dpn_loss_look(&still);
    assert_true(view.source == &pure_source && dpn_loss_vanishes(&view));
}

/* ---- joint noise ---- */

/* A loss of the profile delta(epsilon) = (1 - e^(epsilon - 1)) for 0 <= epsilon <= 1, as of pure noise, of which the kind is told nothing else. */
static int asked;
static dpn_status line_delta(dpn_delta *out, const dpn_loss *loss, double epsilon, dpn_error *why) {
    (void)loss;
    (void)why;
    asked++;
    if (loss->sensitivity < 0) return DPN_EACCURACY;
    *out = dpn_delta_near(epsilon < 1 ? -expm1(epsilon - 1) : 0, 0);
    return DPN_OK;
}
static double line_largest(const dpn_loss *loss) {
    (void)loss;
    return 1;
}
static dpn_status line_tail(double *lower, double *upper, const dpn_loss *loss, double nu) {
    (void)nu;
    asked++;
    if (loss->sensitivity < 0) return DPN_EACCURACY;
    *lower = log(0.25);
    *upper = log(0.5);
    return DPN_OK;
}

static void chords_hold_the_slope(void **state) {
    (void)state;
    struct dpn_loss_kind kind = {.name = "line", .delta = line_delta, .largest = line_largest};
    dpn_loss loss = {.kind = &kind};
    dpn_loss_view view = dpn_loss_look(&loss);
    assert_true(view.source == &joint_source && view.source->largest(&view) == 1 && view.source->least(&view) == -44);
    kind.symmetric = true;
    assert_true(view.source->least(&view) == -1);
    for (double nu = 0.05; nu < 0.99; nu += 0.1) { /* the profile is straight in x = e^epsilon, of the slope -1/e */
        double least, most = view.source->above(&least, &view, nu), slope = exp(-1);
        if (!(most >= slope && most <= slope * (1 + 1e-7) && least <= slope && least >= slope * (1 - 1e-7)))
            fail_msg("at %g: %.12g, %.12g", nu, most, least);
        assert_true(view.source->at_least(&view, nu) == least);
    }
    double least,
        most = view.source->above(&least, &view, 1); /* at the corner: the chord to the left, and that to the right */
    assert_true(near(most, exp(-1), 1e-7) && least == 0);
    loss.sensitivity = -1;
    assert_true(view.source->above(&least, &view, 0.5) == 1 && least == 0);
    assert_true(chord(&view, 0.5, 0.4, true) == 1 && chord(&view, 0.5, 0.6, false) == 0);
    kind.log_tail = line_tail;
    assert_true(view.source->above(&least, &view, 0.5) == 1 && least == 0); /* it fails: by chords, which fail too */
    loss.sensitivity = 1;
    most = view.source->above(&least, &view, 0.5);
    assert_true(most >= 0.5 && most <= 0.5 * (1 + 2e-15) && least <= 0.25 && least >= 0.25 * (1 - 2e-15) &&
                view.source->at_least(&view, 3) == least);
    size_t count = 7;
    assert_int_equal(view.source->atoms(NULL, &count, 5, &view, 1), DPN_OK);
    assert_int_equal(count, 0);
    assert_true(!dpn_loss_vanishes(&view));
}

static void what_was_asked_is_kept(void **state) {
    (void)state;
    struct dpn_loss_kind kind = {.name = "line", .delta = line_delta, .largest = line_largest, .log_tail = line_tail};
    dpn_loss loss = {.kind = &kind, .epsilon = 2, .sensitivity = 3, .count = 4};
    dpn_loss_view view = dpn_loss_look(&loss);
    view.memo = dpn_memo_new();
    assert_non_null(view.memo);
    double lower, upper, again[2], least;
    for (int remembered = 0; remembered < 2; remembered++) {
        kind.remembered = remembered;
        asked = 0;
        for (int i = 0; i < 3; i++) {
            assert_int_equal(view.source->log_delta(&lower, &upper, &view, 0.25, NULL), DPN_OK);
            if (i > 0) assert_true(again[0] == lower && again[1] == upper);
            again[0] = lower, again[1] = upper;
        }
        assert_int_equal(asked, remembered ? 1 : 3);
        asked = 0;
        for (int i = 0; i < 3; i++) assert_true(view.source->above(&least, &view, 0.25) >= 0.5 && least <= 0.25);
        assert_int_equal(asked, remembered ? 1 : 3);
    }
    /* Anything else is another question. */
    dpn_memo_key key = key_of(&loss, DPN_MEMO_DELTA, 0.25), tail = key_of(&loss, DPN_MEMO_TAIL, 0.25);
    assert_true(dpn_memo_find(&lower, &upper, view.memo, &key) && lower == again[0] && upper == again[1]);
    assert_true(dpn_memo_find(&lower, &upper, view.memo, &tail) && lower == log(0.25) && upper == log(0.5));
    dpn_memo_key other[6] = {key, key, key, key, key, key};
    other[0].at = 0.5;
    other[1].epsilon = 1;
    other[2].sensitivity = 1;
    other[3].count = 5;
    other[4].kind = &loss;
    for (int i = 0; i < 5; i++) {
        lower = upper = 77;
        assert_true(!dpn_memo_find(&lower, &upper, view.memo, &other[i]) && lower == 77 && upper == 77);
    }
    /* Failures are not kept. */
    loss.sensitivity = -1;
    asked = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(view.source->log_delta(&lower, &upper, &view, 0.25, NULL), DPN_EACCURACY);
    assert_int_equal(asked, 2);
    dpn_memo_free(view.memo);
    view.memo = NULL; /* nobody keeps anything */
    loss.sensitivity = 3;
    asked = 0;
    for (int i = 0; i < 2; i++) assert_int_equal(view.source->log_delta(&lower, &upper, &view, 0.25, NULL), DPN_OK);
    assert_int_equal(asked, 2);
}

/* Of ten thousand questions nearly all are there at the end: the places are spread. */
static void memos_spread_their_keys(void **state) {
    (void)state;
    enum { MANY = 10000 };
    dpn_memo *memo = dpn_memo_new();
    assert_non_null(memo);
    for (int way = 0; way < 4; way++) {
        size_t found = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < MANY; i++) {
                dpn_memo_key key = {memo, 1 + way, 2, 3, 4, i % 2 ? DPN_MEMO_DELTA : DPN_MEMO_TAIL};
                *(way == 0 ? &key.epsilon : way == 1 ? &key.sensitivity : &key.at) = 0.001 * i;
                if (way == 3) key.count = 5 + (uint64_t)i;
                double lower, upper;
                if (pass == 0)
                    dpn_memo_keep(memo, &key, i, -i);
                else if (dpn_memo_find(&lower, &upper, memo, &key))
                    found += lower == i && upper == -i;
            }
        if (found < MANY * 9 / 10) fail_msg("way %d: %zu of %d", way, found, MANY);
    }
    dpn_memo_free(memo);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_have_their_tails),      cmocka_unit_test(lists_are_summed),
        cmocka_unit_test(pure_losses_have_two_atoms), cmocka_unit_test(chords_hold_the_slope),
        cmocka_unit_test(what_was_asked_is_kept),     cmocka_unit_test(memos_spread_their_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
