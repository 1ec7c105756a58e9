/* An axis of a picture. */
#include "page/axis.h"

#include "page/page.h"

#include <math.h>
#include <stdio.h>

static const double SLIGHT = 0.03; /* of a histogram: noise below 0 that is not worth a tick */

/* 1, 2 or 5 times a power of ten, so that a span has at most so many. */
static double tick_step(double span, size_t most_ticks) {
    double each = span / (double)most_ticks, power = pow(10, floor(log10(each)));
    for (size_t i = 0; i < 3; i++)
        if (each <= (double[]){1, 2, 5}[i] * power * (1 + 1e-9)) return (double[]){1, 2, 5}[i] * power;
    return 10 * power;
}

struct axis axis_make(double least, double most, double finest, size_t most_ticks, bool from_zero) {
    if (from_zero && least < 0 && least > -SLIGHT * most) least = 0;
    if (least > 0 && (from_zero || least < 0.5 * most)) least = 0;
    if (most < 0 && (from_zero || most > 0.5 * least)) most = 0;
    if (!(most > least)) {
        double room = fmax(finest, fabs(most) > 0 ? 0.1 * fabs(most) : 1);
        least -= from_zero && least >= 0 ? 0 : room;
        most += room;
    }
    double step = fmax(tick_step(most - least, most_ticks), finest);
    struct axis axis = {
        .step = step, .least = step * floor(least / step + 1e-9), .most = step * ceil(most / step - 1e-9)};
    axis.ticks = (size_t)fmax(1, nearbyint((axis.most - axis.least) / step));
    return axis;
}

double axis_place(const struct axis *axis, double value) {
    return fmin(100, fmax(0, 100 * (value - axis->least) / (axis->most - axis->least)));
}

double axis_tick(const struct axis *axis, size_t tick) {
    double value = axis->least + (double)tick * axis->step;
    return fabs(value) < 1e-9 * axis->step ? 0 : value;
}

char *axis_text(char text[AXIS_TEXT_SIZE], const struct axis *axis, size_t tick) {
    char number[40];
    int digits = (int)fmax(0, ceil(-log10(axis->step) - 1e-9));
    double value = axis_tick(axis, tick);
    if (fabs(value) < 1e15 && digits < 12)
        snprintf(number, sizeof number, "%.*f", digits, value);
    else
        snprintf(number, sizeof number, "%.6g", value);
    return page_thousands(text, number);
}
