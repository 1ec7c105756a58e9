/* dpnoise/renyi.h - what noise guarantees in terms of Renyi divergences, and as concentrated differential privacy (zCDP).
 *
 * For a mechanism with the output distributions P and Q on neighbouring data the Renyi divergence of order a > 1 is
 *
 *     D_a = log(E_P e^((a-1) L))/(a-1),  L = log dP/dQ the privacy loss.
 *
 * It increases with a, from the Kullback-Leibler divergence E_P L (a = 1) to the largest loss (a = inf, the epsilon of pure
 * differential privacy). The divergences of independent or adaptively composed releases add. Laws are symmetric, so
 * D_a(P|Q) = D_a(Q|P); and D_a is a convex function of the shift, so the worst move of a sensitivity set is one of its
 * vertices. docs/proofs/privacy/renyi.md proves what is claimed here.
 *
 * Every answer is an interval that contains the truth; only `upper` may back a guarantee.
 */
#ifndef DPNOISE_RENYI_H
#define DPNOISE_RENYI_H

#include <dpnoise/privacy.h>
#include <dpnoise/sampling.h>

#ifdef __cplusplus
extern "C" {
#endif

/* lower <= divergence <= upper; both are +inf if it is infinite. */
typedef struct dpn_divergence {
    double lower, upper;
} dpn_divergence;

/* The Renyi divergence of one release with this law: the largest over all shifts up to the sensitivity.
 * Domain   sensitivity >= 0 and finite, whole on the integers; order >= 1, +inf allowed.
 * Accuracy upper/lower - 1 is below 1e-13 for gaussian and discrete-gaussian, below 3e-10 for subbotin and below 2e-11
 *          for the others, also for orders near 1 and for divergences down to 1e-280; on the integers 3e-9 where the noise
 *          is wider than about 400 steps; and where the sensitivity is more than 100 times the noise it grows with their
 *          ratio. truncated-laplace has the divergence +inf at every order.
 *          A family that is known by its psi alone: below 1e-8.
 * Errors   DPN_EDOMAIN; DPN_EACCURACY where upper/lower - 1 would exceed 1e-8: a divergence that underflows or a loss that
 *          overflows, or a staircase of more than 1000 steps; DPN_EUNSUPPORTED if the family does not tell what is needed of
 *          large losses. On error *out is not written, and why (if not NULL) holds the reason. */
DPN_API DPN_MUST_CHECK dpn_status dpn_renyi(dpn_divergence *out, const dpn_law *law, double sensitivity, double order,
                                            dpn_error *why);

/* The divergences of the composition of all parts at each of the orders: out[i] is that of order[i]. They add: part j
 * counts part[j].times times. (K-norm blocks are Laplace noise to the accountant: docs/proofs/calibrate/blocks.md, T10; a pure mechanism is dominated by
 * randomised response; for an explicit loss this is the divergence of the first distribution from the second, which
 * differs from that of the second from the first.)
 * Domain   orders as above; no parts have the divergence 0.
 * Errors   as above, DPN_ENOMEM. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_renyi_compose(dpn_divergence *out, const dpn_part *part, size_t parts,
                                                    const double *order, size_t orders, dpn_error *why);

/* The divergences of independent noise on the coordinates of a sensitivity set (law[0] on all of them if laws is 1, else
 * law[i] on coordinate i), the largest over the moves of the set, at each of the orders. `argument` (if not NULL) tells
 * what they rest on; for DPN_ARGUMENT_BOUND upper/lower may be large.
 * Errors   as above, and those of dpn_sensitivity_delta. */
DPN_API DPN_MUST_CHECK dpn_status dpn_renyi_sensitivity(dpn_divergence *out, dpn_argument *argument, const dpn_law *law,
                                                        size_t laws, const dpn_sensitivity *set, const double *order,
                                                        size_t orders, dpn_error *why);

/* The divergences of all steps on Poisson samples (dpnoise/sampling.h) at each of the orders, under add/remove of one person: the larger of
 * both directions, which is that of the person present from absent (docs/proofs/privacy/sampling.md, section 6).
 * Domain   order > 1, +inf allowed; 0 <= rate <= 1. No steps have the divergence 0.
 * Accuracy upper/lower - 1 is some 1e-9 for Gaussian noise. Other noise: at whole orders up to 64 that of dpn_renyi; between whole orders and
 *          beyond 64 upper lies on chords of convex functions, and lower may be less by the growth between two orders; beyond 4096 upper is
 *          that of the steps' own convexity in the sample, log(1 - q + q e^((a-1) D))/(a - 1).
 * Errors   as dpn_renyi_compose; DPN_EUNSUPPORTED for explicit losses; DPN_EDOMAIN. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_renyi_sampling(dpn_divergence *out, const dpn_step *step, size_t steps,
                                                     const double *order, size_t orders, dpn_error *why);

/* ---- Concentrated differential privacy ----
 * (xi, rho)-zCDP: D_a <= xi + a rho for every order a > 1 (Bun and Steinke 2016; rho-zCDP has xi = 0). xi and rho of
 * composed releases add. FH calls rho eta, and so does the JSON of `dpnoise renyi`.
 */
typedef struct dpn_zcdp {
    double xi, rho;
} dpn_zcdp;

/* Of a mechanism that is only known to be epsilon-DP: xi = 0 and rho = epsilon tanh(epsilon/2), which randomised response
 * reaches as a -> 1; it is below Bun and Steinke's epsilon^2/2. epsilon >= 0 and finite, else NaN. Rounded up. */
DPN_API dpn_zcdp dpn_zcdp_pure(double epsilon);

/* Of the composition of all parts, rounded up. By law:
 *   gaussian, discrete-gaussian           (0, D^2/2 sigma^2), exact
 *   flipped-huber, discrete-flipped-huber (R_D(alpha)/2 gamma^2, D^2/2 gamma^2): FH Theorem 9
 *   osgt, discrete-osgt                   (m D/sigma^2, D^2/2 sigma^2): a constant in place of OSGT Theorem 2, whose zeta
 *                                         depends on the order
 *   laplace, K-norm blocks                (0, e + exp(-e) - 1), e = D/scale: the Kullback-Leibler divergence, exact
 *   logistic, huber, staircase, discrete-laplace, pure  as dpn_zcdp_pure of the largest loss
 * Errors   DPN_EUNSUPPORTED for truncated-laplace, which satisfies no zCDP; for subbotin with p other than 1 and 2; and
 *          for explicit losses. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_zcdp_compose(dpn_zcdp *out, const dpn_part *part, size_t parts, dpn_error *why);

/* Of independent noise on the coordinates of a sensitivity set: the sums of the above over the worst move, with D2 the
 * largest l2 norm and D1 the largest l1 norm in the set. For flipped-huber on K coordinates with equal bounds this is
 * (K R_D(alpha)/2 gamma^2, D2^2/2 gamma^2), FH Theorem 9 in K dimensions; for osgt (m D1/sigma^2, D2^2/2 sigma^2).
 * Errors   as above, and those of dpn_sensitivity_delta. */
DPN_API DPN_MUST_CHECK dpn_status dpn_zcdp_sensitivity(dpn_zcdp *out, dpn_argument *argument, const dpn_law *law,
                                                       size_t laws, const dpn_sensitivity *set, dpn_error *why);

/* OSGT Theorem 2, rounded up: D_a <= a D2^2/2 sigma^2 + K log((1 - Q(b))/Q(b))/(a - 1), b = m/sigma, for osgt noise on K
 * coordinates. It is a Renyi bound, not zCDP: its second term diverges as a -> 1. To be compared with dpn_renyi.
 * Domain   an osgt law, K >= 1, l2 >= 0 and finite, order > 1; +inf gives +inf for l2 > 0.
 * Errors   DPN_EDOMAIN, DPN_EUNSUPPORTED for another law. */
DPN_API DPN_MUST_CHECK dpn_status dpn_renyi_osgt_theorem_2(double *out, const dpn_law *law, size_t dimension, double l2,
                                                           double order, dpn_error *why);

/* Bounds by name, to be compared with dpn_renyi_sensitivity and with each other:
 *   osgt-16        osgt: OSGT Theorem 2, that is (16), as above with the largest norm of the set and K the coordinates that
 *                  can move
 *   osgt-constant  osgt: ours, (m D1/sigma^2, D2^2/2 sigma^2)-zCDP as a line in the order; below osgt-16 at small orders
 *   fh-theorem-9   flipped-huber: (K R_D(alpha)/2 gamma^2, D2^2/2 gamma^2)-zCDP as a line in the order
 * The name of one and what it is in one sentence; NULL past the end. */
DPN_API const char *dpn_renyi_bound_name(size_t index);
DPN_API const char *dpn_renyi_bound_describe(size_t index);

/* The bound of this name at an order, for noise of a law on the coordinates of a set, rounded up.
 * Domain   order > 1.
 * Errors   DPN_EPARSE for an unknown name; DPN_EUNSUPPORTED for another law; DPN_EDOMAIN; those of dpn_zcdp_sensitivity. On
 *          error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_renyi_bound(double *out, const char *name, const dpn_law *law,
                                                  const dpn_sensitivity *set, double order, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
