/* Golden sections. */
#include "calibrate/golden.h"

#include <stdbool.h>

double dpn_golden(double (*f)(void *context, double x), void *context, double low, double high, int looks) {
    const double golden = 0.6180339887498949;
    double x = high - golden * (high - low), y = low + golden * (high - low);
    double at_x = f(context, x), at_y = f(context, y);
    for (int i = 2; i < looks; i++) {
        bool left = at_x <= at_y;
        if (left) {
            high = y;
            y = x;
            at_y = at_x;
            x = high - golden * (high - low);
            at_x = f(context, x);
        } else {
            low = x;
            x = y;
            at_x = at_y;
            y = low + golden * (high - low);
            at_y = f(context, y);
        }
    }
    return at_x <= at_y ? x : y;
}
