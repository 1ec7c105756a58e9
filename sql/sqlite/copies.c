/* One process, one SQLite on a ledger. */
#define _GNU_SOURCE
#include <dirent.h>
#include <sqlite3.h> /* the library's own, not the host's */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const void *front_ledgers_sqlite(void);
bool front_is_open_elsewhere(const char *path, bool own_copy);

const void *front_ledgers_sqlite(void) {
    return (const void *)(size_t)sqlite3_libversion_number;
}

bool front_is_open_elsewhere(const char *path, bool own_copy) {
    struct stat ledger, open;
    if (stat(path, &ledger) != 0) return false; /* opening it says so */
    DIR *descriptors = opendir("/proc/self/fd");
    if (!descriptors) return own_copy;
    bool found = false;
    for (const struct dirent *entry; !found && (entry = readdir(descriptors));) {
        char name[300];
        snprintf(name, sizeof name, "/proc/self/fd/%s", entry->d_name);
        found = stat(name, &open) == 0 && open.st_dev == ledger.st_dev && open.st_ino == ledger.st_ino;
    }
    closedir(descriptors);
    return found;
}
