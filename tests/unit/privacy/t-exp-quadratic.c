/* Integrals of exponentials of quadratics against the tanh-sinh rule with many bits. */
#include "privacy/renyi/exp-quadratic.h"

#include "case.h"
#include "reference/quadrature.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct subject {
    const dpn_quadratic *q;
    double top;
} subject;

static real value_at(const void *context, real s) {
    const subject *at = context;
    const double *c = at->q->c;
    size_t mark = r_mark();
    real slope = r_add(r_num(c[1]), r_times(s, c[2]));
    return r_keep(mark, r_exp(r_sub(r_add(r_num(c[0]), r_mul(s, slope)), r_num(at->top))));
}

/* In the unit of the exponent, from the hump on either side. */
static real truth(const dpn_quadratic *q, double length, double top) {
    subject at = {q, top};
    double vertex = q->c[2] != 0 ? -q->c[1] / (2 * q->c[2]) : -1;
    double end = isinf(length) ? fmax(vertex, 0) + 60 / sqrt(-q->c[2]) : length;
    real split = r_num(vertex > 0 && vertex < end ? vertex : 0.5 * end);
    real left = r_integrate(value_at, &at, r_num(0), split, 70);
    return r_add(left, r_integrate(value_at, &at, split, r_num(end), 70));
}

static void it_meets_the_integral(void **state) {
    (void)state;
    draw_source source = {19};
    double worst = 0;
    r_precision(256);
    for (int i = 0; i < case_count(300); i++) {
        size_t mark = r_mark();
        double sign = draw_chance(&source, 0.5) ? -1 : 1, length = draw_log_uniform(&source, 1e-3, 1e2);
        dpn_quadratic q = {{0, sign * draw_log_uniform(&source, 1e-3, 10) * (draw_chance(&source, 0.1) ? 0 : 1),
                            (draw_chance(&source, 0.3) ? 1 : -1) * draw_log_uniform(&source, 1e-12, 10)}};
        if (draw_chance(&source, 0.1)) q.c[2] = 0;
        if (q.c[2] < -1e-2 && draw_chance(&source, 0.3)) length = INFINITY;
        if (isfinite(length) && fabs(q.c[1]) * length + fabs(q.c[2]) * length * length > 300) continue;
        dpn_scaled got = dpn_exp_quadratic(&q, length);
        real expected = truth(&q, length, got.exponent);
        double error = fabs(r_double(r_div(r_sub(r_num(got.mantissa), expected), expected)));
        double allowed = 1e-3 * DPN_EXP_QUADRATIC_ERROR + 2e-16 * got.size;
        if (!(error <= allowed)) fail_msg("%.17g, %.17g, length %.17g: off by %g", q.c[1], q.c[2], length, error);
        worst = fmax(worst, error - 2e-16 * got.size);
        r_release(mark);
    }
    print_message("# largest relative error %.1e beside the rounding of the exponent\n", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_meets_the_integral)};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
