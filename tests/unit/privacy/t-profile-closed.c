/* Closed forms against 200-bit references on random cases: the interval holds the truth, and what the error claims is
 * at least a thousand times (for formulas of exp and expm1 alone: ten times) what was seen. */
#include "case.h"
#include "truth.h"

#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The largest quotient of error and claim that is allowed. */
struct subject {
    const char *family;
    double margin;
};

static const struct subject subjects[] = {
    {"gaussian", 1e-3},         {"osgt", 1e-3},    {"flipped-huber", 1e-3},   {"laplace", 0.1},
    {"truncated-laplace", 0.1}, {"logistic", 0.1}, {"discrete-laplace", 0.1},
};

static void closed_form_holds_the_truth(void **state) {
    const struct subject *subject = *state;
    draw_source source = {42};
    double worst = 0;
    for (int i = points(60, 600); i > 0; i--) {
        profile_case at = case_draw(&source, subject->family);
        size_t mark = r_mark();
        ref_law reference;
        case_reference(&reference, &at);
        if (i % 8 == 0) at.epsilon = -at.epsilon;
        dpn_profile profile;
        dpn_profile_prepare(&profile, &at.law, at.sensitivity);
        real truth = truth_delta(&reference, r_num(at.sensitivity), r_num(at.epsilon));
        dpn_estimate estimate = dpn_profile_at(&profile, at.epsilon);
        double miss = case_compare(&at, estimate, truth, "closed form");
        if (at.epsilon < 0) /* the reflection claims less: it rests on exp and expm1 */
            assert_true(miss < 0.1);
        else
            worst = fmax(worst, miss);
        r_release(mark);
    }
    if (!(worst <= subject->margin)) fail_msg("%s: error %.3g of what is claimed", subject->family, worst);
    print_message("# %s: largest error %.3g of what is claimed\n", subject->family, worst);
}

/* The flipped Huber law where its formulas change: beside every boundary by 1e-3, 1e-9, one ulp, and at it. With
 * gamma = 3 and alpha = 90 the quotient D/gamma is no double, yet epsilon = alpha D/gamma^2 = 10 is met exactly: delta
 * is e^-897 there, and e^-35 one double to the left. With D = 1e8 gamma one ulp of epsilon moves the threshold by 1e-8
 * of the scale. */
static void flipped_huber_at_its_boundaries(void **state) {
    (void)state;
    static const double parameter[][3] = {{0.3, 1, 1}, {0.7, 1, 1},   {2, 1, 1},   {0.2, 1, 3},  {90, 3, 1},
                                          {9, 3, 2},   {6, 3, 6},     {30, 3, 40}, {0.01, 3, 1}, {1e-5, 1, 1e-4},
                                          {5, 1, 1e6}, {0.3, 1, 1e7}, {12, 3, 1e8}};
    for (size_t i = 0; i < sizeof parameter / sizeof *parameter; i++) {
        profile_case at = {.family = ref_find("flipped-huber"), .sensitivity = parameter[i][2]};
        for (int j = 0; j < 2; j++) at.parameter[j] = parameter[i][j];
        assert_int_equal(dpn_law_make(&at.law, "flipped-huber", at.parameter, 2, NULL), DPN_OK);
        double alpha = parameter[i][0], square = parameter[i][1] * parameter[i][1], d = at.sensitivity;
        const double boundary[] = {
            d * d / 2 / square, (d - 2 * alpha) * d / 2 / square,     (2 * alpha - d) * alpha / square,
            alpha * d / square, (d * d + alpha * alpha) / 2 / square, (d + 2 * alpha) * d / 2 / square};
        static const double beside[] = {-0.01, -1e-3, -1e-9, -2e-16, 0, 2e-16, 1e-9, 1e-3, 0.01};
        dpn_profile profile;
        dpn_profile_prepare(&profile, &at.law, d);
        size_t mark = r_mark();
        ref_law reference;
        case_reference(&reference, &at);
        for (size_t j = 0; j < sizeof boundary / sizeof *boundary; j++) {
            for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) {
                size_t inner = r_mark();
                at.epsilon = fmax(0, boundary[j] * (1 + beside[k]));
                real truth = truth_delta(&reference, r_num(d), r_num(at.epsilon));
                double miss = case_compare(&at, dpn_profile_at(&profile, at.epsilon), truth, "at a boundary");
                assert_true(miss < 1e-3);
                r_release(inner);
            }
        }
        r_release(mark);
    }
}

int main(void) {
    enum { SUBJECTS = sizeof subjects / sizeof *subjects };
    struct CMUnitTest tests[SUBJECTS + 1] = {cmocka_unit_test(flipped_huber_at_its_boundaries)};
    for (size_t i = 0; i < SUBJECTS; i++)
        tests[1 + i] =
            (struct CMUnitTest){subjects[i].family, closed_form_holds_the_truth, NULL, NULL, (void *)&subjects[i]};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
