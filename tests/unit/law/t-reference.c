/* The references of the laws: closed forms against quadrature and plain sums, and one precision against another. Nothing of
 * the library is asked here. */
#include "reference/quadrature.h"
#include "reference/reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/agree.h"

/* ---- Continuous laws by quadrature ---- */

struct weighted {
    const ref_law *law;
    real s;
    int what;
};
enum { MASS, FIRST, SECOND, SLOPE, SURPRISE, TILT };

/* psi' by a central difference: its error is the square of the step. */
static real slope(const ref_law *law, real t) {
    real step = r_times(r_num(1), 0x1p-110), half = r_over(t, 2);
    if (r_less(half, step)) step = half;
    real rise = r_sub(ref_psi(law, r_add(t, step)), ref_psi(law, r_sub(t, step)));
    return r_div(rise, r_times(step, 2));
}

static real integrand(const void *context, real t) {
    const struct weighted *w = context;
    real log_pdf = ref_log_pdf(w->law, t), pdf = r_exp(log_pdf);
    switch (w->what) {
    case FIRST:
        return r_mul(pdf, t);
    case SECOND:
        return r_mul(pdf, r_square(t));
    case SLOPE:
        return r_mul(pdf, r_square(slope(w->law, t)));
    case SURPRISE:
        return r_sign(pdf) ? r_mul(pdf, r_neg(log_pdf)) : pdf;
    case TILT:
        return r_mul(pdf, r_cosh(r_mul(w->s, t)));
    default:
        return pdf;
    }
}

enum { CORNERS = 120 };

/* Twice the integral over t > from, cut at the corners (ascending, the last one far enough out). */
static real integrate(struct weighted w, double from, const double *corner, int corners) {
    mpfr_prec_t before = r_precision(w.what == SLOPE ? 320 : 160); /* differences cancel half of the bits */
    real sum = r_num(0), low = r_num(from);
    for (int i = 0; i < corners; i++) {
        real high = r_num(corner[i]);
        if (!r_less(low, high)) continue;
        sum = r_add(sum, r_integrate(integrand, &w, low, high, 52));
        low = high;
    }
    r_precision(before);
    return r_times(sum, 2);
}

/* The corners of the density; for the staircase until its steps, tilted by exp(st), have fallen by exp(-80). */
static int corners_of(const struct ref_family *family, const double *p, double s, double *corner) {
    int n = 0;
    if (strcmp(family->name, "staircase") == 0) {
        for (int k = 0; n < CORNERS - 2 && k * (p[0] - s * p[1]) < 80; k++) {
            corner[n++] = (k + p[2]) * p[1];
            corner[n++] = (k + 1) * p[1];
        }
        return n;
    }
    if (strcmp(family->name, "truncated-laplace") == 0) return corner[0] = p[1], 1;
    if (family->breakpoint) corner[n++] = family->breakpoint(NULL, p);
    return n;
}

static const struct example {
    const char *family;
    double parameter[3], s;
} continuous[] = {
    {"gaussian", {1.5}, 0.7},
    {"laplace", {0.75}, 0.9},
    {"flipped-huber", {3, 1}, 1.25},
    {"flipped-huber", {0.125, 2}, 0.5},
    {"flipped-huber", {10, 4}, 2.5},
    {"osgt", {3, 6.5}, 0.25},
    {"osgt", {4, 0.5}, 5},
    {"huber", {1, 1}, 0.5},
    {"huber", {3, 0.75}, 5},
    {"huber", {0.25, 2}, 0.03125},
    {"staircase", {3, 1, 0.375}, 1},
    {"staircase", {4, 0.5, 0}, 4},
    {"staircase", {2.5, 2, 1}, 0.25},
    {"truncated-laplace", {1, 9}, 1},
    {"truncated-laplace", {2, 0.5}, 3},
    {"subbotin", {1.5, 1}, 1.25},
    {"subbotin", {1.0625, 2}, 0.375},
    {"subbotin", {3.5, 0.5}, 4},
    {"subbotin", {40, 1}, 4},
    {"logistic", {1.25}, 0.5},
};

static void closed_forms_equal_integrals(void **state) {
    (void)state;
    enum { BITS = 90 };
    for (size_t i = 0; i < sizeof continuous / sizeof continuous[0]; i++) {
        const struct example *e = &continuous[i];
        size_t mark = r_mark();
        ref_law law;
        ref_make(&law, ref_find(e->family), e->parameter, 0);
        double corner[CORNERS];
        int corners = corners_of(law.family, e->parameter, e->s, corner);
        bool ends = law.family->support || strcmp(e->family, "staircase") == 0;
        double far = r_double(ref_mean_abs(&law)), start = corners ? corner[0] : 0;
        while (!ends && r_double(ref_log_sf(&law, r_num(start + far))) > -100) far *= 2;
        if (!ends) corner[corners++] = start + far;
        struct weighted w = {.law = &law, .s = r_num(e->s)};
        HOLDS(e->family, integrate(w, 0, corner, corners), r_num(1), BITS, 1);
        for (double q = 0.25; q < 4; q *= 2) {
            double t = q * r_double(ref_mean_abs(&law));
            HOLDS(e->family, integrate(w, t, corner, corners), r_times(ref_sf(&law, r_num(t)), 2), BITS, 1e-6);
        }
        w.what = FIRST;
        HOLDS(e->family, integrate(w, 0, corner, corners), ref_mean_abs(&law), BITS, 0);
        w.what = SECOND;
        HOLDS(e->family, integrate(w, 0, corner, corners), ref_variance(&law), BITS, 0);
        w.what = SURPRISE;
        HOLDS(e->family, integrate(w, 0, corner, corners), ref_entropy(&law), BITS, 1);
        if (law.family->fisher) {
            w.what = SLOPE;
            HOLDS(e->family, integrate(w, 0, corner, corners), ref_fisher(&law), BITS, 0);
        }
        w.what = TILT;
        if (!ends) {
            while (r_double(ref_log_pdf(&law, r_num(corner[corners - 1]))) + e->s * corner[corners - 1] > -80) {
                corner[corners - 1] *= 1.5;
            }
        }
        HOLDS(e->family, r_log(integrate(w, 0, corner, corners)), ref_log_mgf(&law, r_num(e->s)), BITS, 1);
        r_release(mark);
    }
}

/* ---- Laws on the integers by plain sums ---- */

static const struct example whole[] = {
    {"discrete-gaussian", {0.25}, 3},
    {"discrete-gaussian", {3.5}, 0.5},
    {"discrete-gaussian", {60}, 0.125},
    {"discrete-gaussian", {1000}, 0x1p-9},
    {"discrete-laplace", {0.125}, 7},
    {"discrete-laplace", {20}, 0x1p-5},
    {"discrete-flipped-huber", {3, 1}, 4},
    {"discrete-flipped-huber", {2.5, 3}, 0.75},
    {"discrete-flipped-huber", {0.5, 2}, 1},
    {"discrete-flipped-huber", {300, 100}, 0.0625},
    {"discrete-flipped-huber", {700.5, 900}, 0x1p-8},
    {"discrete-flipped-huber", {0, 700}, 0x1p-8},
    {"discrete-osgt", {3, 6.5}, 0.5},
    {"discrete-osgt", {0.75, 2}, 2},
    {"discrete-osgt", {100, 800}, 0x1p-8},
    {"discrete-osgt", {1000, 800}, 0x1p-9},
    {"truncated-geometric", {0.125, 18, 0.75}, 0.25},
    {"truncated-geometric", {2, 1, 0.375}, 4},
    {"truncated-geometric", {0.0078125, 900, 0.001}, 0x1p-7},
    {"truncated-geometric", {0.5, 7, 1}, 0.5},
};

static void closed_forms_equal_sums(void **state) {
    (void)state;
    enum { BITS = 180, MEMBERS = 6 };
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        const struct example *e = &whole[i];
        size_t mark = r_mark();
        ref_law law;
        ref_make(&law, ref_find(e->family), e->parameter, 0);
        double spread = fmax(r_double(ref_mean_abs(&law)), 1), at = floor(1.5 * spread);
        mpfr_t mass, tail, first, second, surprise, tilt;
        mpfr_inits2(r_bits(), mass, tail, first, second, surprise, tilt, (mpfr_ptr)0);
        mpfr_set_d(mass, 0.5, MPFR_RNDN);
        mpfr_set_d(tilt, 0.5, MPFR_RNDN);
        mpfr_set_zero(tail, 1), mpfr_set_zero(first, 1), mpfr_set_zero(second, 1), mpfr_set_zero(surprise, 1);
        for (double k = 1;; k++) {
            if (law.family->support && k > r_double(ref_support(&law))) break;
            size_t inner = r_mark();
            real t = r_num(k), psi = ref_psi(&law, t), f = r_exp(r_neg(psi));
            mpfr_add(mass, mass, f, MPFR_RNDN);
            if (k > at) mpfr_add(tail, tail, f, MPFR_RNDN);
            mpfr_add(first, first, r_mul(f, t), MPFR_RNDN);
            mpfr_add(second, second, r_mul(f, r_square(t)), MPFR_RNDN);
            mpfr_add(surprise, surprise, r_mul(f, psi), MPFR_RNDN);
            mpfr_add(tilt, tilt, r_mul(f, r_cosh(r_times(t, e->s))), MPFR_RNDN);
            bool lost = r_double(psi) - e->s * k > 150 && r_double(psi) > 150;
            r_release(inner);
            if (lost) break;
        }
        real log_mass = r_log(r_times(mass, 2));
        HOLDS(e->family, log_mass, r_neg(ref_log_pdf(&law, r_num(0))), BITS, 1e-12);
        HOLDS(e->family, r_over(r_div(tail, mass), 2), ref_sf(&law, r_num(at)), BITS, 1e-9);
        HOLDS(e->family, r_div(first, mass), ref_mean_abs(&law), BITS, 1e-9);
        HOLDS(e->family, r_div(second, mass), ref_variance(&law), BITS, 1e-9);
        HOLDS(e->family, r_add(log_mass, r_div(surprise, mass)), ref_entropy(&law), BITS, 1e-9);
        HOLDS(e->family, r_log(r_div(tilt, mass)), ref_log_mgf(&law, r_num(e->s)), BITS, 1);
        mpfr_clears(mass, tail, first, second, surprise, tilt, (mpfr_ptr)0);
        r_release(mark);
    }
}

/* ---- All laws ---- */

/* A law once with the usual bits and once with 400 more: what agrees to 200 bits has not cancelled away. */
static void more_bits_change_nothing(void **state) {
    (void)state;
    enum { BITS = 200, SETS = 6, POINTS = 6 };
    for (size_t i = 0; ref_family_at(i); i++) {
        const struct ref_family *family = ref_family_at(i);
        draw_source source = {i + 1};
        for (int set = 0; set < SETS; set++) {
            size_t mark = r_mark();
            double p[REF_PARAMETERS];
            family->draw(&source, p);
            ref_law fine, law;
            ref_make(&fine, family, p, 400);
            mpfr_prec_t fine_bits = r_bits();
            ref_make(&law, family, p, 0);
            mpfr_prec_t bits = r_bits();
            double spread = fmin(fmax(r_double(ref_mean_abs(&law)), 1e-200), 1e200);
#define BOTH(member, floor_value)                                                \
    do {                                                                         \
        r_precision(bits);                                                       \
        real coarse = member(&law, argument);                                    \
        r_precision(fine_bits);                                                  \
        HOLDS(family->name, coarse, member(&fine, argument), BITS, floor_value); \
    } while (0)
            for (int k = 0; k < POINTS; k++) {
                double t = spread * draw_log_uniform(&source, 1e-20, k % 2 ? 1e4 : 10);
                if (family->integer) t = floor(t);
                real argument = r_num(k % 3 ? t : -t);
                BOTH(ref_psi, 0);
                BOTH(ref_log_pdf, 1);
                BOTH(ref_log_sf, 0);
                BOTH(ref_sf, 0);
            }
            double bound = r_double(ref_mgf_bound(&law));
            for (int k = 0; k < 3; k++) {
                double s = isinf(bound) ? draw_log_uniform(&source, 1e-6, 1e3) / spread
                                        : bound * (1 - draw_log_uniform(&source, 1e-12, 1));
                real argument = r_num(s);
                BOTH(ref_log_mgf, 1);
            }
#undef BOTH
#define BOTH(member, floor_value)                                      \
    do {                                                               \
        r_precision(bits);                                             \
        real coarse = member(&law);                                    \
        r_precision(fine_bits);                                        \
        HOLDS(family->name, coarse, member(&fine), BITS, floor_value); \
    } while (0)
            BOTH(ref_variance, 0);
            BOTH(ref_mean_abs, 0);
            BOTH(ref_fisher, 0);
            BOTH(ref_entropy, family->integer ? 0 : 1);
            r_release(mark);
        }
    }
}

static int clean(void **state) {
    (void)state;
    r_free_all();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_equal_integrals),
        cmocka_unit_test(closed_forms_equal_sums),
        cmocka_unit_test(more_bits_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
