/* The bytes of a text, unpacked. */
#ifndef DPN_TABLE_INPUT_H
#define DPN_TABLE_INPUT_H

#include "table/file.h"

struct z_stream_s;
struct ZSTD_DCtx_s;

typedef struct dpn_input {
    dpn_file file;
    uint64_t offset, end; /* the next byte to be read from the file, and where to stop */
    char *raw;            /* bytes from the file that have not been given out: those from raw_at to raw_end */
    size_t raw_at, raw_end;
    struct z_stream_s *gzip;  /* NULL unless the bytes are packed so */
    struct ZSTD_DCtx_s *zstd; /* the same */
    bool within;              /* a packed stream has begun and not ended */
} dpn_input;

/* Open a file and look at its first bytes, which say what it is; of what is not text nothing is opened. */
typedef enum dpn_input_kind { DPN_INPUT_TEXT, DPN_INPUT_SQLITE, DPN_INPUT_PARQUET, DPN_INPUT_DUCKDB } dpn_input_kind;
dpn_status dpn_input_open(dpn_input *out, dpn_input_kind *kind, const char *path, dpn_error *why);

/* The bytes of a plain regular file from begin to end, apart from the input that opened it. */
dpn_status dpn_input_part(dpn_input *out, const dpn_input *input, uint64_t begin, uint64_t end, dpn_error *why);

/* Accepts an input that is all zero but for a descriptor of -1. */
void dpn_input_close(dpn_input *input);

/* Give out `count` bytes, fewer only at the end. */
dpn_status dpn_input_read(size_t *got, dpn_input *input, char *out, size_t count, dpn_error *why);

/* Packed bytes: make what unpacks them, unpack some, release. */
dpn_status dpn_unpack_begin(dpn_input *input, dpn_error *why);
dpn_status dpn_unpack(size_t *got, dpn_input *input, char *out, size_t count, dpn_error *why);
void dpn_unpack_end(dpn_input *input);

/* Have at least one raw byte, if there is one before the end. */
dpn_status dpn_input_fill(dpn_input *input, dpn_error *why);

/* Whether the bytes are a regular file as it is. */
bool dpn_input_plain(const dpn_input *input);

#endif
