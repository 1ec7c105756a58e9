/* Pictures of values with intervals, as parts of a page. They are as wide as their place, with letters of the same size on a
 * telephone and on paper: places are percentages. The numbers are in a table too, so that a picture is one image to those who listen. */
#ifndef DPNOISE_CLI_PAGE_CHART_H
#define DPNOISE_CLI_PAGE_CHART_H

#include "page/axis.h"

#include <stdio.h>

/* A value, its interval (NaN: there is none), and both in words. */
struct mark {
    double value, low, high;
    char words[160];
};

/* A line of a picture: its label and its marks, side by side. */
struct chart_line {
    char label[200];
    const struct mark *mark;
    size_t marks;
};

/* The least and the largest number of the marks; beginning with infinity and -infinity. Whether there is any. */
bool marks_span(double *least, double *most, const struct mark *mark, size_t marks);

/* Lines with a dot for each value and a line with end caps for its interval; words at the right if a line has one mark. */
void chart_intervals(FILE *out, const struct axis *axis, const struct chart_line *line, size_t lines,
                     const char *title);

/* Upright bars from 0 with their intervals, between edges: `edge` has one text more than there are bars. */
void chart_histogram(FILE *out, const struct axis *axis, const struct mark *bar, size_t bars, const char *const *edge,
                     const char *title);

/* Pictures side by side: several titled ones between these. */
void chart_panels_begin(FILE *out);
void chart_panels_end(FILE *out);

#endif
