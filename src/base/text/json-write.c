/* Values of JSON. */
#include "base/text/json-write.h"

#include "base/text/json-letter.h"

#include <dpnoise/number.h>
#include <math.h>

/* How many letters stand for themselves; most do. */
static size_t plain_length(const char *string) {
    size_t length = 0;
    while (string[length] >= 0x20 && string[length] < 0x7f && string[length] != '"' && string[length] != '\\') length++;
    return length;
}

void dpn_text_quote(dpn_text *text, const char *string) {
    if (!string) {
        dpn_text_put(text, "null");
        return;
    }
    dpn_text_put(text, "\"");
    while (*string) {
        char letter[DPN_JSON_LETTER_SIZE];
        size_t plain = plain_length(string);
        dpn_text_add(text, string, plain);
        string += plain;
        if (!*string) break;
        size_t length = dpn_json_letter(letter, &string);
        dpn_text_add(text, letter, length);
    }
    dpn_text_put(text, "\"");
}

void dpn_text_decimal(dpn_text *text, const dpn_decimal *decimal) {
    char written[DPN_DECIMAL_TEXT_SIZE];
    dpn_text_quote(text, dpn_decimal_print(written, decimal));
}

void dpn_text_number(dpn_text *text, double x) {
    char number[DPN_NUMBER_SIZE];
    dpn_number_print(number, x);
    if (isinf(x))
        dpn_text_quote(text, number);
    else
        dpn_text_put(text, isnan(x) ? "null" : number);
}

void dpn_text_comma(dpn_text *text) {
    char last = text->length > 0 ? text->at[text->length - 1] : '{';
    if (last != '{' && last != '[') dpn_text_put(text, ", ");
}

void dpn_text_member(dpn_text *text, const char *name) {
    dpn_text_comma(text);
    dpn_text_quote(text, name);
    dpn_text_put(text, ": ");
}
