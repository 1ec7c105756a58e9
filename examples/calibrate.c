/* The least noise for (1, 1e-6)-privacy: of one count that a person moves by at most 1, every family, best first; and of five
 * such counts together, three kinds of noise. */
#include <dpnoise/dpnoise.h>
#include <stdio.h>

static int fail(const dpn_error *why) {
    fprintf(stderr, "%s\n", why->sentence);
    return dpn_status_exit_code(why->status);
}

int main(void) {
    dpn_sensitivity set = {.dimension = 1, .linf = 1, .relation = DPN_ADD_REMOVE, .unit = DPN_PERSON};
    dpn_comparison comparison;
    dpn_error why;
    if (dpn_compare(&comparison, 1, 1e-6, &set, NULL, &why)) return fail(&why);
    printf("one count, mean square error of the best three:\n");
    for (size_t i = 0; i < 3 && i < comparison.plans; i++)
        printf("  %-18s %8.4f\n", comparison.row[i].family, comparison.row[i].plan.mse);
    dpn_comparison_free(&comparison);

    static const char *const families[] = {"laplace", "gaussian", "k-norm"};
    dpn_calibration_options options = dpn_calibration_options_init();
    options.objective = DPN_OBJECTIVE_INTERVAL95;
    set.dimension = 5;
    printf("five counts, half-width of the 95%% interval of each:\n");
    for (int i = 0; i < 3; i++) {
        dpn_plan plan; /* certified: its delta is at most 1e-6 */
        if (dpn_calibrate(&plan, families[i], 1, 1e-6, &set, &options, &why)) return fail(&why);
        printf("  %-18s %8.4f\n", families[i], dpn_plan_error(&plan, dpn_plan_block(&plan, 0), 0, options.objective));
        dpn_plan_free(&plan);
    }
    return 0;
}
