/* Forks: a child never gives a word of its parent's, of a sibling's or of its own child's. 10^4 children with DPN_LONG=1,
 * else 10^3. */
#define _DEFAULT_SOURCE /* fork, MAP_ANONYMOUS */
#include <dpnoise/random.h>

#include "random/source.h"

#include "unit/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct block {
    uint64_t high, low;
} block;

static int compare_blocks(const void *a, const void *b) {
    const block *x = a, *y = b;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->low > y->low) - (x->low < y->low);
}

/* Sixteen bytes by each road: words as samplers take them, the public call for eight bytes, and for many. */
enum { ROADS = 3 };
static bool draw(dpn_rng *rng, block out[ROADS]) {
    if (!dpn_rng_word(rng, &out[0].high) || !dpn_rng_word(rng, &out[0].low)) return false;
    if (dpn_rng_bytes(&out[1].high, rng, 8, NULL) || dpn_rng_bytes(&out[1].low, rng, 8, NULL)) return false;
    return !dpn_rng_bytes(&out[2], rng, sizeof out[2], NULL);
}

static bool pool_is_zero(const dpn_rng *rng) {
    const unsigned char *byte = (const unsigned char *)rng->pool;
    unsigned char bits = 0;
    for (size_t i = 0; i < sizeof *rng->pool; i++) bits |= byte[i];
    return bits == 0;
}

/* The child draws before and after it has forked in turn; its child draws too. Exit code 0 if all went well. */
static int child(dpn_rng *rng, block *out) {
    if (!pool_is_zero(rng)) return 2;
    if (!draw(rng, out)) return 3;
    pid_t grandchild = fork();
    if (grandchild < 0) return 4;
    if (grandchild == 0) _exit(pool_is_zero(rng) && draw(rng, out + ROADS) ? 0 : 5);
    if (!draw(rng, out + 2 * ROADS)) return 6;
    int status = -1;
    return waitpid(grandchild, &status, 0) == grandchild && status == 0 ? 0 : 7;
}

static void no_equal_blocks(void **state) {
    (void)state;
    enum { EACH = 4 * ROADS };                                       /* child, grandchild, child again, parent */
    size_t forks = (size_t)points(500, 5000), blocks = forks * EACH; /* each makes two children */
    block *all = mmap(NULL, blocks * sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(all != MAP_FAILED);
    dpn_rng *rng;
    assert_int_equal(dpn_rng_new(&rng, NULL), DPN_OK);
    for (size_t i = 0; i < forks; i++) {
        block *out = all + i * EACH;
        uint64_t word;
        while (i % 3 == 0 && rng->pool->left > 0) assert_true(dpn_rng_word(rng, &word)); /* an empty pool forks too */
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) _exit(child(rng, out));
        assert_true(draw(rng, out + 3 * ROADS));
        int status = -1;
        assert_true(waitpid(pid, &status, 0) == pid);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("child %zu: status %d", i, status);
    }
    dpn_rng_free(rng);
    qsort(all, blocks, sizeof *all, compare_blocks);
    assert_true(all[0].high != 0 || all[0].low != 0); /* a place that nobody filled */
    for (size_t i = 1; i < blocks; i++) assert_true(compare_blocks(all + i - 1, all + i) < 0);
    munmap(all, blocks * sizeof *all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_equal_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
