/* Algorithm 2 of the flipped Huber paper, corrected, on a fine grid: alpha = 5, gamma = 4, sensitivity 1, K = 5.
 *
 *     delta_1(nu) is the profile, with delta(-e) = 1 - e^-e + e^-e delta(e) for negative nu, and
 *     delta_k(nu) = integral over t of g(t) delta_(k-1)(nu - L(t)),  L the loss at the noise t.
 *
 * (As printed the argument is epsilon in place of nu, and the profile is used for nu >= 0 only.) Between its points delta_(k-1) is
 * interpolated linearly. The loss has atoms at +-alpha D/gamma^2, where delta_k has kinks; the grid has a point there, so the
 * error of one step is at most an eighth of the largest second difference off those points, and that of K - 1 steps the sum.
 * The integral is a Gauss-Legendre sum between the points where g, L or the interpolant bends, with an error far below that.
 */
#include <dpnoise/privacy.h>

#include "case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { K = 5, PIECES = 250, ATOMS = 12, HALF = PIECES * ATOMS, POINTS = 2 * HALF + 1 };

#define ALPHA 5.0
#define GAMMA 4.0
#define ATOM (ALPHA / (GAMMA * GAMMA))
#define STEP (ATOM / PIECES)

/* delta at (j - HALF) STEP. Beyond the grid it is 0 to the right and 1 - e^nu to the left, up to 1e-12. */
typedef struct curve {
    double delta[POINTS];
} curve;

static double at(const curve *c, int j) {
    if (j < 0) return -expm1((j - HALF) * STEP);
    return j < POINTS ? c->delta[j] : 0;
}

static double second_difference(const curve *c) {
    double most = 0;
    for (int j = 1; j + 1 < POINTS; j++)
        if (j % PIECES) most = fmax(most, fabs(c->delta[j - 1] - 2 * c->delta[j] + c->delta[j + 1]));
    return most;
}

/* The integral with delta linear between grid points: g's mass where L is between two of them goes to both in proportion to the
 * distance. mass[j] belongs to the loss (j - REACH) STEP; larger losses have a probability below 1e-15. */
enum { REACH = 8 * PIECES };
typedef struct noise {
    double mass[2 * REACH + 1];
} noise;

static void add_interval(noise *n, const dpn_law *law, double from, double to) {
    static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    double cell = floor(dpn_privacy_loss(law, 1, 0.5 * (from + to)) / STEP + 1e-9);
    for (int i = 0; i < 8; i++) {
        double t = 0.5 * (from + to) + 0.5 * (to - from) * (i < 4 ? -node[i] : node[i - 4]);
        double mass = 0.5 * (to - from) * weight[i % 4] * dpn_law_pdf(law, t);
        double share = dpn_privacy_loss(law, 1, t) / STEP - cell;
        if (fabs(cell) >= REACH) continue;
        n->mass[(int)cell + REACH] += mass * (1 - share);
        n->mass[(int)cell + REACH + 1] += mass * share;
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The cuts: where L is on the grid, where psi(t) or psi(t + 1) bends, and a few on the stretches where L is level. */
static void make_noise(noise *n, const dpn_law *law) {
    static double cut[2 * REACH + 64];
    size_t count = 0;
    const double bend[] = {-ALPHA - 1, -ALPHA, -1, 0, ALPHA - 1, ALPHA};
    for (int i = 0; i < 6; i++) cut[count++] = bend[i];
    for (double t = -ALPHA; t < ALPHA; t += 0.5) cut[count++] = t;
    for (int j = -REACH; j <= REACH; j++) cut[count++] = dpn_privacy_loss_centred_inverse(law, 1, j * STEP) - 0.5;
    qsort(cut, count, sizeof *cut, ascending);
    memset(n, 0, sizeof *n);
    for (size_t i = 1; i < count; i++)
        if (cut[i] > cut[i - 1]) add_interval(n, law, cut[i - 1], cut[i]);
}

static void first_curve(curve *out, const dpn_law *law) {
    for (int j = 0; j < POINTS; j++) {
        double nu = (j - HALF) * STEP, size = fabs(nu);
        dpn_delta delta;
        if (dpn_profile_delta(&delta, law, 1, size, NULL)) fail();
        double value = 0.5 * (delta.lower + delta.upper);
        out->delta[j] = nu < 0 ? -expm1(-size) + exp(-size) * value : value;
    }
}

static void next_curve(curve *out, const curve *before, const noise *n) {
    for (int j = 0; j < POINTS; j++) {
        double sum = 0;
        for (int i = 0; i <= 2 * REACH; i++) sum += n->mass[i] * at(before, j - (i - REACH));
        out->delta[j] = sum;
    }
}

static void engine_agrees_with_algorithm_2(void **state) {
    (void)state;
    dpn_law law = case_law("flipped-huber(alpha=5,gamma=4)");
    static noise n;
    make_noise(&n, &law);
    curve *one = malloc(sizeof *one), *two = malloc(sizeof *two);
    dpn_workspace *workspace;
    dpn_part part = {.times = K};
    if (!one || !two || dpn_workspace_new(&workspace) || dpn_loss_law(&part.loss, &law, 1, NULL)) fail();
    double error = 0;
    first_curve(one, &law);
    for (int k = 2; k <= K; k++) {
        error += 0.125 * second_difference(one);
        next_curve(two, one, &n);
        curve *swap = one;
        one = two;
        two = swap;
    }
    double farthest = 0;
    for (int j = -800; j < 1600; j += 97) {
        dpn_delta delta;
        if (dpn_compose_delta(&delta, workspace, &part, 1, j * STEP, NULL, NULL)) fail();
        double grid = one->delta[j + HALF], distance = fmax(grid - delta.upper, delta.lower - grid);
        farthest = fmax(farthest, fmax(grid - delta.lower, delta.upper - grid));
        if (!(distance <= error + 1e-12))
            fail_msg("epsilon %.17g: [%.12g, %.12g], by the grid %.12g", j * STEP, delta.lower, delta.upper, grid);
    }
    print_message("# error of the grid at most %.1e, distance %.1e\n", error, farthest);
    assert_true(error < 3e-6);
    dpn_workspace_free(workspace);
    free(one);
    free(two);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(engine_agrees_with_algorithm_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
