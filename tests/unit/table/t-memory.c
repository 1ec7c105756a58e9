/* Memory that fails at the k-th request, for every k: no crash, no leak, no row that is not there; and one that is
 * bounded, however long the table or a field in it.
 *
 * This program has its own malloc, which the linker takes for all libraries; sanitizers have theirs. */
#define _POSIX_C_SOURCE 200809L
#include "unit/failing-memory.h"

#include "place.h"

#include <pthread.h>
#include <signal.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

/* ---- Failing ---- */

/* Open, choose, read to the end, whole or as the second of three parts; the number of rows, or the failure. */
static dpn_status session(const char *source, bool part, size_t *rows, dpn_error *why) {
    dpn_table *table = NULL, *second = NULL;
    dpn_table_options options = {.size = sizeof(dpn_table_options), .buffer = 16, .null_text = "NA"};
    *rows = 0;
    dpn_status status = dpn_table_open(&table, source, &options, why);
    if (!status) status = dpn_table_want(table, (size_t[]){1, 0}, 2, why);
    if (!status && part) status = dpn_table_part(&second, table, 1, 3, why);
    for (size_t batch = 1; !status && batch > 0;) {
        const dpn_field *field;
        status = dpn_table_next(&field, &batch, part ? second : table, why);
        if (!status) *rows += batch;
    }
    dpn_table_close(second);
    dpn_table_close(table);
    return status;
}

static const char text[] =
    "a,\"b\"\n1,\"a long field, longer than the buffer, in \"\"quotes\"\"\"\n2,NA\n3,x\n4,y\n5,z\n6,z\n";

struct sources {
    struct place place;
    char plain[100], gzip[100], zstd[100], sqlite[100];
};

static void make_database(const char *path) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 0.5), (3, hex(zeroblob(40)))", NULL,
                     NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
}

static struct sources make_sources(void) {
    struct sources all = {.place = place_make()};
    char packed[1000];
    z_stream stream = {.next_in = (unsigned char *)(size_t)text,
                       .avail_in = sizeof text - 1,
                       .next_out = (unsigned char *)packed,
                       .avail_out = 1000};
    place_write(&all.place, "t.csv", text, sizeof text - 1);
    strcpy(all.plain, all.place.file);
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    place_write(&all.place, "t.csv.gz", packed, 1000 - stream.avail_out);
    deflateEnd(&stream);
    strcpy(all.gzip, all.place.file);
    size_t length = ZSTD_compress(packed, sizeof packed, text, sizeof text - 1, 3);
    place_write(&all.place, "t.csv.zst", packed, length);
    strcpy(all.zstd, all.place.file);
    snprintf(all.sqlite, sizeof all.sqlite, "%s/t.db", all.place.directory);
    make_database(all.sqlite);
    return all;
}

static void with_memory_it_works(void **state) {
    (void)state;
    struct sources all = make_sources();
    dpn_error why;
    size_t rows;
    assert_int_equal(session(all.plain, false, &rows, &why), DPN_OK);
    assert_int_equal(rows, 6);
    assert_int_equal(session(all.gzip, false, &rows, &why), DPN_OK);
    assert_int_equal(rows, 6);
    assert_int_equal(session(all.zstd, false, &rows, &why), DPN_OK);
    assert_int_equal(rows, 6);
    assert_int_equal(session(all.sqlite, false, &rows, &why), DPN_OK);
    assert_int_equal(rows, 3);
    assert_int_equal(session(all.plain, true, &rows, &why), DPN_OK);
    place_remove(&all.place);
}

#ifndef SANITIZED

static void fail_everywhere(const char *source, bool part, bool on, long least) {
    dpn_error why;
    size_t right, rows;
    assert_int_equal(session(source, part, &right, &why), DPN_OK); /* what is made once a process is made */
    long k = 0;
    for (;; k++) {
        long before = memory.live;
        memory.requests = 0;
        memory.fail_at = k;
        memory.on = on;
        memory.armed = true;
        why = (dpn_error){DPN_OK, ""};
        dpn_status status = session(source, part, &rows, &why);
        memory.armed = false;
        if (memory.live != before) fail_msg("%s: request %ld leaks %ld", source, k, memory.live - before);
        if (memory.requests <= k) break; /* nothing failed */
        if (status && status != DPN_ENOMEM) fail_msg("%s: request %ld: %s", source, k, why.sentence);
        if (status) assert_true(why.status == status && why.sentence[0]);
        if (!status) assert_int_equal(rows, right); /* some libraries do without */
    }
    assert_true(k >= least);
}

static void every_request_fails(void **state) {
    (void)state;
    struct sources all = make_sources();
    for (int on = 0; on < 2; on++) {
        fail_everywhere(all.plain, false, on, 10);
        fail_everywhere(all.plain, true, on, 20);
        fail_everywhere(all.gzip, false, on, 12);
        fail_everywhere(all.zstd, false, on, 11);
        fail_everywhere(all.sqlite, false, on, 30);
    }
    place_remove(&all.place);
}

#endif

/* ---- Bounded ---- */

/* Writes one field of 100 MB in quotes, or many rows, into a pipe; stops when nobody reads. */
struct flood {
    int end;
    bool field;
};

static void *pour(void *argument) {
    const struct flood *flood = argument;
    static char block[1 << 16];
    const char *unit = flood->field ? "xxxxxxxxxxxxxxx\n" : "12,\"a \"\"b\"\"\",3\n";
    size_t length = strlen(unit), fill = sizeof block / length * length;
    for (size_t i = 0; i < fill; i++) block[i] = unit[i % length];
    ssize_t wrote = write(flood->end, flood->field ? "a,b\n1,\"" : "a,b,c\n", flood->field ? 7 : 6);
    for (size_t sent = 0; wrote > 0 && sent < 100000000; sent += fill) {
        wrote = write(flood->end, block, fill);
        if (wrote != (ssize_t)fill) break;
    }
    close(flood->end);
    return NULL;
}

static dpn_status read_flood(bool field, uint64_t *rows, dpn_error *why) {
    int ends[2];
    char path[40];
    pthread_t thread;
    dpn_table *table;
    assert_int_equal(pipe(ends), 0);
    struct flood flood = {ends[1], field};
    assert_int_equal(pthread_create(&thread, NULL, pour, &flood), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    dpn_status status = dpn_table_open(&table, path, NULL, why);
    assert_int_equal(status, DPN_OK);
    const dpn_field *fields;
    for (size_t batch = 1; !status && batch > 0;) status = dpn_table_next(&fields, &batch, table, why);
    *rows = dpn_table_rows(table);
    dpn_table_close(table);
    close(ends[0]);
    pthread_join(thread, NULL);
    return status;
}

static long peak(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss; /* in kilobytes */
}

static void memory_is_bounded(void **state) {
    (void)state;
    dpn_error why;
    uint64_t rows;
    long before = peak();
    assert_int_equal(read_flood(true, &rows, &why), DPN_OK); /* one row without an end */
    assert_int_equal(rows, 0);
    assert_int_equal(read_flood(false, &rows, &why), DPN_OK);
    assert_true(rows > 6000000);
#ifndef SANITIZED
    assert_in_range(peak() - before, 0, 12000);
#else
    (void)before;
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_it_works),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails),
#endif
        cmocka_unit_test(memory_is_bounded),
    };
    sigset_t broken; /* a pipe that nobody reads is an error, not the end */
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
