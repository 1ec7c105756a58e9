/* Choices of a fit, by the law of the exponential mechanism. docs/proofs/learn/fit.md, F14 */
#include "learn/choice.h"

#include "base/error.h"
#include "random/exponential.h"

#include <dpnoise/plan.h>
#include <math.h>

/* A choice adds nothing to numbers. */
static dpn_status draw_nothing(int64_t *steps, const void *context, dpn_rng *rng, dpn_error *why) {
    (void)steps, (void)context, (void)rng;
    return dpn_fail(why, DPN_EUNSUPPORTED, "a choice is no noise that can be added");
}

dpn_status dpn_fit_announce_choice(size_t *index, dpn_fit *fit, const char *what, uint64_t times, double epsilon,
                                   double move, dpn_error *why) {
    const int grid = 0;
    dpn_given_noise noise = dpn_given_noise_init();
    dpn_release *release;
    if (!(move >= 1 && move <= 0x1p52 && move == rint(move)))
        return dpn_fail(why, DPN_EDOMAIN, "scores move by whole numbers of steps");
    noise.dimension = 1;
    noise.bound = &move;
    noise.grid_exponents = &grid;
    noise.whole = true;
    noise.epsilon = epsilon;
    noise.relation = fit->relation;
    noise.draw = draw_nothing;
    dpn_status status = dpn_release_given(&release, &noise, why);
    return status ? status : dpn_fit_announce_made(index, fit, what, times, release, why);
}

static double divide_down(double a, double b) {
    double near = a / b;
    return fma(near, b, -a) > 0 ? nextafter(near, 0) : near;
}

dpn_status dpn_fit_choose(size_t *out, dpn_fit *fit, size_t index, dpn_rng *rng, const uint64_t *score, size_t count,
                          dpn_error *why) {
    dpn_fit_release one = dpn_fit_release_at(fit, index);
    dpn_status status = dpn_fit_take(fit, index, why);
    if (status) return status;
    return dpn_choose_exponential(out, rng, score, count, divide_down(one.plan->pure_epsilon, 2 * one.set->bound[0]),
                                  why);
}
