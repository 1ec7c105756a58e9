/* Shapes of trees, against all that there are: the evenest radices, the least error, and nodes counted one by one. */
#include "release/compile/tree.c" /* to see how radices are found */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include <cmocka.h>

static size_t power_of(size_t base, size_t raised, size_t levels, size_t most) {
    size_t product = 1;
    for (size_t i = 0; i < levels && product < most; i++) product *= base + (i < raised);
    return product;
}

/* Base and base + 1 alone, the larger ones last, and with one of them less there would be too few bins. */
static void radices_are_even(void **state) {
    (void)state;
    for (size_t bins = 1; bins <= 1 << 20; bins += 1 + bins / 9)
        for (size_t levels = 1; levels <= DPN_TREE_LEVELS; levels++) {
            dpn_tree tree = even(bins, levels);
            assert_true(tree.bins == bins && tree.levels == levels);
            size_t base = tree.radix[0], raised = 0;
            for (size_t i = 0; i < levels; i++) raised += tree.radix[i] > base;
            for (size_t i = 0; i < levels; i++) assert_int_equal(tree.radix[i], base + (i + raised >= levels));
            if (base == tree.radix[levels - 1]) raised = 0;
            assert_true(base >= 1 && power_of(base, raised, levels, bins) >= bins);
            if (raised > 0) assert_true(power_of(base, raised - 1, levels, bins) < bins);
            if (raised == 0 && base > 1) assert_true(power_of(base - 1, levels - 1, levels, bins) < bins);
        }
}

/* A level, its nodes and their bins, by writing down the parent of every bin. */
static void nodes_are_counted_one_by_one(void **state) {
    (void)state;
    for (size_t bins = 1; bins < 200; bins += 3)
        for (size_t levels = 1; levels < 6; levels++) {
            dpn_tree tree = even(bins, levels);
            size_t node[200], all = 0, beside = 1;
            for (size_t k = 0; k < bins; k++) node[k] = k;
            for (size_t level = levels; level-- > 0;) {
                size_t nodes = node[bins - 1] + 1, first = 0;
                while (first + 1 < bins && node[first + 1] == 0) first++;
                assert_int_equal(dpn_tree_nodes(&tree, level), nodes);
                if (nodes > 1) assert_int_equal(dpn_tree_stride(&tree, level), first + 1);
                all += nodes + 1;
                beside += tree.radix[level] - 1;
                for (size_t k = 0; k < bins; k++) node[k] /= tree.radix[level];
            }
            assert_true(dpn_tree_prefixes(&tree) == all && dpn_tree_beside(&tree) == beside);
            assert_int_equal(dpn_tree_stride(&tree, levels - 1), 1);
        }
}

/* (levels + others)^(3/2) (sum of (radix - 1)), of every number of levels that leaves each node more than one child. */
static void the_least_error_is_chosen(void **state) {
    (void)state;
    for (size_t bins = 1; bins <= 1 << 20; bins += 1 + bins / 5)
        for (size_t others = 0; others < 60; others += 1 + others / 2) {
            dpn_tree tree = dpn_tree_make(bins, others);
            long double least = INFINITY, own = powl((long double)(tree.levels + others), 1.5L);
            size_t sum = 0;
            for (size_t i = 0; i < tree.levels; i++) sum += tree.radix[i] - 1;
            own *= (long double)sum;
            for (size_t levels = 1; levels <= DPN_TREE_LEVELS && (levels == 1 || (size_t)1 << (levels - 1) < bins);
                 levels++) {
                dpn_tree other = even(bins, levels);
                size_t nodes = 0;
                for (size_t i = 0; i < levels; i++) nodes += other.radix[i] - 1;
                least = fminl(least, powl((long double)(levels + others), 1.5L) * (long double)nodes);
            }
            assert_true(tree.bins == bins && tree.levels >= 1 && own <= least * (1 + 1e-12L));
            for (size_t i = 0; i < tree.levels; i++) assert_int_equal(tree.radix[i], even(bins, tree.levels).radix[i]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radices_are_even),
        cmocka_unit_test(nodes_are_counted_one_by_one),
        cmocka_unit_test(the_least_error_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
