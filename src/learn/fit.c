/* A fit: its options, its plan, its run. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "learn/method.h"
#include "learn/model.h"

#include "base/error.h"
#include "base/options.h"
#include "learn/exact.h"
#include "learn/kit.h"
#include "learn/row-loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ---- */

/* What is outside serves nobody, and would be paid for. 0 stands for a default, or for none. */
static dpn_status check_ranges(const dpn_fit_options *options, dpn_error *why) {
    const struct {
        const char *name;
        double value, least, most;
        const char *range;
    } number[] = {{"clip", options->clip, 1e-6, 1e6, "0.000001 and 1000000"},
                  {"step", options->step, 1e-12, 1000, "1e-12 and 1000"},
                  {"share", options->share, 1e-3, 0.999, "0.001 and 0.999"},
                  {"sample_rate", options->sample_rate, 0x1p-16, 1, "2^-16 and 1"},
                  {"l1", options->l1, 1e-12, 1e9, "1e-12 and 1e9"},
                  {"l2", options->l2, 1e-12, 1e9, "1e-12 and 1e9"},
                  {"rows", options->rows, 0.5, DPN_MOST_ROWS, "1 and 134217728, the most that a fit takes"}};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        double value = number[i].value;
        if (value != 0 && !(value >= number[i].least && value <= number[i].most))
            return dpn_fail(why, DPN_EDOMAIN, "%s must lie between %s", number[i].name, number[i].range);
    }
    return DPN_OK;
}

static dpn_status check_options(const dpn_fit_options *options, dpn_error *why) {
    if (!dpn_fit_kind_name(options->kind)) return dpn_fail(why, DPN_EDOMAIN, "a fit is linear, logistic or quantile");
    dpn_status status = check_ranges(options, why);
    if (status) return status;
    bool in_range = options->within_l2
                        ? options->within >= DPN_ROW_LOSS_LEAST_RADIUS && options->within <= DPN_ROW_LOSS_MOST_RADIUS
                        : options->within == 0 || (options->within >= 0x1p-40 && options->within <= DPN_ROW_LOSS_BOX);
    if (!in_range)
        return dpn_fail(
            why, DPN_EDOMAIN,
            options->within_l2
                ? "within must lie between 2^-6 and 2^27 if it bounds the length of all coefficients together"
                : "within must lie between 2^-40 and 2^28");
    double thousandths = 1000 * options->quantile;
    if (!(options->quantile >= 0 && options->quantile < 1 && fabs(thousandths - rint(thousandths)) < 1e-9))
        return dpn_fail(why, DPN_EDOMAIN,
                        "a quantile lies between 0 and 1 and has at most three digits after the point");
    if (options->quantile > 0 && options->kind != DPN_FIT_QUANTILE)
        return dpn_fail(why, DPN_EDOMAIN, "a %s fit has no quantile", dpn_fit_kind_name(options->kind));
    for (size_t i = 0; options->start && i < options->starts; i++)
        if (!isfinite(options->start[i])) return dpn_fail(why, DPN_EDOMAIN, "start must have finite numbers");
    if (options->accounting > DPN_FIT_PAPER) return dpn_fail(why, DPN_EDOMAIN, "accounting is exact, zcdp or paper");
    return DPN_OK;
}

static bool serves(const struct dpn_fit_method *method, dpn_fit_kind kind) {
    if (kind == DPN_FIT_QUANTILE) return method->quantile;
    return kind == DPN_FIT_LINEAR ? method->linear : method->logistic;
}

static dpn_status find_method(dpn_fit *fit, dpn_error *why) {
    const char *name = fit->options.method, *kind = dpn_fit_kind_name(fit->options.kind);
    size_t i = 0;
    while (!name && dpn_fit_method_at(i) &&
           (dpn_fit_method_at(i)->is_not_private || !serves(dpn_fit_method_at(i), fit->options.kind)))
        i++;
    fit->method = name ? dpn_fit_method_find(name) : dpn_fit_method_at(i);
    if (!fit->method && !name) return dpn_fail(why, DPN_EUNSUPPORTED, "no private method does %s fits", kind);
    if (!fit->method) return dpn_fail(why, DPN_EPARSE, "there is no method '%.40s'", name);
    if (fit->options.tune && fit->method->is_not_private)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a fit that is not private needs no private choice of its setting");
    bool can = serves(fit->method, fit->options.kind);
    if (can && fit->options.tune) {
        fit->options.method = name ? fit->method->name : NULL; /* by which its settings are asked for */
        fit->method = dpn_fit_kit_here.tuned;
        if (!fit->method) return dpn_fail(why, DPN_EUNSUPPORTED, "this library does not choose settings privately");
    }
    if (can) return DPN_OK;
    return dpn_fail(why, DPN_EUNSUPPORTED, "the method '%s' does not do %s fits", name, kind);
}

/* What is asked besides the declaration. */
static dpn_status write_text(dpn_fit *fit, dpn_error *why) {
    char *text = NULL;
    dpn_status status = dpn_fit_write_settings(&text, fit, why);
    if (status) return status;
    free(fit->text);
    fit->text = text;
    fit->inquiry.text = text;
    return DPN_OK;
}

static dpn_status copy(char **out, const char *text, dpn_error *why) {
    if (!text) return DPN_OK;
    *out = strdup(text);
    return *out ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
}

static dpn_status copy_numbers(double **out, const double *value, size_t count, dpn_error *why) {
    if (!value) return DPN_OK;
    *out = calloc(count + 1, sizeof **out);
    if (!*out) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    if (count > 0) memcpy(*out, value, count * sizeof **out);
    return DPN_OK;
}

/* ---- As an inquiry ---- */

/* A ledger must not sell what has no guarantee. The rows are asked once and run once: where sums do, they are not kept. */
static dpn_status plan_inquiry(void *context, const dpn_declaration *declaration, dpn_error *why) {
    dpn_fit *fit = context;
    if (fit->method->is_not_private)
        return dpn_fail(why, DPN_EUNSUPPORTED, "the method '%s' is not private: no budget pays for it",
                        fit->method->name);
    dpn_status status = dpn_fit_plan(fit, declaration, why);
    bool folds = !status && fit->method->sums_alone && !fit->query->declaration.person;
    return folds ? dpn_rows_fold(&fit->rows, why) : status;
}

static dpn_status answer_inquiry(char **text, size_t *length, void *fit, dpn_rng *rng, dpn_error *why) {
    dpn_model *model = NULL;
    dpn_status status = dpn_fit_run(&model, fit, rng, why);
    if (!status) status = dpn_model_write(text, length, model, why);
    dpn_model_free(model);
    return status;
}

const dpn_inquiry *dpn_fit_inquiry(dpn_fit *fit) {
    return &fit->inquiry;
}

/* ---- Making and freeing ---- */

static dpn_status build(dpn_fit *fit, dpn_error *why) {
    dpn_status status = check_options(&fit->options, why);
    if (!status) status = find_method(fit, why);
    if (!status) status = copy(&fit->noise, fit->options.noise, why);
    if (!status) status = copy(&fit->ball, fit->options.ball, why);
    if (!status) status = copy_numbers(&fit->start, fit->options.start, fit->options.starts, why);
    if (!status) status = copy_numbers(&fit->smoothness, fit->options.smoothness, fit->options.smoothnesses, why);
    if (!fit->options.tune) fit->options.method = fit->method ? fit->method->name : NULL;
    fit->options.noise = fit->noise;
    fit->options.ball = fit->ball;
    fit->options.start = fit->start;
    fit->options.smoothness = fit->smoothness;
    fit->inquiry =
        (dpn_inquiry){.context = fit, .plan = plan_inquiry, .charge = dpn_fit_charge, .answer = answer_inquiry};
    fit->settled = fit->options;
    return status ? status : write_text(fit, why);
}

dpn_status dpn_fit_new(dpn_fit **out, const dpn_fit_options *options, dpn_error *why) {
    dpn_fit_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (status) return status;
    dpn_fit *fit = calloc(1, sizeof *fit);
    if (!fit) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    fit->options = own;
    status = build(fit, why);
    if (status)
        dpn_fit_free(fit);
    else
        *out = fit;
    return status;
}

void dpn_fit_free(dpn_fit *fit) {
    if (!fit) return;
    if (fit->state && fit->method->free)
        fit->method->free(fit->state);
    else
        free(fit->state);
    for (size_t i = 0; i < fit->releases; i++) {
        dpn_release_free(fit->announced[i].release);
        free(fit->announced[i].detail);
    }
    free(fit->announced);
    dpn_rows_free(&fit->rows);
    dpn_exact_free(fit);
    dpn_person_ids_free(&fit->persons);
    if (fit->reader.query) dpn_reader_free(&fit->reader);
    dpn_query_free(fit->query);
    free(fit->variable);
    free(fit->marked);
    free(fit->missing);
    free(fit->number);
    free(fit->record);
    free(fit->step);
    free(fit->noise);
    free(fit->ball);
    free(fit->start);
    free(fit->smoothness);
    free(fit->text);
    free(fit);
}

/* ---- Planning ---- */

void dpn_fit_watch(dpn_fit *fit, void (*progress)(void *context, double done), bool (*cancelled)(void *context),
                   void *context) {
    fit->progress = progress;
    fit->cancelled = cancelled;
    fit->context = context;
}

static dpn_status make_scratch(dpn_fit *fit, dpn_error *why) {
    dpn_status status = dpn_reader_make(&fit->reader, fit->query, why);
    if (status) return status;
    fit->marked = calloc(fit->query->columns + 1, sizeof *fit->marked);
    fit->missing = calloc(fit->query->columns + 1, sizeof *fit->missing);
    fit->number = calloc(fit->reader.numerics + 1, sizeof *fit->number);
    fit->record = calloc(dpn_reader_record(&fit->reader) + 1, sizeof *fit->record);
    fit->step = calloc(dpn_fit_width(fit), sizeof *fit->step);
    fit->rows.columns = dpn_fit_width(fit);
    bool all = fit->marked && fit->missing && fit->number && fit->record && fit->step;
    if (!all) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    return fit->method->is_not_private ? dpn_exact_begin(fit, why) : DPN_OK;
}

/* Where epsilon is so small that noise leaves 64 bits, that is the sentence, and not what it means for a grid. */
static dpn_status plan_method(dpn_fit *fit, dpn_error *why) {
    static const char overflow[] = "is too fine for its noise";
    dpn_error reason = {.sentence = ""};
    dpn_status status = fit->method->plan(&fit->state, fit, &reason);
    if (!status) return DPN_OK;
    if (!strstr(reason.sentence, overflow)) return dpn_fail(why, status, "%s", reason.sentence);
    bool persons = fit->query->declaration.person && fit->query->declaration.max_rows > 1;
    return dpn_fail(why, status, "epsilon is too small%s: the noise of the method '%s' would not fit 64 bits",
                    persons ? " for a row, which has epsilon/max_rows" : "", fit->method->name);
}

dpn_status dpn_fit_plan(dpn_fit *fit, const dpn_declaration *declaration, dpn_error *why) {
    if (fit->query) return dpn_fail(why, DPN_EDOMAIN, "the fit was planned already");
    dpn_status status = dpn_fit_kit_here.ready ? dpn_fit_kit_here.ready(why) : DPN_OK;
    if (!status) status = dpn_query_new_shape(&fit->query, declaration, why);
    if (!status) status = dpn_fit_make_variables(fit, why);
    if (!status) status = make_scratch(fit, why);
    if (status) return status;
    fit->epsilon = dpn_decimal_lower(&fit->query->asked.epsilon);
    fit->limit = dpn_decimal_lower(&fit->query->asked.delta);
    if (fit->query->declaration.person) dpn_group_shares(&fit->epsilon, &fit->limit, fit->query->declaration.max_rows);
    fit->delta = fit->limit * (1 - 1e-10);
    fit->relation = fit->query->declaration.relation;
    if (fit->options.kind == DPN_FIT_QUANTILE && fit->options.quantile == 0) fit->settled.quantile = 0.5;
    status = dpn_fit_check_settings(fit, why);
    if (!status && fit->method->plan) status = plan_method(fit, why);
    if (!status) status = write_text(fit, why);
    if (!status && !fit->method->is_not_private) status = dpn_fit_certify(fit, why);
    fit->planned = !status;
    return status;
}

const char *dpn_fit_column(const dpn_fit *fit, size_t index) {
    return fit->query ? dpn_query_column(fit->query, index) : NULL;
}

/* ---- Running ---- */

dpn_status dpn_fit_done(const dpn_fit *fit, double share, dpn_error *why) {
    if (fit->progress) fit->progress(fit->context, share);
    bool ends = fit->cancelled && fit->cancelled(fit->context);
    return ends ? dpn_fail(why, DPN_ECANCELLED, "the fit was cancelled") : DPN_OK;
}

dpn_status dpn_fit_run(dpn_model **out, dpn_fit *fit, dpn_rng *rng, dpn_error *why) {
    if (!fit->planned || fit->ran) return dpn_fail(why, DPN_EDOMAIN, "a fit is planned, given its rows, and run once");
    fit->ran = true;
    size_t width = fit->features + 1;
    dpn_fit_estimate found = {.b = calloc(width, sizeof(double)),
                              .covariance = calloc(width * width, sizeof(double)),
                              .null = calloc(width * width, sizeof(double)),
                              .interval = ""};
    bool plain = fit->method->is_not_private, all = found.b && found.covariance && found.null;
    dpn_status status = all ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the model");
    if (!status && !plain)
        status = dpn_rows_of_persons(&fit->rows, &fit->persons, fit->query->declaration.max_rows, rng, why);
    if (!status) status = fit->method->run(&found, fit, fit->state, rng, why);
    if (!status) status = dpn_model_make(out, fit, &found, why);
    free(found.b);
    free(found.covariance);
    free(found.null);
    return status;
}
