/* The family with the least variance, by the library's own calibration. */
#include "limit.h"

#include <dpnoise/calibrate.h>
#include <math.h>

struct best limit_best_family(bool integers, int steps, double epsilon, double delta) {
    struct best best = {"none", INFINITY};
    dpn_sensitivity set = {.dimension = 1, .linf = steps};
    dpn_comparison all;
    if (dpn_compare(&all, epsilon, delta, &set, NULL, NULL) != DPN_OK) return best;
    for (size_t i = 0; i < all.plans && isinf(best.variance); i++)
        if (all.row[i].plan.integer == integers)
            best = (struct best){all.row[i].family, all.row[i].plan.variance[0] / ((double)steps * steps)};
    dpn_comparison_free(&all);
    return best;
}
