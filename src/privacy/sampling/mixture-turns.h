/* The transform of a turned rule at many equally spaced frequencies: sums of masses times e^(i omega L) - 1 over its points.
 *
 * Sixteen nodes at a time. With F = e^(i omega L) - 1 at the first of them and S_r = e^(i r step L) - 1, which are computed once,
 *
 *     sum of m (e^(i (omega + r step) L) - 1) = sum of m F + sum of m (1 + F) S_r,
 *
 * one product for each point and node. F is turned on from sixteen nodes to the next, and set anew after sixteen times that, so that every
 * turn is a product of less than 32 others. Im L >= 0, so no factor exceeds 1 in size.
 */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_TURNS_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_TURNS_H

#include "privacy/sampling/mixture.h"

#include <complex.h>

enum { DPN_MIXTURE_TURNS = 16, DPN_MIXTURE_BLOCK = 64 };

typedef struct dpn_mixture_turns dpn_mixture_turns;

/* Frequencies 0, step, 2 step .. of the rule, which must live as long. Errors: DPN_ENOMEM. */
dpn_status dpn_mixture_turns_new(dpn_mixture_turns **out, const dpn_mixture_rule *rule, double step, bool with_big);
void dpn_mixture_turns_free(dpn_mixture_turns *turns);

/* The sums at the next sixteen nodes: of all masses times e^(i omega L) - 1; and with_big of the big ones times e^(i omega L). Computed with
 * an error of at most u (16 * 2 * DPN_MIXTURE_TURNS + DPN_MIXTURE_BLOCK + points/DPN_MIXTURE_BLOCK) times the sums of sizes, u the unit of
 * rounding. */
void dpn_mixture_turns_next(double complex all[DPN_MIXTURE_TURNS], double complex big[DPN_MIXTURE_TURNS],
                            dpn_mixture_turns *turns);

#endif
