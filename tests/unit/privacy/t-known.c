/* Compositions of guarantees against their worst mechanisms, enumerated in multiple precision. */
#include <dpnoise/guarantees.h>

#include "privacy/renyi/curve.h"
#include "reference/draw.h"
#include "reference/real.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

static dpn_workspace *workspace;

static dpn_guarantee approximate(double epsilon, double delta) {
    return (dpn_guarantee){.notion = DPN_APPROXIMATE, .epsilon = epsilon, .delta = delta};
}

static dpn_delta delta_of(const dpn_part *part, size_t parts, const dpn_known *known, size_t count, double epsilon,
                          dpn_argument *argument) {
    dpn_delta out;
    dpn_error why;
    if (dpn_compose_known_delta(&out, argument, workspace, part, parts, known, count, epsilon, NULL, &why))
        fail_msg("%s", why.sentence);
    return out;
}

static dpn_epsilon epsilon_of(const dpn_known *known, size_t count, double delta) {
    dpn_epsilon out;
    dpn_error why;
    if (dpn_compose_known_epsilon(&out, NULL, workspace, NULL, 0, known, count, delta, NULL, &why))
        fail_msg("%s", why.sentence);
    return out;
}

static void expect_inside(const dpn_delta *got, real truth, double width, const char *what) {
    double value = r_double(truth);
    bool inside = !r_less(truth, r_num(got->lower)) && !r_less(r_num(got->upper), truth);
    if (!inside) fail_msg("%s: %.17g is not in [%.17g, %.17g]", what, value, got->lower, got->upper);
    if (got->upper - got->lower > width * got->upper) fail_msg("%s: %g wide", what, got->upper - got->lower);
}

/* ---- The worst mechanisms, one by one ---- */

/* A mechanism that tells the table with probability d, and else a coin that is right with probability e^e/(1 + e^e). */
struct worst {
    double epsilon, delta;
};

/* delta(epsilon) of n of them: the sum over all 3^n outcomes of (P - e^epsilon Q)+, from the probabilities alone. */
static real enumerate(const struct worst *worst, size_t n, double epsilon) {
    real sum = r_num(0);
    size_t outcomes = 1;
    for (size_t i = 0; i < n; i++) outcomes *= 3;
    for (size_t outcome = 0; outcome < outcomes; outcome++) {
        real p = r_num(1), q = r_num(1);
        for (size_t i = 0, rest = outcome; i < n; i++, rest /= 3) {
            real left = r_sub(r_num(1), r_num(worst[i].delta)), odds = r_exp(r_num(worst[i].epsilon));
            real right = r_div(r_mul(left, odds), r_plus(odds, 1)), wrong = r_div(left, r_plus(odds, 1));
            p = r_mul(p, rest % 3 == 0 ? r_num(worst[i].delta) : rest % 3 == 1 ? right : wrong);
            q = r_mul(q, rest % 3 == 0 ? r_num(0) : rest % 3 == 1 ? wrong : right);
        }
        real excess = r_sub(p, r_mul(r_exp(r_num(epsilon)), q));
        if (r_sign(excess) > 0) sum = r_add(sum, excess);
    }
    return sum;
}

static void different_guarantees_compose_as_their_worst(void **state) {
    (void)state;
    draw_source source = {20};
    for (int i = 0; i < 60; i++) {
        size_t mark = r_mark(), n = 1 + draw_bits(&source) % 5;
        struct worst worst[5];
        dpn_known known[5];
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            worst[k] = (struct worst){draw_uniform(&source, 0.01, 2),
                                      draw_chance(&source, 0.3) ? 0 : draw_log_uniform(&source, 1e-9, 0.4)};
            known[k] = (dpn_known){approximate(worst[k].epsilon, worst[k].delta), 1};
            sum += worst[k].epsilon;
        }
        double epsilon = draw_uniform(&source, -0.2, 1.1) * sum;
        dpn_argument argument;
        dpn_delta got = delta_of(NULL, 0, known, n, epsilon, &argument);
        expect_inside(&got, enumerate(worst, n, epsilon), 1e-5, "different guarantees");
        assert_int_equal(argument, DPN_ARGUMENT_CORNER);
        r_release(mark);
    }
}

/* delta(epsilon) of n equal ones: 1 - (1-d)^n, and (1-d)^n times the positive part of a binomial sum. */
static real binomial(struct worst worst, unsigned n, real epsilon) {
    real odds = r_exp(r_num(worst.epsilon)), sum = r_num(0), ways = r_num(1);
    real whole = r_pow(r_plus(odds, 1), r_num(n));
    for (unsigned wrong = 0; wrong <= n; wrong++) {
        real p = r_pow(odds, r_num(n - wrong)), q = r_pow(odds, r_num(wrong));
        real excess = r_sub(p, r_mul(r_exp(epsilon), q));
        if (r_sign(excess) > 0) sum = r_add(sum, r_mul(ways, excess));
        ways = r_over(r_times(ways, n - wrong), wrong + 1);
    }
    real all = r_pow(r_sub(r_num(1), r_num(worst.delta)), r_num(n));
    return r_add(r_sub(r_num(1), all), r_mul(all, r_div(sum, whole)));
}

static void many_equal_guarantees_are_optimal(void **state) {
    (void)state;
    static const struct {
        struct worst worst;
        unsigned times;
        double delta, at_most;
    } row[] = {{{1, 0.001}, 30, 0.06, 22},
               {{1, 0.001}, 30, 0.1, 20},
               {{0.25, 0}, 50, 0.01, 5},
               {{0.1, 1e-8}, 500, 1e-5, 50},
               {{3, 1e-12}, 7, 1e-9, 21}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        size_t mark = r_mark();
        dpn_known known = {approximate(row[i].worst.epsilon, row[i].worst.delta), row[i].times};
        dpn_epsilon got = epsilon_of(&known, 1, row[i].delta);
        assert_true(got.upper <= row[i].at_most && got.upper - got.lower <= 1e-6 * got.upper);
        real target = r_num(row[i].delta);
        assert_false(r_less(target, binomial(row[i].worst, row[i].times, r_num(got.upper))));
        if (got.lower > 0) assert_false(r_less(binomial(row[i].worst, row[i].times, r_num(got.lower)), target));
        dpn_delta delta = delta_of(NULL, 0, &known, 1, got.upper / 2, NULL);
        expect_inside(&delta, binomial(row[i].worst, row[i].times, r_num(got.upper / 2)), 1e-5, "equal guarantees");
        r_release(mark);
    }
}

static void what_fails_too_often_has_no_epsilon(void **state) {
    (void)state;
    dpn_known known = {approximate(1, 0.001), 30};
    assert_true(isinf(epsilon_of(&known, 1, 0.02).lower));
    assert_true(isfinite(epsilon_of(&known, 1, 0.03).upper)); /* 1 - 0.999^30 = 0.02957 */
    dpn_delta infinite = delta_of(NULL, 0, &known, 1, INFINITY, NULL);
    expect_inside(&infinite, r_sub(r_num(1), r_pow(r_sub(r_num(1), r_num(0.001)), r_num(30))), 1e-12, "failure");
    /* A delta between the ends of that probability leaves an unknown rest, perhaps none: there is no answer. */
    dpn_epsilon epsilon;
    dpn_error why;
    double between = 0.5 * (infinite.lower + infinite.upper);
    assert_true(infinite.lower < between && between < infinite.upper);
    assert_int_equal(dpn_compose_known_epsilon(&epsilon, NULL, workspace, NULL, 0, &known, 1, between, NULL, &why),
                     DPN_EACCURACY);
    assert_non_null(strstr(why.sentence, "too close"));
    known.times = 0;
    assert_true(delta_of(NULL, 0, &known, 1, 0, NULL).upper == 0);
}

/* More releases than a double can count. The losses of randomised response at 1 are 1 or -1, of mean tanh(1/2) and standard deviation
 * 0.887: the sum of 10^16 is within 10^9 of 10^16 tanh(1/2) but for 1e-25 (Hoeffding), and above it with probability 1/2. Of delta
 * 1 - (1 - 1e-18)^(10^16) = 1 - e^-0.01 tells all. */
static void countless_guarantees_have_an_answer(void **state) {
    (void)state;
    dpn_known known = {approximate(1, 1e-18), 10000000000000000u};
    double mean = 1e16 * tanh(0.5), fails = -expm1(-0.01);
    dpn_epsilon got = epsilon_of(&known, 1, 0.02);
    assert_true(got.lower <= mean && got.upper >= mean && got.upper <= mean * (1 + 1e-6));
    assert_true(isinf(epsilon_of(&known, 1, 0.0099).lower));
    dpn_delta above = delta_of(NULL, 0, &known, 1, mean * (1 + 1e-6), NULL),
              below = delta_of(NULL, 0, &known, 1, mean * (1 - 1e-6), NULL);
    assert_true(above.lower <= fails && above.upper >= fails && above.upper <= fails * (1 + 1e-6));
    assert_true(below.upper >= 0.5 && below.lower <= 1); /* the truth is 1 */
    dpn_delta last = delta_of(NULL, 0, &known, 1, 1e16, NULL);
    assert_true(last.upper >= fails && last.upper <= fails * (1 + 1e-9));
}

/* The worst of one guarantee tells all with probability d and is randomised response else: delta(e) = d + (1 - d)(e^E - e^e)/(1 + e^E), which
 * is solved for e. Both ends are near it, and on their sides. */
static void one_guarantee_is_inverted(void **state) {
    static const double epsilons[] = {0.1, 1, 4}, fails[] = {1e-9, 1e-3, 0.2, 0.6};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 4; j++)
            for (double share = 0.1; share < 1; share += 0.2) {
                double top = exp(epsilons[i]), at_zero = (top - 1) / (top + 1), left = share * at_zero;
                dpn_known known = {approximate(epsilons[i], fails[j]), 1};
                dpn_epsilon got = epsilon_of(&known, 1, fails[j] + (1 - fails[j]) * left);
                double truth = log(top - left * (1 + top));
                if (!(got.lower <= truth + 1e-9 && got.upper >= truth - 1e-9 && got.upper - got.lower < 1e-6))
                    fail_msg("%g, %g, %g: %.17g is not in [%.17g, %.17g]", epsilons[i], fails[j], share, truth,
                             got.lower, got.upper);
            }
}

/* Gaussian guarantees add their squares, and noise is what it guarantees. */
static void gaussian_guarantees_add_squares(void **state) {
    (void)state;
    dpn_law law;
    dpn_part part = {.times = 3};
    assert_int_equal(dpn_law_make(&law, "gaussian", (const double[]){2}, 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
    dpn_known known[2] = {{{.notion = DPN_GDP, .mu = 0.5}, 4}, {{.notion = DPN_GDP, .mu = 0.25}, 16}};
    /* 3/4 + 4/4 + 16/16 = 2.75, delta(1) = Phi(mu/2 - 1/mu) - e Phi(-mu/2 - 1/mu), mu = sqrt 2.75. */
    double mu = sqrt(2.75),
           truth = 0.5 * erfc((1 / mu - mu / 2) / sqrt(2)) - 0.5 * exp(1) * erfc((1 / mu + mu / 2) / sqrt(2));
    dpn_delta got = delta_of(&part, 1, known, 2, 1, NULL);
    if (!(got.lower <= truth * (1 + 1e-12) && got.upper >= truth * (1 - 1e-12) && got.upper - got.lower < 1e-10))
        fail_msg("%.17g is not in [%.17g, %.17g]", truth, got.lower, got.upper);
}

/* ---- Divergences ---- */

/* Of randomised response, from its probabilities. */
static double coin_divergence(double epsilon, double order) {
    real p = r_div(r_exp(r_num(epsilon)), r_plus(r_exp(r_num(epsilon)), 1)), q = r_sub(r_num(1), p);
    real power = r_num(order), less = r_num(order - 1);
    real sum = r_add(r_div(r_pow(p, power), r_pow(q, less)), r_div(r_pow(q, power), r_pow(p, less)));
    return nextafter(r_double(r_div(r_log(sum), less)), INFINITY);
}

/* Coins that have the guarantees given, together with noise: no bound may be below what they do, and none far above what the best
 * order of a fine walk proves. */
static void bounds_hold_for_coins(void **state) {
    (void)state;
    draw_source source = {21};
    for (int i = 0; i < 40; i++) {
        size_t mark = r_mark();
        double coin = draw_log_uniform(&source, 0.05, 1.5), order = draw_log_uniform(&source, 1.2, 60);
        double pure = draw_uniform(&source, 0.1, 1), fail = draw_chance(&source, 0.5) ? 0 : 1e-3;
        unsigned times = 1 + (unsigned)(draw_bits(&source) % 4);
        dpn_guarantee renyi = {.notion = DPN_RENYI, .order = order, .divergence = coin_divergence(coin, order)};
        dpn_guarantee zcdp = {.notion = DPN_ZCDP, .rho = nextafter(coin * tanh(coin / 2), INFINITY)};
        dpn_known known[2] = {{draw_chance(&source, 0.5) ? renyi : zcdp, times}, {approximate(pure, fail), 1}};
        struct worst worst[5] = {{pure, fail}};
        for (unsigned k = 0; k < times; k++) worst[k + 1] = (struct worst){coin, 0};
        double epsilon = draw_uniform(&source, -0.5, 1.5) * (times * coin + pure);
        dpn_argument argument;
        dpn_delta got = delta_of(NULL, 0, known, 2, epsilon, &argument);
        real truth = enumerate(worst, times + 1, epsilon);
        if (r_less(r_num(got.upper), truth)) fail_msg("%.17g is below %.17g", got.upper, r_double(truth));
        assert_int_equal(argument, DPN_ARGUMENT_BOUND);
        r_release(mark);
    }
}

/* Gaussian noise has the guarantee zcdp(mu^2/2): its own delta is within the interval, and is the lower end. */
static void gaussian_noise_is_the_lower_end(void **state) {
    (void)state;
    draw_source source = {22};
    for (int i = 0; i < 20; i++) {
        double mu = draw_log_uniform(&source, 0.1, 2), other = draw_log_uniform(&source, 0.1, 2);
        double epsilon = draw_uniform(&source, 0, 6);
        dpn_known same = {{.notion = DPN_GDP, .mu = mu}, 2};
        dpn_known known[2] = {{{.notion = DPN_ZCDP, .rho = mu * mu / 2}, 2}, {{.notion = DPN_GDP, .mu = other}, 1}};
        dpn_known truth[2] = {same, known[1]};
        dpn_delta exact = delta_of(NULL, 0, truth, 2, epsilon, NULL), got = delta_of(NULL, 0, known, 2, epsilon, NULL);
        assert_true(got.lower <= exact.upper && got.lower >= exact.lower * (1 - 1e-9));
        assert_true(got.upper >= exact.lower);
        /* Proposition 12 at every order of a fine walk: c_a exp((a-1)(a s - epsilon)), s = sum of mu^2/2. */
        double sum = mu * mu + other * other / 2, best = 0;
        for (double x = -8; x < 12; x += 0.01) {
            double less = exp2(x), a = 1 + less;
            best = fmin(best, less * (a * sum - epsilon) + less * log(less) - a * log(a));
        }
        assert_true(got.log_upper <= best + 1e-6 * (1 + fabs(best)));
    }
}

/* And one that has the divergence a mu^2/2 at the order a has no less of a Renyi guarantee of that order. */
static void gaussian_noise_is_the_lower_end_of_an_order(void **state) {
    (void)state;
    for (double order = 1.5; order < 100; order *= 3) {
        const double mu = 0.4;
        dpn_known same = {{.notion = DPN_GDP, .mu = mu}, 3},
                  known = {{.notion = DPN_RENYI, .order = order, .divergence = order * mu * mu / 2}, 3};
        for (double epsilon = 0; epsilon < 3; epsilon += 0.5) {
            dpn_delta exact = delta_of(NULL, 0, &same, 1, epsilon, NULL);
            dpn_delta got = delta_of(NULL, 0, &known, 1, epsilon, NULL);
            if (!(got.lower <= exact.upper && got.lower >= exact.lower * (1 - 1e-9) && got.upper >= exact.lower))
                fail_msg("order %g at %g: [%g, %g], not %g", order, epsilon, got.lower, got.upper, exact.lower);
        }
    }
}

static void divergences_add(void **state) {
    (void)state;
    dpn_known known[4] = {{{.notion = DPN_ZCDP, .xi = 0.1, .rho = 0.2}, 3},
                          {{.notion = DPN_RENYI, .order = 8, .divergence = 0.3}, 2},
                          {{.notion = DPN_GDP, .mu = 0.5}, 1},
                          {{.notion = DPN_PURE, .epsilon = 1}, 1}};
    double order[3] = {2, 8, 9};
    dpn_divergence got[3];
    dpn_zcdp zcdp;
    assert_int_equal(dpn_compose_known_renyi(got, NULL, 0, known, 4, order, 3, NULL), DPN_OK);
    for (int i = 0; i < 2; i++) {
        double truth = 3 * (0.1 + order[i] * 0.2) + 2 * 0.3 + order[i] / 8 + coin_divergence(1, order[i]);
        assert_true(got[i].upper >= truth * (1 - 1e-15) && got[i].upper <= truth * (1 + 1e-11));
        assert_true(got[i].lower <= truth && got[i].lower >= truth - (i == 0 ? 0.6 : 0) - 1e-11);
    }
    assert_true(isinf(got[2].upper) && isfinite(got[2].lower));
    assert_int_equal(dpn_compose_known_zcdp(&zcdp, NULL, 0, known, 4, NULL), DPN_EUNSUPPORTED);
    known[1].times = 0;
    assert_int_equal(dpn_compose_known_zcdp(&zcdp, NULL, 0, known, 4, NULL), DPN_OK);
    double rho = 0.6 + 0.125 + tanh(0.5);
    assert_true(zcdp.xi >= 0.3 && zcdp.xi <= 0.3 + 1e-12 && zcdp.rho >= rho && zcdp.rho <= rho + 1e-11);
}

/* ---- Refusals ---- */

static void what_makes_no_sense_is_refused(void **state) {
    (void)state;
    static const double value[] = {-1, 1}, probability[] = {0.2689414213699951, 0.7310585786300049};
    dpn_part part = {.times = 1};
    dpn_known known = {{.notion = DPN_ZCDP, .rho = 0.1}, 1};
    dpn_delta delta = {7, 7, 7, 7};
    dpn_epsilon epsilon = {7, 7};
    assert_int_equal(dpn_loss_explicit(&part.loss, value, probability, 2, NULL), DPN_OK);
    assert_int_equal(dpn_compose_known_delta(&delta, NULL, workspace, &part, 1, &known, 1, 1, NULL, NULL),
                     DPN_EUNSUPPORTED);
    assert_int_equal(dpn_compose_known_delta(&delta, NULL, workspace, NULL, 0, NULL, 1, 1, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_compose_known_delta(&delta, NULL, workspace, NULL, 0, &known, 1, NAN, NULL, NULL),
                     DPN_EDOMAIN);
    assert_int_equal(dpn_compose_known_epsilon(&epsilon, NULL, workspace, NULL, 0, &known, 1, 1.5, NULL, NULL),
                     DPN_EDOMAIN);
    known.guarantee.rho = -1;
    assert_int_equal(dpn_compose_known_delta(&delta, NULL, workspace, NULL, 0, &known, 1, 1, NULL, NULL), DPN_EDOMAIN);
    assert_true(delta.upper == 7 && epsilon.upper == 7);
}

/* ---- Noise with infinite losses ---- */

/* The probabilities of truncated-geometric(e, n, theta) at -n .. n, from its definition. */
enum { MOST_ENDS = 12 };

struct ends {
    int n;
    double at[2 * MOST_ENDS + 1];
};

static struct ends geometric_ends(double e, int n, double theta) {
    struct ends out = {.n = n};
    for (int m = n - 1; m <= n; m++) {
        double total = 0;
        for (int k = -m; k <= m; k++) total += exp(-e * abs(k));
        for (int k = -m; k <= m; k++) out.at[k + n] += (m == n ? theta : 1 - theta) * exp(-e * abs(k)) / total;
    }
    return out;
}

/* Q(k) of the noise, P(k) of the noise moved by d. */
static double at_place(const struct ends *ends, int k) {
    return abs(k) <= ends->n ? ends->at[k + ends->n] : 0;
}

/* H(e^epsilon) of N(mu, 1) against N(0, 1). */
static double gaussian_delta(double mu, double epsilon) {
    double z = epsilon / mu, root = sqrt(0.5);
    return 0.5 * erfc((z - mu / 2) * root) - exp(epsilon) * 0.5 * erfc((z + mu / 2) * root);
}

/* The noise `times` times and N(mu, 1): every outcome, of which some have an infinite loss. */
static double enumerate_noise(const struct ends *ends, int d, int times, double mu, double p, double loss,
                              double epsilon) {
    if (times == 0) return p * gaussian_delta(mu, epsilon - loss);
    double sum = 0;
    for (int k = -ends->n; k <= ends->n + d; k++) {
        double here = at_place(ends, k - d), there = at_place(ends, k);
        if (here > 0)
            sum += there > 0 ? enumerate_noise(ends, d, times - 1, mu, p * here, loss + log(here / there), epsilon)
                             : p * here;
    }
    return sum;
}

/* Proposition 12 over a fine walk of orders, for the noise given that no loss is infinite, and zcdp(mu^2/2); with what is infinite. */
static double walk_of_orders(const struct ends *ends, int d, int times, double mu, double epsilon) {
    double finite = 0, best = 0;
    for (int k = -ends->n + d; k <= ends->n; k++) finite += at_place(ends, k - d);
    for (double x = -6; x < 9; x += 0.01) {
        double less = exp2(x), a = 1 + less, moment = 0;
        for (int k = -ends->n + d; k <= ends->n; k++)
            moment += at_place(ends, k - d) / finite * pow(at_place(ends, k - d) / at_place(ends, k), less);
        double sum = times * log(moment) / less + a * mu * mu / 2;
        best = fmin(best, less * (sum - epsilon) + less * log(less) - a * log(a));
    }
    return 1 - pow(finite, times) + pow(finite, times) * exp(best);
}

static dpn_part noise_part(const char *text, double sensitivity, uint64_t times) {
    dpn_law law;
    dpn_part part = {.times = times};
    assert_int_equal(dpn_law_parse(&law, text, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&part.loss, &law, sensitivity, NULL), DPN_OK);
    return part;
}

/* The divergences of what is finite, by their definition. */
static void finite_divergences_are_those_of_the_overlap(void **state) {
    (void)state;
    draw_source source = {25};
    for (int i = 0; i < 60; i++) {
        double order = draw_chance(&source, 0.2) ? 1 : 1 + draw_log_uniform(&source, 0.01, 50);
        double e = draw_log_uniform(&source, 0.05, 2), theta = draw_uniform(&source, 0.05, 1), less = order - 1;
        int n = 2 + (int)(draw_bits(&source) % (MOST_ENDS - 1)), d = 1 + (int)(draw_bits(&source) % 3);
        char text[2][120];
        snprintf(text[0], sizeof text[0], "truncated-geometric(epsilon=%.17g,n=%d,theta=%.17g)", e, n, theta);
        snprintf(text[1], sizeof text[1], "truncated-laplace(scale=%.17g,bound=%d)", 1 / e, n);
        dpn_part part[2] = {noise_part(text[0], d, 1), noise_part(text[1], 0.9 * d, 3)};
        struct ends ends = geometric_ends(e, n, theta);
        double finite = 0, sum = 0, truth[2], shift = 0.9 * d * e, bound = n * e;
        for (int k = -n + d; k <= n; k++) finite += at_place(&ends, k - d);
        for (int k = -n + d; k <= n; k++) {
            double p = at_place(&ends, k - d) / finite, loss = log(at_place(&ends, k - d) / at_place(&ends, k));
            sum += p * (less > 0 ? expm1(less * loss) : loss);
        }
        truth[0] = less > 0 ? log1p(sum) / less : sum;
        double rest = fmax(0, -expm1(-(bound - shift))), inner = fmin(shift, 2 * bound - shift), total = 0;
        /* outer losses +-shift, and in the middle, |t| < inner/2, the loss 2t at density e^t: by Simpson's rule */
        enum { CUTS = 4000 };
        double top =
            rest * (less > 0 ? expm1(less * shift) + exp(-shift) * expm1(-less * shift) : shift - shift * exp(-shift));
        total = rest * (1 + exp(-shift));
        for (int k = 0; k <= CUTS; k++) {
            double t = inner * ((double)k / CUTS - 0.5), weight = inner / CUTS / 3 *
                                                                  (k % CUTS == 0 ? 1
                                                                   : k % 2       ? 4
                                                                                 : 2);
            double mass = weight * exp(t - 0.5 * shift);
            total += mass;
            top += mass * (less > 0 ? expm1(less * 2 * t) : 2 * t);
        }
        truth[1] = 3 * (less > 0 ? log1p(top / total) / less : top / total);
        for (int k = 0; k < 2; k++) {
            dpn_divergence got;
            dpn_error why;
            if (dpn_renyi_compose_finite(&got, &part[k], 1, &order, 1, &why)) fail_msg("%s: %s", text[k], why.sentence);
            double rounding = 1e-9 * truth[k] + 1e-13;
            if (!(got.lower <= truth[k] + rounding && got.upper >= truth[k] - rounding &&
                  got.upper - got.lower <= 1e-8 * got.upper))
                fail_msg("%s by %d, order %.17g: [%.17g, %.17g], not %.17g", text[k], d, order, got.lower, got.upper,
                         truth[k]);
        }
    }
}

/* Beside a guarantee of divergences, which Gaussian noise has: no bound below what that does with the noise, and none far above the
 * walk of orders. */
static void infinite_losses_are_set_apart(void **state) {
    (void)state;
    draw_source source = {23};
    for (int i = 0; i < 40; i++) {
        double e = draw_log_uniform(&source, 0.1, 2), theta = draw_uniform(&source, 0.05, 1);
        double mu = draw_log_uniform(&source, 0.1, 1.5);
        int n = 2 + (int)(draw_bits(&source) % (MOST_ENDS - 1)), d = 1 + (int)(draw_bits(&source) % 3);
        int times = 1 + (int)(draw_bits(&source) % 3);
        char text[120];
        snprintf(text, sizeof text, "truncated-geometric(epsilon=%.17g,n=%d,theta=%.17g)", e, n, theta);
        dpn_part part = noise_part(text, d, (uint64_t)times);
        dpn_known known = {{.notion = DPN_ZCDP, .rho = nextafter(mu * mu / 2, INFINITY)}, 1};
        struct ends ends = geometric_ends(e, n, theta);
        double epsilon = draw_uniform(&source, 0, 1.2) * (times * d * e + mu);
        dpn_argument argument;
        dpn_delta got = delta_of(&part, 1, &known, 1, epsilon, &argument);
        double truth = enumerate_noise(&ends, d, times, mu, 1, 0, epsilon);
        double most = walk_of_orders(&ends, d, times, mu, epsilon);
        double rounding = 1e-11 * truth + 1e-15; /* of the sums here */
        if (!(got.upper >= truth - rounding && got.lower <= truth + rounding && got.upper <= most * (1 + 1e-5)))
            fail_msg("%s, %d times by %d, at %g: [%.17g, %.17g], %.17g, %.17g", text, times, d, epsilon, got.lower,
                     got.upper, truth, most);
        assert_int_equal(argument, DPN_ARGUMENT_BOUND);
        /* and back: at the epsilon of this delta it is not larger */
        dpn_epsilon back;
        assert_int_equal(dpn_compose_known_epsilon(&back, NULL, workspace, &part, 1, &known, 1, most, NULL, NULL),
                         DPN_OK);
        assert_true(back.upper <= epsilon * (1 + 1e-4) + 1e-4 && back.lower <= back.upper);
        assert_true(enumerate_noise(&ends, d, times, mu, 1, 0, back.upper) <= most + rounding);
    }
}

/* On the reals: with the overlap [d - b, b] of length w = 2b - d cut into d in the middle and the rest, the loss is d/scale, or runs evenly. */
static double laplace_walk(double b, double d, double mu, double epsilon) {
    double rest = -expm1(-(b - d)), middle = -expm1(-d), whole = 2 * -expm1(-b);
    double finite = (rest * (1 + exp(-d)) + middle) / whole, best = 0;
    for (double x = -6; x < 9; x += 0.01) {
        double less = exp2(x), a = 1 + less;
        double moment =
            rest * (exp(less * d) + exp(-a * d)) + exp(less * d) * -expm1(-(1 + 2 * less) * d) / (1 + 2 * less);
        double sum = log(moment / (whole * finite)) / less + a * mu * mu / 2;
        best = fmin(best, less * (sum - epsilon) + less * log(less) - a * log(a));
    }
    return 1 - finite + finite * exp(best);
}

static void infinite_losses_on_the_reals(void **state) {
    (void)state;
    draw_source source = {24};
    for (int i = 0; i < 40; i++) {
        double d = draw_log_uniform(&source, 0.1, 2), b = d * draw_uniform(&source, 1.05, 12);
        double mu = draw_log_uniform(&source, 0.1, 1.5), epsilon = draw_uniform(&source, 0, 1.2) * (d + mu);
        char text[120];
        snprintf(text, sizeof text, "truncated-laplace(scale=1,bound=%.17g)", b);
        dpn_part part = noise_part(text, d, 1);
        dpn_known known = {{.notion = DPN_ZCDP, .rho = mu * mu / 2}, 1};
        dpn_delta got = delta_of(&part, 1, &known, 1, epsilon, NULL);
        double most = laplace_walk(b, d, mu, epsilon), truth = 0;
        /* N(mu, 1) beside it: the middle of each of many short pieces of the overlap, and what is infinite. */
        enum { PIECES = 20000 };
        double low = d - b, step = (2 * b - d) / PIECES, whole = 2 * -expm1(-b), finite = 0;
        for (int k = 0; k < PIECES; k++) {
            double t = low + (k + 0.5) * step, mass = exp(-fabs(t - d)) / whole * step;
            finite += mass;
            truth += mass * gaussian_delta(mu, epsilon - (fabs(t) - fabs(t - d)));
        }
        truth += 1 - finite;
        if (!(got.upper >= truth * (1 - 1e-5) && got.lower <= truth * (1 + 1e-5) && got.upper <= most * (1 + 1e-5)))
            fail_msg("%s by %g and %g, at %g: [%.17g, %.17g], %.17g, %.17g", text, d, mu, epsilon, got.lower, got.upper,
                     truth, most);
    }
}

/* Too many atoms to list: the coin with the largest loss. A delta below what is infinite has no epsilon. */
static void infinite_losses_at_the_edges(void **state) {
    (void)state;
    dpn_known known = {{.notion = DPN_ZCDP, .rho = 0.1}, 1};
    dpn_part many = noise_part("truncated-geometric(epsilon=0.0000001,n=900000000,theta=0.5)", 20000001, 1);
    dpn_known coin[2] = {known, {{.notion = DPN_PURE, .epsilon = 2.0000001 + log1p(1) + 1e-6}, 1}};
    dpn_delta got = delta_of(&many, 1, &known, 1, 3, NULL), most = delta_of(NULL, 0, coin, 2, 3, NULL);
    assert_true(got.upper > 0 && got.upper <= most.upper * (1 + 1e-6));
    dpn_part part = noise_part("truncated-laplace(scale=1,bound=9)", 1, 1);
    double infinite = exp(-9) * expm1(1) / (2 * -expm1(-9));
    dpn_epsilon epsilon;
    assert_int_equal(
        dpn_compose_known_epsilon(&epsilon, NULL, workspace, &part, 1, &known, 1, 0.999 * infinite, NULL, NULL),
        DPN_OK);
    assert_true(isinf(epsilon.lower) && isinf(epsilon.upper));
    assert_int_equal(
        dpn_compose_known_epsilon(&epsilon, NULL, workspace, &part, 1, &known, 1, 1.001 * infinite, NULL, NULL),
        DPN_OK);
    assert_true(isfinite(epsilon.upper) && epsilon.lower > 1);
    got = delta_of(&part, 1, &known, 1, INFINITY, NULL);
    assert_true(fabs(got.upper / infinite - 1) < 1e-10 && got.lower <= got.upper);
    dpn_part apart = noise_part("truncated-laplace(scale=1,bound=2)", 5, 1); /* nothing in common */
    assert_true(delta_of(&apart, 1, &known, 1, 3, NULL).upper == 1);
}

int main(void) {
    if (dpn_workspace_new(&workspace)) return 1;
    r_precision(256);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(different_guarantees_compose_as_their_worst),
        cmocka_unit_test(many_equal_guarantees_are_optimal),
        cmocka_unit_test(what_fails_too_often_has_no_epsilon),
        cmocka_unit_test(one_guarantee_is_inverted),
        cmocka_unit_test(gaussian_guarantees_add_squares),
        cmocka_unit_test(bounds_hold_for_coins),
        cmocka_unit_test(gaussian_noise_is_the_lower_end),
        cmocka_unit_test(gaussian_noise_is_the_lower_end_of_an_order),
        cmocka_unit_test(divergences_add),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(countless_guarantees_have_an_answer),
        cmocka_unit_test(finite_divergences_are_those_of_the_overlap),
        cmocka_unit_test(infinite_losses_are_set_apart),
        cmocka_unit_test(infinite_losses_on_the_reals),
        cmocka_unit_test(infinite_losses_at_the_edges),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dpn_workspace_free(workspace);
    r_free_all();
    return failed;
}
