/* dpnoise fit: private regression. */
#include "fit/fit.h"

#include "kit/command.h"
#include "kit/fail.h"
#include "kit/progress.h"

#include <stdlib.h>
#include <string.h>

/* ---- With a guarantee ---- */

/* All that is public: the declaration, the ledger, the plan, the schema. */
static dpn_status prepare(struct fitting *fitting, dpn_error *why) {
    struct release *release = &fitting->release;
    dpn_status status = release_find_registered(release, why);
    if (!status) status = fit_declare(fitting, why);
    if (!status) status = release_names(release, why);
    if (!status && !release->by_name) status = release_identify(release, why);
    if (!status) status = release_find_budget(release, why);
    if (!status && !release->registered) status = release_check_persons(release, why);
    if (!status) status = release_check_files(release, why);
    if (!status) status = fit_tune(fitting, why);
    release->inquiry = dpn_fit_inquiry(fitting->fit);
    if (!status) status = release_ask(release, why);
    if (!status) status = release_check_slips(release, why);
    if (!status) status = release_take_asked(release, why);
    if (!status && !release->standing.stored) status = release_open_table(release, why);
    return status;
}

static dpn_status read_rows(struct fitting *fitting, dpn_error *why) {
    if (dpn_question_look(fitting->release.question).state != DPN_QUESTION_CHARGED) return DPN_OK; /* it is stored */
    return fit_read(fitting, why) ? dpn_question_fail(fitting->release.question, why, why) : DPN_OK;
}

static void show_share(void *progress, double done) {
    progress_share(progress, done);
}

/* The charge is durable before the first row is read, and the model is in the ledger before it is shown. */
static dpn_status answer(struct fitting *fitting, dpn_error *why) {
    struct release *release = &fitting->release;
    dpn_rng *rng = NULL;
    const char *text = NULL;
    dpn_status status = dpn_rng_new(&rng, why);
    if (!status) status = release_charge(release, rng, why);
    if (!status) status = read_rows(fitting, why);
    struct progress progress = progress_start("fit", 1);
    dpn_fit_watch(fitting->fit, show_share, NULL, &progress);
    if (!status) status = dpn_question_result(&text, release->question, rng, why);
    dpn_fit_watch(fitting->fit, NULL, NULL, NULL);
    progress_end(&progress);
    dpn_rng_free(rng);
    if (status && dpn_question_look(release->question).state == DPN_QUESTION_FAILED) {
        release_log_failure(release);
        return refuse(why, DPN_EIO, "%s", dpn_question_failure());
    }
    return status ? status : dpn_model_read(&fitting->model, text, strlen(text), why);
}

/* The model is paid for and shown, whatever becomes of the picture; both can be had again, from the ledger and for nothing. */
static dpn_status show(const struct fitting *fitting, dpn_status status, dpn_error *why) {
    bool plot = arguments_have(fitting->release.arguments, "--plot");
    if (!status && plot) status = fit_plot(fitting, why);
    dpn_error reason = *why;
    dpn_status shown = fit_print(fitting, why);
    if (shown || !status) return shown;
    *why = reason;
    why->status = DPN_OK; /* the model is printed */
    return status;
}

static dpn_status run_answer(struct fitting *fitting, dpn_error *why) {
    const char *report = arguments_value(fitting->release.arguments, "--report");
    const char *plot = arguments_value(fitting->release.arguments, "--plot");
    struct draft draft;
    /* A picture that cannot be written is refused before the charge. */
    dpn_status status = plot ? draft_begin(&draft, "--plot", plot, why) : DPN_OK;
    if (!status && plot) draft_drop(&draft);
    if (!status && report) status = draft_begin(&draft, "--report", report, why);
    if (status) return status;
    status = answer(fitting, why);
    if (status && report) draft_drop(&draft);
    if (status) return status;
    if (report) status = fit_write_report(&draft, fitting, why);
    return show(fitting, status, why);
}

static dpn_status run_private(struct fitting *fitting, dpn_error *why) {
    dpn_status status = prepare(fitting, why);
    if (status) return status;
    if (arguments_have(fitting->release.arguments, "--audit")) return fit_audit(fitting, why);
    return arguments_have(fitting->release.arguments, "--dry-run") ? fit_print_plan(fitting, why)
                                                                   : run_answer(fitting, why);
}

/* ---- Without one ---- */

static dpn_status want_columns(struct fitting *fitting, dpn_error *why) {
    size_t columns = 0;
    while (dpn_fit_column(fitting->fit, columns)) columns++;
    size_t *wanted = calloc(columns + 1, sizeof *wanted);
    dpn_status status = wanted ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < columns && !status; i++)
        status = dpn_table_find(&wanted[i], fitting->release.table, dpn_fit_column(fitting->fit, i), why);
    if (!status) status = dpn_table_want(fitting->release.table, wanted, columns, why);
    free(wanted);
    return status;
}

/* For those who have the data and may look at them: no ledger, no noise, and no registered data. */
static dpn_status run_plain(struct fitting *fitting, dpn_error *why) {
    struct release *release = &fitting->release;
    static const char *const private[] = {"--epsilon", "--delta",  "--dry-run", "--dataset",
                                          "--noise",   "--report", "--audit",   "--tune"};
    for (size_t i = 0; i < sizeof private / sizeof *private; i++)
        if (arguments_have(release->arguments, private[i]))
            return refuse(why, DPN_EPARSE, "%s does not belong to --method non-private, which has no guarantee",
                          private[i]);
    dpn_status status = release_find_registered(release, why);
    if (!status && release->by_name)
        status = refuse(why, DPN_EDOMAIN, "registered data are fitted with a guarantee: --method moments --epsilon 1");
    if (!status) status = fit_declare(fitting, why);
    if (!status) status = dpn_fit_plan(fitting->fit, &release->declaration, why);
    if (!status) status = release_refuse_registered(release, "--method non-private", why);
    if (!status && !release->table) status = release_open_source(release, why);
    if (!status) status = want_columns(fitting, why);
    if (!status) status = fit_read(fitting, why);
    if (!status) status = dpn_fit_run(&fitting->model, fitting->fit, NULL, why);
    return status ? status : show(fitting, DPN_OK, why);
}

/* Likewise: what comes out was tuned on the rows. */
static dpn_status run_experiment(struct fitting *fitting, dpn_error *why) {
    struct release *release = &fitting->release;
    static const char *const private[] = {"--dry-run", "--dataset", "--ledger", "--new-budget",
                                          "--report",  "--start",   "--tune"};
    for (size_t i = 0; i < sizeof private / sizeof *private; i++)
        if (arguments_have(release->arguments, private[i]))
            return refuse(why, DPN_EPARSE, "%s does not belong to --experiment, which is not private", private[i]);
    dpn_status status = release_find_registered(release, why);
    if (!status && release->by_name)
        status = refuse(why, DPN_EDOMAIN, "--experiment is not private, and not for registered data");
    if (!status) status = fit_declare(fitting, why);
    if (!status) status = dpn_fit_plan(fitting->fit, &release->declaration, why);
    if (!status) status = release_refuse_registered(release, "--experiment", why);
    if (!status && !release->table) status = release_open_source(release, why);
    if (!status) status = want_columns(fitting, why);
    if (!status) status = fit_read(fitting, why);
    return status ? status : fit_experiment(fitting, why);
}

/* ---- The command ---- */

static dpn_status run_any(struct fitting *fitting, dpn_error *why) {
    static const char *const only[] = {"--trials", "--fine", "--as-declared"};
    if (arguments_have(fitting->release.arguments, "--experiment")) return run_experiment(fitting, why);
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (arguments_have(fitting->release.arguments, only[i]))
            return refuse(why, DPN_EPARSE, "%s belongs to --experiment: give both", only[i]);
    return fitting->plain ? run_plain(fitting, why) : run_private(fitting, why);
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct fitting *fitting = calloc(1, sizeof *fitting);
    if (!fitting) return refuse(why, DPN_ENOMEM, "out of memory");
    struct release *release = &fitting->release;
    release->arguments = release->budget.arguments = arguments;
    dpn_status status = fit_read_options(fitting, why);
    if (!status) status = dpn_fit_new(&fitting->fit, &fitting->options, why);
    if (!status) status = run_any(fitting, why);
    if (status) fit_reword(why);
    dpn_model_free(fitting->model);
    dpn_question_free(release->question);
    dpn_fit_free(fitting->fit);
    dpn_ledger_close(release->budget.ledger);
    dpn_table_identity_free(&release->identity);
    dpn_registration_free(&release->registration);
    dpn_table_close(release->table);
    dpn_declaration_free(&release->declaration);
    free(fitting->start);
    free(fitting->smoothness);
    free(fitting);
    return status;
}

static const struct option options[] = {
    {"--target", "C:LO:HI", false,
     "what is predicted: column C, clamped to LO..HI: public bounds, never from the data"},
    {"--features", "C:LO:HI,...", false, "from which columns, likewise; those of --levels without bounds"},
    {"--levels", "C=A,B", true,
     "a feature that is a word: an indicator for each level but the first; rows with another one\n"
     "are left out"},
    {"--method", "M", false,
     "auto (default), two-step, moments, functional, cd, gd, objective, objective-gaussian, output,\n"
     "adassp, kng, sgd, aggregate, or non-private: no guarantee, to compare with"},
    {"--sample-rate", "Q", false, "of sgd: the probability with which a row is in a batch (0.0625)"},
    {"--blocks", "N", false, "of aggregate: to how many blocks the rows are dealt out (chosen from --rows)"},
    {"--points", "N", false, "of kng: how many points its grid has along each coefficient, an odd number"},
    {"--quantile", "Q", false, "of quantile fits: which (0.5, the median)"},
    {"--no-intercept", NULL, false, "no constant"},
    {"--regularize", "P", false,
     "l1:A, l2:B or both: A |b|_1 + B/2 |b|^2 is added to the mean loss, in the unit in\n"
     "which all columns lie in -1..1"},
    {"--raw", NULL, false,
     "what papers do with the noisy numbers, where the default knows of the noise; of kng: choose by gradients"},
    {"--noise", "F", false, "noise of this family (the best of the quick ones)"},
    {"--ball", "B", false,
     "the ball of K-norm noise: of functional linf, l1, l2, kt or hull, of objective linf, l1 or l2"},
    {"--passes", "N", false, "of cd and gd: how often they go over the rows; of kng: how many grids, each a finer one"},
    {"--accounting", "A", false, "of cd and gd: exact (default), zcdp or paper, to compare with"},
    {"--clip", "C", false, "of cd and gd: how long the derivatives of a row are at most; of kng: how much its loss is"},
    {"--step", "T", false, "of cd and gd: the length of a step, in inverses of the smoothness (1)"},
    {"--within", "B", false,
     "of objective: no coefficient is larger in size, in the unit of --regularize, or with l2:B all together\n"
     "have at most that length; linear fits need one of them;\n"
     "of kng: how far the grid goes (2, of logistic fits 8)"},
    {"--share", "Q", false, "of objective: the share of E for the noise in it (chosen from rows, features and E)"},
    {"--start", "B,...", false,
     "of cd and gd: where they begin, a public number for each coefficient in the data's units,\n"
     "the intercept first (0 in the unit in which all columns lie in -1..1)"},
    {"--smoothness", "M,...", false,
     "of cd and gd: the mean second derivative of the loss by each coefficient, if that is public\n"
     "(bought with a part of the budget)"},
    {"--identical", NULL, false, "of cd and gd: the same noise for every coefficient, to compare with"},
    {"--experiment", NULL, false,
     "NOT PRIVATE: standardise the columns and tune passes, step and clip of cd or gd on the rows, as papers do, and\n"
     "measure; nothing is charged"},
    {"--trials", "N", false, "of --experiment: how many runs measure (20)"},
    {"--fine", NULL, false, "of --experiment: tune over 528 settings, not 75"},
    {"--as-declared", NULL, false, "of --experiment: do not standardise the columns"},
    {"--tune", "FILE|private", false,
     "choose passes, clips, penalties or the method by public rows with the same columns; or privately, for half of E"},
    {"--rows", "N", false, "how many rows there are, if that is public: for choices"},
    {"--where", "TEST", true, "only rows for which this holds: 'age>=18', 'sex=f' (also != < <= >)"},
    {"--person-id", "COLUMN", false, "protect persons, told apart by this column, not rows"},
    {"--max-rows", "N", false, "of a person N rows are fitted, chosen at random (1)"},
    {"--relation", "R", false, "neighbouring tables differ by add-remove (default) or replace of one row"},
    {"--epsilon", "E", false, "the model is (E, D)-differentially private"},
    {"--yes-epsilon", NULL, false, "an epsilon above 10 is meant"},
    {"--yes-delta", NULL, false, "a delta above 0.001 is meant"},
    {"--delta", "D", false, "the delta that is allowed (0)"},
    {"--missing", "M", false,
     "a field that is not a number where one is needed: skip leaves the row out (default), value:V puts V in its "
     "place"},
    {"--na", "WORDS", false, "fields that are one of these words are missing: NA,?,."},
    {"--dry-run", NULL, false, "the noise and the cost, and with --rows the error to expect; nothing is spent"},
    {"--audit", "N", false,
     "draw N such fits of each of some made-up tables that differ by one row, and try to refute the guarantee;\n"
     "nothing is read or spent"},
    {"--multiline", NULL, false, "line ends may stand in quotes: you promise that every quote is closed"},
    {"--table", "NAME", false, "the table of a database"},
    {"--dataset", "NAME", false, "whose budget is charged (the name of the file, without directory and ending)"},
    {"--ledger", "FILE", false, "the ledger ($DPNOISE_LEDGER, or dpnoise-ledger.db beside the data)"},
    {"--new-budget", NULL, false, "make a budget of exactly this fit where a ledger has none for the data"},
    {"--ledger-key", "FILE", false, "its key (the name of the ledger followed by .key)"},
    {"--wait", "MS", false, "for how many milliseconds to wait for other processes (10000)"},
    {"--user", "NAME", false, "who asks, for the record (the login name)"},
    {"--note", "TEXT", false, "words for the record"},
    {"--fresh", NULL, false, "ask and pay again, even if the ledger has the model"},
    {"--plot", "FILE", false, "draw what each feature does within its bounds: FILE ends in .svg, .png or .pdf"},
    {"--report", "FILE", false, "also write a page in HTML: coefficients, effects, guarantee, data sheet"},
    {NULL, NULL, false, NULL},
};

const struct command fit_command = {
    .name = "fit",
    .summary = "private regression, with error bars",
    .synopsis = "linear|logistic|quantile DATA --target C:LO:HI --features C:LO:HI,... --epsilon E [--delta D]\n"
                "       dpnoise fit linear|logistic|quantile NAME --target C --features C,... --epsilon E [--delta D]",
    .description =
        "Coefficients of a linear or logistic fit, or of a quantile, in the units of the data. DATA and NAME are as in "
        "dpnoise release: "
        "a\n"
        "file, a database, or the name of registered data, whose bounds and levels are those that are registered. The\n"
        "budget is charged, durably, before a row is read, and asking the same again costs nothing. What --json "
        "prints\n"
        "is what dpnoise predict reads.\n",
    .example = "  printf 'hours,income\\n38,31000\\n40,42000\\n20,18000\\n' >people.csv\n"
               "  dpnoise fit linear people.csv --target income:0:100000 --features hours:0:80 --epsilon 1 --json "
               ">model.json\n"
               "  dpnoise predict model.json people.csv\n",
    .options = options,
    .run = run,
};
