/* dpnoise ask: one question of an analyst, answered for a service that knows who asks. */
#include "ask/ask.h"

#include "input/log.h"
#include "kit/command.h"
#include "kit/fail.h"
#include "kit/json.h"

#include <dpnoise/geometry.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dpn_status check_options(struct asking *asking, dpn_error *why) {
    const struct arguments *arguments = asking->arguments;
    asking->analyst = arguments_value(arguments, "--analyst");
    if (arguments->operands > 0)
        return refuse(why, DPN_EPARSE, "ask takes the question on standard input, but there is '%.40s'",
                      arguments->operand[0]);
    if (!asking->analyst)
        return refuse(why, DPN_EPARSE,
                      "--analyst is missing: who asks, as the service knows and not as the question says");
    if (!asking->analyst[0] || strchr(asking->analyst, '/'))
        return refuse(why, DPN_EDOMAIN, "--analyst must be a name without a slash");
    dpn_status status = budget_places(&asking->budget, why);
    if (!status && !asking->budget.said)
        status = refuse(why, DPN_EPARSE, "--ledger is missing: the service says which, or DPNOISE_LEDGER does");
    return status;
}

/* What the machine fails to do before an answer is known is the curator's to mend: one sentence, and the reason in the log. The
 * disk of the ledger may fail when the charge is on it already. */
static dpn_status conceal(const struct asking *asking, dpn_status status, dpn_error *why) {
    if (status != DPN_EIO && status != DPN_ENOMEM && status != DPN_EENTROPY) return status;
    log_write(asking->log, 0, asking->analyst, why->sentence);
    return refuse(
        why, DPN_EIO,
        "the question cannot be answered now%s; no answer was drawn, and what was charged, if anything, is in "
        "the ledger",
        asking->log >= 0 ? ", and its curator knows why" : "");
}

/* The charge is durable before the first row is read; after it there is one sentence for all that fails. */
static dpn_status answer(struct asking *asking, dpn_error *why) {
    dpn_question_standing before = dpn_question_look(asking->question);
    asking->repeat = before.state == DPN_QUESTION_STORED;
    dpn_status status = before.state == DPN_QUESTION_ASKED ? ask_open(asking, why) : DPN_OK;
    if (status) return status;
    status = dpn_rng_new(&asking->rng, why);
    if (!status) status = dpn_question_charge(asking->question, asking->rng, why);
    /* Of a quota and its data set the sentence says which one refused, and what is set aside there. */
    if (status == DPN_EBUDGET && !before.quota) return budget_refused(&asking->budget, asking->dataset, why);
    if (status) return conceal(asking, status, why);
    if (dpn_question_look(asking->question).state == DPN_QUESTION_CHARGED) status = ask_rows(asking, why);
    if (!status)
        status = asking->fit ? dpn_question_result(&asking->model, asking->question, asking->rng, why)
                             : dpn_question_answer(&asking->answer, asking->question, asking->rng, why);
    if (status && dpn_question_reason(asking->question)[0])
        log_write(asking->log, dpn_question_look(asking->question).head.number, asking->analyst,
                  dpn_question_reason(asking->question));
    return status;
}

static dpn_status run_ask(struct asking *asking, dpn_error *why) {
    dpn_question_options options = dpn_question_options_init();
    dpn_status status = check_options(asking, why);
    options.analyst = asking->analyst;
    options.hulls = dpn_exact_hulls();
    if (!status) status = budget_open(&asking->budget, why);
    if (!status) status = ask_read(asking, why);
    if (asking->fit) options.inquiry = dpn_fit_inquiry(asking->fit);
    if (!status)
        status = dpn_question_read(&asking->question, asking->budget.ledger, asking->payer, asking->declaration,
                                   asking->length, &options, why);
    if (!status) status = answer(asking, why);
    if (!status) ask_print(asking);
    return status;
}

/* A service reads JSON, also where there is no answer. */
static void tell(const dpn_error *why, dpn_status status) {
    struct json object = json_begin(stdout);
    json_string(&object, "error", why->sentence);
    json_string(&object, "status", dpn_status_name(status));
    json_end(&object);
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct asking asking = {.arguments = arguments, .budget = {.arguments = arguments}, .log = -1};
    dpn_status status = run_ask(&asking, why);
    dpn_question_free(asking.question);
    dpn_fit_free(asking.fit);
    dpn_table_close(asking.table);
    dpn_rng_free(asking.rng);
    dpn_ledger_close(asking.budget.ledger);
    free(asking.declaration);
    if (asking.log >= 0) close(asking.log);
    if (!status) return DPN_OK;
    tell(why, status);
    why->status = DPN_OK; /* the answer is printed */
    return status;
}

static const struct option options[] = {
    {"--analyst", "NAME", false, "who asks, as the service knows; the quota DATASET/NAME pays"},
    {"--shared", NULL, false, "an analyst without a quota spends the data set's budget itself"},
    {"--ledger", "FILE", false, "the ledger ($DPNOISE_LEDGER)"},
    {"--ledger-key", "FILE", false, "its key (the name of the ledger followed by .key)"},
    {"--wait", "MS", false, "for how many milliseconds to wait for other processes (10000)"},
    {NULL, NULL, false, NULL},
};

const struct command ask_command = {
    .name = "ask",
    .summary = "one question in JSON about registered data, for a service",
    .synopsis = "--ledger FILE --analyst NAME <QUESTION",
    .description =
        "The front for a service that answers analysts: a forced command, a web server, a queue. The question is one "
        "JSON\n"
        "object on standard input, a declaration (docs/declaration.md) with the name of a registered data set; with a\n"
        "member \"fit\", {\"kind\": \"linear\"} for example, it is a regression of the first mean on the others. The "
        "answer\n"
        "is one JSON object, {\"error\": ...} if the question is refused. No file is touched but those that are "
        "registered, and "
        "what\n"
        "fails after the charge is told to the curator's log alone. Give analysts no other way to run dpnoise.\n",
    .example =
        "  printf 'id,income\\n1,31000\\n2,42000\\n' >people.csv\n"
        "  dpnoise register people people.csv --number income:0:200000 --person-id id --epsilon 1 --ledger desk.db\n"
        "  echo '{\"dataset\": \"people\", \"epsilon\": \"0.5\",\n"
        "         \"statistics\": [{\"kind\": \"mean\", \"column\": \"income\"}]}' |\n"
        "    dpnoise ask --ledger desk.db --analyst ada --shared\n",
    .options = options,
    .run = run,
};
