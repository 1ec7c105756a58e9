/* Conditions that are the profile of one answer (docs/proofs/privacy/conditions.md, section 1). */
#include "base/error.h"
#include "privacy/condition/condition.h"

dpn_status dpn_condition_one_answer(dpn_conditioned *out, const dpn_condition_question *question, dpn_error *why) {
    dpn_delta delta;
    if (question->norms.changed > 1)
        return dpn_fail(why, DPN_EUNSUPPORTED, "%s is about one answer, not %.0f that may move", question->name,
                        question->norms.changed);
    dpn_status status = dpn_profile_delta(&delta, question->law, question->norms.linf, question->epsilon, why);
    if (!status) *out = (dpn_conditioned){.log_delta = delta.log_upper, .exact = true};
    return status;
}
