/* The answers of `dpnoise add`, as JSON and for people. */
#include "add/add.h"
#include "input/plan-file.h"
#include "kit/fact.h"
#include "words/decimal.h"
#include "words/delta.h"

#include <dpnoise/number.h>
#include <dpnoise/plan.h>
#include <math.h>

enum { DIGITS = 10 };

/* 2^exponent with all its digits. */
static char *print_grid(char text[DPN_RELEASE_TEXT_SIZE], const struct addition *addition, size_t i) {
    return dpn_release_print(text, addition->release, i, 1);
}

static bool one_grid(const struct addition *addition) {
    for (size_t i = 1; i < addition->asked.sensitivity.set.dimension; i++)
        if (dpn_release_grid_exponent(addition->release, i) != dpn_release_grid_exponent(addition->release, 0))
            return false;
    return true;
}

void add_print_json(const struct addition *addition) {
    const dpn_plan *plan = dpn_release_plan(addition->release);
    char text[DPN_RELEASE_TEXT_SIZE];
    struct json object = json_begin(stdout);
    json_open_array(&object, "values");
    for (size_t i = 0; i < plan->dimension; i++)
        json_value(&object, NULL, dpn_release_print(text, addition->release, i, addition->value[i]));
    json_close_array(&object);
    json_string(&object, "family", plan->family);
    if (addition->ball) json_string(&object, "ball", addition->ball);
    json_value(&object, "plan", addition->text);
    if (one_grid(addition)) {
        json_value(&object, "grid", print_grid(text, addition, 0));
    } else {
        json_open_array(&object, "grid");
        for (size_t i = 0; i < plan->dimension; i++) json_value(&object, NULL, print_grid(text, addition, i));
        json_close_array(&object);
    }
    json_number(&object, "epsilon", addition->asked.asked_epsilon);
    json_number(&object, "delta", plan->delta.upper);
    json_number(&object, "delta_lower", plan->delta.lower);
    json_number(&object, "log_delta", plan->delta.log_upper);
    json_open_array(&object, "interval95");
    for (size_t i = 0; i < plan->dimension; i++) { /* neighbours are often equal, and digits are slow to find */
        if (i == 0 || addition->interval95[i] != addition->interval95[i - 1])
            dpn_number_print(text, addition->interval95[i]);
        json_value(&object, NULL, text);
    }
    json_close_array(&object);
    if (addition->head[0]) json_string(&object, "head", addition->head);
    json_bool(&object, "pure", plan->pure);
    json_bool(&object, "whole", addition->options.whole);
    json_string(&object, "note", plan->note);
    json_string(&object, "argument", dpn_argument_name(plan->argument));
    /* The plan is for the gridded answers, and so is the set that belongs to it. */
    struct calibration gridded = addition->asked;
    const dpn_sensitivity *set = dpn_release_sensitivity(addition->release), *told = &addition->asked.sensitivity.set;
    gridded.sensitivity.set = *set;
    gridded.sensitivity.set.relation = told->relation;
    gridded.sensitivity.set.unit = told->unit;
    calibration_json(&object, &gridded);
    json_end(&object);
}

/* A line for each block: which answers, which noise, which grid, and 95% of it. */
static void print_block(const struct addition *addition, const dpn_block *block) {
    char answers[BLOCK_SIZE], noise[BLOCK_SIZE], grid[DPN_RELEASE_TEXT_SIZE], width[DPN_NUMBER_SIZE];
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < block->count; i++) {
        least = fmin(least, addition->interval95[block->coordinate[i]]);
        most = fmax(most, addition->interval95[block->coordinate[i]]);
    }
    struct fact fact;
    fact_begin(&fact, stdout, "  answers ");
    fprintf(fact.text, "%s: %s on the grid %s, 95%% within ", block_print_answers(answers, block),
            block_print_noise(noise, block), print_grid(grid, addition, block->coordinate[0]));
    if (least < most) fprintf(fact.text, "%s to ", decimal_print_up(width, least, 6));
    fputs(decimal_print_up(width, most, 6), fact.text);
    fact_end(&fact);
}

void add_print_text(const struct addition *addition) {
    enum { SHOWN = 20 };
    const dpn_plan *plan = dpn_release_plan(addition->release);
    char text[DPN_RELEASE_TEXT_SIZE], delta[DELTA_SIZE];
    for (size_t i = 0; i < plan->dimension; i++)
        puts(dpn_release_print(text, addition->release, i, addition->value[i]));
    fputs("\n  ", stdout);
    calibration_print_claim(&addition->asked, plan);
    printf("\n  delta         at most %s\n", delta_print_upper(delta, &plan->delta, DIGITS));
    if (addition->ball) printf("  moves         in the ball %s\n", addition->ball);
    calibration_print_question(&addition->asked);
    if (addition->head[0]) printf("  charged       head %s\n", addition->head);
    for (size_t b = 0; b < plan->blocks && b < SHOWN; b++) print_block(addition, &plan->block[b]);
    if (plan->blocks > SHOWN) printf("  and %zu more kinds of noise; --json lists all\n", plan->blocks - SHOWN);
    if (plan->note[0]) fact_print(stdout, "  note          ", "%s", plan->note);
}
