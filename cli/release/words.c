/* Words and numbers of `dpnoise release`. */
#include "release/release.h"

#include "input/plan-file.h"
#include "words/decimal.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_DIGITS = 15, LEAST_DIGITS = -17, FEW = 4 };

/* ---- Numbers ---- */

/* x in steps of 10^-digits, rounded to whole steps by `rounded`; beyond 2^53 steps it is as it was. */
static double in_steps(double x, int digits, double (*rounded)(double)) {
    double power = pow(10, abs(digits)), steps = digits >= 0 ? x * power : x / power;
    if (!(fabs(steps) < 0x1p53)) return x;
    /* The product may be a hair off a whole number that the value is meant to be. */
    double near = nearbyint(steps);
    double whole = fabs(steps - near) <= 4e-16 * fabs(steps) ? near : rounded(steps);
    return digits >= 0 ? whole / power : whole * power;
}

static char *print(char text[RELEASE_NUMBER_SIZE], double x, int digits, double (*rounded)(double)) {
    char number[DPN_NUMBER_SIZE];
    if (digits < LEAST_DIGITS) digits = LEAST_DIGITS;
    if (isnan(x)) {
        strcpy(text, "-");
    } else if (isinf(x) || fabs(x) >= 1e15 || digits >= ALL_DIGITS) {
        strcpy(text, dpn_number_print(number, x));
    } else {
        x = in_steps(x, digits, rounded);
        snprintf(text, RELEASE_NUMBER_SIZE, "%.*f", digits > 0 ? digits : 0, x == 0 ? 0.0 : x);
        if (text[0] == '-' && !text[1 + strspn(text + 1, "0.")]) memmove(text, text + 1, strlen(text));
    }
    return text;
}

char *release_number(char text[RELEASE_NUMBER_SIZE], double x, int digits) {
    return print(text, x, digits, nearbyint);
}

char *release_number_down(char text[RELEASE_NUMBER_SIZE], double x, int digits) {
    return print(text, x, digits, floor);
}

char *release_number_up(char text[RELEASE_NUMBER_SIZE], double x, int digits) {
    return print(text, x, digits, ceil);
}

char *release_few(char text[DPN_NUMBER_SIZE], double x) {
    double rounded;
    decimal_print_up(text, x, FEW);
    if (!dpn_number_parse(&rounded, text, NULL)) dpn_number_print(text, rounded);
    return text;
}

bool release_symmetric(const dpn_answer_cell *cell) {
    double step = pow(10, -cell->digits), above = cell->high - cell->value, below = cell->value - cell->low;
    /* The wider side is shown for both. */
    return isfinite(above) && isfinite(below) && fabs(above - below) <= fmax(2.5 * step, 0.1 * fmax(above, below));
}

char *release_half_width(char text[RELEASE_NUMBER_SIZE], const dpn_answer_cell *cell) {
    return release_number_up(text, fmax(cell->high - cell->value, cell->value - cell->low), cell->digits);
}

/* ---- Words ---- */

const char *release_neighbours(const dpn_declaration *declaration) {
    if (declaration->relation == DPN_REPLACE) return declaration->person ? "replacing one person" : "replacing one row";
    return declaration->person ? "adding or removing one person" : "adding or removing one row";
}

char *release_time(char text[40], const struct release *release) {
    snprintf(text, 40, "%.10s %.5s UTC", release->standing.time,
             strlen(release->standing.time) > 16 ? release->standing.time + 11 : "");
    return text;
}

void release_print_claim(FILE *out, const struct release *release) {
    const char *delta = release->declaration.delta;
    fprintf(out, "(%s, %s)-differentially private", release->declaration.epsilon, delta ? delta : "0");
}

double release_share_left(const dpn_account *account) {
    dpn_filter_plan plan = dpn_filter_plan_of(account->filter);
    double share = 1 - dpn_filter_spent(account->filter).epsilon / dpn_decimal_upper(&plan.epsilon);
    return fmin(1, fmax(0, share));
}

char *release_left(char text[RELEASE_LEFT_SIZE], const dpn_account *account) {
    const dpn_filter *filter = account->filter;
    dpn_filter_plan plan = dpn_filter_plan_of(filter);
    char total[DPN_DECIMAL_TEXT_SIZE], left[DPN_DECIMAL_TEXT_SIZE], number[DPN_NUMBER_SIZE];
    dpn_remaining remaining = dpn_filter_remaining(filter);
    bool exact = dpn_filter_spent(filter).order == plan.orders; /* only sums of pure charges count */
    double rest = release_share_left(account) * dpn_decimal_lower(&plan.epsilon);
    dpn_decimal_print(total, &plan.epsilon);
    snprintf(text, RELEASE_LEFT_SIZE, "epsilon %s%s of %s left", exact ? "" : "about ",
             exact ? dpn_decimal_print(left, &remaining.epsilon) : decimal_print_down(number, rest, 3), total);
    return text;
}

void release_print_noise(FILE *out, const dpn_plan *plan, const char *separator) {
    char noise[BLOCK_SIZE];
    for (size_t b = 0; b < plan->blocks; b++)
        fprintf(out, "%s%s", b ? separator : "", block_print_noise(noise, &plan->block[b]));
}
