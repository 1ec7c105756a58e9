/* The parts of `dpnoise audit`. */
#ifndef DPNOISE_CLI_AUDIT_AUDIT_H
#define DPNOISE_CLI_AUDIT_AUDIT_H

#include "input/plan-file.h"
#include "input/sensitivity.h"
#include "kit/progress.h"

#include <dpnoise/audit.h>
#include <dpnoise/geometry.h>

struct inspection {
    struct plan_file plan;
    const char *ball_text; /* K-norm noise by its text */
    dpn_norm_ball *ball;   /* of a hull */
    dpn_ball_sampler *sampler;
    dpn_audit_joint joint;
    dpn_law *law;
    struct sensitivity sensitivity;
    dpn_audit_options options;
    dpn_declaration declaration; /* of --release */
    char *declared;              /* its text; NULL: it is not about a release */
    const char *whole;           /* what is audited as a whole: NULL: releases; "fit" */
    dpn_audit_release_options release;
    struct progress progress;
    dpn_audit audit;
};

/* Whether a text speaks of K-norm noise; read it, for the set that is read; and give the noise of a hull, if it is that,
 * a sampler.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EUNSUPPORTED, DPN_ENOMEM. */
bool audit_is_ball(const char *text);
dpn_status audit_read_ball(struct inspection *out, const char *text, dpn_error *why);
dpn_status audit_read_hull(struct inspection *out, dpn_error *why);

/* --release: the specification, and how it is audited; the claim in `options` is read already. */
dpn_status audit_read_release(struct inspection *out, const struct arguments *arguments, dpn_error *why);

/* The answer on standard output, as JSON or for people. */
void audit_print_json(const struct inspection *inspection);
dpn_status audit_print_text(const struct inspection *inspection, dpn_error *why);

/* After the answer was printed: DPN_EACCURACY if the claim is refuted, in a sentence for standard error. */
dpn_status audit_verdict(const dpn_audit *audit, dpn_error *why);

/* What samples can see of a delta, roughly. */
double audit_least_delta(const struct inspection *inspection);

#endif
