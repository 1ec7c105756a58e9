/* Counts of keys that are shown: which numbers a noisy count leaves, by adding up the law for each number, and where the threshold ceases to
 * matter. */
#include "release/compile/selection.c" /* to see its pieces */

#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const noises[] = {"discrete-laplace", "laplace", "gaussian", "discrete-gaussian"};
enum { NOISES = sizeof noises / sizeof *noises, FAR = 1500 };

static dpn_query *counted(const char *noise, const char *epsilon, const char *statistic) {
    char words[DECLARED_SIZE], json[DECLARED_SIZE];
    snprintf(words, sizeof words,
             "{'statistics': [%s], 'by': [{'column': 'key'}], 'epsilon': '%s', 'delta': '1e-3', 'noise': '%s'}",
             statistic, epsilon, noise);
    dpn_declaration declaration = declared_read(declared_quotes(json, words));
    dpn_query *query = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

/* P(noise = k): noise on the line is rounded to whole numbers. */
static long double chance(const dpn_law *law, double k) {
    double h = dpn_law_is_integer(law) ? 0 : 0.5;
    k = fabs(k);
    return (long double)dpn_law_sf(law, k - 1 + h) - (long double)dpn_law_sf(law, k + h);
}

/* Of the noisy counts that are shown, the share that is nearer to n than x is. */
static long double nearer(const dpn_law *law, double threshold, double n, double x) {
    long double near = 0, shown = 0;
    for (double y = threshold + 1; y < n + FAR / 10.0; y++) {
        long double p = chance(law, y - n);
        shown += p;
        if (fabs(y - n) < fabs(x - n)) near += p;
    }
    return near / shown;
}

static void the_likeliest_are_accepted(void **state) {
    (void)state;
    static const double levels[] = {0.5, 0.95, 0.98};
    for (size_t i = 0; i < NOISES; i++) {
        dpn_query *query = counted(noises[i], "1", "{'kind': 'count'}");
        const dpn_law *law = dpn_plan_law(dpn_release_plan(query->release), query->persons);
        count_noise noise = noise_of(query);
        double threshold = (double)query->threshold;
        assert_true(noise.step == 1 && noise.threshold == threshold && noise.law == law);
        assert_true(noise.half_step == (dpn_law_is_integer(law) ? 0 : 0.5));
        int yes = 0, no = 0;
        for (double n = 1; n < 3 * threshold; n++)
            for (double x = threshold + 1; x < 3 * threshold; x += 1) {
                long double share = nearer(law, threshold, n, x);
                for (size_t l = 0; l < 3; l++) {
                    if (fabsl(share - levels[l]) < 1e-7L) continue;
                    bool accepted = accepts(&noise, n, x, levels[l]);
                    if (accepted != (share < levels[l])) fail_msg("%s: n = %g, x = %g: %Lg", noises[i], n, x, share);
                    yes += accepted;
                    no += !accepted;
                }
            }
        assert_true(yes > 300 && no > 300);
        dpn_query_free(query);
    }
}

static void intervals_are_all_that_is_accepted(void **state) {
    (void)state;
    for (size_t i = 0; i < NOISES; i++) {
        dpn_query *query = counted(noises[i], "1", "{'kind': 'count'}");
        count_noise noise = noise_of(query);
        double threshold = (double)query->threshold;
        for (double x = threshold + 1; x < 4 * threshold; x += 1 + floor(x / 50))
            for (int wide = 0; wide < 2; wide++) {
                double level = wide ? 0.999 : 0.6, low, high, least = x, most = x;
                dpn_selection_interval(&low, &high, query, x, level);
                for (double n = 1; n < x + 5 * threshold; n++) {
                    if (!accepts(&noise, n, x, level + 1e-9)) continue;
                    least = fmin(least, n);
                    most = fmax(most, n);
                }
                assert_true(low == least && high == most);
            }
        dpn_query_free(query);
    }
}

/* n* is the least number that is shown with 98%, on the integers; of its noisy counts that are shown 1% are at least as large as the largest
 * that is called near. */
static void near_is_where_hidden_keys_matter(void **state) {
    (void)state;
    for (size_t i = 0; i < 2 * NOISES; i++) {
        dpn_query *query = counted(noises[i % NOISES], i < NOISES ? "1" : "8", "{'kind': 'count'}");
        count_noise noise = noise_of(query);
        double threshold = noise.threshold, least = 1, last = threshold;
        while (above(&noise, threshold - least) < 0.98) least++;
        while (dpn_selection_is_near(query, last + 1)) last++;
        for (double x = last + 1; x < last + 100; x++) assert_false(dpn_selection_is_near(query, x));
        bool fits = false;
        for (double n = least; n <= least + (noise.half_step > 0 ? 1 : 0); n++) {
            long double shown = 0, at_last = 0, beyond = 0;
            for (double y = threshold + 1; y < n + FAR; y++) {
                long double p = chance(noise.law, y - n);
                shown += p;
                if (y >= last) at_last += p;
                if (y >= last + 1) beyond += p;
            }
            fits |= at_last > 0.01L * shown && beyond <= 0.01L * shown;
        }
        if (!fits) fail_msg("%s: the last that is near is %g", noises[i % NOISES], last);
        dpn_query_free(query);
    }
}

/* Only what is made of the very count that is held against the threshold. */
static void selected_is_what_the_threshold_holds(void **state) {
    (void)state;
    static const char mean[] = "{'kind': 'mean', 'column': 'x', 'lower': '0', 'upper': '1'}, "
                               "{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '1'}, {'kind': 'count'}";
    dpn_query *query = counted("laplace", "1", mean);
    assert_int_equal(query->outputs, 3);
    for (size_t i = 0; i < 3; i++) {
        const dpn_output *output = &query->outputs_of[i];
        assert_true(dpn_is_selected(query, output) == (output->rows == query->persons));
        dpn_output other = *output;
        other.rows = query->persons;
        assert_true(dpn_is_selected(query, &other));
        other.rows = query->persons + 1;
        assert_false(dpn_is_selected(query, &other));
        query->known_keys = true;
        other.rows = query->persons;
        assert_false(dpn_is_selected(query, &other));
        size_t persons = query->persons;
        query->known_keys = false;
        query->persons = other.rows = SIZE_MAX;
        assert_false(dpn_is_selected(query, &other));
        query->persons = persons;
    }
    dpn_query_free(query);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_likeliest_are_accepted),
        cmocka_unit_test(intervals_are_all_that_is_accepted),
        cmocka_unit_test(near_is_where_hidden_keys_matter),
        cmocka_unit_test(selected_is_what_the_threshold_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
