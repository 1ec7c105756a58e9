/* Another mechanism, of which nothing is known but that it is epsilon-private. */
#include "calibrate/noise/kind.h"

#include "base/error.h"

#include <stdio.h>

static void print(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits) {
    int used = snprintf(text, DPN_BLOCK_TEXT_SIZE, "pure(epsilon=");
    dpn_noise_print_epsilon(text + used, DPN_BLOCK_TEXT_SIZE - (size_t)used, block->epsilon, digits);
}

static dpn_status parse(dpn_block *out, const char *rest, dpn_error *why) {
    return dpn_noise_parse_epsilon(&out->epsilon, rest, why);
}

/* No mechanism of this epsilon has a larger profile or divergence than randomised response. */
static dpn_status add_losses(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                             bool merged, dpn_error *why) {
    (void)set;
    (void)merged;
    dpn_loss loss;
    dpn_status status = dpn_loss_pure(&loss, block->epsilon, why);
    return status ? status : dpn_moves_add(moves, &loss, times, why);
}

static bool exact(const dpn_plan_view *view, const dpn_block *block) {
    (void)view;
    (void)block;
    return false;
}

const struct dpn_noise_kind dpn_noise_pure = {
    .name = "pure",
    .opening = "pure(epsilon=",
    .parse = parse,
    .print = print,
    .check = dpn_noise_check_epsilon,
    .add_losses = add_losses,
    .exact = exact,
};
