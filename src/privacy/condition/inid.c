/* The conditions of INID (docs/proofs/privacy/conditions.md, sections 5 and 6). */
#include "privacy/condition/condition.h"

#include "law/facts.h"

#include <float.h>
#include <math.h>

/* The coordinates in units of their noise: the largest move, the sum and the l2 norm, rounded up. */
typedef struct scaled {
    double largest, sum, norm;
} scaled;

static scaled scale_bounds(const dpn_condition_question *question) {
    const dpn_sensitivity *set = question->set;
    size_t dimension = set->dimension;
    scaled out = {0, 0, 0};
    if (question->laws == 1 && !set->bound && !set->vertices) { /* all alike, perhaps very many */
        double move = dpn_coordinate_bound(set, 0) / question->law->parameter[0], n = (double)dimension;
        return (scaled){move, n * move * (1 + 8 * DBL_EPSILON), sqrt(n) * move * (1 + 8 * DBL_EPSILON)};
    }
    for (size_t i = 0; i < dimension; i++) {
        double scale = question->law[question->laws == 1 ? 0 : i].parameter[0];
        double move = dpn_coordinate_bound(set, i) / scale;
        out.largest = fmax(out.largest, move);
        out.sum += move;
        out.norm = hypot(out.norm, move);
    }
    double up = 1 + (2 * (double)dimension + 8) * DBL_EPSILON;
    out.sum *= up;
    out.norm *= up;
    return out;
}

/* The profile of this noise of scale 1 that moves by so much. */
static dpn_status of_unit(double *log_delta, const struct dpn_family *family, double move, double epsilon,
                          dpn_error *why) {
    dpn_law law;
    dpn_delta delta = {0};
    double one = 1;
    dpn_status status = dpn_family_make(&law, family, &one, why);
    if (!status) status = dpn_profile_delta(&delta, &law, move, epsilon, why);
    if (!status) *log_delta = delta.log_upper;
    return status;
}

dpn_status dpn_condition_inid_gaussian(dpn_conditioned *out, const dpn_condition_question *question, dpn_error *why) {
    *out = (dpn_conditioned){.exact = dpn_set_is_box(question->set, &question->norms)};
    return of_unit(&out->log_delta, &dpn_gaussian, scale_bounds(question).norm, question->epsilon, why);
}

/* Equal noise: the largest l1 norm in the set. Else that of the box, or l1 on the answer of the least noise. */
dpn_status dpn_condition_inid_laplace(dpn_conditioned *out, const dpn_condition_question *question, dpn_error *why) {
    scaled box = scale_bounds(question);
    double move = box.sum, least = INFINITY, up = 1 + 4 * DBL_EPSILON;
    for (size_t i = 0; i < question->laws; i++) least = fmin(least, question->law[i].parameter[0]);
    move = fmin(move, question->norms.l1 / least * up);
    *out = (dpn_conditioned){.exact = !question->set->vertices && move <= box.largest * (1 + 1e-12)};
    return of_unit(&out->log_delta, &dpn_laplace, move, question->epsilon, why);
}
