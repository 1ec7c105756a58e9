/* The parts of `dpnoise calibrate`. */
#ifndef DPNOISE_CLI_CALIBRATE_CALIBRATE_H
#define DPNOISE_CLI_CALIBRATE_CALIBRATE_H

#include "input/calibration.h"

#include <dpnoise/plan.h>

struct calibrated {
    struct calibration asked;
    const char *family, *plot; /* the file for a picture, or NULL */
    dpn_plan plan;
    char *text;         /* its blocks as JSON */
    double *interval95; /* of each answer */
};

/* The law that all answers share; NULL if there is none. */
const dpn_law *plan_common_law(const dpn_plan *plan);

/* Read and answer the question about one guarantee; release with calibrated_free, also after an error. */
dpn_status calibrate_one(struct calibrated *out, const struct arguments *arguments, dpn_error *why);
void calibrated_free(struct calibrated *calibrated);

/* Whether the question is about lists of guarantees; the least noise of a family for each, printed (grid.c). */
bool grid_asked(const struct arguments *arguments);
dpn_status calibrate_grid(const char *family, const struct arguments *arguments, dpn_error *why);

/* Whether the question is about a variance, a construction or unequal sensitivities; the answer, printed (design.c). family is
 * NULL if none was named. */
bool design_asked(const struct arguments *arguments);
dpn_status calibrate_design(const char *family, const struct arguments *arguments, dpn_error *why);

/* Whether the question is about steps on random samples. */
bool training_asked(const struct arguments *arguments);

/* The least noise of a family for steps on random samples, printed; or, if family is NULL, the most that the LAW of the operand allows. The
 * rest is read already. */
dpn_status calibrate_training(const struct calibration *asked, const char *family, const struct arguments *arguments,
                              dpn_error *why);

/* The answer on standard output, as JSON or for people. */
void calibrate_print_json(const struct calibrated *calibrated);
dpn_status calibrate_print_text(const struct calibrated *calibrated, dpn_error *why);

#endif
