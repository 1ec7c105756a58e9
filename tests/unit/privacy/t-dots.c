/* Losses on a grid: the polygon above is nowhere below the profile, the polygon below nowhere above it, and both are close. */
#include "privacy/compose/fft-nodes.h"
#include "privacy/sampling/sampled.h"

#include "case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { POINTS = 400 };

/* delta(epsilon) of the discrete loss: plain summation. */
static double delta_of(const dpn_dots *dots, double epsilon) {
    double delta = dots->infinite;
    for (size_t j = 0; j < dots->grid.count; j++) {
        double value = dpn_dot_grid_value(&dots->grid, j);
        if (value > epsilon) delta += exp(dots->log_mass[j]) * -expm1(epsilon - value);
    }
    return delta;
}

static dpn_delta profile_of(const dpn_loss_view *view, double epsilon) {
    double lower, upper;
    if (view->source->log_delta(&lower, &upper, view, epsilon, NULL)) fail_msg("no profile at %.17g", epsilon);
    return (dpn_delta){exp(lower), exp(upper), lower, upper};
}

/* close is the largest relative distance that the two polygons may have in the first seven tenths of the grid, while delta
 * exceeds 5e-3. */
static void check_nodes(const dpn_loss *loss, const char *what, dpn_dot_grid grid, double close, const size_t *node,
                        size_t nodes) {
    double mass[2][POINTS], blur[2][POINTS], room[4][POINTS];
    size_t corner[POINTS];
    dpn_loss_view view = dpn_loss_look(loss);
    dpn_dots_scratch scratch = {room[0], room[1], room[2], room[3], corner, NULL, NULL};
    dpn_dots above = {.grid = grid, .node = node, .nodes = nodes, .log_mass = mass[0], .blur = blur[0]}, below = above;
    below.log_mass = mass[1];
    below.blur = blur[1];
    dpn_error why;
    if (dpn_dots_above(&above, &view, scratch, &why) || dpn_dots_below(&below, &view, scratch, &why))
        fail_msg("%s: %s", what, why.sentence);
    double first = grid.offset - 3 * grid.step, last = dpn_dot_grid_value(&grid, grid.count + 3);
    for (double epsilon = first; epsilon < last; epsilon += 0.2371 * grid.step) {
        dpn_delta delta = profile_of(&view, epsilon);
        double high = delta_of(&above, epsilon), low = delta_of(&below, epsilon), slack = 1e-11 * delta.upper + 1e-300;
        if (!(high >= delta.lower - slack))
            fail_msg("%s at %.17g: %.17g above is below %.17g", what, epsilon, high, delta.lower);
        if (!(low <= delta.upper + slack))
            fail_msg("%s at %.17g: %.17g below is above %.17g", what, epsilon, low, delta.upper);
        bool inside = epsilon > grid.offset && epsilon < dpn_dot_grid_value(&grid, 7 * grid.count / 10);
        if (inside && delta.lower > 5e-3 && !(high - low <= close * delta.upper))
            fail_msg("%s at %.17g: from %.17g to %.17g is too far", what, epsilon, low, high);
    }
    for (size_t i = 1; i + 1 < (node ? nodes : grid.count); i++) { /* the polygon above passes through the profile */
        size_t j = node ? node[i] : i;
        double epsilon = dpn_dot_grid_value(&grid, j), delta = profile_of(&view, epsilon).upper;
        if (delta > 1e-12 && fabs(delta_of(&above, epsilon) - delta) > 1e-9 * delta)
            fail_msg("%s: not through %.17g", what, epsilon);
    }
}

/* With corners everywhere, and with corners at distances 1, 2, 3, 4, 1, 2 .. */
static void check(const dpn_loss *loss, const char *what, dpn_dot_grid grid, double close) {
    size_t node[POINTS], nodes = 0;
    for (size_t j = 0; j + 1 < grid.count; j += 1 + (nodes - 1) % 4) node[nodes++] = j;
    node[nodes++] = grid.count - 1;
    check_nodes(loss, what, grid, close, NULL, 0);
    check_nodes(loss, what, grid, INFINITY, node, nodes);
}

static dpn_loss loss_of(const char *text, double shift) {
    dpn_law law = case_law(text);
    dpn_loss loss;
    if (dpn_loss_law(&loss, &law, shift, NULL)) fail();
    return loss;
}

static void smooth_losses(void **state) {
    (void)state;
    static const char *const texts[] = {"gaussian(sigma=1)", "osgt(m=0.5,sigma=1)", "flipped-huber(alpha=0.4,gamma=1)",
                                        "logistic(scale=0.7)", "subbotin(p=1.7,scale=1)"};
    for (int i = 0; i < 5; i++) {
        dpn_loss loss = loss_of(texts[i], 0.8);
        check(&loss, texts[i], (dpn_dot_grid){-2, 0.02, 250}, 0.05);
        check(&loss, texts[i], (dpn_dot_grid){-1.013, 0.09, 40}, INFINITY);
    }
}

/* Atoms on the grid, between its points and at its ends; a loss with mass at infinity. */
static void losses_with_atoms(void **state) {
    (void)state;
    static const double value[] = {-0.4, 0.23, 0.7, INFINITY}, probability[] = {0.2, 0.5, 0.2, 0.1};
    dpn_loss loss = loss_of("laplace(scale=1)", 1);
    check(&loss, "laplace", (dpn_dot_grid){-1, 0.125, 18}, 0.05);
    check(&loss, "laplace, atoms within the grid", (dpn_dot_grid){-1.25, 0.125, 30}, 0.05);
    check(&loss, "laplace off the grid", (dpn_dot_grid){-1.07, 0.125, 19}, INFINITY);
    loss = loss_of("truncated-laplace(scale=1,bound=4)", 1);
    check(&loss, "truncated-laplace", (dpn_dot_grid){-1, 0.125, 18}, 0.05);
    loss = loss_of("flipped-huber(alpha=2,gamma=1)", 0.5);
    check(&loss, "flipped-huber", (dpn_dot_grid){-2, 0.05, 120}, 0.1);
    loss = loss_of("staircase(epsilon=0.5,sensitivity=1,gamma=0.3)", 1.3);
    check(&loss, "staircase", (dpn_dot_grid){-1, 0.25, 10}, 1e-9);
    loss = loss_of("discrete-gaussian(sigma=1)", 2);
    check(&loss, "discrete-gaussian", (dpn_dot_grid){-4, 0.5, 25}, INFINITY);
    if (dpn_loss_pure(&loss, 0.6, NULL)) fail();
    check(&loss, "pure", (dpn_dot_grid){-0.6, 0.3, 6}, 1e-9);
    check(&loss, "pure off the grid", (dpn_dot_grid){-0.65, 0.3, 7}, INFINITY);
    if (dpn_loss_explicit(&loss, value, probability, 4, NULL)) fail();
    check(&loss, "explicit", (dpn_dot_grid){-0.5, 0.1, 15}, INFINITY);
    /* A grid that ends below the largest loss: above, what is beyond counts as infinite; below, it is dropped. */
    loss = loss_of("gaussian(sigma=1)", 1);
    check(&loss, "cut off", (dpn_dot_grid){-1, 0.1, 20}, INFINITY);
}

/* Corners are the first point, the last, all points where the mass is dense or an atom is near, and fewer elsewhere. */
static void corners_are_few_where_mass_is_thin(void **state) {
    (void)state;
    enum { FINE = 4 * 1024 + 7 };
    static dpn_fft_plan plan = {.parts = 1, .theta = 2};
    static dpn_fft_atoms atoms;
    static size_t node[FINE];
    double mass[DPN_FFT_COARSE];
    dpn_fft_part *p = &plan.part[0];
    p->times = 3;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    dpn_dots *dots = &p->dots[DPN_ABOVE];
    for (int with_atom = 0; with_atom < 2; with_atom++) {
        dots->grid = (dpn_dot_grid){-4, 8.0 / (DPN_FFT_COARSE - 1), DPN_FFT_COARSE};
        dots->log_mass = mass;
        for (size_t j = 0; j < DPN_FFT_COARSE; j++) { /* tilted: exp(-8 loss^2) */
            double loss = dpn_dot_grid_value(&dots->grid, j);
            mass[j] = -8 * loss * loss - plan.theta * loss;
        }
        atoms.count[0] = (size_t)with_atom;
        atoms.atom[0][0] = (dpn_heavy_atom){3, 0.5};
        dpn_error why;
        assert_int_equal(dpn_fft_spread(&plan, &atoms, workspace, &why), DPN_OK);
        dots->grid = (dpn_dot_grid){-4, 8.0 / (FINE - 1), FINE};
        size_t count = dpn_fft_choose_nodes(node, p), widest = 0;
        assert_true(count < FINE / 2 && node[0] == 0 && node[count - 1] == FINE - 1);
        for (size_t i = 0; i + 1 < count; i++) {
            double loss = dpn_dot_grid_value(&dots->grid, node[i]);
            assert_true(node[i] < node[i + 1]);
            size_t apart = node[i + 1] - node[i];
            bool dense = fabs(loss) < 0.2, near = with_atom && fabs(loss - 3) < 0.02;
            if (dense || near) assert_int_equal(apart, 1);
            if (apart > widest) widest = apart;
        }
        assert_true(widest > 4 && dpn_fft_coarseness(&plan, dots->grid.step) > 1);
        assert_true(dpn_fft_gather(&plan));
        assert_false(dpn_fft_gather(&plan));
        assert_int_equal(dpn_fft_choose_nodes(node, p), FINE);
        assert_true(dpn_fft_coarseness(&plan, dots->grid.step) == 1);
    }
    dpn_workspace_free(workspace);
}

/* A sampled loss on the integers is nothing but atoms, at log(1 - q + q e^(k - 1/2)): on a fine grid the corners are next to them, and
 * there are few others. */
static void corners_are_next_to_atoms(void **state) {
    (void)state;
    enum { FINE = 100003 };
    static dpn_fft_plan plan = {.parts = 1, .theta = 2};
    static size_t node[FINE];
    static bool corner[FINE];
    dpn_part part = {.loss = loss_of("discrete-gaussian(sigma=1)", 1), .times = 1};
    dpn_base base;
    dpn_error why;
    assert_int_equal(dpn_base_open(&base, &part, 1, &why), DPN_OK);
    dpn_sampled sampled = {&base, 0.01};
    for (int absent = 0; absent < 2; absent++) {
        dpn_fft_part *p = &plan.part[0];
        *p = (dpn_fft_part){
            .view = absent ? dpn_sampled_absent(&sampled) : dpn_sampled_present(&sampled), .times = 3, .atomic = true};
        dpn_dot_grid *grid = &p->dots[DPN_ABOVE].grid;
        *grid = (dpn_dot_grid){absent ? -0.7 : -0.05, 0.75 / (FINE - 1), FINE};
        size_t count = dpn_fft_choose_nodes(node, p);
        assert_true(count < 500 && node[0] == 0 && node[count - 1] == FINE - 1);
        for (size_t j = 0; j < FINE; j++) corner[j] = false;
        for (size_t i = 0; i < count; i++) {
            if (i > 0) assert_true(node[i] > node[i - 1]);
            corner[node[i]] = true;
        }
        for (int k = -4; k <= 4; k++) {
            double loss = log(1 - 0.01 + 0.01 * exp(k - 0.5)) * (absent ? -1 : 1);
            size_t before = (size_t)floor((loss - grid->offset) / grid->step);
            if (!(corner[before] && corner[before + 1])) fail_msg("no corners about the loss %.17g", loss);
        }
    }
    dpn_base_close(&base);
}

static dpn_status no_delta(double *lower, double *upper, const dpn_loss_view *view, double epsilon, dpn_error *why) {
    (void)lower;
    (void)upper;
    (void)view;
    (void)epsilon;
    (void)why;
    return DPN_EACCURACY;
}

/* One loss of several whose profile is out of reach ends it all, whichever it is. */
static void one_loss_without_a_profile_is_enough(void **state) {
    (void)state;
    static dpn_fft_plan plan = {.parts = 3};
    dpn_loss loss = loss_of("gaussian(sigma=1)", 1);
    dpn_workspace *workspace;
    dpn_error why;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (size_t bad = 0; bad <= plan.parts; bad++)
        for (int both = 0; both < 2; both++) {
            struct dpn_loss_source source;
            for (size_t i = 0; i < plan.parts; i++) {
                dpn_fft_part *p = &plan.part[i];
                *p = (dpn_fft_part){.view = dpn_loss_look(&loss), .times = 1};
                p->dots[DPN_ABOVE].grid = (dpn_dot_grid){-2, 0.1, 60};
                if (i != bad) continue;
                source = *p->view.source;
                source.log_delta = no_delta;
                source.log_delta_after = NULL;
                source.log_upper = NULL;
                p->view.source = &source;
            }
            dpn_status status = dpn_fft_make_dots(&plan, workspace, both, &why);
            assert_int_equal(status, bad < plan.parts ? DPN_EACCURACY : DPN_OK);
        }
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(smooth_losses), cmocka_unit_test(losses_with_atoms),
                                       cmocka_unit_test(corners_are_few_where_mass_is_thin),
                                       cmocka_unit_test(corners_are_next_to_atoms),
                                       cmocka_unit_test(one_loss_without_a_profile_is_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
