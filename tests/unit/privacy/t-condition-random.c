/* The papers' conditions at random laws and sets: none is below a delta that some move of the set reaches. */
#include "case.h"
#include "unit/points.h"

#include <dpnoise/condition.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 5 };

/* A set and the numbers that it refers to. */
typedef struct drawn_set {
    dpn_sensitivity set;
    double bound[MOST], vertex[3 * MOST];
} drawn_set;

static void draw_bounds(drawn_set *out, draw_source *source, double scale) {
    for (size_t i = 0; i < out->set.dimension; i++) out->bound[i] = scale * draw_uniform(source, 0.2, 1);
    out->set.bound = out->bound;
}

static void draw_vertices(drawn_set *out, draw_source *source, double scale) {
    out->set.vertices = 1 + draw_bits(source) % 3;
    for (size_t i = 0; i < out->set.vertices * out->set.dimension; i++)
        out->vertex[i] = draw_chance(source, 0.2) ? 0 : scale * draw_uniform(source, -1, 1);
    out->set.vertex = out->vertex;
}

/* A box, equal or not; few coordinates of it; an l1 ball, an l2 ball, boxes cut by them; a hull. */
static void draw_set(drawn_set *out, draw_source *source, double scale) {
    *out = (drawn_set){.set.dimension = 1 + draw_bits(source) % MOST};
    double k = (double)out->set.dimension;
    switch (draw_bits(source) % 7) {
    case 0:
        out->set.linf = scale;
        break;
    case 1:
        draw_bounds(out, source, scale);
        break;
    case 2:
        draw_bounds(out, source, scale);
        out->set.max_changed = 1 + draw_bits(source) % out->set.dimension;
        break;
    case 3:
        out->set.l1 = scale;
        break;
    case 4:
        out->set.l2 = scale;
        break;
    case 5:
        out->set.linf = scale;
        out->set.l2 = scale * draw_uniform(source, 0.5, sqrt(k));
        out->set.l1 = scale * draw_uniform(source, 0.5, k);
        break;
    default:
        draw_vertices(out, source, scale);
        break;
    }
}

static const char *draw_law(draw_source *source, char text[128]) {
    double scale = draw_log_uniform(source, 1, 10), shape = draw_log_uniform(source, 0.05, 3);
    switch (draw_bits(source) % 7) {
    case 0:
        snprintf(text, 128, "gaussian(sigma=%.17g)", scale);
        break;
    case 1:
        snprintf(text, 128, "laplace(scale=%.17g)", scale);
        break;
    case 2:
        snprintf(text, 128, "logistic(scale=%.17g)", scale);
        break;
    case 3:
    case 4:
        snprintf(text, 128, "osgt(m=%.17g,sigma=%.17g)", shape * scale, scale);
        break;
    default:
        snprintf(text, 128, "flipped-huber(alpha=%.17g,gamma=%.17g)", shape * scale, scale);
        break;
    }
    return text;
}

/* Returns whether the condition says something. */
static bool hold(const char *name, const char *text, const dpn_law *law, const drawn_set *drawn, double epsilon,
                 const dpn_delta *truth, dpn_workspace *workspace, int *loose) {
    dpn_conditioned got;
    dpn_error why;
    dpn_status status = dpn_condition_delta(&got, name, workspace, law, 1, &drawn->set, epsilon, &why);
    if (status == DPN_EUNSUPPORTED) return false;
    if (status) fail_msg("%s of %s: %s", name, text, why.sentence);
    if (!(got.log_delta >= truth->log_lower))
        fail_msg("%s of %s, epsilon %.17g: %.17g is below %.17g", name, text, epsilon, got.delta, truth->lower);
    if (got.exact && truth->log_upper - truth->log_lower < 1e-5 && !(got.log_delta <= truth->log_lower + 2e-5))
        fail_msg("%s of %s, epsilon %.17g: %.17g is not exactly %.17g", name, text, epsilon, got.delta, truth->lower);
    *loose += got.log_delta > truth->log_upper + 1e-3;
    return got.delta < 1;
}

static void none_is_below_the_truth(void **state) {
    (void)state;
    draw_source source = {11};
    dpn_workspace *workspace;
    int said[32] = {0}, loose[32] = {0}, missed = 0, count = points(200, 1000);
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (int i = 0; i < count; i++) {
        char text[128];
        drawn_set drawn;
        dpn_delta truth;
        dpn_error why;
        dpn_law law = case_law(draw_law(&source, text));
        double noise = sqrt(dpn_law_variance(&law)), scale = noise * draw_log_uniform(&source, 0.03, 2);
        draw_set(&drawn, &source, scale);
        double epsilon = scale / noise * draw_log_uniform(&source, 0.1, 8);
        if (dpn_sensitivity_delta(&truth, NULL, workspace, &law, 1, &drawn.set, epsilon, NULL, &why)) {
            missed++;
            continue;
        }
        for (size_t j = 0; j < dpn_condition_count(); j++)
            said[j] += hold(dpn_condition_name(j), text, &law, &drawn, epsilon, &truth, workspace, &loose[j]);
    }
    dpn_workspace_free(workspace);
    assert_true(missed <= count / 20);
    for (size_t j = 0; j < dpn_condition_count(); j++) {
        print_message("# %s: %d cases, looser than known in %d\n", dpn_condition_name(j), said[j], loose[j]);
        assert_true(said[j] > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(none_is_below_the_truth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
