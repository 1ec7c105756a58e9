/* Transforms at equally spaced frequencies: every node against a plain sum in long double, with points that stay near one place, that turn, and that are
 * gone; which of the three a point is; and what the power series may err by. */
#include "privacy/sampling/mixture-turns.c" /* to see which points turn */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 400 };

typedef struct points {
    dpn_mixture_rule rule;
    double re[MOST], im[MOST], mass_re[MOST], mass_im[MOST], big_re[MOST], big_im[MOST];
} points;

/* Points from left to right: near log(1 - q), then further and further up. */
static void make_points(points *p, draw_source *source, size_t count, double rate, double nearest, double highest) {
    p->rule = (dpn_mixture_rule){.count = count, .re = p->re, .im = p->im};
    p->rule.mass_re = p->mass_re;
    p->rule.mass_im = p->mass_im;
    p->rule.big_re = p->big_re;
    p->rule.big_im = p->big_im;
    for (size_t i = 0; i < count; i++) {
        double part = count > 1 ? (double)i / (double)(count - 1) : 0.5, size = draw_log_uniform(source, 1e-6, 1);
        double turn = draw_uniform(source, 0, 6.28), away = nearest * pow(highest / nearest, part);
        p->im[i] = away * draw_uniform(source, 0.9, 1);
        p->re[i] = log1p(-rate) + away * draw_uniform(source, -1, 1);
        p->mass_re[i] = size * cos(turn);
        p->mass_im[i] = size * sin(turn);
        size *= draw_uniform(source, 0, 1);
        turn = draw_uniform(source, 0, 6.28);
        p->big_re[i] = size * cos(turn);
        p->big_im[i] = size * sin(turn);
    }
}

static long double complex turned(const points *p, size_t i, long double omega) {
    long double fall = expl(-omega * p->im[i]), angle = omega * p->re[i], half = sinl(0.5L * angle);
    return expm1l(-omega * p->im[i]) - 2 * fall * half * half + I * (fall * sinl(angle));
}

/* The plain sums at a frequency, and the sums of sizes by which errors are measured. */
static void plain_sums(long double complex sum[SET], long double size[SET], const points *p, size_t from, size_t to,
                       long double omega) {
    sum[0] = sum[1] = 0;
    size[0] = size[1] = 0;
    for (size_t i = from; i < to; i++) {
        long double complex turn = turned(p, i, omega);
        sum[0] += ((long double)p->mass_re[i] + I * (long double)p->mass_im[i]) * turn;
        sum[1] += ((long double)p->big_re[i] + I * (long double)p->big_im[i]) * (1 + turn);
        size[0] += hypotl(p->mass_re[i], p->mass_im[i]) * fminl(2, omega * hypotl(p->re[i], p->im[i]));
        size[1] += hypotl(p->big_re[i], p->big_im[i]);
    }
}

static bool is_near(const points *p, size_t i, double rate, double last) {
    return rate < 0.5 && cabsl(p->re[i] - log1pl(-(long double)rate) + I * (long double)p->im[i]) * last <= 1;
}

static void nodes_are_plain_sums(void **state) {
    (void)state;
    draw_source source = {31};
    static points p;
    size_t all_kinds = 0;
    for (int trial = 0; trial < 24; trial++) {
        static const size_t counts[] = {1, 3, 63, 64, 65, 128, 200, 399};
        size_t count = counts[trial % 8];
        double rate = trial % 3 ? draw_log_uniform(&source, 1e-4, 0.4) : draw_uniform(&source, 0.5, 1);
        double step = draw_log_uniform(&source, 0.001, 0.5);
        make_points(&p, &source, count, trial % 3 ? rate : 0.3, draw_log_uniform(&source, 1e-4, 0.1),
                    draw_log_uniform(&source, 0.2, 20));
        bool with_big = trial % 2;
        dpn_mixture_turns *turns;
        assert_int_equal(dpn_mixture_turns_new(&turns, &p.rule, rate, step, with_big), DPN_OK);
        if (trial % 4 == 0) turns->sum = sum_portable;
        for (size_t round = 0; round < 44; round++) {
            double complex all[TURNS], big[TURNS] = {0};
            double more[SET];
            dpn_mixture_turns_next(all, big, more, turns);
            size_t start = round < 4    ? 0
                           : round < 8  ? 4
                           : round < 16 ? 8
                           : round < 32 ? 16
                                        : 32,
                   end = start ? 2 * start : 4;
            double first = (double)(start * TURNS) * step, last = (double)(end * TURNS) * step;
            /* Which points turn. */
            size_t low = 0, high = count;
            while (low < count && is_near(&p, low, rate, last)) low++;
            while (high > low && p.im[high - 1] * first > 40) high--;
            assert_true(turns->low == low && turns->high == high);
            all_kinds += low > 0 && high > low && high < count;
            for (size_t r = 0; r < TURNS; r++) {
                double omega = (double)(round * TURNS + r) * step;
                long double complex sum[SET];
                long double size[SET], unit = ROUND * (16 * 2 * TURNS + 64 + (long double)count / 64);
                plain_sums(sum, size, &p, 0, count, omega);
                if (!(cabsl(all[r] - sum[0]) <= unit * size[0] + more[0]))
                    fail_msg("round %zu, node %zu: off by %Lg", round, r, cabsl(all[r] - sum[0]));
                if (omega > 0 && size[0] < 1e-3) assert_true(cabsl(all[r] - sum[0]) <= 1e-13L * size[0] + more[0]);
                if (with_big && !(cabsl(big[r] - sum[1]) <= unit * size[1] + more[1]))
                    fail_msg("round %zu, big node %zu: off by %Lg", round, r, cabsl(big[r] - sum[1]));
                if (omega == 0) assert_true(all[0] == 0);
            }
            /* What the series add: section 4 of the proof, at the end of these nodes. */
            long double centre = fabsl(rate < 0.5 ? log1pl(-(long double)rate) : 0);
            long double omega = (long double)((round + 1) * TURNS) * step, angle = omega * centre, zero[SET] = {0},
                        one[SET] = {0};
            for (size_t i = 0; i < low; i++) {
                long double away = cabsl(p.re[i] + centre + I * (long double)p.im[i]) * last;
                long double size[SET] = {hypotl(p.mass_re[i], p.mass_im[i]), hypotl(p.big_re[i], p.big_im[i])};
                for (int set = 0; set < SET; set++) zero[set] += size[set], one[set] += size[set] * away;
            }
            for (int set = 0; set < SET; set++) {
                long double sums[2] = {64 + (long double)low / 64, 66 + (long double)low / 64}, bound[2];
                for (int i = 0; i < 2; i++)
                    bound[i] = ROUND * (zero[set] * (12 * angle + (16 + sums[i]) * (set ? 1 : fminl(2, angle))) +
                                        omega / last * one[set] * (80 + 2 * sums[i]));
                if (set && !with_big)
                    assert_true(more[1] == 0);
                else if (!(more[set] >= bound[0] && more[set] <= bound[1] * (1 + 3e-6L)))
                    fail_msg("round %zu: the series add %g, not %Lg to %Lg", round, more[set], bound[0], bound[1]);
            }
        }
        dpn_mixture_turns_free(turns);
    }
    assert_true(all_kinds > 100);
    dpn_mixture_turns_free(NULL);
}

/* The series by itself: at any part of its last frequency. */
static void series_are_plain_sums(void **state) {
    (void)state;
    draw_source source = {32};
    static points p;
    for (int trial = 0; trial < 60; trial++) {
        double rate = draw_log_uniform(&source, 1e-3, 0.49), last = draw_log_uniform(&source, 0.5, 1e4);
        make_points(&p, &source, 1 + (size_t)trial * 5, rate, 0.01 / last, 0.7 / last);
        dpn_mixture_turns t = {.rule = &p.rule, .rate = rate, .sets = SET, .low = p.rule.count};
        set_near(&t, last);
        assert_true(t.near.centre == log1p(-rate) && t.near.last == last);
        for (double part = 1e-3; part <= 1; part = part < 0.3 ? part * 2.7 : part + 0.175) {
            long double complex sum[SET];
            long double size[SET], omega = part * last, one[SET] = {0};
            plain_sums(sum, size, &p, 0, t.low, omega);
            for (int set = 0; set < SET; set++) {
                double complex got = near_sum(&t.near, (size_t)set, part * last);
                double error = near_error(&t.near, (size_t)set, t.low, part * last);
                for (size_t i = 0; i < t.low; i++)
                    one[set] += set ? hypotl(p.big_re[i], p.big_im[i])
                                    : hypotl(p.mass_re[i], p.mass_im[i]) * fminl(2, omega * fabsl(t.near.centre)) +
                                          hypotl(p.mass_re[i], p.mass_im[i]) * part;
                assert_true(cabsl(got - sum[set]) <= error);
                if (omega * fabsl(t.near.centre) < 10) assert_true(cabsl(got - sum[set]) <= 12 * ROUND * one[set]);
            }
        }
    }
}

static void which_points_turn(void **state) {
    (void)state;
    static points p;
    p.rule = (dpn_mixture_rule){.count = 6, .re = p.re, .im = p.im};
    p.rule.mass_re = p.mass_re;
    p.rule.mass_im = p.mass_im;
    static const double im[] = {0.25, 0.5, 0.5000001, 0.1, 20, 20.000001};
    double centre = log1p(-0.25);
    for (size_t i = 0; i < 6; i++) p.im[i] = im[i], p.re[i] = centre;
    assert_true(near_end(&p.rule, 0.25, 2) == 2 && near_end(&p.rule, 0.25, 1.9) == 4);
    assert_true(near_end(&p.rule, 0.25, 1e-3) == 6 && near_end(&p.rule, 0.25, 4.1) == 0);
    assert_true(near_end(&p.rule, 0.5, 1e-3) == 0 && near_end(&p.rule, 0.4999, 1e-3) == 6);
    p.re[1] += 0.5; /* the distance counts */
    assert_true(near_end(&p.rule, 0.25, 2) == 1 && near_end(&p.rule, 0.25, 1.4) == 4);
    assert_true(dead_start(&p.rule, 0, 2) == 5 && dead_start(&p.rule, 0, 2.1) == 4 && dead_start(&p.rule, 0, 0) == 6);
    assert_true(dead_start(&p.rule, 0, 81) == 4 && dead_start(&p.rule, 0, 1e3) == 0 &&
                dead_start(&p.rule, 3, 1e3) == 3);
    for (size_t i = 0; i < 6; i++) p.mass_re[i] = 1 << i, p.mass_im[i] = 0.125 * (1 << i);
    assert_true(dead_sum(&p.rule, 4) == -48 - 6 * I && dead_sum(&p.rule, 6) == 0 &&
                dead_sum(&p.rule, 0) == -63 * (1 + 0.125 * I));
    assert_true(centre_of(0.25) == log1p(-0.25) && centre_of(0.5) == 0 && centre_of(1) == 0);
    assert_true(stretch_end(0) == 4 && stretch_end(4) == 8 && stretch_end(32) == 64);
}

/* For each node the points that turn there, and 500. */
static void work_is_counted(void **state) {
    (void)state;
    draw_source source = {33};
    static points p;
    for (int trial = 0; trial < 60; trial++) {
        double rate = draw_log_uniform(&source, 1e-3, 0.9), step = draw_log_uniform(&source, 0.01, 1), work = 0;
        make_points(&p, &source, 100 + (size_t)trial, rate, 1e-3, 30);
        double nodes = draw_log_uniform(&source, 0.5, 3000);
        for (size_t n = 0; (double)n < nodes; n++) {
            size_t start = 0, end = 4 * TURNS, turning = 0;
            while (n >= end) start = end, end *= 2;
            size_t low = 0, high = p.rule.count;
            while (low < high && is_near(&p, low, rate, (double)end * step)) low++;
            while (high > low && p.im[high - 1] * ((double)start * step) > 40) high--;
            turning = high - low;
            work += fmin(1, nodes - (double)n) * ((double)turning + 500);
        }
        double got = dpn_mixture_turns_work(&p.rule, rate, step, nodes * step);
        if (!(fabs(got - work) <= 1e-9 * work)) fail_msg("%g nodes: %.12g, not %.12g", nodes, got, work);
    }
}

/* A block and its nodes, the same bits with and without long registers. */
static void processors_agree(void **state) {
    (void)state;
    draw_source source = {34};
    static cell mass[SET * CELLS], from[CELLS], spin[SPINS * CELLS], total[2][SET * TURNS];
    cell *const list[] = {mass, from, spin};
    const size_t size[] = {SET * CELLS, CELLS, SPINS * CELLS};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < size[k]; i++)
            for (int lane = 0; lane < LANES; lane++)
                list[k][i].re[lane] = draw_uniform(&source, -1, 1), list[k][i].im[lane] = draw_uniform(&source, -1, 1);
    sum_portable(total[0], mass, from, spin, SET);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        sum_avx2(total[1], mass, from, spin, SET);
    else
#endif
        sum_portable(total[1], mass, from, spin, SET);
    for (size_t i = 0; i < SET * TURNS; i++)
        for (int lane = 0; lane < LANES; lane++)
            assert_true(total[0][i].re[lane] == total[1][i].re[lane] && total[0][i].im[lane] == total[1][i].im[lane]);
    for (size_t set = 0; set < SET; set++)
        for (size_t r = 0; r < TURNS; r++) {
            long double complex sum = 0;
            for (size_t i = 0; i < CELLS * LANES; i++) {
                size_t c = i / LANES, l = i % LANES;
                long double complex m = mass[set * CELLS + c].re[l] + I * (long double)mass[set * CELLS + c].im[l],
                                    f = from[c].re[l] + I * (long double)from[c].im[l];
                if (r)
                    sum += m * (1 + f) *
                           (spin[(r - 1) * CELLS + c].re[l] + I * (long double)spin[(r - 1) * CELLS + c].im[l]);
                else
                    sum += m * f;
            }
            assert_true(cabsl(lanes(&total[0][set * TURNS + r]) - sum) < 1e-13L);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_plain_sums), cmocka_unit_test(series_are_plain_sums),
        cmocka_unit_test(which_points_turn),    cmocka_unit_test(work_is_counted),
        cmocka_unit_test(processors_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
