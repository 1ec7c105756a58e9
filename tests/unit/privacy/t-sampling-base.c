/* The profile of a release before sampling: slopes, polygons and the search for its reach, each against its definition; compositions of pure losses, whose
 * profiles and tails are sums over their atoms. */
#include "privacy/sampling/base.c" /* to see each piece */

#include "case.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- slopes between two points ---- */

static void slopes_are_rounded_outwards(void **state) {
    (void)state;
    draw_source source = {41};
    for (int trial = 0; trial < 500; trial++) {
        double from = -draw_log_uniform(&source, 1e-3, 40), to = from - draw_log_uniform(&source, 1e-9, 3);
        double nu = draw_uniform(&source, -5, 5), further = nu + draw_log_uniform(&source, 1e-6, 0.1);
        long double high = expl(from), low = expl(to), run = expl(nu) * expm1l((long double)further - nu);
        long double slope = (high - low) / run, ends = ROUNDING * (high + low) / run;
        double above = mean_slope(from, to, nu, further, ROUNDING),
               below = mean_slope(from, to, nu, further, -ROUNDING);
        assert_true(above >= slope + 0.7L * ends && above <= slope * (1 + 3 * ROUNDING) + 1.3L * ends);
        assert_true(below <= slope - 0.7L * ends && below >= slope * (1 - 3 * ROUNDING) - 1.3L * ends);
    }
}

static void corners_are_found(void **state) {
    (void)state;
    double known[2 * 9];
    composed own = {.grid = {-1, 0.25, 9}, .secant = 0.25};
    assert_int_equal(corner_near(&own, -1, 0), 9); /* nothing is known yet */
    assert_true(other_end(&own, 0.5, 1) == 0.75);
    own.known = known;
    for (size_t i = 0; i < 9; i++) {
        double at = -1 + 0.25 * (double)i;
        assert_int_equal(corner_near(&own, at, 0), i);
        assert_int_equal(corner_near(&own, at + 1e-9, 0), 9);
        assert_int_equal(corner_near(&own, at + 1e-9, 2e-9), i);
        assert_int_equal(corner_near(&own, at - 1e-9, 2e-9), i);
        assert_int_equal(corner_near(&own, at - 0.124, 0.2), i);
        assert_int_equal(corner_near(&own, at + 0.124, 0.2), i);
    }
    assert_int_equal(corner_near(&own, -1.13, 1), 9);
    assert_int_equal(corner_near(&own, 1.13, 1), 9);
    assert_int_equal(corner_near(&own, NAN, 1), 9);
    own.grid = (dpn_dot_grid){-1, 0.3, 9}; /* the corner itself, not where rounding puts it */
    own.secant = 0.3;
    for (size_t i = 0; i + 1 < 9; i++) {
        double here = dpn_dot_grid_value(&own.grid, i), there = dpn_dot_grid_value(&own.grid, i + 1);
        assert_true(other_end(&own, here, 1) == there && other_end(&own, there, -1) == here);
    }
    own.secant = 0.2;
    assert_true(other_end(&own, -1, 1) == -1 + 0.2 && other_end(&own, -1, -1) == -1 - 0.2);
}

/* ---- a composition of pure losses ---- */

enum { LOSSES = 3, ATOMS = 1 << LOSSES };
static const double pure[LOSSES] = {0.4, 0.9, 1.6};

/* P and Q of each sum of signs. */
static void make_atoms(long double value[ATOMS], long double p[ATOMS], long double q[ATOMS]) {
    for (int i = 0; i < ATOMS; i++) {
        value[i] = 0;
        p[i] = q[i] = 1;
        for (int k = 0; k < LOSSES; k++) {
            long double e = pure[k], likely = 1 / (1 + expl(-e));
            bool up = i >> k & 1;
            value[i] += up ? e : -e;
            p[i] *= up ? likely : expl(-e) * likely;
            q[i] *= up ? expl(-e) * likely : likely;
        }
    }
}

static long double profile_at(long double nu) {
    long double value[ATOMS], p[ATOMS], q[ATOMS], sum = 0;
    make_atoms(value, p, q);
    for (int i = 0; i < ATOMS; i++) sum += fmaxl(0, p[i] - expl(nu) * q[i]);
    return sum;
}

/* Q(L > nu) or Q(L >= nu). */
static long double tail_at(long double nu, bool equal) {
    long double value[ATOMS], p[ATOMS], q[ATOMS], sum = 0;
    make_atoms(value, p, q);
    for (int i = 0; i < ATOMS; i++) sum += value[i] > nu + 1e-12L || (equal && value[i] > nu - 1e-12L) ? q[i] : 0;
    return sum;
}

static void make_parts(dpn_part part[LOSSES]) {
    for (int k = 0; k < LOSSES; k++) {
        assert_int_equal(dpn_loss_pure(&part[k].loss, pure[k], NULL), DPN_OK);
        part[k].times = 1;
    }
}

static void secants_of_a_composition(void **state) {
    (void)state;
    dpn_part part[LOSSES];
    make_parts(part);
    dpn_composition all;
    dpn_accounting_options options = {.size = sizeof options, .accuracy = ACCURACY};
    assert_int_equal(dpn_composition_open(&all, NULL, part, LOSSES, &options, NULL), DPN_OK);
    assert_int_equal(dpn_workspace_new(&all.workspace), DPN_OK);
    dpn_workspace *workspace = all.workspace;
    composed own = {.all = &all, .secant = 1e-3, .end = 2.9 * (1 + ROUNDING)};
    dpn_loss_view view = {.source = &composed_source, .other = &own};
    double least = 7, lower, upper;
    assert_true(fabs(composed_largest(&view) - 2.9) < 1e-14 && composed_least(&view) == -composed_largest(&view));
    size_t count = 5;
    dpn_heavy_atom atom;
    assert_int_equal(no_atoms(&atom, &count, 1, &view, 0), DPN_OK);
    assert_int_equal(count, 0);
    for (double nu = -3.3; nu < 3.3; nu += 0.0473) {
        double above = composed_above(&least, &view, nu), below = composed_at_least(&view, nu);
        assert_true(least == 0);
        assert_int_equal(composed_log_delta(&lower, &upper, &view, nu, NULL), DPN_OK);
        long double truth = profile_at(nu), slack = 3 * ACCURACY * truth / (1e-3L * expl(nu));
        assert_true(expl(lower) <= truth * (1 + 1e-15L) && expl(upper) >= truth * (1 - 1e-15L));
        if (!(above >= tail_at(nu, false) && above <= tail_at(nu - 1e-3, true) + slack))
            fail_msg("at %g: %g, not %Lg", nu, above, tail_at(nu, false));
        if (!(below <= tail_at(nu, true) && below >= tail_at(nu + 1e-3, false) - slack))
            fail_msg("at %g: %g, not %Lg", nu, below, tail_at(nu, true));
        assert_true(above <= 1 && below >= 0);
    }
    assert_true(composed_at_least(&view, -2.91) == 1); /* so do all losses */
    own.infinite = true;                               /* then some may not be there */
    assert_true(composed_at_least(&view, -2.91) < 1);
    own.infinite = false;
    double known[2 * 9]; /* what was asked for at a corner is kept, both ends */
    for (int i = 0; i < 18; i++) known[i] = NAN;
    own.grid = (dpn_dot_grid){-1, 0.25, 9};
    own.known = known;
    for (int round = 0; round < 2; round++)
        for (int i = 8; i >= 0; i--) {
            assert_int_equal(composed_log_delta(&lower, &upper, &view, -1 + 0.25 * i, NULL), DPN_OK);
            long double truth = logl(profile_at(-1 + 0.25L * i));
            assert_true(lower <= truth && upper >= truth && upper - lower < 1e-7 && lower < upper);
            if (round == 1) known[2 * i] = -1 - i, known[2 * i + 1] = -0.5 - i;
        }
    for (int i = 0; i < 9; i++) {
        assert_int_equal(composed_log_delta(&lower, &upper, &view, -1 + 0.25 * i, NULL), DPN_OK);
        assert_true(lower == -1 - i && upper == -0.5 - i);
    }
    own.known = NULL;
    /* The last atom is not missed by a line from beyond it. */
    double last = composed_at_least(&view, 2.9 - 1e-4);
    assert_true(last > 0.9 * (double)tail_at(2.8, false) && last <= (double)tail_at(2.8, false));
    assert_true(composed_at_least(&view, 3) == 0 && composed_above(&least, &view, 3.1) == 0);
    dpn_workspace_free(workspace);
    dpn_composition_close(&all);
}

static void between_two_polygons(void **state) {
    (void)state;
    dpn_part part[LOSSES];
    make_parts(part);
    dpn_base base;
    assert_int_equal(dpn_base_open(&base, part, LOSSES, NULL), DPN_OK);
    assert_true(!base.single && !base.infinite && fabs(base.largest - 2.9) < 1e-13 && base.reach == base.largest);
    assert_true(base.above.nu[0] == -base.reach && base.below.nu[0] == -base.reach);
    for (double nu = -4; nu < 4; nu += 0.0137) {
        double lower, upper, low, high;
        long double truth = profile_at(nu);
        assert_int_equal(dpn_base_log_delta(&lower, &upper, &base, nu, NULL), DPN_OK);
        assert_int_equal(dpn_base_height(&low, &high, &base, nu, NULL), DPN_OK);
        if (!(expl(lower) <= truth * (1 + 1e-15L) && expl(upper) >= truth * (1 - 1e-15L) && low <= truth))
            fail_msg("at %g: [%g, %g], not %Lg", nu, exp(lower), exp(upper), truth);
        assert_true(expl(upper) - expl(lower) <= 5e-4L && high - low <= 2.1 * CORNER_ROUNDING);
        assert_true(low == exp(lower) || fabs(low - exp(lower)) <= 4 * DBL_EPSILON * low);
        double above = dpn_base_above(&base, nu), below = dpn_base_at_least(&base, nu);
        /* The slopes of a polygon within 1e-5 of a profile that is straight but at its atoms. */
        bool atom = tail_at(nu - 0.01L, true) > tail_at(nu + 0.01L, false) * (1 + 1e-9L);
        if (!atom && fabs(nu) < 2.8) assert_true(fabsl(above - tail_at(nu, false)) < 1e-3L);
        assert_true(below <= above * (1 + 1e-12));
    }
    dpn_base_close(&base);
    assert_true(!base.above.nu && !base.below.nu);
}

/* ---- polygons by themselves ---- */

static void polygons_are_straight_lines(void **state) {
    (void)state;
    enum { MANY = 7 };
    draw_source source = {42};
    for (int trial = 0; trial < 40; trial++) {
        double nu[MANY], log_h[MANY];
        long double x[MANY + 1] = {0}, h[MANY + 1];
        dpn_polygon line = {nu, log_h, MANY, log(0.99)};
        if (trial % 5 == 0) line.corners = 1;
        if (trial % 5 == 1) line.corners = 2;
        size_t n = line.corners;
        h[0] = expl(line.log_start);
        long double slope = -0.9L, before = 0;
        for (size_t i = 0; i < n; i++) { /* convex: each slope is a part of the one before */
            nu[i] = i ? nu[i - 1] + draw_uniform(&source, 0.01, 1) : draw_uniform(&source, -3, -1);
            x[i + 1] = expl(nu[i]);
            log_h[i] = (double)logl(h[i] + slope * (x[i + 1] - before));
            h[i + 1] = expl(log_h[i]);
            before = x[i + 1];
            slope = fmaxl(slope * 0.5L, -0.3L * h[i + 1] / (x[i + 1] * 2));
        }
        if (trial % 5 == 4) log_h[n - 1] = -INFINITY, h[n] = 0;
        dpn_base base = {.below = line, .above = line};
        for (int k = 0; k < 300; k++) {
            double at = draw_uniform(&source, nu[0] - 2, nu[n - 1] + 1);
            if (k < 7 && (size_t)k < n) at = nu[k];
            size_t i = 0;
            while (i < n && nu[i] <= at) i++;
            assert_int_equal(corner_before(&line, at), i ? i - 1 : n);
            long double rise = i == n ? 0 : (h[i + 1] - h[i]) / (x[i + 1] - x[i]);
            long double truth = h[i] + rise * (expl(at) - x[i]), scale = i ? h[i] : 1;
            double height, got, lower, upper;
            polygon_at(&line, i ? i - 1 : n, at, &height, &got);
            assert_true(fabsl(height - truth) <= 30 * DBL_EPSILON * scale);
            assert_true(fabsl(got - rise) <=
                        100 * DBL_EPSILON * fabsl(rise) + 4 * DBL_EPSILON * (i ? 0 : 1 / expl(nu[0])));
            polygon_height(&line, at, &lower, &upper);
            long double doubt = CORNER_ROUNDING * scale;
            assert_true(lower <= fmaxl(0, truth - 0.99L * doubt) && lower >= fmaxl(0, truth - 1.01L * doubt) - 1e-300L);
            assert_true(upper >= truth + 0.99L * doubt && upper <= truth + 1.01L * doubt);
            assert_true(doubt <= 1.01e4L * ROUNDING * scale && doubt >= 5000 * ROUNDING * scale);
            double log_lower, log_upper, least, most;
            assert_int_equal(dpn_base_log_delta(&log_lower, &log_upper, &base, at, NULL), DPN_OK);
            assert_int_equal(dpn_base_height(&least, &most, &base, at, NULL), DPN_OK);
            assert_true(log_lower == log(lower) && log_upper == log(upper) && least == lower && most == upper);
            /* Minus the slope to the right is at most this, minus that to the left at least that. */
            double above = dpn_base_above(&base, at), below = dpn_base_at_least(&base, at);
            long double left = rise;
            if (i && nu[i - 1] == at) left = (h[i] - h[i - 1]) / (x[i] - x[i - 1]);
            long double start = 10 * DBL_EPSILON / expl(nu[0]); /* the first line's ends are both near 1 */
            long double more = i ? 0 : start, less = i < 2 ? start : 0;
            assert_true(above >= -rise - more && above <= -rise * (1 + 6 * ROUNDING) + more);
            assert_true(below <= -left + less && below >= -left * (1 - 6 * ROUNDING) - less);
            if (i > 1 && rise != 0)
                assert_true(above >= -rise * (1 + 2 * ROUNDING) && below <= -left * (1 - 2 * ROUNDING));
        }
    }
}

/* ---- the reach ---- */

/* A loss with log delta = -(epsilon/unit)^2, or level at `bottom`. */
typedef struct falling {
    double unit, bottom, largest;
    int calls, fail_at;
} falling;

static dpn_status falling_log_delta(double *lower, double *upper, const dpn_loss_view *view, double epsilon,
                                    dpn_error *why) {
    falling *own = (falling *)(uintptr_t)view->other;
    if (own->calls++ == own->fail_at) return dpn_fail(why, DPN_EACCURACY, "asked for");
    double part = epsilon / own->unit;
    *upper = fmax(own->bottom, epsilon > own->largest ? -INFINITY : -part * part);
    *lower = *upper - 1;
    return DPN_OK;
}

static double falling_largest(const dpn_loss_view *view) {
    return ((const falling *)view->other)->largest;
}

static const struct dpn_loss_source falling_source = {.log_delta = falling_log_delta, .largest = falling_largest};

static void the_reach_is_where_little_is_left(void **state) {
    (void)state;
    for (double unit = 1e-6; unit < 5000; unit *= 2.3) {
        falling own = {unit, -INFINITY, INFINITY, 0, -1};
        dpn_loss_view view = {.source = &falling_source, .other = &own};
        dpn_base base = {0};
        assert_int_equal(find_reach(&base, &view, NULL), DPN_OK);
        double truth = unit * sqrt(75);
        assert_true(base.largest == INFINITY && !base.infinite && own.calls < 60);
        if (!(base.reach > truth && base.reach <= 1.1001 * truth)) fail_msg("%g, not %g", base.reach, truth);
        for (int i = 0; i < own.calls; i += 1 + own.calls / 5) { /* what fails is told */
            falling ill = {unit, -INFINITY, INFINITY, 0, i};
            dpn_loss_view other = {.source = &falling_source, .other = &ill};
            dpn_base none = {0};
            dpn_error why;
            assert_int_equal(find_reach(&none, &other, &why), DPN_EACCURACY);
            assert_string_equal(why.sentence, "asked for");
            assert_int_equal(ill.calls, i + 1);
        }
        falling ended = {unit, -INFINITY, 3 * unit, 0, -1}; /* ends before */
        view.other = &ended;
        assert_int_equal(find_reach(&base, &view, NULL), DPN_OK);
        assert_true(base.reach == 3 * unit && base.largest == 3 * unit && !base.infinite);
        falling later = {unit, -INFINITY, 40 * unit, 0, -1};
        view.other = &later;
        assert_int_equal(find_reach(&base, &view, NULL), DPN_OK);
        assert_true(base.largest == 40 * unit && base.reach > truth);
        if (unit > 1e-3) assert_true(base.reach <= 1.1001 * truth); /* what ends before 2^-10 is not worth a search */
    }
    dpn_error why;
    dpn_base base = {0};
    falling level = {1, -20, INFINITY, 0, -1}; /* never below e^-20: an infinite loss, and no largest finite one */
    dpn_loss_view view = {.source = &falling_source, .other = &level};
    assert_int_equal(find_reach(&base, &view, &why), DPN_EACCURACY);
    assert_true(base.infinite);
    assert_string_equal(why.sentence, "some losses are infinite and the largest of the others is not known, so that "
                                      "the noise cannot be sampled");
    falling wide = {1e5, -INFINITY, INFINITY, 0, -1};
    view.other = &wide;
    assert_int_equal(find_reach(&base, &view, &why), DPN_EACCURACY);
    assert_true(!base.infinite);
    assert_string_equal(why.sentence, "the losses are too large to be sampled");
    falling just = {1e4, -INFINITY, INFINITY, 0, -1}; /* 86603 */
    view.other = &just;
    assert_int_equal(find_reach(&base, &view, &why), DPN_OK);
    falling known = {1, -20, 7, 0, -1};
    view.other = &known;
    assert_int_equal(find_reach(&base, &view, NULL), DPN_OK);
    assert_true(base.infinite && base.reach == 7);
}

/* ---- single losses ---- */

static void single_losses_are_asked_directly(void **state) {
    (void)state;
    dpn_law law = case_law("gaussian(sigma=2)"), laplace = case_law("laplace(scale=1)");
    dpn_part part[2] = {{.times = 1}, {.times = 1}};
    dpn_base base;
    double ratio, doubt;
    assert_int_equal(dpn_base_open(&base, NULL, 0, NULL), DPN_OK); /* nothing is lost */
    assert_true(base.single && base.largest == 0 && base.reach == 0 && !dpn_base_gaussian(&ratio, &doubt, &base));
    double lower, upper;
    assert_int_equal(dpn_base_log_delta(&lower, &upper, &base, 0.1, NULL), DPN_OK);
    assert_true(upper == -INFINITY);
    dpn_base_close(&base);
    assert_int_equal(dpn_loss_law(&part[0].loss, &law, 3, NULL), DPN_OK);
    assert_int_equal(dpn_base_open(&base, part, 1, NULL), DPN_OK);
    assert_true(base.single && base.largest == INFINITY && !base.infinite && one_view(&base));
    assert_true(dpn_base_gaussian(&ratio, &doubt, &base) && ratio == 1.5 && doubt >= 2 * DBL_EPSILON && doubt < 1e-15);
    for (double nu = -3; nu < 12; nu += 0.7) { /* one profile and its slopes */
        long double c = 1.5L, z = nu / c - c / 2, Q = 0.5L * erfcl((z + c) / sqrtl(2)), P = 0.5L * erfcl(z / sqrtl(2));
        double low, high;
        assert_int_equal(dpn_base_log_delta(&lower, &upper, &base, nu, NULL), DPN_OK);
        assert_int_equal(dpn_base_height(&low, &high, &base, nu, NULL), DPN_OK);
        long double truth = P - expl(nu) * Q;
        assert_true(fabsl(expl(lower) / truth - 1) < 1e-9L && expl(upper) >= expl(lower));
        assert_true(low < exp(lower) && high > exp(upper) && low >= exp(lower) * (1 - 2 * ROUNDING) &&
                    high <= exp(upper) * (1 + 2 * ROUNDING));
        double above = dpn_base_above(&base, nu), below = dpn_base_at_least(&base, nu);
        assert_true(above >= Q * (1 - 1e-12L) && above <= Q * (1 + 1e-9L) && below <= Q * (1 + 1e-12L) &&
                    below >= Q * (1 - 1e-9L));
    }
    dpn_base_close(&base);
    part[0].times = 2; /* two Gaussians are one, whose sensitivity is a root */
    assert_int_equal(dpn_loss_law(&part[1].loss, &law, 1, NULL), DPN_OK);
    assert_int_equal(dpn_base_open(&base, part, 2, NULL), DPN_OK);
    assert_true(base.single && !one_view(&base) && dpn_base_gaussian(&ratio, &doubt, &base));
    long double root = sqrtl(2 * 2.25L + 0.25L);
    if (!(fabsl(ratio - root) <= doubt * root && doubt > 2 * DBL_EPSILON && doubt < 1e-14))
        fail_msg("%g, %Lg", doubt, ratio - root);
    double ends[2] = {base.loss[0].sensitivity / dpn_law_gaussian(&base.loss[0].law),
                      base.loss[1].sensitivity / dpn_law_gaussian(&base.loss[1].law)};
    assert_true(fabs(ratio - 0.5 * (ends[0] + ends[1])) < 0.2 * (ends[1] - ends[0]));
    assert_true(ends[0] < ends[1] && ends[1] <= ratio * (1 + doubt) && ends[0] >= ratio * (1 - doubt));
    for (double nu = -1; nu < 9; nu += 0.9) { /* the lower end of the lesser, the upper end of the greater */
        double l[2], u[2], least;
        assert_int_equal(base.lesser.source->log_delta(&l[0], &u[0], &base.lesser, nu, NULL), DPN_OK);
        assert_int_equal(base.greater.source->log_delta(&l[1], &u[1], &base.greater, nu, NULL), DPN_OK);
        assert_int_equal(dpn_base_log_delta(&lower, &upper, &base, nu, NULL), DPN_OK);
        assert_true(lower == l[0] && upper == u[1]);
        double above[2] = {base.lesser.source->above(&least, &base.lesser, nu),
                           base.greater.source->above(&least, &base.greater, nu)};
        double below[2] = {base.lesser.source->at_least(&base.lesser, nu),
                           base.greater.source->at_least(&base.greater, nu)};
        assert_true(dpn_base_above(&base, nu) == fmax(above[0], above[1]));
        assert_true(dpn_base_at_least(&base, nu) == fmin(below[0], below[1]));
    }
    dpn_base_close(&base);
    part[0].times = 1;
    assert_int_equal(dpn_loss_law(&part[0].loss, &law, 1e-101, NULL), DPN_OK); /* hardly anything */
    assert_int_equal(dpn_base_open(&base, part, 1, NULL), DPN_OK);
    assert_true(!dpn_base_gaussian(&ratio, &doubt, &base));
    dpn_base_close(&base);
    assert_int_equal(dpn_loss_law(&part[0].loss, &laplace, 1.25, NULL), DPN_OK);
    assert_int_equal(dpn_base_open(&base, part, 1, NULL), DPN_OK);
    assert_true(base.single && base.largest >= 1.25 && base.largest < 1.2500001 && base.reach == base.largest);
    assert_true(!dpn_base_gaussian(&ratio, &doubt, &base));
    dpn_base_close(&base);
    assert_int_equal(dpn_loss_pure(&part[0].loss, 1, NULL), DPN_OK);
    part[0].times = 2; /* twice the same, not Gaussian: a composition */
    assert_int_equal(dpn_base_open(&base, part, 1, NULL), DPN_OK);
    assert_true(!base.single && base.above.corners >= 3 && !dpn_base_gaussian(&ratio, &doubt, &base));
    dpn_base_close(&base);
    static const double value[] = {-1, 1}, probability[] = {0.2689414213699951, 0.7310585786300049};
    dpn_error why;
    assert_int_equal(dpn_loss_explicit(&part[0].loss, value, probability, 2, NULL), DPN_OK);
    assert_int_equal(dpn_base_open(&base, part, 1, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "explicit losses cannot be sampled");
    dpn_base_close(&base);
    part[0].times = 1;
    assert_int_equal(dpn_base_open(&base, part, 1, &why), DPN_EUNSUPPORTED);
    assert_true(!base.single);
    dpn_base_close(&base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_rounded_outwards),      cmocka_unit_test(corners_are_found),
        cmocka_unit_test(secants_of_a_composition),         cmocka_unit_test(between_two_polygons),
        cmocka_unit_test(polygons_are_straight_lines),      cmocka_unit_test(the_reach_is_where_little_is_left),
        cmocka_unit_test(single_losses_are_asked_directly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
