/* The picture of dpnoise loss: the centred losses, their affine bounds dashed, and rings where these touch. */
#include "kit/picture.h"
#include "loss/loss.h"
#include "words/law.h"

#include <math.h>

enum { POINTS = 1201 };

/* As far as the noise reaches with a probability of 0.998, and a shift more. On the integers a whole number. */
static double reach_of(const struct loss_question *question) {
    double reach = 0;
    for (size_t c = 0; c < question->curves; c++) {
        const struct loss_curve *curve = &question->curve[c];
        reach = fmax(reach, dpn_law_isf(&curve->law, 1e-3) + fabs(curve->shift));
    }
    return reach;
}

/* The points of a curve: all between -reach and reach, or those at which it is defined on the integers. */
static void write_loss(FILE *script, const struct loss_curve *curve, double reach) {
    if (!dpn_law_is_integer(&curve->law)) {
        for (int i = 0; i < POINTS; i++) {
            double t = reach * (2.0 * i / (POINTS - 1) - 1),
                   loss = dpn_privacy_loss_centred(&curve->law, curve->shift, t);
            if (isfinite(loss)) fprintf(script, "%.12g %.12g\n", t, loss);
        }
        return;
    }
    double first = ceil(-reach - 0.5 * curve->shift), step = fmax(1, ceil(2 * reach / POINTS));
    for (double k = first; k + 0.5 * curve->shift <= reach; k += step)
        fprintf(script, "%.12g %.12g\n", k + 0.5 * curve->shift,
                dpn_privacy_loss_centred(&curve->law, curve->shift, k + 0.5 * curve->shift));
}

static void write_data(FILE *script, const struct loss_curve *curve, size_t index, double reach) {
    fprintf(script, "$loss%zu << E\n", index);
    write_loss(script, curve, reach);
    fprintf(script, "NaN NaN\nE\n$bound%zu << E\n", index);
    for (int side = -1; side <= 1; side += 2)
        fprintf(script, "%.12g %.12g\n", side * reach, loss_bound_centred(curve, side * reach));
    fprintf(script, "NaN NaN\nE\n$ridge%zu << E\n", index);
    double ridge = 0.5 * curve->shift;
    if (curve->has_affine && curve->affine.touches && curve->affine.offset > 0)
        fprintf(script, "%.12g %.12g\n", ridge, loss_bound_centred(curve, ridge));
    fputs("NaN NaN\nE\n", script);
}

static void write_title(FILE *script, const void *of, size_t index) {
    const struct loss_curve *curve = &((const struct loss_question *)of)->curve[index];
    char text[DPN_LAW_TEXT_SIZE];
    fprintf(script, "'%s, shift %.6g'", law_short(text, sizeof text, &curve->law), curve->shift);
}

/* The largest and least centred loss to be seen; the bounds may leave the picture. */
static double height_of(const struct loss_question *question, double reach) {
    double height = 0;
    for (size_t c = 0; c < question->curves; c++) {
        const struct loss_curve *curve = &question->curve[c];
        for (int i = 0; i <= 64; i++) {
            double t = reach * i / 64;
            if (dpn_law_is_integer(&curve->law)) t = floor(t) + 0.5 * fabs(fmod(curve->shift, 2));
            double loss = fabs(dpn_privacy_loss_centred(&curve->law, curve->shift, t));
            if (isfinite(loss)) height = fmax(height, loss);
        }
    }
    return height > 0 ? 1.1 * height : 1;
}

static void write_script(FILE *script, const struct loss_question *question, const struct picture *picture) {
    double reach = reach_of(question), height = height_of(question, reach);
    for (size_t c = 0; c < question->curves; c++) write_data(script, &question->curve[c], c, reach);
    fputs("set xlabel 't' offset 0,0.3\nset ylabel 'centred loss' offset 1,0\n", script);
    fprintf(script, "set xrange [%.12g:%.12g]\nset yrange [%.12g:%.12g]\n", -reach, reach, -height, height);
    picture_write_legend(script, picture, question->curves, write_title, question);
    fputs("set label 'dashed: the affine bound; rings: where it touches'", script);
    picture_write_note(script, picture, question->curves);
    fputs("plot ", script);
    for (size_t c = 0; c < question->curves; c++) {
        fprintf(script, "$loss%zu with lines lw 2 ", c);
        picture_write_stroke(script, c);
        fputs(" title ", script);
        write_title(script, question, c);
        fprintf(script, " noenhanced, $bound%zu with lines lc '%s' lw 1 dt 2 notitle, \\\n", c, picture_colour(c));
        picture_write_rings(script, "ridge", c);
    }
    fputs("1/0 notitle\n", script);
}

dpn_status loss_plot(const struct loss_question *question, dpn_error *why) {
    struct picture picture = picture_of_one(question->curves + 1);
    struct gnuplot gnuplot;
    dpn_status status = picture_open(&gnuplot, &picture, question->plot, why);
    if (status) return status;
    write_script(gnuplot.script, question, &picture);
    return gnuplot_close(&gnuplot, why);
}
