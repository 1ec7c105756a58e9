/* The most that one more pure charge can have, found by asking the filter. */
#include "privacy/filter/filter.h"

#include <math.h>
#include <stdio.h>

/* Whether a pure charge of x, rounded to seven digits, fits; then *out is what was asked. */
static bool fits(dpn_decimal *out, const dpn_filter *filter, double x) {
    static const dpn_decimal no_delta;
    dpn_decimal epsilon;
    dpn_cost cost;
    char text[40];
    snprintf(text, sizeof text, "%.6e", x);
    if (dpn_decimal_parse(&epsilon, text, NULL)) return false;
    dpn_charge charge = dpn_charge_pure(filter, &epsilon, &no_delta);
    if (dpn_filter_preview(&cost, filter, &charge, NULL) || !cost.fits) return false;
    *out = epsilon;
    return true;
}

/* What fits is all that is below some number, by each of the rules. The sum of pure charges is exact; by an order it is
 * bisected, and only what was asked and fits is told. */
dpn_decimal dpn_filter_largest_pure(const dpn_filter *filter) {
    dpn_decimal largest = dpn_filter_remaining(filter).epsilon;
    double low = dpn_decimal_lower(&largest), high;
    if (low == 0)
        low = 1e-9 * dpn_decimal_lower(&filter->plan.epsilon);
    else
        low *= 1 + 1e-6;
    if (!fits(&largest, filter, low)) return largest;
    for (high = 2 * low; high < 1e40 && fits(&largest, filter, high); high *= 2) low = high;
    while (high > low * (1 + 1e-6)) {
        double middle = sqrt(low) * sqrt(high);
        if (fits(&largest, filter, middle))
            low = middle;
        else
            high = middle;
    }
    return largest;
}
