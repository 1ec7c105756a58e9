/* What memory a process can have: the machine's, its own limits, and those of the groups it is in. The files are made by hand. */
#define _POSIX_C_SOURCE 200809L
#include "question/available.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char root[] = "/tmp/dpnoise-available-XXXXXX";

/* A file below the root, with the directories on its way. */
static void put(const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        mkdir(path, 0700);
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int begin(void **state) {
    (void)state;
    strcpy(root, "/tmp/dpnoise-available-XXXXXX");
    return mkdtemp(root) ? 0 : 1;
}

static int end(void **state) {
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

static void machine(void **state) {
    (void)state;
    assert_true(dpn_memory_available(root) == UINT64_MAX); /* nothing is known */
    put("/proc/meminfo", "MemTotal:       8000 kB\nMemAvailable:   3000 kB\n");
    assert_int_equal(dpn_memory_available(root), 3000 * 1024);
    assert_true(dpn_memory_available("") < UINT64_MAX); /* this machine says it */
}

static void groups_of_version_2(void **state) {
    (void)state;
    put("/proc/meminfo", "MemAvailable:   3000 kB\n");
    put("/proc/self/cgroup", "0::/a/b\n");
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    assert_int_equal(dpn_memory_available(root), 3000 * 1024);
    put("/sys/fs/cgroup/a/b/memory.max", "1000000\n");
    assert_int_equal(dpn_memory_available(root), 1000000);
    put("/sys/fs/cgroup/a/b/memory.current", "700000\n");
    assert_int_equal(dpn_memory_available(root), 300000);
    put("/sys/fs/cgroup/a/b/memory.stat", "anon 1\ninactive_file_x 7\ninactive_file 200000\n");
    assert_int_equal(dpn_memory_available(root), 500000);
    put("/sys/fs/cgroup/a/memory.max", "400000\n"); /* the group above has less */
    put("/sys/fs/cgroup/a/memory.current", "100000\n");
    assert_int_equal(dpn_memory_available(root), 300000);
    put("/sys/fs/cgroup/memory.max", "5000\n"); /* in a container the top may be ours */
    assert_int_equal(dpn_memory_available(root), 5000);
    put("/sys/fs/cgroup/memory.current", "6000\n");
    assert_int_equal(dpn_memory_available(root), 0);
    put("/proc/self/cgroup", "0::/elsewhere/that is not here\n");
    assert_int_equal(dpn_memory_available(root), 0);
}

static void groups_of_version_1(void **state) {
    (void)state;
    put("/proc/meminfo", "MemAvailable:   3000 kB\n");
    put("/proc/self/cgroup", "5:memoryless:/c\n4:cpu,memory:/c\n0::/\n");
    put("/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(dpn_memory_available(root), 3000 * 1024);
    put("/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "2000000\n");
    put("/sys/fs/cgroup/memory/c/memory.usage_in_bytes", "1500000\n");
    put("/sys/fs/cgroup/memory/c/memory.stat", "inactive_file 9\ntotal_inactive_file 100000\n");
    assert_int_equal(dpn_memory_available(root), 600000);
}

/* Under a limit of the process: in another one, whose limit ends with it. It is larger than any use of sanitizers. */
static void limits_of_the_process(void **state) {
    (void)state;
    static const int resource[] = {RLIMIT_AS, RLIMIT_DATA};
    put("/proc/self/statm", "1000 10 10 1 0 300 0\n");
    for (size_t i = 0; i < 2; i++) {
        int code = -1;
        pid_t child = fork();
        if (child == 0) {
            struct rlimit limit;
            uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), used = i ? 300 : 1000;
            if (getrlimit(resource[i], &limit) != 0) _exit(2);
            limit.rlim_cur = (rlim_t)1 << 60;
            if (setrlimit(resource[i], &limit) != 0) _exit(3);
            _exit(dpn_memory_available(root) == (UINT64_C(1) << 60) - used * page ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &code, 0), child);
        assert_int_equal(code, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(machine, begin, end),
                                       cmocka_unit_test_setup_teardown(groups_of_version_2, begin, end),
                                       cmocka_unit_test_setup_teardown(groups_of_version_1, begin, end),
                                       cmocka_unit_test_setup_teardown(limits_of_the_process, begin, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
