/* dpnoise knorm: norm balls and the K-norm mechanism. */
#include "knorm/knorm.h"

#include "input/sensitivity.h"
#include "kit/command.h"
#include "kit/fail.h"
#include "kit/gnuplot.h"
#include "kit/nearest.h"
#include "kit/waiting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum subcommand { VOLUME, ENTROPY, NORM, COMPARE, SAMPLE, HULL, DEPTH, CHECK, POWER, SUBCOMMANDS };
static const char *const names[SUBCOMMANDS] = {"volume", "entropy", "norm",  "compare", "sample",
                                               "hull",   "depth",   "check", "power"};

static dpn_status read_subcommand(enum subcommand *out, const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands == 0)
        return refuse(why, DPN_EPARSE,
                      "what is asked? dpnoise knorm volume, entropy, norm, compare, sample, hull, depth, "
                      "check or power");
    struct nearest search = nearest_to(arguments->operand[0], strlen(arguments->operand[0]));
    for (int i = 0; i < SUBCOMMANDS; i++) {
        if (strcmp(arguments->operand[0], names[i]) == 0) {
            *out = (enum subcommand)i;
            return DPN_OK;
        }
        nearest_try(&search, names[i]);
    }
    return refuse(
        why, DPN_EPARSE, "knorm has no '%.40s'; %s%s", arguments->operand[0], search.name ? "did you mean " : "",
        search.name ? search.name : "it has volume, entropy, norm, compare, sample, hull, depth, check, power");
}

static dpn_status read_space(struct knorm_question *out, const struct arguments *arguments, dpn_error *why) {
    uint64_t dimension = 0;
    dpn_status status = arguments_count(&dimension, arguments, "--dim", why);
    if (status) return status;
    out->dimension = dimension > SIZE_MAX / 64 ? SIZE_MAX / 64 : (size_t)dimension;
    status = knorm_read_space(out, arguments, why);
    if (!status && out->space && dimension && out->dimension != dimension)
        status = refuse(why, DPN_EPARSE, "--space: moves of %zu answers, but --dim is %llu", out->dimension,
                        (unsigned long long)dimension);
    if (!status && out->sampled)
        fputs("dpnoise knorm: warning: random moves are a space seen from inside: the sensitivities are no guarantee\n",
              stderr);
    return status;
}

/* With a space the hull of its moves takes part in comparisons. */
static dpn_status read_balls(struct knorm_question *out, const struct arguments *arguments, bool add_hull,
                             dpn_error *why) {
    size_t given = arguments->operands - 1;
    add_hull = add_hull && out->space;
    if (given + add_hull == 0)
        return refuse(why, DPN_EPARSE, "which ball? For example: 'linf(1,2)', 'l2(1,1)' or hull:FILE");
    out->ball = calloc(given + add_hull, sizeof *out->ball);
    if (!out->ball) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < given + add_hull && !status; i++) {
        struct knorm_ball *at = &out->ball[i];
        at->text = i < given ? arguments->operand[i + 1] : "hull";
        at->delta = 1;
        status = i < given ? knorm_read_ball(&at->ball, at->text, out->dimension, why)
                           : dpn_ball_hull(&at->ball, out->dimension, out->space, out->moves, why);
        if (status) break;
        out->balls++;
        size_t dimension = dpn_ball_dimension(at->ball);
        if (out->dimension && dimension != out->dimension)
            status = refuse(why, DPN_EPARSE, "%.40s has %zu dimensions, where others have %zu", at->text, dimension,
                            out->dimension);
        out->dimension = dimension;
        if (!status && out->space) status = dpn_sensitivity_upper(&at->delta, at->ball, out->space, out->moves, why);
        if (!status && !(at->delta > 0)) status = refuse(why, DPN_EDOMAIN, "--space: no answer moves");
    }
    return status;
}

static dpn_status read_epsilon(double *out, const struct arguments *arguments, dpn_error *why) {
    struct numbers epsilon;
    dpn_status status = arguments_numbers(&epsilon, arguments, "--epsilon", NUMBER_NOT_ABOVE, why);
    if (status) return status;
    *out = epsilon.count ? epsilon.at[0] : 1;
    free(epsilon.at);
    if (!(*out > 0 && isfinite(*out))) return refuse(why, DPN_EDOMAIN, "--epsilon must be positive and finite");
    return DPN_OK;
}

/* There is one method, and it has to be named. */
static dpn_status sample_chain(struct knorm_question *question, uint64_t count, const struct arguments *arguments,
                               dpn_error *why) {
    const char *method = arguments_value(arguments, "--approximate");
    if (strcmp(method, "hit-and-run") != 0)
        return refuse(why, DPN_EPARSE, "--approximate: there is hit-and-run, and no '%.40s'", method);
    if (arguments_have(arguments, "--grid"))
        return refuse(why, DPN_EPARSE, "--grid is for exact draws: those of --approximate are not rounded");
    return knorm_sample_chain(question, count, arguments_have(arguments, "--json"), why);
}

static dpn_status answer_depth(struct knorm_question *question, const struct arguments *arguments, dpn_error *why) {
    struct numbers at = {NULL, 0}, prob = {NULL, 0};
    dpn_status status = arguments_numbers(&at, arguments, "--at", NUMBER_FINITE, why);
    if (!status) status = arguments_numbers(&prob, arguments, "--prob", NUMBER_PROBABILITY, why);
    if (!status) status = knorm_depth(question, &at, &prob, arguments_have(arguments, "--json"), why);
    free(at.at);
    free(prob.at);
    return status;
}

/* No ball takes part: the bound is that of any private answer. */
static dpn_status answer_power(double epsilon, const struct arguments *arguments, dpn_error *why) {
    struct numbers level = {NULL, 0};
    if (arguments->operands > 1)
        return refuse(why, DPN_EPARSE, "power is about every private answer, not about '%.40s'", arguments->operand[1]);
    dpn_status status = arguments_numbers(&level, arguments, "--level", NUMBER_PROBABILITY, why);
    if (!status) status = knorm_power(epsilon, &level, arguments_have(arguments, "--json"), why);
    free(level.at);
    return status;
}

static dpn_status answer(struct knorm_question *question, enum subcommand what, const struct arguments *arguments,
                         dpn_error *why) {
    bool json = arguments_have(arguments, "--json");
    struct numbers at = {NULL, 0};
    uint64_t count = 1;
    double grid = 0;
    dpn_status status;
    if (what != COMPARE && question->balls > 1)
        return refuse(why, DPN_EPARSE, "%s takes one ball, not also '%.40s'", names[what], question->ball[1].text);
    switch (what) {
    case VOLUME:
        return knorm_volume(question, json, why);
    case ENTROPY:
        return knorm_entropy(question, json, why);
    case HULL:
        return knorm_hull(question, json, why);
    case COMPARE:
        return knorm_compare(question, json, why);
    case CHECK:
        count = 10000;
        status = arguments_count(&count, arguments, "--count", why);
        return status ? status : knorm_check(question, count, json, why);
    case DEPTH:
        return answer_depth(question, arguments, why);
    case SAMPLE:
        status = arguments_count(&count, arguments, "--count", why);
        if (!status) status = arguments_number(&grid, arguments, "--grid", why);
        if (!status && arguments_have(arguments, "--approximate")) return sample_chain(question, count, arguments, why);
        return status ? status : knorm_sample(question, count, grid, json, why);
    default:
        status = arguments_numbers(&at, arguments, "--at", NUMBER_FINITE, why);
        if (!status && at.count == 0) status = refuse(why, DPN_EPARSE, "norm needs a vector: --at 1,2");
        if (!status) status = knorm_norm(question, &at, json, why);
        free(at.at);
        return status;
    }
}

static void free_question(struct knorm_question *question) {
    for (size_t i = 0; question->ball && i < question->balls; i++) {
        dpn_ball_free(question->ball[i].ball);
        free(question->ball[i].variance);
    }
    free(question->ball);
    free(question->space);
    dpn_rng_free(question->rng);
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct knorm_question question = {.points = 100000, .plot = arguments_value(arguments, "--plot")};
    enum subcommand what = VOLUME;
    dpn_status status = read_subcommand(&what, arguments, why);
    if (!status && question.plot) status = gnuplot_check_name(question.plot, why);
    if (!status && question.plot && what != COMPARE) status = refuse(why, DPN_EPARSE, "--plot goes with knorm compare");
    if (!status) status = read_epsilon(&question.epsilon, arguments, why);
    if (!status && what == POWER) return answer_power(question.epsilon, arguments, why);
    if (!status) status = arguments_count(&question.points, arguments, "--points", why);
    if (!status && question.points > 100000000) status = refuse(why, DPN_EDOMAIN, "--points: at most 1e8");
    if (!status) status = dpn_rng_new(&question.rng, why);
    struct waiting waiting;
    waiting_start(&waiting, "ball");
    if (!status) status = read_space(&question, arguments, why);
    if (!status) status = read_balls(&question, arguments, what == COMPARE || what == HULL, why);
    waiting_end(&waiting);
    if (!status) status = arguments_number(&question.answers, arguments, "--answers", why);
    if (!status) question.has_answers = arguments_have(arguments, "--answers");
    if (!status) status = answer(&question, what, arguments, why);
    free_question(&question);
    return status;
}

/* ---- The row ---- */

static const struct option options[] = {
    {"--epsilon", "E", false, "of the mechanism (1)"},
    {"--space", "FILE", false,
     "moves of the answers, one a line: they set each ball's sensitivity, and their hull takes part"},
    {"--linear", "FILE", false,
     "in place of --space: the moves of sums of A x, A the matrix in FILE, x in a box, one record replaced"},
    {"--monomials", "LIST", false,
     "in place of --space: random moves of sums such as x1,2*x1^2,x1*x2; from inside, for study only"},
    {"--low", "A,B", false, "the box of the records of --linear and --monomials (-1 each) ..."},
    {"--high", "A,B", false, "... to here (1 each)"},
    {"--moves", "N", false, "how many random moves of --monomials (1000)"},
    {"--dim", "K", false, "dimensions of balls without weights"},
    {"--at", "U,V", true, "norm, depth: the vector"},
    {"--prob", "P[,P...]", true, "depth: the smallest set that holds the noise with the probability P"},
    {"--level", "A[,A...]", true, "power: the level of the test"},
    {"--answers", "H", false, "entropy: that of the answers themselves, for what the release tells of them"},
    {"--points", "N", false, "random points behind an estimate (1e5)"},
    {"--count", "N", false, "sample, check: how many vectors (1; 10000)"},
    {"--grid", "G", false, "sample: the step of all answers, a power of two (2^-16 of the noise's own size)"},
    {"--approximate", "METHOD", false, "sample: floating-point draws of hit-and-run, which guarantee nothing"},
    {"--plot", "FILE", false, "compare: draw the balls in two dimensions: FILE ends in .svg, .png or .pdf"},
    {NULL, NULL, false, NULL},
};

const struct command knorm_command = {
    .name = "knorm",
    .summary = "norm balls and K-norm noise",
    .synopsis = "volume|entropy|hull BALL [--epsilon E] [--space FILE] [--json]\n"
                "       dpnoise knorm norm BALL --at U,V... [--json]\n"
                "       dpnoise knorm compare BALL... [--space FILE] [--epsilon E] [--plot FILE] [--json]\n"
                "       dpnoise knorm sample BALL [--space FILE] [--epsilon E] [--count N] [--grid G] [--json]\n"
                "       dpnoise knorm sample BALL --approximate hit-and-run ...\n"
                "       dpnoise knorm depth BALL [--at U,V...] [--prob P] [--epsilon E] [--space FILE] [--json]\n"
                "       dpnoise knorm check BALL [--count N] [--epsilon E] [--json]\n"
                "       dpnoise knorm power --level A --epsilon E [--json]",
    .description =
        "K-norm noise has a density proportional to exp(-epsilon |v|/sensitivity) for the norm of a ball that holds "
        "all\n"
        "moves of the answers: pure epsilon-privacy. A BALL is l1, l2, linf, l1.5 and so on, box (the same as linf), "
        "each\n"
        "with weights as in 'linf(1,2)' or with --dim; hull:FILE, the hull of the rows of FILE and their negatives, "
        "in\n"
        "exact arithmetic; k2, k3, regression(P), regression-hull(N) after Awan and Slavkovic (2021); image:FILE:BALL, "
        "its\n"
        "image under the matrix in FILE. Balls are joined by & (intersection), + (sum of norms of blocks), * (product "
        "of\n"
        "blocks); * binds first. What has no formula is estimated from random points; samples are exact.\n",
    .example = "  dpnoise knorm compare 'linf(100,1)' 'l1(110,11)'\n"
               "  dpnoise knorm volume k3\n"
               "  dpnoise knorm norm 'l2(1,2)' --at 3,4 --json\n"
               "  dpnoise knorm sample 'l2(1,1) & l1(1.2,1.2)' --json\n"
               "  dpnoise knorm sample 'box(1,1,2)' --epsilon 0.5 --count 3\n"
               "  dpnoise knorm depth k2 --at 1,1 --prob 0.5,0.95\n"
               "  dpnoise knorm compare k2 linf --monomials 'x1,2*x1^2'\n",
    .options = options,
    .run = run,
};
