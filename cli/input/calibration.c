/* What calibrate and compare are asked. */
#include "input/calibration.h"

#include "kit/fail.h"

#include <dpnoise/geometry.h>
#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The guarantee, or the error ---- */

/* A decimal as the nearest double and as the largest one not above it. */
static dpn_status read_decimal(double *nearest, double *below, const struct arguments *arguments, const char *name,
                               dpn_error *why) {
    const char *text = arguments_value(arguments, name);
    dpn_error reason;
    if (!text) return DPN_OK;
    dpn_status status = dpn_number_parse(nearest, text, &reason);
    if (!status) status = dpn_number_parse_down(below, text, &reason);
    return status ? refuse(why, status, "%s: %s", name, reason.sentence) : DPN_OK;
}

static dpn_status read_guarantee(struct calibration *out, const struct arguments *arguments, dpn_error *why) {
    dpn_status status = read_decimal(&out->asked_epsilon, &out->epsilon, arguments, "--epsilon", why);
    if (!status) status = read_decimal(&out->asked_delta, &out->delta, arguments, "--delta", why);
    if (status) return status;
    if (!(out->asked_epsilon >= 0)) return refuse(why, DPN_EDOMAIN, "--epsilon must not be negative");
    if (!(out->asked_delta >= 0 && out->delta < 1))
        return refuse(why, DPN_EDOMAIN, "--delta must be at least 0 and less than 1");
    if (!out->of_error && out->epsilon == 0 && out->delta == 0)
        return refuse(why, DPN_EDOMAIN, "--epsilon and --delta must not both be 0: no noise hides everything");
    return DPN_OK;
}

/* The options that ask for the least epsilon, in the order of dpn_objective. */
static const char *const error_options[] = {"--mse", "--mae", "--interval95"};

static dpn_status read_objective(struct calibration *out, const struct arguments *arguments, dpn_error *why) {
    static const char *const names[] = {"mse", "mae", "interval95", NULL};
    size_t objective = DPN_OBJECTIVE_MSE;
    const char *given = arguments_have(arguments, "--epsilon") ? "--epsilon" : NULL;
    dpn_status status = arguments_choice(&objective, arguments, "--objective", names, why);
    for (size_t i = 0; i < 3 && !status; i++) {
        const char *option = error_options[i];
        if (!arguments_have(arguments, option)) continue;
        if (given) return refuse(why, DPN_EPARSE, "%s and %s exclude each other", given, option);
        if (arguments_have(arguments, "--objective") && objective != i)
            return refuse(why, DPN_EPARSE, "%s is not the error that --objective names", option);
        given = option;
        objective = i;
        out->of_error = true;
        status = arguments_number(&out->error, arguments, option, why);
        if (!status && !(out->error > 0)) status = refuse(why, DPN_EDOMAIN, "%s must be positive", option);
    }
    bool sampled = arguments_have(arguments, "--sample-rate") || arguments_have(arguments, "--batch");
    if (!status && !given && sampled)
        return refuse(why, DPN_EPARSE,
                      "--epsilon is missing; for the epsilon of noise that you have ask dpnoise profile");
    if (!status && !given)
        return refuse(why, DPN_EPARSE,
                      "the question is missing: give --epsilon, or --mse, --mae or --interval95 for the least epsilon");
    out->options.objective = (dpn_objective)objective;
    return status;
}

/* ---- How ---- */

static dpn_status read_weights(struct calibration *out, const struct arguments *arguments, dpn_error *why) {
    if (!arguments_have(arguments, "--weights")) return DPN_OK;
    dpn_status status = arguments_numbers(&out->weights, arguments, "--weights", NUMBER_FINITE, why);
    if (status) return status;
    if (out->weights.count != out->sensitivity.set.dimension)
        return refuse(why, DPN_EPARSE, "--weights is about %zu answers, but there are %zu", out->weights.count,
                      out->sensitivity.set.dimension);
    for (size_t i = 0; i < out->weights.count; i++)
        if (!(out->weights.at[i] > 0)) return refuse(why, DPN_EDOMAIN, "--weights must be positive");
    out->options.weight = out->weights.at;
    return DPN_OK;
}

static dpn_status read_how(struct calibration *out, const struct arguments *arguments, dpn_error *why) {
    static const char *const conditions[] = {"exact", "sufficient", "zcdp", NULL};
    size_t condition = DPN_CONDITION_EXACT;
    dpn_status status = arguments_choice(&condition, arguments, "--condition", conditions, why);
    out->options.condition = (dpn_calibration_condition)condition;
    out->options.identical = arguments_have(arguments, "--identical");
    out->options.times = 1;
    out->options.hulls = dpn_exact_hulls();
    if (!status) status = arguments_count(&out->options.times, arguments, "--times", why);
    return status ? status : read_weights(out, arguments, why);
}

static dpn_status read_set(struct calibration *out, const struct arguments *arguments, bool assume_one,
                           dpn_error *why) {
    out->assumed = assume_one && !sensitivity_said(arguments);
    if (out->assumed) {
        uint64_t dimension = 1, changed = 0;
        dpn_status status = sensitivity_read_neighbours(&out->sensitivity.set, arguments, why);
        if (!status) status = arguments_count(&changed, arguments, "--max-changed", why);
        if (changed) dimension = changed;
        if (!status) status = arguments_count(&dimension, arguments, "--dim", why);
        out->sensitivity.set.dimension = dimension;
        out->sensitivity.set.max_changed = changed;
        out->sensitivity.set.linf = 1;
        out->sensitivity.dimension_known = true;
        return status;
    }
    dpn_status status = sensitivity_read(&out->sensitivity, arguments, why);
    if (!status && !out->sensitivity.dimension_known)
        status = refuse(why, DPN_EDOMAIN, "--dim is missing: the error depends on the number of answers");
    return status;
}

dpn_status calibration_read(struct calibration *out, const struct arguments *arguments, bool assume_one,
                            dpn_error *why) {
    out->options.size = sizeof out->options;
    dpn_status status = read_objective(out, arguments, why);
    if (!status) status = read_guarantee(out, arguments, why);
    if (!status) status = read_set(out, arguments, assume_one, why);
    if (!status) status = read_how(out, arguments, why);
    if (status) return status;
    out->asked_error = out->error;
    if (out->of_error &&
        out->options.objective == DPN_OBJECTIVE_INTERVAL95) { /* half-widths are averaged, errors add */
        double total = out->weights.at ? 0 : (double)out->sensitivity.set.dimension;
        for (size_t i = 0; i < out->weights.count; i++) total += out->weights.at[i];
        out->error *= total;
    }
    if (dpn_workspace_new(&out->options.workspace)) return refuse(why, DPN_ENOMEM, "out of memory");
    return DPN_OK;
}

void calibration_free(struct calibration *asked) {
    sensitivity_free(&asked->sensitivity);
    free(asked->weights.at);
    dpn_workspace_free(asked->options.workspace);
}

/* ---- The ball ---- */

dpn_status calibration_read_ball(struct calibration *out, const char *option, const char *name, const char *others,
                                 dpn_error *why) {
    for (dpn_ball_kind ball = DPN_BALL_BOX; dpn_ball_kind_name(ball); ball++) {
        if (strcmp(dpn_ball_kind_name(ball), name) != 0) continue;
        out->options.has_ball = true;
        out->options.ball = ball;
        if (ball == DPN_BALL_HULL && out->sensitivity.set.vertices == 0)
            return refuse(why, DPN_EPARSE, "%s hull needs the vertices of the moves: give --vertices", option);
        return DPN_OK;
    }
    return refuse(why, DPN_EPARSE, "%s: '%.40s' is not one of box, l1, l2, linf, hull%s", option, name, others);
}

/* A half-width takes a while: once for answers that are equal. */
void calibration_interval95(double *out, const dpn_plan *plan, double (*half_width)(const void *of, size_t answer),
                            const void *of) {
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        bool hull = block->ball == DPN_BALL_HULL;
        double half = 0, sensitivity = -1;
        for (size_t i = 0; i < block->count; i++) {
            size_t c = block->coordinate[i];
            bool same =
                i > 0 && !hull && !block->start && (dpn_block_law(block) || plan->sensitivity[c] == sensitivity);
            if (!same) half = half_width(of, c);
            sensitivity = plan->sensitivity[c];
            out[c] = half;
        }
    }
}

/* ---- Progress ---- */

/* Of an unknown number of rounds each is taken for a fifth of what is left. */
static void follow(void *context, double done) {
    struct calibration *asked = context;
    if (done < asked->last) asked->rounds++;
    asked->last = done;
    progress_share(&asked->progress, asked->repeats ? 1 - pow(0.8, asked->rounds + done) : done);
}

void calibration_start(struct calibration *asked, const char *command) {
    if (dpn_sensitivity_like_histogram(&asked->sensitivity.set))
        sensitivity_warn_histogram(&asked->sensitivity, command);
    asked->progress = progress_start(command, 1);
    asked->options.progress = follow;
    asked->options.context = asked;
}

void calibration_done(struct calibration *asked) {
    progress_end(&asked->progress);
}
