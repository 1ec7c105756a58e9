/* The largest finite loss: against a walk over all points where both densities live, and against exact quotients; and which families do not tell. */
#include "privacy/profile/supremum.h"

#include "case.h"
#include "privacy/profile/excess.h"
#include "privacy/profile/profile.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double value(const dpn_quotient *q) {
    return q->x / q->g * (q->y / q->h);
}

/* The largest finite difference of log densities, over a grid; on the integers over all of them. */
static double walked(const dpn_law *law, double shift) {
    double best = 0, step = dpn_law_is_integer(law) ? 1 : 1.0 / 256, far = dpn_law_is_integer(law) ? 60 : 40;
    for (double t = -far; t <= far; t += step) {
        double loss = dpn_law_log_pdf(law, t) - dpn_law_log_pdf(law, t + shift);
        if (isfinite(loss)) best = fmax(best, loss);
    }
    return best;
}

static void largest_losses(void **state) {
    (void)state;
    static const char *const texts[] = {
        "laplace(scale=2)",
        "huber(alpha=1.5,gamma=2)",
        "logistic(scale=2)",
        "discrete-laplace(scale=2.5)",
        "truncated-laplace(scale=2,bound=3)",
        "truncated-laplace(scale=0.5,bound=1.5)",
        "truncated-geometric(epsilon=0.75,n=6,theta=0.01)",
        "truncated-geometric(epsilon=0.5,n=5,theta=0.3)",
        "truncated-geometric(epsilon=0.5,n=5,theta=1)",
        "subbotin(p=1,scale=2)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (double shift = 1; shift < 16; shift++) {
            dpn_law law = case_law(texts[i]);
            dpn_quotient q;
            assert_true(dpn_loss_supremum(&q, &law, shift));
            double truth = walked(&law, shift), got = value(&q),
                   room = i == 2 ? 1e-6 : 1e-9; /* logistic losses come near to it */
            if (!(got >= truth * (1 - 1e-14) && got <= truth * (1 + room) + 1e-12))
                fail_msg("%s at %g: %.17g, seen %.17g", texts[i], shift, got, truth);
            dpn_profile profile;
            double lower, upper;
            dpn_profile_prepare(&profile, &law, shift);
            dpn_profile_supremum(&profile, &lower, &upper);
            assert_true(lower <= upper && nextafter(lower, INFINITY) >= upper &&
                        fabs(upper - got) <= 2 * DBL_EPSILON * got);
        }
}

/* A staircase descends as many steps as periods fit into the shift, and one more if that is not whole. */
static void stairs(void **state) {
    (void)state;
    for (double period = 0.5; period < 4; period += 0.5)
        for (double shift = 0.25; shift < 20; shift += 0.25) {
            double parameter[] = {0.75, period, 0.4};
            dpn_law law;
            dpn_quotient q;
            assert_int_equal(dpn_law_make(&law, "staircase", parameter, 3, NULL), DPN_OK);
            assert_true(dpn_loss_supremum(&q, &law, shift));
            assert_true(value(&q) == 0.75 * ceil(shift / period));
        }
}

static void what_is_not_bounded_or_known(void **state) {
    (void)state;
    static const char *const unbounded[] = {"gaussian(sigma=1)", "osgt(m=1,sigma=1)", "flipped-huber(alpha=1,gamma=1)",
                                            "subbotin(p=1.5,scale=1)", "discrete-gaussian(sigma=1)"};
    dpn_quotient q;
    for (int i = 0; i < 5; i++) {
        dpn_law law = case_law(unbounded[i]);
        assert_true(dpn_loss_supremum(&q, &law, 2) && isinf(q.x) && q.g == 1 && q.y == 1 && q.h == 1);
    }
    dpn_law law = case_law("gaussian(sigma=1)");
    struct dpn_family family = *law.family;
    law.family = &family;
    family.pieces = NULL; /* nothing but psi: unbounded, if nothing else is said, is not known */
    family.continuous = NULL;
    assert_false(dpn_loss_supremum(&q, &law, 2));
    assert_true(isinf(q.x));
    law = case_law("laplace(scale=1)");
    family = *law.family;
    law.family = &family;
    family.not_log_concave = true;
    assert_false(dpn_loss_supremum(&q, &law, 2));
    assert_true(isinf(q.x));
    dpn_profile profile;
    double lower, upper;
    dpn_profile_prepare(&profile, &law, 2);
    dpn_profile_supremum(&profile, &lower, &upper);
    assert_true(lower == 0 && isinf(upper));
    law = case_law("truncated-geometric(epsilon=0.5,n=5,theta=0.3)"); /* between whole numbers nothing is known */
    assert_false(dpn_loss_supremum(&q, &law, 1.5));
}

/* Where psi bends just before the end the loss there is larger than the slope before; it is rounded up by 1e-12. */
static void bounded_noise_on_the_integers(void **state) {
    (void)state;
    dpn_law law = case_law("truncated-geometric(epsilon=0.5,n=5,theta=0.3)");
    for (double shift = 1; shift < 10; shift++) {
        dpn_quotient q;
        assert_true(dpn_loss_supremum(&q, &law, shift));
        double last = dpn_law_log_pdf(&law, 5 - shift) - dpn_law_log_pdf(&law, 5), over = value(&q) / last - 1;
        assert_true(over > 0.5e-12 && over < 1.5e-12);
    }
    dpn_quotient q;
    for (double shift = 10; shift < 14; shift++) assert_true(dpn_loss_supremum(&q, &law, shift) && value(&q) == 0);
    dpn_law straight = case_law("truncated-geometric(epsilon=0.5,n=5,theta=1)");
    for (double shift = 1; shift < 13; shift++) { /* with theta = 1 it is straight up to the end: exact */
        assert_true(dpn_loss_supremum(&q, &straight, shift));
        assert_true(value(&q) == 0.5 * (shift <= 5 ? shift : fmax(0, 10 - shift)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(largest_losses),
        cmocka_unit_test(stairs),
        cmocka_unit_test(what_is_not_bounded_or_known),
        cmocka_unit_test(bounded_noise_on_the_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
