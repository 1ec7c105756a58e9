/* An audit: neighbours, events and claims are fixed first, then samples are drawn and judged. */
#include "audit/audit.h"

#include "audit/judge.h"
#include "base/error.h"
#include "base/options.h"
#include "release/noise/grid.h"

#include <math.h>
#include <stdlib.h>

enum { BATCH = 1024 };

static const double confidence = 0.999, default_delta = 1e-6;
static const uint64_t least_samples = 1000, most_samples = 1000000000000;

struct inquiry {
    const dpn_audit_options *options;
    dpn_workspace *workspace;
    dpn_noise noise;
    dpn_grid grid;
    dpn_neighbours neighbours;
    dpn_scorer scorer[DPN_AUDIT_PAIRS];
    dpn_audit_tally zero[DPN_AUDIT_PAIRS], moved[DPN_AUDIT_PAIRS];
    double epsilon, delta; /* the claim at its own delta */
    dpn_audit_point point[DPN_AUDIT_POINTS];
    int64_t *output, *origin;
    dpn_evidence *evidence;
};

/* ---- The claim ---- */

static const dpn_accounting_options rough = {.size = sizeof(dpn_accounting_options),
                                             .accuracy = 1e-4}; /* the upper end is a claim, whatever the accuracy */

/* K-norm noise is Laplace noise to the accountant, whatever the ball. */
static dpn_status joint_part(dpn_part *out, const dpn_audit_joint *joint, dpn_error *why) {
    out->times = 1;
    return dpn_loss_block(&out->loss, joint->epsilon, why);
}

static dpn_status certified_delta(double *out, const struct inquiry *inquiry, double epsilon, dpn_error *why) {
    dpn_delta delta = {0};
    const dpn_audit_options *r = inquiry->options;
    dpn_workspace *workspace = inquiry->workspace;
    dpn_part part;
    dpn_status status;
    if (r->plan) {
        status = dpn_plan_delta(&delta, NULL, workspace, r->plan, r->set, 1, epsilon, &rough, why);
    } else if (r->joint) {
        status = joint_part(&part, r->joint, why);
        if (!status) status = dpn_compose_delta(&delta, workspace, &part, 1, epsilon, &rough, why);
    } else {
        status = dpn_sensitivity_delta(&delta, NULL, workspace, r->law, r->laws, r->set, epsilon, &rough, why);
    }
    if (!status) *out = delta.upper;
    return status;
}

static dpn_status certified_epsilon(double *out, const struct inquiry *inquiry, double delta, dpn_error *why) {
    dpn_epsilon epsilon = {0};
    const dpn_audit_options *r = inquiry->options;
    dpn_workspace *workspace = inquiry->workspace;
    dpn_part part;
    dpn_status status;
    if (r->plan) {
        status = dpn_plan_epsilon(&epsilon, NULL, workspace, r->plan, r->set, 1, delta, &rough, why);
    } else if (r->joint) {
        status = joint_part(&part, r->joint, why);
        if (!status) status = dpn_compose_epsilon(&epsilon, workspace, &part, 1, delta, &rough, why);
    } else {
        status = dpn_sensitivity_epsilon(&epsilon, NULL, workspace, r->law, r->laws, r->set, delta, &rough, why);
    }
    if (!status) *out = epsilon.upper;
    return status;
}

/* The claim at its own delta. */
static dpn_status find_claim(struct inquiry *inquiry, dpn_error *why) {
    const dpn_audit_options *options = inquiry->options;
    inquiry->epsilon = options->epsilon;
    inquiry->delta = options->at_delta ? options->delta : 0;
    if (options->claimed) return DPN_OK;
    dpn_status status = certified_epsilon(&inquiry->epsilon, inquiry, inquiry->delta, why);
    if (status || options->at_delta || !isinf(inquiry->epsilon)) return status;
    double infinite = 0;
    status = certified_delta(&infinite, inquiry, INFINITY, why);
    inquiry->delta = fmin(1, fmax(default_delta, infinite * (1 + 1e-6)));
    return status ? status : certified_epsilon(&inquiry->epsilon, inquiry, inquiry->delta, why);
}

/* Up to which epsilon the profile is tried: to where the certified delta is 10/samples, and no farther than the largest
 * loss; where that is 0 or infinite, to the epsilon of the claim.
 * If the engine has no answer, a claim that was given is tried as far as it goes. */
static dpn_status find_top(double *top, const struct inquiry *inquiry, dpn_error *why) {
    dpn_status status = certified_epsilon(top, inquiry, 10 / (double)inquiry->options->samples, why);
    if ((status == DPN_EACCURACY || status == DPN_EUNSUPPORTED) && inquiry->options->claimed) {
        *top = inquiry->epsilon;
        status = DPN_OK;
    }
    if (!status && !(*top > 0 && isfinite(*top))) *top = inquiry->epsilon;
    if (!status && !(*top > 0 && isfinite(*top))) *top = 1;
    return status;
}

static dpn_status find_points(struct inquiry *inquiry, double top, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (int i = 0; i < DPN_AUDIT_POINTS && !status; i++) {
        dpn_audit_point *point = &inquiry->point[i];
        point->epsilon = i == DPN_AUDIT_POINTS - 1 ? top : top * i / (DPN_AUDIT_POINTS - 1);
        if (inquiry->options->claimed)
            point->delta = dpn_implied_delta(inquiry->epsilon, inquiry->delta, point->epsilon);
        else
            status = certified_delta(&point->delta, inquiry, point->epsilon, why);
    }
    return status;
}

/* ---- Before the first draw ---- */

static dpn_status check_noise(const dpn_audit_options *options, dpn_error *why) {
    const dpn_audit_joint *joint = options->joint;
    int kinds = (options->law != NULL) + (options->plan != NULL) + (joint != NULL);
    if (kinds != 1) return dpn_fail(why, DPN_EDOMAIN, "an audit is of laws, of a plan or of joint noise");
    if (options->law && options->laws != 1 && options->laws != options->set->dimension)
        return dpn_fail(why, DPN_EDOMAIN, "there are %zu laws for %zu answers", options->laws, options->set->dimension);
    if (options->plan && options->plan->dimension != options->set->dimension)
        return dpn_fail(why, DPN_EDOMAIN, "the plan is for %zu answers, and %zu are audited", options->plan->dimension,
                        options->set->dimension);
    if (joint && !(joint->draw && joint->norm && joint->rate > 0 && isfinite(joint->rate) && joint->epsilon >= 0 &&
                   isfinite(joint->epsilon) && options->has_grid))
        return dpn_fail(why, DPN_EDOMAIN, "joint noise needs draws, a norm, a rate, an epsilon and a grid");
    return DPN_OK;
}

static dpn_status check(const dpn_audit_options *options, dpn_error *why) {
    if (!options || !options->set) return dpn_fail(why, DPN_EDOMAIN, "there is nothing to audit");
    if (options->samples < least_samples || options->samples > most_samples)
        return dpn_fail(why, DPN_EDOMAIN, "an audit takes from 1000 to 10^12 samples");
    if (options->set->dimension > DPN_AUDIT_ANSWERS)
        return dpn_fail(why, DPN_EUNSUPPORTED, "an audit is of at most %d answers", DPN_AUDIT_ANSWERS);
    if (options->claimed && !(options->epsilon >= 0 && isfinite(options->epsilon)))
        return dpn_fail(why, DPN_EDOMAIN, "the epsilon that is claimed must be a number of at least 0");
    if (options->at_delta && !(options->delta >= 0 && options->delta < 1))
        return dpn_fail(why, DPN_EDOMAIN, "the delta that is claimed must be at least 0 and less than 1");
    return check_noise(options, why);
}

/* Noise on the integers is for answers that are whole. */
static dpn_status make_grid(struct inquiry *inquiry, dpn_error *why) {
    const dpn_audit_options *options = inquiry->options;
    dpn_noise laws;
    dpn_status status = dpn_noise_make(&laws, options, NULL, why);
    bool integer = !status && dpn_noise_is_integer(&laws);
    dpn_noise_free(&laws);
    if (status) return status;
    dpn_release_options release = {.size = sizeof(dpn_release_options),
                                   .set = options->set,
                                   .whole = integer,
                                   .has_grid = options->has_grid,
                                   .grid_exponent = options->grid_exponent};
    return dpn_grid_make(&inquiry->grid, &release, integer, why);
}

static dpn_status prepare(struct inquiry *inquiry, dpn_error *why) {
    const dpn_audit_options *options = inquiry->options;
    size_t dimension = options->set->dimension;
    double top = 1, rare = 0.01 / (double)options->samples;
    dpn_status status = dpn_workspace_new(&inquiry->workspace);
    if (status) return dpn_fail(why, status, "no memory for the profile");
    status = make_grid(inquiry, why);
    if (!status) status = dpn_noise_make(&inquiry->noise, options, inquiry->grid.exponent, why);
    if (!status) status = dpn_neighbours_make(&inquiry->neighbours, options->set, inquiry->grid.exponent, why);
    if (!status) status = find_claim(inquiry, why);
    if (!status) status = find_top(&top, inquiry, why);
    if (!status) status = find_points(inquiry, top, why);
    const dpn_noise *noise = &inquiry->noise;
    for (size_t i = 0; i < inquiry->neighbours.count && !status; i++) {
        dpn_scorer *scorer = &inquiry->scorer[i];
        status = dpn_scorer_make(scorer, noise->law, noise->laws, inquiry->grid.exponent, dimension,
                                 inquiry->neighbours.move[i], inquiry->neighbours.first[i], top, rare, why);
        scorer->joint = noise->joint;
        scorer->joints = noise->joints;
    }
    if (status) return status;
    inquiry->output = malloc(BATCH * dimension * sizeof *inquiry->output);
    inquiry->origin = calloc(dimension, sizeof *inquiry->origin);
    inquiry->evidence = malloc(sizeof *inquiry->evidence);
    if (inquiry->output && inquiry->origin && inquiry->evidence) return DPN_OK;
    return dpn_fail(why, DPN_ENOMEM, "no memory for the samples");
}

static void discard(struct inquiry *inquiry) {
    dpn_workspace_free(inquiry->workspace);
    dpn_noise_free(&inquiry->noise);
    dpn_grid_free(&inquiry->grid);
    for (size_t i = 0; i < DPN_AUDIT_PAIRS; i++) dpn_scorer_free(&inquiry->scorer[i]);
    dpn_neighbours_free(&inquiry->neighbours);
    free(inquiry->output);
    free(inquiry->origin);
    free(inquiry->evidence);
}

/* ---- Drawing ---- */

/* Some samples from every input. Those from the input 0 serve all pairs: the bounds need not be independent. */
static dpn_status draw_some(struct inquiry *inquiry, const dpn_mechanism *mechanism, size_t count, dpn_error *why) {
    size_t pairs = inquiry->neighbours.count;
    dpn_status status = mechanism->run(mechanism->context, inquiry->output, inquiry->origin, count, why);
    for (size_t i = 0; i < pairs && !status; i++)
        dpn_audit_tally_add(&inquiry->zero[i], &inquiry->scorer[i], inquiry->output, count);
    for (size_t i = 0; i < pairs && !status; i++) {
        status = mechanism->run(mechanism->context, inquiry->output, inquiry->neighbours.move[i], count, why);
        if (!status) dpn_audit_tally_add(&inquiry->moved[i], &inquiry->scorer[i], inquiry->output, count);
    }
    return status;
}

static dpn_status draw_all(struct inquiry *inquiry, const dpn_mechanism *mechanism, dpn_error *why) {
    const dpn_audit_options *options = inquiry->options;
    dpn_status status = DPN_OK;
    for (uint64_t done = 0; done < options->samples && !status; done += BATCH) {
        uint64_t left = options->samples - done;
        status = draw_some(inquiry, mechanism, left < BATCH ? (size_t)left : BATCH, why);
        if (status || done % (64 * BATCH) != 0) continue;
        if (options->progress) options->progress(options->context, (double)done / (double)options->samples);
        if (options->cancelled && options->cancelled(options->context))
            status = dpn_fail(why, DPN_ECANCELLED, "the audit was cancelled");
    }
    return status;
}

/* ---- Judging ---- */

static void judge(dpn_audit *out, const struct inquiry *inquiry, uint64_t samples) {
    dpn_audit audit = {.at = {.epsilon = inquiry->epsilon, .delta = inquiry->delta},
                       .confidence = confidence,
                       .samples = samples,
                       .pairs = inquiry->neighbours.count,
                       .events = inquiry->neighbours.count * DPN_AUDIT_EVENTS,
                       .grid_exponent = inquiry->grid.exponent[0]};
    for (int i = 0; i < DPN_AUDIT_POINTS; i++) audit.point[i] = inquiry->point[i];
    dpn_audit_judge(&audit, inquiry->evidence);
    *out = audit;
}

dpn_status dpn_audit_mechanism(dpn_audit *out, const dpn_audit_options *options, const dpn_mechanism *mechanism,
                               dpn_error *why) {
    dpn_status status = check(options, why);
    if (status) return status;
    struct inquiry inquiry = {.options = options};
    status = prepare(&inquiry, why);
    if (!status) status = draw_all(&inquiry, mechanism, why);
    if (!status) {
        dpn_evidence_make(inquiry.evidence, inquiry.zero, inquiry.moved, inquiry.neighbours.count, options->samples,
                          confidence);
        judge(out, &inquiry, options->samples);
    }
    discard(&inquiry);
    return status;
}

dpn_status dpn_audit_run(dpn_audit *out, const dpn_audit_options *asked, dpn_rng *rng, dpn_error *why) {
    if (!out || !asked || !rng) return dpn_fail(why, DPN_EDOMAIN, "an audit needs options and a random source");
    dpn_audit_options own, *options = &own;
    dpn_status status = dpn_options_take(&own, sizeof own, asked, why);
    if (!status) status = check(options, why);
    if (status) return status;
    struct inquiry public = {.options = options};
    dpn_shipped *shipped = NULL;
    status = make_grid(&public, why);
    if (!status) status = dpn_noise_make(&public.noise, options, public.grid.exponent, why);
    if (!status)
        status = dpn_shipped_new(&shipped, &public.noise, public.grid.exponent, options->set->dimension, rng, why);
    dpn_mechanism mechanism = {dpn_shipped_run, shipped};
    if (!status) status = dpn_audit_mechanism(out, options, &mechanism, why);
    dpn_shipped_free(shipped);
    discard(&public);
    return status;
}
