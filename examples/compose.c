/* What Gaussian noise of sigma 20 guarantees for one sum that a person moves by at most 1, and for a hundred of them. */
#include <dpnoise/dpnoise.h>
#include <stdio.h>

static int fail(const dpn_error *why) {
    fprintf(stderr, "%s\n", why->sentence);
    return dpn_status_exit_code(why->status);
}

int main(void) {
    dpn_law law;
    dpn_part part = {.times = 100};
    dpn_workspace *workspace = NULL;
    dpn_delta delta;
    dpn_epsilon epsilon;
    dpn_error why = {DPN_ENOMEM, "out of memory"};
    if (dpn_law_parse(&law, "gaussian(sigma=20)", &why) || dpn_profile_epsilon(&epsilon, &law, 1, 1e-6, &why))
        return fail(&why);
    printf("one release: epsilon %.6f at delta 1e-6\n", epsilon.upper);
    if (dpn_loss_law(&part.loss, &law, 1, &why) || dpn_workspace_new(&workspace) ||
        dpn_compose_epsilon(&epsilon, workspace, &part, 1, 1e-6, NULL, &why) ||
        dpn_compose_delta(&delta, workspace, &part, 1, 1, NULL, &why)) {
        dpn_workspace_free(workspace);
        return fail(&why);
    }
    /* Every answer is an interval that holds the true value; only its upper end backs a guarantee. */
    printf("a hundred: epsilon %.6f at delta 1e-6\n", epsilon.upper);
    printf("a hundred: delta between %.6e and %.6e at epsilon 1\n", delta.lower, delta.upper);
    dpn_workspace_free(workspace);
    return 0;
}
