/* Conditions by way of Renyi divergences (docs/proofs/privacy/conditions.md, sections 3 and 4). */
#include "privacy/condition/condition.h"
#include "privacy/convert/renyi.h"
#include "privacy/convert/zcdp.h"

#include <dpnoise/renyi.h>

#include <math.h>

enum { ORDERS = 32, ROUNDS = 5 };

/* Upper bounds of the divergences of these orders, +inf where there is none. */
typedef dpn_status curve(double *out, const double *order, size_t orders, const dpn_condition_question *question,
                         dpn_error *why);

/* Log delta is convex in the order (Renyi's cumulant is), so it is least between the neighbours of the best order of a
 * grid; the next grid is there. Any order gives a bound: the search can only miss some of its sharpness. */
static dpn_status at_best_order(dpn_conditioned *out, curve *divergence, const dpn_condition_question *question,
                                dpn_error *why) {
    double low = log(1e-4), high = log(1e9), best = INFINITY, at = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double order[ORDERS], value[ORDERS], step = (high - low) / (ORDERS - 1);
        for (int i = 0; i < ORDERS; i++) order[i] = 1 + exp(low + i * step);
        dpn_status status = divergence(value, order, ORDERS, question, why);
        if (status) return status;
        int least = 0;
        double found = INFINITY;
        for (int i = 0; i < ORDERS; i++) {
            double log_delta =
                dpn_renyi_log_delta_upper(order[i], value[i], question->epsilon, DPN_RULE_CANONNE_KAMATH_STEINKE);
            if (!(log_delta < found)) continue;
            found = log_delta;
            least = i;
        }
        if (found < best) {
            best = found;
            at = order[least];
        }
        high = fmin(low + (least + 1) * step, log(1e9));
        low = fmax(low + (least - 1) * step, log(1e-4));
    }
    *out = (dpn_conditioned){.log_delta = best, .order = best < 0 ? at : 0};
    return DPN_OK;
}

/* Exact divergences. Orders at which they cannot be had do not spoil the others. */
static dpn_status exact_curve(double *out, const double *order, size_t orders, const dpn_condition_question *question,
                              dpn_error *why) {
    dpn_divergence got[ORDERS];
    bool some = true;
    dpn_status status =
        dpn_renyi_sensitivity(got, NULL, question->law, question->laws, question->set, order, orders, why);
    if (status == DPN_EACCURACY) {
        some = false;
        for (size_t i = 0; i < orders; i++) {
            got[i] = (dpn_divergence){0, INFINITY};
            dpn_status one =
                dpn_renyi_sensitivity(&got[i], NULL, question->law, question->laws, question->set, &order[i], 1, NULL);
            if (one == DPN_OK) some = true;
        }
        if (some) status = DPN_OK;
    }
    for (size_t i = 0; i < orders && !status; i++) out[i] = got[i].upper;
    return status;
}

dpn_status dpn_condition_renyi(dpn_conditioned *out, const dpn_condition_question *question, dpn_error *why) {
    dpn_divergence largest;
    double order = INFINITY;
    dpn_status status =
        dpn_renyi_sensitivity(&largest, NULL, question->law, question->laws, question->set, &order, 1, why);
    if (status) return status;
    if (largest.upper > question->epsilon) return at_best_order(out, exact_curve, question, why);
    *out = (dpn_conditioned){.log_delta = -INFINITY, .order = INFINITY, .exact = true};
    return DPN_OK;
}

static dpn_status theorem_2_curve(double *out, const double *order, size_t orders,
                                  const dpn_condition_question *question, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < orders && !status; i++)
        status = dpn_renyi_osgt_theorem_2(&out[i], question->law, (size_t)question->norms.changed, question->norms.l2,
                                          order[i], why);
    return status;
}

dpn_status dpn_condition_theorem_2(dpn_conditioned *out, const dpn_condition_question *question, dpn_error *why) {
    if (question->norms.l2 > 0) return at_best_order(out, theorem_2_curve, question, why);
    *out = (dpn_conditioned){.log_delta = -INFINITY, .exact = true}; /* nothing moves */
    return DPN_OK;
}

dpn_status dpn_condition_theorem_9(dpn_conditioned *out, const dpn_condition_question *question, dpn_error *why) {
    dpn_zcdp zcdp;
    dpn_status status = dpn_zcdp_sensitivity(&zcdp, NULL, question->law, question->laws, question->set, why);
    if (status) return status;
    *out = (dpn_conditioned){.log_delta = -INFINITY, .exact = zcdp.rho == 0};
    if (zcdp.rho > 0)
        out->log_delta = dpn_zcdp_log_delta_upper(zcdp.xi, zcdp.rho, question->epsilon, DPN_RULE_BUN_STEINKE, NULL);
    return DPN_OK;
}
