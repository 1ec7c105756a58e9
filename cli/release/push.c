/* Sums that a PostgreSQL server makes, so that no row leaves it. */
#include "release/release.h"

#include "input/sums.h"
#include "kit/fail.h"

#include <dpnoise/random.h>
#include <stdlib.h>

/* Bins that are counted one by one: beyond that the rows are read here, which is faster. */
enum { MOST_SUMS = 300 };

bool release_may_push(const struct release *release) {
    return release_source_is_server(release) && !release->inquiry && !arguments_have(release->arguments, "--pull");
}

/* Whether no row can make the query fail, or its answer: an error after the charge would tell which rows the question selects. A view may
 * compute, a foreign table may not answer, and of keys that are not declared one may be too long to come back. */
static bool never_fails(const struct release *release) {
    const dpn_declaration *declaration = &release->declaration;
    if (!release->identity.table || release->identity.derived) return false;
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
    options.dialect = DPN_DIALECT_POSTGRESQL;
    options.table = release->identity.table;
    options.schema = release->identity.schema;
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
    if (!status) release_note(release, "the server made the sums, and no row left it (--pull reads the rows here)");
    return status ? dpn_question_fail(release->question, why, why) : DPN_OK;
}
