/* The candidates of a quantile for which none are listed. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "release/compile/edges.h"

#include "base/decimal.h"
#include "base/error.h"
#include "release/declare/candidates.h"
#include "release/declare/signed.h"

#include <stdlib.h>
#include <string.h>

/* `from`, and as many steps further. */
static dpn_status fill(char **edge, size_t steps, dpn_signed from, const dpn_signed *step, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i <= steps && !status; i++) {
        char text[DPN_SIGNED_TEXT_SIZE];
        if (!(edge[i] = strdup(dpn_signed_print(text, &from))))
            return dpn_fail(why, DPN_ENOMEM, "no memory for the edges");
        if (i < steps) status = dpn_signed_add(&from, &from, step, why);
    }
    return status;
}

/* All edges, `before` of which are still missing at the front. */
static dpn_status make(char ***edge, size_t *edges, size_t before, size_t steps, const dpn_signed *from,
                       const dpn_signed *step, dpn_error *why) {
    size_t count = before + steps + 1;
    char **made = calloc(count + 1, sizeof *made);
    if (!made) return dpn_fail(why, DPN_ENOMEM, "no memory for the edges");
    dpn_status status = fill(made + before, steps, *from, step, why);
    if (!status && before && !(made[0] = strdup("-inf"))) status = dpn_fail(why, DPN_ENOMEM, "no memory for the edges");
    if (status) {
        for (size_t i = 0; i < count; i++) free(made[i]);
        free(made);
        return status;
    }
    *edge = made;
    *edges = count;
    return DPN_OK;
}

dpn_status dpn_edges_make(char ***edge, size_t *edges, const char *lower, const char *upper, dpn_error *why) {
    dpn_signed from, end, step;
    dpn_status status = dpn_signed_read(&from, lower, why);
    if (!status) status = dpn_signed_read(&end, upper, why);
    if (!status) status = dpn_signed_add(&step, &end, &(dpn_signed){!from.negative, from.size}, why);
    if (status) return status;
    if (step.negative || !dpn_decimal_divide(&step.size, &step.size, DPN_EDGES_STEPS))
        return dpn_fail(why, DPN_EDOMAIN, "there are no %d steps from %.40s to %.40s: give edges", DPN_EDGES_STEPS,
                        lower, upper);
    return make(edge, edges, 0, DPN_EDGES_STEPS, &from, &step, why);
}

dpn_status dpn_edges_step(char ***edge, size_t *edges, const char *lower, const char *upper, const char *step,
                          dpn_error *why) {
    dpn_signed from, each;
    uint32_t steps = 0;
    dpn_status status = dpn_candidates_steps(&steps, lower, upper, step, why);
    if (!status) status = dpn_signed_read(&from, lower, why);
    if (!status) status = dpn_signed_read(&each, step, why);
    return status ? status : make(edge, edges, 1, steps, &from, &each, why);
}
