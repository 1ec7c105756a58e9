/* The Orlicz function against the integral of the density in multiple precision. */
#include "case.h"
#include "reference/quadrature.h"

#include <dpnoise/loss.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct subject {
    const ref_law *law;
    double s, scale; /* the deviation of the tails */
} subject;

/* exp(s x^2/2v - psi(x)) */
static real value_at(const void *context, real x) {
    const subject *at = context;
    size_t mark = r_mark();
    real growth = r_over(r_times(r_square(x), at->s), 2);
    real variance = r_square(r_num(at->scale)); /* not rounded: near s = 1 little is left of its reciprocal */
    return r_keep(mark, r_exp(r_sub(r_div(growth, variance), ref_psi(at->law, x))));
}

/* 2 pdf(0) times the integral over x > 0: to the bend, and beyond it to where the rest is below 2^-80. */
static double truth(const ref_law *law, double bend, double s, double scale) {
    subject at = {law, s, scale};
    size_t mark = r_mark();
    double reach = scale * 12 / sqrt(1 - s);
    real sum = r_integrate(value_at, &at, r_num(bend), r_num(bend + reach), 60);
    if (bend > 0) {
        double near = fmin(bend, 60 * scale * scale / bend); /* the law is an exponential there: its mass is near 0 */
        sum = r_add(sum, r_integrate(value_at, &at, r_num(0), r_num(near), 60));
        if (near < bend) sum = r_add(sum, r_integrate(value_at, &at, r_num(near), r_num(bend), 30));
    }
    double value = r_double(r_times(r_mul(sum, r_exp(r_neg(law->constant[REF_LOG_MASS]))), 2));
    r_release(mark);
    return value;
}

static void it_is_the_integral(void **state) {
    (void)state;
    draw_source source = {91};
    double worst = 0;
    for (int i = 0; i < case_count(40); i++) {
        size_t mark = r_mark();
        bool flipped = i % 2;
        double scale = draw_log_uniform(&source, 1e-3, 1e3), b = draw_log_uniform(&source, 1e-3, 1e3);
        double parameter[] = {b * scale, scale},
               s = i % 5 == 0 ? 1 - draw_log_uniform(&source, 1e-4, 1) : draw_uniform(&source, 0, 0.95);
        const char *family = flipped ? "flipped-huber" : "osgt";
        dpn_law law;
        ref_law reference;
        double got = 0;
        assert_int_equal(dpn_law_make(&law, family, parameter, 2, NULL), DPN_OK);
        ref_make(&reference, ref_find(family), parameter, 0);
        assert_int_equal(dpn_law_orlicz(&got, &law, s, NULL), DPN_OK);
        /* osgt has no bend, but at large b its mass is near 0 too */
        double bend = flipped ? parameter[0] : fmin(scale, 60 * scale / b);
        double expected = truth(&reference, bend, s, scale), error = fabs(got / expected - 1);
        if (!(error <= 2e-14)) fail_msg("%s, b = %g, s = %g: %.17g, not %.17g", family, b, s, got, expected);
        assert_true(got <= (1 + 1e-14) / sqrt(1 - s)); /* sub-Gaussian */
        worst = fmax(worst, error);
        r_release(mark);
    }
    print_message("# largest relative error %.1e\n", worst);
}

/* FH prints C(s)/sqrt(1 - s) with Q and erfi; at b = 2, s = 1/2 by mpmath with 40 digits. */
static void known_values(void **state) {
    (void)state;
    double got = 0;
    dpn_law law = case_law("gaussian(sigma=3)");
    assert_int_equal(dpn_law_orlicz(&got, &law, 0.75, NULL), DPN_OK);
    assert_true(fabs(got - 2) < 1e-14);
    law = case_law("flipped-huber(alpha=0,gamma=3)");
    assert_int_equal(dpn_law_orlicz(&got, &law, 0.75, NULL), DPN_OK);
    assert_true(fabs(got - 2) < 1e-14);
    law = case_law("flipped-huber(alpha=2,gamma=1)");
    assert_int_equal(dpn_law_orlicz(&got, &law, 0, NULL), DPN_OK);
    assert_true(fabs(got - 1) < 1e-14);
    assert_int_equal(dpn_law_orlicz(&got, &law, 0.5, NULL), DPN_OK);
    assert_true(fabs(got / 1.177058752610436199813952458875477228 - 1) < 1e-14);
}

static void others_are_refused(void **state) {
    (void)state;
    double got = 7;
    static const char *const none[] = {"laplace(scale=1)", "huber(alpha=1,gamma=1)", "discrete-gaussian(sigma=3)",
                                       "truncated-laplace(scale=1,bound=3)", "logistic(scale=1)"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        dpn_law law = case_law(none[i]);
        assert_int_equal(dpn_law_orlicz(&got, &law, 0.5, NULL), DPN_EUNSUPPORTED);
    }
    dpn_law law = case_law("gaussian(sigma=1)");
    assert_int_equal(dpn_law_orlicz(&got, &law, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_law_orlicz(&got, &law, -0.1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_law_orlicz(&got, &law, NAN, NULL), DPN_EDOMAIN);
    assert_true(got == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_integral),
        cmocka_unit_test(known_values),
        cmocka_unit_test(others_are_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
