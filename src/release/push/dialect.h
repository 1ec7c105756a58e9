/* How engines write what a query needs. */
#ifndef DPN_PUSH_DIALECT_H
#define DPN_PUSH_DIALECT_H

#include "base/text/buffer.h"

#include <dpnoise/push.h>

/* Forms have %s for their parts. */
typedef struct dpn_dialect_row {
    const char *name;
    char quote;            /* around names */
    bool backslash;        /* stands for itself and what follows in texts, and in names where they are quoted by ` */
    bool variables;        /* are put in the place of ${...} before a query is read, in texts and names too */
    bool seen_within;      /* the names of a result, by the query that makes it, before those of the table */
    const char *real;      /* the type */
    const char *integer;   /* a whole number as one of 64 bits; of NULL NULL */
    const char *from_text; /* a text as a real; of NULL NULL */
    const char *text;      /* a value as text; of types whose text is not that of dpn_value NULL, below */
    const char *bytes;     /* a text so that it is compared byte by byte */
    const char *trim;      /* a text without blanks and tabs around it */
    const char *least, *greatest;
    bool between;       /* CASE and BETWEEN clamp faster than these */
    const char *floor;  /* of a real, as a whole number of 64 bits */
    const char *halve;  /* half of a whole number that is not negative, rounded down */
    const char *divide; /* by another one */
    const char *shift;  /* any whole number to the right, rounded down; NULL: only divide */
    const char *infinity;
    const char *count_if;
    const char *sum; /* of whole numbers of 64 bits, without overflow up to 2^62 */
    const char
        *whole; /* a real rounded down, as a real, where a product that is too small for one raises; NULL: none does */
    const char *small;       /* a whole number below 2^31 in size, for a faster sum; NULL: as it is */
    const char *small_floor; /* the same of a real; NULL: none */
    const char *number;      /* a decimal as an exact number; NULL: there are none */
    const char *digest;      /* SHA-256 of bytes, so that digests compare by their first 16 bytes or more; NULL: none */
    const char *as_bytes, *word, *joined; /* a text as bytes; a number as 8 bytes, lowest first; what joins bytes */
    const char *hex;                      /* bytes in hexadecimal digits */
    bool shortest; /* texts of reals are the shortest that read back, and can be read as exact numbers */
    bool any_type; /* columns hold values of any type */
} dpn_dialect_row;

const dpn_dialect_row *dpn_dialect_of(dpn_dialect dialect);

/* Put a form with its parts; text in quotes; a name; a whole number; a finite real that is exactly this one. */
void dpn_sql_put(dpn_text *out, const char *form, const char *one, const char *two);
void dpn_sql_text(dpn_text *out, const dpn_dialect_row *dialect, const char *text);
void dpn_sql_name(dpn_text *out, const dpn_dialect_row *dialect, const char *name);
void dpn_sql_integer(dpn_text *out, int64_t number);
void dpn_sql_real(dpn_text *out, const dpn_dialect_row *dialect, double number);

#endif
