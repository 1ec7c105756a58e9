/* A small real table: the diabetes study of Efron, Hastie, Johnstone and Tibshirani (2004), 442 persons, ten features, at epsilon 1 with bounds that a physician would
 * declare. Looked for in $DPNOISE_DATA, then beside the project in ../shared/data; without it there is nothing to test. Seeded: the
 * result is the same each time. */
#include "unit/learn/data.h"
#include "unit/skip.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS = 442, FEATURES = 10, WIDTH = FEATURES + 1, TRAIN = 354 };

static const char *const declared[WIDTH] = {"progression:0:400", "age:15:85",      "sex:1:2",       "bmi:15:45",
                                            "bp:60:140",         "s1_tc:90:310",   "s2_ldl:40:250", "s3_hdl:20:100",
                                            "s4_tch:2:9",        "s5_ltg:3.2:6.2", "s6_glu:55:125"};

static double table[ROWS * WIDTH];

static bool read_table(void) {
    const char *given = getenv("DPNOISE_DATA"), *root = getenv("DPN_SOURCE_ROOT");
    char path[4096], line[512];
    snprintf(path, sizeof path, "%s%s/diabetes.csv", given ? given : root ? root : ".", given ? "" : "/../shared/data");
    FILE *file = fopen(path, "r");
    size_t rows = 0;
    bool head = file && fgets(line, sizeof line, file);
    for (; head && rows < ROWS && fgets(line, sizeof line, file); rows++) {
        char *at = line;
        for (size_t c = 0; c < WIDTH; c++) {
            table[rows * WIDTH + (c == FEATURES ? 0 : c + 1)] = strtod(at, &at); /* the target goes first */
            at += *at == ',';
        }
    }
    if (file) fclose(file);
    return rows == ROWS;
}

static void shuffle(double *value, uint64_t seed) {
    draw_source source = {seed};
    memcpy(value, table, sizeof table);
    for (size_t r = ROWS - 1; r > 0; r--) {
        double row[WIDTH];
        size_t other = draw_bits(&source) % (r + 1);
        memcpy(row, value + r * WIDTH, sizeof row);
        memcpy(value + r * WIDTH, value + other * WIDTH, sizeof row);
        memcpy(value + other * WIDTH, row, sizeof row);
    }
}

static double median_r2(const char *method, bool raw) {
    enum { RUNS = 101 };
    double r2[RUNS], *value = malloc(sizeof table);
    dpn_declaration declaration;
    dpn_error why;
    dpn_fit_options options = dpn_fit_options_init();
    options.method = method;
    options.raw = raw;
    assert_int_equal(dpn_declaration_read(&declaration, "{\"epsilon\": \"1\"}", 16, &why), DPN_OK);
    for (size_t c = 0; c < WIDTH; c++)
        if (dpn_declare_statistic(&declaration, DPN_STATISTIC_MEAN, declared[c], &why)) fail_msg("%s", why.sentence);
    for (uint64_t run = 0; run < RUNS; run++) {
        shuffle(value, run);
        dpn_model *model = data_fitted(&options, &declaration, value, TRAIN, 1000 + run);
        r2[run] = data_r2(model, value + TRAIN * WIDTH, ROWS - TRAIN);
        dpn_model_free(model);
    }
    dpn_declaration_free(&declaration);
    free(value);
    return data_median(r2, RUNS);
}

static void test_r2(void **state) {
    (void)state;
    double knowing = median_r2("moments", false), raw = median_r2("moments", true);
    double two = median_r2("two-step", false);
    printf("# median R^2 %.4f, raw %.3g, in two steps %.4f\n", knowing, raw, two);
    assert_true(knowing >= 0.15);
    assert_true(raw < 0); /* what knowing of the noise is worth */
}

int main(void) {
    if (!read_table()) return skip_program("diabetes.csv is neither in $DPNOISE_DATA nor in ../shared/data");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_r2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
