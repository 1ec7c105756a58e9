/* A descriptor that can be read from. */
#ifndef DPN_TABLE_FILE_H
#define DPN_TABLE_FILE_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dpn_file {
    int descriptor;       /* -1: none */
    bool regular;         /* can be read anywhere, and has a size */
    uint64_t start, size; /* of a regular file: where reading begins, and where the file ends */
} dpn_file;

/* Open a path, or standard input for "-". */
dpn_status dpn_file_open(dpn_file *out, const char *path, dpn_error *why);

/* A second descriptor for the same file. */
dpn_status dpn_file_again(dpn_file *out, const dpn_file *file, dpn_error *why);

void dpn_file_close(dpn_file *file);

/* Read `count` bytes, fewer only at the end. A regular file is read at the offset, another one where it is. */
dpn_status dpn_file_read(size_t *got, const dpn_file *file, char *out, size_t count, uint64_t offset, dpn_error *why);

#endif
