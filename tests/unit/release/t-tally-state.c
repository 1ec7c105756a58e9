/* Tallies as bytes: parts made anywhere merge into the whole, and hostile bytes change nothing. */
#include "release/tally/reader.h"
#include "release/tally/shape.h"
#include "unit/release/random-table.h"

#include <openssl/evp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Bytes ---- */

typedef struct bytes {
    unsigned char *at;
    size_t length;
} bytes;

static bytes written(dpn_tally *tally) {
    bytes out;
    dpn_error why;
    if (dpn_tally_write(&out.at, &out.length, tally, &why)) fail_msg("%s", why.sentence);
    return out;
}

static void discard(bytes *state) {
    dpn_tally_state_free(state->at, state->length);
}

static void assert_same_bytes(bytes a, bytes b) {
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.at, b.at, a.length);
}

static void add_state(dpn_tally *tally, bytes state) {
    dpn_error why;
    if (dpn_tally_add_state(tally, state.at, state.length, &why)) fail_msg("%s", why.sentence);
}

/* Make the check fit again: what is behind it is then looked at. */
static void seal(bytes state) {
    if (state.length < 32) return;
    assert_int_equal(EVP_Digest(state.at, state.length - 32, state.at + state.length - 32, NULL, EVP_sha256(), NULL),
                     1);
}

static dpn_tally_secret secret_of(uint64_t seed) {
    draw_source source = {seed};
    dpn_tally_secret secret;
    for (size_t i = 0; i < sizeof secret.byte; i++) secret.byte[i] = draw_bits(&source) & 255;
    return secret;
}

static void shuffle(dpn_field *field, size_t rows, draw_source *source) {
    for (size_t i = rows; i > 1; i--) {
        dpn_field row[TABLE_COLUMNS];
        size_t j = draw_bits(source) % i;
        memcpy(row, field + j * TABLE_COLUMNS, sizeof row);
        memcpy(field + j * TABLE_COLUMNS, field + (i - 1) * TABLE_COLUMNS, sizeof row);
        memcpy(field + (i - 1) * TABLE_COLUMNS, row, sizeof row);
    }
}

/* ---- Parts ---- */

enum { PARTS = 5 };

/* The rows in any order, each in one of some parts; each part in a tally of its own process, as it were: with its own hashes,
 * and nothing in common but the secret. They come together as bytes, or some of them by merging, in any order. */
static dpn_tally *in_parts(const table_query *query, random_table *table, draw_source *source, uint64_t seed) {
    dpn_tally_secret secret = secret_of(seed);
    dpn_tally *part[PARTS], *whole = table_open_with(query, &secret, draw_bits(source));
    size_t parts = 1 + draw_bits(source) % PARTS;
    for (size_t i = 0; i < parts; i++) part[i] = table_open_with(query, &secret, draw_bits(source));
    shuffle(table->field, table->rows, source);
    for (size_t i = 0; i < table->rows; i++)
        table_add(part[draw_bits(source) % parts], table->field + i * TABLE_COLUMNS, 1);
    for (size_t left = parts; left > 0; left--) {
        size_t i = draw_bits(source) % left;
        bytes state = written(part[i]);
        bool chained = left > 1 && draw_chance(source, 0.3); /* into another part first */
        add_state(chained ? part[i == 0 ? 1 : 0] : whole, state);
        discard(&state);
        dpn_tally_free(part[i]);
        part[i] = part[left - 1];
    }
    return whole;
}

static void parts_made_anywhere_are_the_whole(void **state) {
    (void)state;
    draw_source source = {1};
    for (uint64_t i = 0; i < 250; i++) {
        table_query query;
        random_table table;
        table_random_query(&query, &source,
                           (table_options){.persons = i % 4 > 0, .unknown_keys = i % 2, .skip = i % 3 == 0});
        table_random(&table, &source, &query, draw_bits(&source) % 60, 1 + draw_bits(&source) % 6);
        dpn_tally_secret secret = secret_of(i);
        dpn_tally *one = table_open_with(&query, &secret, 1);
        table_add(one, table.field, table.rows);
        bytes expected = written(one);
        size_t groups, again;
        const dpn_group *group = table_settle(&groups, one);
        for (int j = 0; j < 4; j++) {
            dpn_tally *other = in_parts(&query, &table, &source, i);
            bytes made = written(other);
            assert_same_bytes(made, expected);
            const dpn_group *same = table_settle(&again, other);
            assert_int_equal(again, groups);
            for (size_t k = 0; k < groups; k++)
                assert_memory_equal(same[k].sum, group[k].sum, query.query.moments * sizeof *same[k].sum);
            discard(&made);
            dpn_tally_free(other);
        }
        discard(&expected);
        dpn_tally_free(one);
        table_free(&table);
    }
}

/* Many rows of one person, most of them equal to others: lists are tidied up, and the cut is the same. */
static void a_person_of_many_rows_is_cut_alike(void **state) {
    (void)state;
    draw_source source = {2};
    table_query query;
    random_table table;
    do table_random_query(&query, &source, (table_options){.persons = true});
    while (query.query.declaration.bys == 0);
    query.query.declaration.wheres = 0;
    table_random(&table, &source, &query, 3000, 1);
    for (size_t i = 0; i < table.rows; i++)
        for (size_t j = TABLE_INCOME; j <= TABLE_AGE; j++)
            table.field[i * TABLE_COLUMNS + j] = table.field[i % 200 * TABLE_COLUMNS + j];
    dpn_tally *a = in_parts(&query, &table, &source, 9), *b = in_parts(&query, &table, &source, 9);
    bytes x = written(a), y = written(b);
    assert_same_bytes(x, y);
    discard(&x);
    discard(&y);
    dpn_tally_free(a);
    dpn_tally_free(b);
    table_free(&table);
}

/* ---- Refusals ---- */

/* The tally refuses the bytes, gives a reason with this word, and is as it was. */
static void assert_refused(dpn_tally *tally, bytes state, dpn_status expected, const char *word) {
    dpn_error why = {DPN_OK, ""};
    bytes before = written(tally);
    char name[DPN_TALLY_STATE_NAME_SIZE] = "unwritten";
    assert_int_equal(dpn_tally_check_state(name, tally, state.at, state.length, NULL), expected);
    assert_string_equal(name, "unwritten");
    assert_int_equal(dpn_tally_add_state(tally, state.at, state.length, &why), expected);
    if (!strstr(why.sentence, word)) fail_msg("'%s' does not say '%s'", why.sentence, word);
    bytes after = written(tally);
    assert_same_bytes(before, after);
    discard(&before);
    discard(&after);
}

static void make(table_query *query, random_table *table, uint64_t seed, table_options options) {
    draw_source source = {seed};
    do table_random_query(query, &source, options);
    while (query->query.declaration.bys == 0);
    query->query.declaration.wheres = 0;
    table_random(table, &source, query, 12, 3);
}

static void other_shapes_are_refused(void **state) {
    (void)state;
    table_query query;
    random_table table;
    make(&query, &table, 3, (table_options){.persons = true});
    dpn_tally_secret secret = secret_of(3), other_secret = secret_of(4);
    dpn_tally *tally = table_open_with(&query, &secret, 1);
    table_add(tally, table.field, table.rows);
    bytes made = written(tally);
    char *names[TABLE_COLUMNS];
    char *levels[] = {"north", "south", "east", "west", "up", "the far north of the country"};
    char *edges[] = {"0", "17.5", "18", "65", "121"};
    for (int change = 0; change < 8; change++) {
        table_query changed;
        random_table unused;
        make(&changed, &unused, 3, (table_options){.persons = true});
        static const char *const word[] = {"columns", "groups", "predicates", "persons",
                                           "sums",    "sums",   "bins",       "persons"};
        for (size_t i = 0; i < TABLE_COLUMNS; i++) names[i] = changed.query.column[i];
        if (change == 0) names[TABLE_FLAG] = "banner", changed.query.column = names;
        if (change == 1) changed.by[0].level = levels, changed.by[0].levels = 6, changed.query.groups = 6 * 4;
        if (change == 2) changed.query.declaration.wheres = 1;
        if (change == 2) changed.where[0] = (dpn_predicate){"flag", DPN_IS_EQUAL, "yes"};
        if (change == 3) changed.query.declaration.max_rows++;
        if (change == 4) changed.measure[0].upper--;
        if (change == 5)
            changed.query.declaration.missing = DPN_MISSING_VALUE, changed.query.declaration.missing_value = "1";
        if (change == 6) changed.bins[0].edge = edges;
        if (change == 7) changed.query.person = SIZE_MAX;
        dpn_tally *other = table_open_with(&changed, &secret, 1);
        assert_refused(other, made, DPN_EDOMAIN, word[change]);
        dpn_tally_free(other);
        table_free(&unused);
    }
    dpn_tally *other = table_open_with(&query, &other_secret, 1);
    assert_refused(other, made, DPN_EDOMAIN, "secret");
    dpn_tally_free(other);
    discard(&made);
    dpn_tally_free(tally);
    table_free(&table);
}

static void damaged_bytes_are_refused(void **state) {
    (void)state;
    table_query query;
    random_table table;
    make(&query, &table, 5, (table_options){.persons = true, .unknown_keys = true});
    dpn_tally_secret secret = secret_of(5);
    dpn_tally *tally = table_open_with(&query, &secret, 1);
    table_add(tally, table.field, table.rows);
    bytes made = written(tally), longer = {malloc(made.length + 1), made.length + 1};
    assert_non_null(longer.at);
    char name[DPN_TALLY_STATE_NAME_SIZE], digits[DPN_TALLY_STATE_NAME_SIZE];
    unsigned char sum[32];
    assert_int_equal(dpn_tally_check_state(name, tally, made.at, made.length, NULL), DPN_OK);
    assert_int_equal(EVP_Digest(made.at, made.length - 32, sum, NULL, EVP_sha256(), NULL), 1);
    for (int i = 0; i < 32; i++) snprintf(digits + 2 * i, 3, "%02x", sum[i]);
    assert_string_equal(name, digits);
    for (size_t length = 0; length < made.length; length++) { /* cut off, with a check that fits and without */
        bytes cut = {malloc(length + 1), length};
        assert_non_null(cut.at);
        memcpy(cut.at, made.at, length);
        dpn_error why = {DPN_OK, ""};
        assert_int_equal(dpn_tally_add_state(tally, cut.at, length, &why), DPN_EPARSE);
        assert_non_null(strstr(why.sentence, length < 8         ? "not the state"
                                             : length < 16 + 32 ? "cut off"
                                                                : "check does not fit"));
        seal(cut); /* in a short one it stands where the version or the shape should */
        assert_int_not_equal(dpn_tally_add_state(tally, cut.at, length, NULL), DPN_OK);
        free(cut.at);
    }
    for (size_t i = 0; i < made.length; i++) { /* each byte alone, those of the check too */
        made.at[i] ^= (unsigned char)(1 << i % 8);
        assert_int_not_equal(dpn_tally_add_state(tally, made.at, made.length, NULL), DPN_OK);
        made.at[i] ^= (unsigned char)(1 << i % 8);
    }
    memcpy(longer.at, made.at, made.length);
    longer.at[made.length] = 0;
    assert_refused(tally, longer, DPN_EPARSE, "check");
    seal(longer);
    assert_refused(tally, longer, DPN_EPARSE, "follows");
    made.at[made.length - 40] ^= 1;
    assert_refused(tally, made, DPN_EPARSE, "check");
    made.at[8] = 1;
    assert_refused(tally, made, DPN_EUNSUPPORTED, "version 1");
    made.at[0] = 'D';
    assert_refused(tally, made, DPN_EPARSE, "not the state");
    assert_int_equal(dpn_tally_add_state(tally, NULL, 0, NULL), DPN_EDOMAIN);
    discard(&made);
    free(longer.at);
    dpn_tally_free(tally);
    table_free(&table);
}

/* ---- Sums ---- */

/* Half of the rows as rows, half as sums that a slow tally made of them. */
static void sums_made_elsewhere_are_added(void **state) {
    (void)state;
    draw_source source = {8};
    for (uint64_t i = 0; i < 100; i++) {
        table_query query;
        random_table table;
        table_random_query(&query, &source, (table_options){.unknown_keys = i % 2, .skip = i % 3 == 0});
        table_random(&table, &source, &query, 40, 3);
        bool keep[40];
        for (size_t j = 0; j < 40; j++) keep[j] = j >= 20;
        slow_tally all = table_tally(&table, &query, NULL), half = table_tally(&table, &query, keep);
        dpn_tally_secret secret = secret_of(i);
        dpn_tally *tally = table_open_with(&query, &secret, 1);
        table_add(tally, table.field, 20);
        for (size_t g = 0; g < half.groups; g++) {
            int64_t sum[TABLE_MOMENTS + 64];
            size_t moments = query.query.moments;
            dpn_field key[2];
            for (size_t j = 0; j < query.query.declaration.bys; j++)
                key[j] = (dpn_field){half.group[g].key[j], strlen(half.group[g].key[j])};
            memcpy(sum, half.group[g].sum, moments * sizeof *sum);
            memcpy(sum + moments, half.group[g].count, 64 * sizeof *sum);
            dpn_error why;
            uint64_t rows = (uint64_t)sum[0]; /* the moment ROWS */
            bytes before = written(tally), after;
            for (size_t j = 0; j < dpn_query_sums(&query.query);
                 j++) { /* each of them beyond its bound, on both sides */
                int64_t right = sum[j];
                int64_t bound = j < moments ? query.moment[j].bound : 1;
                if (j < moments && query.moment[j].kind == DPN_MOMENT_BINS) bound = 0;
                for (int sign = -1; sign <= 1; sign += 2) {
                    sum[j] = sign * ((int64_t)rows * bound + 1);
                    assert_int_equal(dpn_tally_add_sums(tally, key, rows, sum, &why), DPN_EDOMAIN);
                }
                sum[j] = right;
            }
            after = written(tally);
            assert_same_bytes(before, after);
            discard(&before);
            discard(&after);
            assert_int_equal(dpn_tally_add_sums(tally, key, rows + 1, sum, &why), DPN_EDOMAIN);
            if (dpn_tally_add_sums(tally, key, rows, sum, &why)) fail_msg("%s", why.sentence);
        }
        table_assert_settles_to(&query, tally, &all);
        dpn_tally_free(tally);
        slow_free(&all);
        slow_free(&half);
        table_free(&table);
    }
}

static void sums_of_no_group_are_refused(void **state) {
    (void)state;
    table_query query;
    random_table table;
    make(&query, &table, 9, (table_options){0});
    dpn_tally_secret secret = secret_of(9);
    dpn_tally *tally = table_open_with(&query, &secret, 1);
    int64_t sum[TABLE_MOMENTS + 64] = {0};
    dpn_field key[2] = {{"nowhere", 7}, {"1", 1}};
    assert_int_equal(dpn_tally_add_sums(tally, key, 0, sum, NULL), DPN_OK);
    sum[0] = 1;
    assert_int_equal(dpn_tally_add_sums(tally, key, 1, sum, NULL), DPN_EDOMAIN);
    key[0] = (dpn_field){"north", 5};
    assert_int_equal(dpn_tally_add_sums(tally, key, 1, sum, NULL), DPN_OK);
    assert_int_equal(dpn_tally_add_sums(tally, NULL, 1, sum, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_add_sums(tally, key, 1, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_add_sums(tally, key, UINT64_MAX, sum, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_add_sums(NULL, key, 1, sum, NULL), DPN_EDOMAIN);
    size_t groups, length;
    unsigned char *bytes_of;
    table_settle(&groups, tally);
    assert_int_equal(dpn_tally_add_sums(tally, key, 1, sum, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_write(&bytes_of, &length, tally, NULL), DPN_EDOMAIN); /* it is about to be answered */
    dpn_tally_free(tally);
    table_free(&table);
}

/* ---- With a plan and without ---- */

static dpn_declaration people(const char *epsilon) {
    static const char json[] = "{\"statistics\": [{\"kind\": \"count\"}, {\"kind\": \"sum\", \"column\": \"x\", "
                               "\"lower\": \"0\", \"upper\": \"100\"}],"
                               " \"by\": [{\"column\": \"region\", \"levels\": [\"a\", \"b\"]}], \"person\": \"id\", "
                               "\"max_rows\": 2, \"max_groups\": 1,"
                               " \"epsilon\": \"%s\"}";
    char text[sizeof json + 10];
    dpn_declaration declaration;
    dpn_error why;
    snprintf(text, sizeof text, json, epsilon);
    if (dpn_declaration_read(&declaration, text, strlen(text), &why)) fail_msg("%s", why.sentence);
    return declaration;
}

/* Rows from `from` on, every second or third: 15 persons in two regions. */
static void add_people(dpn_tally *tally, const dpn_query *query, size_t from, size_t step) {
    for (size_t i = from; i < 90; i += step) {
        char id[20], x[20];
        dpn_field row[3];
        snprintf(id, sizeof id, "person %d", (int)(i % 15));
        snprintf(x, sizeof x, "%d", (int)(i * 7 % 101));
        for (size_t j = 0; dpn_query_column(query, j); j++) {
            const char *column = dpn_query_column(query, j);
            const char *text = strcmp(column, "id") == 0 ? id : strcmp(column, "x") == 0 ? x : i % 7 < 3 ? "a" : "b";
            row[j] = (dpn_field){text, strlen(text)};
        }
        table_add(tally, row, 1);
    }
}

static void assert_same_answers(const dpn_answer *a, const dpn_answer *b) {
    assert_int_equal(a->groups, b->groups);
    assert_int_equal(a->outputs, b->outputs);
    for (size_t i = 0; i < a->groups * a->outputs; i++) assert_true(a->cell[i].value == b->cell[i].value);
}

/* Workers tally without a plan, and what they made is answered as if one process had read all rows: once. */
static void a_shape_tallies_for_a_query(void **state) {
    (void)state;
    dpn_declaration asked = people("1"), cheap = people("0.001");
    dpn_query *query = NULL, *shape = NULL;
    dpn_error why;
    if (dpn_query_new(&query, &asked, NULL, &why)) fail_msg("%s", why.sentence);
    if (dpn_query_new_shape(&shape, &cheap, &why)) fail_msg("%s", why.sentence); /* the guarantee is not part of it */
    seeded rng;
    dpn_tally_secret secret = secret_of(1);
    dpn_tally *whole = NULL, *merged = NULL;
    dpn_answer *one = NULL, *other = NULL;
    seeded_begin(&rng, 5);
    assert_int_equal(dpn_tally_new_with(&whole, query, &secret, &rng.rng, NULL), DPN_OK);
    assert_int_equal(dpn_tally_new_with(&merged, query, &secret, &rng.rng, NULL), DPN_OK);
    add_people(whole, query, 0, 1);
    for (size_t i = 3; i-- > 0;) {
        dpn_tally *worker = NULL;
        assert_int_equal(dpn_tally_new_with(&worker, shape, &secret, &rng.rng, NULL), DPN_OK);
        add_people(worker, shape, i, 3);
        bytes made = written(worker);
        add_state(merged, made);
        discard(&made);
        seeded_begin(&rng, 6);
        assert_int_equal(dpn_query_answer(&one, shape, worker, &rng.rng, &why), DPN_EDOMAIN);
        assert_int_equal(dpn_query_answer(&one, query, worker, &rng.rng, &why), DPN_EDOMAIN);
        assert_null(one);
        dpn_tally_free(worker);
    }
    seeded_begin(&rng, 7);
    if (dpn_query_answer(&one, query, whole, &rng.rng, &why)) fail_msg("%s", why.sentence);
    seeded_begin(&rng, 7);
    if (dpn_query_answer(&other, query, merged, &rng.rng, &why)) fail_msg("%s", why.sentence);
    assert_same_answers(one, other);
    dpn_answer_free(other);
    other = NULL;
    unsigned char *left = NULL;
    size_t length;
    assert_int_equal(dpn_query_answer(&other, query, merged, &rng.rng, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_write(&left, &length, merged, &why), DPN_EDOMAIN);
    assert_true(!other && !left);
    dpn_query_facts facts = dpn_query_look(shape);
    assert_true(facts.cells == 0 && !facts.plan && dpn_query_groups(shape) == 2);
    assert_true(isnan(dpn_query_interval95(shape, 0)) && dpn_query_sums(shape) == dpn_query_sums(query));
    assert_string_equal(dpn_query_output(shape, 1), "sum(x)");
    assert_int_equal(dpn_query_charge(&(dpn_charge){0}, shape, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_query_new_shape(NULL, &asked, NULL), DPN_EDOMAIN);
    dpn_answer_free(one);
    dpn_tally_free(whole);
    dpn_tally_free(merged);
    dpn_query_free(shape);
    dpn_query_free(query);
    dpn_declaration_free(&asked);
    dpn_declaration_free(&cheap);
}

/* ---- The bytes, by what state.h says of them ---- */

typedef struct expected {
    unsigned char byte[2000];
    size_t length, mark[64], marks; /* where each number stands, the lengths of texts among them */
} expected;

static void say_number(expected *out, uint64_t number) {
    out->mark[out->marks++ % 64] = out->length;
    for (int i = 0; i < 8; i++) out->byte[out->length++] = number >> 8 * i & 255;
}

static void say_text(expected *out, const char *text) {
    say_number(out, strlen(text));
    memcpy(out->byte + out->length, text, strlen(text));
    out->length += strlen(text);
}

static void say_digest(expected *out, const void *said, size_t length) {
    assert_int_equal(EVP_Digest(said, length, out->byte + out->length, NULL, EVP_sha256(), NULL), 1);
    out->length += 32;
}

/* The head, with the shape of the query; a secret is digested as two fields. */
static void say_head(expected *out, const dpn_query *query, const dpn_tally_secret *secret, const uint64_t *head) {
    dpn_tally_shape shape;
    expected said = {.length = 0};
    out->length = 0;
    memcpy(out->byte, "dpntally", out->length = 8);
    say_number(out, 2);
    dpn_tally_shape_of(&shape, query);
    memcpy(out->byte + out->length, shape.part, 6 * 32);
    out->length += 6 * 32;
    if (secret) {
        say_text(&said, "secret");
        say_number(&said, sizeof secret->byte);
        memcpy(said.byte + said.length, secret->byte, sizeof secret->byte);
        said.length += sizeof secret->byte;
        say_digest(out, said.byte, said.length);
    } else {
        memset(out->byte + out->length, 0, 32);
        out->length += 32;
    }
    for (int i = 0; i < 3; i++) say_number(out, head[i]);
}

static void assert_said(expected *said, dpn_tally *tally) {
    unsigned char check[32];
    assert_int_equal(EVP_Digest(said->byte, said->length, check, NULL, EVP_sha256(), NULL), 1);
    memcpy(said->byte + said->length, check, 32);
    said->length += 32;
    bytes made = written(tally);
    for (size_t i = 0; i < made.length && i < said->length; i++)
        if (made.at[i] != said->byte[i])
            fail_msg("byte %zu of %zu is %d, not %d", i, made.length, made.at[i], said->byte[i]);
    assert_int_equal(made.length, said->length);
    add_state(tally, made); /* it is read by the same words */
    discard(&made);
}

static dpn_query *query_of(const char *json) {
    dpn_declaration declaration;
    dpn_query *query = NULL;
    dpn_error why;
    if (dpn_declaration_read(&declaration, json, strlen(json), &why)) fail_msg("%s", why.sentence);
    if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

static dpn_tally *tally_of(const dpn_query *query, const dpn_tally_secret *secret, const char *const *column,
                           const char *const (*row)[3], size_t rows) {
    seeded rng;
    dpn_tally *tally = NULL;
    dpn_field field[3];
    seeded_begin(&rng, 1);
    assert_int_equal(dpn_tally_new_with(&tally, query, secret, &rng.rng, NULL), DPN_OK);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; dpn_query_column(query, j); j++)
            for (size_t k = 0; k < 3; k++)
                if (strcmp(dpn_query_column(query, j), column[k]) == 0)
                    field[j] = (dpn_field){row[i][k], strlen(row[i][k])};
        table_add(tally, field, 1);
    }
    return tally;
}

static const char *const columns[] = {"g", "x", "id"};

/* Declared groups, all of them, and sums of those that have some; no persons. */
static const char sums_json[] = "{\"statistics\": [{\"kind\": \"count\"}, {\"kind\": \"histogram\", \"column\": \"x\", "
                                "\"edges\": [0, 1, 2, 3]}], \"by\": [{\"column\": \"g\", \"levels\": [\"d\", \"c\", "
                                "\"b\"]}], \"epsilon\": 1}";
enum { ROWS = 1, HELD, GROUPS, FIRST }; /* marks; the version is the first of all */

static void say_sums(expected *said, const dpn_query *query) {
    static const uint64_t sums[3][6] = {{1, 2, 0, 0, 1, 0}, {0}, {1, 3, 0, 1, 0, 2}}; /* rows, bins as a moment, bins */
    said->marks = 0;
    say_head(said, query, NULL, (const uint64_t[]){5, 0, 3});
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < (i == 1 ? 1 : 6); k++) say_number(said, sums[i][k]);
    say_number(said, 0);
}

static void sums_stand_as_they_are_said_to(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"b", "0", ""}, {"b", "2", ""}, {"b", "2", ""}, {"d", "1", ""}, {"d", "9", ""}};
    dpn_query *query = query_of(sums_json);
    dpn_tally_secret secret = secret_of(11);
    dpn_tally *tally = tally_of(query, &secret, columns, rows, 5);
    expected said;
    assert_int_equal(query->moments, 2);
    say_sums(&said, query);
    assert_said(&said, tally);
    dpn_tally_free(tally);
    dpn_query_free(query);
}

/* Groups that rows have, in the order of their keys, and persons in theirs, each with its groups and its rows. */
static const char persons_json[] =
    "{\"statistics\": [{\"kind\": \"sum\", \"column\": \"x\", \"lower\": -4, \"upper\": 4}], \"by\": [{\"column\": "
    "\"g\"}], "
    "\"person\": \"id\", \"max_rows\": 3, \"max_groups\": 2, \"epsilon\": 1, \"delta\": 0.001}";

static int64_t unit_of(const dpn_query *query) { /* rows hold x in steps, about a middle of 0 */
    assert_int_equal(query->moment[1].offset, 0);
    return (int64_t)1 << -query->measure[0].exponent;
}

static void say_persons(expected *said, const dpn_query *query, const dpn_tally_secret *secret, const char *first) {
    const char *keys[] = {first, "a", "ab", "b"};
    static const struct {
        const char *name;
        int shares, group, entries, copies, x;
    } entry[] = {{"ada", 1, 0, 1, 1, 1}, {"ev", 1, 1, 1, 1, 1},  {"eve", 2, 2, 1, 1, 0},
                 {NULL, 0, 3, 2, 1, -2}, {NULL, 0, -1, 0, 2, 3}, {"eves", 1, 1, 1, 1, 3}};
    said->marks = 0;
    say_head(said, query, secret, (const uint64_t[]){7, 7, 4});
    for (int i = 0; i < 4; i++) {
        say_text(said, keys[i]);
        say_number(said, 0); /* no row is without a person */
    }
    say_number(said, 4);
    for (size_t i = 0; i < sizeof entry / sizeof *entry; i++) {
        if (entry[i].name) {
            say_text(said, entry[i].name);
            say_number(said, (uint64_t)entry[i].shares);
        }
        if (entry[i].group >= 0) {
            say_number(said, (uint64_t)entry[i].group);
            say_number(said, (uint64_t)entry[i].entries);
        }
        say_number(said, (uint64_t)entry[i].copies);
        say_number(said, (uint64_t)(entry[i].x * unit_of(query)));
    }
}

static void persons_stand_as_they_are_said_to(void **state) {
    (void)state;
    static const char *const rows[][3] = {{"b", "3", "eve"},  {"", "1", "ada"},   {"b", "3", "eve"}, {"ab", "0", "eve"},
                                          {"b", "-2", "eve"}, {"a", "3", "eves"}, {"a", "1", "ev"}};
    dpn_query *query = query_of(persons_json);
    dpn_tally_secret secret = secret_of(12);
    dpn_tally *tally = tally_of(query, &secret, columns, rows, 7);
    expected said;
    say_persons(&said, query, &secret, "");
    assert_said(&said, tally);
    dpn_tally_free(tally);
    dpn_query_free(query);
}

/* ---- Lies that are sealed ---- */

enum { NO_MARK = 63 };
typedef struct lie {
    int mark[3]; /* numbers that are others; NO_MARK: none */
    uint64_t number[3];
    const char *says; /* NULL: it can be */
} lie;

static void put_number_at(expected *out, size_t at, uint64_t number) {
    for (int i = 0; i < 8; i++) out->byte[at + (size_t)i] = number >> 8 * i & 255;
}

static void try_said(const dpn_query *query, const dpn_tally_secret *secret, expected *said, const char *says,
                     const char *what, size_t which) {
    dpn_tally *tally = tally_of(query, secret, columns, NULL, 0);
    dpn_error why = {DPN_OK, ""};
    bytes made = {said->byte, said->length + 32};
    seal(made);
    dpn_status status = dpn_tally_add_state(tally, made.at, made.length, &why);
    if (!says && status) fail_msg("%s %zu is refused: %s", what, which, why.sentence);
    if (says && (status != DPN_EPARSE || !strstr(why.sentence, says)))
        fail_msg("%s %zu is not '%s': %s", what, which, says, status ? why.sentence : "taken");
    dpn_tally_free(tally);
}

static void try_lies(const dpn_query *query, const dpn_tally_secret *secret, const expected *truth, const lie *of,
                     size_t lies) {
    for (size_t i = 0; i < lies; i++) {
        expected said = *truth;
        for (int k = 0; k < 3; k++)
            if (of[i].mark[k] != NO_MARK && of[i].mark[k] > 0)
                put_number_at(&said, said.mark[of[i].mark[k]], of[i].number[k]);
        try_said(query, secret, &said, of[i].says, "lie", i);
    }
}

static const char many[] = "more rows than there can be", held[] = "more rows of persons, or fewer, than it says",
                  there[] = "in a group that is not there, or twice", several[] = "in no group or in too many";

static void lies_about_persons_are_told(void **state) {
    (void)state;
    dpn_query *query = query_of(persons_json);
    dpn_tally_secret secret = secret_of(12);
    expected truth;
    say_persons(&truth, query, &secret, "");
    assert_int_equal(truth.marks, 43);
    dpn_reader reader;
    assert_int_equal(dpn_reader_make(&reader, query, NULL), DPN_OK);
    uint64_t most = reader.most_rows, unit = (uint64_t)unit_of(query);
    dpn_reader_free(&reader);
    enum { KEY = 4, PERSONS = 12, ADA, EV = 19, EVE = 25, EVES = 37 };
    const lie lies[] = {
        {{0}, {0}, NULL},
        {{ROWS}, {6}, many},
        {{ROWS}, {most + 1}, many},
        {{ROWS}, {most}, NULL},
        {{HELD}, {8}, many},
        {{HELD, ROWS}, {8, 8}, held},
        {{HELD}, {6}, held},
        {{KEY + 4}, {UINT64_MAX}, "a key is cut off"},
        {{KEY + 4}, {2000}, "a key is cut off"},
        {{KEY + 1}, {2}, "a group is cut off"},
        {{KEY + 7}, {UINT64_MAX}, "a group is cut off"},
        {{PERSONS}, {3}, held},
        {{PERSONS, HELD}, {3, 6}, "something follows its end"},
        {{PERSONS}, {5}, "a person has no name"},
        {{ADA}, {2000}, "a person has no name"},
        {{ADA + 1}, {0}, several},
        {{ADA + 1}, {3}, several},
        {{ADA + 2}, {4}, there},
        {{ADA + 2}, {3}, NULL},
        {{ADA + 3}, {0}, "a person's group has no rows"},
        {{ADA + 4}, {0}, held},
        {{ADA + 4}, {8}, held},
        {{ADA + 4, HELD, ROWS}, {3, 9, 9}, NULL},
        {{EVES + 4}, {2}, held},
        {{ADA + 5}, {4 * unit}, NULL},
        {{ADA + 5}, {4 * unit + 1}, "a row is out of bounds"},
        {{ADA + 5}, {-(4 * unit)}, NULL},
        {{ADA + 5}, {-(4 * unit) - 1}, "a row is out of bounds"},
        {{EVE + 2}, {3}, there},
        {{EVE + 6}, {2}, there},
        {{EVE + 6}, {1}, there},
        {{EVE + 9}, {3 * unit}, "its rows are not in order"},
        {{EVE + 9}, {3 * unit + 1}, "its rows are not in order"},
        {{EVE + 9}, {3 * unit - 1}, NULL},
    };
    try_lies(query, &secret, &truth, lies, sizeof lies / sizeof *lies);
    static const struct {
        int mark;
        const char *text, *says; /* in the place of what stands behind that length */
    } texts[] = {{6, "c", "its keys are not in order"},
                 {10, "a", "its keys are not in order"},
                 {8, "a\xff", "a key is not UTF-8"},
                 {8, "a", "a key is not UTF-8"}, /* and its zero */
                 {8, "aa", NULL},
                 {ADA, "   ", "a person has no name"},
                 {ADA, " \t.", NULL},
                 {ADA, "ew ", "its persons are not in order"},
                 {EV, "ew", "its persons are not in order"},
                 {EV, "bc", NULL},
                 {EVE, "eve", NULL}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        expected said = truth;
        size_t length = texts[i].mark == ADA || texts[i].mark == EVE ? 3
                        : texts[i].mark == 6 || texts[i].mark == 10  ? 1
                                                                     : 2;
        memcpy(said.byte + said.mark[texts[i].mark] + 8, texts[i].text, length);
        try_said(query, &secret, &said, texts[i].says, "text", i);
    }
    static const char *const firsts[] = {"A", "c", "aa", "a"};
    for (size_t i = 0; i < 4; i++) { /* another key before the others */
        expected said;
        say_persons(&said, query, &secret, firsts[i]);
        try_said(query, &secret, &said, i == 0 ? NULL : "its keys are not in order", "key", i);
    }
    for (size_t mark = ROWS; mark < truth.marks; mark++) /* cut off before each number, and within it */
        for (size_t within = 0; within < 8; within += 7) {
            expected said = truth;
            bool key = mark >= KEY && mark < PERSONS;
            const size_t names[] = {ADA, EV, EVE, EVES};
            const char *says = mark < KEY || mark == PERSONS ? "it is cut off"
                               : key                         ? mark % 2 ? "a group is cut off" : "a key is cut off"
                                                             : "a row is cut off";
            for (int i = 0; i < 4; i++) {
                if (mark == names[i]) says = "a person has no name";
                if (mark == names[i] + 1) says = several;
                if (mark == names[i] + 2 || mark == EVE + 6) says = there;
                if (mark == names[i] + 3 || mark == EVE + 7) says = "a person's group has no rows";
            }
            said.length = said.mark[mark] + within;
            try_said(query, &secret, &said, says, "end", mark);
        }
    dpn_query_free(query);
}

static void lies_about_sums_are_told(void **state) {
    (void)state;
    dpn_query *query = query_of(sums_json);
    expected truth;
    say_sums(&truth, query);
    assert_int_equal(truth.marks, 18);
    enum { PERSONS = 17, SECOND = 10, THIRD = 11 };
    static const char groups[] = "not as many groups as the query", rows[] = "cannot be that of its rows";
    static const lie lies[] = {
        {{0}, {0}, NULL},
        {{GROUPS}, {2}, groups},
        {{GROUPS}, {4}, groups},
        {{HELD}, {1}, held},
        {{HELD}, {6}, many},
        {{ROWS}, {2}, rows},
        {{ROWS}, {3}, NULL},
        {{FIRST}, {2}, "a group is cut off"},
        {{SECOND}, {2}, "a group is cut off"},
        {{FIRST + 1}, {6}, rows},
        {{FIRST + 1}, {UINT64_MAX}, rows},
        {{FIRST + 4}, {6}, rows},
        {{FIRST + 4}, {UINT64_MAX}, rows},
        {{PERSONS}, {1}, "it has persons, and the query has none"},
    };
    try_lies(query, NULL, &truth, lies, sizeof lies / sizeof *lies);
    for (size_t mark = ROWS; mark < truth.marks; mark++) {
        expected said = truth;
        bool summed = mark == FIRST || mark == SECOND || mark == THIRD;
        const char *says = mark < FIRST || mark == PERSONS ? "it is cut off"
                           : summed                        ? "a group is cut off"
                                                           : "the sums of a group are cut off";
        said.length = said.mark[mark] + 7;
        try_said(query, NULL, &said, says, "end", mark);
    }
    dpn_query_free(query);
}

/* A person whose rows are added up has one total in a group. */
static void two_totals_are_told(void **state) {
    (void)state;
    static const char *const rows[][3] = {{"b", "3", "eve"}, {"a", "1", "eve"}};
    dpn_query *query =
        query_of("{\"statistics\": [{\"kind\": \"sum\", \"column\": \"x\", \"lower\": -4, \"upper\": 4}], "
                 "\"person\": \"id\", \"per_person\": \"sum\", \"epsilon\": 1}");
    dpn_tally_secret secret = secret_of(13);
    dpn_tally *tally = tally_of(query, &secret, columns, rows, 2);
    bytes made = written(tally);
    size_t entries = 8 + 8 + 6 * 32 + 32 + 3 * 8 + 8 + 8 + (8 + 3) + 8 + 8; /* one group, one person, one share */
    assert_int_equal(made.at[entries], 1);
    made.at[entries] = 2;
    seal(made);
    assert_refused(tally, made, DPN_EPARSE, "a person has two totals in a group");
    discard(&made);
    dpn_tally_free(tally);
    dpn_query_free(query);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_made_anywhere_are_the_whole), cmocka_unit_test(a_person_of_many_rows_is_cut_alike),
        cmocka_unit_test(other_shapes_are_refused),          cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(sums_made_elsewhere_are_added),     cmocka_unit_test(sums_of_no_group_are_refused),
        cmocka_unit_test(a_shape_tallies_for_a_query),       cmocka_unit_test(sums_stand_as_they_are_said_to),
        cmocka_unit_test(persons_stand_as_they_are_said_to), cmocka_unit_test(lies_about_persons_are_told),
        cmocka_unit_test(lies_about_sums_are_told),          cmocka_unit_test(two_totals_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
