/* Descent with noisy sums of clipped derivatives: Muthukrishnan and Kalyani 2023, Algorithm 3, and its rival.
 *
 * For each of L passes and each coefficient i: the sum of the rows' derivatives by b_i, each clipped to C_i, with noise, and
 * b_i <- prox(b_i - tau_i sum/N) with tau_i = tau/M_i; at once (coordinate descent), or for all i together at the end of the
 * pass (gradient descent), with tau_i = tau/(m M_i) for m coefficients. Besides the L passes N and the sums of squares that M_i is
 * made of are bought, once, unless N is public or both are declared. All of it is one release of a box, whose coordinates are asked one after the
 * other (adaptive.h). Each coordinate has a unit in which its bound is at most 1; where one law serves all coordinates, the units
 * make it the noise that the accounting asks for. */
#ifndef DPN_LEARN_DESCENT_H
#define DPN_LEARN_DESCENT_H

#include "learn/method.h"

typedef struct dpn_descent_coordinate {
    size_t column;     /* of dpn_rows */
    double smoothness; /* M_i if it was declared; else a public guess, for clips and weights alone */
    double clip, unit; /* C_i, and what it is measured in */
    int32_t clip_steps;
} dpn_descent_coordinate;

/* What is public of a descent. The release has N, the squares of the features, then pass by pass the derivatives. */
typedef struct dpn_descent {
    size_t release, coordinates, passes;
    bool together;  /* all coefficients move at the end of a pass */
    bool buys_rows; /* N is one of the numbers */
    size_t squares; /* how many sums of squares are bought: one for each feature, or none */
    int exponent;   /* the release counts in 2^exponent of the unit of a coordinate */
    int32_t one;    /* what a row adds to N, in steps */
    double *start;  /* of each column of dpn_rows but the target, in the scaled unit */
    dpn_descent_coordinate coordinate[];
} dpn_descent;

static inline size_t dpn_descent_squares_at(size_t feature) {
    return 1 + feature;
}
static inline size_t dpn_descent_derivative_at(const dpn_descent *of, size_t pass, size_t i) {
    return 1 + of->squares + pass * of->coordinates + i;
}
static inline size_t dpn_descent_numbers(const dpn_descent *of) {
    return dpn_descent_derivative_at(of, of->passes, 0);
}

/* The second derivative of the loss by t is at most this. */
static inline double dpn_descent_curvature(const dpn_fit *fit) {
    return fit->options.kind == DPN_FIT_LINEAR ? 1 : 0.25;
}

/* The point nearest to b but for step (l1 |b| + l2 b^2/2): b itself for the constant. */
double dpn_descent_prox(const dpn_fit *fit, size_t column, double b, double step);

/* How many rows bear the noise of one more pass of coordinate descent, and how many passes there are at least and at most, where nobody says how many. */
double dpn_descent_rows_a_pass(const dpn_fit *fit);
enum { DPN_DESCENT_MOST_PASSES = 40 };
static inline double dpn_descent_least_passes(const dpn_fit *fit) {
    return fit->delta == 0 ? 1 : 2;
}

/* The plan and the run of a method (method.h). */
dpn_status dpn_descent_plan(void **out, dpn_fit *fit, bool together, dpn_error *why);
dpn_status dpn_descent_run(dpn_fit_estimate *out, dpn_fit *fit, const void *state, dpn_rng *rng, dpn_error *why);
void dpn_descent_free(void *state);

#endif
