/* Files that must not be written over. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "kit/guard.h"

#include "kit/fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const companions[] = {"-wal", "-shm", "-journal"};
enum { COMPANIONS = sizeof companions / sizeof *companions };

/* ---- One file, two names ---- */

static bool is_same(const char *one, const char *other) {
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static const char *last_part(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* The directory of a file, "." if none is named. False if it has no room. */
static bool directory_of(char out[4096], const char *file) {
    size_t length = (size_t)(last_part(file) - file);
    if (length >= 4096) return false;
    memcpy(out, length ? file : ".", length ? length : 1);
    out[length ? length : 1] = '\0';
    return true;
}

bool guard_same(const char *one, const char *other) {
    char a[4096], b[4096];
    if (strcmp(one, other) == 0 || is_same(one, other)) return true;
    return strcmp(last_part(one), last_part(other)) == 0 && directory_of(a, one) && directory_of(b, other) &&
           is_same(a, b);
}

static bool is_companion(const char *name, const char *database) {
    char beside[4200];
    for (size_t i = 0; i < COMPANIONS; i++) {
        int length = snprintf(beside, sizeof beside, "%s%s", database, companions[i]);
        if (length > 0 && (size_t)length < sizeof beside && guard_same(name, beside)) return true;
    }
    return false;
}

bool guard_same_database(const char *name, const char *database) {
    if (guard_same(name, database) || is_companion(name, database)) return true;
    char *real = realpath(database, NULL); /* SQLite puts its files beside the file that a link leads to */
    bool same = real && is_companion(name, real);
    free(real);
    return same;
}

/* ---- What a file holds ---- */

static bool ends_in(const char *name, const char *ending) {
    size_t length = strlen(name), end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

/* A database, its log or its journal, by their first bytes. */
static bool is_database(const char *start, size_t length) {
    static const char log[] = "\x37\x7f\x06", journal[] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    return (length >= 16 && memcmp(start, "SQLite format 3", 16) == 0) ||
           (length >= 4 && memcmp(start, log, 3) == 0 && (start[3] == '\x82' || start[3] == '\x83')) ||
           (length >= 8 && memcmp(start, journal, 8) == 0);
}

/* The key of a ledger is 64 hexadecimal digits and the end of the line. */
static bool is_key(const char *start, size_t length) {
    return length == 65 && strspn(start, "0123456789abcdef") == 64 && start[64] == '\n';
}

/* What the file is that must be kept, NULL if it may go. */
static const char *kept_as(const char *name) {
    char start[67] = "";
    for (size_t i = 0; i < COMPANIONS; i++)
        if (ends_in(name, companions[i])) return "a part of a database";
    FILE *file = fopen(name, "rb");
    if (!file) return NULL;
    size_t length = fread(start, 1, sizeof start - 1, file);
    fclose(file);
    return is_database(start, length) ? "a database" : is_key(start, length) ? "the key of a ledger" : NULL;
}

/* By its descriptor: there may be no /dev/stdin. */
static bool is_standard_input(const char *name) {
    struct stat a, b;
    return stat(name, &a) == 0 && fstat(STDIN_FILENO, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

dpn_status guard_read(const char *option, const char *name, const char *data, dpn_error *why) {
    struct stat there;
    if (data && (strcmp(data, "-") == 0 ? is_standard_input(name) : guard_same_database(name, data)))
        return refuse(why, DPN_EDOMAIN, "%s: '%.80s' is the data, which are private; name a file with what is public",
                      option, name);
    /* A look into a pipe would take from it. */
    const char *kept = stat(name, &there) == 0 && S_ISREG(there.st_mode) ? kept_as(name) : NULL;
    if (kept) return refuse(why, DPN_EDOMAIN, "%s: '%.80s' is %s; name a file with what is public", option, name, kept);
    return DPN_OK;
}

dpn_status guard_written(const char *option, const char *name, dpn_error *why) {
    struct stat there;
    /* A rename would put a file in the place of a device, /dev/stdout for one, or of a link. */
    if (lstat(name, &there) == 0 && !S_ISREG(there.st_mode))
        return refuse(why, DPN_EIO, "%s: '%.80s' cannot be written: %s", option, name,
                      S_ISDIR(there.st_mode) ? strerror(EISDIR) : "it is a device or a link");
    const char *kept = access(name, F_OK) == 0 && access(name, R_OK) != 0 ? "not to be read" : kept_as(name);
    if (kept)
        return refuse(why, DPN_EIO, "%s: '%.80s' is %s and is not written over; give another name", option, name, kept);
    return DPN_OK;
}

dpn_status guard_apart(const char *option, const char *name, const char *other, const char *other_name,
                       dpn_error *why) {
    if (!name || !other_name || !guard_same(name, other_name)) return DPN_OK;
    return refuse(why, DPN_EPARSE, "%s and %s would write one file, '%.80s': give each its own", option, other, name);
}
