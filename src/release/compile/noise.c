/* The noise of a query: how the guarantee is divided, the plan, the threshold.
 *
 * One unit moves the sums of at most moved_groups groups, each within one box: that is moved_groups releases of the same box,
 * which the calibration knows as `times`. */
#include "release/compile/noise.h"

#include "base/error.h"
#include "calibrate/mechanism.h"
#include "release/compile/tied.h"

#include <dpnoise/law.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- How far one unit moves a group ---- */

static bool replaces(const dpn_query *query) {
    return query->declaration.relation == DPN_REPLACE;
}

/* How far a row that gives way to another can move a sum: from its least term to its largest, a row that is in neither table
 * or in one of them only adding 0. */
static double replaced_move(const dpn_query *query, const dpn_moment *moment) {
    if (moment->kind == DPN_MOMENT_PRODUCT) return 2 * (double)moment->bound;
    const dpn_measure *measure = &query->measure[moment->a];
    return fmax((double)(measure->upper - moment->offset), 0) - fmin((double)(measure->lower - moment->offset), 0);
}

/* The largest change of a moment in one group. Under replace the old contribution goes and a new one comes. Counts go up or down by
 * no more than one contribution; in a histogram, or on a level of a tree, two bins change, which are two moves. */
static double largest_move(const dpn_query *query, const dpn_moment *moment) {
    if (moment->kind == DPN_MOMENT_ROWS && dpn_count_is_public(query)) return 0;
    bool value = moment->kind == DPN_MOMENT_VALUE || moment->kind == DPN_MOMENT_PRODUCT;
    double rows = moment->kind == DPN_MOMENT_PERSONS ? 1 : (double)query->declaration.max_rows;
    double row = value && replaces(query) ? replaced_move(query, moment) : (double)moment->bound;
    return ldexp(row * rows, moment->exponent);
}

/* Moves are doubles: all are exact, because more would be refused. */
static dpn_status check_moves(const dpn_query *query, dpn_error *why) {
    for (size_t i = 0; i < query->moments; i++)
        if ((double)query->moment[i].bound * (double)query->declaration.max_rows > 0x1p51)
            return dpn_fail(why, DPN_EDOMAIN, "a person with %llu rows moves too much: lower max_rows",
                            (unsigned long long)query->declaration.max_rows);
    return DPN_OK;
}

/* How many groups one unit is in, and how many times it moves one. */
static uint64_t groups_of_a_unit(const dpn_query *query) {
    if (query->declaration.bys == 0 || !query->declaration.person) return 1;
    uint64_t most = query->declaration.max_groups;
    return query->known_keys && query->groups < most ? query->groups : most;
}

static uint64_t moves_of_a_unit(const dpn_query *query) {
    bool twice = replaces(query) && (query->declaration.bys > 0 || query->histograms > 0 || query->trees > 0);
    return groups_of_a_unit(query) * (twice ? 2 : 1);
}

/* ---- Shares ---- */

struct shares {
    double epsilon, delta;         /* of the sums */
    double quantile;               /* epsilon of each quantile in each group */
    double threshold;              /* delta of unknown keys */
    double all_epsilon, all_delta; /* what is divided, rounded down */
    uint64_t parts;
};

static double down(double x) {
    return nextafter(x, 0);
}

/* With groups, a unit that is replaced leaves some and enters others; leaving and entering the same one is two such moves. */
static uint64_t quantile_moves(const dpn_query *query) {
    return groups_of_a_unit(query) * (replaces(query) && query->declaration.bys > 0 ? 2 : 1);
}

/* A quantile gets the share of one sum, so that with joint noise on the sums none is worse off than by an equal split: epsilon
 * adds up over quantiles, and over the groups that a unit moves. */
static dpn_status divide(struct shares *out, const dpn_query *query, dpn_error *why) {
    struct shares made = {.all_epsilon = dpn_decimal_lower(&query->asked.epsilon),
                          .all_delta = dpn_decimal_lower(&query->asked.delta)};
    made.epsilon = made.all_epsilon;
    made.delta = made.all_delta;
    made.parts = query->quantiles + query->moments;
    if (query->quantiles > 0) {
        double moves = (double)quantile_moves(query);
        made.quantile = down(down(made.all_epsilon / (double)made.parts) / moves);
        made.epsilon = down(made.all_epsilon - (double)query->quantiles * moves * made.quantile * (1 + 0x1p-50));
    }
    if (!query->known_keys) {
        if (made.all_delta == 0)
            return dpn_fail(
                why, DPN_EDOMAIN,
                "the keys to group by are unknown and delta is 0: give delta, or the levels of each column");
        made.threshold = down(down(DPN_THRESHOLD_SHARE / 100.0 * made.all_delta)); /* two roundings */
        made.delta = down(down((100 - DPN_THRESHOLD_SHARE) / 100.0 * made.all_delta));
    }
    *out = made;
    return DPN_OK;
}

/* ---- The plan ---- */

static dpn_status check_noise(const dpn_query *query, unsigned exclude, dpn_error *why) {
    const char *noise = query->declaration.noise;
    if (!noise) return DPN_OK;
    if (strcmp(noise, DPN_MECHANISM_K_NORM) == 0 && (exclude & DPN_EXCLUDE_JOINT))
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "k-norm noise serves neither a histogram beside other statistics nor unknown keys; blocks do");
    if (dpn_mechanism_traits_of(noise).not_log_concave && (exclude & DPN_EXCLUDE_INTEGER))
        return dpn_fail(
            why, DPN_EUNSUPPORTED,
            "%s noise does not serve a histogram to which a person adds several rows; try laplace or gaussian", noise);
    return DPN_OK;
}

/* The bins of a histogram have noise of one coordinate of the plan each, which must then be independent of the others. The
 * threshold needs the law of one count by itself. */
static bool is_alone(const dpn_query *query, size_t moment) {
    return query->moment[moment].kind == DPN_MOMENT_BINS || moment == query->persons;
}

/* That one bin moved by N is the worst of all ways to put N rows into bins is known for noise of log-concave density (T9), not
 * for noise on the integers. */
static unsigned excluded(const dpn_query *query) {
    unsigned exclude = 0;
    for (size_t i = 0; i < query->moments; i++)
        if (is_alone(query, i)) exclude |= DPN_EXCLUDE_JOINT;
    if (query->histograms + query->trees > 0 && query->declaration.max_rows > 1) exclude |= DPN_EXCLUDE_INTEGER;
    for (size_t i = 1; i < query->moments; i++)
        if (largest_move(query, &query->moment[i]) != largest_move(query, &query->moment[0]))
            exclude |= DPN_EXCLUDE_SLOW;
    return exclude;
}

static dpn_status make_release(dpn_query *query, const struct shares *shares,
                               const dpn_calibration_options *calibration, dpn_error *why) {
    size_t count = query->moments;
    double *bound = malloc(count * sizeof *bound), *weight = malloc(count * sizeof *weight);
    int *exponent = malloc(count * sizeof *exponent);
    bool *alone = malloc(count * sizeof *alone);
    size_t together = 0;
    dpn_status status =
        bound && weight && exponent && alone ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    for (size_t i = 0; i < count && !status; i++) {
        bound[i] = largest_move(query, &query->moment[i]);
        weight[i] = bound[i] > 0 ? 1 / (bound[i] * bound[i]) : 1; /* so that units of measurement do not matter */
        exponent[i] = query->moment[i].exponent;
        alone[i] = is_alone(query, i);
        together += !alone[i];
    }
    if (!status) {
        dpn_calibration_options with = *calibration;
        with.weight = weight;
        with.times = query->moved_groups;
        bool blocks = query->declaration.noise && strcmp(query->declaration.noise, DPN_MECHANISM_BLOCKS) == 0;
        with.alone = together < count && (together > 1 || blocks) ? alone : NULL;
        dpn_unit unit = query->declaration.person ? DPN_PERSON : DPN_ROW;
        dpn_sensitivity set = {
            .dimension = count, .bound = bound, .relation = query->declaration.relation, .unit = unit};
        dpn_release_options options = {.size = sizeof(dpn_release_options),
                                       .epsilon = shares->epsilon,
                                       .delta = shares->delta,
                                       .set = &set,
                                       .family = query->declaration.noise,
                                       .whole = true,
                                       .grid_exponents = exponent,
                                       .exclude = excluded(query),
                                       .calibration = &with};
        status = check_noise(query, options.exclude, why);
        if (!status) status = dpn_release_new(&query->release, &options, why);
        if (!status) status = dpn_tied_release(&query->release, query, &options, why);
    }
    free(bound);
    free(weight);
    free(exponent);
    free(alone);
    return status;
}

/* ---- Quantiles ---- */

static dpn_status prepare_quantiles(dpn_query *query, dpn_error *why) {
    if (!(query->quantile = calloc(query->quantiles + 1, sizeof *query->quantile)))
        return dpn_fail(why, DPN_ENOMEM, "no memory for the quantiles");
    dpn_status status = DPN_OK;
    for (size_t q = 0; q < query->quantiles && !status; q++) {
        const dpn_bins *bins = &query->bins[query->histograms + query->trees + q];
        bool alone = query->declaration.bys == 0;
        dpn_quantile_options options = {.size = sizeof(dpn_quantile_options),
                                        .q = query->declaration.statistic[bins->statistic].quantile,
                                        .epsilon = query->quantile_epsilon,
                                        .intervals = bins->edges - 1,
                                        .rows = query->declaration.max_rows,
                                        .relation = alone ? query->declaration.relation : DPN_ADD_REMOVE};
        status = dpn_quantile_prepare(&query->quantile[q], &options, why);
    }
    return status;
}

/* ---- Unknown keys ---- */

/* A key that only one of two neighbours has counts one person there, and shows with the probability that the noise exceeds
 * threshold - 1. The least threshold for which as many such keys as one unit moves stay within their share of delta. */
static dpn_status make_threshold(dpn_query *query, double share, dpn_error *why) {
    const dpn_law *law = dpn_plan_law(dpn_release_plan(query->release), query->persons);
    if (!law) return dpn_fail(why, DPN_EUNSUPPORTED, "unknown keys need noise with a law of its own");
    double each = share / (double)query->moved_groups, slack = 1 + 1e-9; /* dpn_law_sf errs by less than 1e-12 */
    double start = floor(dpn_law_quantile(law, 1 - fmin(each, 0.5)));
    int64_t threshold = start > 1 && start < 1e15 ? (int64_t)start : 1;
    while (threshold > 1 && dpn_law_sf(law, (double)(threshold - 2)) * slack <= each) threshold--;
    while (threshold < INT64_C(1) << 50 && dpn_law_sf(law, (double)(threshold - 1)) * slack > each) {
        threshold += threshold > 1000000 ? threshold / 1000000 : 1;
    }
    double tail = fmax(dpn_law_sf(law, (double)(threshold - 1)), DBL_MIN); /* no underflow may pass for 0 */
    double delta = tail * slack * (double)query->moved_groups;
    if (!(delta <= share)) return dpn_fail(why, DPN_EACCURACY, "no threshold keeps unknown keys within delta");
    query->threshold = threshold;
    query->threshold_delta = delta;
    return DPN_OK;
}

/* ---- What to tell ---- */

/* The half-width of noise on one moment alone with an equal share of epsilon and delta: Laplace, or Gaussian if that is less. */
static double naive_width(const dpn_query *query, const struct shares *shares, double bound, double grid) {
    double least = NAN, parts = (double)(query->moments + query->quantiles);
    dpn_calibration_options calibration = {.size = sizeof(dpn_calibration_options), .times = query->moved_groups};
    double epsilon = shares->all_epsilon / parts, delta = shares->all_delta / parts;
    dpn_sensitivity set = {.dimension = 1, .linf = bound};
    if (bound == 0) return 0;
    for (int gaussian = 0; gaussian < 2; gaussian++) {
        dpn_plan plan = {0};
        dpn_status status = gaussian ? dpn_calibrate(&plan, "gaussian", epsilon, delta, &set, &calibration, NULL)
                                     : dpn_calibrate(&plan, "laplace", epsilon, delta, &set, &calibration, NULL);
        if (status) continue;
        double width = dpn_plan_error(&plan, &plan.block[0], 0, DPN_OBJECTIVE_INTERVAL95);
        least = isnan(least) || width < least ? width : least;
        dpn_plan_free(&plan);
    }
    return grid * floor((least + grid / 2) / grid); /* in whole steps, as dpn_release_interval95 has it */
}

/* "sum(income - 100000)". */
static char *name_of(const dpn_query *query, const dpn_moment *moment) {
    enum { SIZE = 1100 };
    char *name = malloc(SIZE), middle[DPN_STEPS_TEXT_SIZE] = "";
    if (!name) return NULL;
    bool value = moment->kind == DPN_MOMENT_VALUE || moment->kind == DPN_MOMENT_PRODUCT;
    const dpn_measure *a = value ? &query->measure[moment->a] : NULL;
    switch (moment->kind) {
    case DPN_MOMENT_ROWS:
        snprintf(name, SIZE, query->declaration.per_person ? "persons" : "count");
        break;
    case DPN_MOMENT_PERSONS:
        snprintf(name, SIZE, "persons");
        break;
    case DPN_MOMENT_LEFT_OUT:
        snprintf(name, SIZE, "left out");
        break;
    case DPN_MOMENT_VALUE:
        if (moment->offset) dpn_steps_print(middle, moment->offset < 0 ? -moment->offset : moment->offset, a->exponent);
        snprintf(name, SIZE, moment->offset ? "sum(%.500s %c %.100s)" : "sum(%.500s)", query->column[a->column],
                 moment->offset < 0 ? '+' : '-', middle);
        break;
    case DPN_MOMENT_PRODUCT:
        if (moment->a == moment->b)
            snprintf(name, SIZE, "squares(%.500s)", query->column[a->column]);
        else
            snprintf(name, SIZE, "products(%.500s,%.500s)", query->column[a->column],
                     query->column[query->measure[moment->b].column]);
        break;
    case DPN_MOMENT_BINS:
        if (query->bins[moment->a].upward)
            snprintf(name, SIZE, "tree(%.500s)[level %zu of %zu]", query->column[query->bins[moment->a].column],
                     moment->b + 1, query->bins[moment->a].tree.levels);
        else
            snprintf(name, SIZE, "histogram(%.500s)", query->column[query->bins[moment->a].column]);
        break;
    }
    return name;
}

static dpn_status describe(dpn_query *query, const struct shares *shares, dpn_error *why) {
    if (!(query->cell = calloc(query->moments + 1, sizeof *query->cell)))
        return dpn_fail(why, DPN_ENOMEM, "no memory for the cells");
    const dpn_plan *plan = query->release ? dpn_release_plan(query->release) : NULL;
    for (size_t i = 0; i < query->moments; i++) {
        dpn_query_cell *cell = &query->cell[i];
        cell->sensitivity = largest_move(query, &query->moment[i]);
        cell->grid = ldexp(1, dpn_release_grid_exponent(query->release, i));
        cell->variance = plan->variance[i];
        cell->interval95 = dpn_release_interval95(query->release, i);
        cell->naive95 = naive_width(query, shares, cell->sensitivity, cell->grid);
        if (!(cell->name = name_of(query, &query->moment[i])))
            return dpn_fail(why, DPN_ENOMEM, "no memory for the cells");
    }
    return DPN_OK;
}

dpn_status dpn_query_add_noise(dpn_query *query, const dpn_calibration_options *calibration, dpn_error *why) {
    struct shares shares = {0};
    dpn_status status = check_moves(query, why);
    if (!status) status = divide(&shares, query, why);
    if (status) return status;
    query->moved_groups = moves_of_a_unit(query);
    query->quantile_epsilon = shares.quantile;
    if (query->moments > 0) status = make_release(query, &shares, calibration, why);
    if (!status) status = prepare_quantiles(query, why);
    if (!status && !query->known_keys) status = make_threshold(query, shares.threshold, why);
    return status ? status : describe(query, &shares, why);
}
