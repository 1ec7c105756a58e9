/* The conditions of papers in `dpnoise profile --condition`. */
#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/json.h"
#include "profile/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_condition(const char *name, const char *sentence) {
    char label[32];
    snprintf(label, sizeof label, "%-14s  ", name);
    fact_print(stdout, label, "%s", sentence);
}

void condition_list(bool json) {
    if (!json) {
        for (size_t i = 0; i < dpn_condition_count(); i++)
            print_condition(dpn_condition_name(i), dpn_condition_describe(i));
        return;
    }
    struct json object = json_begin(stdout);
    json_open_array(&object, "conditions");
    for (size_t i = 0; i < dpn_condition_count(); i++) {
        json_open_object(&object, NULL);
        json_string(&object, "condition", dpn_condition_name(i));
        json_string(&object, "description", dpn_condition_describe(i));
        json_close_object(&object);
    }
    json_close_array(&object);
    json_end(&object);
}

dpn_status condition_check(const struct question *question, dpn_error *why) {
    if (!question->condition) return DPN_OK;
    const struct plan_file *plan = &question->mechanisms.plan;
    if (!question->mechanisms.laws && !plan->given)
        return refuse(why, DPN_EPARSE, "--condition is about a LAW or a plan and its set, not about a composition");
    if (plan->given && plan->times > 1)
        return refuse(why, DPN_EUNSUPPORTED, "--condition is about one release, not about %" PRIu64 " of them",
                      plan->times);
    if (question->of_delta || !question->asked.nearest.count)
        return refuse(why, DPN_EPARSE, "--condition gives delta for an epsilon: give --epsilon");
    for (size_t i = 0; i < dpn_condition_count(); i++)
        if (!strcmp(dpn_condition_name(i), question->condition)) return DPN_OK;
    return refuse(why, DPN_EPARSE, "no condition is called '%.40s'; --condition list prints their names",
                  question->condition);
}
