/* truncated-geometric noise against its definition: the two truncated laws mixed point by point in long double, the profile and
 * compositions of it as plain sums over all outputs. */
#include <dpnoise/privacy.h>
#include <dpnoise/renyi.h>
#include <dpnoise/sampling.h>

#include "privacy/profile/supremum.h"
#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

enum { MOST = 64 };

typedef struct noise {
    double epsilon, theta;
    int n;
    long double p[MOST + 1]; /* at k >= 0 */
} noise;

/* T_m(k). */
static long double member(double epsilon, int m, int k) {
    long double sum = 1;
    for (int j = 1; j <= m; j++) sum += 2 * expl(-(long double)epsilon * j);
    return k <= m ? expl(-(long double)epsilon * k) / sum : 0;
}

static noise noise_of(double epsilon, int n, double theta) {
    noise x = {.epsilon = epsilon, .theta = theta, .n = n};
    for (int k = 0; k <= n; k++)
        x.p[k] = theta * member(epsilon, n, k) + (1 - (long double)theta) * member(epsilon, n - 1, k);
    return x;
}

static long double at(const noise *x, int k) {
    int size = k < 0 ? -k : k;
    return size <= x->n ? x->p[size] : 0;
}

static dpn_law law_of(const noise *x) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_make(&law, "truncated-geometric", (double[]){x->epsilon, x->n, x->theta}, 3, &why))
        fail_msg("%s", why.sentence);
    return law;
}

static long double plain_delta(const noise *x, int d, double epsilon) {
    long double sum = 0;
    for (int k = -x->n; k <= x->n; k++) sum += fmaxl(0, at(x, k) - expl(epsilon) * at(x, k + d));
    return sum;
}

/* The truth is rounded too, and may be 0 where the bound is not. */
static void check(dpn_delta delta, long double truth, double slack, const char *what) {
    if (!(delta.lower <= truth * (1 + slack) + 1e-18L && truth * (1 - slack) <= delta.upper + 1e-18L))
        fail_msg("%s: [%.17g, %.17g] does not contain %.17Lg", what, delta.lower, delta.upper, truth);
}

static noise draw_noise(draw_source *source, int most) {
    int n = 1 + (int)(draw_bits(source) % (unsigned)most);
    double theta = draw_chance(source, 0.2) ? 1 : draw_log_uniform(source, 1e-3, 1);
    return noise_of(draw_log_uniform(source, 1e-3, 8), n, theta);
}

static void probabilities(void **state) {
    (void)state;
    draw_source source = {5};
    for (int i = 0; i < 300; i++) {
        noise x = draw_noise(&source, MOST);
        dpn_law law = law_of(&x);
        long double variance = 0;
        for (int k = -x.n - 1; k <= x.n + 1; k++) {
            assert_true(fabsl(dpn_law_pdf(&law, k) - at(&x, k)) <= 1e-14L * at(&x, k));
            variance += at(&x, k) * k * k;
        }
        assert_true(fabsl(dpn_law_variance(&law) - variance) <= 1e-13L * variance);
    }
}

/* Every shift up to beyond the reach, at epsilons below, at, above and between the losses. */
static void profiles(void **state) {
    (void)state;
    draw_source source = {6};
    for (int i = 0; i < 2000; i++) {
        noise x = draw_noise(&source, MOST);
        dpn_law law = law_of(&x);
        int d = 1 + (int)(draw_bits(&source) % (unsigned)(draw_chance(&source, 0.5) ? 3 : 2 * x.n + 2));
        double losses[] = {0, x.epsilon * d, x.epsilon * (d - 2), x.epsilon * fmax(d - 4, 0),
                           draw_log_uniform(&source, 1e-3, 30)};
        for (int j = 0; j < 5; j++) {
            double epsilon = fmax(0, losses[j]) * (draw_chance(&source, 0.5) ? 1 : draw_uniform(&source, 0.5, 2));
            dpn_delta delta;
            dpn_error why;
            char text[200];
            snprintf(text, sizeof text, "epsilon %.17g, n %d, theta %.17g, shift %d at %.17g", x.epsilon, x.n, x.theta,
                     d, epsilon);
            if (dpn_profile_delta(&delta, &law, d, epsilon, &why)) fail_msg("%s: %s", text, why.sentence);
            check(delta, plain_delta(&x, d, epsilon), 1e-13, text);
            assert_true(delta.upper - delta.lower <= 1e-9 * delta.upper);
        }
    }
}

/* The mass of infinite loss, and an epsilon for a delta: it is where the profile crosses. */
static void ends(void **state) {
    (void)state;
    noise x = noise_of(0.3, 10, 0.4);
    dpn_law law = law_of(&x);
    dpn_delta delta;
    dpn_epsilon epsilon;
    long double beyond = 0;
    for (int d = 1; d <= 22; d++) {
        beyond = 0;
        for (int k = -x.n; k <= x.n; k++) beyond += k + d > x.n ? at(&x, k) : 0;
        assert_int_equal(dpn_profile_delta(&delta, &law, d, INFINITY, NULL), DPN_OK);
        check(delta, beyond, 1e-13, "beyond");
    }
    assert_int_equal(dpn_profile_epsilon(&epsilon, &law, 1, 0.02, NULL), DPN_OK);
    assert_true(plain_delta(&x, 1, epsilon.upper) <= 0.02L * (1 + 1e-12L));
    assert_true(plain_delta(&x, 1, epsilon.lower * (1 - 1e-9)) >= 0.02L * (1 - 1e-12L));
    assert_int_equal(dpn_profile_epsilon(&epsilon, &law, 1, 0.001, NULL), DPN_OK);
    assert_true(isinf(epsilon.upper)); /* what is beyond the reach has more than that */
    dpn_divergence divergence;
    assert_int_equal(dpn_renyi(&divergence, &law, 1, 2, NULL), DPN_OK);
    assert_true(isinf(divergence.upper));
}

/* ---- compositions ---- */

/* Sum over all outputs of several draws of (P - e^epsilon Q)_+. */
static long double plain_composed(const noise *x, const int *shift, int draws, long double p, long double q,
                                  double epsilon) {
    if (draws == 0) return fmaxl(0, p - expl(epsilon) * q);
    long double sum = 0;
    for (int k = -x->n; k <= x->n; k++)
        sum += plain_composed(x, shift + 1, draws - 1, p * at(x, k), q * at(x, k + shift[0]), epsilon);
    return sum;
}

static void compositions(void **state) {
    (void)state;
    static const dpn_method methods[] = {DPN_METHOD_AUTO, DPN_METHOD_FFT};
    draw_source source = {7};
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (int i = 0; i < 30; i++) {
        noise x = draw_noise(&source, 6);
        if (x.n < 3) x = noise_of(x.epsilon, 3, x.theta); /* no shift below leaves the reach of all noise */
        dpn_law law = law_of(&x);
        int one = 1 + (int)(draw_bits(&source) % 3), other = 1 + (int)(draw_bits(&source) % 3);
        int shift[] = {one, one, one, other};
        dpn_part part[2] = {{.times = 3}, {.times = 1}};
        assert_int_equal(dpn_loss_law(&part[0].loss, &law, one, NULL), DPN_OK);
        assert_int_equal(dpn_loss_law(&part[1].loss, &law, other, NULL), DPN_OK);
        double epsilon = draw_uniform(&source, 0, 4) * x.epsilon;
        long double truth = plain_composed(&x, shift, 4, 1, 1, epsilon);
        for (int m = 0; m < 2; m++) {
            dpn_accounting_options options = {sizeof options, 0, methods[m]};
            dpn_delta delta;
            dpn_error why;
            char text[200];
            snprintf(text, sizeof text, "epsilon %.17g, n %d, theta %.17g, shifts %d, %d at %.17g", x.epsilon, x.n,
                     x.theta, one, other, epsilon);
            if (dpn_compose_delta(&delta, workspace, part, 2, epsilon, &options, &why))
                fail_msg("%s: %s", text, why.sentence);
            check(delta, truth, 1e-13, text);
            assert_true(delta.upper - delta.lower <= 2e-5 * delta.upper);
        }
    }
    dpn_workspace_free(workspace);
}

/* delta of Gaussian noise of shift/sigma = mu at any epsilon. */
static long double gaussian_delta(long double mu, long double epsilon) {
    long double a = epsilon / mu, root = sqrtl(2);
    return erfcl((a - mu / 2) / root) / 2 - expl(epsilon) * (erfcl((a + mu / 2) / root) / 2);
}

/* With Gaussian noise beside it the contour sum serves: given the first output the loss of the other has to exceed what is
 * left of epsilon. */
static void beside_gaussian(void **state) {
    (void)state;
    draw_source source = {8};
    dpn_workspace *workspace;
    dpn_accounting_options options = {sizeof options, 0, DPN_METHOD_CONTOUR};
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (int i = 0; i < 60; i++) {
        noise x = draw_noise(&source, 40);
        dpn_law law = law_of(&x), gaussian;
        int shift = 1 + (int)(draw_bits(&source) % (unsigned)(x.n < 6 ? x.n : 6));
        double sigma = draw_log_uniform(&source, 0.3, 3), epsilon = draw_uniform(&source, 0.2, 3) * x.epsilon;
        dpn_part part[2] = {{.times = 1}, {.times = 1}};
        assert_int_equal(dpn_law_make(&gaussian, "gaussian", &sigma, 1, NULL), DPN_OK);
        assert_int_equal(dpn_loss_law(&part[0].loss, &law, shift, NULL), DPN_OK);
        assert_int_equal(dpn_loss_law(&part[1].loss, &gaussian, 1, NULL), DPN_OK);
        long double truth = 0;
        for (int k = -x.n; k <= x.n; k++) {
            long double here = at(&x, k), there = at(&x, k + shift);
            truth += there > 0 ? here * gaussian_delta(1 / (long double)sigma, epsilon - logl(here / there)) : here;
        }
        dpn_delta delta;
        dpn_error why;
        char text[200];
        snprintf(text, sizeof text, "epsilon %.17g, n %d, theta %.17g, shift %d, sigma %.17g at %.17g", x.epsilon, x.n,
                 x.theta, shift, sigma, epsilon);
        if (dpn_compose_delta(&delta, workspace, part, 2, epsilon, &options, &why))
            fail_msg("%s: %s", text, why.sentence);
        check(delta, truth, 1e-13, text);
        assert_true(delta.upper - delta.lower <= 2e-5 * delta.upper);
    }
    dpn_workspace_free(workspace);
}

/* The largest finite loss, by looking at all. */
static void largest_losses(void **state) {
    (void)state;
    draw_source source = {9};
    for (int i = 0; i < 400; i++) {
        noise x = draw_noise(&source, 30);
        dpn_law law = law_of(&x);
        int shift = 1 + (int)(draw_bits(&source) % (unsigned)(2 * x.n + 2));
        long double most = 0;
        for (int k = -x.n; k + shift <= x.n; k++) most = fmaxl(most, logl(at(&x, k) / at(&x, k + shift)));
        dpn_quotient q;
        assert_true(dpn_loss_supremum(&q, &law, shift));
        long double got = (long double)q.x / q.g * q.y / q.h, slack = 1e-17L * (1 + x.epsilon * x.n);
        if (!(got >= most * (1 - 1e-15L) - slack && got <= most * (1 + 2e-12L) + slack))
            fail_msg("epsilon %.17g, n %d, theta %.17g, shift %d: %.17Lg, not %.17Lg", x.epsilon, x.n, x.theta, shift,
                     got, most);
    }
}

/* Outputs of one step on a sample of rate q, with the person (from) or without: the ratio of (1-q) without + q with to without. */
static long double sampled(const noise *x, int shift, double rate, int k) {
    return (1 - (long double)rate) * at(x, k) + (long double)rate * at(x, k + shift);
}

/* One and two steps, both directions, over all outputs. */
static void samples(void **state) {
    (void)state;
    draw_source source = {10};
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (int i = 0; i < 14; i++) {
        noise x = draw_noise(&source, 12);
        dpn_law law = law_of(&x);
        int shift = 1 + (int)(draw_bits(&source) % (unsigned)(x.n < 3 ? x.n : 3)), steps = 1 + i % 2,
            wide = x.n + shift;
        double rate = draw_log_uniform(&source, 1e-3, 0.9), epsilon = draw_uniform(&source, 0, 1.2) * x.epsilon * shift;
        long double direction[2] = {0, 0};
        for (int k = -wide; k <= wide; k++)
            for (int l = steps > 1 ? -wide : 0; l <= (steps > 1 ? wide : 0); l++) {
                long double with = sampled(&x, shift, rate, k) * (steps > 1 ? sampled(&x, shift, rate, l) : 1);
                long double without = at(&x, k) * (steps > 1 ? at(&x, l) : 1);
                direction[0] += fmaxl(0, with - expl(epsilon) * without);
                direction[1] += fmaxl(0, without - expl(epsilon) * with);
            }
        dpn_part part = {.times = 1};
        assert_int_equal(dpn_loss_law(&part.loss, &law, shift, NULL), DPN_OK);
        dpn_step step = {&part, 1, rate, (uint64_t)steps};
        dpn_delta delta;
        dpn_error why;
        char text[200];
        snprintf(text, sizeof text, "epsilon %.17g, n %d, theta %.17g, shift %d, rate %.17g, %d steps at %.17g",
                 x.epsilon, x.n, x.theta, shift, rate, steps, epsilon);
        if (dpn_sampling_delta(&delta, workspace, &step, 1, epsilon, NULL, &why))
            fail_msg("%s: %s", text, why.sentence);
        check(delta, fmaxl(direction[0], direction[1]), 1e-13, text);
        if (!(delta.upper <= delta.lower * 1.001 + 1e-15)) fail_msg("%s: %g to %g", text, delta.lower, delta.upper);
    }
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities), cmocka_unit_test(profiles),        cmocka_unit_test(ends),
        cmocka_unit_test(compositions),  cmocka_unit_test(beside_gaussian), cmocka_unit_test(largest_losses),
        cmocka_unit_test(samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
