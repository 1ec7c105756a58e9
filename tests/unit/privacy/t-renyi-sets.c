/* Renyi divergences of compositions and of sensitivity sets, and zCDP. */
#include "case.h"
#include "privacy/compose/saddle.h"

#include <dpnoise/renyi.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void near(double got, double value, double relative) {
    if (!(fabs(got - value) <= relative * fabs(value))) fail_msg("%.17g is not %.17g", got, value);
}

static dpn_part law_part(const char *text, double shift, uint64_t times) {
    dpn_part part = {.times = times};
    dpn_law law = case_law(text);
    if (dpn_loss_law(&part.loss, &law, shift, NULL)) fail_msg("%s at %g", text, shift);
    return part;
}

static dpn_divergence compose(const dpn_part *part, size_t parts, double order) {
    dpn_divergence out = {NAN, NAN};
    dpn_error why;
    if (dpn_renyi_compose(&out, part, parts, &order, 1, &why)) {
        char text[DPN_LAW_TEXT_SIZE];
        for (size_t i = 0; i < parts; i++)
            if (dpn_renyi_compose(&out, &part[i], 1, &order, 1, NULL))
                print_message("# %s at %.17g\n", dpn_law_print(text, &part[i].loss.law), part[i].loss.sensitivity);
        fail_msg("%s", why.sentence);
    }
    return out;
}

static dpn_divergence of_set(const char *text, const dpn_sensitivity *set, double order, dpn_argument *argument) {
    dpn_divergence out = {NAN, NAN};
    dpn_error why;
    dpn_law law = case_law(text);
    if (dpn_renyi_sensitivity(&out, argument, &law, 1, set, &order, 1, &why)) fail_msg("%s: %s", text, why.sentence);
    return out;
}

static dpn_zcdp zcdp_of_set(const char *text, const dpn_sensitivity *set) {
    dpn_zcdp out = {NAN, NAN};
    dpn_error why;
    dpn_law law = case_law(text);
    if (dpn_zcdp_sensitivity(&out, NULL, &law, 1, set, &why)) fail_msg("%s: %s", text, why.sentence);
    return out;
}

/* ---- compositions ---- */

/* The contour sum computes K(theta) of a composition in its own way; K/theta must lie in our interval. */
static void cumulants_of_the_engine_agree(void **state) {
    (void)state;
    static const char *const families[] = {"laplace", "flipped-huber", "osgt", "huber", "logistic", "gaussian"};
    draw_source source = {8};
    int compared = 0;
    for (int i = 0; i < case_count(200); i++) {
        dpn_part part[3];
        for (int j = 0; j < 3; j++) {
            profile_case at = case_draw(&source, families[draw_bits(&source) % 6]);
            double shift = draw_log_uniform(&source, 0.03, 3) / at.law.constant[DPN_PDF0];
            if (dpn_loss_law(&part[j].loss, &at.law, shift, NULL)) fail_msg("no loss");
            part[j].times = 1 + draw_bits(&source) % 100;
        }
        double theta = draw_log_uniform(&source, 0.05, 20);
        dpn_sum sum = {0};
        dpn_divergence got = compose(part, 3, 1 + theta);
        if (!dpn_sum_make(&sum, part, 3, false, NULL) && !dpn_sum_tilt(&sum, theta, 0, 1e-14, NULL)) {
            double engine = dpn_two_value(sum.cumulants.value), slack = sum.cumulants.error + 1e-14 * engine;
            theta = (1 + theta) - 1; /* as the order was rounded */
            compared++;
            if (!((engine - slack) / theta <= got.upper * (1 + 1e-13) &&
                  got.lower * (1 - 1e-13) <= (engine + slack) / theta))
                fail_msg("theta %g: %.17g not in [%.17g, %.17g]", theta, engine / theta, got.lower, got.upper);
        }
        dpn_sum_free(&sum);
    }
    assert_true(compared >= case_count(190));
}

static void curves_add(void **state) {
    (void)state;
    dpn_part part[4] = {
        law_part("osgt(m=3,sigma=6)", 1, 7), law_part("gaussian(sigma=2)", 1, 2), {.times = 3}, {.times = 5}};
    if (dpn_loss_pure(&part[2].loss, 0.5, NULL) || dpn_loss_block(&part[3].loss, 0.25, NULL)) fail_msg("no loss");
    const double order[] = {1, 1.5, 8, INFINITY};
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int j = 0; j < 4; j++) {
            dpn_part once = part[j];
            once.times = 1;
            sum += (double)part[j].times * compose(&once, 1, order[i]).upper;
        }
        near(compose(part, 4, order[i]).upper, sum, 1e-14);
    }
    assert_true(isinf(compose(part, 4, INFINITY).lower));
    near(compose(part + 2, 2, INFINITY).upper, 2.75, 1e-14);
    near(compose(part + 3, 1, 2).upper, 5 * compose((dpn_part[]){law_part("laplace(scale=4)", 1, 1)}, 1, 2).upper,
         1e-14);
    assert_true(compose(NULL, 0, 2).upper == 0);
    part[0].times = UINT64_C(1000000000000000000);
    near(compose(part, 1, 2).upper, 1e18 / 7 * compose((dpn_part[]){law_part("osgt(m=3,sigma=6)", 1, 7)}, 1, 2).upper,
         1e-14);
}

/* Randomised response, and a list with its divergence by hand. */
static void pure_and_explicit_losses(void **state) {
    (void)state;
    for (double e = 1e-9; e < 100; e *= 7) {
        dpn_part part = {.times = 1};
        if (dpn_loss_pure(&part.loss, e, NULL)) fail_msg("no loss");
        dpn_divergence first = compose(&part, 1, 1);
        near(first.upper, e * tanh(0.5 * e), 1e-11);
        for (double a = 1.5; a < 1e4; a *= 5)
            near(compose(&part, 1, a).upper,
                 e < 1e-2 ? 0.5 * a * e * e : (log1p(exp(-(2 * a - 1) * e)) - log1p(exp(-e)) + (a - 1) * e) / (a - 1),
                 e < 1e-2 ? a * e : 1e-11);
    }
    const double value[] = {-1, 0.25, 1}, probability[] = {0.125, 0.5, 0.375};
    dpn_part part = {.times = 2};
    if (dpn_loss_explicit(&part.loss, value, probability, 3, NULL)) fail_msg("no loss");
    double kl = 0, second = 0;
    for (int i = 0; i < 3; i++) {
        kl += probability[i] * value[i];
        second += probability[i] * exp(value[i]);
    }
    dpn_divergence d1 = compose(&part, 1, 1), d2 = compose(&part, 1, 2);
    assert_true(d1.lower <= 2 * kl * (1 + 1e-15) && d1.upper >= 2 * kl * (1 - 1e-15) &&
                d1.upper / d1.lower < 1 + 1e-11);
    assert_true(d2.lower <= 2 * log(second) * (1 + 1e-14) && d2.upper >= 2 * log(second) * (1 - 1e-14));
    near(compose(&part, 1, INFINITY).upper, 2, 1e-14);
    const double infinite[] = {0, INFINITY}, half[] = {0.5, 0.5};
    if (dpn_loss_explicit(&part.loss, infinite, half, 2, NULL)) fail_msg("no loss");
    assert_true(isinf(compose(&part, 1, 1).lower));
}

static void nothing_is_written_on_error(void **state) {
    (void)state;
    dpn_part part = law_part("osgt(m=1,sigma=1e150)", 1e-10, 1);
    const double order[] = {2, 0.5};
    dpn_divergence out[2] = {{3, 3}, {3, 3}};
    dpn_error why;
    assert_int_equal(dpn_renyi_compose(out, &part, 1, order, 1, &why), DPN_EACCURACY);
    assert_int_equal(dpn_renyi_compose(out, &part, 1, order, 2, &why), DPN_EDOMAIN);
    dpn_law law = case_law("gaussian(sigma=1)");
    dpn_sensitivity unbounded = {.dimension = 2};
    assert_int_equal(dpn_renyi_sensitivity(out, NULL, &law, 1, &unbounded, order, 1, &why), DPN_EDOMAIN);
    assert_true(out[0].lower == 3 && out[1].upper == 3);
}

/* ---- sets ---- */

static double one(const char *law, double shift, double order) {
    dpn_part part = law_part(law, shift, 1);
    return compose(&part, 1, order).upper;
}

static void sets_add_over_the_worst_move(void **state) {
    (void)state;
    const char *const laws[] = {"flipped-huber(alpha=2,gamma=3)", "osgt(m=1,sigma=2)", "laplace(scale=4)",
                                "staircase(epsilon=1,sensitivity=2,gamma=0.4)", "subbotin(p=1.5,scale=3)"};
    dpn_argument argument;
    for (size_t i = 0; i < 5; i++) {
        dpn_sensitivity box = {.dimension = 8, .linf = 1}, few = {.dimension = 1000, .linf = 1, .max_changed = 2};
        near(of_set(laws[i], &box, 3, &argument).upper, 8 * one(laws[i], 1, 3), 1e-14);
        assert_int_equal(argument, DPN_ARGUMENT_CORNER);
        near(of_set(laws[i], &few, 3, &argument).upper, 2 * one(laws[i], 1, 3), 1e-14);
        const double bound[] = {0.5, 1, 2};
        dpn_sensitivity unequal = {.dimension = 3, .bound = bound};
        near(of_set(laws[i], &unequal, 2, &argument).upper,
             one(laws[i], 0.5, 2) + one(laws[i], 1, 2) + one(laws[i], 2, 2), 1e-14);
    }
    dpn_sensitivity ball = {.dimension = 5, .l1 = 2};
    near(of_set(laws[1], &ball, 3, &argument).upper, one(laws[1], 2, 3), 1e-14);
    assert_int_equal(argument, DPN_ARGUMENT_ONE_HOT);
    const double vertex[] = {2, 0, 1, 1, 2, 0}; /* either may be the last */
    for (int i = 0; i < 2; i++) {
        dpn_sensitivity hull = {.dimension = 2, .vertex = vertex + 2 * i, .vertices = 2};
        for (double order = 1; order < 100; order *= 4)
            near(of_set(laws[1], &hull, order, &argument).upper,
                 fmax(2 * one(laws[1], 1, order), one(laws[1], 2, order)), 1e-14);
    }
    assert_int_equal(argument, DPN_ARGUMENT_VERTICES);
    dpn_sensitivity round = {.dimension = 9, .l2 = 2};
    near(of_set("gaussian(sigma=3)", &round, 5, &argument).upper, 5 * 4 / 18.0, 1e-14);
    assert_int_equal(argument, DPN_ARGUMENT_L2_GAUSSIAN);
}

/* No move of an l2 ball exceeds the bound, and the bound is not void. */
static void l2_balls_are_bounded(void **state) {
    (void)state;
    draw_source source = {21};
    for (int i = 0; i < case_count(100); i++) {
        char text[96];
        double d[4], norm = 0, order = 1 + draw_log_uniform(&source, 0.01, 50);
        snprintf(text, sizeof text, i % 2 ? "osgt(m=%.3g,sigma=%.3g)" : "flipped-huber(alpha=%.3g,gamma=%.3g)",
                 draw_log_uniform(&source, 0.1, 10), draw_log_uniform(&source, 0.3, 10));
        for (int j = 0; j < 4; j++) {
            d[j] = draw_chance(&source, 0.5) ? draw_uniform(&source, 0, 1) : 0;
            norm += d[j] * d[j];
        }
        if (norm == 0) continue;
        dpn_sensitivity ball = {.dimension = 4, .l2 = 1.5};
        dpn_part part[4];
        for (int j = 0; j < 4; j++) part[j] = law_part(text, 1.5 * d[j] / sqrt(norm), 1);
        dpn_argument argument;
        dpn_divergence all = of_set(text, &ball, order, &argument), move = compose(part, 4, order);
        assert_int_equal(argument, DPN_ARGUMENT_BOUND);
        assert_true(move.lower <= all.upper && all.lower <= all.upper && all.upper < 100 * all.lower);
        dpn_zcdp zcdp = zcdp_of_set(text, &ball);
        assert_true(move.lower <= zcdp.xi + order * zcdp.rho);
    }
}

/* The divergence is convex in the shift: what the vertices rest on. */
static void it_is_convex_in_the_shift(void **state) {
    (void)state;
    static const char *const families[] = {"laplace", "flipped-huber", "osgt", "huber", "logistic", "subbotin"};
    draw_source source = {33};
    for (int i = 0; i < case_count(200); i++) {
        profile_case at = case_draw(&source, families[i % 6]);
        double d = at.sensitivity, step = d * draw_uniform(&source, 0.1, 0.9),
               order = 1 + draw_log_uniform(&source, 0.01, 30);
        dpn_divergence low, middle, high;
        if (dpn_renyi(&low, &at.law, d - step, order, NULL) || dpn_renyi(&middle, &at.law, d, order, NULL) ||
            dpn_renyi(&high, &at.law, d + step, order, NULL))
            continue;
        assert_true(2 * middle.lower <= (low.upper + high.upper) * (1 + 1e-12));
    }
}

/* A divergence of order a bounds delta(epsilon) by e^((a-1)(D - epsilon)) (1 - 1/a)^a/(a - 1) (Canonne, Kamath, Steinke
 * 2020, Proposition 12): never below the exact profile. */
static void implied_deltas_bound_the_profile(void **state) {
    (void)state;
    static const char *const families[] = {"gaussian", "laplace",       "flipped-huber",    "osgt",
                                           "huber",    "logistic",      "staircase",        "discrete-gaussian",
                                           "subbotin", "discrete-osgt", "discrete-laplace", "discrete-flipped-huber"};
    draw_source source = {66};
    int compared = 0;
    for (int i = 0; i < 1000; i++) {
        profile_case at = case_draw(&source, families[i % 12]);
        double a = 1 + draw_log_uniform(&source, 0.1, 200);
        dpn_divergence d;
        dpn_delta exact;
        if (dpn_renyi(&d, &at.law, at.sensitivity, a, NULL) ||
            dpn_profile_delta(&exact, &at.law, at.sensitivity, at.epsilon, NULL))
            continue;
        compared++;
        double log_implied = (a - 1) * (d.upper - at.epsilon) + a * log1p(-1 / a) - log(a - 1);
        if (!(log_implied >= exact.log_lower - 1e-9 * fabs(exact.log_lower))) {
            char text[DPN_LAW_TEXT_SIZE];
            fail_msg("%s at %.17g, order %.17g: the delta at %.17g is above the implied one",
                     dpn_law_print(text, &at.law), at.sensitivity, a, at.epsilon);
        }
    }
    assert_true(compared > 900);
}

/* ---- zCDP ---- */

static void zcdp_lies_above_every_curve(void **state) {
    (void)state;
    static const char *const families[] = {"gaussian",      "laplace",   "flipped-huber",         "osgt",
                                           "huber",         "logistic",  "discrete-gaussian",     "discrete-laplace",
                                           "discrete-osgt", "staircase", "discrete-flipped-huber"};
    draw_source source = {55};
    for (int i = 0; i < case_count(1000); i++) {
        profile_case at = case_draw(&source, families[i % 11]);
        double order = 1 + draw_log_uniform(&source, 1e-9, 1e4);
        dpn_part part = {.times = 1};
        dpn_zcdp zcdp;
        dpn_divergence got;
        if (dpn_loss_law(&part.loss, &at.law, at.sensitivity, NULL) || dpn_zcdp_compose(&zcdp, &part, 1, NULL))
            fail_msg("no zCDP");
        if (dpn_renyi(&got, &at.law, at.sensitivity, order, NULL)) continue;
        if (!(got.lower <= zcdp.xi + order * zcdp.rho)) {
            char text[DPN_LAW_TEXT_SIZE];
            fail_msg("%s at %.17g, order %.17g: %.17g above %.17g + order %.17g", dpn_law_print(text, &at.law),
                     at.sensitivity, order, got.lower, zcdp.xi, zcdp.rho);
        }
    }
}

static void zcdp_values(void **state) {
    (void)state;
    dpn_zcdp pure = dpn_zcdp_pure(2);
    assert_true(pure.xi == 0);
    near(pure.rho, 2 * tanh(1), 1e-14);
    assert_true(pure.rho < 2 && isnan(dpn_zcdp_pure(-1).rho) && isnan(dpn_zcdp_pure(INFINITY).rho));
    dpn_part laplace = law_part("laplace(scale=2)", 1, 10);
    dpn_zcdp out;
    assert_int_equal(dpn_zcdp_compose(&out, &laplace, 1, NULL), DPN_OK);
    near(out.rho, 10 * (exp(-0.5) - 0.5), 1e-13);
    dpn_sensitivity box = {.dimension = 20, .linf = 1}, ball = {.dimension = 20, .l2 = 1, .l1 = 2};
    out = zcdp_of_set("osgt(m=3,sigma=2)", &box);
    near(out.xi, 3 * 20 / 4.0, 1e-14);
    near(out.rho, 20 / 8.0, 1e-14);
    out = zcdp_of_set("osgt(m=3,sigma=2)", &ball);
    near(out.xi, 3 * 2 / 4.0, 1e-13);
    near(out.rho, 1 / 8.0, 1e-14);
    out = zcdp_of_set("flipped-huber(alpha=0.5,gamma=3)", &box);
    near(out.rho, 20 / 18.0, 1e-14);
    dpn_error why;
    dpn_part truncated = law_part("truncated-laplace(scale=1,bound=9)", 1, 1),
             steep = law_part("subbotin(p=3,scale=1)", 1, 1);
    assert_int_equal(dpn_zcdp_compose(&out, &truncated, 1, &why), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_zcdp_compose(&out, &steep, 1, &why), DPN_EUNSUPPORTED);
    near(out.rho, 20 / 18.0, 1e-14);
}

/* Of an l2 ball of which few coordinates move, those that may have the largest sum of xi when they share it evenly: sqrt(n) times that of
 * one. For an m far above the move, and an order between, the divergence of that move comes within a tenth of xi. */
static void few_coordinates_share_an_l2_ball(void **state) {
    (void)state;
    draw_source source = {58};
    for (int i = 0; i < 60; i++) {
        char text[96];
        size_t dimension = 1 + draw_bits(&source) % 40, most = 1 + draw_bits(&source) % dimension;
        double n = (double)most, l2 = draw_log_uniform(&source, 0.1, 3), sum = sqrt(n) * l2;
        dpn_sensitivity set = {.dimension = dimension, .l2 = l2, .max_changed = most == dimension && i % 2 ? 0 : most};
        if (i % 3 == 0) set.l1 = fmax(l2, draw_uniform(&source, 0.5, 1.2) * sum);
        if (i % 3 == 0) sum = fmin(sum, set.l1);
        double each = sum / n, m = each * draw_log_uniform(&source, 1e5, 1e6), order = 1 + sqrt(m / each);
        double sigma = sqrt(m * each * draw_log_uniform(&source, 0.3, 3));
        snprintf(text, sizeof text, "osgt(m=%.17g,sigma=%.17g)", m, sigma);
        dpn_zcdp got = zcdp_of_set(text, &set);
        near(got.xi, m * sum / (sigma * sigma), 1e-12);
        near(got.rho, 0.5 * l2 * l2 / (sigma * sigma), 1e-12);
        dpn_part part = law_part(text, each * (1 - 1e-14), most); /* its norms are within the set */
        dpn_divergence move = compose(&part, 1, order);
        assert_true(move.lower <= got.xi + order * got.rho);
        near(move.lower, got.xi, 0.1);
    }
}

/* OSGT: the constant of zCDP (docs/proofs/privacy/renyi.md, 6) and Theorem 2 bound the exact divergence; neither is always the smaller. */
static void theorem_2_and_its_repair(void **state) {
    (void)state;
    dpn_law law = case_law("osgt(m=3,sigma=6.324555320336759)"), other = case_law("gaussian(sigma=1)");
    dpn_sensitivity set = {.dimension = 1, .linf = 1};
    dpn_zcdp repair = zcdp_of_set("osgt(m=3,sigma=6.324555320336759)", &set);
    int first = 0, second = 0;
    for (double order = 1.001; order < 1e4; order *= 1.3) {
        double theorem = 0;
        assert_int_equal(dpn_renyi_osgt_theorem_2(&theorem, &law, 1, 1, order, NULL), DPN_OK);
        double line = repair.xi + order * repair.rho, exact = one("osgt(m=3,sigma=6.324555320336759)", 1, order);
        assert_true(exact <= theorem && exact <= line);
        *(theorem < line ? &first : &second) += 1;
    }
    assert_true(first > 0 && second > 0);
    double out;
    assert_int_equal(dpn_renyi_osgt_theorem_2(&out, &other, 1, 1, 2, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_renyi_osgt_theorem_2(&out, &law, 1, 1, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_renyi_osgt_theorem_2(&out, &law, 0, 1, 2, NULL), DPN_EDOMAIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cumulants_of_the_engine_agree),    cmocka_unit_test(curves_add),
        cmocka_unit_test(pure_and_explicit_losses),         cmocka_unit_test(nothing_is_written_on_error),
        cmocka_unit_test(sets_add_over_the_worst_move),     cmocka_unit_test(l2_balls_are_bounded),
        cmocka_unit_test(it_is_convex_in_the_shift),        cmocka_unit_test(implied_deltas_bound_the_profile),
        cmocka_unit_test(zcdp_lies_above_every_curve),      cmocka_unit_test(zcdp_values),
        cmocka_unit_test(few_coordinates_share_an_l2_ball), cmocka_unit_test(theorem_2_and_its_repair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
