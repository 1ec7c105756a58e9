/* A hostile table: the first bytes choose the buffer, the limit and the number of parts, the rest is the file, which may be
 * packed. Whatever it is, nothing may crash; a refusal has a reason; and the parts deliver what the whole delivers, or refuse
 * if and only if the whole does. */
#define _GNU_SOURCE /* memfd_create */
#include <dpnoise/table.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept, const char *what) {
    if (kept) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

/* What was read: a count, and a hash of every field and its length in order. */
struct digest {
    uint64_t rows, hash, unusable;
};

static void add(struct digest *digest, const dpn_field *field) {
    digest->hash = digest->hash * 31 + field->length + (field->text ? 1 : 2);
    for (size_t i = 0; i < field->length; i++) digest->hash = digest->hash * 31 + (unsigned char)field->text[i];
}

static dpn_status read_table(struct digest *digest, dpn_table *table, size_t limit) {
    dpn_error why = {DPN_OK, ""};
    const dpn_field *field;
    size_t rows = 1, columns = dpn_table_columns(table);
    dpn_status status = DPN_OK;
    while (!status && rows > 0) {
        status = dpn_table_next(&field, &rows, table, &why);
        if (status) break;
        for (size_t i = 0; i < rows * columns; i++) {
            promise(field[i].length < limit, "no field is longer than a row may be");
            add(digest, &field[i]);
        }
        digest->rows += rows;
    }
    promise(status != DPN_EPARSE, "nothing that a row holds is an error");
    promise(!status || (why.status == status && why.sentence[0]), "no failure without a reason");
    digest->unusable += dpn_table_unusable(table, &why);
    double progress = dpn_table_progress(table);
    promise(status || progress == 1, "at the end all is read");
    promise(!(progress < 0 || progress > 1), "progress is a share");
    return status;
}

static void read_parts(dpn_table *whole, size_t parts, dpn_status status, const struct digest *right, size_t limit) {
    struct digest digest = {0};
    dpn_error why = {DPN_OK, ""};
    bool refused = false;
    for (size_t i = 0; i < parts; i++) {
        dpn_table *part;
        dpn_status made = dpn_table_part(&part, whole, i, parts, &why);
        if (made == DPN_EUNSUPPORTED) return;
        refused |= made != DPN_OK;
        if (made) continue;
        refused |= read_table(&digest, part, limit) != DPN_OK;
        dpn_table_close(part);
    }
    promise(refused == (status != DPN_OK), "parts fail where the whole fails, and nowhere else");
    if (refused) return;
    promise(digest.rows == right->rows && digest.hash == right->hash, "parts give the rows of the whole");
    promise(digest.unusable == right->unusable, "and count those that cannot be used");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3) return 0;
    dpn_table_options options = {.size = sizeof(dpn_table_options),
                                 .buffer = 16u + data[0],
                                 .row_limit = 16u + 4u * data[1],
                                 .literal_quotes = data[2] & 16,
                                 .multiline = data[2] & 64};
    if (data[2] & 32) options.null_text = "NA";
    size_t parts = 1 + (data[2] & 15);
    char path[40];
    struct digest digest = {0};
    dpn_error why = {DPN_OK, ""};
    dpn_table *table, *whole;
    int file = memfd_create("table", 0);
    promise(file >= 0 && write(file, data + 3, size - 3) == (ssize_t)(size - 3), "a file");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file); /* opened anew: it is read from its begin */
    dpn_status status = dpn_table_open(&table, path, &options, &why);
    promise(!status || (why.status == status && why.sentence[0]), "no refusal without a reason");
    if (!status) {
        status = read_table(&digest, table, options.row_limit);
        if (!dpn_table_open(&whole, path, &options, &why)) {
            read_parts(whole, parts, status, &digest, options.row_limit);
            dpn_table_close(whole);
        }
        dpn_table_close(table);
    }
    close(file);
    return 0;
}
