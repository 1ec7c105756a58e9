/* How epsilon is shared between noise in an objective, determinants and the distance to the minimum. */
#include "learn/perturbation.h"

#include "base/error.h"
#include "learn/adaptive.h"

#include <math.h>
#include <stdlib.h>

/* The distance costs a hundredth of epsilon, and 1e-12 is left for what sums of shares are rounded by. */
#define IN_OUTPUT 0.01
#define WHOLE (1 - 1e-12)

/* gamma is at least this share of lambda; more than is needed is as private. */
#define LEAST_GAMMA 0.02

/* ---- Shares ---- */

/* (1 + lambda/gamma)^rank <= exp(epsilon). */
static double gamma_for(const dpn_perturbation_ask *ask, double epsilon) {
    return fmax(ask->lambda / expm1(epsilon / ask->rank) * (1 + 1e-12), LEAST_GAMMA * ask->lambda);
}

/* The variance of a coordinate of V at epsilon 1; of Gaussian noise about that at equal delta. */
static double variance_of(const dpn_perturbation_ask *ask) {
    double m = (double)ask->m, square = ask->move * ask->move;
    if (ask->delta > 0) return 2 * square * log(1.25 / ask->delta);
    return square * (ask->ball == DPN_BALL_L1 ? 2 : ask->ball == DPN_BALL_L2 ? m + 1 : (m + 1) * (m + 2) / 3);
}

/* To first order the error of a coefficient is (V - gamma b)/(h + gamma), where h is what the rows add to the Hessian in its
 * direction, about a tenth of what they can, and b is taken to be 1. The mean square is least for this q of k/1024. Where no number of
 * rows is declared, h is large. docs/proofs/learn/objective.md, O4. */
static double mean_square(const dpn_perturbation_ask *ask, double whole, double q) {
    double noise = variance_of(ask) / (q * whole * q * whole), gamma = gamma_for(ask, (1 - q) * whole);
    double rows = ask->rows > 0 ? ask->rows * 0.1 * ask->lambda / (double)ask->m : INFINITY;
    double share = isinf(rows) ? 1 : rows / (rows + gamma);
    return (noise + gamma * gamma) * share * share;
}

static double choose_q(const dpn_perturbation_ask *ask, double whole) {
    enum { PARTS = 1024 };
    double best = 0.5, least = INFINITY;
    for (int k = 1; k < PARTS; k++) {
        double square = mean_square(ask, whole, (double)k / PARTS);
        if (square < least) {
            least = square;
            best = (double)k / PARTS;
        }
    }
    return best;
}

dpn_status dpn_perturbation_choose(dpn_perturbation *out, const dpn_perturbation_ask *ask, dpn_error *why) {
    if (!(ask->move > 0 && ask->lambda > 0 && ask->rank >= 1 && ask->epsilon > 0 && ask->eta > 0) || isinf(ask->move) ||
        isinf(ask->lambda) || isinf(ask->rank) || isinf(ask->epsilon))
        return dpn_fail(why, DPN_EDOMAIN, "moves, eigenvalues, ranks and epsilon must be positive and finite");
    if (!(ask->share >= 0 && ask->share < 1))
        return dpn_fail(why, DPN_EDOMAIN, "the share of epsilon for the noise must be between 0 and 1");
    double whole = ask->epsilon * WHOLE * (1 - IN_OUTPUT);
    dpn_perturbation made = {.q = ask->share > 0 ? ask->share : choose_q(ask, whole)};
    made.in_noise = made.q * whole;
    made.in_determinant = (1 - made.q) * whole;
    made.in_output = ask->epsilon * WHOLE * IN_OUTPUT;
    made.gamma = gamma_for(ask, made.in_determinant);
    *out = made;
    return DPN_OK;
}

/* ---- Noise ---- */

dpn_status dpn_perturbation_noise(dpn_release **out, const dpn_perturbation_ask *ask, const dpn_perturbation *chosen,
                                  double delta, dpn_error *why) {
    dpn_sensitivity set = {.dimension = ask->m, .relation = ask->relation};
    if (ask->ball == DPN_BALL_L1)
        set.l1 = ask->move;
    else if (ask->ball == DPN_BALL_L2)
        set.l2 = ask->move;
    else
        set.linf = ask->move;
    dpn_calibration_options calibration = dpn_calibration_options_init();
    calibration.has_ball = delta == 0;
    calibration.ball = ask->ball;
    dpn_release_options options = dpn_release_options_init();
    options.epsilon = chosen->in_noise;
    options.delta = delta;
    options.set = &set;
    dpn_fit_ask_for(&options, delta > 0 ? "gaussian" : "k-norm");
    options.calibration = &calibration;
    options.has_grid = true;
    options.grid_exponent = DPN_PERTURBATION_V_EXPONENT;
    return dpn_release_new(out, &options, why);
}

dpn_status dpn_perturbation_output(dpn_release **out, const dpn_perturbation_ask *ask, const dpn_perturbation *chosen,
                                   dpn_error *why) {
    dpn_sensitivity set = {
        .dimension = ask->m, .l2 = 2 * ask->eta / chosen->gamma * (1 + 0x1p-50), .relation = ask->relation};
    dpn_release_options options = dpn_release_options_init();
    options.epsilon = chosen->in_output;
    options.set = &set;
    options.family = "k-norm";
    return dpn_release_new(out, &options, why);
}
