/* truncated-geometric(epsilon,n,theta) as it is defined: with probability theta T_n, else T_(n-1), the member T_m having the
 * weights q^|k| on |k| <= m. Every member is that of the two, mixed. */
#include "reference/reference.h"
#include "reference/special.h"

#include <math.h>

#define EPSILON law->parameter[0]
#define N law->parameter[1]
#define THETA law->parameter[2]

enum { MASS_LONG = REF_OWN, MASS_SHORT, Q }; /* Z_n, Z_(n-1) */
#define OWN(name) law->constant[name]

static double ratio(const double *parameter) {
    return parameter[1] / parameter[0];
}

/* q^m. */
static real power(const ref_law *law, real m) {
    return r_exp(r_neg(r_mul(EPSILON, m)));
}

/* Z_m = (1 + q - 2 q^(m+1))/(1 - q). */
static real mass(const ref_law *law, real m) {
    real rest = r_times(power(law, r_plus(m, 1)), 2);
    return r_div(r_sub(r_plus(OWN(Q), 1), rest), r_sub(r_num(1), OWN(Q)));
}

static real mix(const ref_law *law, real of_long, real of_short) {
    real one = r_mul(THETA, r_div(of_long, OWN(MASS_LONG)));
    return r_add(one, r_mul(r_sub(r_num(1), THETA), r_div(of_short, OWN(MASS_SHORT))));
}

/* Z_m - 1 = 2 q (1 - q^m)/(1 - q). */
static real others(const ref_law *law, real m) {
    return r_div(r_times(r_mul(OWN(Q), r_sub(r_num(1), power(law, m))), 2), r_sub(r_num(1), OWN(Q)));
}

/* -log pdf(0), from what the other outputs have: pdf(0) may be nearer to 1 than the precision shows. */
static void prepare(ref_law *law) {
    OWN(Q) = power(law, r_num(1));
    OWN(MASS_LONG) = mass(law, N);
    OWN(MASS_SHORT) = mass(law, r_plus(N, -1));
    law->constant[REF_LOG_MASS] = r_neg(r_log1p(r_neg(mix(law, others(law, N), others(law, r_plus(N, -1))))));
}

static real psi(const ref_law *law, real k) {
    if (r_less(N, k)) return r_num(INFINITY);
    real straight = r_mul(EPSILON, k);
    if (r_less(k, N)) return straight;
    return r_sub(straight, r_add(r_log(mix(law, r_num(1), r_num(0))), law->constant[REF_LOG_MASS]));
}

/* q^(k+1) + ... + q^m, 0 for m <= k. */
static real beyond(const ref_law *law, real k, real m) {
    if (!r_less(k, m)) return r_num(0);
    return r_div(r_sub(power(law, r_plus(k, 1)), power(law, r_plus(m, 1))), r_sub(r_num(1), OWN(Q)));
}

static real log_tail(const ref_law *law, real k) {
    if (!r_less(k, N)) return r_num(-INFINITY);
    return r_log(mix(law, beyond(law, k, N), beyond(law, k, r_plus(N, -1))));
}

/* 2 sum of j q^j over j <= m: 2 q (1 - (m+1) q^m + m q^(m+1))/(1-q)^2. */
static real first(const ref_law *law, real m) {
    real last = power(law, m), sum = r_sub(r_num(1), r_mul(r_plus(m, 1), last));
    sum = r_add(sum, r_mul(m, r_mul(last, OWN(Q))));
    return r_div(r_times(r_mul(OWN(Q), sum), 2), r_square(r_sub(r_num(1), OWN(Q))));
}

/* 2 sum of j^2 q^j: 2 q (1 + q - (m+1)^2 q^m + (2m^2+2m-1) q^(m+1) - m^2 q^(m+2))/(1-q)^3. */
static real second(const ref_law *law, real m) {
    real last = power(law, m), q = OWN(Q), gap = r_sub(r_num(1), q);
    real middle = r_plus(r_times(r_mul(m, r_plus(m, 1)), 2), -1);
    real cut = r_sub(r_square(r_plus(m, 1)), r_mul(q, r_sub(middle, r_mul(q, r_square(m)))));
    real sum = r_sub(r_plus(q, 1), r_mul(last, cut));
    return r_div(r_times(r_mul(q, sum), 2), r_mul(gap, r_square(gap)));
}

static real mean_abs(const ref_law *law) {
    return mix(law, first(law, N), first(law, r_plus(N, -1)));
}

static real variance(const ref_law *law) {
    return mix(law, second(law, N), second(law, r_plus(N, -1)));
}

/* -sum p log p: epsilon E|X| - log pdf(0), and what psi has at the two ends besides. */
static real entropy(const ref_law *law) {
    real end = r_times(mix(law, power(law, N), r_num(0)), 2), drop = r_sub(psi(law, N), r_mul(EPSILON, N));
    return r_add(r_add(r_mul(EPSILON, mean_abs(law)), law->constant[REF_LOG_MASS]), r_mul(end, drop));
}

/* 1 + sum over 1 <= j <= m of exp((u - epsilon) j), both signs of u. */
static void add_side(r_sum *sum, const ref_law *law, real m, real u, real share) {
    real slope = r_sub(u, EPSILON), rise = r_mul(slope, m);
    if (r_sign(m) == 0) return;
    if (r_sign(slope) == 0) r_sum_term(sum, r_mul(share, m), r_num(0));
    real weight = r_mul(share, r_div(r_expm1(r_neg(r_abs(rise))), r_expm1(r_neg(r_abs(slope)))));
    if (r_sign(slope) > 0) r_sum_term(sum, weight, rise);
    if (r_sign(slope) < 0) r_sum_term(sum, weight, slope);
}

static void add_member(r_sum *sum, const ref_law *law, real m, real s, real share) {
    r_sum_term(sum, share, r_num(0));
    add_side(sum, law, m, s, share);
    add_side(sum, law, m, r_neg(s), share);
}

static real log_mgf(const ref_law *law, real s) {
    r_sum sum = {0};
    add_member(&sum, law, N, s, r_div(THETA, OWN(MASS_LONG)));
    add_member(&sum, law, r_plus(N, -1), s, r_div(r_sub(r_num(1), THETA), OWN(MASS_SHORT)));
    return r_sum_log(&sum);
}

static real support(const ref_law *law) {
    return N;
}

/* Mostly where the end matters: epsilon n from 1e-3 to 50. */
static bool draw(draw_source *source, double *parameter) {
    parameter[0] = draw_chance(source, 0.2) ? draw_log_uniform(source, 1e-12, 300) : draw_log_uniform(source, 1e-6, 5);
    parameter[1] = fmin(1e15, ceil(draw_log_uniform(source, 1e-3, 50) / parameter[0]));
    parameter[2] = draw_chance(source, 0.2)   ? 1
                   : draw_chance(source, 0.5) ? draw_uniform(source, 0, 1)
                                              : draw_log_uniform(source, 1e-9, 1);
    return parameter[2] >= 1e-9;
}

static double breakpoint(draw_source *source, const double *parameter) {
    return draw_chance(source, 0.5) ? parameter[1] : parameter[1] - 1;
}

const struct ref_family ref_truncated_geometric = {
    .name = "truncated-geometric",
    .parameters = 3,
    .integer = true,
    .ratio = ratio,
    .prepare = prepare,
    .psi = psi,
    .log_tail = log_tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .support = support,
    .draw = draw,
    .breakpoint = breakpoint,
};
