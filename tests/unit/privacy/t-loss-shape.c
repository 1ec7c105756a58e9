/* Shapes of losses: pieces of psi against the law itself, point by point; masses, ends and refusals; the largest losses and the heaviest atoms. */
#include "privacy/loss/shape.c" /* to see each piece */

#include "privacy/loss/heavy-atoms.h"
#include "privacy/loss/largest.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool near(double x, double y, double relative) {
    return fabs(x - y) <= relative * fmax(fabs(x), fabs(y));
}

static dpn_loss loss_of(const char *text, double shift) {
    dpn_law law;
    dpn_loss loss = {0};
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) || dpn_loss_law(&loss, &law, shift, &why))
        fail_msg("%s: %s", text, why.sentence);
    return loss;
}

static const char *const laws[] = {"laplace(scale=1.5)",
                                   "huber(alpha=1,gamma=1)",
                                   "huber(alpha=3,gamma=0.8)",
                                   "flipped-huber(alpha=2,gamma=1)",
                                   "flipped-huber(alpha=0.4,gamma=1.3)",
                                   "osgt(m=1,sigma=2)",
                                   "osgt(m=3,sigma=0.7)",
                                   "truncated-laplace(scale=1,bound=5)"};
enum { LAWS = sizeof laws / sizeof *laws };

/* On each segment log_density is -psi(|t|) and the loss psi(|t + d|) - psi(|t|), as the law has them; together they are the half from -d/2 on. */
static void pieces_are_those_of_the_law(void **state) {
    (void)state;
    for (size_t i = 0; i < LAWS; i++)
        for (double shift = 0.3; shift < 9; shift *= 1.9) {
            dpn_loss loss = loss_of(laws[i], shift);
            potential psi;
            cut cuts[DPN_SHAPE_SEGMENTS + 1];
            assert_true(find_potential(&psi, &loss.law));
            double d = shift / psi.unit, end = dpn_law_support(&loss.law) / psi.unit,
                   zero = dpn_law_log_pdf(&loss.law, 0);
            size_t count = find_cuts(cuts, &psi, d), used = 0, atoms = 0;
            assert_true(count > 0 && count <= DPN_SHAPE_SEGMENTS && near(dpn_two_value(cuts[0].t), -0.5 * d, 1e-15) &&
                        (isinf(end) ? isinf(cuts[count].t.hi) : near(dpn_two_value(cuts[count].t), end - d, 1e-14)));
            dpn_shape shape;
            assert_int_equal(dpn_shape_make(&shape, &loss, false, NULL), DPN_OK);
            assert_true(shape.symmetric && !shape.listed && shape.gaussian == 0);
            double mass = 0;
            for (size_t k = 0; k < count; k++) {
                double from = dpn_two_value(cuts[k].t), to = fmin(dpn_two_value(cuts[k + 1].t), from + 12);
                assert_true(dpn_two_value(dpn_two_subtract(cuts[k].moved, cuts[k].t)) == d ||
                            near(dpn_two_value(dpn_two_subtract(cuts[k].moved, cuts[k].t)), d, 1e-15));
                if (!(to > from)) continue;
                dpn_segment segment = make_segment(&psi, cuts[k], cuts[k + 1]);
                assert_true(isinf(dpn_two_value(cuts[k + 1].t)) ? isinf(segment.length)
                                                                : near(segment.length, to - from, 1e-12));
                double own = 0;
                for (int j = 0; j < 400; j++) {
                    double s = (to - from) * (j + 0.5) / 400, t = psi.unit * (from + s),
                           here = zero - dpn_law_log_pdf(&loss.law, t),
                           there = zero - dpn_law_log_pdf(&loss.law, t + shift);
                    double slack = 1e-12 * (1 + here + there);
                    if (!(fabs(dpn_quadratic_at(&segment.log_density, s) + here) < slack &&
                          fabs(dpn_quadratic_at(&segment.loss, s) - (there - here)) < slack))
                        fail_msg("%s by %g at %g: %.15g for %.15g, %.15g for %.15g", laws[i], shift, t,
                                 dpn_quadratic_at(&segment.log_density, s), -here, dpn_quadratic_at(&segment.loss, s),
                                 there - here);
                    own += (to - from) / 400 * exp(-here);
                }
                bool constant = segment.loss.c[1] == 0 && segment.loss.c[2] == 0;
                if (constant) {
                    const dpn_atom *atom = &shape.atom[atoms++];
                    assert_true(atom->value == segment.loss.c[0] && fabs(atom->log_mass - log(own)) < 5e-3);
                } else {
                    const dpn_segment *kept = &shape.segment[used++];
                    assert_true(kept->length == segment.length && kept->power.p == 0);
                    for (int c = 0; c < 3; c++)
                        assert_true(kept->loss.c[c] == segment.loss.c[c] &&
                                    kept->log_density.c[c] == segment.log_density.c[c]);
                }
                mass += own;
            }
            assert_true(used == shape.segments && atoms == shape.atoms);
            /* All of it is the mass right of -d/2, up to the end. */
            double expected = (dpn_law_cdf(&loss.law, fmin(psi.unit * 60, dpn_law_support(&loss.law) - shift)) -
                               dpn_law_cdf(&loss.law, -0.5 * shift)) /
                              (exp(zero) * psi.unit);
            if (!near(mass, expected, 1e-3)) fail_msg("%s by %g: %g, not %g", laws[i], shift, mass, expected);
            assert_true(near(shape.scale, 1 / (exp(zero) * psi.unit), 1e-12));
            double infinite = isinf(end) ? 0 : dpn_law_sf(&loss.law, dpn_law_support(&loss.law) - shift);
            assert_true(fabs(shape.infinite - infinite) < 1e-12 && shape.reverse_infinite == shape.infinite);
        }
}

static void constant_losses_are_atoms(void **state) {
    (void)state;
    draw_source source = {191};
    for (int trial = 0; trial < 100; trial++) {
        double top = draw_uniform(&source, -2, 2), slope = -draw_uniform(&source, 0.1, 3),
               length = draw_uniform(&source, 0.1, 4);
        dpn_segment endless = {.length = INFINITY, .log_density = {{top, slope, 0}}},
                    some = {.length = length, .log_density = {{top, slope, 0}}},
                    flat = {.length = length, .log_density = {{top, 0, 0}}};
        double whole = exp(top) / -slope, part = whole * (1 - exp(slope * length));
        assert_true(fabs(constant_mass(&endless) - log(whole)) < 1e-12 &&
                    fabs(constant_mass(&some) - log(part)) < 1e-12 &&
                    fabs(constant_mass(&flat) - top - log(length)) < 1e-12);
    }
}

static void shapes_in_closed_form(void **state) {
    (void)state;
    dpn_shape shape;
    /* Logistic noise: the loss has the P-density e^(L/2)/(4 sinh(a/2)) on [-a, a], a = 5/2. */
    dpn_loss loss = loss_of("logistic(scale=2)", 5);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, NULL), DPN_OK);
    assert_true(shape.segments == 1 && shape.atoms == 0 && shape.segment[0].length == 2.5 && shape.symmetric &&
                shape.infinite == 0);
    double mass = 0;
    for (int i = 0; i < 1000; i++) {
        double s = 2.5 * (i + 0.5) / 1000, plain = exp(dpn_quadratic_at(&shape.segment[0].log_density, s));
        assert_true(near(plain, exp(0.5 * s - 1.25), 1e-14) && dpn_quadratic_at(&shape.segment[0].loss, s) == s &&
                    shape.segment[0].power.p == 0);
        mass += 2.5 / 1000 * plain * (1 + exp(-s));
    }
    assert_true(near(shape.scale, mass, 1e-5));
    /* Powers, in units of the sensitivity: psi(D s)/s^p. */
    loss = loss_of("subbotin(p=3,scale=2)", 5);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, NULL), DPN_OK);
    assert_true(shape.segments == 2 && shape.segment[0].length == 0.5 && isinf(shape.segment[1].length) &&
                shape.segment[0].power.side == -1 && shape.segment[1].power.side == 1);
    for (int i = 0; i < 2; i++)
        assert_true(
            shape.segment[i].power.p == 3 &&
            near(shape.segment[i].power.weight, dpn_law_log_pdf(&loss.law, 0) - dpn_law_log_pdf(&loss.law, 5), 1e-13));
    assert_true(near(shape.scale, exp(-dpn_law_log_pdf(&loss.law, 0)) / 5, 1e-12));
    loss = loss_of("gaussian(sigma=2)", 5);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, NULL), DPN_OK);
    assert_true(shape.gaussian == 2.5 && shape.segments == 0 && shape.atoms == 0);
    assert_int_equal(dpn_loss_pure(&loss, 0.75, NULL), DPN_OK);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, NULL), DPN_OK);
    assert_true(shape.symmetric && shape.atoms == 1 && shape.atom[0].value == 0.75 && shape.atom[0].log_mass == 0 &&
                shape.scale == 1 && shape.segments == 0);
    loss = loss_of("truncated-geometric(epsilon=0.5,n=4,theta=0.5)", 2);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, NULL), DPN_OK);
    assert_true(shape.listed && near(shape.infinite, dpn_law_sf(&loss.law, 2), 1e-12) &&
                shape.infinite == shape.reverse_infinite);
    loss = loss_of("discrete-gaussian(sigma=2)", 2);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, NULL), DPN_OK);
    assert_true(shape.listed && shape.infinite == 0 && near(shape.scale, exp(-dpn_law_log_pdf(&loss.law, 0)), 1e-12) &&
                shape.symmetric);
    const struct {
        const char *law;
        bool closed;
    } rows[] = {{"laplace(scale=1)", true},
                {"huber(alpha=1,gamma=1)", true},
                {"logistic(scale=1)", true},
                {"subbotin(p=3,scale=1)", false},
                {"staircase(epsilon=1,sensitivity=1,gamma=0.5)", true},
                {"gaussian(sigma=1)", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        loss = loss_of(rows[i].law, 1);
        assert_true(dpn_shape_is_closed(&loss.law) == rows[i].closed);
    }
}

static void lists_and_their_ends(void **state) {
    (void)state;
    const double value[] = {-1, 0.5, INFINITY}, probability[] = {0.25, 0.5, 0.25};
    dpn_loss loss;
    dpn_shape shape;
    assert_int_equal(dpn_loss_explicit(&loss, value, probability, 3, NULL), DPN_OK);
    double reverse = 1 - 0.25 * exp(1) - 0.5 * exp(-0.5); /* what Q has where P has nothing */
    for (int reversed = 0; reversed < 2; reversed++) {
        assert_int_equal(dpn_shape_make(&shape, &loss, reversed, NULL), DPN_OK);
        assert_true(!shape.symmetric && shape.listed && shape.scale == 1 && shape.atoms == 0);
        assert_true(fabs((reversed ? shape.reverse_infinite : shape.infinite) - 0.25) < 1e-15 &&
                    fabs((reversed ? shape.infinite : shape.reverse_infinite) - reverse) < 1e-15);
        /* The largest finite loss, and the least with its sign changed. */
        double largest = dpn_two_value(dpn_largest_loss(&(dpn_part){loss, 3}, 1, reversed));
        assert_true(largest == (reversed ? 3 : 1.5));
    }
    const double endless = INFINITY, one = 1;
    assert_int_equal(dpn_loss_explicit(&loss, &endless, &one, 1, NULL), DPN_OK);
    for (int reversed = 0; reversed < 2; reversed++)
        assert_true(dpn_two_value(dpn_largest_loss(&(dpn_part){loss, 1}, 1, reversed)) == 0);
}

static void what_has_no_shape(void **state) {
    (void)state;
    const struct {
        const char *law;
        double shift;
        dpn_status status;
        const char *sentence;
    } rows[] = {{"subbotin(p=20.5,scale=1)", 1, DPN_EUNSUPPORTED,
                 "the contour sum does not serve subbotin noise with p above 20"},
                {"subbotin(p=20,scale=1)", 1, DPN_OK, NULL},
                {"subbotin(p=10,scale=1)", 1e26, DPN_EACCURACY,
                 "the loss at this sensitivity is too small or too large to compute with"},
                {"subbotin(p=10,scale=1)", 1e-26, DPN_EACCURACY,
                 "the loss at this sensitivity is too small or too large to compute with"},
                {"subbotin(p=10,scale=1)", 1e24, DPN_OK, NULL},
                {"subbotin(p=10,scale=1)", 1e-24, DPN_OK, NULL},
                {"huber(alpha=1e150,gamma=1e-100)", 1e150, DPN_EACCURACY,
                 "the loss at this sensitivity is too large to compute with"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_law law;
        dpn_loss loss;
        dpn_error why = {0};
        dpn_shape shape = {.scale = 77};
        if (dpn_law_parse(&law, rows[i].law, &why) || dpn_loss_law(&loss, &law, rows[i].shift, &why)) continue;
        dpn_status status = dpn_shape_make(&shape, &loss, false, &why);
        if (status != rows[i].status) fail_msg("%s by %g: %d", rows[i].law, rows[i].shift, (int)status);
        if (rows[i].sentence) {
            assert_string_equal(why.sentence, rows[i].sentence);
            assert_true(shape.scale == 77);
        }
    }
    dpn_loss loss;
    dpn_error why = {0};
    dpn_shape shape = {.scale = 77};
    assert_int_equal(dpn_loss_l2(&loss, 1, 3, NULL), DPN_OK);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "the contour sum does not serve l2 noise");
    assert_true(shape.scale == 77);
}

/* ---- the largest loss of several parts ---- */

static void largest_losses_add_up(void **state) {
    (void)state;
    dpn_part part[3] = {{loss_of("laplace(scale=2)", 3), 4}, {loss_of("laplace(scale=1)", 0), 5}, {.times = 2}};
    assert_int_equal(dpn_loss_pure(&part[2].loss, 0.25, NULL), DPN_OK);
    assert_true(dpn_two_value(dpn_largest_loss(part, 3, false)) == 6.5 &&
                dpn_two_value(dpn_largest_loss(part, 3, true)) == 6.5 &&
                dpn_two_value(dpn_largest_loss(part, 2, false)) == 6);
    double slack = 7;
    /* Of one distinct loss exactly. */
    assert_true(dpn_largest_reached(part, 1, false, 6, &slack) && slack == 0 &&
                !dpn_largest_reached(part, 1, false, nextafter(6, 0), &slack) && slack == 0);
    assert_true(dpn_largest_reached(part, 1, false, nextafter(6, 9), &slack) && slack == 0);
    /* Of several within a sliver of 2^-88, which is told. */
    assert_true(dpn_largest_reached(part, 3, false, 6.5, &slack) && slack == 13 * 0x1p-88);
    assert_true(!dpn_largest_reached(part, 3, false, nextafter(6.5, 0), &slack) && slack == 0);
    assert_true(dpn_largest_reached(part, 3, false, nextafter(6.5, 9), &slack) && slack == 0);
    dpn_part endless[2] = {{loss_of("gaussian(sigma=2)", 3), 1}, part[0]};
    assert_true(isinf(dpn_two_value(dpn_largest_loss(endless, 2, false))) &&
                !dpn_largest_reached(endless, 2, false, 1e300, &slack) &&
                !dpn_largest_reached(endless, 1, false, 1e300, &slack));
    endless[0].times = 0; /* not there */
    assert_true(dpn_two_value(dpn_largest_loss(endless, 2, false)) == 6);
    assert_int_equal(dpn_loss_l2(&part[0].loss, 1.5, 3, NULL), DPN_OK);
    assert_true(dpn_two_value(dpn_largest_loss(part, 1, false)) == 6);
    assert_int_equal(dpn_loss_pure(&part[0].loss, 0, NULL), DPN_OK);
    assert_true(dpn_largest_reached(part, 1, false, 0, &slack));
}

/* ---- the heaviest atoms ---- */

static void the_heaviest_come_first(void **state) {
    (void)state;
    const double value[] = {-1, -0.25, 0.5, 1, 2}, probability[] = {0.125, 0.25, 0.125, 0.25, 0.25};
    dpn_loss loss;
    assert_int_equal(dpn_loss_explicit(&loss, value, probability, 5, NULL), DPN_OK);
    for (double theta = -0.5; theta < 3; theta += 0.7)
        for (size_t most = 0; most < 7; most++) {
            dpn_heavy_atom got[8];
            size_t count = 77;
            for (int i = 0; i < 8; i++) got[i] = (dpn_heavy_atom){77, 77};
            assert_int_equal(dpn_heavy_atoms(got, &count, most, &loss, theta), DPN_OK);
            assert_int_equal(count, most < 5 ? most : 5);
            double total = 0, shares[5];
            for (int i = 0; i < 5; i++) total += shares[i] = probability[i] * exp(theta * value[i]);
            for (size_t k = 0; k < count; k++) {
                size_t above = 0, own = 9;
                for (size_t i = 0; i < 5; i++) {
                    if (value[i] == got[k].value) own = i;
                    above += shares[i] / total > got[k].share * (1 + 1e-9);
                }
                assert_true(own < 5 && near(got[k].share, shares[own] / total, 1e-9) && above <= k &&
                            (k == 0 || got[k].share <= got[k - 1].share));
                for (size_t j = 0; j < k; j++) assert_true(got[j].value != got[k].value);
            }
            for (size_t k = count; k < 8; k++) assert_true(got[k].value == 77 && got[k].share == 77);
        }
    /* Both signs of a symmetric loss, and 0 once. */
    dpn_heavy_atom got[9];
    size_t count;
    assert_int_equal(dpn_loss_pure(&loss, 1.5, NULL), DPN_OK);
    assert_int_equal(dpn_heavy_atoms(got, &count, 9, &loss, 1), DPN_OK);
    assert_true(count == 2 && got[0].value == 1.5 && got[1].value == -1.5 &&
                near(got[0].share, 1 / (1 + exp(-1.5 * 3)), 1e-9) && near(got[0].share + got[1].share, 1, 1e-12));
    loss = loss_of("truncated-geometric(epsilon=1,n=2,theta=1)", 2);
    assert_int_equal(dpn_heavy_atoms(got, &count, 9, &loss, 0), DPN_OK);
    size_t zeros = 0;
    for (size_t i = 0; i < count; i++) zeros += got[i].value == 0;
    assert_true(zeros == 1);
    loss = loss_of("gaussian(sigma=2)", 1); /* none */
    assert_int_equal(dpn_heavy_atoms(got, &count, 9, &loss, 1), DPN_OK);
    assert_int_equal(count, 0);
    loss = loss_of("logistic(scale=2)", 1);
    assert_int_equal(dpn_heavy_atoms(got, &count, 9, &loss, 1), DPN_OK);
    assert_int_equal(count, 0);
    loss = loss_of("discrete-gaussian(sigma=20000)", 1); /* as good as a density */
    assert_int_equal(dpn_heavy_atoms(got, &count, 9, &loss, 1), DPN_OK);
    assert_int_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_those_of_the_law), cmocka_unit_test(constant_losses_are_atoms),
        cmocka_unit_test(shapes_in_closed_form),       cmocka_unit_test(lists_and_their_ends),
        cmocka_unit_test(what_has_no_shape),           cmocka_unit_test(largest_losses_add_up),
        cmocka_unit_test(the_heaviest_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
