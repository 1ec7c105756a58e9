/* The kernel's random source fails at its k-th call, for every k, in every way: a release never yields a number then.
 *
 * This program has its own getrandom, which the linker finds first. */
#define _GNU_SOURCE /* syscall */
#include <dpnoise/release.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

static struct {
    int calls, fail_at, error;
    size_t most; /* bytes of one call */
} kernel;

ssize_t getrandom(void *out, size_t count, unsigned flags) {
    if (++kernel.calls == kernel.fail_at) {
        errno = kernel.error;
        return -1;
    }
    return syscall(SYS_getrandom, out, count < kernel.most ? count : kernel.most, flags);
}

/* So many answers that the source has to ask the kernel several times. */
enum { ANSWERS = 300000 };

static dpn_status session(int64_t *out, const dpn_release *release, const int64_t *value, dpn_error *why) {
    dpn_rng *rng;
    dpn_status status = dpn_rng_new(&rng, why);
    if (status) return status;
    status = dpn_release_draw(out, release, rng, value, why);
    dpn_rng_free(rng);
    return status;
}

static void no_random_bits_no_numbers(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = ANSWERS, .linf = 1, .max_changed = 1};
    dpn_release_options options = {.size = sizeof(dpn_release_options), .epsilon = 1, .set = &set, .family = "laplace"};
    dpn_release *release;
    dpn_error why;
    if (dpn_release_new(&release, &options, &why)) fail_msg("%s", why.sentence);
    int64_t *value = calloc(ANSWERS, sizeof *value), *out = malloc(ANSWERS * sizeof *out);
    int64_t *before = malloc(ANSWERS * sizeof *before);
    assert_true(value && out && before);
    memset(before, 0x5a, ANSWERS * sizeof *before);

    static const int errors[] = {ENOSYS, EAGAIN, EIO};
    static const size_t most[] = {256, 20};
    for (size_t m = 0; m < sizeof most / sizeof *most; m++) {
        kernel.fail_at = 0;
        kernel.calls = 0;
        kernel.most = most[m];
        assert_int_equal(session(out, release, value, &why), DPN_OK);
        int calls = kernel.calls;
        assert_true(calls >= 3);
        for (int k = 1; k < calls; k++) { /* the last is left out: its words may be more than were needed */
            memcpy(out, before, ANSWERS * sizeof *out);
            kernel.calls = 0;
            kernel.fail_at = k;
            kernel.error = errors[(size_t)k % (sizeof errors / sizeof *errors)];
            why = (dpn_error){DPN_OK, ""};
            assert_int_equal(session(out, release, value, &why), DPN_EENTROPY);
            assert_true(why.status == DPN_EENTROPY && why.sentence[0]);
            assert_memory_equal(out, before, ANSWERS * sizeof *out);
        }
    }
    free(value);
    free(out);
    free(before);
    dpn_release_free(release);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_random_bits_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
