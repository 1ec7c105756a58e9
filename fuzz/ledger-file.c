/* A hostile ledger: the bytes become the file, opened with a known key. Whatever they are, nothing may crash; a refusal
 * has a reason; and a ledger that opens holds the charges that its chain says and keeps within its budget.
 *
 * The first byte chooses how: a whole file; or a patch (p), rows of (offset, byte), over a ledger that is made here; or a
 * text to import (i), or a patch over an exported one (x), of which nothing but the truth may be taken. A fuzzer without the
 * key would not get past the first tag; so the bytes may also be taken for the text of an entry (e) that is chained with
 * the key: what a holder of the key, or a version to come, could write. */
#define _POSIX_C_SOURCE 200809L
#include "base/text/hex.h"
#include "ledger/chain.h"
#include "ledger/record.h"

#include <dpnoise/ledger.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* SQLite and the ledger find these in place of those of libc: nothing here needs to outlive the machine. */
__attribute__((visibility("default"))) int fsync(int file) {
    (void)file;
    return 0;
}

__attribute__((visibility("default"))) int fdatasync(int file) {
    (void)file;
    return 0;
}

static void promise(bool kept, const char *what) {
    if (kept) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

struct place {
    char directory[64], ledger[80], key[90];
};

static struct place place_make(void) {
    struct place place;
    bool memory = access("/dev/shm", W_OK | X_OK) == 0;
    snprintf(place.directory, sizeof place.directory, "%s/dpnoise-fuzz-XXXXXX", memory ? "/dev/shm" : "/tmp");
    promise(mkdtemp(place.directory) != NULL, "there is a directory");
    snprintf(place.ledger, sizeof place.ledger, "%s/l", place.directory);
    snprintf(place.key, sizeof place.key, "%s.key", place.ledger);
    return place;
}

static void place_remove(const struct place *place) {
    static const char *const suffixes[] = {"", "-journal", "-wal", "-shm", ".key", "-2", "-2-journal"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char name[120];
        snprintf(name, sizeof name, "%s%s", place->ledger, suffixes[i]);
        unlink(name);
    }
    rmdir(place->directory);
}

/* A ledger with one budget, two charges and a result. */
static void make(const struct place *place) {
    dpn_ledger *ledger;
    dpn_decimal one, half, none = {{0}};
    dpn_ledger_budget budget = {.name = "people"};
    dpn_account account;
    dpn_receipt receipt;
    dpn_filter *filter;
    promise(!dpn_decimal_parse(&one, "1", NULL) && !dpn_decimal_parse(&half, "0.25", NULL), "decimals");
    promise(!dpn_filter_new_default(&filter, &one, &none, NULL), "a plan");
    budget.plan = dpn_filter_plan_of(filter);
    promise(!dpn_ledger_create(&ledger, place->ledger, NULL, NULL), "a ledger is made");
    promise(!dpn_ledger_add_budget(NULL, ledger, &budget, NULL), "a budget is added");
    dpn_filter_free(filter);
    promise(!dpn_ledger_account(&account, ledger, "people", NULL), "it is there");
    dpn_ledger_charge charge = {.name = "people", .charge = dpn_charge_pure(account.filter, &half, &none)};
    promise(!dpn_ledger_spend(&receipt, ledger, &charge, NULL), "it is charged");
    charge.specification = "question";
    charge.specification_length = 8;
    promise(!dpn_ledger_spend(&receipt, ledger, &charge, NULL), "it is charged again");
    promise(!dpn_ledger_store_result(ledger, receipt.head.number, "answer", 6, NULL), "a result is kept");
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
}

static void use(const struct place *place) {
    dpn_ledger *ledger;
    dpn_error why = {DPN_OK, ""};
    size_t budgets;
    dpn_head last;
    dpn_status status = dpn_ledger_open(&ledger, place->ledger, NULL, &why);
    promise(!status || (why.status == status && why.sentence[0]), "no refusal without a reason");
    if (status) return;
    promise(!dpn_ledger_count(&budgets, &last, ledger, &why), "what opens can be counted");
    for (size_t i = 0; i < budgets; i++) {
        dpn_account account;
        promise(!dpn_ledger_account_at(&account, ledger, i, &why), "every budget has an account");
        dpn_spent spent = dpn_filter_spent(account.filter);
        dpn_filter_plan plan = dpn_filter_plan_of(account.filter);
        promise(spent.epsilon <= dpn_decimal_upper(&plan.epsilon), "no epsilon is exceeded");
        promise(dpn_decimal_compare(&spent.delta, &plan.delta) <= 0, "no delta is exceeded");
        dpn_account_free(&account);
    }
    for (uint64_t number = 1; number <= last.number; number++) {
        dpn_entry entry;
        promise(!dpn_ledger_entry(&entry, ledger, number, &why), "every entry can be read");
        dpn_entry_free(&entry);
    }
    if (dpn_ledger_verify(&last, ledger, NULL, 0, &why)) promise(why.sentence[0], "no refusal without a reason");
    dpn_ledger_close(ledger);
}

static void patch(const struct place *place, const uint8_t *data, size_t size) {
    FILE *file = fopen(place->ledger, "r+b");
    promise(file != NULL, "the file is there");
    for (; size >= 3; data += 3, size -= 3) {
        if (fseek(file, (long)(data[0] | data[1] << 8), SEEK_SET)) break;
        fputc(data[2], file);
    }
    fclose(file);
}

static void chain_an_entry(const struct place *place, const uint8_t *data, size_t size) {
    unsigned char key[32], before[DPN_TAG_SIZE], tag[DPN_TAG_SIZE];
    char hex[80] = "";
    dpn_chain *chain;
    sqlite3 *db;
    sqlite3_stmt *row;
    FILE *file = fopen(place->key, "r");
    promise(file && fgets(hex, sizeof hex, file), "the key is there");
    fclose(file);
    promise(dpn_hex_read(key, sizeof key, hex, 64), "it is a key");
    promise(!dpn_chain_new(&chain, key, sizeof key, NULL), "an HMAC");
    promise(!sqlite3_open(place->ledger, &db), "the file opens");
    promise(!sqlite3_prepare_v2(db, "SELECT tag FROM entry WHERE number = 4", -1, &row, NULL), "it has entries");
    promise(sqlite3_step(row) == SQLITE_ROW, "and a fourth");
    memcpy(before, sqlite3_column_blob(row, 0), sizeof before);
    sqlite3_finalize(row);
    promise(!dpn_chain_entry(tag, chain, before, 5, (const char *)data, size, NULL), "a tag");
    promise(!sqlite3_prepare_v2(db, "INSERT INTO entry VALUES (5, ?1, ?2)", -1, &row, NULL), "it can be added to");
    sqlite3_bind_text(row, 1, size ? (const char *)data : "", (int)size, SQLITE_STATIC);
    sqlite3_bind_blob(row, 2, tag, sizeof tag, SQLITE_STATIC);
    promise(sqlite3_step(row) == SQLITE_DONE, "an entry is added");
    sqlite3_finalize(row);
    sqlite3_close(db);
    dpn_chain_free(chain);
}

/* Every line of a text is one of another text. */
static bool lines_of(const char *text, const char *all) {
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        size_t length = end ? (size_t)(end - text) + 1 : 0;
        const char *found = all;
        while (length && *found && strncmp(found, text, length) != 0) found = strchr(found, '\n') + 1;
        if (!length || !*found) return false;
    }
    return true;
}

/* Import a text beside the ledger with its key; over its own export if that is to be patched. */
static void import_text(const struct place *place, const uint8_t *data, size_t size, bool patched) {
    char other[100], *truth, *text, *again;
    size_t length, length_again;
    dpn_ledger *ledger, *copy;
    dpn_error why = {DPN_OK, ""};
    promise(!dpn_ledger_open(&ledger, place->ledger, NULL, NULL), "it opens");
    promise(!dpn_ledger_export(&truth, &length, ledger, NULL), "it is exported");
    dpn_ledger_close(ledger);
    text = malloc(patched ? length : size + 1);
    promise(text != NULL, "there is memory");
    memcpy(text, patched ? (const uint8_t *)truth : data, patched ? length : size);
    for (; patched && size >= 3; data += 3, size -= 3) text[(size_t)(data[0] | data[1] << 8) % length] = (char)data[2];
    snprintf(other, sizeof other, "%s-2", place->ledger);
    dpn_status status =
        dpn_ledger_import(&copy, other, &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .key = place->key},
                          text, patched ? length : size, &why);
    promise(!status || (why.status == status && why.sentence[0]), "no refusal without a reason");
    if (!status) {
        promise(!dpn_ledger_verify(NULL, copy, NULL, 0, &why), "what was imported verifies");
        promise(!dpn_ledger_export(&again, &length_again, copy, NULL), "it is exported again");
        promise(lines_of(again, truth), "nothing but the truth was imported");
        free(again);
        dpn_ledger_close(copy);
    }
    free(text);
    free(truth);
    unlink(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    struct place place = place_make();
    make(&place);
    char mode = (char)data[0];
    data++, size--;
    if (mode == 'p') {
        patch(&place, data, size);
    } else if (mode == 'e') {
        chain_an_entry(&place, data, size);
    } else if (mode == 'i' || mode == 'x') {
        import_text(&place, data, size, mode == 'x');
    } else {
        FILE *file = fopen(place.ledger, "wb");
        promise(file && fwrite(data, 1, size, file) == size && !fclose(file), "the file is written");
    }
    use(&place);
    place_remove(&place);
    return 0;
}
