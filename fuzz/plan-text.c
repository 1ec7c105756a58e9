/* Hostile plans. Whatever the bytes, nothing may crash; a refusal has a reason; and a plan that is read keeps the promises
 * of dpnoise/plan.h: every coordinate in one block, and its text reads back to the same text.
 */
#include <dpnoise/plan.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept, const char *what) {
    if (kept) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static void check_blocks(const dpn_plan *plan) {
    size_t covered = 0, dimension = 0;
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        promise(block->count > 0, "no empty block");
        for (size_t i = 1; i < block->count; i++)
            promise(block->coordinate[i] > block->coordinate[i - 1], "coordinates ascend");
        if (block->coordinate[block->count - 1] >= dimension) dimension = block->coordinate[block->count - 1] + 1;
        covered += block->count;
        promise(block->epsilon >= 0 && isfinite(block->epsilon), "epsilons are finite");
    }
    promise(covered == plan->dimension && dimension == plan->dimension, "each coordinate once");
    promise(plan->delta.upper == 1, "nothing is claimed");
    for (size_t i = 0; i < plan->dimension; i++)
        promise(isnan(plan->sensitivity[i]) || plan->sensitivity[i] >= 0, "sensitivities are not negative");
}

static void check_text(const dpn_plan *plan) {
    char *text, *twice;
    dpn_plan again;
    if (plan->dimension > 10000) return; /* small texts may speak of many coordinates: slow, and nothing new */
    promise(!dpn_plan_write(&text, NULL, plan, NULL), "a plan is written");
    promise(!dpn_plan_read(&again, text, strlen(text), NULL), "and read");
    promise(!dpn_plan_write(&twice, NULL, &again, NULL) && strcmp(text, twice) == 0, "and written the same");
    free(text);
    free(twice);
    dpn_plan_free(&again);
}

static void check_guarantee(const dpn_plan *plan) {
    dpn_sensitivity set;
    dpn_epsilon epsilon;
    dpn_error why = {DPN_OK, ""};
    if (plan->dimension > 100 || dpn_plan_sensitivity(&set, plan, NULL)) return;
    dpn_status status = dpn_plan_epsilon(&epsilon, NULL, NULL, plan, &set, plan->times, 0, NULL, &why);
    promise(!status || (why.status == status && why.sentence[0]), "no refusal without a reason");
    promise(status || (epsilon.lower >= 0 && epsilon.lower <= epsilon.upper), "an interval");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size ? size : 1); /* no zero at the end, so that a read beyond it is seen */
    dpn_plan plan;
    dpn_error why = {DPN_OK, ""};
    if (!text) abort();
    if (size) memcpy(text, data, size);
    dpn_status status = dpn_plan_read(&plan, text, size, &why);
    promise(!status || (why.status == status && why.sentence[0]), "no refusal without a reason");
    if (!status) {
        check_blocks(&plan);
        check_text(&plan);
        check_guarantee(&plan);
        dpn_plan_free(&plan);
    }
    free(text);
    return 0;
}
