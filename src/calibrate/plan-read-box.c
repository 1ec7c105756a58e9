/* Plans as text: the sides and steepnesses of random boxes. */
#include "calibrate/plan-read.h"

#include "base/error.h"
#include "calibrate/random-box.h"
#include "privacy/loss/random-box.h"

#include <math.h>
#include <stdlib.h>

/* One for each coordinate, positive; NULL if the member is absent: all are alike. */
static dpn_status read_list(double **out, const dpn_block *block, const dpn_plan_reader *r, const char *name,
                            const dpn_json_value *value) {
    if (!value) return DPN_OK;
    if (value->kind != DPN_JSON_ARRAY || value->count != block->count)
        return dpn_plan_refuse(r, DPN_EPARSE, name, "a list with one number for each coordinate is expected");
    *out = malloc(block->count * sizeof **out);
    if (!*out) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the plan");
    const dpn_json_value *element = dpn_json_first(value);
    for (size_t k = 0; k < block->count; k++) {
        dpn_error reason;
        dpn_status status = dpn_json_number(&(*out)[k], &r->json, element, &reason);
        if (status) return dpn_plan_refuse(r, status, name, reason.sentence);
        if (!((*out)[k] > 0 && isfinite((*out)[k])))
            return dpn_plan_refuse(r, DPN_EDOMAIN, name, "they must be positive and finite");
        element = dpn_json_next(&r->json, element);
    }
    return DPN_OK;
}

dpn_status dpn_plan_read_box(dpn_block *block, const dpn_plan_reader *r, const dpn_json_value *object) {
    const dpn_json_value *c, *beta;
    if (block->kind != DPN_BLOCK_RANDOM_BOX) return DPN_OK;
    dpn_status status = dpn_plan_find(&c, r, object, "c");
    if (!status) status = dpn_plan_find(&beta, r, object, "beta");
    if (!status) status = read_list(&block->box_start, block, r, "c", c);
    if (!status) status = read_list(&block->box_beta, block, r, "beta", beta);
    double largest = 0;
    for (size_t k = 0; k < block->count && !status && beta; k++) largest = fmax(largest, block->box_beta[k]);
    if (!status && beta && largest != block->beta)
        return dpn_plan_refuse(r, DPN_EDOMAIN, "beta", "the largest must be the beta of the noise");
    dpn_error reason;
    dpn_loss loss;
    if (!status) {
        status = dpn_loss_random_box(&loss, block->epsilon, block->box_start, block->box_beta, block->beta,
                                     block->count, &reason);
        if (!status) status = dpn_box_block_measure(block, &reason);
        if (status) return dpn_plan_refuse(r, status, "noise", reason.sentence);
    }
    return status;
}
