/* Sums that one row moves together.
 *
 * A row adds (1, x, x^2, y, x y, ...) to the sums, each number a function of the same few values. Let the pair (x, x^2) lie in a
 * polygon, and x alone between its bounds. Then a row is a mixture of rows whose pairs are corners: (x, x^2) is the mean of
 * corners drawn with some weights, (y, y^2) of others drawn independently, and so is x y of their products. So the
 * hull of all choices of corners, and of its negative, holds what one row can move. docs/proofs/release/tied.md */
#include "release/compile/tied.h"

#include "base/error.h"
#include "calibrate/mechanism.h"
#include "release/noise/hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMENSION = 7, MOST_CORNERS = 10, MOST_MEASURES = MOST_DIMENSION };

/* How many vertices a hull of so many dimensions is worked out of in a tenth of a second, and in two. */
static const size_t quick_most[] = {0, 0, 64, 64, 64, 36, 16, 8}, patient_most[] = {0, 0, 64, 64, 64, 64, 36, 64};

/* Values of a measure about its middle, in steps, and their squares. */
typedef struct corner {
    double x, square;
} corner;

typedef struct corners {
    corner at[MOST_CORNERS];
    size_t count;
} corners;

/* The rows of a query: each measure takes each of its corners. */
typedef struct rows {
    const dpn_query *query;
    corners of[MOST_MEASURES];
    size_t count;
    size_t most; /* vertices */
    bool count_is_public, replaces, left_out;
} rows;

/* ---- Corners ---- */

static bool has_square(const dpn_query *query, size_t measure) {
    for (size_t i = 0; i < query->moments; i++)
        if (query->moment[i].kind == DPN_MOMENT_PRODUCT && query->moment[i].a == measure &&
            query->moment[i].b == measure)
            return true;
    return false;
}

/* The ends of the bounds, and, between so many tangents to the parabola, the points where neighbours meet: those at a and b do in
 * ((a + b)/2, a b). An even number of them has one at 0, below which no square is. */
static corners corners_of(const dpn_query *query, size_t measure, size_t tangents) {
    double half = (double)(query->measure[measure].upper - query->measure[measure].middle);
    corners made = {{{-half, half * half}, {half, half * half}}, 2};
    for (size_t k = 0; k < tangents && has_square(query, measure); k++) {
        double a = (2 * (double)k / (double)tangents - 1) * half,
               b = (2 * (double)(k + 1) / (double)tangents - 1) * half;
        made.at[made.count++] = (corner){(a + b) / 2, a * b};
    }
    return made;
}

/* ---- Rows ---- */

/* What a row whose values are the chosen corners adds to a moment, in units. */
static double term(const rows *of, const dpn_moment *moment, const size_t *choice) {
    double x = 0, offset = (double)moment->offset;
    switch (moment->kind) {
    case DPN_MOMENT_ROWS:
        return of->count_is_public ? 0 : 1;
    case DPN_MOMENT_VALUE:
        x = of->of[moment->a].at[choice[moment->a]].x;
        return ldexp(x + (double)of->query->measure[moment->a].middle - offset, moment->exponent);
    case DPN_MOMENT_PRODUCT:
        x = moment->a == moment->b
                ? of->of[moment->a].at[choice[moment->a]].square
                : of->of[moment->a].at[choice[moment->a]].x * of->of[moment->b].at[choice[moment->b]].x;
        return ldexp(ldexp(x, -moment->shift) - offset, moment->exponent);
    default:
        return 0;
    }
}

static size_t rows_of(const rows *of) {
    size_t count = 1;
    for (size_t m = 0; m < of->query->measures && count <= of->most; m++) count *= of->of[m].count;
    return count + of->left_out;
}

static void fill_row(double *out, const rows *of, size_t index) {
    size_t choice[MOST_MEASURES], moments = of->query->moments;
    bool last = of->left_out && index + 1 == of->count;
    for (size_t m = 0; m < of->query->measures; m++) {
        choice[m] = index % of->of[m].count;
        index /= of->of[m].count;
    }
    for (size_t i = 0; i < moments; i++) {
        const dpn_moment *moment = &of->query->moment[i];
        out[i] = last ? moment->kind == DPN_MOMENT_LEFT_OUT : term(of, moment, choice);
    }
}

/* ---- Vertices ---- */

/* Added or removed, a row moves the sums by what it adds. One that gives way to another moves them by the difference, or, as
 * one of them may not be used, by one of the two; or by the difference alone where all are used. */
static size_t vertices_of(const rows *of) {
    if (!of->replaces) return of->count;
    return of->count * (of->count - 1) / 2 + (of->count_is_public ? 0 : of->count);
}

static void fill_vertices(double *out, const rows *of, const double *row) {
    size_t m = of->query->moments;
    if (!of->replaces || !of->count_is_public) {
        memcpy(out, row, of->count * m * sizeof *out);
        out += of->count * m;
    }
    for (size_t a = 0; a < of->count && of->replaces; a++)
        for (size_t b = a + 1; b < of->count; b++)
            for (size_t i = 0; i < m; i++) *out++ = row[a * m + i] - row[b * m + i];
}

/* A product is rounded by half a step, the difference of two by one, and doubles err by less than 2^-40: a row leaves the hull by no
 * more than the share `beyond` of each bound. In units of the bounds no point with |e_i| <= 1 has a norm above `norm`, so that
 * a hull that is larger by beyond times norm holds all rows, and max_rows times it what so many of them move. */
static bool enlarge(double *vertex, size_t count, const dpn_query *query, const double *bound) {
    size_t m = query->moments;
    double rounded = 0;
    for (size_t i = 0; i < m; i++)
        if (query->moment[i].kind == DPN_MOMENT_PRODUCT)
            rounded = fmax(rounded, ldexp(1.01, query->moment[i].exponent) / bound[i]);
    double beyond = rounded + 0x1p-40;
    for (size_t v = 0; v < count * m; v++) vertex[v] = bound[v % m] > 0 ? vertex[v] / bound[v % m] : 0;
    double norm = dpn_hull_norm_upper(vertex, count, m);
    if (!(norm >= 0 && norm * beyond < 1e-3)) return false;
    double factor = (1 + norm * beyond) * (double)query->declaration.max_rows;
    for (size_t v = 0; v < count * m; v++) vertex[v] *= factor * bound[v % m];
    return true;
}

/* ---- Whether there is anything to gain ---- */

/* Joint noise serves sums of values, products and rows. Sums of values about their middles, beside a number of rows or alone, move in
 * all of their box. */
static bool is_tied(const dpn_query *query) {
    bool tied = false, counted = false;
    size_t free_sums = 0;
    for (size_t i = 0; i < query->moments; i++) {
        const dpn_moment *moment = &query->moment[i];
        if (moment->kind == DPN_MOMENT_PERSONS || moment->kind == DPN_MOMENT_BINS) return false;
        tied |= moment->kind == DPN_MOMENT_PRODUCT || moment->kind == DPN_MOMENT_LEFT_OUT;
        counted |= moment->kind == DPN_MOMENT_ROWS;
        free_sums += moment->kind == DPN_MOMENT_VALUE && moment->offset != query->measure[moment->a].middle;
    }
    return tied || free_sums > 1 || (free_sums > 0 && counted);
}

static bool is_small(const dpn_query *query) {
    bool whole_rows = query->declaration.per_person == DPN_PER_PERSON_ROWS;
    for (size_t i = 0; i < query->moments && !whole_rows; i++)
        if (query->moment[i].kind == DPN_MOMENT_LEFT_OUT) return false; /* beside the total of the others */
    return query->moments > 1 && query->moments <= MOST_DIMENSION && query->measures <= MOST_MEASURES;
}

/* As many corners as leave no more vertices than there may be. False if even the fewest are too many. */
static bool choose_corners(rows *of) {
    static const size_t tangents[] = {8, 4, 2};
    for (size_t k = 0; k < sizeof tangents / sizeof *tangents; k++) {
        for (size_t m = 0; m < of->query->measures; m++) of->of[m] = corners_of(of->query, m, tangents[k]);
        of->count = rows_of(of);
        if (vertices_of(of) <= of->most) return true;
    }
    return false;
}

dpn_status dpn_tied_vertices(double **vertex, size_t *vertices, const dpn_query *query, const double *bound,
                             dpn_error *why) {
    rows of = {.query = query,
               .count_is_public = dpn_count_is_public(query),
               .replaces = query->declaration.relation == DPN_REPLACE,
               .left_out = query->declaration.count_left_out};
    *vertex = NULL;
    *vertices = 0;
    if (!is_tied(query) || !is_small(query)) return DPN_OK;
    bool best = query->declaration.noise && strcmp(query->declaration.noise, "best") == 0;
    of.most = best ? patient_most[query->moments] : quick_most[query->moments];
    if (!choose_corners(&of)) return DPN_OK;
    size_t count = vertices_of(&of), moments = query->moments;
    double *row = calloc(of.count, moments * sizeof *row), *made = calloc(count, moments * sizeof *made);
    bool memory = row && made, held = false;
    for (size_t i = 0; i < of.count && memory; i++) fill_row(row + i * moments, &of, i);
    if (memory) {
        fill_vertices(made, &of, row);
        held = enlarge(made, count, query, bound);
    }
    free(row);
    if (held) {
        *vertex = made;
        *vertices = count;
    } else {
        free(made);
    }
    return memory ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the vertices of a row");
}

/* ---- The release ---- */

#define WORTH 0.01

static bool may_be_joint(const dpn_release_options *options) {
    const char *family = options->family;
    if (options->exclude & DPN_EXCLUDE_JOINT) return false;
    return !family || strcmp(family, "best") == 0 || strcmp(family, DPN_MECHANISM_K_NORM) == 0;
}

dpn_status dpn_tied_release(dpn_release **release, const dpn_query *query, const dpn_release_options *options,
                            dpn_error *why) {
    double *vertex = NULL;
    size_t vertices = 0;
    if (!options->calibration->hulls || !may_be_joint(options)) return DPN_OK;
    dpn_status status = dpn_tied_vertices(&vertex, &vertices, query, options->set->bound, why);
    if (status || !vertex) return status;
    dpn_calibration_options calibration = *options->calibration;
    calibration.has_ball = true;
    calibration.ball = DPN_BALL_HULL;
    dpn_sensitivity set = *options->set;
    set.vertex = vertex;
    set.vertices = vertices;
    dpn_release_options own = *options;
    own.set = &set;
    own.family = DPN_MECHANISM_K_NORM;
    own.calibration = &calibration;
    dpn_release *tied = NULL;
    dpn_error reason;
    status = dpn_release_new(&tied, &own, &reason);
    free(vertex);
    /* A hull that is flat or too much work is no fault of the question. */
    if (status == DPN_ENOMEM || status == DPN_ECANCELLED) return dpn_fail(why, status, "%s", reason.sentence);
    if (status) return DPN_OK;
    bool better = dpn_release_plan(tied)->error < (1 - WORTH) * dpn_release_plan(*release)->error;
    dpn_release_free(better ? *release : tied);
    if (better) *release = tied;
    return DPN_OK;
}
