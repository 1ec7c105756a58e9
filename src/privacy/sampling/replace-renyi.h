/* Renyi divergences of the profile of replaced.h, from above: what is left to say of many steps where the FFT does not serve. */
#ifndef DPN_PRIVACY_REPLACE_RENYI_H
#define DPN_PRIVACY_REPLACE_RENYI_H

#include "privacy/sampling/replaced.h"

enum { DPN_REPLACE_NODES = 2500 };

/* Upper bounds of log D at points log x, from x = 1 to where what remains counts as infinite loss. */
typedef struct dpn_replace_table {
    double nu[DPN_REPLACE_NODES], log_d[DPN_REPLACE_NODES];
    double times;
} dpn_replace_table;

/* Errors   those of the profile. */
dpn_status dpn_replace_table_make(dpn_replace_table *out, const dpn_replaced *replaced, double times, dpn_error *why);

/* An upper bound of log E e^(theta L), L finite, theta > 0, of one step. */
double dpn_replace_cumulant(const dpn_replace_table *table, double theta);

/* The least Chernoff bound over theta for all tables together: log delta(epsilon) <= the result, epsilon > 0. */
double dpn_replace_chernoff(const dpn_replace_table *table, size_t tables, double epsilon);

#endif
