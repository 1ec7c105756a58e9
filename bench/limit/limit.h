/* The least variance of additive noise for (epsilon, delta), over all noise there is. docs/limit.md says what the parts mean. */
#ifndef DPN_BENCH_LIMIT_H
#define DPN_BENCH_LIMIT_H

#include <stdbool.h>

/* Noise on a grid with `steps` steps in one sensitivity. Variances are in units of the sensitivity squared. */
struct question {
    int steps;
    double epsilon, delta;
};

/* ---- The linear program (program.c) ---- */

struct optimum {
    double variance; /* of the noise that Clp found, normalised */
    double excess;   /* its largest delta over all shifts, summed anew from the probabilities */
};

/* Minimise the variance with Clp. Returns NULL, or why there is no optimum. */
const char *limit_program(struct optimum *out, const struct question *question);

/* ---- The dual (dual.c) ---- */

/* A number that the variance of no noise on the integers undercuts at sensitivity 1. */
double limit_lower(double epsilon, double delta);

/* ---- Several answers that move at once, pure (boxes.c) ---- */

/* Two or three answers on the integers, each moved by at most 1 step; the error is the sum of (bound_i x_i)^2, the grid |x_i| < size_i. */
struct box_question {
    double epsilon;
    int answers;
    double bound[3];
    int size[3];
};

/* The least error of all noise; NaN if Clp finds none. And of the start staircases on the integers, whose offsets go to best. */
double limit_boxes(const struct box_question *question);
double limit_start(const struct box_question *question, int best[3]);

/* ---- The families (family.c) ---- */

struct best {
    const char *family;
    double variance;
};

/* The least variance of the families on the integers or on the real line at a sensitivity of `steps` steps. */
struct best limit_best_family(bool integers, int steps, double epsilon, double delta);

/* ---- Shared ---- */

/* The least value seen by golden sections of a unimodal f, which may be infinite at one end. */
double limit_least(double (*f)(double x, const void *context), const void *context, double low, double high);

#endif
