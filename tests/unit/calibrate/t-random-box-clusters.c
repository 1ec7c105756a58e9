/* Which answers a random box is tried for; and coordinates in clusters: each ratio has its own while there is room, and no cluster is more than its share of the list or of the span. */
#include "calibrate/random-box.c" /* to see each piece */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 60 };

static keyed list[MOST];
static dpn_box_cluster out[MOST];
static size_t end[MOST];

/* Ascending ratios of so many kinds, the first of them 0. */
static size_t fill(draw_source *source, size_t count, size_t kinds) {
    double ratio[MOST] = {0};
    size_t different = 1;
    for (size_t k = 1; k < kinds; k++) ratio[k] = ratio[k - 1] + draw_log_uniform(source, 1e-3, 1);
    for (size_t i = 0; i < count; i++) {
        size_t kind = i * kinds / count;
        list[i] = (keyed){draw_uniform(source, 0.1, 2), ratio[kind], i};
        different += i > 0 && list[i].log_ratio != list[i - 1].log_ratio;
    }
    return different;
}

/* Every coordinate is in one cluster, whose key is the sum and whose ratio is the mean of theirs; like ratios are never parted. */
static void check_sums(size_t clusters, size_t count) {
    size_t begin = 0;
    for (size_t g = 0; g < clusters; g++) {
        long double key = 0, ratio = 0;
        assert_true(end[g] > begin && end[g] <= count);
        for (size_t i = begin; i < end[g]; i++) {
            key += list[i].key;
            ratio += list[i].log_ratio;
        }
        size_t times = end[g] - begin;
        assert_true(out[g].times == (double)times && fabs(out[g].key - (double)key) <= 1e-12 * (double)key);
        assert_true(fabs(out[g].log_ratio - (double)(ratio / (long double)times)) <= 1e-12 * (1 + fabs((double)ratio)));
        if (begin > 0) assert_true(list[begin].log_ratio != list[begin - 1].log_ratio);
        begin = end[g];
    }
    assert_int_equal(begin, count);
}

static void ratios_have_their_own_clusters(void **state) {
    (void)state;
    draw_source source = {19};
    for (size_t count = 1; count <= MOST; count++)
        for (size_t kinds = 1; kinds <= count; kinds += 1 + kinds / 3) {
            size_t different = fill(&source, count, kinds);
            for (size_t most = different; most < different + 3; most++) {
                size_t clusters = cluster(out, end, list, count, most);
                assert_int_equal(clusters, different);
                check_sums(clusters, count);
            }
        }
}

/* Beyond that there are `most` clusters and none holds ratios from more than two shares of places and span, half of each. */
static void too_many_ratios_share(void **state) {
    (void)state;
    draw_source source = {20};
    int shared = 0;
    for (size_t count = 10; count <= MOST; count++)
        for (size_t most = 2; most < 8; most++) {
            size_t different = fill(&source, count, count), clusters = cluster(out, end, list, count, most), begin = 0;
            assert_int_equal(different, count);
            assert_true(clusters <= most);
            check_sums(clusters, count);
            for (size_t g = 0; g < clusters; g++) {
                double span = (list[end[g] - 1].log_ratio - list[begin].log_ratio) / list[count - 1].log_ratio,
                       places = (double)(end[g] - 1 - begin) / (double)count;
                assert_true(0.5 * (span + places) * (double)most < 1 + 1e-9);
                shared += end[g] - begin > 1;
                begin = end[g];
            }
        }
    assert_true(shared > 100);
}

/* A random box is tried from four answers that move on, and from 0.4 log2(1/delta); there it has less error than the box. */
static void few_answers_have_none(void **state) {
    (void)state;
    static const struct {
        size_t answers;
        double delta;
        bool tried;
    } row[] = {{3, 0.001, false}, {4, 0.001, true}, {4, 0x1p-11, false}, {5, 0x1p-11, true}, {5, 0x1p-13, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double bound[] = {1, 1, 1, 1, 1, 0}; /* the last one cannot move */
        dpn_sensitivity set = {.dimension = row[i].answers + 1, .bound = bound + 5 - row[i].answers};
        dpn_plan plan, box;
        dpn_error why;
        dpn_status status = dpn_calibrate(&plan, "random-box", 1, row[i].delta, &set, NULL, &why);
        assert_int_equal(status, row[i].tried ? DPN_OK : DPN_EUNSUPPORTED);
        if (!row[i].tried) continue;
        assert_true(plan.delta.upper <= row[i].delta);
        assert_int_equal(dpn_calibrate(&box, "k-norm", 1, row[i].delta, &set, NULL, &why), DPN_OK);
        assert_true(plan.mse < box.mse);
        dpn_plan_free(&box);
        dpn_plan_free(&plan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_have_their_own_clusters),
        cmocka_unit_test(too_many_ratios_share),
        cmocka_unit_test(few_answers_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
