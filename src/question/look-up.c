/* Whose budget it is, and whether the ledger has the answer. */
#include "question/question.h"

#include "base/error.h"
#include "base/text/json-write.h"

#include <dpnoise/answer.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The account ---- */

/* The other quota that pays, of the same data set. */
static dpn_status find_other(dpn_account *out, const dpn_question *question, const char *cap, dpn_error *why) {
    dpn_status status = dpn_ledger_account(out, question->ledger, question->also, why);
    if (status || strcmp(out->of, cap) == 0) return status;
    dpn_account_free(out);
    return dpn_fail(why, DPN_EDOMAIN, "'%.80s' is not a quota of '%.80s'", question->also, cap);
}

dpn_status dpn_question_find_account(dpn_question *question, dpn_error *why) {
    dpn_account found, cap, other = {0};
    dpn_status status = dpn_ledger_account(&found, question->ledger, question->name, why);
    if (status) return status;
    if (question->also[0]) status = find_other(&other, question, found.of[0] ? found.of : found.name, why);
    if (status) {
        dpn_account_free(&found);
        return status;
    }
    dpn_account_free(&question->quota[1]);
    question->quota[1] = other;
    if (!found.of[0]) {
        dpn_account_free(&question->account);
        question->account = found;
        return DPN_OK;
    }
    status = dpn_ledger_account(&cap, question->ledger, found.of, why);
    if (status) {
        dpn_account_free(&found);
        return status;
    }
    dpn_account_free(&question->account);
    dpn_account_free(&question->quota[0]);
    question->account = cap;
    question->quota[0] = found;
    return DPN_OK;
}

/* ---- The key of an answer ---- */

static void put_member(dpn_text *out, const char *name, const char *json) {
    dpn_text_put(out, ", ");
    dpn_text_quote(out, name);
    dpn_text_put(out, ": ");
    dpn_text_put(out, json);
}

/* An answer belongs to a name, and no registration changes what a name's budget is; to a version, which ends when the curator
 * says that the content is new; and to the data themselves, so that the answer of one table is not given for another. */
dpn_status dpn_question_specify(char **out, const dpn_question *question, dpn_error *why) {
    char version[24], *place = NULL;
    dpn_text text = {0};
    if (question->registered && !question->states) {
        dpn_status status = dpn_place_write(&place, NULL, &question->registration.source, why);
        if (status) return status;
    }
    snprintf(version, sizeof version, "%" PRIu64, question->version);
    dpn_text_put(&text, "{\"dataset\": ");
    dpn_text_quote(&text, question->account.name);
    put_member(&text, "version", version);
    dpn_text_put(&text, ", \"source\": ");
    dpn_text_quote(&text, place ? place : question->source);
    if (question->registered && question->registration.multiline) put_member(&text, "multiline", "true");
    put_member(&text, "declaration", dpn_question_text(question));
    if (question->inquiry) put_member(&text, "inquiry", question->inquiry->text);
    dpn_text_put(&text, "}");
    free(place);
    if (text.failed) {
        free(text.at);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the question");
    }
    *out = text.at;
    return DPN_OK;
}

/* ---- Answers that were paid for ---- */

void dpn_question_remember(dpn_question *question, uint64_t number) {
    dpn_entry entry;
    if (dpn_ledger_entry(&entry, question->ledger, number, NULL)) return;
    question->paid = true;
    question->head = entry.head;
    question->charge = entry.charge;
    question->converted = entry.converted;
    memcpy(question->time, entry.time, sizeof question->time);
    dpn_entry_free(&entry);
}

/* A quota pays once for an answer, whoever paid the data set's budget for it. */
static dpn_status find_state(dpn_question_state *out, dpn_question *question, dpn_error *why) {
    dpn_status status = DPN_OK;
    *out = DPN_QUESTION_STORED;
    for (int i = 0; i < 2 && !status; i++) {
        uint64_t paid = 0;
        if (!question->quota[i].filter) continue;
        status = dpn_ledger_find_charge(&paid, question->ledger, question->quota[i].name, question->specification,
                                        strlen(question->specification), why);
        question->owes[i] = paid == 0;
        if (!status && paid == 0) *out = DPN_QUESTION_OTHERS;
    }
    return status;
}

dpn_status dpn_question_look_up(dpn_question *question, dpn_error *why) {
    char *text = NULL;
    size_t length = 0;
    uint64_t number = 0;
    dpn_question_state state = DPN_QUESTION_STORED;
    if (question->fresh) return DPN_OK;
    dpn_status status = dpn_ledger_find_result(&text, &length, &number, question->ledger, question->account.name,
                                               question->specification, strlen(question->specification), why);
    if (status || !text) return status;
    status = find_state(&state, question, why);
    if (!status && question->inquiry) {
        question->result = text;
        text = NULL;
    } else if (!status) {
        status = dpn_answer_read(&question->answer, text, length, why);
    }
    free(text);
    if (status) return status;
    question->state = state;
    question->stored = true;
    question->head = (dpn_head){.number = number};
    dpn_question_remember(question, number);
    return DPN_OK;
}
