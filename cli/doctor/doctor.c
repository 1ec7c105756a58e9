/* dpnoise doctor: what is installed, which tables can be read, where the ledger is, and whether it all works. */
#define _POSIX_C_SOURCE 200809L
#include "budget/budget.h"
#include "doctor/libraries.h"
#include "kit/command.h"
#include "kit/fail.h"
#include "kit/json.h"
#include "kit/plain.h"

#include <dpnoise/random.h>
#include <dpnoise/version.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct findings {
    struct library library[LIBRARIES];
    dpn_error entropy; /* its status is DPN_OK where random bits can be had */
    struct budget budget;
    bool exists, writable; /* the ledger; where there is none, writable says whether one could be made */
    size_t data_sets;
    char head[DPN_HEAD_TEXT_SIZE]; /* empty: no ledger was opened, or it has no entry */
    dpn_error ledger;
};

/* Two words of random bits. That they are random cannot be seen from two, but a source that is stuck repeats itself. */
static void try_entropy(dpn_error *out) {
    dpn_rng *rng = NULL;
    uint64_t words[2] = {0, 0};
    dpn_status status = dpn_rng_new(&rng, out);
    if (!status) status = dpn_rng_words(words, rng, 2, out);
    if (!status && words[0] == words[1]) status = refuse(out, DPN_EENTROPY, "the random source repeats itself");
    dpn_rng_free(rng);
    out->status = status;
}

/* The directory of a file may be written, as its journal has to be. */
static bool directory_writable(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return access(".", W_OK) == 0;
    char *directory = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    bool writable = directory && access(directory, W_OK) == 0;
    free(directory);
    return writable;
}

static dpn_status read_ledger(struct findings *out, dpn_error *why) {
    dpn_head head;
    dpn_status status = budget_open(&out->budget, why);
    if (!status) status = dpn_ledger_count(&out->data_sets, &head, out->budget.ledger, why);
    if (!status && head.number) dpn_head_print(out->head, &head);
    return status;
}

/* Nothing is made or charged. A directory in which no ledger can be made is a fault if somebody said that it is there: else
 * it will be beside the data. */
static void try_ledger(struct findings *out) {
    const char *path = out->budget.path;
    out->exists = access(path, F_OK) == 0;
    out->writable = directory_writable(path) && (!out->exists || access(path, W_OK) == 0);
    dpn_status status = DPN_OK;
    if (out->exists)
        status = read_ledger(out, &out->ledger);
    else if (access(out->budget.key, F_OK) == 0)
        status = refuse(&out->ledger, DPN_EIO, "the key '%.200s' is there, but its ledger is gone: put it back",
                        out->budget.key);
    if (!status && !out->writable && (out->exists || out->budget.said))
        status = refuse(&out->ledger, DPN_EIO, "the ledger '%.200s' cannot be written", path);
    out->ledger.status = status;
}

/* ---- In JSON ---- */

static void json_tables(struct json *json, const struct findings *f) {
    json_open_array(json, "tables");
    json_string(json, NULL, "csv");
    if (f->library[LIBRARY_SQLITE].found) json_string(json, NULL, "sqlite");
    if (f->library[LIBRARY_POSTGRESQL].found) json_string(json, NULL, "postgresql");
    if (f->library[LIBRARY_DUCKDB].found) json_string(json, NULL, "parquet");
    json_close_array(json);
}

static void json_ledger(struct json *json, const struct findings *f) {
    json_open_object(json, "ledger");
    json_string(json, "path", f->budget.path);
    json_bool(json, "exists", f->exists);
    json_bool(json, "writable", f->writable);
    if (f->exists && !f->ledger.status) json_count(json, "data_sets", f->data_sets);
    if (f->head[0]) json_string(json, "head", f->head);
    if (f->ledger.status) json_string(json, "problem", f->ledger.sentence);
    json_close_object(json);
}

static void print_json(const struct findings *f) {
    struct json json = json_begin(stdout);
    json_string(&json, "version", dpn_version());
    json_bool(&json, "random", !f->entropy.status);
    json_open_array(&json, "libraries");
    for (size_t i = 0; i < LIBRARIES; i++) {
        const struct library *l = &f->library[i];
        json_open_object(&json, NULL);
        json_string(&json, "name", l->name);
        if (l->file) json_string(&json, "file", l->file);
        json_bool(&json, "found", l->found);
        if (l->version[0]) json_string(&json, "version", l->version);
        json_close_object(&json);
    }
    json_close_array(&json);
    json_tables(&json, f);
    json_ledger(&json, f);
    json_bool(&json, "works", !f->entropy.status && !f->ledger.status);
    json_end(&json);
}

/* ---- In words ---- */

static void print_libraries(const struct findings *f) {
    for (size_t i = 0; i < LIBRARIES; i++) {
        const struct library *l = &f->library[i];
        printf("  %-14s %-10s for %s", l->name, !l->found ? "missing" : l->version[0] ? l->version : "there", l->need);
        if (!l->found) printf("\n%17sto have it: %s", "", l->remedy);
        putchar('\n');
    }
}

static void print_ledger(const struct findings *f) {
    fputs("\nledger\n  ", stdout);
    print_plain(stdout, f->budget.path);
    fputs(f->budget.said ? "\n  " : ", or that beside the data\n  ", stdout);
    if (f->ledger.status)
        print_plain(stdout, f->ledger.sentence);
    else if (f->exists)
        printf("%zu data set%s, verified, head %s", f->data_sets, f->data_sets == 1 ? "" : "s",
               f->head[0] ? f->head : "none yet");
    else
        fputs(f->writable ? "is not there yet; the first budget makes it" : "is not there, nor can it be made here",
              stdout);
    putchar('\n');
}

static void print_text(const struct findings *f) {
    printf("dpnoise %s\n\ninstalled\n", dpn_version());
    print_libraries(f);
    printf("\nrandom numbers\n  %s\n", f->entropy.status ? f->entropy.sentence : "work, keyed by the kernel");
    printf("\ntables that can be read\n  CSV (also .gz and .zst)%s%s%s\n",
           f->library[LIBRARY_SQLITE].found ? ", SQLite" : "",
           f->library[LIBRARY_POSTGRESQL].found ? ", PostgreSQL" : "",
           f->library[LIBRARY_DUCKDB].found ? ", Parquet" : "");
    print_ledger(f);
}

/* ---- The command ---- */

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands)
        return refuse(why, DPN_EPARSE, "doctor takes no operand, but there is '%.40s'", arguments->operand[0]);
    struct findings *f = calloc(1, sizeof *f);
    if (!f) return refuse(why, DPN_ENOMEM, "out of memory");
    f->budget.arguments = arguments;
    dpn_status status = budget_places(&f->budget, why);
    if (!status) {
        try_entropy(&f->entropy);
        try_ledger(f);
        libraries_find(f->library);
        if (arguments_have(arguments, "--json"))
            print_json(f);
        else
            print_text(f);
        const dpn_error *fault = f->entropy.status ? &f->entropy : &f->ledger;
        status = fault->status;
        if (status) *why = *fault;
        why->status = DPN_OK; /* it is the answer: kit/command.h */
    }
    dpn_ledger_close(f->budget.ledger);
    free(f);
    return status;
}

static const struct option options[] = {
    {"--ledger", "FILE", false, "the ledger ($DPNOISE_LEDGER, or dpnoise-ledger.db in this\ndirectory)"},
    {"--ledger-key", "FILE", false, "its key (the name of the ledger with .key after it)"},
    {"--wait", "MS", false, "how long to wait while others write to it (10000)"},
    {NULL, NULL, false, NULL},
};

const struct command doctor_command = {
    .name = "doctor",
    .summary = "what is installed, and whether it works",
    .synopsis = "[--ledger FILE] [--json]",
    .description = "Print which libraries are installed and what for, which tables can be read,\n"
                   "whether random numbers can be drawn, and where the ledger is and whether it\n"
                   "can be trusted and written. Nothing is made, charged or sent. The exit code is\n"
                   "0 if what every release needs works; a library that only some commands need\n"
                   "may be missing.\n",
    .example = "  dpnoise doctor\n"
               "  dpnoise doctor --json\n",
    .options = options,
    .run = run,
};
