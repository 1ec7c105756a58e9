/* Several balls for one space: which mechanism is best, by which measure. */
#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/json.h"
#include "kit/table.h"
#include "kit/waiting.h"
#include "knorm/knorm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Sensitivities are rounded up by different amounts; that must not part balls that touch. */
static const double shrunk = 1 - 1e-8;

static bool is_inside(const struct knorm_ball *a, const struct knorm_ball *b) {
    return dpn_ball_inside(a->ball, a->delta * shrunk, b->ball, b->delta) == DPN_ORDER_INSIDE;
}

static dpn_status measure(struct knorm_question *question, struct knorm_ball *at, dpn_error *why) {
    double scale = at->delta / question->epsilon, m = (double)question->dimension;
    dpn_error reason;
    at->variance = calloc(question->dimension, sizeof *at->variance);
    if (!at->variance) return refuse(why, DPN_ENOMEM, "out of memory");
    struct waiting waiting;
    waiting_start(&waiting, at->text);
    dpn_status status = dpn_ball_volume(&at->volume, at->ball, question->rng, (size_t)question->points, &reason);
    if (!status)
        status = dpn_ball_mean_norms(&at->losses, at->variance, at->ball, scale, question->rng,
                                     (size_t)question->points, &reason);
    waiting_end(&waiting);
    if (status) return refuse(why, status, "%.40s: %s", at->text, reason.sentence);
    at->entropy = dpn_knorm_entropy(question->dimension, scale, at->volume.log);
    at->volume.log += m * log(at->delta);
    for (size_t j = 0; j < question->dimension; j++) at->mse += at->variance[j];
    return DPN_OK;
}

/* ---- The verdict ---- */

enum measure { ENTROPY, MSE, L1, L2, LINF, MEASURES };
static const char *const measure_names[MEASURES] = {"entropy", "squared error", "l1 loss", "l2 loss",
                                                    "l-infinity loss"};

static double value_of(const struct knorm_ball *at, int measure) {
    const double value[MEASURES] = {at->entropy, at->mse, at->losses.l1, at->losses.l2, at->losses.linf};
    return value[measure];
}

static size_t best_by(const struct knorm_question *question, int measure) {
    size_t best = 0;
    for (size_t i = 1; i < question->balls; i++)
        if (value_of(&question->ball[i], measure) < value_of(&question->ball[best], measure)) best = i;
    return best;
}

struct verdict {
    size_t best; /* by entropy, which extends containment */
    bool contained;
    size_t by[MEASURES];
    bool disagree;
};

static struct verdict judge(const struct knorm_question *question) {
    struct verdict out = {.contained = true};
    for (int i = 0; i < MEASURES; i++) out.by[i] = best_by(question, i);
    out.best = out.by[ENTROPY];
    for (size_t i = 0; i < question->balls; i++)
        out.contained = out.contained && (i == out.best || is_inside(&question->ball[out.best], &question->ball[i]));
    for (int i = 1; i < MEASURES; i++) { /* by more than estimates may err */
        const struct knorm_ball *other = &question->ball[out.by[i]], *best = &question->ball[out.best];
        out.disagree = out.disagree || value_of(other, i) < value_of(best, i) * (1 - 0.02);
    }
    return out;
}

static const char *reason_words(const struct verdict *verdict) {
    return verdict->contained
               ? "its ball lies inside all others: less spread in every direction (containment order)"
               : "its ball has the smallest volume, so that its noise has the least entropy (volume order)";
}

static const char warning_words[] =
    "the measures disagree: scale all answers to the same sensitivity, or choose by the loss that matters";

/* ---- Output ---- */

static void write_row(struct json *json, const struct knorm_question *question, const struct knorm_ball *at) {
    json_open_object(json, NULL);
    json_string(json, "ball", at->text);
    json_number(json, "sensitivity", at->delta);
    json_number(json, "volume", exp(at->volume.log));
    json_number(json, "entropy", at->entropy);
    json_number(json, "mse", at->mse);
    json_open_array(json, "variance");
    for (size_t j = 0; j < question->dimension; j++) json_number(json, NULL, at->variance[j]);
    json_close_array(json);
    json_number(json, "l1", at->losses.l1);
    json_number(json, "l2", at->losses.l2);
    json_number(json, "linf", at->losses.linf);
    json_number(json, "l2_error", at->losses.l2_error);
    json_open_array(json, "inside");
    for (size_t i = 0; i < question->balls; i++)
        if (&question->ball[i] != at && is_inside(at, &question->ball[i]))
            json_string(json, NULL, question->ball[i].text);
    json_close_array(json);
    json_close_object(json);
}

static void print_json(const struct knorm_question *question, const struct verdict *verdict) {
    struct json object = json_begin(stdout);
    json_number(&object, "epsilon", question->epsilon);
    json_count(&object, "dimension", question->dimension);
    json_open_array(&object, "rows");
    for (size_t i = 0; i < question->balls; i++) write_row(&object, question, &question->ball[i]);
    json_close_array(&object);
    json_string(&object, "best", question->ball[verdict->best].text);
    json_string(&object, "reason", reason_words(verdict));
    json_open_object(&object, "best_by");
    for (int i = 0; i < MEASURES; i++) json_string(&object, measure_names[i], question->ball[verdict->by[i]].text);
    json_close_object(&object);
    if (verdict->disagree) json_string(&object, "warning", warning_words);
    if (question->plot) json_string(&object, "plot", question->plot);
    json_end(&object);
}

static dpn_status print_table(const struct knorm_question *question, dpn_error *why) {
    static const char *const head[] = {"ball", "sensitivity", "volume", "entropy", "mse",
                                       "l1",   "l2",          "l-inf",  "inside"};
    enum { COLUMNS = sizeof head / sizeof *head };
    struct table table;
    dpn_status status = table_make(&table, question->balls + 1, COLUMNS, why);
    if (status) return status;
    table.left = 1u << (COLUMNS - 1);
    for (size_t c = 0; c < COLUMNS; c++) table_set(&table, 0, c, "%s", head[c]);
    for (size_t i = 0; i < question->balls; i++) {
        const struct knorm_ball *at = &question->ball[i];
        const double number[] = {at->delta,     exp(at->volume.log), at->entropy,    at->mse,
                                 at->losses.l1, at->losses.l2,       at->losses.linf};
        char inside[100] = "";
        size_t used = 0;
        table_set(&table, i + 1, 0, "%s", at->text);
        for (size_t c = 0; c < 7; c++) table_set(&table, i + 1, c + 1, "%.7g", number[c]);
        for (size_t k = 0; k < question->balls && used < sizeof inside; k++)
            if (k != i && is_inside(at, &question->ball[k]))
                used += (size_t)snprintf(inside + used, sizeof inside - used, "%s%s", used ? " " : "",
                                         question->ball[k].text);
        table_set(&table, i + 1, COLUMNS - 1, "%s", inside);
    }
    table_print(stdout, &table, 2);
    table_free(&table);
    return DPN_OK;
}

/* What is not by formula is said to be estimated. */
static void print_estimates(const struct knorm_question *question) {
    double worst = 0;
    for (size_t i = 0; i < question->balls; i++) {
        const dpn_mean_norms *losses = &question->ball[i].losses;
        worst = fmax(worst, fmax(losses->variance_error, losses->l2_error / losses->l2));
    }
    if (worst > 0)
        fact_print(stdout, "  estimated     ",
                   "losses from %llu random vectors, with standard errors of up to %.2g percent",
                   (unsigned long long)question->points, 100 * worst);
}

static dpn_status print_text(const struct knorm_question *question, const struct verdict *verdict, dpn_error *why) {
    printf("K-norm noise at epsilon %.10g on %zu answers\n", question->epsilon, question->dimension);
    dpn_status status = print_table(question, why);
    if (status) return status;
    putchar('\n');
    fact_print(stdout, "  best          ", "%s: %s", question->ball[verdict->best].text, reason_words(verdict));
    for (int i = 1; i < MEASURES; i++)
        if (verdict->by[i] != verdict->best)
            printf("  by %-11s %s\n", measure_names[i], question->ball[verdict->by[i]].text);
    print_estimates(question);
    if (verdict->disagree) fact_print(stdout, "  warning       ", "%s", warning_words);
    return DPN_OK;
}

dpn_status knorm_compare(struct knorm_question *question, bool json, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < question->balls && !status; i++) status = measure(question, &question->ball[i], why);
    if (!status && question->plot) status = knorm_plot(question, why);
    if (status) return status;
    struct verdict verdict = judge(question);
    if (!json) return print_text(question, &verdict, why);
    print_json(question, &verdict);
    return DPN_OK;
}
