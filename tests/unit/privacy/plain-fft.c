/* The discrete Fourier transform, radix 2. */
#include "plain-fft.h"

#include <math.h>

void plain_fft(double complex *a, size_t count, double sign) {
    for (size_t i = 1, j = 0; i < count; i++) {
        size_t bit = count >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex swap = a[i];
            a[i] = a[j];
            a[j] = swap;
        }
    }
    for (size_t length = 2; length <= count; length <<= 1)
        for (size_t k = 0; k < length / 2; k++) {
            double complex turn = cexp(sign * 2 * I * acos(-1) * (double)k / (double)length);
            for (size_t i = k; i < count; i += length) {
                double complex u = a[i], v = a[i + length / 2] * turn;
                a[i] = u + v;
                a[i + length / 2] = u - v;
            }
        }
}
