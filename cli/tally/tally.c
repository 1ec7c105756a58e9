/* dpnoise tally: the exact sums of one part of a table, to be merged with those of others. */
#define _POSIX_C_SOURCE 200809L
#include "input/parts.h"
#include "input/state.h"
#include "input/sums.h"
#include "kit/command.h"
#include "kit/fail.h"
#include "kit/guard.h"

#include <dpnoise/random.h>
#include <stdlib.h>
#include <string.h>

struct part {
    const struct arguments *arguments;
    dpn_declaration declaration;
    char *spec;
    dpn_query *query;
    dpn_table *table;
    dpn_tally *tally;
    uint64_t threads, memory;
};

static dpn_status check_options(struct part *part, dpn_error *why) {
    const struct arguments *arguments = part->arguments;
    const char *out = arguments_value(arguments, "-o");
    if (arguments->operands != 1)
        return refuse(why, DPN_EPARSE,
                      "give one part of the table: dpnoise tally part.csv --spec question.json -o part.state");
    if (!out) return refuse(why, DPN_EPARSE, "-o is missing: the file for the state");
    if (strcmp(arguments->operand[0], "-") != 0 && guard_same_database(out, arguments->operand[0]))
        return refuse(why, DPN_EPARSE, "-o would write over the data");
    part->threads = PARTS_THREADS;
    dpn_status status = state_check_output(arguments, why);
    if (!status) status = arguments_count(&part->threads, arguments, "--threads", why);
    if (!status && part->threads > PARTS_MOST_THREADS)
        status = refuse(why, DPN_EDOMAIN, "--threads is at most %d", PARTS_MOST_THREADS);
    return status ? status : arguments_bytes(&part->memory, arguments, "--memory", why);
}

static dpn_status open_table(struct part *part, dpn_error *why) {
    dpn_table_options options = dpn_table_options_init();
    options.table = arguments_value(part->arguments, "--table");
    options.multiline = arguments_have(part->arguments, "--multiline");
    dpn_status status = dpn_table_open(&part->table, part->arguments->operand[0], &options, why);
    if (status) return status == DPN_EPARSE ? (why->status = DPN_EIO) : status;
    size_t columns = 0;
    while (dpn_query_column(part->query, columns)) columns++;
    size_t *wanted = calloc(columns + 1, sizeof *wanted);
    if (!wanted) return refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < columns && !status; i++)
        status = dpn_table_find(&wanted[i], part->table, dpn_query_column(part->query, i), why);
    if (!status) status = dpn_table_want(part->table, wanted, columns, why);
    free(wanted);
    return status;
}

/* Beside the state: what is beyond the memory is as large as that may be. */
static dpn_status limit(struct part *part, dpn_error *why) {
    const char *out = arguments_value(part->arguments, "-o"), *slash = strrchr(out, '/');
    if (part->memory == 0) return DPN_OK;
    char *directory = slash ? strndup(out, (size_t)(slash - out) + 1) : strdup(".");
    if (!directory) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = dpn_tally_limit(part->tally, part->memory, directory, why);
    free(directory);
    return status;
}

static dpn_status make_tally(struct part *part, dpn_error *why) {
    dpn_tally_secret secret;
    dpn_rng *rng = NULL;
    bool given;
    dpn_status status = secret_read(&secret, &given, part->arguments, why);
    if (!status) status = secret_check(&part->declaration, given, why);
    if (!status) status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_tally_new_with(&part->tally, part->query, given ? &secret : NULL, rng, why);
    dpn_rng_free(rng);
    return status ? status : limit(part, why);
}

static dpn_status read_rows(struct part *part, dpn_error *why) {
    struct progress progress = progress_start("tally", 1);
    dpn_status status = parts_read(&part->table, part->tally, (size_t)part->threads, &progress, why);
    progress_end(&progress);
    return status;
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct part part = {.arguments = arguments};
    if (arguments_have(arguments, "--new-secret")) {
        if (arguments->operands > 0) return refuse(why, DPN_EPARSE, "--new-secret makes a secret, and nothing else");
        return secret_make(arguments, why);
    }
    dpn_status status = check_options(&part, why);
    if (!status) status = state_declaration(&part.declaration, &part.spec, arguments, NULL, why);
    if (!status) status = dpn_query_new_shape(&part.query, &part.declaration, why);
    if (!status) status = make_tally(&part, why);
    bool sums = arguments_have(arguments, "--sums");
    if (!status && sums) status = sums_read(part.tally, part.query, &part.declaration, arguments->operand[0], why);
    if (!status && !sums) status = open_table(&part, why);
    if (!status && !sums) status = read_rows(&part, why);
    if (!status) status = state_write(arguments, part.tally, part.spec, why);
    if (!status) state_print(arguments, "; dpnoise release --states adds the noise");
    dpn_tally_free(part.tally);
    dpn_table_close(part.table);
    dpn_query_free(part.query);
    dpn_declaration_free(&part.declaration);
    free(part.spec);
    return status;
}

static const struct option options[] = {
    {"--spec", "FILE", false, "the question, as dpnoise release --save-spec writes it"},
    {"--secret", "FILE", false, "the secret of the lottery that chooses rows of persons, the same one for all parts"},
    {"--new-secret", "FILE", false, "make such a secret, and nothing else"},
    {"-o", "FILE", false, "write the state there, for its owner alone (mode 0600)"},
    {"--sums", NULL, false, "PART is what an engine made with a query of dpnoise sql"},
    {"--table", "NAME", false, "the table of a database"},
    {"--multiline", NULL, false, "line ends may stand in quotes: you promise that every quote is closed"},
    {"--threads", "N", false, "how many threads read a large file (2)"},
    {"--memory", "BYTES", false,
     "for persons and keys without levels (512M): what is beyond goes to the disk, beside the state"},
    {NULL, NULL, false, NULL},
};

const struct command tally_command = {
    .name = "tally",
    .summary = "exact sums of part of a table, to be merged and released elsewhere",
    .synopsis = "PART --spec FILE [--secret FILE] -o STATE\n"
                "       dpnoise tally --new-secret FILE",
    .description =
        "PART is one part of a table: a file, - for standard input, an SQLite file, or postgresql://... Its rows are\n"
        "summed in whole numbers, so that the states of all parts, however the rows were dealt out, are released like "
        "the\n"
        "table in one piece. A state is raw data, like the table: it holds sums without noise and, with persons, what\n"
        "their rows add. Nothing is charged here; dpnoise release --states charges once for all of them.\n",
    .example = "  printf 'region,income\\nnorth,31000\\n' >one.csv\n"
               "  printf 'region,income\\nsouth,42000\\n' >two.csv\n"
               "  dpnoise release one.csv --count --mean income:0:200000 --by region --levels region=north,south "
               "--epsilon 1 --dry-run --save-spec question.json >plan.txt\n"
               "  dpnoise tally one.csv --spec question.json -o one.state\n"
               "  dpnoise tally two.csv --spec question.json -o two.state\n"
               "  dpnoise release --states one.state two.state --dataset people --ledger people.db\n",
    .options = options,
    .run = run,
};
