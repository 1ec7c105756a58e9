/* The neighbouring inputs of an audit. */
#include "audit/neighbours.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is left of the bounds while a move is made. Only sets that have the same grid everywhere have norms besides bounds:
 * they are counted in its steps. */
typedef struct allowance {
    double l1, l2_squared;
    size_t changed;
} allowance;

static double or_unbounded(double x) {
    return x > 0 ? x : INFINITY;
}

static allowance whole_allowance(const dpn_sensitivity *set, int exponent) {
    double l2 = ldexp(or_unbounded(set->l2), -exponent);
    return (allowance){floor(ldexp(or_unbounded(set->l1), -exponent)), l2 * l2,
                       set->max_changed && set->max_changed < set->dimension ? set->max_changed : set->dimension};
}

/* The steps that a coordinate may move by its own bound and linf. */
static double reach(const dpn_sensitivity *set, const int *exponent, size_t i) {
    double bound = set->bound ? set->bound[i] : INFINITY;
    return floor(ldexp(fmin(bound, or_unbounded(set->linf)), -exponent[i]));
}

static double affordable(const allowance *rest, double wanted) {
    if (rest->changed == 0) return 0;
    double steps = fmin(fmin(wanted, rest->l1), floor(sqrt(rest->l2_squared)));
    while (steps > 0 && steps * steps > rest->l2_squared) steps--;
    return steps;
}

static void spend(allowance *rest, double steps) {
    rest->l1 -= steps;
    rest->l2_squared -= steps * steps;
    rest->changed--;
}

/* Coordinates by their reach in the data's unit, the largest first. */
static void sort(size_t *order, const dpn_sensitivity *set, const int *exponent) {
    for (size_t i = 0; i < set->dimension; i++) {
        double size = ldexp(reach(set, exponent, i), exponent[i]);
        size_t at = i;
        for (; at > 0 && ldexp(reach(set, exponent, order[at - 1]), exponent[order[at - 1]]) < size; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* The coordinates in their order, each as far as `most` steps and the set allow. */
static void walk(double *move, const dpn_sensitivity *set, const int *exponent, const size_t *order, size_t coordinates,
                 double most) {
    allowance rest = whole_allowance(set, exponent[0]);
    for (size_t i = 0; i < set->dimension; i++) move[i] = 0;
    for (size_t i = 0; i < coordinates; i++) {
        double steps = affordable(&rest, fmin(most, reach(set, exponent, order[i])));
        if (steps > 0) spend(&rest, steps);
        move[order[i]] = steps;
    }
}

/* An equal share for each of the coordinates that may move at once. */
static double even_share(const dpn_sensitivity *set, const int *exponent) {
    allowance all = whole_allowance(set, exponent[0]);
    double count = (double)all.changed;
    return fmax(1, fmin(floor(all.l1 / count), floor(sqrt(all.l2_squared / count))));
}

static bool seen_before(const dpn_neighbours *neighbours, const int64_t *move) {
    for (size_t i = 0; i < neighbours->count; i++)
        if (memcmp(neighbours->move[i], move, neighbours->dimension * sizeof *move) == 0) return true;
    return false;
}

/* Take a move, unless it is zero or known. */
static dpn_status take(dpn_neighbours *out, const double *move, dpn_error *why) {
    static const double most = 0x1p60;
    int64_t *steps = malloc(out->dimension * sizeof *steps);
    if (!steps) return dpn_fail(why, DPN_ENOMEM, "no memory for the neighbouring inputs");
    size_t first = 0;
    for (size_t i = 0; i < out->dimension; i++) {
        if (fabs(move[i]) > most) {
            free(steps);
            if (isinf(move[i])) return dpn_fail(why, DPN_EDOMAIN, "answer %zu can move without bound", i + 1);
            return dpn_fail(why, DPN_EDOMAIN, "answer %zu moves by more than 2^60 steps of the grid", i + 1);
        }
        steps[i] = (int64_t)move[i];
        if (llabs(steps[i]) > llabs(steps[first])) first = i;
    }
    if (steps[first] == 0 || seen_before(out, steps)) {
        free(steps);
        return DPN_OK;
    }
    out->move[out->count] = steps;
    out->first[out->count++] = first;
    return DPN_OK;
}

/* The row of the vertices with the largest l1 norm. */
static dpn_status take_vertex(dpn_neighbours *out, double *move, const dpn_sensitivity *set, const int *exponent,
                              dpn_error *why) {
    double largest = -1;
    if (set->bound || set->max_changed || set->l1 > 0 || set->l2 > 0 || set->linf > 0)
        return dpn_fail(why, DPN_EUNSUPPORTED, "vertices are audited without other bounds");
    for (size_t v = 0; v < set->vertices; v++) {
        const double *row = set->vertex + v * set->dimension;
        double norm = 0;
        for (size_t i = 0; i < set->dimension; i++) norm += fabs(row[i]);
        if (norm <= largest) continue;
        largest = norm;
        for (size_t i = 0; i < set->dimension; i++) {
            move[i] = ldexp(row[i], -exponent[i]);
            if (move[i] != floor(move[i]))
                return dpn_fail(why, DPN_EUNSUPPORTED, "vertices are audited if they lie on the grid (2^%d)",
                                exponent[i]);
        }
    }
    return take(out, move, why);
}

static dpn_status take_all(dpn_neighbours *out, double *move, size_t *order, const dpn_sensitivity *set,
                           const int *exponent, dpn_error *why) {
    if (set->vertices) return take_vertex(out, move, set, exponent, why);
    sort(order, set, exponent);
    walk(move, set, exponent, order, set->dimension, INFINITY);
    dpn_status status = take(out, move, why);
    bool moves = out->count > 0;
    size_t first = out->first[0];
    if (!status && moves) {
        move[first]--;
        status = take(out, move, why);
    }
    if (!status) {
        walk(move, set, exponent, order, 1, INFINITY);
        status = take(out, move, why);
    }
    if (!status) {
        walk(move, set, exponent, order, set->dimension, even_share(set, exponent));
        status = take(out, move, why);
    }
    return status;
}

dpn_status dpn_neighbours_make(dpn_neighbours *out, const dpn_sensitivity *set, const int *exponent, dpn_error *why) {
    *out = (dpn_neighbours){.dimension = set->dimension};
    double *move = malloc(set->dimension * sizeof *move);
    size_t *order = malloc(set->dimension * sizeof *order);
    dpn_status status = DPN_ENOMEM;
    if (move && order)
        status = take_all(out, move, order, set, exponent, why);
    else
        dpn_fail(why, DPN_ENOMEM, "no memory for the neighbouring inputs");
    free(move);
    free(order);
    if (!status && out->count == 0)
        status = dpn_fail(why, DPN_EDOMAIN, "no answer moves by a step of the grid: there is nothing to audit");
    return status;
}

void dpn_neighbours_free(dpn_neighbours *neighbours) {
    for (size_t i = 0; i < neighbours->count; i++) free(neighbours->move[i]);
    *neighbours = (dpn_neighbours){0};
}
