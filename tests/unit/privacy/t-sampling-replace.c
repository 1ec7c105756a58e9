/* Samples under replace-one: the bound of one step against closed forms, its composition against exact sums over atoms, and above all that no
 * mechanism which is enumerated here, sample by sample, is less private than what is claimed. */
#include "case.h"
#include "privacy/sampling/replace-renyi.h"
#include "unit/points.h"

#include <dpnoise/sampling.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

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

static dpn_loss law_loss(const char *text, double sensitivity) {
    dpn_loss loss;
    dpn_law law = case_law(text);
    dpn_error why;
    if (dpn_loss_law(&loss, &law, sensitivity, &why)) fail_msg("%s", why.sentence);
    return loss;
}

static dpn_loss pure_loss(double epsilon) {
    dpn_loss loss;
    assert_int_equal(dpn_loss_pure(&loss, epsilon, NULL), DPN_OK);
    return loss;
}

static dpn_delta ask(const dpn_replace_step *step, size_t steps, double epsilon) {
    dpn_delta delta;
    dpn_error why;
    if (dpn_sampling_replace_delta(&delta, NULL, workspace, step, steps, epsilon, NULL, &why))
        fail_msg("rate %g, %d times, epsilon %g: %s", step->rate, (int)step->times, epsilon, why.sentence);
    return case_ends(delta);
}

static void assert_covers(dpn_delta got, long double reached, const char *what, double rate, int times,
                          double epsilon) {
    if (reached <= (long double)got.upper * (1 + 1e-13L) && got.lower <= got.upper) return;
    fail_msg("%s, rate %g, %d times, epsilon %g: at most %.17g, but some data reach %.17Lg", what, rate, times, epsilon,
             got.upper, reached);
}

/* ---- one step ---- */

static long double normal(long double t) {
    return 0.5L * erfcl(-t / sqrtl(2));
}

/* H(a) of Gaussian noise with sensitivity/sigma = c. */
static long double gaussian_profile(long double c, long double a) {
    return normal(c / 2 - logl(a) / c) - a * normal(-c / 2 - logl(a) / c);
}

static void assert_is(double got, long double truth, const char *what, double rate, double epsilon) {
    if (fabsl(got - truth) <= 2e-8L * truth + 1e-30L && got >= truth * (1 - 1e-14L)) return;
    fail_msg("%s, rate %g, epsilon %g: %.17g, not %.17Lg", what, rate, epsilon, got, truth);
}

static const double rates[] = {0.001, 0.03, 0.4, 1}, epsilons[] = {0, 0.01, 0.3, 1, 2.5};

/* A batch of fixed size: q K(a). */
static void test_one_step_of_a_batch(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++) {
            dpn_loss loss = law_loss("gaussian(sigma=1)", 1.8);
            dpn_replace_step step = {loss, loss, rates[i], 1, true};
            long double q = rates[i], a = 1 + expm1l((long double)epsilons[k]) / q;
            assert_is(ask(&step, 1, epsilons[k]).upper, q * gaussian_profile(1.8L, a), "batch", rates[i], epsilons[k]);
        }
}

/* Pure losses: q (b K(a) + (1-b) H(a)). */
static void test_one_step_of_pure_losses(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++) {
            dpn_replace_step step = {pure_loss(1.5), pure_loss(1), rates[i], 1, false};
            long double q = rates[i], x = expl((long double)epsilons[k]), a = 1 + (x - 1) / q, b = x / a;
            long double K = fmaxl(0, expl(1.5L) - a) / (1 + expl(1.5L)), H = fmaxl(0, expl(1) - a) / (1 + expl(1));
            assert_is(ask(&step, 1, epsilons[k]).upper, q * (b * K + (1 - b) * H), "pure", rates[i], epsilons[k]);
        }
}

/* sup_t A(t) - x B(t), A and B tails of mixtures of the law at 0 and p, at 0 and p - r, by a scan that is refined. */
static long double worst_records(long double tail(long double), long double q, long double r, long double p,
                                 long double epsilon) {
    long double best = 0, at = 0, x = expl(epsilon);
    for (long double step = 0.25L; step > 1e-9L; step /= 8)
        for (int i = -120; i <= 120; i++) {
            long double t = (step == 0.25L ? 0 : at) + i * step;
            long double value = (1 - q) * tail(t) + q * tail(t - p) - x * ((1 - q) * tail(t) + q * tail(t - p + r));
            if (value > best) {
                best = value;
                at = t;
                if (step < 0.25L) i = -120;
            }
        }
    return best;
}

static long double gaussian_tail(long double t) {
    return normal(-t);
}

static long double laplace_tail(long double t) {
    return t > 0 ? 0.5L * expl(-t) : 1 - 0.5L * expl(t);
}

/* The worst two records; never above the bound for any release. */
static void test_one_step_of_worst_records(void **state) {
    (void)state;
    static const double replaced[] = {2, 1.4, 0.6};
    for (int i = 1; i < 4; i++)
        for (int k = 0; k < 4; k++)
            for (int n = 0; n < 3; n++) {
                long double q = rates[i], x = expl((long double)epsilons[k]), a = 1 + (x - 1) / q, b = x / a;
                dpn_replace_step step = {law_loss("gaussian(sigma=1)", replaced[n]), law_loss("gaussian(sigma=1)", 1),
                                         rates[i], 1, false};
                long double truth = worst_records(gaussian_tail, q, replaced[n], 1, epsilons[k]);
                double got = ask(&step, 1, epsilons[k]).upper;
                assert_is(got, truth, "gaussian", rates[i], epsilons[k]);
                long double any = b * gaussian_profile(replaced[n], a) + (1 - b) * gaussian_profile(1, a);
                assert_true(got <= q * any * (1 + 1e-8L));
                step.replaced = law_loss("laplace(scale=1)", replaced[n]);
                step.present = law_loss("laplace(scale=1)", 1);
                truth = worst_records(laplace_tail, q, replaced[n], 1, epsilons[k]);
                if (truth > 1e-12L)
                    assert_is(ask(&step, 1, epsilons[k]).upper, truth, "laplace", rates[i], epsilons[k]);
            }
}

/* Below 0 the profile is the mirror image, since replacing has no direction. */
static void test_negative_epsilon_mirrors(void **state) {
    (void)state;
    dpn_replace_step step = {law_loss("laplace(scale=1)", 1.5), law_loss("laplace(scale=1)", 1), 0.2, 1, false};
    double there = ask(&step, 1, 0.3).upper, here = ask(&step, 1, -0.3).upper;
    assert_true(fabs(here - (1 - exp(-0.3) + exp(-0.3) * there)) < 1e-12);
}

/* ---- the composition of the bound ---- */

/* q K(a) of a pure loss is made of three atoms: log x and -log x, x = 1 + q (e^E - 1), and 0. */
static long double three_atoms(long double pure, long double q, int times, long double epsilon) {
    long double x = 1 + q * expm1l(pure), up = x / (1 + expl(pure)), down = 1 / (1 + expl(pure)), sum = 0;
    for (int i = 0; i <= times; i++)
        for (int j = 0; i + j <= times; j++) {
            long double loss = (i - j) * logl(x);
            long double ways = expl(lgammal(times + 1) - lgammal(i + 1) - lgammal(j + 1) - lgammal(times - i - j + 1));
            long double mass = ways * powl(up, i) * powl(down, j) * powl(1 - up - down, times - i - j);
            if (loss > epsilon) sum += mass * -expm1l(epsilon - loss);
        }
    return sum;
}

static void test_fixed_batches_of_a_pure_loss(void **state) {
    (void)state;
    static const double rate[] = {0.02, 0.3}, epsilon[] = {0, 0.05, 0.4};
    static const int times[] = {2, 7, 40};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < 3; n++) {
                dpn_replace_step step = {pure_loss(1), pure_loss(1), rate[i], (uint64_t)times[n], true};
                long double truth = three_atoms(1, rate[i], times[n], epsilon[k]);
                dpn_delta got = ask(&step, 1, epsilon[k]);
                if (got.upper < truth * (1 - 1e-13L) || got.upper > truth * (1 + 2e-4L) + 1e-300L)
                    fail_msg("rate %g, %d times, epsilon %g: %.17g, not %.17Lg", rate[i], times[n], epsilon[k],
                             got.upper, truth);
            }
}

/* E e^(theta L) of the three atoms, and of Gaussian noise by a plain sum over the noise of the worst records. */
static void test_renyi_divergences(void **state) {
    (void)state;
    static dpn_replace_table table;
    dpn_part part[2] = {{pure_loss(1), 1}, {law_loss("gaussian(sigma=1)", 2), 1}},
             removed = {law_loss("gaussian(sigma=1)", 1), 1};
    dpn_base base[3];
    dpn_law law = case_law("gaussian(sigma=1)");
    for (int i = 0; i < 2; i++) assert_int_equal(dpn_base_open(&base[i], &part[i], 1, NULL), DPN_OK);
    assert_int_equal(dpn_base_open(&base[2], &removed, 1, NULL), DPN_OK);
    dpn_replaced batch = {&base[0], &base[0], 0.02, NULL, 0, 0, 0},
                 noise = {&base[1], &base[2], 0.02, &law, 2, 1, dpn_replaced_noise_far(&law)};
    static const double theta[] = {0.3, 1, 4, 20};
    for (int i = 0; i < 4; i++) {
        long double q = 0.02L, x = 1 + q * expm1l(1), down = 1 / (1 + expl(1)), order = theta[i];
        long double truth = logl(1 - (x + 1) * down + down * (powl(x, order + 1) + powl(x, -order)));
        assert_int_equal(dpn_replace_table_make(&table, &batch, 1, NULL), DPN_OK);
        double got = dpn_replace_cumulant(&table, theta[i]);
        assert_true(got >= truth * (1 - 1e-12L) && got <= truth * 1.01L);
        long double sum = 0, step = 0.01L;
        for (int k = -4000; k <= 8000; k++) {
            long double t = k * step, up = 1 - q + q * expl(t - 0.5L), below = 1 - q + q * expl(-t - 0.5L);
            sum += step * expl(-0.5L * t * t) * 0.39894228040143267794L * up * expm1l(order * logl(up / below));
        }
        truth = log1pl(sum);
        assert_int_equal(dpn_replace_table_make(&table, &noise, 1, NULL), DPN_OK);
        got = dpn_replace_cumulant(&table, theta[i]);
        if (!(got >= truth * (1 - 1e-9L) && got <= truth * 1.05L))
            fail_msg("theta %g: %.17g, not %.17Lg", theta[i], got, truth);
    }
    dpn_replaced whole = {
        &base[1], &base[2], 1, &law, 2, 1, dpn_replaced_noise_far(&law)}; /* rate 1: the release itself */
    assert_int_equal(dpn_replace_table_make(&table, &whole, 1, NULL), DPN_OK);
    for (int i = 0; i < 3; i++) { /* the last is for losses beyond the table */
        double got = dpn_replace_cumulant(&table, theta[i]), truth = 2 * theta[i] * (theta[i] + 1);
        if (!(got >= truth * (1 - 1e-9) && got <= truth + 0.05))
            fail_msg("theta %g: %.17g, not %.17g", theta[i], got, truth);
    }
    /* Large losses: those of randomised response are theta epsilon, but for e^-epsilon. */
    dpn_part large = {pure_loss(400), 1};
    dpn_base response;
    assert_int_equal(dpn_base_open(&response, &large, 1, NULL), DPN_OK);
    dpn_replaced far = {&response, &response, 1, NULL, 0, 0, 0};
    assert_int_equal(dpn_replace_table_make(&table, &far, 1, NULL), DPN_OK);
    for (int i = 0; i < 3; i++) {
        double got = dpn_replace_cumulant(&table, theta[i]), truth = 400 * theta[i];
        if (!(got >= truth * (1 - 1e-9) && got <= truth + 0.5))
            fail_msg("theta %g: %.17g, not %.17g", theta[i], got, truth);
    }
    dpn_base_close(&response);
    for (int i = 0; i < 3; i++) dpn_base_close(&base[i]);
}

/* Chernoff's bound of many steps at rate 1, which are one release of Gaussian noise: no less than its delta, by the closed form, and not
 * far above. */
static void test_chernoff_is_no_less_than_delta(void **state) {
    (void)state;
    static dpn_replace_table table;
    dpn_law law = case_law("gaussian(sigma=1)");
    dpn_part replaced = {law_loss("gaussian(sigma=1)", 0.2), 1}, removed = {law_loss("gaussian(sigma=1)", 0.1), 1};
    dpn_base base[2];
    assert_int_equal(dpn_base_open(&base[0], &replaced, 1, NULL), DPN_OK);
    assert_int_equal(dpn_base_open(&base[1], &removed, 1, NULL), DPN_OK);
    dpn_replaced noise = {&base[0], &base[1], 1, &law, 0.2, 0.1, dpn_replaced_noise_far(&law)};
    for (int times = 1; times <= 100; times *= 10) {
        long double s = 0.2L * sqrtl(times);
        assert_int_equal(dpn_replace_table_make(&table, &noise, times, NULL), DPN_OK);
        for (long double epsilon = s; epsilon < 5 * s; epsilon += s) {
            long double below = 0.5L * erfcl((epsilon / s - 0.5L * s) / sqrtl(2)),
                        above = 0.5L * erfcl((epsilon / s + 0.5L * s) / sqrtl(2));
            long double truth = logl(below - expl(epsilon) * above);
            /* The least bound that the divergences theta (theta + 1) s^2/2 of all steps together give. */
            long double least = 0;
            for (long double theta = 0.001L; theta < 1e4L; theta *= 1.01L)
                least = fminl(least, theta * (theta + 1) * s * s / 2 - theta * epsilon - theta * log1pl(1 / theta) -
                                         log1pl(theta));
            double got = dpn_replace_chernoff(&table, 1, (double)epsilon);
            if (!(got >= truth - 1e-9L && got <= least + 0.02L))
                fail_msg("%d steps, epsilon %Lg: %g, log delta %Lg, least %Lg", times, epsilon, got, truth, least);
        }
    }
    for (int i = 0; i < 2; i++) dpn_base_close(&base[i]);
}

/* ---- data that are enumerated ---- */

/* Yes or no, n times, with probability p under one table and r under the other. */
static long double answers_apart(long double p, long double r, int n, long double epsilon) {
    long double sum = 0;
    for (int k = 0; k <= n; k++) {
        long double ways = expl(lgammal(n + 1) - lgammal(k + 1) - lgammal(n - k + 1));
        long double one = powl(p, k) * powl(1 - p, n - k), other = powl(r, k) * powl(1 - r, n - k);
        sum += ways * fmaxl(0, one - expl(epsilon) * other);
    }
    return sum;
}

static long double logistic(long double odds) {
    return 1 / (1 + expl(-odds));
}

/* A small generator: the tables below must be the same on every machine. */
static uint64_t seed;
static double draw(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53;
}

enum { RECORDS = 4 };

/* The probability of yes for the records r[0 .. RECORDS-1]: the log odds of a sample are the sum of its records' values, or any number for
 * each sample in `odds` if values is NULL. Poisson samples; or sets of `batch` records. */
static long double says_yes(const double *value, long double rate, int batch) {
    long double yes = 0, total = 0;
    for (int sample = 0; sample < 1 << RECORDS; sample++) {
        long double chance = 1, odds = 0;
        int size = 0;
        for (int i = 0; i < RECORDS; i++) {
            bool in = sample >> i & 1;
            size += in;
            odds += in ? value[i] : 0;
            chance *= in ? rate : 1 - rate;
        }
        if (batch > 0) chance = size == batch;
        yes += chance * logistic(odds);
        total += chance;
    }
    return yes / total;
}

/* Answers whose log odds add up over the sample: removing a record is pure with the largest value, replacing with the largest difference. */
static void test_no_table_is_less_private(void **state) {
    (void)state;
    seed = 20241117;
    for (int trial = 0; trial < 36; trial++) {
        double most = 0.2 + 2 * draw(), low = -most * draw(), value[2][RECORDS];
        for (int i = 0; i < RECORDS; i++) value[0][i] = value[1][i] = trial % 3 ? low + draw() * (most - low) : 0;
        value[0][0] = most;
        value[1][0] = trial % 2 ? low : low + draw() * (most - low);
        bool fixed = trial % 4 >= 2;
        int batch = 1 + trial % 3, times = 1 + (int)(draw() * 30);
        double rate = fixed ? (double)batch / RECORDS : 0.02 + 0.6 * draw(),
               epsilon = draw() * most * sqrt(times) * rate;
        dpn_replace_step step = {pure_loss(most - low), pure_loss(most), rate, (uint64_t)times, fixed};
        long double p = says_yes(value[0], rate, fixed ? batch : 0), r = says_yes(value[1], rate, fixed ? batch : 0);
        dpn_delta got = ask(&step, 1, epsilon);
        assert_covers(got, answers_apart(p, r, times, epsilon), "one way", rate, times, epsilon);
        assert_covers(got, answers_apart(r, p, times, epsilon), "other way", rate, times, epsilon);
    }
}

/* Gaussian noise on a sum that the record moves by `up`, its replacement by -`down`, all others not at all. Both outputs are put into bins, which
 * does not add information, and two steps are enumerated. */
enum { BINS = 500 };

static void fill_bins(long double *bin, long double q, long double move) {
    long double before = 0;
    for (int i = 0; i < BINS; i++) {
        long double edge = -9 + 18 * (long double)(i + 1) / BINS;
        long double up_to = i == BINS - 1 ? 1 : (1 - q) * normal(edge) + q * normal(edge - move);
        bin[i] = up_to - before;
        before = up_to;
    }
}

static long double two_steps(long double q, long double up, long double down, long double epsilon) {
    static long double p[BINS], r[BINS];
    fill_bins(p, q, up);
    fill_bins(r, q, -down);
    long double sum = 0, x = expl(epsilon);
    for (int i = 0; i < BINS; i++)
        for (int j = 0; j < BINS; j++) sum += fmaxl(0, p[i] * p[j] - x * r[i] * r[j]);
    return sum;
}

/* Antipodal records are worse than a record against nothing: the lower end is passed, the upper is not. For a batch of fixed size this is what
 * composing the worst data of one step would miss. */
static void test_antipodal_records(void **state) {
    (void)state;
    static const double rate[] = {0.1, 0.5}, epsilon[] = {0.02, 0.3};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            for (int fixed = 0; fixed < 2; fixed++) {
                dpn_replace_step step = {law_loss("gaussian(sigma=1)", 1.6), law_loss("gaussian(sigma=1)", 0.8),
                                         rate[i], 2, fixed};
                dpn_delta got = ask(&step, 1, epsilon[k]);
                long double truth = two_steps(rate[i], 0.8L, 0.8L, epsilon[k]);
                assert_covers(got, truth, "antipodal", rate[i], 2, epsilon[k]);
                if (!fixed) { /* exact: bins lose little */
                    assert_true(got.upper <= truth * 1.001L && got.lower <= truth * 1.001L);
                    continue;
                }
                /* what the lower end claims is reached indeed */
                long double one = two_steps(rate[i], 1.6L, 0, epsilon[k]);
                long double two = two_steps(rate[i], 0, -1.6L, epsilon[k]);
                if (got.lower > fmaxl(one, two) * 1.001L)
                    fail_msg("rate %g, epsilon %g: lower %.17g is not reached: %.17Lg", rate[i], epsilon[k], got.lower,
                             fmaxl(one, two));
            }
}

/* Records that move the answer by 3 and by 2: far out an output that nobody's record gives is rarer than those of both, so that the largest loss is more than
 * that of any release which replacing moves by 1. Two steps are enumerated in bins, whose probabilities are differences of the distribution. */
static void test_removing_moves_further_than_replacing(void **state) {
    (void)state;
    enum { CELLS = 300 };
    static const char *const noise[] = {"laplace(scale=1)", "huber(alpha=1,gamma=1)", "discrete-laplace(scale=1)"};
    static const double present[] = {1.1, 3}, rate[] = {0.1, 0.5};
    static long double p[CELLS], r[CELLS];
    int beyond = 0;
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < 2; i++) {
                if (n == 2 && present[k] != floor(present[k])) continue;
                dpn_law law = case_law(noise[n]);
                dpn_replace_step step = {law_loss(noise[n], 1), law_loss(noise[n], present[k]), rate[i], 2, false};
                for (int c = 0; c < CELLS; c++) {
                    double low = c == 0 ? -INFINITY : -20.27 + 0.15 * c, high = c == CELLS - 1 ? INFINITY : low + 0.15;
                    if (c == 0) high = -20.12;
                    long double by[3], move[3] = {0, present[k], present[k] - 1};
                    for (int m = 0; m < 3; m++) {
                        double from = low - (double)move[m], to = high - (double)move[m];
                        by[m] = to <= 0 ? (long double)dpn_law_cdf(&law, to) - dpn_law_cdf(&law, from)
                                        : (long double)dpn_law_sf(&law, from) - dpn_law_sf(&law, to);
                    }
                    p[c] = rate[i] * by[1] + (1 - rate[i]) * by[0];
                    r[c] = rate[i] * by[2] + (1 - rate[i]) * by[0];
                }
                double end = 2 * log1p(rate[i] * expm1(1)); /* of any release that replacing moves by 1 */
                for (double epsilon = 0.6 * end; epsilon < 1.6 * end; epsilon += 0.43 * end) {
                    long double reached = 0, x = expl(epsilon);
                    for (int a = 0; a < CELLS; a++)
                        for (int b = 0; b < CELLS; b++) reached += fmaxl(0, p[a] * p[b] - x * r[a] * r[b]);
                    dpn_delta got = ask(&step, 1, epsilon);
                    if (reached > 1e-9L) assert_covers(got, reached * (1 - 1e-6L), noise[n], rate[i], 2, epsilon);
                    beyond += epsilon > end && reached > 1e-6L;
                }
            }
    assert_true(beyond > 5);
}

/* An answer with three outcomes, released from a batch of one record: up, down and idle are what a record of each kind makes of it. They are
 * within e of each other at every outcome, so that replacing the record of the batch costs a pure loss of 1. */
enum { OUTCOMES = 3, COPIES = 100 };
static const long double up[OUTCOMES] = {0.27L, 0.1L, 0.63L}, down[OUTCOMES] = {0.1L, 0.27L, 0.63L},
                         idle[OUTCOMES] = {0.11L, 0.11L, 0.78L};

/* delta of n steps if a record of one kind is replaced by one of another among records of the kind `others`: all counts of the outcomes. */
static long double outcomes_apart(const long double *from, const long double *to, const long double *others,
                                  long double q, int n, long double epsilon) {
    long double log_p[OUTCOMES], log_r[OUTCOMES], sum = 0;
    for (int k = 0; k < OUTCOMES; k++) {
        log_p[k] = logl(q * from[k] + (1 - q) * others[k]);
        log_r[k] = logl(q * to[k] + (1 - q) * others[k]);
    }
    for (int i = 0; i <= n; i++)
        for (int j = 0; i + j <= n; j++) {
            long double rest = n - i - j, ways = lgammal(n + 1) - lgammal(i + 1) - lgammal(j + 1) - lgammal(rest + 1);
            long double p = i * log_p[0] + j * log_p[1] + rest * log_p[2];
            long double r = i * log_r[0] + j * log_r[1] + rest * log_r[2];
            sum += fmaxl(0, expl(ways + p) - expl(ways + epsilon + r));
        }
    return sum;
}

/* Lebeda and others 2024: among all data, those are the worst for one step, at every epsilon >= 0 at which a step loses anything, whose other
 * records are like the replacement; yet many steps of them lose less than many steps among idle records. The bound must cover these. */
static void test_worst_data_of_one_step_do_not_compose(void **state) {
    (void)state;
    static const long double *const kind[] = {up, down, idle};
    double rate = 0.2, epsilon = 0.5;
    for (long double one = 0; one < 0.3L; one += 0.05L)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                for (int m = 0; m < 3; m++) /* mixtures of kinds are not worse: delta is convex */
                    assert_true(outcomes_apart(kind[i], kind[k], kind[m], rate, 1, one) <=
                                outcomes_apart(up, down, down, rate, 1, one) * (1 + 1e-15L));
    assert_true(outcomes_apart(up, down, idle, rate, 1, 0.1L) < 0.98L * outcomes_apart(up, down, down, rate, 1, 0.1L));
    long double alike = fmaxl(outcomes_apart(up, down, down, rate, COPIES, epsilon),
                              outcomes_apart(down, up, down, rate, COPIES, epsilon));
    long double among_idle = outcomes_apart(up, down, idle, rate, COPIES, epsilon);
    if (!(among_idle > 1.05L * alike)) fail_msg("the worst data of one step compose: %Lg, %Lg", alike, among_idle);
    dpn_replace_step step = {pure_loss(1), pure_loss(1), rate, COPIES, true};
    assert_covers(ask(&step, 1, epsilon), among_idle, "idle records", rate, COPIES, epsilon);
}

/* So many that other bounds take the place of the FFT: the best data are known to be as bad as binary answers show, and a little worse. */
static void test_many_steps(void **state) {
    (void)state;
    int times = 100000;
    double rate = 0.002, s = 0.5;
    dpn_replace_step step = {law_loss("gaussian(sigma=1)", 2 * s), law_loss("gaussian(sigma=1)", s), rate,
                             (uint64_t)times, false};
    dpn_argument argument;
    dpn_delta got;
    assert_int_equal(dpn_sampling_replace_delta(&got, &argument, workspace, &step, 1, 1.5, NULL, NULL), DPN_OK);
    assert_int_equal(argument, DPN_ARGUMENT_CORNER);
    /* The sign of the noisy answer tells p from 1 - p. */
    long double p = (1 - (long double)rate) * 0.5L + (long double)rate * normal(s), truth = 0;
    long double away =
        (2 * p - 1) * sqrtl(times); /* binomial laws are normal ones here, to a few parts in a thousand */
    truth = gaussian_profile(2 * away, expl(1.5L));
    assert_true(got.upper >= truth * 0.99L && got.lower <= got.upper && got.upper < 0.2);
    step.present = step.replaced;
    step.fixed = true;
    assert_int_equal(dpn_sampling_replace_delta(&got, &argument, workspace, &step, 1, 1.5, NULL, NULL), DPN_OK);
    assert_int_equal(argument, DPN_ARGUMENT_BOUND);
    assert_true(got.upper >= truth * 0.99L && got.upper < 0.5);
}

/* ---- epsilon, kinds of steps, the edges ---- */

static void test_epsilon_inverts(void **state) {
    (void)state;
    dpn_replace_step step[2] = {
        {law_loss("gaussian(sigma=2)", 2), law_loss("gaussian(sigma=2)", 1), 0.05, 20, false},
        {law_loss("gaussian(sigma=3)", 2), law_loss("gaussian(sigma=3)", 2), 0.1, 5, true},
    };
    dpn_epsilon epsilon;
    assert_int_equal(dpn_sampling_replace_epsilon(&epsilon, NULL, workspace, step, 2, 1e-5, NULL, NULL), DPN_OK);
    assert_true(epsilon.lower <= epsilon.upper && epsilon.upper < 5);
    assert_true(ask(step, 2, epsilon.upper).upper <= 1e-5 * (1 + 1e-12));
    assert_true(ask(step, 2, 0.999 * epsilon.upper).upper > 1e-5);
    assert_true(ask(step, 2, 1.001 * epsilon.lower).lower <= 1e-5);
}

static void test_rate_1_is_the_release_itself(void **state) {
    (void)state;
    dpn_replace_step step = {law_loss("gaussian(sigma=3)", 2), law_loss("gaussian(sigma=3)", 1), 1, 4, false};
    dpn_part part = {step.replaced, 4};
    dpn_delta plain;
    assert_int_equal(dpn_compose_delta(&plain, workspace, &part, 1, 0.7, NULL, NULL), DPN_OK);
    double got = ask(&step, 1, 0.7).upper;
    if (!(got >= plain.lower && got <= plain.upper * (1 + 2e-4)))
        fail_msg("%.17g, not in [%.17g, %.17g]", got, plain.lower, plain.upper);
}

static void test_refusals(void **state) {
    (void)state;
    dpn_delta delta;
    dpn_replace_step far = {pure_loss(2.1), pure_loss(1), 0.1, 1, false},
                     near = {pure_loss(0.9), pure_loss(1), 0.1, 1, false};
    dpn_replace_step other = {law_loss("gaussian(sigma=3)", 1), law_loss("gaussian(sigma=2)", 1), 0.1, 1, false};
    dpn_replace_step stairs = {law_loss("staircase(epsilon=1,sensitivity=2,gamma=0.4)", 2),
                               law_loss("staircase(epsilon=1,sensitivity=2,gamma=0.4)", 1), 0.1, 1, false};
    assert_int_equal(dpn_sampling_replace_delta(&delta, NULL, workspace, &far, 1, 1, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_sampling_replace_delta(&delta, NULL, workspace, &near, 1, 1, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_sampling_replace_delta(&delta, NULL, workspace, &other, 1, 1, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_sampling_replace_delta(&delta, NULL, workspace, &stairs, 1, 1, NULL, NULL), DPN_EUNSUPPORTED);
    stairs.fixed = true;
    assert_int_equal(dpn_sampling_replace_delta(&delta, NULL, workspace, &stairs, 1, 1, NULL, NULL), DPN_OK);
    near.present = near.replaced;
    near.rate = 0;
    assert_int_equal(dpn_sampling_replace_delta(&delta, NULL, workspace, &near, 1, 0, NULL, NULL), DPN_OK);
    assert_true(delta.upper == 0);
}

/* ---- training ---- */

/* A search for epsilon passes places where delta is out of reach, and has to come back from there. The references are those of
 * tests/reference/replaced-samples.py, which adds up the losses of a fine grid of outputs and knows nothing of profiles. */
static void test_training(void **state) {
    (void)state;
    static const struct {
        const char *law;
        double rate, delta, epsilon;
        uint64_t times;
        double width; /* at most */
    } run[] = {{"gaussian(sigma=1.3)", 0.00416667, 1e-5, 1.535102, 3600, 2e-3},
               {"gaussian(sigma=2)", 0.05, 1e-8, 14.528380, 2000, 2e-3},
               {"gaussian(sigma=1.1)", 0.01, 1e-5, 9.422297, 10000, 2e-3},
               {"gaussian(sigma=1)", 0.001, 1e-6, 1.321985, 20000, 0.3}};
    for (int i = 0; i < points(4, 4); i++) { /* a second each */
        dpn_replace_step step = {.replaced = law_loss(run[i].law, 2),
                                 .present = law_loss(run[i].law, 1),
                                 .rate = run[i].rate,
                                 .times = run[i].times};
        dpn_epsilon got;
        dpn_error why;
        if (dpn_sampling_replace_epsilon(&got, NULL, workspace, &step, 1, run[i].delta, NULL, &why))
            fail_msg("%s: %s", run[i].law, why.sentence);
        if (!(got.lower <= run[i].epsilon + 5e-6 && got.upper >= run[i].epsilon - 5e-6 &&
              got.upper - got.lower < run[i].width))
            fail_msg("%s: [%.9g, %.9g], not %.7g", run[i].law, got.lower, got.upper, run[i].epsilon);
    }
}

/* Losses too large for a grid: nobody loses more than the chance to be in a sample, and not more than without samples. */
static void test_losses_beyond_the_grid(void **state) {
    (void)state;
    dpn_part part = {law_loss("gaussian(sigma=0.001)", 2), 10};
    double log_seen = log(-expm1(10 * log1p(-1e-5)));
    for (int fixed = 0; fixed < 2; fixed++) {
        dpn_replace_step step = {part.loss, law_loss("gaussian(sigma=0.001)", 1), 1e-5, 10, fixed};
        dpn_delta delta, all;
        dpn_epsilon epsilon, whole;
        for (double e = 1; e < 3e7; e += 1.01e7) {
            assert_int_equal(dpn_sampling_replace_delta(&delta, NULL, workspace, &step, 1, e, NULL, NULL), DPN_OK);
            assert_int_equal(dpn_compose_delta(&all, workspace, &part, 1, e, NULL, NULL), DPN_OK);
            assert_true(fabs(delta.log_upper - log_seen - all.log_upper) <= 1e-9 * (1 - all.log_upper));
            assert_true(delta.log_lower <= delta.log_upper);
        }
        assert_int_equal(dpn_sampling_replace_delta(&delta, NULL, workspace, &step, 1, -1, NULL, NULL), DPN_EACCURACY);
        assert_int_equal(dpn_sampling_replace_epsilon(&epsilon, NULL, workspace, &step, 1, 1e-12, NULL, NULL), DPN_OK);
        assert_int_equal(dpn_compose_epsilon(&whole, workspace, &part, 1, 1e-8, NULL, NULL), DPN_OK);
        assert_true(epsilon.lower <= epsilon.upper && fabs(epsilon.upper - whole.upper) <= 1e-4 * whole.upper);
    }
}

/* What a record of a fixed batch moves by leaving is not looked at, whatever it says, wherever the batches stand among other steps, and also where no composition can
 * be had: nobody leaves a batch. */
static void test_batches_have_no_absent(void **state) {
    (void)state;
    static const uint64_t times[] = {1, 20000000};
    static const double epsilon[] = {2, 40};
    for (size_t t = 0; t < 2; t++)
        for (int order = 0; order < 2; order++)
            for (size_t e = 0; e < 2; e++) {
                dpn_delta got[2];
                for (int small = 0; small < 2; small++) {
                    dpn_replace_step step[2];
                    step[order] = (dpn_replace_step){law_loss("gaussian(sigma=2)", 2), law_loss("gaussian(sigma=2)", 1),
                                                     0.01, times[t], false};
                    step[1 - order] =
                        (dpn_replace_step){law_loss("gaussian(sigma=3)", 2),
                                           law_loss("gaussian(sigma=3)", small ? 1e-9 : 2), 0.02, times[t], true};
                    got[small] = ask(step, 2, epsilon[e]);
                }
                assert_true(got[0].upper == got[1].upper && got[0].log_upper == got[1].log_upper);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_step_of_a_batch),
        cmocka_unit_test(test_one_step_of_pure_losses),
        cmocka_unit_test(test_one_step_of_worst_records),
        cmocka_unit_test(test_negative_epsilon_mirrors),
        cmocka_unit_test(test_fixed_batches_of_a_pure_loss),
        cmocka_unit_test(test_renyi_divergences),
        cmocka_unit_test(test_chernoff_is_no_less_than_delta),
        cmocka_unit_test(test_many_steps),
        cmocka_unit_test(test_no_table_is_less_private),
        cmocka_unit_test(test_antipodal_records),
        cmocka_unit_test(test_removing_moves_further_than_replacing),
        cmocka_unit_test(test_worst_data_of_one_step_do_not_compose),
        cmocka_unit_test(test_epsilon_inverts),
        cmocka_unit_test(test_rate_1_is_the_release_itself),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_training),
        cmocka_unit_test(test_losses_beyond_the_grid),
        cmocka_unit_test(test_batches_have_no_absent),
    };
    return cmocka_run_group_tests(tests, make_workspace, free_workspace);
}
