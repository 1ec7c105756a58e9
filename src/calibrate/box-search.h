/* The random box with the least error for a guarantee: alpha, and c_i and beta_i as functions of the sensitivities. A search by
 * estimates: any result is private to the extent that its profile is certified. docs/proofs/privacy/random-box.md */
#ifndef DPN_CALIBRATE_BOX_SEARCH_H
#define DPN_CALIBRATE_BOX_SEARCH_H

#include <dpnoise/status.h>
#include <stddef.h>

/* Coordinates with the same c and beta; key is the sum of their weights times squared sensitivities. */
typedef struct dpn_box_cluster {
    double log_ratio; /* log of the largest sensitivity over theirs */
    double key, times;
    double c, beta; /* what is found */
} dpn_box_cluster;

enum { DPN_BOX_CLUSTERS = 8, DPN_BOX_FINE = 24 };

/* Search with few clusters, and fill in c and beta of more of them, of the same coordinates, and *alpha. Errors: DPN_EACCURACY if
 * nothing is found. */
dpn_status dpn_box_search(double *alpha, dpn_box_cluster *cluster, size_t clusters, dpn_box_cluster *fine, size_t fines,
                          double epsilon, double delta, double times, dpn_error *why);

#endif
