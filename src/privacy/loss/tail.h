/* What the FFT engine asks of a loss L = log dP/dQ: its profile, the slopes of its profile, and its range. */
#ifndef DPN_PRIVACY_LOSS_TAIL_H
#define DPN_PRIVACY_LOSS_TAIL_H

#include "privacy/loss/heavy-atoms.h"
#include "privacy/loss/loss.h"
#include "privacy/loss/memo.h"
#include "privacy/profile/falling.h"

/* A loss prepared to be asked at many points. */
typedef struct dpn_loss_view {
    const struct dpn_loss_source *source;
    const dpn_loss *loss; /* NULL: the loss is not one of the public ones */
    dpn_profile profile;  /* of a law */
    const void *other;    /* what another source needs */
    dpn_memo *memo;       /* NULL: nothing is kept */
} dpn_loss_view;

struct dpn_loss_source {
    /* Bounds of log delta of one copy, any real epsilon and +inf, as wide as they have to be. Errors: DPN_EACCURACY. */
    dpn_status (*log_delta)(double *lower, double *upper, const dpn_loss_view *view, double epsilon, dpn_error *why);

    /* The slopes of the profile to the right and to the left of x = e^nu, nu finite, are -Q(L > nu) and -Q(L >= nu): a
     * number that is at least the former, with one that is at most the former in *least (0 if that would cost more), and one that is
     * at most the latter. */
    double (*above)(double *least, const dpn_loss_view *view, double nu);
    double (*at_least)(const dpn_loss_view *view, double nu);

    /* The finite values of the loss: none is larger (+inf if they have no bound), and what is smaller than the least does not
     * matter. */
    double (*largest)(const dpn_loss_view *view);
    double (*least)(const dpn_loss_view *view);

    /* As dpn_heavy_atoms. */
    dpn_status (*atoms)(dpn_heavy_atom *out, size_t *count, size_t most, const dpn_loss_view *view, double theta);

    /* As log_delta at finite epsilons that do not rise from call to call: last, which begins as zeros, keeps what serves the next.
     * NULL: log_delta is as quick. */
    dpn_status (*log_delta_after)(double *lower, double *upper, dpn_falling *last, const dpn_loss_view *view,
                                  double epsilon, dpn_error *why);

    /* The upper bound of log_delta alone. NULL: both are as quick. */
    dpn_status (*log_upper)(double *upper, const dpn_loss_view *view, double epsilon, dpn_error *why);
};

dpn_loss_view dpn_loss_look(const dpn_loss *loss);

/* The mass of infinite loss. */
dpn_status dpn_loss_infinite(double *lower, double *upper, const dpn_loss_view *view, dpn_error *why);

/* Whether the loss is always 0. */
bool dpn_loss_vanishes(const dpn_loss_view *view);

#endif
