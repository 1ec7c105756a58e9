/* Rows of persons in an engine: those with the least lots, as in lottery.h. */
#ifndef DPN_PUSH_PERSONS_H
#define DPN_PUSH_PERSONS_H

#include "release/push/push.h"

/* What stands before and after the records, "b": dpn_p, dpn_k0 ..., the numbers of a record. Of the rows that are kept dpn_r is the place among those of
 * their person and group. */
void dpn_persons_open(dpn_text *out, const dpn_push *push);
void dpn_persons_close(dpn_text *out, const dpn_push *push);

#endif
