/* Pictures through gnuplot: a process of its own, fed through a pipe, no shell and no file names in the script. The
 * picture is a draft until gnuplot is done: the destination is either as it was or complete. */
#ifndef DPNOISE_CLI_KIT_GNUPLOT_H
#define DPNOISE_CLI_KIT_GNUPLOT_H

#include "kit/draft.h"

#include <stdio.h>
#include <sys/types.h>

struct gnuplot {
    FILE *script; /* write the commands here */
    FILE *complaints;
    pid_t process;
    struct draft picture;
    void (*pipe_handler)(int);
};

/* Whether pictures of this file's kind can be drawn: its name ends in .svg, .png or .pdf.
 * Errors   DPN_EPARSE. */
dpn_status gnuplot_check_name(const char *file, dpn_error *why);

/* Start a picture of that size in points. On success gnuplot_close must follow.
 * Errors   DPN_EPARSE for another kind of file, DPN_EIO, DPN_ENOMEM. */
dpn_status gnuplot_open(struct gnuplot *out, const char *file, int width, int height, dpn_error *why);

/* Finish it.
 * Errors   DPN_EIO if there is no gnuplot, if it fails or if the file cannot be written; then the file is untouched. */
dpn_status gnuplot_close(struct gnuplot *gnuplot, dpn_error *why);

#endif
