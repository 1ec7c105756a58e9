/* Files for one test. */
#define _POSIX_C_SOURCE 200809L
#include "place.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct place place_make(void) {
    struct place place = {.directory = "/tmp/dpnoise-table-XXXXXX"};
    if (!mkdtemp(place.directory)) fail_msg("no directory in /tmp");
    return place;
}

void place_remove(const struct place *place) {
    DIR *directory = opendir(place->directory);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", place->directory, entry->d_name);
        unlink(path);
    }
    if (directory) closedir(directory);
    rmdir(place->directory);
}

void place_write(struct place *place, const char *name, const void *bytes, size_t count) {
    snprintf(place->file, sizeof place->file, "%.60s/%.16s", place->directory, name);
    FILE *file = fopen(place->file, "wb");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        fail_msg("%s is not written", place->file);
}

void place_text(struct place *place, const char *text) {
    place_write(place, "table.csv", text, strlen(text));
}

struct text {
    char *bytes;
    size_t length, room;
};

static void put(struct text *text, const char *bytes, size_t count) {
    if (text->length + count + 1 > text->room) {
        text->room = 2 * (text->length + count + 1);
        text->bytes = realloc(text->bytes, text->room);
    }
    if (count) memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    text->bytes[text->length] = '\0';
}

static void put_row(struct text *text, const dpn_field *field, size_t wants) {
    for (size_t i = 0; i < wants; i++) {
        put(text, field[i].text ? field[i].text : "~", field[i].text ? field[i].length : 1);
        put(text, i + 1 < wants ? "|" : "", i + 1 < wants);
    }
    put(text, "\n", 1);
}

/* How many columns are wanted is not asked for: the tests that want some read for themselves. */
dpn_status read_all(char **out, dpn_table *table, dpn_error *why) {
    struct text text = {0};
    const dpn_field *field;
    size_t rows = 0;
    dpn_status status;
    put(&text, "", 0);
    do {
        status = dpn_table_next(&field, &rows, table, why);
        size_t columns = dpn_table_columns(table);
        for (size_t i = 0; !status && i < rows; i++) put_row(&text, field + i * columns, columns);
    } while (!status && rows > 0);
    *out = text.bytes;
    return status;
}

dpn_status read_source(char **out, const char *source, const dpn_table_options *options, dpn_error *why) {
    dpn_table *table;
    *out = NULL;
    dpn_status status = dpn_table_open(&table, source, options, why);
    if (status) return status;
    status = read_all(out, table, why);
    dpn_table_close(table);
    return status;
}

unsigned next_random(uint64_t *state, unsigned below) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 33) % below;
}
