/* The library against the values of tests/vectors/privacy-1d.csv, each at its own tolerance: both ends of an interval
 * must be within it. */
#include <dpnoise/privacy.h>

#include "reference/real.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VECTORS = 114 };

typedef struct vector {
    char function[32], law[128], member[32], value[64];
    double first, second, relative, absolute;
} vector;

static bool next_vector(FILE *table, vector *out) {
    char line[512];
    do {
        if (!fgets(line, sizeof line, table)) return false;
    } while (line[0] == '#' || line[0] == '\n');
    int fields = sscanf(line, "%31[^,],\"%127[^\"]\",%31[^,],%lf,%lf,%63[^,],%lf,%lf", out->function, out->law,
                        out->member, &out->first, &out->second, out->value, &out->relative, &out->absolute);
    if (fields != 8) fail_msg("the line cannot be read: %s", line);
    return true;
}

static void expect_near(const vector *v, double got) {
    double value = strtod(v->value, NULL);
    if (!(fabs(got - value) <= v->absolute + v->relative * fabs(value))) {
        fail_msg("%s: %s of %s at (%.17g, %.17g) is %.17g, not %s", v->function, v->member, v->law, v->first, v->second,
                 got, v->value);
    }
}

/* Values below the smallest double are met in logarithms, of which a double shows 53 bits. */
static void expect_log_near(const vector *v, double log_got) {
    double log_value = r_double(r_log(r_text(v->value)));
    if (!(fabs(log_got - log_value) <= v->relative + 2e-15 * fabs(log_value))) {
        fail_msg("%s: log %s of %s at (%.17g, %.17g) is %.17g, not %.17g", v->function, v->member, v->law, v->first,
                 v->second, log_got, log_value);
    }
}

static void check_delta(const vector *v, const dpn_law *law) {
    dpn_delta delta;
    dpn_error why;
    if (dpn_profile_delta(&delta, law, v->first, v->second, &why) != DPN_OK) fail_msg("%s: %s", v->law, why.sentence);
    expect_near(v, delta.lower);
    expect_near(v, delta.upper);
    if (strcmp(v->value, "0.0") == 0) return;
    expect_log_near(v, delta.log_lower);
    expect_log_near(v, delta.log_upper);
}

static void check_epsilon(const vector *v, const dpn_law *law) {
    dpn_epsilon epsilon;
    dpn_error why;
    if (dpn_profile_epsilon(&epsilon, law, v->first, v->second, &why) != DPN_OK)
        fail_msg("%s: %s", v->law, why.sentence);
    expect_near(v, epsilon.lower);
    expect_near(v, epsilon.upper);
}

static void check(const vector *v) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, v->law, &why) != DPN_OK) fail_msg("%s: %s", v->law, why.sentence);
    if (strcmp(v->member, "delta") == 0)
        check_delta(v, &law);
    else if (strcmp(v->member, "epsilon") == 0)
        check_epsilon(v, &law);
    else if (strcmp(v->member, "loss") == 0)
        expect_near(v, dpn_privacy_loss(&law, v->first, v->second));
    else if (strcmp(v->member, "loss_centred") == 0)
        expect_near(v, dpn_privacy_loss_centred(&law, v->first, v->second));
    else if (strcmp(v->member, "loss_centred_inverse") == 0)
        expect_near(v, dpn_privacy_loss_centred_inverse(&law, v->first, v->second));
    else
        fail_msg("no member called '%s' is known here", v->member);
}

static void every_vector_holds(void **state) {
    (void)state;
    const char *root = getenv("DPN_SOURCE_ROOT");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/vectors/privacy-1d.csv", root ? root : ".");
    FILE *table = fopen(path, "r");
    if (!table) fail_msg("%s is not there; DPN_SOURCE_ROOT names the source tree", path);
    vector v;
    int count = 0;
    for (; next_vector(table, &v); count++) check(&v);
    fclose(table);
    assert_int_equal(count, VECTORS);
}

int main(void) {
    r_precision(200);
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_vector_holds)};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
