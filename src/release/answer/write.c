/* An answer as text: the writer. */
#include "base/error.h"
#include "ledger/text.h"

#include <dpnoise/answer.h>
#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_number(dpn_text *out, double x) {
    char number[DPN_NUMBER_SIZE];
    dpn_number_print(number, x);
    if (isinf(x)) dpn_text_quote(out, number);
    if (!isinf(x)) dpn_text_put(out, isnan(x) ? "null" : number);
}

/* The length of the UTF-8 sequence at s (RFC 3629: no overlong forms, no surrogates), 0 if there is none. */
static size_t letter_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    size_t length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || beyond ? 0 : length;
}

/* A string; the reader wants UTF-8, and keys may hold any bytes. */
static void put_string(dpn_text *out, const char *string) {
    dpn_text plain = {0};
    dpn_text_put(&plain, "");
    while (*string) {
        size_t length = letter_length((const unsigned char *)string);
        if (length) dpn_text_add(&plain, string, length);
        if (!length) dpn_text_put(&plain, "\xef\xbf\xbd");
        string += length ? length : 1;
    }
    if (plain.failed) out->failed = true;
    if (!plain.failed) dpn_text_quote(out, plain.at);
    free(plain.at);
}

static void put_strings(dpn_text *out, char *const *string, size_t count) {
    dpn_text_put(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i) dpn_text_put(out, ", ");
        put_string(out, string[i]);
    }
    dpn_text_put(out, "]");
}

static void put_cell(dpn_text *out, const dpn_answer_cell *cell) {
    const double number[] = {cell->value, cell->low, cell->high, cell->rank95};
    char digits[16];
    dpn_text_put(out, "[");
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        put_number(out, number[i]);
        dpn_text_put(out, ", ");
    }
    snprintf(digits, sizeof digits, "%d]", cell->digits);
    dpn_text_put(out, digits);
}

static void put_group(dpn_text *out, const dpn_answer *answer, size_t group) {
    dpn_text_put(out, "{\"key\": ");
    put_strings(out, answer->key + group * answer->bys, answer->bys);
    dpn_text_put(out, ", \"cells\": [");
    for (size_t i = 0; i < answer->outputs; i++) {
        if (i) dpn_text_put(out, ", ");
        put_cell(out, &answer->cell[group * answer->outputs + i]);
    }
    dpn_text_put(out, "]}");
}

dpn_status dpn_answer_write(char **text, size_t *length, const dpn_answer *answer, dpn_error *why) {
    dpn_text out = {0};
    char bys[32];
    snprintf(bys, sizeof bys, "{\"by\": %zu", answer->bys);
    dpn_text_put(&out, bys);
    dpn_text_put(&out, ", \"outputs\": ");
    put_strings(&out, answer->output, answer->outputs);
    dpn_text_put(&out, ", \"groups\": [");
    for (size_t g = 0; g < answer->groups; g++) {
        if (g) dpn_text_put(&out, ", ");
        put_group(&out, answer, g);
    }
    dpn_text_put(&out, "]}");
    if (out.failed) {
        free(out.at);
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    *text = out.at;
    if (length) *length = out.length;
    return DPN_OK;
}
