/* Random one-dimensional cases (law, sensitivity, epsilon), and how an answer is held against the truth. */
#ifndef DPN_TEST_PRIVACY_CASE_H
#define DPN_TEST_PRIVACY_CASE_H

#include "privacy/profile/profile.h"
#include "reference/reference.h"

typedef struct profile_case {
    const struct ref_family *family;
    double parameter[REF_PARAMETERS];
    dpn_law law;
    double sensitivity, epsilon;
} profile_case;

/* A law of the family with ordinary parameters; a sensitivity from 1e-9 to 1e4 of its scale, at times equal to a
 * parameter; and an epsilon at which something happens: 0, a loss of the law or its neighbourhood, a fraction or a
 * multiple of a typical one. Never negative. */
profile_case case_draw(draw_source *source, const char *family);

/* The reference of the case's law at a precision that bears its sensitivity. Lives in the pool of numbers. */
void case_reference(ref_law *law, const profile_case *at);

/* Fail unless the estimate's interval holds the truth, in value and in logarithm. Returns the distance of the
 * estimate from the truth divided by the error that it claims; 0 if both are 0. */
double case_compare(const profile_case *at, dpn_estimate estimate, real truth, const char *what);

/* Fail unless the ends of delta say the same as their logarithms: they lie outside, by a few ulps. Returns delta. */
dpn_delta case_ends(dpn_delta delta);

/* The number of cases: `quick`, ten times that in a long run. */
int case_count(int quick);

/* A law from its text; fails if there is none. */
dpn_law case_law(const char *text);

#endif
