/* From counts to bounds. docs/proofs/audit/audit.md */
#include "audit/judge.h"

#include "audit/proportion.h"

#include <math.h>

static const double miss = 0.05; /* either of two counts may fall short: a power of 0.9 */

/* Rounding errors of a logarithm and a difference. */
static const double slack = 1e-12;

/* ---- Bounds ---- */

/* Both directions of an event, or of its complement, from its counts under the two neighbours. */
static void add_witnesses(dpn_evidence *out, uint64_t zero, uint64_t moved) {
    const uint64_t n = out->samples;
    const uint64_t count[2] = {zero, moved};
    for (int i = 0; i < 2; i++)
        out->witness[out->witnesses++] = (dpn_witness){.count = count[i],
                                                       .lower = dpn_proportion_lower(count[i], n, out->alpha),
                                                       .upper = dpn_proportion_upper(count[1 - i], n, out->alpha)};
}

void dpn_evidence_begin(dpn_evidence *out, uint64_t samples, size_t events, double confidence) {
    out->samples = samples;
    out->witnesses = 0;
    /* Two bounds of two probabilities for each event; those of the complement are the same bounds. */
    out->alpha = (1 - confidence) / (double)(4 * events);
}

void dpn_evidence_add(dpn_evidence *evidence, uint64_t first, uint64_t second) {
    add_witnesses(evidence, first, second);
    add_witnesses(evidence, evidence->samples - first, evidence->samples - second);
}

void dpn_evidence_make(dpn_evidence *out, const dpn_audit_tally *zero, const dpn_audit_tally *moved, size_t pairs,
                       uint64_t samples, double confidence) {
    dpn_evidence_begin(out, samples, pairs * DPN_AUDIT_EVENTS, confidence);
    for (size_t pair = 0; pair < pairs; pair++)
        for (size_t event = 0; event < DPN_AUDIT_EVENTS; event++)
            dpn_evidence_add(out, dpn_audit_tally_count(&zero[pair], event),
                             dpn_audit_tally_count(&moved[pair], event));
}

static double epsilon_of(double lower, double upper, double delta) {
    double excess = lower - delta;
    if (!(excess > 0)) return -INFINITY;
    double epsilon = log(excess / upper);
    return epsilon - slack * (1 + fabs(epsilon));
}

double dpn_evidence_epsilon(const dpn_evidence *evidence, double delta) {
    double best = -INFINITY;
    for (size_t i = 0; i < evidence->witnesses; i++)
        best = fmax(best, epsilon_of(evidence->witness[i].lower, evidence->witness[i].upper, delta));
    return best;
}

double dpn_evidence_delta(const dpn_evidence *evidence, double epsilon) {
    double best = 0, factor = exp(epsilon) * (1 + slack);
    for (size_t i = 0; i < evidence->witnesses; i++)
        best = fmax(best, evidence->witness[i].lower - factor * evidence->witness[i].upper - slack);
    return best;
}

/* ---- Power ---- */

/* The epsilon of a mechanism in which an event has the probabilities p and q: what the event shows, and what its complement
 * shows the other way round. The second rules out events that are all but certain: for these to tell the neighbours apart,
 * the complement would have to tell them apart far better. */
static double epsilon_shown(double p, double q, double delta) {
    double rest = 1 - q - delta;
    if (!(q > 0)) return INFINITY;
    return fmax(log((p - delta) / q), rest > 0 ? log(rest / (1 - p)) : -INFINITY);
}

/* By normal approximation, to choose the event. */
static double rough_power(const dpn_evidence *evidence, double p, double epsilon, double delta) {
    double n = (double)evidence->samples, margin = sqrt(-2 * log(evidence->alpha)) + 1.65;
    double target = (p - margin * sqrt(p * (1 - p) / n) - delta) * exp(-epsilon);
    if (!(target > 0 && target < 1)) return INFINITY;
    return epsilon_shown(p, target - margin * sqrt(target * (1 - target) / n), delta);
}

/* If the true probability is p, the count is `seen` or more with probability 0.95, which bounds the probability from
 * below; the claim is refuted if the other upper bound is below `target`, so for fewer than `enough` counts; which has
 * probability 0.95 if the other probability is q. */
static double power_of(const dpn_evidence *evidence, double p, double epsilon, double delta) {
    uint64_t n = evidence->samples, seen = dpn_binomial_rare(n, p, miss);
    double target = (dpn_proportion_lower(seen, n, evidence->alpha) - delta) * exp(-epsilon);
    if (!(target > 0)) return INFINITY;
    uint64_t enough = target < 1 ? dpn_binomial_rare(n, target, evidence->alpha) : n;
    return epsilon_shown(p, enough > 0 ? dpn_proportion_lower(enough, n, miss) : 0, delta);
}

double dpn_evidence_power(const dpn_evidence *evidence, double epsilon, double delta) {
    double least = INFINITY, chosen = 0;
    for (size_t i = 0; i < evidence->witnesses; i++) {
        double p = (double)evidence->witness[i].count / (double)evidence->samples;
        double power = rough_power(evidence, p, epsilon, delta);
        if (!(power < least)) continue;
        least = power;
        chosen = p;
    }
    return chosen > 0 ? power_of(evidence, chosen, epsilon, delta) : INFINITY;
}

/* ---- The verdict ---- */

double dpn_implied_delta(double epsilon, double delta, double x) {
    if (x >= epsilon) return delta;
    double pure = -expm1(x - epsilon) / (1 + exp(-epsilon));
    return fmin(1, (delta + (1 - delta) * pure) * (1 + 1e-12));
}

static void judge_point(dpn_audit_point *point, const dpn_evidence *evidence) {
    point->epsilon_lower = dpn_evidence_epsilon(evidence, point->delta);
    point->delta_lower = dpn_evidence_delta(evidence, point->epsilon);
    point->power = dpn_evidence_power(evidence, point->epsilon, point->delta);
}

static bool broken(const dpn_audit_point *point) {
    return point->epsilon_lower > point->epsilon;
}

void dpn_audit_judge(dpn_audit *audit, const dpn_evidence *evidence) {
    judge_point(&audit->at, evidence);
    dpn_audit_point worst = audit->at;
    for (int i = 0; i < DPN_AUDIT_POINTS; i++) {
        judge_point(&audit->point[i], evidence);
        if (audit->point[i].epsilon_lower - audit->point[i].epsilon > worst.epsilon_lower - worst.epsilon)
            worst = audit->point[i];
    }
    audit->pass = !broken(&worst);
    if (!broken(&audit->at) && broken(&worst)) audit->at = worst;
}
