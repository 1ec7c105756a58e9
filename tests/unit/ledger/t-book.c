/* What entries add up to, entered one by one without a file: every entry that follows, every one that does not, in which words; after a
 * refusal the book is as it was. */
#include "ledger/book.h"

#include "base/text/hex.h"
#include "place.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_book book;
static uint64_t last;

static void begin(void) {
    dpn_record record = {.entry.kind = DPN_ENTRY_LEDGER, .identity = "0123456789abcdef0123456789abcdef"};
    dpn_book_free(&book);
    last = 1;
    assert_int_equal(dpn_book_enter(&book, &record, last, NULL), DPN_OK);
    assert_true(book.begun);
    assert_string_equal(book.identity, record.identity);
}

static dpn_record record_of(dpn_entry_kind kind, const char *name, const char *of) {
    dpn_record out;
    memset(&out, 0, sizeof out);
    out.entry.kind = kind;
    out.entry.relation = DPN_ADD_REMOVE;
    memcpy(out.entry.name, name, strlen(name) + 1);
    if (of) memcpy(out.entry.of, of, strlen(of) + 1);
    return out;
}

static dpn_record budget_of(const char *name, const char *cap, const char *epsilon, const char *delta) {
    dpn_record out = record_of(cap ? DPN_ENTRY_QUOTA : DPN_ENTRY_BUDGET, name, cap);
    dpn_decimal e = decimal(epsilon), d = decimal(delta);
    out.filter.epsilon = e;
    out.filter.delta = d;
    return out;
}

/* A pure charge to a plan without orders. */
static dpn_record charge_of(const char *name, const char *epsilon, const char *hash) {
    dpn_record out = record_of(DPN_ENTRY_CHARGE, name, name);
    out.entry.charge.pure = true;
    out.entry.charge.epsilon = decimal(epsilon);
    if (hash) memcpy(out.entry.specification, hash, strlen(hash) + 1);
    return out;
}

static void follows(const dpn_record *record) {
    dpn_error why;
    if (dpn_book_enter(&book, record, ++last, &why)) fail_msg("entry %llu: %s", (unsigned long long)last, why.sentence);
}

/* All that a book tells. */
static void print_book(char *out, size_t size) {
    size_t used = 0;
    for (size_t i = 0; i < book.names; i++) {
        const dpn_set *set = book.name[i].set;
        char spent[DPN_DECIMAL_TEXT_SIZE];
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s %s %s %d %d %llu %llu %llu %llu\n", book.name[i].text,
                             book.name[i].alias ? "*" : "", set->cap ? set->cap->name : "-",
                             dpn_decimal_print(spent, &set->filter.sums.epsilon), (int)set->relation, (int)set->unit,
                             (unsigned long long)set->filter.sums.charges, (unsigned long long)set->periods,
                             (unsigned long long)set->version, (unsigned long long)set->registration);
        assert_true(used < size);
    }
    snprintf(out + used, size - used, "%zu %zu %llu", book.sources, book.charges, (unsigned long long)book.joint);
}

static void refused(dpn_record record, dpn_status status, const char *sentence) {
    static char before[20000], after[20000];
    dpn_error why = {DPN_OK, ""};
    print_book(before, sizeof before);
    dpn_status got = dpn_book_enter(&book, &record, last + 1, &why);
    if (got != status || (sentence && strcmp(why.sentence, sentence) != 0))
        fail_msg("%d, '%s', not '%s'", (int)got, why.sentence, sentence);
    print_book(after, sizeof after);
    assert_string_equal(before, after);
}

static void a_ledger_begins_once(void **state) {
    (void)state;
    const char *once = "a ledger begins with the entry 'ledger', once";
    dpn_book_free(&book);
    refused(budget_of("people", NULL, "1", "0"), DPN_EDOMAIN, once);
    begin();
    refused(record_of(DPN_ENTRY_LEDGER, "", NULL), DPN_EDOMAIN, once);
    dpn_record none = record_of((dpn_entry_kind)99, "a", NULL);
    assert_true(dpn_book_enter_set(&book, &none, 2, NULL) == DPN_EDOMAIN);
    dpn_record ledger = record_of(DPN_ENTRY_LEDGER, "a", NULL);
    dpn_error why;
    assert_int_equal(dpn_book_enter_set(&book, &ledger, 2, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "the entry is not about a data set");
}

/* Names in any order, more than any room, are found, and no others. */
static void names_are_found(void **state) {
    (void)state;
    enum { NAMES = 150 };
    begin();
    char name[20];
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "n%d", i * 67 % NAMES);
        dpn_record record = i % 3 || i == 0 ? budget_of(name, NULL, "1", "0") : record_of(DPN_ENTRY_ALIAS, name, "n0");
        follows(&record);
        refused(record, DPN_EDOMAIN, NULL);
    }
    assert_int_equal(book.names, NAMES);
    for (size_t i = 1; i < book.names; i++) assert_true(strcmp(book.name[i - 1].text, book.name[i].text) < 0);
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "n%d", i * 67 % NAMES);
        const dpn_set *set = dpn_book_find(&book, name);
        assert_non_null(set);
        assert_string_equal(set->name, i % 3 || i == 0 ? name : "n0");
    }
    static const char *const others[] = {"", "n", "m9", "n150", "n1490", "o", "zzz"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_null(dpn_book_find(&book, others[i]));
    dpn_book_free(&book);
    assert_true(!book.name && book.names == 0 && !dpn_book_find(&book, "n1"));
}

static void budgets_and_quotas(void **state) {
    (void)state;
    begin();
    const char *small = "epsilon is below the smallest normal double, about 2.2e-308";
    dpn_record people = budget_of("people", NULL, "1", "1e-6"), quota = budget_of("ana", "people", "0.5", "0");
    follows(&people);
    const dpn_set *set = dpn_book_find(&book, "people");
    assert_true(set->periods == 1 && set->version == 0 && !set->cap && set->relation == DPN_ADD_REMOVE &&
                set->unit == DPN_ROW);
    refused(people, DPN_EDOMAIN, "there is a data set 'people' already; what was fixed for it stays");
    refused(budget_of("zero", NULL, "0", "0"), DPN_EDOMAIN, "epsilon must be more than 0");
    refused(budget_of("zero", NULL, "1e-308", "0"), DPN_EDOMAIN, small);
    refused(budget_of("zero", NULL, "1", "1e-308"), DPN_EDOMAIN,
            "delta is below the smallest normal double, about 2.2e-308");
    refused(budget_of("zero", NULL, "1", "1"), DPN_EDOMAIN, NULL);
    dpn_record least = budget_of("least", NULL, "2.2250738585072014e-308", "0");
    follows(&least);
    refused(budget_of("ana", "nobody", "1", "0"), DPN_EDOMAIN, "there is no data set 'nobody'");
    follows(&quota);
    set = dpn_book_find(&book, "ana");
    assert_true(set->cap == dpn_book_find(&book, "people"));
    refused(budget_of("bob", "ana", "1", "0"), DPN_EDOMAIN, "'ana' is a quota of 'people' itself; a quota has none");
    dpn_record other = budget_of("bob", "people", "1", "0");
    other.entry.relation = DPN_REPLACE;
    const char *fits = "a quota has the relation and unit of its cap: 'people' is for add-remove of one row";
    refused(other, DPN_EDOMAIN, fits);
    other.entry.relation = DPN_ADD_REMOVE;
    other.entry.unit = DPN_PERSON;
    refused(other, DPN_EDOMAIN, fits);
    dpn_record alias = record_of(DPN_ENTRY_ALIAS, "folk", "people");
    follows(&alias);
    refused(alias, DPN_EDOMAIN, "there is a data set 'folk' already; what was fixed for it stays");
    refused(record_of(DPN_ENTRY_ALIAS, "more", "nobody"), DPN_EDOMAIN, "there is no data set 'nobody'");
    refused(budget_of("bob", "folk", "1", "0"), DPN_EDOMAIN,
            "there is no data set 'folk'"); /* entries name the budget itself */
    /* amounts by themselves */
    dpn_error why;
    dpn_decimal zero = decimal("0"), tiny = decimal("2.2250738585072013e-308"),
                normal = decimal("2.2250738585072015e-308");
    assert_int_equal(dpn_amount_check(&zero, "it", true, &why), DPN_OK);
    assert_int_equal(dpn_amount_check(&zero, "it", false, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "it must be more than 0");
    assert_int_equal(dpn_amount_check(&tiny, "it", true, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_amount_check(&normal, "it", false, &why), DPN_OK);
    for (int power = 290; power < 330; power++) {
        char text[20];
        snprintf(text, sizeof text, "9e-%d", power);
        dpn_decimal amount = decimal(text);
        assert_int_equal(dpn_amount_check(&amount, "it", false, NULL), power <= 308 ? DPN_OK : DPN_EDOMAIN);
    }
}

static void renewals_and_registrations(void **state) {
    (void)state;
    begin();
    dpn_record people = budget_of("people", NULL, "1", "0"), quota = budget_of("ana", "people", "0.5", "0"),
               alias = record_of(DPN_ENTRY_ALIAS, "folk", "people");
    follows(&people);
    follows(&quota);
    follows(&alias);
    dpn_record spent = charge_of("people", "0.75", NULL);
    follows(&spent);
    dpn_record renewal = record_of(DPN_ENTRY_RENEWAL, "people", "people");
    refused(renewal, DPN_EDOMAIN, "a renewal needs a note that says why");
    memcpy(renewal.entry.note, "a new year", 11);
    refused(spent, DPN_EBUDGET, NULL);
    follows(&renewal);
    const dpn_set *set = dpn_book_find(&book, "people");
    assert_true(set->periods == 2 && set->filter.sums.charges == 0);
    follows(&spent);
    dpn_record wrong = renewal;
    memcpy(wrong.entry.of, "folk", 5);
    refused(wrong, DPN_EDOMAIN, "there is no data set 'people'");
    wrong = record_of(DPN_ENTRY_RENEWAL, "nobody", "nobody");
    refused(wrong, DPN_EDOMAIN, "there is no data set 'nobody'");
    dpn_record registration = record_of(DPN_ENTRY_REGISTRATION, "people", NULL);
    static const struct {
        uint64_t version;
        const char *sentence; /* NULL: it follows */
    } row[] = {{0, "the version of the registration of 'people' must be 1"},
               {2, "the version of the registration of 'people' must be 1"},
               {1, NULL},
               {1, NULL},
               {0, "the version of the registration of 'people' must be 1 or one more"},
               {3, "the version of the registration of 'people' must be 1 or one more"},
               {2, NULL},
               {1, "the version of the registration of 'people' must be 2 or one more"},
               {3, NULL}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        registration.entry.version = row[i].version;
        if (row[i].sentence) {
            refused(registration, DPN_EDOMAIN, row[i].sentence);
        } else {
            follows(&registration);
            assert_true(set->version == row[i].version && set->registration == last);
        }
    }
    registration.entry.version = 3;
    memcpy(registration.entry.name, "ana", 4);
    refused(registration, DPN_EDOMAIN, "'ana' is a quota of 'people': register that");
    memcpy(registration.entry.name, "folk", 5);
    refused(registration, DPN_EDOMAIN, "'folk' is another name of 'people': register that");
    memcpy(registration.entry.name, "nobody", 7);
    refused(registration, DPN_EDOMAIN, "there is no data set 'nobody'");
}

static void sources(void **state) {
    (void)state;
    begin();
    dpn_record people = budget_of("people", NULL, "1", "0"), quota = budget_of("ana", "people", "0.5", "0"),
               alias = record_of(DPN_ENTRY_ALIAS, "folk", "people");
    dpn_record source = record_of(DPN_ENTRY_SOURCE, "people", NULL),
               registration = record_of(DPN_ENTRY_REGISTRATION, "people", NULL);
    follows(&people);
    follows(&quota);
    follows(&alias);
    static const char *const none[] = {"ana", "folk", "nobody"};
    for (int i = 0; i < 3; i++) {
        char sentence[60];
        snprintf(sentence, sizeof sentence, "there is no data set '%s'", none[i]);
        refused(record_of(DPN_ENTRY_SOURCE, none[i], NULL), DPN_EDOMAIN, sentence);
    }
    source.entry.version = 1;
    refused(source, DPN_EDOMAIN, "'people' has no registration of version 1 in force");
    source.entry.version = 0;
    for (int i = 0; i < 30; i++) { /* more than any room */
        follows(&source);
        assert_true(book.sources == (size_t)i + 1 && book.source[i].number == last &&
                    book.source[i].set == dpn_book_find(&book, "people"));
    }
    registration.entry.version = 1;
    follows(&registration);
    refused(source, DPN_EDOMAIN, "'people' is registered, which says where its data are");
    source.entry.version = 2;
    refused(source, DPN_EDOMAIN, "'people' has no registration of version 2 in force");
    source.entry.version = 1;
    follows(&source);
    assert_int_equal(book.sources, 31);
}

/* ---- Charges ---- */

static void hash_of(char out[65], unsigned number) {
    unsigned char bytes[32] = {(unsigned char)(number >> 8), (unsigned char)number};
    bytes[31] = (unsigned char)(number * 7);
    dpn_hex_write(out, bytes, sizeof bytes);
}

static void charges_are_noted(void **state) {
    (void)state;
    enum { CHARGES = 200 };
    begin();
    dpn_record people = budget_of("people", NULL, "1000", "0"), visits = budget_of("visits", NULL, "1000", "0");
    char hash[65], none[65];
    uint64_t number[CHARGES];
    follows(&people);
    follows(&visits);
    const dpn_set *first = dpn_book_find(&book, "people"), *second = dpn_book_find(&book, "visits");
    for (unsigned i = 0; i < CHARGES; i++) {
        hash_of(hash, i / 2);
        dpn_record one = charge_of(i % 2 ? "visits" : "people", "0.5", i % 5 ? hash : NULL);
        follows(&one);
        number[i] = last;
        assert_true(book.joint == last && book.joint_set == (i % 2 ? second : first));
    }
    assert_true(first->filter.sums.charges == CHARGES / 2 && second->filter.sums.charges == CHARGES / 2);
    for (unsigned i = 0; i < CHARGES; i++) {
        hash_of(hash, i / 2);
        const dpn_book_charge *at = dpn_book_charge_at(&book, number[i]),
                              *by = dpn_book_charge_for(&book, i % 2 ? second : first, hash);
        assert_true((at != NULL) == (i % 5 != 0) && at == by);
        if (at) assert_true(at->number == number[i] && at->set == (i % 2 ? second : first));
    }
    assert_true(!dpn_book_charge_at(&book, 0) && !dpn_book_charge_at(&book, 2) && !dpn_book_charge_at(&book, last + 1));
    hash_of(none, 5000);
    assert_true(!dpn_book_charge_for(&book, first, none) && !dpn_book_charge_for(&book, first, "xyz") &&
                !dpn_book_charge_for(&book, first, ""));
    /* of two for the same specification the latest */
    hash_of(hash, 1);
    dpn_record again = charge_of("people", "0.5", hash);
    follows(&again);
    assert_int_equal(dpn_book_charge_for(&book, first, hash)->number, last);
}

static void charges_that_do_not_follow(void **state) {
    (void)state;
    begin();
    char hash[65];
    hash_of(hash, 1);
    dpn_record people = budget_of("people", NULL, "1", "1e-6"), persons = people,
               alias = record_of(DPN_ENTRY_ALIAS, "folk", "people");
    memcpy(persons.entry.name, "persons", 8);
    persons.entry.unit = DPN_PERSON;
    follows(&people);
    follows(&persons);
    follows(&alias);
    dpn_record by_alias = charge_of("folk", "0.5", hash);
    refused(by_alias, DPN_EDOMAIN, "there is no data set 'folk'"); /* of "folk", which is no budget's own name */
    memcpy(by_alias.entry.of, "people", 7);
    refused(charge_of("nobody", "0.5", hash), DPN_EDOMAIN, "there is no data set 'nobody'");
    dpn_record other = charge_of("people", "0.5", hash);
    other.entry.relation = DPN_REPLACE;
    refused(other, DPN_EDOMAIN, "the charge is not made for the budget 'people'");
    other = charge_of("persons", "0.5", hash);
    refused(other, DPN_EDOMAIN, "the charge is not made for the budget 'persons'");
    other = charge_of("people", "0.5", hash);
    other.entry.orders = 1;
    refused(other, DPN_EDOMAIN, "the charge is not made for the budget 'people'");
    refused(charge_of("people", "0", hash), DPN_EDOMAIN, "epsilon must be more than 0");
    other = charge_of("people", "0.5", hash);
    other.entry.charge.delta = decimal("1");
    refused(other, DPN_EDOMAIN, "delta must be less than 1");
    other.entry.charge.delta = decimal("1e-320");
    refused(other, DPN_EDOMAIN, "delta is below the smallest normal double, about 2.2e-308");
    refused(charge_of("people", "0.5", "abc"), DPN_EDOMAIN, "the specification of a charge is no SHA-256");
    other = charge_of("people", "0.5", hash);
    other.entry.with = 4;
    refused(other, DPN_EDOMAIN, "'people' is not a quota, and its charge stands alone");
    other.entry.with = 0;
    other.entry.reuse = 4;
    refused(other, DPN_EDOMAIN, "'people' is not a quota, and its charge stands alone");
    refused(charge_of("people", "1.0000001", hash), DPN_EBUDGET, NULL);
    follows(&by_alias);
    dpn_record rest = charge_of("people", "0.5", NULL);
    follows(&rest);
    refused(charge_of("people", "1e-300", NULL), DPN_EBUDGET, NULL);
    /* what is more than nothing */
    dpn_charge nothing = {.pure = false}, charge = {.pure = true, .epsilon = decimal("0.1")};
    dpn_error why;
    assert_int_equal(dpn_charge_check_worth(&charge, 0, NULL), DPN_OK);
    assert_int_equal(dpn_charge_check_worth(&nothing, 0, NULL), DPN_OK);
    assert_int_equal(dpn_charge_check_worth(&nothing, 2, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "a charge must be more than nothing");
    nothing.divergence[1] = 1e-9;
    assert_int_equal(dpn_charge_check_worth(&nothing, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_charge_check_worth(&nothing, 2, NULL), DPN_OK);
}

/* A quota's charge comes right after that of its cap and names it, or names one that was paid for before. */
static void charges_of_quotas(void **state) {
    (void)state;
    begin();
    char hash[65], other[65];
    hash_of(hash, 1);
    hash_of(other, 2);
    dpn_record people = budget_of("people", NULL, "10", "0"), visits = budget_of("visits", NULL, "10", "0");
    dpn_record ana = budget_of("ana", "people", "10", "0"), bob = budget_of("bob", "people", "10", "0"),
               alias = record_of(DPN_ENTRY_ALIAS, "folk", "people");
    follows(&people);
    follows(&visits);
    follows(&ana);
    follows(&bob);
    dpn_record cap = charge_of("people", "0.5", hash), own = charge_of("ana", "0.5", hash),
               his = charge_of("bob", "0.5", hash), beside = charge_of("visits", "0.5", hash);
    const char *together = "'ana' is a quota: it is charged together with 'people'";
    refused(own, DPN_EDOMAIN, together);
    follows(&cap);
    uint64_t paid = last;
    refused(own, DPN_EDOMAIN, together);
    own.entry.with = paid + 1;
    refused(own, DPN_EDOMAIN, together);
    own.entry.with = paid;
    follows(&own);
    his.entry.with = paid; /* both belong to the same one */
    follows(&his);
    assert_true(book.joint == paid && book.joint_set == dpn_book_find(&book, "people"));
    own.entry.reuse = paid;
    refused(own, DPN_EDOMAIN, "a charge has one charge to the cap, not two");
    follows(&beside);
    uint64_t elsewhere = last;
    own.entry.reuse = 0;
    refused(own, DPN_EDOMAIN, together); /* something came between */
    own.entry.with = elsewhere;
    refused(own, DPN_EDOMAIN, together);
    /* an answer that was paid for */
    own.entry.with = 0;
    static const char *const form = "entry %llu is not a charge to 'people' for the same specification";
    const uint64_t wrong[] = {elsewhere, paid + 1, last + 1, 1};
    for (int i = 0; i < 4; i++) {
        char sentence[100];
        snprintf(sentence, sizeof sentence, form, (unsigned long long)wrong[i]);
        own.entry.reuse = wrong[i];
        refused(own, DPN_EDOMAIN, sentence);
    }
    own.entry.reuse = paid;
    memcpy(own.entry.specification, other, sizeof other);
    char sentence[100];
    snprintf(sentence, sizeof sentence, form, (unsigned long long)paid);
    refused(own, DPN_EDOMAIN, sentence);
    own.entry.specification[0] = '\0';
    refused(own, DPN_EDOMAIN, sentence);
    memcpy(own.entry.specification, hash, sizeof hash);
    follows(&own);
    assert_true(book.joint == 0);
    follows(&cap);
    paid = last;
    follows(&alias); /* an entry of another kind ends it */
    assert_true(book.joint == 0);
    own.entry.reuse = 0;
    own.entry.with = paid;
    refused(own, DPN_EDOMAIN, together);
    assert_int_equal(dpn_book_find(&book, "ana")->filter.sums.charges, 2);
    dpn_book_free(&book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ledger_begins_once),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(budgets_and_quotas),
        cmocka_unit_test(renewals_and_registrations),
        cmocka_unit_test(sources),
        cmocka_unit_test(charges_are_noted),
        cmocka_unit_test(charges_that_do_not_follow),
        cmocka_unit_test(charges_of_quotas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
