/* From counts to bounds: what the samples of an audit say against a claim. */
#ifndef DPN_AUDIT_JUDGE_H
#define DPN_AUDIT_JUDGE_H

#include <dpnoise/audit.h>

#include "audit/neighbours.h"
#include "audit/tally.h"

/* The probability of an event under one neighbour is at least `lower`, under the other at most `upper`. */
typedef struct dpn_witness {
    uint64_t count; /* of the event under the first, from which `lower` comes */
    double lower, upper;
} dpn_witness;

/* Each event and its complement, each with either neighbour in front. */
enum { DPN_MOST_WITNESSES = DPN_AUDIT_PAIRS * DPN_AUDIT_EVENTS * 4 };

typedef struct dpn_evidence {
    uint64_t samples;
    double alpha; /* of each bound */
    size_t witnesses;
    dpn_witness witness[DPN_MOST_WITNESSES];
} dpn_evidence;

/* No events yet, of `events` that will be added, for which all bounds hold at once with probability `confidence`; and an event
 * by its counts under the two neighbours.
 * Domain   at most DPN_MOST_WITNESSES/4 events. */
void dpn_evidence_begin(dpn_evidence *out, uint64_t samples, size_t events, double confidence);
void dpn_evidence_add(dpn_evidence *evidence, uint64_t first, uint64_t second);

/* Bounds from the tallies under the input 0 and under the moved one, for each pair; all hold at once with probability
 * `confidence`. */
void dpn_evidence_make(dpn_evidence *out, const dpn_audit_tally *zero, const dpn_audit_tally *moved, size_t pairs,
                       uint64_t samples, double confidence);

/* The lower bounds of epsilon at a delta, and of delta at an epsilon. */
double dpn_evidence_epsilon(const dpn_evidence *evidence, double delta);
double dpn_evidence_delta(const dpn_evidence *evidence, double epsilon);

/* The least epsilon at this delta for which the claimed one would be refuted with probability 0.9: one of the events keeps
 * its frequency under one neighbour and is rarer under the other, the event for which the least will do. +inf if there is
 * none. */
double dpn_evidence_power(const dpn_evidence *evidence, double epsilon, double delta);

/* ---- The verdict ---- */

/* The delta at x that a claim (epsilon, delta) implies: the profile of the least private mechanism that keeps it (Kairouz,
 * Oh and Viswanath 2015), rounded up. */
double dpn_implied_delta(double epsilon, double delta, double x);

/* The lower bounds and the power at the claim `at` and at all points, which hold the claims; and whether all hold. If `at` does and
 * a point does not, `at` becomes that point. */
void dpn_audit_judge(dpn_audit *audit, const dpn_evidence *evidence);

#endif
