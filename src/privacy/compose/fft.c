/* Real transforms of power-of-two length.
 *
 * A step of a complex transform of length m, w = exp(-2 pi i/m), splits it in three, with conjugate twiddle factors (Kamar and
 * Elcherif 1989): with a = z[j] - z[j + m/2], b = z[j + m/4] - z[j + 3m/4],
 *
 *     even frequencies       the transform of z[j] + z[j + m/2]        of length m/2
 *     frequencies 4k + 1     the transform of (a - ib) w^j             of length m/4
 *     frequencies 4k - 1     the transform of (a + ib) w^-j            of length m/4
 *
 * For real z the last is the conjugate of the one before and is left out. Nothing is put in order. The inverse undoes the
 * steps, last first. Short transforms come as one piece of code; long ones go depth first, so that what fits in a cache stays in it.
 * Products and sums are taken four at a time in the same order on every processor, and nothing is fused.
 */
#include "privacy/compose/fft.h"

#include <math.h>

/* A vector of four; plain loads and stores through it may see doubles. */
typedef double four __attribute__((vector_size(32), may_alias));
typedef int64_t mask __attribute__((vector_size(32)));

typedef struct cell {
    four re, im;
} cell;

struct dpn_fft_code {
    void (*forward_step)(cell *z, const cell *w, size_t quarter);
    void (*inverse_step)(cell *z, const cell *w, size_t quarter);
    void (*forward_16)(cell *z);
    void (*inverse_16)(cell *z);
    void (*forward_32)(cell *z, const cell *w);
    void (*inverse_32)(cell *z, const cell *w);
    void (*forward_real)(cell *z, four *x, const cell *w, size_t quarter);
    void (*inverse_real)(four *x, const cell *z, const cell *w, size_t quarter);
    void (*power)(cell *into, const cell *from, size_t cells, uint64_t exponent, double least_square, bool first);
};

/* What is inlined takes vectors by address: passed by value they would depend on the processor that is compiled for. */
#define INLINE static inline __attribute__((always_inline))

INLINE void add(cell *out, const cell *a, const cell *b) {
    *out = (cell){a->re + b->re, a->im + b->im};
}

INLINE void subtract(cell *out, const cell *a, const cell *b) {
    *out = (cell){a->re - b->re, a->im - b->im};
}

/* a + ib, a - ib. */
INLINE void add_turned(cell *out, const cell *a, const cell *b) {
    *out = (cell){a->re - b->im, a->im + b->re};
}

INLINE void subtract_turned(cell *out, const cell *a, const cell *b) {
    *out = (cell){a->re + b->im, a->im - b->re};
}

/* a (re w + i im w), a (re w - i im w). */
INLINE void multiply(cell *out, const cell *a, const cell *w) {
    *out = (cell){a->re * w->re - a->im * w->im, a->im * w->re + a->re * w->im};
}

INLINE void multiply_conjugate(cell *out, const cell *a, const cell *w) {
    *out = (cell){a->re * w->re + a->im * w->im, a->im * w->re - a->re * w->im};
}

INLINE void forward_step(cell *z, const cell *w, size_t quarter) {
    for (size_t j = 0; j < quarter; j++) {
        cell z0 = z[j], z1 = z[j + quarter], z2 = z[j + 2 * quarter], z3 = z[j + 3 * quarter], t = w[j], a, b;
        add(&z[j], &z0, &z2);
        add(&z[j + quarter], &z1, &z3);
        subtract(&a, &z0, &z2);
        subtract(&b, &z1, &z3);
        subtract_turned(&z0, &a, &b);
        add_turned(&z1, &a, &b);
        multiply_conjugate(&z[j + 2 * quarter], &z0, &t);
        multiply(&z[j + 3 * quarter], &z1, &t);
    }
}

INLINE void inverse_step(cell *z, const cell *w, size_t quarter) {
    for (size_t j = 0; j < quarter; j++) {
        cell z0 = z[j], z1 = z[j + quarter], t = w[j], plus, minus, a, b;
        multiply(&plus, &z[j + 2 * quarter], &t);
        multiply_conjugate(&minus, &z[j + 3 * quarter], &t);
        add(&a, &plus, &minus);
        subtract(&b, &plus, &minus);
        add(&z[j], &z0, &a);
        subtract(&z[j + 2 * quarter], &z0, &a);
        add_turned(&z[j + quarter], &z1, &b);
        subtract_turned(&z[j + 3 * quarter], &z1, &b);
    }
}

/* Four transforms of length 4, each along one lane of z[0 .. 3]; frequencies 0, 1, 2, -1. */
INLINE void forward_4(cell *z) {
    cell even, odd, a, b;
    add(&even, &z[0], &z[2]);
    add(&odd, &z[1], &z[3]);
    subtract(&a, &z[0], &z[2]);
    subtract(&b, &z[1], &z[3]);
    add(&z[0], &even, &odd);
    subtract_turned(&z[1], &a, &b);
    subtract(&z[2], &even, &odd);
    add_turned(&z[3], &a, &b);
}

INLINE void inverse_4(cell *z) {
    cell even, odd, a, b;
    add(&even, &z[0], &z[2]);
    add(&a, &z[1], &z[3]);
    subtract(&odd, &z[0], &z[2]);
    subtract(&b, &z[1], &z[3]);
    add(&z[0], &even, &a);
    add_turned(&z[1], &odd, &b);
    subtract(&z[2], &even, &a);
    subtract_turned(&z[3], &odd, &b);
}

INLINE void transpose(four *a, four *b, four *c, four *d) {
    four ab_even = __builtin_shufflevector(*a, *b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(*a, *b, 1, 5, 3, 7);
    four cd_even = __builtin_shufflevector(*c, *d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(*c, *d, 1, 5, 3, 7);
    *a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
    *b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
    *c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
    *d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

INLINE void transpose_cells(cell *z) {
    transpose(&z[0].re, &z[1].re, &z[2].re, &z[3].re);
    transpose(&z[0].im, &z[1].im, &z[2].im, &z[3].im);
}

#define COS_8 0x1.d906bcf328d46p-1  /* cos pi/8 */
#define SIN_8 0x1.87de2a6aea963p-2  /* sin pi/8 */
#define ROOT_2 0x1.6a09e667f3bcdp-1 /* 1/sqrt 2 */

/* cos and sin of 2 pi j/16, and of 2 pi 2j/16, for the lanes j. */
#define TURN_16                      \
    {                                \
        {1, COS_8, ROOT_2, SIN_8}, { \
            0, SIN_8, ROOT_2, COS_8  \
        }                            \
    }
#define TURN_8                     \
    {                              \
        {1, ROOT_2, 0, -ROOT_2}, { \
            0, ROOT_2, 1, ROOT_2   \
        }                          \
    }

/* Lane p of z[k] becomes frequency 4k + p, where p = 3 stands for -1. */
INLINE void forward_16(cell *at) {
    const cell turn_16 = TURN_16, turn_8 = TURN_8;
    cell z[4] = {at[0], at[1], at[2], at[3]};
    forward_4(z);
    multiply_conjugate(&z[1], &z[1], &turn_16);
    multiply_conjugate(&z[2], &z[2], &turn_8);
    multiply(&z[3], &z[3], &turn_16);
    transpose_cells(z);
    forward_4(z);
    at[0] = z[0], at[1] = z[1], at[2] = z[2], at[3] = z[3];
}

INLINE void inverse_16(cell *at) {
    const cell turn_16 = TURN_16, turn_8 = TURN_8;
    cell z[4] = {at[0], at[1], at[2], at[3]};
    inverse_4(z);
    transpose_cells(z);
    multiply(&z[1], &z[1], &turn_16);
    multiply(&z[2], &z[2], &turn_8);
    multiply_conjugate(&z[3], &z[3], &turn_16);
    inverse_4(z);
    at[0] = z[0], at[1] = z[1], at[2] = z[2], at[3] = z[3];
}

/* Even frequencies, then odd ones. w[0 .. 1] are those of length 32; the ones of the second quarter are -i times them. */
INLINE void forward_32(cell *z, const cell *w) {
    for (int j = 0; j < 2; j++) {
        cell a, b, turned = {-w[j].im, w[j].re};
        subtract(&a, &z[j], &z[j + 4]);
        subtract(&b, &z[j + 2], &z[j + 6]);
        add(&z[j], &z[j], &z[j + 4]);
        add(&z[j + 2], &z[j + 2], &z[j + 6]);
        multiply_conjugate(&z[j + 4], &a, &w[j]);
        multiply_conjugate(&z[j + 6], &b, &turned);
    }
    forward_16(z);
    forward_16(z + 4);
}

INLINE void inverse_32(cell *z, const cell *w) {
    inverse_16(z);
    inverse_16(z + 4);
    for (int j = 0; j < 2; j++) {
        cell a, b, z0 = z[j], z2 = z[j + 2], turned = {-w[j].im, w[j].re};
        multiply(&a, &z[j + 4], &w[j]);
        multiply(&b, &z[j + 6], &turned);
        add(&z[j], &z0, &a);
        subtract(&z[j + 4], &z0, &a);
        add(&z[j + 2], &z2, &b);
        subtract(&z[j + 6], &z2, &b);
    }
}

/* The step of a real transform: x[0 .. 2 quarter - 1] goes on as a real one, z as a complex one. */
INLINE void forward_real(cell *z, four *x, const cell *w, size_t quarter) {
    for (size_t j = 0; j < quarter; j++) {
        four a = x[j] - x[j + 2 * quarter], b = x[j + quarter] - x[j + 3 * quarter], cos = w[j].re, sin = w[j].im;
        x[j] += x[j + 2 * quarter];
        x[j + quarter] += x[j + 3 * quarter];
        z[j] = (cell){a * cos - b * sin, -(b * cos + a * sin)};
    }
}

INLINE void inverse_real(four *x, const cell *z, const cell *w, size_t quarter) {
    for (size_t j = 0; j < quarter; j++) {
        cell c;
        multiply(&c, &z[j], &w[j]);
        four x0 = x[j], x1 = x[j + quarter], a = c.re + c.re, b = c.im + c.im;
        x[j] = x0 + a;
        x[j + 2 * quarter] = x0 - a;
        x[j + quarter] = x1 - b;
        x[j + 3 * quarter] = x1 + b;
    }
}

INLINE void power(cell *into, const cell *from, size_t cells, uint64_t exponent, double least_square, bool first) {
    for (size_t k = 0; k < cells; k++) {
        cell base = from[k], result = {{1, 1, 1, 1}, {0, 0, 0, 0}};
        mask kept = base.re * base.re + base.im * base.im >= least_square;
        if (!(kept[0] | kept[1] | kept[2] | kept[3])) {
            into[k] = (cell){{0, 0, 0, 0}, {0, 0, 0, 0}};
            continue;
        }
        base.re = (four)((mask)base.re & kept);
        base.im = (four)((mask)base.im & kept);
        for (uint64_t left = exponent; left > 1; left >>= 1) {
            if (left & 1) multiply(&result, &result, &base);
            multiply(&base, &base, &base);
        }
        multiply(&result, &result, &base);
        if (!first) multiply(&result, &result, &into[k]);
        into[k] = result;
    }
}

/* The same code once for any processor and once for AVX2; inlining makes the copies. */
#define CODE(kind, for_kind)                                                                                 \
    for_kind static void forward_step_##kind(cell *z, const cell *w, size_t quarter) {                       \
        forward_step(z, w, quarter);                                                                         \
    }                                                                                                        \
    for_kind static void inverse_step_##kind(cell *z, const cell *w, size_t quarter) {                       \
        inverse_step(z, w, quarter);                                                                         \
    }                                                                                                        \
    for_kind static void forward_16_##kind(cell *z) {                                                        \
        forward_16(z);                                                                                       \
    }                                                                                                        \
    for_kind static void inverse_16_##kind(cell *z) {                                                        \
        inverse_16(z);                                                                                       \
    }                                                                                                        \
    for_kind static void forward_32_##kind(cell *z, const cell *w) {                                         \
        forward_32(z, w);                                                                                    \
    }                                                                                                        \
    for_kind static void inverse_32_##kind(cell *z, const cell *w) {                                         \
        inverse_32(z, w);                                                                                    \
    }                                                                                                        \
    for_kind static void forward_real_##kind(cell *z, four *x, const cell *w, size_t quarter) {              \
        forward_real(z, x, w, quarter);                                                                      \
    }                                                                                                        \
    for_kind static void inverse_real_##kind(four *x, const cell *z, const cell *w, size_t quarter) {        \
        inverse_real(x, z, w, quarter);                                                                      \
    }                                                                                                        \
    for_kind static void power_##kind(cell *into, const cell *from, size_t cells, uint64_t exponent,         \
                                      double least_square, bool first) {                                     \
        power(into, from, cells, exponent, least_square, first);                                             \
    }                                                                                                        \
    const dpn_fft_code dpn_fft_##kind = {                                                                    \
        forward_step_##kind, inverse_step_##kind, forward_16_##kind,   inverse_16_##kind, forward_32_##kind, \
        inverse_32_##kind,   forward_real_##kind, inverse_real_##kind, power_##kind,                         \
    };

CODE(portable, )

#if defined(__x86_64__)
CODE(avx2, __attribute__((target("avx2"))))

const dpn_fft_code *dpn_fft_best_code(void) {
    return __builtin_cpu_supports("avx2") ? &dpn_fft_avx2 : &dpn_fft_portable;
}
#else
const dpn_fft_code *dpn_fft_best_code(void) {
    return &dpn_fft_portable;
}
#endif

static const cell *twiddles(const dpn_fft_tables *tables, int level) {
    return (const cell *)(const void *)tables->level[level];
}

/* A complex transform of length 2^level in place. */
static void forward(cell *z, int level, const dpn_fft_tables *tables) {
    if (level == 4) {
        tables->code->forward_16(z);
    } else if (level == 5) {
        tables->code->forward_32(z, twiddles(tables, 5));
    } else {
        size_t quarter = (size_t)1 << (level - 4);
        tables->code->forward_step(z, twiddles(tables, level), quarter);
        forward(z, level - 1, tables);
        forward(z + 2 * quarter, level - 2, tables);
        forward(z + 3 * quarter, level - 2, tables);
    }
}

static void inverse(cell *z, int level, const dpn_fft_tables *tables) {
    if (level == 4) {
        tables->code->inverse_16(z);
    } else if (level == 5) {
        tables->code->inverse_32(z, twiddles(tables, 5));
    } else {
        size_t quarter = (size_t)1 << (level - 4);
        inverse(z, level - 1, tables);
        inverse(z + 2 * quarter, level - 2, tables);
        inverse(z + 3 * quarter, level - 2, tables);
        tables->code->inverse_step(z, twiddles(tables, level), quarter);
    }
}

/* Cells 0 .. 7 are the complex transform of the 32 real numbers that are left; then come those of length 16, 32, 64 .. */
enum { LAST_REAL = 5, LAST_CELLS = 8 };

static size_t first_cell(int level) {
    return ((size_t)1 << (level - 4)) + 4;
}

void dpn_fft_forward(dpn_fft_cell *spectrum, double *real, int log2_length, const dpn_fft_tables *tables) {
    cell *z = (cell *)(void *)spectrum;
    four *x = (four *)(void *)real;
    for (int level = log2_length; level > LAST_REAL; level--) {
        cell *part = z + first_cell(level);
        tables->code->forward_real(part, x, twiddles(tables, level), (size_t)1 << (level - 4));
        forward(part, level - 2, tables);
    }
    for (int j = 0; j < LAST_CELLS; j++) z[j] = (cell){x[j], {0, 0, 0, 0}};
    forward(z, LAST_REAL, tables);
}

void dpn_fft_inverse(double *real, dpn_fft_cell *spectrum, int log2_length, const dpn_fft_tables *tables) {
    cell *z = (cell *)(void *)spectrum;
    four *x = (four *)(void *)real;
    inverse(z, LAST_REAL, tables);
    for (int j = 0; j < LAST_CELLS; j++) x[j] = z[j].re;
    for (int level = LAST_REAL + 1; level <= log2_length; level++) {
        cell *part = z + first_cell(level);
        inverse(part, level - 2, tables);
        tables->code->inverse_real(x, part, twiddles(tables, level), (size_t)1 << (level - 4));
    }
}

void dpn_fft_power(dpn_fft_cell *into, const dpn_fft_cell *from, size_t cells, uint64_t exponent, double least_square,
                   bool first, const dpn_fft_tables *tables) {
    tables->code->power((cell *)(void *)into, (const cell *)(const void *)from, cells, exponent, least_square, first);
}

double dpn_fft_error(int log2_length) {
    return 5.5 * 0x1p-53 * (double)log2_length;
}
