/* The kernel as systems other than Linux have it: getentropy, and minherit with INHERIT_ZERO. The file is compiled a second time, with
 * both in the place of getrandom and madvise; the whole source of this program then rests on them. */
#define _GNU_SOURCE /* what kernel.c asks for, and syscall */
#include <dpnoise/random.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct {
    int calls, fail_at, error;
    size_t most;
    bool refuse_zero;
} kernel;

int getentropy(void *out, size_t count) {
    kernel.calls++;
    if (count > kernel.most) kernel.most = count;
    if (kernel.calls == kernel.fail_at) {
        memset(out, 0xab, count);
        errno = kernel.error;
        return -1;
    }
    if (count > 256) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_getrandom, out, count, 0) == (long)count ? 0 : -1;
}

#define INHERIT_ZERO 3 /* as OpenBSD has it */
static int minherit(void *map, size_t count, int how) {
    return kernel.refuse_zero || how != INHERIT_ZERO ? -1 : madvise(map, count, MADV_WIPEONFORK);
}

#define DPN_PORTABLE
#undef _DEFAULT_SOURCE
#include "random/kernel.c"

static void bytes_come_in_pieces_that_are_allowed(void **state) {
    (void)state;
    unsigned char bytes[1000] = {0};
    bool seen[256] = {false};
    int different = 0;
    memset(&kernel, 0, sizeof kernel);
    assert_int_equal(dpn_kernel_random(bytes, sizeof bytes), 0);
    assert_int_equal(kernel.calls, 4);
    assert_int_equal(kernel.most, 256);
    /* 1000 bytes miss a given value with probability 0.02: fewer than 200 of 256 do not happen. */
    for (size_t i = 0; i < sizeof bytes; i++) different += !seen[bytes[i]], seen[bytes[i]] = true;
    assert_true(different > 200);
}

static void a_failure_leaves_zeros(void **state) {
    (void)state;
    static const unsigned char zeros[600];
    unsigned char bytes[600];
    for (int at = 1; at <= 3; at++) {
        memset(&kernel, 0, sizeof kernel);
        kernel.fail_at = at;
        kernel.error = EIO;
        assert_int_equal(dpn_kernel_random(bytes, sizeof bytes), EIO);
        assert_memory_equal(bytes, zeros, sizeof bytes);
    }
    kernel.calls = 0;
    kernel.fail_at = 2;
    kernel.error = EINTR; /* asked again */
    assert_int_equal(dpn_kernel_random(bytes, sizeof bytes), 0);
    assert_int_equal(kernel.calls, 4);
}

static void a_source_rests_on_it(void **state) {
    (void)state;
    dpn_rng *rng;
    dpn_error why;
    memset(&kernel, 0, sizeof kernel);
    assert_int_equal(dpn_rng_new(&rng, &why), DPN_OK);
    assert_true(kernel.calls > 0);
    dpn_rng_free(rng);
    kernel.refuse_zero = true;
    assert_int_equal(dpn_rng_new(&rng, &why), DPN_EENTROPY);
    assert_non_null(strstr(why.sentence, "INHERIT_ZERO"));
}

static void a_child_inherits_zeros(void **state) {
    (void)state;
    const char *reason;
    memset(&kernel, 0, sizeof kernel);
    unsigned char *map = dpn_kernel_private_map(4096, &reason);
    assert_non_null(map);
    map[17] = 42;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(map[17]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(map[17], 42);
    dpn_kernel_private_unmap(map, 4096);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_in_pieces_that_are_allowed),
        cmocka_unit_test(a_failure_leaves_zeros),
        cmocka_unit_test(a_source_rests_on_it),
        cmocka_unit_test(a_child_inherits_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
