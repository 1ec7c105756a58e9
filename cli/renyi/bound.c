/* The bounds by name of `dpnoise renyi --bound`. */
#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/json.h"
#include "renyi/renyi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void renyi_list_bounds(bool json) {
    if (!json) {
        for (size_t i = 0; dpn_renyi_bound_name(i); i++) {
            char label[32];
            snprintf(label, sizeof label, "%-14s  ", dpn_renyi_bound_name(i));
            fact_print(stdout, label, "%s", dpn_renyi_bound_describe(i));
        }
        return;
    }
    struct json object = json_begin(stdout);
    json_open_array(&object, "bounds");
    for (size_t i = 0; dpn_renyi_bound_name(i); i++) {
        json_open_object(&object, NULL);
        json_string(&object, "bound", dpn_renyi_bound_name(i));
        json_string(&object, "description", dpn_renyi_bound_describe(i));
        json_close_object(&object);
    }
    json_close_array(&object);
    json_end(&object);
}

dpn_status renyi_bound_at(double *out, const struct renyi_question *question, size_t mechanism, size_t bound,
                          double order, dpn_error *why) {
    dpn_error reason;
    *out = NAN;
    if (!(order > 1 && isfinite(order))) return DPN_OK;
    dpn_status status = dpn_renyi_bound(out, question->bound[bound], &question->mechanisms.law[mechanism],
                                        &question->mechanisms.sensitivity.set, order, &reason);
    if (status == DPN_EUNSUPPORTED) return DPN_OK;
    if (status) *why = reason;
    return status;
}

/* That some law is one that the bound is about. */
static dpn_status check_bound(const struct renyi_question *question, size_t bound, dpn_error *why) {
    double value;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < question->mechanisms.laws; i++) {
        status = dpn_renyi_bound(&value, question->bound[bound], &question->mechanisms.law[i],
                                 &question->mechanisms.sensitivity.set, 2, why);
        if (status != DPN_EUNSUPPORTED) return status;
    }
    return status;
}

dpn_status renyi_read_bounds(struct renyi_question *out, const struct arguments *arguments, dpn_error *why) {
    if (!arguments_have(arguments, "--bound")) return DPN_OK;
    if (!out->mechanisms.laws)
        return refuse(why, DPN_EPARSE, "--bound is about a LAW and its set, not about a composition or a plan");
    out->bound = calloc(arguments->givens, sizeof *out->bound);
    if (!out->bound) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        if (strcmp(arguments->given[i].option->name, "--bound") != 0) continue;
        out->bound[out->bounds++] = arguments->given[i].value;
        status = check_bound(out, out->bounds - 1, why);
        if (status == DPN_EPARSE)
            return refuse(why, status, "no bound is called '%.40s'; --bound list prints their names",
                          arguments->given[i].value);
    }
    return status;
}
