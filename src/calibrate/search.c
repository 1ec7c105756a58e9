/* The shape and the spread over the coordinates with the least error: a scan, then golden sections. */
#include "calibrate/search.h"

#include "base/error.h"
#include "calibrate/golden.h"
#include "calibrate/spread.h"
#include "calibrate/tuning.h"
#include "law/facts.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* While searching: the error of a candidate needs fewer digits than the answer. On one coordinate a boundary is cheap;
 * on several the scan and then the narrowing ask for estimates with bounds of these accuracies. */
#define LOOSE_TOLERANCE 1e-10
#define LOOSE_ACCURACY 1e-3
#define TOLERANCE 0.95e-9
#define SHARP_TOLERANCE 3e-13 /* where delta has a closed form or is one integral */
static const dpn_effort scan_effort = {0.1, true, true}, narrow_effort = {2e-3, true, true},
                        rough_effort = {0.05, true, true}, patient_effort = {2e-3, false, true};

enum {
    MOST_SCAN = 96,
    GOLDEN_STEPS = 30,
    GOLDEN_STEPS_SEVERAL = 9,
    MIX_STEPS = 7,
    FEW = 5,
    WIDTHS = 9,
    WIDTH_STEPS = 14
};

/* How noise may be spread over coordinates: the same on all (and the same where it has a corner, see below), by a power of their
 * sensitivities (and by the power of INID Theorem 8), or each by itself. */
enum { SAME, CORNER, POWER, INID, SPREAD, KINDS };

typedef struct hunt {
    const dpn_problem *problem;
    dpn_law *law;
    dpn_candidate at;          /* the last one that had an error, to start from */
    dpn_candidate best;        /* so far, by its loose error */
    dpn_candidate kind[KINDS]; /* the best of each kind */
    double from, to;           /* of the place of the shape */
    double width;              /* of steps, in sensitivities */
    dpn_spread *room;          /* for the one spread that is looked at */
    double limit;              /* the error in the limit towards which the scan runs, +inf if unknown */
    dpn_effort effort;         /* of the estimates on several coordinates */
    double done, step;         /* for the progress */
    bool cancelled;            /* from then on nothing is measured any more */
    dpn_status status;         /* of the last failure */
    dpn_error why;
} hunt;

static dpn_status cancel(dpn_error *why) {
    return dpn_fail(why, DPN_ECANCELLED, "the search for the noise was cancelled");
}

static void report(hunt *h) {
    h->done += h->step;
    if (h->problem->options.cancelled && h->problem->options.cancelled(h->problem->options.context))
        h->cancelled = true;
    if (h->problem->options.progress) h->problem->options.progress(h->problem->options.context, fmin(h->done, 1));
}

/* A scale for another shape with about the variance of the last one. */
static double neighbour(const hunt *h, double shape) {
    dpn_law now, next;
    dpn_error ignored;
    double unit = h->problem->largest;
    if (!(h->at.scale > 0) || h->at.spread ||
        dpn_family_tune(&now, h->at.family, h->at.shape, h->at.scale, unit, &ignored))
        return 0;
    if (shape == h->at.shape) return h->at.scale;
    double log_scale = log(h->at.scale), power = 2, last_scale = NAN, last = NAN, target = log(dpn_law_variance(&now));
    for (int round = 0; round < 6; round++) { /* secants: the variance is a power of the scale, or nearly one */
        if (dpn_family_tune(&next, h->at.family, shape, exp(log_scale), unit, &ignored)) return 0;
        double value = log(dpn_law_variance(&next)), seen = (value - last) / (log_scale - last_scale);
        if (!isfinite(value)) return 0;
        if (seen > 0.5 && seen < 8) power = seen;
        if (fabs(target - value) < 1e-4) break;
        last_scale = log_scale;
        last = value;
        log_scale += fmin(fmax((target - value) / power, -2), 2);
    }
    return exp(log_scale);
}

/* The scale and error of a candidate, with as many digits as a search needs. If there may be no other candidate to fall
 * back upon, the accountant may take its time. */
static dpn_status measure(dpn_candidate *one, hunt *h, dpn_error *why) {
    const dpn_problem *p = h->problem;
    if (h->cancelled) return cancel(why);
    if (p->most <= 1 || p->options.condition != DPN_CONDITION_EXACT || p->delta == 0)
        return dpn_boundary(one, h->law, p, LOOSE_TOLERANCE, (dpn_effort){.accuracy = LOOSE_ACCURACY}, why);
    double from = one->scale;
    dpn_status status = dpn_boundary_estimate(one, h->law, p, h->effort, why);
    if (status == DPN_EACCURACY &&
        dpn_family_step(one->family) ==
            0) { /* the middle of wider bounds is better than no error, which would mislead a search */
        one->scale = from;
        status = dpn_boundary_estimate(one, h->law, p, rough_effort, why);
    }
    bool others = one->family->shape && h->from != h->to;
    if (status != DPN_EACCURACY || others || h->best.family) return status;
    one->scale = from;
    return dpn_boundary_estimate(one, h->law, p, patient_effort, why);
}

/* Whether a shape has no chance against a plan that was found already: with its error, the noise is not private. The error is a
 * power of the scale. */
static bool hopeless(const hunt *h, dpn_candidate one) {
    const dpn_problem *p = h->problem;
    double power = p->options.objective == DPN_OBJECTIVE_MSE ? 2 : 1, excess = 0;
    if (isinf(p->rival) || one.family->integer || one.spread || h->cancelled) return false;
    one.scale = 1;
    if (dpn_candidate_laws(h->law, p, &one, NULL)) return true;
    one.scale = pow(p->rival * (1 - 1e-6) / dpn_problem_error(p, h->law, dpn_candidate_stride(&one)), 1 / power);
    return dpn_candidate_excess(&excess, &one, h->law, p, h->effort, NULL) || excess > 0;
}

/* The error of a candidate, +inf if there is none; the least is kept. */
static double look_at(hunt *h, dpn_candidate one) {
    dpn_error why;
    if (hopeless(h, one)) {
        report(h);
        return INFINITY;
    }
    dpn_status status = measure(&one, h, &why);
    report(h);
    if (!status && !isfinite(one.error)) status = dpn_fail(&why, DPN_EACCURACY, "the error of the noise overflows");
    if (status) {
        h->status = status;
        h->why = why;
        return INFINITY;
    }
    h->at = one;
    if (!h->best.family || one.error < h->best.error) h->best = one;
    return one.error;
}

/* The error at a shape and mix, starting from the last candidate. */
static double error_at(hunt *h, double shape, double mix) {
    return look_at(h, (dpn_candidate){.family = h->at.family,
                                      .shape = shape,
                                      .mix = mix,
                                      .width = h->width,
                                      .scale = neighbour(h, shape),
                                      .slope = h->at.slope});
}

/* The search runs over the logarithm of the distance of the shape to where its limit below is. */
static double place_of(const struct dpn_family *family, double shape) {
    return log(shape - family->shape->lowest);
}

static double shape_at(const hunt *h, double t) {
    double step = dpn_family_step(h->at.family), shape = h->at.family->shape ? h->at.family->shape->lowest + exp(t) : 0;
    return step > 0 ? step * round(shape / step) : shape;
}

/* ---- one coordinate of the search at a time ---- */

typedef struct line {
    hunt *h;
    double shape, mix; /* the one that is held */
    bool over_mix;
} line;

static double along(void *context, double x) {
    const line *l = context;
    return l->over_mix ? error_at(l->h, l->shape, x) : error_at(l->h, shape_at(l->h, x), l->mix);
}

/* The scan runs from the Gaussian towards the Laplace end, where the atoms of the losses make the accountant slow and
 * at last refuse. Beyond a refusal the limit speaks for the shapes; and where the errors have been rising towards a
 * limit that is itself well above the least, or above what another spread has, nothing is left to find. */
static bool stop_scan(const hunt *h, const double *value, int i, double rival) {
    if (!isfinite(h->limit) || i < 3) return false;
    if (!isfinite(value[i])) return isfinite(value[i - 1]);
    bool rising = value[i - 2] < value[i - 1] && value[i - 1] < value[i];
    double least = fmin(h->best.error, rival);
    return rising && value[i] > 1.1 * least && h->limit > 1.1 * least;
}

/* Of a plateau, as near a limit, only the first point counts. */
static bool is_dip(const double *value, int i, int count) {
    if (!isfinite(value[i])) return false;
    return (i == 0 || value[i - 1] > value[i] * (1 + 1e-9)) &&
           (i + 1 == count || value[i + 1] >= value[i] * (1 - 1e-9));
}

/* ---- corners ---- */

static bool has_kink(const hunt *h, double t, double mix) {
    dpn_candidate one = {.family = h->at.family, .shape = shape_at(h, t), .mix = mix};
    return !isnan(dpn_candidate_log_kink(one, h->law, h->problem));
}

/* The logarithm of delta where the largest atom is at epsilon, relative to what is asked for: > 0 if the tails are too
 * heavy. That is a hard place for the accountant, which is asked for less where it refuses; NaN if it still does. */
static double excess_at_kink(const hunt *h, double t, double mix) {
    static const dpn_effort efforts[] = {{.accuracy = 1e-4, .brief = true},
                                         {.accuracy = 2e-3, .brief = true},
                                         {.accuracy = 0.1, .brief = true},
                                         {.accuracy = 1, .brief = true}};
    dpn_candidate one = {.family = h->at.family, .shape = shape_at(h, t), .mix = mix};
    double excess = NAN;
    dpn_status status = DPN_EACCURACY;
    one.scale = exp(dpn_candidate_log_kink(one, h->law, h->problem));
    for (size_t i = 0; i < sizeof efforts / sizeof *efforts && one.scale > 0 && status == DPN_EACCURACY; i++)
        status = dpn_candidate_excess(&excess, &one, h->law, h->problem, efforts[i], NULL);
    return status ? NAN : excess;
}

/* The lowest shape whose atoms are large enough to count; +inf if there is none. */
static double first_kink(const hunt *h, double low, double high, double mix) {
    if (!has_kink(h, high, mix)) return INFINITY;
    if (has_kink(h, low, mix)) return low;
    while (high - low > 1e-3) *(has_kink(h, 0.5 * (low + high), mix) ? &high : &low) = 0.5 * (low + high);
    return high;
}

/* Where the atom at epsilon and the tails bind at once the error has a corner, and there it is often least: with more
 * weight in the tails the scale has to exceed the kink, with less the shape is wider than it has to be. The excess falls
 * with the shape; where the accountant refuses delta is small, so that a refusal bounds the corner from above, and from
 * below the secant leads to it. */
static void look_at_corner(hunt *h, double mix) {
    const double width = 1e-6;
    double high = fmax(h->from, h->to), low = first_kink(h, fmin(h->from, h->to), high, mix), high_excess = NAN;
    double low_excess = low < high ? excess_at_kink(h, low, mix) : NAN, last = NAN, last_excess = NAN;
    if (!(low_excess > 0)) return;
    int refusals = 0;
    for (int round = 0; round < 40 && high - low > width && refusals < 6; round++) {
        double x = low + (high - low) * low_excess / (low_excess - high_excess);
        if (isnan(high_excess)) x = low + low_excess * (low - last) / (last_excess - low_excess);
        if (!(x > low && x < high) || round % 4 == 3) x = 0.5 * (low + high);
        x = fmin(fmax(x, low + 0.4 * width), high - 0.4 * width);
        double excess = excess_at_kink(h, x, mix);
        if (excess > 0) {
            last = low;
            last_excess = low_excess;
            low = x;
            low_excess = excess;
        } else {
            refusals += isnan(excess);
            high = x;
            high_excess = excess;
        }
    }
    line l = {h, 0, mix, false};
    along(&l, low);
    along(&l, high);
    /* Estimates are least sure here: what is known to be enough is finished besides the best of them. */
    dpn_candidate enough = {.family = h->at.family, .shape = shape_at(h, high), .mix = mix};
    enough.scale = exp(dpn_candidate_log_kink(enough, h->law, h->problem));
    if (!(high_excess <= 0) || dpn_candidate_laws(h->law, h->problem, &enough, NULL)) return;
    enough.error = dpn_problem_error(h->problem, h->law, dpn_candidate_stride(&enough));
    h->kind[CORNER] = enough;
}

/* ---- the shapes ---- */

/* Scan the shapes and narrow the lowest dips. */
static void over_shape(hunt *h, double mix) {
    line l = {h, 0, mix, false};
    dpn_law some;
    bool known = !dpn_family_tune(&some, h->at.family, shape_at(h, h->to), 1, 1, NULL) && dpn_law_is_quick(&some);
    bool alone = h->problem->most <= 1 && known; /* cheap: look closely */
    int count = dpn_family_scan(h->at.family) * (alone ? 4 : 1);
    if (count > MOST_SCAN) count = MOST_SCAN;
    if (h->from == h->to) {
        along(&l, h->from);
        return;
    }
    double rival = fmin(h->kind[SPREAD].family ? h->kind[SPREAD].error : INFINITY, h->problem->rival);
    double t[MOST_SCAN + 2], value[MOST_SCAN + 2];
    dpn_candidate seen[MOST_SCAN + 2];
    bool cheap = h->problem->most <= 1 || h->problem->delta == 0;
    int steps = cheap ? GOLDEN_STEPS : GOLDEN_STEPS_SEVERAL;
    h->effort = scan_effort;
    for (int i = 0; i < count; i++) {
        t[i] = h->from + (h->to - h->from) * i / (count - 1);
        value[i] = along(&l, t[i]);
        seen[i] = h->at;
        if (stop_scan(h, value, i, rival)) count = i + 1;
    }
    if (h->best.family && h->best.error > 1.02 * rival) return; /* another spread is better by far */
    h->effort = narrow_effort;
    dpn_candidate rough = h->best;
    if (h->problem->most > 1) h->best = (dpn_candidate){0}; /* what is kept has the better accuracy */
    look_at_corner(h, mix);
    double published = place_of(h->at.family, dpn_family_published(h->at.family, h->problem));
    if (published >= h->from && published <= h->to) along(&l, published);
    bool used[MOST_SCAN + 2] = {false};
    for (int dip = 0; dip < (h->problem->most > 1 ? 2 : 4); dip++) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (!used[i] && is_dip(value, i, count) && (least < 0 || value[i] < value[least])) least = i;
        if (least < 0 || (dip > 0 && value[least] > 1.05 * h->best.error)) break; /* too far above to end lower */
        h->at = seen[least];
        if (h->problem->most > 1) along(&l, t[least]); /* anew: the scan was coarser */
        dpn_golden(along, &l, t[least > 0 ? least - 1 : 0], t[least + 1 < count ? least + 1 : count - 1], steps);
        used[least] = true;
    }
    if (!h->best.family) h->best = rough;
}

/* ---- the width of steps ---- */

/* The least error at a width of the steps, over the shapes near the best one so far. */
static double at_width(void *context, double log_width) {
    hunt *h = context;
    line l = {h, 0, 0, false};
    dpn_candidate before = h->best;
    double around = h->best.family ? place_of(h->at.family, h->best.shape) : 0.5 * (h->from + h->to), reach = 1.5;
    h->best = (dpn_candidate){0};
    h->width = exp(log_width);
    double low = fmax(fmin(h->from, h->to), around - reach), high = fmin(fmax(h->from, h->to), around + reach);
    along(&l, low);
    along(&l, high);
    dpn_golden(along, &l, low, high, WIDTH_STEPS);
    double error = h->best.family ? h->best.error : INFINITY;
    if (before.family && !(error < before.error)) h->best = before;
    return error;
}

/* Steps as wide as the sensitivity are best for pure noise; with a large delta wider ones may be. */
static void over_width(hunt *h) {
    double best = INFINITY, at = 0;
    for (int i = 0; i < WIDTHS; i++) {
        double t = log(0.5) + i * log(16) / (WIDTHS - 1), error = at_width(h, t);
        if (!(error < best)) continue;
        best = error;
        at = t;
    }
    double step = log(16) / (WIDTHS - 1);
    dpn_golden(at_width, h, at - step, at + step, WIDTH_STEPS);
    h->width = 1;
}

/* ---- where to search ---- */

/* From the Gaussian end, if there is one, towards the Laplace end. */
static void set_range(hunt *h, const struct dpn_family *family) {
    const dpn_problem *p = h->problem;
    const struct dpn_family *above = family->shape->above;
    double from, to;
    dpn_family_range(&from, &to, family, p);
    if (p->options.shape_min > 0) from = p->options.shape_min;
    if (p->options.shape_max > 0) to = p->options.shape_max;
    bool backwards = above && dpn_family_is_gaussian(above);
    double distance = fmin(from, to) - family->shape->lowest; /* of the limit, which competes by itself */
    double near = log(distance > 0 ? distance : family->shape->least - family->shape->lowest);
    double far = fmax(near, place_of(family, to));
    h->from = backwards ? far : near;
    h->to = backwards ? near : far;
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

/* Whether coordinates may get different scales. Integer laws of two parameters compose only if they share them. */
static bool may_differ(const dpn_problem *p, const struct dpn_family *family) {
    return p->box && p->groups > 1 && !p->options.identical && p->options.condition == DPN_CONDITION_EXACT &&
           dpn_family_step(family) == 0;
}

/* The powers that are best for other noise, with the shape that is best for the same noise on all, and, if there is no
 * other spread, powers between and around. */
static void over_mix(hunt *h) {
    const dpn_problem *p = h->problem;
    double shape = h->kind[SAME].shape;
    h->at = h->kind[SAME];
    error_at(h, shape, 1);
    h->kind[INID] = h->best;
    error_at(h, shape, 2);
    if (p->delta == 0 && dpn_family_is_laplace(h->at.family)) return; /* a mix of 1 is the optimum */
    if (h->kind[SPREAD].family || !h->best.family) return;
    line l = {h, shape, 0, true};
    h->at = h->best;
    dpn_golden(along, &l, fmax(0.02, h->best.mix - 1), fmin(3, h->best.mix + 1), MIX_STEPS);
    if (p->delta > 0 || h->from == h->to) return;
    /* Pure guarantees cost nothing to look at: the shape once more. */
    double t = place_of(h->at.family, h->best.shape), reach = fabs(h->to - h->from) / dpn_family_scan(h->at.family);
    line again = {h, 0, h->best.mix, false};
    h->at = h->best;
    dpn_golden(along, &again, fmax(fmin(h->from, h->to), t - reach), fmin(fmax(h->from, h->to), t + reach),
               GOLDEN_STEPS);
}

/* A spread whose scales are changed by a power of the sensitivities. */
static double bent(void *context, double power) {
    hunt *h = context;
    dpn_candidate one = h->best;
    one.mix = power;
    return look_at(h, one);
}

/* The spread of the saddle-point approximation, scaled by what the accountant says. It is as good as the approximation,
 * which is worst on few coordinates; there it is bent a little to be better. */
static void over_spread(hunt *h) {
    double from = h->at.family->shape ? log(shape_at(h, h->from)) : 0,
           to = h->at.family->shape ? log(shape_at(h, h->to)) : 0;
    if (dpn_spread_find(h->room, h->problem, h->at.family, from, to, NULL) == DPN_OK)
        look_at(h, (dpn_candidate){.family = h->at.family, .scale = 1, .spread = h->room});
    if (h->best.family && h->problem->most <= FEW) dpn_golden(bent, h, -0.2, 0.2, MIX_STEPS);
}

/* Keep the best as that of its kind, and begin anew. */
static void keep(hunt *h, int kind, const struct dpn_family *family) {
    h->kind[kind] = h->best;
    h->best = (dpn_candidate){0};
    h->at = (dpn_candidate){.family = family};
}

/* The best candidates of the family alone, of each kind, by loose errors; the error of the best of all, +inf if there is
 * none. */
static double family_search(hunt *h, const struct dpn_family *family) {
    const dpn_problem *p = h->problem;
    bool differ = may_differ(p, family), gaussian = dpn_family_is_gaussian(family);
    bool wide =
        family->integer && dpn_family_psi_is_gaussian(family); /* nearly Gaussian, and each look may take a second */
    for (int kind = 0; kind < KINDS; kind++) keep(h, kind, family);
    h->width = 1;
    h->from = h->to = 0;
    h->effort = narrow_effort;
    if (family->shape) set_range(h, family);
    if (differ && p->delta > 0 && !gaussian && !wide) over_spread(h);
    keep(h, SPREAD, family);
    if (family->shape) {
        over_shape(h, 0);
        if (family->stairs && p->most <= 1 && p->delta > 0 && h->from != h->to && isinf(p->rival)) over_width(h);
    } else
        error_at(h, 0, differ && gaussian ? 2 : 0); /* INID Theorem 5 is the optimum */
    keep(h, SAME, family);
    bool limited =
        family->shape && (family->shape->below || family->shape->above); /* the limits have these powers too */
    if (differ && wide)
        error_at(h, 0, 2);
    else if (differ && !gaussian && h->kind[SAME].family && !(limited && h->kind[SPREAD].family))
        over_mix(h);
    keep(h, POWER, family);
    double least = INFINITY;
    for (int kind = 0; kind < KINDS; kind++)
        if (h->kind[kind].family) least = fmin(least, h->kind[kind].error);
    return least;
}

/* The accountant takes many different losses only where the contour sum serves. */
static bool refused(dpn_status status) {
    return status == DPN_EACCURACY || status == DPN_EUNSUPPORTED;
}

/* The scale to the last digit asked for, by the accountant's usual accuracy if it can do that quickly, or with less. The
 * upper end of a wider interval is certified too; where the accountant is slow delta is steep, so that the scale loses
 * little. A loss without closed form takes minutes with patience, which is for those who gain by it. */
static dpn_status finish(dpn_candidate *best, dpn_law *law, const dpn_problem *p, bool patient, dpn_error *why) {
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
        best->scale = from;
        status = dpn_boundary(best, law, p, tolerance, effort[i], why);
    }
    return status;
}

/* A rough number of errors that the search will look at, for the progress. */
static double looks(const dpn_problem *p, const struct dpn_family *family) {
    double steps = p->most > 1 ? GOLDEN_STEPS_SEVERAL : GOLDEN_STEPS, spreads = may_differ(p, family) ? 4 : 0;
    double limits = family->shape ? (family->shape->below != NULL) + (family->shape->above != NULL) : 0;
    return (family->shape ? dpn_family_scan(family) + steps : 1) + (1 + limits) * spreads + limits + 1;
}

/* What competes: the families in the limits of the shape, the one of some of its members, and the family itself. */
enum { BELOW, ABOVE, MEMBER, INNER, FAMILIES = DPN_SEARCH_SPREADS, RIVALS = FAMILIES * KINDS };

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
    return c->slope < 0 ? fmin(2e-3, -4 * narrow_effort.accuracy / c->slope) : 1e-6;
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

/* Finish the rival with the least loose error, and those that are so close that they may yet be better. One that takes patience is
 * put off until no other is left. */
static dpn_status finish_best(dpn_candidate *best, dpn_candidate *rival, hunt *h, dpn_error *why) {
    dpn_candidate winner = {0}, put_off = {0}, *next;
    while (!h->cancelled && ((next = least_of(rival)) || worth_waiting(&put_off, &winner))) {
        bool patient = !next;
        dpn_candidate one = next ? *next : put_off, loose = one;
        (next ? next : &put_off)->family = NULL;
        double best_error = winner.family ? winner.error : h->problem->rival;
        if (one.error > (1 + doubt(&one)) * best_error) continue;
        dpn_error reason;
        dpn_status status = finish(&one, h->law, h->problem, patient, &reason);
        report(h);
        if (status) {
            h->status = status;
            h->why = reason;
            if (refused(status) && !patient && !put_off.family) put_off = loose;
        } else if (!winner.family || one.error < winner.error) {
            winner = one;
        }
    }
    if (h->cancelled) return cancel(why);
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
static void find_rivals(dpn_candidate *rival, hunt *h, dpn_spread *room, const struct dpn_family *family) {
    const dpn_problem *p = h->problem;
    const struct dpn_family *families[FAMILIES] = {NULL};
    if (p->argument != DPN_ARGUMENT_BOUND) dpn_family_kin(families, family, &p->options);
    families[INNER] = family;
    double near = INFINITY, laplace = INFINITY;
    for (int i = 0; i < FAMILIES; i++) {
        if (!families[i]) continue;
        /* Noise on the integers of two parameters is the same on all coordinates, and slow to compose if these differ by
         * much; there its limits, which may be spread, speak for it. */
        if (i == INNER && dpn_family_step(family) > 0 && may_spread(p) && isfinite(near)) continue;
        h->room = &room[i];
        h->limit = i == INNER ? laplace : INFINITY;
        double error = family_search(h, families[i]);
        /* Near a limit the family is dear to certify: a gain that is less than this goes to the limit. */
        if (i == INNER && p->most > 1 && error > (1 - 1e-5) * near) continue;
        memcpy(&rival[i * KINDS], h->kind, sizeof h->kind);
        near = fmin(near, error);
        if (dpn_family_psi_is_laplace(families[i])) laplace = error;
    }
}

static dpn_status search(dpn_candidate *best, dpn_law *law, dpn_spread *room, const dpn_problem *p,
                         const struct dpn_family *family, bool loose, dpn_error *why) {
    dpn_status status = check_shape(p, family, why);
    if (status) return status;
    hunt h = {.problem = p, .law = law, .step = 1 / looks(p, family)};
    h.cancelled = p->options.cancelled && p->options.cancelled(p->options.context);
    if (h.cancelled) return cancel(why);
    bool cheap = p->most <= 1 || dpn_family_is_gaussian(family);
    if (!family->shape && !may_differ(p, family) && cheap) { /* nothing to search */
        *best = (dpn_candidate){.family = family};
        status = finish(best, law, p, true, why);
        return status ? status : dpn_candidate_laws(law, p, best, why);
    }
    dpn_candidate rival[RIVALS] = {{0}};
    find_rivals(rival, &h, room, family);
    if (h.cancelled) return cancel(why);
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
