/* dpnoise fit --tune FILE: which setting does best on public rows. */
#define _POSIX_C_SOURCE 200809L
#include "fit/fit.h"

#include "kit/fail.h"
#include "kit/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The public rows, read as the rows of the fit will be: columns have the same names, and line ends may stand in quotes if they may there. */
static dpn_status read_rows(dpn_fit *fit, dpn_table *table, dpn_error *why) {
    size_t columns = 0, rows = 1;
    while (dpn_fit_column(fit, columns)) columns++;
    size_t *wanted = calloc(columns + 1, sizeof *wanted);
    dpn_status status = wanted ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < columns && !status; i++)
        status = dpn_table_find(&wanted[i], table, dpn_fit_column(fit, i), why);
    if (!status) status = dpn_table_want(table, wanted, columns, why);
    while (!status && rows > 0) {
        const dpn_field *field;
        status = dpn_table_next(&field, &rows, table, why);
        if (!status && rows > 0) status = dpn_fit_rows(fit, field, rows, why);
    }
    free(wanted);
    return status;
}

/* What was chosen, in words that can be typed: the same fit, without the file. */
static void note_setting(struct fitting *fitting, const dpn_fit_options *chosen, double cost) {
    char text[256] = "";
    const dpn_fit_options *asked = &fitting->options;
    const struct {
        const char *name;
        double before, now;
    } number[] = {{"--passes", (double)asked->passes, (double)chosen->passes},
                  {"--clip", asked->clip, chosen->clip},
                  {"--regularize l2:", asked->l2, chosen->l2},
                  {"--share", asked->share, chosen->share},
                  {"--within", asked->within, chosen->within}};
    size_t used = 0;
    if (chosen->method && chosen->method != asked->method)
        used += (size_t)snprintf(text, sizeof text, " --method %s", chosen->method);
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        bool colon = strchr(number[i].name, ':');
        if (number[i].now != number[i].before)
            used += (size_t)snprintf(text + used, sizeof text - used, " %s%s%g", number[i].name, colon ? "" : " ",
                                     number[i].now);
    }
    release_note(&fitting->release, "the public rows chose%s, with a cost of %.3g on rows that were not fitted",
                 used > 0 ? text : " the usual setting", cost);
}

static dpn_status choose(struct fitting *fitting, dpn_fit *rows, const dpn_declaration *declaration, dpn_error *why) {
    dpn_fit_options chosen;
    dpn_fit *made = NULL;
    double cost;
    dpn_status status = dpn_fit_tune(&chosen, &cost, rows, &fitting->options, declaration, why);
    if (!status) status = dpn_fit_new(&made, &chosen, why);
    if (status) return status;
    note_setting(fitting, &chosen, cost);
    dpn_fit_free(fitting->fit);
    fitting->fit = made;
    fitting->options = chosen;
    return DPN_OK;
}

/* Of registered data bounds and levels are those that are registered. */
static dpn_status declare(dpn_declaration *out, const struct release *release, dpn_error *why) {
    char *text = NULL;
    size_t length = 0;
    dpn_status status = dpn_declaration_write(&text, &length, &release->declaration, why);
    if (!status) status = dpn_declaration_read(out, text, length, why);
    if (!status && release->by_name) status = dpn_registration_apply(out, &release->registration, why);
    free(text);
    return status;
}

static dpn_status tune(struct fitting *fitting, const char *file, dpn_error *why) {
    dpn_fit_options plain = fitting->options; /* a fit that holds the rows, and is never run */
    dpn_declaration declaration = {0};
    const struct arguments *arguments = fitting->release.arguments;
    dpn_table_options options = {.size = sizeof options, .multiline = arguments_have(arguments, "--multiline")};
    dpn_table *table = NULL;
    dpn_fit *rows = NULL;
    dpn_status status = declare(&declaration, &fitting->release, why);
    if (!status) status = dpn_fit_new(&rows, &plain, why);
    if (!status) status = dpn_fit_plan(rows, &declaration, why);
    if (!status) status = dpn_table_open(&table, file, &options, why);
    if (!status) status = read_rows(rows, table, why);
    if (!status) status = choose(fitting, rows, &declaration, why);
    dpn_table_close(table);
    dpn_fit_free(rows);
    dpn_declaration_free(&declaration);
    return status;
}

/* Whose data the rows are in any ledger in reach. A copy is not recognised, and must not be: whether a file holds what the data hold is an answer about
 * them, and who may ask it again and again, one row of a guess changed each time, learns them all. */
static dpn_status check_owner(const struct fitting *fitting, const char *file, dpn_error *why) {
    dpn_table_identity identity;
    dpn_place_owner owner;
    dpn_status status = dpn_table_identify_path(&identity, file, why);
    if (status) return status;
    status = release_find_owner(&owner, fitting->release.arguments, file, &identity, why);
    dpn_table_identity_free(&identity);
    if (status || !owner.name[0]) return status;
    return refuse(why, DPN_EDOMAIN, "'%.80s' is the data of '%.60s', which is private; name a file with what is public",
                  file, owner.name);
}

/* Public rows are a plain file, which is told from the data under whatever name: databases, servers and pipes could be the data. */
static dpn_status check_public(const char *file, const char *data, dpn_error *why) {
    struct stat there;
    bool found = stat(file, &there) == 0;
    if (strchr(file, ':') || strcmp(file, "-") == 0 || (found && !S_ISREG(there.st_mode)))
        return refuse(why, DPN_EDOMAIN,
                      "--tune: '%.60s' is not a file; name one with public rows, or say --tune private", file);
    return guard_read("--tune", file, data, why);
}

dpn_status fit_tune(struct fitting *fitting, dpn_error *why) {
    const char *file = arguments_value(fitting->release.arguments, "--tune");
    dpn_error reason;
    if (!file || fitting->options.tune) return DPN_OK;
    dpn_status status = check_public(file, release_file(&fitting->release), why);
    if (status) return status;
    status = check_owner(fitting, file, &reason);
    if (!status) status = tune(fitting, file, &reason);
    return status ? refuse(why, status, "--tune: %.300s", reason.sentence) : DPN_OK;
}
