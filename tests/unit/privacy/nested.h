/* delta(epsilon) of a few losses by nested integrals: neither a transform nor a contour.
 *
 *     delta of the first k losses at eps = integral of g_k(t) times delta of the first k-1 at eps - L_k(t), over t,
 *
 * from the profile of one loss on. The integrals are adaptive Gauss-Kronrod sums; what lies in tails of probability
 * `floor` is left out. Continuous laws only.
 */
#ifndef DPN_TEST_PRIVACY_NESTED_H
#define DPN_TEST_PRIVACY_NESTED_H

#include <dpnoise/privacy.h>

typedef struct nested_loss {
    dpn_law law;
    double shift;
} nested_loss;

/* The relative error of the quadrature is below `relative`, as far as its own estimate goes. */
double nested_delta(const nested_loss *loss, size_t count, double epsilon, double floor, double relative);

#endif
