/* What a dry run says about the error of a fit. */
#include "fit/fit.h"

#include "kit/fail.h"

dpn_status fit_forecast(struct forecast *out, const struct fitting *fitting, dpn_error *why) {
    double rows = fitting->options.rows;
    if (!(rows >= 1) || fitting->options.kind == DPN_FIT_QUANTILE) return DPN_OK;
    dpn_rng *rng = NULL;
    dpn_status status = dpn_rng_new(&rng, why);
    if (status) return status;
    out->rows = rows < DPN_FIT_FORECAST_ROWS ? (uint64_t)rows : DPN_FIT_FORECAST_ROWS;
    status = dpn_fit_forecast(&out->error, fitting->fit, out->rows, rng, why);
    out->known = !status;
    dpn_rng_free(rng);
    return status;
}
