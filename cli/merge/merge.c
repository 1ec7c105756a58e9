/* dpnoise merge: one state of several. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "input/state.h"
#include "kit/command.h"
#include "kit/fail.h"
#include "kit/guard.h"

#include <dpnoise/random.h>
#include <stdlib.h>
#include <string.h>

static dpn_status check_options(const struct arguments *arguments, dpn_error *why) {
    const char *out = arguments_value(arguments, "-o");
    if (arguments->operands == 0) return refuse(why, DPN_EPARSE, "give the states: dpnoise merge *.state -o all.state");
    if (!out) return refuse(why, DPN_EPARSE, "-o is missing: the file for the state of all");
    return state_check_output(arguments, why);
}

static dpn_status merge(const struct arguments *arguments, const struct state_files *files, const dpn_query *query,
                        const dpn_tally_secret *secret, const char *spec, dpn_error *why) {
    dpn_rng *rng = NULL;
    dpn_tally *tally = NULL;
    dpn_error reason;
    dpn_status status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_tally_new_with(&tally, query, secret, rng, why);
    for (size_t i = 0; i < files->files && !status; i++) {
        status = dpn_tally_add_state(tally, files->file[i].state, files->file[i].state_length, &reason);
        if (status) status = refuse(why, status, "'%.80s': %.300s", files->file[i].name, reason.sentence);
    }
    if (!status) status = state_write(arguments, tally, spec, why);
    dpn_tally_free(tally);
    dpn_rng_free(rng);
    return status;
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct state_files files = {.file = NULL};
    dpn_declaration declaration = {.statistic = NULL};
    dpn_tally_secret secret;
    dpn_query *query = NULL;
    char *spec = NULL;
    bool given = false;
    dpn_status status = check_options(arguments, why);
    if (!status) status = secret_read(&secret, &given, arguments, why);
    if (!status) status = states_read(&files, arguments, why);
    if (!status) status = state_declaration(&declaration, &spec, arguments, &files, why);
    if (!status) status = secret_check(&declaration, given, why);
    if (!status && !declaration.epsilon)
        declaration.epsilon = strdup("1"); /* of an aggregate, which has none: sums do not depend on it */
    if (!status) status = dpn_query_new_shape(&query, &declaration, why);
    if (!status) status = merge(arguments, &files, query, given ? &secret : NULL, spec, why);
    if (!status) state_print(arguments, "");
    states_free(&files);
    dpn_query_free(query);
    dpn_declaration_free(&declaration);
    free(spec);
    return status;
}

static const struct option options[] = {
    {"--spec", "FILE", false, "the question, where the states do not hold it"},
    {"--secret", "FILE", false, "the secret of the lottery, if there are persons: the one the states were made with"},
    {"-o", "FILE", false, "write the state of all there, for its owner alone (mode 0600)"},
    {NULL, NULL, false, NULL},
};

const struct command merge_command = {
    .name = "merge",
    .summary = "one state of several that dpnoise tally made",
    .synopsis = "STATE... [--secret FILE] -o STATE",
    .description =
        "The states of parts of a table become that of the whole, with the same bytes in whatever order and grouping "
        "they\n"
        "are merged. It is raw data, like the table. Nothing is charged; dpnoise release --states takes states merged\n"
        "or not.\n",
    .example = "  printf 'income\\n31000\\n' >one.csv\n"
               "  printf 'income\\n42000\\n' >two.csv\n"
               "  dpnoise release one.csv --count --epsilon 1 --dry-run --save-spec question.json >plan.txt\n"
               "  dpnoise tally one.csv --spec question.json -o one.state\n"
               "  dpnoise tally two.csv --spec question.json -o two.state\n"
               "  dpnoise merge one.state two.state -o all.state\n",
    .options = options,
    .run = run,
};
