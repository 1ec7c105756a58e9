/* The other conditions, step by step (docs/proofs/privacy/conditions.md, sections 3 to 7): norms in units of the noise, chords, the search over
 * orders; and which noise each condition is about, in words. */
#include "privacy/condition/inid.c" /* to see each step */
#include "privacy/condition/probabilistic.c"
#include "privacy/condition/renyi.c"

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static dpn_workspace *workspace;

/* How many units of 2^-52 of itself a number is above the truth. */
static double units(double got, real truth) {
    return r_double(r_sub(r_num(got), truth)) / (r_double(truth) * DBL_EPSILON);
}

static dpn_condition_question question_of(const dpn_law *law, size_t laws, const dpn_sensitivity *set, double epsilon) {
    dpn_condition_question out = {
        .name = "this", .workspace = workspace, .law = law, .laws = laws, .set = set, .epsilon = epsilon};
    dpn_error why;
    if (dpn_norms_of(&out.norms, set, &why)) fail_msg("%s", why.sentence);
    return out;
}

/* ---- INID ---- */

static void coordinates_in_units_of_their_noise(void **state) {
    (void)state;
    enum { MOST = 6 };
    draw_source source = {1};
    for (int i = 0; i < 1500; i++) {
        size_t mark = r_mark(), n = 1 + draw_bits(&source) % MOST, laws = i % 2 ? n : 1;
        double bound[MOST], largest = 0;
        dpn_law law[MOST];
        real sum = r_num(0), square = r_num(0);
        for (size_t k = 0; k < n; k++) {
            double scale = draw_log_uniform(&source, 0.1, 10);
            assert_int_equal(dpn_law_make(&law[k], "laplace", &scale, 1, NULL), DPN_OK);
            bound[k] = draw_chance(&source, 0.1) ? 0 : draw_log_uniform(&source, 0.1, 10);
        }
        for (size_t k = 0; k < n; k++) {
            real move = r_over(r_num(bound[k]), law[laws == 1 ? 0 : k].parameter[0]);
            sum = r_add(sum, move);
            square = r_add(square, r_square(move));
            largest = fmax(largest, bound[k] / law[laws == 1 ? 0 : k].parameter[0]);
        }
        dpn_sensitivity set = {.dimension = n, .bound = bound};
        dpn_condition_question q = question_of(law, laws, &set, 0.5);
        scaled got = scale_bounds(&q);
        double count = 2 * (double)n + 8, lost = 0.5 * (double)n + 1.5;
        assert_true(got.largest == largest);
        if (largest > 0) {
            double above = units(got.sum, sum), norm = units(got.norm, r_sqrt(square));
            if (!(above > count - lost && above < count + lost))
                fail_msg("%zu coordinates: the sum is %g units above", n, above);
            if (!(norm > count - 2 * lost && norm < count + 2 * lost))
                fail_msg("%zu coordinates: the norm is %g units above", n, norm);
        }
        /* all alike: no list is needed */
        set = (dpn_sensitivity){.dimension = 1 + draw_bits(&source) % 1000000000,
                                .linf = draw_log_uniform(&source, 0.1, 10)};
        q = question_of(law, 1, &set, 0.5);
        got = scale_bounds(&q);
        real one = r_over(r_num(set.linf), law->parameter[0]), whole = r_num((double)set.dimension);
        assert_true(got.largest == set.linf / law->parameter[0]);
        double above = units(got.sum, r_mul(one, whole)), norm = units(got.norm, r_mul(one, r_sqrt(whole)));
        assert_true(above > 5.9 && above < 10.1 && norm > 5.4 && norm < 10.6);
        r_release(mark);
    }
}

static double unit_profile(const char *family, double move, double epsilon) {
    dpn_law law;
    dpn_delta delta;
    double one = 1;
    assert_int_equal(dpn_law_make(&law, family, &one, 1, NULL), DPN_OK);
    assert_int_equal(dpn_profile_delta(&delta, &law, move, epsilon, NULL), DPN_OK);
    return delta.log_upper;
}

static void norms_become_profiles(void **state) {
    (void)state;
    static const double bound[] = {1, 2, 3}, row[] = {1, 1, 0};
    const dpn_law equal = case_law("laplace(scale=4)"),
                  own[] = {case_law("laplace(scale=4)"), case_law("laplace(scale=2)"), case_law("laplace(scale=8)")};
    const struct {
        dpn_sensitivity set;
        bool same, exact;
        double move;
    } row_of[] = {
        {{.dimension = 3, .bound = bound}, true, false, 1.5},
        {{.dimension = 3, .bound = bound, .l1 = 2}, true, false, 0.5}, /* but one answer of 2 is 0.5 as well */
        {{.dimension = 3, .l1 = 2}, true, true, 0.5},
        {{.dimension = 3, .linf = 2, .max_changed = 1}, true, true, 0.5},
        {{.dimension = 3, .linf = 2, .max_changed = 2}, true, false, 1},
        {{.dimension = 1, .linf = 2}, true, true, 0.5},
        {{.dimension = 3, .vertex = row, .vertices = 1}, true, false, 0.5},
        {{.dimension = 3, .bound = bound}, false, false, 0.25 + 1 + 0.375},
        {{.dimension = 3, .l1 = 2}, false, true, 1},
        {{.dimension = 3, .bound = bound, .l1 = 2}, false, true, 1}};
    for (size_t i = 0; i < sizeof row_of / sizeof *row_of; i++) {
        dpn_condition_question q =
            question_of(row_of[i].same ? &equal : own, row_of[i].same ? 1 : 3, &row_of[i].set, 0.2);
        dpn_conditioned out;
        assert_int_equal(dpn_condition_inid_laplace(&out, &q, NULL), DPN_OK);
        double wanted = unit_profile("laplace", row_of[i].move, 0.2);
        if (!(out.log_delta >= wanted && out.log_delta < wanted + 1e-13))
            fail_msg("row %zu: %.17g, not %.17g", i, out.log_delta, wanted);
        if (i != 1 && out.exact != row_of[i].exact) fail_msg("row %zu: exact %d", i, out.exact);
    }
    const dpn_law gaussian[] = {case_law("gaussian(sigma=2)"), case_law("gaussian(sigma=4)"),
                                case_law("gaussian(sigma=6)")};
    dpn_sensitivity set = {.dimension = 3, .bound = bound};
    dpn_condition_question q = question_of(gaussian, 3, &set, 0.2);
    dpn_conditioned out;
    assert_int_equal(dpn_condition_inid_gaussian(&out, &q, NULL), DPN_OK);
    double wanted = unit_profile("gaussian", sqrt(0.75), 0.2);
    assert_true(out.exact && out.log_delta >= wanted && out.log_delta < wanted + 1e-13);
    set.max_changed = 2;
    q = question_of(gaussian, 3, &set, 0.2);
    assert_int_equal(dpn_condition_inid_gaussian(&out, &q, NULL), DPN_OK);
    assert_true(!out.exact && out.log_delta >= wanted);
}

/* ---- Chords ---- */

/* log(h(x) + (h(x e^-s) - h(x))/(1 - e^-s)), of the ends that make it largest, 16 units up. */
static void chords(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 2000; i++) {
        size_t mark = r_mark();
        double top = -draw_log_uniform(&source, 1e-3, 600), fall = draw_log_uniform(&source, 1e-9, 2),
               width = draw_log_uniform(&source, 1e-12, 1e-4);
        chord c = {.step = draw_log_uniform(&source, 1e-6, 0.5)};
        c.before.log_upper = top;
        c.here.log_upper = fmin(top, top - fall + width);
        c.here.log_lower = top - fall - width;
        c.before.log_lower = top - width;
        real here = r_exp(r_num(c.here.log_upper)), least = r_exp(r_num(c.here.log_lower)), before = r_exp(r_num(top));
        real truth = r_log(r_add(here, r_div(r_sub(before, least), r_neg(r_expm1(r_num(-c.step))))));
        double got = log_of_chord(&c), above = r_double(r_sub(r_num(got), truth)) / (DBL_EPSILON * (1 + fabs(top)));
        /* what is below before is a difference of logarithms, which keeps no more digits than they have */
        double lost = 2 * fabs(top) / (fall + width) / (1 + fabs(top)) + 4;
        if (!(above > 14 - 2 * lost && above < 18 + 2 * lost)) fail_msg("case %d: %g units, %g", i, above, lost);
        r_release(mark);
    }
    chord none = {.before.log_upper = -INFINITY};
    assert_true(log_of_chord(&none) == -INFINITY);
    chord risen = {
        .before.log_upper = -3, .here.log_lower = -2.5, .here.log_upper = -2.4, .step = 0.1}; /* not below h itself */
    double flat = log_of_chord(&risen);
    assert_true(flat >= -2.4 && flat < -2.4 + 1e-12);
}

static double q(double x) {
    return 0.5 * erfc(x * sqrt(0.5));
}

/* Several answers with osgt noise of m = 0, which is Gaussian: within what two chords and the accuracy of delta cost. */
static void probabilities_of_compositions(void **state) {
    (void)state;
    dpn_law law = case_law("osgt(m=0,sigma=3)");
    dpn_sensitivity set = {.dimension = 5, .linf = 1};
    for (double epsilon = 0.05; epsilon < 5; epsilon += 0.3) {
        dpn_condition_question ask = question_of(&law, 1, &set, epsilon);
        dpn_conditioned out;
        assert_int_equal(dpn_condition_probabilistic(&out, &ask, NULL), DPN_OK);
        double mu = sqrt(5) / 3, truth = log(q(epsilon / mu - mu / 2));
        if (!(out.log_delta >= truth - 1e-9 && out.log_delta < truth + 7e-3 && !out.exact))
            fail_msg("epsilon %g: %g above", epsilon, out.log_delta - truth);
    }
    /* moves that bound: the least of them; moves that are possible alone say nothing */
    dpn_law laplace = case_law("laplace(scale=1)");
    dpn_sensitivity ball = {.dimension = 4, .l2 = 1};
    dpn_condition_question ask = question_of(&laplace, 1, &ball, 1.2);
    dpn_conditioned out;
    assert_int_equal(dpn_condition_probabilistic(&out, &ask, NULL), DPN_OK);
    double one = log(1 - exp(-(2 - 1.2) / 2) / 2); /* one answer that moves by the largest l1 norm, 2 */
    assert_true(out.log_delta <= one + 1e-9 && out.log_delta > log(0.05));
    /* nothing moves */
    static const double zero[] = {0, 0, 0, 0};
    dpn_sensitivity still = {.dimension = 4, .bound = zero};
    ask = question_of(&laplace, 1, &still, 1e-9);
    assert_int_equal(dpn_condition_probabilistic(&out, &ask, NULL), DPN_OK);
    assert_true(out.log_delta == -INFINITY);
    ask.epsilon = 0;
    assert_int_equal(dpn_condition_probabilistic(&out, &ask, NULL), DPN_OK);
    assert_true(out.log_delta == 0);
}

/* ---- Orders ---- */

static double rho_of_curve, xi_of_curve;
static int calls;
static size_t asked;

static dpn_status a_line(double *out, const double *order, size_t orders, const dpn_condition_question *question,
                         dpn_error *why) {
    (void)question, (void)why;
    calls++;
    asked += orders;
    for (size_t i = 0; i < orders; i++) {
        assert_true(order[i] >= 1 + 0.99e-4 && order[i] <= 1.01e9 && (i == 0 || order[i] > order[i - 1]));
        out[i] = xi_of_curve + order[i] * rho_of_curve;
    }
    return DPN_OK;
}

static dpn_status nothing(double *out, const double *order, size_t orders, const dpn_condition_question *question,
                          dpn_error *why) {
    (void)order, (void)question, (void)why;
    for (size_t i = 0; i < orders; i++) out[i] = INFINITY;
    return DPN_OK;
}

static dpn_status broken(double *out, const double *order, size_t orders, const dpn_condition_question *question,
                         dpn_error *why) {
    (void)out, (void)order, (void)orders, (void)question, (void)why;
    return DPN_ENOMEM;
}

/* log delta of a line of divergences, (a-1)(xi + a rho - epsilon) + (a-1) log(a-1) - a log a: no order of a fine walk has less. */
static void the_best_order(void **state) {
    (void)state;
    draw_source source = {3};
    dpn_conditioned out;
    int inner = 0, last = 0;
    for (int i = 0; i < 60; i++) {
        rho_of_curve = draw_log_uniform(&source, 1e-9, 10);
        xi_of_curve = i % 2 ? 0 : draw_log_uniform(&source, 1e-3, 1);
        if (i % 10 == 3) rho_of_curve = 1e-14; /* the more the better, up to 1e9 */
        dpn_condition_question ask = {.epsilon = xi_of_curve + rho_of_curve +
                                                 sqrt(rho_of_curve) * draw_uniform(&source, 0.1, 9) +
                                                 (i % 10 == 3 ? 1e-3 : 0)};
        double least = 0, at = 0;
        for (double t = log(1e-4); t <= log(1e9); t += 0.001) {
            double less = exp(t), a = 1 + less,
                   value = less * (xi_of_curve + a * rho_of_curve - ask.epsilon) + less * t - a * log1p(less);
            if (value < least) least = value, at = a;
        }
        calls = 0, asked = 0;
        assert_int_equal(at_best_order(&out, a_line, &ask, NULL), DPN_OK);
        assert_true(calls == 5 && asked == 5 * 32);
        if (!(out.log_delta <= least + 1e-9 * (1 + fabs(least)) + 1e-13 * at &&
              out.log_delta >= least - (i % 10 == 3 ? 2e-3 : 1e-6) * (1 + fabs(least)))) /* the walk is in steps */
            fail_msg("case %d: %.17g, not %.17g", i, out.log_delta, least);
        if (least < -1e-6) {
            double less = out.order - 1, back = less * (xi_of_curve + out.order * rho_of_curve - ask.epsilon) +
                                                less * log(less) - out.order * log(out.order);
            assert_true(fabs(back - out.log_delta) <= 1e-9 * (1 + fabs(back)) + 1e-12 * out.order && !out.exact);
            inner += out.order > 1.01 && out.order < 1e8;
            last += out.order > 0.99e9;
        }
    }
    assert_true(inner > 20 && last > 2);
    dpn_condition_question ask = {.epsilon = 1};
    assert_int_equal(at_best_order(&out, nothing, &ask, NULL), DPN_OK);
    assert_true(out.log_delta == 0 && out.order == 0);
    out.log_delta = 7;
    assert_int_equal(at_best_order(&out, broken, &ask, NULL), DPN_ENOMEM);
    assert_true(out.log_delta == 7);
}

static void orders_of_laws(void **state) {
    (void)state;
    dpn_law pure = case_law("laplace(scale=2)"), huber = case_law("flipped-huber(alpha=1,gamma=3)"),
            osgt = case_law("osgt(m=1,sigma=3)");
    dpn_sensitivity set = {.dimension = 3, .linf = 1};
    dpn_conditioned out;
    for (int i = 0; i < 2; i++) { /* the largest loss is 3/2, the sum over three */
        dpn_condition_question ask = question_of(&pure, 1, &set, i ? 1.5000001 : 1.4999999);
        assert_int_equal(dpn_condition_renyi(&out, &ask, NULL), DPN_OK);
        assert_true(i ? out.log_delta == -INFINITY && isinf(out.order) && out.exact
                      : out.log_delta > -INFINITY && !out.exact);
    }
    dpn_condition_question ask = question_of(&huber, 1, &set, 2);
    dpn_zcdp zcdp;
    assert_int_equal(dpn_condition_theorem_9(&out, &ask, NULL), DPN_OK);
    assert_int_equal(dpn_zcdp_sensitivity(&zcdp, NULL, &huber, 1, &set, NULL), DPN_OK);
    assert_true(!out.exact &&
                out.log_delta == dpn_zcdp_log_delta_upper(zcdp.xi, zcdp.rho, 2, DPN_RULE_BUN_STEINKE, NULL));
    /* Theorem 2: a l2^2/2 sigma^2 + K log((1 - Q(b))/Q(b))/(a - 1) at the best order */
    ask = question_of(&osgt, 1, &set, 8);
    assert_int_equal(dpn_condition_theorem_2(&out, &ask, NULL), DPN_OK);
    double least = 0, tail = q(1.0 / 3);
    for (double t = -9; t < 20; t += 0.001) {
        double less = exp(t), a = 1 + less, d = a * 3 / 18 + 3 * log((1 - tail) / tail) / less;
        least = fmin(least, less * (d - 8) + less * t - a * log(a));
    }
    assert_true(!out.exact && out.log_delta < least + 1e-9 && out.log_delta > least - 1e-5);
    static const double zero[] = {0, 0, 0};
    dpn_sensitivity still = {.dimension = 3, .bound = zero};
    ask = question_of(&osgt, 1, &still, 1);
    assert_int_equal(dpn_condition_theorem_2(&out, &ask, NULL), DPN_OK);
    assert_true(out.exact && out.log_delta == -INFINITY);
}

/* ---- Which condition is about which noise ---- */

static void says(const char *name, const dpn_law *law, size_t laws, const dpn_sensitivity *set, double epsilon,
                 dpn_status status, const char *sentence) {
    dpn_conditioned out = {.order = 7};
    dpn_error why;
    assert_int_equal(dpn_condition_delta(&out, name, workspace, law, laws, set, epsilon, &why), status);
    if (strcmp(why.sentence, sentence) != 0) fail_msg("'%s', not '%s'", why.sentence, sentence);
    assert_true(out.order == 7);
}

static void refusals(void **state) {
    (void)state;
    dpn_law huber[2] = {case_law("flipped-huber(alpha=1,gamma=1)"), case_law("flipped-huber(alpha=1,gamma=2)")},
            gaussian = case_law("gaussian(sigma=1)");
    dpn_law mixed[2] = {gaussian, case_law("laplace(scale=1)")};
    dpn_sensitivity two = {.dimension = 2, .linf = 1}, open = {.dimension = 2};
    says("nothing", huber, 1, &two, 1, DPN_EPARSE, "no condition is called 'nothing'");
    const char *needs = "a condition needs an epsilon that is finite and not negative";
    says("fh-theorem-8", huber, 1, &two, -1e-300, DPN_EDOMAIN, needs);
    says("fh-theorem-8", huber, 1, &two, INFINITY, DPN_EDOMAIN, needs);
    says("fh-theorem-8", huber, 1, &two, NAN, DPN_EDOMAIN, needs);
    says("fh-theorem-8", huber, 2, &two, 1, DPN_EUNSUPPORTED, "fh-theorem-8 is about the same noise on all answers");
    says("fh-theorem-8", &gaussian, 1, &two, 1, DPN_EUNSUPPORTED,
         "fh-theorem-8 is about flipped-huber noise, not gaussian");
    says("inid-theorem-4", mixed, 2, &two, 1, DPN_EUNSUPPORTED, "inid-theorem-4 is about gaussian noise, not laplace");
    says("fh-theorem-3", huber, 1, &two, 1, DPN_EUNSUPPORTED, "fh-theorem-3 is about one answer, not 2 that may move");
    says("fh-theorem-8", huber, 1, &open, 1, DPN_EDOMAIN,
         "the sensitivity is unbounded: give sensitivities, l1, l2, linf or vertices");
    assert_true(dpn_condition_of_norms(&huber[0]) == dpn_condition_theorem_8 && !dpn_condition_of_norms(&gaussian));
    dpn_conditioned out;
    assert_int_equal(dpn_condition_delta(&out, "fh-theorem-9", workspace, huber, 2, &two, 0, NULL), DPN_OK);
    assert_int_equal(dpn_condition_delta(&out, "fh-theorem-3", workspace, huber, 1,
                                         &(dpn_sensitivity){.dimension = 2, .linf = 1, .max_changed = 1}, 1, NULL),
                     DPN_OK);
    assert_true(out.exact && out.order == 0 && out.delta > 0 && fabs(log(out.delta) - out.log_delta) < 1e-14);
    /* nobody is told of a probability above 1 */
    assert_int_equal(dpn_condition_delta(&out, "probabilistic", workspace, &gaussian, 1,
                                         &(dpn_sensitivity){.dimension = 2, .linf = 1000}, 0, NULL),
                     DPN_OK);
    assert_true(out.delta == 1 && out.log_delta == 0);
}

int main(void) {
    if (dpn_workspace_new(&workspace)) return 1;
    r_precision(1200);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_in_units_of_their_noise),
        cmocka_unit_test(norms_become_profiles),
        cmocka_unit_test(chords),
        cmocka_unit_test(probabilities_of_compositions),
        cmocka_unit_test(the_best_order),
        cmocka_unit_test(orders_of_laws),
        cmocka_unit_test(refusals),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    dpn_workspace_free(workspace);
    r_free_all();
    return failures;
}
