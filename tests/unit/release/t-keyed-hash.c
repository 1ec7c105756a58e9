/* The keyed hash against libcrypto's. */
#include "release/tally/keyed-hash.h"

#include "reference/draw.h"
#include "unit/release/siphash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* The example of Aumasson and Bernstein 2012, appendix A. */
static void the_example_of_the_paper(void **state) {
    (void)state;
    unsigned char text[15];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (unsigned char)i;
    dpn_hash_key key = {{UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)}};
    assert_true(dpn_keyed_hash(&key, text, sizeof text) == UINT64_C(0xa129ca6149be45e5));
}

static void every_length_agrees_with_libcrypto(void **state) {
    (void)state;
    draw_source source = {1};
    unsigned char text[100];
    for (size_t length = 0; length <= sizeof text; length++) {
        dpn_hash_key key = {{draw_bits(&source), draw_bits(&source)}};
        for (size_t i = 0; i < sizeof text; i++) text[i] = (unsigned char)draw_bits(&source);
        assert_true(dpn_keyed_hash(&key, text, length) == siphash(key.word, text, length));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_paper),
        cmocka_unit_test(every_length_agrees_with_libcrypto),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
