/* Atoms on no lattice, made smooth. */
#include "privacy/compose/contour-smooth.h"

#include "privacy/interval.h"

/* The bound of what the Gaussian loss adds holds for variances up to 1/4; weaker ones are not worth less than this. */
#define MOST_VARIANCE 0.01

bool dpn_smooth_needed(const dpn_sum *sum, const dpn_lattice *lattice) {
    bool listed = false;
    if (lattice->step > 0 || sum->gaussian != 0) return false;
    for (size_t i = 0; i < sum->terms; i++) {
        if (sum->term[i].shape.segments > 0) return false;
        listed = listed || sum->term[i].shape.listed;
    }
    return listed;
}

/* At the saddle point the density is about width/sqrt(2 pi), and the rise the variance times that. */
dpn_status dpn_smooth_line(dpn_contour_plan *plan, dpn_sum *sum, double weaker, dpn_error *why) {
    double most = fmin(MOST_VARIANCE, 0.5 * plan->tolerance * sqrt(2 * DPN_PI) / plan->width);
    plan->smooth = plan->smooth > 0 ? weaker * plan->smooth : most;
    sum->gaussian = plan->smooth;
    sum->goal = 0; /* the cumulants are those of another sum */
    return dpn_plan_line(plan, sum, why);
}

/* Times variance (1 + deviation), rounded up. */
double dpn_smooth_rise(const dpn_contour_plan *plan, const dpn_node_sum *nodes) {
    return plan->smooth * (1 + sqrt(plan->smooth)) * (1 + 16 * DBL_EPSILON) * (nodes->density + plan->density_tail);
}
