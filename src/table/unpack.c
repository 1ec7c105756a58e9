/* gzip and zstd: any number of streams one after the other, as the tools of these names write and accept them. */
#include "table/input.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

static bool begins(const dpn_input *input, const char *magic, size_t length) {
    return input->raw_end - input->raw_at >= length && memcmp(input->raw + input->raw_at, magic, length) == 0;
}

/* A stream, or a skippable frame, which zstd may put first: its first byte is 0x50 to 0x5f. */
static bool is_zstd(const dpn_input *input) {
    if (begins(input, "\x28\xb5\x2f\xfd", 4)) return true;
    return input->raw_end - input->raw_at >= 4 && (input->raw[input->raw_at] & 0xf0) == 0x50 &&
           memcmp(input->raw + input->raw_at + 1, "\x2a\x4d\x18", 3) == 0;
}

dpn_status dpn_unpack_begin(dpn_input *input, dpn_error *why) {
    if (begins(input, "\x1f\x8b", 2)) {
        input->gzip = calloc(1, sizeof *input->gzip);
        if (!input->gzip) return dpn_fail(why, DPN_ENOMEM, "out of memory");
        if (inflateInit2(input->gzip, 15 + 16) != Z_OK) { /* the largest window, and gzip's header */
            free(input->gzip);
            input->gzip = NULL;
            return dpn_fail(why, DPN_ENOMEM, "out of memory");
        }
    } else if (is_zstd(input)) {
        input->zstd = ZSTD_createDCtx();
        if (!input->zstd) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    return DPN_OK;
}

void dpn_unpack_end(dpn_input *input) {
    if (input->gzip) inflateEnd(input->gzip);
    free(input->gzip);
    input->gzip = NULL;
    ZSTD_freeDCtx(input->zstd);
    input->zstd = NULL;
}

/* Unpack from the raw bytes into out; *made bytes. */
static dpn_status unpack_gzip(size_t *made, dpn_input *input, char *out, size_t count, dpn_error *why) {
    z_stream *stream = input->gzip;
    if (!input->within) inflateReset(stream);
    stream->next_in = (unsigned char *)input->raw + input->raw_at;
    stream->avail_in = (uInt)(input->raw_end - input->raw_at);
    stream->next_out = (unsigned char *)out;
    stream->avail_out = (uInt)count;
    int code = inflate(stream, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return dpn_fail(why, DPN_EIO, "the gzip file is damaged");
    input->within = code != Z_STREAM_END;
    input->raw_at = input->raw_end - stream->avail_in;
    *made = count - stream->avail_out;
    return DPN_OK;
}

static dpn_status unpack_zstd(size_t *made, dpn_input *input, char *out, size_t count, dpn_error *why) {
    ZSTD_inBuffer from = {input->raw, input->raw_end, input->raw_at};
    ZSTD_outBuffer to = {out, count, 0};
    size_t code = ZSTD_decompressStream(input->zstd, &to, &from);
    if (ZSTD_isError(code)) {
        if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) return dpn_fail(why, DPN_ENOMEM, "out of memory");
        return dpn_fail(why, DPN_EIO, "the zstd file is damaged or needs a window of more than 128 MiB");
    }
    input->within = code != 0;
    input->raw_at = from.pos;
    *made = to.pos;
    return DPN_OK;
}

dpn_status dpn_unpack(size_t *got, dpn_input *input, char *out, size_t count, dpn_error *why) {
    size_t have = 0;
    while (have < count) {
        dpn_status status = dpn_input_fill(input, why);
        if (status) return status;
        bool dry = input->raw_at == input->raw_end;
        if (dry && !input->within) break;
        size_t made = 0;
        status = input->gzip ? unpack_gzip(&made, input, out + have, count - have, why)
                             : unpack_zstd(&made, input, out + have, count - have, why);
        if (status) return status;
        if (dry && made == 0 && input->within)
            return dpn_fail(why, DPN_EIO, "the packed file is cut off: its end is missing");
        have += made;
    }
    *got = have;
    return DPN_OK;
}
