/* The portable scanner: eight bytes in a word. */
#include "table/scan-body.h"

/* The lowest address is the lowest byte, whatever the machine. */
static inline uint64_t load(const char *text) {
    uint64_t word;
    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The top bit of each byte that is zero: adding 0x7f carries into the top bit of a byte unless its low seven are zero, and
 * never further. */
static inline uint64_t zeros(uint64_t word) {
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    return ~(((word & low) + low) | word | low);
}

/* Eight top bits side by side: the products that reach the highest byte do not overlap. */
static inline uint64_t gather(uint64_t tops) {
    return (tops >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline dpn_masks masks_of(const char *block, char delimiter) {
    const uint64_t each = UINT64_C(0x0101010101010101);
    dpn_masks masks = {0};
    uint64_t special = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t word = load(block + 8 * i);
        uint64_t newlines = zeros(word ^ each * '\n');
        masks.separator |= gather(zeros(word ^ each * (unsigned char)delimiter) | newlines) << 8 * i;
        if (newlines) masks.newline |= gather(newlines) << 8 * i; /* most words have none */
        special |= zeros(word ^ each * '"') | zeros(word);
    }
    masks.special = special != 0;
    return masks;
}

static inline uint64_t seek(const char *block, char byte) {
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= gather(zeros(load(block + 8 * i) ^ UINT64_C(0x0101010101010101) * (unsigned char)byte)) << 8 * i;
    return bits;
}

static inline uint32_t *flatten(uint32_t *at, uint64_t bits, uint32_t base) {
    for (; bits; bits &= bits - 1) *at++ = base + (uint32_t)__builtin_ctzll(bits);
    return at;
}

void dpn_scan_portable(dpn_found *found, uint32_t *at, const char *text, size_t length, dpn_grammar grammar) {
    dpn_scan_with((dpn_scan_way){masks_of, seek, flatten}, found, at, text, length, grammar);
}

dpn_scanner *dpn_scan_best(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt"))
        return dpn_scan_avx2;
#endif
    return dpn_scan_portable;
}
