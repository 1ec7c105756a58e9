/* The same for the staircase of a start box. */
#include "release/noise/source-start.h"

const struct dpn_source_kind dpn_source_start_staircase = {
    .own_grids = true, .make = dpn_source_start_make, .draw = dpn_vector_source_draw, .free = dpn_vector_source_free};
