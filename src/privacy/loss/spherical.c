/* The loss of spherical noise. */
#include "privacy/loss/spherical.h"

#include "base/error.h"
#include "privacy/interval.h"
#include "privacy/loss/spherical-integral.h"

static dpn_spherical spherical_of(const dpn_loss *loss, dpn_spherical_factor factor, double epsilon, double theta) {
    return (dpn_spherical){loss->epsilon, loss->sensitivity, (double)loss->count, factor, epsilon, theta};
}

/* Bounds of the logarithm of the share that an integral has of all. */
static dpn_status log_share(double *lower, double *upper, const dpn_loss *loss, dpn_spherical_factor factor,
                            double epsilon, double theta, dpn_error *why) {
    dpn_spherical what = spherical_of(loss, factor, epsilon, theta);
    double log_value, error;
    if (!dpn_spherical_integral(&log_value, &error, &what))
        return dpn_fail(why, DPN_EACCURACY, "the loss of spherical noise at epsilon %g is too large to compute",
                        epsilon);
    double middle = log_value - loss->total;
    error = 2 * (error + loss->law.constant[0]) + 4 * DBL_EPSILON * (fabs(log_value) + fabs(loss->total));
    *lower = middle - error;
    *upper = middle + error;
    return DPN_OK;
}

static dpn_status delta_at(dpn_delta *out, const dpn_loss *loss, double epsilon, dpn_error *why) {
    double least, most, size = fabs(epsilon);
    if (isinf(epsilon)) {
        *out = epsilon > 0 ? (dpn_delta){0, 0, -INFINITY, -INFINITY} : (dpn_delta){1, 1, 0, 0};
        return DPN_OK;
    }
    dpn_status status = log_share(&least, &most, loss, DPN_SPHERICAL_EXCESS, size, 0, why);
    if (status) return status;
    if (epsilon < 0) { /* delta(-e) = 1 - e^-e + e^-e delta(e) */
        double rest = log(-expm1(epsilon));
        least = dpn_log_add(rest, epsilon + least) - 8 * DBL_EPSILON;
        most = dpn_log_add(rest, epsilon + most) + 8 * DBL_EPSILON;
    }
    *out = dpn_delta_between(least, most);
    return DPN_OK;
}

/* Below 0: Q(L > -e) = 1 - P(L >= e). */
static dpn_status log_tail(double *lower, double *upper, const dpn_loss *loss, double nu) {
    if (isinf(nu)) {
        *lower = *upper = nu < 0 ? 0 : -INFINITY;
        return DPN_OK;
    }
    if (nu >= 0) return log_share(lower, upper, loss, DPN_SPHERICAL_BEYOND, nu, 0, NULL);
    double least, most;
    dpn_status status = log_share(&least, &most, loss, DPN_SPHERICAL_ABOVE, -nu, 0, NULL);
    if (status) return status;
    *lower = log1p(-fmin(1, exp(most) * (1 + 4 * DBL_EPSILON))) - 4 * DBL_EPSILON;
    *upper = fmin(0, log1p(-fmin(1, exp(least) * (1 - 4 * DBL_EPSILON))) + 4 * DBL_EPSILON);
    return DPN_OK;
}

static double largest(const dpn_loss *loss) {
    (void)loss;
    return INFINITY;
}

/* M - 1 is the integral of (e^(theta L) - 1) (1 - e^(-(1 + theta) L)) over L > 0. */
static dpn_status cumulant(double *lower, double *upper, const dpn_loss *loss, double theta, dpn_error *why) {
    double least, most;
    dpn_status status =
        log_share(&least, &most, loss, theta == 0 ? DPN_SPHERICAL_FORWARD : DPN_SPHERICAL_TILTED, 0, theta, why);
    if (status) return status;
    *lower = theta == 0 ? exp(least) : least < 0 ? log1p(exp(least)) : dpn_log_add(0, least);
    *upper = theta == 0 ? exp(most) : most < 0 ? log1p(exp(most)) : dpn_log_add(0, most);
    *lower = fmax(0, *lower * (1 - 16 * DBL_EPSILON));
    *upper *= 1 + 16 * DBL_EPSILON;
    return DPN_OK;
}

/* No more than of Gaussian noise, and alpha: docs/proofs/privacy/spherical.md, section 4. */
static double divergence_upper(const dpn_loss *loss, double order) {
    return (loss->epsilon + 0.5 * loss->sensitivity * order) * (1 + 4 * DBL_EPSILON);
}

const struct dpn_loss_kind dpn_loss_kind_spherical = {.name = "spherical",
                                                      .delta = delta_at,
                                                      .largest = largest,
                                                      .cumulant = cumulant,
                                                      .log_tail = log_tail,
                                                      .divergence_upper = divergence_upper,
                                                      .symmetric = true,
                                                      .remembered = true};

dpn_status dpn_loss_spherical(dpn_loss *out, double alpha, double beta, size_t dimension, dpn_error *why) {
    if (!(alpha >= 0 && alpha <= 1e4))
        return dpn_fail(why, DPN_EDOMAIN, "alpha of spherical noise must lie between 0 and 10000");
    if (!(beta >= 1e-12 && beta <= 1e6))
        return dpn_fail(why, DPN_EDOMAIN, "beta of spherical noise must lie between 1e-12 and 1e6");
    if (dimension < 2 || dimension > DPN_SPHERICAL_MOST)
        return dpn_fail(why, DPN_EDOMAIN, "spherical noise is for 2 to %d coordinates", DPN_SPHERICAL_MOST);
    dpn_loss loss = {.kind = &dpn_loss_kind_spherical, .epsilon = alpha, .sensitivity = beta, .count = dimension};
    dpn_spherical what = spherical_of(&loss, DPN_SPHERICAL_ALL, 0, 0);
    if (!dpn_spherical_integral(&loss.total, &loss.law.constant[0], &what))
        return dpn_fail(why, DPN_EACCURACY, "alpha and beta of spherical noise are too far apart to compute");
    *out = loss;
    return DPN_OK;
}
