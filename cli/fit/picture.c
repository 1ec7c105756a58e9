/* dpnoise fit --plot: what each feature does to the target, in one unit for all of them. */
#include "fit/fit.h"

#include "kit/picture.h"

#include <math.h>

/* What the target (of a logistic fit, the log odds) changes by when a feature goes from its lower to its upper bound, or a row
 * has the level and not the first one: coefficients have units of their own, these have one. */
dpn_coefficient fit_effect(const dpn_model *model, size_t feature) {
    dpn_coefficient effect = model->coefficient[feature + model->intercept];
    double width = model->feature[feature].upper - model->feature[feature].lower;
    effect.value *= width;
    effect.low *= width;
    effect.high *= width;
    return effect;
}

/* Names are data: within quotes of the script, a quote stands twice and line ends are blanks. */
static void write_quoted(FILE *script, const char *text) {
    fputc('\'', script);
    for (; *text; text++) {
        if (*text == '\'') fputc('\'', script);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, script);
    }
    fputc('\'', script);
}

static void write_script(FILE *script, const dpn_model *model, const struct picture *picture) {
    bool has = model->interval[0];
    fputs("set label ", script);
    write_quoted(script, model->target);
    picture_write_note(script, picture, 0);
    fprintf(script, "set label '%s when a feature goes from bound to bound%s'",
            model->kind != DPN_FIT_LOGISTIC ? "its change" : "the change of its log odds",
            has ? ", with 95% intervals" : "");
    picture_write_note(script, picture, 1);
    fputs("$effects << E\n", script);
    for (size_t i = 0; i < model->features; i++) {
        dpn_coefficient effect = fit_effect(model, i);
        bool known = has && !isnan(effect.low); /* the rows may not tell one */
        fprintf(script, "%.12g %zu %.12g %.12g\n", effect.value, i, known ? effect.low : effect.value,
                known ? effect.high : effect.value);
    }
    fputs("E\nset ytics (", script);
    for (size_t i = 0; i < model->features; i++) {
        write_quoted(script, fit_effect(model, i).name);
        fprintf(script, " %zu%s", i, i + 1 < model->features ? ", " : "");
    }
    fprintf(script, ") noenhanced\nset yrange [%g:-0.5]\n", (double)model->features - 0.5);
    fputs("set arrow from 0, graph 0 to 0, graph 1 nohead dt 3 lc '#999999'\n", script);
    fprintf(script, "plot $effects using 1:2:3:4 with xerrorbars pt 7 ps 0.7 lw 2 lc '%s' notitle\n",
            picture_colour(0));
}

dpn_status fit_plot(const struct fitting *fitting, dpn_error *why) {
    struct picture picture = picture_of_one(2);
    struct gnuplot gnuplot;
    picture.left = 0.25; /* room for names */
    dpn_status status = picture_open(&gnuplot, &picture, arguments_value(fitting->release.arguments, "--plot"), why);
    if (status) return status;
    write_script(gnuplot.script, fitting->model, &picture);
    return gnuplot_close(&gnuplot, why);
}
