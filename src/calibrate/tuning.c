/* The families as calibration sees them. */
#include "calibrate/tuning.h"

#include "base/error.h"

#include <dpnoise/calibrate.h>
#include <string.h>

static const dpn_tuning shapes[] = {
    {"gaussian", NULL, 0, 0, 0, NULL, NULL, 0},
    {"laplace", NULL, 0, 0, 0, NULL, NULL, 0},
    {"flipped-huber", "alpha/gamma", 0.02, 40, 0, "gaussian", "laplace", 22},
    {"osgt", "m/sigma", 0.01, 1000, 0, "gaussian", "laplace", 22},
    {"huber", "alpha/gamma", 0.05, 8, 0, "laplace", "gaussian", 10},
    {"staircase", "gamma", 1e-4, 0.9999, 0, NULL, NULL, 12},
    {"truncated-laplace", "bound/scale", 1e-6, 400, 0, NULL, "laplace", 20},
    {"subbotin", "p", 1.0005, 10, 0, "laplace", NULL, 12},
    {"logistic", NULL, 0, 0, 0, NULL, NULL, 0},
    {"discrete-gaussian", NULL, 0, 0, 0, NULL, NULL, 0},
    {"discrete-laplace", NULL, 0, 0, 0, NULL, NULL, 0},
    {"discrete-flipped-huber", "alpha", 1, 1e4, 1, "discrete-gaussian", "discrete-laplace", 14},
    {"discrete-osgt", "m", 0.5, 1e4, 0.5, "discrete-gaussian", "discrete-laplace", 14},
};

const dpn_tuning *dpn_tuning_find(const char *family) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!strcmp(shapes[i].family, family)) return &shapes[i];
    return NULL;
}

const char *dpn_family_shape(const char *family) {
    const dpn_tuning *shape = family ? dpn_tuning_find(family) : NULL;
    return shape ? shape->name : NULL;
}

dpn_status dpn_tuning_law(dpn_law *out, const dpn_tuning *shape, double value, double scale, double unit,
                          dpn_error *why) {
    double parameter[DPN_LAW_PARAMETERS] = {scale, 0, 0};
    size_t count = 1;
    if (!strcmp(shape->family, "staircase")) {
        parameter[0] = unit / scale;
        parameter[1] = unit;
        parameter[2] = value;
        count = 3;
    } else if (!strcmp(shape->family, "truncated-laplace")) {
        parameter[1] = value * scale;
        count = 2;
    } else if (shape->name) {
        bool ratio = strchr(shape->name, '/') != NULL;
        parameter[0] = ratio ? value * scale : value;
        parameter[1] = scale;
        count = 2;
    }
    return dpn_law_make(out, shape->family, parameter, count, why);
}
