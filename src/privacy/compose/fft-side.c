/* One side of the bracket by FFT: window, transforms, and the sums over what comes back. docs/proofs/privacy/fft.md bounds
 * each error.
 */
#include "base/error.h"
#include "privacy/compose/fft-plan.h"
#include "privacy/compose/workspace.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Tilted mass that may lie outside the window, on either side. */
#define WINDOW_MASS 1e-13

/* Entries of the product of the transforms below this modulus are dropped. */
#define DROPPED 1e-20

/* The tilted parts of one side. */
typedef struct tilted {
    const dpn_fft_plan *plan;
    int side;
    double *mass[DPN_FFT_PARTS];
    dpn_moments one[DPN_FFT_PARTS], all;
    double blur; /* relative error of the composition's tilted masses from those of the parts, in the 1-norm */
} tilted;

static const dpn_dot_grid *grid_of(const tilted *t, size_t i) {
    return &t->plan->part[i].dots[t->side].grid;
}

static dpn_status tilt_parts(tilted *t, dpn_workspace *workspace, dpn_error *why) {
    size_t total = 0;
    for (size_t i = 0; i < t->plan->parts; i++) total += grid_of(t, i)->count;
    dpn_status status = DPN_OK;
    double *room = dpn_fft_slot(workspace, DPN_SLOT_TILTED, total, &status);
    if (status) return dpn_fail(why, status, "no memory for %zu grid points", total);
    for (size_t i = 0; i < t->plan->parts; i++) {
        const dpn_fft_part *p = &t->plan->part[i];
        const dpn_dots *dots = &p->dots[t->side];
        t->mass[i] = room;
        room += dots->grid.count;
        t->one[i] = dpn_tilt(t->mass[i], dots, t->plan->theta);
        t->all.log_sum += p->times * t->one[i].log_sum;
        t->all.mean += p->times * t->one[i].mean;
        t->all.variance += p->times * t->one[i].variance;
        double blur = 0;
        for (size_t j = 0; j < dots->grid.count; j++)
            if (t->mass[i][j] > 0) blur += t->mass[i][j] * dots->blur[j];
        t->blur += p->times * blur * DBL_EPSILON;
    }
    return DPN_OK;
}

/* How far above (sign 1) or below (sign -1) the mean the window must reach so that less than WINDOW_MASS of the tilted mass
 * lies beyond: to the end of the grids, or by Chernoff's bound, which first falls and then rises with its argument. */
static double window_reach(const tilted *t, double sign) {
    const dpn_fft_plan *plan = t->plan;
    double best = -sign * t->all.mean, need = -log(WINDOW_MASS);
    for (size_t i = 0; i < plan->parts; i++) {
        const dpn_dot_grid *grid = grid_of(t, i);
        best += sign * plan->part[i].times * dpn_dot_grid_value(grid, sign > 0 ? grid->count - 1 : 0);
    }
    double before = INFINITY, lambda = sqrt(2 * need / (t->all.variance + DBL_MIN));
    for (int i = 0; i < 60; i++, lambda *= 0.7) {
        double log_mgf = 0;
        for (size_t k = 0; k < plan->parts; k++)
            log_mgf += plan->part[k].times * dpn_log_mgf(t->mass[k], grid_of(t, k), sign * lambda, t->one[k].mean);
        double reach = (log_mgf + need) / lambda;
        if (reach > before) break;
        best = fmin(best, reach);
        before = reach;
    }
    return best;
}

/* The tilted masses of a part, folded into the transform's array; returns their 2-norm. */
static double load(double *real, size_t length, const double *mass, size_t count) {
    double square = 0;
    memset(real, 0, length * sizeof *real);
    for (size_t j = 0; j < count; j++) real[j & (length - 1)] += mass[j];
    for (size_t j = 0; j < length && j < count; j++) square += real[j] * real[j];
    return sqrt(square);
}

/* The composition's tilted masses into the workspace's real array, up to the factor length; the 2-norms of the parts' masses,
 * each times its number, are added to *norms. */
static dpn_status convolve(const tilted *t, int log2_length, dpn_workspace *workspace, double *norms, dpn_error *why) {
    const dpn_fft_plan *plan = t->plan;
    size_t length = (size_t)1 << log2_length, cells = dpn_fft_cells(log2_length);
    dpn_status status = dpn_workspace_transform(workspace, log2_length);
    dpn_fft_cell *product = NULL;
    if (!status && plan->parts > 1)
        product = (dpn_fft_cell *)(void *)dpn_fft_slot(workspace, DPN_SLOT_PRODUCT, 8 * cells, &status);
    if (status) return dpn_fail(why, status, "no memory for a transform of length %zu", length);
    double *real = dpn_workspace_real(workspace);
    dpn_fft_cell *spectrum = dpn_workspace_spectrum(workspace);
    for (size_t i = 0; i < plan->parts; i++) {
        double copies = plan->part[i].times, least_square = pow(DROPPED, 2 / copies);
        *norms += copies * load(real, length, t->mass[i], grid_of(t, i)->count);
        dpn_workspace_forward(workspace);
        dpn_fft_power(product ? product : spectrum, spectrum, cells, (uint64_t)copies, least_square, i == 0,
                      dpn_workspace_tables(workspace));
    }
    if (product) memcpy(spectrum, product, cells * sizeof *product);
    dpn_workspace_backward(workspace);
    return DPN_OK;
}

/* The error of the composition's masses in the 2-norm, `norm` being that of the computed ones: the errors of the transforms, which
 * powers multiply by their number and by what moduli exceed 1; of the products; of what was dropped; of the way back. */
static double composed_error(const dpn_fft_plan *plan, int log2_length, double norms, double norm) {
    const double margin = 1.01; /* for second order terms and the rounding of the norms */
    double transform = dpn_fft_error(log2_length);
    double products = expm1((plan->times + (double)plan->parts) * DPN_FFT_PRODUCT_ERROR);
    double excess =
        exp(transform * norms * sqrt(ldexp(1, log2_length)) + plan->times * ldexp(DBL_EPSILON, DPN_FFT_LOG2_MAX));
    return margin * ((transform * norms + (double)plan->parts * DROPPED) * excess + (transform + products) * norm);
}

dpn_status dpn_fft_compose(dpn_fft_window *out, const dpn_fft_plan *plan, int side, dpn_workspace *workspace,
                           dpn_error *why) {
    tilted t = {.plan = plan, .side = side};
    dpn_status status = tilt_parts(&t, workspace, why);
    if (status) return status;
    double step = grid_of(&t, 0)->step, down = window_reach(&t, -1), up = window_reach(&t, 1);
    int log2_length = DPN_FFT_LOG2_LEAST, log2_most = plan->brief ? DPN_FFT_LOG2_BRIEF : DPN_FFT_LOG2_MAX;
    while (ldexp(step, log2_length) < down + up + 2 * step && log2_length <= log2_most) log2_length++;
    if (log2_length > log2_most)
        return dpn_fail(why, DPN_EACCURACY, "the accuracy needs a transform longer than 2^%d", log2_most);
    size_t length = (size_t)1 << log2_length;
    double norms = 0, offset = 0, square = 0,
           *mass = dpn_fft_slot(workspace, DPN_SLOT_COMPOSED + side, length, &status);
    if (status) return dpn_fail(why, status, "no memory for a transform of length %zu", length);
    status = convolve(&t, log2_length, workspace, &norms, why);
    if (status) return status;
    memcpy(mass, dpn_workspace_real(workspace), length * sizeof *mass);
    for (size_t k = 0; k < length; k++) square += mass[k] * mass[k];
    for (size_t i = 0; i < plan->parts; i++) offset += plan->part[i].times * grid_of(&t, i)->offset;
    double first = floor((t.all.mean - down - offset) / step);
    *out = (dpn_fft_window){
        .mass = mass,
        .length = length,
        .rest = (size_t)(first - floor(first / (double)length) * (double)length),
        .start = offset + first * step,
        .step = step,
        .theta = plan->theta,
        .times = plan->times,
        .log_sum = t.all.log_sum,
        .two_norm = composed_error(plan, log2_length, norms, sqrt(square) / (double)length),
        .one_norm = 4 * WINDOW_MASS + expm1(t.blur),
        .infinite = dpn_fft_infinite(plan, side),
    };
    return DPN_OK;
}

/* The sum of mass * w(loss - epsilon), w(y) = e^(-theta y) (1 - e^-y), over the losses above epsilon. Both factors of w go on as
 * sequences, begun anew often enough to keep their digits. */
static double weighted_sum(const dpn_fft_window *in, double epsilon, double *weights) {
    enum { RUN = 64 };
    double sum = 0, squares = 0, slow = exp(-in->theta * in->step), fast = exp(-in->step), rise = -expm1(-in->step);
    size_t k = 0;
    if (in->start < epsilon) k = (size_t)fmin((epsilon - in->start) / in->step, (double)in->length);
    while (k < in->length && in->start + (double)k * in->step <= epsilon) k++;
    while (k < in->length) {
        double above = in->start + (double)k * in->step - epsilon;
        double tilt = exp(-in->theta * above), decay = exp(-above), share = -expm1(-above);
        if (tilt == 0) break;
        for (size_t end = k + RUN < in->length ? k + RUN : in->length; k < end; k++) {
            double weight = tilt * share;
            sum += in->mass[(in->rest + k) & (in->length - 1)] * weight;
            squares += weight * weight;
            tilt *= slow;
            share += decay * rise;
            decay *= fast;
        }
    }
    *weights = sqrt(squares);
    return sum / (double)in->length;
}

dpn_fft_sum dpn_fft_read(const dpn_fft_window *window, double epsilon) {
    double theta = window->theta, weights, sum = weighted_sum(window, epsilon, &weights);
    double largest_weight = exp(theta * log(theta) - (1 + theta) * log1p(theta));
    return (dpn_fft_sum){
        .scale = window->log_sum - theta * epsilon,
        .sum = sum,
        .error = weights * window->two_norm + largest_weight * window->one_norm + window->times * 2e-12 * sum,
        .infinite = window->infinite,
    };
}
