/* An axis of a picture: from a whole tick to a whole tick. */
#ifndef DPNOISE_CLI_PAGE_AXIS_H
#define DPNOISE_CLI_PAGE_AXIS_H

#include <stdbool.h>
#include <stddef.h>

struct axis {
    double least, most, step;
    size_t ticks; /* steps from end to end: there is one tick more */
};

/* An axis that has all of a range, about `most_ticks` steps and none below `finest` (0: any). It begins at 0 if `from_zero`, or if that is near. */
struct axis axis_make(double least, double most, double finest, size_t most_ticks, bool from_zero);

/* Where a value is, in percent from the beginning to the end; the value of a tick, and its text with commas. */
double axis_place(const struct axis *axis, double value);
double axis_tick(const struct axis *axis, size_t tick);
enum { AXIS_TEXT_SIZE = 96 };
char *axis_text(char text[AXIS_TEXT_SIZE], const struct axis *axis, size_t tick);

#endif
