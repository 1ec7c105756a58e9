/* What a question costs, and paying it. */
#include "question/memory.h"

#include "base/error.h"
#include "release/compile/query.h"

#include <string.h>

/* The plan's own charge leaves the most for later. Where it does not fit, or is about another relation, the release is still
 * (epsilon, delta)-private, and that may. */
dpn_charge dpn_question_cost(const dpn_question *question, const dpn_account *account) {
    const dpn_shares *asked = &question->query->asked;
    dpn_charge own, plain = dpn_charge_pure(account->filter, &asked->epsilon, &asked->delta);
    dpn_cost cost;
    if (account->relation != question->declaration.relation) return plain;
    const dpn_inquiry *inquiry = question->inquiry;
    if (inquiry && (!inquiry->charge || inquiry->charge(&own, inquiry->context, account->filter, NULL))) return plain;
    if (!inquiry && dpn_query_charge(&own, question->query, account->filter, NULL)) return plain;
    /* Pure charges are counted in the digits that were asked for: ten of 0.1 leave nothing of 1, not 1e-16. */
    if (own.pure && dpn_decimal_compare(&own.epsilon, &asked->epsilon) < 0) own.epsilon = asked->epsilon;
    return !dpn_filter_preview(&cost, account->filter, &own, NULL) && cost.fits ? own : plain;
}

static dpn_status need_state(const dpn_question *question, dpn_error *why) {
    if (!question->ledger) return dpn_fail(why, DPN_EDOMAIN, "the question has no ledger that could be charged");
    if (question->state > DPN_QUESTION_OTHERS) return dpn_fail(why, DPN_EDOMAIN, "the question was charged already");
    return DPN_OK;
}

dpn_status dpn_question_preview(dpn_cost *cost, dpn_cost *quota, const dpn_question *question, dpn_error *why) {
    dpn_status status = need_state(question, why);
    if (status) return status;
    dpn_spent spent = dpn_filter_spent(question->account.filter);
    dpn_cost of_cap = {.fits = true, .before = spent, .after = spent}, of_quota = {.fits = true};
    bool has_quota = false;
    dpn_charge charge;
    if (question->state == DPN_QUESTION_ASKED) {
        charge = dpn_question_cost(question, &question->account);
        status = dpn_filter_preview(&of_cap, question->account.filter, &charge, why);
    }
    for (int i = 0; i < 2 && !status; i++) {
        const dpn_account *payer = &question->quota[i];
        if (!payer->filter) continue;
        dpn_cost own = {
            .fits = true, .before = dpn_filter_spent(payer->filter), .after = dpn_filter_spent(payer->filter)};
        charge = dpn_question_cost(question, payer);
        if (question->state == DPN_QUESTION_ASKED || (question->state == DPN_QUESTION_OTHERS && question->owes[i]))
            status = dpn_filter_preview(&own, payer->filter, &charge, why);
        if (!has_quota || (of_quota.fits && !own.fits)) of_quota = own;
        has_quota = true;
    }
    if (status) return status;
    *cost = of_cap;
    if (quota && has_quota) *quota = of_quota;
    return DPN_OK;
}

/* ---- Paying ---- */

static dpn_ledger_charge charge_of(const dpn_question *question, const dpn_account *account) {
    const char *asked =
        question->inquiry ? question->specification : dpn_question_text(question); /* which has the inquiry */
    return (dpn_ledger_charge){.name = account->name,
                               .charge = dpn_question_cost(question, account),
                               .relation = question->declaration.relation,
                               .unit = question->declaration.person ? DPN_PERSON : DPN_ROW,
                               .plan = strlen(asked) < DPN_LEDGER_PLAN_SIZE ? asked : NULL,
                               .specification = question->specification,
                               .specification_length = strlen(question->specification),
                               .note = question->note,
                               .user = question->analyst[0] ? question->analyst : NULL};
}

/* The accounts as they stand now; if they cannot be had those from before are shown, for the charge is on the disk. */
static void refresh(dpn_question *question) {
    dpn_error unused;
    if (dpn_question_find_account(question, &unused)) return;
}

/* The answer is there, paid by others: the quotas that have not paid do, at the number of their charge. */
static dpn_status pay_quota(dpn_question *question, dpn_error *why) {
    dpn_ledger_charge charge[2];
    dpn_receipt receipt[2];
    size_t charges = 0;
    for (int i = 0; i < 2; i++) {
        if (!question->quota[i].filter || !question->owes[i]) continue;
        charge[charges] = charge_of(question, &question->quota[i]);
        charge[charges++].reuse = question->head.number;
    }
    dpn_status status = dpn_ledger_spend_all(receipt, question->ledger, charge, charges, why);
    if (status) return status;
    question->state = DPN_QUESTION_STORED;
    refresh(question);
    return DPN_OK;
}

static dpn_status pay(dpn_question *question, dpn_error *why) {
    dpn_ledger_charge charge[3] = {charge_of(question, &question->account)};
    dpn_receipt receipt[3];
    dpn_ledger_source data = {
        .text = question->data, .admit = dpn_question_admit, .context = question, .version = question->version};
    size_t charges = 1;
    if ((!question->registered || question->states) && !question->noted) charge[0].source = &data;
    /* An alias is recorded as it was said; a quota beside its data set. */
    if (!question->quota[0].filter) charge[0].name = question->name;
    for (int i = 0; i < 2; i++)
        if (question->quota[i].filter) charge[charges++] = charge_of(question, &question->quota[i]);
    dpn_status status = dpn_ledger_spend_all(receipt, question->ledger, charge, charges, why);
    if (status) return status;
    question->state = DPN_QUESTION_CHARGED;
    question->noted = true;
    question->stored = false;
    question->paid = true;
    question->head = receipt[0].head;
    question->charge = receipt[0].charge;
    question->converted = receipt[0].converted;
    dpn_question_remember(question, question->head.number);
    refresh(question);
    return DPN_OK;
}

dpn_status dpn_question_charge(dpn_question *question, dpn_rng *rng, dpn_error *why) {
    dpn_status status = need_state(question, why);
    if (status || question->state == DPN_QUESTION_STORED) return status;
    if (question->state == DPN_QUESTION_OTHERS) return pay_quota(question, why);
    if (!question->inquiry) {
        const dpn_tally_secret *secret = question->has_secret ? &question->secret : NULL;
        status =
            dpn_tally_new_with(&question->tally, question->query, secret, rng, why); /* what it cannot do is free */
        if (!status) status = dpn_question_limit(question, why);
    }
    if (!status) status = pay(question, why);
    if (!status) return DPN_OK;
    dpn_tally_free(question->tally);
    question->tally = NULL;
    return status;
}

dpn_status dpn_question_check_state(const dpn_question *question, const unsigned char *state, size_t length,
                                    dpn_rng *rng, dpn_error *why) {
    char name[DPN_TALLY_STATE_NAME_SIZE];
    dpn_tally *tally = NULL;
    if (question->inquiry) return dpn_fail(why, DPN_EDOMAIN, "what is asked takes no states");
    dpn_status status =
        dpn_tally_new_with(&tally, question->query, question->has_secret ? &question->secret : NULL, rng, why);
    if (!status) status = dpn_tally_check_state(name, tally, state, length, why);
    dpn_tally_free(tally);
    return status;
}

dpn_tally *dpn_question_tally(dpn_question *question) {
    return question->state == DPN_QUESTION_CHARGED ? question->tally : NULL;
}
