/* The noise that the options speak of: a law for each answer, or joint noise of several answers together. */
#ifndef DPN_AUDIT_JOINT_H
#define DPN_AUDIT_JOINT_H

#include <dpnoise/audit.h>
#include <dpnoise/vector-sampler.h>

enum { DPN_AUDIT_ANSWERS = 256 };

/* Noise of a density proportional to exp(-rate |v| - square |v|^2/2) on some of the answers; of a start box |v| is the distance to it. */
typedef struct dpn_joint {
    size_t count;
    const size_t *coordinate; /* which answers; NULL: all of them */
    double rate, square;      /* square is 0 but of spherical noise */

    double p; /* |v| = |(v_i unit_i)_i|_p for v in steps */
    double *unit;
    const double *offset; /* of a start box: |v| = max (|v_i unit_i| - offset_i)_+, rounded up if stairs; else NULL */
    bool stairs;
    dpn_vector_sampler *sampler;

    const dpn_block *box; /* or a random box, v_i unit_i in units of the sensitivities */
    const dpn_block
        *staircase; /* or staircases that end, v_i unit_i in units of the sensitivities, on the integers v_i itself */

    const dpn_audit_joint *given; /* or the caller's, on the grid exponent[i] */
    const int *exponent;
} dpn_joint;

/* Free with dpn_noise_free. */
typedef struct dpn_noise {
    const dpn_law *law; /* law[0] for all answers if laws is 1; of no family where an answer has none of its own */
    size_t laws;
    dpn_law *own;
    dpn_joint *joint;
    size_t joints;
    bool whole; /* joint noise on the integers */
} dpn_noise;

/* The noise of options that have law, plan or joint, and at most DPN_AUDIT_ANSWERS answers. It refers to the options and
 * to the exponents. With exponent NULL there are laws and no joints yet, enough to choose a grid. Free with dpn_noise_free,
 * also after an error.
 * Errors   DPN_EUNSUPPORTED for blocks that are not drawn; those of dpn_vector_sampler_lp; DPN_ENOMEM. */
dpn_status dpn_noise_make(dpn_noise *out, const dpn_audit_options *options, const int *exponent, dpn_error *why);
void dpn_noise_free(dpn_noise *noise);

/* Whether an answer has noise on the integers. */
bool dpn_noise_is_integer(const dpn_noise *noise);

/* log p(y)/p(y - move), in doubles: whatever it is, an event that is made of it is fixed. */
double dpn_joint_loss(const dpn_joint *joint, const int64_t *output, const int64_t *move);

/* One draw, into the places of its answers. */
dpn_status dpn_joint_draw(const dpn_joint *joint, dpn_rng *rng, int64_t *noise, dpn_error *why);

#endif
