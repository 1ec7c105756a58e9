/* delta(epsilon) of a composition by a tilted FFT, with bounds of second order on both sides.
 *
 * Each loss is put on a common grid from above and from below (dots.h), its masses are multiplied by exp(theta loss) and
 * normalised, the transforms are raised to their powers and multiplied, and the sum runs over what comes back. The tilt
 * theta is the saddle point, so the terms that matter carry most of the tilted mass whatever the size of delta.
 * Errors, all bounded and added (docs/proofs/privacy/fft.md): mass outside the window of the transform, rounding of the
 * transform and of the masses.
 */
#include "privacy/compose/fft-delta.h"

#include "base/error.h"
#include "privacy/compose/fft-nodes.h"
#include "privacy/compose/workspace.h"
#include "privacy/interval.h"
#include "privacy/profile/closed-forms.h"

enum { MAX_REFINEMENTS = 12 };

/* Profiles that are integrated at every point are a hundred times slower than the others. */
static bool is_slow(const dpn_loss_view *view) {
    const struct dpn_closed_form *form = view->profile.form;
    if (view->loss && view->loss->kind->largest) return true;
    return view->loss && view->loss->kind == &dpn_loss_kind_law && !dpn_law_is_integer(&view->loss->law) &&
           !(form && form->delta && !form->slow);
}

/* How many grid points a part may have. */
static double most_points(const dpn_loss_view *view) {
    return is_slow(view) ? 0x1p15 : 0x1p22;
}

static dpn_status make_fine_dots(dpn_fft_plan *plan, const dpn_fft_atoms *atoms, dpn_workspace *workspace, double step,
                                 dpn_error *why) {
    for (size_t i = 0; i < plan->parts; i++) {
        dpn_fft_part *p = &plan->part[i];
        double origin = dpn_fft_origin(atoms, i);
        double first = floor((p->low - origin) / step + 1e-6), last = ceil((p->high - origin) / step - 1e-6);
        double most = most_points(&p->view);
        if (plan->most > 0) most = fmin(most, plan->most);
        if (plan->brief) most = fmin(most, fmin(1, 12 / (double)plan->parts) * (1 << DPN_FFT_LOG2_BRIEF));
        if (last - first > most)
            return dpn_fail(why, DPN_EACCURACY, "the accuracy needs more than %.0f grid points", most);
        p->dots[DPN_ABOVE].grid = (dpn_dot_grid){origin + first * step, step, (size_t)(last - first) + 2};
    }
    return dpn_fft_make_dots(plan, workspace, true, why);
}

/* delta where no finite loss exceeds epsilon. */
static dpn_status only_infinite(dpn_delta *out, const dpn_fft_plan *plan, dpn_error *why) {
    double log_finite[2] = {0, 0};
    for (size_t i = 0; i < plan->parts; i++) {
        double lower, upper;
        dpn_status status = dpn_loss_infinite(&lower, &upper, &plan->part[i].view, why);
        if (status) return status;
        log_finite[0] += plan->part[i].times * log1p(-lower);
        log_finite[1] += plan->part[i].times * log1p(-upper);
    }
    double slack = plan->times * 4 * DBL_EPSILON;
    *out = dpn_delta_between(log(-expm1(log_finite[0])) - slack, log(-expm1(log_finite[1])) + slack);
    return DPN_OK;
}

/* The distance of the polygons under the tilt, which is about that of the two bounds of log delta: known before any transform. */
static double distance_of_dots(const dpn_fft_plan *plan) {
    double distance = 0;
    for (size_t i = 0; i < plan->parts; i++) {
        const dpn_fft_part *p = &plan->part[i];
        distance += p->times * (dpn_tilted_moments(&p->dots[DPN_ABOVE], plan->theta).log_sum -
                                dpn_tilted_moments(&p->dots[DPN_BELOW], plan->theta).log_sum);
    }
    return isnan(distance) ? INFINITY : distance; /* on a coarse grid the polygon below may have no mass at all */
}

/* Bounds of log delta; -inf and +inf where masses underflow and the sums are empty. */
static void read_bounds(double *lower, double *upper, const dpn_fft_reader *reader, double epsilon) {
    dpn_fft_sum above = dpn_fft_read(&reader->window[DPN_ABOVE], epsilon);
    dpn_fft_sum below = dpn_fft_read(&reader->window[DPN_BELOW], epsilon);
    *upper = fmin(0, dpn_log_add(above.scale + log(above.sum + above.error), log(above.infinite)));
    *lower = below.sum > below.error ? below.scale + log(below.sum - below.error) : -INFINITY;
    *lower = dpn_log_add(*lower, log(below.infinite));
    if (isfinite(*upper) && *lower <= *upper) return;
    *lower = -INFINITY;
    *upper = INFINITY;
}

static dpn_status compose(dpn_fft_reader *reader, const dpn_fft_plan *plan, dpn_workspace *workspace, dpn_error *why) {
    reader->ready = false;
    for (int side = 0; side < 2; side++) {
        dpn_status status = dpn_fft_compose(&reader->window[side], plan, side, workspace, why);
        if (status) return status;
    }
    reader->ready = true;
    return DPN_OK;
}

/* Take finer steps until the bounds are close enough. The distance falls like a power of the step: 2 in general, 1 where atoms
 * lie off the grid. The first step is coarse, because dots on the grid may bring the distance far below what is usual. */
static dpn_status refine(dpn_delta *out, dpn_fft_reader *reader, dpn_fft_plan *plan, dpn_workspace *workspace,
                         double accuracy, dpn_error *why) {
    /* The finite losses need only the accuracy that their share of delta leaves them. */
    double target = log1p(accuracy * (1 + fmin(exp(plan->log_infinite - plan->log_estimate), 1e12)));
    double step = 8 * sqrt(4 * target / (plan->theta * (1 + plan->theta) * plan->times)); /* dots.h */
    double before = INFINITY, step_before = INFINITY;
    dpn_fft_atoms atoms;
    dpn_status status = dpn_fft_find_atoms(&atoms, plan, why);
    if (!status) status = dpn_fft_spread(plan, &atoms, workspace, why);
    if (status) return status;
    for (int i = 0; i < MAX_REFINEMENTS; i++) {
        step = dpn_fft_aligned_step(plan, &atoms, step, 0.1 * target);
        status = make_fine_dots(plan, &atoms, workspace, step, why);
        if (status) return status;
        double distance = distance_of_dots(plan);
        if (!(distance > target)) {
            double lower, upper;
            status = compose(reader, plan, workspace, why);
            if (status) return status;
            read_bounds(&lower, &upper, reader, plan->epsilon);
            if (upper == INFINITY) break;
            if (upper - lower <= log1p(accuracy)) {
                *out = dpn_delta_between(lower, upper);
                return DPN_OK;
            }
            /* The tilt does not tell where mass matters: corners everywhere from now on. */
            if (dpn_fft_gather(plan)) continue;
            distance = fmax((upper - lower) * target / log1p(accuracy), distance);
        }
        double order = before < INFINITY ? log(before / distance) / log(step_before / step) : 2;
        before = distance = fmin(distance, 1);
        step_before = step;
        bool coarse =
            i > 2 && plan->part[0].dots[DPN_ABOVE].grid.count < 4096; /* half of it costs less than many looks */
        double least = coarse ? 2 : 1.1;
        double finer = step / fmin(fmax(1.04 * pow(distance / target, 1 / fmin(fmax(order, 1), 2)), least), 64);
        step = finer / sqrt(dpn_fft_coarseness(plan, finer) / dpn_fft_coarseness(plan, step));
    }
    return dpn_fail(why, DPN_EACCURACY, "the FFT does not reach the accuracy");
}

dpn_status dpn_fft_add(dpn_fft_plan *plan, dpn_loss_view view, uint64_t times, dpn_error *why) {
    if (view.loss && view.loss->kind->repeated) /* each delta takes milliseconds */
        return dpn_fail(why, DPN_EUNSUPPORTED, "%s noise is composed with copies of itself alone",
                        view.loss->kind->name);
    if (times == 0 || dpn_loss_vanishes(&view)) return DPN_OK;
    /* The difference of nearly equal tails is a sum of thousands of terms, at every point. */
    if (is_slow(&view) && !view.loss->kind->largest &&
        view.loss->sensitivity < 0.02 * sqrt(dpn_law_variance(&view.loss->law)))
        return dpn_fail(why, DPN_EACCURACY, "%s noise at so small a sensitivity is too slow for the FFT",
                        dpn_law_family(&view.loss->law));
    if (plan->parts == DPN_FFT_PARTS)
        return dpn_fail(why, DPN_EUNSUPPORTED, "the FFT composes at most %d different losses", DPN_FFT_PARTS);
    plan->part[plan->parts++] = (dpn_fft_part){.view = view, .times = (double)times};
    plan->times += (double)times;
    return DPN_OK;
}

dpn_status dpn_fft_solve(dpn_delta *out, dpn_fft_reader *reader, dpn_fft_plan *plan, dpn_workspace *workspace,
                         double epsilon, double accuracy, dpn_error *why) {
    plan->epsilon = epsilon;
    if (plan->parts == 0) {
        *out = dpn_delta_near(epsilon < 0 ? -expm1(epsilon) : 0, DBL_EPSILON);
        return DPN_OK;
    }
    double end = 0; /* beyond the largest finite loss of all only the infinite ones count */
    for (size_t i = 0; i < plan->parts; i++) {
        const dpn_loss_view *view = &plan->part[i].view;
        end += plan->part[i].times * view->source->largest(view);
    }
    /* Rounding must not take an epsilon below it for one beyond. */
    if (epsilon >= end * (1 + (4 + (double)plan->parts) * DBL_EPSILON)) return only_infinite(out, plan, why);
    if (reader->ready) {
        double lower, upper;
        read_bounds(&lower, &upper, reader, epsilon);
        if (upper - lower <= log1p(accuracy)) {
            *out = dpn_delta_between(lower, upper);
            return DPN_OK;
        }
    }
    dpn_status status = dpn_fft_look(plan, workspace, accuracy, why);
    return status ? status : refine(out, reader, plan, workspace, accuracy, why);
}

dpn_status dpn_fft_delta(dpn_delta *out, dpn_fft_reader *reader, dpn_workspace *workspace, const dpn_part *part,
                         size_t parts, double epsilon, double accuracy, dpn_error *why) {
    dpn_fft_plan plan = {.brief = reader->brief};
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < parts && !status; i++) {
        dpn_loss_view view = dpn_loss_look(&part[i].loss);
        if (part[i].loss.kind->remembered) view.memo = dpn_workspace_memo(workspace);
        status = dpn_fft_add(&plan, view, part[i].times, why);
    }
    return status ? status : dpn_fft_solve(out, reader, &plan, workspace, epsilon, accuracy, why);
}
