/* The audit of whole releases: tables and the claim are fixed first, then releases are drawn and judged (pairs.h). */
#include "audit/pairs.h"
#include "audit/tables.h"
#include "audit/watch.h"

#include "base/error.h"
#include "base/options.h"

_Static_assert((int)DPN_TABLE_PAIRS <= (int)DPN_PAIRS_MOST, "there is room for all tables");

struct releases {
    dpn_rng *rng;
    dpn_query *query;
    dpn_audit_tables tables;
};

/* ---- One release ---- */

static dpn_status add_rows(dpn_tally *tally, const dpn_audit_table *table, dpn_error *why) {
    return table->rows ? dpn_tally_rows(tally, table->field, table->rows, why) : DPN_OK;
}

/* The features of a release. That the data make it fail is an answer, too. */
static dpn_status draw(double *feature, void *what, size_t pair, bool second, dpn_error *why) {
    const struct releases *of = what;
    const dpn_audit_table *table = second ? &of->tables.pair[pair].b : &of->tables.pair[pair].a;
    dpn_tally *tally = NULL;
    dpn_answer *answer = NULL;
    dpn_status status = dpn_tally_new(&tally, of->query, of->rng, why);
    if (!status) status = add_rows(tally, table, why);
    if (!status) status = dpn_query_answer(&answer, of->query, tally, of->rng, why);
    if (status == DPN_EPARSE) status = DPN_OK;
    if (!status) dpn_watch_look(feature, &of->tables, answer);
    dpn_answer_free(answer);
    dpn_tally_free(tally);
    return status;
}

/* ---- All of them ---- */

static dpn_status run(dpn_audit *out, struct releases *of, const dpn_audit_release_options *options, dpn_error *why) {
    dpn_audit_pairs asked = {.draw = draw,
                             .what = of,
                             .samples = options->samples,
                             .confidence = options->confidence,
                             .epsilon = options->epsilon,
                             .delta = options->delta,
                             .progress = options->progress,
                             .context = options->context,
                             .cancelled = options->cancelled};
    dpn_status status = DPN_OK;
    if (!options->claimed) status = dpn_audit_declared(&asked.epsilon, &asked.delta, options->declaration, why);
    dpn_calibration_options planning = {.size = sizeof planning, .hulls = options->hulls};
    if (!status) status = dpn_query_new(&of->query, options->declaration, &planning, why);
    if (!status) status = dpn_audit_tables_make(&of->tables, of->query, options->declaration, why);
    if (status) return status;
    asked.pairs = of->tables.pairs;
    asked.features = dpn_watch_features(&of->tables);
    asked.own = dpn_watch_own(&of->tables);
    return dpn_audit_pairs_run(out, &asked, why);
}

dpn_status dpn_audit_release(dpn_audit *out, const dpn_audit_release_options *options, dpn_rng *rng, dpn_error *why) {
    if (!out || !options || !rng) return dpn_fail(why, DPN_EDOMAIN, "an audit needs options and a random source");
    dpn_audit_release_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status && !own.declaration) status = dpn_fail(why, DPN_EDOMAIN, "there is no release to audit");
    if (!status) status = dpn_audit_pairs_check(own.samples, own.confidence, own.claimed, own.epsilon, own.delta, why);
    if (!status) status = dpn_declaration_check(own.declaration, why);
    if (status) return status;
    struct releases of = {.rng = rng};
    status = run(out, &of, &own, why);
    dpn_audit_tables_free(&of.tables);
    dpn_query_free(of.query);
    return status;
}
