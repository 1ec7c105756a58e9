/* The largest finite loss of a composition. */
#include "privacy/loss/largest.h"

#include "privacy/profile/excess.h"
#include "privacy/profile/supremum.h"

static dpn_quotient of_list(const dpn_loss *loss, bool reversed) {
    size_t last = loss->count - 1;
    if (reversed) return (dpn_quotient){isinf(loss->value[0]) ? 0 : -loss->value[0], 1, 1, 1};
    if (isinf(loss->value[last]) && last > 0) last--;
    return (dpn_quotient){isinf(loss->value[last]) ? 0 : loss->value[last], 1, 1, 1};
}

static dpn_quotient of_loss(const dpn_loss *loss, bool reversed) {
    if (loss->kind == &dpn_loss_kind_explicit) return of_list(loss, reversed);
    if (loss->kind->largest) return (dpn_quotient){loss->kind->largest(loss), 1, 1, 1};
    if (loss->kind == &dpn_loss_kind_pure) return (dpn_quotient){loss->epsilon, 1, 1, 1};
    dpn_quotient q = {0, 1, 1, 1};
    if (loss->sensitivity > 0) dpn_loss_supremum(&q, &loss->law, loss->sensitivity); /* if it is not known, +inf */
    return q;
}

dpn_twofold dpn_largest_loss(const dpn_part *part, size_t parts, bool reversed) {
    dpn_twofold sum = {0, 0};
    for (size_t i = 0; i < parts; i++) {
        if (part[i].times == 0) continue;
        dpn_quotient q = of_loss(&part[i].loss, reversed);
        dpn_twofold value = dpn_two_multiply(dpn_two_quotient(q.x, q.g), dpn_two_quotient(q.y, q.h));
        sum = dpn_two_add(sum, dpn_two_times(value, (double)part[i].times));
    }
    return sum;
}

bool dpn_largest_reached(const dpn_part *part, size_t parts, bool reversed, double epsilon, double *slack) {
    *slack = 0;
    if (parts == 1) {
        dpn_quotient q = of_loss(&part[0].loss, reversed);
        dpn_twofold y = dpn_two_product(q.y, (double)part[0].times);
        if (q.x > 0 && isfinite(q.x) && y.hi > 0 && y.lo == 0) return dpn_excess(epsilon, q.x, q.g, y.hi, q.h).hi >= 0;
    }
    dpn_twofold largest = dpn_largest_loss(part, parts, reversed);
    if (isinf(largest.hi)) return false;
    double excess = dpn_two_value(dpn_two_subtract(dpn_two(epsilon), largest)), sliver = 0x1p-88 * fabs(largest.hi);
    if (fabs(excess) <= sliver) *slack = 2 * sliver;
    return excess >= -sliver;
}
