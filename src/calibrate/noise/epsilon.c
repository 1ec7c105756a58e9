/* What the kinds of noise share that are known by an epsilon. */
#include "calibrate/noise/kind.h"

#include "base/digits.h"
#include "base/error.h"
#include "calibrate/plan.h"
#include "calibrate/set-norm.h"

#include <dpnoise/number.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 4096 }; /* of the texts that are read */

dpn_status dpn_noise_parse_epsilon(double *out, const char *rest, dpn_error *why) {
    char text[LONGEST];
    size_t length = strlen(rest);
    double epsilon;
    if (length == 0 || length > sizeof text || rest[length - 1] != ')')
        return dpn_fail(why, DPN_EPARSE, "epsilon=E) is expected");
    memcpy(text, rest, length - 1);
    text[length - 1] = '\0';
    dpn_status status = dpn_number_parse_up(&epsilon, text, why);
    if (status) return status;
    if (!(epsilon >= 0)) return dpn_fail(why, DPN_EDOMAIN, "epsilon must not be negative");
    *out = epsilon;
    return DPN_OK;
}

/* A decimal whose smallest double not below it is x. */
static void print_exactly(char words[DPN_EXPANSION_SIZE], double x) {
    double read;
    for (int digits = 1; digits <= 40; digits++) {
        snprintf(words, DPN_EXPANSION_SIZE, "%.*g", digits, x);
        if (!dpn_number_parse_up(&read, words, NULL) && read == x) return;
    }
    dpn_number_expand(words, x);
}

void dpn_noise_print_epsilon(char *text, size_t size, double epsilon, int digits) {
    char words[DPN_EXPANSION_SIZE];
    if (digits > 0)
        dpn_number_print_up(words, epsilon, digits);
    else
        print_exactly(words, epsilon);
    snprintf(text, size, "%s)", words);
}

dpn_status dpn_noise_check_epsilon(const dpn_plan_view *view, const dpn_block *block, dpn_error *why) {
    const dpn_plan *plan = view->plan;
    dpn_sensitivity own = {.dimension = plan->dimension,
                           .max_changed = plan->max_changed,
                           .l1 = plan->l1,
                           .l2 = plan->l2,
                           .vertices = plan->vertices};
    if (!view->boxes && (!dpn_plan_box(view->set) || !dpn_plan_box(&own)))
        return dpn_fail(why, DPN_EUNSUPPORTED, "blocks without a law are certified on boxes only");
    for (size_t i = 0; i < block->count; i++) {
        size_t c = block->coordinate[i];
        if (dpn_set_reach(view->set, c) > plan->sensitivity[c]) /* false where that is not known */
            return dpn_fail(why, DPN_EDOMAIN,
                            "coordinate %zu moves further than the plan says, whose epsilon would not hold", c);
    }
    return DPN_OK;
}

dpn_status dpn_noise_add_pure(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                              bool merged, dpn_error *why) {
    (void)set;
    (void)merged;
    dpn_loss loss;
    dpn_status status = dpn_loss_pure(&loss, block->epsilon, why);
    return status ? status : dpn_moves_add(moves, &loss, times, why);
}

bool dpn_noise_is_never_exact(const dpn_plan_view *view, const dpn_block *block) {
    (void)view;
    (void)block;
    return false;
}
