/* The chain of tags: HMAC-SHA256 under the ledger's key. docs/proofs/ledger/ledger.md, step 3. */
#ifndef DPN_LEDGER_CHAIN_H
#define DPN_LEDGER_CHAIN_H

#include <dpnoise/ledger.h>
#include <dpnoise/status.h>
#include <stddef.h>
#include <stdint.h>

enum { DPN_TAG_SIZE = 32 };

typedef struct dpn_chain dpn_chain;

/* Errors   DPN_ENOMEM, also if libcrypto refuses. Free with dpn_chain_free, which accepts NULL. */
dpn_status dpn_chain_new(dpn_chain **out, const unsigned char *key, size_t length, dpn_error *why);
void dpn_chain_free(dpn_chain *chain);

/* The tag of entry `number` with this text after an entry with the tag `before`, which is all zero before the first.
 * A stored result is tagged in the same way, after the entry that it belongs to, but never mistaken for one.
 * Errors   DPN_ENOMEM, if libcrypto refuses. */
dpn_status dpn_chain_entry(unsigned char out[DPN_TAG_SIZE], dpn_chain *chain, const unsigned char before[DPN_TAG_SIZE],
                           uint64_t number, const char *text, size_t length, dpn_error *why);
dpn_status dpn_chain_result(unsigned char out[DPN_TAG_SIZE], dpn_chain *chain, const unsigned char entry[DPN_TAG_SIZE],
                            uint64_t number, const char *text, size_t length, dpn_error *why);

/* A tag of a text alone, which is none of an entry or a result.
 * Errors   DPN_ENOMEM, if libcrypto refuses. */
dpn_status dpn_chain_name(unsigned char out[DPN_TAG_SIZE], dpn_chain *chain, const char *text, size_t length,
                          dpn_error *why);

/* Whether two tags agree, in a time that does not depend on where they differ. */
bool dpn_tag_equal(const unsigned char a[DPN_TAG_SIZE], const unsigned char b[DPN_TAG_SIZE]);

dpn_head dpn_head_make(uint64_t number, const unsigned char tag[DPN_TAG_SIZE]);

/* SHA-256 in hexadecimal.
 * Errors   DPN_ENOMEM, if libcrypto refuses. */
dpn_status dpn_hash(char out[65], const char *text, size_t length, dpn_error *why);

#endif
