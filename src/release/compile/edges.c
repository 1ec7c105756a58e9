/* The candidates of a quantile for which none are declared. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "release/compile/edges.h"

#include "base/decimal.h"
#include "base/error.h"
#include "release/declare/signed.h"

#include <stdlib.h>
#include <string.h>

static dpn_status fill(char **edge, const char *lower, const char *upper, dpn_error *why) {
    dpn_signed at, end, step;
    dpn_status status = dpn_signed_read(&at, lower, why);
    if (!status) status = dpn_signed_read(&end, upper, why);
    if (!status) status = dpn_signed_add(&step, &end, &(dpn_signed){!at.negative, at.size}, why);
    if (status) return status;
    if (step.negative || !dpn_decimal_divide(&step.size, &step.size, DPN_EDGES_STEPS))
        return dpn_fail(why, DPN_EDOMAIN, "there are no %d steps from %.40s to %.40s: give edges", DPN_EDGES_STEPS,
                        lower, upper);
    for (int i = 0; i <= DPN_EDGES_STEPS && !status; i++) {
        char text[DPN_SIGNED_TEXT_SIZE];
        if (!(edge[i] = strdup(dpn_signed_print(text, &at))))
            return dpn_fail(why, DPN_ENOMEM, "no memory for the edges");
        status = dpn_signed_add(&at, &at, &step, why);
    }
    return status;
}

dpn_status dpn_edges_make(char ***edge, size_t *edges, const char *lower, const char *upper, dpn_error *why) {
    char **made = calloc(DPN_EDGES_STEPS + 2, sizeof *made);
    if (!made) return dpn_fail(why, DPN_ENOMEM, "no memory for the edges");
    dpn_status status = fill(made, lower, upper, why);
    if (status) {
        for (int i = 0; i <= DPN_EDGES_STEPS; i++) free(made[i]);
        free(made);
        return status;
    }
    *edge = made;
    *edges = DPN_EDGES_STEPS + 1;
    return DPN_OK;
}
