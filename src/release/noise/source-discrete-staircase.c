/* The same on the integers. */
#include "release/noise/source-staircase.h"

const struct dpn_source_kind dpn_source_discrete_staircase = {.own_grids = true,
                                                              .make = dpn_source_staircase_make,
                                                              .draw = dpn_vector_source_draw,
                                                              .free = dpn_vector_source_free};
