/* An answer as text: the writer. */
#include "base/error.h"
#include "base/text/json-write.h"

#include <dpnoise/answer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_strings(dpn_text *out, char *const *string, size_t count) {
    dpn_text_put(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i) dpn_text_put(out, ", ");
        dpn_text_quote(out, string[i]);
    }
    dpn_text_put(out, "]");
}

static void put_cell(dpn_text *out, const dpn_answer_cell *cell) {
    const double number[] = {cell->value, cell->low, cell->high, cell->rank95};
    char digits[16];
    dpn_text_put(out, "[");
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        dpn_text_number(out, number[i]);
        dpn_text_put(out, ", ");
    }
    snprintf(digits, sizeof digits, "%d", cell->digits);
    dpn_text_put(out, digits);
    const char *kind = dpn_interval_kind_name(cell->kind);
    if (kind) {
        dpn_text_put(out, ", ");
        dpn_text_quote(out, kind);
    }
    dpn_text_put(out, "]");
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
