/* How uniform points of a ball are drawn: the envelope of each part, what doubles know of its norm, and how many points of
 * the envelope lie in the ball. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "geometry/interior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/gauge.h"
#include "geometry/public-source.h"

void dpn_interior_free(dpn_interior *interior) {
    if (interior == NULL) return;
    for (size_t i = 0; i < interior->parts; i++) dpn_interior_free(interior->part[i]);
    free(interior->part);
    free(interior->scale);
    free(interior->unit);
    free(interior->table);
    free(interior->exponential);
    dpn_cones_free(&interior->cones);
    free(interior);
}

/* ---- What doubles know ---- */

/* A bound of the error of a norm near 1 in doubles, for points with |u_i| <= reach_i: that of norms by formula, 1000 times
 * what was measured, and what the inverse of an image adds. NaN if there is no memory. */
static double evaluation_of(const dpn_norm_ball *ball, const double *reach) {
    static const double formula = 2e-10;
    double error = ball->parts ? 0 : formula;
    size_t m = ball->dimension;
    if (ball->kind == &dpn_norm_ball_kind_image) {
        double *inner = calloc(2 * m, sizeof *inner), largest = 0;
        if (inner == NULL) return NAN;
        double *unit = inner + m;
        for (size_t i = 0; i < m; i++) {
            for (size_t j = 0; j < m; j++) inner[i] += fabs(ball->inverse[i * m + j]) * reach[j];
            largest = fmax(largest, reach[i]);
        }
        error = 2 * evaluation_of(ball->part[0], inner) + 4 * ball->residual * largest * ball->column_norms;
        for (size_t i = 0; i < m; i++) {
            unit[i] = 1;
            error += 2 * ball->part[0]->kind->norm_upper(ball->part[0], unit) * inner[i] * ((double)m + 4) * 0x1p-52;
            unit[i] = 0;
        }
        free(inner);
        return error;
    }
    for (size_t i = 0; i < ball->parts; i++) {
        double one = evaluation_of(ball->part[i], reach);
        if (isnan(one)) return one;
        error = ball->kind == &dpn_norm_ball_kind_sum ? error + one : fmax(error, one);
        if (ball->kind != &dpn_norm_ball_kind_intersection) reach += ball->part[i]->dimension;
    }
    return error;
}

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler");
}

/* The test of an envelope whose points have |u_i| <= reach_i. */
static dpn_status add_test(dpn_interior *out, const double *reach, dpn_error *why) {
    const dpn_norm_ball *ball = out->ball;
    size_t m = ball->dimension;
    out->tested = true;
    out->exact = dpn_gauge_exists(ball);
    if (!out->exact) return DPN_OK;
    out->unit = calloc(m, sizeof *out->unit);
    double *u = calloc(m, sizeof *u);
    out->evaluation = evaluation_of(ball, reach);
    dpn_status status = out->unit && u && !isnan(out->evaluation) ? DPN_OK : no_memory(why);
    for (size_t i = 0; i < m && !status; i++) {
        u[i] = 1;
        out->unit[i] = ball->kind->norm_upper(ball, u);
        u[i] = 0;
    }
    free(u);
    return status;
}

/* ---- Envelopes ---- */

/* The law of density proportional to exp(-|x|^p/p). */
static dpn_status make_table(dpn_sampler **out, double p, dpn_error *why) {
    dpn_law law;
    const double subbotin[2] = {p, 1}, *one = &subbotin[1];
    dpn_status status = p == 1   ? dpn_law_make(&law, "laplace", one, 1, why)
                        : p == 2 ? dpn_law_make(&law, "gaussian", one, 1, why)
                                 : dpn_law_make(&law, "subbotin", subbotin, 2, why);
    *out = malloc(sizeof **out);
    if (*out == NULL) return no_memory(why);
    return status ? status : dpn_lazy_sampler(*out, &law, why);
}

static dpn_status make_box(dpn_interior *out, dpn_error *why) {
    out->envelope = DPN_ENVELOPE_BOX;
    out->numbers = out->dimension;
    out->scale = calloc(out->dimension, sizeof *out->scale);
    if (out->scale == NULL) return no_memory(why);
    out->ball->kind->half_widths(out->ball, out->scale);
    bool box = out->ball->kind == &dpn_norm_ball_kind_lp && isinf(out->ball->p);
    return box ? DPN_OK : add_test(out, out->scale, why);
}

static dpn_status make_ratio(dpn_interior *out, dpn_error *why) {
    out->envelope = DPN_ENVELOPE_LP;
    out->numbers = out->dimension + 1;
    out->scale = calloc(out->dimension, sizeof *out->scale);
    if (out->scale == NULL) return no_memory(why);
    memcpy(out->scale, out->ball->weight, out->dimension * sizeof *out->scale);
    dpn_status status = make_table(&out->table, out->ball->p, why);
    return status ? status : make_table(&out->exponential, 1, why);
}

static dpn_status make_simplex(dpn_interior *out, dpn_error *why) {
    out->envelope = DPN_ENVELOPE_SIMPLEX;
    out->numbers = out->dimension + 1;
    if (!dpn_ball_cones(&out->cones, out->ball)) return no_memory(why);
    dpn_status status = make_table(&out->table, 1, why);
    return status ? status : make_table(&out->exponential, 1, why);
}

static dpn_status make(dpn_interior **out, const dpn_norm_ball *ball, dpn_error *why);

static dpn_status add_part(dpn_interior *out, const dpn_norm_ball *ball, dpn_error *why) {
    dpn_status status = make(&out->part[out->parts], ball, why);
    if (!status) out->numbers += out->part[out->parts++]->numbers;
    return status;
}

/* The part of an intersection with the least volume; NULL if the box around all is smaller. A part that is drawn from the
 * box around it would be no better than the smaller box around all. */
static const dpn_norm_ball *tightest(const dpn_norm_ball *ball, const double *half) {
    const dpn_norm_ball *best = NULL;
    double least = 0;
    for (size_t i = 0; i < ball->dimension; i++) least += log(2 * half[i]);
    for (size_t i = 0; i < ball->parts; i++) {
        const dpn_norm_ball_kind *kind = ball->part[i]->kind;
        double volume = kind->log_volume(ball->part[i]); /* NaN if it is not known */
        if (!(volume < least) || kind == &dpn_norm_ball_kind_sum || kind == &dpn_norm_ball_kind_k2) continue;
        least = volume;
        best = ball->part[i];
    }
    return best;
}

static dpn_status make_intersection(dpn_interior *out, dpn_error *why) {
    double *half = calloc(out->dimension, sizeof *half);
    if (half == NULL) return no_memory(why);
    out->ball->kind->half_widths(out->ball, half);
    const dpn_norm_ball *best = tightest(out->ball, half);
    dpn_status status;
    if (best == NULL) {
        status = make_box(out, why);
    } else {
        out->envelope = DPN_ENVELOPE_PARTS;
        best->kind->half_widths(best, half);
        status = add_part(out, best, why);
        if (!status) status = add_test(out, half, why);
    }
    free(half);
    return status;
}

static dpn_status make_parts(dpn_interior *out, dpn_error *why) {
    dpn_status status = DPN_OK;
    out->envelope = out->ball->kind == &dpn_norm_ball_kind_image ? DPN_ENVELOPE_IMAGE : DPN_ENVELOPE_PARTS;
    for (size_t i = 0; i < out->ball->parts && !status; i++) status = add_part(out, out->ball->part[i], why);
    return status;
}

static dpn_status make(dpn_interior **out, const dpn_norm_ball *ball, dpn_error *why) {
    if (ball->kind == &dpn_norm_ball_kind_points)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "there are no exact draws for a hull without facets: draw from a box or l_p ball around it");
    dpn_interior *made = calloc(1, sizeof *made);
    if (made == NULL) return no_memory(why);
    made->ball = ball;
    made->dimension = ball->dimension;
    made->exact = true;
    made->acceptance = 1;
    made->part = calloc(ball->parts + 1, sizeof *made->part);
    dpn_status status;
    if (made->part == NULL)
        status = no_memory(why);
    else if (ball->kind == &dpn_norm_ball_kind_lp && !isinf(ball->p))
        status = make_ratio(made, why);
    else if (ball->kind == &dpn_norm_ball_kind_hull)
        status = make_simplex(made, why);
    else if (ball->kind == &dpn_norm_ball_kind_intersection)
        status = make_intersection(made, why);
    else if (ball->kind == &dpn_norm_ball_kind_product || ball->kind == &dpn_norm_ball_kind_image)
        status = make_parts(made, why);
    else
        status = make_box(made, why);
    if (status)
        dpn_interior_free(made);
    else
        *out = made;
    return status;
}

/* ---- Where the numbers of each part lie ---- */

typedef struct places {
    size_t number, value, cone;
} places;

static void place(dpn_interior *u, places *next) {
    size_t own = u->numbers;
    for (size_t i = 0; i < u->parts; i++) own -= u->part[i]->numbers;
    u->number = next->number;
    u->value = next->value;
    u->cone = next->cone;
    next->number += own;
    next->value += u->dimension;
    next->cone++;
    for (size_t i = 0; i < u->parts; i++) place(u->part[i], next);
}

static places room_of(const dpn_interior *u) {
    places room = {u->numbers, u->dimension, 1};
    for (size_t i = 0; i < u->parts; i++) {
        places part = room_of(u->part[i]);
        room.value += part.value;
        room.cone += part.cone;
    }
    return room;
}

bool dpn_point_work_new(dpn_point_work *out, const dpn_interior *u) {
    places room = room_of(u);
    *out = (dpn_point_work){calloc(room.number, sizeof *out->number), calloc(room.value, sizeof *out->value),
                            calloc(room.value, sizeof *out->error), calloc(room.cone, sizeof *out->cone), false};
    return out->number && out->value && out->error && out->cone;
}

void dpn_point_work_free(dpn_point_work *work, const dpn_interior *u) {
    places room = room_of(u);
    if (work->number) explicit_bzero(work->number, room.number * sizeof *work->number);
    if (work->value) explicit_bzero(work->value, room.value * sizeof *work->value);
    free(work->number);
    free(work->value);
    free(work->error);
    free(work->cone);
}

/* ---- How many points are accepted ---- */

/* Points until ENOUGH are accepted, or so many are tried that less than one in a million is. */
static dpn_status measure(dpn_interior *u, dpn_point_work *work, dpn_public_source *source, dpn_error *why) {
    enum { ENOUGH = 100, MOST = 20000000 };
    for (size_t i = 0; i < u->parts; i++) {
        dpn_status status = measure(u->part[i], work, source, why);
        if (status) return status;
    }
    if (!u->tested) return DPN_OK;
    int accepted = 0, tried = 0;
    while (accepted < ENOUGH && tried < MOST) {
        dpn_try result = dpn_interior_try(u, work, &source->rng);
        if (result == DPN_FAILED || result == DPN_GIVEN_UP) return no_memory(why);
        accepted += result == DPN_DRAWN;
        tried++;
    }
    u->acceptance = (double)accepted / tried;
    if (u->acceptance < 1e-6)
        return dpn_fail(why, DPN_EACCURACY,
                        "only %d of %d random points around a ball of kind '%s' lie in it, too few to draw from it: "
                        "take a ball that contains it, such as the box of its half widths",
                        accepted, tried, u->ball->kind->name);
    return DPN_OK;
}

double dpn_interior_acceptance(const dpn_interior *u) {
    double least = u->acceptance;
    for (size_t i = 0; i < u->parts; i++) least = fmin(least, dpn_interior_acceptance(u->part[i]));
    return least;
}

bool dpn_interior_exact(const dpn_interior *u) {
    bool exact = u->exact;
    for (size_t i = 0; i < u->parts; i++) exact = exact && dpn_interior_exact(u->part[i]);
    return exact;
}

dpn_status dpn_interior_new(dpn_interior **out, const dpn_norm_ball *ball, dpn_error *why) {
    dpn_interior *made;
    dpn_status status = make(&made, ball, why);
    if (status) return status;
    place(made, &(places){0, 0, 0});
    dpn_point_work work;
    dpn_public_source *source = calloc(1, sizeof *source);
    status = dpn_point_work_new(&work, made) && source ? DPN_OK : no_memory(why);
    if (!status) {
        dpn_public_source_begin(source);
        status = measure(made, &work, source, why);
    }
    dpn_point_work_free(&work, made);
    free(source);
    if (status)
        dpn_interior_free(made);
    else
        *out = made;
    return status;
}
