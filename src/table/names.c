/* The names of columns. */
#include "table/table.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

/* A name that a sentence may hold: cut, and without control characters. */
static const char *shown(char out[64], const char *name) {
    size_t i = 0;
    for (; i < 60 && name[i]; i++) out[i] = (unsigned char)name[i] < ' ' || name[i] == 127 ? '?' : name[i];
    out[i] = '\0';
    return out;
}

static dpn_status refuse_equal(char *const *names, size_t count, dpn_error *why) {
    const char **sorted = malloc((count + 1) * sizeof *sorted);
    char name[64];
    if (!sorted) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) sorted[i] = names[i];
    qsort(sorted, count, sizeof *sorted, compare);
    dpn_status status = DPN_OK;
    for (size_t i = 1; i < count && !status; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status = dpn_fail(why, DPN_EPARSE, "two columns are named '%s'", shown(name, sorted[i]));
    free(sorted);
    return status;
}

dpn_status dpn_table_name(dpn_table *table, const dpn_field *names, size_t count, dpn_error *why) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (names[i].length == 0) return dpn_fail(why, DPN_EPARSE, "column %zu has no name", i + 1);
        bytes += names[i].length + 1;
    }
    char **made = malloc((count + 1) * sizeof *made + bytes);
    if (!made) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    char *text = (char *)(made + count + 1);
    for (size_t i = 0; i < count; i++) {
        made[i] = text;
        memcpy(text, names[i].text, names[i].length);
        text += names[i].length;
        *text++ = '\0';
    }
    dpn_status status = refuse_equal(made, count, why);
    if (status) {
        free(made);
        return status;
    }
    table->names = made;
    table->columns = count;
    return DPN_OK;
}
