/* Whether one statistic makes sense by itself. */
#include "release/declare/declaration.h"

#include "base/error.h"
#include "base/text/excerpt.h"
#include "release/declare/candidates.h"
#include "release/statistic/statistic.h"

#include <stdio.h>

/* What a statistic is called in sentences: "mean of 'income'". */
typedef struct label {
    char text[80];
} label;

static label label_of(const dpn_statistic *statistic) {
    label out;
    char shown[DPN_SHOWN_SIZE];
    const char *kind = dpn_statistic_kind_name(statistic->kind);
    if (statistic->columns > 0 && statistic->column && statistic->column[0])
        snprintf(out.text, sizeof out.text, "%s of '%s'", kind, dpn_show(shown, statistic->column[0]));
    else
        snprintf(out.text, sizeof out.text, "%s", kind);
    return out;
}

static dpn_status refuse(const dpn_statistic *statistic, dpn_status status, dpn_error *why, const char *reason) {
    label name = label_of(statistic);
    return dpn_fail(why, status, "%s: %s", name.text, reason);
}

static dpn_status check_columns(const dpn_statistic *statistic, dpn_error *why) {
    unsigned shape = dpn_statistic_shape_of(statistic->kind);
    label name = label_of(statistic);
    if (shape & DPN_HAS_COLUMNS && statistic->columns < 2)
        return refuse(statistic, DPN_EDOMAIN, why, "it needs two columns or more; of one column there is the variance");
    if (shape & DPN_HAS_COLUMNS && statistic->columns > DPN_DECLARATION_COLUMNS)
        return refuse(statistic, DPN_EDOMAIN, why, "it has more than 1000 columns; take fewer");
    if (shape & DPN_HAS_COLUMN && statistic->columns != 1)
        return refuse(statistic, DPN_EDOMAIN, why, "it needs one column; declare a statistic for each");
    if (!(shape & (DPN_HAS_COLUMN | DPN_HAS_COLUMNS)) && statistic->columns != 0)
        return refuse(statistic, DPN_EDOMAIN, why, "it has no column; leave it out");
    if (statistic->columns > 0 && !statistic->column)
        return refuse(statistic, DPN_EDOMAIN, why, "the column is missing");
    for (size_t i = 0; i < statistic->columns; i++) {
        dpn_error reason;
        if (dpn_name_check(statistic->column[i], "a column's name", &reason))
            return dpn_fail(why, reason.status, "%s: %s", name.text, reason.sentence);
    }
    return DPN_OK;
}

/* A number of a statistic; the sentence says which. */
static dpn_status read(dpn_signed *out, const dpn_statistic *statistic, const char *part, const char *text,
                       dpn_error *why) {
    dpn_error reason;
    label name = label_of(statistic);
    dpn_status status = dpn_signed_read(out, text, &reason);
    return status ? dpn_fail(why, status, "%s: %s: %s", name.text, part, reason.sentence) : DPN_OK;
}

static dpn_status check_bounds(const dpn_statistic *statistic, dpn_error *why) {
    bool bounded = dpn_statistic_shape_of(statistic->kind) & DPN_HAS_BOUNDS;
    if (!bounded && (statistic->lower || statistic->upper))
        return refuse(statistic, DPN_EDOMAIN, why, "it has no lower and upper; leave them out");
    if (bounded && (!statistic->lower || !statistic->upper))
        return refuse(statistic, DPN_EDOMAIN, why, "lower and upper are missing; they are public, never from the data");
    for (size_t i = 0; bounded && i < statistic->columns; i++) {
        dpn_signed lower, upper;
        char first[DPN_SHOWN_SIZE], second[DPN_SHOWN_SIZE], column[DPN_SHOWN_SIZE];
        dpn_status status = read(&lower, statistic, "lower", statistic->lower[i], why);
        if (!status) status = read(&upper, statistic, "upper", statistic->upper[i], why);
        if (status) return status;
        if (dpn_signed_compare(&lower, &upper) < 0) continue;
        return dpn_fail(why, DPN_EDOMAIN, "%s of '%s': lower %s must be less than upper %s",
                        dpn_statistic_kind_name(statistic->kind), dpn_show(column, statistic->column[i]),
                        dpn_show(first, statistic->lower[i]), dpn_show(second, statistic->upper[i]));
    }
    return DPN_OK;
}

/* ---- Edges ---- */

/* The sign of edge a - edge b. */
static dpn_status compare_edges(int *out, const dpn_statistic *statistic, const char *a, const char *b,
                                dpn_error *why) {
    dpn_signed left = {0}, right = {0};
    int first = dpn_infinity_sign(a), second = dpn_infinity_sign(b);
    dpn_status status = first ? DPN_OK : read(&left, statistic, "edges", a, why);
    if (!status && !second) status = read(&right, statistic, "edges", b, why);
    *out = first || second ? first - second : dpn_signed_compare(&left, &right);
    return status;
}

static dpn_status check_ascent(const dpn_statistic *statistic, dpn_error *why) {
    label name = label_of(statistic);
    for (size_t i = 0; i < statistic->edges; i++)
        if (!statistic->edge[i]) return refuse(statistic, DPN_EDOMAIN, why, "an edge is missing");
    for (size_t i = 1; i < statistic->edges; i++) {
        int order = 0;
        char first[DPN_SHOWN_SIZE], second[DPN_SHOWN_SIZE];
        const char *a = statistic->edge[i - 1], *b = statistic->edge[i];
        dpn_status status = compare_edges(&order, statistic, a, b, why);
        if (status) return status;
        if (order >= 0)
            return dpn_fail(why, DPN_EDOMAIN, "%s: edges must ascend, but %s is followed by %s", name.text,
                            dpn_show(first, a), dpn_show(second, b));
    }
    return DPN_OK;
}

/* The candidates of a quantile are finite and lie between its bounds, which are two of them. */
static dpn_status check_candidates(const dpn_statistic *statistic, dpn_error *why) {
    int low = 0, high = 0;
    const char *first = statistic->edge[0], *last = statistic->edge[statistic->edges - 1];
    if (dpn_infinity_sign(first) || dpn_infinity_sign(last))
        return refuse(statistic, DPN_EDOMAIN, why, "its edges must be finite, for one of them is the answer");
    dpn_status status = compare_edges(&low, statistic, first, statistic->lower[0], why);
    if (!status) status = compare_edges(&high, statistic, last, statistic->upper[0], why);
    if (!status && (low || high))
        status = refuse(statistic, DPN_EDOMAIN, why, "the first and the last edge must be lower and upper");
    return status;
}

static dpn_status check_edges(const dpn_statistic *statistic, dpn_error *why) {
    unsigned shape = dpn_statistic_shape_of(statistic->kind);
    if (!(shape & (DPN_HAS_EDGES | DPN_MAY_HAVE_EDGES)))
        return statistic->edge ? refuse(statistic, DPN_EDOMAIN, why, "it has no edges; leave them out") : DPN_OK;
    if (!statistic->edge && shape & DPN_HAS_EDGES)
        return refuse(statistic, DPN_EDOMAIN, why, "edges are missing; they are public, never from the data");
    if (!statistic->edge) return DPN_OK;
    if (statistic->edges < 2) return refuse(statistic, DPN_EDOMAIN, why, "it needs two edges or more");
    dpn_status status = check_ascent(statistic, why);
    return status || shape & DPN_HAS_EDGES ? status : check_candidates(statistic, why);
}

static dpn_status check_quantile(const dpn_statistic *statistic, dpn_error *why) {
    static const char *const ends[] = {"0", "1"};
    bool has = dpn_statistic_shape_of(statistic->kind) & DPN_HAS_QUANTILE;
    if (!has)
        return statistic->quantile ? refuse(statistic, DPN_EDOMAIN, why, "it has no quantile; leave it out") : DPN_OK;
    dpn_signed end, at;
    dpn_status status = read(&at, statistic, "quantile", statistic->quantile, why);
    for (int i = 0; i < 2 && !status; i++) {
        status = dpn_signed_read(&end, ends[i], why);
        int order = status ? 0 : dpn_signed_compare(&at, &end);
        if (!status && (i ? order >= 0 : order <= 0))
            status = refuse(statistic, DPN_EDOMAIN, why, "quantile must be above 0 and below 1, as 0.5 for the median");
    }
    return status;
}

static dpn_status check_step(const dpn_statistic *statistic, dpn_error *why) {
    dpn_error reason;
    uint32_t steps;
    if (!statistic->step) return DPN_OK;
    if (!(dpn_statistic_shape_of(statistic->kind) & DPN_HAS_QUANTILE))
        return refuse(statistic, DPN_EDOMAIN, why, "it has no step; leave it out");
    if (statistic->edge) return refuse(statistic, DPN_EDOMAIN, why, "it has edges and a step; leave one of both out");
    dpn_status status =
        dpn_candidates_steps(&steps, statistic->lower[0], statistic->upper[0], statistic->step, &reason);
    return status ? refuse(statistic, status, why, reason.sentence) : DPN_OK;
}

dpn_status dpn_statistic_check(const dpn_statistic *statistic, dpn_error *why) {
    if (!dpn_statistic_kind_name(statistic->kind)) return dpn_fail(why, DPN_EDOMAIN, "a statistic has no known kind");
    dpn_status status = check_columns(statistic, why);
    if (!status) status = check_bounds(statistic, why);
    if (!status) status = check_edges(statistic, why);
    if (!status) status = check_quantile(statistic, why);
    return status ? status : check_step(statistic, why);
}
