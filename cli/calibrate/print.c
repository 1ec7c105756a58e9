/* The answers of `dpnoise calibrate`, as JSON and for people. */
#include "calibrate/calibrate.h"
#include "input/plan-file.h"
#include "kit/fact.h"
#include "kit/table.h"
#include "words/delta.h"

#include <dpnoise/number.h>
#include <math.h>

enum { DIGITS = 10, SHOWN = 20 };

/* ---- JSON ---- */

/* One number for each answer. Neighbours are often equal, and the fewest digits are slow to find. */
static void write_each(struct json *json, const char *name, const double *each, size_t count) {
    char text[DPN_NUMBER_SIZE] = "";
    json_open_array(json, name);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(each[i])) {
            json_number(json, NULL, each[i]);
            continue;
        }
        if (i == 0 || each[i] != each[i - 1]) dpn_number_print(text, each[i]);
        json_value(json, NULL, text);
    }
    json_close_array(json);
}

void calibrate_print_json(const struct calibrated *calibrated) {
    const dpn_plan *plan = &calibrated->plan;
    const dpn_calibration_options *options = &calibrated->asked.options;
    const dpn_law *law = plan_common_law(plan);
    char text[DPN_LAW_TEXT_SIZE];
    struct json object = json_begin(stdout);
    json_string(&object, "family", calibrated->family);
    if (law) json_string(&object, "law", dpn_law_print(text, law));
    json_value(&object, "plan", calibrated->text);
    write_each(&object, "variance", plan->variance, plan->dimension);
    write_each(&object, "interval95", calibrated->interval95, plan->dimension);
    json_number(&object, "mse", plan->mse);
    json_number(&object, "error", plan->error);
    json_number(&object, "epsilon", calibration_epsilon(&calibrated->asked, plan));
    json_number(&object, "delta", plan->delta.upper);
    json_number(&object, "delta_lower", plan->delta.lower);
    json_number(&object, "log_delta", plan->delta.log_upper);
    json_number(&object, "log_delta_lower", plan->delta.log_lower);
    json_bool(&object, "pure", plan->pure);
    json_number(&object, "pure_epsilon", plan->pure_epsilon);
    json_bool(&object, "sub_gaussian", plan->sub_gaussian);
    json_bool(&object, "integer", plan->integer);
    json_bool(&object, "bounded", plan->bounded);
    json_bool(&object, "limit", plan->limit);
    json_string(&object, "note", plan->note);
    json_string(&object, "argument", dpn_argument_name(plan->argument));
    if (options->shape_max > 0) {
        json_open_object(&object, "shape");
        json_string(&object, "name", dpn_family_shape(calibrated->family));
        json_number(&object, "min", options->shape_min);
        json_number(&object, "max", options->shape_max);
        json_close_object(&object);
    }
    calibration_json(&object, &calibrated->asked);
    if (calibrated->plot) json_string(&object, "plot", calibrated->plot);
    json_end(&object);
}

/* ---- For people ---- */

/* Noise that every answer shares. */
static void print_common(const dpn_plan *plan) {
    size_t answers = plan->dimension;
    printf("  variance      %.10g", plan->variance[0]);
    if (answers > 1) printf(" of each answer, %.10g of all %zu", plan->mse, answers);
    printf("\n  95%% within    %.10g of the answer\n",
           dpn_plan_error(plan, &plan->block[0], 0, DPN_OBJECTIVE_INTERVAL95));
}

/* The error of the answers of a block, from the least to the largest. */
static void set_range(struct table *table, size_t row, size_t column, const dpn_plan *plan, const dpn_block *block,
                      const size_t ends[2], dpn_objective objective) {
    bool hull = block->ball == DPN_BALL_HULL;
    double least = dpn_plan_error(plan, block, ends[0], objective), most = least;
    if (!dpn_block_law(block)) most = dpn_plan_error(plan, block, ends[1], objective);
    for (size_t i = 0; i < block->count && hull; i++) {
        double error = dpn_plan_error(plan, block, block->coordinate[i], objective);
        least = fmin(least, error);
        most = fmax(most, error);
    }
    if (least == most || isnan(most))
        table_set_number(table, row, column, most);
    else
        table_set(table, row, column, "%.6g to %.6g", least, most);
}

/* A row for each block. */
static dpn_status print_blocks(const dpn_plan *plan, dpn_error *why) {
    static const char *const head[] = {"answers", "sensitivity", "variance", "95% within", "noise"};
    size_t rows = plan->blocks < SHOWN ? plan->blocks : SHOWN;
    struct table table;
    dpn_status status = table_make(&table, rows + 1, 5, why);
    if (status) return status;
    table.left = 1u << 4;
    for (size_t i = 0; i < 5; i++) table_set(&table, 0, i, "%s", head[i]);
    for (size_t b = 0; b < rows; b++) {
        const dpn_block *block = &plan->block[b];
        char text[BLOCK_SIZE];
        size_t ends[2] = {block->coordinate[0], block->coordinate[0]};
        for (size_t i = 1; i < block->count; i++) {
            size_t c = block->coordinate[i];
            if (plan->sensitivity[c] < plan->sensitivity[ends[0]]) ends[0] = c;
            if (plan->sensitivity[c] > plan->sensitivity[ends[1]]) ends[1] = c;
        }
        double low = plan->sensitivity[ends[0]], high = plan->sensitivity[ends[1]];
        table_set(&table, b + 1, 0, "%s", block_print_answers(text, block));
        if (low == high)
            table_set_number(&table, b + 1, 1, high);
        else
            table_set(&table, b + 1, 1, "%.6g to %.6g", low, high);
        set_range(&table, b + 1, 2, plan, block, ends, DPN_OBJECTIVE_MSE);
        set_range(&table, b + 1, 3, plan, block, ends, DPN_OBJECTIVE_INTERVAL95);
        table_set(&table, b + 1, 4, "%s", block_print_noise(text, block));
    }
    putchar('\n');
    table.head = true;
    table_print(stdout, &table, 2);
    table_free(&table);
    if (plan->blocks > SHOWN) printf("  and %zu more; --json lists all\n", plan->blocks - SHOWN);
    printf("\n  variance      %.10g", plan->mse);
    if (plan->dimension > 1) printf(" of all %zu answers", plan->dimension);
    putchar('\n');
    return DPN_OK;
}

static void print_marks(const dpn_plan *plan) {
    if (plan->bounded)
        fact_print(stdout, "  bounded       ",
                   "an output beyond the noise's reach gives the data away; that has probability up to delta");
    if (plan->note[0]) fact_print(stdout, "  note          ", "%s", plan->note);
}

dpn_status calibrate_print_text(const struct calibrated *calibrated, dpn_error *why) {
    const struct calibration *asked = &calibrated->asked;
    const dpn_plan *plan = &calibrated->plan;
    const dpn_law *law = plan_common_law(plan);
    char text[BLOCK_SIZE], lower[DELTA_SIZE];
    if (law)
        printf("%s\n  ", dpn_law_print(text, law));
    else
        printf("%s noise\n  ", calibrated->family);
    calibration_print_claim(asked, plan);
    putchar('\n');
    if (law) putchar('\n');
    dpn_status status = DPN_OK;
    if (law)
        print_common(plan);
    else
        status = print_blocks(plan, why);
    if (status) return status;
    if (asked->options.objective != DPN_OBJECTIVE_MSE || asked->weights.at)
        printf("  minimised     %s, %.10g%s\n", objective_words(asked->options.objective), plan->error,
               asked->weights.at     ? " with the weights"
               : plan->dimension > 1 ? " summed over the answers"
                                     : "");
    printf("  delta         at most %s, at least ", delta_print_upper(text, &plan->delta, DIGITS));
    printf("%s\n", delta_print_lower(lower, &plan->delta, DIGITS));
    if (asked->options.condition != DPN_CONDITION_EXACT)
        printf("  condition     %s\n", dpn_calibration_condition_name(asked->options.condition));
    fact_print(stdout, "  worst change  ", "%s", worst_change_words(&asked->sensitivity.set, plan->argument));
    calibration_print_question(asked);
    if (plan->integer) sensitivity_note_whole(stdout, &asked->sensitivity);
    print_marks(plan);
    if (calibrated->plot) printf("\nThe picture is in %s.\n", calibrated->plot);
    return DPN_OK;
}
