/* The contour sum: against closed forms, exact sums, tabulated values and nested integrals. In every comparison the
 * interval must contain the truth and be as narrow as asked.
 *
 * Environment: DPN_LONG=1 takes many more random compositions.
 */
#include "case.h"
#include "nested.h"
#include "privacy/compose/contour.h"

#include "reference/draw.h"

#include "unit/points.h"

#include <cerf.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#define AMPLE 3e8 /* work: seconds at most */

static dpn_law law_of(const char *text) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why)) fail_msg("%s", why.sentence);
    return law;
}

static dpn_part part_of(const char *text, double shift, uint64_t times) {
    dpn_part part = {.times = times};
    dpn_law law = law_of(text);
    dpn_error why;
    if (dpn_loss_law(&part.loss, &law, shift, &why)) fail_msg("%s", why.sentence);
    return part;
}

static dpn_part pure_part(double epsilon, uint64_t times) {
    dpn_part part = {.times = times};
    if (dpn_loss_pure(&part.loss, epsilon, NULL)) fail();
    return part;
}

static dpn_delta delta_within(const dpn_part *part, size_t parts, double epsilon, double accuracy) {
    dpn_delta delta;
    dpn_error why;
    if (dpn_contour_delta(&delta, part, parts, epsilon, accuracy, 0, AMPLE, &why))
        fail_msg("epsilon %g: %s", epsilon, why.sentence);
    if (!(delta.log_upper - delta.log_lower <= accuracy || delta.upper == 0)) fail_msg("epsilon %g: too wide", epsilon);
    if (!(delta.lower <= exp(delta.log_lower) && delta.upper >= exp(delta.log_upper) && delta.upper <= 1))
        fail_msg("epsilon %g: the interval and its logarithms differ", epsilon);
    return delta;
}

static dpn_delta delta_of(const dpn_part *part, size_t parts, double epsilon) {
    return delta_within(part, parts, epsilon, 1e-6);
}

/* The truth is known up to a relative error. */
static void contains(const char *what, dpn_delta delta, double log_truth, double error) {
    if (!(delta.log_lower <= log_truth + error && delta.log_upper >= log_truth - error))
        fail_msg("%s: [%.15g, %.15g] does not contain %.15g, relative to %.3g", what, delta.log_lower, delta.log_upper,
                 log_truth, delta.log_upper - delta.log_lower);
}

/* ---- Gaussian noise, in closed form ---- */

static const double copies[] = {1, 2, 20, 1e3, 1e6, 1e9};
static const double targets[] = {0.999, 0.5, 0.1, 1e-3, 1e-6, 1e-10, 1e-30, 1e-100, 1e-250};

/* n releases of sensitivity/sigma = total/sqrt(n), as Gaussian noise and, to test the rules, as OSGT noise with so
 * small an m that it cannot be told from Gaussian noise. */
static void gaussian_compositions(const char *format, double slack) {
    double widest = 0;
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        for (size_t j = 0; j < sizeof targets / sizeof *targets; j++)
            for (int k = 0; k < 2; k++) {
                double sigma = sqrt(copies[i]) / (k ? 5 : 0.8), total = k ? 5 : 0.8;
                char text[96];
                snprintf(text, sizeof text, format, sigma);
                dpn_law unit = law_of("gaussian(sigma=1)");
                dpn_epsilon epsilon;
                dpn_delta truth;
                dpn_part part = part_of(text, 1, (uint64_t)copies[i]);
                if (dpn_profile_epsilon(&epsilon, &unit, total, targets[j], NULL)) fail();
                if (epsilon.upper == 0) continue;
                /* The sensitivity of all copies together, exactly as the doubles say. */
                double exact = sqrt(copies[i]) / sigma;
                if (dpn_profile_delta(&truth, &unit, exact, epsilon.upper, NULL)) fail();
                dpn_delta delta = delta_of(&part, 1, epsilon.upper);
                char what[160];
                snprintf(what, sizeof what, "%s x %g at epsilon %.17g", text, copies[i], epsilon.upper);
                double rounding = 1e-15 * (1 + 10 * fabs(truth.log_upper));
                contains(what, delta, truth.log_lower, slack + rounding);
                contains(what, delta, truth.log_upper, slack + rounding);
                widest = fmax(widest, delta.log_upper - delta.log_lower);
            }
    print_message("# widest upper/lower - 1: %.1e\n", widest);
    assert_true(widest < 1e-7);
}

static void gaussian_noise(void **state) {
    (void)state;
    gaussian_compositions("gaussian(sigma=%.17g)", 0);
}

/* At m/sigma = 1e-17 the OSGT law has P-masses within 1e-17 of the Gaussian ones. */
static void almost_gaussian_noise(void **state) {
    (void)state;
    double widest = 0;
    for (size_t i = 1; i < sizeof copies / sizeof *copies; i++) {
        double sigma = sqrt(copies[i]);
        char text[96];
        snprintf(text, sizeof text, "osgt(m=%.17g,sigma=%.17g)", 1e-17 * sigma, sigma);
        dpn_part almost = part_of(text, 1, (uint64_t)copies[i]);
        snprintf(text, sizeof text, "gaussian(sigma=%.17g)", sigma);
        dpn_part gaussian = part_of(text, 1, (uint64_t)copies[i]);
        for (double epsilon = -1; epsilon < 34; epsilon += 3.7) {
            dpn_delta one = delta_of(&almost, 1, epsilon), two = delta_of(&gaussian, 1, epsilon);
            contains(text, one, 0.5 * (two.log_lower + two.log_upper), two.log_upper - two.log_lower);
            widest = fmax(widest, one.log_upper - one.log_lower);
        }
    }
    print_message("# widest upper/lower - 1: %.1e\n", widest);
}

/* Huber noise with alpha = 30 gamma: its atoms weigh less than 1e-180, and their powers are no doubles. */
static void atoms_that_underflow(void **state) {
    (void)state;
    for (uint64_t times = 2; times < 5; times++) {
        dpn_part huber = part_of("huber(alpha=60,gamma=2)", 1, times),
                 gaussian = part_of("gaussian(sigma=2)", 1, times);
        for (double epsilon = 0.5; epsilon < 4; epsilon += 0.7) {
            dpn_delta one = delta_of(&huber, 1, epsilon), two = delta_of(&gaussian, 1, epsilon);
            contains("huber", one, 0.5 * (two.log_lower + two.log_upper), two.log_upper - two.log_lower);
        }
    }
}

/* epsilon far below the mean loss: the middle line, where delta is near 1; and negative epsilon. */
static void delta_near_one(void **state) {
    (void)state;
    for (double total = 8; total < 40; total *= 2) /* 1 - delta = Q(-z) + phi(z) M(z + total) with the Mills ratio M */
        for (double z = -7; z < 2; z += 0.9) {
            double epsilon = 0.5 * total * total + z * total, root = sqrt(2);
            dpn_part part = part_of("gaussian(sigma=16)", 16 * total, 1);
            double rest = 0.5 * erfc(-z / root) + exp(-0.5 * z * z) * 0.5 * erfcx((z + total) / root);
            contains("middle line", delta_of(&part, 1, epsilon), log1p(-rest), 1e-14);
        }
    dpn_part part = part_of("flipped-huber(alpha=1,gamma=3)", 2, 7);
    for (double epsilon = 0.05; epsilon < 30; epsilon *= 2) {
        dpn_delta right = delta_of(&part, 1, epsilon), left = delta_of(&part, 1, -epsilon);
        contains("reflection", left, log(-expm1(-epsilon) + exp(-epsilon) * right.lower), 1e-9);
    }
}

/* ---- values from elsewhere ---- */

static void tabulated_values(void **state) {
    (void)state;
    const char *root = getenv("DPN_SOURCE_ROOT");
    char path[1024], line[512], function[64], law[128];
    snprintf(path, sizeof path, "%s/tests/vectors/privacy-composition.csv", root ? root : ".");
    FILE *table = fopen(path, "r");
    if (!table) fail_msg("%s is not there", path);
    int rows = 0;
    while (fgets(line, sizeof line, table)) {
        double shift, times, epsilon, delta, tolerance;
        if (line[0] == '#') continue;
        if (sscanf(line, "%63[^;];%127[^;];%lf;%lf;%lf;%lf;%lf", function, law, &shift, &times, &epsilon, &delta,
                   &tolerance) != 7)
            fail_msg("cannot read: %s", line);
        dpn_part part = part_of(law, shift, (uint64_t)times);
        dpn_delta got = delta_of(&part, 1, epsilon);
        if (!(fabs(0.5 * (got.log_lower + got.log_upper) - log(delta)) <= tolerance + got.log_upper - got.log_lower))
            fail_msg("%s: got %.12g to %.12g", line, got.lower, got.upper);
        rows++;
    }
    fclose(table);
    assert_int_equal(rows, 27);
}

/* ---- exact sums ---- */

/* P(k of n at +epsilon) = C(n,k) e^(k epsilon)/(1 + e^epsilon)^n. */
static double binomial_delta(double atom, int n, double epsilon) {
    double sum = 0;
    for (int k = 0; k <= n; k++) {
        double loss = (2 * k - n) * atom;
        if (loss > epsilon)
            sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * atom - n * log1p(exp(atom))) *
                   -expm1(epsilon - loss);
    }
    return sum;
}

static void pure_losses(void **state) {
    (void)state;
    static const double atoms[] = {0.01, 0.1, 1, 3};
    static const int many[] = {1, 2, 7, 50, 1000, 30000};
    static const double places[] = {-5, -1, 0, 0.7, 2, 4, 9};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 6; j++)
            for (size_t k = 0; k < 7; k++) {
                int n = many[j];
                double atom = atoms[i], epsilon = n * atom * tanh(0.5 * atom) + places[k] * atom * sqrt(n);
                if (epsilon < 0 || epsilon >= n * atom) continue;
                dpn_part part = pure_part(atom, (uint64_t)n);
                char what[80];
                snprintf(what, sizeof what, "pure(%g) x %d at %.17g", atom, n, epsilon);
                contains(what, delta_of(&part, 1, epsilon), log(binomial_delta(atom, n, epsilon)), 1e-13 + 2e-15 * n);
            }
    /* Two lattices, one twice as fine as the other. */
    dpn_part two[2] = {pure_part(0.25, 3), pure_part(0.5, 2)};
    for (double epsilon = 0; epsilon < 1.7; epsilon += 0.13) {
        double sum = 0;
        for (int i = 0; i < 32; i++) {
            double loss = 0, mass = 1;
            for (int j = 0; j < 5; j++) {
                double atom = j < 3 ? 0.25 : 0.5, sign = (i >> j) & 1 ? 1 : -1;
                loss += sign * atom;
                mass /= 1 + exp(-sign * atom);
            }
            sum += loss > epsilon ? mass * -expm1(epsilon - loss) : 0;
        }
        contains("two lattices", delta_of(two, 2, epsilon), log(sum), 1e-13);
    }
}

/* On the integers, two copies term by term, and one copy by its profile. */
static void integer_noise(void **state) {
    (void)state;
    enum { INTEGER = 5 };
    static const char *const texts[] = {
        "discrete-gaussian(sigma=0.6)", "discrete-gaussian(sigma=3)",
        "discrete-gaussian(sigma=8.5)", "discrete-laplace(scale=3)",
        "discrete-laplace(scale=0.4)",  "staircase(epsilon=0.7,sensitivity=0.9,gamma=0.3)"};
    for (size_t i = 0; i < INTEGER; i++)
        for (double shift = 1; shift <= 3; shift++)
            for (double place = -0.5; place < 5; place += 0.8) {
                dpn_law law = law_of(texts[i]);
                dpn_part part = part_of(texts[i], shift, 2);
                double unit = shift / sqrt(dpn_law_variance(&law)), epsilon = place * unit, sum = 0;
                for (int a = -90; a <= 90; a++)
                    for (int b = -90; b <= 90; b++) {
                        double loss = dpn_privacy_loss(&law, shift, a) + dpn_privacy_loss(&law, shift, b);
                        if (loss > epsilon) sum += dpn_law_pdf(&law, a) * dpn_law_pdf(&law, b) * -expm1(epsilon - loss);
                    }
                if (sum < 1e-200) continue;
                contains(texts[i], delta_of(&part, 1, epsilon), log(sum), 1e-12);
                part.times = 1;
                dpn_delta one;
                if (dpn_profile_delta(&one, &law, shift, epsilon, NULL)) fail();
                if (one.lower > 0)
                    contains(texts[i], delta_of(&part, 1, epsilon), 0.5 * (one.log_lower + one.log_upper), 1e-12);
            }
    /* One copy of a staircase at a sensitivity that is not its own. */
    for (double shift = 0.2; shift < 5; shift += 0.37)
        for (double epsilon = -1; epsilon < 3; epsilon += 0.31) {
            dpn_law law = law_of(texts[INTEGER]);
            dpn_part part = part_of(texts[INTEGER], shift, 1);
            dpn_delta truth;
            if (dpn_profile_delta(&truth, &law, shift, epsilon, NULL)) fail();
            if (truth.upper == 0) {
                assert_true(delta_of(&part, 1, epsilon).upper == 0);
                continue;
            }
            contains(texts[INTEGER], delta_of(&part, 1, epsilon), 0.5 * (truth.log_lower + truth.log_upper), 1e-12);
        }
}

/* An explicit loss, not symmetric and with both kinds of infinite mass, beside Gaussian noise: a mixture of Gaussian
 * profiles. */
static void explicit_losses(void **state) {
    (void)state;
    static const double value[] = {-0.7, 0.1, 0.9, INFINITY}, probability[] = {0.125, 0.5, 0.25, 0.125};
    dpn_part part[2] = {{.times = 2}, part_of("gaussian(sigma=2)", 1, 3)};
    dpn_law unit = law_of("gaussian(sigma=2)");
    if (dpn_loss_explicit(&part[0].loss, value, probability, 4, NULL)) fail();
    for (double epsilon = -6; epsilon < 9; epsilon += 0.57) {
        double sum = 1 - 0.875 * 0.875;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                dpn_delta one;
                if (dpn_profile_delta(&one, &unit, sqrt(3), epsilon - value[i] - value[j], NULL)) fail();
                sum += probability[i] * probability[j] * 0.5 * (one.lower + one.upper);
            }
        contains("explicit", delta_of(part, 2, epsilon), log(sum), 1e-12);
    }
}

/* An explicit loss may have a little more than the mass 1 under Q, as rounding leaves it. A thousand copies have a thousand times as much, which the lower
 * end at an epsilon far below 0 must not take for privacy. */
static void a_surplus_is_no_privacy(void **state) {
    (void)state;
    enum { TIMES = 1000 };
    const double value[] = {-0.01, 0.01}, even = 1 / (1 + exp(-0.01)), high = even - 0.95e-12 / (2 * sinh(0.01)),
                 probability[] = {1 - high, high}, epsilon = -4;
    dpn_part part[2] = {{.times = TIMES}, part_of("gaussian(sigma=10)", 1, 1)};
    dpn_law unit = law_of("gaussian(sigma=10)");
    if (dpn_loss_explicit(&part[0].loss, value, probability, 2, NULL)) fail();
    long double truth = 0, log_term = TIMES * logl(1 - (long double)high);
    for (int k = 0; k <= TIMES; k++) {
        dpn_delta one;
        if (dpn_profile_delta(&one, &unit, 1, epsilon - (2 * k - TIMES) * 0.01, NULL)) fail();
        truth += expl(log_term) * 0.5L * ((long double)one.lower + one.upper);
        log_term += logl((TIMES - k) * (long double)high / ((k + 1) * (1 - (long double)high)));
    }
    dpn_delta delta = delta_within(part, 2, epsilon, 1e-9);
    if (!(delta.lower <= truth * (1 + 3e-12L) && truth <= delta.upper * (1 + 3e-12L)))
        fail_msg("%.17g to %.17g, not %.17Lg", delta.lower, delta.upper, truth);
}

/* Truncated Laplace noise: from the largest loss on only the infinite mass is left. */
static void infinite_losses(void **state) {
    (void)state;
    dpn_law law = law_of("truncated-laplace(scale=2,bound=11)");
    dpn_part part = part_of("truncated-laplace(scale=2,bound=11)", 1, 6);
    double infinite = -expm1(6 * log1p(-dpn_law_sf(&law, 10)));
    contains("beyond", delta_of(&part, 1, 3), log(infinite), 1e-13);
    contains("far beyond", delta_of(&part, 1, 40), log(infinite), 1e-13);
    assert_true(delta_of(&part, 1, 2.9).lower > infinite);
    dpn_part bounded = part_of("laplace(scale=10)", 1, 10);
    assert_true(delta_of(&bounded, 1, 1).upper == 0); /* ten times 1/10 is 1, whatever the rounding */
    assert_true(delta_of(&bounded, 1, 0.99).lower > 0);
}

/* ---- random compositions against nested integrals ---- */

static void draw_loss(nested_loss *loss, dpn_part *part, draw_source *source) {
    double scale = draw_log_uniform(source, 0.1, 10), ratio = draw_log_uniform(source, 0.05, 5);
    char text[128];
    switch (draw_bits(source) % 7) {
    case 0:
        snprintf(text, sizeof text, "gaussian(sigma=%.17g)", scale);
        break;
    case 1:
        snprintf(text, sizeof text, "laplace(scale=%.17g)", scale);
        break;
    case 2:
        snprintf(text, sizeof text, "flipped-huber(alpha=%.17g,gamma=%.17g)", ratio * scale, scale);
        break;
    case 3:
        snprintf(text, sizeof text, "osgt(m=%.17g,sigma=%.17g)", ratio * scale, scale);
        break;
    case 4:
        snprintf(text, sizeof text, "huber(alpha=%.17g,gamma=%.17g)", ratio * scale, scale);
        break;
    case 5:
        snprintf(text, sizeof text, "truncated-laplace(scale=%.17g,bound=%.17g)", scale,
                 scale * draw_uniform(source, 3, 30));
        break;
    default:
        snprintf(text, sizeof text, "logistic(scale=%.17g)", scale);
    }
    *part = part_of(text, scale * draw_log_uniform(source, 0.05, 3), 1);
    *loss = (nested_loss){part->loss.law, part->loss.sensitivity};
}

static void random_compositions(size_t count, int trials, uint64_t seed, double work) {
    draw_source source = {seed};
    int reached = 0;
    double farthest = 0;
    for (int i = 0; i < trials; i++) {
        nested_loss loss[3];
        dpn_part part[3];
        double unit = 0;
        bool same = draw_chance(&source, 0.5);
        for (size_t j = 0; j < count; j++) {
            if (j > 0 && same)
                loss[j] = loss[0], part[j] = part[0];
            else
                draw_loss(&loss[j], &part[j], &source);
            unit += loss[j].shift / sqrt(dpn_law_variance(&loss[j].law));
        }
        if (same) part[0].times = count;
        double epsilon =
            unit * (draw_chance(&source, 0.75) ? draw_uniform(&source, -0.5, 3) : draw_uniform(&source, 0, 10));
        dpn_delta delta;
        dpn_error why;
        dpn_status status = dpn_contour_delta(&delta, part, same ? 1 : count, epsilon, 1e-6, 0, work, &why);
        if (status == DPN_EACCURACY) continue;
        if (status) fail_msg("%s", why.sentence);
        reached++;
        if (delta.upper == 0) continue;
        double truth = nested_delta(loss, count, epsilon, fmax(1e-10 * delta.upper, 1e-300), 1e-9);
        if (!(truth >= delta.lower * (1 - 2e-9) && truth <= delta.upper * (1 + 2e-9) &&
              delta.log_upper - delta.log_lower <= 1e-6)) {
            char a[DPN_LAW_TEXT_SIZE], b[DPN_LAW_TEXT_SIZE];
            fail_msg("%s at %.17g, %s at %.17g, epsilon %.17g: [%.12g, %.12g], truth %.12g",
                     dpn_law_print(a, &loss[0].law), loss[0].shift, dpn_law_print(b, &loss[1].law), loss[1].shift,
                     epsilon, delta.lower, delta.upper, truth);
        }
        if (delta.lower > 0) farthest = fmax(farthest, fabs(log(truth) - 0.5 * (delta.log_lower + delta.log_upper)));
    }
    print_message("# %d of %d reached; farthest from the middle %.1e\n", reached, trials, farthest);
    assert_true(3 * reached > trials);
}

static void pairs_at_random(void **state) {
    (void)state;
    random_compositions(2, points(120, 1200), 21, 3e6);
}

static void triples_at_random(void **state) {
    (void)state;
    random_compositions(3, points(6, 60), 22, 3e6);
}

/* ---- powers ---- */

static const double powers[] = {1.05, 1.5, 1.9, 2.1, 3, 6};

static dpn_part power_part(double p, double shift, uint64_t times) {
    char text[64];
    snprintf(text, sizeof text, "subbotin(p=%.17g,scale=1)", p);
    return part_of(text, shift, times);
}

/* Beside other noise, whose profile is the innermost, against nested integrals; at length also two copies. Those of p = 6 take
 * 44000 nodes of 150000 points for the usual accuracy, seven times AMPLE, and are asked for less. */
static void powers_nested(void **state) {
    (void)state;
    static const char *const others[] = {"gaussian(sigma=2)", "gaussian(sigma=0.7)", "gaussian(sigma=5)"};
    double farthest = 0;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        for (int j = 0; j < (points(3, 4)); j++) {
            bool same = j == 3;
            double shift = 0.3 + 0.4 * j, epsilon = 0.5 + 0.5 * j;
            dpn_part part[2] = {power_part(powers[i], shift, same ? 2 : 1), part_of(others[j % 3], 1, 1)};
            nested_loss loss[2] = {{part[!same].loss.law, part[!same].loss.sensitivity}, {part[0].loss.law, shift}};
            dpn_delta delta = delta_within(part, same ? 1 : 2, epsilon, same && powers[i] > 5 ? 1e-4 : 1e-6);
            double truth = log(nested_delta(loss, 2, epsilon, 1e-10 * delta.upper, 1e-9));
            contains("powers nested", delta, truth, 3e-9);
            farthest = fmax(farthest, fabs(truth - 0.5 * (delta.log_lower + delta.log_upper)));
        }
    print_message("# farthest from the middle %.1e\n", farthest);
}

/* Near p = 1 the tilted losses lie close together: few points, however large the frequency. The deltas stand beside those of a
 * finer sum, and fall towards that of Laplace noise, which is 0. */
static void powers_near_one_take_little_work(void **state) {
    (void)state;
    static const double near[] = {1.01, 1.003, 1.001, 1.0006, 1.0005, 1.0003};
    double before = 1;
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        char text[80];
        snprintf(text, sizeof text, "subbotin(p=%.17g,scale=3)", near[i]);
        dpn_part part = part_of(text, 1, 3);
        dpn_delta brief;
        dpn_error why;
        if (dpn_contour_delta(&brief, &part, 1, 1, 1e-4, 0, 2e6, &why)) fail_msg("%s: %s", text, why.sentence);
        dpn_delta fine = delta_of(&part, 1, 1);
        if (!(brief.lower <= fine.upper && fine.lower <= brief.upper)) fail_msg("%s: the two sums differ", text);
        if (!(fine.upper < before)) fail_msg("%s: delta does not fall", text);
        before = fine.lower;
    }
}

/* Many copies against the FFT, which knows the profile alone. */
static void powers_by_fft(void **state) {
    (void)state;
    dpn_workspace *workspace;
    if (dpn_workspace_new(&workspace)) fail();
    const dpn_accounting_options options = {
        .size = sizeof(dpn_accounting_options), .method = DPN_METHOD_FFT, .accuracy = 1e-4};
    int reached = 0;
    for (size_t i = (size_t)points(3, 0); i < sizeof powers / sizeof *powers; i += (size_t)points(2, 1)) {
        dpn_part part = power_part(powers[i], 0.1, 28);
        dpn_delta fft;
        dpn_error why;
        if (dpn_compose_delta(&fft, workspace, &part, 1, 1, &options, &why)) continue;
        dpn_delta delta = delta_of(&part, 1, 1);
        if (!(delta.lower <= fft.upper && delta.upper >= fft.lower))
            fail_msg("p %g: [%.12g, %.12g], FFT [%.12g, %.12g]", powers[i], delta.lower, delta.upper, fft.lower,
                     fft.upper);
        reached++;
    }
    dpn_workspace_free(workspace);
    assert_true(reached > 0);
}

/* As p goes to 2 or 1 delta goes to that of the Gaussian and of the Laplace law; p = 1 and p = 2 are those. */
static void powers_have_limits(void **state) {
    (void)state;
    static const char *const law[] = {"laplace(scale=1)", "gaussian(sigma=1)"};
    for (int p = 1; p <= 2; p++)
        for (uint64_t n = 20; n <= 20000; n *= 1000) {
            dpn_part limit = part_of(law[p - 1], 0.5, n), exact = power_part(p, 0.5, n);
            double epsilon = 0.125 * (double)n + 0.6 * sqrt((double)n);
            double truth = 0.5 * (delta_of(&limit, 1, epsilon).log_lower + delta_of(&limit, 1, epsilon).log_upper);
            contains("power 1 or 2", delta_of(&exact, 1, epsilon), truth, 1e-9);
            double last = INFINITY;
            for (double h = p == 1 ? 0.03 : 1e-2; h > (p == 1 ? 0.01 : 1e-7); h *= p == 1 ? 0.5 : 0.1) {
                dpn_part near = power_part(p + h, 0.5, n);
                dpn_delta delta = delta_of(&near, 1, epsilon);
                double gap = fabs(0.5 * (delta.log_lower + delta.log_upper) - truth) / h;
                assert_true(gap > 0 && gap < 1.3 * last);
                last = gap;
            }
        }
}

/* ---- what cannot be had ---- */

/* Losses with atoms off every lattice: refused, and soon. */
static void refuses_soon(void **state) {
    (void)state;
    static const double value[] = {-0.5, 0.30000001, 0.9}, probability[] = {0.1, 0.5, 0.4};
    dpn_part part = {.times = 1000};
    dpn_delta delta = {7, 7, 7, 7};
    dpn_error why;
    if (dpn_loss_explicit(&part.loss, value, probability, 3, NULL)) fail();
    assert_int_equal(dpn_contour_delta(&delta, &part, 1, 480, 1e-6, 0, 1e6, &why), DPN_EACCURACY);
    assert_true(delta.upper == 7);
    part = part_of("subbotin(p=20.5,scale=1)", 1, 3);
    assert_int_equal(dpn_contour_delta(&delta, &part, 1, 1, 1e-6, 0, 1e6, &why), DPN_EUNSUPPORTED);
    part = part_of("subbotin(p=1.0001,scale=1)", 0.01, 1); /* delta = exp(-exp(thousands)) */
    assert_int_equal(dpn_contour_delta(&delta, &part, 1, 0.04, 1e-6, 0, 1e6, &why), DPN_EACCURACY);
    part = part_of("gaussian(sigma=1)", 1, 1);
    assert_int_equal(dpn_contour_delta(&delta, &part, 1, 1, 1e-16, 0, 1e6, &why), DPN_EACCURACY);
    assert_true(delta.upper == 7);
}

/* The loss of a staircase depends on shift/period alone, and powers of two scale without rounding: the same answers, and the same
 * refusals of a shift that has too many steps, in every unit. */
static void staircases_have_no_unit(void **state) {
    (void)state;
    static const double shift[] = {0.7, 3, 40.5, 1500}, unit[] = {0x1p-30, 1, 0x1p12};
    dpn_delta delta[3];
    for (size_t i = 0; i < sizeof shift / sizeof *shift; i++) {
        for (int u = 0; u < 3; u++) {
            char text[100];
            snprintf(text, sizeof text, "staircase(epsilon=0.125,sensitivity=%.17g,gamma=0.375)", unit[u]);
            dpn_part part = part_of(text, shift[i] * unit[u], 2);
            dpn_status status = dpn_contour_delta(&delta[u], &part, 1, 0.1, 1e-6, 0, AMPLE, NULL);
            assert_int_equal(status, shift[i] > 1000 ? DPN_EACCURACY : DPN_OK);
            if (!status) assert_true(delta[u].lower == delta[0].lower && delta[u].upper == delta[0].upper);
        }
    }
}

/* The profile of Gaussian noise at sensitivity/sigma = mu. */
static double gaussian_profile(double mu, double epsilon) {
    double x = (epsilon / mu - mu / 2) / sqrt(2), y = (epsilon / mu + mu / 2) / sqrt(2);
    if (x > 0) return 0.5 * exp(-x * x) * (erfcx(x) - erfcx(y));
    return 0.5 * (erfc(x) - exp(epsilon) * erfc(y));
}

/* Laplace noise beside Gaussian noise that is wide: its atoms are blurred by little, so that the transform falls as slowly as theirs, but they
 * are no atoms. delta is the mean of the Gaussian profile at epsilon less the loss of the Laplace noise: at +-d/b with its atoms, (d - 2 t)/b for t between 0
 * and d. */
static void atoms_blurred_by_little(void **state) {
    (void)state;
    static const double mus[] = {0.03, 0.01, 0.003}, moves[] = {0.5, 1};
    enum { PANELS = 20000 };
    for (int i = 0; i < 6; i++) {
        char text[64];
        double mu = mus[i % 3], d = moves[i / 3], b = 2;
        snprintf(text, sizeof text, "gaussian(sigma=%.17g)", 1 / mu);
        dpn_part part[2] = {part_of("laplace(scale=2)", d, 1), part_of(text, 1, 1)};
        for (int k = -2; k <= 4; k++) {
            double epsilon = k > 2 ? (0.3 * k - 0.8) * d / b : d / b + k * mu,
                   sum = 0.5 * gaussian_profile(mu, epsilon - d / b) +
                         0.5 * exp(-d / b) * gaussian_profile(mu, epsilon + d / b);
            for (int j = 0; j < PANELS; j++) {
                double t = (j + 0.5) * d / PANELS;
                sum += d / PANELS * exp(-t / b) / (2 * b) * gaussian_profile(mu, epsilon - (d - 2 * t) / b);
            }
            dpn_delta got = delta_within(part, 2, epsilon, 1e-6);
            if (!(got.lower <= sum * (1 + 1e-6) && got.upper >= sum * (1 - 1e-6)))
                fail_msg("mu %g, move %g, epsilon %.17g: [%.9g, %.9g], truth %.9g", mu, d, epsilon, got.lower,
                         got.upper, sum);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian_noise),
        cmocka_unit_test(almost_gaussian_noise),
        cmocka_unit_test(atoms_that_underflow),
        cmocka_unit_test(delta_near_one),
        cmocka_unit_test(tabulated_values),
        cmocka_unit_test(pure_losses),
        cmocka_unit_test(integer_noise),
        cmocka_unit_test(explicit_losses),
        cmocka_unit_test(a_surplus_is_no_privacy),
        cmocka_unit_test(infinite_losses),
        cmocka_unit_test(atoms_blurred_by_little),
        cmocka_unit_test(pairs_at_random),
        cmocka_unit_test(triples_at_random),
        cmocka_unit_test(powers_nested),
        cmocka_unit_test(powers_near_one_take_little_work),
        cmocka_unit_test(powers_by_fft),
        cmocka_unit_test(powers_have_limits),
        cmocka_unit_test(refuses_soon),
        cmocka_unit_test(staircases_have_no_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
