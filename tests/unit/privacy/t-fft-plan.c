/* What the FFT decides before it transforms, piece by piece: steps that put atoms on the grid, where corners are, which losses matter, and the saddle point. */
#include "privacy/compose/fft-nodes.h"
#include "privacy/compose/fft-look.c" /* to see each piece */
#include "privacy/compose/fft-nodes.c"
#include "privacy/compose/fft-step.c"
#include "privacy/compose/fft-step.h"

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

static dpn_loss pure_loss(double epsilon) {
    dpn_loss loss;
    if (dpn_loss_pure(&loss, epsilon, NULL)) fail();
    return loss;
}

static dpn_fft_plan plan;
static dpn_fft_atoms atoms;

/* ---- steps ---- */

/* theta times the sum of how far each atom is from the grid that begins at the heaviest, by its share and number. */
static void costs_of_steps(void **state) {
    (void)state;
    plan = (dpn_fft_plan){.parts = 2, .theta = 3};
    plan.part[0].times = 5;
    plan.part[1].times = 7;
    atoms = (dpn_fft_atoms){.count = {3, 2}};
    memcpy(atoms.atom[0], (dpn_heavy_atom[]){{0.5, 0.6}, {0.83, 0.3}, {-0.1, 0.1}}, 3 * sizeof(dpn_heavy_atom));
    memcpy(atoms.atom[1], (dpn_heavy_atom[]){{0.1, 0.7}, {0.45, 0.3}}, 2 * sizeof(dpn_heavy_atom));
    for (double step = 0.01; step < 0.4; step *= 1.37) {
        double first = fabs(remainder(0.33, step)), second = fabs(remainder(0.6, step)),
               other = fabs(remainder(0.35, step));
        double wanted = 3 * (5 * (0.3 * first + 0.1 * second) + 7 * 0.3 * other),
               found = cost(&plan, &atoms, step, INFINITY);
        if (!(fabs(found - wanted) < 1e-12)) fail_msg("step %g costs %.17g, not %.17g", step, found, wanted);
        assert_true(cost(&plan, &atoms, step, 1e-300) <= found); /* more is not asked */
    }
    assert_true(dpn_fft_origin(&atoms, 0) == 0.5 && dpn_fft_origin(&atoms, 1) == 0.1 && dpn_fft_origin(&atoms, 2) == 0);
    /* Distances within a part of 1e9 count as none. */
    atoms.count[0] = 0;
    assert_true(cost(&plan, &atoms, 0.35 / 7 * (1 + 1e-10), INFINITY) == 0);
    assert_true(cost(&plan, &atoms, 0.35 / 7 * (1 + 1e-8), INFINITY) > 0);
}

static void rulers_are_distances(void **state) {
    (void)state;
    double ruler[RULERS];
    plan = (dpn_fft_plan){.parts = 2, .theta = 3};
    plan.part[0].times = 5;
    plan.part[1].times = 7;
    atoms = (dpn_fft_atoms){.count = {7, 2}};
    for (int i = 0; i < 7; i++) atoms.atom[0][i] = (dpn_heavy_atom){i % 2 ? -i * 0.1 : i * 0.1, 0.3};
    memcpy(atoms.atom[1], (dpn_heavy_atom[]){{0.1, 0.7}, {0.45, 0.2}}, 2 * sizeof(dpn_heavy_atom));
    assert_int_equal(find_rulers(ruler, &plan, &atoms, 0.15), RULERS); /* 5 times 0.3 is more than 7 times 0.2 */
    for (int i = 0; i < RULERS; i++) assert_true(fabs(ruler[i] - 0.1 * (i + 2)) < 1e-15);
    assert_int_equal(find_rulers(ruler, &plan, &atoms, 0.45), 2);
    assert_true(fabs(ruler[0] - 0.5) < 1e-15);
    plan.part[1].times = 8;
    assert_int_equal(find_rulers(ruler, &plan, &atoms, 0.15), 1);
    assert_true(fabs(ruler[0] - 0.35) < 1e-15);
    assert_int_equal(find_rulers(ruler, &plan, &atoms, 0.36), 0);
    atoms.count[0] = atoms.count[1] = 1;
    assert_int_equal(find_rulers(ruler, &plan, &atoms, 0.01), 0);
}

static void atoms_come_on_the_grid(void **state) {
    (void)state;
    plan = (dpn_fft_plan){.parts = 1, .theta = 3};
    plan.part[0].times = 5;
    atoms = (dpn_fft_atoms){.count = {3}};
    memcpy(atoms.atom[0], (dpn_heavy_atom[]){{0.5, 0.6}, {0.8, 0.3}, {0.95, 0.1}}, 3 * sizeof(dpn_heavy_atom));
    for (double step = 0.001; step < 0.15; step *= 1.31) {
        double found = dpn_fft_aligned_step(&plan, &atoms, step, 0); /* a common measure is 0.15 */
        double pieces = 0.15 / found;
        assert_true(found <= step && found >= step / 2 * (1 - 1e-12) && fabs(pieces - round(pieces)) < 1e-9 * pieces);
        assert_true(dpn_fft_aligned_step(&plan, &atoms, step, 1e9) == step); /* good enough as it is */
    }
    atoms.count[0] = 1;
    assert_true(dpn_fft_aligned_step(&plan, &atoms, 0.0123, 0) == 0.0123);
    /* Without a common measure the best of some hundred pieces. */
    memcpy(atoms.atom[0], (dpn_heavy_atom[]){{0, 0.6}, {1, 0.3}, {sqrt(2), 0.1}}, 3 * sizeof(dpn_heavy_atom));
    atoms.count[0] = 3;
    for (double step = 0.003; step < 0.2; step *= 1.7) {
        double found = dpn_fft_aligned_step(&plan, &atoms, step, 0), best = INFINITY, pieces = ceil(1 / step);
        for (double n = pieces; n <= pieces + fmin(pieces, 400); n++)
            best = fmin(best, cost(&plan, &atoms, 1 / n, INFINITY));
        assert_true(found <= step && cost(&plan, &atoms, found, INFINITY) <= best * (1 + 1e-12));
    }
}

/* ---- corners ---- */

static void corners_where_mass_is(void **state) {
    (void)state;
    static double mass[DPN_FFT_COARSE];
    plan = (dpn_fft_plan){.parts = 1, .theta = 2};
    dpn_fft_part *p = &plan.part[0];
    dpn_dots *dots = &p->dots[DPN_ABOVE];
    p->times = 3;
    for (int with = 0; with < 2; with++) {
        dots->grid = (dpn_dot_grid){-4, 1.0 / 32, DPN_FFT_COARSE};
        dots->log_mass = mass;
        for (size_t j = 0; j < DPN_FFT_COARSE; j++) { /* tilted: e^-|10 loss| */
            double loss = dpn_dot_grid_value(&dots->grid, j);
            mass[j] = -10 * fabs(loss) - 2 * loss;
        }
        atoms = (dpn_fft_atoms){.count = {(size_t)with}};
        atoms.atom[0][0] = (dpn_heavy_atom){1.01, 0.5};
        assert_int_equal(dpn_fft_spread(&plan, &atoms, workspace, NULL), DPN_OK);
        assert_true(p->coarse.count == DPN_FFT_COARSE && !p->atomic);
        double squares = 0, all = 0;
        for (int j = 0; j < DPN_FFT_COARSE; j++) {
            double loss = -4 + j / 32.0, nearest = fmax(0, fabs(loss) - 2.0 / 32); /* the most mass of five points */
            size_t wanted = (size_t)exp2(fmin(6, floor(10 * nearest / (3 * log(2)) + 1e-9)));
            bool kept = with && j >= 159 && j <= 162; /* 1.01 lies between points 160 and 161 */
            bool next_to_kept = with && j >= 157 && j <= 164;
            if (kept)
                assert_true(p->apart[j] == 1 && p->dense[j] == 0);
            else if (!next_to_kept) {
                if (p->apart[j] != wanted) fail_msg("point %d: %zu apart, not %zu", j, p->apart[j], wanted);
                assert_true(fabs(p->dense[j] - exp(-10 * nearest)) < 1e-12);
            }
        }
        for (double step = 1e-4; step < 0.1; step *= 3) { /* no more than half a cell apart */
            squares = all = 0;
            for (int j = 0; j + 1 < DPN_FFT_COARSE; j++) {
                size_t apart = p->apart[j] < p->apart[j + 1] ? p->apart[j] : p->apart[j + 1];
                while (apart > 1 && (double)apart * step > 1.0 / 64) apart /= 2;
                assert_int_equal(apart_in(p, (size_t)j, step), apart);
                assert_int_equal(apart_at(p, -4 + (j + 0.5) / 32, step), apart);
                squares += p->dense[j] * (double)(apart * apart);
                all += p->dense[j];
            }
            assert_true(fabs(dpn_fft_coarseness(&plan, step) - squares / all) < 1e-12);
        }
        assert_true(apart_at(p, -4.01, 1e-4) == 1 && apart_at(p, 4.01, 1e-4) == 1 && apart_at(p, 4, 1e-4) == 1);
    }
    p->dense[0] = p->dense[DPN_FFT_COARSE - 1] = 77; /* which the next call does not keep */
    atoms = (dpn_fft_atoms){.count = {0}};
    plan.part[1] = plan.part[0];
    plan.parts = 2;
    assert_int_equal(dpn_fft_spread(&plan, &atoms, workspace, NULL), DPN_OK);
    assert_ptr_equal(plan.part[1].apart, p->apart + DPN_FFT_COARSE);
    assert_ptr_equal(plan.part[1].dense, p->dense + DPN_FFT_COARSE);
    for (int j = 0; j < DPN_FFT_COARSE; j++)
        assert_true(p->dense[j] <= 1 && p->dense[j] == plan.part[1].dense[j] && p->apart[j] == plan.part[1].apart[j]);
    static size_t node[DPN_FFT_COARSE * 3];
    dots->grid = (dpn_dot_grid){-4, 8.0 / (DPN_FFT_COARSE * 3 - 1), DPN_FFT_COARSE * 3};
    size_t count = dpn_fft_choose_nodes(node, p);
    for (size_t i = 0; i + 1 < count; i++) {
        size_t step = apart_at(p, dpn_dot_grid_value(&dots->grid, node[i]), dots->grid.step),
               end = DPN_FFT_COARSE * 3 - 1;
        assert_int_equal(node[i + 1], node[i] + step < end ? node[i] + step : end);
    }
    assert_true(node[0] == 0 && node[count - 1] == DPN_FFT_COARSE * 3 - 1);
    dots->grid = p->coarse;
    plan.parts = 1;
    atoms.count[0] = 9; /* too many to be kept one by one */
    for (int i = 0; i < 9; i++) atoms.atom[0][i] = (dpn_heavy_atom){i % 2 ? -9 : 9, 0.1}; /* beyond the grid */
    assert_int_equal(dpn_fft_spread(&plan, &atoms, workspace, NULL), DPN_OK);
    for (int j = 0; j < DPN_FFT_COARSE; j++) assert_true(p->apart[j] == 1);
    assert_true(p->atomic && !dpn_fft_gather(&plan) && dpn_fft_coarseness(&plan, 1e-3) == 1);
    atoms.count[0] = 8;
    assert_int_equal(dpn_fft_spread(&plan, &atoms, workspace, NULL), DPN_OK);
    assert_true(p->apart[0] == 64 && dpn_fft_gather(&plan) && p->apart[0] == 1);
    plan.parts = 0;
    assert_true(dpn_fft_coarseness(&plan, 1e-3) == 1);
}

/* Nodes next to atoms alone, where a loss has nothing else; too many of them are not taken. */
static void corners_next_to_atoms(void **state) {
    (void)state;
    enum { FINE = 8193 };
    static size_t node[FINE];
    dpn_loss loss = pure_loss(0.5);
    dpn_fft_part p = {.view = dpn_loss_look(&loss), .times = 1, .atomic = true};
    p.dots[DPN_ABOVE].grid = (dpn_dot_grid){-1, 2.0 / (FINE - 1), FINE};
    size_t count = nodes_of_atoms(node, &p);
    assert_true(count > 3 && count < 64 && node[0] == 0 && node[count - 1] == FINE - 1);
    for (int k = 0; k < 2; k++) { /* -0.5 and 0.5 are points 2048 and 6144 */
        bool found = false;
        for (size_t i = 0; i < count; i++) found = found || node[i] == (k ? 6144 : 2048);
        assert_true(found);
    }
    for (size_t i = 1; i < count; i++) assert_true(node[i] > node[i - 1]);
    assert_int_equal(dpn_fft_choose_nodes(node, &p), count);
    p.atomic = false;
    assert_int_equal(nodes_of_atoms(node, &p), 0);
    p.atomic = true;
    p.dots[DPN_ABOVE].grid.count = 4096; /* a short grid has them all */
    assert_int_equal(nodes_of_atoms(node, &p), 0);
    p.dots[DPN_ABOVE].grid.count = 4097;
    assert_true(nodes_of_atoms(node, &p) > 0);
    dpn_loss dense = law_loss("logistic(scale=1)", 1);
    p.view = dpn_loss_look(&dense);
    assert_int_equal(nodes_of_atoms(node, &p), 0);
    hunt h = {.part = &p, .node = node, .count = 1, .room = 2}; /* without room it is given up */
    assert_true(hunt_between(&h, 0, 1, 1, 0.5) && h.count == 2 && node[1] == 1);
    assert_false(hunt_between(&h, 1, 1, 2, 0.5));
    h.count = 1;
    h.room = 9;
    assert_true(hunt_between(&h, 5, 0.01, 7, 0.01 - 5e-12) && h.count == 3 && node[1] == 6 && node[2] == 7);
    h.count = 1;
    assert_true(hunt_between(&h, 5, 1, 900, 1 - 0.9e-11) && node[1] == 900); /* nothing between, but for rounding */
}

/* ---- the coarse look ---- */

static void infinite_shares(void **state) {
    (void)state;
    plan = (dpn_fft_plan){.parts = 2};
    plan.part[0].times = 3;
    plan.part[1].times = 2;
    for (int side = 0; side < 2; side++) {
        plan.part[0].dots[side].infinite = 0.1 + 0.05 * side;
        plan.part[1].dots[side].infinite = 1e-20;
    }
    assert_true(fabs(dpn_fft_infinite(&plan, 0) - (1 - 0.9 * 0.9 * 0.9)) < 1e-15);
    assert_true(fabs(dpn_fft_infinite(&plan, 1) - (1 - 0.85 * 0.85 * 0.85)) < 1e-15);
    plan.part[0].dots[0].infinite = 0;
    assert_true(fabs(dpn_fft_infinite(&plan, 0) / 2e-20 - 1) < 1e-12);
}

/* The losses that are seen hold those that matter, and not many more; the tilt is that of the saddle point. */
static void looks(void **state) {
    (void)state;
    for (double mu = 0.3; mu < 4; mu *= 3)
        for (double z = 0; z < 9; z += 2.9)
            for (double n = 1; n < 200; n *= 12) {
                dpn_loss loss = law_loss("gaussian(sigma=1)", mu);
                double square = n * mu * mu, epsilon = 0.5 * square + z * sqrt(square), theta, low = 0, high = 1e4;
                plan = (dpn_fft_plan){.parts = 1, .epsilon = epsilon, .times = n};
                plan.part[0] = (dpn_fft_part){.view = dpn_loss_look(&loss), .times = n};
                assert_int_equal(dpn_fft_look(&plan, workspace, 1e-5, NULL), DPN_OK);
                while (high - low > 1e-9 * high) { /* K'(theta) = epsilon + 1/theta + 1/(1 + theta) */
                    theta = 0.5 * (low + high);
                    *((theta + 0.5) * square < epsilon + 1 / theta + 1 / (1 + theta) ? &low : &high) = theta;
                }
                if (!(fabs(plan.theta / low - 1) < 0.06))
                    fail_msg("mu %g, z %g, %g: theta %g, not %g", mu, z, n, plan.theta, low);
                theta = plan.theta;
                double bend = square + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta));
                double estimate = 0.5 * theta * (theta + 1) * square - theta * epsilon - log(theta * (theta + 1)) -
                                  0.5 * log(2 * DPN_PI * bend);
                if (!(fabs(plan.log_estimate - fmin(0, estimate)) < 0.05 + 0.01 * fabs(estimate)))
                    fail_msg("mu %g, z %g, %g: %g, not %g", mu, z, n, plan.log_estimate, estimate);
                /* Tilted, one loss is N(mu^2 (theta + 1/2), mu^2): what matters is about 1e-8/n of that, and of delta. */
                double middle = mu * mu * (theta + 0.5), share = sqrt(2 * log(1e8 * n));
                dpn_fft_part *p = &plan.part[0];
                if (!(p->low < middle - (share - 2.5) * mu && p->high > middle + 1.5 * mu &&
                      p->low > middle - 1.4 * share * mu - 0.2 * theta * mu * mu - 0.3))
                    fail_msg("mu %g, z %g, %g: from %g to %g, the middle is %g", mu, z, n, p->low, p->high, middle);
            }
}

static void ends_of_losses(void **state) {
    (void)state;
    double high;
    dpn_error why;
    dpn_loss loss = law_loss("gaussian(sigma=1)", 1);
    dpn_loss_view view = dpn_loss_look(&loss);
    assert_int_equal(find_high(&high, &view, &why), DPN_OK);
    assert_true(high == 64); /* the first power of two with less than e^-737: 0.5 + 38.3 is the loss there */
    loss = law_loss("laplace(scale=1)", 3);
    view = dpn_loss_look(&loss);
    assert_int_equal(find_high(&high, &view, &why), DPN_OK);
    assert_true(high == 3);
    loss = law_loss("gaussian(sigma=1e-4)", 1);
    view = dpn_loss_look(&loss);
    assert_int_equal(find_high(&high, &view, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "a loss of the composition has a tail that is too long for the FFT");
    dpn_fft_part p = {.low = -2, .high = 6};
    coarse_grid(&p);
    dpn_dot_grid grid = p.dots[DPN_ABOVE].grid;
    assert_true(grid.offset == -2 && grid.count == DPN_FFT_COARSE &&
                dpn_dot_grid_value(&grid, DPN_FFT_COARSE - 1) == 6);
}

/* What lies below counts with the tilt of the place it is put to; what lies above counts as infinite. */
static void ranges_that_matter(void **state) {
    (void)state;
    double mass[41];
    dpn_fft_part p = {.low = -9, .high = 9};
    p.dots[DPN_ABOVE] = (dpn_dots){.grid = {-2, 0.1, 41}, .log_mass = mass};
    for (int j = 0; j < 41; j++) mass[j] = -8 * pow(-2 + 0.1 * j, 2);
    for (double theta = 0.5; theta < 9; theta *= 2)
        for (double negligible = 1e-2; negligible > 1e-9; negligible *= 0.1) {
            double all = 0, below = 0, above = 0, low = -9, high = 9, log_floor = log(negligible) - 2;
            for (int j = 0; j < 41; j++) all += exp(mass[j] + theta * (-2 + 0.1 * j));
            for (int j = 0; j < 41; j++) {
                below += exp(mass[j]);
                if (below * exp(theta * (-2 + 0.1 * j)) > negligible * all) break;
                low = -2 + 0.1 * j;
            }
            for (int j = 40; j >= 0; j--) {
                above += exp(mass[j]);
                if (above > exp(log_floor)) break;
                high = -2 + 0.1 * j;
            }
            p.low = -9;
            p.high = 9;
            narrow(&p, theta, negligible, log_floor);
            if (low >= high) low = -9, high = 9;
            assert_true(fabs(p.low - low) < 1e-12 && fabs(p.high - high) < 1e-12);
        }
    p.low = -9;
    p.high = 9;
    narrow(&p, 1, 1e9, 100); /* nothing matters: all stays */
    assert_true(p.low == -9 && p.high == 9);
}

/* The bound by the look alone: not below delta, and near the best Chernoff bound of the loss itself. */
static void bounds_by_a_look(void **state) {
    (void)state;
    for (double mu = 0.9; mu < 3; mu *= 3)
        for (double z = 1; z < 9; z += 2.5) {
            dpn_loss loss = law_loss("gaussian(sigma=1)", mu);
            double square = 20 * mu * mu, epsilon = 0.5 * square + z * sqrt(square), found, least = 0;
            plan = (dpn_fft_plan){.parts = 1, .times = 20};
            plan.part[0] = (dpn_fft_part){.view = dpn_loss_look(&loss), .times = 20};
            assert_int_equal(dpn_fft_chernoff(&found, &plan, workspace, epsilon, NULL), DPN_OK);
            for (double theta = 0.01; theta < 1e3; theta *= 1.01)
                least = fmin(least, 0.5 * square * theta * (theta + 1) - theta * epsilon - theta * log1p(1 / theta) -
                                        log1p(theta));
            if (!(found >= least - 1e-3 && found <= least + 0.3))
                fail_msg("mu %g, z %g: %g, not %g", mu, z, found, least);
        }
    dpn_loss loss = law_loss("truncated-laplace(scale=1,bound=4)", 1); /* with mass at infinity */
    plan = (dpn_fft_plan){.parts = 1, .times = 2};
    plan.part[0] = (dpn_fft_part){.view = dpn_loss_look(&loss), .times = 2};
    double found, lower, upper;
    assert_int_equal(dpn_fft_chernoff(&found, &plan, workspace, 1.9, NULL), DPN_OK);
    assert_int_equal(dpn_loss_infinite(&lower, &upper, &plan.part[0].view, NULL), DPN_OK);
    assert_true(found >= log(lower * (2 - lower)) && found < 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_of_steps),
        cmocka_unit_test(rulers_are_distances),
        cmocka_unit_test(atoms_come_on_the_grid),
        cmocka_unit_test(corners_where_mass_is),
        cmocka_unit_test(corners_next_to_atoms),
        cmocka_unit_test(infinite_shares),
        cmocka_unit_test(looks),
        cmocka_unit_test(ends_of_losses),
        cmocka_unit_test(ranges_that_matter),
        cmocka_unit_test(bounds_by_a_look),
    };
    return cmocka_run_group_tests(tests, open_workspace, close_workspace);
}
