/* Which libraries and programs of others are installed. */
#define _POSIX_C_SOURCE 200809L /* popen */
#include "doctor/libraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const struct library known[LIBRARIES] = {
    [LIBRARY_SQLITE] = {.name = "SQLite",
                        .file = "libsqlite3.so.0",
                        .version_of = "sqlite3_libversion",
                        .need = "ledgers, and tables of SQLite",
                        .remedy = "apt-get install libsqlite3-0"},
    [LIBRARY_POSTGRESQL] = {.name = "libpq",
                            .file = "libpq.so.5",
                            .version_of = "PQlibVersion",
                            .need = "tables of PostgreSQL",
                            .remedy = "apt-get install libpq5"},
    [LIBRARY_DUCKDB] = {.name = "DuckDB",
                        .file = "libduckdb.so",
                        .version_of = "duckdb_library_version",
                        .need = "Parquet files",
                        .remedy = "put libduckdb.so where the linker finds it"},
    [LIBRARY_BLAS] = {.name = "OpenBLAS",
                      .file = "libopenblas.so.0",
                      .version_of = "openblas_get_config",
                      .need = "fit",
                      .remedy = "apt-get install libopenblas0"},
    [LIBRARY_LAPACK] = {.name = "LAPACKE",
                        .file = "liblapacke.so.3",
                        .version_of = "LAPACKE_ilaver",
                        .need = "fit",
                        .remedy = "apt-get install liblapacke"},
    [LIBRARY_HTTP] = {.name = "libmicrohttpd",
                      .file = "libmicrohttpd.so.12",
                      .version_of = "MHD_get_version",
                      .need = "explore",
                      .remedy = "apt-get install libmicrohttpd12"},
    [LIBRARY_GNUPLOT] = {.name = "gnuplot",
                         .file = NULL,
                         .version_of = NULL,
                         .need = "--plot",
                         .remedy = "apt-get install gnuplot-nox"},
};

/* Functions that tell a version: as text, as a number, or as three. */
typedef const char *text_version(void);
typedef int number_version(void);
typedef void parts_version(int *major, int *minor, int *patch);

/* Three numbers by LAPACK, 150017 for 15.17 by PostgreSQL, and text by all others, as "v1.4.1" or "OpenBLAS 0.3.21 DYNAMIC_ARCH". */
static void ask_version(struct library *library, enum library_place place, void *function) {
    if (place == LIBRARY_LAPACK) {
        parts_version *parts;
        int major = 0, minor = 0, patch = 0;
        memcpy(&parts, &function, sizeof parts);
        parts(&major, &minor, &patch);
        snprintf(library->version, sizeof library->version, "%d.%d.%d", major, minor, patch);
        return;
    }
    if (place == LIBRARY_POSTGRESQL) {
        number_version *number;
        memcpy(&number, &function, sizeof number);
        int version = number();
        snprintf(library->version, sizeof library->version, "%d.%d", version / 10000, version % 10000);
        return;
    }
    text_version *text;
    memcpy(&text, &function, sizeof text);
    const char *version = text();
    version += strcspn(version, "0123456789");
    snprintf(library->version, sizeof library->version, "%.*s", (int)strcspn(version, " "), version);
}

static void find_library(struct library *library, enum library_place place) {
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) return;
    void *function = dlsym(handle, library->version_of);
    library->found = true;
    if (function) ask_version(library, place, function);
    dlclose(handle);
}

/* "gnuplot 5.4 patchlevel 4" */
static void find_gnuplot(struct library *library) {
    FILE *answer = popen("gnuplot --version 2>/dev/null", "r");
    if (!answer) return;
    char line[80] = "", major[20] = "", patch[16] = "";
    bool told = fgets(line, sizeof line, answer) != NULL;
    library->found = pclose(answer) == 0 && told;
    if (library->found && sscanf(line, "gnuplot %15s patchlevel %15s", major, patch) == 2)
        snprintf(library->version, sizeof library->version, "%s.%s", major, patch);
}

void libraries_find(struct library out[LIBRARIES]) {
    for (size_t i = 0; i < LIBRARIES; i++) {
        out[i] = known[i];
        if (out[i].file)
            find_library(&out[i], (enum library_place)i);
        else
            find_gnuplot(&out[i]);
    }
}
