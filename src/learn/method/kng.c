/* A point of a public grid of coefficients, chosen by the rows' losses: coefficients b have the probability exp(-epsilon L(b)/R), over the sum of these, where L(b) is the
 * sum of the rows' losses, each clipped to 0 .. C, and R what neighbouring tables move its values apart by: C if a row comes or goes. With `raw` the score is that of the K-norm
 * gradient mechanism (Reimherr and Awan 2019), the largest coordinate of the sum of clipped derivatives, which is small far from the rows too, so that a coarse grid misleads it. The grid makes
 * the choice exact, for any loss: no sampler that only comes near to its law stands between the proof and the answer. With several passes each later grid is a finer one around what the one before
 * chose. docs/proofs/learn/fit.md, F14 */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/choice.h"
#include "learn/derivatives.h"
#include "learn/method.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COEFFICIENTS = 6, MOST_PASSES = 20 };

typedef struct state {
    size_t release; /* of the first pass; the others follow it */
    size_t from, m, passes;
    size_t points; /* of a grid, along each coefficient: an odd number, so that the middle is one of them */
    double within; /* the first grid goes from -within to within */
    double clip;   /* of a row's loss, or of each of its derivatives */
} state;

/* ---- Planning ---- */

/* Derivatives of quantiles and labels are no larger. Losses are clipped where the target is as far away as half of its bounds, or e^-2 likely. */
static double usual_clip(const dpn_fit *fit) {
    double q = fit->options.quantile > 0 ? fit->options.quantile : 0.5;
    if (fit->options.kind == DPN_FIT_QUANTILE) return fmax(q, 1 - q);
    if (fit->options.kind == DPN_FIT_LOGISTIC) return fit->options.raw ? 1 : 2;
    return 0.5;
}

/* Grids of about so many points can be gone over while one waits: 4489, 4489, 4913, 6561, 3125, 15625. */
static size_t choose_points(const dpn_fit *fit, size_t m) {
    static const size_t usual[MOST_COEFFICIENTS] = {4489, 67, 17, 9, 5, 5};
    return fit->options.points > 0 ? (size_t)fit->options.points : usual[m - 1];
}

/* The next grid reaches two points of this one to either side, or one if there are few. */
static double zoom(size_t points) {
    double reach = points < 9 ? 1 : 2;
    return reach / (double)(points / 2);
}

static dpn_status check(const dpn_fit *fit, size_t m, dpn_error *why) {
    const dpn_fit_options *options = &fit->options;
    if (m > MOST_COEFFICIENTS)
        return dpn_fail(why, DPN_EUNSUPPORTED, "kng goes over a grid, and does so for at most %d coefficients",
                        MOST_COEFFICIENTS);
    if (options->l1 > 0 || options->l2 > 0 || fit->noise || fit->ball)
        return dpn_fail(why, DPN_EUNSUPPORTED, "kng has no penalties, and no noise or ball but its own");
    double all = pow((double)choose_points(fit, m), (double)m);
    if (options->points > 0 && (options->points < 3 || options->points % 2 == 0 || all > 1 << 20))
        return dpn_fail(why, DPN_EDOMAIN,
                        "the grid of kng has an odd number of points along each coefficient, at least 3, "
                        "and 2^20 altogether at most");
    if (options->passes > MOST_PASSES) return dpn_fail(why, DPN_EDOMAIN, "kng has at most %d passes", MOST_PASSES);
    if (options->within > 1024) return dpn_fail(why, DPN_EDOMAIN, "the grid of kng lies within at most 1024");
    return DPN_OK;
}

/* Pass p has a share in proportion to growth^p. A finer grid has scores that differ by less, by the square of its spacing near the least of them, and needs more of
 * epsilon to be told apart. */
static double share_of(const state *of, size_t pass) {
    const double growth = 2;
    double all = 0;
    for (size_t i = 0; i < of->passes; i++) all += pow(growth, (double)i);
    return pow(growth, (double)pass) / all;
}

/* Losses move to one side with a row that comes or goes, and all by 0 to 1 units; derivatives by a unit to either side. */
static dpn_status announce(state *of, dpn_fit *fit, dpn_error *why) {
    const double down = 1 - 1e-12; /* more than sums of shares are rounded by */
    double both = fit->relation == DPN_REPLACE ? 2 : 1, side = fit->options.raw ? 1 : 0.5;
    dpn_status status = DPN_OK;
    for (size_t pass = 0; pass < of->passes && !status; pass++) {
        size_t index = 0;
        double epsilon = of->passes > 1 ? fit->epsilon * share_of(of, pass) * down : fit->epsilon;
        status = dpn_fit_announce_choice(&index, fit, "one of a grid of coefficients", 1, epsilon,
                                         both * side * DPN_DERIVATIVE_UNIT, why);
        if (pass == 0) of->release = index;
    }
    return status;
}

static size_t choose_passes(const dpn_fit *fit, size_t m) {
    static const size_t usual[MOST_COEFFICIENTS] = {2, 2, 4, 5, 6, 6};
    return fit->options.passes > 0 ? (size_t)fit->options.passes : usual[m - 1];
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    size_t from = fit->options.no_intercept, m = fit->features + 1 - from;
    dpn_status status = check(fit, m, why);
    if (status) return status;
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    bool logistic = fit->options.kind == DPN_FIT_LOGISTIC;
    *of = (state){.from = from, .m = m, .points = choose_points(fit, m), .passes = choose_passes(fit, m)};
    of->within = fit->options.within > 0 ? fit->options.within : logistic ? 8 : 2;
    of->clip = fit->options.clip > 0 ? fit->options.clip : usual_clip(fit);
    fit->settled.passes = of->passes;
    fit->settled.points = of->points;
    fit->settled.within = of->within;
    fit->settled.clip = of->clip;
    return announce(of, fit, why);
}

/* ---- The scores ---- */

typedef struct walk {
    const state *of;
    dpn_derivatives at;
    double b[MOST_COEFFICIENTS], middle[MOST_COEFFICIENTS], spacing;
    uint64_t *score;
} walk;

/* Along a coefficient the grid has `points` values about its middle. */
static double value_at(const walk *w, size_t j, size_t digit) {
    return w->middle[j] + w->spacing * ((double)digit - (double)(w->of->points / 2));
}

static void move(walk *w, size_t j, double to) {
    if (to != w->b[j]) dpn_derivatives_move(&w->at, w->of->from + j, to - w->b[j]);
    w->b[j] = to;
}

static uint64_t score(const walk *w) {
    uint64_t most = 0;
    if (!w->at.fit->options.raw) return (uint64_t)dpn_derivatives_loss(&w->at, w->of->clip);
    for (size_t j = 0; j < w->of->m; j++) {
        int64_t sum = dpn_derivatives_sum(&w->at, w->of->from + j, w->of->clip, DPN_DERIVATIVE_UNIT);
        uint64_t size = (uint64_t)(sum < 0 ? -sum : sum);
        most = size > most ? size : most;
    }
    return most;
}

static size_t digit_of(size_t index, size_t j, size_t points) {
    for (size_t i = 0; i < j; i++) index /= points;
    return index % points;
}

static size_t count_of(const state *of) {
    size_t count = 1;
    for (size_t j = 0; j < of->m; j++) count *= of->points;
    return count;
}

static void go(walk *w, size_t index) {
    for (size_t j = 0; j < w->of->m; j++) move(w, j, value_at(w, j, digit_of(index, j, w->of->points)));
}

/* ---- The run ---- */

/* The scores of all points, in pass `pass`. */
static dpn_status go_over(walk *w, const dpn_fit *fit, size_t pass, size_t count, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < count && !status; i++) {
        go(w, i);
        w->score[i] = score(w);
        status = dpn_fit_done(fit, (double)(pass * count + i + 1) / (double)(w->of->passes * count), why);
    }
    return status;
}

static dpn_status choose(walk *w, dpn_fit *fit, dpn_rng *rng, dpn_error *why) {
    size_t count = count_of(w->of), chosen = 0;
    dpn_status status = DPN_OK;
    w->spacing = w->of->within / (double)(w->of->points / 2);
    for (size_t pass = 0; pass < w->of->passes && !status; pass++) {
        status = go_over(w, fit, pass, count, why);
        if (!status) status = dpn_fit_choose(&chosen, fit, w->of->release + pass, rng, w->score, count, why);
        if (status) break;
        go(w, chosen);
        memcpy(w->middle, w->b, sizeof w->middle);
        w->spacing *= zoom(w->of->points);
    }
    return status;
}

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    size_t size = count_of(of) * sizeof(uint64_t);
    walk w = {.of = of, .score = malloc(size)};
    dpn_status status = w.score ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the grid");
    if (!status) status = dpn_derivatives_begin(&w.at, fit, why);
    if (!status) {
        status = choose(&w, fit, rng, why);
        dpn_derivatives_end(&w.at);
    }
    for (size_t j = 0; j < of->m && !status; j++) out->b[of->from + j] = w.b[j];
    if (w.score) explicit_bzero(w.score, size);
    free(w.score);
    return status;
}

const struct dpn_fit_method dpn_fit_kng = {
    .name = "kng",
    .about =
        "a point of a grid, chosen by the losses of the rows there, or with raw by how large their gradient is (the "
        "K-norm gradient mechanism); medians and other quantiles too, with at most six coefficients; pure",
    .linear = true,
    .logistic = true,
    .quantile = true,
    .uses = DPN_USES_RAW | DPN_USES_PASSES | DPN_USES_POINTS | DPN_USES_WITHIN | DPN_USES_CLIP,
    .plan = plan,
    .run = run,
};
