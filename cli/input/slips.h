/* An epsilon or delta that is more likely a slip of the decimal point than a wish: it asks for a word. */
#ifndef DPNOISE_CLI_INPUT_SLIPS_H
#define DPNOISE_CLI_INPUT_SLIPS_H

#include "kit/options.h"

#include <dpnoise/decimal.h>

/* Refuse an epsilon above 10 without --yes-epsilon, and a delta above 0.001 without --yes-delta, of a question as of a budget.
 * A mechanism that publishes each row as it is with probability delta is (0, delta)-private: with 0.001 that is one row of a thousand,
 * and few tables are smaller.
 * Errors   DPN_EDOMAIN. */
dpn_status slip_in_epsilon(const dpn_decimal *epsilon, const struct arguments *arguments, dpn_error *why);
dpn_status slip_in_delta(const dpn_decimal *delta, const struct arguments *arguments, dpn_error *why);

#endif
