/* The random source beside the cipher that it is made of: gigabytes a second, and the cost of a byte as a multiple of the
 * cipher's. A source may cost three times the raw cipher for eight bytes at a time, and gives 1 GB/s or more in large
 * pieces. Prints a table; always exits with 0, since time is not truth. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "random/cipher.h"
#include "random/source.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PIECE = 1 << 16, TOTAL = 1 << 25, TRIALS = 40 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned char piece[PIECE];
static uint64_t sum; /* what is computed must be used */

/* The cipher alone, keyed once a piece of 64 KiB. */
static bool raw(dpn_rng *rng) {
    static const unsigned char key[DPN_CIPHER_KEY_BYTES], counter[DPN_CIPHER_BLOCK_BYTES];
    for (int done = 0; done < TOTAL; done += PIECE)
        if (!dpn_cipher_stream(rng->cipher, key, counter, piece, PIECE)) return false;
    return true;
}

static bool large(dpn_rng *rng) {
    for (int done = 0; done < TOTAL; done += PIECE)
        if (dpn_rng_bytes(piece, rng, PIECE, NULL)) return false;
    return true;
}

static bool sixty_four(dpn_rng *rng) {
    for (int done = 0; done < TOTAL; done += 64) {
        if (dpn_rng_bytes(piece, rng, 64, NULL)) return false;
        sum += piece[0];
    }
    return true;
}

static bool eight(dpn_rng *rng) {
    uint64_t word = 0, total = 0;
    for (int done = 0; done < TOTAL; done += 8) {
        if (dpn_rng_bytes(&word, rng, sizeof word, NULL)) return false;
        total += word;
    }
    sum += total;
    return true;
}

static bool words(dpn_rng *rng) {
    uint64_t word = 0, total = 0;
    for (int done = 0; done < TOTAL; done += 8) {
        if (!dpn_rng_word(rng, &word)) return false;
        total += word;
    }
    sum += total;
    return true;
}

/* The best of a few trials, in seconds for TOTAL bytes; negative on failure. */
static double best(dpn_rng *rng, bool (*run)(dpn_rng *)) {
    double least = 1e9;
    for (int i = 0; i < TRIALS; i++) {
        double start = now();
        if (!run(rng)) return -1;
        double seconds = now() - start;
        if (seconds < least) least = seconds;
    }
    return least;
}

int main(void) {
    static const struct {
        const char *name;
        bool (*run)(dpn_rng *);
        double gigabytes, ratio; /* targets */
    } row[] = {
        {"AES-256-CTR alone", raw, 0, 1},
        {"dpn_rng_bytes, 64 KiB", large, 1, 3},
        {"dpn_rng_bytes, 64 bytes", sixty_four, 0, 3},
        {"dpn_rng_bytes, 8 bytes", eight, 0, 3},
        {"words inside the library", words, 0, 3},
    };
    dpn_rng *rng;
    dpn_error why;
    if (dpn_rng_new(&rng, &why)) return puts(why.sentence), 0;
    printf("%-26s %8s %10s %8s %8s\n", "bytes from", "GB/s", "ns/8 bytes", "ratio", "target");
    double cipher = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double seconds = best(rng, row[i].run);
        if (i == 0) cipher = seconds;
        double gigabytes = TOTAL / seconds / 1e9, ratio = seconds / cipher;
        printf("%-26s %8.2f %10.2f %8.2f %8g%c\n", row[i].name, gigabytes, 8e9 * seconds / TOTAL, ratio, row[i].ratio,
               ratio > row[i].ratio || gigabytes < row[i].gigabytes ? '*' : ' ');
    }
    dpn_rng_free(rng);
    return sum == 1; /* never */
}
