/* Balls made of balls, from text. */
#define _POSIX_C_SOURCE 200809L
#include "input/sensitivity.h"
#include "kit/fail.h"
#include "knorm/knorm.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64 };

typedef dpn_status (*joiner)(dpn_norm_ball **, dpn_norm_ball *const *, size_t, dpn_error *);

/* How balls are joined, what binds least first. */
static const struct {
    char sign;
    bool same; /* parts have the same coordinates */
    joiner join;
} joints[] = {{'&', true, dpn_ball_intersection}, {'+', false, dpn_ball_sum}, {'*', false, dpn_ball_product}};
enum { JOINTS = sizeof joints / sizeof *joints };

/* image:FILE:BALL, the rows of FILE a square matrix. */
static dpn_status read_image(dpn_norm_ball **out, const char *text, size_t dimension, dpn_error *why) {
    const char *colon = strchr(text, ':');
    char *file = colon ? strndup(text, (size_t)(colon - text)) : NULL;
    double *matrix = NULL;
    size_t columns = 0, rows = 0;
    dpn_norm_ball *inner = NULL;
    dpn_error reason;
    if (!colon) return refuse(why, DPN_EPARSE, "image:FILE:BALL is expected, the rows of FILE a square matrix");
    dpn_status status =
        file ? points_read(&matrix, &columns, &rows, "image", file, why) : refuse(why, DPN_ENOMEM, "out of memory");
    if (!status && rows != columns)
        status = refuse(why, DPN_EPARSE, "image:%.60s: %zu rows of %zu numbers are not a square matrix", file, rows,
                        columns);
    if (!status) status = knorm_read_atom(&inner, colon + 1, dimension ? dimension : columns, why);
    if (!status && dpn_ball_dimension(inner) != columns)
        status = refuse(why, DPN_EPARSE, "image:%.60s: the matrix is for %zu dimensions, the ball has %zu", file,
                        columns, dpn_ball_dimension(inner));
    if (!status) {
        status = dpn_ball_image(out, inner, matrix, &reason);
        if (status) refuse(why, status, "image:%.60s: %s", file, reason.sentence);
    }
    if (status) dpn_ball_free(inner);
    free(matrix);
    free(file);
    return status;
}

static char *trim(char *text) {
    while (*text == ' ') text++;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') text[--length] = '\0';
    return text;
}

/* The first such sign outside brackets, where a weight may be 1e+2; NULL if there is none. */
static char *find_sign(char *text, char sign) {
    int depth = 0;
    for (; *text; text++) {
        if (*text == '(') depth++;
        if (*text == ')' && depth > 0) depth--;
        if (*text == sign && depth == 0) return text;
    }
    return NULL;
}

/* Joined by the signs from `level` on. The text is cut into pieces. */
static dpn_status read_joined(dpn_norm_ball **out, char *text, size_t dimension, int level, dpn_error *why) {
    text = trim(text);
    if (level == JOINTS)
        return strncmp(text, "image:", 6) == 0 ? read_image(out, text + 6, dimension, why)
                                               : knorm_read_atom(out, text, dimension, why);
    dpn_norm_ball *part[MOST_PARTS];
    size_t count = 0;
    dpn_status status = DPN_OK;
    bool several = find_sign(text, joints[level].sign) != NULL;
    while (text && !status) {
        char *next = find_sign(text, joints[level].sign);
        if (next) *next++ = '\0';
        if (count == MOST_PARTS)
            status = refuse(why, DPN_EUNSUPPORTED, "a ball is made of at most %d", MOST_PARTS);
        else
            status = read_joined(&part[count], text, several && !joints[level].same ? 0 : dimension, level + 1, why);
        if (!status) count++;
        text = next;
    }
    if (!status && count == 1) {
        *out = part[0];
        return DPN_OK;
    }
    if (!status) status = joints[level].join(out, part, count, why);
    for (size_t i = 0; i < count && status; i++) dpn_ball_free(part[i]);
    return status;
}

dpn_status knorm_read_ball(dpn_norm_ball **out, const char *text, size_t dimension, dpn_error *why) {
    char *copy = strdup(text);
    if (!copy) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = read_joined(out, copy, dimension, 0, why);
    free(copy);
    return status;
}
