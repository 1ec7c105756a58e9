/* The shapes and spreads of one family: a scan, then golden sections. */
#include "calibrate/hunt.h"

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
#define CORNER_ACCURACY 1e-4
static const dpn_effort scan_effort = {0.1, true, true}, narrow_effort = {DPN_HUNT_ACCURACY, true, true},
                        rough_effort = {0.05, true, true}, patient_effort = {2e-3, false, true};

enum { MOST_SCAN = 96, MIX_STEPS = 7, FEW = 5, WIDTHS = 64, WIDTH_SCAN = 24, WIDTH_DIPS = 4, WIDTH_STEPS = 18 };

void dpn_hunt_report(dpn_hunt *h) {
    h->done += h->step;
    if (dpn_problem_is_cancelled(h->problem)) h->cancelled = true;
    if (h->problem->options.progress) h->problem->options.progress(h->problem->options.context, fmin(h->done, 1));
}

/* A scale for another shape with about the variance of the last one. */
static double neighbour(const dpn_hunt *h, double shape) {
    dpn_law now;
    double unit = h->problem->largest;
    if (!(h->at.scale > 0) || h->at.spread || dpn_family_tune(&now, h->at.family, h->at.shape, h->at.scale, unit, NULL))
        return 0;
    if (shape == h->at.shape) return h->at.scale;
    return dpn_family_scale_of_variance(h->at.family, shape, unit, dpn_law_variance(&now), h->at.scale);
}

/* The scale and error of a candidate, with as many digits as a search needs. If there may be no other candidate to fall
 * back upon, the accountant may take its time. */
static dpn_status measure(dpn_candidate *one, dpn_hunt *h, dpn_error *why) {
    const dpn_problem *p = h->problem;
    if (h->cancelled) return dpn_problem_end(why);
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

/* The logarithm of the delta of a shape with a given error, relative to what is asked for. The error is a power of the scale. */
static dpn_status excess_with(double *excess, const dpn_hunt *h, dpn_candidate one, double error, dpn_effort effort) {
    const dpn_problem *p = h->problem;
    double power = p->options.objective == DPN_OBJECTIVE_MSE ? 2 : 1;
    one.scale = 1;
    dpn_status status = dpn_candidate_laws(h->law, p, &one, NULL);
    if (status) return status;
    one.scale = pow(error / dpn_problem_error(p, h->law, dpn_candidate_stride(&one)), 1 / power);
    return dpn_candidate_excess(excess, &one, h->law, p, effort, NULL);
}

/* Whether a shape has no chance against a plan that was found already: with its error, the noise is not private. */
static bool hopeless(const dpn_hunt *h, dpn_candidate one) {
    double rival = h->problem->rival, excess = 0;
    if (isinf(rival) || one.family->integer || one.spread || h->cancelled) return false;
    return excess_with(&excess, h, one, rival * (1 - 1e-6), h->effort) || excess > 0;
}

/* The noise of a shape whose largest atom is at epsilon. */
static dpn_candidate at_kink(const dpn_hunt *h, double shape, double mix) {
    dpn_candidate one = {.family = h->at.family, .shape = shape, .mix = mix};
    one.scale = exp(dpn_candidate_log_kink(one, h->law, h->problem));
    return one;
}

/* The error of noise that needs no larger scale than where its atom is; false if there is none. */
static bool error_at_kink(dpn_candidate *one, const dpn_hunt *h) {
    if (!(one->scale > 0) || dpn_candidate_laws(h->law, h->problem, one, NULL)) return false;
    one->error = dpn_problem_error(h->problem, h->law, dpn_candidate_stride(one));
    return isfinite(one->error);
}

/* Whether a shape has more error than is worth finding, since its atoms alone ask for more. */
static bool worthless(const dpn_hunt *h, const dpn_candidate *one) {
    if (isinf(h->enough) || one->spread) return false;
    dpn_candidate least = *one;
    least.scale = exp(dpn_candidate_log_least(*one, h->law, h->problem));
    return error_at_kink(&least, h) && least.error > h->enough;
}

/* The error of a candidate, +inf if there is none; the least is kept. */
static double look_at(dpn_hunt *h, dpn_candidate one) {
    dpn_error why;
    if (hopeless(h, one) || worthless(h, &one)) {
        dpn_hunt_report(h);
        return INFINITY;
    }
    dpn_status status = measure(&one, h, &why);
    dpn_hunt_report(h);
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
static double error_at(dpn_hunt *h, double shape, double mix) {
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

static double shape_at(const dpn_hunt *h, double t) {
    double step = dpn_family_step(h->at.family), shape = h->at.family->shape ? h->at.family->shape->lowest + exp(t) : 0;
    return step > 0 ? step * round(shape / step) : shape;
}

/* ---- one coordinate of the search at a time ---- */

typedef struct line {
    dpn_hunt *h;
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
static bool stop_scan(const dpn_hunt *h, const double *value, int i, double rival) {
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

static bool has_kink(const dpn_hunt *h, double t, double mix) {
    dpn_candidate one = {.family = h->at.family, .shape = shape_at(h, t), .mix = mix};
    return !isnan(dpn_candidate_log_kink(one, h->law, h->problem));
}

/* The logarithm of its delta, relative to what is asked for: > 0 if the tails are too heavy. Far from 0 a few digits are enough. It is a
 * hard place for the accountant, which may refuse more of them; NaN if it refuses all. */
static double excess_at_kink(const dpn_hunt *h, dpn_candidate *one) {
    static const double accuracy[] = {0.05, 2e-3, CORNER_ACCURACY};
    enum { TRIES = sizeof accuracy / sizeof *accuracy };
    double excess = NAN, finer, width = INFINITY;
    if (!(one->scale > 0)) return NAN;
    for (int i = 0; i < TRIES && width > 1.5 * CORNER_ACCURACY && !(fabs(excess) > 2 * width); i++) {
        dpn_effort effort = {.accuracy = accuracy[i], .brief = true};
        if (dpn_candidate_excess(&finer, one, h->law, h->problem, effort, NULL)) break;
        excess = finer;
        width = fmin(one->delta.log_upper - one->delta.log_lower, 10 * accuracy[i]); /* what was had, or enough */
    }
    dpn_effort any = {.accuracy = 1, .brief = true};
    if (isnan(excess) && !dpn_candidate_excess(&finer, one, h->law, h->problem, any, NULL)) excess = finer;
    return excess;
}

/* The lowest shape whose atoms are large enough to count; +inf if there is none. */
static double first_kink(const dpn_hunt *h, double low, double high, double mix) {
    if (!has_kink(h, high, mix)) return INFINITY;
    if (has_kink(h, low, mix)) return low;
    while (high - low > 1e-3) *(has_kink(h, 0.5 * (low + high), mix) ? &high : &low) = 0.5 * (low + high);
    return high;
}

/* Where shapes begin to be worthless, if the largest is: the error at the atoms rises with the shape. */
static double first_worthless(const dpn_hunt *h, double low, double high, double mix) {
    dpn_candidate one = {.family = h->at.family, .shape = shape_at(h, high), .mix = mix};
    if (!worthless(h, &one)) return high;
    while (high - low > 1e-3) {
        one.shape = shape_at(h, 0.5 * (low + high));
        *(worthless(h, &one) ? &high : &low) = 0.5 * (low + high);
    }
    return high;
}

/* Whether the error rises on both sides of a corner: where shapes have less weight in the tails the atom decides, and where
 * they have more the accountant is asked. */
static bool is_least(dpn_hunt *h, const dpn_candidate *corner, double low, double high, double mix) {
    const double apart = 0.02;
    dpn_candidate wider = at_kink(h, shape_at(h, high + apart), mix);
    if (high + apart > fmax(h->from, h->to) || low - apart < fmin(h->from, h->to)) return false;
    if (!error_at_kink(&wider, h) || !(wider.error > corner->error)) return false;
    dpn_candidate narrower = {.family = corner->family, .shape = shape_at(h, low - apart), .mix = mix};
    double error = (1 + DPN_HUNT_ACCURACY * apart) * corner->error, excess;
    const dpn_effort effort[] = {rough_effort, narrow_effort};
    for (int i = 0; i < 2; i++) /* of bounds this far apart the lower one is above what is asked for */
        if (!excess_with(&excess, h, narrower, error, effort[i]) && excess > 0.5 * effort[i].accuracy) return true;
    return false;
}

/* Where the atom at epsilon and the tails bind at once the error has a corner, and there it is often least: with more
 * weight in the tails the scale has to exceed the kink, with less the shape is wider than it has to be. The excess falls
 * with the shape; where the accountant refuses delta is small, so that a refusal bounds the corner from above, and from
 * below the secant leads to it. Returns the place of a corner that is seen to be the least one nearby, or NaN. */
static double look_at_corner(dpn_hunt *h, double mix) {
    bool several = h->problem->most > 1; /* else looks are cheap, and exact */
    double width = 1e-6, enough_for = several ? CORNER_ACCURACY : 0,
           aim = -0.5 * enough_for; /* on the certified side */
    double high = fmax(h->from, h->to), low = first_kink(h, fmin(h->from, h->to), high, mix), high_excess = NAN;
    dpn_candidate one = {0}, enough = {0};
    if (low < high) one = at_kink(h, shape_at(h, low), mix);
    double low_excess = low < high ? excess_at_kink(h, &one) : NAN, last = NAN, last_excess = NAN;
    if (!(low_excess > 0)) return NAN;
    double beyond = first_worthless(h, low, high, mix);
    if (beyond < high) { /* or the corner lies there */
        one = at_kink(h, shape_at(h, beyond), mix);
        if (excess_at_kink(h, &one) > 0) return NAN;
        high = beyond;
    }
    const double near = 0.05; /* secants do better */
    int refusals = 0;
    for (int round = 0; round < 40 && high - low > width && refusals < 6 && !(high_excess > -enough_for); round++) {
        double x = low + (high - low) * (low_excess - aim) / (low_excess - high_excess);
        if (isnan(high_excess)) x = low + (low_excess - aim) * (low - last) / (last_excess - low_excess);
        if (!(x > low && x < high) || (round % 4 == 3 && low_excess > near)) x = 0.5 * (low + high);
        x = fmin(fmax(x, low + 0.4 * width), high - 0.4 * width);
        one = at_kink(h, shape_at(h, x), mix);
        double excess = excess_at_kink(h, &one);
        if (excess > 0) {
            last = low;
            last_excess = low_excess;
            low = x;
            low_excess = excess;
        } else {
            refusals += isnan(excess);
            high = x;
            high_excess = excess;
            enough = one;
        }
    }
    line l = {h, 0, mix, false};
    bool known = high_excess <= 0 && error_at_kink(&enough, h);
    /* Just below the kink delta is above what is asked for. */
    enough.certified = high_excess > -10 * enough_for && h->problem->options.condition == DPN_CONDITION_EXACT;
    if (known)
        h->kind[DPN_HUNT_CORNER] = enough; /* estimates are least sure here: it is finished besides the best of them */
    if (several && known && is_least(h, &enough, low, high, mix)) {
        h->at = h->best = enough;
        return high;
    }
    along(&l, low);
    along(&l, high);
    return NAN;
}

/* ---- the shapes ---- */

/* Scan the shapes and narrow the lowest dips. */
static void over_shape(dpn_hunt *h, double mix) {
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
    double rival = fmin(h->kind[DPN_HUNT_SPREAD].family ? h->kind[DPN_HUNT_SPREAD].error : INFINITY, h->problem->rival);
    double t[MOST_SCAN + 2], value[MOST_SCAN + 2];
    dpn_candidate seen[MOST_SCAN + 2];
    bool cheap = h->problem->most <= 1 || h->problem->delta == 0;
    int steps = cheap ? DPN_HUNT_STEPS : DPN_HUNT_STEPS_SEVERAL;
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
    double corner = look_at_corner(h, mix);
    double published = place_of(h->at.family, dpn_family_published(h->at.family, h->problem));
    if (published >= h->from && published <= h->to) along(&l, published);
    bool used[MOST_SCAN + 2] = {false};
    for (int dip = 0; dip < (h->problem->most > 1 ? 2 : 4); dip++) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (!used[i] && is_dip(value, i, count) && (least < 0 || value[i] < value[least])) least = i;
        if (least < 0 || (dip > 0 && value[least] > 1.05 * h->best.error)) break; /* too far above to end lower */
        used[least] = true;
        /* At the end next to a limit that is no worse the limit speaks for the shapes: looks there are dear. */
        if (h->problem->most > 1 && least + 1 == count && value[least] > h->enough && h->limit < INFINITY) continue;
        double first = t[least > 0 ? least - 1 : 0], last = t[least + 1 < count ? least + 1 : count - 1];
        if (fmin(first, last) <= corner && corner <= fmax(first, last)) continue; /* it is the least one here */
        h->at = seen[least];
        if (h->problem->most > 1) along(&l, t[least]); /* anew: the scan was coarser */
        dpn_golden(along, &l, first, last, steps);
    }
    if (!h->best.family) h->best = rough;
}

/* ---- the width of steps ---- */

/* The least error at a width of the steps, over all shapes. */
static double at_width(void *context, double log_width) {
    dpn_hunt *h = context;
    line l = {h, 0, 0, false};
    dpn_candidate before = h->best;
    double low = fmin(h->from, h->to), step = fabs(h->to - h->from) / (WIDTH_SCAN - 1), least = INFINITY, around = low;
    h->best = (dpn_candidate){0};
    h->width = exp(log_width);
    for (int i = 0; i < WIDTH_SCAN; i++) {
        double error = along(&l, low + i * step);
        if (!(error < least)) continue;
        least = error;
        around = low + i * step;
    }
    dpn_golden(along, &l, fmax(low, around - step), fmin(fmax(h->from, h->to), around + step), WIDTH_STEPS);
    double error = h->best.family ? h->best.error : INFINITY;
    if (before.family && !(error < before.error)) h->best = before;
    return error;
}

/* Steps as wide as the sensitivity are best for pure noise. With a large delta wider ones may be, up to uniform noise, which is as wide as 1/delta or as what
 * epsilon alone asks for; with any delta a little more narrow ones, or some of which a whole number makes the sensitivity. */
static void over_width(dpn_hunt *h) {
    const dpn_problem *p = h->problem;
    double value[WIDTHS], first = log(0.25), last = log(fmax(8, fmin(2 / p->delta, 8 / p->epsilon)));
    double step = (last - first) / (WIDTHS - 1);
    bool used[WIDTHS] = {false};
    for (int i = 0; i < WIDTHS; i++) value[i] = at_width(h, first + i * step);
    for (int dip = 0; dip < WIDTH_DIPS; dip++) {
        int least = -1;
        for (int i = 0; i < WIDTHS; i++)
            if (!used[i] && is_dip(value, i, WIDTHS) && (least < 0 || value[i] < value[least])) least = i;
        if (least < 0) break;
        used[least] = true;
        dpn_golden(at_width, h, first + (least - 1) * step, first + (least + 1) * step, WIDTH_STEPS);
    }
    h->width = 1;
}

/* ---- where to search ---- */

/* From the Gaussian end, if there is one, towards the Laplace end. */
static void set_range(dpn_hunt *h, const struct dpn_family *family) {
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

bool dpn_hunt_may_differ(const dpn_problem *p, const struct dpn_family *family) {
    return p->box && p->groups > 1 && !p->options.identical && p->options.condition == DPN_CONDITION_EXACT &&
           dpn_family_step(family) == 0;
}

/* The powers that are best for other noise, with the shape that is best for the same noise on all, and, if there is no
 * other spread, powers between and around. */
static void over_mix(dpn_hunt *h) {
    const dpn_problem *p = h->problem;
    double shape = h->kind[DPN_HUNT_SAME].shape;
    h->at = h->kind[DPN_HUNT_SAME];
    error_at(h, shape, 1);
    h->kind[DPN_HUNT_INID] = h->best;
    error_at(h, shape, 2);
    if (p->delta == 0 && dpn_family_is_laplace(h->at.family)) return; /* a mix of 1 is the optimum */
    if (h->kind[DPN_HUNT_SPREAD].family || !h->best.family) return;
    line l = {h, shape, 0, true};
    h->at = h->best;
    dpn_golden(along, &l, fmax(0.02, h->best.mix - 1), fmin(3, h->best.mix + 1), MIX_STEPS);
    if (p->delta > 0 || h->from == h->to) return;
    /* Pure guarantees cost nothing to look at: the shape once more. */
    double t = place_of(h->at.family, h->best.shape), reach = fabs(h->to - h->from) / dpn_family_scan(h->at.family);
    line again = {h, 0, h->best.mix, false};
    h->at = h->best;
    dpn_golden(along, &again, fmax(fmin(h->from, h->to), t - reach), fmin(fmax(h->from, h->to), t + reach),
               DPN_HUNT_STEPS);
}

/* A spread whose scales are changed by a power of the sensitivities. */
static double bent(void *context, double power) {
    dpn_hunt *h = context;
    dpn_candidate one = h->best;
    one.mix = power;
    return look_at(h, one);
}

/* Whether the whole spread lies at the end of the shapes next to the limit below. The limit competes by itself, with a spread of its
 * own; noise that differs from it by next to nothing gains nothing, and has nearly its atoms, which makes the accountant slow. */
static bool next_to_limit(const dpn_hunt *h, double lowest) {
    const struct dpn_family *family = h->at.family;
    if (!family->shape || !family->shape->below || h->problem->options.shape_min > 0) return false;
    for (size_t g = 0; g < h->problem->groups; g++)
        if (log(h->room->shape[g]) > lowest + 1e-6) return false;
    return true;
}

/* The spread of the saddle-point approximation, scaled by what the accountant says. It is as good as the approximation,
 * which is worst on few coordinates; there it is bent a little to be better. */
static void over_spread(dpn_hunt *h) {
    double from = h->at.family->shape ? log(shape_at(h, h->from)) : 0,
           to = h->at.family->shape ? log(shape_at(h, h->to)) : 0;
    bool found = dpn_spread_find(h->room, h->problem, h->at.family, from, to, NULL) == DPN_OK;
    if (found && !next_to_limit(h, fmin(from, to)))
        look_at(h, (dpn_candidate){.family = h->at.family, .scale = 1, .spread = h->room});
    if (h->best.family && h->problem->most <= FEW) dpn_golden(bent, h, -0.2, 0.2, MIX_STEPS);
}

/* Keep the best as that of its kind, and begin anew. */
static void keep(dpn_hunt *h, int kind, const struct dpn_family *family) {
    h->kind[kind] = h->best;
    h->best = (dpn_candidate){0};
    h->at = (dpn_candidate){.family = family};
}

double dpn_hunt_family(dpn_hunt *h, const struct dpn_family *family) {
    const dpn_problem *p = h->problem;
    bool differ = dpn_hunt_may_differ(p, family), gaussian = dpn_family_is_gaussian(family);
    bool wide =
        family->integer && dpn_family_psi_is_gaussian(family); /* nearly Gaussian, and each look may take a second */
    for (int kind = 0; kind < DPN_HUNT_KINDS; kind++) keep(h, kind, family);
    h->width = 1;
    h->from = h->to = 0;
    h->effort = narrow_effort;
    if (family->shape) set_range(h, family);
    if (differ && p->delta > 0 && !gaussian && !wide) over_spread(h);
    keep(h, DPN_HUNT_SPREAD, family);
    if (family->shape) {
        over_shape(h, 0);
        if (family->stairs && p->most <= 1 && p->delta > 0 && h->from != h->to && isinf(p->rival)) over_width(h);
    } else
        error_at(h, 0, differ && gaussian ? 2 : 0); /* DPN_HUNT_INID Theorem 5 is the optimum */
    keep(h, DPN_HUNT_SAME, family);
    bool limited =
        family->shape && (family->shape->below || family->shape->above); /* the limits have these powers too */
    if (differ && wide)
        error_at(h, 0, 2);
    else if (differ && !gaussian && h->kind[DPN_HUNT_SAME].family && !(limited && h->kind[DPN_HUNT_SPREAD].family))
        over_mix(h);
    keep(h, DPN_HUNT_POWER, family);
    double least = INFINITY;
    for (int kind = 0; kind < DPN_HUNT_KINDS; kind++)
        if (h->kind[kind].family) least = fmin(least, h->kind[kind].error);
    return least;
}
