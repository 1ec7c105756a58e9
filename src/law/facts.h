/* Facts of a law, for rooms that would otherwise ask for its name. On the integers they are those of the continuous
 * family with the same psi. Exact unless a line says otherwise.
 */
#ifndef DPN_LAW_FACTS_H
#define DPN_LAW_FACTS_H

#include "law/family.h"

/* psi as quadratic pieces, on the integers too; false if it has none. */
bool dpn_law_pieces(dpn_pieces *out, const dpn_law *law);

/* psi as a staircase; false if it is not one. */
bool dpn_law_stairs(dpn_stairs *out, const dpn_law *law);

/* The supremum of psi'(t) within the support, from the pieces or from the family; top = +inf: there is none, or none is
 * known. (A staircase has none.) */
dpn_slope dpn_law_slope(const dpn_law *law);

/* On the integers: a whole k such that psi(j) = j psi(1) for j <= k. At least 1, and more only where the family says so. */
double dpn_law_straight(const dpn_law *law);

/* Whether what large losses rest on is known: psi has pieces, or its slope is log-concave on t > 0. */
bool dpn_law_is_regular(const dpn_law *law);

/* The sigma of a law with psi(t) = t^2/2sigma^2 for all t, the scale of one with psi(t) = |t|/scale for all t; 0 for every
 * other law. Members of any family count: flipped-huber with alpha = 0, subbotin with p = 1. Rounded to a double only
 * where a family's own parameters make it no double. */
double dpn_psi_gaussian(const dpn_law *law);
double dpn_psi_laplace(const dpn_law *law);

/* The same for laws on the reals alone. */
double dpn_law_gaussian(const dpn_law *law);
double dpn_law_laplace(const dpn_law *law);

/* psi at x >= 0 within the support, of the piece that x lies in or of a given piece k continued, x twofold.
 * Accuracy measured, relative error <= 2^-98 (tests/unit/law/t-facts.c). */
dpn_twofold dpn_pieces_psi(const dpn_pieces *pieces, dpn_twofold x);
dpn_twofold dpn_piece_psi(const dpn_pieces *pieces, size_t k, dpn_twofold x);

/* The piece that x >= 0 lies in: the last whose `from` is at most x. */
size_t dpn_pieces_find(const dpn_pieces *pieces, dpn_twofold x);

/* Whether the family bounds e^psi, and a bound of it at x >= 0 in the direction of rounding (dpn_family.inverse). */
bool dpn_law_has_inverse(const dpn_law *law);
bool dpn_law_inverse(dpn_wide *out, const dpn_law *law, dpn_rounding how, const dpn_wide *x);

/* P(X > t) for t >= 0, whole on the integers: the family's member or the generic one. */
dpn_tail dpn_law_tail(const dpn_law *law, double t);

/* A bound of the relative error of the generic tail: what was measured, 1e-13, with a margin of 1000; 0 for a tail in
 * closed form (docs/accuracy.md). */
double dpn_law_tail_error(const dpn_law *law);

/* The family of this name, NULL if there is none. */
const struct dpn_family *dpn_family_find(const char *name);

/* The number of its parameters. */
size_t dpn_family_arity(const struct dpn_family *family);

/* The law of a family with these parameters.
 * Errors   DPN_EDOMAIN. On error *law is not written. */
DPN_MUST_CHECK dpn_status dpn_family_make(dpn_law *law, const struct dpn_family *family, const double *parameter,
                                          dpn_error *why);

/* The law of a family with this shape (ignored if it has none) and scale; period as in dpn_shape_fact.
 * Errors   DPN_EDOMAIN; DPN_EUNSUPPORTED for a family of several parameters that has no shape. On error *law is not
 *          written. */
DPN_MUST_CHECK dpn_status dpn_family_tune(dpn_law *law, const struct dpn_family *family, double shape, double scale,
                                          double period, dpn_error *why);

#endif
