/* The lines of a text file, as people write them: a # starts a comment, blank lines do not count. */
#ifndef DPNOISE_CLI_KIT_LINES_H
#define DPNOISE_CLI_KIT_LINES_H

#include <dpnoise/status.h>
#include <stdio.h>

struct lines {
    const char *option, *name; /* for messages: the option that named the file */
    FILE *file;
    char *text;
    size_t room;
    size_t number; /* of the line read last, from 1 */
};

/* Open a file for an option. On success lines_close must follow.
 * Errors   DPN_EIO. */
dpn_status lines_open(struct lines *out, const char *option, const char *name, dpn_error *why);
void lines_close(struct lines *lines);

/* The next line that says something, without its comment and the blanks around it, to be changed at will until the
 * next call; NULL at the end of the file.
 * Errors   DPN_EIO, and DPN_EPARSE for a file that is not text. */
dpn_status lines_next(struct lines *lines, char **line, dpn_error *why);

/* The failure of the line read last: its place in front of the reason, which is not *why. Returns the status. */
dpn_status lines_refuse(const struct lines *lines, const dpn_error *reason, dpn_error *why);

#endif
