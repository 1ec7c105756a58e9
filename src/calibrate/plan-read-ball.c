/* Plans as text: the balls of joint noise. */
#include "calibrate/plan-read.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_NUMBERS = 1 << 26 }; /* of all vertices */

/* ---- sides ---- */

static dpn_status read_side(double *out, const dpn_plan_reader *r, const dpn_json_value *value) {
    dpn_error reason;
    dpn_status status = dpn_json_number(out, &r->json, value, &reason);
    if (status) return dpn_plan_refuse(r, status, "sides", reason.sentence);
    if (*out > 0 && isfinite(*out)) return DPN_OK;
    return dpn_plan_refuse(r, DPN_EDOMAIN, "sides", "they must be positive and finite");
}

/* One for each coordinate, or one number for all; that of an l2 ball may stand in the set around the plan. */
static dpn_status read_sides(const dpn_plan *plan, dpn_block *block, const dpn_plan_reader *r,
                             const dpn_json_value *value) {
    bool list = value && value->kind == DPN_JSON_ARRAY;
    double one = plan->l2;
    dpn_status status = DPN_OK;
    if (!value && !(block->ball == DPN_BALL_L2 && one > 0 && isfinite(one))) return DPN_OK;
    if (list && value->count != block->count)
        return dpn_plan_refuse(r, DPN_EPARSE, "sides", "there must be one for each coordinate");
    block->side = malloc(block->count * sizeof *block->side);
    if (!block->side) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the plan");
    if (value && !list) status = read_side(&one, r, value);
    const dpn_json_value *element = list ? dpn_json_first(value) : NULL;
    for (size_t k = 0; k < block->count && !status; k++) {
        if (list) {
            status = read_side(&one, r, element);
            element = dpn_json_next(&r->json, element);
        }
        block->side[k] = one;
    }
    return status;
}

/* ---- vertices ---- */

/* A list of as many numbers as the block has coordinates, into a row of the plan. */
static dpn_status read_vertex(double *row, const dpn_block *block, const dpn_plan_reader *r,
                              const dpn_json_value *value) {
    if (value->kind != DPN_JSON_ARRAY || value->count != block->count)
        return dpn_plan_refuse(r, DPN_EPARSE, "vertices", "each must be a list of a number for each coordinate");
    const dpn_json_value *element = dpn_json_first(value);
    for (size_t k = 0; k < block->count; k++) {
        dpn_error reason;
        double *at = &row[block->coordinate[k]];
        dpn_status status = dpn_json_number(at, &r->json, element, &reason);
        if (status) return dpn_plan_refuse(r, status, "vertices", reason.sentence);
        if (!isfinite(*at)) return dpn_plan_refuse(r, DPN_EDOMAIN, "vertices", "they must be finite");
        element = dpn_json_next(&r->json, element);
    }
    return DPN_OK;
}

static dpn_status read_vertices(dpn_plan *plan, const dpn_block *block, const dpn_plan_reader *r,
                                const dpn_json_value *value) {
    if (!value) return DPN_OK;
    if (value->kind != DPN_JSON_ARRAY || value->count == 0)
        return dpn_plan_refuse(r, DPN_EPARSE, "vertices", "a list of vertices is expected");
    if (plan->vertex) return dpn_plan_refuse(r, DPN_EUNSUPPORTED, "vertices", "a plan has one hull at most");
    if (plan->dimension > MOST_NUMBERS / value->count) /* a short text can speak of many coordinates */
        return dpn_plan_refuse(r, DPN_EUNSUPPORTED, "vertices", "there are too many for that number of coordinates");
    plan->vertex = calloc((size_t)value->count * plan->dimension, sizeof *plan->vertex);
    if (!plan->vertex) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the vertices of the plan");
    plan->vertices = value->count;
    dpn_status status = DPN_OK;
    const dpn_json_value *element = dpn_json_first(value);
    for (size_t v = 0; v < plan->vertices && !status; v++) {
        status = read_vertex(plan->vertex + v * plan->dimension, block, r, element);
        element = dpn_json_next(&r->json, element);
    }
    return status;
}

dpn_status dpn_plan_read_ball(dpn_plan *plan, dpn_block *block, const dpn_plan_reader *r,
                              const dpn_json_value *object) {
    const dpn_json_value *sides, *vertices;
    if (block->ball == DPN_BALL_BOX) return DPN_OK; /* what is no ball has none of its own either */
    dpn_status status = dpn_plan_find(&sides, r, object, "sides");
    if (!status) status = dpn_plan_find(&vertices, r, object, "vertices");
    if (status) return status;
    return block->ball == DPN_BALL_HULL ? read_vertices(plan, block, r, vertices) : read_sides(plan, block, r, sides);
}
