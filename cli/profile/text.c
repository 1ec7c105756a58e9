/* The answer of `dpnoise profile` for people. What bounds from above is never rounded down, what bounds from below
 * never up. */
#include "kit/fact.h"
#include "kit/table.h"
#include "profile/profile.h"
#include "words/decimal.h"
#include "words/delta.h"

#include <inttypes.h>
#include <math.h>

enum { DIGITS = 10, FEW = 4 };

/* ---- Sentences ---- */

static const char *worst_change(const struct question *question, dpn_argument argument) {
    bool known = question->mechanisms.composition.knowns > 0;
    if (known && argument == DPN_ARGUMENT_BOUND) return "divergences added, and the best order converted (bound)";
    if (known) return "the worst mechanisms with these guarantees (corner): exact";
    if (question->shuffled) return "a bound over all randomizers; at least: what randomised response reaches (bound)";
    if (question->replaced && argument == DPN_ARGUMENT_CORNER)
        return "a row that moves the answer most, replaced by its mirror image (corner): exact";
    if (question->replaced)
        return question->batch ? "a bound over all rows and batches; at least: what some rows reach (bound)"
                               : "a bound over all rows; at least: what some rows reach (bound)";
    if (mechanisms_composed(&question->mechanisms) && argument == DPN_ARGUMENT_CORNER)
        return "every part moved by its sensitivity (corner): exact";
    return worst_change_words(&question->mechanisms.sensitivity.set, argument);
}

/* The guarantee as a sentence. */
static void print_claim(const struct question *question, const struct guarantee *guarantee) {
    char epsilon[64], delta[DELTA_SIZE], number[DPN_NUMBER_SIZE];
    if (question->of_delta) {
        snprintf(epsilon, sizeof epsilon, "%s", decimal_print_up(number, guarantee->epsilon.upper, DIGITS));
        snprintf(delta, sizeof delta, "%s", dpn_number_print(number, guarantee->asked));
        if (isinf(guarantee->epsilon.upper)) {
            printf("  not (epsilon, %s)-differentially private for any epsilon\n", delta);
            return;
        }
    } else {
        snprintf(epsilon, sizeof epsilon, "%s", dpn_number_print(number, guarantee->asked));
        delta_print_upper(delta, &guarantee->delta, FEW);
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
    char text[DELTA_SIZE];
    table_set_number(table, row, 0, guarantee->asked);
    delta_print_upper(text, &guarantee->delta, DIGITS);
    table_set(table, row, 1, "%s", text);
    delta_print_lower(text, &guarantee->delta, DIGITS);
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
    dpn_status status = table_make(&table, question->asked.nearest.count + 1, columns, why);
    if (status) return status;
    for (size_t i = 0; i < columns; i++) table_set(&table, 0, i, "%s", (question->of_delta ? of_delta : of_epsilon)[i]);
    for (size_t i = 0; i < question->asked.nearest.count; i++) {
        if (question->of_delta)
            fill_epsilon(&table, i + 1, &guarantee[i]);
        else
            fill_delta(&table, i + 1, &guarantee[i]);
    }
    table.head = true;
    table_print(stdout, &table, 2);
    table_free(&table);
    return DPN_OK;
}

/* ---- All together ---- */

/* A pure guarantee at a decimal epsilon that is no double shows as a tiny delta; say why. */
static bool straddles_zero(const struct question *question, const struct guarantee *guarantee) {
    return !question->of_delta && guarantee->between && guarantee->argument < DPN_ARGUMENT_BOUND &&
           guarantee->delta.log_lower == -INFINITY && guarantee->delta.log_upper > -INFINITY;
}

/* Whether the interval is meant to be narrow: directions are searched for that, and the bounds of batches are close. Other bounds
 * say what they are as the worst change. */
static bool may_be_narrow(const struct question *question, dpn_argument argument) {
    return argument < DPN_ARGUMENT_BOUND || argument == DPN_ARGUMENT_DIRECTIONS || question->batch > 0;
}

static void print_notes(const struct question *question, const struct guarantee *guarantee) {
    bool wide = false;
    for (size_t i = 0; i < question->asked.nearest.count; i++)
        wide = wide || (guarantee[i].wide && may_be_narrow(question, guarantee[i].argument) &&
                        !straddles_zero(question, &guarantee[i]));
    if (wide)
        fact_print(
            stdout, "  note          ",
            "the accuracy that was asked for could not be reached: the interval is wider, and its upper end is a "
            "guarantee all the same");
    for (size_t i = 0; i < question->asked.nearest.count; i++) {
        char text[DPN_NUMBER_SIZE];
        if (!straddles_zero(question, &guarantee[i])) continue;
        dpn_number_print(text, guarantee[i].asked);
        fact_print(
            stdout, "  note          ",
            "no double is exactly %s: delta is 0 at the double above it, and the guarantee is that of the double "
            "below; --delta 0 gives the epsilon of the pure guarantee",
            text);
        return;
    }
}

/* One line for each epsilon: what the condition gives, and how many times the exact delta that is. */
static void print_condition(const struct question *question, const struct guarantee *guarantee) {
    char delta[DELTA_SIZE], number[DPN_NUMBER_SIZE];
    for (size_t i = 0; i < question->asked.nearest.count; i++) {
        const dpn_conditioned *c = &guarantee[i].condition;
        double ratio = exp(c->log_delta - guarantee[i].delta.log_upper);
        delta_print_upper(delta, &(dpn_delta){.upper = c->delta, .log_upper = c->log_delta}, FEW);
        struct fact fact;
        fact_begin(&fact, stdout, i ? "                " : "  condition     ");
        fprintf(fact.text, "%s: (%s, %s)", question->condition, dpn_number_print(number, guarantee[i].asked), delta);
        if (c->exact)
            fputs(", exact here", fact.text);
        else if (isfinite(ratio))
            fprintf(fact.text, ", %.4g times the delta above", ratio);
        fact_end(&fact);
    }
}

static dpn_status print_mechanism(const struct question *question, size_t mechanism, dpn_error *why) {
    size_t points = question->asked.nearest.count;
    const struct guarantee *guarantee = question->guarantee + mechanism * points;
    mechanisms_print_name(stdout, &question->mechanisms, mechanism);
    if (points == 0) return DPN_OK;
    if (points == 1) {
        print_claim(question, guarantee);
        putchar('\n');
    }
    dpn_status status = print_points(question, guarantee, why);
    if (status) return status;
    putchar('\n');
    fact_print(stdout, "  worst change  ", "%s", worst_change(question, guarantee->argument));
    if (question->condition) print_condition(question, guarantee);
    print_notes(question, guarantee);
    return DPN_OK;
}

static void print_sampling(const struct question *question) {
    const char *plural = question->steps == 1 ? "" : "s";
    if (question->batch)
        fact_print(stdout, "  sampling      ",
                   "%" PRIu64 " step%s, each on a secret batch of %" PRIu64 " of %" PRIu64 " rows", question->steps,
                   plural, question->batch, question->population);
    else
        fact_print(stdout, "  sampling      ",
                   "%" PRIu64 " step%s, each of all parts, on a secret sample of rate %.10g", question->steps, plural,
                   question->rate);
    if (question->present)
        fact_print(stdout, "  present       ", "%s: the move if a row of the sample is removed", question->present);
}

dpn_status profile_print_text(const struct question *question, dpn_error *why) {
    for (size_t i = 0; i < mechanisms_count(&question->mechanisms); i++) {
        if (i > 0 && question->asked.nearest.count) putchar('\n');
        dpn_status status = print_mechanism(question, i, why);
        if (status) return status;
    }
    if (question->mechanisms.laws > 1) putchar('\n');
    mechanisms_print_set(stdout, &question->mechanisms);
    if (question->assumed) sensitivity_print_assumed(stdout, &question->mechanisms.sensitivity.set);
    if (question->sampled) print_sampling(question);
    if (question->shuffled)
        printf("  shuffling     %" PRIu64 " report%s, one of each person\n", question->shuffled,
               question->shuffled == 1 ? "" : "s");
    mechanisms_print_neighbours(stdout, &question->mechanisms);
    if (question->plot || question->export) putchar('\n');
    if (question->plot) printf("The picture is in %s.\n", question->plot);
    if (question->export) printf("The composition is in %s.\n", question->export);
    return DPN_OK;
}
