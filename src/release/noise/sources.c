/* Which kinds of noise a release draws. */
#include "release/noise/source.h"

#include "base/error.h"

#define SOURCE(row, word) extern const struct dpn_source_kind dpn_source_##row;
#include "release/noise/sources.def"
#undef SOURCE

#define SOURCE(row, word) [DPN_BLOCK_##word] = &dpn_source_##row,
static const struct dpn_source_kind *const kinds[] = {
#include "release/noise/sources.def"
};
#undef SOURCE

const struct dpn_source_kind *dpn_source_kind_of(const dpn_block *block) {
    return (size_t)block->kind < sizeof kinds / sizeof *kinds ? kinds[block->kind] : NULL;
}

dpn_status dpn_source_make(dpn_source *out, const dpn_source_request *request, dpn_error *why) {
    const struct dpn_source_kind *kind = dpn_source_kind_of(request->block);
    dpn_source made = {.kind = kind};
    if (dpn_block_is_silent(request->block)) {
        *out = (dpn_source){0};
        return DPN_OK;
    }
    if (!kind)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a release does not draw %s noise",
                        dpn_block_kind_name(request->block->kind));
    dpn_status status = kind->make(&made.sampler, request, why);
    if (!status) *out = made;
    return status;
}

void dpn_source_free(dpn_source *source) {
    if (source->kind) source->kind->free(source->sampler);
    *source = (dpn_source){0};
}
