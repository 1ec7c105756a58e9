/* The answers of `dpnoise renyi`, as JSON and for people. What bounds from above is never rounded down, what bounds from
 * below never up. */
#include "kit/fact.h"
#include "kit/json.h"
#include "kit/table.h"
#include "renyi/renyi.h"
#include "words/decimal.h"

#include <math.h>

enum { DIGITS = 10 };

/* ---- JSON ---- */

static void write_divergence(struct json *json, const struct renyi_question *question,
                             const struct renyi_answer *answer, size_t i) {
    json_number(json, "order", question->order.nearest.at[i]);
    json_number(json, "divergence", answer->divergence[i].upper);
    json_number(json, "divergence_lower", answer->divergence[i].lower);
    if (!question->bounds) return;
    json_open_object(json, "bounds");
    for (size_t b = 0; b < question->bounds; b++)
        json_number(json, question->bound[b], answer->bound[i * question->bounds + b]);
    json_close_object(json);
}

static void write_zcdp(struct json *json, const struct renyi_answer *answer) {
    if (!answer->has_zcdp) {
        json_number(json, "zcdp", NAN); /* null */
        json_string(json, "no_zcdp", answer->no_zcdp);
        return;
    }
    json_open_object(json, "zcdp");
    json_number(json, "xi", answer->zcdp.xi);
    json_number(json, "eta", answer->zcdp.rho);
    json_close_object(json);
}

/* One order stands in the object itself, several in an array. */
static void write_answer(struct json *json, const void *of, size_t mechanism) {
    const struct renyi_question *question = of;
    const struct renyi_answer *answer = &question->answer[mechanism];
    if (question->order.nearest.count == 1) {
        write_divergence(json, question, answer, 0);
    } else if (question->order.nearest.count > 1) {
        json_open_array(json, "renyi");
        for (size_t i = 0; i < question->order.nearest.count; i++) {
            json_open_object(json, NULL);
            write_divergence(json, question, answer, i);
            json_close_object(json);
        }
        json_close_array(json);
    }
    write_zcdp(json, answer);
    json_string(json, "argument", dpn_argument_name(answer->argument));
}

void renyi_print_json(const struct renyi_question *question) {
    struct json object = json_begin(stdout);
    mechanisms_json(&object, &question->mechanisms, write_answer, question);
    mechanisms_json_neighbours(&object, &question->mechanisms);
    if (question->plot) json_string(&object, "plot", question->plot);
    json_end(&object);
}

/* ---- For people ---- */

static dpn_status print_orders(const struct renyi_question *question, const struct renyi_answer *answer,
                               dpn_error *why) {
    struct table table;
    size_t count = question->order.nearest.count;
    size_t first = answer->has_zcdp ? 4 : 3; /* column of the bounds */
    dpn_status status = table_make(&table, count + 1, first + question->bounds, why);
    if (status) return status;
    static const char *const head[] = {"order", "divergence at most", "divergence at least", "by zCDP"};
    for (size_t i = 0; i < first; i++) table_set(&table, 0, i, "%s", head[i]);
    for (size_t b = 0; b < question->bounds; b++) table_set(&table, 0, first + b, "%s", question->bound[b]);
    for (size_t i = 0; i < count; i++) {
        char text[DPN_NUMBER_SIZE];
        double order = question->order.above.at[i], line = answer->zcdp.xi + order * answer->zcdp.rho;
        table_set_number(&table, i + 1, 0, question->order.nearest.at[i]);
        table_set(&table, i + 1, 1, "%s", decimal_print_up(text, answer->divergence[i].upper, DIGITS));
        table_set(&table, i + 1, 2, "%s", decimal_print_down(text, answer->divergence[i].lower, DIGITS));
        for (size_t b = 0; b < question->bounds; b++) {
            double value = answer->bound[i * question->bounds + b];
            if (!isnan(value)) table_set(&table, i + 1, first + b, "%s", decimal_print_up(text, value, DIGITS));
        }
        if (answer->has_zcdp) table_set(&table, i + 1, 3, "%s", decimal_print_up(text, line * (1 + 1e-15), DIGITS));
    }
    table.head = true;
    table_print(stdout, &table, 2);
    table_free(&table);
    return DPN_OK;
}

static void print_zcdp(const struct renyi_answer *answer) {
    char xi[DPN_NUMBER_SIZE], eta[DPN_NUMBER_SIZE];
    if (!answer->has_zcdp)
        fact_print(stdout, "  zCDP          ", "none: %s", answer->no_zcdp);
    else
        fact_print(stdout, "  zCDP          ", "(%s, %s): no order a has a divergence above xi + a eta",
                   decimal_print_up(xi, answer->zcdp.xi, DIGITS), decimal_print_up(eta, answer->zcdp.rho, DIGITS));
}

static dpn_status print_mechanism(const struct renyi_question *question, size_t mechanism, dpn_error *why) {
    const struct renyi_answer *answer = &question->answer[mechanism];
    mechanisms_print_name(stdout, &question->mechanisms, mechanism);
    dpn_status status = question->order.nearest.count ? print_orders(question, answer, why) : DPN_OK;
    if (status) return status;
    if (question->order.nearest.count) putchar('\n');
    print_zcdp(answer);
    printf("  argument      %s\n", dpn_argument_name(answer->argument));
    return DPN_OK;
}

dpn_status renyi_print_text(const struct renyi_question *question, dpn_error *why) {
    size_t count = mechanisms_count(&question->mechanisms);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) putchar('\n');
        dpn_status status = print_mechanism(question, i, why);
        if (status) return status;
    }
    if (count > 1) putchar('\n');
    mechanisms_print_set(stdout, &question->mechanisms);
    mechanisms_print_neighbours(stdout, &question->mechanisms);
    if (question->plot) printf("\nThe picture is in %s.\n", question->plot);
    return DPN_OK;
}
