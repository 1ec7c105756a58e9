/* Golden sections. */
#include "limit.h"

#include <math.h>

enum { SECTIONS = 48 };

double limit_least(double (*f)(double x, const void *context), const void *context, double low, double high) {
    const double ratio = 0.6180339887498949;
    double left = high - ratio * (high - low), right = low + ratio * (high - low);
    double at_left = f(left, context), at_right = f(right, context), least = fmin(at_left, at_right);
    for (int i = 0; i < SECTIONS; i++) {
        if (at_left <= at_right) {
            high = right, right = left, at_right = at_left;
            left = high - ratio * (high - low), at_left = f(left, context);
        } else {
            low = left, left = right, at_left = at_right;
            right = low + ratio * (high - low), at_right = f(right, context);
        }
        least = fmin(least, fmin(at_left, at_right));
    }
    return least;
}
