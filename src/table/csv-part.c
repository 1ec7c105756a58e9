/* Cutting a plain file between rows, without reading what comes before the cut: a row is a line, so the cut is after the first
 * newline from a place on. Where line ends may stand in quotes that is not so, and the file is not cut. */
#include "table/csv.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST_PART = 4 << 20, PIECE = 64 << 10 };

static bool can_be_cut(const dpn_csv *csv) {
    return dpn_input_plain(&csv->input) && csv->input.end == UINT64_MAX && !csv->multiline;
}

size_t dpn_csv_parts(const dpn_table *table) {
    const dpn_csv *csv = table->state;
    if (!can_be_cut(csv)) return 1;
    uint64_t size = csv->input.file.size, parts = size > csv->begin ? (size - csv->begin) / SMALLEST_PART : 0;
    return parts < 1 ? 1 : parts > 1024 ? 1024 : (size_t)parts;
}

/* The begin of the first row at or after a place that is behind the first byte. */
static dpn_status find_cut(uint64_t *cut, const dpn_csv *csv, uint64_t place, dpn_error *why) {
    char *piece = malloc(PIECE);
    dpn_status status = piece ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "out of memory");
    uint64_t from = place - 1; /* if the byte before the place ends a row, the place itself is where to cut */
    for (bool found = false; !status && !found;) {
        size_t got = 0;
        uint64_t rest = csv->input.file.size - from;
        status = dpn_file_read(&got, &csv->input.file, piece, rest < PIECE ? (size_t)rest : PIECE, from, why);
        if (!status && got == 0 && rest > 0)
            status = dpn_fail(why, DPN_EIO, "the table became shorter while it was read");
        if (status) break;
        const char *newline = memchr(piece, '\n', got);
        found = newline || rest == got;
        *cut = newline ? from + (uint64_t)(newline - piece) + 1 : csv->input.file.size;
        from += got;
    }
    free(piece);
    return status;
}

static dpn_status boundary(uint64_t *cut, const dpn_table *whole, size_t number, size_t parts, dpn_error *why) {
    const dpn_csv *csv = whole->state;
    uint64_t begin = csv->begin, size = csv->input.file.size > begin ? csv->input.file.size : begin;
    uint64_t each = (size - begin) / parts, rest = (size - begin) % parts;
    uint64_t place = begin + each * number + (number < rest ? number : rest);
    if (place == begin || place == size)
        *cut = place;
    else
        return find_cut(cut, csv, place, why);
    return DPN_OK;
}

dpn_status dpn_csv_part(dpn_table *part, const dpn_table *whole, size_t number, size_t parts, dpn_error *why) {
    const dpn_csv *from = whole->state;
    dpn_csv *csv;
    uint64_t begin, end;
    if (!can_be_cut(from))
        return dpn_fail(why, DPN_EUNSUPPORTED, "only a file of plain text whose rows are lines can be cut into parts");
    dpn_status status = boundary(&begin, whole, number, parts, why);
    if (!status) status = boundary(&end, whole, number + 1, parts, why);
    if (!status) status = dpn_csv_new(&csv, part, from->null_text, why);
    if (status) return status;
    part->kind = &dpn_csv_kind;
    part->state = csv;
    csv->grammar = from->grammar;
    csv->scan = from->scan;
    csv->begin = begin;
    return dpn_input_part(&csv->input, &from->input, begin, end, why);
}
