/* A lower bound for the variance of all noise on the integers at sensitivity 1, by weak duality: a second computation that
 * shares nothing with the linear program, and holds for noise of any extent.
 *
 * Let p be symmetric noise with delta(epsilon) <= delta. For multipliers 0 <= L(k) <= M, k >= 0, the sum of
 * L(k) (p(k) - e^epsilon p(k + 1)) is at most M delta, hence
 *
 *     variance + M delta >= p(0) L(0) + sum over k > 0 of p(k) (2 k^2 + L(k) - e^epsilon L(k - 1)) >= V
 *
 * as soon as L(0) >= V and each bracket is at least 2V. So V - M delta is a bound for every V and L. Given V, the least L that
 * serves follows from one k to the next; it must come back to 0, where it stays once k^2 >= V. What remains is to maximise the
 * concave V - M(V) delta. Asymmetric noise does no better: its mean with its mirror image satisfies the same constraints.
 */
#include "limit.h"

#include <math.h>

struct dual {
    double growth, delta;
};

/* M(V); +inf if L does not come back to 0, or so late that the bound is of no use. */
static double largest_multiplier(const struct dual *dual, double value) {
    double multiplier = value, most = value, hopeless = value / fmax(dual->delta, 1e-15);
    for (double k = 1; most <= hopeless; k++) {
        multiplier = fmax(2 * (value - k * k) + dual->growth * multiplier, 0);
        if (multiplier == 0 && k * k >= value) return most;
        most = fmax(most, multiplier);
    }
    return INFINITY;
}

static double minus_bound(double value, const void *context) {
    const struct dual *dual = context;
    return dual->delta * largest_multiplier(dual, value) - value;
}

double limit_lower(double epsilon, double delta) {
    struct dual dual = {exp(epsilon), delta};
    double low = 0, high = 2 / (epsilon * epsilon); /* the variance of Laplace noise, which no optimum exceeds */
    if (delta > 0) return fmax(0, -limit_least(minus_bound, &dual, low, high));
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (largest_multiplier(&dual, middle) < INFINITY)
            low = middle;
        else
            high = middle;
    }
    return low;
}
