/* The mechanisms that a command asks about: LAWs, each on a sensitivity set, or one composition, or one plan. */
#ifndef DPNOISE_CLI_INPUT_MECHANISMS_H
#define DPNOISE_CLI_INPUT_MECHANISMS_H

#include "input/composition.h"
#include "input/plan-file.h"
#include "input/sensitivity.h"
#include "input/training.h"

struct mechanisms {
    dpn_law *law; /* each on the sensitivity set; or none and a plan on it, or a composition */
    size_t laws;
    struct sensitivity sensitivity;
    struct plan_file plan;
    struct training_file training; /* or a training run, which is like a composition */
    struct composition composition;
};

/* Read them from the operands, from the options of a composition, or from the file of --plan. Release with mechanisms_free,
 * also after an error. example is what a person who gave nothing might write.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EUNSUPPORTED, DPN_ENOMEM, DPN_EIO. */
dpn_status mechanisms_read(struct mechanisms *out, const struct arguments *arguments, const char *example,
                           dpn_error *why);
void mechanisms_free(struct mechanisms *mechanisms);

/* The laws, or 1 for a plan or a composition. */
size_t mechanisms_count(const struct mechanisms *mechanisms);

/* Whether they are a composition. */
bool mechanisms_composed(const struct mechanisms *mechanisms);

/* ---- In the answers (mechanisms-print.c) ---- */

/* The answer about one mechanism, as members of an object. */
typedef void answer_json(struct json *json, const void *question, size_t mechanism);

/* The mechanisms and the answer about each, one in the object itself, several in an array, and the set; the relation and the
 * unit. */
void mechanisms_json(struct json *json, const struct mechanisms *mechanisms, answer_json *answer, const void *question);
void mechanisms_json_neighbours(struct json *json, const struct mechanisms *mechanisms);

/* A line with the mechanism in words; the lines that tell the plan, the set or the parts; the line on neighbours. */
void mechanisms_print_name(FILE *out, const struct mechanisms *mechanisms, size_t mechanism);
void mechanisms_print_set(FILE *out, const struct mechanisms *mechanisms);
void mechanisms_print_neighbours(FILE *out, const struct mechanisms *mechanisms);

/* For pictures: the mechanism as a string of a gnuplot script; what all of them rest on, within such a string. */
void mechanisms_write_title(FILE *script, const void *mechanisms, size_t mechanism);
void mechanisms_write_basis(FILE *script, const struct mechanisms *mechanisms);

#endif
