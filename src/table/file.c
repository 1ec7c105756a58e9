/* Files, and why the kernel refuses them: this file reads errno. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "table/file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_READ = 1 << 24 };

static const char *reason(int error) {
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return "there is no such file";
    case EACCES:
    case EPERM:
        return "permission is denied";
    case EISDIR:
        return "it is a directory";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    case EIO:
        return "the device reports an error";
    case EBADF:
        return "it is closed";
    default:
        return "the system refuses";
    }
}

/* What is behind the descriptor, and where it stands. */
static dpn_status look(dpn_file *file, const char *path, dpn_error *why) {
    struct stat stat;
    if (fstat(file->descriptor, &stat) != 0)
        return dpn_fail(why, DPN_EIO, "'%.100s' cannot be read: %s", path, reason(errno));
    if (S_ISDIR(stat.st_mode)) return dpn_fail(why, DPN_EIO, "'%.100s' cannot be read: it is a directory", path);
    off_t start = S_ISREG(stat.st_mode) ? lseek(file->descriptor, 0, SEEK_CUR) : -1;
    file->regular = start >= 0;
    file->start = start >= 0 ? (uint64_t)start : 0;
    file->size = file->regular ? (uint64_t)stat.st_size : 0;
    return DPN_OK;
}

dpn_status dpn_file_open(dpn_file *out, const char *path, dpn_error *why) {
    dpn_file file = {.descriptor = -1};
    bool standard = strcmp(path, "-") == 0;
    do {
        file.descriptor =
            standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    } while (file.descriptor < 0 && errno == EINTR);
    const char *name = standard ? "standard input" : path;
    if (file.descriptor < 0 && errno == ENOENT && strstr(name, "://"))
        return dpn_fail(why, DPN_EIO,
                        "'%.100s' is no file: what is remote is added up by an engine, dpnoise sql has the query",
                        name);
    if (file.descriptor < 0) return dpn_fail(why, DPN_EIO, "'%.100s' cannot be opened: %s", name, reason(errno));
    dpn_status status = look(&file, name, why);
    if (status) {
        dpn_file_close(&file);
        return status;
    }
    *out = file;
    return DPN_OK;
}

dpn_status dpn_file_again(dpn_file *out, const dpn_file *file, dpn_error *why) {
    dpn_file again = *file;
    again.descriptor = fcntl(file->descriptor, F_DUPFD_CLOEXEC, 3);
    if (again.descriptor < 0) return dpn_fail(why, DPN_EIO, "the table cannot be opened again: %s", reason(errno));
    *out = again;
    return DPN_OK;
}

void dpn_file_close(dpn_file *file) {
    if (file->descriptor >= 0) close(file->descriptor);
    file->descriptor = -1;
}

dpn_status dpn_file_read(size_t *got, const dpn_file *file, char *out, size_t count, uint64_t offset, dpn_error *why) {
    size_t have = 0;
    while (have < count) {
        size_t more = count - have < LARGEST_READ ? count - have : LARGEST_READ;
        ssize_t read_now = file->regular ? pread(file->descriptor, out + have, more, (off_t)(offset + have))
                                         : read(file->descriptor, out + have, more);
        if (read_now < 0 && errno == EINTR) continue;
        if (read_now < 0) return dpn_fail(why, DPN_EIO, "the table cannot be read: %s", reason(errno));
        if (read_now == 0) break;
        have += (size_t)read_now;
    }
    *got = have;
    return DPN_OK;
}
