/* A row of the table of conditions, and what its function is asked. */
#ifndef DPN_PRIVACY_CONDITION_CONDITION_H
#define DPN_PRIVACY_CONDITION_CONDITION_H

#include "privacy/sensitivity/norms.h"

#include <dpnoise/condition.h>

typedef struct dpn_condition_question {
    const char *name; /* of the condition, for its refusals */
    dpn_workspace *workspace;
    const dpn_law *law;
    size_t laws;
    const dpn_sensitivity *set;
    dpn_norms norms;
    double epsilon; /* finite, not negative */
} dpn_condition_question;

/* What the functions below fill in: log delta, rounded up and possibly above 0; order; exact. */
typedef dpn_status dpn_condition_function(dpn_conditioned *out, const dpn_condition_question *question, dpn_error *why);

/* The condition about noise of this law that asks of the set for its norms alone, whatever its moves; NULL if there is
 * none. */
dpn_condition_function *dpn_condition_of_norms(const dpn_law *law);

/* The exact profile of noise on one answer: FH Theorem 3, OSGT Theorem 1. */
dpn_condition_function dpn_condition_one_answer;

/* FH Theorem 8 and its repair. */
dpn_condition_function dpn_condition_theorem_8;

/* FH Theorem 9 with Bun and Steinke's conversion. */
dpn_condition_function dpn_condition_theorem_9;

/* OSGT (20): exact Renyi divergences, or those of OSGT Theorem 2, converted at the best order. */
dpn_condition_function dpn_condition_renyi;
dpn_condition_function dpn_condition_theorem_2;

/* INID Theorem 4 and the formula of INID for Laplace noise. */
dpn_condition_function dpn_condition_inid_gaussian;
dpn_condition_function dpn_condition_inid_laplace;

/* The probability of a loss of epsilon or more. */
dpn_condition_function dpn_condition_probabilistic;

#endif
