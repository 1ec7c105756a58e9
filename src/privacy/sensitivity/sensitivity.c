/* The profile of listed moves, and names. */
#include "base/error.h"
#include "privacy/sensitivity/moves.h"

#include <math.h>

const char *dpn_relation_name(dpn_relation relation) {
    static const char *const names[] = {"add-remove", "replace"};
    return (size_t)relation < sizeof names / sizeof *names ? names[relation] : NULL;
}

const char *dpn_unit_name(dpn_unit unit) {
    static const char *const names[] = {"row", "person"};
    return (size_t)unit < sizeof names / sizeof *names ? names[unit] : NULL;
}

const char *dpn_argument_name(dpn_argument argument) {
    static const char *const names[] = {"corner",     "vertices",  "one-hot", "l2-Gaussian", "bound",
                                        "directions", "theorem-8", "zcdp",    "renyi"};
    return (unsigned)argument < sizeof names / sizeof *names ? names[argument] : "?";
}

dpn_status dpn_moves_delta(dpn_delta *out, const dpn_moves *moves, dpn_workspace *workspace, double epsilon,
                           const dpn_accounting_options *options, dpn_error *why) {
    dpn_delta all = dpn_moves_start(moves->move, moves->moves);
    for (size_t i = 0; i < moves->moves; i++) {
        dpn_delta one;
        dpn_status status =
            dpn_compose_delta(&one, workspace, dpn_moves_parts(moves, i), moves->move[i].count, epsilon, options, why);
        if (dpn_moves_may_miss(status, moves->move[i].role)) continue;
        if (status) return status;
        dpn_moves_join_delta(&all, &one, moves->move[i].role);
    }
    if (moves->upper_only) {
        all.lower = epsilon < 0 ? -expm1(epsilon) : 0; /* what any mechanism has */
        all.log_lower = log(all.lower);
    }
    *out = all;
    return DPN_OK;
}

dpn_status dpn_moves_epsilon(dpn_epsilon *out, const dpn_moves *moves, dpn_workspace *workspace, double delta,
                             const dpn_accounting_options *options, dpn_error *why) {
    dpn_epsilon all = {0, dpn_moves_bounded(moves->move, moves->moves) ? INFINITY : 0};
    for (size_t i = 0; i < moves->moves; i++) {
        dpn_epsilon one;
        dpn_status status =
            dpn_compose_epsilon(&one, workspace, dpn_moves_parts(moves, i), moves->move[i].count, delta, options, why);
        if (dpn_moves_may_miss(status, moves->move[i].role)) continue;
        if (status) return status;
        dpn_moves_join(&all.lower, &all.upper, one.lower, one.upper, moves->move[i].role);
    }
    if (moves->upper_only) all.lower = 0;
    *out = all;
    return DPN_OK;
}
