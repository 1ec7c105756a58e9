/* Approximate draws, by name. */
#include "kit/fail.h"
#include "knorm/hit-and-run.h"
#include "knorm/knorm.h"

#include <stdio.h>
#include <stdlib.h>

dpn_status knorm_sample_chain(struct knorm_question *question, uint64_t count, bool json, dpn_error *why) {
    const struct knorm_ball *at = &question->ball[0];
    size_t m = question->dimension, rows = (size_t)count, steps = m < 1000 ? 10 * m * m + 100 : 10000000;
    double *value = rows < SIZE_MAX / sizeof *value / m ? calloc(rows * m, sizeof *value) : NULL;
    if (!value) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = hit_and_run(value, rows, at->ball, question->epsilon / at->delta, steps, question->rng, why);
    if (!status && json) {
        struct json object = json_begin(stdout);
        json_string(&object, "ball", at->text);
        json_number(&object, "epsilon", question->epsilon);
        json_number(&object, "sensitivity", at->delta);
        json_string(&object, "approximate", "hit-and-run");
        json_count(&object, "steps", steps);
        json_bool(&object, "exact", false);
        knorm_print_samples(&object, value, rows, m);
        json_end(&object);
    } else if (!status) {
        fputs("dpnoise knorm: warning: hit-and-run is approximate: these numbers guarantee nothing\n", stderr);
        knorm_print_samples(NULL, value, rows, m);
    }
    free(value);
    return status;
}
