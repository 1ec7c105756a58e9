/* Lots of groups and of rows. */
#include "release/tally/lottery.h"

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

#define INLINE static inline __attribute__((always_inline)) /* so that most lengths are constants */

typedef struct message {
    unsigned char *byte;
    size_t length; /* beyond DPN_DIGEST_SHORT: it did not fit */
} message;

INLINE void put(message *out, const void *bytes, size_t length) {
    if (out->length > DPN_DIGEST_SHORT || length > DPN_DIGEST_SHORT - out->length) {
        out->length = SIZE_MAX;
        return;
    }
    if (length > 0) memcpy(out->byte + out->length, bytes, length);
    out->length += length;
}

INLINE void put_number(message *out, uint64_t number) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(number >> 8 * i);
    put(out, bytes, sizeof bytes);
}

INLINE void put_field(message *out, const void *bytes, size_t length) {
    put_number(out, length);
    put(out, bytes, length);
}

INLINE message begin_short(dpn_digest_series *series, const dpn_ticket *ticket, const char *what, size_t length) {
    const dpn_lottery *lottery = ticket->lottery;
    message out = {series->message, 0};
    put_field(&out, what, length);
    put_field(&out, lottery->secret.byte, sizeof lottery->secret.byte);
    put_field(&out, ticket->person, ticket->length);
    for (size_t i = 0; i < lottery->groupings; i++) {
        dpn_field key = ticket->text(ticket->context, ticket->group, i);
        put_field(&out, key.text, key.length);
    }
    return out;
}

static dpn_lot end_short(dpn_digest_series *series, size_t length) {
    uint32_t word[8];
    dpn_digest_next(word, series, length);
    return (dpn_lot){(uint64_t)word[0] << 32 | word[1], (uint64_t)word[2] << 32 | word[3]};
}

dpn_lot dpn_lot_of_group(dpn_drum *drum, const dpn_ticket *ticket) {
    message said = begin_short(&drum->group, ticket, "group", 5);
    return said.length <= DPN_DIGEST_SHORT ? end_short(&drum->group, said.length) : long_lot_of_group(ticket);
}

dpn_lot dpn_lot_of_row(dpn_drum *drum, const dpn_ticket *ticket, const int64_t *record, uint64_t copy) {
    size_t numbers = ticket->lottery->record;
    message said = begin_short(&drum->row, ticket, "row", 3);
    put_number(&said, 8 * (uint64_t)numbers);
    for (size_t i = 0; i < numbers; i++) put_number(&said, (uint64_t)record[i]);
    put_number(&said, 8);
    put_number(&said, copy);
    return said.length <= DPN_DIGEST_SHORT ? end_short(&drum->row, said.length) : long_lot_of_row(ticket, record, copy);
}

void dpn_drum_end(dpn_drum *drum) {
    dpn_digest_series_end(&drum->group);
    dpn_digest_series_end(&drum->row);
}
