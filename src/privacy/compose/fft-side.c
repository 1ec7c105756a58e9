/* One side of the bracket by FFT: window, transforms, and the sums over what comes back. docs/proofs/privacy/fft.md bounds
 * each error.
 */
#include "base/error.h"
#include "privacy/compose/fft-plan.h"
#include "privacy/compose/workspace.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Relative error of a transform in the 2-norm: measured below 5e-16 up to length 2^22, times 1000. */
#define TRANSFORM_ERROR 5e-13

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

static const dpn_grid *grid_of(const tilted *t, size_t i) {
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
        const dpn_grid *grid = grid_of(t, i);
        best += sign * plan->part[i].times * dpn_grid_value(grid, sign > 0 ? grid->count - 1 : 0);
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

static double complex times(double complex a, double complex b) { /* without C's care for infinities */
    double ar = creal(a), ai = cimag(a), br = creal(b), bi = cimag(b);
    return ar * br - ai * bi + I * (ar * bi + ai * br); /* CMPLX is not everywhere */
}

static double complex power(double complex base, uint64_t exponent) {
    double complex result = 1;
    for (; exponent > 1; exponent >>= 1) {
        if (exponent & 1) result = times(result, base);
        base = times(base, base);
    }
    return times(result, base);
}

/* into[k] = spectrum[k]^exponent, multiplied by what is there unless it is the first. */
static void multiply_power(double complex *into, const double complex *spectrum, size_t half, uint64_t exponent,
                           bool first) {
    double floor_square = pow(DROPPED, 2 / (double)exponent);
    for (size_t k = 0; k < half; k++) {
        double complex base = spectrum[k];
        double square = creal(base) * creal(base) + cimag(base) * cimag(base);
        double complex one = square < floor_square ? 0 : power(base, exponent);
        into[k] = first ? one : times(into[k], one);
    }
}

/* The composition's tilted masses into the workspace's real array, up to the factor length; the 2-norms of the parts' masses,
 * each times its number, are added to *norms. */
static dpn_status convolve(const tilted *t, size_t length, dpn_workspace *workspace, double *norms, dpn_error *why) {
    const dpn_fft_plan *plan = t->plan;
    size_t half = length / 2 + 1;
    dpn_status status = dpn_workspace_transform(workspace, length);
    double complex *product = NULL;
    if (!status && plan->parts > 1)
        product = (double complex *)dpn_fft_slot(workspace, DPN_SLOT_PRODUCT, 2 * half, &status);
    if (status) return dpn_fail(why, status, "no memory for a transform of length %zu", length);
    double *real = dpn_workspace_real(workspace);
    double complex *spectrum = dpn_workspace_spectrum(workspace);
    for (size_t i = 0; i < plan->parts; i++) {
        *norms += plan->part[i].times * load(real, length, t->mass[i], grid_of(t, i)->count);
        dpn_workspace_forward(workspace);
        multiply_power(product ? product : spectrum, spectrum, half, (uint64_t)plan->part[i].times, i == 0);
    }
    if (product) memcpy(spectrum, product, half * sizeof *product);
    dpn_workspace_backward(workspace);
    return DPN_OK;
}

dpn_status dpn_fft_compose(dpn_fft_window *out, const dpn_fft_plan *plan, int side, dpn_workspace *workspace,
                           dpn_error *why) {
    tilted t = {.plan = plan, .side = side};
    dpn_status status = tilt_parts(&t, workspace, why);
    if (status) return status;
    double step = grid_of(&t, 0)->step, down = window_reach(&t, -1), up = window_reach(&t, 1);
    size_t length = 16;
    int log2_most = plan->brief ? DPN_FFT_LOG2_BRIEF : DPN_FFT_LOG2_MAX;
    while ((double)length * step < down + up + 2 * step && length < (size_t)2 << log2_most) length *= 2;
    if (length > (size_t)1 << log2_most)
        return dpn_fail(why, DPN_EACCURACY, "the accuracy needs a transform longer than 2^%d", log2_most);
    double norms = 0, offset = 0, square = 0,
           *mass = dpn_fft_slot(workspace, DPN_SLOT_COMPOSED + side, length, &status);
    if (status) return dpn_fail(why, status, "no memory for a transform of length %zu", length);
    status = convolve(&t, length, workspace, &norms, why);
    if (status) return status;
    memcpy(mass, dpn_workspace_real(workspace), length * sizeof *mass);
    for (size_t k = 0; k < length; k++) square += mass[k] * mass[k];
    for (size_t i = 0; i < plan->parts; i++) offset += plan->part[i].times * grid_of(&t, i)->offset;
    double first = floor((t.all.mean - down - offset) / step), norm = sqrt(square) / (double)length;
    *out = (dpn_fft_window){
        .mass = mass,
        .length = length,
        .rest = (size_t)(first - floor(first / (double)length) * (double)length),
        .start = offset + first * step,
        .step = step,
        .theta = plan->theta,
        .times = plan->times,
        .log_sum = t.all.log_sum,
        .two_norm =
            TRANSFORM_ERROR * (norms + norm) + 8 * plan->times * DBL_EPSILON * norm + (double)plan->parts * DROPPED,
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
