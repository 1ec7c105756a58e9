/* One step under replace-one: its profile by the formula in long double, its slopes by differences of that, its atoms as what the slopes jump by; for noise the place
 * where the worst event begins, by halving. */
#include "privacy/sampling/replaced-noise.c" /* to see each piece */
#include "privacy/sampling/replaced.c"

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- the formulas ---- */

typedef enum kind { PURE, GAUSSIAN, LAPLACE } kind;

typedef struct step {
    kind noise;
    bool fixed;
    long double q, replace, remove; /* epsilons, or sensitivities over the scale */
} step;

static long double tail(kind noise, long double t) {
    if (noise == GAUSSIAN) return 0.5L * erfcl(t / sqrtl(2));
    return t > 0 ? 0.5L * expl(-t) : 1 - 0.5L * expl(t);
}

static long double log_density(kind noise, long double t) {
    return noise == GAUSSIAN ? -0.5L * t * t : -fabsl(t);
}

static long double pure_profile(long double e, long double x) {
    long double p = 1 / (1 + expl(-e)), q = 1 / (1 + expl(e));
    return fmaxl(0, p - x * q) + fmaxl(0, q - x * p);
}

static long double release(const step *s, long double size, long double x) {
    if (s->noise == PURE) return pure_profile(size, x);
    long double nu = logl(x), t = s->noise == GAUSSIAN ? nu / size - size / 2 : fminl(0, nu / 2 - size / 2);
    if (s->noise == LAPLACE) return nu >= size ? 0 : tail(LAPLACE, t) - x * tail(LAPLACE, t + size);
    return tail(GAUSSIAN, t) - x * tail(GAUSSIAN, t + size);
}

/* Where g, the sum of both ratios of densities, is 1. */
static long double place_of(const step *s, long double x) {
    long double a = 1 + (x - 1) / s->q, low = -60, high = 200;
    for (int i = 0; i < 200; i++) {
        long double t = 0.5L * (low + high), here = log_density(s->noise, t);
        long double g = x * expl(log_density(s->noise, t + s->replace) - here) +
                        (a - x) * expl(log_density(s->noise, t + s->remove) - here);
        if (g > 1)
            low = t;
        else
            high = t;
    }
    return 0.5L * (low + high);
}

static long double truth_at(const step *s, long double x) {
    if (x < 1) return 1 - x + x * truth_at(s, 1 / x);
    long double a = 1 + (x - 1) / s->q, b = x / a;
    if (s->fixed) return s->q * release(s, s->replace, a);
    if (s->noise == PURE) return s->q * (b * release(s, s->replace, a) + (1 - b) * release(s, s->remove, a));
    long double t = place_of(s, x);
    return s->q *
           fmaxl(0, tail(s->noise, t) - x * tail(s->noise, t + s->replace) - (a - x) * tail(s->noise, t + s->remove));
}

/* The largest loss of the worst two records over all outputs, the log of the ratio of their densities. */
static long double largest_over_outputs(const step *s) {
    long double most = 0;
    for (int i = -4000; i <= 16000; i++) {
        long double t = i / 400.0L, none = (1 - s->q) * expl(log_density(s->noise, t + s->remove));
        most = fmaxl(most, logl((s->q * expl(log_density(s->noise, t)) + none) /
                                (s->q * expl(log_density(s->noise, t + s->replace)) + none)));
    }
    return most;
}

/* Minus the slope, on one side. */
static long double slope_at(const step *s, long double x, int side) {
    long double h = 1e-6L * x * side;
    return -(4 * truth_at(s, x + h) - truth_at(s, x + 2 * h) - 3 * truth_at(s, x)) / (2 * h);
}

typedef struct opened {
    dpn_base base[2];
    dpn_law law;
    dpn_replaced r;
} opened;

static void open_step(opened *o, const step *s) {
    const char *text = s->noise == GAUSSIAN ? "gaussian(sigma=1)" : "laplace(scale=1)";
    if (s->noise != PURE) o->law = case_law(text);
    for (int i = 0; i < 2; i++) {
        dpn_part part = {.times = 1};
        double size = (double)(i ? s->remove : s->replace);
        assert_int_equal(s->noise == PURE ? dpn_loss_pure(&part.loss, size, NULL)
                                          : dpn_loss_law(&part.loss, &o->law, size, NULL),
                         DPN_OK);
        assert_int_equal(dpn_base_open(&o->base[i], &part, 1, NULL), DPN_OK);
    }
    o->r = (dpn_replaced){&o->base[0], &o->base[s->fixed ? 0 : 1], (double)s->q, NULL, 0, 0, 0};
    if (s->noise == PURE || s->fixed) return;
    o->r.law = &o->law;
    o->r.replace = (double)s->replace;
    o->r.remove = (double)s->remove;
    o->r.far = dpn_replaced_noise_far(&o->law);
}

static void close_step(opened *o) {
    for (int i = 0; i < 2; i++) dpn_base_close(&o->base[i]);
}

static const step steps[] = {
    {PURE, true, 0.1L, 1, 1},
    {PURE, false, 0.1L, 1.5L, 1},
    {PURE, false, 0.5L, 2, 1},
    {PURE, false, 1, 1.2L, 1.2L},
    {GAUSSIAN, true, 0.2L, 1, 1},
    {GAUSSIAN, false, 0.2L, 2, 1},
    {GAUSSIAN, false, 0.01L, 0.7L, 0.5L},
    {GAUSSIAN, false, 0.9L, 1, 1},
    {LAPLACE, false, 0.3L, 2, 1},
    {LAPLACE, false, 0.05L, 0.75L, 0.5L},
    {LAPLACE, true, 0.3L, 1, 1},
    {LAPLACE, false, 0.1L, 1, 3},
    {LAPLACE, false, 0.5L, 0.5L, 0.6L},
    {GAUSSIAN, false, 0.1L, 0.7L, 2},
};
enum { STEPS = sizeof steps / sizeof *steps };

static void profiles_and_slopes(void **state) {
    (void)state;
    for (int k = 0; k < STEPS; k++) {
        opened o;
        const step *s = &steps[k];
        open_step(&o, s);
        dpn_loss_view view = dpn_replaced_view(&o.r);
        for (double nu = -2.33; nu < 2.4; nu += 0.0471) {
            double lower, upper, least_slope = 7;
            long double x = expl(nu), truth = truth_at(s, x);
            assert_int_equal(view.source->log_delta(&lower, &upper, &view, nu, NULL), DPN_OK);
            if (!(expl(lower) <= truth * (1 + 1e-15L) + 1e-17L && expl(upper) >= truth * (1 - 1e-15L) - 1e-17L &&
                  upper <= 0))
                fail_msg("step %d at %g: [%.15g, %.15g], not %.15Lg", k, nu, exp(lower), exp(upper), truth);
            long double first =
                s->noise != PURE && !s->fixed ? s->q * tail(s->noise, place_of(s, fmaxl(x, 1 / x))) * fmaxl(1, x) : 0;
            if (!(expl(upper) - expl(lower) <= 1e-10L * truth + 1e-8L * first + 1e-14L))
                fail_msg("step %d at %g: [%.15g, %.15g]", k, nu, exp(lower), exp(upper));
            double above_it = view.source->above(&least_slope, &view, nu), below = view.source->at_least(&view, nu);
            assert_true(least_slope == 0 && above_it <= 1 && below >= 0);
            long double right = slope_at(s, x, 1), left = slope_at(s, x, -1);
            if (!(above_it >= right - 2e-9L && below <= left + 2e-9L))
                fail_msg("step %d at %g: %.12g and %.12g, not %.12Lg and %.12Lg", k, nu, above_it, below, right, left);
            if (!(above_it <= left + 2e-8L && below >= right - 2e-8L))
                fail_msg("step %d at %g: %.12g and %.12g, not %.12Lg and %.12Lg", k, nu, above_it, below, right, left);
        }
        double lower, upper;
        assert_int_equal(view.source->log_delta(&lower, &upper, &view, INFINITY, NULL), DPN_OK);
        assert_true(lower == -INFINITY && upper == -INFINITY);
        long double top = s->noise == GAUSSIAN ? o.base[0].reach : s->replace, moved = log1pl(s->q * expm1l(top));
        bool records = s->noise == LAPLACE && !s->fixed;
        long double sup = records ? largest_over_outputs(s) : moved;
        double most = view.source->largest(&view), less = view.source->least(&view);
        assert_true(-less >= fmaxl(moved, sup) * (1 - 1e-13L) && -less <= 30 + fmaxl(moved, sup) * (1 + 1e-12L));
        if (s->noise != GAUSSIAN) assert_true(-less <= fmaxl(moved, sup) * (1 + 1e-12L));
        if (s->noise == GAUSSIAN ? !isinf(most) : !(most >= sup * (1 - 1e-14L) && most < sup * (1 + 1e-12L)))
            fail_msg("step %d: the largest loss is %.17g, not %.17Lg", k, most, sup);
        close_step(&o);
    }
}

/* Each atom has the mass of the jump of the slope, times x, and e^(theta L). */
static void atoms_are_jumps(void **state) {
    (void)state;
    for (int k = 0; k < STEPS; k++) {
        opened o;
        const step *s = &steps[k];
        open_step(&o, s);
        dpn_loss_view view = dpn_replaced_view(&o.r);
        for (double theta = 0; theta < 2; theta += 0.7) {
            dpn_heavy_atom out[8];
            size_t count = 77;
            assert_int_equal(view.source->atoms(out, &count, 8, &view, theta), DPN_OK);
            if (s->noise == PURE) assert_true(count == (s->q == 1 ? 2 : 3));
            if (s->noise == GAUSSIAN && !s->fixed && s->replace == 2 * s->remove) assert_true(count == 0);
            if (s->noise == LAPLACE) assert_true(count >= 2);
            bool end = false;
            for (size_t i = 0; i < count; i++) {
                long double x = expl(out[i].value),
                            jump = slope_at(s, x * (1 - 1e-11L), -1) - slope_at(s, x * (1 + 1e-11L), 1);
                long double share = x * jump * expl(theta * out[i].value);
                if (!(fabsl(out[i].share - share) < 1e-4L * share + 1e-7L))
                    fail_msg("step %d: %g at %g, not %Lg", k, out[i].share, out[i].value, share);
                if (i > 0) assert_true(out[i].share <= out[i - 1].share);
                for (size_t j = 0; j < i; j++) assert_true(fabs(out[j].value - out[i].value) > 1e-6);
                end = end || fabsl(out[i].value - log1pl(s->q * expm1l(s->replace))) < 1e-9L;
            }
            if (s->noise == PURE) assert_true(end);
            for (size_t most = 0; most < count; most++) { /* no more than there is room for */
                size_t fewer = 77;
                assert_int_equal(view.source->atoms(out, &fewer, most, &view, theta), DPN_OK);
                assert_int_equal(fewer, most);
            }
        }
        close_step(&o);
    }
}

/* ---- the worst event of noise ---- */

static void next_looks(void **state) {
    (void)state;
    assert_true(next_look(1, 5, (double[]){1, -3}, 0) == 2 && next_look(1, 5, (double[]){3, -1}, 4) == 4);
    assert_true(next_look(1, 5, (double[]){3, -1}, 2) == 3 && next_look(1, 5, (double[]){3, -1}, 5) == 3);
    assert_true(next_look(1, 5, (double[]){NAN, -1}, 0) == 3 && next_look(1, 5, (double[]){3, -INFINITY}, 0) == 3);
    assert_true(next_look(1, 5, (double[]){INFINITY, -1}, 1) == 3 && next_look(1, 5, (double[]){3, 1}, 1) == 3);
    assert_true(next_look(1, 5, (double[]){0, -1}, 1) == 3 && next_look(1, 5, (double[]){1, 0}, 1) == 3);
}

static void events_begin_where_g_is_1(void **state) {
    (void)state;
    for (int k = 0; k < STEPS; k++) {
        const step *s = &steps[k];
        if (s->noise == PURE || s->fixed) continue;
        opened o;
        open_step(&o, s);
        for (double nu = 0.013; nu < 4; nu += 0.0931) {
            long double x = expl(nu), a = 1 + (x - 1) / s->q, truth = place_of(s, x);
            double rest = log_rest(&o.r, nu), doubt = doubt_of(nu, rest), place[3];
            if (s->q < 1) assert_true(fabsl(rest - logl(a - x)) < 1e-12L * (1 + fabsl(rest)));
            if (s->q == 1) assert_true(rest == -INFINITY);
            if (truth > 100) continue; /* no output is in the event */
            assert_true(doubt >= 1e-13 * (3 + nu + (s->q < 1 ? fabs(rest) : 0)) &&
                        doubt <= 1.001e-10 * (3 + nu + (s->q < 1 ? fabs(rest) : 0)));
            for (int side = -1; side <= 1; side++) place[side + 1] = find_place(&o.r, nu, side);
            for (int side = -1; side <= 1; side++) { /* what is known of g there */
                long double t = place[side + 1], here = log_density(s->noise, t);
                long double g = logl(x * expl(log_density(s->noise, t + s->replace) - here) +
                                     (s->q < 1 ? (a - x) * expl(log_density(s->noise, t + s->remove) - here) : 0));
                if (side == 0 && s->noise == GAUSSIAN) assert_true(fabsl(g) <= 1.01L * doubt);
                if (side == 1) assert_true(g <= -0.98L * doubt || t > truth);
                if (side == -1) assert_true(g >= 0.98L * doubt || t < truth);
                if (s->noise == GAUSSIAN && side)
                    assert_true(-side * g >= 0.98L * doubt && -side * g <= 1.1L * doubt + 1e-11L);
            }
            assert_true(place[0] <= place[2]);
            if (s->noise == GAUSSIAN) assert_true(place[0] <= truth && place[2] >= truth && place[2] - place[0] < 1e-6);
            double above_it = dpn_replaced_noise_above(&o.r, nu), below = dpn_replaced_noise_at_least(&o.r, nu), lower,
                   upper;
            long double mass[2];
            for (int i = 0; i < 2; i++) {
                long double t = place[i ? 2 : 0];
                mass[i] = s->q * tail(s->noise, t + s->replace) + (1 - s->q) * tail(s->noise, t + s->remove);
            }
            if (!(above_it >= mass[0] * (1 + 0.9e-10L) && above_it <= mass[0] * (1 + 1.2e-10L)))
                fail_msg("step %d at %g: %.15g, not %.15Lg, place %g", k, nu, above_it, mass[0], place[0]);
            assert_true(below <= mass[1] * (1 - 0.9e-10L) && below >= mass[1] * (1 - 1.2e-10L));
            /* Section 4: the charge of twice eta, and of eta for each of two tails, all relative to the first tail. */
            assert_int_equal(dpn_replaced_noise_log_delta(&lower, &upper, &o.r, nu, NULL), DPN_OK);
            long double t = truth, first = tail(s->noise, t), second = x * tail(s->noise, t + s->replace) / first,
                        third = (a - x) * tail(s->noise, t + s->remove) / first;
            long double charge = (2 + second + third) * (doubt + 16 * DBL_EPSILON * fabsl(logl(first))) * s->q * first;
            long double delta = truth_at(s, x), more = expl(upper) - delta - 1e-10L * delta, less = delta - expl(lower);
            if (delta < 3 * charge) continue;
            if (!(more >= 0.97L * charge && more <= 1.03L * charge && less >= 0.97L * charge && less <= 1.03L * charge))
                fail_msg("step %d at %g: %Lg above, %Lg below, charge %Lg", k, nu, more, less, charge);
        }
        double lower, upper; /* beyond everything */
        assert_int_equal(dpn_replaced_noise_log_delta(&lower, &upper, &o.r, 600, NULL), DPN_OK);
        assert_true(lower == -INFINITY && upper <= -299);
        assert_int_equal(dpn_replaced_noise_log_delta(&lower, &upper, &o.r, INFINITY, NULL), DPN_OK);
        assert_true(upper == -INFINITY);
        close_step(&o);
    }
}

/* On the integers: the best of all places. */
static void events_of_integers(void **state) {
    (void)state;
    dpn_law law = case_law("discrete-laplace(scale=2)");
    dpn_part part[2] = {{.times = 1}, {.times = 1}};
    dpn_base base[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dpn_loss_law(&part[i].loss, &law, i ? 1 : 2, NULL), DPN_OK);
        assert_int_equal(dpn_base_open(&base[i], &part[i], 1, NULL), DPN_OK);
    }
    for (double q = 0.05; q <= 1; q += 0.19) {
        dpn_replaced r = {&base[0], &base[1], q, &law, 2, 1, dpn_replaced_noise_far(&law)};
        assert_true(r.far == floor(r.far));
        for (double nu = 0.01; nu < 0.9; nu += 0.0313) {
            long double x = expl(nu), a = 1 + (x - 1) / (long double)q, best = 0, lambda = expl(-0.5L);
            for (int j = -8; j < 12; j++) { /* outputs above j: P(Z > j) = lambda^(j + 1)/(1 + lambda) */
                long double sum = 0;
                for (int i = 0; i < 3; i++) {
                    int at = j + (i == 1 ? 2 : i == 2 ? 1 : 0);
                    long double S =
                        at >= 0 ? powl(lambda, at + 1) / (1 + lambda) : 1 - powl(lambda, -at) / (1 + lambda);
                    sum += (i == 0 ? 1 : i == 1 ? -x : x - a) * S;
                }
                best = fmaxl(best, q * sum);
            }
            double lower, upper;
            assert_int_equal(dpn_replaced_noise_log_delta(&lower, &upper, &r, nu, NULL), DPN_OK);
            if (!(expl(lower) <= best * (1 + 1e-15L) && expl(upper) >= best * (1 - 1e-15L) &&
                  expl(upper) - expl(lower) < 1e-8L))
                fail_msg("rate %g at %g: [%.12g, %.12g], not %.12Lg", q, nu, exp(lower), exp(upper), best);
        }
    }
    for (int i = 0; i < 2; i++) dpn_base_close(&base[i]);
}

static void where_tails_end(void **state) {
    (void)state;
    static const char *const text[] = {"gaussian(sigma=1)", "laplace(scale=3)", "discrete-laplace(scale=2)",
                                       "logistic(scale=0.01)", "discrete-gaussian(sigma=5)"};
    for (int i = 0; i < 5; i++) {
        dpn_law law = case_law(text[i]);
        double far = dpn_replaced_noise_far(&law);
        assert_true(dpn_law_log_sf(&law, far) <= FAR && dpn_law_log_sf(&law, far / 1.5 - 1.01) > FAR - 25);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_and_slopes), cmocka_unit_test(atoms_are_jumps),
        cmocka_unit_test(next_looks),          cmocka_unit_test(events_begin_where_g_is_1),
        cmocka_unit_test(events_of_integers),  cmocka_unit_test(where_tails_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
