/* Independent noise of one law on each coordinate of a block. */
#include "calibrate/noise/kind.h"

#include "base/error.h"
#include "calibrate/problem.h"
#include "calibrate/set-norm.h"

#include <math.h>
#include <stdlib.h>

static void print(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits) {
    (void)digits;
    dpn_law_print(text, &block->law);
}

static dpn_status parse(dpn_block *out, const char *rest, dpn_error *why) {
    return dpn_law_parse(&out->law, rest, why);
}

static double error(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective) {
    (void)plan;
    (void)place;
    return dpn_law_error(&block->law, objective);
}

static dpn_status check(const dpn_plan_view *view, const dpn_block *block, dpn_error *why) {
    for (size_t i = 0; i < block->count; i++)
        if (isinf(dpn_set_reach(view->set, block->coordinate[i])))
            return dpn_fail(why, DPN_EDOMAIN,
                            "the sensitivity is unbounded: give sensitivities, l1, l2, linf or vertices");
    return DPN_OK;
}

static int larger_first(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

/* Coordinates of equal bounds are one part; all at the largest bound if merged. */
static dpn_status add_losses(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                             bool merged, dpn_error *why) {
    double *bound = malloc(block->count * sizeof *bound);
    if (!bound) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", block->count);
    for (size_t i = 0; i < block->count; i++) {
        bound[i] = dpn_set_reach(set, block->coordinate[i]);
        if (dpn_law_is_integer(&block->law)) bound[i] = floor(bound[i]);
    }
    qsort(bound, block->count, sizeof *bound, larger_first);
    dpn_status status = DPN_OK;
    for (size_t i = 0, end = 0; i < block->count && bound[i] > 0 && !status; i = end) {
        end = i + 1;
        while (end < block->count && (merged ? bound[end] > 0 : bound[end] == bound[i])) end++;
        if (bound[i] != bound[end - 1]) moves->upper_only = true;
        dpn_loss loss;
        status = dpn_loss_law(&loss, &block->law, bound[i], why);
        if (!status) status = dpn_moves_add(moves, &loss, times * (end - i), why);
    }
    free(bound);
    return status;
}

const struct dpn_noise_kind dpn_noise_law = {
    .name = "law",
    .has_law = true,
    .parse = parse,
    .print = print,
    .error = error,
    .check = check,
    .add_losses = add_losses,
};
