/* Conversions against MPFR, against the worst mechanisms themselves, and against a search for them. */
#include <dpnoise/convert.h>
#include <dpnoise/privacy.h>

#include "reference/draw.h"
#include "reference/real.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_guarantee read(const char *text) {
    dpn_guarantee out;
    dpn_error why;
    if (dpn_guarantee_parse(&out, text, &why)) fail_msg("%s: %s", text, why.sentence);
    return out;
}

static dpn_conversion delta_of(dpn_guarantee from, double epsilon, dpn_rule rule) {
    dpn_conversion out;
    dpn_error why;
    if (dpn_convert_to_delta(&out, &from, 1, epsilon, rule, &why)) fail_msg("%s", why.sentence);
    return out;
}

static dpn_conversion epsilon_of(dpn_guarantee from, double delta, dpn_rule rule) {
    dpn_conversion out;
    dpn_error why;
    if (dpn_convert_to_epsilon(&out, &from, 1, delta, rule, &why)) fail_msg("%s", why.sentence);
    return out;
}

/* got is not below the truth, and above it by no more than `relative`. */
static void expect_upper(double got, real truth, double relative, const char *what) {
    double excess = r_double(r_sub(r_num(got), truth)), size = fabs(r_double(truth));
    if (!(excess >= 0 && excess <= relative * size + 1e-300)) fail_msg("%s: %.17g exceeds by %g", what, got, excess);
}

/* ---- Vectors ---- */

static void every_vector_holds(void **state) {
    (void)state;
    const char *root = getenv("DPN_SOURCE_ROOT");
    char path[4096], line[512], function[32], value[64];
    snprintf(path, sizeof path, "%s/tests/vectors/convert.csv", root ? root : ".");
    FILE *table = fopen(path, "r");
    if (!table) fail_msg("%s is not there; DPN_SOURCE_ROOT names the source tree", path);
    double a, b, c, relative;
    int count = 0;
    while (fgets(line, sizeof line, table)) {
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%31[^,],%lf,%lf,%lf,%63[^,],%lf", function, &a, &b, &c, value, &relative), 6);
        bool zcdp = strcmp(function, "zcdp_to_eps") == 0;
        double got = zcdp ? epsilon_of((dpn_guarantee){.notion = DPN_ZCDP, .xi = a, .rho = b}, c, DPN_RULE_BUN_STEINKE)
                                .guarantee.epsilon
                          : delta_of((dpn_guarantee){.notion = DPN_RENYI, .order = a, .divergence = b}, c,
                                     DPN_RULE_CANONNE_KAMATH_STEINKE)
                                .guarantee.delta;
        expect_upper(got, r_text(value), relative, function);
        count++;
    }
    fclose(table);
    assert_int_equal(count, 5);
}

/* ---- zCDP and Renyi ---- */

static real proposition_12(double order, real divergence, double epsilon) {
    real a = r_num(order), less = r_plus(a, -1);
    real exponent = r_mul(less, r_sub(divergence, r_num(epsilon)));
    return r_add(exponent, r_sub(r_mul(less, r_log(less)), r_mul(a, r_log(a))));
}

static void proposition_12_is_rounded_up(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 2000; i++) {
        size_t mark = r_mark();
        double order = 1 + draw_log_uniform(&source, 1e-5, 1e4), divergence = draw_log_uniform(&source, 1e-4, 10);
        double epsilon = draw_log_uniform(&source, 1e-3, 30);
        dpn_guarantee from = {.notion = DPN_RENYI, .order = order, .divergence = divergence};
        dpn_conversion got = delta_of(from, epsilon, DPN_RULE_CANONNE_KAMATH_STEINKE);
        real truth = proposition_12(order, r_num(divergence), epsilon);
        double l = r_double(truth), size = (order - 1) * (divergence + epsilon) + 10;
        if (l < 0) {
            double excess = r_double(r_sub(r_num(got.log_delta), truth));
            if (!(excess >= 0 && excess <= 1e-13 * size)) fail_msg("order %g exceeds by %g", order, excess);
            if (l > -600) expect_upper(got.guarantee.delta, r_exp(truth), 1e-11 * size, "delta");
        } else {
            assert_true(got.log_delta == 0 && got.guarantee.delta == 1);
        }
        /* There and back. */
        if (l < -1e-3 && l > -600) {
            double back = epsilon_of(from, got.guarantee.delta, DPN_RULE_CANONNE_KAMATH_STEINKE).guarantee.epsilon;
            assert_true(fabs(back - epsilon) <= 1e-10 * (epsilon + divergence + 10 / (order - 1)));
        }
        r_release(mark);
    }
}

/* Solved for epsilon: D + log(1 - 1/a) + (log(1/delta) - log a)/(a-1), or 0. The optimal rule knows this one too, so that it is
 * never above it, also at orders next to 1. */
static void epsilon_by_proposition_12_is_rounded_up(void **state) {
    (void)state;
    draw_source source = {31};
    int positive = 0;
    for (int i = 0; i < 1000; i++) {
        size_t mark = r_mark();
        double order = 1 + draw_log_uniform(&source, 1e-5, 1e4), divergence = draw_log_uniform(&source, 1e-4, 10);
        if (draw_chance(&source, 0.2)) divergence = (double)(1 + draw_bits(&source) % 3); /* as people write them */
        double delta = draw_log_uniform(&source, 1e-300, 0.9);
        dpn_guarantee from = {.notion = DPN_RENYI, .order = order, .divergence = divergence};
        double got = epsilon_of(from, delta, DPN_RULE_CANONNE_KAMATH_STEINKE).guarantee.epsilon;
        real less = r_plus(r_num(order), -1), tail = r_log(r_div(less, r_num(order)));
        real each = r_div(r_neg(r_add(r_log(r_num(delta)), r_log(r_num(order)))), less);
        real truth = r_add(r_num(divergence), r_add(tail, each));
        double size = divergence - r_double(tail) + (log(order) - log(delta)) / (order - 1);
        double excess = r_double(r_sub(r_num(got), truth));
        if (r_sign(truth) > 0 && !(excess >= 0 && excess <= 1e-13 * size))
            fail_msg("order %.17g divergence %.17g delta %g: exceeds by %g", order, divergence, delta, excess);
        if (r_sign(truth) <= 0) assert_true(got <= 1e-13 * size);
        positive += r_sign(truth) > 0;
        double optimal = epsilon_of(from, delta, DPN_RULE_OPTIMAL).guarantee.epsilon;
        if (optimal > got + 1e-12 * size) fail_msg("order %.17g delta %g: %g above %g", order, delta, optimal, got);
        r_release(mark);
    }
    assert_true(positive > 500);
}

/* The best order, found here by a fine walk, for the conversion of Proposition 12; and the rules in their order. */
static void zcdp_takes_the_best_order(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 60; i++) {
        double xi = draw_chance(&source, 0.5) ? 0 : draw_log_uniform(&source, 1e-3, 1);
        double rho = draw_log_uniform(&source, 1e-6, 5), delta = draw_log_uniform(&source, 1e-12, 0.1), best = INFINITY;
        for (double less = 1e-4; less < 1e9; less *= 1.001) {
            double a = 1 + less;
            best = fmin(best, xi + a * rho + log(less / a) - (log(delta) + log(a)) / less);
        }
        dpn_guarantee from = {.notion = DPN_ZCDP, .xi = xi, .rho = rho};
        dpn_conversion cks = epsilon_of(from, delta, DPN_RULE_CANONNE_KAMATH_STEINKE);
        dpn_conversion bs = epsilon_of(from, delta, DPN_RULE_BUN_STEINKE),
                       all = epsilon_of(from, delta, DPN_RULE_TIGHTEST);
        if (!(fabs(cks.guarantee.epsilon - fmax(0, best)) <= 1e-6 * (fabs(best) + xi + sqrt(rho))))
            fail_msg("xi %g rho %g delta %g: %.17g, not %.17g", xi, rho, delta, cks.guarantee.epsilon, best);
        assert_true(all.guarantee.epsilon <= cks.guarantee.epsilon && cks.guarantee.epsilon < bs.guarantee.epsilon);
        assert_true(bs.order == 0 && (all.order > 1 ? !all.exact : all.order == 1 && all.exact == (xi == 0)));
        double back = delta_of(from, bs.guarantee.epsilon, DPN_RULE_BUN_STEINKE).guarantee.delta;
        assert_true(fabs(back - delta) <= 1e-9 * delta);
        if (cks.guarantee.epsilon > 1e-9) {
            back = delta_of(from, cks.guarantee.epsilon, DPN_RULE_CANONNE_KAMATH_STEINKE).guarantee.delta;
            assert_true(fabs(back - delta) <= 1e-6 * delta);
        }
    }
}

/* A known mechanism: no rule may promise less than the Gaussian's own profile. */
static void no_rule_undercuts_the_gaussian(void **state) {
    (void)state;
    draw_source source = {3};
    for (int i = 0; i < 60; i++) {
        double mu = draw_log_uniform(&source, 1e-2, 5), epsilon = mu * draw_uniform(&source, 0, 6);
        dpn_guarantee gdp = {.notion = DPN_GDP, .mu = mu};
        dpn_conversion exact = delta_of(gdp, epsilon, DPN_RULE_TIGHTEST), zcdp;
        assert_true(exact.exact && exact.rule == DPN_RULE_GAUSSIAN);
        assert_int_equal(dpn_convert_to_zcdp(&zcdp, &gdp, DPN_RULE_TIGHTEST, NULL), DPN_OK);
        for (dpn_rule rule = DPN_RULE_TIGHTEST; rule <= DPN_RULE_OPTIMAL; rule++)
            assert_true(delta_of(zcdp.guarantee, epsilon, rule).log_delta >= exact.log_delta - 1e-9);
        double order = 1 + draw_log_uniform(&source, 0.1, 50);
        dpn_conversion renyi;
        assert_int_equal(dpn_convert_to_renyi(&renyi, &gdp, order, NULL), DPN_OK);
        assert_true(delta_of(renyi.guarantee, epsilon, DPN_RULE_OPTIMAL).log_delta >= exact.log_delta - 1e-9);
    }
}

/* log of the moment of order a of the coin p against the coin q. */
static double coin_moment(double p, double q, double a) {
    double top = a * log(p) + (1 - a) * log(q), bottom = a * log1p(-p) + (1 - a) * log1p(-q);
    return fmax(top, bottom) + log1p(exp(-fabs(top - bottom)));
}

/* The largest p - e^epsilon q over coins (p, q) with that Renyi divergence in both directions, by a search over p and, for each,
 * the least q that the divergences allow. It approaches the optimum from below. */
static double least_q(double p, double order, double limit) {
    double low = 0, high = p;
    for (int i = 0; i < 200; i++) {
        double q = 0.5 * (low + high);
        if (coin_moment(p, q, order) <= limit && coin_moment(q, p, order) <= limit)
            high = q;
        else
            low = q;
    }
    return high;
}

static double worst_coin(double order, double divergence, double epsilon) {
    double best = 0, at = 0, step = 0.5;
    for (double t = -30; t < 37; t += step) {
        double p = 1 / (1 + exp(-t)), value = p - exp(epsilon) * least_q(p, order, (order - 1) * divergence);
        if (value > best) {
            best = value;
            at = t;
        }
    }
    for (step = 0.25; best > 0 && step > 1e-7; step *= 0.5)
        for (int side = -1; side <= 1; side += 2) {
            double p = 1 / (1 + exp(-at - side * step));
            double value = p - exp(epsilon) * least_q(p, order, (order - 1) * divergence);
            if (value > best) {
                best = value;
                at += side * step;
            }
        }
    return best;
}

static void optimal_meets_the_worst_coin(void **state) {
    (void)state;
    draw_source source = {4};
    int met = 0;
    for (int i = 0; i < 60; i++) {
        double order = 1 + draw_log_uniform(&source, 0.05, 30), divergence = draw_log_uniform(&source, 1e-3, 3);
        double epsilon = draw_chance(&source, 0.2) ? 0 : draw_log_uniform(&source, 0.01, 4);
        dpn_guarantee from = {.notion = DPN_RENYI, .order = order, .divergence = divergence};
        double coin = worst_coin(order, divergence, epsilon);
        dpn_conversion got = delta_of(from, epsilon, DPN_RULE_OPTIMAL),
                       all = delta_of(from, epsilon, DPN_RULE_TIGHTEST);
        assert_true(got.exact && all.guarantee.delta <= got.guarantee.delta);
        assert_true(all.guarantee.delta <= delta_of(from, epsilon, DPN_RULE_CANONNE_KAMATH_STEINKE).guarantee.delta);
        if (coin < 1e-9) continue;
        double excess = got.guarantee.delta / coin - 1;
        if (!(excess >= -1e-9 && excess < 1e-6))
            fail_msg("order %g divergence %g epsilon %g: %.12g, the worst coin has %.12g", order, divergence, epsilon,
                     got.guarantee.delta, coin);
        double back = epsilon_of(from, got.guarantee.delta, DPN_RULE_OPTIMAL).guarantee.epsilon;
        assert_true(back <= epsilon + 1e-9 && back >= epsilon - 1e-6 * (1 + epsilon));
        met++;
    }
    assert_true(met > 30);
    /* The gain over Proposition 12 is large where little divergence is left. */
    dpn_guarantee from = read("renyi(order=2,divergence=0.1)");
    assert_true(delta_of(from, 1, DPN_RULE_OPTIMAL).guarantee.delta < 0.02);
    assert_true(delta_of(from, 1, DPN_RULE_CANONNE_KAMATH_STEINKE).guarantee.delta > 0.1);
}

/* A pair of distributions on three points, drawn, and what it has. */
enum { POINTS = 3 };
typedef struct pair {
    double p[POINTS], q[POINTS];
} pair;

static pair draw_pair(draw_source *source) {
    pair d;
    double p = 0, q = 0, apart = draw_log_uniform(source, 0.01, 3);
    for (int i = 0; i < POINTS; i++) {
        p += d.p[i] = draw_log_uniform(source, 1e-2, 1);
        q += d.q[i] = d.p[i] * exp(apart * (2 * draw_uniform(source, 0, 1) - 1));
    }
    for (int i = 0; i < POINTS; i++) d.p[i] /= p, d.q[i] /= q;
    return d;
}

static double pair_renyi(const double *p, const double *q, double order) {
    double sum = 0;
    for (int i = 0; i < POINTS; i++) sum += p[i] * pow(p[i] / q[i], order - 1);
    return log(sum) / (order - 1);
}

static double pair_delta(const pair *d, double epsilon) {
    double sum = 0;
    for (int i = 0; i < POINTS; i++) sum += fmax(0, d->p[i] - exp(epsilon) * d->q[i]);
    return sum;
}

/* No pair has more than follows from its own divergences: of one order, and of all of them as zCDP. */
static void no_pair_exceeds_what_follows(void **state) {
    (void)state;
    draw_source source = {91};
    for (int i = 0; i < 300; i++) {
        pair d = draw_pair(&source);
        double order = 1 + draw_log_uniform(&source, 0.05, 100), epsilon = draw_uniform(&source, 0, 1);
        double forth = pair_renyi(d.p, d.q, order), back = pair_renyi(d.q, d.p, order), rho = 0;
        dpn_guarantee from = {.notion = DPN_RENYI, .order = order, .divergence = fmax(forth, back) * (1 + 1e-9)};
        assert_true(pair_delta(&d, epsilon) <= delta_of(from, epsilon, DPN_RULE_TIGHTEST).guarantee.delta);
        for (double a = 1 + 1e-6; a < 100; a = 1 + (a - 1) * 1.05)
            rho = fmax(rho, fmax(pair_renyi(d.p, d.q, a), pair_renyi(d.q, d.p, a)) / a);
        dpn_guarantee zcdp = {.notion = DPN_ZCDP, .rho = rho * (1 + 1e-4)};
        assert_true(pair_delta(&d, epsilon) <= delta_of(zcdp, epsilon, DPN_RULE_TIGHTEST).guarantee.delta);
    }
}

/* Where the other direction matters, randomised response reaches what follows. */
static void randomised_response_is_reached(void **state) {
    (void)state;
    const struct {
        double order, divergence, epsilon, delta;
    } cases[] = {{10, 0.5, 0.3, 0.1405883233976034}, {100, 1, 0.5, 0.2892913306817482}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_guarantee from = {.notion = DPN_RENYI, .order = cases[i].order, .divergence = cases[i].divergence};
        dpn_conversion got = delta_of(from, cases[i].epsilon, DPN_RULE_TIGHTEST);
        assert_true(got.exact && fabs(got.guarantee.delta / cases[i].delta - 1) < 1e-11);
        assert_true(fabs(epsilon_of(from, cases[i].delta, DPN_RULE_TIGHTEST).guarantee.epsilon - cases[i].epsilon) <
                    1e-10);
    }
    for (double e = 0.01; e < 20; e *= 1.7) { /* e tanh(e/2)-zCDP, the worst up to sinh(e)/e */
        dpn_guarantee zcdp = {.notion = DPN_ZCDP, .rho = e * tanh(e / 2)};
        double reach = log(sinh(e) / e), at = 0.99 * reach;
        dpn_conversion got = delta_of(zcdp, at, DPN_RULE_TIGHTEST);
        assert_true(got.exact && fabs(got.guarantee.delta / ((exp(e) - exp(at)) / (1 + exp(e))) - 1) < 1e-10);
        assert_false(delta_of(zcdp, 1.01 * reach + 1e-9, DPN_RULE_TIGHTEST).exact);
    }
}

/* The trade-off along a chain of k, by maps of probabilities: P(A) <= min(e^e Q(A), 1 - e^-e (1 - Q(A))), k times. */
static double chain_delta(double e, uint64_t k, double epsilon) {
    double best = 0;
    for (uint64_t corner = 0; corner < k;
         corner++) { /* where a step of the chain bends, mapped back to its beginning */
        double x = exp(-(double)corner * e) / (1 + exp(e)), y = x;
        for (uint64_t i = 0; i < k; i++) y = fmin(exp(e) * y, 1 - exp(-e) * (1 - y));
        best = fmax(best, y - exp(epsilon) * x);
    }
    return best;
}

static void groups_under_pure_privacy(void **state) {
    (void)state;
    dpn_conversion got;
    dpn_guarantee one = read("pure(epsilon=1)");
    assert_int_equal(dpn_convert_group_to_delta(&got, &one, 3, 2, DPN_RULE_TIGHTEST, NULL), DPN_OK);
    assert_true(got.exact && fabs(got.guarantee.delta - 0.4621171573) < 1e-10);
    assert_int_equal(dpn_convert_group_to_gdp(&got, &one, 3, NULL), DPN_OK);
    assert_true(got.exact && fabs(got.guarantee.mu - 2.57525) < 1e-5);
    draw_source source = {33};
    for (int i = 0; i < 200; i++) {
        double e = draw_log_uniform(&source, 0.01, 2), epsilon = draw_uniform(&source, 0, 1) * 4 * e;
        uint64_t k = 1 + draw_bits(&source) % 7;
        dpn_guarantee from = {.notion = DPN_PURE, .epsilon = e};
        double truth = chain_delta(e, k, epsilon);
        assert_int_equal(dpn_convert_group_to_delta(&got, &from, k, epsilon, DPN_RULE_TIGHTEST, NULL), DPN_OK);
        assert_true(got.exact && got.guarantee.delta >= truth - 1e-15 &&
                    got.guarantee.delta <= truth * (1 + 1e-9) + 1e-14);
        if (truth < 1e-6) continue;
        assert_int_equal(dpn_convert_group_to_epsilon(&got, &from, k, truth, DPN_RULE_TIGHTEST, NULL), DPN_OK);
        assert_true(got.exact && fabs(got.guarantee.epsilon - epsilon) < 1e-8);
        /* The Gaussian of the group is no easier to tell apart than the chain, and at one corner as hard. */
        assert_int_equal(dpn_convert_group_to_gdp(&got, &from, k, NULL), DPN_OK);
        dpn_law normal;
        const double sigma = 1;
        double needed = 0;
        assert_int_equal(dpn_law_make(&normal, "gaussian", &sigma, 1, NULL), DPN_OK);
        for (uint64_t corner = 0; corner < k;
             corner++) { /* between two the chain is a line, and the Gaussian above it */
            double x = exp(-(double)corner * e) / (1 + exp(e)), y = x;
            for (uint64_t j = 0; j < k; j++) y = fmin(exp(e) * y, 1 - exp(-e) * (1 - y));
            needed = fmax(needed, dpn_law_isf(&normal, x) - dpn_law_isf(&normal, y));
        }
        assert_true(got.exact && got.guarantee.mu >= needed - 1e-13 && got.guarantee.mu <= needed + 1e-11);
    }
}

/* A chain of k neighbours may lose k epsilon, to the last digit: next below it delta is not 0. Products of whole k up to 16 are exact for these epsilons. */
static void groups_lose_all_of_their_epsilon(void **state) {
    (void)state;
    draw_source source = {35};
    dpn_conversion got;
    for (int i = 0; i < 300; i++) {
        double e = ldexp(floor(ldexp(draw_log_uniform(&source, 0.01, 2), 48)), -48);
        uint64_t k = 2 + draw_bits(&source) % 8;
        dpn_guarantee from = {.notion = DPN_PURE, .epsilon = e};
        double below = nextafter((double)k * e, 0);
        assert_int_equal(dpn_convert_group_to_delta(&got, &from, k, below, DPN_RULE_TIGHTEST, NULL), DPN_OK);
        if (!(got.guarantee.delta > 0)) fail_msg("%llu times %.17g: delta 0 below it", (unsigned long long)k, e);
        assert_int_equal(dpn_convert_group_to_delta(&got, &from, k, (double)k * e, DPN_RULE_TIGHTEST, NULL), DPN_OK);
        assert_true(got.guarantee.delta == 0);
    }
}

/* Where both directions of a Renyi guarantee matter delta is one number, and its logarithm not below that of this very double. */
static void logarithms_of_two_directions_are_rounded_up(void **state) {
    (void)state;
    r_precision(200);
    for (int i = 0; i < 100; i++) {
        size_t mark = r_mark();
        dpn_conversion got = delta_of(read("renyi(order=10,divergence=0.5)"), 0.3 + 0.0002 * i, DPN_RULE_TIGHTEST);
        assert_true(got.rule == DPN_RULE_OPTIMAL && got.guarantee.delta < 0.15);
        assert_false(r_less(r_num(got.log_delta), r_log(r_num(got.guarantee.delta))));
        assert_true(got.log_delta < log(got.guarantee.delta) * (1 - 1e-12));
        r_release(mark);
    }
}

static void several_guarantees_give_the_best(void **state) {
    (void)state;
    dpn_guarantee list[] = {read("renyi(order=2,divergence=0.04)"), read("renyi(order=16,divergence=0.32)"),
                            read("renyi(order=64,divergence=1.28)")};
    dpn_conversion out;
    assert_int_equal(dpn_convert_to_epsilon(&out, list, 3, 1e-5, DPN_RULE_TIGHTEST, NULL), DPN_OK);
    double least = INFINITY;
    for (int i = 0; i < 3; i++) least = fmin(least, epsilon_of(list[i], 1e-5, DPN_RULE_TIGHTEST).guarantee.epsilon);
    assert_true(out.guarantee.epsilon == least && out.order == 16 && !out.exact);
}

/* ---- Pure, approximate, Gaussian ---- */

/* The two profiles of randomised response mixed with the truth, from their definition as four outcomes. */
static real response_delta(double epsilon, double delta, double at) {
    real e = r_exp(r_num(epsilon)), d = r_num(delta), rest = r_sub(r_num(1), d);
    real heads = r_div(r_mul(rest, e), r_plus(e, 1)), tails = r_div(rest, r_plus(e, 1));
    real excess = r_sub(heads, r_mul(r_exp(r_num(at)), tails));
    return r_sign(excess) > 0 ? r_add(d, excess) : d;
}

static void responses_are_exact(void **state) {
    (void)state;
    draw_source source = {5};
    for (int i = 0; i < 2000; i++) {
        size_t mark = r_mark();
        double epsilon = draw_log_uniform(&source, 1e-6, 100), at = epsilon * draw_uniform(&source, 0, 1.2);
        double delta = draw_chance(&source, 0.5) ? 0 : draw_log_uniform(&source, 1e-12, 0.5);
        dpn_guarantee from = {.notion = DPN_APPROXIMATE, .epsilon = epsilon, .delta = delta};
        dpn_conversion got = delta_of(from, at, DPN_RULE_TIGHTEST);
        expect_upper(got.guarantee.delta, response_delta(epsilon, delta, at), 1e-12, "response");
        assert_true(got.exact);
        if (at < epsilon && got.guarantee.delta > delta && got.guarantee.delta < 1) {
            double back = epsilon_of(from, got.guarantee.delta, DPN_RULE_TIGHTEST).guarantee.epsilon;
            double promised = r_double(response_delta(epsilon, delta, back));
            if (!(promised <= got.guarantee.delta)) fail_msg("epsilon %.17g is too small", back);
            assert_true(back <= at * (1 + 1e-9) + 1e-9 + 1e-12 * exp(epsilon - at));
        }
        r_release(mark);
    }
    dpn_guarantee from = read("approximate(epsilon=1,delta=1e-6)");
    assert_true(isinf(epsilon_of(from, 1e-7, DPN_RULE_TIGHTEST).guarantee.epsilon));
    assert_true(delta_of(from, 1, DPN_RULE_TIGHTEST).guarantee.delta == from.delta);
    assert_true(delta_of(read("pure(epsilon=1)"), 1, DPN_RULE_TIGHTEST).log_delta == -INFINITY);
    assert_true(epsilon_of(read("zcdp(xi=1,rho=0)"), 0, DPN_RULE_TIGHTEST).guarantee.epsilon == 1);
    assert_true(isinf(epsilon_of(read("zcdp(xi=1,rho=1)"), 0, DPN_RULE_TIGHTEST).guarantee.epsilon));
    assert_true(delta_of(read("renyi(order=3,divergence=0)"), 0, DPN_RULE_TIGHTEST).guarantee.delta == 0);
    assert_true(epsilon_of(read("renyi(order=inf,divergence=2)"), 0, DPN_RULE_TIGHTEST).guarantee.epsilon == 2);
}

/* epsilon tanh(epsilon/2) is the limit of D_a/a at a = 1, and no order has more. */
static void pure_to_zcdp_is_tight(void **state) {
    (void)state;
    draw_source source = {6};
    for (int i = 0; i < 300; i++) {
        double epsilon = draw_log_uniform(&source, 1e-5, 50);
        dpn_guarantee pure = {.notion = DPN_PURE, .epsilon = epsilon};
        dpn_conversion zcdp, old, renyi;
        assert_int_equal(dpn_convert_to_zcdp(&zcdp, &pure, DPN_RULE_TIGHTEST, NULL), DPN_OK);
        assert_int_equal(dpn_convert_to_zcdp(&old, &pure, DPN_RULE_BUN_STEINKE, NULL), DPN_OK);
        assert_true(zcdp.exact && !old.exact && zcdp.guarantee.rho <= old.guarantee.rho);
        double most = 0;
        for (double less = 1e-7; less < 1e6; less *= 3) {
            assert_int_equal(dpn_convert_to_renyi(&renyi, &pure, 1 + less, NULL), DPN_OK);
            most = fmax(most, renyi.guarantee.divergence / (1 + less));
        }
        assert_true(most <= zcdp.guarantee.rho * (1 + 1e-10) && most >= zcdp.guarantee.rho * (1 - 1e-5));
    }
}

/* The two trade-off curves touch: mu-GDP at the pure guarantee's epsilon has the delta of randomised response or more,
 * and at mu a little smaller it has less for some epsilon. */
static void pure_to_gdp_touches(void **state) {
    (void)state;
    static const double epsilons[] = {0.01, 0.1, 1, 3, 10};
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        dpn_guarantee pure = {.notion = DPN_PURE, .epsilon = epsilons[i]};
        dpn_conversion gdp;
        assert_int_equal(dpn_convert_to_gdp(&gdp, &pure, NULL), DPN_OK);
        assert_true(gdp.exact);
        dpn_guarantee less = gdp.guarantee;
        less.mu *= 0.999;
        bool touched = false;
        for (int j = 0; j <= 100; j++) {
            double at = epsilons[i] * j / 100, here = delta_of(pure, at, DPN_RULE_TIGHTEST).guarantee.delta;
            assert_true(delta_of(gdp.guarantee, at, DPN_RULE_TIGHTEST).guarantee.delta >= here * (1 - 1e-9));
            if (delta_of(less, at, DPN_RULE_TIGHTEST).guarantee.delta < here) touched = true;
        }
        assert_true(touched);
    }
}

static void gdp_both_ways(void **state) {
    (void)state;
    draw_source source = {7};
    for (int i = 0; i < 30; i++) {
        dpn_guarantee target = {.notion = DPN_APPROXIMATE,
                                .epsilon = draw_log_uniform(&source, 0.01, 10),
                                .delta = draw_log_uniform(&source, 1e-12, 0.5)};
        dpn_conversion gdp;
        assert_int_equal(dpn_convert_to_gdp(&gdp, &target, NULL), DPN_OK);
        assert_true(gdp.rule == DPN_RULE_NEEDED);
        assert_true(delta_of(gdp.guarantee, target.epsilon, DPN_RULE_TIGHTEST).guarantee.delta <= target.delta);
        gdp.guarantee.mu *= 1 + 1e-8;
        assert_true(delta_of(gdp.guarantee, target.epsilon, DPN_RULE_TIGHTEST).guarantee.delta > target.delta);
    }
}

/* ---- Groups ---- */

static void groups(void **state) {
    (void)state;
    draw_source source = {8};
    dpn_conversion out;
    for (int i = 0; i < 500; i++) {
        size_t mark = r_mark();
        double epsilon = draw_log_uniform(&source, 1e-9, 3), delta = draw_log_uniform(&source, 1e-14, 1e-9);
        uint64_t k = 2 + draw_bits(&source) % 6;
        dpn_guarantee from = {.notion = DPN_APPROXIMATE, .epsilon = epsilon, .delta = delta};
        assert_int_equal(dpn_convert_to_group(&out, &from, k, NULL), DPN_OK);
        real sum = r_num(0); /* delta, then e^eps delta, ... along the chain */
        for (uint64_t j = 0; j < k; j++)
            sum = r_add(sum, r_mul(r_num(delta), r_exp(r_times(r_num(epsilon), (double)j))));
        expect_upper(out.guarantee.delta, sum, 1e-11, "group delta");
        expect_upper(out.guarantee.epsilon, r_times(r_num(epsilon), (double)k), 1e-12, "group epsilon");
        dpn_guarantee zcdp = {.notion = DPN_ZCDP, .xi = epsilon, .rho = delta};
        assert_int_equal(dpn_convert_to_group(&out, &zcdp, k, NULL), DPN_OK);
        real harmonic = r_num(0);
        for (uint64_t j = 1; j <= k; j++) harmonic = r_add(harmonic, r_div(r_num(1), r_num((double)j)));
        expect_upper(out.guarantee.xi, r_times(r_mul(r_num(epsilon), harmonic), (double)k), 1e-11, "group xi");
        expect_upper(out.guarantee.rho, r_times(r_num(delta), (double)(k * k)), 1e-12, "group rho");
        /* Replace-one is the group of two, and needs what it gives. */
        dpn_conversion need, again;
        assert_int_equal(dpn_convert_to_replace(&out, &from, NULL), DPN_OK);
        assert_int_equal(dpn_convert_to_add_remove(&need, &out.guarantee, NULL), DPN_OK);
        assert_true(fabs(need.guarantee.epsilon / epsilon - 1) < 1e-9 && fabs(need.guarantee.delta / delta - 1) < 1e-9);
        assert_int_equal(dpn_convert_to_replace(&again, &need.guarantee, NULL), DPN_OK);
        assert_true(again.guarantee.delta <= out.guarantee.delta * (1 + 1e-9));
        r_release(mark);
    }
    dpn_guarantee from = read("approximate(epsilon=0,delta=0.01)");
    assert_int_equal(dpn_convert_to_group(&out, &from, 10, NULL), DPN_OK);
    assert_true(fabs(out.guarantee.delta - 0.1) < 1e-12 && out.guarantee.delta >= 0.1);
    assert_int_equal(dpn_convert_to_group(&out, &from, 100, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_to_group(&out, &from, 0, NULL), DPN_EDOMAIN);
    from = read("zcdp(xi=1,rho=1)");
    assert_int_equal(dpn_convert_to_group(&out, &from, 1000000, NULL), DPN_OK);
    assert_true(out.guarantee.xi >= 14392726.7228657 && out.guarantee.xi < 14392726.73 + 5000); /* 10^6 H(10^6) */
    from = read("gdp(mu=0.5)");
    assert_int_equal(dpn_convert_to_group(&out, &from, 3, NULL), DPN_OK);
    assert_true(out.exact && fabs(out.guarantee.mu - 1.5) < 1e-12 && out.guarantee.mu >= 1.5);
    from = read("renyi(order=2,divergence=1)");
    assert_int_equal(dpn_convert_to_group(&out, &from, 2, NULL), DPN_EUNSUPPORTED);
}

/* ---- Text and refusals ---- */

static void texts(void **state) {
    (void)state;
    char text[DPN_GUARANTEE_TEXT_SIZE];
    dpn_guarantee a = read(" renyi ( divergence = 0.5 , order=2) ");
    assert_string_equal(dpn_guarantee_print(text, &a), "renyi(order=2,divergence=0.5)");
    a = read("zcdp(rho=0.25)");
    assert_string_equal(dpn_guarantee_print(text, &a), "zcdp(xi=0,rho=0.25)");
    a = read("pure(epsilon=0.3)"); /* no double: the next larger one */
    assert_true(a.epsilon > 0.3 && a.epsilon == nextafter(0.3, 1));
    static const char *const bad[][2] = {{"", "'' is not a guarantee: write pure("},
                                         {"pure", "'pure' is not a guarantee"},
                                         {"pure(", "pure: write name=value, not ''"},
                                         {"pure()", "pure: write name=value, not ')'"},
                                         {"pure(epsilon)", "pure: write name=value, not 'epsilon)'"},
                                         {"pure(=1)", "pure: write name=value, not '=1)'"},
                                         {"pure(epsilon=)", "epsilon: "},
                                         {"pure(e=1)", "pure has no parameter 'e'"},
                                         {"pure(epsilon=1", "pure: the closing bracket is missing"},
                                         {"pure(epsilon=1)x", "pure: 'x' stands after it"},
                                         {"pure(epsilon=-1)", "epsilon"},
                                         {"pure(epsilon=nan)", "epsilon"},
                                         {"pure(epsilon=inf)", "epsilon"},
                                         {"pure(epsilon=1,epsilon=2)", "pure: epsilon is given twice"},
                                         {"approximate(epsilon=1)", "approximate: delta is missing"},
                                         {"approximate(epsilon=1,delta=1)", "delta"},
                                         {"renyi(order=1,divergence=1)", "order"},
                                         {"renyi(order=2)", "renyi: divergence is missing"},
                                         {"gdp(mu=1e200)", "mu"},
                                         {"gaussian(mu=1)", "'gaussian(mu=1)' is not a guarantee"},
                                         {"zcdp(xi=1)", "zcdp: rho is missing"},
                                         {"PURE(epsilon=1)", "'PURE(epsilon=1)' is not a guarantee"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_error why = {DPN_OK, ""};
        if (dpn_guarantee_parse(&a, bad[i][0], &why) == DPN_OK || !strstr(why.sentence, bad[i][1]))
            fail_msg("'%s': '%s', not '%s'", bad[i][0], why.sentence, bad[i][1]);
    }
    /* Words of any length, as notions and as names, stay within the buffers that the sanitizers watch: 15 letters are read. */
    for (int length = 1; length < 64; length++) {
        char word[80], long_text[128];
        dpn_error why;
        memset(word, 'e', sizeof word);
        word[length] = '\0';
        snprintf(long_text, sizeof long_text, "%s(epsilon=1)", word);
        assert_int_equal(dpn_guarantee_parse(&a, long_text, NULL), DPN_EPARSE);
        snprintf(long_text, sizeof long_text, "pure(%s=1)", word);
        assert_int_equal(dpn_guarantee_parse(&a, long_text, &why), DPN_EPARSE);
        assert_non_null(strstr(why.sentence, length <= 15 ? "pure has no parameter 'e" : "pure: write name=value"));
    }
}

/* Nothing underflows to a promise of perfect privacy. */
static void small_is_not_nothing(void **state) {
    (void)state;
    dpn_conversion out;
    dpn_guarantee pure = read("pure(epsilon=1e-200)"), gdp = read("gdp(mu=1e-200)"), zcdp = read("zcdp(rho=1e-320)");
    for (dpn_rule rule = DPN_RULE_TIGHTEST; rule <= DPN_RULE_BUN_STEINKE; rule++) {
        assert_int_equal(dpn_convert_to_zcdp(&out, &pure, rule, NULL), DPN_OK);
        assert_true(out.guarantee.rho > 0);
    }
    assert_int_equal(dpn_convert_to_renyi(&out, &pure, 2, NULL), DPN_OK);
    assert_true(out.guarantee.divergence > 0);
    assert_int_equal(dpn_convert_to_zcdp(&out, &gdp, DPN_RULE_TIGHTEST, NULL), DPN_OK);
    assert_true(out.guarantee.rho > 0);
    assert_int_equal(dpn_convert_to_group(&out, &zcdp, 3, NULL), DPN_OK);
    assert_true(out.guarantee.rho >= 9e-320);
    zcdp = (dpn_guarantee){.notion = DPN_ZCDP, .xi = 1e-310};
    assert_int_equal(dpn_convert_to_group(&out, &zcdp, 2, NULL), DPN_OK);
    assert_true(out.guarantee.xi >= 3e-310); /* 2 (1 + 1/2) 1e-310 */
    zcdp = read("zcdp(rho=1e-320)");
    assert_true(delta_of(pure, 0, DPN_RULE_TIGHTEST).guarantee.delta >= 0.5e-200);
    assert_true(epsilon_of(zcdp, 1e-300, DPN_RULE_TIGHTEST).guarantee.epsilon > 0);
    /* And nothing is nothing. */
    pure = read("pure(epsilon=0)");
    assert_int_equal(dpn_convert_to_zcdp(&out, &pure, DPN_RULE_TIGHTEST, NULL), DPN_OK);
    assert_true(out.guarantee.rho == 0);
    assert_int_equal(dpn_convert_to_group(&out, &pure, 5, NULL), DPN_OK);
    assert_true(out.guarantee.epsilon == 0);
    assert_int_equal(dpn_convert_to_gdp(&out, &pure, NULL), DPN_OK);
    assert_true(out.guarantee.mu == 0);
    dpn_guarantee renyi = read("renyi(order=2,divergence=0)");
    for (dpn_rule rule = DPN_RULE_CANONNE_KAMATH_STEINKE; rule <= DPN_RULE_OPTIMAL; rule++) {
        assert_true(epsilon_of(renyi, 1e-9, rule).guarantee.epsilon == 0);
        assert_true(delta_of(renyi, 0.5, rule).guarantee.delta == 0);
    }
}

static void what_does_not_follow_is_refused(void **state) {
    (void)state;
    dpn_conversion out = {.order = 7};
    dpn_guarantee pure = read("pure(epsilon=1)"), approximate = read("approximate(epsilon=1,delta=1e-6)"),
                  renyi = read("renyi(order=2,divergence=1)"), zcdp = read("zcdp(xi=0.1,rho=1)"),
                  gdp = read("gdp(mu=1)");
    assert_int_equal(dpn_convert_to_zcdp(&out, &approximate, DPN_RULE_TIGHTEST, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_zcdp(&out, &renyi, DPN_RULE_TIGHTEST, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_zcdp(&out, &gdp, DPN_RULE_BUN_STEINKE, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_renyi(&out, &renyi, 3, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_renyi(&out, &approximate, 3, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_renyi(&out, &pure, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_to_renyi(&out, &zcdp, INFINITY, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_renyi(&out, &gdp, INFINITY, NULL), DPN_EUNSUPPORTED); /* no bound of the loss */
    assert_int_equal(dpn_convert_to_gdp(&out, &zcdp, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_add_remove(&out, &zcdp, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_delta(&out, &pure, 1, 0.5, DPN_RULE_BUN_STEINKE, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_delta(&out, &renyi, 1, 0.5, DPN_RULE_BUN_STEINKE, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_delta(&out, &zcdp, 1, 0.5, DPN_RULE_GROUP, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_to_delta(&out, &zcdp, 0, 0.5, DPN_RULE_TIGHTEST, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_to_delta(&out, &zcdp, 1, -1, DPN_RULE_TIGHTEST, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_to_delta(&out, &zcdp, 1, NAN, DPN_RULE_TIGHTEST, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_to_epsilon(&out, &zcdp, 1, 1, DPN_RULE_TIGHTEST, NULL), DPN_EDOMAIN);
    zcdp.rho = NAN;
    assert_int_equal(dpn_convert_to_epsilon(&out, &zcdp, 1, 0.1, DPN_RULE_TIGHTEST, NULL), DPN_EDOMAIN);
    assert_true(out.order == 7);
}

int main(void) {
    r_precision(300);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vector_holds),
        cmocka_unit_test(proposition_12_is_rounded_up),
        cmocka_unit_test(epsilon_by_proposition_12_is_rounded_up),
        cmocka_unit_test(zcdp_takes_the_best_order),
        cmocka_unit_test(no_rule_undercuts_the_gaussian),
        cmocka_unit_test(optimal_meets_the_worst_coin),
        cmocka_unit_test(no_pair_exceeds_what_follows),
        cmocka_unit_test(randomised_response_is_reached),
        cmocka_unit_test(groups_under_pure_privacy),
        cmocka_unit_test(groups_lose_all_of_their_epsilon),
        cmocka_unit_test(logarithms_of_two_directions_are_rounded_up),
        cmocka_unit_test(several_guarantees_give_the_best),
        cmocka_unit_test(responses_are_exact),
        cmocka_unit_test(pure_to_zcdp_is_tight),
        cmocka_unit_test(pure_to_gdp_touches),
        cmocka_unit_test(gdp_both_ways),
        cmocka_unit_test(groups),
        cmocka_unit_test(texts),
        cmocka_unit_test(small_is_not_nothing),
        cmocka_unit_test(what_does_not_follow_is_refused),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
