/* K-norm noise for `dpnoise audit`: from its text, a plan of one block; and the noise of a hull, which geometry draws. */
#include "audit.h"
#include "fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool audit_is_ball(const char *text) {
    return strncmp(text, "k-norm(", 7) == 0;
}

/* How far each answer moves on its own is the box of a plan. */
static void take_bounds(dpn_plan *plan, const dpn_sensitivity *set) {
    for (size_t i = 0; i < plan->dimension; i++) {
        double bound = set->bound ? set->bound[i] : INFINITY;
        plan->sensitivity[i] = set->linf > 0 ? fmin(bound, set->linf) : bound;
    }
    plan->l2 = set->l2;
}

static dpn_status check_bounds(const dpn_plan *plan, const dpn_sensitivity *set, dpn_error *why) {
    dpn_ball_kind ball = plan->block[0].ball;
    for (size_t i = 0; i < plan->dimension && ball == DPN_BALL_BOX; i++)
        if (!(plan->sensitivity[i] > 0 && isfinite(plan->sensitivity[i])))
            return refuse(why, DPN_EDOMAIN, "ball=box: give --sensitivity or --sensitivities, all positive");
    if (ball == DPN_BALL_L2 && !(set->l2 > 0 && isfinite(set->l2)))
        return refuse(why, DPN_EDOMAIN, "ball=l2: give --l2, the longest move, and --dim");
    if (ball == DPN_BALL_HULL && set->vertices == 0) return refuse(why, DPN_EDOMAIN, "ball=hull: give --vertices");
    return DPN_OK;
}

dpn_status audit_read_ball(struct inspection *out, const char *text, dpn_error *why) {
    enum { MOST = 200 };
    char list[MOST + 100];
    dpn_error reason;
    const dpn_sensitivity *set = &out->sensitivity.set;
    if (strlen(text) > MOST || strpbrk(text, "\"\\"))
        return refuse(why, DPN_EPARSE, "k-norm(ball=B,epsilon=E) is expected, B one of box, l2, hull");
    snprintf(list, sizeof list, "[{\"coordinates\": \"0-%zu\", \"noise\": \"%s\"}]", set->dimension - 1, text);
    dpn_status status = dpn_plan_read(&out->plan.plan, list, strlen(list), &reason);
    if (status) return refuse(why, status, "%s", reason.sentence);
    take_bounds(&out->plan.plan, set);
    out->request.plan = &out->plan.plan;
    out->ball_text = text;
    return check_bounds(&out->plan.plan, set, why);
}

/* ---- Hulls ---- */

static dpn_status draw(const void *sampler, dpn_rng *rng, int64_t *steps, dpn_error *why) {
    return dpn_ball_sampler_draw(sampler, rng, steps, why);
}

static double norm(const void *ball, const double *v) {
    return dpn_ball_norm(ball, v);
}

/* A grid on which the vertices lie, at most 2^-16 of the least half width. */
static int choose_grid(const dpn_sensitivity *set, const dpn_norm_ball *ball) {
    double *half = calloc(set->dimension, sizeof *half), least = INFINITY;
    if (!half) return 0;
    dpn_ball_half_widths(ball, half);
    for (size_t i = 0; i < set->dimension; i++) least = fmin(least, half[i]);
    free(half);
    int exponent = ilogb(least) - 16;
    for (size_t i = 0; i < set->vertices * set->dimension; i++)
        while (exponent > -1000 && fmod(set->vertex[i], ldexp(1, exponent)) != 0) exponent--;
    return exponent;
}

static dpn_status make_sampler(struct inspection *out, double epsilon, dpn_error *why) {
    size_t dimension = out->sensitivity.set.dimension;
    int *exponent = malloc(dimension * sizeof *exponent);
    if (!exponent) return refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < dimension; i++) exponent[i] = out->request.grid_exponent;
    dpn_status status = dpn_ball_sampler_new(&out->sampler, out->ball, epsilon, exponent, why);
    free(exponent);
    return status;
}

dpn_status audit_read_hull(struct inspection *out, dpn_error *why) {
    const dpn_plan *plan = out->request.plan;
    const dpn_sensitivity *set = &out->sensitivity.set;
    if (!plan || plan->blocks != 1 || plan->block[0].kind != DPN_BLOCK_K_NORM || plan->block[0].ball != DPN_BALL_HULL)
        return DPN_OK;
    double epsilon = plan->block[0].epsilon;
    if (set->vertices == 0) return refuse(why, DPN_EDOMAIN, "--plan: give the --vertices of the hull");
    dpn_status status = dpn_ball_hull(&out->ball, set->dimension, set->vertex, set->vertices, why);
    if (status) return status;
    if (!out->request.has_grid) out->request.grid_exponent = choose_grid(set, out->ball);
    out->request.has_grid = true;
    status = make_sampler(out, epsilon, why);
    /* All moves lie in the hull: the longest has the norm 1. */
    out->joint = (dpn_audit_joint){draw, norm, out->sampler, out->ball, epsilon, epsilon};
    out->request.joint = &out->joint;
    out->request.plan = NULL;
    return status;
}
