/* The vertices of a sensitivity set, from a file: one a line, its numbers separated by blanks or commas. */
#include "fail.h"
#include "lines.h"
#include "sensitivity.h"

#include <dpnoise/number.h>
#include <stdlib.h>
#include <string.h>

/* Numbers as they come. */
struct rows {
    double *at;
    size_t count, room;
};

static dpn_status add_number(struct rows *rows, const char *text, dpn_error *why) {
    if (rows->count == rows->room) {
        size_t room = 2 * rows->room + 64;
        double *larger = realloc(rows->at, room * sizeof *larger);
        if (!larger) return refuse(why, DPN_ENOMEM, "out of memory");
        rows->at = larger;
        rows->room = room;
    }
    dpn_status status = dpn_number_parse(&rows->at[rows->count], text, why);
    if (!status) rows->count++;
    return status;
}

/* A comma ends a number, and so do blanks: "1,2", "1, 2", "1 2". Two commas leave a number out. */
static dpn_status add_row(struct rows *rows, char *line, dpn_error *why) {
    static const char blanks[] = " \t\r\v\f";
    dpn_status status = DPN_OK;
    for (char *number = line; number && !status;) {
        char *end = number + strcspn(number, ", \t\r\v\f"), *next = end + strspn(end, blanks);
        bool more = *next != '\0';
        if (*next == ',') next += 1 + strspn(next + 1, blanks);
        *end = '\0';
        status = add_number(rows, number, why);
        number = more ? next : NULL;
    }
    return status;
}

static dpn_status read_rows(struct rows *rows, size_t *dimension, struct lines *lines, dpn_error *why) {
    *dimension = 0;
    for (;;) {
        char *line;
        dpn_status status = lines_next(lines, &line, why);
        if (status || !line) return status;
        dpn_error reason;
        size_t before = rows->count;
        status = add_row(rows, line, &reason);
        size_t width = rows->count - before;
        if (!status && *dimension == 0) *dimension = width;
        if (!status && width != *dimension)
            status = refuse(&reason, DPN_EPARSE, "%zu numbers, where the first vertex has %zu", width, *dimension);
        if (status) return lines_refuse(lines, &reason, why);
    }
}

dpn_status sensitivity_read_vertices(struct sensitivity *out, const char *file, dpn_error *why) {
    struct lines lines;
    dpn_status status = lines_open(&lines, "--vertices", file, why);
    if (status) return status;
    struct rows rows = {0};
    size_t dimension;
    status = read_rows(&rows, &dimension, &lines, why);
    lines_close(&lines);
    if (!status && rows.count == 0) status = refuse(why, DPN_EPARSE, "--vertices: '%.80s' holds no vertex", file);
    if (!status) status = sensitivity_set_dimension(out, "--vertices", dimension, why);
    if (status) {
        free(rows.at);
        return status;
    }
    out->vertex = rows.at;
    out->set.vertex = rows.at;
    out->set.vertices = rows.count / dimension;
    return DPN_OK;
}
