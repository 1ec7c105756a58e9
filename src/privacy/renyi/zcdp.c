/* Concentrated differential privacy: lines above the Renyi curves (docs/proofs/privacy/renyi.md, section 6). */
#include "privacy/renyi/zcdp.h"

#include "base/error.h"
#include "law/facts.h"
#include "law/special.h"
#include "privacy/loss/largest.h"
#include "privacy/loss/loss.h"

#include <float.h>
#include <math.h>

/* More than a handful of roundings, and an underflow. */
static double up(double x) {
    return x * (1 + 8 * DBL_EPSILON) + DBL_MIN;
}

dpn_zcdp dpn_zcdp_pure(double epsilon) {
    if (!(epsilon >= 0 && isfinite(epsilon))) return (dpn_zcdp){NAN, NAN};
    return (dpn_zcdp){0, epsilon > 0 ? up(epsilon * tanh(0.5 * epsilon)) : 0};
}

/* ---- laws whose psi is x^2/2v, v the last curvature inverted, and besides a concave r(x) that does not fall ----
 * Their loss at the shift d is at most (t d + d^2/2)/v + r(d), and they are sub-Gaussian with the proxy v.
 */
typedef struct affine {
    dpn_pieces psi;
    double last; /* the curvature of the last piece; 0: the law is not one of these */
} affine;

/* r' = psi' - x/v must not rise, within the pieces and from one to the next, and must end at 0 or more. */
static affine affine_of(const dpn_law *law) {
    affine a = {.last = 0}, none = a;
    if (isfinite(dpn_law_support(law)) || !dpn_law_pieces(&a.psi, law)) return none;
    const dpn_piece *piece = a.psi.piece, *last = &piece[a.psi.count - 1];
    for (size_t k = 0; k < a.psi.count; k++) {
        if (piece[k].curvature > last->curvature) return none;
        if (k > 0 && piece[k].slope > piece[k - 1].slope + piece[k - 1].curvature * (piece[k].from - piece[k - 1].from))
            return none;
    }
    if (last->slope < last->curvature * last->from) return none;
    a.last = last->curvature;
    return a;
}

/* unit[0] unit[1] r(d): on a piece r' falls from `high` at the rate `fall`. */
static double concave_part(const affine *a, double d) {
    double r = 0;
    for (size_t k = 0; k < a->psi.count && a->psi.piece[k].from < d; k++) {
        const dpn_piece *piece = &a->psi.piece[k];
        double end = k + 1 < a->psi.count ? fmin(d, piece[1].from) : d, length = end - piece->from;
        double high = piece->slope - a->last * piece->from, fall = a->last - piece->curvature;
        r += length / a->psi.unit[0] * ((high - 0.5 * fall * length) / a->psi.unit[1]);
    }
    return r;
}

static dpn_zcdp of_affine(const affine *a, double d) {
    double xi = concave_part(a, d), move = d / a->psi.unit[0] * (a->last * d / a->psi.unit[1]);
    return (dpn_zcdp){xi > 0 ? up(xi) : 0, up(0.5 * move)};
}

static dpn_status of_law(dpn_zcdp *out, const dpn_loss *loss, dpn_error *why) {
    const char *family = loss->law.family->name;
    double scale = dpn_law_laplace(&loss->law);
    affine a = affine_of(&loss->law);
    if (a.last > 0) {
        *out = of_affine(&a, loss->sensitivity);
        return DPN_OK;
    }
    if (scale > 0) { /* e - 1 + exp(-e) */
        double e = loss->sensitivity / scale;
        *out = (dpn_zcdp){0, up(e * e * dpn_exprel2_minus(e))};
        return DPN_OK;
    }
    dpn_part part = {*loss, 1};
    double largest = dpn_largest_loss(&part, 1, false).hi;
    if (isfinite(dpn_law_support(&loss->law)))
        return dpn_fail(why, DPN_EUNSUPPORTED, "%s noise satisfies no zCDP: some outputs give the data away", family);
    if (!isfinite(largest)) return dpn_fail(why, DPN_EUNSUPPORTED, "no zCDP is known for this %s noise", family);
    *out = dpn_zcdp_pure(up(largest));
    return DPN_OK;
}

/* An upper bound of the divergence of an order. */
static double divergence_upper(const dpn_loss *loss, double order) {
    return loss->kind->divergence_upper ? loss->kind->divergence_upper(loss, order) : loss->kind->largest(loss);
}

/* The divergence of order a grows with a, so that on [a, b] the quotient of both is at most that of order b over a; and from the order on whose bound over
 * the order is no larger than what was found, nothing is: that quotient falls. */
static dpn_status of_joint(dpn_zcdp *out, const dpn_loss *loss, dpn_error *why) {
    const double ratio = 1.01, last = 1e4; /* of unbounded losses */
    double rho = 0, largest = loss->kind->largest(loss);
    double pure = isfinite(largest) ? dpn_zcdp_pure(largest).rho : INFINITY;
    for (double order = 1; rho < pure && divergence_upper(loss, order) / order > rho; order *= ratio) {
        if (order > last && isinf(largest)) {
            rho = up(divergence_upper(loss, order) / order);
            break;
        }
        double lower, upper, theta = order * ratio - 1;
        dpn_status status = loss->kind->cumulant(&lower, &upper, loss, theta, why);
        if (status) return status;
        rho = fmax(rho, up(fmin(upper / theta, divergence_upper(loss, order * ratio)) / order));
    }
    *out = (dpn_zcdp){0, fmin(rho, pure)};
    return DPN_OK;
}

static dpn_status of_loss(dpn_zcdp *out, const dpn_loss *loss, dpn_error *why) {
    if (loss->kind == &dpn_loss_kind_explicit)
        return dpn_fail(why, DPN_EUNSUPPORTED, "no zCDP is computed for an explicit loss");
    if (loss->kind == &dpn_loss_kind_pure) {
        *out = dpn_zcdp_pure(loss->epsilon);
        return DPN_OK;
    }
    if (loss->kind->cumulant) return of_joint(out, loss, why);
    if (loss->sensitivity == 0) {
        *out = (dpn_zcdp){0, 0};
        return DPN_OK;
    }
    return of_law(out, loss, why);
}

dpn_status dpn_zcdp_compose(dpn_zcdp *out, const dpn_part *part, size_t parts, dpn_error *why) {
    dpn_zcdp sum = {0, 0};
    for (size_t i = 0; i < parts; i++) {
        dpn_zcdp one = {0, 0};
        if (part[i].times == 0) continue;
        dpn_status status = of_loss(&one, &part[i].loss, why);
        if (status) return status;
        double times = (double)part[i].times;
        sum.xi += one.xi * times;
        sum.rho += one.rho * times;
        if (i > 0 || times > 1) {
            sum.xi *= 1 + 2 * DBL_EPSILON;
            sum.rho *= 1 + 2 * DBL_EPSILON;
        }
    }
    *out = sum;
    return DPN_OK;
}

/* The l2 norm of a move bounds the sum of its d_i^2. And xi is concave in d, so n coordinates have the largest sum of xi
 * for an l1 norm when they share it evenly; the l1 norm is at most sqrt(n) times the l2 norm. */
static void cap(dpn_zcdp *zcdp, const dpn_law *law, const dpn_sensitivity *set) {
    affine a = affine_of(law);
    if (a.last == 0) return;
    size_t most = set->max_changed && set->max_changed < set->dimension ? set->max_changed : set->dimension;
    double n = (double)most, l2 = set->l2 > 0 ? set->l2 : INFINITY, l1 = set->l1 > 0 ? set->l1 : INFINITY;
    double even = fmin(l1 / n, l2 / sqrt(n));
    if (isfinite(l2)) zcdp->rho = fmin(zcdp->rho, of_affine(&a, l2).rho);
    if (isfinite(even)) zcdp->xi = fmin(zcdp->xi, up(n * of_affine(&a, up(even)).xi));
}

dpn_status dpn_zcdp_of_moves(dpn_zcdp *out, const dpn_moves *moves, const dpn_law *law, size_t laws,
                             const dpn_sensitivity *set, dpn_error *why) {
    dpn_zcdp worst = {0, 0};
    bool bounded = false;
    for (size_t m = 0; m < moves->moves; m++) {
        const dpn_move *move = &moves->move[m];
        dpn_zcdp one = {0, 0};
        if (move->role == DPN_MOVE_POSSIBLE || bounded) continue; /* one move above is enough */
        dpn_status status = dpn_zcdp_compose(&one, dpn_moves_parts(moves, m), move->count, why);
        if (status) return status;
        bounded = move->role == DPN_MOVE_ABOVE;
        worst.xi = fmax(worst.xi, one.xi);
        worst.rho = fmax(worst.rho, one.rho);
    }
    if (laws == 1) cap(&worst, law, set);
    *out = worst;
    return DPN_OK;
}

dpn_status dpn_zcdp_sensitivity(dpn_zcdp *out, dpn_argument *argument, const dpn_law *law, size_t laws,
                                const dpn_sensitivity *set, dpn_error *why) {
    dpn_moves moves;
    dpn_status status = dpn_moves_make(&moves, law, laws, set, why);
    if (!status) status = dpn_zcdp_of_moves(out, &moves, law, laws, set, why);
    return dpn_moves_done(&moves, argument, status);
}

/* log((1 - Q(b))/Q(b)), b >= 0: where both are near 1/2 from 1 - 2 Q(b) = erf(b/sqrt 2), which keeps its digits. */
static double log_odds(double b) {
    return b < 1 ? log1p(erf(b * DPN_SQRT_1_2) / dpn_q(b)) : log1p(-dpn_q(b)) - dpn_log_q(b);
}

dpn_status dpn_renyi_osgt_theorem_2(double *out, const dpn_law *law, size_t dimension, double l2, double order,
                                    dpn_error *why) {
    static const struct dpn_family *const family = &dpn_osgt;
    if (law->family != family)
        return dpn_fail(why, DPN_EUNSUPPORTED, "OSGT Theorem 2 is about %s noise, not %s", family->name,
                        law->family->name);
    if (dimension == 0) return dpn_fail(why, DPN_EDOMAIN, "the dimension must be at least 1");
    if (!(l2 >= 0 && isfinite(l2))) return dpn_fail(why, DPN_EDOMAIN, "l2 must be finite and not negative");
    if (!(order > 1)) return dpn_fail(why, DPN_EDOMAIN, "the order must be more than 1");
    double b = law->parameter[0] / law->parameter[1], move = l2 / law->parameter[1];
    double zeta = (double)dimension * log_odds(b) / (order - 1);
    double rho = move > 0 ? order * (0.5 * move * move) : 0;
    *out = (zeta + rho) * (1 + 1e-14) + DBL_MIN;
    return DPN_OK;
}
