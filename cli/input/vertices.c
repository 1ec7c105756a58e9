/* The vertices of a sensitivity set, from a file: one a line, its numbers separated by blanks or commas. */
#include "input/sensitivity.h"
#include "kit/fail.h"
#include "kit/lines.h"

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

dpn_status points_read(double **out, size_t *dimension, size_t *count, const char *option, const char *file,
                       dpn_error *why) {
    struct lines lines;
    dpn_status status = lines_open(&lines, option, file, why);
    if (status) return status;
    struct rows rows = {0};
    status = read_rows(&rows, dimension, &lines, why);
    lines_close(&lines);
    if (!status && rows.count == 0) status = refuse(why, DPN_EPARSE, "%s: '%.80s' holds no vertex", option, file);
    if (status) {
        free(rows.at);
        return status;
    }
    *out = rows.at;
    *count = rows.count / *dimension;
    return DPN_OK;
}

dpn_status sensitivity_read_vertices(struct sensitivity *out, const char *file, dpn_error *why) {
    double *vertex;
    size_t dimension, count;
    dpn_status status = points_read(&vertex, &dimension, &count, "--vertices", file, why);
    if (status) return status;
    status = sensitivity_set_dimension(out, "--vertices", dimension, why);
    if (status) {
        free(vertex);
        return status;
    }
    out->vertex = vertex;
    out->set.vertex = vertex;
    out->set.vertices = count;
    return DPN_OK;
}
