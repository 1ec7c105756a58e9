/* What the FFT engine asks of a loss. */
#include "privacy/loss/tail.h"

#include "privacy/interval.h"

#include <math.h>

dpn_loss_view dpn_loss_look(const dpn_loss *loss) {
    dpn_loss_view view = {.loss = loss};
    if (loss->kind == &dpn_loss_kind_law && loss->sensitivity > 0)
        dpn_profile_prepare(&view.profile, &loss->law, loss->sensitivity);
    return view;
}

/* A law that cannot move has the loss 0: so has a pure loss of epsilon 0. */
static bool is_law(const dpn_loss_view *view) {
    return view->loss->kind == &dpn_loss_kind_law && view->loss->sensitivity > 0;
}

static bool is_explicit(const dpn_loss_view *view) {
    return view->loss->kind == &dpn_loss_kind_explicit;
}

dpn_status dpn_loss_delta(dpn_delta *out, const dpn_loss_view *view, double epsilon, dpn_error *why) {
    if (!is_law(view)) return view->loss->kind->delta(out, view->loss, epsilon, why);
    dpn_estimate delta = dpn_profile_at(&view->profile, epsilon);
    if (!(delta.error < DPN_PROFILE_ACCURACY)) return dpn_profile_out_of_reach(epsilon, why);
    *out = dpn_estimate_interval(delta);
    return DPN_OK;
}

dpn_status dpn_loss_log_delta(double *lower, double *upper, const dpn_loss_view *view, double epsilon, dpn_error *why) {
    if (!is_law(view)) {
        dpn_delta delta;
        dpn_status status = view->loss->kind->delta(&delta, view->loss, epsilon, why);
        if (status) return status;
        *lower = delta.log_lower;
        *upper = delta.log_upper;
        return DPN_OK;
    }
    dpn_estimate delta = dpn_profile_at(&view->profile, epsilon);
    if (isnan(delta.mantissa)) return dpn_profile_out_of_reach(epsilon, why);
    dpn_estimate_log_interval(lower, upper, delta);
    return DPN_OK;
}

/* The Q-mass of an atom is its P-mass times e^-value. */
static dpn_reverse_tail explicit_tail(const dpn_loss *loss, double nu, bool at_least) {
    dpn_reverse_tail tail = {0, 32 * DBL_EPSILON};
    for (size_t i = loss->count; i-- > 0 && (loss->value[i] > nu || (at_least && loss->value[i] == nu));)
        tail.value += loss->probability[i] / loss->total * exp(-loss->value[i]);
    return tail;
}

static dpn_reverse_tail pure_tail(const dpn_loss *loss, double nu, bool at_least) {
    double atom = loss->epsilon, high = 1 / (1 + exp(atom)); /* Q(L = epsilon) */
    if (nu < -atom || (at_least && nu == -atom)) return (dpn_reverse_tail){1, 0};
    return (dpn_reverse_tail){nu < atom || (at_least && nu == atom) ? high : 0, 8 * DBL_EPSILON};
}

dpn_reverse_tail dpn_loss_reverse_tail(const dpn_loss_view *view, double nu, bool at_least) {
    if (is_explicit(view)) return explicit_tail(view->loss, nu, at_least);
    if (!is_law(view)) return pure_tail(view->loss, nu, at_least);
    dpn_estimate tail = dpn_profile_tails(&view->profile, nu, at_least).q;
    return (dpn_reverse_tail){dpn_estimate_value(tail), tail.error};
}

double dpn_loss_largest(const dpn_loss_view *view) {
    const dpn_loss *loss = view->loss;
    if (is_explicit(view)) {
        size_t last = loss->count - 1;
        if (isfinite(loss->value[last])) return loss->value[last];
        return last > 0 ? loss->value[last - 1] : 0;
    }
    if (!is_law(view)) return loss->epsilon;
    double lower, upper;
    dpn_profile_supremum(&view->profile, &lower, &upper);
    return upper;
}

double dpn_loss_least(const dpn_loss_view *view) {
    return is_explicit(view) ? view->loss->value[0] : -dpn_loss_largest(view);
}
