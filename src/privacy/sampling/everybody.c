/* Steps that see everybody: a plain composition, which also bounds what samples lose. Its delta times the chance that a person is in any
 * sample is above that of the samples (docs/proofs/privacy/sampling.md, section 5). */
#include "privacy/sampling/everybody.h"

#include "base/error.h"
#include "privacy/compose/compose.h"
#include "privacy/interval.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Ends no further apart leave no room for a bound of another kind: of epsilon over max(1, epsilon), of delta over delta. */
#define NARROW 1e-2

bool dpn_everybody_seen(const dpn_step *step, size_t steps) {
    bool any = false;
    for (size_t i = 0; i < steps; i++) {
        if (step[i].rate == 0 || step[i].times == 0) continue;
        if (step[i].rate != 1) return false;
        any = true;
    }
    return any;
}

/* With rate 1 the steps are a composition like any other. Free *out, also after an error. */
static dpn_status gather_parts(dpn_part **out, size_t *parts, const dpn_step *step, size_t steps, dpn_error *why) {
    size_t room = 1;
    for (size_t i = 0; i < steps; i++) room += step[i].parts;
    *parts = 0;
    *out = malloc(room * sizeof **out);
    if (!*out) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu losses", room);
    for (size_t i = 0; i < steps; i++) {
        if (step[i].rate == 0 || step[i].times == 0) continue;
        if (!step[i].part && step[i].parts > 0) return dpn_fail(why, DPN_EDOMAIN, "part must not be NULL");
        for (size_t k = 0; k < step[i].parts; k++) {
            dpn_part part = step[i].part[k];
            if (part.loss.kind == &dpn_loss_kind_explicit || part.loss.kind->largest)
                return dpn_fail(why, DPN_EUNSUPPORTED, "%s losses cannot be sampled", part.loss.kind->name);
            if (part.times > UINT64_MAX / step[i].times)
                return dpn_fail(why, DPN_EUNSUPPORTED, "a loss occurs more than 2^64 times");
            part.times *= step[i].times;
            (*out)[(*parts)++] = part;
        }
    }
    return DPN_OK;
}

dpn_status dpn_everybody_delta(dpn_delta *out, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                               double epsilon, const dpn_accounting_options *options, dpn_error *why) {
    dpn_part *part;
    size_t parts;
    dpn_status status = gather_parts(&part, &parts, step, steps, why);
    if (!status) status = dpn_compose_delta(out, workspace, part, parts, epsilon, options, why);
    free(part);
    return status;
}

dpn_status dpn_everybody_epsilon(dpn_epsilon *out, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                                 double delta, const dpn_accounting_options *options, dpn_error *why) {
    dpn_part *part;
    size_t parts;
    dpn_status status = gather_parts(&part, &parts, step, steps, why);
    if (!status) status = dpn_compose_epsilon(out, workspace, part, parts, delta, options, why);
    free(part);
    return status;
}

/* ---- a bound for samples ---- */

/* The chance that a person is in any sample. */
static double ever_seen_upper(const dpn_step *step, size_t steps) {
    double never = 0; /* its logarithm */
    for (size_t i = 0; i < steps; i++)
        if (step[i].times > 0) never += (double)step[i].times * log1p(-step[i].rate);
    double seen = -expm1(never * (1 + (double)(steps + 8) * DBL_EPSILON));
    return fmin(1, seen * (1 + 8 * DBL_EPSILON));
}

static bool fatal(dpn_status status) {
    return status == DPN_ENOMEM || status == DPN_ECANCELLED;
}

/* For epsilon < 0 nobody's absence from all samples leaves a delta of 1 - e^epsilon, and the chance is no factor. */
dpn_status dpn_everybody_log_upper(double *log_delta, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                                   double epsilon, dpn_error *why) {
    dpn_delta whole = {0, 1, -INFINITY, 0};
    double log_seen = epsilon >= 0 ? log(ever_seen_upper(step, steps)) : 0;
    dpn_status status = dpn_everybody_delta(&whole, workspace, step, steps, epsilon, NULL, why);
    if (fatal(status)) return status;
    double sum = (status ? 0 : whole.log_upper) + log_seen;
    *log_delta = sum == -INFINITY ? sum : fmin(0, sum + 4 * DBL_EPSILON * (1 + fabs(sum)));
    return DPN_OK;
}

dpn_status dpn_everybody_epsilon_upper(double *epsilon, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                                       double delta, dpn_error *why) {
    dpn_epsilon whole = {0, INFINITY};
    double share = fmin(1, delta / ever_seen_upper(step, steps) * (1 - 4 * DBL_EPSILON));
    dpn_status status = dpn_everybody_epsilon(&whole, workspace, step, steps, share, NULL, why);
    if (fatal(status)) return status;
    *epsilon = status ? INFINITY : whole.upper;
    return DPN_OK;
}

/* ---- wide answers ---- */

bool dpn_delta_is_narrow(const dpn_delta *delta) {
    return delta->log_upper == -INFINITY || delta->log_upper - delta->log_lower <= log1p(NARROW);
}

bool dpn_epsilon_is_narrow(const dpn_epsilon *epsilon) {
    if (epsilon->lower == epsilon->upper) return true;
    return isfinite(epsilon->upper) && epsilon->upper - epsilon->lower <= NARROW * fmax(1, epsilon->upper);
}

dpn_status dpn_everybody_undercut_delta(dpn_delta *answer, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                                        double epsilon, dpn_error *why) {
    double upper;
    if (dpn_delta_is_narrow(answer)) return DPN_OK;
    dpn_status status = dpn_everybody_log_upper(&upper, workspace, step, steps, epsilon, why);
    if (!status && upper < answer->log_upper)
        *answer = dpn_delta_between(answer->log_lower, fmax(answer->log_lower, upper));
    return status;
}

dpn_status dpn_everybody_undercut_epsilon(dpn_epsilon *answer, dpn_workspace *workspace, const dpn_step *step,
                                          size_t steps, double delta, dpn_error *why) {
    double upper;
    if (dpn_epsilon_is_narrow(answer)) return DPN_OK;
    dpn_status status = dpn_everybody_epsilon_upper(&upper, workspace, step, steps, delta, why);
    if (!status) answer->upper = fmax(answer->lower, fmin(answer->upper, upper));
    return status;
}
