/* The answer, once; and failures after the charge, which all look alike. */
#include "question/question.h"

#include "base/error.h"

#include <dpnoise/answer.h>
#include <stdlib.h>
#include <string.h>

const char *dpn_question_failure(void) {
    return "the question could not be answered; its charge stands, and the reason is for the curator of the data alone";
}

/* The reason may tell of the data, so that it goes no further than the handle. */
dpn_status dpn_question_fail(dpn_question *question, const dpn_error *reason, dpn_error *why) {
    if (question->state != DPN_QUESTION_CHARGED)
        return dpn_fail(why, DPN_EDOMAIN, "the question was not charged, or has its answer");
    question->reason = reason ? *reason : (dpn_error){DPN_EIO, "nobody said why"};
    question->state = DPN_QUESTION_FAILED;
    dpn_tally_free(question->tally);
    question->tally = NULL;
    return dpn_fail(why, DPN_EIO, "%s", dpn_question_failure());
}

const char *dpn_question_reason(const dpn_question *question) {
    return question->state == DPN_QUESTION_FAILED ? question->reason.sentence : "";
}

/* The answer, as text and read again before it is stored, so that nothing can fail after the commit. */
static dpn_status draw(dpn_answer **kept, char **text, size_t *length, dpn_question *question, dpn_rng *rng,
                       dpn_error *why) {
    dpn_answer *drawn = NULL;
    const dpn_inquiry *inquiry = question->inquiry;
    if (inquiry) return inquiry->answer(text, length, inquiry->context, rng, why);
    dpn_status status = dpn_query_answer(&drawn, question->query, question->tally, rng, why);
    if (!status) status = dpn_question_write_answer(text, length, drawn, question->query, why);
    dpn_answer_free(drawn);
    return status ? status : dpn_answer_read(kept, *text, *length, why);
}

/* Draw and store. The commit that stores it is what makes it the answer: the ledger takes one for each charge, whoever comes
 * first. */
static dpn_status settle(dpn_question *question, dpn_rng *rng, dpn_error *why) {
    dpn_answer *kept = NULL;
    char *text = NULL;
    size_t length = 0;
    dpn_status status = draw(&kept, &text, &length, question, rng, why);
    if (!status) status = dpn_ledger_store_result(question->ledger, question->head.number, text, length, why);
    if (status || !question->inquiry) {
        free(text);
        text = NULL;
    }
    if (status) {
        dpn_answer_free(kept);
        return status;
    }
    question->answer = kept;
    question->result = text;
    return DPN_OK;
}

static dpn_status answer_once(dpn_question *question, dpn_rng *rng, dpn_error *why) {
    dpn_error reason = {DPN_OK, ""};
    if (question->state == DPN_QUESTION_FAILED) return dpn_fail(why, DPN_EIO, "%s", dpn_question_failure());
    if (question->state == DPN_QUESTION_ASKED || question->state == DPN_QUESTION_OTHERS)
        return dpn_fail(why, DPN_EDOMAIN, "the question is to be charged before it is answered");
    if (question->state == DPN_QUESTION_CHARGED) {
        if (settle(question, rng, &reason)) return dpn_question_fail(question, &reason, why);
        dpn_tally_free(question->tally);
        question->tally = NULL;
        question->state = DPN_QUESTION_ANSWERED;
    }
    return DPN_OK;
}

dpn_status dpn_question_answer(const dpn_answer **out, dpn_question *question, dpn_rng *rng, dpn_error *why) {
    if (question->inquiry) return dpn_fail(why, DPN_EDOMAIN, "an inquiry has a result, not an answer");
    dpn_status status = answer_once(question, rng, why);
    if (!status) *out = question->answer;
    return status;
}

dpn_status dpn_question_result(const char **text, dpn_question *question, dpn_rng *rng, dpn_error *why) {
    if (!question->inquiry) return dpn_fail(why, DPN_EDOMAIN, "statistics have an answer, not a result");
    dpn_status status = answer_once(question, rng, why);
    if (!status) *text = question->result;
    return status;
}
