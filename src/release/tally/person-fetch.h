/* Persons lie all over the memory, and so do their shares and rows. Whoever goes through many asks for a batch of them at once, level by
 * level, instead of waiting for each: a level is looked at when it has come, which is while others of its batch are asked for. */
#ifndef DPN_TALLY_PERSON_FETCH_H
#define DPN_TALLY_PERSON_FETCH_H

#include "release/tally/persons.h"

enum { DPN_FETCH_BATCH = 32 };

/* gcc takes a function that only fetches for one without effect, and drops the call of one that is not inline from the start. */
#define DPN_FETCH static inline __attribute__((always_inline))

/* A share, which lies in two lines, and what is behind it, which is its first row if both were new. */
DPN_FETCH void dpn_share_fetch(const dpn_share *share) {
    if (!share) return;
    __builtin_prefetch(share);
    __builtin_prefetch(share + 1);
}

/* The persons in the slots from `at` on, as many as a batch has, with the first shares of each and the first row of each of these. */
DPN_FETCH void dpn_persons_fetch(const dpn_names *names, size_t at) {
    enum { SHARES = 4 };
    const dpn_share *share[DPN_FETCH_BATCH];
    size_t slots = names->slots - at < DPN_FETCH_BATCH ? names->slots - at : DPN_FETCH_BATCH, count = 0;
    for (size_t i = 0; i < slots; i++) __builtin_prefetch(names->slot[at + i].item);
    for (size_t i = 0; i < slots; i++) {
        const dpn_person *who = (const dpn_person *)names->slot[at + i].item;
        if (!who || !who->share) continue;
        share[count++] = who->share;
        dpn_share_fetch(who->share);
    }
    for (int level = 0; level < SHARES && count > 0; level++) {
        size_t left = 0;
        for (size_t i = 0; i < count; i++) {
            if (share[i]->row) __builtin_prefetch(share[i]->row);
            if (share[i]->next) dpn_share_fetch(share[left++] = share[i]->next);
        }
        count = left;
    }
}

/* Those with the names of the slots of `other`, likewise. */
DPN_FETCH void dpn_persons_fetch_like(const dpn_names *names, const dpn_names *other, size_t at) {
    const dpn_person *who[DPN_FETCH_BATCH];
    size_t slots = other->slots - at < DPN_FETCH_BATCH ? other->slots - at : DPN_FETCH_BATCH;
    for (size_t i = 0; i < slots; i++)
        if (other->slot[at + i].item) dpn_names_fetch_slot(names, other->slot[at + i].hash);
    for (size_t i = 0; i < slots; i++) {
        const dpn_name_slot *slot = &other->slot[at + i];
        who[i] = slot->item ? (const dpn_person *)dpn_names_fetch_item(names, slot->hash) : NULL;
    }
    for (size_t i = 0; i < slots; i++)
        if (who[i]) dpn_share_fetch(who[i]->share);
}

#endif
