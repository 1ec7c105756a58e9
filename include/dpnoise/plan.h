/* dpnoise/plan.h - plans as text, and what a plan guarantees, whoever wrote it.
 *
 * A plan is written as a JSON list of blocks:
 *
 *     [{"coordinates": "0-4,7", "noise": "laplace(scale=10)", "grid": null, "sensitivities": [1, 1, 1, 1, 1, 2],
 *       "epsilon": 0.7}, {"coordinates": "5-6", "noise": "none", ...}]
 *
 *   coordinates    counted from 0, ascending; every coordinate is in exactly one block, without gaps, and the block with
 *                  the first coordinate comes first
 *   noise          a law text (dpnoise/law.h); k-norm(ball=B,epsilon=E) with B one of box, l1, l2, linf, hull: the density
 *                  is proportional to exp(-E |v|) in the norm of the ball, which is scaled so that no move of the block is
 *                  longer than 1; none; or pure(epsilon=E), another mechanism known only by its guarantee
 *   sensitivities  how far each coordinate of the block can move at most, in their order; one number stands for all
 *   grid           the step of the grid that a release rounds to; null until a release fixes one. Sensitivities of a box are
 *                  whole numbers of steps, and noise on the integers has the grid 1: anything else is refused
 *   sides          of an l1, l2 or linf ball, where they are known: the norm is that of (v_i/side_i)_i, and 1 holds the
 *                  block's moves; one number stands for all. (An l2 ball without them has the l2 of the set around the plan.)
 *   vertices       of a hull: rows of a number for each coordinate of the block, whose hull with their negatives is the
 *                  ball. One block of a plan may have them, and they are the plan's vertices
 *   epsilon        the largest privacy loss of the block if its coordinates move by their sensitivities, where laws are its noise no
 *                  more of them than max_changed; "inf" if it is unbounded, null if the sensitivities are not known: for the
 *                  reader's information
 *
 * Numbers are doubles: the shortest decimal that reads back to the same one, the strings "inf" and "-inf", null. The
 * epsilons of k-norm and pure are decimals that are rounded up.
 *
 * The text of a plan claims nothing: a reader computes what it guarantees from its blocks.
 */
#ifndef DPNOISE_PLAN_H
#define DPNOISE_PLAN_H

#include <dpnoise/calibrate.h>
#include <dpnoise/condition.h>
#include <dpnoise/filter.h>
#include <dpnoise/renyi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most coordinates that a text may speak of. */
enum { DPN_PLAN_COORDINATES = 10000000 };

/* The list of blocks as text, without a newline, to be freed with free().
 * Result   as of every function that writes text: the text ends in a zero that *length does not count; length may be NULL.
 * Errors   DPN_ENOMEM. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_write(char **text, size_t *length, const dpn_plan *plan, dpn_error *why);

/* Read a list of blocks, or an object with the member `plan` that is such a list, as dpnoise calibrate --json prints it.
 * Of the object also `relation`, `unit` and `times` are read, and max_changed, l1, l2 and the number of vertices from its
 * member `sensitivity`, whose `linf` and `bounds` must not exceed the sensitivities of the blocks; other members are passed over,
 * and so are the claims epsilon and delta. A text that does not say its relation means replace: plans that were written by hand when
 * this was the default keep their meaning.
 * Result   a plan to be freed with dpn_plan_free. family is NULL, delta the interval from 0 to 1 and epsilon 0: nothing is
 *          claimed. times is 0 if the text does not tell it, a sensitivity NaN, and the variance NaN where the noise is
 *          pure, or k-norm of a hull or of a ball that the text does not tell.
 * Errors   DPN_EPARSE for text that is not JSON or not a plan, DPN_EDOMAIN for a number outside its domain, DPN_ENOMEM. The
 *          sentence names the block, counted from 0. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_read(dpn_plan *out, const char *text, size_t length, dpn_error *why);

/* The sensitivity set that a plan was made for, as far as it holds it. It refers to the plan's arrays.
 * Errors   DPN_EDOMAIN if a sensitivity is not known, DPN_EUNSUPPORTED if the set had vertices that the plan does not hold. On error *out is not
 *          written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_sensitivity(dpn_sensitivity *out, const dpn_plan *plan, dpn_error *why);

/* The least epsilon >= 0 with delta(epsilon) <= delta of a plan on a set, released `times` times; see dpn_plan_delta. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_epsilon(dpn_epsilon *out, dpn_argument *argument, dpn_workspace *workspace,
                                                   const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                                                   double delta, const dpn_accounting_options *options, dpn_error *why);

/* What the condition of this name (dpnoise/condition.h) says of one release of a plan on a set: INID Theorem 4 of Gaussian
 * noise with a sigma for each coordinate, for example.
 * Domain   as dpn_condition_delta; the set has the plan's dimension.
 * Errors   those of dpn_condition_delta; DPN_EUNSUPPORTED if a block has other noise than that of a law; DPN_EDOMAIN if a
 *          coordinate without noise can move. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_condition(dpn_conditioned *out, const char *name, dpn_workspace *workspace,
                                                     const dpn_plan *plan, const dpn_sensitivity *set, double epsilon,
                                                     dpn_error *why);

/* Its Renyi divergences at each of the orders, and its zCDP: the sums over the blocks.
 * Errors   those of dpn_plan_delta, dpn_renyi_compose and dpn_zcdp_compose. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_renyi(dpn_divergence *out, dpn_argument *argument, const dpn_plan *plan,
                                                 const dpn_sensitivity *set, uint64_t times, const double *order,
                                                 size_t orders, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_zcdp(dpn_zcdp *out, const dpn_plan *plan, const dpn_sensitivity *set,
                                                uint64_t times, dpn_error *why);

/* What it costs a budget: the charge for a filter, under the relation and unit of the set. Its Renyi divergences, and, if its
 * largest loss is bounded, that it is pure; or with a delta > 0 (NULL stands for 0) as a release that is known to be
 * (epsilon(delta), delta)-private, for noise of bounded support, whose divergences are infinite. epsilon(delta) is rounded
 * up, or is what is left of the filter's epsilon where nothing but that rounding is in the way.
 * Errors   those of dpn_plan_renyi and dpn_plan_epsilon; DPN_EUNSUPPORTED if the filter could count nothing of it. On error
 *          *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_charge(dpn_charge *out, const dpn_plan *plan, const dpn_sensitivity *set,
                                                  uint64_t times, const dpn_filter *filter, const dpn_decimal *delta,
                                                  dpn_error *why);

/* The charge of a plan as a release that is (epsilon, delta)-private, exactly these, which is computed and not believed.
 * Noise that was calibrated to all of an empty budget fits it in this way, and not by its divergences.
 * Errors   DPN_EDOMAIN if the plan is not known to be (epsilon, delta)-private on the set; those of dpn_plan_delta. On error
 *          *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_charge_as(dpn_charge *out, const dpn_plan *plan, const dpn_sensitivity *set,
                                                     uint64_t times, const dpn_filter *filter,
                                                     const dpn_decimal *epsilon, const dpn_decimal *delta,
                                                     dpn_error *why);

/* The way to count a plan by which the most releases of its kind still fit a filter: dpn_plan_charge, and with an epsilon for
 * which the plan is pure exactly that, without delta; or, with an epsilon and
 * a delta that it was calibrated to (NULL: not known), dpn_plan_charge_as; or, if nothing is known and it fits in no other
 * way, all that is left of delta with the least epsilon, or all of both. Whether it fits is for dpn_filter_admit to say.
 * Noise that was calibrated to part of a budget fits as often as these parts sum to it.
 * Errors   those of dpn_plan_charge and, where that is DPN_EUNSUPPORTED and an epsilon and a delta are given, of
 *          dpn_plan_charge_as. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_charge_best(dpn_charge *out, const dpn_plan *plan,
                                                       const dpn_sensitivity *set, uint64_t times,
                                                       const dpn_filter *filter, const dpn_decimal *epsilon,
                                                       const dpn_decimal *delta, dpn_error *why);

/* The charge for replacing a row of a plan whose set is about adding or removing one, by the group of two of its zCDP: four
 * times the rho of Gaussian noise. (A ledger converts charges that are pure itself.)
 * Errors   those of dpn_plan_zcdp. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_charge_group(dpn_charge *out, const dpn_plan *plan,
                                                        const dpn_sensitivity *set, uint64_t times,
                                                        const dpn_filter *filter, dpn_error *why);

/* ---- Training runs ---- */

/* Steps on Poisson samples, in phases: N steps with one law and rate, of answers that a person in the sample moves by at most the sensitivity
 * (a vector's l2 distance if the noise is Gaussian). As text it is a JSON object
 *
 *     {"training": [{"law": "gaussian(sigma=1.1)", "sensitivity": 1, "sample_rate": 0.01, "steps": 1000}, ...],
 *      "relation": "add-remove", "unit": "row"}
 *
 * with the numbers of a plan. dpn_plan_read refuses it: noise alone is not what it describes. */
typedef struct dpn_training_phase {
    dpn_law law;
    double sensitivity, rate;
    uint64_t steps;
} dpn_training_phase;

typedef struct dpn_training_plan {
    dpn_training_phase *phase; /* owned if it was read */
    size_t phases;
    dpn_relation relation; /* add-remove alone is supported */
    dpn_unit unit;
} dpn_training_plan;

/* As text without a newline, to be freed with free(); and read. In a phase a member that is not known is refused, beside it passed over.
 * Errors   as dpn_plan_write and dpn_plan_read; DPN_EUNSUPPORTED for another relation. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_training_plan_write(char **text, size_t *length, const dpn_training_plan *plan,
                                                          dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_training_plan_read(dpn_training_plan *out, const char *text, size_t length,
                                                         dpn_error *why);

/* Free what was read. Accepts NULL and what it has freed. */
DPN_API void dpn_training_plan_free(dpn_training_plan *plan);

/* Its phases as steps, for dpn_sampling_delta and dpn_renyi_sampling: plan->phases of them, each with one part, which it refers to.
 * Errors   those of dpn_loss_law. */
DPN_API DPN_MUST_CHECK dpn_status dpn_training_plan_steps(dpn_step *step, dpn_part *part, const dpn_training_plan *plan,
                                                          dpn_error *why);

/* What it costs a budget: dpn_charge_sampling of its steps.
 * Errors   those, and DPN_EUNSUPPORTED for another relation. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_training_plan_charge(dpn_charge *out, const dpn_training_plan *plan,
                                                           const dpn_filter *filter, const dpn_decimal *delta,
                                                           dpn_workspace *workspace, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
