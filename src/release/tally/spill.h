/* What a tally holds of persons and unknown keys, on the disk and back. docs/proofs/release/overflow.md */
#ifndef DPN_TALLY_SPILL_H
#define DPN_TALLY_SPILL_H

#include "release/tally/inside.h"

#include <string.h>

static inline bool dpn_tally_has_spilled(const dpn_tally *tally) {
    return tally->person_runs.count > 0 || tally->key_runs.count > 0;
}

/* dpn_tally_limit, however little the memory is.
 * Domain   a tally that holds nothing and was not split. */
dpn_status dpn_tally_set_limit(dpn_tally *tally, size_t bytes, const char *directory, dpn_error *why);

/* What dpn_tally_limit refuses whatever the directory is. */
dpn_status dpn_tally_check_limit(const dpn_tally *tally, uint64_t bytes, dpn_error *why);

/* What a tally needs to write to the disk, if there is a limit. Errors   DPN_ENOMEM, DPN_EENTROPY. */
dpn_status dpn_tally_make_runs(dpn_tally *tally, dpn_error *why);

/* Empty persons and unknown keys to the disk.
 * Errors   DPN_EIO, DPN_ENOMEM; the tally is then of no more use. */
dpn_status dpn_tally_spill(dpn_tally *tally, dpn_error *why);

/* Bring all of it back to memory, whatever the limit is: persons with all their rows, and sums of keys.
 * Errors   as above. */
dpn_status dpn_tally_unspill(dpn_tally *tally, dpn_error *why);

/* Cut persons that were spilled, and add what is kept to the sums; keys may go to the disk once more.
 * Errors   as above. */
dpn_status dpn_tally_cut_spilled(dpn_tally *tally, dpn_error *why);

/* The texts of the key of a record, each with a zero byte after it. */
static inline void dpn_key_texts(dpn_field *out, size_t columns, const unsigned char *key) {
    for (size_t i = 0; i < columns; i++) {
        out[i] = (dpn_field){(const char *)key, strlen((const char *)key)};
        key += out[i].length + 1;
    }
}

/* The number of the group with these texts, a new one if keys are unknown. False without memory, or if there is no such group. */
bool dpn_tally_find_group(size_t *out, dpn_tally *tally, const dpn_field *text);

/* Add what is kept of a person in a group to its sums: a row with its copies; where persons are bounded as a whole, their totals over that many rows. */
void dpn_tally_add_kept(dpn_tally *tally, size_t group, const int64_t *record, uint64_t copies, bool first);

#endif
