/* Renyi divergences of laws, of compositions and of noise on sensitivity sets. */
#include "base/error.h"
#include "privacy/profile/profile.h"
#include "privacy/renyi/ball.h"
#include "privacy/renyi/curve.h"
#include "privacy/renyi/zcdp.h"
#include "privacy/sensitivity/moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dpn_status dpn_renyi(dpn_divergence *out, const dpn_law *law, double sensitivity, double order, dpn_error *why) {
    dpn_part part = {.times = 1};
    dpn_status status = dpn_profile_check(law, sensitivity, why);
    if (!status) status = dpn_loss_law(&part.loss, law, sensitivity, why);
    return status ? status : dpn_renyi_compose(out, &part, 1, &order, 1, why);
}

static dpn_status check_orders(const double *order, size_t orders, dpn_error *why) {
    for (size_t i = 0; i < orders; i++) {
        dpn_status status = dpn_order_check(order[i], why);
        if (status) return status;
    }
    return DPN_OK;
}

/* Bounded noise with too many atoms to list has, given that its loss is finite, no more than a coin with the largest loss. */
static dpn_status make_finite(dpn_curve *curve, dpn_loss *coin, const dpn_loss *loss, dpn_error *why) {
    dpn_status status = dpn_curve_make_finite(curve, loss, why);
    if (status != DPN_EACCURACY || !isfinite(curve->largest.upper)) return status;
    dpn_curve_free(curve);
    status = dpn_loss_pure(coin, curve->largest.upper, why);
    return status ? status : dpn_curve_make(curve, coin, why);
}

static dpn_status add_part(dpn_divergence *sum, const dpn_part *part, bool finite, const double *order, size_t orders,
                           dpn_error *why) {
    dpn_curve curve;
    dpn_loss coin;
    dpn_status status =
        finite ? make_finite(&curve, &coin, &part->loss, why) : dpn_curve_make(&curve, &part->loss, why);
    for (size_t i = 0; i < orders && !status; i++) {
        dpn_divergence one;
        status = dpn_curve_at(&one, &curve, order[i], why);
        if (!status) sum[i] = dpn_divergence_add(sum[i], dpn_divergence_times(one, (double)part->times));
    }
    dpn_curve_free(&curve);
    return status;
}

/* The sums of the parts into room for them that starts as anything. */
static dpn_status add_parts(dpn_divergence *sum, const dpn_part *part, size_t parts, bool finite, const double *order,
                            size_t orders, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < orders; i++) sum[i] = (dpn_divergence){0, 0};
    for (size_t i = 0; i < parts && !status; i++)
        if (part[i].times > 0) status = add_part(sum, &part[i], finite, order, orders, why);
    return status;
}

static dpn_divergence *make_room(size_t orders, dpn_error *why) {
    dpn_divergence *room = calloc(orders + 1, sizeof *room);
    if (!room) dpn_fail(why, DPN_ENOMEM, "no memory for %zu orders", orders);
    return room;
}

static dpn_status compose(dpn_divergence *out, const dpn_part *part, size_t parts, bool finite, const double *order,
                          size_t orders, dpn_error *why) {
    dpn_status status = check_orders(order, orders, why);
    if (status) return status;
    dpn_divergence *sum = make_room(orders, why);
    if (!sum) return DPN_ENOMEM;
    status = add_parts(sum, part, parts, finite, order, orders, why);
    if (!status && orders) memcpy(out, sum, orders * sizeof *out);
    free(sum);
    return status;
}

dpn_status dpn_renyi_compose(dpn_divergence *out, const dpn_part *part, size_t parts, const double *order,
                             size_t orders, dpn_error *why) {
    return compose(out, part, parts, false, order, orders, why);
}

dpn_status dpn_renyi_compose_finite(dpn_divergence *out, const dpn_part *part, size_t parts, const double *order,
                                    size_t orders, dpn_error *why) {
    return compose(out, part, parts, true, order, orders, why);
}

/* Ends nearer than this need no search for a worse move. */
#define NARROW 1e-3

/* Where an l2 norm binds and the worst move is not known, sums over the coordinates bound the divergence (ball.h). */
static void cap_by_ball(dpn_divergence *all, const dpn_moves *moves, const dpn_law *law, size_t laws,
                        const dpn_sensitivity *set, const double *order, size_t orders) {
    dpn_norms norms;
    if (moves->argument != DPN_ARGUMENT_BOUND || laws != 1 || !dpn_law_is_log_concave(law)) return;
    if (!(set->l2 > 0 && isfinite(set->l2)) || dpn_norms_of(&norms, set, NULL)) return;
    bool whole = !set->bound && !set->vertices && set->l1 == 0; /* every move of these norms is in the set */
    for (size_t i = 0; i < orders; i++) {
        double upper;
        if (!dpn_renyi_ball_upper(&upper, law, &norms, order[i], 1e-4, NULL)) all[i].upper = fmin(all[i].upper, upper);
        if (whole && all[i].lower < all[i].upper * (1 - NARROW))
            all[i].lower = fmin(all[i].upper, fmax(all[i].lower, dpn_renyi_ball_lower(law, &norms, order[i])));
    }
}

/* Where the worst move is not known, zCDP bounds the divergence too: it knows the l2 norm of the moves. */
static void cap_by_zcdp(dpn_divergence *all, const dpn_moves *moves, const dpn_law *law, size_t laws,
                        const dpn_sensitivity *set, const double *order, size_t orders) {
    dpn_zcdp zcdp;
    if (moves->argument != DPN_ARGUMENT_BOUND || dpn_zcdp_of_moves(&zcdp, moves, law, laws, set, NULL)) return;
    for (size_t i = 0; i < orders; i++)
        all[i].upper = fmin(all[i].upper, (zcdp.xi + order[i] * zcdp.rho) * (1 + 1e-15));
}

dpn_status dpn_renyi_sensitivity(dpn_divergence *out, dpn_argument *argument, const dpn_law *law, size_t laws,
                                 const dpn_sensitivity *set, const double *order, size_t orders, dpn_error *why) {
    dpn_moves moves = {0};
    dpn_divergence *all = NULL, *one = NULL;
    dpn_status status = check_orders(order, orders, why);
    if (!status) status = dpn_moves_make(&moves, law, laws, set, why);
    if (!status) {
        all = make_room(orders, why);
        one = make_room(orders, why);
        if (!all || !one) status = DPN_ENOMEM;
    }
    bool bounded = dpn_moves_bounded(moves.move, moves.moves);
    for (size_t i = 0; i < orders && !status; i++) all[i] = (dpn_divergence){0, bounded ? INFINITY : 0};
    for (size_t m = 0; m < moves.moves && !status; m++) {
        status = add_parts(one, dpn_moves_parts(&moves, m), moves.move[m].count, false, order, orders, why);
        for (size_t i = 0; i < orders && !status; i++)
            dpn_moves_join(&all[i].lower, &all[i].upper, one[i].lower, one[i].upper, moves.move[m].role);
    }
    if (!status) {
        cap_by_zcdp(all, &moves, law, laws, set, order, orders);
        cap_by_ball(all, &moves, law, laws, set, order, orders);
        for (size_t i = 0; i < orders; i++) {
            out[i] = all[i];
            if (moves.upper_only) out[i].lower = 0;
        }
    }
    free(all);
    free(one);
    return dpn_moves_done(&moves, argument, status);
}
