/* Loading DuckDB. */
#include "table/duckdb.h"

#include "base/load.h"

dpn_status dpn_duckdb_load(dpn_duckdb *out, dpn_error *why) {
    static const dpn_load_function functions[] = {
#define ROW(type, name, parameters) {#name, offsetof(dpn_duckdb, name)},
        DPN_DUCKDB_FUNCTIONS(ROW)
#undef ROW
    };
    static const dpn_load_library library = {
        .file = "libduckdb.so",
        .what = "this is a Parquet file or a DuckDB database, and DuckDB's library",
        .remedy = "put it from DuckDB's releases where the linker finds it, or name "
                  "its directory in LD_LIBRARY_PATH",
        .functions = functions,
        .count = sizeof functions / sizeof *functions};
    return dpn_load(out, sizeof *out, &library, why);
}
