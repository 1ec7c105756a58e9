/* The loss of a random box: noise whose hidden size J = 0, 1, 2, ... sets the sides s_i = c_i + J of a box, in units of the sensitivities,
 * with the probability proportional to e^(-alpha J) times the product of Z_i(s_i), and whose coordinates are given J independent:
 * Gaussian of the variance s_i/beta_i, cut to [-s_i, s_i]; Z_i(s) = (2 pi s/beta_i)^(1/2) erf((beta_i s/2)^(1/2)).
 *
 * The pair of (J, y) and (J - 1, y + 1) dominates it, in both orders of the neighbours; its loss is at most alpha + sum of beta_i/2, and
 * E e^(zL) is in closed form (docs/proofs/privacy/random-box.md). The pair is not symmetric and must not be reversed.
 */
#ifndef DPN_PRIVACY_LOSS_RANDOM_BOX_H
#define DPN_PRIVACY_LOSS_RANDOM_BOX_H

#include "privacy/loss/loss.h"

/* epsilon is alpha, count the number of coordinates; value are the c_i, or NULL for 1; probability the beta_i, or NULL if all are
 * `sensitivity`. The arrays are the caller's. */
extern const struct dpn_loss_kind dpn_loss_kind_random_box;

/* All coordinates with the same c and beta: as many groups as there are different pairs. */
typedef struct dpn_box_group {
    double c, beta, times;
} dpn_box_group;

/* The law of J up to where what is left has a probability below e^log_rest; free it. */
typedef struct dpn_box_sizes {
    double alpha, largest; /* loss */
    size_t groups, sizes;
    dpn_box_group *group;
    double *log_weight; /* of J, normalised */
    double log_total;   /* of the weights, before */
    double log_rest;    /* of what is left out */
} dpn_box_sizes;

dpn_status dpn_box_sizes_make(dpn_box_sizes *out, double alpha, const double *c, const double *beta, double one_beta,
                              size_t count, double log_rest, dpn_error *why);
void dpn_box_sizes_free(dpn_box_sizes *sizes);

/* log E e^(theta L) for theta > 0, and if mean and variance are not NULL those of L under that tilt, as differences show them. For
 * a search: measured, 1e-12. */
double dpn_box_log_moment(const dpn_box_sizes *sizes, double theta);

/* Of t = y/s with the density proportional to e^(-q t^2) on [-1, 1]. */
double dpn_cut_gaussian_square(double q); /* E t^2 */

#endif
