/* What the pictures have in common: a legend on top, one panel or two below it, strokes and rings. */
#ifndef DPNOISE_CLI_KIT_PICTURE_H
#define DPNOISE_CLI_KIT_PICTURE_H

#include "kit/gnuplot.h"

#include <stddef.h>

/* Sizes in points, places as parts of the width. */
struct picture {
    int width, panel, headroom; /* of it all; of what is below the legend, and of what is free on top of that */
    double left, right, stroke; /* where it begins and ends; the length of a stroke of the legend */
    size_t lines;               /* of the legend */
};

/* One panel, or two side by side, below a legend of that many lines. */
struct picture picture_of_one(size_t lines);
struct picture picture_of_two(size_t lines);

/* Start it in a file of that name, with the settings that all pictures share; gnuplot_close ends it.
 * Errors   those of gnuplot_open. */
dpn_status picture_open(struct gnuplot *out, const struct picture *picture, const char *file, dpn_error *why);

/* The settings that all frames share, for a picture without a legend. */
void picture_write_style(FILE *script);

/* Writes the title of a curve as a string of the script. */
typedef void curve_title(FILE *script, const void *of, size_t curve);

/* A line of the legend for each curve: a stroke as the curve's, and its title. */
void picture_write_legend(FILE *script, const struct picture *picture, size_t curves, curve_title *title,
                          const void *of);

/* Where a line of the legend is, as a part of the height; the end of `set label 'text'` that puts it there in grey. */
double picture_line(const struct picture *picture, size_t line);
void picture_write_note(FILE *script, const struct picture *picture, size_t line);

/* The colour of a curve; it and the dashes, which tell curves apart when the colours come again. */
const char *picture_colour(size_t curve);
void picture_write_stroke(FILE *script, size_t curve);

/* Elements of a plot: rings of the curve's colour at the points of the data "$NAMEnumber", which end with a comma. */
void picture_write_rings(FILE *script, const char *name, size_t curve);

#endif
