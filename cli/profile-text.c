/* The answer of `dpnoise profile` for people. What bounds from above is never rounded down, what bounds from below
 * never up. */
#include "decimal.h"
#include "profile.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>

enum { DIGITS = 10, FEW = 4 };

/* A delta in digits, or where the digits of a double end as a power of ten. */
static void delta_text(char *out, size_t size, double value, double log_value, int digits, bool up) {
    char number[DPN_NUMBER_SIZE];
    double power = log_value / log(10), hundredths = up ? ceil(100 * power) : floor(100 * power);
    if (log_value == -INFINITY)
        snprintf(out, size, "0");
    else if (power > -290)
        snprintf(out, size, "%s",
                 up ? decimal_print_up(number, value, digits) : decimal_print_down(number, value, digits));
    else
        snprintf(out, size, "10^%.2f", hundredths / 100);
}

static void upper_delta_text(char *out, size_t size, const dpn_delta *delta, int digits) {
    delta_text(out, size, delta->upper, delta->log_upper, digits, true);
}

static void lower_delta_text(char *out, size_t size, const dpn_delta *delta, int digits) {
    delta_text(out, size, delta->lower, delta->log_lower, digits, false);
}

/* ---- Sentences ---- */

static const char *worst_change(const struct question *question, dpn_argument argument) {
    const dpn_sensitivity *set = &question->sensitivity.set;
    switch (argument) {
    case DPN_ARGUMENT_CORNER:
        if (question->laws == 0) return "every part moved by its sensitivity (corner): exact";
        if (set->dimension == 1) return "the largest one (corner): exact";
        if (!set->max_changed) return "every answer moved by its bound (corner): exact";
        return "as many answers as may move, by their bounds (corner): exact";
    case DPN_ARGUMENT_VERTICES:
        return "at a vertex of the set, all were examined (vertices): exact";
    case DPN_ARGUMENT_ONE_HOT:
        return "one answer moves alone (one-hot): exact";
    case DPN_ARGUMENT_L2_GAUSSIAN:
        return "with Gaussian noise only its l2 norm matters (l2-Gaussian): exact";
    case DPN_ARGUMENT_BOUND:
        break;
    }
    return "not known (bound): no change exceeds the upper end, some change reaches the lower";
}

/* The guarantee as a sentence. */
static void print_claim(const struct question *question, const struct guarantee *guarantee) {
    char epsilon[64], delta[64], number[DPN_NUMBER_SIZE];
    if (question->of_delta) {
        snprintf(epsilon, sizeof epsilon, "%s", decimal_print_up(number, guarantee->epsilon.upper, DIGITS));
        snprintf(delta, sizeof delta, "%s", dpn_number_print(number, guarantee->asked));
        if (isinf(guarantee->epsilon.upper)) {
            printf("  not (epsilon, %s)-differentially private for any epsilon\n", delta);
            return;
        }
    } else {
        snprintf(epsilon, sizeof epsilon, "%s", dpn_number_print(number, guarantee->asked));
        upper_delta_text(delta, sizeof delta, &guarantee->delta, FEW);
        if (guarantee->asked < 0 || isinf(guarantee->asked)) { /* nobody calls that differentially private */
            printf("  delta(%s) is at most %s\n", epsilon, delta);
            return;
        }
    }
    const char *end = delta[0] == '0' && !delta[1] ? " (pure)" : "";
    printf("  (%s, %s)-differentially private%s\n", epsilon, delta, end);
}

/* ---- The table of points ---- */

static void fill_delta(struct table *table, size_t row, const struct guarantee *guarantee) {
    char text[64];
    table_set_number(table, row, 0, guarantee->asked);
    upper_delta_text(text, sizeof text, &guarantee->delta, DIGITS);
    table_set(table, row, 1, "%s", text);
    lower_delta_text(text, sizeof text, &guarantee->delta, DIGITS);
    table_set(table, row, 2, "%s", text);
    table_set_number(table, row, 3, guarantee->delta.log_upper);
}

static void fill_epsilon(struct table *table, size_t row, const struct guarantee *guarantee) {
    char text[DPN_NUMBER_SIZE];
    table_set_number(table, row, 0, guarantee->asked);
    table_set(table, row, 1, "%s", decimal_print_up(text, guarantee->epsilon.upper, DIGITS));
    table_set(table, row, 2, "%s", decimal_print_down(text, guarantee->epsilon.lower, DIGITS));
}

static dpn_status print_points(const struct question *question, const struct guarantee *guarantee, dpn_error *why) {
    static const char *const of_epsilon[] = {"epsilon", "delta at most", "delta at least", "log delta"};
    static const char *const of_delta[] = {"delta", "epsilon at most", "epsilon at least"};
    struct table table;
    size_t columns = question->of_delta ? 3 : 4;
    dpn_status status = table_make(&table, question->asked.count + 1, columns, why);
    if (status) return status;
    for (size_t i = 0; i < columns; i++) table_set(&table, 0, i, "%s", (question->of_delta ? of_delta : of_epsilon)[i]);
    for (size_t i = 0; i < question->asked.count; i++) {
        if (question->of_delta)
            fill_epsilon(&table, i + 1, &guarantee[i]);
        else
            fill_delta(&table, i + 1, &guarantee[i]);
    }
    table_print(stdout, &table, 2);
    table_free(&table);
    return DPN_OK;
}

/* ---- All together ---- */

/* A pure guarantee at a decimal epsilon that is no double shows as a tiny delta; say why. */
static bool straddles_zero(const struct question *question, const struct guarantee *guarantee) {
    return !question->of_delta && guarantee->between && guarantee->argument != DPN_ARGUMENT_BOUND &&
           guarantee->delta.log_lower == -INFINITY && guarantee->delta.log_upper > -INFINITY;
}

static void print_notes(const struct question *question, const struct guarantee *guarantee) {
    for (size_t i = 0; i < question->asked.count; i++) {
        char text[DPN_NUMBER_SIZE];
        if (!straddles_zero(question, &guarantee[i])) continue;
        dpn_number_print(text, guarantee[i].asked);
        printf("  note          no double is exactly %s: delta is 0 at the double above it, and the guarantee is\n"
               "                that of the double below; --delta 0 gives the epsilon of the pure guarantee\n",
               text);
        return;
    }
}

/* One line for each epsilon: what the condition gives, and how many times the exact delta that is. */
static void print_condition(const struct question *question, const struct guarantee *guarantee) {
    char delta[64], number[DPN_NUMBER_SIZE];
    for (size_t i = 0; i < question->asked.count; i++) {
        const dpn_conditioned *c = &guarantee[i].condition;
        double ratio = exp(c->log_delta - guarantee[i].delta.log_upper);
        delta_text(delta, sizeof delta, c->delta, c->log_delta, FEW, true);
        printf("  %-12s  %s: (%s, %s)", i ? "" : "condition", question->condition,
               dpn_number_print(number, guarantee[i].asked), delta);
        if (c->exact)
            puts(", exact here");
        else if (isfinite(ratio))
            printf(", %.4g times the delta above\n", ratio);
        else
            puts("");
    }
}

static dpn_status print_mechanism(const struct question *question, size_t mechanism, dpn_error *why) {
    char text[DPN_LAW_TEXT_SIZE];
    size_t points = question->asked.count;
    const struct guarantee *guarantee = question->guarantee + mechanism * points;
    if (question->laws)
        printf("%s\n", dpn_law_print(text, &question->law[mechanism]));
    else
        printf("composition of %zu %s\n", question->composition.parts,
               question->composition.parts == 1 ? "part" : "parts");
    if (points == 0) return DPN_OK;
    if (points == 1) {
        print_claim(question, guarantee);
        putchar('\n');
    }
    dpn_status status = print_points(question, guarantee, why);
    if (status) return status;
    printf("\n  worst change  %s\n", worst_change(question, guarantee->argument));
    if (question->condition) print_condition(question, guarantee);
    print_notes(question, guarantee);
    return DPN_OK;
}

static void print_parts(const struct composition *composition) {
    for (size_t i = 0; i < composition->parts; i++) {
        printf("  %-12s  ", i ? "" : "parts");
        composition_describe(stdout, composition, i);
        putchar('\n');
    }
}

dpn_status profile_print_text(const struct question *question, dpn_error *why) {
    for (size_t i = 0; i < profile_mechanisms(question); i++) {
        if (i > 0 && question->asked.count) putchar('\n');
        dpn_status status = print_mechanism(question, i, why);
        if (status) return status;
    }
    if (question->laws > 1) putchar('\n');
    if (question->laws) {
        fputs("  sensitivity   ", stdout);
        sensitivity_describe(stdout, &question->sensitivity);
        putchar('\n');
    } else {
        print_parts(&question->composition);
        if (question->sampled)
            printf("  sampling      %" PRIu64 " step%s, each of all parts, on a secret sample of rate %.10g\n", question->steps,
                   question->steps == 1 ? "" : "s", question->rate);
    }
    printf("  neighbours    %s\n", neighbours_words(&question->sensitivity.set));
    if (question->plot || question->export) putchar('\n');
    if (question->plot) printf("The picture is in %s.\n", question->plot);
    if (question->export) printf("The composition is in %s.\n", question->export);
    return DPN_OK;
}
