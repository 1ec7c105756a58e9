/* Registrations as JSON: the writer. Equal registrations get equal texts. */
#include "question/registration.h"

#include "base/error.h"
#include "base/text/json-write.h"
#include "release/declare/signed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text, left out if it is NULL. */
static void put_text(dpn_text *out, const char *name, const char *text) {
    if (!text) return;
    dpn_text_member(out, name);
    dpn_text_quote(out, text);
}

/* A number in its one form, left out if it is NULL. */
static void put_number(dpn_text *out, const char *name, const char *text) {
    dpn_signed number;
    char normal[DPN_SIGNED_TEXT_SIZE];
    if (!text) return;
    put_text(out, name, dpn_signed_read(&number, text, NULL) ? text : dpn_signed_print(normal, &number));
}

static void put_count(dpn_text *out, const char *name, uint64_t count, uint64_t usual) {
    char digits[24];
    if (count == usual) return;
    snprintf(digits, sizeof digits, "%" PRIu64, count);
    put_text(out, name, digits);
}

static void put_texts(dpn_text *out, const char *name, char *const *text, size_t count) {
    if (count == 0) return;
    dpn_text_member(out, name);
    dpn_text_put(out, "[");
    for (size_t i = 0; i < count; i++) {
        dpn_text_comma(out);
        dpn_text_quote(out, text[i]);
    }
    dpn_text_put(out, "]");
}

static void put_place(dpn_text *out, const dpn_place *place, bool connect) {
    dpn_place copy = *place; /* the parts point into it */
    dpn_place_part part[DPN_PLACE_PARTS];
    dpn_place_parts(part, &copy);
    dpn_text_put(out, "{");
    put_text(out, "kind", dpn_place_kind_name(place->kind));
    for (size_t i = 0; i < DPN_PLACE_PARTS; i++)
        if (part[i].needs || connect) put_text(out, part[i].name, *part[i].text);
    dpn_text_put(out, "}");
}

static void put_columns(dpn_text *out, const dpn_registration *registration) {
    if (registration->columns == 0) return;
    dpn_text_member(out, "columns");
    dpn_text_put(out, "[");
    for (size_t i = 0; i < registration->columns; i++) {
        const dpn_registered_column *column = &registration->column[i];
        dpn_text_comma(out);
        dpn_text_put(out, "{");
        put_text(out, "name", column->name);
        put_text(out, "type", dpn_column_type_name(column->type));
        put_number(out, "lower", column->lower);
        put_number(out, "upper", column->upper);
        put_text(out, "unit", column->unit);
        put_texts(out, "levels", column->level, column->levels);
        dpn_text_put(out, "}");
    }
    dpn_text_put(out, "]");
}

static void put_rest(dpn_text *out, const dpn_registration *registration) {
    put_texts(out, "where", registration->where, registration->wheres);
    put_text(out, "person", registration->person);
    put_count(out, "max_rows", registration->max_rows, 1);
    put_count(out, "max_groups", registration->max_groups, 1);
    if (registration->relation != DPN_ADD_REMOVE) put_text(out, "relation", dpn_relation_name(registration->relation));
    if (registration->missing && strcmp(registration->missing, "skip") != 0)
        put_text(out, "missing", registration->missing);
    put_texts(out, "na", registration->na, registration->nas);
    if (registration->multiline) {
        dpn_text_member(out, "multiline");
        dpn_text_put(out, "true");
    }
    put_count(out, "population", registration->population, 0);
    put_number(out, "least_epsilon", registration->least_epsilon);
    put_number(out, "most_epsilon", registration->most_epsilon);
    put_number(out, "most_delta", registration->most_delta);
    put_count(out, "memory", registration->memory, 0);
    put_text(out, "log", registration->log);
}

static dpn_status finish(char **text, size_t *length, dpn_text *out, dpn_error *why) {
    if (out->failed) {
        free(out->at);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the text of the registration");
    }
    *text = out->at;
    if (length) *length = out->length;
    return DPN_OK;
}

dpn_status dpn_registration_write(char **text, size_t *length, const dpn_registration *registration, dpn_error *why) {
    dpn_text out = {0};
    dpn_text_put(&out, "{");
    dpn_text_member(&out, "source");
    put_place(&out, &registration->source, true);
    put_columns(&out, registration);
    put_rest(&out, registration);
    dpn_text_put(&out, "}");
    return finish(text, length, &out, why);
}

dpn_status dpn_place_write(char **text, size_t *length, const dpn_place *place, dpn_error *why) {
    dpn_text out = {0};
    put_place(&out, place, false);
    return finish(text, length, &out, why);
}
