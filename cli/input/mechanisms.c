/* The mechanisms that a command asks about. */
#include "input/mechanisms.h"

#include "kit/fail.h"
#include "words/law.h"

#include <stdlib.h>

static dpn_status read_laws(struct mechanisms *out, const struct arguments *arguments, dpn_error *why) {
    if (arguments_have(arguments, "--times"))
        return refuse(why, DPN_EPARSE, "--times belongs to a composition: write --law LAW --sensitivity S --times N");
    if (arguments_have(arguments, "--export"))
        return refuse(why, DPN_EPARSE, "--export writes a composition: write --law LAW --sensitivity S --times N");
    out->law = calloc(arguments->operands, sizeof *out->law);
    if (!out->law) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    for (; out->laws < arguments->operands && !status; out->laws++)
        status = law_read(&out->law[out->laws], arguments->operand[out->laws], why);
    if (!status) status = sensitivity_read(&out->sensitivity, arguments, why);
    for (size_t i = 0; i < out->laws && !status; i++) status = sensitivity_check(&out->sensitivity, &out->law[i], why);
    return status;
}

static dpn_status read_composition(struct mechanisms *out, const struct arguments *arguments, dpn_error *why) {
    const char *alien = sensitivity_option_given(arguments);
    if (alien)
        return refuse(why, DPN_EPARSE,
                      "%s describes the answers of one LAW; in a composition each --law has its --sensitivity", alien);
    dpn_status status = composition_read(&out->composition, arguments, why);
    return status ? status : sensitivity_read_neighbours(&out->sensitivity.set, arguments, why);
}

/* The run tells all: its moves are those of its phases. */
static dpn_status read_training(struct mechanisms *out, const struct arguments *arguments, dpn_error *why) {
    dpn_sensitivity said;
    if (sensitivity_given(arguments) || arguments_have(arguments, "--times"))
        return refuse(why, DPN_EPARSE, "--plan: a training run tells its sensitivities and steps itself");
    dpn_status status = sensitivity_read_neighbours(&said, arguments, why);
    if (!status && said.relation != DPN_ADD_REMOVE)
        status = refuse(why, DPN_EUNSUPPORTED, "--plan: this training run is about --relation add-remove");
    out->sensitivity.set = said;
    if (!arguments_have(arguments, "--unit")) out->sensitivity.set.unit = out->training.plan.unit;
    return status;
}

/* Phases of a run: each --law has its own --sensitivity, --sample-rate and --steps, and nothing else. */
static dpn_status read_phases(struct mechanisms *out, const struct arguments *arguments, dpn_error *why) {
    static const char *const not_here[] = {"--times",   "--pure",    "--block", "--guarantee",
                                           "--import",  "--export",  "--batch", "--population",
                                           "--present", "--shuffle", "--plan",  NULL};
    const char *alien = sensitivity_option_given(arguments);
    for (const char *const *option = not_here; *option && !alien; option++)
        if (arguments_have(arguments, *option)) alien = *option;
    if (alien)
        return refuse(why, DPN_EPARSE,
                      "%s does not go with several --sample-rate, the phases of a run: each has --law, --sensitivity, "
                      "--sample-rate and --steps",
                      alien);
    if (arguments->operands)
        return refuse(why, DPN_EPARSE, "'%.40s' stands beside phases; write --law before it", arguments->operand[0]);
    dpn_status status = sensitivity_read_neighbours(&out->sensitivity.set, arguments, why);
    if (!status && out->sensitivity.set.relation != DPN_ADD_REMOVE)
        status = refuse(why, DPN_EUNSUPPORTED, "phases with samples of their own are about --relation add-remove");
    return status ? status : training_phases_read(&out->training, arguments, why);
}

static dpn_status read_plan(struct mechanisms *out, const struct arguments *arguments, bool composed, dpn_error *why) {
    if (composed || arguments->operands)
        return refuse(why, DPN_EPARSE, "--plan takes the place of a LAW and of a composition: give one of them");
    if (arguments_have(arguments, "--export"))
        return refuse(why, DPN_EPARSE, "--export writes compositions, not plans");
    dpn_status status = plan_file_read_any(&out->plan, &out->training, arguments_value(arguments, "--plan"), why);
    if (!status && out->training.given) return read_training(out, arguments, why);
    return status ? status : plan_file_read_set(&out->sensitivity, &out->plan, arguments, why);
}

dpn_status mechanisms_read(struct mechanisms *out, const struct arguments *arguments, const char *example,
                           dpn_error *why) {
    bool composed = composition_given(arguments);
    if (training_has_phases(arguments)) return read_phases(out, arguments, why);
    if (arguments_have(arguments, "--plan")) return read_plan(out, arguments, composed, why);
    if (composed && arguments->operands)
        return refuse(why, DPN_EPARSE, "'%.40s' stands beside a composition; write --law before it",
                      arguments->operand[0]);
    if (composed || (composition_of_law(arguments) && !sensitivity_option_given(arguments)))
        return read_composition(out, arguments, why);
    if (arguments->operands) return read_laws(out, arguments, why);
    return refuse(why, DPN_EPARSE, "LAW is missing; write for example %s", example);
}

void mechanisms_free(struct mechanisms *mechanisms) {
    free(mechanisms->law);
    sensitivity_free(&mechanisms->sensitivity);
    composition_free(&mechanisms->composition);
    plan_file_free(&mechanisms->plan);
    training_file_free(&mechanisms->training);
}

size_t mechanisms_count(const struct mechanisms *mechanisms) {
    return mechanisms->laws ? mechanisms->laws : 1;
}

bool mechanisms_composed(const struct mechanisms *mechanisms) {
    return !mechanisms->laws && !mechanisms->plan.given;
}
