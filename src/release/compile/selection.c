/* Counts that are known only because they exceeded the threshold: the law of their noise is truncated there, and inverted. */
#include "release/compile/selection.h"

#include <dpnoise/law.h>
#include <dpnoise/plan.h>
#include <math.h>

static const double seldom_hidden = 0.02, seldom_far = 0.01;

bool dpn_is_selected(const dpn_query *query, const dpn_output *output) {
    return !query->known_keys && query->persons != SIZE_MAX && output->rows == query->persons;
}

/* ---- The noise of the count, in steps ---- */

typedef struct count_noise {
    const dpn_law *law;
    double step, half_step; /* half_step: of noise that is rounded to steps; 0 on the integers */
    double threshold;
} count_noise;

static count_noise noise_of(const dpn_query *query) {
    const dpn_law *law = dpn_plan_law(dpn_release_plan(query->release), query->persons);
    double step = ldexp(1, dpn_release_grid_exponent(query->release, query->persons));
    return (count_noise){law, step, dpn_law_is_integer(law) ? 0 : step / 2, (double)query->threshold};
}

/* P(noise > z) for a whole number z of steps, and its logarithm. */
static double above(const count_noise *noise, double z) {
    return dpn_law_sf(noise->law, z + noise->half_step);
}

static double log_above(const count_noise *noise, double z) {
    return dpn_law_log_sf(noise->law, z + noise->half_step);
}

/* ---- Inversion ---- */

/* Whether x is among the likeliest `level` of the noisy counts above the threshold of a key with n. Symmetric unimodal noise makes
 * those the nearest to n: x is one unless the strictly nearer ones have that probability already. */
static bool accepts(const count_noise *noise, double n, double x, double level) {
    double hidden = noise->threshold - n, distance = fabs(x - n);
    if (hidden >= -distance) /* all below n that are shown are nearer: the upper tail decides */
        return log_above(noise, distance - noise->step) - log_above(noise, hidden) > log1p(-level);
    return above(noise, -distance) - above(noise, distance - noise->step) < level * above(noise, hidden);
}

/* For noise of log-concave law both ends of what n accepts grow with n, so that bisection finds the ends. */
void dpn_selection_interval(double *low, double *high, const dpn_query *query, double x, double level) {
    count_noise noise = noise_of(query);
    double raised = level + 1e-9; /* the tails of a law err by less than 1e-12 */
    double refuted = 0, accepted = fmax(floor(x), 1);
    while (accepted - refuted > 1) {
        double n = floor(refuted + (accepted - refuted) / 2);
        if (accepts(&noise, n, x, raised))
            accepted = n;
        else
            refuted = n;
    }
    *low = accepted;
    double width = 1;
    for (accepted = fmax(floor(x), 1); accepts(&noise, accepted + width, x, raised) && width < 0x1p60; width *= 2)
        ;
    for (refuted = accepted + width; refuted - accepted > 1;) {
        double n = floor(accepted + (refuted - accepted) / 2);
        if (accepts(&noise, n, x, raised))
            accepted = n;
        else
            refuted = n;
    }
    *high = accepted;
}

bool dpn_selection_is_near(const dpn_query *query, double x) {
    count_noise noise = noise_of(query);
    double n = noise.threshold + 1 + ceil(dpn_law_quantile(noise.law, 1 - seldom_hidden));
    return above(&noise, x - noise.step - n) > seldom_far * above(&noise, noise.threshold - n);
}
