/* The answers of `dpnoise compare`, as JSON and for people. */
#include "compare/compare.h"
#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/table.h"
#include "kit/wrap.h"
#include "words/decimal.h"
#include "words/law.h"

#include <dpnoise/plan.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 7, TEXT = 128 };

/* ---- JSON ---- */

static void write_plan(struct json *json, const struct compared *compared, const dpn_comparison_row *row,
                       const char *blocks) {
    const dpn_plan *plan = &row->plan;
    char text[DPN_LAW_TEXT_SIZE];
    json_open_object(json, NULL);
    json_string(json, "family", row->family);
    if (plan->blocks == 1 && dpn_block_law(&plan->block[0]))
        json_string(json, "law", dpn_law_print(text, &plan->block[0].law));
    json_value(json, "plan", blocks);
    json_number(json, "mse", plan->mse);
    json_number(json, "error", plan->error);
    json_number(json, "epsilon", calibration_epsilon(&compared->asked, plan));
    json_number(json, "delta", plan->delta.upper);
    json_number(json, "delta_lower", plan->delta.lower);
    json_number(json, "log_delta", plan->delta.log_upper);
    json_bool(json, "pure", plan->pure);
    json_bool(json, "sub_gaussian", plan->sub_gaussian);
    json_bool(json, "integer", plan->integer);
    json_bool(json, "bounded", plan->bounded);
    json_bool(json, "limit", plan->limit);
    json_string(json, "note", plan->note);
    json_string(json, "argument", dpn_argument_name(plan->argument));
    json_close_object(json);
}

static void write_refused(struct json *json, const dpn_comparison *comparison) {
    json_open_array(json, "refused");
    for (size_t i = comparison->plans; i < comparison->rows; i++) {
        json_open_object(json, NULL);
        json_string(json, "family", comparison->row[i].family);
        json_string(json, "reason", comparison->row[i].why.sentence);
        json_string(json, "status", dpn_status_name(comparison->row[i].status));
        json_close_object(json);
    }
    json_close_array(json);
}

dpn_status compare_print_json(const struct compared *compared, dpn_error *why) {
    const dpn_comparison *comparison = &compared->comparison;
    char **blocks = calloc(comparison->plans, sizeof *blocks); /* all before the first is printed */
    dpn_status status = blocks ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < comparison->plans && !status; i++)
        status = dpn_plan_write(&blocks[i], NULL, &comparison->row[i].plan, why);
    if (!status) {
        struct json object = json_begin(stdout);
        json_open_array(&object, "rows");
        for (size_t i = 0; i < comparison->plans; i++) write_plan(&object, compared, &comparison->row[i], blocks[i]);
        json_close_array(&object);
        write_refused(&object, comparison);
        if (!compared->asked.of_error) json_number(&object, "epsilon", compared->asked.asked_epsilon);
        calibration_json(&object, &compared->asked);
        if (compared->plot) json_string(&object, "plot", compared->plot);
        json_end(&object);
    }
    for (size_t i = 0; blocks && i < comparison->plans; i++) free(blocks[i]);
    free(blocks);
    return status;
}

/* ---- For people ---- */

static void print_heading(const struct calibration *asked) {
    char number[DPN_NUMBER_SIZE], delta[DPN_NUMBER_SIZE];
    dpn_number_print(delta, asked->asked_delta);
    struct fact fact;
    fact_begin(&fact, stdout, "");
    if (asked->of_error)
        fprintf(fact.text, "the least epsilon at delta %s with a %s of at most %s", delta,
                objective_words(asked->options.objective), dpn_number_print(number, asked->asked_error));
    else
        fprintf(fact.text, "the least %s with (%s, %s)-differential privacy", objective_words(asked->options.objective),
                dpn_number_print(number, asked->asked_epsilon), delta);
    if (asked->of_error && asked->sensitivity.set.dimension > 1)
        fputs(asked->options.objective == DPN_OBJECTIVE_INTERVAL95 ? " on average" : " in all", fact.text);
    if (asked->options.times > 1) fprintf(fact.text, ", %" PRIu64 " releases together", asked->options.times);
    fact_end(&fact);
    putchar('\n');
}

/* Set a blank after each comma, where a line may break; noise that its row has named already keeps its parameters alone. */
static void loosen(char text[TEXT], const char *family) {
    size_t name = strlen(family), length = strlen(text), used = 0;
    bool named = strncmp(text, family, name) == 0 && text[name] == '(' && text[length - 1] == ')';
    char loose[TEXT];
    for (size_t i = named ? name + 1 : 0; i < length - named && used + 2 < sizeof loose; i++) {
        loose[used++] = text[i];
        if (text[i] == ',') loose[used++] = ' ';
    }
    loose[used] = '\0';
    memcpy(text, loose, used + 1);
}

static const char *noise_short(char *text, size_t size, const dpn_block *block, size_t answers) {
    char noise[DPN_BLOCK_TEXT_SIZE];
    if (dpn_block_law(block)) return law_short(text, size, &block->law);
    if (block->count == answers)
        snprintf(text, size, "%s", dpn_block_print(noise, block, 6));
    else
        snprintf(text, size, "%s on %zu", dpn_block_print(noise, block, 6), block->count);
    return text;
}

/* The noise, or that of the first answer and how many others there are. */
static void fill_noise(struct table *table, size_t row, size_t column, const dpn_comparison_row *from) {
    const dpn_plan *plan = &from->plan;
    char text[TEXT];
    size_t noisy = 0, first = 0;
    for (size_t b = plan->blocks; b-- > 0;)
        if (!dpn_block_is_silent(&plan->block[b])) first = b, noisy++;
    if (noisy > 0) {
        noise_short(text, sizeof text, &plan->block[first], plan->dimension);
        loosen(text, noisy == 1 ? from->family : "");
    }
    if (noisy == 0)
        table_set(table, row, column, "none");
    else if (noisy == 1)
        table_set(table, row, column, "%s", text);
    else
        table_set(table, row, column, "%s, and %zu more", text, noisy - 1);
}

enum column { FAMILY, EPSILON, ERROR, EACH, ALONE, MARKS, NOISE, COLUMNS };

/* What a plan can be marked with: a letter in its row, and below the table what the letter means. */
enum { PURE, SUB_GAUSSIAN, INTEGER, BOUNDED, MARK_COUNT };
static const struct {
    char letter;
    const char *label, *meaning;
} mark[MARK_COUNT] = {
    {'P', "  P             ", "pure: delta is 0"},
    {'G', "  G             ", "sub-Gaussian: tails as light as those of Gaussian noise"},
    {'I', "  I             ", "integer: on the integers, for answers that are whole numbers"},
    {'B', "  B             ",
     "bounded: an output beyond the noise's reach gives the data away; that has probability up to delta"},
};

static bool is_marked(const dpn_plan *plan, int which) {
    return which == PURE           ? plan->pure
           : which == SUB_GAUSSIAN ? plan->sub_gaussian
           : which == INTEGER      ? plan->integer
                                   : plan->bounded;
}

static bool any_marked(const dpn_comparison *comparison, int which) {
    for (size_t i = 0; i < comparison->plans; i++)
        if (is_marked(&comparison->row[i].plan, which)) return true;
    return false;
}

/* Whether a column says something. */
static bool used(enum column column, const struct compared *compared) {
    const struct calibration *asked = &compared->asked;
    bool plain = asked->options.objective == DPN_OBJECTIVE_MSE && !asked->weights.at;
    bool squares = plain && !asked->of_error, several = asked->sensitivity.set.dimension > 1;
    switch (column) {
    case EPSILON:
        return asked->of_error;
    case ERROR:
        return !plain;
    case EACH:
        return squares && several;
    case ALONE:
        return squares && !several;
    case MARKS:
        for (int which = 0; which < MARK_COUNT; which++)
            if (any_marked(&compared->comparison, which)) return true;
        return false;
    default:
        return true;
    }
}

static void fill_head(struct table *table, size_t at, enum column column, const struct calibration *asked) {
    static const char *const head[] = {"family", "epsilon", "", "mse each", "mse", "marks", "noise"};
    table_set(table, 0, at, "%s", column == ERROR ? dpn_objective_name(asked->options.objective) : head[column]);
    if (column == MARKS || column == NOISE) table->left |= 1u << at;
    if (column == NOISE) table->fold = at;
}

static void fill_marks(struct table *table, size_t row, size_t at, const dpn_plan *plan) {
    char letters[2 * MARK_COUNT + 1] = "";
    size_t length = 0;
    for (int which = 0; which < MARK_COUNT; which++) {
        if (!is_marked(plan, which)) continue;
        if (length) letters[length++] = ' ';
        letters[length++] = mark[which].letter;
    }
    table_set(table, row, at, "%s", letters);
}

static void fill_cell(struct table *table, size_t row, size_t at, enum column column, const dpn_comparison_row *from) {
    const dpn_plan *plan = &from->plan;
    char number[DPN_NUMBER_SIZE];
    switch (column) {
    case FAMILY:
        table_set(table, row, at, "%s", from->family);
        break;
    case EPSILON:
        table_set(table, row, at, "%s", decimal_print_up(number, plan->epsilon, DIGITS));
        break;
    case ERROR:
        table_set(table, row, at, "%.*g", DIGITS, plan->error);
        break;
    case EACH:
        table_set(table, row, at, "%.*g", DIGITS, plan->mse / (double)plan->dimension);
        break;
    case ALONE:
        table_set(table, row, at, "%.*g", DIGITS, plan->mse);
        break;
    case MARKS:
        fill_marks(table, row, at, plan);
        break;
    default:
        fill_noise(table, row, at, from);
    }
}

static dpn_status print_rows(const struct compared *compared, dpn_error *why) {
    const dpn_comparison *comparison = &compared->comparison;
    struct table table;
    dpn_status status = table_make(&table, comparison->plans + 1, COLUMNS, why);
    if (status) return status;
    size_t at = 0;
    for (enum column column = FAMILY; column < COLUMNS; column++) {
        if (!used(column, compared)) continue;
        fill_head(&table, at, column, &compared->asked);
        for (size_t i = 0; i < comparison->plans; i++) fill_cell(&table, i + 1, at, column, &comparison->row[i]);
        at++;
    }
    table.head = true;
    for (size_t row = 0; row < table.rows; row++) table_print_row(stdout, &table, row, 2);
    table_free(&table);
    return DPN_OK;
}

/* What the marks that occur mean. */
static void print_marks(const dpn_comparison *comparison) {
    putchar('\n');
    for (int which = 0; which < MARK_COUNT; which++)
        if (any_marked(comparison, which)) fact_print(stdout, mark[which].label, "%s", mark[which].meaning);
}

static void print_refused(const dpn_comparison *comparison) {
    if (comparison->plans == comparison->rows) return;
    puts("\nnot for this:");
    for (size_t i = comparison->plans; i < comparison->rows; i++) {
        char name[64];
        snprintf(name, sizeof name, "  %s: ", comparison->row[i].family);
        fputs(name, stdout);
        wrap_words(stdout, comparison->row[i].why.sentence, strlen(name), 6);
    }
}

dpn_status compare_print_text(const struct compared *compared, dpn_error *why) {
    print_heading(&compared->asked);
    dpn_status status = print_rows(compared, why);
    if (status) return status;
    print_marks(&compared->comparison);
    if (compared->asked.options.condition != DPN_CONDITION_EXACT)
        printf("  condition     %s\n", dpn_calibration_condition_name(compared->asked.options.condition));
    calibration_print_question(&compared->asked);
    print_refused(&compared->comparison);
    if (compared->plot) printf("\nThe picture is in %s.\n", compared->plot);
    return DPN_OK;
}
