/* Hostile laws. An input is a law text, or (after a zero byte) the number of a family and raw doubles for its parameters;
 * what follows are raw doubles where the law is asked. Whatever the input, nothing may crash; a law must survive
 * printing and reading; and its members must keep the promises of dpnoise/law.h and of mathematics.
 */
#include <dpnoise/law.h>
#include <dpnoise/number.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The margin for comparisons that hold only up to rounding. It is far above any rounding error and far below any slip. */
#define MARGIN 1e-9

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

/* The next raw double of the input, or fallback once there is none. */
static double take_double(input *in, double fallback) {
    double x = fallback;
    if (in->left < sizeof x) return fallback;
    memcpy(&x, in->at, sizeof x);
    in->at += sizeof x;
    in->left -= sizeof x;
    return x;
}

static void fail(const dpn_law *law, const char *promise, double argument, double value) {
    char text[DPN_LAW_TEXT_SIZE];
    fprintf(stderr, "%s: broken promise: %s; argument %.17g, value %.17g\n", dpn_law_print(text, law), promise,
            argument, value);
    abort();
}

#define PROMISE(condition, argument, value)                           \
    do {                                                              \
        if (!(condition)) fail(law, #condition, (argument), (value)); \
    } while (0)

static size_t family_count(void) {
    size_t n = 0;
    while (dpn_family_name(n)) n++;
    return n;
}

static dpn_status make_from_bytes(dpn_law *law, input *in) {
    size_t family = in->left ? in->at[0] % family_count() : 0;
    if (in->left) in->at++, in->left--;
    double parameter[DPN_LAW_PARAMETERS];
    size_t count = 0;
    while (count < DPN_LAW_PARAMETERS && dpn_family_parameter(family, count)) parameter[count++] = take_double(in, 1);
    return dpn_law_make(law, dpn_family_name(family), parameter, count, NULL);
}

static dpn_status make_from_text(dpn_law *law, input *in) {
    const uint8_t *end = in->left ? memchr(in->at, 0, in->left) : NULL;
    size_t length = end ? (size_t)(end - in->at) : in->left;
    char *text = malloc(length + 1); /* of exactly this size, so that a read beyond the end is seen */
    if (!text) abort();
    if (length) memcpy(text, in->at, length);
    text[length] = '\0';
    dpn_error why = {DPN_OK, ""};
    dpn_status status = dpn_law_parse(law, text, &why);
    if (status && (why.status != status || !why.sentence[0])) abort(); /* no refusal without a reason */
    free(text);
    size_t used = length < in->left ? length + 1 : length;
    in->at += used;
    in->left -= used;
    return status;
}

static void check_text(const dpn_law *law) {
    char text[DPN_LAW_TEXT_SIZE], again[DPN_LAW_TEXT_SIZE];
    dpn_law read;
    PROMISE(strlen(dpn_law_print(text, law)) < DPN_LAW_TEXT_SIZE, 0, 0);
    PROMISE(dpn_law_parse(&read, text, NULL) == DPN_OK, 0, 0);
    PROMISE(read.family == law->family, 0, 0);
    PROMISE(memcmp(read.parameter, law->parameter, sizeof read.parameter) == 0, 0, 0);
    PROMISE(memcmp(read.constant, law->constant, sizeof read.constant) == 0, 0, 0);
    PROMISE(strcmp(text, dpn_law_print(again, &read)) == 0, 0, 0);
}

static void check_point(const dpn_law *law, double t) {
    double pdf = dpn_law_pdf(law, t), cdf = dpn_law_cdf(law, t), sf = dpn_law_sf(law, t);
    double log_pdf = dpn_law_log_pdf(law, t), log_cdf = dpn_law_log_cdf(law, t), log_sf = dpn_law_log_sf(law, t);
    double psi = dpn_law_psi(law, t);
    if (isnan(t)) {
        PROMISE(isnan(pdf) && isnan(cdf) && isnan(sf) && isnan(psi), t, pdf);
        PROMISE(isnan(log_pdf) && isnan(log_cdf) && isnan(log_sf), t, log_pdf);
        return;
    }
    PROMISE(pdf >= 0 && pdf <= dpn_law_pdf(law, 0) * (1 + MARGIN), t, pdf);
    PROMISE(cdf >= 0 && cdf <= 1, t, cdf);
    PROMISE(sf >= 0 && sf <= 1, t, sf);
    PROMISE(fabs(cdf + sf - 1) <= MARGIN, t, cdf + sf - 1);
    PROMISE(log_cdf <= 0, t, log_cdf);
    PROMISE(log_sf <= 0, t, log_sf);
    PROMISE(fabs(exp(log_cdf) - cdf) <= MARGIN, t, log_cdf);
    PROMISE(fabs(exp(log_sf) - sf) <= MARGIN, t, log_sf);
    PROMISE(psi >= 0, t, psi);
    PROMISE(!isnan(log_pdf), t, log_pdf);
    PROMISE(dpn_law_pdf(law, -t) == pdf, t, pdf);

    double beyond = isinf(t) ? t : t + fabs(t) * MARGIN;
    PROMISE(dpn_law_sf(law, beyond) <= sf * (1 + MARGIN), t, sf);
    PROMISE(dpn_law_cdf(law, beyond) >= cdf * (1 - MARGIN), t, cdf);
}

/* sf falls to p at isf(p), not before and not after; likewise quantile. */
static void check_probability(const dpn_law *law, double p) {
    double upper = dpn_law_isf(law, p), lower = dpn_law_quantile(law, p);
    if (!(p >= 0 && p <= 1)) {
        PROMISE(isnan(upper), p, upper);
        PROMISE(isnan(lower), p, lower);
        return;
    }
    PROMISE(fabs(upper) <= dpn_law_support(law), p, upper);
    PROMISE(fabs(lower) <= dpn_law_support(law), p, lower);
    if (p < 1e-300 || 1 - p < 1e-15) return;
    double step = dpn_law_is_integer(law) ? 1 : 0;
    double before = upper - fmax(step, fabs(upper) * MARGIN), after = upper + fabs(upper) * MARGIN;
    PROMISE(dpn_law_sf(law, before) >= p * (1 - MARGIN), p, upper);
    PROMISE(dpn_law_sf(law, after) <= p * (1 + MARGIN), p, upper);
    before = lower - fmax(step, fabs(lower) * MARGIN), after = lower + fabs(lower) * MARGIN;
    PROMISE(dpn_law_cdf(law, before) <= p * (1 + MARGIN), p, lower);
    PROMISE(dpn_law_cdf(law, after) >= p * (1 - MARGIN), p, lower);
}

static void check_mgf(const dpn_law *law, double s) {
    double log_mgf = dpn_law_log_mgf(law, s), proxy = dpn_law_sub_gaussian_upper(law);
    if (isnan(s)) {
        PROMISE(isnan(log_mgf), s, log_mgf);
        return;
    }
    PROMISE(log_mgf >= -1e-13, s, log_mgf);
    PROMISE(dpn_law_log_mgf(law, -s) == log_mgf, s, log_mgf);
    if (fabs(s) > dpn_law_mgf_bound(law) * (1 + MARGIN)) PROMISE(isinf(log_mgf), s, log_mgf);
    if (proxy < INFINITY) PROMISE(log_mgf <= 0.5 * proxy * s * s * (1 + MARGIN) + 1e-13, s, log_mgf);
}

static void check_law(const dpn_law *law) {
    double variance = dpn_law_variance(law), mean_abs = dpn_law_mean_abs(law), fisher = dpn_law_fisher(law);
    PROMISE(variance >= 0 && variance < INFINITY, 0, variance);
    PROMISE(mean_abs >= 0 && mean_abs <= sqrt(variance) * (1 + MARGIN), 0, mean_abs);
    PROMISE(!isnan(dpn_law_entropy(law)), 0, dpn_law_entropy(law));
    PROMISE(dpn_law_support(law) > 0, 0, dpn_law_support(law));
    PROMISE(dpn_law_mgf_bound(law) > 0, 0, dpn_law_mgf_bound(law));
    PROMISE(dpn_law_sub_gaussian_upper(law) >= variance * (1 - MARGIN), 0, dpn_law_sub_gaussian_upper(law));
    if (dpn_law_is_integer(law))
        PROMISE(isnan(fisher), 0, fisher);
    else /* the inequality of Cramer and Rao */
        PROMISE(dpn_law_nfi(law) >= 1 - MARGIN, 0, dpn_law_nfi(law));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, size};
    dpn_law made;
    const dpn_law *law = &made;
    bool raw = size > 0 && data[0] == 0;
    if (raw) in.at++, in.left--;
    if (raw ? make_from_bytes(&made, &in) : make_from_text(&made, &in)) return 0;
    check_text(law);
    check_law(law);

    double spread = sqrt(dpn_law_variance(law));
    const double multiple[] = {0, 1e-20, 0.3, 1, 2, 10, 40, 1e5, INFINITY};
    for (size_t i = 0; i < sizeof multiple / sizeof *multiple; i++) {
        double t = take_double(&in, spread > 0 || multiple[i] < INFINITY ? multiple[i] * spread : 1);
        check_point(law, t);
        check_point(law, -t);
        check_probability(law, fabs(t) > 1 ? exp(-fabs(t)) : fabs(t));
        check_mgf(law, t);
        if (spread > 0) check_mgf(law, multiple[i] / spread);
    }
    const double probability[] = {0, 1e-300, 1e-20, 0.1, 0.25, 0.4999999, 0.5, 0.7, 1 - 0x1p-53, 1};
    for (size_t i = 0; i < sizeof probability / sizeof *probability; i++) check_probability(law, probability[i]);
    return 0;
}
