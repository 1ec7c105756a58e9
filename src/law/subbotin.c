/* subbotin(p,scale): with w = |t|/(p^(1/p) scale) and z = w^p = (|t|/scale)^p/p the density is proportional to exp(-z).
 *
 * p = 1 is the Laplace law, p = 2 the Gaussian law, p -> inf the uniform law on (-scale, scale). With a = 1/p the tail
 * is upper(a,z)/2Gamma(a), an incomplete gamma function, and z^a = w.
 */
#include "law/family.h"
#include "law/incomplete-gamma.h"
#include "law/subbotin-mgf.h"
#include "law/twofold-log.h"

#define P law->parameter[0]
#define SCALE law->parameter[1]

enum {
    INVERSE = DPN_FIRST_CONSTANT, /* w/t, a twofold number */
    A = INVERSE + 2,              /* 1/p */
    CENTRE,                       /* 1/2Gamma(1+a), the density of w at zero */
    EXCESS,                       /* (Gamma(1+a) - 1)/a */
    END
};
_Static_assert((int)END <= (int)DPN_LAW_CONSTANTS, "the constants fit");

static const char *refuse(const double *parameter) {
    if (!(parameter[0] >= 1 && parameter[0] <= 1000)) return "p must lie in [1, 1000]";
    return dpn_scale_ok(parameter[1]) ? NULL : "scale must lie in [1e-150, 1e150]";
}

/* e^-x for 0 <= x <= 7 to 25 digits: the Taylor series at x/1024, squared ten times. */
static dpn_twofold precise_exp_minus(dpn_twofold x) {
    dpn_twofold y = dpn_two_scale(x, -0x1p-10), sum = dpn_two(1);
    for (int n = 10; n > 0; n--) sum = dpn_two_add(dpn_two(1), dpn_two_divide(dpn_two_multiply(y, sum), n));
    for (int i = 0; i < 10; i++) {
        sum = dpn_two_multiply(sum, sum);
        sum = dpn_two_sum(sum.hi, sum.lo);
    }
    return sum;
}

/* p^(-1/p). An error of it would be multiplied by p z in the density. */
static dpn_twofold root_of_inverse(double p) {
    double near = log(p);
    dpn_twofold one = dpn_two_times(precise_exp_minus(dpn_two(near)), p);
    dpn_twofold log_p = dpn_two_sum(near, dpn_two_value(dpn_two_subtract(one, dpn_two(1))));
    return precise_exp_minus(dpn_two_divide(log_p, p));
}

static void prepare(dpn_law *law) {
    dpn_twofold inverse = dpn_two_divide(root_of_inverse(P), SCALE);
    double a = 1 / P, centre = 0.5 / tgamma(1 + a);
    dpn_two_store(&law->constant[INVERSE], inverse);
    law->constant[A] = a;
    law->constant[CENTRE] = centre;
    law->constant[EXCESS] = dpn_gamma_excess(a);
    law->constant[DPN_PDF0] = centre * inverse.hi;
    law->constant[DPN_LOG_PDF0] = log(centre * inverse.hi);
}

static dpn_twofold scaled(const dpn_law *law, double t) {
    return dpn_two_times(dpn_two_load(&law->constant[INVERSE]), t);
}

/* z = |w|^p. What the power of w.hi, rounded to a double, leaves out is the difference of logarithms: the exponential of a z of
 * hundreds would show it. */
static dpn_twofold exponent(const dpn_law *law, dpn_twofold w) {
    if (w.hi < 0) w = (dpn_twofold){-w.hi, -w.lo}; /* psi is even, and a search may step below 0 */
    double power = pow(w.hi, P);
    if (!(power > 0 && power < INFINITY)) return dpn_two(power);
    dpn_twofold log_w = dpn_two_add(dpn_two_log(w.hi), dpn_two(w.lo / w.hi));
    double left = dpn_two_value(dpn_two_subtract(dpn_two_times(log_w, P), dpn_two_log(power)));
    return dpn_two_sum(power, power * left);
}

static dpn_twofold psi(const dpn_law *law, double t) {
    return exponent(law, scaled(law, t));
}

/* From here on the mantissa of the tail changes nothing that a double can show. */
#define DEEP 1e20

/* Up to this mass between 0 and t the tail is 1/2 less the mass, which costs it one digit. */
#define MASS_TO 0.45

static dpn_tail tail_at(const dpn_law *law, dpn_twofold w, dpn_twofold z) {
    double a = law->constant[A], centre = law->constant[CENTRE];
    if (z.hi > DEEP) return (dpn_tail){0.5, z};
    if (z.hi < DPN_GAMMA_SERIES_TO) {
        double mass = centre * w.hi * dpn_gamma_lower_scaled(a, z.hi) * exp(-z.hi);
        if (mass <= MASS_TO) return (dpn_tail){0.5 - mass, dpn_two(0)};
        if (z.hi < 1) {
            double upper = dpn_gamma_upper_below_one(a, z.hi, log(w.hi) + w.lo / w.hi, law->constant[EXCESS]);
            return (dpn_tail){centre * a * upper, dpn_two(0)};
        }
    }
    return (dpn_tail){centre * a * w.hi * dpn_gamma_upper_scaled(a, z.hi), z};
}

static dpn_tail tail(const dpn_law *law, double t) {
    dpn_twofold w = scaled(law, t);
    return tail_at(law, w, exponent(law, w));
}

/* Newton's method ends at a step this small: what is left after it is of the order of p times its square. */
#define LAST_STEP 1e-10

/* The w where the integral of e^-z from 0 is the area, at most half of that to infinity: it is concave, so from the
 * left the iterates stay there. */
static double central_inverse(const dpn_law *law, double area) {
    double w = area;
    for (int i = 0; i < 50; i++) {
        double z = pow(w, P), step = area * exp(z) - w * dpn_gamma_lower_scaled(law->constant[A], z);
        w += step;
        if (fabs(step) <= LAST_STEP * w) break;
    }
    return w;
}

/* The w with tail p. The logarithm of the tail is concave and decreasing, so from the right the iterates stay there;
 * the start is to the right because the tail is at most e^-z/2. */
static double outer_inverse(const dpn_law *law, double p) {
    double goal = log(p), w = pow(-log(2 * p), law->constant[A]);
    for (int i = 0; i < 50; i++) {
        dpn_twofold z = exponent(law, dpn_two(w));
        dpn_tail there = tail_at(law, dpn_two(w), z);
        double above = ((log(there.mantissa) - there.exponent.hi) - goal) - there.exponent.lo;
        double tail_over_density = there.mantissa * exp(z.hi - there.exponent.hi) / law->constant[CENTRE];
        double step = above * tail_over_density;
        w += step;
        if (fabs(step) <= LAST_STEP * w) break;
    }
    return w;
}

static double tail_inverse(const dpn_law *law, double p) {
    double w = p >= 0.25 ? central_inverse(law, (0.5 - p) / law->constant[CENTRE]) : outer_inverse(law, p);
    return w / law->constant[INVERSE];
}

static double variance(const dpn_law *law) {
    return SCALE * SCALE * 2 * dpn_subbotin_moment(P, 2);
}

static double mean_abs(const dpn_law *law) {
    return SCALE * dpn_subbotin_moment(P, 1);
}

/* E u^(2p-2)/scale^2 = p^(1-2a) Gamma(2-a)/Gamma(1+a)/scale^2. */
static double fisher(const dpn_law *law) {
    double a = law->constant[A];
    return pow(P, 1 - 2 * a) * tgamma(2 - a) / tgamma(1 + a) / SCALE / SCALE;
}

static double entropy(const dpn_law *law) {
    return law->constant[A] - law->constant[DPN_LOG_PDF0];
}

/* For p < 2 the tails are heavier than any Gaussian ones, for p >= 2 the variance serves
 * (docs/proofs/law/sub-gaussian.md). The variance is measured to 1e-15 (docs/accuracy.md); a thousand times
 * that is added. */
static double sub_gaussian(const dpn_law *law) {
    if (P < 2) return INFINITY;
    return P == 2 ? dpn_square_upper(SCALE) : variance(law) * (1 + 1e-12);
}

static double mgf_bound(const dpn_law *law) {
    return P == 1 ? 1 / SCALE : INFINITY;
}

/* p = 1: -log(1 - v^2), v = s scale, where 1 - v keeps its digits near the pole because v is twofold. */
static double laplace_log_mgf(dpn_twofold v) {
    if (v.hi < 0.5) return -log1p(-v.hi * v.hi);
    double gap = dpn_two_value(dpn_two_subtract(dpn_two(1), v));
    return gap > 0 ? -log(gap * (1 + v.hi)) : INFINITY;
}

static double log_mgf(const dpn_law *law, double s) {
    dpn_twofold tau = dpn_two_product(s, SCALE);
    if (isinf(tau.hi)) return INFINITY;
    if (P == 1) return laplace_log_mgf(tau);
    if (P == 2) return 0.5 * tau.hi * tau.hi;
    return dpn_subbotin_log_mgf(P, tau);
}

static bool pieces(const dpn_law *law, dpn_pieces *out) {
    if (P == 1)
        *out = (dpn_pieces){{SCALE, 1}, 1, {{0, 1, 0}}};
    else if (P == 2)
        *out = (dpn_pieces){{SCALE, SCALE}, 1, {{0, 0, 1}}};
    return P == 1 || P == 2;
}

static const dpn_shape_fact shape = {
    .name = "p",
    .least = 1.0005,
    .most = 60,
    .below = &dpn_laplace,
    .lowest = 1,
    .below_is_member = true,
    .member = &dpn_gaussian,
    .member_at = 2,
    .scan = 14,
};

static bool inverse(const dpn_law *law, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide p = dpn_wide_double(how, P), scale = dpn_wide_double(how, SCALE);
    dpn_wide ratio = dpn_wide_divide(how, x, &scale), power = dpn_wide_power(how, &ratio, P);
    dpn_wide quotient = dpn_wide_divide(how, &power, &p);
    return dpn_wide_exp(out, how, &quotient);
}

const struct dpn_family dpn_subbotin = {
    .name = "subbotin",
    .parameter = {"p", "scale"},
    .formula = "exp(-x^p/(p scale^p))",
    .pieces = pieces,
    .inverse = inverse,
    .shape = &shape,
    .refuse = refuse,
    .prepare = prepare,
    .psi = psi,
    .tail = tail,
    .tail_inverse = tail_inverse,
    .variance = variance,
    .mean_abs = mean_abs,
    .fisher = fisher,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .mgf_bound = mgf_bound,
    .sub_gaussian = sub_gaussian,
};
