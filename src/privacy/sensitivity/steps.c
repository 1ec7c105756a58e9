/* A bound of staircases by their steps. docs/proofs/privacy/sensitivity.md, "Staircases" */
#include "privacy/sensitivity/steps.h"

#include "law/facts.h"
#include "privacy/sensitivity/norms.h"

#include <math.h>
#include <string.h>

/* The least whole number n with n size >= length; +inf if it is too large for the sign of the remainder to be exact. */
static double steps_of(double length, double size) {
    double n = ceil(length / size);
    if (!(n < 0x1p50)) return INFINITY;
    while (fma(n, size, -length) < 0) n++;
    return n;
}

static bool same(const dpn_law *law, size_t laws) {
    for (size_t i = 1; i < laws; i++)
        if (memcmp(&law[i], &law[0], sizeof *law) != 0) return false;
    return true;
}

/* The most steps of all coordinates together, times epsilon, rounded up. */
static double largest_loss(const dpn_stairs *stairs, const dpn_norms *norms) {
    double steps = steps_of(norms->l1, stairs->period) + fmax(norms->changed - 1, 0);
    return nextafter(steps * stairs->height, INFINITY);
}

dpn_status dpn_moves_by_steps(dpn_moves *moves, const dpn_law *law, size_t laws, const dpn_sensitivity *set,
                              dpn_error *why) {
    dpn_stairs stairs;
    dpn_norms norms;
    dpn_loss loss;
    if (!dpn_moves_bounded(moves->move, moves->moves) || !dpn_law_stairs(&stairs, law) || !same(law, laws))
        return DPN_OK;
    dpn_status status = dpn_norms_of(&norms, set, why);
    double epsilon = status ? INFINITY : largest_loss(&stairs, &norms);
    if (status || !(epsilon < 0x1p50)) return status;
    status = dpn_loss_pure(&loss, epsilon, why);
    if (!status) status = dpn_moves_begin(moves, DPN_MOVE_ABOVE, why);
    return status ? status : dpn_moves_add(moves, &loss, 1, why);
}
