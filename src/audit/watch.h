/* What is watched in the answers of whole releases: numbers that an answer has, and a score of them that tells two tables apart.
 * It is learned from some answers, the pilot; events are then fixed, and counted in other answers. */
#ifndef DPN_AUDIT_WATCH_H
#define DPN_AUDIT_WATCH_H

#include <dpnoise/statistics.h>

#include "audit/tables.h"

enum { DPN_WATCH_SCORES = 32, DPN_WATCH_EVENTS = DPN_WATCH_SCORES + 2, DPN_WATCH_CUTS = 24, DPN_WATCH_FEATURES = 250 };

/* One number of an answer, cut into bins, and what each bin says of the table. */
typedef struct dpn_watched {
    bool used;
    size_t cuts;
    double cut[DPN_WATCH_CUTS];      /* ascending: a value is in the bin of how many it reaches */
    double says[DPN_WATCH_CUTS + 1]; /* log of how much likelier the bin is under the second table */
} dpn_watched;

typedef struct dpn_watch {
    size_t features;
    dpn_watched *feature;
    size_t own; /* a feature that is an event of its own where it is above 0 */
    double threshold[DPN_WATCH_SCORES];
} dpn_watch;

/* How many numbers of an answer are watched, and these numbers, in `out`: whether there is an answer at all (NULL: there is none), how
 * many groups it has, and of each tracked group whether it is shown, values and intervals. */
size_t dpn_watch_features(const dpn_audit_tables *tables);
size_t dpn_watch_own(const dpn_audit_tables *tables); /* which of them tells whether the last tracked key is shown */
void dpn_watch_look(double *out, const dpn_audit_tables *tables, const dpn_answer *answer);

/* Learn from `pilot` answers of either table, features one after the other, the first of them being whether there is an answer. Free with dpn_watch_free, also after an error.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_watch_learn(dpn_watch *out, size_t features, size_t own, const double *first, const double *second,
                           size_t pilot, dpn_error *why);
void dpn_watch_free(dpn_watch *watch);

/* Count the events that an answer is in. */
void dpn_watch_count(uint64_t count[DPN_WATCH_EVENTS], const dpn_watch *watch, const double *feature);

#endif
