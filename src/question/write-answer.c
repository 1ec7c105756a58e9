/* An answer as the text that a ledger keeps. Of keys that are not declared there may be more, and longer ones, than it takes: what the
 * data hold must not make a question fail that was charged, so that groups are left out. Which ones follows from the noisy
 * answer alone, which says all that they are: it tells nothing more of the data. */
#include "question/question.h"

#include "base/text/json.h"
#include "ledger/ledger.h"

#include <dpnoise/answer.h>
#include <stdlib.h>
#include <string.h>

/* Values in the JSON of an answer: of all groups together, the names of members among them, and of each. */
static size_t common_values(const dpn_answer *answer) {
    return 7 + answer->outputs;
}

static size_t group_values(const dpn_answer *answer) {
    return 5 + answer->bys + 7 * answer->outputs;
}

static bool fits(const dpn_answer *answer, const char *text, size_t length) {
    return dpn_result_size(text, length) <= DPN_RESULT_MOST &&
           answer->groups <= (DPN_JSON_VALUES - common_values(answer)) / group_values(answer);
}

/* The size of an answer with one of the groups alone, or with none. */
static dpn_status measure(size_t *size, const dpn_answer *answer, size_t group, size_t groups, dpn_error *why) {
    dpn_answer alone = *answer;
    char *text = NULL;
    size_t length = 0;
    alone.groups = groups;
    alone.key = answer->key + group * answer->bys;
    alone.cell = answer->cell + group * answer->outputs;
    dpn_status status = dpn_answer_write(&text, &length, &alone, why);
    if (!status) *size = dpn_result_size(text, length);
    free(text);
    return status;
}

/* In the order of the answer, each group that fits beside those before it stays. */
static dpn_status leave_out_groups(dpn_answer *answer, dpn_error *why) {
    enum { COMMA = 2 };
    size_t none = 0, used, kept = 0, most = (DPN_JSON_VALUES - common_values(answer)) / group_values(answer);
    dpn_status status = measure(&none, answer, 0, 0, why);
    if (status) return status;
    used = none;
    for (size_t i = 0; i < answer->groups; i++) {
        char **key = answer->key + i * answer->bys, **to = answer->key + kept * answer->bys;
        size_t with = 0;
        if (!status) status = measure(&with, answer, i, 1, why);
        bool keep = !status && kept < most && used + COMMA + with - none <= DPN_RESULT_MOST;
        for (size_t j = 0; j < answer->bys; j++) {
            char *text = key[j];
            key[j] = NULL;
            if (keep)
                to[j] = text;
            else
                free(text);
        }
        if (!keep) continue;
        memmove(answer->cell + kept * answer->outputs, answer->cell + i * answer->outputs,
                answer->outputs * sizeof *answer->cell);
        used += COMMA + with - none;
        kept++;
    }
    answer->groups = kept;
    return status;
}

dpn_status dpn_question_write_answer(char **text, size_t *length, dpn_answer *answer, const dpn_query *query,
                                     dpn_error *why) {
    dpn_status status = dpn_answer_write(text, length, answer, why);
    if (status || dpn_query_groups(query) > 0 || fits(answer, *text, *length)) return status;
    free(*text);
    *text = NULL;
    status = leave_out_groups(answer, why);
    return status ? status : dpn_answer_write(text, length, answer, why);
}
