/* A loss taken apart into atoms and segments. */
#include "privacy/loss/shape.h"

#include "base/error.h"
#include "law/facts.h"
#include "privacy/loss/loss.h"
#include "privacy/profile/profile.h"

#include <math.h>

/* ---- laws whose psi is piecewise quadratic ----
 * psi in units of the law's scale: from the point `from` on it has this slope there and this curvature. Beyond `end`
 * the density vanishes.
 */
typedef struct branch {
    double from, slope, curvature;
} branch;

typedef struct potential {
    double unit, end;
    size_t count;
    branch branch[DPN_PIECES];
} potential;

static bool find_potential(potential *out, const dpn_law *law) {
    dpn_pieces psi;
    if (!dpn_law_pieces(&psi, law)) return false;
    double unit = psi.unit[0], other = psi.unit[1];
    *out = (potential){.unit = unit, .end = dpn_law_support(law) / unit, .count = psi.count};
    for (size_t k = 0; k < psi.count; k++) {
        const dpn_piece *piece = &psi.piece[k];
        out->branch[k] = (branch){piece->from / unit, piece->slope / other, piece->curvature * (unit / other)};
    }
    return true;
}

/* psi and its slope on branch k, at a point known to twice the precision, since the loss is a small difference of
 * two. */
static dpn_twofold psi_at(const potential *psi, size_t k, dpn_twofold x) {
    dpn_twofold value = {0, 0};
    for (size_t i = 0;; i++) {
        const branch *b = &psi->branch[i];
        dpn_twofold end = i < k ? dpn_two(psi->branch[i + 1].from) : x;
        dpn_twofold y = dpn_two_subtract(end, dpn_two(b->from));
        dpn_twofold slope = dpn_two_add(dpn_two(b->slope), dpn_two_times(y, 0.5 * b->curvature));
        value = dpn_two_add(value, dpn_two_multiply(y, slope));
        if (i == k) return value;
    }
}

static dpn_twofold slope_at(const potential *psi, size_t k, dpn_twofold x) {
    const branch *b = &psi->branch[k];
    dpn_twofold y = dpn_two_subtract(x, dpn_two(b->from));
    return dpn_two_add(dpn_two(b->slope), dpn_two_times(y, b->curvature));
}

static size_t branch_of(const potential *psi, dpn_twofold x) {
    size_t k = 0;
    while (k + 1 < psi->count && dpn_two_value(dpn_two_subtract(x, dpn_two(psi->branch[k + 1].from))) >= 0) k++;
    return k;
}

/* A point t at which psi(t) or psi(t + d) changes its formula, with t + d. Both are exact. */
typedef struct cut {
    dpn_twofold t, moved;
} cut;

static bool before(dpn_twofold a, dpn_twofold b) {
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

/* The cuts from -d/2 on, sorted; the last is the end of the finite losses. */
static size_t find_cuts(cut *cuts, const potential *psi, double d) {
    size_t count = 0;
    cuts[count++] = (cut){dpn_two(-0.5 * d), dpn_two(0.5 * d)};
    for (size_t k = 0; k < psi->count; k++) {
        double from = psi->branch[k].from;
        cut candidate[3] = {{dpn_two(from), dpn_two_sum(from, d)},
                            {dpn_two(-from), dpn_two_sum(d, -from)},
                            {dpn_two_sum(from, -d), dpn_two(from)}};
        for (size_t i = 0; i < 3; i++)
            if (before(cuts[0].t, candidate[i].t)) cuts[count++] = candidate[i];
    }
    cut end = {dpn_two_sum(psi->end, -d), dpn_two(psi->end)};
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (before(cuts[i].t, end.t)) cuts[kept++] = cuts[i];
    for (size_t i = 1; i < kept; i++)
        for (size_t j = i; j > 0 && before(cuts[j].t, cuts[j - 1].t); j--) {
            cut swap = cuts[j];
            cuts[j] = cuts[j - 1];
            cuts[j - 1] = swap;
        }
    cuts[kept] = end;
    return kept;
}

static dpn_segment make_segment(const potential *psi, cut from, cut to) {
    bool left = from.t.hi < 0; /* there |t| = -t, and the branch is that of the end nearer to zero */
    dpn_twofold t = left ? dpn_two_negate(from.t) : from.t;
    size_t here = branch_of(psi, left ? dpn_two_negate(to.t) : t), there = branch_of(psi, from.moved);
    dpn_twofold value = psi_at(psi, here, t), slope = slope_at(psi, here, t);
    if (left) slope = dpn_two_negate(slope);
    double curvature = psi->branch[here].curvature;
    return (dpn_segment){
        .length = isinf(to.t.hi) ? INFINITY : dpn_two_value(dpn_two_subtract(to.t, from.t)),
        .log_density = {{-dpn_two_value(value), -dpn_two_value(slope), -0.5 * curvature}},
        .loss = {{dpn_two_value(dpn_two_subtract(psi_at(psi, there, from.moved), value)),
                  dpn_two_value(dpn_two_subtract(slope_at(psi, there, from.moved), slope)),
                  0.5 * (psi->branch[there].curvature - curvature)}},
    };
}

/* The log of the mass exp(linear) over a segment on which the loss is constant. */
static double constant_mass(const dpn_segment *segment) {
    double slope = segment->log_density.c[1], length = segment->length;
    double width = slope == 0 ? length : isinf(length) ? -1 / slope : expm1(slope * length) / slope;
    return segment->log_density.c[0] + log(width);
}

/* P(L = inf) of a law whose support ends. */
static double infinite_mass(const dpn_law *law, double sensitivity) {
    dpn_profile profile;
    dpn_profile_prepare(&profile, law, sensitivity);
    return dpn_estimate_value(dpn_profile_at(&profile, INFINITY));
}

static dpn_status quadratic_shape(dpn_shape *out, const potential *psi, const dpn_law *law, double sensitivity,
                                  dpn_error *why) {
    double d = sensitivity / psi->unit;
    out->scale = 1 / (law->constant[DPN_PDF0] * psi->unit);
    if (isfinite(psi->end)) out->infinite = out->reverse_infinite = infinite_mass(law, sensitivity);
    if (dpn_psi_gaussian(law) > 0) {
        out->gaussian = sensitivity / dpn_psi_gaussian(law);
        return DPN_OK;
    }
    cut cuts[DPN_SHAPE_SEGMENTS + 1];
    size_t count = find_cuts(cuts, psi, d);
    for (size_t i = 0; i < count; i++) {
        dpn_segment segment = make_segment(psi, cuts[i], cuts[i + 1]);
        if (!(segment.length > 0)) continue;
        for (size_t j = 0; j < 3; j++)
            if (!isfinite(segment.loss.c[j]) || !isfinite(segment.log_density.c[j]))
                return dpn_fail(why, DPN_EACCURACY, "the loss at this sensitivity is too large to compute with");
        if (segment.loss.c[1] == 0 && segment.loss.c[2] == 0)
            out->atom[out->atoms++] = (dpn_atom){segment.loss.c[0], constant_mass(&segment)};
        else
            out->segment[out->segments++] = segment;
    }
    return DPN_OK;
}

_Static_assert(DPN_SHAPE_SEGMENTS == 1 + 3 * DPN_PIECES, "room for the cuts of all pieces");

/* ---- the others ---- */

/* With a = sensitivity/scale the loss of logistic noise has the P-density e^(L/2)/(4 sinh(a/2)) on [-a, a]: tanh(T/2
 * scale) is uniform, and e^(L/2) is linear in it. */
static dpn_status logistic_shape(dpn_shape *out, const dpn_law *law, double sensitivity, dpn_error *why) {
    (void)why;
    double a = sensitivity / law->parameter[0];
    out->segments = 1;
    out->segment[0] = (dpn_segment){a, {{-0.5 * a, 0.5, 0}}, {{0, 1, 0}}, {0, 0, 0}};
    out->scale = -2 * expm1(-a);
    return DPN_OK;
}

/* In units of the sensitivity psi(s) = weight |s|^p, and the neighbour is at distance 1. Beyond p = 20 the rounding of
 * the points would exceed what is allowed for it (docs/proofs/privacy/contour.md, section 6). */
static dpn_status subbotin_shape(dpn_shape *out, const dpn_law *law, double sensitivity, dpn_error *why) {
    double p = law->parameter[0];
    if (p > 20) return dpn_fail(why, DPN_EUNSUPPORTED, "the contour sum does not serve subbotin noise with p above 20");
    dpn_twofold d = dpn_two_quotient(sensitivity, law->parameter[1]);
    double weight = pow(d.hi, p) * (1 + p * (d.lo / d.hi)) / p;
    if (!(weight > 1e-250 && weight < 1e250))
        return dpn_fail(why, DPN_EACCURACY, "the loss at this sensitivity is too small or too large to compute with");
    out->scale = 1 / (law->constant[DPN_PDF0] * sensitivity);
    out->segments = 2;
    out->segment[0] = (dpn_segment){.length = 0.5, .power = {p, weight, -1}};
    out->segment[1] = (dpn_segment){.length = INFINITY, .power = {p, weight, 1}};
    return DPN_OK;
}

/* The shapes in closed form. */
typedef dpn_status shape_function(dpn_shape *out, const dpn_law *law, double sensitivity, dpn_error *why);

static const struct {
    const struct dpn_family *family;
    shape_function *shape;
    bool quadratic;
} closed[] = {{&dpn_logistic, logistic_shape, true}, {&dpn_subbotin, subbotin_shape, false}};

bool dpn_shape_is_closed(const dpn_law *law) {
    dpn_pieces psi;
    dpn_stairs stairs;
    if (dpn_law_pieces(&psi, law) || dpn_law_stairs(&stairs, law)) return true;
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
        if (closed[i].family == law->family) return closed[i].quadratic;
    return false;
}

static dpn_status law_shape(dpn_shape *out, const dpn_loss *loss, dpn_error *why) {
    const dpn_law *law = &loss->law;
    potential psi;
    dpn_stairs stairs;
    if (law->family->integer || dpn_law_stairs(&stairs, law)) {
        out->listed = true;
        out->scale = 1 / law->constant[DPN_PDF0];
        if (isfinite(dpn_law_support(law)))
            out->infinite = out->reverse_infinite = infinite_mass(law, loss->sensitivity);
        return DPN_OK;
    }
    if (find_potential(&psi, law)) return quadratic_shape(out, &psi, law, loss->sensitivity, why);
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
        if (closed[i].family == law->family) return closed[i].shape(out, law, loss->sensitivity, why);
    return dpn_fail(why, DPN_EUNSUPPORTED, "the contour sum does not serve %s noise", law->family->name);
}

static dpn_status explicit_shape(dpn_shape *out, const dpn_loss *loss, bool reversed) {
    size_t last = loss->count - 1;
    double infinite = isinf(loss->value[last]) ? loss->probability[last] / loss->total : 0;
    dpn_twofold both = {0, 0};
    for (size_t i = 0; i < loss->count; i++)
        both = dpn_two_add(both, dpn_two(loss->probability[i] * exp(-loss->value[i])));
    double reverse = 1 - dpn_two_value(both) / loss->total;
    out->symmetric = false;
    out->listed = true;
    out->scale = 1;
    out->infinite = reversed ? reverse : infinite;
    out->reverse_infinite = reversed ? infinite : reverse;
    return DPN_OK;
}

dpn_status dpn_shape_make(dpn_shape *out, const dpn_loss *loss, bool reversed, dpn_error *why) {
    dpn_shape shape = {.symmetric = true};
    dpn_status status = DPN_OK;
    if (loss->kind->largest) {
        status = dpn_fail(why, DPN_EUNSUPPORTED, "the contour sum does not serve %s noise", loss->kind->name);
    } else if (loss->kind == &dpn_loss_kind_law) {
        status = law_shape(&shape, loss, why);
    } else if (loss->kind == &dpn_loss_kind_pure) {
        shape.atom[shape.atoms++] = (dpn_atom){loss->epsilon, 0};
        shape.scale = 1;
    } else {
        status = explicit_shape(&shape, loss, reversed);
    }
    if (!status) *out = shape;
    return status;
}
