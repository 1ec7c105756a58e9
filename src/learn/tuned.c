/* A setting that is chosen privately: fits of settings drawn at random, as many as a secret number says, and the one that does best on rows that it was not fitted to, by a noisy score
 * (Liu and Talwar 2019; Papernot and Steinke 2022). With a number of the logarithmic law all of it costs twice the epsilon of one. docs/proofs/learn/fit.md, F17 */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/adaptive.h"
#include "learn/choice.h"
#include "learn/tune.h"

#include "base/error.h"
#include "base/text/json-write.h"
#include "release/declare/declaration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* P(K = k) ~ p^k/k with p = 1 - 2^-LOG: 2^LOG/(LOG log 2) on average. */
enum { LOG = 6 };

/* Thirteen of sixteen rows are fitted. */
enum { FITTED = 13 };

typedef struct state {
    dpn_fit *fit[DPN_CANDIDATES_MOST];
    size_t fits, release;
    dpn_release *score;
} state;

static void free_state(void *context) {
    state *of = context;
    for (size_t i = 0; i < of->fits; i++) dpn_fit_free(of->fit[i]);
    dpn_release_free(of->score);
    free(of);
}

/* ---- Planning ---- */

/* The declaration of one fit: half of the epsilon of a row, and no persons, whose rows are chosen already. */
static dpn_status declare(dpn_declaration *out, const dpn_fit *fit, double epsilon, dpn_error *why) {
    char *text = NULL, number[40];
    size_t length = 0;
    dpn_status status = dpn_declaration_write(&text, &length, &fit->query->declaration, why);
    if (!status) status = dpn_declaration_read(out, text, length, why);
    free(text);
    if (status) return status;
    snprintf(number, sizeof number, "%.17g", epsilon * (1 - 1e-14)); /* not above it, however it is rounded */
    free(out->epsilon);
    free(out->delta);
    free(out->person);
    out->delta = out->person = NULL;
    out->max_rows = 1;
    out->epsilon = malloc(strlen(number) + 1);
    if (!out->epsilon) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    strcpy(out->epsilon, number);
    return DPN_OK;
}

/* Two settings that come to the same fit would be one that is drawn more often. */
static bool is_new(const state *of, const dpn_fit *fit) {
    bool found = false;
    for (size_t i = 0; i < of->fits; i++) found |= strcmp(of->fit[i]->text, fit->text) == 0;
    return !found;
}

/* Candidates that refuse are left out; the first, which was asked for, must not. */
static dpn_status plan_fits(state *of, const dpn_fit *fit, const dpn_declaration *declaration, dpn_error *why) {
    dpn_fit_options candidate[DPN_CANDIDATES_MOST], asked = fit->options;
    asked.tune = false;
    asked.rows *= FITTED / 16.0;
    size_t count = dpn_fit_candidates(candidate, &asked);
    for (size_t i = 0; i < count; i++) {
        dpn_fit *made = NULL;
        dpn_error reason;
        dpn_status status = dpn_fit_new(&made, &candidate[i], &reason);
        if (!status) status = dpn_fit_plan(made, declaration, &reason);
        if (!status && is_new(of, made)) {
            of->fit[of->fits++] = made;
            continue;
        }
        dpn_fit_free(made);
        if (status && (i == 0 || status == DPN_ENOMEM)) return dpn_fail(why, status, "%s", reason.sentence);
    }
    if (of->fits >= 2) return DPN_OK;
    return dpn_fail(why, DPN_EUNSUPPORTED,
                    "there is only one setting to choose from, and the choice would cost half of epsilon: fit it "
                    "without a choice");
}

/* One row adds from 0 to 1 to the score, under either relation. */
static dpn_status plan_score(state *of, const dpn_fit *fit, double epsilon, dpn_error *why) {
    const double bound = 1;
    const int exponent = -DPN_LOSS_LOG;
    dpn_sensitivity set = {.dimension = 1, .bound = &bound, .relation = fit->relation};
    dpn_release_options options = dpn_release_options_init();
    options.epsilon = epsilon;
    options.set = &set;
    options.whole = true;
    options.grid_exponents = &exponent;
    dpn_fit_ask_for(&options, "laplace");
    return dpn_release_new(&of->score, &options, why);
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    const struct dpn_fit_method *asked = fit->options.method ? dpn_fit_method_find(fit->options.method) : NULL;
    if (asked && asked->needs_delta)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "the method '%s' needs a delta, and a private choice of the setting is pure: choose by public "
                        "rows, or take another method",
                        asked->name);
    if (fit->delta > 0)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a private choice of the setting is pure: leave --delta out");
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    double half = fit->epsilon / 2 * (1 - 1e-12);
    dpn_declaration declaration = {0};
    dpn_status status = declare(&declaration, fit, half, why);
    if (!status) status = plan_fits(of, fit, &declaration, why);
    if (!status) status = plan_score(of, fit, half, why);
    dpn_declaration_free(&declaration);
    return status ? status
                  : dpn_fit_announce_choice(&of->release, fit, "the best of several fits", 1, fit->epsilon, 1, why);
}

dpn_fit *dpn_tuned_trial(const dpn_fit *fit, size_t index) {
    const state *of = fit->state;
    return index < of->fits ? of->fit[index] : NULL;
}

const dpn_release *dpn_tuned_score(const dpn_fit *fit) {
    const state *of = fit->state;
    return of->score;
}

/* ---- Random numbers ---- */

static dpn_status below(uint64_t *out, uint64_t count, dpn_rng *rng, dpn_error *why) {
    uint64_t word = 0, most = UINT64_MAX - UINT64_MAX % count;
    dpn_status status = DPN_OK;
    do status = dpn_rng_words(&word, rng, 1, why);
    while (!status && word >= most);
    *out = word % count;
    return status;
}

/* K with P(K = k) ~ p^(k-1), and taken with probability 1/k: exactly p^k/k but for a factor. */
dpn_status dpn_tuned_trials(uint64_t *out, dpn_rng *rng, dpn_error *why) {
    uint64_t k, chance = 1;
    dpn_status status = DPN_OK;
    do {
        uint64_t ends = 1;
        for (k = 0; ends != 0 && !status; k++) status = below(&ends, (uint64_t)1 << LOG, rng, why);
        if (!status) status = below(&chance, k, rng, why);
    } while (!status && chance != 0);
    *out = k;
    return status;
}

/* Which rows are fitted comes first, then those that are not. */
static dpn_status split(size_t *order, size_t *fitted, size_t rows, dpn_rng *rng, dpn_error *why) {
    size_t first = 0, last = rows;
    dpn_status status = DPN_OK;
    for (size_t r = 0; r < rows && !status; r++) {
        uint64_t lot = 0;
        status = below(&lot, 16, rng, why);
        order[lot < FITTED ? first++ : --last] = r;
    }
    *fitted = first;
    return status;
}

/* ---- The run ---- */

typedef struct tuning {
    dpn_fit *fit;
    const state *of;
    size_t *order;
    double *b, *best;
    int64_t least;
    size_t which;
} tuning;

/* One fit of one setting, and its noisy cost; kept if there is none that costs as little. */
static dpn_status try_one(tuning *t, bool first, dpn_rng *rng, dpn_error *why) {
    size_t width = t->fit->features + 1, fitted = 0;
    uint64_t which = 0;
    int64_t cost = 0;
    dpn_status status = below(&which, t->of->fits, rng, why);
    if (!status) status = split(t->order, &fitted, t->fit->rows.count, rng, why);
    dpn_fit *fit = t->of->fit[which];
    if (!status) status = dpn_rows_take(&fit->rows, &t->fit->rows, t->order, fitted, why);
    if (!status) status = dpn_fit_run_again(t->b, t->b + width, fit, rng, why);
    for (size_t i = fitted; i < t->fit->rows.count && !status; i++)
        cost += dpn_row_cost(t->fit, t->b, &t->fit->rows, t->order[i]);
    if (!status) status = dpn_release_draw(&cost, t->of->score, rng, &cost, why);
    if (status || (!first && cost >= t->least)) return status;
    t->least = cost;
    t->which = (size_t)which;
    memcpy(t->best, t->b, width * sizeof *t->best);
    return DPN_OK;
}

static dpn_status tell(const tuning *t, dpn_error *why) {
    dpn_text text = {0};
    dpn_text_put(&text, "{\"chosen\": ");
    dpn_text_put(&text, t->of->fit[t->which]->text);
    dpn_text_put(&text, "}");
    if (text.failed) {
        free(text.at);
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    t->fit->announced[t->of->release].detail = text.at;
    return DPN_OK;
}

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    size_t width = fit->features + 1, rows = fit->rows.count;
    tuning t = {.fit = fit, .of = of, .best = out->b};
    t.order = malloc((rows + 1) * sizeof *t.order);
    t.b = malloc((width + width * width) * sizeof *t.b);
    uint64_t number = 0;
    dpn_status status = t.order && t.b ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the rows");
    if (!status) status = dpn_tuned_trials(&number, rng, why);
    for (uint64_t i = 0; i < number && !status; i++) status = try_one(&t, i == 0, rng, why);
    for (size_t i = 0; i < of->fits; i++) dpn_rows_free(&of->fit[i]->rows);
    if (!status) status = tell(&t, why);
    if (t.order) explicit_bzero(t.order, rows * sizeof *t.order);
    if (t.b) explicit_bzero(t.b, (width + width * width) * sizeof *t.b);
    free(t.order);
    free(t.b);
    return status;
}

const struct dpn_fit_method dpn_fit_tuned = {
    .name = "tuned",
    .about =
        "the best of several fits with settings drawn at random, by a noisy score on rows that they were not fitted to",
    .linear = true,
    .logistic = true,
    .quantile = true,
    .uses = DPN_USES_ALL,
    .plan = plan,
    .run = run,
    .free = free_state,
};
