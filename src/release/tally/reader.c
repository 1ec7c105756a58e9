/* Rows: predicates, numbers, and what they add to their group. */
#include "release/tally/reader.h"

#include "base/error.h"
#include "release/tally/step.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making ---- */

static dpn_field field_of(const char *text) {
    return (dpn_field){text, strlen(text)};
}

/* Exponents beyond that are cut in fields, and would then not be compared exactly. */
static bool ordinary(const dpn_numeral *number) {
    return number->exponent <= 1000000000 && number->exponent >= -1000000000;
}

static dpn_status make_conditions(dpn_reader *out, const dpn_query *query, dpn_error *why) {
    for (size_t i = 0; i < query->declaration.wheres; i++) {
        const dpn_predicate *predicate = &query->declaration.where[i];
        dpn_condition *condition = &out->condition[i];
        *condition = (dpn_condition){.column = query->where[i], .is = predicate->is, .text = predicate->value};
        condition->length = strlen(predicate->value);
        condition->number = dpn_numeral_read(&condition->value, field_of(predicate->value)) == DPN_CONTENT_NUMBER;
        bool order = predicate->is != DPN_IS_EQUAL && predicate->is != DPN_IS_NOT_EQUAL;
        if (condition->number ? !ordinary(&condition->value) : order)
            return dpn_fail(why, DPN_EDOMAIN, "the predicate on %.60s needs a number of ordinary size",
                            predicate->column);
    }
    return DPN_OK;
}

/* The slot of a column among those that are read as numbers. */
static size_t slot_of(dpn_reader *out, size_t column) {
    size_t slot = 0;
    while (slot < out->numerics && out->numeric[slot] != column) slot++;
    if (slot == out->numerics) out->numeric[out->numerics++] = column;
    return slot;
}

static dpn_status make_edges(dpn_edges *out, const dpn_bins *bins, dpn_error *why) {
    if (bins->edges < 2) return dpn_fail(why, DPN_EDOMAIN, "a histogram needs two edges");
    out->number = calloc(bins->edges, sizeof *out->number);
    if (!out->number) return dpn_fail(why, DPN_ENOMEM, "no memory for the edges");
    out->edges = bins->edges;
    out->clamp = bins->clamp;
    out->upward = bins->upward;
    out->from = strcmp(bins->edge[0], "-inf") == 0;
    out->to = bins->edges - (strcmp(bins->edge[bins->edges - 1], "inf") == 0);
    for (size_t i = out->from; i < out->to; i++)
        if (dpn_numeral_read(&out->number[i], field_of(bins->edge[i])) != DPN_CONTENT_NUMBER ||
            !ordinary(&out->number[i]) ||
            (i > out->from && dpn_numeral_compare(&out->number[i - 1], &out->number[i]) >= 0))
            return dpn_fail(why, DPN_EDOMAIN, "edges have to be numbers of ordinary size that ascend");
    return DPN_OK;
}

static dpn_status make_numbers(dpn_reader *out, const dpn_query *query, dpn_error *why) {
    for (size_t i = 0; i < query->measures; i++) out->slot[i] = slot_of(out, query->measure[i].column);
    for (size_t i = 0; i < out->edge_sets; i++) {
        out->edges[i].count = out->counts;
        out->edges[i].slot = slot_of(out, query->bins[i].column);
        dpn_status status = make_edges(&out->edges[i], &query->bins[i], why);
        if (status) return status;
        out->counts += query->bins[i].edges - 1;
    }
    return DPN_OK;
}

static dpn_status make_levels(dpn_reader *out, const dpn_query *query, dpn_error *why) {
    for (size_t i = 0; i < query->declaration.bys; i++) {
        const dpn_grouping *by = &query->declaration.by[i];
        if (by->level && !dpn_levels_make(&out->levels[i], by->level, by->levels))
            return dpn_fail(why, DPN_ENOMEM, "no memory for the levels");
    }
    return DPN_OK;
}

/* At most 2^36 rows, fewer if one of them can add more than 2^26. */
static uint64_t most_rows(const dpn_query *query) {
    uint64_t most = UINT64_C(1) << 36;
    for (size_t i = 0; i < query->moments; i++) {
        int64_t bound = query->moment[i].bound;
        if (bound > 0 && (uint64_t)(INT64_MAX / bound) < most) most = (uint64_t)(INT64_MAX / bound);
    }
    return most;
}

static dpn_field trimmed(dpn_field field) {
    while (field.length > 0 && (*field.text == ' ' || *field.text == '\t')) field.text++, field.length--;
    while (field.length > 0 && (field.text[field.length - 1] == ' ' || field.text[field.length - 1] == '\t'))
        field.length--;
    return field;
}

static dpn_status make_missing(dpn_reader *out, const dpn_query *query, dpn_error *why) {
    const dpn_declaration *declaration = &query->declaration;
    for (size_t i = 0; i < declaration->nas; i++) out->na[i] = trimmed(field_of(declaration->na[i]));
    if (declaration->missing != DPN_MISSING_VALUE) return DPN_OK;
    if (declaration->missing_value &&
        dpn_numeral_read(&out->instead, field_of(declaration->missing_value)) == DPN_CONTENT_NUMBER)
        return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN, "the value for missing fields has to be a number");
}

static void *zeros(size_t count, size_t size) {
    return calloc(count > 0 ? count : 1, size);
}

dpn_status dpn_reader_make(dpn_reader *out, const dpn_query *query, dpn_error *why) {
    size_t sets = dpn_bin_sets(query);
    *out = (dpn_reader){.query = query, .edge_sets = sets, .most_rows = most_rows(query)};
    out->condition = zeros(query->declaration.wheres, sizeof *out->condition);
    out->levels = zeros(query->declaration.bys, sizeof *out->levels);
    out->numeric = zeros(query->measures + sets, sizeof *out->numeric);
    out->slot = zeros(query->measures, sizeof *out->slot);
    out->edges = zeros(sets, sizeof *out->edges);
    out->na = zeros(query->declaration.nas, sizeof *out->na);
    if (!out->condition || !out->levels || !out->numeric || !out->slot || !out->edges || !out->na)
        return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    dpn_status status = make_conditions(out, query, why);
    if (!status) status = make_levels(out, query, why);
    if (!status) status = make_numbers(out, query, why);
    return status ? status : make_missing(out, query, why);
}

void dpn_reader_free(dpn_reader *reader) {
    for (size_t i = 0; reader->levels && i < reader->query->declaration.bys; i++) dpn_levels_free(&reader->levels[i]);
    for (size_t i = 0; reader->edges && i < reader->edge_sets; i++) free(reader->edges[i].number);
    free(reader->condition);
    free(reader->levels);
    free(reader->numeric);
    free(reader->slot);
    free(reader->edges);
    free(reader->na);
}

/* ---- Missing fields ---- */

static bool is_missing(const dpn_reader *reader, dpn_field field) {
    dpn_field word = field.text ? trimmed(field) : field;
    for (size_t i = 0; i < reader->query->declaration.nas; i++)
        if (word.length == reader->na[i].length && memcmp(word.text, reader->na[i].text, word.length) == 0) return true;
    return false;
}

void dpn_reader_mark_missing(const dpn_reader *reader, const dpn_field *row, dpn_field *marked) {
    for (size_t i = 0; i < reader->query->columns; i++)
        marked[i] = row[i].text && is_missing(reader, row[i]) ? (dpn_field){NULL, 0} : row[i];
}

/* ---- Predicates ---- */

static bool same_text(const dpn_condition *condition, dpn_field field) {
    return field.length == condition->length && memcmp(field.text, condition->text, field.length) == 0;
}

static bool satisfies(dpn_predicate_is is, int sign) {
    switch (is) {
    case DPN_IS_EQUAL:
        return sign == 0;
    case DPN_IS_NOT_EQUAL:
        return sign != 0;
    case DPN_IS_LESS:
        return sign < 0;
    case DPN_IS_LESS_OR_EQUAL:
        return sign <= 0;
    case DPN_IS_GREATER:
        return sign > 0;
    case DPN_IS_GREATER_OR_EQUAL:
        return sign >= 0;
    }
    return false;
}

static dpn_row_verdict asked_for(bool holds) {
    return holds ? DPN_ROW_USED : DPN_ROW_NOT_ASKED;
}

static dpn_row_verdict judge(const dpn_condition *condition, dpn_field field) {
    dpn_numeral number;
    dpn_content content = dpn_numeral_read(&number, field);
    if (content == DPN_CONTENT_NUMBER && condition->number)
        return asked_for(satisfies(condition->is, dpn_numeral_compare(&number, &condition->value)));
    bool missing = content == DPN_CONTENT_MISSING;
    if (condition->is == DPN_IS_EQUAL) return asked_for(!missing && same_text(condition, field));
    if (condition->is == DPN_IS_NOT_EQUAL) return asked_for(!missing && !same_text(condition, field));
    return DPN_ROW_LEFT_OUT;
}

dpn_row_verdict dpn_reader_admits(const dpn_reader *reader, const dpn_field *row, size_t *column) {
    dpn_row_verdict verdict = DPN_ROW_USED;
    for (size_t i = 0; i < reader->query->declaration.wheres; i++) {
        const dpn_condition *condition = &reader->condition[i];
        dpn_row_verdict here = judge(condition, row[condition->column]);
        if (here == DPN_ROW_NOT_ASKED) return here;
        if (here == DPN_ROW_USED || verdict == DPN_ROW_LEFT_OUT) continue;
        verdict = here;
        *column = condition->column;
    }
    return verdict;
}

/* ---- Numbers ---- */

int64_t dpn_reader_bin(const dpn_edges *edges, const dpn_numeral *value) {
    /* Edges before low are not above the value, those from high on are; upward: below it, and not below it. */
    size_t low = edges->from, high = edges->to;
    int most = edges->upward ? -1 : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (dpn_numeral_compare(&edges->number[middle], value) <= most)
            low = middle + 1;
        else
            high = middle;
    }
    size_t bins = edges->edges - 1;
    if (low == 0) return edges->clamp ? 0 : DPN_ABSENT;
    if (low < edges->edges) return (int64_t)low - 1;
    bool last = edges->clamp || dpn_numeral_compare(&edges->number[bins], value) == 0;
    return last ? (int64_t)bins - 1 : DPN_ABSENT;
}

static size_t read_numbers(const dpn_reader *reader, const dpn_field *row, dpn_numeral *number) {
    for (size_t i = 0; i < reader->numerics; i++) {
        if (dpn_numeral_read(&number[i], row[reader->numeric[i]]) == DPN_CONTENT_NUMBER) continue;
        if (reader->query->declaration.missing != DPN_MISSING_VALUE) return reader->numeric[i];
        number[i] = reader->instead;
    }
    return SIZE_MAX;
}

static void read_totals(const dpn_reader *reader, const dpn_numeral *number, int64_t *record) {
    for (size_t i = 0; i < reader->query->measures; i++)
        dpn_total_read(record + DPN_TOTAL_NUMBERS * i, &reader->query->measure[i], &number[reader->slot[i]]);
}

size_t dpn_reader_read(const dpn_reader *reader, const dpn_field *row, dpn_numeral *number, int64_t *record) {
    size_t bad = read_numbers(reader, row, number);
    if (bad != SIZE_MAX) return bad;
    if (reader->query->declaration.per_person) {
        read_totals(reader, number, record);
        return SIZE_MAX;
    }
    for (size_t i = 0; i < reader->query->measures; i++) {
        const dpn_numeral *value = &number[reader->slot[i]];
        *record++ = dpn_step_nearest(&reader->query->measure[i], value);
    }
    for (size_t i = 0; i < reader->edge_sets; i++) {
        const dpn_numeral *value = &number[reader->edges[i].slot];
        *record++ = dpn_reader_bin(&reader->edges[i], value);
    }
    if (reader->query->declaration.count_left_out) *record = 0;
    return SIZE_MAX;
}

void dpn_reader_leave_out(const dpn_reader *reader, int64_t *record) {
    size_t numbers = dpn_reader_record(reader) - 1;
    for (size_t i = 0; i < numbers; i++) record[i] = DPN_ABSENT;
    record[numbers] = 1;
}

/* ---- Sums ---- */

static int64_t term(const dpn_query *query, const dpn_moment *moment, const int64_t *record, bool first) {
    switch (moment->kind) {
    case DPN_MOMENT_ROWS:
        return 1;
    case DPN_MOMENT_VALUE:
        return record[moment->a] - moment->offset;
    case DPN_MOMENT_PRODUCT:
        return dpn_reader_product(query, moment, record) - moment->offset;
    case DPN_MOMENT_PERSONS:
        return first;
    case DPN_MOMENT_BINS:
    case DPN_MOMENT_LEFT_OUT:
        return 0;
    }
    return 0;
}

/* A row that is left out is a person's row all the same. */
static void add_left_out(const dpn_query *query, bool first, int64_t copies, int64_t *sum) {
    for (size_t i = 0; i < query->moments; i++) {
        if (query->moment[i].kind == DPN_MOMENT_LEFT_OUT) sum[i] += copies;
        if (query->moment[i].kind == DPN_MOMENT_PERSONS) sum[i] += first;
    }
}

void dpn_reader_add(const dpn_reader *reader, const int64_t *record, bool first, int64_t *sum, int64_t *count) {
    const dpn_query *query = reader->query;
    if (dpn_record_left_out(reader, record)) {
        add_left_out(query, first, 1, sum);
        return;
    }
    for (size_t i = 0; i < query->moments; i++) sum[i] += term(query, &query->moment[i], record, first);
    for (size_t i = 0; i < reader->edge_sets; i++) {
        int64_t bin = record[query->measures + i];
        if (bin != DPN_ABSENT) count[reader->edges[i].count + (size_t)bin]++;
    }
}

/* No product leaves an int64_t, because the sum of as many rows does not (most_rows). */
void dpn_reader_add_copies(const dpn_reader *reader, const int64_t *record, bool first, uint64_t copies, int64_t *sum,
                           int64_t *count) {
    const dpn_query *query = reader->query;
    int64_t more = (int64_t)copies - 1;
    dpn_reader_add(reader, record, first, sum, count);
    if (more == 0) return;
    if (dpn_record_left_out(reader, record)) {
        add_left_out(query, false, more, sum);
        return;
    }
    for (size_t i = 0; i < query->moments; i++) sum[i] += more * term(query, &query->moment[i], record, false);
    for (size_t i = 0; i < reader->edge_sets; i++) {
        int64_t bin = record[query->measures + i];
        if (bin != DPN_ABSENT) count[reader->edges[i].count + (size_t)bin] += more;
    }
}
