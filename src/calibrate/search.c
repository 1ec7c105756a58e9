/* The shape and the spread over the coordinates with the least error: a scan, then golden sections. */
#include "calibrate/search.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* While searching: the error of a candidate needs fewer digits than the answer. On one coordinate a boundary is cheap;
 * on several the scan and then the narrowing ask for estimates with bounds of these accuracies. */
#define LOOSE_TOLERANCE 1e-7
#define LOOSE_ACCURACY 1e-3
#define SCAN_ACCURACY 0.1
#define NARROW_ACCURACY 2e-3
#define TOLERANCE 0.95e-9

enum { MOST_SCAN = 96, GOLDEN_STEPS = 30, GOLDEN_STEPS_SEVERAL = 9, MIX_STEPS = 7 };
static const double golden = 0.6180339887498949;

typedef struct hunt {
    const dpn_problem *problem;
    dpn_law *law;
    dpn_candidate at;   /* the last one that had an error, to start from */
    dpn_candidate best; /* so far, by its loose error */
    double from, to;    /* of the shape, in logarithms */
    double limit;       /* the error in the limit towards which the scan runs, +inf if unknown */
    double accuracy;    /* of the estimates on several coordinates */
    double done, step;  /* for the progress */
    dpn_status status;  /* of the last failure */
    dpn_error why;
} hunt;

static void report(hunt *h) {
    h->done += h->step;
    if (h->problem->how.progress) h->problem->how.progress(h->problem->how.context, fmin(h->done, 1));
}

/* A scale for another shape with about the variance of the last one. */
static double neighbour(const hunt *h, double shape) {
    dpn_law now, next;
    dpn_error ignored;
    double unit = h->problem->largest;
    if (!(h->at.scale > 0) || dpn_tuning_law(&now, h->at.family, h->at.shape, h->at.scale, unit, &ignored)) return 0;
    if (shape == h->at.shape) return h->at.scale;
    double scale = h->at.scale;
    for (int round = 0; round < 2; round++) {
        if (dpn_tuning_law(&next, h->at.family, shape, scale, unit, &ignored)) return 0;
        double ratio = dpn_law_variance(&now) / dpn_law_variance(&next);
        if (!(ratio > 0 && isfinite(ratio))) return 0;
        scale *= sqrt(ratio);
    }
    return scale;
}

/* The error at a shape and mix, +inf if there is none. */
static double error_at(hunt *h, double shape, double mix) {
    dpn_candidate one = {
        .family = h->at.family, .shape = shape, .mix = mix, .scale = neighbour(h, shape), .slope = h->at.slope};
    const dpn_problem *p = h->problem;
    dpn_error why;
    dpn_status status;
    if (p->most > 1 && p->how.condition == DPN_CONDITION_EXACT && p->delta > 0)
        status = dpn_boundary_estimate(&one, h->law, p, h->accuracy, &why);
    else
        status = dpn_boundary(&one, h->law, p, LOOSE_TOLERANCE, LOOSE_ACCURACY, &why);
    report(h);
    if (status || !isfinite(one.error)) {
        h->status = status ? status : dpn_fail(&why, DPN_EACCURACY, "the error of the noise overflows");
        h->why = why;
        return INFINITY;
    }
    h->at = one;
    if (!h->best.family || one.error < h->best.error) h->best = one;
    return one.error;
}

static double shape_at(const hunt *h, double t) {
    double step = h->at.family->step, shape = exp(t);
    return step > 0 ? step * round(shape / step) : shape;
}

/* ---- one coordinate of the search at a time ---- */

typedef struct line {
    hunt *h;
    double shape, mix; /* the one that is held */
    bool over_mix;
} line;

static double along(const line *l, double x) {
    return l->over_mix ? error_at(l->h, l->shape, x) : error_at(l->h, shape_at(l->h, x), l->mix);
}

static void golden_section(const line *l, double low, double high, int steps) {
    double x = high - golden * (high - low), y = low + golden * (high - low);
    double at_x = along(l, x), at_y = along(l, y);
    for (int i = 2; i < steps; i++) {
        if (at_x <= at_y) {
            high = y;
            y = x;
            at_y = at_x;
            x = high - golden * (high - low);
            at_x = along(l, x);
        } else {
            low = x;
            x = y;
            at_x = at_y;
            y = low + golden * (high - low);
            at_y = along(l, y);
        }
    }
}

/* The scan runs from the Gaussian towards the Laplace end, where the atoms of the losses make the accountant slow and
 * at last refuse. Beyond a refusal the limit speaks for the shapes; and where the errors have been rising towards a
 * limit that is itself well above the least, nothing is left to find. */
static bool stop_scan(const hunt *h, const double *value, int i) {
    if (!isfinite(h->limit) || i < 3) return false;
    if (!isfinite(value[i])) return isfinite(value[i - 1]);
    bool rising = value[i - 2] < value[i - 1] && value[i - 1] < value[i];
    return rising && value[i] > 1.1 * h->best.error && h->limit > 1.1 * h->best.error;
}

/* Of a plateau, as near a limit, only the first point counts. */
static bool is_dip(const double *value, int i, int count) {
    if (!isfinite(value[i])) return false;
    return (i == 0 || value[i - 1] > value[i] * (1 + 1e-9)) &&
           (i + 1 == count || value[i + 1] >= value[i] * (1 - 1e-9));
}

/* ---- corners ---- */

/* delta where the largest atom is at epsilon, relative to what is asked for: > 0 if the tails are too heavy. */
static double excess_at_kink(const hunt *h, double t, double mix) {
    dpn_candidate one = {.family = h->at.family, .shape = shape_at(h, t), .mix = mix};
    double excess;
    one.scale = exp(dpn_candidate_log_kink(one, h->law, h->problem));
    if (!(one.scale > 0) || dpn_candidate_excess(&excess, &one, h->law, h->problem, h->accuracy, NULL)) return -INFINITY;
    return excess;
}

/* Where the atom at epsilon and the tails bind at once the error has a corner, and there it is often least: with more
 * weight in the tails the scale has to exceed the kink, with less the shape is wider than it has to be. */
static void look_at_corner(hunt *h, double mix) {
    double low = fmin(h->from, h->to), high = fmax(h->from, h->to), low_excess, high_excess;
    dpn_candidate any = {.family = h->at.family, .shape = shape_at(h, low), .mix = mix};
    if (isnan(dpn_candidate_log_kink(any, h->law, h->problem))) return;
    low_excess = excess_at_kink(h, low, mix);
    high_excess = excess_at_kink(h, high, mix);
    if (!(low_excess > 0 && high_excess <= 0)) return;
    for (int round = 0; round < 40 && high - low > 1e-7; round++) {
        double x = low + (high - low) * low_excess / (low_excess - high_excess);
        if (!(x > low && x < high) || round % 3 == 2) x = 0.5 * (low + high);
        x = fmin(fmax(x, low + 0.4e-7), high - 0.4e-7);
        double excess = excess_at_kink(h, x, mix);
        if (excess > 0) {
            low = x;
            low_excess = excess;
        } else {
            high = x;
            high_excess = excess;
        }
    }
    line l = {h, 0, mix, false};
    along(&l, low);
    along(&l, high);
}

/* Scan the shapes and narrow the lowest dips. */
static void over_shape(hunt *h, double mix) {
    line l = {h, 0, mix, false};
    bool alone = h->problem->most <= 1 && strcmp(h->at.family->family, "subbotin") != 0; /* cheap: look closely */
    int count = h->at.family->scan * (alone ? 4 : 1);
    if (h->from == h->to) {
        along(&l, h->from);
        return;
    }
    double t[MOST_SCAN + 2], value[MOST_SCAN + 2];
    dpn_candidate seen[MOST_SCAN + 2];
    int steps = h->problem->most > 1 ? GOLDEN_STEPS_SEVERAL : GOLDEN_STEPS;
    h->accuracy = SCAN_ACCURACY;
    for (int i = 0; i < count; i++) {
        t[i] = h->from + (h->to - h->from) * i / (count - 1);
        value[i] = along(&l, t[i]);
        seen[i] = h->at;
        if (stop_scan(h, value, i)) count = i + 1;
    }
    h->accuracy = NARROW_ACCURACY;
    dpn_candidate rough = h->best;
    if (h->problem->most > 1) h->best = (dpn_candidate){0};
    look_at_corner(h, mix);
    bool used[MOST_SCAN + 2] = {false};
    for (int dip = 0; dip < (h->problem->most > 1 ? 2 : 4); dip++) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (!used[i] && is_dip(value, i, count) && (least < 0 || value[i] < value[least])) least = i;
        if (least < 0 || (dip > 0 && value[least] > 1.05 * h->best.error)) break; /* too far above to end lower */
        h->at = seen[least];
        if (h->problem->most > 1) along(&l, t[least]); /* anew: the scan was coarser */
        golden_section(&l, t[least > 0 ? least - 1 : 0], t[least + 1 < count ? least + 1 : count - 1], steps);
        used[least] = true;
    }
    if (!h->best.family) h->best = rough;
}

/* ---- where to search ---- */

/* Where the shape lies depends on the guarantee for some families. */
static void set_range(hunt *h, const dpn_tuning *family) {
    const dpn_problem *p = h->problem;
    double from = family->least, to = family->most;
    if (!strcmp(family->family, "staircase")) { /* the best gamma of pure noise, Geng and Viswanath */
        double b = exp(-fmin(p->epsilon, 250)), c = cbrt(0.5 * b * (1 + b));
        from = fmin(from, 0.3 * b * (1 + 2 * b) / (2 * (c * c + c * b + b * b)));
    } else if (!strcmp(family->family, "truncated-laplace")) { /* the bound at the scale D/epsilon, Geng et al. */
        double r = p->epsilon < 500 ? log1p(expm1(p->epsilon) / (2 * p->delta)) : p->epsilon - log(2 * p->delta);
        from = fmax(2e-9, r / 8);
        to = fmax(50, 8 * r);
    } else if (family->step > 0) { /* in steps; beyond this the law is that of the limit */
        double reach = fmin(p->l2 * sqrt(2 * fmax(1, -log(p->delta))), 1.5 * p->l1) / fmax(p->epsilon, 1e-3);
        to = fmin(to, ceil(fmax(16, (strcmp(family->family, "discrete-osgt") ? 100 : 2000) * reach)));
    }
    /* On several coordinates shapes nearer to Laplace than this cost seconds each, and the limit competes in their
     * place. */
    if (p->most > 1 && !strcmp(family->family, "flipped-huber")) to = 5;
    if (p->most > 1 && !strcmp(family->family, "osgt")) to = 20;
    if (p->how.shape_min > 0) from = p->how.shape_min;
    if (p->how.shape_max > 0) to = p->how.shape_max;
    h->from = log(fmin(from, to));
    h->to = log(to);
    if (!strcmp(family->family, "huber")) { /* Laplace is at the lower end */
        double end = h->from;
        h->from = h->to;
        h->to = end;
    }
}

static dpn_status check_shape(const dpn_problem *p, const dpn_tuning *family, dpn_error *why) {
    double least = p->how.shape_min, most = p->how.shape_max;
    if (least == 0 && most == 0) return DPN_OK;
    if (!family->name)
        return dpn_fail(why, DPN_EDOMAIN, "%s noise has no shape that could be kept in a range", family->family);
    if (!(least >= 0 && (most == 0 || least <= most) && isfinite(most) && isfinite(least)))
        return dpn_fail(why, DPN_EDOMAIN, "shape_min and shape_max must be finite and in order");
    return DPN_OK;
}

/* Whether coordinates may get different scales. Integer laws of two parameters compose only if they share them. */
static bool may_differ(const dpn_problem *p, const dpn_tuning *family) {
    return p->box && p->groups > 1 && !p->how.identical && p->how.condition == DPN_CONDITION_EXACT && family->step == 0;
}

/* The best candidate of the family alone, by loose errors. */
static dpn_status family_search(hunt *h, const dpn_tuning *family, dpn_error *why) {
    const dpn_problem *p = h->problem;
    h->at = (dpn_candidate){.family = family};
    h->best = (dpn_candidate){0};
    bool differ = may_differ(p, family);
    if (family->name) set_range(h, family);
    double mixes[] = {0, 1, 2};
    int count = differ ? 3 : 1;
    bool gaussian = differ && !strcmp(family->family, "gaussian");
    h->accuracy = NARROW_ACCURACY;
    for (int i = gaussian ? 2 : 0; i < count; i++) {
        if (family->name)
            over_shape(h, mixes[i]);
        else
            error_at(h, 0, mixes[i]);
    }
    if (!h->best.family) {
        if (why) *why = h->why;
        return h->status;
    }
    if (differ && !gaussian && !(p->delta == 0 && !strcmp(family->family, "laplace"))) {
        line mix = {h, h->best.shape, 0, true};
        h->at = h->best;
        golden_section(&mix, fmax(0.02, h->best.mix - 1), fmin(3, h->best.mix + 1), MIX_STEPS);
        if (family->name && h->from != h->to) {
            line shape = {h, 0, h->best.mix, false};
            double t = log(h->best.shape), reach = fabs(h->to - h->from) / family->scan;
            h->at = h->best;
            golden_section(&shape, fmax(fmin(h->from, h->to), t - reach), fmin(fmax(h->from, h->to), t + reach),
                           MIX_STEPS);
        }
    }
    return DPN_OK;
}

/* The scale to the last digit asked for. Where the accountant does not reach its usual accuracy a wider interval
 * serves: its upper end is certified too. */
static const double finish_accuracy[] = {0, 1e-4, 0.9 * DPN_BRIEF_ACCURACY};
enum { FINISHES = sizeof finish_accuracy / sizeof *finish_accuracy };

/* Where delta falls steeply a coarser one tells the scale as well: this is the accuracy that moves it by a hundredth
 * of the tolerance. */
static double accuracy_for(const dpn_candidate *c, double usual) {
    double enough = fmin(-0.01 * c->slope * TOLERANCE, 0.9 * DPN_BRIEF_ACCURACY);
    return enough > 1e-5 ? fmax(usual, enough) : usual;
}

static dpn_status finish(dpn_candidate *best, dpn_law *law, const dpn_problem *p, dpn_error *why) {
    dpn_status status = DPN_EACCURACY;
    double from = best->scale;
    for (int i = 0; i < FINISHES && status == DPN_EACCURACY; i++) {
        best->scale = from;
        status = dpn_boundary(best, law, p, TOLERANCE, accuracy_for(best, finish_accuracy[i]), why);
    }
    return status;
}

dpn_status dpn_search_certify(dpn_delta *out, const dpn_candidate *best, const dpn_law *law, const dpn_problem *p,
                              dpn_error *why) {
    dpn_status status = DPN_EACCURACY;
    double last = -1;
    for (int i = 0; i < 2 * FINISHES; i++) { /* the usual accuracies, and those of the search */
        double accuracy = finish_accuracy[i % FINISHES];
        if (i >= FINISHES) accuracy = accuracy_for(best, accuracy);
        if (accuracy == last) continue;
        status = dpn_problem_delta(out, p, law, dpn_candidate_stride(best), last = accuracy, why);
        if (status ? status != DPN_EACCURACY : out->upper <= p->delta) break;
    }
    return status;
}

/* A rough number of errors that the search will look at, for the progress. */
static double looks(const dpn_problem *p, const dpn_tuning *family) {
    double one = family->name ? family->scan + GOLDEN_STEPS : 1,
           limits = (family->below != NULL) + (family->above != NULL);
    return (may_differ(p, family) ? 3 * one + 2 * MIX_STEPS : one) +
           limits * (may_differ(p, family) ? 3 + MIX_STEPS : 1) + 1;
}

/* What competes: the families in the limits of the shape and the family itself, by their loose errors. */
enum { BELOW, ABOVE, INNER, RIVALS };

/* By how much an estimate may exceed the true error, relatively: the accuracy of delta over its slope, twice for a
 * square, and twice to be sure. */
static double doubt(const dpn_candidate *c) {
    return c->slope < 0 ? fmin(2e-3, -4 * NARROW_ACCURACY / c->slope) : 1e-6;
}

/* Finish the rival with the least loose error, and those that are so close that they may yet be better. */
static dpn_status finish_best(dpn_candidate *best, dpn_candidate *rival, hunt *h, dpn_error *why) {
    dpn_candidate winner = {0};
    for (int round = 0; round < RIVALS; round++) {
        dpn_candidate *next = NULL;
        for (int i = 0; i < RIVALS; i++)
            if (rival[i].family && (!next || rival[i].error < next->error)) next = &rival[i];
        if (!next) break;
        dpn_candidate one = *next;
        next->family = NULL;
        if (winner.family && one.error > (1 + doubt(&one)) * winner.error) continue;
        dpn_error reason;
        dpn_status status = finish(&one, h->law, h->problem, &reason);
        report(h);
        if (status) {
            h->status = status;
            h->why = reason;
        } else if (!winner.family || one.error < winner.error) {
            winner = one;
        }
    }
    if (winner.family) {
        *best = winner;
        return DPN_OK;
    }
    if (why) *why = h->why;
    return h->status;
}

dpn_status dpn_search(dpn_candidate *best, dpn_law *law, const dpn_problem *p, const dpn_tuning *family,
                      dpn_error *why) {
    dpn_status status = check_shape(p, family, why);
    if (status) return status;
    hunt h = {.problem = p, .law = law, .step = 1 / looks(p, family), .limit = INFINITY};
    const char *limits[] = {p->how.shape_min > 0 ? NULL : family->below, p->how.shape_max > 0 ? NULL : family->above};
    dpn_candidate rival[RIVALS] = {{0}};
    dpn_error ignored;
    double laplace = INFINITY;
    for (int i = BELOW; i <= ABOVE; i++) {
        if (!limits[i] || family_search(&h, dpn_tuning_find(limits[i]), &ignored)) continue;
        rival[i] = h.best;
        if (strstr(limits[i], "laplace")) laplace = h.best.error;
    }
    h.limit = laplace;
    if (!family_search(&h, family, &ignored)) rival[INNER] = h.best;
    status = finish_best(best, rival, &h, why);
    return status ? status : dpn_candidate_laws(law, p, best, why);
}
