/* The programs and libraries of others that are used where they are installed. */
#ifndef DPNOISE_CLI_DOCTOR_LIBRARIES_H
#define DPNOISE_CLI_DOCTOR_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

struct library {
    const char *name, *file;   /* file: as it is loaded; NULL for the program gnuplot */
    const char *version_of;    /* the function that tells its version */
    const char *need, *remedy; /* what it is for, and what to do where it is missing */
    bool found;
    char version[40]; /* empty where it does not say */
};

enum library_place {
    LIBRARY_SQLITE,
    LIBRARY_POSTGRESQL,
    LIBRARY_DUCKDB,
    LIBRARY_BLAS,
    LIBRARY_LAPACK,
    LIBRARY_HTTP,
    LIBRARY_GNUPLOT,
    LIBRARIES
};

/* Load each of them and ask for its version. */
void libraries_find(struct library out[LIBRARIES]);

#endif
