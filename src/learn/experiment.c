/* Experiments: tuned and standardised on the rows, as papers do it. NOT private. */
#include "learn/descent.h"
#include "learn/plain.h"

#include "base/error.h"
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lab {
    dpn_fit *fit; /* what was asked, with all rows */
    dpn_experiment_options how;
    size_t rows, features, train;
    double *value;  /* rows of features and then the target, divided by scale so that all lie in [-1, 1] */
    double scale;   /* of features, and of a linear target */
    double *square; /* M_i of each feature in the divided unit */
    size_t *order;
    uint64_t state;   /* of the splits */
    dpn_fit **runner; /* one for each number of passes */
    double *b, *best;
} lab;

static const uint64_t usual_passes[] = {1, 2, 5, 10, 20};
static const double usual_step[] = {0.1, 0.3, 1}, usual_clip[] = {0.1, 0.3, 1, 3, 10};

/* ---- The columns ---- */

static double *value_of(const lab *of, size_t row) {
    return of->value + row * (of->features + 1);
}

static void take_rows(lab *of) {
    const dpn_rows *rows = &of->fit->rows;
    for (size_t r = 0; r < of->rows; r++)
        for (size_t c = 0; c <= of->features; c++)
            value_of(of, r)[c] =
                ldexp(dpn_rows_column(rows, r / DPN_ROWS_A_BLOCK, c + 1)[r % DPN_ROWS_A_BLOCK], -DPN_UNIT_LOG);
}

static void standardise(lab *of, size_t column) {
    double mean = 0, squares = 0;
    for (size_t r = 0; r < of->rows; r++) mean += value_of(of, r)[column] / (double)of->rows;
    for (size_t r = 0; r < of->rows; r++) squares += pow(value_of(of, r)[column] - mean, 2) / (double)of->rows;
    double spread = squares > 0 ? sqrt(squares) : 1;
    for (size_t r = 0; r < of->rows; r++) value_of(of, r)[column] = (value_of(of, r)[column] - mean) / spread;
}

/* Features and a linear target become of one scale, and labels -1 and 1. */
static void prepare(lab *of) {
    bool linear = of->fit->options.kind == DPN_FIT_LINEAR;
    size_t scaled = of->features + linear;
    take_rows(of);
    for (size_t c = 0; c < scaled && !of->how.as_declared; c++) standardise(of, c);
    of->scale = of->how.as_declared ? 1 : 0;
    for (size_t r = 0; r < of->rows && !of->how.as_declared; r++)
        for (size_t c = 0; c < scaled; c++) of->scale = fmax(of->scale, fabs(value_of(of, r)[c]));
    for (size_t r = 0; r < of->rows; r++) {
        for (size_t c = 0; c < scaled; c++) value_of(of, r)[c] /= of->scale;
        if (!linear) value_of(of, r)[of->features] = value_of(of, r)[of->features] > 0 ? 1 : -1;
        for (size_t j = 0; j < of->features; j++)
            of->square[j] += dpn_descent_curvature(of->fit) * pow(value_of(of, r)[j], 2) / (double)of->rows;
    }
    for (size_t j = 0; j < of->features; j++) of->square[j] = fmax(of->square[j], 1e-12);
}

/* ---- Fits of the divided columns ---- */

static dpn_status declare(dpn_declaration *out, const lab *of, dpn_error *why) {
    const dpn_declaration *asked = &of->fit->query->declaration;
    char text[64];
    snprintf(text, sizeof text, "{\"epsilon\": \"%.20s\"}", asked->epsilon);
    dpn_status status = dpn_declaration_read(out, text, strlen(text), why);
    if (!status) status = dpn_declare_statistic(out, DPN_STATISTIC_MEAN, "y:-1:1", why);
    for (size_t j = 0; j < of->features && !status; j++) {
        snprintf(text, sizeof text, "x%zu:-1:1", j);
        status = dpn_declare_statistic(out, DPN_STATISTIC_MEAN, text, why);
    }
    if (status || !asked->delta) return status;
    free(out->delta);
    out->delta = malloc(strlen(asked->delta) + 1);
    if (!out->delta) return dpn_fail(why, DPN_ENOMEM, "no memory for the experiment");
    strcpy(out->delta, asked->delta);
    out->relation = asked->relation;
    return DPN_OK;
}

/* Divided by S, b of a linear fit stays, and its loss is divided by S^2; b of a logistic fit is multiplied by S. */
static dpn_fit_options options_of(const lab *of, uint64_t passes) {
    dpn_fit_options options = of->fit->options;
    bool linear = options.kind == DPN_FIT_LINEAR;
    options.no_intercept = true;
    options.passes = passes;
    options.rows = (double)of->train;
    options.clip = 1;
    options.start = NULL;
    options.smoothness = of->square;
    options.smoothnesses = of->features;
    options.l1 /= linear ? of->scale * of->scale : of->scale;
    options.l2 /= of->scale * of->scale;
    return options;
}

static dpn_status make_runner(dpn_fit **out, const lab *of, uint64_t passes, dpn_error *why) {
    dpn_fit_options options = options_of(of, passes);
    dpn_declaration declaration = {0};
    dpn_status status = declare(&declaration, of, why);
    if (!status) status = dpn_fit_new(out, &options, why);
    if (!status) status = dpn_fit_plan(*out, &declaration, why);
    dpn_declaration_free(&declaration);
    return status;
}

/* ---- One split ---- */

static size_t below(lab *of, size_t count) {
    of->state = of->state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((double)(of->state >> 11) * 0x1p-53 * (double)count);
}

/* The first rows of the order are fitted. */
static void split(lab *of) {
    for (size_t i = 0; i < of->rows; i++) of->order[i] = i;
    for (size_t i = of->rows; i > 1; i--) {
        size_t j = below(of, i), kept = of->order[i - 1];
        of->order[i - 1] = of->order[j];
        of->order[j] = kept;
    }
}

static dpn_status give_rows(dpn_fit *to, const lab *of, dpn_error *why) {
    dpn_rows_free(&to->rows);
    to->rows = (dpn_rows){.columns = dpn_fit_width(to)};
    dpn_status status = DPN_OK;
    for (size_t r = 0; r < of->train && !status; r++) {
        const double *value = value_of(of, of->order[r]);
        to->step[0] = DPN_UNIT;
        for (size_t c = 0; c <= of->features; c++)
            to->step[c + 1] = (int32_t)rint(ldexp(fmin(fmax(value[c], -1), 1), DPN_UNIT_LOG));
        status = dpn_rows_add(&to->rows, to->step, why);
    }
    return status;
}

/* b* of the rows of a fit. */
static dpn_status minimum(double *b, dpn_fit *fit, dpn_error *why) {
    if (fit->options.kind == DPN_FIT_LOGISTIC) return dpn_plain_logistic(b, fit, why);
    double *moments = malloc(dpn_fit_width(fit) * dpn_fit_width(fit) * sizeof *moments);
    if (!moments) return dpn_fail(why, DPN_ENOMEM, "no memory for the experiment");
    dpn_status status = dpn_plain_moments(moments, fit, why);
    if (!status) status = dpn_least_squares(b, moments, fit, why);
    free(moments);
    return status;
}

/* Clips and their units grow together, so that the noise is that of the plan. */
static void set_clip(dpn_fit *fit, double factor) {
    dpn_descent *of = fit->state;
    for (size_t i = 0; i < of->coordinates; i++) {
        of->coordinate[i].clip *= factor;
        of->coordinate[i].unit *= factor;
    }
}

/* A run with a clip in the unit of the columns. */
static dpn_status run_once(const lab *of, dpn_fit *fit, double step, double clip, dpn_rng *rng, dpn_error *why) {
    double scaled = clip / (fit->options.kind == DPN_FIT_LINEAR ? of->scale * of->scale : of->scale);
    dpn_fit_estimate found = {.b = of->b, .covariance = NULL, .interval = ""};
    fit->options.step = step;
    set_clip(fit, scaled);
    memset(of->b, 0, (of->features + 1) * sizeof *of->b);
    dpn_status status = fit->method->run(&found, fit, fit->state, rng, why);
    set_clip(fit, 1 / scaled);
    fit->announced[0].drawn = 0;
    free(fit->announced[0].detail);
    fit->announced[0].detail = NULL;
    return status;
}

static double nmse(const lab *of) {
    double away = 0, size = 0;
    for (size_t j = 1; j <= of->features; j++) {
        away += pow(of->b[j] - of->best[j], 2);
        size += pow(of->best[j], 2);
    }
    return away / fmax(size, 1e-300);
}

static double distance(const lab *of) {
    double away = 0;
    for (size_t j = 1; j <= of->features; j++) away += pow(of->b[j] - of->best[j], 2);
    return sqrt(away) / (of->fit->options.kind == DPN_FIT_LINEAR ? 1 : of->scale);
}

/* Of the rows that were not fitted. */
static double test_error(const lab *of, const double *b) {
    bool linear = of->fit->options.kind == DPN_FIT_LINEAR;
    double wrong = 0, squares = 0, all = 0;
    for (size_t r = of->train; r < of->rows; r++) {
        const double *value = value_of(of, of->order[r]);
        double y = value[of->features], t = 0;
        for (size_t j = 0; j < of->features; j++) t += b[j + 1] * value[j];
        wrong += (t > 0) != (y > 0);
        squares += (y - t) * (y - t);
        all += y * y;
    }
    return linear ? squares / fmax(all, 1e-300) : wrong / (double)(of->rows - of->train);
}

/* ---- The protocol ---- */

static size_t settings(const lab *of) {
    return of->how.passes_count * of->how.steps * of->how.clips;
}

/* Every setting on every split that chooses; the mean of its nmse. */
static dpn_status tune(double *mean, lab *of, dpn_rng *rng, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (uint64_t trial = 0; trial < of->how.tuning && !status; trial++) {
        split(of);
        for (size_t p = 0; p < of->how.passes_count && !status; p++) {
            dpn_fit *runner = of->runner[p];
            status = give_rows(runner, of, why);
            if (!status && p == 0) status = minimum(of->best, runner, why);
            for (size_t k = 0; k < of->how.steps * of->how.clips && !status; k++) {
                status =
                    run_once(of, runner, of->how.step[k / of->how.clips], of->how.clip[k % of->how.clips], rng, why);
                if (!status) mean[p * of->how.steps * of->how.clips + k] += nmse(of) / (double)of->how.tuning;
            }
            dpn_rows_free(&runner->rows);
        }
    }
    return status;
}

static void count_in(dpn_measured *sums, double x) {
    sums->mean += x;
    sums->error += x * x;
}

static void finish(dpn_measured *sums, uint64_t trials) {
    double n = (double)trials, mean = sums->mean / n;
    sums->error = n > 1 ? sqrt(fmax(sums->error / n - mean * mean, 0) / (n - 1)) : NAN;
    sums->mean = mean;
}

/* The chosen setting on splits that had no say. */
static dpn_status measure(dpn_experiment *out, lab *of, dpn_fit *runner, dpn_rng *rng, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (uint64_t trial = 0; trial < of->how.trials && !status; trial++) {
        split(of);
        status = give_rows(runner, of, why);
        if (!status) status = minimum(of->best, runner, why);
        if (!status) status = run_once(of, runner, out->step, out->clip, rng, why);
        if (status) break;
        count_in(&out->nmse, nmse(of));
        count_in(&out->distance, distance(of));
        count_in(&out->test, test_error(of, of->b));
        out->plain_test += test_error(of, of->best) / (double)of->how.trials;
    }
    finish(&out->nmse, of->how.trials);
    finish(&out->distance, of->how.trials);
    finish(&out->test, of->how.trials);
    return status;
}

static dpn_status run_with(dpn_experiment *out, lab *of, double *mean, dpn_rng *rng, dpn_error *why) {
    size_t chosen = 0, each = of->how.steps * of->how.clips;
    prepare(of);
    dpn_status status = DPN_OK;
    for (size_t p = 0; p < of->how.passes_count && !status; p++)
        status = make_runner(&of->runner[p], of, of->how.passes[p], why);
    if (!status) status = tune(mean, of, rng, why);
    if (status) return status;
    for (size_t k = 1; k < settings(of); k++)
        if (mean[k] < mean[chosen]) chosen = k;
    dpn_fit *runner = of->runner[chosen / each];
    const dpn_descent *descent = runner->state;
    *out = (dpn_experiment){.rows = of->train,
                            .passes = of->how.passes[chosen / each],
                            .step = of->how.step[chosen % each / of->how.clips],
                            .clip = of->how.clip[chosen % of->how.clips],
                            .tuned = mean[chosen]};
    size_t first = dpn_descent_derivative_at(descent, 0, 0);
    out->noise =
        sqrt(dpn_fit_release_at(runner, 0).plan->variance[first]) / dpn_fit_release_at(runner, 0).set->bound[first];
    return measure(out, of, runner, rng, why);
}

/* ---- The front ---- */

static void put_usual(dpn_experiment_options *how) {
    if (!how->passes) {
        how->passes = usual_passes;
        how->passes_count = sizeof usual_passes / sizeof *usual_passes;
    }
    if (!how->step) {
        how->step = usual_step;
        how->steps = sizeof usual_step / sizeof *usual_step;
    }
    if (!how->clip) {
        how->clip = usual_clip;
        how->clips = sizeof usual_clip / sizeof *usual_clip;
    }
    if (how->tuning == 0) how->tuning = 5;
    if (how->trials == 0) how->trials = 20;
}

static dpn_status check(const dpn_fit *fit, const dpn_experiment_options *how, dpn_error *why) {
    if (fit->method->run != dpn_descent_run)
        return dpn_fail(why, DPN_EUNSUPPORTED, "experiments are for the methods cd and gd");
    if (!fit->planned || fit->ran || fit->rows.count < 10)
        return dpn_fail(why, DPN_EDOMAIN, "an experiment takes a planned fit with at least 10 rows, once");
    bool fine = how->passes_count > 0 && how->steps > 0 && how->clips > 0;
    for (size_t i = 0; i < how->passes_count; i++) fine &= how->passes[i] > 0;
    for (size_t i = 0; i < how->steps; i++) fine &= how->step[i] > 0 && isfinite(how->step[i]);
    for (size_t i = 0; i < how->clips; i++) fine &= how->clip[i] > 0 && isfinite(how->clip[i]);
    return fine ? DPN_OK : dpn_fail(why, DPN_EDOMAIN, "passes, steps and clips must be above 0 and finite");
}

static void free_lab(lab *of) {
    for (size_t p = 0; of->runner && p < of->how.passes_count; p++) dpn_fit_free(of->runner[p]);
    free(of->runner);
    free(of->value);
    free(of->square);
    free(of->order);
    free(of->b);
    free(of->best);
}

dpn_status dpn_fit_experiment(dpn_experiment *out, dpn_fit *fit, const dpn_experiment_options *options, dpn_rng *rng,
                              dpn_error *why) {
    lab of = {.fit = fit, .rows = fit->rows.count, .features = fit->features};
    dpn_experiment found;
    dpn_status status = dpn_options_take(&of.how, sizeof of.how, options, why);
    if (status) return status;
    put_usual(&of.how);
    status = check(fit, &of.how, why);
    if (status) return status;
    fit->ran = true;
    of.train = (size_t)rint(0.8 * (double)of.rows);
    of.state = of.how.seed;
    of.value = calloc(of.rows * (of.features + 1), sizeof *of.value);
    of.square = calloc(of.features, sizeof *of.square);
    of.order = calloc(of.rows, sizeof *of.order);
    of.runner = calloc(of.how.passes_count, sizeof *of.runner);
    of.b = calloc(of.features + 1, sizeof *of.b);
    of.best = calloc(of.features + 1, sizeof *of.best);
    double *mean = calloc(settings(&of), sizeof *mean);
    bool all = of.value && of.square && of.order && of.runner && of.b && of.best && mean;
    status = all ? run_with(&found, &of, mean, rng, why) : dpn_fail(why, DPN_ENOMEM, "no memory for the experiment");
    free_lab(&of);
    free(mean);
    if (!status) *out = found;
    return status;
}
