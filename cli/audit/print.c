/* The answers of `dpnoise audit`, as JSON and for people. Lower bounds are never rounded up. */
#include "audit/audit.h"
#include "kit/fact.h"
#include "kit/table.h"
#include "words/decimal.h"

#include <dpnoise/decimal.h>
#include <inttypes.h>
#include <math.h>

enum { DIGITS = 6 };

static const char *print_grid(char text[DPN_STEPS_TEXT_SIZE], const dpn_audit *audit) {
    return dpn_steps_print(text, 1, audit->grid_exponent);
}

/* ---- JSON ---- */

static void print_point(struct json *json, const dpn_audit_point *point) {
    json_open_object(json, NULL);
    json_number(json, "epsilon", point->epsilon);
    json_number(json, "delta", point->delta);
    json_number(json, "epsilon_lower", point->epsilon_lower);
    json_number(json, "delta_lower", point->delta_lower);
    json_number(json, "power", point->power);
    json_close_object(json);
}

void audit_print_json(const struct inspection *inspection) {
    const dpn_audit *audit = &inspection->audit;
    char text[DPN_LAW_TEXT_SIZE], grid[DPN_STEPS_TEXT_SIZE];
    struct json object = json_begin(stdout);
    if (inspection->declared)
        json_value(&object, inspection->whole ? inspection->whole : "release", inspection->declared);
    else if (inspection->plan.given)
        plan_file_json(&object, &inspection->plan);
    else if (inspection->ball_text)
        json_string(&object, "law", inspection->ball_text);
    else
        json_string(&object, "law", dpn_law_print(text, inspection->law));
    json_bool(&object, "pass", audit->pass);
    json_number(&object, "epsilon_lower", audit->at.epsilon_lower);
    json_number(&object, "epsilon_claimed", audit->at.epsilon);
    json_number(&object, "delta", audit->at.delta);
    json_number(&object, "delta_lower", audit->at.delta_lower);
    json_number(&object, "power", audit->at.power);
    json_number(&object, "power_probability", 0.9);
    json_number(&object, "confidence", audit->confidence);
    json_string(&object, "claim",
                inspection->options.claimed ? "given"
                : inspection->declared      ? "declared"
                                            : "certified");
    json_count(&object, "samples", audit->samples);
    json_count(&object, "pairs", audit->pairs);
    json_count(&object, "events", audit->events);
    if (!inspection->declared) json_value(&object, "grid", print_grid(grid, audit));
    json_number(&object, "least_delta", audit_least_delta(inspection));
    json_open_array(&object, "profile");
    for (int i = 0; i < DPN_AUDIT_POINTS; i++) print_point(&object, &audit->point[i]);
    json_close_array(&object);
    if (inspection->declared) {
        json_string(&object, "relation", dpn_relation_name(inspection->declaration.relation));
        json_string(&object, "unit", dpn_unit_name(inspection->declaration.person ? DPN_PERSON : DPN_ROW));
    } else {
        sensitivity_json(&object, "sensitivity", &inspection->sensitivity);
        json_string(&object, "relation", relation_name(&inspection->sensitivity.set));
        json_string(&object, "unit", unit_name(&inspection->sensitivity.set));
    }
    json_end(&object);
}

/* ---- Text ---- */

/* A lower bound that may be negative or none. */
static void set_lower(struct table *table, size_t row, size_t column, double bound) {
    char text[DPN_NUMBER_SIZE];
    table_set(table, row, column, "%s", bound > 0 ? decimal_print_down(text, bound, DIGITS) : "0");
}

/* Every fourth point of the profile. */
static dpn_status print_profile(const dpn_audit *audit, dpn_error *why) {
    enum { EVERY = 4, ROWS = (DPN_AUDIT_POINTS - 1) / EVERY + 1 };
    static const char *const head[] = {"epsilon claimed", "at least", "delta claimed", "at least"};
    struct table table;
    char text[DPN_NUMBER_SIZE];
    dpn_status status = table_make(&table, ROWS + 1, 4, why);
    if (status) return status;
    for (size_t i = 0; i < 4; i++) table_set(&table, 0, i, "%s", head[i]);
    for (size_t i = 0; i < ROWS; i++) {
        const dpn_audit_point *point = &audit->point[i * EVERY];
        table_set(&table, i + 1, 0, "%s", decimal_print_up(text, point->epsilon, DIGITS));
        set_lower(&table, i + 1, 1, point->epsilon_lower);
        table_set(&table, i + 1, 2, "%s", decimal_print_up(text, point->delta, DIGITS));
        set_lower(&table, i + 1, 3, point->delta_lower);
    }
    table.head = true;
    table_print(stdout, &table, 2);
    table_free(&table);
    return DPN_OK;
}

static void print_claim(const struct inspection *inspection) {
    const dpn_audit *audit = &inspection->audit;
    char epsilon[DPN_NUMBER_SIZE], delta[DPN_NUMBER_SIZE], lower[DPN_NUMBER_SIZE];
    decimal_print_up(epsilon, audit->at.epsilon, DIGITS);
    decimal_print_up(delta, audit->at.delta, DIGITS);
    if (audit->pass)
        fact_print(stdout, "  ", "passed: the samples do not contradict (%s, %s)-differential privacy", epsilon, delta);
    else
        fact_print(stdout, "  ", "failed: the samples contradict (%s, %s)-differential privacy", epsilon, delta);
    printf("\n  epsilon       at least %s, at delta %s; claimed %s\n",
           audit->at.epsilon_lower > 0 ? decimal_print_down(lower, audit->at.epsilon_lower, DIGITS) : "0", delta,
           epsilon);
}

static void print_power(const dpn_audit *audit) {
    char text[DPN_NUMBER_SIZE];
    if (isinf(audit->at.power))
        fact_print(stdout, "  power         ", "no violation at this delta would have been found with probability 0.9");
    else
        fact_print(stdout, "  power         ", "an epsilon of %s would have been found with probability 0.9",
                   decimal_print_up(text, audit->at.power, DIGITS));
}

static void print_release(const struct inspection *inspection) {
    bool person = inspection->declaration.person != NULL, replace = inspection->declaration.relation == DPN_REPLACE;
    printf("  samples       %" PRIu64 " %ss of each table\n", inspection->audit.samples,
           inspection->whole ? inspection->whole : "release");
    printf("  limit         deltas below about %.1g rest on the proofs, not on samples\n",
           audit_least_delta(inspection));
    if (inspection->whole) {
        fact_print(stdout, "  neighbours    ",
                   "one row is %s: at bounds, with target and features at opposite ones, beyond them, with fields that "
                   "cannot be used",
                   replace ? "replaced" : "added or removed");
        return;
    }
    fact_print(
        stdout, "  neighbours    ",
        "one %s is %s: at a bound, beyond it, with more rows and groups than count, with a key of its own, with fields "
        "that cannot be used",
        person ? "person" : "row", replace ? "replaced" : "added or removed");
}

dpn_status audit_print_text(const struct inspection *inspection, dpn_error *why) {
    const dpn_audit *audit = &inspection->audit;
    char text[DPN_LAW_TEXT_SIZE], grid[DPN_STEPS_TEXT_SIZE];
    if (inspection->declared)
        printf("whole %ss of tables that differ by one unit", inspection->whole ? inspection->whole : "release");
    else if (inspection->plan.given)
        plan_file_describe(stdout, &inspection->plan);
    else if (inspection->ball_text)
        fputs(inspection->ball_text, stdout);
    else
        fputs(dpn_law_print(text, inspection->law), stdout);
    putchar('\n');
    print_claim(inspection);
    print_power(audit);
    putchar('\n');
    dpn_status status = print_profile(audit, why);
    if (status) return status;
    putchar('\n');
    fact_print(stdout, "  confidence    ", "%g, for all bounds together: %zu events, %zu %s of neighbouring answers",
               audit->confidence, audit->events, audit->pairs, audit->pairs == 1 ? "pair" : "pairs");
    if (inspection->declared) return print_release(inspection), DPN_OK;
    printf("  samples       %" PRIu64 " from each input, on the grid %s%s\n", audit->samples, print_grid(grid, audit),
           inspection->sensitivity.set.dimension > 1 ? " (first answer)" : "");
    fact_print(stdout, "  limit         ", "deltas below about %.1g rest on the certified interval, not on samples",
               audit_least_delta(inspection));
    sensitivity_print(stdout, &inspection->sensitivity);
    fact_print(stdout, "  neighbours    ", "%s", neighbours_words(&inspection->sensitivity.set));
    return DPN_OK;
}
