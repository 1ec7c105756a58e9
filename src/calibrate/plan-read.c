/* Plans as text: the reader. */
#include "calibrate/plan-read.h"

#include "base/error.h"
#include "calibrate/noise/kind.h"
#include "calibrate/plan.h"

#include <dpnoise/number.h>
#include <dpnoise/plan.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOISE_SIZE = 4096 };

typedef dpn_plan_reader reader;

dpn_status dpn_plan_refuse(const reader *r, dpn_status status, const char *member, const char *reason) {
    return dpn_fail(r->why, status, "block %zu of the plan: %s%s%s", r->index, member, *member ? ": " : "", reason);
}

dpn_status dpn_plan_find(const dpn_json_value **out, const reader *r, const dpn_json_value *object, const char *name) {
    bool twice = false;
    *out = dpn_json_member(&r->json, object, name, &twice);
    if (twice) return dpn_fail(r->why, DPN_EPARSE, "the member '%s' is given twice", name);
    if (*out && (*out)->kind == DPN_JSON_NULL) *out = NULL;
    return DPN_OK;
}

/* ---- coordinates ---- */

/* Digits at *at, which moves past them; SIZE_MAX if there are none or too many. */
static size_t read_index(const char **at, const char *end) {
    size_t index = 0, digits = 0;
    for (; *at < end && **at >= '0' && **at <= '9' && digits <= 8; ++*at, digits++)
        index = 10 * index + (size_t)(**at - '0');
    return digits == 0 || digits > 8 || index >= DPN_PLAN_COORDINATES ? SIZE_MAX : index;
}

/* One item, "7" or "0-4". */
static bool read_range(size_t *first, size_t *last, const char **at, const char *end) {
    *first = *last = read_index(at, end);
    if (*first == SIZE_MAX) return false;
    if (*at < end && **at == '-') {
        ++*at;
        *last = read_index(at, end);
    }
    return *last != SIZE_MAX && *first <= *last;
}

/* How many coordinates the text lists; they are written to out unless it is NULL. 0 if the text is not a list of
 * ascending numbers and ranges. Escapes have no place in it, so that the raw text is read. */
static size_t list_coordinates(size_t *out, const char *at, const char *end) {
    size_t count = 0, next = 0;
    for (bool more = true; more;) {
        size_t first, last;
        if (!read_range(&first, &last, &at, end) || first < next) return 0;
        for (size_t i = first; out && i <= last; i++) out[count + (i - first)] = i;
        count += last - first + 1;
        next = last + 1;
        more = at < end && *at == ',';
        if (more) at++;
    }
    return at == end ? count : 0;
}

static dpn_status read_coordinates(dpn_block *out, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *value;
    dpn_status status = dpn_plan_find(&value, r, object, "coordinates");
    if (status) return status;
    if (!value || value->kind != DPN_JSON_STRING)
        return dpn_plan_refuse(r, DPN_EPARSE, "coordinates", "a string as \"0-4,7\" is expected");
    const char *text = r->json.text + value->start, *end = text + value->length;
    out->count = list_coordinates(NULL, text, end);
    if (out->count == 0)
        return dpn_plan_refuse(r, DPN_EPARSE, "coordinates",
                               "ascending numbers and ranges below 1e7, as 0-4,7, are expected");
    out->coordinate = malloc(out->count * sizeof *out->coordinate);
    if (!out->coordinate) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the plan");
    list_coordinates(out->coordinate, text, end);
    return DPN_OK;
}

/* ---- noise ---- */

static dpn_status read_noise(dpn_block *out, const reader *r, const dpn_json_value *object) {
    char text[NOISE_SIZE];
    const dpn_json_value *value;
    dpn_error reason;
    dpn_status status = dpn_plan_find(&value, r, object, "noise");
    if (status) return status;
    if (!value) return dpn_plan_refuse(r, DPN_EPARSE, "noise", "it is missing");
    status = dpn_json_string(text, sizeof text, &r->json, value, &reason);
    if (status) return dpn_plan_refuse(r, status, "noise", reason.sentence);
    status = dpn_noise_parse(out, text, &reason);
    return status ? dpn_plan_refuse(r, status, "noise", reason.sentence) : DPN_OK;
}

/* ---- grid ---- */

static dpn_status read_grid(dpn_block *out, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *value;
    dpn_error reason;
    double grid;
    int exponent;
    dpn_status status = dpn_plan_find(&value, r, object, "grid");
    if (status || !value || value->kind == DPN_JSON_NULL) return status;
    status = dpn_json_number(&grid, &r->json, value, &reason);
    if (status) return dpn_plan_refuse(r, status, "grid", reason.sentence);
    if (frexp(grid, &exponent) != 0.5)
        return dpn_plan_refuse(r, DPN_EDOMAIN, "grid", "it must be null or a power of two");
    out->grid = grid;
    return DPN_OK;
}

/* ---- sensitivities ---- */

static dpn_status read_sensitivity(double *out, const reader *r, const dpn_json_value *value) {
    dpn_error reason;
    if (value->kind == DPN_JSON_NULL) {
        *out = NAN;
        return DPN_OK;
    }
    dpn_status status = dpn_json_number(out, &r->json, value, &reason);
    if (status) return dpn_plan_refuse(r, status, "sensitivities", reason.sentence);
    if (!(*out >= 0 && isfinite(*out)))
        return dpn_plan_refuse(r, DPN_EDOMAIN, "sensitivities", "they must be finite and not negative");
    return DPN_OK;
}

/* Into the plan's array, one for each coordinate of the block. */
static dpn_status read_sensitivities(dpn_plan *plan, const dpn_block *block, const reader *r,
                                     const dpn_json_value *object) {
    const dpn_json_value *value;
    dpn_status status = dpn_plan_find(&value, r, object, "sensitivities");
    if (status) return status;
    double one = dpn_block_is_silent(block) ? 0 : NAN;
    bool list = value && value->kind == DPN_JSON_ARRAY;
    if (list && value->count != block->count)
        return dpn_plan_refuse(r, DPN_EPARSE, "sensitivities", "there must be one for each coordinate");
    if (value && !list) status = read_sensitivity(&one, r, value);
    const dpn_json_value *element = list ? dpn_json_first(value) : NULL;
    for (size_t i = 0; i < block->count && !status; i++) {
        if (list) {
            status = read_sensitivity(&one, r, element);
            element = dpn_json_next(&r->json, element);
        }
        plan->sensitivity[block->coordinate[i]] = one;
    }
    return status;
}

/* ---- the plan ---- */

static dpn_status read_blocks(dpn_plan *plan, reader *r, const dpn_json_value *list) {
    if (list->count == 0) return dpn_fail(r->why, DPN_EPARSE, "the plan has no blocks");
    plan->block = calloc(list->count, sizeof *plan->block);
    if (!plan->block) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the plan");
    dpn_status status = DPN_OK;
    const dpn_json_value *value = dpn_json_first(list);
    for (r->index = 0; r->index < list->count && !status; r->index++) {
        dpn_block *block = &plan->block[plan->blocks++];
        if (value->kind != DPN_JSON_OBJECT) return dpn_plan_refuse(r, DPN_EPARSE, "", "an object is expected");
        status = read_coordinates(block, r, value);
        if (!status) status = read_noise(block, r, value);
        if (!status) status = read_grid(block, r, value);
        if (status) return status;
        if (r->index > 0 && block->coordinate[0] < block[-1].coordinate[0])
            return dpn_plan_refuse(r, DPN_EPARSE, "coordinates", "the block with the first coordinate must come first");
        size_t last = block->coordinate[block->count - 1];
        if (last >= plan->dimension) plan->dimension = last + 1;
        value = dpn_json_next(&r->json, value);
    }
    return status;
}

/* Every coordinate in exactly one block. */
static dpn_status check_cover(const dpn_plan *plan, const reader *r) {
    bool *taken = calloc(plan->dimension, sizeof *taken);
    if (!taken) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the plan");
    dpn_status status = DPN_OK;
    for (size_t b = 0; b < plan->blocks && !status; b++)
        for (size_t i = 0; i < plan->block[b].count && !status; i++) {
            size_t c = plan->block[b].coordinate[i];
            if (taken[c]) status = dpn_fail(r->why, DPN_EPARSE, "coordinate %zu is in two blocks of the plan", c);
            taken[c] = true;
        }
    for (size_t c = 0; c < plan->dimension && !status; c++)
        if (!taken[c]) status = dpn_fail(r->why, DPN_EPARSE, "coordinate %zu is in no block of the plan", c);
    free(taken);
    return status;
}

static dpn_status read_list(dpn_plan *plan, reader *r, const dpn_json_value *list) {
    dpn_status status = read_blocks(plan, r, list);
    if (!status) status = check_cover(plan, r);
    if (status) return status;
    plan->sensitivity = malloc(plan->dimension * sizeof *plan->sensitivity);
    plan->variance = malloc(plan->dimension * sizeof *plan->variance);
    if (!plan->sensitivity || !plan->variance) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the plan");
    const dpn_json_value *value = dpn_json_first(list);
    for (r->index = 0; r->index < plan->blocks && !status; r->index++) {
        status = read_sensitivities(plan, &plan->block[r->index], r, value);
        if (!status) status = dpn_plan_read_ball(plan, &plan->block[r->index], r, value);
        if (!status) status = dpn_plan_read_start(&plan->block[r->index], r, value);
        if (!status) status = dpn_plan_read_box(&plan->block[r->index], r, value);
        value = dpn_json_next(&r->json, value);
    }
    return status;
}

/* ---- around the plan ---- */

const char *const dpn_plan_relations[2] = {"add-remove", "replace"}, *const dpn_plan_units[2] = {"row", "person"};

dpn_status dpn_plan_read_choice(size_t *out, const reader *r, const dpn_json_value *object, const char *name,
                                const char *const words[2]) {
    const dpn_json_value *value;
    char text[32] = "";
    dpn_status status = dpn_plan_find(&value, r, object, name);
    if (status || !value) return status;
    status = dpn_json_string(text, sizeof text, &r->json, value, NULL);
    for (size_t i = 0; i < 2 && !status; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return DPN_OK;
        }
    return dpn_fail(r->why, DPN_EPARSE, "%s must be %s or %s", name, words[0], words[1]);
}

/* A number that is not negative; it stays as it is if the member is absent. */
static dpn_status read_bound(double *out, const reader *r, const dpn_json_value *object, const char *name) {
    const dpn_json_value *value;
    double x;
    dpn_status status = dpn_plan_find(&value, r, object, name);
    if (status || !value) return status;
    if (dpn_json_number(&x, &r->json, value, NULL) || !(x >= 0))
        return dpn_fail(r->why, DPN_EPARSE, "%s must be a number that is not negative", name);
    *out = x;
    return DPN_OK;
}

/* A whole number in digits, exactly. */
static dpn_status read_count(uint64_t *out, const reader *r, const dpn_json_value *object, const char *name) {
    static const uint64_t most = 1000000000000000000u;
    const dpn_json_value *value;
    dpn_status status = dpn_plan_find(&value, r, object, name);
    if (status || !value) return status;
    const char *digit = r->json.text + value->start;
    bool whole = value->kind == DPN_JSON_NUMBER && value->length <= 19;
    uint64_t count = 0;
    for (uint32_t i = 0; i < value->length && whole; i++) {
        whole = digit[i] >= '0' && digit[i] <= '9';
        if (whole) count = 10 * count + (uint64_t)(digit[i] - '0');
    }
    if (!whole || count > most)
        return dpn_fail(r->why, DPN_EPARSE, "%s must be a whole number from 0 to 1e18, in digits", name);
    *out = count;
    return DPN_OK;
}

static dpn_status read_set(dpn_plan *plan, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *set;
    uint64_t changed = 0, vertices = 0;
    dpn_status status = dpn_plan_find(&set, r, object, "sensitivity");
    if (status || !set) return status;
    if (set->kind != DPN_JSON_OBJECT) return dpn_fail(r->why, DPN_EPARSE, "sensitivity must be an object");
    status = read_count(&changed, r, set, "max_changed");
    if (!status) status = read_bound(&plan->l1, r, set, "l1");
    if (!status) status = read_bound(&plan->l2, r, set, "l2");
    if (!status) status = read_count(&vertices, r, set, "vertices");
    plan->max_changed = changed;
    plan->vertices = vertices;
    return status;
}

/* How far a coordinate moves by the list `bounds` of a set, NULL if there is none, and by what bounds all of them. */
static dpn_status check_reach(const dpn_plan *plan, const reader *r, const dpn_json_value *bounds, double reach) {
    if (bounds && (bounds->kind != DPN_JSON_ARRAY || bounds->count != plan->dimension))
        return dpn_fail(r->why, DPN_EPARSE, "bounds must be a list of one number for each coordinate");
    const dpn_json_value *element = bounds ? dpn_json_first(bounds) : NULL;
    for (size_t i = 0; i < plan->dimension; i++) {
        double bound = INFINITY;
        if (bounds && dpn_json_number(&bound, &r->json, element, NULL))
            return dpn_fail(r->why, DPN_EPARSE, "bounds must be a list of numbers");
        if (bounds) element = dpn_json_next(&r->json, element);
        double moves = fmin(bound, reach);
        if (isfinite(moves) && plan->sensitivity[i] < moves)
            return dpn_fail(r->why, DPN_EDOMAIN,
                            "the sensitivity of coordinate %zu is %.17g in its block, but %.17g in the plan's set", i,
                            plan->sensitivity[i], moves);
    }
    return DPN_OK;
}

/* What is certified and charged rests on the sensitivities of the blocks: they must not be less than those of the set. */
static dpn_status check_set(const dpn_plan *plan, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *set, *bounds;
    double linf = 0;
    dpn_status status = dpn_plan_find(&set, r, object, "sensitivity");
    if (status || !set) return status;
    status = dpn_plan_find(&bounds, r, set, "bounds");
    if (!status) status = read_bound(&linf, r, set, "linf");
    if (status) return status;
    double reach = linf > 0 ? linf : INFINITY;
    if (plan->l1 > 0) reach = fmin(reach, plan->l1);
    if (plan->l2 > 0) reach = fmin(reach, plan->l2);
    return check_reach(plan, r, bounds, reach);
}

/* An object around the list. */
static dpn_status read_object(dpn_plan *plan, reader *r, const dpn_json_value *object) {
    const dpn_json_value *list;
    size_t relation = (size_t)plan->relation, unit = 0;
    dpn_status status = dpn_plan_find(&list, r, object, "plan");
    if (!status && (!list || list->kind != DPN_JSON_ARRAY))
        status = dpn_fail(r->why, DPN_EPARSE, "there is no member 'plan' that is a list of blocks");
    if (!status) status = dpn_plan_read_choice(&relation, r, object, "relation", dpn_plan_relations);
    if (!status) status = dpn_plan_read_choice(&unit, r, object, "unit", dpn_plan_units);
    if (!status) status = read_count(&plan->times, r, object, "times");
    if (!status) status = read_set(plan, r, object);
    plan->relation = (dpn_relation)relation;
    plan->unit = (dpn_unit)unit;
    if (!status) status = read_list(plan, r, list);
    return status ? status : check_set(plan, r, object);
}

/* Answers on a grid move by whole steps of it: a sensitivity between two would be more in truth. (Bounds of norms and hulls
 * say nothing of steps; whoever grids such answers widens them.) Noise on the integers counts the steps of the grid 1. */
static dpn_status check_grids(const dpn_plan *plan, dpn_error *why) {
    bool box = plan->l1 == 0 && plan->l2 == 0 && plan->vertices == 0;
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        if (!(block->grid > 0) || dpn_block_is_silent(block)) continue;
        if (dpn_block_is_integer(block) && block->grid != 1)
            return dpn_fail(why, DPN_EDOMAIN, "block %zu: noise on the integers has the grid 1", b);
        for (size_t i = 0; i < block->count && box; i++) {
            double sensitivity = plan->sensitivity[block->coordinate[i]];
            if (isfinite(sensitivity) && fmod(sensitivity, block->grid) != 0)
                return dpn_fail(why, DPN_EDOMAIN, "block %zu: a sensitivity is not a whole number of steps of the grid",
                                b);
        }
    }
    return DPN_OK;
}

/* A text that does not say its relation means replace, as it did when replace was the default. */
dpn_status dpn_plan_read(dpn_plan *out, const char *text, size_t length, dpn_error *why) {
    reader r = {.why = why};
    dpn_plan plan = {.delta = {0, 1, -INFINITY, 0}, .pure_epsilon = INFINITY, .relation = DPN_REPLACE};
    dpn_status status = dpn_json_read(&r.json, text, length, why);
    if (status) return status;
    const dpn_json_value *whole = r.json.value;
    if (whole->kind == DPN_JSON_ARRAY)
        status = read_list(&plan, &r, whole);
    else if (whole->kind == DPN_JSON_OBJECT)
        status = read_object(&plan, &r, whole);
    else
        status = dpn_fail(why, DPN_EPARSE, "a plan is a list of blocks, or an object with one as its member 'plan'");
    dpn_json_free(&r.json);
    if (!status) status = check_grids(&plan, why);
    if (status) {
        dpn_plan_free(&plan);
        return status;
    }
    dpn_plan_measure(&plan);
    plan.error = plan.mse;
    *out = plan;
    return DPN_OK;
}
