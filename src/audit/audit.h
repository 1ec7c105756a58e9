/* An audit inside: any mechanism against any claim. The public audit puts the shipped sampler here; tests put mechanisms
 * with a fault. */
#ifndef DPN_AUDIT_AUDIT_H
#define DPN_AUDIT_AUDIT_H

#include <dpnoise/audit.h>

#include "audit/joint.h"

/* A mechanism. `run` writes `count` outputs, as many numbers each as `input` has, for one input; all in steps. On error
 * nothing of out is used. */
typedef struct dpn_mechanism {
    dpn_status (*run)(void *context, int64_t *out, const int64_t *input, size_t count, dpn_error *why);
    void *context;
} dpn_mechanism;

/* The audit of a mechanism that is said to be what the options describe. */
dpn_status dpn_audit_mechanism(dpn_audit *out, const dpn_audit_options *options, const dpn_mechanism *mechanism,
                               dpn_error *why);

/* The shipped mechanism: the answer, plus noise, clamped. Laws and joints refer to the caller's. */
typedef struct dpn_shipped dpn_shipped;
dpn_status dpn_shipped_new(dpn_shipped **out, const dpn_noise *noise, const int *exponent, size_t dimension,
                           dpn_rng *rng, dpn_error *why);
dpn_status dpn_shipped_run(void *shipped, int64_t *out, const int64_t *input, size_t count, dpn_error *why);
void dpn_shipped_free(dpn_shipped *shipped);

#endif
