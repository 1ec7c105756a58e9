/* A fit between its options and its model. */
#ifndef DPN_LEARN_FIT_H
#define DPN_LEARN_FIT_H

#include "learn/persons.h"
#include "learn/rows.h"
#include "release/tally/reader.h"

#include <dpnoise/learn.h>
#include <dpnoise/release.h>

/* A column of the scaled problem: (value - centre)/half in [-1, 1], or 1 for a row that has the level and 0 for others. With
 * an intercept the centre is the middle of the bounds; without one it is 0, so that no constant slips in. All in steps of
 * 2^exponent of the measure, and as numbers of the data's unit. */
typedef struct dpn_variable {
    size_t measure; /* of a number: in the order of the query */
    bool is_level;
    size_t grouping, level;
    int64_t centre_steps, half_steps;
    double centre, half;
} dpn_variable;

/* A release that a method has announced, and how often it was drawn. */
typedef struct dpn_announced {
    char what[48];
    dpn_release *release;
    uint64_t times, drawn;
    bool adaptive;      /* its coordinates are asked one after the other (adaptive.h) */
    size_t alternative; /* the way that it is of (counted.h), of which one is taken; 0: it is drawn whatever the way */
    double elsewhere;   /* the epsilon of a pure mechanism around it that no noise of it covers; 0: none */
    /* Of one release that spends delta beside pure ones: what is released has at most so many times the delta of its plan, by the proof
     * of the method; 0: no such proof. */
    double delta_times;
    /* Each draw is on a Poisson sample of the rows, which are in it with this probability; 0: on all rows. A row in the sample moves the numbers by at
     * most `present` if it goes, and by the l2 of the set under the relation. */
    double rate, present;
    char *detail; /* JSON, what the method says of it after the run; NULL: nothing */
} dpn_announced;

struct dpn_fit {
    dpn_fit_options options; /* what was said */
    /* The same from the plan on, with the defaults that the method has settled on: all that the text of the inquiry has. */
    dpn_fit_options settled;
    char *noise, *ball, *text; /* copies; text: of the inquiry */
    double *start, *smoothness;
    const struct dpn_fit_method *method;
    dpn_inquiry inquiry;
    void (*progress)(void *context, double done); /* NULL: off */
    bool (*cancelled)(void *context);             /* NULL: never */
    void *context;

    /* from the plan on */
    dpn_query *query; /* the shape alone: columns, measures, predicates */
    dpn_reader reader;
    bool planned, ran;
    dpn_variable *variable; /* the features, then the target */
    size_t features;
    /* The largest doubles not above the declared epsilon and delta, or of what a row of a person may have. */
    double epsilon, limit;
    /* What methods plan for: the limit less a part in 10^10, by which two ways to certify a plan may differ. */
    double delta;
    dpn_relation relation;
    void *state; /* of the method */
    dpn_announced *announced;
    size_t releases;

    /* scratch of the reader, and the rows */
    dpn_field *marked, *missing;
    dpn_numeral *number;
    int64_t *record;
    int32_t *step;
    dpn_rows rows;
    double *exact, *bound; /* of a fit without noise: the rows as they are (exact.h), and the bounds of measures */
    size_t exact_room;
    dpn_person_ids persons; /* of the rows, where persons are protected; else none */

    /* of an audit: numbers that are released as they are, most_shown of them; NULL: nobody looks */
    double *shown;
    size_t shows, most_shown;
};

/* Tell whoever waits for the run that this share of it is done.
 * Errors   DPN_ECANCELLED if that is enough. */
dpn_status dpn_fit_done(const dpn_fit *fit, double share, dpn_error *why);

/* A release as it came out, for audits. */
void dpn_fit_show(dpn_fit *fit, const double *value, size_t count);

/* One run of many on the same rows, for forecasts and audits: what the last one left behind for a model goes. */
dpn_status dpn_fit_run_again(double *b, double *covariance, dpn_fit *fit, dpn_rng *rng, dpn_error *why);

/* Columns of dpn_rows: the constant, feature j, the target. */
static inline size_t dpn_fit_width(const dpn_fit *fit) {
    return fit->features + 2;
}
static inline size_t dpn_feature_column(size_t feature) {
    return feature + 1;
}
static inline size_t dpn_target_column(const dpn_fit *fit) {
    return fit->features + 1;
}

/* The variables of a declaration: which, and on which grids (variables.c). */
dpn_status dpn_fit_make_variables(dpn_fit *fit, dpn_error *why);

/* The steps of the reader's record (encode.c): of variable i, from -DPN_UNIT to DPN_UNIT. */
int32_t dpn_variable_step(const dpn_variable *variable, const int64_t *record);

/* Announce a release, when planning: the noise is calibrated now (releases.c). *index is to draw it with.
 * Errors   those of dpn_release_new. */
dpn_status dpn_fit_announce(size_t *index, dpn_fit *fit, const char *what, uint64_t times,
                            const dpn_release_options *options, dpn_error *why);

/* The same for a release that is made already, which is then the fit's, also on error. */
dpn_status dpn_fit_announce_made(size_t *index, dpn_fit *fit, const char *what, uint64_t times, dpn_release *release,
                                 dpn_error *why);

/* Count a draw of an announced release.
 * Errors   DPN_EDOMAIN for one more than was announced, and for one of a way (dpn_announced.alternative) after one of another. */
dpn_status dpn_fit_take(dpn_fit *fit, size_t index, dpn_error *why);

/* Draw an announced release, as often as was announced. Values and noisy values are in steps of its grid. */
dpn_status dpn_fit_draw(int64_t *out, dpn_fit *fit, size_t index, dpn_rng *rng, const int64_t *value, dpn_error *why);

/* That all that was announced is (epsilon, delta)-private together, whichever way is taken, computed from the plans alone; and what it costs a filter.
 * Errors   DPN_EDOMAIN if it is not, or not known to be; those of dpn_plan_charge_best. */
dpn_status dpn_fit_certify(const dpn_fit *fit, dpn_error *why);
dpn_status dpn_fit_charge(dpn_charge *out, void *fit, const dpn_filter *filter, dpn_error *why);

#endif
