/* Almost without noise a fit finds what its rows were made of: two columns of levels that go together, two numbers of different units, and
 * a target that is exactly linear in them. Methods that release sums must find it whether there is an intercept or not; what
 * is compared are predictions, which no choice of a base level changes. */
#include "unit/learn/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 300, TEXT = 24 };

typedef struct row {
    char region[TEXT], sex[TEXT], x[TEXT], z[TEXT], y[TEXT];
    double target;
} row;

/* Four of five men are in the south and the west, and x grows with the region. */
static row random_row(draw_source *source) {
    static const char *const region[] = {"north", "south", "west"};
    static const double of_region[] = {0, 70, -40};
    size_t man = draw_bits(source) % 2;
    size_t at = draw_bits(source) % 5 == 0 ? 0 : man ? 1 + draw_bits(source) % 2 : draw_bits(source) % 2;
    double x = 10 + (double)(draw_bits(source) % 50) + 10 * (double)at, z = (double)(draw_bits(source) % 1000) / 1000;
    row out = {.target = 100 + 2 * x - 60 * z + of_region[at] + (man ? 30 : 0)};
    strcpy(out.region, region[at]);
    strcpy(out.sex, man ? "m" : "f");
    snprintf(out.x, TEXT, "%.17g", x);
    snprintf(out.z, TEXT, "%.17g", z);
    snprintf(out.y, TEXT, "%.17g", out.target);
    return out;
}

static const char *text_of(const row *from, const char *column) {
    return !strcmp(column, "region") ? from->region
           : !strcmp(column, "sex")  ? from->sex
           : !strcmp(column, "x")    ? from->x
           : !strcmp(column, "z")    ? from->z
                                     : from->y;
}

static dpn_declaration declared(const char *relation) {
    static const char *const column[] = {"y:0:400", "x:0:100", "z:0:1"};
    char json[100];
    dpn_declaration out;
    dpn_error why;
    snprintf(json, sizeof json, "{\"epsilon\": \"10000000\", \"relation\": \"%s\"}", relation);
    assert_int_equal(dpn_declaration_read(&out, json, strlen(json), &why), DPN_OK);
    for (size_t i = 0; i < 3; i++)
        if (dpn_declare_statistic(&out, DPN_STATISTIC_MEAN, column[i], &why)) fail_msg("%s", why.sentence);
    if (dpn_declare_by(&out, "region", &why) || dpn_declare_levels(&out, "region=north,south,west", &why) ||
        dpn_declare_by(&out, "sex", &why) || dpn_declare_levels(&out, "sex=f,m", &why))
        fail_msg("%s", why.sentence);
    return out;
}

static dpn_model *fitted(const char *method, const char *relation, bool no_intercept, const row *table) {
    dpn_fit_options options = dpn_fit_options_init();
    dpn_declaration declaration = declared(relation);
    dpn_fit *fit;
    dpn_model *model;
    dpn_error why;
    seeded rng;
    seeded_begin(&rng, 4);
    options.method = method;
    options.no_intercept = no_intercept;
    if (dpn_fit_new(&fit, &options, &why) || dpn_fit_plan(fit, &declaration, &why))
        fail_msg("%s: %s", method, why.sentence);
    for (int r = 0; r < ROWS; r++) {
        dpn_field field[5];
        for (size_t i = 0; i < 5; i++) {
            const char *text = text_of(&table[r], dpn_fit_column(fit, i));
            field[i] = (dpn_field){text, strlen(text)};
        }
        assert_int_equal(dpn_fit_rows(fit, field, 1, &why), DPN_OK);
    }
    if (dpn_fit_run(&model, fit, &rng.rng, &why)) fail_msg("%s: %s", method, why.sentence);
    dpn_fit_free(fit);
    dpn_declaration_free(&declaration);
    return model;
}

static double predicted(const dpn_model *model, const row *from) {
    dpn_field field[16];
    for (size_t i = 0; i < model->features; i++) {
        const char *text = text_of(from, model->feature[i].column);
        field[i] = (dpn_field){text, strlen(text)};
    }
    return dpn_model_predict(model, field);
}

static void fits_find_what_rows_are_made_of(void **state) {
    static const char *const methods[] = {"non-private", "moments", "two-step"};
    static const char *const relations[] = {"add-remove", "replace"};
    row table[ROWS];
    draw_source source = {11};
    (void)state;
    for (int r = 0; r < ROWS; r++) table[r] = random_row(&source);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int kind = 0; kind < 4; kind += m == 2 ? 3 : 1) { /* two steps take longer to plan */
            dpn_model *model = fitted(methods[m], relations[kind % 2], kind / 2, table);
            for (int r = 0; r < ROWS; r++) {
                double off = predicted(model, &table[r]) - table[r].target;
                if (!(fabs(off) < 2)) fail_msg("%s (kind %d) is off by %g", methods[m], kind, off);
            }
            dpn_model_free(model);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fits_find_what_rows_are_made_of)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
