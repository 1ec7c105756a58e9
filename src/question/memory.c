/* The memory for keys and persons, before anything is charged. */
#include "question/memory.h"

#include "base/error.h"
#include "ledger/ledger.h"
#include "question/available.h"
#include "release/tally/spill.h"

#include <stdlib.h>

#define USUAL (UINT64_C(1) << 30)

static uint64_t usual(void) {
    uint64_t part = dpn_memory_available("") / 4, most = part < USUAL ? part : USUAL;
    return most > DPN_TALLY_LEAST_MEMORY ? most : DPN_TALLY_LEAST_MEMORY;
}

/* What is registered bounds what is asked for; a limit below the least of all, from a ledger of before, means that. */
static dpn_status choose(uint64_t *out, const dpn_question *question, dpn_error *why) {
    uint64_t registered = question->registered ? question->registration.memory : 0;
    if (registered > 0 && registered < DPN_TALLY_LEAST_MEMORY) registered = DPN_TALLY_LEAST_MEMORY;
    uint64_t memory = question->memory > 0 ? question->memory : registered;
    if (registered > 0 && memory > registered)
        return dpn_fail(why, DPN_EDOMAIN,
                        "memory: %llu bytes for keys and persons are registered, and more are asked for (--memory)",
                        (unsigned long long)registered);
    if (memory > dpn_memory_available(""))
        return dpn_fail(
            why, DPN_ENOMEM,
            "memory: this process can have less now than the limit for keys and persons says: give less (--memory); "
            "nothing was charged");
    *out = memory > 0 ? memory : usual();
    return DPN_OK;
}

/* A tally is made and thrown away: so nothing that it refuses is found when there is a budget already. */
dpn_status dpn_question_check_memory(const dpn_question *question, dpn_error *why) {
    uint64_t memory = 0;
    dpn_rng *rng = NULL;
    dpn_tally *tally = NULL;
    dpn_status status = choose(&memory, question, why);
    if (status || question->inquiry) return status;
    status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_tally_new(&tally, question->query, rng, why);
    if (!status) status = dpn_tally_check_limit(tally, memory, why);
    dpn_tally_free(tally);
    dpn_rng_free(rng);
    return status;
}

dpn_status dpn_question_limit(dpn_question *question, dpn_error *why) {
    uint64_t memory = 0;
    dpn_status status = choose(&memory, question, why);
    if (status) return status;
    char *directory = dpn_ledger_directory(question->ledger);
    if (!directory) return dpn_fail(why, DPN_ENOMEM, "no memory for the question");
    status = dpn_tally_limit(question->tally, memory, directory, why);
    free(directory);
    return status;
}
