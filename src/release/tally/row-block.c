/* Rows in blocks, column by column. */
#include "release/tally/row-block.h"

#include "release/tally/person-fetch.h"
#include "release/tally/step.h"

bool dpn_row_block_serves(const dpn_query *query) {
    const dpn_declaration *declaration = &query->declaration;
    return declaration->wheres == 0 && declaration->nas == 0 && !declaration->count_left_out &&
           declaration->per_person == DPN_PER_PERSON_ROWS;
}

/* ---- Reading ---- */

static void find_groups(dpn_row_block *block, const dpn_reader *reader, const dpn_field *field) {
    const dpn_query *query = reader->query;
    for (size_t i = 0; i < block->rows; i++) block->group[i] = 0;
    for (size_t i = 0; i < query->declaration.bys; i++)
        if (reader->levels[i].slot)
            dpn_levels_find_all(block->group, &reader->levels[i], query->declaration.by[i].levels, field + query->by[i],
                                query->columns, block->rows);
}

/* Nobody is known by a name that is missing. */
static void drop_nameless(dpn_row_block *block, const dpn_query *query, const dpn_field *field) {
    for (size_t i = 0; i < block->rows; i++)
        if (dpn_field_blank(field[i * query->columns + query->person])) block->group[i] = SIZE_MAX;
}

/* The numbers of one column; those of rows that are not used are what they may be. */
static void read_column(dpn_numeral number[DPN_ROW_BLOCK], dpn_row_block *block, const dpn_reader *reader,
                        const dpn_field *field) {
    bool instead = reader->query->declaration.missing == DPN_MISSING_VALUE;
    size_t columns = reader->query->columns;
    for (size_t i = 0; i < block->rows; i++) {
        if (dpn_numeral_read(&number[i], field[i * columns]) == DPN_CONTENT_NUMBER) continue;
        number[i] = reader->instead; /* zero where there is no value for missing ones */
        if (!instead) block->group[i] = SIZE_MAX;
    }
}

static void read_numbers(dpn_row_block *block, const dpn_reader *reader, const dpn_field *field) {
    dpn_numeral number[DPN_ROW_BLOCK];
    const dpn_query *query = reader->query;
    size_t numbers = dpn_reader_record(reader);
    for (size_t slot = 0; slot < reader->numerics; slot++) {
        read_column(number, block, reader, field + reader->numeric[slot]);
        for (size_t i = 0; i < query->measures; i++)
            if (reader->slot[i] == slot)
                dpn_step_nearest_all(block->record + i, numbers, &query->measure[i], number, block->rows);
        for (size_t i = 0; i < reader->edge_sets; i++)
            if (reader->edges[i].slot == slot)
                for (size_t row = 0; row < block->rows; row++)
                    block->record[row * numbers + query->measures + i] =
                        dpn_reader_bin(&reader->edges[i], &number[row]);
    }
}

void dpn_row_block_read(dpn_row_block *block, const dpn_reader *reader, const dpn_field *field, size_t rows) {
    block->rows = rows;
    find_groups(block, reader, field);
    if (reader->query->person != SIZE_MAX) drop_nameless(block, reader->query, field);
    read_numbers(block, reader, field);
}

/* ---- Adding ---- */

static void add_value(const dpn_row_block *block, dpn_sums *sums, size_t moment, const int64_t *record, size_t numbers,
                      int64_t offset) {
    for (size_t i = 0; i < block->rows; i++)
        if (block->group[i] != SIZE_MAX)
            sums->sum[block->group[i] * sums->moments + moment] += record[i * numbers] - offset;
}

static void add_rows(const dpn_row_block *block, dpn_sums *sums, size_t moment) {
    for (size_t i = 0; i < block->rows; i++)
        if (block->group[i] != SIZE_MAX) sums->sum[block->group[i] * sums->moments + moment]++;
}

static void add_product(const dpn_row_block *block, dpn_sums *sums, size_t moment, const dpn_reader *reader) {
    size_t numbers = dpn_reader_record(reader);
    const dpn_moment *of = &reader->query->moment[moment];
    for (size_t i = 0; i < block->rows; i++)
        if (block->group[i] != SIZE_MAX)
            sums->sum[block->group[i] * sums->moments + moment] +=
                dpn_reader_product(reader->query, of, block->record + i * numbers) - of->offset;
}

static void add_bins(const dpn_row_block *block, dpn_sums *sums, const dpn_edges *edges, const int64_t *record,
                     size_t numbers) {
    for (size_t i = 0; i < block->rows; i++) {
        int64_t bin = record[i * numbers];
        if (block->group[i] != SIZE_MAX && bin != DPN_ABSENT)
            sums->count[block->group[i] * sums->counts + edges->count + (size_t)bin]++;
    }
}

void dpn_row_block_add(const dpn_row_block *block, const dpn_reader *reader, dpn_sums *sums) {
    const dpn_query *query = reader->query;
    size_t numbers = dpn_reader_record(reader);
    for (size_t i = 0; i < query->moments; i++) {
        const dpn_moment *moment = &query->moment[i];
        switch (moment->kind) {
        case DPN_MOMENT_ROWS:
        case DPN_MOMENT_PERSONS:
            add_rows(block, sums, i);
            break;
        case DPN_MOMENT_VALUE:
            add_value(block, sums, i, block->record + moment->a, numbers, moment->offset);
            break;
        case DPN_MOMENT_PRODUCT:
            add_product(block, sums, i, reader);
            break;
        case DPN_MOMENT_BINS:
        case DPN_MOMENT_LEFT_OUT:
            break;
        }
    }
    for (size_t i = 0; i < reader->edge_sets; i++)
        add_bins(block, sums, &reader->edges[i], block->record + query->measures + i, numbers);
}

/* ---- Persons ---- */

/* Each stage needs what the one before asked for, which has come by the time that it is its turn. */
void dpn_row_block_fetch(dpn_row_block *block, const dpn_query *query, const dpn_persons *persons,
                         const dpn_field *field) {
    const dpn_person *who[DPN_ROW_BLOCK];
    const dpn_share *share[DPN_ROW_BLOCK];
    for (size_t i = 0; i < block->rows; i++) {
        dpn_field name = field[i * query->columns + query->person];
        if (block->group[i] == SIZE_MAX) continue;
        block->hash[i] = dpn_keyed_hash(&persons->lottery->name, name.text, name.length);
        dpn_names_fetch_slot(&persons->names, block->hash[i]);
    }
    for (size_t i = 0; i < block->rows; i++)
        who[i] = block->group[i] == SIZE_MAX
                     ? NULL
                     : (const dpn_person *)dpn_names_fetch_item(&persons->names, block->hash[i]);
    for (size_t i = 0; i < block->rows; i++)
        if (who[i]) dpn_share_fetch(who[i]->share);
    for (size_t i = 0; i < block->rows; i++) {
        share[i] = who[i] ? who[i]->share : NULL;
        if (!share[i]) continue;
        if (share[i]->group != block->group[i]) share[i] = share[i]->next;
        dpn_share_fetch(share[i]);
    }
    for (size_t i = 0; i < block->rows; i++)
        if (share[i] && share[i]->row) __builtin_prefetch(share[i]->row);
}
