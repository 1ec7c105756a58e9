/* dpnoise/guarantees.h - compositions with mechanisms that are known only by what they guarantee.
 *
 * A vendor's tool is (1, 1e-3)-private, a colleague's training rho-zCDP, and we add noise of our own: what do they guarantee
 * together? Each may be chosen after the answers of those before it.
 *
 * For pure, approximate and Gaussian guarantees the answer is the optimal one: no smaller number follows from them (Kairouz, Oh,
 * Viswanath 2015; Dong, Roth, Su 2022), to the accuracy of dpn_compose_delta. A zCDP or Renyi guarantee bounds divergences
 * alone: then divergences are added, the best order is converted, and the answer is a bound (DPN_ARGUMENT_BOUND), whose lower end
 * is what Gaussian noise with that guarantee in the place of each would give. Beside them the mass of infinite loss that truncated noise
 * has goes to delta, and the divergences are those of what is left. docs/proofs/privacy/guarantees.md.
 */
#ifndef DPNOISE_GUARANTEES_H
#define DPNOISE_GUARANTEES_H

#include <dpnoise/convert.h>
#include <dpnoise/privacy.h>
#include <dpnoise/renyi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mechanism of which this is known, used `times` times. */
typedef struct dpn_known {
    dpn_guarantee guarantee;
    uint64_t times;
} dpn_known;

/* delta(epsilon) of the composition of all parts and all that is known by its guarantee. `argument` (if not NULL) tells what it rests
 * on: DPN_ARGUMENT_CORNER, exact, or DPN_ARGUMENT_BOUND.
 * Domain   as dpn_compose_delta; as dpn_convert_to_delta for each guarantee.
 * Errors   as those; DPN_EUNSUPPORTED for an explicit loss beside a zCDP or Renyi guarantee, which hold in both directions. On error
 *          nothing is written.
 *
 * Example
 *     dpn_known vendor = {.times = 30};
 *     dpn_epsilon epsilon;
 *     dpn_workspace *workspace;
 *     if (dpn_guarantee_parse(&vendor.guarantee, "approximate(epsilon=1,delta=0.001)", NULL) || dpn_workspace_new(&workspace))
 *         return 1;
 *     if (!dpn_compose_known_epsilon(&epsilon, NULL, workspace, NULL, 0, &vendor, 1, 0.06, NULL, NULL))
 *         printf("epsilon is at most %g\n", epsilon.upper);
 *     dpn_workspace_free(workspace);
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_compose_known_delta(dpn_delta *out, dpn_argument *argument,
                                                          dpn_workspace *workspace, const dpn_part *part, size_t parts,
                                                          const dpn_known *known, size_t count, double epsilon,
                                                          const dpn_accounting_options *options, dpn_error *why);

/* The least epsilon >= 0 with delta(epsilon) <= delta; +inf at both ends if guarantees and truncated noise allow everything to be
 * told with a higher probability than delta.
 * Errors   as above; DPN_EACCURACY also where no order has a finite divergence, or delta is too close to the mass of infinite loss. */
DPN_API DPN_MUST_CHECK dpn_status dpn_compose_known_epsilon(dpn_epsilon *out, dpn_argument *argument,
                                                            dpn_workspace *workspace, const dpn_part *part,
                                                            size_t parts, const dpn_known *known, size_t count,
                                                            double delta, const dpn_accounting_options *options,
                                                            dpn_error *why);

/* The Renyi divergence of the composition at each of the orders, and zCDP. The lower end is that of the parts alone and of the guarantees
 * for which it is exact (pure, gdp, zcdp, and a Renyi guarantee at its own order). An approximate guarantee with delta > 0, and a
 * Renyi guarantee beyond its order, leave it unbounded: upper is +inf.
 * Errors   as dpn_renyi_compose and dpn_zcdp_compose; DPN_EUNSUPPORTED where zCDP does not follow. */
DPN_API DPN_MUST_CHECK dpn_status dpn_compose_known_renyi(dpn_divergence *out, const dpn_part *part, size_t parts,
                                                          const dpn_known *known, size_t count, const double *order,
                                                          size_t orders, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_compose_known_zcdp(dpn_zcdp *out, const dpn_part *part, size_t parts,
                                                         const dpn_known *known, size_t count, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
