/* dpnoise register: a data set, where it is, what it holds, whom it protects and what may be asked, once and for all. */
#define _POSIX_C_SOURCE 200809L
#include "register/register.h"

#include "kit/command.h"
#include "kit/fail.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- What is asked ---- */

/* Where data are is said of new ones, or with --moved: nothing that was said is ignored. */
static dpn_status check_where(const struct arguments *arguments, const char *verb, const char *data, dpn_error *why) {
    if (verb && arguments_have(arguments, "--from"))
        return refuse(why, DPN_EPARSE,
                      "--from begins a registration and does not go with %s: give what changes as options", verb);
    if (!data && arguments_have(arguments, "--table"))
        return refuse(why, DPN_EPARSE, "--table goes with the name of a database, and there is none%s",
                      verb ? ": data that moved are named with --moved" : "; the file of --from names its table");
    return DPN_OK;
}

static dpn_status check_options(struct registering *registering, dpn_error *why) {
    static const char *const verbs[] = {"--show", "--propose", "--amend", "--moved", "--new-version"};
    const struct arguments *arguments = registering->arguments;
    const char *given = NULL;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (!arguments_have(arguments, verbs[i])) continue;
        if (given) return refuse(why, DPN_EPARSE, "%s and %s exclude each other", given, verbs[i]);
        given = verbs[i];
    }
    if (arguments->operands == 0)
        return refuse(why, DPN_EPARSE, "the name of the data set is missing: dpnoise register people people.csv");
    if (arguments->operands > 2)
        return refuse(why, DPN_EPARSE, "register takes a name and its data, but there is also '%.40s'",
                      arguments->operand[2]);
    registering->name = arguments->operand[0];
    registering->data = arguments->operands > 1 ? arguments->operand[1] : NULL;
    if (!registering->name[0] || strlen(registering->name) >= DPN_LEDGER_NAME_SIZE)
        return refuse(why, DPN_EDOMAIN, "the name of a data set must have 1 to %d bytes", DPN_LEDGER_NAME_SIZE - 1);
    bool needs = !given || strcmp(given, "--propose") == 0 || strcmp(given, "--moved") == 0;
    if (needs && !registering->data && (given || !arguments_have(arguments, "--from")))
        return refuse(why, DPN_EPARSE, "where are the data? dpnoise register %.60s DATA", registering->name);
    if (!needs && registering->data)
        return refuse(why, DPN_EPARSE, "%s takes no data: those of '%.60s' stay where they are; see --moved", given,
                      registering->name);
    return check_where(arguments, given, registering->data, why);
}

/* ---- The verbs ---- */

/* Everything that can be wrong is found before a ledger is made. */
static dpn_status check(struct registering *registering, dpn_error *why) {
    dpn_status status = dpn_registration_check(&registering->registration, why);
    if (!status) status = register_check_log(registering, why);
    if (!status) status = register_check_files(registering, why);
    return !status && registering->table ? register_check(registering, why) : status;
}

static dpn_status register_new(struct registering *registering, dpn_error *why) {
    struct stat there;
    dpn_status status = register_start(registering, why);
    if (!status) status = register_find_data(registering, why);
    if (!status) status = register_find_place(registering, why);
    if (!status) status = register_columns(registering, why);
    if (!status) status = register_limits(registering, why);
    /* A file that is empty is a ledger that another process begins at this moment. */
    bool ledger = stat(registering->budget.path, &there) == 0 && there.st_size > 0;
    if (!status && ledger) status = budget_open(&registering->budget, why);
    if (!status && ledger) status = register_look_up(registering, why);
    if (!status && registering->registered) status = register_refuse_again(registering, why);
    if (!status && ledger) status = register_check_alias(registering, why);
    if (!status) status = check(registering, why);
    if (!status) status = register_make_ledger(registering, why);
    return status ? status : register_record(registering, false, false, why);
}

static dpn_status register_again(struct registering *registering, dpn_error *why) {
    const struct arguments *arguments = registering->arguments;
    bool moved = arguments_have(arguments, "--moved"), version = arguments_have(arguments, "--new-version");
    dpn_status status = register_load(registering, why);
    if (!status) status = register_check_person(registering, why);
    if (!status) status = register_find_data(registering, why);
    if (!status && moved) status = register_check_alias(registering, why);
    if (!status) status = register_columns(registering, why);
    if (!status) status = register_limits(registering, why);
    if (!status) status = check(registering, why);
    return status ? status : register_record(registering, true, version, why);
}

static dpn_status run_verb(struct registering *registering, dpn_error *why) {
    const struct arguments *arguments = registering->arguments;
    dpn_status status = check_options(registering, why);
    if (!status) status = budget_places(&registering->budget, why);
    if (status) return status;
    budget_user(registering->user);
    if (arguments_have(arguments, "--propose")) {
        if (strcmp(registering->data, "-") == 0)
            return refuse(why, DPN_EDOMAIN, "--propose looks at data that can be read again: a file or a database");
        status = register_start(registering, why);
        if (!status) status = register_find_data(registering, why);
        return status ? status : register_propose(registering, why);
    }
    if (arguments_have(arguments, "--show"))
        status = register_load(registering, why);
    else if (arguments_have(arguments, "--amend") || arguments_have(arguments, "--moved") ||
             arguments_have(arguments, "--new-version"))
        status = register_again(registering, why);
    else
        status = register_new(registering, why);
    if (!status && registering->checked)
        fputs(registering->checked, arguments_have(arguments, "--json") ? stderr : stdout);
    return status ? status : register_show(registering, why);
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct registering registering = {.arguments = arguments, .budget = {.arguments = arguments}};
    dpn_status status = run_verb(&registering, why);
    dpn_table_close(registering.table);
    dpn_table_identity_free(&registering.identity);
    dpn_registration_free(&registering.registration);
    dpn_account_free(&registering.account);
    free(registering.checked);
    dpn_ledger_close(registering.budget.ledger);
    return status;
}

/* ---- The row ---- */

static const struct option options[] = {
    {"--number", "C:LO:HI", true,
     "a column of numbers, clamped to LO..HI at the widest: income:0:200000, or with its\n"
     "unit income:0:200000:EUR; bounds are public, never from the data"},
    {"--category", "C=A,B", true,
     "a column that forms groups, with its public levels, or C=@FILE with one a line;\n"
     "C alone: those that appear are chosen privately"},
    {"--text", "COLUMN", true, "a column of words"},
    {"--drop", "COLUMN", true, "--amend: a column that is no longer registered"},
    {"--where-columns", "A,B", false, "the columns that predicates (--where) may use; none without it"},
    {"--person-id", "COLUMN", false, "protect persons, told apart by this column, not rows"},
    {"--max-rows", "N", false, "of a person in a group, at most N rows count (1)"},
    {"--max-groups", "N", false, "a person counts in at most N groups (1)"},
    {"--relation", "R", false, "neighbouring tables differ by add-remove (default) or replace of one unit"},
    {"--missing", "M", false, "what a field that cannot be used does: skip its row (default), or value:V"},
    {"--na", "A,B", false, "words that stand for a missing field, besides the empty one"},
    {"--multiline", NULL, false, "quoted fields may hold line breaks: you promise that every quote is closed"},
    {"--population", "N", false, "how many units are known to be there; gives questions their delta"},
    {"--least-epsilon", "E", false, "of one question (a thousandth of the budget, at most 0.01)"},
    {"--most-epsilon", "E", false, "of one question (10)"},
    {"--most-delta", "D", false, "of one question (what the budget has)"},
    {"--memory", "BYTES", false,
     "for keys and persons, 512M or 1G; what is beyond goes to the disk, beside the ledger"},
    {"--log", "FILE", false, "where the reasons of failures go, for the curator alone (mode 0600)"},
    {"--epsilon", "E", false, "the budget: how much may be spent in all"},
    {"--delta", "D", false, "likewise (0)"},
    {"--yes-delta", NULL, false, "a delta above 0.001 is meant"},
    {"--table", "NAME", false, "the table of a database"},
    {"--from", "FILE", false, "a registration in JSON, the member of that name of --show --json; options override it"},
    {"--show", NULL, false, "print the registration and its budget"},
    {"--propose", NULL, false, "look at the data and propose options; for the curator, not private"},
    {"--amend", NULL, false, "change columns and limits; stored answers stay"},
    {"--moved", NULL, false, "the same data are now at DATA"},
    {"--new-version", NULL, false, "the data have changed: stored answers are not given any more, the budget stays"},
    {"--note", "TEXT", false, "words for the record"},
    {"--ledger", "FILE", false, "the ledger ($DPNOISE_LEDGER, or dpnoise-ledger.db in this directory)"},
    {"--ledger-key", "FILE", false, "its key (the name of the ledger followed by .key)"},
    {"--wait", "MS", false, "for how many milliseconds to wait for other processes (10000)"},
    {NULL, NULL, false, NULL},
};

const struct command register_command = {
    .name = "register",
    .summary = "a data set, its schema, limits and budget, once and for all",
    .synopsis = "NAME DATA --epsilon E [--number C:LO:HI]... [--category C=A,B]... [--person-id C]\n"
                "       dpnoise register NAME DATA --propose\n"
                "       dpnoise register NAME --show [--json]\n"
                "       dpnoise register NAME (--amend | --moved DATA | --new-version) ...",
    .description = "The curator's command. The ledger holds where the data are, what their columns are, whom they are "
                   "about and how\n"
                   "much one question may ask; questions then name the data set and its columns, and can narrow what "
                   "is registered,\n"
                   "never widen it. Files are known by their real path, tables of databases by server, database, "
                   "schema and name;\n"
                   "new rows in the same place have the same budget. Every change is an entry of the ledger. Copies of "
                   "the data are\n"
                   "not recognised.\n",
    .example = "  printf 'id,region,income\\n1,north,31000\\n2,south,42000\\n' >people.csv\n"
               "  dpnoise register people people.csv --propose\n"
               "  dpnoise register people people.csv --number income:0:200000:EUR --category region=north,south "
               "--where-columns region --person-id id --epsilon 1\n"
               "  dpnoise release people --count --mean income --by region --epsilon 0.5\n",
    .options = options,
    .run = run,
};
