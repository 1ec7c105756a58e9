/* Data that are not registered, and states: the budget that is charged for them first is theirs, whatever they are called later. */
#include "question/question.h"

#include "base/error.h"
#include "base/text/excerpt.h"
#include "base/text/json-write.h"
#include "question/registration.h"
#include "release/declare/declaration.h"

#include <stdlib.h>
#include <string.h>

/* ---- What is written down ---- */

static void put_place(dpn_text *out, const dpn_question *question) {
    if (question->place) {
        dpn_text_put(out, question->place);
        return;
    }
    dpn_text_put(out, "{\"kind\": \"declared\", \"what\": ");
    dpn_text_quote(out, question->source);
    dpn_text_put(out, "}");
}

/* The registration of nothing but the place and the person. */
static dpn_status write_down(dpn_question *question, dpn_error *why) {
    dpn_text text = {0};
    dpn_error reason;
    dpn_text_put(&text, "{\"source\": ");
    put_place(&text, question);
    if (question->declaration.person) {
        dpn_text_put(&text, ", \"person\": ");
        dpn_text_quote(&text, question->declaration.person);
    }
    dpn_text_put(&text, "}");
    if (text.failed) {
        free(text.at);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the question");
    }
    free(question->data);
    question->data = text.at;
    dpn_registration_free(&question->written);
    dpn_status status = dpn_registration_read(&question->written, text.at, text.length, &reason);
    if (!status) status = dpn_registration_check(&question->written, &reason);
    return status ? dpn_fail(why, status, "where the data are cannot be written down: %s", reason.sentence) : DPN_OK;
}

/* ---- States ---- */

enum { HIDDEN_NAME = 16 };
static const char hidden_word[] = "hidden";

dpn_status dpn_question_take_parts(dpn_question *question, const dpn_place *place, dpn_error *why) {
    const char *name = place->kind == DPN_PLACE_DECLARED && place->what ? strchr(place->what, ' ') : NULL;
    if (!name) return dpn_fail(why, DPN_EDOMAIN, "states are declared by a word and their names");
    return dpn_text_copy(&question->parts, name, why);
}

static dpn_status put_hidden(dpn_text *out, dpn_question *question, dpn_error *why) {
    char hidden[DPN_LEDGER_HIDDEN_SIZE];
    dpn_text_put(out, hidden_word);
    for (const char *at = question->parts + strspn(question->parts, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        dpn_status status = dpn_ledger_hide(hidden, question->ledger, at, length, why);
        if (status) return status;
        hidden[HIDDEN_NAME] = '\0';
        dpn_text_put(out, " ");
        dpn_text_put(out, hidden);
        at += length;
    }
    return out->failed ? dpn_fail(why, DPN_ENOMEM, "no memory for the question") : DPN_OK;
}

dpn_status dpn_question_hide_parts(dpn_question *question, dpn_error *why) {
    dpn_text text = {0};
    char *written = NULL;
    dpn_status status = put_hidden(&text, question, why);
    dpn_place place = {.kind = DPN_PLACE_DECLARED, .what = text.at};
    if (!status) status = dpn_place_check(&place, why);
    if (!status) status = dpn_place_write(&written, NULL, &place, why);
    free(text.at);
    if (status) return status;
    free(question->place);
    free(question->source);
    question->source = NULL;
    question->place = written;
    return dpn_text_copy(&question->source, written, why);
}

/* Whether one of them is among others, and whether all are. */
static bool share_part(bool *all, const dpn_place *place, const dpn_place *other) {
    size_t word = sizeof hidden_word - 1, step = 1 + HIDDEN_NAME;
    bool some = false;
    *all = other->kind == DPN_PLACE_DECLARED && other->what && strncmp(other->what, hidden_word, word) == 0;
    if (!*all) return false;
    for (const char *at = place->what + word; strlen(at) >= step; at += step) {
        char name[1 + HIDDEN_NAME + 1] = {0};
        memcpy(name, at, step);
        bool there = strstr(other->what, name) != NULL;
        some |= there;
        *all &= there;
    }
    return some;
}

/* ---- What the ledger has ---- */

/* What is declared is known to its curator alone: the same words under another budget say nothing. Of states one that is the same is enough to be refused,
 * and all have to be there for them to be known (`all`). */
static dpn_status find_same(bool *same, bool *all, const dpn_question *question, const dpn_place *other, bool own,
                            dpn_error *why) {
    const dpn_place *place = &question->written.source;
    char *one = NULL, *two = NULL;
    bool declared = place->kind == DPN_PLACE_DECLARED && other->kind == DPN_PLACE_DECLARED;
    dpn_status status = dpn_place_write(&one, NULL, place, why);
    if (!status) status = dpn_place_write(&two, NULL, other, why);
    *same = !status && strcmp(one, two) == 0 && (own || !declared);
    *all = false;
    if (!status && question->states) *same = share_part(all, place, other);
    if (!status && !*same && question->same) *same = question->same(question->same_context, other);
    if (!question->states) *all = *same;
    free(one);
    free(two);
    return status;
}

/* Another unit is refused with the charge, as for all data. */
static dpn_status check_person(const dpn_question *question, const char *person, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    const char *asked = question->declaration.person;
    if (!person || !asked || strcmp(person, asked) == 0) return DPN_OK;
    return dpn_fail(
        why, DPN_EDOMAIN,
        "person: '%s' told persons apart when '%.60s' was first charged for these data, and no other column "
        "does",
        dpn_show(shown, person), question->account.name);
}

dpn_status dpn_question_admit(void *context, const dpn_known_source *known, dpn_error *why) {
    dpn_question *question = context;
    dpn_registration other;
    dpn_error reason;
    bool same = false, all = false, own = strcmp(known->name, question->account.name) == 0;
    dpn_status status = dpn_registration_read(&other, known->text, known->length, &reason);
    if (status)
        return dpn_fail(why, status, "where the data of '%.80s' are cannot be read: %s", known->name, reason.sentence);
    status = find_same(&same, &all, question, &other.source, own, why);
    if (!status && same && !own)
        status = dpn_fail(why, DPN_EDOMAIN,
                          "these data have the budget of '%.80s', and one is all they get: ask for them by that name",
                          known->name);
    if (!status && same && own) status = check_person(question, other.person, why);
    if (!status && same && own && all) question->noted = true;
    dpn_registration_free(&other);
    return status;
}

dpn_status dpn_question_check_data(dpn_question *question, dpn_error *why) {
    dpn_known_source known = {.number = 0};
    dpn_status status = write_down(question, why);
    question->noted = false;
    while (!status) {
        status = dpn_ledger_next_source(&known, question->ledger, known.number, why);
        if (status || !known.text) return status;
        status = dpn_question_admit(question, &known, why);
        free(known.text);
    }
    return status;
}
