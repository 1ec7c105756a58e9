/* The part of delta that comes from the event that every loss takes the value of an atom. */
#include "privacy/compose/contour-atoms.h"

#include <float.h>

enum { MAX_VALUES = 50000 };

bool dpn_atoms_few(const dpn_sum *sum) {
    double values = 1;
    for (size_t i = 0; i < sum->terms; i++) {
        const dpn_term *term = &sum->term[i];
        if (!term->shape.symmetric || term->rule.atoms != 1) return false;
        values *= term->times + 1;
    }
    return sum->terms > 0 && sum->gaussian == 0 && values <= MAX_VALUES;
}

/* One value of the sum of all losses: the tilt discounts what exceeds epsilon. The value is known up to `doubt`. */
static void add_value(dpn_node_sum *out, double log_mass, double value, double error, double theta, double epsilon) {
    double above = value - epsilon, doubt = 8 * DBL_EPSILON * (fabs(value) + fabs(epsilon));
    if (above < -doubt) return;
    double size = exp(log_mass - theta * above), mass = size * fmax(0, -expm1(-above));
    out->value += mass;
    out->error += mass * (error + theta * doubt + DBL_EPSILON * (8 + fabs(log_mass))) + size * doubt;
}

/* The terms from i on. Of the n losses of a term k are at +L and the others at -L, for every k. */
static void enumerate(dpn_node_sum *out, const dpn_sum *sum, size_t i, double log_mass, double value, double error,
                      double theta, double epsilon) {
    if (i == sum->terms) {
        add_value(out, log_mass, value, error, theta, epsilon);
        return;
    }
    const dpn_tilt_rule *rule = &sum->term[i].rule;
    double n = sum->term[i].times, L = rule->value[0];
    double mass = rule->sum[0] - rule->minus[0];
    if (!(mass > 0)) { /* it underflowed: all of its events together have less than this */
        out->error += DBL_MIN;
        return;
    }
    double plus = log(mass), minus = fmax(log(rule->minus[0]), -1e5); /* underflow is no -inf */
    double own = n * (rule->flat + rule->relative + DBL_EPSILON * (16 - 8 * plus));
    dpn_twofold log_choices = {0, 0}; /* of n over k */
    for (double k = 0; k <= n; k++) {
        enumerate(out, sum, i + 1, log_mass + dpn_two_value(log_choices) + k * plus + (n - k) * minus,
                  value + (2 * k - n) * L, error + own - DBL_EPSILON * (n - k) * minus, theta, epsilon);
        log_choices = dpn_two_add(log_choices, dpn_two(log((n - k) / (k + 1))));
    }
}

dpn_node_sum dpn_atoms_sum(const dpn_sum *sum, double theta, double epsilon) {
    dpn_node_sum out = {0};
    enumerate(&out, sum, 0, 0, 0, 0, theta, epsilon);
    out.error += MAX_VALUES * DBL_EPSILON * out.value; /* the additions */
    return out;
}
