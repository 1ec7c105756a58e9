/* A directory of its own for each test. */
#define _POSIX_C_SOURCE 200809L
#include "place.h"

#include "unit/points.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* In memory where there is a file system for that: a process that dies loses nothing there either, and what a disk loses is
 * the part of disk.c. Long runs take the disk. */
struct place place_make(void) {
    bool memory = access("/dev/shm", W_OK | X_OK) == 0 && !points_are_many();
    struct place place;
    snprintf(place.directory, sizeof place.directory, "%s/dpnoise-ledger-XXXXXX", memory ? "/dev/shm" : "/tmp");
    if (!mkdtemp(place.directory)) fail_msg("no directory");
    snprintf(place.ledger, sizeof place.ledger, "%s/l.db", place.directory);
    snprintf(place.key, sizeof place.key, "%s.key", place.ledger);
    return place;
}

void place_remove(const struct place *place) {
    DIR *directory = opendir(place->directory);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char name[600];
        snprintf(name, sizeof name, "%s/%s", place->directory, entry->d_name);
        if (entry->d_name[0] != '.' || entry->d_name[1] == 'd') unlink(name);
    }
    if (directory) closedir(directory);
    rmdir(place->directory);
}

void place_clear(const struct place *place) {
    static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};
    for (size_t i = 0; i < 4; i++) {
        char name[300];
        snprintf(name, sizeof name, "%s%s", place->ledger, suffixes[i]);
        unlink(name);
    }
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

long place_forks(long quick, long many, long sanitized) {
#ifdef SANITIZED
    quick = sanitized;
#else
    (void)sanitized;
#endif
    return points_are_many() ? many : quick;
}

void expect(dpn_status wanted, dpn_status got, const dpn_error *why) {
    if (wanted != got) fail_msg("%s, not %s: %s", dpn_status_name(got), dpn_status_name(wanted), why->sentence);
    if (got) {
        assert_int_equal(why->status, got);
        assert_true(why->sentence[0]);
    }
}

dpn_decimal decimal(const char *text) {
    dpn_decimal out;
    dpn_error why;
    if (dpn_decimal_parse(&out, text, &why)) fail_msg("%s: %s", text, why.sentence);
    return out;
}

dpn_status add_budget(dpn_ledger *ledger, dpn_ledger_budget budget, const char *epsilon, const char *delta,
                      dpn_error *why) {
    dpn_decimal e = decimal(epsilon), d = decimal(delta);
    dpn_filter *filter;
    dpn_status status = dpn_filter_new_default(&filter, &e, &d, why);
    if (status) return status;
    budget.plan = dpn_filter_plan_of(filter);
    status = dpn_ledger_add_budget(NULL, ledger, &budget, why);
    dpn_filter_free(filter);
    return status;
}

dpn_ledger *place_ledger(const struct place *place, const char *epsilon, const char *delta, bool wal) {
    dpn_ledger *ledger = NULL;
    dpn_error why;
    dpn_ledger_budget budget = {.name = "people", .relation = DPN_ADD_REMOVE};
    /* Tests clear a place and leave its key, or kill who makes a ledger. */
    dpn_ledger_options options = {.size = sizeof options, .wal = wal, .with_existing_key = 1};
    if (dpn_ledger_create(&ledger, place->ledger, &options, &why) || add_budget(ledger, budget, epsilon, delta, &why))
        fail_msg("%s", why.sentence);
    return ledger;
}

dpn_status charge(dpn_head *head, dpn_ledger *ledger, const char *epsilon, dpn_error *why) {
    static const dpn_decimal none = {{0}};
    dpn_account account;
    dpn_receipt receipt;
    dpn_decimal amount = decimal(epsilon);
    dpn_status status = dpn_ledger_account(&account, ledger, "people", why);
    if (status) return status;
    dpn_ledger_charge asked = {.name = "people",
                               .charge = dpn_charge_pure(account.filter, &amount, &none),
                               .relation = account.relation,
                               .unit = account.unit};
    dpn_account_free(&account);
    status = dpn_ledger_spend(&receipt, ledger, &asked, why);
    if (!status && head) *head = receipt.head;
    return status;
}

struct standing standing(const char *path, const dpn_head *head, size_t heads) {
    struct standing out = {0};
    dpn_ledger *ledger = NULL;
    dpn_head last;
    out.status = dpn_ledger_open(&ledger, path, NULL, &out.why);
    if (!out.status) out.status = dpn_ledger_verify(&last, ledger, head, heads, &out.why);
    out.verified = out.status;
    for (uint64_t number = 1; !out.status && number <= last.number; number++) {
        dpn_entry entry;
        out.status = dpn_ledger_entry(&entry, ledger, number, &out.why);
        if (out.status) break;
        if (entry.kind == DPN_ENTRY_CHARGE) {
            out.charges++;
            if (dpn_decimal_add(&out.spent, &out.spent, &entry.charge.epsilon, &out.why))
                fail_msg("%s", out.why.sentence);
        }
        dpn_entry_free(&entry);
    }
    dpn_ledger_close(ledger);
    return out;
}

char *read_whole(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    if (!bytes || fread(bytes, 1, *length, file) != *length) fail_msg("%s cannot be read", path);
    fclose(file);
    return bytes;
}

void write_whole(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file)) fail_msg("%s cannot be written", path);
}
