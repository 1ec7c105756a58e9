/* Where the searches for epsilon and delta of sampled steps begin: near enough to what they are about, and which steps are called rare or far. */
#include "privacy/sampling/mixture-guess.c" /* to see the search */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 3 };

typedef struct steps {
    dpn_mixtures all;
    dpn_mixture_term term[MOST];
} steps;

static void make_steps(steps *s, draw_source *source, size_t terms, double seen) {
    *s = (steps){.all = {.terms = terms}};
    s->all.term = s->term;
    for (size_t i = 0; i < terms; i++) {
        double times = floor(draw_log_uniform(source, 1, 1000));
        s->term[i].times = times;
        s->term[i].mixture = (dpn_mixture){.ratio = draw_log_uniform(source, 0.3, 3),
                                           .rate = seen / (double)terms / times,
                                           .cut = INFINITY,
                                           .split = -INFINITY};
    }
}

static void free_steps(steps *s) {
    for (size_t i = 0; i < s->all.terms; i++) dpn_mixture_rule_free(&s->term[i].rule);
}

static long double tail(long double t) {
    return 0.5L * erfcl(t / sqrtl(2));
}

static void one_large_loss(void **state) {
    (void)state;
    draw_source source = {101};
    for (int trial = 0; trial < 200; trial++) {
        steps s;
        double seen = draw_log_uniform(&source, 1e-4, 0.3), epsilon = draw_log_uniform(&source, 0.05, 8);
        make_steps(&s, &source, 1 + (size_t)trial % MOST, seen);
        assert_true(fabs(dpn_mixture_times_seen(&s.all) - seen) < 1e-12);
        long double single = 0, rare = 0;
        for (size_t i = 0; i < s.all.terms; i++) {
            long double q = s.term[i].mixture.rate, c = s.term[i].mixture.ratio, n = s.term[i].times;
            long double t = logl((expm1l(epsilon) + q) / q) / c -
                            c / 2; /* how far the noise of somebody present is out, whose loss is epsilon */
            single += n * q * tail(t);
            t = logl((expm1l(epsilon + (long double)seen) + q) / q) / c + c / 2;
            rare += n * q * (tail(t - c) - expl(c * t - c * c / 2) * tail(t));
        }
        if (single > 1e-80L && single < 0.1L * seen) /* about: to a part of the logarithm */
            assert_true(fabsl(dpn_mixture_log_single(&s.all, epsilon) - logl(single)) < 4.5L);
        if (rare > 1e-200L) {
            double got = dpn_mixture_log_rare(&s.all, epsilon);
            if (!(fabsl(got - logl(rare)) < 1e-6L)) fail_msg("epsilon %g: %g, not %Lg", epsilon, got, logl(rare));
            /* And back. */
            assert_true(fabs(single_epsilon(&s.all, got, dpn_mixture_log_rare) / epsilon - 1) < 1e-6);
        }
        double guess = single_epsilon(&s.all, -20, dpn_mixture_log_single);
        assert_true(dpn_mixture_log_single(&s.all, guess) >= -20 &&
                    dpn_mixture_log_single(&s.all, guess * (1 + 1e-6) + 1e-11) <= -20 + 1e-3);
    }
    steps one;
    make_steps(&one, &source, 1, 0.1);
    assert_true(single_epsilon(&one.all, 1, dpn_mixture_log_single) <= 1.0001e-12 &&
                single_epsilon(&one.all, -1e9, dpn_mixture_log_single) > 699);
}

static void who_is_seen_rarely(void **state) {
    (void)state;
    draw_source source = {102};
    steps s;
    make_steps(&s, &source, 2, 0.0199);
    s.term[0].mixture.ratio = s.term[1].mixture.ratio = 1.001;
    assert_true(dpn_mixture_is_rare(&s.all, 0.2) && !dpn_mixture_is_rare(&s.all, 0.198));
    s.all.absent = true;
    assert_true(!dpn_mixture_is_rare(&s.all, 0.2));
    s.all.absent = false;
    s.term[1].mixture.ratio = 1;
    assert_true(!dpn_mixture_is_rare(&s.all, 0.2));
    s.term[1].mixture.ratio = 3;
    s.term[0].times *= 1.1;
    assert_true(!dpn_mixture_is_rare(&s.all, 9));
    make_steps(&s, &source, 1, 0.199);
    s.term[0].mixture.ratio = 1;
    double far = single_epsilon(&s.all, -66, dpn_mixture_log_rare);
    assert_true(far > 2 && dpn_mixture_is_far(&s.all, far * 1.0001) && !dpn_mixture_is_far(&s.all, far * 0.9999));
    s.all.absent = true;
    assert_true(!dpn_mixture_is_far(&s.all, far * 2));
    s.all.absent = false;
    s.all.terms = 0;
    assert_true(!dpn_mixture_is_far(&s.all, far * 2));
    s.all.terms = 1;
    s.term[0].times *= 1.02; /* 0.203 */
    assert_true(!dpn_mixture_is_far(&s.all, far * 2));
    make_steps(&s, &source, 1, 0.1);
    s.term[0].mixture.ratio = 1e-3; /* far out at once; but epsilon is not ten times what the others take */
    assert_true(dpn_mixture_is_far(&s.all, 1.01) && !dpn_mixture_is_far(&s.all, 0.99));
}

/* Where delta is about that of a Gaussian, or of a single loss, the epsilon that is begun with is near that, and the rate is how fast log delta falls. */
static void searches_begin_nearby(void **state) {
    (void)state;
    draw_source source = {103};
    for (double c = 0.05; c < 1; c *= 2)
        for (double log_delta = -5; log_delta > -60; log_delta *= 1.5) {
            steps s = {.all = {.terms = 1}};
            s.all.term = s.term;
            s.term[0] = (dpn_mixture_term){.times = 25,
                                           .mixture = {.ratio = c, .rate = 1, .cut = INFINITY, .split = -INFINITY}};
            dpn_attempt a = {.all = &s.all};
            dpn_attempt_begin(&a, log_delta);
            long double root = 5 * c, low = 0, high = 200;
            for (int i = 0; i < 100; i++) {
                long double middle = 0.5L * (low + high),
                            delta = tail(middle / root - root / 2) - expl(middle) * tail(middle / root + root / 2);
                if (delta > 0 && logl(delta) > log_delta)
                    low = middle;
                else
                    high = middle;
            }
            if (!(fabsl(a.epsilon - low) < 0.35L * low + 0.1L * root))
                fail_msg("c %g, log delta %g: %g, not %Lg", c, log_delta, a.epsilon, low);
            long double z = (low - root * root / 2) / root;
            assert_true(a.rate > 0.5L * z / root && a.rate < 2 * z / root + 1);
            free_steps(&s);
        }
    for (int trial = 0; trial < 30; trial++) { /* rare: the epsilon of one loss, and how fast that falls */
        steps s;
        make_steps(&s, &source, 1 + (size_t)trial % 2, 0.003);
        for (int i = 0; i < 2; i++) s.term[i].mixture.ratio = draw_uniform(&source, 1.1, 2);
        double log_delta = -draw_uniform(&source, 12, 40);
        dpn_attempt a = {.all = &s.all};
        dpn_attempt_begin(&a, log_delta);
        if (dpn_mixture_is_rare(&s.all, a.epsilon)) {
            assert_true(fabs(dpn_mixture_log_rare(&s.all, a.epsilon) - log_delta) < 1e-3);
            double rate =
                (dpn_mixture_log_rare(&s.all, 0.999 * a.epsilon) - dpn_mixture_log_rare(&s.all, 1.001 * a.epsilon)) /
                (0.002 * a.epsilon);
            assert_true(fabs(a.rate / rate - 1) < 0.1);
        }
        free_steps(&s);
    }
    steps s; /* one loss decides, often */
    make_steps(&s, &source, 1, 0.05);
    s.term[0].mixture.ratio = 0.8;
    dpn_attempt a = {.all = &s.all};
    dpn_attempt_begin(&a, -30);
    assert_true(fabs(dpn_mixture_log_single(&s.all, a.epsilon) + 30) < 1e-3);
    double rate =
        (dpn_mixture_log_single(&s.all, 0.999 * a.epsilon) - dpn_mixture_log_single(&s.all, 1.001 * a.epsilon)) /
        (0.002 * a.epsilon);
    assert_true(fabs(a.rate / rate - 1) < 0.3);
    free_steps(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_large_loss),
        cmocka_unit_test(who_is_seen_rarely),
        cmocka_unit_test(searches_begin_nearby),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
