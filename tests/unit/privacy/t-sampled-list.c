/* The atoms of a sampled step against enumerations in long double, and what is said about their errors against what an error can do. */
#include "privacy/sampling/sampled-list.c" /* to see each piece */

#include "case.h"
#include "privacy/sampling/listed.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_loss pure_loss(double epsilon) {
    dpn_loss loss;
    assert_int_equal(dpn_loss_pure(&loss, epsilon, NULL), DPN_OK);
    return loss;
}

static dpn_loss law_loss(const char *text, double sensitivity) {
    static dpn_law law[8];
    static int next;
    dpn_loss loss;
    law[next % 8] = case_law(text);
    assert_int_equal(dpn_loss_law(&loss, &law[next++ % 8], sensitivity, NULL), DPN_OK);
    return loss;
}

/* ---- putting together ---- */

static void near_atoms_are_one(void **state) {
    (void)state;
    draw_source source = {61};
    for (int trial = 0; trial < 100; trial++) {
        enum { GROUPS = 12 };
        atom at[GROUPS * 6 + 1] = {{0, 0, 0}};
        long double p[GROUPS] = {0}, q[GROUPS] = {0};
        size_t count = 0, largest = 1;
        double place = -9, values[GROUPS];
        for (int g = 0; g < GROUPS; g++) {
            size_t many = 1 + (size_t)draw_uniform(&source, 0, trial % 2 ? 6 : 1);
            values[g] = place += draw_uniform(&source, 1e-6, 1.6);
            for (size_t i = 0; i < many; i++) {
                atom one = {place * (1 + (double)i * 0.5 * DBL_EPSILON), draw_uniform(&source, 0, 1),
                            draw_uniform(&source, 0, 1)};
                p[g] += one.p;
                q[g] += one.q;
                size_t slot = (size_t)draw_uniform(&source, 0, (double)count + 1); /* in any order */
                at[count++] = at[slot];
                at[slot] = one;
            }
            if (many > 1 && many - 1 > largest) largest = many - 1;
        }
        double reach = 0;
        for (size_t i = 0; i < count; i++) reach = fmax(reach, fabs(at[i].value));
        atoms all = {.count = count, .at = at, .value_error = 1e-3, .mass_error = 1e-3};
        sort_and_merge(&all);
        assert_int_equal(all.count, GROUPS);
        for (int g = 0; g < GROUPS; g++) {
            assert_true(fabs(at[g].value - values[g]) <= 4 * DBL_EPSILON * fabs(values[g]));
            assert_true(fabsl(at[g].p / p[g] - 1) < 1e-14L && fabsl(at[g].q / q[g] - 1) < 1e-14L);
        }
        assert_true(fabs(all.value_error - 1e-3 - 8 * DBL_EPSILON * reach) < 1e-18 &&
                    fabs(all.mass_error - 1e-3 - (double)largest * DBL_EPSILON) < 1e-18);
    }
    atom pair[] = {{1, 0.25, 0.5},
                   {1 + 16 * DBL_EPSILON, 0.5, 0.25},
                   {-2, 0.25, 0.25}}; /* 8 units of 2 are one value; more are not */
    atoms three = {.count = 3, .at = pair};
    sort_and_merge(&three);
    assert_true(three.count == 2 && pair[0].value == -2 && pair[1].value == 1 && pair[1].p == 0.75 &&
                pair[1].q == 0.75);
    atom other[] = {{1, 0.25, 0.5}, {1 + 17 * DBL_EPSILON, 0.5, 0.25}, {-2, 0.25, 0.25}};
    three = (atoms){.count = 3, .at = other};
    sort_and_merge(&three);
    assert_int_equal(three.count, 3);
    atoms none = {0};
    sort_and_merge(&none);
    assert_true(none.count == 0 && none.value_error == 0 && none.mass_error == 0);
}

/* ---- atoms of one loss ---- */

/* Noise lambda^|k| or exp(-k^2/(2 sigma^2)) on the integers, moved by s. */
static void assert_atoms_of_noise(const char *text, bool gaussian, long double parameter, int s) {
    enum { FAR = 400 };
    dpn_loss loss = law_loss(text, s);
    atoms all = {0};
    assert_int_equal(of_loss(&all, &loss), DPN_OK);
    long double total = 0, left = 1;
    for (int k = -FAR; k <= FAR; k++)
        total += gaussian ? expl(-k * (long double)k / (2 * parameter * parameter)) : expl(-abs(k) / parameter);
    for (size_t i = 0; i < all.count; i++) {
        const atom *a = &all.at[i];
        long double p = 0, q = 0;
        for (int k = -FAR; k <= FAR; k++) {
            long double here = gaussian ? -k * (long double)k / (2 * parameter * parameter) : -abs(k) / parameter;
            long double there =
                gaussian ? -(k - s) * (long double)(k - s) / (2 * parameter * parameter) : -abs(k - s) / parameter;
            if (fabsl(here - there - a->value) < 1e-9L) p += expl(here) / total, q += expl(there) / total;
        }
        if (!(fabsl(a->p / p - 1) <= all.mass_error && fabsl(a->q / q - 1) <= all.mass_error))
            fail_msg("%s: %g at %g, not %Lg", text, a->p, a->value, p);
        assert_true(i == 0 || a->value > all.at[i - 1].value);
        left -= a->p;
    }
    double reach = all.at[all.count - 1].value;
    assert_true(all.value_error >= 8 * DBL_EPSILON * reach && all.value_error <= 13 * DBL_EPSILON * reach);
    assert_true(all.mass_error >= 32 * DBL_EPSILON && all.mass_error < 1e-11);
    assert_true(all.lost >= 0 && all.lost < 1e-40 && fabsl(left) < 1e-13L && (gaussian ? all.lost > 0 : 1));
    free(all.at);
}

static void atoms_of_one_loss(void **state) {
    (void)state;
    assert_atoms_of_noise("discrete-laplace(scale=2)", false, 2, 1);
    assert_atoms_of_noise("discrete-laplace(scale=5)", false, 5, 4);
    assert_atoms_of_noise("discrete-gaussian(sigma=3)", true, 3, 1);
    assert_atoms_of_noise("discrete-gaussian(sigma=10)", true, 10, 3);
    for (double epsilon = 1e-3; epsilon < 30; epsilon *= 3) {
        dpn_loss loss = pure_loss(epsilon);
        atoms all = {0};
        assert_int_equal(of_loss(&all, &loss), DPN_OK);
        long double p = 1 / (1 + expl(-epsilon)), q = 1 / (1 + expl(epsilon));
        assert_true(all.count == 2 && all.at[0].value == -epsilon && all.at[1].value == epsilon && all.lost == 0);
        assert_true(fabsl(all.at[1].p / p - 1) <= all.mass_error && fabsl(all.at[1].q / q - 1) <= all.mass_error);
        assert_true(fabsl(all.at[0].p / q - 1) <= all.mass_error && fabsl(all.at[0].q / p - 1) <= all.mass_error);
        assert_true(all.mass_error >= 32 * DBL_EPSILON && all.mass_error <= DBL_EPSILON * (40 + 40 * epsilon));
        free(all.at);
    }
    static const char *const others[] = {"laplace(scale=1)", "gaussian(sigma=1)", "truncated-laplace(scale=1,bound=3)"};
    for (int i = 0; i < 3; i++) {
        dpn_loss loss = law_loss(others[i], 1);
        atoms all = {0};
        assert_int_equal(of_loss(&all, &loss), DPN_EUNSUPPORTED);
        assert_null(all.at);
    }
    static const double value[] = {-1, 1}, probability[] = {0.2689414213699951, 0.7310585786300049};
    dpn_loss list;
    atoms all = {0};
    assert_int_equal(dpn_loss_explicit(&list, value, probability, 2, NULL), DPN_OK);
    assert_int_equal(of_loss(&all, &list), DPN_EUNSUPPORTED);
    dpn_loss wide = law_loss("discrete-gaussian(sigma=2000)", 1); /* too many */
    assert_int_equal(of_loss(&all, &wide), DPN_EUNSUPPORTED);
    assert_null(all.at);
}

/* ---- atoms of a step ---- */

enum { PARTS = 3, SUMS = 64 };
static const double pure[PARTS] = {0.7, 1.1, 2.3};
static const uint64_t often[PARTS] = {2, 1, 2};

static size_t enumerate(long double value[SUMS], long double p[SUMS], long double q[SUMS]) {
    size_t count = 1;
    value[0] = 0;
    p[0] = q[0] = 1;
    for (int k = 0; k < PARTS; k++)
        for (uint64_t n = 0; n < often[k]; n++, count *= 2)
            for (size_t i = 0; i < count; i++)
                for (int up = 1; up >= 0; up--) {
                    long double e = up ? pure[k] : -pure[k], likely = 1 / (1 + expl(-e));
                    size_t to = up ? count + i : i;
                    value[to] = value[i] + e;
                    p[to] = p[i] * likely;
                    q[to] = q[i] * likely * expl(-e);
                }
    return count;
}

static void atoms_of_steps(void **state) {
    (void)state;
    dpn_part part[PARTS + 1];
    for (int k = 0; k < PARTS; k++) part[k] = (dpn_part){pure_loss(pure[k]), often[k]};
    part[PARTS] = (dpn_part){law_loss("gaussian(sigma=1)", 1), 0}; /* what does not occur is not looked at */
    long double value[SUMS], p[SUMS], q[SUMS];
    size_t count = enumerate(value, p, q);
    for (double rate = 1e-3; rate <= 1; rate = rate < 0.5 ? rate * 7 : rate + 0.05) {
        dpn_step step = {part, PARTS + 1, fmin(rate, 1), 9};
        atoms all = {0};
        assert_int_equal(of_step(&all, &step), DPN_OK);
        dpn_sampled_list list;
        assert_int_equal(dpn_sampled_list_make(&list, &step, NULL), DPN_OK);
        long double top[2] = {0, 0};
        for (int side = 0; side < 2; side++) {
            const dpn_loss *loss = &list.loss[side];
            assert_true(loss->count == 18); /* 3 by 2 by 3 sums are different */
            long double whole = 0;
            for (size_t j = 0; j < loss->count; j++) {
                long double mass = 0;
                for (size_t i = 0; i < count; i++) {
                    long double moved = log1pl(step.rate * expm1l(value[i])) * (side ? -1 : 1);
                    top[side] = fmaxl(top[side], moved);
                    if (fabsl(moved - loss->value[j]) <= list.doubt.relative * fabsl(moved) + list.doubt.absolute)
                        mass += side ? q[i] : step.rate * p[i] + (1 - (long double)step.rate) * q[i];
                }
                if (!(mass > 0 && fabsl(loss->probability[j] / mass - 1) <= list.doubt.mass))
                    fail_msg("rate %g, side %d: %g at %g, not %Lg", rate, side, loss->probability[j], loss->value[j],
                             mass);
                assert_true(j == 0 || loss->value[j] > loss->value[j - 1]);
                whole += loss->probability[j];
            }
            assert_true(fabsl(whole - 1) < 1e-14L);
            assert_true(list.largest[side] >= top[side] * (1 + 64 * DBL_EPSILON) &&
                        list.largest[side] <= top[side] * (1 + 300 * DBL_EPSILON));
        }
        /* Section 4 of the proof: what an error d of L is felt as. */
        double d = all.value_error;
        assert_true(d > 8 * DBL_EPSILON * 7 && d < 200 * DBL_EPSILON * 7 && list.lost == 0);
        assert_true(list.doubt.relative >= 1.582 * d + 15 * DBL_EPSILON &&
                    list.doubt.relative <= 1.61 * d + 17 * DBL_EPSILON);
        assert_true(list.doubt.absolute >= 2.7182 * step.rate * d && list.doubt.absolute <= 2.9 * step.rate * d);
        for (long double L = -8; L < 8; L += 0.0313L) {
            long double v = log1pl(step.rate * expm1l(L)),
                        felt = d * step.rate * expl(L) / (1 - step.rate + step.rate * expl(L));
            assert_true(felt <= (list.doubt.relative - 16 * DBL_EPSILON) * fabsl(v) + list.doubt.absolute);
        }
        assert_true(list.doubt.mass >= 2 * all.mass_error + 2 * all.lost + 25 * DBL_EPSILON &&
                    list.doubt.mass <= 2 * all.mass_error + 2 * all.lost + 27 * DBL_EPSILON);
        assert_true(all.mass_error >= 5 * 32 * DBL_EPSILON);
        free(all.at);
        dpn_sampled_list_free(&list);
        assert_true(!list.room && list.doubt.mass == 0);
    }
}

static void steps_without_a_list(void **state) {
    (void)state;
    dpn_sampled_list list;
    dpn_error why;
    dpn_part part = {pure_loss(0.1), MOST_TIMES}, many = {law_loss("discrete-gaussian(sigma=90)", 1), 2};
    dpn_step step = {&part, 1, 0.1, 5}, nothing = {NULL, 0, 0.1, 5}, null = {NULL, 1, 0.1, 5},
             wide = {&many, 1, 0.1, 5};
    assert_int_equal(dpn_sampled_list_make(&list, &step, &why), DPN_OK);
    assert_true(list.loss[0].count == MOST_TIMES + 1 && list.lost == 0);
    dpn_sampled_list_free(&list);
    part.times++;
    assert_int_equal(dpn_sampled_list_make(&list, &step, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "a step has other losses than atoms");
    assert_null(list.room);
    assert_int_equal(dpn_sampled_list_make(&list, &null, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "a step has other losses than atoms");
    assert_int_equal(dpn_sampled_list_make(&list, &wide, &why), DPN_EUNSUPPORTED); /* too many sums */
    dpn_sampled_list_free(&list);
    assert_int_equal(dpn_sampled_list_make(&list, &nothing, &why), DPN_OK);
    assert_true(list.loss[0].count == 1 && list.loss[0].value[0] == 0 && list.loss[0].probability[0] == 1 &&
                list.largest[0] == 0);
    dpn_sampled_list_free(&list);
    many = (dpn_part){law_loss("discrete-gaussian(sigma=3)", 1), 1}; /* some are not listed; there is no largest loss */
    assert_int_equal(dpn_sampled_list_make(&list, &wide, &why), DPN_OK);
    assert_true(list.lost > 0 && list.lost < 1e-40 && isinf(list.largest[0]) &&
                fabs(list.largest[1] + log1p(-0.1)) < 1e-13);
    dpn_sampled_list_free(&list);
    many.times = 2; /* twice as much is not */
    double before = list.lost;
    assert_int_equal(dpn_sampled_list_make(&list, &wide, &why), DPN_OK);
    assert_true(list.lost > before);
    dpn_sampled_list_free(&list);
}

/* ---- steps of lists ---- */

static void lists_of_steps(void **state) {
    (void)state;
    dpn_part part[2] = {{pure_loss(0.9), 1}, {pure_loss(1.7), 1}};
    dpn_step step[4] = {{&part[0], 1, 0.3, 2}, {&part[1], 1, 0, 9}, {&part[1], 1, 0.2, 0}, {&part[1], 1, 0.2, 1}};
    dpn_listed listed;
    dpn_error why;
    assert_int_equal(dpn_listed_open(&listed, step, 4, &why), DPN_OK);
    assert_true(listed.count == 2 && listed.atoms[0][0].times == 2 && listed.atoms[1][1].times == 1 &&
                listed.doubt[1].mass == listed.list[1].doubt.mass);
    long double up[2] = {log1pl(0.3 * expm1l(0.9)), log1pl(0.2 * expm1l(1.7))},
                down[2] = {-log1pl(0.3 * expm1l(-(long double)0.9)), -log1pl(0.2 * expm1l(-(long double)1.7))};
    long double top[2] = {2 * up[0] + up[1], 2 * down[0] + down[1]};
    for (int side = 0; side < 2; side++) {
        double largest = dpn_listed_largest(&listed, side);
        assert_true(largest > top[side] * (1 + 128 * DBL_EPSILON) && largest < top[side] * (1 + 300 * DBL_EPSILON));
        for (double part_of = 0; part_of < 1; part_of += 0.0713) {
            double epsilon = part_of * (double)top[side];
            long double truth = 0;
            for (int i = 0; i < 8; i++) { /* signs of the three */
                long double value = 0, mass = 1;
                for (int k = 0; k < 3; k++) {
                    long double e = k == 2 ? 1.7 : 0.9, rate = k == 2 ? 0.2 : 0.3;
                    e = i >> k & 1 ? e : -e;
                    long double likely = 1 / (1 + expl(-e)), other = likely * expl(-e);
                    value += log1pl(rate * expm1l(e)) * (side ? -1 : 1);
                    mass *= side ? other : rate * likely + (1 - rate) * other;
                }
                truth += value > epsilon ? mass * -expm1l(epsilon - value) : 0;
            }
            dpn_delta delta = {7, 7, 7, 7};
            assert_int_equal(dpn_listed_direction(&delta, &listed, side, epsilon, 1e-5, 0, 1e8, &why), DPN_OK);
            if (!(delta.lower <= truth && delta.upper >= truth && delta.upper <= delta.lower * (1 + 1.01e-5)))
                fail_msg("side %d at %g: [%g, %g], not %Lg", side, epsilon, delta.lower, delta.upper, truth);
            dpn_delta larger, both[2];
            for (int k = 0; k < 2; k++)
                assert_int_equal(dpn_listed_direction(&both[k], &listed, k, 0.3, 1e-5, 0, 1e8, &why), DPN_OK);
            assert_int_equal(dpn_listed_delta(&larger, &listed, 0.3, 1e-5, 1e8, &why), DPN_OK);
            assert_true(larger.lower == fmax(both[0].lower, both[1].lower) &&
                        fabs(larger.upper - fmax(both[0].upper, both[1].upper)) < 1e-5);
        }
        dpn_delta delta = {7, 7, 7, 7};
        assert_int_equal(
            dpn_listed_direction(&delta, &listed, side, (double)top[side] * (1 - 5e-7), 1e-5, 0, 1e8, &why),
            DPN_EACCURACY);
        assert_string_equal(why.sentence, "epsilon is next to the largest loss");
        assert_int_equal(dpn_listed_direction(&delta, &listed, side, largest, 1e-5, 0, 1e8, &why), DPN_OK);
        assert_true(delta.lower == 0 && delta.upper == 0 && delta.log_lower == -INFINITY &&
                    delta.log_upper == -INFINITY);
        assert_int_equal(dpn_listed_direction(&delta, &listed, side, nextafter(largest, 0), 1e-5, 0, 1e8, &why),
                         DPN_EACCURACY);
    }
    listed.list[0].lost = 1e-3; /* each step that loses mass counts, as often as it is taken */
    dpn_delta less, more;
    assert_int_equal(dpn_listed_direction(&more, &listed, 0, 0.2, 1, 0, 1e8, &why), DPN_OK);
    listed.list[0].lost = 0;
    assert_int_equal(dpn_listed_direction(&less, &listed, 0, 0.2, 1, 0, 1e8, &why), DPN_OK);
    assert_true(more.lower == less.lower && more.upper >= less.upper + 2e-3 * (1 - 1e-12) &&
                more.upper <= less.upper + 2e-3 * (1 + 1e-12) + 1e-15);
    listed.list[0].lost = 1e-3;
    assert_int_equal(dpn_listed_direction(&more, &listed, 0, 0.2, 1e-5, 0, 1e8, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the atoms that are not listed matter");
    assert_int_equal(dpn_listed_direction(&more, &listed, 0, 0.2, 1e-5, 0.9, 1e8, &why), DPN_OK); /* it is enough */
    dpn_listed_close(&listed);
    assert_true(listed.count == 0 && !listed.list);
    static const uint64_t times[] = {0, 1};
    for (int i = 0; i < 2; i++) {
        step[0].times = times[i];
        assert_int_equal(dpn_listed_open(&listed, step, 3, &why), DPN_EUNSUPPORTED);
        assert_string_equal(why.sentence, "one step alone has a closed profile");
        dpn_listed_close(&listed);
    }
    assert_int_equal(dpn_listed_open(&listed, NULL, 0, &why), DPN_EUNSUPPORTED);
    dpn_listed_close(&listed);
    part[1].loss = law_loss("laplace(scale=1)", 1);
    assert_int_equal(dpn_listed_open(&listed, step, 4, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "a step has other losses than atoms");
    dpn_listed_close(&listed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_atoms_are_one),   cmocka_unit_test(atoms_of_one_loss), cmocka_unit_test(atoms_of_steps),
        cmocka_unit_test(steps_without_a_list), cmocka_unit_test(lists_of_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
