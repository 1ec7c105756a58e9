/* A query: made from a declaration, asked what it will do. */
#include <dpnoise/statistics.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/options.h"
#include "calibrate/plan-charge.h"
#include "release/compile/compile.h"
#include "release/answer/consistent.h"
#include "release/compile/interval.h"
#include "release/compile/noise.h"
#include "release/statistic/statistic.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A copy by way of the text, which is the same for equal declarations: so are then their queries. */
static dpn_status copy_declaration(dpn_query *query, const dpn_declaration *declaration, dpn_error *why) {
    size_t length;
    dpn_status status = dpn_declaration_write(&query->text, &length, declaration, why);
    return status ? status : dpn_declaration_read(&query->declaration, query->text, length, why);
}

/* Everything but the noise. */
static dpn_status build_shape(dpn_query *query, const dpn_declaration *declaration, dpn_error *why) {
    dpn_status status = dpn_declaration_read_shares(&query->asked, declaration, why);
    if (!status) status = copy_declaration(query, declaration, why);
    if (!status) status = dpn_query_compile(query, why);
    return status ? status : dpn_check_consistent(query, why);
}

static dpn_status build(dpn_query *query, const dpn_declaration *declaration, const dpn_calibration_options *options,
                        dpn_error *why) {
    dpn_status status = build_shape(query, declaration, why);
    if (!status) status = dpn_query_add_noise(query, options, why);
    return status ? status : dpn_intervals_prepare(query, why);
}

static dpn_status finish(dpn_query **out, dpn_query *query, dpn_status status) {
    if (status)
        dpn_query_free(query);
    else
        *out = query;
    return status;
}

dpn_status dpn_query_new(dpn_query **out, const dpn_declaration *declaration, const dpn_calibration_options *options,
                         dpn_error *why) {
    if (!out || !declaration) return dpn_fail(why, DPN_EDOMAIN, "there is nothing to release");
    dpn_calibration_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (status) return status;
    dpn_query *query = calloc(1, sizeof *query);
    if (!query) return dpn_fail(why, DPN_ENOMEM, "no memory for the query");
    return finish(out, query, build(query, declaration, &own, why));
}

dpn_status dpn_query_new_shape(dpn_query **out, const dpn_declaration *declaration, dpn_error *why) {
    if (!out || !declaration) return dpn_fail(why, DPN_EDOMAIN, "there is nothing to release");
    dpn_query *query = calloc(1, sizeof *query);
    if (!query) return dpn_fail(why, DPN_ENOMEM, "no memory for the query");
    query->shape_only = true;
    return finish(out, query, build_shape(query, declaration, why));
}

static void free_texts(char **text, size_t count) {
    for (size_t i = 0; text && i < count; i++) free(text[i]);
    free(text);
}

void dpn_query_free(dpn_query *query) {
    if (!query) return;
    for (size_t i = 0; i < dpn_bin_sets(query); i++) free_texts(query->bins[i].edge, query->bins[i].edges);
    for (size_t i = 0; i < query->outputs; i++) {
        free(query->outputs_of[i].width);
        free(query->outputs_of[i].products);
    }
    for (size_t i = 0; query->cell && i < query->moments; i++) free((char *)query->cell[i].name);
    free_texts(query->column, query->columns);
    free_texts(query->output, query->outputs);
    dpn_release_free(query->release);
    free(query->text);
    dpn_declaration_free(&query->declaration);
    free(query->by);
    free(query->where);
    free(query->measure);
    free(query->moment);
    free(query->bins);
    free(query->outputs_of);
    free(query->cell);
    free(query->noise);
    free(query->quantile);
    free(query);
}

const char *dpn_query_column(const dpn_query *query, size_t index) {
    return index < query->columns ? query->column[index] : NULL;
}

size_t dpn_query_groups(const dpn_query *query) {
    return query->groups;
}

const char *dpn_query_output(const dpn_query *query, size_t index) {
    return index < query->outputs ? query->output[index] : NULL;
}

double dpn_query_interval95(const dpn_query *query, size_t output) {
    return output < query->outputs && !query->shape_only ? query->outputs_of[output].half : NAN;
}

double dpn_query_interval95_at(const dpn_query *query, size_t output, double rows) {
    if (output >= query->outputs || query->shape_only || !(rows >= 1)) return NAN;
    const dpn_output *of = &query->outputs_of[output];
    return of->row->half_at ? of->row->half_at(query, of, rows) : of->half;
}

double dpn_query_proportion95(const dpn_query *query, size_t output, double rows) {
    if (output >= query->outputs || !query->outputs_of[output].row->whole || !(rows >= 1)) return NAN;
    return fmin(dpn_query_interval95(query, output) / rows, 1);
}

dpn_query_facts dpn_query_look(const dpn_query *query) {
    const dpn_plan *plan = query->release ? dpn_release_plan(query->release) : NULL;
    bool public_count = false;
    for (size_t i = 0; query->cell && i < query->moments; i++)
        public_count |= query->moment[i].kind == DPN_MOMENT_ROWS && query->cell[i].sensitivity == 0;
    return (dpn_query_facts){.epsilon = query->asked.epsilon,
                             .delta = query->asked.delta,
                             .cells = query->cell ? query->moments : 0,
                             .cell = query->cell,
                             .moved_groups = query->moved_groups,
                             .plan = plan,
                             .quantile_epsilon = query->quantile_epsilon,
                             .quantiles = query->quantiles,
                             .threshold = query->threshold,
                             .threshold_delta = query->threshold_delta,
                             .unknown_keys = !query->known_keys,
                             .count_is_public = public_count};
}

/* The probability that a key shows which one of two neighbours has alone, as a decimal: rounded up, but not beyond the share of
 * delta that it was kept within. */
static dpn_status threshold_delta(dpn_decimal *out, const dpn_query *query, const dpn_decimal *share, dpn_error *why) {
    *out = (dpn_decimal){{0}};
    if (query->known_keys) return DPN_OK;
    dpn_status status = dpn_decimal_from_upper(out, query->threshold_delta, why);
    if (!status && dpn_decimal_compare(out, share) > 0 && dpn_decimal_lower(share) >= query->threshold_delta)
        *out = *share;
    return status;
}

/* Sums have divergences, or are pure, and are counted in the way by which the most of them fit; keys that are unknown add the
 * probability that their threshold fails. With quantiles the release is known by its epsilon: pure, if the noise of the sums
 * is. docs/proofs/privacy/filter.md, "Charges that have such P', Q'". */
dpn_status dpn_query_charge(dpn_charge *out, const dpn_query *query, const dpn_filter *filter, dpn_error *why) {
    if (query->shape_only) return dpn_fail(why, DPN_EDOMAIN, "a shape without noise has no charge");
    const dpn_decimal *epsilon = &query->asked.epsilon, *delta = &query->asked.delta;
    dpn_decimal share = dpn_decimal_hundredths_down(delta, DPN_THRESHOLD_SHARE), apart;
    dpn_decimal rest = dpn_decimal_hundredths_down(delta, 100 - DPN_THRESHOLD_SHARE);
    dpn_status status = threshold_delta(&apart, query, &share, why);
    if (status) return status;
    const dpn_plan *plan = query->release ? dpn_release_plan(query->release) : NULL;
    if (plan && query->quantiles == 0)
        return dpn_plan_charge_beside(out, plan, dpn_release_sensitivity(query->release), query->moved_groups, filter,
                                      epsilon, query->known_keys ? delta : &rest, &apart, why);
    *out = dpn_charge_pure(filter, epsilon, plan && plan->delta.upper > 0 ? delta : &apart);
    return DPN_OK;
}
