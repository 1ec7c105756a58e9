/* How much memory the keys and persons of a question get. */
#ifndef DPN_QUESTION_MEMORY_H
#define DPN_QUESTION_MEMORY_H

#include "question/question.h"

/* Limit the tally of a question that is not charged yet, with a place beside the ledger for what is beyond: to what was asked for,
 * to what is registered, or to 1 GiB and at most a quarter of what the machine can give.
 * Errors   those of dpn_tally_limit; DPN_ENOMEM if the machine cannot give what was asked for or registered; DPN_EDOMAIN if more
 *          is asked for than is registered. No sentence names a file, a key or a number that comes from the data. */
dpn_status dpn_question_limit(dpn_question *question, dpn_error *why);

/* Whether the memory that was asked for can be had, for a question whose ledger is still to be made: what is refused leaves none behind.
 * Errors   as above, but for those that only the tally knows. */
dpn_status dpn_question_check_memory(const dpn_question *question, dpn_error *why);

#endif
