/* SipHash-2-4: a short pseudo-random function with a secret key. */
#ifndef DPN_TALLY_KEYED_HASH_H
#define DPN_TALLY_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

/* It serves where data choose the input. As the hash of a table: without the key nobody can choose keys that collide. As a
 * lottery: who does not know the key cannot tell its values from random ones. AES would do the same; a block of it costs a
 * call into libcrypto that is ten times as long, and nothing that is computed here ever leaves the process.
 * Ref      Aumasson, Bernstein 2012. */
typedef struct dpn_hash_key {
    uint64_t word[2];
} dpn_hash_key;

uint64_t dpn_keyed_hash(const dpn_hash_key *key, const void *bytes, size_t length);

#endif
