/* Sums that a PostgreSQL server makes, so that no row leaves it, or DuckDB, which is faster than reading the rows of a Parquet file as text. */
#include "release/release.h"

#include "input/sums.h"
#include "kit/fail.h"

#include <dpnoise/random.h>
#include <stdlib.h>
#include <string.h>

/* Bins that are counted one by one: beyond that the rows are read here, which is faster. */
enum { MOST_SUMS = 300 };

bool release_may_push(const struct release *release) {
    const char *from;
    return release->table && dpn_table_engine(&from, release->table) && !release->inquiry &&
           !arguments_have(release->arguments, "--pull");
}

/* Where texts are read here, a row with one that is too long or has a NUL byte is one of missing fields. The engine does not know that: it may have texts
 * as keys, where such a one is no declared level, and nowhere else. */
static bool texts_are_keys(const struct release *release) {
    const dpn_declaration *declaration = &release->declaration;
    const dpn_query *query = dpn_question_query(release->question);
    for (size_t i = 0; dpn_query_column(query, i); i++) {
        const char *name = dpn_query_column(query, i);
        bool key = false;
        if (sums_type(release->table, name) != DPN_SQL_TEXT) continue;
        for (size_t j = 0; j < declaration->bys; j++) key |= strcmp(declaration->by[j].column, name) == 0;
        for (size_t j = 0; j < declaration->wheres; j++) key &= strcmp(declaration->where[j].column, name) != 0;
        if (!key || declaration->count_left_out) return false;
        if (declaration->person && strcmp(declaration->person, name) == 0) return false;
    }
    return true;
}

/* Whether no row can make the query fail, or its answer: an error after the charge would tell which rows the question selects. A view may
 * compute, a foreign table may not answer, and of keys that are not declared one may be too long to come back. */
static bool never_fails(const struct release *release) {
    const dpn_declaration *declaration = &release->declaration;
    if (release_source_is_server(release) ? !release->identity.table || release->identity.derived
                                          : !texts_are_keys(release))
        return false;
    if (declaration->person && !release->has_secret) return false;
    for (size_t i = 0; i < declaration->bys; i++)
        if (!declaration->by[i].level) return false;
    return true;
}

/* The lots stand in the query: so the secret is known here, and drawn anew for each release. */
dpn_status release_draw_secret(struct release *release, dpn_error *why) {
    dpn_rng *rng = NULL;
    if (release->has_secret || !release_may_push(release)) return DPN_OK;
    dpn_status status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_tally_secret_new(&release->secret, rng, why);
    dpn_rng_free(rng);
    release->has_secret = !status;
    return status;
}

static dpn_status make_query(char **out, const struct release *release, dpn_error *why) {
    const dpn_query *query = dpn_question_query(release->question);
    dpn_sql_options options = dpn_sql_options_init();
    size_t columns = 0;
    while (dpn_query_column(query, columns)) columns++;
    dpn_sql_type *type = calloc(columns + 1, sizeof *type);
    if (!type) return refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < columns; i++) type[i] = sums_type(release->table, dpn_query_column(query, i));
    const char *engine = dpn_table_engine(&options.from, release->table);
    for (unsigned i = 0; dpn_dialect_name((dpn_dialect)i); i++)
        if (strcmp(engine, dpn_dialect_name((dpn_dialect)i)) == 0) options.dialect = (dpn_dialect)i;
    if (!options.from) options.table = release->identity.table, options.schema = release->identity.schema;
    options.type = type;
    options.secret = &release->secret;
    dpn_status status = dpn_query_sql(out, query, &options, why);
    free(type);
    return status;
}

/* What the server cannot do exactly is done here. */
dpn_status release_push(struct release *release, dpn_error *why) {
    const dpn_query *query = dpn_question_query(release->question);
    char *sql = NULL;
    dpn_error reason;
    if (!release_may_push(release) || !never_fails(release) || dpn_query_sums(query) > MOST_SUMS) return DPN_OK;
    dpn_status status = make_query(&sql, release, &reason);
    if (status == DPN_EUNSUPPORTED) return DPN_OK;
    if (!status)
        status = dpn_table_push(release->table, sql, release->declaration.bys + 1 + dpn_query_sums(query), &reason);
    free(sql);
    if (status == DPN_EUNSUPPORTED) return DPN_OK;
    if (status) {
        *why = reason;
        return status;
    }
    release->pushed = true;
    return DPN_OK;
}

dpn_status release_add_pushed(struct release *release, dpn_error *why) {
    const dpn_query *query = dpn_question_query(release->question);
    dpn_status status =
        sums_add_result(dpn_question_tally(release->question), query, release->declaration.bys, release->table, why);
    if (!status)
        release_note(release, release_source_is_server(release)
                                  ? "the server made the sums, and no row left it (--pull reads the rows here)"
                                  : "DuckDB made the sums (--pull reads the rows here)");
    return status ? dpn_question_fail(release->question, why, why) : DPN_OK;
}
