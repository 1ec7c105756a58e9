/* The picture of dpnoise profile: delta on a log scale against epsilon, a curve for every mechanism. */
#include "kit/fail.h"
#include "kit/picture.h"
#include "kit/progress.h"
#include "profile/profile.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The picture shows decimal logarithms of delta from floor to top for epsilon in [left, right]. */
struct frame {
    double left, right;
};
static const double top = 0.25, lowest = -12;

/* Both ends of delta at epsilon, as decimal logarithms, no lower than just below the picture. */
struct point {
    double epsilon, upper, lower;
};

/* ---- What to show ---- */

/* The epsilon at which delta is 1e-12, or nearly what it never falls below; 0 if that is nearly 1. Where the accuracy
 * is not to be had so far down, as short of the largest loss, a larger delta shows the place. */
static dpn_status right_end(double *out, const struct question *question, size_t mechanism, dpn_error *why) {
    dpn_delta infinite;
    dpn_epsilon epsilon;
    dpn_status status = profile_delta(&infinite, NULL, question, mechanism, INFINITY, why);
    if (status) return status;
    double margin = infinite.upper > 1e-12 ? 1.25 : 1, target = fmin(0.9, fmax(1e-12, margin * infinite.upper));
    while ((status = profile_epsilon(&epsilon, NULL, question, mechanism, target, why)) == DPN_EACCURACY &&
           target < 1e-3)
        target *= 1000;
    if (!status) *out = isinf(epsilon.upper) ? 0 : margin * epsilon.upper;
    return status;
}

/* From 0, or where the first curve leaves 1 if a third of the picture would be empty before. */
static dpn_status choose_frame(struct frame *out, const struct question *question, dpn_error *why) {
    *out = (struct frame){INFINITY, 0};
    for (size_t i = 0; i < mechanisms_count(&question->mechanisms); i++) {
        double right;
        dpn_epsilon left;
        dpn_status status = right_end(&right, question, i, why);
        if (!status) status = profile_epsilon(&left, NULL, question, i, 0.95, why);
        if (status) return status;
        out->left = fmin(out->left, left.upper);
        out->right = fmax(out->right, right);
    }
    if (out->left < out->right / 3 || isinf(out->left)) out->left = 0;
    if (!(out->right > out->left)) out->right = out->left + 1; /* nothing moves, or nothing is hidden */
    double margin = 0.02 * (out->right - out->left);
    out->right += margin;
    if (out->left > 0) out->left -= margin;
    return DPN_OK;
}

/* ---- Curves ---- */

/* The drawing of one curve. */
struct pen {
    const struct question *question;
    size_t mechanism;
    struct point *point;
    size_t points, room;
    bool band;  /* the ends of delta are visibly apart */
    bool asked; /* there are rings */
};

/* Leaves *known false, and is no failure, where the accuracy is not to be had: the picture does without that point. */
static dpn_status measure(struct point *out, bool *known, const struct pen *pen, double epsilon, dpn_error *why) {
    dpn_delta delta;
    dpn_status status = profile_delta(&delta, NULL, pen->question, pen->mechanism, epsilon, why);
    *known = !status;
    if (status) return status == DPN_EACCURACY ? DPN_OK : status;
    double below = lowest - 1, upper = delta.log_upper / log(10), lower = delta.log_lower / log(10);
    *out = (struct point){epsilon, fmax(upper, below), fmax(lower, below)};
    return DPN_OK;
}

static dpn_status put(struct pen *pen, struct point point, dpn_error *why) {
    if (pen->points == pen->room) {
        size_t room = 2 * pen->room + 256;
        struct point *larger = realloc(pen->point, room * sizeof *larger);
        if (!larger) return refuse(why, DPN_ENOMEM, "out of memory");
        pen->point = larger;
        pen->room = room;
    }
    pen->point[pen->points++] = point;
    pen->band |= point.upper - point.lower > 0.02;
    return DPN_OK;
}

/* The curve on (a, b], a being put already: halve while the chord misses the curve by a visible amount. Where both ends
 * are below the picture there is nothing to see. */
static dpn_status draw(struct pen *pen, struct point a, struct point b, int depth, dpn_error *why) {
    struct point middle;
    bool known, hidden = a.upper < lowest && b.upper < lowest;
    if (depth == 0 || hidden) return put(pen, b, why);
    dpn_status status = measure(&middle, &known, pen, a.epsilon + 0.5 * (b.epsilon - a.epsilon), why);
    if (status) return status;
    if (!known) return put(pen, b, why);
    double upper_missed = fabs(middle.upper - 0.5 * (a.upper + b.upper));
    double lower_missed = fabs(middle.lower - 0.5 * (a.lower + b.lower));
    bool good = fmax(upper_missed, lower_missed) <= 0.02;
    status = draw(pen, a, middle, good ? 0 : depth - 1, why);
    return status ? status : draw(pen, middle, b, good ? 0 : depth - 1, why);
}

enum { PIECES = 24, DEPTH = 9 };

static dpn_status draw_curve(struct pen *pen, const struct frame *frame, struct progress *progress, dpn_error *why) {
    struct point a = {0}, b;
    dpn_status status = DPN_OK;
    for (int i = 0; i <= PIECES && !status; i++) {
        bool known;
        status = measure(&b, &known, pen, frame->left + (frame->right - frame->left) * i / PIECES, why);
        if (!status && known) {
            status = pen->points ? draw(pen, a, b, DEPTH, why) : put(pen, b, why);
            a = b;
        }
        progress_step(progress);
    }
    return status;
}

/* ---- The script ---- */

static void write_curve(FILE *script, const struct pen *pen) {
    fprintf(script, "$curve%zu << E\n", pen->mechanism);
    for (size_t i = 0; i < pen->points; i++)
        fprintf(script, "%.12g %.12g %.12g\n", pen->point[i].epsilon, pen->point[i].upper, pen->point[i].lower);
    fputs("E\n", script);
}

/* The points that were asked, as far as the picture shows them. */
static bool write_asked(FILE *script, const struct question *question, const struct frame *frame, size_t mechanism) {
    size_t written = 0;
    for (size_t i = 0; i < question->asked.nearest.count; i++) {
        const struct guarantee *g = &question->guarantee[mechanism * question->asked.nearest.count + i];
        double epsilon = question->of_delta ? g->epsilon.upper : g->asked;
        double height = question->of_delta ? log10(g->asked) : g->delta.log_upper / log(10);
        if (!(epsilon >= frame->left && epsilon <= frame->right && height >= lowest)) continue;
        if (written++ == 0) fprintf(script, "$asked%zu << E\n", mechanism);
        fprintf(script, "%.12g %.12g\n", epsilon, height);
    }
    if (written) fputs("E\n", script);
    return written > 0;
}

/* A line for every mechanism, and one in grey on what the picture rests on. */
static void write_legend(FILE *script, const struct question *question, const struct picture *picture, bool rings,
                         bool bands) {
    size_t count = mechanisms_count(&question->mechanisms);
    picture_write_legend(script, picture, count, mechanisms_write_title, &question->mechanisms);
    fputs("set label '", script);
    mechanisms_write_basis(script, &question->mechanisms);
    fprintf(script, "%s%s'", rings ? "; rings: what was asked" : "", bands ? "; shaded: delta is within" : "");
    picture_write_note(script, picture, count);
}

static void write_axes(FILE *script, const struct frame *frame) {
    fputs("set format y '10^{%g}'\n"
          "set ytics 2\n"
          "set xlabel 'epsilon' offset 0,0.3\n"
          "set ylabel 'delta' offset 1,0\n",
          script);
    fprintf(script, "set xrange [%.12g:%.12g]\nset yrange [%.12g:%.12g]\n", frame->left, frame->right, lowest, top);
}

static void write_curves(FILE *script, const struct question *question, const struct pen *pen) {
    size_t mechanisms = mechanisms_count(&question->mechanisms);
    for (size_t i = 0; i < mechanisms; i++) {
        const char *colour = picture_colour(i);
        if (!pen[i].band) continue;
        fprintf(script,
                "$curve%zu using 1:2:3 with filledcurves fc '%s' fs transparent solid 0.1 noborder notitle, \\\n", i,
                colour);
        fprintf(script, "$curve%zu using 1:3 with lines lc '%s' lw 0.7 notitle, \\\n", i, colour);
    }
    for (size_t i = 0; i < mechanisms; i++) {
        fprintf(script, "$curve%zu using 1:2 with lines lw 2 ", i);
        picture_write_stroke(script, i);
        fputs(" title ", script);
        mechanisms_write_title(script, &question->mechanisms, i);
        fputs(" noenhanced, \\\n", script);
    }
    for (size_t i = 0; i < mechanisms; i++)
        if (pen[i].asked) picture_write_rings(script, "asked", i);
}

static void write_script(FILE *script, const struct question *question, const struct frame *frame, struct pen *pen,
                         const struct picture *picture) {
    bool rings = false, bands = false;
    write_axes(script, frame);
    for (size_t i = 0; i < mechanisms_count(&question->mechanisms); i++) {
        write_curve(script, &pen[i]);
        pen[i].asked = write_asked(script, question, frame, i);
        rings |= pen[i].asked;
        bands |= pen[i].band;
    }
    write_legend(script, question, picture, rings, bands);
    fputs("plot ", script);
    write_curves(script, question, pen);
    fputs("1/0 notitle\n", script);
}

static dpn_status draw_all(struct pen *pen, const struct question *question, const struct frame *frame,
                           dpn_error *why) {
    size_t mechanisms = mechanisms_count(&question->mechanisms);
    struct progress progress = progress_start("picture", mechanisms * (PIECES + 1));
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < mechanisms && !status; i++) {
        pen[i] = (struct pen){.question = question, .mechanism = i};
        status = draw_curve(&pen[i], frame, &progress, why);
    }
    progress_end(&progress);
    return status;
}

dpn_status profile_plot(const struct question *asked, dpn_error *why) {
    size_t mechanisms = mechanisms_count(&asked->mechanisms);
    struct question rough = *asked; /* nobody sees more than this in a picture */
    rough.options.accuracy = fmax(rough.options.accuracy, 1e-3);
    struct pen *pen = calloc(mechanisms, sizeof *pen);
    struct frame frame = {0};
    dpn_status status = pen ? choose_frame(&frame, &rough, why) : refuse(why, DPN_ENOMEM, "out of memory");
    if (!status) status = draw_all(pen, &rough, &frame, why);
    struct picture picture = picture_of_one(mechanisms + 1);
    struct gnuplot gnuplot;
    if (!status) status = picture_open(&gnuplot, &picture, asked->plot, why);
    if (!status) {
        write_script(gnuplot.script, asked, &frame, pen, &picture);
        status = gnuplot_close(&gnuplot, why);
    }
    for (size_t i = 0; pen && i < mechanisms; i++) free(pen[i].point);
    free(pen);
    return status;
}
