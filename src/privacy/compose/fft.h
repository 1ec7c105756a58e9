/* Real transforms of power-of-two length, with a proved bound of their error (docs/proofs/privacy/transform.md).
 *
 * A spectrum holds the frequencies in an order of its own, which suits what convolutions do with it: multiply entry by entry and
 * go back. It is an array of cells of four complex numbers. The same bits come back on every processor.
 */
#ifndef DPN_PRIVACY_FFT_H
#define DPN_PRIVACY_FFT_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DPN_FFT_LOG2_LEAST = 6, DPN_FFT_LEVELS = 33 };

/* Four complex numbers; arrays of them begin at multiples of 64 bytes. */
typedef struct dpn_fft_cell {
    double re[4], im[4];
} dpn_fft_cell;

/* The code for one kind of processor: portable, or with AVX2 where there is some. All compute the same. */
typedef struct dpn_fft_code dpn_fft_code;
extern const dpn_fft_code dpn_fft_portable;
const dpn_fft_code *dpn_fft_best_code(void);

/* What transforms need; all zero at the start. Level l has cos and sin of 2 pi j/2^l, j < 2^l/4, with an error of at most
 * DPN_FFT_TWIDDLE_ERROR in modulus. */
typedef struct dpn_fft_tables {
    const dpn_fft_code *code;
    dpn_fft_cell *level[DPN_FFT_LEVELS];
} dpn_fft_tables;

#define DPN_FFT_TWIDDLE_ERROR 0x1p-53

/* Prepare for transforms of 2^log2_length, DPN_FFT_LOG2_LEAST <= log2_length < DPN_FFT_LEVELS, and all shorter ones.
 * Errors   DPN_ENOMEM; what was prepared before stays so.
 */
dpn_status dpn_fft_prepare(dpn_fft_tables *tables, int log2_length);
void dpn_fft_release(dpn_fft_tables *tables);

/* How many cells the spectrum of 2^log2_length real numbers has. */
static inline size_t dpn_fft_cells(int log2_length) {
    return ((size_t)1 << log2_length) / 8 + 4;
}

/* The spectrum of real[0 .. 2^log2_length - 1], which is overwritten; and real times 2^log2_length from the spectrum, which is
 * overwritten. `real` begins at a multiple of 64 bytes. Tables must be prepared for that length. */
void dpn_fft_forward(dpn_fft_cell *spectrum, double *real, int log2_length, const dpn_fft_tables *tables);
void dpn_fft_inverse(double *real, dpn_fft_cell *spectrum, int log2_length, const dpn_fft_tables *tables);

/* into[k] = from[k]^exponent, exponent >= 1, and 0 where |from[k]|^2 < least_square; multiplied by what is there unless it is
 * the first. `into` may be `from` if it is the first. */
void dpn_fft_power(dpn_fft_cell *into, const dpn_fft_cell *from, size_t cells, uint64_t exponent, double least_square,
                   bool first, const dpn_fft_tables *tables);

/* Relative error of either transform in the 2-norm, at most; the norm of the input must lie between 1e-250 and 1e250. */
double dpn_fft_error(int log2_length);

/* Relative error of each product of two complex numbers, at most. */
#define DPN_FFT_PRODUCT_ERROR (2.5 * 0x1p-53)

#endif
