/* Registrations as JSON: the reader. Parts are read into a registration that is freed as a whole if one is wrong. */
#include "question/registration.h"

#include "base/error.h"
#include "base/text/excerpt.h"
#include "release/declare/members.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- words and long texts ---- */

static const char *kind_word(size_t i) {
    return dpn_place_kind_name((dpn_place_kind)i);
}

static const char *type_word(size_t i) {
    return dpn_column_type_name((dpn_column_type)i);
}

static const char *relation_word(size_t i) {
    return dpn_relation_name((dpn_relation)i);
}

/* A path or what else may be longer than a name. */
static dpn_status read_long(char **out, const dpn_members *r, const dpn_json_value *value, const char *member) {
    char text[DPN_PLACE_SIZE];
    dpn_error reason;
    dpn_status status = dpn_json_string(text, sizeof text, &r->json, value, &reason);
    if (!status) status = dpn_text_check(text, "it", sizeof text, false, &reason);
    return status ? dpn_member_refuse(r, DPN_EPARSE, member, reason.sentence) : dpn_text_copy(out, text, r->why);
}

/* ---- the source ---- */

static const char *members_of(dpn_place_kind kind) {
    switch (kind) {
    case DPN_PLACE_FILE:
        return "kind path";
    case DPN_PLACE_SQLITE:
    case DPN_PLACE_DUCKDB:
        return "kind path table";
    case DPN_PLACE_POSTGRESQL:
        return "kind system database schema table connect";
    default:
        return "kind what";
    }
}

static dpn_status read_source(dpn_place *out, dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *value, *kind_value;
    dpn_place_part part[DPN_PLACE_PARTS];
    size_t kind = 0;
    dpn_status status = dpn_member_need(&value, r, object, "source");
    if (status) return status;
    snprintf(r->place, sizeof r->place, "source");
    if (value->kind != DPN_JSON_OBJECT) return dpn_members_know(r, value, "");
    status = dpn_member_need(&kind_value, r, value, "kind");
    if (!status) status = dpn_member_choice(&kind, r, value, "kind", kind_word);
    if (status) return status;
    out->kind = (dpn_place_kind)kind;
    status = dpn_members_know(r, value, members_of(out->kind));
    dpn_place_parts(part, out);
    for (size_t i = 0; i < DPN_PLACE_PARTS && !status; i++)
        if (part[i].has) status = dpn_member_text(part[i].text, r, value, part[i].name, read_long);
    r->place[0] = '\0';
    return status;
}

/* ---- columns and lists of names ---- */

/* A list of names; an empty one is as good as none. */
static dpn_status read_names(char ***out, size_t *count, const dpn_members *r, const dpn_json_value *object,
                             const char *name) {
    const dpn_json_value *value;
    dpn_status status = dpn_member_find(&value, r, object, name);
    if (status || !value || (value->kind == DPN_JSON_ARRAY && value->count == 0)) return status;
    return dpn_member_list(out, count, r, value, name, dpn_member_name);
}

static dpn_status read_column(dpn_registered_column *out, const dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *value;
    size_t type = 0;
    dpn_status status = dpn_members_know(r, object, "name type lower upper unit levels");
    if (!status) status = dpn_member_need(&value, r, object, "name");
    if (!status) status = dpn_member_name(&out->name, r, value, "name");
    if (!status) status = dpn_member_need(&value, r, object, "type");
    if (!status) status = dpn_member_choice(&type, r, object, "type", type_word);
    out->type = (dpn_column_type)type;
    if (!status) status = dpn_member_text(&out->lower, r, object, "lower", dpn_member_number);
    if (!status) status = dpn_member_text(&out->upper, r, object, "upper", dpn_member_number);
    if (!status) status = dpn_member_text(&out->unit, r, object, "unit", dpn_member_name);
    return status ? status : read_names(&out->level, &out->levels, r, object, "levels");
}

static dpn_status read_columns(dpn_registration *out, dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *list;
    dpn_status status = dpn_member_find(&list, r, object, "columns");
    if (status || !list) return status;
    if (list->kind != DPN_JSON_ARRAY)
        return dpn_member_refuse(r, DPN_EPARSE, "columns", "a list in brackets is expected");
    if (list->count == 0) return DPN_OK;
    if (list->count > DPN_REGISTRATION_COLUMNS)
        return dpn_member_refuse(r, DPN_EPARSE, "columns", "there are more than 2000");
    out->column = calloc(list->count, sizeof *out->column);
    if (!out->column) return dpn_member_no_memory(r);
    const dpn_json_value *element = dpn_json_first(list);
    while (out->columns < list->count && !status) {
        snprintf(r->place, sizeof r->place, "columns[%zu]", out->columns);
        status = read_column(&out->column[out->columns++], r, element);
        element = dpn_json_next(&r->json, element);
    }
    if (!status) r->place[0] = '\0';
    return status;
}

/* ---- the registration ---- */

static dpn_status read_unit(dpn_registration *out, const dpn_members *r, const dpn_json_value *object) {
    size_t relation = DPN_ADD_REMOVE;
    out->max_rows = out->max_groups = 1;
    dpn_status status = dpn_member_text(&out->person, r, object, "person", dpn_member_name);
    if (!status) status = dpn_member_count(&out->max_rows, r, object, "max_rows");
    if (!status) status = dpn_member_count(&out->max_groups, r, object, "max_groups");
    if (!status) status = dpn_member_choice(&relation, r, object, "relation", relation_word);
    out->relation = (dpn_relation)relation;
    if (!status) status = dpn_member_text(&out->missing, r, object, "missing", dpn_member_name);
    if (!status && !out->missing) status = dpn_text_copy(&out->missing, "skip", r->why);
    if (!status) status = read_names(&out->na, &out->nas, r, object, "na");
    if (!status) status = dpn_member_bool(&out->multiline, r, object, "multiline");
    return status ? status : dpn_member_count(&out->population, r, object, "population");
}

static dpn_status read_limits(dpn_registration *out, const dpn_members *r, const dpn_json_value *object) {
    dpn_status status = dpn_member_text(&out->least_epsilon, r, object, "least_epsilon", dpn_member_number);
    if (!status) status = dpn_member_text(&out->most_epsilon, r, object, "most_epsilon", dpn_member_number);
    if (!status) status = dpn_member_text(&out->most_delta, r, object, "most_delta", dpn_member_number);
    if (!status) status = dpn_member_count(&out->memory, r, object, "memory");
    return status ? status : dpn_member_text(&out->log, r, object, "log", read_long);
}

static dpn_status read_all(dpn_registration *out, dpn_members *r, const dpn_json_value *object) {
    if (object->kind != DPN_JSON_OBJECT)
        return dpn_fail(r->why, DPN_EPARSE, "a registration is a JSON object in braces");
    dpn_status status =
        dpn_members_know(r, object,
                         "source columns where person max_rows max_groups relation missing na multiline "
                         "population least_epsilon most_epsilon most_delta memory log");
    if (!status) status = read_source(&out->source, r, object);
    if (!status) status = read_columns(out, r, object);
    if (!status) status = read_names(&out->where, &out->wheres, r, object, "where");
    if (!status) status = read_unit(out, r, object);
    return status ? status : read_limits(out, r, object);
}

dpn_status dpn_registration_read(dpn_registration *out, const char *text, size_t length, dpn_error *why) {
    dpn_members r = {.why = why};
    dpn_registration read = {0};
    dpn_status status = dpn_json_read(&r.json, text, length, why);
    if (status) return status;
    status = read_all(&read, &r, &r.json.value[0]);
    dpn_json_free(&r.json);
    if (status)
        dpn_registration_free(&read);
    else
        *out = read;
    return status;
}
