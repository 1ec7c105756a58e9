/* The loadable extension: SELECT load_extension('dpnoise'). */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "sqlite/front.h"

int sqlite3_dpnoise_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);

/* Where SQLite's function lies in the library that the ledger uses: copies.c. */
extern const void *front_ledgers_sqlite(void);

bool front_own_copy(void) {
    return (const void *)(size_t)sqlite3_api->libversion_number != front_ledgers_sqlite();
}

__attribute__((visibility("default"))) int sqlite3_dpnoise_init(sqlite3 *db, char **message,
                                                                const sqlite3_api_routines *api) {
    SQLITE_EXTENSION_INIT2(api);
    if (sqlite3_libversion_number() < 3031000) { /* SQLITE_DIRECTONLY */
        *message = sqlite3_mprintf("dpnoise needs SQLite 3.31 or later");
        return SQLITE_ERROR;
    }
    int code = front_laws(db);
    if (!code) code = front_planning(db);
    if (!code) code = front_states(db);
    return code ? code : front_release(db);
}
