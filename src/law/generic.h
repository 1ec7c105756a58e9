/* All that a law offers, from its psi alone: for families that give no closed form of a member.
 *
 * psi must be convex and increasing on x >= 0 (the law log-concave), smooth but for the corners of its pieces, and good
 * to an ulp or two. On the reals the answers are integrals by the double-exponential rule, on the integers sums, or for
 * wide laws integrals with Gregory's corrections.
 * Accuracy measured, tests/unit/law/t-generic.c, against the closed forms of the families here: relative error <= 1e-13
 *          of densities, tails down to e^-700, moments and entropies, 1e-9 of the Fisher information; absolute error
 *          <= 1e-12 (1 + value) of log_mgf.
 */
#ifndef DPN_LAW_GENERIC_H
#define DPN_LAW_GENERIC_H

#include "law/family.h"

/* The constants of the density, from those that psi needs. */
void dpn_generic_prepare(dpn_law *law);

/* As the members of dpn_family. tail_inverse is for laws on the reals; law/solve.h serves the others. */
dpn_tail dpn_generic_tail(const dpn_law *law, double t);
double dpn_generic_tail_inverse(const dpn_law *law, double p);
double dpn_generic_variance(const dpn_law *law);
double dpn_generic_mean_abs(const dpn_law *law);
double dpn_generic_fisher(const dpn_law *law);
double dpn_generic_entropy(const dpn_law *law);
double dpn_generic_log_mgf(const dpn_law *law, double s);
double dpn_generic_mgf_bound(const dpn_law *law);

#endif
