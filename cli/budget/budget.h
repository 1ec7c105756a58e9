/* dpnoise budget: what its verbs share. */
#ifndef DPNOISE_CLI_BUDGET_BUDGET_H
#define DPNOISE_CLI_BUDGET_BUDGET_H

#include "kit/json.h"
#include "kit/options.h"

#include <dpnoise/ledger.h>
#include <dpnoise/plan.h>

struct budget {
    const struct arguments *arguments;
    const char *path;
    bool said; /* by --ledger or $DPNOISE_LEDGER */
    dpn_ledger_options options;
    char key[4096]; /* the name of its file, also if it was not given */
    dpn_ledger *ledger;
    bool json;
};

/* The verbs. Each opens the ledger itself; it is closed for them. */
dpn_status budget_init(struct budget *budget, dpn_error *why);
dpn_status budget_renew(struct budget *budget, dpn_error *why);
dpn_status budget_show(struct budget *budget, dpn_error *why);
dpn_status budget_history(struct budget *budget, dpn_error *why);
dpn_status budget_verify(struct budget *budget, dpn_error *why);
dpn_status budget_charge(struct budget *budget, dpn_error *why);
dpn_status budget_export(struct budget *budget, dpn_error *why);
dpn_status budget_import(struct budget *budget, dpn_error *why);

/* Where the ledger and its key are, by --ledger or $DPNOISE_LEDGER, --ledger-key and --wait; without a ledger, where `path`
 * says, if it does. */
dpn_status budget_places(struct budget *budget, dpn_error *why);

dpn_status budget_open(struct budget *budget, dpn_error *why);

/* What did not fit is told together with what is left. */
dpn_status budget_refused(struct budget *budget, const char *name, dpn_error *why);

/* The name of the data set, the operand after the verb; refused if it is missing. */
dpn_status budget_name(const char **out, const struct budget *budget, dpn_error *why);

/* An amount that an option gives; refused if it is 0, unless it may be, or below the smallest normal double. *out stays
 * as it is if the option was not given.
 * Errors   DPN_EPARSE, DPN_EDOMAIN. */
dpn_status budget_amount(dpn_decimal *out, const struct arguments *arguments, const char *name, bool may_be_zero,
                         dpn_error *why);

/* The total of a new budget, from --epsilon, --delta and the options of its filter, with its arrays: it must not be copied.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_ENOMEM. */
struct budget_terms {
    dpn_filter_plan plan;
    double order[DPN_FILTER_ORDERS];
    dpn_decimal weight[DPN_FILTER_ORDERS];
};
dpn_status budget_terms_read(struct budget_terms *out, const struct arguments *arguments, dpn_error *why);

/* history --report: a page of how the data sets stand, or the one of that name, and of the entries up to `last`.
 * Errors   those of the ledger and of a draft. */
dpn_status budget_write_report(struct budget *budget, const char *file, const char *name, const dpn_head *last,
                               dpn_error *why);

/* Who runs the tool. */
void budget_user(char out[DPN_LEDGER_NAME_SIZE]);

/* ---- Telling how an account stands (account.c) ---- */

void account_json(struct json *json, const dpn_account *account);
void account_print(FILE *out, const dpn_account *account);

/* What is left for pure charges, "epsilon 0.3 by pure charges", or where Renyi sums decide how much one more may have, "epsilon 0.04 by
 * one pure charge". More digits than there is room for in a sentence are rounded down if it is `brief`. Returns text. */
enum { PURE_LEFT_SIZE = DPN_DECIMAL_TEXT_SIZE + 40 };
char *pure_left_print(char text[PURE_LEFT_SIZE], const dpn_filter *filter, bool brief);

/* What was spent of epsilon: exactly where only the sums of pure charges count, else a bound rounded up. */
enum { SPENT_SIZE = DPN_DECIMAL_TEXT_SIZE };
char *spent_print(char text[SPENT_SIZE], const dpn_filter *filter, const dpn_spent *spent, const dpn_decimal *pure);

/* ---- A plan as a charge (plan.c) ---- */

struct plan_charge {
    dpn_charge charge;
    dpn_relation relation; /* for which it holds */
    dpn_unit unit;
    char *text; /* the plan as JSON, owned */
};

/* What the caller knows of a plan's guarantee; what is 0 is not known. */
struct plan_claim {
    dpn_decimal epsilon, delta;
    bool only; /* it is charged as that, else in the best way */
};

/* What a plan costs on a set at the orders of an account's filter; the text is left alone. The charge holds for the relation
 * of the set, or for replace if it went by the group of two.
 * Errors   those of dpn_plan_charge_best and dpn_plan_charge_as. */
dpn_status plan_charge_find(struct plan_charge *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                            const dpn_account *account, const struct plan_claim *claim, dpn_error *why);

/* What --plan costs at the orders of an account's filter, with --delta as (epsilon(delta), delta), with --epsilon as exactly
 * that. Release text with free().
 * Errors   those of plan_file_read and dpn_plan_renyi. */
dpn_status plan_charge_read(struct plan_charge *out, const struct arguments *arguments, const dpn_account *account,
                            dpn_error *why);

/* ---- A training run as a charge (training.c) ---- */

/* Whether the options speak of one. */
bool training_charged(const struct arguments *arguments);

/* What the run of --law, --sensitivity, --sample-rate and --steps costs at the orders of an account's filter, with --delta as
 * (epsilon(delta), delta). Release text with free().
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_ENOMEM and those of dpn_training_plan_charge; DPN_EUNSUPPORTED for what does not convert to replace. */
dpn_status training_charge_read(struct plan_charge *out, const struct arguments *arguments, const dpn_account *account,
                                dpn_error *why);

/* The same of a run that was read from the file of --plan. */
dpn_status training_charge_planned(struct plan_charge *out, dpn_training_plan *plan, const struct arguments *arguments,
                                   const dpn_account *account, dpn_error *why);

#endif
