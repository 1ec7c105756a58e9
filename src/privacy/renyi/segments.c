/* Renyi divergences of losses that consist of segments and atoms: in closed form. The quadrature is in quadrature.c. */
#include "privacy/renyi/segments.h"

#include "privacy/renyi/exp-quadratic.h"

#include <float.h>
#include <math.h>

/* Terms mantissa * exp(exponent) in the unit e^top, with the error of each. */
typedef struct total {
    double top, sum, error;
} total;

static void add(total *t, dpn_scaled term) {
    if (term.exponent > t->top) {
        double factor = exp(t->top - term.exponent);
        t->sum *= factor;
        t->error *= factor;
        t->top = term.exponent;
    }
    double value = term.mantissa * exp(term.exponent - t->top);
    t->sum += value;
    t->error += value * (DPN_EXP_QUADRATIC_ERROR + 4 * DBL_EPSILON * term.size);
}

/* The integral of e^(kappa L) m(dL). */
static void add_moment(total *t, const dpn_shape *shape, double kappa) {
    for (size_t i = 0; i < shape->segments; i++) {
        const dpn_segment *segment = &shape->segment[i];
        dpn_quadratic q;
        double size = 0;
        for (int k = 2; k >= 0; k--) {
            q.c[k] = segment->log_density.c[k] + kappa * segment->loss.c[k];
            if (k == 0) size = fabs(segment->log_density.c[0]) + fabs(kappa * segment->loss.c[0]);
        }
        dpn_scaled term = dpn_exp_quadratic(&q, segment->length);
        term.size += size;
        add(t, term);
    }
    for (size_t i = 0; i < shape->atoms; i++) {
        const dpn_atom *atom = &shape->atom[i];
        add(t, (dpn_scaled){1, atom->log_mass + kappa * atom->value, fabs(atom->log_mass) + fabs(kappa * atom->value)});
    }
}

dpn_growth dpn_segments_closed(const dpn_shape *shape, double theta) {
    total t = {-INFINITY, 0, 0};
    add_moment(&t, shape, theta);
    add_moment(&t, shape, -(1 + theta));
    double log_mass = log(t.sum / shape->scale), cumulant = t.top + log_mass;
    double error = t.error / t.sum + DPN_PLAIN_ERROR + 4 * DBL_EPSILON * (1 + fabs(t.top) + fabs(log_mass));
    return (dpn_growth){cumulant / theta, 1.5 * error / fabs(cumulant) + 2 * DBL_EPSILON};
}

dpn_growth dpn_segments_total(const dpn_shape *shape) {
    total t = {-INFINITY, 0, 0};
    add_moment(&t, shape, 0);
    add_moment(&t, shape, -1);
    return (dpn_growth){t.sum * exp(t.top), t.error / t.sum + 4 * DBL_EPSILON * (1 + fabs(t.top))};
}

dpn_growth dpn_segments_divergence(const dpn_shape *shape, double theta) {
    if (theta > 0) {
        dpn_growth closed = dpn_segments_closed(shape, theta);
        if (theta * closed.value >= DPN_WEAK && isfinite(closed.value)) return closed;
    }
    return dpn_segments_quadrature(shape, theta);
}
