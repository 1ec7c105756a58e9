/* What a declaration says twice. */
#ifndef DPN_DECLARE_REPEATS_H
#define DPN_DECLARE_REPEATS_H

#include <dpnoise/declaration.h>

/* The index of a text that occurs before, SIZE_MAX if there is none. Time n log n.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_repeated_text(size_t *out, char *const *text, size_t count, dpn_error *why);

/* A statistic that is asked a second time: one of the same kind and column, whatever the bounds, for their answers
 * would bear one name; a quantile at the same number; a covariance that shares two columns with another or names one
 * twice. */
typedef struct dpn_repeat {
    const dpn_statistic *statistic; /* NULL: there is none */
    const char *first, *second;     /* its columns, as far as there are some */
} dpn_repeat;

/* Domain   numbers that can be read, and no more than DPN_DECLARATION_CELLS cells.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_repeated_statistic(dpn_repeat *out, const dpn_declaration *declaration, dpn_error *why);

#endif
