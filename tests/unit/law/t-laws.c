/* Identities that every law keeps, whatever its family. A family without a row in the table below fails the test. */
#include <dpnoise/law.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static const char *const texts[] = {
    "gaussian(sigma=1)",
    "gaussian(sigma=1e-150)",
    "gaussian(sigma=1e+150)",
    "laplace(scale=1)",
    "laplace(scale=0.3)",
    "flipped-huber(alpha=0,gamma=1)",
    "flipped-huber(alpha=3,gamma=1)",
    "flipped-huber(alpha=1e-12,gamma=2)",
    "flipped-huber(alpha=1000000,gamma=1000)",
    "osgt(m=0,sigma=1)",
    "osgt(m=3,sigma=6.324555320336759)",
    "osgt(m=1e+100,sigma=1)",
    "huber(alpha=1,gamma=1)",
    "huber(alpha=20,gamma=1)",
    "huber(alpha=1e-06,gamma=1)",
    "staircase(epsilon=1,sensitivity=1,gamma=0.4)",
    "staircase(epsilon=1e-09,sensitivity=2,gamma=0)",
    "staircase(epsilon=30,sensitivity=0.1,gamma=1)",
    "truncated-laplace(scale=1,bound=9)",
    "truncated-laplace(scale=1,bound=1e-09)",
    "truncated-laplace(scale=1,bound=10000)",
    "subbotin(p=1,scale=1)",
    "subbotin(p=1.5,scale=2)",
    "subbotin(p=10,scale=1)",
    "logistic(scale=1)",
    "logistic(scale=1000)",
    "discrete-gaussian(sigma=0.01)",
    "discrete-gaussian(sigma=3)",
    "discrete-gaussian(sigma=1000000000)",
    "discrete-laplace(scale=0.01)",
    "discrete-laplace(scale=5)",
    "discrete-flipped-huber(alpha=3,gamma=1)",
    "discrete-flipped-huber(alpha=20.48,gamma=6.4)",
    "discrete-osgt(m=3,sigma=6)",
    "discrete-osgt(m=0.5,sigma=100000)",
    "truncated-geometric(epsilon=0.1,n=18,theta=0.75)",
    "truncated-geometric(epsilon=2,n=1,theta=0.001)",
    "truncated-geometric(epsilon=1e-06,n=3000000,theta=1)",
};

enum { TEXTS = sizeof texts / sizeof *texts };

static dpn_law law_of(const char *text) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) != DPN_OK) fail_msg("%s", why.sentence);
    return law;
}

/* Points at the quantiles of the law, and some that every law finds far out. */
enum { POINTS = 29 };
static void points_of(double *t, const dpn_law *law) {
    static const double p[] = {1e-300, 1e-200, 1e-100, 1e-30, 1e-15, 1e-6, 1e-3, 0.05, 0.2, 0.3, 0.45, 0.499999};
    size_t n = 0;
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        t[n++] = dpn_law_isf(law, p[i]);
        t[n++] = dpn_law_quantile(law, p[i]);
    }
    t[n++] = 0;
    t[n++] = 1;
    t[n++] = -1;
    t[n++] = 1e300;
    t[n++] = -1e300;
    assert_int_equal(n, POINTS);
}

#define EACH_LAW(law)                           \
    for (size_t each = 0; each < TEXTS; each++) \
        for (dpn_law law = law_of(texts[each]), *once = &law; once; once = NULL)

#define HOLDS(condition, law_text, t)                                                         \
    do {                                                                                      \
        if (!(condition)) fail_msg("%s at %.17g: %s does not hold", law_text, t, #condition); \
    } while (0)

static bool near(double x, double y, double tolerance) {
    return x == y || fabs(x - y) <= tolerance * fmax(fabs(x), fabs(y));
}

static void every_family_is_here(void **state) {
    (void)state;
    for (size_t i = 0; dpn_family_name(i); i++) {
        bool found = false;
        EACH_LAW(law) found = found || strcmp(dpn_law_family(&law), dpn_family_name(i)) == 0;
        if (!found) fail_msg("add a law of the family %s to the table", dpn_family_name(i));
    }
}

static void text_round_trips(void **state) {
    (void)state;
    EACH_LAW(law) {
        char text[DPN_LAW_TEXT_SIZE];
        assert_string_equal(dpn_law_print(text, &law), texts[each]);
        dpn_law again = law_of(text);
        assert_memory_equal(&law, &again, sizeof law);
    }
}

static void tails_add_up(void **state) {
    (void)state;
    EACH_LAW(law) {
        double t[POINTS];
        points_of(t, &law);
        for (int i = 0; i < POINTS; i++) {
            double sf = dpn_law_sf(&law, t[i]), cdf = dpn_law_cdf(&law, t[i]);
            HOLDS(near(sf + cdf, 1, 4e-16), texts[each], t[i]);
            HOLDS(sf >= 0 && sf <= 1 && cdf >= 0 && cdf <= 1, texts[each], t[i]);
            double mirror = dpn_law_is_integer(&law) ? -floor(t[i]) - 1 : -t[i];
            HOLDS(cdf == dpn_law_sf(&law, mirror), texts[each], t[i]);
            HOLDS(dpn_law_pdf(&law, t[i]) == dpn_law_pdf(&law, -t[i]), texts[each], t[i]);
        }
    }
}

static void logarithms_agree(void **state) {
    (void)state;
    EACH_LAW(law) {
        double t[POINTS];
        points_of(t, &law);
        for (int i = 0; i < POINTS; i++) {
            double sf = dpn_law_sf(&law, t[i]), log_sf = dpn_law_log_sf(&law, t[i]);
            if (sf > 1e-300 && sf < 0.5) HOLDS(near(log_sf, log(sf), 1e-13), texts[each], t[i]);
            double cdf = dpn_law_cdf(&law, t[i]), log_cdf = dpn_law_log_cdf(&law, t[i]);
            if (cdf > 1e-300 && cdf < 0.5) HOLDS(near(log_cdf, log(cdf), 1e-13), texts[each], t[i]);
            double pdf = dpn_law_pdf(&law, t[i]), log_pdf = dpn_law_log_pdf(&law, t[i]);
            if (pdf > 1e-300) HOLDS(fabs(log_pdf - log(pdf)) <= 1e-13 * (1 + fabs(log_pdf)), texts[each], t[i]);
            double psi = dpn_law_psi(&law, t[i]), zero = dpn_law_log_pdf(&law, 0);
            if (isfinite(psi)) HOLDS(fabs(zero - psi - log_pdf) <= 1e-13 * (1 + fabs(log_pdf)), texts[each], t[i]);
        }
    }
}

/* isf and quantile by their definitions: the least t with sf(t) <= p, with cdf(t) >= p. A continuous tail comes back to p up to
 * its condition number t pdf/p times a few ulp of t. */
static void quantiles_invert(void **state) {
    (void)state;
    static const double p[] = {1e-300, 1e-250, 1e-100, 1e-20, 1e-9, 1e-3,     0.1,
                               0.25,   0.3,    0.5,    0.7,   0.9,  0.999999, 1 - 0x1p-53};
    EACH_LAW(law) for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        double upper = dpn_law_isf(&law, p[i]), lower = dpn_law_quantile(&law, p[i]);
        if (dpn_law_is_integer(&law)) {
            HOLDS(upper == floor(upper) && lower == floor(lower), texts[each], p[i]);
            /* Of the two tails the smaller decides: the larger may round to p itself. */
            if (p[i] <= 0.5) {
                HOLDS(dpn_law_sf(&law, upper) <= p[i] && dpn_law_sf(&law, upper - 1) > p[i], texts[each], p[i]);
                HOLDS(dpn_law_cdf(&law, lower) >= p[i] && dpn_law_cdf(&law, lower - 1) < p[i], texts[each], p[i]);
            } else {
                HOLDS(dpn_law_cdf(&law, upper) >= 1 - p[i] && dpn_law_cdf(&law, upper - 1) < 1 - p[i], texts[each],
                      p[i]);
                HOLDS(dpn_law_sf(&law, lower) <= 1 - p[i] && dpn_law_sf(&law, lower - 1) > 1 - p[i], texts[each], p[i]);
            }
        } else {
            double condition = 1 + fabs(upper) * exp(dpn_law_log_pdf(&law, upper) - log(p[i]));
            HOLDS(near(dpn_law_sf(&law, upper), p[i], 1e-15 * condition + 1e-14), texts[each], p[i]);
            condition = 1 + fabs(lower) * exp(dpn_law_log_pdf(&law, lower) - log(p[i]));
            HOLDS(near(dpn_law_cdf(&law, lower), p[i], 1e-15 * condition + 1e-14), texts[each], p[i]);
        }
    }
}

static void ends_and_nonsense(void **state) {
    (void)state;
    EACH_LAW(law) {
        double end = dpn_law_support(&law);
        assert_true(dpn_law_pdf(&law, INFINITY) == 0 && dpn_law_pdf(&law, -INFINITY) == 0);
        assert_true(dpn_law_log_pdf(&law, INFINITY) == -INFINITY);
        assert_true(dpn_law_psi(&law, -INFINITY) == INFINITY);
        assert_true(dpn_law_sf(&law, INFINITY) == 0 && dpn_law_sf(&law, -INFINITY) == 1);
        assert_true(dpn_law_cdf(&law, INFINITY) == 1 && dpn_law_cdf(&law, -INFINITY) == 0);
        assert_true(dpn_law_log_sf(&law, INFINITY) == -INFINITY && dpn_law_log_sf(&law, -INFINITY) == 0);
        assert_true(dpn_law_log_cdf(&law, -INFINITY) == -INFINITY && dpn_law_log_cdf(&law, INFINITY) == 0);
        assert_true(dpn_law_quantile(&law, 0) == -end && dpn_law_quantile(&law, 1) == end);
        assert_true(dpn_law_isf(&law, 0) == end && dpn_law_isf(&law, 1) == -end);
        assert_true(dpn_law_quantile(&law, 0.5) == 0 && dpn_law_isf(&law, 0.5) == 0);
        assert_true(isnan(dpn_law_quantile(&law, -0.1)) && isnan(dpn_law_isf(&law, 1.1)));
        assert_true(isnan(dpn_law_quantile(&law, NAN)) && isnan(dpn_law_isf(&law, NAN)));
        assert_true(isnan(dpn_law_pdf(&law, NAN)) && isnan(dpn_law_log_pdf(&law, NAN)));
        assert_true(isnan(dpn_law_sf(&law, NAN)) && isnan(dpn_law_cdf(&law, NAN)) && isnan(dpn_law_psi(&law, NAN)));
        assert_true(isnan(dpn_law_log_mgf(&law, NAN)) && dpn_law_log_mgf(&law, 0) == 0);
        assert_true(dpn_law_log_mgf(&law, INFINITY) == INFINITY);
    }
}

/* On the integers the mass lies on whole numbers, and the tails are those of the whole number below. */
static void between_the_integers(void **state) {
    (void)state;
    EACH_LAW(law) {
        if (!dpn_law_is_integer(&law)) continue;
        assert_true(dpn_law_pdf(&law, 0.5) == 0 && dpn_law_log_pdf(&law, -2.25) == -INFINITY);
        assert_true(dpn_law_sf(&law, 1.5) == dpn_law_sf(&law, 1) && dpn_law_cdf(&law, 1.5) == dpn_law_cdf(&law, 1));
        assert_true(dpn_law_sf(&law, -1.5) == dpn_law_sf(&law, -2) && dpn_law_cdf(&law, -1.5) == dpn_law_cdf(&law, -2));
        assert_true(isnan(dpn_law_fisher(&law)) && isnan(dpn_law_nfi(&law)));
    }
}

/* The proxy of Gaussian noise is the least double that is not below sigma^2, and that of bounded noise not below bound^2/3: fma
 * tells on which side of the exact square a double lies. */
static void proxies_are_rounded_up(void **state) {
    (void)state;
    double sigma = 0.1;
    for (int i = 0; i < 1000; i++) {
        dpn_law law;
        sigma = sigma < 1e3 ? sigma * 1.0123456789 : 0.1 + 1e-3 * i;
        assert_int_equal(dpn_law_make(&law, "gaussian", &sigma, 1, NULL), DPN_OK);
        double upper = dpn_law_sub_gaussian_upper(&law);
        HOLDS(fma(sigma, sigma, -upper) <= 0 && fma(sigma, sigma, -nextafter(upper, 0)) > 0, "gaussian", sigma);
        const double bounded[2] = {1, sigma};
        assert_int_equal(dpn_law_make(&law, "truncated-laplace", bounded, 2, NULL), DPN_OK);
        upper = dpn_law_sub_gaussian_upper(&law);
        double square = sigma * sigma, thrice = 3 * upper; /* and what rounding took from both */
        HOLDS(thrice - square + (fma(3, upper, -thrice) - fma(sigma, sigma, -square)) >= 0, "truncated-laplace", sigma);
    }
}

/* log M(s) is even, convex, at least s^2 variance/2 - o(s^2) and at most proxy s^2/2. */
static void moment_generating_function(void **state) {
    (void)state;
    EACH_LAW(law) {
        double variance = dpn_law_variance(&law), proxy = dpn_law_sub_gaussian_upper(&law);
        if (variance == 0) continue; /* it underflows where the scale is tiny */
        double bound = dpn_law_mgf_bound(&law), unit = isfinite(bound) ? bound : 1 / sqrt(variance), before = 0;
        HOLDS(proxy >= variance, texts[each], proxy);
        HOLDS(isinf(bound) == isfinite(proxy) || isinf(proxy), texts[each], bound);
        for (int i = 1; i < 20; i++) {
            double s = unit * i / 20, value = dpn_law_log_mgf(&law, s);
            HOLDS(value == dpn_law_log_mgf(&law, -s), texts[each], s);
            HOLDS(value >= 0 && value < INFINITY, texts[each], s);
            HOLDS(value <= 0.5 * proxy * s * s * (1 + 1e-13), texts[each], s);
            HOLDS(value * (i - 1) / i >= before * (1 - 1e-12), texts[each], s); /* convex with value 0 at 0 */
            before = value;
        }
        double small = 1e-3 * unit;
        HOLDS(near(dpn_law_log_mgf(&law, small), 0.5 * variance * small * small, 1e-3), texts[each], small);
        if (isfinite(bound)) HOLDS(dpn_law_log_mgf(&law, bound * (1 + 1e-15)) == INFINITY, texts[each], bound);
    }
}

static void moments_are_consistent(void **state) {
    (void)state;
    EACH_LAW(law) {
        double variance = dpn_law_variance(&law), mean_abs = dpn_law_mean_abs(&law), fisher = dpn_law_fisher(&law);
        HOLDS(mean_abs * mean_abs <= variance * (1 + 1e-13), texts[each], mean_abs);
        if (!dpn_law_is_integer(&law)) {
            HOLDS(fisher * variance >= 1 - 1e-13, texts[each], fisher); /* Cramer-Rao */
            HOLDS(dpn_law_nfi(&law) == fisher * variance, texts[each], fisher);
            double gaussian_entropy = 0.5 * log(variance) + 0.5 * log(2 * 3.141592653589793 * 2.718281828459045);
            HOLDS(dpn_law_entropy(&law) <= gaussian_entropy + 1e-13 * (1 + fabs(gaussian_entropy)), texts[each],
                  variance);
        } else {
            HOLDS(dpn_law_entropy(&law) >= 0, texts[each], variance);
        }
    }
}

static void arrays_are_loops(void **state) {
    (void)state;
    EACH_LAW(law) {
        double t[POINTS], out[POINTS], p[3] = {1e-9, 0.3, 0.8};
        points_of(t, &law);
#define SAME(member)                               \
    dpn_law_##member##_many(out, &law, t, POINTS); \
    for (int i = 0; i < POINTS; i++) assert_true(out[i] == dpn_law_##member(&law, t[i]))
        SAME(pdf);
        SAME(log_pdf);
        SAME(cdf);
        SAME(sf);
        SAME(log_cdf);
        SAME(log_sf);
        SAME(psi);
        dpn_law_quantile_many(out, &law, p, 3);
        for (int i = 0; i < 3; i++) assert_true(out[i] == dpn_law_quantile(&law, p[i]));
        dpn_law_isf_many(p, &law, p, 3); /* in place */
        assert_true(p[0] == dpn_law_isf(&law, 1e-9) && p[2] == dpn_law_isf(&law, 0.8));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_is_here),   cmocka_unit_test(text_round_trips),
        cmocka_unit_test(tails_add_up),           cmocka_unit_test(logarithms_agree),
        cmocka_unit_test(quantiles_invert),       cmocka_unit_test(ends_and_nonsense),
        cmocka_unit_test(between_the_integers),   cmocka_unit_test(moment_generating_function),
        cmocka_unit_test(proxies_are_rounded_up), cmocka_unit_test(moments_are_consistent),
        cmocka_unit_test(arrays_are_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
