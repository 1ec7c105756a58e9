/* Independent noise on the integers on each coordinate: a staircase, or one of two that end. docs/proofs/calibrate/staircase-pair.md */
#include "calibrate/noise/staircase.h"

#include "base/error.h"
#include "calibrate/stairs-pair.h"

#include <math.h>
#include <string.h>

#define OPENING "discrete-staircase(epsilon="

static const char *const names[] = {"epsilon", "step", "low", "high", "theta"};
static const char *const endless[] = {"epsilon", "step", "start"};

static void print(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits) {
    const double number[] = {block->epsilon, block->step, block->low, block->high, block->theta};
    bool ends = isfinite(block->high);
    dpn_staircase_print(text, OPENING, number, ends ? names : endless, ends ? 5 : 3, digits);
}

static dpn_status parse(dpn_block *out, const char *rest, dpn_error *why) {
    double number[5] = {0, 0, 0, INFINITY, 1};
    bool ends = !strstr(rest, ",start=");
    dpn_status status = dpn_staircase_numbers(number, rest, ends ? names : endless, ends ? 5 : 3,
                                              "discrete-staircase(epsilon=E,step=D,start=C) or "
                                              "discrete-staircase(epsilon=E,step=D,low=A,high=B,theta=T)",
                                              why);
    if (status) return status;
    dpn_block made = *out;
    made.epsilon = number[0];
    made.step = number[1];
    made.low = number[2];
    made.high = number[3];
    made.theta = number[4];
    const char *reason = dpn_stairs_refuse(&made);
    if (reason) return dpn_fail(why, DPN_EDOMAIN, "%s", reason);
    *out = made;
    return DPN_OK;
}

static dpn_status check(const dpn_plan_view *view, const dpn_block *block, dpn_error *why) {
    for (size_t i = 0; i < block->count; i++)
        if (view->plan->sensitivity[block->coordinate[i]] > block->step)
            return dpn_fail(why, DPN_EDOMAIN, "coordinate %zu moves further than the step of its staircase",
                            block->coordinate[i]);
    return dpn_noise_check_epsilon(view, block, why);
}

const struct dpn_noise_kind dpn_noise_discrete_staircase = {
    .name = "discrete-staircase",
    .integer = true,
    .opening = OPENING,
    .parse = parse,
    .print = print,
    .error = dpn_staircase_error,
    .cover = dpn_staircase_cover,
    .check = check,
    .add_losses = dpn_staircase_add_losses,
    .exact = dpn_noise_is_never_exact,
    .delta_lower = dpn_staircase_delta_lower,
    .bounded = dpn_staircase_ends,
};
