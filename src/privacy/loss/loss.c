/* Privacy losses: the checked constructors, and the profile of one copy. */
#include "privacy/loss/loss.h"

#include "base/error.h"
#include "base/twofold.h"
#include "privacy/interval.h"

/* ---- a law at a shift ---- */

static dpn_status law_delta(dpn_delta *out, const dpn_loss *loss, double epsilon, dpn_error *why) {
    return dpn_profile_delta(out, &loss->law, loss->sensitivity, epsilon, why);
}

const struct dpn_loss_kind dpn_loss_kind_law = {.name = "law", .delta = law_delta};

dpn_status dpn_loss_law(dpn_loss *out, const dpn_law *law, double sensitivity, dpn_error *why) {
    if (!(sensitivity >= 0 && isfinite(sensitivity)))
        return dpn_fail(why, DPN_EDOMAIN, "sensitivity must be finite and not negative");
    if (dpn_law_is_integer(law) && sensitivity != floor(sensitivity))
        return dpn_fail(why, DPN_EDOMAIN, "sensitivity must be whole for noise on the integers");
    *out = (dpn_loss){.kind = &dpn_loss_kind_law, .law = *law, .sensitivity = sensitivity};
    return DPN_OK;
}

dpn_status dpn_loss_block(dpn_loss *out, double epsilon, dpn_error *why) {
    if (!(epsilon >= 0 && isfinite(epsilon)))
        return dpn_fail(why, DPN_EDOMAIN, "epsilon of a block must be finite and not negative");
    dpn_law laplace;
    dpn_status status = dpn_law_make(&laplace, "laplace", (const double[]){1}, 1, why);
    return status ? status : dpn_loss_law(out, &laplace, epsilon, why);
}

/* ---- a mechanism known by its epsilon ---- */

/* P(L = +epsilon) (1 - e^(x - epsilon)) between the atoms; 1 - e^x to their left. */
static dpn_status pure_delta(dpn_delta *out, const dpn_loss *loss, double epsilon, dpn_error *why) {
    (void)why;
    double atom = loss->epsilon;
    if (epsilon >= atom)
        *out = dpn_delta_near(0, 0);
    else if (epsilon <= -atom)
        *out = dpn_delta_near(-expm1(epsilon), 4 * DBL_EPSILON);
    else
        *out = dpn_delta_near(-expm1(epsilon - atom) / (1 + exp(-atom)), 16 * DBL_EPSILON);
    return DPN_OK;
}

const struct dpn_loss_kind dpn_loss_kind_pure = {.name = "pure", .delta = pure_delta};

dpn_status dpn_loss_pure(dpn_loss *out, double epsilon, dpn_error *why) {
    if (!(epsilon >= 0 && isfinite(epsilon)))
        return dpn_fail(why, DPN_EDOMAIN, "epsilon of a pure loss must be finite and not negative");
    *out = (dpn_loss){.kind = &dpn_loss_kind_pure, .epsilon = epsilon};
    return DPN_OK;
}

/* ---- an explicit list ---- */

/* All terms are positive, so the relative error of the sum is that of a term and of the addition. An infinite loss
 * counts in full at every epsilon, +inf included. */
static dpn_status explicit_delta(dpn_delta *out, const dpn_loss *loss, double epsilon, dpn_error *why) {
    (void)why;
    dpn_twofold sum = {0, 0};
    for (size_t i = loss->count; i-- > 0 && (loss->value[i] > epsilon || isinf(loss->value[i]));) {
        double excess = isinf(loss->value[i]) ? 1 : -expm1(epsilon - loss->value[i]);
        sum = dpn_two_add(sum, dpn_two(loss->probability[i] * excess));
    }
    *out = dpn_delta_near(dpn_two_value(sum) / loss->total, 16 * DBL_EPSILON);
    return DPN_OK;
}

const struct dpn_loss_kind dpn_loss_kind_explicit = {.name = "explicit", .delta = explicit_delta};

dpn_status dpn_loss_explicit(dpn_loss *out, const double *value, const double *probability, size_t count,
                             dpn_error *why) {
    if (count == 0 || !value || !probability)
        return dpn_fail(why, DPN_EDOMAIN, "an explicit loss needs at least one value");
    dpn_twofold first = {0, 0}, second = {0, 0};
    for (size_t i = 0; i < count; i++) {
        if (!(value[i] > -INFINITY))
            return dpn_fail(why, DPN_EDOMAIN, "value %zu of the loss must be finite or +inf", i);
        if (i > 0 && !(value[i] > value[i - 1]))
            return dpn_fail(why, DPN_EDOMAIN, "value %zu of the loss must be above the one before", i);
        if (!(probability[i] > 0 && probability[i] <= 1))
            return dpn_fail(why, DPN_EDOMAIN, "probability %zu of the loss must lie in (0, 1]", i);
        first = dpn_two_add(first, dpn_two(probability[i]));
        second = dpn_two_add(second, dpn_two(probability[i] * exp(-value[i])));
    }
    double total = dpn_two_value(first);
    if (!(fabs(total - 1) <= 1e-12)) return dpn_fail(why, DPN_EDOMAIN, "the probabilities of the loss must sum to 1");
    if (!(dpn_two_value(second) <= 1 + 1e-12))
        return dpn_fail(why, DPN_EDOMAIN, "the probabilities times exp(-value) must sum to at most 1");
    *out = (dpn_loss){
        .kind = &dpn_loss_kind_explicit, .value = value, .probability = probability, .count = count, .total = total};
    return DPN_OK;
}
