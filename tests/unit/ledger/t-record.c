/* Entries as text: what is read is what was written, in whatever order the members come, and never a member that is there twice. */
#include "ledger/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The members of a charge, in the order in which they are written. */
static const char *const members[] = {
    "\"kind\": \"charge\"",
    "\"time\": \"2026-11-17T07:00:00Z\"",
    "\"user\": null",
    "\"name\": \"people\"",
    "\"of\": \"people\"",
    "\"relation\": \"add-remove\"",
    "\"unit\": \"row\"",
    "\"epsilon\": \"0.125\"",
    "\"delta\": \"1e-9\"",
    "\"divergence\": [0.1, 2.5e-17, 3]",
    "\"asked\": null",
    "\"specification\": null",
    "\"note\": \"a \\\"note\\\"\"",
    "\"plan\": {\"kind\": 1}",
};
enum { MEMBERS = sizeof members / sizeof *members };

/* Those members, from `first` on and around, but for one that is left out, then one more. */
static void write_around(char *out, size_t size, size_t first, size_t without, const char *more) {
    size_t used = 0;
    const char *comma = "{";
    for (size_t i = 0; i < MEMBERS; i++) {
        if ((first + i) % MEMBERS == without) continue;
        used += (size_t)snprintf(out + used, size - used, "%s%s", comma, members[(first + i) % MEMBERS]);
        comma = ", ";
    }
    snprintf(out + used, size - used, "%s%s}", more ? ", " : "", more ? more : "");
}

static dpn_status read_text(dpn_record *out, const char *text, dpn_error *why) {
    memset(out, 0x5a, sizeof *out);
    return dpn_record_read(out, text, strlen(text), why);
}

static void expect_charge(const dpn_record *record, const char *text) {
    char amount[DPN_DECIMAL_TEXT_SIZE];
    const dpn_entry_fields *entry = &record->entry;
    assert_int_equal(entry->kind, DPN_ENTRY_CHARGE);
    assert_string_equal(entry->time, "2026-11-17T07:00:00Z");
    assert_string_equal(entry->user, "");
    assert_string_equal(entry->name, "people");
    assert_string_equal(entry->of, "people");
    assert_string_equal(entry->note, "a \"note\"");
    assert_true(entry->relation == DPN_ADD_REMOVE && entry->unit == DPN_ROW);
    assert_true(entry->charge.pure && !entry->converted && entry->orders == 3);
    assert_true(entry->charge.divergence[0] == 0.1 && entry->charge.divergence[1] == 2.5e-17 &&
                entry->charge.divergence[2] == 3);
    assert_string_equal(dpn_decimal_print(amount, &entry->charge.epsilon), "0.125");
    assert_string_equal(dpn_decimal_print(amount, &entry->charge.delta), "1e-9");
    assert_true(entry->with == 0 && entry->reuse == 0);
    assert_int_equal(entry->plan_length, strlen("{\"kind\": 1}"));
    assert_memory_equal(text + record->plan_at, "{\"kind\": 1}", entry->plan_length);
}

static void any_order_reads_the_same(void **state) {
    (void)state;
    dpn_record record;
    dpn_error why = {0};
    char text[2000];
    for (size_t first = 0; first < MEMBERS; first++)
        for (int more = 0; more < 2; more++) { /* members that nobody knows are passed over */
            write_around(text, sizeof text, first, MEMBERS, more ? "\"colour\": [1, {\"kind\": 2}]" : NULL);
            if (read_text(&record, text, &why)) fail_msg("%s: %s", text, why.sentence);
            expect_charge(&record, text);
        }
}

/* Members that not all charges have are found wherever they stand; they are whole numbers from 1 to 2^53, which doubles hold. */
static void numbers_of_entries_are_whole(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t number; /* 0: refused */
    } row[] = {{"1", 1},
               {"7", 7},
               {"9007199254740992", UINT64_C(1) << 53},
               {"0", 0},
               {"-1", 0},
               {"1.5", 0},
               {"9007199254740994", 0},
               {"1e300", 0},
               {"\"7\"", 0}};
    dpn_record record;
    dpn_error why = {0};
    char text[2000], more[100];
    for (size_t first = 0; first < MEMBERS; first++)
        for (size_t i = 0; i < 2 * sizeof row / sizeof *row; i++) {
            bool reuse = i % 2;
            snprintf(more, sizeof more, "\"%s\": %s", reuse ? "reuse" : "with", row[i / 2].text);
            write_around(text, sizeof text, first, MEMBERS, more);
            dpn_status status = read_text(&record, text, &why);
            assert_int_equal(status, row[i / 2].number ? DPN_OK : DPN_EPARSE);
            if (status) continue;
            assert_true(record.entry.with == (reuse ? 0 : row[i / 2].number));
            assert_true(record.entry.reuse == (reuse ? row[i / 2].number : 0));
        }
}

static void a_member_is_there_once(void **state) {
    (void)state;
    dpn_record record;
    dpn_error why;
    char text[2000];
    for (size_t first = 0; first < MEMBERS; first++)
        for (size_t m = 0; m < MEMBERS; m++) {
            write_around(text, sizeof text, first, MEMBERS, members[m]);
            assert_int_equal(read_text(&record, text, &why), DPN_EPARSE);
            assert_non_null(strstr(why.sentence, "two members"));
            write_around(text, sizeof text, first, m, NULL);
            assert_int_equal(read_text(&record, text, &why), DPN_EPARSE);
            assert_non_null(strstr(why.sentence, "no member"));
        }
}

/* A plan is whatever was given, and what was asked for counts as converted if it is an object. */
static bool open_to_all(const char *member) {
    return strncmp(member, "\"plan\"", 6) == 0 || strncmp(member, "\"asked\"", 7) == 0;
}

/* A member of another kind is no member: neither taken for none nor for empty. Lists have room for so many orders and no more. */
static void members_are_of_their_kind(void **state) {
    (void)state;
    static const char *const others[] = {"true", "5", "[]", "{}", "[\"people\"]"};
    static const char *const kinds[] = {"\"kind\": \"\"", "\"kind\": \"sourc\"", "\"kind\": \"sources\"",
                                        "\"kind\": \"Charge\""};
    dpn_record record;
    dpn_error why = {0};
    char text[3000], more[1000];
    for (size_t first = 0; first < MEMBERS; first += 3)
        for (size_t m = 0; m < MEMBERS; m++) {
            int length = (int)(strchr(members[m], ':') - members[m]);
            for (size_t k = 0; k < sizeof others / sizeof *others && !open_to_all(members[m]); k++) {
                if (others[k][0] == '[' && others[k][1] == ']' && strstr(members[m], "diverg")) continue;
                snprintf(more, sizeof more, "%.*s: %s", length, members[m], others[k]);
                write_around(text, sizeof text, first, m, more);
                if (read_text(&record, text, &why) != DPN_EPARSE) fail_msg("%s was read", more);
            }
        }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        write_around(text, sizeof text, 1, 0, kinds[k]);
        assert_int_equal(read_text(&record, text, &why), DPN_EPARSE);
        assert_non_null(strstr(why.sentence, "no kind of entry"));
    }
    for (size_t orders = DPN_FILTER_ORDERS - 1; orders <= DPN_FILTER_ORDERS + 1; orders++) {
        size_t used = (size_t)snprintf(more, sizeof more, "\"divergence\": [");
        for (size_t i = 0; i < orders; i++)
            used += (size_t)snprintf(more + used, sizeof more - used, "%s%zu.5", i ? ", " : "", i);
        snprintf(more + used, sizeof more - used, "]");
        write_around(text, sizeof text, 10, 9, more);
        assert_string_equal(members[9], "\"divergence\": [0.1, 2.5e-17, 3]");
        assert_int_equal(read_text(&record, text, &why), orders <= DPN_FILTER_ORDERS ? DPN_OK : DPN_EPARSE);
        if (orders > DPN_FILTER_ORDERS) continue;
        assert_int_equal(record.entry.orders, orders);
        for (size_t i = 0; i < orders; i++) assert_true(record.entry.charge.divergence[i] == (double)i + 0.5);
    }
}

static void what_is_written_is_read(void **state) {
    (void)state;
    dpn_record record, again;
    dpn_error why = {0};
    char text[2000];
    dpn_text written = {0};
    write_around(text, sizeof text, 0, MEMBERS, NULL);
    if (read_text(&record, text, &why)) fail_msg("%s", why.sentence);
    record.plan_text = "{\"kind\": 1}";
    dpn_record_write(&written, &record);
    assert_false(written.failed);
    assert_string_equal(written.at, text);
    if (read_text(&again, written.at, &why)) fail_msg("%s", why.sentence);
    expect_charge(&again, written.at);
    free(written.at);
    assert_int_equal(read_text(&record, "[1, 2]", &why), DPN_EPARSE);
    assert_int_equal(read_text(&record, "{}", &why), DPN_EPARSE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_reads_the_same), cmocka_unit_test(numbers_of_entries_are_whole),
        cmocka_unit_test(a_member_is_there_once), cmocka_unit_test(members_are_of_their_kind),
        cmocka_unit_test(what_is_written_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
