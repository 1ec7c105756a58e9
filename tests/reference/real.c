#include "reference/real.h"

#include <limits.h>
#include <stdlib.h>

enum { CHUNK = 1024, CHUNKS = 4096 };

static struct {
    mpfr_t *chunk[CHUNKS];
    size_t ready, used; /* numbers initialised, numbers in use */
    mpfr_prec_t bits;
} pool = {.bits = 320};

mpfr_prec_t r_precision(mpfr_prec_t bits) {
    mpfr_prec_t before = pool.bits;
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    pool.bits = bits;
    return before;
}

mpfr_prec_t r_bits(void) {
    return pool.bits;
}

static mpfr_ptr at(size_t i) {
    return pool.chunk[i / CHUNK][i % CHUNK];
}

static mpfr_ptr fresh(void) {
    size_t i = pool.used;
    if (i == pool.ready) {
        if (i % CHUNK == 0) {
            if (i / CHUNK == CHUNKS) abort();
            pool.chunk[i / CHUNK] = malloc(CHUNK * sizeof(mpfr_t));
            if (!pool.chunk[i / CHUNK]) abort();
        }
        mpfr_init2(at(i), pool.bits);
        pool.ready++;
    } else {
        mpfr_set_prec(at(i), pool.bits);
    }
    pool.used++;
    return at(i);
}

size_t r_mark(void) {
    return pool.used;
}

void r_release(size_t mark) {
    pool.used = mark;
}

real r_keep(size_t mark, real a) {
    mpfr_prec_t bits = mpfr_get_prec(a);
    if (bits < pool.bits) bits = pool.bits;
    mpfr_t copy;
    mpfr_init2(copy, bits);
    mpfr_set(copy, a, MPFR_RNDN);
    pool.used = mark;
    mpfr_ptr kept = fresh();
    mpfr_swap(kept, copy);
    mpfr_clear(copy);
    return kept;
}

void r_free_all(void) {
    for (size_t i = 0; i < pool.ready; i++) mpfr_clear(at(i));
    for (size_t i = 0; i < pool.ready; i += CHUNK) free(pool.chunk[i / CHUNK]);
    pool.ready = pool.used = 0;
    mpfr_free_cache();
}

real r_num(double a) {
    mpfr_ptr c = fresh();
    mpfr_set_d(c, a, MPFR_RNDN);
    return c;
}

real r_text(const char *decimal) {
    mpfr_ptr c = fresh();
    if (mpfr_set_str(c, decimal, 10, MPFR_RNDN) != 0) mpfr_set_nan(c);
    return c;
}

real r_pi(void) {
    mpfr_ptr c = fresh();
    mpfr_const_pi(c, MPFR_RNDN);
    return c;
}

real r_floor(real a) {
    mpfr_ptr c = fresh();
    mpfr_floor(c, a);
    return c;
}

real r_round(real a) {
    mpfr_ptr c = fresh();
    mpfr_round(c, a);
    return c;
}

#define OF_ONE(name, function)     \
    real r_##name(real a) {        \
        mpfr_ptr c = fresh();      \
        function(c, a, MPFR_RNDN); \
        return c;                  \
    }
OF_ONE(neg, mpfr_neg)
OF_ONE(abs, mpfr_abs)
OF_ONE(square, mpfr_sqr)
OF_ONE(sqrt, mpfr_sqrt)
OF_ONE(exp, mpfr_exp)
OF_ONE(expm1, mpfr_expm1)
OF_ONE(log, mpfr_log)
OF_ONE(log1p, mpfr_log1p)
OF_ONE(sin, mpfr_sin)
OF_ONE(sinh, mpfr_sinh)
OF_ONE(cosh, mpfr_cosh)
OF_ONE(gamma, mpfr_gamma)
OF_ONE(log_gamma, mpfr_lngamma)

#define OF_TWO(name, function, type)  \
    real r_##name(real a, type b) {   \
        mpfr_ptr c = fresh();         \
        function(c, a, b, MPFR_RNDN); \
        return c;                     \
    }
OF_TWO(add, mpfr_add, real)
OF_TWO(sub, mpfr_sub, real)
OF_TWO(mul, mpfr_mul, real)
OF_TWO(div, mpfr_div, real)
OF_TWO(pow, mpfr_pow, real)
OF_TWO(plus, mpfr_add_d, double)
OF_TWO(times, mpfr_mul_d, double)
OF_TWO(over, mpfr_div_d, double)

int r_sign(real a) {
    return mpfr_sgn(a);
}

bool r_less(real a, real b) {
    return mpfr_less_p(a, b) != 0;
}

double r_double(real a) {
    return mpfr_get_d(a, MPFR_RNDN);
}

long r_exponent(real a) {
    if (mpfr_zero_p(a)) return LONG_MIN / 4;
    if (!mpfr_number_p(a)) return LONG_MAX / 4;
    return (long)mpfr_get_exp(a);
}
