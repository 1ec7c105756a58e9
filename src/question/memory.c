/* The memory for keys and persons, before anything is charged. */
#include "question/memory.h"

#include "base/error.h"
#include "ledger/ledger.h"

#include <stdio.h>
#include <stdlib.h>

#define USUAL (UINT64_C(1) << 30)

/* Bytes that the machine can give without swapping, as Linux estimates them; UINT64_MAX where that is not known. */
static uint64_t available(void) {
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kilobytes;
    uint64_t found = UINT64_MAX;
    while (file && found == UINT64_MAX && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1) found = 1024 * (uint64_t)kilobytes;
    if (file) fclose(file);
    return found;
}

static uint64_t usual(void) {
    uint64_t part = available() / 4, most = part < USUAL ? part : USUAL;
    return most > DPN_TALLY_LEAST_MEMORY ? most : DPN_TALLY_LEAST_MEMORY;
}

/* What is registered bounds what is asked for; a limit below the least of all, from a ledger of before, means that. */
static dpn_status choose(uint64_t *out, const dpn_question *question, dpn_error *why) {
    uint64_t registered = question->registered ? question->registration.memory : 0;
    if (registered > 0 && registered < DPN_TALLY_LEAST_MEMORY) registered = DPN_TALLY_LEAST_MEMORY;
    uint64_t memory = question->memory > 0 ? question->memory : registered;
    if (registered > 0 && memory > registered)
        return dpn_fail(why, DPN_EDOMAIN,
                        "memory: %llu bytes for keys and persons are registered, and more are asked for",
                        (unsigned long long)registered);
    if (memory > available())
        return dpn_fail(
            why, DPN_ENOMEM,
            "this machine has less memory now than the limit for keys and persons says; nothing was charged");
    *out = memory > 0 ? memory : usual();
    return DPN_OK;
}

dpn_status dpn_question_check_memory(const dpn_question *question, dpn_error *why) {
    uint64_t memory = 0;
    dpn_status status = choose(&memory, question, why);
    if (!status && memory < DPN_TALLY_LEAST_MEMORY)
        status =
            dpn_fail(why, DPN_EDOMAIN, "the memory for keys and persons is at least %d bytes", DPN_TALLY_LEAST_MEMORY);
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
