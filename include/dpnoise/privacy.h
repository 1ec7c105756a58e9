/* dpnoise/privacy.h - what noise guarantees: the privacy profile delta(epsilon), exactly, as an interval.
 *
 * A mechanism that adds noise of a law to an answer which one person can move by at most `sensitivity` has the profile
 *
 *     delta(epsilon) = sup over events E of P(E) - e^epsilon Q(E),  P the law, Q the law moved by the sensitivity,
 *
 * defined for every real epsilon (delta(0) is the total variation distance, delta(-e) = 1 - e^-e + e^-e delta(e), and
 * delta(inf) the mass of infinite loss). Several releases, or several coordinates of one release, compose: their losses
 * add as independent random variables, and the profile of the sum is computed here for any number of them.
 *
 * Every answer is an interval that contains the truth; only `upper` may back a guarantee. docs/proofs/privacy says for each
 * method what the interval rests on.
 */
#ifndef DPNOISE_PRIVACY_H
#define DPNOISE_PRIVACY_H

#include <dpnoise/law.h>
#include <dpnoise/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* lower <= delta <= upper, and the same in logarithms, which reach below the smallest double (-inf for 0). */
typedef struct dpn_delta {
    double lower, upper;
    double log_lower, log_upper;
} dpn_delta;

/* lower <= epsilon <= upper; upper is +inf if no finite epsilon reaches the delta asked for. */
typedef struct dpn_epsilon {
    double lower, upper;
} dpn_epsilon;

/* ---- One law, one dimension ----
 * A release adds noise of a law to an answer that one person can move by at most `sensitivity` (a `shift` is one such
 * move, of either sign). What every number below rests on: docs/proofs/privacy/one-dimension.md.
 */

/* The privacy loss log pdf(t)/pdf(t + shift): how much likelier the noise t is under the true answer than under one that
 * is `shift` lower.
 * Domain   shift and t finite, on the integers both whole; else NaN.
 * Result   +inf where only pdf(t + shift) vanishes, -inf where only pdf(t) does, NaN where both do.
 * Accuracy measured: relative error below 1e-13, also where pdf(t) and pdf(t + shift) agree to many digits; t + shift is
 *          not rounded (tests/unit/privacy/t-loss.c). */
DPN_API double dpn_privacy_loss(const dpn_law *law, double shift, double t);

/* The centred loss log pdf(t - shift/2)/pdf(t + shift/2): odd in t, and increasing if the law is log-concave and shift > 0.
 * Domain   as above; on the integers shift and t - shift/2 are whole. */
DPN_API double dpn_privacy_loss_centred(const dpn_law *law, double shift, double t);

/* The right-continuous inverse sup{t : centred loss at t <= nu}: +inf if the loss never exceeds nu, -inf if it always does. On
 * the integers t runs over the points where t - shift/2 is whole.
 * Domain   log-concave laws, shift > 0 and finite, on the integers whole, nu not NaN; else NaN. */
DPN_API double dpn_privacy_loss_centred_inverse(const dpn_law *law, double shift, double nu);

/* delta(epsilon) of one release with this law: the largest over all shifts up to the sensitivity.
 * Domain   sensitivity >= 0 and finite, whole on the integers; epsilon any real, -inf or +inf.
 * Accuracy upper/lower - 1 is about 1e-11 for gaussian, flipped-huber and osgt, below 1e-12 for laplace, staircase,
 *          truncated-laplace, logistic and discrete-laplace, and 1e-10 to 1e-8 for the others, up to 1e-6 where these
 *          have a sensitivity of 1e7 scales or more or a loss that hardly varies (subbotin with p near 1). Logarithms
 *          below -1000 carry a few of their own ulps besides. 0 and 1 are exact where they are the answer.
 * Errors   DPN_EDOMAIN; DPN_EACCURACY if upper/lower - 1 would exceed 1e-6, which happens where delta is beyond all use:
 *          a sensitivity below 1e-290 of the noise, or beyond 1e9 scales of a law without a closed form; whole numbers
 *          beyond 2^52; a loss without a closed form that is within rounding of its largest value. On error *out is not
 *          written, and why (if not NULL) holds the reason. */
DPN_API DPN_MUST_CHECK dpn_status dpn_profile_delta(dpn_delta *out, const dpn_law *law, double sensitivity,
                                                    double epsilon, dpn_error *why);

/* The least epsilon >= 0 with delta(epsilon) <= delta, as an interval.
 * Domain   as above, 0 <= delta <= 1.
 * Guarantee  the release is (upper, delta)-private: the upper end of delta(upper) is at most delta.
 * Result   {0, 0} if delta(0) <= delta for certain; for delta = 0 the largest loss, rounded outwards; upper is +inf if no
 *          finite epsilon is known to reach delta, and lower is too if none does.
 * Errors   as above. */
DPN_API DPN_MUST_CHECK dpn_status dpn_profile_epsilon(dpn_epsilon *out, const dpn_law *law, double sensitivity,
                                                      double delta, dpn_error *why);

/* ---- Compositions ---- */

/* One privacy loss: that of a pair of distributions which dominates a mechanism. A small value; an explicit loss refers to
 * the caller's arrays, which must outlive it. The members are private. */
typedef struct dpn_loss {
    const struct dpn_loss_kind *kind;
    dpn_law law;
    double sensitivity, epsilon, total;
    const double *value, *probability;
    size_t count;
} dpn_loss;

/* The loss of one release with this law at this sensitivity (for a coordinate of a box or a vertex: its shift). Domain as
 * dpn_profile_delta. */
DPN_API DPN_MUST_CHECK dpn_status dpn_loss_law(dpn_loss *out, const dpn_law *law, double sensitivity, dpn_error *why);

/* The loss of a mechanism known only to be epsilon-DP: randomised response with that epsilon dominates it. */
DPN_API DPN_MUST_CHECK dpn_status dpn_loss_pure(dpn_loss *out, double epsilon, dpn_error *why);

/* The loss of a K-norm block with density proportional to exp(-epsilon |v|_K), |shift|_K <= 1: to the accountant it is
 * Laplace noise with sensitivity/scale = epsilon (docs/proofs/calibrate/blocks.md, T10). */
DPN_API DPN_MUST_CHECK dpn_status dpn_loss_block(dpn_loss *out, double epsilon, dpn_error *why);

/* The loss of a K-norm block of an l2 ball, whose density on `dimension` coordinates is proportional to exp(-epsilon |v|_2), |shift|_2 <= 1:
 * it is at most epsilon, and in many dimensions far less with a probability close to 1 (docs/proofs/privacy/l2-noise.md).
 * Domain   epsilon finite and not negative; dimension at least 1. */
DPN_API DPN_MUST_CHECK dpn_status dpn_loss_l2(dpn_loss *out, double epsilon, size_t dimension, dpn_error *why);

/* The loss of spherical noise, whose density on `dimension` coordinates is proportional to exp(-alpha |v|_2 - beta |v|_2^2/2), |shift|_2 <= 1: between K-norm noise of an l2 ball,
 * beta = 0, and Gaussian noise of the variance 1/beta, alpha = 0 (docs/proofs/privacy/spherical.md).
 * Domain   alpha from 0 to 10^4, beta from 10^-12 to 10^6, dimension from 2 to DPN_SPHERICAL_MOST.
 * Errors   DPN_EDOMAIN; DPN_EACCURACY if alpha and beta are too far apart. */
enum { DPN_SPHERICAL_MOST = 10000 };
DPN_API DPN_MUST_CHECK dpn_status dpn_loss_spherical(dpn_loss *out, double alpha, double beta, size_t dimension,
                                                     dpn_error *why);

/* The loss of a random box on `count` coordinates that move by at most 1 each: a hidden size J = 0, 1, ... of a probability proportional to
 * e^(-alpha J) times the product of Z_i(s_i), s_i = start[i] + J, Z_i(s) = (2 pi s/b)^(1/2) erf((b s/2)^(1/2)), and independent coordinates of the
 * variance s_i/b cut to [-s_i, s_i], b = beta[i]. start may be NULL for all 1, beta for all one_beta; the arrays must outlive the loss, as those of an
 * explicit one. No loss exceeds alpha plus half the sum of the betas (docs/proofs/privacy/random-box.md). The pair is that of both
 * directions.
 * Domain   that of the sampler: alpha in (0.001, 1024), start in (2^-40, 2^40), beta in (2^-60, 2^10); count at least 1. */
DPN_API DPN_MUST_CHECK dpn_status dpn_loss_random_box(dpn_loss *out, double alpha, const double *start,
                                                      const double *beta, double one_beta, size_t count,
                                                      dpn_error *why);

/* An explicit loss: value[i] with probability[i] under the first distribution. The values are finite or +inf, strictly
 * increasing; the probabilities positive, their sum 1 to within 1e-12 (they are divided by it); sum of probability[i]
 * exp(-value[i]) at most 1 + 1e-12 (what is missing to 1 is mass that only the second distribution has). */
DPN_API DPN_MUST_CHECK dpn_status dpn_loss_explicit(dpn_loss *out, const double *value, const double *probability,
                                                    size_t count, dpn_error *why);

/* A loss that occurs `times` times. */
typedef struct dpn_part {
    dpn_loss loss;
    uint64_t times;
} dpn_part;

typedef enum dpn_method {
    DPN_METHOD_AUTO,    /* the cheapest that reaches the accuracy */
    DPN_METHOD_CONTOUR, /* contour sum at the saddle point */
    DPN_METHOD_FFT,     /* tilted FFT with bounds of second order */
} dpn_method;

/* How to compute. NULL stands for the defaults. */
typedef struct dpn_accounting_options {
    size_t size; /* set by the initialiser below */
    double
        accuracy; /* largest allowed upper/lower - 1; 0: 1e-6 by contour, 1e-5 by FFT (1e-4 for spherical and l2 noise), or more where that cannot be reached */
    dpn_method method;
} dpn_accounting_options;

static inline dpn_accounting_options dpn_accounting_options_init(void) {
    dpn_accounting_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* Memory and FFT plans that are kept between calls. One thread at a time. Free accepts NULL. */
typedef struct dpn_workspace dpn_workspace;
DPN_API DPN_MUST_CHECK dpn_status dpn_workspace_new(dpn_workspace **out);
DPN_API void dpn_workspace_free(dpn_workspace *workspace);

/* Who waits: `cancelled` is asked at each point of a grid while an FFT is made with this workspace, which may take minutes for noise on the integers with millions of
 * steps, and true ends the call with DPN_ECANCELLED. It has to stay true until the call has ended. NULL: off. */
DPN_API void dpn_workspace_watch(dpn_workspace *workspace, bool (*cancelled)(void *context), void *context);

/* delta(epsilon) of the composition of all parts.
 * Domain   epsilon real or +inf; how may be NULL (the defaults).
 * Errors   DPN_EDOMAIN; DPN_EACCURACY if the accuracy cannot be reached; DPN_EUNSUPPORTED (more than 64 different losses
 *          where the contour sum does not serve); DPN_ENOMEM. On error *out is not written. Few
 *          copies of losses that are all atoms, without a common measure, are the ones to be refused: noise on the integers
 *          has one if 2m (discrete-osgt) or alpha (discrete-flipped-huber) is whole. */
DPN_API DPN_MUST_CHECK dpn_status dpn_compose_delta(dpn_delta *out, dpn_workspace *workspace, const dpn_part *part,
                                                    size_t parts, double epsilon, const dpn_accounting_options *options,
                                                    dpn_error *why);

/* The same at many epsilons, in any order, into out[0 .. count-1]: one FFT serves as many of them as it is accurate enough for.
 * Errors   as above; on error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_compose_curve(dpn_delta *out, dpn_workspace *workspace, const dpn_part *part,
                                                    size_t parts, const double *epsilon, size_t count,
                                                    const dpn_accounting_options *options, dpn_error *why);

/* The least epsilon >= 0 with delta(epsilon) <= delta for the composition of all parts. */
DPN_API DPN_MUST_CHECK dpn_status dpn_compose_epsilon(dpn_epsilon *out, dpn_workspace *workspace, const dpn_part *part,
                                                      size_t parts, double delta, const dpn_accounting_options *options,
                                                      dpn_error *why);

/* ---- Sensitivity sets: noise on K coordinates ---- */

/* How neighbouring tables differ: one has a unit that the other lacks, or has another in its place. A structure of zeros says
 * add-remove of one row, as every command does that is not told otherwise. */
typedef enum dpn_relation { DPN_ADD_REMOVE, DPN_REPLACE } dpn_relation;
typedef enum dpn_unit { DPN_ROW, DPN_PERSON } dpn_unit;

/* "add-remove", "replace"; "row", "person"; NULL past the end. */
DPN_API const char *dpn_relation_name(dpn_relation relation);
DPN_API const char *dpn_unit_name(dpn_unit unit);

/* How far one unit can move the K answers: all the bounds that are set hold at once. 0 (or +inf) means not set, so a
 * zero-initialised set is unbounded, and refused. */
typedef struct dpn_sensitivity {
    size_t dimension;      /* K >= 1 */
    const double *bound;   /* |d_i| <= bound[i], K entries, 0 for a coordinate that cannot move; NULL: not set */
    size_t max_changed;    /* at most this many coordinates move; 0: all */
    double l1, l2, linf;   /* bounds of the norms of d */
    const double *vertex;  /* `vertices` rows of K numbers: d lies in the hull of the rows and their negatives; */
    size_t vertices;       /* NULL and 0: not set */
    dpn_relation relation; /* what the caller's numbers are about: carried along, not used in the calculation */
    dpn_unit unit;
} dpn_sensitivity;

/* The set of a histogram: every row counts once, in at most one of the bins, and a unit has at most `rows` rows. Adding or
 * removing it moves the counts by at most `rows` in all; replacing it moves them by as much in each direction, so that a row
 * moves one bin by 1, or two. Set `unit` afterwards if it is a person.
 * Result   linf = rows, max_changed = rows or 2 rows, at most the bins, and, if rows > 1, l1 = rows or 2 rows. For
 *          log-concave noise on the reals, and for every noise if rows is 1, some move of a histogram is the worst of the set.
 * Domain   bins >= 1, 1 <= rows <= 1e9.
 * Errors   DPN_EDOMAIN. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sensitivity_histogram(dpn_sensitivity *out, size_t bins, uint64_t rows,
                                                            dpn_relation relation, dpn_error *why);

/* What a result rests on; docs/proofs/privacy/sensitivity.md, ball.md. */
typedef enum dpn_argument {
    DPN_ARGUMENT_CORNER,      /* the worst move is a corner of the box: an exact composition */
    DPN_ARGUMENT_VERTICES,    /* the largest of the exact compositions at the vertices of the set */
    DPN_ARGUMENT_ONE_HOT,     /* the worst move changes one coordinate: an exact one-dimensional profile */
    DPN_ARGUMENT_L2_GAUSSIAN, /* Gaussian noise: only the l2 norm of the move matters */
    DPN_ARGUMENT_BOUND,       /* a correct bound: upper is safe, lower is reached by some move of the set */
    /* Bounds likewise, for equal noise where an l2 norm binds; upper is the least of all these, and of the box and the l1 norm,
     * which are called `bound`. */
    DPN_ARGUMENT_DIRECTIONS, /* a search over the directions of few coordinates */
    DPN_ARGUMENT_THEOREM_8,  /* FH Theorem 8 */
    DPN_ARGUMENT_ZCDP,       /* zCDP, converted */
    DPN_ARGUMENT_RENYI,      /* Renyi divergences over the ball, converted at the best order */
} dpn_argument;

/* "corner", "vertices", "one-hot", "l2-Gaussian", "bound", "directions", "theorem-8", "zcdp", "renyi". */
DPN_API const char *dpn_argument_name(dpn_argument argument);

/* The profile of independent noise on the coordinates of a sensitivity set: law[0] on all of them if laws is 1, else law[i]
 * on coordinate i, laws = K. `argument` (if not NULL) tells what the result rests on; for DPN_ARGUMENT_BOUND and what
 * follows it upper/lower may exceed the accuracy.
 * Domain   an unbounded set is refused; noise on the integers counts in whole steps, and bounds are rounded down to them.
 * Errors   DPN_EDOMAIN, DPN_EACCURACY, DPN_EUNSUPPORTED (more different coordinates than the engines take), DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_sensitivity_delta(dpn_delta *out, dpn_argument *argument,
                                                        dpn_workspace *workspace, const dpn_law *law, size_t laws,
                                                        const dpn_sensitivity *set, double epsilon,
                                                        const dpn_accounting_options *options, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_sensitivity_epsilon(dpn_epsilon *out, dpn_argument *argument,
                                                          dpn_workspace *workspace, const dpn_law *law, size_t laws,
                                                          const dpn_sensitivity *set, double delta,
                                                          const dpn_accounting_options *options, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
