/* The answer of `dpnoise release` as JSON, and what it shares with a dry run. */
#include "release/release.h"

#include "release/said.h"

#include <dpnoise/number.h>

/* ---- The question ---- */

static void json_cells(struct json *json, const dpn_query_facts *facts) {
    json_open_object(json, "sensitivity");
    json_count(json, "moved_groups", facts->moved_groups);
    json_open_array(json, "cells");
    for (size_t i = 0; i < facts->cells; i++) {
        const dpn_query_cell *cell = &facts->cell[i];
        json_open_object(json, NULL);
        json_string(json, "name", cell->name);
        json_number(json, "sensitivity", cell->sensitivity);
        json_number(json, "grid", cell->grid);
        json_number(json, "variance", cell->variance);
        json_number(json, "interval95", cell->interval95);
        json_number(json, "naive95", cell->naive95);
        json_close_object(json);
    }
    json_close_array(json);
    if (facts->quantiles) {
        json_count(json, "quantiles", facts->quantiles);
        json_number(json, "quantile_epsilon", facts->quantile_epsilon);
    }
    if (facts->unknown_keys) {
        json_number(json, "threshold", (double)facts->threshold);
        json_number(json, "threshold_delta", facts->threshold_delta);
    }
    json_bool(json, "count_is_public", facts->count_is_public);
    json_close_object(json);
}

/* A decimal as the nearest double; as text where there is none. */
static void json_decimal(struct json *json, const char *name, const char *text) {
    double number;
    if (dpn_number_parse(&number, text, NULL))
        json_string(json, name, text);
    else
        json_number(json, name, number);
}

void release_json_question(struct json *json, const struct release *release) {
    const dpn_declaration *declaration = &release->declaration;
    dpn_query_facts facts = dpn_query_look(dpn_question_query(release->question));
    json_decimal(json, "epsilon", declaration->epsilon);
    json_decimal(json, "delta", declaration->delta ? declaration->delta : "0");
    json_value(json, "plan", release->plan ? release->plan : "null");
    json_cells(json, &facts);
    json_string(json, "relation", dpn_relation_name(declaration->relation));
    json_string(json, "unit", dpn_unit_name(declaration->person ? DPN_PERSON : DPN_ROW));
    json_value(json, "declaration", dpn_question_text(release->question));
    struct said said = said_of(declaration, dpn_question_query(release->question), release->answer);
    said_json(json, &said);
    said_free(&said);
    json_open_array(json, "post_processing");
    if (declaration->nonnegative) json_string(json, NULL, "nonnegative");
    if (declaration->consistent) json_string(json, NULL, "consistent");
    json_close_array(json);
    json_open_array(json, "notes");
    for (size_t i = 0; i < release->notes; i++) json_string(json, NULL, release->note[i]);
    json_close_array(json);
}

/* ---- The ledger ---- */

void release_json_ledger(struct json *json, const struct release *release) {
    const struct standing *standing = &release->standing;
    char text[DPN_DECIMAL_TEXT_SIZE], head[DPN_HEAD_TEXT_SIZE];
    json_open_object(json, "ledger");
    json_string(json, "file", release->budget.path);
    json_string(json, "dataset", standing->known ? standing->account.name : release->dataset);
    if (standing->head.number) {
        json_string(json, "head", dpn_head_print(head, &standing->head));
        json_open_object(json, "charged");
        if (standing->cost.pure)
            json_string(json, "epsilon", dpn_decimal_print(text, &standing->cost.epsilon));
        else
            json_value(json, "epsilon", "null");
        json_string(json, "delta", dpn_decimal_print(text, &standing->cost.delta));
        json_bool(json, "converted", standing->converted);
        json_close_object(json);
    }
    if (standing->known) {
        dpn_remaining left = dpn_filter_remaining(standing->account.filter);
        dpn_decimal epsilon = dpn_filter_largest_pure(standing->account.filter);
        json_open_object(json, "remaining");
        json_string(json, "epsilon", dpn_decimal_print(text, &epsilon));
        json_string(json, "delta", dpn_decimal_print(text, &left.delta));
        json_number(json, "rho", left.rho);
        json_close_object(json);
    }
    json_close_object(json);
}

/* ---- The answer ---- */

static void json_interval(struct json *json, const char *name, const dpn_answer_cell *cell) {
    json_open_array(json, name);
    json_number(json, NULL, cell->low);
    json_number(json, NULL, cell->high);
    json_close_array(json);
}

void release_json_rows(struct json *json, const dpn_answer *answer, const dpn_declaration *declaration) {
    json_open_array(json, "rows");
    for (size_t g = 0; g < answer->groups; g++)
        for (size_t o = 0; o < answer->outputs; o++) {
            const dpn_answer_cell *cell = &answer->cell[g * answer->outputs + o];
            json_open_object(json, NULL);
            json_open_object(json, "group");
            for (size_t k = 0; k < answer->bys; k++)
                json_string(json, declaration->by[k].column, answer->key[g * answer->bys + k]);
            json_close_object(json);
            json_string(json, "statistic", answer->output[o]);
            json_number(json, "value", cell->value);
            json_interval(json, "interval95", cell);
            json_number(json, "rank95", cell->rank95);
            const char *kind = dpn_interval_kind_name(cell->kind);
            if (kind)
                json_string(json, "interval", kind);
            else
                json_value(json, "interval", "null");
            json_close_object(json);
        }
    json_close_array(json);
    json_open_array(json, "interval95");
    for (size_t i = 0; i < answer->groups * answer->outputs; i++) json_interval(json, NULL, &answer->cell[i]);
    json_close_array(json);
}

dpn_status release_print_json(const struct release *release, dpn_error *why) {
    (void)why;
    struct json object = json_begin(stdout);
    release_json_rows(&object, release->answer, &release->declaration);
    release_json_question(&object, release);
    release_json_ledger(&object, release);
    json_bool(&object, "stored", release->standing.stored);
    json_end(&object);
    return DPN_OK;
}
