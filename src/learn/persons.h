/* Whose rows these are: where persons are protected, so many rows of each are fitted. */
#ifndef DPN_LEARN_PERSONS_H
#define DPN_LEARN_PERSONS_H

#include "learn/rows.h"

#include <dpnoise/field.h>
#include <dpnoise/random.h>

/* The person of each row, as bytes one after the other. */
typedef struct dpn_person_ids {
    char *bytes;
    size_t *end; /* of each row's, in bytes */
    size_t rows, rows_room, room;
} dpn_person_ids;

/* The person of one row more. Wipe and free.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_person_ids_add(dpn_person_ids *ids, dpn_field person, dpn_error *why);
void dpn_person_ids_free(dpn_person_ids *ids);

/* Of each person who has more than `most` rows, leave that many, chosen at random, each choice as likely, independent of all other persons.
 * Domain   as many ids as rows; most >= 1.
 * Errors   DPN_EENTROPY, DPN_ENOMEM. On error the rows are as they were. */
dpn_status dpn_rows_of_persons(dpn_rows *rows, const dpn_person_ids *ids, uint64_t most, dpn_rng *rng, dpn_error *why);

/* What each of `most` rows may have, so that all together have (epsilon, delta): the largest doubles that are known not to be above
 * epsilon/most and delta (e^(epsilon/most) - 1)/(e^epsilon - 1). docs/proofs/learn/fit.md, F20. */
void dpn_group_shares(double *epsilon, double *delta, uint64_t most);

#endif
