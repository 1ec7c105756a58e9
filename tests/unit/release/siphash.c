#include "unit/release/siphash.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <stdlib.h>

uint64_t siphash(const uint64_t key[2], const void *bytes, size_t length) {
    unsigned char key_bytes[16], out[8];
    for (int i = 0; i < 16; i++) key_bytes[i] = (unsigned char)(key[i / 8] >> 8 * (i % 8));
    size_t size = sizeof out, written;
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_construct_end()};
    static EVP_MAC *mac; /* of the process, for good */
    if (!mac) mac = EVP_MAC_fetch(NULL, "SIPHASH", NULL);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    if (!context || !EVP_MAC_init(context, key_bytes, sizeof key_bytes, parameters) ||
        !EVP_MAC_update(context, bytes, length) || !EVP_MAC_final(context, out, &written, sizeof out) ||
        written != sizeof out)
        abort();
    EVP_MAC_CTX_free(context);
    uint64_t hash = 0;
    for (int i = 0; i < 8; i++) hash |= (uint64_t)out[i] << 8 * i;
    return hash;
}
