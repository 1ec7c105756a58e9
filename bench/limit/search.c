/* The least variance of each family, by a plain search: bisection of the scale on the certified upper delta, a scan and golden
 * sections over the shape. It stands in for calibration by the library, and is meant to give way to it.
 */
#include "limit.h"

#include <dpnoise/privacy.h>
#include <math.h>
#include <string.h>

/* How a shape and a scale become parameters. */
enum form {
    SCALE,       /* (scale) */
    SHAPE_FIRST, /* (shape scale, scale) */
    SHAPE_LAST,  /* (scale, shape scale) */
    STAIRCASE,   /* (1/scale, 1, shape) */
    POWER,       /* (shape, scale) */
};

struct family {
    const char *name;
    enum form form;
    double low, high; /* of the shape */
};

static const struct family families[] = {
    {"laplace", SCALE, 1, 1},
    {"gaussian", SCALE, 1, 1},
    {"logistic", SCALE, 1, 1},
    {"flipped-huber", SHAPE_FIRST, 1e-2, 30},
    {"osgt", SHAPE_FIRST, 1e-2, 100},
    {"huber", SHAPE_FIRST, 1e-2, 10},
    {"staircase", STAIRCASE, 1e-3, 1},
    {"truncated-laplace", SHAPE_LAST, 1e-1, 60},
    {"subbotin", POWER, 1, 4},
    {"discrete-laplace", SCALE, 1, 1},
    {"discrete-gaussian", SCALE, 1, 1},
    {"discrete-flipped-huber", SHAPE_FIRST, 1e-2, 30},
    {"discrete-osgt", SHAPE_FIRST, 1e-2, 100},
};

struct search {
    const struct family *family;
    double epsilon, delta;
};

static bool make(dpn_law *law, const struct family *family, double shape, double scale) {
    double parameter[3] = {scale};
    size_t count = 1;
    switch (family->form) {
    case SCALE:
        break;
    case SHAPE_FIRST:
        parameter[0] = shape * scale, parameter[1] = scale, count = 2;
        break;
    case SHAPE_LAST:
        parameter[1] = shape * scale, count = 2;
        break;
    case STAIRCASE:
        parameter[0] = 1 / scale, parameter[1] = 1, parameter[2] = shape, count = 3;
        break;
    case POWER:
        parameter[0] = shape, parameter[1] = scale, count = 2;
        break;
    }
    return dpn_law_make(law, family->name, parameter, count, NULL) == DPN_OK;
}

static bool is_private(const struct search *search, double shape, double scale, double *variance) {
    dpn_law law;
    dpn_delta delta;
    if (!make(&law, search->family, shape, scale)) return false;
    if (dpn_profile_delta(&delta, &law, 1, search->epsilon, NULL) || delta.upper > search->delta) return false;
    *variance = dpn_law_variance(&law);
    return true;
}

/* The variance at the least scale that is private, as a function of log shape; +inf if there is none. */
static double variance_of_shape(double log_shape, const void *context) {
    const struct search *search = context;
    double shape = exp(log_shape), low = log(1e-3), high = log(1e5), variance = INFINITY;
    if (!is_private(search, shape, exp(high), &variance)) return INFINITY;
    for (int i = 0; i < 36; i++) {
        double middle = (low + high) / 2;
        if (is_private(search, shape, exp(middle), &variance))
            high = middle;
        else
            low = middle;
    }
    return variance;
}

static double least_variance(const struct search *search) {
    enum { POINTS = 24 };
    double low = log(search->family->low), step = (log(search->family->high) - low) / POINTS, least = INFINITY;
    int at = 0;
    if (step == 0) return variance_of_shape(low, search);
    for (int i = 0; i <= POINTS; i++) {
        double variance = variance_of_shape(low + i * step, search);
        if (variance < least) least = variance, at = i;
    }
    if (isinf(least)) return least;
    double from = low + fmax(at - 1, 0) * step, to = low + fmin(at + 1, POINTS) * step;
    return fmin(least, limit_least(variance_of_shape, search, from, to));
}

struct best limit_best_family(bool integers, double epsilon, double delta) {
    struct best best = {"none", INFINITY};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        struct search search = {&families[i], epsilon, delta};
        if ((strncmp(families[i].name, "discrete-", 9) == 0) != integers) continue;
        double variance = least_variance(&search);
        if (variance < best.variance) best = (struct best){families[i].name, variance};
    }
    return best;
}
