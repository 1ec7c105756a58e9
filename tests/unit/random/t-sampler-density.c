/* The two evaluations of f = density/density at 0 against the reference: the bounds in doubles and in wide numbers
 * hold the truth, and the wide ones are narrow. */
#include "random/density.h"
#include "reference/points.h"
#include "unit/points.h"
#include "unit/random/laws.h"
#include "unit/base/wide-real.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct at_law {
    dpn_law law;
    ref_law reference;
    dpn_density density;
} at_law;

static void begin(at_law *at, const char *family, draw_source *source) {
    double parameter[DPN_LAW_PARAMETERS];
    const struct ref_family *row = ref_find(family);
    do {
        row->draw(source, parameter);
    } while (dpn_law_make(&at->law, family, parameter, (size_t)row->parameters, NULL) != DPN_OK);
    ref_make(&at->reference, row, parameter, 1024);
    double median = dpn_law_isf(&at->law, 0.25);
    int unit = median > 0 ? ilogb(median) - 5 : 0;
    if (row->integer && unit < 0) unit = 0;
    assert_true(dpn_density_make(&at->density, &at->law, unit));
}

static real exponent_of(const at_law *at, real x) {
    return ref_psi(&at->reference, x);
}

static void check_doubles(const at_law *at, double x) {
    dpn_bounds f = dpn_density_value(&at->density, x), e = dpn_density_exponent(&at->density, x);
    real exponent = exponent_of(at, r_num(ldexp(x, at->density.unit_exponent))), value = r_exp(r_neg(exponent));
    char text[DPN_LAW_TEXT_SIZE];
    if (r_less(value, r_num(f.lower)) || r_less(r_num(f.upper), value))
        fail_msg("%s: f(%.17g strips) = %.17g is not in [%.17g, %.17g]", dpn_law_print(text, &at->law), x,
                 r_double(value), f.lower, f.upper);
    if (r_less(exponent, r_num(e.lower)) || r_less(r_num(e.upper), exponent))
        fail_msg("%s: E(%.17g strips) = %.17g is not in [%.17g, %.17g]", dpn_law_print(text, &at->law), x,
                 r_double(exponent), e.lower, e.upper);
}

/* The bounds at x are those of all points within 2^-40 x + 2^-60 of it, of which the first and the last are the extreme ones. Where f is
 * not steep this is said of f alone. */
static void check_around(const at_law *at, double x) {
    dpn_bounds f = dpn_density_value(&at->density, x), e = dpn_density_exponent(&at->density, x);
    char text[DPN_LAW_TEXT_SIZE];
    for (int side = -1; side <= 1; side += 2) {
        real point = r_mul(r_num(x), r_num(1 + side * 0x1p-40));
        point = r_add(point, r_num(side * 0x1p-60));
        if (r_less(point, r_num(0))) point = r_num(0);
        real exponent = exponent_of(at, r_mul(point, r_num(ldexp(1, at->density.unit_exponent))));
        real value = r_exp(r_neg(exponent));
        if (r_less(value, r_num(f.lower)) || r_less(r_num(f.upper), value))
            fail_msg("%s: f beside %.17g strips, %.17g, is not in [%.17g, %.17g]", dpn_law_print(text, &at->law), x,
                     r_double(value), f.lower, f.upper);
        if (at->density.steep && (r_less(exponent, r_num(e.lower)) || r_less(r_num(e.upper), exponent)))
            fail_msg("%s: E beside %.17g strips, %.17g, is not in [%.17g, %.17g]", dpn_law_print(text, &at->law), x,
                     r_double(exponent), e.lower, e.upper);
    }
}

/* At x exactly both bounds hold 1/f, if f does not jump there; the wide number of x is exact. */
static void check_wide(const at_law *at, double x, int limbs) {
    dpn_rounding down = {limbs, false}, up = {limbs, true};
    dpn_wide wide = dpn_wide_scale(dpn_wide_double(down, x), at->density.unit_exponent), lower, upper;
    real exponent = exponent_of(at, r_num(ldexp(x, at->density.unit_exponent)));
    bool finite = dpn_density_inverse(&at->density, down, &wide, &lower);
    bool bounded = dpn_density_inverse(&at->density, up, &wide, &upper);
    char text[DPN_LAW_TEXT_SIZE];
    if (mpfr_inf_p(exponent) || !finite) {
        if (!mpfr_inf_p(exponent) || finite || bounded)
            fail_msg("%s: the end of the law is not at %g", dpn_law_print(text, &at->law), x);
        return;
    }
    if (mpfr_cmp_d(exponent, 0x1p39) > 0) return;
    real truth = r_exp(exponent);
    if (!bounded || r_less(truth, wide_real(&lower, limbs)) || r_less(wide_real(&upper, limbs), truth))
        fail_msg("%s: 1/f(%.17g strips) is not in its %d limbs", dpn_law_print(text, &at->law), x, limbs);
    double width = r_double(r_div(r_sub(wide_real(&upper, limbs), wide_real(&lower, limbs)), truth));
    if (width > 0x1p80 * ldexp(1 + r_double(exponent), -64 * limbs))
        fail_msg("%s: the bounds of 1/f(%.17g strips) are %g apart", dpn_law_print(text, &at->law), x, width);
}

/* Points from the centre to far out, and beside where f bends or jumps. */
static double draw_point(const at_law *at, draw_source *source) {
    double x = draw_log_uniform(source, 1e-6, 1e4);
    const struct ref_family *row = at->reference.family;
    if (row->breakpoint && draw_chance(source, 0.4))
        x = ldexp(fabs(row->breakpoint(source, at->law.parameter)), -at->density.unit_exponent) *
            (1 + ldexp(draw_uniform(source, -1, 1), -(int)(draw_bits(source) % 60)));
    if (row->integer) x = ldexp(floor(ldexp(fmin(x, 1e6), at->density.unit_exponent)), -at->density.unit_exponent);
    return isfinite(x) && x < 1e280 ? x : 1;
}

/* Exactly at a jump the two sides differ by definition; such points are left out. */
static bool at_jump(const at_law *at, double x) {
    double t = ldexp(x, at->density.unit_exponent);
    double before = r_double(exponent_of(at, r_num(nextafter(t, 0))));
    double after = r_double(exponent_of(at, r_num(nextafter(t, INFINITY))));
    return at->density.steep && after > before * (1 + 1e-12);
}

static void both(void **state) {
    (void)state;
    for (size_t f = 0; dpn_family_name(f); f++) {
        draw_source source = {f};
        const char *family = dpn_family_name(f);
        int laws = points(60, 600);
        if (strcmp(family, "subbotin") == 0) laws /= 5; /* a wide power takes a while */
        for (int n = 0; n < laws; n++) {
            size_t mark = r_mark();
            at_law at;
            begin(&at, family, &source);
            for (int i = 0; i < 10; i++) {
                size_t inner = r_mark();
                double x = draw_point(&at, &source);
                check_doubles(&at, x);
                if (!at.reference.family->integer) {
                    check_around(&at, x);
                    check_around(&at, i == 0 ? 0 : ldexp(x, -30));
                }
                if (!at_jump(&at, x)) check_wide(&at, x, i % 5 == 4 ? 9 : 4);
                r_release(inner);
            }
            r_release(mark);
        }
    }
}

/* Every family of the library has a density here, and three sets of parameters in the list. */
static void every_family(void **state) {
    (void)state;
    for (size_t f = 0; dpn_family_name(f); f++) {
        int listed = 0;
        for (const test_law *at = test_laws; at->text; at++) {
            dpn_law law = law_of(at->text);
            dpn_density density;
            if (strcmp(dpn_law_family(&law), dpn_family_name(f)) != 0) continue;
            assert_true(dpn_density_make(&density, &law, 0));
            listed++;
        }
        assert_int_equal(listed, 3);
    }
}

/* ---- psi that no family has: pieces with corners, some of them so steep that neighbouring doubles differ ---- */

static const dpn_pieces corners[] = {
    {{0.7, 1.3}, 3, {{0, 0.1, 0}, {0.4, 0.25, 3}, {1.7, 11, 0.5}}},
    {{1, 1}, 2, {{0, 0, 0}, {3, 1e13, 0}}},
    {{0.125, 3}, 4, {{0, 0, 0.5}, {1, 0.5, 0}, {2, 0.75, 0}, {3, 1, 1}}},
    {{1, 1}, 2, {{0, 0, 0}, {3, 1e7, 0}}}, /* from 3 to 3 (1 + 2^-40) it rises by 3e7 2^-40, more than the guard */
};
enum { CORNERS = sizeof corners / sizeof *corners };

static bool corner_pieces(const dpn_law *law, dpn_pieces *out) {
    *out = corners[(int)law->parameter[0]];
    return true;
}

static dpn_twofold corner_psi(const dpn_law *law, double t) {
    return dpn_pieces_psi(&corners[(int)law->parameter[0]], dpn_two(t));
}

static const char *accept_all(const double *parameter) {
    (void)parameter;
    return NULL;
}

static const struct dpn_family cornered = {
    .name = "cornered", .parameter = {"index"}, .refuse = accept_all, .psi = corner_psi, .pieces = corner_pieces};

static real corner_exponent(const dpn_pieces *pieces, real x) {
    real sum = r_num(0);
    for (size_t k = 0; k < pieces->count; k++) {
        const dpn_piece *piece = &pieces->piece[k];
        bool last = k + 1 == pieces->count || !r_less(r_num(pieces->piece[k + 1].from), x);
        real length = r_sub(last ? x : r_num(pieces->piece[k + 1].from), r_num(piece->from));
        real bend = r_mul(r_num(0.5 * piece->curvature), length);
        sum = r_add(sum, r_mul(length, r_add(r_num(piece->slope), bend)));
        if (last) break;
    }
    return r_div(r_div(sum, r_num(pieces->unit[0])), r_num(pieces->unit[1]));
}

static void any_pieces(void **state) {
    (void)state;
    r_precision(1024);
    draw_source source = {77};
    for (double index = 0; index < CORNERS; index++) {
        dpn_law law;
        dpn_density density;
        assert_int_equal(dpn_family_make(&law, &cornered, &index, NULL), DPN_OK);
        assert_true(dpn_density_make(&density, &law, -7));
        assert_true(density.steep == (index == 1 || index == 3));
        const dpn_pieces *pieces = &corners[(int)index];
        for (int i = 0; i < 400; i++) {
            size_t mark = r_mark();
            double from = pieces->piece[draw_bits(&source) % pieces->count].from;
            double near = from * (1 + ldexp(draw_uniform(&source, -1, 1), -(int)(draw_bits(&source) % 53)));
            double x = ldexp(i % 2 ? near : draw_log_uniform(&source, 1e-6, 20), 7);
            real exponent = corner_exponent(pieces, r_num(ldexp(x, -7)));
            dpn_bounds f = dpn_density_value(&density, x), e = dpn_density_exponent(&density, x);
            real value = r_exp(r_neg(exponent));
            assert_false(r_less(value, r_num(f.lower)) || r_less(r_num(f.upper), value));
            assert_false(r_less(exponent, r_num(e.lower)) || r_less(r_num(e.upper), exponent));
            dpn_rounding down = {5, false}, up = {5, true};
            dpn_wide wide = dpn_wide_scale(dpn_wide_double(down, x), -7), lower, upper;
            if (mpfr_cmp_d(exponent, 1e6) < 0) {
                real truth = r_exp(exponent);
                assert_true(dpn_density_inverse(&density, down, &wide, &lower));
                assert_true(dpn_density_inverse(&density, up, &wide, &upper));
                assert_false(r_less(truth, wide_real(&lower, 5)) || r_less(wide_real(&upper, 5), truth));
            }
            r_release(mark);
        }
    }
}

/* What is not known well enough is not drawn. */
static void refused(void **state) {
    (void)state;
    dpn_law law;
    dpn_density density;
    struct dpn_family bare = cornered;
    bare.pieces = NULL;
    assert_int_equal(dpn_family_make(&law, &bare, (const double[]){0}, NULL), DPN_OK);
    assert_false(dpn_density_make(&density, &law, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both),
        cmocka_unit_test(every_family),
        cmocka_unit_test(any_pieces),
        cmocka_unit_test(refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
