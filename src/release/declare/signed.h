/* Exact decimals with a sign: the bounds, edges and values that a declaration holds as text. */
#ifndef DPN_DECLARE_SIGNED_H
#define DPN_DECLARE_SIGNED_H

#include <dpnoise/decimal.h>

/* 0 is not negative. */
typedef struct dpn_signed {
    bool negative;
    dpn_decimal size;
} dpn_signed;

/* Read an optional sign and what dpn_decimal_parse reads.
 * Errors   DPN_EPARSE for text that is no decimal number; DPN_EDOMAIN for one with more digits than there is room for,
 *          before anything is expanded. The sentence shows the text without its control characters. On error *out is
 *          not written. */
dpn_status dpn_signed_read(dpn_signed *out, const char *text, dpn_error *why);

/* The one text of this number. Returns text. */
enum { DPN_SIGNED_TEXT_SIZE = DPN_DECIMAL_TEXT_SIZE + 1 };
char *dpn_signed_print(char text[DPN_SIGNED_TEXT_SIZE], const dpn_signed *a);

/* The sign of a - b. */
int dpn_signed_compare(const dpn_signed *a, const dpn_signed *b);

/* a + b, exactly; out may be a or b.
 * Errors   DPN_EDOMAIN if it reaches 1e45. */
dpn_status dpn_signed_add(dpn_signed *out, const dpn_signed *a, const dpn_signed *b, dpn_error *why);

#endif
