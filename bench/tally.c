/* The tally of rows that lie in memory as fields: nanoseconds of processor a row, and the memory of many persons within a limit. Prints a table; always exits with 0, since
 * time is not truth. */
#define _DEFAULT_SOURCE /* clock_gettime, getrusage */
#include "release/tally/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REGION, INCOME, AGE, PERSON, COLUMNS, ROWS = 1 << 17, TEXT = 16, TRIALS = 15 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- A table ---- */

static char *levels[] = {"north", "south", "east", "west", "abroad"};
static char text[ROWS][COLUMNS][TEXT];
static dpn_field table[ROWS * COLUMNS];

static uint64_t next(uint64_t *state) { /* SplitMix64: a table that is the same in each run */
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void make_table(void) {
    uint64_t state = 1;
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(text[i][REGION], TEXT, "%s", levels[next(&state) % 5]);
        snprintf(text[i][INCOME], TEXT, "%d.%02d", (int)(next(&state) % 200000), (int)(next(&state) % 100));
        snprintf(text[i][AGE], TEXT, "%d", (int)(next(&state) % 100));
        snprintf(text[i][PERSON], TEXT, "p%07d", (int)(next(&state) % (ROWS / 4)));
        for (size_t j = 0; j < COLUMNS; j++) table[i * COLUMNS + j] = (dpn_field){text[i][j], strlen(text[i][j])};
    }
}

/* The columns of a query, side by side. */
static dpn_field *select_columns(const size_t *column, size_t columns) {
    dpn_field *field = malloc(ROWS * columns * sizeof *field);
    for (size_t i = 0; field && i < ROWS; i++)
        for (size_t j = 0; j < columns; j++) field[i * columns + j] = table[i * COLUMNS + column[j]];
    return field;
}

/* ---- Queries ---- */

/* Nanoseconds a row of the quickest trial. */
static void measure(const char *name, const dpn_query *query, const size_t *column, dpn_rng *rng) {
    dpn_field *field = select_columns(column, query->columns);
    double best = 1e9;
    for (int trial = 0; field && trial < TRIALS; trial++) {
        dpn_tally *tally = NULL;
        dpn_error why;
        double start = now();
        if (dpn_tally_new(&tally, query, rng, &why) || dpn_tally_rows(tally, field, ROWS, &why)) {
            printf("%-54s %s\n", name, why.sentence);
            dpn_tally_free(tally);
            break;
        }
        double nanoseconds = 1e9 * (now() - start) / ROWS;
        if (nanoseconds < best) best = nanoseconds;
        dpn_tally_free(tally);
    }
    free(field);
    printf("%-54s %8.1f\n", name, best);
}

/* ---- Persons beyond the memory ---- */

/* Ten million persons of a row each, settled within a limit; in a process of its own, whose memory is its own. */
static void count_persons(const dpn_query *query, uint64_t limit, dpn_rng *rng) {
    enum { PERSONS = 10000000, BATCH = 1000 };
    static char name[BATCH][TEXT];
    static dpn_field field[BATCH];
    dpn_tally *tally = NULL;
    dpn_walk *walk = NULL;
    const dpn_group *group;
    dpn_error why;
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    double start = now();
    dpn_status status = dpn_tally_new(&tally, query, rng, &why);
    if (!status) status = dpn_tally_limit(tally, limit, "/tmp", &why);
    for (size_t i = 0; i < PERSONS && !status; i += BATCH) {
        for (size_t j = 0; j < BATCH; j++)
            field[j] = (dpn_field){name[j], (size_t)snprintf(name[j], TEXT, "p%zu", (i + j) * 7919 % PERSONS)};
        status = dpn_tally_rows(tally, field, BATCH, &why);
    }
    if (!status) status = dpn_walk_begin(&walk, tally, &why);
    if (!status) status = dpn_walk_next(&group, walk, &why);
    getrusage(RUSAGE_SELF, &after);
    if (status)
        printf("%-54s %s\n", "10^7 persons within 64 MB", why.sentence);
    else if (group->sum[0] != PERSONS)
        printf("%-54s %s\n", "10^7 persons within 64 MB", "WRONG COUNT");
    else
        printf("%-54s %8.1f   memory: %.2f of the limit\n", "10^7 persons within 64 MB",
               1e9 * (now() - start) / PERSONS, 1024 * (double)(after.ru_maxrss - before.ru_maxrss) / (double)limit);
    fflush(stdout);
}

static void persons_beyond_memory(dpn_rng *rng) {
    static char *names[] = {"id"};
    dpn_moment moment[] = {{.kind = DPN_MOMENT_ROWS, .bound = 1}};
    dpn_query query = {.declaration = {.max_rows = 1, .max_groups = 1, .person = names[0]},
                       .column = names,
                       .columns = 1,
                       .person = 0,
                       .known_keys = true,
                       .groups = 1,
                       .moment = moment,
                       .moments = 1};
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        count_persons(&query, UINT64_C(64) << 20, rng);
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

int main(void) {
    static char *names[] = {"a", "b", "c", "d"};
    static char *edges[] = {"0", "18", "25", "35", "45", "55", "65", "inf"};
    static dpn_grouping known = {.column = "region", .level = levels, .levels = 5}, unknown = {.column = "region"};
    static size_t first[] = {0};
    dpn_measure income = {.column = 1, .exponent = -8, .lower = 0, .upper = 200000 * 256, .middle = 100000 * 256};
    dpn_moment moment[] = {{.kind = DPN_MOMENT_ROWS, .bound = 1},
                           {.kind = DPN_MOMENT_VALUE, .offset = 100000 * 256, .bound = 100000 * 256},
                           {.kind = DPN_MOMENT_PRODUCT, .shift = 24, .bound = 1 << 26}};
    dpn_bins bins = {.column = 1, .edge = edges, .edges = 8};
    dpn_rng *rng;
    dpn_error why;
    if (dpn_rng_new(&rng, &why)) return puts(why.sentence), 0;
    printf("%-54s %8s\n", "tally", "ns/row");
    persons_beyond_memory(rng);
    make_table();

    dpn_query sum = {.declaration = {.by = &known, .bys = 1, .max_rows = 1, .max_groups = 1},
                     .column = names,
                     .columns = 2,
                     .by = first,
                     .person = SIZE_MAX,
                     .known_keys = true,
                     .groups = 5,
                     .measure = &income,
                     .measures = 1,
                     .moment = moment,
                     .moments = 2};
    measure("count and sum by 5 declared levels", &sum, (size_t[]){REGION, INCOME}, rng);
    dpn_query count = sum;
    count.moments = 1;
    count.measures = 0;
    count.columns = 1;
    measure("count by 5 declared levels", &count, (size_t[]){REGION}, rng);
    dpn_query variance = sum;
    variance.moments = 3;
    measure("count, sum and square by 5 declared levels", &variance, (size_t[]){REGION, INCOME}, rng);
    dpn_query histogram = count;
    histogram.columns = 2;
    histogram.bins = &bins;
    histogram.histograms = 1;
    measure("count and histogram of 7 bins by 5 declared levels", &histogram, (size_t[]){REGION, AGE}, rng);
    dpn_query keys = sum;
    keys.declaration.by = &unknown;
    keys.known_keys = false;
    keys.groups = 0;
    measure("count and sum by unknown keys", &keys, (size_t[]){REGION, INCOME}, rng);
    dpn_query persons = sum;
    persons.columns = 3;
    persons.person = 2;
    persons.declaration.max_rows = 2;
    persons.declaration.max_groups = 2;
    measure("sum by 5 levels, 32768 persons of 4 rows (target 147)", &persons, (size_t[]){REGION, INCOME, PERSON}, rng);
    dpn_rng_free(rng);
    return 0;
}
