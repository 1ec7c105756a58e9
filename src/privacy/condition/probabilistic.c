/* The probability of a loss of epsilon or more (docs/proofs/privacy/conditions.md, section 7). */
#include "privacy/condition/condition.h"
#include "privacy/interval.h"
#include "privacy/profile/profile.h"
#include "privacy/sensitivity/moves.h"

#include <float.h>
#include <math.h>

/* One answer moves. */
static dpn_status of_one(double *log_p, const dpn_loss *loss, double epsilon, dpn_error *why) {
    dpn_profile profile;
    dpn_profile_prepare(&profile, &loss->law, loss->sensitivity);
    dpn_estimate p = dpn_profile_tails(&profile, epsilon, true).p;
    if (!dpn_estimate_usable(p)) return dpn_profile_out_of_reach(epsilon, why);
    *log_p = dpn_estimate_interval(p).log_upper;
    return DPN_OK;
}

/* With x = e^epsilon, h(x) = delta is convex and P(L >= epsilon) = h - x h', h' the slope to the left of x; a chord from
 * x e^-step to x is steeper than that: P <= h(x) + (h(x e^-step) - h(x))/(1 - e^-step). */
static dpn_status of_chord(double *log_p, const dpn_condition_question *question, const dpn_part *part, size_t parts,
                           double step, double accuracy, dpn_error *why) {
    dpn_accounting how = {.accuracy = accuracy};
    double epsilon = question->epsilon, width = nextafter(epsilon - step, -INFINITY);
    dpn_delta here, before;
    dpn_status status = dpn_compose_delta(&here, question->workspace, part, parts, epsilon, &how, why);
    if (!status) status = dpn_compose_delta(&before, question->workspace, part, parts, width, &how, why);
    if (status) return status;
    double top = before.log_upper;
    if (top == -INFINITY) {
        *log_p = top;
        return DPN_OK;
    }
    double drop = -expm1(fmin(0, here.log_lower - top)), rise = exp(here.log_upper - top);
    double sum = rise + drop / -expm1(width - epsilon);
    *log_p = top + log(sum) + 16 * DBL_EPSILON * (1 + fabs(top));
    return DPN_OK;
}

/* The finer of two chords, if the accuracy that it asks for is to be had. */
static dpn_status of_move(double *log_p, const dpn_condition_question *question, const dpn_part *part, size_t parts,
                          dpn_error *why) {
    if (parts == 0) {
        *log_p = question->epsilon > 0 ? -INFINITY : 0;
        return DPN_OK;
    }
    if (parts == 1 && part->times == 1) return of_one(log_p, &part->loss, question->epsilon, why);
    dpn_status status = of_chord(log_p, question, part, parts, 1e-5, 1e-10, why);
    return status == DPN_EACCURACY ? of_chord(log_p, question, part, parts, 3e-3, 0, why) : status;
}

dpn_status dpn_condition_probabilistic(dpn_conditioned *out, const dpn_condition_question *question, dpn_error *why) {
    dpn_moves moves;
    double worst = -INFINITY, above = INFINITY;
    dpn_status status = dpn_moves_make(&moves, question->law, question->laws, question->set, why);
    for (size_t i = 0; i < moves.moves && !status; i++) {
        const dpn_move *move = &moves.move[i];
        double log_p = 0;
        if (move->role == DPN_MOVE_POSSIBLE) continue;
        status = of_move(&log_p, question, move->count ? &moves.part[move->first] : NULL, move->count, why);
        if (move->role == DPN_MOVE_ABOVE)
            above = fmin(above, log_p);
        else
            worst = fmax(worst, log_p);
    }
    if (!status) *out = (dpn_conditioned){.log_delta = isinf(above) && above > 0 ? worst : above};
    dpn_moves_free(&moves);
    return status;
}
