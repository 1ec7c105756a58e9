/* Options that a caller gives, as this library knows them: "How options work" in dpnoise/dpnoise.h. */
#ifndef DPN_BASE_OPTIONS_H
#define DPN_BASE_OPTIONS_H

#include <dpnoise/status.h>
#include <stddef.h>

/* Copy an options structure of the caller into one of `size` bytes; both begin with their size. What the caller's lacks
 * becomes 0, which stands for the default; NULL is all defaults. Members are only ever added at the end, and never where the
 * old structure had padding.
 * Errors   DPN_EDOMAIN for a size that no initialiser gives, and for members that this library does not know and that are
 *          not 0: nothing that was asked for is ignored. On error *own is not written. */
dpn_status dpn_options_take(void *own, size_t size, const void *options, dpn_error *why);

#endif
