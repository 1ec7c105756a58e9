/* The report of `dpnoise release`: one page that needs nothing else. */
#include "release/release.h"

#include "kit/plain.h"

#include <dpnoise/version.h>
#include <math.h>
#include <string.h>

enum { CHARTS = 24, BARS = 80 };

void html_text(FILE *out, const char *text) {
    while (*text) {
        unsigned char c = (unsigned char)*text;
        enum plain_kind kind;
        uint32_t code;
        size_t length = plain_take(&kind, &code, text);
        const char *entity = c == '&'    ? "&amp;"
                             : c == '<'  ? "&lt;"
                             : c == '>'  ? "&gt;"
                             : c == '"'  ? "&quot;"
                             : c == '\'' ? "&#39;"
                                         : NULL;
        if (entity)
            fputs(entity, out);
        else if (kind != PLAIN_LETTER)
            fputs("&#65533;", out);
        else
            fwrite(text, 1, length, out);
        text += length;
    }
}

/* ---- The head ---- */

void html_begin(FILE *out, const char *what, const char *name) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'\">\n<title>",
          out);
    fputs(what, out);
    html_text(out, name);
    fprintf(out, "</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>%s", release_style, what);
    html_text(out, name);
    fputs("</h1>\n", out);
}

void html_end(FILE *out) {
    fprintf(out,
            "<footer>dpnoise %s. This page is complete in itself: it loads nothing and runs no script.</footer>\n"
            "</main></body></html>\n",
            dpn_version());
}

void html_fact(FILE *out, const char *what, const char *value) {
    fputs("<div><b>", out);
    html_text(out, value);
    fprintf(out, "</b><span>%s</span></div>", what);
}

static void print_head(FILE *out, const struct release *release) {
    const dpn_declaration *declaration = &release->declaration;
    char groups[32], time[40];
    snprintf(groups, sizeof groups, "%zu", release->answer->groups);
    html_begin(out, "Private statistics of ", release->standing.account.name);
    fputs("<p class=\"dim\">Released ", out);
    html_text(out, release_time(time, release));
    fputs(" with dpnoise. Every number carries noise that hides each single ", out);
    fprintf(out,
            "%s, and its 95%% interval; below stands which rows and values they are about.</p>\n<div class=\"facts\">",
            declaration->person ? "person" : "row");
    html_fact(out, "epsilon", declaration->epsilon);
    html_fact(out, "delta", declaration->delta ? declaration->delta : "0");
    html_fact(out, "protected unit", declaration->person ? "person" : "row");
    html_fact(out, "neighbouring tables", dpn_relation_name(declaration->relation));
    html_fact(out, release->answer->groups == 1 ? "group" : "groups", groups);
    fputs("</div>\n", out);
}

/* ---- The table ---- */

static void print_cell(FILE *out, const dpn_answer_cell *cell) {
    char number[RELEASE_NUMBER_SIZE], other[RELEASE_NUMBER_SIZE];
    fprintf(out, "<td class=\"n\">%s</td><td class=\"e\">", release_number(number, cell->value, cell->digits));
    if (!isnan(cell->rank95))
        fprintf(out, "rank &plusmn; %s", release_number_up(number, cell->rank95, 0));
    else if (isnan(cell->value) || isnan(cell->low) || isnan(cell->high))
        fputs("", out);
    else if (release_symmetric(cell))
        fprintf(out, "&plusmn; %s", release_half_width(number, cell));
    else
        fprintf(out, "%s to %s", release_number_down(number, cell->low, cell->digits),
                release_number_up(other, cell->high, cell->digits));
    fputs("</td>", out);
}

static void print_wide_table(FILE *out, const struct release *release) {
    const dpn_answer *answer = release->answer;
    fputs("<div class=\"wide\"><table><thead><tr>", out);
    for (size_t k = 0; k < answer->bys; k++) {
        fputs("<th>", out);
        html_text(out, release->declaration.by[k].column);
        fputs("</th>", out);
    }
    for (size_t o = 0; o < answer->outputs; o++) {
        fputs("<th class=\"n\">", out);
        html_text(out, answer->output[o]);
        fputs("</th><th class=\"e\">95%</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t g = 0; g < answer->groups; g++) {
        fputs("<tr>", out);
        for (size_t k = 0; k < answer->bys; k++) {
            fputs("<td>", out);
            html_text(out, answer->key[g * answer->bys + k]);
            fputs("</td>", out);
        }
        for (size_t o = 0; o < answer->outputs; o++) print_cell(out, &answer->cell[g * answer->outputs + o]);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* Without groups, one line for each output. */
static void print_long_table(FILE *out, const dpn_answer *answer) {
    fputs("<div class=\"wide\"><table><thead><tr><th>statistic</th><th "
          "class=\"n\">value</th><th class=\"e\">95%</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t o = 0; o < answer->outputs; o++) {
        fputs("<tr><td>", out);
        html_text(out, answer->output[o]);
        fputs("</td>", out);
        print_cell(out, &answer->cell[o]);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* ---- Pictures ---- */

static void group_label(char *label, size_t size, const dpn_answer *answer, size_t group) {
    size_t used = 0;
    label[0] = '\0';
    for (size_t k = 0; k < answer->bys && used < size; k++) {
        int length =
            snprintf(label + used, size - used, "%s%.60s", k ? ", " : "", answer->key[group * answer->bys + k]);
        used += length > 0 ? (size_t)length : 0;
    }
}

/* The name of a statistic without its bin: the bins of a histogram are one picture. */
static size_t stem(const char *output) {
    return strncmp(output, "histogram(", 10) == 0 ? strcspn(output, "[") : strlen(output);
}

static bool same_stem(const char *a, const char *b) {
    return stem(a) == stem(b) && memcmp(a, b, stem(a)) == 0;
}

/* One picture for each output over the groups. */
static void charts_of_outputs(FILE *out, const dpn_answer *answer, struct bar *bar) {
    for (size_t o = 0; o < answer->outputs && o < CHARTS; o++) {
        size_t bars = answer->groups < BARS ? answer->groups : BARS;
        for (size_t g = 0; g < bars; g++) {
            group_label(bar[g].label, sizeof bar[g].label, answer, g);
            bar[g].cell = &answer->cell[g * answer->outputs + o];
        }
        release_chart(out, bar, bars, answer->output[o]);
    }
}

/* Without groups: one picture for each statistic, the bins of a histogram together. */
static void charts_of_statistics(FILE *out, const dpn_answer *answer, struct bar *bar) {
    for (size_t o = 0, charts = 0; o < answer->outputs && charts < CHARTS; charts++) {
        size_t bars = 0, first = o;
        char title[200];
        snprintf(title, sizeof title, "%.*s", (int)stem(answer->output[o]), answer->output[o]);
        for (; o < answer->outputs && same_stem(answer->output[first], answer->output[o]); o++) {
            if (bars == BARS) continue;
            const char *bin = answer->output[o] + stem(answer->output[o]);
            snprintf(bar[bars].label, sizeof bar[bars].label, "%.150s", *bin ? bin : "");
            bar[bars++].cell = &answer->cell[o];
        }
        release_chart(out, bar, bars, title);
    }
}

static void print_charts(FILE *out, const dpn_answer *answer) {
    struct bar bar[BARS];
    fputs("<h2>Error bars</h2>\n<p class=\"dim\">The dot is the released value, the band around it the 95% "
          "interval.</p>\n",
          out);
    if (answer->bys)
        charts_of_outputs(out, answer, bar);
    else
        charts_of_statistics(out, answer, bar);
    if (answer->groups > BARS || answer->outputs > CHARTS)
        fprintf(out, "<p class=\"dim\">Pictures show the first %d groups and %d statistics.</p>\n", BARS, CHARTS);
}

/* ---- The page ---- */

void release_print_html(FILE *out, const struct release *release) {
    const dpn_answer *answer = release->answer;
    print_head(out, release);
    fputs("<h2>Results</h2>\n", out);
    if (answer->groups == 0)
        fprintf(out, "<p>No key has enough %s to be shown.</p>\n", release->declaration.person ? "persons" : "rows");
    else if (answer->bys)
        print_wide_table(out, release);
    else
        print_long_table(out, answer);
    if (answer->groups) print_charts(out, answer);
    html_treatment(out, release);
    html_guarantee(out, release);
    html_plan(out, release);
    html_data_sheet(out, release);
    html_budget(out, release);
    html_end(out);
}
