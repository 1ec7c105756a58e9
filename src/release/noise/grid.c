/* The grid of a release, and how far the gridded answers can move.
 *
 * With g the grid and ties going up, an answer that moves by d moves on the grid by a whole number of steps that is less than
 * |d|/g + 1, hence at most ceil(|d|/g), and 0 if d is 0. All below follows from that. */
#include "release/noise/grid.h"

#include "base/dyadic.h"
#include "base/error.h"
#include "release/noise/hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINENESS = 16 }; /* the grid is at most 2^-16 of the least bound */

/* ---- What the caller's set says ---- */

static bool given(double norm) {
    return norm > 0 && !isinf(norm);
}

static bool is_norm(double x) {
    return x >= 0; /* not NaN */
}

static dpn_status check_set(const dpn_sensitivity *set, dpn_error *why) {
    if (!set || set->dimension == 0) return dpn_fail(why, DPN_EDOMAIN, "there is no answer to release");
    if (set->dimension > SIZE_MAX / 64) return dpn_fail(why, DPN_EDOMAIN, "%zu answers are too many", set->dimension);
    if (!is_norm(set->l1) || !is_norm(set->l2) || !is_norm(set->linf))
        return dpn_fail(why, DPN_EDOMAIN, "the bounds l1, l2 and linf must not be negative");
    if ((set->vertices > 0) != (set->vertex != NULL) || set->vertices > SIZE_MAX / 64 / set->dimension)
        return dpn_fail(why, DPN_EDOMAIN, "the vertices of the sensitivity set are missing, or too many");
    for (size_t i = 0; i < set->vertices * set->dimension; i++)
        if (!isfinite(set->vertex[i])) return dpn_fail(why, DPN_EDOMAIN, "vertices must be finite");
    for (size_t i = 0; set->bound && i < set->dimension; i++)
        if (!is_norm(set->bound[i]))
            return dpn_fail(why, DPN_EDOMAIN, "the sensitivity of answer %zu must not be negative", i + 1);
    return DPN_OK;
}

/* How many answers can move at once. */
static size_t movers(const dpn_sensitivity *set) {
    size_t count = set->dimension;
    for (size_t i = 0; set->bound && i < set->dimension; i++) count -= set->bound[i] == 0;
    return set->max_changed > 0 && set->max_changed < count ? set->max_changed : count;
}

/* How far a coordinate can move by its own bound and linf; 0 if it cannot, infinity if neither is set. */
static double reach(const dpn_sensitivity *set, size_t i) {
    double reach = set->bound ? set->bound[i] : INFINITY;
    return given(set->linf) ? fmin(reach, set->linf) : reach;
}

static bool is_box(const dpn_sensitivity *set) {
    return !given(set->l1) && !given(set->l2) && set->vertices == 0;
}

/* ---- Choosing ---- */

/* The largest power of two at most size/2^FINENESS. */
static int exponent_for(double size) {
    return ilogb(size) - FINENESS;
}

/* The least of all that bounds the answers, per coordinate. */
static double least_size(const dpn_sensitivity *set, double hull) {
    double least = hull > 0 ? 1 / hull : INFINITY, count = (double)movers(set);
    for (size_t i = 0; i < set->dimension; i++)
        if (reach(set, i) > 0) least = fmin(least, reach(set, i));
    if (given(set->l1)) least = fmin(least, set->l1 / count);
    if (given(set->l2)) least = fmin(least, set->l2 / sqrt(count));
    return least;
}

static dpn_status check_exponent(int exponent, dpn_error *why) {
    if (exponent >= DPN_DYADIC_LEAST && exponent <= DPN_DYADIC_MOST) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN, "a grid of step 2^%d is outside 2^%d to 2^%d: release in another unit", exponent,
                    DPN_DYADIC_LEAST, DPN_DYADIC_MOST);
}

/* One grid for all, or in a box one for each answer. */
static dpn_status choose(dpn_grid *out, const dpn_release_options *options, bool integer, double hull, dpn_error *why) {
    const dpn_sensitivity *set = options->set;
    for (size_t i = 0; options->grid_exponents && i < set->dimension; i++) {
        dpn_status status = check_exponent(out->exponent[i] = options->grid_exponents[i], why);
        if (status) return status;
    }
    if (options->grid_exponents) return DPN_OK;
    bool on_integers = options->whole || integer, chosen = !on_integers && !options->has_grid && movers(set) > 0;
    int finest = options->has_grid ? options->grid_exponent : on_integers ? 0 : -FINENESS;
    if (chosen) {
        double least = least_size(set, hull);
        if (isinf(least)) return dpn_fail(why, DPN_EDOMAIN, "the sensitivity set is unbounded");
        finest = exponent_for(least);
    }
    for (size_t i = 0; i < set->dimension; i++) {
        double size = reach(set, i);
        bool own = chosen && is_box(set) && size > 0;
        if (own && isinf(size)) return dpn_fail(why, DPN_EDOMAIN, "answer %zu can move without bound", i + 1);
        out->exponent[i] = own ? exponent_for(size) : finest;
        dpn_status status = check_exponent(out->exponent[i], why);
        if (status) return status;
    }
    return DPN_OK;
}

/* ---- The set of the gridded answers ---- */

/* a + b for a, b >= 0, rounded up. */
static double add_up(double a, double b) {
    double large = fmax(a, b), small = fmin(a, b), sum = large + small;
    return sum - large < small ? nextafter(sum, INFINITY) : sum;
}

/* size in steps of 2^exponent, rounded up to a whole number: scaling by a power of two is exact within the range of grids,
 * and where it is not, the result is 0 or beyond all bounds and refused as such. */
static double steps_up(double size, int exponent) {
    double steps = ceil(ldexp(size, -exponent));
    return size > 0 && steps == 0 ? 1 : steps;
}

static double round_up(double size, int exponent) {
    return ldexp(steps_up(size, exponent), exponent);
}

static void grow(dpn_grid *out, const dpn_sensitivity *set) {
    double count = (double)movers(set);
    int exponent = out->exponent[0]; /* of all, unless the set is a box */
    if (set->bound)
        for (size_t i = 0; i < set->dimension; i++) {
            double size = is_box(set) ? reach(set, i) : set->bound[i];
            out->bound[i] = isinf(size) ? size : round_up(size, out->exponent[i]);
        }
    if (given(set->linf)) out->set.linf = set->bound && is_box(set) ? 0 : round_up(set->linf, exponent);
    if (given(set->l1) && count > 0) /* fewer than l1/g + m steps in all */
        out->set.l1 = ldexp(add_up(steps_up(set->l1, exponent), count - 1), exponent);
    if (given(set->l2)) /* the triangle inequality */
        out->set.l2 = add_up(set->l2, ldexp(nextafter(sqrt(count), INFINITY), exponent));
}

/* The hull, larger by a factor f that exceeds 1 + g hull by what the rounding of the products takes: it moves a vertex by at most
 * 2^-53 f max|v_i| in each coordinate, hence by at most 2^-53 f max|v_i| hull in the norm of the hull. False if that is too
 * much to be of use. */
static bool grow_hull(dpn_grid *out, const dpn_sensitivity *set, double hull) {
    double largest = 0;
    for (size_t i = 0; i < set->vertices * set->dimension; i++) largest = fmax(largest, fabs(set->vertex[i]));
    double rounding = 0x1p-50 * largest * hull + 1e-15, factor = (1 + ldexp(hull, out->exponent[0])) * (1 + rounding);
    if (!(rounding < 1e-6 && isfinite(factor * largest))) return false;
    for (size_t i = 0; i < set->vertices * set->dimension; i++) out->vertex[i] = set->vertex[i] * factor;
    return true;
}

static double *copy(const double *from, size_t count) {
    double *to = malloc(count * sizeof *to);
    if (to) memcpy(to, from, count * sizeof *to);
    return to;
}

/* Answers that are whole numbers of steps, each of its own grid, and so are the bounds of their moves. They are not rounded: what else bounds
 * their moves together, in their own unit, stays as it is. */
static dpn_status check_steps(const dpn_release_options *options, bool integer, dpn_error *why) {
    const dpn_sensitivity *set = options->set;
    if (!options->whole || !set->bound || given(set->linf) || options->has_grid)
        return dpn_fail(why, DPN_EDOMAIN, "grids of their own are for whole answers with bounds of each");
    for (size_t i = 0; i < set->dimension; i++) {
        int exponent = options->grid_exponents[i];
        if (integer && exponent != 0)
            return dpn_fail(why, DPN_EUNSUPPORTED, "noise on the integers is for answers on the grid 1");
        if (round_up(set->bound[i], exponent) != set->bound[i])
            return dpn_fail(why, DPN_EDOMAIN, "the sensitivity of answer %zu is not a whole number of its steps",
                            i + 1);
    }
    return DPN_OK;
}

dpn_status dpn_grid_make(dpn_grid *out, const dpn_release_options *options, bool integer, dpn_error *why) {
    const dpn_sensitivity *set = options->set;
    *out = (dpn_grid){0};
    dpn_status status = check_set(set, why);
    if (!status && options->grid_exponents) status = check_steps(options, integer, why);
    if (status) return status;
    if (options->has_grid && (options->whole || integer) && options->grid_exponent != 0)
        return dpn_fail(why, DPN_EDOMAIN, "the grid of %s is 1", integer ? "noise on the integers" : "whole answers");
    out->exponent = malloc(set->dimension * sizeof *out->exponent);
    out->bound = set->bound ? copy(set->bound, set->dimension) : NULL;
    out->vertex = set->vertices ? copy(set->vertex, set->vertices * set->dimension) : NULL;
    if (!out->exponent || (set->bound && !out->bound) || (set->vertices && !out->vertex))
        return dpn_fail(why, DPN_ENOMEM, "no memory for the grid");
    out->set = *set;
    out->set.bound = out->bound;
    out->set.vertex = out->vertex;
    double hull = 0;
    if (set->vertices > 0 && !options->whole) {
        hull = dpn_hull_norm_upper(set->vertex, set->vertices, set->dimension);
        if (hull < 0) return dpn_fail(why, DPN_ENOMEM, "no memory for the vertices");
        if (isinf(hull) || integer)
            return dpn_fail(why, DPN_EUNSUPPORTED,
                            "rounding moves answers out of %s: declare whole answers, or use other bounds",
                            integer ? "the hull of vertices" : "a hull that is flat");
    }
    status = choose(out, options, integer, hull, why);
    if (status || options->whole) return status; /* whole answers lie on the grid and are not rounded */
    grow(out, set);
    if (hull > 0 && !grow_hull(out, set, hull))
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "the grid is too coarse, or the vertices are too different, to be released");
    return DPN_OK;
}

void dpn_grid_free(dpn_grid *grid) {
    free(grid->exponent);
    free(grid->bound);
    free(grid->vertex);
    *grid = (dpn_grid){0};
}
