/* dpnoise release --dry-run: the errors that depend on how many rows a group has, for a few numbers of rows. */
#include "release/release.h"

#include "kit/columns.h"
#include "kit/fail.h"

#include <dpnoise/number.h>
#include <math.h>
#include <string.h>

enum { SIZES = 3 };
static const double sizes[SIZES] = {100, 1000, 10000};

/* The outputs of one histogram have one error: the first stands for all. */
static bool repeats(const dpn_query *query, size_t output) {
    if (output == 0) return false;
    const char *name = dpn_query_output(query, output), *before = dpn_query_output(query, output - 1);
    const char *end = strchr(name, '[');
    return end && strncmp(name, "histogram(", 10) == 0 && strncmp(name, before, (size_t)(end - name)) == 0;
}

/* A mean's error falls with the rows; a count has the same one, as a share of the rows it falls too. */
static double error_at(const dpn_query *query, size_t output, double rows, bool *share) {
    double half = dpn_query_proportion95(query, output, rows);
    *share = !isnan(half);
    if (*share) return half;
    return isnan(dpn_query_interval95(query, output)) ? dpn_query_interval95_at(query, output, rows) : NAN;
}

static bool is_told(const dpn_query *query, size_t output) {
    bool share;
    return !repeats(query, output) && !isnan(error_at(query, output, sizes[0], &share));
}

static void set_row(struct columns *grid, size_t row, const dpn_query *query, size_t output) {
    char name[600], number[DPN_NUMBER_SIZE], text[DPN_NUMBER_SIZE + 4];
    bool share = false;
    for (size_t i = 0; i < SIZES; i++) {
        snprintf(text, sizeof text, "+- %s", release_few(number, error_at(query, output, sizes[i], &share)));
        columns_set(grid, row, i + 1, text);
    }
    snprintf(name, sizeof name, share ? "%.500s as a proportion" : "%.500s", dpn_query_output(query, output));
    columns_set(grid, row, 0, name);
}

dpn_status release_print_errors(const dpn_query *query, dpn_error *why) {
    size_t told = 0, row = 0;
    for (size_t i = 0; dpn_query_output(query, i); i++) told += is_told(query, i);
    if (told == 0) return DPN_OK;
    struct columns grid = columns_make(told + 1, SIZES + 1);
    columns_set(&grid, 0, 0, "in a group of");
    for (size_t i = 0; i < SIZES; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.0f rows", sizes[i]);
        columns_set(&grid, 0, i + 1, text);
    }
    for (size_t i = 0; dpn_query_output(query, i); i++)
        if (is_told(query, i)) set_row(&grid, ++row, query, i);
    bool failed = grid.failed;
    if (!failed) grid.left[0] = true;
    if (!failed) putchar('\n');
    if (!failed) columns_print(stdout, &grid, 0);
    columns_free(&grid);
    return failed ? refuse(why, DPN_ENOMEM, "out of memory") : DPN_OK;
}

void release_json_errors(struct json *json, const dpn_query *query, size_t output) {
    bool share = false;
    if (isnan(error_at(query, output, sizes[0], &share))) return;
    json_open_array(json, share ? "proportion95_at" : "interval95_at");
    for (size_t i = 0; i < SIZES; i++) {
        json_open_object(json, NULL);
        json_number(json, "rows", sizes[i]);
        json_number(json, "half_width", error_at(query, output, sizes[i], &share));
        json_close_object(json);
    }
    json_close_array(json);
}
