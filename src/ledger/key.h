/* The file of the key: 64 hexadecimal digits and a newline, for its owner's eyes alone. */
#ifndef DPN_LEDGER_KEY_H
#define DPN_LEDGER_KEY_H

#include <dpnoise/status.h>
#include <stdbool.h>

enum { DPN_KEY_SIZE = 32 };

/* Errors   DPN_EIO for a file that is missing, no regular file, readable or writable by group or others, of somebody
 *          else (other than root), or not a key. On error *key holds nothing of it. */
dpn_status dpn_key_read(unsigned char key[DPN_KEY_SIZE], const char *path, dpn_error *why);

/* Make a key, durably, if there is no file of that name; never overwrites. A crash leaves a whole key or none.
 * Errors   DPN_EENTROPY, DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_key_make(const char *path, dpn_error *why);

/* Make the entries of the directory of a file durable. Returns whether that worked. */
bool dpn_sync_directory(const char *path);

#endif
