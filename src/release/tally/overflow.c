/* Blocks of a file without a name. */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp */
#include "release/tally/overflow.h"

#include "base/error.h"
#include "random/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that never had a name, or, where the file system has no such files, one whose name is taken away at once. */
static int open_nameless(const char *directory) {
    int descriptor = -1;
#ifdef O_TMPFILE
    descriptor = open(directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor >= 0) return descriptor;
#endif
    static const char pattern[] = "/.dpnoise-XXXXXX";
    size_t length = strlen(directory);
    char *name = malloc(length + sizeof pattern);
    if (!name) return -1;
    memcpy(name, directory, length);
    memcpy(name + length, pattern, sizeof pattern);
    descriptor = mkostemp(name, O_CLOEXEC);
    if (descriptor >= 0 && unlink(name) != 0) {
        close(descriptor);
        descriptor = -1;
    }
    free(name);
    return descriptor;
}

dpn_status dpn_overflow_open(dpn_overflow **out, const char *directory, size_t block, dpn_error *why) {
    dpn_overflow *file = calloc(1, sizeof *file);
    if (!file) return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    file->block = block;
    atomic_init(&file->end, 0);
    file->descriptor = open_nameless(directory);
    dpn_status status = DPN_OK;
    if (file->descriptor < 0)
        status = dpn_fail(why, DPN_EIO, "no file can be made for keys and persons that do not fit in memory (error %d)",
                          errno);
    else if (dpn_kernel_random(file->key, sizeof file->key))
        status = dpn_fail(why, DPN_EENTROPY, "no random bits: the kernel's getrandom failed");
    if (status)
        dpn_overflow_close(file);
    else
        *out = file;
    return status;
}

void dpn_overflow_close(dpn_overflow *file) {
    if (!file) return;
    if (file->descriptor >= 0) close(file->descriptor);
    explicit_bzero(file->key, sizeof file->key);
    free(file);
}

uint64_t dpn_overflow_claim(dpn_overflow *file) {
    return atomic_fetch_add(&file->end, file->block);
}

/* The counter of the cipher is the number of its block in the file. */
static bool apply_stream(const dpn_overflow *file, void *cipher, uint64_t at, unsigned char *block) {
    unsigned char counter[DPN_CIPHER_BLOCK_BYTES] = {0};
    uint64_t number = at / DPN_CIPHER_BLOCK_BYTES;
    for (int i = 0; i < 8; i++) counter[DPN_CIPHER_BLOCK_BYTES - 1 - i] = (unsigned char)(number >> 8 * i);
    return dpn_cipher_stream(cipher, file->key, counter, block, file->block);
}

static dpn_status no_cipher(dpn_error *why) {
    return dpn_fail(why, DPN_EIO, "libcrypto's AES-256-CTR failed");
}

dpn_status dpn_overflow_write(dpn_overflow *file, void *cipher, uint64_t at, unsigned char *block, dpn_error *why) {
    if (!apply_stream(file, cipher, at, block)) return no_cipher(why);
    for (size_t done = 0; done < file->block;) {
        ssize_t written = pwrite(file->descriptor, block + done, file->block - done, (off_t)(at + done));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0)
            return dpn_fail(why, DPN_EIO,
                            "the disk does not take keys and persons that do not fit in memory (error %d)",
                            written < 0 ? errno : 0);
        done += (size_t)written;
    }
    return DPN_OK;
}

dpn_status dpn_overflow_read(const dpn_overflow *file, void *cipher, uint64_t at, unsigned char *block,
                             dpn_error *why) {
    for (size_t done = 0; done < file->block;) {
        ssize_t got = pread(file->descriptor, block + done, file->block - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            return dpn_fail(why, DPN_EIO, "the disk does not give back keys and persons that were put there (error %d)",
                            got < 0 ? errno : 0);
        done += (size_t)got;
    }
    return apply_stream(file, cipher, at, block) ? DPN_OK : no_cipher(why);
}
