/* K-norm noise for `dpnoise audit`: from its text, a plan of one block; and the noise of a hull, which geometry draws. */
#include "audit/audit.h"
#include "kit/fail.h"

#include <dpnoise/number.h>
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
    plan->l1 = set->l1;
    plan->l2 = set->l2;
}

static dpn_status check_bounds(const dpn_plan *plan, const dpn_sensitivity *set, dpn_error *why) {
    dpn_ball_kind ball = plan->block[0].ball;
    for (size_t i = 0; i < plan->dimension && ball == DPN_BALL_BOX; i++)
        if (!(plan->sensitivity[i] > 0 && isfinite(plan->sensitivity[i])))
            return refuse(why, DPN_EDOMAIN, "ball=box: give --sensitivity or --sensitivities, all positive");
    if (ball == DPN_BALL_HULL && set->vertices == 0) return refuse(why, DPN_EDOMAIN, "ball=hull: give --vertices");
    return DPN_OK;
}

/* The half width of an l_p ball is the longest move in its norm; 0 for others. */
static dpn_status half_width(double *out, const char *text, const dpn_sensitivity *set, dpn_error *why) {
    const struct {
        const char *start;
        double norm;
    } rows[] = {{"k-norm(ball=l1,", set->l1}, {"k-norm(ball=l2,", set->l2}, {"k-norm(ball=linf,", set->linf}};
    *out = 0;
    for (int i = 0; i < 3; i++) {
        if (strncmp(text, rows[i].start, strlen(rows[i].start)) != 0) continue;
        *out = rows[i].norm;
        if (!(*out > 0 && isfinite(*out)))
            return refuse(why, DPN_EDOMAIN, "ball=%.*s: give --%.*s, the longest move, and --dim",
                          (int)strlen(rows[i].start) - 13, rows[i].start + 12, (int)strlen(rows[i].start) - 13,
                          rows[i].start + 12);
    }
    return DPN_OK;
}

dpn_status audit_read_ball(struct inspection *out, const char *text, dpn_error *why) {
    enum { MOST = 200 };
    char list[MOST + 200], side[DPN_NUMBER_SIZE], sides[DPN_NUMBER_SIZE + 20] = "";
    dpn_error reason;
    const dpn_sensitivity *set = &out->sensitivity.set;
    double half;
    if (strlen(text) > MOST || strpbrk(text, "\"\\"))
        return refuse(why, DPN_EPARSE, "k-norm(ball=B,epsilon=E) is expected, B one of box, l1, l2, linf, hull");
    dpn_status status = half_width(&half, text, set, why);
    if (status) return status;
    if (half > 0) snprintf(sides, sizeof sides, ", \"sides\": %s", dpn_number_print(side, half));
    snprintf(list, sizeof list, "[{\"coordinates\": \"0-%zu\", \"noise\": \"%s\"%s}]", set->dimension - 1, text, sides);
    status = dpn_plan_read(&out->plan.plan, list, strlen(list), &reason);
    if (status) return refuse(why, status, "%s", reason.sentence);
    take_bounds(&out->plan.plan, set);
    out->options.plan = &out->plan.plan;
    out->ball_text = text;
    return check_bounds(&out->plan.plan, set, why);
}

/* ---- Hulls ---- */

static dpn_status draw(int64_t *steps, const void *sampler, dpn_rng *rng, dpn_error *why) {
    return dpn_ball_sampler_draw(steps, sampler, rng, why);
}

static double norm(const void *ball, const double *v) {
    return dpn_ball_norm(ball, v);
}

/* A grid on which the vertices lie, at most 2^-16 of the least half width. */
static int choose_grid(const dpn_sensitivity *set, const dpn_norm_ball *ball) {
    double *half = calloc(set->dimension, sizeof *half), least = INFINITY;
    if (!half) return 0;
    dpn_ball_half_widths(half, ball);
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
    for (size_t i = 0; i < dimension; i++) exponent[i] = out->options.grid_exponent;
    dpn_status status = dpn_ball_sampler_new(&out->sampler, out->ball, epsilon, exponent, why);
    free(exponent);
    return status;
}

/* The hull is that of the plan's vertices, if it holds them. All moves that make it lie in it: the longest has the norm 1. */
static dpn_status make_hull(struct inspection *out, const dpn_plan *plan, double *longest, dpn_error *why) {
    dpn_sensitivity *set = &out->sensitivity.set;
    bool own = plan->vertex != NULL;
    if (set->vertices == 0) return refuse(why, DPN_EDOMAIN, "--plan: give the --vertices of the hull");
    dpn_status status = dpn_ball_hull(&out->ball, set->dimension, own ? plan->vertex : set->vertex,
                                      own ? plan->vertices : set->vertices, why);
    bool same = !own || (plan->vertices == set->vertices &&
                         memcmp(plan->vertex, set->vertex, set->vertices * set->dimension * sizeof *set->vertex) == 0);
    *longest = 1;
    if (!status && !same) status = dpn_sensitivity_upper(longest, out->ball, set->vertex, set->vertices, why);
    if (own && !out->sensitivity.bound) set->bound = NULL; /* the plan's, which the vertices imply */
    return status;
}

dpn_status audit_read_hull(struct inspection *out, dpn_error *why) {
    const dpn_plan *plan = out->options.plan;
    double longest = 1;
    if (!plan || plan->blocks != 1 || plan->block[0].ball != DPN_BALL_HULL) return DPN_OK;
    double epsilon = plan->block[0].epsilon;
    dpn_status status = make_hull(out, plan, &longest, why);
    if (status) return status;
    if (!out->options.has_grid) out->options.grid_exponent = choose_grid(&out->sensitivity.set, out->ball);
    out->options.has_grid = true;
    status = make_sampler(out, epsilon, why);
    double claim = longest == 1 ? epsilon : nextafter(epsilon * longest, INFINITY);
    out->joint = (dpn_audit_joint){draw, norm, out->sampler, out->ball, epsilon, claim};
    out->options.joint = &out->joint;
    out->options.plan = NULL;
    return status;
}
