/* dpnoise audit --release: whole releases of neighbouring tables against the guarantee that is declared. */
#include "audit/audit.h"

#include "kit/fail.h"
#include "kit/file.h"

#include <dpnoise/number.h>
#include <stdlib.h>
#include <string.h>

/* Options that speak of noise and answers: a specification says it all. */
static dpn_status check_options(const struct arguments *arguments, dpn_error *why) {
    static const char *const taken[] = {"--release", "--samples", "--confidence", "--epsilon", "--delta", "--json"};
    if (arguments->operands) return refuse(why, DPN_EPARSE, "--release takes the place of a LAW: give one of them");
    for (size_t i = 0; i < arguments->givens; i++) {
        const char *name = arguments->given[i].option->name;
        bool known = false;
        for (size_t j = 0; j < sizeof taken / sizeof *taken; j++) known = known || strcmp(name, taken[j]) == 0;
        if (!known) return refuse(why, DPN_EPARSE, "%s does not belong to --release: the specification says it", name);
    }
    return DPN_OK;
}

static dpn_status read_specification(dpn_declaration *out, const char *name, dpn_error *why) {
    char *text = NULL;
    size_t length = 0;
    dpn_error reason;
    dpn_status status = file_read(&text, &length, name, FILE_MOST, "--release: ", why);
    if (status) return status;
    if (length > FILE_MOST)
        status = refuse(&reason, DPN_EIO, "'%.80s' is longer than 64 MiB", name);
    else
        status = dpn_declaration_read(out, text, length, &reason);
    if (!status) status = dpn_declaration_check(out, &reason);
    free(text);
    return status ? refuse(why, status, "--release: %.200s", reason.sentence) : DPN_OK;
}

static dpn_status read_confidence(double *out, const struct arguments *arguments, dpn_error *why) {
    const char *text = arguments_value(arguments, "--confidence");
    dpn_error reason;
    *out = 0.999;
    if (text && dpn_number_parse(out, text, &reason))
        return refuse(why, DPN_EPARSE, "--confidence: %.200s", reason.sentence);
    if (!(*out > 0 && *out < 1)) return refuse(why, DPN_EDOMAIN, "--confidence must lie between 0 and 1");
    return DPN_OK;
}

dpn_status audit_read_release(struct inspection *out, const struct arguments *arguments, dpn_error *why) {
    const dpn_audit_options *claim = &out->options;
    uint64_t samples = 20000;
    dpn_status status = check_options(arguments, why);
    if (!status) status = read_specification(&out->declaration, arguments_value(arguments, "--release"), why);
    if (!status) status = arguments_count(&samples, arguments, "--samples", why);
    if (!status && (samples < 1000 || samples > 1000000000))
        status = refuse(why, DPN_EDOMAIN, "--samples must lie between 1000 and 1e9 for --release");
    out->release = dpn_audit_release_options_init();
    if (!status) status = read_confidence(&out->release.confidence, arguments, why);
    if (!status && claim->at_delta && !claim->claimed)
        status = refuse(why, DPN_EPARSE, "--delta of a claim comes with --epsilon");
    if (!status) status = dpn_declaration_write(&out->declared, NULL, &out->declaration, why);
    out->release.declaration = &out->declaration;
    out->release.samples = samples;
    out->release.hulls = dpn_exact_hulls();
    out->release.claimed = claim->claimed;
    out->release.epsilon = claim->epsilon;
    out->release.delta = claim->at_delta ? claim->delta : 0;
    return status;
}
