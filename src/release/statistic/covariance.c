/* The covariances of two columns or more, each with each and with itself. */
#include "base/error.h"
#include "release/compile/moments.h"
#include "release/compile/products.h"
#include "release/statistic/outputs.h"

static dpn_status compile_pair(dpn_query *query, size_t s, size_t i, size_t j, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_output output = dpn_output_of(query, s);
    size_t a = 0, b = 0;
    dpn_status status = dpn_find_rows(&output.rows, query, why);
    if (!status) status = dpn_find_measure(&a, query, statistic, i, false, why);
    if (!status) status = dpn_find_measure(&b, query, statistic, j, false, why);
    if (!status) status = dpn_find_value(&output.first, query, a, true, why);
    if (!status) status = dpn_find_value(&output.second, query, b, true, why);
    if (!status) status = dpn_find_product(&output.product, query, a < b ? a : b, a < b ? b : a, why);
    const char *one = statistic->column[i], *other = statistic->column[j];
    const char *before = dpn_name_before(query), *after = dpn_name_after(query);
    return status ? status
                  : dpn_add_output(query, output, why, "covariance(%s%s%s,%s%s%s)", before, one, after, before, other,
                                   after);
}

static dpn_status compile(dpn_query *query, size_t s, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < statistic->columns; i++)
        for (size_t j = i; j < statistic->columns && !status; j++) status = compile_pair(query, s, i, j, why);
    return status;
}

const struct dpn_statistic_row dpn_statistic_covariance = {
    .name = "covariance",
    .shape = DPN_HAS_COLUMNS | DPN_HAS_BOUNDS,
    .form = "COLUMN:LOWER:UPPER for two columns or more is expected, as a:0:1,b:0:10",
    .counts = true,
    .compile = compile,
    .prepare = dpn_products_prepare,
    .answer = dpn_answer_product,
};
