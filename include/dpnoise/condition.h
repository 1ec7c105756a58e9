/* dpnoise/condition.h - the conditions that papers state for (epsilon, delta)-privacy, by name.
 *
 * Papers about noise state inequalities in epsilon and delta under which their noise is private. dpn_sensitivity_delta
 * gives the truth; this header gives what the papers say, so that the two can be compared:
 *
 *   fh-theorem-3    flipped-huber, one answer: exact
 *   fh-theorem-8    flipped-huber: sufficient; where its proof has a gap, the repaired statement (conditions.md, 2)
 *   fh-theorem-9    flipped-huber: zCDP and Bun and Steinke's conversion, sufficient
 *   osgt-theorem-1  osgt, one answer: exact
 *   osgt-theorem-2  osgt: Renyi bound (16) and conversion (20) at the best order, sufficient
 *   osgt-20         any law: its Renyi divergences and conversion (20) at the best order, sufficient
 *   osgt-21         osgt: the same with the divergences (56), (57)
 *   osgt-22         gaussian: the same with the divergence of the Gaussian
 *   inid-theorem-4  gaussian with its own sigma on each answer: exact for boxes, else for the box around the set
 *   inid-laplace    laplace: stated as exact, but sufficient alone unless one answer may take the whole l1 norm
 *   probabilistic   any law: the probability of a loss of epsilon or more, sufficient
 *
 * FH, OSGT and INID: docs/references.md. Every condition here is valid: its delta is an upper bound of the true one,
 * rounded up. docs/proofs/privacy/conditions.md proves it and names the slips of the papers.
 */
#ifndef DPNOISE_CONDITION_H
#define DPNOISE_CONDITION_H

#include <dpnoise/privacy.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a condition says at one epsilon. */
typedef struct dpn_conditioned {
    double delta, log_delta; /* the least delta that it allows, rounded up; 1 where it says nothing */
    double order;            /* the order that gave it, +inf for the largest loss; 0 if there is none */
    bool exact;              /* whether no smaller delta is true of this noise and set, rounding aside */
} dpn_conditioned;

/* How many conditions there are; the name of one and what it is in one sentence, NULL past the end. */
DPN_API size_t dpn_condition_count(void);
DPN_API const char *dpn_condition_name(size_t index);
DPN_API const char *dpn_condition_describe(size_t index);

/* The delta that the condition of this name gives for independent noise on the coordinates of a sensitivity set: law[0]
 * on all of them if laws is 1, else law[i] on coordinate i (inid-theorem-4, inid-laplace, fh-theorem-9, osgt-20 and
 * probabilistic only). A condition in terms of norms is given the largest norms in the set, and as K the number of
 * coordinates that can move.
 * Domain   0 <= epsilon, finite.
 * Guarantee  the release is (epsilon, delta)-private for every move of the set.
 * Accuracy the condition's own value times at most 1 + 1e-9; of probabilistic on several coordinates about 1 + 1e-2,
 *          and of fh-theorem-8 1 + 1e-4 where its gap is closed by a search.
 * Errors   DPN_EDOMAIN; DPN_EPARSE for an unknown name; DPN_EUNSUPPORTED for noise or a set that the condition is not
 *          about; those of dpn_sensitivity_delta and dpn_renyi_sensitivity where it asks them. On error *out is not
 *          written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_condition_delta(dpn_conditioned *out, const char *name, dpn_workspace *workspace,
                                                      const dpn_law *law, size_t laws, const dpn_sensitivity *set,
                                                      double epsilon, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
