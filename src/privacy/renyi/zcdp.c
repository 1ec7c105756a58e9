/* Concentrated differential privacy: lines above the Renyi curves (docs/proofs/privacy/renyi.md, section 6). */
#include "privacy/renyi/zcdp.h"

#include "base/error.h"
#include "law/family.h"
#include "law/special.h"
#include "privacy/loss/largest.h"
#include "privacy/loss/loss.h"
#include "privacy/renyi/flipped-huber.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* More than a handful of roundings, and an underflow. */
static double up(double x) {
    return x * (1 + 8 * DBL_EPSILON) + DBL_MIN;
}

dpn_zcdp dpn_zcdp_pure(double epsilon) {
    if (!(epsilon >= 0 && isfinite(epsilon))) return (dpn_zcdp){NAN, NAN};
    return (dpn_zcdp){0, epsilon > 0 ? up(epsilon * tanh(0.5 * epsilon)) : 0};
}

/* Laws whose loss at the shift d is at most (t d + d^2/2)/unit^2 + xi, and which are sub-Gaussian with the proxy unit^2. */
typedef struct affine {
    double unit;  /* 0: the law is none of these */
    double slope; /* m: xi = m d/unit^2 */
    double alpha; /* else xi = R_d(alpha)/2 unit^2 */
} affine;

static affine affine_of(const dpn_law *law) {
    const char *family = law->family->name;
    double first = law->parameter[0], second = law->parameter[1];
    if (!strcmp(family, "gaussian") || !strcmp(family, "discrete-gaussian")) return (affine){first, 0, 0};
    if (!strcmp(family, "subbotin") && first == 2) return (affine){second, 0, 0};
    if (!strcmp(family, "osgt") || !strcmp(family, "discrete-osgt")) return (affine){second, first, 0};
    if (!strcmp(family, "flipped-huber") || !strcmp(family, "discrete-flipped-huber"))
        return (affine){second, 0, first};
    return (affine){0, 0, 0};
}

static dpn_zcdp of_affine(affine a, double d) {
    double move = d / a.unit, r = dpn_fh_r(move, a.alpha / a.unit);
    bool straight = a.slope == 0 && a.alpha == 0; /* Gaussian: there is no xi */
    return (dpn_zcdp){straight ? 0 : up(a.slope / a.unit * move + 0.5 * r), up(0.5 * move * move)};
}

static dpn_status of_law(dpn_zcdp *out, const dpn_loss *loss, dpn_error *why) {
    const char *family = loss->law.family->name;
    affine a = affine_of(&loss->law);
    if (a.unit > 0) {
        *out = of_affine(a, loss->sensitivity);
        return DPN_OK;
    }
    bool one = !strcmp(family, "subbotin") && loss->law.parameter[0] == 1;
    if (!strcmp(family, "laplace") || one) { /* e - 1 + exp(-e) */
        double e = loss->sensitivity / loss->law.parameter[one];
        *out = (dpn_zcdp){0, up(e * e * dpn_exprel2_minus(e))};
        return DPN_OK;
    }
    dpn_part part = {*loss, 1};
    double largest = dpn_largest_loss(&part, 1, false).hi;
    if (isfinite(dpn_law_support(&loss->law)))
        return dpn_fail(why, DPN_EUNSUPPORTED, "%s noise satisfies no zCDP: some outputs give the data away", family);
    if (!isfinite(largest)) return dpn_fail(why, DPN_EUNSUPPORTED, "no zCDP is known for %s noise with this p", family);
    *out = dpn_zcdp_pure(up(largest));
    return DPN_OK;
}

static dpn_status of_loss(dpn_zcdp *out, const dpn_loss *loss, dpn_error *why) {
    if (loss->kind == &dpn_loss_kind_explicit)
        return dpn_fail(why, DPN_EUNSUPPORTED, "no zCDP is computed for an explicit loss");
    if (loss->kind == &dpn_loss_kind_pure) {
        *out = dpn_zcdp_pure(loss->epsilon);
        return DPN_OK;
    }
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
    if (a.unit == 0) return;
    size_t most = set->max_changed && set->max_changed < set->dimension ? set->max_changed : set->dimension;
    double n = (double)most, l2 = set->l2 > 0 ? set->l2 : INFINITY, l1 = set->l1 > 0 ? set->l1 : INFINITY;
    double even = fmin(l1 / n, l2 / sqrt(n));
    if (isfinite(l2)) zcdp->rho = fmin(zcdp->rho, of_affine(a, l2).rho);
    if (isfinite(even)) zcdp->xi = fmin(zcdp->xi, up(n * of_affine(a, up(even)).xi));
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

dpn_status dpn_renyi_osgt_theorem_2(double *out, const dpn_law *law, size_t dimension, double l2, double order,
                                    dpn_error *why) {
    if (strcmp(law->family->name, "osgt") != 0)
        return dpn_fail(why, DPN_EUNSUPPORTED, "OSGT Theorem 2 is about osgt noise, not %s", law->family->name);
    if (dimension == 0) return dpn_fail(why, DPN_EDOMAIN, "the dimension must be at least 1");
    if (!(l2 >= 0 && isfinite(l2))) return dpn_fail(why, DPN_EDOMAIN, "l2 must be finite and not negative");
    if (!(order > 1)) return dpn_fail(why, DPN_EDOMAIN, "the order must be more than 1");
    double b = law->parameter[0] / law->parameter[1], move = l2 / law->parameter[1];
    double zeta = (double)dimension * (log1p(-dpn_q(b)) - dpn_log_q(b)) / (order - 1);
    double rho = move > 0 ? order * (0.5 * move * move) : 0;
    *out = (zeta + rho) * (1 + 1e-14) + DBL_MIN;
    return DPN_OK;
}
