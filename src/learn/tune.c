/* Settings to choose from, and the choice by public rows. */
#include "learn/tune.h"

#include "base/error.h"
#include "base/options.h"
#include "geometry/public-source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Candidates ---- */

static size_t add(dpn_fit_options *out, size_t count, dpn_fit_options one) {
    if (count < DPN_CANDIDATES_MOST) out[count++] = one;
    return count;
}

static size_t vary_descent(dpn_fit_options *out, const dpn_fit_options *asked, size_t count) {
    static const uint64_t passes[] = {2, 5, 10};
    static const double clip[] = {0.5, 1, 2};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            dpn_fit_options one = *asked;
            if (asked->passes > 0 && i > 0) continue;
            if (asked->clip > 0 && j > 0) continue;
            if (asked->passes == 0) one.passes = passes[i];
            if (asked->clip == 0) one.clip = clip[j];
            count = add(out, count, one);
        }
    return count;
}

static size_t vary_number(dpn_fit_options *out, const dpn_fit_options *asked, size_t count, size_t offset,
                          const double *value, size_t values) {
    double set;
    memcpy(&set, (const char *)asked + offset, sizeof set);
    for (size_t i = 0; i < values && set == 0; i++) {
        dpn_fit_options one = *asked;
        memcpy((char *)&one + offset, &value[i], sizeof set);
        count = add(out, count, one);
    }
    return count;
}

static size_t vary_methods(dpn_fit_options *out, const dpn_fit_options *asked, size_t count) {
    static const char *const linear[] = {"moments", "functional", "cd"}, *const logistic[] = {"cd", "gd"};
    bool is_linear = asked->kind == DPN_FIT_LINEAR;
    for (size_t i = 0; i < (is_linear ? 3 : 2) && asked->kind != DPN_FIT_QUANTILE; i++) {
        dpn_fit_options one = *asked;
        one.method = is_linear ? linear[i] : logistic[i];
        count = add(out, count, one);
    }
    if (!is_linear || asked->l2 > 0) return count;
    dpn_fit_options one = *asked;
    one.method = "moments";
    one.l2 = 0.03;
    return add(out, count, one);
}

static bool is_one_of(const char *name, const char *const *list) {
    while (*list && strcmp(name, *list) != 0) list++;
    return *list;
}

size_t dpn_fit_candidates(dpn_fit_options out[DPN_CANDIDATES_MOST], const dpn_fit_options *asked) {
    static const char *const descents[] = {"cd", "gd", "sgd", NULL}, *const moments[] = {"moments", "functional", NULL},
                             *const objectives[] = {"objective", "objective-gaussian", NULL},
                             *const boxes[] = {"kng", "aggregate", NULL};
    static const double ridge[] = {0.003, 0.03, 0.3}, share[] = {0.3, 0.5, 0.7, 0.9}, within[] = {0.5, 1, 4};
    size_t count = add(out, 0, *asked);
    if (!asked->method || strcmp(asked->method, "auto") == 0) return vary_methods(out, asked, count);
    if (is_one_of(asked->method, descents)) return vary_descent(out, asked, count);
    if (is_one_of(asked->method, moments))
        return vary_number(out, asked, count, offsetof(dpn_fit_options, l2), ridge, 3);
    if (is_one_of(asked->method, objectives))
        return vary_number(out, asked, count, offsetof(dpn_fit_options, share), share, 4);
    if (is_one_of(asked->method, boxes))
        return vary_number(out, asked, count, offsetof(dpn_fit_options, within), within, 3);
    return count;
}

/* ---- Rows ---- */

dpn_status dpn_rows_take(dpn_rows *to, const dpn_rows *from, const size_t *order, size_t count, dpn_error *why) {
    int32_t *step = malloc(from->columns * sizeof *step);
    dpn_status status = step ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the rows");
    dpn_rows_free(to);
    to->columns = from->columns;
    for (size_t i = 0; i < count && !status; i++) {
        for (size_t c = 0; c < from->columns; c++)
            step[c] = dpn_rows_column(from, order[i] / DPN_ROWS_A_BLOCK, c)[order[i] % DPN_ROWS_A_BLOCK];
        status = dpn_rows_add(to, step, why);
    }
    free(step);
    return status;
}

int64_t dpn_row_cost(const dpn_fit *fit, const double *b, const dpn_rows *rows, size_t row) {
    size_t block = row / DPN_ROWS_A_BLOCK, r = row % DPN_ROWS_A_BLOCK;
    double t = 0, y = dpn_rows_column(rows, block, dpn_target_column(fit))[r];
    for (size_t j = 0; j <= fit->features; j++) t += b[j] * dpn_rows_column(rows, block, j)[r];
    if (fit->options.kind == DPN_FIT_LOGISTIC) return (t > 0) == (y > 0) ? 0 : (int64_t)1 << DPN_LOSS_LOG;
    double away = ldexp(fmin(fmax(t, -DPN_UNIT), DPN_UNIT) - y, -DPN_UNIT_LOG), square = 4 * away * away;
    double q = fit->options.quantile > 0 ? fit->options.quantile : 0.5;
    if (fit->options.kind == DPN_FIT_QUANTILE) square = away > 0 ? (1 - q) * away : -q * away;
    return square < 1 ? (int64_t)ldexp(fmax(square, 0), DPN_LOSS_LOG) : (int64_t)1 << DPN_LOSS_LOG;
}

/* ---- By public rows ---- */

enum { ROUNDS = 5, MOST_ROWS = 100000 };

typedef struct trial {
    const dpn_fit *given; /* with the public rows */
    size_t *order;        /* of all its rows; the first `train` are fitted, as often as `fitted` of them */
    size_t *chosen;
    size_t rows, train, fitted;
    uint64_t state;
} trial;

/* Public rows need no secret. */
static size_t below(trial *of, size_t count) {
    of->state = of->state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((double)(of->state >> 11) * 0x1p-53 * (double)count);
}

static void split(trial *of) {
    for (size_t i = of->rows; i > 1; i--) {
        size_t j = below(of, i), kept = of->order[i - 1];
        of->order[i - 1] = of->order[j];
        of->order[j] = kept;
    }
    for (size_t i = 0; i < of->fitted; i++)
        of->chosen[i] = of->order[of->fitted == of->train ? i : below(of, of->train)];
}

/* The mean cost on what was not fitted, over the rounds. The same splits for all candidates, and the same noise each time: the choice is a function of public things, so that who asks
 * again asks the same. */
static dpn_status measure(double *out, trial *of, dpn_fit *fit, dpn_error *why) {
    size_t width = fit->features + 1;
    dpn_public_source source;
    dpn_public_source_begin(&source);
    double *b = malloc((width + width * width) * sizeof *b), sum = 0;
    dpn_status status = b ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the rows");
    of->state = 1;
    for (size_t i = 0; i < of->rows; i++) of->order[i] = i;
    for (int round = 0; round < ROUNDS && !status; round++) {
        split(of);
        status = dpn_rows_take(&fit->rows, &of->given->rows, of->chosen, of->fitted, why);
        if (!status) status = dpn_fit_run_again(b, b + width, fit, &source.rng, why);
        for (size_t i = of->train; i < of->rows && !status; i++)
            sum += (double)dpn_row_cost(fit, b, &of->given->rows, of->order[i]);
    }
    *out = sum / ((double)(of->rows - of->train) * ROUNDS) * 0x1p-20;
    free(b);
    return status;
}

/* A candidate that refuses what was declared is none. */
static dpn_status try_candidate(double *cost, trial *of, const dpn_fit_options *candidate,
                                const dpn_declaration *declaration, dpn_error *why) {
    dpn_fit *fit = NULL;
    *cost = INFINITY;
    dpn_status status = dpn_fit_new(&fit, candidate, why);
    if (!status) status = dpn_fit_plan(fit, declaration, why);
    if (!status && fit->rows.columns != of->given->rows.columns)
        status = dpn_fail(why, DPN_EDOMAIN, "the public rows are those of another fit");
    if (!status) status = measure(cost, of, fit, why);
    dpn_fit_free(fit);
    return status;
}

static dpn_status try_all(dpn_fit_options *out, double *cost, trial *of, const dpn_fit_options *asked,
                          const dpn_declaration *declaration, dpn_error *why) {
    dpn_fit_options candidate[DPN_CANDIDATES_MOST];
    size_t count = dpn_fit_candidates(candidate, asked);
    double least = INFINITY;
    dpn_error first = {.status = DPN_EUNSUPPORTED, .sentence = "no candidate has a finite cost"};
    dpn_status status = DPN_EUNSUPPORTED;
    for (size_t i = 0; i < count; i++) {
        double found;
        dpn_error reason = first;
        dpn_status one = try_candidate(&found, of, &candidate[i], declaration, &reason);
        if (one == DPN_ENOMEM || one == DPN_EENTROPY) return dpn_fail(why, one, "%s", reason.sentence);
        if (i == 0) first = reason;
        if (one || !(found < least)) continue;
        status = DPN_OK;
        least = found;
        *out = candidate[i];
    }
    if (status) return dpn_fail(why, first.status, "%s", first.sentence);
    *cost = least;
    return DPN_OK;
}

dpn_status dpn_fit_tune(dpn_fit_options *out, double *cost, const dpn_fit *given, const dpn_fit_options *asked,
                        const dpn_declaration *declaration, dpn_error *why) {
    dpn_fit_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, asked, why);
    if (status) return status;
    size_t rows = given->rows.count;
    if (!given->planned || rows < 10)
        return dpn_fail(why, DPN_EDOMAIN, "at least 10 public rows are needed to choose a setting, and there are %zu",
                        rows);
    trial of = {.given = given, .rows = rows, .train = rows - rows / 5};
    of.fitted = own.rows > 0 ? (size_t)fmin(own.rows, MOST_ROWS) : of.train;
    of.order = malloc(rows * sizeof *of.order);
    of.chosen = malloc(of.fitted * sizeof *of.chosen);
    status = of.order && of.chosen ? try_all(out, cost, &of, &own, declaration, why)
                                   : dpn_fail(why, DPN_ENOMEM, "no memory for the rows");
    free(of.order);
    free(of.chosen);
    return status;
}
