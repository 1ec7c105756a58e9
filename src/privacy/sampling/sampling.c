/* Privacy amplified by Poisson sampling: both directions, composed. */
#include "base/error.h"
#include "base/options.h"
#include "privacy/compose/invert.h"
#include "privacy/interval.h"
#include "privacy/profile/closed-forms.h"
#include "privacy/sampling/everybody.h"
#include "privacy/sampling/listed.h"
#include "privacy/sampling/mixture-contour.h"
#include "privacy/sampling/mixture-guess.h"
#include "privacy/sampling/sampled-moments.h"
#include "privacy/sampling/sampled.h"

#include <dpnoise/sampling.h>
#include <math.h>
#include <stdlib.h>

/* The default accuracy: of the contour sum; of that for atoms, and where it cannot be had; of the FFT; and that with a step of several
 * losses, whose profile is itself known only between polygons. */
#define ACCURACY_CONTOUR 1e-7
#define ACCURACY_LISTS 1e-6
#define ACCURACY_COARSE 0.1
#define WIDTH_DEFAULT 1e-6 /* of epsilon, over max(1, epsilon) */
#define ACCURACY_SINGLE 1e-5
#define ACCURACY_COMPOSED 1e-2

/* Work that the contour sum may do before the FFT takes its place, and if that fails (see mixture-contour.h). */
#define WORK_AUTO 1e8
#define WORK_PATIENT 1e9

/* What the FFT may ask for: grid points of a step, beyond which a wider interval is the better answer; and profiles of noise that has none in
 * closed form, which take some ten microseconds each. */
#define MOST_POINTS 0x1p20
#define MOST_INTEGRALS 0x1p14

/* The steps prepared: plans of the two directions, and what their FFTs left for the next epsilon. If all noise is Gaussian also what
 * the contour sum needs, else no terms. The larger memory is on the heap. */
typedef struct prepared {
    dpn_base *base;
    dpn_sampled *sampled;
    size_t steps;
    dpn_fft_plan plan[2];
    dpn_fft_reader reader[2];
    dpn_workspace *workspace[2];
    dpn_mixtures mixtures[2];
    dpn_listed listed; /* if all losses are atoms; then the FFT is prepared when it is needed */
    const dpn_step *step;
    bool opened; /* for the FFT, and how that went */
    dpn_status opening;
    dpn_method method;
    double reached,
        beyond; /* no accuracy finer than `reached` was had at the epsilon `beyond`, nor is it further out; 0 if all were */
    int failures; /* of the contour sum at coarser[coarse]: after two that is not tried again */
    size_t coarse;
} prepared;

static dpn_status check(const dpn_workspace *workspace, const dpn_step *step, size_t steps,
                        const dpn_accounting_options *options, dpn_error *why) {
    if (!workspace) return dpn_fail(why, DPN_EDOMAIN, "sampling needs a workspace");
    if (!step && steps > 0) return dpn_fail(why, DPN_EDOMAIN, "step must not be NULL");
    for (size_t i = 0; i < steps; i++)
        if (!(step[i].rate >= 0 && step[i].rate <= 1))
            return dpn_fail(why, DPN_EDOMAIN, "the sampling rate of step %zu must lie in [0, 1]", i);
    if (!(options->accuracy >= 0 && isfinite(options->accuracy)))
        return dpn_fail(why, DPN_EDOMAIN, "accuracy must be finite and not negative");
    if ((options->method < DPN_METHOD_AUTO || options->method > DPN_METHOD_FFT))
        return dpn_fail(why, DPN_EDOMAIN, "method must be one of DPN_METHOD_*");
    return DPN_OK;
}

static void close_steps(prepared *p) {
    if (!p) return;
    for (size_t i = 0; i < p->steps; i++) dpn_base_close(&p->base[i]);
    dpn_listed_close(&p->listed);
    for (int i = 0; i < 2; i++) dpn_mixtures_free(&p->mixtures[i]);
    dpn_workspace_free(p->workspace[1]);
    free(p->base);
    free(p->sampled);
    free(p);
}

/* The mixtures of the steps if all noise is Gaussian. */
static dpn_status add_mixtures(prepared *p, const dpn_step *step, size_t steps, dpn_error *why) {
    for (int direction = 0; direction < 2; direction++) {
        dpn_mixtures *all = &p->mixtures[direction];
        all->absent = direction == 1;
        all->term = calloc(steps ? steps : 1, sizeof *all->term);
        if (!all->term) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu steps", steps);
        for (size_t i = 0; i < steps; i++) {
            dpn_mixture mixture = {.rate = step[i].rate};
            if (!p->sampled[i].base) continue;
            if (!dpn_base_gaussian(&mixture.ratio, &mixture.doubt, &p->base[i])) {
                all->terms = 0;
                break;
            }
            all->term[all->terms++] = (dpn_mixture_term){.mixture = mixture, .times = (double)step[i].times};
        }
    }
    return DPN_OK;
}

static dpn_status add_step(prepared *p, size_t i, const dpn_step *step, dpn_error *why) {
    if (step->rate == 0 || step->times == 0) return DPN_OK;
    dpn_status status = dpn_base_open(&p->base[i], step->part, step->parts, why);
    if (status) return status;
    p->sampled[i] = (dpn_sampled){&p->base[i], step->rate};
    status = dpn_fft_add(&p->plan[0], dpn_sampled_present(&p->sampled[i]), step->times, why);
    return status ? status : dpn_fft_add(&p->plan[1], dpn_sampled_absent(&p->sampled[i]), step->times, why);
}

/* Once, when the lists do not serve. */
static dpn_status open_bases(prepared *p, dpn_error *why) {
    if (p->opened && p->opening) return dpn_fail(why, p->opening, "the losses of a step cannot be composed");
    if (p->opened) return DPN_OK;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < p->steps && !status; i++) status = add_step(p, i, &p->step[i], why);
    if (!status) status = add_mixtures(p, p->step, p->steps, why);
    p->opened = true;
    p->opening = status;
    return status;
}

static dpn_status open_steps(prepared **out, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                             dpn_method method, dpn_error *why) {
    *out = NULL;
    prepared *p = calloc(1, sizeof *p);
    if (!p) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu steps", steps);
    p->base = calloc(steps ? steps : 1, sizeof *p->base);
    p->sampled = calloc(steps ? steps : 1, sizeof *p->sampled);
    p->workspace[0] = workspace; /* each direction keeps what it composed */
    dpn_status status = dpn_workspace_new(&p->workspace[1]);
    if (status || !p->base || !p->sampled) status = dpn_fail(why, DPN_ENOMEM, "no memory for %zu steps", steps);
    if (p->base && p->sampled) p->steps = steps;
    p->step = step;
    if (!status && method != DPN_METHOD_FFT) status = dpn_listed_open(&p->listed, step, steps, why);
    if (status == DPN_EUNSUPPORTED) {
        dpn_listed_close(&p->listed);
        status = DPN_OK;
    }
    if (!status && p->listed.count == 0) status = open_bases(p, why);
    if (status)
        close_steps(p);
    else
        *out = p;
    return status;
}

/* ---- samples ---- */

/* One step of one kind needs no composition: its profile is known. */
static bool single_step(dpn_delta *out, const dpn_fft_plan *plan, double epsilon, double accuracy) {
    double lower, upper;
    dpn_error unused;
    if (plan->parts != 1 || plan->part[0].times > 1) return false;
    const dpn_loss_view *view = &plan->part[0].view;
    if (view->source->log_delta(&lower, &upper, view, epsilon, &unused)) return false;
    if (!(upper == -INFINITY || upper - lower <= log1p(accuracy))) return false;
    *out = dpn_delta_between(lower, upper);
    return true;
}

static dpn_status one_direction(dpn_delta *out, prepared *p, int direction, double epsilon, double accuracy,
                                dpn_error *why) {
    if (single_step(out, &p->plan[direction], epsilon, accuracy)) return DPN_OK;
    return dpn_fft_solve(out, &p->reader[direction], &p->plan[direction], p->workspace[direction], epsilon, accuracy,
                         why);
}

/* Whether a direction without an answer at epsilon does not matter: at some smaller epsilon, where it is larger, it is still below
 * the other one's lower end. */
static bool negligible(prepared *p, int direction, double epsilon, double accuracy, const dpn_delta *other) {
    for (double smaller = 0.9 * epsilon; epsilon > 0 && smaller > 0.3 * epsilon; smaller *= 0.8) {
        dpn_delta delta;
        dpn_error unused;
        if (!one_direction(&delta, p, direction, smaller, accuracy, &unused))
            return delta.log_upper <= other->log_lower;
    }
    return false;
}

/* The larger of the two directions by the contour sum. The second is not needed where it is for certain the lesser. delta(-e) = 1 -
 * e^-e + e^-e delta'(e), delta' of the other direction. */
static dpn_status by_contour(dpn_delta *out, prepared *p, double epsilon, double accuracy, double work,
                             dpn_error *why) {
    dpn_delta delta[2];
    double log_enough = -INFINITY;
    for (int i = 0; i < 2; i++) {
        dpn_status status = dpn_mixture_delta(&delta[i], &p->mixtures[i], fabs(epsilon),
                                              accuracy > 0 ? accuracy : ACCURACY_CONTOUR, log_enough, work, why);
        if (status) return status;
        log_enough = delta[i].log_lower;
    }
    dpn_delta most = {fmax(delta[0].lower, delta[1].lower), fmax(delta[0].upper, delta[1].upper),
                      fmax(delta[0].log_lower, delta[1].log_lower), fmax(delta[0].log_upper, delta[1].log_upper)};
    double rest = log(-expm1(-fabs(epsilon)));
    *out = epsilon >= 0 ? most
                        : dpn_delta_between(dpn_log_add(rest, epsilon + most.log_lower) - 8 * DBL_EPSILON,
                                            dpn_log_add(rest, epsilon + most.log_upper) + 8 * DBL_EPSILON);
    return DPN_OK;
}

/* The larger of the two directions by the FFT. */
static dpn_status by_fft(dpn_delta *out, prepared *p, double epsilon, double accuracy, dpn_error *why) {
    dpn_delta delta[2];
    dpn_status status[2];
    dpn_error reason[2];
    status[0] = one_direction(&delta[0], p, 0, epsilon, accuracy, &reason[0]);
    if (!status[0] && epsilon > 0 && isfinite(epsilon) && p->plan[1].parts > 0) {
        double log_other;
        status[1] = dpn_fft_chernoff(&log_other, &p->plan[1], p->workspace[1], epsilon, why);
        if (status[1] == DPN_ENOMEM) return status[1];
        if (!status[1] && log_other <= delta[0].log_lower) {
            *out = delta[0];
            return DPN_OK;
        }
    }
    status[1] = one_direction(&delta[1], p, 1, epsilon, accuracy, &reason[1]);
    for (int i = 0; i < 2; i++) {
        if (!status[i]) continue;
        if (status[i] == DPN_EACCURACY && !status[1 - i] && negligible(p, i, epsilon, accuracy, &delta[1 - i])) {
            *out = delta[1 - i];
            return DPN_OK;
        }
        if (why) *why = reason[i];
        return status[i];
    }
    *out = (dpn_delta){fmax(delta[0].lower, delta[1].lower), fmax(delta[0].upper, delta[1].upper),
                       fmax(delta[0].log_lower, delta[1].log_lower), fmax(delta[0].log_upper, delta[1].log_upper)};
    return DPN_OK;
}

/* The largest finite loss of a direction, +inf if there is none. */
static double largest_of(const prepared *p, int direction) {
    double sum = 0;
    for (size_t i = 0; i < p->plan[direction].parts; i++) {
        const dpn_fft_part *part = &p->plan[direction].part[i];
        sum += part->times * part->view.source->largest(&part->view);
    }
    return sum * (1 + 64 * DBL_EPSILON);
}

/* log of the sum over steps of their deltas at equal shares of epsilon, which bounds delta: steps are (epsilon_i, delta_i)-private together
 * with the sums of both. */
static double log_of_shares(const dpn_fft_plan *plan, double epsilon) {
    double steps = 0, sum = -INFINITY;
    for (size_t k = 0; k < plan->parts; k++) steps += plan->part[k].times;
    for (size_t k = 0; k < plan->parts; k++) {
        const dpn_loss_view *view = &plan->part[k].view;
        double lower, upper, share = epsilon / steps * (1 - 4 * DBL_EPSILON * (double)(plan->parts + 1));
        dpn_error unused;
        if (view->source->log_delta(&lower, &upper, view, share, &unused)) return 0;
        sum = dpn_log_add(sum, upper + log(plan->part[k].times) * (1 + 2 * DBL_EPSILON));
    }
    return fmin(0, sum + 8 * DBL_EPSILON * (1 + fabs(fmax(sum, -1e300))));
}

/* What can always be said: no less than the delta of one step or the mass of infinite losses, and no more than the best conversion from Renyi divergences, or than the sum
 * of deltas. Where there is no other bound, delta is at most 1. */
static dpn_status by_renyi(dpn_delta *out, prepared *p, double epsilon, dpn_error *why) {
    double log_lower = epsilon < 0 ? log(-expm1(epsilon)) - 8 * DBL_EPSILON : -INFINITY, log_upper = -INFINITY;
    for (int i = 0; i < 2; i++) {
        double direction = 0;
        dpn_error reason;
        dpn_status status = DPN_EACCURACY;
        for (size_t k = 0; k < p->plan[i].parts; k++) {
            const dpn_loss_view *view = &p->plan[i].part[k].view;
            double lower, upper;
            if (!view->source->log_delta(&lower, &upper, view, epsilon, &reason)) log_lower = fmax(log_lower, lower);
        }
        dpn_delta infinite; /* a loss without end is one at any epsilon */
        dpn_status counted = one_direction(&infinite, p, i, INFINITY, 1, &reason);
        if (!counted) log_lower = fmax(log_lower, infinite.log_lower);
        if (counted == DPN_ENOMEM || epsilon >= largest_of(p, i)) { /* only infinite losses count */
            status = counted;
            if (!status) direction = infinite.log_upper;
        } else if (p->mixtures[0].terms > 0 && epsilon >= 0) {
            double least;
            status = dpn_mixture_bound(&least, &direction, &p->mixtures[i], epsilon, &reason);
            if (!status) log_lower = fmax(log_lower, least);
        }
        if (status && status != DPN_ENOMEM && epsilon >= 0)
            status = dpn_fft_chernoff(&direction, &p->plan[i], p->workspace[i], epsilon, &reason);
        if (status == DPN_ENOMEM) {
            if (why) *why = reason;
            return status;
        }
        double shares = epsilon >= 0 ? log_of_shares(&p->plan[i], epsilon) : 0;
        dpn_delta listed; /* the best Chernoff bound of all atoms, where the other is one of a coarse grid */
        if (p->listed.count > 0 && epsilon >= 0 && isfinite(epsilon) &&
            !dpn_listed_direction(&listed, &p->listed, i, epsilon, 1, 1, WORK_AUTO, &reason))
            shares = fmin(shares, listed.log_upper);
        log_upper = fmax(log_upper, fmin(shares, status ? 0 : direction));
    }
    *out = dpn_delta_between(log_lower, fmax(log_lower, log_upper));
    return DPN_OK;
}

static double default_accuracy(const prepared *p) {
    for (size_t i = 0; i < p->steps; i++)
        if (p->sampled[i].base && !p->sampled[i].base->single) return ACCURACY_COMPOSED;
    return ACCURACY_SINGLE;
}

/* Whether a step has noise without a profile in closed form. */
static bool has_integrals(const prepared *p) {
    for (size_t i = 0; i < p->steps; i++) {
        const dpn_base *base = p->sampled[i].base;
        if (!base || !base->single || base->loss[0].kind != &dpn_loss_kind_law) continue;
        const dpn_law *law = &base->loss[0].law;
        const struct dpn_closed_form *form = dpn_closed_form_of(law);
        if (!dpn_law_is_integer(law) && !(form && form->delta && !form->slow)) return true;
    }
    return false;
}

/* Whether there is one step alone, whose profile is closed. */
static bool one_step_alone(const prepared *p) {
    return p->plan[0].parts == 1 && p->plan[0].part[0].times == 1;
}

/* What the contour sum is asked for where the accuracy that is wanted cannot be had. */
static const double coarser[] = {0, 1e-3, 0.1};
enum { COARSER = sizeof coarser / sizeof *coarser };

/* The contour sum if it serves, then the FFT, each time with less accuracy if what is asked for cannot be had; and at last Renyi. What was
 * not reached once is not tried again. */
static dpn_status delta_at(dpn_delta *out, void *context, double epsilon, double accuracy, dpn_error *why) {
    prepared *p = context;
    if (p->listed.count > 0 && epsilon >= 0 && isfinite(epsilon)) {
        double asked = accuracy > 0 ? accuracy : ACCURACY_LISTS;
        dpn_status listed = dpn_listed_delta(out, &p->listed, epsilon, asked,
                                             p->method == DPN_METHOD_CONTOUR ? WORK_PATIENT : WORK_AUTO, why);
        if (listed == DPN_EACCURACY) /* the FFT would take many seconds for little more */
            listed = dpn_listed_delta(out, &p->listed, epsilon, fmax(asked, ACCURACY_COARSE), 3 * WORK_AUTO, why);
        if (listed != DPN_EACCURACY) return listed;
    }
    dpn_status opened = open_bases(p, why);
    if (opened) return opened;
    bool gaussian = p->mixtures[0].terms > 0;
    if (gaussian && p->method != DPN_METHOD_FFT && isfinite(epsilon) && !one_step_alone(p) &&
        dpn_mixture_is_far(&p->mixtures[0], epsilon))
        return by_renyi(out, p, epsilon, why);
    if (gaussian && !(p->method == DPN_METHOD_AUTO && one_step_alone(p)) && p->method != DPN_METHOD_FFT &&
        isfinite(epsilon) && p->coarse < COARSER) {
        bool alone = p->method == DPN_METHOD_CONTOUR;
        double last = 0;
        for (size_t i = p->coarse; i < COARSER; i++) {
            double now = fmax(accuracy > 0 ? accuracy : ACCURACY_CONTOUR, coarser[i]);
            if (now == last) continue;
            last = now;
            dpn_status contour = by_contour(out, p, epsilon, now, alone ? WORK_PATIENT : WORK_AUTO, why);
            if (contour != DPN_EACCURACY) return contour;
            if (i == p->coarse && ++p->failures == 2) p->failures = 0, p->coarse++;
        }
    }
    if (p->method == DPN_METHOD_CONTOUR && isfinite(epsilon)) return by_renyi(out, p, epsilon, why);
    if (epsilon == INFINITY) return by_fft(out, p, epsilon, accuracy > 0 ? accuracy : ACCURACY_SINGLE, why);
    if (accuracy == 0) accuracy = default_accuracy(p);
    for (int i = 0; i < 2; i++)
        p->plan[i].brief = (gaussian || p->listed.count > 0) && p->method == DPN_METHOD_AUTO && p->plan[i].times > 64;
    for (int i = 0; i < 2; i++) {
        p->plan[i].most = p->method == DPN_METHOD_AUTO ? MOST_POINTS : 0;
        p->plan[i].most_nodes = p->method == DPN_METHOD_AUTO && has_integrals(p) ? (size_t)MOST_INTEGRALS : 0;
    }
    bool as_far =
        p->reached > 0 && epsilon >= p->beyond - 0.1 * fabs(p->beyond); /* nearer, delta is larger, and easier */
    for (accuracy = fmax(accuracy, as_far ? p->reached : 0); accuracy <= 1; accuracy *= 30) {
        dpn_status status = by_fft(out, p, epsilon, accuracy, why);
        if (status != DPN_EACCURACY) return status;
        p->reached = 30 * accuracy;
        p->beyond = as_far ? fmin(p->beyond, epsilon) : epsilon;
    }
    return by_renyi(out, p, epsilon, why);
}

/* The larger of the two directions by the contour sum, for a target that is not large. Absent against present needs no sum if it is for
 * certain the lesser. */
static dpn_status epsilon_by_contour(dpn_epsilon *out, prepared *p, double delta, double accuracy, double width,
                                     double work, dpn_error *why) {
    dpn_epsilon epsilon[2];
    double log_other;
    dpn_status status = dpn_mixture_epsilon(&epsilon[0], &p->mixtures[0], delta, accuracy, width, work, why);
    if (status) return status;
    *out = epsilon[0];
    status = dpn_mixture_chernoff(&log_other, &p->mixtures[1], out->lower, why);
    if (!status && log_other <= log(delta) * (1 + 2 * DBL_EPSILON)) return DPN_OK;
    status = dpn_mixture_epsilon(&epsilon[1], &p->mixtures[1], delta, accuracy, width, work, why);
    if (status) return status;
    *out = (dpn_epsilon){fmax(epsilon[0].lower, epsilon[1].lower), fmax(epsilon[0].upper, epsilon[1].upper)};
    return DPN_OK;
}

/* What the contour sum can say, with less accuracy where the default cannot be had. */
static dpn_status epsilon_of_training(dpn_epsilon *out, prepared *p, double delta, double accuracy, dpn_error *why) {
    bool patient = p->method == DPN_METHOD_CONTOUR;
    double work = patient ? WORK_PATIENT : WORK_AUTO;
    dpn_status status = epsilon_by_contour(out, p, delta, accuracy > 0 ? accuracy : ACCURACY_CONTOUR,
                                           accuracy > 0 ? 0 : WIDTH_DEFAULT, work, why);
    if (status == DPN_EACCURACY && accuracy == 0)
        status = epsilon_by_contour(out, p, delta, ACCURACY_CONTOUR, 100 * WIDTH_DEFAULT, work, why);
    return status;
}

static dpn_status epsilon_of(dpn_epsilon *out, prepared *p, double delta, double accuracy, dpn_error *why) {
    dpn_delta infinite;
    if (p->mixtures[0].terms > 0 && p->method != DPN_METHOD_FFT && delta > 0 && delta < 0.25 && !one_step_alone(p)) {
        dpn_status status = epsilon_of_training(out, p, delta, accuracy, why);
        if (status != DPN_EACCURACY) return status;
    }
    dpn_status status = DPN_OK;
    double end;
    if (p->listed.count > 0) { /* no loss is infinite */
        infinite = (dpn_delta){0, 0, -INFINITY, -INFINITY};
        end = fmax(dpn_listed_largest(&p->listed, 0), dpn_listed_largest(&p->listed, 1));
    } else {
        status = delta_at(&infinite, p, INFINITY, accuracy, why);
        if (status) return status;
        end = fmax(largest_of(p, 0), largest_of(p, 1));
    }
    if (infinite.lower > delta) {
        *out = (dpn_epsilon){INFINITY, INFINITY};
    } else if (infinite.upper > delta) {
        return dpn_fail(why, DPN_EACCURACY, "delta is too close to the mass of infinite loss");
    } else if (delta == 1 || end == 0) {
        *out = (dpn_epsilon){0, 0};
    } else if (delta <=
               infinite.upper) { /* only the largest loss will do; next to infinite ones it is not known to be needed */
        *out = (dpn_epsilon){infinite.upper > 0 ? 0 : end * (1 - 1024 * DBL_EPSILON), end};
    } else {
        dpn_delta at_zero;
        status = delta_at(&at_zero, p, 0, fmax(accuracy, 0.05), why);
        if (status) return status;
        dpn_inversion inversion = {delta_at, p, accuracy, end, dpn_invert_first(at_zero.upper, delta), WIDTH_DEFAULT};
        return dpn_invert(out, &inversion, delta, why);
    }
    return DPN_OK;
}

/* One of two: delta at an epsilon, or the least epsilon for a delta. */
typedef struct question {
    bool inverse;
    double at;
    dpn_delta delta;
    dpn_epsilon epsilon;
} question;

/* What is known of an answer that could not be had. */
static void know_nothing(question *q) {
    q->epsilon = (dpn_epsilon){0, INFINITY};
    q->delta = dpn_delta_between(q->at < 0 ? log(-expm1(q->at)) - 8 * DBL_EPSILON : -INFINITY, 0);
}

static bool says_nothing(const question *q) {
    return q->inverse ? isinf(q->epsilon.upper) : q->delta.log_upper == 0;
}

static bool is_narrow(const question *q) {
    return q->inverse ? dpn_epsilon_is_narrow(&q->epsilon) : dpn_delta_is_narrow(&q->delta);
}

/* The moments of all steps, if their bases are open. Free *out, also after an error. */
static dpn_status make_moments(dpn_sampled_moments **out, size_t *count, const prepared *p, dpn_error *why) {
    *count = 0;
    *out = malloc((p->steps + 1) * sizeof **out);
    if (!*out) return dpn_fail(why, DPN_ENOMEM, "no memory for the moments of %zu steps", p->steps);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < p->steps && !status; i++) {
        if (!p->sampled[i].base) continue;
        status = dpn_sampled_moments_make(&(*out)[(*count)++], p->sampled[i].base, p->step[i].rate,
                                          (double)p->step[i].times, why);
    }
    return status;
}

/* The upper end becomes the best conversion from moments, if that is less. */
static dpn_status undercut_by_moments(question *q, const prepared *p, dpn_error *why) {
    if (!p->opened || p->opening || !(q->inverse ? q->at > 0 : q->at >= 0 && isfinite(q->at))) return DPN_OK;
    dpn_sampled_moments *moments;
    size_t count;
    dpn_error unused;
    dpn_status status = make_moments(&moments, &count, p, &unused);
    if (!status && q->inverse) {
        double upper = dpn_sampled_moments_epsilon_upper(moments, count, log(q->at));
        q->epsilon.upper = fmax(q->epsilon.lower, fmin(q->epsilon.upper, upper));
    } else if (!status) {
        double upper = fmax(q->delta.log_lower, dpn_sampled_moments_log_upper(moments, count, q->at));
        if (upper < q->delta.log_upper) q->delta = dpn_delta_between(q->delta.log_lower, upper);
    }
    free(moments);
    if (status == DPN_ENOMEM && why) *why = unused;
    return status == DPN_ENOMEM ? status : DPN_OK;
}

static dpn_status ask_samples(question *q, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                              const dpn_accounting_options *options, dpn_error *why) {
    prepared *p;
    dpn_status status = open_steps(&p, workspace, step, steps, options->method, why);
    if (status) return status;
    double accuracy = options->accuracy;
    p->method = options->method;
    if (p->method == DPN_METHOD_CONTOUR && p->mixtures[0].terms == 0 && p->listed.count == 0) {
        close_steps(p);
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "the contour sum serves sampled steps with Gaussian noise, or atoms, alone");
    }
    status =
        q->inverse ? epsilon_of(&q->epsilon, p, q->at, accuracy, why) : delta_at(&q->delta, p, q->at, accuracy, why);
    bool failed = status == DPN_EACCURACY;
    if (failed) know_nothing(q);
    if ((!status || failed) && !is_narrow(q)) {
        status = undercut_by_moments(q, p, why);
        if (!status && failed && says_nothing(q)) status = DPN_EACCURACY;
    }
    close_steps(p);
    return status;
}

static dpn_status ask(question *q, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                      const dpn_accounting_options *options, dpn_error *why) {
    if (dpn_everybody_seen(step, steps))
        return q->inverse ? dpn_everybody_epsilon(&q->epsilon, workspace, step, steps, q->at, options, why)
                          : dpn_everybody_delta(&q->delta, workspace, step, steps, q->at, options, why);
    dpn_error reason;
    dpn_status failed = ask_samples(q, workspace, step, steps, options, why);
    if (failed && failed != DPN_EACCURACY) return failed;
    if (failed) know_nothing(q);
    dpn_status status = q->inverse ? dpn_everybody_undercut_epsilon(&q->epsilon, workspace, step, steps, q->at, &reason)
                                   : dpn_everybody_undercut_delta(&q->delta, workspace, step, steps, q->at, &reason);
    if (status && why) *why = reason;
    return status || !failed || !says_nothing(q) ? status : failed;
}

dpn_status dpn_sampling_delta(dpn_delta *out, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                              double epsilon, const dpn_accounting_options *options, dpn_error *why) {
    question q = {.at = epsilon, .delta = {1, 1, 0, 0}};
    dpn_accounting_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = check(workspace, step, steps, &own, why);
    if (!status && isnan(epsilon)) status = dpn_fail(why, DPN_EDOMAIN, "epsilon must be a number");
    if (!status && epsilon > -INFINITY) status = ask(&q, workspace, step, steps, &own, why);
    if (!status) *out = q.delta;
    return status;
}

dpn_status dpn_sampling_epsilon(dpn_epsilon *out, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                                double delta, const dpn_accounting_options *options, dpn_error *why) {
    question q = {.inverse = true, .at = delta};
    dpn_accounting_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = check(workspace, step, steps, &own, why);
    if (!status && !(delta >= 0 && delta <= 1)) status = dpn_fail(why, DPN_EDOMAIN, "delta must lie in [0, 1]");
    if (!status) status = ask(&q, workspace, step, steps, &own, why);
    if (!status) *out = q.epsilon;
    return status;
}
