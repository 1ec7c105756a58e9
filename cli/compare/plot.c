/* The picture of dpnoise compare: the error of every family against epsilon, and the densities of the best. */
#include "compare/compare.h"
#include "kit/fail.h"
#include "kit/picture.h"
#include "law/law.h"
#include "words/law.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIDDLE = 2, POINTS = 2 * MIDDLE + 1, BEST = 5 }; /* epsilons of a curve; densities that are drawn */

/* The error of a family at these epsilons; NaN where it has none. */
struct curve {
    double error[POINTS];
};

/* A factor of 10 to either side of the epsilon in question. */
static void choose_epsilons(double out[POINTS], const struct compared *compared) {
    double middle = compared->asked.of_error ? compared->comparison.row[0].plan.epsilon : compared->asked.epsilon;
    if (middle == 0) middle = 1;
    for (int i = 0; i < POINTS; i++) out[i] = middle * pow(10, (i - MIDDLE) / (double)MIDDLE);
    out[MIDDLE] = middle;
}

/* A family that has no answer somewhere has a gap there. */
static dpn_status measure(double *out, struct compared *compared, const char *family, double epsilon, dpn_error *why) {
    dpn_plan plan;
    const struct calibration *asked = &compared->asked;
    dpn_status status =
        dpn_calibrate(&plan, family, epsilon, asked->delta, &asked->sensitivity.set, &asked->options, why);
    *out = status ? NAN : plan.error;
    if (status == DPN_ENOMEM) return status;
    if (!status) dpn_plan_free(&plan);
    return DPN_OK;
}

static dpn_status measure_all(struct curve *curve, struct compared *compared, const double *epsilon, dpn_error *why) {
    dpn_comparison *comparison = &compared->comparison;
    struct progress progress = progress_start("picture", comparison->plans * POINTS);
    dpn_status status = DPN_OK;
    compared->asked.options.progress = NULL;
    for (size_t i = 0; i < comparison->plans * POINTS && !status; i++) {
        const dpn_comparison_row *row = &comparison->row[i / POINTS];
        double *out = &curve[i / POINTS].error[i % POINTS];
        if (row->plan.epsilon == epsilon[i % POINTS])
            *out = row->plan.error;
        else
            status = measure(out, compared, row->family, epsilon[i % POINTS], why);
        progress_step(&progress);
    }
    progress_end(&progress);
    return status;
}

/* ---- The script ---- */

/* One law stands for the noise of a family: that of the first answer that has one. */
static const dpn_law *first_law(const dpn_plan *plan) {
    for (size_t b = 0; b < plan->blocks; b++)
        if (dpn_block_law(&plan->block[b])) return &plan->block[b].law;
    return NULL;
}

static void write_title(FILE *script, const void *of, size_t plan) {
    char text[128];
    const dpn_comparison_row *row = &((const dpn_comparison *)of)->row[plan];
    const dpn_law *law = first_law(&row->plan);
    fprintf(script, "'%s: %s'", row->family, law ? law_short(text, sizeof text, law) : "no noise");
}

static void write_legend(FILE *script, const struct compared *compared, const struct picture *picture) {
    const dpn_comparison *comparison = &compared->comparison;
    const struct calibration *asked = &compared->asked;
    char text[DPN_NUMBER_SIZE];
    picture_write_legend(script, picture, comparison->plans, write_title, comparison);
    fputs("set label '", script);
    sensitivity_describe(script, &asked->sensitivity);
    fprintf(script, "; %s; delta %s; densities of the best at epsilon %.6g'", neighbours_words(&asked->sensitivity.set),
            dpn_number_print(text, asked->asked_delta), calibration_epsilon(asked, &comparison->row[0].plan));
    picture_write_note(script, picture, comparison->plans);
}

static void write_curves(FILE *script, const struct compared *compared, const struct curve *curve,
                         const double *epsilon) {
    size_t plans = compared->comparison.plans;
    for (size_t i = 0; i < plans; i++) {
        fprintf(script, "$error%zu << E\n", i);
        for (int k = 0; k < POINTS; k++)
            if (curve[i].error[k] > 0) fprintf(script, "%.12g %.12g\n", epsilon[k], curve[i].error[k]);
        fputs("NaN NaN\nE\n", script); /* gnuplot dislikes empty tables */
    }
    fprintf(script,
            "set lmargin at screen 0.075\nset rmargin at screen 0.48\nset title '%s against epsilon' offset 0,-0.5\n"
            "set logscale xy\nset xrange [%.12g:%.12g]\nset xlabel 'epsilon' offset 0,0.3\n",
            objective_words(compared->asked.options.objective), epsilon[0], epsilon[POINTS - 1]);
    fprintf(script, "set arrow from %.12g, graph 0 to %.12g, graph 1 nohead dt 3 lc '#999999'\n", epsilon[MIDDLE],
            epsilon[MIDDLE]);
    fputs("plot ", script);
    for (size_t i = plans; i-- > 0;) { /* the best on top */
        fprintf(script, "$error%zu with linespoints pt 7 ps 0.35 lw 2 ", i);
        picture_write_stroke(script, i);
        fprintf(script, " title '%s' noenhanced, \\\n", compared->comparison.row[i].family);
    }
    fputs("1/0 notitle\nunset logscale\nset autoscale\nunset arrow\nunset label\n", script);
}

static void write_densities(FILE *script, const dpn_comparison *comparison) {
    dpn_law law[BEST];
    struct inquiry inquiry = {.law = law};
    for (size_t i = 0; i < comparison->plans && inquiry.laws < BEST; i++) {
        const dpn_law *one = first_law(&comparison->row[i].plan);
        if (one) law[inquiry.laws++] = *one;
    }
    fputs("set xlabel 't' offset 0,0.3\n", script);
    if (inquiry.laws) law_write_log_panel(script, &inquiry);
}

static void write_script(FILE *script, const struct compared *compared, const struct curve *curve,
                         const double *epsilon, const struct picture *picture) {
    fputs("set multiplot\n", script);
    write_legend(script, compared, picture);
    write_curves(script, compared, curve, epsilon);
    write_densities(script, &compared->comparison);
    fputs("unset multiplot\n", script);
}

dpn_status compare_plot(struct compared *compared, dpn_error *why) {
    double epsilon[POINTS];
    size_t plans = compared->comparison.plans;
    struct picture picture = picture_of_two(plans + 1);
    struct curve *curve = calloc(plans, sizeof *curve);
    struct gnuplot gnuplot;
    if (!curve) return refuse(why, DPN_ENOMEM, "out of memory");
    choose_epsilons(epsilon, compared);
    dpn_status status = measure_all(curve, compared, epsilon, why);
    if (!status) status = picture_open(&gnuplot, &picture, compared->plot, why);
    if (!status) {
        write_script(gnuplot.script, compared, curve, epsilon, &picture);
        status = gnuplot_close(&gnuplot, why);
    }
    free(curve);
    return status;
}
