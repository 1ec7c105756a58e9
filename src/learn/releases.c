/* What a method releases: announced before anything is charged, drawn no more often than that. */
#include "learn/adaptive.h"

#include "base/error.h"
#include "base/text/json-write.h"

#include <dpnoise/plan.h>
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

dpn_status dpn_fit_draw(int64_t *out, dpn_fit *fit, size_t index, dpn_rng *rng, const int64_t *value, dpn_error *why) {
    dpn_announced *announced = &fit->announced[index];
    if (announced->drawn >= announced->times)
        return dpn_fail(why, DPN_EDOMAIN, "'%s' is drawn more often than was announced", announced->what);
    announced->drawn++;
    return dpn_release_draw(out, announced->release, rng, value, why);
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
dpn_status dpn_fit_certify(const dpn_fit *fit, dpn_error *why) {
    dpn_delta delta;
    for (size_t i = 0; i < fit->releases; i++)
        if (fit->announced[i].adaptive && !dpn_plan_serves_adaptively(dpn_release_plan(fit->announced[i].release)))
            return dpn_fail(why, DPN_EDOMAIN, "joint noise on questions that follow each other has to be pure");
    double sum_upper = 0;
    size_t impure = 0, which = 0;
    if (fit->releases == 1 && !(fit->announced[0].elsewhere > 0)) {
        dpn_status status = delta_of(&delta, fit, 0, fit->epsilon, why);
        if (status) return status;
        if (delta.upper <= fit->limit) return DPN_OK;
        return dpn_fail(why, DPN_EDOMAIN, "the noise of the fit does not give its guarantee");
    }
    for (size_t i = 0; i < fit->releases; i++) {
        dpn_fit_release one = dpn_fit_release_at(fit, i);
        if (one.plan->pure)
            sum_upper = nextafter(sum_upper + (double)one.times * one.plan->pure_epsilon, INFINITY);
        else {
            impure++;
            which = i;
        }
        sum_upper = nextafter(sum_upper + fit->announced[i].elsewhere, INFINITY);
    }
    if (impure > 1) return dpn_fail(why, DPN_EDOMAIN, "several releases of a fit have to be pure");
    if (impure == 1) return certify_delta(fit, which, sum_upper, why);
    /* Shares of an epsilon add up to it but for rounding, which a relative 1e-12 bounds and a share has to leave. */
    if (sum_upper <= fit->epsilon) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN, "the releases of the fit have a larger epsilon together than it was given");
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

dpn_status dpn_fit_write_releases(char **out, const dpn_fit *fit, dpn_error *why) {
    dpn_text text = {0};
    dpn_status status = DPN_OK;
    dpn_text_put(&text, "[");
    for (size_t i = 0; i < fit->releases && !status; i++) {
        dpn_fit_release one = dpn_fit_release_at(fit, i);
        char *plan = NULL, times[32];
        status = dpn_plan_write(&plan, NULL, one.plan, why);
        if (status) break;
        snprintf(times, sizeof times, ", \"times\": %llu", (unsigned long long)one.times);
        dpn_text_put(&text, i > 0 ? ", {\"what\": " : "{\"what\": ");
        dpn_text_quote(&text, one.what);
        dpn_text_put(&text, times);
        dpn_text_put(&text, ", \"plan\": ");
        dpn_text_put(&text, plan);
        if (fit->announced[i].elsewhere > 0) {
            dpn_text_put(&text, ", \"elsewhere\": ");
            dpn_text_number(&text, fit->announced[i].elsewhere);
        }
        if (fit->announced[i].rate > 0) {
            dpn_text_put(&text, ", \"sample_rate\": ");
            dpn_text_number(&text, fit->announced[i].rate);
        }
        if (fit->announced[i].detail) {
            dpn_text_put(&text, ", \"detail\": ");
            dpn_text_put(&text, fit->announced[i].detail);
        }
        dpn_text_put(&text, "}");
        free(plan);
    }
    dpn_text_put(&text, "]");
    if (!status && text.failed) status = dpn_fail(why, DPN_ENOMEM, "out of memory");
    if (status)
        free(text.at);
    else
        *out = text.at;
    return status;
}
