/* dpnoise/release.h - noise on numbers, without a leak.
 *
 * A release is prepared from public facts alone: the guarantee, the sensitivity set, the family of noise. They fix a grid
 * and a plan. Then values come as decimal text, are put on the grid as whole numbers of steps, get whole numbers of steps
 * of exact noise, and leave as decimal text. There is no floating-point number between the value and the answer.
 *
 * Example
 *     const char *const text[] = {"1204", "37", "12.5"};
 *     const double bound[] = {1, 1, 2};
 *     dpn_sensitivity set = {.dimension = 3, .bound = bound};
 *     dpn_release_options options = dpn_release_options_init();
 *     dpn_release *release;
 *     dpn_error why;
 *     int64_t value[3], noisy[3];
 *     char out[DPN_RELEASE_TEXT_SIZE];
 *     options.epsilon = 1;
 *     options.delta = 1e-6;
 *     options.set = &set;
 *     if (dpn_release_new(&release, &options, &why)) return puts(why.sentence);
 *     for (size_t i = 0; i < 3; i++)
 *         if (dpn_release_parse(&value[i], release, i, text[i], &why)) return puts(why.sentence);
 *     if (dpn_release_draw(noisy, release, rng, value, &why)) return puts(why.sentence);
 *     for (size_t i = 0; i < 3; i++) puts(dpn_release_print(out, release, i, noisy[i]));
 *     dpn_release_free(release);
 *
 * docs/proofs/release/release.md says what is proved, and what timing reveals.
 */
#ifndef DPNOISE_RELEASE_H
#define DPNOISE_RELEASE_H

#include <dpnoise/calibrate.h>
#include <dpnoise/decimal.h>
#include <dpnoise/random.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a choice of the family may leave out: noise that is joint on several coordinates (with `alone` of `calibration`, blocks stay,
 * which have no joint noise on those), noise on the integers or of a density that is not log-concave, and what takes
 * seconds to calibrate where sensitivities differ (osgt). */
enum { DPN_EXCLUDE_JOINT = 1, DPN_EXCLUDE_INTEGER = 2, DPN_EXCLUDE_SLOW = 4 };

/* What is asked; all of it public. Set what is needed. */
typedef struct dpn_release_options {
    size_t size; /* set by the initialiser below */
    double epsilon, delta;
    const dpn_sensitivity *set; /* of the answers as they are, in their own unit */
    /* The family of the noise (dpn_mechanism_name). NULL: the best of gaussian, laplace, osgt, logistic, k-norm, of start boxes or with a delta
     * of random boxes, for whole answers also of discrete-gaussian, discrete-laplace, truncated-geometric and discrete-staircase. "best": the best of all, which can take
     * seconds. Bounded noise must be better by 1%. */
    const char *family;
    bool whole;    /* the answers are whole numbers, as counts are: a promise that is checked */
    bool has_grid; /* grid_exponent is given; else it is chosen, see dpn_release_grid_exponent */
    int grid_exponent;
    /* With `whole`: coordinate i is a whole number of steps of 2^grid_exponents[i], and so are the bounds of its moves, which
     * the set has to have, and no linf. NULL: steps of 1. */
    const int *grid_exponents;
    unsigned exclude; /* DPN_EXCLUDE_...: what a choice among families must not take */
    /* NULL: the defaults. With `hulls`, k-norm noise knows the hull of vertices and is drawn from it. */
    const dpn_calibration_options *calibration;
} dpn_release_options;

static inline dpn_release_options dpn_release_options_init(void) {
    dpn_release_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* A release made ready. It does not change: threads may share it, each with its own random source. */
typedef struct dpn_release dpn_release;

/* Choose the grid, the sensitivity set of the gridded answers, and the plan, and build the samplers.
 * Domain   epsilon and delta as in dpn_calibrate; a bounded set. Noise that spends delta is taken only if its error is less
 *          by 1% or more than that of noise for (epsilon, 0): what is pure costs a budget no delta.
 * Guarantee  The released numbers are (epsilon, delta)-private, delta at most the plan's delta.upper, for answers that move
 *          within the set given: any function of the data that is told to nobody else. The plan is calibrated for the
 *          gridded answers, whose set is never smaller: a bound b becomes ceil(b/g) g; l1 grows by less than m g and l2 by
 *          m^(1/2) g where m answers may move; a hull of vertices grows by g times an upper bound of the largest norm of a
 *          vector of signs. Every draw of one release takes new noise: `times` of the calibration options releases with one plan, if that is
 *          set, else one.
 * Errors   DPN_EDOMAIN; DPN_EPARSE for an unknown family; DPN_EUNSUPPORTED if no family serves, and, unless the answers are
 *          whole, for vertices whose hull is flat and for vertices with noise on the integers; those of dpn_calibrate and
 *          dpn_sampler_new. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_release_new(dpn_release **out, const dpn_release_options *options,
                                                  dpn_error *why);

/* Noise that the caller draws, for all answers that move together: K-norm noise of a ball of geometry.h, for example. In the plan it is a block of
 * DPN_BLOCK_PURE. */
typedef struct dpn_given_noise {
    size_t size;               /* set by the initialiser below */
    size_t dimension;          /* of the answers */
    const double *bound;       /* how far each moves at most; 0: not at all, and it gets no noise */
    const int *grid_exponents; /* of each answer */
    bool whole;                /* the answers are whole numbers of steps, and not rounded */
    double epsilon;            /* which the noise has for the moves of the gridded answers: the caller vouches for it */
    const double *variance;    /* of the noise on each; NULL: not known */
    const double *half_width;  /* that |noise| exceeds with probability 0.05 at most; NULL: not known */
    dpn_relation relation;
    dpn_unit unit;
    void *context;
    /* Noise for the answers that move, in their order and in steps of their grids. Errors: as dpn_release_draw. */
    dpn_status (*draw)(int64_t *steps, const void *context, dpn_rng *rng, dpn_error *why);
    void (*free)(void *context); /* when the release is freed; NULL: nothing to free */
} dpn_given_noise;

static inline dpn_given_noise dpn_given_noise_init(void) {
    dpn_given_noise noise = DPN_ALL_ZERO;
    noise.size = sizeof noise;
    return noise;
}

/* A release with this noise.
 * Guarantee  pure: epsilon, if the caller's word is good.
 * Result   takes over the context; on error it stays the caller's.
 * Errors   DPN_EDOMAIN, DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_release_given(dpn_release **out, const dpn_given_noise *noise, dpn_error *why);

/* Free a release. Accepts NULL. */
DPN_API void dpn_release_free(dpn_release *release);

/* The plan, and the sensitivity set of the gridded answers that it was calibrated for. They live as long as the release. */
DPN_API const dpn_plan *dpn_release_plan(const dpn_release *release);
DPN_API const dpn_sensitivity *dpn_release_sensitivity(const dpn_release *release);

/* The grid of a coordinate is 2^exponent: 2^0 for whole answers and for noise on the integers. Else the largest power of
 * two at most b/2^16, where b is the answer's bound if all there is are bounds, and for other sets, with one grid for all
 * answers, the least of the positive bounds, linf, l1/m, l2/m^(1/2) and, for vertices, 1/norm; so the grid makes no bound larger by more than
 * 2^-16 of it. With grid_exponents the grids are those, and of answers that share a law the finest of theirs. An answer that
 * cannot move is put on the finest grid of the others, and answers with the same law on the
 * finest of theirs.
 * Domain   coordinate < the dimension of the set. */
DPN_API int dpn_release_grid_exponent(const dpn_release *release, size_t coordinate);

/* Half the width of an interval around the released number that covers the exact answer with probability 0.95 or more: for
 * each coordinate by itself. The rounding to the grid is included.
 * Accuracy measured: the quantile of the law, raised by a relative 1e-9. */
DPN_API double dpn_release_interval95(const dpn_release *release, size_t coordinate);

/* Values and released numbers are counted in steps of the grid, at most this many either way. */
#define DPN_RELEASE_MOST_STEPS (((int64_t)1 << 62) - 1)

/* Put a value on the grid: the nearest step, half way between two the upper one.
 * Domain   a decimal number of at most DPN_RELEASE_MOST_STEPS, with up to 45 digits before the point and 405 after it.
 * Errors   DPN_EPARSE; DPN_EDOMAIN for a number too large or too long (1e999999999), refused before it is expanded, and for
 *          one that is not whole where whole answers were promised. On error *out is not written, and the sentence says
 *          which value it is, not what it holds: values are private. */
DPN_API DPN_MUST_CHECK dpn_status dpn_release_parse(int64_t *out, const dpn_release *release, size_t coordinate,
                                                    const char *text, dpn_error *why);

/* Add noise to as many values as the set has coordinates; sums beyond DPN_RELEASE_MOST_STEPS become that. out may be value.
 * Guarantee  see dpn_release_new. The noise is drawn before the values are looked at: which random words are taken, how many
 *          and how long that takes does not depend on them.
 * Errors   DPN_EENTROPY, DPN_EACCURACY (dpn_sampler_draw), DPN_ENOMEM; DPN_EDOMAIN for values that dpn_release_parse would
 *          refuse. On error out is not written, and no noise has left. */
DPN_API DPN_MUST_CHECK dpn_status dpn_release_draw(int64_t *out, const dpn_release *release, dpn_rng *rng,
                                                   const int64_t *value, dpn_error *why);

/* All the digits of a number of steps, in the answers' unit. Returns text.
 * Domain   what dpn_release_parse and dpn_release_draw give. */
enum { DPN_RELEASE_TEXT_SIZE = DPN_DECIMAL_TEXT_SIZE + 1 };
DPN_API char *dpn_release_print(char text[DPN_RELEASE_TEXT_SIZE], const dpn_release *release, size_t coordinate,
                                int64_t steps);

/* ---- Noise alone ---- */

/* The noise of a plan without anything that it is added to, for simulations and tests. */
typedef struct dpn_plan_sampler dpn_plan_sampler;

/* Make a sampler for a plan, which must outlive it. The grid of a block is 2^grid_exponent with has_grid; else 1 for noise on the integers, that of the block's text if it has one,
 * and the largest power of two at most 2^-16 of the least standard deviation in the block.
 * Domain   hulls as in dpn_calibration_options; NULL: K-norm noise of hulls is not drawn.
 * Errors   DPN_EUNSUPPORTED for noise that is not drawn, DPN_BLOCK_PURE; DPN_EDOMAIN where the width of the noise is not known and no grid is given; those of dpn_plan_delta for a plan that does not fit
 *          the sensitivities that it tells; those of the samplers.
 *          On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_sampler_new(dpn_plan_sampler **out, const dpn_plan *plan, bool has_grid,
                                                       int grid_exponent, const dpn_hulls *hulls, dpn_error *why);

/* Free a sampler. Accepts NULL. */
DPN_API void dpn_plan_sampler_free(dpn_plan_sampler *sampler);

/* The grid of a coordinate is 2^exponent. Domain: coordinate < the dimension of the plan. */
DPN_API int dpn_plan_sampler_grid_exponent(const dpn_plan_sampler *sampler, size_t coordinate);

/* One draw for all coordinates, steps[0 .. dimension-1] in steps of their grids; 0 where the plan has no noise.
 * Errors   as dpn_sampler_draw, DPN_ENOMEM. On error all of steps is zero. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_sampler_draw(int64_t *steps, const dpn_plan_sampler *sampler, dpn_rng *rng,
                                                        dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
