/* Random queries, random tables, and their tally the slow way: rational numbers, one row after the other, no hashing. */
#ifndef TESTS_UNIT_RELEASE_RANDOM_TABLE_H
#define TESTS_UNIT_RELEASE_RANDOM_TABLE_H

#include "release/tally/tally.h"

#include "reference/draw.h"
#include "unit/random/seeded.h"

/* The columns of every table here: two of groups, two of numbers, one for a predicate, one of persons. */
enum { TABLE_REGION, TABLE_SCHOOL, TABLE_INCOME, TABLE_AGE, TABLE_FLAG, TABLE_PERSON, TABLE_COLUMNS };
enum { TABLE_MOMENTS = 12, TABLE_BINS = 4, TABLE_TEXT = 40 };

/* A query with everything that a tally looks at; it refers to itself and must not be copied. */
typedef struct table_query {
    dpn_query query;
    dpn_grouping by[2];
    dpn_predicate where[2];
    size_t by_column[2], where_column[2];
    dpn_measure measure[2];
    char *na[2];
    dpn_moment moment[TABLE_MOMENTS];
    dpn_bins bins[TABLE_BINS];
} table_query;

typedef struct table_options {
    bool persons, unknown_keys;
    bool skip;     /* some fields are missing, or no numbers where numbers are needed */
    bool value;    /* these take a value */
    bool left_out; /* rows that are left out are counted */
} table_options;

void table_random_query(table_query *out, draw_source *source, table_options options);

/* The size of one row's number in a moment, at most: what the bound of the moment should be. */
int64_t table_moment_bound(const dpn_query *query, const dpn_moment *moment);

/* Rows of texts; the fields point into them. */
typedef struct random_table {
    size_t rows;
    dpn_field *field;
    char (*text)[TABLE_TEXT];
} random_table;

void table_random(random_table *out, draw_source *source, const table_query *query, size_t rows, size_t persons);
void table_random_row(random_table *table, size_t row, draw_source *source, const table_query *query, size_t persons);
void table_free(random_table *table);

/* The sums of the rows [0, rows) of which keep (if not NULL) is true, without any cutting of persons. With unknown keys only the
 * groups that appear. The groups are in the order of dpn_tally_settle; texts are the table's or the declaration's. */
typedef struct slow_group {
    const char *key[2];
    int64_t sum[TABLE_MOMENTS];
    int64_t count[64];
} slow_group;
typedef struct slow_tally {
    slow_group *group;
    size_t groups;
} slow_tally;

slow_tally table_tally(const random_table *table, const table_query *query, const bool *keep);
void slow_free(slow_tally *slow);

/* Whether a row counts: predicates hold, its levels are declared and its numbers can be read; or it is left out and counted as
 * such. */
bool table_admits(const random_table *table, const table_query *query, size_t row);

/* A field as it counts: "" if it is missing. */
dpn_field table_field(const table_query *query, dpn_field field);

/* What a row adds: a step for each measure, then a bin for each set of edges, INT64_MIN if it is in none; if rows that are left out
 * are counted, 0, or 1 after as many INT64_MIN for such a row. Returns how many numbers these are. */
enum { TABLE_RECORD = 3 + TABLE_BINS };
size_t table_record(int64_t record[TABLE_RECORD], const table_query *query, const random_table *table, size_t row);

/* Whether both hold the same. Fails the test, naming the difference, if they do not. */
void table_assert_same(const dpn_query *query, const dpn_group *group, size_t groups, const slow_tally *slow);

/* A tally that is opened with a seeded secret (dpn_tally_new) or this one, given rows, and settled; each fails the test if it cannot. */
dpn_tally *table_open_tally(const table_query *query, seeded *source);
dpn_tally *table_open_with(const table_query *query, const dpn_tally_secret *secret, uint64_t seed);
void table_add(dpn_tally *tally, const dpn_field *field, size_t rows);
const dpn_group *table_settle(size_t *groups, dpn_tally *tally);
void table_assert_settles_to(const table_query *query, dpn_tally *tally, const slow_tally *slow);

#endif
