/* Values of JSON, added to a text. */
#ifndef DPN_TEXT_JSON_WRITE_H
#define DPN_TEXT_JSON_WRITE_H

#include "base/text/buffer.h"

#include <dpnoise/decimal.h>

/* What stands before the next member of an object or element of a list: nothing before the first one. And the name of the
 * next member, with its comma. */
void dpn_text_comma(dpn_text *text);
void dpn_text_member(dpn_text *text, const char *name);

/* A string, with U+FFFD for bytes that are not UTF-8, or null for NULL. */
void dpn_text_quote(dpn_text *text, const char *string);

/* A decimal, as a string: its digits are all of it. */
void dpn_text_decimal(dpn_text *text, const dpn_decimal *decimal);

/* A number that reads back to the same double; infinities are the strings "inf" and "-inf", NaN is null. */
void dpn_text_number(dpn_text *text, double x);

#endif
