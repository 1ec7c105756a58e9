/* The noise of one family with the least error. */
#include "calibrate/blocks.h"
#include "calibrate/plan.h"
#include "calibrate/random-box.h"
#include "calibrate/mechanism.h"
#include "calibrate/notes.h"
#include "calibrate/findings.h"
#include "calibrate/search.h"
#include "calibrate/spherical.h"
#include "calibrate/stairs-plan.h"
#include "calibrate/start-box.h"
#include "calibrate/tuning.h"
#include "law/facts.h"
#include "privacy/compose/workspace.h"

#include "base/error.h"
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the note ---- */

/* Whether the shape that was found is at an end of the range that was searched. */
static void note_edge(dpn_plan *plan, const dpn_problem *p, const struct dpn_family *family, double shape) {
    double from, to;
    if (!family->shape || p->groups == 0 || !(shape > 0)) return;
    dpn_family_range(&from, &to, family, p);
    if (p->options.shape_min > 0) from = p->options.shape_min;
    if (p->options.shape_max > 0) to = p->options.shape_max;
    if (from == to) return;
    dpn_note_edge(plan->note, family, shape, from, to);
}

static void write_note(dpn_plan *plan, const dpn_problem *p, const struct dpn_family *asked,
                       const struct dpn_family *found) {
    plan->limit = dpn_note_limit(plan->note, asked, found);
    if (asked != found && !p->options.identical && dpn_problem_is_wide(p, asked))
        dpn_note_add(plan->note, "shapes of noise so wide were not looked at, since sensitivities differ");
    for (size_t b = 0; b < plan->blocks; b++)
        if (dpn_block_is_silent(&plan->block[b])) dpn_note_add(plan->note, "coordinates that cannot move get no noise");
    if (p->merged) dpn_note_add(plan->note, "similar sensitivities were rounded up to share a law");
    if (asked == found) dpn_note_step(plan->note, asked);
}

/* ---- the calibration ---- */

static dpn_status refuse_pure(const dpn_problem *p, const struct dpn_family *family, dpn_error *why) {
    if (p->delta > 0 || dpn_family_may_be_pure(family)) return DPN_OK;
    return dpn_fail(why, DPN_EUNSUPPORTED, "the privacy loss of %s noise is unbounded: it needs a delta above 0",
                    family->name);
}

/* The accountant needs seconds for each look at wide noise on the integers whose sensitivities differ, but for discrete Laplace noise, whose
 * loss has few values however wide it is, and discrete Gaussian noise, which is then as good as the Gaussian's. These two, in whose
 * limits the other families lie, speak for them (search.c); a shape that was asked for has no limits. If only weights
 * differ, the same noise on all is composed at once. */
static dpn_status refuse_wide(dpn_problem *p, const struct dpn_family *family, dpn_error *why) {
    if (!family->shape || !dpn_problem_is_wide(p, family)) return DPN_OK;
    if (p->group[p->groups - 1].bound == p->largest) {
        p->options.identical = true;
        return DPN_OK;
    }
    if (p->options.shape_min == 0 && p->options.shape_max == 0) return DPN_OK;
    double gauss, laplace;
    return dpn_fail(
        why, DPN_EUNSUPPORTED,
        "noise on the integers so wide, about %.0f steps, is not composed for different sensitivities with a "
        "shape that is given; noise on the reals is as good",
        dpn_problem_deviation(p, &gauss, &laplace));
}

/* The delta of what was found, which a search by the exact condition knows already. Another condition may have been met by orders of a
 * Renyi bound that the accountant does not look at: a little more noise makes up for it. */
static dpn_status certify(dpn_candidate *best, dpn_law *law, const dpn_problem *p, dpn_error *why) {
    dpn_status status = DPN_OK;
    size_t stride = dpn_candidate_stride(best);
    if (p->options.condition == DPN_CONDITION_EXACT && p->groups > 0)
        return best->delta.upper <= p->delta
                   ? DPN_OK
                   : dpn_fail(why, DPN_EACCURACY, "the noise found cannot be certified: delta is at most %g",
                              best->delta.upper);
    for (double more = 1e-6; more < 1e-2; more *= 8) {
        status = dpn_problem_delta(&best->delta, &best->argument, p, law, stride, (dpn_effort){0}, why);
        if (status || best->delta.upper <= p->delta) return status;
        best->scale *= 1 + more;
        status = dpn_candidate_laws(law, p, best, why);
        if (status) return status;
    }
    return dpn_fail(why, DPN_EACCURACY, "the noise found cannot be certified: delta is at most %g", best->delta.upper);
}

/* The plan of one family, for somebody who asked for noise of a family that it is kin to, or itself. */
static dpn_status calibrate(dpn_plan *out, dpn_problem *p, const struct dpn_family *family,
                            const struct dpn_family *asked, dpn_error *why) {
    dpn_status status = refuse_pure(p, family, why);
    if (!status) status = refuse_wide(p, family, why);
    if (status) return status;
    dpn_law *law = calloc(p->groups + 1, sizeof *law);
    double *number = calloc(2 * DPN_SEARCH_SPREADS * (p->groups + 1), sizeof *number);
    if (!law || !number) status = dpn_fail(why, DPN_ENOMEM, "no memory for the laws of the plan");
    dpn_spread room[DPN_SEARCH_SPREADS];
    for (size_t i = 0; i < DPN_SEARCH_SPREADS && number; i++)
        room[i] = (dpn_spread){number + 2 * i * p->groups, number + (2 * i + 1) * p->groups};
    dpn_candidate best = {.family = family};
    if (!status && p->groups > 0) status = dpn_search(&best, law, room, p, family, false, why);
    dpn_plan plan = {0};
    if (!status) status = certify(&best, law, p, why);
    if (!status) status = dpn_plan_make(&plan, p, law, dpn_candidate_stride(&best), why);
    if (!status) {
        plan.delta = best.delta;
        plan.argument = best.argument;
    }
    free(law);
    free(number);
    if (status) {
        dpn_plan_free(&plan);
        return status;
    }
    plan.family = asked->name;
    plan.pure = plan.delta.upper == 0;
    write_note(&plan, p, asked, best.family);
    if (best.family == asked && !best.spread) note_edge(&plan, p, asked, best.shape);
    *out = plan;
    return DPN_OK;
}

/* Where the moves of noise of a family are only bounded, those of its kin may be known: each is a problem of its own. The best of their
 * plans, and its error; +inf if there is none. */
static double plan_of_kin(dpn_plan *plan, const struct dpn_family *family, double epsilon, double delta,
                          const dpn_sensitivity *set, const dpn_calibration_options *ask) {
    const struct dpn_family *kin[DPN_FAMILY_KIN + 1];
    dpn_calibration_options options = *ask;
    double least = INFINITY;
    dpn_family_kin(kin, family, ask);
    bool any_shape = ask->shape_min == 0 && ask->shape_max == 0;
    kin[DPN_FAMILY_KIN] = any_shape ? dpn_family_known(family).narrow : NULL;
    options.shape_min = options.shape_max = 0;
    for (int i = 0; i <= DPN_FAMILY_KIN; i++) {
        dpn_problem p;
        dpn_plan other;
        if (!kin[i]) continue;
        dpn_status status = dpn_problem_make(&p, kin[i], epsilon, delta, set, &options, DPN_GROUPS_SAFE, NULL);
        if (!status) status = calibrate(&other, &p, kin[i], family, NULL);
        dpn_problem_free(&p);
        if (status) continue;
        if (other.error < least) {
            dpn_plan_free(isfinite(least) ? plan : NULL);
            least = other.error;
            *plan = other;
        } else {
            dpn_plan_free(&other);
        }
    }
    return least;
}

/* The better of the family's own noise and that of its kin. */
static dpn_status calibrate_bounded(dpn_plan *out, dpn_problem *p, const struct dpn_family *family, dpn_error *why) {
    dpn_plan kin, own;
    p->rival = plan_of_kin(&kin, family, p->epsilon, p->delta, p->set, &p->options);
    dpn_status status = calibrate(&own, p, family, family, why);
    bool other = isfinite(p->rival) && status != DPN_ECANCELLED && (status || kin.error <= own.error);
    if (isfinite(p->rival) && !other) dpn_plan_free(&kin);
    if (other && !status) dpn_plan_free(&own);
    if (other || !status) *out = other ? kin : own;
    return other ? DPN_OK : status;
}

dpn_status dpn_calibrate_sharing(dpn_plan *plan, const char *family, double epsilon, double delta,
                                 const dpn_sensitivity *set, const dpn_calibration_options *options,
                                 dpn_findings *findings, dpn_error *why) {
    bool one_block = family && !strcmp(family, DPN_MECHANISM_K_NORM);
    bool blocks = family && !strcmp(family, DPN_MECHANISM_BLOCKS);
    bool stairs = family && !strcmp(family, DPN_MECHANISM_START_STAIRCASE);
    bool start = stairs || (family && !strcmp(family, DPN_MECHANISM_START_BOX)),
         random_box = family && !strcmp(family, DPN_MECHANISM_RANDOM_BOX),
         spherical = family && !strcmp(family, DPN_MECHANISM_SPHERICAL);
    bool whole_stairs = family && !strcmp(family, DPN_MECHANISM_DISCRETE_STAIRCASE),
         ending = whole_stairs || (family && !strcmp(family, DPN_MECHANISM_TRUNCATED_STAIRCASE));
    bool joint = one_block || blocks || start || random_box || spherical || ending;
    const struct dpn_family *row = whole_stairs ? &dpn_discrete_laplace
                                   : joint      ? &dpn_laplace
                                   : family     ? dpn_family_find(family)
                                                : NULL;
    if (!row) return dpn_fail(why, DPN_EPARSE, "there is no noise family '%.40s'", family ? family : "");
    dpn_calibration_options ask;
    dpn_workspace *own = NULL;
    dpn_status status = dpn_options_take(&ask, sizeof ask, options, why);
    if (status) return status;
    bool gaussian = dpn_family_is_gaussian(row); /* needs no transforms */
    if (!ask.workspace && !gaussian) {
        status = dpn_workspace_new(&own);
        if (status) return dpn_fail(why, status, "no memory for a workspace");
        ask.workspace = own;
    }
    dpn_patience before = dpn_workspace_watched(ask.workspace); /* one look at what noise guarantees may take minutes */
    if (ask.workspace && ask.cancelled) dpn_workspace_watch(ask.workspace, ask.cancelled, ask.context);
    const size_t most[] = {delta == 0 ? SIZE_MAX : DPN_GROUPS_CONTOUR, DPN_GROUPS_SAFE}; /* largest losses just add */
    for (int i = 0; i < 2; i++) { /* merge more of them if the accountant refuses that many different losses */
        dpn_problem p;
        status = dpn_problem_make(&p, row, epsilon, delta, set, &ask, most[i], why);
        p.findings = findings;
        bool many = !status && p.groups > DPN_GROUPS_SAFE;
        if (!status && start)
            status = dpn_start_plan(plan, &p, stairs, why);
        else if (!status && ending)
            status = dpn_stairs_plan(plan, &p, whole_stairs, why);
        else if (!status && random_box)
            status = dpn_random_box_plan(plan, &p, why);
        else if (!status && spherical)
            status = dpn_spherical_plan(plan, &p, why);
        else if (!status && joint)
            status = dpn_blocks_plan(plan, &p, blocks, why);
        else if (!status)
            status = p.argument == DPN_ARGUMENT_BOUND ? calibrate_bounded(plan, &p, row, why)
                                                      : calibrate(plan, &p, row, row, why);
        /* Searches take what fails on the way for worse. */
        if (status && status != DPN_ECANCELLED && dpn_problem_is_cancelled(&p)) status = dpn_problem_end(why);
        dpn_problem_free(&p);
        if (!many || joint || (status != DPN_EUNSUPPORTED && status != DPN_EACCURACY)) break;
    }
    if (ask.workspace) dpn_workspace_watch(ask.workspace, before.cancelled, before.context);
    dpn_workspace_free(own);
    return status;
}

dpn_status dpn_calibrate(dpn_plan *plan, const char *family, double epsilon, double delta, const dpn_sensitivity *set,
                         const dpn_calibration_options *options, dpn_error *why) {
    return dpn_calibrate_sharing(plan, family, epsilon, delta, set, options, NULL, why);
}
