/* The parts of `dpnoise release`. */
#ifndef DPNOISE_CLI_RELEASE_RELEASE_H
#define DPNOISE_CLI_RELEASE_RELEASE_H

#include "budget/budget.h"
#include "input/state.h"
#include "kit/options.h"

#include <dpnoise/number.h>
#include <dpnoise/place.h>
#include <dpnoise/question.h>
#include <dpnoise/table.h>
#include <stdio.h>

enum { RELEASE_NOTES = 4, RELEASE_NOTE_SIZE = 640, RELEASE_PATH_SIZE = 4096 };

/* What a release stands at in the ledger. */
struct standing {
    bool known;          /* there is an account */
    bool stored;         /* the answer was paid for before and comes from the ledger */
    char time[32];       /* when it was charged */
    bool converted;      /* from add-remove to replace */
    dpn_head head;       /* of the charge */
    dpn_charge cost;     /* as recorded */
    dpn_account account; /* the question's */
};

struct release {
    const struct arguments *arguments;
    const char *source;          /* where the rows come from: DATA */
    dpn_table_identity identity; /* however DATA is spelled */
    dpn_declaration declaration; /* in the end with all that the registration fills in */
    const dpn_inquiry *inquiry;  /* what is asked instead of statistics; NULL: nothing */
    dpn_question *question;
    char *plan; /* its blocks as JSON, NULL if there are none */
    dpn_table *table;
    bool multiline;            /* the data are registered with line ends in quotes */
    struct state_files states; /* in the place of the data, with --states */
    char *states_place;        /* what the ledger notes of them */
    dpn_tally_secret secret;   /* with which they were made, if there is one */
    bool has_secret;
    bool pushed; /* the server makes the sums */
    size_t threads;
    uint64_t memory;          /* for keys and persons; 0: not said */
    const dpn_answer *answer; /* of the question */

    struct budget budget;
    char ledger[RELEASE_PATH_SIZE]; /* the name of its file, if none was given */
    char dataset[DPN_LEDGER_NAME_SIZE];
    char user[DPN_LEDGER_NAME_SIZE];
    bool registered; /* the data set is */
    bool by_name;    /* and DATA is its name; then this is its registration */
    dpn_registration registration;
    struct standing standing;

    char note[RELEASE_NOTES][RELEASE_NOTE_SIZE]; /* what the reader should know, sentences without full stop */
    size_t notes;
};

/* Add a note, as by printf. */
void release_note(struct release *release, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- The question (declare.c, levels.c, names.c) ---- */

/* The declaration from --spec and the other options, which override it.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM. */
dpn_status release_declare(struct release *release, dpn_error *why);

/* The same without --spec and statistics, which are in the declaration already: groups, predicates, values, and whether it asks anything. */
dpn_status release_declare_rest(struct release *release, dpn_error *why);

/* The declaration with all that the registration filled in, once the question is put. */
dpn_status release_take_asked(struct release *release, dpn_error *why);

/* What a registration would supply is refused without one: limits of persons without the column that tells them apart. */
dpn_status release_check_persons(const struct release *release, dpn_error *why);

/* Whether a delta above 0 was said; the delta of keys that are chosen privately, if none was, and telling which it is. */
bool release_has_delta(const dpn_declaration *declaration);
void release_tell_delta(struct release *release);
dpn_status release_choose_delta(struct release *release, dpn_error *why);

/* Refuse an epsilon or delta that is more likely a slip than a wish, unless --yes-epsilon or --yes-delta says that it is meant.
 * Errors   DPN_EDOMAIN. */
dpn_status release_check_slips(const struct release *release, dpn_error *why);

/* The declaration without statistics, groups or predicates that other ones replace. */
void release_forget_statistics(dpn_declaration *declaration);
void release_forget_where(dpn_declaration *declaration);
void release_forget_na(dpn_declaration *declaration);

/* --by and --levels. */
dpn_status release_declare_groups(struct release *release, dpn_error *why);

/* Write the declaration to the file of --save-spec, if there is one. */
dpn_status release_save_spec(const struct release *release, dpn_error *why);

/* The name of the data set and the place of the ledger, by default beside the data. */
dpn_status release_names(struct release *release, dpn_error *why);

/* A file that an option reads must not be the data or the ledger: what is in it is taken for public, and printed. */
dpn_status release_check_input(const struct release *release, const char *option, const char *name, dpn_error *why);

/* Nor may a file that an option reads or writes be the data of any other data set in the ledger, or its log.
 * Errors   DPN_EDOMAIN, DPN_EPARSE; those of the ledger. */
dpn_status release_check_files(const struct release *release, dpn_error *why);

/* The name of the ledger beside a file; false if it is too long. */
bool release_ledger_beside(char out[RELEASE_PATH_SIZE], const char *file);

/* The last part of the name of the source, without what a URL may hold of passwords. */
const char *release_source_name(const struct release *release);

/* ---- Which data (source.c) ---- */

bool release_source_is_server(const struct release *release);
bool release_source_is_stream(const struct release *release);
const char *release_file(const struct release *release);

/* Open the source; open it, unless it is a file that is gone, and find out which data these are. */
dpn_status release_open_source(struct release *release, dpn_error *why);
dpn_status release_identify(struct release *release, dpn_error *why);

/* ---- States in the place of rows (states.c) ---- */

bool release_has_states(const struct release *release);

/* Read the files; see that they belong to the declaration, put under the registration if there is one, and, once the question is put, to that: before
 * anything is charged. */
dpn_status release_read_states(struct release *release, dpn_error *why);
dpn_status release_check_states(struct release *release, dpn_error *why);
dpn_status release_check_asked_states(const struct release *release, dpn_error *why);

/* Whether what a ledger noted are these states or some of them. */
bool release_states_are(const struct release *release, const dpn_place *other);

/* Add them to the tally of the question, which was charged. */
dpn_status release_add_states(struct release *release, dpn_error *why);

/* ---- Sums that the server makes (push.c) ---- */

/* Whether it may be asked for them; a secret for the lots of persons. */
bool release_may_push(const struct release *release);
dpn_status release_draw_secret(struct release *release, dpn_error *why);

/* Ask for them instead of rows, if it can make them exactly: planned now, run after the charge. */
dpn_status release_push(struct release *release, dpn_error *why);
dpn_status release_add_pushed(struct release *release, dpn_error *why);

/* ---- Registered data (registered.c) ---- */

/* Whether DATA is the name of a registered data set: then `by_name`, `registration`, `dataset`, `source` and the ledger are set.
 * Errors   those of the ledger, if DATA is no file either. */
dpn_status release_find_registered(struct release *release, dpn_error *why);

/* Whether data that are named by a path are registered: then `dataset` is their name.
 * Errors   DPN_EDOMAIN for another name of them, with the remedy; those of the ledger. */
dpn_status release_recognise(struct release *release, dpn_error *why);

/* The data set that has certain data in any ledger in reach: --ledger, $DPNOISE_LEDGER, dpnoise-ledger.db of this directory, and beside the file, as it is named
 * (NULL: no file) and where it is; a registered one if there is one (ledgers.c). A stream has none.
 * Errors   those of opening a ledger that is there and of dpn_place_find_owner: what cannot be asked might know the data. */
dpn_status release_find_owner(dpn_place_owner *out, const struct arguments *arguments, const char *file,
                              const dpn_table_identity *identity, dpn_error *why);

/* Identify the data, and refuse what has no guarantee (`what` in a sentence) for data that a ledger in reach has registered, under whatever path.
 * Errors   DPN_EDOMAIN; those of release_identify and release_find_owner. */
dpn_status release_refuse_registered(struct release *release, const char *what, dpn_error *why);

/* Standard input of a data set that is registered so must not be a file that has a budget under another name.
 * Errors   DPN_EDOMAIN; those of the ledger. */
dpn_status release_check_input_data(const struct release *release, dpn_error *why);

/* Tell the curator's log why a question failed after its charge. */
void release_log_failure(const struct release *release);

/* Whether there is a ledger that was begun. Where there is none: refuse if its key is there, for then there was one. Where there is no budget for the data: refuse
 * to make one, unless --new-budget says so or it is the first of a new ledger.
 * Errors   DPN_EDOMAIN, DPN_EIO, with the remedy. */
bool release_has_ledger(const struct release *release);
dpn_status release_check_key(const struct release *release, dpn_error *why);
dpn_status release_check_new(const struct release *release, dpn_error *why);

/* ---- The ledger (charge.c) ---- */

/* Open the ledger, if there is one, and tell whether the data set has a budget there and is registered. */
dpn_status release_find_budget(struct release *release, dpn_error *why);

/* Put the question: it is planned, and the ledger is asked whether it was answered before. Sets `question` and `standing`. */
dpn_status release_ask(struct release *release, dpn_error *why);

/* Charge, durably; a ledger or data set that is missing is made, with a budget of exactly this release.
 * Errors   DPN_EBUDGET and those of the ledger: then nothing may be read. */
dpn_status release_charge(struct release *release, dpn_rng *rng, dpn_error *why);

/* ---- The data (rows.c, check.c) ---- */

/* How many threads read, by --threads. */
dpn_status release_threads(struct release *release, dpn_error *why);

/* Find the columns of the query in the source. No row is looked at. */
dpn_status release_open_table(struct release *release, dpn_error *why);

/* Read all rows into the tally of the question, which was charged. What fails is told to nobody, only that the charge stands. */
dpn_status release_read(struct release *release, dpn_error *why);

/* --check: what the curator wants to know of the data. */
dpn_status release_check(struct release *release, dpn_error *why);

/* ---- What is printed ---- */

/* --dry-run: the plan, the errors and the cost. */
dpn_status release_print_plan(struct release *release, dpn_error *why);

/* The errors in groups of 100, 1000 and 10000 rows, of means and of counts as proportions; of one output as JSON. */
dpn_status release_print_errors(const dpn_query *query, dpn_error *why);
void release_json_errors(struct json *json, const dpn_query *query, size_t output);

dpn_status release_print_text(const struct release *release, dpn_error *why);
dpn_status release_print_csv(const struct release *release, dpn_error *why);
dpn_status release_print_json(const struct release *release, dpn_error *why);
void release_print_html(FILE *out, const struct release *release);

/* What was done to the data (said.h), one sentence a line, each after `start`. */
dpn_status release_print_said(FILE *out, const struct release *release, const char *start, dpn_error *why);

/* Whose budget was charged, and what is left of it. */
void release_print_ledger(const struct release *release);

/* The notes, one a line, under what was printed. */
void release_print_notes(FILE *out, const struct release *release);

/* The line of the guarantee, with its neighbours. */
void release_print_guarantee(const struct release *release);

/* The members `rows` and `interval95` of the JSON. */
void release_json_rows(struct json *json, const dpn_answer *answer, const dpn_declaration *declaration);

/* The members of the JSON that an answer and a dry run share. */
void release_json_question(struct json *json, const struct release *release);
void release_json_ledger(struct json *json, const struct release *release);

/* --title and --label belong to --report, and a label to a column of the question (html-name.c).
 * Errors   DPN_EPARSE. */
dpn_status release_check_labels(const struct release *release, dpn_error *why);

/* ---- Words and numbers (words.c) ---- */

enum { RELEASE_NUMBER_SIZE = 64, RELEASE_ERROR_SIZE = 160 };

/* A number with that many decimals (negative: zeros before the point): to nearest, down or up. NaN is "-". */
char *release_number(char text[RELEASE_NUMBER_SIZE], double x, int digits);
char *release_number_down(char text[RELEASE_NUMBER_SIZE], double x, int digits);
char *release_number_up(char text[RELEASE_NUMBER_SIZE], double x, int digits);

/* A bound with four digits, rounded up, written out: 75000. */
char *release_few(char text[DPN_NUMBER_SIZE], double x);

/* Whether the interval has the value about in its middle, to a tenth of its width or the digits printed; the wider
 * side, rounded up. */
bool release_symmetric(const dpn_answer_cell *cell);
char *release_half_width(char text[RELEASE_NUMBER_SIZE], const dpn_answer_cell *cell);

/* "2026-11-16 06:16 UTC": when it was charged. */
char *release_time(char text[40], const struct release *release);

/* "adding or removing one row", "replacing one person". */
const char *release_neighbours(const dpn_declaration *declaration);

/* "(1, 0)-differentially private"; which share of epsilon is left, 0 to 1; "epsilon 0.5 of 1 left". */
void release_print_claim(FILE *out, const struct release *release);
double release_share_left(const dpn_account *account);
enum { RELEASE_LEFT_SIZE = 1000 };
char *release_left(char text[RELEASE_LEFT_SIZE], const dpn_account *account);

/* What the noise is, block by block: "discrete-laplace(scale=2)". */
void release_print_noise(FILE *out, const dpn_plan *plan, const char *separator);

#endif
