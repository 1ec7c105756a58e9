/* What `dpnoise profile` was asked, and the parts of its answer. */
#ifndef DPNOISE_CLI_PROFILE_PROFILE_H
#define DPNOISE_CLI_PROFILE_PROFILE_H

#include "input/mechanisms.h"

#include <dpnoise/condition.h>
#include <dpnoise/privacy.h>
#include <dpnoise/sampling.h>

/* The guarantee at one point. */
struct guarantee {
    double asked; /* the epsilon or the delta, as the nearest double */
    bool between; /* the decimal is no double: the doubles on either side of it were asked */
    union {
        dpn_delta delta;     /* of an epsilon */
        dpn_epsilon epsilon; /* of a delta */
    };
    dpn_argument argument;
    bool wide; /* the ends are further apart than the accuracy: the interval holds the truth, but is wider */
    dpn_conditioned condition; /* if one was named: what it gives at the epsilon */
};

struct question {
    struct mechanisms mechanisms;
    bool of_delta; /* epsilon is asked for these deltas, else delta for these epsilons */
    struct decimals asked;
    dpn_accounting_options options;
    double accuracy;           /* that was asked for, or what stands for it */
    const char *plot, *export; /* files, or NULL */
    const char *condition;     /* its name, or NULL */
    bool assumed;              /* nobody said how far a row moves the answer: by at most 1 */
    bool sampled;              /* the composition is one step on a random sample: rate, and how many steps */
    double rate;
    uint64_t steps;
    bool replaced; /* ... and one row of it is replaced: */
    dpn_replace_step replace;
    uint64_t shuffled;          /* so many reports of the part are shuffled, else 0; `rate` is then its epsilon */
    const char *present;        /* as it was written, or NULL */
    uint64_t batch, population; /* of a batch of fixed size, else 0 */

    struct guarantee *guarantee; /* one for each of asked, for each mechanism */
    dpn_workspace *workspace;
};

/* delta of a mechanism at epsilon; the least epsilon for delta. The argument may be NULL. Errors as in
 * dpnoise/privacy.h. */
dpn_status profile_delta(dpn_delta *out, dpn_argument *argument, const struct question *question, size_t mechanism,
                         double epsilon, dpn_error *why);
dpn_status profile_epsilon(dpn_epsilon *out, dpn_argument *argument, const struct question *question, size_t mechanism,
                           double delta, dpn_error *why);

/* The answer on standard output, as JSON or for people. */
void profile_print_json(const struct question *question);
dpn_status profile_print_text(const struct question *question, dpn_error *why);

/* Draw delta against epsilon into question->plot (.svg, .png or .pdf).
 * Errors   as law_plot, and those of the profile. */
dpn_status profile_plot(const struct question *question, dpn_error *why);

/* Print the conditions that can be named. */
void condition_list(bool json);

/* Errors   DPN_EPARSE for a condition that is unknown or does not go with the question. */
dpn_status condition_check(const struct question *question, dpn_error *why);

/* "auto", "contour", "fft". */
const char *method_name(dpn_method method);

#endif
