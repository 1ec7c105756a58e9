/* The library against the values of tests/vectors/law.csv, each at its own tolerance. */
#include <dpnoise/law.h>

#include "reference/vectors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* exp(alpha^2/2gamma^2)/(gamma pdf(t)), the normaliser that the flipped Huber law is printed with. */
static double omega(const dpn_law *law, double t) {
    double alpha = dpn_law_parameter(law, "alpha"), gamma = dpn_law_parameter(law, "gamma");
    return exp(alpha * alpha / (2 * gamma * gamma)) / (gamma * dpn_law_pdf(law, t));
}

static double minus_log_pdf(const dpn_law *law, double t) {
    return -dpn_law_log_pdf(law, t);
}

static double variance(const dpn_law *law, double none) {
    (void)none;
    return dpn_law_variance(law);
}

static double fisher(const dpn_law *law, double none) {
    (void)none;
    return dpn_law_fisher(law);
}

typedef double member(const dpn_law *law, double argument);

static const struct {
    const char *name;
    member *function;
} members[] = {
    {"pdf", dpn_law_pdf},       {"log_pdf", dpn_law_log_pdf},
    {"cdf", dpn_law_cdf},       {"sf", dpn_law_sf},
    {"log_sf", dpn_law_log_sf}, {"quantile", dpn_law_quantile},
    {"isf", dpn_law_isf},       {"log_mgf", dpn_law_log_mgf},
    {"variance", variance},     {"fisher", fisher},
    {"omega", omega},           {"minus_log_pdf", minus_log_pdf},
};

static member *find(const char *name) {
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (strcmp(members[i].name, name) == 0) return members[i].function;
    }
    return NULL;
}

static void check(const vector *v) {
    dpn_law law;
    dpn_error why;
    member *function = find(v->member);
    if (!function) fail_msg("%s: no member called '%s' is known here", v->function, v->member);
    if (dpn_law_parse(&law, v->law, &why) != DPN_OK) fail_msg("%s: %s", v->law, why.sentence);
    double argument = v->argument[0] == '-' && !v->argument[1] ? 0 : strtod(v->argument, NULL);
    double value = strtod(v->value, NULL), got = function(&law, argument);
    if (!(fabs(got - value) <= v->absolute + v->relative * fabs(value))) {
        fail_msg("%s: %s of %s at %s is %.17g, not %s (tolerance %g relative, %g absolute)", v->function, v->member,
                 v->law, v->argument, got, v->value, v->relative, v->absolute);
    }
}

static void every_vector_holds(void **state) {
    (void)state;
    FILE *table = vectors_open();
    if (!table) fail_msg("tests/vectors/law.csv is not there; DPN_SOURCE_ROOT names the source tree");
    vector v;
    int count = 0;
    while (vectors_next(table, &v)) {
        count++;
        if (!v.function[0]) fail_msg("line of vector %d cannot be read", count);
        check(&v);
    }
    fclose(table);
    assert_int_equal(count, VECTORS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_vector_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
