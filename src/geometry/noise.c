/* Exact draws from the mechanism of a ball: blocks that are independent, each by its sampler. */
#include "geometry/rejection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/joint.h"
#include "geometry/public-source.h"
#include "random/vector.h"

/* One block: a vector sampler, or uniform points times a radius. */
typedef struct block {
    dpn_vector_sampler *vector;
    dpn_rejection *rejection;
    size_t dimension;
    double acceptance;
} block;

struct dpn_ball_sampler {
    block *part;
    size_t parts, dimension;
};

void dpn_ball_sampler_free(dpn_ball_sampler *sampler) {
    if (sampler == NULL) return;
    for (size_t i = 0; i < sampler->parts; i++) {
        dpn_vector_sampler_free(sampler->part[i].vector);
        dpn_rejection_free(sampler->part[i].rejection);
    }
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

bool dpn_ball_cones(dpn_cones *out, const dpn_norm_ball *ball) {
    size_t m = ball->dimension;
    dpn_cones cones = {.cones = ball->hull.facets, .vertices = ball->vertices};
    cones.corner = calloc(cones.cones * m, sizeof *cones.corner);
    cones.vertex = calloc(cones.vertices * m, sizeof *cones.vertex);
    if (!cones.corner || !cones.vertex || !cumulate(&cones, &ball->hull)) {
        dpn_cones_free(&cones);
        return false;
    }
    memcpy(cones.vertex, ball->vertex, cones.vertices * m * sizeof *cones.vertex);
    for (size_t f = 0; f < cones.cones; f++)
        for (size_t k = 0; k < m; k++) cones.corner[f * m + k] = ball->vertex_of[ball->hull.facet[f].corner[k]];
    *out = cones;
    return true;
}

dpn_status dpn_hull_vector_sampler(dpn_vector_sampler **out, const dpn_norm_ball *ball, double rate, const int *grid,
                                   dpn_error *why) {
    dpn_cones cones;
    if (!dpn_ball_cones(&cones, ball)) return dpn_fail(why, DPN_ENOMEM, "there is no memory for the sampler of a hull");
    return dpn_vector_sampler_cones(out, ball->dimension, &cones, rate, grid, why);
}

/* ---- K_2 and regression ---- */

/* K_2 ties u2 to u1; regression ties every square to its sum and every product to its two. All half widths are 2. The
 * own coordinates follow the p + 1 sums in their order. */
static size_t list_constraints(dpn_constraint *out, const dpn_norm_ball *ball) {
    uint32_t p = (uint32_t)ball->predictors, sums = p + 1, count = 0;
    if (ball->kind == &dpn_norm_ball_kind_k2) {
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

/* The share of the box that obeys: given the p + 1 sums, each own coordinate obeys with a probability that is known, and
 * independently of the others. The sums have the density proportional to exp(-2 a), which is nearer to that of points that
 * obey, and the weight to make up for it. NaN if there is no memory. */
static double corner_acceptance(const dpn_constraint *constraint, size_t constraints, size_t sums) {
    enum { POINTS = 1 << 16 };
    static const double tilt = 2;
    double *u = calloc(sums, sizeof *u), sum = 0, mass = -expm1(-tilt);
    dpn_public_source *source = calloc(1, sizeof *source);
    if (u && source) dpn_public_source_begin(source);
    for (int k = 0; k < POINTS && u && source; k++) {
        double share = 1;
        for (size_t i = 0; i < sums; i++) {
            if (!dpn_uniform(&source->rng, &u[i])) u[i] = 1; /* never */
            u[i] = -log1p(-mass * u[i]) / tilt;
            share *= mass / tilt * exp(tilt * u[i]);
        }
        for (size_t c = 0; c < constraints && share > 1e-30; c++) {
            double a = u[constraint[c].a], high = fmax(2 * a - 1, 0);
            share *= constraint[c].parabola ? 1 - high * high : fmin(1, 2 - a - u[constraint[c].b]);
        }
        sum += share;
    }
    bool memory = u && source;
    free(u);
    free(source);
    return memory ? sum / POINTS : NAN;
}

static dpn_status corner_sampler(block *out, const dpn_norm_ball *ball, double rate, const int *grid, dpn_error *why) {
    dpn_constraint *constraint = calloc(ball->dimension, sizeof *constraint);
    double *side = calloc(ball->dimension, sizeof *side);
    dpn_status status = constraint && side ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler");
    size_t count = status ? 0 : list_constraints(constraint, ball);
    if (!status) {
        ball->kind->half_widths(ball, side);
        out->acceptance = corner_acceptance(constraint, count, ball->dimension - count);
        if (isnan(out->acceptance)) status = dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler");
    }
    if (!status && out->acceptance < 1e-6)
        status = dpn_fail(why, DPN_EACCURACY,
                          "only %.2g of the box around the ball lies in it, too little to draw from it: take linf",
                          out->acceptance);
    if (!status)
        status = dpn_vector_sampler_corners(&out->vector, ball->dimension, side, constraint, count, rate, grid, why);
    free(constraint);
    free(side);
    return status;
}

/* ---- All balls ---- */

/* A product of boxes is a box. */
static bool is_box(const dpn_norm_ball *ball) {
    if (ball->kind == &dpn_norm_ball_kind_lp) return isinf(ball->p);
    if (ball->kind != &dpn_norm_ball_kind_product) return false;
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

static dpn_status make_block(block *out, const dpn_norm_ball *ball, double rate, const int *grid, dpn_error *why) {
    *out = (block){.dimension = ball->dimension, .acceptance = 1};
    if (is_box(ball)) return box_sampler(&out->vector, ball, rate, grid, why);
    if (ball->kind == &dpn_norm_ball_kind_lp)
        return dpn_vector_sampler_lp(&out->vector, ball->dimension, ball->p, ball->weight, rate, grid, why);
    if (ball->kind == &dpn_norm_ball_kind_k2 || ball->kind == &dpn_norm_ball_kind_regression)
        return corner_sampler(out, ball, rate, grid, why);
    if (ball->kind == &dpn_norm_ball_kind_hull) return dpn_hull_vector_sampler(&out->vector, ball, rate, grid, why);
    dpn_status status = dpn_rejection_new(&out->rejection, ball, rate, grid, why);
    if (!status) out->acceptance = dpn_interior_acceptance(out->rejection->interior);
    return status;
}

static dpn_status add(dpn_ball_sampler *sampler, const dpn_norm_ball *ball, double rate, const int *grid,
                      dpn_error *why) {
    if (ball->kind == &dpn_norm_ball_kind_sum) {
        dpn_status status = DPN_OK;
        for (size_t i = 0; i < ball->parts && !status; grid += ball->part[i++]->dimension)
            status = add(sampler, ball->part[i], rate, grid, why);
        return status;
    }
    block *larger = realloc(sampler->part, (sampler->parts + 1) * sizeof *larger);
    if (larger == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler");
    sampler->part = larger;
    dpn_status status = make_block(&sampler->part[sampler->parts], ball, rate, grid, why);
    if (!status) sampler->parts++;
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

dpn_status dpn_ball_sampler_draw(int64_t *steps, const dpn_ball_sampler *sampler, dpn_rng *rng, dpn_error *why) {
    dpn_status status = DPN_OK;
    int64_t *next = steps;
    if (sampler == NULL || rng == NULL || steps == NULL)
        return dpn_fail(why, DPN_EDOMAIN, "a draw needs a sampler, a random source and a place to put it");
    for (size_t i = 0; i < sampler->parts && !status; i++) {
        const block *part = &sampler->part[i];
        status = part->vector ? dpn_vector_sampler_draw(next, part->vector, rng, why)
                              : dpn_rejection_draw(part->rejection, rng, next, why);
        next += part->dimension;
    }
    if (status) memset(steps, 0, sampler->dimension * sizeof *steps);
    return status;
}

double dpn_ball_sampler_acceptance(const dpn_ball_sampler *sampler) {
    double least = 1;
    for (size_t i = 0; i < sampler->parts; i++) least = fmin(least, sampler->part[i].acceptance);
    return least;
}

bool dpn_ball_sampler_exact(const dpn_ball_sampler *sampler) {
    bool exact = true;
    for (size_t i = 0; i < sampler->parts; i++)
        exact = exact && (sampler->part[i].vector || dpn_interior_exact(sampler->part[i].rejection->interior));
    return exact;
}
