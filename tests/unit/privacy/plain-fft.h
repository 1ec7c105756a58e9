/* The discrete Fourier transform written down, for second computations that share nothing with the library. */
#ifndef DPN_TEST_PRIVACY_PLAIN_FFT_H
#define DPN_TEST_PRIVACY_PLAIN_FFT_H

#include <complex.h>
#include <stddef.h>

/* In place: a[k] becomes the sum over j of a[j] e^(sign 2 pi i jk/count). count is a power of 2. */
void plain_fft(double complex *a, size_t count, double sign);

#endif
