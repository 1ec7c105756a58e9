/* dpnoise/geometry.h - norm balls, sensitivity spaces, and the K-norm mechanism.
 *
 * A norm ball K is convex, bounded, symmetric and holds a neighbourhood of 0; its norm is |u|_K = inf{c >= 0: u in cK}.
 * If the answers T move by u with |u|_K <= Delta, then T + V is epsilon-private (pure) for V of density proportional to
 * exp(-(epsilon/Delta) |v|_K) (Awan and Slavkovic 2021, Proposition 2.8). Of all balls the convex hull of the moves,
 * the sensitivity space, is best by containment, by volume and by entropy (their Theorem 3.19); on other measures
 * another may win, which dpn_ball_mean_norms tells.
 *
 * Example
 *     const double move[] = {2, 0, 1, 2, 1, -2}; // three moves of two answers
 *     dpn_norm_ball *hull;
 *     dpn_error why;
 *     if (dpn_ball_hull(&hull, 2, move, 3, &why)) return puts(why.sentence);
 *     printf("%g\n", dpn_ball_norm(hull, (const double[]){1, 1}));
 *     dpn_ball_free(hull);
 *
 * A ball does not change once made; any number of threads may use it.
 */
#ifndef DPNOISE_GEOMETRY_H
#define DPNOISE_GEOMETRY_H

#include <dpnoise/random.h>
#include <dpnoise/release.h>
#include <dpnoise/vector-sampler.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Balls ---- */

typedef struct dpn_norm_ball dpn_norm_ball;

/* {u : |(u_i/weight_i)_i|_p <= 1}; weight NULL stands for ones. p infinite is the box of half-sides weight_i.
 * Domain   1 <= dimension <= 2^24, p from 1 to 1000 or infinite, weights from 2^-400 to 2^400.
 * Errors   DPN_EDOMAIN, DPN_ENOMEM. On error *out is not written; so for all that follow. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_lp(dpn_norm_ball **out, size_t dimension, double p, const double *weight,
                                              dpn_error *why);

/* The convex hull of count points, row by row, and their negatives.
 * Guarantee  exact: points are the numbers that their doubles are; the facets, their triangulation and the volumes of
 *          its simplices are computed and verified in whole numbers (docs/proofs/geometry/hull.md).
 * Errors   DPN_EDOMAIN for points that do not span all dimensions (the sentence says which coordinates to release
 *          instead, see also dpn_points_span), are not finite, or need more than 120 bits in a coordinate;
 *          DPN_EUNSUPPORTED for more than 10 dimensions or 200000 facets; DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_hull(dpn_norm_ball **out, size_t dimension, const double *point,
                                                size_t count, dpn_error *why);

/* The same hull for more dimensions and points than have facets, up to 256 dimensions and 100000 points. Norms are
 * linear programs; dpn_ball_norm_upper is never too small, and near the norm where the program is solved, which is the
 * rule. There is no formula for the volume, and there are no exact draws.
 * Errors   DPN_EDOMAIN for points that do not span, by rounded arithmetic, are not finite or neither 0 nor between
 *          2^-200 and 2^200; DPN_EUNSUPPORTED; DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_points(dpn_norm_ball **out, size_t dimension, const double *point,
                                                  size_t count, dpn_error *why);

/* Blocks of coordinates, those of part[0] first: the norm is the sum of the parts' norms, or for a product of balls
 * their largest. And an intersection of balls of the same coordinates.
 * Result   takes over the parts, which the caller must not free; on error they stay the caller's.
 * Errors   DPN_EDOMAIN for no parts, or parts of different dimensions in an intersection; DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_sum(dpn_norm_ball **out, dpn_norm_ball *const *part, size_t count,
                                               dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_product(dpn_norm_ball **out, dpn_norm_ball *const *part, size_t count,
                                                   dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_intersection(dpn_norm_ball **out, dpn_norm_ball *const *part, size_t count,
                                                        dpn_error *why);

/* {A u : u in the ball}, A a square matrix, row by row. Takes over the ball as above.
 * Errors   DPN_EDOMAIN for a matrix that is singular, or so nearly that its inverse cannot be verified; DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_image(dpn_norm_ball **out, dpn_norm_ball *ball, const double *matrix,
                                                 dpn_error *why);

/* A ball known by its members: `contains` must be true for the points of a norm ball that lies within |u_i| <=
 * half_width_i and holds the points of radius inner, > 0, around 0. Its norm is found by bisection. That the set is a
 * ball is the caller's promise: it backs no guarantee, and there is no dpn_ball_norm_upper. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_members(dpn_norm_ball **out, size_t dimension, const double *half_width,
                                                   double inner, bool (*contains)(void *context, const double *u),
                                                   void *context, dpn_error *why);

/* K_2, the hull of the sensitivity space of (sum x, 2 sum x^2), and K_3, that of (sum x, sum y, sum xy), for x, y in
 * [-1, 1], one record replaced; and the ball of linear regression on p predictors and a response in [-1, 1], whose
 * coordinates are sum x_j, sum y, 2 sum x_j^2, sum x_j x_k (j < k; the pairs in the order 01, 02, ..., 12, ...), sum
 * x_j y:
 * all constraints that K_2 and K_3 make (Awan and Slavkovic 2021, section 5). It contains the hull and is not the hull.
 * Domain   1 <= predictors <= 100. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_k2(dpn_norm_ball **out, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_k3(dpn_norm_ball **out, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_regression(dpn_norm_ball **out, size_t predictors, dpn_error *why);

/* The true hull for one predictor, from outside: (sum x, sum y, 2 sum x^2, sum xy), with the parabola of x^2 replaced by
 * tangents in `pieces` pieces. A polytope with exact vertices that contains all moves, so that Delta = 1 is safe. Its volume
 * is 1360/9 + (512/9)/pieces^2 from 2 pieces on (measured), of which 1360/9 = 151.1 is that of the hull: 0.6 percent more
 * for 8 pieces. The ball above has 187.2.
 * Domain   1, 2, 4, 8 or 16 pieces.
 * Errors   DPN_EDOMAIN, DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_regression_hull(dpn_norm_ball **out, size_t pieces, dpn_error *why);

/* Free a ball and its parts. Accepts NULL. */
DPN_API void dpn_ball_free(dpn_norm_ball *ball);
DPN_API size_t dpn_ball_dimension(const dpn_norm_ball *ball);

/* How many vertices a hull has, and each of them, `dimension` numbers, for numbers below that; of a ball made of points
 * all points. How many simplices its exact triangulation has. 0 for other balls. */
DPN_API size_t dpn_ball_vertices(const dpn_norm_ball *ball);
DPN_API void dpn_ball_vertex(double *out, const dpn_norm_ball *ball, size_t number);
DPN_API size_t dpn_ball_facets(const dpn_norm_ball *ball);

/* ---- Measures of one ball ---- */

/* |u|_K.
 * Accuracy measured: relative error below 1e-13 for l_p, hulls and K_2, K_3; 1e-12 for members. NaN if u is not finite. */
DPN_API double dpn_ball_norm(const dpn_norm_ball *ball, const double *u);

/* A number not below |u|_K, for guarantees; at most a relative 1e-9 above it for l_p, hulls and what is made of them.
 * Errors   DPN_EUNSUPPORTED for members; DPN_EDOMAIN if u is not finite. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_norm_upper(double *out, const dpn_norm_ball *ball, const double *u,
                                                      dpn_error *why);

/* Is u certainly in the ball? Points within a relative 1e-9 of its surface may be called outside. */
DPN_API bool dpn_ball_contains(const dpn_norm_ball *ball, const double *u);

/* The support function sup{c.u : u in K}. NaN where there is no formula: intersections, members, regression.
 * Accuracy measured: relative error below 1e-13. */
DPN_API double dpn_ball_support(const dpn_norm_ball *ball, const double *c);

/* sup{|u_i| : u in K} or a bound of it for each i. */
DPN_API void dpn_ball_half_widths(double *out, const dpn_norm_ball *ball);

/* The logarithm of the volume. Exact up to rounding (`exact`, lower = upper = log), or the estimate from `points` random
 * points of the bounding box, with an interval that misses the truth with probability at most 1e-6 (Chernoff).
 * Errors   DPN_EACCURACY if fewer than ten, or one in a million, of the points lie in the ball; DPN_EENTROPY;
 *          DPN_EDOMAIN if points are needed and rng is NULL. On error *out is not written. */
typedef struct dpn_volume {
    double log, log_lower, log_upper;
    bool exact;
    double acceptance; /* of random points in the bounding box; 1 if exact */
} dpn_volume;
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_volume(dpn_volume *out, const dpn_norm_ball *ball, dpn_rng *rng,
                                                  size_t points, dpn_error *why);

/* The entropy of the mechanism, log((e scale)^m m! vol K), scale = Delta/epsilon (Awan and Slavkovic, Proposition
 * 3.14).
 * Domain   scale > 0. */
DPN_API double dpn_knorm_entropy(size_t dimension, double scale, double log_volume);

/* What the noise of density proportional to exp(-|v|_K/scale) does: variance[i] of each coordinate, and the expected
 * l1, l2, l-infinity norms, each with a standard error, 0 where a formula gives it. variance has room for `dimension`.
 * Accuracy formulas are measured to 1e-9: variances of l_p balls, hulls and their blocks, l1 norms of l_p balls, all
 *          norms in two dimensions. Everything else is the mean over `points` random vectors of floating-point noise,
 *          which tell nothing about privacy.
 * Errors   as dpn_ball_volume. */
typedef struct dpn_mean_norms {
    double l1, l2, linf, l1_error, l2_error, linf_error, variance_error; /* the last is the largest relative one */
} dpn_mean_norms;
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_mean_norms(dpn_mean_norms *out, double *variance, const dpn_norm_ball *ball,
                                                      double scale, dpn_rng *rng, size_t points, dpn_error *why);

/* The variance of V.e given that V lies on the line through e, |e|_2 = 1: m(m+1) scale^2/|e|_K^2 (Lemma 3.16, with the
 * rate corrected). `direction` is scaled to length 1. */
DPN_API double dpn_knorm_conditional_variance(const dpn_norm_ball *ball, double scale, const double *direction);

/* The norm |V|_K of noise of density proportional to exp(-|v|_K/scale) is a Gamma variable of shape m, the dimension, and this
 * scale (Lemma 3.4). So the smallest set that holds the noise with a probability p is t K, t the p-quantile of that law (Lemma
 * 3.5): the concentration set of p and its radius. And the depth of x, 1 - inf{p : x in the concentration set of p}, is
 * P(|V|_K > |x|_K): 1 at the centre alone, falling on rays, 0 at infinity, the same after a linear map of noise and x (Definitions
 * 3.8 to 3.10, Theorem 3.11, Corollary 3.12). docs/proofs/geometry/depth.md
 * Domain   scale > 0, probability from 0 to 1, else NaN; the radius of 1 is infinite.
 * Accuracy measured: relative error below 1e-11 of depths and of the smaller of p and 1 - p at the radius, up to 300 dimensions. */
DPN_API double dpn_knorm_depth(const dpn_norm_ball *ball, double scale, const double *x);
DPN_API double dpn_knorm_radius(size_t dimension, double scale, double probability);

/* The most power that a test of this level can have whether one record is as supposed, seen what is epsilon-private: `printed`
 * is min(level e^epsilon, 1) (Proposition 2.3), `both` uses privacy in both directions, min(printed, 1 - e^-epsilon (1 - level)).
 * Domain   epsilon >= 0, level from 0 to 1; else NaN. */
typedef struct dpn_test_power {
    double printed, both;
} dpn_test_power;
DPN_API dpn_test_power dpn_knorm_power(double epsilon, double level);

/* ---- Sensitivity spaces ---- */

/* A number not below Delta_K = max |u|_K over the points, row by row.
 * Guarantee  Delta for all moves in the convex hull of the points and their negatives.
 * Errors   as dpn_ball_norm_upper. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sensitivity_upper(double *out, const dpn_norm_ball *ball, const double *point,
                                                        size_t count, dpn_error *why);

/* How many dimensions points span, and coordinates that span as well, rising: release these, recover the others as
 * linear functions of them afterwards (Lemma 3.18). kept has room for 10.
 * Errors   as dpn_ball_hull, except for points that do not span. */
DPN_API DPN_MUST_CHECK dpn_status dpn_points_span(size_t *rank, size_t *kept, size_t dimension, const double *point,
                                                  size_t count, dpn_error *why);

/* The moves of T = sum over records of A x, x in the box [low_j, high_j], one record replaced: the points A s, s_j =
 * +-(high_j
 * - low_j), without their negatives: 2^(inputs-1) rows of `dimension` numbers, whose hull is that of the space.
 * Domain   inputs <= 20; A has dimension rows.
 * Errors   DPN_EDOMAIN; DPN_EACCURACY if a point is not exactly a double: round A or the box to fewer digits. */
DPN_API DPN_MUST_CHECK dpn_status dpn_space_linear(double *point, size_t dimension, const double *matrix, size_t inputs,
                                                   const double *low, const double *high, dpn_error *why);

/* Moves T(x) - T(x') of random records of the box: an estimate of a space from inside, which backs no guarantee. Writes
 * count rows of `dimension` numbers.
 * Errors   DPN_EDOMAIN, DPN_EENTROPY, DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_space_sampled(double *point, size_t count, size_t dimension, size_t inputs,
                                                    const double *low, const double *high,
                                                    void (*statistic)(double *out, void *context, const double *record),
                                                    void *context, dpn_rng *rng, dpn_error *why);

/* ---- Two balls ---- */

typedef enum dpn_order { DPN_ORDER_UNKNOWN, DPN_ORDER_INSIDE, DPN_ORDER_NOT_INSIDE } dpn_order;

/* Is scale_a A inside scale_b B? Then the mechanism of A at Delta = scale_a is at least as good as that of B at
 * scale_b, by concentration and by conditional variance in every direction (Theorems 3.6, 3.17).
 * Accuracy certain for pairs of l_p balls, for hulls, boxes and l1 balls of up to 16 dimensions inside any ball that has
 *          a dpn_ball_norm_upper, and for balls with a support function inside hulls, and inside boxes and l1 balls of up
 *          to 6 dimensions; UNKNOWN for other pairs, and within a relative 1e-9 of equality unless exact numbers decide. */
DPN_API dpn_order dpn_ball_inside(const dpn_norm_ball *a, double scale_a, const dpn_norm_ball *b, double scale_b);

/* ---- Noise ---- */

/* Exact draws of the mechanism of a ball: density proportional to exp(-rate |v|_K).
 * Domain   all balls but those of points without facets (dpn_ball_points) and what is made of these. Rate and grids as in
 *          dpn_vector_sampler_lp, for the half widths of the ball.
 * Result   a sampler. l_p balls, hulls and their blocks need no rejection. Otherwise uniform points of an envelope are tried
 *          until one lies in the ball: of the box around it; for an intersection, of its part of least volume, if that is
 *          smaller; part by part for a product; and those of the ball itself for a linear image. The sampler of a product,
 *          image, intersection or ball of members refers to the ball, which must outlive it.
 * Guarantee  as dpn_vector_sampler_draw, if the sampler is exact. Where a ball known by its members has a part, its
 *          function sees doubles and decides for all points that round to them: such draws back no guarantee.
 * Errors   DPN_EACCURACY if less than one in a million points of an envelope lies in the ball: take a ball around it, such
 *          as the box of its half widths. DPN_EUNSUPPORTED for other balls; those of dpn_vector_sampler_lp. On error *out is
 *          not written. */
typedef struct dpn_ball_sampler dpn_ball_sampler;
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_sampler_new(dpn_ball_sampler **out, const dpn_norm_ball *ball, double rate,
                                                       const int *grid_exponent, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_sampler_draw(int64_t *steps, const dpn_ball_sampler *sampler, dpn_rng *rng,
                                                        dpn_error *why);
DPN_API void dpn_ball_sampler_free(dpn_ball_sampler *sampler);

/* Which share of the points that are tried lies in the ball: the least of all tests that a draw has to pass, 1 if there is
 * none.
 * Accuracy measured: by 100 points that passed, with a standard error of a tenth; for K_2 and regression with one of 6
 *          percent or less, down to 1e-6. It is the same for the same ball. */
DPN_API double dpn_ball_sampler_acceptance(const dpn_ball_sampler *sampler);

/* Whether draws follow the law exactly; false if a ball known by its members has a part. */
DPN_API bool dpn_ball_sampler_exact(const dpn_ball_sampler *sampler);

/* ---- Releases ---- */

/* Answers whose moves lie in the ball, Delta = 1, released with its K-norm noise at this epsilon. */
typedef struct dpn_ball_release_options {
    size_t size; /* set by the initialiser below */
    double epsilon;
    bool whole; /* the answers are whole numbers, as counts are, and are not rounded: a promise that is checked */
    bool
        has_grid; /* grid_exponent is given; else each answer has the largest grid that makes no move longer by more than 2^-16 in all */
    int grid_exponent;
    dpn_relation relation;
    dpn_unit unit;
} dpn_ball_release_options;

static inline dpn_ball_release_options dpn_ball_release_options_init(void) {
    dpn_ball_release_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* Domain   epsilon > 0; at most 1024 dimensions.
 * Guarantee  pure: epsilon, for answers that move within the ball. Gridded answers move by at most 1 + the sum of g_i |e_i|_K, g_i the grid
 *          and e_i the unit vector of answer i, and the rate of the noise is epsilon over an upper bound of that (docs/proofs/release/release.md, b).
 * Accuracy variances by formulas where there are some, else by draws that are the same each time. Half-widths cover 95% or more, but for one
 *          ball in a billion: they are order statistics of such draws, or the half width of the ball times that of the norm.
 * Result   takes over the ball; on error it stays the caller's.
 * Errors   DPN_EDOMAIN; those of dpn_ball_norm_upper and dpn_ball_sampler_new; DPN_EUNSUPPORTED for a ball known by its members.
 *          On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ball_release(dpn_release **out, dpn_norm_ball *ball,
                                                   const dpn_ball_release_options *options, dpn_error *why);

/* ---- Plans ---- */

/* Hulls in exact arithmetic, for the member `hulls` of dpn_calibration_options: with it dpn_calibrate, dpn_compare and
 * dpn_release_new know the K-norm noise of the hull of a set's vertices.
 * Domain   as dpn_ball_hull.
 * Accuracy mean squares and draws exact; mean absolute values and half-widths by quadrature, measured, relative 1e-10. */
struct dpn_hulls;
DPN_API const struct dpn_hulls *dpn_exact_hulls(void);

#ifdef __cplusplus
}
#endif

#endif
