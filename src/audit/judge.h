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

#endif
