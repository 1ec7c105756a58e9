/* What a method releases: announced before anything is charged, drawn no more often than that. */
#include "learn/adaptive.h"

#include "base/error.h"
#include "base/text/json-write.h"

#include <dpnoise/plan.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dpn_status dpn_fit_announce_made(size_t *index, dpn_fit *fit, const char *what, uint64_t times, dpn_release *release,
                                 dpn_error *why) {
    dpn_announced *longer = realloc(fit->announced, (fit->releases + 1) * sizeof *longer);
    if (!longer) {
        dpn_release_free(release);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    }
    fit->announced = longer;
    dpn_announced *made = &longer[fit->releases];
    *made = (dpn_announced){.times = times, .release = release};
    snprintf(made->what, sizeof made->what, "%s", what);
    *index = fit->releases++;
    return DPN_OK;
}

dpn_status dpn_fit_announce(size_t *index, dpn_fit *fit, const char *what, uint64_t times,
                            const dpn_release_options *options, dpn_error *why) {
    dpn_release *release;
    dpn_release_options own = *options;
    dpn_calibration_options calibration = options->calibration ? *options->calibration : dpn_calibration_options_init();
    calibration.cancelled = fit->cancelled;
    calibration.context = fit->context;
    own.calibration = &calibration;
    dpn_status status = dpn_release_new(&release, &own, why);
    return status ? status : dpn_fit_announce_made(index, fit, what, times, release, why);
}

/* Whether a release is drawn if this way is taken. */
static bool is_on(const dpn_fit *fit, size_t index, size_t way) {
    return fit->announced[index].alternative == 0 || fit->announced[index].alternative == way;
}

/* Of two ways whose releases are both drawn neither has the guarantee that was certified. */
dpn_status dpn_fit_take(dpn_fit *fit, size_t index, dpn_error *why) {
    dpn_announced *announced = &fit->announced[index];
    for (size_t i = 0; i < fit->releases && announced->alternative > 0; i++)
        if (fit->announced[i].drawn > 0 && !is_on(fit, i, announced->alternative))
            return dpn_fail(why, DPN_EDOMAIN, "'%s' is drawn though another way was taken", announced->what);
    if (announced->drawn >= announced->times)
        return dpn_fail(why, DPN_EDOMAIN, "'%s' is drawn more often than was announced", announced->what);
    announced->drawn++;
    return DPN_OK;
}

dpn_status dpn_fit_draw(int64_t *out, dpn_fit *fit, size_t index, dpn_rng *rng, const int64_t *value, dpn_error *why) {
    dpn_status status = dpn_fit_take(fit, index, why);
    return status ? status : dpn_release_draw(out, fit->announced[index].release, rng, value, why);
}

void dpn_fit_show(dpn_fit *fit, const double *value, size_t count) {
    for (size_t i = 0; i < count && fit->shown && fit->shows < fit->most_shown; i++)
        fit->shown[fit->shows++] = value[i];
}

dpn_fit_release dpn_fit_release_at(const dpn_fit *fit, size_t index) {
    if (index >= fit->releases) return (dpn_fit_release){0};
    const dpn_announced *announced = &fit->announced[index];
    return (dpn_fit_release){.what = announced->what,
                             .plan = dpn_release_plan(announced->release),
                             .set = dpn_release_sensitivity(announced->release),
                             .times = announced->times};
}

double dpn_fit_sample_rate(const dpn_fit *fit, size_t index) {
    return index < fit->releases && fit->announced[index].rate > 0 ? fit->announced[index].rate : 1;
}

size_t dpn_fit_alternative(const dpn_fit *fit, size_t index) {
    return index < fit->releases ? fit->announced[index].alternative : 0;
}

/* ---- What they guarantee together ---- */

/* Gaussian noise on Poisson samples: one block with one law. */
static dpn_status sampled_delta(dpn_delta *out, const dpn_announced *of, dpn_fit_release one, double epsilon,
                                dpn_error *why) {
    dpn_training training = dpn_training_init();
    training.sensitivity = one.set->l2;
    training.rate = of->rate;
    training.steps = one.times;
    training.vector = true;
    training.relation = one.set->relation;
    training.present = one.set->relation == DPN_REPLACE ? of->present : 0;
    dpn_workspace *workspace;
    dpn_status status = dpn_workspace_new(&workspace);
    if (status) return dpn_fail(why, status, "no memory for the fit");
    status = dpn_training_delta(out, NULL, &one.plan->block[0].law, epsilon, &training, workspace, why);
    dpn_workspace_free(workspace);
    return status;
}

/* What all draws of one release have together. */
static dpn_status delta_of(dpn_delta *out, const dpn_fit *fit, size_t index, double epsilon, dpn_error *why) {
    dpn_fit_release one = dpn_fit_release_at(fit, index);
    if (fit->announced[index].rate > 0) return sampled_delta(out, &fit->announced[index], one, epsilon, why);
    return dpn_plan_delta(out, NULL, NULL, one.plan, one.set, one.times, epsilon, NULL, why);
}

/* What one release that spends delta has of it at the epsilon that the pure ones leave. */
static dpn_status certify_delta(const dpn_fit *fit, size_t index, double pure_upper, dpn_error *why) {
    dpn_delta delta;
    double left = nextafter(fit->epsilon - pure_upper, -INFINITY);
    if (!(fit->announced[index].delta_times > 0 && left >= 0))
        return dpn_fail(why, DPN_EDOMAIN, "several releases of a fit have to be pure");
    dpn_status status = delta_of(&delta, fit, index, left, why);
    if (status) return status;
    if (nextafter(delta.upper * fit->announced[index].delta_times, INFINITY) <= fit->limit) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN, "the noise of the fit does not give its guarantee");
}

/* One release is what its plan says; several have to be pure, but for one, and their epsilons add up. */
static dpn_status certify_way(const dpn_fit *fit, size_t way, dpn_error *why) {
    double sum_upper = 0;
    size_t releases = 0, impure = 0, only = 0, which = 0;
    for (size_t i = 0; i < fit->releases; i++) {
        if (!is_on(fit, i, way)) continue;
        dpn_fit_release one = dpn_fit_release_at(fit, i);
        releases++;
        only = i;
        if (one.plan->pure)
            sum_upper = nextafter(sum_upper + (double)one.times * one.plan->pure_epsilon, INFINITY);
        else {
            impure++;
            which = i;
        }
        sum_upper = nextafter(sum_upper + fit->announced[i].elsewhere, INFINITY);
    }
    if (releases == 1 && !(fit->announced[only].elsewhere > 0)) {
        dpn_delta delta;
        dpn_status status = delta_of(&delta, fit, only, fit->epsilon, why);
        if (status) return status;
        if (delta.upper <= fit->limit) return DPN_OK;
        return dpn_fail(why, DPN_EDOMAIN, "the noise of the fit does not give its guarantee");
    }
    if (impure > 1) return dpn_fail(why, DPN_EDOMAIN, "several releases of a fit have to be pure");
    if (impure == 1) return certify_delta(fit, which, sum_upper, why);
    /* Shares of an epsilon add up to it but for rounding, which a relative 1e-12 bounds and a share has to leave. */
    if (sum_upper <= fit->epsilon) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN, "the releases of the fit have a larger epsilon together than it was given");
}

/* Each way keeps the guarantee, with what is released whatever the way: docs/proofs/learn/fit.md, F21. */
dpn_status dpn_fit_certify(const dpn_fit *fit, dpn_error *why) {
    size_t ways = 0;
    for (size_t i = 0; i < fit->releases; i++) {
        if (fit->announced[i].adaptive && !dpn_plan_serves_adaptively(dpn_release_plan(fit->announced[i].release)))
            return dpn_fail(why, DPN_EDOMAIN, "joint noise on questions that follow each other has to be pure");
        if (fit->announced[i].alternative > ways) ways = fit->announced[i].alternative;
    }
    dpn_status status = ways == 0 ? certify_way(fit, 0, why) : DPN_OK;
    for (size_t way = 1; way <= ways && !status; way++) status = certify_way(fit, way, why);
    return status;
}

static bool is_pure(const dpn_fit *fit) {
    bool pure = fit->releases > 0;
    for (size_t i = 0; i < fit->releases; i++) pure &= dpn_fit_release_at(fit, i).plan->pure;
    return pure;
}

/* What one release costs is told by its plan; of several nothing is known but the declared epsilon and delta, of which pure ones need no delta. */
dpn_status dpn_fit_charge(dpn_charge *out, void *context, const dpn_filter *filter, dpn_error *why) {
    static const dpn_decimal nothing;
    const dpn_fit *fit = context;
    dpn_fit_release only = dpn_fit_release_at(fit, 0);
    bool several = fit->releases != 1 || fit->announced[0].elsewhere > 0;
    if ((several || fit->query->declaration.person) && is_pure(fit)) {
        *out = dpn_charge_pure(filter, &fit->query->asked.epsilon, &nothing);
        return DPN_OK;
    }
    /* The plans of a fit that protects persons are about one row of them. */
    if (several || fit->announced[0].rate > 0 || fit->query->declaration.person)
        return dpn_fail(why, DPN_EUNSUPPORTED, "the charge is what was declared");
    const dpn_shares *asked = &fit->query->asked;
    return dpn_plan_charge_best(out, only.plan, only.set, only.times, filter, &asked->epsilon, &asked->delta, why);
}

/* ---- As text ---- */

static void put_number(dpn_text *text, const char *name, double value) {
    dpn_text_member(text, name);
    dpn_text_number(text, value);
}

static void put_count(dpn_text *text, const char *name, uint64_t value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    dpn_text_member(text, name);
    dpn_text_put(text, digits);
}

static void put_bounds(dpn_text *text, const dpn_sensitivity *set) {
    dpn_text_member(text, "bounds");
    for (size_t i = 0; i < set->dimension; i++) {
        dpn_text_put(text, i > 0 ? ", " : "[");
        dpn_text_number(text, set->bound[i]);
    }
    dpn_text_put(text, "]");
}

/* What bounds the moves of a release together, as plans have it beside them (dpnoise/plan.h); a box is told by the blocks. The
 * object is then a plan that can be read, and the guarantee of one is that of the other. */
static void put_set(dpn_text *text, const dpn_sensitivity *set) {
    dpn_text_member(text, "sensitivity");
    dpn_text_put(text, "{");
    put_count(text, "dimension", set->dimension);
    if (set->bound && (set->l1 > 0 || set->l2 > 0 || set->linf > 0)) put_bounds(text, set);
    if (set->max_changed > 0) put_count(text, "max_changed", set->max_changed);
    if (set->l1 > 0) put_number(text, "l1", set->l1);
    if (set->l2 > 0) put_number(text, "l2", set->l2);
    if (set->linf > 0) put_number(text, "linf", set->linf);
    if (set->vertices > 0) put_count(text, "vertices", set->vertices);
    dpn_text_put(text, "}");
}

/* What the plan does not tell of the guarantee. */
static void put_around(dpn_text *text, const dpn_announced *of, const dpn_sensitivity *set) {
    if (of->alternative > 0) put_count(text, "alternative", of->alternative);
    if (of->elsewhere > 0) put_number(text, "elsewhere", of->elsewhere);
    if (of->delta_times > 1) put_number(text, "delta_times", of->delta_times);
    if (of->rate > 0) put_number(text, "sample_rate", of->rate);
    if (of->rate > 0 && set->relation == DPN_REPLACE) put_number(text, "present", of->present);
    if (!of->detail) return;
    dpn_text_member(text, "detail");
    dpn_text_put(text, of->detail);
}

static dpn_status put_release(dpn_text *text, const dpn_fit *fit, size_t index, dpn_error *why) {
    dpn_fit_release one = dpn_fit_release_at(fit, index);
    char *plan = NULL;
    dpn_status status = dpn_plan_write(&plan, NULL, one.plan, why);
    if (status) return status;
    dpn_text_put(text, index > 0 ? ", {" : "{");
    dpn_text_member(text, "what");
    dpn_text_quote(text, one.what);
    put_count(text, "times", one.times);
    put_count(text, "numbers", one.plan->dimension);
    dpn_text_member(text, "relation");
    dpn_text_quote(text, dpn_relation_name(one.set->relation));
    put_set(text, one.set);
    dpn_text_member(text, "plan");
    dpn_text_put(text, plan);
    put_around(text, &fit->announced[index], one.set);
    dpn_text_put(text, "}");
    free(plan);
    return DPN_OK;
}

dpn_status dpn_fit_releases_write(char **out, size_t *length, const dpn_fit *fit, dpn_error *why) {
    dpn_text text = {0};
    dpn_status status = DPN_OK;
    dpn_text_put(&text, "[");
    for (size_t i = 0; i < fit->releases && !status; i++) status = put_release(&text, fit, i, why);
    dpn_text_put(&text, "]");
    if (!status && text.failed) status = dpn_fail(why, DPN_ENOMEM, "out of memory");
    if (status) {
        free(text.at);
        return status;
    }
    *out = text.at;
    if (length) *length = text.length;
    return DPN_OK;
}
