/* dpnoise/vector-sampler.h - exact draws of vectors whose density falls with a norm.
 *
 * The K-norm mechanism of a norm |.| adds V with the density proportional to exp(-rate |v|) (Hardt and Talwar 2010;
 * Awan and Slavkovic 2021). A draw is the ideal real vector, each coordinate rounded to its grid; as in
 * dpnoise/sampler.h the arithmetic is refined with more random bits until every rounding is certain, and doubles are
 * read as the exact numbers that they are.
 *
 * Example
 *     const double scale[] = {1, 1, 2};
 *     const int grid[] = {-16, -16, -15};
 *     dpn_vector_sampler *sampler;
 *     int64_t steps[3];
 *     dpn_error why;
 *     if (dpn_vector_sampler_lp(&sampler, 3, INFINITY, scale, 0.5, grid, &why)) return puts(why.sentence);
 *     if (dpn_vector_sampler_draw(steps, sampler, rng, &why)) return puts(why.sentence);
 *     printf("%g\n", ldexp((double)steps[2], grid[2])); // the third coordinate
 *     dpn_vector_sampler_free(sampler);
 *
 * Polytopes are drawn from by dpn_ball_sampler (dpnoise/geometry.h). A sampler does not change once made: any number of
 * threads may draw from one, each with its own random source. docs/proofs/random/vector-sampler.md
 */
#ifndef DPNOISE_VECTOR_SAMPLER_H
#define DPNOISE_VECTOR_SAMPLER_H

#include <dpnoise/random.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dpn_vector_sampler dpn_vector_sampler;

/* Make a sampler for the density proportional to exp(-rate |(v_i/scale_i)_i|_p): p = 1 independent Laplace noise of
 * scale scale_i/rate, p = inf the box of sides scale_i.
 * Domain   1 <= dimension <= 2^24; p from 1 to 1000 or infinite; scales and rate positive and finite; the grid of
 *          coordinate i is 2^grid_exponent[i], |grid_exponent[i]| <= 1000, with scale_i/rate between 2^-1000 and 2^1000
 *          and, times 2 dimension + 400, at most 2^61 steps of the grid: more has a probability below 2^-200.
 * Result   a sampler to be freed with dpn_vector_sampler_free; the arrays are copied.
 * Errors   DPN_EDOMAIN, DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_vector_sampler_lp(dpn_vector_sampler **out, size_t dimension, double p,
                                                        const double *scale, double rate, const int *grid_exponent,
                                                        dpn_error *why);

/* Make a sampler for a start box, the density proportional to exp(-rate t(v)), t(v) = max (|v_i|/scale_i - offset_i)_+, or, if
 * stairs, to exp(-rate ceil t(v)).
 * Domain   dimension up to 2^20; rate from 2^-40 to 2^40; offsets from 2^-400 to 2^400, without stairs also 0; scales and grids as
 *          above, with scale_i (offset_i + (2 dimension + 400)/rate) at most 2^61 steps of the grid.
 * Result, errors   as above. */
DPN_API DPN_MUST_CHECK dpn_status dpn_vector_sampler_start(dpn_vector_sampler **out, size_t dimension,
                                                           const double *scale, const double *offset, bool stairs,
                                                           double rate, const int *grid_exponent, dpn_error *why);

/* Make a sampler of spherical noise, the density proportional to exp(-alpha r - beta r^2/2), r = |(v_i/scale_i)_i|_2.
 * Domain   dimension from 2 to 2^20; alpha and beta from 2^-60 to 2^60; scales and grids as above, with at most 2^61 steps of the grid in what all but 2^-200 of the
 *          radii give.
 * Result, errors   as above. */
DPN_API DPN_MUST_CHECK dpn_status dpn_vector_sampler_spherical(dpn_vector_sampler **out, size_t dimension,
                                                               const double *scale, double alpha, double beta,
                                                               const int *grid_exponent, dpn_error *why);

/* Make a sampler for a random box: a hidden size J = 0, 1, ... with the probability proportional to e^(-alpha J) times the product of
 * Z_i(c_i + J), Z_i(s) = int_-s^s e^(-beta_i y^2/2s) dy, and given J independent coordinates V_i = scale_i Y_i, Y_i normal of the variance (c_i + J)/beta_i cut to
 * [-(c_i + J), c_i + J]. J is thrown away.
 * Domain   as dpn_vector_sampler_lp for dimension, scale and grid; alpha from 0.001 to 1024, c_i from 2^-40 to 2^40, beta_i from 2^-60 to 2^10; the largest box
 *          has at most 2^50 steps of a grid.
 * Result, errors  as dpn_vector_sampler_lp. */
DPN_API DPN_MUST_CHECK dpn_status dpn_vector_sampler_random_box(dpn_vector_sampler **out, size_t dimension,
                                                                const double *scale, double alpha, const double *c,
                                                                const double *beta, const int *grid_exponent,
                                                                dpn_error *why);

/* Make a sampler of independent staircase noise on each coordinate: with the probability theta the staircase of the end `high`, else that of `low`. The staircase of the
 * end e = n + f, 0 < f <= 1, in units of scale_i, has the density proportional to exp(-epsilon j) on its shells: |x| < f is shell 0, f + j - 1 <= |x| < f + j shell j, up to n. With step D > 0 the noise is
 * on the integers, the scales mean nothing, and the staircase of the end E = n D + c, 0 <= c < D, has |k| <= c as its shell 0 and c + (j-1) D < |k| <= c + j D as shell j; high = +inf stands for one that goes on for
 * ever, with c = low.
 * Domain   epsilon from 1e-4 to 100, theta in (0, 1], low < high up to 2^40, multiples of 1/4096 on the line and positive, whole and not negative on the integers; step a whole number up to 1e9; at most 2^20 shells.
 *          On the integers grids are 1; on the line scales and grids as above, with at most 2^50 steps of the grid. high = +inf on the integers alone, with theta = 1 and low < D.
 * Result, errors  as dpn_vector_sampler_lp. */
#define DPN_STAIRCASE_CELLS 4096.0
DPN_API DPN_MUST_CHECK dpn_status dpn_vector_sampler_staircase(dpn_vector_sampler **out, size_t dimension,
                                                               const double *scale, double step, double epsilon,
                                                               double low, double high, double theta,
                                                               const int *grid_exponent, dpn_error *why);

/* Free a sampler. Accepts NULL. */
DPN_API void dpn_vector_sampler_free(dpn_vector_sampler *sampler);

/* The dimension of its vectors; 0 for NULL. */
DPN_API size_t dpn_vector_sampler_dimension(const dpn_vector_sampler *sampler);

/* One vector, steps[0 .. dimension-1] in grid steps.
 * Guarantee  steps is exactly distributed as round(V_i/g_i) for all i at once, V the ideal vector; ties have
 *          probability 0. The ends of int64_t stand for 2^62 steps and all beyond. Assumed are independent uniform
 *          random words, and that exp, log1p and the like of the C library err by less than 2^-36, pow by less than
 *          2^-43 of its value (they do by less than 2^-52).
 * Errors   DPN_EENTROPY if the random source fails; DPN_EACCURACY if 800 random bits leave a number undecided, of
 *          probability below 2^-600 dimension; DPN_ENOMEM. On error all of steps is zero: no draw has left.
 * Cost     of a box: one word a coordinate and a few for the vector. */
DPN_API DPN_MUST_CHECK dpn_status dpn_vector_sampler_draw(int64_t *steps, const dpn_vector_sampler *sampler,
                                                          dpn_rng *rng, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
