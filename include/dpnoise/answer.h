/* dpnoise/answer.h - an answer as text: what a ledger keeps, so that the same question is answered again for nothing.
 *
 *     {"by": 1, "outputs": ["count", "mean(income)"],
 *      "groups": [{"key": ["north"], "cells": [[1204, 1197, 1211, null, 0, "exact"],
 *                                            [51300, 50700, 51900, null, -2, "exact"]]}]}
 *
 * A cell lists value, low, high, rank95, digits and what its interval promises; that is left out where it is unstated. Numbers are doubles: the shortest decimal that reads back to the same one,
 * the strings "inf" and "-inf", null for what is undefined.
 */
#ifndef DPNOISE_ANSWER_H
#define DPNOISE_ANSWER_H

#include <dpnoise/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The answer as text, to be freed with free(). Bytes of a key that are not UTF-8 become U+FFFD. length may
 * be NULL.
 * Errors   DPN_ENOMEM. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_answer_write(char **text, size_t *length, const dpn_answer *answer,
                                                   dpn_error *why);

/* Read such a text.
 * Result   an answer to be freed with dpn_answer_free, equal to the one that was written.
 * Errors   DPN_EPARSE for text that is not an answer, DPN_EDOMAIN for a number that no double holds; DPN_ENOMEM. On error *out is not
 *          written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_answer_read(dpn_answer **out, const char *text, size_t length, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
