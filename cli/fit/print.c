/* The model of `dpnoise fit` for people and as JSON, and what a dry run tells. */
#include "fit/fit.h"

#include "kit/fact.h"
#include "kit/json.h"
#include "kit/plain.h"
#include "kit/table.h"

#include <dpnoise/plan.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

static void json_coefficients(struct json *json, const dpn_model *model) {
    json_open_array(json, "coefficients");
    for (size_t i = 0; i < model->coefficients; i++) {
        const dpn_coefficient *coefficient = &model->coefficient[i];
        json_open_object(json, NULL);
        json_string(json, "name", coefficient->name);
        json_number(json, "value", coefficient->value);
        json_number(json, "low", coefficient->low);
        json_number(json, "high", coefficient->high);
        json_close_object(json);
    }
    json_close_array(json);
}

static void json_notes(struct json *json, const struct release *release) {
    json_open_array(json, "notes");
    for (size_t i = 0; i < release->notes; i++) json_string(json, NULL, release->note[i]);
    json_close_array(json);
}

static void json_guarantee(struct json *json, const struct fitting *fitting) {
    const dpn_declaration *declaration = &fitting->release.declaration;
    json_bool(json, "private", !fitting->plain);
    if (fitting->plain) {
        json_value(json, "epsilon", "null");
        json_value(json, "delta", "null");
    } else {
        json_value(json, "epsilon", declaration->epsilon);
        json_value(json, "delta", declaration->delta ? declaration->delta : "0");
    }
    json_string(json, "relation", dpn_relation_name(declaration->relation));
    json_string(json, "unit", dpn_unit_name(declaration->person ? DPN_PERSON : DPN_ROW));
    if (declaration->person && !fitting->plain) json_count(json, "max_rows", declaration->max_rows);
}

static void json_chosen(struct json *json, const dpn_model *model) {
    char *chosen = dpn_model_chosen(model);
    if (chosen) json_value(json, "chosen", chosen);
    free(chosen);
}

static dpn_status print_json(const struct fitting *fitting, dpn_error *why) {
    const dpn_model *model = fitting->model;
    char *text = NULL;
    dpn_status status = dpn_model_write(&text, NULL, model, why);
    if (status) return status;
    struct json object = json_begin(stdout);
    json_string(&object, "fit", dpn_fit_kind_name(model->kind));
    if (model->kind == DPN_FIT_QUANTILE) json_number(&object, "quantile", model->quantile);
    json_string(&object, "method", model->method);
    json_chosen(&object, model);
    json_coefficients(&object, model);
    if (model->interval[0])
        json_string(&object, "interval", model->interval);
    else
        json_value(&object, "interval", "null");
    json_guarantee(&object, fitting);
    json_value(&object, "releases", model->releases);
    json_value(&object, "model", text);
    json_notes(&object, &fitting->release);
    if (!fitting->plain) {
        release_json_ledger(&object, &fitting->release);
        json_bool(&object, "stored", fitting->release.standing.stored);
    }
    json_end(&object);
    free(text);
    return DPN_OK;
}

/* ---- Text ---- */

static void set_end(struct table *table, size_t row, size_t column, double end) {
    if (isnan(end))
        table_set(table, row, column, "-");
    else
        table_set(table, row, column, "%.6g", end);
}

static dpn_status print_coefficients(const dpn_model *model, dpn_error *why) {
    struct table table;
    bool has = model->interval[0];
    dpn_status status = table_make(&table, model->coefficients + 1, has ? 4 : 2, why);
    if (status) return status;
    static const char *const heads[] = {"", "value", "low", "high"};
    for (size_t c = 0; c < table.columns; c++) table_set(&table, 0, c, "%s", heads[c]);
    for (size_t i = 0; i < model->coefficients; i++) {
        const dpn_coefficient *coefficient = &model->coefficient[i];
        table_set(&table, i + 1, 0, "%.100s", coefficient->name);
        table_set(&table, i + 1, 1, "%.6g", coefficient->value);
        if (has) set_end(&table, i + 1, 2, coefficient->low);
        if (has) set_end(&table, i + 1, 3, coefficient->high);
    }
    table.head = true;
    table_print(stdout, &table, 2);
    table_free(&table);
    return DPN_OK;
}

/* What descent did with each coefficient. */
static dpn_status print_descent(const dpn_model *model, dpn_error *why) {
    static const char *const what[] = {"sensitivity", "smoothness", "clip", "step", "noise"};
    enum { WHATS = sizeof what / sizeof *what };
    struct table table;
    if (isnan(dpn_model_detail(model, 0, what[0]))) return DPN_OK;
    dpn_status status = table_make(&table, model->coefficients + 1, 1 + WHATS, why);
    if (status) return status;
    puts("\n  per coefficient, in the unit in which all columns lie in -1..1: how far a row moves the mean derivative, "
         "M, C,\n"
         "  tau, and the standard deviation of the noise on that mean\n");
    table_set(&table, 0, 0, "%s", "");
    for (size_t c = 0; c < WHATS; c++) table_set(&table, 0, c + 1, "%s", what[c]);
    for (size_t i = 0; i < model->coefficients; i++) {
        table_set(&table, i + 1, 0, "%.100s", model->coefficient[i].name);
        for (size_t c = 0; c < WHATS; c++) table_set(&table, i + 1, c + 1, "%.4g", dpn_model_detail(model, i, what[c]));
    }
    table.head = true;
    table_print(stdout, &table, 2);
    table_free(&table);
    return DPN_OK;
}

/* The setting of a private choice, which is JSON of words and numbers. */
static void print_chosen(const dpn_model *model) {
    char *chosen = dpn_model_chosen(model);
    if (chosen) fact_print(stdout, "  chosen     ", "%s", chosen);
    free(chosen);
}

static void print_interval(const dpn_model *model) {
    if (strcmp(model->interval, "noise") == 0)
        fact_print(stdout, "  interval   ",
                   "95%%, approximately, about the coefficients of the same fit without noise, not of a population");
    else if (strcmp(model->interval, "sampling") == 0)
        fact_print(stdout, "  interval   ",
                   "95%% about the coefficients of the population that the rows are a sample of");
    else
        puts("  interval   none: the error of this estimate is not known");
    bool told = true;
    for (size_t i = 0; i < model->coefficients && model->interval[0]; i++) told &= !isnan(model->coefficient[i].low);
    if (!told && strcmp(model->interval, "noise") == 0)
        fact_print(
            stdout, "  note       ",
            "the noise leaves too little of coefficients without an interval: take tighter bounds, more rows or a "
            "larger epsilon");
    else if (!told)
        fact_print(stdout, "  note       ",
                   "the rows do not determine coefficients without an interval: a column is constant, or follows from "
                   "others");
}

static void print_persons(const dpn_declaration *declaration) {
    if (!declaration->person) return;
    fact_print(stdout, "  persons    ", "of each, told apart by %s, at most %" PRIu64 " row%s fitted, chosen at random",
               declaration->person, declaration->max_rows, declaration->max_rows == 1 ? " is" : "s are");
}

static dpn_status print_text(const struct fitting *fitting, dpn_error *why) {
    const dpn_model *model = fitting->model;
    if (model->kind == DPN_FIT_QUANTILE && !isnan(model->quantile))
        printf("fit of the %g quantile of ", model->quantile);
    else
        printf("%s fit of ", dpn_fit_kind_name(model->kind));
    print_plain(stdout, model->target);
    printf(", method %s\n\n", model->method);
    dpn_status status = print_coefficients(model, why);
    if (!status) status = print_descent(model, why);
    if (status) return status;
    putchar('\n');
    print_chosen(model);
    print_interval(model);
    if (fitting->plain) {
        puts("  guarantee  NONE: this fit is not private, and must not be published");
        return DPN_OK;
    }
    release_print_guarantee(&fitting->release);
    print_persons(&fitting->release.declaration);
    release_print_ledger(&fitting->release);
    release_print_notes(stdout, &fitting->release);
    return DPN_OK;
}

dpn_status fit_print(const struct fitting *fitting, dpn_error *why) {
    bool json = arguments_have(fitting->release.arguments, "--json");
    return json ? print_json(fitting, why) : print_text(fitting, why);
}

/* ---- A dry run ---- */

static dpn_status json_releases(struct json *json, const dpn_fit *fit, dpn_error *why) {
    char *text = NULL;
    dpn_status status = dpn_fit_releases_write(&text, NULL, fit, why);
    if (!status) json_value(json, "releases", text);
    free(text);
    return status;
}

static void json_forecast(struct json *json, const struct forecast *forecast) {
    if (!forecast->known) return;
    json_open_object(json, "forecast");
    json_count(json, "rows", forecast->rows);
    json_number(json, "error", forecast->error);
    json_close_object(json);
}

static void print_forecast(const struct fitting *fitting, const struct forecast *forecast) {
    if (!forecast->known) return;
    fact_print(stdout, "  forecast   ",
               "predictions about %.3g%s from those without noise, at %" PRIu64 " invented rows", forecast->error,
               fitting->options.kind == DPN_FIT_LOGISTIC ? " of probability" : "", forecast->rows);
}

/* Of several ways one is taken, and the first release of each says so. */
static const char *label_of(const dpn_fit *fit, size_t index) {
    size_t way = dpn_fit_alternative(fit, index), before = index > 0 ? dpn_fit_alternative(fit, index - 1) : 0;
    if (way == 0) return "  release    ";
    return way == before ? "             " : way == 1 ? "  either     " : "  or         ";
}

static void print_releases(const dpn_fit *fit) {
    for (size_t i = 0; dpn_fit_release_at(fit, i).plan; i++) {
        dpn_fit_release one = dpn_fit_release_at(fit, i);
        struct fact fact;
        fact_begin(&fact, stdout, label_of(fit, i));
        fprintf(fact.text, "%s: %zu number%s, drawn ", one.what, one.plan->dimension,
                one.plan->dimension == 1 ? "" : "s");
        if (one.times == 1)
            fputs("once, ", fact.text);
        else
            fprintf(fact.text, "%" PRIu64 " times, ", one.times);
        if (dpn_fit_sample_rate(fit, i) < 1)
            fprintf(fact.text, "each on a secret sample of %.4g of the rows, ", dpn_fit_sample_rate(fit, i));
        release_print_noise(fact.text, one.plan, ", ");
        fact_end(&fact);
    }
}

dpn_status fit_print_plan(const struct fitting *fitting, dpn_error *why) {
    const struct release *release = &fitting->release;
    struct forecast forecast = {0};
    dpn_status status = fit_forecast(&forecast, fitting, why);
    if (status) return status;
    if (arguments_have(release->arguments, "--json")) {
        struct json object = json_begin(stdout);
        json_string(&object, "fit", dpn_fit_kind_name(fitting->options.kind));
        json_guarantee(&object, fitting);
        json_forecast(&object, &forecast);
        status = json_releases(&object, fitting->fit, why);
        json_value(&object, "declaration", dpn_question_text(release->question));
        json_notes(&object, release);
        release_json_ledger(&object, release);
        json_bool(&object, "stored", release->standing.stored);
        json_end(&object);
        return status;
    }
    print_releases(fitting->fit);
    release_print_guarantee(release);
    print_persons(&release->declaration);
    print_forecast(fitting, &forecast);
    puts("  charged    nothing: this is a dry run");
    release_print_notes(stdout, release);
    return DPN_OK;
}
