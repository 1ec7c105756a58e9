/* dpnoise sample --plan: noise of a plan, a draw for all of its answers a line. */
#include "input/grid.h"
#include "kit/fail.h"
#include "sample/sample.h"

#include <dpnoise/geometry.h>
#include <dpnoise/release.h>
#include <stdlib.h>

struct noise {
    struct plan_file file;
    dpn_plan_sampler *sampler;
    dpn_rng *rng;
    int64_t *steps;
    uint64_t count;
};

static dpn_status read(struct noise *out, const struct arguments *arguments, const char *file, dpn_error *why) {
    bool has_grid;
    int exponent = 0;
    if (arguments->operands > 0)
        return refuse(why, DPN_EPARSE, "--plan takes the place of a LAW: give one or the other");
    dpn_status status = plan_file_read(&out->file, file, why);
    if (!status) status = grid_read(&exponent, &has_grid, arguments, why);
    if (!status) status = arguments_count(&out->count, arguments, "--count", why);
    if (!status)
        status = dpn_plan_sampler_new(&out->sampler, &out->file.plan, has_grid, exponent, dpn_exact_hulls(), why);
    if (status) return status;
    out->steps = malloc(out->file.plan.dimension * sizeof *out->steps);
    return out->steps ? DPN_OK : refuse(why, DPN_ENOMEM, "no memory for the noise");
}

static void write_draw(const struct noise *noise, struct json *json) {
    char text[DPN_STEPS_TEXT_SIZE + 1];
    size_t dimension = noise->file.plan.dimension;
    if (json) json_open_array(json, NULL);
    for (size_t i = 0; i < dimension; i++) {
        dpn_steps_print(text, noise->steps[i], dpn_plan_sampler_grid_exponent(noise->sampler, i));
        if (json)
            json_value(json, NULL, text);
        else
            printf("%s%c", text, i + 1 < dimension ? ' ' : '\n');
    }
    if (json) json_close_array(json);
}

/* The numbers leave as they are drawn. If the source fails in between, the exit code tells. */
static dpn_status stream(const struct noise *noise, struct json *json, dpn_error *why) {
    for (uint64_t left = noise->count; left > 0 && !ferror(stdout); left--) {
        dpn_status status = dpn_plan_sampler_draw(noise->steps, noise->sampler, noise->rng, why);
        if (status) return status;
        write_draw(noise, json);
    }
    return DPN_OK;
}

static dpn_status draw(const struct noise *noise, bool json, dpn_error *why) {
    if (!json) return stream(noise, NULL, why);
    char text[DPN_STEPS_TEXT_SIZE];
    struct json object = json_begin(stdout);
    json_value(&object, "plan", noise->file.text);
    json_open_array(&object, "grids");
    for (size_t i = 0; i < noise->file.plan.dimension; i++)
        json_value(&object, NULL, dpn_steps_print(text, 1, dpn_plan_sampler_grid_exponent(noise->sampler, i)));
    json_close_array(&object);
    json_count(&object, "count", noise->count);
    json_open_array(&object, "samples");
    dpn_status status = stream(noise, &object, why);
    if (status) return status;
    json_close_array(&object);
    json_end(&object);
    return DPN_OK;
}

dpn_status sample_plan(const struct arguments *arguments, const char *file, dpn_error *why) {
    struct noise noise = {.count = 1};
    dpn_status status = read(&noise, arguments, file, why);
    if (!status) status = dpn_rng_new(&noise.rng, why);
    if (!status) status = draw(&noise, arguments_have(arguments, "--json"), why);
    dpn_rng_free(noise.rng);
    dpn_plan_sampler_free(noise.sampler);
    free(noise.steps);
    plan_file_free(&noise.file);
    return status;
}
