/* Places: from a table to what a ledger holds, and back. */
#define _XOPEN_SOURCE 700
#include <dpnoise/place.h>

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/dpn-place-XXXXXX", csv[64], soft[64], other[64], database[64], ledger_file[64];

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make(void **state) {
    (void)state;
    if (!mkdtemp(directory)) return -1;
    snprintf(csv, sizeof csv, "%s/people.csv", directory);
    snprintf(soft, sizeof soft, "%s/link.csv", directory);
    snprintf(other, sizeof other, "%s/other.csv", directory);
    snprintf(database, sizeof database, "%s/p.db", directory);
    snprintf(ledger_file, sizeof ledger_file, "%s/ledger.db", directory);
    write_file(csv, "age\n31\n42\n");
    write_file(other, "age\n31\n42\n");
    return symlink(csv, soft);
}

static int clean(void **state) {
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command);
}

static dpn_place place_of(const char *source, const char *name, dpn_table_identity *identity) {
    dpn_table_options options = dpn_table_options_init();
    dpn_table *table = NULL;
    dpn_place place = {.kind = DPN_PLACE_DECLARED};
    dpn_error why;
    options.table = name;
    if (dpn_table_open(&table, source, &options, &why) || dpn_place_of_table(&place, identity, table, source, &why))
        fail_msg("%s", why.sentence);
    dpn_table_close(table);
    return place;
}

/* How many rows a place has when it is opened again. */
static uint64_t rows_of(const dpn_place *place) {
    const dpn_field *field;
    dpn_table *table;
    dpn_error why;
    size_t rows;
    if (dpn_place_open(&table, place, false, &why)) fail_msg("%s", why.sentence);
    do assert_int_equal(dpn_table_next(&field, &rows, table, &why), DPN_OK);
    while (rows > 0);
    uint64_t all = dpn_table_rows(table);
    dpn_table_close(table);
    return all;
}

static void files(void **state) {
    (void)state;
    dpn_table_identity one, two, three;
    dpn_place place = place_of(csv, NULL, &one), link = place_of(soft, NULL, &two),
              copy = place_of(other, NULL, &three);
    assert_int_equal(place.kind, DPN_PLACE_FILE);
    assert_true(place.path[0] == '/');
    assert_string_equal(place.path, link.path);
    assert_true(dpn_place_is(&place, &one) && dpn_place_is(&place, &two) && !dpn_place_is(&place, &three));
    assert_int_equal(rows_of(&link), 2);
    dpn_error why;
    assert_int_equal(dpn_place_copy(&copy, &place, &why), DPN_OK);
    assert_string_equal(copy.path, place.path);
    assert_true(copy.path != place.path);
    dpn_place_free(&place), dpn_place_free(&link), dpn_place_free(&copy);
    assert_true(copy.kind == DPN_PLACE_DECLARED && !copy.path);
    dpn_table_identity_free(&one), dpn_table_identity_free(&two), dpn_table_identity_free(&three);
}

static void databases(void **state) {
    (void)state;
    sqlite3 *sqlite;
    assert_int_equal(sqlite3_open(database, &sqlite), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(sqlite, "create table a (x); create table b (x); insert into b values (1), (2), (3)", 0, 0, 0),
        SQLITE_OK);
    sqlite3_close(sqlite);
    dpn_table_identity first, second;
    dpn_place a = place_of(database, "a", &first), b = place_of(database, "B", &second);
    assert_true(a.kind == DPN_PLACE_SQLITE && strcmp(a.table, "a") == 0);
    assert_true(!dpn_place_is(&a, &second) && dpn_place_is(&b, &second));
    assert_int_equal(rows_of(&b), 3);
    dpn_place_free(&a), dpn_place_free(&b);
    dpn_table_identity_free(&first), dpn_table_identity_free(&second);
}

static void gone_and_unreachable(void **state) {
    (void)state;
    static char path[] = "/nowhere/people.csv", system_[] = "7301", name[] = "p";
    dpn_place place = {.kind = DPN_PLACE_FILE, .path = path};
    dpn_table *table = NULL;
    dpn_error why;
    assert_int_equal(dpn_place_open(&table, &place, false, &why), DPN_EIO);
    place =
        (dpn_place){.kind = DPN_PLACE_POSTGRESQL, .system = system_, .database = name, .schema = name, .table = name};
    assert_int_equal(dpn_place_open(&table, &place, false, &why), DPN_EDOMAIN);
    assert_non_null(strstr(why.sentence, "how the server is reached"));
    assert_null(table);
}

static dpn_ledger *budget_of(const char *name) {
    dpn_decimal total, none;
    dpn_filter *filter = NULL;
    dpn_ledger *ledger = NULL;
    dpn_head head;
    dpn_error why;
    if (dpn_ledger_create(&ledger, ledger_file, NULL, &why) || dpn_decimal_parse(&total, "1", &why) ||
        dpn_decimal_parse(&none, "0", &why) || dpn_filter_new_default(&filter, &total, &none, &why))
        fail_msg("%s", why.sentence);
    dpn_ledger_budget budget = {.name = name, .plan = dpn_filter_plan_of(filter)};
    if (dpn_ledger_add_budget(&head, ledger, &budget, &why)) fail_msg("%s", why.sentence);
    dpn_filter_free(filter);
    return ledger;
}

static void owners(void **state) {
    (void)state;
    dpn_ledger *ledger = budget_of("people");
    dpn_table_identity one, two, three;
    dpn_place place = place_of(csv, NULL, &one), link = place_of(soft, NULL, &two),
              copy = place_of(other, NULL, &three);
    dpn_registration registration = {.source = place, .max_rows = 1, .max_groups = 1}, found;
    dpn_place_owner owner;
    uint64_t version = 0;
    char *text;
    bool known = true;
    dpn_head head;
    dpn_error why;
    static char skip[] = "skip";
    registration.missing = skip;
    assert_int_equal(dpn_registration_find(&found, &known, &version, ledger, "people", &why), DPN_OK);
    assert_false(known);
    assert_int_equal(dpn_place_find_owner(&owner, ledger, &two, &why), DPN_OK);
    assert_string_equal(owner.name, "");
    if (dpn_registration_write(&text, NULL, &registration, &why)) fail_msg("%s", why.sentence);
    dpn_ledger_registration entry = {.name = "people", .text = text, .version = 1};
    if (dpn_ledger_register(&head, ledger, NULL, &entry, &why)) fail_msg("%s", why.sentence);
    free(text);
    assert_int_equal(dpn_registration_find(&found, &known, &version, ledger, "people", &why), DPN_OK);
    assert_true(known && version == 1 && strcmp(found.source.path, place.path) == 0);
    dpn_registration_free(&found);
    assert_int_equal(dpn_place_find_owner(&owner, ledger, &two, &why), DPN_OK);
    assert_true(owner.registered && strcmp(owner.name, "people") == 0);
    assert_int_equal(dpn_place_find_owner(&owner, ledger, &three, &why), DPN_OK);
    assert_true(!owner.registered && !owner.name[0]);
    dpn_place_free(&place), dpn_place_free(&link), dpn_place_free(&copy);
    dpn_table_identity_free(&one), dpn_table_identity_free(&two), dpn_table_identity_free(&three);
    dpn_ledger_close(ledger);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(files), cmocka_unit_test(databases),
                                       cmocka_unit_test(gone_and_unreachable), cmocka_unit_test(owners)};
    return cmocka_run_group_tests(tests, make, clean);
}
