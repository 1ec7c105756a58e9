/* Entries as text: a JSON object for each. What is written is read back before it is believed. */
#ifndef DPN_LEDGER_RECORD_H
#define DPN_LEDGER_RECORD_H

#include "base/text/buffer.h"
#include "privacy/filter/filter.h"

#include <dpnoise/ledger.h>
#include <stddef.h>
#include <string.h>

enum { DPN_IDENTITY_SIZE = 33 };

/* What dpn_entry tells, with room for every text. */
typedef struct dpn_entry_fields {
    dpn_entry_kind kind;
    char time[32];
    char user[DPN_LEDGER_NAME_SIZE], name[DPN_LEDGER_NAME_SIZE], of[DPN_LEDGER_NAME_SIZE];
    char note[DPN_LEDGER_NOTE_SIZE];
    char specification[65];
    dpn_relation relation;
    dpn_unit unit;
    bool converted;
    dpn_charge charge;
    size_t orders;
    uint64_t with, reuse, version;
    size_t plan_length;
} dpn_entry_fields;

typedef struct dpn_record {
    dpn_entry_fields entry;
    size_t plan_at;                   /* where the plan, registration or source starts in the text; 0: there is none */
    char identity[DPN_IDENTITY_SIZE]; /* of the first entry */
    dpn_charge asked;                 /* what a converted charge was before */
    const char *plan_text;            /* for the writer: JSON of a charge, registration or source, or NULL */
    dpn_filter_terms filter;          /* of a budget or quota; the largest part, and the last */
} dpn_record;

/* Make everything 0 but the filter, which most records do not have. */
static inline void dpn_record_clear(dpn_record *record) {
    memset(record, 0, offsetof(dpn_record, filter));
}

/* Which members an entry of a kind has. */
static inline bool dpn_kind_has_of(dpn_entry_kind kind) {
    return kind == DPN_ENTRY_ALIAS || kind == DPN_ENTRY_CHARGE || kind == DPN_ENTRY_QUOTA || kind == DPN_ENTRY_RENEWAL;
}
static inline bool dpn_kind_has_filter(dpn_entry_kind kind) {
    return kind == DPN_ENTRY_BUDGET || kind == DPN_ENTRY_QUOTA;
}

/* Append the text of a record. Memory that is missing shows in out->failed. */
void dpn_record_write(dpn_text *out, const dpn_record *record);

/* Errors   DPN_EPARSE, DPN_EDOMAIN for what is no record, DPN_ENOMEM. */
dpn_status dpn_record_read(dpn_record *out, const char *text, size_t length, dpn_error *why);

#endif
