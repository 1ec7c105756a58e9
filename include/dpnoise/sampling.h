/* dpnoise/sampling.h - privacy amplified by Poisson sampling.
 *
 * A step looks at a random sample: each person's record is in it with probability `rate`, independently of everything else, and
 * the sample is kept secret. A step releases answers on the sample; many steps, each with a fresh sample, are composed. The
 * relation is add/remove of one person. Both directions, person present against absent and absent against present, are composed
 * separately, and the larger delta is the answer (docs/proofs/privacy/sampling.md).
 *
 * Under replace-one no pair is known that all others are dominated by. What holds there, and for batches of a fixed size, is a bound of
 * its own (dpn_sampling_replace_delta).
 */
#ifndef DPNOISE_SAMPLING_H
#define DPNOISE_SAMPLING_H

#include <dpnoise/privacy.h>
#include <stdbool.h>

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
 *          Gaussian. Where the accuracy cannot be reached the interval is wider, and no wider than from the delta of one step to the best
 *          conversion from Renyi divergences and the mass of infinite loss, nor than up to the delta of the same steps with rate 1, times
 *          the chance that a person is in any sample; compare its ends with what you asked for. Where the losses are too large to be
 *          sampled the latter alone is upper, and lower is 0.
 * Width    what to expect, measured: one kind of step with Gaussian noise, sigma/sensitivity 0.4 to 20, rate 1e-5 to 1, 1 to 10^6 steps,
 *          delta 1e-12 to 1e-3: the ends of epsilon are within 1e-6 max(1, epsilon) of each other in at least 99 of 100 settings
 *          (tests/unit/privacy/t-sampling-settings.c; bench/sampling.c). Other noise meets the accuracy in most settings (at rate 0.01,
 *          delta 1e-5 and scale 2, 300 steps of Laplace noise: epsilon between 0.276848 and 0.276849). Where it does not, for
 *          instance where a rare loss far from the others decides, lower can be as low as that of one step, and upper the
 *          conversion from Renyi divergences.
 *          If all rates are 1 or 0 the steps are a plain composition (dpn_compose_delta), with its accuracy.
 * Errors   DPN_EDOMAIN; DPN_EUNSUPPORTED (explicit losses, more than 64 kinds of steps); DPN_EACCURACY, for a step of several
 *          losses whose own profile cannot be computed, often because of atoms (pure, Laplace, flipped Huber with alpha >= sensitivity);
 *          DPN_ENOMEM. On error *out is
 *          not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sampling_delta(dpn_delta *out, dpn_workspace *workspace, const dpn_step *step,
                                                     size_t steps, double epsilon,
                                                     const dpn_accounting_options *options, dpn_error *why);

/* The least epsilon >= 0 with delta(epsilon) <= delta for all steps.
 * Domain   as above, 0 <= delta <= 1.
 * Result   for delta >= DBL_MIN and some rate strictly between 0 and 1, lower also bounds the epsilon of every number between delta
 *          and the next double: a decimal that is no double asks once, with the double below it. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sampling_epsilon(dpn_epsilon *out, dpn_workspace *workspace, const dpn_step *step,
                                                       size_t steps, double delta,
                                                       const dpn_accounting_options *options, dpn_error *why);

/* ---- Replace-one ---- */

/* One kind of step if one person's record is replaced by another. Poisson samples: each record is in the sample with probability `rate`.
 * Fixed batches: the sample is one of all sets of B of the N records, each as likely as the others, and rate is B/N (rounded up). */
typedef struct dpn_replace_step {
    dpn_loss replaced; /* the answer if the record in the sample is replaced (a law, a K-norm block or a pure loss) */
    dpn_loss
        present; /* Poisson samples: the record in the sample against nobody in its place. Fixed batches: not looked at */
    double rate;
    uint64_t times;
    bool fixed; /* a batch of fixed size */
} dpn_replace_step;

/* delta(epsilon) of all steps under replace-one of one person.
 * Domain   0 <= rate <= 1; epsilon real or +inf; options may be NULL. Poisson samples: both losses are of the same law, which is
 *          log-concave; or both are pure, and the replaced one has at least the epsilon of the other and at most twice that.
 * Guarantee  upper bounds delta for every pair of data sets, of one answer or, with Gaussian noise, of a vector with l2 sensitivities. One step,
 *          with x = e^epsilon, a = 1 + (x-1)/q and b = x/a: for pure losses q (b K(a) + (1-b) H(a)), K and H the profiles of the two; for laws
 *          that of the worst two records, which is not larger; for fixed batches q K(a). Several steps are composed as copies of
 *          the one pair that has this profile on both sides of epsilon = 0, not as copies of the worst data of one step, which would be
 *          too little (docs/proofs/privacy/replace.md).
 * Result   `argument` (if not NULL) becomes DPN_ARGUMENT_CORNER where the interval holds the exact delta: Poisson samples and laws whose
 *          sensitivity to replacing is twice that to removing. Else it is DPN_ARGUMENT_BOUND, and lower is reached by some data: a
 *          person whose record moves the answer is replaced by one whose record does not.
 * Accuracy the composition is computed to 1e-4 by default, relative. Where that cannot be reached, upper is the least of the conversion from Renyi
 *          divergences and (Poisson samples) the way through add/remove, delta(2e) <= (1 + exp(e)) delta'(e), and of rate 1 as above; compare the ends.
 * Errors   DPN_EDOMAIN; DPN_EUNSUPPORTED (explicit losses, other losses than above, more than 64 kinds of steps, DPN_METHOD_CONTOUR);
 *          DPN_EACCURACY; DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sampling_replace_delta(dpn_delta *out, dpn_argument *argument,
                                                             dpn_workspace *workspace, const dpn_replace_step *step,
                                                             size_t steps, double epsilon,
                                                             const dpn_accounting_options *options, dpn_error *why);

/* An epsilon with delta(epsilon) <= delta for all steps, and one below which there is none.
 * Domain   as above, 0 <= delta <= 1.
 * Result   lower also bounds the epsilon of numbers between delta and the next double where that of dpn_sampling_epsilon does. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sampling_replace_epsilon(dpn_epsilon *out, dpn_argument *argument,
                                                               dpn_workspace *workspace, const dpn_replace_step *step,
                                                               size_t steps, double delta,
                                                               const dpn_accounting_options *options, dpn_error *why);

/* ---- Shuffled reports ---- */

/* delta(epsilon) if `reports` persons send one report each of a local randomizer that is local-differentially private (pure, no delta), any
 * randomizer, and a shuffler that is trusted forgets who sent which. One person's value is replaced by another.
 * Domain   1 <= reports <= 2^31, 0 <= local <= 100, epsilon >= 0.
 * Guarantee  upper holds for every such randomizer, the same for all persons: no less is hidden than if each other report were with probability
 *          2/(e^local + 1) a clone of the one in question (Feldman, McMillan, Talwar 2023, for all randomizers in
 *          docs/proofs/privacy/shuffle.md). Reports must not depend on other reports.
 * Result   lower is reached by randomised response of one bit, among others who all have the same bit.
 * Accuracy both sums to 1e-8 relative for up to 10^4 reports; for more upper may be larger by a few parts in a thousand.
 * Errors   DPN_EDOMAIN. On error *out is not written.
 * Cost     milliseconds for an epsilon, tenths of a second for its inverse. */
DPN_API DPN_MUST_CHECK dpn_status dpn_shuffle_delta(dpn_delta *out, uint64_t reports, double local, double epsilon,
                                                    dpn_error *why);

/* An epsilon with delta(epsilon) <= delta, and one below which there is none for some randomizer.
 * Domain   as above, 0 <= delta <= 1. */
DPN_API DPN_MUST_CHECK dpn_status dpn_shuffle_epsilon(dpn_epsilon *out, uint64_t reports, double local, double delta,
                                                      dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
