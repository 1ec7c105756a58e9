/* hyperbolic(bend,scale): density proportional to exp(-bend (sqrt(1 + (t/scale)^2) - 1)): round at the top, straight far
 * out. A small bend is Laplace noise of the scale scale/bend, a large one Gaussian noise of the sigma scale/sqrt(bend).
 *
 * A family of the tests, as somebody who adds one would write it: no closed form of anything.
 */
#include "law/family.h"

#define BEND law->parameter[0]
#define SCALE law->parameter[1]

static const char *refuse(const double *parameter) {
    if (!(parameter[0] >= 1e-3 && parameter[0] <= 1e3)) return "bend must lie in [1e-3, 1e3]";
    return dpn_scale_ok(parameter[1]) ? NULL : "scale must lie in [1e-150, 1e150]";
}

/* sqrt(1 + u^2) - 1 = u^2/(1 + sqrt(1 + u^2)). */
static dpn_twofold psi(const dpn_law *law, double t) {
    double u = t / SCALE;
    return dpn_two(BEND * u * (u / (1 + hypot(1, u))));
}

static dpn_slope slope(const dpn_law *law) {
    return (dpn_slope){BEND, {SCALE, 1}};
}

static bool inverse(const dpn_law *law, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide scale = dpn_wide_double(how, SCALE), bend = dpn_wide_double(how, BEND), one = dpn_wide_integer(how, 1);
    dpn_wide u = dpn_wide_divide(how, x, &scale), square = dpn_wide_multiply(how, &u, &u);
    dpn_wide sum = dpn_wide_add(how, &one, &square), root = dpn_wide_root(how, &sum);
    dpn_wide rise = dpn_wide_subtract(how, &root, &one), exponent = dpn_wide_multiply(how, &bend, &rise);
    return dpn_wide_exp(out, how, &exponent);
}

static const dpn_shape_fact shape = {
    .name = "bend",
    .least = 0.05,
    .most = 50,
    .below = &dpn_laplace,
    .above = &dpn_gaussian,
    .scan = 10,
};

const struct dpn_family dpn_hyperbolic = {
    .name = "hyperbolic",
    .parameter = {"bend", "scale"},
    .formula = "exp(-bend (sqrt(1 + (x/scale)^2) - 1))",
    .slope = slope,
    .inverse = inverse,
    .shape = &shape,
    .refuse = refuse,
    .psi = psi,
};
