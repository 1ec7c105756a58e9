/* The transform of a turned rule at many equally spaced frequencies: sums of masses times e^(i omega L) - 1 over its points.
 *
 * Sixteen nodes at a time. With F = e^(i omega L) - 1 at the first of them and S_r = e^(i r step L) - 1, which are computed once,
 *
 *     sum of m (e^(i (omega + r step) L) - 1) = sum of m F + sum of m (1 + F) S_r,
 *
 * one product for each point and node. F is turned on from sixteen nodes to the next, and set anew after sixteen times that, so that every
 * turn is a product of less than 32 others. Im L >= 0, so no factor exceeds 1 in size.
 *
 * Only some points take part in this at a time. Nodes come in stretches, each of which ends at twice the frequency at which it begins. Points at the left,
 * whose L is so close to L_0 = log(1 - q) that it does not turn by more than 1 from e^(i omega L_0) in a stretch, are summed as a power series in
 * omega. Those at the right that are less than e^-40 of their mass are left out.
 */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_TURNS_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_TURNS_H

#include "privacy/sampling/mixture.h"

#include <complex.h>

enum { DPN_MIXTURE_TURNS = 16, DPN_MIXTURE_BLOCK = 64 };

typedef struct dpn_mixture_turns dpn_mixture_turns;

/* Frequencies 0, step, 2 step .. of the rule, which must live as long; `rate` is that of its mixture. Errors: DPN_ENOMEM. */
dpn_status dpn_mixture_turns_new(dpn_mixture_turns **out, const dpn_mixture_rule *rule, double rate, double step,
                                 bool with_big);
void dpn_mixture_turns_free(dpn_mixture_turns *turns);

/* About the work of the nodes up to omega, in products of a point and a node. */
double dpn_mixture_turns_work(const dpn_mixture_rule *rule, double rate, double step, double omega);

/* The sums at the next sixteen nodes: of all masses times e^(i omega L) - 1; and with_big of the big ones times e^(i omega L). Computed with
 * an error of at most u (16 * 2 * DPN_MIXTURE_TURNS + DPN_MIXTURE_BLOCK + points/DPN_MIXTURE_BLOCK) times the sums of sizes, u the unit of
 * rounding, and `more`: what the power series add to the error of both sums. */
void dpn_mixture_turns_next(double complex all[DPN_MIXTURE_TURNS], double complex big[DPN_MIXTURE_TURNS],
                            double more[2], dpn_mixture_turns *turns);

#endif
