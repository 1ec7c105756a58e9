/* Values with intervals on lines below each other. */
#include "page/chart.h"

#include "page/page.h"

#include <math.h>

enum { HEIGHT = 22, MIDDLE = 11, CAP = 5, DOT = 4 };

bool marks_span(double *least, double *most, const struct mark *mark, size_t marks) {
    for (size_t i = 0; i < marks; i++)
        for (size_t j = 0; j < 3; j++) {
            double point = (const double[]){mark[i].low, mark[i].value, mark[i].high}[j];
            if (!isfinite(point)) continue;
            *least = fmin(*least, point);
            *most = fmax(*most, point);
        }
    return *least <= *most;
}

static void draw_mark(FILE *out, const struct axis *axis, const struct mark *mark, const char *label) {
    fputs("<g><title>", out);
    html_text(out, label);
    fputs(*label ? ": " : "", out);
    html_text(out, mark->words);
    fputs("</title>", out);
    if (isfinite(mark->low) && isfinite(mark->high)) {
        double low = axis_place(axis, mark->low), high = axis_place(axis, mark->high);
        fprintf(out, "<line class=\"error\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>", low, high, MIDDLE,
                MIDDLE);
        for (int end = 0; end < 2; end++)
            fprintf(out, "<line class=\"error\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>", end ? high : low,
                    end ? high : low, MIDDLE - CAP, MIDDLE + CAP);
    }
    if (isfinite(mark->value))
        fprintf(out, "<circle class=\"dot\" cx=\"%.2f%%\" cy=\"%d\" r=\"%d\"/>", axis_place(axis, mark->value), MIDDLE,
                DOT);
    fputs("</g>", out);
}

static void draw_line(FILE *out, const struct axis *axis, const struct chart_line *line) {
    fputs("<span class=\"label\">", out);
    html_text(out, line->label);
    fprintf(out, "</span><svg height=\"%d\">", HEIGHT);
    for (size_t t = 0; t <= axis->ticks; t++) {
        double place = axis_place(axis, axis_tick(axis, t));
        fprintf(out, "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y2=\"%d\"/>", place, place, HEIGHT);
    }
    for (size_t i = 0; i < line->marks; i++) draw_mark(out, axis, &line->mark[i], line->label);
    fputs("</svg><span class=\"words\">", out);
    if (line->marks == 1) html_text(out, line->mark->words);
    fputs("</span>\n", out);
}

void chart_intervals(FILE *out, const struct axis *axis, const struct chart_line *line, size_t lines,
                     const char *title) {
    char text[AXIS_TEXT_SIZE];
    fputs("<figure><figcaption>", out);
    html_text(out, title);
    fputs("</figcaption>\n<div class=\"chart\" role=\"img\" aria-label=\"", out);
    html_text(out, title);
    fputs(": values with 95% intervals, as in the table\">\n", out);
    for (size_t i = 0; i < lines; i++) draw_line(out, axis, &line[i]);
    fputs("<span></span><svg height=\"18\">", out);
    for (size_t t = 0; t <= axis->ticks; t++)
        fprintf(out, "<text class=\"tick%s\" x=\"%.2f%%\" y=\"14\" text-anchor=\"%s\">%s</text>", t % 2 ? " odd" : "",
                axis_place(axis, axis_tick(axis, t)),
                t == 0             ? "start"
                : t == axis->ticks ? "end"
                                   : "middle",
                axis_text(text, axis, t));
    fputs("</svg><span></span></div></figure>\n", out);
}

void chart_panels_begin(FILE *out) {
    fputs("<div class=\"panels\">\n", out);
}

void chart_panels_end(FILE *out) {
    fputs("</div>\n", out);
}
