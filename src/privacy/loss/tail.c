/* What the FFT engine asks of a loss. */
#include "privacy/loss/tail.h"

#include "privacy/interval.h"

#include <math.h>

/* ---- a law at a shift ---- */

static dpn_status law_log_delta(double *lower, double *upper, const dpn_loss_view *view, double epsilon,
                                dpn_error *why) {
    dpn_estimate delta = dpn_profile_at(&view->profile, epsilon);
    if (isnan(delta.mantissa)) return dpn_profile_out_of_reach(epsilon, why);
    dpn_estimate_log_interval(lower, upper, delta);
    return DPN_OK;
}

static dpn_status law_log_delta_after(double *lower, double *upper, dpn_falling *last, const dpn_loss_view *view,
                                      double epsilon, dpn_error *why) {
    if (!dpn_falling_serves(&view->profile)) return law_log_delta(lower, upper, view, epsilon, why);
    last->profile = &view->profile;
    dpn_estimate delta = dpn_falling_at(last, epsilon);
    if (isnan(delta.mantissa)) return dpn_profile_out_of_reach(epsilon, why);
    dpn_estimate_log_interval(lower, upper, delta);
    return DPN_OK;
}

static double law_above(double *least, const dpn_loss_view *view, double nu) {
    dpn_estimate tail = dpn_profile_tail(&view->profile, nu, false);
    double value = dpn_estimate_value(tail);
    *least = tail.error < 1 ? value * (1 - tail.error) : 0;
    return tail.error < 1 ? value * (1 + tail.error) : 1;
}

static double law_at_least(const dpn_loss_view *view, double nu) {
    dpn_estimate tail = dpn_profile_tail(&view->profile, nu, true);
    return tail.error < 1 ? dpn_estimate_value(tail) * (1 - tail.error) : 0;
}

static double law_largest(const dpn_loss_view *view) {
    double lower, upper;
    dpn_profile_supremum(&view->profile, &lower, &upper);
    return upper;
}

static double law_least(const dpn_loss_view *view) {
    return -law_largest(view);
}

static dpn_status known_atoms(dpn_heavy_atom *out, size_t *count, size_t most, const dpn_loss_view *view,
                              double theta) {
    return dpn_heavy_atoms(out, count, most, view->loss, theta);
}

static const struct dpn_loss_source law_source = {law_log_delta, law_above,   law_at_least,        law_largest,
                                                  law_least,     known_atoms, law_log_delta_after, NULL};

/* ---- the losses that are lists of atoms ---- */

static dpn_status list_log_delta(double *lower, double *upper, const dpn_loss_view *view, double epsilon,
                                 dpn_error *why) {
    dpn_delta delta;
    dpn_status status = view->loss->kind->delta(&delta, view->loss, epsilon, why);
    if (status) return status;
    *lower = delta.log_lower;
    *upper = delta.log_upper;
    return DPN_OK;
}

/* The Q-mass of an atom is its P-mass times e^-value. */
static double explicit_tail(const dpn_loss *loss, double nu, bool at_least) {
    double tail = 0;
    for (size_t i = loss->count; i-- > 0 && (loss->value[i] > nu || (at_least && loss->value[i] == nu));)
        tail += loss->probability[i] / loss->total * exp(-loss->value[i]);
    return tail;
}

static double explicit_above(double *least, const dpn_loss_view *view, double nu) {
    double tail = explicit_tail(view->loss, nu, false),
           error = 32 * DBL_EPSILON + (double)view->loss->count * DBL_EPSILON;
    *least = tail * (1 - error);
    return tail * (1 + error);
}

static double explicit_at_least(const dpn_loss_view *view, double nu) {
    return explicit_tail(view->loss, nu, true) * (1 - 32 * DBL_EPSILON - (double)view->loss->count * DBL_EPSILON);
}

static double explicit_largest(const dpn_loss_view *view) {
    const dpn_loss *loss = view->loss;
    size_t last = loss->count - 1;
    if (isfinite(loss->value[last])) return loss->value[last];
    return last > 0 ? loss->value[last - 1] : 0;
}

static double explicit_least(const dpn_loss_view *view) {
    return view->loss->value[0];
}

static const struct dpn_loss_source explicit_source = {
    list_log_delta, explicit_above, explicit_at_least, explicit_largest, explicit_least, known_atoms, NULL, NULL};

/* Q(L = epsilon) is 1/(1 + e^epsilon); L = -epsilon otherwise. A law that cannot move is the case epsilon = 0. */
static double pure_above(double *least, const dpn_loss_view *view, double nu) {
    double atom = view->loss->epsilon, tail = nu < atom ? 1 / (1 + exp(atom)) : 0;
    *least = nu < -atom ? 1 : tail * (1 - 8 * DBL_EPSILON);
    return nu < -atom ? 1 : tail * (1 + 8 * DBL_EPSILON);
}

static double pure_at_least(const dpn_loss_view *view, double nu) {
    double atom = view->loss->epsilon;
    return nu <= -atom ? 1 : nu <= atom ? 1 / (1 + exp(atom)) * (1 - 8 * DBL_EPSILON) : 0;
}

static double pure_largest(const dpn_loss_view *view) {
    return view->loss->epsilon;
}

static double pure_least(const dpn_loss_view *view) {
    return -view->loss->epsilon;
}

static const struct dpn_loss_source pure_source = {list_log_delta, pure_above,  pure_at_least, pure_largest,
                                                   pure_least,     known_atoms, NULL,          NULL};

/* ---- losses of joint noise ----
 * Their profile is convex in x = e^epsilon: its slopes lie between those of the chords on either side, which are short enough to
 * differ little and long enough for the digits of delta.
 */
#define CHORD 1e-5

static dpn_memo_key key_of(const dpn_loss *loss, dpn_memo_what what, double at) {
    return (dpn_memo_key){loss->kind, loss->epsilon, loss->sensitivity, at, loss->count, what};
}

static dpn_status joint_log_delta(double *lower, double *upper, const dpn_loss_view *view, double epsilon,
                                  dpn_error *why) {
    dpn_memo *memo = view->loss->kind->remembered ? view->memo : NULL;
    dpn_memo_key key = key_of(view->loss, DPN_MEMO_DELTA, epsilon);
    if (memo && dpn_memo_find(lower, upper, memo, &key)) return DPN_OK;
    dpn_status status = list_log_delta(lower, upper, view, epsilon, why);
    if (!status && memo) dpn_memo_keep(memo, &key, *lower, *upper);
    return status;
}

/* False if the kind does not know. */
static bool joint_log_tail(double *lower, double *upper, const dpn_loss_view *view, double nu) {
    const struct dpn_loss_kind *kind = view->loss->kind;
    dpn_memo *memo = kind->remembered ? view->memo : NULL;
    dpn_memo_key key = key_of(view->loss, DPN_MEMO_TAIL, nu);
    if (memo && dpn_memo_find(lower, upper, memo, &key)) return true;
    if (!kind->log_tail || kind->log_tail(lower, upper, view->loss, nu)) return false;
    if (memo) dpn_memo_keep(memo, &key, *lower, *upper);
    return true;
}

static double chord(const dpn_loss_view *view, double nu, double to, bool upper) {
    dpn_delta here, there;
    const dpn_loss *loss = view->loss;
    if (loss->kind->delta(&here, loss, nu, NULL) || loss->kind->delta(&there, loss, to, NULL)) return upper ? 1 : 0;
    double width = exp(nu) * fabs(expm1(to - nu)), fall = to < nu ? there.upper - here.lower : here.lower - there.upper;
    return fmin(1, fmax(0, fall / width * (upper ? 1 + 1e-10 : 1 - 1e-10)));
}

static double joint_above(double *least, const dpn_loss_view *view, double nu) {
    double lower, upper;
    if (joint_log_tail(&lower, &upper, view, nu)) {
        *least = exp(lower) * (1 - 4 * DBL_EPSILON);
        return fmin(1, exp(upper) * (1 + 4 * DBL_EPSILON));
    }
    *least = chord(view, nu, nu + CHORD, false);
    return chord(view, nu, nu - CHORD, true);
}

static double joint_at_least(const dpn_loss_view *view, double nu) {
    double least;
    joint_above(&least, view, nu);
    return least;
}

static double joint_largest(const dpn_loss_view *view) {
    return view->loss->kind->largest(view->loss);
}

/* Of a pair that is not symmetric the least is not known: where little is left below counts as nothing. */
static double joint_least(const dpn_loss_view *view) {
    double largest = joint_largest(view);
    return view->loss->kind->symmetric ? -largest : -4 * largest - 40;
}

static dpn_status no_atoms(dpn_heavy_atom *out, size_t *count, size_t most, const dpn_loss_view *view, double theta) {
    (void)out;
    (void)most;
    (void)view;
    (void)theta;
    *count = 0;
    return DPN_OK;
}

static const struct dpn_loss_source joint_source = {joint_log_delta, joint_above, joint_at_least, joint_largest,
                                                    joint_least,     no_atoms,    NULL,           NULL};

/* ---- all ---- */

dpn_loss_view dpn_loss_look(const dpn_loss *loss) {
    dpn_loss_view view = {.loss = loss, .source = &pure_source};
    if (loss->kind == &dpn_loss_kind_explicit) view.source = &explicit_source;
    if (loss->kind->largest) view.source = &joint_source;
    if (loss->kind == &dpn_loss_kind_law && loss->sensitivity > 0) {
        view.source = &law_source;
        dpn_profile_prepare(&view.profile, &loss->law, loss->sensitivity);
    }
    return view;
}

dpn_status dpn_loss_infinite(double *lower, double *upper, const dpn_loss_view *view, dpn_error *why) {
    double log_lower, log_upper;
    dpn_status status = view->source->log_delta(&log_lower, &log_upper, view, INFINITY, why);
    if (status) return status;
    *lower = exp(log_lower) * (1 - 4 * DBL_EPSILON);
    *upper = fmin(1, exp(log_upper) * (1 + 4 * DBL_EPSILON));
    return DPN_OK;
}

bool dpn_loss_vanishes(const dpn_loss_view *view) {
    if (view->source->least(view) != 0 || view->source->largest(view) != 0) return false;
    double lower, upper;
    dpn_error unused;
    return !view->source->log_delta(&lower, &upper, view, INFINITY, &unused) && upper == -INFINITY;
}
