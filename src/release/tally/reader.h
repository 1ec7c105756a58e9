/* How a row is read: which rows count, which group is theirs, and what they add to it. */
#ifndef DPN_TALLY_READER_H
#define DPN_TALLY_READER_H

#include "release/tally/levels.h"
#include "release/tally/numeral.h"
#include "release/tally/totals.h"
#include "release/compile/query.h"

/* A predicate with its value read. */
typedef struct dpn_condition {
    size_t column;
    dpn_predicate_is is;
    bool number;
    dpn_numeral value; /* if it is a number */
    const char *text;
    size_t length;
} dpn_condition;

/* The edges of a histogram or a quantile: number[from .. to-1] are those that are finite. */
typedef struct dpn_edges {
    dpn_numeral *number;
    size_t from, to, edges;
    bool clamp, upward;
    size_t slot;  /* of the column's number */
    size_t count; /* of its first bin, among all counts of a group */
} dpn_edges;

/* What becomes of a row: it is used; a predicate or the levels do not ask for it; it cannot be used, but its group and person are
 * known; not even that. */
typedef enum dpn_row_verdict { DPN_ROW_USED, DPN_ROW_NOT_ASKED, DPN_ROW_LEFT_OUT, DPN_ROW_LOST } dpn_row_verdict;

/* Nothing in here changes once it is made: tallies in several threads share it. */
typedef struct dpn_reader {
    const dpn_query *query;
    dpn_condition *condition;
    dpn_levels *levels; /* of each grouping; without slots if its levels are unknown */
    size_t *numeric;    /* the columns that are read as numbers, each once */
    size_t numerics;
    size_t *slot;     /* of each measure: which of these */
    dpn_edges *edges; /* of the histograms, then of the trees and the quantiles */
    size_t edge_sets;
    size_t counts;       /* of all bins of a group */
    uint64_t most_rows;  /* so that no sum leaves an int64_t */
    dpn_numeral instead; /* of a number that is missing, if the declaration has a value for it */
    dpn_field *na;       /* the words for missing fields, without blanks around them */
} dpn_reader;

/* Errors   DPN_EDOMAIN for a query whose numbers are none, DPN_ENOMEM. dpn_reader_free accepts what a failure left. */
dpn_status dpn_reader_make(dpn_reader *out, const dpn_query *query, dpn_error *why);
void dpn_reader_free(dpn_reader *reader);

/* Whether a field is missing: NULL, empty, or spaces and tabs. */
static inline bool dpn_field_blank(dpn_field field) {
    size_t i = 0;
    while (field.text && i < field.length && (field.text[i] == ' ' || field.text[i] == '\t')) i++;
    return !field.text || i == field.length;
}

/* Copy a row with NULL for each of its fields that is a word for a missing one. */
void dpn_reader_mark_missing(const dpn_reader *reader, const dpn_field *row, dpn_field *marked);

/* Whether the predicates ask for a row: LEFT_OUT if none says no, and one needs a number where there is none; *column is then
 * that of the field. */
dpn_row_verdict dpn_reader_admits(const dpn_reader *reader, const dpn_field *row, size_t *column);

/* What a row adds: a step for each measure, then a bin for each set of edges, DPN_ABSENT if it is in none. If rows that are left
 * out are counted, a number more: 0, and 1 for such a row, of which all others are DPN_ABSENT. Where persons are bounded as a whole: what it adds
 * to the person's totals, which is two numbers for each measure (totals.h). */
#define DPN_ABSENT INT64_MIN
static inline size_t dpn_reader_record(const dpn_reader *reader) {
    size_t numbers = reader->query->declaration.per_person ? DPN_TOTAL_NUMBERS : 1;
    return numbers * reader->query->measures + reader->edge_sets + reader->query->declaration.count_left_out;
}

/* Read the numbers of a row. Returns the column of a field that is not a number where one is needed, SIZE_MAX if all are well. `number`
 * is scratch, of `numerics`. */
size_t dpn_reader_read(const dpn_reader *reader, const dpn_field *row, dpn_numeral *number, int64_t *record);

/* The bin [edge i, edge i+1) of a value, DPN_ABSENT if there is none; the last edge belongs to the last bin. Upward it is (edge i, edge i+1]. */
int64_t dpn_reader_bin(const dpn_edges *edges, const dpn_numeral *value);

/* The record of a row that is left out and counted. */
void dpn_reader_leave_out(const dpn_reader *reader, int64_t *record);
static inline bool dpn_record_left_out(const dpn_reader *reader, const int64_t *record) {
    return reader->query->declaration.count_left_out && record[reader->query->measures + reader->edge_sets] != 0;
}

/* c_a c_b / 2^shift to the nearest whole number, half way up. Each c is at most 2^25 in size. */
static inline int64_t dpn_reader_product(const dpn_query *query, const dpn_moment *moment, const int64_t *record) {
    int64_t a = record[moment->a] - query->measure[moment->a].middle;
    int64_t b = record[moment->b] - query->measure[moment->b].middle;
    int64_t half = moment->shift > 0 ? INT64_C(1) << (moment->shift - 1) : 0;
    return (a * b + half) >> moment->shift;
}

/* Add a record to the sums and counts of its group; PERSONS grow by one if it is the person's first there. */
void dpn_reader_add(const dpn_reader *reader, const int64_t *record, bool first, int64_t *sum, int64_t *count);

/* The same record so many times, 1 or more, at once; `first` is for one of them. */
void dpn_reader_add_copies(const dpn_reader *reader, const int64_t *record, bool first, uint64_t copies, int64_t *sum,
                           int64_t *count);

#endif
