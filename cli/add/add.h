/* The parts of `dpnoise add`. */
#ifndef DPNOISE_CLI_ADD_ADD_H
#define DPNOISE_CLI_ADD_ADD_H

#include "input/calibration.h"

#include <dpnoise/ledger.h>
#include <dpnoise/release.h>

struct addition {
    struct calibration asked;
    dpn_release_options options;
    dpn_release *release;
    int64_t *value;                /* as many as the set has answers; the noisy ones once it is done */
    char *text;                    /* the plan's blocks as JSON */
    double *interval95;            /* of each answer */
    char head[DPN_HEAD_TEXT_SIZE]; /* of the ledger after the charge; "" if nothing was charged */
};

/* Charge the budget of --dataset for the plan, if there is one.
 * Errors   DPN_EBUDGET and those of the ledger: then nothing has been read. */
dpn_status add_charge(struct addition *addition, const struct arguments *arguments, dpn_error *why);

/* Read as many numbers as the release has answers, separated by blanks, commas or line ends, onto its grid.
 * Errors   DPN_EIO, also for what is no number: data that are bad are told by the exit code 3. */
dpn_status add_read_values(struct addition *addition, FILE *in, dpn_error *why);

/* The answer on standard output, as JSON or for people. */
void add_print_json(const struct addition *addition);
void add_print_text(const struct addition *addition);

#endif
