/* The portable scanner: eight bytes in a word. */
#include "table/scan-body.h"

/* The lowest address is the lowest byte, whatever the machine. */
static inline uint64_t load(const char *text) {
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) word |= (uint64_t)(unsigned char)text[i] << 8 * i;
    return word;
}

/* Bit i is set if byte i is zero: adding 0x7f carries into the top bit of a byte unless its low seven are zero, and never
 * further. The multiplication gathers the eight top bits. */
static inline uint64_t zeros(uint64_t word) {
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t top = ~(((word & low) + low) | word | low);
    return (top >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline dpn_masks masks_of(const char *block, char delimiter) {
    const uint64_t each = UINT64_C(0x0101010101010101);
    dpn_masks masks = {0};
    for (int i = 0; i < 8; i++) {
        uint64_t word = load(block + 8 * i);
        masks.delimiter |= zeros(word ^ each * (unsigned char)delimiter) << 8 * i;
        masks.newline |= zeros(word ^ each * '\n') << 8 * i;
        masks.quote |= zeros(word ^ each * '"') << 8 * i;
        masks.nul |= zeros(word) != 0;
    }
    return masks;
}

static inline uint32_t *flatten(uint32_t *at, uint64_t bits, uint32_t base) {
    for (; bits; bits &= bits - 1) *at++ = base + (uint32_t)__builtin_ctzll(bits);
    return at;
}

void dpn_scan_portable(dpn_found *found, uint32_t *at, const char *text, size_t length, dpn_grammar grammar) {
    dpn_scan_with(masks_of, flatten, found, at, text, length, grammar);
}

dpn_scanner *dpn_scan_best(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt"))
        return dpn_scan_avx2;
#endif
    return dpn_scan_portable;
}
