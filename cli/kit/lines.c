/* The lines of a text file. */
#define _POSIX_C_SOURCE 200809L
#include "kit/lines.h"

#include "kit/fail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static dpn_status refuse_reading(const struct lines *lines, dpn_error *why) {
    return refuse(why, DPN_EIO, "%s: '%.80s' cannot be read: %s", lines->option, lines->name, strerror(errno));
}

dpn_status lines_open(struct lines *out, const char *option, const char *name, dpn_error *why) {
    struct lines made = {.option = option, .name = name, .file = fopen(name, "r")};
    if (!made.file) return refuse_reading(&made, why);
    *out = made;
    return DPN_OK;
}

void lines_close(struct lines *lines) {
    fclose(lines->file);
    free(lines->text);
}

dpn_status lines_next(struct lines *lines, char **line, dpn_error *why) {
    static const char blanks[] = " \t\r\n\v\f";
    for (;;) {
        errno = 0;
        ssize_t length = getline(&lines->text, &lines->room, lines->file);
        if (length < 0) {
            *line = NULL;
            return feof(lines->file) ? DPN_OK : refuse_reading(lines, why);
        }
        lines->number++;
        if (strlen(lines->text) != (size_t)length)
            return refuse(why, DPN_EPARSE, "%s: '%.80s' is not a text file", lines->option, lines->name);
        lines->text[strcspn(lines->text, "#")] = '\0';
        char *start = lines->text + strspn(lines->text, blanks);
        size_t end = strlen(start);
        while (end > 0 && strchr(blanks, start[end - 1])) end--;
        start[end] = '\0';
        if (end > 0) {
            *line = start;
            return DPN_OK;
        }
    }
}

dpn_status lines_refuse(const struct lines *lines, const dpn_error *reason, dpn_error *why) {
    return refuse(why, reason->status, "%s: '%.60s' line %zu: %.140s", lines->option, lines->name, lines->number,
                  reason->sentence);
}
