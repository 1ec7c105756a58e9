#include "random/density.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const dpn_density_kind *const kinds[] = {
    &dpn_density_gaussian, &dpn_density_laplace,   &dpn_density_flipped_huber,     &dpn_density_osgt,
    &dpn_density_huber,    &dpn_density_staircase, &dpn_density_truncated_laplace, &dpn_density_subbotin,
    &dpn_density_logistic,
};

/* A law on the integers has the density of the continuous law of that name. */
static const dpn_density_kind *kind_of(const dpn_law *law) {
    static const char prefix[] = "discrete-";
    const char *name = dpn_law_family(law);
    if (strncmp(name, prefix, sizeof prefix - 1) == 0) name += sizeof prefix - 1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->family, name) == 0) return kinds[i];
    return NULL;
}

bool dpn_density_make(dpn_density *density, const dpn_law *law, int unit_exponent) {
    const dpn_density_kind *kind = kind_of(law);
    if (kind == NULL) return false;
    *density = (dpn_density){.kind = kind, .unit_exponent = unit_exponent, .guard = DPN_DENSITY_GUARD};
    memcpy(density->parameter, law->parameter, sizeof density->parameter);
    kind->prepare(density);
    return true;
}

dpn_bounds dpn_density_exponent(const dpn_density *density, double x) {
    const dpn_density_kind *kind = density->kind;
    double before = kind->exponent(density, kind->jumps ? fmax(0, x * (1 - 0x1p-40) - 0x1p-60) : x);
    double after = kind->jumps ? kind->exponent(density, x * (1 + 0x1p-40) + 0x1p-60) : before;
    if (!kind->jumps) before = fmin(before, DBL_MAX); /* f is positive everywhere */
    return (dpn_bounds){before * (1 - 0x1p-36) - 0x1p-1000, after * (1 + 0x1p-36) + 0x1p-1000}; /* and underflow */
}

/* Without jumps one exponential serves both bounds: the guard is wider than what E may be off. */
static dpn_bounds smooth_value(const dpn_density *density, double x) {
    double exponent = density->kind->exponent(density, x);
    if (!(exponent <= DPN_DENSITY_DEEPEST)) return (dpn_bounds){0, exp(-DPN_DENSITY_DEEPEST) * (1 + density->guard)};
    double value = exp(-exponent);
    return (dpn_bounds){value * (1 - density->guard), value * (1 + density->guard)};
}

/* e^-E for E beyond the deepest is only known to be less. */
dpn_bounds dpn_density_value(const dpn_density *density, double x) {
    if (!density->kind->jumps) return smooth_value(density, x);
    dpn_bounds exponent = dpn_density_exponent(density, x);
    double upper = exponent.lower == INFINITY ? 0 : exp(-fmin(exponent.lower, DPN_DENSITY_DEEPEST));
    double lower = exponent.upper > DPN_DENSITY_DEEPEST ? 0 : exp(-exponent.upper);
    return (dpn_bounds){lower * (1 - density->guard), upper * (1 + density->guard)};
}

/* Log-concave laws: the ratio f(x + step)/f(x) decreases, so that x = from decides. The staircase: a number of whole
 * periods that lets f fall to a half. */
int dpn_density_halving(const dpn_density *density, double from) {
    bool staircase = density->kind == &dpn_density_staircase;
    double least = staircase ? density->number[0] * ceil(0.6932 / density->parameter[0]) * (1 + DPN_DENSITY_GUARD) : 0;
    double here = dpn_density_exponent(density, from).upper * (1 + DPN_DENSITY_GUARD);
    for (int k = 0; k <= 50; k++) {
        double step = ldexp(1, k);
        if (staircase ? step >= least
                      : dpn_density_exponent(density, from + step).lower * (1 - DPN_DENSITY_GUARD) >= here + 0.6932)
            return k;
    }
    return -1;
}
