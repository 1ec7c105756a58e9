/* Text that grows. A failure to get memory is remembered, so that it is asked for once, at the end. */
#ifndef DPN_LEDGER_TEXT_H
#define DPN_LEDGER_TEXT_H

#include <dpnoise/decimal.h>
#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise; free(at) releases it. at is NULL or ends in a zero that length does not count. */
typedef struct dpn_text {
    char *at;
    size_t length, room;
    bool failed;
} dpn_text;

void dpn_text_add(dpn_text *text, const char *bytes, size_t count);
void dpn_text_put(dpn_text *text, const char *string);

/* A JSON string, or null for NULL; the decimal as a JSON string; the bytes in hexadecimal, without quotes. */
void dpn_text_quote(dpn_text *text, const char *string);
void dpn_text_decimal(dpn_text *text, const dpn_decimal *decimal);
void dpn_text_hex(dpn_text *text, const unsigned char *bytes, size_t count);

/* Read back what dpn_text_hex wrote: exactly count bytes. Returns whether it was that. */
bool dpn_hex_read(unsigned char *out, size_t count, const char *text, size_t length);

/* Whether bytes are UTF-8 (RFC 3629); control characters are. */
bool dpn_text_is_utf8(const char *text, size_t length);

/* Refuse what is not 1 (or 0, if it may be empty) to size - 1 bytes of UTF-8 without control characters, and, if it may not
 * be empty, what begins or ends with a blank.
 * Errors   DPN_EDOMAIN; the sentence starts with `what`. */
dpn_status dpn_text_check(const char *text, const char *what, size_t size, bool may_be_empty, dpn_error *why);

#endif
