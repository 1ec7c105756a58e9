/* The least noise for (1, 1e-6)-privacy of five sums, each of which one person moves by up to 1: every family, best first. */
#include <dpnoise/dpnoise.h>
#include <stdio.h>

int main(void) {
    dpn_sensitivity set = {.dimension = 5, .linf = 1, .relation = DPN_ADD_REMOVE, .unit = DPN_PERSON};
    dpn_comparison comparison;
    dpn_plan plan;
    dpn_error why;
    dpn_calibration_options options = dpn_calibration_options_init();
    options.objective = DPN_OBJECTIVE_MAE;
    if (dpn_compare(&comparison, 1, 1e-6, &set, NULL, &why)) {
        fprintf(stderr, "%s\n", why.sentence);
        return dpn_status_exit_code(why.status);
    }
    printf("least mean square error: %s, %.4f\n", comparison.row[0].family, comparison.row[0].plan.mse);
    for (size_t i = 0; i < comparison.plans; i++)
        if (comparison.row[i].plan.delta.upper > 1e-6) return 1; /* never: plans are certified */
    printf("%zu families serve\n", comparison.plans);
    dpn_comparison_free(&comparison);
    if (dpn_calibrate(&plan, "gaussian", 1, 1e-6, &set, &options, &why)) {
        fprintf(stderr, "%s\n", why.sentence);
        return dpn_status_exit_code(why.status);
    }
    char text[DPN_LAW_TEXT_SIZE];
    printf("gaussian alone: %.40s...\n", dpn_law_print(text, dpn_plan_law(&plan, 0)));
    dpn_plan_free(&plan);
    return 0;
}
