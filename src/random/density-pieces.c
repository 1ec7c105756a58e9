/* Laws whose psi is made of pieces of first and second degree (law/family.h). */
#include "random/density.h"

#include <math.h>

/* The pieces in units, and psi where each begins. */
static bool prepare(dpn_density *density) {
    dpn_pieces *pieces = &density->pieces;
    if (!dpn_law_pieces(pieces, &density->law)) return false;
    double unit = ldexp(1, density->unit_exponent);
    for (size_t k = 0; k < pieces->count; k++) {
        const dpn_piece *piece = &pieces->piece[k];
        density->piece[k] = (dpn_density_piece){
            .from = ldexp(piece->from, -density->unit_exponent),
            .start = dpn_two_value(dpn_pieces_psi(pieces, dpn_two(piece->from))),
            .slope = piece->slope / pieces->unit[0] * (unit / pieces->unit[1]),
            .half = 0.5 * piece->curvature * (unit / pieces->unit[0]) * (unit / pieces->unit[1]),
        };
    }
    return true;
}

static double exponent(const dpn_density *density, double x) {
    size_t k = density->pieces.count - 1;
    while (x < density->piece[k].from) k--; /* the first begins at 0 */
    const dpn_density_piece *piece = &density->piece[k];
    double y = x - piece->from;
    return piece->start + y * (piece->slope + piece->half * y);
}

/* (x - from)(2 slope + curvature (x - from)): what the piece adds up to x, times 2 unit[0] unit[1]. */
static dpn_wide rise(dpn_rounding how, const dpn_piece *piece, const dpn_wide *x) {
    dpn_wide from = dpn_wide_double(how, piece->from), y = dpn_wide_subtract(how, x, &from);
    dpn_wide slope = dpn_wide_double(how, piece->slope), curvature = dpn_wide_double(how, piece->curvature);
    dpn_wide bend = dpn_wide_multiply(how, &curvature, &y), twice = dpn_wide_scale(slope, 1);
    dpn_wide sum = dpn_wide_add(how, &twice, &bend);
    return dpn_wide_multiply(how, &y, &sum);
}

/* Where x is a bound from above, so is every term: psi is convex, and no term is negative. The denominator has 107 bits:
 * it is exact. */
static bool inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    const dpn_pieces *pieces = &density->pieces;
    dpn_wide top = dpn_wide_integer(how, 0);
    for (size_t k = 0; k < pieces->count; k++) {
        dpn_wide end = *x;
        bool last = k + 1 == pieces->count;
        if (!last) {
            dpn_wide next = dpn_wide_double(how, pieces->piece[k + 1].from);
            last = dpn_wide_compare(how, x, &next) <= 0;
            if (!last) end = next;
        }
        dpn_wide part = rise(how, &pieces->piece[k], &end);
        top = dpn_wide_add(how, &top, &part);
        if (last) break;
    }
    dpn_wide one = dpn_wide_double(how, pieces->unit[0]), other = dpn_wide_double(how, pieces->unit[1]);
    dpn_wide bottom = dpn_wide_scale(dpn_wide_multiply(how, &one, &other), 1);
    dpn_wide quotient = dpn_wide_divide(how, &top, &bottom);
    return dpn_wide_exp(out, how, &quotient);
}

const dpn_density_kind dpn_density_pieces = {prepare, exponent, inverse, NULL};
