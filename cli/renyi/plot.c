/* The picture of dpnoise renyi: divergences against the order, both on log scales, a curve for every mechanism and the line
 * of zCDP, which is bent there, dashed. */
#include "kit/fail.h"
#include "kit/picture.h"
#include "renyi/renyi.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 161 };

/* From 1 to 1000, or as far as was asked. */
static double last_order(const struct renyi_question *question) {
    double last = 1000;
    for (size_t i = 0; i < question->order.nearest.count; i++)
        if (isfinite(question->order.nearest.at[i])) last = fmax(last, question->order.nearest.at[i]);
    return last;
}

static void write_legend(FILE *script, const struct renyi_question *question, const struct picture *picture) {
    size_t count = mechanisms_count(&question->mechanisms);
    picture_write_legend(script, picture, count, mechanisms_write_title, &question->mechanisms);
    fputs("set label '", script);
    mechanisms_write_basis(script, &question->mechanisms);
    fputs("; dashed: zCDP", script);
    for (size_t b = 0; b < question->bounds; b++) fprintf(script, "%s%s", b ? ", " : "; dotted: ", question->bound[b]);
    fputs("'", script);
    picture_write_note(script, picture, count);
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
    for (size_t i = 0; i < question->order.nearest.count; i++) {
        double x = question->order.nearest.at[i], y = answer->divergence[i].upper;
        if (isfinite(x) && isfinite(y) && y > 0) fprintf(script, "%.12g %.12g\n", x, y);
    }
    fputs("E\n", script);
}

/* The bounds by name, one table each. */
static dpn_status write_bounds(FILE *script, const struct renyi_question *question, size_t mechanism,
                               const double *order, dpn_error *why) {
    for (size_t b = 0; b < question->bounds; b++) {
        fprintf(script, "$bound%zu_%zu << E\n", mechanism, b);
        for (int i = 0; i < POINTS; i++) {
            double value;
            dpn_status status = renyi_bound_at(&value, question, mechanism, b, order[i], why);
            if (status) return status;
            if (isfinite(value) && value > 0) fprintf(script, "%.12g %.12g\n", order[i], value);
        }
        fputs("NaN NaN\nE\n", script);
    }
    return DPN_OK;
}

static dpn_status write_curves(FILE *script, const struct renyi_question *question, dpn_error *why) {
    double order[POINTS], last = last_order(question);
    dpn_divergence at[POINTS];
    for (int i = 0; i < POINTS; i++) order[i] = i == POINTS - 1 ? last : pow(last, i / (POINTS - 1.0));
    for (size_t m = 0; m < mechanisms_count(&question->mechanisms); m++) {
        dpn_argument argument;
        dpn_status status = renyi_divergences(at, &argument, question, m, order, POINTS, why);
        if (status) return status;
        write_curve(script, question, m, order, at);
        status = write_bounds(script, question, m, order, why);
        if (status) return status;
    }
    return DPN_OK;
}

static void write_script(FILE *script, const struct renyi_question *question, const struct picture *picture) {
    fputs("set logscale xy\nset xlabel 'order' offset 0,0.3\nset ylabel 'Renyi divergence' offset 1,0\n", script);
    fprintf(script, "set xrange [1:%.12g]\n", last_order(question));
    write_legend(script, question, picture);
    fputs("plot ", script);
    for (size_t i = 0; i < mechanisms_count(&question->mechanisms); i++) {
        fprintf(script, "$curve%zu using 1:2 with lines lw 2 ", i);
        picture_write_stroke(script, i);
        fputs(" title ", script);
        mechanisms_write_title(script, &question->mechanisms, i);
        fprintf(script, " noenhanced, $curve%zu using 1:3 with lines lc '%s' lw 1 dt 2 notitle, \\\n", i,
                picture_colour(i));
        for (size_t b = 0; b < question->bounds; b++)
            fprintf(script, "$bound%zu_%zu with lines lc '%s' lw 1.5 dt %zu notitle, \\\n", i, b, picture_colour(i),
                    3 + b);
        picture_write_rings(script, "asked", i);
    }
    fputs("1/0 notitle\n", script);
}

/* Whether any mechanism has something between 0 and infinity to show. */
static dpn_status check_visible(const struct renyi_question *question, dpn_error *why) {
    for (size_t m = 0; m < mechanisms_count(&question->mechanisms); m++) {
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
    struct picture picture = picture_of_one(mechanisms_count(&question->mechanisms) + 1);
    struct gnuplot gnuplot;
    dpn_status status = picture_open(&gnuplot, &picture, question->plot, why);
    if (status) return status;
    dpn_status drawn = write_curves(gnuplot.script, question, why);
    if (drawn) fputs("exit status 1\n", gnuplot.script); /* gnuplot_close then leaves the file alone */
    if (!drawn) write_script(gnuplot.script, question, &picture);
    dpn_error closing;
    status = gnuplot_close(&gnuplot, drawn ? &closing : why);
    return drawn ? drawn : status;
}
