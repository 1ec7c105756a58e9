/* A registration, for people and as JSON. */
#include "register/register.h"

#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_list(FILE *out, char *const *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : " ", out);
        print_plain(out, text[i]);
    }
}

static void print_column(const dpn_registered_column *column, const char *head) {
    struct fact fact;
    fact_begin(&fact, stdout, head);
    fprintf(fact.text, "%s: %s", column->name, dpn_column_type_name(column->type));
    if (column->lower) fprintf(fact.text, " from %s to %s", column->lower, column->upper);
    if (column->unit) fprintf(fact.text, " %s", column->unit);
    if (column->level) print_list(fact.text, column->level, column->levels);
    if (column->type == DPN_COLUMN_CATEGORY && !column->level) fputs(", its levels are chosen privately", fact.text);
    fact_end(&fact);
}

static void print_unit(const dpn_registration *registration) {
    const char *relation = dpn_relation_name(registration->relation);
    if (registration->person)
        fact_print(stdout, "  unit       ",
                   "%s of one person, told apart by %s; up to %" PRIu64 " row%s in each of up to %" PRIu64
                   " group%s count",
                   relation, registration->person, registration->max_rows, registration->max_rows == 1 ? "" : "s",
                   registration->max_groups, registration->max_groups == 1 ? "" : "s");
    else
        fact_print(stdout, "  unit       ", "%s of one row", relation);
}

static void print_limits(const dpn_registration *registration) {
    printf("  question   epsilon %s to %s", registration->least_epsilon, registration->most_epsilon);
    if (registration->most_delta) printf(", delta up to %s", registration->most_delta);
    if (registration->population) printf("; %" PRIu64 " units are public", registration->population);
    printf("\n  missing    %s", registration->missing);
    if (registration->nas) fputs("; missing is also", stdout);
    print_list(stdout, registration->na, registration->nas);
    puts(registration->multiline ? "; quoted fields may hold line breaks" : "");
    if (registration->memory) printf("  memory     %" PRIu64 " bytes for keys and persons\n", registration->memory);
    if (registration->log) {
        fact_print(stdout, "  log        ", "%s", registration->log);
    }
}

/* To publish one of n units, chosen at random, is (0, 1/n)-private. */
static void warn_of_delta(const struct registering *registering) {
    char delta[DPN_DECIMAL_TEXT_SIZE];
    dpn_filter_plan plan = dpn_filter_plan_of(registering->account.filter);
    uint64_t population = registering->registration.population;
    if (!(dpn_decimal_lower(&plan.delta) * (double)population > 1)) return;
    fprintf(stderr,
            "dpnoise register: warning: delta %s is above 1/%" PRIu64
            ": to publish one of the units as it is, chosen at random, would keep that promise\n",
            dpn_decimal_print(delta, &plan.delta), population);
}

static void print_text(const struct registering *registering) {
    const dpn_registration *registration = &registering->registration;
    print_plain(stdout, registering->account.name);
    fputs(": ", stdout);
    source_print(stdout, &registration->source);
    printf(", version %" PRIu64 "\n", registering->version);
    for (size_t i = 0; i < registration->columns; i++)
        print_column(&registration->column[i], i ? "             " : "  columns    ");
    struct fact fact;
    fact_begin(&fact, stdout, "  predicates");
    print_list(fact.text, registration->where, registration->wheres);
    if (!registration->wheres) fputs(" none", fact.text);
    fact_end(&fact);
    print_unit(registration);
    print_limits(registration);
    puts("and its budget:");
    account_print(stdout, &registering->account);
}

static void json_texts(struct json *json, const char *name, char *const *text, size_t count) {
    json_open_array(json, name);
    for (size_t i = 0; i < count; i++) json_string(json, NULL, text[i]);
    json_close_array(json);
}

static void json_schema(struct json *json, const dpn_registration *registration) {
    json_open_array(json, "schema");
    for (size_t i = 0; i < registration->columns; i++) {
        const dpn_registered_column *column = &registration->column[i];
        json_open_object(json, NULL);
        json_string(json, "name", column->name);
        json_string(json, "type", dpn_column_type_name(column->type));
        if (column->lower) json_string(json, "lower", column->lower);
        if (column->upper) json_string(json, "upper", column->upper);
        if (column->unit) json_string(json, "unit", column->unit);
        if (column->level) json_texts(json, "levels", column->level, column->levels);
        json_close_object(json);
    }
    json_close_array(json);
}

/* `registration` is what --from reads; the other members are for programs that only look. */
static dpn_status print_json(const struct registering *registering, dpn_error *why) {
    const dpn_registration *registration = &registering->registration;
    char *text = NULL, *place = NULL;
    dpn_status status = dpn_registration_write(&text, NULL, registration, why);
    if (!status) status = dpn_place_write(&place, NULL, &registration->source, why);
    if (!status) {
        struct json object = json_begin(stdout);
        account_json(&object, &registering->account);
        json_count(&object, "version", registering->version);
        json_value(&object, "source", place);
        json_schema(&object, registration);
        json_texts(&object, "where", registration->where, registration->wheres);
        json_string(&object, "least_epsilon", registration->least_epsilon);
        json_string(&object, "most_epsilon", registration->most_epsilon);
        json_value(&object, "registration", text);
        json_end(&object);
    }
    free(place);
    free(text);
    return status;
}

dpn_status register_show(struct registering *registering, dpn_error *why) {
    dpn_filter_plan plan = dpn_filter_plan_of(registering->account.filter);
    dpn_status status = dpn_registration_settle(&registering->registration, &plan.epsilon, why);
    if (status) return status;
    warn_of_delta(registering);
    if (arguments_have(registering->arguments, "--json")) return print_json(registering, why);
    print_text(registering);
    return DPN_OK;
}
