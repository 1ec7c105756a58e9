/* Finding the separators of comma-separated text, 64 bytes at a time. */
#ifndef DPN_TABLE_SCAN_H
#define DPN_TABLE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dpn_grammar {
    char delimiter;
    bool literal_quotes;
} dpn_grammar;

/* What was found in a text. */
typedef struct dpn_found {
    size_t separators; /* delimiters and newlines outside quotes */
    size_t newlines;   /* the newlines among them */
    size_t hidden;     /* newlines within quotes */
    bool quoted;       /* there are quotes */
    bool misplaced;    /* a quote opens within a field, or a closed one is followed by more of it */
    bool nul;          /* there are NUL bytes */
    bool inside;       /* the text ends within quotes */
} dpn_found;

enum { DPN_SCAN_SLACK = 64 }; /* how far beyond the last position dpn_scan may write */

/* Find all separators of a text that begins where a row begins; at[i] is the position of separator i, and at has room for
 * length + DPN_SCAN_SLACK of them. What a closing quote at the very end is followed by is not judged.
 *
 * The quotes are right exactly when every quote that opens (the quotes before it are even in number) follows a separator,
 * the begin, or a quote, and every one that closes is followed by a separator, CRLF or a quote: a doubled quote closes and
 * opens again. So parity and neighbours decide, and no state machine is needed. */
typedef void dpn_scanner(dpn_found *found, uint32_t *at, const char *text, size_t length, dpn_grammar grammar);
dpn_scanner dpn_scan_portable, dpn_scan_avx2;

/* The fastest that this processor has. */
dpn_scanner *dpn_scan_best(void);

#endif
