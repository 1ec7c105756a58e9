/* What `dpnoise law` was asked, and the parts of its answer. */
#ifndef DPNOISE_CLI_LAW_LAW_H
#define DPNOISE_CLI_LAW_LAW_H

#include "kit/options.h"

#include <dpnoise/law.h>
#include <stdio.h>

struct inquiry {
    dpn_law *law;
    size_t laws;
    struct numbers at, prob, mgf;
    const char *plot; /* the file for the picture, or NULL */
};

/* The answer on standard output, as JSON or for people. */
void law_print_json(const struct inquiry *inquiry);
dpn_status law_print_text(const struct inquiry *inquiry, dpn_error *why);

/* The list of families on standard output. */
void law_list_json(void);
void law_list_text(void);

/* Draw the densities into inquiry->plot (.svg, .png or .pdf).
 * Errors   DPN_EPARSE for another kind of file, DPN_EIO if there is no gnuplot or no file can be written; then no file
 *          is created or changed. */
dpn_status law_plot(const struct inquiry *inquiry, dpn_error *why);

/* For pictures of other commands: the right-hand panel of a multiplot, the densities on a log scale. */
void law_write_log_panel(FILE *script, const struct inquiry *inquiry);

/* How many of the laws live on the integers. */
size_t law_count_integers(const struct inquiry *inquiry);

#endif
