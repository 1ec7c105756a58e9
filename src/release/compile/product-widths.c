/* How large the pivot of a variance or covariance can be: simulated at nodes, linear between them. */
#include "release/compile/product-widths.h"

#include "base/error.h"
#include "release/compile/interval.h"
#include "release/compile/products.h"
#include "release/compile/selection.h"

#include <math.h>
#include <stdlib.h>

/* Shares of noise within: of the pivot, beside a lower bound of the rows; where the rows are public; where they were selected,
 * beside the same share of the rows. */
static const double level_noisy = 0.951, level_rows = 0.999, level_known = 0.95, level_selected = DPN_LEVEL_SELECTED;

/* ---- Noise ---- */

typedef struct noises {
    double rows, x, y, product;
} noises;

static noises noises_at(const dpn_query *query, const dpn_output *output, size_t draw, bool known) {
    const double *noise = query->noise + draw * query->moments;
    double x = dpn_half_width(query, output->first), y = dpn_half_width(query, output->second);
    return (noises){known ? 0 : noise[output->rows], noise[output->first] / x, noise[output->second] / y,
                    noise[output->product] / (x * y)};
}

/* ---- Widths ---- */

static double node(size_t i, size_t count, double last) {
    return count > 1 ? last * (double)i / (double)(count - 1) : 0;
}

/* How far the sum of values less the mean times the rows may be off at all: beyond the 99% range of the noise. */
static void fill_far(dpn_widths *out, const dpn_query *query, const noises *noise, double *room) {
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < out->means; i++) {
            double mean = node(i, out->means, 1);
            for (size_t d = 0; d < query->draws; d++)
                room[d] = fabs((side ? noise[d].y : noise[d].x) - mean * noise[d].rows);
            out->far[side][i] = (out->others > 1 ? 1.8 : 1.5) * dpn_range_of(room, query->draws, 0.99);
        }
}

double dpn_part_of(double part, double whole) {
    return whole > 0 ? part / whole : part == 0 ? 0 : INFINITY;
}

static double width_at(const dpn_widths *of, const dpn_query *query, const noises *noise, size_t i, size_t j,
                       double factor, double level, double *room) {
    double s = node(i, of->means, 1), t = of->others > 1 ? node(j, of->others, 1) : s;
    for (size_t d = 0; d < query->draws; d++) {
        const noises *v = &noise[d];
        double a = dpn_part_of(v->x - s * v->rows, of->far[0][i]), b = dpn_part_of(v->y - t * v->rows, of->far[1][j]);
        double left = 1 - a * a - (of->others > 1 ? b * b : 0),
               pivot = v->product - s * v->y - t * v->x + factor * v->rows;
        room[d] = left > 0 ? fabs(pivot) / left : INFINITY;
    }
    return dpn_range_of(room, query->draws, level);
}

static void fill(dpn_widths *out, const dpn_query *query, const noises *noise, double level, double *room) {
    fill_far(out, query, noise, room);
    for (size_t i = 0; i < out->means; i++)
        for (size_t j = 0; j < out->others; j++)
            for (size_t k = 0; k < out->factors; k++) {
                double factor = node(k, out->factors, out->last);
                double up = width_at(out, query, noise, i, j, factor, level, room);
                double down = k > 0 ? width_at(out, query, noise, i, j, -factor, level, room) : up;
                out->at[(i * out->others + j) * out->factors + k] = fmax(up, down);
            }
}

static void make(struct dpn_products *made, const dpn_query *query, const dpn_output *output, noises *noise,
                 double *room) {
    bool silent = query->cell[output->rows].sensitivity == 0, selected = dpn_is_selected(query, output);
    size_t means = made->square ? DPN_SQUARE_NODES : DPN_PRODUCT_NODES, others = made->square ? 1 : DPN_PRODUCT_NODES;
    made->noisy = (dpn_widths){.means = means, .others = others, .factors = means, .last = made->square ? 1.5 : 2};
    made->known = (dpn_widths){.means = means, .others = others, .factors = 1};
    if (!silent) {
        for (size_t d = 0; d < query->draws; d++) {
            noise[d] = noises_at(query, output, d, false);
            room[d] = fabs(noise[d].rows);
        }
        made->rows = dpn_range_of(room, query->draws, level_rows);
        fill(&made->noisy, query, noise, level_noisy, room);
    }
    if (silent || selected) {
        for (size_t d = 0; d < query->draws; d++) noise[d] = noises_at(query, output, d, true);
        fill(&made->known, query, noise, selected ? level_selected : level_known, room);
    }
}

dpn_status dpn_products_prepare(const dpn_query *query, dpn_output *output, double *room, dpn_error *why) {
    struct dpn_products *made = calloc(1, sizeof *made);
    noises *noise = malloc((query->draws + 1) * sizeof *noise);
    if (!made || !noise) {
        free(made);
        free(noise);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the intervals");
    }
    made->square = output->first == output->second;
    make(made, query, output, noise, room);
    free(noise);
    output->products = made;
    return DPN_OK;
}

/* ---- Between the nodes ---- */

typedef struct place {
    size_t at;
    double part;
} place;

static place find(double x, size_t count, double last) {
    if (count == 1) return (place){0, 0};
    double steps = fabs(x) / last * (double)(count - 1), whole = fmin(floor(steps), (double)(count - 2));
    return (place){(size_t)whole, steps - whole};
}

static double between(double a, double b, double part) {
    return a + part * (b - a);
}

double dpn_far_at(const dpn_widths *of, size_t side, double mean) {
    place i = find(mean, of->means, 1);
    return between(of->far[side][i.at], of->far[side][i.at + 1], i.part);
}

/* Linear in each of the three: not less than a convex function. */
static double along(const dpn_widths *of, size_t i, size_t j, place k) {
    const double *at = of->at + (i * of->others + j) * of->factors + k.at;
    return of->factors > 1 ? between(at[0], at[1], k.part) : at[0];
}

double dpn_product_width(const dpn_widths *of, double s, double t, double factor) {
    place i = find(s, of->means, 1), j = find(t, of->others, 1), k = find(factor, of->factors, of->last);
    double low = along(of, i.at, j.at, k), high = along(of, i.at + 1, j.at, k);
    if (of->others == 1) return between(low, high, i.part);
    return between(between(low, high, i.part),
                   between(along(of, i.at, j.at + 1, k), along(of, i.at + 1, j.at + 1, k), i.part), j.part);
}
