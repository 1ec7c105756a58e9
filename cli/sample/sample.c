/* dpnoise sample: exact noise, as much as is asked for, without keeping it. */
#include "input/grid.h"
#include "kit/command.h"
#include "kit/fail.h"
#include "kit/json.h"
#include "sample/sample.h"
#include "words/law.h"

#include <dpnoise/decimal.h>
#include <dpnoise/sampler.h>
#include <math.h>
#include <stdio.h>

enum { FINENESS = 16, BATCH = 4096 };

struct draws {
    dpn_law law;
    int exponent; /* of the grid */
    uint64_t count;
    dpn_sampler *sampler;
    dpn_rng *rng;
    bool json;
};

/* ---- Reading ---- */

/* Without --grid: 1 on the integers, else the largest power of two at most 2^-16 of the standard deviation. */
static dpn_status choose_grid(struct draws *out, const struct arguments *arguments, dpn_error *why) {
    bool given;
    dpn_status status = grid_read(&out->exponent, &given, arguments, why);
    if (status || dpn_law_is_integer(&out->law)) return status; /* whatever is not 1 the sampler refuses */
    if (!given) out->exponent = ilogb(sqrt(dpn_law_variance(&out->law))) - FINENESS;
    char text[DPN_STEPS_TEXT_SIZE];
    if (!dpn_steps_print(text, 1, out->exponent))
        return refuse(why, DPN_EDOMAIN,
                      "a grid of step 2^%d is outside 2^-400 to 2^60: say --grid, or use another unit", out->exponent);
    return DPN_OK;
}

static dpn_status read(struct draws *out, const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands != 1)
        return refuse(why, DPN_EPARSE,
                      "sample takes one LAW; write for example dpnoise sample 'laplace(scale=2)' --count 3");
    out->count = 1;
    out->json = arguments_have(arguments, "--json");
    dpn_status status = law_read(&out->law, arguments->operand[0], why);
    if (!status) status = arguments_count(&out->count, arguments, "--count", why);
    return status ? status : choose_grid(out, arguments, why);
}

/* ---- Writing ---- */

static void write_batch(const struct draws *draws, struct json *json, const int64_t *steps, size_t count) {
    char text[DPN_STEPS_TEXT_SIZE + 1];
    for (size_t i = 0; i < count; i++) {
        dpn_steps_print(text, steps[i], draws->exponent);
        if (draws->json)
            json_value(json, NULL, text);
        else
            puts(text);
    }
}

/* The numbers leave as they are drawn. If the source fails in between, the exit code tells. */
static dpn_status stream(const struct draws *draws, struct json *json, dpn_error *why) {
    static int64_t steps[BATCH];
    for (uint64_t left = draws->count; left > 0 && !ferror(stdout);) {
        size_t count = left < BATCH ? (size_t)left : BATCH;
        dpn_status status = dpn_sampler_draw(steps, draws->sampler, draws->rng, count, why);
        if (status) return status;
        write_batch(draws, json, steps, count);
        left -= count;
    }
    return DPN_OK;
}

static dpn_status draw(const struct draws *draws, dpn_error *why) {
    if (!draws->json) return stream(draws, NULL, why);
    char law[DPN_LAW_TEXT_SIZE], grid[DPN_STEPS_TEXT_SIZE];
    struct json object = json_begin(stdout);
    json_string(&object, "law", dpn_law_print(law, &draws->law));
    json_value(&object, "grid", dpn_steps_print(grid, 1, draws->exponent));
    json_count(&object, "count", draws->count);
    json_open_array(&object, "samples");
    dpn_status status = stream(draws, &object, why);
    if (status) return status;
    json_close_array(&object);
    json_end(&object);
    return DPN_OK;
}

/* ---- The command ---- */

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct draws draws = {0};
    const char *plan = arguments_value(arguments, "--plan");
    if (plan) return sample_plan(arguments, plan, why);
    dpn_status status = read(&draws, arguments, why);
    if (!status) status = dpn_sampler_new(&draws.sampler, &draws.law, draws.exponent, why);
    if (!status) status = dpn_rng_new(&draws.rng, why);
    if (!status) status = draw(&draws, why);
    dpn_rng_free(draws.rng);
    dpn_sampler_free(draws.sampler);
    return status;
}

static const struct option options[] = {
    {"--count", "N", false, "draw N numbers (1); with --plan N times one for each answer"},
    {"--grid", "G", false, "round to multiples of G, a power of two (2^-16 of the standard deviation or less)"},
    PLAN_OPTION,
    {NULL, NULL, false, NULL},
};

const struct command sample_command = {
    .name = "sample",
    .summary = "exact noise of a law",
    .synopsis = "LAW|--plan FILE [--count N] [--grid G] [--json]",
    .description =
        "Independent numbers of exactly this law, rounded to a grid, one a line: any number of them, in "
        "constant memory. They\n"
        "cannot be repeated. Laws on the integers have the grid 1. With --plan a line has the noise of all answers of "
        "the\n"
        "plan, drawn as a release draws it.\n",
    .example = "  dpnoise sample 'laplace(scale=2)' --count 3\n"
               "  dpnoise sample 'discrete-gaussian(sigma=10)' --count 1000 --json\n"
               "  dpnoise calibrate start-box --epsilon 1 --sensitivities 1,0.3 --json >plan.json\n"
               "  dpnoise sample --plan plan.json --count 3\n",
    .options = options,
    .run = run,
};
