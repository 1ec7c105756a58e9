/* The table tests/vectors/renyi.csv: values of Renyi divergences and what belongs to them, computed elsewhere. Both ends of
 * an interval must meet them. */
#include "case.h"
#include "privacy/renyi/flipped-huber.h"

#include <dpnoise/renyi.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VECTORS = 29 };

typedef struct vector {
    char function[32], law[128], member[32];
    double first, second, value, relative, absolute;
    size_t dimension;
} vector;

static bool next_vector(FILE *table, vector *out) {
    char line[512];
    do {
        if (!fgets(line, sizeof line, table)) return false;
    } while (line[0] == '#' || line[0] == '\n');
    int fields =
        sscanf(line, "%31[^,],\"%127[^\"]\",%31[^,],%lf,%lf,%zu,%lf,%lf,%lf", out->function, out->law, out->member,
               &out->first, &out->second, &out->dimension, &out->value, &out->relative, &out->absolute);
    if (fields != 9) fail_msg("the line cannot be read: %s", line);
    return true;
}

static void expect(const vector *v, double got) {
    if (!(fabs(got - v->value) <= v->absolute + v->relative * fabs(v->value)))
        fail_msg("%s of %s at (%.17g, %.17g) is %.17g, not %.17g", v->function, v->law, v->first, v->second, got,
                 v->value);
}

static void check(const vector *v) {
    if (!strcmp(v->member, "R")) {
        expect(v, dpn_fh_r(v->first, v->second));
        return;
    }
    if (!strcmp(v->member, "R_inverse")) {
        expect(v, dpn_fh_r_inverse(v->first, v->second));
        return;
    }
    dpn_law law = case_law(v->law);
    dpn_error why;
    dpn_status status = DPN_OK;
    if (!strcmp(v->member, "theta")) {
        expect(v, dpn_fh_theta(law.parameter[0], law.parameter[1]));
    } else if (!strcmp(v->member, "renyi")) {
        dpn_divergence out = {0, 0};
        status = dpn_renyi(&out, &law, v->second, v->first, &why);
        expect(v, out.lower);
        expect(v, out.upper);
    } else if (!strcmp(v->member, "theorem_2")) {
        double out = 0;
        status = dpn_renyi_osgt_theorem_2(&out, &law, v->dimension, v->second, v->first, &why);
        expect(v, out);
    } else if (!strcmp(v->member, "zcdp_xi")) {
        dpn_zcdp out = {0, 0};
        dpn_sensitivity set = {.dimension = v->dimension, .linf = v->first};
        status = dpn_zcdp_sensitivity(&out, NULL, &law, 1, &set, &why);
        expect(v, out.xi);
        assert_true(out.xi >= v->value * (1 - 1e-16));
    } else {
        fail_msg("no member called '%s' is known here", v->member);
    }
    if (status) fail_msg("%s: %s", v->law, why.sentence);
}

static void every_vector_holds(void **state) {
    (void)state;
    const char *root = getenv("DPN_SOURCE_ROOT");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/vectors/renyi.csv", root ? root : ".");
    FILE *table = fopen(path, "r");
    if (!table) fail_msg("%s is not there; DPN_SOURCE_ROOT names the source tree", path);
    vector v;
    int count = 0;
    for (; next_vector(table, &v); count++) check(&v);
    fclose(table);
    assert_int_equal(count, VECTORS);
}

/* theta against its definition, Q(theta/gamma) = sqrt(pi/2)/omega, omega = 2 (sqrt(2 pi) Q(b) + (2/b) sinh(b^2/2)), in the
 * middle of its two formulas; and R against its inverse. */
static void theta_and_r(void **state) {
    (void)state;
    draw_source source = {3};
    for (int i = 0; i < 1000; i++) {
        double b = draw_log_uniform(&source, 0.3, 5), gamma = draw_log_uniform(&source, 0.1, 10);
        double q = 0.5 * erfc(dpn_fh_theta(b * gamma, gamma) / gamma * sqrt(0.5));
        double omega = 2 * (sqrt(8 * atan(1)) * 0.5 * erfc(b * sqrt(0.5)) + 2 / b * sinh(0.5 * b * b));
        assert_true(fabs(q * omega / sqrt(2 * atan(1)) - 1) < 1e-13);
        double d = draw_log_uniform(&source, 0.1, 10), alpha = draw_log_uniform(&source, 0.01, 100);
        assert_true(fabs(dpn_fh_r_inverse(d, dpn_fh_r(d, alpha)) / alpha - 1) < 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_vector_holds), cmocka_unit_test(theta_and_r)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
