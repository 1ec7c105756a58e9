#include "reference/quadrature.h"

#include <stdlib.h>

enum { LEVELS = 12, FIRST_LEVEL = 4 };

/* Nodes at u = kh, h = 2^-level: fraction = 1/(1 + exp(pi sinh u)) of the interval away from its end, and the weight
 * pi cosh(u) fraction (1 - fraction). Kept per level at the largest precision asked for. */
struct rule {
    mpfr_prec_t bits;
    size_t count;
    mpfr_t *fraction, *weight;
};

static struct rule rules[LEVELS + 1];

static void forget(struct rule *rule) {
    for (size_t i = 0; i < rule->count; i++) mpfr_clears(rule->fraction[i], rule->weight[i], (mpfr_ptr)0);
    free(rule->fraction);
    free(rule->weight);
    *rule = (struct rule){0};
}

static void *grow(void *old, size_t count) {
    void *new = realloc(old, count * sizeof(mpfr_t));
    if (!new) abort();
    return new;
}

/* A level holds the nodes that the one before lacks: odd k (the first level all k), k > 0; k = 0 stands alone. */
static const struct rule *rule_at(int level) {
    struct rule *rule = &rules[level];
    if (rule->bits >= r_bits()) return rule;
    forget(rule);
    rule->bits = r_bits();
    int step = level == FIRST_LEVEL ? 1 : 2;
    for (int k = 1;; k += step) {
        size_t mark = r_mark();
        real u = r_over(r_num(k), (double)(1 << level));
        real inverse = r_plus(r_exp(r_mul(r_pi(), r_sinh(u))), 1);
        real fraction = r_div(r_num(1), inverse);
        real weight = r_mul(r_mul(r_pi(), r_cosh(u)), r_mul(fraction, r_sub(r_num(1), fraction)));
        bool last = r_exponent(weight) < -2 * (long)r_bits();
        rule->fraction = grow(rule->fraction, rule->count + 1);
        rule->weight = grow(rule->weight, rule->count + 1);
        mpfr_inits2(r_bits(), rule->fraction[rule->count], rule->weight[rule->count], (mpfr_ptr)0);
        mpfr_set(rule->fraction[rule->count], fraction, MPFR_RNDN);
        mpfr_set(rule->weight[rule->count], weight, MPFR_RNDN);
        rule->count++;
        r_release(mark);
        if (last) return rule;
    }
}

struct span {
    r_integrand *f;
    const void *context;
    real low, high, length;
};

/* The weighted sum of f over the nodes of a level on one side of the middle. They run towards the end; after eight terms
 * in a row below the precision the rest no longer counts. */
static real level_sum(const struct span *span, const struct rule *rule, bool from_low) {
    size_t mark = r_mark();
    mpfr_t total;
    mpfr_init2(total, r_bits());
    mpfr_set_zero(total, 1);
    int lost = 0;
    for (size_t i = 0; i < rule->count && lost < 8; i++) {
        size_t inner = r_mark();
        real gap = r_mul(span->length, rule->fraction[i]);
        real x = from_low ? r_add(span->low, gap) : r_sub(span->high, gap);
        real term = r_mul(rule->weight[i], span->f(span->context, x));
        mpfr_add(total, total, term, MPFR_RNDN);
        lost = r_exponent(term) < r_exponent(total) - (long)r_bits() ? lost + 1 : 0;
        r_release(inner);
    }
    real result = r_keep(mark, total);
    mpfr_clear(total);
    return result;
}

real r_integrate(r_integrand *f, const void *context, real low, real high, int bits) {
    size_t mark = r_mark();
    struct span span = {f, context, low, high, r_sub(high, low)};
    /* The middle node: fraction 1/2, weight pi/4. */
    real sum = r_mul(r_over(r_pi(), 4), f(context, r_over(r_add(low, high), 2))), before = r_num(0), now = before;
    for (int level = FIRST_LEVEL; level <= LEVELS; level++) {
        const struct rule *rule = rule_at(level);
        sum = r_add(sum, r_add(level_sum(&span, rule, true), level_sum(&span, rule, false)));
        now = r_over(r_mul(span.length, sum), (double)(1 << level));
        if (level > FIRST_LEVEL && r_exponent(r_sub(now, before)) < r_exponent(now) - bits) break;
        before = now;
    }
    return r_keep(mark, now);
}
