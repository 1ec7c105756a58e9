/* How much memory the keys and persons of a question get. */
#ifndef DPN_QUESTION_MEMORY_H
#define DPN_QUESTION_MEMORY_H

#include "question/question.h"

/* Limit the tally of a question that is not charged yet, with a place beside the ledger for what is beyond: to what was asked for,
 * to what is registered, or to 1 GiB and at most a quarter of what this process can have (available.h).
 * Errors   those of dpn_tally_limit; DPN_ENOMEM if the process cannot have what was asked for or registered; DPN_EDOMAIN if more
 *          is asked for than is registered. No sentence names a file, a key or a number that comes from the data. */
dpn_status dpn_question_limit(dpn_question *question, dpn_error *why);

/* Whether there is a tally and memory for a question whose ledger is still to be made: what is refused leaves none behind.
 * Errors   as above, but for those of the place on the disk; those of dpn_tally_new; DPN_EENTROPY. */
dpn_status dpn_question_check_memory(const dpn_question *question, dpn_error *why);

#endif
