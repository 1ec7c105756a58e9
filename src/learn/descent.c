/* Descent with noisy sums of clipped derivatives: the run. */
#include "learn/descent.h"

#include "learn/derivatives.h"
#include "learn/prior.h"

#include "base/error.h"
#include "base/text/json-write.h"

#include <math.h>
#include <stdlib.h>

typedef struct descent {
    dpn_fit *fit;
    const dpn_descent *of;
    dpn_derivatives at;
    int64_t *noise; /* of the release, in steps */
    double rows;    /* as far as is known */
    bool is_sure;   /* that N is about that: it is public, or what was bought agrees with what was declared */
    double *smoothness, *b, *next, *mean;
} descent;

/* In steps. */
static double noisy(const descent *d, int64_t sum, size_t k) {
    return (double)(sum + d->noise[k]);
}

/* M_i as declared, or as bought: it errs to the side of short steps, by a standard deviation, and is no less than six of them. Steps that are too long
 * never end, and few rows make M_i uncertain (docs/regression-methods.md). */
static double smoothness_of(const descent *d, const dpn_descent_coordinate *at) {
    const dpn_fit *fit = d->fit;
    const int32_t one = d->of->one;
    if (fit->options.smoothness) return at->smoothness;
    if (at->column == 0) return dpn_descent_curvature(fit);
    size_t k = dpn_descent_squares_at(at->column - 1);
    double variance = dpn_fit_release_at(fit, d->of->release).plan->variance[k];
    double deviation = 0.5 * ldexp(sqrt(variance), -d->of->exponent) / one / d->rows;
    double square = 0.5 * (noisy(d, dpn_derivatives_squares(fit, at->column, one), k) / one / d->rows + 1);
    return dpn_descent_curvature(fit) * fmin(fmax(fmax(square + deviation, 6 * deviation), 1e-3), 1);
}

/* N: public, or declared, or as bought, where none is declared or the noise cannot be what it differs by. It errs to the side of short steps, and no rare noise
 * makes it small: from below it is the nearest to what was declared. */
static void find_rows(descent *d) {
    const dpn_fit *fit = d->fit;
    const int32_t one = d->of->one;
    double declared = fit->options.rows;
    d->rows = dpn_count_is_public(fit->query) ? (double)fit->rows.count : declared;
    d->is_sure = true;
    if (!d->of->buys_rows) return;
    double variance = dpn_fit_release_at(fit, d->of->release).plan->variance[0];
    double deviation = ldexp(sqrt(variance), -d->of->exponent) / one;
    double bought = noisy(d, (int64_t)fit->rows.count * one, 0) / one;
    bool believed = declared > 0 && bought <= declared + 4 * deviation;
    d->rows = believed ? fmin(declared, bought + 4 * deviation) : bought;
    d->is_sure = believed;
}

/* N and M_i. */
static void look(descent *d) {
    find_rows(d);
    d->rows = fmax(d->rows, 1);
    for (size_t i = 0; i < d->of->coordinates; i++) d->smoothness[i] = smoothness_of(d, &d->of->coordinate[i]);
}

double dpn_descent_prox(const dpn_fit *fit, size_t column, double b, double step) {
    if (column == 0) return b;
    double left = fmax(fabs(b) - step * fit->options.l1, 0);
    return copysign(left / (1 + step * fit->options.l2), b);
}

/* tau_i = tau/M_i; M_i of all coefficients together is at most m times as large in any direction. */
static double whole_step(const descent *d, size_t i) {
    double step = d->fit->options.step > 0 ? d->fit->options.step : 1;
    return step / d->smoothness[i] / (d->of->together ? (double)d->of->coordinates : 1);
}

/* The standard deviation of the noise on the mean of derivatives. */
static double deviation_of(const descent *d, size_t i) {
    double variance = dpn_fit_release_at(d->fit, d->of->release).plan->variance[dpn_descent_derivative_at(d->of, 0, i)];
    return ldexp(sqrt(variance), -d->of->exponent - DPN_DERIVATIVE_LOG) * d->of->coordinate[i].unit / d->rows;
}

/* The step that is taken: the shorter, the more noise there is. A step of tau goes the part f = tau M_i of the way to where the derivative is 0, which noise displaces by a variance S; again and again, steps
 * of w f leave a coefficient with a variance of w f S/(2 - w f). With w = T/(T + 4 f S) that is at most T/8 for f up to 2, an eighth of what is expected of a coefficient (prior.h), however many passes there
 * are: a fit of too few rows says little, not anything. Where N was bought alone there may be far fewer rows, and nothing leads back: L steps of the noise have a variance of T/8 at most then. Where noise
 * is small the step is whole, as it is in the papers. */
static double step_of(const descent *d, size_t i) {
    double whole = whole_step(d, i), deviation = deviation_of(d, i);
    double expected = dpn_prior_variance(d->fit, d->of->coordinate[i].column);
    if (d->fit->options.raw) return whole;
    double step = whole * expected / (expected + 4 * whole * deviation * deviation / d->smoothness[i]);
    return d->is_sure ? step : fmin(step, sqrt(expected / (8 * (double)d->of->passes)) / deviation);
}

/* No coefficient is larger: sums stay finite whatever the noise does. */
static double kept_finite(double b) {
    const double farthest = 1024;
    return fmin(fmax(b, -farthest), farthest);
}

/* The next value of coefficient i, from the noisy sum of its derivatives. */
static double stepped(const descent *d, size_t pass, size_t i) {
    const dpn_descent_coordinate *at = &d->of->coordinate[i];
    double tau = step_of(d, i);
    int64_t sum = dpn_derivatives_sum(&d->at, at->column, at->unit, at->clip_steps);
    double steps = noisy(d, sum, dpn_descent_derivative_at(d->of, pass, i));
    double slope = ldexp(steps, -DPN_DERIVATIVE_LOG) * at->unit / d->rows;
    double next = dpn_descent_prox(d->fit, at->column, d->b[at->column] - tau * slope, tau);
    return kept_finite(next);
}

static void move(descent *d, size_t i, double next) {
    size_t column = d->of->coordinate[i].column;
    dpn_derivatives_move(&d->at, column, next - d->b[column]);
    d->b[column] = next;
}

static void go_over(descent *d, size_t pass) {
    for (size_t i = 0; i < d->of->coordinates; i++) {
        d->next[i] = stepped(d, pass, i);
        if (!d->of->together) move(d, i, d->next[i]);
    }
    for (size_t i = 0; d->of->together && i < d->of->coordinates; i++) move(d, i, d->next[i]);
}

static void go_to_start(descent *d) {
    for (size_t i = 0; i < d->of->coordinates; i++) move(d, i, kept_finite(d->of->start[d->of->coordinate[i].column]));
}

/* The coefficients after the last pass, as in the paper; or the mean of the second half of the passes, which has less noise. */
static dpn_status descend(descent *d, dpn_error *why) {
    size_t passes = d->of->passes, first = d->fit->options.raw ? passes - 1 : passes / 2;
    dpn_status status = DPN_OK;
    for (size_t pass = 0; pass < passes && !status; pass++) {
        go_over(d, pass);
        for (size_t j = 0; pass >= first && j <= d->fit->features; j++)
            d->mean[j] += d->b[j] / (double)(passes - first);
        status = dpn_fit_done(d->fit, (double)(pass + 1) / (double)passes, why);
    }
    return status;
}

/* Per coefficient, in the scaled unit: lambda_i, how far a row moves the mean of derivatives; M_i, C_i, tau_i; the standard deviation
 * of the noise on that mean; and the unit of the release. */
static void tell_coordinate(dpn_text *text, const descent *d, size_t i) {
    static const char *const name[] = {"sensitivity", "smoothness", "clip", "step", "noise", "unit"};
    const dpn_descent_coordinate *at = &d->of->coordinate[i];
    double both = d->fit->relation == DPN_REPLACE ? 2 : 1;
    const double value[] = {both * at->clip / d->rows, d->smoothness[i], at->clip, step_of(d, i),
                            deviation_of(d, i),        at->unit};
    dpn_text_put(text, i > 0 ? ", {" : "{");
    for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
        dpn_text_put(text, k > 0 ? ", \"" : "\"");
        dpn_text_put(text, name[k]);
        dpn_text_put(text, "\": ");
        dpn_text_number(text, value[k]);
    }
    dpn_text_put(text, "}");
}

static dpn_status tell(const descent *d, dpn_error *why) {
    dpn_text text = {0};
    dpn_text_put(&text, "{\"passes\": ");
    dpn_text_number(&text, (double)d->of->passes);
    dpn_text_put(&text, ", \"rows\": ");
    dpn_text_number(&text, d->rows);
    dpn_text_put(&text, ", \"coordinates\": [");
    for (size_t i = 0; i < d->of->coordinates; i++) tell_coordinate(&text, d, i);
    dpn_text_put(&text, "]}");
    if (text.failed) {
        free(text.at);
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    d->fit->announced[d->of->release].detail = text.at;
    return DPN_OK;
}

/* The noise is drawn before a row is looked at, on zeros; sums of rows are added to it one by one. */
static dpn_status run_with(descent *d, dpn_rng *rng, dpn_error *why) {
    dpn_status status = dpn_fit_draw(d->noise, d->fit, d->of->release, rng, d->noise, why);
    if (!status) status = dpn_derivatives_begin(&d->at, d->fit, why);
    if (status) return status;
    look(d);
    go_to_start(d);
    status = descend(d, why);
    dpn_derivatives_end(&d->at);
    return status ? status : tell(d, why);
}

dpn_status dpn_descent_run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const dpn_descent *of = context;
    descent d = {.fit = fit, .of = of, .mean = out->b};
    d.noise = calloc(dpn_descent_numbers(of), sizeof *d.noise);
    d.smoothness = calloc(of->coordinates, sizeof *d.smoothness);
    d.b = calloc(fit->features + 1, sizeof *d.b);
    d.next = calloc(of->coordinates, sizeof *d.next);
    dpn_status status = d.noise && d.smoothness && d.b && d.next
                            ? run_with(&d, rng, why)
                            : dpn_fail(why, DPN_ENOMEM, "no memory for the descent");
    free(d.noise);
    free(d.smoothness);
    free(d.b);
    free(d.next);
    return status;
}
