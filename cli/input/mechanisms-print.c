/* The mechanisms of a question in its answers: as JSON, for people and in pictures. */
#include "input/mechanisms.h"
#include "kit/fact.h"
#include "words/law.h"

#include <inttypes.h>

/* ---- JSON ---- */

static void write_law(struct json *json, const struct mechanisms *mechanisms, answer_json *answer, const void *question,
                      size_t law) {
    char text[DPN_LAW_TEXT_SIZE];
    json_string(json, "law", dpn_law_print(text, &mechanisms->law[law]));
    answer(json, question, law);
}

static void write_laws(struct json *json, const struct mechanisms *mechanisms, answer_json *answer,
                       const void *question) {
    json_open_array(json, "laws");
    for (size_t i = 0; i < mechanisms->laws; i++) {
        json_open_object(json, NULL);
        write_law(json, mechanisms, answer, question, i);
        json_close_object(json);
    }
    json_close_array(json);
}

void mechanisms_json(struct json *json, const struct mechanisms *mechanisms, answer_json *answer,
                     const void *question) {
    if (mechanisms->laws == 1) {
        write_law(json, mechanisms, answer, question, 0);
    } else if (mechanisms->laws > 1) {
        write_laws(json, mechanisms, answer, question);
    } else {
        if (mechanisms->plan.given)
            plan_file_json(json, &mechanisms->plan);
        else if (mechanisms->training.given)
            training_json(json, &mechanisms->training.plan);
        else
            composition_json(json, "parts", &mechanisms->composition);
        answer(json, question, 0);
    }
    if (!mechanisms_composed(mechanisms)) sensitivity_json(json, "sensitivity", &mechanisms->sensitivity);
}

void mechanisms_json_neighbours(struct json *json, const struct mechanisms *mechanisms) {
    json_string(json, "relation", relation_name(&mechanisms->sensitivity.set));
    json_string(json, "unit", unit_name(&mechanisms->sensitivity.set));
}

/* ---- For people ---- */

void mechanisms_print_name(FILE *out, const struct mechanisms *mechanisms, size_t mechanism) {
    char text[DPN_LAW_TEXT_SIZE], run[TRAINING_SIZE];
    size_t parts = mechanisms->composition.parts;
    struct fact fact;
    fact_begin(&fact, out, "");
    if (mechanisms->laws)
        fprintf(fact.text, "%s", dpn_law_print(text, &mechanisms->law[mechanism]));
    else if (mechanisms->plan.given)
        plan_file_describe(fact.text, &mechanisms->plan);
    else if (mechanisms->training.given)
        fprintf(fact.text, "%s", training_print(run, &mechanisms->training.plan));
    else
        fprintf(fact.text, "composition of %zu %s", parts, parts == 1 ? "part" : "parts");
    fact_end(&fact);
}

/* Whether some noise is on the integers. */
static bool on_integers(const struct mechanisms *mechanisms) {
    for (size_t i = 0; i < mechanisms->laws; i++)
        if (dpn_law_is_integer(&mechanisms->law[i])) return true;
    return mechanisms->plan.given && mechanisms->plan.plan.integer;
}

void mechanisms_print_set(FILE *out, const struct mechanisms *mechanisms) {
    if (mechanisms->plan.given) plan_file_print(out, &mechanisms->plan);
    if (!mechanisms_composed(mechanisms)) {
        sensitivity_print(out, &mechanisms->sensitivity);
        if (on_integers(mechanisms)) sensitivity_note_whole(out, &mechanisms->sensitivity);
    }
    for (size_t i = 0; i < mechanisms->composition.parts; i++) {
        struct fact fact;
        fact_begin(&fact, out, i ? "                " : "  parts         ");
        composition_describe(fact.text, &mechanisms->composition, i);
        fact_end(&fact);
    }
}

void mechanisms_print_neighbours(FILE *out, const struct mechanisms *mechanisms) {
    fact_print(out, "  neighbours    ", "%s", neighbours_words(&mechanisms->sensitivity.set));
}

/* ---- Pictures ---- */

static void write_composition(FILE *script, const struct composition *composition) {
    const struct part_words *words = composition->words;
    if (composition->parts == 1 && words->kind == PART_LAW) {
        law_write_title(script, &words->law);
        fprintf(script, ".', sensitivity %s, %" PRIu64 " times'", words->number, words->times);
    } else
        fprintf(script, "'composition of %zu %s'", composition->parts, composition->parts == 1 ? "part" : "parts");
}

void mechanisms_write_title(FILE *script, const void *of, size_t mechanism) {
    const struct mechanisms *mechanisms = of;
    char run[TRAINING_SIZE];
    if (mechanisms->laws)
        law_write_title(script, &mechanisms->law[mechanism]);
    else if (mechanisms->plan.given) {
        putc('\'', script);
        plan_file_describe(script, &mechanisms->plan);
        putc('\'', script);
    } else if (mechanisms->training.given)
        fprintf(script, "'%s'", training_print(run, &mechanisms->training.plan));
    else
        write_composition(script, &mechanisms->composition);
}

void mechanisms_write_basis(FILE *script, const struct mechanisms *mechanisms) {
    if (!mechanisms_composed(mechanisms)) {
        sensitivity_describe(script, &mechanisms->sensitivity);
        fputs("; ", script);
    }
    fputs(neighbours_words(&mechanisms->sensitivity.set), script);
}
