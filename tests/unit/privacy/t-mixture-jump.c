/* One loss above epsilon, and where the windows stand: each number against its definition, integrals in long double over the noise. */
#include "privacy/sampling/mixture-jump.c" /* to see each piece */

#include "privacy/sampling/mixture-windows.h"
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

static void make_steps(steps *s, draw_source *source, size_t terms, double most) {
    *s = (steps){.all = {.terms = terms}};
    s->all.term = s->term;
    for (size_t i = 0; i < terms; i++) {
        double times = floor(draw_log_uniform(source, 1, 1000));
        s->term[i].times = times;
        s->term[i].mixture = (dpn_mixture){.ratio = draw_log_uniform(source, 0.3, 3),
                                           .rate = draw_log_uniform(source, 1e-3, 1) * most / times};
    }
}

static long double normal(long double t) {
    return expl(-0.5L * t * t) / sqrtl(2 * (long double)DPN_PI);
}

/* The noise at which one step's loss makes up for what all steps may take away. */
static long double place(const steps *s, size_t i, long double epsilon) {
    long double others = 0, c = s->term[i].mixture.ratio, q = s->term[i].mixture.rate;
    for (size_t k = 0; k < s->all.terms; k++)
        others -= (long double)s->term[k].times * log1pl(-(long double)s->term[k].mixture.rate);
    return logl((expm1l(epsilon + others) + q) / q) / c + c / 2;
}

/* ---- masses beyond a window ---- */

static void terms_of_the_mass(void **state) {
    (void)state;
    for (double steep = 1; steep < 70; steep *= 3)
        for (double at = -2; at < 9; at += 2.7)
            for (double z = -9; z < 15; z += 0.37) {
                long double w = expl(steep * ((long double)z - at)), window = w > 40       ? 0
                                                                              : w < 1e-17L ? logl(w)
                                                                                           : logl(-expm1l(-w));
                if (w == 0) continue;
                long double truth = window + logl(normal(z));
                assert_true(fabsl(log_term(steep, at, z) - truth) <=
                            1e-14L * (1 + fabsl(truth) + steep * (fabs(z) + fabs(at))));
            }
}

static void masses_and_their_errors(void **state) {
    (void)state;
    for (double steep = 1; steep < 70; steep *= 2.7)
        for (double at = -3; at < 34; at += 3.1) {
            double mass, error;
            assert_true(dpn_mixture_far_mass(&mass, &error, steep, at));
            long double sum = 0, charge = 0, step = 0.1L / steep, top = 0, centre = fminl(fmaxl(at, 0), steep);
            for (long double z = centre - 12; z < centre + 12; z += step) {
                long double w = steep * (z - at), size = (w > 20 ? 1 : -expm1l(-expl(w))) * normal(z);
                sum += size;
                top = fmaxl(top, size);
                charge += size * (16 + z * z + 4 * steep * (fabsl(z) + fabs(at)));
            }
            long double u = 0.5L * DBL_EPSILON, strip = 2e-17L * expl(0.5L * 2.25L / ((long double)steep * steep));
            if (!(fabsl(mass / (sum * step) - 1) <= error))
                fail_msg("steep %g, at %g: %g +- %g, not %Lg", steep, at, mass, error, sum * step);
            /* Section 5 of the proof: what each term errs by, what the sum does, what the strip leaks. */
            long double least = 2 * u * (charge / sum + fabsl(logl(top))) + strip;
            long double width = 2 * (long double)DPN_PI * STRIP / (DECAY * steep), many = 24 / width + 40;
            if (!(error >= 0.999L * least && error <= 1.001L * (least + 2 * u * (many + 16))))
                fail_msg("steep %g, at %g: error %g, not %Lg to %Lg", steep, at, error, least,
                         least + 2 * u * (many + 16));
        }
    double mass = 7, error = 7;
    assert_true(!dpn_mixture_far_mass(&mass, &error, 40, 36.5) && !dpn_mixture_far_mass(&mass, &error, 1, 700));
    assert_true(!dpn_mixture_far_mass(&mass, &error, 1000, 0)); /* too many terms */
    assert_true(mass == 7 && error == 7);
    assert_true(dpn_mixture_far_mass(&mass, &error, 40, 35.5) && mass > 0 && mass < 1e-250);
    assert_true(dpn_mixture_far_mass(&mass, &error, 600, 0) && fabs(mass - 0.5) < 1e-3);
}

/* ---- where the loss of one step decides ---- */

static void places_that_decide(void **state) {
    (void)state;
    draw_source source = {81};
    for (int trial = 0; trial < 200; trial++) {
        steps s;
        make_steps(&s, &source, 1 + (size_t)trial % MOST, 0.15);
        double epsilon = draw_log_uniform(&source, 1e-3, 8), others = all_others(&s.all);
        long double sum = 0, farthest = 0;
        for (size_t i = 0; i < s.all.terms; i++)
            sum -= (long double)s.term[i].times * log1pl(-(long double)s.term[i].mixture.rate);
        assert_true(others >= sum && others <= sum * (1 + 10 * DBL_EPSILON * (double)(s.all.terms + 1)));
        for (size_t i = 0; i < s.all.terms; i++) {
            const dpn_mixture *m = &s.term[i].mixture;
            long double T = place(&s, i, epsilon);
            assert_true(fabsl(dpn_mixture_loss_at(m, epsilon) -
                              (logl((expm1l(epsilon) + m->rate) / m->rate) / m->ratio + m->ratio / 2)) < 1e-12L);
            double back = dpn_mixture_loss(m, dpn_mixture_loss_at(m, epsilon), &(double){0});
            assert_true(fabs(back - epsilon) <= 1e-11 * (1 + epsilon));
            double got = deciding(m, epsilon, others);
            assert_true(got >= T + 0.99e-9L * (1 + fabsl(T)) && got <= T + 1.01e-9L * (1 + fabsl(T)));
            farthest = fmaxl(farthest, T);
        }
        double steep = dpn_mixture_jump_steep(&s.all, epsilon);
        assert_true(fabsl(steep - fminl(60, fmaxl(12, 2 * farthest))) < 1e-6L);
        bool serves = dpn_mixture_jump_serves(&s.all, epsilon);
        assert_true(serves == (others < 0.2 && farthest < 20 - 1e-7L));
        s.all.absent = true;
        assert_true(!dpn_mixture_jump_serves(&s.all, epsilon));
        s.all.absent = false;
        assert_true(!dpn_mixture_jump_serves(&s.all, -1e-9) && !dpn_mixture_jump_serves(&s.all, NAN));
        if (serves) assert_true(dpn_mixture_jump_serves(&s.all, 0));
        s.term[s.all.terms - 1].mixture.ratio = 1e-3; /* noise too far out in one of them is enough */
        assert_true(!dpn_mixture_jump_serves(&s.all, epsilon));
        assert_true(dpn_mixture_jump_steep(&s.all, epsilon) == 60);
        s.term[s.all.terms - 1].mixture.ratio = 1;
        s.term[s.all.terms - 1].times = 0.21 / s.term[s.all.terms - 1].mixture.rate;
        assert_true(!dpn_mixture_jump_serves(&s.all, epsilon));
    }
    steps none = {.all = {.terms = 0}};
    assert_true(!dpn_mixture_jump_serves(&none.all, 1));
}

/* The remainder R: e^epsilon times the sum over steps of the integral of e^(k (t - cut)) n(t) up to the place that decides. */
static long double remainder_of(const steps *s, double steep, double cut, double epsilon) {
    long double sum = 0;
    for (size_t i = 0; i < s->all.terms; i++) {
        long double T = place(s, i, epsilon), part = 0, h = 0.01L;
        for (long double t = T - h / 2; t > -14; t -= h)
            part += expl((long double)epsilon + steep * (t - cut)) * normal(t) * h;
        sum += part * s->term[i].times;
    }
    return sum;
}

static void remainders_are_integrals(void **state) {
    (void)state;
    draw_source source = {82};
    for (int trial = 0; trial < 40; trial++) {
        steps s;
        make_steps(&s, &source, 1 + (size_t)trial % MOST, 0.1);
        double epsilon = draw_log_uniform(&source, 0.01, 3), steep = draw_uniform(&source, 4, 20),
               goal = -draw_uniform(&source, 5, 40);
        double cut = dpn_mixture_jump_cut(&s.all, steep, epsilon, goal);
        long double rest = remainder_of(&s, steep, cut, epsilon);
        if (!(fabsl(logl(rest) - goal) < 5e-3L)) fail_msg("log R is %Lg, not %g", logl(rest), goal);
        s.term[0].mixture.steep = steep; /* X from below, X + R from above */
        s.term[0].mixture.cut = cut;
        long double x = expl(epsilon);
        dpn_mixture_jump jump = {.present = {0.5, 0.6}, .absent = {0.1 / (double)x, 0.2 / (double)x}};
        double lower, upper;
        dpn_mixture_jump_delta(&lower, &upper, &jump, &s.all, epsilon);
        assert_true(lower <= logl(0.3L) && lower >= logl(0.3L) - 1e-13L);
        long double most = fminl(0.6L, 0.5L + rest);
        if (!(upper >= logl(most) - 1e-3L * rest && upper <= logl(most) + 1e-2L * rest + 1e-11L))
            fail_msg("%g, not %Lg, R %Lg", upper, logl(most), rest);
        jump.absent[1] = 1.1 / (double)x; /* it may be negative */
        dpn_mixture_jump_delta(&lower, &upper, &jump, &s.all, epsilon);
        assert_true(lower == -INFINITY);
        jump.absent[0] = 0.7 / (double)x; /* and so may the upper end: then the remainder is left */
        dpn_mixture_jump_delta(&lower, &upper, &jump, &s.all, epsilon);
        assert_true(lower == -INFINITY && fabs(upper - fmin(log(0.6), (double)logl(rest))) < 6e-3);
        assert_true(upper >= goal - 1e-9 || upper >= log(0.6));
        /* No more than the mass of present beyond the window. */
        jump = (dpn_mixture_jump){.present = {1e-30, 1.5e-30}, .absent = {0, 0}};
        dpn_mixture_jump_delta(&lower, &upper, &jump, &s.all, epsilon);
        assert_true(upper >= log(1.5e-30) && upper < log(1.5e-30) + 2e-13 && lower <= log(1e-30) &&
                    lower > log(1e-30) - 1e-13);
    }
    steps sure;
    make_steps(&sure, &source, 2, 0.1);
    sure.term[1].mixture.rate = 1; /* nothing is ever decided */
    assert_true(dpn_mixture_jump_cut(&sure.all, 12, 1, -20) == INFINITY);
}

/* ---- what lies beyond the windows of all steps ---- */

static long double beyond(double steep, long double at) {
    long double sum = 0, h = 0.04L / steep;
    for (long double z = -11; z < 22; z += h) {
        long double w = steep * (z - at);
        sum += (w > 20 ? 1 : -expm1l(-expl(w))) * normal(z);
    }
    return sum * h;
}

static void masses_beyond_all_windows(void **state) {
    (void)state;
    draw_source source = {83};
    for (int trial = 0; trial < 24; trial++) {
        steps s;
        make_steps(&s, &source, 1 + (size_t)trial % MOST, 0.9);
        double steep = draw_uniform(&source, 1, 15), cut = draw_uniform(&source, -1, 8), doubt = trial % 2 ? 1e-7 : 0;
        long double stays[2] = {0, 0}, grows = 0;
        for (size_t i = 0; i < s.all.terms; i++) {
            dpn_mixture *m = &s.term[i].mixture;
            m->steep = steep;
            m->cut = cut;
            m->doubt = doubt;
            long double here = beyond(steep, cut), there = beyond(steep, (long double)cut - m->ratio);
            stays[0] += s.term[i].times * log1pl(-((1 - (long double)m->rate) * here + m->rate * there));
            stays[1] += s.term[i].times * log1pl(-here);
            grows = fmaxl(grows, 2 * steep * doubt * m->ratio);
        }
        dpn_mixture_jump jump;
        assert_true(dpn_mixture_jump_make(&jump, &s.all));
        long double truth[2] = {-expm1l(stays[0]), -expm1l(stays[1])};
        const double *got[2] = {jump.present, jump.absent};
        for (int k = 0; k < 2; k++) {
            if (!(got[k][0] <= truth[k] && got[k][1] >= truth[k]))
                fail_msg("[%.17g, %.17g], not %.17Lg", got[k][0], got[k][1], truth[k]);
            long double width = (got[k][1] - got[k][0]) / truth[k], most = k ? 0 : 2 * grows;
            assert_true(width <= 2.1L * most + 1e-11L);
            if (k == 0 && doubt > 0 &&
                truth[0] < 1e-3L) { /* c is in doubt: the window of present may be anywhere there */
                long double moved[2] = {0, 0};
                for (size_t i = 0; i < s.all.terms; i++)
                    for (int side = 0; side < 2; side++) {
                        const dpn_mixture *m = &s.term[i].mixture;
                        long double there = beyond(steep, cut - m->ratio * (1 + (side ? doubt : -doubt)));
                        moved[side] += s.term[i].times *
                                       log1pl(-((1 - (long double)m->rate) * beyond(steep, cut) + m->rate * there));
                    }
                assert_true(got[0][1] >= -expm1l(moved[1]) && got[0][0] <= -expm1l(moved[0]));
            }
        }
    }
    steps s;
    dpn_mixture_jump jump;
    make_steps(&s, &source, 2, 0.5);
    for (int i = 0; i < 2; i++) s.term[i].mixture.steep = 2, s.term[i].mixture.cut = 3;
    assert_true(dpn_mixture_jump_make(&jump, &s.all));
    s.term[1].mixture.steep = 0.99;
    assert_true(!dpn_mixture_jump_make(&jump, &s.all));
    s.term[1].mixture.steep = 1;
    assert_true(dpn_mixture_jump_make(&jump, &s.all));
    s.term[1].mixture.cut = INFINITY;
    assert_true(!dpn_mixture_jump_make(&jump, &s.all));
    s.term[1].mixture =
        (dpn_mixture){.ratio = 5, .rate = 0.1, .steep = 30, .cut = 38}; /* absent's is too small, present's is not */
    assert_true(!dpn_mixture_jump_make(&jump, &s.all));
    s.term[1].mixture =
        (dpn_mixture){.ratio = 3.1e3, .rate = 0.1, .steep = 60, .cut = 3}; /* present's has too many terms */
    (void)jump;
}

/* ---- windows ---- */

static void windows_leave_out_so_much(void **state) {
    (void)state;
    draw_source source = {84};
    for (int trial = 0; trial < 100; trial++) {
        steps s;
        make_steps(&s, &source, 1 + (size_t)trial % MOST, 5);
        double log_lost = -draw_log_uniform(&source, 1, 200),
               small = trial % 3 ? draw_log_uniform(&source, 1e-3, 2) : 0;
        dpn_mixture_set_windows(&s.all, &(dpn_mixture_cutting){true, log_lost, small, 0});
        double steep = s.term[0].mixture.steep, cut = s.term[0].mixture.cut;
        long double mass = 0, largest = 0;
        for (size_t i = 0; i < s.all.terms; i++) { /* e^(k (t - cut)) under the mixture, by its transform */
            const dpn_mixture *m = &s.term[i].mixture;
            assert_true(m->steep == steep && m->cut == cut);
            mass += s.term[i].times * expl(0.5L * steep * steep - (long double)steep * cut) *
                    (1 - m->rate + m->rate * expl((long double)steep * m->ratio));
            largest = fmaxl(largest, m->ratio);
            if (small > 0) assert_true(fabs(dpn_mixture_loss(m, m->split, &(double){0}) - small) < 1e-9);
            if (small == 0) assert_true(m->split == -INFINITY);
        }
        assert_true(fabsl(logl(mass) - log_lost) < 1e-10L * (1 + fabs(log_lost)) && s.all.rest == (small > 0));
        assert_true(fabs(steep - fmin(10, fmax(4, sqrt(-2 * log_lost)))) < 1e-12);
        double split = s.term[0].mixture.split;
        dpn_mixture_keep_small(&s.all);
        assert_true(s.term[0].mixture.cut == split && s.term[0].mixture.split == -INFINITY && !s.all.rest &&
                    s.term[0].mixture.steep == steep);
        dpn_mixture_set_windows(&s.all, &(dpn_mixture_cutting){false, log_lost, small, 0});
        for (size_t i = 0; i < s.all.terms; i++) {
            const dpn_mixture *m = &s.term[i].mixture;
            assert_true(m->cut == INFINITY && m->steep == (small > 0 ? fmin(3, fmax(1, (double)largest)) : 0));
        }
        dpn_mixture_set_windows(&s.all, &(dpn_mixture_cutting){0});
        assert_true(s.term[0].mixture.steep == 0 && s.term[0].mixture.split == -INFINITY && !s.all.rest);
    }
    for (int trial = 0; trial < 20; trial++) { /* with a jump: the remainder is what is asked for */
        steps s;
        make_steps(&s, &source, 1 + (size_t)trial % MOST, 0.1);
        double epsilon = draw_log_uniform(&source, 0.05, 2);
        dpn_mixture_set_windows(&s.all, &(dpn_mixture_cutting){true, -25, 0, epsilon});
        const dpn_mixture *m = &s.term[0].mixture;
        assert_true(m->steep == dpn_mixture_jump_steep(&s.all, epsilon));
        if (m->steep < 30) assert_true(fabsl(logl(remainder_of(&s, m->steep, m->cut, epsilon)) + 25) < 2e-2L);
    }
    steps easy;
    make_steps(&easy, &source, 1, 1);
    dpn_mixture_set_windows(&easy.all,
                            &(dpn_mixture_cutting){true, 3, 0, 0}); /* more than everything may be left out */
    assert_true(easy.term[0].mixture.steep == 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_of_the_mass),         cmocka_unit_test(masses_and_their_errors),
        cmocka_unit_test(places_that_decide),        cmocka_unit_test(remainders_are_integrals),
        cmocka_unit_test(masses_beyond_all_windows), cmocka_unit_test(windows_leave_out_so_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
