/* Fits by noise in the objective. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/perturbed.h"

#include "base/error.h"
#include "base/text/json-write.h"
#include "learn/row-loss.h"
#include "learn/perturbation.h"

#include <stdlib.h>
#include <string.h>

/* Penalties up to here leave the search sure of its minimum. */
#define MOST_PENALTY 0x1p30

typedef struct state {
    dpn_row_loss loss;
    dpn_perturbation_ask ask;
    dpn_perturbation chosen;
    size_t noise, output;
} state;

void dpn_perturbed_free(void *context) {
    state *of = context;
    dpn_row_loss_free(&of->loss);
    free(of);
}

/* ---- The plan ---- */

dpn_status dpn_perturbed_check(const dpn_fit *fit, dpn_error *why) {
    const dpn_fit_options *options = &fit->options;
    if ((options->l2 > 0 || options->l1 > 0) && options->rows == 0)
        return dpn_fail(why, DPN_EDOMAIN, "a penalty per row needs a declared number of rows: the penalty is public");
    if (!(options->rows * options->l2 <= MOST_PENALTY && options->rows * options->l1 <= MOST_PENALTY))
        return dpn_fail(why, DPN_EDOMAIN, "the penalty times the number of rows must be at most 2^30");
    if (fit->noise) return dpn_fail(why, DPN_EUNSUPPORTED, "the noise of this method is its own: leave --noise out");
    return DPN_OK;
}

double dpn_perturbed_eta(const dpn_row_loss *loss) {
    return loss->radius > 0 ? DPN_PERTURBED_BALL_ETA : DPN_PERTURBED_ETA;
}

static dpn_status find_ball(dpn_ball_kind *out, const dpn_fit *fit, double delta, dpn_error *why) {
    static const dpn_ball_kind balls[] = {DPN_BALL_LINF, DPN_BALL_L1, DPN_BALL_L2};
    if (delta > 0 && fit->ball) return dpn_fail(why, DPN_EDOMAIN, "Gaussian noise has no ball");
    *out = delta > 0 ? DPN_BALL_L2 : DPN_BALL_LINF;
    for (size_t i = 0; i < sizeof balls / sizeof *balls && fit->ball; i++)
        if (strcmp(fit->ball, dpn_ball_kind_name(balls[i])) == 0) {
            *out = balls[i];
            return DPN_OK;
        }
    return fit->ball ? dpn_fail(why, DPN_EPARSE, "the ball of a fit is linf, l1 or l2, not '%.40s'", fit->ball)
                     : DPN_OK;
}

static dpn_status tell(dpn_fit *fit, const state *of, dpn_error *why) {
    const struct {
        const char *name;
        double value;
    } member[] = {{"{\"gamma\": ", of->chosen.gamma},
                  {", \"lambda\": ", of->ask.lambda},
                  {", \"rank\": ", of->ask.rank},
                  {", \"q\": ", of->chosen.q}};
    dpn_text text = {0};
    for (size_t i = 0; i < sizeof member / sizeof *member; i++) {
        dpn_text_put(&text, member[i].name);
        dpn_text_number(&text, member[i].value);
    }
    dpn_text_put(&text, "}");
    fit->announced[of->noise].detail = text.at;
    return text.failed ? dpn_fail(why, DPN_ENOMEM, "no memory for the fit") : DPN_OK;
}

/* How many times the delta of Gaussian noise what is released can have: the corners of the derivatives of the rows that differ, without
 * the one where they are 0, and what the distance to the minimum adds. docs/proofs/learn/objective.md, O7. */
static double delta_times(const dpn_row_loss *loss, double in_output) {
    bool linear = loss->fit->options.kind == DPN_FIT_LINEAR, replace = loss->fit->relation == DPN_REPLACE;
    double corners = linear ? (replace ? 4 : 2) : (replace ? 3 : 1);
    return corners * exp(0.5 * in_output) * (1 + 1e-12);
}

static dpn_status announce(state *of, dpn_fit *fit, double delta, dpn_error *why) {
    dpn_release *release;
    double times = delta_times(&of->loss, of->chosen.in_output);
    dpn_status status = dpn_perturbation_noise(&release, &of->ask, &of->chosen, delta / times * (1 - 1e-12), why);
    if (!status) status = dpn_fit_announce_made(&of->noise, fit, "noise in the objective", 1, release, why);
    if (status) return status;
    fit->announced[of->noise].elsewhere = of->chosen.in_determinant;
    fit->announced[of->noise].delta_times = delta > 0 ? times : 0;
    status = tell(fit, of, why);
    if (!status) status = dpn_perturbation_output(&release, &of->ask, &of->chosen, why);
    return status ? status : dpn_fit_announce_made(&of->output, fit, "distance to the minimum", 1, release, why);
}

dpn_status dpn_perturbed_plan(void **out, dpn_fit *fit, double delta, dpn_error *why) {
    dpn_ball_kind ball = DPN_BALL_LINF;
    dpn_status status = dpn_perturbed_check(fit, why);
    if (!status) status = find_ball(&ball, fit, delta, why);
    if (status) return status;
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    status = dpn_row_loss_make(&of->loss, fit, why);
    if (status) return status;
    /* A row that is replaced goes and comes. */
    double both = fit->relation == DPN_REPLACE ? 2 : 1;
    of->ask = (dpn_perturbation_ask){.m = of->loss.m,
                                     .ball = ball,
                                     .move = both * dpn_row_loss_gradient(&of->loss, ball),
                                     .lambda = dpn_row_loss_eigenvalue(&of->loss),
                                     .rank = 1,
                                     .epsilon = fit->epsilon,
                                     .delta = delta,
                                     .relation = fit->relation,
                                     .share = fit->options.share,
                                     .rows = fit->options.rows,
                                     .eta = dpn_perturbed_eta(&of->loss)};
    status = dpn_perturbation_choose(&of->chosen, &of->ask, why);
    if (!status && delta == 0) fit->settled.ball = dpn_ball_kind_name(ball);
    if (!status) fit->settled.share = of->chosen.q;
    if (fit->options.l1 == 0 && fit->options.l2 == 0) fit->settled.rows = 0; /* the share was chosen by it */
    return status ? status : announce(of, fit, delta, why);
}

/* ---- The run ---- */

dpn_status dpn_perturbed_minimum(dpn_int128 *b, dpn_row_loss *loss, double gamma, double ridge, const int64_t *v,
                                 dpn_error *why) {
    const dpn_fit_options *options = &loss->fit->options;
    double *weight = malloc(loss->m * sizeof *weight), *l1 = malloc(loss->m * sizeof *l1);
    dpn_status status = weight && l1 ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the minimum");
    if (!status) {
        for (size_t j = 0; j < loss->m; j++) {
            bool penalised = loss->from + j > 0; /* the constant is not */
            weight[j] = gamma + (penalised ? ridge : 0);
            l1[j] = penalised ? options->rows * options->l1 : 0;
        }
        const dpn_minimum_problem problem = {.m = loss->m,
                                             .sum = dpn_row_loss_sum(loss),
                                             .v = v,
                                             .v_exponent = DPN_PERTURBATION_V_EXPONENT,
                                             .weight = weight,
                                             .l1 = l1,
                                             .box = (dpn_int128)ldexp(loss->box, DPN_POINT_LOG),
                                             .radius = loss->radius,
                                             .eta = dpn_perturbed_eta(loss)};
        status = dpn_minimum_find(b, &problem, why);
    }
    free(weight);
    free(l1);
    return status;
}

/* What is shown lies in the set too, but for rounding. */
static void put_into_set(double *b, size_t m, const dpn_fit_options *options) {
    double most = options->within > 0 && !options->within_l2 ? options->within : INFINITY, squares = 0;
    for (size_t j = 0; j < m; j++) {
        b[j] = fmin(fmax(b[j], -most), most);
        squares += b[j] * b[j];
    }
    double share = options->within_l2 ? options->within / sqrt(squares) : 1;
    for (size_t j = 0; j < m && share < 1; j++) b[j] *= share;
}

dpn_status dpn_perturbed_show(dpn_fit_estimate *out, dpn_fit *fit, size_t release, size_t from, size_t m,
                              const dpn_int128 *b, dpn_rng *rng, dpn_error *why) {
    const dpn_release *noise = fit->announced[release].release;
    int64_t *steps = calloc(m, sizeof *steps);
    if (!steps) return dpn_fail(why, DPN_ENOMEM, "no memory for the minimum");
    for (size_t j = 0; j < m; j++) {
        double scaled = ldexp(dpn_point_value(b[j]), -dpn_release_grid_exponent(noise, j));
        steps[j] = (int64_t)llround(fmin(fmax(scaled, -0x1p61), 0x1p61));
    }
    dpn_status status = dpn_fit_draw(steps, fit, release, rng, steps, why);
    for (size_t j = 0; j < m && !status; j++)
        out->b[from + j] = ldexp((double)steps[j], dpn_release_grid_exponent(noise, j));
    if (!status) put_into_set(out->b + from, m, &fit->options);
    explicit_bzero(steps, m * sizeof *steps);
    free(steps);
    return status;
}

dpn_status dpn_perturbed_run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    size_t m = of->loss.m;
    double ridge = fit->options.rows * fit->options.l2;
    dpn_row_loss loss;
    dpn_status status = dpn_row_loss_make(&loss, fit, why); /* with scratch of its own: the state does not change */
    int64_t *steps = calloc(m, sizeof *steps);
    dpn_int128 *b = calloc(m, sizeof *b);
    if (!status && (!steps || !b)) status = dpn_fail(why, DPN_ENOMEM, "no memory for the minimum");
    if (!status) status = dpn_fit_draw(steps, fit, of->noise, rng, steps, why);
    if (!status) status = dpn_perturbed_minimum(b, &loss, of->chosen.gamma, ridge, steps, why);
    if (!status) status = dpn_perturbed_show(out, fit, of->output, of->loss.from, m, b, rng, why);
    if (steps) explicit_bzero(steps, m * sizeof *steps);
    if (b) explicit_bzero(b, m * sizeof *b);
    free(steps);
    free(b);
    dpn_row_loss_free(&loss);
    return status;
}
