/* The double-exponential rule on integrals known in closed form. */
#include "law/tanh-sinh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* The context is one double: the rate, or the power, or the sharpness. */
static double falling(const void *context, double x) {
    const double *rate = context;
    return exp(-*rate * x);
}

static double power(const void *context, double x) {
    const double *exponent = context;
    return pow(x, *exponent);
}

static double minus_log(const void *context, double x) {
    (void)context;
    return -log(x);
}

/* Nearly 1 up to an edge near the end, 1/sharpness of the interval wide. */
static double edge(const void *context, double x) {
    const double *sharpness = context;
    return exp(-exp(4 + *sharpness * (x - 1)));
}

static void assert_integral(double got, double expected, double tolerance) {
    if (!(fabs(got - expected) <= tolerance * expected)) fail_msg("%.17g is not %.17g", got, expected);
}

static void exponentials(void **state) {
    (void)state;
    for (double rate = 1e-9; rate < 100; rate *= 1.9)
        for (double width = 1e-100; width < 1e100 && rate * width < 100; width *= 1e3)
            assert_integral(dpn_integrate(falling, &rate, width), -expm1(-rate * width) / rate, 1e-15);
}

static void singular_ends(void **state) {
    (void)state;
    for (double exponent = 0; exponent < 20; exponent += 0.37)
        assert_integral(dpn_integrate(power, &exponent, 1), 1 / (exponent + 1), 2e-15);
    assert_integral(dpn_integrate(minus_log, NULL, 1), 1, 1e-14);
}

/* With E1(x) = -gamma - log x + x - ... the integral is [E1(exp(4 - sharpness)) - E1(exp(4))]/sharpness. */
static void sharp_edges(void **state) {
    (void)state;
    const double euler = 0.577215664901532860606512090082402431;
    for (double sharpness = 50; sharpness <= 1e5; sharpness *= 1.3)
        assert_integral(dpn_integrate(edge, &sharpness, 1), 1 - (4 + euler) / sharpness, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials),
        cmocka_unit_test(singular_ends),
        cmocka_unit_test(sharp_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
