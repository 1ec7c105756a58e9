/* The transform: against the definition in longer arithmetic, there and back, on every kind of processor, in many threads at once;
 * its error is within the bound of docs/proofs/privacy/transform.md, and one wrong twiddle factor is not. */
#include "privacy/compose/fft.h"

#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI_LONG 3.14159265358979323846264338327950288L

static double *reals(int log2_length) {
    double *made = aligned_alloc(64, sizeof *made << log2_length);
    if (!made) fail_msg("no memory");
    return made;
}

static dpn_fft_cell *cells(int log2_length) {
    dpn_fft_cell *made = aligned_alloc(64, sizeof *made * dpn_fft_cells(log2_length));
    if (!made) fail_msg("no memory");
    return made;
}

static dpn_fft_tables prepared(int log2_length) {
    dpn_fft_tables tables = {0};
    assert_int_equal(dpn_fft_prepare(&tables, log2_length), DPN_OK);
    return tables;
}

/* Numbers in [-1, 1), the same in every run. */
static void fill(double *x, size_t count, uint64_t seed) {
    for (size_t j = 0; j < count; j++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[j] = (double)(int64_t)seed * 0x1p-63;
    }
}

/* Which frequency each entry of a complex transform of 2^level has: as fft.c says, computed by itself. */
static void frequencies(long *out, int level, long factor, long offset) {
    if (level == 4)
        for (long j = 0; j < 16; j++) out[j] = factor * (j % 4 == 3 ? j - 4 : j) + offset;
    else if (level == 5) {
        frequencies(out, 4, 2 * factor, offset);
        frequencies(out + 16, 4, 2 * factor, offset + factor);
    } else {
        size_t quarter = (size_t)1 << (level - 2);
        frequencies(out, level - 1, 2 * factor, offset);
        frequencies(out + 2 * quarter, level - 2, 4 * factor, offset + factor);
        frequencies(out + 3 * quarter, level - 2, 4 * factor, offset - factor);
    }
}

/* The frequency of every entry of a spectrum, modulo the length; and how many of the two of a pair it stands for. */
static long *spectrum_frequencies(int log2_length, double **weight) {
    size_t length = (size_t)1 << log2_length, count = 4 * dpn_fft_cells(log2_length), done = 32;
    long *out = malloc(count * sizeof *out);
    *weight = malloc(count * sizeof **weight);
    if (!out || !*weight) fail_msg("no memory");
    frequencies(out, 5, (long)length / 32, 0);
    for (int level = 6; level <= log2_length; level++) {
        long factor = (long)(length >> level);
        frequencies(out + done, level - 2, 4 * factor, factor);
        done += (size_t)1 << (level - 2);
    }
    assert_int_equal(done, count);
    for (size_t k = 0; k < count; k++) {
        out[k] = (out[k] % (long)length + (long)length) % (long)length;
        (*weight)[k] = k < 32 ? 1 : 2;
    }
    return out;
}

/* The largest relative error of the forward transform in the 2-norm against the definition, over some inputs. */
static double forward_error(int log2_length, const dpn_fft_tables *tables) {
    size_t length = (size_t)1 << log2_length, count = 4 * dpn_fft_cells(log2_length);
    double *x = reals(log2_length), *copy = reals(log2_length), *weight, worst = 0;
    dpn_fft_cell *spectrum = cells(log2_length);
    long *frequency = spectrum_frequencies(log2_length, &weight);
    long double *turn = malloc(2 * length * sizeof *turn);
    if (!turn) fail_msg("no memory");
    for (size_t j = 0; j < length; j++) {
        turn[2 * j] = cosl(2 * PI_LONG * (long double)j / (long double)length);
        turn[2 * j + 1] = -sinl(2 * PI_LONG * (long double)j / (long double)length);
    }
    for (uint64_t seed = 1; seed <= 3; seed++) {
        fill(x, length, seed);
        if (seed == 2)
            for (size_t j = 0; j < length; j++) x[j] = exp(-(double)j); /* as masses may be */
        memcpy(copy, x, length * sizeof *x);
        dpn_fft_forward(spectrum, copy, log2_length, tables);
        long double square = 0, error = 0;
        for (size_t k = 0; k < count; k++) {
            long double re = 0, im = 0;
            for (size_t j = 0; j < length; j++) {
                size_t at = j * (size_t)frequency[k] % length;
                re += x[j] * turn[2 * at];
                im += x[j] * turn[2 * at + 1];
            }
            long double r = spectrum[k / 4].re[k % 4], i = spectrum[k / 4].im[k % 4];
            error += weight[k] * ((r - re) * (r - re) + (i - im) * (i - im));
            square += weight[k] * (re * re + im * im);
        }
        worst = fmax(worst, (double)sqrtl(error / square));
    }
    free(turn);
    free(frequency);
    free(weight);
    free(spectrum);
    free(copy);
    free(x);
    return worst;
}

static void forward_is_the_definition(void **state) {
    (void)state;
    dpn_fft_tables tables = prepared(11);
    for (int level = DPN_FFT_LOG2_LEAST; level <= 11; level++) {
        double error = forward_error(level, &tables);
        if (!(error <= dpn_fft_error(level)))
            fail_msg("2^%d: %g exceeds the bound %g", level, error, dpn_fft_error(level));
        if (!(error > 1e-17)) fail_msg("2^%d: no error at all cannot be", level);
        printf("# 2^%d: error %.2g, bound %.2g\n", level, error, dpn_fft_error(level));
    }
    dpn_fft_release(&tables);
}

/* The bound is narrow enough to see one factor that is off by 2^-36. */
static void wrong_twiddle_is_seen(void **state) {
    (void)state;
    for (int level = 5; level <= 9; level++) {
        dpn_fft_tables tables = prepared(9);
        tables.level[level]->im[1] += 0x1p-36;
        if (!(forward_error(9, &tables) > dpn_fft_error(9))) fail_msg("level %d: not seen", level);
        dpn_fft_release(&tables);
    }
}

static void twiddles_are_close(void **state) {
    (void)state;
    enum { MOST = 22 };
    dpn_fft_tables tables = prepared(MOST);
    mpfr_t angle, cosine, sine;
    mpfr_inits2(120, angle, cosine, sine, (mpfr_ptr)0);
    double worst = 0;
    for (int level = 5; level <= MOST; level++) {
        size_t count = (size_t)1 << (level - 2), stride = level <= 10 ? 1 : count / 200 - 1;
        for (size_t j = 0; j < count; j += stride) {
            mpfr_const_pi(angle, MPFR_RNDN);
            mpfr_mul_ui(angle, angle, j, MPFR_RNDN);
            mpfr_div_2ui(angle, angle, (unsigned long)level - 1, MPFR_RNDN);
            mpfr_sin_cos(sine, cosine, angle, MPFR_RNDN);
            mpfr_sub_d(cosine, cosine, tables.level[level][j / 4].re[j % 4], MPFR_RNDN);
            mpfr_sub_d(sine, sine, tables.level[level][j / 4].im[j % 4], MPFR_RNDN);
            mpfr_hypot(angle, cosine, sine, MPFR_RNDU);
            double error = mpfr_get_d(angle, MPFR_RNDU);
            worst = fmax(worst, error);
            if (!(error <= DPN_FFT_TWIDDLE_ERROR)) fail_msg("level %d, %zu: off by %g", level, j, error);
        }
    }
    printf("# twiddle factors: error %.3f of the bound\n", worst / DPN_FFT_TWIDDLE_ERROR);
    mpfr_clears(angle, cosine, sine, (mpfr_ptr)0);
    mpfr_free_cache();
    dpn_fft_release(&tables);
}

static void back_again(void **state) {
    (void)state;
    dpn_fft_tables tables = {0};
    for (int level = DPN_FFT_LOG2_LEAST; level <= 20; level += level < 12 ? 1 : 4) {
        assert_int_equal(dpn_fft_prepare(&tables, level), DPN_OK);
        size_t length = (size_t)1 << level;
        double *x = reals(level), *y = reals(level), bound = dpn_fft_error(level);
        dpn_fft_cell *spectrum = cells(level);
        fill(x, length, 7);
        memcpy(y, x, length * sizeof *x);
        dpn_fft_forward(spectrum, y, level, &tables);
        long double square = 0, whole = 0, error = 0;
        for (size_t k = 0; k < dpn_fft_cells(level); k++)
            for (int lane = 0; lane < 4; lane++) {
                long double re = spectrum[k].re[lane], im = spectrum[k].im[lane];
                whole += (k < 8 ? 1 : 2) * (re * re + im * im);
            }
        dpn_fft_inverse(y, spectrum, level, &tables);
        for (size_t j = 0; j < length; j++) {
            long double off = y[j] / (long double)length - x[j];
            square += (long double)x[j] * x[j];
            error += off * off;
        }
        double parseval = (double)fabsl(sqrtl(whole / (square * (long double)length)) - 1);
        double round_trip = (double)sqrtl(error / square);
        if (!(parseval <= bound)) fail_msg("2^%d: Parseval off by %g", level, parseval);
        if (!(round_trip <= 2.001 * bound)) fail_msg("2^%d: back with an error of %g", level, round_trip);
        free(spectrum);
        free(y);
        free(x);
    }
    dpn_fft_release(&tables);
}

/* An impulse has a flat spectrum, a constant only frequency 0. */
static void edges(void **state) {
    (void)state;
    enum { LEVEL = DPN_FFT_LOG2_LEAST };
    dpn_fft_tables tables = prepared(LEVEL);
    double *x = reals(LEVEL);
    dpn_fft_cell *spectrum = cells(LEVEL);
    memset(x, 0, sizeof *x << LEVEL);
    x[0] = 1;
    dpn_fft_forward(spectrum, x, LEVEL, &tables);
    for (size_t k = 0; k < 4 * dpn_fft_cells(LEVEL); k++) {
        assert_true(spectrum[k / 4].re[k % 4] == 1);
        assert_true(spectrum[k / 4].im[k % 4] == 0);
    }
    for (int j = 0; j < 1 << LEVEL; j++) x[j] = 1;
    dpn_fft_forward(spectrum, x, LEVEL, &tables);
    for (size_t k = 0; k < 4 * dpn_fft_cells(LEVEL); k++) {
        assert_true(spectrum[k / 4].re[k % 4] == (k == 0 ? 1 << LEVEL : 0));
        assert_true(spectrum[k / 4].im[k % 4] == 0);
    }
    free(spectrum);
    free(x);
    dpn_fft_release(&tables);
    dpn_fft_release(&tables);
}

/* A power of the spectrum is a repeated cyclic convolution. */
static void powers_are_convolutions(void **state) {
    (void)state;
    enum { LEVEL = 7, LENGTH = 1 << LEVEL, TIMES = 13 };
    dpn_fft_tables tables = prepared(LEVEL);
    double *x = reals(LEVEL), want[LENGTH] = {1}, mass[LENGTH];
    dpn_fft_cell *spectrum = cells(LEVEL), *product = cells(LEVEL);
    fill(mass, LENGTH, 5);
    double sum = 0;
    for (int j = 0; j < LENGTH; j++) sum += mass[j] = fabs(mass[j]) * exp(-0.3 * j);
    for (int j = 0; j < LENGTH; j++) mass[j] /= sum;
    for (int i = 0; i < TIMES + 1; i++) {
        double next[LENGTH] = {0};
        for (int j = 0; j < LENGTH; j++)
            for (int k = 0; k < LENGTH; k++) next[(j + k) % LENGTH] += want[j] * mass[k];
        memcpy(want, next, sizeof want);
    }
    memcpy(x, mass, sizeof mass);
    dpn_fft_forward(spectrum, x, LEVEL, &tables);
    dpn_fft_power(product, spectrum, dpn_fft_cells(LEVEL), TIMES, 0, true, &tables);
    dpn_fft_power(product, spectrum, dpn_fft_cells(LEVEL), 1, 0, false, &tables);
    dpn_fft_inverse(x, product, LEVEL, &tables);
    for (int j = 0; j < LENGTH; j++)
        if (!(fabs(x[j] / LENGTH - want[j]) < 1e-15)) fail_msg("%d: %g, not %g", j, x[j] / LENGTH, want[j]);
    /* entries below the limit vanish, others do not */
    dpn_fft_power(spectrum, spectrum, dpn_fft_cells(LEVEL), 1, 0.25, true, &tables);
    int dropped = 0, kept = 0;
    for (size_t k = 0; k < 4 * dpn_fft_cells(LEVEL); k++) {
        double modulus = hypot(spectrum[k / 4].re[k % 4], spectrum[k / 4].im[k % 4]);
        assert_true(modulus == 0 || modulus > 0.4999);
        dropped += modulus == 0;
        kept += modulus > 0;
    }
    assert_true(dropped > 0 && kept > 0);
    free(product);
    free(spectrum);
    free(x);
    dpn_fft_release(&tables);
}

enum { SHARED = 13 };

/* There, to the third power, and back. */
static void *work(void *out) {
    dpn_fft_tables *tables = out;
    double *x = reals(SHARED);
    dpn_fft_cell *spectrum = cells(SHARED);
    if (dpn_fft_prepare(tables, SHARED)) abort();
    fill(x, (size_t)1 << SHARED, 3);
    dpn_fft_forward(spectrum, x, SHARED, tables);
    dpn_fft_power(spectrum, spectrum, dpn_fft_cells(SHARED), 3, 1e-3, true, tables);
    dpn_fft_inverse(x, spectrum, SHARED, tables);
    free(spectrum);
    dpn_fft_release(tables);
    return x;
}

static void all_processors_and_threads_agree(void **state) {
    (void)state;
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    dpn_fft_tables tables[THREADS] = {{0}}, here = {.code = &dpn_fft_portable};
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, work, &tables[i]), 0);
    double *want = work(&here);
    for (int i = 0; i < THREADS; i++) {
        void *found;
        assert_int_equal(pthread_join(thread[i], &found), 0);
        assert_memory_equal(found, want, sizeof *want << SHARED);
        free(found);
    }
    free(want);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_is_the_definition),
        cmocka_unit_test(wrong_twiddle_is_seen),
        cmocka_unit_test(twiddles_are_close),
        cmocka_unit_test(back_again),
        cmocka_unit_test(edges),
        cmocka_unit_test(powers_are_convolutions),
        cmocka_unit_test(all_processors_and_threads_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
