/* The bounds over a ball, piece by piece: which sets have them, the best order against all orders, and what replaces what. */
#include "privacy/ball/ball.h"
#include "privacy/ball/ball.c" /* to see each piece */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_workspace *workspace;

static int open_workspace(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) != DPN_OK;
}

static int close_workspace(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    return 0;
}

static dpn_ball ball_of(const dpn_law *law, size_t dimension, double l2, uint64_t times) {
    dpn_sensitivity set = {.dimension = dimension, .l2 = l2};
    dpn_ball ball;
    if (!dpn_ball_make(&ball, DPN_ARGUMENT_BOUND, law, 1, &set, times)) fail();
    return ball;
}

/* ---- which sets ---- */

static void sets_that_are_balls(void **state) {
    (void)state;
    static const double bound[] = {1, 1, 1}, vertex[] = {1, 0.5, 0.2};
    const dpn_law law = case_law("logistic(scale=1)"),
                  other = case_law("staircase(epsilon=0.5,sensitivity=1,gamma=0.3)");
    const struct {
        dpn_sensitivity set;
        bool whole;
    } row[] = {{{.dimension = 3, .l2 = 0.7}, true},
               {{.dimension = 3, .l2 = 0.7, .linf = 0.7}, true},
               {{.dimension = 3, .l2 = 0.7, .linf = 0.69}, false},
               {{.dimension = 3, .l2 = 0.7, .l1 = 0.7 * 1.7321}, true},
               {{.dimension = 3, .l2 = 0.7, .l1 = 0.7 * 1.7}, false},
               {{.dimension = 3, .l2 = 0.7, .bound = bound}, false},
               {{.dimension = 3, .l2 = 0.7, .vertex = vertex, .vertices = 1}, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (uint64_t times = 1; times < 3; times++) {
            dpn_ball ball;
            bool made = dpn_ball_make(&ball, DPN_ARGUMENT_BOUND, &law, 1, &row[i].set, times);
            if (!made) fail_msg("set %zu", i);
            assert_int_equal(ball.whole, row[i].whole && times == 1);
            assert_true(ball.order == 0 && ball.law == &law);
            assert_false(dpn_ball_make(&ball, DPN_ARGUMENT_CORNER, &law, 1, &row[i].set, times));
            assert_false(dpn_ball_make(&ball, DPN_ARGUMENT_BOUND, &law, 2, &row[i].set, times));
        }
    dpn_ball ball;
    dpn_sensitivity set = {.dimension = 3, .l2 = 0, .linf = 1};
    assert_false(dpn_ball_make(&ball, DPN_ARGUMENT_BOUND, &law, 1, &set, 1));
    set.l2 = INFINITY;
    assert_false(dpn_ball_make(&ball, DPN_ARGUMENT_BOUND, &law, 1, &set, 1));
    set.l2 = 1;
    assert_true(dpn_ball_make(&ball, DPN_ARGUMENT_BOUND, &law, 1, &set, 1));
    if (dpn_law_is_log_concave(&other)) fail();
    assert_false(dpn_ball_make(&ball, DPN_ARGUMENT_BOUND, &other, 1, &set, 1));
    assert_true(ball.zcdp.rho == INFINITY);
}

/* A bound of the l1 norm that cuts off the directions that are the worst of the ball: nothing in the set reaches what they do. */
static void sets_that_are_cut(void **state) {
    (void)state;
    const dpn_law law = case_law("logistic(scale=1)");
    for (double l1 = 1.05; l1 < 1.5; l1 += 0.4) {
        dpn_sensitivity set = {.dimension = 2, .l2 = 1, .l1 = l1};
        dpn_delta delta, one;
        double reached = 0;
        assert_int_equal(dpn_sensitivity_delta(&delta, NULL, workspace, &law, 1, &set, 0.9, NULL, NULL), DPN_OK);
        for (int i = 0; i <= 6; i++) {
            double x = cos(i * DPN_PI / 24), y = sin(i * DPN_PI / 24), size = fmin(1, l1 / (x + y));
            dpn_part part[2] = {{.times = 1}, {.times = i > 0}};
            if (dpn_loss_law(&part[0].loss, &law, size * x, NULL) || dpn_loss_law(&part[1].loss, &law, size * y, NULL))
                fail();
            assert_int_equal(dpn_compose_delta(&one, workspace, part, 2, 0.9, NULL, NULL), DPN_OK);
            reached = fmax(reached, one.upper);
        }
        if (!(delta.lower <= reached * 1.01 && delta.upper >= reached * 0.999))
            fail_msg("l1 %g: %.10g to %.10g, where %.10g is reached", l1, delta.lower, delta.upper, reached);
    }
}

/* So many releases move as many coordinates, and zCDP adds up; rounded up by little. */
static void releases_add_up(void **state) {
    (void)state;
    const dpn_law law = case_law("gaussian(sigma=5)");
    dpn_ball one = ball_of(&law, 6, 0.7, 1);
    dpn_sensitivity set = {.dimension = 6, .l2 = 0.7};
    assert_int_equal(dpn_zcdp_sensitivity(&one.zcdp, NULL, &law, 1, &set, NULL), DPN_OK);
    for (uint64_t times = 2; times < 1000000000; times *= 7) {
        dpn_ball many = ball_of(&law, 6, 0.7, times);
        double n = (double)times, up = 6 * DBL_EPSILON;
        assert_true(many.norms.changed == n * one.norms.changed && many.norms.linf == one.norms.linf &&
                    !many.norms.corner);
        assert_true(many.norms.l1 >= n * one.norms.l1 && many.norms.l1 <= n * one.norms.l1 * (1 + up));
        assert_true(many.norms.l2 >= sqrt(n) * one.norms.l2 * (1 + DBL_EPSILON) &&
                    many.norms.l2 <= sqrt(n) * one.norms.l2 * (1 + up));
        assert_true(many.zcdp.rho >= n * one.zcdp.rho * (1 - up) && many.zcdp.rho <= n * one.zcdp.rho * (1 + up));
        assert_true(many.zcdp.xi >= n * one.zcdp.xi * (1 - up) && many.zcdp.xi <= n * one.zcdp.xi * (1 + up));
        assert_true(isfinite(one.zcdp.rho) && many.zcdp.rho > n * one.zcdp.rho);
    }
    dpn_norms norms = {.changed = 3, .l1 = 2, .l2 = 1, .corner = true};
    repeat(&norms, 1);
    assert_true(norms.changed == 3 && norms.l1 == 2 && norms.l2 == 1 && norms.corner);
}

/* ---- orders ---- */

/* The order that a walk ends at is about as good as any of a fine grid, wherever it starts. */
static void the_best_order(void **state) {
    (void)state;
    const dpn_law law = case_law("flipped-huber(alpha=1,gamma=5)");
    dpn_ball ball = ball_of(&law, 20, 1, 1);
    for (int guess = 0; guess < 2; guess++)
        for (int i = 0; i < 4; i++) {
            if (!guess && i != 1) continue; /* certificates take longer */
            question q = {.ball = &ball, .epsilon = i < 2 ? 0.5 + i : NAN, .l = i < 2 ? 0 : 5.0 * i, .guess = guess};
            double least = INFINITY, start = first_order(&ball, q.epsilon, q.l), step = guess ? 0.05 : 0.6;
            for (double x = log(1e-2); x < log(1e4); x += step) least = fmin(least, at_order(&q, x));
            double order = best_order(&q, start, guess ? 0.8 : 0.25), found = at_order(&q, log(order - 1));
            if (!(order > 1 && isfinite(found) && found <= least + 2e-2 * fabs(least)))
                fail_msg("question %d, guess %d: %g at the order %g, not %g", i, guess, found, order, least);
            if (!guess) continue;
            double again = best_order(&q, order, 0.25); /* which only gets better */
            assert_true(at_order(&q, log(again - 1)) <= found + 1e-9 * fabs(found));
        }
    /* From any start, where there is one lowest point. */
    const dpn_law gaussian = case_law("gaussian(sigma=2)");
    dpn_ball round = ball_of(&gaussian, 5, 1, 1);
    question walk = {.ball = &round, .epsilon = 1.2, .guess = true};
    double best = at_order(&walk, log(best_order(&walk, first_order(&round, 1.2, 0), 0.25) - 1)), least = INFINITY;
    for (double x = -4; x < 6; x += 0.01) least = fmin(least, at_order(&walk, x));
    assert_true(best <= least + 1e-3 * fabs(least));
    for (double start = 1.01; start < 8; start *= 2)
        assert_true(at_order(&walk, log(best_order(&walk, start, 0.8) - 1)) <= least + 1e-2 * fabs(least));
    walk = (question){.ball = &round, .epsilon = NAN, .l = 9, .guess = true};
    least = INFINITY;
    for (double x = -4; x < 12; x += 0.01) least = fmin(least, at_order(&walk, x));
    for (double start = 1.01; start < 1e5; start *= 3)
        assert_true(at_order(&walk, log(best_order(&walk, start, 0.8) - 1)) <= least * 1.01);
    /* Starts beyond the ends are moved there; no order at all is not a number. */
    question q = {.ball = &ball, .epsilon = 1, .guess = true};
    assert_true(best_order(&q, 1 + 1e-9, 0.8) > 1 && isfinite(best_order(&q, 1e12, 0.8)));
    dpn_law bounded = case_law("truncated-laplace(scale=1,bound=4)");
    dpn_ball none = {.law = &bounded, .norms = ball.norms};
    q.ball = &none;
    assert_true(at_order(&q, 0) == INFINITY && isnan(best_order(&q, 2, 0.8)) && by_renyi(&none, 1, NAN) == INFINITY);
    assert_true(none.order == 0 && first_order(&none, 1, NAN) == 2);
}

/* What the answer is at an order: the conversion of the bound, with either rule. */
static void conversions(void **state) {
    (void)state;
    const dpn_law law = case_law("gaussian(sigma=2)");
    dpn_ball ball = ball_of(&law, 5, 1, 1);
    for (double x = -2; x < 4; x += 0.7) {
        double order = 1 + exp(x), divergence = order / 8; /* D_a of Gaussian noise */
        question delta = {.ball = &ball, .epsilon = 1.2}, epsilon = {.ball = &ball, .epsilon = NAN, .l = 9};
        for (int guess = 0; guess < 2; guess++) {
            if (!guess && x < 3) continue; /* certificates take longer */
            delta.guess = epsilon.guess = guess;
            double found = at_order(&delta, x),
                   wanted = dpn_renyi_log_delta_upper(order, divergence, 1.2, DPN_RULE_CANONNE_KAMATH_STEINKE);
            assert_true(fabs(found - wanted) <= 2e-3 * (order - 1) * divergence + 1e-9);
            if (!guess) assert_true(found >= wanted - 1e-12);
            found = at_order(&epsilon, x);
            wanted = dpn_renyi_epsilon_upper(order, divergence, 9, DPN_RULE_CANONNE_KAMATH_STEINKE);
            assert_true(fabs(found - wanted) <= 2e-3 * divergence + 1e-9);
        }
        assert_true(convert(&delta, order, divergence, DPN_RULE_OPTIMAL) ==
                    dpn_renyi_log_delta_upper(order, divergence, 1.2, DPN_RULE_OPTIMAL));
        assert_true(convert(&epsilon, order, divergence, DPN_RULE_OPTIMAL) ==
                    dpn_renyi_epsilon_upper(order, divergence, 9, DPN_RULE_OPTIMAL));
    }
    /* The saddle of Gaussian noise: theta = sqrt(l/rho), or (epsilon - rho)/2 rho. */
    assert_true(fabs(first_order(&ball, NAN, 9) - (1 + sqrt(9 * 8))) < 1e-2);
    assert_true(fabs(first_order(&ball, 1.2, NAN) - (1 + 0.5 * (1.2 - 0.125) / 0.125)) < 1e-2);
    assert_true(first_order(&ball, 0.01, NAN) == 1.1 && first_order(&ball, 1e9, NAN) == 1 + 1e6);
    /* The least of both rules, at the order that is kept for the next question. */
    double found = by_renyi(&ball, 1.2, NAN), best = 0;
    for (double order = 1.05; order < 50; order *= 1.01)
        best = fmin(best, fmin(dpn_renyi_log_delta_upper(order, order / 8, 1.2, DPN_RULE_CANONNE_KAMATH_STEINKE),
                               dpn_renyi_log_delta_upper(order, order / 8, 1.2, DPN_RULE_OPTIMAL)));
    assert_true(ball.order > 1 && found >= best - 1e-3 && found <= best + 2e-2);
    double before = ball.order, next = by_renyi(&ball, 1.25, NAN);
    assert_true(fabs(ball.order / before - 1) < 0.3 && next < found);
}

/* ---- norms ---- */

static void epsilons_by_norms(void **state) {
    (void)state;
    const dpn_law law = case_law("flipped-huber(alpha=1,gamma=5)"), other = case_law("logistic(scale=1)");
    dpn_ball ball = ball_of(&law, 20, 1, 1), none = ball_of(&other, 20, 1, 1);
    assert_true(by_norms(&none, 1) == 0 && epsilon_by_norms(&none, -3, INFINITY) == INFINITY);
    for (double l = 3; l < 40; l *= 1.7) {
        double found = epsilon_by_norms(&ball, -l, INFINITY);
        assert_true(found > 0 && by_norms(&ball, found) <= -l && by_norms(&ball, found * (1 - 1e-9)) > -l);
        assert_true(fabs(epsilon_by_norms(&ball, -l, 2 * found) - found) < 1e-9 * found);
        assert_true(epsilon_by_norms(&ball, -l, 0.99 * found) == INFINITY); /* not up to there */
        assert_true(by_norms(&ball, 1.5 * found) < by_norms(&ball, found));
    }
}

static void what_is_kept(void **state) {
    (void)state;
    double least = 3;
    dpn_argument which = DPN_ARGUMENT_BOUND;
    keep(&least, &which, 3, DPN_ARGUMENT_ZCDP);
    keep(&least, &which, 4, DPN_ARGUMENT_ZCDP);
    keep(&least, &which, NAN, DPN_ARGUMENT_ZCDP);
    assert_true(least == 3 && which == DPN_ARGUMENT_BOUND);
    keep(&least, &which, 2, DPN_ARGUMENT_RENYI);
    assert_true(least == 2 && which == DPN_ARGUMENT_RENYI);
    /* The least of three bounds, and which it is. */
    static const char *const texts[] = {"flipped-huber(alpha=1,gamma=5)", "gaussian(sigma=3)"};
    for (int i = 0; i < 2; i++) {
        const dpn_law law = case_law(texts[i]);
        dpn_ball ball = ball_of(&law, 20, 1, 1), copy = ball;
        for (double epsilon = 0.2; epsilon < 3; epsilon += 1.6) {
            double norms = by_norms(&ball, epsilon), renyi = by_renyi(&copy, epsilon, NAN), zcdp = 0;
            if (isfinite(ball.zcdp.rho))
                zcdp = dpn_zcdp_log_delta_upper(ball.zcdp.xi, ball.zcdp.rho, epsilon, DPN_RULE_CANONNE_KAMATH_STEINKE,
                                                NULL);
            double wanted = fmin(fmin(norms, zcdp), fmin(renyi, 0)),
                   found = dpn_ball_log_delta_upper(&ball, epsilon, &which);
            assert_true(found == wanted);
            dpn_argument by = wanted == norms  ? DPN_ARGUMENT_THEOREM_8
                              : wanted == zcdp ? DPN_ARGUMENT_ZCDP
                                               : DPN_ARGUMENT_RENYI;
            if (wanted < 0) assert_int_equal(which, by);
            double l = 2 + 9 * epsilon, least_epsilon = fmin(epsilon_by_norms(&ball, -l, 50), by_renyi(&copy, NAN, l));
            if (isfinite(ball.zcdp.rho))
                least_epsilon = fmin(least_epsilon, dpn_zcdp_epsilon_upper(ball.zcdp.xi, ball.zcdp.rho, l,
                                                                           DPN_RULE_CANONNE_KAMATH_STEINKE, NULL));
            assert_true(epsilon_upper(&ball, l, 50, &which) == least_epsilon);
        }
    }
}

/* ---- improvements ---- */

static void ends_that_improve(void **state) {
    (void)state;
    const dpn_law law = case_law("logistic(scale=2)");
    for (int whole = 0; whole < 2; whole++)
        for (int with = 0; with < 2; with++) {
            dpn_ball ball = ball_of(&law, 2, 1, 1);
            dpn_delta wide = dpn_delta_between(-40, log(0.4)), delta = wide;
            dpn_argument argument = DPN_ARGUMENT_BOUND;
            ball.whole = whole;
            dpn_ball_improve_delta(&delta, &argument, &ball, with ? workspace : NULL, 0.2, NULL);
            assert_true(delta.upper < wide.upper && delta.log_upper < wide.log_upper);
            assert_int_equal(argument, with ? DPN_ARGUMENT_DIRECTIONS : argument);
            if (whole && with)
                assert_true(delta.lower > 0.99 * delta.upper && delta.log_lower > log(delta.lower) - 1e-12);
            else
                assert_true(delta.lower < 1e-17 && fabs(delta.log_lower + 40) < 1e-9);
            /* What is better already stays, with its argument. */
            dpn_delta good = dpn_delta_between(log(delta.upper) - 3, log(delta.upper) - 2), kept = good;
            argument = DPN_ARGUMENT_BOUND;
            dpn_ball_improve_delta(&kept, &argument, &ball, NULL, 0.2, NULL);
            assert_true(kept.upper == good.upper && kept.lower == good.lower && argument == DPN_ARGUMENT_BOUND);
            /* Nothing is asked of epsilons that are negative or not finite. */
            static const double others[] = {-1e-9, INFINITY, NAN};
            for (int i = 0; i < 3; i++) {
                kept = wide;
                dpn_ball_improve_delta(&kept, &argument, &ball, NULL, others[i], NULL);
                assert_true(kept.upper == wide.upper && kept.log_lower == wide.log_lower);
            }
            dpn_epsilon epsilon = {0, 40}, before = epsilon;
            argument = DPN_ARGUMENT_BOUND;
            dpn_ball_improve_epsilon(&epsilon, &argument, &ball, with ? workspace : NULL, delta.upper, NULL);
            assert_true(epsilon.upper < 2 && argument != DPN_ARGUMENT_BOUND);
            if (with)
                assert_true(fabs(epsilon.upper - 0.2) < 2e-3 && (whole ? epsilon.lower > 0.19 : epsilon.lower == 0));
            else
                assert_true(epsilon.lower == 0);
            epsilon = (dpn_epsilon){0, 0};
            argument = DPN_ARGUMENT_CORNER;
            dpn_ball_improve_epsilon(&epsilon, &argument, &ball, NULL, delta.upper, NULL);
            assert_true(epsilon.upper == 0 && epsilon.lower == 0 && argument == DPN_ARGUMENT_CORNER);
            static const double deltas[] = {0, 1, -1, NAN};
            for (int i = 0; i < 4; i++) {
                epsilon = before;
                dpn_ball_improve_epsilon(&epsilon, &argument, &ball, NULL, deltas[i], NULL);
                assert_true(epsilon.upper == 40 && epsilon.lower == 0);
            }
        }
    dpn_ball ball = ball_of(&law, 4, 1, 1);
    assert_true(has_directions(&ball, workspace) && !has_directions(&ball, NULL));
    ball.norms.changed = 5;
    assert_false(has_directions(&ball, workspace));
    const dpn_law integer = case_law("discrete-gaussian(sigma=2)");
    ball.norms.changed = 2;
    ball.law = &integer;
    assert_false(has_directions(&ball, workspace));
}

/* Coordinates that do not move are no releases. */
static void values_at_moves(void **state) {
    (void)state;
    const dpn_law law = case_law("gaussian(sigma=1)");
    composed c = {&law, workspace, 0.7, {.size = sizeof c.options, .accuracy = 1e-4}};
    static const double move[] = {0.6, 0, 0.8, 0}, one[] = {1};
    double low[2], high[2];
    assert_int_equal(value_at(&low[0], &high[0], move, 4, &c, NULL), DPN_OK);
    assert_int_equal(value_at(&low[1], &high[1], one, 1, &c, NULL), DPN_OK);
    assert_true(fabs(low[0] - low[1]) < 1e-9 && fabs(high[0] - high[1]) < 1e-9 && low[0] <= high[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_that_are_balls), cmocka_unit_test(releases_add_up),   cmocka_unit_test(sets_that_are_cut),
        cmocka_unit_test(the_best_order),      cmocka_unit_test(conversions),       cmocka_unit_test(epsilons_by_norms),
        cmocka_unit_test(what_is_kept),        cmocka_unit_test(ends_that_improve), cmocka_unit_test(values_at_moves),
    };
    return cmocka_run_group_tests(tests, open_workspace, close_workspace);
}
