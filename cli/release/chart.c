/* Error bars as an inline SVG: a line from end to end of the 95% interval, a dot at the value. */
#include "release/release.h"

#include "kit/columns.h"

#include <dpnoise/number.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 920, ROW = 22, TOP = 6, BOTTOM = 24, RIGHT = 30, LETTER = 7, TICKS = 6 };

static void range(double *least, double *most, const struct bar *bar, size_t bars) {
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 0; i < bars; i++) {
        const double point[] = {bar[i].cell->low, bar[i].cell->value, bar[i].cell->high};
        for (size_t j = 0; j < 3; j++) {
            if (!isfinite(point[j])) continue;
            *least = fmin(*least, point[j]);
            *most = fmax(*most, point[j]);
        }
    }
}

/* 1, 2 or 5 times a power of ten, so that a span has at most TICKS of them. */
static double tick_step(double span) {
    double power = pow(10, floor(log10(span / TICKS)));
    for (size_t i = 0; i < 3; i++)
        if (span / ((double[]){1, 2, 5}[i] * power) <= TICKS) return (double[]){1, 2, 5}[i] * power;
    return 10 * power;
}

/* Ends that are whole ticks; 0 is among them if it is near. */
static double widen(double *least, double *most) {
    if (*least > 0 && *least < 0.6 * *most) *least = 0;
    if (*most < 0 && *most > 0.6 * *least) *most = 0;
    if (!(*most > *least)) {
        double room = fabs(*most) > 0 ? 0.5 * fabs(*most) : 1;
        *least -= room;
        *most += room;
    }
    double step = tick_step(*most - *least);
    *least = step * floor(*least / step);
    *most = step * ceil(*most / step);
    return step;
}

static double label_width(const struct bar *bar, size_t bars) {
    size_t widest = 0;
    for (size_t i = 0; i < bars; i++) {
        size_t letters = columns_letters(bar[i].label);
        widest = letters > widest ? letters : widest;
    }
    return fmin(20 + LETTER * (double)widest, WIDTH / 2.5);
}

static void draw_bar(FILE *out, const struct bar *bar, double x0, double scale, double least, double y) {
    const dpn_answer_cell *cell = bar->cell;
    char value[RELEASE_NUMBER_SIZE], low[RELEASE_NUMBER_SIZE], high[RELEASE_NUMBER_SIZE];
    fprintf(out, "<g><title>");
    html_text(out, bar->label);
    fprintf(out, ": %s", release_number(value, cell->value, cell->digits));
    if (!isnan(cell->low))
        fprintf(out, ", 95%% from %s to %s", release_number_down(low, cell->low, cell->digits),
                release_number_up(high, cell->high, cell->digits));
    fprintf(out, "</title><text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">", x0 - 12, y + 4);
    html_text(out, bar->label);
    fputs("</text>", out);
    if (isfinite(cell->low) && isfinite(cell->high))
        fprintf(out, "<line class=\"bar\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                x0 + scale * (cell->low - least), x0 + scale * (cell->high - least) + 0.01, y, y);
    if (isfinite(cell->value))
        fprintf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>", x0 + scale * (cell->value - least), y);
    fputs("</g>\n", out);
}

void release_chart(FILE *out, const struct bar *bar, size_t bars, const char *title) {
    double least, most, height = TOP + ROW * (double)bars + BOTTOM;
    char number[DPN_NUMBER_SIZE];
    range(&least, &most, bar, bars);
    if (!(least <= most)) return;
    double step = widen(&least, &most), x0 = label_width(bar, bars), scale = (WIDTH - RIGHT - x0) / (most - least);
    fputs("<figure><h3>", out);
    html_text(out, title);
    fprintf(out, "</h3>\n<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", WIDTH, height);
    html_text(out, title);
    fputs(", values with 95% intervals\">\n", out);
    int ticks = (int)nearbyint((most - least) / step);
    for (int i = 0; i <= ticks; i++) {
        double t = least + i * step, x = x0 + scale * (t - least);
        if (fabs(t) < 1e-9 * step) t = 0;
        snprintf(number, sizeof number, "%.12g", t);
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\"/>", x, x, TOP,
                height - BOTTOM);
        fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x, height - 8,
                number);
    }
    for (size_t i = 0; i < bars; i++) draw_bar(out, &bar[i], x0, scale, least, TOP + ROW * ((double)i + 0.5));
    fputs("</svg></figure>\n", out);
}
