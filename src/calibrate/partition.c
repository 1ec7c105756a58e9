/* The best partition of sorted coordinates into contiguous blocks. */
#include "calibrate/partition.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PLACES = 1000 };

/* The places where a block may end: all of them, or evenly spread ones and the first few. */
static size_t choose_places(size_t *place, size_t count) {
    size_t used = 0;
    place[used++] = 0;
    for (size_t i = 1; i <= MOST_PLACES; i++) {
        size_t next = count <= MOST_PLACES ? i : (size_t)llround(pow((double)count, (double)i / MOST_PLACES));
        if (count > MOST_PLACES && next < i && i < count) next = i; /* near the large keys every place counts */
        if (next > count) next = count;
        if (next > place[used - 1]) place[used++] = next;
        if (next == count) break;
    }
    return used;
}

static double cost(const dpn_partition_task *task, size_t from, size_t to) {
    return pow(task->unit[to - from] * (task->rest[from] - task->rest[to]), task->power);
}

/* to[j] becomes the least cost of the items before place j, and before[j] the place where the last of their blocks begins;
 * from[i] is that of what precedes it. The two may be the same array: then any number of blocks will do. */
static void add_block(double *to, size_t *before, const double *from, const dpn_partition_task *task,
                      const size_t *place, size_t places) {
    for (size_t j = 1; j < places; j++) {
        double least = INFINITY;
        for (size_t i = 0; i < j; i++) {
            if (!(from[i] < least)) continue; /* no block costs less than nothing */
            double total = from[i] + cost(task, place[i], place[j]);
            if (!(total < least)) continue;
            least = total;
            before[j] = i;
        }
        to[j] = least;
    }
}

/* The blocks from the last to the first; before has one row for each block, or one for all. */
static void read_back(dpn_partition *out, const size_t *before, size_t rows, const size_t *place, size_t places) {
    size_t row = rows - 1, used = 0;
    for (size_t j = places - 1; j > 0; row -= row > 0) {
        out->end[used++] = place[j];
        j = before[row * places + j];
    }
    out->blocks = used;
    for (size_t i = 0; i < used / 2; i++) {
        size_t swap = out->end[i];
        out->end[i] = out->end[used - 1 - i];
        out->end[used - 1 - i] = swap;
    }
}

dpn_status dpn_partition_find(dpn_partition *out, const dpn_partition_task *task, size_t blocks, dpn_error *why) {
    size_t place[MOST_PLACES + 1], places = choose_places(place, task->count), rows = blocks ? blocks : 1;
    double *now = malloc(places * sizeof *now), *next = malloc(places * sizeof *next);
    size_t *before = calloc(rows * places, sizeof *before), *end = malloc(places * sizeof *end);
    dpn_status status = DPN_OK;
    if (!now || !next || !before || !end) {
        status = dpn_fail(why, DPN_ENOMEM, "no memory for the blocks of %zu coordinates", task->count);
    } else {
        for (size_t j = 0; j < places; j++) now[j] = j ? INFINITY : 0;
        if (blocks == 0) add_block(now, before, now, task, place, places);
        for (size_t b = 0; b < blocks; b++) {
            next[0] = INFINITY;
            add_block(next, before + b * places, now, task, place, places);
            double *swap = now;
            now = next;
            next = swap;
        }
        *out = (dpn_partition){.end = end};
        end = NULL;
        read_back(out, before, rows, place, places);
    }
    free(now);
    free(next);
    free(before);
    free(end);
    return status;
}
