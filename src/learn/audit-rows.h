/* Neighbouring tables for the audit of a fit. */
#ifndef DPN_LEARN_AUDIT_ROWS_H
#define DPN_LEARN_AUDIT_ROWS_H

#include "learn/fit.h"

enum { DPN_FIT_PAIRS = 5 };

typedef struct dpn_fit_pair {
    dpn_rows a, b; /* b has the row; a has none, or under replace its opposite */
} dpn_fit_pair;

/* A few rows as a background, and one that is at a bound, has the target at the other one, is mixed, is far beyond the bounds, or cannot
 * be used; of a person, as many such rows as count. They are read as text, by the planned fit, whose own rows are none before and after. Free both tables with dpn_rows_free,
 * also after an error.
 * Errors   DPN_EUNSUPPORTED for predicates; DPN_ENOMEM. */
dpn_status dpn_fit_pairs_make(dpn_fit_pair pair[DPN_FIT_PAIRS], dpn_fit *fit, dpn_error *why);

#endif
