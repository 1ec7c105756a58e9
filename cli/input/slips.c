/* Numbers that ask for a word. */
#include "input/slips.h"

#include "kit/fail.h"

static bool is_above(const dpn_decimal *number, const char *limit) {
    dpn_decimal most;
    return !dpn_decimal_parse(&most, limit, NULL) && dpn_decimal_compare(number, &most) > 0;
}

dpn_status slip_in_epsilon(const dpn_decimal *epsilon, const struct arguments *arguments, dpn_error *why) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    if (!is_above(epsilon, "10") || arguments_have(arguments, "--yes-epsilon")) return DPN_OK;
    return refuse(why, DPN_EDOMAIN,
                  "--epsilon %.40s is above 10, where little is left of privacy; if it is meant, add --yes-epsilon",
                  dpn_decimal_print(text, epsilon));
}

dpn_status slip_in_delta(const dpn_decimal *delta, const struct arguments *arguments, dpn_error *why) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    if (!is_above(delta, "0.001") || arguments_have(arguments, "--yes-delta")) return DPN_OK;
    return refuse(
        why, DPN_EDOMAIN,
        "--delta %.40s is above 0.001: with that probability nothing is promised; if it is meant, add --yes-delta",
        dpn_decimal_print(text, delta));
}
