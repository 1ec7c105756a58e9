/* Checks that the tests of the four laws on the integers share. */
#include "unit/law/integer-law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#define TOLERANCE 1e-13

dpn_law integer_law(const char *text) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) != DPN_OK) fail_msg("%s", why.sentence);
    return law;
}

/* Fail unless got is wanted up to a relative error, below the smallest normal number an absolute one. */
static void same(const char *text, const char *member, double at, double got, long double wanted) {
    long double error = fabsl((long double)got - wanted);
    if (!(error <= TOLERANCE * fabsl(wanted) + 0x1p-1073L))
        fail_msg("%s: %s at %.17g is %.17g, not %.20Lg", text, member, at, got, wanted);
}

/* The same for logarithms, where the error is absolute near 0. */
static void same_log(const char *text, const char *member, double at, double got, long double wanted) {
    if (!(fabsl((long double)got - wanted) <= TOLERANCE * fmaxl(1, fabsl(wanted))))
        fail_msg("%s: %s at %.17g is %.17g, not %.20Lg", text, member, at, got, wanted);
}

/* ---- Plain sums ---- */

enum { MOST = 10000 };

struct sums {
    int last;                     /* the weights beyond vanish */
    long double weight[MOST + 1]; /* exp(-psi(k)) */
    long double above[MOST + 1];  /* the sum of the weights beyond k */
    long double total, psi, first, second;
};

static void add_up(struct sums *sums, const double *parameter, integer_psi *psi) {
    int last = 0;
    while (last < MOST && psi(parameter, last) < 11000) last++;
    assert_true(last < MOST);
    sums->last = last;
    long double above = 0, surprise = 0, first = 0, second = 0;
    for (int k = last; k >= 0; k--) {
        long double exponent = psi(parameter, k), weight = expl(-exponent);
        sums->above[k] = above;
        sums->weight[k] = weight;
        above += weight;
        surprise += exponent * weight;
        first += k * weight;
        second += (long double)k * k * weight;
    }
    sums->total = 1 + 2 * sums->above[0];
    sums->psi = 2 * surprise / sums->total;
    sums->first = 2 * first / sums->total;
    sums->second = 2 * second / sums->total;
}

/* Up to exp(-10900), so that the weights which are not in the sums make no difference. */
static void check_points(const char *text, const dpn_law *law, const struct sums *sums) {
    for (int k = 0; k < sums->last && logl(sums->weight[k + 1]) > -10900; k++) {
        long double pdf = sums->weight[k] / sums->total, sf = sums->above[k] / sums->total;
        same(text, "pdf", k, dpn_law_pdf(law, k), pdf);
        same(text, "pdf", -k, dpn_law_pdf(law, -k), pdf);
        same_log(text, "log_pdf", k, dpn_law_log_pdf(law, k), logl(sums->weight[k]) - logl(sums->total));
        same(text, "sf", k, dpn_law_sf(law, k), sf);
        same(text, "cdf", k, dpn_law_cdf(law, k), 1 - sf);
        same(text, "sf", -k - 1, dpn_law_sf(law, -k - 1), 1 - sf);
        same(text, "cdf", -k - 1, dpn_law_cdf(law, -k - 1), sf);
        same_log(text, "log_cdf", k, dpn_law_log_cdf(law, k), log1pl(-sf));
        same_log(text, "log_sf", k, dpn_law_log_sf(law, k), logl(sums->above[k]) - logl(sums->total));
    }
}

/* log E exp(sX): as log(1 + E(2 cosh(sX) - 2)/2) if all terms are below 1, else relative to the largest. */
static long double plain_log_mgf(const struct sums *sums, long double s) {
    long double largest = 0, growth = 0, sum = 0;
    for (int k = 1; k < sums->last; k++) largest = fmaxl(largest, s * k + logl(sums->weight[k]));
    for (int k = sums->last - 1; k > 0; k--) {
        long double log_weight = logl(sums->weight[k]), half = sinhl(s * k / 2);
        growth += sums->weight[k] * (4 * half * half);
        sum += expl(s * k + log_weight - largest) + expl(-s * k + log_weight - largest);
    }
    if (largest == 0) return log1pl(growth / sums->total);
    return largest + logl(sum + expl(-largest)) - logl(sums->total);
}

static void check_log_mgf(const char *text, const dpn_law *law, const struct sums *sums) {
    double bound = dpn_law_mgf_bound(law), width = sqrt(dpn_law_variance(law) + 0.01);
    double unit = isfinite(bound) ? bound : fmin(20 / width, 10000.0 / sums->last); /* what was left out stays small */
    static const double part[] = {1e-9, 1e-5, 0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        double s = part[i] * unit, got = dpn_law_log_mgf(law, s);
        long double wanted = plain_log_mgf(sums, s);
        same_log(text, "log_mgf", s, got, wanted);
        if (fabsl(got - wanted) > 1e-6L * wanted + 0x1p-1073L)
            fail_msg("%s: log_mgf at %.17g is %.17g, not %.20Lg", text, s, got, wanted);
    }
}

void check_plain_sums(const char *text, integer_psi *psi) {
    static struct sums sums;
    dpn_law law = integer_law(text);
    add_up(&sums, law.parameter, psi);
    check_points(text, &law, &sums);
    same(text, "variance", 0, dpn_law_variance(&law), sums.second);
    same(text, "mean_abs", 0, dpn_law_mean_abs(&law), sums.first);
    same(text, "entropy", 0, dpn_law_entropy(&law), log1pl(2 * sums.above[0]) + sums.psi);
    check_log_mgf(text, &law, &sums);
}

/* ---- Jumps ---- */

#define HOLDS(condition, text, at)                                                         \
    do {                                                                                   \
        if (!(condition)) fail_msg("%s at %.17g: %s does not hold", text, at, #condition); \
    } while (0)

void check_jumps(const char *text) {
    dpn_law law = integer_law(text);
    for (double t = 0; dpn_law_sf(&law, t) > 1e-300; t++) {
        double p = dpn_law_sf(&law, t), more = nextafter(p, 1), less = nextafter(p, 0);
        HOLDS(dpn_law_isf(&law, p) == t, text, t);
        HOLDS(dpn_law_isf(&law, less) == t + 1, text, t);
        HOLDS(dpn_law_isf(&law, more) == t, text, t);
        HOLDS(dpn_law_cdf(&law, -t - 1) == p, text, t);
        HOLDS(dpn_law_quantile(&law, p) == -t - 1, text, t);
        HOLDS(dpn_law_quantile(&law, more) == -t, text, t);
        HOLDS(dpn_law_quantile(&law, less) == -t - 1, text, t);
        if (p < 1e-12) continue; /* 1 - p has lost its digits */
        HOLDS(dpn_law_quantile(&law, 1 - p + 0x1p-52) == t + 1, text, t);
        HOLDS(dpn_law_quantile(&law, 1 - p - 0x1p-52) == t, text, t);
        HOLDS(dpn_law_isf(&law, 1 - p + 0x1p-52) == -t - 1, text, t);
        HOLDS(dpn_law_isf(&law, 1 - p - 0x1p-52) == -t, text, t);
    }
}

/* ---- Edges ---- */

void check_edges(const char *text) {
    dpn_law law = integer_law(text);
    assert_true(dpn_law_is_integer(&law) && dpn_law_is_log_concave(&law));
    assert_true(isnan(dpn_law_fisher(&law)) && isnan(dpn_law_nfi(&law)) && dpn_law_support(&law) == INFINITY);
    assert_true(isnan(dpn_law_pdf(&law, NAN)) && isnan(dpn_law_sf(&law, NAN)) && isnan(dpn_law_log_cdf(&law, NAN)));
    assert_true(isnan(dpn_law_quantile(&law, NAN)) && isnan(dpn_law_log_mgf(&law, NAN)));
    assert_true(dpn_law_pdf(&law, -INFINITY) == 0 && dpn_law_sf(&law, INFINITY) == 0);
    assert_true(dpn_law_cdf(&law, INFINITY) == 1 && dpn_law_log_sf(&law, INFINITY) == -INFINITY);
    assert_true(dpn_law_log_mgf(&law, INFINITY) == INFINITY && dpn_law_log_mgf(&law, 1e308) == INFINITY);

    assert_true(dpn_law_pdf(&law, 0.5) == 0 && dpn_law_psi(&law, -1.25) == INFINITY);
    assert_true(dpn_law_sf(&law, 2.5) == dpn_law_sf(&law, 2) && dpn_law_sf(&law, -2.5) == dpn_law_sf(&law, -3));
    assert_true(dpn_law_cdf(&law, 2.5) == dpn_law_cdf(&law, 2) && dpn_law_cdf(&law, -0.5) == dpn_law_cdf(&law, -1));

    static const double far[] = {0x1p53, 0x1p53 + 2, 1e20, 1e149, 1e151, 1e154, 1.7e308};
    double before = 0;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        double psi = dpn_law_psi(&law, far[i]), log_sf = dpn_law_log_sf(&law, far[i]);
        HOLDS(psi > before, text, far[i]);
        HOLDS(dpn_law_log_pdf(&law, -far[i]) <= -psi && dpn_law_pdf(&law, far[i]) >= 0, text, far[i]);
        HOLDS(log_sf <= dpn_law_log_pdf(&law, far[i]) + 40, text, far[i]);
        HOLDS(log_sf >= -psi * (1 + 1e-12) - 40, text, far[i]);
        if (psi == INFINITY) break;
        before = psi;
    }
}

void check_far_psi(const char *text, double k, double psi) {
    dpn_law law = integer_law(text);
    same(text, "psi", k, dpn_law_psi(&law, k), psi);
    same(text, "log_sf", k, dpn_law_log_sf(&law, k), -psi);
}

/* At s = psi(k+1) - psi(k) two terms of sum exp(s k - psi(k)) are equal, but for the rounding of s, which may let them
 * differ by a large factor. The value is that of the larger one and the logarithm of a number of neighbours. */
void check_ties(const char *text, integer_psi *psi) {
    dpn_law law = integer_law(text);
    for (int k = 0; k < 40; k++) {
        double s = (double)(psi(law.parameter, k + 1) - psi(law.parameter, k));
        for (int nudge = -2; nudge <= 2; nudge++) {
            double at = s * (1 + nudge * 0x1p-52), got = dpn_law_log_mgf(&law, at);
            long double largest = 0;
            for (int j = k > 2 ? k - 2 : 0; j <= k + 3; j++)
                largest = fmaxl(largest, (long double)at * j - psi(law.parameter, j));
            long double slack = 1e-15L * largest + 1e-18L * at * (k + 3); /* the second for the plain differences */
            HOLDS(got >= largest - slack && got <= largest + slack + 40, text, at);
        }
    }
}

void check_continuous_limit(const char *text, const char *continuous) {
    dpn_law law = integer_law(text), limit = integer_law(continuous);
    static const double p[] = {0.49, 0.3, 0.1, 1e-2, 1e-5, 1e-10, 1e-100, 1e-300};
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        double k = floor(dpn_law_isf(&limit, p[i]));
        same(text, "pdf", k, dpn_law_pdf(&law, k), dpn_law_pdf(&limit, k));
        same(text, "sf", k, dpn_law_sf(&law, k), dpn_law_sf(&limit, k + 0.5));
        HOLDS(fabs(dpn_law_isf(&law, p[i]) - k) <= 1 + 1e-14 * k, text, k);
        double s = dpn_law_mgf_bound(&limit) < INFINITY ? p[i] * dpn_law_mgf_bound(&limit)
                                                        : p[i] / sqrt(dpn_law_variance(&limit));
        same_log(text, "log_mgf", s, dpn_law_log_mgf(&law, s), dpn_law_log_mgf(&limit, s));
    }
    same(text, "variance", 0, dpn_law_variance(&law), dpn_law_variance(&limit));
    same(text, "mean_abs", 0, dpn_law_mean_abs(&law), dpn_law_mean_abs(&limit));
    same(text, "entropy", 0, dpn_law_entropy(&law), dpn_law_entropy(&limit));
}

void check_refused(const char *text, const char *parameter) {
    dpn_law law = {.family = NULL};
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) != DPN_EDOMAIN) fail_msg("%s is not refused", text);
    if (!strstr(why.sentence, parameter)) fail_msg("%s: '%s' does not name %s", text, why.sentence, parameter);
    assert_null(law.family);
}
