/* The parts of `dpnoise audit`. */
#ifndef DPNOISE_CLI_AUDIT_H
#define DPNOISE_CLI_AUDIT_H

#include "plan-file.h"
#include "progress.h"
#include "sensitivity.h"

#include <dpnoise/audit.h>

struct inspection {
    struct plan_file plan;
    dpn_law *law; /* one, or for a plan one for each answer */
    struct sensitivity sensitivity;
    dpn_audit_request request;
    struct progress progress;
    dpn_audit audit;
};

/* The answer on standard output, as JSON or for people. */
void audit_print_json(const struct inspection *inspection);
dpn_status audit_print_text(const struct inspection *inspection, dpn_error *why);

/* What samples can see of a delta, roughly. */
double audit_least_delta(const struct inspection *inspection);

#endif
