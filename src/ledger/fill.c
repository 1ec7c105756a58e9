/* What callers wrote becomes part of a record: checked, and copied. */
#include "ledger/ledger.h"

#include "base/error.h"
#include "base/text/excerpt.h"
#include "base/text/json.h"

#include <stdlib.h>
#include <string.h>

dpn_status dpn_entry_fill(dpn_entry_fields *entry, const char *name, const char *user, const char *note,
                          dpn_error *why) {
    if (!name) return dpn_fail(why, DPN_EDOMAIN, "the name of a data set is missing");
    dpn_status status = dpn_text_check(name, "the name of a data set", sizeof entry->name, false, why);
    if (!status && user) status = dpn_text_check(user, "the name of the user", sizeof entry->user, true, why);
    if (!status && note) status = dpn_text_check(note, "the note", sizeof entry->note, true, why);
    if (status) return status;
    memcpy(entry->name, name, strlen(name) + 1);
    if (user) memcpy(entry->user, user, strlen(user) + 1);
    if (note) memcpy(entry->note, note, strlen(note) + 1);
    return DPN_OK;
}

/* Line breaks of JSON lie between its values only, where a blank does as well. */
dpn_status dpn_json_line(char **out, const char *text, const char *what, bool object, dpn_error *why) {
    dpn_json json;
    size_t length = strlen(text);
    if (length >= DPN_LEDGER_PLAN_SIZE)
        return dpn_fail(why, DPN_EDOMAIN, "the %s has more than %d bytes", what, DPN_LEDGER_PLAN_SIZE - 1);
    dpn_status status = dpn_json_read(&json, text, length, why);
    if (status) return status;
    if (object && json.value[0].kind != DPN_JSON_OBJECT)
        status = dpn_fail(why, DPN_EPARSE, "the %s must be a JSON object", what);
    dpn_json_free(&json);
    if (status) return status;
    char *copy = malloc(length + 1);
    if (!copy) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i <= length; i++) copy[i] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
    *out = copy;
    return DPN_OK;
}
