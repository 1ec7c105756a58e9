#include "case.h"

#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int case_count(int quick) {
    return points(quick, 10 * quick);
}

dpn_law case_law(const char *text) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) != DPN_OK) fail_msg("%s: %s", text, why.sentence);
    return law;
}

/* The rows of the references draw from all of their domain; here the scale is ordinary and so is the shape. */
static bool ordinary(const profile_case *at) {
    const double *p = at->parameter;
    for (int i = 0; i < at->family->parameters; i++)
        if (p[i] > 1e30 || (p[i] != 0 && p[i] < 1e-30)) return false;
    if (at->family->parameters == 2 && p[1] != 0 && p[0] / p[1] > 1e6) return false;
    if (strcmp(at->family->name, "truncated-laplace") == 0) return p[1] < 1e5 * p[0];
    if (strcmp(at->family->name, "staircase") == 0) return p[0] > 0.2 && p[0] < 300;
    if (strcmp(at->family->name, "subbotin") == 0) return (p[0] == 1 || p[0] > 1.01) && p[0] < 50;
    return true;
}

static double draw_sensitivity(draw_source *source, const profile_case *at) {
    double scale = 1 / at->law.constant[DPN_PDF0], d = scale * draw_log_uniform(source, 1e-2, 30);
    if (draw_chance(source, 0.3)) d = scale * draw_log_uniform(source, 1e-9, 1e-2);
    if (draw_chance(source, 0.1)) d = scale * draw_log_uniform(source, 30, 1e4);
    if (draw_chance(source, 0.2)) d = ldexp(1, (int)floor(log2(d)));
    if (draw_chance(source, 0.1) && at->parameter[0] > 1e-9 * scale && at->parameter[0] < 1e4 * scale)
        d = at->parameter[0];
    return at->family->integer ? floor(fmin(d, 0x1p45)) + 1 : d;
}

static double draw_epsilon(draw_source *source, const profile_case *at) {
    double scale = 1 / at->law.constant[DPN_PDF0], t = scale * draw_log_uniform(source, 1e-3, 40);
    if (draw_chance(source, 0.4)) t -= 0.5 * at->sensitivity;
    double loss = fabs(dpn_privacy_loss(&at->law, at->sensitivity, at->family->integer ? floor(t) : t));
    double typical = dpn_law_psi(&at->law, at->sensitivity);
    if (draw_chance(source, 0.1)) return 0;
    if (draw_chance(source, 0.3) || !(loss > 0 && loss < 1e9))
        loss = fmin(1e9, typical * draw_log_uniform(source, 1e-4, 10));
    if (draw_chance(source, 0.2)) loss *= 1 + ldexp(draw_uniform(source, -4, 4), -50);
    return loss;
}

profile_case case_draw(draw_source *source, const char *family) {
    profile_case at = {.family = ref_find(family)};
    if (!at.family) fail_msg("family '%s' has no reference", family);
    do {
        at.family->draw(source, at.parameter);
    } while (!ordinary(&at) ||
             dpn_law_make(&at.law, family, at.parameter, (size_t)at.family->parameters, NULL) != DPN_OK);
    at.sensitivity = draw_sensitivity(source, &at);
    at.epsilon = draw_epsilon(source, &at);
    return at;
}

void case_reference(ref_law *law, const profile_case *at) {
    double ratio = fabs(log2(at->sensitivity * at->law.constant[DPN_PDF0]));
    ref_make(law, at->family, at->parameter, 200 + (mpfr_prec_t)(8 * ratio));
}

static void complain(const profile_case *at, dpn_delta got, real truth, const char *what) {
    char text[DPN_LAW_TEXT_SIZE], expected[64];
    mpfr_snprintf(expected, sizeof expected, "%.22Rg", truth);
    fail_msg("%s, sensitivity %.17g, epsilon %.17g, %s: [%.17g, %.17g], log [%.17g, %.17g] without %s",
             dpn_law_print(text, &at->law), at->sensitivity, at->epsilon, what, got.lower, got.upper, got.log_lower,
             got.log_upper, expected);
}

/* The truth has an error of its own, far below that of any double. */
#define SLACK 1e-20

dpn_delta case_ends(dpn_delta delta) {
    double slack = 1e-13;
    bool low = delta.log_lower < -700 ? delta.lower <= 1e-300
                                      : delta.lower <= exp(delta.log_lower) * (1 + slack) &&
                                            delta.lower >= exp(delta.log_lower) * (1 - slack);
    bool high = delta.log_upper < -700 ? delta.upper <= 1e-300
                                       : delta.upper >= exp(delta.log_upper) * (1 - slack) &&
                                             delta.upper <= exp(delta.log_upper) * (1 + slack);
    if (!low || !high || (delta.upper == 0) != (delta.log_upper == -INFINITY))
        fail_msg("[%.17g, %.17g] is not [%.17g, %.17g] in logarithms", delta.lower, delta.upper, delta.log_lower,
                 delta.log_upper);
    return delta;
}

double case_compare(const profile_case *at, dpn_estimate estimate, real truth, const char *what) {
    dpn_delta got = dpn_estimate_interval(estimate);
    if (!dpn_estimate_usable(estimate)) complain(at, got, truth, what);
    if (estimate.mantissa == 0 || r_sign(truth) <= 0) {
        if (estimate.mantissa != 0 || r_sign(truth) > 0) complain(at, got, truth, what);
        return 0;
    }
    real log_truth = r_log(truth), slack = r_num(SLACK);
    real most = r_add(truth, r_mul(truth, slack)), least = r_sub(truth, r_mul(truth, slack));
    bool below = r_less(r_add(log_truth, slack), r_num(got.log_lower)) || r_less(most, r_num(got.lower));
    bool above = r_less(r_num(got.log_upper), r_sub(log_truth, slack)) || r_less(r_num(got.upper), least);
    if (below || above) complain(at, got, truth, what);
    real exponent = r_add(r_num(estimate.exponent.hi), r_num(estimate.exponent.lo));
    real log_estimate = r_sub(r_log(r_num(estimate.mantissa)), exponent);
    double miss = fabs(r_double(r_sub(log_estimate, log_truth)));
    return estimate.error > 0 ? miss / estimate.error : 0;
}
