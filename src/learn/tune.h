/* Which setting of a fit does best: candidates, rows to try them on, and a private choice. */
#ifndef DPN_LEARN_TUNE_H
#define DPN_LEARN_TUNE_H

#include "learn/method.h"

enum { DPN_CANDIDATES_MOST = 12 };

/* The settings that are tried: those of the method that was asked for, or of several methods if none was; what was set stays as it is. The first is what was asked. Public.
 * Returns  how many. */
size_t dpn_fit_candidates(dpn_fit_options out[DPN_CANDIDATES_MOST], const dpn_fit_options *asked);

/* Rows of `from` into the emptied `to`, which has the same columns: row number order[0], order[1], ...
 * Errors   DPN_ENOMEM. */
dpn_status dpn_rows_take(dpn_rows *to, const dpn_rows *from, const size_t *order, size_t count, dpn_error *why);

/* What coefficients cost on a row of a fit, in the scaled unit: four times the square of the residual, 1 at most; or 1 for a label that is told wrong. In steps of
 * 2^-DPN_LOSS_LOG, from 0 to 2^DPN_LOSS_LOG, whatever the row and the coefficients hold. */
enum { DPN_LOSS_LOG = 20 };
int64_t dpn_row_cost(const dpn_fit *fit, const double *b, const dpn_rows *rows, size_t row);

/* The method of fits that choose their setting privately (tuned.c). */
extern const struct dpn_fit_method dpn_fit_tuned;

/* Its parts, of a planned fit: the fit of each setting, NULL past the end; the noise on scores; and how many trials there are, a draw of the logarithmic law.
 * Errors   DPN_EENTROPY. */
dpn_fit *dpn_tuned_trial(const dpn_fit *fit, size_t index);
const dpn_release *dpn_tuned_score(const dpn_fit *fit);
dpn_status dpn_tuned_trials(uint64_t *out, dpn_rng *rng, dpn_error *why);

#endif
