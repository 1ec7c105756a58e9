/* A file that appears complete or not at all: it is written beside its destination and renamed when it is done. */
#ifndef DPNOISE_CLI_KIT_DRAFT_H
#define DPNOISE_CLI_KIT_DRAFT_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stdio.h>

struct draft {
    const char *option, *name; /* for messages: the option that named the file */
    char *temporary;
    int descriptor; /* write here */
    bool secret;    /* for its owner alone: mode 0600 */
};

/* Start a file for an option. On success draft_publish or draft_drop must follow.
 * Errors   DPN_EIO, also if the name is that of a directory, a device, a link, a database or a part of one, or the key of a
 *          ledger (guard_written); DPN_ENOMEM. */
dpn_status draft_begin(struct draft *out, const char *option, const char *name, dpn_error *why);

/* Write bytes to it.
 * Errors   DPN_EIO; then it was dropped. */
dpn_status draft_write(struct draft *draft, const void *bytes, size_t length, dpn_error *why);

/* Put it in its place.
 * Errors   DPN_EIO; then the file of that name is as it was. */
dpn_status draft_publish(struct draft *draft, dpn_error *why);

/* Fill it by `print` and put it in its place. Errors as above. */
dpn_status draft_print(struct draft *draft, void (*print)(FILE *out, const void *what), const void *what,
                       dpn_error *why);
void draft_drop(struct draft *draft);

#endif
