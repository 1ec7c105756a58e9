/* dpnoise add: noise on the numbers of standard input. */
#include "add/add.h"

#include "input/family.h"
#include "input/grid.h"
#include "kit/command.h"
#include "kit/fail.h"

#include <dpnoise/plan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading the question ---- */

static dpn_status read_family(struct addition *out, const struct arguments *arguments, dpn_error *why) {
    const char *name = arguments_value(arguments, "--family"), *ball = arguments_value(arguments, "--knorm");
    if (ball && name) return refuse(why, DPN_EPARSE, "--knorm is a family of its own: leave out --family");
    if (ball) name = strcmp(ball, "blocks") == 0 ? "blocks" : "k-norm";
    out->options.family = name;
    return family_check("--family", name, why);
}

static const char *hull_file(const char *ball) {
    return ball && strncmp(ball, "hull:", 5) == 0 ? ball + 5 : NULL;
}

static dpn_status read_ball(struct addition *out, const struct arguments *arguments, dpn_error *why) {
    const char *ball = arguments_value(arguments, "--knorm");
    if (!ball || strcmp(ball, "blocks") == 0) return DPN_OK;
    return calibration_read_ball(&out->asked, "--knorm", hull_file(ball) ? "hull" : ball,
                                 ", hull:FILE, blocks, k2, k3, regression(P), and what dpnoise knorm makes of them",
                                 why);
}

/* --knorm hull:FILE is --knorm hull --vertices FILE. The list of options given, with room for one more, to be freed. */
static dpn_status name_vertices(struct arguments *out, const struct arguments *arguments, dpn_error *why) {
    static const struct option vertices = {"--vertices", "FILE", false, ""};
    const char *file = hull_file(arguments_value(arguments, "--knorm"));
    *out = *arguments;
    out->given = calloc(arguments->givens + 1, sizeof *out->given);
    if (!out->given) return refuse(why, DPN_ENOMEM, "out of memory");
    if (arguments->givens) memcpy(out->given, arguments->given, arguments->givens * sizeof *out->given);
    if (!file) return DPN_OK;
    out->given[out->givens++] = (struct given){&vertices, file};
    if (!arguments_have(arguments, "--vertices")) return DPN_OK;
    return refuse(why, DPN_EPARSE, "--knorm hull:FILE names the vertices: leave out --vertices, or write --knorm hull");
}

static dpn_status read_usual_set(struct addition *out, const struct arguments *arguments, dpn_error *why) {
    struct arguments with_vertices = {0};
    dpn_status status = name_vertices(&with_vertices, arguments, why);
    if (!status) status = calibration_read(&out->asked, &with_vertices, false, why);
    if (!status) status = read_ball(out, arguments, why);
    free(with_vertices.given);
    return status;
}

static dpn_status read_question(struct addition *out, const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands > 0)
        return refuse(why, DPN_EPARSE, "add reads its numbers from standard input, not from '%.40s'",
                      arguments->operand[0]);
    if (!arguments_have(arguments, "--epsilon"))
        return refuse(why, DPN_EPARSE, "--epsilon is missing: how private shall the numbers be?");
    dpn_status status = read_family(out, arguments, why);
    if (!status) status = grid_read(&out->options.grid_exponent, &out->options.has_grid, arguments, why);
    bool own_ball = add_has_own_ball(arguments);
    if (!status && own_ball) status = add_read_own_ball(out, arguments, why);
    if (!status && !own_ball) status = read_usual_set(out, arguments, why);
    if (status) return status;
    out->options.size = sizeof out->options;
    out->options.epsilon = out->asked.epsilon;
    out->options.delta = out->asked.delta;
    out->options.set = &out->asked.sensitivity.set;
    out->options.calibration = &out->asked.options;
    out->options.whole = arguments_have(arguments, "--whole");
    return DPN_OK;
}

/* ---- The command ---- */

static double half_width(const void *of, size_t answer) {
    return dpn_release_interval95(of, answer);
}

/* All that is public comes first: the plan is fixed before a value is read. */
static dpn_status prepare(struct addition *out, dpn_error *why) {
    size_t dimension = out->asked.sensitivity.set.dimension;
    if (!out->ball) calibration_start(&out->asked, "add");
    dpn_status status = out->ball ? add_release_own_ball(out, why) : dpn_release_new(&out->release, &out->options, why);
    if (!out->ball) calibration_done(&out->asked);
    if (status) return status;
    out->value = calloc(dimension, sizeof *out->value);
    out->interval95 = calloc(dimension, sizeof *out->interval95);
    if (!out->value || !out->interval95) return refuse(why, DPN_ENOMEM, "out of memory");
    const dpn_plan *plan = dpn_release_plan(out->release);
    if (!out->ball) calibration_interval95(out->interval95, plan, half_width, out->release);
    /* Answers with equal bounds need not have equal noise. */
    for (size_t i = 0; i < dimension && out->ball; i++) out->interval95[i] = half_width(out->release, i);
    return dpn_plan_write(&out->text, NULL, plan, why);
}

static dpn_status add(struct addition *addition, const struct arguments *arguments, dpn_error *why) {
    dpn_rng *rng = NULL;
    dpn_status status = dpn_rng_new(&rng, why);
    if (!status) status = add_charge(addition, arguments, why);
    if (!status) status = add_read_values(addition, stdin, why);
    if (!status) status = dpn_release_draw(addition->value, addition->release, rng, addition->value, why);
    dpn_rng_free(rng);
    return status;
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct addition addition = {0};
    dpn_status status = read_question(&addition, arguments, why);
    if (!status) status = prepare(&addition, why);
    if (!status) status = add(&addition, arguments, why);
    if (!status && arguments_have(arguments, "--json"))
        add_print_json(&addition);
    else if (!status)
        add_print_text(&addition);
    dpn_release_free(addition.release);
    dpn_ball_free(addition.moves);
    free(addition.value);
    free(addition.interval95);
    free(addition.text);
    calibration_free(&addition.asked);
    return status;
}

static const struct option options[] = {
    {"--epsilon", "E", false, "the answers are (E, D)-differentially private"},
    {"--delta", "D", false, "the delta that is allowed (0: pure differential privacy)"},
    SENSITIVITY_OPTIONS,
    {"--family", "F", false,
     "noise of this family, k-norm or blocks (see dpnoise calibrate); best: of all, the one with\n"
     "the least error (seconds); by default the best of gaussian, laplace, osgt, logistic,\n"
     "k-norm, start boxes if D is 0 or else random boxes, and for whole answers of discrete-gaussian,\n"
     "discrete-laplace, truncated-geometric and discrete-staircase"},
    {"--knorm", "B", false,
     "K-norm noise of this ball: box, l1, l2, linf, hull or hull:FILE (as with --vertices FILE),\n"
     "or blocks of boxes; or a ball that says itself how far the answers move together: k2, k3, regression(P),\n"
     "'l2(1,3)', and made of several: 'k2 * l1(1,2)' (see dpnoise knorm)"},
    {"--whole", NULL, false, "the answers are whole numbers, and stay so"},
    {"--grid", "G", false, "round to multiples of G, a power of two (2^-16 of the sensitivity or less)"},
    {"--identical", NULL, false, "the same noise on every answer, even where their sensitivities differ"},
    {"--objective", "O", false, "the error that is the least: mse (default), mae or interval95"},
    {"--weights", "A,B", false, "weights of the answers in that error (all 1)"},
    {"--dataset", "NAME", false, "charge the budget of this data set before the numbers are read (dpnoise budget)"},
    {"--ledger", "FILE", false, "the ledger that holds it (dpnoise-ledger.db in this directory)"},
    {"--ledger-key", "FILE", false, "its key (the name of the ledger followed by .key)"},
    {"--wait", "MS", false, "for how many milliseconds to wait for other processes (10000)"},
    {"--note", "TEXT", false, "words for the record"},
    {NULL, NULL, false, NULL},
};

const struct command add_command = {
    .name = "add",
    .summary = "noise on the numbers of standard input",
    .synopsis = "--epsilon E [--delta D] (sensitivity set) [--family F] [--whole] [--json] <NUMBERS",
    .description = "Numbers, one for each answer of the sensitivity set, separated by blanks, commas or line ends, "
                   "come back with\n"
                   "the least noise that makes them (E, D)-differentially private. They are read as exact decimals, "
                   "put on a grid that\n"
                   "depends on the sensitivities alone, and get exact noise in whole steps of it: no floating-point "
                   "number tells more\n"
                   "than it should. Each run spends (E, D): noise on the same numbers twice costs twice.\n",
    .example = "  printf '10\\n20\\n30\\n' | dpnoise add --epsilon 1 --delta 1e-6 --sensitivities 1,1,2\n"
               "  echo 120 45 8 | dpnoise add --epsilon 0.5 --histogram 3 --whole --json\n"
               "  echo 12.5 31 | dpnoise add --epsilon 1 --knorm k2 # sum x and 2 sum x^2, x in -1..1\n",
    .options = options,
    .run = run,
};
