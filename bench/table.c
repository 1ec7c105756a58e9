/* How fast a table is read, beside wc -l on the same file: all columns skipped, some wanted, and with the sums of three
 * columns of integers; on one thread and on two. The target for a whole release is 60% of wc -l on two.
 *
 * usage: bench-table [FILE [COLUMN...]]
 *
 * Without a file it makes one of 500 MB in /dev/shm. Each line is the best of some readings. On a machine that is busy the
 * clock says little; then the time of the processors is worth more: the last column is that of wc -l by what each thread
 * takes. Prints a table; always exits with 0, since time is not truth. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, popen */
#include "table/csv.h"

#include <dpnoise/table.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { COLUMNS = 3, REPEATS = 5 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- A file like a census ---- */

static const char *const states[] = {"Private", "State-gov", "Self-emp-not-inc", "Federal-gov", "Never-worked"};
static const char *const schools[] = {"Bachelors", "HS-grad", "11th", "Masters", "Some-college", "Assoc-acdm"};

static void write_rows(FILE *file, size_t bytes) {
    uint64_t seed = 1;
    size_t written = 0;
    while (written < bytes) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        unsigned a = (unsigned)(seed >> 33), b = (unsigned)(seed >> 40);
        int length = fprintf(
            file, "%u,%s,%u,%s,%u,Married-civ-spouse,Exec-managerial,Not-in-family,White,%s,%u,0,%u,United-States,%s\n",
            17 + a % 73, states[a % 5], 20000 + b % 900000, schools[b % 6], 1 + a % 16, a & 64 ? "Male" : "Female",
            b % 9 ? 0 : b % 9999, 10 + b % 80, b & 1024 ? "<=50K" : ">50K");
        written += length > 0 ? (size_t)length : bytes;
    }
}

static bool make_file(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fputs("age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,race,sex,capital_gain,"
          "capital_loss,hours_per_week,native_country,income\n",
          file);
    write_rows(file, 500000000);
    return fclose(file) == 0;
}

/* ---- Reading it ---- */

struct job {
    dpn_table *table;
    size_t wants;
    bool sums, portable;
    int64_t sum;
    uint64_t rows;
    dpn_status status;
    dpn_error why;
};

static int64_t integer(const dpn_field *field) {
    int64_t value = 0;
    for (size_t i = 0; i < field->length; i++) value = 10 * value + (field->text[i] - '0');
    return value;
}

static void *work(void *argument) {
    struct job *job = argument;
    const dpn_field *field;
    size_t rows;
    do {
        job->status = dpn_table_next(&field, &rows, job->table, &job->why);
        if (job->status) break;
        if (job->sums)
            for (size_t i = 0; i < rows * job->wants; i++) job->sum += integer(&field[i]);
    } while (rows > 0);
    job->rows = dpn_table_rows(job->table);
    return NULL;
}

/* What a reading takes by the clock, and of the processors. */
typedef struct dpn_time {
    double clock, work;
} dpn_time;

static double work_of(int who) {
    struct rusage usage;
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static dpn_time time_now(int who) {
    return (dpn_time){now(), work_of(who)};
}

static void keep_best(dpn_time *best, dpn_time start, dpn_time end) {
    if (end.clock - start.clock < best->clock) best->clock = end.clock - start.clock;
    if (end.work - start.work < best->work) best->work = end.work - start.work;
}

static const dpn_time never = {1e9, 1e9};

/* One reading on one or two threads; false if it fails. */
static bool read_once(const char *path, const struct job *how, const size_t *columns, size_t threads, uint64_t *rows) {
    dpn_table *whole;
    dpn_error why;
    struct job jobs[2] = {*how, *how};
    pthread_t thread[2];
    dpn_status status = dpn_table_open(&whole, path, NULL, &why);
    if (!status) status = dpn_table_want(whole, columns, how->wants, &why);
    if (!status && how->portable) ((dpn_csv *)whole->state)->scan = dpn_scan_portable;
    for (size_t i = 0; i < threads && !status; i++) status = dpn_table_part(&jobs[i].table, whole, i, threads, &why);
    if (status) {
        printf("%s\n", why.sentence);
        return false;
    }
    for (size_t i = 1; i < threads; i++) pthread_create(&thread[i], NULL, work, &jobs[i]);
    work(&jobs[0]);
    *rows = jobs[0].rows;
    for (size_t i = 1; i < threads; i++) {
        pthread_join(thread[i], NULL);
        *rows += jobs[i].rows;
    }
    for (size_t i = 0; i < threads; i++) {
        if (jobs[i].status) printf("%s\n", jobs[i].why.sentence);
        dpn_table_close(jobs[i].table);
    }
    dpn_table_close(whole);
    return true;
}

static dpn_time best_wc(const char *path) {
    char command[4200];
    dpn_time best = never;
    snprintf(command, sizeof command, "exec wc -l '%s' >/dev/null", path);
    for (int i = 0; i < REPEATS; i++) {
        dpn_time start = time_now(RUSAGE_CHILDREN);
        if (system(command) != 0) break;
        keep_best(&best, start, time_now(RUSAGE_CHILDREN));
    }
    return best;
}

static void compare(const char *what, const char *path, struct job how, const size_t *columns, double size,
                    dpn_time wc) {
    for (size_t threads = 1; threads <= 2; threads++) {
        dpn_time best = never;
        uint64_t rows = 0;
        for (int i = 0; i < REPEATS; i++) {
            dpn_time start = time_now(RUSAGE_SELF);
            if (!read_once(path, &how, columns, threads, &rows)) return;
            keep_best(&best, start, time_now(RUSAGE_SELF));
        }
        printf("  %-30s %7zu %8.0f %8.0f%% %9llu %9.3f %8.0f%%\n", what, threads, size / best.clock / 1e6,
               100 * wc.clock / best.clock, (unsigned long long)rows, best.work,
               100 * wc.work * (double)threads / best.work);
    }
}

int main(int argc, char **argv) {
    static const char own[] = "/dev/shm/dpnoise-bench-table.csv";
    const char *path = argc > 1 ? argv[1] : own;
    size_t columns[COLUMNS] = {0, 4, 12};
    struct stat stat_of;
    if (argc <= 1 && !make_file(own)) {
        printf("%s cannot be written\n", own);
        return 0;
    }
    for (int i = 2; i < argc && i < 2 + COLUMNS; i++) columns[i - 2] = (size_t)strtoul(argv[i], NULL, 10);
    if (stat(path, &stat_of) == 0) {
        double size = (double)stat_of.st_size;
        dpn_time wc = best_wc(path);
        printf("  %-30s %7s %8s %9s %9s %9s %9s\n", "", "threads", "MB/s", "of wc -l", "rows", "work (s)", "of wc -l");
        printf("  %-30s %7d %8.0f %8.0f%% %9s %9.3f %8.0f%%\n", "wc -l", 1, size / wc.clock / 1e6, 100.0, "", wc.work,
               100.0);
        compare("no columns", path, (struct job){.wants = 0}, columns, size, wc);
        compare("no columns, portable scanner", path, (struct job){.portable = true}, columns, size, wc);
        compare("three columns", path, (struct job){.wants = COLUMNS}, columns, size, wc);
        compare("sums of three columns", path, (struct job){.wants = COLUMNS, .sums = true}, columns, size, wc);
    }
    if (argc <= 1) unlink(own);
    return 0;
}
