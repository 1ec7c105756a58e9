/* Divergences of releases from samples, piece by piece: the binomial sum over moments against long doubles, what lies between whole orders, and the units of
 * rounding that each bound counts. */
#include "privacy/renyi/sampled.c" /* to see each piece */

#include "reference/draw.h"
#include "unit/failing-memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define UNITS (16 * DBL_EPSILON) /* what every bound here counts for an operation */

static dpn_part law_part(const char *text, double sensitivity, uint64_t times) {
    dpn_part part = {.times = times};
    dpn_law law;
    assert_int_equal(dpn_law_parse(&law, text, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&part.loss, &law, sensitivity, NULL), DPN_OK);
    return part;
}

/* The answer of a coin: its moments are those of two losses, e and -e. */
static dpn_part coin_part(double e) {
    dpn_part part = {.times = 1};
    assert_int_equal(dpn_loss_pure(&part.loss, e, NULL), DPN_OK);
    return part;
}

/* log E e^((k - 1) L) */
static long double coin_moment(double e, long double k) {
    return logl((expl((k - 1) * e) + expl(-k * e)) / (1 + expl(-(long double)e)));
}

/* ---- small functions ---- */

static void logarithms(void **state) {
    (void)state;
    for (double y = 1e-12; y < 1e4; y *= 1.7) {
        long double expm1 = y > 11000 ? y : y + logl(-expm1l(-(long double)y));
        assert_true(fabsl(log_expm1(y) - expm1) <= 4 * DBL_EPSILON * (1 + fabsl(expm1)));
        for (int side = -1; side <= 1; side += 2) {
            long double rest = log1pl(expl(-(long double)y)), whole = side > 0 ? y + rest : rest;
            assert_true(fabsl(log1p_exp(side * y) - whole) <= 4 * DBL_EPSILON * whole + 1e-300L);
        }
    }
    assert_true(log1p_exp(-INFINITY) == 0 && isinf(log1p_exp(INFINITY)));
}

/* log(1 - q + q e^y): both ends lie outside by 16 units of their size, and of its terms where they are added as logarithms. */
static void mixtures_of_two(void **state) {
    (void)state;
    for (double q = 1e-8; q < 1; q *= 3)
        for (double y = 1e-10; y < 7e3; y *= 1.37) {
            long double exact = log1pl((long double)q * expm1l(y)), above = log1pl((long double)q * expm1l(1.5 * y));
            assert_true(fabsl(mixed(q, y) - exact) <= 3 * DBL_EPSILON * (exact + (y > 600 ? y - log(q) : 0)));
            dpn_divergence got = mixed_ends(q, (dpn_divergence){y, 1.5 * y});
            double terms = 1.5 * y > 600 ? 1.5 * y - log(q) : 0;
            assert_true(got.lower <= exact && got.upper >= above);
            assert_true(fabsl(got.upper - above - UNITS * (above + terms)) <= 0.3 * UNITS * (above + terms));
            assert_true(fabsl(exact - got.lower - fminl(exact, UNITS * (exact + terms))) <=
                        0.3 * UNITS * (exact + terms));
        }
    dpn_divergence none = mixed_ends(0.5, (dpn_divergence){0, 0}), all = mixed_ends(0.5, (dpn_divergence){3, INFINITY});
    assert_true(none.lower == 0 && none.upper == 0 && all.lower == 3 && isinf(all.upper));
    assert_true(mixed_ends(1e-300, (dpn_divergence){0, 700}).lower == 0);
}

/* ---- moments ---- */

static void moments_of_a_coin(void **state) {
    (void)state;
    dpn_part part = coin_part(0.3);
    dpn_step step = {&part, 1, 0.1, 1};
    for (double last = 2; last < 5000; last = ceil(1.3 * last)) {
        moments m;
        assert_int_equal(make_moments(&m, &step, last, NULL), DPN_OK);
        assert_true(m.at[0] == 2 && m.at[m.count - 1] >= last && (m.count == 1 || m.at[m.count - 2] < last));
        for (size_t i = 0; i < m.count; i++) {
            double k = m.at[i];
            assert_true(k == floor(k));
            if (i > 0) assert_true(k > m.at[i - 1] && (k <= 64 ? k == m.at[i - 1] + 1 : k <= 1.03 * m.at[i - 1] + 1));
            long double exact = coin_moment(0.3, k);
            assert_true(m.log[i].lower <= exact && m.log[i].upper >= exact);
            assert_true(m.log[i].upper - m.log[i].lower <= 1e-10L * exact);
        }
        for (size_t i = 0; i + 1 < m.count; i++) /* between them: the chord above, the line from order 1 below */
            for (double k = m.at[i]; k < m.at[i + 1]; k += ceil((m.at[i + 1] - m.at[i]) / 7)) {
                dpn_divergence got = moment(&m, i, k);
                long double exact = coin_moment(0.3, k), share = (k - m.at[i]) / (m.at[i + 1] - m.at[i]);
                assert_true(got.lower <= exact && got.upper >= exact);
                long double chord = (1 - share) * m.log[i].upper + share * m.log[i + 1].upper;
                if (k > m.at[i]) {
                    assert_true(fabsl(got.upper / chord - 1 - UNITS) < 0.2 * UNITS);
                    long double line = m.log[i].lower * (k - 1) / (m.at[i] - 1);
                    assert_true(fabsl(1 - got.lower / line - UNITS) < 0.2 * UNITS);
                } else
                    assert_true(got.upper == m.log[i].upper && got.lower == m.log[i].lower);
            }
        free_moments(&m);
    }
    /* The ends of the divergences are moved by 16 units each. */
    moments m;
    dpn_divergence plain[2];
    const double orders[] = {2, 3};
    assert_int_equal(make_moments(&m, &step, 3, NULL), DPN_OK);
    assert_int_equal(dpn_renyi_compose(plain, &part, 1, orders, 2, NULL), DPN_OK);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(m.log[i].upper / plain[i].upper / (i + 1) - 1 - UNITS) < 0.2 * UNITS);
        assert_true(fabs(1 - m.log[i].lower / plain[i].lower / (i + 1) - UNITS) < 0.2 * UNITS);
    }
    free_moments(&m);
}

/* log(1 + sum over k >= 2 of C(n,k) (1-q)^(n-k) q^k (M_k - 1)) */
static long double binomial(double q, int n, const double *log_m) {
    long double sum = 0, choose = n;
    for (int k = 2; k <= n; k++) {
        choose *= (long double)(n - k + 1) / k;
        sum += choose * powl(1 - (long double)q, n - k) * powl(q, k) * expm1l(log_m[k]);
    }
    return log1pl(sum);
}

enum { MANY = 64 };

/* Moments of every order up to n, exact, and of every fourth alone. */
static void set_moments(moments *m, double *at, dpn_divergence *log, const double *log_m, int n, int stride) {
    *m = (moments){at, log, 0};
    for (int k = 2; k < n + stride; k += k < 4 ? 1 : stride) {
        at[m->count] = k;
        log[m->count++] = (dpn_divergence){log_m[k], log_m[k]};
    }
}

static void sums_over_moments(void **state) {
    (void)state;
    draw_source source = {321};
    double at[MANY], log_m[MANY + 8];
    dpn_divergence log_at[MANY];
    for (int trial = 0; trial < 400; trial++) {
        int n = trial % 3 ? 2 + trial % 40 : 2 + trial % 4;
        double q = trial % 2 ? draw_log_uniform(&source, 1e-4, 0.5) : draw_uniform(&source, 0.5, 0.999);
        double c = draw_log_uniform(&source, 1e-8, trial % 5 ? 1 : 20);
        for (int k = 0; k < MANY + 8; k++) log_m[k] = 0.5 * c * k * (k - 1);
        moments m;
        set_moments(&m, at, log_at, log_m, n, 1);
        long double exact = binomial(q, n, log_m), odds = logl(expm1l(exact));
        dpn_divergence got = whole_order(&m, q, n);
        assert_true(got.lower <= exact && got.upper >= exact);
        /* n + 8 operations on logarithms that are made of a few, n times that of q and of 1 - q, and of the result: 16 units each. */
        long double error = UNITS * (n + 8) * (2 + n * (1 - logl(q) - log1pl(-(long double)q)) + fabsl(odds));
        if (exact > 1e-4L) {
            long double above = logl(expm1l(got.upper / (1 + UNITS))) - odds,
                        below = odds - logl(expm1l(got.lower / (1 - UNITS)));
            assert_true(fabsl(above - error) <= 0.04L * error && fabsl(below - error) <= 0.04L * error);
        } else
            assert_true(got.upper <= exact * (1 + 1.1L * error + 2 * UNITS) &&
                        got.lower >= exact * (1 - 1.1L * error - 2 * UNITS));
        /* A moment in four: their chords and lines bound the others. */
        set_moments(&m, at, log_at, log_m, n, 4);
        double chord[MANY], line[MANY];
        for (int k = 2; k <= n; k++) {
            int i = (int)m.count - 1;
            while (at[i] > k) i--;
            double share = at[i] == k ? 0 : (k - at[i]) / (at[i + 1] - at[i]);
            chord[k] = share > 0 ? (1 - share) * log_at[i].upper + share * log_at[i + 1].upper : log_at[i].upper;
            line[k] = log_at[i].lower * (k - 1) / (at[i] - 1);
        }
        dpn_divergence wide = whole_order(&m, q, n);
        assert_true(wide.lower <= exact && wide.upper >= exact);
        long double most = binomial(q, n, chord), least = binomial(q, n, line);
        assert_true(wide.upper >= most && wide.upper <= most * (1 + 1e-8L) && wide.lower <= least &&
                    wide.lower >= least * (1 - 1e-8L));
        /* Between whole orders: the chord of the order above, the divergence of the order below. */
        double a = n + draw_uniform(&source, 0.01, 0.99);
        set_moments(&m, at, log_at, log_m, n + 1, 1);
        got = by_moments(&m, q, a);
        long double next = binomial(q, n + 1, log_m), upper = (n + 1 - a) * exact + (a - n) * next;
        assert_true(got.upper >= upper && got.upper <= upper * (1 + 2e-9L));
        assert_true(got.lower <= exact * (a - 1) / (n - 1) && got.lower >= exact * (a - 1) / (n - 1) * (1 - 2e-9L));
        dpn_divergence lesser = whole_order(&m, q, n), greater = whole_order(&m, q, n + 1);
        assert_true(fabs(got.upper / ((n + 1 - a) * lesser.upper + (a - n) * greater.upper) - 1 - UNITS) < 0.3 * UNITS);
        assert_true(fabs(1 - got.lower / (lesser.lower * ((a - 1) / (n - 1))) - UNITS) < 0.3 * UNITS);
        got = by_moments(&m, q, n);
        assert_true(got.upper == lesser.upper && got.lower == lesser.lower);
        got = by_moments(&m, q, a - n + 1); /* between 1 and 2 */
        assert_true(got.lower == 0 && got.upper >= (a - n) * binomial(q, 2, log_m));
        assert_true(got.upper <= (a - n) * binomial(q, 2, log_m) * (1 + 1e-9L));
    }
}

static void sums_at_their_edges(void **state) {
    (void)state;
    double at[4] = {2, 3, 4, 5};
    dpn_divergence log_at[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}}, got;
    moments m = {at, log_at, 4};
    got = whole_order(&m, 0.3, 4); /* nothing is lost */
    assert_true(got.lower == 0 && got.upper == 0);
    got = whole_order(&m, 0.3, 1);
    assert_true(got.lower == 0 && got.upper == 0);
    log_at[1] = (dpn_divergence){0, 0.5}; /* of which nothing is known from below */
    got = whole_order(&m, 0.3, 3);
    assert_true(got.lower == 0 && fabs(got.upper - log1p(0.027 * expm1(0.5))) < 1e-12);
    log_at[2] = (dpn_divergence){INFINITY, INFINITY};
    got = whole_order(&m, 0.3, 4);
    assert_true(isinf(got.lower) && isinf(got.upper));
    got = by_moments(&m, 0.3, 3.5);
    assert_true(got.lower == 0 && isinf(got.upper));
    got = by_moments(&m, 0.3, 4.5);
    assert_true(isinf(got.lower) && isinf(got.upper));
    log_at[2] = (dpn_divergence){0.4, INFINITY};
    assert_true(isinf(whole_order(&m, 0.3, 4).upper));
}

/* Beyond the sums there is the convexity of x^a alone, and from below the largest of them. */
static void orders_beyond_all_sums(void **state) {
    (void)state;
    dpn_part part = coin_part(0.01);
    dpn_step step = {&part, 1, 0.2, 3};
    const double orders[] = {4096, 4097, 5e3, 1e6, 1e12, INFINITY};
    dpn_divergence got[6];
    assert_int_equal(dpn_renyi_sampling(got, &step, 1, orders, 6, NULL), DPN_OK);
    for (int i = 1; i < 6; i++) {
        assert_true(got[i].lower >= got[0].lower * (1 - 1e-12) && got[i].lower <= got[i].upper);
        assert_true(got[i].lower <= got[0].lower * (1 + 1e-12) || i == 5);
        double a = orders[i];
        long double most =
            i == 5 ? log1pl(0.2L * expm1l(0.01L)) : log1pl(0.2L * expm1l(coin_moment(0.01, a))) / (a - 1);
        if (a > 1e5 && i < 5) most = ((a - 1) * 0.01L + logl(0.2L / (1 + expl(-0.01L)))) / (a - 1);
        assert_true(got[i].upper >= 3 * most * (1 - 1e-12L) && got[i].upper <= 3 * most * (1 + 1e-9L));
    }
    assert_true(got[0].upper <= got[0].lower * (1 + 2e-3));
}

/* Exactly known all the way: a coin's answer from a sample, at whole orders and between. */
static void coins_from_a_sample(void **state) {
    (void)state;
    const double orders[] = {1.25, 2, 2.5, 7, 7.75, 33, 64, 65, 200, 1000.5};
    enum { ORDERS = sizeof orders / sizeof *orders };
    for (double e = 0.01; e < 4; e *= 3)
        for (double q = 1e-3; q < 1; q *= 5) {
            dpn_part part = coin_part(e);
            dpn_step step = {&part, 1, q, 7};
            dpn_divergence got[ORDERS];
            assert_int_equal(dpn_renyi_sampling(got, &step, 1, orders, ORDERS, NULL), DPN_OK);
            for (int i = 0; i < ORDERS; i++) {
                long double a = orders[i], p = 1 / (1 + expl(-(long double)e)), up = log1pl(q * expm1l(e)),
                            down = log1pl(q * expm1l(-(long double)e));
                long double sum = (1 - p) * expm1l(a * up) + p * expm1l(a * down);
                if (a * up > 11000) continue;
                long double truth = 7 * log1pl(sum) / (a - 1);
                if (!(got[i].lower <= truth * (1 + 1e-11L) && got[i].upper >= truth * (1 - 1e-11L)))
                    fail_msg("coin %g, rate %g, order %Lg: [%g, %g] without %Lg", e, q, a, got[i].lower, got[i].upper,
                             truth);
                bool whole = a == floorl(a) && a <= 64;
                if (whole) assert_true(got[i].upper <= got[i].lower * (1 + 1e-8));
                assert_true(got[i].upper <= truth * 2.1L && (a < 2 || got[i].lower >= truth * 0.4L));
            }
        }
}

/* ---- Gaussian noise ---- */

static void gaussian_steps(void **state) {
    (void)state;
    dpn_mixture mixture;
    dpn_part one = law_part("gaussian(sigma=2)", 3, 1), copies = law_part("gaussian(sigma=2)", 3, 4);
    dpn_part pair[] = {one, copies}, other = law_part("laplace(scale=2)", 1, 1);
    dpn_step step = {&one, 1, 0.25, 9};
    assert_true(gaussian_step(&mixture, &step) && mixture.rate == 0.25 && fabs(mixture.ratio - 1.5) < 1e-12 &&
                mixture.doubt < 1e-12);
    step.part = &copies;
    assert_true(gaussian_step(&mixture, &step) && fabs(mixture.ratio - 3) < 1e-12);
    step = (dpn_step){pair, 2, 0.5, 1};
    assert_true(gaussian_step(&mixture, &step) && fabs(mixture.ratio - 1.5 * sqrt(5)) < 1e-12 && mixture.rate == 0.5);
    step = (dpn_step){&other, 1, 0.5, 1};
    assert_false(gaussian_step(&mixture, &step));
    pair[1] = other;
    step = (dpn_step){pair, 2, 0.5, 1};
    assert_false(gaussian_step(&mixture, &step));
}

/* At order 2 the sum is log(1 + q^2 (e^(c^2) - 1)): however small the rate or the shift, many digits; and the ends are those of the rule, 16 units out. */
static void weak_gaussian_samples_keep_their_digits(void **state) {
    (void)state;
    dpn_mixture_rule rule = {0};
    for (double q = 1e-7; q < 1; q *= 7)
        for (double c = 1e-5; c < 4; c *= 6) {
            dpn_part part = law_part("gaussian(sigma=1)", c, 1);
            dpn_step step = {&part, 1, q, 1};
            dpn_mixture mixture;
            dpn_divergence got;
            assert_true(gaussian_step(&mixture, &step));
            dpn_status status = by_mixture(&got, &rule, &mixture, 2);
            long double truth = log1pl((long double)q * q * expm1l((long double)c * c));
            if (status) {
                assert_int_equal(status, DPN_EACCURACY);
                assert_true(q * c < 1e-8);
                continue;
            }
            if (!(got.lower <= truth && got.upper >= truth))
                fail_msg("rate %g, shift %g: [%g, %g], not %Lg", q, c, got.lower, got.upper, truth);
            if (q * c > 1e-3) assert_true(got.upper - got.lower <= 1e-6 * (double)truth);
            double most = rule.cumulant + rule.error, least = rule.cumulant - rule.error;
            assert_true(fabs(got.upper - most - UNITS * most) <= 0.2 * UNITS * most);
            assert_true(least <= 0 ? got.lower == 0 : fabs(least - got.lower - UNITS * least) <= 0.2 * UNITS * least);
        }
    dpn_mixture_rule_free(&rule);
}

/* ---- what is refused ---- */

static void refusals(void **state) {
    (void)state;
    dpn_part gaussian = law_part("gaussian(sigma=2)", 1, 1), joint = {.times = 1};
    assert_int_equal(dpn_loss_random_box(&joint.loss, 1, NULL, NULL, 1, 2, NULL), DPN_OK);
    const double two = 2;
    dpn_divergence out = {-7, -7};
    dpn_error why;
    for (int i = 0; i < 4; i++) {
        double order = (const double[]){1, 0.5, -INFINITY, NAN}[i];
        dpn_step step = {&gaussian, 1, 0.5, 1};
        assert_int_equal(dpn_renyi_sampling(&out, &step, 1, &order, 1, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "the order of a sample's divergence must exceed 1");
        double rate = (const double[]){-1e-300, 1.0000001, INFINITY, NAN}[i];
        dpn_step bad[] = {{&gaussian, 1, 1, 1}, {&gaussian, 1, rate, 1}};
        assert_int_equal(dpn_renyi_sampling(&out, bad, 2, &two, 1, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "the sampling rate of step 1 must lie in [0, 1]");
    }
    dpn_step none = {NULL, 1, 0.5, 1}, whole = {&joint, 1, 0.5, 1};
    assert_int_equal(dpn_renyi_sampling(&out, &none, 1, &two, 1, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "part must not be NULL");
    assert_int_equal(dpn_renyi_sampling(&out, &whole, 1, &two, 1, &why), DPN_EUNSUPPORTED);
    assert_non_null(strstr(why.sentence, "losses cannot be sampled"));
    assert_true(out.lower == -7 && out.upper == -7);
    /* Nothing to lose: no parts, no rate, no repetitions. */
    dpn_step empty[] = {{NULL, 0, 0.5, 1}, {&gaussian, 1, 0, 5}, {&gaussian, 1, 0.5, 0}};
    assert_int_equal(dpn_renyi_sampling(&out, empty, 3, &two, 1, &why), DPN_OK);
    assert_true(out.lower == 0 && out.upper == 0);
    assert_int_equal(dpn_renyi_sampling(&out, empty, 0, &two, 1, &why), DPN_OK);
    out = (dpn_divergence){-7, -7};
    assert_int_equal(dpn_renyi_sampling(&out, empty, 3, &two, 0, &why), DPN_OK);
    assert_true(out.lower == -7);
}

static void memory_may_end(void **state) {
    (void)state;
#ifdef SANITIZED
    skip();
#else
    dpn_part part[] = {law_part("laplace(scale=2)", 1, 1), law_part("gaussian(sigma=2)", 1, 1)};
    const double orders[] = {2, 3.5};
    for (int kind = 0; kind < 2; kind++)
        for (long k = 0;; k++) {
            assert_true(k < 1000);
            dpn_step step = {&part[kind], 1, 0.5, 1};
            dpn_divergence out[2] = {{-7, -7}, {-7, -7}};
            dpn_error why = {0};
            memory.requests = 0, memory.fail_at = k, memory.live = 0, memory.armed = true;
            dpn_status status = dpn_renyi_sampling(out, &step, 1, orders, 2, &why);
            memory.armed = false;
            assert_int_equal(memory.live, 0);
            if (status == DPN_OK) {
                assert_true(k >= 2);
                break;
            }
            assert_int_equal(status, DPN_ENOMEM);
            assert_non_null(strstr(why.sentence, "no memory for"));
            assert_true(out[0].lower == -7 && out[1].upper == -7);
        }
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms),
        cmocka_unit_test(mixtures_of_two),
        cmocka_unit_test(moments_of_a_coin),
        cmocka_unit_test(sums_over_moments),
        cmocka_unit_test(sums_at_their_edges),
        cmocka_unit_test(orders_beyond_all_sums),
        cmocka_unit_test(coins_from_a_sample),
        cmocka_unit_test(gaussian_steps),
        cmocka_unit_test(weak_gaussian_samples_keep_their_digits),
        cmocka_unit_test(refusals),
        cmocka_unit_test(memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
