/* The question of `dpnoise release` and its budget: the protocol itself is dpnoise/question.h. */
#define _POSIX_C_SOURCE 200809L
#include "release/release.h"

#include "input/source.h"
#include "kit/fail.h"
#include "kit/progress.h"

#include <dpnoise/geometry.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- The ledger and the account ---- */

/* Nothing will be charged: also where a fit is audited on made-up tables. */
static bool is_dry(const struct release *release) {
    return arguments_have(release->arguments, "--dry-run") || arguments_have(release->arguments, "--audit");
}

/* Open the ledger if there is one. A file that is there and no ledger is an error, not a reason to make one. */
static dpn_status open_ledger(struct release *release, dpn_error *why) {
    struct budget *budget = &release->budget;
    if (budget->ledger) return DPN_OK;
    if (!release_has_ledger(release)) {
        if (is_dry(release)) return DPN_OK;
        dpn_status status = release_check_key(release, why);
        if (status || !release_has_ledger(release)) return status ? status : release_check_new(release, why);
    }
    return budget_open(budget, why);
}

/* The account, if there is one. A name that is not in a ledger that exists may be a slip, or another name of data that have a
 * budget: a new one for it would be a free answer. */
static dpn_status find_account(struct release *release, dpn_error *why) {
    dpn_account account;
    dpn_error reason;
    if (!release->budget.ledger) return DPN_OK;
    dpn_status status = release_recognise(release, why);
    if (status) return status;
    status = dpn_ledger_account(&account, release->budget.ledger, release->dataset, &reason);
    if (!status) {
        release->standing.known = true;
        release->registered = account.version > 0;
        dpn_account_free(&account);
    }
    if (status == DPN_EDOMAIN) return is_dry(release) ? DPN_OK : release_check_new(release, why);
    if (status) *why = reason;
    return status;
}

/* ---- The question ---- */

dpn_status release_find_budget(struct release *release, dpn_error *why) {
    dpn_status status = open_ledger(release, why);
    return status ? status : find_account(release, why);
}

/* What the question knows of the ledger, for those who print it. An asker with a quota is shown that. */
static void take_standing(struct release *release) {
    struct standing *standing = &release->standing;
    dpn_question_standing look = dpn_question_look(release->question);
    const dpn_account *account = look.quota ? look.quota : look.account;
    *standing = (struct standing){.known = account,
                                  .stored = look.stored,
                                  .converted = look.converted,
                                  .head = look.charge ? look.head : (dpn_head){0}};
    memcpy(standing->time, look.time, sizeof standing->time);
    if (look.charge) standing->cost = *look.charge;
    if (account) standing->account = *account;
}

/* What the answer is kept under besides the place: rows that are split otherwise, or that begin elsewhere, are other rows, and an
 * answer about the one is not given for the other. NULL: the place alone. To be freed. */
static dpn_status write_source(char **out, const struct release *release, const dpn_place *place, dpn_error *why) {
    bool multiline = !release->registered && arguments_have(release->arguments, "--multiline");
    char from[64] = "", *text = NULL;
    size_t length = 0;
    *out = NULL;
    if (release->by_name || (!multiline && release->identity.from == 0)) return DPN_OK;
    if (release->identity.from > 0) snprintf(from, sizeof from, ", from byte %" PRIu64, release->identity.from);
    dpn_status status = dpn_place_write(&text, &length, place, why);
    if (status) return status;
    static const char quotes[] = ", line ends in quotes";
    char *longer = realloc(text, length + sizeof quotes + sizeof from);
    if (!longer) {
        free(text);
        return refuse(why, DPN_ENOMEM, "out of memory");
    }
    snprintf(longer + length, sizeof quotes + sizeof from, "%s%s", multiline ? quotes : "", from);
    *out = longer;
    return DPN_OK;
}

/* Whether other data are these by another name. */
static bool is_same(void *identity, const dpn_place *other) {
    return dpn_place_is(other, identity);
}

static bool is_same_state(void *release, const dpn_place *other) {
    return release_states_are(release, other);
}

/* How lines are read is the curator's promise, one for all questions. */
static dpn_status check_multiline(const struct release *release, dpn_error *why) {
    const dpn_registration *registration = dpn_question_registration(release->question);
    if (!registration || registration->multiline || !arguments_have(release->arguments, "--multiline")) return DPN_OK;
    return refuse(why, DPN_EDOMAIN,
                  "--multiline: these data are registered with one line a row; leave it out, or promise closed quotes "
                  "with dpnoise register %.60s --amend --multiline",
                  release->dataset);
}

static void show_progress(void *context, double done) {
    progress_share(context, done);
}

dpn_status release_ask(struct release *release, dpn_error *why) {
    char *source, time[40];
    struct progress progress;
    dpn_question_options options = dpn_question_options_init();
    dpn_place place = dpn_place_of_identity(&release->identity);
    dpn_status status = release_draw_secret(release, why);
    if (!status) status = write_source(&source, release, &place, why);
    if (status) return status;
    progress = progress_start("plan", 1);
    options.analyst = release->user;
    options.note = arguments_value(release->arguments, "--note");
    options.source = source;
    bool states = release_has_states(release);
    if (states) place = (dpn_place){.kind = DPN_PLACE_DECLARED, .what = release->states_place};
    if (!release->by_name) options.place = &place;
    options.states = states;
    options.same = states ? is_same_state : is_same;
    options.same_context = states ? (void *)release : &release->identity;
    if (release->has_secret) options.secret = &release->secret;
    options.fresh = arguments_have(release->arguments, "--fresh");
    options.memory = release->memory;
    options.inquiry = release->inquiry;
    options.hulls = dpn_exact_hulls();
    options.progress = show_progress;
    options.context = &progress;
    status = dpn_question_new(&release->question, release->standing.known ? release->budget.ledger : NULL,
                              release->dataset, &release->declaration, &options, why);
    progress_end(&progress);
    free(source);
    if (!status) status = check_multiline(release, why);
    if (status) return status;
    take_standing(release);
    if (release->standing.stored)
        release_note(release, "from the ledger, %s: answered %s, the data were not read again",
                     dpn_question_look(release->question).state == DPN_QUESTION_OTHERS
                         ? "paid by others and charged to this quota alone"
                         : "free of charge",
                     release_time(time, release));
    return DPN_OK;
}

/* ---- The charge ---- */

/* A budget of exactly this release, so that the first try works and the next one is a decision. */
static dpn_status make_budget(struct release *release, dpn_error *why) {
    struct budget *budget = &release->budget;
    const dpn_declaration *declaration = &release->declaration;
    dpn_ledger_budget made = {.name = release->dataset,
                              .user = release->user,
                              .relation = declaration->relation,
                              .unit = declaration->person ? DPN_PERSON : DPN_ROW};
    dpn_query_facts facts = dpn_query_look(dpn_question_query(release->question));
    dpn_head head;
    dpn_status status = DPN_OK;
    made.plan.epsilon = facts.epsilon;
    made.plan.delta = facts.delta;
    if (arguments_have(release->arguments, "--new-budget")) budget->options.with_existing_key = 1;
    if (!budget->ledger) status = dpn_ledger_create(&budget->ledger, budget->path, &budget->options, why);
    if (status) return status;
    bool first = !dpn_ledger_add_budget(&head, budget->ledger, &made, why);
    /* Another process may have made it in the meantime: then it is that one's. */
    if (!first && why->status != DPN_EDOMAIN) return why->status;
    status = dpn_question_join(release->question, budget->ledger, why);
    if (status || !first) return status;
    bool delta = !dpn_decimal_is_zero(&made.plan.delta);
    release_note(
        release,
        "made '%s' in %.300s with a budget of epsilon %.40s%s%.40s: this release spends all of it; plan a larger "
        "one first with dpnoise budget init",
        release->dataset, budget->path, declaration->epsilon, delta ? " and delta " : "",
        delta ? declaration->delta : "");
    release_note(release,
                 "rows that cannot be used are left out, and nobody has looked for them here: the curator learns "
                 "which with %s--check",
                 release->inquiry ? "dpnoise release " : "");
    return DPN_OK;
}

dpn_status release_charge(struct release *release, dpn_rng *rng, dpn_error *why) {
    dpn_status status = release->standing.known ? DPN_OK : make_budget(release, why);
    if (status) return status;
    status = dpn_question_charge(release->question, rng, why);
    if (status == DPN_EBUDGET) return budget_refused(&release->budget, release->dataset, why);
    if (!status) take_standing(release);
    return status;
}
