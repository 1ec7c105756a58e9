/* The norms of a sensitivity set: what bounds that rest on norms know of it. */
#include "privacy/sensitivity/norms.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A bound that is not set is 0 to the caller. */
static double or_unbounded(double x) {
    return x == 0 ? INFINITY : x;
}

static double cap_of(const dpn_sensitivity *set) {
    return fmin(fmin(or_unbounded(set->l1), or_unbounded(set->l2)), or_unbounded(set->linf));
}

double dpn_coordinate_bound(const dpn_sensitivity *set, size_t i) {
    double bound = fmin(cap_of(set), set->bound ? set->bound[i] : INFINITY), reach = 0;
    for (size_t v = 0; v < set->vertices; v++) reach = fmax(reach, fabs(set->vertex[v * set->dimension + i]));
    return set->vertices ? fmin(bound, reach) : bound;
}

/* More than the roundings of a sum of n terms and its root. */
static double up(double x, double n) {
    return x * (1 + (n + 8) * DBL_EPSILON);
}

static int larger_first(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* The norms of the corner of the `most` largest bounds. */
static dpn_status corner_of(dpn_norms *out, const dpn_sensitivity *set, size_t most, dpn_error *why) {
    size_t dimension = set->dimension;
    double *bound = calloc(dimension, sizeof *bound), square = 0;
    if (!bound) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", dimension);
    for (size_t i = 0; i < dimension; i++) bound[i] = dpn_coordinate_bound(set, i);
    qsort(bound, dimension, sizeof *bound, larger_first);
    *out = (dpn_norms){.linf = bound[0]};
    for (size_t i = 0; i < most && bound[i] > 0; i++) {
        double share = bound[i] / bound[0]; /* squares of the bounds could overflow */
        out->changed++;
        out->l1 += bound[i];
        square += share * share;
    }
    out->l2 = out->linf * sqrt(square);
    free(bound);
    return DPN_OK;
}

/* The largest l1 and l2 norms of the vertices. */
static void vertex_norms(double *l1, double *l2, const dpn_sensitivity *set) {
    *l1 = *l2 = 0;
    for (size_t v = 0; v < set->vertices; v++) {
        double sum = 0, norm = 0;
        for (size_t i = 0; i < set->dimension; i++) {
            double x = fabs(set->vertex[v * set->dimension + i]);
            sum += x;
            norm = hypot(norm, x);
        }
        *l1 = fmax(*l1, sum);
        *l2 = fmax(*l2, norm);
    }
}

dpn_status dpn_norms_of(dpn_norms *out, const dpn_sensitivity *set, dpn_error *why) {
    size_t most = set->max_changed && set->max_changed < set->dimension ? set->max_changed : set->dimension;
    double cap = cap_of(set), n = (double)most, l1 = or_unbounded(set->l1), l2 = or_unbounded(set->l2);
    dpn_norms norms = {.changed = n, .linf = cap, .l1 = n * cap, .l2 = sqrt(n) * cap};
    dpn_status status = set->bound || set->vertices ? corner_of(&norms, set, most, why) : DPN_OK;
    if (status) return status;
    if (!isfinite(norms.linf))
        return dpn_fail(why, DPN_EDOMAIN, "the sensitivity is unbounded: give sensitivities, l1, l2, linf or vertices");
    norms.corner = !set->vertices && norms.l1 <= l1 && norms.l2 <= l2;
    norms.l1 = fmin(up(norms.l1, n), l1);
    norms.l2 = fmin(up(norms.l2, n), l2);
    if (set->vertices) {
        double sum, norm, terms = 4 * (double)set->dimension;
        vertex_norms(&sum, &norm, set);
        norms.l1 = fmin(norms.l1, up(sum, terms));
        norms.l2 = fmin(norms.l2, up(norm, terms));
    }
    norms.l1 = fmin(norms.l1, up(sqrt(norms.changed) * norms.l2, 0));
    norms.l2 = fmin(norms.l2, up(sqrt(norms.linf) * sqrt(norms.l1), 0));
    *out = norms;
    return DPN_OK;
}

bool dpn_set_is_box(const dpn_sensitivity *set, const dpn_norms *norms) {
    return norms->corner && (!set->max_changed || set->max_changed >= set->dimension);
}
