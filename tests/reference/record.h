/* How far the library is from the reference: errors by member, kept, written to files, and printed as a page. */
#ifndef DPN_TEST_RECORD_H
#define DPN_TEST_RECORD_H

#include "reference/real.h"

#include <stdio.h>

#define RECORD_AT_POINTS(_) _(pdf) _(log_pdf) _(cdf) _(sf) _(log_cdf) _(log_sf) _(psi) _(quantile) _(isf)
#define RECORD_OF_LAWS(_) _(variance) _(mean_abs) _(fisher) _(nfi) _(entropy) _(log_mgf) _(mgf_bound)

#define RECORD_ENUM(member) RECORD_##member,
typedef enum record_member { RECORD_AT_POINTS(RECORD_ENUM) RECORD_OF_LAWS(RECORD_ENUM) RECORD_MEMBERS } record_member;

typedef struct record_table {
    long points[RECORD_MEMBERS];
    double worst[RECORD_MEMBERS];      /* largest error where |value| >= 1e-250 */
    double worst_tiny[RECORD_MEMBERS]; /* and below, down to the smallest normal double; -1 if no such value was met */
} record_table;

const char *record_member_name(record_member member);

/* Whether the error is measured against max(1, |value|): members that cross zero on the way. Others are relative. */
typedef enum record_measure { RECORD_RELATIVE, RECORD_MIXED } record_measure;

/* Enter one comparison; false if it exceeds the limit: 1e-13, for |value| < 1e-250 3e-13, below the smallest normal
 * double four units of 2^-1074. An infinite or undefined value must be met exactly. *error is the error in the measure. */
bool record_compare(record_table *table, record_member member, record_measure measure, double got, real value,
                    double *error);

/* Enter an error found in another way, for a value of ordinary size. */
bool record_error(record_table *table, record_member member, double error);

/* Write to, and read from, the file NAME.txt in a directory. */
bool record_write(const record_table *table, const char *directory, const char *name);
bool record_read(record_table *table, const char *directory, const char *name);

/* Print the page docs/accuracy.md from the files of a directory, one for each name (NULL past the last). */
bool record_print_page(FILE *out, const char *directory, const char *(*name)(size_t index));

#endif
