/* How much memory this process can have now. */
#ifndef DPN_QUESTION_AVAILABLE_H
#define DPN_QUESTION_AVAILABLE_H

#include <stdint.h>

/* Bytes that the machine can give without swapping, and that no limit of this process forbids: the least of what Linux estimates
 * (MemAvailable), the room below RLIMIT_AS and RLIMIT_DATA, and that of the control groups it is in, each with those above it: of
 * version 2 (memory.max) and 1 (memory.limit_in_bytes). Pages of files that a group can drop count as free, as in MemAvailable.
 * UINT64_MAX where none of it is known. `root` stands before the paths of /proc and /sys: "" but for tests. */
uint64_t dpn_memory_available(const char *root);

#endif
