/* Events are counted as they are described, by a second count from the definitions. */
#include "audit/tally.h"
#include "reference/draw.h"

#include <dpnoise/privacy.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { OUTPUTS = 3000, MOST = 3, ZERO_EVENTS = 2 * DPN_LOSS_EVENTS, SIDE_EVENTS = ZERO_EVENTS + DPN_LOW_BITS };

static dpn_law law_of(const char *text) {
    dpn_law law;
    assert_int_equal(dpn_law_parse(&law, text, NULL), DPN_OK);
    return law;
}

/* Whether an event occurs, from its description. */
static bool occurs(size_t event, const dpn_law *law, int exponent, const int64_t *move, size_t first, double top,
                   const int64_t *output, size_t dimension) {
    double loss = 0;
    bool equal = false, equal_size = false, even = output[first] % 2 == 0;
    for (size_t i = 0; i < dimension; i++) {
        double unit = ldexp(1, exponent);
        if (move[i]) loss += dpn_privacy_loss(law, -(double)move[i] * unit, (double)output[i] * unit);
        if (i > 0) equal = equal || output[i] == output[i - 1];
        if (i > 0) equal_size = equal_size || llabs(output[i]) == llabs(output[i - 1]);
    }
    if (event < ZERO_EVENTS) {
        double threshold = top * ((double)(event % DPN_LOSS_EVENTS) - 16) / 16;
        return loss >= threshold - 1e-10 * top && (event < DPN_LOSS_EVENTS || even);
    }
    if (event < SIDE_EVENTS) return output[first] % (INT64_C(2) << (event - ZERO_EVENTS)) == 0;
    if (event >= SIDE_EVENTS + DPN_SIDE_EVENTS) { /* all beyond so many moves, on the side that the move leaves */
        int64_t moves = (int64_t)(event - SIDE_EVENTS - DPN_SIDE_EVENTS);
        for (size_t i = 0; i < dimension; i++)
            if (move[i] > 0 ? output[i] > -moves * move[i] : move[i] < 0 && output[i] < -moves * move[i]) return false;
        return true;
    }
    switch (event - SIDE_EVENTS) {
    case DPN_SIDE_AT_ZERO:
        return output[first] == 0;
    case DPN_SIDE_AT_MOVE:
        return output[first] == move[first];
    case DPN_SIDE_EQUAL:
        return equal;
    default:
        return equal_size;
    }
}

static void check(const char *text, int exponent, size_t dimension, const int64_t *move, size_t first, double top,
                  int64_t spread) {
    dpn_law law = law_of(text);
    dpn_scorer scorer;
    dpn_error why;
    int exponents[MOST] = {exponent, exponent, exponent};
    if (dpn_scorer_make(&scorer, &law, 1, exponents, dimension, move, first, top, 1e-12, &why))
        fail_msg("%s", why.sentence);
    static int64_t output[OUTPUTS * MOST];
    draw_source source = {dimension};
    for (size_t i = 0; i < OUTPUTS * dimension; i++)
        output[i] = (int64_t)(draw_bits(&source) % (uint64_t)(2 * spread + 1)) - spread;
    dpn_audit_tally tally = {0};
    dpn_audit_tally_add(&tally, &scorer, output, OUTPUTS / 2);
    dpn_audit_tally_add(&tally, &scorer, output + OUTPUTS / 2 * dimension, OUTPUTS - OUTPUTS / 2);
    for (size_t event = 0; event < DPN_AUDIT_EVENTS; event++) {
        uint64_t count = 0;
        for (size_t n = 0; n < OUTPUTS; n++)
            count += occurs(event, &law, exponent, move, first, top, output + n * dimension, dimension);
        if (dimension == 1 && event >= SIDE_EVENTS + DPN_SIDE_EQUAL && event < SIDE_EVENTS + DPN_SIDE_EVENTS) count = 0;
        if (dpn_audit_tally_count(&tally, event) != count)
            fail_msg("%s, event %zu: %zu, not %zu", text, event, (size_t)dpn_audit_tally_count(&tally, event),
                     (size_t)count);
    }
    dpn_scorer_free(&scorer);
}

/* Steps are few, so that the table holds the loss of each. */
static void counts_are_those_of_the_definitions(void **state) {
    (void)state;
    check("discrete-laplace(scale=4)", 0, 1, (int64_t[]){3}, 0, 0.75, 20);
    check("discrete-gaussian(sigma=5)", 0, 1, (int64_t[]){7}, 0, 3, 25);
    check("discrete-gaussian(sigma=5)", 0, 3, (int64_t[]){2, 0, -3}, 2, 1, 12);
    check("laplace(scale=2)", -3, 2, (int64_t[]){8, 16}, 1, 1.5, 40);
    check("gaussian(sigma=1)", -4, 3, (int64_t[]){16, 8, 1}, 0, 2, 50);
    check("staircase(epsilon=1,sensitivity=1,gamma=0.4)", -4, 1, (int64_t[]){16}, 0, 1, 100);
}

/* Losses that are infinite, of both signs at once, and outputs at the ends of the range count, and harm nothing. */
static void extremes(void **state) {
    (void)state;
    dpn_law law = law_of("truncated-laplace(scale=1,bound=2)");
    dpn_scorer scorer;
    const int64_t move[] = {4, 4}, output[] = {-8, 12, 12, -8, INT64_MIN, INT64_MAX, -8, -8, 12, 12};
    assert_int_equal(dpn_scorer_make(&scorer, &law, 1, (int[]){-2, -2}, 2, move, 0, 2, 1e-12, NULL), DPN_OK);
    dpn_audit_tally tally = {0};
    dpn_audit_tally_add(&tally, &scorer, output, 5);
    uint64_t all = 0;
    for (size_t i = 0; i <= DPN_LOSS_EVENTS; i++) all += tally.bin[0][i] + tally.bin[1][i];
    assert_int_equal(all, 5);
    assert_true(dpn_audit_tally_count(&tally, DPN_LOSS_EVENTS - 1) >= 1); /* -8, -8 is impossible for the moved input */
    dpn_scorer_free(&scorer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_definitions),
        cmocka_unit_test(extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
