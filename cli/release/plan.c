/* dpnoise release --dry-run: the plan, the errors and the cost, before anything is spent. */
#include "release/release.h"

#include "kit/columns.h"
#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/plain.h"

#include <dpnoise/number.h>
#include <dpnoise/plan.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- For people ---- */

static size_t count_outputs(const struct release *release) {
    size_t outputs = 0;
    while (dpn_query_output(dpn_question_query(release->question), outputs)) outputs++;
    return outputs;
}

static void set_half(struct columns *grid, size_t row, size_t column, double half) {
    char number[DPN_NUMBER_SIZE], text[DPN_NUMBER_SIZE + 4];
    snprintf(text, sizeof text, "+- %s", release_few(number, half));
    columns_set(grid, row, column, text);
}

/* Quantiles without a step are the only outputs whose error is in ranks. */
static const char *unknown_error(const struct release *release, const char *output) {
    char name[2 * DPN_DECLARATION_NAME_SIZE + 16];
    for (size_t i = 0; i < release->declaration.statistics; i++) {
        const dpn_statistic *statistic = &release->declaration.statistic[i];
        if (!statistic->quantile || statistic->step) continue;
        snprintf(name, sizeof name, "quantile(%s,%s)", statistic->column[0], statistic->quantile);
        if (strcmp(name, output) == 0) return "in ranks, told with the answer";
    }
    return "told with the answer";
}

static dpn_status print_outputs(const struct release *release, dpn_error *why) {
    size_t outputs = count_outputs(release);
    struct columns grid = columns_make(outputs + 1, 2);
    columns_set(&grid, 0, 0, "output");
    columns_set(&grid, 0, 1, "95% within");
    for (size_t i = 0; i < outputs; i++) {
        double half = dpn_query_interval95(dpn_question_query(release->question), i);
        columns_set(&grid, i + 1, 0, dpn_query_output(dpn_question_query(release->question), i));
        if (isnan(half))
            columns_set(&grid, i + 1, 1,
                        unknown_error(release, dpn_query_output(dpn_question_query(release->question), i)));
        else
            set_half(&grid, i + 1, 1, half);
    }
    bool failed = grid.failed;
    if (!failed) grid.left[0] = grid.left[1] = true;
    if (!failed) columns_print(stdout, &grid, 0);
    columns_free(&grid);
    return failed ? refuse(why, DPN_ENOMEM, "out of memory") : DPN_OK;
}

static dpn_status print_cells(const dpn_query_facts *facts, dpn_error *why) {
    static const char *const head[] = {"sum of each group", "moved by", "grid", "95% within", "split naively"};
    enum { COLUMNS = sizeof head / sizeof *head };
    char number[DPN_NUMBER_SIZE];
    struct columns grid = columns_make(facts->cells + 1, COLUMNS);
    for (size_t i = 0; i < COLUMNS; i++) columns_set(&grid, 0, i, head[i]);
    for (size_t i = 0; i < facts->cells; i++) {
        const dpn_query_cell *cell = &facts->cell[i];
        columns_set(&grid, i + 1, 0, cell->name);
        columns_set(&grid, i + 1, 1, release_few(number, cell->sensitivity));
        columns_set(&grid, i + 1, 2, dpn_number_print(number, cell->grid));
        set_half(&grid, i + 1, 3, cell->interval95);
        set_half(&grid, i + 1, 4, cell->naive95);
    }
    bool failed = grid.failed;
    if (!failed) grid.left[0] = true;
    if (!failed) putchar('\n');
    if (!failed) columns_print(stdout, &grid, 0);
    columns_free(&grid);
    return failed ? refuse(why, DPN_ENOMEM, "out of memory") : DPN_OK;
}

/* The sum of the variances in units of what one unit of the data moves: what the choice of noise made least. */
static double error_of(const dpn_plan *plan, const double *weight) {
    double sum = 0;
    for (size_t i = 0; i < plan->dimension; i++) sum += weight[i] * plan->variance[i];
    return sum;
}

/* The least of independent noise for the same guarantee: Laplace noise, or Gaussian noise where a delta is spent; +inf if neither serves. */
static double independent_error(const dpn_plan *plan, const double *weight) {
    dpn_calibration_options options = dpn_calibration_options_init();
    dpn_sensitivity set;
    dpn_plan other;
    double least = INFINITY;
    options.weight = weight;
    if (dpn_plan_sensitivity(&set, plan, NULL)) return least;
    if (!dpn_calibrate(&other, "laplace", plan->epsilon, 0, &set, &options, NULL)) {
        least = error_of(&other, weight);
        dpn_plan_free(&other);
    }
    double delta = plan->delta.upper;
    if (delta > 0 && !dpn_calibrate(&other, "gaussian", plan->epsilon, delta, &set, &options, NULL)) {
        least = fmin(least, error_of(&other, weight));
        dpn_plan_free(&other);
    }
    return least;
}

/* Of joint noise on several sums. */
static void print_saving(const dpn_plan *plan) {
    double weight[64];
    bool joint = false;
    if (plan->dimension > sizeof weight / sizeof *weight) return;
    for (size_t b = 0; b < plan->blocks; b++)
        joint |= !dpn_block_law(&plan->block[b]) && plan->block[b].count > 1 && !dpn_block_is_silent(&plan->block[b]);
    for (size_t i = 0; i < plan->dimension; i++)
        weight[i] = plan->sensitivity[i] > 0 ? 1 / (plan->sensitivity[i] * plan->sensitivity[i]) : 1;
    double own = error_of(plan, weight), other = joint && own > 0 ? independent_error(plan, weight) : INFINITY;
    if (isfinite(other) && own < 0.995 * other)
        fact_print(stdout, "             ",
                   "joint noise: the squared errors of the sums are %.0f%% below those of independent noise",
                   100 * (1 - own / other));
}

static dpn_status print_facts(const struct release *release, const dpn_query_facts *facts, dpn_error *why) {
    char number[DPN_NUMBER_SIZE];
    putchar('\n');
    release_print_guarantee(release);
    if (facts->unknown_keys)
        fact_print(stdout, "  groups     ", "those whose noisy number of %ss is above %" PRId64 ", for a delta of %s",
                   release->declaration.person ? "person" : "row", facts->threshold,
                   release_few(number, facts->threshold_delta));
    else
        printf("  groups     %zu, of which one unit moves up to %" PRIu64 "\n",
               dpn_query_groups(dpn_question_query(release->question)), facts->moved_groups);
    if (facts->plan) {
        fputs("  noise      ", stdout);
        release_print_noise(stdout, facts->plan, "\n             ");
        putchar('\n');
        print_saving(facts->plan);
    }
    if (facts->quantiles)
        printf("  quantiles  %zu in each group, each with epsilon %s\n", facts->quantiles,
               release_few(number, facts->quantile_epsilon));
    return release_print_said(stdout, release, "  ", why);
}

/* Whether it is delta that does not fit, and what is asked of it. */
static bool exceeds_delta(dpn_decimal *asked, const dpn_cost *cost, const dpn_filter_plan *plan) {
    dpn_decimal all;
    if (dpn_decimal_subtract(asked, &cost->after.delta, &cost->before.delta, NULL)) return false;
    return dpn_decimal_add(&all, &cost->after.delta, &cost->after.aside, NULL) ||
           dpn_decimal_compare(&all, &plan->delta) > 0;
}

static void print_cost(const struct release *release, const dpn_cost *cost) {
    const struct standing *standing = &release->standing;
    char left[RELEASE_LEFT_SIZE], after[DPN_NUMBER_SIZE], total[DPN_DECIMAL_TEXT_SIZE];
    char asked[DPN_DECIMAL_TEXT_SIZE], rest[DPN_DECIMAL_TEXT_SIZE];
    if (standing->stored) {
        puts("  cost       nothing: the answer is in the ledger");
    } else if (!standing->known) {
        fact_print(stdout, "  cost       ", "there is no budget of %s yet: one would be made, of exactly this release",
                   release->dataset);
    } else {
        dpn_filter_plan plan = dpn_filter_plan_of(standing->account.filter);
        dpn_remaining remaining = dpn_filter_remaining(standing->account.filter);
        dpn_decimal more = {{0}};
        bool excess = !cost->fits && exceeds_delta(&more, cost, &plan);
        dpn_decimal_print(total, &plan.epsilon);
        if (excess)
            printf("  cost       it does not fit: delta %s asked, %s left\n", dpn_decimal_print(asked, &more),
                   dpn_decimal_print(rest, &remaining.delta));
        else
            printf("  cost       %s: the budget would stand at epsilon %s of %s\n",
                   cost->fits ? "it fits" : "it does not fit", release_few(after, cost->after.epsilon), total);
        printf("  budget     %s\n", release_left(left, &standing->account));
    }
    puts("  nothing was spent, and no row was read");
}

/* ---- As JSON ---- */

static void print_json(const struct release *release, const dpn_cost *cost) {
    struct json object = json_begin(stdout);
    json_bool(&object, "dry_run", true);
    json_open_array(&object, "outputs");
    for (size_t i = 0; dpn_query_output(dpn_question_query(release->question), i); i++) {
        json_open_object(&object, NULL);
        json_string(&object, "statistic", dpn_query_output(dpn_question_query(release->question), i));
        json_number(&object, "interval95", dpn_query_interval95(dpn_question_query(release->question), i));
        release_json_errors(&object, dpn_question_query(release->question), i);
        json_close_object(&object);
    }
    json_close_array(&object);
    json_count(&object, "groups", dpn_query_groups(dpn_question_query(release->question)));
    release_json_question(&object, release);
    release_json_ledger(&object, release);
    json_bool(&object, "stored", release->standing.stored);
    if (release->standing.known && !release->standing.stored) {
        json_bool(&object, "fits", cost->fits);
        json_number(&object, "epsilon_after", cost->after.epsilon);
        dpn_filter_plan plan = dpn_filter_plan_of(release->standing.account.filter);
        dpn_decimal asked = {{0}};
        if (!cost->fits) json_string(&object, "exceeds", exceeds_delta(&asked, cost, &plan) ? "delta" : "epsilon");
    }
    json_end(&object);
}

/* What it costs the account that is shown: an asker's quota, if there is one, which must fit together with its data set. */
static dpn_status preview(dpn_cost *out, struct release *release, dpn_error *why) {
    dpn_cost cost, quota;
    bool has_quota = dpn_question_look(release->question).quota;
    dpn_status status = dpn_question_preview(&cost, &quota, release->question, why);
    if (status) return status;
    if (has_quota && quota.fits && !cost.fits)
        release_note(release, "it fits the quota and not what is left of the data set, which refuses it");
    *out = has_quota ? quota : cost;
    out->fits &= cost.fits;
    return DPN_OK;
}

dpn_status release_print_plan(struct release *release, dpn_error *why) {
    const struct standing *standing = &release->standing;
    dpn_query_facts facts = dpn_query_look(dpn_question_query(release->question));
    dpn_cost cost = {0};
    dpn_status status = DPN_OK;
    if (standing->known && !standing->stored) status = preview(&cost, release, why);
    if (status) return status;
    if (arguments_have(release->arguments, "--json")) {
        print_json(release, &cost);
        return DPN_OK;
    }
    status = print_outputs(release, why);
    if (!status) status = release_print_errors(dpn_question_query(release->question), why);
    if (!status && facts.cells) status = print_cells(&facts, why);
    if (!status) status = print_facts(release, &facts, why);
    if (status) return status;
    print_cost(release, &cost);
    release_print_notes(stdout, release);
    return DPN_OK;
}
