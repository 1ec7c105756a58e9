/* What was asked of losses whose profile is slow, kept between compositions: a search for epsilon asks the same points again and again. */
#ifndef DPN_PRIVACY_LOSS_MEMO_H
#define DPN_PRIVACY_LOSS_MEMO_H

#include <stdbool.h>
#include <stdint.h>

typedef enum dpn_memo_what { DPN_MEMO_DELTA = 1, DPN_MEMO_TAIL } dpn_memo_what;

/* The numbers that tell a loss of a remembered kind (loss.h) from all others, what was asked of it, and where. */
typedef struct dpn_memo_key {
    const void *kind;
    double epsilon, sensitivity, at;
    uint64_t count;
    dpn_memo_what what;
} dpn_memo_key;

typedef struct dpn_memo dpn_memo;

/* NULL if there is no memory. */
dpn_memo *dpn_memo_new(void);
void dpn_memo_free(dpn_memo *memo);

/* Two bounds, exactly as they were kept. False if they were not, or others have taken their place. */
bool dpn_memo_find(double *lower, double *upper, const dpn_memo *memo, const dpn_memo_key *key);
void dpn_memo_keep(dpn_memo *memo, const dpn_memo_key *key, double lower, double upper);

#endif
