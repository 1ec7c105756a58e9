/* dpnoise fit --audit: whole fits of made-up tables that differ by one row, against the guarantee of this one. */
#include "fit/fit.h"

#include "audit/audit.h"
#include "kit/fail.h"

#include <stdlib.h>

static void show_progress(void *context, double done) {
    progress_share(context, done);
}

static dpn_status audit(struct inspection *inspection, const struct fitting *fitting, uint64_t samples,
                        dpn_error *why) {
    dpn_audit_fit_options options = dpn_audit_fit_options_init();
    dpn_rng *rng = NULL;
    dpn_status status = dpn_rng_new(&rng, why);
    inspection->progress = progress_start("audit", 1);
    options.fit = &fitting->options;
    options.declaration = &fitting->release.declaration;
    options.samples = samples;
    options.progress = show_progress;
    options.context = &inspection->progress;
    if (!status) status = dpn_audit_fit(&inspection->audit, &options, rng, why);
    progress_end(&inspection->progress);
    dpn_rng_free(rng);
    return status;
}

dpn_status fit_audit(const struct fitting *fitting, dpn_error *why) {
    const struct arguments *arguments = fitting->release.arguments;
    struct inspection inspection = {.whole = "fit"};
    uint64_t samples = 0;
    dpn_status status = arguments_count(&samples, arguments, "--audit", why);
    if (!status && (samples < 1000 || samples > 1000000000))
        return refuse(why, DPN_EDOMAIN, "--audit must lie between 1000 and 1e9");
    if (!status) status = audit(&inspection, fitting, samples, why);
    if (status) return status;
    inspection.declaration = fitting->release.declaration; /* to look at */
    status = dpn_declaration_write(&inspection.declared, NULL, &fitting->release.declaration, why);
    if (!status && arguments_have(arguments, "--json"))
        audit_print_json(&inspection);
    else if (!status)
        status = audit_print_text(&inspection, why);
    free(inspection.declared);
    return status ? status : audit_verdict(&inspection.audit, why);
}
