/* The moves of a sensitivity set that decide its profile. */
#include "privacy/sensitivity/moves.h"

#include "base/error.h"
#include "law/facts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 4096, MOST_GROUPS = 64 };

/* Coordinates with the same law and the same bound. */
typedef struct group {
    const dpn_law *law;
    double bound;
    uint64_t count;
} group;

/* The set without what is not set: all bounds are numbers, +inf where there is none. */
typedef struct set_limits {
    double l1, l2;
    uint64_t changed;
} set_limits;

static double or_unbounded(double x) {
    return x == 0 ? INFINITY : x;
}

/* ---- building lists ---- */

dpn_status dpn_moves_begin(dpn_moves *moves, dpn_move_role role, dpn_error *why) {
    if (moves->moves == moves->move_room) {
        size_t room = 2 * moves->move_room + 8;
        dpn_move *larger = realloc(moves->move, room * sizeof *larger);
        if (!larger) return dpn_fail(why, DPN_ENOMEM, "no memory for the moves of the sensitivity set");
        moves->move = larger;
        moves->move_room = room;
    }
    moves->move[moves->moves++] = (dpn_move){role, moves->parts, 0};
    return DPN_OK;
}

dpn_status dpn_moves_add(dpn_moves *moves, const dpn_loss *loss, uint64_t times, dpn_error *why) {
    if (moves->parts == moves->part_room) {
        size_t room = 2 * moves->part_room + 16;
        dpn_part *larger = realloc(moves->part, room * sizeof *larger);
        if (!larger) return dpn_fail(why, DPN_ENOMEM, "no memory for the moves of the sensitivity set");
        moves->part = larger;
        moves->part_room = room;
    }
    moves->part[moves->parts++] = (dpn_part){*loss, times};
    moves->move[moves->moves - 1].count++;
    return DPN_OK;
}

static dpn_status add_part(dpn_moves *moves, const dpn_law *law, double shift, uint64_t times, dpn_error *why) {
    if (dpn_law_is_integer(law)) shift = floor(shift);
    if (shift == 0 || times == 0) return DPN_OK;
    dpn_loss loss;
    dpn_status status = dpn_loss_law(&loss, law, shift, why);
    return status ? status : dpn_moves_add(moves, &loss, times, why);
}

dpn_status dpn_moves_keep(dpn_moves *moves, double *numbers, dpn_error *why) {
    double **kept = realloc(moves->kept, (moves->keeps + 1) * sizeof *kept);
    if (!kept) {
        free(numbers);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the losses");
    }
    moves->kept = kept;
    moves->kept[moves->keeps++] = numbers;
    return DPN_OK;
}

void dpn_moves_free(dpn_moves *moves) {
    for (size_t i = 0; i < moves->keeps; i++) free(moves->kept[i]);
    free(moves->kept);
    free(moves->move);
    free(moves->part);
    *moves = (dpn_moves){0};
}

dpn_status dpn_moves_done(dpn_moves *moves, dpn_argument *argument, dpn_status status) {
    if (!status && argument) *argument = moves->argument;
    dpn_moves_free(moves);
    return status;
}

static dpn_status one_part_move(dpn_moves *moves, dpn_move_role role, const dpn_law *law, double shift, uint64_t times,
                                dpn_error *why) {
    dpn_status status = dpn_moves_begin(moves, role, why);
    return status ? status : add_part(moves, law, shift, times, why);
}

/* ---- the coordinates in groups ---- */

typedef struct coordinate {
    const dpn_law *law;
    double bound;
} coordinate;

/* Larger bounds first, then by law. */
static int compare_coordinates(const void *x, const void *y) {
    const coordinate *a = x, *b = y;
    if (a->bound != b->bound) return a->bound < b->bound ? 1 : -1;
    return memcmp(a->law, b->law, sizeof *a->law);
}

static dpn_status make_groups(group *groups, size_t *count, const dpn_law *law, size_t laws, const dpn_sensitivity *set,
                              const double *bound, double cap, dpn_error *why) {
    size_t dimension = set->dimension;
    *count = 0;
    if (!bound && laws == 1) {
        double whole = dpn_law_is_integer(law) ? floor(cap) : cap;
        if (whole > 0) groups[(*count)++] = (group){law, whole, dimension};
        return DPN_OK;
    }
    coordinate *all = malloc(dimension * sizeof *all);
    if (!all) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", dimension);
    for (size_t i = 0; i < dimension; i++) {
        all[i].law = laws == 1 ? law : &law[i];
        all[i].bound = bound ? fmin(bound[i], cap) : cap;
        if (dpn_law_is_integer(all[i].law)) all[i].bound = floor(all[i].bound);
    }
    qsort(all, dimension, sizeof *all, compare_coordinates);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < dimension && all[i].bound > 0; i++) {
        if (i > 0 && compare_coordinates(&all[i], &all[i - 1]) == 0) {
            groups[*count - 1].count++;
        } else if (*count == MOST_GROUPS) {
            status = dpn_fail(why, DPN_EUNSUPPORTED, "the coordinates have more than %d different laws or bounds",
                              MOST_GROUPS);
            break;
        } else {
            groups[(*count)++] = (group){all[i].law, all[i].bound, 1};
        }
    }
    free(all);
    return status;
}

/* ---- moves of a box in which at most `changed` coordinates move ---- */

/* The first coordinates in the order of the groups, up to `changed`. */
static dpn_status corner(dpn_moves *moves, dpn_move_role role, const group *groups, size_t count, uint64_t changed,
                         dpn_error *why) {
    dpn_status status = dpn_moves_begin(moves, role, why);
    for (size_t i = 0; i < count && changed > 0 && !status; i++) {
        uint64_t taken = groups[i].count < changed ? groups[i].count : changed;
        status = add_part(moves, groups[i].law, groups[i].bound, taken, why);
        changed -= taken;
    }
    return status;
}

static bool one_law(const group *groups, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (memcmp(groups[i].law, groups[0].law, sizeof *groups[i].law) != 0) return false;
    return true;
}

/* The vertices of {|d_i| <= bound_i, sum <= l1, at most changed moves}: some coordinates at their bounds and at most one
 * between. taken[i] of group i are at their bounds; rest is what is left of l1. Dominated choices are listed too: they do
 * no harm. *full becomes true when there are too many. */
typedef struct vertex_walk {
    dpn_moves *moves;
    const group *groups;
    size_t count;
    uint64_t taken[MOST_GROUPS];
    bool full;
    dpn_error *why;
} vertex_walk;

static dpn_status list_vertex(vertex_walk *walk, size_t between, double rest) {
    if (walk->moves->moves >= MOST_MOVES) {
        walk->full = true;
        return DPN_OK;
    }
    dpn_status status = dpn_moves_begin(walk->moves, DPN_MOVE_WORST, walk->why);
    for (size_t i = 0; i < walk->count && !status; i++)
        status = add_part(walk->moves, walk->groups[i].law, walk->groups[i].bound, walk->taken[i], walk->why);
    if (between < walk->count && !status) status = add_part(walk->moves, walk->groups[between].law, rest, 1, walk->why);
    return status;
}

static dpn_status walk_vertices(vertex_walk *walk, size_t at, uint64_t changed, double rest) {
    if (walk->full) return DPN_OK;
    dpn_status status = DPN_OK;
    if (at == walk->count || changed == 0) {
        bool listed = false;
        for (size_t i = 0; i < walk->count && changed > 0 && !status && rest > 0; i++)
            if (walk->taken[i] < walk->groups[i].count && walk->groups[i].bound > rest) {
                status = list_vertex(walk, i, rest);
                listed = true;
            }
        return listed || status ? status : list_vertex(walk, walk->count, 0);
    }
    double bound = walk->groups[at].bound;
    uint64_t most = walk->groups[at].count < changed ? walk->groups[at].count : changed;
    double fits = floor(rest / bound * (1 + 1e-15)); /* rather one too many: that only enlarges the set by an ulp */
    if (fits < (double)most) most = (uint64_t)fits;
    for (uint64_t n = 0; n <= most && !status && !walk->full; n++) {
        walk->taken[at] = n;
        status = walk_vertices(walk, at + 1, changed - n, fmax(0, rest - (double)n * bound));
    }
    walk->taken[at] = 0;
    return status;
}

/* ---- Gaussian noise: only sum (d_i/sigma_i)^2 matters ---- */

static bool all_gaussian(const group *groups, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(dpn_law_gaussian(groups[i].law) > 0)) return false;
    return true;
}

/* The largest l2 norm of a move of equal noise: as much as possible on the largest bounds. Squares are taken in units of the first
 * bound, which is the largest, so that none that matters underflows. */
static double largest_l2(const group *groups, size_t count, set_limits limits) {
    double unit = count > 0 ? groups[0].bound : 1, rest = limits.l1 / unit, square = 0;
    uint64_t changed = limits.changed;
    for (size_t i = 0; i < count && changed > 0 && rest > 0; i++) {
        double bound = groups[i].bound / unit, n = (double)(groups[i].count < changed ? groups[i].count : changed);
        double whole = fmin(n, floor(rest / bound));
        square += whole * bound * bound;
        rest -= whole * bound;
        if (whole < n) { /* the rest of l1 goes to one more coordinate */
            square += rest * rest;
            rest = 0;
        }
        changed -= (uint64_t)n;
    }
    return fmin(sqrt(square) * unit, limits.l2);
}

/* ---- all together ---- */

dpn_status dpn_sensitivity_check(const dpn_law *law, size_t laws, const dpn_sensitivity *set, dpn_error *why) {
    if (set->dimension == 0) return dpn_fail(why, DPN_EDOMAIN, "the dimension must be at least 1");
    if (laws != 1 && laws != set->dimension)
        return dpn_fail(why, DPN_EDOMAIN, "there are %zu laws for %zu coordinates", laws, set->dimension);
    if (!(set->l1 >= 0) || !(set->l2 >= 0) || !(set->linf >= 0))
        return dpn_fail(why, DPN_EDOMAIN, "the bounds l1, l2 and linf must not be negative");
    bool integer = dpn_law_is_integer(&law[0]);
    for (size_t i = 1; i < laws; i++)
        if (dpn_law_is_integer(&law[i]) != integer)
            return dpn_fail(why, DPN_EDOMAIN, "noise on the integers and on the reals cannot share a sensitivity set");
    for (size_t i = 0; set->bound && i < set->dimension; i++)
        if (!(set->bound[i] >= 0)) return dpn_fail(why, DPN_EDOMAIN, "sensitivity %zu must not be negative", i);
    if ((set->vertex == NULL) != (set->vertices == 0))
        return dpn_fail(why, DPN_EDOMAIN, "vertices and their number must be given together");
    for (size_t i = 0; i < set->vertices * set->dimension; i++)
        if (!isfinite(set->vertex[i])) return dpn_fail(why, DPN_EDOMAIN, "the vertices must be finite numbers");
    return DPN_OK;
}

/* The largest |coordinate| of the vertices, for laws to which vertices say no more; NULL without memory. */
static double *box_of_vertices(const dpn_sensitivity *set) {
    double *box = calloc(set->dimension, sizeof *box);
    for (size_t v = 0; box && v < set->vertices; v++)
        for (size_t i = 0; i < set->dimension; i++) box[i] = fmax(box[i], fabs(set->vertex[v * set->dimension + i]));
    return box;
}

static bool log_concave(const dpn_law *law, size_t laws) {
    for (size_t i = 0; i < laws; i++)
        if (!dpn_law_is_log_concave(&law[i])) return false;
    return true;
}

/* Noise on the integers moves by whole steps. A whole move in the hull of rows of 0, 1 and -1 is no larger, coordinate by coordinate, than
 * one of the rows, and a smaller move is dominated; for other rows nothing of the kind is known. */
static bool rows_decide(const dpn_law *law, const dpn_sensitivity *set) {
    if (!dpn_law_is_integer(law)) return true;
    for (size_t i = 0; i < set->vertices * set->dimension; i++)
        if (set->vertex[i] != 0 && fabs(set->vertex[i]) != 1) return false;
    return true;
}

/* The hull of the rows: its vertices decide for log-concave noise (T9). Other bounds, if set, only shrink the set: the hull
 * is then a bound. */
static dpn_status vertex_moves(dpn_moves *moves, const dpn_law *law, size_t laws, const dpn_sensitivity *set,
                               bool alone, dpn_error *why) {
    dpn_status status = DPN_OK;
    moves->argument = alone ? DPN_ARGUMENT_VERTICES : DPN_ARGUMENT_BOUND;
    moves->upper_only = !alone;
    for (size_t v = 0; v < set->vertices && !status; v++) {
        status = dpn_moves_begin(moves, DPN_MOVE_WORST, why);
        for (size_t i = 0; i < set->dimension && !status; i++)
            status = add_part(moves, laws == 1 ? law : &law[i], fabs(set->vertex[v * set->dimension + i]), 1, why);
    }
    return status;
}

static uint64_t coordinates_in(const group *groups, size_t count) {
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) total += groups[i].count;
    return total;
}

/* The l1 norm of the corner that moves the `changed` coordinates of the largest bounds. */
static double corner_l1(const group *groups, size_t count, uint64_t changed) {
    double sum = 0;
    for (size_t i = 0; i < count && changed > 0; i++) {
        uint64_t taken = groups[i].count < changed ? groups[i].count : changed;
        sum += (double)taken * groups[i].bound;
        changed -= taken;
    }
    return sum;
}

/* Whether every listed move changes one coordinate only. */
static bool all_one_hot(const dpn_moves *moves) {
    for (size_t i = 0; i < moves->moves; i++)
        if (moves->move[i].count > 1 || (moves->move[i].count == 1 && moves->part[moves->move[i].first].times > 1))
            return false;
    return true;
}

/* No exact answer is known, or it would need too many vertices: bounds from above by the corner and, for one log-concave law on the reals, by
 * one coordinate that moves by the largest l1 norm (T3); from below by moves of the set. */
static dpn_status bounding_moves(dpn_moves *moves, const group *groups, size_t count, set_limits limits, bool same,
                                 bool concave, dpn_error *why) {
    uint64_t total = coordinates_in(groups, count), movable = total < limits.changed ? total : limits.changed;
    moves->argument = DPN_ARGUMENT_BOUND;
    dpn_status status = corner(moves, DPN_MOVE_ABOVE, groups, count, same ? movable : total, why);
    double reach = fmin(limits.l1, sqrt((double)movable) * limits.l2 * (1 + 1e-13));
    if (same && concave && isfinite(reach) && !dpn_law_is_integer(groups[0].law) && !status)
        status = one_part_move(moves, DPN_MOVE_ABOVE, groups[0].law, reach, 1, why);
    for (size_t i = 0; i < count && !status; i++)
        status = one_part_move(moves, DPN_MOVE_POSSIBLE, groups[i].law, groups[i].bound, 1, why);
    double even = fmin(limits.l1 / (double)movable, limits.l2 / sqrt((double)movable)) * (1 - 1e-13);
    if (same && even <= groups[count - 1].bound && !status)
        status = one_part_move(moves, DPN_MOVE_POSSIBLE, groups[0].law, even, movable, why);
    return status;
}

/* One move of this l2 norm, which is exact or a rounded root of a sum. */
static dpn_status gaussian_moves(dpn_moves *moves, const group *groups, size_t count, double l2, bool exact,
                                 dpn_error *why) {
    if (exact) return one_part_move(moves, DPN_MOVE_WORST, groups[0].law, l2, 1, why);
    double slack = 1e-15 * (double)(count + 4);
    dpn_status status = one_part_move(moves, DPN_MOVE_ABOVE, groups[0].law, l2 * (1 + slack), 1, why);
    return status ? status : one_part_move(moves, DPN_MOVE_POSSIBLE, groups[0].law, l2 * (1 - slack), 1, why);
}

/* All ways to write at most `rest` as a sum of at most `changed` whole numbers up to `bound`, largest first: of noise on the integers
 * every move of an l1 ball in a cube is no larger, coordinate by coordinate, than one of those that use up `rest`. */
static dpn_status walk_partitions(vertex_walk *walk, double *size, size_t sizes, double bound, uint64_t changed,
                                  double rest) {
    if (walk->full) return DPN_OK;
    if (changed == 0 || rest < 1) {
        if (walk->moves->moves >= MOST_MOVES) {
            walk->full = true;
            return DPN_OK;
        }
        dpn_status status = dpn_moves_begin(walk->moves, DPN_MOVE_WORST, walk->why);
        for (size_t i = 0; i < sizes && !status; i++) {
            uint64_t times = 1;
            while (i + 1 < sizes && size[i + 1] == size[i]) times++, i++;
            status = add_part(walk->moves, walk->groups[0].law, size[i], times, walk->why);
        }
        return status;
    }
    if (sizes == MOST_MOVES) {
        walk->full = true;
        return DPN_OK;
    }
    dpn_status status = DPN_OK;
    double most = fmin(bound, rest), least = ceil(rest / (double)changed);
    for (double next = most; next >= fmin(least, most) && next >= 1 && !status && !walk->full; next--) {
        size[sizes] = next;
        status = walk_partitions(walk, size, sizes + 1, next, changed - 1, rest - next);
    }
    return status;
}

static dpn_status list_moves(vertex_walk *walk, set_limits limits) {
    double size[MOST_MOVES];
    const group *first = &walk->groups[0];
    uint64_t changed = limits.changed < first->count ? limits.changed : first->count;
    if (!dpn_law_is_integer(first->law)) return walk_vertices(walk, 0, limits.changed, limits.l1);
    walk->full = walk->count > 1;
    return walk_partitions(walk, size, 0, first->bound, changed, floor(limits.l1));
}

static dpn_status norm_moves(dpn_moves *moves, const group *groups, size_t count, set_limits limits, bool concave,
                             dpn_error *why) {
    moves->argument = DPN_ARGUMENT_CORNER;
    if (count == 0) return dpn_moves_begin(moves, DPN_MOVE_WORST, why); /* nothing can move */
    uint64_t total = coordinates_in(groups, count), movable = total < limits.changed ? total : limits.changed;
    bool same = one_law(groups, count), l1_binds = corner_l1(groups, count, limits.changed) > limits.l1;
    double l2 = largest_l2(groups, count, (set_limits){limits.l1, INFINITY, limits.changed});
    bool l2_binds = l2 > limits.l2 * (1 + 1e-12);
    if (same && all_gaussian(groups, count)) {
        if (l2_binds) moves->argument = DPN_ARGUMENT_L2_GAUSSIAN;
        return gaussian_moves(moves, groups, count, fmin(l2, limits.l2), l2_binds || movable == 1, why);
    }
    bool largest_decide = same || coordinates_in(groups, count) <= limits.changed;
    if (!l1_binds && !l2_binds && largest_decide)
        return corner(moves, DPN_MOVE_WORST, groups, count, limits.changed, why);
    if (!l2_binds && concave) {
        vertex_walk walk = {.moves = moves, .groups = groups, .count = count, .why = why};
        dpn_status status = list_moves(&walk, limits);
        if (status) return status;
        if (!walk.full) {
            moves->argument = all_one_hot(moves) ? DPN_ARGUMENT_ONE_HOT : DPN_ARGUMENT_VERTICES;
            return DPN_OK;
        }
        dpn_moves_free(moves);
    }
    return bounding_moves(moves, groups, count, limits, same, concave, why);
}

dpn_status dpn_moves_make(dpn_moves *moves, const dpn_law *law, size_t laws, const dpn_sensitivity *set,
                          dpn_error *why) {
    *moves = (dpn_moves){0};
    dpn_status status = dpn_sensitivity_check(law, laws, set, why);
    if (status) return status;
    set_limits limits = {or_unbounded(set->l1), or_unbounded(set->l2),
                         set->max_changed && set->max_changed < set->dimension ? set->max_changed : set->dimension};
    if (dpn_law_is_integer(law)) { /* a coordinate that moves moves by 1 at least; none does if l2 < 1 */
        double whole = floor(limits.l2 * limits.l2 * (1 + 1e-12));
        if (whole < (double)limits.changed) limits.changed = (uint64_t)whole;
    }
    double cap = fmin(fmin(limits.l1, limits.l2), or_unbounded(set->linf));
    bool norms = set->bound || isfinite(cap), concave = log_concave(law, laws);
    if (set->vertices && concave && rows_decide(law, set))
        return vertex_moves(moves, law, laws, set, !norms && !set->max_changed, why);
    double *box = set->vertices ? box_of_vertices(set) : NULL;
    if (set->vertices && !box) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", set->dimension);
    for (size_t i = 0; box && set->bound && i < set->dimension; i++) box[i] = fmin(box[i], set->bound[i]);
    group groups[MOST_GROUPS];
    size_t count;
    status = make_groups(groups, &count, law, laws, set, box ? box : set->bound, cap, why);
    free(box);
    if (status) return status;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(groups[i].bound))
            return dpn_fail(why, DPN_EDOMAIN,
                            "the sensitivity is unbounded: give sensitivities, l1, l2, linf or vertices");
    status = norm_moves(moves, groups, count, limits, concave, why);
    if (set->vertices) {
        moves->argument = DPN_ARGUMENT_BOUND;
        moves->upper_only = true;
    }
    return status;
}
