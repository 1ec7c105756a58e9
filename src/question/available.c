/* The machine's memory, and what limits leave of it. */
#define _POSIX_C_SOURCE 200809L
#include "question/available.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH = 4096 };

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t room(uint64_t limit, uint64_t used) {
    return limit > used ? limit - used : 0;
}

/* The number after a word at the start of a line, or the first number of the file if there is no word. "max" is no number. */
static bool read_number(uint64_t *out, const char *path, const char *word) {
    FILE *file = fopen(path, "r");
    char line[256];
    unsigned long long number;
    size_t length = strlen(word);
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, word, length) == 0 && (!length || line[length] == ' ') &&
                sscanf(line + length, "%llu", &number) == 1;
    if (file) fclose(file);
    if (found) *out = number;
    return found;
}

static uint64_t of_machine(const char *root) {
    char path[PATH];
    uint64_t kilobytes;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    return read_number(&kilobytes, path, "MemAvailable:") ? 1024 * kilobytes : UINT64_MAX;
}

/* ---- Limits of the process ---- */

static uint64_t below_limit(int resource, uint64_t pages) {
    struct rlimit limit;
    long page = sysconf(_SC_PAGESIZE);
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    return room((uint64_t)limit.rlim_cur, pages * (page > 0 ? (uint64_t)page : 4096));
}

static uint64_t of_process(const char *root) {
    char path[PATH];
    unsigned long long all = 0, data = 0;
    snprintf(path, sizeof path, "%s/proc/self/statm", root);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%llu %*u %*u %*u %*u %llu", &all, &data) != 2) all = data = 0;
    if (file) fclose(file);
    return least(below_limit(RLIMIT_AS, all), below_limit(RLIMIT_DATA, data));
}

/* ---- Control groups ---- */

/* A version of them: the directory, and what its files are called. */
static const struct version {
    const char *directory, *limit, *used, *dropped;
} versions[] = {{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
                {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}};

static bool read_of_group(uint64_t *out, const char *group, const char *name, const char *word) {
    char path[PATH + 64];
    int length = snprintf(path, sizeof path, "%s/%s", group, name);
    return length > 0 && (size_t)length < sizeof path && read_number(out, path, word);
}

static uint64_t of_group(const char *group, const struct version *version) {
    uint64_t limit, used = 0, dropped = 0;
    if (!read_of_group(&limit, group, version->limit, "")) return UINT64_MAX;
    if (!read_of_group(&used, group, version->used, "")) return limit;
    if (!read_of_group(&dropped, group, "memory.stat", version->dropped)) dropped = 0;
    return room(limit, room(used, dropped));
}

/* The group and all above it. In a container the path may be that of the machine, of which there is nothing: then the top is left. */
static uint64_t of_groups(const char *root, const char *name, const struct version *version) {
    char group[PATH];
    uint64_t found = UINT64_MAX;
    int top = snprintf(group, sizeof group, "%s%s", root, version->directory);
    int length = snprintf(group, sizeof group, "%s%s%s", root, version->directory, name);
    if (length < top || (size_t)length >= sizeof group) return found;
    for (char *end = group + length; end; end = strrchr(group + top, '/')) {
        *end = '\0';
        found = least(found, of_group(group, version));
    }
    return found;
}

/* A line of /proc/self/cgroup is N:CONTROLLERS:PATH, of version 2 0::PATH. */
static uint64_t of_all_groups(const char *root) {
    char path[PATH], line[PATH], controllers[256];
    uint64_t found = UINT64_MAX;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        char *first = strchr(line, ':'), *second = first ? strchr(first + 1, ':') : NULL;
        if (!second) continue;
        second[1 + strcspn(second + 1, "\n")] = '\0';
        snprintf(controllers, sizeof controllers, ",%.*s,", (int)(second - first - 1), first + 1);
        bool old = strstr(controllers, ",memory,");
        if (old || second == first + 1) found = least(found, of_groups(root, second + 1, &versions[old]));
    }
    if (file) fclose(file);
    return found;
}

uint64_t dpn_memory_available(const char *root) {
    return least(of_machine(root), least(of_process(root), of_all_groups(root)));
}
