/* subbotin: the laws it contains, and its moments and moment generating function a second time. */
#include <dpnoise/law.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static dpn_law subbotin(double p, double scale) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_make(&law, "subbotin", (double[]){p, scale}, 2, &why) != DPN_OK) fail_msg("%s", why.sentence);
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

/* From the Laplace law to a nearly uniform one, and the corners of the domain. */
static const double table[][2] = {
    {1, 1},         {1, 1e-150}, {1, 1e150}, {1 + 0x1p-52, 1}, {1.0001, 3}, {1.5, 2},  {2, 1},         {2, 1e150},
    {2 + 1e-12, 1}, {2.5, 0.7},  {3, 1},     {10, 1},          {100, 1e75}, {1000, 1}, {1000, 1e-150}, {1000, 1e150},
};
enum { LAWS = sizeof table / sizeof *table };

#define EACH_LAW(law)                          \
    for (size_t each = 0; each < LAWS; each++) \
        for (dpn_law law = subbotin(table[each][0], table[each][1]), *once = &law; once; once = NULL)

/* The members of both laws agree, and their generating functions up to s = limit/E|X|. */
static void assert_same_law(const dpn_law *law, const dpn_law *other, double limit) {
    double scale = dpn_law_mean_abs(other);
    for (double u = 0; u < 35; u = 1.3 * u + 0.01) {
        double t = u * scale;
        assert_near(dpn_law_pdf(law, t), dpn_law_pdf(other, t), 1e-13);
        assert_near(dpn_law_sf(law, t), dpn_law_sf(other, t), 1e-13);
        assert_near(dpn_law_cdf(law, t), dpn_law_cdf(other, t), 1e-15);
        assert_near(dpn_law_log_sf(law, t), dpn_law_log_sf(other, t), 2e-15);
        assert_near(dpn_law_log_cdf(law, t), dpn_law_log_cdf(other, t), 1e-13);
        assert_near(dpn_law_psi(law, t), dpn_law_psi(other, t), 1e-15);
        assert_true(fabs(dpn_law_log_pdf(law, t) - dpn_law_log_pdf(other, t)) <= 1e-15 * (300 + dpn_law_psi(law, t)));
    }
    for (double p = 0.5; p > 1e-300; p *= 0.03) assert_near(dpn_law_isf(law, p), dpn_law_isf(other, p), 2e-15);
    assert_near(dpn_law_quantile(law, 0.5 - 0x1p-53), dpn_law_quantile(other, 0.5 - 0x1p-53), 2e-15);
    assert_near(dpn_law_variance(law), dpn_law_variance(other), 2e-15);
    assert_near(dpn_law_mean_abs(law), dpn_law_mean_abs(other), 2e-15);
    assert_near(dpn_law_fisher(law), dpn_law_fisher(other), 2e-15);
    assert_near(dpn_law_nfi(law), dpn_law_nfi(other), 2e-15);
    assert_near(dpn_law_entropy(law), dpn_law_entropy(other), 1e-15);
    assert_true(dpn_law_mgf_bound(law) == dpn_law_mgf_bound(other));
    assert_true(dpn_law_sub_gaussian_upper(law) == dpn_law_sub_gaussian_upper(other));
    for (double v = 1e-9; v < limit; v *= 1.3)
        assert_near(dpn_law_log_mgf(law, v / scale), dpn_law_log_mgf(other, v / scale), 1e-15);
}

static void laplace_at_one(void **state) {
    (void)state;
    for (double scale = 1e-150; scale <= 1e150; scale *= 7e9) {
        dpn_law law = subbotin(1, scale), laplace = of_scale("laplace", scale);
        assert_same_law(&law, &laplace, 1);
        double s = 1 / scale;
        for (int i = 0; i < 5; i++, s = nextafter(s, 0))
            assert_true(dpn_law_log_mgf(&law, s) == dpn_law_log_mgf(&laplace, s));
    }
}

static void gaussian_at_two(void **state) {
    (void)state;
    for (double scale = 1e-150; scale <= 1e150; scale *= 7e9) {
        dpn_law law = subbotin(2, scale), gaussian = of_scale("gaussian", scale);
        assert_same_law(&law, &gaussian, 1e6);
    }
}

/* What the shortcuts at 1 and 2 give is also what the formulas beside them give. */
static void neighbours(void **state) {
    (void)state;
    dpn_law laplace = of_scale("laplace", 1), gaussian = of_scale("gaussian", 1);
    dpn_law almost_laplace = subbotin(1 + 0x1p-52, 1), almost_gaussian = subbotin(2 - 0x1p-52, 1);
    for (double s = 0.01; s < 0.999; s += 0.01)
        assert_near(dpn_law_log_mgf(&almost_laplace, s), dpn_law_log_mgf(&laplace, s), 1e-12 * (1 + 0.01 / (1 - s)));
    for (double s = 0.01; s < 1e6; s *= 1.1)
        assert_near(dpn_law_log_mgf(&almost_gaussian, s), dpn_law_log_mgf(&gaussian, s), 2e-14);
    for (double t = 0; t < 36; t += 0.1) {
        assert_near(dpn_law_sf(&almost_laplace, t), dpn_law_sf(&laplace, t), 1e-13);
        assert_near(dpn_law_sf(&almost_gaussian, t), dpn_law_sf(&gaussian, t), 1e-12);
    }
}

/* psi(scale) = 1/p, whatever the rounding of p^(1/p) does to it on the way. */
static void every_power_meets_at_the_scale(void **state) {
    (void)state;
    for (double p = 1; p <= 1000; p *= 1.003) {
        dpn_law law = subbotin(p, 3);
        assert_near(dpn_law_psi(&law, 3) * p, 1, 3.4e-16);
    }
}

/* With scale 3, 7 or 1000003 the members are those of scale 1 in that unit. The points are such that t is exact;
 * t/scale rounded to a double would be seen in the tails of large p. */
static void scale_is_a_unit(void **state) {
    (void)state;
    static const double p[] = {1, 1.5, 2, 10, 100, 1000}, unit[] = {3, 7, 1000003};
    for (size_t i = 0; i < 18; i++) {
        double scale = unit[i % 3];
        dpn_law law = subbotin(p[i / 3], scale), standard = subbotin(p[i / 3], 1);
        for (double w = 0.5; w > 0x1p-900; w *= 0.6) {
            double x = ldexp(nearbyint(ldexp(dpn_law_isf(&standard, w), 20)), -20), psi = dpn_law_psi(&standard, x);
            double tolerance = 2e-14 + 4e-16 * psi;
            assert_near(dpn_law_psi(&law, scale * x), psi, 4e-16);
            assert_near(dpn_law_sf(&law, scale * x), dpn_law_sf(&standard, x), tolerance);
            assert_near(dpn_law_pdf(&law, scale * x) * scale, dpn_law_pdf(&standard, x), tolerance);
            assert_near(dpn_law_isf(&law, w), scale * dpn_law_isf(&standard, w), 1e-15);
        }
    }
}

static void tails_and_quantiles(void **state) {
    (void)state;
    EACH_LAW(law) {
        for (double p = 0.5; p > 1e-300; p *= 0.37) {
            double t = dpn_law_isf(&law, p), sf = dpn_law_sf(&law, t);
            double condition = 10 + t * exp(dpn_law_log_pdf(&law, t) - log(p));
            assert_near(sf, p, 4e-16 * condition);
            assert_near(sf + dpn_law_cdf(&law, t), 1, 3e-16);
            assert_near(dpn_law_log_sf(&law, t), log(sf), 1e-15);
            assert_true(dpn_law_quantile(&law, p) == -t);
        }
        for (double gap = 0.25; gap >= 0x1p-53; gap *= 0.5) { /* towards 1, and towards the centre from both sides */
            assert_near(dpn_law_sf(&law, dpn_law_isf(&law, 1 - gap)), 1 - gap, 1e-15);
            assert_true(dpn_law_isf(&law, 0.5 + gap) == -dpn_law_isf(&law, 0.5 - gap));
            assert_near(dpn_law_sf(&law, dpn_law_isf(&law, 0.5 - gap)), 0.5 - gap, 1e-15);
            if (gap < 1e-9) assert_near(dpn_law_isf(&law, 0.5 - gap) * dpn_law_pdf(&law, 0), gap, 1e-9);
        }
    }
}

static void tails_fall(void **state) {
    (void)state;
    EACH_LAW(law) {
        double scale = dpn_law_mean_abs(&law), last = 1, last_log = 0, last_isf = INFINITY;
        for (double u = -40; u<900; u += u> - 3 && u < 3 ? 1e-3 : 0.37) {
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

/* At points of every depth: the central difference, whose error is a sixth of the squared step times the second
 * derivative of the density. The step is small beside the length t/(p z) over which the density falls. */
static void density_is_the_slope(void **state) {
    (void)state;
    EACH_LAW(law) {
        double p = table[each][0];
        for (double level = 0.49; level > 1e-200; level *= 0.3) {
            double t = dpn_law_isf(&law, level), fall = t / (1 + p * (1 + dpn_law_psi(&law, t)));
            double before = t - 1e-4 * fall, after = t + 1e-4 * fall;
            double slope = (dpn_law_sf(&law, before) - dpn_law_sf(&law, after)) / (after - before);
            assert_near(slope, dpn_law_pdf(&law, t), 3e-8);
        }
    }
}

/* E weight(|X|), by Simpson's rule after t = c v^4, which makes the integrand smooth at zero. */
static double mean(const dpn_law *law, double (*weight)(const dpn_law *, double, double), double s) {
    int n = 4000;
    double far = dpn_law_isf(law, 1e-18), h = 1.0 / n, sum = 0;
    for (int i = 0; i <= n; i++) {
        double v = i * h, t = far * v * v * v * v;
        double part = 4 * far * v * v * v * weight(law, t, s) * dpn_law_pdf(law, t);
        sum += 2 * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * h / 3 * part;
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
    return -dpn_law_log_pdf(law, t);
}

static double slope_squared(const dpn_law *law, double t, double s) {
    (void)s;
    double p = dpn_law_parameter(law, "p"), scale = dpn_law_parameter(law, "scale");
    return pow(pow(t / scale, p - 1) / scale, 2);
}

static double tilt(const dpn_law *law, double t, double s) {
    (void)law;
    return cosh(s * t);
}

static void moments_are_integrals(void **state) {
    (void)state;
    static const double small[][2] = {{1, 2}, {1.0001, 1}, {1.3, 1}, {1.5, 2}, {2, 0.3}, {2.7, 1}, {6, 1}, {30, 1}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        dpn_law law = subbotin(small[i][0], small[i][1]);
        assert_near(mean(&law, one, 0), 1, 1e-9);
        assert_near(dpn_law_mean_abs(&law), mean(&law, absolute, 0), 1e-9);
        assert_near(dpn_law_variance(&law), mean(&law, square, 0), 1e-9);
        assert_near(dpn_law_entropy(&law), mean(&law, surprise, 0), 1e-9);
        assert_near(dpn_law_fisher(&law), mean(&law, slope_squared, 0), 1e-9);
        for (double tau = 0.1; tau < 0.4; tau += 0.1)
            assert_near(exp(dpn_law_log_mgf(&law, tau / small[i][1])), mean(&law, tilt, tau / small[i][1]), 1e-8);
    }
}

/* log sum_k tau^2k p^(2k/p) Gamma((2k+1)/p)/Gamma(1/p)/(2k)!: all terms are positive. */
static double log_mgf_by_series(double p, double tau) {
    double sum = 0, last = 0;
    for (int k = 0; k < 3000; k++) {
        double log_term = 2 * k * (log(tau) + log(p) / p) + lgamma((2 * k + 1) / p) - lgamma(1 / p) - lgamma(2 * k + 1);
        double term = exp(log_term);
        sum += term;
        if (term < last && term < 1e-17 * sum) break;
        last = term;
    }
    return log(sum);
}

static void generating_function_is_the_series(void **state) {
    (void)state;
    static const double p[] = {1.2, 1.5, 1.9, 2, 2.1, 3, 7.7, 40, 400, 1000};
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        dpn_law law = subbotin(p[i], 3);
        for (double tau = 0.011; tau < 60; tau *= 1.07) {
            double expected = log_mgf_by_series(p[i], tau), got = dpn_law_log_mgf(&law, tau / 3);
            if (expected < 600) assert_true(fabs(got - expected) <= 2e-13 * fmax(1, expected));
        }
    }
}

/* log M(s) is 0 at 0, even, convex, near variance s^2/2 for small s, and at most that for p >= 2. */
static void generating_function(void **state) {
    (void)state;
    EACH_LAW(law) {
        double p = table[each][0], scale = table[each][1], variance = dpn_law_variance(&law);
        double h = 0.01 / scale, end = p == 1 ? 0.98 : 3;
        for (double s = h; s < end / scale; s += h) {
            double before = dpn_law_log_mgf(&law, s - h), here = dpn_law_log_mgf(&law, s);
            double after = dpn_law_log_mgf(&law, s + h);
            if (after == INFINITY) break;
            assert_true(before + after - 2 * here > 1e-6 * h * h * variance - 4e-15 * after);
            assert_true(here == dpn_law_log_mgf(&law, -s));
            if (p >= 2) assert_true(here <= 0.5 * s * s * dpn_law_sub_gaussian_upper(&law) * (1 + 1e-15));
        }
        assert_near(dpn_law_log_mgf(&law, 1e-9 / scale), 0.5 * (variance / scale / scale) * 1e-18, 1e-14);
        double proxy = dpn_law_sub_gaussian_upper(&law);
        if (p < 2)
            assert_true(proxy == INFINITY);
        else
            assert_true(proxy >= variance && proxy <= variance * (1 + 2e-12));
    }
}

/* Far out log M(s) is tau^q/q, 1/p + 1/q = 1, less a logarithm; it is infinite only where no double holds it. */
static void generating_function_far_out(void **state) {
    (void)state;
    for (double p = 1.05; p <= 1000; p *= 1.13) {
        double q = p / (p - 1), log_largest = (log(DBL_MAX) + log(q)) / q; /* of tau */
        dpn_law law = subbotin(p, 0.5);
        assert_true(isfinite(dpn_law_log_mgf(&law, 2 * exp(log_largest * (1 - 1e-12)))));
        assert_true(dpn_law_log_mgf(&law, 2 * exp(log_largest * (1 + 1e-12))) == INFINITY);
        for (double log_tau = 0.2 * log_largest; log_tau < log_largest; log_tau *= 1.2) {
            double top = pow(exp(log_tau), q) / q, log_mgf = dpn_law_log_mgf(&law, 2 * exp(log_tau));
            assert_true(fabs(log_mgf - top) <= 1e-12 * q * log_tau * top + 10 + log_tau * q);
        }
    }
    dpn_law law = subbotin(1 + 0x1p-52, 1); /* the peak of the integrand is at tau^(2^52) = e^k */
    for (int k = 60; k < 740; k += 20) {
        double log_mgf = dpn_law_log_mgf(&law, 1 + k * 0x1p-52);
        assert_near(log(log_mgf), k - 52 * log(2), 1e-9);
    }
    assert_true(dpn_law_log_mgf(&law, 1 + 760 * 0x1p-52) == INFINITY);
    law = subbotin(1 + 0x1p-52, 1 + 0x1p-30); /* tau = 1 + k 2^-52 - 2^-60 + k 2^-82 */
    for (int k = 60; k < 740; k += 20) {
        double log_mgf = dpn_law_log_mgf(&law, 1 - 0x1p-30 + k * 0x1p-52);
        assert_near(log(log_mgf), k - 0x1p-8 + k * 0x1p-30 - 52 * log(2), 1e-9);
    }
}

static void ends(void **state) {
    (void)state;
    EACH_LAW(law) {
        assert_true(dpn_law_sf(&law, 0) == 0.5 && dpn_law_cdf(&law, 0) == 0.5 && dpn_law_psi(&law, 0) == 0);
        assert_true(dpn_law_sf(&law, INFINITY) == 0 && dpn_law_sf(&law, -INFINITY) == 1);
        assert_true(dpn_law_pdf(&law, -INFINITY) == 0 && dpn_law_log_sf(&law, INFINITY) == -INFINITY);
        assert_true(isnan(dpn_law_sf(&law, NAN)) && isnan(dpn_law_pdf(&law, NAN)) && isnan(dpn_law_log_mgf(&law, NAN)));
        assert_true(dpn_law_isf(&law, 0) == INFINITY && dpn_law_isf(&law, 1) == -INFINITY);
        assert_true(dpn_law_quantile(&law, 0.5) == 0 && dpn_law_isf(&law, 0.5) == 0);
        assert_true(isnan(dpn_law_isf(&law, -0x1p-60)) && isnan(dpn_law_isf(&law, NAN)));
        assert_true(isnan(dpn_law_quantile(&law, 2)));
        for (double t = 1e300; t < INFINITY; t *= 10) {
            double psi = dpn_law_psi(&law, t), log_sf = dpn_law_log_sf(&law, t);
            assert_true(psi > 0 && dpn_law_sf(&law, t) == exp(log_sf) && dpn_law_pdf(&law, t) >= 0);
            assert_true(log_sf == -INFINITY ? psi == INFINITY : fabs(log_sf + psi) <= 2e-15 * psi || psi < 1e15);
        }
        double p = table[each][0], huge = table[each][1] * exp((log(1e308) + log(p)) / p); /* psi is just finite */
        if (isfinite(huge)) {
            assert_near(dpn_law_psi(&law, huge), 1e308, 1e-9);
            assert_true(dpn_law_log_sf(&law, huge) == -dpn_law_psi(&law, huge));
            assert_true(dpn_law_sf(&law, huge) == 0 && dpn_law_pdf(&law, huge) == 0 && dpn_law_cdf(&law, huge) == 1);
        }
        assert_true(dpn_law_pdf(&law, 5e-324) == dpn_law_pdf(&law, 0) && dpn_law_sf(&law, 5e-324) == 0.5);
        assert_true(dpn_law_log_mgf(&law, INFINITY) == INFINITY && dpn_law_log_mgf(&law, 0) == 0);
        assert_true(dpn_law_is_log_concave(&law) && dpn_law_support(&law) == INFINITY);
    }
}

static void refused(void **state) {
    (void)state;
    static const struct {
        double p, scale;
        const char *named;
    } bad[] = {
        {0.5, 1, "p must"},  {1 - 0x1p-53, 1, "p must"}, {0, 1, "p must"},        {-2, 1, "p must"},
        {1001, 1, "p must"}, {NAN, 1, "p must"},         {INFINITY, 1, "p must"}, {2, 0, "scale"},
        {2, -1, "scale"},    {2, 1e-151, "scale"},       {2, 1e151, "scale"},     {2, NAN, "scale"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_law law = {.family = NULL};
        dpn_error why;
        assert_int_equal(dpn_law_make(&law, "subbotin", (double[]){bad[i].p, bad[i].scale}, 2, &why), DPN_EDOMAIN);
        assert_null(law.family);
        if (!strstr(why.sentence, bad[i].named)) fail_msg("'%s' does not name %s", why.sentence, bad[i].named);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laplace_at_one),
        cmocka_unit_test(gaussian_at_two),
        cmocka_unit_test(neighbours),
        cmocka_unit_test(every_power_meets_at_the_scale),
        cmocka_unit_test(scale_is_a_unit),
        cmocka_unit_test(tails_and_quantiles),
        cmocka_unit_test(tails_fall),
        cmocka_unit_test(density_is_the_slope),
        cmocka_unit_test(moments_are_integrals),
        cmocka_unit_test(generating_function_is_the_series),
        cmocka_unit_test(generating_function),
        cmocka_unit_test(generating_function_far_out),
        cmocka_unit_test(ends),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
