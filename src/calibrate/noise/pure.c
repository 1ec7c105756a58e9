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

const struct dpn_noise_kind dpn_noise_pure = {
    .name = "pure",
    .opening = "pure(epsilon=",
    .parse = parse,
    .print = print,
    .check = dpn_noise_check_epsilon,
    .add_losses = dpn_noise_add_pure,
    .exact = dpn_noise_is_never_exact,
};
