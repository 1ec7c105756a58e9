/* dp_release(dataset, spec, ledger): a question to a registered SQLite table, as a table-valued function.
 *
 *     SELECT * FROM dp_release('people', '{"mean": "income", "by": ["region"], "epsilon": "0.5"}', '/var/lib/dpnoise/ledger.db');
 *
 * 1. The data set is registered in the ledger (dpnoise register people people.db --table people ...), and the question can narrow what is
 *    registered, never widen it.
 * 2. The ledger is another file, which no transaction of the host takes part in: a charge stays when the host rolls back.
 * 3. Whoever can load an extension can read the file: this keeps count for those who mean to, and keeps nothing from anybody.
 * 4. It is not for views and triggers (DIRECTONLY).
 */
#include "sqlite/cursor.h"
#include "sqlite/rows.h"

#include <stdlib.h>
#include <string.h>

enum { KEY, STATISTIC, VALUE, LOW, HIGH, RANK95, INTERVAL, RECEIPT, DATASET, SPEC, LEDGER };

typedef struct cursor {
    front_cursor all;
    dpn_declaration declaration; /* what was asked */
    dpn_answer *answer;
    char head[DPN_HEAD_TEXT_SIZE];
} cursor;

/* ---- The table and its plan ---- */

static int connect(sqlite3 *db, void *unused, int count, const char *const *word, sqlite3_vtab **out, char **message) {
    (void)unused, (void)count, (void)word, (void)message;
    int code = sqlite3_declare_vtab(db, "CREATE TABLE x(key, statistic, value, low, high, rank95, interval, receipt, "
                                        "dataset HIDDEN, spec HIDDEN, ledger HIDDEN)");
    if (code) return code;
    sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
    *out = front_zeros(sizeof **out);
    return *out ? SQLITE_OK : SQLITE_NOMEM;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *plan) {
    return front_arguments(table, plan, DATASET);
}

/* ---- The question ---- */

static void finish(cursor *at) {
    dpn_declaration_free(&at->declaration);
    dpn_answer_free(at->answer);
    at->answer = NULL;
    at->all.place = at->all.rows = 0;
}

/* The answer and what was asked, on their own: the ledger is not kept open while rows are given. */
static dpn_status keep(cursor *at, const dpn_question *question, const dpn_answer *answer, dpn_error *why) {
    dpn_question_standing standing = dpn_question_look(question);
    char *text;
    size_t length;
    (void)dpn_head_print(at->head, &standing.head);
    dpn_status status = dpn_declaration_copy(&at->declaration, dpn_question_declaration(question), why);
    if (!status) status = dpn_answer_write(&text, &length, answer, why);
    if (status) return status;
    status = dpn_answer_read(&at->answer, text, length, why);
    free(text);
    if (!status) at->all.rows = at->answer->groups * at->answer->outputs;
    return status;
}

static dpn_status answer(cursor *at, dpn_question *question, dpn_rng *rng, dpn_error *why) {
    dpn_rows *rows = NULL;
    dpn_status status = DPN_OK;
    const dpn_answer *answer = NULL;
    const dpn_registration *registration = dpn_question_registration(question);
    if (!registration) {
        *why = (dpn_error){DPN_EDOMAIN, "the data set is not registered"};
        return DPN_EDOMAIN;
    }
    if (dpn_question_look(question).state == DPN_QUESTION_ASKED)
        status = rows_open(&rows, registration, dpn_question_query(question), why);
    if (!status) status = dpn_question_charge(question, rng, why);
    if (!status && rows) {
        status = rows_read(rows, dpn_question_tally(question), why);
        if (status) status = dpn_question_fail(question, why, why); /* the same sentence for all failures */
    }
    rows_close(rows);
    if (!status) status = dpn_question_answer(&answer, question, rng, why);
    return status ? status : keep(at, question, answer, why);
}

static dpn_status ask(cursor *at, const char *dataset, const char *spec, const char *path, dpn_error *why) {
    dpn_question_options options = dpn_question_options_init();
    dpn_question *question = NULL;
    dpn_ledger *ledger = NULL;
    dpn_rng *rng = NULL;
    dpn_status status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_ledger_open(&ledger, path, NULL, why);
    if (!status) status = dpn_question_read(&question, ledger, dataset, spec, strlen(spec), &options, why);
    if (!status) status = answer(at, question, rng, why);
    dpn_question_free(question);
    dpn_ledger_close(ledger);
    dpn_rng_free(rng);
    return status;
}

static int filter(sqlite3_vtab_cursor *base, int found, const char *unused, int count, sqlite3_value **value) {
    cursor *at = (cursor *)base;
    const char *text[3];
    dpn_error why = {DPN_OK, ""};
    (void)unused;
    finish(at);
    if (found != 7 || count != 3) return front_fail(base, "write dp_release(dataset, spec, ledger)");
    for (int i = 0; i < 3; i++)
        if (!(text[i] = (const char *)sqlite3_value_text(value[i])))
            return front_fail(base, "dataset, spec and ledger are texts");
    if (front_is_open_elsewhere(text[2], front_own_copy()))
        return front_fail(
            base,
            "this process has the ledger open by other means, which would give up its locks: close it there first");
    if (!ask(at, text[0], text[1], text[2], &why)) return SQLITE_OK;
    finish(at);
    return front_fail(base, why.sentence);
}

/* ---- The answer as rows ---- */

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **out) {
    (void)table;
    cursor *at = front_zeros(sizeof *at);
    if (!at) return SQLITE_NOMEM;
    *out = &at->all.base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    finish((cursor *)base);
    sqlite3_free(base);
    return SQLITE_OK;
}

/* The key of a group, {"region": "north"}. */
static void put_key(sqlite3_context *call, const cursor *at) {
    size_t group = at->all.place / at->answer->outputs;
    sqlite3_str *json = sqlite3_str_new(NULL);
    sqlite3_str_appendchar(json, 1, '{');
    for (size_t i = 0; i < at->answer->bys; i++) {
        const char *const part[] = {at->declaration.by[i].column, at->answer->key[group * at->answer->bys + i]};
        for (int j = 0; j < 2; j++) {
            sqlite3_str_appendall(json, j ? ": \"" : i ? ", \"" : "\"");
            for (const char *c = part[j]; *c; c++) {
                if (*c == '"' || *c == '\\') sqlite3_str_appendchar(json, 1, '\\');
                if ((unsigned char)*c < 0x20)
                    sqlite3_str_appendf(json, "\\u%04x", (unsigned)*c);
                else
                    sqlite3_str_appendchar(json, 1, *c);
            }
            sqlite3_str_appendchar(json, 1, '"');
        }
    }
    sqlite3_str_appendchar(json, 1, '}');
    sqlite3_result_text(call, sqlite3_str_finish(json), -1, sqlite3_free);
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *call, int place) {
    const cursor *at = (cursor *)base;
    const dpn_answer_cell *cell = &at->answer->cell[at->all.place];
    switch (place) {
    case KEY:
        put_key(call, at);
        break;
    case STATISTIC:
        sqlite3_result_text(call, at->answer->output[at->all.place % at->answer->outputs], -1, SQLITE_TRANSIENT);
        break;
    case VALUE:
        front_put_number(call, cell->value);
        break;
    case LOW:
        front_put_number(call, cell->low);
        break;
    case HIGH:
        front_put_number(call, cell->high);
        break;
    case RANK95:
        front_put_number(call, cell->rank95);
        break;
    case INTERVAL:
        if (dpn_interval_kind_name(cell->kind))
            sqlite3_result_text(call, dpn_interval_kind_name(cell->kind), -1, SQLITE_STATIC);
        break;
    case RECEIPT:
        sqlite3_result_text(call, at->head, -1, SQLITE_TRANSIENT);
        break;
    default:
        break;
    }
    return SQLITE_OK;
}

int front_release(sqlite3 *db) {
    static const sqlite3_module module = {
        .xConnect = connect,
        .xBestIndex = best_index,
        .xDisconnect = front_disconnect,
        .xOpen = open_cursor,
        .xClose = close_cursor,
        .xFilter = filter,
        .xNext = front_next,
        .xEof = front_eof,
        .xColumn = column,
        .xRowid = front_rowid,
    };
    return sqlite3_create_module(db, "dp_release", &module, NULL);
}
