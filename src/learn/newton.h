/* Newton's step for a problem with kinks: a guess, which the search for the minimum judges. */
#ifndef DPN_LEARN_NEWTON_H
#define DPN_LEARN_NEWTON_H

#include <stdbool.h>
#include <stddef.h>

/* Where a step ends: somewhere, at 0 exactly, or at an end of the box. */
typedef enum dpn_newton_end { DPN_NEWTON_FREE, DPN_NEWTON_ZERO, DPN_NEWTON_TOP, DPN_NEWTON_BOTTOM } dpn_newton_end;

/* About the minimum d of  gradient.d + d'Hd/2 + sum_j l1_j |b_j + d_j|  over |b_j + d_j| <= box. `work` has m^2 + 2m numbers.
 * False if there is none to be had: H was not positive, or some number not finite. */
typedef struct dpn_newton_model {
    size_t m;
    const double *b, *gradient, *hessian, *l1;
    double box;
} dpn_newton_model;
bool dpn_newton_step(double *d, dpn_newton_end *end, const dpn_newton_model *model, double *work);

/* The same over |b + d| <= radius: *held if that is what ends it. `pull` times b is in the model's gradient; `on`: |b| is the radius. `work` has
 * 2 m^2 + 3 m numbers. */
typedef struct dpn_newton_ball {
    double radius, pull;
    bool on;
} dpn_newton_ball;
bool dpn_newton_step_in_ball(double *d, dpn_newton_end *end, bool *held, const dpn_newton_model *model,
                             const dpn_newton_ball *ball, double *work);

#endif
