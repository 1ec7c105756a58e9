/* The option --grid: a power of two. */
#include "input/grid.h"

#include "kit/fail.h"

#include <dpnoise/number.h>
#include <math.h>

dpn_status grid_read(int *exponent, bool *given, const struct arguments *arguments, dpn_error *why) {
    const char *text = arguments_value(arguments, "--grid");
    double grid = 0;
    dpn_status status = arguments_number(&grid, arguments, "--grid", why);
    *given = text && !status;
    if (!*given) return status;
    int above;
    if (frexp(grid, &above) != 0.5 || dpn_number_compare(text, grid) != 0)
        return refuse(why, DPN_EDOMAIN, "--grid must be a power of two, such as 1, 0.5, 0.25 or 0.0009765625");
    *exponent = above - 1;
    return DPN_OK;
}
