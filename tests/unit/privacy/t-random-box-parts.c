/* The parts of a random box's loss: sizes, the transform of a coordinate, moments and bounds, each against its definition by sums over the line. */
#include "privacy/loss/random-box.c" /* to see each part */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool near(double x, double y, double relative) {
    return fabs(x - y) <= relative * fmax(fabs(x), fabs(y));
}

/* ---- the definition ---- */

/* log of Z_i(s), the integral of e^(-beta y^2/2s) over [-s, s], but for a constant factor. */
static long double log_size_mass(double alpha, const double *c, const double *beta, size_t count, size_t j) {
    long double sum = -(long double)alpha * j;
    for (size_t i = 0; i < count; i++) {
        long double s = (long double)c[i] + j;
        sum += 0.5L * logl(s) + logl(erfl(sqrtl(0.5L * beta[i] * s)));
    }
    return sum;
}

/* E f over y with the density proportional to e^(-beta y^2/2s) on [-s, s], by Simpson; f = l or e^(z l), l the loss of a coordinate. */
static double complex coordinate(double s, double beta, double complex z, bool plain) {
    enum { CELLS = 2000 };
    double complex sum = 0;
    double mass = 0;
    for (int i = 0; i <= CELLS; i++) {
        double y = s * (2.0 * i / CELLS - 1), weight = (i == 0 || i == CELLS ? 1
                                                        : i % 2              ? 4
                                                                             : 2) *
                                                       exp(-beta * y * y / (2 * s));
        double l = beta * (y - 1) * (y - 1) / (2 * (s + 1)) - beta * y * y / (2 * s);
        sum += weight * (plain ? l : cexp(z * l));
        mass += weight;
    }
    return sum / mass;
}

enum { MOST_SIDES = 6 };
typedef struct box {
    double alpha, c[MOST_SIDES], beta[MOST_SIDES];
    size_t count;
    dpn_box_sizes z;
} box;

static void box_make(box *out, draw_source *source, int trial, double log_rest) {
    out->alpha = draw_uniform(source, 0.2, 1.5);
    out->count = 1 + (size_t)trial % MOST_SIDES;
    for (size_t i = 0; i < out->count; i++) {
        bool same = i > 0 && i % 3 != 0;
        out->c[i] = same ? out->c[i - 1] : draw_uniform(source, 0.5, 4);
        out->beta[i] = same ? out->beta[i - 1] : draw_log_uniform(source, 0.01, 1);
    }
    assert_int_equal(dpn_box_sizes_make(&out->z, out->alpha, out->c, out->beta, 0, out->count, log_rest, NULL), DPN_OK);
}

/* ---- sizes ---- */

static void sizes_end_where_little_is_left(void **state) {
    (void)state;
    draw_source source = {181};
    for (int trial = 0; trial < 40; trial++) {
        box b;
        double goal = -draw_uniform(&source, 5, 60);
        box_make(&b, &source, trial, goal);
        long double top = -INFINITY, all = 0, left = 0, before = 0, largest = b.alpha;
        for (size_t j = 0; j < 2000; j++) top = fmaxl(top, log_size_mass(b.alpha, b.c, b.beta, b.count, j));
        for (size_t j = 0; j < 2000; j++) {
            long double mass = expl(log_size_mass(b.alpha, b.c, b.beta, b.count, j) - top);
            *(j < b.z.sizes ? &all : &left) += mass;
            if (j + 1 >= b.z.sizes) before += mass;
        }
        for (size_t i = 0; i < b.count; i++) largest += 0.5L * b.beta[i];
        assert_true(near(b.z.largest, (double)largest, 1e-13) && b.z.alpha == b.alpha);
        assert_true(near(b.z.log_total, (double)(top + logl(all)), 1e-12));
        for (size_t j = 0; j < b.z.sizes; j++)
            assert_true(fabsl(b.z.log_weight[j] - (log_size_mass(b.alpha, b.c, b.beta, b.count, j) - top - logl(all))) <
                        1e-11L);
        if (!(b.z.log_rest >= logl(left / all) && b.z.log_rest <= logl(left / all) + 0.7L && logl(left) <= goal))
            fail_msg("%Lg is left, bound e^%g", left / all, b.z.log_rest);
        assert_true(logl(before) > goal - 1); /* one size less would not do */
        /* Neighbours that are alike are one group. */
        size_t groups = 0;
        double times = 0;
        for (size_t i = 0; i < b.count; i++) groups += i == 0 || b.c[i] != b.c[i - 1] || b.beta[i] != b.beta[i - 1];
        for (size_t g = 0; g < b.z.groups; g++) times += b.z.group[g].times;
        assert_true(b.z.groups == groups && times == (double)b.count);
        dpn_box_sizes_free(&b.z);
        assert_true(!b.z.group && !b.z.log_weight && b.z.sizes == 0);
    }
    dpn_box_sizes z, w, only_c, only_beta;
    const double ones[] = {1, 1, 1}, betas[] = {0.25, 0.25, 0.25};
    assert_int_equal(dpn_box_sizes_make(&z, 0.5, NULL, NULL, 0.25, 3, -40, NULL), DPN_OK);
    assert_int_equal(dpn_box_sizes_make(&w, 0.5, ones, betas, 9, 3, -40, NULL), DPN_OK);
    assert_int_equal(dpn_box_sizes_make(&only_c, 0.5, ones, NULL, 0.25, 3, -40, NULL), DPN_OK);
    assert_int_equal(dpn_box_sizes_make(&only_beta, 0.5, NULL, betas, 9, 3, -40, NULL), DPN_OK);
    const dpn_box_sizes *others[] = {&w, &only_c, &only_beta};
    for (int k = 0; k < 3; k++) {
        assert_true(others[k]->groups == 1 && others[k]->group[0].c == 1 && others[k]->group[0].beta == 0.25 &&
                    others[k]->group[0].times == 3);
        assert_true(others[k]->sizes == z.sizes && others[k]->largest == z.largest && z.largest == 0.875);
        for (size_t j = 0; j < z.sizes; j++) assert_true(others[k]->log_weight[j] == z.log_weight[j]);
    }
    assert_true(z.groups == 1 && z.group[0].times == 3 && z.group[0].c == 1 && z.group[0].beta == 0.25);
    dpn_box_sizes_free(&z);
    dpn_box_sizes_free(&w);
    dpn_box_sizes_free(&only_c);
    dpn_box_sizes_free(&only_beta);
    dpn_error why = {0};
    z = (dpn_box_sizes){.alpha = 77};
    assert_int_equal(dpn_box_sizes_make(&z, 1e-6, NULL, NULL, 1e-3, 1, -40, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the sizes of a random box are too many");
    assert_true(z.alpha == 77 && !z.group);
}

static void rests_of_weights(void **state) {
    (void)state;
    draw_source source = {182};
    for (int trial = 0; trial < 30; trial++) {
        box b;
        box_make(&b, &source, trial, -300);
        long double beyond = 0;
        for (size_t j = b.z.sizes; j-- > 1;) {
            double bound = log_weight_beyond(&b.z, j);
            if (j < b.z.sizes - 100) {
                double fall = b.z.log_weight[j] - b.z.log_weight[j - 1];
                if (fall >= 0)
                    assert_true(bound == INFINITY);
                else if (!(bound >= logl(beyond) - 1e-9L && (fall > -0.1 || bound <= logl(beyond) + 2)))
                    fail_msg("beyond %zu: e^%Lg, bound e^%g", j, logl(beyond), bound);
                /* As a geometric series from the last fall. */
                if (fall < 0) assert_true(near(exp(bound - b.z.log_weight[j]), 1 / (exp(-fall) - 1), 1e-9));
            }
            beyond += expl(b.z.log_weight[j]);
        }
        assert_true(log_weight_beyond(&b.z, 0) == INFINITY);
        dpn_box_sizes_free(&b.z);
    }
}

/* ---- the transform of a coordinate and of the whole ---- */

static void coordinates_are_integrals(void **state) {
    (void)state;
    draw_source source = {183};
    for (int trial = 0; trial < 120; trial++) {
        dpn_box_group group = {draw_uniform(&source, 0.3, 3), draw_log_uniform(&source, 0.01, 2), 1};
        double j = trial % 9, theta = draw_log_uniform(&source, 0.05, 8), omega = draw_log_uniform(&source, 0.01, 40),
               s = group.c + j;
        place p = place_of(&group, j, theta);
        double complex real = coordinate(s, group.beta, theta, false),
                       all = coordinate(s, group.beta, theta + I * omega, false);
        assert_true(p.s == s && near(p.q, 0.5 * group.beta * s, 1e-15) && near(p.k, (s + 1) / (s + 1 + theta), 1e-15));
        if (!(fabs(log_factor(&group, &p, theta) - log(creal(real))) < 1e-9))
            fail_msg("%.12g, not %.12g", log_factor(&group, &p, theta), log(creal(real)));
        if (!(cabs(one_quotient(&group, &p, theta, omega) - all / real) < 1e-8))
            fail_msg("theta %g, omega %g", theta, omega);
        double complex x = draw_uniform(&source, -0.7, 0.7) + I * draw_uniform(&source, -0.7, 0.7), product = 1;
        for (int n = 0; n < 12; n++, product *= x) assert_true(cabs(whole_power(x, n) - product) < 1e-14);
    }
    for (double q = 1e-6; q < 40; q *= 1.7) {
        long double square = 0, mass = 0;
        for (int i = 0; i < 20000; i++) {
            long double t = (i + 0.5L) / 20000;
            square += t * t * expl(-q * t * t);
            mass += expl(-q * t * t);
        }
        assert_true(fabsl(dpn_cut_gaussian_square(q) - square / mass) < 1e-8L * fminl(1, 1 / q));
    }
}

static void moments_and_quotients_are_sums(void **state) {
    (void)state;
    draw_source source = {184};
    for (int trial = 0; trial < 6; trial++) {
        box b;
        box_make(&b, &source, trial, -40);
        double theta = draw_log_uniform(&source, 0.1, 6), omega = draw_log_uniform(&source, 0.1, 8), moment, size,
               sizes = 0, mean = 0, logs[400];
        double complex sum = 0, tilted = 0;
        size_t few = b.z.sizes < 60 ? b.z.sizes : 60;
        for (size_t j = 0; j < few; j++) {
            double complex plain = exp(b.z.log_weight[j]), turned = plain;
            double given = b.alpha;
            for (size_t i = 0; i < b.count; i++) {
                double s = b.c[i] + (double)j;
                plain *= coordinate(s, b.beta[i], theta, false);
                turned *= coordinate(s, b.beta[i], theta + I * omega, false);
                given += creal(coordinate(s, b.beta[i], 0, true));
            }
            logs[j] = log(creal(plain));
            sum += plain;
            tilted += turned;
            sizes += cabs(turned);
            mean += exp(b.z.log_weight[j]) * given;
        }
        double *term = malloc(b.z.sizes * sizeof *term);
        assert_non_null(term);
        double whole = fill_terms(term, &b.z, theta), truth = theta * b.alpha + log(creal(sum));
        for (size_t j = 0; j < few; j++) assert_true(fabs(term[j] - logs[j]) < 1e-8);
        free(term);
        assert_true(fabs(whole - truth) < 1e-8 && fabs(dpn_box_log_moment(&b.z, theta) - truth) < 1e-8 &&
                    fabs(whole - dpn_box_log_moment(&b.z, theta)) < 1e-12);
        assert_true(fabs(mean_loss(&b.z) - mean) < 1e-8);
        line l;
        assert_int_equal(line_make(&l, &b.z, theta, 1e-9, &moment), DPN_OK);
        double complex got = quotient(&size, &l, omega), expected = tilted / sum * cexp(I * (omega * b.alpha));
        assert_true(fabs(moment - truth) < 1e-8 && cabs(got - expected) < 1e-8 && near(size, sizes / creal(sum), 1e-7));
        free(l.share);
        free(l.place);
        dpn_box_sizes_free(&b.z);
    }
}

/* Sizes are left out at both ends, as long as their shares are below a thousandth of the accuracy over the number of sizes. */
static void small_shares_are_left_out(void **state) {
    (void)state;
    draw_source source = {185};
    size_t front = 0, back = 0;
    for (int trial = 0; trial < 40; trial++) {
        dpn_box_sizes z;
        size_t count = trial % 2 ? 300 : 3;
        assert_int_equal(
            dpn_box_sizes_make(&z, trial % 2 ? 2 : 0.5, NULL, NULL, trial % 2 ? 0.3 : 0.1, count, -60, NULL), DPN_OK);
        double theta = draw_log_uniform(&source, 0.1, 5), accuracy = draw_log_uniform(&source, 1e-9, 1e-2), moment,
               left = 0;
        line l;
        assert_int_equal(line_make(&l, &z, theta, accuracy, &moment), DPN_OK);
        double limit = 1e-3 * accuracy / (double)z.sizes, unit = moment - theta * z.alpha;
        assert_true(l.z == &z && l.theta == theta && l.first < l.last && l.last <= z.sizes);
        for (size_t j = 0; j < z.sizes; j++) {
            double share = exp(log_term(&z, j, theta) - unit);
            if (j < l.first || j >= l.last) {
                assert_true(share < limit * (1 + 1e-9));
                left += share;
            } else {
                assert_true(near(l.share[j - l.first], share, 1e-9));
                place p = place_of(&z.group[0], (double)j, theta);
                const place *got = &l.place[j - l.first];
                assert_true(got->s == p.s && got->k == p.k && got->both == p.both && got->inverse == p.inverse &&
                            got->root_q == p.root_q);
                if (j == l.first || j + 1 == l.last) assert_true(share >= limit * (1 - 1e-9));
            }
        }
        assert_true(near(l.left, left, 1e-9));
        front += l.first > 0;
        back += l.last < z.sizes;
        free(l.share);
        free(l.place);
        dpn_box_sizes_free(&z);
    }
    assert_true(front > 5 && back > 20);
}

/* The bound of section 3 of the proof, at the complex point itself. */
static void decay_is_that_of_the_proof(void **state) {
    (void)state;
    draw_source source = {186};
    for (int trial = 0; trial < 40; trial++) {
        box b;
        box_make(&b, &source, trial, -40);
        double theta = draw_log_uniform(&source, 0.05, 20), moment;
        line l;
        assert_int_equal(line_make(&l, &b.z, theta, 1e-6, &moment), DPN_OK);
        for (double omega = 0.3; omega < 1e5; omega *= 7) {
            double sum = 0, n = 1 + trial % 3;
            for (size_t j = l.first; j < l.last; j++) {
                double product = l.share[j - l.first];
                for (size_t i = 0; i < b.count; i++) {
                    double s = b.c[i] + (double)j, q = 0.5 * b.beta[i] * s, real = (s + 1) / (s + 1 + theta);
                    double complex k = (s + 1) / (s + 1 + theta + I * omega), a2 = csqrt(q * k);
                    /* Re a_1^2 is at least 4 q theta/(s + 1), |a_1| at least (q/|k|)^(1/2) (2 - |k|). */
                    double first =
                               1 + exp(-4 * q * theta / (s + 1)) / (sqrt(DPN_PI) * sqrt(q / cabs(k)) * (2 - cabs(k))),
                           second = 2 * cabs(a2) / sqrt(DPN_PI);
                    double own = erf(sqrt(q / real) * (2 - real)) + erf(sqrt(q * real));
                    product *= sqrt((s + 1 + theta) / omega) * exp(q * (creal(k) - real)) *
                               (fmin(2, first) + fmin(2, second)) / own;
                }
                sum += product;
            }
            double got = log_decay(&l, omega);
            if (!(fabs(got - log(sum)) < 1e-9 * (1 + fabs(got))))
                fail_msg("from %g on: %.12g, not %.12g", omega, got, log(sum));
            /* |M|^n falls as w^(-count n/2), and 1/|z (1 + z)| is at most 1/w^2. */
            double power = 0.5 * n * (double)b.count, integral = 0;
            for (double w = omega; w < 1e8 * omega; w *= 1.01)
                integral += pow(sqrt(1.01), -power - 1) * pow(omega / w, power) / w * 0.00995033;
            double beyond = integral_beyond(&l, n, omega) / exp(n * got);
            if (!(fabs(beyond / integral - 1) < 0.01 || got * n < -600))
                fail_msg("beyond %g: %g, not %g", omega, beyond, integral);
        }
        free(l.share);
        free(l.place);
        dpn_box_sizes_free(&b.z);
    }
}

static void the_saddle_is_the_least(void **state) {
    (void)state;
    draw_source source = {187};
    for (int trial = 0; trial < 12; trial++) {
        box b;
        box_make(&b, &source, trial, -60);
        double n = 1 + trial % 4, epsilon = n * draw_uniform(&source, 0.3, 0.95) * b.z.largest, least = INFINITY;
        for (double x = log(1e-3); x < log(1e4); x += 0.05) {
            double theta = exp(x),
                   value = n * dpn_box_log_moment(&b.z, theta) - theta * epsilon - log(theta * (1 + theta));
            least = fmin(least, value);
            assert_true(fabs(objective(&b.z, n, epsilon, x) - value) < 1e-9 * (1 + fabs(value)));
        }
        double at = saddle(&b.z, n, epsilon), got = objective(&b.z, n, epsilon, log(at));
        if (!(got <= least + 0.01 && got >= least - 0.02)) fail_msg("%.9g at %g, seen %.9g", got, at, least);
        dpn_box_sizes_free(&b.z);
    }
}

/* ---- the loss ---- */

static void largest_losses_are_rounded_up(void **state) {
    (void)state;
    draw_source source = {188};
    for (int trial = 0; trial < 300; trial++) {
        double beta[50], one = draw_log_uniform(&source, 0.01, 3), alpha = draw_uniform(&source, 0.1, 3);
        size_t count = 1 + (size_t)trial % 50;
        long double sum = alpha;
        for (size_t i = 0; i < count; i++) {
            beta[i] = draw_log_uniform(&source, 0.01, 3);
            sum += 0.5L * (trial % 2 ? beta[i] : one);
        }
        dpn_loss loss;
        assert_int_equal(dpn_loss_random_box(&loss, alpha, NULL, trial % 2 ? beta : NULL, one, count, NULL), DPN_OK);
        long double got = dpn_loss_kind_random_box.largest(&loss);
        assert_true(got >= sum && got <= sum * (1 + 2 * ((long double)count + 4) * DBL_EPSILON));
    }
}

static void intervals_of_moments(void **state) {
    (void)state;
    const double c[] = {1.5, 0.7, 0.7}, beta[] = {0.4, 0.9, 0.9};
    dpn_loss loss;
    assert_int_equal(dpn_loss_random_box(&loss, 0.6, c, beta, 0, 3, NULL), DPN_OK);
    double largest = dpn_loss_kind_random_box.largest(&loss), got[2];
    dpn_box_sizes z;
    for (double theta = 0; theta < 30; theta += 1.5) {
        assert_int_equal(dpn_loss_kind_random_box.cumulant(&got[0], &got[1], &loss, theta, NULL), DPN_OK);
        assert_int_equal(dpn_box_sizes_make(&z, 0.6, c, beta, 0, 3, -40 - theta * largest, NULL), DPN_OK);
        double value = theta == 0 ? mean_loss(&z) : dpn_box_log_moment(&z, theta), rest = exp(z.log_rest);
        double below =
            theta == 0 ? 1e-9 * value + (1e-13 + rest) * (largest + 3) : 1e-12 * 11 + 1e-13 * theta * largest + rest;
        double above =
            theta == 0 ? below
                       : log(exp(value + 1e-12 * 11 + 1e-13 * theta * largest) + exp(theta * largest) * rest) - value;
        if (!(fabs(value - got[0] - below) < 1e-14 + 1e-3 * below + 4e-16 * value &&
              fabs(got[1] - value - above) < 1e-14 + 1e-3 * above + 4e-16 * value))
            fail_msg("theta %g: [%g, %g], not [%g, %g]", theta, got[0] - value, got[1] - value, -below, above);
        assert_true(got[0] >= 0 && (theta == 0 || got[1] <= theta * largest * (1 + 4 * DBL_EPSILON)));
        dpn_box_sizes_free(&z);
    }
    /* Beyond e^10000 by the largest loss. */
    double theta = 1.0001e4 / largest;
    assert_int_equal(dpn_loss_kind_random_box.cumulant(&got[0], &got[1], &loss, theta, NULL), DPN_OK);
    assert_true(got[0] == 0 && got[1] >= theta * largest && got[1] <= theta * largest * (1 + 8 * DBL_EPSILON));
    assert_int_equal(dpn_loss_kind_random_box.cumulant(&got[0], &got[1], &loss, 0.9999e4 / largest, NULL), DPN_OK);
    assert_true(got[0] > 9000);
}

static void what_is_refused(void **state) {
    (void)state;
    const double good[] = {1, 2}, zero[] = {1, 0x1p-60}, high[] = {0x1p10, 1}, least_c[] = {1, 0x1p-40},
                 most_c[] = {0x1p40, 1}, within[] = {0x1.1p-40, 0x1.fp39}, near_ends[] = {0x1.1p-60, 0x1.fp9};
    const struct {
        double alpha;
        const double *start, *beta;
        double one;
        size_t count;
        const char *sentence;
    } rows[] = {{1e-3, NULL, NULL, 1, 2, "alpha of a random box must lie between 0.001 and 1024"},
                {0x1p10, NULL, NULL, 1, 2, "alpha of a random box must lie between 0.001 and 1024"},
                {NAN, NULL, NULL, 1, 2, "alpha of a random box must lie between 0.001 and 1024"},
                {1, NULL, NULL, 1, 0, "a random box has at least one coordinate"},
                {1, NULL, NULL, 0x1p-60, 2, "beta of a random box must lie between 2^-60 and 2^10"},
                {1, NULL, NULL, 0x1p10, 2, "beta of a random box must lie between 2^-60 and 2^10"},
                {1, NULL, zero, 1, 2, "beta of a random box must lie between 2^-60 and 2^10"},
                {1, NULL, high, 1, 2, "beta of a random box must lie between 2^-60 and 2^10"},
                {1, least_c, NULL, 1, 2, "c of a random box must lie between 2^-40 and 2^40"},
                {1, most_c, good, 1, 2, "c of a random box must lie between 2^-40 and 2^40"},
                {1.1e-3, NULL, NULL, 1, 2, NULL},
                {0x1.fp9, within, near_ends, 0, 2, NULL},
                {1, least_c, zero, 1, 1, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_loss loss = {.epsilon = 77};
        dpn_error why = {0};
        dpn_status status =
            dpn_loss_random_box(&loss, rows[i].alpha, rows[i].start, rows[i].beta, rows[i].one, rows[i].count, &why);
        assert_int_equal(status, rows[i].sentence ? DPN_EDOMAIN : DPN_OK);
        if (rows[i].sentence) {
            assert_string_equal(why.sentence, rows[i].sentence);
            assert_true(loss.epsilon == 77 && !loss.kind);
        } else {
            assert_true(loss.kind == &dpn_loss_kind_random_box && loss.epsilon == rows[i].alpha &&
                        loss.value == rows[i].start && loss.probability == rows[i].beta &&
                        loss.sensitivity == rows[i].one && loss.count == rows[i].count);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_end_where_little_is_left), cmocka_unit_test(rests_of_weights),
        cmocka_unit_test(coordinates_are_integrals),      cmocka_unit_test(moments_and_quotients_are_sums),
        cmocka_unit_test(small_shares_are_left_out),      cmocka_unit_test(decay_is_that_of_the_proof),
        cmocka_unit_test(the_saddle_is_the_least),        cmocka_unit_test(largest_losses_are_rounded_up),
        cmocka_unit_test(intervals_of_moments),           cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
