/* Balls from text. */
#define _POSIX_C_SOURCE 200809L
#include "input/sensitivity.h"
#include "kit/fail.h"
#include "knorm/knorm.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

dpn_status knorm_read_numbers(struct numbers *out, const char *what, const char *list, dpn_error *why) {
    char *copy = strdup(list), *item = copy;
    struct numbers read = {calloc(strlen(list) / 2 + 1, sizeof *read.at), 0};
    dpn_status status = copy && read.at ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    while (item && !status) {
        char *next = strchr(item, ',');
        dpn_error reason;
        if (next) *next++ = '\0';
        status = dpn_number_parse(&read.at[read.count], item, &reason);
        if (status)
            refuse(why, status, "%s: %s", what, reason.sentence);
        else
            read.count++;
        item = next;
    }
    free(copy);
    if (status)
        free(read.at);
    else
        *out = read;
    return status;
}

static dpn_status read_hull(dpn_norm_ball **out, const char *file, dpn_error *why) {
    double *point;
    size_t dimension, count;
    dpn_error reason;
    dpn_status status = points_read(&point, &dimension, &count, "hull", file, why);
    if (status) return status;
    status = dpn_ball_hull(out, dimension, point, count, &reason);
    if (status == DPN_EUNSUPPORTED) status = dpn_ball_points(out, dimension, point, count, &reason);
    free(point);
    return status ? refuse(why, status, "hull:%.60s: %s", file, reason.sentence) : DPN_OK;
}

/* The p of l1, l2, linf, l1.5, box; 0 if the name is none of these. */
static double power_of(const char *name) {
    double p;
    if (strcmp(name, "box") == 0 || strcmp(name, "linf") == 0) return INFINITY;
    return name[0] == 'l' && dpn_number_parse(&p, name + 1, NULL) == DPN_OK ? p : 0;
}

static dpn_status read_weighted(dpn_norm_ball **out, const char *name, const char *weights, size_t dimension,
                                dpn_error *why) {
    struct numbers weight = {NULL, 0};
    double p = power_of(name);
    if (p == 0)
        return refuse(why, DPN_EPARSE,
                      "there is no ball '%.40s'; balls are l1, l2, linf, l1.5, box, hull:FILE, k2, k3, "
                      "regression(P), regression-hull(N)",
                      name);
    dpn_status status = weights ? knorm_read_numbers(&weight, name, weights, why) : DPN_OK;
    if (status) return status;
    if (weights && dimension && weight.count != dimension)
        status = refuse(why, DPN_EPARSE, "%.20s has %zu weights, but there are %zu dimensions", name, weight.count,
                        dimension);
    if (!weights && dimension == 0)
        status =
            refuse(why, DPN_EPARSE, "how many dimensions has %.20s? Give --dim, or weights: '%.20s(1,2)'", name, name);
    dpn_error reason;
    if (!status) {
        status = dpn_ball_lp(out, weights ? weight.count : dimension, p, weight.at, &reason);
        if (status) refuse(why, status, "%.20s: %s", name, reason.sentence);
    }
    free(weight.at);
    return status;
}

/* The pieces of regression-hull(8). */
static dpn_status read_pieces(dpn_norm_ball **out, const char *inside, dpn_error *why) {
    uint64_t pieces = 8;
    dpn_error reason;
    dpn_status status = inside ? read_count(&pieces, inside, &reason) : DPN_OK;
    if (!status) status = dpn_ball_regression_hull(out, pieces > 1000 ? 1000 : (size_t)pieces, &reason);
    return status ? refuse(why, status, "regression-hull: %s", reason.sentence) : DPN_OK;
}

static dpn_status read_regression(dpn_norm_ball **out, const char *inside, dpn_error *why) {
    uint64_t predictors;
    dpn_error reason;
    dpn_status status = read_count(&predictors, inside ? inside : "", &reason);
    if (status)
        return refuse(why, status, "regression takes the number of predictors, regression(3): %s", reason.sentence);
    return dpn_ball_regression(out, predictors > 1000 ? 1000 : (size_t)predictors, why);
}

dpn_status knorm_read_atom(dpn_norm_ball **out, const char *text, size_t dimension, dpn_error *why) {
    if (strncmp(text, "hull:", 5) == 0) return read_hull(out, text + 5, why);
    if (strcmp(text, "k2") == 0) return dpn_ball_k2(out, why);
    if (strcmp(text, "k3") == 0) return dpn_ball_k3(out, why);
    char *name = strdup(text);
    if (!name) return refuse(why, DPN_ENOMEM, "out of memory");
    char *inside = strchr(name, '(');
    dpn_status status = DPN_OK;
    if (inside) {
        *inside++ = '\0';
        size_t length = strlen(inside);
        if (length == 0 || inside[length - 1] != ')')
            status = refuse(why, DPN_EPARSE, "the bracket of '%.40s' does not end", text);
        else
            inside[length - 1] = '\0';
    }
    if (!status && strcmp(name, "regression") == 0)
        status = read_regression(out, inside, why);
    else if (!status && strcmp(name, "regression-hull") == 0)
        status = read_pieces(out, inside, why);
    else if (!status)
        status = read_weighted(out, name, inside, dimension, why);
    free(name);
    return status;
}
