/* The curator's log. */
#define _POSIX_C_SOURCE 200809L
#include "input/log.h"

#include "kit/fail.h"
#include "kit/plain.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

dpn_status log_open(int *out, const char *path, dpn_error *why) {
    struct stat found;
    *out = -1;
    if (!path) return DPN_OK;
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0600);
    bool usable = log >= 0 && fstat(log, &found) == 0 && S_ISREG(found.st_mode);
    if (usable && (found.st_mode & 0077) != 0) usable = fchmod(log, 0600) == 0;
    if (!usable && log >= 0) close(log);
    if (!usable) return refuse(why, DPN_EIO, "the curator's log '%.80s' cannot be written", path);
    *out = log;
    return DPN_OK;
}

void log_write(int log, uint64_t entry, const char *analyst, const char *reason) {
    char when[32] = "", *line = NULL;
    size_t length = 0;
    struct tm utc;
    time_t now = time(NULL);
    if (log < 0) return;
    if (gmtime_r(&now, &utc)) strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    FILE *out = open_memstream(&line, &length);
    if (!out) return;
    fprintf(out, "%s entry %" PRIu64 " ", when, entry);
    print_plain(out, analyst);
    fputs(": ", out);
    print_plain(out, reason);
    putc('\n', out);
    if (fclose(out) == 0) {
        ssize_t written = write(log, line, length); /* one call: lines of several processes do not mix */
        (void)written;                              /* whoever asks hears nothing of it */
    }
    free(line);
}
