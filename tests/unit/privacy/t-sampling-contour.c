/* The contour sum for Gaussian noise on Poisson samples against second computations: the binomial sums of its transform, closed forms
 * for one step and for steps that see everybody, a convolution by a plain FFT of our own, the library's FFT engine. */
#include "case.h"
#include "plain-fft.h"
#include "privacy/sampling/mixture-contour.h"
#include "privacy/sampling/mixture-turns.h"

#include <complex.h>
#include <dpnoise/sampling.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static dpn_delta by_contour(bool absent, const dpn_mixture *mixture, const double *times, size_t terms,
                            double epsilon) {
    dpn_mixtures all = {.term = calloc(terms, sizeof(dpn_mixture_term)), .terms = terms, .absent = absent};
    dpn_delta delta = {0};
    dpn_error why;
    assert_non_null(all.term);
    for (size_t i = 0; i < terms; i++) all.term[i] = (dpn_mixture_term){.mixture = mixture[i], .times = times[i]};
    if (dpn_mixture_delta(&delta, &all, epsilon, 1e-7, -INFINITY, 1e9, &why))
        fail_msg("c %g, q %g, %g steps, epsilon %g: %s", mixture->ratio, mixture->rate, *times, epsilon, why.sentence);
    dpn_mixtures_free(&all);
    return case_ends(delta);
}

/* ---- the transform ---- */

/* G(k) = sum over j of (k over j) q^j (1-q)^(k-j) e^(c^2 j(j-1)/2). As G - 1, so that small ones keep their digits: E (e^L - 1)^j sums. */
static long double binomial_sum(double c, double q, int k) {
    long double sum = 0, choose = 1;
    for (int j = 0; j <= k; j++) {
        sum += choose * powl(q, j) * powl(1 - (long double)q, k - j) * expm1l((long double)c * c * j * (j - 1) / 2);
        choose *= (long double)(k - j) / (j + 1);
    }
    return sum;
}

static void cumulants_are_binomial_sums(void **state) {
    (void)state;
    static const double ratio[] = {0.01, 0.3, 1, 2.5}, rate[] = {1e-6, 1e-3, 0.2, 0.9, 1};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 5; j++)
            for (int k = 2; k < 20; k += 3) {
                dpn_mixture mixture = {.ratio = ratio[i], .rate = rate[j]};
                dpn_mixture_rule rule = {0};
                assert_int_equal(dpn_mixture_rule_make(&rule, &mixture, k, 1e-18, false), DPN_OK);
                long double truth = log1pl(binomial_sum(ratio[i], rate[j], k)), away = fabsl(truth - rule.cumulant);
                if (away > rule.error + 1e-18L * fabsl(truth) || rule.error > 1e-12 * (1 + fabs(rule.cumulant)))
                    fail_msg("c %g, q %g, order %d: %.17g +- %g, truth %.17Lg", ratio[i], rate[j], k, rule.cumulant,
                             rule.error, truth);
                dpn_mixture_rule_free(&rule);
            }
}

/* Exponents between 0 and 1, where the integral is less than 1 and cancels most, against a plain sum; little noise too, where the densities of both
 * are no doubles at once. */
static void cumulants_between_the_ends(void **state) {
    (void)state;
    static const double ratio[] = {0.3, 2.5, 12, 30, 40, 60}, rate[] = {1e-3, 0.2, 0.9}, x[] = {0.05, 0.5, 0.93};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 3; j++)
            for (size_t k = 0; k < 3; k++) {
                dpn_mixture mixture = {.ratio = ratio[i], .rate = rate[j]};
                dpn_mixture_rule rule = {0};
                assert_int_equal(dpn_mixture_rule_make(&rule, &mixture, x[k], 1e-18, false), DPN_OK);
                const long double step = 0.02L / fmax(1, ratio[i] / 10), c = ratio[i], q = rate[j];
                long double sum = 0;
                for (long double t = -14; t < 14 + c; t += step) {
                    long double u = c * t - c * c / 2,
                                L = u < 0 ? log1pl(q * expm1l(u)) : u + logl(q + (1 - q) * expl(-u));
                    sum += step * 0.398942280401432677939946L * expl(-t * t / 2 + x[k] * L);
                }
                long double away = fabsl(logl(sum) - rule.cumulant);
                if (!(away <= rule.error + 1e-17L && rule.error < 1e-11))
                    fail_msg("c %g, q %g, order %g: %.17g +- %g, truth %.17Lg", ratio[i], rate[j], x[k], rule.cumulant,
                             rule.error, logl(sum));
                dpn_mixture_rule_free(&rule);
            }
}

/* n V e^((x + i omega) L) summed with a step that is fine enough by far, and its part of big losses: plain formulas in long double. */
static void plain_transform(long double complex *all, long double complex *big, const dpn_mixture *m, double x,
                            double omega) {
    const long double step = 0.005L, c = m->ratio, q = m->rate;
    *all = *big = 0;
    for (long double t = -14 + fmin(0, x * m->ratio); t < 14 + fmax(0, x * m->ratio); t += step) {
        long double u = c * t - c * c / 2, v = q * expm1l(u), V = 1, S = 0;
        long double L = v > -0.5L ? log1pl(v) : logl((1 - q) + q * expl(u));
        if (m->steep > 0) {
            V = expl(-expl(m->steep * (t - (long double)m->cut)));
            S = expl(-expl(m->steep * (t - (long double)m->split)));
        }
        long double complex value =
            step * expl(-t * t / 2 + x * L) * 0.398942280401432677939946L * cexpl(I * omega * L);
        *all += V * value;
        *big += (V - S) * value;
    }
}

static const dpn_mixture window_of[] = {{0, 0, 0, 0, 0, 0}, {0, 0, 0, 2, INFINITY, 1}, {0, 0, 0, 6, 5, 2}};

/* The rule on the line above gives the transform within its error, and the bounds from omega on are above it; without windows, with big
 * losses apart, and with a cut. */
static void transforms_are_within_their_errors(void **state) {
    (void)state;
    static const double ratio[] = {0.05, 0.5, 1.4, 2.5}, rate[] = {1e-4, 0.05, 1}, x[] = {-30, 0.5, 12};
    for (size_t i = 0; i < 3 * 4 * 3 * 3; i++) {
        dpn_mixture m = window_of[i % 3];
        m.ratio = ratio[i / 3 % 4];
        m.rate = rate[i / 12 % 3];
        double at = x[i / 36];
        if (m.steep > 0 && at < 0) continue; /* windows serve present against absent alone */
        dpn_mixture_rule rule = {0};
        dpn_mixture_decay decay = {0};
        assert_int_equal(dpn_mixture_rule_make(&rule, &m, at, 1e-14, true), DPN_OK);
        assert_int_equal(dpn_mixture_decay_make(&decay, &m, &rule), DPN_OK);
        for (double omega = 0.1 / sqrt(rule.variance); omega < 12 / sqrt(rule.variance); omega *= 10) {
            if (omega * m.ratio > 100) break; /* the plain sum would be too coarse */
            long double complex all, big, phi = 0, part = 0;
            plain_transform(&all, &big, &m, at, omega);
            all /= expl(rule.cumulant);
            big /= expl(rule.cumulant);
            for (size_t l = 0; l < rule.count; l++) {
                long double complex turn = cexpl(I * omega * ((long double)rule.re[l] + I * (long double)rule.im[l]));
                phi += ((long double)rule.mass_re[l] + I * (long double)rule.mass_im[l]) * turn;
                part += ((long double)rule.big_re[l] + I * (long double)rule.big_im[l]) * turn;
            }
            double slack = rule.error + rule.flat + rule.relative + omega * rule.loss_error + 1e-15;
            double bound = exp(dpn_mixture_log_bound(&decay, &rule, omega));
            double big_bound = exp(dpn_mixture_log_bound_big(&decay, &rule, omega));
            if (!(cabsl(phi - all) <= slack && slack < 1e-9 && cabsl(all) <= bound + 1e-14))
                fail_msg("window %zu, c %g, q %g, x %g, omega %g: %Lg away, bound %Lg <= %g, slack %g", i % 3, m.ratio,
                         m.rate, at, omega, cabsl(phi - all), cabsl(all), bound, slack);
            if (m.steep > 0 && !(cabsl(part - big) <= 4 * slack && cabsl(big) <= big_bound + 1e-14))
                fail_msg("window %zu, c %g, q %g, x %g, omega %g: big %Lg away, bound %Lg <= %g", i % 3, m.ratio,
                         m.rate, at, omega, cabsl(part - big), cabsl(big), big_bound);
        }
        dpn_mixture_rule_free(&rule);
        dpn_mixture_decay_free(&decay);
    }
}

/* Sums at many nodes against sums of their own at each, in long double: over a whole round of turns, with points that fill no block. The last two
 * settings reach frequencies at which most points are near one place or have fallen to nothing. */
static void nodes_are_sums_over_the_points(void **state) {
    (void)state;
    enum { GROUPS = 40 };
    const double unit = 0x1p-53, steps[] = {0.7, 0.7, 0.7, 20, 20};
    for (size_t i = 0; i < 5; i++) {
        dpn_mixture m = window_of[i % 3];
        double step = steps[i];
        m.ratio = 1.3;
        m.rate = i < 3 ? 0.03 : 2e-4;
        dpn_mixture_rule rule = {0};
        dpn_mixture_turns *turns;
        assert_int_equal(dpn_mixture_rule_make(&rule, &m, 4.5, 1e-14, true), DPN_OK);
        assert_int_equal(dpn_mixture_turns_new(&turns, &rule, m.rate, step, i % 3 > 0), DPN_OK);
        double all_work = GROUPS * DPN_MIXTURE_TURNS * (double)rule.count;
        double work = dpn_mixture_turns_work(&rule, m.rate, step, (GROUPS * DPN_MIXTURE_TURNS - 1) * step);
        assert_true(i < 3 || work < 0.5 * all_work + 500.0 * GROUPS * DPN_MIXTURE_TURNS);
        double each = unit * (16 * 2 * DPN_MIXTURE_TURNS + DPN_MIXTURE_BLOCK + (double)rule.count / DPN_MIXTURE_BLOCK);
        for (int j = 0; j < GROUPS * DPN_MIXTURE_TURNS; j++) {
            static double complex sum[DPN_MIXTURE_TURNS], part[DPN_MIXTURE_TURNS];
            static double more[2];
            if (j % DPN_MIXTURE_TURNS == 0) dpn_mixture_turns_next(sum, part, more, turns);
            if (j > 40 && j % 37) continue;
            long double complex all = 0, big = 0;
            double omega = j * step, sizes = 0, big_sizes = 0;
            for (size_t l = 0; l < rule.count; l++) {
                long double complex mass = rule.mass_re[l] + I * (long double)rule.mass_im[l];
                long double complex big_mass = rule.big_re[l] + I * (long double)rule.big_im[l];
                long double complex z = omega * (I * (long double)rule.re[l] - (long double)rule.im[l]);
                all += mass * (cexpl(z) - 1);
                big += big_mass * cexpl(z);
                double angle_error = 1 + 64 * omega * hypot(rule.re[l], rule.im[l]) / 608;
                sizes += (double)cabsl(mass) * fmin(2, (double)cabsl(z)) * angle_error;
                big_sizes += (double)cabsl(big_mass) * angle_error;
            }
            assert_true(more[0] <= 1e-12 && (i % 3 == 0 || more[1] <= 1e-12));
            if (!(cabsl(sum[j % DPN_MIXTURE_TURNS] - all) <= each * sizes + more[0] + 1e-19))
                fail_msg("setting %zu, node %d: %Lg away, %g allowed", i, j, cabsl(sum[j % DPN_MIXTURE_TURNS] - all),
                         each * sizes + more[0]);
            if (i % 3 > 0 && !(cabsl(part[j % DPN_MIXTURE_TURNS] - big) <= each * big_sizes + more[1] + 1e-19))
                fail_msg("setting %zu, node %d: big %Lg away", i, j, cabsl(part[j % DPN_MIXTURE_TURNS] - big));
        }
        dpn_mixture_turns_free(turns);
        dpn_mixture_rule_free(&rule);
    }
}

/* ---- closed forms ---- */

/* H(x) of Gaussian noise at log x = nu. */
static long double gaussian_profile(long double c, long double nu) {
    return 0.5L * erfcl((nu / c - c / 2) / sqrtl(2)) - 0.5L * expl(nu) * erfcl((nu / c + c / 2) / sqrtl(2));
}

static void assert_holds(dpn_delta delta, long double truth, long double slack, const char *what, double c, double q,
                         double epsilon) {
    if ((long double)delta.lower <= truth * (1 + slack) && truth * (1 - slack) <= (long double)delta.upper &&
        delta.upper <= delta.lower * (1 + 1e-7) * (1 + 1e-12))
        return;
    fail_msg("%s, c %g, q %g, epsilon %.17g: [%.17g, %.17g], truth %.17Lg", what, c, q, epsilon, delta.lower,
             delta.upper, truth);
}

/* One step: q H(1 + (x-1)/q), and a H(qx/a), a = 1 - (1-q)x. */
static void one_step_is_closed(void **state) {
    (void)state;
    static const double ratio[] = {0.05, 0.3, 1}, rate[] = {0.2, 0.5, 0.9, 1};
    const double once = 1;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 4; j++) {
            long double c = ratio[i], q = rate[j];
            dpn_mixture mixture = {.ratio = ratio[i], .rate = rate[j]};
            for (double epsilon = 0; epsilon < 3 * ratio[i] * rate[j]; epsilon += 0.7 * ratio[i] * rate[j]) {
                long double x = expl(epsilon), a = 1 - (1 - q) * x;
                long double present = q * gaussian_profile(c, log1pl((x - 1) / q));
                assert_holds(by_contour(false, &mixture, &once, 1, epsilon), present, 1e-13L, "present", ratio[i],
                             rate[j], epsilon);
                if (a <= 0.2L) continue;
                long double absent = a * gaussian_profile(c, logl(q * x / a));
                assert_holds(by_contour(true, &mixture, &once, 1, epsilon), absent, 1e-13L, "absent", ratio[i], rate[j],
                             epsilon);
            }
        }
}

/* Steps of rate 1 are one Gaussian, also as phases, and also where delta is near 1. */
static void everybody_is_one_gaussian(void **state) {
    (void)state;
    const dpn_mixture phase[2] = {{.ratio = 0.3, .rate = 1}, {.ratio = 0.07, .rate = 1}};
    const double times[2] = {40, 300};

    long double c = sqrtl(40 * (long double)0.3 * 0.3 + 300 * (long double)0.07 * 0.07);
    for (double epsilon = 0; epsilon < 12; epsilon += 1.5)
        for (int absent = 0; absent < 2; absent++)
            assert_holds(by_contour(absent, phase, times, 2, epsilon), gaussian_profile(c, epsilon), 1e-13L, "phases",
                         0.3, 1, epsilon);
    const double many = 90000; /* mean loss 4050, deviation 90 */
    for (double epsilon = 3600; epsilon < 4500; epsilon += 100)
        assert_holds(by_contour(false, phase, &many, 1, epsilon), gaussian_profile((long double)0.3 * 300, epsilon),
                     1e-11L, "near 1", 0.3, 1, epsilon);
}

/* ---- a convolution of our own ---- */

/* Gaussian noise, or Laplace noise of the scale 1/c. */
typedef struct phase {
    double c, q, times;
    bool laplace;
} phase;

static double normal(double t) {
    return 0.5 * erfc(-t / sqrt(2));
}

/* The same of Laplace noise t, shifted by 1: its loss log dP/dQ is c (2t - 1) for 0 < t < 1, and c in size elsewhere. */
static void laplace_cdf(double cdf[2], const phase *p, bool absent, double l) {
    double e = (expm1(absent ? -l : l) + p->q) / p->q, L = e > 0 ? log(e) : -INFINITY, t = 0.5 * (L / p->c + 1);
    double shifted = L < -p->c ? 0 : L >= p->c ? 1 : 0.5 * exp(p->c * (t - 1));
    double centred = L < -p->c ? 0 : L >= p->c ? 1 : 1 - 0.5 * exp(-p->c * t);
    double present = (1 - p->q) * centred + p->q * shifted;
    cdf[absent] = absent ? 1 - present : present;
    cdf[!absent] = absent ? 1 - centred : centred;
}

/* P(t <= noise) up to where the loss is l: of the first law of the pair, and of the second. */
static void loss_cdf(double cdf[2], const phase *p, bool absent, double l) {
    if (p->laplace) {
        laplace_cdf(cdf, p, absent, l);
        return;
    }
    double e = expm1(absent ? -l : l) + p->q, t = e > 0 ? log(e / p->q) / p->c + p->c / 2 : -INFINITY;
    double present = (1 - p->q) * normal(absent ? -t : t) + p->q * normal(absent ? p->c - t : t - p->c);
    cdf[absent] = present;
    cdf[!absent] = normal(absent ? -t : t);
}

/* delta with the losses between two points of a grid of width/2^log2_count moved to these points, so that both laws keep their mass there:
 * above the truth by a share of about theta^2 n/12 times its square. */
static double by_convolution(bool absent, const phase *p, size_t phases, int log2_count, double width, double epsilon) {
    const size_t count = (size_t)1 << log2_count;
    double complex *product = malloc(count * sizeof *product), *one = malloc(count * sizeof *one);
    double h = width / (double)count, delta = 0;
    assert_true(product && one);
    for (size_t i = 0; i < count; i++) product[i] = 1;
    for (size_t k = 0; k < phases; k++) {
        double before[2], after[2];
        for (size_t i = 0; i < count; i++) one[i] = 0;
        loss_cdf(before, &p[k], absent, -h * (double)count / 4);
        for (size_t i = 3 * count / 4; i < 7 * count / 4 - 1; i++) {
            double at = h * ((double)i - (double)count);
            loss_cdf(after, &p[k], absent, at + h);
            double first = after[0] - before[0], second = after[1] - before[1];
            double high =
                (first - second * exp(at)) / -expm1(-h); /* first = low + high, second = low e^-at + high e^(-at-h) */
            one[i % count] += first - high;
            one[(i + 1) % count] += high;
            before[0] = after[0];
            before[1] = after[1];
        }
        plain_fft(one, count, -1);
        for (size_t i = 0; i < count; i++) product[i] *= cpow(one[i], p[k].times);
    }
    plain_fft(product, count, 1);
    for (size_t i = 1; i < count; i++) { /* the window begins a quarter below 0 */
        double at = h * (i < 3 * count / 4 ? (double)i : (double)i - (double)count);
        if (at > epsilon) delta += creal(product[i]) / (double)count * -expm1(epsilon - at);
    }
    free(product);
    free(one);
    return delta;
}

static void training_agrees_with_a_convolution(void **state) {
    (void)state;
    static const struct {
        phase phase[2];
        size_t phases;
        int log2_count;
        double width, epsilon, slack;
    } cases[] = {{{{1 / 1.3, 0.00416667, 3600, false}}, 1, 16, 12, 0.853, 5e-3},
                 {{{1 / 1.1, 0.01, 10000, false}}, 1, 16, 40, 5.1926, 1e-2},
                 {{{1 / 0.7, 0.001, 100000, false}}, 1, 17, 20, 4.1357, 5e-2},
                 {{{1 / 2.0, 0.05, 2000, false}}, 1, 16, 40, 5, 5e-3},
                 {{{1 / 0.9, 0.01, 500, false}, {0.6, 0.03, 800, false}}, 2, 16, 30, 3.5, 1e-2},
                 /* few steps, whose rare large losses matter: the line leaves the saddle point */
                 {{{1 / 1.665, 0.006115, 16, false}}, 1, 16, 8, 0.1, 1e-3},
                 /* weak noise on rare samples, both directions alike */
                 {{{1 / 17.84, 1.67e-4, 58454, false}}, 1, 17, 0.1, 0.008, 5e-2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int absent = 0; absent < 2; absent++) {
            dpn_mixture mixture[2];
            double times[2];
            for (size_t k = 0; k < cases[i].phases; k++) {
                mixture[k] = (dpn_mixture){.ratio = cases[i].phase[k].c, .rate = cases[i].phase[k].q};
                times[k] = cases[i].phase[k].times;
            }
            dpn_delta delta = by_contour(absent, mixture, times, cases[i].phases, cases[i].epsilon);
            double other = by_convolution(absent, cases[i].phase, cases[i].phases, cases[i].log2_count, cases[i].width,
                                          cases[i].epsilon);
            if (other < delta.lower * (1 - 1e-4) - 1e-14 || other > delta.upper * (1 + cases[i].slack) + 1e-14 ||
                delta.upper > delta.lower * (1 + 1e-6))
                fail_msg("case %zu, absent %d: [%.10g, %.10g], by convolution %.10g", i, absent, delta.lower,
                         delta.upper, other);
        }
}

/* ---- through the public function ---- */

static dpn_part gaussian_part(double sigma) {
    dpn_part part = {.times = 1};
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "gaussian", &sigma, 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
    return part;
}

static dpn_epsilon sampled_epsilon(double sigma, double rate, uint64_t times, double delta) {
    dpn_workspace *workspace;
    dpn_part part = gaussian_part(sigma);
    dpn_step step = {&part, 1, rate, times};
    dpn_epsilon epsilon = {0};
    dpn_error why;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    if (dpn_sampling_epsilon(&epsilon, workspace, &step, 1, delta, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_workspace_free(workspace);
    return epsilon;
}

/* Ordinary settings of private training; the values are those of accountants with a grid, which are a little above the truth. */
static void ordinary_settings_are_answered(void **state) {
    (void)state;
    static const struct {
        double sigma, rate, times, delta, known, slack;
    } cases[] = {{1.3, 0.00416667, 3600, 1e-5, 0.8530, 1e-4},
                 {1.1, 0.01, 10000, 1e-5, 5.1926, 1e-4},
                 {0.7, 0.001, 1e5, 1e-6, 4.1357, 6e-4},
                 {2, 0.05, 2000, 1e-8, 7.2255, 1e-4},
                 {1, 0.01, 1000, 1e-6, 2.12451, 1e-5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_epsilon e = sampled_epsilon(cases[i].sigma, cases[i].rate, (uint64_t)cases[i].times, cases[i].delta);
        if (fabs(e.upper - cases[i].known) > cases[i].slack || e.upper - e.lower > 1e-6 || e.lower > e.upper)
            fail_msg("sigma %g: [%.10g, %.10g], known %g", cases[i].sigma, e.lower, e.upper, cases[i].known);
    }
    dpn_epsilon most = sampled_epsilon(1, 0.01, 10000000, 1e-6);
    assert_true(most.upper - most.lower <= 1e-6 * most.upper);
}

/* Laplace noise, whose losses end in atoms on no lattice: the interval is narrow, and a convolution of our own has the given delta there. */
static void laplace_training_agrees_with_a_convolution(void **state) {
    (void)state;
    static const double scale[] = {1, 3};
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (size_t i = 0; i < 2; i++) {
        dpn_law law;
        dpn_part part = {.times = 1};
        dpn_epsilon e;
        dpn_error why;
        assert_int_equal(dpn_law_make(&law, "laplace", &scale[i], 1, NULL), DPN_OK);
        assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
        dpn_step step = {&part, 1, 0.01, 1000};
        if (dpn_sampling_epsilon(&e, workspace, &step, 1, 1e-6, NULL, &why)) fail_msg("%s", why.sentence);
        phase p = {1 / scale[i], 0.01, 1000, true};
        double delta = 0;
        for (int absent = 0; absent < 2; absent++)
            delta = fmax(delta, by_convolution(absent, &p, 1, 18, 16 / scale[i], 0.5 * (e.lower + e.upper)));
        if (!(e.upper - e.lower <= 1e-6 && fabs(delta - 1e-6) <= 1e-10))
            fail_msg("scale %g: [%.10g, %.10g], there delta is %.10g", scale[i], e.lower, e.upper, delta);
    }
    dpn_workspace_free(workspace);
}

/* The two engines answer with intervals that meet, also at negative epsilon. */
static void engines_meet(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_part part[2] = {gaussian_part(1), gaussian_part(2.5)};
    dpn_step step[2] = {{&part[0], 1, 0.02, 60}, {&part[1], 1, 0.1, 40}};
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (double epsilon = -1; epsilon < 2.1; epsilon += 0.5) {
        dpn_delta delta[2];
        for (int i = 0; i < 2; i++) {
            dpn_accounting_options options = dpn_accounting_options_init();
            options.method = i ? DPN_METHOD_FFT : DPN_METHOD_CONTOUR;
            dpn_error why;
            if (dpn_sampling_delta(&delta[i], workspace, step, 2, epsilon, &options, &why))
                fail_msg("%s", why.sentence);
        }
        if (!(delta[0].lower <= delta[1].upper && delta[1].lower <= delta[0].upper))
            fail_msg("epsilon %g: [%.12g, %.12g] by contour, [%.12g, %.12g] by FFT", epsilon, delta[0].lower,
                     delta[0].upper, delta[1].lower, delta[1].upper);
    }
    dpn_workspace_free(workspace);
}

/* Where no engine reaches the accuracy the interval is wider, and holds the truth: the binomial sum of randomised response, whose atoms lie
 * on no lattice, with its own two values (1-q+q e^e and 1-q+q e^-e in the logarithm). */
static void wide_intervals_hold_the_truth(void **state) {
    (void)state;
    enum { STEPS = 1000 };
    const double rate = 0.01;
    dpn_workspace *workspace;
    dpn_part part = {.times = 1};
    assert_int_equal(dpn_loss_pure(&part.loss, 1, NULL), DPN_OK);
    dpn_step step = {&part, 1, rate, STEPS};
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    long double one = expl(1) / (1 + expl(1)), high = log1pl(rate * expm1l(1)), low = log1pl(rate * expm1l(-1));
    long double p = rate * one + (1 - rate) * (1 - one);
    for (double epsilon = 0.5; epsilon < 5; epsilon += 0.5) {
        long double truth = 0;
        for (int k = 0; k <= STEPS; k++) {
            long double loss = k * high + (STEPS - k) * low;
            if (loss > epsilon)
                truth += expl(lgammal(STEPS + 1) - lgammal(k + 1) - lgammal(STEPS - k + 1) + k * logl(p) +
                              (STEPS - k) * log1pl(-p)) *
                         -expm1l(epsilon - loss);
        }
        dpn_delta delta;
        dpn_error why;
        if (dpn_sampling_delta(&delta, workspace, &step, 1, epsilon, NULL, &why)) fail_msg("%s", why.sentence);
        if (!(delta.lower <= truth * (1 + 1e-12L) && truth * (1 - 1e-12L) <= delta.upper && delta.upper < 1000 * truth))
            fail_msg("epsilon %g: [%.12g, %.12g], truth %.12Lg", epsilon, delta.lower, delta.upper, truth);
    }
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cumulants_are_binomial_sums),
        cmocka_unit_test(cumulants_between_the_ends),
        cmocka_unit_test(transforms_are_within_their_errors),
        cmocka_unit_test(nodes_are_sums_over_the_points),
        cmocka_unit_test(one_step_is_closed),
        cmocka_unit_test(everybody_is_one_gaussian),
        cmocka_unit_test(training_agrees_with_a_convolution),
        cmocka_unit_test(ordinary_settings_are_answered),
        cmocka_unit_test(laplace_training_agrees_with_a_convolution),
        cmocka_unit_test(engines_meet),
        cmocka_unit_test(wide_intervals_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
