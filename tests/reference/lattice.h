/* Sums over the integers of exp(quadratic): what the references of the integer laws are made of. */
#ifndef DPN_TEST_LATTICE_H
#define DPN_TEST_LATTICE_H

#include "reference/real.h"

/* sum over j >= 1 of j^n exp(-j^2/(2 square) - slope j), n = 0, 1, 2; square > 0, slope >= -1/(2 square).
 * The first form adds terms; the second is Euler-Maclaurin's with its remainder below 2^-r_bits() of the sum, where that
 * can be had (NaN otherwise); the third takes the shorter way. */
real r_lattice_direct(int n, real square, real slope);
real r_lattice_euler_maclaurin(int n, real square, real slope);
real r_lattice(int n, real square, real slope);

/* The same from j = 1 to last only, for n = 0. */
real r_lattice_until(real last, real square, real slope);

/* log of the sum over k >= first of exp(-(k^2/2 + shift k)/square), first >= 0, any shift. */
real r_log_lattice_from(real first, real square, real shift);

/* sum over 1 <= j <= last of j^n exp(-slope j), n = 0, 1, 2, slope > 0. For n > 0 about n + 1 times the bits of
 * 1/(slope last) are lost. */
real r_geometric(int n, real last, real slope);

/* sum over 0 <= j < count of exp(-slope j), slope > 0. */
real r_geometric_from_zero(real count, real slope);

#endif
