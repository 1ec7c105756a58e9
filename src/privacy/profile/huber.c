/* What the generic path is told of the laws whose psi is linear on one side of alpha and quadratic on the other: huber,
 * flipped-huber and discrete-flipped-huber. Their losses are constant or nearly so on long stretches, and epsilon may
 * lie within a rounding of that constant: psi(to) - psi(from) is therefore computed from to - from. */
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/excess.h"

#define ALPHA law->parameter[0]
#define GAMMA law->parameter[1]

static double kink(const dpn_law *law) {
    return ALPHA;
}

static dpn_twofold size_of(dpn_twofold x) {
    return x.hi < 0 ? dpn_two_negate(x) : x;
}

static bool less(dpn_twofold a, dpn_twofold b) {
    return dpn_two_subtract(a, b).hi < 0;
}

/* x/gamma^2. */
static dpn_twofold scaled(const dpn_law *law, dpn_twofold x) {
    return dpn_two_divide(dpn_two_divide(x, GAMMA), GAMMA);
}

/* (to - from) times alpha, and times the mean of from and to, over gamma^2. */
static dpn_twofold linear(const dpn_law *law, dpn_twofold from, dpn_twofold to) {
    return scaled(law, dpn_two_times(dpn_two_subtract(to, from), ALPHA));
}

static dpn_twofold quadratic(const dpn_law *law, dpn_twofold from, dpn_twofold to) {
    return scaled(law, dpn_two_multiply(dpn_two_subtract(to, from), dpn_two_scale(dpn_two_add(from, to), 0.5)));
}

typedef dpn_twofold piece(const dpn_law *law, dpn_twofold from, dpn_twofold to);

/* 0 <= from <= to: up to alpha by the one formula, beyond by the other. */
static dpn_twofold rise(const dpn_law *law, dpn_twofold from, dpn_twofold to, piece *before, piece *beyond) {
    dpn_twofold alpha = dpn_two(ALPHA);
    if (!less(alpha, to)) return before(law, from, to);
    if (!less(from, alpha)) return beyond(law, from, to);
    return dpn_two_add(before(law, from, alpha), beyond(law, alpha, to));
}

static dpn_twofold by_pieces(const dpn_law *law, dpn_twofold from, dpn_twofold to, piece *before, piece *beyond) {
    from = size_of(from);
    to = size_of(to);
    if (less(to, from)) return dpn_two_negate(rise(law, to, from, before, beyond));
    return rise(law, from, to, before, beyond);
}

static dpn_twofold huber_difference(const dpn_law *law, dpn_twofold from, dpn_twofold to) {
    return by_pieces(law, from, to, quadratic, linear);
}

dpn_twofold dpn_flipped_huber_difference(const dpn_law *law, dpn_twofold from, dpn_twofold to) {
    return by_pieces(law, from, to, linear, quadratic);
}

/* Beyond alpha the loss of huber is D alpha/gamma^2. */
static void supremum(const dpn_profile *profile, double *lower, double *upper) {
    const dpn_law *law = &profile->law;
    dpn_quotient_bounds(lower, upper, ALPHA, GAMMA, profile->sensitivity, GAMMA);
}

const struct dpn_closed_form dpn_closed_huber = {
    .family = "huber",
    .supremum = supremum,
    .psi_difference = huber_difference,
    .difference_error = 0x1p-98,
    .kink = kink,
};

const struct dpn_closed_form dpn_closed_discrete_flipped_huber = {
    .family = "discrete-flipped-huber",
    .psi_difference = dpn_flipped_huber_difference,
    .difference_error = 0x1p-98,
    .kink = kink,
};
