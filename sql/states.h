/* The states of aggregates as bytes, the same in all engines: the length of the question, the question, the state of its tally (dpn_tally_write). */
#ifndef DPN_SQL_STATES_H
#define DPN_SQL_STATES_H

#include <stddef.h>

/* What is counted: a declaration, but for its guarantee and its last bracket. */
#define STATES_QUESTION "{\"statistics\": [{\"kind\": \"%s\"%s}]"
#define STATES_BOUNDS ", \"column\": \"x\", \"lower\": \"%s\", \"upper\": \"%s\""
#define STATES_EDGES ", \"column\": \"x\", \"edges\": ["

enum { STATES_HEAD = 4, STATES_MOST_QUESTION = 1 << 16, STATES_MOST_EDGES = 2000 };

static inline void states_put_head(unsigned char head[STATES_HEAD], size_t question) {
    for (int i = 0; i < STATES_HEAD; i++) head[i] = (unsigned char)(question >> 8 * (STATES_HEAD - 1 - i));
}

/* The length of the question of some bytes; 0 if they are no state. What follows the question is for the tally to judge. */
static inline size_t states_question(const unsigned char *bytes, size_t length) {
    size_t question = 0;
    for (size_t i = 0; i < STATES_HEAD && i < length; i++) question = question << 8 | bytes[i];
    return length >= STATES_HEAD && question <= STATES_MOST_QUESTION && question <= length - STATES_HEAD ? question : 0;
}

#endif
