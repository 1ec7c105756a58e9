/* dpnoise/ledger.h - a privacy budget on disk, without free answers.
 *
 * A ledger is an SQLite file that many processes share. For each data set it holds a total (epsilon, delta) and every
 * charge against it. A charge that does not fit is refused; one that is accepted is on the disk before the call
 * returns, so that a caller who charges first and reads rows afterwards can crash at any moment without giving an
 * answer that nobody paid for. A crash may waste budget. Nothing is ever refunded.
 *
 * Example
 *     dpn_ledger *ledger;
 *     dpn_account account;
 *     dpn_receipt receipt;
 *     dpn_decimal epsilon, none = {{0}};
 *     dpn_error why;
 *     if (dpn_decimal_parse(&epsilon, "0.1", &why) || dpn_ledger_open(&ledger, "people.db", NULL, &why) ||
 *         dpn_ledger_account(&account, ledger, "people", &why))
 *         return puts(why.sentence);
 *     dpn_ledger_charge charge = {.name = "people", .charge = dpn_charge_pure(account.filter, &epsilon, &none),
 *                                 .relation = account.relation, .unit = account.unit};
 *     switch (dpn_ledger_spend(&receipt, ledger, &charge, &why)) {
 *     case DPN_OK: puts("paid"); break; // it is durable: read the rows, draw the noise, answer
 *     case DPN_EBUDGET: puts("it does not fit"); break;
 *     default: puts("do not answer"); // it is unknown whether the charge was recorded
 *     }
 *     dpn_account_free(&account);
 *     dpn_ledger_close(ledger);
 *
 * Entries form a chain: each carries a tag, HMAC-SHA256 of the tag before it, its number and its text, with a key that
 * lies in a file of its own. A head is the number of the last entry with the first 64 bits of its tag; whoever keeps
 * one can tell later that nothing before it was changed, removed, added or moved. Opening a ledger verifies the whole
 * chain and admits every charge anew; nothing else in the file is believed.
 *
 * Claimed: no charge is lost that was acknowledged, and the admitted charges never exceed the budget, under any crash,
 * power cut (if the disk keeps what fsync promised) and any number of processes; without the key no change goes
 * unnoticed, except that the last entries are cut off and no later head is known. Not claimed: anything against those
 * who have the key or run their own program on the data, and against an owner who puts back an old copy of the file and
 * has shown nobody a head. docs/proofs/ledger/ledger.md
 *
 * A handle must not be used by two threads at once, nor by the child of a fork; distinct handles are independent. A process
 * that was forked while a ledger was open cannot open any: fork first. While a ledger is open its process must not open and
 * close the same file by other means, to copy it for example: closing gives up the locks of the whole process (POSIX).
 */
#ifndef DPNOISE_LEDGER_H
#define DPNOISE_LEDGER_H

#include <dpnoise/filter.h>
#include <dpnoise/privacy.h>
#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Opening ---- */

typedef struct dpn_ledger dpn_ledger;

/* How to open. NULL stands for the defaults. */
typedef struct dpn_ledger_options {
    size_t size;     /* set by the initialiser below */
    const char *key; /* the file of the key; NULL: the name of the ledger followed by ".key" */
    unsigned wait;   /* for how many milliseconds to wait while other processes write; 0: 10000 */
    bool wal;        /* dpn_ledger_create gives it a write-ahead log instead of a rollback journal: faster */
    /* 1: dpn_ledger_create makes a new ledger with a key that is there. 0: that is refused, because such a key is what remains of
     * a ledger that was removed, and a new one would start over. */
    uint64_t with_existing_key;
    /* Asked again and again while other processes write: true ends the wait, with DPN_ECANCELLED and nothing recorded. NULL: nobody
     * is asked. It is called out of SQLite, and has to return. */
    bool (*cancelled)(void *context);
    void *context;
} dpn_ledger_options;

static inline dpn_ledger_options dpn_ledger_options_init(void) {
    dpn_ledger_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* Open a ledger, or open it and make it (and its key) if there is none. A ledger that is gone, or empty, while its key still
 * lies there is not made anew unless with_existing_key says so: put the ledger back from a copy, or import an export. (A
 * process that died while it made a ledger may leave the same: the key and an empty file.) A new ledger, its key and SQLite's files beside it are for
 * their owner alone (mode 0600, less what the umask takes); one that is there keeps its mode, and SQLite's files take it.
 * Guarantee  every entry has been verified and every charge admitted again. The file is written with
 *          synchronous = EXTRA, read back from SQLite; anything weaker than FULL with a write-ahead log, or than EXTRA
 *          with a rollback journal, is refused.
 * Errors   DPN_EIO for a file that is missing, no ledger, damaged, changed without the key, has two names (a hard
 *          link), or is busy for longer than the wait (DPN_ECANCELLED if the caller ends it); for a key that is missing, not this ledger's, without its ledger, or
 *          readable by others than its owner; in a process that was forked while a ledger was open. DPN_ENOMEM; DPN_EENTROPY if no
 *          key can be made. On error *out is not written.
 * Cost     5 to 8 microseconds for each entry (measured: 0.75 s for 10^5 of them with 13 orders): a program that charges
 *          often keeps its handle. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_open(dpn_ledger **out, const char *path, const dpn_ledger_options *options,
                                                  dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_create(dpn_ledger **out, const char *path,
                                                    const dpn_ledger_options *options, dpn_error *why);

/* Accepts NULL. In the child of a fork it leaves the file, and the memory of SQLite, to the parent. */
DPN_API void dpn_ledger_close(dpn_ledger *ledger);

/* ---- Heads ---- */

typedef struct dpn_head {
    uint64_t number;      /* of the entry, from 1 */
    unsigned char tag[8]; /* the first bytes of its tag */
} dpn_head;

/* "12:0123456789abcdef". dpn_head_print returns text.
 * Errors   DPN_EPARSE. */
enum { DPN_HEAD_TEXT_SIZE = 40 };
DPN_API char *dpn_head_print(char text[DPN_HEAD_TEXT_SIZE], const dpn_head *head);
DPN_API DPN_MUST_CHECK dpn_status dpn_head_parse(dpn_head *out, const char *text, dpn_error *why);

/* ---- Budgets ---- */

/* Names: 1 to 100 bytes of UTF-8 that neither begin nor end with a blank; they are compared byte by byte. Users: up to 100;
 * notes: up to 1000. None holds a control character, or one that changes the direction of writing. */
enum { DPN_LEDGER_NAME_SIZE = 101, DPN_LEDGER_NOTE_SIZE = 1001, DPN_LEDGER_PLAN_SIZE = 1 << 20 };

/* A new data set and what is fixed for it: the filter's plan, who counts as neighbours, and the unit.
 *
 * With `of` it is a quota: what one analyst, or one team, may take of the data set `of`, whose budget is then the cap. A
 * quota is charged together with its cap (dpn_ledger_spend_all), and several quotas of one cap may promise more than it has:
 * who comes first is served. The guarantee is the cap's alone. A quota may be called "people/team-a". */
typedef struct dpn_ledger_budget {
    const char *name;
    const char *user;     /* who does this, for the record; NULL: nobody is named */
    dpn_filter_plan plan; /* its own, or that of a filter: dpn_filter_plan_of */
    dpn_relation relation;
    dpn_unit unit;
    const char *of; /* NULL, or the data set (or an alias) of which this is a quota; it is not a quota itself */
} dpn_ledger_budget;

/* Errors   DPN_EDOMAIN for a plan that dpn_filter_new refuses, an epsilon of 0, an epsilon or delta below the
 *          smallest normal double (a delta of 0 is fine), a name that is taken, a cap that is unknown, is a quota or has
 *          another relation or unit, or text that breaks the rules above;
 *          DPN_EIO, DPN_ENOMEM. On error nothing is recorded, except after DPN_EIO, where it is unknown. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_add_budget(dpn_head *head, dpn_ledger *ledger,
                                                        const dpn_ledger_budget *budget, dpn_error *why);

/* Another name for the same people: it shares the budget of `of`, which may be an alias itself.
 * Errors   DPN_EDOMAIN for a name that is taken or unknown; DPN_EIO, DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_add_alias(dpn_head *head, dpn_ledger *ledger, const char *name,
                                                       const char *of, const char *user, dpn_error *why);

/* Begin a new period of a budget: its filter is empty again, and the charges before stay in the chain. It is a decision of
 * the curator, and its reason is recorded.
 * Guarantee  each period is (epsilon, delta)-private given all before it, so k of them are (k epsilon, k delta)-private
 *          together. A quota is renewed by itself, within what its cap has left; renewing a cap renews no quota.
 * Domain   name of a budget, a quota, or an alias; a note that is not empty.
 * Errors   DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_renew(dpn_head *head, dpn_ledger *ledger, const char *name,
                                                   const char *user, const char *note, dpn_error *why);

/* What is known of a data set. */
typedef struct dpn_account {
    char name[DPN_LEDGER_NAME_SIZE]; /* the name of its budget, also if it was asked for by an alias */
    char of[DPN_LEDGER_NAME_SIZE];   /* "", or the cap of a quota */
    uint64_t periods;                /* 1, and one more for each renewal; the filter holds the last of them */
    uint64_t version;                /* of the registration in force, also for a quota; 0: it is not registered */
    dpn_relation relation;
    dpn_unit unit;
    dpn_filter
        *filter; /* with all charges so far: ask dpn_filter_spent, dpn_filter_remaining, dpn_filter_preview; owned */
} dpn_account;

/* The account of a data set at this moment; by its place, 0 to count - 1, in the order of the names. Release with
 * dpn_account_free, which accepts NULL and what it has freed.
 * Errors   DPN_EDOMAIN for a name that is unknown or a place past the end; DPN_EIO, DPN_ENOMEM. On error *out is not
 *          written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_account(dpn_account *out, dpn_ledger *ledger, const char *name,
                                                     dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_account_at(dpn_account *out, dpn_ledger *ledger, size_t place,
                                                        dpn_error *why);
DPN_API void dpn_account_free(dpn_account *account);
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_count(size_t *budgets, dpn_head *head, dpn_ledger *ledger, dpn_error *why);

/* The aliases of a budget, one after the other: the first one after `after` (NULL: the first) in the order of names, or
 * an empty text at the end. It is written to out.
 * Errors   as above. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_next_alias(char out[DPN_LEDGER_NAME_SIZE], dpn_ledger *ledger,
                                                        const char *budget, const char *after, dpn_error *why);

/* ---- Which data ---- */

/* A budget belongs to data, whatever they are called. Where a data set is not registered, the first charge about some data
 * writes down which they are, as its source, and a registration says it too. A budget may have several sources; data have one
 * budget. Whether two texts are about the same data the ledger cannot tell: it asks the caller, within the commit, so
 * that of two processes one sees what the other wrote. */

/* A source or registration in force, of the data set of that name. */
typedef struct dpn_known_source {
    char name[DPN_LEDGER_NAME_SIZE];
    uint64_t number, version; /* of its entry; of a registration in force, 0: it is a source */
    char *text;               /* owned: free(); NULL: there is none */
    size_t length;            /* of the text, without the zero at its end */
} dpn_known_source;

/* Asked about each of them: DPN_OK if it does not stand in the way, else a status and a sentence, with which the whole call
 * fails. It must not use the ledger; what it is shown is not its own. */
typedef dpn_status (*dpn_ledger_admit)(void *context, const dpn_known_source *other, dpn_error *why);

/* A source as a charge brings it. */
typedef struct dpn_ledger_source {
    const char *text;       /* a JSON object of less than DPN_LEDGER_PLAN_SIZE bytes, which the ledger does not read */
    dpn_ledger_admit admit; /* NULL: nobody is asked */
    void *context;
    /* 0 of a data set that is not registered. Of one that is, the version of its registration, and the source is what was made
     * of its data elsewhere (states, sums), noted beside it. Versions of dpnoise that do not know of these refuse the ledger. */
    uint64_t version;
} dpn_ledger_source;

/* A name under which a ledger can keep what must not be guessed from it, as a digest of confidential numbers can: HMAC-SHA256 of the
 * text under the ledger's key, in hexadecimal. It is the same for the same text, in this ledger and its copies.
 * Errors   DPN_ENOMEM. */
enum { DPN_LEDGER_HIDDEN_SIZE = 65 };
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_hide(char out[DPN_LEDGER_HIDDEN_SIZE], dpn_ledger *ledger,
                                                  const char *text, size_t length, dpn_error *why);

/* One after the other, in the order of their entries: the first one after the entry `after` (0: of all). At the end text is
 * NULL.
 * Errors   DPN_EIO, DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_next_source(dpn_known_source *out, dpn_ledger *ledger, uint64_t after,
                                                         dpn_error *why);

/* ---- Registrations ---- */

/* What the curator has fixed about a data set besides its budget: where it is, its schema, its limits. The ledger keeps the
 * text in its chain and does not read it. */
typedef struct dpn_ledger_registration {
    const char *name;        /* of a data set with a budget: not of an alias, not of a quota */
    const char *user, *note; /* for the record; NULL: none */
    const char *text;        /* a JSON object of less than DPN_LEDGER_PLAN_SIZE bytes */
    uint64_t version; /* 1 at first; later the same, where only words changed, or one more, which ends stored answers */
    dpn_ledger_admit admit; /* asked about what is there already, also under this name; NULL: nobody is */
    void *context;
} dpn_ledger_registration;

/* Register a data set, or amend its registration. With a budget both are recorded in one commit, and the names are the same;
 * without (NULL) the data set has a budget already.
 * Errors   DPN_EDOMAIN as dpn_ledger_add_budget, and for a name or version that breaks the rules above; DPN_EPARSE for text
 *          that is not a JSON object; those of `admit`; DPN_EIO, DPN_ENOMEM. On error nothing is recorded, except after
 *          DPN_EIO, where it is unknown. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_register(dpn_head *head, dpn_ledger *ledger,
                                                      const dpn_ledger_budget *budget,
                                                      const dpn_ledger_registration *registration, dpn_error *why);

/* The registration in force; for an alias or a quota that of its data set. *text is NULL if there is none, else on one line
 * and to be freed with free(); it ends in a zero that length does not count. version and number (of its entry) may be NULL.
 * Errors   DPN_EDOMAIN for an unknown name; DPN_EIO, DPN_ENOMEM. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_find_registration(char **text, size_t *length, uint64_t *version,
                                                               uint64_t *number, dpn_ledger *ledger, const char *name,
                                                               dpn_error *why);

/* ---- Charges ---- */

typedef struct dpn_ledger_charge {
    const char *name; /* of a data set, or an alias */
    dpn_charge charge;
    dpn_relation relation; /* for which the charge holds */
    dpn_unit unit;
    const char *plan;          /* JSON that describes the release, kept for the record; NULL: none */
    const char *specification; /* what was asked, in a form that is equal for equal questions: its SHA-256 is kept and
                                * finds stored results; NULL: none */
    size_t specification_length;
    const char *note, *user; /* for the record; NULL: none */
    uint64_t reuse;          /* 0, or for a quota alone: see dpn_ledger_spend_all */
    /* Which data the charge is about, recorded in the same commit, before it; not of a quota, nor where the data set is
     * registered. NULL: it is known already, or nobody says. */
    const dpn_ledger_source *source;
} dpn_ledger_charge;

typedef struct dpn_receipt {
    dpn_head head;
    bool converted;    /* from add-remove to replace */
    dpn_charge charge; /* as recorded */
} dpn_receipt;

/* Charge, durably, before anything is read. How the account stands afterwards: dpn_ledger_account.
 * Guarantee  DPN_OK: the charge is on the disk and within the budget. DPN_EBUDGET: it does not fit and nothing is
 *          recorded. Otherwise no answer may be given; a charge that was not acknowledged may or may not be recorded.
 *          All acknowledged charges of a data set passed its filter (dpnoise/filter.h) one after the other, whatever
 *          the number of processes.
 * Converted  a pure charge for add-remove against a budget for replace counts as the group of two: 2 epsilon and
 *          (1 + e^epsilon) delta, rounded up. The way back does not exist and is refused, so are charges that are not
 *          pure (convert what they come from), and charges about another unit.
 * Errors   DPN_EBUDGET; DPN_EDOMAIN for an unknown name, a charge of nothing (an epsilon of 0, or divergences all 0),
 *          an epsilon or delta below the smallest normal double, a delta of 1 or more, another unit or relation, a source
 *          of a quota, or with another version than that of the registration in force; those of a source's `admit`;
 *          DPN_EPARSE for a plan or source that is not JSON; DPN_EIO, also if other processes kept the ledger busy; DPN_ENOMEM. On
 *          error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_spend(dpn_receipt *out, dpn_ledger *ledger,
                                                   const dpn_ledger_charge *charge, dpn_error *why);

/* Several charges in one commit, all or none, each with the divergences at its own filter's orders: a cap and a quota of
 * it, for example. out has a receipt for each, in the order of the charges.
 * Quotas   A charge to a quota needs one to its cap among the others. The exception is an answer that is stored already and is
 *          given to another analyst: its `reuse` is the number of the charge to the cap that has the stored result, with the
 *          same specification; then the quota alone is charged. dpn_ledger_spend refuses quotas. A release is made under the
 *          charge to the cap, and only that charge can have a result.
 * Domain   at least one charge; of each budget at most one.
 * Guarantee, Errors  as dpn_ledger_spend; DPN_EDOMAIN also for a quota without its cap. The sentence says which budget refused. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_spend_all(dpn_receipt *out, dpn_ledger *ledger,
                                                       const dpn_ledger_charge *charge, size_t charges, dpn_error *why);

/* The latest charge for a specification to the budget, or quota, of this name: *number is 0 if there is none. So a front
 * learns whether an analyst has paid for a stored answer.
 * Errors   DPN_EDOMAIN for an unknown name; DPN_EIO, DPN_ENOMEM. On error *number is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_find_charge(uint64_t *number, dpn_ledger *ledger, const char *name,
                                                         const char *specification, size_t specification_length,
                                                         dpn_error *why);

/* ---- What was recorded ---- */

typedef enum dpn_entry_kind {
    DPN_ENTRY_LEDGER, /* the first one: a random identity */
    DPN_ENTRY_BUDGET,
    DPN_ENTRY_ALIAS,
    DPN_ENTRY_CHARGE,
    DPN_ENTRY_QUOTA, /* a budget that is a quota */
    DPN_ENTRY_REGISTRATION,
    DPN_ENTRY_RENEWAL,
    DPN_ENTRY_SOURCE, /* which data a budget is charged for */
} dpn_entry_kind;

/* "ledger", "budget", "alias", "charge", "quota", "registration", "renewal", "source"; NULL past the end. */
DPN_API const char *dpn_entry_kind_name(dpn_entry_kind kind);

typedef struct dpn_entry {
    dpn_head head;
    dpn_entry_kind kind;
    char time[32];          /* UTC, 2026-11-16T03:37:29Z */
    const char *user;       /* "" if nobody is named */
    const char *name;       /* of the data set, as it was written */
    const char *of;         /* of an alias, a charge or a renewal: the budget; of a quota: the cap */
    const char *note;       /* "" if there is none */
    char specification[65]; /* SHA-256 in hexadecimal, or "" */
    dpn_relation relation;  /* of a budget or charge */
    dpn_unit unit;
    bool converted;    /* a charge was made for add-remove */
    dpn_charge charge; /* of a charge */
    size_t orders;     /* how many divergences it has */
    uint64_t with;     /* of a quota's charge: the number of the charge to its cap, or 0; ... */
    uint64_t reuse;    /* ... then of the one whose stored answer was given */
    uint64_t version;  /* of a registration */
    const char *plan;  /* JSON of a charge, a registration or a source, or NULL; within text */
    size_t plan_length;
    char *text; /* the whole entry as it is chained: a JSON object; owned, with all texts above */
} dpn_entry;

/* Read an entry, by its number; its tag is verified. Release with dpn_entry_free.
 * Errors   DPN_EDOMAIN if there is no such entry; DPN_EIO, DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_entry(dpn_entry *out, dpn_ledger *ledger, uint64_t number, dpn_error *why);
DPN_API void dpn_entry_free(dpn_entry *entry);

/* Verify everything again: the file's structure, that its unused room is empty, every tag, every charge, every stored
 * result, and that each of the heads is in the chain.
 * Result   *last is the head of the last entry.
 * Errors   DPN_EIO, with what is wrong and where. DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_verify(dpn_head *last, dpn_ledger *ledger, const dpn_head *head,
                                                    size_t heads, dpn_error *why);

/* ---- Answers that were paid for ---- */

/* Keep the result of a charge, so that the same question about the same data set is answered again for nothing: giving
 * the same answer twice reveals nothing new. The text is kept with a tag of its own, beside the chain.
 * Domain   number is that of a charge with a specification that has no result yet, and not of a quota's; UTF-8 text of up
 *          to 64 MiB as JSON (about as many bytes, six for a control character), without zeros.
 * Errors   DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_store_result(dpn_ledger *ledger, uint64_t number, const char *text,
                                                          size_t length, dpn_error *why);

/* The latest result that was stored for a specification under the budget of this name, or under the cap of this quota; *text
 * is NULL if there is none, else to be freed with free(). It ends in a zero that length does not count.
 * Errors   DPN_EDOMAIN for an unknown name; DPN_EIO also for a result that was changed; DPN_ENOMEM. On error nothing is
 *          written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_find_result(char **text, size_t *length, uint64_t *number,
                                                         dpn_ledger *ledger, const char *name,
                                                         const char *specification, size_t specification_length,
                                                         dpn_error *why);

/* ---- A ledger as text ---- */

/* One line for each entry, {"number": N, "tag": "...", "entry": {...}}, and then one for each stored result, {"result_of": N,
 * "tag": "...", "specification": "...", "text": "..."}, as they are at one moment; to be freed with free(). length
 * may be NULL.
 * Errors   DPN_EIO, DPN_ENOMEM. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_export(char **text, size_t *length, dpn_ledger *ledger, dpn_error *why);

/* Make a ledger from such a text: a new file with the same entries, results and tags, verified with the key, which must exist.
 * Then there are two ledgers with the same remaining budget; retire one of them.
 * Errors   DPN_EPARSE for text that is not an export; DPN_EIO if there is a file of that name, or if the chain does not hold;
 *          DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_ledger_import(dpn_ledger **out, const char *path,
                                                    const dpn_ledger_options *options, const char *text, size_t length,
                                                    dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
