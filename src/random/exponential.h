/* An exact choice by the exponential mechanism's law. docs/proofs/random/exponential.md */
#ifndef DPN_RANDOM_EXPONENTIAL_H
#define DPN_RANDOM_EXPONENTIAL_H

#include <dpnoise/random.h>
#include <stddef.h>
#include <stdint.h>

/* The sums of N weights in doubles, N as below, err by less than 2^-32 of the whole. */
enum { DPN_CHOICES_MOST = (1 << 20) + 1 };

/* Half the width, over the sum of all weights, of the band around a boundary in which doubles do not decide. */
#define DPN_CHOICE_GUARD 0x1p-30

/* Choose an index i in 0 .. count-1 with probability exp(-rate score[i]) over the sum of these, exactly.
 * Domain   1 <= count <= DPN_CHOICES_MOST; 0 <= rate <= 2^20, read as the exact number that the double is; any scores.
 * Guarantee  nothing is cut off and no floating-point number decides what its error could change. Assumed are
 *          independent uniform random words, and an exp of the C library that errs by less than 2^-35 of its value on
 *          [-700, 0] (it does by less than 2^-50).
 * Errors   DPN_EDOMAIN; DPN_EENTROPY; DPN_EACCURACY if 832 random bits leave the choice undecided, of probability below
 *          2^-700. Takes no memory. On error *out is not written.
 */
DPN_MUST_CHECK dpn_status dpn_choose_exponential(size_t *out, dpn_rng *rng, const uint64_t *score, size_t count,
                                                 double rate, dpn_error *why);

/* The same with another guard, at least as wide; with infinity doubles decide nothing. */
DPN_MUST_CHECK dpn_status dpn_choose_guarded(size_t *out, dpn_rng *rng, const uint64_t *score, size_t count,
                                             double rate, double guard, dpn_error *why);

#endif
