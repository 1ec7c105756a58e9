/* dpnoise/noisy-objective.h - the minimum of the caller's loss with noise in it.
 *
 * In libdpnoise alone. Fits of tables by linear and logistic loss are in learn.h; this is for other convex losses.
 *
 * Let a loss l(b; row) be convex and differentiable in b, with a Lipschitz gradient, and S(b) its sum over the rows of a table.
 * Minimised is
 *     S(b) + l1 |b|_1 + (l2/2)|b|^2 + (gamma/2)|b|^2 + V.b    over |b_j| <= within, or over |b|_2 <= within,
 * V being K-norm noise and gamma chosen for the guarantee (Awan and Slavkovic 2021, Algorithms 1 and 2, with their errors put right), and what is
 * found of the minimum gets noise for its distance from it. All is in the scale of the sum, not of the mean.
 *
 * A centre of numbers without bounds, by l(b; x) = (1 + (x - b)^2)^(1/2), whose derivative (b - x)/(1 + (x - b)^2)^(1/2) is below 1 in size and
 * whose second one, (1 + (x - b)^2)^(-3/2), is at most 1; `centre` adds them up:
 * Example
 *     extern void centre(double *gradient, double *hessian, void *numbers, const double *b);
 *     double numbers[] = {3.1, 2.9, 1e9, 3.3}, found[1];
 *     dpn_noisy_objective_options options = dpn_noisy_objective_options_init();
 *     dpn_noisy_objective *objective;
 *     dpn_error why;
 *     options.dimension = 1;
 *     options.epsilon = 1;
 *     options.move = options.lambda = 1; // one number comes or goes
 *     options.rank = 1;
 *     options.within = 1000;
 *     options.curvature = 1e6; // for at most a million numbers
 *     options.error = 1e-9;    // a million roundings of 1e-16, with some to spare
 *     if (dpn_noisy_objective_new(&objective, &options, &why) ||
 *         dpn_noisy_objective_run(found, objective, centre, numbers, rng, &why))
 *         return puts(why.sentence);
 *     printf("%g\n", found[0]);
 *     dpn_noisy_objective_free(objective);
 *
 * docs/proofs/learn/objective.md says what is proved.
 */
#ifndef DPNOISE_NOISY_OBJECTIVE_H
#define DPNOISE_NOISY_OBJECTIVE_H

#include <dpnoise/calibrate.h>
#include <dpnoise/random.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is public of the loss, for all tables and all b within the box or ball. Numbers that bound something are promises. */
typedef struct dpn_noisy_objective_options {
    size_t size;           /* set by the initialiser below */
    size_t dimension;      /* of b, from 1 to 1000 */
    double epsilon;        /* what is released is (epsilon, 0)-private */
    dpn_ball_kind ball;    /* of the noise: linf (default), l1 or l2 */
    double move;           /* the most that S' differs between neighbouring tables, in the norm of the ball */
    double lambda;         /* the largest eigenvalue of one row's Hessian */
    size_t rank;           /* of one row's Hessian, at most: 1 for losses of b.x. 0: not known, and refused */
    double within;         /* 2^-40 to 2^28 */
    double curvature;      /* the largest eigenvalue of the Hessian of S, on any table */
    double error;          /* how far the computed S' is from the true one, in length, at most */
    double l1, l2;         /* penalties, the same on all tables */
    double share;          /* of epsilon that goes to V, below 1; 0: chosen from dimension, epsilon and rows */
    double rows;           /* about how many there are, if that is public, for that choice; 0: not known */
    dpn_relation relation; /* of `move`; carried along */
    bool within_l2;        /* the length of b is at most `within`, which is at most 2^27 then */
    double longest;        /* with that: the most that |S'| is in the ball, on any table */
} dpn_noisy_objective_options;

static inline dpn_noisy_objective_options dpn_noisy_objective_options_init(void) {
    dpn_noisy_objective_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    options.ball = DPN_BALL_LINF;
    return options;
}

typedef struct dpn_noisy_objective dpn_noisy_objective;

/* Choose the noise; nothing is read. Accepts NULL when freed.
 * Errors   DPN_EDOMAIN for numbers outside their domain and a rank that is not known; those of dpn_release_new, DPN_ENOMEM. On error *out is
 *          not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_noisy_objective_new(dpn_noisy_objective **out,
                                                          const dpn_noisy_objective_options *options, dpn_error *why);
DPN_API void dpn_noisy_objective_free(dpn_noisy_objective *objective);

/* What was chosen: gamma; the share of epsilon that V has; and how far what is found is from the minimum at most, before it gets its noise. */
typedef struct dpn_noisy_objective_shares {
    double gamma, share, distance;
} dpn_noisy_objective_shares;
DPN_API dpn_noisy_objective_shares dpn_noisy_objective_look(const dpn_noisy_objective *objective);

/* Write S'(b), `dimension` numbers, and S''(b), dimension^2 of them, unless hessian is NULL. It cannot fail: a failure would tell
 * tables apart. The Hessian makes the search quick and backs nothing. */
typedef void dpn_differentiate(double *gradient, double *hessian, void *context, const double *b);

/* Draw the noise, minimise, and write what is released: `dimension` numbers. Once.
 * Guarantee  b is epsilon-private for tables whose S differ as the promises of the options say: S' by at most `move`, and S'' by a matrix
 *          of at most `rank` with eigenvalues of at most `lambda` in size, as one row does (several rows together are more), as long as S
 *          of both is convex. Not covered: running time.
 *          The search ends on every table, if the promises hold; quickly if the Hessian is right.
 * Errors   DPN_EDOMAIN a second time, and if S' is not finite; DPN_EENTROPY, DPN_ENOMEM. On error b is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_noisy_objective_run(double *b, dpn_noisy_objective *objective,
                                                          dpn_differentiate *differentiate, void *context, dpn_rng *rng,
                                                          dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
