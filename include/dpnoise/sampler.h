/* dpnoise/sampler.h - exact draws from a noise law, on a public grid.
 *
 * Noise made of floating-point numbers leaks (Mironov 2012). Here a draw is the ideal real value of the law, rounded
 * to a grid; the arithmetic behind it is refined, with more random bits, until the rounding is certain. The
 * parameters of the law are read as the exact real numbers that their doubles are.
 *
 * Example
 *     dpn_law law;
 *     dpn_sampler *sampler;
 *     int64_t steps[1000];
 *     dpn_error why;
 *     if (dpn_law_parse(&law, "gaussian(sigma=1)", &why)) return puts(why.sentence);
 *     if (dpn_sampler_new(&sampler, &law, -10, &why)) return puts(why.sentence);
 *     if (dpn_sampler_draw(steps, sampler, rng, 1000, &why)) return puts(why.sentence);
 *     printf("%g\n", ldexp((double)steps[0], -10)); // the grid is 2^-10
 *     dpn_sampler_free(sampler);
 *
 * A sampler does not change once made: any number of threads may draw from one, each with its own random source. The
 * running time of a draw depends on the random bits alone (docs/proofs/random/sampler.md).
 */
#ifndef DPNOISE_SAMPLER_H
#define DPNOISE_SAMPLER_H

#include <dpnoise/law.h>
#include <dpnoise/random.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dpn_sampler dpn_sampler;

/* Make a sampler: tables, some 40 KiB.
 * Domain   a law of any family. Continuous laws: the grid is g = 2^grid_exponent in the law's unit, |grid_exponent|
 *          <= 1100, and the law is narrow enough for 64 bits: the median of |X| is below 2^54 g and P(|X| > 2^61 g)
 *          <= 2^-200. Laws on the integers live in grid steps: grid_exponent must be 0.
 * Result   a sampler to be freed with dpn_sampler_free.
 * Errors   DPN_EDOMAIN for a grid too fine for the law or an exponent other than 0 on the integers; DPN_EUNSUPPORTED
 *          for a staircase with epsilon > 8 whose parts differ so much in width that no table serves both (gamma
 *          below e^-epsilon, or below 2^-43); DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sampler_new(dpn_sampler **out, const dpn_law *law, int grid_exponent,
                                                  dpn_error *why);

/* Free a sampler. Accepts NULL. */
DPN_API void dpn_sampler_free(dpn_sampler *sampler);

/* Independent draws steps[0 .. count-1], in grid steps.
 * Guarantee  each is exactly distributed as the X/g of the law rounded to the nearest integer (ties have probability
 *          0): P(k) = cdf((k+1/2)g) - cdf((k-1/2)g) of the ideal law; on the integers P(k) is the probability of k. The
 *          ends of int64_t stand for themselves and all beyond, which has a probability below 2^-200; nothing else is
 *          cut off. Assumed are independent uniform random words, and that exp, pow and the like of the C library err
 *          by less than 2^-36 of their value (they do by less than 2^-50); the guard band is 2^-20.
 * Errors   DPN_EENTROPY if the random source fails; DPN_EACCURACY if 800 random bits leave a draw undecided, of
 *          probability below 2^-700. On error all of steps is zero, however far the filling had come: no draw has left.
 * Cost     bench/sampler.c; a little more than one random word a draw. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sampler_draw(int64_t *steps, const dpn_sampler *sampler, dpn_rng *rng,
                                                   size_t count, dpn_error *why);

/* The same draws as doubles, in the law's unit: steps times the grid, for callers that have no use for steps.
 * Domain   a grid of at most 2^960.
 * Result   exact up to 2^53 steps, which few laws and grids exceed; beyond, the nearest double. Either way it is a function of
 *          the steps and says no more than they do. What adds noise to data adds steps to steps (dpnoise/release.h): the sum of
 *          two doubles may round.
 * Errors   as dpn_sampler_draw, and DPN_EDOMAIN for a larger grid. After a failure of the source all of out is zero.
 * Cost     some 15 percent above dpn_sampler_draw (bench/sampler.c).
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_sampler_values(double *out, const dpn_sampler *sampler, dpn_rng *rng,
                                                     size_t count, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
