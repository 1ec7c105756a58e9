/* Transforms of segments in closed form against sums of very many points, in every branch; and what constructors of losses and their profiles say. */
#include "privacy/loss/mgf-closed.c" /* to see each branch */

#include "privacy/loss/loss.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The integral of e^(A + B s + C s^2) by rules of 8 points on many panels, and that of its size. */
static double complex by_sum(const complex_quadratic *q, double end, double *size) {
    enum { PANELS = 400 };
    static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363},
                        weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    double complex sum = 0;
    *size = 0;
    for (int i = 0; i < PANELS; i++)
        for (int k = 0; k < 8; k++) {
            double s = end * (i + 0.5 + (k % 2 ? 0.5 : -0.5) * node[k / 2]) / PANELS;
            double complex value = cexp(q->A + q->B * s + q->C * s * s);
            sum += 0.5 * end / PANELS * weight[k / 2] * value;
            *size += 0.5 * end / PANELS * weight[k / 2] * cabs(value);
        }
    return sum;
}

static void near_enough(double complex got, double complex truth, double size, const char *what) {
    if (!(cabs(got - truth) <= 1e-13 * size)) fail_msg("%s: off by %g of %g", what, cabs(got - truth), size);
}

static void integrals_of_each_kind(void **state) {
    (void)state;
    draw_source source = {201};
    size_t turned[3] = {0};
    for (int trial = 0; trial < 600; trial++) {
        complex_quadratic q = {draw_uniform(&source, -2, 2) + I * draw_uniform(&source, -3, 3),
                               draw_uniform(&source, -6, 6) + I * draw_uniform(&source, -15, 15),
                               -draw_log_uniform(&source, 0.05, 4) + I * draw_uniform(&source, -4, 4),
                               draw_uniform(&source, 0.3, 4)};
        double size;
        double complex r = csqrt(-q.C), from = -q.B / (2 * r), to = from + r * q.length;
        turned[creal(from) >= 0 ? 0 : creal(to) < 0 ? 1 : 2]++;
        double complex truth = by_sum(&q, q.length, &size);
        near_enough(gaussian_integral(&q), truth, size, "a quadratic");
        complex_quadratic endless = q;
        endless.length = INFINITY;
        double end = (fabs(creal(q.B)) + sqrt(creal(q.B) * creal(q.B) - 160 * creal(q.C))) / (-2 * creal(q.C));
        if (end < 8) {
            truth = by_sum(&q, end, &size);
            near_enough(gaussian_integral(&endless), truth, size, "an endless quadratic");
        }
        q.C = 0;
        truth = by_sum(&q, q.length, &size);
        if (cabs(q.B) > 0.5)
            near_enough(linear_integral(&q), truth, size * (1 + 4 / (cabs(q.B) * q.length)), "a straight one");
        complex_quadratic weak = {q.A, q.B * (1.9 / q.length / cabs(q.B)) * draw_uniform(&source, 0, 0.5),
                                  draw_uniform(&source, -1, 1) * 0.9 / (q.length * q.length), q.length};
        truth = by_sum(&weak, weak.length, &size);
        near_enough(by_points(&weak), truth, size, "a weak one");
    }
    for (int i = 0; i < 3; i++) assert_true(turned[i] > 30);
}

/* Each segment at z and, for its mirror image, at -1 - z; each atom likewise. */
static void transforms_are_sums_over_segments(void **state) {
    (void)state;
    draw_source source = {202};
    for (int trial = 0; trial < 100; trial++) {
        dpn_shape shape = {.symmetric = true, .segments = 3, .atoms = 2};
        for (int i = 0; i < 3; i++) {
            double scale = i == 0 ? 0.05 : 1; /* the first is weak */
            shape.segment[i] =
                (dpn_segment){.length = draw_uniform(&source, 0.3, 2),
                              .log_density = {{draw_uniform(&source, -1, 1), scale * draw_uniform(&source, -3, 1),
                                               -scale * draw_uniform(&source, 0, 2)}},
                              .loss = {{draw_uniform(&source, 0, 1), scale * draw_uniform(&source, 0.2, 3),
                                        i == 2 ? draw_uniform(&source, 0, 1) : 0}}};
            if (trial % 3 == 0 && i == 1) shape.segment[i].log_density.c[2] = 0;
        }
        for (int i = 0; i < 2; i++)
            shape.atom[i] = (dpn_atom){draw_uniform(&source, 0, 2), draw_uniform(&source, -3, 0)};
        double theta = draw_uniform(&source, -1, 2), omega = draw_uniform(&source, -20, 20),
               top = draw_uniform(&source, -2, 2), size = 0;
        double complex z = theta + I * omega, truth = 0, atoms = 0;
        for (int side = 0; side < 2; side++) {
            double complex kappa = side ? -1 - z : z;
            for (int i = 0; i < 3; i++) {
                const dpn_segment *x = &shape.segment[i];
                complex_quadratic q = {x->log_density.c[0] + kappa * x->loss.c[0] - top,
                                       x->log_density.c[1] + kappa * x->loss.c[1],
                                       x->log_density.c[2] + kappa * x->loss.c[2], x->length};
                double own;
                truth += by_sum(&q, x->length, &own);
                size += own;
            }
            for (int i = 0; i < 2; i++) atoms += exp(shape.atom[i].log_mass - top) * cexp(kappa * shape.atom[i].value);
        }
        near_enough(dpn_mgf_segments(&shape, z, top), truth, 6 * size, "segments");
        assert_true(cabs(dpn_mgf_atoms(&shape, z, top) - atoms) <= 1e-14 * exp(7 - top));
    }
    dpn_shape none = {.atoms = 1}, powers = {.segments = 2}, closed = {.segments = 1};
    powers.segment[0].power.p = 1.5;
    assert_true(!dpn_mgf_is_closed(&none) && !dpn_mgf_is_closed(&powers) && dpn_mgf_is_closed(&closed));
    assert_true(dpn_mgf_segments(&none, 1, 0) == 0 && dpn_mgf_atoms(&closed, 1, 0) == 0);
}

/* ---- losses as they are made ---- */

static void profiles_of_lists_and_pure_losses(void **state) {
    (void)state;
    const double value[] = {-1, 0.5, 2, INFINITY}, probability[] = {0.125, 0.25, 0.5, 0.125};
    dpn_loss loss;
    dpn_delta got;
    assert_int_equal(dpn_loss_explicit(&loss, value, probability, 4, NULL), DPN_OK);
    assert_true(loss.total == 1 && loss.count == 4 && loss.value == value && loss.probability == probability &&
                loss.kind == &dpn_loss_kind_explicit);
    for (double epsilon = -2; epsilon < 3; epsilon += 0.25) {
        long double delta = 0.125L;
        for (int i = 0; i < 3; i++) delta += value[i] > epsilon ? -probability[i] * expm1l(epsilon - value[i]) : 0;
        assert_int_equal(loss.kind->delta(&got, &loss, epsilon, NULL), DPN_OK);
        long double half = 16 * DBL_EPSILON + 2 * DBL_EPSILON * (1 + fabsl(logl(delta)));
        if (!(got.log_lower <= logl(delta) && got.log_upper >= fminl(0, logl(delta)) &&
              got.log_upper - got.log_lower <= 2 * half + 4e-16L &&
              (got.log_upper == 0 || got.log_upper - got.log_lower >= 2 * half - 4e-16L)))
            fail_msg("%g: [%.17g, %.17g], not %.17Lg", epsilon, got.log_lower, got.log_upper, logl(delta));
    }
    assert_int_equal(loss.kind->delta(&got, &loss, INFINITY, NULL), DPN_OK);
    assert_true(got.lower <= 0.125 && got.upper >= 0.125 && got.upper < 0.125 * (1 + 1e-13));
    for (double atom = 0; atom < 3; atom += 0.7) {
        assert_int_equal(dpn_loss_pure(&loss, atom, NULL), DPN_OK);
        for (double epsilon = -3.1; epsilon < 3.2; epsilon += 0.3) {
            /* L = atom with the probability 1/(1 + e^-atom), else -atom. */
            long double p = 1 / (1 + expl(-atom)), delta = (epsilon < atom ? -p * expm1l(epsilon - atom) : 0) +
                                                           (epsilon < -atom ? -(1 - p) * expm1l(epsilon + atom) : 0);
            assert_int_equal(loss.kind->delta(&got, &loss, epsilon, NULL), DPN_OK);
            if (delta == 0)
                assert_true(got.upper == 0 && got.log_upper == -INFINITY);
            else
                assert_true(got.log_lower <= logl(delta) && got.log_upper >= fminl(0, logl(delta)) &&
                            got.log_upper - got.log_lower <=
                                40 * DBL_EPSILON + 4 * DBL_EPSILON * (1 + fabsl(logl(delta))));
        }
        assert_int_equal(loss.kind->delta(&got, &loss, atom, NULL), DPN_OK);
        assert_true(got.upper == 0);
    }
}

static void what_is_no_loss(void **state) {
    (void)state;
    const double rising[] = {0, 1}, equal[] = {0, 0}, falling[] = {1, 0}, low[] = {-INFINITY, 1}, none[] = {NAN, 1},
                 halves[] = {0.5, 0.5}, much[] = {0.5, 0.6}, zero[] = {0, 1}, over[] = {0.5, 1.5},
                 first_over[] = {1 + 5e-13, 1e-300}, little_more[] = {0.5, 0.5 + 0.9e-12},
                 little_less[] = {0.5, 0.5 - 0.9e-12}, too_much[] = {0.5, 0.5 + 1.1e-12},
                 too_little[] = {0.5, 0.5 - 1.1e-12}, below[] = {-1, 0};
    const double q_too_large[] = {-1e-12, 1e-13}, q_large_enough[] = {-1e-12, 2e-13}, q_ok[] = {-9e-13, 0};
    const struct {
        const double *value, *probability;
        size_t count;
        const char *sentence;
    } rows[] = {{rising, halves, 0, "an explicit loss needs at least one value"},
                {NULL, halves, 2, "an explicit loss needs at least one value"},
                {rising, NULL, 2, "an explicit loss needs at least one value"},
                {equal, halves, 2, "value 1 of the loss must be above the one before"},
                {falling, halves, 2, "value 1 of the loss must be above the one before"},
                {low, halves, 2, "value 0 of the loss must be finite or +inf"},
                {none, halves, 2, "value 0 of the loss must be finite or +inf"},
                {rising, zero, 2, "probability 0 of the loss must lie in (0, 1]"},
                {rising, over, 2, "probability 1 of the loss must lie in (0, 1]"},
                {rising, first_over, 2, "probability 0 of the loss must lie in (0, 1]"},
                {rising, much, 2, "the probabilities of the loss must sum to 1"},
                {rising, too_much, 2, "the probabilities of the loss must sum to 1"},
                {rising, too_little, 2, "the probabilities of the loss must sum to 1"},
                {rising, little_more, 2, NULL},
                {rising, little_less, 2, NULL},
                {below, halves, 2, "the probabilities times exp(-value) must sum to at most 1"},
                {q_ok, halves, 2, NULL},
                {q_too_large, halves, 2, NULL},
                {q_large_enough, halves, 2, NULL},
                {rising, halves, 2, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_loss loss = {.epsilon = 77};
        dpn_error why = {0};
        dpn_status status = dpn_loss_explicit(&loss, rows[i].value, rows[i].probability, rows[i].count, &why);
        if (status != (rows[i].sentence ? DPN_EDOMAIN : DPN_OK))
            fail_msg("row %zu: %d, %s", i, (int)status, why.sentence);
        if (rows[i].sentence) {
            assert_string_equal(why.sentence, rows[i].sentence);
            assert_true(loss.epsilon == 77 && !loss.kind);
        }
    }
    const double q_far[] = {-3e-12, 0}, one = 1, tiny_up = -1.1e-12, tiny = -0.9e-12;
    dpn_loss loss = {.epsilon = 77};
    assert_int_equal(dpn_loss_explicit(&loss, q_far, halves, 2, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_explicit(&loss, &tiny_up, &one, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_explicit(&loss, &tiny, &one, 1, NULL), DPN_OK);
    const double bad[] = {-1, NAN, INFINITY};
    dpn_law law, whole;
    dpn_error why = {0};
    assert_int_equal(dpn_law_parse(&law, "laplace(scale=1)", &why), DPN_OK);
    assert_int_equal(dpn_law_parse(&whole, "discrete-laplace(scale=1)", &why), DPN_OK);
    for (int i = 0; i < 3; i++) {
        loss = (dpn_loss){.epsilon = 77};
        assert_int_equal(dpn_loss_law(&loss, &law, bad[i], &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "sensitivity must be finite and not negative");
        assert_int_equal(dpn_loss_block(&loss, bad[i], &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "epsilon of a block must be finite and not negative");
        assert_int_equal(dpn_loss_pure(&loss, bad[i], &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "epsilon of a pure loss must be finite and not negative");
        assert_true(loss.epsilon == 77 && !loss.kind);
    }
    assert_int_equal(dpn_loss_law(&loss, &whole, 1.5, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "sensitivity must be whole for noise on the integers");
    assert_int_equal(dpn_loss_law(&loss, &law, 1.5, &why), DPN_OK);
    assert_int_equal(dpn_loss_law(&loss, &whole, 2, &why), DPN_OK);
    assert_int_equal(dpn_loss_law(&loss, &law, 0, &why), DPN_OK);
    assert_int_equal(dpn_loss_pure(&loss, 0, &why), DPN_OK);
    assert_int_equal(dpn_loss_block(&loss, 0.75, &why), DPN_OK);
    assert_true(loss.kind == &dpn_loss_kind_law && loss.sensitivity == 0.75 && loss.law.parameter[0] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_of_each_kind),
        cmocka_unit_test(transforms_are_sums_over_segments),
        cmocka_unit_test(profiles_of_lists_and_pure_losses),
        cmocka_unit_test(what_is_no_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
