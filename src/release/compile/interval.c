/* Intervals for what is computed from noisy sums, by simulating noise whose law is public. */
#include "release/compile/interval.h"

#include "base/error.h"
#include "release/compile/selection.h"
#include "release/compile/tree-interval.h"
#include "release/statistic/statistic.h"

#include <math.h>
#include <stdlib.h>

enum { DRAWS = 20000, MOST_NUMBERS = 4000000, NODES = 65 };

/* ---- Simulated noise ---- */

static bool is_derived(const dpn_output *output) {
    return output->first != SIZE_MAX && output->rows != SIZE_MAX;
}

static bool needs_noise(const dpn_query *query) {
    for (size_t i = 0; i < query->outputs; i++)
        if (is_derived(&query->outputs_of[i])) return true;
    return false;
}

static dpn_status draw_all(dpn_query *query, dpn_rng *rng, int64_t *zero, int64_t *steps, dpn_error *why) {
    for (size_t d = 0; d < query->draws; d++) {
        dpn_status status = dpn_release_draw(steps, query->release, rng, zero, why);
        if (status) return status;
        for (size_t i = 0; i < query->moments; i++)
            query->noise[d * query->moments + i] =
                ldexp((double)steps[i], dpn_release_grid_exponent(query->release, i));
    }
    return DPN_OK;
}

static dpn_status simulate(dpn_query *query, dpn_error *why) {
    size_t most = MOST_NUMBERS / query->moments;
    if (most < 1000) return dpn_fail(why, DPN_EDOMAIN, "%zu sums in a group are too many", query->moments);
    query->draws = most < DRAWS ? most : DRAWS;
    query->noise = malloc(query->draws * query->moments * sizeof *query->noise);
    int64_t *zero = calloc(query->moments, sizeof *zero), *steps = calloc(query->moments, sizeof *steps);
    dpn_rng *rng = NULL;
    bool room = query->noise && zero && steps;
    dpn_status status = room ? dpn_rng_new(&rng, why) : dpn_fail(why, DPN_ENOMEM, "no memory for the intervals");
    if (!status) status = draw_all(query, rng, zero, steps, why);
    dpn_rng_free(rng);
    free(zero);
    free(steps);
    return status;
}

/* ---- Quantiles of simulated numbers ---- */

/* The number at a rank; the array is reordered (Hoare 1961). */
static double at_rank(double *x, size_t count, size_t rank) {
    size_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = x[rank];
        size_t i = low, j = high;
        do {
            while (x[i] < pivot) i++;
            while (pivot < x[j]) j--;
            if (i > j) break;
            double swap = x[i];
            x[i] = x[j];
            x[j] = swap;
            i++;
            if (j == 0) break;
            j--;
        } while (i <= j);
        if (j < rank) low = i;
        if (rank < i) high = j;
    }
    return x[rank];
}

static size_t rank_of(double share, size_t count) {
    double rank = ceil(share * (double)count) - 1;
    return rank < 0 ? 0 : rank > (double)(count - 1) ? count - 1 : (size_t)rank;
}

/* So many draws tell a share to 6.5 standard deviations, but for 1e-10; the rank is raised by two of them, and by what is above 0.01 if there are few draws. */
double dpn_range_of(double *x, size_t count, double level) {
    double unknown = 6.5 * sqrt(level * (1 - level) / (double)count);
    double raised = level + fmax(unknown - 0.01, unknown * 2 / 6.5);
    return at_rank(x, count, rank_of(raised, count));
}

double dpn_share_of(double *x, size_t count, double share) {
    return at_rank(x, count, rank_of(share, count));
}

double dpn_width_at(const dpn_query *query, const dpn_output *output, double t, double level, double *room) {
    for (size_t d = 0; d < query->draws; d++) {
        const double *noise = query->noise + d * query->moments;
        room[d] = fabs(noise[output->first] - t * noise[output->rows]);
    }
    return dpn_range_of(room, query->draws, level);
}

/* ---- Preparing ---- */

double dpn_half_width(const dpn_query *query, size_t moment) {
    const dpn_measure *measure = &query->measure[query->moment[moment].a];
    return ldexp((double)(measure->upper - measure->middle), measure->exponent);
}

static double node(double half, int i) {
    return half * (2.0 * i / (NODES - 1) - 1);
}

dpn_status dpn_interval_mean_prepare(const dpn_query *query, dpn_output *output, double *room, dpn_error *why) {
    if (!(output->width = malloc(NODES * sizeof *output->width)))
        return dpn_fail(why, DPN_ENOMEM, "no memory for the intervals");
    double half = dpn_half_width(query, output->first);
    for (int i = 0; i < NODES; i++) output->width[i] = dpn_width_at(query, output, node(half, i), 0.95, room);
    if (dpn_is_selected(query, output)) output->alone = dpn_width_at(query, output, 0, DPN_LEVEL_SELECTED, room);
    return DPN_OK;
}

dpn_status dpn_intervals_prepare(dpn_query *query, dpn_error *why) {
    dpn_status status = needs_noise(query) ? simulate(query, why) : DPN_OK;
    double *room = malloc((query->draws + 1) * sizeof *room);
    if (!status && !room) status = dpn_fail(why, DPN_ENOMEM, "no memory for the intervals");
    for (size_t i = 0; i < query->outputs && !status; i++) {
        dpn_output *output = &query->outputs_of[i];
        output->half = NAN;
        if (output->row->prepare) status = output->row->prepare(query, output, room, why);
    }
    free(room);
    return status ? status : dpn_tree_widths(query, why);
}

/* ---- Means ---- */

/* The part of [a, b] where f <= 0, f being linear with f(a) and f(b) as given. */
static void cut(double *a, double *b, double at_a, double at_b) {
    if (at_a <= 0 && at_b <= 0) return;
    if (at_a > 0 && at_b > 0) {
        *b = -INFINITY;
        return;
    }
    double root = *a + (*b - *a) * at_a / (at_a - at_b);
    if (at_a > 0)
        *a = root;
    else
        *b = root;
}

/* Between two nodes the width is taken as linear, which is not less than a convex function of t. */
void dpn_interval_mean(double *low, double *high, const dpn_query *query, const dpn_output *output, double rows,
                       double sum) {
    double half = dpn_half_width(query, output->first);
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i + 1 < NODES; i++) {
        double from = node(half, i), to = node(half, i + 1), a = from, b = to;
        double w_from = output->width[i], w_to = output->width[i + 1];
        double d_from = sum - from * rows, d_to = sum - to * rows;
        cut(&a, &b, d_from - w_from, d_to - w_to);
        double left = a, right = b; /* the part that is left of the first cut, for the second one */
        if (left > right) continue;
        double other_a = from, other_b = to;
        cut(&other_a, &other_b, -d_from - w_from, -d_to - w_to);
        left = fmax(left, other_a);
        right = fmin(right, other_b);
        if (left > right) continue;
        *low = fmin(*low, left);
        *high = fmax(*high, right);
    }
    if (*low <= *high) return;
    /* No mean within the bounds fits the noise: the end that fits best, with the width it has there. */
    double end = sum * rows < 0 ? -half : half, width = output->width[end < 0 ? 0 : NODES - 1] / fmax(rows, 1);
    *low = fmax(end - width, -half);
    *high = fmin(end + width, half);
}

/* ---- Sums and means of a count that was selected ---- */

void dpn_interval_selected(double *low, double *high, const dpn_query *query, const dpn_output *output, double rows,
                           double sum, double (*of)(double rows, double sum, double middle), double middle) {
    double fewest, most;
    if (!dpn_selection_is_near(query, rows)) return;
    dpn_selection_interval(&fewest, &most, query, rows, DPN_LEVEL_SELECTED);
    for (int i = 0; i < 4; i++) {
        double corner = of(i & 1 ? most : fewest, sum + (i & 2 ? output->alone : -output->alone), middle);
        *low = fmin(*low, corner);
        *high = fmax(*high, corner);
    }
}

/* ---- Variances ---- */

double dpn_covariance(const dpn_query *query, const dpn_output *output, double rows, double first, double second,
                      double product) {
    const dpn_moment *moment = &query->moment[output->product];
    double n = fmax(rows, 2), whole = product + n * ldexp((double)moment->offset, moment->exponent);
    double most = dpn_half_width(query, output->first) * dpn_half_width(query, output->second);
    double value = (whole / n - first / n * (second / n));
    return fmin(fmax(value, output->first == output->second ? 0 : -most), most) * (n / (n - 1));
}
