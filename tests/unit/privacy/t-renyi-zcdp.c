/* Lines above Renyi curves, piece by piece: which laws have one, against the slope of psi; its two numbers against integrals; and the search over orders for
 * joint noise, against humps that are known. */
#include "privacy/renyi/zcdp.c" /* to see each piece */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static dpn_law law_of(const char *text) {
    dpn_law law;
    assert_int_equal(dpn_law_parse(&law, text, NULL), DPN_OK);
    return law;
}

static dpn_loss loss_of(const char *text, double sensitivity) {
    dpn_loss loss;
    dpn_law law = law_of(text);
    assert_int_equal(dpn_loss_law(&loss, &law, sensitivity, NULL), DPN_OK);
    return loss;
}

/* Above the exact value by eight units, give or take what it was computed with. */
static void eight_units_up(double got, long double exact) {
    long double units = (got - exact) / (exact * DBL_EPSILON);
    if (!(units > 4.5L && units < 11.5L)) fail_msg("%.17g is %Lg units above %.20Lg", got, units, exact);
}

/* ---- epsilon alone ---- */

static void pure_noise(void **state) {
    (void)state;
    for (double e = 1e-140; e < 1e3; e *= 7) {
        dpn_zcdp got = dpn_zcdp_pure(e);
        assert_true(got.xi == 0);
        eight_units_up(got.rho, (long double)e * tanhl(0.5L * e));
    }
    dpn_zcdp least = dpn_zcdp_pure(1e-170), none = dpn_zcdp_pure(0); /* a product that underflows is not nothing */
    assert_true(least.rho > 0 && least.rho <= 1.01 * DBL_MIN && none.rho == 0 && none.xi == 0);
    const double bad[] = {-1e-300, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 4; i++) assert_true(isnan(dpn_zcdp_pure(bad[i]).rho) && isnan(dpn_zcdp_pure(bad[i]).xi));
}

/* ---- laws with an affine bound ---- */

/* A law with nothing but pieces, any that one likes. */
static dpn_pieces given;
static double end = INFINITY;

static bool give(const dpn_law *law, dpn_pieces *out) {
    (void)law;
    *out = given;
    return true;
}

static double support(const dpn_law *law) {
    (void)law;
    return end;
}

static const struct dpn_family pieces_alone = {.name = "pieces", .pieces = give, .support = support};
static const dpn_law any = {.family = &pieces_alone};

/* r'(x) of piece k, in the units of psi. */
static long double rest_at(size_t k, long double x) {
    const dpn_piece *p = &given.piece[k];
    return p->slope + p->curvature * (x - p->from) - given.piece[given.count - 1].curvature * x;
}

static bool has_line(void) {
    long double before = INFINITY;
    for (size_t k = 0; k < given.count; k++)
        for (int i = 0; i <= 8; i++) {
            double from = given.piece[k].from, to = k + 1 < given.count ? given.piece[k + 1].from : from + 100;
            long double here = rest_at(k, from + (to - from) * i / 8);
            if (here > before || here < 0) return false;
            before = here;
        }
    return given.piece[given.count - 1].curvature > 0;
}

/* r(d) by the trapezoid rule, which is exact for what is straight between its points. */
static long double rest_integral(double d) {
    long double sum = 0;
    for (size_t k = 0; k < given.count && given.piece[k].from < d; k++) {
        double from = given.piece[k].from, to = k + 1 < given.count ? fmin(d, given.piece[k + 1].from) : d;
        sum += 0.5L * (to - from) * (rest_at(k, from) + rest_at(k, to));
    }
    return sum / given.unit[0] / given.unit[1];
}

static void pieces_with_a_line(void **state) {
    (void)state;
    draw_source source = {361};
    int lines = 0, others = 0;
    for (int trial = 0; trial < 4000; trial++) {
        given = (dpn_pieces){.unit = {ldexp(1, trial % 3), ldexp(1, trial % 5 - 2)}, .count = 1 + (size_t)trial % 3};
        for (size_t k = 0; k < given.count; k++) { /* small whole numbers, so that equals are frequent */
            dpn_piece *p = &given.piece[k];
            if (k) p->from = p[-1].from + floor(draw_uniform(&source, 1, 4));
            p->slope =
                k == 0 ? floor(draw_uniform(&source, 0, 4))
                       : p[-1].slope + p[-1].curvature * (p->from - p[-1].from) + floor(draw_uniform(&source, -1.2, 2));
            p->curvature = floor(draw_uniform(&source, 0, 4));
        }
        affine got = affine_of(&any);
        bool line = has_line();
        assert_true(got.last == (line ? given.piece[given.count - 1].curvature : 0));
        *(line ? &lines : &others) += 1;
        if (!line) continue;
        for (double d = 0.25; d < 12; d += 1.25) {
            long double xi = rest_integral(d), rho = 0.5L * got.last * d * d / given.unit[0] / given.unit[1];
            assert_true(fabsl(concave_part(&got, d) - xi) <= 1e-14L * xi);
            dpn_zcdp both = of_affine(&got, d);
            if (xi == 0) assert_true(both.xi == 0);
            if (xi > 0) eight_units_up(both.xi, xi);
            eight_units_up(both.rho, rho);
        }
    }
    assert_true(lines > 300 && others > 1000);
    given = (dpn_pieces){.unit = {1, 1}, .count = 1, .piece = {{0, 1, 1}}};
    assert_true(affine_of(&any).last == 1);
    end = 50; /* a support that ends */
    assert_true(affine_of(&any).last == 0);
    end = INFINITY;
    dpn_law logistic = law_of("logistic(scale=1)"), gaussian = law_of("gaussian(sigma=3)");
    assert_true(affine_of(&logistic).last == 0 && affine_of(&gaussian).last > 0);
}

/* ---- every kind of loss ---- */

static void lines_of_laws(void **state) {
    (void)state;
    dpn_zcdp got;
    dpn_error why;
    for (double d = 0.01; d < 40; d *= 2.3) {
        dpn_loss loss = loss_of("gaussian(sigma=3)", d);
        assert_int_equal(of_loss(&got, &loss, NULL), DPN_OK);
        assert_true(got.xi == 0);
        eight_units_up(got.rho, (long double)d * d / 18);
        loss = loss_of("laplace(scale=2.5)", d);
        assert_int_equal(of_loss(&got, &loss, NULL), DPN_OK);
        assert_true(got.xi == 0);
        long double e = d / 2.5L;
        eight_units_up(got.rho, e + expm1l(-e));
        loss = loss_of("logistic(scale=2.5)", d); /* the largest loss, rounded up before */
        assert_int_equal(of_loss(&got, &loss, NULL), DPN_OK);
        long double pure = e * tanhl(0.5L * e);
        assert_true(got.xi == 0 && got.rho >= pure && got.rho <= pure * (1 + 40 * DBL_EPSILON));
        loss = loss_of("osgt(m=2,sigma=3)", d);
        assert_int_equal(of_loss(&got, &loss, NULL), DPN_OK);
        eight_units_up(got.xi, 2 * (long double)d / 9);
    }
    dpn_loss still = loss_of("gaussian(sigma=3)", 0), bounded = loss_of("truncated-laplace(scale=1,bound=4)", 1),
             steep = loss_of("subbotin(p=3,scale=1)", 1);
    assert_int_equal(of_loss(&got, &still, NULL), DPN_OK);
    assert_true(got.xi == 0 && got.rho == 0);
    got.rho = -7;
    assert_int_equal(of_loss(&got, &bounded, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "truncated-laplace noise satisfies no zCDP: some outputs give the data away");
    assert_int_equal(of_loss(&got, &steep, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "no zCDP is known for this subbotin noise");
    assert_true(got.rho == -7);
}

/* ---- joint noise: D_a/a with a hump at a known order ---- */

static struct {
    double at, wide, largest,
        above; /* log of the order of the hump, its width, the largest loss, what the bound has more */
    int asked, fail_at;
    double highest;
} hump;

/* a/(1 + ((log a - at)/wide)^2) grows with a for wide >= 1; and it is at most the largest loss. */
static double divergence(double order) {
    double u = (log(order) - hump.at) / hump.wide;
    return fmin(order / (1 + u * u), hump.largest);
}

static double joint_largest(const dpn_loss *loss) {
    (void)loss;
    return hump.largest;
}

static double joint_upper(const dpn_loss *loss, double order) {
    (void)loss;
    return fmin(divergence(order) * (1 + hump.above), hump.largest);
}

static dpn_status joint_cumulant(double *lower, double *upper, const dpn_loss *loss, double theta, dpn_error *why) {
    (void)loss;
    hump.asked++;
    hump.highest = fmax(hump.highest, 1 + theta);
    if (hump.asked == hump.fail_at) return dpn_fail(why, DPN_EACCURACY, "not here");
    *lower = *upper = theta * divergence(1 + theta);
    return DPN_OK;
}

static const struct dpn_loss_kind joint = {.name = "joint",
                                           .largest = joint_largest,
                                           .cumulant = joint_cumulant,
                                           .divergence_upper = joint_upper},
                                  joint_plain = {.name = "joint", .largest = joint_largest, .cumulant = joint_cumulant};

static void humps_of_joint_noise(void **state) {
    (void)state;
    dpn_loss loss = {.kind = &joint}, plain = {.kind = &joint_plain};
    for (double at = 0; at < 7; at += 0.7)
        for (double wide = 1; wide < 4; wide *= 1.5) {
            dpn_zcdp got;
            hump.at = at, hump.wide = wide, hump.largest = INFINITY, hump.above = 0.2, hump.asked = 0, hump.highest = 1;
            assert_int_equal(of_joint(&got, &loss, NULL), DPN_OK);
            /* The largest quotient is 1; orders lie 1% apart; the search ends where the bound over the order has fallen below it. */
            assert_true(got.xi == 0 && got.rho >= 1 && got.rho <= 1.0101);
            double last = exp(at + wide * sqrt(0.2)) * 1.02 * 1.01;
            assert_true(hump.asked <= log(last) / log(1.01) + 2 && hump.highest <= last);
            /* With a largest loss the quotients are those of it from where it is reached. */
            hump.largest = 3, hump.above = 0, hump.asked = 0;
            assert_int_equal(of_joint(&got, &plain, NULL), DPN_OK);
            double sup = 0;
            for (double order = 1; order < 1e5; order *= 1.0005) sup = fmax(sup, divergence(order) / order);
            sup = fmin(sup, dpn_zcdp_pure(3).rho);
            assert_true(got.xi == 0 && got.rho >= sup * (1 - 1e-6) && got.rho <= 1.0102 * sup);
            assert_true(hump.asked <= log(3 / fmin(1, sup)) / log(1.01) + 5);
        }
    /* Without an end orders are looked at up to 10^4, and beyond the bound counts, over its order. */
    dpn_zcdp got;
    hump.at = 20, hump.wide = 3, hump.largest = INFINITY, hump.above = 0.5, hump.asked = 0, hump.highest = 1;
    assert_int_equal(of_joint(&got, &loss, NULL), DPN_OK);
    double next = 1;
    while (next <= 1e4) next *= 1.01;
    assert_true(hump.highest <= 1e4 * 1.0202 && hump.highest >= 1e4);
    assert_true(fabs(got.rho / (joint_upper(&loss, next) / next) - 1) < 1e-12 &&
                got.rho >= joint_upper(&loss, next) / next);
    /* What fails is told. */
    dpn_error why;
    got.rho = -7;
    hump.asked = 0, hump.fail_at = 5;
    assert_int_equal(of_joint(&got, &loss, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "not here");
    assert_true(got.rho == -7);
    hump.fail_at = 0;
    /* The pure bound of the largest loss, where it is less. */
    hump.at = 1, hump.wide = 1, hump.largest = 0.5, hump.above = 0;
    assert_int_equal(of_loss(&got, &loss, NULL), DPN_OK);
    assert_true(got.rho == dpn_zcdp_pure(0.5).rho);
}

/* ---- sums ---- */

static void parts_add(void **state) {
    (void)state;
    dpn_part part[3] = {{loss_of("osgt(m=2,sigma=3)", 1), 3},
                        {loss_of("gaussian(sigma=1)", 5), 0},
                        {loss_of("osgt(m=1,sigma=2)", 2), 7}};
    dpn_zcdp one, two, all = {0, 0};
    assert_int_equal(of_loss(&one, &part[0].loss, NULL), DPN_OK);
    assert_int_equal(of_loss(&two, &part[2].loss, NULL), DPN_OK);
    assert_int_equal(dpn_zcdp_compose(&all, part, 3, NULL), DPN_OK);
    long double xi = 3 * (long double)one.xi + 7 * (long double)two.xi,
                rho = 3 * (long double)one.rho + 7 * (long double)two.rho;
    assert_true(all.xi >= xi && all.xi <= xi * (1 + 6 * DBL_EPSILON) && all.rho >= rho &&
                all.rho <= rho * (1 + 6 * DBL_EPSILON));
    part[0].times = 1;
    assert_int_equal(dpn_zcdp_compose(&all, part, 1, NULL), DPN_OK); /* nothing is added */
    assert_true(all.xi == one.xi && all.rho == one.rho);
    part[0].times = 2;
    assert_int_equal(dpn_zcdp_compose(&all, part, 1, NULL), DPN_OK);
    assert_true(all.xi > 2 * one.xi && all.rho > 2 * one.rho && all.rho <= 2 * one.rho * (1 + 3 * DBL_EPSILON));
    assert_int_equal(dpn_zcdp_compose(&all, part, 0, NULL), DPN_OK);
    assert_true(all.xi == 0 && all.rho == 0);
    part[1] = (dpn_part){loss_of("subbotin(p=3,scale=1)", 1), 1};
    all = (dpn_zcdp){-7, -7};
    assert_int_equal(dpn_zcdp_compose(&all, part, 3, NULL), DPN_EUNSUPPORTED);
    assert_true(all.xi == -7 && all.rho == -7);
}

/* xi of n coordinates that share the norms evenly, rho of the l2 norm. */
static void norms_of_sets(void **state) {
    (void)state;
    dpn_law osgt = law_of("osgt(m=2,sigma=3)"), flipped = law_of("flipped-huber(alpha=1.5,gamma=2)");
    for (double l2 = 0.3; l2 < 9; l2 *= 1.9)
        for (double l1 = 0; l1 < 9; l1 = 2 * l1 + 0.7)
            for (size_t most = 0; most < 9; most += 3) {
                dpn_sensitivity set = {.dimension = 6, .l1 = l1, .l2 = l2, .max_changed = most};
                double n = most == 3 ? 3 : 6, norm = l1 > 0 ? fmin(l1, sqrt(n) * l2) : sqrt(n) * l2;
                dpn_zcdp got;
                assert_int_equal(dpn_zcdp_sensitivity(&got, NULL, &osgt, 1, &set, NULL), DPN_OK);
                double far = l1 > 0 ? fmin(l1, l2) : l2; /* the l2 norm is at most the l1 norm */
                assert_true(got.xi >= 2 * norm / 9 * (1 - 1e-15) && got.xi <= 2 * norm / 9 * (1 + 1e-13));
                assert_true(got.rho >= 0.5 * far * far / 9 * (1 - 1e-15) && got.rho <= 0.5 * l2 * l2 / 9 * (1 + 1e-13));
                assert_int_equal(dpn_zcdp_sensitivity(&got, NULL, &flipped, 1, &set, NULL), DPN_OK);
                double each = norm / n, r = each < 1.5 ? each * (3 - each) : 2.25;
                dpn_zcdp capped = {1e9,
                                   1e9}; /* of an l1 norm one coordinate alone may be the worst, with a lesser xi */
                cap(&capped, &flipped, &set);
                assert_true(capped.xi >= n * r / 8 * (1 - 1e-15) && capped.xi <= n * r / 8 * (1 + 1e-13));
                assert_true(capped.rho >= 0.5 * l2 * l2 / 4 && capped.rho <= 0.5 * l2 * l2 / 4 * (1 + 1e-14));
                assert_true(got.xi <= capped.xi && got.rho <= capped.rho);
            }
    dpn_sensitivity box = {.dimension = 4,
                           .linf = 1.5}; /* without norms beside it: all of it, coordinate by coordinate */
    dpn_zcdp got;
    assert_int_equal(dpn_zcdp_sensitivity(&got, NULL, &osgt, 1, &box, NULL), DPN_OK);
    assert_true(fabs(got.xi / (4 * 2 * 1.5 / 9) - 1) < 1e-13 && fabs(got.rho / (4 * 0.5 * 2.25 / 9) - 1) < 1e-13);
    dpn_zcdp capped = {1e9, 1e9};
    cap(&capped, &osgt, &box);
    assert_true(capped.xi == 1e9 && capped.rho == 1e9);
    box.l1 = 2;
    cap(&capped, &osgt, &box);
    assert_true(fabs(capped.xi - 4.0 / 9) < 1e-14 && capped.rho == 1e9);
    dpn_law laplace = law_of("laplace(scale=1)");
    capped = (dpn_zcdp){1e9, 1e9};
    box.l2 = 1;
    cap(&capped, &laplace, &box);
    assert_true(capped.xi == 1e9 && capped.rho == 1e9);
}

/* The larger numbers of several worst moves; one move above all is enough, and what is only possible counts for nothing. */
static void roles_of_moves(void **state) {
    (void)state;
    dpn_moves moves = {0};
    dpn_law laws[] = {law_of("osgt(m=9,sigma=3)"), law_of("gaussian(sigma=1)")};
    dpn_loss first = loss_of("osgt(m=9,sigma=3)", 1), second = loss_of("gaussian(sigma=1)", 1),
             third = loss_of("gaussian(sigma=1)", 4), steep = loss_of("subbotin(p=3,scale=1)", 1);
    dpn_sensitivity set = {.dimension = 2};
    dpn_zcdp got, one, two;
    assert_int_equal(of_loss(&one, &first, NULL), DPN_OK);
    assert_int_equal(of_loss(&two, &second, NULL), DPN_OK);
    const dpn_move_role roles[] = {DPN_MOVE_WORST, DPN_MOVE_POSSIBLE, DPN_MOVE_WORST, DPN_MOVE_POSSIBLE};
    const dpn_loss *losses[] = {&first, &steep, &second, &third};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(dpn_moves_begin(&moves, roles[i], NULL), DPN_OK);
        assert_int_equal(dpn_moves_add(&moves, losses[i], 1, NULL), DPN_OK);
    }
    assert_int_equal(dpn_zcdp_of_moves(&got, &moves, laws, 2, &set, NULL), DPN_OK);
    assert_true(got.xi == one.xi && got.rho == two.rho && one.rho < two.rho);
    moves.move[0].role = DPN_MOVE_ABOVE; /* the others are not looked at */
    assert_int_equal(dpn_zcdp_of_moves(&got, &moves, laws, 2, &set, NULL), DPN_OK);
    assert_true(got.xi == one.xi && got.rho == one.rho);
    moves.move[1].role = DPN_MOVE_WORST;
    assert_int_equal(dpn_zcdp_of_moves(&got, &moves, laws, 2, &set, NULL), DPN_OK);
    moves.move[0].role = DPN_MOVE_WORST;
    assert_int_equal(dpn_zcdp_of_moves(&got, &moves, laws, 2, &set, NULL), DPN_EUNSUPPORTED);
    dpn_moves_free(&moves);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pure_noise),           cmocka_unit_test(pieces_with_a_line), cmocka_unit_test(lines_of_laws),
        cmocka_unit_test(humps_of_joint_noise), cmocka_unit_test(parts_add),          cmocka_unit_test(norms_of_sets),
        cmocka_unit_test(roles_of_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
