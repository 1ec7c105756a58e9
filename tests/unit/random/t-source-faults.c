/* Faults: whatever the kernel or libcrypto does, at whatever call, no number leaves, then or later.
 *
 * This program has its own getrandom, madvise, munmap and EVP functions, which fail on demand and are otherwise the real
 * ones: the linker finds them first. The library needs no hooks for that. */
#define _GNU_SOURCE /* RTLD_NEXT, syscall */
#include <dpnoise/random.h>

#include "random/source.h"

#include <dlfcn.h>
#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- The doubles ---- */

enum fault { FINE, FAIL, NOTHING, TOO_MUCH, WRONG };

static struct {
    int calls, at; /* the fault happens at this call, counted from 1, and at those after it if `on` */
    bool on;
    enum fault fault;
    int error;
    size_t most; /* bytes of one call; 0: as many as are asked for */
} kernel;

static bool due(int calls, int at, bool on) {
    return at > 0 && (calls == at || (on && calls > at));
}

ssize_t getrandom(void *out, size_t count, unsigned flags) {
    kernel.calls++;
    if (due(kernel.calls, kernel.at, kernel.on)) {
        if (kernel.fault == NOTHING) return 0;
        if (kernel.fault == TOO_MUCH) return (ssize_t)count + 1;
        memset(out, 0xab, count); /* a kernel that fails may have written first */
        errno = kernel.error;
        return -1;
    }
    if (kernel.most && count > kernel.most) count = kernel.most;
    return syscall(SYS_getrandom, out, count, flags);
}

static struct { bool refuse_wipe, accept_all; } advice;

int madvise(void *map, size_t count, int advised) {
    if (advice.accept_all) return 0;
    if (advice.refuse_wipe && advised == MADV_WIPEONFORK) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_madvise, map, count, advised);
}

static int unmapped, unmapped_dirty;

int munmap(void *map, size_t count) {
    const unsigned char *byte = map;
    unsigned char bits = 0;
    if (count < 1 << 16)
        for (size_t i = 0; i < count; i++) bits |= byte[i];
    unmapped++;
    unmapped_dirty += bits != 0;
    return (int)syscall(SYS_munmap, map, count);
}

static struct {
    int calls, at;
    enum fault fault;
} cipher;

static void *real(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

int EVP_EncryptInit_ex(EVP_CIPHER_CTX *context, const EVP_CIPHER *type, ENGINE *engine, const unsigned char *key,
                       const unsigned char *counter) {
    if (++cipher.calls == cipher.at) return 0;
    int (*init)(EVP_CIPHER_CTX *, const EVP_CIPHER *, ENGINE *, const unsigned char *, const unsigned char *);
    *(void **)&init = real("EVP_EncryptInit_ex");
    return init(context, type, engine, key, counter);
}

int EVP_EncryptUpdate(EVP_CIPHER_CTX *context, unsigned char *out, int *written, const unsigned char *in, int count) {
    bool faulty = ++cipher.calls == cipher.at;
    if (faulty && cipher.fault == FAIL) return 0;
    int (*update)(EVP_CIPHER_CTX *, unsigned char *, int *, const unsigned char *, int);
    *(void **)&update = real("EVP_EncryptUpdate");
    int done = update(context, out, written, in, count);
    if (faulty && cipher.fault == NOTHING) *written -= 16;
    if (faulty && cipher.fault == WRONG) out[0] ^= 1;
    return done;
}

static void all_is_well(void) {
    memset(&kernel, 0, sizeof kernel);
    memset(&cipher, 0, sizeof cipher);
    memset(&advice, 0, sizeof advice);
}

/* ---- A session ---- */

enum { PIECE = 1 << 16, PIECES = 48 }; /* 3 MiB: four keys from the kernel */

static bool is_zero(const unsigned char *byte, size_t count) {
    unsigned char bits = 0;
    for (size_t i = 0; i < count; i++) bits |= byte[i];
    return bits == 0;
}

/* A source that failed gives nothing, by any road, also when all is well again. */
static void stays_failed(dpn_rng *rng) {
    all_is_well();
    unsigned char out[200];
    uint64_t word = 77;
    dpn_error why = {0};
    for (size_t count = 1; count <= sizeof out; count++) {
        memset(out, 0x55, sizeof out);
        assert_int_equal(dpn_rng_bytes(out, rng, count, &why), DPN_EENTROPY);
        assert_true(is_zero(out, count));
        assert_true(why.status == DPN_EENTROPY && strncmp(why.sentence, "no random bits: ", 16) == 0);
    }
    assert_int_equal(dpn_rng_words(&word, rng, 1, NULL), DPN_EENTROPY);
    assert_true(word == 0);
    word = 77;
    assert_false(dpn_rng_word(rng, &word));
    assert_true(word == 77);
    assert_true(is_zero((const unsigned char *)rng->pool, sizeof *rng->pool));
}

/* Make a source and draw 3 MiB. Returns whether all of it came; if not, that nothing was left behind is checked. */
static bool session(dpn_error *why) {
    static unsigned char out[PIECE];
    dpn_rng *rng = (dpn_rng *)out;
    int before = unmapped;
    if (dpn_rng_new(&rng, why)) {
        assert_true(rng == (dpn_rng *)out);
        assert_true(why->status == DPN_EENTROPY && strncmp(why->sentence, "no random ", 10) == 0);
        assert_int_equal(unmapped_dirty, 0);
        return false;
    }
    bool whole = true;
    for (int i = 0; i < PIECES && whole; i++) {
        whole = !dpn_rng_bytes(out, rng, PIECE, why);
        if (whole) assert_false(is_zero(out, PIECE));
        if (!whole) assert_true(is_zero(out, PIECE));
    }
    if (!whole) stays_failed(rng);
    dpn_rng_free(rng);
    assert_int_equal(unmapped, before + 1);
    assert_int_equal(unmapped_dirty, 0);
    return whole;
}

/* ---- The kernel ---- */

static int calls_of_a_session(size_t most) {
    all_is_well();
    kernel.most = most;
    dpn_error why;
    assert_true(session(&why));
    return kernel.calls;
}

/* Every call of the session fails once, in every way, with whole and with short reads. */
static void the_kernel_fails_at_every_call(void **state) {
    (void)state;
    static const struct {
        enum fault fault;
        int error;
        const char *words;
    } ways[] = {
        {FAIL, ENOSYS, "no getrandom"},    {FAIL, EAGAIN, "not gathered enough"}, {FAIL, EFAULT, "getrandom failed"},
        {FAIL, EPERM, "getrandom failed"}, {FAIL, 0, "getrandom failed"},         {NOTHING, 0, "getrandom failed"},
        {TOO_MUCH, 0, "getrandom failed"},
    };
    static const size_t most[] = {0, 1, 31};
    for (size_t m = 0; m < sizeof most / sizeof *most; m++) {
        int calls = calls_of_a_session(most[m]);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            for (int k = 1; k <= calls; k += most[m] == 1 && k > 32 && k < calls - 33 ? 31 : 1) {
                all_is_well();
                kernel.most = most[m];
                kernel.at = k;
                kernel.fault = ways[w].fault;
                kernel.error = ways[w].error;
                dpn_error why;
                assert_false(session(&why));
                assert_non_null(strstr(why.sentence, ways[w].words));
            }
    }
}

static void short_reads_are_continued(void **state) {
    (void)state;
    int whole = calls_of_a_session(0);
    assert_int_equal(calls_of_a_session(1), 32 * whole);
    assert_int_equal(calls_of_a_session(31), 2 * whole);
}

static void interruptions_are_waited_out_but_not_for_ever(void **state) {
    (void)state;
    int calls = calls_of_a_session(0);
    dpn_error why;
    for (int k = 1; k <= calls; k++) {
        all_is_well();
        kernel.at = k;
        kernel.fault = FAIL;
        kernel.error = EINTR;
        assert_true(session(&why));
        assert_int_equal(kernel.calls, calls + 1);
    }
    all_is_well();
    kernel.at = 2;
    kernel.on = true;
    kernel.fault = FAIL;
    kernel.error = EINTR;
    assert_false(session(&why));
}

/* The kernel is asked after at most 1 MiB, and not much more often than that. */
static void reseeds_are_counted(void **state) {
    (void)state;
    all_is_well();
    dpn_rng *rng;
    assert_int_equal(dpn_rng_new(&rng, NULL), DPN_OK);
    assert_int_equal(kernel.calls, 1);
    uint64_t bytes = 0, word;
    for (int seeds = 1; seeds < 20;) {
        assert_true(dpn_rng_word(rng, &word) && bytes <= 1 << 20);
        if (kernel.calls > seeds) {
            assert_true(bytes <= 1 << 20 && bytes > (1 << 20) - 16384);
            bytes = 0;
            seeds = kernel.calls;
        }
        bytes += 8;
    }
    dpn_rng_free(rng);
}

static void a_kernel_that_cannot_wipe_is_refused(void **state) {
    (void)state;
    dpn_error why;
    all_is_well();
    advice.refuse_wipe = true;
    assert_false(session(&why));
    assert_non_null(strstr(why.sentence, "MADV_WIPEONFORK"));
    all_is_well();
    advice.accept_all = true;
    assert_false(session(&why));
    assert_non_null(strstr(why.sentence, "MADV_WIPEONFORK"));
    all_is_well();
    assert_true(session(&why));
}

/* ---- libcrypto ---- */

static void libcrypto_fails_at_every_call(void **state) {
    (void)state;
    all_is_well();
    dpn_error why;
    assert_true(session(&why));
    int calls = cipher.calls;
    assert_true(calls > 100);
    for (int k = 1; k <= calls; k += k < 20 || k > calls - 20 ? 1 : 7) {
        all_is_well();
        cipher.at = k;
        cipher.fault = FAIL;
        assert_false(session(&why));
        assert_non_null(strstr(why.sentence, "libcrypto"));
    }
}

/* Calls 1 to 4 are those of the start: the third encrypts the known answer. */
static void a_cipher_that_is_wrong_is_refused(void **state) {
    (void)state;
    dpn_error why;
    all_is_well();
    cipher.at = 3;
    cipher.fault = WRONG;
    assert_false(session(&why));
    assert_non_null(strstr(why.sentence, "known-answer"));
    for (int k = 3; k <= 6; k += 3) {
        all_is_well();
        cipher.at = k;
        cipher.fault = NOTHING;
        assert_false(session(&why));
    }
}

/* ---- Memory of libcrypto ---- */

static int allocations;
static int allow = -1; /* so many more allocations succeed; negative: all of them */

static void *allocate(size_t count, const char *file, int line) {
    (void)file, (void)line;
    allocations++;
    if (allow == 0) return NULL;
    if (allow > 0) allow--;
    return malloc(count);
}

static void *reallocate(void *memory, size_t count, const char *file, int line) {
    (void)file, (void)line;
    allocations++;
    if (allow == 0) return NULL;
    if (allow > 0) allow--;
    return realloc(memory, count);
}

static void release(void *memory, const char *file, int line) {
    (void)file, (void)line;
    free(memory);
}

static void libcrypto_allocates_only_at_the_start(void **state) {
    (void)state;
    all_is_well();
    dpn_rng *rng;
    assert_int_equal(dpn_rng_new(&rng, NULL), DPN_OK);
    int before = allocations;
    assert_true(before > 0);
    uint64_t word;
    for (int i = 0; i < 1000000; i++) assert_true(dpn_rng_word(rng, &word));
    assert_int_equal(allocations, before);
    dpn_rng_free(rng);
}

static void no_memory_for_libcrypto(void **state) {
    (void)state;
    all_is_well();
    bool whole = false;
    int k = 0;
    for (; !whole && k < 1000; k++) {
        dpn_rng *rng = NULL;
        dpn_error why;
        allow = k;
        dpn_status status = dpn_rng_new(&rng, &why);
        whole = status == DPN_OK && allow != 0;
        allow = -1;
        assert_true(status == DPN_OK || status == DPN_EENTROPY);
        dpn_rng_free(rng);
    }
    assert_true(whole && k > 2);
}

int main(void) {
    if (CRYPTO_set_mem_functions(allocate, reallocate, release) != 1) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_reads_are_continued),
        cmocka_unit_test(the_kernel_fails_at_every_call),
        cmocka_unit_test(interruptions_are_waited_out_but_not_for_ever),
        cmocka_unit_test(reseeds_are_counted),
        cmocka_unit_test(a_kernel_that_cannot_wipe_is_refused),
        cmocka_unit_test(libcrypto_fails_at_every_call),
        cmocka_unit_test(a_cipher_that_is_wrong_is_refused),
        cmocka_unit_test(libcrypto_allocates_only_at_the_start),
        cmocka_unit_test(no_memory_for_libcrypto),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
