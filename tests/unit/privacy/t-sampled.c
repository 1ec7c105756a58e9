/* The two losses of a sampled step against their formulas in long double, and the intervals of the arguments at which the base is asked: with a base whose
 * profile is known, pure losses and Gaussian noise. */
#include "privacy/sampling/sampled.c" /* to see the arguments */

#include "case.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- arguments ---- */

static const double rates[] = {1e-9, 1e-3, 0.03, 0.3, 0.5, 0.9, 0.999999, 1};
enum { RATES = sizeof rates / sizeof *rates };

/* Sections 1 and 3 of the proof: an interval about the true one, of 8 units of 1 + |log| and of what is added up. */
static void assert_between(double low, double high, long double truth, long double allowed, const char *what, double q,
                           double nu) {
    if (isinf(truth)) {
        if (low == truth) return;
        fail_msg("%s, rate %g at %g: [%g, %g], not %Lg", what, q, nu, low, high, truth);
    }
    if (!(low <= truth && high >= truth && high - low <= allowed))
        fail_msg("%s, rate %g at %g: [%.17g, %.17g] is %g wide, not %Lg; %.20Lg", what, q, nu, low, high, high - low,
                 allowed, truth);
    long double least = 4 * DBL_EPSILON * (1 + fabsl(truth)); /* half of the 8 units */
    if (!(truth - low >= least && high - truth >= least))
        fail_msg("%s, rate %g at %g: [%.17g, %.17g] about %.20Lg", what, q, nu, low, high, truth);
}

static void arguments_of_present(void **state) {
    (void)state;
    for (int i = 0; i < RATES; i++)
        for (double nu = -40; nu < 700; nu += nu < 3 && nu > -3 ? 0.0371 : 0.93) {
            double q = rates[i];
            argument at = present_argument(q, nu);
            assert_true(at.least == q && at.most == q);
            long double change = nu > 600 ? 0 : expm1l(nu), sum = q + change;
            long double truth = nu > 600 ? nu - logl(q) : sum > 0 ? logl(sum / q) : -INFINITY;
            long double cancelled = nu > 1 ? 1 + nu - logl(q) : (q + fabsl(change)) / fabsl(sum) + 1 + fabsl(truth);
            if (fabsl(sum) < 40 * ROUNDING * (q + fabsl(change))) continue; /* it may be 0 */
            assert_between(at.low, at.high, truth, 2.2L * ROUNDING * cancelled + 1e-17L, "present", q, nu);
            double low, high;
            dpn_sampled_argument(&low, &high, q, nu);
            assert_true(low == at.low && high == at.high);
        }
    for (int i = 0; i < RATES - 1;
         i++) { /* next to x = 1 - q: what may be 0 begins at -inf, and ends there only if it cannot be more */
        double q = rates[i], nu = log1p(-q);
        argument at = present_argument(q, nu);
        assert_true(at.low == -INFINITY && at.high < -20);
        at = present_argument(q, nu - 1e-3 * q - 1e-13);
        assert_true(at.high == -INFINITY && at.low == -INFINITY);
        at = present_argument(q, nu + 1e-3 * q + 1e-13);
        assert_true(at.low > -INFINITY);
    }
}

static void arguments_of_absent(void **state) {
    (void)state;
    for (int i = 0; i < RATES; i++)
        for (double nu = -40; nu < 20; nu += 0.0371) {
            double q = rates[i];
            argument at = absent_argument(q, nu);
            long double a = q == 1 ? 1 : -expm1l(nu + log1pl(-(long double)q)),
                        sizes = (1 + fabs(nu) + fabs(log1p(-q))) * exp(nu) * (1 - q) + fabsl(a);
            if (q == 1) sizes = 0;
            if (fabsl(a) < 40 * ROUNDING * sizes) continue;
            assert_true(at.least <= fmaxl(0, a) && at.most >= fmaxl(0, a));
            if (!(at.most - at.least <= 2.1L * ROUNDING * sizes))
                fail_msg("rate %g at %g: %g", q, nu, at.most - at.least);
            if (a < 0) {
                assert_true(at.least == 0 && at.most == 0 && at.low == INFINITY && at.high == INFINITY);
                continue;
            }
            if (q < 1) assert_true(at.most - a >= 0.5L * ROUNDING * sizes && a - at.least >= 0.5L * ROUNDING * sizes);
            long double truth = logl(q) + nu - logl(a),
                        slack = 1 + fabs(nu) + fabs(log(q)) + fabsl(logl(a)) + sizes / a;
            assert_between(at.low, at.high, truth, 2.2L * ROUNDING * slack, "absent", q, nu);
            assert_true(truth - at.low >= 0.5L * ROUNDING * (1 + fabs(nu) + fabs(log(q)) + fabsl(logl(a))));
            assert_true(at.high - truth >= 0.5L * ROUNDING * (1 + fabs(nu) + fabs(log(q)) + fabsl(logl(a))));
        }
    argument end = absent_argument(0.25, -log1p(-0.25)); /* a may be 0 */
    assert_true(end.least == 0 && end.most > 0 && end.high == INFINITY && end.low < 60 && end.low > 20);
}

/* ---- losses ---- */

static void mixed_losses(void **state) {
    (void)state;
    for (int i = 0; i < RATES; i++) {
        double q = rates[i];
        for (double loss = -60; loss < 1200; loss += loss < 6 ? 0.077 : 3.3) {
            long double truth =
                loss > 600 ? logl(q) + loss + (q == 1 ? 0 : (1 - q) / q * expl(-loss)) : log1pl(q * expm1l(loss));
            if (q == 1) truth = loss;
            double got = dpn_sampled_loss(q, loss);
            if (!(fabsl(got - truth) <= 16 * DBL_EPSILON * fabsl(truth) + (q == 1 && loss < -1 ? 1e-16L : 0)))
                fail_msg("rate %g at %g: %.17g, not %.20Lg", q, loss, got, truth);
            double away = dpn_sampled_loss_away(q, loss);
            if (truth == 0) continue;
            long double more = away / truth - 1, drift = loss * 2 * DBL_EPSILON * q * expl(fmin(loss, 700)) /
                                                         (1 - q + q * expl(fmin(loss, 700))) / truth;
            if (!(more >= 112 * DBL_EPSILON && more <= 150 * DBL_EPSILON + drift))
                fail_msg("rate %g at %g: away by %Lg units", q, loss, more / DBL_EPSILON);
            for (int side = -1; side <= 1; side += 2) { /* a loss that is off by a unit is covered 64 times */
                long double moved = log1pl(q * expm1l(fmin(loss, 700) * (1 + side * (long double)DBL_EPSILON)));
                if (loss < 700 && q < 1) assert_true(fabsl(away) >= fabsl(moved) * (1 + 100 * DBL_EPSILON));
            }
        }
        assert_true(dpn_sampled_loss_away(q, INFINITY) == INFINITY);
        if (q < 1) assert_true(fabs(dpn_sampled_loss_away(q, -INFINITY) / log1p(-q) - 1) < 200 * DBL_EPSILON);
    }
    assert_true(dpn_sampled_loss_away(1, -INFINITY) == -INFINITY && dpn_sampled_loss(0.5, 0) == 0);
}

/* ---- profiles ---- */

/* H at x, and Q(L > log x) or Q(L >= log x): of a pure loss or of Gaussian noise. */
typedef struct known {
    bool pure;
    long double size; /* epsilon, or sensitivity/sigma */
} known;

static long double profile(known k, long double x) {
    if (x <= 0) return 1 - x;
    long double nu = logl(x);
    if (!k.pure)
        return 0.5L * erfcl((nu / k.size - k.size / 2) / sqrtl(2)) -
               x * 0.5L * erfcl((nu / k.size + k.size / 2) / sqrtl(2));
    long double p = 1 / (1 + expl(-k.size)), q = 1 / (1 + expl(k.size));
    return fmaxl(0, p - x * q) + fmaxl(0, q - x * p);
}

static long double tail(known k, long double x) {
    if (x <= 0) return 1;
    long double nu = logl(x);
    if (!k.pure) return 0.5L * erfcl((nu / k.size + k.size / 2) / sqrtl(2));
    return nu >= k.size ? 0 : nu >= -k.size ? 1 / (1 + expl(k.size)) : 1;
}

static void open_known(dpn_base *base, known k) {
    dpn_part part = {.times = 1};
    static dpn_law law;
    law = case_law("gaussian(sigma=1)");
    if (k.pure)
        assert_int_equal(dpn_loss_pure(&part.loss, (double)k.size, NULL), DPN_OK);
    else
        assert_int_equal(dpn_loss_law(&part.loss, &law, (double)k.size, NULL), DPN_OK);
    assert_int_equal(dpn_base_open(base, &part, 1, NULL), DPN_OK);
}

static void profiles_and_slopes(void **state) {
    (void)state;
    static const known list[] = {{true, 0.5L}, {true, 3}, {false, 0.25L}, {false, 2}};
    for (size_t l = 0; l < sizeof list / sizeof *list; l++) {
        dpn_base base;
        known k = list[l];
        open_known(&base, k);
        for (int i = 1; i < RATES; i++) {
            double q = rates[i];
            dpn_sampled sampled = {&base, q};
            dpn_loss_view both[2] = {dpn_sampled_present(&sampled), dpn_sampled_absent(&sampled)};
            for (double nu = -6; nu < 4; nu += 0.0531) {
                long double x = expl(nu), a = 1 - (1 - (long double)q) * x;
                long double truth[2] = {q * profile(k, 1 + (x - 1) / q), a > 0 ? a * profile(k, q * x / a) : 0};
                long double slope[2] = {tail(k, 1 + (x - 1) / q), a > 0 ? (1 - (long double)q) * profile(k, q * x / a) +
                                                                              q / a * tail(k, q * x / a)
                                                                        : 0};
                for (int side = 0; side < 2; side++) {
                    const dpn_loss_view *v = &both[side];
                    double lower, upper, alone, least = 7;
                    assert_int_equal(v->source->log_delta(&lower, &upper, v, nu, NULL), DPN_OK);
                    assert_int_equal(v->source->log_upper(&alone, v, nu, NULL), DPN_OK);
                    assert_true(alone == upper);
                    if (!(expl(lower) <= truth[side] * (1 + 1e-17L) && expl(upper) >= truth[side] * (1 - 1e-17L)))
                        fail_msg("loss %zu, side %d, rate %g at %g: [%g, %g], not %Lg", l, side, q, nu, exp(lower),
                                 exp(upper), truth[side]);
                    long double plain = fmaxl(0, -expm1l(nu));
                    assert_true(upper >= lower && upper <= 0 && expl(lower) >= plain * (1 - 1e-13L));
                    if (nu >= 0 && truth[side] > 0 && !isinf(lower)) { /* rounded by units of the logarithm */
                        long double unit = 0.4L * ROUNDING * (1 + fabsl(logl(truth[side])));
                        assert_true(lower <= logl(truth[side]) - unit && upper >= fminl(0, logl(truth[side]) + unit));
                    }
                    if (truth[side] > 1e-13L) assert_true(expl(upper) - expl(lower) <= 1e-8L * truth[side] + 1e-13L);
                    double above = v->source->above(&least, v, nu), below = v->source->at_least(v, nu);
                    assert_true(least == 0);
                    bool corner = above > below * (1 + 1e-6) + 1e-9; /* an atom is here, but for rounding */
                    if (!(above >= slope[side] * (1 - 1e-15L) - 1e-16L && below <= slope[side] * (1 + 1e-15L) + 1e-16L))
                        fail_msg("loss %zu, side %d, rate %g at %g: %g, %g, not %Lg", l, side, q, nu, above, below,
                                 slope[side]);
                    if (!corner)
                        assert_true(above <= slope[side] * (1 + 1e-8L) + 1e-9L &&
                                    below >= slope[side] * (1 - 1e-8L) - 1e-9L);
                    assert_true(!corner || k.pure);
                    if (!(above <= 1 + 1e-11 && below >= 0))
                        fail_msg("side %d, rate %g at %g: %.17g, %.17g", side, q, nu, above, below);
                }
            }
            /* The largest and the least finite loss: of present log(1 - q + q e^L), of absent minus that. */
            long double top = k.pure ? log1pl(q * expm1l(k.size)) : INFINITY,
                        bottom = k.pure ? log1pl(q * expm1l(-k.size)) : 0;
            double largest[2] = {both[0].source->largest(&both[0]), both[1].source->largest(&both[1])};
            double least[2] = {both[0].source->least(&both[0]), both[1].source->least(&both[1])};
            if (k.pure) {
                long double ends[4] = {largest[0] / top, -largest[1] / bottom, least[0] / bottom, -least[1] / top};
                for (int e = 0; e < 4; e++)
                    assert_true(ends[e] > 1 + 64 * DBL_EPSILON && ends[e] < 1 + 300 * DBL_EPSILON);
            } else {
                long double reach = base.reach, bottom_loss = q == 1 ? -reach : log1pl(q * expm1l(-reach));
                assert_true(isinf(largest[0]) &&
                            (q == 1 ? isinf(largest[1]) : fabs(largest[1] / -log1p(-q) - 1) < 1e-13));
                assert_true(fabsl(least[0] / bottom_loss - 1) < 1e-13L);
                assert_true(fabsl(-least[1] / (logl(q) + reach + log1pl((1 - (long double)q) / q * expl(-reach))) - 1) <
                            1e-13L);
            }
        }
        dpn_base_close(&base);
    }
}

/* Where the argument may be 0 or less the profile of the base is 1 at least, and the bound at most q: at x = 1 - q both are the truth. */
static void where_nothing_is_left(void **state) {
    (void)state;
    dpn_base base;
    open_known(&base, (known){true, 3});
    for (int i = 0; i + 1 < RATES; i++) {
        dpn_sampled sampled = {&base, rates[i]};
        dpn_loss_view view = dpn_sampled_present(&sampled);
        double lower, upper, alone, least, nu = log1p(-rates[i]);
        assert_int_equal(view.source->log_delta(&lower, &upper, &view, nu, NULL), DPN_OK);
        assert_int_equal(view.source->log_upper(&alone, &view, nu, NULL), DPN_OK);
        assert_true(upper >= log(rates[i]) && upper <= log(rates[i]) + 1e-12 && alone == upper);
        assert_true(lower <= log(rates[i]) && lower >= log(rates[i]) - 1e-6);
        assert_true(view.source->above(&least, &view, nu) == 1);
        double before = nu - 1e-3 * rates[i] - 1e-12; /* 1 - x alone */
        assert_int_equal(view.source->log_delta(&lower, &upper, &view, before, NULL), DPN_OK);
        assert_true(fabs(lower - log(-expm1(before))) < 1e-13 * (1 - lower) &&
                    fabs(upper - lower) < 1e-13 * (1 - lower));
        assert_true(view.source->above(&least, &view, before) == 1 && view.source->at_least(&view, before) == 1);
    }
    dpn_base_close(&base);
}

/* Next to an atom rounding does not tell on which side of it one is: both sides are certified. */
static void next_to_atoms(void **state) {
    (void)state;
    dpn_base base;
    known k = {true, 2};
    open_known(&base, k);
    for (int i = 1; i + 1 < RATES; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            long double q = rates[i], L = sign * k.size, loss = log1pl(q * expm1l(L));
            dpn_sampled sampled = {&base, rates[i]};
            dpn_loss_view both[2] = {dpn_sampled_present(&sampled), dpn_sampled_absent(&sampled)};
            for (int side = 0; side < 2; side++) {
                double at = (double)(side ? -loss : loss), least;
                double before = at - 2 * DBL_EPSILON * fabs(at), after = at + 2 * DBL_EPSILON * fabs(at);
                long double rare = 1 / (1 + expl(k.size)),
                            Q[2] = {sign > 0 ? rare : 1 - rare, 0}; /* of the atom, and beyond */
                if (side) {                                         /* Q of absent is the mixture */
                    long double p = sign > 0 ? 1 - rare : rare;
                    Q[0] = q * p + (1 - q) * Q[0];
                }
                Q[1] = sign * (side ? -1 : 1) > 0 ? 0 : 1 - Q[0];
                double above = both[side].source->above(&least, &both[side], before),
                       below = both[side].source->at_least(&both[side], after);
                if (!(above >= (Q[0] + Q[1]) * (1 - 1e-12L)))
                    fail_msg("side %d, rate %Lg: %g, not %Lg", side, q, above, Q[0] + Q[1]);
                if (!(below <= Q[1] * (1 + 1e-12L) + 1e-17L))
                    fail_msg("side %d, rate %Lg: %g, not %Lg", side, q, below, Q[1]);
            }
        }
    dpn_base_close(&base);
}

static void at_infinity(void **state) {
    (void)state;
    dpn_base base;
    open_known(&base, (known){true, 2});
    for (int i = 0; i < RATES; i++) {
        dpn_sampled sampled = {&base, rates[i]};
        dpn_loss_view both[2] = {dpn_sampled_present(&sampled), dpn_sampled_absent(&sampled)};
        for (int side = 0; side < 2; side++) {
            double lower = 7, upper = 7, alone = 7;
            assert_int_equal(both[side].source->log_delta(&lower, &upper, &both[side], INFINITY, NULL), DPN_OK);
            assert_int_equal(both[side].source->log_upper(&alone, &both[side], INFINITY, NULL), DPN_OK);
            assert_true(lower == -INFINITY && upper == -INFINITY && alone == -INFINITY);
        }
    }
    dpn_base_close(&base);
    /* Truncated noise: some outputs give the person away. */
    dpn_part part = {.times = 1};
    dpn_law law = case_law("truncated-laplace(scale=1,bound=3)");
    assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
    assert_int_equal(dpn_base_open(&base, &part, 1, NULL), DPN_OK);
    assert_true(base.infinite);
    double mass[2];
    assert_int_equal(dpn_base_log_delta(&mass[0], &mass[1], &base, INFINITY, NULL), DPN_OK);
    for (int i = 1; i < RATES; i++) {
        double q = rates[i], lower, upper;
        dpn_sampled sampled = {&base, q};
        dpn_loss_view present_view = dpn_sampled_present(&sampled), absent_view = dpn_sampled_absent(&sampled);
        assert_int_equal(present_view.source->log_delta(&lower, &upper, &present_view, INFINITY, NULL), DPN_OK);
        assert_true(lower <= mass[0] + log(q) && upper >= mass[1] + log(q) &&
                    upper - lower < mass[1] - mass[0] + 1e-13);
        assert_int_equal(absent_view.source->log_delta(&lower, &upper, &absent_view, INFINITY, NULL), DPN_OK);
        double largest = absent_view.source->largest(&absent_view), least = present_view.source->least(&present_view);
        if (q < 1) { /* nobody can be sure that the person is absent */
            assert_true(upper == -INFINITY && lower == -INFINITY);
            double nu = nextafter(nextafter(largest, 0), 0) / (1 + MARGIN),
                   alone; /* a may be 0 there, and need not be */
            assert_int_equal(absent_view.source->log_delta(&lower, &upper, &absent_view, nu, NULL), DPN_OK);
            assert_int_equal(absent_view.source->log_upper(&alone, &absent_view, nu, NULL), DPN_OK);
            assert_true(upper > -INFINITY && upper < -30 && alone == upper);
            assert_true(has_floor(&sampled) && fabs(largest / -log1p(-q) - 1) < 1e-13 &&
                        fabs(least / log1p(-q) - 1) < 1e-13);
        } else {
            assert_true(lower == mass[0] && upper == mass[1] && !has_floor(&sampled));
            assert_true(largest < 1.1 && least > -1.1);
        }
    }
    dpn_base_close(&base);
}

/* ---- atoms ---- */

static void atoms_move(void **state) {
    (void)state;
    dpn_base base;
    open_known(&base, (known){true, 2});
    long double p = 1 / (1 + expl(-2)), mass[2] = {p, 1 - p}, value[2] = {2, -2};
    for (int i = 1; i < RATES; i++)
        for (double theta = 0; theta < 3; theta += 1.3) {
            double q = rates[i];
            dpn_sampled sampled = {&base, q};
            dpn_loss_view both[2] = {dpn_sampled_present(&sampled), dpn_sampled_absent(&sampled)};
            for (int side = 0; side < 2; side++) {
                dpn_heavy_atom out[4];
                size_t count = 7;
                assert_int_equal(both[side].source->atoms(out, &count, 4, &both[side], theta), DPN_OK);
                assert_int_equal(count, 2);
                for (int k = 0; k < 2; k++) {
                    long double loss = log1pl(q * expm1l(value[k])) * (side ? -1 : 1),
                                other = mass[k] * expl(-value[k]);
                    long double share =
                        (side ? other : q * mass[k] + (1 - (long double)q) * other) * expl(theta * loss);
                    bool found = false;
                    for (size_t j = 0; j < count; j++)
                        found =
                            found || (fabsl(out[j].value - loss) < 1e-12L && fabsl(out[j].share / share - 1) < 1e-9L);
                    if (!found) fail_msg("rate %g, side %d, atom %d: %Lg of %Lg", q, side, k, loss, share);
                }
            }
        }
    base.single = false; /* of a composition none are known */
    dpn_sampled sampled = {&base, 0.5};
    dpn_loss_view view = dpn_sampled_present(&sampled);
    dpn_heavy_atom out[4];
    size_t count = 7;
    assert_int_equal(view.source->atoms(out, &count, 4, &view, 0), DPN_OK);
    assert_int_equal(count, 0);
    base.single = true;
    dpn_base_close(&base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_of_present),  cmocka_unit_test(arguments_of_absent), cmocka_unit_test(mixed_losses),
        cmocka_unit_test(profiles_and_slopes),   cmocka_unit_test(at_infinity),         cmocka_unit_test(next_to_atoms),
        cmocka_unit_test(where_nothing_is_left), cmocka_unit_test(atoms_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
