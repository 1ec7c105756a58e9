/* Blocks of the file: a 1024th of the memory in whole blocks of the cipher, from 512 bytes to 64 kilobytes. */
#include "release/tally/limit.c" /* to see them */

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void blocks_are_small_parts_of_the_memory(void **state) {
    (void)state;
    for (size_t bytes = 1 << 12; bytes < (size_t)1 << 34; bytes += 1 + bytes / 17) {
        size_t block = block_of(bytes);
        assert_true(block % DPN_CIPHER_BLOCK_BYTES == 0 && block >= 512 && block <= 65536);
        if (block > 512) assert_true(block <= bytes / 1024);
        if (block < 65536) assert_true(block + DPN_CIPHER_BLOCK_BYTES > bytes / 1024);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_are_small_parts_of_the_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
