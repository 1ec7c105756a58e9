/* What the two kinds of staircases that end share. */
#ifndef DPN_NOISE_SOURCE_STAIRCASE_H
#define DPN_NOISE_SOURCE_STAIRCASE_H

#include "release/noise/vector-source.h"

dpn_status dpn_source_staircase_make(void **sampler, const dpn_source_request *request, dpn_error *why);

#endif
