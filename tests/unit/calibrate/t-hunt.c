/* What the search over shapes rests on: where atoms of the loss pass epsilon, by their definition, the places between which it looks, and the corner that it finds. */
#include "calibrate/hunt.c" /* to see its steps */

#include "law/facts.h"

#include <dpnoise/privacy.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct subject {
    dpn_sensitivity set;
    dpn_problem problem;
    dpn_law law[4];
    dpn_hunt hunt;
} subject;

/* A search over a family for K coordinates that move by 1. */
static void begin(subject *s, const struct dpn_family *family, double epsilon, double delta, size_t count) {
    static const dpn_calibration_options options = {.size = sizeof(dpn_calibration_options)};
    dpn_calibration_options taken = options;
    dpn_error why;
    *s = (subject){.set = {.dimension = count, .linf = 1}};
    taken.times = 1;
    if (dpn_problem_make(&s->problem, family, epsilon, delta, &s->set, &taken, DPN_GROUPS_CONTOUR, &why))
        fail_msg("%s", why.sentence);
    s->hunt = (dpn_hunt){.problem = &s->problem,
                         .law = s->law,
                         .at = {.family = family},
                         .width = 1,
                         .limit = INFINITY,
                         .enough = INFINITY,
                         .effort = narrow_effort};
    if (family->shape) set_range(&s->hunt, family);
}

static void end(subject *s) {
    dpn_problem_free(&s->problem);
}

/* ---- shapes ---- */

static void a_place_is_that_of_its_shape(void **state) {
    (void)state;
    const struct dpn_family *const families[] = {dpn_family_find("flipped-huber"), dpn_family_find("osgt"),
                                                 dpn_family_find("subbotin"), dpn_family_find("discrete-osgt"),
                                                 dpn_family_find("discrete-flipped-huber")};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        const struct dpn_family *family = families[f];
        subject s;
        begin(&s, family, 1, 1e-6, 1);
        double step = dpn_family_step(family), least = fmin(s.hunt.from, s.hunt.to),
               most = fmax(s.hunt.from, s.hunt.to);
        for (int i = 0; i <= 20; i++) {
            double t = least + (most - least) * i / 20, shape = shape_at(&s.hunt, t);
            if (step > 0) {
                assert_true(shape / step == floor(shape / step));
                assert_true(fabs(shape - exp(t) - family->shape->lowest) <= 0.5 * step * (1 + 1e-9));
            } else {
                assert_true(fabs(place_of(family, shape) - t) < 1e-9 * (1 + fabs(t)));
            }
        }
        assert_true(shape_at(&s.hunt, least) >= 0.9 * family->shape->least - step);
        assert_true(shape_at(&s.hunt, most) <= family->shape->most * (1 + 1e-9));
        end(&s);
    }
}

/* The range of a shape that is given is searched, and no other. */
static void a_range_that_is_given(void **state) {
    (void)state;
    subject s;
    begin(&s, dpn_family_find("flipped-huber"), 1, 1e-6, 1);
    s.problem.options.shape_min = 0.5;
    s.problem.options.shape_max = 3;
    set_range(&s.hunt, dpn_family_find("flipped-huber"));
    assert_true(fabs(fmin(s.hunt.from, s.hunt.to) - log(0.5)) < 1e-12);
    assert_true(fabs(fmax(s.hunt.from, s.hunt.to) - log(3)) < 1e-12);
    end(&s);
}

/* On the integers shapes beyond some hundred times the deviation of the noise are those of the limit: the range ends there, and not before 16. */
static void shapes_in_steps_end_where_the_limit_is(void **state) {
    (void)state;
    for (double epsilon = 0.01; epsilon < 20; epsilon *= 3)
        for (size_t count = 1; count <= 4; count += 3) {
            subject s;
            double from, to, deviation = sqrt(2) * (double)count / epsilon;
            begin(&s, dpn_family_find("discrete-flipped-huber"), epsilon, 1e-6, count);
            dpn_family_range(&from, &to, dpn_family_find("discrete-flipped-huber"), &s.problem);
            assert_true(from == dpn_family_find("discrete-flipped-huber")->shape->least && to == floor(to) && to >= 16);
            assert_true(to <= dpn_family_find("discrete-flipped-huber")->shape->most);
            if (epsilon > 0.5) assert_true(to < 100 * (deviation + 1)); /* and no time is lost beyond */
            if (count == 1) assert_true(to > 20 * deviation);
            end(&s);
        }
}

/* The scale for another shape has the variance of the last noise. */
static void neighbours_are_as_wide(void **state) {
    (void)state;
    const struct dpn_family *const families[] = {dpn_family_find("flipped-huber"), dpn_family_find("osgt"),
                                                 dpn_family_find("subbotin")};
    static const double shapes[] = {1.1, 1.3, 1.7, 2.5, 4};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        subject s;
        begin(&s, families[f], 1, 1e-6, 1);
        assert_true(neighbour(&s.hunt, 2) == 0); /* nothing is known */
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j < 5; j++) {
                dpn_law one, other;
                s.hunt.at = (dpn_candidate){.family = families[f], .shape = shapes[i], .scale = 0.3 + (double)i};
                double scale = neighbour(&s.hunt, shapes[j]);
                if (i == j) assert_true(scale == s.hunt.at.scale);
                assert_int_equal(dpn_family_tune(&one, families[f], shapes[i], s.hunt.at.scale, 1, NULL), DPN_OK);
                assert_int_equal(dpn_family_tune(&other, families[f], shapes[j], scale, 1, NULL), DPN_OK);
                double ratio = dpn_law_variance(&other) / dpn_law_variance(&one);
                if (!(fabs(ratio - 1) < 2e-4)) fail_msg("%s: %g times the variance", families[f]->name, ratio);
            }
        end(&s);
    }
}

/* ---- atoms ---- */

/* Noise of flipped Huber's law has the density of Laplace noise of the scale gamma^2/alpha up to alpha: for moves of 1 of K coordinates the losses have the atom
 * K alpha/gamma^2, of the mass of all lying there. */
static double atom_of(const dpn_law *law, size_t count, double *log_mass) {
    double alpha = dpn_law_parameter(law, "alpha"), gamma = dpn_law_parameter(law, "gamma");
    *log_mass = (double)count * log(0.5 - dpn_law_sf(law, alpha));
    return (double)count * alpha / (gamma * gamma);
}

static void kinks_are_where_the_atom_is_epsilon(void **state) {
    (void)state;
    int kinks = 0, none = 0;
    for (size_t count = 1; count <= 4; count++)
        for (int i = 0; i < 4; i++)
            for (double shape = 0.05; shape < 6; shape *= 1.6) {
                static const double epsilons[] = {0.1, 0.5, 1, 4}, deltas[] = {1e-9, 1e-5, 1e-3, 1e-2};
                double epsilon = epsilons[i], delta = deltas[(i + (int)count) % 4], log_mass;
                subject s;
                begin(&s, dpn_family_find("flipped-huber"), epsilon, delta, count);
                dpn_candidate one = {.family = dpn_family_find("flipped-huber"), .shape = shape, .scale = 1};
                double kink = dpn_candidate_log_kink(one, s.law, &s.problem),
                       least = dpn_candidate_log_least(one, s.law, &s.problem);
                dpn_law law;
                assert_int_equal(dpn_family_tune(&law, one.family, shape, 1, 1, NULL), DPN_OK);
                double atom = atom_of(&law, count, &log_mass);
                assert_int_equal(isnan(kink), !(log_mass > log(delta)));
                assert_int_equal(isnan(least), isnan(kink));
                assert_int_equal(has_kink(&s.hunt, log(shape), 0), !isnan(kink));
                isnan(kink) ? none++ : kinks++;
                if (!isnan(kink)) { /* both are inversely proportional to the scale */
                    assert_true(fabs(exp(kink) * epsilon / atom - 1) < 1e-10);
                    double loss = atom / exp(least), alone = exp(log_mass) * -expm1(epsilon - loss);
                    assert_true(fabs(alone / delta - 1) < 1e-6 && least < kink);
                    dpn_candidate there = at_kink(&s.hunt, shape, 0);
                    assert_true(there.scale == exp(kink) && there.shape == shape);
                    s.law[0] = (dpn_law){0};
                    assert_true(error_at_kink(&there, &s.hunt));
                    assert_int_equal(dpn_family_tune(&law, one.family, shape, there.scale, 1, NULL), DPN_OK);
                    assert_true(fabs(there.error / ((double)count * dpn_law_variance(&law)) - 1) < 1e-12);
                }
                dpn_candidate nowhere = {.family = dpn_family_find("flipped-huber"), .shape = shape, .scale = NAN};
                assert_false(error_at_kink(&nowhere, &s.hunt));
                nowhere.scale = 1e300; /* no law has so large a scale */
                assert_false(error_at_kink(&nowhere, &s.hunt));
                end(&s);
            }
    assert_true(kinks > 30 && none > 10);
}

/* Below the least scale delta is more than is asked for: the accountant's lower end says so. */
static void below_the_least_scale_nothing_is_private(void **state) {
    (void)state;
    for (size_t count = 1; count <= 3; count++)
        for (double shape = 0.8; shape < 5; shape *= 1.5) {
            const double epsilon = 1, delta = 1e-3;
            subject s;
            begin(&s, dpn_family_find("flipped-huber"), epsilon, delta, count);
            dpn_candidate one = {.family = dpn_family_find("flipped-huber"), .shape = shape, .scale = 1};
            double least = dpn_candidate_log_least(one, s.law, &s.problem);
            dpn_law law;
            dpn_delta found;
            if (!isnan(least)) {
                assert_int_equal(dpn_family_tune(&law, one.family, shape, 0.98 * exp(least), 1, NULL), DPN_OK);
                assert_int_equal(dpn_sensitivity_delta(&found, NULL, NULL, &law, 1, &s.set, epsilon, NULL, NULL),
                                 DPN_OK);
                assert_true(found.lower > delta);
            }
            end(&s);
        }
}

/* The first shape with an atom that counts has one, and none does a little below; it is the end of the range if that has one too, and none if the other end has none. */
static void the_first_kink(void **state) {
    (void)state;
    int inside = 0;
    for (size_t count = 1; count <= 5; count++)
        for (double delta = 1e-9; delta < 0.2; delta *= 50) {
            subject s;
            begin(&s, dpn_family_find("flipped-huber"), 0.7, delta, count);
            double low = log(0.01), high = log(6), first = first_kink(&s.hunt, low, high, 0);
            if (!has_kink(&s.hunt, high, 0)) {
                assert_true(first == INFINITY);
            } else if (has_kink(&s.hunt, low, 0)) {
                assert_true(first == low);
            } else {
                assert_true(has_kink(&s.hunt, first, 0) && !has_kink(&s.hunt, first - 1.001e-3, 0));
                assert_true(first > low && first <= high);
                assert_true(first_kink(&s.hunt, first, high, 0) == first);
                assert_true(first_kink(&s.hunt, low, first - 2e-3, 0) == INFINITY);
                inside++;
            }
            end(&s);
        }
    assert_true(inside > 5);
}

/* A shape is worthless from where the error that its atom alone asks for is more than enough. */
static void where_shapes_begin_to_be_worthless(void **state) {
    (void)state;
    subject s;
    begin(&s, dpn_family_find("flipped-huber"), 1, 1e-4, 3);
    double low = first_kink(&s.hunt, log(0.2), log(8), 0), high = log(8);
    assert_true(first_worthless(&s.hunt, low, high, 0) == high); /* all is worth finding */
    for (double t = low + 0.2; t < 1.2; t += 0.3) {              /* further out next to nothing is gained */
        dpn_candidate one = {.family = dpn_family_find("flipped-huber"), .shape = exp(t)}, least = one;
        least.scale = exp(dpn_candidate_log_least(one, s.law, &s.problem));
        assert_true(error_at_kink(&least, &s.hunt));
        s.hunt.enough = least.error * (1 - 1e-9);
        assert_true(worthless(&s.hunt, &one));
        double first = first_worthless(&s.hunt, low, high, 0);
        assert_true(first >= t - 1.1e-3 && first <= t + 1.1e-3);
        s.hunt.enough = least.error * (1 + 1e-9);
        assert_false(worthless(&s.hunt, &one));
    }
    end(&s);
}

/* The delta of a shape with a given error is that of the law with this error. */
static void shapes_with_the_error_of_a_rival(void **state) {
    (void)state;
    for (int mae = 0; mae < 2; mae++)
        for (double shape = 0.3; shape < 4; shape *= 2) {
            subject s;
            begin(&s, dpn_family_find("osgt"), 0.8, 1e-5, 2);
            s.problem.options.objective = mae ? DPN_OBJECTIVE_MAE : DPN_OBJECTIVE_MSE;
            dpn_candidate one = {.family = dpn_family_find("osgt"), .shape = shape};
            double excess, error = mae ? 12 : 150, low = 1e-3, high = 1e3;
            assert_int_equal(excess_with(&excess, &s.hunt, one, error, (dpn_effort){0}), DPN_OK);
            dpn_law law = {0};
            while (high / low > 1 + 1e-13) {
                double scale = sqrt(low * high);
                assert_int_equal(dpn_family_tune(&law, dpn_family_find("osgt"), shape, scale, 1, NULL), DPN_OK);
                *(2 * (mae ? dpn_law_mean_abs(&law) : dpn_law_variance(&law)) < error ? &low : &high) = scale;
            }
            dpn_delta delta;
            assert_int_equal(dpn_sensitivity_delta(&delta, NULL, NULL, &law, 1, &s.set, 0.8, NULL, NULL), DPN_OK);
            assert_true(fabs(delta.log_upper - log(1e-5) - excess) < 1e-5);
            s.problem.rival = error;
            s.hunt.effort = (dpn_effort){0};
            assert_int_equal(hopeless(&s.hunt, one), excess > 0);
            end(&s);
        }
}

/* ---- golden sections ---- */

typedef struct valley {
    double least, low, high;
    int looks;
} valley;

static double height_of(void *context, double x) {
    valley *v = context;
    assert_true(x > v->low && x < v->high);
    v->looks++;
    return fabs(x - v->least) * (x < v->least ? 3 : 1);
}

/* Each look but the first makes the interval shorter by the golden ratio, which is r = 0.618..: of N looks the interval around the one that is returned is r^(N - 1) as wide. */
static void golden_sections_close_in(void **state) {
    (void)state;
    const double ratio = 0.5 * (sqrt(5) - 1);
    for (int looks = 2; looks < 40; looks++)
        for (int place = -1; place <= 11; place++) {
            valley v = {.least = -2 + 0.5 * place, .low = -2, .high = 3};
            double found = dpn_golden(height_of, &v, v.low, v.high, looks);
            assert_int_equal(v.looks, looks);
            double from = fmin(fmax(v.least, v.low), v.high), most = 5 * pow(ratio, looks - 1);
            if (!(fabs(found - from) <= most * (1 + 1e-9) + 1e-9))
                fail_msg("%d looks for %g end at %g", looks, v.least, found);
        }
}

/* ---- the scan ---- */

static void dips_and_ends_of_a_scan(void **state) {
    (void)state;
    const double value[] = {5, 3, 4, 4, 4, 2, INFINITY, 7, 6};
    const bool dip[] = {false, true, false, false, false, true, false, false, true};
    for (int i = 0; i < 9; i++)
        if (is_dip(value, i, 9) != dip[i]) fail_msg("%d", i);
    assert_true(is_dip((const double[]){1, 2}, 0, 2) && is_dip((const double[]){1, 1}, 0, 2));
    assert_false(is_dip((const double[]){1, 1}, 1, 2)); /* of a plateau the first */
    dpn_hunt h = {.limit = 10, .best = {.error = 5}};
    const double refused[] = {5, 6, 7, 8, INFINITY}, all_refused[] = {5, 6, 7, INFINITY, INFINITY};
    assert_true(stop_scan(&h, refused, 4, INFINITY) && !stop_scan(&h, all_refused, 4, INFINITY));
    const double rising[] = {5, 5.2, 5.4, 5.6, 5.8};
    assert_true(stop_scan(&h, rising, 4, INFINITY)); /* 5.8 is above 1.1 times 5 */
    assert_true(stop_scan(&h, rising, 3, INFINITY));
    assert_false(stop_scan(&h, rising, 2, INFINITY)); /* too early */
    h.best.error = 5.4;
    assert_false(stop_scan(&h, rising, 4, INFINITY));                           /* not above 5.94 */
    assert_true(stop_scan(&h, rising, 4, 5.2));                                 /* another spread has less */
    assert_false(stop_scan(&h, (const double[]){5, 5.2, 6.6, 6.5, 6.7}, 4, 5)); /* it does not rise */
    assert_false(stop_scan(&h, (const double[]){5, 5.2, 6.6, 6.7, 6.5}, 4, 5));
    h.limit = 5.9; /* the limit itself is nearly as good */
    assert_false(stop_scan(&h, (const double[]){5, 5.2, 6.4, 6.5, 6.7}, 4, INFINITY));
    h.limit = INFINITY;
    assert_false(stop_scan(&h, (const double[]){5, 5.2, 6.4, 6.5, 6.7}, 4, INFINITY));
}

/* A look keeps the last candidate that had an error, the best of them, and the last failure. */
static void what_a_look_keeps(void **state) {
    (void)state;
    subject s;
    const struct dpn_family *gaussian = dpn_family_find("gaussian"), *laplace = dpn_family_find("laplace");
    begin(&s, gaussian, 1, 0, 1);
    s.hunt.step = 0.25;
    dpn_candidate none = {.family = gaussian}, wide = {.family = laplace}, wider = {.family = laplace, .width = 2};
    assert_true(look_at(&s.hunt, none) == INFINITY); /* its loss has no bound */
    assert_true(s.hunt.status == DPN_EUNSUPPORTED && s.hunt.why.status == DPN_EUNSUPPORTED && s.hunt.why.sentence[0]);
    assert_true(!s.hunt.best.family && s.hunt.done == 0.25);
    s.hunt.status = DPN_OK;
    assert_true(fabs(look_at(&s.hunt, wide) - 2) < 1e-9); /* the variance 2 of pure noise */
    assert_true(s.hunt.status == DPN_OK && s.hunt.best.family == laplace && s.hunt.at.family == laplace);
    assert_true(fabs(s.hunt.best.scale - 1) < 1e-9 && s.hunt.best.width == 0 && s.hunt.done == 0.5);
    s.hunt.best.error = 1;
    look_at(&s.hunt, wider);
    assert_true(s.hunt.at.width == 2 && s.hunt.best.width == 0 && s.hunt.best.error == 1);
    s.hunt.cancelled = true;
    assert_true(look_at(&s.hunt, wide) == INFINITY && s.hunt.status == DPN_ECANCELLED);
    assert_true(s.hunt.done == 1 && s.hunt.at.width == 2);
    end(&s);
}

/* ---- the corner ---- */

/* At the corner the atom is at epsilon, delta is what is asked for, and noise of shapes on both sides has no less error. */
static void the_corner(void **state) {
    (void)state;
    static const double settings[][2] = {{1, 1e-4}, {1, 1e-5}, {0.5, 1e-4}, {2, 1e-3}, {2, 1e-4}, {4, 1e-4}};
    int corners = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        subject s;
        begin(&s, dpn_family_find("flipped-huber"), settings[i][0], settings[i][1], 2);
        double place = look_at_corner(&s.hunt, 0);
        const dpn_candidate *corner = &s.hunt.kind[DPN_HUNT_CORNER];
        if (!corner->family) { /* no shape has an atom that binds together with the tails */
            end(&s);
            continue;
        }
        corners++;
        assert_true(fabs(log(corner->scale) - dpn_candidate_log_kink(*corner, s.law, &s.problem)) < 1e-9);
        dpn_law law;
        dpn_delta delta;
        assert_int_equal(dpn_family_tune(&law, dpn_family_find("flipped-huber"), corner->shape, corner->scale, 1, NULL),
                         DPN_OK);
        assert_int_equal(dpn_sensitivity_delta(&delta, NULL, NULL, &law, 1, &s.set, settings[i][0], NULL, NULL),
                         DPN_OK);
        /* The accountant finds the place hard: the interval that ends at what is asked for may be wide. With patience it is a narrow one inside. */
        assert_true(corner->delta.upper <= settings[i][1] && corner->delta.upper > 0.999 * settings[i][1]);
        assert_true(delta.lower >= corner->delta.lower && delta.upper <= corner->delta.upper);
        assert_true(fabs(corner->error / (2 * dpn_law_variance(&law)) - 1) < 1e-9);
        int told = 0;
        for (int side = -1; side <= 1; side += 2) { /* with a little less error they are not private */
            dpn_candidate other = {.family = dpn_family_find("flipped-huber"),
                                   .shape = corner->shape * exp(0.03 * side)};
            double excess;
            if (excess_with(&excess, &s.hunt, other, 0.997 * corner->error, rough_effort)) continue;
            assert_true(excess > 0);
            told++;
        }
        assert_true(told > 0);
        if (!isnan(place)) assert_true(fabs(place - log(corner->shape)) < 1e-5);
        end(&s);
    }
    assert_true(corners >= 3);
}

/* On one coordinate looks are cheap, and the corner is where delta is what is asked for to many digits. */
static void the_corner_of_one_coordinate(void **state) {
    (void)state;
    static const double settings[][2] = {{1, 1e-4}, {1, 1e-6}, {0.3, 1e-5}, {2, 1e-3}, {3, 1e-8}};
    int corners = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        subject s;
        begin(&s, dpn_family_find("flipped-huber"), settings[i][0], settings[i][1], 1);
        look_at_corner(&s.hunt, 0);
        const dpn_candidate *corner = &s.hunt.kind[DPN_HUNT_CORNER];
        if (corner->family) {
            corners++;
            double off = corner->delta.upper / settings[i][1] - 1;
            if (!(off <= 0 && off > -1.5e-5))
                fail_msg("epsilon %g, delta %g: off by %g", settings[i][0], settings[i][1], off);
            assert_true(s.hunt.best.family && s.hunt.best.error <= corner->error * (1 + 1e-5));
        }
        end(&s);
    }
    assert_true(corners >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_is_that_of_its_shape),
        cmocka_unit_test(a_range_that_is_given),
        cmocka_unit_test(shapes_in_steps_end_where_the_limit_is),
        cmocka_unit_test(neighbours_are_as_wide),
        cmocka_unit_test(kinks_are_where_the_atom_is_epsilon),
        cmocka_unit_test(below_the_least_scale_nothing_is_private),
        cmocka_unit_test(the_first_kink),
        cmocka_unit_test(where_shapes_begin_to_be_worthless),
        cmocka_unit_test(shapes_with_the_error_of_a_rival),
        cmocka_unit_test(golden_sections_close_in),
        cmocka_unit_test(dips_and_ends_of_a_scan),
        cmocka_unit_test(what_a_look_keeps),
        cmocka_unit_test(the_corner),
        cmocka_unit_test(the_corner_of_one_coordinate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
