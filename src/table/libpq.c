/* Loading PostgreSQL's client library. */
#include "table/libpq.h"

#include "base/load.h"

dpn_status dpn_libpq_load(dpn_libpq *out, dpn_error *why) {
    static const dpn_load_function functions[] = {
#define ROW(function) {#function, offsetof(dpn_libpq, function)},
        DPN_LIBPQ_FUNCTIONS(ROW)
#undef ROW
    };
    static const dpn_load_library library = {.file = "libpq.so.5",
                                             .what = "PostgreSQL's client library",
                                             .package = "libpq5",
                                             .functions = functions,
                                             .count = sizeof functions / sizeof *functions};
    return dpn_load(out, sizeof *out, &library, why);
}
