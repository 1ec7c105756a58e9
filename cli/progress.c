/* A progress bar on standard error. */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double patience = 2, redraw = 0.1; /* seconds */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct progress progress_start(const char *what, size_t total) {
    return (struct progress){.what = what, .total = total, .terminal = isatty(STDERR_FILENO), .start = now()};
}

void progress_step(struct progress *progress) {
    progress->done++;
    progress_share(progress, (double)progress->done / (double)progress->total);
}

void progress_share(struct progress *progress, double share) {
    enum { WIDTH = 40 };
    double time = now();
    if (!progress->terminal || time - progress->start < patience || time - progress->drawn < redraw) return;
    progress->drawn = time;
    progress->shown = true;
    share = share > 1 ? 1 : share > 0.001 ? share : 0.001;
    int filled = (int)(WIDTH * share);
    double left = (time - progress->start) * (1 / share - 1);
    fprintf(stderr, "\r%s [%.*s%*s] %3.0f%%, %.0f s left \033[K", progress->what, filled,
            "########################################", WIDTH - filled, "", 100 * share, left);
    fflush(stderr);
}

void progress_end(struct progress *progress) {
    if (progress->shown) fputs("\r\033[K", stderr);
    progress->shown = false;
}
