/* Laws of a given variance, and FH's construction. */
#include "base/error.h"
#include "law/facts.h"

#include <dpnoise/calibrate.h>
#include <dpnoise/design.h>

#include <math.h>

/* A law with one number left open. */
typedef struct open_law {
    const struct dpn_family *family;
    bool open_shape; /* else the scale is open */
    double given, variance;
} open_law;

static dpn_status make(dpn_law *law, const open_law *open, double x, dpn_error *why) {
    double shape = open->open_shape ? x : open->given, scale = open->open_shape ? open->given : x;
    return dpn_family_tune(law, open->family, shape, scale, 1, why);
}

/* Its variance at x less the one wanted; NaN if there is no such law. */
static double excess(const open_law *open, double x) {
    dpn_law law;
    return make(&law, open, x, NULL) ? NAN : dpn_law_variance(&law) - open->variance;
}

/* The x between low and high, where the excess has different signs, at which it is nearest to 0. */
static double solve(const open_law *open, double low, double high) {
    double at_low = excess(open, low);
    for (int i = 0; i < 4000; i++) {
        double middle = low > 0 && high > 2 * low ? sqrt(low) * sqrt(high) : low + 0.5 * (high - low);
        if (!(middle > low && middle < high)) break;
        double at_middle = excess(open, middle);
        if ((at_middle < 0) == (at_low < 0)) {
            low = middle;
            at_low = at_middle;
        } else {
            high = middle;
        }
    }
    return fabs(excess(open, high)) < fabs(at_low) ? high : low;
}

/* Steps by a factor of 2 from `start` in one direction until the sign changes or there is no law. */
static bool bracket(const open_law *open, double start, double factor, double *low, double *high) {
    double x = start, at = excess(open, x);
    for (int i = 0; i < 1100 && isfinite(at); i++) {
        double next = x * factor, at_next = excess(open, next);
        if (at == 0 || (at_next < 0) != (at < 0)) {
            *low = fmin(x, at == 0 ? x : next);
            *high = fmax(x, at == 0 ? x : next);
            return at == 0 || isfinite(at_next);
        }
        x = next;
        at = at_next;
    }
    return false;
}

static dpn_status finish(dpn_law *out, const open_law *open, double low, double high, dpn_error *why) {
    dpn_law law;
    dpn_status status = make(&law, open, low == high ? low : solve(open, low, high), why);
    if (status) return status;
    double allowed = dpn_law_is_integer(&law) ? 1e-9 : 1e-13;
    if (!(fabs(dpn_law_variance(&law) - open->variance) <= allowed * open->variance))
        return dpn_fail(why, DPN_EUNSUPPORTED, "no such %s noise has this variance", open->family->name);
    *out = law;
    return DPN_OK;
}

static dpn_status check(open_law *out, const char *family, double variance, dpn_error *why) {
    *out = (open_law){.family = dpn_family_find(family), .variance = variance};
    if (!out->family) return dpn_fail(why, DPN_EPARSE, "there is no family '%.40s'", family);
    if (!(variance > 0 && isfinite(variance)))
        return dpn_fail(why, DPN_EDOMAIN, "the variance must be positive and finite");
    return DPN_OK;
}

dpn_status dpn_design_of_shape(dpn_law *out, const char *family, double variance, double shape, dpn_error *why) {
    open_law open;
    dpn_law law;
    double low, high;
    dpn_status status = check(&open, family, variance, why);
    if (status) return status;
    open.given = open.family->shape ? shape : 1;
    double start = sqrt(variance);
    status = make(&law, &open, start, why);
    if (status) return status;
    /* The law grows wider with its scale. */
    if (!bracket(&open, start, 2, &low, &high) && !bracket(&open, start, 0.5, &low, &high))
        return dpn_fail(why, DPN_EUNSUPPORTED, "no %s noise of this shape has this variance", family);
    return finish(out, &open, low, high, why);
}

dpn_status dpn_design_of_scale(dpn_law *out, const char *family, double variance, double scale, dpn_error *why) {
    open_law open;
    double low, high;
    dpn_status status = check(&open, family, variance, why);
    if (status) return status;
    const dpn_shape_fact *fact = open.family->shape;
    if (!fact) return dpn_fail(why, DPN_EUNSUPPORTED, "%s noise has no shape, its variance tells its scale", family);
    if (!(scale > 0 && isfinite(scale))) return dpn_fail(why, DPN_EDOMAIN, "the scale must be positive and finite");
    open.open_shape = true;
    open.given = scale;
    if (fact->below_is_member && excess(&open, fact->lowest) == 0)
        return finish(out, &open, fact->lowest, fact->lowest, why);
    double start = fmax(fact->least, 2 * fact->lowest);
    if (!bracket(&open, start, 2, &low, &high) && !bracket(&open, start, 0.5, &low, &high))
        return dpn_fail(why, DPN_EUNSUPPORTED, "no %s noise of this scale has this variance", family);
    return finish(out, &open, low, high, why);
}

static dpn_status gaussian_sigma(double *sigma, double epsilon, double delta, double sensitivity, dpn_error *why) {
    dpn_sensitivity set = {.dimension = 1, .linf = sensitivity};
    dpn_plan plan;
    dpn_status status = dpn_calibrate(&plan, "gaussian", epsilon, delta, &set, NULL, why);
    if (status) return status;
    *sigma = dpn_law_parameter(dpn_plan_law(&plan, 0), "sigma");
    dpn_plan_free(&plan);
    return DPN_OK;
}

dpn_status dpn_design_gamma_sigma(dpn_law *out, dpn_delta *certified, double epsilon, double delta, double sensitivity,
                                  dpn_error *why) {
    double gamma;
    if (!(sensitivity > 0 && isfinite(sensitivity)))
        return dpn_fail(why, DPN_EDOMAIN, "the sensitivity must be positive and finite");
    dpn_status status = gaussian_sigma(&gamma, epsilon, delta, sensitivity, why);
    /* The delta is below the Gaussian's but for rounding, which a wider law makes good. */
    for (double wider = 1; !status; wider *= 1 + 1e-12) {
        double g = gamma * wider, alpha = fmax(g * (g / sensitivity) * epsilon - 0.5 * sensitivity, 0);
        dpn_law law;
        dpn_delta got;
        status = dpn_law_make(&law, "flipped-huber", (const double[]){alpha, g}, 2, why);
        if (!status) status = dpn_profile_delta(&got, &law, sensitivity, epsilon, why);
        if (status) break;
        if (wider > 1 + 1e-9) return dpn_fail(why, DPN_EACCURACY, "the construction could not be certified");
        if (got.upper > delta) continue;
        *out = law;
        if (certified) *certified = got;
        break;
    }
    return status;
}
