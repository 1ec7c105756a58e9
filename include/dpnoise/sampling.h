/* dpnoise/sampling.h - privacy amplified by Poisson sampling.
 *
 * A step looks at a random sample: each person's record is in it with probability `rate`, independently of everything else, and
 * the sample is kept secret. A step releases answers on the sample; many steps, each with a fresh sample, are composed. The
 * relation is add/remove of one person. Both directions, person present against absent and absent against present, are composed
 * separately, and the larger delta is the answer (docs/proofs/privacy/sampling.md).
 *
 * Under replace-one there is no such pair. What holds there is a bound: if adding or removing a person is (epsilon, delta)-private,
 * then replacing one is (2 epsilon, (1 + e^epsilon) delta)-private (dpnoise/convert.h).
 */
#ifndef DPNOISE_SAMPLING_H
#define DPNOISE_SAMPLING_H

#include <dpnoise/privacy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One kind of step: the losses of its answers if the person's record is in the sample (laws, K-norm blocks and pure losses; not
 * explicit ones), the probability that it is, and how many such steps there are. */
typedef struct dpn_step {
    const dpn_part *part;
    size_t parts;
    double rate;
    uint64_t times;
} dpn_step;

/* delta(epsilon) of all steps.
 * Domain   0 <= rate <= 1; epsilon real or +inf; how may be NULL. If all noise is Gaussian the method is a contour sum, whose work does
 *          not grow with the number of steps, else the FFT; DPN_METHOD_CONTOUR is refused for other noise.
 * Accuracy upper/lower - 1 <= 1e-7 by default by the contour sum, 1e-5 by FFT, and 1e-2 if a step has several losses that are not all
 *          Gaussian. Where the accuracy cannot be had the interval is wider, and no wider than from the delta of one step to the best
 *          conversion from Renyi divergences; compare its ends with what you asked for.
 *          If all rates are 1 or 0 the steps are a plain composition (dpn_compose_delta), with its accuracy.
 * Errors   DPN_EDOMAIN; DPN_EUNSUPPORTED (explicit losses, more than 64 kinds of steps); DPN_EACCURACY, for a step of several
 *          losses whose own profile cannot be had, often because of atoms (pure, Laplace, flipped Huber with alpha >= sensitivity);
 *          DPN_ENOMEM. On error *out is
 *          not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sampling_delta(dpn_delta *out, dpn_workspace *workspace, const dpn_step *step,
                                                     size_t steps, double epsilon,
                                                     const dpn_accounting_options *options, dpn_error *why);

/* The least epsilon >= 0 with delta(epsilon) <= delta for all steps.
 * Domain   as above, 0 <= delta <= 1. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sampling_epsilon(dpn_epsilon *out, dpn_workspace *workspace, const dpn_step *step,
                                                       size_t steps, double delta,
                                                       const dpn_accounting_options *options, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
