/* The whole query. */
#include "release/push/push.h"

#include "base/error.h"
#include "base/options.h"
#include "release/push/persons.h"

#include <stdlib.h>

enum { MOST_SUMS = 1500 };

/* SQLite: rows with a value of another type, which are neither used nor left out by the rule of dpn_tally_rows. */
static void put_other(dpn_text *out, const dpn_push *push) {
    dpn_text_put(out, "\nUNION ALL SELECT ");
    for (size_t i = 0; i < push->query->declaration.bys; i++) dpn_text_put(out, "'', ");
    for (size_t i = 0; i <= dpn_query_sums(push->query); i++) dpn_text_put(out, "0, ");
    dpn_text_put(out, "(SELECT count(*) FROM ");
    dpn_push_source(out, push);
    dpn_text_put(out, " dpn_t WHERE 1 = 0");
    for (size_t i = 0; i < push->query->columns; i++) {
        dpn_sql_type type = dpn_push_type(push, i);
        dpn_text_put(out, " OR typeof(");
        dpn_push_column(out, push, i);
        dpn_text_put(out, type == DPN_SQL_INTEGER ? ") NOT IN ('integer', 'null')"
                          : type == DPN_SQL_TEXT  ? ") NOT IN ('text', 'null')"
                                                  : ") NOT IN ('real', 'null')");
        if (type != DPN_SQL_TEXT) continue;
        dpn_text_put(out, " OR instr(");
        dpn_push_column(out, push, i);
        dpn_text_put(out, ", char(0)) > 0");
    }
    dpn_text_put(out, ")");
}

static dpn_status put_query(dpn_text *out, const dpn_push *push) {
    const dpn_query *query = push->query;
    size_t bys = query->declaration.bys;
    dpn_text_put(out, "SELECT ");
    for (size_t i = 0; i < bys; i++) {
        dpn_push_number(out, "dpn_k%zu AS ", i);
        dpn_sql_name(out, push->dialect, query->declaration.by[i].column);
        dpn_text_put(out, ", ");
    }
    dpn_text_put(out, "count(*) AS dpn_rows");
    dpn_status status = dpn_push_sums(out, push);
    if (push->dialect->any_type) dpn_text_put(out, ",\n  0 AS dpn_other");
    dpn_text_put(out, "\nFROM ");
    bool persons = query->person != SIZE_MAX;
    if (!status && persons) {
        dpn_persons_open(out, push);
        status = dpn_push_records(out, push);
    }
    if (!status) status = dpn_push_rows(out, push);
    if (!status && persons) {
        dpn_text_put(out, ") dpn_b");
        dpn_persons_close(out, push);
    }
    for (size_t i = 0; i < bys; i++) dpn_push_number(out, i ? ", dpn_k%zu" : "\nGROUP BY dpn_k%zu", i);
    if (push->dialect->any_type) put_other(out, push);
    return status;
}

/* Some engines do not tell apart small letters and capitals. */
static bool is_own(const char *name) {
    static const char own[] = "dpn_";
    size_t same = 0;
    while (own[same] && (name[same] == own[same] || (name[same] && name[same] + ('a' - 'A') == own[same]))) same++;
    return !own[same];
}

/* The columns of the result have the names of the keys and the query's own, dpn_..., and where those of a result are seen within the query that makes it
 * (ClickHouse) a key, or with older versions any column, would be taken for one of its numbers. */
static dpn_status check_names(const dpn_push *push) {
    const dpn_query *query = push->query;
    for (size_t i = 0; i < query->declaration.bys; i++)
        if (is_own(query->declaration.by[i].column))
            return dpn_fail(push->why, DPN_EUNSUPPORTED,
                            "column %.60s: names that begin with dpn_ are the query's own, and no group has one",
                            query->declaration.by[i].column);
    for (size_t i = 0; i < query->columns && push->dialect->seen_within; i++)
        if (is_own(query->column[i]))
            return dpn_fail(push->why, DPN_EUNSUPPORTED,
                            "column %.60s: names that begin with dpn_ are the query's own in this engine",
                            query->column[i]);
    return DPN_OK;
}

/* A name, unlike a text, cannot be written in other letters. */
static dpn_status check_variables(const dpn_push *push) {
    for (size_t i = 0; i < push->query->columns && push->dialect->variables; i++)
        if (strstr(push->query->column[i], "${"))
            return dpn_fail(push->why, DPN_EUNSUPPORTED,
                            "column %.60s: the engine would put a variable in the place of ${...} in its name",
                            push->query->column[i]);
    return DPN_OK;
}

static dpn_status check_types(const dpn_push *push) {
    const dpn_query *query = push->query;
    dpn_status status = query->person == SIZE_MAX ? DPN_OK : dpn_push_check_text(push, query->person);
    for (size_t i = 0; i < push->reader.numerics && !status; i++)
        status = dpn_push_check_number(push, push->reader.numeric[i]);
    for (size_t i = 0; i < query->declaration.bys && !status; i++) status = dpn_push_check_text(push, query->by[i]);
    for (size_t i = 0; i < query->declaration.wheres && !status; i++) {
        const dpn_condition *condition = &push->reader.condition[i];
        bool text = !condition->number || condition->is == DPN_IS_NOT_EQUAL;
        if (condition->number) status = dpn_push_check_number(push, condition->column);
        if (!status && text) status = dpn_push_check_text(push, condition->column);
    }
    return status;
}

static dpn_status check(const dpn_query *query, const dpn_sql_options *options, dpn_error *why) {
    if (!query || !options->type || (!options->table && !options->from))
        return dpn_fail(why, DPN_EDOMAIN, "a query needs a table and the types of its columns");
    const dpn_dialect_row *dialect = dpn_dialect_of(options->dialect);
    if (!dialect) return dpn_fail(why, DPN_EDOMAIN, "there is no such dialect");
    if (dpn_query_sums(query) > MOST_SUMS)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "the question has more than %d sums, and a query cannot have that many columns", MOST_SUMS);
    if (query->person == SIZE_MAX) return DPN_OK;
    if (!dialect->digest)
        return dpn_fail(why, DPN_EUNSUPPORTED, "rows of persons are chosen by SHA-256, which %s does not have here",
                        dialect->name);
    if (query->declaration.per_person)
        return dpn_fail(why, DPN_EUNSUPPORTED, "sums and means of persons are not made by an engine");
    return options->secret ? DPN_OK
                           : dpn_fail(why, DPN_EDOMAIN, "rows of persons are chosen by lot: there is no secret");
}

dpn_status dpn_query_sql(char **out, const dpn_query *query, const dpn_sql_options *options, dpn_error *why) {
    dpn_sql_options own;
    dpn_text text = {0};
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = check(query, &own, why);
    if (status) return status;
    dpn_push push = {.query = query, .dialect = dpn_dialect_of(own.dialect), .options = &own, .why = why};
    status = dpn_reader_make(&push.reader, query, why);
    if (!status) status = check_names(&push);
    if (!status) status = check_variables(&push);
    if (!status) status = check_types(&push);
    if (!status) status = put_query(&text, &push);
    dpn_reader_free(&push.reader);
    if (!status && text.failed) status = dpn_fail(why, DPN_ENOMEM, "no memory for the query");
    if (status)
        free(text.at);
    else
        *out = text.at;
    return status;
}
