/* Pairs of neighbouring inputs: a pilot, then draws that are counted and judged. */
#include "audit/pairs.h"

#include "audit/judge.h"
#include "audit/watch.h"

#include "base/error.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>

enum { PILOT_MOST = 4000, PILOT_LEAST = 250 };

_Static_assert(DPN_PAIRS_MOST *DPN_WATCH_EVENTS * 4 <= DPN_MOST_WITNESSES, "there is room for all events");

static const uint64_t least_samples = 1000, most_samples = 1000000000;

struct trial {
    const dpn_audit_pairs *asked;
    size_t pilot;
    double *first, *second; /* features of the pilots, those of one output after the other */
    dpn_evidence *evidence;
    uint64_t done, all; /* draws */
};

/* ---- What is asked ---- */

dpn_status dpn_audit_pairs_check(uint64_t samples, double confidence, bool claimed, double epsilon, double delta,
                                 dpn_error *why) {
    if (samples < least_samples || samples > most_samples)
        return dpn_fail(why, DPN_EDOMAIN, "an audit of releases takes from 1000 to 10^9 samples");
    if (!(confidence >= 0 && confidence < 1))
        return dpn_fail(why, DPN_EDOMAIN, "the confidence must be less than 1, and not negative");
    if (claimed && !(epsilon >= 0 && isfinite(epsilon)))
        return dpn_fail(why, DPN_EDOMAIN, "the epsilon that is claimed must be a number of at least 0");
    if (claimed && !(delta >= 0 && delta < 1))
        return dpn_fail(why, DPN_EDOMAIN, "the delta that is claimed must be at least 0 and less than 1");
    return DPN_OK;
}

dpn_status dpn_audit_declared(double *epsilon, double *delta, const dpn_declaration *declaration, dpn_error *why) {
    *delta = 0;
    dpn_status status = dpn_number_parse_up(epsilon, declaration->epsilon, why);
    if (!status && declaration->delta) status = dpn_number_parse_up(delta, declaration->delta, why);
    return status;
}

/* ---- One pair ---- */

static dpn_status draw(double *feature, struct trial *trial, size_t pair, bool second, dpn_error *why) {
    const dpn_audit_pairs *asked = trial->asked;
    if (trial->done++ % 64 == 0) {
        if (asked->progress) asked->progress(asked->context, (double)trial->done / (double)trial->all);
        if (asked->cancelled && asked->cancelled(asked->context))
            return dpn_fail(why, DPN_ECANCELLED, "the audit was cancelled");
    }
    return asked->draw(feature, asked->what, pair, second, why);
}

static dpn_status learn(dpn_watch *watch, struct trial *trial, size_t pair, dpn_error *why) {
    size_t features = trial->asked->features;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < trial->pilot && !status; i++) {
        status = draw(trial->first + i * features, trial, pair, false, why);
        if (!status) status = draw(trial->second + i * features, trial, pair, true, why);
    }
    if (status) return status;
    return dpn_watch_learn(watch, features, trial->asked->own, trial->first, trial->second, trial->pilot, why);
}

static dpn_status compare(struct trial *trial, size_t pair, dpn_error *why) {
    uint64_t first[DPN_WATCH_EVENTS] = {0}, second[DPN_WATCH_EVENTS] = {0};
    dpn_watch watch = {0};
    dpn_status status = learn(&watch, trial, pair, why);
    double *feature = trial->first; /* the pilot has served */
    for (uint64_t i = 0; i < trial->asked->samples && !status; i++) {
        status = draw(feature, trial, pair, false, why);
        if (!status) dpn_watch_count(first, &watch, feature);
        if (!status) status = draw(feature, trial, pair, true, why);
        if (!status) dpn_watch_count(second, &watch, feature);
    }
    for (size_t i = 0; i < DPN_WATCH_EVENTS && !status; i++) dpn_evidence_add(trial->evidence, first[i], second[i]);
    dpn_watch_free(&watch);
    return status;
}

/* ---- All of them ---- */

static dpn_status prepare(struct trial *trial, dpn_error *why) {
    const dpn_audit_pairs *asked = trial->asked;
    trial->pilot = asked->samples / 4 < PILOT_MOST ? (size_t)asked->samples / 4 : PILOT_MOST;
    if (trial->pilot < PILOT_LEAST) trial->pilot = PILOT_LEAST;
    trial->all = 2 * (asked->samples + trial->pilot) * asked->pairs;
    trial->first = malloc(trial->pilot * asked->features * sizeof(double));
    trial->second = malloc(trial->pilot * asked->features * sizeof(double));
    trial->evidence = malloc(sizeof *trial->evidence);
    if (!trial->first || !trial->second || !trial->evidence)
        return dpn_fail(why, DPN_ENOMEM, "no memory for the samples");
    dpn_evidence_begin(trial->evidence, asked->samples, asked->pairs * DPN_WATCH_EVENTS, asked->confidence);
    return DPN_OK;
}

static void judge(dpn_audit *out, const struct trial *trial) {
    const dpn_audit_pairs *asked = trial->asked;
    dpn_audit audit = {.at = {.epsilon = asked->epsilon, .delta = asked->delta},
                       .confidence = asked->confidence,
                       .samples = asked->samples,
                       .pairs = asked->pairs,
                       .events = asked->pairs * DPN_WATCH_EVENTS};
    for (int i = 0; i < DPN_AUDIT_POINTS; i++) {
        audit.point[i].epsilon = asked->epsilon * i / (DPN_AUDIT_POINTS - 1);
        audit.point[i].delta = dpn_implied_delta(asked->epsilon, asked->delta, audit.point[i].epsilon);
    }
    dpn_audit_judge(&audit, trial->evidence);
    *out = audit;
}

dpn_status dpn_audit_pairs_run(dpn_audit *out, const dpn_audit_pairs *asked, dpn_error *why) {
    dpn_audit_pairs own = *asked;
    if (!(own.confidence > 0)) own.confidence = 0.999; /* the usual one */
    struct trial trial = {.asked = &own};
    dpn_status status = prepare(&trial, why);
    for (size_t i = 0; i < own.pairs && !status; i++) status = compare(&trial, i, why);
    if (!status) judge(out, &trial);
    free(trial.first);
    free(trial.second);
    free(trial.evidence);
    return status;
}
