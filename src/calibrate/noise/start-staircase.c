/* Joint noise of a density proportional to exp(-epsilon ceil t), t the distance to a box of half-sides c_i, everything in units
 * of the sensitivities. docs/proofs/calibrate/start-box.md */
#include "calibrate/noise/start.h"

#define OPENING "start-staircase(epsilon="

static void print(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits) {
    dpn_start_print(text, OPENING, block, digits);
}

const struct dpn_noise_kind dpn_noise_start_staircase = {
    .name = "start-staircase",
    .opening = OPENING,
    .parse = dpn_start_parse,
    .print = print,
    .error = dpn_start_error,
    .cover = dpn_start_cover,
    .check = dpn_noise_check_epsilon,
    .add_losses = dpn_noise_add_pure, /* its loss is epsilon, 0 or -epsilon */
    .exact = dpn_noise_is_never_exact,
};
