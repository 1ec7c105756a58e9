/* The library against the values of tests/vectors/calibrate.csv, each at its own tolerance. */
#include <dpnoise/calibrate.h>

#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VECTORS = 70, MOST_LISTED = 16 };

typedef struct vector {
    char function[32], family[32], lambda[128], quantity[16], kind[4];
    double epsilon, delta, value, relative;
    size_t at;
} vector;

static bool next_vector(FILE *table, vector *v) {
    char line[512];
    do {
        if (!fgets(line, sizeof line, table)) return false;
    } while (line[0] == '#' || line[0] == '\n');
    int fields = sscanf(line, "%31[^,],%31[^,],%lf,%lf,%127[^,],%15[^,],%zu,%3[^,],%lf,%lf", v->function, v->family,
                        &v->epsilon, &v->delta, v->lambda, v->quantity, &v->at, v->kind, &v->value, &v->relative);
    if (fields != 10) fail_msg("the line cannot be read: %s", line);
    return true;
}

/* "20*1.0" is a box of equal sides, "1.0 2.0 3.0" lists them. */
static dpn_sensitivity read_set(const char *text, double *bound) {
    dpn_sensitivity set = {0};
    char *end;
    double first = strtod(text, &end);
    if (*end == '*') {
        set.dimension = (size_t)first;
        set.linf = strtod(end + 1, NULL);
        return set;
    }
    for (; set.dimension < MOST_LISTED; first = strtod(end, &end)) {
        bound[set.dimension++] = first;
        if (*end == 0) break;
    }
    set.bound = bound;
    return set;
}

static double quantity_of(const vector *v, const dpn_plan *plan) {
    if (!strcmp(v->quantity, "mse")) return plan->mse;
    if (!strcmp(v->quantity, "variance")) return plan->variance[v->at];
    const dpn_law *law = dpn_plan_law(plan, v->at);
    if (!law) return 0;
    if (!strcmp(v->quantity, "shape")) return dpn_law_parameter(law, dpn_family_shape(v->family));
    return dpn_law_parameter(law, strcmp(v->family, "gaussian") ? "scale" : "sigma");
}

/* Truncated Laplace noise of the scale D/epsilon that ends at the bound has the delta that is asked for, and less if it
 * is wider by the tolerance. */
static void check_bound(const vector *v, double sensitivity) {
    double scale = sensitivity / v->epsilon * (1 + 0x1p-51); /* above D/epsilon: below it delta jumps */
    for (int wider = 0; wider <= 1; wider++) {
        dpn_law law;
        dpn_delta delta;
        double slack = wider ? 10 * v->relative : -10 * v->relative;
        double bound = v->value * (1 + slack);
        assert_int_equal(dpn_law_make(&law, "truncated-laplace", (const double[]){scale, bound}, 2, NULL), DPN_OK);
        assert_int_equal(dpn_profile_delta(&delta, &law, sensitivity, v->epsilon, NULL), DPN_OK);
        if (wider ? delta.upper > v->delta : delta.lower < v->delta)
            fail_msg("%s (%g, %g): delta is %.17g at the bound %.17g", v->function, v->epsilon, v->delta, delta.upper,
                     bound);
    }
}

static void check(const vector *v) {
    double bound[MOST_LISTED];
    dpn_sensitivity set = read_set(v->lambda, bound);
    if (!strcmp(v->quantity, "bound")) {
        check_bound(v, set.linf);
        return;
    }
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, v->family, v->epsilon, v->delta, &set, NULL, &why) != DPN_OK)
        fail_msg("%s (%g, %g) %s: %s", v->function, v->epsilon, v->delta, v->lambda, why.sentence);
    double got = quantity_of(v, &plan), slack = v->relative * fabs(v->value);
    bool low = !strcmp(v->kind, "=") && got < v->value - slack;
    if (low || !(got <= v->value + slack))
        fail_msg("%s (%g, %g) %s: %s is %.17g, not %.17g", v->function, v->epsilon, v->delta, v->lambda, v->quantity,
                 got, v->value);
    assert_true(plan.delta.upper <= v->delta);
    dpn_plan_free(&plan);
}

static void every_vector_holds(void **state) {
    (void)state;
    const char *root = getenv("DPN_SOURCE_ROOT");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/vectors/calibrate.csv", root ? root : ".");
    FILE *table = fopen(path, "r");
    if (!table) fail_msg("%s is not there; DPN_SOURCE_ROOT names the source tree", path);
    vector v;
    int count = 0;
    for (; next_vector(table, &v); count++)
        if (!points_are_few() || count % 12 == 0) check(&v);
    fclose(table);
    assert_int_equal(count, VECTORS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_vector_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
