/* Values of JSON, added to a text. */
#ifndef DPN_TEXT_JSON_WRITE_H
#define DPN_TEXT_JSON_WRITE_H

#include "base/text/buffer.h"

#include <dpnoise/decimal.h>

/* A string, with U+FFFD for bytes that are not UTF-8, or null for NULL. */
void dpn_text_quote(dpn_text *text, const char *string);

/* A decimal, as a string: its digits are all of it. */
void dpn_text_decimal(dpn_text *text, const dpn_decimal *decimal);

/* A number that reads back to the same double; infinities are the strings "inf" and "-inf", NaN is null. */
void dpn_text_number(dpn_text *text, double x);

#endif
