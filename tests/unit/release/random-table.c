#include "unit/release/random-table.h"

#include "unit/release/rational.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t below(draw_source *source, uint64_t count) {
    return draw_bits(source) % count;
}

/* ---- Queries ---- */

static char *columns[] = {"region", "school", "income", "age", "flag", "person"};
static char *regions[] = {"north", "south", "east", "west", "", "the far north of the country"};
static char *schools[] = {"1", "2", "03", "n/a"};
static char *age_edges[] = {"0", "17.5", "18", "65", "120"};
static char *income_edges[] = {"-inf", "0", "0.1", "1e2", "inf"};
static char *age_steps[] = {"-inf", "17", "17.5", "18", "40", "65"};
static char *age_candidates[] = {"10", "20", "30.25", "99"};

/* A grid, and bounds within 2^26 steps of each other whose middle is a step. */
static dpn_measure random_measure(draw_source *source, size_t column) {
    int exponent = (int)below(source, 16) - 12;
    int64_t half = draw_chance(source, 0.5) ? 1 << 25 : (int64_t)below(source, 5000) + 1;
    int64_t middle = draw_chance(source, 0.5) ? half : (int64_t)below(source, 1000000) - 500000;
    return (dpn_measure){column, exponent, middle - half, middle + half, middle};
}

int64_t table_moment_bound(const dpn_query *query, const dpn_moment *moment) {
    const dpn_measure *a = &query->measure[moment->a], *b = &query->measure[moment->b];
    int64_t low, high;
    switch (moment->kind) {
    case DPN_MOMENT_VALUE:
        low = a->lower - moment->offset;
        high = a->upper - moment->offset;
        break;
    case DPN_MOMENT_PRODUCT:
        low = moment->a == moment->b ? 0 : rational_shift(a->lower - a->middle, b->upper - b->middle, moment->shift);
        high = rational_shift(a->upper - a->middle, b->upper - b->middle, moment->shift);
        low -= moment->offset;
        high -= moment->offset;
        break;
    default:
        return 1;
    }
    return -low > high ? -low : high;
}

static void add_moment(table_query *out, dpn_moment moment) {
    moment.bound = table_moment_bound(&out->query, &moment);
    out->moment[out->query.moments++] = moment;
}

/* A product of two measures; the square of one is moved so that it is symmetric. */
static void add_product(table_query *out, size_t a, size_t b, int shift) {
    dpn_moment moment = {.kind = DPN_MOMENT_PRODUCT, .a = a, .b = b, .shift = shift};
    if (a == b) moment.offset = table_moment_bound(&out->query, &moment) / 2;
    add_moment(out, moment);
}

static void add_moments(table_query *out, draw_source *source) {
    bool left_out = out->query.declaration.count_left_out;
    out->query.moment = out->moment;
    add_moment(out, (dpn_moment){.kind = DPN_MOMENT_ROWS});
    add_moment(out, (dpn_moment){.kind = DPN_MOMENT_PERSONS});
    out->query.persons = 1;
    for (size_t i = 0; i < 2; i++) {
        add_moment(out, (dpn_moment){.kind = DPN_MOMENT_VALUE, .a = i, .offset = i == 0 ? out->measure[i].middle : 0});
        add_product(out, i, i, (int)below(source, 30));
    }
    add_product(out, 0, 1, (int)below(source, 30));
    for (size_t i = 0; i < out->query.histograms; i++) add_moment(out, (dpn_moment){.kind = DPN_MOMENT_BINS, .a = i});
    if (left_out) add_moment(out, (dpn_moment){.kind = DPN_MOMENT_LEFT_OUT});
}

static void add_groups(table_query *out, draw_source *source, bool unknown) {
    dpn_declaration *declaration = &out->query.declaration;
    declaration->by = out->by;
    declaration->bys = unknown ? 1 + below(source, 2) : below(source, 3);
    out->by[0] = (dpn_grouping){.column = columns[TABLE_REGION], .level = regions, .levels = 1 + below(source, 6)};
    out->by[1] = (dpn_grouping){.column = columns[TABLE_SCHOOL], .level = schools, .levels = 1 + below(source, 4)};
    out->by_column[0] = TABLE_REGION;
    out->by_column[1] = TABLE_SCHOOL;
    out->query.by = out->by_column;
    if (unknown) out->by[below(source, declaration->bys)].level = NULL;
    if (unknown && declaration->bys == 2 && draw_chance(source, 0.3)) out->by[0].level = out->by[1].level = NULL;
    out->query.known_keys = !unknown;
    out->query.groups = unknown ? 0 : 1;
    for (size_t i = 0; i < declaration->bys; i++) {
        out->query.groups *= out->by[i].levels;
        if (!out->by[i].level) out->by[i].levels = 0;
    }
}

static void add_predicates(table_query *out, draw_source *source) {
    static const dpn_predicate all[] = {
        {"flag", DPN_IS_EQUAL, "yes"},   {"flag", DPN_IS_NOT_EQUAL, "no"},
        {"age", DPN_IS_LESS, "50"},      {"age", DPN_IS_GREATER_OR_EQUAL, "17.50"},
        {"flag", DPN_IS_EQUAL, "1.0"},   {"income", DPN_IS_LESS_OR_EQUAL, "1e3"},
        {"flag", DPN_IS_NOT_EQUAL, "1"}, {"income", DPN_IS_GREATER, "-0.250"},
    };
    dpn_declaration *declaration = &out->query.declaration;
    declaration->where = out->where;
    declaration->wheres = below(source, 3);
    out->query.where = out->where_column;
    for (size_t i = 0; i < declaration->wheres; i++) {
        out->where[i] = all[below(source, sizeof all / sizeof *all)];
        for (size_t j = 0; j < TABLE_COLUMNS; j++)
            if (strcmp(columns[j], out->where[i].column) == 0) out->where_column[i] = j;
    }
}

void table_random_query(table_query *out, draw_source *source, table_options options) {
    memset(out, 0, sizeof *out);
    dpn_query *query = &out->query;
    query->column = columns;
    query->columns = TABLE_COLUMNS;
    query->declaration.missing = options.value ? DPN_MISSING_VALUE : DPN_MISSING_SKIP;
    query->declaration.missing_value = options.value ? "20.25" : NULL;
    query->declaration.count_left_out = options.left_out;
    out->na[0] = "n/a";
    out->na[1] = "-9";
    query->declaration.na = out->na;
    query->declaration.nas = options.skip ? 2 : 0;
    query->declaration.max_rows = query->declaration.max_groups = 1;
    query->person = SIZE_MAX;
    if (options.persons) {
        query->person = TABLE_PERSON;
        query->declaration.person = columns[TABLE_PERSON];
        query->declaration.max_rows = 1 + below(source, 4);
        query->declaration.max_groups = 1 + below(source, 4);
    }
    query->moved_groups = query->declaration.max_groups;
    query->measure = out->measure;
    query->measures = 2;
    out->measure[0] = random_measure(source, TABLE_INCOME);
    out->measure[1] = random_measure(source, TABLE_AGE);
    query->bins = out->bins;
    query->histograms = 2;
    query->trees = query->quantiles = 1;
    out->bins[0] = (dpn_bins){.column = TABLE_AGE, .edge = age_edges, .edges = 5};
    out->bins[1] = (dpn_bins){.column = TABLE_INCOME, .edge = income_edges, .edges = 5};
    out->bins[2] = (dpn_bins){.column = TABLE_AGE, .edge = age_steps, .edges = 6, .clamp = true, .upward = true};
    out->bins[3] = (dpn_bins){.column = TABLE_AGE, .edge = age_candidates, .edges = 4, .clamp = true};
    add_moments(out, source);
    add_groups(out, source, options.unknown_keys);
    add_predicates(out, source);
}

/* ---- Tables ---- */

/* Numbers of all sizes, many of them on edges and ties. */
static void random_number(char text[TABLE_TEXT], draw_source *source, bool unusable) {
    static const char *const bad[] = {"", "  ", "abc", "1e", "0x10", "1,5", "inf", "-9", " n/a\t", "--1"};
    static const char *const special[] = {
        "0",    "17.5", "18",   "65.0",  "120",   "1e2",    "0.1",
        "-0",   "+3",   " 20 ", "99",    "30.25", "-1e-30", "1e30",
        "1000", "0.5",  "-0.5", "-2.75", "50",    "-.25",   "123456789012345678901234567"};
    if (unusable && draw_chance(source, 0.2))
        strcpy(text, bad[below(source, sizeof bad / sizeof *bad)]);
    else if (draw_chance(source, 0.3))
        strcpy(text, special[below(source, sizeof special / sizeof *special)]);
    else
        snprintf(text, TABLE_TEXT, "%s%d.%03d", draw_chance(source, 0.2) ? "-" : "", (int)below(source, 150),
                 (int)below(source, 1000));
}

void table_random_row(random_table *table, size_t row, draw_source *source, const table_query *query, size_t persons) {
    static const char *const flags[] = {"yes", "no", "1", "1.00", "", "maybe"};
    bool skip = query->query.declaration.nas > 0;
    char(*text)[TABLE_TEXT] = table->text + row * TABLE_COLUMNS;
    strcpy(text[TABLE_REGION], regions[below(source, 6)]);
    strcpy(text[TABLE_SCHOOL], draw_chance(source, 0.1) ? "undeclared" : schools[below(source, 4)]);
    random_number(text[TABLE_INCOME], source, skip);
    random_number(text[TABLE_AGE], source, skip);
    strcpy(text[TABLE_FLAG], flags[below(source, 6)]);
    snprintf(text[TABLE_PERSON], TABLE_TEXT, "person %u", (unsigned)below(source, persons));
    dpn_field *field = table->field + row * TABLE_COLUMNS;
    for (size_t i = 0; i < TABLE_COLUMNS; i++) field[i] = (dpn_field){text[i], strlen(text[i])};
    if (skip && draw_chance(source, 0.05)) field[TABLE_AGE] = (dpn_field){NULL, 0};
    if (draw_chance(source, 0.05)) field[TABLE_REGION] = (dpn_field){NULL, 0};
}

void table_random(random_table *out, draw_source *source, const table_query *query, size_t rows, size_t persons) {
    out->rows = rows;
    out->field = calloc((rows + 1) * TABLE_COLUMNS, sizeof *out->field);
    out->text = calloc((rows + 1) * TABLE_COLUMNS, sizeof *out->text);
    if (!out->field || !out->text) abort();
    for (size_t i = 0; i < rows; i++) table_random_row(out, i, source, query, persons);
}

void table_free(random_table *table) {
    free(table->field);
    free(table->text);
}

/* ---- The slow tally ---- */

/* The text of a field, "" if it is missing: an "n/a" or "-9" between blanks, where these are declared. Texts end in a zero byte. */
static const char *text_in(const table_query *query, dpn_field field) {
    char word[TABLE_TEXT] = "", more[TABLE_TEXT] = "";
    if (!field.text) return "";
    if (query->query.declaration.nas > 0 && sscanf(field.text, " %39s %39s", word, more) == 1 &&
        (strcmp(word, "n/a") == 0 || strcmp(word, "-9") == 0))
        return "";
    return field.text;
}

dpn_field table_field(const table_query *query, dpn_field field) {
    const char *text = text_in(query, field);
    return (dpn_field){text, strlen(text)};
}

/* A number, or what stands in its place. */
static bool number_in(mpq_t x, const table_query *query, dpn_field field) {
    if (rational_read(x, table_field(query, field)) == RATIONAL_NUMBER) return true;
    const char *instead = query->query.declaration.missing_value;
    return instead && rational_read(x, (dpn_field){instead, strlen(instead)}) == RATIONAL_NUMBER;
}

static bool by_sign(dpn_predicate_is is, int sign) {
    return (is == DPN_IS_EQUAL && sign == 0) || (is == DPN_IS_NOT_EQUAL && sign != 0) ||
           (is == DPN_IS_LESS && sign < 0) || (is == DPN_IS_LESS_OR_EQUAL && sign <= 0) ||
           (is == DPN_IS_GREATER && sign > 0) || (is == DPN_IS_GREATER_OR_EQUAL && sign >= 0);
}

typedef enum verdict { NO, YES, UNKNOWN } verdict;

static verdict predicate_says(const dpn_predicate *predicate, dpn_field field) {
    mpq_t x, value;
    mpq_inits(x, value, NULL);
    rational_kind kind = rational_read(x, field);
    bool number = rational_read(value, (dpn_field){predicate->value, strlen(predicate->value)}) == RATIONAL_NUMBER;
    bool sizes = predicate->is != DPN_IS_EQUAL && predicate->is != DPN_IS_NOT_EQUAL;
    verdict says;
    if (sizes && kind != RATIONAL_NUMBER)
        says = UNKNOWN;
    else if (kind == RATIONAL_MISSING)
        says = NO;
    else if (kind == RATIONAL_NUMBER && number)
        says = by_sign(predicate->is, mpq_cmp(x, value)) ? YES : NO;
    else
        says = by_sign(predicate->is, strcmp(field.text, predicate->value)) ? YES : NO;
    mpq_clears(x, value, NULL);
    return says;
}

static bool numbers_are_read(const table_query *query, const dpn_field *field) {
    mpq_t x;
    mpq_init(x);
    bool all = number_in(x, query, field[TABLE_INCOME]) && number_in(x, query, field[TABLE_AGE]);
    mpq_clear(x);
    return all;
}

/* NO: not asked for. UNKNOWN: left out. */
static verdict row_says(const random_table *table, const table_query *query, size_t row) {
    const dpn_field *field = table->field + row * TABLE_COLUMNS;
    const dpn_declaration *declaration = &query->query.declaration;
    verdict all = numbers_are_read(query, field) ? YES : UNKNOWN;
    for (size_t i = 0; i < declaration->wheres; i++) {
        verdict one = predicate_says(&declaration->where[i], table_field(query, field[query->where_column[i]]));
        if (one == NO) return NO;
        if (one == UNKNOWN) all = UNKNOWN;
    }
    for (size_t i = 0; i < declaration->bys; i++) {
        bool declared = !declaration->by[i].level;
        for (size_t j = 0; j < declaration->by[i].levels; j++)
            declared |= strcmp(declaration->by[i].level[j], text_in(query, field[query->by_column[i]])) == 0;
        if (!declared) return NO;
    }
    return all;
}

bool table_admits(const random_table *table, const table_query *query, size_t row) {
    verdict says = row_says(table, query, row);
    return says == YES || (says == UNKNOWN && query->query.declaration.count_left_out);
}

static size_t find_group(slow_tally *slow, const table_query *query, const dpn_field *field) {
    size_t bys = query->query.declaration.bys, i = 0;
    for (; i < slow->groups; i++) {
        bool same = true;
        for (size_t j = 0; j < bys; j++)
            same &= strcmp(slow->group[i].key[j], text_in(query, field[query->by_column[j]])) == 0;
        if (same) return i;
    }
    slow->group = realloc(slow->group, (slow->groups + 1) * sizeof *slow->group);
    if (!slow->group) abort();
    memset(&slow->group[i], 0, sizeof *slow->group);
    for (size_t j = 0; j < bys; j++) slow->group[i].key[j] = text_in(query, field[query->by_column[j]]);
    return slow->groups++;
}

static void declared_groups(slow_tally *slow, const table_query *query) {
    const dpn_grouping *by = query->query.declaration.by;
    size_t bys = query->query.declaration.bys;
    size_t first = bys > 0 ? by[0].levels : 1, second = bys > 1 ? by[1].levels : 1;
    slow->groups = first * second;
    slow->group = calloc(slow->groups, sizeof *slow->group);
    if (!slow->group) abort();
    for (size_t i = 0; i < first; i++)
        for (size_t j = 0; j < second; j++) {
            slow->group[i * second + j].key[0] = bys > 0 ? by[0].level[i] : NULL;
            slow->group[i * second + j].key[1] = bys > 1 ? by[1].level[j] : NULL;
        }
}

/* The bin by going through all edges; -1 for none. */
static int slow_bin(const dpn_bins *bins, const mpq_t x) {
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    int found = -1;
    for (size_t i = 0; i + 1 < bins->edges; i++) {
        bool last = i + 2 == bins->edges;
        bool open_low = rational_read(low, (dpn_field){bins->edge[i], strlen(bins->edge[i])}) != RATIONAL_NUMBER;
        bool open_high =
            rational_read(high, (dpn_field){bins->edge[i + 1], strlen(bins->edge[i + 1])}) != RATIONAL_NUMBER;
        if (bins->clamp && i == 0) open_low = true;
        if (bins->clamp && last) open_high = true;
        bool above = open_low || mpq_cmp(x, low) >= (bins->upward ? 1 : 0);
        if (above && (open_high || mpq_cmp(x, high) < 0 || ((last || bins->upward) && mpq_equal(x, high))))
            found = (int)i;
    }
    mpq_clears(low, high, NULL);
    return found;
}

static int64_t slow_term(const dpn_query *query, const dpn_moment *moment, const int64_t step[2]) {
    const dpn_measure *measure = query->measure;
    switch (moment->kind) {
    case DPN_MOMENT_VALUE:
        return step[moment->a] - moment->offset;
    case DPN_MOMENT_PRODUCT:
        return rational_shift(step[moment->a] - measure[moment->a].middle, step[moment->b] - measure[moment->b].middle,
                              moment->shift) -
               moment->offset;
    case DPN_MOMENT_BINS:
    case DPN_MOMENT_LEFT_OUT:
        return 0;
    default:
        return 1;
    }
}

static void add_row(slow_group *group, const table_query *of, const dpn_field *field) {
    const dpn_query *query = &of->query;
    mpq_t x[2];
    mpq_inits(x[0], x[1], NULL);
    int64_t step[2] = {0, 0};
    for (size_t i = 0; i < 2; i++) {
        const dpn_measure *measure = &query->measure[i];
        assert_true(number_in(x[i], of, field[measure->column]));
        step[i] = rational_step(x[i], measure->exponent, measure->lower, measure->upper);
    }
    for (size_t i = 0; i < query->moments; i++) group->sum[i] += slow_term(query, &query->moment[i], step);
    size_t first = 0;
    for (size_t i = 0; i < dpn_bin_sets(query); i++) {
        int bin = slow_bin(&query->bins[i], x[query->bins[i].column == TABLE_AGE]);
        if (bin >= 0) group->count[first + (size_t)bin]++;
        first += query->bins[i].edges - 1;
    }
    mpq_clears(x[0], x[1], NULL);
}

static void add_left_out(slow_group *group, const dpn_query *query) {
    for (size_t i = 0; i < query->moments; i++)
        group->sum[i] += query->moment[i].kind == DPN_MOMENT_LEFT_OUT || query->moment[i].kind == DPN_MOMENT_PERSONS;
}

size_t table_record(int64_t record[TABLE_RECORD], const table_query *query, const random_table *table, size_t row) {
    const dpn_field *field = table->field + row * TABLE_COLUMNS;
    bool left_out = row_says(table, query, row) == UNKNOWN;
    size_t numbers = 0;
    mpq_t x;
    mpq_init(x);
    for (size_t i = 0; i < 2; i++) {
        const dpn_measure *measure = &query->measure[i];
        bool present = !left_out && number_in(x, query, field[measure->column]);
        record[numbers++] = present ? rational_step(x, measure->exponent, measure->lower, measure->upper) : INT64_MIN;
    }
    for (size_t i = 0; i < TABLE_BINS; i++) {
        bool present = !left_out && number_in(x, query, field[query->bins[i].column]);
        int bin = present ? slow_bin(&query->bins[i], x) : -1;
        record[numbers++] = bin < 0 ? INT64_MIN : bin;
    }
    mpq_clear(x);
    if (query->query.declaration.count_left_out) record[numbers++] = left_out;
    return numbers;
}

static bool same_field(const table_query *query, dpn_field a, dpn_field b) {
    return strcmp(text_in(query, a), text_in(query, b)) == 0;
}

/* Whether no row before this one, among those that count, is of the same person in the same group. */
static bool first_of_person(const random_table *table, const table_query *query, const bool *keep, size_t row) {
    const dpn_field *field = table->field + row * TABLE_COLUMNS;
    for (size_t i = 0; i < row && query->query.person != SIZE_MAX; i++) {
        const dpn_field *other = table->field + i * TABLE_COLUMNS;
        bool same = (!keep || keep[i]) && same_field(query, other[TABLE_PERSON], field[TABLE_PERSON]);
        for (size_t j = 0; j < query->query.declaration.bys; j++)
            same &= same_field(query, other[query->by_column[j]], field[query->by_column[j]]);
        if (same && table_admits(table, query, i)) return false;
    }
    return true;
}

static int compare_groups(const void *a, const void *b) {
    const slow_group *x = a, *y = b;
    for (int i = 0; i < 2; i++) {
        int sign = x->key[i] && y->key[i] ? strcmp(x->key[i], y->key[i]) : 0;
        if (sign) return sign;
    }
    return 0;
}

slow_tally table_tally(const random_table *table, const table_query *query, const bool *keep) {
    slow_tally slow = {0};
    if (query->query.known_keys) declared_groups(&slow, query);
    for (size_t i = 0; i < table->rows; i++) {
        const dpn_field *field = table->field + i * TABLE_COLUMNS;
        if ((keep && !keep[i]) || !table_admits(table, query, i)) continue;
        size_t index = find_group(&slow, query, field); /* it may move the groups */
        slow_group *group = &slow.group[index];
        if (row_says(table, query, i) == YES)
            add_row(group, query, field);
        else
            add_left_out(group, &query->query);
        group->sum[query->query.persons] -= !first_of_person(table, query, keep, i);
    }
    if (!query->query.known_keys && slow.groups > 0) qsort(slow.group, slow.groups, sizeof *slow.group, compare_groups);
    return slow;
}

void slow_free(slow_tally *slow) {
    free(slow->group);
}

void table_assert_same(const dpn_query *query, const dpn_group *group, size_t groups, const slow_tally *slow) {
    assert_int_equal(groups, slow->groups);
    size_t counts = 0;
    for (size_t i = 0; i < dpn_bin_sets(query); i++) counts += query->bins[i].edges - 1;
    for (size_t i = 0; i < groups; i++) {
        for (size_t j = 0; j < query->declaration.bys; j++) assert_string_equal(group[i].key[j], slow->group[i].key[j]);
        for (size_t j = 0; j < query->moments; j++)
            if (group[i].sum[j] != slow->group[i].sum[j])
                fail_msg("group %zu, moment %zu of kind %d: %lld, not %lld", i, j, (int)query->moment[j].kind,
                         (long long)group[i].sum[j], (long long)slow->group[i].sum[j]);
        for (size_t j = 0; j < counts; j++)
            if (group[i].count[j] != slow->group[i].count[j])
                fail_msg("group %zu, bin %zu: %lld, not %lld", i, j, (long long)group[i].count[j],
                         (long long)slow->group[i].count[j]);
    }
}

/* ---- Tallies ---- */

dpn_tally *table_open_tally(const table_query *query, seeded *source) {
    dpn_tally *tally = NULL;
    dpn_error why;
    if (dpn_tally_new(&tally, &query->query, &source->rng, &why)) fail_msg("%s", why.sentence);
    return tally;
}

dpn_tally *table_open_with(const table_query *query, const dpn_tally_secret *secret, uint64_t seed) {
    seeded source;
    seeded_begin(&source, seed);
    dpn_tally *tally = NULL;
    dpn_error why;
    if (dpn_tally_new_with(&tally, &query->query, secret, &source.rng, &why)) fail_msg("%s", why.sentence);
    return tally;
}

void table_add(dpn_tally *tally, const dpn_field *field, size_t rows) {
    dpn_error why;
    if (dpn_tally_rows(tally, field, rows, &why)) fail_msg("%s", why.sentence);
}

const dpn_group *table_settle(size_t *groups, dpn_tally *tally) {
    const dpn_group *group;
    dpn_error why;
    if (dpn_tally_settle(&group, groups, tally, &why)) fail_msg("%s", why.sentence);
    return group;
}

void table_assert_settles_to(const table_query *query, dpn_tally *tally, const slow_tally *slow) {
    size_t groups;
    const dpn_group *group = table_settle(&groups, tally);
    table_assert_same(&query->query, group, groups, slow);
}
