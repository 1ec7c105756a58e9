/* A file that appears complete or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "kit/draft.h"

#include "kit/fail.h"
#include "kit/guard.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static dpn_status refuse_writing(const struct draft *draft, dpn_error *why) {
    return refuse(why, DPN_EIO, "%s: '%.80s' cannot be written: %s", draft->option, draft->name, strerror(errno));
}

dpn_status draft_begin(struct draft *out, const char *option, const char *name, dpn_error *why) {
    dpn_status refused = guard_written(option, name, why);
    if (refused) return refused;
    /* In the directory of the destination, so that the rename stays within one file system. */
    static const char pattern[] = ".dpnoise-XXXXXX";
    const char *slash = strrchr(name, '/');
    size_t directory = slash ? (size_t)(slash - name) + 1 : 0;
    struct draft made = {option, name, malloc(directory + sizeof pattern), -1, false};
    if (!made.temporary) return refuse(why, DPN_ENOMEM, "out of memory");
    memcpy(made.temporary, name, directory);
    memcpy(made.temporary + directory, pattern, sizeof pattern);
    made.descriptor = mkstemp(made.temporary);
    if (made.descriptor < 0) {
        dpn_status status = refuse_writing(&made, why);
        free(made.temporary);
        return status;
    }
    *out = made;
    return DPN_OK;
}

dpn_status draft_write(struct draft *draft, const void *bytes, size_t length, dpn_error *why) {
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = write(draft->descriptor, at, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            dpn_status status = refuse_writing(draft, why);
            draft_drop(draft);
            return status;
        }
        at += written;
        length -= (size_t)written;
    }
    return DPN_OK;
}

dpn_status draft_publish(struct draft *draft, dpn_error *why) {
    /* What stands there now may be another file than when it began: a ledger that was made meanwhile. */
    dpn_status refused = guard_written(draft->option, draft->name, why);
    if (refused) {
        draft_drop(draft);
        return refused;
    }
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(draft->descriptor, draft->secret ? 0600 : 0666 & ~mask) == 0 && fsync(draft->descriptor) == 0 &&
        rename(draft->temporary, draft->name) == 0) {
        close(draft->descriptor);
        free(draft->temporary);
        return DPN_OK;
    }
    dpn_status status = refuse_writing(draft, why);
    draft_drop(draft);
    return status;
}

dpn_status draft_print(struct draft *draft, void (*print)(FILE *out, const void *what), const void *what,
                       dpn_error *why) {
    int copy = dup(draft->descriptor);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out) print(out, what);
    bool failed = !out || ferror(out) != 0;
    if (out && fclose(out) != 0) failed = true;
    if (!out && copy >= 0) close(copy);
    if (!failed) return draft_publish(draft, why);
    draft_drop(draft);
    return refuse(why, DPN_EIO, "%s: '%.80s' cannot be written", draft->option, draft->name);
}

void draft_drop(struct draft *draft) {
    close(draft->descriptor);
    unlink(draft->temporary);
    free(draft->temporary);
}
