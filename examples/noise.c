/* Exact noise on three numbers, which may then be published: turnover, costs and staff of a shop, of which one customer
 * changes the first by up to 100, the second by up to 20 and the third not at all. */
#include <dpnoise/dpnoise.h>
#include <stdio.h>

int main(void) {
    static const char *const value[] = {"51234.50", "31007.25", "12"};
    static const double bound[] = {100, 20, 0};
    dpn_sensitivity set = {.dimension = 3, .bound = bound, .relation = DPN_ADD_REMOVE, .unit = DPN_PERSON};
    dpn_release_options options = dpn_release_options_init();
    dpn_release *release = NULL;
    dpn_rng *rng = NULL;
    dpn_error why;
    int64_t steps[3];
    options.epsilon = 1;
    options.set = &set;
    dpn_status status = dpn_rng_new(&rng, &why);
    if (!status) status = dpn_release_new(&release, &options, &why);
    for (size_t i = 0; i < 3 && !status; i++) status = dpn_release_parse(&steps[i], release, i, value[i], &why);
    if (!status) status = dpn_release_draw(steps, release, rng, steps, &why);
    for (size_t i = 0; i < 3 && !status; i++) {
        char text[DPN_RELEASE_TEXT_SIZE];
        printf("%s, 95%% interval +-%.1f\n", dpn_release_print(text, release, i, steps[i]),
               dpn_release_interval95(release, i));
    }
    if (status) fprintf(stderr, "%s\n", why.sentence);
    dpn_release_free(release);
    dpn_rng_free(rng);
    return dpn_status_exit_code(status);
}
