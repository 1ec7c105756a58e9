/* The families as calibration sees them: a scale that trades error for privacy, for some a shape that is searched, and what
 * is known of where to search. */
#ifndef DPN_CALIBRATE_TUNING_H
#define DPN_CALIBRATE_TUNING_H

#include "calibrate/problem.h"

/* Whether all noise of a family is Gaussian, or Laplace noise; with `psi` also the one on the integers of the same psi. */
bool dpn_family_is_gaussian(const struct dpn_family *family);
bool dpn_family_is_laplace(const struct dpn_family *family);
bool dpn_family_psi_is_gaussian(const struct dpn_family *family);
bool dpn_family_psi_is_laplace(const struct dpn_family *family);

/* Whether noise of the family, or of the family in its limit, has a bounded loss: it can be pure. */
bool dpn_family_may_be_pure(const struct dpn_family *family);

/* Whether the profile of a law is a closed form or a sum, and no integral. */
bool dpn_law_is_quick(const dpn_law *law);

/* The step of the shape, 0 if there is none; and how many shapes a scan tries. */
double dpn_family_step(const struct dpn_family *family);
int dpn_family_scan(const struct dpn_family *family);

/* A scale with which noise of this shape has about this variance, looked for from `scale` on; 0 if none is found. period: of steps. */
double dpn_family_scale_of_variance(const struct dpn_family *family, double shape, double period, double variance,
                                    double scale);

/* Where the shape that is best for a problem lies, for a family that has one. */
void dpn_family_range(double *from, double *to, const struct dpn_family *family, const dpn_problem *problem);

/* The shape that a paper gives, NaN if none does. */
double dpn_family_published(const struct dpn_family *family, const dpn_problem *problem);

/* What else is known of a family by name, and not by its psi: whether the papers' sufficient condition speaks of it, whether
 * its zCDP is that of a bound which Renyi divergences beat, and what it costs to calibrate. */
typedef struct dpn_family_lore {
    const struct dpn_family *family;
    bool sufficient; /* FH Theorem 8 */
    bool by_renyi;   /* its condition by zCDP is that of the best order */
    bool quick;      /* a release may choose it unasked: it takes a moment to calibrate */
    bool slow_apart; /* but not where sensitivities differ */
    bool slow_many;  /* nor, with a delta, where many do */
    void (*range)(double *from, double *to, const dpn_problem *problem);
    double (*published)(const dpn_problem *problem);
    const struct dpn_family *narrow; /* its limit as steps that are not searched become narrow, or NULL */
    bool (*law)(dpn_law *law,
                const dpn_problem *problem); /* one law for all, without a search; false: none for this one */
} dpn_family_lore;

/* All zero for a family of which nothing is known. */
dpn_family_lore dpn_family_known(const struct dpn_family *family);

#endif
