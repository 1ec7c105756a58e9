/* The families as calibration sees them: a scale that trades error for privacy, and for some a shape that is searched. */
#ifndef DPN_CALIBRATE_TUNING_H
#define DPN_CALIBRATE_TUNING_H

#include <dpnoise/law.h>

typedef struct dpn_tuning {
    const char *family;
    const char *name;          /* of the shape; NULL: the scale is the only parameter */
    double least, most;        /* where the shape is searched, on a logarithmic scale if it is not whole or halves */
    double step;               /* 0, or the shape is a multiple of this */
    const char *below, *above; /* the families in the limits of the shape; NULL: none */
    int scan;                  /* shapes tried before the search narrows */
} dpn_tuning;

/* NULL if there is no such family. */
const dpn_tuning *dpn_tuning_find(const char *family);

/* The law of the family with this shape and scale. unit is the sensitivity that belongs to the law, which staircase
 * asks for; its scale is unit/epsilon, so that for all families delta falls as the scale grows. */
dpn_status dpn_tuning_law(dpn_law *out, const dpn_tuning *shape, double value, double scale, double unit,
                          dpn_error *why);

#endif
