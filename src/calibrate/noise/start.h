/* What the two kinds of start boxes share. */
#ifndef DPN_CALIBRATE_NOISE_START_H
#define DPN_CALIBRATE_NOISE_START_H

#include "calibrate/noise/kind.h"

/* "E)". Errors: DPN_EDOMAIN for an epsilon of 0, besides those of dpn_noise_parse_epsilon. */
dpn_status dpn_start_parse(dpn_block *out, const char *rest, dpn_error *why);

/* The opening of the text, and "E)". */
void dpn_start_print(char text[DPN_BLOCK_TEXT_SIZE], const char *opening, const dpn_block *block, int digits);

double dpn_start_error(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective);

/* The epsilon holds for every move within the sensitivities. */
dpn_noise_cover dpn_start_cover(const dpn_plan *plan, const dpn_block *block);

#endif
