/* Text that people wrote: whether it may be kept, and how much of it a sentence shows. */
#ifndef DPN_TEXT_EXCERPT_H
#define DPN_TEXT_EXCERPT_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Refuse what is not 1 (or 0, if it may be empty) to size - 1 bytes of UTF-8 without control characters, and, if it may not
 * be empty, what begins or ends with a blank.
 * Errors   DPN_EDOMAIN; the sentence starts with `what`. */
dpn_status dpn_text_check(const char *text, const char *what, size_t size, bool may_be_empty, dpn_error *why);

/* A text for a sentence: cut to 40 bytes between letters, control characters and what is not UTF-8 as question marks,
 * so that no file or option writes to a terminal more than letters. Returns out. */
enum { DPN_SHOWN_SIZE = 48 };
char *dpn_show(char out[DPN_SHOWN_SIZE], const char *text);

#endif
