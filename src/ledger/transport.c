/* A ledger as text, and back. */
#include "ledger/ledger.h"

#include "base/error.h"
#include "base/options.h"
#include "base/text/hex.h"
#include "base/text/json-write.h"
#include "base/text/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Out ---- */

static void begin_line(dpn_text *out, const char *first, uint64_t number, const unsigned char tag[DPN_TAG_SIZE]) {
    char start[64], hex[2 * DPN_TAG_SIZE + 1];
    snprintf(start, sizeof start, "{\"%s\": %llu, \"tag\": \"", first, (unsigned long long)number);
    dpn_text_put(out, start);
    dpn_text_put(out, dpn_hex_write(hex, tag, DPN_TAG_SIZE));
    dpn_text_put(out, "\", ");
}

static dpn_status export_entry(dpn_text *out, dpn_ledger *ledger, uint64_t number, dpn_error *why) {
    dpn_record record;
    char *text = NULL;
    size_t length;
    unsigned char tag[DPN_TAG_SIZE];
    dpn_status status = dpn_ledger_fetch(&record, &text, &length, tag, ledger, number, why);
    if (status) return status;
    begin_line(out, "number", number, tag);
    dpn_text_put(out, "\"entry\": ");
    dpn_text_add(out, text, length);
    dpn_text_put(out, "}\n");
    free(text);
    return DPN_OK;
}

static dpn_status export_results(dpn_text *out, dpn_ledger *ledger, dpn_error *why) {
    dpn_result result;
    for (uint64_t place = 0;; place = result.place) {
        dpn_status status = dpn_ledger_next_result(&result, ledger, place, why);
        if (status || !result.text) return status;
        begin_line(out, "result_of", result.number, result.tag);
        dpn_text_put(out, "\"specification\": ");
        dpn_text_quote(out, result.specification);
        dpn_text_put(out, ", \"text\": ");
        dpn_text_quote(out, result.text);
        dpn_text_put(out, "}\n");
        free(result.text);
    }
}

dpn_status dpn_ledger_export(char **text, size_t *length, dpn_ledger *ledger, dpn_error *why) {
    dpn_text out = {0};
    dpn_error own;
    dpn_status status = dpn_ledger_begin(ledger, false, &own);
    if (!status) {
        for (uint64_t number = 1; !status && number <= ledger->last; number++)
            status = export_entry(&out, ledger, number, &own);
        if (!status) status = export_results(&out, ledger, &own);
        dpn_ledger_end(ledger);
    }
    if (!status && out.failed) status = dpn_fail(&own, DPN_ENOMEM, "out of memory");
    if (status) {
        free(out.at);
        return dpn_fail(why, status, "%s", own.sentence);
    }
    *text = out.at;
    if (length) *length = out.length;
    return DPN_OK;
}

/* ---- In ---- */

/* A member that must be there once; NULL, with *status set, if it is not. */
static const dpn_json_value *member(const dpn_json *json, const char *name, dpn_status *status, dpn_error *why) {
    bool twice = false;
    const dpn_json_value *object = &json->value[0];
    const dpn_json_value *value = object->kind == DPN_JSON_OBJECT ? dpn_json_member(json, object, name, &twice) : NULL;
    if (value && !twice) return value;
    if (!*status) *status = dpn_fail(why, DPN_EPARSE, "it must hold %s, once", name);
    return NULL;
}

static dpn_status read_tag(unsigned char tag[DPN_TAG_SIZE], const dpn_json *json, dpn_error *why) {
    char hex[2 * DPN_TAG_SIZE + 1];
    dpn_status status = DPN_OK;
    const dpn_json_value *value = member(json, "tag", &status, why);
    if (!status) status = dpn_json_string(hex, sizeof hex, json, value, why);
    if (!status && !dpn_hex_read(tag, DPN_TAG_SIZE, hex, strlen(hex)))
        status = dpn_fail(why, DPN_EPARSE, "its tag is not a tag");
    return status;
}

/* A whole number that a double holds. */
static dpn_status read_number(uint64_t *out, const dpn_json *json, const char *name, dpn_error *why) {
    double said = 0;
    dpn_status status = DPN_OK;
    const dpn_json_value *value = member(json, name, &status, why);
    if (!status) status = dpn_json_number(&said, json, value, why);
    if (!status && !(said >= 1 && said <= 9007199254740992.0 && said == (double)(uint64_t)said))
        status = dpn_fail(why, DPN_EPARSE, "%s must be a whole number", name);
    if (!status) *out = (uint64_t)said;
    return status;
}

static dpn_status import_entry(dpn_ledger *ledger, uint64_t number, const dpn_json *json, dpn_error *why) {
    unsigned char tag[DPN_TAG_SIZE];
    uint64_t said = 0;
    dpn_status status = read_number(&said, json, "number", why);
    if (!status && said != number) status = dpn_fail(why, DPN_EPARSE, "its number is not what it must be");
    if (!status) status = read_tag(tag, json, why);
    const dpn_json_value *entry = member(json, "entry", &status, why);
    if (!status && entry->kind != DPN_JSON_OBJECT) status = dpn_fail(why, DPN_EPARSE, "its entry is not an object");
    return status ? status : dpn_ledger_insert(ledger, number, json->text + entry->start, entry->length, tag, why);
}

static dpn_status import_result(dpn_ledger *ledger, const dpn_json *json, dpn_error *why) {
    dpn_result result = {.text = NULL};
    dpn_status status = read_number(&result.number, json, "result_of", why);
    if (!status) status = read_tag(result.tag, json, why);
    const dpn_json_value *specification = member(json, "specification", &status, why);
    const dpn_json_value *text = member(json, "text", &status, why);
    if (!status) status = dpn_json_string(result.specification, sizeof result.specification, json, specification, why);
    if (status) return status;
    result.text = malloc((size_t)text->length + 1); /* escapes are longer than what they stand for */
    if (!result.text) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    status = dpn_json_string(result.text, (size_t)text->length + 1, json, text, why);
    if (!status) {
        result.length = strlen(result.text);
        status = dpn_result_check(result.text, result.length, why);
    }
    if (!status) status = dpn_ledger_insert_result(ledger, &result, why);
    free(result.text);
    return status;
}

/* Entries first, then results. */
static dpn_status import_line(dpn_ledger *ledger, uint64_t number, bool *results, const char *line, size_t length,
                              dpn_error *why) {
    dpn_json json;
    bool twice = false;
    dpn_status status = dpn_json_read(&json, line, length, why);
    if (status) return status;
    if (json.value[0].kind == DPN_JSON_OBJECT && dpn_json_member(&json, &json.value[0], "result_of", &twice))
        *results = true;
    status = *results ? import_result(ledger, &json, why) : import_entry(ledger, number, &json, why);
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
    bool results = false;
    const char *line = text, *stop = text + length;
    for (uint64_t number = 1; !status && line < stop; number++) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        if (!end) end = stop;
        status = import_line(ledger, number, &results, line, (size_t)(end - line), &own);
        if (status == DPN_EPARSE || status == DPN_EDOMAIN)
            status = dpn_fail(why, DPN_EPARSE, "line %llu is not a line of an exported ledger: %.120s",
                              (unsigned long long)number, own.sentence);
        else if (status)
            status = dpn_fail(why, status, "%s", own.sentence);
        line = end + 1;
    }
    /* Nothing is believed because it was in the text: the rows are read back, verified and admitted. */
    if (!status) status = dpn_ledger_catch_up(ledger, why);
    if (!status) status = dpn_ledger_check_results(ledger, why);
    if (!status) status = dpn_store_run(&ledger->store, DPN_SQL_COMMIT, why);
    dpn_store_abandon(&ledger->store);
    return status;
}

dpn_status dpn_ledger_import(dpn_ledger **out, const char *path, const dpn_ledger_options *options, const char *text,
                             size_t length, dpn_error *why) {
    dpn_ledger *ledger;
    dpn_error own;
    dpn_ledger_options taken;
    dpn_status status = dpn_options_take(&taken, sizeof taken, options, why);
    if (!status) status = dpn_ledger_prepare(&ledger, path, &taken, true, true, why);
    if (status) return status;
    status = import_all(ledger, text, length, &own);
    if (status) {
        dpn_ledger_close(ledger);
        return dpn_fail(why, status, "%s", own.sentence);
    }
    *out = ledger;
    return DPN_OK;
}
