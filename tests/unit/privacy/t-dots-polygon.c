/* The polygons on a grid, piece by piece: hulls against all chords, gaps against all points of a cell, and which points ask for what. */
#include "privacy/compose/dots.h"
#include "privacy/compose/dots.c" /* to see each piece */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 40 };

typedef struct room {
    double mass[POINTS], blur[POINTS], lower[POINTS], upper[POINTS], left[POINTS], right[POINTS];
    size_t corner[POINTS];
} room;

static dpn_dots_scratch scratch_of(room *r) {
    return (dpn_dots_scratch){r->lower, r->upper, r->left, r->right, r->corner, NULL, NULL};
}

static dpn_dots dots_of(room *r, dpn_dot_grid grid, const size_t *node, size_t nodes) {
    return (dpn_dots){.grid = grid, .node = node, .nodes = nodes, .log_mass = r->mass, .blur = r->blur};
}

/* ---- lines ---- */

static void slopes_of_lines(void **state) {
    (void)state;
    static const double falls[] = {0, -1e-9, -0.01, -0.6, -0.7, -5, -300, -600};
    for (double step = 1e-4; step < 2; step *= 9) {
        widths w = {.step = step};
        for (size_t span = 1; span < 9; span += 3)
            for (size_t i = 0; i < sizeof falls / sizeof *falls; i++) {
                double log_h[10] = {-3};
                log_h[span] = -3 + falls[i];
                double fall = log_h[span] - log_h[0];
                line found = line_between(log_h, &w, 0, span);
                long double wide = expl((long double)((double)span * step)), change = expm1l(fall);
                long double left = change / (wide - 1), right = -expm1l(-fall) / (1 - 1 / wide);
                assert_true(fabsl(found.at_left - left) <= 1e-12L * fabsl(left));
                assert_true(fabsl(found.at_right - right) <= 1e-12L * fabsl(right));
            }
        double log_h[2] = {-3, -INFINITY}; /* to nothing */
        assert_true(fabs(line_between(log_h, &w, 0, 1).at_left * expm1(step) + 1) < 1e-12);
    }
    for (double x = -9; x < 9; x += 0.01) {
        double exact = x == 0 ? 1 : expm1(x) / x;
        assert_true(fabs(relative_change(x) - exact) <= (fabs(x) < 0.1 ? 5e-5 : 1e-15 * exact));
    }
}

/* ---- the hull ---- */

/* The greatest convex function below the points (0, start) and (x_j, height[j]) for j of nodes, at x. */
static long double hull_at(const double *x, const double *height, size_t count, long double start, long double at) {
    long double least = INFINITY;
    for (size_t i = 0; i <= count; i++) /* the least chord, 0 being the start */
        for (size_t k = i; k <= count; k++) {
            long double a = i ? x[i - 1] : 0, b = k ? x[k - 1] : 0, p = i ? height[i - 1] : start,
                        q = k ? height[k - 1] : start;
            if (a > at || b < at) continue;
            long double value = a == b ? fminl(p, q) : p + (q - p) * ((at - a) / (b - a));
            least = fminl(least, value);
        }
    return least;
}

static void check_hull(draw_source *source, bool some, double noise, int zero_from) {
    room r;
    size_t node[POINTS], nodes = 0;
    dpn_dot_grid grid = {draw_uniform(source, -2, 0), draw_log_uniform(source, 0.01, 0.3), POINTS};
    for (size_t j = 0; j + 1 < POINTS; j += 1 + (some ? nodes % 3 : 0)) node[nodes++] = j;
    node[nodes++] = POINTS - 1;
    dpn_dots dots = dots_of(&r, grid, some ? node : NULL, some ? nodes : 0);
    double log_h[POINTS], x[POINTS], height[POINTS], last = 0, log_start = draw_uniform(source, -0.01, 0);
    for (size_t i = 0; i < nodes; i++) { /* falling, convex up to the noise */
        last -= draw_uniform(source, 0, noise) + 0.3 * grid.step;
        log_h[node[i]] = (int)i >= zero_from ? -INFINITY : last;
        x[i] = exp(dpn_dot_grid_value(&grid, node[i]));
        height[i] = exp(log_h[node[i]]);
    }
    for (size_t j = 0; j < POINTS; j++) r.blur[j] = NAN;
    masses_of_minorant(&dots, log_h, log_start, scratch_of(&r));
    size_t count = zero_from < (int)nodes ? (size_t)zero_from + 1 : nodes, corner = 0;
    long double total = 0;
    for (size_t i = 0; i < nodes; i++) {
        size_t j = node[i];
        long double mass = expl((long double)r.mass[j]), bend = 0, left = 0, right = 0;
        if (i < count) {
            long double here = hull_at(x, height, count, exp(log_start), x[i]), before = i ? x[i - 1] : 0;
            bool above = height[i] > here * (1 + 1e-13L); /* such a point is no corner */
            left = (here - hull_at(x, height, count, exp(log_start), before)) / (x[i] - before);
            right =
                i + 1 < count ? (hull_at(x, height, count, exp(log_start), x[i + 1]) - here) / (x[i + 1] - x[i]) : 0;
            bend = above ? 0 : x[i] * (right - left);
            if (!above && bend > 1e-9L * here) assert_int_equal(r.corner[corner++], j);
            if (here > 0 && mass > 0) {
                long double units = 8 + 8 * (fabsl(right) + fabsl(left)) / (right - left);
                assert_true(fabsl(r.blur[j] - units) <= 1e-6L * units);
            }
        }
        if (!(fabsl(mass - bend) <= 1e-11L * (fabsl(bend) + x[i] * (fabsl(left) + fabsl(right)))))
            fail_msg("point %zu has the mass %Lg, not %Lg", i, mass, bend);
        total += mass;
    }
    assert_true(dots.corners == corner && dots.log_start == log_start);
    assert_true(fabs(dots.infinite - height[count - 1]) <= 1e-15 * height[count - 1]);
    /* All of it is P: the masses and the infinite one. At 0 the height is the start. */
    assert_true(fabsl(total + (long double)dots.infinite - exp(log_start)) < 1e-10L);
    for (size_t j = 0, i = 0; j < POINTS; j++) {
        if (i < nodes && node[i] == j)
            i++;
        else
            assert_true(r.mass[j] == -INFINITY);
    }
}

static void hulls_are_below_all_points(void **state) {
    (void)state;
    draw_source source = {31};
    for (int trial = 0; trial < 60; trial++)
        check_hull(&source, trial % 2, trial % 3 == 0 ? 0.001 : 0.2, trial % 5 == 4 ? trial % 11 : POINTS + 1);
}

/* ---- gaps ---- */

static void gaps_are_the_largest_distance(void **state) {
    (void)state;
    draw_source source = {32};
    for (int trial = 0; trial < 600; trial++) {
        double width = draw_log_uniform(&source, 1e-3, 2), ratio = draw_uniform(&source, 0, 1),
               chord = (ratio - 1) / width;
        double left = chord * (1 + draw_log_uniform(&source, 1e-3, 3)), right = chord * draw_uniform(&source, 0, 1),
               most = 0;
        if (trial % 7 == 0) right = left = chord; /* a line */
        if (trial % 7 == 1) left = -1e3 / width;
        for (int k = 0; k <= 2000; k++) { /* no tangent is of use where it is below what the right end has */
            double t = width * k / 2000, tangent = fmax(1 + left * t, ratio - right * (width - t));
            most = fmax(most, 1 + chord * t - tangent);
        }
        most = fmin(most, 1 - ratio);
        double found = gap_over_cell(ratio, left, right, width);
        if (!(found >= most * (1 - 1e-12) - 1e-15 &&
              found <= most * 1.002 + 1e-15 + 2e-3 * fabs(left) * width * (found < 1 - ratio)))
            fail_msg("ratio %g, slopes %g, %g, width %g: gap %g, not %g", ratio, left, right, width, found, most);
    }
    /* Slopes that are not known: the profile falls no more than the slope says, or all at once. */
    assert_true(gap_over_cell(0.5, -1, -2, 1) == 0.5);
    assert_true(fabs(gap_over_cell(0.5, -0.6, -0.7, 1) - 0.1) < 1e-15);
    assert_true(fabs(gap_over_cell(0.5, -0.6, -0.6, 1) - 0.1) < 1e-15);
    assert_true(gap_over_cell(0.5, -0.4, -0.4, 1) == 0);
    assert_true(gap_over_cell(0.5, -0.4, -0.45, 1) == 0.5);
}

/* ---- heights below ---- */

/* A profile that is the largest of some lines, with its slopes to both sides, at x. */
typedef struct tent {
    int lines;
    double height[6], slope[6]; /* height at x = 0 */
} tent;

static double tent_at(const tent *t, double x, double *left, double *right) {
    double most = 0, low = 0, high = 0;
    for (int i = 0; i < t->lines; i++) {
        double value = t->height[i] + t->slope[i] * x;
        if (value < most - 1e-13) continue;
        if (value > most + 1e-13) low = high = t->slope[i];
        low = fmin(low, t->slope[i]);
        high = fmax(high, t->slope[i]);
        most = fmax(most, value);
    }
    *left = low;
    *right = high;
    return most;
}

static void polygons_through_lowered_heights(void **state) {
    (void)state;
    draw_source source = {33};
    for (int trial = 0; trial < 100; trial++) {
        tent t = {.lines = 2 + trial % 4};
        double infinite = trial % 3 ? 0 : 0.03;
        for (int i = 0; i < t.lines; i++) {
            t.height[i] = draw_uniform(&source, 0.4, 1);
            t.slope[i] = -draw_log_uniform(&source, 0.05, 1.5);
        }
        if (infinite > 0) { /* level from somewhere on */
            t.height[0] = infinite;
            t.slope[0] = 0;
        }
        room r;
        size_t node[POINTS], nodes = 0;
        for (size_t j = 0; j + 1 < POINTS; j += 1 + (size_t)(trial % 2) * (nodes % 3)) node[nodes++] = j;
        node[nodes++] = POINTS - 1;
        dpn_dot_grid grid = {-1, draw_log_uniform(&source, 0.02, 0.1), POINTS};
        dpn_dots dots = dots_of(&r, grid, node, nodes);
        double log_h[POINTS], above[POINTS], at_least[POINTS], log_v[POINTS], left, right;
        for (size_t j = 0; j < POINTS; j++) {
            double height = tent_at(&t, exp(dpn_dot_grid_value(&grid, j)), &left, &right);
            log_h[j] = log(height);
            above[j] = -right;
            at_least[j] = -left;
        }
        lower_heights(log_v, &dots, log_h, above, at_least, infinite > 0 ? log(infinite) : -INFINITY);
        for (size_t i = 0; i < nodes; i++) {
            double x = exp(dpn_dot_grid_value(&grid, node[i])), here = exp(log_v[node[i]]);
            if (!(here <= tent_at(&t, x, &left, &right) * (1 + 1e-14)))
                fail_msg("trial %d: point %zu is above", trial, i);
            if (i + 1 == nodes) break;
            double to = exp(dpn_dot_grid_value(&grid, node[i + 1])), next = exp(log_v[node[i + 1]]);
            for (int k = 0; k <= 50; k++) {
                double share = k / 50.0, value = tent_at(&t, x + share * (to - x), &left, &right);
                if (!(here + share * (next - here) <= value + 1e-13))
                    fail_msg("trial %d: the line from point %zu is above the profile", trial, i);
            }
            assert_true(here >= exp(log_v[POINTS - 1])); /* which is level from there on */
        }
        /* A point between cells without a corner keeps its height; another loses the gap of its cells. */
        for (size_t i = 1; i + 3 < nodes; i++) {
            double x[3], h[3], slopes[3][2], most = 0;
            for (int k = 0; k < 3; k++) {
                x[k] = exp(dpn_dot_grid_value(&grid, node[i + (size_t)k - 1]));
                h[k] = tent_at(&t, x[k], &slopes[k][0], &slopes[k][1]);
            }
            if (!(h[2] > 0) || log_v[node[i + 1]] == -INFINITY) continue;
            for (int cell = 0; cell < 2; cell++)
                for (int k = 0; k <= 4000; k++) {
                    double share = k / 4000.0, at = x[cell] + share * (x[cell + 1] - x[cell]);
                    double tangent = fmax(h[cell] + slopes[cell][1] * (at - x[cell]),
                                          h[cell + 1] + slopes[cell + 1][0] * (at - x[cell + 1]));
                    most = fmax(most, fmin(h[cell] - h[cell + 1], h[cell] + share * (h[cell + 1] - h[cell]) - tangent));
                }
            double lost = h[1] - exp(log_v[node[i]]);
            if (!(lost >= most - 1e-13 && lost <= most * 1.01 + 1e-13 + 1e-3 * (h[0] - h[2]) * (most > 1e-12)))
                fail_msg("trial %d, point %zu: lowered by %g, not %g", trial, i, lost, most);
        }
        double level = exp(log_v[POINTS - 1]);
        assert_true(level <= infinite * (1 + 1e-15));
    }
}

/* ---- who asks what ---- */

/* H(x) = e^(-rate x) by tables, with a jump of the slope at one point. */
typedef struct record {
    double rate, deep_from, deep; /* heights from there on are lower by this, in the logarithm */
    int deltas, uppers, after, aboves, at_leasts, cancel_at, asked;
    double last_epsilon, kink, jump;
    bool falls, with_least;
} record;

static double height_of(const record *r, double nu) {
    return -r->rate * exp(nu) - (nu > r->deep_from ? r->deep : 0);
}

static dpn_status log_delta(double *lower, double *upper, const dpn_loss_view *view, double epsilon, dpn_error *why) {
    record *r = (record *)(uintptr_t)view->other;
    (void)why;
    r->deltas++;
    r->falls = r->falls && (epsilon == INFINITY || epsilon < r->last_epsilon);
    if (epsilon < INFINITY) r->last_epsilon = epsilon;
    *lower = *upper = epsilon == INFINITY ? -INFINITY : height_of(r, epsilon);
    return DPN_OK;
}

static dpn_status log_upper(double *upper, const dpn_loss_view *view, double epsilon, dpn_error *why) {
    record *r = (record *)(uintptr_t)view->other;
    (void)why;
    r->uppers++;
    *upper = height_of(r, epsilon);
    return DPN_OK;
}

static dpn_status log_delta_after(double *lower, double *upper, dpn_falling *last, const dpn_loss_view *view,
                                  double epsilon, dpn_error *why) {
    ((record *)(uintptr_t)view->other)->after++;
    (void)last;
    return log_delta(lower, upper, view, epsilon, why);
}

static double slope_of(const record *r, double nu) {
    return r->rate * exp(height_of(r, nu));
}

static double above(double *least, const dpn_loss_view *view, double nu) {
    record *r = (record *)(uintptr_t)view->other;
    double slope = slope_of(r, nu);
    r->aboves++;
    if (fabs(nu - r->kink) < 1e-9) slope *= 1 - r->jump;
    *least = r->with_least ? slope : 0;
    return slope;
}

static double at_least(const dpn_loss_view *view, double nu) {
    record *r = (record *)(uintptr_t)view->other;
    r->at_leasts++;
    return slope_of(r, nu);
}

static bool is_cancelled(void *context) {
    record *r = context;
    return ++r->asked == r->cancel_at;
}

static void points_are_asked_once(void **state) {
    (void)state;
    struct dpn_loss_source source = {.log_delta = log_delta, .above = above, .at_least = at_least};
    for (int way = 0; way < 8; way++) {
        room r, s;
        record asked = {.rate = 0.4, .deep_from = 1e9, .last_epsilon = INFINITY, .falls = true, .kink = 1e9};
        dpn_loss_view view = {.source = &source, .other = &asked};
        dpn_dots upper = dots_of(&r, (dpn_dot_grid){-1, 0.05, POINTS}, NULL, 0),
                 lower = dots_of(&s, upper.grid, NULL, 0);
        dpn_dots_scratch scratch = scratch_of(&r);
        dpn_error why;
        upper.alone = way & 1;
        source.log_upper = way & 2 ? log_upper : NULL;
        source.log_delta_after = way & 4 ? log_delta_after : NULL;
        assert_int_equal(dpn_dots_above(&upper, &view, scratch, &why), DPN_OK);
        bool quick = (way & 3) == 3;
        assert_int_equal(asked.uppers, quick ? POINTS : 0);
        assert_int_equal(asked.deltas, quick ? 0 : POINTS);
        assert_int_equal(asked.after, quick || !(way & 4) ? 0 : POINTS);
        assert_true(asked.falls);
        if (quick) continue;
        /* Where the slope does not jump the one on the right serves both sides, if it is known. */
        int known[3];
        for (int k = 0; k < 3; k++) {
            asked.at_leasts = asked.aboves = 0;
            asked.with_least = k > 0;
            asked.kink = k == 2 ? dpn_dot_grid_value(&upper.grid, 17) : 1e9;
            asked.jump = 0.5;
            assert_int_equal(dpn_dots_above(&upper, &view, scratch, &why), DPN_OK);
            assert_int_equal(dpn_dots_below(&lower, &view, scratch, &why), DPN_OK);
            assert_int_equal(asked.aboves, POINTS);
            known[k] = asked.at_leasts;
        }
        assert_int_equal(known[0], POINTS);
        assert_int_equal(known[1], 2);
        assert_int_equal(known[2], 3);
    }
}

static void waiting_ends_at_any_point(void **state) {
    (void)state;
    struct dpn_loss_source source = {.log_delta = log_delta, .above = above, .at_least = at_least};
    for (int at = 1; at <= 2 * POINTS + 1; at++) {
        room r, s;
        record asked = {.rate = 0.4, .deep_from = 1e9, .cancel_at = at, .kink = 1e9};
        dpn_loss_view view = {.source = &source, .other = &asked};
        dpn_dots upper = dots_of(&r, (dpn_dot_grid){-1, 0.05, POINTS}, NULL, 0),
                 lower = dots_of(&s, upper.grid, NULL, 0);
        dpn_dots_scratch scratch = scratch_of(&r);
        dpn_error why = {0};
        scratch.cancelled = is_cancelled;
        scratch.context = &asked;
        dpn_status status = dpn_dots_above(&upper, &view, scratch, &why);
        assert_int_equal(status, at <= POINTS ? DPN_ECANCELLED : DPN_OK);
        if (!status) status = dpn_dots_below(&lower, &view, scratch, &why);
        assert_int_equal(status, at <= 2 * POINTS ? DPN_ECANCELLED : DPN_OK);
        if (status) assert_string_equal(why.sentence, "the calculation was cancelled");
        assert_int_equal(asked.asked, at <= 2 * POINTS ? at : 2 * POINTS);
    }
}

/* No height falls by more than e^600 from one point to the next: above it is raised, below it is nothing. */
static void deep_falls(void **state) {
    (void)state;
    struct dpn_loss_source source = {.log_delta = log_delta, .above = above, .at_least = at_least};
    static const double deep[] = {500, 599, 601, 5000};
    for (int i = 0; i < 4; i++) {
        room r, s;
        record asked = {.rate = 0.4, .deep = deep[i], .kink = 1e9};
        dpn_loss_view view = {.source = &source, .other = &asked};
        dpn_dots upper = dots_of(&r, (dpn_dot_grid){-1, 0.05, POINTS}, NULL, 0),
                 lower = dots_of(&s, upper.grid, NULL, 0);
        dpn_dots_scratch scratch = scratch_of(&r);
        asked.deep_from = dpn_dot_grid_value(&upper.grid, 20) + 0.01;
        assert_int_equal(dpn_dots_above(&upper, &view, scratch, NULL), DPN_OK);
        double from = height_of(&asked, dpn_dot_grid_value(&upper.grid, 20)),
               to = height_of(&asked, dpn_dot_grid_value(&upper.grid, 21));
        assert_true(fabs(scratch.log_upper[20] - from) < 1e-12);
        assert_true(fabs(scratch.log_upper[21] - fmax(to, from - 600)) < 1e-9);
        assert_int_equal(dpn_dots_below(&lower, &view, scratch, NULL), DPN_OK);
        if (deep[i] > 600)
            assert_true(scratch.log_upper[21] == -INFINITY);
        else
            assert_true(scratch.log_upper[21] == -INFINITY || scratch.log_upper[21] <= to);
    }
}

/* A line that falls as deep: it has no gap, but its lower end is lowered to nothing all the same, and no other. */
static void deep_lines(void **state) {
    (void)state;
    static const double deep[] = {599, 601};
    for (int i = 0; i < 2; i++) {
        room r;
        dpn_dots dots = dots_of(&r, (dpn_dot_grid){0, 0.1, 5}, NULL, 0);
        double log_h[5] = {0, -0.1, -0.1 - deep[i], -0.2 - deep[i], -0.3 - deep[i]}, above[5], at_least[5], log_v[5];
        for (int k = 0; k < 5; k++) /* as the chords have it, less their rounding */
            above[k] =
                k < 4 ? (exp(log_h[k]) - exp(log_h[k + 1])) / (exp(0.1 * (k + 1)) - exp(0.1 * k)) * (1 - 1e-12) : 0;
        for (int k = 0; k < 5; k++) at_least[k] = above[k > 0 ? k - 1 : 0];
        lower_heights(log_v, &dots, log_h, above, at_least, -INFINITY);
        assert_true(log_v[0] <= 0 && log_v[1] <= log_h[1] && log_v[4] == -INFINITY);
        assert_int_equal(log_v[2] == -INFINITY, i);
    }
}

/* In front of the grid the polygon below goes on as the tangent, up to a height of 1; heights lose what the tangent gains over the nudge. */
static void the_start_is_that_of_the_tangent(void **state) {
    (void)state;
    struct dpn_loss_source source = {.log_delta = log_delta, .above = above, .at_least = at_least};
    for (int deep = 0; deep < 2; deep++) {
        room r, s;
        record asked = {.rate = 0.4, .deep_from = 1e9, .kink = 1e9};
        dpn_loss_view view = {.source = &source, .other = &asked};
        dpn_dots upper = dots_of(&r, (dpn_dot_grid){deep ? -1 : 1.5, 0.05, POINTS}, NULL, 0),
                 lower = dots_of(&s, upper.grid, NULL, 0);
        dpn_dots_scratch scratch = scratch_of(&r);
        assert_int_equal(dpn_dots_above(&upper, &view, scratch, NULL), DPN_OK);
        assert_true(upper.log_start == 0);
        assert_int_equal(dpn_dots_below(&lower, &view, scratch, NULL), DPN_OK);
        double x = exp(upper.grid.offset), start = exp(-0.4 * x) * (1 + 0.4 * x);
        assert_true(fabs(lower.log_start - log(start)) < 1e-11);
        assert_true(scratch.log_upper[0] <= scratch.log_lower[0] && scratch.log_upper[0] > scratch.log_lower[0] - 0.01);
        for (size_t j = 0; j < POINTS; j++) {
            double nu = dpn_dot_grid_value(&upper.grid, j), nudge = 1e-13 * (1 + fabs(nu)),
                   gains = 0.4 * exp(nu) * 2 * nudge;
            double lost = height_of(&asked, nu) - scratch.log_lower[j];
            assert_true(lost >= 0.5 * gains - 4e-15 &&
                        lost <= gains * (1 + 1e-6) + 4e-15); /* at least what the tangent gains */
        }
    }
}

/* The chords' slopes lie as far from that of the right side, by the lengths of the cells: more than twice as far on the left is a jump. */
static void jumps_of_the_slope(void **state) {
    (void)state;
    draw_source source = {34};
    for (int trial = 0; trial < 500; trial++) {
        room r;
        size_t node[4] = {0, 1 + (size_t)trial % 7, 9, POINTS - 1};
        dpn_dots dots = dots_of(&r, (dpn_dot_grid){draw_uniform(&source, -2, 2), 0.01, POINTS}, node, 4);
        double log_h[POINTS], x[3], h[3], falls = draw_log_uniform(&source, 0.01, 3);
        for (int k = 0; k < 3; k++) {
            log_h[node[k]] = -falls * (k == 0 ? 0 : k == 1 ? 0.6 : 1) - 0.5;
            x[k] = exp(dpn_dot_grid_value(&dots.grid, node[k]));
            h[k] = exp(log_h[node[k]]);
        }
        double before = (h[0] - h[1]) / (x[1] - x[0]),
               after = (h[1] - h[2]) / (x[2] - x[1]); /* how steeply they fall */
        double back = (double)(node[1] - node[0]), forth = (double)(node[2] - node[1]);
        if (!(before > after)) continue;
        for (int side = 0; side < 2; side++) { /* (before - slope) forth = times (slope - after) back */
            double times = side ? 2.05 : 1.95, slope = (before * forth + times * after * back) / (forth + times * back);
            assert_int_equal(may_jump(&dots, 1, log_h, slope), side);
        }
        assert_true(may_jump(&dots, 0, log_h, 0) && may_jump(&dots, 3, log_h, 0) && may_jump(&dots, 1, log_h, NAN));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_of_lines),
        cmocka_unit_test(hulls_are_below_all_points),
        cmocka_unit_test(gaps_are_the_largest_distance),
        cmocka_unit_test(polygons_through_lowered_heights),
        cmocka_unit_test(points_are_asked_once),
        cmocka_unit_test(waiting_ends_at_any_point),
        cmocka_unit_test(deep_falls),
        cmocka_unit_test(deep_lines),
        cmocka_unit_test(the_start_is_that_of_the_tangent),
        cmocka_unit_test(jumps_of_the_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
