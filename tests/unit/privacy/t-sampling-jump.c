/* Single losses above epsilon of sampled steps against second computations: the mass beyond a window by a plain sum in long double, and delta of
 * two and three steps by integrals over the noise of all but the last, whose profile is closed. */
#include "case.h"
#include "privacy/sampling/mixture-contour.h"
#include "privacy/sampling/mixture-jump.h"
#include "privacy/sampling/mixture-windows.h"

#include <dpnoise/sampling.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#define ROOT_2_PI 2.50662827463100050242L

/* ---- the mass beyond a window ---- */

static long double plain_mass(double steep, double at) {
    long double sum = 0, step = 0.04L / steep;
    for (long double z = -12; z < 30; z += step)
        sum += -expm1l(-expl(fminl(11000, steep * (z - (long double)at)))) * expl(-0.5L * z * z);
    return sum * step / ROOT_2_PI;
}

static void far_masses_are_plain_sums(void **state) {
    (void)state;
    static const double steep[] = {1, 4, 12, 33}, at[] = {-3, 0, 0.7, 4.2, 9, 20};
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 6; k++) {
            double mass, error;
            assert_true(dpn_mixture_far_mass(&mass, &error, steep[i], at[k]));
            long double truth = plain_mass(steep[i], at[k]), away = fabsl(mass / truth - 1);
            if (away > error + 1e-15L || error > 1e-11)
                fail_msg("steep %g, at %g: %.17g +- %g, truth %.17Lg", steep[i], at[k], mass, error, truth);
        }
}

/* ---- delta of few steps ---- */

typedef struct kind {
    long double c, q;
} kind;

static long double tail(long double t) {
    return 0.5L * erfcl(t * 0.70710678118654752440L);
}

static long double noise_of(kind k, long double loss) {
    return logl((expm1l(loss) + k.q) / k.q) / k.c + k.c / 2;
}

static long double loss_of(kind k, long double t) {
    return log1pl(k.q * expm1l(k.c * t - k.c * k.c / 2));
}

/* Of one step, in closed form. Below the least loss it is 1 - e^epsilon. */
static long double one_step(kind k, long double epsilon) {
    if (epsilon <= log1pl(-k.q)) return -expm1l(epsilon);
    long double t = noise_of(k, epsilon);
    return (1 - k.q) * tail(t) + k.q * tail(t - k.c) - expl(epsilon) * tail(t);
}

/* Of one step after another: by Simpson's rule over the noise of the first, with a panel's end where the loss left for the others is the
 * least that they have. */
static long double steps_delta(kind k, int steps, long double epsilon, int panels) {
    if (steps == 1) return one_step(k, epsilon);
    long double least = (steps - 1) * log1pl(-k.q), kink = epsilon - least > least ? noise_of(k, epsilon - least) : 0;
    long double ends[] = {-10, fminl(fmaxl(kink, -9), 20), 24}, sum = 0;
    for (int part = 0; part < 2; part++) { /* nodes lie closer towards the kink, where all derivatives are large */
        long double reach = ends[part ? 2 : 0] - ends[1], step = 1.0L / panels;
        for (int i = 1; i <= panels; i++) {
            long double v = i * step, t = ends[1] + reach * v * v * v, weight = i == panels ? 1 : i % 2 ? 4 : 2;
            long double density =
                ((1 - k.q) * expl(-0.5L * t * t) + k.q * expl(-0.5L * (t - k.c) * (t - k.c))) / ROOT_2_PI;
            if (density > 1e-80L)
                sum += weight * fabsl(reach) * v * v * step * density *
                       steps_delta(k, steps - 1, epsilon - loss_of(k, t), panels);
        }
    }
    return sum;
}

/* 0: by sums; 1: by bounds alone. */
static dpn_delta answer(int bound, kind k, int steps, double epsilon) {
    dpn_mixtures all = {.term = calloc(1, sizeof(dpn_mixture_term)), .terms = 1};
    dpn_delta delta = {0};
    dpn_error why;
    assert_non_null(all.term);
    all.term[0] = (dpn_mixture_term){.mixture = {.ratio = (double)k.c, .rate = (double)k.q}, .times = steps};
    dpn_status status;
    if (bound)
        status = dpn_mixture_bound(&delta.log_lower, &delta.log_upper, &all, epsilon, &why);
    else
        status = dpn_mixture_delta(&delta, &all, epsilon, 1e-3, -INFINITY, 1e8, &why);
    if (status) fail_msg("c %Lg, q %Lg, %d steps, epsilon %g: %s", k.c, k.q, steps, epsilon, why.sentence);
    dpn_mixtures_free(&all);
    return delta;
}

/* The bounds of single losses hold what integrals give, and are not far from it. */
static void few_steps_are_integrals(void **state) {
    (void)state;
    static const struct {
        double c, q, epsilon;
        int steps;
    } setting[] = {
        {2.2, 2.5e-5, 0.007, 2}, {2.2, 2.5e-5, 0.3, 2},   {1.8, 2e-5, 5e-4, 2},  {1.8, 1e-3, 0, 2},
        {1, 1e-6, 1, 2},         {1.3, 1e-6, 1e-4, 2},    {2.5, 0.02, 0.4, 2},   {2.5, 0.02, 4, 2},
        {1.8, 2e-5, 1e-4, 3},    {2.2, 2.5e-5, 0.007, 3}, {1.5, 4e-4, 0.005, 3}, {1, 1e-5, 0.8, 3},
    };
    for (size_t i = 0; i < sizeof setting / sizeof *setting; i++) {
        kind k = {setting[i].c, setting[i].q};
        double epsilon = setting[i].epsilon;
        int steps = setting[i].steps;
        long double truth = logl(steps_delta(k, steps, epsilon, steps > 2 ? 90 : 500));
        for (int bound = 0; bound < 2; bound++) {
            if (bound ? epsilon == 0 : truth < -60) continue;
            dpn_delta delta = answer(bound, k, steps, epsilon);
            double slack = steps > 2 ? 1e-7 : 1e-11; /* of the integrals: twice what more panels change */
            if (!(delta.log_lower <= truth + slack && truth - slack <= delta.log_upper) ||
                delta.log_upper - delta.log_lower > (bound ? 25 : 1e-3))
                fail_msg("c %g, q %g, %d steps, epsilon %g, bound %d: [%.12g, %.12g], truth %.12Lg", setting[i].c,
                         setting[i].q, steps, epsilon, bound, delta.log_lower, delta.log_upper, truth);
        }
    }
}

/* What lies beyond the window alone: X from below and X + R from above hold the integral of (1 - W)(p - e^epsilon n)+ for one step. */
static void jumps_of_one_step_are_integrals(void **state) {
    (void)state;
    static const double ratio[] = {1, 2.2}, rate[] = {1e-5, 0.01}, epsilons[] = {0.01, 0.4, 3};
    for (int i = 0; i < 12; i++) {
        kind k = {ratio[i % 2], rate[i / 2 % 2]};
        double epsilon = epsilons[i / 4];
        dpn_mixture_term term = {.mixture = {.ratio = (double)k.c, .rate = (double)k.q}, .times = 1};
        dpn_mixtures all = {.term = &term, .terms = 1};
        double log_delta = (double)logl(one_step(k, epsilon)), lower, upper;
        dpn_mixture_set_windows(&all, &(dpn_mixture_cutting){true, log_delta - 4, 0, epsilon});
        dpn_mixture_jump jump;
        assert_true(dpn_mixture_jump_make(&jump, &all));
        dpn_mixture_jump_delta(&lower, &upper, &jump, &all, epsilon);
        long double sum = 0, step = 1e-3L;
        for (long double t = noise_of(k, epsilon) + step / 2; t < 22; t += step) {
            long double beyond = -expm1l(-expl(fminl(11000, term.mixture.steep * (t - term.mixture.cut))));
            long double absent = expl(-0.5L * t * t), present = expl(loss_of(k, t)) * absent;
            sum += step * beyond * (present - expl(epsilon) * absent) / ROOT_2_PI;
        }
        long double truth = logl(sum);
        if (!(lower <= truth + 1e-6L && truth <= upper + 1e-6L && upper - lower < 1))
            fail_msg("c %Lg, q %Lg, epsilon %g: [%.9g, %.9g], truth %.9Lg", k.c, k.q, epsilon, lower, upper, truth);
    }
}

/* The same for two steps, with windows anywhere, so that R counts too. */
static void jumps_of_two_steps_are_integrals(void **state) {
    (void)state;
    static const double rate[] = {0.02, 0.3}, epsilons[] = {0.02, 0.3}, cuts[] = {-0.5, 0, 1}, steep[] = {3, 20};
    enum { GRID = 500 };
    for (int i = 0; i < 24; i++) {
        kind k = {1.5L, rate[i % 2]};
        double epsilon = epsilons[i / 2 % 2], lower, upper;
        double cut = (double)noise_of(k, epsilon) + cuts[i / 4 % 3];
        dpn_mixture_term term = {.mixture = {1.5, rate[i % 2], 0, steep[i / 12], cut, -INFINITY}, .times = 2};
        dpn_mixtures all = {.term = &term, .terms = 1};
        dpn_mixture_jump jump;
        assert_true(dpn_mixture_jump_make(&jump, &all));
        dpn_mixture_jump_delta(&lower, &upper, &jump, &all, epsilon);
        double sum = 0, step = 17.0 / GRID, most = exp(epsilon), ratio[GRID], window[GRID], density[GRID];
        for (int j = 0; j < GRID; j++) {
            double t = -8 + (j + 0.5) * step;
            ratio[j] = (double)expl(loss_of(k, t));
            window[j] = exp(-exp(term.mixture.steep * (t - cut)));
            density[j] = step * exp(-0.5 * t * t) / (double)ROOT_2_PI;
        }
        for (int j = 0; j < GRID; j++)
            for (int l = 0; l < GRID; l++)
                sum += (1 - window[j] * window[l]) * density[j] * density[l] * fmax(0, ratio[j] * ratio[l] - most);
        double truth = log(sum), slack = 2e-3; /* the grid's */
        if (!(lower <= truth + slack && truth <= upper + slack))
            fail_msg("q %Lg, epsilon %g, cut %g: [%.9g, %.9g], truth %.9g", k.q, epsilon, cut, lower, upper, truth);
    }
}

/* Each question has all of the patience: what others have spent on the same mixtures does not count. */
static void patience_begins_anew(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        double found[2] = {0, 0};
        for (int spent = 0; spent < 2; spent++) {
            dpn_mixture_term *term = calloc(1, sizeof *term);
            assert_non_null(term);
            *term = (dpn_mixture_term){.mixture = {.ratio = 0.7, .rate = 0.05}, .times = 20};
            dpn_mixtures all = {.term = term, .terms = 1, .spent = spent ? 10 * DPN_MIXTURE_PATIENCE : 0};
            dpn_delta delta = {0};
            dpn_epsilon epsilon = {0};
            dpn_error why;
            dpn_status status = i == 0   ? dpn_mixture_delta(&delta, &all, 0.5, 1e-3, -INFINITY, 1e8, &why)
                                : i == 1 ? dpn_mixture_epsilon(&epsilon, &all, 1e-5, 1e-3, 0, 1e8, &why)
                                : i == 2 ? dpn_mixture_chernoff(&found[spent], &all, 0.5, &why)
                                         : dpn_mixture_bound(&delta.log_lower, &found[spent], &all, 0.5, &why);
            if (status) fail_msg("%d, %d: %s", i, spent, why.sentence);
            if (i < 2) found[spent] = i ? epsilon.upper : delta.upper;
            dpn_mixtures_free(&all);
        }
        assert_true(found[0] == found[1] && found[0] != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_masses_are_plain_sums),
        cmocka_unit_test(jumps_of_one_step_are_integrals),
        cmocka_unit_test(jumps_of_two_steps_are_integrals),
        cmocka_unit_test(few_steps_are_integrals),
        cmocka_unit_test(patience_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
