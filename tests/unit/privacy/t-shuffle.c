/* Shuffled reports: the clones enumerated, randomised response enumerated, and extreme local randomizers of four values whose histograms are all
 * enumerated, none of which is less private than what is claimed. */
#include "case.h"

#include <dpnoise/sampling.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static dpn_delta ask(int reports, double local, double epsilon) {
    dpn_delta delta;
    dpn_error why;
    if (dpn_shuffle_delta(&delta, (uint64_t)reports, local, epsilon, &why)) fail_msg("%s", why.sentence);
    return case_ends(delta);
}

static long double choose(int n, int k) {
    return expl(lgammal(n + 1) - lgammal(k + 1) - lgammal(n - k + 1));
}

static long double binomial(int k, int n, long double p) {
    return k < 0 || k > n ? 0 : choose(n, k) * powl(p, k) * powl(1 - p, n - k);
}

/* sup over events, of heads of a coin among n - 1 others, each with probability p. */
static long double coins_apart(int n, long double p, long double local, long double epsilon) {
    long double sum = 0, w = 1 / (1 + expl(-local));
    for (int k = 0; k <= n; k++) {
        long double one = binomial(k - 1, n - 1, p), none = binomial(k, n - 1, p);
        sum += fmaxl(0, w * one + (1 - w) * none - expl(epsilon) * ((1 - w) * one + w * none));
    }
    return sum;
}

static long double clones_apart(int n, long double local, long double epsilon) {
    long double sum = 0, clone = 2 / (expl(local) + 1);
    for (int c = 0; c < n; c++) sum += binomial(c, n - 1, clone) * coins_apart(c + 1, 0.5L, local, epsilon);
    return sum;
}

static void assert_near(double got, long double truth, const char *what, int n, double local, double epsilon) {
    if (fabsl(got - truth) <= 1e-8L * truth) return;
    fail_msg("%s of %d, local %g, epsilon %g: %.17g, not %.17Lg", what, n, local, epsilon, got, truth);
}

/* The same for many: from term to term, over 12 deviations on both sides of the mean. */
static long double many_apart(long double m, long double p, long double local, long double epsilon) {
    long double deviation = sqrtl(m * p * (1 - p)), first = fmaxl(0, floorl(m * p - 12 * deviation));
    long double w = 1 / (1 + expl(-local)), sum = 0, one = 0;
    long double none =
        expl(lgammal(m + 1) - lgammal(first + 1) - lgammal(m - first + 1) + first * logl(p) + (m - first) * log1pl(-p));
    for (long double k = first; k <= fminl(m + 1, first + 24 * deviation + 2); k++) {
        sum += fmaxl(0, w * one + (1 - w) * none - expl(epsilon) * ((1 - w) * one + w * none));
        one = none;
        none *= (m - k) * p / ((k + 1) * (1 - p));
    }
    return sum;
}

static void test_many_reports(void **state) {
    (void)state;
    dpn_delta most, some;
    dpn_epsilon epsilon;
    assert_int_equal(dpn_shuffle_delta(&most, (uint64_t)1 << 31, 1, 5e-5, NULL), DPN_OK);
    long double lower = many_apart(2147483647, 1 / (1 + expl(1)), 1, 5e-5L);
    assert_true(most.lower <= lower * (1 + 1e-7L) && most.lower >= lower * (1 - 1e-6L) && most.upper < 2e-6);
    assert_int_equal(dpn_shuffle_epsilon(&epsilon, (uint64_t)1 << 31, 0.5, 1e-6, NULL), DPN_OK);
    assert_true(epsilon.lower > 1e-5 && epsilon.upper < 1.5e-5);

    long double upper = 0, others = 39999, q = 2 / (expl(1) + 1), mean = others * q;
    for (long double c = floorl(mean - 750); c < mean + 750; c++)
        upper += expl(lgammal(others + 1) - lgammal(c + 1) - lgammal(others - c + 1) + c * logl(q) +
                      (others - c) * log1pl(-q)) *
                 many_apart(c, 0.5L, 1, 0.025L);
    assert_int_equal(dpn_shuffle_delta(&some, 40000, 1, 0.025, NULL), DPN_OK);
    if (!(some.upper >= upper * (1 - 1e-12L) && some.upper <= upper * 1.01L))
        fail_msg("%.17g, not %.17Lg", some.upper, upper);
}

static void test_both_ends(void **state) {
    (void)state;
    static const int reports[] = {2, 3, 10, 60, 200};
    static const double local[] = {0.3, 1, 3}, part[] = {0, 0.05, 0.3, 0.9};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 4; j++) {
                double epsilon = part[j] * local[k];
                dpn_delta got = ask(reports[i], local[k], epsilon);
                long double upper = clones_apart(reports[i], local[k], epsilon);
                long double lower = coins_apart(reports[i], 1 / (1 + expl((long double)local[k])), local[k], epsilon);
                assert_true(got.upper >= upper * (1 - 1e-12L) && got.lower <= lower * (1 + 1e-12L));
                if (upper > 1e-300L) assert_near(got.upper, upper, "clones", reports[i], local[k], epsilon);
                if (lower > 1e-300L) assert_near(got.lower, lower, "coins", reports[i], local[k], epsilon);
            }
}

/* ---- randomizers that are enumerated ---- */

static uint64_t seed = 20230117;
static double draw(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53;
}

enum { VALUES = 4, REPORTS = 4, CORNERS = REPORTS + 1, HISTOGRAMS = CORNERS * CORNERS * CORNERS };

/* Laws between base and e^local base, so that each is within e^local of every other: every family of such laws has a base. Extreme ones: one value
 * after the other, in random order, gets all it can. */
static void make_laws(long double law[][VALUES], int laws, long double local) {
    long double base[VALUES], sum = 0, least = expl(-local),
                              total = least + (1 - least) * (long double)(draw() * draw());
    for (int v = 0; v < VALUES; v++) sum += base[v] = 1e-3L + powl((long double)draw(), 3);
    for (int i = 0; i < laws; i++) {
        long double left = 1 - total;
        int order[VALUES] = {0, 1, 2, 3};
        for (int v = 0; v < VALUES; v++) {
            int other = v + (int)(draw() * (VALUES - v)), value = order[other];
            order[other] = order[v];
            long double mass = base[value] * total / sum, more = fminl(left, mass * expm1l(local));
            law[i][value] = mass + more;
            left -= more;
        }
    }
}

/* Randomised response with four values: 0 and 3 for the one report, 1 for all others. */
static void make_response(long double law[][VALUES], long double local) {
    for (int i = 0; i <= REPORTS; i++)
        for (int v = 0; v < VALUES; v++) {
            int value = i == 0 ? 0 : i == REPORTS ? 3 : 1;
            law[i][v] = (v == value ? expl(local) : 1) / (expl(local) + VALUES - 1);
        }
}

/* The probability of each histogram of the reports, by all sequences. */
static void histogram(long double *out, long double law[][VALUES], const int *who) {
    for (int i = 0; i < HISTOGRAMS; i++) out[i] = 0;
    int sequences = 1;
    for (int i = 0; i < REPORTS; i++) sequences *= VALUES;
    for (int s = 0; s < sequences; s++) {
        long double chance = 1;
        int count[VALUES] = {0}, rest = s;
        for (int i = 0; i < REPORTS; i++, rest /= VALUES) {
            chance *= law[who[i]][rest % VALUES];
            count[rest % VALUES]++;
        }
        out[(count[0] * CORNERS + count[1]) * CORNERS + count[2]] += chance;
    }
}

static void test_no_randomizer_is_less_private(void **state) {
    (void)state;
    long double nearest = 0;
    for (int trial = 0; trial < 400; trial++) {
        long double law[REPORTS + 1][VALUES], p[HISTOGRAMS], r[HISTOGRAMS];
        double local = 0.02 + 4 * draw() * draw(), epsilon = local * draw();
        make_laws(law, REPORTS + 1, local);
        if (trial % 5 == 0) make_response(law, local);
        for (int i = 0; i <= REPORTS; i++) /* what the test relies on */
            for (int k = 0; k <= REPORTS; k++)
                for (int v = 0; v < VALUES; v++) assert_true(law[i][v] <= expl(local) * law[k][v] * (1 + 1e-15L));
        int one[REPORTS], other[REPORTS];
        for (int i = 0; i < REPORTS; i++) one[i] = other[i] = trial % 2 ? i : 1;
        one[0] = 0;
        other[0] = REPORTS;
        histogram(p, law, one);
        histogram(r, law, other);
        long double there = 0, back = 0;
        for (int i = 0; i < HISTOGRAMS; i++) {
            there += fmaxl(0, p[i] - expl(epsilon) * r[i]);
            back += fmaxl(0, r[i] - expl(epsilon) * p[i]);
        }
        long double most = fmaxl(there, back), claimed = ask(REPORTS, local, epsilon).upper;
        if (most > claimed * (1 + 1e-12L)) fail_msg("local %g, epsilon %g: %.17Lg is reached", local, epsilon, most);
        nearest = fmaxl(nearest, most / claimed);
    }
    assert_true(nearest > 0.85L); /* the laws that are tried come near: a claim that is a little too small is noticed */
}

static void test_epsilon_inverts(void **state) {
    (void)state;
    dpn_epsilon epsilon;
    assert_int_equal(dpn_shuffle_epsilon(&epsilon, 3000, 1, 1e-6, NULL), DPN_OK);
    assert_true(epsilon.lower > 0 && epsilon.lower <= epsilon.upper && epsilon.upper < 0.3);
    assert_true(ask(3000, 1, epsilon.upper).upper <= 1e-6);
    assert_true(ask(3000, 1, epsilon.upper * 0.999).upper > 1e-6);
    assert_true(ask(3000, 1, epsilon.lower * 0.999).lower > 1e-6);
    assert_int_equal(dpn_shuffle_epsilon(&epsilon, 10, 1, 0, NULL), DPN_OK);
    assert_true(epsilon.upper >= 1 - 1e-6 && epsilon.upper <= 1);
}

/* More reports hide more; many are as quick as few. */
static void test_large_numbers(void **state) {
    (void)state;
    double before = 1;
    for (int reports = 10; reports <= 1000000; reports *= 10) {
        dpn_delta got = ask(reports, 2, 0.05);
        assert_true(got.upper <= before * (1 + 1e-3) && got.lower <= got.upper);
        before = got.upper;
    }
    assert_true(before < 1e-30);
}

static void test_edges(void **state) {
    (void)state;
    dpn_delta delta;
    assert_true(ask(1, 1, 0).upper >= tanh(0.5) * (1 - 1e-12) && ask(1, 1, 0).lower <= tanh(0.5) * (1 + 1e-12));
    assert_true(ask(5, 1, 1).upper == 0 && ask(5, 0, 0).upper == 0 && ask(5, 1, INFINITY).upper == 0);
    assert_int_equal(dpn_shuffle_delta(&delta, 0, 1, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_shuffle_delta(&delta, 5, -1, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_shuffle_delta(&delta, 5, NAN, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_shuffle_delta(&delta, 5, 1, -1, NULL), DPN_EDOMAIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ends),
        cmocka_unit_test(test_many_reports),
        cmocka_unit_test(test_no_randomizer_is_less_private),
        cmocka_unit_test(test_epsilon_inverts),
        cmocka_unit_test(test_large_numbers),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
