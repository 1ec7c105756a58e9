#include "law/facts.h"

#include "base/error.h"

#include <string.h>

/* The family that holds the facts. */
static const struct dpn_family *source(const dpn_law *law) {
    return law->family->continuous ? law->family->continuous : law->family;
}

bool dpn_law_pieces(dpn_pieces *out, const dpn_law *law) {
    const struct dpn_family *family = source(law);
    return family->pieces && family->pieces(law, out);
}

bool dpn_law_stairs(dpn_stairs *out, const dpn_law *law) {
    const struct dpn_family *family = source(law);
    if (family->stairs) *out = family->stairs(law);
    return family->stairs != NULL;
}

/* psi is convex: the last piece is the steepest. Where its support ends, so does it. */
static dpn_slope last_slope(const dpn_pieces *pieces, double support) {
    const dpn_piece *last = &pieces->piece[pieces->count - 1];
    dpn_slope slope = {last->slope, {pieces->unit[0], pieces->unit[1]}};
    if (last->curvature > 0) slope.top = last->slope + last->curvature * (support - last->from);
    return slope;
}

dpn_slope dpn_law_slope(const dpn_law *law) {
    const struct dpn_family *family = source(law);
    dpn_pieces pieces;
    if (dpn_law_pieces(&pieces, law)) return last_slope(&pieces, dpn_law_support(law));
    return family->slope ? family->slope(law) : (dpn_slope){INFINITY, {1, 1}};
}

double dpn_law_straight(const dpn_law *law) {
    return law->family->straight ? fmax(1, law->family->straight(law)) : 1;
}

bool dpn_law_is_regular(const dpn_law *law) {
    dpn_pieces pieces;
    return dpn_law_pieces(&pieces, law) || !(law->family->irregular || source(law)->irregular);
}

/* The only piece, if psi has one and goes on for ever. */
static bool one_piece(dpn_pieces *out, const dpn_law *law) {
    return dpn_law_pieces(out, law) && out->count == 1 && isinf(dpn_law_support(law));
}

double dpn_psi_gaussian(const dpn_law *law) {
    dpn_pieces psi;
    if (!one_piece(&psi, law) || psi.piece[0].slope != 0 || !(psi.piece[0].curvature > 0)) return 0;
    if (psi.unit[0] == psi.unit[1] && psi.piece[0].curvature == 1) return psi.unit[0];
    return sqrt(psi.unit[0] / psi.piece[0].curvature) * sqrt(psi.unit[1]);
}

double dpn_psi_laplace(const dpn_law *law) {
    dpn_pieces psi;
    if (!one_piece(&psi, law) || psi.piece[0].curvature != 0 || !(psi.piece[0].slope > 0)) return 0;
    return psi.unit[0] / psi.piece[0].slope * psi.unit[1];
}

double dpn_law_gaussian(const dpn_law *law) {
    return law->family->integer ? 0 : dpn_psi_gaussian(law);
}

double dpn_law_laplace(const dpn_law *law) {
    return law->family->integer ? 0 : dpn_psi_laplace(law);
}

bool dpn_law_has_inverse(const dpn_law *law) {
    return source(law)->inverse != NULL;
}

bool dpn_law_inverse(dpn_wide *out, const dpn_law *law, dpn_rounding how, const dpn_wide *x) {
    return source(law)->inverse(law, how, x, out);
}

/* ---- psi from its pieces ---- */

dpn_twofold dpn_piece_psi(const dpn_pieces *pieces, size_t k, dpn_twofold x) {
    dpn_twofold sum = {0, 0};
    for (size_t i = 0; i <= k; i++) { /* the units divide first, so that what is finite does not overflow on the way */
        const dpn_piece *piece = &pieces->piece[i];
        dpn_twofold end = i < k ? dpn_two(pieces->piece[i + 1].from) : x;
        dpn_twofold length = dpn_two_subtract(end, dpn_two(piece->from));
        dpn_twofold mean = dpn_two_add(dpn_two(piece->slope), dpn_two_times(length, 0.5 * piece->curvature));
        dpn_twofold rise =
            dpn_two_multiply(dpn_two_divide(length, pieces->unit[0]), dpn_two_divide(mean, pieces->unit[1]));
        sum = dpn_two_add(sum, rise);
    }
    return sum;
}

size_t dpn_pieces_find(const dpn_pieces *pieces, dpn_twofold x) {
    size_t k = 0;
    while (k + 1 < pieces->count && dpn_two_subtract(x, dpn_two(pieces->piece[k + 1].from)).hi >= 0) k++;
    return k;
}

dpn_twofold dpn_pieces_psi(const dpn_pieces *pieces, dpn_twofold x) {
    return dpn_piece_psi(pieces, dpn_pieces_find(pieces, x), x);
}

/* ---- families ---- */

const struct dpn_family *dpn_family_find(const char *name) {
    for (const struct dpn_family *const *f = dpn_families; *f; f++)
        if (strcmp((*f)->name, name) == 0) return *f;
    return NULL;
}

size_t dpn_family_arity(const struct dpn_family *family) {
    size_t n = 0;
    while (n < DPN_LAW_PARAMETERS && family->parameter[n]) n++;
    return n;
}

dpn_status dpn_family_tune(dpn_law *law, const struct dpn_family *family, double shape, double scale, double period,
                           dpn_error *why) {
    const dpn_shape_fact *fact = family->shape;
    double parameter[DPN_LAW_PARAMETERS] = {scale, 0, 0};
    if (fact && fact->parameters) {
        fact->parameters(parameter, shape, scale, period);
    } else if (fact) {
        parameter[0] = fact->ratio ? shape * scale : shape;
        parameter[1] = scale;
    } else if (dpn_family_arity(family) > 1) {
        return dpn_fail(why, DPN_EUNSUPPORTED, "%s noise has more than a scale, and its shape is not declared",
                        family->name);
    }
    return dpn_family_make(law, family, parameter, why);
}
