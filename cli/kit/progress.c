/* A progress bar on standard error. */
#define _POSIX_C_SOURCE 200809L
#include "kit/progress.h"

#include <math.h>
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

/* Whether it is time to draw again. */
static bool due(struct progress *progress, double time) {
    if (!progress->terminal || time - progress->start < patience || time - progress->drawn < redraw) return false;
    progress->drawn = time;
    progress->shown = true;
    return true;
}

static void draw(const struct progress *progress, double time, double share) {
    enum { WIDTH = 40 };
    share = share > 1 ? 1 : share > 0.001 ? share : 0.001;
    int filled = (int)(WIDTH * share);
    double left = (time - progress->start) * (1 / share - 1);
    fprintf(stderr, "\r%s [%.*s%*s] %3.0f%%, %.0f s left", progress->what, filled,
            "########################################", WIDTH - filled, "", 100 * share, left);
}

void progress_share(struct progress *progress, double share) {
    double time = now();
    if (!due(progress, time)) return;
    if (isnan(share))
        fprintf(stderr, "\r%s %c", progress->what, "|/-\\"[progress->turns++ % 4]);
    else
        draw(progress, time, share);
    fputs(" \033[K", stderr);
    fflush(stderr);
}

void progress_seconds(struct progress *progress) {
    double time = now();
    if (!due(progress, time)) return;
    fprintf(stderr, "\r%s %c %.0f s\033[K", progress->what, "|/-\\"[progress->turns++ % 4], time - progress->start);
    fflush(stderr);
}

static void print_rows(double rows) {
    if (rows < 1e6)
        fprintf(stderr, "%.0f rows", rows);
    else
        fprintf(stderr, "%.2f million rows", 1e-6 * rows);
}

void progress_rows(struct progress *progress, double share, uint64_t rows) {
    double time = now();
    if (!due(progress, time)) return;
    if (isnan(share)) {
        fprintf(stderr, "\r%s: ", progress->what);
        print_rows((double)rows);
    } else {
        draw(progress, time, share);
    }
    fputs(", ", stderr);
    print_rows((double)rows / (time - progress->start));
    fputs("/s\033[K", stderr);
    fflush(stderr);
}

void progress_end(struct progress *progress) {
    if (progress->shown) fputs("\r\033[K", stderr);
    progress->shown = false;
}
