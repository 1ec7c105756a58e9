/* One side of the FFT bracket, piece by piece: tilts and windows against sums in long double, convolutions term by term, and each error against what it is a bound of. */
#include "privacy/compose/fft-plan.h"
#include "privacy/compose/fft-side.c" /* to see each piece */
#include "privacy/compose/tilt.c"

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { POINTS = 50 };

static dpn_workspace *workspace;

static int open_workspace(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) != DPN_OK;
}

static int close_workspace(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    return 0;
}

/* ---- tilts ---- */

typedef struct masses {
    double log_mass[POINTS], blur[POINTS];
} masses;

static dpn_dots draw_dots(masses *m, draw_source *source, double offset, double step, double deep) {
    for (int j = 0; j < POINTS; j++) {
        m->log_mass[j] = draw_chance(source, 0.2) ? -INFINITY : -draw_uniform(source, 0, deep);
        m->blur[j] = draw_uniform(source, 8, 50);
    }
    m->log_mass[POINTS / 2] = -1;
    return (dpn_dots){.grid = {offset, step, POINTS}, .log_mass = m->log_mass, .blur = m->blur, .infinite = 0.01};
}

/* In long double: the sum, mean and variance. */
static void moments_of(long double *log_sum, long double *mean, long double *variance, const dpn_dots *dots,
                       double theta) {
    long double sum = 0, first = 0, second = 0, unit = theta * dpn_dot_grid_value(&dots->grid, POINTS / 2);
    for (int pass = 0; pass < 2; pass++) {
        if (pass) first = first / sum;
        for (int j = 0; j < POINTS; j++) {
            long double value = dpn_dot_grid_value(&dots->grid, (size_t)j),
                        mass = expl(dots->log_mass[j] + theta * value - unit);
            if (!pass)
                sum += mass, first += mass * value;
            else
                second += mass * (value - first) * (value - first);
        }
    }
    *log_sum = logl(sum) + unit;
    *mean = first;
    *variance = second / sum;
}

static void tilted_masses(void **state) {
    (void)state;
    draw_source source = {51};
    for (int trial = 0; trial < 100; trial++) {
        masses m;
        double theta = draw_log_uniform(&source, 1e-3, 50), mass[POINTS], all = 0, wide;
        dpn_dots dots = draw_dots(&m, &source, draw_uniform(&source, -3, 3), draw_log_uniform(&source, 1e-3, 1), 30);
        long double log_sum, mean, variance;
        moments_of(&log_sum, &mean, &variance, &dots, theta);
        dpn_moments one = dpn_tilted_moments(&dots, theta), two = dpn_tilt(mass, &dots, theta);
        wide = 1e-14 * (1 + (double)(mean * mean));
        for (int k = 0; k < 2; k++) {
            dpn_moments found = k ? two : one;
            assert_true(fabs(found.log_sum - (double)log_sum) <=
                        1e-14 * (1 + theta * (3 + POINTS * dots.grid.step) + 30));
            assert_true(fabs(found.mean - (double)mean) <= 1e-12 * (1 + fabs((double)mean)));
            assert_true(fabs(found.variance - (double)variance) <= 1e-12 * (double)variance + 100 * wide &&
                        found.variance >= 0);
        }
        for (int j = 0; j < POINTS; j++) {
            double wanted =
                (double)expl(m.log_mass[j] + theta * (long double)dpn_dot_grid_value(&dots.grid, (size_t)j) - log_sum);
            assert_true(fabs(mass[j] - wanted) <= 1e-11 * wanted && (m.log_mass[j] > -INFINITY || mass[j] == 0));
            all += mass[j];
        }
        assert_true(fabs(all - 1) < 1e-14);
        for (double lambda = -60; lambda < 60; lambda += 7.7) {
            long double sum = 0, centre = mean;
            for (int j = 0; j < POINTS; j++)
                sum += mass[j] * expl(lambda * ((long double)dpn_dot_grid_value(&dots.grid, (size_t)j) - centre));
            double found = dpn_log_mgf(mass, &dots.grid, lambda, (double)centre), wanted = (double)logl(sum);
            if (fabs(lambda) * POINTS * dots.grid.step < 600)
                assert_true(fabs(found - wanted) <= 1e-11 * (1 + fabs(wanted)));
            else
                assert_true(found > 599 || fabs(found - wanted) <= 1e-11 * (1 + fabs(wanted)));
        }
    }
}

/* ---- parts ---- */

static void make_plan(dpn_fft_plan *plan, masses m[2], draw_source *source, size_t parts, double theta) {
    *plan = (dpn_fft_plan){.parts = parts, .theta = theta};
    for (size_t i = 0; i < parts; i++) {
        plan->part[i].times = 3 + 2 * (double)i;
        plan->part[i].dots[DPN_ABOVE] = draw_dots(&m[i], source, -0.4 + 0.03 * (double)i, 0.02, 4);
        plan->part[i].dots[DPN_BELOW] = plan->part[i].dots[DPN_ABOVE];
        plan->part[i].dots[DPN_BELOW].infinite = 0;
        plan->times += plan->part[i].times;
    }
}

static void parts_add_up(void **state) {
    (void)state;
    draw_source source = {52};
    static dpn_fft_plan plan;
    for (int trial = 0; trial < 10; trial++) {
        masses m[2];
        make_plan(&plan, m, &source, 2, 1.3);
        tilted t = {.plan = &plan, .side = trial % 2};
        long double log_sum = 0, mean = 0, variance = 0, blur = 0;
        assert_int_equal(tilt_parts(&t, workspace, NULL), DPN_OK);
        assert_ptr_equal(t.mass[1], t.mass[0] + POINTS);
        for (int i = 0; i < 2; i++) {
            long double a, b, c;
            moments_of(&a, &b, &c, &plan.part[i].dots[0], 1.3);
            log_sum += plan.part[i].times * a;
            mean += plan.part[i].times * b;
            variance += plan.part[i].times * c;
            for (int j = 0; j < POINTS; j++) blur += plan.part[i].times * t.mass[i][j] * m[i].blur[j] * DBL_EPSILON;
        }
        assert_true(fabs(t.all.log_sum - (double)log_sum) < 1e-12 && fabs(t.all.mean - (double)mean) < 1e-12);
        assert_true(fabs(t.all.variance - (double)variance) < 1e-12 && fabs(t.blur / (double)blur - 1) < 1e-12);
        /* Beyond the window lies less than 1e-13, by Chernoff's bound or because nothing lies beyond at all. */
        for (int sign = -1; sign < 2; sign += 2) {
            double reach = window_reach(&t, sign), end = -sign * (double)mean, least = INFINITY;
            for (int i = 0; i < 2; i++)
                end += sign * plan.part[i].times *
                       dpn_dot_grid_value(&plan.part[i].dots[0].grid, sign > 0 ? POINTS - 1 : 0);
            for (double lambda = 1e-3; lambda < 1e3; lambda *= 1.01) {
                double log_mgf = 0;
                for (int i = 0; i < 2; i++)
                    log_mgf += plan.part[i].times *
                               dpn_log_mgf(t.mass[i], &plan.part[i].dots[0].grid, sign * lambda, t.one[i].mean);
                least = fmin(least, (log_mgf - log(1e-13)) / lambda);
            }
            double best = fmin(end, least);
            assert_true(reach <= end + 1e-12);
            if (!(reach >= best * (1 - 1e-3) - 1e-12 && reach <= best * 1.2 + 1e-12))
                fail_msg("reach %g, not %g", reach, best);
        }
    }
}

static void masses_are_folded(void **state) {
    (void)state;
    double real[9], mass[20];
    for (int j = 0; j < 20; j++) mass[j] = 1 + j;
    for (size_t count = 1; count <= 20; count++) {
        double wanted[8] = {0}, square = 0;
        for (size_t j = 0; j < count; j++) wanted[j % 8] += mass[j];
        for (int j = 0; j < 8; j++) square += wanted[j] * wanted[j];
        real[7] = 99;
        real[8] = 1e9; /* beyond the end */
        double found = load(real, 8, mass, count);
        assert_true(fabs(found - sqrt(square)) < 1e-12 * found);
        for (int j = 0; j < 8; j++) assert_true(real[j] == wanted[j]);
    }
}

/* ---- the composition and what is read from it ---- */

static void composition_term_by_term(void **state) {
    (void)state;
    draw_source source = {53};
    static dpn_fft_plan plan;
    static long double sum[2048], next[2048];
    for (size_t parts = 1; parts < 3; parts++)
        for (int trial = 0; trial < 4; trial++) {
            masses m[2];
            dpn_fft_window window;
            double theta = 0.3 + trial;
            make_plan(&plan, m, &source, parts, theta);
            plan.epsilon = 0.1;
            if (parts == 1 && trial % 2)
                plan.part[0].times = plan.times = 40; /* a window that is narrower than all of it */
            assert_int_equal(dpn_fft_compose(&window, &plan, DPN_ABOVE, workspace, NULL), DPN_OK);
            /* All indices that add up, tilted masses in long double. */
            size_t length = 1;
            double offset = 0;
            long double log_sum = 0;
            memset(sum, 0, sizeof sum);
            sum[0] = 1;
            for (size_t i = 0; i < parts; i++) {
                const dpn_dots *dots = &plan.part[i].dots[0];
                long double own, b, c, mass[POINTS];
                moments_of(&own, &b, &c, dots, theta);
                for (size_t j = 0; j < POINTS; j++)
                    mass[j] = expl(m[i].log_mass[j] + theta * (long double)dpn_dot_grid_value(&dots->grid, j) - own);
                for (int n = 0; n < (int)plan.part[i].times; n++) {
                    memset(next, 0, sizeof next);
                    for (size_t k = 0; k < length; k++)
                        for (size_t j = 0; j < POINTS; j++) next[k + j] += sum[k] * mass[j];
                    memcpy(sum, next, sizeof sum);
                    length += POINTS - 1;
                    offset += dots->grid.offset;
                    log_sum += own;
                }
            }
            assert_true(window.step == 0.02 && window.theta == theta && window.times == plan.times);
            assert_true(fabs(window.log_sum - (double)log_sum) < 1e-12 && window.length >= 64 &&
                        (window.length & (window.length - 1)) == 0);
            double first = (window.start - offset) / 0.02, off = 0, inside = 0;
            assert_true(fabs(first - round(first)) < 1e-9);
            for (size_t k = 0; k < window.length; k++) { /* entry by entry, what lies elsewhere folded in */
                double at = round(first) + (double)k,
                       found = window.mass[(window.rest + k) % window.length] / (double)window.length;
                long double wanted = 0;
                for (double place = at; place >= 0; place -= (double)window.length)
                    if (place < (double)length) wanted += sum[(size_t)place];
                for (double place = at + (double)window.length; place < (double)length; place += (double)window.length)
                    if (place >= 0) wanted += sum[(size_t)place];
                off += (found - (double)wanted) * (found - (double)wanted);
                if (at >= 0 && at < (double)length) inside += (double)sum[(size_t)at];
            }
            assert_true(sqrt(off) <= window.two_norm && window.two_norm < 1e-12 && fabs(inside - 1) <= 2.1e-13);
            double blur = 0;
            for (size_t i = 0; i < parts; i++) {
                double mass[POINTS];
                dpn_tilt(mass, &plan.part[i].dots[0], theta);
                for (int j = 0; j < POINTS; j++) blur += plan.part[i].times * mass[j] * m[i].blur[j] * DBL_EPSILON;
            }
            assert_true(fabs(window.one_norm - (4e-13 + expm1(blur))) <= 1e-9 * window.one_norm);
            assert_true(fabs(window.infinite - (1 - pow(0.99, plan.times))) < 1e-14);
            /* delta, by what is known of the sum. */
            for (double epsilon = 0; epsilon < 2; epsilon += 0.17) {
                long double wanted = 0, weights = 0;
                for (size_t k = 0; k < 4096; k++) { /* the window may go on beyond the last loss */
                    long double above = offset + (long double)k * 0.02L - epsilon;
                    if (above <= 0) continue;
                    long double weight = expl(-theta * above) * -expm1l(-above);
                    if (k < length) wanted += sum[k] * weight;
                    weights += weight * weight;
                }
                dpn_fft_sum found = dpn_fft_read(&window, epsilon);
                assert_true(fabs(found.scale - (window.log_sum - theta * epsilon)) <= 1e-15 * (1 + fabs(found.scale)));
                assert_true(fabsl(found.sum - wanted) <= found.error && found.infinite == window.infinite);
                /* Cauchy and Schwarz, the largest weight for what is moved, and 2e-12 for each copy. */
                double largest = 0, counted;
                for (double y = 0; y < 20; y += 1e-3) largest = fmax(largest, exp(-theta * y) * -expm1(-y));
                counted = largest * window.one_norm + window.times * 2e-12 * found.sum;
                assert_true(found.error >= counted * (1 - 1e-12));
                assert_true(found.error <= counted * (1 + 1e-5) + sqrt((double)weights) * window.two_norm * 1.1);
            }
        }
}

/* The sum alone, where the errors are made large one at a time. */
static void errors_of_what_is_read(void **state) {
    (void)state;
    static double mass[256];
    for (int k = 0; k < 256; k++) mass[k] = 256 * (1 + k % 7);
    dpn_fft_window window = {
        .mass = mass, .length = 256, .rest = 100, .start = -1, .step = 0.05, .theta = 1.5, .times = 4, .log_sum = 2};
    for (double epsilon = -2; epsilon < 14; epsilon += 0.37) {
        long double sum = 0, squares = 0;
        for (int k = 0; k < 256; k++) {
            long double above = -1 + 0.05L * k - epsilon, weight = expl(-1.5L * above) * -expm1l(-above);
            if (above <= 0) continue;
            sum += weight * (1 + (100 + k) % 256 % 7);
            squares += weight * weight;
        }
        window.two_norm = window.one_norm = 0;
        dpn_fft_sum found = dpn_fft_read(&window, epsilon);
        assert_true(fabs(found.sum - (double)sum) <= 1e-13 * (double)sum &&
                    fabs(found.scale - 2 + 1.5 * epsilon) < 1e-14);
        assert_true(fabs(found.error - 8e-12 * found.sum) <= 1e-20);
        window.two_norm = 0.01;
        double two = dpn_fft_read(&window, epsilon).error - found.error, wanted = 0.01 * (double)sqrtl(squares);
        assert_true(fabs(two - wanted) <= 1e-9 * wanted + 1e-18);
        window.two_norm = 0;
        window.one_norm = 0.01;
        double one = dpn_fft_read(&window, epsilon).error - found.error;
        assert_true(fabs(one - 0.01 * pow(0.6, 1.5) / 2.5) <= 1e-12); /* theta^theta/(1 + theta)^(1 + theta) */
    }
}

/* The proof's sum of errors, factor by factor. */
static void errors_of_transforms(void **state) {
    (void)state;
    static dpn_fft_plan plan;
    for (int log2 = 6; log2 < 23; log2 += 4)
        for (double times = 1; times < 1e7; times *= 30)
            for (size_t parts = 1; parts < 60; parts += 20) {
                plan.parts = parts;
                plan.times = times;
                double e = dpn_fft_error(log2), norms = times * 0.3, norm = 0.07, length = ldexp(1, log2);
                double excess =
                    exp(e * norms * sqrt(length) + times * 0x1p-30); /* 2^22 units for the sum of the masses */
                double wanted = excess * (e * norms + (double)parts * 1e-20) +
                                (e + expm1((times + (double)parts) * 2.5 * 0x1p-53)) * norm;
                double found = composed_error(&plan, log2, norms, norm);
                if (!(found >= wanted * 1.005 && found <= wanted * 1.02))
                    fail_msg("2^%d, %g losses: %g, not %g", log2, times, found, wanted);
            }
}

/* What was dropped counts where nothing else does. */
static void dropped_entries(void **state) {
    (void)state;
    static dpn_fft_plan plan;
    for (size_t parts = 1; parts < 60; parts += 20) {
        plan = (dpn_fft_plan){.parts = parts, .times = 100};
        double found = composed_error(&plan, 10, 0, 0), wanted = (double)parts * 1e-20;
        assert_true(found >= wanted * 1.005 && found <= wanted * 1.02);
    }
}

static void transforms_that_are_too_long(void **state) {
    (void)state;
    draw_source source = {54};
    static dpn_fft_plan plan;
    masses m[2];
    dpn_fft_window window = {.length = 7};
    dpn_error why;
    for (int above = 0; above < 2; above++) {
        make_plan(&plan, m, &source, 1, 0.5);
        plan.brief = true;
        /* Two masses, far apart against the step. */
        double most = 65536;
        static double log_mass[2] = {-0.7, -0.7}, blur[2] = {8, 8};
        dpn_dots *dots = &plan.part[0].dots[0];
        *dots = (dpn_dots){.grid = {0, 1, 2}, .log_mass = log_mass, .blur = blur};
        plan.theta = 1e-3;
        plan.part[0].times = plan.times =
            floor(most * most / 60 * (above ? 1.1 : 0.9)); /* to where (x - n/2)^2 = 15 n */
        dpn_status status = dpn_fft_compose(&window, &plan, DPN_ABOVE, workspace, &why);
        assert_int_equal(status, above ? DPN_EACCURACY : DPN_OK);
        if (above) assert_string_equal(why.sentence, "the accuracy needs a transform longer than 2^16");
        if (!above) assert_true(window.length == 1 << 16);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tilted_masses),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(masses_are_folded),
        cmocka_unit_test(composition_term_by_term),
        cmocka_unit_test(errors_of_what_is_read),
        cmocka_unit_test(errors_of_transforms),
        cmocka_unit_test(transforms_that_are_too_long),
        cmocka_unit_test(dropped_entries),
    };
    return cmocka_run_group_tests(tests, open_workspace, close_workspace);
}
