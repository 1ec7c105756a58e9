/* discrete-flipped-huber(alpha,gamma): with N = floor(alpha), the terms k = 1..N are geometric with slope alpha/gamma^2, and
 * those from N + 1 on are exp(-alpha^2/2gamma^2) times Gaussian ones. */
#include "reference/lattice.h"
#include "reference/reference.h"
#include "reference/special.h"

#include <math.h>

#define ALPHA law->parameter[0]
#define GAMMA law->parameter[1]

enum {
    SQUARE = REF_OWN,
    SLOPE,
    LAST,
    LIFT,
    LOG_OUTER
}; /* gamma^2, alpha/gamma^2, N, alpha^2/2gamma^2, log outer sum */
#define OWN(name) law->constant[name]

/* Only the geometric piece cancels, and it is empty for alpha < 1. */
static double ratio(const double *parameter) {
    return parameter[0] < 1 ? 1 : parameter[0] / parameter[1];
}

static real geometric(const ref_law *law, int n, real last) {
    return r_sign(last) > 0 ? r_geometric(n, last, OWN(SLOPE)) : r_num(0);
}

static void prepare(ref_law *law) {
    OWN(SQUARE) = r_square(GAMMA);
    OWN(SLOPE) = r_div(ALPHA, OWN(SQUARE));
    OWN(LAST) = r_floor(ALPHA);
    OWN(LIFT) = r_over(r_mul(ALPHA, OWN(SLOPE)), 2);
    OWN(LOG_OUTER) = r_sub(r_log_lattice_from(r_plus(OWN(LAST), 1), OWN(SQUARE), r_num(0)), OWN(LIFT));
    real side = r_add(geometric(law, 0, OWN(LAST)), r_exp(OWN(LOG_OUTER)));
    law->constant[REF_LOG_MASS] = r_log1p(r_times(side, 2));
}

static real psi(const ref_law *law, real t) {
    if (!r_less(ALPHA, t)) return r_mul(OWN(SLOPE), t);
    return r_add(r_over(r_div(r_square(t), OWN(SQUARE)), 2), OWN(LIFT));
}

static real log_tail(const ref_law *law, real t) {
    real log_sum;
    if (r_less(t, OWN(LAST))) {
        r_sum sum = {0};
        real count = r_sub(OWN(LAST), t);
        r_sum_term(&sum, r_geometric_from_zero(count, OWN(SLOPE)), r_neg(r_mul(OWN(SLOPE), r_plus(t, 1))));
        r_sum_term(&sum, r_num(1), OWN(LOG_OUTER));
        log_sum = r_sum_log(&sum);
    } else {
        log_sum = r_sub(r_log_lattice_from(r_plus(t, 1), OWN(SQUARE), r_num(0)), OWN(LIFT));
    }
    return r_sub(log_sum, law->constant[REF_LOG_MASS]);
}

/* sum over k > N of k^n exp(-psi(k)), n = 1, 2: k = K + j, K = N + 1, j >= 0. */
static real outer(const ref_law *law, int n) {
    real K = r_plus(OWN(LAST), 1), slope = r_div(K, OWN(SQUARE));
    real u0 = r_plus(r_lattice(0, OWN(SQUARE), slope), 1), u1 = r_lattice(1, OWN(SQUARE), slope);
    real sum = r_add(r_mul(K, u0), u1);
    if (n == 2) sum = r_add(r_mul(K, r_add(sum, u1)), r_lattice(2, OWN(SQUARE), slope));
    return r_mul(r_exp(r_neg(psi(law, K))), sum);
}

static real mean_of(const ref_law *law, real sum) {
    return r_mul(r_times(sum, 2), r_exp(r_neg(law->constant[REF_LOG_MASS])));
}

static real mean_abs(const ref_law *law) {
    return mean_of(law, r_add(geometric(law, 1, OWN(LAST)), outer(law, 1)));
}

static real variance(const ref_law *law) {
    return mean_of(law, r_add(geometric(law, 2, OWN(LAST)), outer(law, 2)));
}

static real entropy(const ref_law *law) {
    real inside = r_mul(OWN(SLOPE), geometric(law, 1, OWN(LAST)));
    real outside = r_add(r_over(r_div(outer(law, 2), OWN(SQUARE)), 2), r_mul(OWN(LIFT), r_exp(OWN(LOG_OUTER))));
    return r_add(law->constant[REF_LOG_MASS], mean_of(law, r_add(inside, outside)));
}

/* The terms k > 0 of exp(uk - psi(k)). A rising geometric sum is the falling one read from its end. */
static void add_side(r_sum *sum, const ref_law *law, real u) {
    real slope = r_sub(OWN(SLOPE), u), beyond = r_plus(OWN(LAST), 1), zero = r_num(0);
    if (r_sign(OWN(LAST)) > 0) {
        real N = OWN(LAST);
        if (r_sign(slope) > 0) r_sum_term(sum, r_geometric_from_zero(N, slope), r_neg(slope));
        if (r_sign(slope) == 0) r_sum_term(sum, N, zero);
        if (r_sign(slope) < 0) r_sum_term(sum, r_geometric_from_zero(N, r_neg(slope)), r_neg(r_mul(slope, N)));
    }
    real log_outer = r_log_lattice_from(beyond, OWN(SQUARE), r_neg(r_mul(u, OWN(SQUARE))));
    r_sum_term(sum, r_num(1), r_sub(log_outer, OWN(LIFT)));
}

static real log_mgf(const ref_law *law, real s) {
    r_sum sum = {0};
    r_sum_term(&sum, r_num(1), r_num(0));
    add_side(&sum, law, s);
    add_side(&sum, law, r_neg(s));
    return r_sub(r_sum_log(&sum), law->constant[REF_LOG_MASS]);
}

static bool draw(draw_source *source, double *parameter) {
    bool ordinary;
    double b = draw_ratio(source, &ordinary), gamma = draw_integer_scale(source), alpha = b * gamma;
    if (alpha > 1 && draw_chance(source, 0.3)) alpha = floor(alpha);
    parameter[0] = draw_chance(source, 0.05) ? 0 : alpha;
    parameter[1] = gamma;
    return ordinary && alpha <= 1e9;
}

static double breakpoint(draw_source *source, const double *parameter) {
    return floor(parameter[0]) + floor(draw_uniform(source, 0, 3)) - 1;
}

const struct ref_family ref_discrete_flipped_huber = {
    .name = "discrete-flipped-huber",
    .parameters = 2,
    .integer = true,
    .ratio = ratio,
    .prepare = prepare,
    .psi = psi,
    .log_tail = log_tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .draw = draw,
    .breakpoint = breakpoint,
};
