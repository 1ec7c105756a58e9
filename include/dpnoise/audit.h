/* dpnoise/audit.h - samples against a claim: a lower bound on epsilon that no honest mechanism exceeds.
 *
 * A guarantee is proved; whether the code keeps it is tried here. Noise is drawn from the sampler that releases use, on
 * answers that are neighbours, and events are counted that tell the neighbours apart. With P and Q the probabilities of an
 * event under two neighbours, an (epsilon, delta)-private mechanism has P <= e^epsilon Q + delta, so that bounds on P and Q
 * (Clopper and Pearson 1934, all of them true at once with the confidence told) give
 *
 *     epsilon >= log((P_lower - delta)/Q_upper).
 *
 * Example
 *     dpn_law law;
 *     dpn_sensitivity set = {.dimension = 1, .linf = 1};
 *     dpn_audit_options options = dpn_audit_options_init();
 *     dpn_audit audit;
 *     dpn_error why;
 *     if (dpn_law_parse(&law, "laplace(scale=1)", &why)) return puts(why.sentence);
 *     options.law = &law;
 *     options.laws = 1;
 *     options.set = &set;
 *     options.samples = 10000000;
 *     if (dpn_audit_run(&audit, &options, rng, &why)) return puts(why.sentence);
 *     if (!audit.pass) puts("the claim is refuted");
 *
 * An audit refutes or fails to refute; it never proves. Sampling sees nothing of a delta below about 10/samples: there the
 * certified interval of dpnoise/privacy.h stands alone. docs/proofs/audit/audit.md
 */
#ifndef DPNOISE_AUDIT_H
#define DPNOISE_AUDIT_H

#include <dpnoise/declaration.h>
#include <dpnoise/plan.h>
#include <dpnoise/privacy.h>
#include <dpnoise/random.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Joint noise on all answers together, of a density proportional to exp(-rate |v|), that somebody else draws: the noise of
 * a hull, for example, with dpn_ball_sampler_draw behind `draw` and dpn_ball_norm behind `norm` (dpnoise/geometry.h).
 * The claim is that of epsilon = rate times the longest move of the set, which is Laplace noise to the accountant: delta(e)
 * <= 1 - exp((e - epsilon)/2) for every ball. */
typedef struct dpn_audit_joint {
    dpn_status (*draw)(int64_t *steps, const void *sampler, dpn_rng *rng, dpn_error *why); /* one vector, in steps */
    double (*norm)(const void *ball, const double *v); /* in the unit of the data; it chooses events, no more */
    const void *sampler, *ball;
    double rate, epsilon;
} dpn_audit_joint;

/* What is audited: laws, a plan or joint noise. Set what is needed. */
typedef struct dpn_audit_options {
    size_t size;        /* set by the initialiser below */
    const dpn_law *law; /* law[0] on all answers if laws is 1, else law[i] on answer i */
    size_t laws;
    const dpn_plan *plan;         /* blocks of laws, K-norm noise of boxes and l_p balls, or none; law is NULL */
    const dpn_audit_joint *joint; /* law and plan are NULL; the grid is given */
    const dpn_sensitivity *set;
    uint64_t samples; /* from each input */
    bool claimed;     /* the claim is (epsilon, delta); else it is the certified profile of the noise on the set */
    double epsilon;
    bool at_delta; /* delta is given; else it is 0 for a claim and for noise whose loss is bounded, otherwise 1e-6, or
                      if no epsilon has that, the probability of an infinite loss */
    double delta;
    bool has_grid; /* the grid is 2^grid_exponent; else as releases choose it (dpnoise/release.h) */
    int grid_exponent;
    void (*progress)(void *context, double done); /* called now and then with the share done, 0 to 1; NULL: off */
    void *context;
    bool (*cancelled)(void *context); /* asked as often: true ends the audit with DPN_ECANCELLED; NULL: never */
} dpn_audit_options;

static inline dpn_audit_options dpn_audit_options_init(void) {
    dpn_audit_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* One point of the claimed profile, and what the samples say there. */
typedef struct dpn_audit_point {
    double epsilon, delta; /* the claim: delta(epsilon) is at most delta */
    double epsilon_lower;  /* no mechanism with this delta and a smaller epsilon does what was seen; -inf if all do */
    double delta_lower;    /* the same for delta at this epsilon, 0 or more */
    double power;          /* the least true epsilon, at this delta, that would be found with probability 0.9, if one of
                              the events keeps its frequency under one neighbour and is rarer under the other; +inf if
                              none would */
} dpn_audit_point;

enum { DPN_AUDIT_POINTS = 17 };

typedef struct dpn_audit {
    bool pass;          /* no lower bound exceeds its claim, at any point */
    dpn_audit_point at; /* the claim at its own delta, or if that holds and another is broken, the one broken most */
    dpn_audit_point point[DPN_AUDIT_POINTS]; /* epsilon from 0 up in equal steps */
    double confidence;                       /* all bounds of the audit hold at once with this probability: 0.999 */
    uint64_t samples;                        /* from each input */
    size_t pairs;                            /* of neighbouring inputs */
    size_t events;                           /* that were counted, over all pairs */
    int grid_exponent;                       /* of the first answer */
} dpn_audit;

/* Draw and judge.
 * Domain   samples from 1000 to 10^12; at most 256 answers; a bounded set; 0 <= epsilon and 0 <= delta < 1.
 * Guarantee  if the mechanism keeps the claim, pass is false with probability 0.001 at most.
 * Result   what is compared: the answers all 0 with answers moved, within the set, as far as it goes in all coordinates,
 *          in one, evenly, and by a step of the grid less. Events: the privacy loss of the noise beyond each of 33
 *          thresholds, also together with the lowest bit of the first answer; this answer exactly where it was; its four
 *          lowest bits; two answers that come out equal, or but for the sign. Epsilon goes up to where the certified delta is 10/samples. A claim (epsilon, delta) is tried at all these points by
 *          what it implies there (docs/proofs/audit/audit.md).
 * Errors   DPN_EDOMAIN; DPN_EUNSUPPORTED for vertices together with other bounds, or beside the grid; DPN_EENTROPY,
 *          DPN_ECANCELLED, DPN_EACCURACY, DPN_ENOMEM, and those of dpn_sensitivity_delta, dpn_plan_delta, dpn_sampler_new and
 *          dpn_vector_sampler_lp. DPN_EUNSUPPORTED also for a plan of other blocks. On error *out is not written.
 * Cost     (pairs + 1) samples draws for each answer; memory does not grow with samples. */
DPN_API DPN_MUST_CHECK dpn_status dpn_audit_run(dpn_audit *out, const dpn_audit_options *options, dpn_rng *rng,
                                                dpn_error *why);

/* ---- Whole releases ---- */

typedef struct dpn_audit_release_options {
    size_t size;                        /* set by the initialiser below */
    const dpn_declaration *declaration; /* of a release; no data are needed */
    uint64_t samples;                   /* releases of each table */
    bool claimed;                       /* the claim is (epsilon, delta); else it is what the declaration says */
    double epsilon, delta;
    double confidence;                            /* of all bounds at once; 0: 0.999 */
    void (*progress)(void *context, double done); /* called now and then with the share done, 0 to 1; NULL: off */
    void *context;
    bool (*cancelled)(void *context); /* asked as often: true ends the audit with DPN_ECANCELLED; NULL: never */
    const dpn_hulls *hulls;           /* as in dpn_question_options: of the releases that are judged */
} dpn_audit_release_options;

static inline dpn_audit_release_options dpn_audit_release_options_init(void) {
    dpn_audit_release_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* Draw whole releases (dpnoise/statistics.h: query, tally, answer) of tables that differ by one unit, and judge.
 * Domain   samples from 1000 to 10^9; 0 <= epsilon and 0 <= delta < 1; 0 <= confidence < 1.
 * Guarantee  if releases keep the claim, pass is false with probability 1 - confidence at most.
 * Result   what is compared: some other units, without and with one whose values are all at a bound, who has more rows than count, who
 *          is in more groups than count, whose values are far beyond the bounds, who has a key alone, whose fields are not
 *          usable; under replace, such units for each other. What is watched: which keys are shown, the values and intervals
 *          of all outputs, as a score that is learned from a pilot of other releases, and that a release fails.
 *          grid_exponent is 0.
 * Errors   those of dpn_declaration_check, dpn_query_new, dpn_tally_new and dpn_query_answer; DPN_EDOMAIN; DPN_ECANCELLED; DPN_ENOMEM. On error
 *          *out is not written.
 * Cost     2 (samples + pilot) releases for each pair of tables, a pilot being a quarter of samples and at most 4000. */
DPN_API DPN_MUST_CHECK dpn_status dpn_audit_release(dpn_audit *out, const dpn_audit_release_options *options,
                                                    dpn_rng *rng, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
