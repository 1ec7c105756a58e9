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

/* The interval of delta at two epsilons. */
typedef struct chord {
    dpn_delta here, before;
    double step;
} chord;

static dpn_status make_chord(chord *out, const dpn_condition_question *question, const dpn_part *part, size_t parts,
                             double step, const dpn_accounting_options *options, dpn_error *why) {
    double epsilon = question->epsilon, left = epsilon - step;
    out->step = (epsilon - left) * (1 - DBL_EPSILON); /* rounded down, which rounds the slope up */
    dpn_status status = dpn_compose_delta(&out->here, question->workspace, part, parts, epsilon, options, why);
    return status ? status : dpn_compose_delta(&out->before, question->workspace, part, parts, left, options, why);
}

/* With x = e^epsilon, h(x) = delta is convex and P(L >= epsilon) = h - x h', h' the slope to the left of x. The chord
 * from x e^-step to x is steeper than that: P <= h(x) + (h(x e^-step) - h(x))/(1 - e^-step). */
static double log_of_chord(const chord *c) {
    double top = c->before.log_upper;
    if (top == -INFINITY) return top;
    double drop = -expm1(fmin(0, c->here.log_lower - top)), rise = exp(c->here.log_upper - top);
    return top + log(rise + drop / -expm1(-c->step)) + 16 * DBL_EPSILON * (1 + fabs(top));
}

/* Two errors of the chord: delta is known to one part in 1/accuracy, and falls like e^(-slope epsilon), so that a step
 * s costs the factor 1 + accuracy/(s slope) + s slope/2. The first chord tells the slope, the second has the best
 * step. */
static dpn_status of_chords(double *log_p, const dpn_condition_question *question, const dpn_part *part, size_t parts,
                            dpn_accounting_options options, dpn_error *why) {
    chord first, second;
    dpn_status status = make_chord(&first, question, part, parts, 1e-2, &options, why);
    if (status) return status;
    double fall = first.before.log_upper - first.here.log_upper;
    double slope = fmin(1e9, fmax(1, fall / first.step));
    status = make_chord(&second, question, part, parts, sqrt(2 * options.accuracy) / slope, &options, why);
    if (!status) *log_p = fmin(log_of_chord(&first), log_of_chord(&second));
    return status;
}

static dpn_status of_move(double *log_p, const dpn_condition_question *question, const dpn_part *part, size_t parts,
                          dpn_error *why) {
    if (parts == 1 && part->times == 1) return of_one(log_p, &part->loss, question->epsilon, why);
    if (parts > 0)
        return of_chords(log_p, question, part, parts,
                         (dpn_accounting_options){.size = sizeof(dpn_accounting_options), .accuracy = 1e-5}, why);
    *log_p = question->epsilon > 0 ? -INFINITY : 0;
    return DPN_OK;
}

dpn_status dpn_condition_probabilistic(dpn_conditioned *out, const dpn_condition_question *question, dpn_error *why) {
    dpn_moves moves;
    double worst = -INFINITY, above = INFINITY;
    dpn_status status = dpn_moves_make(&moves, question->law, question->laws, question->set, why);
    for (size_t i = 0; i < moves.moves && !status; i++) {
        const dpn_move *move = &moves.move[i];
        double log_p = 0;
        if (move->role == DPN_MOVE_POSSIBLE) continue;
        status = of_move(&log_p, question, dpn_moves_parts(&moves, i), move->count, why);
        if (move->role == DPN_MOVE_ABOVE)
            above = fmin(above, log_p);
        else
            worst = fmax(worst, log_p);
    }
    if (!status) *out = (dpn_conditioned){.log_delta = isinf(above) && above > 0 ? worst : above};
    return dpn_moves_done(&moves, NULL, status);
}
