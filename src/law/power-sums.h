/* Sums of weights with powers of their index, the moments of a lattice law before it is normalised. */
#ifndef DPN_LAW_POWER_SUMS_H
#define DPN_LAW_POWER_SUMS_H

/* sum w_j, sum j w_j and sum j^2 w_j. */
typedef struct dpn_power_sums {
    double zeroth, first, second;
} dpn_power_sums;

/* The same with j + shift in the place of j; no term is negative. */
static inline dpn_power_sums dpn_power_shift(dpn_power_sums s, double shift) {
    return (dpn_power_sums){
        s.zeroth,
        shift * s.zeroth + s.first,
        shift * (shift * s.zeroth + 2 * s.first) + s.second,
    };
}

#endif
