#include "geometry/integer.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 twice;

static void trim(dpn_integer *a) {
    while (a->length > 0 && a->limb[a->length - 1] == 0) a->length--;
    if (a->length == 0) a->sign = 0;
}

void dpn_integer_set(dpn_integer *out, double value) {
    int exponent;
    memset(out, 0, sizeof *out);
    if (value == 0) return;
    uint64_t significand = (uint64_t)ldexp(frexp(fabs(value), &exponent), 64);
    int shift = exponent - 64; /* of the significand; whole numbers lose nothing to the right */
    out->sign = value < 0 ? -1 : 1;
    if (shift <= 0) {
        out->limb[0] = significand >> -shift;
        out->length = 1;
        return;
    }
    int limb = shift / 64, bits = shift % 64;
    out->limb[limb] = significand << bits;
    if (bits) out->limb[limb + 1] = significand >> (64 - bits);
    out->length = limb + 2;
    trim(out);
}

static int compare_size(const dpn_integer *a, const dpn_integer *b) {
    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    for (int i = a->length - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* |a| + |b| with a sign. */
static void add_sizes(dpn_integer *out, const dpn_integer *a, const dpn_integer *b, int sign) {
    int length = a->length > b->length ? a->length : b->length;
    uint64_t carry = 0;
    for (int i = 0; i < length; i++) {
        twice sum = (twice)(i < a->length ? a->limb[i] : 0) + (i < b->length ? b->limb[i] : 0) + carry;
        out->limb[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    if (carry) out->limb[length++] = carry;
    out->length = length;
    out->sign = length ? sign : 0;
}

/* |a| - |b| with a sign, |a| >= |b|. */
static void subtract_sizes(dpn_integer *out, const dpn_integer *a, const dpn_integer *b, int sign) {
    bool borrow = false;
    for (int i = 0; i < a->length; i++) {
        uint64_t old = a->limb[i], less = i < b->length ? b->limb[i] : 0;
        out->limb[i] = old - less - borrow;
        borrow = borrow ? old <= less : old < less;
    }
    out->length = a->length;
    out->sign = sign;
    trim(out);
}

static void add_signed(dpn_integer *out, const dpn_integer *a, const dpn_integer *b, int sign_of_b) {
    if (a->sign == 0 || sign_of_b == 0) {
        int sign = a->sign ? a->sign : sign_of_b;
        const dpn_integer *from = a->sign ? a : b;
        if (out != from) {
            memcpy(out->limb, from->limb, (size_t)from->length * sizeof *out->limb);
            out->length = from->length;
        }
        out->sign = sign;
        if (sign == 0) out->length = 0;
    } else if (a->sign == sign_of_b) {
        add_sizes(out, a, b, a->sign);
    } else if (compare_size(a, b) >= 0) {
        subtract_sizes(out, a, b, a->sign);
    } else {
        subtract_sizes(out, b, a, sign_of_b);
    }
}

void dpn_integer_add(dpn_integer *out, const dpn_integer *a, const dpn_integer *b) {
    add_signed(out, a, b, b->sign);
}

void dpn_integer_subtract(dpn_integer *out, const dpn_integer *a, const dpn_integer *b) {
    add_signed(out, a, b, -b->sign);
}

void dpn_integer_multiply(dpn_integer *out, const dpn_integer *a, const dpn_integer *b) {
    out->length = a->length + b->length;
    out->sign = a->sign * b->sign;
    memset(out->limb, 0, (size_t)out->length * sizeof *out->limb);
    for (int i = 0; i < a->length; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->length; j++) {
            twice sum = (twice)a->limb[i] * b->limb[j] + out->limb[i + j] + carry;
            out->limb[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        out->limb[i + b->length] = carry;
    }
    trim(out);
}

void dpn_integer_accumulate(dpn_integer *out, const dpn_integer *a, const dpn_integer *b, bool minus) {
    dpn_integer product;
    dpn_integer_multiply(&product, a, b);
    add_signed(out, out, &product, minus ? -product.sign : product.sign);
}

double dpn_integer_scaled(const dpn_integer *a, int *exponent) {
    *exponent = 0;
    if (a->sign == 0) return 0;
    int top = a->length - 1;
    double high = (double)a->limb[top], low = top > 0 ? (double)a->limb[top - 1] : 0;
    double value = frexp(high + 0x1p-64 * low, exponent);
    *exponent += 64 * top;
    return a->sign * value;
}

double dpn_integer_ratio(const dpn_integer *a, const dpn_integer *b) {
    int up, down;
    double over = dpn_integer_scaled(a, &up), under = dpn_integer_scaled(b, &down);
    return ldexp(over / under, up - down);
}
