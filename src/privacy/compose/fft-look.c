/* The coarse look of the FFT engine: which losses matter, and the saddle point. */
#include "base/error.h"
#include "privacy/compose/fft-nodes.h"
#include "privacy/compose/workspace.h"
#include "privacy/interval.h"

enum { PASSES = 4 };

double *dpn_fft_slot(dpn_workspace *workspace, int slot, size_t count, dpn_status *status) {
    double *room = dpn_workspace_slot(workspace, slot, count);
    if (!room) *status = DPN_ENOMEM;
    return room;
}

dpn_status dpn_fft_make_dots(dpn_fft_plan *plan, dpn_workspace *workspace, bool both, dpn_error *why) {
    size_t total = 0, largest = 0;
    for (size_t i = 0; i < plan->parts; i++) {
        size_t count = plan->part[i].dots[DPN_ABOVE].grid.count;
        total += count;
        if (count > largest) largest = count;
    }
    dpn_status status = DPN_OK;
    double *mass = dpn_fft_slot(workspace, DPN_SLOT_MASS, 2 * total, &status);
    double *blur = dpn_fft_slot(workspace, DPN_SLOT_BLUR, 2 * total, &status), *scratch[4];
    for (int i = 0; i < 4; i++) scratch[i] = dpn_fft_slot(workspace, DPN_SLOT_SCRATCH + i, largest, &status);
    size_t *corner = (size_t *)(void *)dpn_fft_slot(workspace, DPN_SLOT_CORNER, largest, &status);
    size_t *node = (size_t *)(void *)dpn_fft_slot(workspace, DPN_SLOT_NODE, total, &status);
    if (status) return dpn_fail(why, status, "no memory for %zu grid points", total);
    dpn_patience watch = dpn_workspace_watched(workspace);
    dpn_dots_scratch room = {scratch[0], scratch[1], scratch[2], scratch[3], corner, watch.cancelled, watch.context};
    for (size_t i = 0; i < plan->parts && !status; i++) {
        dpn_fft_part *p = &plan->part[i];
        size_t count = p->dots[DPN_ABOVE].grid.count;
        size_t nodes = both ? dpn_fft_choose_nodes(node, p) : 0;
        for (int side = 0; side < 2; side++, mass += count, blur += count)
            p->dots[side] = (dpn_dots){.grid = p->dots[DPN_ABOVE].grid,
                                       .node = both ? node : NULL,
                                       .nodes = nodes,
                                       .alone = !both,
                                       .log_mass = mass,
                                       .blur = blur};
        node += nodes;
        if (plan->most_nodes > 0 && nodes > plan->most_nodes)
            return dpn_fail(why, DPN_EACCURACY, "the accuracy needs a profile at more than %zu points",
                            plan->most_nodes);
        status = dpn_dots_above(&p->dots[DPN_ABOVE], &p->view, room, why);
        if (!status && both) status = dpn_dots_below(&p->dots[DPN_BELOW], &p->view, room, why);
    }
    return status;
}

double dpn_fft_infinite(const dpn_fft_plan *plan, int side) {
    double log_finite = 0;
    for (size_t i = 0; i < plan->parts; i++)
        log_finite += plan->part[i].times * log1p(-plan->part[i].dots[side].infinite);
    return -expm1(log_finite);
}

static dpn_moments total_moments(const dpn_fft_plan *plan, double theta) {
    dpn_moments total = {0, 0, 0};
    for (size_t i = 0; i < plan->parts; i++) {
        dpn_moments one = dpn_tilted_moments(&plan->part[i].dots[DPN_ABOVE], theta);
        total.log_sum += plan->part[i].times * one.log_sum;
        total.mean += plan->part[i].times * one.mean;
        total.variance += plan->part[i].times * one.variance;
    }
    return total;
}

/* theta with K'(theta) = epsilon + 1/theta + 1/(1 + theta): the saddle point of the integrand of delta. */
static double find_saddle(const dpn_fft_plan *plan) {
    double low = 1e-4, high = 1e4;
    for (int i = 0; i < 40 && high / low > 1.05; i++) {
        double theta = sqrt(low * high);
        if (total_moments(plan, theta).mean < plan->epsilon + 1 / theta + 1 / (1 + theta))
            low = theta;
        else
            high = theta;
    }
    return sqrt(low * high);
}

/* The loss beyond which one copy's delta is below 1e-320, or nothing but the mass of infinite loss; or its largest value. */
static dpn_status find_high(double *high, const dpn_loss_view *loss, dpn_error *why) {
    *high = loss->source->largest(loss);
    if (isfinite(*high)) return DPN_OK;
    double lower, upper, infinite;
    dpn_status status = loss->source->log_delta(&lower, &infinite, loss, INFINITY, why);
    if (status) return status;
    for (*high = 1; *high < 1e6; *high *= 2) {
        status = loss->source->log_delta(&lower, &upper, loss, *high, why);
        if (status) return status;
        if (upper < fmax(-737, infinite + 1e-9)) return DPN_OK;
    }
    return dpn_fail(why, DPN_EACCURACY, "a loss of the composition has a tail that is too long for the FFT");
}

/* Narrow [low, high] of a part to what matters. What lies below `low` is put there by the polygon above, so its mass counts with
 * the tilt of `low`: it may be a share of `negligible` of the tilted mass. What lies above `high` counts as infinite: it may
 * be exp(log_floor). */
static void narrow(dpn_fft_part *p, double theta, double negligible, double log_floor) {
    const dpn_dots *dots = &p->dots[DPN_ABOVE];
    double mass = 0, limit = log(negligible) + dpn_tilted_moments(dots, theta).log_sum, low = p->low, high = p->high;
    for (size_t j = 0; j < dots->grid.count; j++) {
        double value = dpn_dot_grid_value(&dots->grid, j);
        mass += exp(dots->log_mass[j]);
        if (log(mass) + theta * value > limit) break;
        low = value;
    }
    double tail = 0; /* an upper bound of delta at the grid point: the mass above it */
    for (size_t j = dots->grid.count; j-- > 0;) {
        tail += exp(dots->log_mass[j]);
        if (log(tail) > log_floor) break;
        high = dpn_dot_grid_value(&dots->grid, j);
    }
    if (!(low < high)) return; /* little matters: leave it as it is rather than with nothing */
    p->low = low;
    p->high = high;
}

static void coarse_grid(dpn_fft_part *p) {
    p->dots[DPN_ABOVE].grid = (dpn_dot_grid){p->low, (p->high - p->low) / (DPN_FFT_COARSE - 1), DPN_FFT_COARSE};
}

dpn_status dpn_fft_look(dpn_fft_plan *plan, dpn_workspace *workspace, double accuracy, dpn_error *why) {
    for (size_t i = 0; i < plan->parts; i++) {
        dpn_fft_part *p = &plan->part[i];
        dpn_status status = find_high(&p->high, &p->view, why);
        if (status) return status;
        p->low = fmin(fmax(p->view.source->least(&p->view), -1e6), -p->high * 1e-3);
        if (!isfinite(p->view.source->largest(&p->view))) p->low = fmax(p->low, -p->high);
        coarse_grid(p);
    }
    /* Each pass is on the range that the one before found. The first sees a narrow loss with a long tail poorly, and must not take
     * its own estimate at its word. */
    for (int pass = 0; pass < PASSES; pass++) {
        dpn_status status = dpn_fft_make_dots(plan, workspace, false, why);
        if (status) return status;
        double theta = plan->theta = find_saddle(plan);
        dpn_moments all = total_moments(plan, theta);
        double curvature = all.variance + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta));
        plan->log_estimate =
            fmin(0, all.log_sum - theta * plan->epsilon - log(theta * (1 + theta)) - 0.5 * log(2 * DPN_PI * curvature));
        plan->log_infinite = log(dpn_fft_infinite(plan, DPN_ABOVE));
        double negligible = accuracy * 1e-3 / plan->times * exp(-60 * (PASSES - 1 - pass));
        for (size_t i = 0; i < plan->parts; i++) {
            dpn_fft_part *p = &plan->part[i];
            double largest = p->view.source->largest(&p->view);
            narrow(p, theta, negligible, dpn_log_add(plan->log_estimate, plan->log_infinite) + log(negligible));
            if (isfinite(largest)) p->high = largest;
            if (pass + 1 < PASSES) coarse_grid(p);
        }
    }
    return DPN_OK;
}

/* The polygon above dominates the loss, so its transform bounds that of the loss: delta <= c(theta) e^(K(theta) - theta epsilon) and the
 * infinite mass, c(theta) as in contour.md, section 2. */
dpn_status dpn_fft_chernoff(double *log_upper, dpn_fft_plan *plan, dpn_workspace *workspace, double epsilon,
                            dpn_error *why) {
    plan->epsilon = epsilon;
    dpn_status status = dpn_fft_look(plan, workspace, 1, why);
    if (status) return status;
    double best = 0, infinite = dpn_fft_infinite(plan, DPN_ABOVE);
    for (double theta = plan->theta / 16; theta < 20 * plan->theta; theta *= 1.2) {
        double exponent = -theta * epsilon - theta * log1p(1 / theta) - log1p(theta);
        for (size_t i = 0; i < plan->parts; i++) {
            const dpn_dots *dots = &plan->part[i].dots[DPN_ABOVE];
            double blur = 0;
            for (size_t j = 0; j < dots->grid.count; j++)
                if (dots->log_mass[j] > -INFINITY) blur = fmax(blur, dots->blur[j]);
            exponent += plan->part[i].times * (dpn_tilted_moments(dots, theta).log_sum + (blur + 600) * DBL_EPSILON);
        }
        best = fmin(best, exponent + 1e-12 * (1 + fabs(exponent)));
    }
    *log_upper = fmin(0, dpn_log_add(best, log(infinite)) + 1e-12);
    return DPN_OK;
}
