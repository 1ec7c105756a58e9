#include "random/sampler.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

dpn_status dpn_sampler_make(dpn_sampler *sampler, const dpn_law *law, int grid_exponent, int bits, dpn_error *why) {
    bool integer = dpn_law_is_integer(law);
    char text[DPN_LAW_TEXT_SIZE];
    if (integer && grid_exponent != 0)
        return dpn_fail(why, DPN_EDOMAIN, "%s lives on the integers, so that its grid must be 2^0",
                        dpn_law_family(law));
    if (grid_exponent < -1100 || grid_exponent > 1100)
        return dpn_fail(why, DPN_EDOMAIN, "the grid must lie between 2^-1100 and 2^1100");
    if (!dpn_strips_make(&sampler->strips, law, bits))
        return dpn_fail(why, DPN_EUNSUPPORTED, "there is no sampler for %.160s", dpn_law_print(text, law));
    int cells = sampler->strips.density.unit_exponent - grid_exponent + !integer;
    dpn_layout layout = {.slot_bits = bits, .half = !integer};
    layout.cells_log2 = cells > 0 ? cells : 0;
    layout.coarse = cells < -63 ? 63 : cells < 0 ? -cells : 0;
    layout.both_zeros = !integer || sampler->strips.halves_zero;
    sampler->layout = layout;
    sampler->grid_exponent = grid_exponent;
    bool narrow = dpn_law_log_sf(law, ldexp(1, grid_exponent + 61)) < -140; /* -200 log 2, and more */
    if (!narrow || bits + 1 + layout.cells_log2 > DPN_WORD_BITS ||
        sampler->strips.tail_log2 + layout.cells_log2 > DPN_TAIL_BITS)
        return dpn_fail(why, DPN_EDOMAIN, "the grid 2^%d is too fine for %.160s: its draws would not fit 64 bits",
                        grid_exponent, dpn_law_print(text, law));
    return DPN_OK;
}

dpn_status dpn_sampler_new(dpn_sampler **out, const dpn_law *law, int grid_exponent, dpn_error *why) {
    if (out == NULL || law == NULL) return dpn_fail(why, DPN_EDOMAIN, "a sampler needs a law and a place to put it");
    dpn_sampler *sampler = malloc(sizeof *sampler);
    if (sampler == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler");
    dpn_status status = dpn_sampler_make(sampler, law, grid_exponent, DPN_STRIPS_BITS, why);
    if (status) {
        free(sampler);
        return status;
    }
    *out = sampler;
    return DPN_OK;
}

void dpn_sampler_free(dpn_sampler *sampler) {
    free(sampler);
}
