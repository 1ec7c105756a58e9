/* huber: its limits, its seam at alpha, and its moments a second time by quadrature. */
#include <dpnoise/law.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static dpn_law huber(double alpha, double gamma) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_make(&law, "huber", (double[]){alpha, gamma}, 2, &why) != DPN_OK) fail_msg("%s", why.sentence);
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

/* From the Laplace limit over both sides of the seam to the Gaussian limit, and the corners of the domain. */
static const double table[][2] = {
    {2e-150, 1}, {1e-9, 1},       {1e-3, 1e-1},     {0.1, 1},       {0.3, 1.7},    {0.6, 1},       {1, 1},
    {1.3, 1},    {2, 1},          {3, 0.7},         {8, 1},         {37, 1},       {40, 1},        {1e6, 1},
    {1e150, 1},  {1e150, 1e-150}, {1e-150, 1e-150}, {1e150, 1e150}, {1e-70, 1e30}, {1e-75, 1e-75},
};
enum { LAWS = sizeof table / sizeof *table };

#define EACH_LAW(law)                          \
    for (size_t each = 0; each < LAWS; each++) \
        for (dpn_law law = huber(table[each][0], table[each][1]), *once = &law; once; once = NULL)

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

static void laplace_limit(void **state) {
    (void)state;
    dpn_law law = huber(1e-150, 1e-75), laplace = of_scale("laplace", 1);
    assert_same_law(&law, &laplace, 1e-13); /* the doubles 1e-150 and 1e-75 squared differ by 1e-16 */
    law = huber(1e-40, 1e20);
    laplace = of_scale("laplace", 1e80);
    assert_same_law(&law, &laplace, 1e-13);
}

static void gaussian_limit(void **state) {
    (void)state;
    for (double gamma = 1e-148; gamma <= 1e148; gamma *= 7e9) {
        dpn_law law = huber(60 * gamma, gamma), gaussian = of_scale("gaussian", gamma);
        assert_same_law(&law, &gaussian, 1e-15);
        law = huber(1e150, gamma);
        assert_same_law(&law, &gaussian, 1e-15);
    }
}

static void tails_and_quantiles(void **state) {
    (void)state;
    EACH_LAW(law) {
        for (double p = 0.5; p > 1e-300; p *= 0.37) {
            double t = dpn_law_isf(&law, p), sf = dpn_law_sf(&law, t);
            double condition = 2 + t * exp(dpn_law_log_pdf(&law, t) - log(p));
            assert_near(sf, p, 1e-15 * condition);
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

/* One ulp around alpha no member jumps, and no tail rises. */
static void seam(void **state) {
    (void)state;
    EACH_LAW(law) {
        double alpha = table[each][0];
        double below = nextafter(alpha, 0), above = nextafter(alpha, INFINITY);
        double step = 1e-15 * (1 + dpn_law_psi(&law, alpha));
        for (int i = 0; i < 2; i++) {
            double t = i ? above : below;
            assert_near(dpn_law_psi(&law, t), dpn_law_psi(&law, alpha), 1e-15);
            assert_near(dpn_law_pdf(&law, t), dpn_law_pdf(&law, alpha), step);
            assert_near(dpn_law_sf(&law, t), dpn_law_sf(&law, alpha), 2 * step);
        }
        double p = dpn_law_sf(&law, alpha);
        if (p < 1e-300) continue;
        double before = dpn_law_isf(&law, nextafter(p, 1)), behind = dpn_law_isf(&law, nextafter(p, 0));
        assert_near(before, behind, 1e-15 + 5e-16 * p / (alpha * dpn_law_pdf(&law, alpha)));
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

/* Twice the integral of weight(t) pdf(t) over t > 0, by Simpson's rule on both sides of alpha. */
static double mean(const dpn_law *law, double (*weight)(const dpn_law *, double, double), double s) {
    double alpha = dpn_law_parameter(law, "alpha"), gamma = dpn_law_parameter(law, "gamma");
    double from[] = {0, alpha}, to[] = {alpha, alpha + 80 * (gamma + gamma * gamma / alpha)}, sum = 0;
    for (int piece = 0; piece < 2; piece++) {
        int n = 8000;
        double h = (to[piece] - from[piece]) / n;
        for (int i = 0; i <= n; i++) {
            double t = from[piece] + i * h, factor = i == 0 || i == n ? 1 : i % 2 ? 4 : 2;
            sum += 2 * factor * h / 3 * weight(law, t, s) * dpn_law_pdf(law, t);
        }
    }
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
    double alpha = dpn_law_parameter(law, "alpha"), gamma = dpn_law_parameter(law, "gamma");
    return pow(fmin(t, alpha) / (gamma * gamma), 2);
}

static double tilt(const dpn_law *law, double t, double s) {
    (void)law;
    return cosh(s * t);
}

static void moments_are_integrals(void **state) {
    (void)state;
    static const double small[][2] = {{0.01, 1}, {0.3, 1.7}, {0.99, 1}, {1.01, 1}, {1.3, 1}, {2, 1}, {3, 0.7}, {6, 2}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        dpn_law law = huber(small[i][0], small[i][1]);
        assert_near(mean(&law, one, 0), 1, 1e-9);
        assert_near(dpn_law_mean_abs(&law), mean(&law, absolute, 0), 1e-8);
        assert_near(dpn_law_variance(&law), mean(&law, square, 0), 1e-8);
        assert_near(dpn_law_entropy(&law), mean(&law, surprise, 0), 1e-8);
        assert_near(dpn_law_fisher(&law), mean(&law, slope_squared, 0), 1e-8);
        double pole = dpn_law_mgf_bound(&law);
        for (double v = 0.05; v < 0.6; v += 0.09)
            assert_near(exp(dpn_law_log_mgf(&law, v * pole)), mean(&law, tilt, v * pole), 1e-8);
    }
}

/* The values are those of the source. */
static void normalised_fisher(void **state) {
    (void)state;
    static const double b[] = {0.5, 1, 2, 3}, nfi[] = {1.726501, 1.313413, 1.022469, 1.000646};
    for (int i = 0; i < 4; i++) {
        dpn_law law = huber(b[i], 1);
        if (!(fabs(dpn_law_nfi(&law) - nfi[i]) < 6e-7)) fail_msg("nfi at %g is %.9g", b[i], dpn_law_nfi(&law));
    }
    EACH_LAW(law) assert_true(dpn_law_nfi(&law) >= 1 - 1e-15 && dpn_law_nfi(&law) <= 2 + 1e-15);
}

/* The pole lies at alpha/gamma^2. Next to it M(s) is e^(-b^2/2) e^(b tau)/((b - tau) z) and little else. */
static void pole(void **state) {
    (void)state;
    dpn_law law = huber(18, 3); /* the pole is the double 2 */
    assert_true(dpn_law_mgf_bound(&law) == 2 && dpn_law_log_mgf(&law, 2) == INFINITY);
    double before = dpn_law_log_mgf(&law, nextafter(2, 0));
    assert_near(before, 18 + log(3 * dpn_law_pdf(&law, 0)) - log(3 * 0x1p-52), 1e-14);
    law = huber(1, 0.1); /* the pole 1/0.1^2 is none, and the nearest double is on one side of it */
    double bound = dpn_law_mgf_bound(&law);
    assert_near(bound, 100, 1e-15);
    assert_true(isfinite(dpn_law_log_mgf(&law, nextafter(bound, 0))));
    assert_true(dpn_law_log_mgf(&law, nextafter(bound, INFINITY)) == INFINITY);
    EACH_LAW(each_law) {
        double end = dpn_law_mgf_bound(&each_law), last = 0;
        for (double v = 1e-12; v < 0.999 && isfinite(end); v = fmin(1.9 * v, v + 0.03)) {
            double log_mgf = dpn_law_log_mgf(&each_law, v * end);
            assert_true(log_mgf > last || log_mgf == INFINITY);
            last = log_mgf;
        }
        assert_true(dpn_law_sub_gaussian_upper(&each_law) == INFINITY);
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
        double alpha, gamma;
        const char *named;
    } bad[] = {
        {0, 1, "alpha"},        {-1, 1, "alpha"},     {1e151, 1, "alpha"},  {NAN, 1, "alpha"},
        {INFINITY, 1, "alpha"}, {1, 1e76, "alpha"},   {1e-151, 1, "alpha"}, {1, 0, "gamma"},
        {1, -1, "gamma"},       {1, 1e-151, "gamma"}, {1, 1e151, "gamma"},  {1, NAN, "gamma"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_law law = {.family = NULL};
        dpn_error why;
        assert_int_equal(dpn_law_make(&law, "huber", (double[]){bad[i].alpha, bad[i].gamma}, 2, &why), DPN_EDOMAIN);
        assert_null(law.family);
        if (!strstr(why.sentence, bad[i].named)) fail_msg("'%s' does not name %s", why.sentence, bad[i].named);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laplace_limit),
        cmocka_unit_test(gaussian_limit),
        cmocka_unit_test(tails_and_quantiles),
        cmocka_unit_test(seam),
        cmocka_unit_test(tails_fall),
        cmocka_unit_test(density_is_the_slope),
        cmocka_unit_test(moments_are_integrals),
        cmocka_unit_test(normalised_fisher),
        cmocka_unit_test(pole),
        cmocka_unit_test(ends),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
