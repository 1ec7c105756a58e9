/* Staircases that end, two of them mixed: the noise of the kinds truncated-staircase and discrete-staircase.
 *
 * A staircase of the end e = n P + f, 0 < f <= P, has the density proportional to exp(-epsilon j) on its shells: shell 0 is |x| < f, shell j is f + (j-1) P <= |x| < f
 * + j P for 1 <= j <= n, and nothing lies beyond. The noise is the staircase of the end `high` with the probability theta, else that of the end `low`.
 *
 * Lengths are whole numbers of cells. On the line a cell is 1/4096 of the sensitivity, P = 4096 of them. On the integers a cell is half a step: noise k stands for |x - 2k|
 * < 1, P is twice the sensitivity in steps, and the end 2E + 1 that of the integers |k| <= E. docs/proofs/calibrate/staircase-pair.md
 */
#ifndef DPN_CALIBRATE_STAIRS_PAIR_H
#define DPN_CALIBRATE_STAIRS_PAIR_H

#include <dpnoise/calibrate.h>

#define DPN_STAIRS_CELLS 4096.0 /* of the line, in a sensitivity */

typedef struct dpn_stairs_one {
    double share;  /* of the mixture; 0: it is not there */
    double first;  /* f, in cells */
    double last;   /* n; +inf: the staircase does not end */
    double end;    /* in cells */
    double height; /* the density at 0, a cell, times the share */
} dpn_stairs_one;

typedef struct dpn_stairs_pair {
    double epsilon, period; /* P */
    double
        unit; /* the sensitivity over P: the length of a cell in units of the answers, for a sensitivity of 1 on the line and of P/2 on the integers */
    bool whole;            /* on the integers */
    dpn_stairs_one one[2]; /* those of the ends low and high; the first may have the share 0 */
} dpn_stairs_pair;

/* The staircase of an end, in cells, alone; +inf with `first` cells for one that does not end. */
dpn_stairs_one dpn_stairs_make(double epsilon, double period, double first, double end);

/* What is wrong with the numbers of a block of either kind; NULL if nothing is. */
const char *dpn_stairs_refuse(const dpn_block *block);

/* The pair of such a block. */
dpn_stairs_pair dpn_stairs_pair_of(const dpn_block *block);

/* The probability of 0 <= a <= x < b, cells, of one of the two, times its share; and its level at x >= 0, -1 beyond its end. */
double dpn_stairs_mass(const dpn_stairs_pair *pair, const dpn_stairs_one *one, double a, double b);
double dpn_stairs_level(const dpn_stairs_pair *pair, const dpn_stairs_one *one, double x);

/* The error of the noise on an answer, in units of the answers for a sensitivity of 1 (on the line) or as it is (on the integers), and the part that one of the two has
 * of it; the half-width is of both alone. */
double dpn_stairs_error(const dpn_stairs_pair *pair, dpn_objective objective);
double dpn_stairs_moment(const dpn_stairs_pair *pair, const dpn_stairs_one *one, dpn_objective objective);

/* ---- losses ---- */

enum { DPN_STAIRS_ATOMS = 64 };
typedef struct dpn_stairs_atom {
    double loss, mass; /* +inf for what only the first distribution has */
    bool exact;        /* the loss is 0, epsilon, -epsilon or infinite, by its definition and not by rounding */
} dpn_stairs_atom;

/* The loss at the shift P, exact but for rounding: losses that are 0, epsilon or -epsilon are so exactly, others off by less than 1e-14 of themselves and 1e-14, masses by
 * less than 1e-13 of themselves. Ascending; a loss may come twice, once exact. Returns their number. */
size_t dpn_stairs_losses(dpn_stairs_atom atom[DPN_STAIRS_ATOMS], const dpn_stairs_pair *pair);

/* The same moved up to larger losses by what rounding may be: a loss that dominates. */
size_t dpn_stairs_losses_upper(dpn_stairs_atom atom[DPN_STAIRS_ATOMS], const dpn_stairs_pair *pair);

/* delta(epsilon) at the shift P, rounded down. */
double dpn_stairs_delta_lower(const dpn_stairs_pair *pair, double epsilon);

#endif
