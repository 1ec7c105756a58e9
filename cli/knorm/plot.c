/* Balls and the sensitivity space in two dimensions, as Figure 1 of Awan and Slavkovic (2021). */
#include "kit/fail.h"
#include "kit/picture.h"
#include "knorm/knorm.h"

#include <math.h>
#include <stdlib.h>

enum { SIZE = 720, ANGLES = 1440 };

/* The surface of Delta K, at equal steps of an angle in the ball's own box, so that narrow balls are round enough. */
static void write_outline(FILE *script, const struct knorm_ball *at, size_t number) {
    double half[2];
    dpn_ball_half_widths(half, at->ball);
    fprintf(script, "$ball%zu << E\n", number);
    for (int k = 0; k <= ANGLES; k++) {
        double t = 2 * 3.14159265358979323846 * k / ANGLES, u[2] = {half[0] * cos(t), half[1] * sin(t)};
        double norm = dpn_ball_norm(at->ball, u);
        fprintf(script, "%.12g %.12g\n", at->delta * u[0] / norm, at->delta * u[1] / norm);
    }
    fputs("E\n", script);
}

static void write_space(FILE *script, const struct knorm_question *question) {
    fputs("$space << E\n", script);
    for (size_t i = 0; i < question->moves; i++)
        fprintf(script, "%.12g %.12g\n%.12g %.12g\n", question->space[2 * i], question->space[2 * i + 1],
                -question->space[2 * i], -question->space[2 * i + 1]);
    fputs("E\n", script);
}

/* A title between single quotes, where a quote would end it. */
static void write_title(FILE *script, const char *text) {
    for (; *text; text++) fputc(*text == '\'' || *text < ' ' ? ' ' : *text, script);
}

static void write_script(FILE *script, const struct knorm_question *question) {
    picture_write_style(script);
    fputs("set key outside top center horizontal\nset offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n"
          "set xlabel 'move of the first answer'\nset ylabel 'move of the second answer'\n",
          script);
    for (size_t i = 0; i < question->balls; i++) write_outline(script, &question->ball[i], i);
    if (question->space) write_space(script, question);
    fputs("plot ", script);
    if (question->space) fputs("$space with points pt 7 ps 0.6 lc '#bbbbbb' title 'moves', \\\n", script);
    for (size_t i = 0; i < question->balls; i++) {
        fprintf(script, "$ball%zu with lines lw 2 ", i);
        picture_write_stroke(script, i);
        fputs(" title '", script);
        write_title(script, question->ball[i].text);
        fputs("' noenhanced, \\\n", script);
    }
    fputs("1/0 notitle\n", script);
}

dpn_status knorm_plot(const struct knorm_question *question, dpn_error *why) {
    struct gnuplot gnuplot;
    if (question->dimension != 2)
        return refuse(why, DPN_EUNSUPPORTED, "--plot draws balls of two dimensions, not %zu", question->dimension);
    dpn_status status = gnuplot_open(&gnuplot, question->plot, SIZE, SIZE, why);
    if (status) return status;
    write_script(gnuplot.script, question);
    return gnuplot_close(&gnuplot, why);
}
