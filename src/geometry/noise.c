/* Exact draws from the mechanism of a ball: blocks that are independent, each by its sampler. */
#include "geometry/ball.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/joint.h"
#include "random/vector.h"

/* The share of the box that lies in the ball is 0.0046 for 12 predictors, about 8e-5 for 20, and soon after below 1e-6.
 * */
enum { DPN_REGRESSION_SAMPLED = 20 };

struct dpn_ball_sampler {
    dpn_vector_sampler **part;
    size_t parts, dimension;
};

void dpn_ball_sampler_free(dpn_ball_sampler *sampler) {
    if (sampler == NULL) return;
    for (size_t i = 0; i < sampler->parts; i++) dpn_vector_sampler_free(sampler->part[i]);
    free(sampler->part);
    free(sampler);
}

/* ---- Hulls ---- */

/* The cumulated determinants, highest limb first, in as many limbs as the last one needs. */
static bool cumulate(dpn_cones *cones, const dpn_hull *hull) {
    dpn_integer total, one;
    dpn_integer_set(&total, 0);
    for (size_t f = 0; f < hull->facets; f++) {
        dpn_hull_offset(hull, &hull->facet[f], &one);
        dpn_integer_add(&total, &total, &one);
    }
    size_t limbs = (size_t)total.length;
    cones->limbs = total.length;
    cones->cumulated = calloc(hull->facets * limbs, sizeof *cones->cumulated);
    if (cones->cumulated == NULL) return false;
    dpn_integer_set(&total, 0);
    for (size_t f = 0; f < hull->facets; f++) {
        dpn_hull_offset(hull, &hull->facet[f], &one);
        dpn_integer_add(&total, &total, &one);
        for (size_t i = 0; i < (size_t)total.length; i++) cones->cumulated[f * limbs + limbs - 1 - i] = total.limb[i];
    }
    return true;
}

dpn_status dpn_hull_vector_sampler(dpn_vector_sampler **out, const dpn_norm_ball *ball, double rate, const int *grid,
                                   dpn_error *why) {
    size_t m = ball->dimension;
    dpn_cones cones = {.cones = ball->hull.facets, .vertices = ball->vertices};
    cones.corner = calloc(cones.cones * m, sizeof *cones.corner);
    cones.vertex = calloc(cones.vertices * m, sizeof *cones.vertex);
    if (!cones.corner || !cones.vertex || !cumulate(&cones, &ball->hull)) {
        free(cones.corner);
        free(cones.vertex);
        free(cones.cumulated);
        return dpn_fail(why, DPN_ENOMEM, "there is no memory for the sampler of a hull");
    }
    memcpy(cones.vertex, ball->vertex, cones.vertices * m * sizeof *cones.vertex);
    for (size_t f = 0; f < cones.cones; f++)
        for (size_t k = 0; k < m; k++) cones.corner[f * m + k] = ball->vertex_of[ball->hull.facet[f].corner[k]];
    return dpn_vector_sampler_cones(out, m, &cones, rate, grid, why);
}

/* ---- K_2 and regression ---- */

/* K_2 ties u2 to u1; regression ties every square to its sum and every product to its two. All half widths are 2. The
 * own coordinates follow the p + 1 sums in their order. */
static size_t list_constraints(dpn_constraint *out, const dpn_norm_ball *ball) {
    uint32_t p = (uint32_t)ball->predictors, sums = p + 1, count = 0;
    if (ball->kind == &dpn_ball_kind_k2) {
        out[0] = (dpn_constraint){.parabola = true, .own = 1, .a = 0};
        return 1;
    }
    for (uint32_t j = 0; j < p; j++, count++)
        out[count] = (dpn_constraint){.parabola = true, .own = sums + count, .a = j};
    for (uint32_t j = 0; j < p; j++)
        for (uint32_t k = j + 1; k < p; k++, count++)
            out[count] = (dpn_constraint){.own = sums + count, .a = j, .b = k};
    for (uint32_t j = 0; j < p; j++, count++) out[count] = (dpn_constraint){.own = sums + count, .a = j, .b = p};
    return count;
}

static dpn_status corner_sampler(dpn_vector_sampler **out, const dpn_norm_ball *ball, double rate, const int *grid,
                                 dpn_error *why) {
    dpn_constraint *constraint = calloc(ball->dimension, sizeof *constraint);
    double *side = calloc(ball->dimension, sizeof *side);
    dpn_status status = constraint && side ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler");
    if (!status) {
        size_t count = list_constraints(constraint, ball);
        ball->kind->half_widths(ball, side);
        status = dpn_vector_sampler_corners(out, ball->dimension, side, constraint, count, rate, grid, why);
    }
    free(constraint);
    free(side);
    return status;
}

/* ---- All balls ---- */

/* A product of boxes is a box. */
static bool is_box(const dpn_norm_ball *ball) {
    if (ball->kind == &dpn_ball_kind_lp) return isinf(ball->p);
    if (ball->kind != &dpn_ball_kind_product) return false;
    for (size_t i = 0; i < ball->parts; i++)
        if (!is_box(ball->part[i])) return false;
    return true;
}

static dpn_status box_sampler(dpn_vector_sampler **out, const dpn_norm_ball *ball, double rate, const int *grid,
                              dpn_error *why) {
    double *side = calloc(ball->dimension, sizeof *side);
    if (side == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for the sampler of a box");
    ball->kind->half_widths(ball, side);
    dpn_status status = dpn_vector_sampler_lp(out, ball->dimension, INFINITY, side, rate, grid, why);
    free(side);
    return status;
}

static dpn_status add(dpn_ball_sampler *sampler, const dpn_norm_ball *ball, double rate, const int *grid,
                      dpn_error *why) {
    if (ball->kind == &dpn_ball_kind_sum) {
        dpn_status status = DPN_OK;
        for (size_t i = 0; i < ball->parts && !status; grid += ball->part[i++]->dimension)
            status = add(sampler, ball->part[i], rate, grid, why);
        return status;
    }
    dpn_vector_sampler **larger = realloc(sampler->part, (sampler->parts + 1) * sizeof *larger), *one;
    if (larger == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler");
    sampler->part = larger;
    dpn_status status;
    if (is_box(ball))
        status = box_sampler(&one, ball, rate, grid, why);
    else if (ball->kind == &dpn_ball_kind_lp)
        status = dpn_vector_sampler_lp(&one, ball->dimension, ball->p, ball->weight, rate, grid, why);
    else if (ball->kind == &dpn_ball_kind_k2)
        status = corner_sampler(&one, ball, rate, grid, why);
    else if (ball->kind == &dpn_ball_kind_regression && ball->predictors <= DPN_REGRESSION_SAMPLED)
        status = corner_sampler(&one, ball, rate, grid, why);
    else if (ball->kind == &dpn_ball_kind_regression)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "for more than %d predictors too few points of the box lie in the ball; take linf",
                        DPN_REGRESSION_SAMPLED);
    else if (ball->kind == &dpn_ball_kind_hull)
        status = dpn_hull_vector_sampler(&one, ball, rate, grid, why);
    else
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "there are no exact draws for a ball of kind '%s': take the hull of its vertices, or a "
                        "box or l_p ball around it",
                        ball->kind->name);
    if (!status) sampler->part[sampler->parts++] = one;
    return status;
}

dpn_status dpn_ball_sampler_new(dpn_ball_sampler **out, const dpn_norm_ball *ball, double rate,
                                const int *grid_exponent, dpn_error *why) {
    if (out == NULL || ball == NULL || grid_exponent == NULL)
        return dpn_fail(why, DPN_EDOMAIN, "a sampler needs a ball, a grid for each coordinate and a place to put it");
    dpn_ball_sampler *made = calloc(1, sizeof *made);
    if (made == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler");
    made->dimension = ball->dimension;
    dpn_status status = add(made, ball, rate, grid_exponent, why);
    if (status)
        dpn_ball_sampler_free(made);
    else
        *out = made;
    return status;
}

dpn_status dpn_ball_sampler_draw(const dpn_ball_sampler *sampler, dpn_rng *rng, int64_t *steps, dpn_error *why) {
    dpn_status status = DPN_OK;
    int64_t *next = steps;
    if (sampler == NULL || steps == NULL)
        return dpn_fail(why, DPN_EDOMAIN, "a draw needs a sampler and a place to put it");
    for (size_t i = 0; i < sampler->parts && !status; i++) {
        status = dpn_vector_sampler_draw(sampler->part[i], rng, next, why);
        next += sampler->part[i]->dimension;
    }
    if (status) memset(steps, 0, sampler->dimension * sizeof *steps);
    return status;
}
