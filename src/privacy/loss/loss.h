/* What one privacy loss L = log dP/dQ is made of, under P. Laws are symmetric, so their loss under Q is the mirror
 * image: L under Q is distributed as -L under P.
 */
#ifndef DPN_PRIVACY_LOSS_H
#define DPN_PRIVACY_LOSS_H

#include <dpnoise/privacy.h>
#include <stdbool.h>

struct dpn_loss_kind {
    const char *name;

    /* The profile of one copy, any real epsilon. */
    dpn_status (*delta)(dpn_delta *out, const dpn_loss *loss, double epsilon, dpn_error *why);

    /* What follows is set for losses of joint noise alone, which are neither laws nor lists of atoms. */

    /* The largest loss, or +inf; no mass is infinite. */
    double (*largest)(const dpn_loss *loss);

    /* Bounds of log E e^(theta L), theta > 0, or for theta = 0 of E L. Errors: DPN_EACCURACY. */
    dpn_status (*cumulant)(double *lower, double *upper, const dpn_loss *loss, double theta, dpn_error *why);

    /* Bounds of log Q(L > nu), which for joint noise is Q(L >= nu). NULL: it is bounded by chords of the profile. */
    dpn_status (*log_tail)(double *lower, double *upper, const dpn_loss *loss, double nu);

    /* The profile of `times` copies, epsilon any real number; accuracy as in dpn_accounting_options. NULL: copies are composed. */
    dpn_status (*repeated)(dpn_delta *out, const dpn_loss *loss, uint64_t times, double epsilon, double accuracy,
                           dpn_error *why);

    /* A bound of the Renyi divergence of every order >= 1, rounded up. NULL: the largest loss. */
    double (*divergence_upper)(const dpn_loss *loss, double order);

    bool symmetric; /* L under Q is distributed as -L under P */

    /* Every delta is an integral over a plane, and epsilon, sensitivity and count tell losses apart: what the FFT asks is kept. */
    bool remembered;
};

/* law and sensitivity are set (a K-norm block is Laplace noise of scale 1 with sensitivity = its epsilon). */
extern const struct dpn_loss_kind dpn_loss_kind_law;

/* epsilon is set: L = epsilon with probability 1/(1 + e^-epsilon), else -epsilon. */
extern const struct dpn_loss_kind dpn_loss_kind_pure;

/* value, probability, count are set; total is the sum of the probabilities, by which each is to be divided. */
extern const struct dpn_loss_kind dpn_loss_kind_explicit;

#endif
