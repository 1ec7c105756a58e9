/* The memory of a tally is limited, and what is beyond it has a place on the disk: all of this before anything is charged. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "release/tally/spill.h"

#include "base/error.h"

#include <sys/mman.h>

/* Blocks of the file are small enough that hundreds of runs can be read at once. */
static size_t block_of(size_t bytes) {
    enum { PARTS = 1024, LEAST = 512, MOST = 1 << 16 };
    size_t block = bytes / PARTS / DPN_CIPHER_BLOCK_BYTES * DPN_CIPHER_BLOCK_BYTES;
    return block < LEAST ? LEAST : block > MOST ? MOST : block;
}

dpn_status dpn_tally_make_runs(dpn_tally *tally, dpn_error *why) {
    const dpn_tally_shared *shared = tally->shared;
    if (!shared->overflow) return DPN_OK;
    size_t of_person = dpn_person_runs_numbers(&shared->lottery), of_key = tally->sums.moments + tally->sums.counts;
    dpn_status status = dpn_runs_make(&tally->person_runs, shared->overflow, of_person, why);
    return status ? status : dpn_runs_make(&tally->key_runs, shared->overflow, of_key, why);
}

dpn_status dpn_tally_set_limit(dpn_tally *tally, size_t bytes, const char *directory, dpn_error *why) {
    dpn_tally_shared *shared = tally->shared;
    dpn_status status = dpn_overflow_open(&shared->overflow, directory, block_of(bytes), why);
    if (!status) status = dpn_tally_make_runs(tally, why);
    if (!status) shared->limit.bytes = bytes;
    return status;
}

/* Whether the process may have that much. It is given back at once: where there is less later, more goes to the disk. */
static bool can_have(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED && munmap(memory, bytes) == 0;
}

/* Everything here is public: it follows from the question and the limit. */
static dpn_status check_question(const dpn_tally *tally, size_t bytes, dpn_error *why) {
    enum { KEYS = 64 }; /* whose sums fit in memory together, at least */
    const dpn_tally_shared *shared = tally->shared;
    size_t rows = dpn_person_runs_memory(&shared->lottery, shared->reader.most_rows);
    if (dpn_tally_has_persons(shared->reader.query) && rows > dpn_memory_rows(&(dpn_memory_limit){.bytes = bytes}))
        return dpn_fail(why, DPN_EDOMAIN,
                        "max_rows is too many for the memory that there is for keys and persons: take fewer rows of a "
                        "person, or more memory (--memory)");
    if (!shared->reader.query->known_keys && dpn_sums_size(&tally->sums, KEYS) > bytes)
        return dpn_fail(why, DPN_EDOMAIN,
                        "the sums of a key are too many for the memory that there is for keys and persons: take fewer "
                        "statistics, or more memory (--memory)");
    return DPN_OK;
}

dpn_status dpn_tally_check_limit(const dpn_tally *tally, uint64_t bytes, dpn_error *why) {
    const dpn_query *query = tally->shared->reader.query;
    if (bytes < DPN_TALLY_LEAST_MEMORY || bytes > SIZE_MAX)
        return dpn_fail(why, DPN_EDOMAIN, "the memory for keys and persons is at least %d bytes",
                        DPN_TALLY_LEAST_MEMORY);
    if (query->known_keys && !dpn_tally_has_persons(query)) return DPN_OK;
    dpn_status status = check_question(tally, (size_t)bytes, why);
    if (status || can_have((size_t)bytes)) return status;
    return dpn_fail(why, DPN_ENOMEM, "there is less memory than the limit for keys and persons (--memory) says");
}

dpn_status dpn_tally_limit(dpn_tally *tally, uint64_t bytes, const char *directory, dpn_error *why) {
    dpn_status status = dpn_tally_check_open(tally, why);
    if (status) return status;
    const dpn_tally_shared *shared = tally->shared;
    if (!directory) return dpn_fail(why, DPN_EDOMAIN, "there is no directory for keys and persons beyond the memory");
    if (tally->rows > 0 || shared->overflow || atomic_load(&shared->owners) > 1)
        return dpn_fail(why, DPN_EDOMAIN, "the memory of a tally is limited once, before its first row and split");
    status = dpn_tally_check_limit(tally, bytes, why);
    if (status || (shared->reader.query->known_keys && !dpn_tally_has_persons(shared->reader.query))) return status;
    status = dpn_tally_set_limit(tally, (size_t)bytes, directory, why);
    tally->spoiled |= status == DPN_EENTROPY || status == DPN_EIO;
    return status;
}
