/* Spherical noise, against its definition: the integral over the length r of the noise and the angle between it and the move, which shares nothing
 * with the coordinates that the library uses; and against its ends, Gaussian noise (alpha = 0) in closed form and K-norm noise (beta -> 0). */
#include "case.h"

#include "privacy/loss/memo.h"
#include "privacy/loss/spherical.h"
#include "privacy/loss/spherical-integral.h"

#include <dpnoise/renyi.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

/* ---- the integral by its definition ---- */

enum { PANELS = 16, POINTS = 8 };
static const double node[POINTS] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290, -0.1834346424956498,
                                    0.1834346424956498,  0.5255324099163290,  0.7966664774136267,  0.9602898564975363};
static const double weight[POINTS] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873, 0.3626837833783620,
                                      0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

typedef struct subject {
    double alpha, beta, m, epsilon;
} subject;

static double psi(const subject *s, double r) {
    return s->alpha * r + 0.5 * s->beta * r * r;
}

/* The angle from which on the loss is below epsilon, |x + v| being at most the distance with psi = psi(r) + epsilon. */
static double last_angle(const subject *s, double r) {
    double y = psi(s, r) + s->epsilon, far = 2 * y / (s->alpha + sqrt(s->alpha * s->alpha + 2 * s->beta * y)),
           cosine = (far * far - r * r - 1) / (2 * r);
    return cosine >= 1 ? 0 : cosine <= -1 ? PI : acos(cosine);
}

/* Of sin^(m-2) of the angle times 1 - e^(epsilon - L), or times 1. */
static double over_angles(const subject *s, double r, bool all) {
    double end = all ? PI : last_angle(s, r), h = 0.5 * end / PANELS, sum = 0;
    for (int i = 0; i < PANELS && end > 0; i++)
        for (int k = 0; k < POINTS; k++) {
            double angle = h * (2 * i + 1 + node[k]), c = cos(0.5 * angle),
                   far = sqrt((r - 1) * (r - 1) + 4 * r * c * c);
            sum += h * weight[k] * pow(sin(angle), s->m - 2) *
                   (all ? 1 : -expm1(fmin(0, s->epsilon + psi(s, r) - psi(s, far))));
        }
    return sum;
}

/* Panels end where the angles begin or end to count: corners of the inner integral. */
static double delta_of(const subject *s) {
    double power = s->m - 1, mode = 2 * power / (s->alpha + sqrt(s->alpha * s->alpha + 4 * s->beta * power)),
           wide = 1 / sqrt(power / (mode * mode) + s->beta), end = mode + 14 * wide + 40 / (s->alpha + s->beta * mode),
           first = (s->epsilon - s->alpha) / s->beta - 0.5, /* from here on the angle 0 counts */
        last = 0.5 - s->epsilon / (2 * s->alpha + s->beta), corner[] = {0, first, last, 1, end}, sum = 0, mass = 0;
    for (int i = 1; i < 4; i++)
        for (int j = 1; j < 4; j++)
            if (corner[j] > corner[j + 1]) {
                double x = corner[j];
                corner[j] = corner[j + 1], corner[j + 1] = x;
            }
    for (int i = 0; i < 4; i++) {
        double from = fmin(fmax(corner[i], 0), end), to = fmin(fmax(corner[i + 1], 0), end),
               h = 0.5 * (to - from) / (3 * PANELS);
        for (int k = 0; k < 3 * PANELS * POINTS && h > 0; k++) {
            double r = from + h * (2 * (k / POINTS) + 1 + node[k % POINTS]);
            double share = h * weight[k % POINTS] * exp(power * log(r / mode) - psi(s, r) + psi(s, mode));
            mass += share;
            sum += share * over_angles(s, r, false);
        }
    }
    return sum / mass / over_angles(s, 1, true);
}

static dpn_loss loss_of(double alpha, double beta, double m) {
    dpn_loss loss;
    dpn_error why;
    if (dpn_loss_spherical(&loss, alpha, beta, (size_t)m, &why)) fail_msg("%s", why.sentence);
    return loss;
}

static dpn_delta profile_of(const dpn_loss *loss, double epsilon) {
    dpn_delta delta;
    assert_int_equal(dpn_compose_delta(&delta, NULL, &(dpn_part){*loss, 1}, 1, epsilon, NULL, NULL), DPN_OK);
    return delta;
}

static void it_is_the_integral(void **state) {
    (void)state;
    draw_source source = {11};
    const double dimension[] = {2, 3, 4, 5, 8, 13, 20, 40};
    for (int i = 0; i < case_count(24); i++) {
        double m = dimension[i % 8], scale = draw_log_uniform(&source, 0.3, 3), h = draw_uniform(&source, 0.05, 0.95),
               alpha = h * sqrt(m) / scale, beta = (1 - h) / (scale * scale);
        subject s = {alpha, beta, m, draw_uniform(&source, 0.02, 1.2) * (alpha / (m > 6 ? 2 : 1) + beta)};
        dpn_loss loss = loss_of(alpha, beta, m);
        dpn_delta delta = profile_of(&loss, s.epsilon);
        double expected = delta_of(&s), doubt = m < 4 ? 1e-4 : m < 8 ? 1e-6 : 1e-8;
        if (!(delta.lower <= expected * (1 + doubt) && delta.upper >= expected * (1 - doubt)))
            fail_msg("m = %g, alpha = %g, beta = %g, epsilon = %g: [%.15g, %.15g], not %.15g", m, alpha, beta,
                     s.epsilon, delta.lower, delta.upper, expected);
        assert_true(delta.upper <= delta.lower * (1 + 1e-8));
    }
}

/* ---- the ends ---- */

static bool overlap(dpn_delta a, dpn_delta b) {
    return a.log_lower <= b.log_upper && b.log_lower <= a.log_upper;
}

/* alpha = 0: in all dimensions Gaussian noise, down to 10^-300, with its tails and divergences. */
static void without_alpha_it_is_gaussian(void **state) {
    (void)state;
    const double dimension[] = {2, 3, 4, 7, 20, 150}, variances[] = {0.04, 1, 30};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k<3; k += dimension[i]> 7 ? 2 : 1) {
            dpn_law law;
            double sigma = sqrt(variances[k]), beta = 1 / variances[k];
            dpn_loss gaussian, loss = loss_of(0, beta, dimension[i]);
            assert_int_equal(dpn_law_make(&law, "gaussian", &sigma, 1, NULL), DPN_OK);
            assert_int_equal(dpn_loss_law(&gaussian, &law, 1, NULL), DPN_OK);
            for (int e = -2; e<7; e += dimension[i]> 100 ? 4 : 2) {
                double epsilon = 0.5 * beta + 1.7 * e / sigma * (1 + abs(e));
                dpn_delta here = profile_of(&loss, epsilon), there = profile_of(&gaussian, epsilon);
                double slack = 1e-13 * (1 + fabs(there.log_upper)); /* 1/variance is rounded */
                there.log_lower -= slack * 100, there.log_upper += slack * 100;
                if (!overlap(here, there) || !(here.log_upper - here.log_lower < 1e-8))
                    fail_msg("m = %g, beta = %g, epsilon = %g: log delta [%.15g, %.15g], not %.15g", dimension[i], beta,
                             epsilon, here.log_lower, here.log_upper, there.log_upper);
                double lower, upper, tail = log(0.5 * erfc((epsilon + 0.5 * beta) / sqrt(2 * beta)));
                assert_int_equal(loss.kind->log_tail(&lower, &upper, &loss, epsilon), DPN_OK);
                if (tail > -600 && !(lower <= tail + 1e-9 && upper >= tail - 1e-9 && upper - lower < 1e-7))
                    fail_msg("m = %g, beta = %g: log Q(L > %g) in [%.15g, %.15g], not %.15g", dimension[i], beta,
                             epsilon, lower, upper, tail);
            }
            for (double theta = 0; theta < 40; theta = 3 * theta + 0.2) {
                double lower, upper, known = theta == 0 ? 0.5 * beta : 0.5 * beta * theta * (theta + 1);
                assert_int_equal(loss.kind->cumulant(&lower, &upper, &loss, theta, NULL), DPN_OK);
                assert_true(lower <= known * (1 + 1e-12) && upper >= known * (1 - 1e-12));
                assert_true(upper <= lower * (1 + 1e-8));
            }
        }
}

/* beta next to 0: K-norm noise of an l2 ball. */
static void without_beta_it_is_k_norm_noise(void **state) {
    (void)state;
    const double dimension[] = {2, 5, 30}, shares[] = {0.1, 0.5, 0.9};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            dpn_loss l2, loss = loss_of(1.3, 1e-12, dimension[i]);
            assert_int_equal(dpn_loss_l2(&l2, 1.3, (size_t)dimension[i], NULL), DPN_OK);
            dpn_delta here = profile_of(&loss, 1.3 * shares[k]), there = profile_of(&l2, 1.3 * shares[k]);
            assert_true(fabs(here.upper / there.upper - 1) < 1e-7);
        }
}

/* ---- more than one number ---- */

/* delta(-e) = 1 - e^-e + e^-e delta(e); it falls; P(L > e) = delta + e^e Q(L > e); and the mean of e^-L is 1. */
static void identities(void **state) {
    (void)state;
    dpn_loss loss = loss_of(0.8, 0.3, 6);
    double before = 1;
    for (double e = 0; e < 3; e += 0.4) {
        dpn_delta delta = profile_of(&loss, e), mirrored = profile_of(&loss, -e);
        double beyond[2], below[2];
        assert_true(delta.upper < before);
        before = delta.upper;
        assert_true(fabs(mirrored.upper - (-expm1(-e) + exp(-e) * delta.upper)) < 1e-10);
        assert_int_equal(loss.kind->log_tail(&beyond[0], &beyond[1], &loss, e), DPN_OK);
        assert_int_equal(loss.kind->log_tail(&below[0], &below[1], &loss, -e), DPN_OK);
        /* Q(L > -e) = 1 - P(L > e). */
        if (!(fabs(-expm1(below[1]) - delta.upper - exp(e + beyond[1])) < 1e-10))
            fail_msg("e = %g: %g, not %g", e, -expm1(below[1]), delta.upper + exp(e + beyond[1]));
    }
    assert_true(profile_of(&loss, INFINITY).upper == 0 && profile_of(&loss, -INFINITY).lower == 1);
}

/* The divergences of the definition's bound, and zCDP above them all. */
static void divergences_have_bounds(void **state) {
    (void)state;
    const double alphas[] = {0, 0.3, 2}, betas[] = {0.01, 0.5};
    for (int i = 0; i < 3; i++)
        for (int k = i > 0; k < 2; k++) {
            dpn_loss loss = loss_of(alphas[i], betas[k], 4);
            dpn_part part = {loss, 1};
            dpn_zcdp zcdp;
            assert_int_equal(dpn_zcdp_compose(&zcdp, &part, 1, NULL), DPN_OK);
            assert_true(zcdp.xi == 0 && zcdp.rho >= 0.5 * betas[k] && zcdp.rho <= 1.02 * (alphas[i] + 0.5 * betas[k]));
            for (double order = 1; order < 300; order *= 1.7) {
                dpn_divergence found;
                assert_int_equal(dpn_renyi_compose(&found, &part, 1, &order, 1, NULL), DPN_OK);
                assert_true(found.lower <= zcdp.rho * order);
                assert_true(found.lower <= loss.kind->divergence_upper(&loss, order));
                assert_true(found.lower >=
                            0.5 * betas[k] * order * (1 - 1e-9)); /* more than Gaussian noise of that variance */
            }
        }
}

/* Moments of large orders are out of reach: what is proved is the bound. Without alpha it is the divergence itself, beta order/2. From below no
 * order has less than Gaussian noise at an order of 20. */
static void large_orders_have_the_bound(void **state) {
    (void)state;
    const double alphas[] = {0, 1.5, 40}, betas[] = {0.03, 2};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            dpn_loss loss = loss_of(alphas[i], betas[k], 20);
            for (double order = i == 1 && k == 0 ? 3000 : 100; order < 1e13; order *= 300) {
                dpn_divergence found;
                if (dpn_renyi_compose(&found, &(dpn_part){loss, 1}, 1, &order, 1, NULL)) fail_msg("order %g", order);
                double bound = alphas[i] + 0.5 * betas[k] * order;
                assert_true(found.upper <= bound * (1 + 1e-9) && found.upper >= 0.5 * betas[k] * order * (1 - 1e-9));
                assert_true(found.lower >= 0.5 * betas[k] * fmin(order, 20) * (1 - 1e-9) && found.lower <= found.upper);
            }
        }
}

/* What was kept is found again as it was, and nothing else. */
static void what_is_kept_is_found(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    dpn_memo *memo = dpn_memo_new();
    draw_source source = {5};
    static dpn_memo_key key[COUNT];
    static double value[COUNT];
    int found = 0;
    assert_non_null(memo);
    for (int i = 0; i < COUNT; i++) {
        key[i] = (dpn_memo_key){
            memo,          draw_uniform(&source, 0, 2), 0.5, draw_uniform(&source, -5, 5), 2 + draw_bits(&source) % 50,
            DPN_MEMO_DELTA};
        value[i] = draw_uniform(&source, -9, 0);
        dpn_memo_keep(memo, &key[i], value[i], value[i] + 1);
    }
    for (int i = 0; i < COUNT; i++) {
        double lower, upper;
        if (dpn_memo_find(&lower, &upper, memo, &key[i])) {
            assert_true(lower == value[i] && upper == value[i] + 1);
            found++;
        }
        dpn_memo_key other[] = {key[i], key[i], key[i], key[i], key[i], key[i]};
        other[0].kind = NULL;
        other[1].epsilon = nextafter(key[i].epsilon, 3);
        other[2].sensitivity = 0.75;
        other[3].at = nextafter(key[i].at, 6);
        other[4].count++;
        other[5].what = DPN_MEMO_TAIL;
        for (int k = 0; k < 6; k++) assert_false(dpn_memo_find(&lower, &upper, memo, &other[k]));
    }
    assert_true(found > COUNT * 9 / 10);
    dpn_memo_free(memo);
}

/* A workspace that has been asked before gives the same numbers as a new one. */
static void a_used_workspace_changes_nothing(void **state) {
    (void)state;
    dpn_accounting_options options = {.size = sizeof options, .accuracy = 0.05};
    dpn_workspace *used;
    assert_int_equal(dpn_workspace_new(&used), DPN_OK);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 2; i++) {
            dpn_workspace *new;
            dpn_delta a, b;
            dpn_part part = {loss_of(0.8, 0.1 + 0.1 * i, 6), 2};
            assert_int_equal(dpn_workspace_new(&new), DPN_OK);
            assert_int_equal(dpn_compose_delta(&a, used, &part, 1, 1.5, &options, NULL), DPN_OK);
            assert_int_equal(dpn_compose_delta(&b, new, &part, 1, 1.5, &options, NULL), DPN_OK);
            assert_true(a.lower == b.lower && a.upper == b.upper);
            dpn_workspace_free(new);
        }
    dpn_workspace_free(used);
}

/* Copies without alpha are one Gaussian answer of twice the square. */
static void copies_compose(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_accounting_options options = {.size = sizeof options, .accuracy = 0.3};
    double sigma = 1;
    dpn_law law;
    dpn_loss gaussian, loss = loss_of(0, 0.5, 3);
    dpn_delta two, known;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_law_make(&law, "gaussian", &sigma, 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&gaussian, &law, 1, NULL), DPN_OK);
    known = profile_of(&gaussian, 1.5);
    assert_int_equal(dpn_compose_delta(&two, workspace, &(dpn_part){loss, 2}, 1, 1.5, &options, NULL), DPN_OK);
    assert_true(two.lower <= known.upper && two.upper >= known.lower && two.upper <= two.lower * 1.4);
    dpn_workspace_free(workspace);
}

static void the_domain_is_checked(void **state) {
    (void)state;
    dpn_loss loss;
    const double bad[][3] = {{-1, 1, 3},       {NAN, 1, 3}, {1, 0, 3},     {1, NAN, 3},
                             {1, INFINITY, 3}, {1, 1, 1},   {1, 1, 20000}, {2e4, 1, 3}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(dpn_loss_spherical(&loss, bad[i][0], bad[i][1], (size_t)bad[i][2], NULL), DPN_EDOMAIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_integral),
        cmocka_unit_test(without_alpha_it_is_gaussian),
        cmocka_unit_test(without_beta_it_is_k_norm_noise),
        cmocka_unit_test(identities),
        cmocka_unit_test(divergences_have_bounds),
        cmocka_unit_test(large_orders_have_the_bound),
        cmocka_unit_test(what_is_kept_is_found),
        cmocka_unit_test(a_used_workspace_changes_nothing),
        cmocka_unit_test(copies_compose),
        cmocka_unit_test(the_domain_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
