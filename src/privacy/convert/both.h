/* What divergences that are bounded in both directions imply where delta is large. docs/proofs/privacy/convert.md, 5 */
#ifndef DPN_PRIVACY_CONVERT_BOTH_H
#define DPN_PRIVACY_CONVERT_BOTH_H

/* The epsilon >= 0 that follows, rounded up, from a divergence of this finite order >= 1 from P to Q and from Q to P; order 1 is
 * the relative entropy. +inf where the other direction adds nothing. */
double dpn_both_epsilon_upper(double order, double divergence, double delta);

/* The delta that follows, rounded up; +inf where the other direction adds nothing. */
double dpn_both_delta_upper(double order, double divergence, double epsilon);

#endif
