/* The noise of an audit, from laws, a plan or the caller's own draws. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "audit/joint.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making ---- */

/* The side of the ball along a coordinate of the block; 0 if it is not known. */
static double side_of(const dpn_plan *plan, const dpn_block *block, size_t i) {
    if (block->ball == DPN_BALL_BOX) return plan->sensitivity[block->coordinate[i]];
    if (block->side) return block->side[i];
    return block->ball == DPN_BALL_L2 ? plan->l2 : 0;
}

/* The noise of a block as a release draws it. */
static dpn_status make_joint(dpn_joint *out, const dpn_plan *plan, const dpn_block *block, const int *exponent,
                             dpn_error *why) {
    double side[DPN_AUDIT_ANSWERS];
    int grid[DPN_AUDIT_ANSWERS];
    if (block->ball == DPN_BALL_HULL)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "K-norm noise of a hull is audited as joint noise that the caller draws");
    *out = (dpn_joint){.count = block->count,
                       .coordinate = block->coordinate,
                       .rate = block->epsilon,
                       .p = block->ball == DPN_BALL_L1   ? 1
                            : block->ball == DPN_BALL_L2 ? 2
                                                         : INFINITY,
                       .unit = malloc(block->count * sizeof *out->unit)};
    if (!out->unit) return dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    for (size_t i = 0; i < block->count; i++) {
        side[i] = side_of(plan, block, i);
        if (!(side[i] > 0))
            return dpn_fail(why, DPN_EDOMAIN, "the plan does not tell the sides of its ball=%s",
                            dpn_ball_kind_name(block->ball));
        grid[i] = exponent[block->coordinate[i]];
        out->unit[i] = ldexp(1 / side[i], grid[i]);
    }
    if (block->kind != DPN_BLOCK_SPHERICAL)
        return dpn_vector_sampler_lp(&out->sampler, block->count, out->p, side, block->epsilon, grid, why);
    out->square = block->beta;
    return dpn_vector_sampler_spherical(&out->sampler, block->count, side, block->epsilon, block->beta, grid, why);
}

/* The same of a start box. */
static dpn_status make_start(dpn_joint *out, const dpn_plan *plan, const dpn_block *block, const int *exponent,
                             dpn_error *why) {
    double side[DPN_AUDIT_ANSWERS];
    int grid[DPN_AUDIT_ANSWERS];
    *out = (dpn_joint){.count = block->count,
                       .coordinate = block->coordinate,
                       .rate = block->epsilon,
                       .p = INFINITY,
                       .offset = block->start,
                       .stairs = block->kind == DPN_BLOCK_START_STAIRCASE,
                       .unit = malloc(block->count * sizeof *out->unit)};
    if (!out->unit) return dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    for (size_t i = 0; i < block->count; i++) {
        side[i] = plan->sensitivity[block->coordinate[i]];
        if (!(side[i] > 0)) return dpn_fail(why, DPN_EDOMAIN, "the plan does not tell the sides of its start box");
        grid[i] = exponent[block->coordinate[i]];
        out->unit[i] = ldexp(1 / side[i], grid[i]);
    }
    return dpn_vector_sampler_start(&out->sampler, block->count, side, block->start, out->stairs, block->epsilon, grid,
                                    why);
}

static dpn_status add_start(dpn_noise *out, const dpn_plan *plan, const dpn_block *block, const int *exponent,
                            dpn_error *why) {
    return exponent ? make_start(&out->joint[out->joints++], plan, block, exponent, why) : DPN_OK;
}

static dpn_status add_law(dpn_noise *out, const dpn_plan *plan, const dpn_block *block, const int *exponent,
                          dpn_error *why) {
    (void)plan;
    (void)exponent;
    (void)why;
    for (size_t i = 0; i < block->count; i++) out->own[block->coordinate[i]] = block->law;
    return DPN_OK;
}

static dpn_status add_ball(dpn_noise *out, const dpn_plan *plan, const dpn_block *block, const int *exponent,
                           dpn_error *why) {
    return exponent ? make_joint(&out->joint[out->joints++], plan, block, exponent, why) : DPN_OK;
}

/* A random box as a release draws it. */
static dpn_status make_box(dpn_joint *out, const dpn_plan *plan, const dpn_block *block, const int *exponent,
                           dpn_error *why) {
    double side[DPN_AUDIT_ANSWERS], c[DPN_AUDIT_ANSWERS], beta[DPN_AUDIT_ANSWERS];
    int grid[DPN_AUDIT_ANSWERS];
    *out = (dpn_joint){.count = block->count,
                       .coordinate = block->coordinate,
                       .box = block,
                       .unit = malloc(block->count * sizeof *out->unit)};
    if (!out->unit) return dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    for (size_t i = 0; i < block->count; i++) {
        side[i] = plan->sensitivity[block->coordinate[i]];
        c[i] = block->box_start ? block->box_start[i] : 1;
        beta[i] = block->box_beta ? block->box_beta[i] : block->beta;
        grid[i] = exponent[block->coordinate[i]];
        out->unit[i] = ldexp(1 / side[i], grid[i]);
    }
    return dpn_vector_sampler_random_box(&out->sampler, block->count, side, block->epsilon, c, beta, grid, why);
}

static dpn_status add_box(dpn_noise *out, const dpn_plan *plan, const dpn_block *block, const int *exponent,
                          dpn_error *why) {
    return exponent ? make_box(&out->joint[out->joints++], plan, block, exponent, why) : DPN_OK;
}

/* Staircases that end, as a release draws them. */
static dpn_status make_staircase(dpn_joint *out, const dpn_plan *plan, const dpn_block *block, const int *exponent,
                                 dpn_error *why) {
    double side[DPN_AUDIT_ANSWERS];
    int grid[DPN_AUDIT_ANSWERS];
    *out = (dpn_joint){.count = block->count,
                       .coordinate = block->coordinate,
                       .staircase = block,
                       .unit = malloc(block->count * sizeof *out->unit)};
    if (!out->unit) return dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    for (size_t i = 0; i < block->count; i++) {
        side[i] = block->step > 0 ? 1 : plan->sensitivity[block->coordinate[i]];
        grid[i] = exponent[block->coordinate[i]];
        out->unit[i] = ldexp(1 / side[i], grid[i]);
    }
    return dpn_vector_sampler_staircase(&out->sampler, block->count, side, block->step, block->epsilon, block->low,
                                        block->high, block->theta, grid, why);
}

static dpn_status add_staircase(dpn_noise *out, const dpn_plan *plan, const dpn_block *block, const int *exponent,
                                dpn_error *why) {
    out->whole = out->whole || block->step > 0;
    return exponent ? make_staircase(&out->joint[out->joints++], plan, block, exponent, why) : DPN_OK;
}

/* What an audit makes of each kind of noise; NULL: it is not drawn. A new kind that is drawn has its line here. */
static dpn_status add_block(dpn_noise *out, const dpn_plan *plan, const dpn_block *block, const int *exponent,
                            dpn_error *why) {
    static dpn_status (*const add[])(dpn_noise *, const dpn_plan *, const dpn_block *, const int *, dpn_error *) = {
        [DPN_BLOCK_LAW] = add_law,
        [DPN_BLOCK_K_NORM] = add_ball,
        [DPN_BLOCK_START_BOX] = add_start,
        [DPN_BLOCK_START_STAIRCASE] = add_start,
        [DPN_BLOCK_RANDOM_BOX] = add_box,
        [DPN_BLOCK_TRUNCATED_STAIRCASE] = add_staircase,
        [DPN_BLOCK_DISCRETE_STAIRCASE] = add_staircase,
        [DPN_BLOCK_SPHERICAL] = add_ball,
    };
    if (dpn_block_is_silent(block)) return DPN_OK;
    if ((size_t)block->kind < sizeof add / sizeof *add && add[block->kind])
        return add[block->kind](out, plan, block, exponent, why);
    return dpn_fail(why, DPN_EUNSUPPORTED, "samples are drawn from laws and balls, not from %s",
                    dpn_block_kind_name(block->kind));
}

static dpn_status of_plan(dpn_noise *out, const dpn_plan *plan, const int *exponent, dpn_error *why) {
    out->own = calloc(plan->dimension, sizeof *out->own);
    out->joint = calloc(plan->blocks, sizeof *out->joint);
    if (!out->own || !out->joint) return dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    out->law = out->own;
    out->laws = plan->dimension;
    dpn_status status = DPN_OK;
    for (size_t b = 0; b < plan->blocks && !status; b++) status = add_block(out, plan, &plan->block[b], exponent, why);
    return status;
}

dpn_status dpn_noise_make(dpn_noise *out, const dpn_audit_options *options, const int *exponent, dpn_error *why) {
    *out = (dpn_noise){.law = options->law, .laws = options->laws};
    if (options->plan) return of_plan(out, options->plan, exponent, why);
    if (!options->joint) return DPN_OK;
    out->own = calloc(1, sizeof *out->own); /* of no family, on all answers */
    out->joint = calloc(1, sizeof *out->joint);
    if (!out->own || !out->joint) return dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    out->law = out->own;
    out->laws = 1;
    if (!exponent) return DPN_OK;
    out->joint[out->joints++] = (dpn_joint){
        .count = options->set->dimension, .rate = options->joint->rate, .given = options->joint, .exponent = exponent};
    return DPN_OK;
}

void dpn_noise_free(dpn_noise *noise) {
    for (size_t i = 0; i < noise->joints; i++) {
        free(noise->joint[i].unit);
        dpn_vector_sampler_free(noise->joint[i].sampler);
    }
    free(noise->joint);
    free(noise->own);
    *noise = (dpn_noise){0};
}

bool dpn_noise_is_integer(const dpn_noise *noise) {
    if (noise->whole) return true;
    for (size_t i = 0; i < noise->laws; i++)
        if (noise->law[i].family && dpn_law_is_integer(&noise->law[i])) return true;
    return false;
}

/* ---- Using ---- */

static size_t answer_of(const dpn_joint *joint, size_t i) {
    return joint->coordinate ? joint->coordinate[i] : i;
}

/* |y - move|, or |y| without a move. */
static double norm(const dpn_joint *joint, const int64_t *output, const int64_t *move) {
    double v[DPN_AUDIT_ANSWERS], largest = 0, sum = 0;
    for (size_t i = 0; i < joint->count; i++) {
        size_t at = answer_of(joint, i);
        double steps = (double)output[at] - (move ? (double)move[at] : 0);
        v[i] = joint->given ? ldexp(steps, joint->exponent[at]) : steps * joint->unit[i];
        largest = fmax(largest, fabs(v[i]) - (joint->offset ? joint->offset[i] : 0));
        sum += joint->p == 1 ? fabs(v[i]) : v[i] * v[i];
    }
    if (joint->given) return joint->given->norm(joint->given->ball, v);
    if (joint->stairs) return ceil(largest);
    return isinf(joint->p) ? largest : joint->p == 1 ? sum : sqrt(sum);
}

/* log of the density of a random box at y - move, up to a constant: the sum over all sizes whose box holds the point of
 * e^(-alpha j - sum of beta y^2/2s). The terms rise to one top and fall. Coordinates that start alike share a quotient. */
static double log_density(const dpn_joint *joint, const int64_t *output, const int64_t *move) {
    const dpn_block *box = joint->box;
    double start[DPN_AUDIT_ANSWERS], weight[DPN_AUDIT_ANSWERS], first = 0, top = -INFINITY, sum = 0;
    size_t groups = 0;
    for (size_t i = 0; i < joint->count; i++) {
        size_t at = answer_of(joint, i);
        double v = fabs(((double)output[at] - (move ? (double)move[at] : 0)) * joint->unit[i]);
        double c = box->box_start ? box->box_start[i] : 1, beta = box->box_beta ? box->box_beta[i] : box->beta;
        first = fmax(first, ceil(v - c));
        if (groups == 0 || start[groups - 1] != c) {
            start[groups] = c;
            weight[groups++] = 0;
        }
        weight[groups - 1] += 0.5 * beta * v * v;
    }
    for (double j = first; j < first + 1e5; j++) {
        double term = -box->epsilon * j;
        for (size_t g = 0; g < groups; g++) term -= weight[g] / (start[g] + j);
        sum = term > top ? sum * exp(top - term) + 1 : sum + exp(term - top);
        if (term < top - 20) break;
        top = fmax(top, term);
    }
    return top + log(sum);
}

/* The density of staircases at a place, up to a factor: a million levels are no density at all. */
static double staircase_density(const dpn_block *block, double x) {
    double period = block->step > 0 ? block->step : 1, half = block->step > 0 ? 0.5 : 0, sum = 0;
    const double end[] = {block->low + half, block->high + half}, share[] = {1 - block->theta, block->theta};
    for (int i = 0; i < 2; i++) {
        double last = isinf(end[i]) ? 1e6 : ceil(end[i] / period) - 1,
               first = isinf(end[i]) ? end[0] : end[i] - last * period;
        double q = exp(-block->epsilon), shells = q * expm1(-last * block->epsilon) / expm1(-block->epsilon);
        double level = x < first ? 0 : floor((x - first) / period) + 1;
        if (x < end[i] && share[i] > 0) sum += share[i] * exp(-block->epsilon * level) / (first + period * shells);
    }
    return sum;
}

/* Where one of the densities is 0 the loss is taken as a large number, and where both are as 0. */
static double staircase_loss(const dpn_joint *joint, const int64_t *output, const int64_t *move) {
    const double most = 1e6;
    double loss = 0;
    for (size_t i = 0; i < joint->count; i++) {
        size_t at = answer_of(joint, i);
        double y = (double)output[at] * joint->unit[i], z = ((double)output[at] - (double)move[at]) * joint->unit[i];
        double here = staircase_density(joint->staircase, fabs(y)),
               there = staircase_density(joint->staircase, fabs(z));
        if (here > 0 || there > 0) loss += here == 0 ? -most : there == 0 ? most : log(here / there);
    }
    return loss;
}

double dpn_joint_loss(const dpn_joint *joint, const int64_t *output, const int64_t *move) {
    if (joint->staircase) return staircase_loss(joint, output, move);
    if (joint->box) return log_density(joint, output, NULL) - log_density(joint, output, move);
    double moved = norm(joint, output, move), still = norm(joint, output, NULL);
    return (joint->rate + 0.5 * joint->square * (moved + still)) * (moved - still);
}

dpn_status dpn_joint_draw(const dpn_joint *joint, dpn_rng *rng, int64_t *noise, dpn_error *why) {
    int64_t steps[DPN_AUDIT_ANSWERS];
    dpn_status status = joint->given ? joint->given->draw(steps, joint->given->sampler, rng, why)
                                     : dpn_vector_sampler_draw(steps, joint->sampler, rng, why);
    for (size_t i = 0; i < joint->count && !status; i++) noise[answer_of(joint, i)] = steps[i];
    explicit_bzero(steps, joint->count * sizeof *steps);
    return status;
}
