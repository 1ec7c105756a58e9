/* The pictures of the report of `dpnoise release`. */
#include "release/html.h"

#include "page/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAMILIES = 24, LINES = 80, MARKS = 6, BINS = 200, PANELS = 24, SIDE_BY_SIDE = 4 };

/* ---- Marks ---- */

static struct mark mark_of(const dpn_answer_cell *cell) {
    struct mark mark = {.value = cell->value, .low = cell->low, .high = cell->high};
    char value[PAGE_NUMBER_SIZE], error[HTML_NAME_SIZE];
    html_error(error, cell);
    snprintf(mark.words, sizeof mark.words, strchr(error, 't') ? "%s (%.60s)" : "%s %.60s", html_value(value, cell),
             error);
    return mark;
}

/* The unit of the last digit that is printed. */
static double finest_of(const dpn_answer_cell *cell) {
    return pow(10, -cell->digits);
}

/* The axis of outputs over all groups. Whether there is anything to show. */
static bool axis_over(struct axis *axis, const dpn_answer *answer, size_t first, size_t count, bool from_zero) {
    double least = INFINITY, most = -INFINITY, finest = INFINITY;
    for (size_t g = 0; g < answer->groups; g++)
        for (size_t o = first; o < first + count; o++) {
            const dpn_answer_cell *cell = &answer->cell[g * answer->outputs + o];
            struct mark mark = mark_of(cell);
            marks_span(&least, &most, &mark, 1);
            finest = fmin(finest, finest_of(cell));
        }
    if (!(least <= most)) return false;
    *axis = axis_make(least, most, finest, from_zero ? 4 : 6, from_zero);
    return true;
}

/* ---- Error bars ---- */

/* One line for each of these groups, `step` groups apart, told apart by the key at `key`; all keys if that is past the end. */
struct picked {
    size_t first, count, step, key;
};

static void draw_groups(FILE *out, const struct axis *axis, const dpn_answer *answer, struct picked groups,
                        size_t first, size_t outputs, const char *title) {
    struct chart_line line[LINES];
    struct mark mark[LINES * MARKS];
    size_t lines = groups.count < LINES ? groups.count : LINES;
    for (size_t i = 0; i < lines; i++) {
        size_t g = groups.first + i * groups.step;
        char name[HTML_NAME_SIZE];
        const char *label =
            groups.key < answer->bys ? answer->key[g * answer->bys + groups.key] : html_group(name, answer, g);
        snprintf(line[i].label, sizeof line[i].label, "%.199s", label);
        for (size_t o = 0; o < outputs; o++)
            mark[i * MARKS + o] = mark_of(&answer->cell[g * answer->outputs + first + o]);
        line[i].mark = &mark[i * MARKS];
        line[i].marks = outputs;
    }
    chart_intervals(out, axis, line, lines, title);
}

/* How many levels the second of two keys has, if every level of the first has the same ones and they are few; else 0. */
static size_t levels_side_by_side(const dpn_answer *answer) {
    size_t inner = 1;
    if (answer->bys != 2) return 0;
    while (inner < answer->groups && strcmp(answer->key[0], answer->key[2 * inner]) == 0) inner++;
    if (inner < 2 || inner > SIDE_BY_SIDE || answer->groups % inner || answer->groups == inner) return 0;
    for (size_t g = 0; g < answer->groups; g++)
        if (strcmp(answer->key[2 * g + 1], answer->key[2 * (g % inner) + 1]) != 0 ||
            strcmp(answer->key[2 * g], answer->key[2 * (g / inner * inner)]) != 0)
            return 0;
    return inner;
}

static void draw_family(FILE *out, const struct release *release, size_t first, size_t outputs) {
    const dpn_answer *answer = release->answer;
    char name[HTML_NAME_SIZE], panel[HTML_NAME_SIZE];
    struct axis axis;
    size_t inner = levels_side_by_side(answer);
    if (!axis_over(&axis, answer, first, outputs, false)) return;
    if (outputs > 1)
        html_family_name(name, release, answer->output[first]);
    else
        html_statistic(name, release, answer->output[first]);
    if (!inner) {
        draw_groups(out, &axis, answer, (struct picked){0, answer->groups, 1, answer->bys}, first, outputs, name);
        return;
    }
    chart_panels_begin(out);
    for (size_t i = 0; i < inner; i++) {
        snprintf(panel, sizeof panel, "%.700s, %.200s", name, answer->key[2 * i + 1]);
        draw_groups(out, &axis, answer, (struct picked){i, answer->groups / inner, inner, 0}, first, outputs, panel);
    }
    chart_panels_end(out);
}

/* Quantiles of one column without groups: a line each. */
static void draw_quantiles(FILE *out, const struct release *release, size_t first, size_t outputs) {
    const dpn_answer *answer = release->answer;
    struct chart_line line[LINES] = {0};
    struct mark mark[LINES];
    char name[HTML_NAME_SIZE];
    struct axis axis;
    if (!axis_over(&axis, answer, first, outputs, false)) return;
    for (size_t i = 0; i < outputs && i < LINES; i++) {
        const char *output = answer->output[first + i], *comma = strrchr(output, ',');
        snprintf(line[i].label, sizeof line[i].label, "%.*s", (int)strcspn(comma + 1, ")"), comma + 1);
        mark[i] = mark_of(&answer->cell[first + i]);
        line[i].mark = &mark[i];
        line[i].marks = 1;
    }
    chart_intervals(out, &axis, line, outputs < LINES ? outputs : LINES,
                    html_family_name(name, release, answer->output[first]));
}

void html_pictures(FILE *out, const struct release *release) {
    const dpn_answer *answer = release->answer;
    size_t shown = 0;
    for (size_t o = 0; o < answer->outputs && shown < FAMILIES;) {
        size_t outputs = html_family(answer, o);
        if (!html_is_histogram(answer->output[o]) && (answer->bys || outputs > 1)) {
            if (outputs > MARKS && answer->bys) outputs = MARKS;
            if (shown++ == 0)
                fputs("<p class=\"dim\">The dot is the released value, the line through it the 95% interval. Where no "
                      "line "
                      "is seen, the interval is narrower than the dot.</p>\n",
                      out);
            if (answer->bys)
                draw_family(out, release, o, outputs);
            else
                draw_quantiles(out, release, o, outputs);
        }
        o += outputs;
    }
    if (shown && (answer->groups > LINES || shown == FAMILIES))
        fprintf(out, "<p class=\"dim\">Pictures show the first %d groups and %d statistics.</p>\n", LINES, FAMILIES);
}

/* ---- Histograms ---- */

/* The edges as they stand in the names of the bins: [0,10), [10,20]. */
static void edges_of(char text[][40], const char **edge, const dpn_answer *answer, size_t first, size_t bins) {
    for (size_t i = 0; i <= bins; i++) {
        const char *bin = strrchr(answer->output[first + (i < bins ? i : bins - 1)], '[') + 1;
        if (i == bins) bin += strcspn(bin, ",") + 1;
        snprintf(text[i], 40, "%.*s", (int)strcspn(bin, ",])"), bin);
        edge[i] = text[i];
    }
}

void html_histogram(FILE *out, const struct release *release, size_t first, size_t bins) {
    const dpn_answer *answer = release->answer;
    struct mark bar[BINS];
    char text[BINS + 1][40], name[HTML_NAME_SIZE];
    const char *edge[BINS + 1];
    struct axis axis;
    if (bins > BINS || !axis_over(&axis, answer, first, bins, true)) return;
    edges_of(text, edge, answer, first, bins);
    if (answer->groups > 1) chart_panels_begin(out);
    for (size_t g = 0; g < answer->groups && g < PANELS; g++) {
        for (size_t i = 0; i < bins; i++) bar[i] = mark_of(&answer->cell[g * answer->outputs + first + i]);
        if (answer->bys)
            html_group(name, answer, g);
        else
            snprintf(name, sizeof name, "%s in each bin", release->declaration.per_person ? "Persons" : "Rows");
        chart_histogram(out, &axis, bar, bins, edge, name);
    }
    if (answer->groups > 1) chart_panels_end(out);
    if (answer->groups > PANELS) fprintf(out, "<p class=\"dim\">Pictures show the first %d groups.</p>\n", PANELS);
}
