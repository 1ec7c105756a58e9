/* A progress bar on standard error for work that turns out to be long. It appears after two seconds, on a terminal
 * only, and leaves no trace. */
#ifndef DPNOISE_CLI_KIT_PROGRESS_H
#define DPNOISE_CLI_KIT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    const char *what;
    size_t done, total;
    bool terminal, shown;
    unsigned turns;      /* of the sign that something happens */
    double start, drawn; /* when, in seconds */
};

struct progress progress_start(const char *what, size_t total);

/* One more of the total is done; or this share of it, 0 to 1, NaN if that is not known. */
void progress_step(struct progress *progress);
void progress_share(struct progress *progress, double share);

/* So many seconds have passed, and nobody knows how many will. */
void progress_seconds(struct progress *progress);

/* The same for N rows, whose number is told: to the curator of the data alone. */
void progress_rows(struct progress *progress, double share, uint64_t rows);
void progress_end(struct progress *progress);

#endif
