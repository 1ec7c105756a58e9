/* Exact sums as aggregates: dp_count_state(*), dp_sum_state(x, lo, hi), dp_moments_state(x, lo, hi), dp_histogram_state(x, edges), dp_merge(state).
 *
 * 1. They give a state, what the rows add as whole numbers on a public grid: the same bytes in whatever order the rows come, and those of the PostgreSQL
 *    extension. It is as confidential as the rows; of no rows it is NULL.
 * 2. lo and hi are finite numbers, edges a text, '0, 18, 65'; they are the same in all rows.
 * 3. x is read as dpnoise reads a column of SQLite: whole numbers and reals as they are, a text as the number that it says. What is no number is left
 *    out, and no value makes the query fail.
 * 4. Nothing is charged and nothing is drawn. dpnoise release --states takes a file with the bytes (writefile in the shell), charges and adds noise.
 */
#include "sqlite/front.h"

#include "states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
    dpn_query *query;
    dpn_tally *tally;
    char *question, *edges;
    double lo, hi;
    bool failed;
} state;

static void fail(sqlite3_context *call, state *at, const char *sentence) {
    if (at) at->failed = true;
    sqlite3_result_error(call, sentence, -1);
}

/* ---- What is counted ---- */

/* Without persons there is no lottery, and the secret that states have to share is none. */
static dpn_status compile(state *at, dpn_error *why) {
    static const dpn_tally_secret none;
    dpn_declaration declaration;
    dpn_rng *rng = NULL;
    char *text = sqlite3_mprintf("%s, \"epsilon\": \"1\"}", at->question);
    dpn_status status = text ? dpn_declaration_read(&declaration, text, strlen(text), why) : DPN_ENOMEM;
    sqlite3_free(text);
    if (status) return status;
    status = dpn_query_new_shape(&at->query, &declaration, why);
    dpn_declaration_free(&declaration);
    if (!status) status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_tally_new_with(&at->tally, at->query, &none, rng, why);
    dpn_rng_free(rng);
    return status;
}

/* Takes the question. */
static void begin(sqlite3_context *call, state *at, char *question) {
    dpn_error why = {DPN_OK, "out of memory"};
    at->question = question;
    if (!question || compile(at, &why)) fail(call, at, why.sentence);
}

static bool is_number(sqlite3_value *value) {
    int type = sqlite3_value_type(value);
    return (type == SQLITE_INTEGER || type == SQLITE_FLOAT) && isfinite(sqlite3_value_double(value));
}

static char *question_bounded(const char *kind, double lo, double hi) {
    char low[DPN_NUMBER_SIZE], high[DPN_NUMBER_SIZE];
    char *members = sqlite3_mprintf(STATES_BOUNDS, dpn_number_print(low, lo), dpn_number_print(high, hi));
    char *question = members ? sqlite3_mprintf(STATES_QUESTION, kind, members) : NULL;
    sqlite3_free(members);
    return question;
}

/* NULL, and then *sentence says why. */
static char *question_histogram(const char *edges, const char **sentence) {
    sqlite3_str *members = sqlite3_str_new(NULL);
    char *copy = sqlite3_mprintf("%s", edges), *question = NULL;
    size_t count = 0;
    bool good = copy;
    sqlite3_str_appendall(members, STATES_EDGES);
    for (char *at = copy; good && at; count++) {
        char number[DPN_NUMBER_SIZE], *comma = strchr(at, ',');
        double edge;
        if (comma) *comma = '\0';
        at += strspn(at, " ");
        for (size_t end = strlen(at); end > 0 && at[end - 1] == ' '; end--) at[end - 1] = '\0';
        good = !dpn_number_parse(&edge, at, NULL) && isfinite(edge);
        if (good) sqlite3_str_appendf(members, "%s\"%s\"", count ? ", " : "", dpn_number_print(number, edge));
        at = comma ? comma + 1 : NULL;
    }
    sqlite3_str_appendchar(members, 1, ']');
    char *all = sqlite3_str_finish(members);
    *sentence = "edges is a text of 2 to 2000 numbers, '0, 18, 65'";
    if (good && count >= 2 && count <= STATES_MOST_EDGES && all)
        question = sqlite3_mprintf(STATES_QUESTION, "histogram", all);
    sqlite3_free(all);
    sqlite3_free(copy);
    return question;
}

/* ---- Rows ---- */

static void add(sqlite3_context *call, state *at, sqlite3_value *x) {
    dpn_value value = {.kind = DPN_VALUE_MISSING};
    dpn_error why;
    dpn_status status;
    bool usable = true;
    switch (x ? sqlite3_value_type(x) : SQLITE_NULL) {
    case SQLITE_INTEGER:
        value.kind = DPN_VALUE_INTEGER;
        value.as.integer = sqlite3_value_int64(x);
        break;
    case SQLITE_FLOAT:
        value.kind = DPN_VALUE_REAL;
        value.as.real = sqlite3_value_double(x);
        break;
    case SQLITE_TEXT:
        value.kind = DPN_VALUE_TEXT;
        value.as.text.text = (const char *)sqlite3_value_text(x);
        value.as.text.length = (size_t)sqlite3_value_bytes(x);
        usable = value.as.text.text && !memchr(value.as.text.text, '\0', value.as.text.length);
        break;
    case SQLITE_BLOB:
        usable = false;
        break;
    default:
        break;
    }
    status = usable ? dpn_tally_values(at->tally, &value, 1, &why) : dpn_tally_unusable(at->tally, 1, &why);
    if (status) fail(call, at, why.sentence);
}

static state *state_of(sqlite3_context *call) {
    state *at = sqlite3_aggregate_context(call, sizeof *at);
    if (!at) sqlite3_result_error_nomem(call);
    return at && !at->failed ? at : NULL;
}

static void count_step(sqlite3_context *call, int count, sqlite3_value **value) {
    state *at = state_of(call);
    (void)count, (void)value;
    if (at && !at->question) begin(call, at, sqlite3_mprintf(STATES_QUESTION, "count", ""));
    if (at && !at->failed) add(call, at, NULL);
}

static void bounded_step(sqlite3_context *call, int count, sqlite3_value **value) {
    state *at = state_of(call);
    (void)count;
    if (!at) return;
    if (!is_number(value[1]) || !is_number(value[2])) {
        fail(call, at, "lo and hi are finite numbers");
        return;
    }
    double lo = sqlite3_value_double(value[1]), hi = sqlite3_value_double(value[2]);
    if (!at->question) {
        at->lo = lo, at->hi = hi;
        begin(call, at, question_bounded(sqlite3_user_data(call), lo, hi));
    }
    if (at->failed) return;
    if (lo != at->lo || hi != at->hi)
        fail(call, at, "lo and hi must be the same in all rows");
    else
        add(call, at, value[0]);
}

static void histogram_step(sqlite3_context *call, int count, sqlite3_value **value) {
    state *at = state_of(call);
    const char *edges = (const char *)sqlite3_value_text(value[1]), *sentence = NULL;
    (void)count;
    if (!at) return;
    if (!edges) {
        fail(call, at, "edges must not be NULL");
        return;
    }
    if (!at->question) {
        char *question = question_histogram(edges, &sentence);
        at->edges = sqlite3_mprintf("%s", edges);
        if (question && at->edges)
            begin(call, at, question);
        else {
            sqlite3_free(question);
            fail(call, at, sentence);
        }
    }
    if (at->failed) return;
    if (strcmp(edges, at->edges) != 0)
        fail(call, at, "edges must be the same in all rows");
    else
        add(call, at, value[0]);
}

/* ---- States ---- */

static void merge_step(sqlite3_context *call, int count, sqlite3_value **value) {
    (void)count;
    if (sqlite3_value_type(value[0]) == SQLITE_NULL) return; /* of no rows */
    state *at = state_of(call);
    if (!at) return;
    const unsigned char *bytes = sqlite3_value_blob(value[0]);
    size_t length = (size_t)sqlite3_value_bytes(value[0]), question = bytes ? states_question(bytes, length) : 0;
    dpn_error why;
    if (question == 0 || memchr(bytes + STATES_HEAD, '\0', question)) {
        fail(call, at, "this is not a state of dpnoise");
        return;
    }
    if (!at->question) begin(call, at, sqlite3_mprintf("%.*s", (int)question, (const char *)bytes + STATES_HEAD));
    if (at->failed) return;
    if (strlen(at->question) != question || memcmp(at->question, bytes + STATES_HEAD, question) != 0)
        fail(call, at, "the states count different things, or with different bounds or edges");
    else if (dpn_tally_add_state(at->tally, bytes + STATES_HEAD + question, length - STATES_HEAD - question, &why))
        fail(call, at, why.sentence);
}

static void give(sqlite3_context *call, const state *at) {
    unsigned char *bytes = NULL;
    size_t length = 0, question = strlen(at->question);
    dpn_error why;
    if (dpn_tally_write(&bytes, &length, at->tally, &why)) {
        sqlite3_result_error(call, why.sentence, -1);
        return;
    }
    unsigned char *out = sqlite3_malloc64(STATES_HEAD + question + length);
    if (out) {
        states_put_head(out, question);
        memcpy(out + STATES_HEAD, at->question, question);
        memcpy(out + STATES_HEAD + question, bytes, length);
        sqlite3_result_blob64(call, out, STATES_HEAD + question + length, sqlite3_free);
    } else
        sqlite3_result_error_nomem(call);
    dpn_tally_state_free(bytes, length);
}

static void final(sqlite3_context *call) {
    state *at = sqlite3_aggregate_context(call, 0);
    if (!at) return; /* no rows: NULL */
    if (!at->failed && at->tally) give(call, at);
    dpn_tally_free(at->tally);
    dpn_query_free(at->query);
    sqlite3_free(at->question);
    sqlite3_free(at->edges);
}

int front_states(sqlite3 *db) {
    static const struct {
        const char *name, *kind;
        int arguments;
        void (*step)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {{"dp_count_state", "count", 0, count_step},
                     {"dp_sum_state", "sum", 3, bounded_step},
                     {"dp_moments_state", "variance", 3, bounded_step},
                     {"dp_histogram_state", "histogram", 2, histogram_step},
                     {"dp_merge", NULL, 1, merge_step}};
    int code = SQLITE_OK;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && !code; i++)
        code =
            sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                       (void *)functions[i].kind, NULL, functions[i].step, final, NULL);
    return code;
}
