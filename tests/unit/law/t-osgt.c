/* osgt: its limits, and its moments a second time by quadrature. */
#include <dpnoise/law.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static dpn_law osgt(double m, double sigma) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_make(&law, "osgt", (double[]){m, sigma}, 2, &why) != DPN_OK) fail_msg("%s", why.sentence);
    return law;
}

static dpn_law of_scale(const char *family, double scale) {
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, family, &scale, 1, NULL), DPN_OK);
    return law;
}

static void assert_near(double x, double expected, double tolerance) {
    if (!(x == expected || fabs(x - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g is not %.17g", x, expected);
}

/* From the Gaussian limit to the Laplace limit, and the corners of the domain. */
static const double table[][2] = {
    {0, 1},         {1e-300, 1},   {5e-324, 1e150},  {1e-9, 1},
    {0.3, 1.7},     {1, 1},        {1.25, 1},        {3, 6.324555320336759},
    {3, 0.7},       {10, 1},       {40, 1},          {1e6, 1e3},
    {1e12, 1},      {1e150, 1},    {1e-155, 1e-150}, {0.9, 1e-75},
    {1e150, 1e150}, {1e150, 1e75},
};
enum { LAWS = sizeof table / sizeof *table };

#define EACH_LAW(law)                          \
    for (size_t each = 0; each < LAWS; each++) \
        for (dpn_law law = osgt(table[each][0], table[each][1]), *once = &law; once; once = NULL)

/* The members at points agree with those of another law. */
static void assert_same_law(const dpn_law *law, const dpn_law *other, double tolerance) {
    double scale = dpn_law_mean_abs(other);
    for (double u = 0; u < 35; u = 1.3 * u + 0.01) {
        double t = u * scale;
        assert_near(dpn_law_pdf(law, t), dpn_law_pdf(other, t), tolerance);
        assert_near(dpn_law_sf(law, t), dpn_law_sf(other, t), tolerance);
        assert_near(dpn_law_cdf(law, t), dpn_law_cdf(other, t), tolerance);
        assert_near(dpn_law_log_sf(law, t), dpn_law_log_sf(other, t), tolerance);
        assert_near(dpn_law_psi(law, t), dpn_law_psi(other, t), tolerance);
    }
    for (double p = 0.5; p > 1e-300; p *= 0.03) assert_near(dpn_law_isf(law, p), dpn_law_isf(other, p), tolerance);
    assert_near(dpn_law_isf(law, 0.5 - 0x1p-53), dpn_law_isf(other, 0.5 - 0x1p-53), tolerance);
    assert_near(dpn_law_variance(law), dpn_law_variance(other), tolerance);
    assert_near(dpn_law_mean_abs(law), dpn_law_mean_abs(other), tolerance);
    assert_near(dpn_law_fisher(law), dpn_law_fisher(other), tolerance);
    assert_near(dpn_law_entropy(law), dpn_law_entropy(other), tolerance);
    for (double v = 0.1; v < 0.95; v += 0.17)
        assert_near(dpn_law_log_mgf(law, v / scale), dpn_law_log_mgf(other, v / scale), fmax(tolerance, 1e-13));
}

static void gaussian_limit(void **state) {
    (void)state;
    for (double sigma = 1e-150; sigma <= 1e150; sigma *= 7e9) {
        dpn_law gaussian = of_scale("gaussian", sigma), law = osgt(0, sigma);
        assert_same_law(&law, &gaussian, 1e-15);
        law = osgt(1e-18 * sigma, sigma);
        assert_same_law(&law, &gaussian, 1e-15);
        assert_true(dpn_law_sub_gaussian_upper(&law) == dpn_law_sub_gaussian_upper(&gaussian));
    }
}

static void laplace_limit(void **state) {
    (void)state;
    dpn_law law = osgt(1e150, 1e75), laplace = of_scale("laplace", 1);
    assert_same_law(&law, &laplace, 1e-13); /* the doubles 1e150 and 1e75 squared differ by 1e-16 */
    law = osgt(1e150, 1);
    laplace = of_scale("laplace", 1e-150);
    assert_same_law(&law, &laplace, 1e-13);
}

/* It is the Gaussian law beyond m, moved: sf(t) = Q((m + t)/sigma)/2Q(m/sigma), and E(|X| + m)^2 is
 * sigma^2 + m (m + E|X|). */
static void tails_of_the_gaussian(void **state) {
    (void)state;
    for (double m = 0; m < 6; m += 0.37) {
        dpn_law law = osgt(m, 1.3), gaussian = of_scale("gaussian", 1.3);
        for (double t = 0; t < 20; t += 0.7)
            assert_near(dpn_law_sf(&law, t), dpn_law_sf(&gaussian, m + t) / (2 * dpn_law_sf(&gaussian, m)), 1e-13);
        double mean_abs = dpn_law_mean_abs(&law);
        assert_near(dpn_law_variance(&law) + m * (2 * mean_abs + m), 1.69 + m * (m + mean_abs), 1e-14);
    }
    dpn_law law = osgt(3, 6.324555320336759);
    assert_near(dpn_law_variance(&law), 27.7046783263, 2e-12);
}

static void tails_and_quantiles(void **state) {
    (void)state;
    EACH_LAW(law) {
        for (double p = 0.5; p > 1e-300; p *= 0.37) {
            double t = dpn_law_isf(&law, p), sf = dpn_law_sf(&law, t);
            double condition = 2 + t * exp(dpn_law_log_pdf(&law, t) - log(p));
            assert_near(sf, p, 4e-16 * condition);
            assert_near(sf + dpn_law_cdf(&law, t), 1, 3e-16);
            assert_near(dpn_law_log_sf(&law, t), log(sf), 1e-15);
            assert_true(dpn_law_quantile(&law, p) == -t);
        }
        for (double gap = 0.25; gap >= 0x1p-53; gap *= 0.5) { /* towards 1, and towards the centre from both sides */
            assert_near(dpn_law_sf(&law, dpn_law_isf(&law, 1 - gap)), 1 - gap, 2e-15);
            assert_true(dpn_law_isf(&law, 0.5 + gap) == -dpn_law_isf(&law, 0.5 - gap));
            assert_near(dpn_law_sf(&law, dpn_law_isf(&law, 0.5 - gap)), 0.5 - gap, 2e-15);
        }
    }
}

static void tails_fall(void **state) {
    (void)state;
    EACH_LAW(law) {
        double scale = dpn_law_mean_abs(&law), last = 1, last_log = 0, last_isf = INFINITY;
        for (double u = -40; u < 900; u += 0.37) {
            double sf = dpn_law_sf(&law, u * scale), log_sf = dpn_law_log_sf(&law, u * scale);
            assert_true(sf <= last && log_sf <= last_log);
            last = sf;
            last_log = log_sf;
        }
        for (double p = 1e-300; p < 1; p *= 1.9) {
            assert_true(dpn_law_isf(&law, p) < last_isf);
            last_isf = dpn_law_isf(&law, p);
        }
    }
}

static void density_is_the_slope(void **state) {
    (void)state;
    EACH_LAW(law) {
        double scale = dpn_law_mean_abs(&law), h = 1e-4 * scale;
        for (double u = 0.01; u < 9; u += 0.31) {
            double t = u * scale, slope = (dpn_law_sf(&law, t - h) - dpn_law_sf(&law, t + h)) / (2 * h);
            assert_near(dpn_law_pdf(&law, t), slope, 1e-6);
        }
    }
}

/* Twice the integral of weight(t) pdf(t) over t > 0, by Simpson's rule. */
static double mean(const dpn_law *law, double (*weight)(const dpn_law *, double, double), double s) {
    int n = 40000;
    double h = 60 * dpn_law_parameter(law, "sigma") / n, sum = 0;
    for (int i = 0; i <= n; i++)
        sum += 2 * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * h / 3 * weight(law, i * h, s) * dpn_law_pdf(law, i * h);
    return sum;
}

static double one(const dpn_law *law, double t, double s) {
    (void)law, (void)t, (void)s;
    return 1;
}

static double absolute(const dpn_law *law, double t, double s) {
    (void)law, (void)s;
    return t;
}

static double square(const dpn_law *law, double t, double s) {
    (void)law, (void)s;
    return t * t;
}

static double surprise(const dpn_law *law, double t, double s) {
    (void)s;
    return dpn_law_pdf(law, t) > 0 ? -dpn_law_log_pdf(law, t) : 0;
}

static double slope_squared(const dpn_law *law, double t, double s) {
    (void)s;
    double m = dpn_law_parameter(law, "m"), sigma = dpn_law_parameter(law, "sigma");
    return pow((t + m) / (sigma * sigma), 2);
}

static double tilt(const dpn_law *law, double t, double s) {
    (void)law;
    return cosh(s * t);
}

static void moments_are_integrals(void **state) {
    (void)state;
    static const double small[][2] = {{0, 1},    {1e-9, 1}, {0.01, 1}, {0.3, 1.7}, {1.24, 1},
                                      {1.26, 1}, {2, 1},    {3, 2},    {4, 1}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        dpn_law law = osgt(small[i][0], small[i][1]);
        assert_near(mean(&law, one, 0), 1, 1e-9);
        assert_near(dpn_law_mean_abs(&law), mean(&law, absolute, 0), 1e-8);
        assert_near(dpn_law_variance(&law), mean(&law, square, 0), 1e-8);
        assert_near(dpn_law_entropy(&law), mean(&law, surprise, 0), 1e-8);
        assert_near(dpn_law_fisher(&law), mean(&law, slope_squared, 0), 1e-8);
        for (double s = 0.1; s < 5; s *= 1.7) assert_near(exp(dpn_law_log_mgf(&law, s)), mean(&law, tilt, s), 1e-8);
    }
}

/* log M(s) is 0 at 0, positive, increasing, below sigma^2 s^2/2, and infinite only where no double holds it. */
static void generating_function(void **state) {
    (void)state;
    EACH_LAW(law) {
        double sigma = table[each][1], last = 0;
        for (double v = 1e-12; v < 1e150; v *= 2.9) {
            double tau = v * sigma / dpn_law_mean_abs(&law),
                   log_mgf = dpn_law_log_mgf(&law, v / dpn_law_mean_abs(&law));
            assert_true(log_mgf > last || log_mgf == INFINITY);
            assert_true(log_mgf <= 0.5 * tau * tau * (1 + 1e-14) + 1e-14);
            if (tau < 1e150) assert_true(isfinite(log_mgf));
            last = log_mgf;
        }
        assert_true(dpn_law_log_mgf(&law, -1.5 / sigma) == dpn_law_log_mgf(&law, 1.5 / sigma));
        assert_true(dpn_law_mgf_bound(&law) == INFINITY);
        assert_true(dpn_law_nfi(&law) >= 1 - 3e-15 && dpn_law_nfi(&law) <= 2 + 3e-15);
    }
}

static void ends(void **state) {
    (void)state;
    EACH_LAW(law) {
        assert_true(dpn_law_sf(&law, 0) == 0.5 && dpn_law_cdf(&law, 0) == 0.5);
        assert_true(dpn_law_sf(&law, INFINITY) == 0 && dpn_law_sf(&law, -INFINITY) == 1 &&
                    isnan(dpn_law_sf(&law, NAN)));
        assert_true(dpn_law_isf(&law, 0) == INFINITY && dpn_law_isf(&law, 1) == -INFINITY &&
                    dpn_law_isf(&law, 0.5) == 0);
        assert_true(isnan(dpn_law_isf(&law, -0x1p-60)) && isnan(dpn_law_isf(&law, NAN)) &&
                    isnan(dpn_law_quantile(&law, 2)));
        assert_true(dpn_law_psi(&law, 0) == 0 && dpn_law_psi(&law, 1.7e308) > 0 &&
                    !isnan(dpn_law_log_sf(&law, 1.7e308)));
        assert_true(dpn_law_log_mgf(&law, 0) == 0 && dpn_law_log_mgf(&law, 1e308) == INFINITY);
        assert_true(dpn_law_pdf(&law, 5e-324) == dpn_law_pdf(&law, 0) && dpn_law_is_log_concave(&law));
    }
}

static void refused(void **state) {
    (void)state;
    static const struct {
        double m, sigma;
        const char *named;
    } bad[] = {
        {-1, 1, "m must"},    {1e151, 1e150, "m must"}, {NAN, 1, "m must"}, {INFINITY, 1, "m must"},
        {1, 1e-76, "m must"}, {1, 0, "sigma"},          {1, -1, "sigma"},   {1, 1e-151, "sigma"},
        {1, 1e151, "sigma"},  {1, NAN, "sigma"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_law law = {.family = NULL};
        dpn_error why;
        assert_int_equal(dpn_law_make(&law, "osgt", (double[]){bad[i].m, bad[i].sigma}, 2, &why), DPN_EDOMAIN);
        assert_null(law.family);
        if (!strstr(why.sentence, bad[i].named)) fail_msg("'%s' does not name %s", why.sentence, bad[i].named);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian_limit),
        cmocka_unit_test(laplace_limit),
        cmocka_unit_test(tails_of_the_gaussian),
        cmocka_unit_test(tails_and_quantiles),
        cmocka_unit_test(tails_fall),
        cmocka_unit_test(density_is_the_slope),
        cmocka_unit_test(moments_are_integrals),
        cmocka_unit_test(generating_function),
        cmocka_unit_test(ends),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
