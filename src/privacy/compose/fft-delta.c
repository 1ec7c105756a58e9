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
#include "privacy/compose/dots.h"
#include "privacy/interval.h"
#include "privacy/loss/tail.h"
#include "privacy/compose/workspace.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { COARSE = 513, LOG2_MAX = 22, MAX_PARTS = 64, MAX_REFINEMENTS = 5 };

/* Relative error of a transform in the 2-norm: measured below 5e-16 up to length 2^22, times 1000. */
#define TRANSFORM_ERROR 5e-13

/* Tilted mass that may lie outside the window, on either side. */
#define WINDOW_MASS 1e-13

typedef struct part_plan {
    dpn_loss_view view;
    double low, high;     /* the losses that matter */
    dpn_dots dots[2];     /* above, below */
    size_t start;         /* of its masses in the workspace's slots */
    double times;
} part_plan;

typedef struct fft_plan {
    part_plan part[MAX_PARTS];
    size_t parts;
    double epsilon, theta, times;
    double log_estimate; /* of the finite losses' share of delta, by the saddle point */
    double log_infinite; /* of the infinite losses' share */
} fft_plan;

/* ---- the tilted cumulants of a loss on a grid ---- */

typedef struct moments {
    double log_sum, mean, variance;
} moments;

static moments tilted_moments(const dpn_dots *dots, double theta) {
    double top = -INFINITY;
    for (size_t j = 0; j < dots->grid.count; j++)
        top = fmax(top, dots->log_mass[j] + theta * dpn_grid_value(&dots->grid, j));
    double sum = 0, first = 0, second = 0;
    for (size_t j = 0; j < dots->grid.count; j++) {
        double value = dpn_grid_value(&dots->grid, j);
        double weight = exp(dots->log_mass[j] + theta * value - top);
        sum += weight;
        first += weight * value;
        second += weight * value * value;
    }
    double mean = first / sum;
    return (moments){top + log(sum), mean, fmax(0, second / sum - mean * mean)};
}

static moments total_moments(const fft_plan *plan, int side, double theta) {
    moments total = {0, 0, 0};
    for (size_t i = 0; i < plan->parts; i++) {
        moments one = tilted_moments(&plan->part[i].dots[side], theta);
        total.log_sum += plan->part[i].times * one.log_sum;
        total.mean += plan->part[i].times * one.mean;
        total.variance += plan->part[i].times * one.variance;
    }
    return total;
}

/* 1 - prod (1 - infinite mass)^times. */
static double infinite_mass(const fft_plan *plan, int side) {
    double log_finite = 0;
    for (size_t i = 0; i < plan->parts; i++) log_finite += plan->part[i].times * log1p(-plan->part[i].dots[side].infinite);
    return -expm1(log_finite);
}

/* ---- the coarse look: which losses matter, and the saddle point ---- */

/* The loss beyond which one copy's delta is below 1e-320, or its largest value. */
static dpn_status find_high(double *high, const dpn_loss_view *loss, dpn_error *why) {
    *high = dpn_loss_largest(loss);
    if (isfinite(*high)) return DPN_OK;
    for (*high = 1; *high < 1e6; *high *= 2) {
        dpn_delta delta;
        dpn_status status = dpn_loss_delta(&delta, loss, *high, why);
        if (status) return status;
        if (delta.log_upper < -737) return DPN_OK;
    }
    return dpn_fail(why, DPN_EACCURACY, "a loss of the composition has a tail that is too long for the FFT");
}

static double *slot(dpn_workspace *workspace, int number, size_t count, dpn_status *status) {
    double *room = dpn_workspace_slot(workspace, number, count);
    if (!room) *status = DPN_ENOMEM;
    return room;
}

/* Slots 0 and 1 hold the masses of all parts above and below; 2 to 6 are scratch. */
static dpn_status make_all_dots(fft_plan *plan, dpn_workspace *workspace, dpn_error *why) {
    size_t total = 0, largest = 0;
    for (size_t i = 0; i < plan->parts; i++) {
        plan->part[i].start = total;
        total += plan->part[i].dots[0].grid.count;
        if (plan->part[i].dots[0].grid.count > largest) largest = plan->part[i].dots[0].grid.count;
    }
    dpn_status status = DPN_OK;
    double *above = slot(workspace, 0, total, &status), *below = slot(workspace, 1, total, &status);
    dpn_dots_scratch scratch = {slot(workspace, 2, largest, &status), slot(workspace, 3, largest, &status),
                                slot(workspace, 4, largest, &status), slot(workspace, 5, largest, &status),
                                (size_t *)slot(workspace, 6, largest, &status)};
    if (status) return dpn_fail(why, status, "no memory for %zu grid points", total);
    for (size_t i = 0; i < plan->parts && !status; i++) {
        part_plan *p = &plan->part[i];
        p->dots[0].log_mass = above + p->start;
        p->dots[1].log_mass = below + p->start;
        p->dots[1].grid = p->dots[0].grid;
        status = dpn_dots_make(&p->dots[0], &p->dots[1], &p->view, scratch, why);
    }
    return status;
}

/* theta with K'(theta) = epsilon + 1/theta + 1/(1 + theta): the saddle point of the integrand of delta. */
static double find_saddle(const fft_plan *plan, double epsilon) {
    double low = 1e-4, high = 1e4;
    for (int i = 0; i < 40 && high / low > 1.01; i++) {
        double theta = sqrt(low * high);
        if (total_moments(plan, 0, theta).mean < epsilon + 1 / theta + 1 / (1 + theta))
            low = theta;
        else
            high = theta;
    }
    return sqrt(low * high);
}

/* Narrow [low, high] of a part to what matters: what lies below `low` is put there by the polygon above, so its mass counts with
 * the tilt of `low`; what lies above `high` counts as infinite. */
static void narrow(part_plan *p, double theta, double log_floor) {
    const dpn_dots *dots = &p->dots[0];
    moments all = tilted_moments(dots, theta);
    double mass = 0, limit = log(1e-12 / p->times) + all.log_sum, low = p->low, high = p->high;
    for (size_t j = 0; j < dots->grid.count; j++) {
        double value = dpn_grid_value(&dots->grid, j);
        mass += exp(dots->log_mass[j]);
        if (log(mass) + theta * value > limit) break;
        low = value;
    }
    double tail = 0; /* an upper bound of delta at the grid point: the mass above it */
    for (size_t j = dots->grid.count; j-- > 0;) {
        tail += exp(dots->log_mass[j]);
        if (log(tail) > log_floor) break;
        high = dpn_grid_value(&dots->grid, j);
    }
    p->low = low;
    p->high = high;
}

static dpn_status look(fft_plan *plan, dpn_workspace *workspace, double accuracy, dpn_error *why) {
    for (size_t i = 0; i < plan->parts; i++) {
        part_plan *p = &plan->part[i];
        dpn_status status = find_high(&p->high, &p->view, why);
        if (status) return status;
        p->low = fmin(fmax(dpn_loss_least(&p->view), -1e6), -p->high * 1e-3);
        if (!isfinite(dpn_loss_largest(&p->view))) p->low = fmax(p->low, -p->high);
        p->dots[0].grid = (dpn_grid){p->low, (p->high - p->low) / (COARSE - 1), COARSE};
    }
    for (int pass = 0; pass < 2; pass++) { /* the second on the range that the first found */
        dpn_status status = make_all_dots(plan, workspace, why);
        if (status) return status;
        double theta = plan->theta = find_saddle(plan, plan->epsilon);
        moments all = total_moments(plan, 0, theta);
        double curvature = all.variance + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta));
        plan->log_estimate =
            fmin(0, all.log_sum - theta * plan->epsilon - log(theta * (1 + theta)) - 0.5 * log(2 * DPN_PI * curvature));
        plan->log_infinite = log(infinite_mass(plan, 0));
        for (size_t i = 0; i < plan->parts; i++) {
            part_plan *p = &plan->part[i];
            double largest = dpn_loss_largest(&p->view);
            narrow(p, theta, dpn_log_add(plan->log_estimate, plan->log_infinite) + log(accuracy * 1e-3 / plan->times));
            if (isfinite(largest)) p->high = largest;
            p->dots[0].grid = (dpn_grid){p->low, (p->high - p->low) / (COARSE - 1), COARSE};
        }
    }
    return DPN_OK;
}

/* ---- the fine grid ---- */

/* How far the atoms of the parts are from a grid of this step, in steps: 0 if all lie on it. */
static double misalignment(const fft_plan *plan, double step) {
    double worst = 0, offset, lattice;
    for (size_t i = 0; i < plan->parts; i++) {
        if (!dpn_loss_lattice(&plan->part[i].view, &offset, &lattice)) continue;
        double count = lattice / step, distance = fabs(count - round(count));
        worst = fmax(worst, distance < 1e-9 * count ? 0 : distance);
    }
    return worst;
}

/* A step between step/2 and `step` that puts the atoms of the parts on the grid or, where their lattices have no common
 * measure, as near to it as any of the steps that divide the largest lattice. */
static double aligned_step(const fft_plan *plan, double step) {
    double ruler = 0, offset, lattice, best = step, least = INFINITY;
    for (size_t i = 0; i < plan->parts; i++)
        if (dpn_loss_lattice(&plan->part[i].view, &offset, &lattice) && lattice > ruler) ruler = lattice;
    if (ruler == 0) return step;
    double pieces = ceil(ruler / step), most = fmin(pieces, 4096);
    for (double extra = 0; extra <= most && least > 0; extra++) {
        double found = misalignment(plan, ruler / (pieces + extra));
        if (found < least) {
            least = found;
            best = ruler / (pieces + extra);
        }
    }
    return best;
}

static dpn_status make_fine_dots(fft_plan *plan, dpn_workspace *workspace, double step, dpn_error *why) {
    for (size_t i = 0; i < plan->parts; i++) {
        part_plan *p = &plan->part[i];
        double offset = 0, lattice = 0;
        dpn_loss_lattice(&plan->part[i].view, &offset, &lattice);
        double first = floor((p->low - offset) / step + 1e-6), last = ceil((p->high - offset) / step - 1e-6);
        if (last - first > 0x1p22)
            return dpn_fail(why, DPN_EACCURACY, "the accuracy needs more than 2^22 grid points");
        p->dots[0].grid = (dpn_grid){offset + first * step, step, (size_t)(last - first) + 2};
    }
    return make_all_dots(plan, workspace, why);
}

/* ---- one side: window, transform, sum ---- */

/* How far above (sign 1) or below (sign -1) the mean the window must reach so that less than WINDOW_MASS of the tilted mass
 * lies beyond: to the end of the grids, or by Chernoff's bound, which first falls and then rises with its argument. */
static double window_reach(const fft_plan *plan, int side, moments all, double sign) {
    double best = 0, need = -log(WINDOW_MASS);
    for (size_t i = 0; i < plan->parts; i++) {
        const dpn_grid *grid = &plan->part[i].dots[side].grid;
        best += plan->part[i].times * dpn_grid_value(grid, sign > 0 ? grid->count - 1 : 0);
    }
    best = sign * (best - all.mean);
    double before = INFINITY, lambda = sqrt(2 * need / (all.variance + DBL_MIN));
    for (int i = 0; i < 60; i++, lambda *= 0.5) {
        moments moved = total_moments(plan, side, plan->theta + sign * lambda);
        double reach = (moved.log_sum - all.log_sum - sign * lambda * all.mean + need) / lambda;
        if (reach > before) break;
        if (reach < best) best = reach;
        before = reach;
    }
    return best;
}

static double complex power(double complex base, double exponent) {
    double complex result = 1;
    for (uint64_t n = (uint64_t)exponent; n; n >>= 1) {
        if (n & 1) result *= base;
        base *= base;
    }
    return result;
}

/* The tilted masses of a part, folded into the transform's array; returns their 2-norm. */
static double load(double *real, size_t length, const dpn_dots *dots, double theta, double log_sum) {
    memset(real, 0, length * sizeof *real);
    for (size_t j = 0; j < dots->grid.count; j++)
        real[j & (length - 1)] += exp(dots->log_mass[j] + theta * dpn_grid_value(&dots->grid, j) - log_sum);
    double square = 0;
    for (size_t j = 0; j < length; j++) square += real[j] * real[j];
    return sqrt(square);
}

/* log delta of the composition of one side's dots, and a bound of the numerical error in the same unit: the answer is
 * exp(scale) (sum +- error) + infinite. */
typedef struct answer {
    double scale, sum, error, infinite;
} answer;

static dpn_status sum_side(answer *out, const fft_plan *plan, int side, dpn_workspace *workspace, dpn_error *why) {
    double theta = plan->theta, step = plan->part[0].dots[side].grid.step;
    moments all = total_moments(plan, side, theta);
    double down = window_reach(plan, side, all, -1), up = window_reach(plan, side, all, 1);
    size_t length = 16;
    while ((double)length * step < down + up + 2 * step && length < ((size_t)2 << LOG2_MAX)) length *= 2;
    if (length > (size_t)1 << LOG2_MAX)
        return dpn_fail(why, DPN_EACCURACY, "the accuracy needs a transform longer than 2^%d", LOG2_MAX);
    dpn_status status = dpn_workspace_transform(workspace, length);
    size_t half = length / 2 + 1;
    double complex *product = (double complex *)slot(workspace, 7, 2 * half, &status);
    if (status) return dpn_fail(why, status, "no memory for a transform of length %zu", length);

    double *real = dpn_workspace_real(workspace), offset = 0, norms = 0;
    for (size_t k = 0; k < half; k++) product[k] = 1;
    for (size_t i = 0; i < plan->parts; i++) {
        const part_plan *p = &plan->part[i];
        norms += p->times * load(real, length, &p->dots[side], theta, tilted_moments(&p->dots[side], theta).log_sum);
        dpn_workspace_forward(workspace);
        const double complex *spectrum = dpn_workspace_spectrum(workspace);
        for (size_t k = 0; k < half; k++) product[k] *= power(spectrum[k], p->times);
        offset += p->times * p->dots[side].grid.offset;
    }
    memcpy(dpn_workspace_spectrum(workspace), product, half * sizeof *product);
    dpn_workspace_backward(workspace);

    /* Entry k of the result is the value offset + (k + whole windows) step in [start, start + length step). */
    double first = floor((all.mean - down - offset) / step);
    double sum = 0, square = 0, weights = 0;
    size_t rest = (size_t)(first - floor(first / (double)length) * (double)length);
    for (size_t k = 0; k < length; k++) {
        double mass = real[(rest + k) & (length - 1)] / (double)length;
        double above = offset + (first + (double)k) * step - plan->epsilon;
        square += mass * mass;
        if (above <= 0) continue;
        double weight = exp(-theta * above) * -expm1(-above);
        sum += mass * weight;
        weights += weight * weight;
    }
    double largest_weight = exp(theta * log(theta) - (1 + theta) * log1p(theta));
    out->scale = all.log_sum - theta * plan->epsilon;
    out->sum = sum;
    out->error = sqrt(weights) * (TRANSFORM_ERROR * (norms + sqrt(square)) + 8 * plan->times * DBL_EPSILON * sqrt(square)) +
                 4 * WINDOW_MASS * largest_weight + plan->times * 2e-12 * sum;
    out->infinite = infinite_mass(plan, side);
    return DPN_OK;
}

/* delta where no finite loss exceeds epsilon. */
static dpn_status only_infinite(dpn_delta *out, fft_plan *plan, dpn_error *why) {
    double log_finite[2] = {0, 0};
    for (size_t i = 0; i < plan->parts; i++) {
        dpn_delta infinite;
        dpn_status status = dpn_loss_delta(&infinite, &plan->part[i].view, INFINITY, why);
        if (status) return status;
        log_finite[0] += plan->part[i].times * log1p(-infinite.lower);
        log_finite[1] += plan->part[i].times * log1p(-infinite.upper);
    }
    double slack = plan->times * 4 * DBL_EPSILON;
    *out = dpn_delta_between(log(-expm1(log_finite[0])) - slack, log(-expm1(log_finite[1])) + slack);
    return DPN_OK;
}

dpn_status dpn_fft_delta(dpn_delta *out, dpn_workspace *workspace, const dpn_part *part, size_t parts, double epsilon,
                         double accuracy, dpn_error *why) {
    fft_plan plan = {.epsilon = epsilon};
    for (size_t i = 0; i < parts; i++) {
        dpn_loss_view view = dpn_loss_look(&part[i].loss);
        if (dpn_loss_least(&view) == 0 && dpn_loss_largest(&view) == 0) continue; /* always 0 */
        if (part[i].times == 0) continue;
        if (plan.parts == MAX_PARTS)
            return dpn_fail(why, DPN_EUNSUPPORTED, "the FFT composes at most %d different losses", MAX_PARTS);
        plan.part[plan.parts].view = view;
        plan.times += plan.part[plan.parts++].times = (double)part[i].times;
    }
    if (plan.parts == 0) {
        *out = dpn_delta_near(epsilon < 0 ? -expm1(epsilon) : 0, DBL_EPSILON);
        return DPN_OK;
    }
    double end = 0; /* beyond the largest finite loss of all only the infinite ones count */
    for (size_t i = 0; i < plan.parts; i++) end += plan.part[i].times * dpn_loss_largest(&plan.part[i].view);
    if (epsilon >= end) return only_infinite(out, &plan, why);
    dpn_status status = look(&plan, workspace, accuracy, why);
    /* The finite losses need only the accuracy that their share of delta leaves them. */
    double needed = accuracy * (1 + fmin(exp(plan.log_infinite - plan.log_estimate), 1e12));
    double step = sqrt(12 * needed / (plan.theta * (1 + plan.theta) * plan.times));
    double before = INFINITY, step_before = INFINITY;
    for (int i = 0; i < MAX_REFINEMENTS && !status; i++) {
        answer above, below;
        step = aligned_step(&plan, step);
        status = make_fine_dots(&plan, workspace, step, why);
        if (!status) status = sum_side(&above, &plan, 0, workspace, why);
        if (!status) status = sum_side(&below, &plan, 1, workspace, why);
        if (status) return status;
        double upper = dpn_log_add(above.scale + log(above.sum + above.error), log(above.infinite));
        double lower = below.sum > below.error ? below.scale + log(below.sum - below.error) : -INFINITY;
        lower = dpn_log_add(lower, log(below.infinite));
        upper = fmin(0, upper);
        /* Where masses underflow the sums are empty: no bracket, no answer. */
        if (!(isfinite(upper) && lower <= upper)) break;
        if (upper - lower <= log1p(accuracy)) {
            *out = dpn_delta_between(lower, upper);
            return DPN_OK;
        }
        /* The distance falls like a power of the step: 2 in general, 1 where atoms lie off the grid. */
        double distance = fmin(upper - lower, 1), order = log(before / distance) / log(step_before / step);
        before = distance;
        step_before = step;
        step /= fmin(fmax(1.2 * pow(distance / log1p(accuracy), 1 / fmin(fmax(i ? order : 2, 1), 2)), 2), 64);
    }
    return status ? status : dpn_fail(why, DPN_EACCURACY, "the FFT does not reach the accuracy; ask for less");
}
