/* AES-256 in counter mode, from libcrypto. */
#ifndef DPN_RANDOM_CIPHER_H
#define DPN_RANDOM_CIPHER_H

#include <stdbool.h>
#include <stddef.h>

enum { DPN_CIPHER_KEY_BYTES = 32, DPN_CIPHER_BLOCK_BYTES = 16 };

/* A cipher, opaque here; NULL on failure. Everything that libcrypto needs is allocated now, none of it later. */
void *dpn_cipher_new(void);
void dpn_cipher_free(void *cipher); /* wipes; accepts NULL */

/* Add to text the key stream that begins at this counter block; zeros become the stream itself. No key stays behind in
 * the cipher. False on failure, with text in any state.
 * Domain   count is a multiple of DPN_CIPHER_BLOCK_BYTES. */
bool dpn_cipher_stream(void *cipher, const unsigned char key[DPN_CIPHER_KEY_BYTES],
                       const unsigned char counter[DPN_CIPHER_BLOCK_BYTES], unsigned char *text, size_t count);

/* Whether the cipher gives the known answer of NIST SP 800-38A, F.5.5. */
bool dpn_cipher_known_answer(void *cipher);

#endif
