/* The variance of a column. */
#include "release/compile/moments.h"
#include "release/compile/products.h"
#include "release/statistic/outputs.h"

static dpn_status compile(dpn_query *query, size_t s, dpn_error *why) {
    dpn_output output = dpn_output_of(query, s);
    size_t measure = 0;
    dpn_status status = dpn_find_mean(&output, &measure, query, why);
    output.second = output.first;
    if (!status) status = dpn_find_product(&output.product, query, measure, measure, why);
    return status ? status
                  : dpn_add_output(query, output, why, "variance(%s%s%s)", dpn_name_before(query),
                                   query->declaration.statistic[s].column[0], dpn_name_after(query));
}

const struct dpn_statistic_row dpn_statistic_variance = {
    .name = "variance",
    .shape = DPN_HAS_COLUMN | DPN_HAS_BOUNDS,
    .form = "COLUMN:LOWER:UPPER is expected, as income:0:200000; repeat the option for more columns",
    .counts = true,
    .compile = compile,
    .prepare = dpn_products_prepare,
    .answer = dpn_answer_product,
};
