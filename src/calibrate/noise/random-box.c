/* Joint noise in a box of random size, Gaussian in the middle and cut off at the sides: (epsilon, delta)-private and pure at once.
 * docs/proofs/privacy/random-box.md */
#include "calibrate/noise/kind.h"

#include "base/error.h"
#include "calibrate/plan.h"
#include "calibrate/random-box.h"
#include "calibrate/set-norm.h"
#include "privacy/compose/box-lower.h"
#include "privacy/loss/random-box.h"

#include <math.h>
#include <stdlib.h>

/* ---- error ---- */

/* Of t = y/s, with the density proportional to e^(-q t^2) on [-1, 1]: E |t|, and P(t > x). */
static double mean_size(double q) {
    return q < 1e-6 ? 0.5 - q / 12 : -expm1(-q) / (sqrt(3.141592653589793 * q) * erf(sqrt(q)));
}

static double beyond(double q, double x) {
    if (x >= 1) return 0;
    return q < 1e-12 ? 0.5 * (1 - x) : 0.5 * (1 - erf(sqrt(q) * x) / erf(sqrt(q)));
}

#define LOG_NOTHING (-36.0) /* of sizes that a half-width does not see */

static double tail(const dpn_box_sizes *z, double c, double beta, double t) {
    double sum = 0;
    for (size_t j = 0; j < z->sizes; j++) {
        double s = c + (double)j;
        if (t < s && z->log_weight[j] > LOG_NOTHING) sum += exp(z->log_weight[j]) * beyond(0.5 * beta * s, t / s);
    }
    return sum;
}

static double half_width(const dpn_box_sizes *z, double c, double beta) {
    double low = 0, high = c + (double)z->sizes;
    for (int i = 0; i < 60 && high - low > 1e-10 * high; i++) {
        double t = 0.5 * (low + high);
        *(tail(z, c, beta, t) > 0.025 ? &low : &high) = t;
    }
    return high;
}

dpn_status dpn_box_block_measure(dpn_block *block, dpn_error *why) {
    dpn_box_sizes *sizes = calloc(1, sizeof *sizes);
    if (!sizes) return dpn_fail(why, DPN_ENOMEM, "no memory for the sizes of a random box");
    dpn_status status = dpn_box_sizes_make(sizes, block->epsilon, block->box_start, block->box_beta, block->beta,
                                           block->count, -60, why);
    if (status) {
        free(sizes);
        return status;
    }
    block->box_sizes = sizes;
    return DPN_OK;
}

static double error(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective) {
    const dpn_box_sizes *z = block->box_sizes;
    double c = block->box_start ? block->box_start[place] : 1,
           beta = block->box_beta ? block->box_beta[place] : block->beta;
    double side = plan->sensitivity[block->coordinate[place]], sum = 0;
    if (!z) return NAN;
    for (size_t j = 0; j < z->sizes && objective != DPN_OBJECTIVE_INTERVAL95; j++) {
        double s = c + (double)j, q = 0.5 * beta * s;
        sum += exp(z->log_weight[j]) *
               (objective == DPN_OBJECTIVE_MSE ? s * s * dpn_cut_gaussian_square(q) : s * mean_size(q));
    }
    if (objective == DPN_OBJECTIVE_INTERVAL95) sum = half_width(z, c, beta);
    return sum * (objective == DPN_OBJECTIVE_MSE ? side * side : side);
}

/* ---- losses ---- */

static dpn_noise_cover cover(const dpn_plan *plan, const dpn_block *block) {
    (void)plan;
    (void)block;
    return DPN_COVERS_BOX;
}

static dpn_status add_losses(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                             bool merged, dpn_error *why) {
    (void)set;
    (void)merged;
    dpn_loss loss;
    dpn_status status =
        dpn_loss_random_box(&loss, block->epsilon, block->box_start, block->box_beta, block->beta, block->count, why);
    return status ? status : dpn_moves_add(moves, &loss, times, why);
}

/* Of the move of all coordinates by their sensitivities, if the set holds it. */
static double delta_lower(const dpn_plan_view *view, const dpn_block *block, double epsilon) {
    if (!block->box_sizes || !dpn_plan_box(view->set)) return 0;
    for (size_t i = 0; i < block->count; i++) {
        size_t at = block->coordinate[i];
        if (dpn_set_reach(view->set, at) != view->plan->sensitivity[at]) return 0;
    }
    return dpn_box_delta_lower(block->box_sizes, epsilon);
}

/* The hidden size is given away in the pair that is composed. */
const struct dpn_noise_kind dpn_noise_random_box = {
    .name = "random-box",
    .opening = "random-box(alpha=",
    .parse = dpn_noise_parse_alpha_beta,
    .print = dpn_noise_print_alpha_beta,
    .error = error,
    .cover = cover,
    .check = dpn_noise_check_epsilon,
    .add_losses = add_losses,
    .exact = dpn_noise_is_never_exact,
    .delta_lower = delta_lower,
};
