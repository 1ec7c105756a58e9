/* The system calls of this process, in our hands. */
#define _GNU_SOURCE
#pragma GCC visibility push(default) /* the libraries must see what is defined here */
#include "shim.h"

#if SHIM_WORKS
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 256, PATH = 240 };

static struct {
    bool armed, forever;
    enum shim_act act;
    long calls, at;
    int interruptions;
    shim_listener *listener;
    char path[FILES][PATH];
} shim;

/* What a call does, which decides what can befall it. */
enum { READS = 1, WRITES = 2, SYNCS = 4, OTHER = 8 };

static bool befalls(enum shim_act act, int what) {
    switch (act) {
    case SHIM_FULL:
        return what & WRITES;
    case SHIM_SHORT:
        return what & (READS | WRITES);
    case SHIM_SYNC:
        return what & SYNCS;
    case SHIM_EINTR:
        return !(what & SYNCS);
    default:
        return true;
    }
}

/* Count a call; true if it must fail, with errno set, or be cut short. */
static bool strike(int what) {
    if (!shim.armed || !befalls(shim.act, what)) return false;
    shim.calls++;
    bool now = shim.calls == shim.at || (shim.forever && shim.calls > shim.at);
    if (!now) {
        shim.interruptions = 0;
        return false;
    }
    switch (shim.act) {
    case SHIM_KILL_BEFORE:
        syscall(SYS_kill, getpid(), SIGKILL);
        return false;
    case SHIM_EIO:
    case SHIM_SYNC:
        errno = EIO;
        return true;
    case SHIM_FULL:
        errno = ENOSPC;
        return true;
    case SHIM_EINTR:
        errno = EINTR;
        return ++shim.interruptions % 4 != 0;
    case SHIM_SHORT:
        return true;
    default:
        return false;
    }
}

/* After a call; keeps errno and the result. */
static long done(long result) {
    if (shim.armed && shim.act == SHIM_KILL_AFTER && shim.calls == shim.at) syscall(SYS_kill, getpid(), SIGKILL);
    return result;
}

static bool cut(void) {
    return shim.armed && shim.act == SHIM_SHORT;
}

void shim_arm(enum shim_act act, long at, bool forever) {
    shim.act = act;
    shim.at = at;
    shim.forever = forever;
    shim.calls = 0;
    shim.interruptions = 0;
    shim.armed = true;
}

long shim_disarm(void) {
    shim.armed = false;
    return shim.calls;
}

void shim_listen(shim_listener *listener) {
    shim.listener = listener;
}

static const char *name_of(int file) {
    return file >= 0 && file < FILES && shim.path[file][0] ? shim.path[file] : NULL;
}

static void note(enum shim_event event, int file, long offset, const void *bytes, size_t count) {
    if (shim.listener && name_of(file)) shim.listener(event, name_of(file), offset, bytes, count);
}

/* ---- The calls ---- */

static int open_it(const char *path, int flags, mode_t mode) {
    if (strike(flags & O_CREAT ? WRITES : OTHER) && !cut()) return -1;
    int file = (int)done(syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode));
    if (file >= 0 && file < FILES) {
        snprintf(shim.path[file], PATH, "%s", path);
        if (flags & O_CREAT) note(SHIM_OPENED, file, 0, NULL, 0);
    }
    return file;
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_it(path, flags, mode);
}

int close(int file) {
    if (strike(OTHER) && !cut()) return syscall(SYS_close, file), -1; /* Linux closes it even so */
    if (file >= 0 && file < FILES) shim.path[file][0] = '\0';
    return (int)done(syscall(SYS_close, file));
}

ssize_t read(int file, void *bytes, size_t count) {
    if (strike(READS)) {
        if (!cut()) return -1;
        count = (count + 1) / 2;
    }
    return done(syscall(SYS_read, file, bytes, count));
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
    if (strike(READS)) {
        if (!cut()) return -1;
        count = (count + 1) / 2;
    }
    return done(syscall(SYS_pread64, file, bytes, count, offset));
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (file > 2 && strike(WRITES)) {
        if (!cut()) return -1;
        count = (count + 1) / 2;
    }
    return done(syscall(SYS_write, file, bytes, count));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    if (strike(WRITES)) {
        if (!cut()) return -1;
        count = (count + 1) / 2;
    }
    ssize_t written = done(syscall(SYS_pwrite64, file, bytes, count, offset));
    if (written > 0) note(SHIM_WRITTEN, file, offset, bytes, (size_t)written);
    return written;
}

int ftruncate64(int file, off64_t size) {
    if (strike(WRITES) && !cut()) return -1;
    int result = (int)done(syscall(SYS_ftruncate, file, size));
    if (result == 0) note(SHIM_TRUNCATED, file, size, NULL, 0);
    return result;
}

static int synchronise(int file, long number) {
    if (strike(SYNCS)) return -1;
    /* A process that dies does not lose what it wrote: no test needs the disk to turn. */
    (void)number;
    note(SHIM_SYNCED, file, 0, NULL, 0);
    return (int)done(0);
}

int fsync(int file) {
    return synchronise(file, SYS_fsync);
}

int fdatasync(int file) {
    return synchronise(file, SYS_fdatasync);
}

int unlink(const char *path) {
    if (strike(OTHER) && !cut()) return -1;
    int result = (int)done(syscall(SYS_unlink, path));
    if (result == 0 && shim.listener) shim.listener(SHIM_UNLINKED, path, 0, NULL, 0);
    return result;
}

int fcntl64(int file, int command, ...) {
    va_list more;
    va_start(more, command);
    void *argument = va_arg(more, void *);
    va_end(more);
    bool locks = command == F_SETLK || command == F_SETLKW || command == F_GETLK;
    if (locks && strike(OTHER) && !cut()) return -1;
    int result = (int)syscall(SYS_fcntl, file, command, argument);
    return locks ? (int)done(result) : result;
}

/* SQLite sleeps for seconds in all, in the hope that a lock that fails comes free. */
int usleep(useconds_t time) {
    struct timespec pause = {0, 1000L * (long)time};
    return shim.armed ? 0 : (int)syscall(SYS_nanosleep, &pause, NULL);
}

#else /* nothing is in our hands */

void shim_arm(enum shim_act act, long at, bool forever) {
    (void)act, (void)at, (void)forever;
}

long shim_disarm(void) {
    return 0;
}

void shim_listen(shim_listener *listener) {
    (void)listener;
}
#endif
