/* Hostile values for a release. The first byte picks the grid, the rest is the text. Whatever the input, nothing may crash; a
 * refusal has a reason; what is accepted lies within half a step, and its print is read back to the same step.
 */
#include <dpnoise/number.h>
#include <dpnoise/release.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept, const char *what, const char *text) {
    if (kept) return;
    fprintf(stderr, "%.200s: broken promise: %s\n", text, what);
    abort();
}

enum { GRIDS = 7 };

/* Made once, for grids near and far; the last is that of whole answers. */
static const dpn_release *release_of(size_t index) {
    static const int exponents[GRIDS] = {-400, -70, -59, -16, 7, 60, 0};
    static dpn_release *release[GRIDS];
    if (!release[index]) {
        double one = ldexp(1, exponents[index]);
        dpn_sensitivity set = {.dimension = 1, .bound = &one};
        dpn_release_options options = {.size = sizeof(dpn_release_options),
                                       .epsilon = 1,
                                       .set = &set,
                                       .family = "laplace",
                                       .has_grid = true,
                                       .grid_exponent = exponents[index],
                                       .whole = index == GRIDS - 1};
        dpn_error why;
        if (dpn_release_new(&release[index], &options, &why)) promise(false, "a release", why.sentence);
    }
    return release[index];
}

static void check_value(const dpn_release *release, const char *text) {
    int64_t steps = 7, again = 0;
    dpn_error why = {DPN_OK, ""};
    dpn_status status = dpn_release_parse(&steps, release, 0, text, &why);
    promise(!status || (why.status == status && why.sentence[0] && steps == 7), "no refusal without a reason", text);
    if (status) return;
    promise(steps <= DPN_RELEASE_MOST_STEPS && steps >= -DPN_RELEASE_MOST_STEPS, "in range", text);
    char printed[DPN_RELEASE_TEXT_SIZE];
    promise(!dpn_release_parse(&again, release, 0, dpn_release_print(printed, release, 0, steps), NULL), "read", text);
    promise(again == steps, "the print is the same step", text);
    int exponent = dpn_release_grid_exponent(release, 0);
    if (llabs(steps) <
        (int64_t)1 << 51) { /* the ends of the step are doubles: the text is between them, the lower one included */
        promise(dpn_number_compare(text, ldexp((double)steps - 0.5, exponent)) >= 0, "not below", text);
        promise(dpn_number_compare(text, ldexp((double)steps + 0.5, exponent)) < 0, "not above", text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t grid = size > 0 ? data[0] % GRIDS : 0, length = size > 0 ? size - 1 : 0;
    char *text = malloc(length + 1); /* of exactly this size, so that a read beyond the end is seen */
    if (!text) abort();
    if (length) memcpy(text, data + 1, length);
    text[length] = '\0';
    check_value(release_of(grid), text);
    free(text);
    return 0;
}
