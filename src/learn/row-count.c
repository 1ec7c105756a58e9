/* How many rows there are, bought. */
#include "learn/row-count.h"

#include <math.h>

dpn_status dpn_row_count_announce(size_t *index, dpn_fit *fit, dpn_error *why) {
    const double bound = 1;
    dpn_sensitivity set = {.dimension = 1, .bound = &bound, .relation = fit->relation};
    dpn_release_options options = dpn_release_options_init();
    options.epsilon = DPN_ROW_COUNT_SHARE * fit->epsilon;
    options.set = &set;
    options.whole = true;
    return dpn_fit_announce(index, fit, "number of rows", 1, &options, why);
}

dpn_status dpn_row_count_draw(double *out, dpn_fit *fit, size_t index, dpn_rng *rng, dpn_error *why) {
    int exponent = dpn_release_grid_exponent(fit->announced[index].release, 0);
    int64_t rows = (int64_t)ldexp((double)fit->rows.count, -exponent);
    dpn_status status = dpn_fit_draw(&rows, fit, index, rng, &rows, why);
    if (!status) *out = ldexp((double)rows, exponent);
    return status;
}
