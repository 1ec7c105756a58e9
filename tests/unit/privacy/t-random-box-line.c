/* The transform of a random box: what bounds it far out, and what the sum along a line leaves out, held against the transform itself. */
#include "privacy/loss/random-box.c" /* to see each bound */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST_SIDES = 8 };

typedef struct box {
    double alpha, c[MOST_SIDES], beta[MOST_SIDES];
    size_t count;
    dpn_box_sizes z;
} box;

static void box_make(box *out, draw_source *source, int trial) {
    out->alpha = draw_uniform(source, 0.2, 1.5);
    out->count = 4 + (size_t)trial % (MOST_SIDES - 3);
    for (size_t i = 0; i < out->count; i++) {
        bool same = i > 0 && i % 3 != 0;
        out->c[i] = same ? out->c[i - 1] : draw_uniform(source, 0.5, 4);
        out->beta[i] = same ? out->beta[i - 1] : draw_log_uniform(source, 0.01, 0.5);
    }
    dpn_error why;
    if (dpn_box_sizes_make(&out->z, out->alpha, out->c, out->beta, 0, out->count, -60, &why))
        fail_msg("%s", why.sentence);
}

static void weights_and_shares(void **state) {
    (void)state;
    draw_source source = {61};
    for (int trial = 0; trial < 20; trial++) {
        box b;
        box_make(&b, &source, trial);
        double sum = 0, total = 0;
        for (size_t j = b.z.sizes; j-- > 1;) { /* what lies beyond each, added up from the end */
            double beyond = log_weight_beyond(&b.z, j);
            if (!(beyond >= log(sum) - 1e-9)) fail_msg("beyond %zu: %g, bound %g", j, log(sum), beyond);
            sum += exp(b.z.log_weight[j]);
        }
        for (size_t j = 0; j < b.z.sizes; j++) total += exp(b.z.log_weight[j]);
        assert_true(fabs(total - 1) < 1e-9);
        for (size_t j = 1; j < b.z.sizes; j++) { /* the law itself: e^(-alpha J) times the product of Z_i(c_i + J) */
            double ratio = -b.alpha;
            for (size_t i = 0; i < b.count; i++) {
                double s = b.c[i] + (double)j;
                ratio +=
                    0.5 * log(s / (s - 1)) + log(erf(sqrt(0.5 * b.beta[i] * s)) / erf(sqrt(0.5 * b.beta[i] * (s - 1))));
            }
            assert_true(fabs(b.z.log_weight[j] - b.z.log_weight[j - 1] - ratio) < 1e-9);
        }
        double theta = draw_log_uniform(&source, 0.3, 20), log_moment, shares = 0;
        line l;
        assert_int_equal(line_make(&l, &b.z, theta, 1e-4, &log_moment), DPN_OK);
        for (size_t j = l.first; j < l.last; j++) shares += l.share[j - l.first];
        assert_true(fabs(shares + l.left - 1) < 1e-9 && l.left < 1e-7);
        assert_true(fabs(log_moment - dpn_box_log_moment(&b.z, theta)) < 1e-9);
        free(l.share);
        free(l.place);
        dpn_box_sizes_free(&b.z);
    }
}

static void the_transform_falls_as_is_claimed(void **state) {
    (void)state;
    draw_source source = {62};
    for (int trial = 0; trial < 5; trial++) {
        box b;
        box_make(&b, &source, trial);
        double theta = draw_log_uniform(&source, 0.3, 20), log_moment, half = 0.5 * (double)b.count;
        line l;
        assert_int_equal(line_make(&l, &b.z, theta, 1e-6, &log_moment), DPN_OK);
        for (double omega = 0.5; omega < 3e4; omega *= 5) {
            double bound = log_decay(&l, omega), size;
            for (double further = 1; further < 40; further *= 2) {
                quotient(&size, &l, omega * further);
                double least = log(size) + half * log(further);
                if (!(bound >= least - 1e-6))
                    fail_msg("theta %g, omega %g by %g: %g, bound %g", theta, omega, further, least, bound);
            }
            quotient(&size, &l, omega);
            if (omega > 2000) assert_true(bound <= log(size) + 0.5 * (double)b.count + 1);
            double n = 1 + trial % 3, sum = 0, w = omega;
            for (int i = 0; i < 30; i++, w *= 1.1) { /* from below: each step at its far end */
                quotient(&size, &l, 1.1 * w);
                double complex at = theta + I * (1.1 * w);
                sum += pow(size, n) / cabs(at * (1 + at)) * 0.1 * w;
            }
            if (!(integral_beyond(&l, n, omega) >= sum)) fail_msg("beyond %g: %g", omega, sum);
        }
        double size;
        double complex here = quotient(&size, &l, 0);
        assert_true(cabs(here - (1 - l.left)) < 1e-9 && fabs(size - (1 - l.left)) < 1e-9);
        free(l.share);
        free(l.place);
        dpn_box_sizes_free(&b.z);
    }
}

/* The sum is the same along every line, but for its error. */
static void lines_agree(void **state) {
    (void)state;
    draw_source source = {63};
    for (int trial = 0; trial < 6; trial++) {
        box b;
        box_make(&b, &source, trial);
        double n = 1 + trial % 4, epsilon = n * draw_uniform(&source, 0.3, 0.9) * b.z.alpha,
               theta = saddle(&b.z, n, epsilon);
        dpn_delta best, other;
        dpn_error why;
        if (by_line(&best, &b.z, n, epsilon, theta, 1e-9, &why)) fail_msg("%s", why.sentence);
        assert_true(best.log_upper - best.log_lower < 1e-7);
        for (int i = 0; i < 4; i++) {
            static const double by[] = {0.6, 0.8, 1.25, 1.6};
            if (by_line(&other, &b.z, n, epsilon, by[i] * theta, i % 2 ? 1e-3 : 1e-6, &why)) continue;
            if (!(other.log_lower <= best.log_upper && best.log_lower <= other.log_upper))
                fail_msg("theta %g: %.12g to %.12g, by %g: %.12g to %.12g", theta, best.log_lower, best.log_upper,
                         by[i], other.log_lower, other.log_upper);
            assert_true(other.log_upper - other.log_lower < (i % 2 ? 1e-2 : 1e-5));
        }
        dpn_box_sizes_free(&b.z);
    }
}

/* The integral of the sizes' absolute contributions, which are what the bound is about, in steps of a part of w up to 10^4 omega. */
static double integral(const line *l, double n, double omega) {
    const double ratio = 1.01;
    double sum = 0;
    for (double w = omega; w < 1e4 * omega; w *= ratio) {
        double size, middle = w * sqrt(ratio);
        double complex z = l->theta + I * middle;
        quotient(&size, l, middle);
        sum += pow(size, n) / cabs(z * (1 + z)) * (ratio - 1) * w;
    }
    return sum;
}

static void the_rest_of_a_line_is_bounded(void **state) {
    (void)state;
    const double counts[] = {1, 2, 5}, releases[] = {1, 3};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            for (double omega = 10; omega < 1e6; omega *= 30) {
                dpn_box_sizes sizes;
                line l;
                double log_moment, n = releases[j];
                assert_int_equal(dpn_box_sizes_make(&sizes, 0.7, NULL, NULL, 0.3, (size_t)counts[i], -40, NULL),
                                 DPN_OK);
                assert_int_equal(line_make(&l, &sizes, 3, 1e-6, &log_moment), DPN_OK);
                double bound = integral_beyond(&l, n, omega), truth = integral(&l, n, omega);
                if (!(truth <= bound * (1 + 1e-5)))
                    fail_msg("%g coordinates, %g times, from %g: %g above %g", counts[i], n, omega, truth, bound);
                if (omega > 1e5 && !(bound <= 1.1 * truth)) /* far out it is the leading term */
                    fail_msg("%g coordinates, %g times, from %g: %g for %g", counts[i], n, omega, bound, truth);
                free(l.share);
                free(l.place);
                dpn_box_sizes_free(&sizes);
            }
}

/* Interleaved coordinates are the same box: as many groups as there are different ones, and the same delta but for the order of the sums. */
static void the_order_of_coordinates_does_not_matter(void **state) {
    (void)state;
    static const double sorted_c[] = {1, 1, 1, 2, 2, 2}, mixed_c[] = {1, 2, 2, 1, 2, 1};
    static const double sorted_beta[] = {0.1, 0.1, 0.3, 0.3, 0.3, 0.2}, mixed_beta[] = {0.1, 0.3, 0.2, 0.3, 0.3, 0.1};
    dpn_box_sizes sorted, mixed;
    dpn_loss one, other;
    dpn_delta first, second;
    assert_int_equal(dpn_box_sizes_make(&sorted, 0.7, sorted_c, sorted_beta, 0, 6, -60, NULL), DPN_OK);
    assert_int_equal(dpn_box_sizes_make(&mixed, 0.7, mixed_c, mixed_beta, 0, 6, -60, NULL), DPN_OK);
    assert_true(sorted.groups == 4 && mixed.groups == 4);
    for (double theta = 0.1; theta < 100; theta *= 3)
        assert_true(fabs(dpn_box_log_moment(&sorted, theta) - dpn_box_log_moment(&mixed, theta)) < 1e-12 * (1 + theta));
    dpn_box_sizes_free(&sorted);
    dpn_box_sizes_free(&mixed);
    assert_int_equal(dpn_loss_random_box(&one, 0.7, sorted_c, sorted_beta, 0, 6, NULL), DPN_OK);
    assert_int_equal(dpn_loss_random_box(&other, 0.7, mixed_c, mixed_beta, 0, 6, NULL), DPN_OK);
    assert_int_equal(one.kind->repeated(&first, &one, 2, 0.8, 1e-7, NULL), DPN_OK);
    assert_int_equal(other.kind->repeated(&second, &other, 2, 0.8, 1e-7, NULL), DPN_OK);
    assert_true(fabs(first.log_upper - second.log_upper) < 1e-11);
    assert_true(fabs(first.log_lower - second.log_lower) < 1e-11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_coordinates_does_not_matter),
        cmocka_unit_test(weights_and_shares),
        cmocka_unit_test(the_transform_falls_as_is_claimed),
        cmocka_unit_test(lines_agree),
        cmocka_unit_test(the_rest_of_a_line_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
