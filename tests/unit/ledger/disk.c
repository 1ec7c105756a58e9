/* A disk that loses power. */
#define _POSIX_C_SOURCE 200809L
#include "disk.h"

#include "place.h"
#include "shim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FILES = 8, EVENTS = 200000, SECTOR = 512, LARGEST = 1 << 19 };

struct event {
    enum shim_event kind;
    int file; /* its index, -1: the directory */
    long offset;
    size_t count;
    char *bytes;
    uint64_t begun, acknowledged; /* before it */
};

/* Files by their names. */
static struct {
    char directory[200];
    char name[FILES][40];
    char *start[FILES]; /* what was there in the beginning; NULL: no file */
    size_t start_length[FILES];
    int files;
    struct event *event;
    size_t events;
    uint64_t begun, acknowledged;
} disk;

static int file_of(const char *path) {
    size_t length = strlen(disk.directory);
    if (strncmp(path, disk.directory, length) != 0) return -2;
    if (path[length] == '\0' || strcmp(path + length, "/") == 0) return -1;
    const char *name = path + length + 1;
    size_t tail = strlen(name);
    if (tail > 4 && strcmp(name + tail - 4, "-shm") == 0) return -2; /* is made anew after a crash */
    for (int i = 0; i < disk.files; i++)
        if (strcmp(disk.name[i], name) == 0) return i;
    if (disk.files == FILES) fail_msg("too many files");
    snprintf(disk.name[disk.files], sizeof disk.name[0], "%s", name);
    return disk.files++;
}

static void listen(enum shim_event kind, const char *path, long offset, const char *bytes, size_t count) {
    int file = file_of(path);
    if (file < -1) return;
    if (disk.events == EVENTS) fail_msg("too many events");
    struct event *event = &disk.event[disk.events++];
    *event = (struct event){kind, file, offset, count, NULL, disk.begun, disk.acknowledged};
    if (count) {
        event->bytes = malloc(count);
        if (!event->bytes) fail_msg("no memory");
        memcpy(event->bytes, bytes, count);
    }
}

void disk_begin(const char *directory) {
    static const char *const names[] = {"l.db", "l.db-journal", "l.db-wal"};
    memset(&disk, 0, sizeof disk);
    snprintf(disk.directory, sizeof disk.directory, "%s", directory);
    disk.event = calloc(EVENTS, sizeof *disk.event);
    if (!disk.event) fail_msg("no memory");
    for (size_t i = 0; i < 3; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        int file = file_of(path);
        disk.start[file] = read_whole(path, &disk.start_length[file]);
    }
    shim_listen(listen);
}

void disk_mark(uint64_t begun, uint64_t acknowledged) {
    disk.begun = begun;
    disk.acknowledged = acknowledged;
}

size_t disk_end(void) {
    shim_listen(NULL);
    listen(SHIM_OPENED, disk.directory, 0, NULL, 0); /* the end is a moment too; nothing happens */
    return disk.events;
}

void disk_free(void) {
    for (size_t i = 0; i < disk.events; i++) free(disk.event[i].bytes);
    for (int i = 0; i < disk.files; i++) free(disk.start[i]);
    free(disk.event);
    memset(&disk, 0, sizeof disk);
}

/* ---- A state ---- */

struct image {
    char *bytes;
    size_t length;
    bool exists;
};

static uint64_t draw(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void put(struct image *image, size_t offset, const char *bytes, size_t count) {
    if (offset + count > LARGEST) fail_msg("a file grew too large");
    memcpy(image->bytes + offset, bytes, count);
    if (offset + count > image->length) image->length = offset + count;
}

static void cut_to(struct image *image, size_t length) {
    if (length < image->length) memset(image->bytes + length, 0, image->length - length);
    image->length = length;
}

/* A write that was not synchronised: each sector arrives whole, in part, or not. */
static void put_some(struct image *image, const struct event *event, unsigned percent, uint64_t *chance) {
    size_t at = 0;
    while (at < event->count) {
        size_t offset = (size_t)event->offset + at, part = SECTOR - offset % SECTOR;
        if (part > event->count - at) part = event->count - at;
        uint64_t drawn = draw(chance);
        if (drawn % 100 < percent) {
            size_t arrives = drawn >> 32 & 7 ? part : (size_t)(drawn >> 40) % part; /* one in eight is torn */
            if (arrives) put(image, offset, event->bytes + at, arrives);
        }
        at += part;
    }
}

/* Whether an event was made durable before the moment, by a synchronisation of its file or directory. */
static bool is_durable(size_t e, size_t moment) {
    const struct event *event = &disk.event[e];
    bool of_directory = event->kind == SHIM_OPENED || event->kind == SHIM_UNLINKED;
    for (size_t later = e + 1; later < moment; later++)
        if (disk.event[later].kind == SHIM_SYNCED && disk.event[later].file == (of_directory ? -1 : event->file))
            return true;
    return false;
}

static void apply(struct image *image, size_t e, size_t moment, unsigned percent, uint64_t *chance) {
    const struct event *event = &disk.event[e];
    bool durable = is_durable(e, moment);
    bool arrives = durable || draw(chance) % 100 < percent;
    switch (event->kind) {
    case SHIM_OPENED:
        if (arrives) image->exists = true;
        break;
    case SHIM_UNLINKED: /* a file that comes back has its old contents */
        if (!arrives) break;
        image->exists = false;
        cut_to(image, 0);
        break;
    case SHIM_WRITTEN:
        if (durable)
            put(image, (size_t)event->offset, event->bytes, event->count);
        else
            put_some(image, event, percent, chance);
        break;
    case SHIM_TRUNCATED:
        if (arrives) cut_to(image, (size_t)event->offset);
        break;
    case SHIM_SYNCED:
        break;
    }
}

void disk_state(const char *directory, size_t moment, uint64_t chance, uint64_t *begun, uint64_t *acknowledged) {
    static const unsigned percents[] = {0, 10, 50, 90, 100};
    unsigned percent = percents[draw(&chance) % 5];
    struct image image[FILES] = {{0}};
    for (int f = 0; f < disk.files; f++) {
        image[f].bytes = calloc(1, LARGEST);
        if (!image[f].bytes) fail_msg("no memory");
        image[f].exists = disk.start[f] != NULL;
        if (disk.start[f]) put(&image[f], 0, disk.start[f], disk.start_length[f]);
    }
    for (size_t e = 0; e < moment; e++)
        if (disk.event[e].file >= 0) apply(&image[disk.event[e].file], e, moment, percent, &chance);
    for (int f = 0; f < disk.files; f++) {
        char path[300];
        snprintf(path, sizeof path, "%s/%s", directory, disk.name[f]);
        unlink(path);
        if (image[f].exists) write_whole(path, image[f].bytes, image[f].length);
        free(image[f].bytes);
    }
    *begun = disk.event[moment].begun;
    *acknowledged = disk.event[moment].acknowledged;
}
