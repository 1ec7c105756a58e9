/* The parts of `dpnoise compare`. */
#ifndef DPNOISE_CLI_COMPARE_COMPARE_H
#define DPNOISE_CLI_COMPARE_COMPARE_H

#include "input/calibration.h"

struct compared {
    struct calibration asked;
    const char *plot; /* a file, or NULL */
    dpn_comparison comparison;
};

/* The answer on standard output, as JSON or for people. */
dpn_status compare_print_json(const struct compared *compared, dpn_error *why);
dpn_status compare_print_text(const struct compared *compared, dpn_error *why);

/* Draw the error of every family against epsilon, and the densities of the best, into compared->plot.
 * Errors   as law_plot, and those of a calibration. */
dpn_status compare_plot(struct compared *compared, dpn_error *why);

/* --report: a page with the same.
 * Errors   those of a draft. */
dpn_status compare_write_report(const struct compared *compared, const char *file, dpn_error *why);

#endif
