/* The mechanisms that a command asks about. */
#include "input/mechanisms.h"

#include "kit/fail.h"
#include "words/law.h"

#include <stdlib.h>

static dpn_status read_laws(dpn_law **law, size_t *laws, struct sensitivity *sensitivity,
                            const struct arguments *arguments, dpn_error *why) {
    if (arguments_have(arguments, "--times"))
        return refuse(why, DPN_EPARSE, "--times belongs to a composition: write --law LAW --sensitivity S --times N");
    if (arguments_have(arguments, "--export"))
        return refuse(why, DPN_EPARSE, "--export writes a composition: write --law LAW --sensitivity S --times N");
    *law = calloc(arguments->operands, sizeof **law);
    if (!*law) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    for (; *laws < arguments->operands && !status; ++*laws)
        status = law_read(&(*law)[*laws], arguments->operand[*laws], why);
    if (!status) status = sensitivity_read(sensitivity, arguments, why);
    for (size_t i = 0; i < *laws && !status; i++) status = sensitivity_check(sensitivity, &(*law)[i], why);
    return status;
}

static dpn_status read_composition(struct sensitivity *sensitivity, struct composition *composition,
                                   const struct arguments *arguments, dpn_error *why) {
    const char *alien = sensitivity_option_given(arguments);
    if (alien)
        return refuse(why, DPN_EPARSE,
                      "%s describes the answers of one LAW; in a composition each --law has its --sensitivity", alien);
    dpn_status status = composition_read(composition, arguments, why);
    return status ? status : sensitivity_read_neighbours(&sensitivity->set, arguments, why);
}

static dpn_status read_plan(struct sensitivity *sensitivity, struct plan_file *plan, const struct arguments *arguments,
                            bool composed, dpn_error *why) {
    if (composed || arguments->operands)
        return refuse(why, DPN_EPARSE, "--plan takes the place of a LAW and of a composition: give one of them");
    if (arguments_have(arguments, "--export"))
        return refuse(why, DPN_EPARSE, "--export writes a composition, and a plan is none");
    dpn_status status = plan_file_read(plan, arguments_value(arguments, "--plan"), why);
    return status ? status : plan_file_read_set(sensitivity, plan, arguments, why);
}

dpn_status mechanisms_read(dpn_law **law, size_t *laws, struct sensitivity *sensitivity,
                           struct composition *composition, struct plan_file *plan, const struct arguments *arguments,
                           const char *example, dpn_error *why) {
    bool composed = composition_given(arguments);
    if (arguments_have(arguments, "--plan")) return read_plan(sensitivity, plan, arguments, composed, why);
    if (composed && arguments->operands)
        return refuse(why, DPN_EPARSE, "'%.40s' stands beside a composition; write --law before it",
                      arguments->operand[0]);
    if (composed) return read_composition(sensitivity, composition, arguments, why);
    if (arguments->operands) return read_laws(law, laws, sensitivity, arguments, why);
    return refuse(why, DPN_EPARSE, "LAW is missing; write for example %s", example);
}
