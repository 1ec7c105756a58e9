/* The picture of dpnoise renyi: divergences against the order, both on log scales, a curve for every mechanism and the line
 * of zCDP, which is bent there, dashed. */
#include "kit/fail.h"
#include "kit/gnuplot.h"
#include "renyi/renyi.h"
#include "words/law.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 800, PANEL_HEIGHT = 480, LEGEND_LINE = 22, POINTS = 161 };

/* From 1 to 1000, or as far as was asked. */
static double last_order(const struct renyi_question *question) {
    double last = 1000;
    for (size_t i = 0; i < question->order.count; i++)
        if (isfinite(question->order.at[i])) last = fmax(last, question->order.at[i]);
    return last;
}

static void write_title(FILE *script, const struct renyi_question *question, size_t mechanism) {
    if (question->laws)
        law_write_title(script, &question->law[mechanism]);
    else if (question->plan.given) {
        putc('\'', script);
        plan_file_describe(script, &question->plan);
        putc('\'', script);
    } else
        fprintf(script, "'composition of %zu %s'", question->composition.parts,
                question->composition.parts == 1 ? "part" : "parts");
}

static void write_legend(FILE *script, const struct renyi_question *question, double total) {
    size_t count = renyi_mechanisms(question);
    for (size_t i = 0; i < count; i++) {
        double x = 0.1, y = 1 - ((double)i + 0.9) * LEGEND_LINE / total;
        fprintf(script, "set arrow from screen %g,%g to screen %g,%g nohead lw 3 lc '%s'\nset label ", x, y, x + 0.04,
                y, gnuplot_palette[i % GNUPLOT_COLOURS]);
        write_title(script, question, i);
        fprintf(script, " at screen %g,%g left noenhanced\n", x + 0.05, y);
    }
    fputs("set label '", script);
    if (question->laws || question->plan.given) {
        sensitivity_describe(script, &question->sensitivity);
        fputs("; ", script);
    }
    fprintf(script, "%s; dashed: zCDP' at screen 0.1,%g left noenhanced tc '#666666'\n",
            neighbours_words(&question->sensitivity.set), 1 - ((double)count + 0.9) * LEGEND_LINE / total);
}

/* The orders, the upper ends and the line of zCDP; what is infinite or unknown is left out. */
static void write_curve(FILE *script, const struct renyi_question *question, size_t mechanism, const double *order,
                        const dpn_divergence *at) {
    const struct renyi_answer *answer = &question->answer[mechanism];
    fprintf(script, "$curve%zu << E\n", mechanism);
    for (int i = 0; i < POINTS; i++) {
        double line = answer->has_zcdp ? answer->zcdp.xi + order[i] * answer->zcdp.rho : NAN;
        if (isfinite(at[i].upper) && at[i].upper > 0)
            fprintf(script, "%.12g %.12g %.12g\n", order[i], at[i].upper, line);
    }
    fprintf(script, "NaN NaN NaN\nE\n$asked%zu << E\nNaN NaN\n", mechanism); /* gnuplot dislikes empty tables */
    for (size_t i = 0; i < question->order.count; i++) {
        double x = question->order.at[i], y = answer->divergence[i].upper;
        if (isfinite(x) && isfinite(y) && y > 0) fprintf(script, "%.12g %.12g\n", x, y);
    }
    fputs("E\n", script);
}

static dpn_status write_curves(FILE *script, const struct renyi_question *question, dpn_error *why) {
    double order[POINTS], last = last_order(question);
    dpn_divergence at[POINTS];
    for (int i = 0; i < POINTS; i++) order[i] = i == POINTS - 1 ? last : pow(last, i / (POINTS - 1.0));
    for (size_t m = 0; m < renyi_mechanisms(question); m++) {
        dpn_argument argument;
        dpn_status status = renyi_divergences(at, &argument, question, m, order, POINTS, why);
        if (status) return status;
        write_curve(script, question, m, order, at);
    }
    return DPN_OK;
}

static void write_script(FILE *script, const struct renyi_question *question, double total) {
    fputs("set encoding utf8\nset zero 0\nunset key\nset border 3 lc '#444444'\nset tics out nomirror\n"
          "set grid lt 1 lc '#e4e4e4' lw 0.7\nset logscale xy\nset format '%g'\n"
          "set xlabel 'order' offset 0,0.3\nset ylabel 'Renyi divergence' offset 1,0\n",
          script);
    fprintf(script, "set lmargin at screen 0.1\nset rmargin at screen 0.975\nset tmargin at screen %g\n",
            (PANEL_HEIGHT - 20) / total);
    fprintf(script, "set bmargin at screen %g\nset xrange [1:%.12g]\n", 60 / total, last_order(question));
    write_legend(script, question, total);
    fputs("plot ", script);
    for (size_t i = 0; i < renyi_mechanisms(question); i++) {
        const char *colour = gnuplot_palette[i % GNUPLOT_COLOURS];
        fprintf(script,
                "$curve%zu using 1:2 with lines lc '%s' lw 2, $curve%zu using 1:3 with lines lc '%s' lw 1 dt 2, \\\n",
                i, colour, i, colour);
        fprintf(script,
                "$asked%zu with points pt 7 ps 0.85 lc '%s', $asked%zu with points pt 7 ps 0.5 lc '#ffffff', \\\n", i,
                colour, i);
    }
    fputs("1/0 notitle\n", script);
}

/* Whether any mechanism has something between 0 and infinity to show. */
static dpn_status check_visible(const struct renyi_question *question, dpn_error *why) {
    for (size_t m = 0; m < renyi_mechanisms(question); m++) {
        dpn_divergence at;
        dpn_argument argument;
        dpn_status status = renyi_divergences(&at, &argument, question, m, (const double[]){2}, 1, why);
        if (status || (at.upper > 0 && isfinite(at.upper))) return status;
    }
    return refuse(why, DPN_EDOMAIN, "--plot: every divergence is 0 or infinite, there is nothing to draw");
}

dpn_status renyi_plot(const struct renyi_question *question, dpn_error *why) {
    dpn_status visible = check_visible(question, why);
    if (visible) return visible;
    int height = PANEL_HEIGHT + ((int)renyi_mechanisms(question) + 1) * LEGEND_LINE;
    struct gnuplot gnuplot;
    dpn_status status = gnuplot_open(&gnuplot, question->plot, WIDTH, height, why);
    if (status) return status;
    dpn_status drawn = write_curves(gnuplot.script, question, why);
    if (drawn) fputs("exit status 1\n", gnuplot.script); /* gnuplot_close then leaves the file alone */
    if (!drawn) write_script(gnuplot.script, question, height);
    dpn_error closing;
    status = gnuplot_close(&gnuplot, drawn ? &closing : why);
    return drawn ? drawn : status;
}
