/* Filling in a dpn_error. */
#ifndef DPN_BASE_ERROR_H
#define DPN_BASE_ERROR_H

#include <dpnoise/status.h>

/* Set *why (if not NULL) to status and a sentence made as by printf, cut to the size of the buffer. Returns status, so
 * that a failure is one line: return dpn_fail(why, DPN_EDOMAIN, "sigma must be positive"). */
dpn_status dpn_fail(dpn_error *why, dpn_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
