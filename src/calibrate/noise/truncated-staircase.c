/* Independent noise on each coordinate: one of two staircases that end, in units of the sensitivities. docs/proofs/calibrate/staircase-pair.md */
#include "calibrate/noise/staircase.h"

#include "base/error.h"
#include "calibrate/stairs-pair.h"

#define OPENING "truncated-staircase(epsilon="

static const char *const names[] = {"epsilon", "low", "high", "theta"};

static void print(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits) {
    const double number[] = {block->epsilon, block->low, block->high, block->theta};
    dpn_staircase_print(text, OPENING, number, names, 4, digits);
}

static dpn_status parse(dpn_block *out, const char *rest, dpn_error *why) {
    double number[4];
    dpn_status status =
        dpn_staircase_numbers(number, rest, names, 4, "truncated-staircase(epsilon=E,low=A,high=B,theta=T)", why);
    if (status) return status;
    dpn_block made = *out;
    made.epsilon = number[0];
    made.low = number[1];
    made.high = number[2];
    made.theta = number[3];
    const char *reason = dpn_stairs_refuse(&made);
    if (reason) return dpn_fail(why, DPN_EDOMAIN, "%s", reason);
    *out = made;
    return DPN_OK;
}

const struct dpn_noise_kind dpn_noise_truncated_staircase = {
    .name = "truncated-staircase",
    .opening = OPENING,
    .parse = parse,
    .print = print,
    .error = dpn_staircase_error,
    .cover = dpn_staircase_cover,
    .check = dpn_noise_check_epsilon,
    .add_losses = dpn_staircase_add_losses,
    .exact = dpn_noise_is_never_exact,
    .delta_lower = dpn_staircase_delta_lower,
    .bounded = dpn_staircase_ends,
};
