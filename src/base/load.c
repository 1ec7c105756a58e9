/* Loading a library of others at run time. */
#include "base/load.h"

#include "base/error.h"

#include <dlfcn.h>
#include <string.h>

enum { LARGEST = 512 }; /* bytes of a table */

dpn_status dpn_load(void *table, size_t size, const dpn_load_library *library, dpn_error *why) {
    if (size > LARGEST) return dpn_fail(why, DPN_EUNSUPPORTED, "%s has too many functions", library->what);
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle && library->remedy)
        return dpn_fail(why, DPN_EUNSUPPORTED, "%s, %s, cannot be loaded: %s", library->what, library->file,
                        library->remedy);
    if (!handle)
        return dpn_fail(why, DPN_EUNSUPPORTED, "%s, %s, cannot be loaded: install it (on Debian the package %s)",
                        library->what, library->file, library->package);
    char loaded[LARGEST];
    memcpy(loaded, table, size);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < library->count && !status; i++) {
        const dpn_load_function *wanted = &library->functions[i];
        void *function = dlsym(handle, wanted->name);
        if (!function)
            status = dpn_fail(why, DPN_EUNSUPPORTED, "%s, %s, has no function %s", library->what, library->file,
                              wanted->name);
        memcpy(loaded + wanted->place, &function, sizeof function);
    }
    dlclose(handle); /* counts down; RTLD_NODELETE keeps it */
    if (!status) memcpy(table, loaded, size);
    return status;
}
