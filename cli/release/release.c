/* dpnoise release: private statistics of a table. */
#include "release/release.h"

#include "kit/command.h"
#include "kit/draft.h"
#include "kit/fail.h"

#include <dpnoise/plan.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void release_note(struct release *release, const char *format, ...) {
    va_list arguments;
    if (release->notes == RELEASE_NOTES) return;
    va_start(arguments, format);
    vsnprintf(release->note[release->notes++], RELEASE_NOTE_SIZE, format, arguments);
    va_end(arguments);
}

/* ---- Before anything is spent ---- */

/* How an answer is printed. --json also prints plans and checks, and the last row is what people get who ask for nothing. */
static const struct format {
    const char *option;
    dpn_status (*print)(const struct release *release, dpn_error *why);
} formats[] = {{"--json", release_print_json}, {"--csv", release_print_csv}, {NULL, release_print_text}};

static const struct format *format_asked(const struct arguments *arguments) {
    const struct format *format = formats;
    while (format->option && !arguments_have(arguments, format->option)) format++;
    return format;
}

static dpn_status refuse_both(const struct arguments *arguments, const char *one, const char *other, dpn_error *why) {
    if (!arguments_have(arguments, one) || !arguments_have(arguments, other)) return DPN_OK;
    return refuse(why, DPN_EPARSE, "%s and %s exclude each other", one, other);
}

static dpn_status check_apart(const struct arguments *arguments, dpn_error *why) {
    static const char *const instead[] = {"--dry-run", "--check"}, *const answers[] = {"--report", "--fresh"};
    dpn_status status = refuse_both(arguments, instead[0], instead[1], why);
    for (const struct format *f = formats; f->option && !status; f++)
        for (const struct format *other = f + 1; other->option && !status; other++)
            status = refuse_both(arguments, other->option, f->option, why);
    for (size_t i = 0; i < 2 && !status; i++) {
        for (const struct format *f = formats + 1; f->option && !status; f++)
            status = refuse_both(arguments, instead[i], f->option, why);
        for (size_t j = 0; j < 2 && !status; j++) status = refuse_both(arguments, instead[i], answers[j], why);
    }
    return status;
}

static dpn_status check_options(struct release *release, dpn_error *why) {
    const struct arguments *arguments = release->arguments;
    dpn_status status = check_apart(arguments, why);
    if (status) return status;
    if (arguments_have(arguments, "--csv-notes") && !arguments_have(arguments, "--csv"))
        return refuse(why, DPN_EPARSE, "--csv-notes belongs to --csv: give both");
    release->source = "-";
    dpn_status memory = arguments_bytes(&release->memory, arguments, "--memory", why);
    if (memory) return memory;
    if (release_has_states(release)) return release_read_states(release, why);
    if (arguments->operands == 0)
        return refuse(why, DPN_EPARSE, "the data are missing: dpnoise release people.csv --count --epsilon 1");
    if (arguments->operands > 1)
        return refuse(why, DPN_EPARSE, "release reads one table, but there is also '%.40s'", arguments->operand[1]);
    release->source = arguments->operand[0];
    if (!release->source[0]) return refuse(why, DPN_EPARSE, "the name of the data is empty");
    return release_threads(release, why);
}

/* The question is planned, and says what is asked in the end. */
static dpn_status make_question(struct release *release, dpn_error *why) {
    bool said = release_has_delta(&release->declaration);
    dpn_status status = release->registered ? DPN_OK : release_check_persons(release, why);
    if (!status && !release->registered && !said) status = release_choose_delta(release, why);
    if (!status && release_has_states(release)) status = release_check_states(release, why);
    if (!status) status = release_ask(release, why);
    if (!status && release_has_states(release)) status = release_check_asked_states(release, why);
    if (!status) status = release_check_slips(release, why);
    if (!status) status = release_take_asked(release, why);
    if (status) return status;
    if (!said) release_tell_delta(release);
    dpn_query_facts facts = dpn_query_look(dpn_question_query(release->question));
    return facts.plan ? dpn_plan_write(&release->plan, NULL, facts.plan, why) : DPN_OK;
}

/* All that is public: the declaration, the ledger, the plan, the schema. */
static dpn_status prepare(struct release *release, dpn_error *why) {
    dpn_status status = check_options(release, why);
    bool check = arguments_have(release->arguments, "--check");
    if (!status) status = release_find_registered(release, why);
    if (!status) status = release_declare(release, why);
    if (!status) status = release_check_labels(release, why);
    if (!status) status = release_names(release, why);
    if (!status && !release->by_name && !release_has_states(release)) status = release_identify(release, why);
    if (!status && (!check || release->by_name)) status = release_find_budget(release, why);
    if (!status) status = release_check_files(release, why);
    if (!status) status = make_question(release, why);
    if (!status && !release->standing.stored && !release_has_states(release)) status = release_open_table(release, why);
    if (!status && !release->standing.stored && !check && !release_has_states(release))
        status = release_push(release, why);
    return status ? status : release_save_spec(release, why);
}

/* ---- The release ---- */

/* The charge is durable before the first row is read, and the answer is in the ledger before it is shown. */
static dpn_status answer(struct release *release, dpn_error *why) {
    dpn_rng *rng = NULL;
    dpn_status status = dpn_rng_new(&rng, why);
    if (!status) status = release_charge(release, rng, why);
    if (!status && dpn_question_tally(release->question))
        status = release_has_states(release) ? release_add_states(release, why)
                 : release->pushed           ? release_add_pushed(release, why)
                                             : release_read(release, why);
    if (!status) status = dpn_question_answer(&release->answer, release->question, rng, why);
    dpn_rng_free(rng);
    if (status && dpn_question_look(release->question).state == DPN_QUESTION_FAILED) {
        release_log_failure(release);
        return refuse(why, DPN_EIO, "%s (dpnoise release --check)", dpn_question_failure());
    }
    return status;
}

static void print_page(FILE *out, const void *release) {
    release_print_html(out, release);
}

static dpn_status print(const struct release *release, dpn_error *why) {
    return format_asked(release->arguments)->print(release, why);
}

/* The answer is paid for and shown; the report can be written later, from the ledger and for nothing. */
static dpn_status print_without_report(const struct release *release, dpn_status status, dpn_error *why) {
    dpn_error reason = *why;
    dpn_status shown = print(release, why);
    if (shown) return shown;
    *why = reason;
    why->status = DPN_OK; /* the answer is printed */
    return status;
}

static dpn_status run_release(struct release *release, dpn_error *why) {
    const char *report = arguments_value(release->arguments, "--report");
    struct draft draft;
    dpn_status status = report ? draft_begin(&draft, "--report", report, why) : DPN_OK;
    if (status) return status;
    status = answer(release, why);
    if (!status && report) {
        status = draft_print(&draft, print_page, release, why);
        report = NULL;
        if (status) return print_without_report(release, status, why);
    }
    if (report) draft_drop(&draft);
    return status ? status : print(release, why);
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct release *release = calloc(1, sizeof *release);
    if (!release) return refuse(why, DPN_ENOMEM, "out of memory");
    release->arguments = release->budget.arguments = arguments;
    dpn_status status = prepare(release, why);
    if (!status && arguments_have(arguments, "--dry-run"))
        status = release_print_plan(release, why);
    else if (!status && arguments_have(arguments, "--check"))
        status = release_check(release, why);
    else if (!status)
        status = run_release(release, why);
    dpn_question_free(release->question);
    dpn_ledger_close(release->budget.ledger);
    dpn_table_identity_free(&release->identity);
    dpn_registration_free(&release->registration);
    dpn_table_close(release->table);
    dpn_declaration_free(&release->declaration);
    states_free(&release->states);
    free(release->states_place);
    free(release->plan);
    free(release);
    return status;
}

static const struct option options[] = {
    {"--count", NULL, false, "how many rows (persons' rows) there are, whole numbers"},
    {"--sum", "C:LO:HI", true, "the sum of column C, its values clamped to LO..HI: public bounds, never from the data"},
    {"--mean", "C:LO:HI", true, "the mean, likewise"},
    {"--variance", "C:LO:HI", true, "the variance, likewise"},
    {"--histogram", "C:EDGES", true, "counts in bins: age:0,18,65,120, or age:0:100:10 for ten equal ones"},
    {"--quantile", "C:Q:LO:HI:STEP", true, "the value that a share Q lies below: age:0.5:0:120:1 is the median"},
    {"--median", "C:LO:HI:STEP", true, "the same for Q = 0.5"},
    {"--covariance", "SPEC", true, "covariances of columns: a:0:1,b:0:10"},
    {"--by", "COLUMNS", false, "one line for each group: region,education"},
    {"--levels", "C=A,B", true,
     "the public list of the groups of a column, or C=@FILE with one a line; without it\n"
     "those that appear are chosen privately, which takes a delta"},
    {"--where", "TEST", true, "only rows for which this holds: 'age>=18', 'sex=f' (also != < <= >)"},
    {"--person-id", "COLUMN", false, "protect persons, told apart by this column, not rows"},
    {"--max-rows", "N", false, "of a person in a group, N rows count, chosen at random (1)"},
    {"--max-groups", "N", false, "a person counts in N groups, chosen at random (1)"},
    {"--per-person", "sum|mean", false, "all rows of a person count: their sum or mean in a group is clamped instead"},
    {"--relation", "R", false, "neighbouring tables differ by add-remove (default) or replace of one unit"},
    {"--epsilon", "E", false, "all answers together are (E, D)-differentially private"},
    {"--yes-epsilon", NULL, false, "an epsilon above 10 is meant"},
    {"--yes-delta", NULL, false, "a delta above 0.001 is meant"},
    {"--delta", "D", false, "the delta that is allowed (0; 1e-6 if there are columns without levels)"},
    {"--missing", "M", false,
     "a field that is not a number where one is needed: skip leaves the row out of the whole question (default),\n"
     "value:V puts V in its place"},
    {"--na", "WORDS", false, "fields that are one of these words are missing: NA,?,."},
    {"--count-left-out", NULL, false, "also how many rows of each group are left out, with noise"},
    {"--noise", "F", false, "noise of this family (the best of the quick ones); best: of all, which takes longer"},
    {"--nonnegative", NULL, false, "no counts below 0: post-processing"},
    {"--consistent", NULL, false, "parts add up to their totals: post-processing"},
    {"--spec", "FILE", false, "the declaration in FILE, as --save-spec writes it; options override it"},
    {"--save-spec", "FILE", false, "write the declaration to FILE"},
    {"--dry-run", NULL, false, "the plan, the errors and the cost; nothing is spent"},
    {"--check", NULL, false, "look for bad rows and values outside; for the curator, not private"},
    {"--states", NULL, false,
     "the operands are states that dpnoise tally made of parts of the data; --spec may be left out"},
    {"--sums", "FILE", false,
     "instead of data, what an engine made with the query of dpnoise sql; comma-separated values"},
    {"--secret", "FILE", false, "with --states or --sums, if there are persons: the secret they were made with"},
    {"--pull", NULL, false,
     "read the rows of a PostgreSQL table or a Parquet file here, where the engine could make the sums"},
    {"--multiline", NULL, false, "line ends may stand in quotes: you promise that every quote is closed"},
    {"--table", "NAME", false, "the table of a database"},
    {"--dataset", "NAME", false, "whose budget is charged (the name of the file, without directory and ending)"},
    {"--ledger", "FILE", false, "the ledger ($DPNOISE_LEDGER, or dpnoise-ledger.db beside the data)"},
    {"--new-budget", NULL, false, "make a budget of exactly this release where a ledger has none for the data"},
    {"--ledger-key", "FILE", false, "its key (the name of the ledger followed by .key)"},
    {"--wait", "MS", false, "for how many milliseconds to wait for other processes (10000)"},
    {"--user", "NAME", false, "who asks, for the record (the login name)"},
    {"--note", "TEXT", false, "words for the record"},
    {"--fresh", NULL, false, "ask and pay again, even if the ledger has the answer"},
    {"--csv", NULL, false, "print comma-separated values; what was done to the data is told on standard error"},
    {"--csv-notes", NULL, false, "with --csv: tell it in lines before the table that begin with #"},
    {"--report", "FILE", false, "also write a page in HTML: table, error bars, guarantee, data sheet"},
    {"--title", "TEXT", false, "the heading of that page"},
    {"--label", "C=TEXT", true, "what that page calls column C, with its unit: 'income=Income in euros'"},
    {"--threads", "N", false, "how many threads read a large file (2)"},
    {"--memory", "BYTES", false,
     "for persons and keys without levels (512M; 1G or a quarter of what is free): what is beyond goes to the disk,\n"
     "beside the ledger"},
    {NULL, NULL, false, NULL},
};

const struct command release_command = {
    .name = "release",
    .summary = "private statistics of a table, with error bars",
    .synopsis =
        "NAME (--count | --sum C | --mean C | ...)... --epsilon E [--by C,...]\n"
        "       dpnoise release DATA (--count | --sum C:LO:HI | --mean C:LO:HI | ...)... --epsilon E [--by C,...]\n"
        "       dpnoise release DATA --spec FILE [--dry-run | --check]\n"
        "       dpnoise release --states STATE... [--secret FILE] --dataset NAME --ledger FILE",
    .description =
        "NAME is a data set of dpnoise register: its bounds, levels and persons are those that are registered, and a\n"
        "question can narrow them. DATA is a file of comma- or tab-separated values (gzip or zstd too), - for "
        "standard\n"
        "input, an SQLite file, or postgresql://... All statistics of one call get the least noise that makes them\n"
        "(E, D)-differentially private together. The budget is charged, durably, before a row is read; without a "
        "ledger\n"
        "one is made, with a budget of exactly this release. Asking the same again costs nothing: the answer is kept.\n"
        "Bounds and levels are public: never take them from the data.\n",
    .example = "  printf 'region,income\\nnorth,31000\\nsouth,42000\\n' >people.csv\n"
               "  dpnoise release people.csv --count --mean income:0:200000 --by region --levels region=north,south "
               "--epsilon 1\n"
               "  dpnoise release people.csv --histogram income:0:100000:4 --epsilon 0.5 --dry-run\n",
    .options = options,
    .run = run,
};
