/* Levels as they are typed. */
#define _POSIX_C_SOURCE 200809L
#include "input/levels.h"

#include "kit/fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *levels_column(char *out, size_t size, const char *text) {
    size_t used = 0;
    bool quoted = *text == '"';
    for (text += quoted; *text && used + 1 < size; text++) {
        if (quoted ? *text == '"' && text[1] != '"' : *text == '=') break;
        if (quoted && *text == '"') text++;
        out[used++] = *text;
    }
    out[used] = '\0';
    if (quoted && *text == '"') text++;
    return *text == '=' && used > 0 ? text + 1 : NULL;
}

static dpn_status add_level(dpn_grouping *grouping, const char *text, dpn_error *why) {
    char **more = realloc(grouping->level, (grouping->levels + 1) * sizeof *more);
    if (more) grouping->level = more;
    char *copy = more ? strdup(text) : NULL;
    if (!copy) return refuse(why, DPN_ENOMEM, "out of memory");
    grouping->level[grouping->levels++] = copy;
    return DPN_OK;
}

dpn_status levels_read_file(dpn_grouping *grouping, const char *option, const char *name, dpn_error *why) {
    dpn_status status = DPN_OK;
    FILE *file = fopen(name, "rb");
    if (!file) return refuse(why, DPN_EIO, "%s: '%.80s' cannot be read: %s", option, name, strerror(errno));
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; !status && (length = getline(&line, &room, file)) >= 0;) {
        if (strlen(line) != (size_t)length) status = refuse(why, DPN_EPARSE, "%s: '%.80s' is not text", option, name);
        line[strcspn(line, "\r\n")] = '\0';
        if (!status && line[0]) status = add_level(grouping, line, why);
    }
    if (!status && ferror(file)) status = refuse(why, DPN_EIO, "%s: '%.80s' cannot be read", option, name);
    if (!status && !grouping->levels)
        status = refuse(why, DPN_EPARSE, "%s: there is no level in '%.80s'", option, name);
    free(line);
    fclose(file);
    return status;
}
