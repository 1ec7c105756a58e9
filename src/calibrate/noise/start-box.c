/* Joint noise of a density proportional to exp(-epsilon t), t the distance to a box of half-sides c_i, everything in units of
 * the sensitivities. docs/proofs/calibrate/start-box.md */
#include "calibrate/noise/start.h"

#include "calibrate/start-profile.h"

#define OPENING "start-box(epsilon="

static void print(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits) {
    dpn_start_print(text, OPENING, block, digits);
}

/* No profile is above that of Laplace noise; where it is far enough below, it is the list of its points. */
static dpn_status add_losses(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                             bool merged, dpn_error *why) {
    (void)set;
    (void)merged;
    dpn_loss loss;
    double *numbers = NULL;
    size_t count;
    dpn_status status = moves->plain ? DPN_OK : dpn_start_loss(&numbers, &count, block, why);
    if (!status && numbers) {
        status = dpn_moves_keep(moves, numbers, why);
        if (!status) status = dpn_loss_explicit(&loss, numbers, numbers + count, count, why);
    } else if (!status) {
        status = dpn_loss_block(&loss, block->epsilon, why);
    }
    return status ? status : dpn_moves_add(moves, &loss, times, why);
}

const struct dpn_noise_kind dpn_noise_start_box = {
    .name = "start-box",
    .opening = OPENING,
    .parse = dpn_start_parse,
    .print = print,
    .error = dpn_start_error,
    .cover = dpn_start_cover,
    .check = dpn_noise_check_epsilon,
    .add_losses = add_losses,
    .exact = dpn_noise_is_never_exact,
};
