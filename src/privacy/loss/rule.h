/* A loss under a tilt, as points and weights: sum of weights times f(points) stands for E f(L) under the tilted law
 * dP_theta = e^(theta L) dP/M(theta), for every f(L) = e^(i omega L) with |omega| up to a limit.
 *
 * Atoms are points; segments are cut into panels with a Gauss-Legendre rule on each (loss/panels.h). The cumulants K
 * = log M, K', K'' come without cancellation, since M(theta) - 1 is the integral of (e^(theta L) - 1)(1 -
 * e^(-(1+theta) L)) against m (loss/shape.h).
 */
#ifndef DPN_PRIVACY_LOSS_RULE_H
#define DPN_PRIVACY_LOSS_RULE_H

#include "privacy/loss/decay.h"
#include "privacy/loss/shape.h"

enum { DPN_MAX_POINTS = 1 << 16 };

typedef struct dpn_tilt_rule {
    double theta;
    double cumulant, mean, variance; /* K, K', K'' at theta, of the finite losses normalised to mass 1 */

    /* count points, the first of them the atoms of the loss: the loss L >= 0 (of any sign if the shape is not
     * symmetric), and of the tilted masses at L and -L the sum, the difference and the second. While the rule is made
     * the last three hold the logarithm of the mass, its weight, and the size of the numbers that the logarithm was
     * made of. */
    size_t count, atoms;
    double *value, *sum, *difference, *minus;
    size_t capacity;

    /* Bounds of the errors: of the cumulant; of the quadrature of the characteristic function; and of the masses of
     * the points, relative and averaged, alone and times |L|. */
    double error, flat, relative, relative_loss;

    dpn_decay decay;
    double top, total; /* the tilted masses of the shape sum to total e^top */
} dpn_tilt_rule;

/* Make the rule of a shape at a tilt; a rule that is all zero, or was made before, provides the memory. omega is the
 * largest frequency that will be asked for, goal the quadrature error that is aimed at, relative to M(theta).
 * Errors   DPN_ENOMEM; DPN_EACCURACY if it takes more than DPN_MAX_POINTS points.
 */
dpn_status dpn_tilt_rule_make(dpn_tilt_rule *rule, const dpn_shape *shape, const dpn_loss *loss, bool reversed,
                              double theta, double omega, double goal, dpn_error *why);
void dpn_tilt_rule_free(dpn_tilt_rule *rule);

/* Add a point of mass weight * exp(log_mass).
 * Errors   DPN_ENOMEM, DPN_EACCURACY, as above.
 */
dpn_status dpn_tilt_rule_add(dpn_tilt_rule *rule, double value, double log_mass, double weight, double magnitude);

#endif
