/* dpnoise example: a table to try the other commands with. */
#include "example/example.h"

#include "kit/command.h"
#include "kit/draft.h"
#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/json.h"

#include <string.h>
#include <unistd.h>

static const struct table {
    const char *name, *file;
    uint64_t rows; /* by default */
    void (*print)(FILE *out, uint64_t rows);
    const char *about, *next; /* what it holds, and a question to ask of it */
} tables[] = {
    {"census", "census.csv", 50000, example_census, "invented people: region, education, age, sex, income, hours",
     "dpnoise release census.csv --count --mean income:0:150000 --by region \\\n"
     "    --levels region=north,south,east,west --epsilon 1"},
};

struct wanted {
    const struct table *table;
    uint64_t rows;
};

static void print(FILE *out, const void *what) {
    const struct wanted *wanted = what;
    wanted->table->print(out, wanted->rows);
}

static dpn_status find(const struct table **out, const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands != 1) return refuse(why, DPN_EPARSE, "name one example: census");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].name, arguments->operand[0]) == 0) {
            *out = &tables[i];
            return DPN_OK;
        }
    return refuse(why, DPN_EPARSE, "there is no example '%.40s'; there is: census", arguments->operand[0]);
}

/* A file of that name is somebody's: only --output FILE says that it may be replaced. */
static dpn_status write_file(const struct wanted *wanted, const char *output, dpn_error *why) {
    const char *file = output ? output : wanted->table->file;
    if (!output && access(file, F_OK) == 0)
        return refuse(why, DPN_EIO, "there is a file '%s' here already; --output %s replaces it", file, file);
    struct draft draft;
    dpn_status status = draft_begin(&draft, "--output", file, why);
    return status ? status : draft_print(&draft, print, wanted, why);
}

static void tell(const struct wanted *wanted, const char *output, bool json) {
    const char *file = output ? output : wanted->table->file;
    if (json) {
        struct json object = json_begin(stdout);
        json_string(&object, "example", wanted->table->name);
        json_string(&object, "file", file);
        json_count(&object, "rows", wanted->rows);
        json_end(&object);
        return;
    }
    fact_print(stdout, "", "%s: %llu %s", file, (unsigned long long)wanted->rows, wanted->table->about);
    if (strcmp(file, wanted->table->file) == 0) printf("try\n  %s\n", wanted->table->next);
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct wanted wanted;
    dpn_status status = find(&wanted.table, arguments, why);
    if (status) return status;
    wanted.rows = wanted.table->rows;
    status = arguments_count(&wanted.rows, arguments, "--rows", why);
    if (status) return status;
    const char *output = arguments_value(arguments, "--output");
    if (output && strcmp(output, "-") == 0) {
        print(stdout, &wanted);
        return DPN_OK;
    }
    status = write_file(&wanted, output, why);
    if (!status) tell(&wanted, output, arguments_have(arguments, "--json"));
    return status;
}

static const struct option options[] = {
    {"--rows", "N", false, "how many rows (50000)"},
    {"--output", "FILE", false, "write to FILE (census.csv, if there is none yet); - is standard output"},
    {NULL, NULL, false, NULL},
};

const struct command example_command = {
    .name = "example",
    .summary = "a table to try the other commands with",
    .synopsis = "census [--rows N] [--output FILE] [--json]",
    .description = "Write a made-up census as comma-separated values: the same rows every time.\n"
                   "Nobody in it exists, so that it needs no budget to look at.\n",
    .example = "  dpnoise example census\n"
               "  dpnoise example census --rows 3 --output -\n",
    .options = options,
    .run = run,
};
