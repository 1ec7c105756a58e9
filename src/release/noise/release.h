/* What a release holds. */
#ifndef DPN_NOISE_RELEASE_H
#define DPN_NOISE_RELEASE_H

#include "release/noise/choose.h"
#include "release/noise/source.h"

struct dpn_release {
    dpn_plan plan;
    dpn_grid grid;
    bool whole;
    dpn_source *source; /* of the noise of each block */
    size_t drawn;       /* coordinates with noise */
    double *half_width; /* of given noise: 95% of each; NULL: the plan knows */
};

#endif
