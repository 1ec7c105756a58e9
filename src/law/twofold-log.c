/* Logarithms to twice the precision of a double. */
#include "law/twofold-log.h"

/* log(j/16), j = 16, ..., 32, each as hi and lo. */
static const double log_of_sixteenths[][2] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59},
    {0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60},
    {0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58},
    {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57},
    {0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61},
    {0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56},
    {0x1.739d7f6bbd007p-2, -0x1.8c76ceb014b04p-56},
    {0x1.9f323ecbf984cp-2, -0x1.a92e513217f5cp-59},
    {0x1.c8ff7c79a9a22p-2, -0x1.4f689f8434012p-56},
    {0x1.f128f5faf06edp-2, -0x1.328df13bb38c3p-56},
    {0x1.0be72e4252a83p-1, -0x1.259da11330801p-55},
    {0x1.1e85f5e7040d0p-1, 0x1.ef62cd2f9f1e3p-56},
    {0x1.307d7334f10bep-1, 0x1.fb590a1f566dap-57},
    {0x1.41d8fe84672aep-1, 0x1.9192f30bd1806p-55},
    {0x1.52a2d265bc5abp-1, -0x1.1883750ea4d0ap-57},
    {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56},
};
enum { LAST = sizeof log_of_sixteenths / sizeof *log_of_sixteenths - 1 };

/* 2 artanh(r) = log((1 + r)/(1 - r)) for |r| <= 1/64: the first terms are twofold, of the others a double is enough. */
static dpn_twofold log_of_ratio(dpn_twofold r) {
    dpn_twofold square = dpn_two_multiply(r, r);
    double s = square.hi, rest = s * s * (1.0 / 5 + s * (1.0 / 7 + s * (1.0 / 9 + s * (1.0 / 11 + s * (1.0 / 13)))));
    dpn_twofold series = dpn_two_add(dpn_two(1), dpn_two_add(dpn_two_divide(square, 3), dpn_two(rest)));
    return dpn_two_scale(dpn_two_multiply(r, series), 2);
}

/* With x = 2^k m, 1 <= m < 2, and c the sixteenth next to m: log x = k log 2 + log c + 2 artanh((m - c)/(m + c)). */
dpn_twofold dpn_two_log(double x) {
    int k;
    double m = 2 * frexp(x, &k);
    int j = (int)(16 * m + 0.5) - 16;
    double c = 1 + j / 16.0, difference = m - c;
    dpn_twofold sum = dpn_two_sum(m, c);
    double r = difference / sum.hi, left = fma(-r, sum.hi, difference) - r * sum.lo;
    dpn_twofold whole = dpn_two_times(dpn_two_load(log_of_sixteenths[LAST]), k - 1);
    dpn_twofold near = log_of_ratio((dpn_twofold){r, left / sum.hi});
    return dpn_two_add(whole, dpn_two_add(dpn_two_load(log_of_sixteenths[j]), near));
}
