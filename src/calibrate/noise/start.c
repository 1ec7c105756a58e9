/* What the two kinds of start boxes share. */
#include "calibrate/noise/start.h"

#include "base/error.h"
#include "calibrate/start-law.h"

#include <math.h>
#include <stdio.h>

dpn_status dpn_start_parse(dpn_block *out, const char *rest, dpn_error *why) {
    double epsilon;
    dpn_status status = dpn_noise_parse_epsilon(&epsilon, rest, why);
    if (status) return status;
    if (!(epsilon > 0)) return dpn_fail(why, DPN_EDOMAIN, "the epsilon of a start box must be positive");
    out->epsilon = epsilon;
    return DPN_OK;
}

void dpn_start_print(char text[DPN_BLOCK_TEXT_SIZE], const char *opening, const dpn_block *block, int digits) {
    int used = snprintf(text, DPN_BLOCK_TEXT_SIZE, "%s", opening);
    dpn_noise_print_epsilon(text + used, DPN_BLOCK_TEXT_SIZE - (size_t)used, block->epsilon, digits);
}

double dpn_start_error(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective) {
    if (!block->start_law) return NAN;
    double side = plan->sensitivity[block->coordinate[place]];
    double unit = dpn_start_law_error(block->start_law, block->start[place], objective);
    return unit * (objective == DPN_OBJECTIVE_MSE ? side * side : side);
}

dpn_noise_cover dpn_start_cover(const dpn_plan *plan, const dpn_block *block) {
    (void)plan;
    (void)block;
    return DPN_COVERS_BOX;
}
