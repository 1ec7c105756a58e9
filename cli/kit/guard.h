/* Files that the tool keeps or reads and must not write over, nor take for something else. */
#ifndef DPNOISE_CLI_KIT_GUARD_H
#define DPNOISE_CLI_KIT_GUARD_H

#include <dpnoise/status.h>
#include <stdbool.h>

/* Whether two names mean one file: by device and inode, and where it is still to be made by directory and name. */
bool guard_same(const char *one, const char *other);

/* The same for a file and what SQLite keeps beside it (-wal, -shm, -journal): also through a link to the file. */
bool guard_same_database(const char *name, const char *database);

/* A file for an option must be new or a regular file; never a database or a part of one, nor the key of a ledger, whoever
 * they belong to: a report in the place of a ledger's -wal would undo charges.
 * Errors   DPN_EIO. */
dpn_status guard_written(const char *option, const char *name, dpn_error *why);

/* Two options must not write one file; either name may be NULL.
 * Errors   DPN_EPARSE. */
dpn_status guard_apart(const char *option, const char *name, const char *other, const char *other_name, dpn_error *why);

/* A file that an option reads as something public must not be the data (NULL: they are no file; "-": standard input), by any
 * name, nor a database or the key of a ledger: what is read so is printed, free of charge. Copies are not recognised.
 * Errors   DPN_EDOMAIN. */
dpn_status guard_read(const char *option, const char *name, const char *data, dpn_error *why);

#endif
