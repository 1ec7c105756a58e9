/* The table tests/vectors/law.csv: values of law members that were computed elsewhere. */
#ifndef DPN_TEST_VECTORS_H
#define DPN_TEST_VECTORS_H

#include <stdbool.h>
#include <stdio.h>

typedef struct vector {
    char function[32], law[128], member[32], argument[32], value[48]; /* argument is "-" where there is none */
    double relative, absolute;                                        /* tolerances */
} vector;

/* How many the table holds. */
enum { VECTORS = 145 };

/* Open the table below the source tree (environment DPN_SOURCE_ROOT, else the working directory); NULL if it is not there. */
FILE *vectors_open(void);

/* The next vector; false at the end. A line that cannot be read gives a vector with an empty function. */
bool vectors_next(FILE *table, vector *out);

#endif
