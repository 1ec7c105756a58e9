/* A disk that loses power. It notes what a session does to its files (shim.h) and then gives states in which the files
 * may be found after a power cut at any moment: what was synchronised is there; of what was not, any part may be,
 * sector by sector, torn, or not at all, in any order; files that were made or removed may be so or not, until their
 * directory was synchronised. */
#ifndef DPN_TEST_LEDGER_DISK_H
#define DPN_TEST_LEDGER_DISK_H

#include <stddef.h>
#include <stdint.h>

/* Begin with the files in this directory as they are, on the disk; note everything from now on. */
void disk_begin(const char *directory);

/* Note a moment: charges begun and acknowledged so far. */
void disk_mark(uint64_t begun, uint64_t acknowledged);

/* Note no more. Returns the number of moments, before each event and at the end. */
size_t disk_end(void);

/* Write a state at a moment into a directory, whose files of the same names are replaced or removed. `chance` draws
 * what is lost. Tells what had been begun and acknowledged by then. */
void disk_state(const char *directory, size_t moment, uint64_t chance, uint64_t *begun, uint64_t *acknowledged);

void disk_free(void);

#endif
