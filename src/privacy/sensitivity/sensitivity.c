/* The profile of independent noise on the coordinates of a sensitivity set. */
#include "base/error.h"
#include "privacy/sensitivity/moves.h"

#include <math.h>

const char *dpn_relation_name(dpn_relation relation) {
    static const char *const names[] = {"replace", "add-remove"};
    return (size_t)relation < sizeof names / sizeof *names ? names[relation] : NULL;
}

const char *dpn_unit_name(dpn_unit unit) {
    static const char *const names[] = {"row", "person"};
    return (size_t)unit < sizeof names / sizeof *names ? names[unit] : NULL;
}

const char *dpn_argument_name(dpn_argument argument) {
    static const char *const names[] = {"corner", "vertices", "one-hot", "l2-Gaussian", "bound"};
    return (unsigned)argument < sizeof names / sizeof *names ? names[argument] : "?";
}

/* The parts of a move; NULL if nothing moves. */
static const dpn_part *parts_of(const dpn_moves *moves, size_t i) {
    return moves->move[i].count ? &moves->part[moves->move[i].first] : NULL;
}

dpn_status dpn_moves_delta(dpn_delta *out, const dpn_moves *moves, dpn_workspace *workspace, double epsilon,
                           const dpn_accounting *how, dpn_error *why) {
    dpn_status status = DPN_OK;
    dpn_delta worst = {0, 0, -INFINITY, -INFINITY}, above = {1, 1, 0, 0};
    bool bounded = false;
    for (size_t i = 0; i < moves->moves; i++) {
        dpn_delta one;
        status = dpn_compose_delta(&one, workspace, parts_of(moves, i), moves->move[i].count, epsilon, how, why);
        if (status) return status;
        if (moves->move[i].role == DPN_MOVE_ABOVE) {
            bounded = true;
            above.upper = fmin(above.upper, one.upper);
            above.log_upper = fmin(above.log_upper, one.log_upper);
            continue;
        }
        worst.lower = fmax(worst.lower, one.lower);
        worst.log_lower = fmax(worst.log_lower, one.log_lower);
        worst.upper = fmax(worst.upper, one.upper);
        worst.log_upper = fmax(worst.log_upper, one.log_upper);
    }
    *out = worst;
    if (bounded) {
        out->upper = above.upper;
        out->log_upper = above.log_upper;
    }
    if (moves->upper_only) {
        out->lower = epsilon < 0 ? -expm1(epsilon) : 0; /* what any mechanism has */
        out->log_lower = log(out->lower);
    }
    return DPN_OK;
}

dpn_status dpn_moves_epsilon(dpn_epsilon *out, const dpn_moves *moves, dpn_workspace *workspace, double delta,
                             const dpn_accounting *how, dpn_error *why) {
    dpn_status status = DPN_OK;
    dpn_epsilon worst = {0, 0};
    double above = INFINITY;
    bool bounded = false;
    for (size_t i = 0; i < moves->moves; i++) {
        dpn_epsilon one;
        status = dpn_compose_epsilon(&one, workspace, parts_of(moves, i), moves->move[i].count, delta, how, why);
        if (status) return status;
        if (moves->move[i].role == DPN_MOVE_ABOVE) {
            bounded = true;
            above = fmin(above, one.upper);
            continue;
        }
        worst.lower = fmax(worst.lower, one.lower);
        worst.upper = fmax(worst.upper, one.upper);
    }
    *out = worst;
    if (bounded) out->upper = above;
    if (moves->upper_only) out->lower = 0;
    return DPN_OK;
}

dpn_status dpn_sensitivity_delta(dpn_delta *out, dpn_argument *argument, dpn_workspace *workspace, const dpn_law *law,
                                 size_t laws, const dpn_sensitivity *set, double epsilon, const dpn_accounting *how,
                                 dpn_error *why) {
    dpn_moves moves;
    dpn_status status = dpn_moves_make(&moves, law, laws, set, why);
    if (!status) status = dpn_moves_delta(out, &moves, workspace, epsilon, how, why);
    if (!status && argument) *argument = moves.argument;
    dpn_moves_free(&moves);
    return status;
}

dpn_status dpn_sensitivity_epsilon(dpn_epsilon *out, dpn_argument *argument, dpn_workspace *workspace,
                                   const dpn_law *law, size_t laws, const dpn_sensitivity *set, double delta,
                                   const dpn_accounting *how, dpn_error *why) {
    dpn_moves moves;
    dpn_status status = dpn_moves_make(&moves, law, laws, set, why);
    if (!status) status = dpn_moves_epsilon(out, &moves, workspace, delta, how, why);
    if (!status && argument) *argument = moves.argument;
    dpn_moves_free(&moves);
    return status;
}
