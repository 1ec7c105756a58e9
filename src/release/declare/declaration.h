/* The parts of a declaration, for those who read, write and check it. */
#ifndef DPN_DECLARE_DECLARATION_H
#define DPN_DECLARE_DECLARATION_H

#include "release/declare/signed.h"

#include <dpnoise/declaration.h>

/* The rule for missing fields from its text: refuse, skip, value:V. *value is replaced by V, or NULL, and freed.
 * Errors   DPN_EPARSE, those of dpn_signed_read; DPN_ENOMEM. On error nothing is written. */
dpn_status dpn_missing_read(dpn_missing *out, char **value, const char *text, dpn_error *why);

/* The part of dpn_declaration_check that is about fields and rows that cannot be used. */
dpn_status dpn_missing_check(const dpn_declaration *declaration, dpn_error *why);

/* Free what a part holds. */
void dpn_texts_free(char **text, size_t count);
void dpn_statistic_free(dpn_statistic *statistic);
void dpn_grouping_free(dpn_grouping *grouping);

/* A copy, to be freed.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_text_copy(char **out, const char *text, dpn_error *why);

/* A number in the form in which declarations hold it; "-inf" and "inf" too if they are allowed. To be freed.
 * Errors   those of dpn_signed_read; DPN_ENOMEM. */
dpn_status dpn_number_copy(char **out, const char *text, bool infinite, dpn_error *why);

/* The value of a predicate: a number in that form, anything else as it is. */
dpn_status dpn_value_copy(char **out, const char *text, dpn_error *why);

/* -1 for "-inf", 1 for "inf", else 0. */
int dpn_infinity_sign(const char *text);

/* Refuse what is no name: NULL, empty, too long, with control characters or not UTF-8.
 * Errors   DPN_EDOMAIN; the sentence starts with `what`. */
dpn_status dpn_name_check(const char *name, const char *what, dpn_error *why);

/* Whether one statistic makes sense by itself: the part of dpn_declaration_check that is about it alone. */
dpn_status dpn_statistic_check(const dpn_statistic *statistic, dpn_error *why);

/* epsilon and delta as numbers. */
typedef struct dpn_shares {
    dpn_decimal epsilon, delta;
} dpn_shares;

/* dpn_declaration_check, which keeps what it read: nobody needs to read it again. On error *out is not written. */
dpn_status dpn_declaration_read_shares(dpn_shares *out, const dpn_declaration *declaration, dpn_error *why);

#endif
