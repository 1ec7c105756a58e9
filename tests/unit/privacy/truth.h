/* delta(epsilon) a second and a third time, from definitions and to 200 bits or more. Nothing is shared with src/. */
#ifndef DPN_TEST_PRIVACY_TRUTH_H
#define DPN_TEST_PRIVACY_TRUTH_H

#include "reference/reference.h"

/* psi(t + d) - psi(t): +inf where only the second density vanishes, -inf where only the first does. */
real truth_loss(const ref_law *law, real d, real t);

/* P(X > t1) - e^epsilon P(X > t1 + d) with the t1 where the loss reaches epsilon: log-concave laws, any epsilon. */
real truth_delta(const ref_law *law, real d, real epsilon);

/* The integral (sum) of max(0, g(t) - e^epsilon g(t + d)) by quadrature (term by term), for laws that do not reach
 * too far. bend is a point t > 0 where psi bends, 0 if there is none. */
real truth_delta_brute_force(const ref_law *law, real d, real epsilon, real bend);

/* The same for the staircase law, step by step. */
real truth_staircase(const double *parameter, real d, real epsilon);

#endif
