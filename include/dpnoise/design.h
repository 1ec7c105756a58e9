/* dpnoise/design.h - noise by other means than the least error for a guarantee, and how unequal sensitivities are.
 *
 * Papers compare laws of the same variance, and build one law from another; and they tell by how unequal a vector of
 * sensitivities is what noise of its own for each answer gains. FH, OSGT and INID: docs/references.md.
 *
 * Example
 *     dpn_law law;
 *     dpn_error why;
 *     char text[DPN_LAW_TEXT_SIZE];
 *     if (dpn_design_of_scale(&law, "flipped-huber", 16, 7, &why)) return puts(why.sentence);
 *     puts(dpn_law_print(text, &law));
 */
#ifndef DPNOISE_DESIGN_H
#define DPNOISE_DESIGN_H

#include <dpnoise/law.h>
#include <dpnoise/privacy.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Laws of a given variance ---- */

/* The law of a family with this variance and this shape (dpn_family_shape; not looked at for a family that has none): its
 * scale is found. The steps of a staircase have the period 1.
 * Domain   variance > 0 and finite.
 * Accuracy the variance of the law is the one asked for, to a relative 1e-14, or on the integers 1e-9.
 * Errors   DPN_EPARSE for an unknown family; DPN_EDOMAIN; DPN_EUNSUPPORTED if no scale has this variance. On error *out is not
 *          written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_design_of_shape(dpn_law *out, const char *family, double variance, double shape,
                                                      dpn_error *why);

/* The law of a family with this variance and this scale, its last parameter: gamma of flipped-huber, sigma of osgt. Its shape
 * is found, and with it alpha or m; FH Fig. 6 has variance 16 and scale 7.
 * Errors   as above; DPN_EUNSUPPORTED for a family without a shape, or if no shape has this variance. */
DPN_API DPN_MUST_CHECK dpn_status dpn_design_of_scale(dpn_law *out, const char *family, double variance, double scale,
                                                      dpn_error *why);

/* FH's construction for one answer: flipped-huber noise with gamma = sigma, the least that Gaussian noise needs for
 * (epsilon, delta), and alpha = max(gamma^2 epsilon/D - D/2, 0). Its delta is at most the Gaussian's, and its variance is
 * less unless alpha is 0, where both are the same law. *certified (if not NULL) is its delta.
 * Domain   epsilon >= 0 and finite, 0 < delta < 1, sensitivity > 0 and finite.
 * Errors   DPN_EDOMAIN, those of dpn_calibrate. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_design_gamma_sigma(dpn_law *out, dpn_delta *certified, double epsilon,
                                                         double delta, double sensitivity, dpn_error *why);

/* ---- Unequal sensitivities ---- */

/* What INID tells of a vector of sensitivities.
 *   gini         sum_i sum_j |a_i - a_j|/(2 K sum_i a_i): 0 if all are equal, 1 - 1/K if one alone is not 0
 *   gain         K sum a_i^2/(sum a_i)^2, from 1 to K: how many times the mean squared error of Gaussian noise with a sigma for
 *                each answer (Theorem 5) identical noise has */
typedef struct dpn_inequality {
    double gini, gain;
} dpn_inequality;

/* Domain   count >= 1, all finite and not negative, not all 0.
 * Errors   DPN_EDOMAIN, DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_inequality_of(dpn_inequality *out, const double *sensitivity, size_t count,
                                                    dpn_error *why);

/* Whether the squares of one vector, divided by their sum, majorise those of another: each sum of the k largest is at least as
 * large, to a relative 1e-12. Then with the same l2 norm the first needs no more Gaussian noise than the second, and less if
 * they are no permutations of each other (INID Theorem 7). Neither may majorise the other.
 * Domain, errors  as above, of both. */
DPN_API DPN_MUST_CHECK dpn_status dpn_majorises(bool *out, const double *first, const double *second, size_t count,
                                                dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
