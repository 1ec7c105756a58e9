/* Private training on a seeded log-uniform sample of settings, those of bench/sampling.c: sigma 0.4 to 20, rate 1e-5 to 1, steps 1 to 10^6, delta
 * 1e-12 to 1e-3. Each answer is held against a convolution on a grid that shares nothing with the contour sum.
 *
 * The convolution. The noise of one step is taken at many points, and the mass of each is shared among the four points of a grid around its
 * loss by Lagrange's weights, so that moments up to the third are kept: an error of the fourth order in the step h of the grid, of the
 * second from the kink of (1 - e^(epsilon - loss))_+. With D of the step h and D' of 2h the truth is within 3|D' - D| of D, also where
 * losses are smaller than h and the order is less. The masses are tilted
 * by e^(theta loss), or small deltas would drown in rounding. A loss beyond epsilon plus the most that all other steps can take away ends
 * above epsilon whatever they do: these cases are counted exactly, by probabilities of none.
 *
 * Environment: DPN_LONG=1 takes 1000 settings.
 */
#include "plain-fft.h"

#include "unit/points.h"

#include <dpnoise/sampling.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

typedef struct setting {
    double sigma, rate, steps, delta;
} setting;

/* ---- one step ---- */

static double present_loss(const setting *s, double t) {
    double c = 1 / s->sigma, u = c * (t - c / 2), v = s->rate * expm1(u);
    return v > -0.5 ? log1p(v) : log((1 - s->rate) + s->rate * exp(u));
}

static double noise_at(const setting *s, double present) { /* where the loss of present against absent is this */
    double c = 1 / s->sigma, e = expm1(present) + s->rate;
    return e > 0 ? log(e / s->rate) / c + c / 2 : -INFINITY;
}

static double tail(double t) {
    return 0.5 * erfc(t / sqrt(2));
}

typedef struct grid {
    size_t count;
    double h;
    double complex *mass; /* at index i, modulo count, losses i h */
} grid;

/* Share a mass among the points around its loss. */
static void share_out(grid *g, double loss, double mass) {
    double index = floor(loss / g->h), x = loss / g->h - index, modulo = (double)g->count;
    const double weight[4] = {-x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2, -(x + 1) * x * (x - 2) / 2,
                              (x + 1) * x * (x - 1) / 6};
    size_t first = (size_t)(index - 1 - modulo * floor((index - 1) / modulo));
    for (size_t k = 0; k < 4; k++) g->mass[(first + k) % g->count] += weight[k] * mass;
}

/* The masses of one step up to the noise `most`, tilted. */
static void fill(grid *g, const setting *s, bool absent, double most, double theta) {
    static const double node[] = {-0.906179845938664, -0.538469310105683, 0, 0.538469310105683, 0.906179845938664};
    static const double weight[] = {0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366,
                                    0.236926885056189};
    for (size_t i = 0; i < g->count; i++) g->mass[i] = 0;
    int panels = (int)ceil((most + 13) / 0.004);
    double half = 0.5 * (most + 13) / panels;
    for (int k = 0; k < 5 * panels; k++) {
        double t = -13 + half * (2 * (k / 5) + 1 + node[k % 5]), L = present_loss(s, t), loss = absent ? -L : L;
        double exponent = -0.5 * t * t + (absent ? 0 : L) + theta * loss;
        share_out(g, loss, half * weight[k % 5] * 0.3989422804014327 * exp(exponent));
    }
}

/* ---- all steps ---- */

/* log of E e^(theta loss) of one step up to `most`, and mean and variance under that tilt, by a plain sum over the noise. */
static double moments(const setting *s, bool absent, double most, double theta, double *mean, double *variance) {
    double sum = 0, first = 0, second = 0, top = -INFINITY;
    for (int pass = 0; pass < 2; pass++)
        for (double t = -13; t < most; t += 0.01) {
            double L = present_loss(s, t), loss = absent ? -L : L;
            double exponent = -0.5 * t * t + (absent ? 0 : L) + theta * loss;
            if (pass == 0) {
                top = fmax(top, exponent);
                continue;
            }
            double mass = exp(exponent - top);
            sum += mass;
            first += mass * loss;
            second += mass * loss * loss;
        }
    *mean = first / sum;
    *variance = second / sum - *mean * *mean;
    return top + log(sum);
}

/* theta under which the mean of all steps is epsilon, or 0. */
static double tilt_for(const setting *s, bool absent, double most, double epsilon, double *deviation) {
    double low = 0, high = 1, mean, variance;
    for (; high < 1e9; high *= 4) {
        moments(s, absent, most, high, &mean, &variance);
        if (s->steps * mean > epsilon) break;
    }
    for (int i = 0; i < 30; i++) {
        double middle = low > 0 ? sqrt(low * high) : 0.25 * high;
        moments(s, absent, most, middle, &mean, &variance);
        *(s->steps * mean < epsilon ? &low : &high) = middle;
    }
    moments(s, absent, most, low, &mean, &variance);
    *deviation = sqrt(s->steps * variance);
    return low;
}

/* delta of what is on the grid; *unit becomes the size of what is summed, whose rounding stays. */
static double convolved(double *unit, const setting *s, bool absent, double most, double epsilon, int log2_count,
                        double theta, double width) {
    grid g = {.count = (size_t)1 << log2_count};
    g.h = width / (double)g.count;
    g.mass = malloc(g.count * sizeof *g.mass);
    assert_non_null(g.mass);
    fill(&g, s, absent, most, theta);
    double total = 0, sum = 0, modulo = (double)g.count;
    for (size_t i = 0; i < g.count; i++) total += creal(g.mass[i]);
    for (size_t i = 0; i < g.count; i++) g.mass[i] /= total;
    plain_fft(g.mass, g.count, -1);
    for (size_t i = 0; i < g.count; i++) g.mass[i] = cabs(g.mass[i]) > 0 ? cexp(s->steps * clog(g.mass[i])) : 0;
    plain_fft(g.mass, g.count, 1);
    double start = floor((epsilon - 0.5 * width) / g.h);
    for (double k = start; k < start + modulo; k++) {
        double at = k * g.h, index = k - modulo * floor(k / modulo);
        if (at > epsilon)
            sum += creal(g.mass[(size_t)index]) / modulo * exp(-theta * (at - epsilon)) * -expm1(epsilon - at);
    }
    free(g.mass);
    *unit = exp(s->steps * log(total) - theta * epsilon);
    return *unit * sum;
}

typedef struct bracket {
    double lower, upper, theta;
} bracket;

static bracket by_convolution(const setting *s, bool absent, double epsilon, int log2_count) {
    double c = 1 / s->sigma, most = 13 + (absent ? 0 : c), far = 0, deviation, unit;
    if (!absent && s->rate < 1) { /* losses that decide alone */
        double cut = noise_at(s, epsilon - (s->steps - 1) * log1p(-s->rate));
        if (cut < most) {
            double p = (1 - s->rate) * tail(cut) + s->rate * tail(cut - c), q = tail(cut);
            far = -expm1(s->steps * log1p(-p)) + exp(epsilon) * expm1(s->steps * log1p(-q));
            most = cut;
            if (s->steps == 1) return (bracket){far * (1 - 1e-9), far * (1 + 1e-9), 1 / (epsilon + 1e-9)};
        }
    }
    if (absent && epsilon >= -s->steps * log1p(-s->rate)) return (bracket){0, 0, 1};
    double theta = tilt_for(s, absent, most, epsilon, &deviation);
    double width = 2 * fmax(15 * deviation, theta > 0 ? 30 / theta : 0);
    double coarse_count = ldexp(1, log2_count - 1), before = floor(epsilon / width * coarse_count);
    if (before > 0) width = epsilon / before * coarse_count; /* the kink on a point of both grids */
    double fine = convolved(&unit, s, absent, most, epsilon, log2_count, theta, width);
    double coarse = convolved(&unit, s, absent, most, epsilon, log2_count - 1, theta, width);
    double doubt = 3 * fabs(coarse - fine) + 2e-5 * fabs(fine) + unit * (1e-14 + 1e-16 * s->steps);
    return (bracket){far + fine - doubt, far + fine + doubt, theta};
}

/* ---- the settings ---- */

/* Marsaglia's xorshift: the same settings on every machine. */
static double uniform(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53;
}

static double log_uniform(uint64_t *state, double low, double high) {
    return low * pow(high / low, uniform(state));
}

static dpn_epsilon library_epsilon(dpn_workspace *workspace, const setting *s) {
    dpn_law law;
    dpn_part part = {.times = 1};
    dpn_epsilon epsilon = {0};
    dpn_error why;
    assert_int_equal(dpn_law_make(&law, "gaussian", &s->sigma, 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
    dpn_step step = {&part, 1, s->rate, (uint64_t)s->steps};
    if (dpn_sampling_epsilon(&epsilon, workspace, &step, 1, s->delta, NULL, &why))
        fail_msg("sigma %g, rate %g, %g steps, delta %g: %s", s->sigma, s->rate, s->steps, s->delta, why.sentence);
    return epsilon;
}

/* Whether the second method is sharp, to 1%. */
static bool check_setting(const setting *s, dpn_epsilon e) {
    double middle = 0.5 * (e.lower + e.upper);
    bracket way[2];
    for (int absent = 0; absent < 2; absent++) way[absent] = by_convolution(s, absent, middle, 15);
    int greater = way[1].upper > way[0].upper;
    double lower = fmax(way[0].lower, way[1].lower), upper = way[greater].upper;
    double slack =
        expm1(fmin(1, 2 * (way[greater].theta + 1) * (e.upper - e.lower))) + 1e-6; /* delta moves that much */
    if (!(lower * (1 - slack) <= s->delta) || (e.lower > 0 && !(upper * (1 + slack) >= s->delta)))
        fail_msg("sigma %.17g, rate %.17g, %g steps, delta %g: epsilon [%.12g, %.12g], there delta in [%.9g, %.9g]",
                 s->sigma, s->rate, s->steps, s->delta, e.lower, e.upper, lower, upper);
    return e.upper == 0 || (upper - lower <= 0.01 * upper && slack < 0.01);
}

static void settings_agree_with_a_convolution(void **state) {
    (void)state;
    int count = points(12, 1000), sharp = 0, narrow = 0;
    uint64_t seed = 88172645463325252u;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (int i = 0; i < count; i++) {
        setting s = {.sigma = log_uniform(&seed, 0.4, 20), .rate = log_uniform(&seed, 1e-5, 1)};
        s.steps = floor(log_uniform(&seed, 1, 1e6));
        s.delta = log_uniform(&seed, 1e-12, 1e-3);
        dpn_epsilon e = library_epsilon(workspace, &s);
        narrow += e.upper - e.lower <= 1e-6 * fmax(1, e.upper);
        sharp += check_setting(&s, e);
    }
    print_message("# of %d settings %d are narrow, %d are checked to a hundredth of delta\n", count, narrow, sharp);
    assert_true(narrow >= 0.99 * count);
    assert_true(sharp >= 0.9 * count);
    dpn_workspace_free(workspace);
}

/* Most steps lose next to nothing, and one that loses much decides: the sum of small losses is taken apart. */
static void near_atoms_agree_with_a_convolution(void **state) {
    (void)state;
    static const setting cases[] = {
        {0.5283, 9.328e-5, 3, 1.07e-7}, {0.4, 1e-5, 100, 1e-5}, {0.9862, 1.943e-5, 8, 3.39e-9}};
    size_t count = points_are_many() ? sizeof cases / sizeof *cases : 1;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (size_t i = 0; i < count; i++) {
        dpn_epsilon e = library_epsilon(workspace, &cases[i]);
        check_setting(&cases[i], e);
        if (!(e.upper - e.lower < 1e-4)) fail_msg("case %zu: [%.10g, %.10g]", i, e.lower, e.upper);
    }
    dpn_workspace_free(workspace);
}

/* Numbers of record, those of accountants with a grid, which are a little above the truth. */
static void ordinary_settings_are_as_known(void **state) {
    (void)state;
    static const struct {
        setting s;
        double known, slack;
    } cases[] = {{{1.3, 0.00416667, 3600, 1e-5}, 0.8530, 1e-4}, {{1.1, 0.01, 10000, 1e-5}, 5.1926, 1e-4},
                 {{0.7, 0.001, 1e5, 1e-6}, 4.1357, 6e-4},       {{0.7, 0.001, 1e5, 1e-5}, 3.64843, 1e-4},
                 {{2, 0.05, 2000, 1e-8}, 7.2255, 1e-4},         {{1, 0.01, 1000, 1e-6}, 2.12451, 1e-5},
                 {{1.5, 0.04, 2250, 1e-5}, 6.77, 1e-2}};
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_epsilon e = library_epsilon(workspace, &cases[i].s);
        if (fabs(e.upper - cases[i].known) > cases[i].slack || !(e.upper - e.lower <= 1e-6 * fmax(1, e.upper)) ||
            e.lower > e.upper)
            fail_msg("sigma %g: [%.10g, %.10g], known %g", cases[i].s.sigma, e.lower, e.upper, cases[i].known);
    }
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_settings_are_as_known),
        cmocka_unit_test(near_atoms_agree_with_a_convolution),
        cmocka_unit_test(settings_agree_with_a_convolution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
