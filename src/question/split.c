/* A question as a service receives it: the name of the data set among the members of a declaration. */
#include "base/error.h"
#include "base/text/json-blank.h"

#include <dpnoise/question.h>
#include <stdlib.h>
#include <string.h>

static const dpn_json_value *find(const dpn_json *json, const char *name, dpn_error *why) {
    bool twice = false;
    const dpn_json_value *value = dpn_json_member(json, &json->value[0], name, &twice);
    if (twice) dpn_fail(why, DPN_EPARSE, "%s is given twice", name);
    return twice ? NULL : value;
}

static dpn_status split(char name[DPN_LEDGER_NAME_SIZE], char *text, const dpn_json *json, dpn_error *why) {
    dpn_error reason = {DPN_OK, ""};
    if (json->value[0].kind != DPN_JSON_OBJECT)
        return dpn_fail(why, DPN_EPARSE, "a question is one JSON object: {\"dataset\": \"people\", ...}");
    if (find(json, "analyst", &reason) || reason.status)
        return dpn_fail(why, DPN_EPARSE, "analyst: who asks is known to the service, and never what the question says");
    const dpn_json_value *value = find(json, "dataset", &reason);
    if (!value && reason.status) return dpn_fail(why, reason.status, "%s", reason.sentence);
    if (!value) return dpn_fail(why, DPN_EPARSE, "dataset is missing: which data is the question about");
    if (dpn_json_string(name, DPN_LEDGER_NAME_SIZE, json, value, &reason))
        return dpn_fail(why, DPN_EPARSE, "dataset must be the name of a data set, a string of up to %d bytes",
                        DPN_LEDGER_NAME_SIZE - 1);
    dpn_json_blank(text, value);
    return DPN_OK;
}

dpn_status dpn_question_split(char name[DPN_LEDGER_NAME_SIZE], char **text, size_t *length, const char *question,
                              size_t question_length, dpn_error *why) {
    dpn_json json;
    char found[DPN_LEDGER_NAME_SIZE] = "";
    dpn_status status = dpn_json_read(&json, question, question_length, why);
    if (status) return status;
    char *copy = malloc(question_length + 1);
    if (copy) {
        memcpy(copy, question, question_length);
        copy[question_length] = '\0';
        status = split(found, copy, &json, why);
    } else
        status = dpn_fail(why, DPN_ENOMEM, "no memory for the question");
    dpn_json_free(&json);
    if (status) {
        free(copy);
        return status;
    }
    memcpy(name, found, sizeof found);
    *text = copy;
    if (length) *length = question_length;
    return DPN_OK;
}
