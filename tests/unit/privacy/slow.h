/* delta(epsilon) of compositions by slow roads that know neither transforms nor contours. Each answer is an interval of
 * log delta that contains the truth.
 *
 *   slow_gaussian  any number of Gaussian losses: the closed form with 600 bits. Error 1e-16 of the logarithm.
 *   slow_laplace   n copies of laplace or truncated-laplace, bound >= sensitivity. The loss has the atoms +-a, a =
 *                  D/scale, an atom at infinity, and between the atoms the density c e^(x/2). So k losses between the
 *                  atoms sum to the density c^k e^(s/2) times the k-fold convolution of the interval [-a, a], a sum of
 *                  truncated powers, and delta is a finite sum over the numbers of losses at each atom: 1200 bits
 *                  against its cancellation.
 *   slow_atoms     losses with atoms only: pure, explicit, staircase (sensitivity at most its period) and noise on the
 *                  integers. All outcomes, added up as they are: positive terms in long double, error 1e-13.
 *   slow_grid      any losses of continuous laws. Every loss but one is spread over the two neighbours on a grid so that
 *                  its P-mass and its Q-mass stay (this can only raise delta), these are convolved term by term, and the
 *                  last one enters by its exact profile f. Two grids, of the steps 2h and h: the finer sum is an upper
 *                  bound up to the tails left out. What it exceeds the truth by is at most the difference of the two
 *                  sums: a bend of f at x < h of a coarse cell, under even mass, gives the excess x (2h - x)/2 on the
 *                  coarse and x (h - x)/2 on the fine grid, and so does an atom there, times f''.
 */
#ifndef DPN_TEST_PRIVACY_SLOW_H
#define DPN_TEST_PRIVACY_SLOW_H

#include <dpnoise/privacy.h>
#include <stdbool.h>

typedef struct slow_delta {
    double log_lower, log_upper;
} slow_delta;

slow_delta slow_gaussian(const dpn_part *part, size_t parts, double epsilon);
slow_delta slow_laplace(const dpn_part *part, double epsilon);
slow_delta slow_atoms(const dpn_part *part, size_t parts, double epsilon);

/* delta is at least about e^log_size: what is left out is small beside it. cells is the number of cells that one loss gets
 * on the finer grid; it grows until the two grids agree to a tenth. */
slow_delta slow_grid(const dpn_part *part, size_t parts, double epsilon, double log_size, int cells);

#endif
