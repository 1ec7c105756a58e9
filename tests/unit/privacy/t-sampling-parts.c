/* Sampled steps: what is refused and with which words, and the bounds that are left where nothing else serves, against sums over all atoms. */
#include "privacy/sampling/sampling.c" /* to see each piece */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_workspace *workspace;

static int make_workspace(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) ? -1 : 0;
}

static int free_workspace(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    return 0;
}

static dpn_part pure_part(double epsilon, uint64_t times) {
    dpn_part part = {.times = times};
    assert_int_equal(dpn_loss_pure(&part.loss, epsilon, NULL), DPN_OK);
    return part;
}

static dpn_part law_part(const char *text, double sensitivity, uint64_t times) {
    dpn_part part = {.times = times};
    static dpn_law law[8];
    static int next;
    law[next % 8] = case_law(text);
    assert_int_equal(dpn_loss_law(&part.loss, &law[next++ % 8], sensitivity, NULL), DPN_OK);
    return part;
}

/* ---- refusals ---- */

static void assert_refused(const dpn_step *step, size_t steps, dpn_workspace *room,
                           const dpn_accounting_options *options, double epsilon, double goal, dpn_status wanted,
                           const char *sentence) {
    dpn_delta delta = {7, 7, 7, 7};
    dpn_epsilon least = {7, 7};
    dpn_error why = {0};
    if (!isnan(goal)) {
        assert_int_equal(dpn_sampling_delta(&delta, room, step, steps, epsilon, options, &why), wanted);
        assert_string_equal(why.sentence, sentence);
        why = (dpn_error){0};
        assert_int_equal(dpn_sampling_epsilon(&least, room, step, steps, goal, options, &why), wanted);
        assert_string_equal(why.sentence, sentence);
    }
    assert_true(delta.lower == 7 && delta.upper == 7 && delta.log_lower == 7 && delta.log_upper == 7);
    assert_true(least.lower == 7 && least.upper == 7);
}

static void what_is_refused(void **state) {
    (void)state;
    dpn_part pure = pure_part(1, 1);
    dpn_step good = {&pure, 1, 0.1, 2};
    dpn_delta delta = {7, 7, 7, 7};
    dpn_epsilon least = {7, 7};
    dpn_error why;
    assert_refused(&good, 1, NULL, NULL, 1, 0.1, DPN_EDOMAIN, "sampling needs a workspace");
    assert_refused(NULL, 1, workspace, NULL, 1, 0.1, DPN_EDOMAIN, "step must not be NULL");
    assert_int_equal(dpn_sampling_delta(&delta, workspace, NULL, 0, 1, NULL, &why), DPN_OK);
    assert_true(delta.upper == 0);
    static const double bad[] = {-1e-300, 1.0000000001, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        dpn_step two[2] = {good, good};
        two[1].rate = bad[i];
        assert_refused(two, 2, workspace, NULL, 1, 0.1, DPN_EDOMAIN, "the sampling rate of step 1 must lie in [0, 1]");
        two[0].rate = bad[i];
        assert_refused(two, 2, workspace, NULL, 1, 0.1, DPN_EDOMAIN, "the sampling rate of step 0 must lie in [0, 1]");
    }
    static const double accuracies[] = {-1e-9, INFINITY, NAN};
    dpn_accounting_options options = {.size = sizeof options};
    for (int i = 0; i < 3; i++) {
        options.accuracy = accuracies[i];
        assert_refused(&good, 1, workspace, &options, 1, 0.1, DPN_EDOMAIN, "accuracy must be finite and not negative");
    }
    options.accuracy = 0;
    options.method = (dpn_method)3;
    assert_refused(&good, 1, workspace, &options, 1, 0.1, DPN_EDOMAIN, "method must be one of DPN_METHOD_*");
    delta = (dpn_delta){7, 7, 7, 7};
    assert_int_equal(dpn_sampling_delta(&delta, workspace, &good, 1, NAN, NULL, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "epsilon must be a number");
    assert_true(delta.lower == 7 && delta.log_upper == 7);
    static const double goals[] = {-1e-300, 1.0000000001, NAN};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dpn_sampling_epsilon(&least, workspace, &good, 1, goals[i], NULL, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "delta must lie in [0, 1]");
    }
    assert_true(least.lower == 7 && least.upper == 7);
    options = (dpn_accounting_options){.size = sizeof options, .method = DPN_METHOD_CONTOUR};
    dpn_part laplace = law_part("laplace(scale=1)", 1, 1);
    dpn_step other = {&laplace, 1, 0.1, 2};
    assert_refused(&other, 1, workspace, &options, 1, 0.1, DPN_EUNSUPPORTED,
                   "the contour sum serves sampled steps with Gaussian noise, or atoms, alone");
    static const double value[] = {-1, 1}, probability[] = {0.2689414213699951, 0.7310585786300049};
    dpn_part list = {.times = 1};
    assert_int_equal(dpn_loss_explicit(&list.loss, value, probability, 2, NULL), DPN_OK);
    for (int i = 0; i < 2; i++) {
        dpn_step explicit = {&list, 1, i ? 1 : 0.1, 2};
        assert_refused(&explicit, 1, workspace, NULL, 1, 0.1, DPN_EUNSUPPORTED, "explicit losses cannot be sampled");
        explicit.rate = 0; /* it is not looked at */
        assert_int_equal(dpn_sampling_delta(&delta, workspace, &explicit, 1, 1, NULL, &why), DPN_OK);
        assert_true(delta.upper == 0);
    }
    assert_int_equal(dpn_sampling_delta(&delta, workspace, &good, 1, -INFINITY, NULL, &why), DPN_OK);
    assert_true(delta.lower == 1 && delta.upper == 1 && delta.log_lower == 0 && delta.log_upper == 0);
}

/* ---- bounds that are left, for steps of pure losses: everything is a sum over atoms ---- */

enum { STEPS = 3 };
static const double pure[STEPS] = {0.7, 1.1, 1.6}, rate[STEPS] = {0.3, 0.5, 0.1};
static const uint64_t often[STEPS] = {2, 1, 3};

/* The losses of one direction, each step's copies one after another: at most 2^6 sums. */
static size_t sums_of(long double value[64], long double p[64], bool absent) {
    size_t count = 1;
    value[0] = 0;
    p[0] = 1;
    for (int k = 0; k < STEPS; k++)
        for (uint64_t n = 0; n < often[k]; n++, count *= 2)
            for (size_t i = 0; i < count; i++)
                for (int up = 1; up >= 0; up--) {
                    long double e = up ? pure[k] : -pure[k], likely = 1 / (1 + expl(-e)),
                                mixed = rate[k] * likely + (1 - (long double)rate[k]) * likely * expl(-e);
                    long double loss = log1pl(rate[k] * expm1l(e)), mass = absent ? likely * expl(-e) : mixed;
                    value[up ? count + i : i] = value[i] + (absent ? -loss : loss);
                    p[up ? count + i : i] = p[i] * mass;
                }
    return count;
}

static long double delta_of(bool absent, long double epsilon) {
    long double value[64], p[64], sum = 0;
    size_t count = sums_of(value, p, absent);
    for (size_t i = 0; i < count; i++) sum += value[i] > epsilon ? p[i] * -expm1l(epsilon - value[i]) : 0;
    return sum;
}

static long double largest(bool absent) {
    long double value[64], p[64], most = 0;
    size_t count = sums_of(value, p, absent);
    for (size_t i = 0; i < count; i++) most = fmaxl(most, value[i]);
    return most;
}

/* The least of c(theta) E e^(theta L) e^(-theta epsilon). */
static long double chernoff(bool absent, long double epsilon) {
    long double value[64], p[64], best = 1;
    size_t count = sums_of(value, p, absent);
    for (long double theta = 1e-3L; theta < 1e4L; theta *= 1.01L) {
        long double sum = 0;
        for (size_t i = 0; i < count; i++) sum += p[i] * expl(theta * (value[i] - epsilon));
        best = fminl(best, sum * expl(-theta * log1pl(1 / theta)) / (1 + theta));
    }
    return best;
}

static long double one_delta(int k, bool absent, long double epsilon) {
    long double sum = 0;
    for (int up = 0; up < 2; up++) {
        long double e = up ? pure[k] : -pure[k], likely = 1 / (1 + expl(-e)),
                    mixed = rate[k] * likely + (1 - (long double)rate[k]) * likely * expl(-e);
        long double loss = log1pl(rate[k] * expm1l(e)) * (absent ? -1 : 1), mass = absent ? likely * expl(-e) : mixed;
        sum += loss > epsilon ? mass * -expm1l(epsilon - loss) : 0;
    }
    return sum;
}

static long double by_shares(bool absent, long double epsilon) {
    long double sum = 0, all = 0;
    for (int k = 0; k < STEPS; k++) all += often[k];
    for (int k = 0; k < STEPS; k++) sum += often[k] * one_delta(k, absent, epsilon / all);
    return sum;
}

static void make_steps(dpn_step step[STEPS], dpn_part part[STEPS]) {
    for (int k = 0; k < STEPS; k++) {
        part[k] = pure_part(pure[k], 1);
        step[k] = (dpn_step){&part[k], 1, rate[k], often[k]};
    }
}

static void bounds_that_are_left(void **state) {
    (void)state;
    dpn_step step[STEPS];
    dpn_part part[STEPS];
    make_steps(step, part);
    for (int method = DPN_METHOD_AUTO; method <= DPN_METHOD_FFT; method++) { /* with lists of atoms and without */
        prepared *p;
        dpn_error why;
        assert_int_equal(open_steps(&p, workspace, step, STEPS, (dpn_method)method, &why), DPN_OK);
        bool listed = method != DPN_METHOD_FFT;
        assert_true((p->listed.count == STEPS) == listed && p->opened == !listed && p->steps == STEPS);
        assert_int_equal(open_bases(p, &why), DPN_OK);
        assert_true(p->opened && p->plan[0].parts == STEPS && p->mixtures[0].terms == 0 && !one_step_alone(p) &&
                    !has_integrals(p));
        assert_true(default_accuracy(p) == ACCURACY_SINGLE);
        for (int i = 0; i < 2; i++) {
            double top = largest_of(p, i);
            assert_true(top > largest(i) * (1 + 150 * DBL_EPSILON) && top < largest(i) * (1 + 300 * DBL_EPSILON));
            for (double epsilon = 0; epsilon < 3.2; epsilon += 0.0713) {
                double shares = log_of_shares(&p->plan[i], epsilon);
                long double truth = logl(by_shares(i, epsilon));
                if (isinf(truth))
                    assert_true(shares <= -1e299 || isinf(shares));
                else if (truth < -1e-3L)
                    assert_true(shares >= truth && shares <= truth + 1e-9L);
                assert_true(shares <= 0);
            }
        }
        for (double epsilon = -1.5; epsilon < 3; epsilon += 0.413) {
            dpn_delta delta;
            assert_int_equal(by_renyi(&delta, p, epsilon, &why), DPN_OK);
            case_ends(delta);
            long double least = epsilon < 0 ? -expm1l(epsilon) : 0,
                        truth = fmaxl(delta_of(false, epsilon), delta_of(true, epsilon)), most = 0;
            for (int i = 0; i < 2; i++) {
                for (int k = 0; k < STEPS; k++) least = fmaxl(least, one_delta(k, i, epsilon));
                if (epsilon < largest(i))
                    most = fmaxl(most, epsilon < 0 ? 1 : fminl(by_shares(i, epsilon), chernoff(i, epsilon)));
            }
            if (!(delta.lower <= truth && delta.upper >= truth))
                fail_msg("at %g: [%g, %g], not %Lg", epsilon, delta.lower, delta.upper, truth);
            assert_true(delta.lower <= least && (delta.lower >= least * (1 - 1e-9L)));
            if (listed && epsilon < 1.9) assert_true(delta.upper <= most * 1.3L + 1e-300L);
            if (!listed && epsilon >= 0)
                assert_true(delta.upper <= 1.0001L * fmaxl(by_shares(false, epsilon), by_shares(true, epsilon)));
        }
        close_steps(p);
    }
    close_steps(NULL);
}

/* Both ways of asking, both methods. */
static void sums_over_atoms(void **state) {
    (void)state;
    dpn_step step[STEPS];
    dpn_part part[STEPS];
    make_steps(step, part);
    dpn_error why;
    for (int method = DPN_METHOD_AUTO; method <= DPN_METHOD_FFT; method++) {
        dpn_accounting_options options = {
            .size = sizeof options, .method = (dpn_method)method, .accuracy = method == DPN_METHOD_FFT ? 1e-2 : 1e-4};
        for (double epsilon = -1; epsilon < 2.6; epsilon += 0.611) {
            dpn_delta delta;
            long double truth = fmaxl(delta_of(false, epsilon), delta_of(true, epsilon));
            assert_int_equal(dpn_sampling_delta(&delta, workspace, step, STEPS, epsilon, &options, &why), DPN_OK);
            case_ends(delta);
            if (!(delta.lower <= truth * (1 + 1e-15L) && delta.upper >= truth * (1 - 1e-15L)))
                fail_msg("method %d at %g: [%g, %g], not %Lg", method, epsilon, delta.lower, delta.upper, truth);
            if (epsilon < 1.9 && (epsilon >= 0 || method != DPN_METHOD_CONTOUR))
                assert_true(delta.upper - delta.lower <= 1.01L * options.accuracy * truth + 1e-15L);
        }
        for (double goal = 1e-3; goal < 0.2; goal *= 30) {
            dpn_epsilon least;
            assert_int_equal(dpn_sampling_epsilon(&least, workspace, step, STEPS, goal, &options, &why), DPN_OK);
            long double at[2] = {fmaxl(delta_of(false, least.lower), delta_of(true, least.lower)),
                                 fmaxl(delta_of(false, least.upper), delta_of(true, least.upper))};
            assert_true(at[0] >= goal * (1 - 1e-12L) && at[1] <= goal * (1 + 1e-12L) &&
                        least.upper - least.lower < 1e-2);
        }
        dpn_epsilon end;
        long double top = fmaxl(largest(false), largest(true));
        assert_int_equal(dpn_sampling_epsilon(&end, workspace, step, STEPS, 0, &options, &why), DPN_OK);
        assert_true(end.lower <= top && end.lower >= top * (1 - 1e-12L) && end.upper >= top &&
                    end.upper <= top * (1 + 1e-12L));
        assert_int_equal(dpn_sampling_epsilon(&end, workspace, step, STEPS, 1, &options, &why), DPN_OK);
        assert_true(end.lower == 0 && end.upper == 0);
        dpn_delta beyond = {7, 7, 7, 7};
        assert_int_equal(dpn_sampling_delta(&beyond, workspace, step, STEPS, INFINITY, &options, &why), DPN_OK);
        assert_true(beyond.upper == 0);
    }
}

/* ---- infinite losses, single steps, kinds of noise ---- */

static void infinite_losses(void **state) {
    (void)state;
    dpn_part part = law_part("truncated-laplace(scale=1,bound=3)", 1, 1);
    dpn_step step = {&part, 1, 0.25, 1};
    dpn_error why;
    dpn_delta infinite, one;
    dpn_epsilon least;
    dpn_accounting_options options = {.size = sizeof options, .accuracy = 1e-3};
    for (int times = 1; times <= 3; times += 2) {
        step.times = (uint64_t)times;
        assert_int_equal(dpn_sampling_delta(&infinite, workspace, &step, 1, INFINITY, &options, &why), DPN_OK);
        /* An output beyond the other's bound: e^-2 - e^-3 of half of what 1 - e^-3 is, seen with the rate, in some step. */
        long double seen = 0.25L * 0.5L * (expl(-2) - expl(-3)) / -expm1l(-3), truth = -expm1l(times * log1pl(-seen));
        if (!(infinite.lower <= truth && infinite.upper >= truth && infinite.upper < truth * (1 + 2e-3L)))
            fail_msg("%.10g to %.10g, not %.10Lg", infinite.lower, infinite.upper, truth);
        assert_int_equal(dpn_sampling_epsilon(&least, workspace, &step, 1, 0.99 * (double)truth, &options, &why),
                         DPN_OK);
        assert_true(isinf(least.lower) && isinf(least.upper));
        assert_int_equal(dpn_sampling_epsilon(&least, workspace, &step, 1, 1.5 * (double)truth, &options, &why),
                         DPN_OK);
        assert_true(least.upper < 3);
        assert_int_equal(dpn_sampling_delta(&one, workspace, &step, 1, least.upper, &options, &why), DPN_OK);
        assert_true(one.lower <= 1.5 * (double)truth && one.upper > 1.48 * (double)truth);
        if (infinite.upper > infinite.lower) {
            least = (dpn_epsilon){7, 7};
            double between = 0.5 * (infinite.lower + infinite.upper);
            if (between > infinite.lower && between < infinite.upper) {
                assert_int_equal(dpn_sampling_epsilon(&least, workspace, &step, 1, between, &options, &why),
                                 DPN_EACCURACY);
                assert_string_equal(why.sentence, "delta is too close to the mass of infinite loss");
                assert_true(least.lower == 7);
            }
        }
    }
}

static void kinds_of_steps(void **state) {
    (void)state;
    static const char *const text[] = {"gaussian(sigma=1)", "laplace(scale=1)", "subbotin(p=1.5,scale=2)",
                                       "discrete-laplace(scale=2)"};
    dpn_error why;
    for (int i = 0; i < 4; i++)
        for (int times = 1; times <= 2; times++) {
            dpn_part part = law_part(text[i], 1, 1);
            dpn_step step[3] = {{&part, 1, 0.5, 0}, {&part, 1, 0.2, (uint64_t)times}, {&part, 1, 0, 9}};
            prepared *p;
            assert_int_equal(open_steps(&p, workspace, step, 3, DPN_METHOD_FFT, &why), DPN_OK);
            assert_true(one_step_alone(p) == (times == 1) && has_integrals(p) == (i == 2) &&
                        default_accuracy(p) == 1e-5);
            assert_true(p->mixtures[0].terms == (i == 0) && p->mixtures[1].terms == (i == 0));
            if (i == 0) {
                const dpn_mixture_term *term = &p->mixtures[1].term[0];
                assert_true(term->mixture.ratio == 1 && term->mixture.rate == 0.2 && term->times == times);
                assert_true(p->mixtures[1].absent && !p->mixtures[0].absent);
            }
            dpn_delta delta = {7, 7, 7, 7};
            bool alone = single_step(&delta, &p->plan[0], 0.1, 1e-6);
            assert_true(alone == (times == 1) && (delta.lower == 7) == !alone);
            if (alone) assert_true(delta.upper >= delta.lower && delta.upper < delta.lower * (1 + 1e-6));
            if (alone) assert_true(!single_step(&delta, &p->plan[0], 0.1, 0) || delta.log_upper == delta.log_lower);
            if (i == 0) assert_true(isinf(largest_of(p, 0)) && fabs(largest_of(p, 1) + times * log1p(-0.2)) > 0);
            close_steps(p);
        }
    dpn_part both[2] = {law_part("gaussian(sigma=1)", 1, 1), pure_part(0.3, 1)};
    dpn_step mixed[2] = {{both, 2, 0.2, 3}, {both, 1, 0.2, 3}}; /* a step of several losses */
    prepared *p;
    assert_int_equal(open_steps(&p, workspace, mixed, 2, DPN_METHOD_AUTO, &why), DPN_OK);
    assert_true(default_accuracy(p) == 1e-2 && p->mixtures[0].terms == 0 && p->listed.count == 0 && p->opened);
    close_steps(p);
}

/* delta(-e) = 1 - e^-e + e^-e delta(e), for the larger of both directions, which exchange. */
static void negative_epsilons(void **state) {
    (void)state;
    dpn_part part = law_part("gaussian(sigma=1)", 1, 1);
    dpn_step step = {&part, 1, 0.2, 5};
    dpn_error why;
    for (double epsilon = 0.05; epsilon < 2; epsilon *= 1.9) {
        dpn_delta minus, plus, fft;
        dpn_accounting_options options = {.size = sizeof options, .method = DPN_METHOD_FFT, .accuracy = 1e-5};
        assert_int_equal(dpn_sampling_delta(&plus, workspace, &step, 1, epsilon, NULL, &why), DPN_OK);
        assert_int_equal(dpn_sampling_delta(&minus, workspace, &step, 1, -epsilon, NULL, &why), DPN_OK);
        assert_int_equal(dpn_sampling_delta(&fft, workspace, &step, 1, -epsilon, &options, &why), DPN_OK);
        long double lower = -expm1l(-epsilon) + expl(-epsilon) * plus.lower,
                    upper = -expm1l(-epsilon) + expl(-epsilon) * plus.upper;
        assert_true(minus.lower <= lower && minus.upper >= upper && minus.upper - upper < 1e-14 &&
                    lower - minus.lower < 1e-14);
        assert_true(fft.lower <= minus.upper && fft.upper >= minus.lower && fft.upper - fft.lower < 1e-4);
        assert_true(minus.log_lower <= logl(lower) && minus.log_upper >= logl(upper));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused), cmocka_unit_test(bounds_that_are_left), cmocka_unit_test(sums_over_atoms),
        cmocka_unit_test(infinite_losses), cmocka_unit_test(kinds_of_steps),       cmocka_unit_test(negative_epsilons),
    };
    return cmocka_run_group_tests(tests, make_workspace, free_workspace);
}
