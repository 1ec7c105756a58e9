/* Reads that fail, are interrupted, or give fewer bytes than were asked for, at the k-th call for every k: an error has a
 * reason and stays; the others change nothing. */
#define _GNU_SOURCE
#include "place.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

enum fault { NONE, ERROR, INTERRUPT, SHORT };

static struct {
    enum fault fault;
    bool forever;
    long calls, at;
} plan;

/* Whether something happens at this call. Interruptions end after some, or the reader would try for ever. */
static bool strikes(void) {
    if (plan.fault == NONE) return false;
    plan.calls++;
    bool now = plan.calls == plan.at || (plan.forever && plan.calls > plan.at);
    return now && (plan.fault != INTERRUPT || plan.calls % 4 != 0);
}

/* The library finds these in place of libc's. */
#pragma GCC visibility push(default)
ssize_t read(int file, void *bytes, size_t count) {
    if (strikes()) {
        if (plan.fault == SHORT && count > 1) return syscall(SYS_read, file, bytes, (count + 2) / 3);
        if (plan.fault == ERROR) return errno = EIO, -1;
        if (plan.fault == INTERRUPT) return errno = EINTR, -1;
    }
    return syscall(SYS_read, file, bytes, count);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
    if (strikes()) {
        if (plan.fault == SHORT && count > 1) return syscall(SYS_pread64, file, bytes, (count + 2) / 3, offset);
        if (plan.fault == ERROR) return errno = EIO, -1;
        if (plan.fault == INTERRUPT) return errno = EINTR, -1;
    }
    return syscall(SYS_pread64, file, bytes, count, offset);
}
#pragma GCC visibility pop

static char *make_text(void) {
    char *text = malloc(20000), *to = text;
    to += sprintf(to, "a,b,c\n");
    for (int i = 0; i < 700; i++) to += sprintf(to, "%d,\"x\n%d\",%d\n", i, i * i, 7 * i % 11);
    return text;
}

/* Read the file, or a pipe with the same text, or part 1 of 3. */
static dpn_status session(char **rows, const struct place *place, const char *text, int way, dpn_error *why) {
    dpn_table_options options = {.size = sizeof(dpn_table_options), .buffer = 500};
    int ends[2] = {-1, -1};
    char source[100];
    snprintf(source, sizeof source, "%s", place->file);
    if (way == 1) {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], text, strlen(text)), (int)strlen(text));
        close(ends[1]);
        snprintf(source, sizeof source, "/dev/fd/%d", ends[0]);
    }
    dpn_table *table, *part;
    *rows = NULL;
    dpn_status status = dpn_table_open(&table, source, &options, why);
    if (!status && way == 2) {
        status = dpn_table_part(&part, table, 1, 3, why);
        dpn_table_close(table);
        table = part;
    }
    if (!status) {
        status = read_all(rows, table, why);
        if (status) { /* it stays failed */
            dpn_error again;
            const dpn_field *field;
            size_t count;
            assert_int_equal(dpn_table_next(&field, &count, table, &again), status);
            assert_string_equal(again.sentence, why->sentence);
        }
        dpn_table_close(table);
    }
    if (way == 1) close(ends[0]);
    return status;
}

static void try_way(int way) {
    struct place place = place_make();
    char *text = make_text(), *right, *rows;
    dpn_error why;
    place_text(&place, text);
    assert_int_equal(session(&right, &place, text, way, &why), DPN_OK);
    for (int fault = ERROR; fault <= SHORT; fault++)
        for (int forever = 0; forever < 2; forever++) {
            long errors = 0;
            for (long at = 1;; at++) {
                plan.calls = 0;
                plan.at = at;
                plan.forever = forever;
                plan.fault = (enum fault)fault;
                dpn_status status = session(&rows, &place, text, way, &why);
                plan.fault = NONE;
                bool struck = plan.calls >= at;
                if (fault != ERROR || !struck) {
                    assert_int_equal(status, DPN_OK);
                    assert_string_equal(rows, right);
                } else {
                    assert_int_equal(status, DPN_EIO);
                    assert_int_equal(why.status, DPN_EIO);
                    assert_non_null(strstr(why.sentence, "the device reports an error"));
                    errors++;
                }
                free(rows);
                if (!struck) break;
            }
            assert_true(fault != ERROR || errors > 2);
        }
    free(text);
    free(right);
    place_remove(&place);
}

static void a_file(void **state) {
    (void)state;
    try_way(0);
}

static void a_pipe(void **state) {
    (void)state;
    try_way(1);
}

static void a_part(void **state) {
    (void)state;
    try_way(2);
}

/* A part whose file is cut while it is read does not take what is left for all. */
static void a_file_that_shrinks(void **state) {
    (void)state;
    struct place place = place_make();
    char *text = make_text(), *rows;
    dpn_error why;
    dpn_table *whole, *part;
    place_text(&place, text);
    assert_int_equal(dpn_table_open(&whole, place.file, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_part(&part, whole, 1, 2, &why), DPN_OK);
    assert_int_equal(truncate(place.file, (long)strlen(text) - 10), 0);
    assert_int_equal(read_all(&rows, part, &why), DPN_EIO);
    assert_non_null(strstr(why.sentence, "became shorter"));
    free(rows);
    dpn_table_close(part);
    assert_int_equal(truncate(place.file, 10), 0);
    assert_int_equal(dpn_table_part(&part, whole, 1, 2, &why), DPN_EIO);
    dpn_table_close(whole);
    free(text);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file),
        cmocka_unit_test(a_pipe),
        cmocka_unit_test(a_part),
        cmocka_unit_test(a_file_that_shrinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
