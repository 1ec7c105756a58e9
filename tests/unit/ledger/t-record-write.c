/* Entries of every kind, written to the letter, and read back: in this order, or in any other. */
#include "ledger/record.h"

#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_record record_of(dpn_entry_kind kind) {
    dpn_record out;
    memset(&out, 0, sizeof out);
    out.entry = (dpn_entry_fields){.kind = kind, .time = "2026-11-17T07:00:00Z", .user = "ada", .name = "people"};
    return out;
}

/* A plan of so many orders, 1.5, 2.5 and so on, of equal weights. */
static void fill_plan(dpn_filter_terms *plan, size_t orders) {
    plan->epsilon = decimal("1.25");
    plan->delta = decimal("1e-6");
    plan->delta_renyi = decimal(orders ? "5e-7" : "0");
    plan->orders = orders;
    for (size_t i = 0; i < orders; i++) {
        plan->order[i] = (double)i + 1.5;
        plan->weight[i] = decimal("0.125");
    }
}

static void is_written(const dpn_record *record, const char *wanted) {
    dpn_text text = {0};
    dpn_record_write(&text, record);
    assert_false(text.failed);
    if (text.length != strlen(wanted) || memcmp(text.at, wanted, text.length) != 0)
        fail_msg("'%.*s', not '%s'", (int)text.length, text.at, wanted);
    free(text.at);
}

static dpn_status read(dpn_record *out, const char *text, dpn_error *why) {
    memset(out, 0x5a, sizeof *out);
    return dpn_record_read(out, text, strlen(text), why);
}

/* As it stands, and with its first member at the end. */
static void is_read_back(const dpn_record *record, const char *text) {
    char turned[4000];
    const char *comma = strchr(text, ',');
    int first = (int)(comma - text) - 1;
    snprintf(turned, sizeof turned, "{%.*s, %.*s}", (int)strlen(comma + 2) - 1, comma + 2, first, text + 1);
    for (int i = 0; i < 2; i++) {
        dpn_record got;
        dpn_error why;
        const char *from = i ? turned : text;
        const dpn_entry_fields *a = &got.entry, *b = &record->entry;
        if (read(&got, from, &why)) fail_msg("%s: %s", from, why.sentence);
        assert_true(a->kind == b->kind && a->relation == b->relation && a->unit == b->unit &&
                    a->converted == b->converted);
        assert_true(a->with == b->with && a->reuse == b->reuse && a->version == b->version && a->orders == b->orders);
        assert_string_equal(a->time, b->time);
        assert_string_equal(a->user, b->user);
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->of, b->of);
        assert_string_equal(a->note, b->note);
        assert_string_equal(a->specification, b->specification);
        assert_string_equal(got.identity, record->identity);
        assert_true(a->charge.pure == b->charge.pure && dpn_decimal_compare(&a->charge.delta, &b->charge.delta) == 0);
        if (b->charge.pure) assert_int_equal(dpn_decimal_compare(&a->charge.epsilon, &b->charge.epsilon), 0);
        for (size_t k = 0; k < b->orders; k++) assert_true(a->charge.divergence[k] == b->charge.divergence[k]);
        if (record->plan_text) {
            assert_int_equal(a->plan_length, strlen(record->plan_text));
            assert_memory_equal(from + got.plan_at, record->plan_text, a->plan_length);
        } else {
            assert_true(got.plan_at == 0 && a->plan_length == 0);
        }
        if (!dpn_kind_has_filter(b->kind)) continue;
        const dpn_filter_terms *p = &got.filter, *q = &record->filter;
        assert_true(p->orders == q->orders && dpn_decimal_compare(&p->epsilon, &q->epsilon) == 0 &&
                    dpn_decimal_compare(&p->delta, &q->delta) == 0);
        assert_true(dpn_decimal_compare(&p->delta_renyi, &q->delta_renyi) == 0 &&
                    dpn_decimal_compare(&p->delta_first, &q->delta_first) == 0);
        for (size_t k = 0; k < q->orders; k++)
            assert_true(p->order[k] == q->order[k] && dpn_decimal_compare(&p->weight[k], &q->weight[k]) == 0);
    }
}

static void both_ways(const dpn_record *record, const char *text) {
    is_written(record, text);
    is_read_back(record, text);
}

static void every_kind(void **state) {
    (void)state;
    dpn_record record = record_of(DPN_ENTRY_LEDGER);
    record.entry.name[0] = record.entry.user[0] = '\0';
    memcpy(record.identity, "0123456789abcdef0123456789abcdef", 33);
    both_ways(&record, "{\"kind\": \"ledger\", \"time\": \"2026-11-17T07:00:00Z\", \"user\": null, \"identity\": "
                       "\"0123456789abcdef0123456789abcdef\"}");
    record = record_of(DPN_ENTRY_ALIAS);
    memcpy(record.entry.of, "a \"b\" \\", 8);
    both_ways(&record, "{\"kind\": \"alias\", \"time\": \"2026-11-17T07:00:00Z\", \"user\": \"ada\", \"name\": "
                       "\"people\", \"of\": \"a \\\"b\\\" \\\\\"}");
    record = record_of(DPN_ENTRY_RENEWAL);
    memcpy(record.entry.of, "people", 7);
    memcpy(record.entry.note, "a year", 7);
    both_ways(&record, "{\"kind\": \"renewal\", \"time\": \"2026-11-17T07:00:00Z\", \"user\": \"ada\", \"name\": "
                       "\"people\", \"of\": \"people\", \"note\": \"a year\"}");
    record = record_of(DPN_ENTRY_REGISTRATION);
    record.entry.version = 3;
    record.plan_text = "{\"x\": [1]}";
    both_ways(&record, "{\"kind\": \"registration\", \"time\": \"2026-11-17T07:00:00Z\", \"user\": \"ada\", \"name\": "
                       "\"people\", \"version\": 3, \"note\": null, "
                       "\"registration\": {\"x\": [1]}}");
    record = record_of(DPN_ENTRY_SOURCE);
    record.plan_text = "{\"file\": \"a\"}";
    both_ways(&record, "{\"kind\": \"source\", \"time\": \"2026-11-17T07:00:00Z\", \"user\": \"ada\", \"name\": "
                       "\"people\", \"source\": {\"file\": \"a\"}}");
    record.entry.version = 2;
    both_ways(&record, "{\"kind\": \"source\", \"time\": \"2026-11-17T07:00:00Z\", \"user\": \"ada\", \"name\": "
                       "\"people\", \"version\": 2, \"source\": {\"file\": \"a\"}}");
    record = record_of(DPN_ENTRY_BUDGET);
    record.entry.relation = DPN_REPLACE;
    record.entry.unit = DPN_PERSON;
    fill_plan(&record.filter, 0);
    both_ways(&record, "{\"kind\": \"budget\", \"time\": \"2026-11-17T07:00:00Z\", \"user\": \"ada\", \"name\": "
                       "\"people\", \"relation\": \"replace\", \"unit\": "
                       "\"person\", \"epsilon\": \"1.25\", \"delta\": \"1e-6\", \"delta_renyi\": \"0\", \"orders\": "
                       "[], \"weights\": []}");
    record = record_of(DPN_ENTRY_QUOTA);
    memcpy(record.entry.of, "all", 4);
    fill_plan(&record.filter, 2);
    record.filter.delta_first = decimal("1e-7");
    both_ways(&record, "{\"kind\": \"quota\", \"time\": \"2026-11-17T07:00:00Z\", \"user\": \"ada\", \"name\": "
                       "\"people\", \"of\": \"all\", \"relation\": "
                       "\"add-remove\", \"unit\": \"row\", \"epsilon\": \"1.25\", \"delta\": \"1e-6\", "
                       "\"delta_renyi\": \"5e-7\", \"delta_first\": \"1e-7\", "
                       "\"orders\": [1.5, 2.5], \"weights\": [\"0.125\", \"0.125\"]}");
}

static void charges(void **state) {
    (void)state;
    static const char start[] = "{\"kind\": \"charge\", \"time\": \"2026-11-17T07:00:00Z\", \"user\": \"ada\", "
                                "\"name\": \"people\", \"of\": \"people\", "
                                "\"relation\": \"replace\", \"unit\": \"row\", ";
    char text[2000];
    dpn_record record = record_of(DPN_ENTRY_CHARGE);
    memcpy(record.entry.of, "people", 7);
    record.entry.relation = DPN_REPLACE;
    record.entry.charge.divergence[0] = 0.5;
    record.entry.charge.divergence[1] = 1e-300;
    record.entry.orders = 2;
    snprintf(text, sizeof text,
             "%s\"epsilon\": null, \"delta\": \"0\", \"divergence\": [0.5, 1e-300], \"asked\": null, "
             "\"specification\": null, \"note\": null, \"plan\": null}",
             start);
    both_ways(&record, text);
    record.entry.orders = 0;
    record.entry.charge.pure = record.entry.converted = record.asked.pure = true;
    record.entry.charge.epsilon = decimal("0.5");
    record.entry.charge.delta = record.asked.delta = decimal("1e-9");
    record.asked.epsilon = decimal("0.25");
    record.entry.with = 9007199254740992;
    record.entry.reuse = 7;
    memset(record.entry.specification, 'a', 64);
    memcpy(record.entry.note, "n", 2);
    record.plan_text = "\"a plan\"";
    snprintf(text, sizeof text,
             "%s\"epsilon\": \"0.5\", \"delta\": \"1e-9\", \"divergence\": [], \"with\": 9007199254740992, \"reuse\": "
             "7, \"asked\": {\"relation\": \"add-remove\", "
             "\"epsilon\": \"0.25\", \"delta\": \"1e-9\"}, \"specification\": \"%.64s\", \"note\": \"n\", \"plan\": "
             "\"a plan\"}",
             start, record.entry.specification);
    both_ways(&record, text);
    assert_null(dpn_entry_kind_name((dpn_entry_kind)8));
    assert_string_equal(dpn_entry_kind_name(DPN_ENTRY_SOURCE), "source");
    assert_null(dpn_entry_kind_name((dpn_entry_kind)-1));
}

/* Plans of every length that there is room for; of more or fewer weights than orders, and of what is no list, in words. */
static void plans(void **state) {
    (void)state;
    char text[6000];
    dpn_record record;
    dpn_error why;
    for (size_t orders = 0; orders <= DPN_FILTER_ORDERS + 1; orders++)
        for (int more = -1; more < 2; more++) {
            int used = snprintf(text, sizeof text,
                                "{\"kind\": \"budget\", \"time\": \"t\", \"user\": null, \"name\": \"a\", "
                                "\"relation\": \"add-remove\", \"unit\": \"row\", "
                                "\"epsilon\": \"1\", \"delta\": \"0\", \"delta_renyi\": \"0\", \"orders\": [");
            for (size_t i = 0; i < orders; i++)
                used += snprintf(text + used, sizeof text - (size_t)used, "%s%zu", i ? ", " : "", i + 2);
            used += snprintf(text + used, sizeof text - (size_t)used, "], \"weights\": [");
            size_t weights = orders + (size_t)more;
            if (orders == 0 && more < 0) weights = 0;
            for (size_t i = 0; i < weights; i++)
                used += snprintf(text + used, sizeof text - (size_t)used, "%s\"0.%zu\"", i ? ", " : "", i + 1);
            snprintf(text + used, sizeof text - (size_t)used, "]}");
            dpn_status status = read(&record, text, &why);
            char sentence[100];
            snprintf(sentence, sizeof sentence, "'%s' must be a list of at most %d",
                     orders > DPN_FILTER_ORDERS ? "orders" : "weights", DPN_FILTER_ORDERS);
            if (orders > DPN_FILTER_ORDERS || weights > DPN_FILTER_ORDERS) {
                assert_int_equal(status, DPN_EPARSE);
                assert_string_equal(why.sentence, sentence);
            } else if (weights != orders) {
                assert_int_equal(status, DPN_EPARSE);
                assert_string_equal(why.sentence, "there must be a weight for each order");
            } else {
                assert_int_equal(status, DPN_OK);
                assert_int_equal(record.filter.orders, orders);
                for (size_t i = 0; i < orders; i++) assert_true(record.filter.order[i] == (double)i + 2);
            }
        }
    static const char *const bad[][2] = {
        {"{\"kind\": \"budget\", \"time\": \"t\", \"user\": null, \"name\": \"a\", \"relation\": \"both\", \"unit\": "
         "\"row\"}",
         "'relation' must be replace or add-remove"},
        {"{\"kind\": \"budget\", \"time\": \"t\", \"user\": null, \"name\": \"a\", \"relation\": \"replace\", "
         "\"unit\": \"table\"}",
         "'unit' must be row or person"},
        {"{\"kind\": \"registration\", \"time\": \"t\", \"user\": null, \"name\": \"a\", \"version\": 1, \"note\": "
         "null, \"registration\": []}",
         "a registration must be a JSON object"},
        {"{\"kind\": \"source\", \"time\": \"t\", \"user\": null, \"name\": \"a\", \"source\": \"x\"}",
         "a source must be a JSON object"},
        {"{\"kind\": \"registration\", \"time\": \"t\", \"user\": null, \"name\": \"a\", \"version\": 1.5, \"note\": "
         "null, \"registration\": {}}",
         "'version' must be a whole number"},
        {"{\"kind\": \"loan\"}", "there is no kind of entry 'loan'"},
        {"{\"kind\": \"alias\", \"time\": \"t\", \"user\": null, \"name\": \"a\"}", "the entry has no member 'of'"},
        {"{\"kind\": \"alias\", \"time\": \"t\", \"user\": null, \"name\": \"a\", \"of\": \"b\", \"of\": \"c\"}",
         "the entry has two members 'of'"},
        {"{\"kind\": \"source\", \"time\": \"t\", \"user\": null, \"name\": \"a\", \"version\": 1, \"version\": 1, "
         "\"source\": {}}",
         "the entry has two members 'version'"},
        {"[]", "an entry must be an object"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(read(&record, bad[i][0], &why), DPN_EPARSE);
        if (strcmp(why.sentence, bad[i][1]) != 0) fail_msg("%s: '%s'", bad[i][0], why.sentence);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind), cmocka_unit_test(charges),
                                       cmocka_unit_test(plans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
