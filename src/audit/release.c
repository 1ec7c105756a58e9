/* The audit of whole releases: tables and claims are fixed first, events after a pilot, then releases are drawn and judged. */
#include "audit/judge.h"
#include "audit/tables.h"
#include "audit/watch.h"

#include "base/error.h"
#include "base/options.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>

enum { PILOT_MOST = 4000, PILOT_LEAST = 250 };

_Static_assert(DPN_TABLE_PAIRS *DPN_WATCH_EVENTS * 4 <= DPN_MOST_WITNESSES, "there is room for all events");

static const double usual_confidence = 0.999;
static const uint64_t least_samples = 1000, most_samples = 1000000000;

struct trial {
    const dpn_audit_release_options *options;
    dpn_rng *rng;
    dpn_query *query;
    dpn_audit_tables tables;
    size_t pilot, features;
    double *first, *second; /* features of the pilots, those of one release after the other */
    dpn_evidence *evidence;
    uint64_t done, all; /* releases */
    double epsilon, delta;
};

/* ---- One release ---- */

static dpn_status add_rows(dpn_tally *tally, const dpn_audit_table *table, dpn_error *why) {
    return table->rows ? dpn_tally_rows(tally, table->field, table->rows, why) : DPN_OK;
}

/* The features of a release. That the data make it fail is an answer, too. */
static dpn_status draw(double *feature, struct trial *trial, const dpn_audit_table *table, dpn_error *why) {
    dpn_tally *tally = NULL;
    dpn_answer *answer = NULL;
    dpn_status status = dpn_tally_new(&tally, trial->query, trial->rng, why);
    if (!status) status = add_rows(tally, table, why);
    if (!status) status = dpn_query_answer(&answer, trial->query, tally, trial->rng, why);
    if (status == DPN_EPARSE) status = DPN_OK;
    if (!status) dpn_watch_look(feature, &trial->tables, answer);
    dpn_answer_free(answer);
    dpn_tally_free(tally);
    const dpn_audit_release_options *options = trial->options;
    if (options->progress && trial->done++ % 1024 == 0)
        options->progress(options->context, (double)trial->done / (double)trial->all);
    return status;
}

/* ---- One pair of tables ---- */

static dpn_status learn(dpn_watch *watch, struct trial *trial, size_t pair, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < trial->pilot && !status; i++) {
        status = draw(trial->first + i * trial->features, trial, &trial->tables.pair[pair].a, why);
        if (!status) status = draw(trial->second + i * trial->features, trial, &trial->tables.pair[pair].b, why);
    }
    return status ? status : dpn_watch_learn(watch, &trial->tables, trial->first, trial->second, trial->pilot, why);
}

static dpn_status compare(struct trial *trial, size_t pair, dpn_error *why) {
    uint64_t first[DPN_WATCH_EVENTS] = {0}, second[DPN_WATCH_EVENTS] = {0};
    dpn_watch watch = {0};
    dpn_status status = learn(&watch, trial, pair, why);
    double *feature = trial->first; /* the pilot has served */
    for (uint64_t i = 0; i < trial->options->samples && !status; i++) {
        status = draw(feature, trial, &trial->tables.pair[pair].a, why);
        if (!status) dpn_watch_count(first, &watch, feature);
        if (!status) status = draw(feature, trial, &trial->tables.pair[pair].b, why);
        if (!status) dpn_watch_count(second, &watch, feature);
    }
    for (size_t i = 0; i < DPN_WATCH_EVENTS && !status; i++) dpn_evidence_add(trial->evidence, first[i], second[i]);
    dpn_watch_free(&watch);
    return status;
}

/* ---- All of them ---- */

static dpn_status check(const dpn_audit_release_options *options, dpn_error *why) {
    if (!options->declaration) return dpn_fail(why, DPN_EDOMAIN, "there is no release to audit");
    if (options->samples < least_samples || options->samples > most_samples)
        return dpn_fail(why, DPN_EDOMAIN, "an audit of releases takes from 1000 to 10^9 samples");
    if (!(options->confidence >= 0 && options->confidence < 1))
        return dpn_fail(why, DPN_EDOMAIN, "the confidence must be less than 1, and not negative");
    if (options->claimed && !(options->epsilon >= 0 && isfinite(options->epsilon)))
        return dpn_fail(why, DPN_EDOMAIN, "the epsilon that is claimed must be a number of at least 0");
    if (options->claimed && !(options->delta >= 0 && options->delta < 1))
        return dpn_fail(why, DPN_EDOMAIN, "the delta that is claimed must be at least 0 and less than 1");
    return dpn_declaration_check(options->declaration, why);
}

/* A claim of a decimal that is no double is that of the double above it. */
static dpn_status find_claim(struct trial *trial, dpn_error *why) {
    const dpn_declaration *declaration = trial->options->declaration;
    trial->epsilon = trial->options->epsilon;
    trial->delta = trial->options->delta;
    if (trial->options->claimed) return DPN_OK;
    trial->delta = 0;
    dpn_status status = dpn_number_parse_up(&trial->epsilon, declaration->epsilon, why);
    if (!status && declaration->delta) status = dpn_number_parse_up(&trial->delta, declaration->delta, why);
    return status;
}

static dpn_status prepare(struct trial *trial, dpn_error *why) {
    const dpn_audit_release_options *options = trial->options;
    dpn_status status = find_claim(trial, why);
    if (!status) status = dpn_query_new(&trial->query, options->declaration, NULL, why);
    if (!status) status = dpn_audit_tables_make(&trial->tables, trial->query, options->declaration, why);
    if (status) return status;
    trial->pilot = options->samples / 4 < PILOT_MOST ? (size_t)options->samples / 4 : PILOT_MOST;
    if (trial->pilot < PILOT_LEAST) trial->pilot = PILOT_LEAST;
    trial->features = dpn_watch_features(&trial->tables);
    trial->all = 2 * (options->samples + trial->pilot) * trial->tables.pairs;
    trial->first = malloc(trial->pilot * trial->features * sizeof(double));
    trial->second = malloc(trial->pilot * trial->features * sizeof(double));
    trial->evidence = malloc(sizeof *trial->evidence);
    if (!trial->first || !trial->second || !trial->evidence)
        return dpn_fail(why, DPN_ENOMEM, "no memory for the samples");
    dpn_evidence_begin(trial->evidence, options->samples, trial->tables.pairs * DPN_WATCH_EVENTS, options->confidence);
    return DPN_OK;
}

static void judge(dpn_audit *out, const struct trial *trial) {
    dpn_audit audit = {.at = {.epsilon = trial->epsilon, .delta = trial->delta},
                       .confidence = trial->options->confidence,
                       .samples = trial->options->samples,
                       .pairs = trial->tables.pairs,
                       .events = trial->tables.pairs * DPN_WATCH_EVENTS};
    for (int i = 0; i < DPN_AUDIT_POINTS; i++) {
        audit.point[i].epsilon = trial->epsilon * i / (DPN_AUDIT_POINTS - 1);
        audit.point[i].delta = dpn_implied_delta(trial->epsilon, trial->delta, audit.point[i].epsilon);
    }
    dpn_audit_judge(&audit, trial->evidence);
    *out = audit;
}

dpn_status dpn_audit_release(dpn_audit *out, const dpn_audit_release_options *options, dpn_rng *rng, dpn_error *why) {
    if (!out || !options || !rng) return dpn_fail(why, DPN_EDOMAIN, "an audit needs options and a random source");
    dpn_audit_release_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = check(&own, why);
    if (status) return status;
    if (!(own.confidence > 0)) own.confidence = usual_confidence;
    struct trial trial = {.options = &own, .rng = rng};
    status = prepare(&trial, why);
    for (size_t i = 0; i < trial.tables.pairs && !status; i++) status = compare(&trial, i, why);
    if (!status) judge(out, &trial);
    free(trial.first);
    free(trial.second);
    free(trial.evidence);
    dpn_audit_tables_free(&trial.tables);
    dpn_query_free(trial.query);
    return status;
}
