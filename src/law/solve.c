/* Inverting a tail that has no closed inverse. */
#include "law/solve.h"

#include "law/facts.h"

#include <math.h>

/* The fall of log tail from t to t + 1. Where nearly all of the tail sits at t + 1, that of log pdf is as good. */
static double fall(const dpn_law *law, double t, dpn_tail tail) {
    dpn_twofold psi = law->family->psi(law, t + 1);
    double share = law->constant[DPN_PDF0] / tail.mantissa * dpn_two_exp_minus(dpn_two_subtract(psi, tail.exponent));
    return share < 0.9 ? -log1p(-share) : dpn_two_value(dpn_two_subtract(law->family->psi(law, t + 2), psi));
}

/* Newton's step on log tail = goal, rounded up. As log tail is concave, the line lies above it and the step does not
 * fall short of the root, but for rounding. */
static double newton(const dpn_law *law, double t, dpn_tail tail, double goal) {
    double gap = (log(tail.mantissa) - tail.exponent.hi - goal) - tail.exponent.lo;
    return ceil(t + gap / fall(law, t, tail));
}

/* above < answer <= below throughout. Where rounding holds Newton's method off the answer (p may be a subnormal number,
 * which many tails round to), steps back double up to half of the bracket. */
double dpn_solve_integer_tail(const dpn_law *law, double p) {
    double goal = log(p), t = 0, above = -1, below = INFINITY, back = 1;
    for (;;) {
        dpn_tail tail = dpn_law_tail(law, t);
        if (dpn_two_exp_scaled(tail.mantissa, tail.exponent) > p)
            above = t;
        else
            below = t;
        if (below - above <= 1) return below;
        t = newton(law, t, tail, goal);
        if (!(t > above)) t = above + 1;
        if (t >= below) {
            t = fmax(below - back, floor(above + (below - above) / 2));
            back *= 2;
        }
    }
}
