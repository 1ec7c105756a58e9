/* What `dpnoise loss` was asked, and the parts of its answer. */
#ifndef DPNOISE_CLI_LOSS_LOSS_H
#define DPNOISE_CLI_LOSS_LOSS_H

#include "kit/options.h"

#include <dpnoise/loss.h>
#include <dpnoise/privacy.h>

/* What is known of one law and one shift as a whole. */
struct loss_curve {
    dpn_law law;
    double shift;
    bool has_affine, has_terms;
    dpn_affine affine;
    dpn_flipped_huber_terms terms;
    double r; /* R_|shift|(alpha); with has_terms */
};

struct loss_question {
    struct loss_curve *curve; /* each law with each shift */
    size_t curves;
    struct numbers at, epsilon, orlicz, r_inverse;
    uint64_t dimension; /* of Algorithm 2; 0: not asked */
    const char *plot;
};

/* What belongs to one epsilon: z is the inverse of the centred loss. */
struct loss_threshold {
    double z, t1, t2;
    dpn_delta delta;
    int table_case;               /* of FH Table I; 0: not flipped-huber */
    dpn_delta printed, corrected; /* Algorithm 2, if the dimension is not 0 */
};

/* Errors   those of dpn_profile_delta. */
dpn_status loss_threshold_at(struct loss_threshold *out, const struct loss_curve *curve, double epsilon,
                             uint64_t dimension, dpn_error *why);

/* The bound of the centred loss at t and of the loss itself at t; NaN if there is none. */
double loss_bound_centred(const struct loss_curve *curve, double t);
double loss_bound(const struct loss_curve *curve, double t);

/* The answer on standard output; nothing is printed on error. */
dpn_status loss_print_json(const struct loss_question *question, dpn_error *why);
dpn_status loss_print_text(const struct loss_question *question, dpn_error *why);

/* Draw the centred losses and their bounds. */
dpn_status loss_plot(const struct loss_question *question, dpn_error *why);

#endif
