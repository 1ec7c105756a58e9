/* What the pictures have in common. */
#include "kit/picture.h"

enum { LEGEND_LINE = 22, BELOW = 60 }; /* the height of a line; what labels take below a panel */

/* Colours that people with any colour vision tell apart (Okabe and Ito 2008), without the yellow, which is lost on
 * white. */
enum { COLOURS = 7 };
static const char *const palette[COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                             "#E69F00", "#56B4E9", "#000000"};

struct picture picture_of_one(size_t lines) {
    return (struct picture){800, 480, 20, 0.1, 0.975, 0.04, lines};
}

struct picture picture_of_two(size_t lines) {
    return (struct picture){1000, 410, 44, 0.075, 0.985, 0.03, lines};
}

static int height(const struct picture *picture) {
    return picture->panel + (int)picture->lines * LEGEND_LINE;
}

void picture_write_style(FILE *script) {
    fputs("set encoding utf8\n"
          "set zero 0\n"
          "unset key\n"
          "set border 3 lc '#444444'\n"
          "set tics out nomirror\n"
          "set grid lt 1 lc '#e4e4e4' lw 0.7\n"
          "set samples 2\n"
          "set format '%g'\n",
          script);
}

dpn_status picture_open(struct gnuplot *out, const struct picture *picture, const char *file, dpn_error *why) {
    int total = height(picture);
    dpn_status status = gnuplot_open(out, file, picture->width, total, why);
    if (status) return status;
    picture_write_style(out->script);
    fprintf(out->script, "set lmargin at screen %g\nset rmargin at screen %g\n", picture->left, picture->right);
    fprintf(out->script, "set tmargin at screen %g\nset bmargin at screen %g\n",
            (double)(picture->panel - picture->headroom) / total, (double)BELOW / total);
    return DPN_OK;
}

double picture_line(const struct picture *picture, size_t line) {
    return 1 - ((double)line + 0.9) * LEGEND_LINE / height(picture);
}

void picture_write_legend(FILE *script, const struct picture *picture, size_t curves, curve_title *title,
                          const void *of) {
    for (size_t i = 0; i < curves; i++) {
        double x = picture->left, end = x + picture->stroke, y = picture_line(picture, i);
        fprintf(script, "set arrow from screen %g,%g to screen %g,%g nohead lw 3 ", x, y, end, y);
        picture_write_stroke(script, i);
        fputs("\nset label ", script);
        title(script, of, i);
        fprintf(script, " at screen %g,%g left noenhanced\n", end + 0.01, y);
    }
}

void picture_write_note(FILE *script, const struct picture *picture, size_t line) {
    fprintf(script, " at screen %g,%g left noenhanced tc '#666666'\n", picture->left, picture_line(picture, line));
}

const char *picture_colour(size_t curve) {
    return palette[curve % COLOURS];
}

void picture_write_stroke(FILE *script, size_t curve) {
    fprintf(script, "dt %zu lc '%s'", curve / COLOURS + 1, picture_colour(curve));
}

void picture_write_rings(FILE *script, const char *name, size_t curve) {
    fprintf(script, "$%s%zu with points pt 7 ps 0.85 lc '%s' notitle, \\\n", name, curve, picture_colour(curve));
    fprintf(script, "$%s%zu with points pt 7 ps 0.5 lc '#ffffff' notitle, \\\n", name, curve);
}
