/* The references against the values of tests/vectors/law.csv, which have 25 digits. */
#include "reference/reference.h"
#include "reference/vectors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The quantile by bisection of the tail. */
static real inverse(const ref_law *law, double p, bool upper) {
    real low = r_num(0), high = ref_mean_abs(law), half = r_num(p <= 0.5 ? p : 1 - p);
    while (r_less(half, ref_sf(law, high))) high = r_times(high, 2);
    for (int i = 0; i < 240; i++) {
        real middle = r_over(r_add(low, high), 2);
        if (r_less(half, ref_sf(law, middle)))
            low = middle;
        else
            high = middle;
    }
    return upper == (p <= 0.5) ? high : r_neg(high);
}

static real expected(const ref_law *law, const vector *v) {
    double number = strtod(v->argument, NULL);
    real at = r_num(number);
    if (strcmp(v->member, "pdf") == 0) return ref_pdf(law, at);
    if (strcmp(v->member, "log_pdf") == 0) return ref_log_pdf(law, at);
    if (strcmp(v->member, "minus_log_pdf") == 0) return r_neg(ref_log_pdf(law, at));
    if (strcmp(v->member, "cdf") == 0) return ref_cdf(law, at);
    if (strcmp(v->member, "sf") == 0) return ref_sf(law, at);
    if (strcmp(v->member, "log_sf") == 0) return ref_log_sf(law, at);
    if (strcmp(v->member, "quantile") == 0) return inverse(law, number, false);
    if (strcmp(v->member, "isf") == 0) return inverse(law, number, true);
    if (strcmp(v->member, "log_mgf") == 0) return ref_log_mgf(law, at);
    if (strcmp(v->member, "variance") == 0) return ref_variance(law);
    if (strcmp(v->member, "fisher") == 0) return ref_fisher(law);
    if (strcmp(v->member, "omega") == 0) {
        real b = r_div(law->parameter[0], law->parameter[1]);
        return r_div(r_exp(r_over(r_square(b), 2)), r_mul(law->parameter[1], ref_pdf(law, at)));
    }
    return r_num(NAN);
}

/* The numbers after the equal signs of a law text. */
static void read_law(ref_law *law, const char *text) {
    char name[64];
    double parameter[REF_PARAMETERS] = {0};
    sscanf(text, "%63[^(]", name);
    const char *rest = text;
    for (int i = 0; i < REF_PARAMETERS && (rest = strchr(rest, '=')) != NULL; i++) parameter[i] = strtod(++rest, NULL);
    const struct ref_family *family = ref_find(name);
    if (!family) fail_msg("no reference for '%s'", name);
    ref_make(law, family, parameter, 0);
}

static void vectors_hold(void **state) {
    (void)state;
    FILE *table = vectors_open();
    if (!table) fail_msg("tests/vectors/law.csv is not there; DPN_SOURCE_ROOT names the source tree");
    vector v;
    int count = 0;
    while (vectors_next(table, &v)) {
        size_t mark = r_mark();
        ref_law law;
        read_law(&law, v.law);
        real value = r_text(v.value), error = r_abs(r_sub(expected(&law, &v), value));
        /* 25 digits, but the truncated Laplace law is given by other parameters, rounded here. */
        double tolerance = strcmp(v.function, "tlap_variance") == 0 ? v.relative : 1e-20;
        double limit = fmax(tolerance * fabs(strtod(v.value, NULL)), r_sign(value) ? 0 : 1e-30);
        if (!(r_double(error) <= limit)) {
            fail_msg("%s: %s of %s at %s: reference and %s differ by %.3g", v.function, v.member, v.law, v.argument,
                     v.value, r_double(error));
        }
        r_release(mark);
        count++;
    }
    fclose(table);
    assert_int_equal(count, VECTORS);
}

static int clean(void **state) {
    (void)state;
    r_free_all();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_hold),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
