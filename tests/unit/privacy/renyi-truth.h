/* Renyi divergences a second time, from the definition and to 200 bits or more. Nothing is shared with src/. */
#ifndef DPN_TEST_PRIVACY_RENYI_TRUTH_H
#define DPN_TEST_PRIVACY_RENYI_TRUTH_H

#include "reference/reference.h"

/* log(integral (sum) of g(t)^order g(t + d)^(1 - order))/(order - 1), or for order 1 the integral of g log(g(t)/g(t + d)).
 * bend is a point t > 0 where psi bends, 0 if there is none. On the integers `most` limits the number of terms; NULL if
 * there would be more. */
real truth_renyi(const ref_law *law, real d, real order, real bend, double most);

/* The same for the staircase law, step by step. */
real truth_renyi_staircase(const double *parameter, real d, real order);

#endif
