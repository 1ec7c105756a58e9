/* Exact decimals with a sign. */
#include "release/declare/signed.h"

#include "base/digits.h"
#include "base/error.h"
#include "base/text/excerpt.h"

#include <string.h>

dpn_status dpn_signed_read(dpn_signed *out, const char *text, dpn_error *why) {
    bool zero;
    char shown[DPN_SHOWN_SIZE];
    if (!text || !*text) return dpn_fail(why, DPN_EPARSE, "a number is missing");
    if (!dpn_number_is_decimal(text, &zero))
        return dpn_fail(why, DPN_EPARSE, "'%s' is not a decimal number%s", dpn_show(shown, text),
                        strchr(text, ',') ? ": write a point and no commas" : "");
    dpn_signed read = {.negative = *text == '-' && !zero};
    dpn_status status = dpn_decimal_parse(&read.size, text + (*text == '-'), why);
    if (!status) *out = read;
    return status;
}

char *dpn_signed_print(char text[DPN_SIGNED_TEXT_SIZE], const dpn_signed *a) {
    text[0] = '-';
    dpn_decimal_print(text + a->negative, &a->size);
    return text;
}

int dpn_signed_compare(const dpn_signed *a, const dpn_signed *b) {
    if (a->negative != b->negative) return a->negative ? -1 : 1;
    int sizes = dpn_decimal_compare(&a->size, &b->size);
    return a->negative ? -sizes : sizes;
}

dpn_status dpn_signed_add(dpn_signed *out, const dpn_signed *a, const dpn_signed *b, dpn_error *why) {
    dpn_signed sum = *a;
    dpn_status status;
    if (a->negative == b->negative) {
        status = dpn_decimal_add(&sum.size, &a->size, &b->size, why);
    } else {
        const dpn_signed *larger = dpn_decimal_compare(&a->size, &b->size) < 0 ? b : a, *smaller = larger == a ? b : a;
        status = dpn_decimal_subtract(&sum.size, &larger->size, &smaller->size, why);
        sum.negative = larger->negative && !dpn_decimal_is_zero(&sum.size);
    }
    if (!status) *out = sum;
    return status;
}
