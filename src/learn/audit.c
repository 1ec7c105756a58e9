/* The audit of whole fits: planned once, run again and again on tables that differ by a row. */
#include "audit/pairs.h"
#include "learn/audit-rows.h"
#include "learn/method.h"

#include "audit/watch.h"
#include "base/error.h"
#include "base/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)DPN_FIT_PAIRS <= (int)DPN_PAIRS_MOST, "there is room for all tables");

enum { SHOWN = 60 };

struct fits {
    dpn_fit *fit;
    dpn_rng *rng;
    dpn_fit_pair pair[DPN_FIT_PAIRS];
    double *b, *covariance;
    double shown[SHOWN];
    size_t features;
};

/* ---- What is watched ---- */

/* A number, and how far it is from the next one: noise that is drawn once for several tells them apart. */
static void put(double *out, size_t *at, size_t most, const double *value, size_t count, size_t step) {
    for (size_t i = 0; i < count && *at < most; i++) {
        double x = value[i * step];
        out[(*at)++] = isnan(x) ? -INFINITY : x;
        if (i + 1 < count && *at < most)
            out[(*at)++] = isnan(x - value[(i + 1) * step]) ? 0 : x - value[(i + 1) * step];
    }
}

static size_t look(double *out, const struct fits *of) {
    size_t width = of->fit->features + 1, at = 1;
    out[0] = 1;
    put(out, &at, DPN_WATCH_FEATURES, of->b, width, 1);
    put(out, &at, DPN_WATCH_FEATURES, of->shown, of->fit->shows, 1);
    put(out, &at, DPN_WATCH_FEATURES, of->covariance, width, width + 1);
    return at;
}

/* That the data make a fit fail is an outcome, too. */
static dpn_status draw(double *feature, void *what, size_t pair, bool second, dpn_error *why) {
    struct fits *of = what;
    dpn_rows own = of->fit->rows;
    of->fit->rows = second ? of->pair[pair].b : of->pair[pair].a;
    of->fit->shows = 0;
    dpn_status status = dpn_fit_run_again(of->b, of->covariance, of->fit, of->rng, why);
    of->fit->rows = own;
    if (status == DPN_ENOMEM || status == DPN_EENTROPY) return status;
    double seen[DPN_WATCH_FEATURES + 1];
    size_t count = status ? 0 : look(seen, of);
    for (size_t i = 0; i < of->features; i++) feature[i] = i < count ? seen[i] : -INFINITY;
    if (status) feature[0] = 0;
    return DPN_OK;
}

/* How many numbers a fit has is public: one run tells. */
static dpn_status count_features(struct fits *of, dpn_error *why) {
    double feature[DPN_WATCH_FEATURES + 1];
    size_t width = of->fit->features + 1;
    of->fit->shown = of->shown;
    of->fit->most_shown = SHOWN;
    of->b = malloc(width * sizeof *of->b);
    of->covariance = malloc(width * width * sizeof *of->covariance);
    if (!of->b || !of->covariance) return dpn_fail(why, DPN_ENOMEM, "no memory for the audit");
    dpn_status status = draw(feature, of, 0, true, why);
    of->features = look(feature, of);
    return status;
}

/* ---- All of it ---- */

static dpn_status run(dpn_audit *out, struct fits *of, const dpn_audit_fit_options *options, dpn_error *why) {
    dpn_audit_pairs asked = {.draw = draw,
                             .what = of,
                             .pairs = DPN_FIT_PAIRS,
                             .samples = options->samples,
                             .confidence = options->confidence,
                             .epsilon = options->epsilon,
                             .delta = options->delta,
                             .progress = options->progress,
                             .context = options->context,
                             .cancelled = options->cancelled};
    dpn_status status = DPN_OK;
    if (!options->claimed) status = dpn_audit_declared(&asked.epsilon, &asked.delta, options->declaration, why);
    if (!status) status = dpn_fit_new(&of->fit, options->fit, why);
    if (!status && of->fit->method->is_not_private)
        status = dpn_fail(why, DPN_EUNSUPPORTED, "the method '%s' claims nothing that could be audited",
                          of->fit->method->name);
    if (!status) status = dpn_fit_plan(of->fit, options->declaration, why);
    if (!status) status = dpn_fit_pairs_make(of->pair, of->fit, why);
    if (!status) status = count_features(of, why);
    asked.features = of->features;
    return status ? status : dpn_audit_pairs_run(out, &asked, why);
}

dpn_status dpn_audit_fit(dpn_audit *out, const dpn_audit_fit_options *options, dpn_rng *rng, dpn_error *why) {
    if (!out || !options || !rng) return dpn_fail(why, DPN_EDOMAIN, "an audit needs options and a random source");
    dpn_audit_fit_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status && (!own.fit || !own.declaration)) status = dpn_fail(why, DPN_EDOMAIN, "there is no fit to audit");
    if (!status) status = dpn_audit_pairs_check(own.samples, own.confidence, own.claimed, own.epsilon, own.delta, why);
    if (status) return status;
    struct fits *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the audit");
    of->rng = rng;
    status = run(out, of, &own, why);
    for (size_t p = 0; p < DPN_FIT_PAIRS; p++) {
        dpn_rows_free(&of->pair[p].a);
        dpn_rows_free(&of->pair[p].b);
    }
    dpn_fit_free(of->fit);
    free(of->b);
    free(of->covariance);
    free(of);
    return status;
}
