/* The scale of the pivot of a variance or covariance: simulated at nodes, linear between them. */
#include "release/compile/product-widths.h"

#include "release/compile/interval.h"

static double node(size_t i, size_t count, double last) {
    return count > 1 ? last * (double)i / (double)(count - 1) : 0;
}

static double width_at(const dpn_noisy_sums *noise, size_t count, double s, double t, double factor, double *room) {
    for (size_t d = 0; d < count; d++)
        room[d] = fabs(noise[d].product - s * noise[d].y - t * noise[d].x + factor * noise[d].rows);
    return dpn_share_of(room, count, 0.95);
}

void dpn_widths_fill(dpn_widths *out, bool square, bool known, const dpn_noisy_sums *noise, size_t count,
                     double *room) {
    size_t means = square ? DPN_SQUARE_NODES : DPN_PRODUCT_NODES;
    *out = (dpn_widths){
        .means = means, .others = square ? 1 : means, .factors = known ? 1 : 2 * means - 1, .last = square ? 1.5 : 2};
    for (size_t i = 0; i < out->means; i++)
        for (size_t j = 0; j < out->others; j++)
            for (size_t k = 0; k < out->factors; k++) {
                double s = node(i, out->means, 1), t = square ? s : node(j, out->others, 1);
                double factor = known ? 0 : node(k, out->factors, 2 * out->last) - out->last;
                out->at[(i * out->others + j) * out->factors + k] = width_at(noise, count, s, t, factor, room);
            }
}

/* ---- Between the nodes ---- */

typedef struct place {
    size_t at;
    double part;
} place;

/* Of numbers x >= 0. */
static inline place find(double x, size_t count, double last) {
    if (count == 1) return (place){0, 0};
    double steps = x / last * (double)(count - 1);
    size_t most = count - 2, at = steps < (double)most ? (size_t)steps : most;
    return (place){at, steps - (double)at};
}

static double between(double a, double b, double part) {
    return a + part * (b - a);
}

static inline double along(const dpn_widths *of, size_t i, size_t j, place k) {
    const double *at = of->at + (i * of->others + j) * of->factors + k.at;
    return of->factors > 1 ? between(at[0], at[1], k.part) : at[0];
}

double dpn_product_width(const dpn_widths *of, double s, double t, double factor) {
    double same = (s < 0) == (t < 0) ? factor : -factor, from = fmax(same + of->last, 0);
    place i = find(fabs(s), of->means, 1), j = find(fabs(t), of->others, 1), k = find(from, of->factors, 2 * of->last);
    double low = along(of, i.at, j.at, k), high = along(of, i.at + 1, j.at, k);
    if (of->others == 1) return between(low, high, i.part);
    return between(between(low, high, i.part),
                   between(along(of, i.at, j.at + 1, k), along(of, i.at + 1, j.at + 1, k), i.part), j.part);
}
