/* The twiddle factors of the transform: cos and sin of 2 pi j/n for j < n/4, each rounded once and a little more.
 *
 * A quarter turn is cut in 64 coarse angles, whose cos and sin are known to twice the precision, H + h. Between them lies a
 * small angle x < pi/128, and cos(a + x) = H + (h + (cos a (cos x - 1) - sin a sin x)): what is computed in plain double is
 * small beside H. docs/proofs/privacy/transform.md bounds the error.
 */
#include "base/twofold.h"
#include "privacy/compose/fft.h"

#include <stdlib.h>

enum { COARSE = 64 };

typedef struct turn {
    dpn_twofold cos, sin;
} turn;

/* cos and sin of pi k/128, k < COARSE. */
static void coarse_turns(turn *out) {
    const turn one = {{0x1.ffd886084cd0dp-1, -0x1.1354d4556e4cbp-55}, {0x1.92155f7a3667ep-6, -0x1.b1d63091a0130p-64}};
    out[0] = (turn){dpn_two(1), dpn_two(0)};
    for (int k = 1; k < COARSE; k++) {
        const turn *a = &out[k - 1];
        out[k].cos = dpn_two_subtract(dpn_two_multiply(a->cos, one.cos), dpn_two_multiply(a->sin, one.sin));
        out[k].sin = dpn_two_add(dpn_two_multiply(a->sin, one.cos), dpn_two_multiply(a->cos, one.sin));
    }
}

/* cos x - 1 and sin x by their series, 0 <= x < pi/128: what follows is below 2^-60 of them. */
static void small_turn(double *cos_less_one, double *sin, double x) {
    double y = x * x;
    *cos_less_one = -y / 2 * (1 - y / 12 * (1 - y / 30 * (1 - y / 56)));
    *sin = x - x * y * (1.0 / 6 - y / 120 * (1 - y / 42));
}

static void fill_level(dpn_fft_cell *out, int level, const turn *coarse) {
    size_t count = (size_t)1 << (level - 2), parts = count < COARSE ? count : COARSE, fine = count / parts;
    double unit = 0x1.921fb54442d18p+2 / (double)((size_t)1 << level);
    for (size_t j = 0; j < count; j++) {
        const turn *a = &coarse[j / fine * (COARSE / parts)];
        double less, sin;
        small_turn(&less, &sin, unit * (double)(j % fine));
        out[j / 4].re[j % 4] = a->cos.hi + (a->cos.lo + (a->cos.hi * less - a->sin.hi * sin));
        out[j / 4].im[j % 4] = a->sin.hi + (a->sin.lo + (a->sin.hi * less + a->cos.hi * sin));
    }
}

dpn_status dpn_fft_prepare(dpn_fft_tables *tables, int log2_length) {
    enum { FIRST = 5 }; /* shorter ones are written in the code */
    turn coarse[COARSE];
    if (!tables->code) tables->code = dpn_fft_best_code();
    if (tables->level[log2_length]) return DPN_OK;
    coarse_turns(coarse);
    for (int level = FIRST; level <= log2_length; level++) {
        if (tables->level[level]) continue;
        dpn_fft_cell *made = aligned_alloc(64, sizeof *made << (level - 4));
        if (!made) return DPN_ENOMEM;
        fill_level(made, level, coarse);
        tables->level[level] = made;
    }
    return DPN_OK;
}

void dpn_fft_release(dpn_fft_tables *tables) {
    for (int level = 0; level < DPN_FFT_LEVELS; level++) free(tables->level[level]);
    *tables = (dpn_fft_tables){0};
}
