/* The members of a JSON object that is read into a declaration. */
#include "release/declare/members.h"

#include "base/error.h"
#include "base/text/excerpt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dpn_status dpn_member_refuse(const dpn_members *r, dpn_status status, const char *member, const char *reason) {
    return dpn_fail(r->why, status, "%s%s%s: %s", r->place, *r->place && *member ? "." : "", member, reason);
}

dpn_status dpn_member_no_memory(const dpn_members *r) {
    return dpn_fail(r->why, DPN_ENOMEM, "no memory for the declaration");
}

/* ---- members ---- */

dpn_status dpn_member_find(const dpn_json_value **out, const dpn_members *r, const dpn_json_value *object,
                           const char *name) {
    bool twice = false;
    *out = dpn_json_member(&r->json, object, name, &twice);
    if (twice) return dpn_member_refuse(r, DPN_EPARSE, name, "it is given twice");
    if (*out && (*out)->kind == DPN_JSON_NULL) *out = NULL;
    return DPN_OK;
}

dpn_status dpn_member_need(const dpn_json_value **out, const dpn_members *r, const dpn_json_value *object,
                           const char *name) {
    dpn_status status = dpn_member_find(out, r, object, name);
    return !status && !*out ? dpn_member_refuse(r, DPN_EPARSE, name, "it is missing") : status;
}

dpn_status dpn_members_know(const dpn_members *r, const dpn_json_value *object, const char *names) {
    if (object->kind != DPN_JSON_OBJECT) return dpn_member_refuse(r, DPN_EPARSE, "", "an object in braces is expected");
    const dpn_json_value *at = object + 1;
    for (uint32_t i = 0; i < object->count; i++) {
        char name[DPN_SHOWN_SIZE] = "", words[400], shown[DPN_SHOWN_SIZE];
        bool known = false;
        dpn_status status = dpn_json_string(name, sizeof name, &r->json, at, NULL);
        for (const char *word = names; !status && !known && *word; word += strspn(word, " ")) {
            size_t length = strcspn(word, " ");
            known = strlen(name) == length && memcmp(name, word, length) == 0 && at->length == length;
            word += length;
        }
        if (!known) {
            snprintf(words, sizeof words, "there is no such member, but %s", names);
            return dpn_member_refuse(r, DPN_EPARSE, status ? "a member" : dpn_show(shown, name), words);
        }
        at = dpn_json_next(&r->json, dpn_json_next(&r->json, at));
    }
    return DPN_OK;
}

/* ---- texts and numbers ---- */

/* The text of a string, or of a number as it is written. */
static dpn_status read_words(char *out, size_t size, const dpn_members *r, const dpn_json_value *value,
                             const char *member) {
    dpn_error reason = {DPN_EPARSE, "text or a number is expected"};
    if (value->kind == DPN_JSON_NUMBER && value->length < size) {
        memcpy(out, r->json.text + value->start, value->length);
        out[value->length] = '\0';
        return DPN_OK;
    }
    if (value->kind == DPN_JSON_NUMBER) reason = (dpn_error){DPN_EDOMAIN, "the number has too many digits"};
    if (value->kind == DPN_JSON_STRING && !dpn_json_string(out, size, &r->json, value, &reason)) return DPN_OK;
    return dpn_member_refuse(r, reason.status, member, reason.sentence);
}

dpn_status dpn_member_name(char **out, const dpn_members *r, const dpn_json_value *value, const char *member) {
    char name[DPN_DECLARATION_NAME_SIZE];
    dpn_error reason;
    dpn_status status = read_words(name, sizeof name, r, value, member);
    if (!status && dpn_name_check(name, "it", &reason))
        return dpn_member_refuse(r, DPN_EPARSE, member, reason.sentence);
    return status ? status : dpn_text_copy(out, name, r->why);
}

static dpn_status read_decimal(char **out, const dpn_members *r, const dpn_json_value *value, const char *member,
                               bool infinite) {
    char text[2 * DPN_SIGNED_TEXT_SIZE];
    dpn_error reason;
    dpn_status status = read_words(text, sizeof text, r, value, member);
    if (status) return status;
    status = dpn_number_copy(out, text, infinite, &reason);
    return status == DPN_ENOMEM ? dpn_member_no_memory(r)
           : status             ? dpn_member_refuse(r, status, member, reason.sentence)
                                : DPN_OK;
}

dpn_status dpn_member_number(char **out, const dpn_members *r, const dpn_json_value *value, const char *member) {
    return read_decimal(out, r, value, member, false);
}

dpn_status dpn_member_edge(char **out, const dpn_members *r, const dpn_json_value *value, const char *member) {
    return read_decimal(out, r, value, member, true);
}

dpn_status dpn_member_list(char ***out, size_t *count, const dpn_members *r, const dpn_json_value *value,
                           const char *member, dpn_member_reader *read_one) {
    if (value->kind != DPN_JSON_ARRAY)
        return dpn_member_refuse(r, DPN_EPARSE, member, "a list in brackets is expected");
    if (value->count == 0) return dpn_member_refuse(r, DPN_EPARSE, member, "the list is empty");
    *out = calloc(value->count, sizeof **out);
    if (!*out) return dpn_member_no_memory(r);
    *count = value->count;
    dpn_status status = DPN_OK;
    const dpn_json_value *element = dpn_json_first(value);
    for (size_t i = 0; i < *count && !status; i++) {
        char place[64];
        snprintf(place, sizeof place, "%s[%zu]", member, i);
        status = read_one(&(*out)[i], r, element, place);
        element = dpn_json_next(&r->json, element);
    }
    return status;
}

dpn_status dpn_member_single(char ***out, const dpn_members *r, const dpn_json_value *value, const char *member,
                             dpn_member_reader *read_one) {
    *out = calloc(1, sizeof **out);
    return *out ? read_one(&(*out)[0], r, value, member) : dpn_member_no_memory(r);
}

/* ---- words ---- */

/* One of the words that `word` gives for 0, 1, ...; *out stays as it is if the member is absent. */
dpn_status dpn_member_choice(size_t *out, const dpn_members *r, const dpn_json_value *object, const char *name,
                             const char *(*word)(size_t)) {
    const dpn_json_value *value;
    char text[32] = "", expected[160] = "one of these is expected:";
    dpn_status status = dpn_member_find(&value, r, object, name);
    if (status || !value) return status;
    bool is_text = dpn_json_string(text, sizeof text, &r->json, value, NULL) == DPN_OK;
    for (size_t i = 0; word(i); i++) {
        if (is_text && strcmp(text, word(i)) == 0) {
            *out = i;
            return DPN_OK;
        }
        size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, " %s", word(i));
    }
    return dpn_member_refuse(r, DPN_EPARSE, name, expected);
}

dpn_status dpn_member_bool(bool *out, const dpn_members *r, const dpn_json_value *object, const char *name) {
    const dpn_json_value *value;
    dpn_status status = dpn_member_find(&value, r, object, name);
    if (status || !value) return status;
    if (value->kind != DPN_JSON_TRUE && value->kind != DPN_JSON_FALSE)
        return dpn_member_refuse(r, DPN_EPARSE, name, "true or false is expected");
    *out = value->kind == DPN_JSON_TRUE;
    return DPN_OK;
}

/* A whole number in digits. */
dpn_status dpn_member_count(uint64_t *out, const dpn_members *r, const dpn_json_value *object, const char *name) {
    enum { DIGITS = 18 };
    const dpn_json_value *value;
    char text[DIGITS + 1];
    dpn_status status = dpn_member_find(&value, r, object, name);
    if (status || !value) return status;
    uint64_t count = 0;
    bool whole = read_words(text, sizeof text, r, value, name) == DPN_OK && *text;
    for (const char *digit = text; whole && *digit; digit++) {
        whole = *digit >= '0' && *digit <= '9';
        count = 10 * count + (uint64_t)(*digit - '0');
    }
    if (!whole)
        return dpn_member_refuse(r, DPN_EPARSE, name, "a whole number in digits is expected, at most 18 of them");
    *out = count;
    return DPN_OK;
}

/* A member that is one text; NULL stays if it is absent. */
dpn_status dpn_member_text(char **out, const dpn_members *r, const dpn_json_value *object, const char *name,
                           dpn_member_reader *read_one) {
    const dpn_json_value *value;
    dpn_status status = dpn_member_find(&value, r, object, name);
    return status || !value ? status : read_one(out, r, value, name);
}
