/* The sensitivity set of a histogram. docs/proofs/privacy/sensitivity.md */
#include "base/error.h"

#include <dpnoise/privacy.h>

dpn_status dpn_sensitivity_histogram(dpn_sensitivity *out, size_t bins, uint64_t rows, dpn_relation relation,
                                     dpn_error *why) {
    enum { ROWS_MOST = 1000000000 };
    if (bins == 0) return dpn_fail(why, DPN_EDOMAIN, "a histogram has at least one bin");
    if (rows == 0 || rows > ROWS_MOST)
        return dpn_fail(why, DPN_EDOMAIN, "a unit has 1 to %d rows in a histogram", ROWS_MOST);
    if (!dpn_relation_name(relation)) return dpn_fail(why, DPN_EDOMAIN, "there is no such relation");
    uint64_t moved = relation == DPN_REPLACE ? 2 * rows : rows;
    dpn_sensitivity set = {.dimension = bins, .linf = (double)rows, .relation = relation};
    set.max_changed = moved < bins ? (size_t)moved : bins;
    if (rows > 1) set.l1 = (double)moved; /* with one row the other bounds say so already */
    *out = set;
    return DPN_OK;
}
