/* How the rivals of a search are told apart: who competes, which is least, which are so near to the winner that they gain nothing, and what is certified in the end. */
#include "calibrate/search.c" /* to see its parts */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct dpn_family *family(const char *name) {
    const struct dpn_family *found = dpn_family_find(name);
    assert_non_null(found);
    return found;
}

/* The limits of a shape compete unless a range of shapes is asked for on their side, and a member if its shape is in the range. */
static void the_kin_of_a_family(void **state) {
    (void)state;
    const struct dpn_family *kin[DPN_FAMILY_KIN], *huber = family("flipped-huber"), *subbotin = family("subbotin");
    dpn_calibration_options options = {.size = sizeof options};
    dpn_family_kin(kin, family("gaussian"), &options);
    for (int i = 0; i < DPN_FAMILY_KIN; i++) assert_null(kin[i]);
    dpn_family_kin(kin, huber, &options);
    assert_true(kin[BELOW] == huber->shape->below && kin[ABOVE] == huber->shape->above);
    assert_true(kin[BELOW] || kin[ABOVE]);
    options.shape_min = 0.5;
    dpn_family_kin(kin, huber, &options);
    assert_true(!kin[BELOW] && kin[ABOVE] == huber->shape->above);
    options.shape_max = 2;
    dpn_family_kin(kin, huber, &options);
    assert_true(!kin[BELOW] && !kin[ABOVE]);
    const dpn_shape_fact *shape = subbotin->shape;
    if (!shape->member) return;
    const double at = shape->member_at,
                 ranges[][2] = {{0, 0}, {at, 0}, {0, at}, {at, at}, {at + 0.1, 0}, {0.1, at - 0.1}};
    const bool inside[] = {true, true, true, true, false, false};
    for (size_t i = 0; i < 6; i++) {
        options.shape_min = ranges[i][0];
        options.shape_max = ranges[i][1];
        dpn_family_kin(kin, subbotin, &options);
        assert_true(kin[MEMBER] == (inside[i] ? shape->member : NULL));
    }
}

static void who_is_least_and_who_is_near(void **state) {
    (void)state;
    const struct dpn_family *osgt = family("osgt"), *laplace = family("laplace");
    dpn_candidate rival[RIVALS] = {{0}};
    assert_null(least_of(rival));
    rival[3] = (dpn_candidate){.family = osgt, .error = 5};
    rival[1] = (dpn_candidate){.family = osgt, .error = 7};
    rival[RIVALS - 1] = (dpn_candidate){.family = laplace, .error = 4};
    assert_true(least_of(rival) == &rival[RIVALS - 1]);
    rival[RIVALS - 1].family = NULL;
    assert_true(least_of(rival) == &rival[3]);
    rival[0] = (dpn_candidate){.family = osgt, .error = 5};
    assert_true(least_of(rival) == &rival[0]); /* of equals the first */
    const dpn_candidate none = {0}, winner = {.family = osgt, .shape = 2, .error = 5},
                        less = {.family = osgt, .error = 4};
    assert_true(worth_waiting(&less, &winner) && worth_waiting(&winner, &none));
    assert_false(worth_waiting(&none, &winner) || worth_waiting(&winner, &less) || worth_waiting(&winner, &winner));
    const dpn_spread spread = {NULL, NULL};
    dpn_candidate other = winner;
    assert_true(is_next_to(&other, &winner));
    other.shape = 2 * (1 + 1.9e-6);
    assert_true(is_next_to(&other, &winner));
    other.shape = 2 * (1 - 1.9e-6);
    assert_true(is_next_to(&other, &winner));
    other.shape = 2 * (1 + 2.1e-6);
    assert_false(is_next_to(&other, &winner));
    other = winner, other.mix = 1;
    assert_false(is_next_to(&other, &winner));
    other = winner, other.width = 1;
    assert_false(is_next_to(&other, &winner));
    other = winner, other.family = laplace;
    assert_false(is_next_to(&other, &winner));
    other = winner, other.spread = &spread;
    assert_false(is_next_to(&other, &winner) || is_next_to(&winner, &other));
    other = winner, other.shape = 0;
    assert_false(is_next_to(&other, &other)); /* no shape at all */
}

/* An estimate of the error is off by twice what the scale is, that by the accuracy over the slope; twice that to be sure. At most two parts in a thousand; what was measured without estimates
 * nearly nothing. */
static void how_much_estimates_are_doubted(void **state) {
    (void)state;
    for (double slope = -1; slope > -1e6; slope *= 3) {
        const dpn_candidate one = {.slope = slope};
        assert_true(fabs(doubt(&one) / fmin(2e-3, 2 * 2 * DPN_HUNT_ACCURACY / -slope) - 1) < 1e-12);
    }
    const dpn_candidate exact = {.slope = 0};
    assert_true(doubt(&exact) == 1e-6);
}

static void ranges_of_shapes(void **state) {
    (void)state;
    static const struct {
        double least, most;
        bool shaped, right;
    } rows[] = {{0, 0, false, true},  {1, 0, false, false},       {0, 1, false, false},       {1, 2, true, true},
                {2, 2, true, true},   {2, 1, true, false},        {-1, 1, true, false},       {1, 0, true, true},
                {0, 3, true, true},   {INFINITY, 0, true, false}, {0, INFINITY, true, false}, {NAN, 1, true, false},
                {0, NAN, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_problem p = {.options = {.shape_min = rows[i].least, .shape_max = rows[i].most}};
        dpn_status status = check_shape(&p, family(rows[i].shaped ? "osgt" : "laplace"), NULL);
        if (status != (rows[i].right ? DPN_OK : DPN_EDOMAIN)) fail_msg("row %zu", i);
    }
}

/* The search ends with a certificate: the plan it finds is private, no rival was better, and one that is cancelled says so. */
static void what_a_search_ends_with(void **state) {
    (void)state;
    static const char *const names[] = {"gaussian", "laplace", "osgt", "flipped-huber", "subbotin"};
    for (size_t f = 0; f < sizeof names / sizeof *names; f++)
        for (int loose = 0; loose < 2; loose++) {
            const double bound[] = {1, 2};
            dpn_sensitivity set = {.dimension = f == 4 ? 1 : 2, .bound = bound};
            dpn_calibration_options options = {.size = sizeof options};
            dpn_problem p;
            dpn_error why;
            double number[2 * DPN_SEARCH_SPREADS * 3] = {0};
            dpn_spread room[DPN_SEARCH_SPREADS];
            for (size_t i = 0; i < DPN_SEARCH_SPREADS; i++) room[i] = (dpn_spread){number + 6 * i, number + 6 * i + 3};
            assert_int_equal(dpn_problem_make(&p, family(names[f]), 1, 1e-5, &set, &options, DPN_GROUPS_CONTOUR, &why),
                             DPN_OK);
            dpn_law law[3];
            dpn_candidate best;
            if (dpn_search(&best, law, room, &p, family(names[f]), loose, &why))
                fail_msg("%s: %s", names[f], why.sentence);
            size_t stride = dpn_candidate_stride(&best);
            dpn_delta delta;
            assert_int_equal(dpn_problem_delta(&delta, NULL, &p, law, stride, (dpn_effort){0}, NULL), DPN_OK);
            double off = loose ? 0.1 : 1e-6;
            if (!(delta.upper <= 1e-5 * (1 + off) && delta.upper > 1e-5 * (1 - 0.1)))
                fail_msg("%s: delta %.17g", names[f], delta.upper);
            assert_true(fabs(best.error / dpn_problem_error(&p, law, stride) - 1) < (loose ? 2e-2 : 1e-9));
            dpn_problem_free(&p);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kin_of_a_family),
        cmocka_unit_test(who_is_least_and_who_is_near),
        cmocka_unit_test(how_much_estimates_are_doubted),
        cmocka_unit_test(ranges_of_shapes),
        cmocka_unit_test(what_a_search_ends_with),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
