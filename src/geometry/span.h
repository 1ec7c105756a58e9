/* Real numbers between two bounds of many digits, of either sign.
 *
 * The draws of balls fall back on spans where doubles cannot decide: random numbers are spans that shrink with every bit,
 * and what is computed from them is a span that holds the truth. All spans of a computation have the same number of limbs
 * (base/wide.h).
 */
#ifndef DPN_GEOMETRY_SPAN_H
#define DPN_GEOMETRY_SPAN_H

#include "geometry/integer.h"
#include "random/lazy.h"

typedef struct dpn_signed_wide {
    bool negative;
    dpn_wide size;
} dpn_signed_wide;

typedef struct dpn_span {
    dpn_signed_wide low, high;
} dpn_span;

dpn_span dpn_span_double(int limbs, double x); /* finite */
dpn_span dpn_span_integer(int limbs, const dpn_integer *x);
dpn_span dpn_span_lazy(int limbs, const dpn_lazy *x);

dpn_span dpn_span_add(int limbs, const dpn_span *a, const dpn_span *b);
dpn_span dpn_span_minus(const dpn_span *a);
dpn_span dpn_span_multiply(int limbs, const dpn_span *a, const dpn_span *b);
bool dpn_span_divide(dpn_span *out, int limbs, const dpn_span *a, const dpn_span *b); /* false if b may be 0 */
dpn_span dpn_span_scale(const dpn_span *a, int64_t power_of_two);
dpn_span dpn_span_size(int limbs, const dpn_span *a); /* |a| */
dpn_span dpn_span_larger(int limbs, const dpn_span *a, const dpn_span *b);

/* Of numbers >= 0; what a span holds below 0 is cut off. Powers p from 1 to 1000. */
dpn_span dpn_span_power(int limbs, const dpn_span *a, double p);
dpn_span dpn_span_root(int limbs, const dpn_span *a, double p); /* a^(1/p) */

/* -1 if a < b or a = b whatever they are, 1 if a >= b, 0 if the spans do not tell. */
int dpn_span_compare(int limbs, const dpn_span *a, const dpn_span *b);

#endif
