/* A histogram: bars between edges, with intervals. */
#include "page/chart.h"

#include "page/page.h"

#include <math.h>

enum { HEIGHT = 170, TOP = 8, LABELS = 7 };

/* Pixels from the top of a value. */
static double height_of(const struct axis *axis, double value) {
    return TOP + (HEIGHT - TOP) * (1 - axis_place(axis, value) / 100);
}

static void draw_ticks(FILE *out, const struct axis *axis) {
    char text[AXIS_TEXT_SIZE];
    fprintf(out, "<svg class=\"side\" height=\"%d\">", HEIGHT + 20);
    for (size_t t = 0; t <= axis->ticks; t++)
        fprintf(out, "<text class=\"tick\" x=\"100%%\" dx=\"-6\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                height_of(axis, axis_tick(axis, t)) + 4, axis_text(text, axis, t));
    fputs("</svg>", out);
}

static void draw_bar(FILE *out, const struct axis *axis, const struct mark *bar, double left, double width,
                     const char *const *edge) {
    double zero = height_of(axis, 0), top = height_of(axis, bar->value), middle = left + width / 2;
    fputs("<g><title>", out);
    html_text(out, edge[0]);
    fputs(" to ", out);
    html_text(out, edge[1]);
    fputs(": ", out);
    html_text(out, bar->words);
    fputs("</title>", out);
    if (isfinite(bar->value))
        fprintf(out, "<rect class=\"column\" x=\"%.2f%%\" width=\"%.2f%%\" y=\"%.1f\" height=\"%.1f\"/>",
                left + 0.06 * width, 0.88 * width, fmin(top, zero), fabs(top - zero));
    if (isfinite(bar->low) && isfinite(bar->high)) {
        double low = height_of(axis, bar->low), high = height_of(axis, bar->high);
        fprintf(out, "<line class=\"error\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>", middle, middle, low,
                high);
        for (int end = 0; end < 2; end++)
            fprintf(out, "<line class=\"error\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>",
                    middle - 0.18 * width, middle + 0.18 * width, end ? high : low, end ? high : low);
    }
    fputs("</g>\n", out);
}

void chart_histogram(FILE *out, const struct axis *axis, const struct mark *bar, size_t bars, const char *const *edge,
                     const char *title) {
    double width = 100.0 / (double)bars;
    size_t every = (bars + LABELS - 1) / LABELS;
    fputs("<figure><figcaption>", out);
    html_text(out, title);
    fputs("</figcaption>\n<div class=\"histogram\" role=\"img\" aria-label=\"", out);
    html_text(out, title);
    fputs(": a histogram with 95% intervals, as in the table\">\n", out);
    draw_ticks(out, axis);
    fprintf(out, "<svg height=\"%d\">", HEIGHT + 20);
    for (size_t t = 0; t <= axis->ticks; t++)
        fprintf(out, "<line class=\"%s\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>",
                axis_tick(axis, t) == 0 ? "zero" : "grid", height_of(axis, axis_tick(axis, t)),
                height_of(axis, axis_tick(axis, t)));
    fputs("\n", out);
    for (size_t i = 0; i < bars; i++) draw_bar(out, axis, &bar[i], width * (double)i, width, edge + i);
    for (size_t i = 0; i <= bars; i++) {
        if (i % every && i != bars) continue;
        if (i != bars && bars - i < every && i) continue; /* too near the last one */
        fprintf(out, "<text class=\"tick\" x=\"%.2f%%\" y=\"%d\" text-anchor=\"%s\">", width * (double)i, HEIGHT + 16,
                i == 0      ? "start"
                : i == bars ? "end"
                            : "middle");
        html_text(out, edge[i]);
        fputs("</text>", out);
    }
    fputs("</svg></div></figure>\n", out);
}
