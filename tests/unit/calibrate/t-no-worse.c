/* Searches end no worse than they did: errors that were once found, with the looks at delta that they took. A search that steps another way
 * shows here, though what it finds is certified all the same. The numbers are those of the tree, not of a definition: a smaller one is progress, and
 * goes into the table. */
#include <dpnoise/calibrate.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool count_looks(void *context) {
    ++*(int *)context;
    return false;
}

static const double equal[] = {1, 1, 1, 1, 1}, rising[] = {1, 2, 3}, pairs[] = {1, 1, 2, 5};
static const struct {
    double epsilon, delta;
    dpn_sensitivity set;
} setting[] = {{1, 1e-6, {.dimension = 1, .bound = equal}},    {0.1, 1e-3, {.dimension = 1, .bound = equal}},
               {0.5, 1e-5, {.dimension = 3, .bound = rising}}, {1, 1e-4, {.dimension = 5, .bound = equal}},
               {1, 0, {.dimension = 4, .bound = pairs}},       {1, 1e-6, {.dimension = 4, .l2 = 2}}};

static void no_search_is_worse(void **state) {
    (void)state;
    static const struct {
        const char *family;
        int setting;
        double mse;
        int looks; /* 0: many, from within a look */
    } row[] = {{"gaussian", 0, 17.8479117, 3},
               {"gaussian", 1, 302.913007, 6},
               {"gaussian", 2, 1780.07711, 15},
               {"gaussian", 3, 253.717589, 5},
               {"gaussian", 5, 285.566587, 3},
               {"laplace", 0, 1.999992, 3},
               {"laplace", 1, 192.229984, 3},
               {"laplace", 2, 813.204521, 175},
               {"laplace", 3, 248.411432, 0},
               {"laplace", 4, 552.149751, 11},
               {"laplace", 5, 127.995905, 13},
               {"flipped-huber", 0, 1.9997815, 1304},
               {"flipped-huber", 1, 159.896296, 1084},
               {"flipped-huber", 3, 236.167537, 0},
               {"flipped-huber", 5, 127.995905, 61},
               {"osgt", 0, 1.99997825, 1451},
               {"osgt", 1, 173.67818, 977},
               {"osgt", 3, 218.137121, 100},
               {"osgt", 5, 127.968731, 0},
               {"staircase", 0, 1.91809789, 0},
               {"staircase", 1, 192.088235, 0},
               {"staircase", 3, 248.539414, 90},
               {"staircase", 4, 549.57581, 167},
               {"staircase", 5, 127.995905, 38},
               {"truncated-laplace", 0, 1.99975089, 1855},
               {"truncated-laplace", 1, 154.715375, 1125},
               {"truncated-laplace", 3, 247.938536, 150},
               {"truncated-laplace", 5, 127.98463, 107},
               {"huber", 0, 1.999992, 943},
               {"huber", 1, 191.85278, 571},
               {"huber", 4, 552.149751, 110},
               {"huber", 5, 127.995905, 37},
               {"logistic", 0, 3.2794215, 28},
               {"logistic", 1, 222.82618, 22},
               {"logistic", 2, 1091.17027, 0},
               {"logistic", 3, 223.101404, 11},
               {"logistic", 4, 908.249936, 25},
               {"logistic", 5, 181.035728, 16},
               {"subbotin", 3, 215.524691, 92},
               {"subbotin", 4, 552.149751, 26},
               {"discrete-gaussian", 0, 17.8994898, 22},
               {"discrete-gaussian", 1, 302.914608, 26},
               {"discrete-gaussian", 3, 253.730136, 15},
               {"discrete-gaussian", 5, 328.461559, 12},
               {"discrete-laplace", 0, 1.84134174, 26},
               {"discrete-laplace", 1, 192.426029, 8},
               {"discrete-laplace", 3, 248.176227, 17},
               {"discrete-laplace", 4, 551.483668, 25},
               {"discrete-laplace", 5, 127.332849, 20},
               {"discrete-flipped-huber", 0, 1.84113652, 1578},
               {"discrete-flipped-huber", 1, 161.050338, 613},
               {"discrete-osgt", 0, 1.84134174, 999},
               {"discrete-osgt", 1, 173.543306, 774},
               {"discrete-osgt", 3, 219.031619, 0},
               {"k-norm", 0, 1.999992, 6},
               {"k-norm", 1, 192.229984, 6},
               {"k-norm", 2, 373.303468, 6},
               {"k-norm", 3, 69.972007, 6},
               {"k-norm", 4, 310, 2},
               {"k-norm", 5, 79.0601655, 6},
               {"blocks", 0, 1.999992, 6},
               {"blocks", 1, 192.229984, 6},
               {"blocks", 2, 373.303468, 352},
               {"blocks", 3, 69.972007, 265},
               {"blocks", 4, 310, 2},
               {"blocks", 5, 159.99936, 203},
               {"start-box", 0, 1.999992, 0},
               {"start-box", 1, 192.229984, 0},
               {"start-box", 2, 330.815148, 0},
               {"start-box", 3, 69.972007, 0},
               {"start-box", 4, 216.368944, 0},
               {"start-box", 5, 159.99936, 0},
               {"start-staircase", 0, 1.91809806, 0},
               {"start-staircase", 1, 192.50929, 0},
               {"start-staircase", 2, 330.42115, 0},
               {"start-staircase", 3, 69.9786975, 0},
               {"start-staircase", 4, 214.697221, 0},
               {"start-staircase", 5, 159.967135, 0},
               {"spherical", 2, 564.087606, 105},
               {"spherical", 3, 130.299222, 90},
               {"spherical", 5, 78.9206509, 108},
               {"truncated-staircase", 0, 1.91785724, 0},
               {"truncated-staircase", 1, 154.653038, 0}};
    int worse = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int looks = 0, k = row[i].setting;
        dpn_calibration_options options = dpn_calibration_options_init();
        options.cancelled = count_looks;
        options.context = &looks;
        dpn_plan plan;
        dpn_error why;
        if (dpn_calibrate(&plan, row[i].family, setting[k].epsilon, setting[k].delta, &setting[k].set, &options, &why))
            fail_msg("%s, setting %d: %s", row[i].family, k, why.sentence);
        if (!(plan.delta.upper <= setting[k].delta)) fail_msg("%s, setting %d is not private", row[i].family, k);
        bool bad = !(plan.mse <= row[i].mse * (1 + 1e-6)) || (row[i].looks && looks > 2 + 1.2 * row[i].looks);
        if (bad) print_error("%s, setting %d: %.9g, %d looks\n", row[i].family, k, plan.mse, looks);
        worse += bad;
        dpn_plan_free(&plan);
    }
    assert_int_equal(worse, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_search_is_worse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
