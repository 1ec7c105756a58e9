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

static const double equal[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, rising[] = {1, 2, 3},
                    pairs[] = {1, 1, 2, 5}, weight[] = {4, 1, 1, 2, 1};
static const struct {
    double epsilon, delta;
    dpn_sensitivity set;
    dpn_objective objective;
    bool identical;
    uint64_t times;
    bool weighted;
} setting[] = {
    {1, 1e-6, {.dimension = 1, .bound = equal}, DPN_OBJECTIVE_MSE, false, 1, false},
    {0.1, 1e-3, {.dimension = 1, .bound = equal}, DPN_OBJECTIVE_MSE, false, 1, false},
    {0.5, 1e-5, {.dimension = 3, .bound = rising}, DPN_OBJECTIVE_MSE, false, 1, false},
    {1, 1e-4, {.dimension = 5, .bound = equal}, DPN_OBJECTIVE_MSE, false, 1, false},
    {1, 0, {.dimension = 4, .bound = pairs}, DPN_OBJECTIVE_MSE, false, 1, false},
    {1, 1e-6, {.dimension = 4, .l2 = 2}, DPN_OBJECTIVE_MSE, false, 1, false},
    {3, 1e-8, {.dimension = 1, .bound = equal}, DPN_OBJECTIVE_MAE, false, 1, false},
    {0.3, 1e-4, {.dimension = 1, .bound = equal}, DPN_OBJECTIVE_INTERVAL95, false, 1, false},
    {2, 1e-5, {.dimension = 3, .bound = rising}, DPN_OBJECTIVE_MSE, true, 1, false},
    {1, 1e-5, {.dimension = 5, .bound = equal}, DPN_OBJECTIVE_MSE, false, 1, true},
    {2, 1e-6, {.dimension = 2, .bound = equal}, DPN_OBJECTIVE_MSE, false, 5, false},
    {1, 1e-6, {.dimension = 12, .bound = equal}, DPN_OBJECTIVE_MSE, false, 1, false},
    {0.5, 1e-4, {.dimension = 20, .bound = equal}, DPN_OBJECTIVE_MSE, false, 1, false},
    {1, 1e-5, {.dimension = 20, .bound = equal, .max_changed = 2}, DPN_OBJECTIVE_MSE, false, 1, false},
    {0.7, 0, {.dimension = 3, .bound = rising, .l1 = 4}, DPN_OBJECTIVE_MAE, false, 1, false},
    {1, 1e-3, {.dimension = 6, .l1 = 2}, DPN_OBJECTIVE_MSE, false, 1, false},
    {0.069, 0.023, {.dimension = 4, .bound = pairs}, DPN_OBJECTIVE_MSE, false, 1, false},
};

static void no_search_is_worse(void **state) {
    (void)state;
    static const struct {
        const char *family;
        int setting;
        double error;
        int looks; /* 0: many, from within a look */
    } row[] = {{"gaussian", 0, 17.84791172, 3},
               {"gaussian", 1, 302.9130072, 6},
               {"gaussian", 2, 1780.07711, 15},
               {"gaussian", 3, 253.7175885, 5},
               {"gaussian", 5, 285.5665875, 3},
               {"gaussian", 6, 1.451067126, 3},
               {"gaussian", 7, 18.19566999, 5},
               {"gaussian", 8, 166.9620989, 3},
               {"gaussian", 9, 572.6002967, 11},
               {"gaussian", 10, 99.50048793, 3},
               {"gaussian", 11, 2570.099287, 3},
               {"gaussian", 12, 13894.69381, 5},
               {"gaussian", 13, 556.7044958, 5},
               {"gaussian", 15, 159.0926103, 5},
               {"gaussian", 16, 5316.443827, 21},
               {"laplace", 0, 1.999992, 3},
               {"laplace", 1, 192.2299845, 3},
               {"laplace", 2, 813.2045212, 175},
               {"laplace", 3, 248.411432, 0},
               {"laplace", 4, 552.1497515, 11},
               {"laplace", 5, 127.9959045, 13},
               {"laplace", 6, 0.3333333311, 3},
               {"laplace", 7, 9.979121165, 3},
               {"laplace", 8, 53.99568035, 13},
               {"laplace", 10, 99.89788722, 0},
               {"laplace", 11, 3428.142761, 0},
               {"laplace", 12, 25736.39233, 0},
               {"laplace", 13, 159.9872009, 11},
               {"laplace", 14, 17.14285714, 5},
               {"laplace", 15, 47.80847898, 3},
               {"laplace", 16, 10918.65933, 0},
               {"flipped-huber", 0, 1.999781503, 1304},
               {"flipped-huber", 1, 159.8962957, 1084},
               {"flipped-huber", 3, 236.167537, 0},
               {"flipped-huber", 5, 127.9959045, 61},
               {"flipped-huber", 6, 0.3333333266, 1346},
               {"flipped-huber", 7, 9.949784855, 1275},
               {"flipped-huber", 10, 98.18440855, 0},
               {"flipped-huber", 11, 2569.737433, 108},
               {"flipped-huber", 12, 13894.69381, 76},
               {"flipped-huber", 13, 159.7285188, 0},
               {"flipped-huber", 15, 46.55821528, 1179},
               {"flipped-huber", 16, 5316.443827, 0},
               {"osgt", 0, 1.999978254, 1451},
               {"osgt", 1, 173.6781804, 977},
               {"osgt", 3, 218.1371208, 100},
               {"osgt", 5, 127.9687311, 0},
               {"osgt", 6, 0.3333333311, 1635},
               {"osgt", 7, 9.960286921, 1302},
               {"osgt", 10, 87.71165716, 99},
               {"osgt", 11, 2423.733787, 88},
               {"osgt", 12, 13836.35042, 68},
               {"osgt", 13, 159.9215498, 0},
               {"osgt", 15, 47.48987805, 1223},
               {"osgt", 16, 5316.443827, 93},
               {"staircase", 0, 1.918097891, 0},
               {"staircase", 1, 192.0882354, 0},
               {"staircase", 3, 248.5394143, 90},
               {"staircase", 4, 549.5758102, 167},
               {"staircase", 5, 127.9959045, 38},
               {"staircase", 6, 0.2348212188, 0},
               {"staircase", 7, 9.975937052, 0},
               {"staircase", 8, 119.2490153, 244},
               {"staircase", 10, 99.7921886, 126},
               {"staircase", 11, 3429.806259, 98},
               {"staircase", 12, 25554.70233, 86},
               {"staircase", 13, 158.3324575, 259},
               {"staircase", 14, 17.14285714, 30},
               {"staircase", 15, 47.80847898, 28},
               {"truncated-laplace", 0, 1.999750886, 1855},
               {"truncated-laplace", 1, 154.7153749, 1125},
               {"truncated-laplace", 3, 247.9385362, 150},
               {"truncated-laplace", 5, 127.9846297, 107},
               {"truncated-laplace", 6, 0.3333333261, 1551},
               {"truncated-laplace", 7, 9.949784836, 1511},
               {"truncated-laplace", 8, 53.97182225, 192},
               {"truncated-laplace", 10, 99.89788722, 0},
               {"truncated-laplace", 11, 3428.142761, 0},
               {"truncated-laplace", 12, 25736.39233, 0},
               {"truncated-laplace", 13, 159.8270086, 0},
               {"truncated-laplace", 15, 46.34702203, 1414},
               {"huber", 0, 1.999992, 943},
               {"huber", 1, 191.8527801, 571},
               {"huber", 4, 552.1497515, 110},
               {"huber", 5, 127.9959045, 37},
               {"huber", 7, 9.979107573, 622},
               {"huber", 8, 53.99568035, 110},
               {"huber", 11, 2443.419674, 0},
               {"huber", 12, 13849.76306, 54},
               {"huber", 13, 159.9872009, 0},
               {"huber", 14, 17.14285714, 26},
               {"huber", 15, 47.80807156, 590},
               {"logistic", 0, 3.279421502, 28},
               {"logistic", 1, 222.8261797, 22},
               {"logistic", 2, 1091.170273, 0},
               {"logistic", 3, 223.1014037, 11},
               {"logistic", 4, 908.2499362, 25},
               {"logistic", 5, 181.0357277, 16},
               {"logistic", 6, 0.4620680908, 34},
               {"logistic", 7, 11.80432367, 18},
               {"logistic", 8, 79.12862242, 0},
               {"logistic", 9, 442.164326, 0},
               {"logistic", 10, 87.55788016, 12},
               {"logistic", 11, 2408.952427, 13},
               {"logistic", 12, 14642.63627, 11},
               {"logistic", 13, 246.098721, 0},
               {"logistic", 14, 23.76504619, 5},
               {"logistic", 15, 71.38788454, 16},
               {"logistic", 16, 6006.978824, 47},
               {"subbotin", 3, 215.5246912, 92},
               {"subbotin", 4, 552.1497515, 26},
               {"subbotin", 11, 2370.574349, 105},
               {"subbotin", 12, 13784.63575, 82},
               {"subbotin", 14, 17.14285714, 20},
               {"discrete-gaussian", 0, 17.89948977, 22},
               {"discrete-gaussian", 1, 302.9146084, 26},
               {"discrete-gaussian", 3, 253.730136, 15},
               {"discrete-gaussian", 5, 328.4615594, 12},
               {"discrete-gaussian", 6, 1.425764506, 14},
               {"discrete-gaussian", 7, 18, 20},
               {"discrete-gaussian", 8, 166.9717512, 14},
               {"discrete-gaussian", 10, 99.51713889, 11},
               {"discrete-gaussian", 11, 2570.072948, 11},
               {"discrete-gaussian", 12, 13894.75949, 13},
               {"discrete-gaussian", 13, 556.6076741, 15},
               {"discrete-gaussian", 15, 159.1652265, 16},
               {"discrete-gaussian", 16, 5316.469133, 0},
               {"discrete-laplace", 0, 1.841341738, 26},
               {"discrete-laplace", 1, 192.4260292, 8},
               {"discrete-laplace", 3, 248.1762266, 17},
               {"discrete-laplace", 4, 551.4836685, 25},
               {"discrete-laplace", 5, 127.3328487, 20},
               {"discrete-laplace", 6, 0.09982156862, 37},
               {"discrete-laplace", 7, 10, 12},
               {"discrete-laplace", 8, 53.5000347, 24},
               {"discrete-laplace", 10, 99.62774453, 18},
               {"discrete-laplace", 11, 3436.713341, 18},
               {"discrete-laplace", 12, 26182.292, 12},
               {"discrete-laplace", 13, 156.699667, 22},
               {"discrete-laplace", 14, 25.65604488, 5},
               {"discrete-laplace", 15, 46.85848362, 19},
               {"discrete-flipped-huber", 0, 1.841136525, 1578},
               {"discrete-flipped-huber", 1, 161.0503383, 613},
               {"discrete-flipped-huber", 6, 0.0998215665, 1020},
               {"discrete-flipped-huber", 7, 10, 1274},
               {"discrete-flipped-huber", 11, 2570.045997, 0},
               {"discrete-flipped-huber", 13, 156.5288445, 0},
               {"discrete-flipped-huber", 14, 25.65604488, 5},
               {"discrete-osgt", 0, 1.841341738, 999},
               {"discrete-osgt", 1, 173.5433055, 774},
               {"discrete-osgt", 3, 219.0316186, 0},
               {"discrete-osgt", 6, 0.09982156862, 1050},
               {"discrete-osgt", 7, 10, 1029},
               {"discrete-osgt", 10, 88.21900502, 0},
               {"discrete-osgt", 11, 2428.430048, 0},
               {"discrete-osgt", 12, 13837.83598, 0},
               {"discrete-osgt", 13, 156.699667, 0},
               {"discrete-osgt", 14, 25.65604488, 5},
               {"discrete-osgt", 15, 46.85848362, 0},
               {"k-norm", 0, 1.999992, 6},
               {"k-norm", 1, 192.2299845, 6},
               {"k-norm", 2, 373.3034683, 6},
               {"k-norm", 3, 69.972007, 6},
               {"k-norm", 4, 310, 2},
               {"k-norm", 5, 79.06016548, 6},
               {"k-norm", 6, 0.3333333311, 6},
               {"k-norm", 7, 9.979121165, 6},
               {"k-norm", 9, 125.9949601, 6},
               {"k-norm", 11, 727.997088, 6},
               {"k-norm", 12, 12043.37809, 6},
               {"k-norm", 13, 159.9936002, 6},
               {"k-norm", 14, 17.14285714, 2},
               {"k-norm", 15, 47.80847898, 6},
               {"k-norm", 16, 7170.902774, 6},
               {"blocks", 0, 1.999992, 6},
               {"blocks", 1, 192.2299845, 6},
               {"blocks", 2, 373.3034683, 352},
               {"blocks", 3, 69.972007, 265},
               {"blocks", 4, 310, 2},
               {"blocks", 5, 159.99936, 203},
               {"blocks", 6, 0.3333333311, 6},
               {"blocks", 7, 9.979121165, 6},
               {"blocks", 9, 125.9949601, 305},
               {"blocks", 10, 49.99840014, 40},
               {"blocks", 11, 727.997088, 193},
               {"blocks", 12, 12310.14942, 131},
               {"blocks", 13, 3079.876803, 167},
               {"blocks", 14, 17.14285714, 2},
               {"blocks", 15, 446.2124705, 111},
               {"blocks", 16, 10634.44154, 0},
               {"start-box", 0, 1.999992, 0},
               {"start-box", 1, 192.2299845, 0},
               {"start-box", 2, 330.8151482, 0},
               {"start-box", 3, 69.972007, 0},
               {"start-box", 4, 216.3689441, 0},
               {"start-box", 5, 159.99936, 0},
               {"start-box", 6, 0.3333333311, 0},
               {"start-box", 7, 9.979090786, 0},
               {"start-box", 9, 116.4056183, 0},
               {"start-box", 10, 49.99840008, 0},
               {"start-box", 11, 727.997088, 0},
               {"start-box", 12, 12310.14942, 0},
               {"start-box", 13, 3079.876803, 0},
               {"start-box", 14, 16.72048133, 0},
               {"start-box", 15, 446.2124705, 0},
               {"start-box", 16, 16208.79927, 0},
               {"start-staircase", 0, 1.918098064, 0},
               {"start-staircase", 1, 192.5092905, 0},
               {"start-staircase", 2, 330.4211502, 0},
               {"start-staircase", 3, 69.97869746, 0},
               {"start-staircase", 4, 214.6972214, 0},
               {"start-staircase", 5, 159.9671355, 0},
               {"start-staircase", 6, 0.2348212189, 0},
               {"start-staircase", 7, 9.97999798, 0},
               {"start-staircase", 9, 116.3144178, 0},
               {"start-staircase", 10, 49.97458478, 0},
               {"start-staircase", 11, 727.9980083, 0},
               {"start-staircase", 12, 12312.08668, 0},
               {"start-staircase", 13, 3079.91574, 0},
               {"start-staircase", 14, 16.70079124, 0},
               {"start-staircase", 15, 446.7743332, 0},
               {"start-staircase", 16, 16791.93577, 0},
               {"random-box", 11, 727.9035301, 6},
               {"random-box", 12, 10583.13997, 3},
               {"spherical", 2, 564.0876064, 105},
               {"spherical", 3, 130.2992222, 90},
               {"spherical", 5, 78.92065093, 108},
               {"spherical", 8, 35.73515136, 116},
               {"spherical", 9, 253.0769433, 97},
               {"spherical", 11, 1458.340352, 79},
               {"spherical", 12, 11935.69154, 66},
               {"spherical", 13, 424.8311301, 65},
               {"spherical", 15, 112.6375833, 73},
               {"spherical", 16, 5316.490494, 66},
               {"truncated-staircase", 0, 1.917857243, 0},
               {"truncated-staircase", 1, 154.6530377, 0},
               {"truncated-staircase", 6, 0.2348212192, 0},
               {"truncated-staircase", 7, 9.949592236, 0}};
    int worse = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int looks = 0, k = row[i].setting;
        dpn_calibration_options options = dpn_calibration_options_init();
        options.cancelled = count_looks;
        options.context = &looks;
        options.objective = setting[k].objective;
        options.identical = setting[k].identical;
        options.times = setting[k].times;
        options.weight = setting[k].weighted ? weight : NULL;
        dpn_plan plan;
        dpn_error why;
        if (dpn_calibrate(&plan, row[i].family, setting[k].epsilon, setting[k].delta, &setting[k].set, &options, &why))
            fail_msg("%s, setting %d: %s", row[i].family, k, why.sentence);
        if (!(plan.delta.upper <= setting[k].delta)) fail_msg("%s, setting %d is not private", row[i].family, k);
        bool bad = !(plan.error <= row[i].error * (1 + 1e-6)) || (row[i].looks && looks > 2 + 1.2 * row[i].looks);
        if (bad) print_error("%s, setting %d: %.9g, %d looks\n", row[i].family, k, plan.error, looks);
        worse += bad;
        dpn_plan_free(&plan);
    }
    assert_int_equal(worse, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_search_is_worse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
