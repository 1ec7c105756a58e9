/* The parts of `dpnoise add`. */
#ifndef DPNOISE_CLI_ADD_ADD_H
#define DPNOISE_CLI_ADD_ADD_H

#include "input/calibration.h"

#include <dpnoise/geometry.h>
#include <dpnoise/ledger.h>
#include <dpnoise/release.h>

struct addition {
    struct calibration asked;
    dpn_release_options options;
    dpn_release *release;
    int64_t *value;                /* as many as the set has answers; the noisy ones once it is done */
    char *text;                    /* the plan's blocks as JSON */
    double *interval95;            /* of each answer */
    const char *ball;              /* of --knorm, where it is the set of moves itself; else NULL */
    dpn_norm_ball *moves;          /* that ball, until the release has it */
    char head[DPN_HEAD_TEXT_SIZE]; /* of the ledger after the charge; "" if nothing was charged */
};

/* Whether --knorm is a ball that says how far the answers move together: k2, k3, regression(P), l1.5, or made of several (ball.c). Then
 * no option describes a set, and these read the question and make the release.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EUNSUPPORTED, DPN_EIO, DPN_ENOMEM. */
bool add_has_own_ball(const struct arguments *arguments);
dpn_status add_read_own_ball(struct addition *addition, const struct arguments *arguments, dpn_error *why);
dpn_status add_release_own_ball(struct addition *addition, dpn_error *why);

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
