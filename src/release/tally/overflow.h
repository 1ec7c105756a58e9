/* The file for keys and persons that do not fit in memory: without a name, for this process alone, and encrypted with a key that is
 * nowhere but in its memory, so that what is left on the disk afterwards tells nothing.
 *
 * It is a heap of blocks of one size. Each is written once, at an offset of its own, so that no part of the key stream is used
 * twice. Several threads may write and read, each with a cipher of its own. */
#ifndef DPN_TALLY_OVERFLOW_H
#define DPN_TALLY_OVERFLOW_H

#include "random/cipher.h"

#include <dpnoise/status.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct dpn_overflow {
    int descriptor;
    size_t block; /* bytes; a multiple of those of the cipher */
    atomic_uint_least64_t end;
    unsigned char key[DPN_CIPHER_KEY_BYTES];
} dpn_overflow;

/* A file in this directory.
 * Errors   DPN_EIO, DPN_EENTROPY, DPN_ENOMEM. */
dpn_status dpn_overflow_open(dpn_overflow **out, const char *directory, size_t block, dpn_error *why);
void dpn_overflow_close(dpn_overflow *file); /* accepts NULL */

/* The offset of a block that nobody else has. */
uint64_t dpn_overflow_claim(dpn_overflow *file);

/* Write a block, whose bytes are lost by that, or read one.
 * Errors   DPN_EIO, with a sentence that says nothing of how much there is. */
dpn_status dpn_overflow_write(dpn_overflow *file, void *cipher, uint64_t at, unsigned char *block, dpn_error *why);
dpn_status dpn_overflow_read(const dpn_overflow *file, void *cipher, uint64_t at, unsigned char *block, dpn_error *why);

#endif
