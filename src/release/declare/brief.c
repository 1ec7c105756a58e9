/* Declarations in brief: statistics and predicates as they are typed in a shell, within JSON. */
#include "release/declare/members.h"

#include "base/error.h"

#include <stdlib.h>

static dpn_status append(dpn_declaration *out, const dpn_members *r, const dpn_json_value *value,
                         dpn_statistic_kind kind) {
    const char *name = dpn_statistic_kind_name(kind);
    char *text = NULL;
    dpn_error reason;
    dpn_status status = dpn_member_name(&text, r, value, name);
    if (status) return status;
    status = dpn_declare_statistic(out, kind, text, &reason);
    free(text);
    return status ? dpn_member_refuse(r, status, name, reason.sentence) : DPN_OK;
}

/* A text, or a list of them; of a count, true. */
static dpn_status read_kind(dpn_declaration *out, const dpn_members *r, const dpn_json_value *value,
                            dpn_statistic_kind kind) {
    if (kind == DPN_STATISTIC_COUNT) {
        if (value->kind == DPN_JSON_FALSE) return DPN_OK;
        if (value->kind != DPN_JSON_TRUE) return dpn_member_refuse(r, DPN_EPARSE, "count", "true is expected");
        return dpn_declare_statistic(out, kind, NULL, r->why);
    }
    if (value->kind != DPN_JSON_ARRAY) return append(out, r, value, kind);
    const dpn_json_value *element = dpn_json_first(value);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < value->count && !status; i++) {
        status = append(out, r, element, kind);
        element = dpn_json_next(&r->json, element);
    }
    return status;
}

dpn_status dpn_brief_statistics(dpn_declaration *out, const dpn_members *r, const dpn_json_value *object) {
    dpn_status status = DPN_OK;
    for (int kind = 0; dpn_statistic_kind_name((dpn_statistic_kind)kind) && !status; kind++) {
        const dpn_json_value *value;
        status = dpn_member_find(&value, r, object, dpn_statistic_kind_name((dpn_statistic_kind)kind));
        if (!status && value) status = read_kind(out, r, value, (dpn_statistic_kind)kind);
    }
    return status;
}

dpn_status dpn_brief_predicate(dpn_predicate *out, const dpn_members *r, const dpn_json_value *value) {
    dpn_declaration one = {0};
    char *text = NULL;
    dpn_error reason;
    dpn_status status = dpn_member_name(&text, r, value, "");
    if (status) return status;
    status = dpn_declare_where(&one, text, &reason);
    free(text);
    if (status) return dpn_fail(r->why, status, "%s: %s", r->place, reason.sentence);
    *out = one.where[0];
    free(one.where);
    return DPN_OK;
}
