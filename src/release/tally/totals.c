/* Sums over the rows of a person. */
#include "release/tally/totals.h"

#include "release/tally/step.h"

__extension__ typedef __int128 int128;

#define ONE ((int64_t)1 << DPN_TOTAL_BITS) /* a step of the measure in finer ones */

void dpn_total_read(int64_t out[DPN_TOTAL_NUMBERS], const dpn_measure *measure, const dpn_numeral *value) {
    dpn_measure finer = {.exponent = measure->exponent - DPN_TOTAL_BITS, .lower = -ONE * ONE, .upper = ONE * ONE};
    int64_t steps = dpn_step_nearest(&finer, value), rest = steps & (ONE - 1);
    out[0] = (steps - rest) / ONE;
    out[1] = rest;
}

/* a/b rounded down, b > 0. */
static int128 floor_divide(int128 a, int128 b) {
    return a / b - (a % b < 0);
}

/* The sum is below 2^88 in size, and twice the divisor below 2^64. */
int64_t dpn_total_step(const dpn_measure *measure, dpn_per_person per_person, const int64_t total[DPN_TOTAL_NUMBERS],
                       uint64_t rows) {
    int128 sum = (int128)total[0] * ONE + total[1],
           parts = per_person == DPN_PER_PERSON_MEAN ? (int128)rows * ONE : ONE;
    int128 steps = floor_divide(2 * sum + parts, 2 * parts);
    return steps < measure->lower ? measure->lower : steps > measure->upper ? measure->upper : (int64_t)steps;
}

bool dpn_total_possible(const int64_t total[DPN_TOTAL_NUMBERS], uint64_t rows) {
    int128 most = (int128)rows * ONE;
    return total[0] >= -most && total[0] <= most && total[1] >= 0 && total[1] <= (int128)rows * (ONE - 1);
}
