/* Columns as they stand in the table. */
#include "release/push/push.h"

#include "base/error.h"

#include <stdlib.h>

/* A short name for the table would not do: ClickHouse takes t.x for a column of that name, if there is one beside x, and the names of the result, those of
 * the keys among them, for names of tables too. */
void dpn_push_column(dpn_text *out, const dpn_push *push, size_t column) {
    dpn_text_put(out, "dpn_t.");
    dpn_sql_name(out, push->dialect, push->query->column[column]);
}

/* A form with the column as its part. */
static void put_form(dpn_text *out, const dpn_push *push, const char *form, size_t column) {
    dpn_text name = {0};
    dpn_push_column(&name, push, column);
    if (name.failed)
        out->failed = true;
    else
        dpn_sql_put(out, form, name.at, NULL);
    free(name.at);
}

static void put_text_as_real(dpn_text *out, const dpn_push *push, size_t column) {
    dpn_text text = {0};
    put_form(&text, push, push->dialect->text, column);
    if (text.failed)
        out->failed = true;
    else
        dpn_sql_put(out, push->dialect->from_text, text.at, NULL);
    free(text.at);
}

/* Single precision goes through its text, which is the decimal that it stands for. */
void dpn_push_value(dpn_text *out, const dpn_push *push, size_t column) {
    switch (dpn_push_type(push, column)) {
    case DPN_SQL_INTEGER:
        put_form(out, push, push->dialect->integer, column);
        break;
    case DPN_SQL_SINGLE:
        put_text_as_real(out, push, column);
        break;
    default:
        dpn_push_column(out, push, column);
    }
}

/* ('NA', '?') */
static void put_words(dpn_text *out, const dpn_push *push) {
    const dpn_declaration *declaration = &push->query->declaration;
    for (size_t i = 0; i < declaration->nas; i++) {
        char *word = malloc(push->reader.na[i].length + 1); /* without blanks around it */
        if (!word) {
            out->failed = true;
            return;
        }
        memcpy(word, push->reader.na[i].text, push->reader.na[i].length);
        word[push->reader.na[i].length] = '\0';
        dpn_text_put(out, i ? ", " : "(");
        dpn_sql_text(out, push->dialect, word);
        free(word);
    }
    dpn_text_put(out, ")");
}

/* A text without blanks around it, compared byte by byte. */
static void put_trimmed(dpn_text *out, const dpn_push *push, size_t column) {
    dpn_text text = {0}, trimmed = {0};
    put_form(&text, push, push->dialect->text, column);
    if (!text.failed) dpn_sql_put(&trimmed, push->dialect->trim, text.at, NULL);
    if (text.failed || trimmed.failed)
        out->failed = true;
    else
        dpn_sql_put(out, push->dialect->bytes, trimmed.at, NULL);
    free(text.at);
    free(trimmed.at);
}

void dpn_push_field(dpn_text *out, const dpn_push *push, size_t column) {
    dpn_text text = {0};
    put_form(&text, push, push->dialect->text, column);
    if (text.failed) {
        out->failed = true;
    } else if (push->query->declaration.nas == 0) {
        dpn_text_put(out, text.at);
    } else {
        dpn_text_put(out, "CASE WHEN ");
        put_trimmed(out, push, column);
        dpn_text_put(out, " IN ");
        put_words(out, push);
        dpn_text_put(out, " THEN NULL ELSE ");
        dpn_text_put(out, text.at);
        dpn_text_put(out, " END");
    }
    free(text.at);
}

static const char *storage_of(dpn_sql_type type) {
    return type == DPN_SQL_INTEGER ? "integer" : type == DPN_SQL_TEXT ? "text" : "real";
}

void dpn_push_usable(dpn_text *out, const dpn_push *push, size_t column) {
    const dpn_dialect_row *dialect = push->dialect;
    dpn_sql_type type = dpn_push_type(push, column);
    if (dialect->any_type) {
        put_form(out, push, "typeof(%s) = '", column);
        dpn_text_put(out, storage_of(type));
        dpn_text_put(out, type == DPN_SQL_INTEGER ? "'" : "' AND ");
    }
    if (type == DPN_SQL_INTEGER && !dialect->any_type) {
        dpn_push_column(out, push, column);
        dpn_text_put(out, " IS NOT NULL");
    }
    if (type != DPN_SQL_INTEGER) { /* NaN is above the infinity, or compares with nothing */
        dpn_push_column(out, push, column);
        dpn_sql_put(out, dialect->infinity[0] == '\'' ? " > '-infinity'" : " > -%s", dialect->infinity, NULL);
        dpn_text_put(out, " AND ");
        dpn_push_column(out, push, column);
        dpn_sql_put(out, " < %s", dialect->infinity, NULL);
    }
    if (push->query->declaration.nas == 0) return;
    dpn_text_put(out, " AND ");
    put_form(out, push, dialect->text, column);
    dpn_text_put(out, " NOT IN ");
    put_words(out, push);
}

void dpn_push_said(dpn_text *out, const dpn_push *push, size_t column) {
    if (push->query->declaration.nas > 0) {
        put_trimmed(out, push, column);
        dpn_text_put(out, " NOT IN ");
        put_words(out, push);
        dpn_text_put(out, " AND ");
    }
    put_trimmed(out, push, column);
    dpn_text_put(out, " <> ''");
}

/* ---- What an engine has ---- */

static dpn_status refuse(const dpn_push *push, size_t column, const char *reason) {
    return dpn_fail(push->why, DPN_EUNSUPPORTED, "column %.60s: %s", push->query->column[column], reason);
}

dpn_status dpn_push_check_number(const dpn_push *push, size_t column) {
    switch (dpn_push_type(push, column)) {
    case DPN_SQL_UNKNOWN:
        return refuse(push, column, "its type is not known, or is no number");
    case DPN_SQL_TEXT:
        return refuse(push, column, "texts that are to be read as numbers are read here, not by the engine");
    case DPN_SQL_DECIMAL:
        if (!push->dialect->number)
            return refuse(push, column, "exact numbers of any length are not pushed to this engine");
        break;
    case DPN_SQL_SINGLE:
        if (push->dialect->any_type) return refuse(push, column, "the engine has no single precision");
        break;
    default:
        break;
    }
    return push->query->declaration.nas > 0 ? dpn_push_check_text(push, column) : DPN_OK;
}

dpn_status dpn_push_check_text(const dpn_push *push, size_t column) {
    dpn_sql_type type = dpn_push_type(push, column);
    if (type == DPN_SQL_UNKNOWN) return refuse(push, column, "its type is not known");
    if (type == DPN_SQL_TEXT || type == DPN_SQL_INTEGER || push->dialect->shortest) return DPN_OK;
    return refuse(push, column, "the engine writes its numbers as other texts than this library");
}
