/* How far one row moves all cells together. docs/proofs/learn/fit.md, F11 */
#include "learn/reach.h"

#include <math.h>

/* Larger than all that rounding takes: sums of at most some 10^6 products of a few factors, relative to their result. */
#define ROUNDED_UP (1 + 5e-12)

/* ---- What rows can be ---- */

dpn_row_shape dpn_row_shape_of(const dpn_fit *fit) {
    dpn_row_shape shape = {.intercept = !fit->options.no_intercept};
    for (size_t j = 0; j < fit->features; j++) {
        const dpn_variable *one = &fit->variable[j], *next = j + 1 < fit->features ? one + 1 : NULL;
        if (!one->is_level) {
            shape.numbers++;
            continue;
        }
        bool first = j == 0 || !one[-1].is_level || one[-1].grouping != one->grouping;
        bool more = next && next->is_level && next->grouping == one->grouping;
        if (first && one->level == 0) {
            shape.full = true;
            shape.full_many = more;
        } else if (first) {
            shape.groups++;
            shape.many += more;
        }
    }
    return shape;
}

/* Two rows, as their groups are: in `same` groups both have the same indicator, in `one` the first row has an indicator that the second has
 * not, in `other` the second one that the first has not. A group may count in the last two. */
typedef struct levels {
    double same, one, other;
} levels;

/* ---- One case: which groups differ, and whether the target changes its sign ---- */

typedef struct two_rows {
    double numbers, weight; /* weight: how many cells have a number alone as what differs */
    levels in;
    double sign; /* of the second target, the first being 1 */
} two_rows;

/* What the cells without numbers move by, each by 2: indicators themselves, and pairs of them. */
static double changed_indicators(const levels *in) {
    double pairs = in->one * (in->one + 2 * in->same - 1) + in->other * (in->other + 2 * in->same - 1);
    return in->one + in->other + pairs / 2;
}

/* ---- The l1 norm ---- */

/* The first row has ones, the second t_j. With `up` of them at u and the others at v, and |t| replaced by t or -t: a lower
 * bound of the norm, which is the norm itself where u >= 0 >= v. */
static double l1_at(const two_rows *at, double up, double u, double v) {
    double down = at->numbers - up, sum = up * u + down * v, squares = up * u * u + down * v * v, p = at->numbers;
    double alone = at->weight * (p - sum) + p * at->in.one + at->in.other * (up * u - down * v);
    double pairs = p * (p - 1) / 2 - (sum * sum - squares) / 2;
    double target = p - at->sign * sum + at->weight * (1 - at->sign) + at->in.one + at->in.other;
    return alone + 2 * (p - squares) + pairs + target + 2 * changed_indicators(&at->in);
}

static double within(double x) {
    return fmin(fmax(x, -1), 1);
}

/* The largest of a concave function of (u, v) on a square: where its gradient is 0, or on an edge. */
static double l1_largest(const two_rows *at, double up) {
    double down = at->numbers - up, slope = at->weight + at->sign;
    double of_u = slope - at->in.other, of_v = slope + at->in.other;
    double sum = -(up * of_u + down * of_v) / (3 + at->numbers);
    double best = l1_at(at, up, within((-of_u - sum) / 3), within((-of_v - sum) / 3));
    for (int end = -1; end <= 1; end += 2) {
        best = fmax(best, l1_at(at, up, end, within((-of_v - up * end) / (3 + down))));
        best = fmax(best, l1_at(at, up, within((-of_u - down * end) / (3 + up)), end));
    }
    return best;
}

static double l1_of(const two_rows *at) {
    double best = 0;
    for (double up = 0; up <= at->numbers; up++) best = fmax(best, l1_largest(at, up));
    return best;
}

/* ---- The l2 norm ---- */

/* The second row has `plus` ones, `minus` times -1, and t for the rest. */
typedef struct quartic {
    double minus_t, plus_t, square, both, constant; /* of (1 - t)^2, (1 + t)^2, t^2, (1 - t^2)^2 and 1 */
} quartic;

static quartic square_norm(const two_rows *at, double plus, double minus) {
    double rest = at->numbers - plus - minus, kept = at->sign > 0;
    quartic q = {.minus_t = rest * (at->weight + plus + kept),
                 .plus_t = rest * (minus + 1 - kept),
                 .square = rest * at->in.other,
                 .both = rest * (4 + (rest - 1) / 2)};
    q.constant = at->numbers * at->in.one + (plus + minus) * at->in.other + 4 * minus * (at->weight + plus + kept) +
                 4 * plus * (1 - kept) + 4 * at->weight * (1 - kept) + at->in.one + at->in.other +
                 4 * changed_indicators(&at->in);
    return q;
}

static double quartic_at(const quartic *q, double t) {
    double both = 1 - t * t;
    return q->minus_t * (1 - t) * (1 - t) + q->plus_t * (1 + t) * (1 + t) + q->square * t * t + q->both * both * both +
           q->constant;
}

/* Where it is largest within (-1, 1), if that is no end: the middle root of its derivative 4 both t^3 - 2 slope t + 2 (plus_t - minus_t), to which Newton's
 * method from 0, the inflection, moves from one side. Every other t is as good a lower bound. */
static double middle_root(const quartic *q) {
    double slope = 2 * q->both - q->minus_t - q->plus_t - q->square, shift = q->minus_t - q->plus_t, t = 0;
    if (!(slope > 0)) return 0;
    for (int i = 0; i < 60; i++) {
        double step = (2 * q->both * t * t * t - slope * t - shift) / (6 * q->both * t * t - slope);
        if (!(fabs(step) > 1e-17)) break;
        t = within(t - step);
    }
    return t;
}

static double square_of(const two_rows *at) {
    double best = 0;
    for (double plus = 0; plus <= at->numbers; plus++)
        for (double minus = 0; plus + minus <= at->numbers; minus++) {
            quartic q = square_norm(at, plus, minus);
            best = fmax(best, quartic_at(&q, middle_root(&q)));
        }
    return best;
}

/* ---- All cases ---- */

static void try_rows(dpn_row_reach *best, const dpn_row_shape *shape, levels in) {
    for (int sign = -1; sign <= 1; sign += 2) {
        two_rows at = {.numbers = (double)shape->numbers, .in = in, .weight = shape->intercept + in.same, .sign = sign};
        best->l1 = fmax(best->l1, l1_of(&at));
        best->square = fmax(best->square, square_of(&at));
    }
}

static void try_groups(dpn_row_reach *best, const dpn_row_shape *shape, levels full) {
    size_t groups = shape->groups;
    for (size_t one = 0; one <= groups; one++)
        for (size_t other = 0; other <= one; other++) {
            size_t both = other < shape->many ? other : shape->many;
            for (size_t same = 0; same + one + other - both <= groups; same++)
                try_rows(best, shape,
                         (levels){full.same + (double)same, full.one + (double)one, full.other + (double)other});
        }
}

dpn_row_reach dpn_row_reach_replaced(const dpn_row_shape *shape) {
    double groups = (double)shape->groups + 1, numbers = (double)shape->numbers + 1;
    dpn_row_reach best = {0};
    if (groups * groups * groups * numbers * numbers > 5e6) return (dpn_row_reach){INFINITY, INFINITY};
    try_groups(&best, shape, (levels){.same = shape->full});
    if (shape->full_many) try_groups(&best, shape, (levels){.one = 1, .other = 1});
    best.l1 *= ROUNDED_UP;
    best.square *= ROUNDED_UP;
    return best;
}

/* A row that comes or goes: every cell moves by 1 at most, and all of them at once but for products of numbers with indicators, which move where the
 * indicator is 1. */
static double added(const dpn_cells *cells, const dpn_fit *fit, const dpn_row_shape *shape) {
    double count = (double)((shape->groups + shape->full) * (shape->numbers + 1));
    for (size_t k = 0; k < cells->count; k++) {
        bool one = dpn_is_indicator(fit, cells->cell[k].i), other = dpn_is_indicator(fit, cells->cell[k].j);
        count += cells->bound[k] > 0 && (cells->cell[k].doubled || one == other);
    }
    return count;
}

dpn_row_reach dpn_cells_reach(const dpn_cells *cells, const dpn_fit *fit) {
    dpn_row_shape shape = dpn_row_shape_of(fit);
    double one = added(cells, fit, &shape);
    if (fit->relation != DPN_REPLACE) return (dpn_row_reach){one, one};
    dpn_row_reach two = dpn_row_reach_replaced(&shape);
    if (cells->bound[0] == 0) return two;
    return (dpn_row_reach){fmax(one, two.l1), fmax(one, two.square)}; /* a row that is left out may take its place */
}
