/* What `dpnoise release` costs, and answers that were paid for before. */
#define _POSIX_C_SOURCE 200809L
#include "release/release.h"

#include "kit/fail.h"

#include <dpnoise/answer.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dpn_unit unit_of(const struct release *release) {
    return release->declaration.person ? DPN_PERSON : DPN_ROW;
}

/* The guarantee that was asked for, exactly. */
static dpn_status read_guarantee(dpn_decimal *epsilon, dpn_decimal *delta, const struct release *release,
                                 dpn_error *why) {
    const char *text = release->declaration.delta;
    *delta = (dpn_decimal){{0}};
    dpn_status status = dpn_decimal_parse(epsilon, release->declaration.epsilon, why);
    return status || !text ? status : dpn_decimal_parse(delta, text, why);
}

/* ---- The ledger and the account ---- */

static bool is_dry(const struct release *release) {
    return arguments_have(release->arguments, "--dry-run");
}

/* Open the ledger if there is one. A file that is there and no ledger is an error, not a reason to make one. */
static dpn_status open_ledger(struct release *release, dpn_error *why) {
    struct budget *budget = &release->budget;
    if (budget->ledger) return DPN_OK;
    if (access(budget->path, F_OK) != 0 && errno == ENOENT) {
        if (is_dry(release)) return DPN_OK;
        dpn_status status = release_check_key(release, why);
        if (status || access(budget->path, F_OK) != 0) return status ? status : release_check_new(release, why);
    }
    return budget_open(budget, why);
}

/* The account, if there is one. A name that is not in a ledger that exists may be a slip, or another name of data that have a
 * budget: a new one for it would be a free answer. */
static dpn_status find_account(struct release *release, dpn_error *why) {
    struct standing *standing = &release->standing;
    dpn_error reason;
    if (!release->budget.ledger) return DPN_OK;
    dpn_status status = dpn_ledger_account(&standing->account, release->budget.ledger, release->dataset, &reason);
    standing->known = !status;
    if (status == DPN_EDOMAIN) return is_dry(release) ? DPN_OK : release_check_new(release, why);
    if (status) *why = reason;
    return status;
}

/* ---- Answers that were paid for ---- */

/* The question as the ledger knows it: the declaration, whose data they are, and which of its sources is meant. */
static dpn_status write_specification(struct release *release, dpn_error *why) {
    size_t length;
    FILE *out = open_memstream(&release->specification, &length);
    if (!out) return refuse(why, DPN_ENOMEM, "out of memory");
    struct json object = json_begin(out);
    json_string(&object, "dataset", release->standing.known ? release->standing.account.name : release->dataset);
    release_json_source(&object, "source", &release->identity);
    json_value(&object, "declaration", release->declared);
    json_end(&object);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed || !release->specification) return refuse(why, DPN_ENOMEM, "out of memory");
    return DPN_OK;
}

static dpn_status take_stored(struct release *release, const char *text, size_t length, uint64_t number,
                              dpn_error *why) {
    struct standing *standing = &release->standing;
    dpn_entry entry;
    dpn_status status = dpn_answer_read(&release->answer, text, length, why);
    if (!status) status = dpn_ledger_entry(&entry, release->budget.ledger, number, why);
    if (status) return status;
    standing->stored = true;
    standing->head = entry.head;
    standing->cost = entry.charge;
    standing->converted = entry.converted;
    memcpy(standing->time, entry.time, sizeof standing->time);
    dpn_entry_free(&entry);
    char time[40];
    release_note(release, "from the ledger, free of charge: answered %s, the data were not read again",
                 release_time(time, release));
    return DPN_OK;
}

dpn_status release_look_up(struct release *release, dpn_error *why) {
    char *text = NULL;
    size_t length = 0;
    uint64_t number = 0;
    dpn_status status = open_ledger(release, why);
    if (!status) status = find_account(release, why);
    if (!status) status = write_specification(release, why);
    if (status || !release->standing.known || arguments_have(release->arguments, "--fresh")) return status;
    status = dpn_ledger_find_result(&text, &length, &number, release->budget.ledger, release->dataset,
                                    release->specification, strlen(release->specification), why);
    if (!status && text) status = take_stored(release, text, length, number, why);
    free(text);
    return status;
}

void release_keep(struct release *release) {
    char *text = NULL;
    size_t length;
    dpn_error why;
    dpn_status status = dpn_answer_write(&text, &length, release->answer, &why);
    if (!status)
        status = dpn_ledger_store_result(release->budget.ledger, release->standing.head.number, text, length, &why);
    if (status)
        release_note(release, "the answer could not be kept in the ledger (%.120s): asking again costs again",
                     why.sentence);
    free(text);
}

/* ---- The charge ---- */

/* The plan's own charge leaves the most for later. Where it does not fit, or is about another relation, the release is still
 * (epsilon, delta)-private, and that may. */
dpn_status release_find_cost(dpn_charge *out, const struct release *release, const dpn_account *account,
                             dpn_error *why) {
    dpn_decimal epsilon, delta;
    dpn_charge own;
    dpn_cost cost;
    dpn_status status = read_guarantee(&epsilon, &delta, release, why);
    if (status) return status;
    *out = dpn_charge_pure(account->filter, &epsilon, &delta);
    if (account->relation != release->declaration.relation) return DPN_OK;
    if (dpn_query_charge(&own, release->query, account->filter, NULL)) return DPN_OK;
    /* Pure charges are counted in the digits that were asked for: ten of 0.1 leave nothing of 1, not 1e-16. */
    if (own.pure && dpn_decimal_compare(&own.epsilon, &epsilon) < 0) own.epsilon = epsilon;
    if (!dpn_filter_preview(&cost, account->filter, &own, NULL) && cost.fits) *out = own;
    return DPN_OK;
}

/* A budget of exactly this release, so that the first try works and the next one is a decision. */
static dpn_status make_budget(struct release *release, dpn_error *why) {
    struct budget *budget = &release->budget;
    dpn_ledger_budget made = {.name = release->dataset,
                              .user = release->user,
                              .relation = release->declaration.relation,
                              .unit = unit_of(release)};
    dpn_head head;
    dpn_status status = read_guarantee(&made.plan.epsilon, &made.plan.delta, release, why);
    if (!status && !budget->ledger) status = dpn_ledger_create(&budget->ledger, budget->path, &budget->options, why);
    if (status) return status;
    bool first = !dpn_ledger_add_budget(&head, budget->ledger, &made, why);
    /* Another process may have made it in the meantime: then it is that one's. */
    if (!first && why->status != DPN_EDOMAIN) return why->status;
    status = dpn_ledger_account(&release->standing.account, budget->ledger, release->dataset, first ? why : NULL);
    if (status) return why->status;
    release->standing.known = true;
    if (!first) return DPN_OK;
    bool delta = !dpn_decimal_is_zero(&made.plan.delta);
    release_note(
        release,
        "made '%s' in %.300s with a budget of epsilon %.40s%s%.40s: this release spends all of it; plan a larger "
        "one first with dpnoise budget init",
        release->dataset, budget->path, release->declaration.epsilon, delta ? " and delta " : "",
        delta ? release->declaration.delta : "");
    return DPN_OK;
}

dpn_status release_charge(struct release *release, dpn_error *why) {
    struct standing *standing = &release->standing;
    dpn_ledger_charge charge = {.name = release->dataset,
                                .user = release->user,
                                .note = arguments_value(release->arguments, "--note"),
                                .relation = release->declaration.relation,
                                .unit = unit_of(release),
                                .plan = strlen(release->declared) < DPN_LEDGER_PLAN_SIZE ? release->declared : NULL,
                                .specification = release->specification,
                                .specification_length = strlen(release->specification)};
    dpn_receipt receipt;
    dpn_status status = standing->known ? DPN_OK : make_budget(release, why);
    if (!status) status = release_find_cost(&charge.charge, release, &standing->account, why);
    if (status) return status;
    status = dpn_ledger_spend(&receipt, release->budget.ledger, &charge, why);
    if (status == DPN_EBUDGET) return budget_refused(&release->budget, release->dataset, why);
    if (status) return status;
    dpn_entry entry;
    if (!dpn_ledger_entry(&entry, release->budget.ledger, receipt.head.number, NULL)) {
        memcpy(standing->time, entry.time, sizeof standing->time);
        dpn_entry_free(&entry);
    }
    standing->head = receipt.head;
    standing->cost = receipt.charge;
    standing->converted = receipt.converted;
    dpn_account after; /* if it cannot be had the one before is shown: what was charged is on the disk */
    if (!dpn_ledger_account(&after, release->budget.ledger, release->dataset, NULL)) {
        dpn_account_free(&standing->account);
        standing->account = after;
    }
    return DPN_OK;
}
