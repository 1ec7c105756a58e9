/* Putting a question: under its registration, checked and compiled. Nothing is spent here. */
#include "question/memory.h"
#include "question/question.h"

#include "base/error.h"
#include "base/options.h"
#include "base/text/excerpt.h"
#include "question/registration.h"
#include "release/compile/query.h"
#include "release/declare/declaration.h"
#include "release/statistic/statistic.h"

#include <stdlib.h>
#include <string.h>

/* ---- A copy of the declaration ---- */

static bool all_there(char *const *text, size_t count) {
    if (count > 0 && !text) return false;
    for (size_t i = 0; i < count; i++)
        if (!text[i]) return false;
    return true;
}

/* Whether a statistic can be written at all; what it means is checked later. */
static bool is_whole(const dpn_statistic *statistic) {
    unsigned shape = dpn_statistic_shape_of(statistic->kind);
    return dpn_statistic_kind_name(statistic->kind) && all_there(statistic->column, statistic->columns) &&
           (!(shape & DPN_HAS_COLUMN) || statistic->columns == 1) &&
           (!statistic->lower || all_there(statistic->lower, statistic->columns)) &&
           (!statistic->upper || all_there(statistic->upper, statistic->columns)) &&
           all_there(statistic->edge, statistic->edges) && (!(shape & DPN_HAS_QUANTILE) || statistic->quantile);
}

static bool has_all_parts(const dpn_declaration *declaration) {
    bool whole = (declaration->statistic || !declaration->statistics) && (declaration->by || !declaration->bys) &&
                 (declaration->where || !declaration->wheres) && dpn_relation_name(declaration->relation) &&
                 all_there(declaration->na, declaration->nas) &&
                 (declaration->missing != DPN_MISSING_VALUE || declaration->missing_value);
    for (size_t i = 0; i < declaration->statistics && whole; i++) whole = is_whole(&declaration->statistic[i]);
    for (size_t i = 0; i < declaration->bys && whole; i++)
        whole = declaration->by[i].column && all_there(declaration->by[i].level, declaration->by[i].levels);
    for (size_t i = 0; i < declaration->wheres && whole; i++)
        whole = declaration->where[i].column && declaration->where[i].value &&
                dpn_predicate_is_name(declaration->where[i].is);
    return whole;
}

static dpn_status copy_declaration(dpn_declaration *out, const dpn_declaration *declaration, dpn_error *why) {
    if (has_all_parts(declaration)) return dpn_declaration_copy(out, declaration, why);
    dpn_status status = dpn_declaration_check(declaration, why); /* which has the better sentence, if it has one */
    return status ? status : dpn_fail(why, DPN_EDOMAIN, "a part of the declaration is missing");
}

/* ---- Options ---- */

static dpn_status take_text(char *out, size_t size, const char *what, const char *text, bool empty, dpn_error *why) {
    if (!text) return DPN_OK;
    dpn_status status = dpn_text_check(text, what, size, empty, why);
    if (!status) memcpy(out, text, strlen(text) + 1);
    return status;
}

static dpn_status take_options(dpn_question *question, const char *name, const dpn_question_options *options,
                               dpn_error *why) {
    dpn_status status =
        take_text(question->name, sizeof question->name, "the name of a data set", name ? name : "", false, why);
    if (!status)
        status = take_text(question->analyst, sizeof question->analyst, "the name of the analyst", options->analyst,
                           true, why);
    if (!status && options->also && strcmp(options->also, question->name) != 0)
        status = take_text(question->also, sizeof question->also, "the other payer", options->also, false, why);
    if (!status && options->note) status = dpn_text_check(options->note, "the note", DPN_LEDGER_NOTE_SIZE, true, why);
    if (!status && options->note) status = dpn_text_copy(&question->note, options->note, why);
    if (!status && options->place) status = dpn_place_check(options->place, why);
    if (!status && options->place) status = dpn_place_write(&question->place, NULL, options->place, why);
    const char *source = options->source && !options->states ? options->source : question->place;
    if (!status && source) status = dpn_text_copy(&question->source, source, why);
    question->same = options->same;
    question->same_context = options->same_context;
    question->fresh = options->fresh;
    question->states = options->states;
    if (!status && options->states && !options->place)
        status = dpn_fail(why, DPN_EDOMAIN, "which states these are has to be said");
    if (!status && options->states) status = dpn_question_take_parts(question, options->place, why);
    question->memory = options->memory;
    question->inquiry = options->inquiry;
    question->has_secret = options->secret != NULL;
    if (options->secret) question->secret = *options->secret;
    return status;
}

/* ---- The registration ---- */

/* A source that the front says has to be the registered one. */
static dpn_status check_source(const dpn_question *question, dpn_error *why) {
    char *place;
    if (!question->source || question->states) return DPN_OK;
    dpn_status status = dpn_place_write(&place, NULL, &question->registration.source, why);
    if (status) return status;
    bool same = strcmp(place, question->source) == 0;
    free(place);
    if (same) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN,
                    "'%.80s' is registered for data elsewhere; its curator can say that they were moved",
                    question->name);
}

/* Of a delta that the whole budget does not have no question may dispose: its noise would be hardly any, and the charge be an
 * epsilon beyond the most of one question. */
static dpn_status limit_delta(dpn_registration *registration, const dpn_decimal *total, dpn_error *why) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    if (registration->most_delta) return DPN_OK;
    return dpn_text_copy(&registration->most_delta, dpn_decimal_print(text, total), why);
}

static dpn_status take_registration(dpn_question *question, const char *text, size_t length, dpn_error *why) {
    dpn_filter_plan plan = dpn_filter_plan_of(question->account.filter);
    dpn_error reason;
    dpn_status status = dpn_registration_read(&question->registration, text, length, &reason);
    if (!status) status = dpn_registration_check(&question->registration, &reason);
    if (!status) status = dpn_registration_settle(&question->registration, &plan.epsilon, &reason);
    if (!status) status = limit_delta(&question->registration, &plan.delta, &reason);
    if (status)
        return dpn_fail(why, status, "the registration of '%.80s' cannot be used: %s", question->name, reason.sentence);
    question->registered = true;
    return check_source(question, why);
}

static dpn_status find_registration(dpn_question *question, dpn_error *why) {
    char *text;
    size_t length;
    dpn_status status =
        dpn_ledger_find_registration(&text, &length, &question->version, NULL, question->ledger, question->name, why);
    if (status) return status;
    if (!text) question->version = 0;
    if (text) status = take_registration(question, text, length, why);
    free(text);
    return status;
}

/* ---- The question ---- */

/* An answer that no ledger takes is refused before it costs anything. Of keys that are chosen privately the number is not
 * known: of too many of them some are left out (write-answer.c). */
static dpn_status check_length(const dpn_question *question, dpn_error *why) {
    enum { CELL = 128, MOST = 1 << 26 }; /* what the text of a cell has at most, and what a ledger takes */
    size_t outputs = 0;
    while (dpn_query_output(question->query, outputs)) outputs++;
    if (dpn_query_groups(question->query) <= MOST / CELL / (outputs + 1)) return DPN_OK;
    return dpn_fail(why, DPN_EUNSUPPORTED,
                    "the answer has more numbers than a ledger keeps, about %d; take fewer groups or statistics",
                    MOST / CELL);
}

static dpn_status compile(dpn_question *question, const dpn_question_options *options, dpn_error *why) {
    dpn_calibration_options planning = {.size = sizeof planning,
                                        .progress = options->progress,
                                        .context = options->context,
                                        .cancelled = options->cancelled,
                                        .hulls = options->hulls};
    dpn_declaration *declaration = &question->declaration;
    dpn_status status = DPN_OK;
    if (question->registered) status = dpn_registration_apply(declaration, &question->registration, why);
    const dpn_inquiry *inquiry = question->inquiry;
    if (!status)
        status = inquiry ? dpn_query_new_shape(&question->query, declaration, why) /* each checks all of it */
                         : dpn_query_new(&question->query, declaration, &planning, why);
    if (!status && inquiry) status = inquiry->plan(inquiry->context, declaration, why);
    return status || inquiry ? status : check_length(question, why);
}

static dpn_status find_answer(dpn_question *question, dpn_error *why) {
    if (!question->registered && !question->source)
        return dpn_fail(why, DPN_EDOMAIN, "'%.80s' is not registered, and nobody said what its data are",
                        question->name);
    dpn_status status = question->states ? dpn_question_hide_parts(question, why) : DPN_OK;
    if (!status) status = dpn_question_specify(&question->specification, question, why);
    if (!status) status = dpn_question_look_up(question, why);
    /* An answer that was paid for reads no data. */
    bool reads = question->state == DPN_QUESTION_ASKED && (!question->registered || question->states);
    return !status && reads ? dpn_question_check_data(question, why) : status;
}

/* The rest of a question whose declaration was copied or read. */
static dpn_status build(dpn_question *question, const char *name, const dpn_question_options *options, dpn_error *why) {
    dpn_status status = take_options(question, name, options, why);
    if (!status && question->ledger) status = dpn_question_find_account(question, why);
    if (!status && question->ledger) status = find_registration(question, why);
    if (!status) status = compile(question, options, why);
    if (status) return status;
    return question->ledger ? find_answer(question, why) : dpn_question_check_memory(question, why);
}

/* Exactly one of declaration and text is there. */
static dpn_status make(dpn_question **out, dpn_ledger *ledger, const char *name, const dpn_declaration *declaration,
                       const char *text, size_t length, const dpn_question_options *options, dpn_error *why) {
    dpn_question_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (status) return status;
    dpn_question *question = calloc(1, sizeof *question);
    if (!question) return dpn_fail(why, DPN_ENOMEM, "no memory for the question");
    question->ledger = ledger;
    status = declaration ? copy_declaration(&question->declaration, declaration, why)
                         : dpn_declaration_read(&question->declaration, text, length, why);
    if (!status) status = build(question, name, &own, why);
    if (status)
        dpn_question_free(question);
    else
        *out = question;
    return status;
}

dpn_status dpn_question_new(dpn_question **out, dpn_ledger *ledger, const char *name,
                            const dpn_declaration *declaration, const dpn_question_options *options, dpn_error *why) {
    if (!declaration) return dpn_fail(why, DPN_EDOMAIN, "there is no question");
    return make(out, ledger, name, declaration, NULL, 0, options, why);
}

dpn_status dpn_question_read(dpn_question **out, dpn_ledger *ledger, const char *name, const char *text, size_t length,
                             const dpn_question_options *options, dpn_error *why) {
    return make(out, ledger, name, NULL, text, length, options, why);
}

dpn_status dpn_question_join(dpn_question *question, dpn_ledger *ledger, dpn_error *why) {
    if (question->ledger || !ledger) return dpn_fail(why, DPN_EDOMAIN, "the question has a ledger, or is given none");
    question->ledger = ledger;
    dpn_status status = dpn_question_find_account(question, why);
    if (!status && question->account.version > 0)
        status =
            dpn_fail(why, DPN_EDOMAIN, "'%.80s' is registered: ask it with its ledger from the start", question->name);
    if (!status) status = find_answer(question, why);
    if (!status) return DPN_OK;
    dpn_account_free(&question->account);
    for (int i = 0; i < 2; i++) dpn_account_free(&question->quota[i]);
    free(question->specification);
    question->specification = NULL;
    question->ledger = NULL;
    return status;
}

void dpn_question_free(dpn_question *question) {
    if (!question) return;
    dpn_tally_free(question->tally);
    dpn_answer_free(question->answer);
    dpn_query_free(question->query);
    dpn_account_free(&question->account);
    for (int i = 0; i < 2; i++) dpn_account_free(&question->quota[i]);
    dpn_declaration_free(&question->declaration);
    dpn_registration_free(&question->registration);
    dpn_registration_free(&question->written);
    free(question->specification);
    free(question->result);
    free(question->data);
    free(question->place);
    free(question->parts);
    free(question->source);
    free(question->note);
    free(question);
}

/* ---- What is known of it ---- */

const dpn_declaration *dpn_question_declaration(const dpn_question *question) {
    return &question->query->declaration;
}

const char *dpn_question_text(const dpn_question *question) {
    return question->query->text;
}

const dpn_query *dpn_question_query(const dpn_question *question) {
    return question->query;
}

const dpn_registration *dpn_question_registration(const dpn_question *question) {
    return question->registered ? &question->registration : NULL;
}

dpn_question_standing dpn_question_look(const dpn_question *question) {
    dpn_question_standing out = {.state = question->state,
                                 .stored = question->stored,
                                 .converted = question->converted,
                                 .head = question->head,
                                 .charge = question->paid ? &question->charge : NULL,
                                 .account = question->account.filter ? &question->account : NULL,
                                 .quota = question->quota[0].filter ? &question->quota[0] : NULL};
    memcpy(out.time, question->time, sizeof out.time);
    return out;
}
