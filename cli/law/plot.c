/* The picture of dpnoise law: the densities on a linear and on a log scale, side by side, under a legend. */
#include "kit/picture.h"
#include "law/law.h"
#include "words/law.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* More marks than this on the integers blur into a curve, and are drawn as one. */
enum { MOST_MARKS = 80 };

/* A panel shows heights from floor to top for |t| <= reach. The height is the density or its decimal logarithm: with
 * the logarithm taken here, the picture reaches densities that no double holds. */
struct panel {
    bool log;
    double reach, floor, top;
};

static double height(const struct panel *panel, const dpn_law *law, double t) {
    if (!panel->log) return dpn_law_pdf(law, t);
    /* A density that ends at zero leaves the panel by a vertical line. */
    return fmax(dpn_law_log_pdf(law, t) / log(10), panel->floor - 1);
}

/* ---- What to show ---- */

/* The distance at which a law's tail has the probability p, a little more where its values end there. */
static double law_reach(const dpn_law *law, double p) {
    double t = dpn_law_isf(law, p), support = dpn_law_support(law);
    if (t >= 0.9 * support) return 1.08 * support;
    return dpn_law_is_integer(law) ? fmax(t, 2) + 0.5 : t;
}

static struct panel choose_panel(const struct inquiry *inquiry, bool log_scale) {
    struct panel panel = {.log = log_scale};
    double highest = -INFINITY, lowest = INFINITY;
    for (size_t i = 0; i < inquiry->laws; i++) {
        const dpn_law *law = &inquiry->law[i];
        panel.reach = fmax(panel.reach, law_reach(law, log_scale ? 1e-12 : 1e-3));
        double peak = log_scale ? dpn_law_log_pdf(law, 0) / log(10) : dpn_law_pdf(law, 0);
        highest = fmax(highest, peak);
        lowest = fmin(lowest, peak);
    }
    panel.top = log_scale ? floor(highest) + 1 : 1.06 * highest;
    panel.floor = log_scale ? floor(lowest - 11.5) : 0;
    return panel;
}

static bool drawn_as_marks(const struct panel *panel, const dpn_law *law) {
    return dpn_law_is_integer(law) && panel->reach <= MOST_MARKS;
}

/* Where the density changes its form: the families that have such a point call it alpha. 0 if there is none to show. */
static double transition(const struct panel *panel, const dpn_law *law) {
    double alpha = dpn_law_parameter(law, "alpha");
    return !dpn_law_is_integer(law) && alpha > 0 && alpha < panel->reach ? alpha : 0;
}

/* ---- Data ---- */

static void write_point(FILE *script, double t, double h) {
    fprintf(script, "%.12g %.12g\n", t, h);
}

/* The curve on (a, b], a being written already: halve while the chord misses the curve by a visible amount. Jumps end
 * as steps too steep to see. Two probes, since a staircase may meet its chord in the middle. */
static void write_curve(FILE *script, const struct panel *panel, const dpn_law *law, double a, double at_a, double b,
                        double at_b, int depth) {
    double middle = a + 0.5 * (b - a), probe = a + 0.31 * (b - a);
    double at_middle = height(panel, law, middle);
    double missed =
        fmax(fabs(at_middle - 0.5 * (at_a + at_b)), fabs(height(panel, law, probe) - (at_a + 0.31 * (at_b - at_a))));
    if (depth == 0 || missed <= 1e-3 * (panel->top - panel->floor)) {
        write_point(script, b, at_b);
        return;
    }
    write_curve(script, panel, law, a, at_a, middle, at_middle, depth - 1);
    write_curve(script, panel, law, middle, at_middle, b, at_b, depth - 1);
}

static void write_continuous(FILE *script, const struct panel *panel, const dpn_law *law) {
    enum { PIECES = 200, DEPTH = 12 }; /* even: zero, where densities have their peak, is a point */
    double step = 2 * panel->reach / PIECES, a = -panel->reach, at_a = height(panel, law, a);
    write_point(script, a, at_a);
    for (int i = 1; i <= PIECES; i++) {
        double b = step * (i - PIECES / 2), at_b = height(panel, law, b);
        write_curve(script, panel, law, a, at_a, b, at_b, DEPTH);
        a = b;
        at_a = at_b;
    }
}

static void write_integers(FILE *script, const struct panel *panel, const dpn_law *law) {
    double last = floor(panel->reach), step = drawn_as_marks(panel, law) ? 1 : ceil(last / 500);
    for (double t = -floor(last / step) * step; t <= last; t += step) write_point(script, t, height(panel, law, t));
}

static void write_data(FILE *script, const struct panel *panel, const dpn_law *law, const char *name, size_t index) {
    fprintf(script, "$%s%zu << E\n", name, index);
    if (dpn_law_is_integer(law))
        write_integers(script, panel, law);
    else
        write_continuous(script, panel, law);
    fputs("E\n", script);
    double alpha = transition(panel, law);
    if (alpha == 0) return;
    fprintf(script, "$%s_rings%zu << E\n", name, index);
    write_point(script, -alpha, height(panel, law, -alpha));
    write_point(script, alpha, height(panel, law, alpha));
    fputs("E\n", script);
}

/* ---- Drawing ---- */

/* A curve has the law as its title: readers of an SVG see it when they point there. */
static void write_law(FILE *script, const struct panel *panel, const dpn_law *law, const char *name, size_t index) {
    const char *colour = picture_colour(index);
    if (drawn_as_marks(panel, law)) {
        if (!panel->log) fprintf(script, "$%s%zu with impulses lc '%s' lw 1 notitle, \\\n", name, index, colour);
        fprintf(script, "$%s%zu with points pt %d ps %g lc '%s'", name, index, index % 2 ? 5 : 7,
                panel->reach > MOST_MARKS / 2 ? 0.35 : 0.55, colour);
    } else {
        fprintf(script, "$%s%zu with lines lw 2 ", name, index);
        picture_write_stroke(script, index);
    }
    fputs(" title ", script);
    law_write_title(script, law);
    fputs(" noenhanced, \\\n", script);
}

static const char *quantity(const struct inquiry *inquiry) {
    size_t integers = law_count_integers(inquiry);
    return integers == 0 ? "density" : integers == inquiry->laws ? "probability" : "density or probability";
}

static void write_panel(FILE *script, const struct inquiry *inquiry, bool log_scale) {
    struct panel panel = choose_panel(inquiry, log_scale);
    const char *name = log_scale ? "log" : "linear";
    for (size_t i = 0; i < inquiry->laws; i++) write_data(script, &panel, &inquiry->law[i], name, i);
    fprintf(script, "set lmargin at screen %g\nset rmargin at screen %g\n", log_scale ? 0.58 : 0.075,
            log_scale ? 0.985 : 0.48);
    fprintf(script, "set title '%s%s' offset 0,-0.5\n", quantity(inquiry), log_scale ? ", log scale" : "");
    fprintf(script, "set xrange [%.12g:%.12g]\n", -panel.reach, panel.reach);
    fprintf(script, "set yrange [%.12g:%.12g]\n", panel.floor, panel.top);
    if (log_scale) fprintf(script, "set format y '10^{%%g}'\nset ytics %g\n", ceil((panel.top - panel.floor) / 8));
    fputs("plot ", script);
    for (size_t i = 0; i < inquiry->laws; i++) write_law(script, &panel, &inquiry->law[i], name, i);
    for (size_t i = 0; i < inquiry->laws; i++) /* after all the curves so that none hides them */
        if (transition(&panel, &inquiry->law[i]) > 0)
            picture_write_rings(script, log_scale ? "log_rings" : "linear_rings", i);
    fputs("1/0 notitle\n", script);
}

void law_write_log_panel(FILE *script, const struct inquiry *inquiry) {
    write_panel(script, inquiry, true);
}

static void write_title(FILE *script, const void *inquiry, size_t law) {
    law_write_title(script, &((const struct inquiry *)inquiry)->law[law]);
}

/* A line for every law, and on the right what the rings are. */
static void write_legend(FILE *script, const struct inquiry *inquiry, const struct picture *picture) {
    bool rings = false;
    picture_write_legend(script, picture, inquiry->laws, write_title, inquiry);
    for (size_t i = 0; i < inquiry->laws; i++)
        rings |= transition(&(struct panel){.reach = INFINITY}, &inquiry->law[i]) > 0;
    if (rings)
        fprintf(script, "set label 'rings: where the density changes its form' at screen %g,%g right tc '#666666'\n",
                picture->right, picture_line(picture, 0));
}

static void write_script(FILE *script, const struct inquiry *inquiry, const struct picture *picture) {
    fputs("set xlabel 't' offset 0,0.3\nset multiplot\n", script);
    write_legend(script, inquiry, picture);
    write_panel(script, inquiry, false);
    fputs("unset arrow\nunset label\n", script); /* the legend once */
    write_panel(script, inquiry, true);
    fputs("unset multiplot\n", script);
}

dpn_status law_plot(const struct inquiry *inquiry, dpn_error *why) {
    struct gnuplot gnuplot;
    struct picture picture = picture_of_two(inquiry->laws);
    dpn_status status = picture_open(&gnuplot, &picture, inquiry->plot, why);
    if (status) return status;
    write_script(gnuplot.script, inquiry, &picture);
    return gnuplot_close(&gnuplot, why);
}
