/* The file for what does not fit in memory, over calls of the system that give little at a time, are interrupted or fail, and against AES-256-CTR of libcrypto. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "random/kernel.h"

/* What the next calls do; after them all is as the system has it. */
enum { MOST_CALLS = 8 };
typedef struct script {
    ssize_t gives[MOST_CALLS]; /* at most so many bytes; -1: fails */
    int error[MOST_CALLS];     /* what errno is then, whether it fails or not */
    int calls, at;
} script;
static script reading, writing;
static bool no_nameless_files, no_unlink, no_random, no_memory_for_names;
static int opened, closed;
static off_t block_at, block_end; /* of the block that is written or read: no call goes beyond it, or 0 */
static bool beyond;

static bool answered(ssize_t *out, script *by, size_t *length) {
    if (by->at >= by->calls) return false;
    ssize_t gives = by->gives[by->at];
    errno = by->error[by->at++];
    if (gives > 0 && (size_t)gives < *length) *length = (size_t)gives;
    *out = gives;
    return gives <= 0;
}

/* Places that are too far for a disk lie near in it. */
static off_t folded(off_t at) {
    return at % (1 << 26);
}

static ssize_t told_pread(int file, void *bytes, size_t length, off_t at) {
    ssize_t out;
    beyond |= block_end > 0 && (at < block_at || at + (off_t)length != block_end);
    return answered(&out, &reading, &length) ? out : pread(file, bytes, length, folded(at));
}

static ssize_t told_pwrite(int file, const void *bytes, size_t length, off_t at) {
    ssize_t out;
    beyond |= block_end > 0 && (at < block_at || at + (off_t)length != block_end);
    return answered(&out, &writing, &length) ? out : pwrite(file, bytes, length, folded(at));
}

static int told_open(const char *name, int flags, unsigned mode) {
    if (no_nameless_files) return errno = EOPNOTSUPP, -1;
    int made = open(name, flags, (mode_t)mode);
    opened += made >= 0;
    return made;
}

static int told_mkostemp(char *name, int flags) {
    int made = mkostemp(name, flags);
    opened += made >= 0;
    return made;
}

static int told_unlink(const char *name) {
    int done = unlink(name);
    return no_unlink ? -1 : done;
}

static int told_close(int file) {
    closed++;
    return close(file);
}

static void *told_malloc(size_t size) {
    return no_memory_for_names ? NULL : malloc(size);
}

static int told_random(void *out, size_t count) {
    return no_random ? 1 : dpn_kernel_random(out, count);
}

#define dpn_kernel_random told_random
#define malloc told_malloc
#define pread told_pread
#define pwrite told_pwrite
#define open told_open
#define mkostemp told_mkostemp
#define unlink told_unlink
#define close told_close
#include "release/tally/overflow.c"
#undef malloc
#undef pread
#undef pwrite
#undef open
#undef mkostemp
#undef unlink
#undef close

#include "reference/draw.h"

#include <dirent.h>
#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { BLOCK = 96 };

static dpn_overflow *made(size_t block) {
    dpn_overflow *file = NULL;
    dpn_error why;
    if (dpn_overflow_open(&file, "/tmp", block, &why)) fail_msg("%s", why.sentence);
    return file;
}

/* AES-256-CTR, whose counter is the place in the file in units of 16 bytes, the highest byte first, before which come eight zeros. */
static void assert_stream(const dpn_overflow *file, uint64_t at, const unsigned char *clear,
                          const unsigned char *stored) {
    unsigned char counter[16] = {0}, expected[BLOCK];
    int length = 0;
    for (int i = 0; i < 8; i++) counter[8 + i] = (unsigned char)(at / 16 >> (56 - 8 * i));
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    assert_int_equal(EVP_EncryptInit_ex(cipher, EVP_aes_256_ctr(), NULL, file->key, counter), 1);
    assert_int_equal(EVP_EncryptUpdate(cipher, expected, &length, clear, BLOCK), 1);
    EVP_CIPHER_CTX_free(cipher);
    assert_memory_equal(stored, expected, BLOCK);
}

static void some_bytes(unsigned char *out, draw_source *source) {
    for (size_t i = 0; i < BLOCK; i++) out[i] = draw_bits(source) & 255;
}

/* Blocks come back, and on the disk each is its bytes under the part of the stream that belongs to its place: also where the counter needs many bytes. */
static void blocks_come_back_and_are_encrypted(void **state) {
    (void)state;
    draw_source source = {1};
    dpn_overflow *file = made(BLOCK);
    void *cipher = dpn_cipher_new();
    unsigned char clear[12][BLOCK], block[BLOCK];
    static const uint64_t far[] = {
        0x1000, 0x23450, 0x3000000, UINT64_C(0x123456780), UINT64_C(0x123456789ab0), UINT64_C(0x7edcba9876543210)};
    uint64_t at[12];
    for (size_t i = 0; i < 12; i++) {
        at[i] = i < 6 ? dpn_overflow_claim(file) : far[i - 6];
        if (i < 6) assert_int_equal(at[i], i * BLOCK);
        some_bytes(clear[i], &source);
        memcpy(block, clear[i], BLOCK);
        assert_int_equal(dpn_overflow_write(file, cipher, at[i], block, NULL), DPN_OK);
    }
    for (size_t i = 12; i-- > 0;) {
        assert_int_equal(pread(file->descriptor, block, BLOCK, folded((off_t)at[i])), BLOCK);
        assert_stream(file, at[i], clear[i], block);
        assert_int_equal(dpn_overflow_read(file, cipher, at[i], block, NULL), DPN_OK);
        assert_memory_equal(block, clear[i], BLOCK);
    }
    dpn_overflow *other = made(BLOCK);
    assert_memory_not_equal(other->key, file->key, sizeof file->key);
    dpn_cipher_free(cipher);
    dpn_overflow_close(other);
    dpn_overflow_close(file);
    dpn_overflow_close(NULL);
}

/* A write or a read that is interrupted, or does a part, goes on where it was; errno of a call that did something says nothing. */
static void parts_and_interruptions_are_gone_on_with(void **state) {
    (void)state;
    static const script calls[] = {
        {{-1, -1, 1, -1, 7, BLOCK}, {EINTR, EINTR, 0, EINTR, 0, 0}, 6, 0},
        {{1, 1, 1, 20}, {EINTR, EINTR, EINTR, EIO}, 4, 0},
        {{BLOCK}, {EINTR}, 1, 0},
        {{BLOCK - 1, 1}, {EIO, EINTR}, 2, 0},
    };
    draw_source source = {2};
    dpn_overflow *file = made(BLOCK);
    void *cipher = dpn_cipher_new();
    unsigned char clear[BLOCK], block[BLOCK], stored[BLOCK];
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        uint64_t at = dpn_overflow_claim(file);
        some_bytes(clear, &source);
        memcpy(block, clear, BLOCK);
        writing = reading = calls[i];
        block_end = (block_at = (off_t)at) + BLOCK;
        assert_int_equal(dpn_overflow_write(file, cipher, at, block, NULL), DPN_OK);
        assert_int_equal(writing.at, writing.calls);
        assert_int_equal(pread(file->descriptor, stored, BLOCK, (off_t)at), BLOCK);
        assert_stream(file, at, clear, stored);
        memset(block, 0, BLOCK);
        assert_int_equal(dpn_overflow_read(file, cipher, at, block, NULL), DPN_OK);
        assert_int_equal(reading.at, reading.calls);
        assert_memory_equal(block, clear, BLOCK);
    }
    assert_false(beyond);
    block_end = 0;
    writing = reading = (script){0};
    dpn_cipher_free(cipher);
    dpn_overflow_close(file);
}

/* Any other error ends it, with its number; nothing written or read is no progress, whatever errno is. */
static void other_errors_end_it(void **state) {
    (void)state;
    static const struct {
        script calls;
        const char *number;
    } bad[] = {
        {{{-1}, {EIO}, 1, 0}, "(error 5)"},
        {{{5, -1}, {0, ENOSPC}, 2, 0}, "(error 28)"},
        {{{-1, -1}, {EINTR, EIO}, 2, 0}, "(error 5)"},
        {{{0}, {EINTR}, 1, 0}, "(error 0)"},
        {{{9, 0}, {EINTR, EIO}, 2, 0}, "(error 0)"},
    };
    dpn_overflow *file = made(BLOCK);
    void *cipher = dpn_cipher_new();
    unsigned char block[BLOCK] = {0};
    assert_int_equal(dpn_overflow_write(file, cipher, 0, block, NULL), DPN_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_error why = {DPN_OK, ""};
        writing = bad[i].calls;
        assert_int_equal(dpn_overflow_write(file, cipher, BLOCK, block, &why), DPN_EIO);
        assert_int_equal(writing.at, writing.calls);
        assert_non_null(strstr(why.sentence, bad[i].number));
        assert_non_null(strstr(why.sentence, "does not take"));
        reading = bad[i].calls;
        assert_int_equal(dpn_overflow_read(file, cipher, 0, block, &why), DPN_EIO);
        assert_int_equal(reading.at, reading.calls);
        assert_non_null(strstr(why.sentence, bad[i].number));
        assert_non_null(strstr(why.sentence, "does not give back"));
    }
    writing = reading = (script){0};
    errno = EINTR; /* the end of the file is no interruption */
    assert_int_equal(dpn_overflow_read(file, cipher, 1000 * BLOCK, block, NULL), DPN_EIO);
    dpn_cipher_free(cipher);
    dpn_overflow_close(file);
}

static int names_in(const char *directory) {
    DIR *list = opendir(directory);
    int names = 0;
    for (const struct dirent *entry = readdir(list); entry; entry = readdir(list))
        names += entry->d_name[0] != '.' || entry->d_name[1] == 'd';
    closedir(list);
    return names;
}

/* No name is left, for nobody else can the file be opened, and what cannot be had leaves nothing open. */
static void files_have_no_name(void **state) {
    (void)state;
    char directory[] = "/tmp/dpn-overflow-XXXXXX";
    assert_non_null(mkdtemp(directory));
    for (int named = 0; named < 2; named++) {
        no_nameless_files = named;
        dpn_overflow *file = NULL;
        struct stat is;
        assert_int_equal(dpn_overflow_open(&file, directory, 512, NULL), DPN_OK);
        assert_int_equal(names_in(directory), 0);
        assert_int_equal(file->block, 512);
        assert_int_equal(fstat(file->descriptor, &is), 0);
        assert_int_equal(is.st_mode & 0777, 0600);
        assert_int_equal(is.st_nlink, 0);
        assert_int_equal(fcntl(file->descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
        dpn_overflow_close(file);
        assert_int_equal(opened, closed);
        for (int fault = 0; fault < 4; fault++) {
            if ((fault == 0 || fault == 3) && !named) continue;
            dpn_overflow *none = NULL;
            no_unlink = fault == 0;
            no_random = fault == 1;
            no_memory_for_names = fault == 3;
            dpn_status expected = fault == 1 ? DPN_EENTROPY : DPN_EIO;
            assert_int_equal(dpn_overflow_open(&none, fault == 2 ? "/tmp/dpn-not-there" : directory, 512, NULL),
                             expected);
            assert_null(none);
            assert_int_equal(opened, closed);
            no_unlink = no_random = no_memory_for_names = false;
        }
    }
    no_nameless_files = false;
    assert_int_equal(rmdir(directory), 0);
}

/* A descriptor of 0, which a process without standard input may get, is one. */
static void the_first_descriptor_is_one_too(void **state) {
    (void)state;
    char directory[] = "/tmp/dpn-overflow-XXXXXX";
    assert_non_null(mkdtemp(directory));
    int kept = dup(0);
    close(0);
    dpn_overflow *file = NULL;
    for (int named = 0; named < 2; named++) {
        no_nameless_files = named;
        dpn_status status = dpn_overflow_open(&file, directory, 512, NULL);
        bool first = !status && file->descriptor == 0;
        if (!status) dpn_overflow_close(file);
        bool open_still = fcntl(0, F_GETFD) != -1;
        if (!first || open_still) {
            if (kept >= 0) dup2(kept, 0);
            fail_msg("descriptor 0 is not taken, or stays open");
        }
    }
    no_nameless_files = false;
    if (kept >= 0) {
        dup2(kept, 0);
        close(kept);
    }
    assert_int_equal(rmdir(directory), 0); /* it is empty */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_come_back_and_are_encrypted),
        cmocka_unit_test(parts_and_interruptions_are_gone_on_with),
        cmocka_unit_test(other_errors_end_it),
        cmocka_unit_test(files_have_no_name),
        cmocka_unit_test(the_first_descriptor_is_one_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
