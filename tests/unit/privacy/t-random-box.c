/* Random boxes: the profile of the pair against sums over lattices of the plain definition, moments, compositions, and the marginal noise
 * itself, drawn here. */
#include "case.h"

#include "privacy/compose/compose.h"
#include "privacy/loss/random-box.h"

#include <dpnoise/renyi.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- the definition: masses of the loss on a lattice, coordinate by coordinate ----
 * Given the size, each coordinate has the loss beta (y - 1)^2/2(s + 1) - beta y^2/2s, y normal of variance s/beta cut to [-s, s]. The line
 * of y is cut into cells; the loss of a cell is between its values at the ends, rounded to a lattice both ways, and coordinates are
 * convolved. */
enum { POINTS = 800, CELLS = 4000 };
#define STEP 0.004

static double gaussian_mass(double s, double beta, double a, double b) {
    double scale = sqrt(beta / (2 * s));
    return 0.5 * (erf(scale * b) - erf(scale * a)) / erf(scale * s);
}

static double loss_of(double s, double beta, double y) {
    return beta * (y - 1) * (y - 1) / (2 * (s + 1)) - beta * y * y / (2 * s);
}

static void coordinate(double *mass, double s, double beta, bool up) {
    for (int i = 0; i < POINTS; i++) mass[i] = 0;
    for (int k = 0; k < CELLS; k++) {
        double a = -s + 2 * s * k / CELLS, b = -s + 2 * s * (k + 1) / CELLS;
        double value =
            up ? fmax(loss_of(s, beta, a), loss_of(s, beta, b)) : fmin(loss_of(s, beta, a), loss_of(s, beta, b));
        int at = (int)(up ? ceil(value / STEP) : floor(value / STEP)) + POINTS / 2;
        assert_true(at >= 0 && at < POINTS);
        mass[at] += gaussian_mass(s, beta, a, b);
    }
}

static void convolve(double *sum, const double *one) {
    static double out[POINTS];
    for (int i = 0; i < POINTS; i++) out[i] = 0;
    for (int i = 0; i < POINTS; i++) {
        if (sum[i] == 0) continue;
        for (int k = 0; k < POINTS; k++) {
            if (one[k] == 0) continue;
            int at = i + k - POINTS / 2;
            assert_true(at < POINTS);
            out[at < 0 ? 0 : at] += sum[i] * one[k];
        }
    }
    for (int i = 0; i < POINTS; i++) sum[i] = out[i];
}

/* delta by the definition, rounded up or down, for coordinates with these sides and betas. */
static double by_definition(double alpha, const double *c, const double *beta, size_t count, double epsilon, bool up) {
    static double sum[POINTS], one[POINTS];
    double delta = 0, total = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < 60; j++) {
            double log_weight = -alpha * j;
            for (size_t i = 0; i < count; i++) {
                double s = c[i] + j;
                log_weight += 0.5 * log(s) + log(erf(sqrt(0.5 * beta[i] * s)));
            }
            double weight = exp(log_weight);
            if (pass == 0) {
                total += weight;
                continue;
            }
            if (weight < 1e-7 * total) continue;
            for (int i = 0; i < POINTS; i++) sum[i] = i == POINTS / 2;
            for (size_t i = 0; i < count; i++) {
                coordinate(one, c[i] + j, beta[i], up);
                convolve(sum, one);
            }
            for (int i = 0; i < POINTS; i++) {
                double above = alpha + STEP * (i - POINTS / 2) - epsilon;
                if (above > 0) delta += weight / total * sum[i] * -expm1(-above);
            }
        }
    return delta;
}

static void it_is_the_definition(void **state) {
    (void)state;
    const double c[] = {1, 0.6}, beta[] = {0.8, 0.5};
    for (int i = 0; i < 2; i++) {
        double epsilon = i ? 0.9 : 0.6, alpha = 0.7;
        dpn_loss loss;
        dpn_delta got;
        assert_int_equal(dpn_loss_random_box(&loss, alpha, c, beta, 0, 2, NULL), DPN_OK);
        assert_int_equal(dpn_compose_delta(&got, NULL, &(dpn_part){loss, 1}, 1, epsilon, NULL, NULL), DPN_OK);
        double low = by_definition(alpha, c, beta, 2, epsilon, false),
               high = by_definition(alpha, c, beta, 2, epsilon, true);
        if (!(low <= got.upper * (1 + 1e-6) && high >= got.lower * (1 - 1e-6) && high < 1.2 * low))
            fail_msg("epsilon %g: [%.9g, %.9g], by definition [%.9g, %.9g]", epsilon, got.lower, got.upper, low, high);
        assert_true(got.upper <= got.lower * (1 + 1e-5));
    }
}

/* ---- two copies: the law of the loss on the lattice, by the definition, convolved with itself ---- */

static double twice_by_definition(double alpha, const double *c, const double *beta, size_t count, double epsilon,
                                  bool up) {
    static double given[POINTS], one[POINTS], whole[POINTS], twice[POINTS];
    double total = 0, delta = 0;
    int shift = (int)(up ? ceil(alpha / STEP) : floor(alpha / STEP));
    for (int i = 0; i < POINTS; i++) whole[i] = 0;
    for (int j = 0; j < 70; j++) {
        double weight = exp(-alpha * j);
        for (size_t i = 0; i < count; i++) weight *= sqrt(c[i] + j) * erf(sqrt(0.5 * beta[i] * (c[i] + j)));
        total += weight;
        for (int i = 0; i < POINTS; i++) given[i] = i == POINTS / 2;
        for (size_t i = 0; i < count; i++) {
            coordinate(one, c[i] + j, beta[i], up);
            convolve(given, one);
        }
        for (int i = 0; i < POINTS; i++) {
            if (given[i] == 0) continue;
            assert_true(i + shift < POINTS);
            whole[i + shift] += weight * given[i];
        }
    }
    for (int i = 0; i < POINTS; i++) twice[i] = whole[i] /= total;
    convolve(twice, whole);
    for (int i = 0; i < POINTS; i++) {
        double above = STEP * (i - POINTS / 2) - epsilon;
        if (above > 0) delta += twice[i] * -expm1(-above);
    }
    return delta;
}

static void two_copies_are_the_definition(void **state) {
    (void)state;
    const double c[] = {1, 0.6}, beta[] = {0.3, 0.2}, alpha = 0.4;
    for (int i = 0; i < 2; i++) {
        double epsilon = i ? 0.9 : 0.6;
        dpn_loss loss;
        dpn_delta got;
        assert_int_equal(dpn_loss_random_box(&loss, alpha, c, beta, 0, 2, NULL), DPN_OK);
        assert_int_equal(dpn_compose_delta(&got, NULL, &(dpn_part){loss, 2}, 1, epsilon, NULL, NULL), DPN_OK);
        double low = twice_by_definition(alpha, c, beta, 2, epsilon, false),
               high = twice_by_definition(alpha, c, beta, 2, epsilon, true);
        if (!(low <= got.upper * (1 + 1e-6) && high >= got.lower * (1 - 1e-6) && high < 1.2 * low))
            fail_msg("epsilon %g: [%.9g, %.9g], by definition [%.9g, %.9g]", epsilon, got.lower, got.upper, low, high);
    }
}

/* ---- numbers of another program (least-noise, 1.5): alpha and beta to six digits, delta, variance ---- */

static void known_values(void **state) {
    (void)state;
    const struct {
        double epsilon, delta, alpha, beta, variance, pure;
        size_t count;
    } row[] = {{1, 1e-6, 0.626967, 0.050458, 715.116, 1.888, 50},
               {1, 1e-6, 0.480701, 0.064209, 1649.1, 3.691, 100},
               {0.3, 1e-6, 0.242662, 0.010162, 3446.14, 0.395, 30},
               {3, 1e-9, 1.790329, 0.084136, 304.474, 5.997, 100},
               {1, 1e-9, 0.709086, 0.023792, 1543.69, 1.542, 70}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_loss loss;
        dpn_delta got;
        dpn_box_sizes z;
        assert_int_equal(dpn_loss_random_box(&loss, row[i].alpha, NULL, NULL, row[i].beta, row[i].count, NULL), DPN_OK);
        assert_int_equal(dpn_compose_delta(&got, NULL, &(dpn_part){loss, 1}, 1, row[i].epsilon, NULL, NULL), DPN_OK);
        if (!(fabs(got.upper / row[i].delta - 1) < 2e-3)) fail_msg("row %zu: %.9g", i, got.upper);
        assert_true(got.upper <= got.lower * (1 + 1e-6));
        assert_true(fabs(loss.kind->largest(&loss) / row[i].pure - 1) < 1e-3);
        assert_int_equal(dpn_box_sizes_make(&z, row[i].alpha, NULL, NULL, row[i].beta, row[i].count, -60, NULL),
                         DPN_OK);
        double variance = 0;
        for (size_t j = 0; j < z.sizes; j++) {
            double s = 1 + (double)j;
            variance += exp(z.log_weight[j]) * s * s * dpn_cut_gaussian_square(0.5 * row[i].beta * s);
        }
        assert_true(fabs(variance / row[i].variance - 1) < 2e-5);
        dpn_box_sizes_free(&z);
        /* No loss is larger than the largest. */
        assert_int_equal(dpn_compose_delta(&got, NULL, &(dpn_part){loss, 1}, 1, loss.kind->largest(&loss), NULL, NULL),
                         DPN_OK);
        assert_true(got.upper == 0);
    }
}

/* ---- divergences ---- */

/* Fifty coordinates with a deep valley between two peaks of the tilted sizes: the second one counts. By sums over all sizes, the moment of a
 * coordinate over its line. */
static void the_second_peak_counts(void **state) {
    (void)state;
    enum { FIFTY = 50, SIZES = 40000, CUTS = 200 };
    const double alpha = 0.002, beta = 2, order = 6, theta = order - 1;
    static double c[FIFTY];
    for (int i = 0; i < FIFTY; i++) c[i] = 1;
    dpn_loss loss;
    dpn_divergence got;
    assert_int_equal(dpn_loss_random_box(&loss, alpha, c, NULL, beta, FIFTY, NULL), DPN_OK);
    assert_int_equal(dpn_renyi_compose(&got, &(dpn_part){loss, 1}, 1, &order, 1, NULL), DPN_OK);
    double top[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0};
    for (int j = 0; j < SIZES; j++) {
        double s = 1 + j, end = fmin(s, 12 * sqrt(s / beta) + 2), moment = 0,
               h = 2 * end / CUTS; /* the rest is e^-72 */
        for (int k = 0; k < CUTS; k++) {
            double y = -end + h * (k + 0.5);
            moment += gaussian_mass(s, beta, y - h / 2, y + h / 2) * exp(theta * loss_of(s, beta, y));
        }
        double log_weight = -alpha * j + FIFTY * log(sqrt(s) * erf(sqrt(0.5 * beta * s)));
        const double term[2] = {log_weight, log_weight + FIFTY * log(moment)};
        for (int t = 0; t < 2; t++) {
            if (term[t] > top[t]) sum[t] *= exp(top[t] - term[t]), top[t] = term[t];
            sum[t] += exp(term[t] - top[t]);
        }
    }
    double expected = (theta * alpha + top[1] + log(sum[1]) - top[0] - log(sum[0])) / theta;
    if (!(fabs(got.upper / expected - 1) < 1e-3)) fail_msg("%.9g, not %.9g", got.upper, expected);
}

/* E t^2 and the transform of one coordinate by sums over its line. */
static void moments(void **state) {
    (void)state;
    const double c[] = {1.5, 0.7}, beta[] = {0.4, 0.9}, alpha = 0.6, order[] = {1.5, 3, 10};
    dpn_loss loss;
    dpn_divergence got[3];
    assert_int_equal(dpn_loss_random_box(&loss, alpha, c, beta, 0, 2, NULL), DPN_OK);
    assert_int_equal(dpn_renyi_compose(got, &(dpn_part){loss, 1}, 1, order, 3, NULL), DPN_OK);
    for (int o = 0; o < 3; o++) {
        double total = 0, sum = 0, theta = order[o] - 1;
        for (int j = 0; j < 300; j++) {
            double weight = exp(-alpha * j), value = weight * exp(theta * alpha);
            for (int i = 0; i < 2; i++) {
                double s = c[i] + j, moment = 0;
                weight *= sqrt(s) * erf(sqrt(0.5 * beta[i] * s));
                for (int k = 0; k < CELLS; k++) {
                    double y = -s + 2 * s * (k + 0.5) / CELLS;
                    moment +=
                        gaussian_mass(s, beta[i], y - s / CELLS, y + s / CELLS) * exp(theta * loss_of(s, beta[i], y));
                }
                value *= sqrt(s) * erf(sqrt(0.5 * beta[i] * s)) * moment;
            }
            total += weight;
            sum += value;
        }
        double expected = log(sum / total) / theta;
        if (!(fabs(got[o].upper / expected - 1) < 1e-6))
            fail_msg("order %g: %.9g, not %.9g", order[o], got[o].upper, expected);
        assert_true(got[o].lower <= expected * (1 + 1e-6));
    }
    dpn_zcdp zcdp;
    assert_int_equal(dpn_zcdp_compose(&zcdp, &(dpn_part){loss, 1}, 1, NULL), DPN_OK);
    for (int o = 0; o < 3; o++) assert_true(zcdp.rho * order[o] >= got[o].lower);
    for (double q = 1e-6; q < 30; q *= 7) {
        double square = 0, mass = 0;
        for (int k = 0; k < CELLS; k++) {
            double t = (k + 0.5) / CELLS;
            square += t * t * exp(-q * t * t);
            mass += exp(-q * t * t);
        }
        assert_true(fabs(dpn_cut_gaussian_square(q) / (square / mass) - 1) < 1e-7);
    }
}

/* ---- several copies: the sum of two is the convolution of the profile's measure; here against the moments' bound and one copy ---- */

/* The least of the bounds by moments, by looking at many of them. */
static double best_moment(const dpn_part *part, size_t parts, double epsilon) {
    double least = INFINITY;
    for (double theta = 0.1; theta < 1e4; theta *= 1.002) {
        long double log_c = theta * logl(theta) - (1 + (long double)theta) * log1pl(theta),
                    sum = log_c - theta * epsilon;
        for (size_t i = 0; i < parts; i++) {
            double lower, upper;
            if (part[i].loss.kind->cumulant(&lower, &upper, &part[i].loss, theta, NULL)) return NAN;
            sum += part[i].times * (long double)upper;
        }
        least = fmin(least, (double)sum);
    }
    return least;
}

/* A search asks in brief, and is refused what has only a wide answer. */
static void refused_in_brief(dpn_workspace *workspace, const dpn_part *part, size_t parts, double epsilon) {
    dpn_composition composition;
    dpn_delta delta;
    assert_int_equal(dpn_composition_open(&composition, workspace, part, parts, NULL, NULL), DPN_OK);
    composition.reader.brief = true;
    assert_int_not_equal(dpn_composition_delta(&delta, &composition, epsilon, NULL), DPN_OK);
    assert_true(composition.reader.brief);
    dpn_composition_close(&composition);
}

static void compositions(void **state) {
    (void)state;
    dpn_loss loss;
    assert_int_equal(dpn_loss_random_box(&loss, 0.3, NULL, NULL, 0.03, 20, NULL), DPN_OK);
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    /* Next to other noise it is refused, or, if that has moments too, bounded by them. */
    dpn_loss other;
    assert_int_equal(dpn_loss_pure(&other, 0.05, NULL), DPN_OK);
    dpn_part both[] = {{loss, 1}, {other, 1}};
    dpn_delta mixed, alone;
    assert_int_equal(dpn_compose_delta(&mixed, workspace, both, 2, 0.45, NULL, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_loss_l2(&both[1].loss, 0.05, 5, NULL), DPN_OK);
    assert_int_equal(dpn_compose_delta(&mixed, workspace, both, 2, 0.45, NULL, NULL), DPN_OK);
    assert_int_equal(dpn_compose_delta(&alone, workspace, both, 1, 0.45, NULL, NULL), DPN_OK);
    assert_true(mixed.lower == 0 && mixed.log_upper > alone.log_upper && mixed.log_upper < alone.log_upper + 8);
    assert_true(fabs(mixed.log_upper - best_moment(both, 2, 0.45)) < 1e-4);
    refused_in_brief(workspace, both, 2, 0.45);
    /* Four copies lie between one copy at a quarter of epsilon squared, all large at once, and the bound of a moment. */
    dpn_delta four;
    assert_int_equal(dpn_compose_delta(&four, workspace, &(dpn_part){loss, 4}, 1, 1.3, NULL, NULL), DPN_OK);
    double least = 0;
    for (double theta = 0.5; theta < 200; theta *= 1.2) {
        double lower, upper;
        assert_int_equal(loss.kind->cumulant(&lower, &upper, &loss, theta, NULL), DPN_OK);
        least = fmin(least, 4 * lower - theta * 1.3 + theta * log(theta) - (1 + theta) * log1p(theta));
    }
    assert_true(four.log_upper < least && four.log_upper > least - 4);
    dpn_workspace_free(workspace);
}

static void edges(void **state) {
    (void)state;
    dpn_loss loss;
    const double bad[] = {1, -1};
    assert_int_equal(dpn_loss_random_box(&loss, 0, NULL, NULL, 0.1, 3, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_random_box(&loss, 1, NULL, NULL, 0, 3, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_random_box(&loss, 1, NULL, NULL, 1, 0, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_random_box(&loss, 1, bad, NULL, 1, 2, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_random_box(&loss, 1, NULL, bad, 1, 2, NULL), DPN_EDOMAIN);
    /* What is not drawn has no loss either: the domain is that of the sampler (tests/unit/random/t-random-box.c has the same list). */
    const struct {
        double alpha, start, beta;
    } outside[] = {{1e-3, 1, 1},    {1024, 1, 1}, {1, 0x1p-40, 1}, {1, 0x1p40, 1},
                   {1, 1, 0x1p-60}, {1, 1, 1024}, {NAN, 1, 1}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_int_equal(dpn_loss_random_box(&loss, outside[i].alpha, &outside[i].start, &outside[i].beta, 0, 1, NULL),
                         DPN_EDOMAIN);
    const double inside[] = {0x1p-39, 0x1p39}, steep[] = {0x1p-59, 0x1p9};
    assert_int_equal(dpn_loss_random_box(&loss, 1023, inside, steep, 0, 2, NULL), DPN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_the_definition),
                                       cmocka_unit_test(two_copies_are_the_definition),
                                       cmocka_unit_test(known_values),
                                       cmocka_unit_test(moments),
                                       cmocka_unit_test(the_second_peak_counts),
                                       cmocka_unit_test(compositions),
                                       cmocka_unit_test(edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
