/* A library of others that only some commands need, loaded when the first of them does. */
#ifndef DPN_BASE_LOAD_H
#define DPN_BASE_LOAD_H

#include <dpnoise/status.h>

#include <stddef.h>

typedef struct dpn_load_function {
    const char *name;
    size_t place; /* offsetof the pointer to it in the table that is filled */
} dpn_load_function;

typedef struct dpn_load_library {
    const char *file;    /* as dlopen finds it: the name with the version of its interface */
    const char *what;    /* "PostgreSQL's client library" */
    const char *package; /* of Debian */
    const dpn_load_function *functions;
    size_t count;
    const char *remedy; /* what to do where Debian has no package; NULL: install it */
} dpn_load_library;

/* Fill a table of pointers to functions. The library stays loaded until the process ends, and a second call costs a look-up.
 * DPN_EUNSUPPORTED with what to install where the file or a function is missing; the table is then as it was. */
dpn_status dpn_load(void *table, size_t size, const dpn_load_library *library, dpn_error *why);

#endif
