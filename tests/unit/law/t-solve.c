/* Inverting the tail of a law on the integers: how many evaluations it takes, and that the answer is the least. What
 * it answers at every jump is in t-discrete-*.c. */
#include "law/solve.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* A family whose tail counts how often it is asked; the rest it has from a real one. */
static struct dpn_family counting;
static const struct dpn_family *real;
static int count;

static dpn_tail counting_tail(const dpn_law *law, double t) {
    count++;
    return real->tail(law, t);
}

static void few_evaluations(void **state) {
    (void)state;
    static const char *const texts[] = {
        "discrete-gaussian(sigma=0.1)",
        "discrete-gaussian(sigma=1)",
        "discrete-gaussian(sigma=1e6)",
        "discrete-gaussian(sigma=1e12)",
        "discrete-laplace(scale=0.01)",
        "discrete-laplace(scale=1e12)",
        "discrete-flipped-huber(alpha=3,gamma=1)",
        "discrete-flipped-huber(alpha=2e9,gamma=1e9)",
        "discrete-flipped-huber(alpha=1e14,gamma=1e12)",
        "discrete-osgt(m=3,sigma=6)",
        "discrete-osgt(m=1e15,sigma=1e9)",
    };
    static const double p[] = {0.5, 0.499999, 0.3, 0.1, 1e-3, 1e-10, 1e-50, 1e-150, 1e-300, 5e-324};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dpn_law law;
        assert_int_equal(dpn_law_parse(&law, texts[i], NULL), DPN_OK);
        counting = *(real = law.family);
        counting.tail = counting_tail;
        law.family = &counting;
        for (size_t k = 0; k < sizeof p / sizeof *p; k++) {
            count = 0;
            double t = dpn_solve_integer_tail(&law, p[k]);
            int most = p[k] < 1e-300 ? 100 : 20; /* many tails round to the smallest double */
            if (count > most) fail_msg("%s: isf(%g) took %d evaluations", texts[i], p[k], count);
            assert_true(t >= 0 && t == floor(t) && dpn_tail_value(&law, t) <= p[k]);
            assert_true(t == 0 || dpn_tail_value(&law, t - 1) > p[k]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_evaluations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
