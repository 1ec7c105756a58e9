/* The shape and the spread over the coordinates with the least error: the rivals of all kin, and the best of them certified. */
#include "calibrate/search.h"

#include "base/error.h"
#include "calibrate/hunt.h"
#include "calibrate/findings.h"
#include "calibrate/tuning.h"
#include "law/facts.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define TOLERANCE 0.95e-9
#define PATIENT_TOLERANCE 1e-7
#define STEEP -1e3            /* d log delta/d log scale */
#define SHARP_TOLERANCE 3e-13 /* where delta has a closed form or is one integral */

/* The accountant takes many different losses only where the contour sum serves. */
static bool refused(dpn_status status) {
    return status == DPN_EACCURACY || status == DPN_EUNSUPPORTED;
}

/* The scale to the last digit asked for, by the accountant's usual accuracy if it can do that quickly, or with less. The
 * upper end of a wider interval is certified too; where the accountant is slow delta is steep, so that the scale loses
 * little. A loss without closed form takes minutes with patience, which is for those who gain by it. */
static dpn_status finish(dpn_candidate *best, dpn_law *law, const dpn_problem *p, bool patient, dpn_error *why) {
    if (best->certified) return DPN_OK;
    bool alike = p->groups == 1 || dpn_candidate_stride(best) == 0;
    double fine = alike ? 1e-4 : 3e-4;
    const dpn_effort effort[] = {
        {.brief = true}, {fine, true, false}, {1e-3, true, false}, {fine, false, false}, {1e-3, false, false}};
    enum { COARSE = 2, PATIENT };
    dpn_status status = DPN_EACCURACY;
    double from = best->scale;
    double tolerance = p->most <= 1 || dpn_family_is_gaussian(best->family) ? SHARP_TOLERANCE : TOLERANCE;
    for (size_t i = 0; i < sizeof effort / sizeof *effort && refused(status); i++) {
        bool quick = i > 0 && dpn_law_is_quick(law);
        if (i == COARSE && quick) continue; /* patience costs little, and gives more */
        if (i >= PATIENT && !quick && !patient) break;
        if (i == PATIENT && best->slope < STEEP) continue; /* nothing is gained by the fourth digit of delta */
        best->scale = from;
        status = dpn_boundary(best, law, p, i >= PATIENT ? PATIENT_TOLERANCE : tolerance, effort[i], why);
    }
    return status;
}

/* A rough number of errors that the search will look at, for the progress. */
static double looks(const dpn_problem *p, const struct dpn_family *family) {
    double steps = p->most > 1 ? DPN_HUNT_STEPS_SEVERAL : DPN_HUNT_STEPS,
           spreads = dpn_hunt_may_differ(p, family) ? 4 : 0;
    double limits = family->shape ? (family->shape->below != NULL) + (family->shape->above != NULL) : 0;
    return (family->shape ? dpn_family_scan(family) + steps : 1) + (1 + limits) * spreads + limits + 1;
}

/* What competes: the families in the limits of the shape, the one of some of its members, and the family itself. */
enum { BELOW, ABOVE, MEMBER, INNER, FAMILIES = DPN_SEARCH_SPREADS, RIVALS = FAMILIES * DPN_HUNT_KINDS };

static_assert((int)DPN_FAMILY_KIN == (int)INNER, "the kin of a family come before it");

void dpn_family_kin(const struct dpn_family *kin[DPN_FAMILY_KIN], const struct dpn_family *family,
                    const dpn_calibration_options *options) {
    const dpn_shape_fact *shape = family->shape;
    for (int i = 0; i < DPN_FAMILY_KIN; i++) kin[i] = NULL;
    if (!shape) return;
    double least = options->shape_min, most = options->shape_max > 0 ? options->shape_max : INFINITY;
    if (options->shape_min == 0) kin[BELOW] = shape->below;
    if (options->shape_max == 0) kin[ABOVE] = shape->above;
    if (shape->member && least <= shape->member_at && shape->member_at <= most) kin[MEMBER] = shape->member;
}

/* By how much an estimate may exceed the true error, relatively: the accuracy of delta over its slope, twice for a
 * square, and twice to be sure. */
static double doubt(const dpn_candidate *c) {
    return c->slope < 0 ? fmin(2e-3, -4 * DPN_HUNT_ACCURACY / c->slope) : 1e-6;
}

static dpn_candidate *least_of(dpn_candidate *rival) {
    dpn_candidate *least = NULL;
    for (int i = 0; i < RIVALS; i++)
        if (rival[i].family && (!least || rival[i].error < least->error)) least = &rival[i];
    return least;
}

/* Whether a rival that takes patience to certify may be better than what was certified. */
static bool worth_waiting(const dpn_candidate *rival, const dpn_candidate *winner) {
    return rival->family && (!winner->family || rival->error < winner->error);
}

/* Whether a rival differs by so little from what was certified that it can gain nothing worth the time. */
static bool is_next_to(const dpn_candidate *rival, const dpn_candidate *winner) {
    return rival->family == winner->family && rival->mix == winner->mix && rival->width == winner->width &&
           !rival->spread && !winner->spread && rival->shape > 0 && fabs(rival->shape / winner->shape - 1) < 2e-6;
}

/* Finish the rival with the least loose error, and those that are so close that they may yet be better. One that takes patience is
 * put off until no other is left. */
static dpn_status finish_best(dpn_candidate *best, dpn_candidate *rival, dpn_hunt *h, dpn_error *why) {
    dpn_candidate winner = {0}, put_off = {0}, *next;
    int put_off_at = 0;
    while (!h->cancelled && ((next = least_of(rival)) || worth_waiting(&put_off, &winner))) {
        bool patient = !next;
        dpn_candidate one = next ? *next : put_off, loose = one;
        (next ? next : &put_off)->family = NULL;
        double best_error = winner.family ? winner.error : h->problem->rival;
        if (one.error > (1 + doubt(&one)) * best_error || is_next_to(&one, &winner)) continue;
        dpn_error reason;
        dpn_status status;
        int kind = next ? (int)(next - rival) % DPN_HUNT_KINDS : put_off_at;
        if (!dpn_findings_recall_end(&one, &status, &reason, h->problem, kind, patient)) {
            status = finish(&one, h->law, h->problem, patient, &reason);
            if (status != DPN_ECANCELLED)
                dpn_findings_keep_end(h->problem, &loose, kind, patient, &one, status, &reason);
        }
        dpn_hunt_report(h);
        if (status) {
            h->status = status;
            h->why = reason;
            if (refused(status) && !patient && !put_off.family) {
                put_off = loose;
                put_off_at = kind;
            }
        } else if (!winner.family || one.error < winner.error) {
            winner = one;
        }
    }
    if (h->cancelled) return dpn_problem_end(why);
    if (winner.family) {
        *best = winner;
        return DPN_OK;
    }
    if (h->status == DPN_OK) return dpn_fail(why, DPN_EUNSUPPORTED, "no shape has less error than what was found");
    if (why) *why = h->why;
    return h->status;
}

/* Whether there are more than a few different coordinates, which may get different scales. */
static bool may_spread(const dpn_problem *p) {
    return p->box && p->groups > 4 && !p->options.identical && p->options.condition == DPN_CONDITION_EXACT;
}

/* Fill in the rivals with their loose errors. */
static void find_rivals(dpn_candidate *rival, dpn_hunt *h, dpn_spread *room, const struct dpn_family *family) {
    const dpn_problem *p = h->problem;
    const struct dpn_family *families[FAMILIES] = {NULL};
    if (p->argument != DPN_ARGUMENT_BOUND) dpn_family_kin(families, family, &p->options);
    families[INNER] = family;
    double near = INFINITY, laplace = INFINITY;
    for (int i = 0; i < FAMILIES; i++) {
        if (!families[i]) continue;
        /* Noise on the integers of two parameters is the same on all coordinates, and slow to compose if these differ by
         * much; there its limits, which may be spread, speak for it. */
        bool wide = !p->options.identical && dpn_problem_is_wide(p, family);
        if (i == INNER && isfinite(near) && (wide || (dpn_family_step(family) > 0 && may_spread(p)))) continue;
        h->room = &room[i];
        h->limit = i == INNER ? laplace : INFINITY;
        /* Near a limit the family is dear to certify: a gain that is less than this goes to the limit. */
        h->enough = i == INNER && p->most > 1 ? (1 - 1e-5) * near : INFINITY;
        bool own = i == INNER && family->shape; /* in view of its limits */
        double error;
        if (own || !dpn_findings_recall(h->kind, &error, &room[i], p, families[i])) {
            error = dpn_hunt_family(h, families[i]);
            if (!own && !h->cancelled) dpn_findings_keep(p, families[i], h->kind, error);
        }
        if (error > h->enough) continue;
        memcpy(&rival[i * DPN_HUNT_KINDS], h->kind, sizeof h->kind);
        near = fmin(near, error);
        if (dpn_family_psi_is_laplace(families[i])) laplace = error;
    }
}

static dpn_status check_shape(const dpn_problem *p, const struct dpn_family *family, dpn_error *why) {
    double least = p->options.shape_min, most = p->options.shape_max;
    if (least == 0 && most == 0) return DPN_OK;
    if (!family->shape)
        return dpn_fail(why, DPN_EDOMAIN, "%s noise has no shape that could be kept in a range", family->name);
    if (!(least >= 0 && (most == 0 || least <= most) && isfinite(most) && isfinite(least)))
        return dpn_fail(why, DPN_EDOMAIN, "shape_min and shape_max must be finite and in order");
    return DPN_OK;
}

static dpn_status search(dpn_candidate *best, dpn_law *law, dpn_spread *room, const dpn_problem *p,
                         const struct dpn_family *family, bool loose, dpn_error *why) {
    dpn_status status = check_shape(p, family, why);
    if (status) return status;
    dpn_hunt h = {.problem = p, .law = law, .step = 1 / looks(p, family)};
    if (dpn_problem_is_cancelled(p)) return dpn_problem_end(why);
    bool cheap = p->most <= 1 || dpn_family_is_gaussian(family);
    if (!family->shape && !dpn_hunt_may_differ(p, family) && cheap) { /* nothing to search */
        *best = (dpn_candidate){.family = family};
        status = finish(best, law, p, true, why);
        return status ? status : dpn_candidate_laws(law, p, best, why);
    }
    dpn_candidate rival[RIVALS] = {{0}};
    find_rivals(rival, &h, room, family);
    if (h.cancelled) return dpn_problem_end(why);
    const dpn_candidate *least = least_of(rival);
    if (loose && least)
        *best = *least;
    else
        status = finish_best(best, rival, &h, why);
    return status ? status : dpn_candidate_laws(law, p, best, why);
}

/* The law that is known without a search, certified; false if there is none. */
static bool find_known(dpn_candidate *out, dpn_law *law, const dpn_problem *p, const struct dpn_family *family) {
    dpn_family_lore known = dpn_family_known(family);
    *out = (dpn_candidate){.family = family};
    if (!known.law || !known.law(law, p)) return false;
    if (dpn_problem_delta(&out->delta, &out->argument, p, law, 0, (dpn_effort){0}, NULL)) return false;
    out->error = dpn_problem_error(p, law, 0);
    return out->delta.upper <= p->delta && isfinite(out->error);
}

dpn_status dpn_search(dpn_candidate *best, dpn_law *law, dpn_spread *room, const dpn_problem *p,
                      const struct dpn_family *family, bool loose, dpn_error *why) {
    dpn_candidate known;
    dpn_law one;
    bool found = find_known(&known, &one, p, family);
    dpn_status status = DPN_OK;
    if (!found || p->largest > 1) status = search(best, law, room, p, family, loose, why);
    if (!found || status == DPN_ECANCELLED) return status;
    if (status || p->largest == 1 || known.error <= best->error) {
        *best = known;
        law[0] = one;
    }
    return DPN_OK;
}
