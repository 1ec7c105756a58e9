/* Poisson sampling against a second computation: exact sums over atoms, integrals of closed forms, the full release. Each direction
 * by itself, and the larger of the two through the public function. */
#include "case.h"
#include "privacy/sampling/listed.h"
#include "privacy/sampling/sampled.h"

#include <dpnoise/sampling.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { PRESENT, ABSENT };

static dpn_workspace *workspace;

static int make_workspace(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) != DPN_OK;
}

static int free_workspace(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    return 0;
}

/* ---- asking ---- */

static dpn_part law_part(const char *text, double shift, uint64_t times) {
    dpn_part part = {.times = times};
    dpn_law law = case_law(text);
    dpn_error why;
    if (dpn_loss_law(&part.loss, &law, shift, &why)) fail_msg("%s", why.sentence);
    return part;
}

static dpn_part pure_part(double epsilon) {
    dpn_part part = {.times = 1};
    assert_int_equal(dpn_loss_pure(&part.loss, epsilon, NULL), DPN_OK);
    return part;
}

/* delta of one direction, as the public function composes it. */
static dpn_delta one_direction(int direction, const dpn_step *step, double epsilon, double accuracy) {
    dpn_base base;
    dpn_error why;
    dpn_fft_plan plan = {0};
    dpn_fft_reader reader = {0};
    dpn_delta delta = {0};
    dpn_status status = dpn_base_open(&base, step->part, step->parts, &why);
    dpn_sampled sampled = {&base, step->rate};
    dpn_loss_view view = direction == PRESENT ? dpn_sampled_present(&sampled) : dpn_sampled_absent(&sampled);
    if (!status) status = dpn_fft_add(&plan, view, step->times, &why);
    if (!status) status = dpn_fft_solve(&delta, &reader, &plan, workspace, epsilon, accuracy, &why);
    dpn_base_close(&base);
    if (status)
        fail_msg("direction %d, rate %g, %d times, epsilon %g: %s", direction, step->rate, (int)step->times, epsilon,
                 why.sentence);
    return delta;
}

static dpn_delta sampled_delta(const dpn_step *step, size_t steps, double epsilon) {
    dpn_delta delta;
    dpn_error why;
    if (dpn_sampling_delta(&delta, workspace, step, steps, epsilon, NULL, &why))
        fail_msg("rate %g, %d times, epsilon %g: %s", step->rate, (int)step->times, epsilon, why.sentence);
    return delta;
}

static void assert_holds(dpn_delta got, long double truth, long double slack, double accuracy, const char *what,
                         const dpn_step *step, double epsilon) {
    bool inside = (long double)got.lower <= truth + slack && truth - slack <= (long double)got.upper;
    bool close = got.upper <= got.lower * (1 + accuracy) * (1 + 1e-12) + 1e-300;
    long double log_truth = logl(truth), log_slack = truth > 0 ? slack / truth + 1e-15L : 0;
    if (got.log_lower > log_truth + log_slack || log_truth - log_slack > got.log_upper ||
        got.log_upper - got.log_lower > log1p(accuracy) * (1 + 1e-9) + 1e-12)
        fail_msg("%s, rate %g, %d times, epsilon %.17g: logarithms in [%.17g, %.17g], truth %.17Lg", what, step->rate,
                 (int)step->times, epsilon, got.log_lower, got.log_upper, log_truth);
    if (inside && close) return;
    fail_msg("%s, rate %g, %d times, epsilon %.17g: [%.17g, %.17g], truth %.17Lg", what, step->rate, (int)step->times,
             epsilon, got.lower, got.upper, truth);
}

/* Both directions and the larger of the two. */
static void check_step(const dpn_step *step, double epsilon, const long double truth[2], long double error,
                       double accuracy) {
    for (int i = 0; i < 2; i++) {
        if (truth[i] <= 0) continue;
        dpn_delta got = one_direction(i, step, epsilon, accuracy);
        assert_holds(got, truth[i], error * truth[i], accuracy, i == PRESENT ? "present" : "absent", step, epsilon);
    }
    long double larger = fmaxl(truth[0], truth[1]);
    assert_holds(sampled_delta(step, 1, epsilon), larger, error * larger, accuracy, "both", step, epsilon);
}

/* ---- losses that are atoms: exact sums ---- */

enum { ATOMS = 16 };

/* The pair of one step: the probabilities of each outcome with the person present and absent. */
typedef struct outcomes {
    long double p[ATOMS], q[ATOMS];
    size_t count;
} outcomes;

/* Randomised response with each epsilon, all seen together, from a sample. */
static outcomes responses(const double *epsilon, size_t count, double rate) {
    outcomes out = {.p = {1}, .q = {1}, .count = 1};
    for (size_t k = 0; k < count; k++) {
        long double truth = 1 / (1 + expl(-(long double)epsilon[k])), lie = expl(-(long double)epsilon[k]) * truth;
        for (size_t i = out.count; i-- > 0;) {
            out.p[i + out.count] = out.p[i] * lie;
            out.q[i + out.count] = out.q[i] * truth;
            out.p[i] *= truth;
            out.q[i] *= lie;
        }
        out.count *= 2;
    }
    for (size_t i = 0; i < out.count; i++) out.p[i] = rate * out.p[i] + (1 - (long double)rate) * out.q[i];
    return out;
}

/* The sum over the multinomial counts of n outcomes; from a to b. */
static long double sum_counts(const long double *a, const long double *b, size_t left, uint64_t n, long double x,
                              long double weight_a, long double weight_b) {
    if (left == 1) {
        for (uint64_t i = 0; i < n; i++) weight_a *= a[0], weight_b *= b[0];
        return fmaxl(0, weight_a - x * weight_b);
    }
    long double sum = 0, ways = 1;
    for (uint64_t k = 0; k <= n; k++) {
        sum += sum_counts(a + 1, b + 1, left - 1, n - k, x, weight_a * ways, weight_b * ways);
        weight_a *= a[0];
        weight_b *= b[0];
        ways = ways * (long double)(n - k) / (long double)(k + 1);
    }
    return sum;
}

static void check_atoms(const double *epsilon, size_t count, double rate, uint64_t times, double at, double accuracy) {
    outcomes of = responses(epsilon, count, rate);
    dpn_part part[4];
    for (size_t i = 0; i < count; i++) part[i] = pure_part(epsilon[i]);
    long double x = expl((long double)at);
    long double truth[2] = {sum_counts(of.p, of.q, of.count, times, x, 1, 1),
                            sum_counts(of.q, of.p, of.count, times, x, 1, 1)};
    dpn_step step = {part, count, rate, times};
    if (truth[PRESENT] > 1e-12L && truth[ABSENT] > 1e-12L) check_step(&step, at, truth, 1e-12L, accuracy);
}

static void randomised_response(void **state) {
    (void)state;
    static const double rates[] = {0.01, 0.1, 0.5, 1}, epsilons[] = {0.3, 1, 3};
    static const uint64_t times[] = {1, 7, 60};
    for (int r = 0; r < 4; r++)
        for (int e = 0; e < 3; e++)
            for (int n = 0; n < 3; n++) {
                double largest = (double)times[n] * log1p(rates[r] * expm1(epsilons[e]));
                for (double share = -0.1; share < 0.6; share += 0.3)
                    check_atoms(&epsilons[e], 1, rates[r], times[n], share * largest, 1e-5);
                /* Where the losses of an absent person are the worse ones. */
                for (double share = 0.01; n > 0 && share < 0.1; share += 0.04)
                    check_atoms(&epsilons[e], 1, rates[r], times[n], share * largest, 1e-5);
            }
}

/* Two answers seen together: losses of four values, the least and the largest among them. */
static void two_responses(void **state) {
    (void)state;
    static const double epsilon[] = {1, 0.5};
    check_atoms(epsilon, 2, 0.1, 1, 0.1, 0.01);
    check_atoms(epsilon, 2, 0.1, 50, 1, 0.01);
    check_atoms(epsilon, 2, 0.1, 50, 4, 0.01);
    check_atoms(epsilon, 2, 0.5, 20, 3, 0.01);
}

/* A large loss whose opposite is lost beside 1, and the largest loss of all. */
static void response_of_a_large_epsilon(void **state) {
    (void)state;
    const double epsilon = 30;
    check_atoms(&epsilon, 1, 1, 1, 29.999, 1e-5);
    check_atoms(&epsilon, 1, 1 - 0x1p-40, 1, 27, 1e-5);
    dpn_part part = pure_part(epsilon);
    dpn_step step = {&part, 1, 1, 1};
    assert_true(sampled_delta(&step, 1, 30).upper == 0);
    step = (dpn_step){&part, 1, 1 - 0x1p-40, 1};
    double largest = log(0x1p-40 + exp(30) * (1 - 0x1p-40));
    assert_true(sampled_delta(&step, 1, largest * (1 + 1e-12)).upper == 0);
    dpn_epsilon least;
    assert_int_equal(dpn_sampling_epsilon(&least, workspace, &step, 1, 0, NULL, NULL), DPN_OK);
    assert_true(least.lower <= largest && largest <= least.upper && least.upper - least.lower < 1e-10);
}

/* ---- Gaussian and Laplace noise: closed forms, and an integral over the first of two steps ---- */

typedef struct noise {
    char kind;         /* 'g' or 'l' */
    long double scale; /* the shift is 1 */
    long double rate;
} noise;

static long double above(long double z) {
    return 0.5L * erfcl(z / sqrtl(2));
}

/* H(x) of the full release, any real x. */
static long double full(const noise *of, long double x) {
    if (x <= 0) return 1 - x;
    long double nu = logl(x), m = 1 / of->scale;
    if (of->kind == 'g') return above(nu / m - m / 2) - x * above(nu / m + m / 2);
    if (nu < 0) return 1 - x + x * full(of, 1 / x);
    return nu < m ? -expm1l((nu - m) / 2) : 0;
}

static long double sampled_once(const noise *of, int direction, long double x) {
    if (direction == PRESENT) return of->rate * full(of, 1 + (x - 1) / of->rate);
    long double a = 1 - (1 - of->rate) * x;
    return a > 0 ? a * full(of, of->rate * x / a) : 0;
}

static long double density(const noise *of, long double z) {
    long double y = z / of->scale;
    return of->kind == 'g' ? expl(-y * y / 2) / (of->scale * sqrtl(2 * acosl(-1))) : expl(-fabsl(y)) / (2 * of->scale);
}

/* The second step's profile, averaged over what the first one released: with the noise z the first density is `first`. */
static long double given_first(const noise *of, int direction, long double x, long double z) {
    long double absent = density(of, z), present = of->rate * density(of, z - 1) + (1 - of->rate) * absent;
    long double first = direction == PRESENT ? present : absent, second = direction == PRESENT ? absent : present;
    return first > 0 ? first * sampled_once(of, direction, x * second / first) : 0;
}

static long double simpson(const noise *of, int direction, long double x, long double from, long double to, int cells) {
    long double h = (to - from) / cells, sum = 0;
    for (int i = 0; i < cells; i++) {
        long double z = from + h * i;
        sum += given_first(of, direction, x, z) + 4 * given_first(of, direction, x, z + h / 2) +
               given_first(of, direction, x, z + h);
    }
    return sum * h / 6;
}

static long double sampled_twice(const noise *of, int direction, long double x) {
    long double reach = (of->kind == 'g' ? 9 : 45) * of->scale;
    return simpson(of, direction, x, -reach, 0, 400) + simpson(of, direction, x, 0, 1, 800) +
           simpson(of, direction, x, 1, 1 + reach, 400);
}

static void check_noise(char kind, double scale, double rate) {
    dpn_law law;
    dpn_part part = {.times = 1};
    assert_int_equal(dpn_law_make(&law, kind == 'g' ? "gaussian" : "laplace", &scale, 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
    noise of = {kind, scale, rate};
    double typical = log1p(rate * expm1(1 / scale));
    for (uint64_t n = 1; n <= 2; n++)
        for (double share = -0.3; share < 1; share += 0.6) {
            double epsilon = share * typical;
            long double x = expl((long double)epsilon), truth[2];
            for (int i = 0; i < 2; i++) truth[i] = n == 1 ? sampled_once(&of, i, x) : sampled_twice(&of, i, x);
            dpn_step step = {&part, 1, rate, n};
            check_step(&step, epsilon, truth, n == 1 ? 1e-13L : 1e-6L, 1e-5);
        }
}

static void gaussian(void **state) {
    (void)state;
    static const double sigmas[] = {0.7, 1, 3}, rates[] = {0.01, 0.2};
    for (int s = 0; s < 3; s++)
        for (int r = 0; r < 2; r++) check_noise('g', sigmas[s], rates[r]);
}

static void laplace(void **state) {
    (void)state;
    static const double scales[] = {0.6, 2}, rates[] = {0.01, 0.2};
    for (int s = 0; s < 2; s++)
        for (int r = 0; r < 2; r++) check_noise('l', scales[s], rates[r]);
}

/* Several Gaussian answers in a step are one with the root of the sum of squares. */
static void several_gaussian_answers(void **state) {
    (void)state;
    dpn_part part[2] = {law_part("gaussian(sigma=3)", 1, 2), law_part("gaussian(sigma=2)", 1, 1)};
    dpn_step step = {part, 2, 0.1, 1};
    noise of = {'g', 1 / sqrtl(2.0L / 9 + 0.25L), 0.1};
    long double x = expl((long double)0.02), truth[2] = {sampled_once(&of, PRESENT, x), sampled_once(&of, ABSENT, x)};
    check_step(&step, 0.02, truth, 1e-12L, 1e-5);
}

/* Truncated noise: some outputs give the person away, with the rate times their mass in each step. */
static void outputs_that_give_away(void **state) {
    (void)state;
    dpn_part part = law_part("truncated-laplace(scale=1,bound=1)", 1.5, 1);
    double mass = 1 - dpn_law_sf(&part.loss.law, 0.5), rate = 0.1; /* P(|noise + 1.5| > 1) */
    dpn_step step = {&part, 1, rate, 3};
    dpn_delta got = sampled_delta(&step, 1, INFINITY);
    double infinite = -expm1(3 * log1p(-rate * mass));
    assert_true(got.lower <= infinite * (1 + 1e-12) && infinite <= got.upper * (1 + 1e-12) &&
                got.upper < got.lower * (1 + 1e-9));
    dpn_delta absent =
        one_direction(ABSENT, &step, 0.3, 1e-4); /* below 3 log(1/(1-q)) = 0.316, beyond 3 times what both have */
    long double truth = powl(mass, 3) * (1 - expl(0.3L) * powl(0.9L, 3));
    assert_true(absent.upper >= truth * (1 - 1e-12L));

    part = law_part("truncated-laplace(scale=1,bound=1)", 3, 1); /* every output gives away */
    for (int n = 1; n < 4; n++) {
        step = (dpn_step){&part, 1, rate, (uint64_t)n};
        got = sampled_delta(&step, 1, 0.5);
        infinite = -expm1(n * log1p(-rate));
        assert_true(got.lower <= infinite * (1 + 1e-12) && infinite <= got.upper * (1 + 1e-12) &&
                    got.upper < infinite * (1 + 1e-9));
    }
}

/* Where the accuracy cannot be had the lower end still counts outputs that give away in any step, not in one alone. */
static void outputs_of_all_steps_give_away(void **state) {
    (void)state;
    const double scale = 1.5, bound = 1.5 * 14, rate = 0.01, epsilon = 1;
    dpn_part part = law_part("truncated-laplace(scale=1.5,bound=21)", 1, 1);
    long double mass = (expl(-(bound - 1) / scale) - expl(-bound / scale)) / (2 * (1 - expl(-bound / scale)));
    for (uint64_t n = 10; n <= 100000; n *= 10) {
        dpn_step step = {&part, 1, rate, n};
        dpn_delta got = sampled_delta(&step, 1, epsilon);
        double given = (double)-expm1l((long double)n * log1pl(-rate * mass));
        assert_true(got.lower >= given * (1 - 1e-9) && got.upper >= given && got.lower <= got.upper);
    }
}

/* Mass that is in no atom of a step's list may be lost in each of its turns: delta of n turns is at most n times that more, and so is the bound. */
static void what_is_not_listed_counts_in_every_turn(void **state) {
    (void)state;
    const double lost[2] = {1e-6, 3e-6}, epsilon = 1, accuracy = 0.01, work = 1e9;
    dpn_part part[2] = {pure_part(1), pure_part(0.5)};
    const dpn_step step[2] = {{&part[0], 1, 0.1, 50}, {&part[1], 1, 0.2, 30}};
    dpn_listed listed;
    dpn_error why;
    if (dpn_listed_open(&listed, step, 2, &why)) fail_msg("%s", why.sentence);
    for (int direction = 0; direction < 2; direction++) {
        dpn_delta all, less;
        for (int i = 0; i < 2; i++) listed.list[i].lost = 0;
        if (dpn_listed_direction(&all, &listed, direction, epsilon, accuracy, 0, work, &why))
            fail_msg("%s", why.sentence);
        for (int i = 0; i < 2; i++) listed.list[i].lost = lost[i];
        if (dpn_listed_direction(&less, &listed, direction, epsilon, accuracy, 0, work, &why))
            fail_msg("%s", why.sentence);
        double more = 50 * lost[0] + 30 * lost[1];
        if (!(less.upper >= (all.upper + more) * (1 - 1e-15) && less.upper <= (all.upper + more) * (1 + 1e-12)))
            fail_msg("direction %d: %.17g and %.17g", direction, all.upper, less.upper);
        assert_true(less.lower <= all.lower);
    }
    dpn_listed_close(&listed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(randomised_response),
        cmocka_unit_test(two_responses),
        cmocka_unit_test(response_of_a_large_epsilon),
        cmocka_unit_test(gaussian),
        cmocka_unit_test(laplace),
        cmocka_unit_test(several_gaussian_answers),
        cmocka_unit_test(outputs_that_give_away),
        cmocka_unit_test(outputs_of_all_steps_give_away),
        cmocka_unit_test(what_is_not_listed_counts_in_every_turn),
    };
    return cmocka_run_group_tests_name("sampling", tests, make_workspace, free_workspace);
}
