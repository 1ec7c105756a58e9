/* Plans as text: the offsets of start boxes. */
#include "calibrate/plan-read.h"

#include "base/error.h"
#include "calibrate/start-law.h"

#include <math.h>
#include <stdlib.h>

static dpn_status read_offset(double *out, bool stairs, const dpn_plan_reader *r, const dpn_json_value *value) {
    dpn_error reason;
    dpn_status status = dpn_json_number(out, &r->json, value, &reason);
    if (status) return dpn_plan_refuse(r, status, "c", reason.sentence);
    if (isfinite(*out) && (*out > 0 || (*out == 0 && !stairs))) return DPN_OK;
    return dpn_plan_refuse(r, DPN_EDOMAIN, "c",
                           stairs ? "offsets must be positive and finite" : "offsets must be finite and not negative");
}

/* One for each coordinate, or one number for all. */
dpn_status dpn_plan_read_start(dpn_block *block, const dpn_plan_reader *r, const dpn_json_value *object) {
    bool stairs = block->kind == DPN_BLOCK_START_STAIRCASE;
    if (!stairs && block->kind != DPN_BLOCK_START_BOX) return DPN_OK;
    const dpn_json_value *value;
    double one = 0;
    dpn_status status = dpn_plan_find(&value, r, object, "c");
    if (status) return status;
    if (!value) return dpn_plan_refuse(r, DPN_EPARSE, "c", "the offsets of the start box are missing");
    bool list = value->kind == DPN_JSON_ARRAY;
    if (list && value->count != block->count)
        return dpn_plan_refuse(r, DPN_EPARSE, "c", "there must be one for each coordinate");
    block->start = malloc(block->count * sizeof *block->start);
    if (!block->start) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the plan");
    if (!list) status = read_offset(&one, stairs, r, value);
    const dpn_json_value *element = list ? dpn_json_first(value) : NULL;
    for (size_t k = 0; k < block->count && !status; k++) {
        if (list) {
            status = read_offset(&one, stairs, r, element);
            element = dpn_json_next(&r->json, element);
        }
        block->start[k] = one;
    }
    return status ? status : dpn_start_block_measure(block, r->why);
}
