/* Which columns a fit has, and how values become steps. */
#include "learn/fit.h"

#include "base/dyadic.h"
#include "base/error.h"
#include "learn/kit.h"

#include <math.h>
#include <stdlib.h>

/* ---- Numbers ---- */

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static dpn_variable number(const dpn_fit *fit, size_t measure) {
    const dpn_measure *of = &fit->query->measure[measure];
    dpn_variable made = {.measure = measure, .centre_steps = of->middle, .half_steps = of->upper - of->middle};
    if (fit->options.no_intercept) {
        made.centre_steps = 0;
        made.half_steps = larger(llabs(of->lower), llabs(of->upper));
    }
    made.centre = ldexp((double)made.centre_steps, of->exponent);
    made.half = ldexp((double)made.half_steps, of->exponent);
    return made;
}

/* (step - centre) DPN_UNIT/half to the nearest whole number, half way up. A clamped value lies within half of the centre, so
 * that no size exceeds DPN_UNIT, whatever the row holds. */
int32_t dpn_variable_step(const dpn_variable *variable, const int64_t *record) {
    dpn_int128 twice = 2 * (dpn_int128)(record[variable->measure] - variable->centre_steps) * DPN_UNIT;
    dpn_int128 shifted = twice + variable->half_steps, width = 2 * (dpn_int128)variable->half_steps;
    dpn_int128 quotient = shifted / width;
    if (shifted % width < 0) quotient--; /* the floor */
    return (int32_t)quotient;
}

/* ---- Levels ---- */

/* The first level is what the others are compared with; without an intercept the first grouping keeps all of its own. */
static size_t first_level(const dpn_fit *fit, size_t grouping) {
    return fit->options.no_intercept && grouping == 0 ? 0 : 1;
}

static size_t count_indicators(const dpn_fit *fit) {
    size_t count = 0;
    const dpn_declaration *declaration = &fit->query->declaration;
    for (size_t g = 0; g < declaration->bys; g++) count += declaration->by[g].levels - first_level(fit, g);
    return count;
}

static size_t add_indicators(dpn_fit *fit, size_t at) {
    const dpn_declaration *declaration = &fit->query->declaration;
    for (size_t g = 0; g < declaration->bys; g++)
        for (size_t l = first_level(fit, g); l < declaration->by[g].levels; l++)
            fit->variable[at++] = (dpn_variable){.is_level = true, .grouping = g, .level = l, .half = 1};
    return at;
}

/* ---- All ---- */

static dpn_status check(const dpn_fit *fit, dpn_error *why) {
    const dpn_declaration *declaration = &fit->query->declaration;
    if (declaration->person && declaration->relation == DPN_REPLACE)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a fit protects persons who come or go: take the relation add-remove");
    if (declaration->per_person)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a fit takes rows of persons, not their sums or means");
    if (declaration->count_left_out)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a fit does not count the rows that are left out");
    for (size_t s = 0; s < declaration->statistics; s++)
        if (declaration->statistic[s].kind != DPN_STATISTIC_MEAN)
            return dpn_fail(why, DPN_EDOMAIN, "the columns of a fit are declared as means: column, lower and upper");
    for (size_t g = 0; g < declaration->bys; g++)
        if (!declaration->by[g].level)
            return dpn_fail(why, DPN_EDOMAIN, "column '%.60s' needs its public list of levels",
                            declaration->by[g].column);
    return DPN_OK;
}

/* The measures of the query are in the order of the means: the target first. It goes last. */
dpn_status dpn_fit_make_variables(dpn_fit *fit, dpn_error *why) {
    dpn_status status = check(fit, why);
    if (status) return status;
    size_t measures = fit->query->measures, features = measures - 1 + count_indicators(fit);
    if (features == 0) return dpn_fail(why, DPN_EDOMAIN, "a fit needs a feature besides its target");
    if (features > dpn_fit_kit_here.most_features)
        return dpn_fail(why, DPN_EDOMAIN, "a fit takes at most %zu features", dpn_fit_kit_here.most_features);
    fit->variable = calloc(features + 1, sizeof *fit->variable);
    if (!fit->variable) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    size_t at = 0;
    for (size_t m = 1; m < measures; m++) fit->variable[at++] = number(fit, m);
    at = add_indicators(fit, at);
    fit->variable[at] = number(fit, 0);
    fit->features = features;
    return DPN_OK;
}
