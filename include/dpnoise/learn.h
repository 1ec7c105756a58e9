/* dpnoise/learn.h - private linear and logistic regression.
 *
 * libdpnoise-core has the method "moments" alone, for at most 100 features, and none of forecasts, tuning, experiments and audits: it has no
 * linear algebra but its own. All else is in libdpnoise.
 *
 * A fit is declared as statistics are (declaration.h), all of it public: the means of the target and then of the features say
 * which columns are read and what their values are clamped to; groups by columns with levels are features too, an indicator
 * for each level but the first. Predicates, missing fields, the relation, epsilon and delta are those of the declaration. Each
 * value becomes a whole number of steps between -1 and 1, sums are formed of whole numbers, and noise is exact.
 *
 * Example
 *     const char declared[] = "{\"statistics\": [{\"kind\": \"mean\", \"column\": \"income\", \"lower\": \"0\", \"upper\": \"200\"},"
 *                             " {\"kind\": \"mean\", \"column\": \"age\", \"lower\": \"18\", \"upper\": \"98\"}], \"epsilon\": \"1\"}";
 *     const double row[] = {51.3, 40, 48, 31}; // two rows of income and age
 *     dpn_fit_options options = dpn_fit_options_init();
 *     dpn_declaration declaration;
 *     dpn_fit *fit;
 *     dpn_model *model;
 *     dpn_error why;
 *     options.method = "moments";
 *     if (dpn_declaration_read(&declaration, declared, sizeof declared - 1, &why) ||
 *         dpn_fit_new(&fit, &options, &why) || dpn_fit_plan(fit, &declaration, &why) ||
 *         // charge the budget here, or ask through a question: dpn_fit_inquiry
 *         dpn_fit_numbers(fit, row, 2, &why) || dpn_fit_run(&model, fit, rng, &why))
 *         return puts(why.sentence);
 *     for (size_t i = 0; i < model->coefficients; i++)
 *         printf("%s %g\n", model->coefficient[i].name, model->coefficient[i].value);
 *     dpn_model_free(model);
 *     dpn_fit_free(fit);
 *     dpn_declaration_free(&declaration);
 *
 * docs/proofs/learn/ says what is proved.
 */
#ifndef DPNOISE_LEARN_H
#define DPNOISE_LEARN_H

#include <dpnoise/audit.h>
#include <dpnoise/declaration.h>
#include <dpnoise/field.h>
#include <dpnoise/question.h>
#include <dpnoise/random.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What is asked ---- */

typedef enum dpn_fit_kind {
    DPN_FIT_LINEAR,   /* least squares */
    DPN_FIT_LOGISTIC, /* the target is 1 above the middle of its bounds, else 0 */
    DPN_FIT_QUANTILE, /* a quantile of the target, the median for example, given the features */
} dpn_fit_kind;

/* "linear", "logistic", "quantile"; NULL past the end. */
DPN_API const char *dpn_fit_kind_name(dpn_fit_kind kind);

/* The methods: their names, and a sentence about each without full stop; NULL past the end. */
DPN_API const char *dpn_fit_method_name(size_t index);
DPN_API const char *dpn_fit_method_about(size_t index);

/* Whether a method looks at a setting: the name of a member of dpn_fit_options from `raw` to `points`. What is said and not looked at is refused when a fit
 * is planned: it would make another question of the same fit. False for unknown names. */
DPN_API bool dpn_fit_method_takes(const char *method, const char *setting);

/* How much noise methods that go over the rows again and again need. */
typedef enum dpn_fit_accounting {
    DPN_FIT_EXACT, /* exact composition of all that is released */
    DPN_FIT_ZCDP,  /* zCDP, with the noise of each coordinate at its own best scale */
    DPN_FIT_PAPER, /* zCDP as Muthukrishnan and Kalyani have it: the noise of each coordinate in proportion to its clip */
} dpn_fit_accounting;

/* "exact", "zcdp", "paper"; NULL past the end. */
DPN_API const char *dpn_fit_accounting_name(dpn_fit_accounting accounting);

/* How to fit; all of it public. Penalties are per row and in the scaled unit, in which every feature and the target lie in
 * [-1, 1]: what is minimised is the mean loss + l1 |b|_1 + (l2/2) |b|^2 without the intercept. */
typedef struct dpn_fit_options {
    size_t size; /* set by the initialiser below */
    dpn_fit_kind kind;
    const char *method; /* NULL: the first that is private and does this kind */
    bool no_intercept;
    bool raw; /* what the paper of the method does with the noisy numbers, where the default knows of the noise */
    const char *noise; /* the family of the noise (dpn_mechanism_name); NULL: the best of the quick ones */
    /* of the methods "functional" and "objective": linf, l1, l2, of the first also kt and hull; NULL: linf */
    const char *ball;
    double l1, l2;
    uint64_t passes; /* of methods that go over the rows again and again; 0: the method's default */
    double
        rows; /* about how many there are, if that is public: for forecasts and choices; 0: not known, and "auto" buys it where it decides */
    /* Of methods that release derivatives: */
    dpn_fit_accounting accounting;
    double clip; /* the length that a row's clipped derivatives have at most, 10^-6 to 10^6; 0: the method's default */
    double step; /* in units of the inverse smoothness, 10^-12 to 1000; 0: 1 */
    /* Of methods that minimise an objective: */
    double within; /* no coefficient is larger in size, in the scaled unit; 0: any may be. Linear fits need it */
    double
        share; /* of epsilon that goes to the noise in the objective, below 1; 0: chosen from rows, features and epsilon */
    /* Of methods that release derivatives, again: */
    bool identical;      /* the same noise for every coefficient, to compare with */
    const double *start; /* where they begin, in the data's units, the intercept first; NULL: 0 in the scaled unit */
    size_t starts;       /* how many numbers that are: as many as coefficients */
    /* The mean of the loss's second derivative by each coefficient, if that is public: in the scaled unit, the mean square of the
     * column, of a logistic fit a quarter of it. NULL: bought, with a part of the budget. As many as coefficients. */
    const double *smoothness;
    size_t smoothnesses;
    double quantile; /* of DPN_FIT_QUANTILE: which, a whole number of thousandths between 0 and 1; 0: the median */
    uint64_t
        points; /* of "kng": how many its grid has along each coefficient, an odd number; 0: chosen from their number */
    double sample_rate; /* of "sgd": the probability with which a row is in a batch, in steps of 2^-16; 0: 1/16 */
    uint64_t
        blocks; /* of "aggregate": how many its rows are dealt out to; 0: one for every 25 rows of each coefficient */
    /* Choose the setting privately: the best of several fits, of settings drawn at random, by a noisy score on rows that they were not fitted to; each has half of
     * epsilon. Pure: without delta. docs/proofs/learn/fit.md, F17 */
    bool tune;
    bool
        within_l2; /* all coefficients together have at most the length `within`, from 2^-6 to 2^27, and each may have it: a ball, not a box */
} dpn_fit_options;

static inline dpn_fit_options dpn_fit_options_init(void) {
    dpn_fit_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* ---- A fit ---- */

typedef struct dpn_fit dpn_fit;

/* Errors   DPN_EPARSE for an unknown method, DPN_EDOMAIN for options that make no sense, DPN_EUNSUPPORTED for a method that does
 *          not do this kind of fit; DPN_ENOMEM. On error *out is not written. Accepts NULL when freed. */
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_new(dpn_fit **out, const dpn_fit_options *options, dpn_error *why);
DPN_API void dpn_fit_free(dpn_fit *fit);

/* Compile a declaration: its columns, grids, and the noise of all that the method will release. Nothing is read.
 * Domain   a target and at least one feature, at most DPN_FIT_FEATURES; levels for every group. Where the declaration has a person, of each
 *          max_rows rows that can be used are fitted, chosen at random, and a row gets the share of epsilon and delta that protects all
 *          of them together; the relation is then add-remove.
 * Errors   DPN_EDOMAIN, DPN_EUNSUPPORTED; those of dpn_declaration_check and dpn_release_new. */
enum { DPN_FIT_FEATURES = 1000 };
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_plan(dpn_fit *fit, const dpn_declaration *declaration, dpn_error *why);

/* Who waits: `cancelled` is asked now and then, while noise is looked for, before each look at what it guarantees, and while methods go over the rows a number of times that
 * is known (cd, gd, kng, sgd), and true ends the plan or the run with DPN_ECANCELLED; `progress` is called as often in a run with the share
 * done, 0 to 1, which tells nothing of the rows. NULL: off. What was paid for a run that is cancelled stays paid. */
DPN_API void dpn_fit_watch(dpn_fit *fit, void (*progress)(void *context, double done), bool (*cancelled)(void *context),
                           void *context);

/* The fit as an inquiry of a question, which plans it, charges it and keeps the model's text. It lives as long as the fit. A method that is
 * not private is refused there, with DPN_EUNSUPPORTED. */
DPN_API const dpn_inquiry *dpn_fit_inquiry(dpn_fit *fit);

/* A question as a service receives it: its member "fit", if it has one, is the fit, and the other members are the declaration, which *text is to be
 * read as (dpn_question_read) and to be freed:
 *     {"fit": {"kind": "linear", "method": "moments", "l2": 0.1}, "statistics": [{"kind": "mean", "column": "income"}, ...], "epsilon": "1"}
 * The members of "fit" have the names of dpn_fit_options, of which only `kind` is needed: numbers above 0, words, true or false, and lists of
 * numbers for start and smoothness; `accounting` is a word. *out is NULL without such a member.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_ENOMEM; those of dpn_fit_new. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_split(dpn_fit **out, char **text, size_t *length, const char *question,
                                                size_t question_length, dpn_error *why);

/* The columns that are read, in the order in which rows want their fields: those with levels and of predicates first, then the target
 * and the features, each once; NULL past the end, and before the plan. */
DPN_API const char *dpn_fit_column(const dpn_fit *fit, size_t index);

/* One release that the method will make, for whoever wants to know what the guarantee rests on: its plan, how often it is drawn,
 * and the sensitivity set. NULL past the end. */
typedef struct dpn_fit_release {
    const char *what;
    const dpn_plan *plan;
    const dpn_sensitivity *set;
    uint64_t times;
} dpn_fit_release;
DPN_API dpn_fit_release dpn_fit_release_at(const dpn_fit *fit, size_t index);

/* The probability with which a row is in the sample that each draw of such a release is made on; 1 where it is made on all rows. What all draws
 * have together is then that of a training run (dpnoise/calibrate.h), not that of the plan. */
DPN_API double dpn_fit_sample_rate(const dpn_fit *fit, size_t index);

/* A fit may take one of several ways, by a noisy number of rows: the way that a release belongs to, 1, 2, ..., of which one is taken; 0 for what is released whatever the
 * way, and past the end. The guarantee holds for each way with what has 0, and so for the fit. */
DPN_API size_t dpn_fit_alternative(const dpn_fit *fit, size_t index);

/* All releases of a planned fit as text, a JSON list to be freed: of each `what`, `times`, how many `numbers`, and `relation`, `sensitivity` and `plan`, which
 * together dpn_plan_read takes. What all draws of it guarantee is what such a plan does, `times` times, with what the release may have besides:
 *   alternative  which way it belongs to, of several of which one is taken (dpn_fit_alternative)
 *   elsewhere    an epsilon that the method spends around the release, by its proof: it is added
 *   delta_times  how many times the plan's delta counts, by its proof; 1 without it
 *   sample_rate  the probability with which a row is in the sample of a draw: it is a training run. With the relation replace, `present` is how far (l2) a
 *                row that is in the sample moves the numbers if it goes
 *   detail       of a run: what the method says of it
 * Releases of one way add up, with those that belong to none: the epsilons of those that are pure, and the delta of at most one at the epsilon that they leave. Where persons are protected all of it is about one of their
 * rows, of which at most max_rows count.
 * Errors   DPN_ENOMEM. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_releases_write(char **text, size_t *length, const dpn_fit *fit,
                                                         dpn_error *why);

/* Add rows of text; rows of numbers, in the order of dpn_fit_column, where there are no levels, no predicates and no
 * numbers among the words for missing fields. What a row
 * holds makes neither fail: a value outside is clamped, a row with a field that is not a number follows the rule for missing ones, a
 * row with a level that is not declared is left out.
 * Errors   DPN_ENOMEM; DPN_EDOMAIN beyond 2^27 rows, before the plan, after the run, and for numbers where texts are needed. */
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_rows(dpn_fit *fit, const dpn_field *field, size_t rows, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_numbers(dpn_fit *fit, const double *value, size_t rows, dpn_error *why);

/* Add rows that have no fields, because the source could not make any of them (dpn_table_unusable): each is missing in every column.
 * Errors   those of dpn_fit_rows. */
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_unusable(dpn_fit *fit, uint64_t rows, dpn_error *why);

/* How far the fit is likely to be from the same fit without noise, if the table has `rows` rows: the root of the mean square of what
 * their predictions differ by, in the target's unit, or as a probability. Both are fitted to invented rows (features uniform within their
 * bounds, levels equally frequent, all independent), with fresh noise five times, and *error is the median. No real row is
 * looked at and nothing is spent; real rows may be less even, and the error larger. The fit is used up.
 * Domain   a planned fit without rows; 1 <= rows <= DPN_FIT_FORECAST_ROWS.
 * Errors   DPN_EDOMAIN; DPN_EUNSUPPORTED for quantiles; those of dpn_fit_run. On error *error is not written. */
enum { DPN_FIT_FORECAST_ROWS = 100000 };
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_forecast(double *error, dpn_fit *fit, uint64_t rows, dpn_rng *rng,
                                                   dpn_error *why);

/* ---- Which setting ---- */

/* Choose a setting of a fit by rows that are public: those of a planned fit of the same columns, of any method. Tried are what was asked and some
 * others (passes and clips of descent, ridges of moments, shares of objectives, bounds; without a method some methods), each five times with noise from a public source, so that the choice is the same each time: 80% of the rows are fitted, or of these so many,
 * drawn with replacement, as options.rows says there are in the table that the fit is for, and the others are predicted. *cost is the least mean cost: four times the square of residuals in the scaled unit, at
 * most 1, or the share of labels told wrong. *out refers to what `asked` refers to.
 * Domain   at least 10 public rows.
 * Errors   DPN_EDOMAIN; those of dpn_fit_new, dpn_fit_plan and dpn_fit_run if no setting works. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_tune(dpn_fit_options *out, double *cost, const dpn_fit *rows,
                                               const dpn_fit_options *asked, const dpn_declaration *declaration,
                                               dpn_error *why);

/* ---- The model ---- */

typedef struct dpn_coefficient {
    char *name; /* "(intercept)", "age", "region=south" */
    double value, low, high;
} dpn_coefficient;

/* How a feature is made of a row: a number, clamped, or whether a column has a level. */
typedef struct dpn_feature {
    char *column;
    char *level; /* NULL: a number */
    double lower, upper;
} dpn_feature;

typedef struct dpn_model {
    dpn_fit_kind kind;
    char *method;
    bool is_private, intercept;
    double quantile; /* of DPN_FIT_QUANTILE: which, NaN if the text of the model does not say; else 0 */
    char *target;
    double lower, upper; /* of the target */
    dpn_coefficient
        *coefficient; /* the intercept first, if there is one, then one for each feature; in the data's units */
    size_t coefficients;
    dpn_feature *feature;
    size_t features;
    /* What low and high are: "noise", 95% about the coefficients that the same fit has without noise, approximately, NaN where the noise leaves
     * too little of them (columns that fill little of their bounds, few rows): what is told then rests on what is expected of coefficients before anybody looks;
     * "sampling", 95% about those of the population that the rows are a sample of, NaN for coefficients that the rows do not determine: that of a constant column
     * beside the intercept, those of columns that follow from each other; "" if the method knows no error, and all are NaN. */
    char *interval;
    char *epsilon,
        *delta; /* decimal texts; delta may be "0"; both "" of a model that is not private, null in its text */
    dpn_relation relation;
    char *releases; /* what was announced, as dpn_fit_releases_write has it */
    /* Where persons are protected: how many rows of each count. The releases guarantee for one row; so many times their epsilon, and the delta of a group of
     * so many rows, is what a person has. 0: rows are protected, or the text of the model does not say. */
    uint64_t max_rows;
} dpn_model;

/* Draw the noise and fit. Once.
 * Guarantee  the model is (epsilon, delta)-private as declared, unless the method says that it is not private.
 * Errors   DPN_EDOMAIN before the plan or a second time; those of dpn_release_draw; DPN_ECANCELLED; DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_run(dpn_model **out, dpn_fit *fit, dpn_rng *rng, dpn_error *why);
DPN_API void dpn_model_free(dpn_model *model);

/* What a method that releases derivatives did with coefficient i, in the scaled unit: "sensitivity", how far a row moves the mean of
 * its clipped derivatives; "smoothness"; "clip", what a row's derivative is clipped to; "step", how far the mean moves the coefficient;
 * "noise", the standard deviation of the noise on the mean. NaN for other models, numbers and coefficients. */
DPN_API double dpn_model_detail(const dpn_model *model, size_t coefficient, const char *what);

/* The setting that a private choice took, as JSON, to be freed; NULL if none was chosen, and without memory. */
DPN_API char *dpn_model_chosen(const dpn_model *model);

/* A model as text, one line of JSON, to be freed with free(); and read again, also from an object that has it as its member
 * "model". Errors   DPN_ENOMEM; DPN_EPARSE, DPN_EDOMAIN. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_model_write(char **text, size_t *length, const dpn_model *model, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_model_read(dpn_model **out, const char *text, size_t length, dpn_error *why);

/* What the model says of a row, whose fields are those of the features' columns, feature by feature (a column with several levels
 * stands several times): the mean of the target, clamped to its bounds; of a logistic model the probability that it is above
 * the middle of them. NaN for a field that is not a number. */
DPN_API double dpn_model_predict(const dpn_model *model, const dpn_field *field);

/* ---- Audits ---- */

typedef struct dpn_audit_fit_options {
    size_t size; /* set by the initialiser below */
    const dpn_fit_options *fit;
    const dpn_declaration *declaration; /* without predicates; no data are needed */
    uint64_t samples;                   /* fits of each table */
    bool claimed;                       /* the claim is (epsilon, delta); else it is what the declaration says */
    double epsilon, delta;
    double confidence;                            /* of all bounds at once; 0: 0.999 */
    void (*progress)(void *context, double done); /* called now and then with the share done, 0 to 1; NULL: off */
    void *context;
    bool (*cancelled)(void *context); /* asked as often: true ends the audit with DPN_ECANCELLED; NULL: never */
} dpn_audit_fit_options;

static inline dpn_audit_fit_options dpn_audit_fit_options_init(void) {
    dpn_audit_fit_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* Draw whole fits of tables that differ by one row, and judge (dpnoise/audit.h): tables of a few rows, without and with one whose values are all at
 * a bound, the target at the other one, mixed, far beyond the bounds, not usable; under replace, such a row in the place of its opposite. What is
 * watched: the coefficients, their covariance, noisy sums that the method releases as they are, what neighbours of these differ by, and that a fit fails.
 * Domain   samples from 1000 to 10^9; 0 <= epsilon and 0 <= delta < 1; 0 <= confidence < 1.
 * Guarantee  if fits keep the claim, pass is false with probability 1 - confidence at most.
 * Errors   those of dpn_fit_new and dpn_fit_plan; DPN_EDOMAIN; DPN_EUNSUPPORTED for predicates, and for a method without a guarantee;
 *          DPN_EENTROPY; DPN_ECANCELLED; DPN_ENOMEM. On error *out is not written.
 * Cost     2 (samples + pilot) fits for each of five pairs, a pilot being a quarter of samples and at most 4000. */
DPN_API DPN_MUST_CHECK dpn_status dpn_audit_fit(dpn_audit *out, const dpn_audit_fit_options *options, dpn_rng *rng,
                                                dpn_error *why);

/* ---- Experiments, which are NOT private ---- */

/* What papers do with tables that may be looked at: the columns are standardised by the rows themselves, passes, step and clip are
 * chosen by what comes out, and no fit has a constant. Nothing of this may be told of private rows: no noise covers the choice. */
typedef struct dpn_experiment_options {
    size_t size; /* set by the initialiser below */
    /* What is tried, all of it with all: NULL stands for 1, 2, 5, 10, 20; 0.1, 0.3, 1; and 0.1, 0.3, 1, 3, 10, in the unit of the columns. */
    const uint64_t *passes;
    const double *step, *clip;
    size_t passes_count, steps, clips;
    uint64_t tuning,
        trials;       /* how many runs choose, each setting as many, and how many measure the chosen; 0: 5 and 20 */
    bool as_declared; /* columns stay as they are, in units of their declared bounds */
    uint64_t seed;    /* of the splits into 80% that are fitted and 20% that are predicted */
} dpn_experiment_options;

static inline dpn_experiment_options dpn_experiment_options_init(void) {
    dpn_experiment_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* The mean over trials and its standard error. */
typedef struct dpn_measured {
    double mean, error;
} dpn_measured;

typedef struct dpn_experiment {
    size_t rows; /* that are fitted */
    uint64_t passes;
    double step, clip;     /* the setting with the least mean of nmse in the runs that choose */
    double tuned;          /* that mean, as papers report it: it is better than the truth, being the least of many */
    dpn_measured nmse;     /* |b - b*|^2/|b*|^2, b* the minimum without noise, in fresh trials */
    dpn_measured distance; /* |b - b*| */
    dpn_measured
        test; /* of rows that were not fitted: sum of squares of residuals/of the target, or the share of wrong labels */
    double plain_test; /* the same of b* */
    double
        noise; /* the standard deviation of the noise on the sum of derivatives by the first coefficient, over how far a row moves it */
} dpn_experiment;

/* Run one, with the method, the noise, the penalties, epsilon and delta of a planned fit that has its rows. Penalties are in the unit of the
 * columns: standardised, or as declared. The fit is used up. NOT PRIVATE.
 * Domain   methods that release derivatives; at least 10 rows; finite numbers above 0.
 * Errors   DPN_EDOMAIN, DPN_EUNSUPPORTED for another method; those of dpn_fit_plan and dpn_fit_run. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_fit_experiment(dpn_experiment *out, dpn_fit *fit,
                                                     const dpn_experiment_options *options, dpn_rng *rng,
                                                     dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
