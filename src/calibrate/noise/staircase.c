/* What the two kinds of staircases that end share. */
#include "calibrate/noise/staircase.h"

#include "base/error.h"
#include "calibrate/set-norm.h"
#include "calibrate/stairs-pair.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

dpn_status dpn_staircase_numbers(double *out, const char *rest, const char *const *name, size_t names, const char *form,
                                 dpn_error *why) {
    char words[DPN_NUMBER_SIZE + 64];
    for (size_t i = 0; i < names; i++) {
        size_t length = i == 0 ? 0 : strlen(name[i]);
        if (i > 0 && (strncmp(rest, name[i], length) != 0 || rest[length] != '='))
            return dpn_fail(why, DPN_EPARSE, "%s is expected", form);
        if (i > 0) rest += length + 1;
        size_t end = strcspn(rest, ",)");
        char closing = i + 1 < names ? ',' : ')';
        if (end >= sizeof words || rest[end] != closing) return dpn_fail(why, DPN_EPARSE, "%s is expected", form);
        memcpy(words, rest, end);
        words[end] = '\0';
        dpn_status status = dpn_number_parse(&out[i], words, why);
        if (status) return status;
        rest += end + 1;
    }
    return *rest ? dpn_fail(why, DPN_EPARSE, "%s is expected", form) : DPN_OK;
}

void dpn_staircase_print(char text[DPN_BLOCK_TEXT_SIZE], const char *opening, const double *number,
                         const char *const *name, size_t names, int digits) {
    char words[DPN_NUMBER_SIZE];
    size_t used = (size_t)snprintf(text, DPN_BLOCK_TEXT_SIZE, "%s", opening);
    for (size_t i = 0; i < names; i++) {
        if (digits > 0)
            snprintf(words, sizeof words, "%.*g", digits, number[i]);
        else
            dpn_number_print(words, number[i]);
        used += (size_t)snprintf(text + used, DPN_BLOCK_TEXT_SIZE - used, "%s%s%s%s%s", i ? "," : "", i ? name[i] : "",
                                 i ? "=" : "", words, i + 1 < names ? "" : ")");
    }
}

/* ---- error and losses ---- */

double dpn_staircase_error(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective) {
    dpn_stairs_pair pair = dpn_stairs_pair_of(block);
    double unit = dpn_stairs_error(&pair, objective), side = plan->sensitivity[block->coordinate[place]];
    if (pair.whole) return unit;
    return unit * (objective == DPN_OBJECTIVE_MSE ? side * side : side);
}

dpn_noise_cover dpn_staircase_cover(const dpn_plan *plan, const dpn_block *block) {
    (void)plan;
    (void)block;
    return DPN_COVERS_BOX;
}

bool dpn_staircase_ends(const dpn_block *block) {
    return isfinite(block->high);
}

/* How many coordinates of the block move at once. */
static uint64_t movers(const dpn_block *block, const dpn_sensitivity *set) {
    uint64_t moving = 0;
    for (size_t i = 0; i < block->count; i++) moving += dpn_set_reach(set, block->coordinate[i]) > 0;
    return set->max_changed > 0 && set->max_changed < moving ? set->max_changed : moving;
}

dpn_status dpn_staircase_add_losses(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set,
                                    uint64_t times, bool merged, dpn_error *why) {
    (void)merged;
    dpn_stairs_pair pair = dpn_stairs_pair_of(block);
    dpn_stairs_atom atom[DPN_STAIRS_ATOMS];
    dpn_loss loss;
    uint64_t moving = movers(block, set);
    if (moving == 0) return DPN_OK;
    if (isinf(pair.one[1].end) && moves->plain) {
        dpn_status status = dpn_loss_pure(&loss, block->epsilon, why);
        return status ? status : dpn_moves_add(moves, &loss, times * moving, why);
    }
    size_t count = dpn_stairs_losses_upper(atom, &pair);
    double *numbers = malloc(2 * count * sizeof *numbers);
    if (!numbers) return dpn_fail(why, DPN_ENOMEM, "no memory for the losses of a staircase");
    for (size_t i = 0; i < count; i++) {
        numbers[i] = atom[i].loss;
        numbers[count + i] = atom[i].mass;
    }
    dpn_status status = dpn_moves_keep(moves, numbers, why);
    if (!status) status = dpn_loss_explicit(&loss, numbers, numbers + count, count, why);
    return status ? status : dpn_moves_add(moves, &loss, times * moving, why);
}

double dpn_staircase_delta_lower(const dpn_plan_view *view, const dpn_block *block, double epsilon) {
    dpn_stairs_pair pair = dpn_stairs_pair_of(block);
    for (size_t i = 0; i < block->count; i++) {
        size_t at = block->coordinate[i];
        double full = pair.whole ? block->step : view->plan->sensitivity[at];
        if (dpn_set_reach(view->set, at) == full && !view->set->vertices) /* it may move alone */
            return dpn_stairs_delta_lower(&pair, epsilon);
    }
    return 0;
}
