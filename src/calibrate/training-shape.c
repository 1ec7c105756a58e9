/* The shape with the least error for a training run. */
#include "calibrate/training-shape.h"

#include "base/error.h"
#include "calibrate/golden.h"
#include "calibrate/notes.h"
#include "calibrate/search.h"
#include "calibrate/tuning.h"
#include "law/facts.h"

#include <math.h>

/* Delta is estimated to these accuracies by the scan and by the golden sections. */
#define SCAN_ACCURACY 0.05
#define LOOK_ACCURACY 1e-3

/* Another dip is narrowed too if it is not above the least by more than this. */
#define NEXT_DIP 1.05

/* Golden sections that come so near to an end of their interval, relative to it, go on beyond. */
#define AT_END 0.05

/* A walk ends where errors are above the least by this, or twice in a row as near as this to that of the limit. */
#define BEHIND 1.1
#define CONVERGED 2e-3

/* Whole shapes beyond so many deviations of Gaussian noise are their limit. */
#define WIDE_SHAPE 40
#define FEW_WHOLE 16

/* How near to where the limit is a shape may be. */
#define LEAST_ABOVE 1e-9

/* Of noise that ends, how the range of bound/scale depends on what one step asks for. */
#define SHORT_END (1.0 / 30)
#define LONG_END 3
#define LEAST_LONG_END 50

/* Widths of steps, in sensitivities, from the one that is so small that the noise is nearly Laplace noise. */
#define LEAST_WIDTH 0.03

/* How much of the work the width of 1 is; about it the best one may be in a narrow valley. */
#define ONE_WIDTH 0.02
#define NEAR_WIDTH -0.01

enum { WIDTHS = 64, WIDTH_SCAN = 16, WIDTH_DIPS = 3, WIDTH_STEPS = 16 };
enum { LOOKS = 11, DIPS = 2, MOST_SCAN = 32, MOST_SEEN = MOST_SCAN + 2 * DIPS * (LOOKS + 1) + 64 };

typedef struct candidate {
    double shape, width, log_scale, variance, error; /* an estimate; +inf: none */
} candidate;

typedef struct shape_search {
    dpn_scale_search *scale;
    double from, to; /* shapes */
    double likely;   /* of noise that takes long to look at, a shape from which to start; NaN: all are scanned */
    double limit;    /* the error of noise in the limit of large shapes; NaN: unknown, or the range has an end */
    double accuracy; /* of the looks now */
    double enough;   /* no error above it is looked for */
    double variance; /* of Gaussian noise, or the best of the scan: where to start */
    candidate seen[MOST_SEEN], best;
    size_t count;
    double done, step;  /* for the progress */
    dpn_status stopped; /* from then on nothing is looked at */
    dpn_status refused; /* of the first shape without noise, or what stopped the search; and why */
    dpn_error why;
} shape_search;

static double error_of(const dpn_law *law, const dpn_training *training) {
    return dpn_law_error(law, training->objective);
}

static void report(shape_search *s) {
    const dpn_training *training = s->scale->training;
    s->done += s->step;
    if (training->progress) training->progress(training->context, fmin(s->done, 1));
}

static bool is_final(dpn_status status) {
    return status == DPN_ECANCELLED || status == DPN_ENOMEM;
}

/* ---- one shape ---- */

static double place_of(const struct dpn_family *family, double shape) {
    return log(shape - family->shape->lowest);
}

static double shape_at(const shape_search *s, double place) {
    const dpn_shape_fact *fact = s->scale->family->shape;
    double shape = fmin(fmax(fact->lowest + exp(place), s->from), s->to), step = fact->step;
    return step > 0 ? fmax(step, step * round(shape / step)) : shape;
}

/* The variance of the nearest shape that was looked at, or of the last one if that had no noise. */
static double variance_near(const shape_search *s, double shape) {
    double variance = s->variance, nearest = INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        double away = fabs(log(s->seen[i].shape / shape));
        if (!(isfinite(s->seen[i].error) && away < nearest)) continue;
        nearest = away;
        variance = s->seen[i].variance;
    }
    return variance;
}

/* Its scale, variance and error, from noise of about the same variance on. */
static dpn_status estimate(candidate *one, shape_search *s, dpn_error *why) {
    dpn_scale_search scale = *s->scale;
    dpn_law law;
    scale.shape = one->shape;
    one->log_scale = dpn_scale_start(&scale, one->shape, variance_near(s, one->shape));
    dpn_status status = dpn_scale_estimate(&one->log_scale, &scale, s->accuracy, why);
    if (!status) status = dpn_scale_law(&law, &scale, one->log_scale, why);
    if (status) return status;
    s->scale->slope = scale.slope;
    one->variance = dpn_law_variance(&law);
    one->error = error_of(&law, scale.training);
    return DPN_OK;
}

/* Whether no noise of a shape and width has less error than what was found. */
static bool is_hopeless(const shape_search *s, double shape) {
    dpn_scale_search scale = *s->scale;
    dpn_law law;
    scale.shape = shape;
    double least = dpn_scale_least(&scale);
    return isfinite(least) && !dpn_scale_law(&law, &scale, least, NULL) && error_of(&law, scale.training) > s->enough;
}

static double look_at(shape_search *s, double shape) {
    for (size_t i = 0; i < s->count; i++)
        if (s->seen[i].shape == shape) return s->seen[i].error;
    candidate one = {.shape = shape, .width = s->scale->width, .error = INFINITY};
    dpn_error why;
    bool worthwhile = !s->stopped && s->count < MOST_SEEN && !is_hopeless(s, shape);
    dpn_status status = worthwhile ? estimate(&one, s, &why) : DPN_EACCURACY;
    if (status && worthwhile && (is_final(status) || !s->refused)) {
        s->why = why;
        s->refused = status;
    }
    if (is_final(status)) s->stopped = status;
    report(s);
    if (status || !isfinite(one.error)) one.error = INFINITY;
    if (s->count < MOST_SEEN) s->seen[s->count++] = one;
    if (one.error < s->best.error) s->best = one;
    return one.error;
}

static double at_place(void *context, double place) {
    shape_search *s = context;
    return look_at(s, shape_at(s, place));
}

/* What is kept has the accuracy of the looks to come. */
static void look_closer(shape_search *s, double accuracy) {
    if (isfinite(s->best.error)) s->variance = s->best.variance;
    s->scale->slope = 0;
    s->accuracy = accuracy;
    s->count = 0;
    s->best = (candidate){.error = INFINITY};
}

/* ---- all shapes ---- */

static bool is_dip(const double *value, int i, int count) {
    return isfinite(value[i]) && (i == 0 || value[i - 1] > value[i]) && (i + 1 == count || value[i + 1] >= value[i]);
}

/* Golden sections between the neighbours of a place; returns whether they ended at the lower end of the interval (-1), the upper (1), or within. */
static int narrow_around(shape_search *s, const double *place, int i, int count) {
    double low = place[i > 0 ? i - 1 : 0], high = place[i + 1 < count ? i + 1 : count - 1];
    at_place(s, place[i]);
    double found = dpn_golden(at_place, s, low, high, LOOKS), near = AT_END * (high - low);
    return (found > high - near) - (found < low + near);
}

/* Around the lowest dips of a scan, whose errors are rough: a dip may begin where its interval ends. */
static void narrow(shape_search *s, const double *place, const double *value, int count) {
    bool used[MOST_SCAN] = {false};
    double lowest = INFINITY;
    for (int dip = 0; dip < DIPS; dip++) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (!used[i] && is_dip(value, i, count) && (least < 0 || value[i] < value[least])) least = i;
        if (least < 0 || value[least] > NEXT_DIP * lowest) return;
        used[least] = true;
        lowest = fmin(lowest, value[least]);
        int beyond = least + narrow_around(s, place, least, count);
        if (beyond != least && beyond > 0 && beyond + 1 < count) narrow_around(s, place, beyond, count);
    }
}

/* Of shapes in steps, those beside the best one. */
static void step_down(shape_search *s, double step) {
    for (double last = NAN; isfinite(s->best.error) && s->best.shape != last && s->count < MOST_SEEN;) {
        last = s->best.shape;
        if (last - step >= s->from) look_at(s, last - step);
        if (last + step <= s->to) look_at(s, last + step);
    }
}

static bool is_near(double error, double limit) {
    return fabs(error - limit) <= CONVERGED * limit;
}

/* Whether errors have been rising for long on the way from a start to i, or are those of the limit of large shapes, where looks take long. */
static bool is_behind(const shape_search *s, const double *value, int i, int way, int start) {
    if ((i - start) * way < 2) return false;
    if (way > 0 && is_near(value[i], s->limit) && is_near(value[i - 1], s->limit)) return true;
    if (isnan(s->likely)) return false; /* all shapes are quick */
    return value[i] > value[i - way] && value[i - way] > value[i - 2 * way] && value[i] > BEHIND * s->best.error;
}

/* From where the best noise is likely, or the first shape, in both directions, as far as is worthwhile. */
static void walk(shape_search *s, const double *place, double *value, int count) {
    int start = 0;
    double likely = isnan(s->likely) ? -INFINITY : place_of(s->scale->family, s->likely);
    while (start + 1 < count && place[start + 1] < likely) start++;
    for (int i = 0; i < count; i++) value[i] = INFINITY;
    for (int way = 1; way >= -1; way -= 2)
        for (int i = way > 0 ? start : start - 1; i >= 0 && i < count; i += way) {
            value[i] = at_place(s, place[i]);
            if (is_behind(s, value, i, way, start)) break;
        }
}

static void over_shapes(shape_search *s, double share) {
    const struct dpn_family *family = s->scale->family;
    double from = place_of(family, s->from), to = place_of(family, s->to), place[MOST_SCAN] = {from}, value[MOST_SCAN];
    int count = dpn_family_scan(family) < MOST_SCAN ? dpn_family_scan(family) : MOST_SCAN;
    s->step = share / ((isnan(s->likely) ? count : 0.5 * count) + LOOKS);
    look_closer(s, SCAN_ACCURACY);
    for (int i = 0; i < count; i++) place[i] = from + (to - from) * i / (count - 1);
    walk(s, place, value, count);
    s->done = fmax(s->done, share - LOOKS * s->step);
    look_closer(s, LOOK_ACCURACY);
    narrow(s, place, value, count);
    if (family->shape->step > 0) step_down(s, family->shape->step);
}

/* ---- the width of steps ---- */

/* The least error at a width, over all shapes. */
static double at_width(void *context, double log_width) {
    shape_search *s = context;
    const struct dpn_family *family = s->scale->family;
    double from = place_of(family, s->from), to = place_of(family, s->to), place[WIDTH_SCAN], least = INFINITY;
    int around = 0;
    candidate before = s->best;
    s->enough = BEHIND * before.error;
    look_closer(s, s->accuracy);
    s->scale->width = exp(log_width);
    for (int i = 0; i < WIDTH_SCAN; i++) {
        place[i] = from + (to - from) * i / (WIDTH_SCAN - 1);
        double error = at_place(s, place[i]);
        if (!(error < least)) continue;
        least = error;
        around = i;
    }
    narrow_around(s, place, around, WIDTH_SCAN);
    double error = s->best.error;
    if (!(error < before.error)) s->best = before;
    return error;
}

/* As wide as the sensitivity is best for one pure step. With a large delta wider steps may be, up to uniform noise, which loses delta if it is as wide as
 * what all steps see of a row, over delta; with many steps narrow ones, which are nearly Laplace noise. */
static void over_widths(shape_search *s) {
    const dpn_training *training = s->scale->training;
    double seen = (double)training->steps * dpn_run_rate(training),
           epsilon = log1p(expm1(fmin(s->scale->epsilon, 500)) / dpn_run_rate(training));
    double first = log(LEAST_WIDTH),
           last = log(fmax(8, fmin(2 * seen / exp(s->scale->log_target), 8 * (double)training->steps / epsilon)));
    double step = (last - first) / (WIDTHS - 1), value[WIDTHS];
    bool used[WIDTHS] = {false};
    s->step = (0.95 - ONE_WIDTH) / ((LOOKS + WIDTHS + WIDTH_DIPS * WIDTH_STEPS) * (WIDTH_SCAN + LOOKS));
    for (int i = 0; i < WIDTHS; i++) value[i] = at_width(s, first + i * step);
    dpn_golden(at_width, s, NEAR_WIDTH, -NEAR_WIDTH, LOOKS);
    for (int dip = 0; dip < WIDTH_DIPS; dip++) {
        int least = -1;
        for (int i = 0; i < WIDTHS; i++)
            if (!used[i] && is_dip(value, i, WIDTHS) && (least < 0 || value[i] < value[least])) least = i;
        if (least < 0) break;
        used[least] = true;
        dpn_golden(at_width, s, first + (least - 1) * step, first + (least + 1) * step, WIDTH_STEPS);
    }
}

/* ---- the families in the limits ---- */

/* Keep the certified noise with the least error. */
typedef struct winner {
    dpn_law law;
    dpn_delta delta;
    double error;
} winner;

static void compete(winner *best, const dpn_scale_search *search) {
    double error = error_of(&search->law, search->training);
    if (error < best->error) *best = (winner){search->law, search->delta, error};
}

static dpn_status find_kin(winner *best, double *limit, const dpn_scale_search *search, dpn_error *why) {
    const struct dpn_family *kin[DPN_FAMILY_KIN];
    dpn_calibration_options range = dpn_calibration_options_init();
    range.shape_min = search->training->shape_min;
    range.shape_max = search->training->shape_max;
    dpn_family_kin(kin, search->family, &range);
    for (int i = 0; i < DPN_FAMILY_KIN; i++) {
        if (!kin[i]) continue;
        dpn_scale_search other = *search;
        other.family = kin[i];
        dpn_status status = dpn_scale_find(&other, why);
        if (is_final(status)) return status;
        if (!status) compete(best, &other);
        if (!status && kin[i] == search->family->shape->above) *limit = error_of(&other.law, search->training);
    }
    return DPN_OK;
}

/* ---- the range ---- */

/* Noise that ends, with an end as long as one of all steps would want it; 0 if noise of the family has no end. */
static double likely_end(const dpn_scale_search *search) {
    const dpn_training *training = search->training;
    dpn_law law;
    if (dpn_family_tune(&law, search->family, search->family->shape->least, 1, 1, NULL) || isinf(dpn_law_support(&law)))
        return 0;
    double rate = dpn_run_rate(training), epsilon = log1p(expm1(fmin(search->epsilon, 500)) / rate);
    double log_share = search->log_target - log((double)training->steps * rate);
    return log1p(exp(fmin(epsilon - log_share - log(2), 500)));
}

/* The shape of the best of the kin; NaN if that is unknown. */
static double shape_of_kin(const shape_search *s, const struct dpn_family *kin) {
    const dpn_shape_fact *fact = s->scale->family->shape;
    return !kin                  ? NAN
           : kin == fact->member ? fact->member_at
           : kin == fact->below  ? s->from
           : kin == fact->above  ? s->to
                                 : NAN;
}

static dpn_status take_range(shape_search *s, const struct dpn_family *kin, dpn_error *why) {
    const dpn_training *training = s->scale->training;
    const dpn_shape_fact *fact = s->scale->family->shape;
    double end = likely_end(s->scale);
    s->from = end > 0 ? fmax(fact->least, end * SHORT_END) : fact->least;
    s->to = end > 0 ? fmax(LEAST_LONG_END, LONG_END * end) : fact->most;
    if (fact->step > 0) s->to = fmin(s->to, ceil(fmax(FEW_WHOLE, WIDE_SHAPE * sqrt(s->variance))));
    if (training->shape_min > 0) s->from = fmax(training->shape_min, fact->lowest + LEAST_ABOVE);
    if (training->shape_max > 0) s->to = training->shape_max;
    if (training->shape_max == 0) s->to = fmax(s->to, s->from);
    if (training->shape_min == 0) s->from = fmin(s->from, s->to);
    if (fact->step > 0) s->from = fact->step * ceil(s->from / fact->step);
    if (fact->step > 0) s->to = fact->step * floor(s->to / fact->step);
    if (!(s->from > fact->lowest && s->from <= s->to))
        return dpn_fail(why, DPN_EDOMAIN, "there is no %s in the range that was given", fact->name);
    dpn_law law;
    bool quick = !dpn_family_tune(&law, s->scale->family, s->to, 1, 1, NULL) && dpn_law_is_quick(&law);
    s->likely = end > 0 ? end : quick ? NAN : shape_of_kin(s, kin);
    return DPN_OK;
}

/* ---- the best ---- */

static dpn_status certify(winner *best, shape_search *s, dpn_error *why) {
    dpn_scale_search *search = s->scale;
    if (!isfinite(s->best.error)) {
        if (why) *why = s->why;
        return s->refused;
    }
    search->shape = s->best.shape;
    search->width = s->best.width;
    dpn_status status = dpn_scale_find_near(search, s->best.log_scale, why);
    if (!status) compete(best, search);
    return status;
}

static void write_note(const shape_search *s, const struct dpn_family *found) {
    const dpn_training *training = s->scale->training;
    const struct dpn_family *asked = s->scale->family;
    if (!training->note) return;
    dpn_note_limit(training->note, asked, found);
    if (asked != found) return;
    bool below = training->shape_min == 0 && asked->shape->below,
         above = training->shape_max == 0 && asked->shape->above;
    dpn_note_edge(training->note, asked, s->best.shape, below ? NAN : s->from, above ? NAN : s->to);
    dpn_note_step(training->note, asked);
}

dpn_status dpn_shape_find(dpn_scale_search *search, dpn_error *why) {
    shape_search s = {.scale = search, .limit = NAN, .enough = INFINITY, .best.error = INFINITY};
    winner best = {.error = INFINITY};
    dpn_error reason;
    dpn_status status = dpn_scale_usual_variance(&s.variance, search, why);
    if (!status) status = find_kin(&best, &s.limit, search, why);
    if (!status) status = take_range(&s, isfinite(best.error) ? dpn_family_find(dpn_law_family(&best.law)) : NULL, why);
    if (status) return status;
    bool wide = search->family->stairs && s.from < s.to;
    over_shapes(&s, wide ? ONE_WIDTH : 0.95);
    if (wide) { /* looks are estimates: what is certified of the width of 1 stays */
        status = certify(&best, &s, &reason);
        if (is_final(status)) {
            s.stopped = status;
            s.why = reason;
        }
        over_widths(&s);
    }
    if (s.stopped) {
        if (why) *why = s.why;
        return s.stopped;
    }
    status = certify(&best, &s, &reason);
    if (status && (is_final(status) || !isfinite(best.error))) {
        if (why) *why = reason;
        return status;
    }
    search->law = best.law;
    search->delta = best.delta;
    write_note(&s, dpn_family_find(dpn_law_family(&best.law)));
    return DPN_OK;
}
