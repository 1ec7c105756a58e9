/* `dpnoise add --knorm BALL` for balls that are the set of moves themselves. */
#include "add/add.h"

#include "kit/fail.h"
#include "knorm/knorm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool add_has_own_ball(const struct arguments *arguments) {
    const char *ball = arguments_value(arguments, "--knorm");
    if (!ball || strncmp(ball, "hull:", 5) == 0) return false;
    return strcmp(ball, "k2") == 0 || strcmp(ball, "k3") == 0 || strncmp(ball, "regression", 10) == 0 ||
           strncmp(ball, "image:", 6) == 0 || strpbrk(ball, "(&+*.");
}

/* What has no meaning here would be passed over. */
static dpn_status check_options(const struct arguments *arguments, const char *ball, dpn_error *why) {
    static const char *const idle[] = {"--sensitivity", "--sensitivities", "--max-changed", "--l1",       "--l2",
                                       "--linf",        "--vertices",      "--histogram",   "--max-rows", "--delta",
                                       "--identical",   "--objective",     "--weights"};
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (arguments_have(arguments, idle[i]))
            return refuse(why, DPN_EPARSE, "--knorm %.60s says how far the answers move together: leave out %s", ball,
                          idle[i]);
    return DPN_OK;
}

/* The set that is told besides: how far each answer moves. */
static dpn_status take_bounds(struct addition *out, dpn_error *why) {
    struct sensitivity *sensitivity = &out->asked.sensitivity;
    size_t dimension = dpn_ball_dimension(out->moves);
    sensitivity->bound = calloc(dimension, sizeof *sensitivity->bound);
    if (!sensitivity->bound) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_ball_half_widths(sensitivity->bound, out->moves);
    sensitivity->set = (dpn_sensitivity){.dimension = dimension,
                                         .bound = sensitivity->bound,
                                         .relation = sensitivity->set.relation,
                                         .unit = sensitivity->set.unit};
    return DPN_OK;
}

dpn_status add_read_own_ball(struct addition *out, const struct arguments *arguments, dpn_error *why) {
    uint64_t dimension = 0;
    dpn_error reason;
    out->ball = arguments_value(arguments, "--knorm");
    dpn_status status = check_options(arguments, out->ball, why);
    if (!status) status = arguments_count(&dimension, arguments, "--dim", why);
    if (!status)
        status = calibration_read(&out->asked, arguments, true, why); /* a set of its own is put in its place */
    if (status) return status;
    out->asked.assumed = false;
    status = knorm_read_ball(&out->moves, out->ball, (size_t)dimension, &reason);
    if (status) return refuse(why, status, "--knorm: %s", reason.sentence);
    if (dimension && dpn_ball_dimension(out->moves) != dimension)
        return refuse(why, DPN_EPARSE, "--knorm %.60s has %zu dimensions, --dim says another number", out->ball,
                      dpn_ball_dimension(out->moves));
    return take_bounds(out, why);
}

dpn_status add_release_own_ball(struct addition *out, dpn_error *why) {
    dpn_ball_release_options options = dpn_ball_release_options_init();
    dpn_error reason;
    options.epsilon = out->asked.epsilon;
    options.whole = out->options.whole;
    options.has_grid = out->options.has_grid;
    options.grid_exponent = out->options.grid_exponent;
    options.relation = out->asked.sensitivity.set.relation;
    options.unit = out->asked.sensitivity.set.unit;
    dpn_status status = dpn_ball_release(&out->release, out->moves, &options, &reason);
    if (status) return refuse(why, status, "--knorm %.60s: %s", out->ball, reason.sentence);
    out->moves = NULL;
    return DPN_OK;
}
