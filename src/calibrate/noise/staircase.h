/* What the two kinds of staircases that end share. */
#ifndef DPN_CALIBRATE_NOISE_STAIRCASE_H
#define DPN_CALIBRATE_NOISE_STAIRCASE_H

#include "calibrate/noise/kind.h"

/* The error in the unit of the answers; that of the line grows with the sensitivity. */
double dpn_staircase_error(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective);

/* The loss holds for every move within the sensitivities. */
dpn_noise_cover dpn_staircase_cover(const dpn_plan *plan, const dpn_block *block);

/* One loss for each coordinate that moves at once with others. */
dpn_status dpn_staircase_add_losses(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set,
                                    uint64_t times, bool merged, dpn_error *why);

/* One release in which one coordinate moves by its sensitivity loses as much; several lose no less. */
double dpn_staircase_delta_lower(const dpn_plan_view *view, const dpn_block *block, double epsilon);

/* Whether the noise ends. */
bool dpn_staircase_ends(const dpn_block *block);

/* "A,NAME=B,...)" into numbers, as many as there are names; the first name is that of the opening. The sentence of an error is `form`. */
dpn_status dpn_staircase_numbers(double *out, const char *rest, const char *const *name, size_t names, const char *form,
                                 dpn_error *why);

/* The numbers in that form. */
void dpn_staircase_print(char text[DPN_BLOCK_TEXT_SIZE], const char *opening, const double *number,
                         const char *const *name, size_t names, int digits);

#endif
