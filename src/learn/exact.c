/* Rows as they are. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/exact.h"

#include "base/error.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The declared bounds: those of the grid are a little wider. */
dpn_status dpn_exact_begin(dpn_fit *fit, dpn_error *why) {
    const dpn_declaration *declaration = &fit->query->declaration;
    fit->bound = calloc(2 * fit->query->measures, sizeof *fit->bound);
    dpn_status status = fit->bound ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    for (size_t m = 0; m < fit->query->measures && !status; m++) {
        status = dpn_number_parse(&fit->bound[2 * m], declaration->statistic[m].lower[0], why);
        if (!status) status = dpn_number_parse(&fit->bound[2 * m + 1], declaration->statistic[m].upper[0], why);
    }
    return status;
}

/* The nearest double of the first 18 digits: text without a point means the same in every locale. */
static double value_of(const dpn_numeral *numeral) {
    char text[64];
    snprintf(text, sizeof text, "%s%" PRIu64 "e%" PRId64, numeral->negative ? "-" : "", numeral->lead,
             numeral->exponent);
    return strtod(text, NULL);
}

/* In the scaled unit, clamped. */
static double scaled(const dpn_fit *fit, const dpn_variable *variable, const double *number) {
    size_t m = variable->measure;
    double x = number ? number[m] : value_of(&fit->number[fit->reader.slot[m]]);
    if (!isfinite(x)) x = value_of(&fit->reader.instead);
    x = fmin(fmax(x, fit->bound[2 * m]), fit->bound[2 * m + 1]);
    return (x - variable->centre) / variable->half;
}

static dpn_status grow(dpn_fit *fit, dpn_error *why) {
    size_t size = dpn_fit_width(fit) * sizeof *fit->exact, room = fit->exact_room ? 2 * fit->exact_room : 64;
    double *longer = calloc(room, size);
    if (!longer) return dpn_fail(why, DPN_ENOMEM, "no memory for the rows");
    if (fit->exact) {
        memcpy(longer, fit->exact, fit->exact_room * size);
        explicit_bzero(fit->exact, fit->exact_room * size);
        free(fit->exact);
    }
    fit->exact = longer;
    fit->exact_room = room;
    return DPN_OK;
}

dpn_status dpn_exact_add(dpn_fit *fit, const double *number, dpn_error *why) {
    size_t width = dpn_fit_width(fit), row = fit->rows.count - 1;
    dpn_status status = row == fit->exact_room ? grow(fit, why) : DPN_OK;
    if (status) return status;
    double *out = fit->exact + row * width;
    for (size_t c = 0; c < width; c++) {
        const dpn_variable *variable = c > 0 ? &fit->variable[c - 1] : NULL;
        bool label = c == dpn_target_column(fit) && fit->options.kind == DPN_FIT_LOGISTIC;
        out[c] = !variable || variable->is_level || label ? ldexp(fit->step[c], -DPN_UNIT_LOG)
                                                          : scaled(fit, variable, number);
    }
    return DPN_OK;
}

void dpn_exact_free(dpn_fit *fit) {
    if (fit->exact) explicit_bzero(fit->exact, fit->exact_room * dpn_fit_width(fit) * sizeof *fit->exact);
    free(fit->exact);
    free(fit->bound);
    fit->exact = fit->bound = NULL;
    fit->exact_room = 0;
}
