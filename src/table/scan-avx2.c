/* The scanner for processors with AVX2; elsewhere it is the portable one. */
#include "table/scan-body.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define FOR_AVX2 __attribute__((target("avx2,bmi,popcnt")))

/* The top bits of 64 bytes. */
FOR_AVX2 static inline uint64_t bits_of(__m256i low, __m256i high) {
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low);
}

/* Bit i is set if byte i of a block is that byte. */
FOR_AVX2 static inline uint64_t seek(const char *block, char byte) {
    __m256i wanted = _mm256_set1_epi8(byte);
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)block);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(block + 32));
    return bits_of(_mm256_cmpeq_epi8(low, wanted), _mm256_cmpeq_epi8(high, wanted));
}

/* Masks are made as late as can be: of a vector it takes two of them and some shifting. */
FOR_AVX2 static inline dpn_masks masks_of(const char *block, char delimiter) {
    const __m256i comma = _mm256_set1_epi8(delimiter), line = _mm256_set1_epi8('\n'), quote = _mm256_set1_epi8('"');
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)block);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(block + 32));
    __m256i low_line = _mm256_cmpeq_epi8(low, line), high_line = _mm256_cmpeq_epi8(high, line);
    __m256i nul = _mm256_cmpeq_epi8(_mm256_min_epu8(low, high), _mm256_setzero_si256());
    __m256i quotes = _mm256_or_si256(_mm256_cmpeq_epi8(low, quote), _mm256_cmpeq_epi8(high, quote));
    return (dpn_masks){
        .separator = bits_of(_mm256_or_si256(low_line, _mm256_cmpeq_epi8(low, comma)),
                             _mm256_or_si256(high_line, _mm256_cmpeq_epi8(high, comma))),
        .newline = bits_of(low_line, high_line),
        .special = _mm256_movemask_epi8(_mm256_or_si256(nul, quotes)) != 0,
    };
}

/* The next bits as positions. After the last bit it writes what the next block overwrites. */
#define PUT(i) at[i] = base + (uint32_t)_tzcnt_u64(bits), bits = _blsr_u64(bits)
#define PUT_4(i) PUT(i), PUT(i + 1), PUT(i + 2), PUT(i + 3)

/* Twelve without asking how many there are: most blocks have fewer, and a wrong guess of the processor costs more than some
 * positions in vain. */
FOR_AVX2 static inline uint32_t *flatten(uint32_t *at, uint64_t bits, uint32_t base) {
    int count = (int)_mm_popcnt_u64(bits);
    PUT_4(0);
    PUT_4(4);
    PUT_4(8);
    for (int done = 12; done < count; done += 4) PUT_4(done);
    return at + count;
}

FOR_AVX2 void dpn_scan_avx2(dpn_found *found, uint32_t *at, const char *text, size_t length, dpn_grammar grammar) {
    dpn_scan_with((dpn_scan_way){masks_of, seek, flatten}, found, at, text, length, grammar);
    /* GCC 12 leaves this out here, and then all that computes afterwards, which is not made for AVX, takes four times as long. */
    _mm256_zeroupper();
}

#else

void dpn_scan_avx2(dpn_found *found, uint32_t *at, const char *text, size_t length, dpn_grammar grammar) {
    dpn_scan_portable(found, at, text, length, grammar);
}

#endif
