/* What psi alone says of a law, held against the closed forms of the families: each law is asked twice, once through a
 * copy of its family's row without the closed forms. */
#include "law/facts.h"
#include "law/generic.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const char *const texts[] = {
    "gaussian(sigma=1.7)",
    "gaussian(sigma=1e-150)",
    "gaussian(sigma=1e150)",
    "laplace(scale=0.3)",
    "flipped-huber(alpha=3,gamma=1.1)",
    "flipped-huber(alpha=0.01,gamma=2)",
    "osgt(m=3,sigma=6.3)",
    "huber(alpha=1.3,gamma=0.7)",
    "huber(alpha=0.05,gamma=1)",
    "truncated-laplace(scale=2,bound=9)",
    "truncated-laplace(scale=2,bound=0.01)",
    "subbotin(p=1.25,scale=1.5)",
    "subbotin(p=3,scale=2)",
    "subbotin(p=40,scale=2)",
    "logistic(scale=2.5)",
    "discrete-gaussian(sigma=0.3)",
    "discrete-gaussian(sigma=30)",
    "discrete-gaussian(sigma=1e9)",
    "discrete-laplace(scale=0.2)",
    "discrete-laplace(scale=50)",
    "discrete-laplace(scale=400)",
    "discrete-laplace(scale=1e7)",
    "discrete-flipped-huber(alpha=3.5,gamma=1.1)",
    "discrete-flipped-huber(alpha=2.5e6,gamma=1e6)",
    "discrete-osgt(m=3,sigma=6)",
    "discrete-osgt(m=2e6,sigma=1e6)",
};
enum { TEXTS = sizeof texts / sizeof *texts };

/* The row of a family with nothing but psi; where psi has corners it says where. */
static struct dpn_family bare_row(const dpn_law *law) {
    const struct dpn_family *family = law->family;
    dpn_pieces pieces;
    struct dpn_family row = {.name = family->name, .refuse = family->refuse, .prepare = family->prepare};
    row.integer = family->integer;
    row.psi = family->psi;
    row.support = family->support;
    for (size_t i = 0; i < DPN_LAW_PARAMETERS; i++) row.parameter[i] = family->parameter[i];
    if (dpn_law_pieces(&pieces, law) && pieces.count > 1) {
        row.pieces = family->pieces;
        row.continuous = family->continuous;
    }
    return row;
}

/* The law twice. */
static void make(dpn_law *law, dpn_law *bare, struct dpn_family *row, const char *text) {
    assert_int_equal(dpn_law_parse(law, text, NULL), DPN_OK);
    *row = bare_row(law);
    *bare = *law;
    bare->family = row;
    dpn_generic_prepare(bare);
}

static void near(double a, double b, double error, const char *text, const char *what, double at) {
    double off = a == b || (isnan(a) && isnan(b)) ? 0 : fabs(a - b) / fabs(b);
    if (!(off <= error)) fail_msg("%s: %s(%g) is %.17g, not %.17g: %g", text, what, at, a, b, off);
}

static const double probabilities[] = {0.499999, 0.45, 0.3, 0.25, 0.2, 0.05, 1e-3, 1e-6, 1e-15, 1e-60, 1e-300};
enum { PROBABILITIES = sizeof probabilities / sizeof *probabilities };

static void at_points(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        dpn_law law, bare;
        struct dpn_family row;
        make(&law, &bare, &row, texts[i]);
        assert_true(dpn_law_tail_error(&law) == 0 && dpn_law_tail_error(&bare) >= 1000 * 1e-13);
        near(dpn_law_pdf(&bare, 0), dpn_law_pdf(&law, 0), 1e-13, texts[i], "pdf", 0);
        for (size_t j = 0; j < PROBABILITIES; j++) {
            double t = dpn_law_isf(&law, probabilities[j]);
            /* Where all digits of t count so do those that the sum loses. */
            near(dpn_law_sf(&bare, t), dpn_law_sf(&law, t), 1e-13, texts[i], "sf", t);
            near(dpn_law_log_cdf(&bare, t), dpn_law_log_cdf(&law, t), 1e-13, texts[i], "log_cdf", t);
            if (!law.family->integer) near(dpn_law_isf(&bare, probabilities[j]), t, 1e-13, texts[i], "isf", t);
            if (law.family->integer && probabilities[j] != 0.25)
                assert_true(fabs(dpn_law_isf(&bare, probabilities[j]) - t) <= 1e-13 * t);
        }
        assert_true(dpn_law_quantile(&bare, 0.5) == 0);
    }
}

static void of_the_whole(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        dpn_law law, bare;
        struct dpn_family row;
        make(&law, &bare, &row, texts[i]);
        near(dpn_law_variance(&bare), dpn_law_variance(&law), 1e-13, texts[i], "variance", 0);
        near(dpn_law_mean_abs(&bare), dpn_law_mean_abs(&law), 1e-13, texts[i], "mean_abs", 0);
        near(dpn_law_fisher(&bare), dpn_law_fisher(&law), 1e-9, texts[i], "fisher", 0);
        near(exp(dpn_law_entropy(&bare) - dpn_law_entropy(&law)), 1, 1e-12, texts[i], "entropy", 0);
        near(dpn_law_mgf_bound(&bare), dpn_law_mgf_bound(&law), 1e-15, texts[i], "mgf_bound", 0);
        double unit = fmin(1 / sqrt(dpn_law_variance(&law)), dpn_law_mgf_bound(&law));
        for (double s = 1e-6; s < 30; s *= 3.7) {
            double one = dpn_law_log_mgf(&law, s * unit), other = dpn_law_log_mgf(&bare, s * unit);
            if (!(one == other || fabs(one - other) <= 1e-12 * (1 + one)))
                fail_msg("%s: log_mgf(%g) is %.17g, not %.17g", texts[i], s * unit, other, one);
        }
    }
}

/* Where the family says nothing, the bound of a slope that is never reached is still found. */
static void unbounded_slopes_are_told(void **state) {
    (void)state;
    dpn_law law, bare;
    struct dpn_family row;
    make(&law, &bare, &row, "logistic(scale=2.5)");
    assert_true(isinf(dpn_law_slope(&bare).top));
    double bound = dpn_law_mgf_bound(&bare);
    assert_true(fabs(bound - 0.4) < 1e-15 && isinf(dpn_law_log_mgf(&bare, bound)));
    make(&law, &bare, &row, "subbotin(p=1.0001,scale=1)");
    assert_true(isinf(dpn_law_mgf_bound(&bare)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_points),
        cmocka_unit_test(of_the_whole),
        cmocka_unit_test(unbounded_slopes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
