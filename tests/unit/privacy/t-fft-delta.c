/* The FFT around its transforms, piece by piece: grids that hold their atoms, bounds that are read, what is refused and what only infinite losses decide. */
#include "privacy/compose/fft-delta.h"
#include "privacy/compose/fft-delta.c" /* to see each piece */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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

static dpn_loss law_loss(const char *text, double shift) {
    dpn_law law = case_law(text);
    dpn_loss loss;
    if (dpn_loss_law(&loss, &law, shift, NULL)) fail();
    return loss;
}

static dpn_fft_plan plan;
static dpn_fft_atoms atoms;

/* The grid of a part goes from below its range to above it, in whole steps from its heaviest atom; no more points than the plan bears. */
static void grids_hold_the_range(void **state) {
    (void)state;
    dpn_loss loss = law_loss("laplace(scale=1)", 1);
    dpn_error why;
    for (double step = 0.001; step < 0.1; step *= 3)
        for (double value = -0.3; value < 1; value += 0.37) {
            plan = (dpn_fft_plan){.parts = 1, .theta = 2, .times = 3};
            dpn_fft_part *p = &plan.part[0];
            *p = (dpn_fft_part){.view = dpn_loss_look(&loss), .times = 3, .low = -0.97, .high = 0.991};
            p->dots[DPN_ABOVE].grid = (dpn_dot_grid){-1, 0.01, DPN_FFT_COARSE};
            double mass[DPN_FFT_COARSE] = {0};
            p->dots[DPN_ABOVE].log_mass = mass;
            atoms = (dpn_fft_atoms){.count = {1}, .atom = {{{value, 0.5}}}};
            assert_int_equal(dpn_fft_spread(&plan, &atoms, workspace, NULL), DPN_OK);
            assert_int_equal(make_fine_dots(&plan, &atoms, workspace, step, &why), DPN_OK);
            dpn_dot_grid grid = p->dots[DPN_ABOVE].grid;
            double first = (grid.offset - value) / step, last = dpn_dot_grid_value(&grid, grid.count - 1);
            assert_true(grid.step == step && fabs(first - round(first)) < 1e-9);
            assert_true(grid.offset <= -0.97 + 1e-5 * step && grid.offset > -0.97 - step);
            assert_true(last >= 0.991 + step * (1 - 1e-5) && last <= 0.991 + 2 * step); /* and one more */
            /* A range that ends on the grid, but for rounding, takes no further step. */
            p->low = value - 20 * step * (1 + 1e-9);
            p->high = value + 30 * step * (1 + 1e-9);
            assert_int_equal(make_fine_dots(&plan, &atoms, workspace, step, &why), DPN_OK);
            assert_int_equal(p->dots[DPN_ABOVE].grid.count, 52);
        }
    dpn_fft_part *p = &plan.part[0];
    p->low = -1;
    p->high = 1;
    plan.most = 100;
    assert_int_equal(make_fine_dots(&plan, &atoms, workspace, 2.0 / 99, &why), DPN_OK);
    assert_int_equal(make_fine_dots(&plan, &atoms, workspace, 2.0 / 103, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the accuracy needs more than 100 grid points");
    plan.most = 0;
    plan.brief = true;
    assert_int_equal(make_fine_dots(&plan, &atoms, workspace, 2.0 / 65540, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the accuracy needs more than 65536 grid points");
    plan.parts = 24; /* which share what a dozen may have */
    for (size_t i = 1; i < 24; i++) plan.part[i] = plan.part[0];
    assert_int_equal(make_fine_dots(&plan, &atoms, workspace, 2.0 / 32771, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the accuracy needs more than 32768 grid points");
}

static void losses_that_are_slow(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool slow;
    } row[] = {{"laplace(scale=1)", false},
               {"gaussian(sigma=1)", false},
               {"discrete-gaussian(sigma=2)", false},
               {"subbotin(p=1.7,scale=1)", true}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_loss loss = law_loss(row[i].text, 1);
        dpn_loss_view view = dpn_loss_look(&loss);
        assert_int_equal(is_slow(&view), row[i].slow);
        assert_true(most_points(&view) == (row[i].slow ? 32768 : 4194304));
        view.loss = NULL;
        assert_false(is_slow(&view));
    }
    dpn_loss loss;
    if (dpn_loss_l2(&loss, 1, 5, NULL)) fail();
    dpn_loss_view view = dpn_loss_look(&loss);
    assert_true(is_slow(&view));
    if (dpn_loss_pure(&loss, 1, NULL)) fail();
    view = dpn_loss_look(&loss);
    assert_false(is_slow(&view));
}

static void parts_that_are_added(void **state) {
    (void)state;
    dpn_loss loss = law_loss("laplace(scale=1)", 1), zero = law_loss("laplace(scale=1)", 0), box;
    dpn_error why;
    plan = (dpn_fft_plan){0};
    for (uint64_t times = 0; times < 3; times++)
        assert_int_equal(dpn_fft_add(&plan, dpn_loss_look(&loss), times, &why), DPN_OK);
    assert_int_equal(dpn_fft_add(&plan, dpn_loss_look(&zero), 5, &why), DPN_OK);
    assert_true(plan.parts == 2 && plan.times == 3 && plan.part[0].times == 1 && plan.part[1].times == 2);
    if (dpn_loss_random_box(&box, 1, NULL, NULL, 0.5, 3, NULL)) fail();
    assert_int_equal(dpn_fft_add(&plan, dpn_loss_look(&box), 1, &why), DPN_EUNSUPPORTED);
    assert_non_null(strstr(why.sentence, "is composed with copies of itself alone"));
    static const double shares[] = {0.0199, 0.0201}; /* of a deviation */
    for (int i = 0; i < 2; i++) {
        dpn_law law = case_law("subbotin(p=1.7,scale=1)");
        dpn_loss slow = law_loss("subbotin(p=1.7,scale=1)", shares[i] * sqrt(dpn_law_variance(&law)));
        assert_int_equal(dpn_fft_add(&plan, dpn_loss_look(&slow), 1, &why), i ? DPN_OK : DPN_EACCURACY);
        if (!i) assert_string_equal(why.sentence, "subbotin noise at so small a sensitivity is too slow for the FFT");
    }
    while (plan.parts < DPN_FFT_PARTS) assert_int_equal(dpn_fft_add(&plan, dpn_loss_look(&loss), 1, &why), DPN_OK);
    double times = plan.times;
    assert_int_equal(dpn_fft_add(&plan, dpn_loss_look(&loss), 1, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "the FFT composes at most 64 different losses");
    assert_true(plan.times == times && plan.parts == DPN_FFT_PARTS);
}

/* ---- what is read ---- */

static void bounds_that_are_read(void **state) {
    (void)state;
    static double mass[2][64];
    dpn_fft_reader reader = {.ready = true};
    for (int infinite = 0; infinite < 2; infinite++)
        for (int wide = 0; wide < 3; wide++) {
            for (int side = 0; side < 2; side++) {
                for (int k = 0; k < 64; k++) mass[side][k] = k < 10 ? 64 * (side == DPN_ABOVE ? 1.1 : 1) : 0;
                reader.window[side] = (dpn_fft_window){.mass = mass[side],
                                                       .length = 64,
                                                       .start = 0.5,
                                                       .step = 0.1,
                                                       .theta = 1,
                                                       .log_sum = -3,
                                                       .times = 1,
                                                       .infinite = infinite * (side == DPN_ABOVE ? 0.02 : 0.01),
                                                       .one_norm = wide == 1   ? 0.04
                                                                   : wide == 2 ? 1e3
                                                                               : 0};
            }
            double sum = 0, lower, upper,
                   error = 0.25 * (wide == 1   ? 0.04
                                   : wide == 2 ? 1e3
                                               : 0); /* largest weight 1/4 */
            for (int k = 0; k < 10; k++) sum += exp(-0.4 - 0.1 * k) * -expm1(-0.4 - 0.1 * k);
            read_bounds(&lower, &upper, &reader, 0.1);
            double scale = exp(-3.1), high = scale * (1.1 * sum * (1 + 2e-12) + error) + 0.02 * infinite;
            double low = scale * (sum * (1 - 2e-12) - error) + 0.01 * infinite;
            if (wide == 2) low = 0.01 * infinite; /* only what is infinite */
            assert_true(fabs(upper - fmin(0, log(high))) < 1e-12);
            assert_true(low > 0 ? fabs(lower - log(low)) < 1e-12 : lower == -INFINITY);
        }
    reader.window[DPN_ABOVE].log_sum = -900; /* ends the wrong way around say nothing */
    reader.window[DPN_ABOVE].one_norm = reader.window[DPN_BELOW].one_norm = 0;
    reader.window[DPN_ABOVE].infinite = reader.window[DPN_BELOW].infinite = 0;
    double lower, upper;
    read_bounds(&lower, &upper, &reader, 0.1);
    assert_true(lower == -INFINITY && upper == INFINITY);
    read_bounds(&lower, &upper, &reader, 50); /* nothing above */
    assert_true(lower == -INFINITY && upper == INFINITY);
}

static void distances_of_polygons(void **state) {
    (void)state;
    static double above[2][3] = {{-1, -2, -3}, {-1, -1, -1}}, below[2][3] = {{-1.1, -2.1, -3.1}, {-1.3, -1.3, -1.3}};
    plan = (dpn_fft_plan){.parts = 2, .theta = 1.5};
    for (int i = 0; i < 2; i++) {
        plan.part[i].times = 3 + 2 * i;
        plan.part[i].dots[DPN_ABOVE] = (dpn_dots){.grid = {0, 0.1, 3}, .log_mass = above[i]};
        plan.part[i].dots[DPN_BELOW] = (dpn_dots){.grid = {0, 0.1, 3}, .log_mass = below[i]};
    }
    assert_true(fabs(distance_of_dots(&plan) - (3 * 0.1 + 5 * 0.3)) < 1e-13);
    for (int k = 0; k < 3; k++) below[1][k] = -INFINITY;
    assert_true(distance_of_dots(&plan) == INFINITY);
}

/* ---- what only infinite losses decide, and what is remembered ---- */

static void beyond_the_largest_loss(void **state) {
    (void)state;
    static const double value[] = {-0.5, 0.25, INFINITY}, probability[] = {0.2, 0.7, 0.1};
    dpn_loss loss;
    dpn_delta delta;
    dpn_fft_reader reader = {.ready = false};
    if (dpn_loss_explicit(&loss, value, probability, 3, NULL)) fail();
    for (uint64_t times = 1; times < 100; times *= 5) {
        dpn_part part = {loss, times};
        double n = (double)times, mass = 1 - pow(0.9, n), slack = 4 * DBL_EPSILON * n;
        for (double away = 0; away < 2; away += 0.5) {
            assert_int_equal(
                dpn_fft_delta(&delta, &reader, workspace, &part, 1, 0.25 * n * (1 + 3e-15) + away, 1e-3, NULL), DPN_OK);
            assert_true(delta.log_lower <= log(mass) - 0.5 * slack &&
                        delta.log_upper >= log(mass) + 0.5 * slack - 1e-15);
            assert_true(delta.log_upper - delta.log_lower <= 2 * slack + 1e-13 && !reader.ready);
        }
    }
    plan = (dpn_fft_plan){0}; /* no loss at all */
    for (double epsilon = -2; epsilon < 2; epsilon += 0.5) {
        assert_int_equal(dpn_fft_solve(&delta, &reader, &plan, workspace, epsilon, 1e-3, NULL), DPN_OK);
        double wanted = epsilon < 0 ? -expm1(epsilon) : 0;
        assert_true(delta.lower <= wanted && wanted <= delta.upper && delta.upper <= wanted * (1 + 1e-13));
    }
}

/* What is answered is as narrow as was asked, and holds what a finer answer holds. */
static void answers_are_accurate(void **state) {
    (void)state;
    static const char *const texts[] = {"gaussian(sigma=4)", "laplace(scale=3)", "flipped-huber(alpha=0.4,gamma=2)",
                                        "discrete-laplace(scale=3)"};
    for (size_t i = 0; i < 4; i++)
        for (uint64_t times = 1; times < 2000; times *= 37) {
            dpn_part part = {law_loss(texts[i], 1), times};
            double n = (double)times, last = 0.3 * sqrt(n) + 0.045 * n, accuracies[] = {0.3, 1e-2, 1e-3, 1e-5};
            dpn_delta found[4];
            for (int k = 0; k < 4; k++) {
                dpn_fft_reader reader = {.ready = false};
                dpn_error why;
                if (dpn_fft_delta(&found[k], &reader, workspace, &part, 1, fmin(last, 0.25 * n), accuracies[k], &why))
                    fail_msg("%s: %s", texts[i], why.sentence);
                assert_true(found[k].log_upper - found[k].log_lower <= log1p(accuracies[k]));
                for (int j = 0; j < k; j++)
                    assert_true(found[j].log_lower <= found[k].log_upper && found[k].log_lower <= found[j].log_upper);
            }
        }
}

static void answers_serve_again(void **state) {
    (void)state;
    dpn_part part = {law_loss("gaussian(sigma=1)", 0.5), 12};
    dpn_fft_reader reader = {.ready = false};
    dpn_delta first, again, fresh;
    assert_int_equal(dpn_fft_delta(&first, &reader, workspace, &part, 1, 4, 1e-4, NULL), DPN_OK);
    assert_true(reader.ready && first.log_upper - first.log_lower <= log1p(1e-4));
    const double *kept = reader.window[0].mass;
    double theta = reader.window[0].theta;
    for (double epsilon = 3.8; epsilon < 4.3; epsilon += 0.1) { /* nearby the same windows are read */
        dpn_fft_reader other = {.ready = false};
        dpn_workspace *own;
        assert_int_equal(dpn_fft_delta(&again, &reader, workspace, &part, 1, epsilon, 1e-3, NULL), DPN_OK);
        assert_true(reader.window[0].theta == theta && reader.window[0].mass == kept);
        assert_int_equal(dpn_workspace_new(&own), DPN_OK);
        assert_int_equal(dpn_fft_delta(&fresh, &other, own, &part, 1, epsilon, 1e-5, NULL), DPN_OK);
        dpn_workspace_free(own);
        assert_true(again.log_lower <= fresh.log_upper && fresh.log_lower <= again.log_upper &&
                    again.log_upper - again.log_lower <= log1p(1e-3));
    }
    assert_int_equal(dpn_fft_delta(&again, &reader, workspace, &part, 1, 9, 1e-5, NULL), DPN_OK);
    assert_true(reader.window[0].theta != theta && again.log_upper - again.log_lower <= log1p(1e-5));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_hold_the_range),  cmocka_unit_test(losses_that_are_slow),
        cmocka_unit_test(parts_that_are_added),  cmocka_unit_test(bounds_that_are_read),
        cmocka_unit_test(distances_of_polygons), cmocka_unit_test(beyond_the_largest_loss),
        cmocka_unit_test(answers_serve_again),   cmocka_unit_test(answers_are_accurate),
    };
    return cmocka_run_group_tests(tests, open_workspace, close_workspace);
}
