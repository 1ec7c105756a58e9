/* What the FFT engine asks of a loss L = log dP/dQ: its profile, the slopes of its profile, and its range. */
#ifndef DPN_PRIVACY_LOSS_TAIL_H
#define DPN_PRIVACY_LOSS_TAIL_H

#include "privacy/loss/loss.h"
#include "privacy/profile/profile.h"

/* A loss prepared to be asked at many points. */
typedef struct dpn_loss_view {
    const dpn_loss *loss;
    dpn_profile profile; /* of a law */
} dpn_loss_view;

dpn_loss_view dpn_loss_look(const dpn_loss *loss);

/* The profile of one copy at any real epsilon and +inf. Errors: DPN_EACCURACY. */
dpn_status dpn_loss_delta(dpn_delta *out, const dpn_loss_view *view, double epsilon, dpn_error *why);

/* The same in logarithms alone, which is cheaper, and as wide as it has to be. */
dpn_status dpn_loss_log_delta(double *lower, double *upper, const dpn_loss_view *view, double epsilon, dpn_error *why);

/* Q(L > nu), or with at_least Q(L >= nu): minus the slope of the profile to the right, or to the left, of x = e^nu, and its
 * relative error. nu is finite. */
typedef struct dpn_reverse_tail {
    double value, error;
} dpn_reverse_tail;
dpn_reverse_tail dpn_loss_reverse_tail(const dpn_loss_view *view, double nu, bool at_least);

/* Bounds of the finite values of the loss: -inf and +inf if there are none. */
double dpn_loss_least(const dpn_loss_view *view);
double dpn_loss_largest(const dpn_loss_view *view);

#endif
