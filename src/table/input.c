/* The bytes of a text: from the file as they are, or unpacked. */
#include "table/input.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { RAW = 64 << 10 };

dpn_status dpn_input_fill(dpn_input *input, dpn_error *why) {
    if (input->raw_at < input->raw_end) return DPN_OK;
    size_t count = input->end - input->offset < RAW ? (size_t)(input->end - input->offset) : RAW;
    size_t got;
    dpn_status status = dpn_file_read(&got, &input->file, input->raw, count, input->offset, why);
    if (status) return status;
    input->raw_at = 0;
    input->raw_end = got;
    input->offset += got;
    return DPN_OK;
}

/* What the first bytes say. */
static dpn_input_kind kind_of(const dpn_input *input) {
    static const char sqlite[] = "SQLite format 3"; /* and the zero */
    static const char parquet[4] = {'P', 'A', 'R', '1'};
    static const char duckdb[4] = {'D', 'U', 'C', 'K'}, zeros[4] = {0}; /* which no text has */
    if (input->raw_end >= sizeof sqlite && memcmp(input->raw, sqlite, sizeof sqlite) == 0) return DPN_INPUT_SQLITE;
    if (input->raw_end >= sizeof parquet && memcmp(input->raw, parquet, sizeof parquet) == 0) return DPN_INPUT_PARQUET;
    /* A checksum of 8 bytes, the word, and a version of 8 bytes, the lowest first. */
    if (input->raw_end >= 20 && memcmp(input->raw + 8, duckdb, sizeof duckdb) == 0 &&
        memcmp(input->raw + 16, zeros, sizeof zeros) == 0)
        return DPN_INPUT_DUCKDB;
    return DPN_INPUT_TEXT;
}

dpn_status dpn_input_open(dpn_input *out, dpn_input_kind *kind, const char *path, dpn_error *why) {
    dpn_input input = {.end = UINT64_MAX};
    dpn_status status = dpn_file_open(&input.file, path, why);
    if (status) return status;
    input.offset = input.file.start;
    input.raw = malloc(RAW);
    status = input.raw ? dpn_input_fill(&input, why) : dpn_fail(why, DPN_ENOMEM, "out of memory");
    *kind = status ? DPN_INPUT_TEXT : kind_of(&input);
    if (!status && *kind == DPN_INPUT_TEXT) status = dpn_unpack_begin(&input, why);
    if (status || *kind != DPN_INPUT_TEXT)
        dpn_input_close(&input);
    else
        *out = input;
    return status;
}

dpn_status dpn_input_part(dpn_input *out, const dpn_input *input, uint64_t begin, uint64_t end, dpn_error *why) {
    dpn_input part = {.offset = begin, .end = end};
    dpn_status status = dpn_file_again(&part.file, &input->file, why);
    if (status) return status;
    *out = part;
    return DPN_OK;
}

void dpn_input_close(dpn_input *input) {
    dpn_unpack_end(input);
    free(input->raw);
    input->raw = NULL;
    dpn_file_close(&input->file);
}

bool dpn_input_plain(const dpn_input *input) {
    return input->file.regular && !input->gzip && !input->zstd;
}

dpn_status dpn_input_read(size_t *got, dpn_input *input, char *out, size_t count, dpn_error *why) {
    if (input->gzip || input->zstd) return dpn_unpack(got, input, out, count, why);
    size_t raw = input->raw_end - input->raw_at;
    if (raw > count) raw = count;
    if (raw > 0) memcpy(out, input->raw + input->raw_at, raw);
    size_t direct = count - raw, read = 0;
    if (direct > input->end - input->offset) direct = (size_t)(input->end - input->offset);
    dpn_status status = dpn_file_read(&read, &input->file, out + raw, direct, input->offset, why);
    if (status) return status;
    input->raw_at += raw;
    input->offset += read;
    *got = raw + read;
    return DPN_OK;
}
