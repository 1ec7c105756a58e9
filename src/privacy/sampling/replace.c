/* Steps on random samples under replace-one: the profile of replaced.h, composed; and what some data reach. */
#include "base/error.h"
#include "base/options.h"
#include "privacy/compose/invert.h"
#include "privacy/interval.h"
#include "privacy/sampling/everybody.h"
#include "privacy/sampling/replace-renyi.h"

#include <dpnoise/sampling.h>
#include <stdlib.h>
#include <string.h>

#define ACCURACY 1e-4

/* Grid points of a step: more take seconds and rarely help. */
#define MOST_POINTS 0x1p16

/* Where delta is out of reach at an epsilon, it is tried again at this part of it. */
#define CLOSER 0.9

/* The steps prepared: their bound as one plan, and the steps of data that reach the lower end, which Poisson samples under add/remove are. */
typedef struct prepared {
    dpn_base *base; /* two for each step */
    dpn_replaced *replaced;
    dpn_part *part; /* two for each step: what is reached, and what is removed */
    dpn_step *reached, *removed;
    dpn_replace_table *table; /* NULL until it is needed */
    size_t steps;
    dpn_fft_plan plan;
    dpn_fft_reader reader;
    dpn_workspace *workspace;
    bool exact;   /* one pair of data sets is the worst in all steps */
    bool poisson; /* no batch of fixed size */
    double finest,
        beyond; /* no accuracy finer than `finest` was reached at `beyond`, nor is it further out; 0 if all were */
} prepared;

/* ---- what can be asked ---- */

/* Two losses of one log-concave law have worst records. Else D is proved to be convex for pure losses with 1 <= replaced/present <= 2. */
static dpn_status check_pair(const dpn_replace_step *step, size_t i, dpn_error *why) {
    const dpn_loss *k = &step->replaced, *h = &step->present;
    char text[2][DPN_LAW_TEXT_SIZE];
    if (k->kind != h->kind || !(k->kind == &dpn_loss_kind_law || k->kind == &dpn_loss_kind_pure))
        return dpn_fail(why, DPN_EUNSUPPORTED, "step %zu: both losses must be those of one law, or pure", i);
    if (k->kind == &dpn_loss_kind_pure) {
        if (h->epsilon <= k->epsilon && k->epsilon <= 2 * h->epsilon) return DPN_OK;
        return dpn_fail(
            why, DPN_EDOMAIN,
            "step %zu: replacing a record costs at least the epsilon of removing it, and at most twice that", i);
    }
    if (strcmp(dpn_law_print(text[0], &k->law), dpn_law_print(text[1], &h->law)) != 0)
        return dpn_fail(why, DPN_EDOMAIN, "step %zu: both losses must be those of the same law", i);
    if (!dpn_law_is_log_concave(&k->law))
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "step %zu: Poisson samples under replace-one need log-concave noise, not %s", i,
                        dpn_law_family(&k->law));
    return DPN_OK;
}

static dpn_status check(const dpn_workspace *workspace, const dpn_replace_step *step, size_t steps,
                        const dpn_accounting_options *options, dpn_error *why) {
    if (!workspace) return dpn_fail(why, DPN_EDOMAIN, "sampling needs a workspace");
    if (!step && steps > 0) return dpn_fail(why, DPN_EDOMAIN, "step must not be NULL");
    if (!(options->accuracy >= 0 && isfinite(options->accuracy)))
        return dpn_fail(why, DPN_EDOMAIN, "accuracy must be finite and not negative");
    if (options->method != DPN_METHOD_AUTO && options->method != DPN_METHOD_FFT)
        return dpn_fail(why, DPN_EUNSUPPORTED, "samples under replace-one are composed by FFT alone");
    for (size_t i = 0; i < steps; i++) {
        if (!(step[i].rate >= 0 && step[i].rate <= 1))
            return dpn_fail(why, DPN_EDOMAIN, "the sampling rate of step %zu must lie in [0, 1]", i);
        dpn_status status = step[i].fixed ? DPN_OK : check_pair(&step[i], i, why);
        if (status) return status;
    }
    return DPN_OK;
}

/* ---- preparing ---- */

static void close_steps(prepared *p) {
    if (!p) return;
    for (size_t i = 0; p->base && i < 2 * p->steps; i++) dpn_base_close(&p->base[i]);
    free(p->base);
    free(p->replaced);
    free(p->part);
    free(p->reached);
    free(p->removed);
    free(p->table);
    free(p);
}

/* Replacing is removing and adding, so that it moves the answer at most twice as far. */
static dpn_status set_law(dpn_replaced *out, dpn_loss *replaced, const dpn_replace_step *step, dpn_error *why) {
    out->law = &step->replaced.law;
    out->far = dpn_replaced_noise_far(out->law);
    out->remove = step->present.sensitivity;
    out->replace = fmin(step->replaced.sensitivity, 2 * out->remove);
    return dpn_loss_law(replaced, out->law, out->replace, why);
}

/* A person whose record moves the answer is replaced by one whose record does not: in a Poisson sample that is somebody absent, in a batch
 * it is a record like all others. */
static dpn_status add_step(prepared *p, size_t i, const dpn_replace_step *step, dpn_error *why) {
    dpn_part part = {step->replaced, 1};
    dpn_replaced *r = &p->replaced[i];
    dpn_status status = DPN_OK;
    *r = (dpn_replaced){&p->base[2 * i], &p->base[step->fixed ? 2 * i : 2 * i + 1], step->rate, NULL, 0, 0, 0};
    if (!step->fixed && step->replaced.kind == &dpn_loss_kind_law) status = set_law(r, &part.loss, step, why);
    p->part[2 * i] = (dpn_part){step->fixed || r->replace < r->remove ? part.loss : step->present, 1};
    p->part[2 * i + 1] = (dpn_part){step->present, 1};
    p->reached[i] = (dpn_step){&p->part[2 * i], 1, step->rate, step->times};
    p->removed[i] = (dpn_step){&p->part[2 * i + 1], 1, step->rate, step->times};
    if (status || step->rate == 0 || step->times == 0) return status;
    if (!r->law || r->replace != 2 * r->remove) p->exact = false;
    status = dpn_base_open(&p->base[2 * i], &part, 1, why);
    part.loss = step->present;
    if (!status && !step->fixed) status = dpn_base_open(&p->base[2 * i + 1], &part, 1, why);
    return status ? status : dpn_fft_add(&p->plan, dpn_replaced_view(r), step->times, why);
}

static dpn_status open_steps(prepared **out, dpn_workspace *workspace, const dpn_replace_step *step, size_t steps,
                             dpn_error *why) {
    size_t room = steps ? steps : 1;
    prepared *p = calloc(1, sizeof *p);
    if (!p) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu steps", steps);
    p->steps = steps;
    p->workspace = workspace;
    p->exact = p->poisson = true;
    for (size_t i = 0; i < steps; i++) p->poisson = p->poisson && !step[i].fixed;
    p->base = calloc(2 * room, sizeof *p->base);
    p->replaced = calloc(room, sizeof *p->replaced);
    p->part = calloc(2 * room, sizeof *p->part);
    p->reached = calloc(room, sizeof *p->reached);
    p->removed = calloc(room, sizeof *p->removed);
    dpn_status status = DPN_OK;
    if (!p->base || !p->replaced || !p->part || !p->reached || !p->removed)
        status = dpn_fail(why, DPN_ENOMEM, "no memory for %zu steps", steps);
    for (size_t i = 0; i < steps && !status; i++) status = add_step(p, i, &step[i], why);
    if (status)
        close_steps(p);
    else
        *out = p;
    return status;
}

/* ---- the bound ---- */

/* The largest finite loss, +inf if there is none. */
static double largest_of(const prepared *p) {
    double sum = 0;
    for (size_t i = 0; i < p->plan.parts; i++)
        sum += p->plan.part[i].times * p->plan.part[i].view.source->largest(&p->plan.part[i].view);
    return sum * (1 + 64 * DBL_EPSILON);
}

/* One step of one kind needs no composition. */
static bool single_step(dpn_delta *out, const prepared *p, double epsilon) {
    double lower, upper;
    dpn_error unused;
    if (p->plan.parts != 1 || p->plan.part[0].times > 1) return false;
    const dpn_loss_view *view = &p->plan.part[0].view;
    if (view->source->log_delta(&lower, &upper, view, epsilon, &unused)) return false;
    *out = dpn_delta_between(lower, upper);
    return true;
}

/* Replacing is removing and adding: delta(e + e') <= delta_1(e) + exp(e) delta_1(e'), delta_1 of add/remove; e = e'. */
static dpn_status by_removing_and_adding(double *log_upper, const prepared *p, double epsilon, dpn_error *why) {
    dpn_delta half;
    dpn_status status = dpn_sampling_delta(&half, p->workspace, p->removed, p->steps, 0.5 * epsilon, NULL, why);
    if (!status) *log_upper = half.log_upper + log1p(exp(0.5 * epsilon)) + 16 * DBL_EPSILON * (1 + epsilon);
    return status;
}

static dpn_status make_tables(prepared *p, dpn_error *why) {
    if (p->table) return DPN_OK;
    dpn_replace_table *table = malloc(p->plan.parts * sizeof *table);
    if (!table) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu steps", p->plan.parts);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < p->plan.parts && !status; i++)
        status = dpn_replace_table_make(&table[i], p->plan.part[i].view.other, p->plan.part[i].times, why);
    if (status)
        free(table);
    else
        p->table = table;
    return status;
}

/* The best conversion from Renyi divergences, or the way through add/remove. */
static dpn_status fall_back(dpn_delta *out, prepared *p, double epsilon, dpn_error *why) {
    double log_upper = 0, other;
    dpn_status status = epsilon > 0 ? make_tables(p, why) : DPN_OK;
    if (!status && epsilon > 0) log_upper = dpn_replace_chernoff(p->table, p->plan.parts, epsilon);
    if (status != DPN_ENOMEM && p->poisson && epsilon > 0) {
        p->reader.ready = false; /* the workspace is used for something else */
        status = by_removing_and_adding(&other, p, epsilon, why);
        if (!status) log_upper = fmin(log_upper, other);
    }
    if (status == DPN_ENOMEM) return status;
    *out = dpn_delta_between(-INFINITY, fmin(0, log_upper));
    return DPN_OK;
}

/* The composition of the bound. If the accuracy cannot be had, less is asked for; at last the best conversion from Renyi divergences. */
static dpn_status bound_at(dpn_delta *out, void *context, double epsilon, double accuracy, dpn_error *why) {
    prepared *p = context;
    if (single_step(out, p, epsilon)) return DPN_OK;
    if (accuracy == 0) accuracy = ACCURACY;
    p->plan.most = MOST_POINTS;
    bool further = epsilon >= CLOSER * p->beyond;
    for (accuracy = further ? fmax(accuracy, p->finest) : accuracy; accuracy <= 1; accuracy *= 30) {
        dpn_status status = dpn_fft_solve(out, &p->reader, &p->plan, p->workspace, epsilon, accuracy, why);
        if (status != DPN_EACCURACY) return status;
        p->finest = 30 * accuracy;
        p->beyond = epsilon;
    }
    return fall_back(out, p, epsilon, why);
}

static dpn_status bound_epsilon(dpn_epsilon *out, prepared *p, double delta, double accuracy, dpn_error *why) {
    dpn_delta infinite;
    double end = largest_of(p);
    dpn_status status = bound_at(&infinite, p, INFINITY, accuracy, why);
    if (status) return status;
    *out = (dpn_epsilon){0, infinite.upper > delta ? INFINITY : end};
    if (infinite.upper > delta || end == 0 || delta <= infinite.upper) return DPN_OK;
    if (delta == 1) {
        *out = (dpn_epsilon){0, 0};
        return DPN_OK;
    }
    dpn_delta at_zero;
    status = bound_at(&at_zero, p, 0, fmax(accuracy, 0.05), why);
    if (status) return status;
    dpn_inversion inversion = {bound_at, p, accuracy, end, dpn_invert_first(at_zero.upper, delta), 0};
    return dpn_invert(out, &inversion, delta, why);
}

/* ---- the same steps without samples ---- */

/* In each step the person's record is in the sample and replaced. Free both, also after an error. */
static dpn_status see_everybody(dpn_step **out, dpn_part **part, const dpn_replace_step *step, size_t steps,
                                dpn_error *why) {
    *out = malloc((steps + 1) * sizeof **out);
    *part = malloc((steps + 1) * sizeof **part);
    if (!*out || !*part) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu steps", steps);
    for (size_t i = 0; i < steps; i++) {
        (*part)[i] = (dpn_part){step[i].replaced, 1};
        (*out)[i] = (dpn_step){&(*part)[i], 1, step[i].rate, step[i].times};
    }
    return DPN_OK;
}

static dpn_status undercut_delta(dpn_delta *bound, dpn_workspace *workspace, const dpn_replace_step *step, size_t steps,
                                 double epsilon, dpn_error *why) {
    dpn_step *whole;
    dpn_part *part;
    dpn_status status = see_everybody(&whole, &part, step, steps, why);
    if (!status) status = dpn_everybody_undercut_delta(bound, workspace, whole, steps, epsilon, why);
    free(whole);
    free(part);
    return status;
}

static dpn_status undercut_epsilon(dpn_epsilon *bound, dpn_workspace *workspace, const dpn_replace_step *step,
                                   size_t steps, double delta, dpn_error *why) {
    dpn_step *whole;
    dpn_part *part;
    dpn_status status = see_everybody(&whole, &part, step, steps, why);
    if (!status) status = dpn_everybody_undercut_epsilon(bound, workspace, whole, steps, delta, why);
    free(whole);
    free(part);
    return status;
}

/* ---- the public functions ---- */

static dpn_argument argument_of(const prepared *p) {
    return p && p->exact ? DPN_ARGUMENT_CORNER : DPN_ARGUMENT_BOUND;
}

dpn_status dpn_sampling_replace_delta(dpn_delta *out, dpn_argument *argument, dpn_workspace *workspace,
                                      const dpn_replace_step *step, size_t steps, double epsilon,
                                      const dpn_accounting_options *options, dpn_error *why) {
    dpn_accounting_options own;
    dpn_delta nothing = dpn_delta_between(epsilon < 0 ? log(-expm1(epsilon)) - 8 * DBL_EPSILON : -INFINITY, 0);
    dpn_delta bound = nothing, reached = nothing;
    dpn_error reason;
    prepared *p = NULL;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = check(workspace, step, steps, &own, why);
    if (!status && isnan(epsilon)) status = dpn_fail(why, DPN_EDOMAIN, "epsilon must be a number");
    if (!status) status = open_steps(&p, workspace, step, steps, why);
    if (epsilon == -INFINITY)
        bound = (dpn_delta){1, 1, 0, 0};
    else if (!status)
        status = bound_at(&bound, p, epsilon, own.accuracy, why);
    bool failed = status == DPN_EACCURACY;
    if (failed) bound = nothing;
    if (!status || failed) {
        status = undercut_delta(&bound, workspace, step, steps, epsilon, &reason);
        if (status && why) *why = reason;
    }
    if (!status && failed && bound.log_upper == 0) status = DPN_EACCURACY;
    own.method = DPN_METHOD_AUTO;
    if (!status && p) status = dpn_sampling_delta(&reached, workspace, p->reached, steps, epsilon, &own, why);
    if (!status) {
        bool exact = p && p->exact;
        *out = bound;
        out->lower = fmin(exact ? fmax(bound.lower, reached.lower) : reached.lower, bound.upper);
        out->log_lower = fmin(exact ? fmax(bound.log_lower, reached.log_lower) : reached.log_lower, bound.log_upper);
        if (argument) *argument = argument_of(p);
    }
    close_steps(p);
    return status;
}

dpn_status dpn_sampling_replace_epsilon(dpn_epsilon *out, dpn_argument *argument, dpn_workspace *workspace,
                                        const dpn_replace_step *step, size_t steps, double delta,
                                        const dpn_accounting_options *options, dpn_error *why) {
    dpn_accounting_options own;
    dpn_epsilon bound = {0, INFINITY}, reached = {0, INFINITY};
    dpn_error reason;
    prepared *p = NULL;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = check(workspace, step, steps, &own, why);
    if (!status && !(delta >= 0 && delta <= 1)) status = dpn_fail(why, DPN_EDOMAIN, "delta must lie in [0, 1]");
    if (!status) status = open_steps(&p, workspace, step, steps, why);
    if (!status) status = bound_epsilon(&bound, p, delta, own.accuracy, why);
    bool failed = status == DPN_EACCURACY;
    if (failed) bound = (dpn_epsilon){0, INFINITY};
    if (!status || failed) {
        status = undercut_epsilon(&bound, workspace, step, steps, delta, &reason);
        if (status && why) *why = reason;
    }
    if (!status && failed && isinf(bound.upper)) status = DPN_EACCURACY;
    own.method = DPN_METHOD_AUTO;
    if (!status && p) status = dpn_sampling_epsilon(&reached, workspace, p->reached, steps, delta, &own, why);
    if (!status) {
        double lower = p && p->exact ? fmax(bound.lower, reached.lower) : reached.lower;
        *out = (dpn_epsilon){fmin(lower, bound.upper), bound.upper};
        if (argument) *argument = argument_of(p);
    }
    close_steps(p);
    return status;
}
