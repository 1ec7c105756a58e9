/* A whole file. */
#include "kit/file.h"

#include "kit/fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* False without memory. */
static bool read_on(char **text, size_t *length, size_t most, FILE *file) {
    size_t room = 0, got = 1;
    while (got > 0 && *length <= most) {
        if (*length == room) {
            room = 2 * room + 4096;
            char *larger = realloc(*text, room);
            if (!larger) return false;
            *text = larger;
        }
        got = fread(*text + *length, 1, room - *length, file);
        *length += got;
    }
    return true;
}

dpn_status file_read(char **text, size_t *length, const char *name, size_t most, const char *what, dpn_error *why) {
    errno = 0;
    FILE *file = fopen(name, "rb");
    char *all = NULL;
    size_t used = 0;
    bool enough = !file || read_on(&all, &used, most, file);
    dpn_status status = DPN_OK;
    if (!file || ferror(file))
        status = refuse(why, DPN_EIO, "%s'%.80s' cannot be read: %s", what, name, strerror(errno));
    if (!enough) status = refuse(why, DPN_ENOMEM, "out of memory");
    if (file) fclose(file);
    if (status) {
        free(all);
        return status;
    }
    *text = all;
    *length = used;
    return DPN_OK;
}
