/* The least scale of noise of one shape: it is certified and none a little smaller is, an estimate of it is near by, and few looks at delta find both. */
#include "calibrate/boundary.h"
#include "calibrate/tuning.h"
#include "law/facts.h"

#include <dpnoise/privacy.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 5 };

/* Each look asks whether the search goes on. */
static bool count_looks(void *context) {
    ++*(int *)context;
    return false;
}

typedef struct subject {
    const struct dpn_family *family; /* of the library, which knows it by its address */
    dpn_sensitivity set;
    dpn_problem problem;
    dpn_law law[MOST];
    double bound[MOST];
    int looks;
} subject;

static void begin(subject *s, const struct dpn_family *family, double epsilon, double delta, size_t count,
                  bool differ) {
    dpn_error why;
    *s = (subject){.family = family};
    for (size_t i = 0; i < count; i++) s->bound[i] = differ ? 1 + (double)i : 1;
    s->set = (dpn_sensitivity){.dimension = count, .bound = s->bound};
    const dpn_calibration_options options = {
        .size = sizeof(dpn_calibration_options), .times = 1, .cancelled = count_looks, .context = &s->looks};
    if (dpn_problem_make(&s->problem, family, epsilon, delta, &s->set, &options, DPN_GROUPS_CONTOUR, &why))
        fail_msg("%s", why.sentence);
}

/* The excess of log delta at a scale by the accountant of all rooms. */
static double excess_of(const subject *s, dpn_candidate one, double scale) {
    dpn_law law[MOST], each[MOST];
    dpn_delta delta;
    one.scale = scale;
    size_t stride = dpn_candidate_stride(&one);
    assert_int_equal(dpn_candidate_laws(law, &s->problem, &one, NULL), DPN_OK);
    for (size_t i = 0; i < s->set.dimension; i++) each[i] = law[stride * s->problem.group_of[i]];
    assert_int_equal(dpn_sensitivity_delta(&delta, NULL, NULL, each, stride ? s->set.dimension : 1, &s->set,
                                           s->problem.epsilon, NULL, NULL),
                     DPN_OK);
    return delta.log_upper - log(s->problem.delta);
}

static const struct {
    const char *family;
    double shape;
} noises[] = {{"gaussian", 0}, {"laplace", 0}, {"logistic", 0},   {"flipped-huber", 0.4}, {"flipped-huber", 2},
              {"osgt", 0.5},   {"osgt", 3},    {"subbotin", 1.5}, {"huber", 1},           {"staircase", 0.4}};
enum { NOISES = sizeof noises / sizeof *noises };
static const struct {
    double epsilon, delta;
    size_t count;
    bool differ;
} settings[] = {{1, 1e-6, 1, false}, {0.3, 1e-4, 2, false}, {2, 1e-8, 5, false}, {1, 1e-3, 3, true}};
enum { SETTINGS = sizeof settings / sizeof *settings };

static void a_boundary_is_where_delta_is_asked(void **state) {
    (void)state;
    const double tolerance = 1e-7;
    int tried = 0, all_looks = 0;
    for (size_t n = 0; n < NOISES; n++)
        for (size_t k = 0; k < SETTINGS; k++) {
            subject s;
            dpn_error why;
            begin(&s, dpn_family_find(noises[n].family), settings[k].epsilon, settings[k].delta, settings[k].count,
                  settings[k].differ);
            dpn_candidate one = {.family = s.family, .shape = noises[n].shape, .mix = settings[k].differ ? 1.5 : 0};
            dpn_status made = dpn_boundary(&one, s.law, &s.problem, tolerance, (dpn_effort){.accuracy = 1e-6}, &why);
            if (made == DPN_EACCURACY ||
                made == DPN_EUNSUPPORTED) { /* atoms next to epsilon: the accountant refuses so many digits */
                assert_true(strcmp(noises[n].family, "gaussian") != 0 && settings[k].count > 1);
                dpn_problem_free(&s.problem);
                continue;
            }
            if (made) fail_msg("%s, setting %zu: %s", noises[n].family, k, why.sentence);
            tried++;
            int looks = s.looks;
            all_looks += looks;
            double at = excess_of(&s, one, one.scale), below = excess_of(&s, one, one.scale * (1 - 3e-6));
            if (!(at <= 1e-5 && below > -1e-9))
                fail_msg("%s, setting %zu: the excess is %g, a little below %g", noises[n].family, k, at, below);
            assert_true(one.delta.upper <= settings[k].delta &&
                        fabs(one.delta.log_upper - log(settings[k].delta) - at) < 1e-5);
            double error = 0;
            for (size_t i = 0; i < s.set.dimension; i++)
                error += dpn_law_variance(&s.law[dpn_candidate_stride(&one) * s.problem.group_of[i]]);
            assert_true(fabs(one.error / error - 1) < 1e-12 && looks <= 40);
            /* Another start leads to the same place. */
            dpn_candidate warm = one;
            warm.scale *= 1.3;
            if (!dpn_boundary(&warm, s.law, &s.problem, tolerance, (dpn_effort){.accuracy = 1e-6}, &why))
                assert_true(fabs(warm.scale / one.scale - 1) < 3e-6);
            /* And about there lies the estimate. */
            for (int far = 0; far < 3; far++) {
                dpn_candidate about = one;
                about.slope = 0;
                about.scale = far == 0 ? 0 : far == 1 ? 2 * one.scale : 0.6 * one.scale;
                s.looks = 0;
                dpn_status status = dpn_boundary_estimate(&about, s.law, &s.problem,
                                                          (dpn_effort){.accuracy = 2e-3, .middle = true}, &why);
                if (status == DPN_EACCURACY) continue;
                if (status) fail_msg("%s, setting %zu: %s", noises[n].family, k, why.sentence);
                if (!(fabs(log(about.scale / one.scale)) < 2e-3 && s.looks <= 30))
                    fail_msg("%s, setting %zu from %d: %g away, %d looks", noises[n].family, k, far,
                             log(about.scale / one.scale), s.looks);
                double power = log(about.error / one.error) / log(about.scale / one.scale);
                if (fabs(log(about.scale / one.scale)) > 1e-7 && strcmp(noises[n].family, "staircase") != 0)
                    assert_true(fabs(power - 2) < 1e-3);
                double h = 2e-3,
                       slope =
                           (excess_of(&s, one, one.scale * exp(h)) - excess_of(&s, one, one.scale * exp(-h))) / (2 * h);
                if (about.slope != -20 && slope > -200 && !(fabs(about.slope / slope - 1) < 0.5))
                    fail_msg("%s, setting %zu from %d: the slope is %g, not %g", noises[n].family, k, far, about.slope,
                             slope);
            }
            dpn_problem_free(&s.problem);
        }
    assert_true(tried >= 25);
    assert_true(all_looks <= 16 * tried); /* 13 by chords, 23 by halving alone */
}

/* How noise is spread: a mix of 1 is the best for pure Laplace noise, where sum lambda/s is epsilon, 2 for Gaussian noise, where that of (lambda/s)^2 is fixed. Among all
 * powers of the sensitivities these have the least error. */
static void mixes_are_the_best_powers(void **state) {
    (void)state;
    static const double weight[MOST] = {1, 7, 0.4, 1, 3};
    for (int mae = 0; mae < 2; mae++)
        for (int gaussian = 0; gaussian < 2; gaussian++) {
            subject s;
            dpn_error why;
            double bound[MOST], least = INFINITY, at = 0;
            for (int i = 0; i < MOST; i++) bound[i] = 1 + i;
            dpn_sensitivity set = {.dimension = MOST, .bound = bound};
            dpn_calibration_options options = {.size = sizeof(dpn_calibration_options),
                                               .times = 1,
                                               .weight = weight,
                                               .objective = mae ? DPN_OBJECTIVE_MAE : DPN_OBJECTIVE_MSE};
            const struct dpn_family *family = dpn_family_find(gaussian ? "gaussian" : "laplace");
            if (dpn_problem_make(&s.problem, family, 1, 0.01, &set, &options, DPN_GROUPS_CONTOUR, &why))
                fail_msg("%s", why.sentence);
            for (int k = 0; k <= 60; k++) { /* the price of a unit of scale, by the definitions above */
                dpn_candidate one = {.family = family, .mix = 0.05 * k, .scale = 2};
                assert_int_equal(dpn_candidate_laws(s.law, &s.problem, &one, NULL), DPN_OK);
                double price = 0, error = 0, power = mae ? 1 : 2;
                for (size_t i = 0; i < MOST; i++) {
                    const dpn_law *law = &s.law[dpn_candidate_stride(&one) * s.problem.group_of[i]];
                    double scale = dpn_law_parameter(law, gaussian ? "sigma" : "scale");
                    price += pow(bound[i] / scale, gaussian ? 2 : 1);
                    error += weight[i] * pow(scale, power);
                }
                double total = error * pow(price, gaussian ? power / 2 : power); /* it does not depend on the scale */
                if (total < least) {
                    least = total;
                    at = one.mix;
                }
            }
            assert_true(fabs(at - (gaussian ? 2 : 1)) < 1e-9);
            dpn_problem_free(&s.problem);
        }
}

/* Without delta the largest loss is epsilon, to the last digits, and never more. */
static void pure_boundaries(void **state) {
    (void)state;
    static const struct {
        const char *family;
        double shape;
    } pure[] = {{"laplace", 0}, {"staircase", 0.4}, {"logistic", 0}};
    for (size_t n = 0; n < 3; n++)
        for (double epsilon = 0.01; epsilon < 10; epsilon *= 4)
            for (size_t count = 1; count <= 3; count++) {
                subject s;
                dpn_error why;
                begin(&s, dpn_family_find(pure[n].family), epsilon, 0, count, true);
                dpn_candidate one = {.family = s.family, .shape = pure[n].shape, .mix = 1};
                if (dpn_boundary(&one, s.law, &s.problem, 1e-9, (dpn_effort){0}, &why))
                    fail_msg("%s: %s", pure[n].family, why.sentence);
                double largest = dpn_problem_largest_loss(&s.problem, s.law, 1);
                assert_true(one.delta.upper == 0 && dpn_problem_within_epsilon(&s.problem, s.law, 1));
                assert_true(largest > epsilon * (1 - 1e-12) && largest < epsilon * (1 + 1e-12));
                double sum = 0;
                for (size_t i = 0; i < count && n == 0; i++)
                    sum += s.bound[i] / dpn_law_parameter(&s.law[s.problem.group_of[i]], "scale");
                if (n == 0) assert_true(fabs(sum / epsilon - 1) < 1e-12);
                dpn_problem_free(&s.problem);
            }
    subject s;
    dpn_error why;
    begin(&s, dpn_family_find("gaussian"), 1, 0, 1, false);
    dpn_candidate one = {.family = s.family};
    assert_int_equal(dpn_boundary(&one, s.law, &s.problem, 1e-9, (dpn_effort){0}, &why), DPN_EUNSUPPORTED);
    dpn_problem_free(&s.problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_boundary_is_where_delta_is_asked),
        cmocka_unit_test(mixes_are_the_best_powers),
        cmocka_unit_test(pure_boundaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
