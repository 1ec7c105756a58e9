/* Which data a table shows, however its source was spelled. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "table/table.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *dpn_table_origin_name(dpn_table_origin origin) {
    static const char *const names[] = {"stream", "file", "sqlite", "postgresql", "duckdb"};
    return (size_t)origin < sizeof names / sizeof *names ? names[origin] : NULL;
}

void dpn_table_identity_free(dpn_table_identity *identity) {
    if (!identity) return;
    free(identity->path);
    free(identity->system);
    free(identity->database);
    free(identity->schema);
    free(identity->table);
    *identity = (dpn_table_identity){.origin = DPN_TABLE_STREAM};
}

/* ---- Paths ---- */

/* The real path of the directory with the last part as it is: for a file that is gone. */
static char *path_of_absent(const char *path) {
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    size_t length = slash ? (size_t)(slash - path) + (slash == path) : 1;
    char *directory = malloc(length + 1);
    if (!directory) return NULL;
    memcpy(directory, slash ? path : ".", length);
    directory[length] = '\0';
    char *real = realpath(directory, NULL), *out = real ? malloc(strlen(real) + strlen(last) + 2) : NULL;
    if (out) {
        size_t used = strlen(real);
        memcpy(out, real, used);
        if (used > 1) out[used++] = '/'; /* but for the root */
        memcpy(out + used, last, strlen(last) + 1);
    }
    free(real);
    free(directory);
    return out;
}

static void note_file(dpn_table_identity *identity, const struct stat *file) {
    identity->here = true;
    identity->device = (uint64_t)file->st_dev;
    identity->inode = (uint64_t)file->st_ino;
}

/* The path of the file that standard input is, or NULL. Not every root has each of these names. */
static char *path_of_input(const struct stat *input) {
    static const char *const names[] = {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct stat found;
        char *real = realpath(names[i], NULL);
        if (real && stat(real, &found) == 0 && found.st_dev == input->st_dev && found.st_ino == input->st_ino)
            return real;
        free(real);
    }
    return NULL;
}

/* Standard input may be a file that was opened for us: its name is found by the system, and checked to be that of the same
 * file. A name that was removed, or a system that does not tell, leaves a stream of which the file is known. */
static dpn_status identify_input(dpn_table_identity *out, dpn_error *why) {
    struct stat input;
    off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    *out = (dpn_table_identity){.origin = DPN_TABLE_STREAM};
    if (fstat(STDIN_FILENO, &input) != 0 || !S_ISREG(input.st_mode)) return DPN_OK;
    char *real = path_of_input(&input);
    if (!real) {
        note_file(out, &input);
        return DPN_OK;
    }
    dpn_status status = dpn_table_identify_path(out, real, why);
    free(real);
    if (!status && at > 0) out->from = (uint64_t)at;
    return status;
}

dpn_status dpn_table_identify_path(dpn_table_identity *out, const char *path, dpn_error *why) {
    struct stat found;
    if (!out || !path || !path[0]) return dpn_fail(why, DPN_EIO, "a file without a name has no place");
    if (strcmp(path, "-") == 0) return identify_input(out, why);
    bool here = stat(path, &found) == 0;
    char *real = here ? realpath(path, NULL) : path_of_absent(path);
    if (!real) return dpn_fail(why, DPN_EIO, "'%.100s' has no real path: is its directory there", path);
    *out = (dpn_table_identity){
        .origin = DPN_TABLE_FILE, .path = real, .linked = here && S_ISREG(found.st_mode) && found.st_nlink > 1};
    if (here) note_file(out, &found);
    return DPN_OK;
}

dpn_status dpn_table_identify_opened(dpn_table_identity *out, const char *path, uint64_t device, uint64_t inode,
                                     dpn_error *why) {
    struct stat found;
    dpn_status status = dpn_table_identify_path(out, path, why);
    if (status || out->origin == DPN_TABLE_STREAM) return status;
    out->here = true;
    out->device = device;
    out->inode = inode;
    if (stat(out->path, &found) == 0 && (uint64_t)found.st_dev == device && (uint64_t)found.st_ino == inode)
        return DPN_OK;
    return dpn_fail(why, DPN_EIO, "'%.100s' was replaced while it was opened; try again", path);
}

dpn_status dpn_table_identify(dpn_table_identity *out, const dpn_table *table, dpn_error *why) {
    dpn_table_identity identity = {.origin = DPN_TABLE_STREAM};
    if (!table->source) return dpn_fail(why, DPN_EDOMAIN, "a part has no identity, ask the whole table");
    dpn_status status = table->kind->identify(&identity, table, why);
    if (status)
        dpn_table_identity_free(&identity);
    else
        *out = identity;
    return status;
}

/* ---- Comparing ---- */

static bool equal(const char *one, const char *other) {
    return one && other && strcmp(one, other) == 0;
}

/* Which file an identity means now. What is known stays: the name of an open file may be gone, or lead to another one. */
static dpn_table_identity locate(const dpn_table_identity *identity) {
    dpn_table_identity file = *identity;
    struct stat found;
    if (!file.here && file.path && stat(file.path, &found) == 0) note_file(&file, &found);
    return file;
}

static bool same_file(const dpn_table_identity *one, const dpn_table_identity *other) {
    if (one->path && other->path && strcmp(one->path, other->path) == 0) return true;
    dpn_table_identity a = locate(one), b = locate(other);
    return a.here && b.here && a.device == b.device && a.inode == b.inode;
}

/* As SQLite compares names: ASCII letters without their case. */
static bool same_name(const char *one, const char *other) {
    if (!one || !other) return false;
    for (;; one++, other++) {
        char a = *one >= 'A' && *one <= 'Z' ? (char)(*one - 'A' + 'a') : *one;
        char b = *other >= 'A' && *other <= 'Z' ? (char)(*other - 'A' + 'a') : *other;
        if (a != b) return false;
        if (!a) return true;
    }
}

bool dpn_table_identity_same(const dpn_table_identity *one, const dpn_table_identity *other) {
    /* Standard input whose name is gone may have another. */
    if (one->origin == DPN_TABLE_STREAM && other->origin == DPN_TABLE_FILE) return same_file(one, other);
    if (one->origin == DPN_TABLE_FILE && other->origin == DPN_TABLE_STREAM) return same_file(one, other);
    if (one->origin != other->origin) return false;
    switch (one->origin) {
    case DPN_TABLE_FILE:
        return same_file(one, other);
    case DPN_TABLE_SQLITE:
    case DPN_TABLE_DUCKDB:
        return same_file(one, other) && same_name(one->table, other->table);
    case DPN_TABLE_POSTGRESQL:
        return equal(one->system, other->system) && equal(one->database, other->database) &&
               equal(one->schema, other->schema) && equal(one->table, other->table);
    default:
        return false;
    }
}
