/* Cells of spherical integrals: where they lie, what is claimed of their errors, and how near the bounds come to what they bound. */
#include "privacy/loss/spherical-integral.c" /* to see each bound */

#include "reference/draw.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_spherical some_integral(draw_source *source, int trial) {
    dpn_spherical is = {.alpha = trial % 4 ? draw_uniform(source, 0, 3) : 0, .beta = draw_log_uniform(source, 0.05, 3)};
    is.dimension = 2 + trial % 7;
    is.factor = (dpn_spherical_factor)(trial % 6);
    bool whole =
        is.factor == DPN_SPHERICAL_ALL || is.factor == DPN_SPHERICAL_TILTED || is.factor == DPN_SPHERICAL_FORWARD;
    is.epsilon = whole ? 0 : draw_uniform(source, 0.05, 2 * (is.alpha + is.beta));
    is.theta = is.factor == DPN_SPHERICAL_TILTED ? draw_log_uniform(source, 0.1, 6) : 0;
    return is;
}

static bool near(double x, double y, double relative) {
    return fabs(x - y) <= relative * fmax(fabs(x), fabs(y));
}

/* ---- the start ---- */

static void integrals_begin_where_the_loss_may_exceed_epsilon(void **state) {
    (void)state;
    draw_source source = {161};
    size_t later = 0;
    for (int trial = 0; trial < 300; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        integrand f = prepare(&is);
        /* The largest loss at s, alpha + beta s/2, reaches epsilon there, or exceeds it by the gap. */
        double s = fmax(1, 2 * (is.epsilon - is.alpha) / is.beta), over = is.alpha + 0.5 * is.beta * s - is.epsilon;
        assert_true(near(f.start, s, 1e-14) && fabs(f.apart - (s - 1)) <= 1e-14 * s &&
                    fabs(f.gap - (s > 1 ? 0 : over)) <= 1e-14 * (1 + is.alpha + is.epsilon));
        assert_true((f.gap == 0 || f.apart == 0) && f.gap >= 0 && f.m == is.dimension);
        assert_true(near(f.doubt, 4 * DBL_EPSILON * (is.alpha + is.epsilon + is.beta), 1e-12)); /* 8 units */
        later += s > 1;
    }
    assert_true(later > 30 && later < 200);
}

/* ---- rectangles are as small as they can be: the ends are met at corners, at the real line or at the edge nearest to 0 ---- */

static void spread(region *out, double complex z) {
    out->from = fmin(out->from, creal(z));
    out->to = fmax(out->to, creal(z));
    out->high = fmax(out->high, fabs(cimag(z)));
}

static int places(double complex out[9], const region *z) {
    double nearest = z->from > 0 ? z->from : z->to < 0 ? z->to : 0, real[3] = {z->from, z->to, nearest};
    for (int i = 0; i < 9; i++) out[i] = real[i % 3] + I * ((i / 3 - 1) * z->high);
    return 9;
}

static bool alike(const region *a, const region *b) {
    return fabs(a->from - b->from) + fabs(a->to - b->to) + fabs(a->high - b->high) < 1e-9;
}

static void rectangles_are_tight(void **state) {
    (void)state;
    draw_source source = {162};
    for (int trial = 0; trial < 500; trial++) {
        region a = {draw_uniform(&source, -2, 2), 0, trial % 4 ? draw_uniform(&source, 0, 1) : 0},
               b = {draw_uniform(&source, -2, 2), 0, draw_uniform(&source, 0, 1)};
        a.to = a.from + draw_uniform(&source, 0, 2);
        b.to = b.from + draw_uniform(&source, 0, 2);
        double by = draw_uniform(&source, -2, 2), times = draw_uniform(&source, -2, 2), size = 0, small = INFINITY;
        double complex x[9], z[9];
        places(x, &a);
        places(z, &b);
        region both = {INFINITY, -INFINITY, 0}, square = both, moved = both;
        for (int i = 0; i < 9; i++) {
            for (int j = 0; j < 9; j++) spread(&both, x[i] * z[j]);
            spread(&square, x[i] * x[i]);
            spread(&moved, by + times * x[i]);
            size = fmax(size, cabs(x[i]));
            small = fmin(small, fabs(creal(x[i])));
        }
        region got = product(&a, &b), got_square = square_of(&a), got_moved = shifted(by, times, &a);
        assert_true(alike(&got, &both) && alike(&got_square, &square) && alike(&got_moved, &moved));
        assert_true(near(modulus(&a), size, 1e-12) && fabs(least(&a) - small) < 1e-12 &&
                    fabs(most(&a) - fmax(fabs(a.from), fabs(a.to))) < 1e-12);
        for (double power = -0.5; power < 4; power += 0.5) {
            double bound = log_power(&a, power);
            if (power == 0)
                assert_true(bound == 0);
            else if (a.from > 0)
                assert_true(fabs(bound - power * log(power > 0 ? size : a.from)) < 1e-12);
            else if (power != floor(power))
                assert_true(bound == INFINITY);
            else
                assert_true(fabs(bound - power * log(size)) < 1e-12);
        }
    }
}

/* ---- the bound at one place is the function itself, the factors of Phi by their terms ---- */

static double log_at_place(const dpn_spherical *is, double y, double w, bool complex_too) {
    double m = is->dimension, start = fmax(1, 2 * (is->epsilon - is->alpha) / is->beta), s = start + y * y;
    double g = is->alpha + 0.5 * is->beta * s, ratio = (g - is->epsilon) / g, t = 1 - ratio * w * w, L = t * g, phi,
           theta = is->theta;
    double total = (m - 2) * log(w) + (start > 1 ? log(y) + 0.5 * (m - 3) * log(start - 1 + y * y) : (m - 2) * log(y)) +
                   0.5 * (m - 1) * log(ratio);
    total += 0.5 * (m - 3) * (log(s + 1) + log(1 + t)) + log(start - 1 + y * y + ratio * w * w) + log(s + t);
    total -= 0.5 * is->alpha * s + 0.125 * is->beta * (s * s + t * t);
    if (is->factor == DPN_SPHERICAL_ABOVE)
        phi = 0.5 * L;
    else if (is->factor == DPN_SPHERICAL_BEYOND)
        phi = -0.5 * L;
    else if (is->factor == DPN_SPHERICAL_EXCESS)
        phi = log(exp(0.5 * L) + (complex_too ? 1 : -1) * exp(is->epsilon - 0.5 * L));
    else if (is->factor == DPN_SPHERICAL_TILTED)
        phi = log(exp((0.5 + theta) * L) + exp(0.5 * L)) + log1p(exp(-(1 + theta) * L));
    else
        phi = log(exp(0.5 * L) + exp(-0.5 * L)) + (is->factor == DPN_SPHERICAL_FORWARD ? log(L) : 0);
    return total + phi;
}

static void bounds_of_small_regions_are_values(void **state) {
    (void)state;
    draw_source source = {163};
    for (int trial = 0; trial < 1200; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        integrand f = prepare(&is);
        double y = draw_uniform(&source, 0.2, 3), w = draw_uniform(&source, 0.1, 0.9), size = 1e-8;
        bool thick = trial % 2; /* with an imaginary part */
        region a = {y - size, y + size, thick ? size : 0}, b = {w - size, w + size, 0};
        double got = log_bound(&f, &a, &b), truth = log_at_place(&is, y, w, thick);
        if (!(got >= truth - 1e-9 * (1 + fabs(truth)) && got <= truth + 1e-5 * (1 + fabs(truth))))
            fail_msg("factor %d: %.12g, not %.12g", (int)is.factor, got, truth);
        region c = {y - size, y + size, 0}, d = {w - size, w + size, thick ? size : 0};
        got = log_bound(&f, &c, &d);
        if (!(got >= truth - 1e-9 * (1 + fabs(truth)) && got <= truth + 1e-5 * (1 + fabs(truth))))
            fail_msg("factor %d: %.12g, not %.12g", (int)is.factor, got, truth);
    }
    /* Where it is not known to be analytic there is no bound. */
    dpn_spherical even = {.alpha = 1, .beta = 1, .dimension = 4, .factor = DPN_SPHERICAL_ABOVE, .epsilon = 1.2},
                  odd = even;
    odd.dimension = 5;
    integrand f = prepare(&even), g = prepare(&odd);
    region wide = {-0.5, 0.5, 0.9}, half = {0.4, 0.5, 0}, very = {-0.5, 0.5, 4}; /* G = 0.3 + y^2/2 */
    assert_true(log_bound(&f, &wide, &half) == INFINITY && log_bound(&g, &wide, &half) < INFINITY &&
                log_bound(&g, &very, &half) == INFINITY);
}

/* ---- what lies beyond ---- */

/* B of docs/proofs/privacy/spherical.md, section 3. */
static long double beyond(const dpn_spherical *is, long double s) {
    long double k = is->factor == DPN_SPHERICAL_TILTED    ? is->theta + 0.5L
                    : is->factor == DPN_SPHERICAL_FORWARD ? 1
                                                          : 0.5L;
    long double A = is->alpha * s / 2 + is->beta * s * s / 8, g = is->alpha + is->beta * s / 2, m = is->dimension;
    return logl(10) + (m > 3 ? m - 3 : 0) * logl(2) / 2 + (m - 1) * logl(s) - A + k * g;
}

static void the_end_is_that_of_the_proof(void **state) {
    (void)state;
    draw_source source = {164};
    size_t infinite = 0;
    for (int trial = 0; trial < 600; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        integrand f = prepare(&is);
        double s = draw_uniform(&source, 2, 40), got = log_tail(&f, s);
        const long double h = 1e-5L;
        long double slope = (beyond(&is, s + h) - beyond(&is, s - h)) / (2 * h);
        if (fabsl(slope) < 1e-6L) continue;
        infinite += slope > 0;
        if (slope > 0 ? got != INFINITY : !(fabsl(got - (beyond(&is, s) - logl(-slope))) < 1e-6L * (1 + fabs(got))))
            fail_msg("beyond %g: %.12g, not %.12Lg", s, got, beyond(&is, s) - logl(-slope));
    }
    assert_true(infinite > 20);
}

static void the_top_is_near_the_largest(void **state) {
    (void)state;
    draw_source source = {165};
    double least_of = 0;
    for (int trial = 0; trial < 60; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        integrand f = prepare(&is);
        double end = draw_uniform(&source, 3, 8), top = log_top(&f, end), seen = -INFINITY;
        for (int i = 0; i < 120; i++)
            for (int j = 0; j < 60; j++) seen = fmax(seen, log_once(&f, (i + 0.5) * end / 120, (j + 0.5) / 60));
        assert_true(top <= seen + 0.1 && top >= seen - 0.1);
        least_of = fmin(least_of, top - seen);
    }
    print_message("# at least e^%.3f of the largest\n", least_of);
}

/* ---- rules ---- */

static void rectangles_of_ellipses(void **state) {
    (void)state;
    const double at[2] = {0.3, 1.1};
    for (double rho = 1; rho < 20; rho += 0.7) {
        region seen = {INFINITY, -INFINITY, 0}, got = panel(at, rho);
        for (int k = 0; k < 720; k++) {
            double complex turn = rho * cexp(I * (DPN_PI * k / 360));
            spread(&seen, 0.7 + 0.4 * 0.5 * (turn + 1 / turn));
        }
        assert_true(fabs(seen.from - got.from) + fabs(seen.to - got.to) + fabs(seen.high - got.high) < 1e-6 * rho);
        if (rho == 1) assert_true(got.from == 0.3 && got.to == 1.1 && got.high == 0);
    }
}

/* The theorem on each rectangle, the least of the ellipses before the first that is not served. */
static void errors_are_those_of_the_theorem(void **state) {
    (void)state;
    static const double rho[] = {1.5, 2, 3, 5, 9, 17};
    draw_source source = {166};
    size_t finite = 0, cut_short = 0;
    for (int trial = 0; trial < 400; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        integrand f = prepare(&is);
        double y = draw_uniform(&source, 0, 2), w = draw_uniform(&source, 0, 0.8), out[2],
               least_of[2] = {INFINITY, INFINITY};
        cell c = {{y, y + draw_uniform(&source, 0.01, 0.8)}, {w, w + draw_uniform(&source, 0.01, 0.2)}};
        bool along_y = trial % 2;
        rule_errors(out, &f, &c, along_y);
        double *at = along_y ? c.y : c.w, *other = along_y ? c.w : c.y, middle = 0.5 * (at[0] + at[1]),
               half = 0.5 * (at[1] - at[0]);
        region still = {other[0], other[1], 0};
        for (int i = 0; i < 6; i++) {
            region moved = {middle - 0.5 * half * (rho[i] + 1 / rho[i]), middle + 0.5 * half * (rho[i] + 1 / rho[i]),
                            0.5 * half * (rho[i] - 1 / rho[i])};
            double B = along_y ? log_bound(&f, &moved, &still) : log_bound(&f, &still, &moved);
            if (isinf(B)) {
                cut_short += i > 0;
                break;
            }
            for (int k = 0; k < 2; k++)
                least_of[k] = fmin(least_of[k], log(64.0 / 15 * half * (other[1] - other[0]) / (1 - pow(rho[i], -2))) +
                                                    B - (k ? 64 : 32) * log(rho[i]));
        }
        for (int k = 0; k < 2; k++)
            if (isinf(least_of[k]) ? out[k] != INFINITY : !(fabs(out[k] - least_of[k]) <= 1e-6 * (1 + fabs(out[k]))))
                fail_msg("%.12g, the theorem has %.12g", out[k], least_of[k]);
        finite += isfinite(out[0]) ? 1 : 0;
    }
    assert_true(finite > 200 && cut_short > 20);
}

static void halves_fit_together(void **state) {
    (void)state;
    const cell c = {{0.5, 2}, {0.25, 0.75}};
    for (int along_y = 0; along_y < 2; along_y++) {
        cell low = half_of(&c, along_y, 0), high = half_of(&c, along_y, 1);
        if (along_y)
            assert_true(low.y[0] == 0.5 && low.y[1] == 1.25 && high.y[0] == 1.25 && high.y[1] == 2 &&
                        low.w[0] == 0.25 && high.w[1] == 0.75 && low.w[1] == 0.75 && high.w[0] == 0.25);
        else
            assert_true(low.w[0] == 0.25 && low.w[1] == 0.5 && high.w[0] == 0.5 && high.w[1] == 0.75 &&
                        low.y[0] == 0.5 && low.y[1] == 2 && high.y[0] == 0.5 && high.y[1] == 2);
    }
}

/* ---- rounding ---- */

static double value_of(const integrand *f, double y, double w) {
    return log_once(f, y, w);
}

/* Slopes of the logarithm, by differences. The doubts are 8 units of the cell's ends times bounds of them, and the doubt of epsilon times one. */
static void doubts_cover_the_slopes(void **state) {
    (void)state;
    draw_source source = {167};
    double most_y = 0, most_w = 0, most_epsilon = 0;
    for (int trial = 0; trial < 900; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        if (trial % 3 == 1) is.dimension = 500;
        if (trial % 5 == 1) is.beta = 40, is.epsilon = fmin(is.epsilon, 15);
        integrand f = prepare(&is);
        double y = draw_log_uniform(&source, 0.02, 3), w = draw_uniform(&source, 0.03, 0.97);
        row r = row_at(&f, y);
        double step = 1e-6;
        double slope_y = fabs(value_of(&f, y * (1 + step), w) - value_of(&f, y * (1 - step), w)) / (2 * step * y);
        double slope_w = fabs(value_of(&f, y, w + step * (1 - w) * w) - value_of(&f, y, w - step * (1 - w) * w)) /
                         (2 * step * (1 - w) * w);
        cell c = {{0, 1e12}, {0, 0}}, d = {{0, 0}, {0, 1e12}}, none = {{0, 0}, {0, 0}};
        integrand sure = f;
        sure.doubt = 0;
        double by_y = doubt_of_row(&sure, &c, &r, y) / (4 * DBL_EPSILON * 1e12);
        double by_w = (doubt_of_row(&sure, &d, &r, y) + doubt_of_column(&sure, &d, w)) / (4 * DBL_EPSILON * 1e12);
        if (!(by_y >= slope_y && by_w >= slope_w))
            fail_msg("factor %d: %g of %g, %g of %g", (int)is.factor, by_y, slope_y, by_w, slope_w);
        /* And none is very far above: by the singular parts of all terms at once. */
        double size_y = (is.dimension + 2.5 + is.beta / 8) / y + (1 + is.theta) * (is.alpha + is.beta * r.s) * y,
               size_w = (is.dimension + 2) / w + is.dimension + is.beta + 1 / (1 - w) + (1 + is.theta) * r.excess;
        most_y = fmax(most_y, by_y / size_y);
        most_w = fmax(most_w, by_w / size_w);
        assert_true(near(doubt_of_row(&sure, &none, &r, y), 32 * DBL_EPSILON, 1e-9) &&
                    doubt_of_column(&sure, &none, w) == 0);
        /* epsilon moves the start too, where there is one; y stays. */
        sure.doubt = 1;
        double by_epsilon = doubt_of_row(&sure, &none, &r, y);
        dpn_spherical up = is, down = is;
        double h = 1e-6 * fmin(1, r.excess);
        up.epsilon += h;
        down.epsilon -= h;
        integrand above = prepare(&up), below = prepare(&down);
        if (is.epsilon > 0 && (above.apart > 0) == (below.apart > 0)) {
            double slope = fabs(value_of(&above, y, w) - value_of(&below, y, w)) / (2 * h);
            if (!(by_epsilon >= slope * (1 - 1e-4))) fail_msg("factor %d: %g of %g", (int)is.factor, by_epsilon, slope);
            double size = (is.dimension + 4) / r.excess + 1 + is.theta;
            if (f.apart > 0) size += ((is.dimension + 4) / (f.apart + r.square) + is.alpha + is.beta * r.s) / is.beta;
            most_epsilon = fmax(most_epsilon, by_epsilon / size);
        }
    }
    print_message("# at most %.2f, %.2f and %.2f times the sizes of the slopes\n", most_y, most_w, most_epsilon);
    assert_true(most_y < 8.3 && most_w < 3.6 && most_epsilon < 4.3);
}

/* On a tiny cell all terms are the same: the error is the value times all doubts of its place. */
static void terms_err_by_their_doubts(void **state) {
    (void)state;
    draw_source source = {168};
    for (int trial = 0; trial < 200; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        integrand f = prepare(&is);
        double y = draw_uniform(&source, 0.1, 3), w = draw_uniform(&source, 0.1, 0.9), h = 1e-7;
        cell c = {{y, y + h}, {w, w + 2 * h}};
        sum out = {.log_unit = value_of(&f, y, w) + draw_uniform(&source, -3, 3), .value = 0.5e-14, .error = 0.25e-28};
        add_points(&out, &f, &c, &dpn_gauss_rule[1 + trial % 2], &dpn_gauss_rule[2 - trial / 2 % 2]);
        row r = row_at(&f, y);
        double times, size, part = log_at(&f, &r, w, log(w), &times, &size),
                            value = 2 * h * h * times * exp(part - out.log_unit);
        if (!(fabs(out.value - 0.5e-14 - value) <= 1e-5 * value)) fail_msg("%g, not %g", out.value - 0.5e-14, value);
        double doubt =
            doubt_of_row(&f, &c, &r, y) + doubt_of_column(&f, &c, w) + 2 * DBL_EPSILON * (size + fabs(out.log_unit));
        assert_true(fabs((out.error - 0.25e-28) / (value * doubt) - 1) < 1e-4);
        assert_true(size >= fabs(part) && size <= fabs(part) + 2 * size);
        /* The sizes of the terms: each logarithm that is added, as it is. */
        double m = is.dimension, t = 1 - r.ratio * w * w, L = t * (is.alpha + 0.5 * is.beta * r.s),
               exponent = is.factor == DPN_SPHERICAL_TILTED ? (0.5 + is.theta) * L : 0.5 * L;
        double sizes = 0.5 * is.alpha * r.s + 0.125 * is.beta * (r.s * r.s + t * t) + exponent +
                       0.5 * fabs(m - 3) * (log(r.s + 1) + log(1 + t)) + 0.5 * (m - 1) * fabs(log(r.ratio)) +
                       (m - 2) * fabs(log(w));
        sizes += f.apart > 0 ? fabs(log(y) + 0.5 * (m - 3) * log(f.apart + r.square)) : (m - 2) * fabs(log(y));
        assert_true(near(size, sizes, 1e-9));
    }
}

/* ---- whole integrals ---- */

static void errors_hold_the_truth(void **state) {
    (void)state;
    enum { ROWS = 300, COLUMNS = 100 };
    draw_source source = {169};
    for (int trial = 0; trial < 12; trial++) {
        dpn_spherical is = some_integral(&source, trial + 12);
        integrand f = prepare(&is);
        double got, error, end = 0, unit = -INFINITY;
        assert_true(dpn_spherical_integral(&got, &error, &is));
        assert_true(error < 1e-9 && error >= 64 * DBL_EPSILON);
        for (double s = f.start + 1; s < 1e6 && end == 0; s *= 1.2)
            if (log_tail(&f, s) < got - 40) end = sqrt(s - f.start);
        /* Gauss rules of 16 points on many cells. */
        double added = 0;
        for (int i = 0; i < ROWS; i++) unit = fmax(unit, log_once(&f, (i + 0.5) * end / ROWS, 0.5));
        const dpn_gauss *gauss = &dpn_gauss_rule[1];
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < 4; j++)
                for (size_t k = 0; k < 16; k++)
                    for (size_t l = 0; l < 16; l++) {
                        double x = k < 8 ? -gauss->node[k] : gauss->node[k - 8],
                               z = l < 8 ? -gauss->node[l] : gauss->node[l - 8];
                        double y = end * (i + 0.5 + 0.5 * x) / 40, w = (j + 0.5 + 0.5 * z) / 4;
                        added +=
                            gauss->weight[k % 8] * gauss->weight[l % 8] * exp(log_once(&f, y, w) - unit) * end / 80 / 8;
                    }
        if (!(fabs(unit + log(added) - got) <= error + 1e-10))
            fail_msg("factor %d: %.15g, not %.15g", (int)is.factor, got, unit + log(added));
    }
    double value = 77, error = 77;
    dpn_spherical apart = {
        .alpha = 1e4, .beta = 1e-12, .dimension = 9000, .factor = DPN_SPHERICAL_EXCESS, .epsilon = 9999.9999};
    if (!dpn_spherical_integral(&value, &error, &apart)) assert_true(error == 77 || !(error < 1e-4));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_begin_where_the_loss_may_exceed_epsilon),
        cmocka_unit_test(rectangles_are_tight),
        cmocka_unit_test(bounds_of_small_regions_are_values),
        cmocka_unit_test(the_end_is_that_of_the_proof),
        cmocka_unit_test(the_top_is_near_the_largest),
        cmocka_unit_test(rectangles_of_ellipses),
        cmocka_unit_test(errors_are_those_of_the_theorem),
        cmocka_unit_test(halves_fit_together),
        cmocka_unit_test(doubts_cover_the_slopes),
        cmocka_unit_test(terms_err_by_their_doubts),
        cmocka_unit_test(errors_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
