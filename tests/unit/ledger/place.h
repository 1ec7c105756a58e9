/* A directory of its own for each test, and the few moves that all of them make. Failures end the test. */
#ifndef DPN_TEST_LEDGER_PLACE_H
#define DPN_TEST_LEDGER_PLACE_H

#include <dpnoise/ledger.h>

struct place {
    char directory[200];
    char ledger[220], key[230]; /* names of files in it */
};

struct place place_make(void);
void place_remove(const struct place *place);

/* Remove the ledger and what SQLite keeps beside it, but not the key. */
void place_clear(const struct place *place);

/* The same for what forks: a sanitizer makes a fork ten times as dear, and has nothing to find in a process that is gone. */
long place_forks(long quick, long many, long sanitized);

/* That a function returned this status, and a reason if it is none to be glad of. */
void expect(dpn_status wanted, dpn_status got, const dpn_error *why);

dpn_decimal decimal(const char *text);

/* Add a budget with the default plan. */
dpn_status add_budget(dpn_ledger *ledger, dpn_ledger_budget budget, const char *epsilon, const char *delta,
                      dpn_error *why);

/* A ledger with the data set "people", by add-remove of rows. */
/* Add a budget with the default plan. */
dpn_status add_budget(dpn_ledger *ledger, dpn_ledger_budget budget, const char *epsilon, const char *delta,
                      dpn_error *why);

dpn_ledger *place_ledger(const struct place *place, const char *epsilon, const char *delta, bool wal);

/* One pure charge of "people". */
dpn_status charge(dpn_head *head, dpn_ledger *ledger, const char *epsilon, dpn_error *why);

/* The exact sum that was charged and the number of charges, of a ledger that is opened and verified for this. */
struct standing {
    dpn_status verified; /* of opening and verifying */
    dpn_status status;   /* of that, and of reading every entry */
    uint64_t charges;
    dpn_decimal spent;
    dpn_error why;
};
struct standing standing(const char *path, const dpn_head *head, size_t heads);

/* Copy and write whole files. */
char *read_whole(const char *path, size_t *length); /* NULL if there is none; free() it */
void write_whole(const char *path, const char *bytes, size_t length);

#endif
