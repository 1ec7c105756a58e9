/* Forged states: every field of a state in turn is made a lie, and its check made to fit again. Each is refused before the charge, with
 * nothing spent; or all that comes after the charge succeeds. Each has a seed of its own. */
#include "unit/question/office.h"
#include "unit/question/registered.h"
#include "unit/points.h"

#include "reference/draw.h"

#include <dpnoise/answer.h>
#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { HEAD = 8 + 8 + 6 * 32 + 32, CHECK = 32, ROOM = 1 << 14, MOST_FIELDS = 1000, BASES = 4, PAID = 64 };

/* ---- Questions, and what a row of a person has in a state ---- */

typedef struct asked {
    const char *name, *json;
    bool unknown; /* keys */
    size_t record;
} asked;

static const asked questions[] = {
    {"rows",
     "{'statistics': [{'kind': 'count'}, {'kind': 'variance', 'column': 'income', 'lower': '-5', 'upper': '100'}, "
     "{'kind': 'histogram', 'column': 'income', 'edges': ['0', '10', '50']}, {'kind': 'quantile', 'column': 'income', "
     "'quantile': '0.5', 'edges': ['0', '25', '50', '75']}], 'by': [{'column': 'region', 'levels': ['north', "
     "'south']}], "
     "'epsilon': '0.5', 'noise': 'laplace'}",
     false, 0},
    {"persons",
     "{'statistics': [{'kind': 'count'}, {'kind': 'sum', 'column': 'income', 'lower': '-5', 'upper': '100'}, {'kind': "
     "'histogram', 'column': 'income', 'edges': ['0', '10', '50']}], 'by': [{'column': 'region', 'levels': ['north', "
     "'south']}], 'person': 'id', 'max_rows': 2, 'max_groups': 2, 'count_left_out': true, 'epsilon': '0.5', 'noise': "
     "'laplace'}",
     false, 3},
    {"keys",
     "{'statistics': [{'kind': 'count'}, {'kind': 'mean', 'column': 'income', 'lower': '-5', 'upper': '100'}], 'by': "
     "[{'column': 'region'}], 'person': 'id', 'max_rows': 2, 'max_groups': 2, 'epsilon': '0.5', 'delta': '1e-6', "
     "'noise': 'laplace'}",
     true, 1},
    {"totals",
     "{'statistics': [{'kind': 'sum', 'column': 'income', 'lower': '-5', 'upper': '100'}], 'by': [{'column': 'region', "
     "'levels': ['north', 'south']}], 'person': 'id', 'max_groups': 2, 'per_person': 'sum', 'epsilon': '0.5', 'noise': "
     "'laplace'}",
     false, 2},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static const dpn_tally_secret secret = {{7}};

static bool is_none(void *context, const dpn_place *other) {
    (void)context, (void)other;
    return false;
}

static dpn_question *put(struct office *office, const asked *what, unsigned number) {
    char text[REGISTERED_SIZE], name[40];
    dpn_question_options options = dpn_question_options_init();
    dpn_place place = {.kind = DPN_PLACE_DECLARED, .what = name};
    dpn_question *question;
    dpn_error why;
    snprintf(name, sizeof name, "states %s%u", what->name, number);
    options.states = true;
    options.place = &place;
    options.same = is_none;
    options.secret = &secret;
    registered_quotes(text, what->json);
    if (dpn_question_read(&question, office->ledger, what->name, text, strlen(text), &options, &why))
        fail_msg("%s: %s", what->name, why.sentence);
    return question;
}

static void add_budget(struct office *office, const char *name, bool persons) {
    dpn_error why;
    dpn_ledger_budget budget = {.name = name, .relation = DPN_ADD_REMOVE, .unit = persons ? DPN_PERSON : DPN_ROW};
    if (dpn_decimal_parse(&budget.plan.epsilon, "10000", &why) || dpn_decimal_parse(&budget.plan.delta, "0.1", &why) ||
        dpn_ledger_add_budget(NULL, office->ledger, &budget, &why))
        fail_msg("%s", why.sentence);
}

/* ---- States ---- */

typedef struct bytes {
    unsigned char at[ROOM];
    size_t length;
} bytes;

static dpn_tally *tally_of(struct office *office, const dpn_query *query) {
    dpn_tally *tally;
    dpn_error why;
    if (dpn_tally_new_with(&tally, query, &secret, office->rng, &why)) fail_msg("%s", why.sentence);
    return tally;
}

static void make(bytes *out, struct office *office, const dpn_query *query, draw_source *source) {
    static const char *const income[] = {"-9", "0", "3.25", "10", "49", "50", "1e9", "none"};
    static const char *const region[] = {"north", "south"}, *const person[] = {"ada", "bob", "eve", "mallory"};
    dpn_tally *tally = tally_of(office, query);
    dpn_error why;
    for (uint64_t row = 0; row < 12; row++) {
        dpn_field field[3];
        size_t fields = 0;
        for (const char *column; (column = dpn_query_column(query, fields)); fields++) {
            const char *text = strcmp(column, "income") == 0 ? income[draw_bits(source) % 8]
                               : strcmp(column, "id") == 0   ? person[row < 4 ? row : draw_bits(source) % 4]
                                                             : region[draw_bits(source) % 2];
            field[fields] = (dpn_field){text, strlen(text)};
        }
        if (dpn_tally_rows(tally, field, 1, &why)) fail_msg("%s", why.sentence);
    }
    unsigned char *state;
    if (dpn_tally_write(&state, &out->length, tally, &why)) fail_msg("%s", why.sentence);
    assert_true(out->length < ROOM / 2);
    memcpy(out->at, state, out->length);
    dpn_tally_state_free(state, out->length);
    dpn_tally_free(tally);
}

static void seal(bytes *state) {
    size_t length = state->length - CHECK;
    assert_int_equal(EVP_Digest(state->at, length, state->at + length, NULL, EVP_sha256(), NULL), 1);
}

/* ---- The fields of a state, as state.h lists them ---- */

typedef enum kind {
    ROWS,
    HELD,
    GROUPS,
    KEY,
    SUMMED,
    SUM,
    PERSONS,
    NAME,
    SHARES,
    GROUP,
    ENTRIES,
    COPIES,
    RECORD,
    KINDS
} kind;

typedef struct field {
    kind kind;
    size_t at; /* of a text that of its length */
} field;

typedef struct layout {
    field field[MOST_FIELDS];
    size_t fields, at;
    const bytes *state;
} layout;

static uint64_t get(const bytes *state, size_t at) {
    uint64_t number = 0;
    for (int i = 7; i >= 0; i--) number = number << 8 | state->at[at + (size_t)i];
    return number;
}

static void set(bytes *state, size_t at, uint64_t number) {
    for (size_t i = 0; i < 8; i++) state->at[at + i] = number >> 8 * i & 255;
}

static uint64_t walk(layout *to, kind what) {
    uint64_t number = get(to->state, to->at);
    assert_true(to->fields < MOST_FIELDS && to->at + 8 <= to->state->length - CHECK);
    to->field[to->fields++] = (field){what, to->at};
    to->at += 8 + (what == KEY || what == NAME ? number : 0);
    return number;
}

static void walk_all(layout *out, const bytes *state, const asked *what, size_t sums) {
    *out = (layout){.state = state, .at = HEAD};
    walk(out, ROWS);
    walk(out, HELD);
    for (uint64_t groups = walk(out, GROUPS); groups > 0; groups--) {
        if (what->unknown) walk(out, KEY);
        if (walk(out, SUMMED))
            for (size_t i = 0; i < sums; i++) walk(out, SUM);
    }
    for (uint64_t persons = walk(out, PERSONS); persons > 0; persons--) {
        walk(out, NAME);
        for (uint64_t shares = walk(out, SHARES); shares > 0; shares--) {
            walk(out, GROUP);
            for (uint64_t entries = walk(out, ENTRIES); entries > 0; entries--) {
                walk(out, COPIES);
                for (size_t i = 0; i < what->record; i++) walk(out, RECORD);
            }
        }
    }
    assert_int_equal(out->at, state->length - CHECK);
}

/* A field of that kind, and NULL if there is none. */
static const field *pick(const layout *map, kind what, draw_source *source) {
    size_t count = 0;
    for (size_t i = 0; i < map->fields; i++) count += map->field[i].kind == what;
    if (count == 0) return NULL;
    size_t left = draw_bits(source) % count;
    for (size_t i = 0;; i++)
        if (map->field[i].kind == what && left-- == 0) return &map->field[i];
}

/* ---- Lies ---- */

static uint64_t lie_about(uint64_t number, draw_source *source) {
    static const uint64_t lies[] = {0,
                                    1,
                                    2,
                                    UINT64_C(1) << 32,
                                    UINT64_C(1) << 36,
                                    (UINT64_C(1) << 36) + 1,
                                    INT64_MAX,
                                    UINT64_C(1) << 63,
                                    UINT64_MAX - 7,
                                    UINT64_MAX};
    uint64_t size = UINT64_C(1) << draw_bits(source) % 63;
    switch (draw_bits(source) % 6) {
    case 0:
        return lies[draw_bits(source) % (sizeof lies / sizeof *lies)];
    case 1:
        return number + draw_bits(source) % 17 - 8;
    case 2:
        return -number;
    case 3:
        return draw_bits(source) % size;
    case 4:
        return -(draw_bits(source) % size);
    default:
        return 2 * number;
    }
}

static void move(bytes *state, size_t from, size_t to) {
    memmove(state->at + to, state->at + from, state->length - from);
    state->length = state->length + to - from;
}

/* One byte of a text changed, put in, or taken out, with a length that fits; or all of it blank. */
static void change_text(bytes *state, size_t at, draw_source *source) {
    static const unsigned char odd[] = {0, 255, 0xc3, 0xed, ' ', '"', '\\', 1};
    uint64_t length = get(state, at), how = draw_bits(source) % 4;
    size_t byte = at + 8 + (length > 0 ? draw_bits(source) % length : 0);
    unsigned char with = draw_chance(source, 0.6) ? odd[draw_bits(source) % sizeof odd] : draw_bits(source) & 127;
    if (how == 0 && length > 0) state->at[byte] = with;
    if (how == 1) {
        move(state, byte, byte + 1);
        state->at[byte] = with;
        set(state, at, length + 1);
    }
    if (how == 2 && length > 0) {
        move(state, byte + 1, byte);
        set(state, at, length - 1);
    }
    if (how == 3) memset(state->at + at + 8, ' ', length);
}

/* Sums where there were none, or none where there were some. */
static void change_sums(bytes *state, size_t at, size_t sums, draw_source *source) {
    bool summed = get(state, at);
    set(state, at, !summed);
    if (summed) {
        move(state, at + 8 + 8 * sums, at + 8);
    } else {
        move(state, at + 8, at + 8 + 8 * sums);
        for (size_t i = 0; i < sums; i++)
            set(state, at + 8 + 8 * i, draw_chance(source, 0.8) ? draw_bits(source) % 3 : lie_about(0, source));
    }
}

/* More rows of a person than there were, with numbers of rows that agree. */
static void add_copies(bytes *state, const layout *map, const field *copies, draw_source *source) {
    uint64_t more = 1 + draw_bits(source) % 4096;
    const field *of[] = {pick(map, ROWS, source), pick(map, HELD, source), copies};
    for (size_t i = 0; i < 3; i++) set(state, of[i]->at, get(state, of[i]->at) + more);
}

static void change_field(bytes *state, const layout *map, size_t sums, draw_source *source) {
    const field *what = NULL;
    do what = pick(map, (kind)(draw_bits(source) % KINDS), source);
    while (!what);
    bool agreeing = draw_chance(source, 0.5);
    if (what->kind == COPIES && agreeing)
        add_copies(state, map, what, source);
    else if ((what->kind == KEY || what->kind == NAME) && agreeing)
        change_text(state, what->at, source);
    else if (what->kind == SUMMED && agreeing)
        change_sums(state, what->at, sums, source);
    else
        set(state, what->at, lie_about(get(state, what->at), source));
}

static void put_behind(bytes *state, draw_source *source) {
    size_t more = 1 + draw_bits(source) % 40;
    move(state, state->length - CHECK, state->length - CHECK + more);
    for (size_t i = 0; i < more; i++) state->at[state->length - CHECK - 1 - i] = draw_bits(source) & 255;
}

/* One or two lies in places that the map knows: what moves the rest comes last. */
static void forge(bytes *state, const layout *map, size_t sums, draw_source *source) {
    if (draw_chance(source, 0.4))
        set(state, HEAD, get(state, HEAD) + draw_bits(source) % (UINT64_C(1) << draw_bits(source) % 37));
    if (draw_chance(source, 0.4)) {
        const field *number = pick(map, draw_chance(source, 0.5) ? SUM : RECORD, source);
        if (number) set(state, number->at, lie_about(get(state, number->at), source));
    }
    if (draw_chance(source, 0.1))
        put_behind(state, source);
    else
        change_field(state, map, sums, source);
    seal(state);
}

/* ---- What becomes of them ---- */

static void assert_refused(dpn_status status, const dpn_error *why) {
    assert_true(status == DPN_EPARSE || status == DPN_EDOMAIN);
    assert_true(why->status == status && why->sentence[0]);
}

/* All that comes after the charge, but for the ledger that keeps the answer. */
static void answer_freely(struct office *office, const dpn_query *query, const bytes *state, uint64_t seed) {
    dpn_tally *tally = tally_of(office, query);
    dpn_answer *answer = NULL, *again = NULL;
    dpn_error why;
    char *text = NULL;
    size_t length;
    if (dpn_tally_add_state(tally, state->at, state->length, &why) ||
        dpn_query_answer(&answer, query, tally, office->rng, &why) || dpn_answer_write(&text, &length, answer, &why) ||
        dpn_answer_read(&again, text, length, &why))
        fail_msg("seed %llu: %s", (unsigned long long)seed, why.sentence);
    free(text);
    dpn_answer_free(answer);
    dpn_answer_free(again);
    dpn_tally_free(tally);
}

static void answer_paid(struct office *office, dpn_question *question, const bytes *state, uint64_t seed) {
    const dpn_answer *answer;
    dpn_error why;
    if (dpn_question_charge(question, office->rng, &why)) fail_msg("%s", why.sentence);
    if (dpn_tally_add_state(dpn_question_tally(question), state->at, state->length, &why) ||
        dpn_question_answer(&answer, question, office->rng, &why))
        fail_msg("seed %llu, after the charge: %s", (unsigned long long)seed, why.sentence);
}

typedef struct outcome {
    unsigned refused, answered, paid;
} outcome;

static void try_states(outcome *out, struct office *office, const asked *what, unsigned trials, uint64_t seed) {
    static bytes base[BASES], state;
    static layout fields[BASES];
    unsigned number = 0;
    char spent[32];
    dpn_question *question = put(office, what, number);
    const dpn_query *query = dpn_question_query(question);
    size_t sums = dpn_query_sums(query);
    for (size_t i = 0; i < BASES; i++) {
        make(&base[i], office, query, &(draw_source){i + 1});
        walk_all(&fields[i], &base[i], what, sums);
    }
    for (unsigned i = 0; i < trials; i++, seed++) {
        draw_source source = {seed};
        dpn_error why = {DPN_OK, ""};
        state = base[i % BASES];
        forge(&state, &fields[i % BASES], sums, &source);
        dpn_status status = dpn_question_check_state(question, state.at, state.length, office->rng, &why);
        if (status) {
            assert_refused(status, &why);
            out->refused++;
            continue;
        }
        if (out->answered++ % PAID > 0) {
            answer_freely(office, dpn_question_query(question), &state, seed);
            continue;
        }
        answer_paid(office, question, &state, seed);
        dpn_question_free(question);
        out->paid++;
        question = put(office, what, ++number);
    }
    assert_int_equal(dpn_question_look(question).state, DPN_QUESTION_ASKED);
    dpn_question_free(question);
    snprintf(spent, sizeof spent, "%g", 0.5 * number);
    office_spent(office, what->name, spent); /* what was refused has cost nothing */
}

static void forged_states_are_refused_before_the_charge_or_answered(void **state) {
    (void)state;
    struct office office = office_open();
    unsigned trials = (unsigned)points(1500, 60000);
    outcome all = {0, 0, 0};
    for (size_t i = 0; i < QUESTIONS; i++) {
        outcome some = {0, 0, 0};
        add_budget(&office, questions[i].name, questions[i].record > 0);
        try_states(&some, &office, &questions[i], trials, 1 + i * UINT64_C(1000000));
        print_message("# %s: %u refused, %u answered, %u of them paid\n", questions[i].name, some.refused,
                      some.answered, some.paid);
        assert_true(some.refused > trials / 4 && some.answered > trials / 20 && some.paid > 0);
        all.refused += some.refused;
        all.answered += some.answered;
    }
    assert_int_equal(all.refused + all.answered, QUESTIONS * trials);
    office_close(&office);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forged_states_are_refused_before_the_charge_or_answered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
