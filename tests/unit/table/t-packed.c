/* gzip and zstd: the same rows as plain text; several streams in a file; every way of cutting one off is refused. */
#define _POSIX_C_SOURCE 200809L
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

enum { ROWS = 8000, ROOM = 1 << 20 };

struct packed {
    char *bytes;
    size_t length;
};

static struct packed gzip(const char *text, size_t length) {
    struct packed out = {malloc(length + 1000), 0};
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (unsigned char *)(size_t)text;
    stream.avail_in = (uInt)length;
    stream.next_out = (unsigned char *)out.bytes;
    stream.avail_out = (uInt)(length + 1000);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.length = length + 1000 - stream.avail_out;
    deflateEnd(&stream);
    return out;
}

/* With a checksum, as the tool of this name writes it. */
static struct packed zstd(const char *text, size_t length) {
    struct packed out = {malloc(length + 1000), 0};
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    out.length = ZSTD_compress2(context, out.bytes, length + 1000, text, length);
    assert_false(ZSTD_isError(out.length));
    ZSTD_freeCCtx(context);
    return out;
}

typedef struct packed packer(const char *text, size_t length);
static packer *const packers[] = {gzip, zstd};

static size_t make_table(char *text, int rows) {
    uint64_t state = 5;
    size_t length = (size_t)sprintf(text, "id,name,value\n");
    for (int i = 0; i < rows; i++)
        length += (size_t)sprintf(text + length, "%d,\"n%u\n\",%u\n", i, next_random(&state, 1000),
                                  next_random(&state, 100000));
    return length;
}

static void packed_is_plain(void **state) {
    (void)state;
    struct place place = place_make();
    char *text = malloc(ROOM), *right, *rows;
    size_t length = make_table(text, ROWS);
    dpn_error why;
    place_write(&place, "plain.csv", text, length);
    assert_int_equal(read_source(&right, place.file, NULL, &why), DPN_OK);
    for (size_t i = 0; i < 2; i++)
        for (size_t buffer = 16; buffer < 1 << 18; buffer = buffer * 7 + 1) {
            struct packed packed = packers[i](text, length);
            place_write(&place, "packed", packed.bytes, packed.length);
            if (read_source(&rows, place.file,
                            &(dpn_table_options){.size = sizeof(dpn_table_options), .buffer = buffer}, &why))
                fail_msg("%s", why.sentence);
            assert_string_equal(rows, right);
            free(rows);
            free(packed.bytes);
        }
    free(right);
    free(text);
    place_remove(&place);
}

/* A table in three streams, cut in the middle of a row, with an empty stream and for zstd a frame to be skipped. */
static void several_streams(void **state) {
    (void)state;
    struct place place = place_make();
    static const char *const pieces[] = {"a,b\n1,\"x", "", "y\"\n3", ",4\n"};
    static const char skipped[] = "\x53\x2a\x4d\x18\x04\0\0\0skip";
    for (size_t i = 0; i < 2; i++) {
        char all[1000], *rows;
        size_t length = 0;
        dpn_error why;
        if (i == 1) memcpy(all, skipped, sizeof skipped - 1), length = sizeof skipped - 1;
        for (size_t j = 0; j < 4; j++) {
            struct packed packed = packers[i](pieces[j], strlen(pieces[j]));
            memcpy(all + length, packed.bytes, packed.length);
            length += packed.length;
            free(packed.bytes);
        }
        place_write(&place, "packed", all, length);
        if (read_source(&rows, place.file, NULL, &why)) fail_msg("%s", why.sentence);
        assert_string_equal(rows, "1|xy\n3|4\n");
        free(rows);
        memcpy(all + length, "garbage", 7);
        place_write(&place, "packed", all, length + 7);
        assert_int_equal(read_source(&rows, place.file, NULL, &why), DPN_EIO);
        free(rows);
    }
    place_remove(&place);
}

static void cut_off_at_every_byte(void **state) {
    (void)state;
    struct place place = place_make();
    char *text = malloc(ROOM), *rows;
    size_t length = make_table(text, 60);
    dpn_error why;
    for (size_t i = 0; i < 2; i++) {
        struct packed packed = packers[i](text, length);
        for (size_t cut = 4; cut < packed.length; cut++) {
            place_write(&place, "packed", packed.bytes, cut);
            dpn_status status = read_source(&rows, place.file, NULL, &why);
            free(rows);
            if (status != DPN_EIO && status != DPN_EPARSE)
                fail_msg("%zu bytes of %zu: %s", cut, packed.length, dpn_status_name(status));
        }
        free(packed.bytes);
    }
    free(text);
    place_remove(&place);
}

/* Both formats carry a checksum, so no change of a byte gives other rows. */
static void damaged_bytes(void **state) {
    (void)state;
    struct place place = place_make();
    char *text = malloc(ROOM), *right, *rows;
    size_t length = make_table(text, 40);
    dpn_error why;
    place_write(&place, "plain.csv", text, length);
    assert_int_equal(read_source(&right, place.file, NULL, &why), DPN_OK);
    for (size_t i = 0; i < 2; i++) {
        struct packed packed = packers[i](text, length);
        for (size_t at = 4; at < packed.length; at++) {
            packed.bytes[at] = (char)(packed.bytes[at] ^ 0x10);
            place_write(&place, "packed", packed.bytes, packed.length);
            dpn_status status = read_source(&rows, place.file, NULL, &why);
            if (!status) assert_string_equal(rows, right);
            if (status) assert_true(why.status == status && why.sentence[0]);
            free(rows);
            packed.bytes[at] = (char)(packed.bytes[at] ^ 0x10);
        }
        free(packed.bytes);
    }
    free(right);
    free(text);
    place_remove(&place);
}

static void cannot_be_cut_into_parts(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_error why;
    dpn_table *table, *part;
    struct packed packed = gzip("a,b\n1,2\n", 8);
    place_write(&place, "t.csv.gz", packed.bytes, packed.length);
    assert_int_equal(dpn_table_open(&table, place.file, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_parts(table), 1);
    assert_int_equal(dpn_table_part(&part, table, 0, 2, &why), DPN_EUNSUPPORTED);
    dpn_table_close(table);
    free(packed.bytes);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_is_plain),          cmocka_unit_test(several_streams),
        cmocka_unit_test(cut_off_at_every_byte),    cmocka_unit_test(damaged_bytes),
        cmocka_unit_test(cannot_be_cut_into_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
