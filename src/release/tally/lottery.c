/* Lots of groups and of rows. */
#include "release/tally/lottery.h"

#include "random/digest.h"

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

dpn_lot dpn_lot_of_group(const dpn_ticket *ticket) {
    dpn_digest digest;
    begin(&digest, ticket, "group", 5);
    return end(&digest);
}

dpn_lot dpn_lot_of_row(const dpn_ticket *ticket, const int64_t *record, uint64_t copy) {
    size_t numbers = ticket->lottery->record;
    dpn_digest digest;
    begin(&digest, ticket, "row", 3);
    dpn_digest_number(&digest, 8 * (uint64_t)numbers);
    for (size_t i = 0; i < numbers; i++) dpn_digest_number(&digest, (uint64_t)record[i]);
    dpn_digest_number(&digest, 8);
    dpn_digest_number(&digest, copy);
    return end(&digest);
}
