/* How far a fit is likely to be from the same fit without noise: both are made of invented rows, again and again. */
#include "learn/method.h"
#include "learn/plain.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5 };

/* ---- Invented rows ---- */

/* Uniform on [0, 1), the same every time: public rows need no secret. */
static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static int32_t steps_of(double x) {
    return (int32_t)rint(ldexp(fmin(fmax(x, -1), 1), DPN_UNIT_LOG));
}

/* Numbers are uniform within their bounds, levels equally frequent, all independent. Returns what the features say: a number of
 * about the size 1. */
static double invent_features(dpn_fit *fit, uint64_t *state) {
    size_t level[DPN_DECLARATION_BYS] = {0};
    const dpn_declaration *declaration = &fit->query->declaration;
    double sum = 0;
    for (size_t g = 0; g < declaration->bys; g++)
        level[g] = (size_t)(uniform(state) * (double)declaration->by[g].levels);
    fit->step[0] = DPN_UNIT;
    for (size_t j = 0; j < fit->features; j++) {
        const dpn_variable *of = &fit->variable[j];
        double x = of->is_level ? level[of->grouping] == of->level : 2 * uniform(state) - 1;
        fit->step[dpn_feature_column(j)] = steps_of(x);
        sum += j % 2 ? -x : x;
    }
    return sum * sqrt(3 / (double)fit->features);
}

/* The target follows the features half of the way: its noise is as large; of a logistic fit they are log odds. */
static dpn_status invent(dpn_fit *fit, size_t rows, dpn_error *why) {
    uint64_t state = 1;
    dpn_status status = DPN_OK;
    for (size_t r = 0; r < rows && !status; r++) {
        double said = invent_features(fit, &state), u = uniform(&state);
        fit->step[dpn_target_column(fit)] = fit->options.kind == DPN_FIT_LINEAR
                                                ? steps_of(0.25 * said + 0.8 * (u - 0.5))
                                                : (u < 1 / (1 + exp(-said)) ? DPN_UNIT : 0);
        status = dpn_rows_add(&fit->rows, fit->step, why);
    }
    return status;
}

/* ---- Errors ---- */

static double predicted(const dpn_fit *fit, const double *b, size_t block, size_t r) {
    double sum = 0;
    for (size_t i = 0; i <= fit->features; i++) sum += b[i] * dpn_rows_column(&fit->rows, block, i)[r];
    sum = ldexp(sum, -DPN_UNIT_LOG);
    return fit->options.kind == DPN_FIT_LINEAR ? sum * fit->variable[fit->features].half : 1 / (1 + exp(-sum));
}

/* The root of the mean square of what predictions differ by, in the target's unit or as a probability. */
static double difference(const dpn_fit *fit, const double *b, const double *other) {
    double squares = 0;
    for (size_t block = 0; block < dpn_rows_blocks(&fit->rows); block++)
        for (size_t r = 0; r < dpn_rows_in(&fit->rows, block); r++) {
            double by = predicted(fit, b, block, r) - predicted(fit, other, block, r);
            squares += by * by;
        }
    return sqrt(squares / (double)fit->rows.count);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Details that the plan has written stay, those of the run go. */
dpn_status dpn_fit_run_again(double *b, double *covariance, dpn_fit *fit, dpn_rng *rng, dpn_error *why) {
    size_t width = fit->features + 1;
    char **kept = malloc((fit->releases + 1) * sizeof *kept);
    if (!kept) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    for (size_t i = 0; i < fit->releases; i++) kept[i] = fit->announced[i].detail;
    memset(b, 0, width * sizeof *b);
    memset(covariance, 0, width * width * sizeof *covariance);
    dpn_fit_estimate found = {.b = b, .covariance = covariance, .interval = ""};
    dpn_status status = fit->method->run(&found, fit, fit->state, rng, why);
    for (size_t i = 0; i < fit->releases; i++) {
        dpn_announced *of = &fit->announced[i];
        of->drawn = 0;
        if (of->detail != kept[i]) free(of->detail);
        of->detail = kept[i];
    }
    free(kept);
    return status;
}

static dpn_status plain(double *b, double *moments, dpn_fit *fit, dpn_error *why) {
    if (fit->options.kind == DPN_FIT_LOGISTIC) return dpn_plain_logistic(b, fit, why);
    dpn_status status = dpn_plain_moments(moments, fit, why);
    return status ? status : dpn_least_squares(b, moments, fit, why);
}

dpn_status dpn_fit_forecast(double *error, dpn_fit *fit, uint64_t rows, dpn_rng *rng, dpn_error *why) {
    if (!fit->planned || fit->ran || fit->rows.count > 0)
        return dpn_fail(why, DPN_EDOMAIN, "a forecast is made after the plan and before the first row");
    if (rows < 1 || rows > DPN_FIT_FORECAST_ROWS)
        return dpn_fail(why, DPN_EDOMAIN, "a forecast takes from 1 to %d rows", DPN_FIT_FORECAST_ROWS);
    if (fit->options.kind == DPN_FIT_QUANTILE)
        return dpn_fail(why, DPN_EUNSUPPORTED, "there is no forecast of quantiles");
    fit->ran = true;
    size_t width = dpn_fit_width(fit);
    double *room = malloc((2 * width + width * width) * sizeof *room), found[RUNS];
    if (!room) return dpn_fail(why, DPN_ENOMEM, "no memory for the forecast");
    double *other = room + width, *square = other + width;
    dpn_status status = invent(fit, (size_t)rows, why);
    if (!status) status = plain(other, square, fit, why);
    for (size_t i = 0; i < RUNS && !status; i++) {
        status = dpn_fit_run_again(room, square, fit, rng, why);
        if (!status) found[i] = difference(fit, room, other);
    }
    free(room);
    if (status) return status;
    qsort(found, RUNS, sizeof *found, compare);
    *error = found[RUNS / 2];
    return DPN_OK;
}
