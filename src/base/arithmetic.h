/* The arithmetic that the error bounds rest on. The build includes this file before every other one. */
#ifndef DPN_BASE_ARITHMETIC_H
#define DPN_BASE_ARITHMETIC_H

#include <float.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "dpnoise must be built without -ffast-math and its parts: they void the error bounds"
#endif

#if FLT_EVAL_METHOD != 0
#error "dpnoise needs double arithmetic without excess precision (on 32-bit x86: -msse2 -mfpmath=sse)"
#endif

#if FLT_RADIX != 2 || DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024
#error "dpnoise needs IEEE binary64 doubles"
#endif

#endif
