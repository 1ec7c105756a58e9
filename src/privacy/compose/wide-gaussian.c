/* Whoever sees Gaussian noise on the reals can round at random and has, but for a factor next to 1, discrete Gaussian noise that is
 * a little wider; whoever sees discrete Gaussian noise can add a little of the continuous kind. docs/proofs/privacy/wide-gaussian.md */
#include "privacy/compose/wide-gaussian.h"

#include "law/facts.h"
#include "privacy/interval.h"
#include "privacy/loss/loss.h"

#include <math.h>

/* The variance of the rounding, and a bound of log((1 + rho)/(1 - rho)), rho = 2 sum over m >= 1 of exp(-2 pi^2 BLUR m^2). */
#define BLUR 1.5
#define FACTOR 6e-13

#define LEAST_SIGMA 4.0
#define MOST_RELEASES 1e9

/* Sums of times (D/s)^2, s^2 = sigma^2 - BLUR and, for the lower bound, sigma^2 + BLUR/(1 - BLUR/sigma^2); of continuous noise sigma^2. */
typedef struct squares {
    double least, most;
    double discrete; /* releases with noise on the integers */
} squares;

static bool add(squares *sum, const dpn_part *part) {
    const dpn_law *law = &part->loss.law;
    double sigma = part->loss.kind == &dpn_loss_kind_law ? dpn_psi_gaussian(law) : 0, times = (double)part->times;
    if (!(sigma > 0)) return false;
    double ratio = part->loss.sensitivity / sigma, square = ratio * ratio, blur = BLUR / sigma / sigma;
    if (!dpn_law_is_integer(law)) blur = 0;
    if (dpn_law_is_integer(law) && !(sigma >= LEAST_SIGMA)) return false;
    sum->most += times * (square / (1 - blur));
    sum->least += times * (square / (1 + blur / (1 - blur)));
    if (dpn_law_is_integer(law)) sum->discrete += times;
    return true;
}

/* log delta of Gaussian noise with sigma = 1 for a move of this root. */
static bool gaussian(dpn_delta *out, double root, double epsilon) {
    dpn_law standard;
    dpn_loss loss;
    return !dpn_law_make(&standard, "gaussian", (const double[]){1}, 1, NULL) &&
           !dpn_loss_law(&loss, &standard, root, NULL) && !loss.kind->delta(out, &loss, epsilon, NULL);
}

bool dpn_wide_gaussian_delta(dpn_delta *out, const dpn_part *part, size_t parts, double epsilon) {
    squares sum = {0};
    for (size_t i = 0; i < parts; i++)
        if (!add(&sum, &part[i])) return false;
    /* Neither a square nor the sum may have lost its digits. */
    if (!(sum.discrete > 0 && sum.discrete < MOST_RELEASES && sum.least > 0x1p-600 && sum.most < 0x1p600)) return false;
    double slack = (16 + (double)parts) * DBL_EPSILON, factor = FACTOR * sum.discrete;
    double away = 2 * factor + DBL_EPSILON * fabs(epsilon);
    dpn_delta lower, upper;
    if (!gaussian(&lower, sqrt(sum.least) * (1 - slack), epsilon + away) ||
        !gaussian(&upper, sqrt(sum.most) * (1 + slack), epsilon - away))
        return false;
    double doubt = factor * (1 + 4 * DBL_EPSILON);
    *out = dpn_delta_between(lower.log_lower - doubt - DBL_EPSILON * fabs(lower.log_lower),
                             upper.log_upper + doubt + DBL_EPSILON * fabs(upper.log_upper));
    return true;
}
