/* The bounds of sums and records. */
#include "release/tally/bounds.h"

static const char *word_of(dpn_moment_kind kind) {
    switch (kind) {
    case DPN_MOMENT_ROWS:
        return "a number of rows";
    case DPN_MOMENT_PERSONS:
        return "a number of persons";
    case DPN_MOMENT_VALUE:
        return "a sum of values";
    case DPN_MOMENT_PRODUCT:
        return "a sum of products";
    case DPN_MOMENT_LEFT_OUT:
        return "a number of rows left out";
    case DPN_MOMENT_BINS:
        break;
    }
    return "the place of a histogram among the sums";
}

/* most_rows of the reader sees to it that bound * rows is an int64_t. */
static bool sum_possible(const dpn_moment *moment, int64_t rows, int64_t sum) {
    int64_t most = moment->kind == DPN_MOMENT_BINS ? 0 : moment->bound * rows;
    bool counts = moment->kind != DPN_MOMENT_VALUE && moment->kind != DPN_MOMENT_PRODUCT;
    return sum <= most && sum >= (counts ? 0 : -most);
}

bool dpn_sums_possible(const char **what, const dpn_reader *reader, uint64_t rows, const int64_t *sum,
                       const int64_t *count) {
    const dpn_query *query = reader->query;
    for (size_t i = 0; i < query->moments; i++) {
        *what = word_of(query->moment[i].kind);
        if (!sum_possible(&query->moment[i], (int64_t)rows, sum[i])) return false;
    }
    *what = "a count of bins";
    for (size_t i = 0; i < reader->edge_sets; i++) {
        uint64_t left = rows; /* a row is in one bin at most */
        for (size_t j = 0; j + 1 < reader->edges[i].edges; j++, count++) {
            if (*count < 0 || (uint64_t)*count > left) return false;
            left -= (uint64_t)*count;
        }
    }
    return true;
}

static bool totals_possible(const dpn_query *query, const int64_t *record, uint64_t rows) {
    for (size_t i = 0; i < query->measures; i++)
        if (!dpn_total_possible(record + DPN_TOTAL_NUMBERS * i, rows)) return false;
    return true;
}

bool dpn_record_possible(const dpn_reader *reader, const int64_t *record, uint64_t copies) {
    const dpn_query *query = reader->query;
    if (query->declaration.per_person) return totals_possible(query, record, copies);
    bool left_out = dpn_record_left_out(reader, record);
    for (size_t i = 0; i < query->measures; i++, record++)
        if (left_out ? *record != DPN_ABSENT : *record < query->measure[i].lower || *record > query->measure[i].upper)
            return false;
    for (size_t i = 0; i < reader->edge_sets; i++, record++) {
        bool bin = *record >= 0 && (uint64_t)*record + 1 < reader->edges[i].edges;
        if (*record != DPN_ABSENT && (left_out || !bin)) return false;
    }
    return !query->declaration.count_left_out || *record == left_out;
}
