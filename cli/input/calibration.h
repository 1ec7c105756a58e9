/* What calibrate and compare are asked: a guarantee or an error, a sensitivity set, and how. */
#ifndef DPNOISE_CLI_INPUT_CALIBRATION_H
#define DPNOISE_CLI_INPUT_CALIBRATION_H

#include "input/sensitivity.h"
#include "kit/progress.h"

#include <dpnoise/calibrate.h>

struct calibration {
    struct sensitivity sensitivity;
    dpn_calibration_options options;
    struct numbers weights;
    bool assumed;                      /* nobody said how far a row moves the answers: each by at most 1 */
    bool of_error;                     /* the least epsilon for an error, else the least error for an epsilon */
    double error, asked_error;         /* at most this, summed over the answers with their weights; as it was given */
    double epsilon, delta;             /* the largest doubles not above what was asked */
    double asked_epsilon, asked_delta; /* the nearest */
    struct progress progress;
    bool repeats; /* the calibration is one of an unknown number that a search makes */
    double rounds, last;
};

/* Rows of a table of options. */
/* clang-format off */
#define CALIBRATION_OPTIONS                                                                                             \
    {"--epsilon", "E", false, "the least error with (E, D)-differential privacy"},                                      \
    {"--delta", "D", false, "the delta that is allowed (0: pure differential privacy)"},                                \
    {"--mse", "X", false, "the least epsilon with a mean squared error of at most X, summed over the answers"},         \
    {"--mae", "X", false, "the least epsilon with a mean absolute error of at most X, summed over the answers"},        \
    {"--interval95", "X", false, "the least epsilon with 95% of the noise within X, on average over the answers"},      \
    SENSITIVITY_OPTIONS,                                                                                                \
    {"--condition", "C", false, "exact (default), sufficient or zcdp: what the noise has to satisfy besides"},          \
    {"--identical", NULL, false, "the same noise on every answer, even where their sensitivities differ"},              \
    {"--objective", "O", false, "the error that is the least: mse (default), mae or interval95"},                       \
    {"--weights", "A,B", false, "weights of the answers in that error (all 1)"},                                        \
    {"--times", "N", false, "the guarantee covers N releases with this noise (1)"}
/* clang-format on */

/* Read everything but the family. Release with calibration_free, also after an error. A set that is not described is
 * refused, unless assume_one is set: then the answers move by at most 1.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM. */
dpn_status calibration_read(struct calibration *out, const struct arguments *arguments, bool assume_one,
                            dpn_error *why);
void calibration_free(struct calibration *asked);

/* The ball that K-norm noise is to have, by the name that an option was given; the set is read already. `others` are further names
 * that the option takes, for the sentence.
 * Errors   DPN_EPARSE. */
dpn_status calibration_read_ball(struct calibration *out, const char *option, const char *name, const char *others,
                                 dpn_error *why);

/* The half-width of the noise on each answer of a plan. */
void calibration_interval95(double *out, const dpn_plan *plan, double (*half_width)(const void *of, size_t answer),
                            const void *of);

/* Make a progress bar follow the calibrations from here to calibration_done; and a warning, if the set looks like a
 * histogram declared as a box. */
void calibration_start(struct calibration *asked, const char *command);
void calibration_done(struct calibration *asked);

/* The guarantee of a plan in words: "(0.3, 1e-06)-differentially private"; the epsilon as it was asked, or found. */
void calibration_print_claim(const struct calibration *asked, const dpn_plan *plan);
double calibration_epsilon(const struct calibration *asked, const dpn_plan *plan);

/* The lines of set, neighbours and the like; the members of the question in JSON. */
void calibration_print_question(const struct calibration *asked);
void calibration_json(struct json *json, const struct calibration *asked);

/* "mean squared error", "mean absolute error", "95% half-width". */
const char *objective_words(dpn_objective objective);

#endif
