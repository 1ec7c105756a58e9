/* dpnoise/calibrate.h - from a guarantee to the noise with the least error.
 *
 * Given (epsilon, delta) and a sensitivity set, a calibration answers with a *plan*: which noise each coordinate gets,
 * what it costs in error, and the certified delta. Only the upper end of the privacy engine's interval, computed for
 * exactly the doubles in the plan, makes a plan valid.
 *
 * Example
 *     dpn_plan plan;
 *     dpn_error why;
 *     dpn_sensitivity set = {.dimension = 20, .linf = 1};
 *     if (dpn_calibrate(&plan, "osgt", 1, 1e-8, &set, NULL, &why)) return puts(why.sentence);
 *     printf("mse %g, delta at most %g\n", plan.mse, plan.delta.upper);
 *     dpn_plan_free(&plan);
 *
 * docs/proofs/calibrate/calibrate.md says what the searches guarantee and what they do not.
 */
#ifndef DPNOISE_CALIBRATE_H
#define DPNOISE_CALIBRATE_H

#include <dpnoise/law.h>
#include <dpnoise/privacy.h>
#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What is asked ---- */

/* The error of one coordinate with noise X. That of a plan is the sum over the coordinates, each with its weight. */
typedef enum dpn_objective {
    DPN_OBJECTIVE_MSE,        /* E X^2 */
    DPN_OBJECTIVE_MAE,        /* E |X| */
    DPN_OBJECTIVE_INTERVAL95, /* the least t with P(X > t) <= 0.025: half the width of an interval that covers 95% */
} dpn_objective;

enum { DPN_OBJECTIVES = 3 };

/* "mse", "mae", "interval95"; NULL past the end. */
DPN_API const char *dpn_objective_name(dpn_objective objective);

/* What a plan has to satisfy. Whatever the condition, the plan is also certified by the exact profile. */
typedef enum dpn_calibration_condition {
    DPN_CONDITION_EXACT,      /* the exact profile of the sensitivity set */
    DPN_CONDITION_SUFFICIENT, /* FH Theorem 8: gaussian, flipped-huber, and laplace as its limit */
    /* zCDP with the best (xi, rho) and Bun and Steinke's conversion, for flipped-huber by FH Theorem 9; for osgt exact
     * Renyi divergences at the best order, converted by Canonne, Kamath and Steinke */
    DPN_CONDITION_ZCDP,
} dpn_calibration_condition;

/* "exact", "sufficient", "zcdp"; NULL past the end. */
DPN_API const char *dpn_calibration_condition_name(dpn_calibration_condition condition);

/* The ball of K-norm noise. */
typedef enum dpn_ball_kind { DPN_BALL_BOX, DPN_BALL_L1, DPN_BALL_L2, DPN_BALL_LINF, DPN_BALL_HULL } dpn_ball_kind;

/* "box", "l1", "l2", "linf", "hull"; NULL past the end. */
DPN_API const char *dpn_ball_kind_name(dpn_ball_kind ball);

/* What K-norm noise on the hull of vertices and their negatives needs to know of it. libdpnoise knows (dpn_exact_hulls in
 * dpnoise/geometry.h); libdpnoise-core, which works out no hulls, takes the table from its caller. Rows of `vertex` have
 * `dimension` numbers.
 *   errors    error[DPN_OBJECTIVES i + objective] of coordinate i at epsilon 1
 *   sampler   exact draws of the density proportional to exp(-rate |v|), as dpn_vector_sampler_draw says
 * Errors   DPN_EDOMAIN for vertices that do not span, DPN_EUNSUPPORTED for too many dimensions, DPN_ENOMEM. */
struct dpn_vector_sampler;
typedef struct dpn_hulls {
    dpn_status (*errors)(double *error, size_t dimension, const double *vertex, size_t vertices, dpn_error *why);
    dpn_status (*sampler)(struct dpn_vector_sampler **out, size_t dimension, const double *vertex, size_t vertices,
                          double rate, const int *grid_exponent, dpn_error *why);
} dpn_hulls;

/* How to calibrate. NULL stands for the defaults. */
typedef struct dpn_calibration_options {
    size_t size; /* set by the initialiser below */
    dpn_objective objective;
    const double *weight; /* public weights of the coordinates in the objective, each > 0; NULL: all 1 */
    const bool *alone; /* of "blocks": coordinates that get noise of their own, independent of all other; NULL: none */
    dpn_calibration_condition condition;
    bool identical;              /* the same law on every coordinate that moves, even if their sensitivities differ */
    double shape_min, shape_max; /* if not both 0, the shape of the family (dpn_family_shape) is kept between them */
    uint64_t times;              /* the guarantee covers N releases with this plan, N being times; 0 and 1: one */
    bool has_ball;               /* "k-norm": this ball alone; else the one with the least error */
    dpn_ball_kind ball;
    const dpn_hulls *hulls;   /* "k-norm" on a set of vertices knows their hull by this; NULL: hulls are left out */
    dpn_workspace *workspace; /* kept between calls; NULL: one is made and freed */
    void (*progress)(void *context, double done); /* called now and then with the share done, 0 to 1; NULL: off */
    void *context;
    /* Asked before each look at what some noise guarantees, which takes much less than a second but for the rarest laws: true ends the search with DPN_ECANCELLED. NULL: never. */
    bool (*cancelled)(void *context);
} dpn_calibration_options;

static inline dpn_calibration_options dpn_calibration_options_init(void) {
    dpn_calibration_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* What can be calibrated: the families of laws (dpn_family_name), and then "k-norm", joint noise on all coordinates whose density
 * falls with a norm, "blocks", joint noise of boxes on each of several blocks of coordinates, "start-box" and "start-staircase", joint noise
 * that falls with the distance to a box, the second in steps, "random-box", joint noise in a box of random size, for a delta above 0,
 * "spherical", joint noise of an l2 ball between K-norm and Gaussian noise, for a delta above 0, and
 * "truncated-staircase" and "discrete-staircase", for one answer that moves: noise of two staircases that end, the second on the integers, where with delta 0 it is a
 * staircase without an end. NULL past the end. */
DPN_API const char *dpn_mechanism_name(size_t index);

/* What is called the shape of a family, the second number that is searched besides the scale: "m/sigma" (osgt),
 * "alpha/gamma" (flipped-huber, huber), "p" (subbotin), "gamma" (staircase), "bound/scale" (truncated-laplace), "alpha"
 * (discrete-flipped-huber, whole numbers), "m" (discrete-osgt, multiples of 1/2; only these compose fast), "epsilon (n-1+theta)"
 * (truncated-geometric). NULL for a family of one parameter and for no family. */
DPN_API const char *dpn_family_shape(const char *family);

/* ---- Plans ---- */

typedef enum dpn_block_kind {
    DPN_BLOCK_LAW,             /* independent noise of one law on each coordinate */
    DPN_BLOCK_NONE,            /* no noise: these coordinates cannot move */
    DPN_BLOCK_K_NORM,          /* joint K-norm noise of this epsilon */
    DPN_BLOCK_PURE,            /* another mechanism, known only by this epsilon */
    DPN_BLOCK_START_BOX,       /* joint noise that falls with the distance to a box, of this epsilon */
    DPN_BLOCK_START_STAIRCASE, /* the same in steps */
    DPN_BLOCK_RANDOM_BOX,      /* joint noise in a box of random size, of this alpha (the member epsilon) and beta */
    DPN_BLOCK_TRUNCATED_STAIRCASE, /* independent noise on each coordinate: one of two staircases that end */
    DPN_BLOCK_DISCRETE_STAIRCASE,  /* the same on the integers, or a staircase without an end */
    DPN_BLOCK_SPHERICAL, /* joint noise of a density proportional to exp(-alpha |v| - beta |v|^2/2), alpha the member epsilon, |v| the norm of an l2 ball */
} dpn_block_kind;

/* "law", "none", "k-norm", "pure", "start-box", "start-staircase", "random-box", "truncated-staircase", "discrete-staircase", "spherical"; NULL past the end. */
DPN_API const char *dpn_block_kind_name(dpn_block_kind kind);

typedef struct dpn_block {
    dpn_block_kind kind;
    dpn_law law;        /* of DPN_BLOCK_LAW */
    dpn_ball_kind ball; /* of DPN_BLOCK_K_NORM; DPN_BALL_L2 of DPN_BLOCK_SPHERICAL */
    double epsilon;     /* of a block without a law, else 0 */
    size_t *coordinate; /* which coordinates, ascending, counted from 0 */
    size_t count;
    double *side;       /* of the balls l1, l2, linf: |(v_i/side_i)_i| is the norm, count entries; NULL: not known */
    double *hull_error; /* of the ball hull: its errors as in dpn_hulls; NULL: not known */
    double grid;        /* the step that a release rounds to, a power of two; 0: none is fixed yet */
    double *start; /* of start boxes: half-sides of the box, in units of the sensitivities, count entries; else NULL */
    struct dpn_start_law *start_law; /* private: what the errors of a start box are made of; NULL: not known */
    double beta;       /* of DPN_BLOCK_SPHERICAL; of DPN_BLOCK_RANDOM_BOX: the largest of its coordinates */
    double *box_start; /* of DPN_BLOCK_RANDOM_BOX: the sides at size 0 in units of the sensitivities; NULL: all 1 */
    double *box_beta;  /* and the betas; NULL: all `beta` */
    struct dpn_box_sizes *box_sizes; /* private: what the errors of a random box are made of; NULL: not known */
    /* Of staircases: with the probability theta the end is high, else low. On the line they are multiples of 1/4096 in units of the sensitivities; on the integers whole
     * numbers of steps, and `step` is the sensitivity that they are for. high = +inf: a staircase without an end whose first level is |k| <= low. */
    double step, low, high, theta;
} dpn_block;

/* The law of a block's noise, if that is independent noise of one law on each coordinate; else NULL. */
DPN_API const dpn_law *dpn_block_law(const dpn_block *block);

/* Whether a block has no noise, since its coordinates cannot move. */
DPN_API bool dpn_block_is_silent(const dpn_block *block);

/* The noise of a block as text, as a plan has it: "laplace(scale=10)", "k-norm(ball=box,epsilon=0.5)", "none". Of an epsilon at
 * most `digits` digits are written, rounded up, for people; with digits 0 it reads back to the same double.
 * Returns  text.
 */
enum { DPN_BLOCK_TEXT_SIZE = 1024 };
DPN_API char *dpn_block_print(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits);

enum { DPN_PLAN_NOTE_SIZE = 240 };

/* The noise on K coordinates and what is known of it. */
typedef struct dpn_plan {
    size_t dimension;
    dpn_block *block; /* every coordinate is in exactly one; the one with the first coordinate comes first */
    size_t blocks;
    double *sensitivity; /* how far each coordinate can move at most, dimension entries */
    double *variance;    /* of the noise on each coordinate, dimension entries, 0 where there is none */
    size_t max_changed;  /* what else bounds their moves together, as in dpn_sensitivity; 0: not set */
    double l1, l2;
    size_t vertices; /* how many the set has */
    double *vertex;  /* their rows if a block has their hull as its ball; else NULL: the plan does not hold them */

    const char *family; /* what was asked for: a static string; the laws may be of another family, see note */
    double epsilon;     /* as asked, for all `times` releases together */
    dpn_delta delta;    /* certified: delta.upper is at most the delta asked for */
    dpn_argument argument;
    dpn_calibration_condition condition;
    uint64_t times;
    dpn_relation relation; /* the caller's words, carried along */
    dpn_unit unit;

    double mse; /* sum of the variances */
    dpn_objective objective;
    double error; /* what was minimised: the weighted sum of the objective over the coordinates */

    bool pure;           /* delta.upper is 0 */
    double pure_epsilon; /* the largest loss, rounded up: the plan is pure at this epsilon; +inf if unbounded */
    bool sub_gaussian;   /* every law has a sub-Gaussian tail */
    bool integer;        /* noise on the integers */
    bool bounded; /* bounded noise: an output outside its reach gives the data away, with probability up to delta */
    bool limit;   /* the least error of the family is a limit that it does not reach; the laws are this limit */
    char note[DPN_PLAN_NOTE_SIZE]; /* what the reader should know, a sentence without full stop; "" if nothing */
} dpn_plan;

/* Free what a plan holds and make it all zero. Accepts NULL and a plan of zeros. */
DPN_API void dpn_plan_free(dpn_plan *plan);

/* The block of a coordinate below the plan's dimension. */
DPN_API const dpn_block *dpn_plan_block(const dpn_plan *plan, size_t coordinate);

/* The law of a coordinate; NULL if it has none. */
DPN_API const dpn_law *dpn_plan_law(const dpn_plan *plan, size_t coordinate);

/* The error of the noise on a coordinate of a block of the plan: mean square, mean absolute value or half-width. NaN where
 * it is not known: for DPN_BLOCK_PURE, and for balls in a plan that was read and does not tell them.
 * Accuracy of hulls: the mean square exact but for rounding, the others measured, relative 1e-10. */
DPN_API double dpn_plan_error(const dpn_plan *plan, const dpn_block *block, size_t coordinate, dpn_objective objective);

/* delta(epsilon) of a plan on a sensitivity set, released `times` times (0 stands for 1): computed from the plan's
 * blocks alone. Blocks of K-norm noise enter as Laplace noise with sensitivity/scale their epsilon
 * (docs/proofs/calibrate/blocks.md, T10), blocks of DPN_BLOCK_PURE as randomised response; their epsilon is that of the plan's sensitivities, which the set must not
 * exceed there (where the plan does not tell them the caller vouches for it). A block of an l1, l2 or linf ball whose
 * sides are known, or of the hull of the plan's vertices, must be the only noise, and the ball hold all moves: the norm
 * of the set is bounded from above; of a hull the vertices of the set must be among the plan's or their negatives.
 * Domain   the set has the plan's dimension, epsilon real or +inf. If all laws are on the integers, bounds are rounded
 *          down to whole steps.
 * Result   on a box with more than 48 different pairs of law and bound, where the bounds of a block are rounded up to its
 *          largest, the lower end says nothing.
 * Errors   those of dpn_sensitivity_delta; DPN_EUNSUPPORTED for blocks without a law on a set that is not a box; DPN_EDOMAIN
 *          if a coordinate without noise can move, or one of a block without a law further than the plan says. */
DPN_API DPN_MUST_CHECK dpn_status dpn_plan_delta(dpn_delta *out, dpn_argument *argument, dpn_workspace *workspace,
                                                 const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                                                 double epsilon, const dpn_accounting_options *options, dpn_error *why);

/* ---- Calibration ---- */

/* The noise of one family with the least error that is (epsilon, delta)-private on the set.
 * Domain   epsilon >= 0 and finite, 0 <= delta < 1, not both 0; an unbounded set is refused. For noise on the integers
 *          the sensitivities (bounds, l1, linf, vertices) must be whole numbers of steps, and l2 at least 1.
 * Result   a plan to be freed with dpn_plan_free. Where the sensitivities form a box (only `bound`, or with `linf`),
 *          each different sensitivity gets its own scale unless `identical` is set; on other sets all coordinates
 *          share one law; so does noise of discrete-flipped-huber and discrete-osgt, of which beyond four different
 *          sensitivities only the limits are searched. A coordinate that cannot move gets no noise. "blocks" is noise for the whole box
 *          of sensitivities, on any set. "k-norm" is, on a box, its noise; on other sets that with the least error among
 *          the box, weighted l1 and l2 balls around the set, and, with `hulls`, the hull of its vertices:
 *          docs/proofs/calibrate/blocks.md, docs/proofs/calibrate/ball.md.
 * Guarantee  plan->delta.upper <= delta, certified for the doubles of the plan. The scale is the least with that, to a
 *          relative 1e-9: the same plan with all its noise narrower by 1e-9 is not certified by the interval that
 *          the search used, whose width plan->delta shows. Over the shape the
 *          search is global up to the resolution of its scan: docs/proofs/calibrate/calibrate.md. Different scales per
 *          coordinate are not worse than one common law that the accountant can tell quickly, nor than the closed forms of
 *          INID Theorem 5 (Gaussian) and Theorem 8 (pure Laplace).
 * Errors   DPN_EPARSE for an unknown family; DPN_EDOMAIN; DPN_EUNSUPPORTED if the family or the condition cannot give
 *          the guarantee (delta = 0 with an unbounded loss, for example), and for noise on the integers of a hundred steps
 *          or more on different sensitivities; DPN_EACCURACY, DPN_ENOMEM. On error *plan is not written.
 * Cost     microseconds to milliseconds for one coordinate and for equal sensitivities from about ten coordinates on; up to
 *          seconds for shapes on two to nine coordinates, where atoms of the loss slow the accountant, for many
 *          different sensitivities; for hulls what they take to work out, a tenth of a second for 200 vertices in 5
 *          dimensions, seconds for 40 in 8, and again for each epsilon that dpn_calibrate_epsilon tries; tens of seconds for huber noise and for wide noise on the integers (a sigma of
 *          400) whose sensitivities differ. */
DPN_API DPN_MUST_CHECK dpn_status dpn_calibrate(dpn_plan *plan, const char *family, double epsilon, double delta,
                                                const dpn_sensitivity *set, const dpn_calibration_options *options,
                                                dpn_error *why);

/* The least epsilon with which the family has an error of at most `error` (in the objective of `options`), and the plan.
 * Domain   error > 0 and finite.
 * Result   plan->epsilon, with plan->error <= error; the least such epsilon to a relative 1e-6. The error is that of
 *          the whole plan: for K equal coordinates, K times that of each.
 * Errors   as above; DPN_EUNSUPPORTED if no epsilon in [1e-9, 1e6] will do. */
DPN_API DPN_MUST_CHECK dpn_status dpn_calibrate_epsilon(dpn_plan *plan, const char *family, double error, double delta,
                                                        const dpn_sensitivity *set,
                                                        const dpn_calibration_options *options, dpn_error *why);

/* ---- Releases from samples ---- */

/* Many steps, each of which releases one answer (or a vector, with Gaussian noise and an l2 sensitivity) from a fresh Poisson sample, as
 * private training does: dpnoise/sampling.h. The relation is add/remove; or replace-one, with Poisson samples or batches of a fixed size. */
typedef struct dpn_training {
    size_t size; /* set by the initialiser below */
    double
        sensitivity; /* how far one person in the sample moves the answer, at most: by leaving it; under replace, by another taking its place */
    double rate;     /* the probability that a person is in a sample; of a batch of fixed size not looked at */
    uint64_t steps;
    double shape; /* of a family that has one (dpn_family_shape); 0: that with the least error is searched */
    double shape_min, shape_max; /* if not 0, no shape below, and none above, is looked at */
    dpn_objective objective;     /* what is least */
    bool vector;           /* the answer is a vector and the sensitivity its l2 distance: noise must be Gaussian */
    dpn_relation relation; /* add-remove unless it is set */
    double
        present; /* Poisson samples under replace: how far a person moves the answer by leaving the sample, at most */
    uint64_t batch,
        population; /* under replace: each sample is one of all sets of `batch` of the `population` records; 0: Poisson samples */
    /* Asked before each look at what a scale guarantees: true ends a search with DPN_ECANCELLED. NULL: never. */
    bool (*cancelled)(void *context);
    void (*progress)(void *context, double done); /* called now and then with the share done, 0 to 1; NULL: off */
    void *context;
    char *note; /* room of DPN_PLAN_NOTE_SIZE for what the reader should know, as that of a plan; NULL: unwanted */
} dpn_training;

static inline dpn_training dpn_training_init(void) {
    dpn_training training = DPN_ALL_ZERO;
    training.size = sizeof training;
    return training;
}

/* The law of a family with the least error for which all steps together are (epsilon, delta)-differentially private. The shape is searched by
 * estimates, as are the families in its limits and of its members, and the best of them is certified; steps of noise are as wide as the sensitivity.
 * Domain   epsilon >= 0 and finite, 0 < delta < 1; training.sensitivity > 0, 0 < rate <= 1, steps >= 1. Under replace present > 0, or 1 <= batch
 *          <= population <= 2^53; without it neither.
 * Result   certified->upper <= delta is the delta of exactly this law at epsilon; a scale less by a relative 1e-9 (1e-5 where delta of Gaussian
 *          noise is not known to better than 1e-5; 1e-4 if the noise is not Gaussian, or under replace) was not certified.
 * Errors   DPN_EPARSE for an unknown family; DPN_EDOMAIN, also for a delta of 1 - (1 - rate)^steps or more, the probability that a person is
 *          in a sample at all, which any noise meets; DPN_EUNSUPPORTED if the family is not Gaussian though the answer is a vector, or
 *          no noise will do; DPN_EACCURACY, DPN_ENOMEM. On error nothing is written, but that the note may be.
 * Cost     tens of milliseconds for Gaussian noise; for other noise less than a second with a shape that is given and seconds with
 *          one that is searched; a minute for 10^5 steps, and minutes if psi has no pieces (subbotin) and few steps want noise near Laplace noise. */
DPN_API DPN_MUST_CHECK dpn_status dpn_calibrate_training(dpn_law *law, dpn_delta *certified, const char *family,
                                                         double epsilon, double delta, const dpn_training *training,
                                                         dpn_workspace *workspace, dpn_error *why);

/* delta(epsilon) of all steps with this law, and what it rests on (argument may be NULL): DPN_ARGUMENT_CORNER, or DPN_ARGUMENT_BOUND where the
 * interval is a bound under replace (dpn_sampling_replace_delta), or of noise that is too little for any other the probability that a person
 * is in a sample at all. Domain and errors as above; epsilon >= 0. */
DPN_API DPN_MUST_CHECK dpn_status dpn_training_delta(dpn_delta *out, dpn_argument *argument, const dpn_law *law,
                                                     double epsilon, const dpn_training *training,
                                                     dpn_workspace *workspace, dpn_error *why);

/* The largest number of steps with this law, at most 2^53, that is certified to be (epsilon, delta)-differentially private; 0 if one step is
 * not. One step more is not certified; dpn_training_delta tells whether its lower end is above delta too, so that it does not fit for
 * certain. training.steps must be positive and is not looked at. Domain and errors as above. */
DPN_API DPN_MUST_CHECK dpn_status dpn_training_steps(uint64_t *out, const dpn_law *law, double epsilon, double delta,
                                                     const dpn_training *training, dpn_workspace *workspace,
                                                     dpn_error *why);

/* The largest rate of Poisson samples that is certified, to a relative 1e-9 (1e-4 if the noise is not Gaussian, or under replace); 0 if 1e-15
 * is not. training.rate must be in its domain and is not looked at. Domain and errors as above; DPN_EDOMAIN for batches of fixed size. */
DPN_API DPN_MUST_CHECK dpn_status dpn_training_rate(double *out, const dpn_law *law, double epsilon, double delta,
                                                    const dpn_training *training, dpn_workspace *workspace,
                                                    dpn_error *why);

/* The largest batch of fixed size, of training.population records, that is certified; 0 if a batch of one is not. training.batch must be
 * positive and is not looked at. Domain and errors as above; DPN_EDOMAIN without a population. */
DPN_API DPN_MUST_CHECK dpn_status dpn_training_batch(uint64_t *out, const dpn_law *law, double epsilon, double delta,
                                                     const dpn_training *training, dpn_workspace *workspace,
                                                     dpn_error *why);

/* ---- Comparison ---- */

typedef struct dpn_comparison_row {
    const char *family;
    dpn_status status; /* DPN_OK: there is a plan */
    dpn_plan plan;     /* all zero without one */
    dpn_error why;     /* why not */
} dpn_comparison_row;

typedef struct dpn_comparison {
    dpn_comparison_row *row; /* the least error first, then those without a plan in the order of the families */
    size_t rows, plans;
} dpn_comparison;

/* Calibrate every family and rank by the objective. Noise on the integers is left out (with a reason) unless every
 * sensitivity is a whole number. shape_min and shape_max must be 0: families call different things their shape.
 * Errors   DPN_EDOMAIN for a guarantee or set that no family could serve, DPN_ENOMEM. On error *out is not written.
 *          That no family has a plan is no error. */
DPN_API DPN_MUST_CHECK dpn_status dpn_compare(dpn_comparison *out, double epsilon, double delta,
                                              const dpn_sensitivity *set, const dpn_calibration_options *options,
                                              dpn_error *why);
DPN_API void dpn_comparison_free(dpn_comparison *comparison);

/* The least epsilon of every family for an error (dpn_calibrate_epsilon), ranked: the least epsilon first. */
DPN_API DPN_MUST_CHECK dpn_status dpn_compare_epsilon(dpn_comparison *out, double error, double delta,
                                                      const dpn_sensitivity *set,
                                                      const dpn_calibration_options *options, dpn_error *why);

/* Whether a set is a box of many equal whole sensitivities in which everything may move at once, as one would write
 * for a histogram by mistake: a histogram is linf = 1, max_changed = 2 (1 if a unit is added or removed), which costs
 * far less. */
DPN_API bool dpn_sensitivity_like_histogram(const dpn_sensitivity *set);

#ifdef __cplusplus
}
#endif

#endif
