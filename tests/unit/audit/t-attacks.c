/* Two attacks on the lowest bits of noisy numbers, against a textbook mechanism and against releases.
 *
 * The attacker sees one number and says which of two neighbouring answers it was made from; the advantage is the difference
 * of the probabilities to say "the second" under the second and under the first. An epsilon-private mechanism allows an
 * advantage of tanh(epsilon/2) at most. Here epsilon is 1e-4, so that what exceeds 5e-5 is a leak.
 *
 * Mironov (2012): x + scale * sign * log(u), computed in doubles with u a multiple of 2^-53, cannot give every double, and
 * those that it gives from one x it seldom gives from another.
 * Precision (Haney et al. 2022): exact noise on a grid, added to answers that are not on the grid.
 *
 * Random words come from a seeded source: a verdict is the same each time. For other seeds, the bound on the advantage of a
 * sound mechanism would exceed its limit of 0.001 with probability 1e-5.
 */
#include "reference/draw.h"
#include "unit/random/seeded.h"
#include "unit/points.h"

#include <dpnoise/release.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double epsilon = 1e-4, scale = 1e4;

/* ---- The textbook ---- */

/* Laplace noise as found in books and on the web: a uniform number, a sign, a logarithm. */
static double textbook_noise(double uniform, double sign) {
    return sign * scale * log(uniform);
}

static double textbook(draw_source *source, double answer) {
    double uniform = ldexp((double)((draw_bits(source) >> 11) + 1), -53); /* 2^-53 to 1 */
    return answer + textbook_noise(uniform, draw_bits(source) & 1 ? 1 : -1);
}

/* Noise that is exact and lies on a grid, as of a sampler like ours, but on an answer that was left where it is. */
static double textbook_grid(draw_source *source, double answer) {
    static const double grid = 0.25;
    return answer + grid * rint(textbook(source, 0) / grid);
}

/* ---- The attacks ---- */

/* Whether the textbook mechanism can give y from an answer: all uniform numbers near the one that y tells are tried. */
static bool reachable(double y, double answer) {
    double noise = y - answer, sign = noise < 0 ? 1 : -1; /* the logarithm is negative */
    double centre = rint(ldexp(exp(-fabs(noise) / scale), 53));
    for (int i = -4; i <= 4; i++) {
        double count = centre + i;
        if (count >= 1 && count <= 0x1p53 && answer + textbook_noise(ldexp(count, -53), sign) == y) return true;
    }
    return false;
}

/* Sure of the second answer, because the first cannot have given this number. */
static bool mironov(double y) {
    return reachable(y, 1) && !reachable(y, 0);
}

/* The lowest bit of the number is below the grid. */
static bool precision(double y) {
    return rint(4 * y) != 4 * y;
}

/* ---- Advantages ---- */

static double advantage_on(double (*mechanism)(draw_source *, double), bool (*attack)(double), double second) {
    enum { DRAWS = 100000 };
    draw_source source = {7};
    int said[2] = {0};
    for (int i = 0; i < DRAWS; i++)
        for (int k = 0; k < 2; k++) said[k] += attack(mechanism(&source, k ? second : 0));
    return fabs((double)(said[1] - said[0])) / DRAWS;
}

static void attacks_break_the_textbook(void **state) {
    (void)state;
    double first = advantage_on(textbook, mironov, 1), second = advantage_on(textbook_grid, precision, 0.3);
    print_message("# advantage on the textbook: %.3f (Mironov), %.3f (precision)\n", first, second);
    assert_true(first > 0.5);
    assert_true(second > 0.99);
}

/* ---- Releases ---- */

enum { ANSWERS = 4096, RANGE = 1 << 20 };

/* What the attack says of every number that a release can give: there are few, and they come often. */
static void ask(signed char *said, bool (*attack)(double)) {
    for (int i = 0; i < 2 * RANGE; i++) said[i] = attack(0.25 * (i - RANGE)) ? 1 : 0;
}

/* How often the attacks say "the second" of releases of an answer, in counts of draws; a histogram of many cells, in which
 * one moves, gives each the noise of a single answer. */
static void count_said(double *count, const signed char *const *said, int attacks, const char *answer, double draws,
                       uint64_t seed) {
    static seeded source;
    static int64_t value[ANSWERS], noisy[ANSWERS];
    dpn_sensitivity set = {.dimension = ANSWERS, .linf = 1, .max_changed = 1};
    dpn_release_options options = {.size = sizeof(dpn_release_options),
                                   .epsilon = epsilon,
                                   .set = &set,
                                   .family = "laplace",
                                   .has_grid = true,
                                   .grid_exponent = -2};
    dpn_release *release;
    dpn_error why;
    if (dpn_release_new(&release, &options, &why)) fail_msg("%s", why.sentence);
    seeded_begin(&source, seed);
    for (size_t i = 0; i < ANSWERS; i++)
        if (dpn_release_parse(&value[i], release, i, answer, &why)) fail_msg("%s", why.sentence);
    for (double done = 0; done < draws; done += ANSWERS) {
        if (dpn_release_draw(noisy, release, &source.rng, value, &why)) fail_msg("%s", why.sentence);
        for (size_t i = 0; i < ANSWERS; i++)
            for (int a = 0; a < attacks; a++)
                if (llabs(noisy[i]) < RANGE) count[a] += said[a][noisy[i] + RANGE];
    }
    dpn_release_free(release);
}

/* An upper bound of the advantage that fails with probability 1e-6: the estimate and 4.9 standard deviations. */
static double advantage_upper(double first, double second, double draws) {
    double p = first / draws, q = second / draws;
    return fabs(p - q) + 4.9 * sqrt((p * (1 - p) + q * (1 - q)) / draws);
}

static void attacks_learn_nothing_from_releases(void **state) {
    (void)state;
    static signed char said[2][2 * RANGE];
    const signed char *const both[] = {said[0], said[1]};
    double draws = points_are_many() ? 2e8 : 3e7, few = 1e6, first[2] = {0}, second[2] = {0}, third[2] = {0};
    draws = ANSWERS * ceil(draws / ANSWERS);
    few = ANSWERS * ceil(few / ANSWERS);
    ask(said[0], mironov);
    ask(said[1], precision);
    count_said(first, both, 2, "0", draws, 11);
    count_said(second, both, 2, "1", draws, 12);
    count_said(third, both, 2, "0.3", few, 13);
    double a = advantage_upper(first[0], second[0], draws);
    print_message("# advantage on releases: at most %.2g (Mironov, who is sure of %.3g)\n", a, first[0] / draws);
    assert_true(first[0] > 0); /* the attacker says something */
    assert_true(a <= 0.001);
    assert_true(first[1] == 0 && second[1] == 0 && third[1] == 0); /* every number lies on the grid */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attacks_break_the_textbook),
        cmocka_unit_test(attacks_learn_nothing_from_releases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
