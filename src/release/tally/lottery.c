/* Lots of groups and of rows. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/lottery.h"

#include "random/digest.h"

#include <string.h>

/* ---- Of any length ---- */

static void begin(dpn_digest *digest, const dpn_ticket *ticket, const char *what, size_t length) {
    const dpn_lottery *lottery = ticket->lottery;
    dpn_digest_begin(digest);
    dpn_digest_field(digest, what, length);
    dpn_digest_field(digest, lottery->secret.byte, sizeof lottery->secret.byte);
    dpn_digest_field(digest, ticket->person, ticket->length);
    for (size_t i = 0; i < lottery->groupings; i++) {
        dpn_field key = ticket->text(ticket->context, ticket->group, i);
        dpn_digest_field(digest, key.text, key.length);
    }
}

static dpn_lot end(dpn_digest *digest) {
    unsigned char bytes[DPN_DIGEST_SIZE];
    dpn_lot lot = {0, 0};
    dpn_digest_end(bytes, digest);
    for (int i = 0; i < 8; i++) {
        lot.high = lot.high << 8 | bytes[i];
        lot.low = lot.low << 8 | bytes[8 + i];
    }
    return lot;
}

static dpn_lot long_lot_of_group(const dpn_ticket *ticket) {
    dpn_digest digest;
    begin(&digest, ticket, "group", 5);
    return end(&digest);
}

static dpn_lot long_lot_of_row(const dpn_ticket *ticket, const int64_t *record, uint64_t copy) {
    size_t numbers = ticket->lottery->record;
    dpn_digest digest;
    begin(&digest, ticket, "row", 3);
    dpn_digest_number(&digest, 8 * (uint64_t)numbers);
    for (size_t i = 0; i < numbers; i++) dpn_digest_number(&digest, (uint64_t)record[i]);
    dpn_digest_number(&digest, 8);
    dpn_digest_number(&digest, copy);
    return end(&digest);
}

/* ---- Short ones, which are most: the same bytes, side by side in one message ---- */

typedef struct message {
    unsigned char byte[DPN_DIGEST_BUFFER];
    size_t length; /* beyond DPN_DIGEST_SHORT: it did not fit */
} message;

static inline void put(message *out, const void *bytes, size_t length) {
    if (out->length > DPN_DIGEST_SHORT || length > DPN_DIGEST_SHORT - out->length) {
        out->length = SIZE_MAX;
        return;
    }
    if (length > 0) memcpy(out->byte + out->length, bytes, length);
    out->length += length;
}

static inline void put_number(message *out, uint64_t number) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(number >> 8 * i);
    put(out, bytes, sizeof bytes);
}

static inline void put_field(message *out, const void *bytes, size_t length) {
    put_number(out, length);
    put(out, bytes, length);
}

static inline void begin_short(message *out, const dpn_ticket *ticket, const char *what, size_t length) {
    const dpn_lottery *lottery = ticket->lottery;
    out->length = 0;
    put_field(out, what, length);
    put_field(out, lottery->secret.byte, sizeof lottery->secret.byte);
    put_field(out, ticket->person, ticket->length);
    for (size_t i = 0; i < lottery->groupings; i++) {
        dpn_field key = ticket->text(ticket->context, ticket->group, i);
        put_field(out, key.text, key.length);
    }
}

static inline dpn_lot end_short(message *from) {
    uint32_t word[8];
    dpn_digest_short(word, from->byte, from->length);
    return (dpn_lot){(uint64_t)word[0] << 32 | word[1], (uint64_t)word[2] << 32 | word[3]};
}

static dpn_lot too_long(message *from, dpn_lot lot) {
    explicit_bzero(from->byte, sizeof from->byte);
    return lot;
}

dpn_lot dpn_lot_of_group(const dpn_ticket *ticket) {
    message bytes;
    begin_short(&bytes, ticket, "group", 5);
    return bytes.length <= DPN_DIGEST_SHORT ? end_short(&bytes) : too_long(&bytes, long_lot_of_group(ticket));
}

dpn_lot dpn_lot_of_row(const dpn_ticket *ticket, const int64_t *record, uint64_t copy) {
    size_t numbers = ticket->lottery->record;
    message bytes;
    begin_short(&bytes, ticket, "row", 3);
    put_number(&bytes, 8 * (uint64_t)numbers);
    for (size_t i = 0; i < numbers; i++) put_number(&bytes, (uint64_t)record[i]);
    put_number(&bytes, 8);
    put_number(&bytes, copy);
    return bytes.length <= DPN_DIGEST_SHORT ? end_short(&bytes)
                                            : too_long(&bytes, long_lot_of_row(ticket, record, copy));
}
