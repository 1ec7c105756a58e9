/* How the two kinds of start boxes are drawn. */
#ifndef DPN_RELEASE_NOISE_SOURCE_START_H
#define DPN_RELEASE_NOISE_SOURCE_START_H

#include "release/noise/vector-source.h"

/* As in struct dpn_source_kind. */
dpn_status dpn_source_start_make(void **sampler, const dpn_source_request *request, dpn_error *why);

#endif
