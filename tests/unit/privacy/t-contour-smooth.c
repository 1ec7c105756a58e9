/* The contour sum for atoms on no lattice, and sampled steps that have such losses, against all outcomes added up. */
#include "privacy/compose/contour.h"
#include "slow.h"

#include <dpnoise/sampling.h>
#include <setjmp.h> /* cmocka needs these four */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* Numbers between 0 and 1 from a fixed seed. */
static uint64_t state_of_draws = 42;

static double draw(void) {
    state_of_draws = state_of_draws * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of_draws >> 11) * 0x1p-53;
}

typedef struct list {
    size_t count;
    double value[MOST], probability[MOST];
} list;

/* The loss of a random pair of distributions on `count` points, Q-masses at most 1 in all. */
static void draw_list(list *out, size_t count) {
    double p[MOST], q[MOST], all_p = 0, all_q = 0;
    out->count = count;
    for (size_t i = 0; i < count; i++) {
        p[i] = 0.05 + draw();
        q[i] = 0.05 + draw();
        all_p += p[i];
        all_q += q[i];
    }
    for (size_t i = 0; i < count; i++) { /* in the order of the losses, by insertion */
        double value = log(p[i] / all_p / (q[i] / all_q)), mass = p[i] / all_p;
        size_t place = i;
        for (; place > 0 && out->value[place - 1] > value; place--) {
            out->value[place] = out->value[place - 1];
            out->probability[place] = out->probability[place - 1];
        }
        out->value[place] = value;
        out->probability[place] = mass;
    }
}

static dpn_part part_of(const list *from, uint64_t times) {
    dpn_part part = {.times = times};
    dpn_error why;
    if (dpn_loss_explicit(&part.loss, from->value, from->probability, from->count, &why)) fail_msg("%s", why.sentence);
    return part;
}

static void check(dpn_delta delta, slow_delta truth, double accuracy, double epsilon) {
    if (!(delta.log_lower <= truth.log_upper && truth.log_lower <= delta.log_upper))
        fail_msg("epsilon %g: [%.17g, %.17g] without [%.17g, %.17g]", epsilon, delta.log_lower, delta.log_upper,
                 truth.log_lower, truth.log_upper);
    if (delta.log_upper > -INFINITY && !(delta.log_upper - delta.log_lower <= log1p(accuracy)))
        fail_msg("epsilon %g: wider than %g: %g", epsilon, accuracy, delta.log_upper - delta.log_lower);
}

/* Two lists, from the middle of the losses, where 1 - delta is summed, to next to the largest; in both directions. */
static void lists_agree_with_all_outcomes(void **state) {
    (void)state;
    static const double accuracy[] = {0.1, 1e-3, 1e-5};
    for (int round = 0; round < 30; round++) {
        list first, second;
        draw_list(&first, 3 + (size_t)round % 2);
        draw_list(&second, 3);
        dpn_part part[2] = {part_of(&first, 6), part_of(&second, 3 + (uint64_t)round % 4)};
        double largest = 6 * first.value[first.count - 1] + (double)part[1].times * second.value[second.count - 1];
        for (int k = -1; k < 10; k++) {
            double epsilon = 0.1 * k * largest, wanted = accuracy[(round + k + 1) % 3];
            dpn_delta delta;
            dpn_error why;
            if (dpn_contour_smooth_delta(&delta, part, NULL, 2, epsilon, wanted, 0, 1e10, &why))
                fail_msg("epsilon %g: %s", epsilon, why.sentence);
            check(delta, slow_atoms(part, 2, epsilon), wanted, epsilon);
            assert_int_equal(dpn_contour_delta(&delta, part, 2, epsilon, wanted, 0, 1e10, &why), DPN_EACCURACY);
        }
    }
}

/* Lists that err by no more than is said, in the worst direction, still hold the truth; those that err more do not. */
static void doubt_is_allowed_for(void **state) {
    (void)state;
    const dpn_doubt doubt = {.relative = 1e-6, .absolute = 1e-7, .mass = 1e-6};
    for (int round = 0; round < 12; round++) {
        list exact, moved;
        draw_list(&exact, 3);
        moved = exact;
        double sign = round % 2 ? 1 : -1, size = round < 8 ? 0.999 : 300;
        for (size_t i = 0; i < 3; i++)
            moved.value[i] += sign * size * (doubt.relative * fabs(exact.value[i]) + doubt.absolute);
        double shift =
            sign * 0.49 * doubt.mass; /* from the least to the largest, and relative to each less than is said */
        shift *= fmin(exact.probability[0], exact.probability[2]);
        moved.probability[2] += shift;
        moved.probability[0] -= shift;
        dpn_part truth = part_of(&exact, 12), part = {.loss = {0}, .times = 12};
        truth.times = 12;
        part.loss = truth.loss;
        part.loss.value = moved.value;
        part.loss.probability = moved.probability;
        double epsilon = 12 * 0.4 * exact.value[2];
        dpn_delta delta;
        dpn_error why;
        if (dpn_contour_smooth_delta(&delta, &part, &doubt, 1, epsilon, 0.01, 0, 1e10, &why))
            fail_msg("%s", why.sentence);
        slow_delta right = slow_atoms(&truth, 1, epsilon);
        bool holds = delta.log_lower <= right.log_upper && right.log_lower <= delta.log_upper;
        if (size < 1 && !holds) fail_msg("round %d: doubt is not allowed for", round);
        if (size < 1) assert_true(delta.log_upper - delta.log_lower > 1e-6);
        if (size > 1 && holds) assert_true(fabs(right.log_upper - delta.log_upper) < 0.01);
    }
}

/* What is said to be below enough is, and what is not has both ends. */
static void enough_is_an_upper_end(void **state) {
    (void)state;
    list one;
    draw_list(&one, 4);
    dpn_part part = part_of(&one, 8);
    for (int k = 1; k < 10; k++) {
        double epsilon = 0.1 * k * 8 * one.value[3];
        slow_delta truth = slow_atoms(&part, 1, epsilon);
        for (double log_enough = -20; log_enough < 0; log_enough++) {
            dpn_delta delta;
            dpn_error why;
            if (dpn_contour_smooth_delta(&delta, &part, NULL, 1, epsilon, 1e-3, exp(log_enough), 1e10, &why))
                fail_msg("%s", why.sentence);
            assert_true(truth.log_lower <= delta.log_upper && delta.log_lower <= truth.log_upper);
            if (delta.log_upper > log_enough + 1e-12) assert_true(delta.log_upper - delta.log_lower <= 1e-3);
        }
    }
}

/* ---- sampled steps ---- */

static long double psi_of(const char *family, long double k) {
    if (!strcmp(family, "discrete-gaussian")) return k * k / 2 / 0.64L; /* sigma = 0.8 */
    if (!strcmp(family, "discrete-laplace")) return fabsl(k) / 0.7L;
    return (k * k / 2 + 2 * fabsl(k)) / 2.25L; /* discrete-osgt, m = 2, sigma = 1.5 */
}

/* The sampled loss by definition: k from the pmf with its neighbour moved by `shift`. */
static void sampled_list(list *out, const char *family, int shift, long double rate, bool absent) {
    enum { END = 25 };
    long double total = 0, value[2 * END + 1], mass[2 * END + 1];
    for (int k = -END; k <= END; k++) total += expl(-psi_of(family, k));
    size_t count = 0;
    for (int k = -END; k <= END; k++) {
        long double q = expl(-psi_of(family, k)) / total, p = expl(-psi_of(family, k - shift)) / total;
        long double mixed = rate * p + (1 - rate) * q, loss = logl(mixed / q);
        size_t same = 0;
        if (q < 1e-22L && p < 1e-22L) continue;
        if (absent) loss = -loss;
        while (same < count && fabsl(value[same] - loss) > 1e-15L) same++;
        if (same == count) {
            value[count] = loss;
            mass[count++] = 0;
        }
        mass[same] += absent ? q : mixed;
    }
    out->count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t place = out->count++;
        for (; place > 0 && out->value[place - 1] > (double)value[i]; place--) {
            out->value[place] = out->value[place - 1];
            out->probability[place] = out->probability[place - 1];
        }
        out->value[place] = (double)value[i];
        out->probability[place] = (double)mass[i];
    }
}

static dpn_part law_part(const char *text, double shift) {
    dpn_law law;
    dpn_part part = {.times = 1};
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) || dpn_loss_law(&part.loss, &law, shift, &why)) fail_msg("%s", why.sentence);
    return part;
}

static const char *const texts[] = {"discrete-gaussian(sigma=0.8)", "discrete-laplace(scale=0.7)",
                                    "discrete-osgt(m=2,sigma=1.5)"};
static const char *const families[] = {"discrete-gaussian", "discrete-laplace", "discrete-osgt"};

static dpn_delta sampled_delta(dpn_workspace *workspace, const dpn_step *step, size_t steps, double epsilon,
                               dpn_method method, double accuracy) {
    dpn_accounting_options options = dpn_accounting_options_init();
    dpn_delta delta;
    dpn_error why;
    options.method = method;
    options.accuracy = accuracy;
    if (dpn_sampling_delta(&delta, workspace, step, steps, epsilon, &options, &why)) fail_msg("%s", why.sentence);
    return delta;
}

/* A few steps: the larger of both directions. */
static void few_steps_agree_with_all_outcomes(void **state) {
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (size_t i = 0; i < 3; i++)
        for (int shift = 1; shift < 3; shift++)
            for (double rate = 0.05; rate < 1; rate += 0.4) {
                dpn_part part = law_part(texts[i], shift);
                dpn_step step = {&part, 1, rate, 3};
                list from[2];
                double log_rate = log1p(rate * expm1(2));
                for (int absent = 0; absent < 2; absent++)
                    sampled_list(&from[absent], families[i], shift, rate, absent);
                for (double epsilon = 0; epsilon < 2.5 * log_rate; epsilon += 0.47 * log_rate) {
                    slow_delta truth[2];
                    for (int absent = 0; absent < 2; absent++) {
                        dpn_part atoms = part_of(&from[absent], 3);
                        truth[absent] = slow_atoms(&atoms, 1, epsilon);
                    }
                    slow_delta most = {fmax(truth[0].log_lower, truth[1].log_lower) - 1e-12,
                                       fmax(truth[0].log_upper, truth[1].log_upper) + 1e-12};
                    check(sampled_delta(workspace, &step, 1, epsilon, DPN_METHOD_CONTOUR, 1e-4), most, 1e-4, epsilon);
                }
            }
    dpn_workspace_free(workspace);
}

/* Many steps, with several losses each and of two kinds: the interval meets that of the FFT. */
static void many_steps_meet_the_fft(void **state) {
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    dpn_part part[3] = {law_part(texts[1], 1), law_part("discrete-laplace(scale=3)", 1),
                        law_part("discrete-gaussian(sigma=2)", 1)};
    dpn_step steps[2] = {{&part[0], 2, 0.02, 50}, {&part[2], 1, 0.1, 40}};
    for (double epsilon = 0.2; epsilon < 4; epsilon *= 2.2) {
        dpn_delta by[2];
        for (int i = 0; i < 2; i++)
            by[i] = sampled_delta(workspace, &steps[1], 1, epsilon, i ? DPN_METHOD_FFT : DPN_METHOD_CONTOUR, 1e-3);
        assert_true(by[0].lower <= by[1].upper && by[1].lower <= by[0].upper);
        assert_true(by[0].log_upper - by[0].log_lower <= 1e-3);
        dpn_delta both = sampled_delta(workspace, steps, 2, epsilon, DPN_METHOD_AUTO, 1e-4);
        assert_true(both.log_upper - both.log_lower <= 1e-4 && both.upper >= by[1].lower);
    }
    /* Two losses of a step are one list: the same as the list of their sums, sampled by hand. */
    double a = 1 / 0.7, b = 1.0 / 3, p = 1 / (1 + exp(-a)), r = 1 / (1 + exp(-b));
    double loss[4] = {-a - b, b - a, a - b, a + b}, mass[4] = {(1 - p) * (1 - r), (1 - p) * r, p * (1 - r), p * r},
           rate = 0.02;
    list from[2] = {{.count = 4}, {.count = 4}};
    for (size_t i = 0; i < 4; i++) {
        double q = mass[i] * exp(-loss[i]), mixed = rate * mass[i] + (1 - rate) * q, v = log(mixed / q);
        from[0].value[i] = v;
        from[0].probability[i] = mixed;
        from[1].value[3 - i] = -v;
        from[1].probability[3 - i] = q;
    }
    steps[0].times = 12;
    for (double epsilon = 0.01; epsilon < 0.4; epsilon *= 2) {
        slow_delta truth[2];
        for (int i = 0; i < 2; i++) {
            dpn_part atoms = part_of(&from[i], 12);
            truth[i] = slow_atoms(&atoms, 1, epsilon);
        }
        slow_delta most = {fmax(truth[0].log_lower, truth[1].log_lower) - 1e-11,
                           fmax(truth[0].log_upper, truth[1].log_upper) + 1e-11};
        check(sampled_delta(workspace, &steps[0], 1, epsilon, DPN_METHOD_CONTOUR, 1e-5), most, 1e-5, epsilon);
    }
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_agree_with_all_outcomes), cmocka_unit_test(doubt_is_allowed_for),
        cmocka_unit_test(enough_is_an_upper_end),        cmocka_unit_test(few_steps_agree_with_all_outcomes),
        cmocka_unit_test(many_steps_meet_the_fft),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
