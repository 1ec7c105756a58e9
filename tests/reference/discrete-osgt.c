/* discrete-osgt(m,sigma), and discrete-gaussian(sigma), which is its case m = 0. */
#include "reference/lattice.h"
#include "reference/reference.h"

#include <math.h>

enum { SHIFT = REF_OWN, SQUARE, SLOPE }; /* m, sigma^2, m/sigma^2 */
#define OWN(name) law->constant[name]

static void prepare(ref_law *law, real m, real sigma) {
    OWN(SHIFT) = m;
    OWN(SQUARE) = r_square(sigma);
    OWN(SLOPE) = r_div(m, OWN(SQUARE));
    law->constant[REF_LOG_MASS] = r_log1p(r_times(r_lattice(0, OWN(SQUARE), OWN(SLOPE)), 2));
}

static void prepare_osgt(ref_law *law) {
    prepare(law, law->parameter[0], law->parameter[1]);
}

static void prepare_gaussian(ref_law *law) {
    prepare(law, r_num(0), law->parameter[0]);
}

static real psi(const ref_law *law, real t) {
    return r_div(r_mul(t, r_add(r_over(t, 2), OWN(SHIFT))), OWN(SQUARE));
}

static real log_tail(const ref_law *law, real t) {
    real log_sum = r_log_lattice_from(r_plus(t, 1), OWN(SQUARE), OWN(SHIFT));
    return r_sub(log_sum, law->constant[REF_LOG_MASS]);
}

static real moment(const ref_law *law, int n) {
    return r_div(r_times(r_lattice(n, OWN(SQUARE), OWN(SLOPE)), 2), r_exp(law->constant[REF_LOG_MASS]));
}

static real mean_abs(const ref_law *law) {
    return moment(law, 1);
}

static real variance(const ref_law *law) {
    return moment(law, 2);
}

static real entropy(const ref_law *law) {
    real mean_psi = r_div(r_add(r_over(variance(law), 2), r_mul(OWN(SHIFT), mean_abs(law))), OWN(SQUARE));
    return r_add(law->constant[REF_LOG_MASS], mean_psi);
}

/* The integers above, below and at zero. */
static real log_mgf(const ref_law *law, real s) {
    real one = r_num(1), tilt = r_mul(s, OWN(SQUARE));
    real up = r_log_lattice_from(one, OWN(SQUARE), r_sub(OWN(SHIFT), tilt));
    real down = r_log_lattice_from(one, OWN(SQUARE), r_add(OWN(SHIFT), tilt));
    real top = r_sign(up) > 0 ? up : r_num(0);
    real sum = r_add(r_exp(r_neg(top)), r_add(r_exp(r_sub(up, top)), r_exp(r_sub(down, top))));
    return r_sub(r_add(top, r_log(sum)), law->constant[REF_LOG_MASS]);
}

static bool draw_gaussian(draw_source *source, double *parameter) {
    parameter[0] = draw_integer_scale(source);
    return true;
}

static bool draw_osgt(draw_source *source, double *parameter) {
    bool ordinary;
    double b = draw_ratio(source, &ordinary), sigma = draw_integer_scale(source), m = b * sigma;
    if (m > 1 && draw_chance(source, 0.3)) m = floor(m);
    parameter[0] = draw_chance(source, 0.05) ? 0 : m;
    parameter[1] = sigma;
    return ordinary && m <= 1e9;
}

const struct ref_family ref_discrete_gaussian = {
    .name = "discrete-gaussian",
    .parameters = 1,
    .integer = true,
    .prepare = prepare_gaussian,
    .psi = psi,
    .log_tail = log_tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .draw = draw_gaussian,
};

const struct ref_family ref_discrete_osgt = {
    .name = "discrete-osgt",
    .parameters = 2,
    .integer = true,
    .prepare = prepare_osgt,
    .psi = psi,
    .log_tail = log_tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .draw = draw_osgt,
};
