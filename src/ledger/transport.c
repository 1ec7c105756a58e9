/* A ledger as text, and back. */
#include "ledger/ledger.h"

#include "base/error.h"
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Out ---- */

dpn_status dpn_ledger_export(char **text, size_t *length, dpn_ledger *ledger, dpn_error *why) {
    dpn_text out = {0};
    dpn_head last;
    dpn_status status = dpn_ledger_count(NULL, &last, ledger, why);
    for (uint64_t number = 1; !status && number <= last.number; number++) {
        dpn_entry entry;
        unsigned char tag[DPN_TAG_SIZE];
        char start[48];
        dpn_error own;
        status = dpn_ledger_entry(&entry, ledger, number, why);
        if (status) break;
        status = dpn_ledger_tag_of(tag, ledger, number, &own);
        snprintf(start, sizeof start, "{\"number\": %llu, \"tag\": \"", (unsigned long long)number);
        dpn_text_put(&out, start);
        dpn_text_hex(&out, tag, sizeof tag);
        dpn_text_put(&out, "\", \"entry\": ");
        dpn_text_put(&out, entry.text);
        dpn_text_put(&out, "}\n");
        dpn_entry_free(&entry);
        if (status) status = dpn_fail(why, status, "%s", own.sentence);
    }
    if (!status && out.failed) status = dpn_fail(why, DPN_ENOMEM, "out of memory");
    if (status) {
        free(out.at);
        return status;
    }
    *text = out.at;
    *length = out.length;
    return DPN_OK;
}

/* ---- In ---- */

static dpn_status import_line(dpn_ledger *ledger, uint64_t number, const char *line, size_t length, dpn_error *why) {
    dpn_json json;
    unsigned char tag[DPN_TAG_SIZE];
    char hex[2 * DPN_TAG_SIZE + 1];
    double said = 0;
    dpn_status status = dpn_json_read(&json, line, length, why);
    if (status) return status;
    bool twice = false;
    const dpn_json_value *object = &json.value[0];
    bool is_object = object->kind == DPN_JSON_OBJECT;
    const dpn_json_value *place = is_object ? dpn_json_member(&json, object, "number", &twice) : NULL;
    const dpn_json_value *mark = is_object ? dpn_json_member(&json, object, "tag", &twice) : NULL;
    const dpn_json_value *entry = is_object ? dpn_json_member(&json, object, "entry", &twice) : NULL;
    if (!place || !mark || !entry || twice || entry->kind != DPN_JSON_OBJECT)
        status = dpn_fail(why, DPN_EPARSE, "it must hold number, tag and entry");
    if (!status) status = dpn_json_number(&said, &json, place, why);
    if (!status) status = dpn_json_string(hex, sizeof hex, &json, mark, why);
    if (!status && (said != (double)number || !dpn_hex_read(tag, sizeof tag, hex, strlen(hex))))
        status = dpn_fail(why, DPN_EPARSE, "its number or tag is not what it must be");
    if (!status) status = dpn_ledger_insert(ledger, number, line + entry->start, entry->length, tag, why);
    dpn_json_free(&json);
    return status;
}

static dpn_status import_all(dpn_ledger *ledger, const char *text, size_t length, dpn_error *why) {
    dpn_error own;
    bool empty = false;
    dpn_status status = dpn_store_run(&ledger->store, DPN_SQL_BEGIN_NOW, why);
    if (!status) status = dpn_store_empty(&empty, &ledger->store, why);
    if (!status && !empty) status = dpn_fail(why, DPN_EIO, "there is a ledger of that name already");
    if (!status) status = dpn_store_make_schema(&ledger->store, why);
    const char *line = text, *stop = text + length;
    for (uint64_t number = 1; !status && line < stop; number++) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        if (!end) end = stop;
        status = import_line(ledger, number, line, (size_t)(end - line), &own);
        if (status == DPN_EPARSE || status == DPN_EDOMAIN)
            status = dpn_fail(why, DPN_EPARSE, "line %llu is no line of an exported ledger: %.120s",
                              (unsigned long long)number, own.sentence);
        else if (status)
            status = dpn_fail(why, status, "%s", own.sentence);
        line = end + 1;
    }
    /* Nothing is believed because it was in the text: the rows are read back, verified and admitted. */
    if (!status) status = dpn_ledger_catch_up(ledger, why);
    if (!status) status = dpn_store_run(&ledger->store, DPN_SQL_COMMIT, why);
    dpn_store_abandon(&ledger->store);
    return status;
}

dpn_status dpn_ledger_import(dpn_ledger **out, const char *path, const dpn_ledger_how *how, const char *text,
                             size_t length, dpn_error *why) {
    dpn_ledger *ledger;
    dpn_error own;
    dpn_status status = dpn_ledger_prepare(&ledger, path, how, true, false, why);
    if (status) return status;
    status = import_all(ledger, text, length, &own);
    if (status) {
        dpn_ledger_close(ledger);
        return dpn_fail(why, status, "%s", own.sentence);
    }
    *out = ledger;
    return DPN_OK;
}
