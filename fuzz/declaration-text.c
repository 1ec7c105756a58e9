/* Hostile declarations. Whatever the bytes, nothing may crash; a refusal has a reason, of letters alone; and a
 * declaration that is read or typed is written to a text that reads back to the same text.
 *
 * A text that starts with a digit is typed in a shell: 0 to 6 are the kinds of statistics, 7 by, 8 levels, 9 where; the
 * rest follows. All others are JSON. */
#include <dpnoise/declaration.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept, const char *what) {
    if (kept) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static void check_reason(dpn_status status, const dpn_error *why) {
    if (!status) return;
    promise(why->status == status && why->sentence[0], "no refusal without a reason");
    for (const char *at = why->sentence; *at; at++)
        promise((unsigned char)*at >= 0x20 && *at != 0x7f, "no control characters in a reason");
}

static void check_text(const dpn_declaration *declaration) {
    char *text, *twice;
    dpn_declaration again;
    dpn_error why = {DPN_OK, ""}, later = {DPN_OK, ""};
    bool waits = false;
    for (size_t i = 0; i < declaration->bys; i++) waits |= declaration->by[i].levels_only;
    dpn_status status = dpn_declaration_write(&text, NULL, declaration, &why);
    promise(status == (waits ? DPN_EDOMAIN : DPN_OK), "all is written but levels that wait for their column");
    check_reason(status, &why);
    if (status) return;
    promise(!dpn_declaration_read(&again, text, strlen(text), &why), "what is written is read");
    promise(!dpn_declaration_write(&twice, NULL, &again, NULL) && strcmp(text, twice) == 0, "and written the same");
    status = dpn_declaration_check(declaration, &why);
    check_reason(status, &why);
    promise(status == dpn_declaration_check(&again, &later), "and makes as much sense");
    free(text);
    free(twice);
    dpn_declaration_free(&again);
}

static dpn_status type(dpn_declaration *declaration, const char *text, dpn_error *why) {
    switch (text[0]) {
    case '7':
        return dpn_declare_by(declaration, text + 1, why);
    case '8':
        return dpn_declare_levels(declaration, text + 1, why);
    case '9':
        return dpn_declare_where(declaration, text + 1, why);
    default:
        return dpn_declare_statistic(declaration, (dpn_statistic_kind)(text[0] - '0'), text + 1, why);
    }
}

/* The same part typed twice, so that it meets itself. */
static void try_typing(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    dpn_declaration declaration;
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = '\0';
    promise(!dpn_declaration_read(&declaration, "{}", 2, NULL), "nothing is read");
    for (int i = 0; i < 2; i++) {
        dpn_error why = {DPN_OK, ""};
        check_reason(type(&declaration, text, &why), &why);
        check_text(&declaration);
    }
    dpn_declaration_free(&declaration);
    free(text);
}

static void try_reading(const uint8_t *data, size_t size) {
    char *text = malloc(size ? size : 1); /* no zero at the end, so that a read beyond it is seen */
    dpn_declaration declaration;
    dpn_error why = {DPN_OK, ""};
    if (!text) abort();
    if (size) memcpy(text, data, size);
    dpn_status status = dpn_declaration_read(&declaration, text, size, &why);
    check_reason(status, &why);
    free(text); /* the declaration keeps nothing of it */
    if (status) return;
    check_text(&declaration);
    dpn_declaration_free(&declaration);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0 && data[0] >= '0' && data[0] <= '9')
        try_typing(data, size);
    else
        try_reading(data, size);
    return 0;
}
