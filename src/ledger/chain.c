/* The chain of tags. */
#include "ledger/chain.h"

#include "base/error.h"
#include "base/text/hex.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dpn_chain {
    EVP_MAC *mac;
    EVP_MAC_CTX *keyed;
};

/* libcrypto notes its errors in a queue of the thread, which belongs to our caller: it is left as it was. */
static dpn_status after(bool good, const char *what, dpn_error *why) {
    if (good) {
        ERR_clear_last_mark();
        return DPN_OK;
    }
    ERR_pop_to_mark();
    return dpn_fail(why, DPN_ENOMEM, "libcrypto does not %s", what);
}

dpn_status dpn_chain_new(dpn_chain **out, const unsigned char *key, size_t length, dpn_error *why) {
    dpn_chain *chain = calloc(1, sizeof *chain);
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                               OSSL_PARAM_construct_end()};
    ERR_set_mark();
    if (chain) chain->mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    if (chain && chain->mac) chain->keyed = EVP_MAC_CTX_new(chain->mac);
    bool good = chain && chain->keyed && EVP_MAC_init(chain->keyed, key, length, parameters);
    dpn_status status = after(good, "give an HMAC", why);
    if (status) {
        dpn_chain_free(chain);
        return status;
    }
    *out = chain;
    return DPN_OK;
}

void dpn_chain_free(dpn_chain *chain) {
    if (!chain) return;
    EVP_MAC_CTX_free(chain->keyed);
    EVP_MAC_free(chain->mac);
    free(chain);
}

static void put_number(unsigned char out[8], uint64_t number) {
    for (int i = 0; i < 8; i++) out[i] = (unsigned char)(number >> (56 - 8 * i));
}

/* What is tagged has one reading: all but the text has a fixed length. */
static dpn_status tag(unsigned char out[DPN_TAG_SIZE], dpn_chain *chain, unsigned char label,
                      const unsigned char before[DPN_TAG_SIZE], uint64_t number, const char *text, size_t length,
                      dpn_error *why) {
    unsigned char fixed[1 + DPN_TAG_SIZE + 8], made[DPN_TAG_SIZE];
    size_t size = 0;
    fixed[0] = label;
    memcpy(fixed + 1, before, DPN_TAG_SIZE);
    put_number(fixed + 1 + DPN_TAG_SIZE, number);
    ERR_set_mark();
    bool good = EVP_MAC_init(chain->keyed, NULL, 0, NULL) && EVP_MAC_update(chain->keyed, fixed, sizeof fixed) &&
                EVP_MAC_update(chain->keyed, (const unsigned char *)text, length) &&
                EVP_MAC_final(chain->keyed, made, &size, sizeof made) && size == sizeof made;
    dpn_status status = after(good, "compute an HMAC", why);
    if (status) return status;
    memcpy(out, made, sizeof made);
    return DPN_OK;
}

dpn_status dpn_chain_entry(unsigned char out[DPN_TAG_SIZE], dpn_chain *chain, const unsigned char before[DPN_TAG_SIZE],
                           uint64_t number, const char *text, size_t length, dpn_error *why) {
    return tag(out, chain, 'E', before, number, text, length, why);
}

dpn_status dpn_chain_result(unsigned char out[DPN_TAG_SIZE], dpn_chain *chain, const unsigned char entry[DPN_TAG_SIZE],
                            uint64_t number, const char *text, size_t length, dpn_error *why) {
    return tag(out, chain, 'R', entry, number, text, length, why);
}

dpn_status dpn_chain_name(unsigned char out[DPN_TAG_SIZE], dpn_chain *chain, const char *text, size_t length,
                          dpn_error *why) {
    static const unsigned char none[DPN_TAG_SIZE];
    return tag(out, chain, 'N', none, 0, text, length, why);
}

bool dpn_tag_equal(const unsigned char a[DPN_TAG_SIZE], const unsigned char b[DPN_TAG_SIZE]) {
    return CRYPTO_memcmp(a, b, DPN_TAG_SIZE) == 0;
}

/* ---- Heads ---- */

dpn_head dpn_head_make(uint64_t number, const unsigned char all[DPN_TAG_SIZE]) {
    dpn_head head = {.number = number};
    memcpy(head.tag, all, sizeof head.tag);
    return head;
}

char *dpn_head_print(char text[DPN_HEAD_TEXT_SIZE], const dpn_head *head) {
    int used = snprintf(text, DPN_HEAD_TEXT_SIZE, "%llu:", (unsigned long long)head->number);
    dpn_hex_write(text + used, head->tag, sizeof head->tag);
    return text;
}

dpn_status dpn_head_parse(dpn_head *out, const char *text, dpn_error *why) {
    dpn_head head = {0};
    const char *colon = strchr(text, ':');
    bool good = colon && colon > text && colon - text <= 18 && text[0] != '0';
    for (const char *digit = text; good && digit < colon; digit++) {
        good = *digit >= '0' && *digit <= '9';
        if (good) head.number = 10 * head.number + (uint64_t)(*digit - '0');
    }
    if (!good || !dpn_hex_read(head.tag, sizeof head.tag, colon + 1, strlen(colon + 1)))
        return dpn_fail(why, DPN_EPARSE, "'%.40s' is not a head: a number, a colon and 16 hexadecimal digits", text);
    *out = head;
    return DPN_OK;
}

dpn_status dpn_hash(char out[65], const char *text, size_t length, dpn_error *why) {
    unsigned char digest[32];
    unsigned size = 0;
    ERR_set_mark();
    bool good = EVP_Digest(text, length, digest, &size, EVP_sha256(), NULL) && size == sizeof digest;
    dpn_status status = after(good, "compute SHA-256", why);
    if (status) return status;
    dpn_hex_write(out, digest, sizeof digest);
    return DPN_OK;
}
