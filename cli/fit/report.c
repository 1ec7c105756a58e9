/* dpnoise fit --report: one page that needs nothing else. */
#include "fit/fit.h"

#include "page/chart.h"
#include "release/html.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- What was found ---- */

static void print_head(FILE *out, const struct fitting *fitting) {
    const struct release *release = &fitting->release;
    const dpn_model *model = fitting->model;
    const char *unit = release->declaration.person ? "person" : "row";
    static const char *const title[] = {"A private linear fit of ", "A private logistic fit of ",
                                        "A private fit of a quantile of "};
    char time[40];
    char quantile[64];
    snprintf(quantile, sizeof quantile, "A private fit of the %g quantile of ", model->quantile);
    html_begin(out, model->kind == DPN_FIT_QUANTILE && !isnan(model->quantile) ? quantile : title[model->kind],
               model->target);
    fputs("<p class=\"dim\">Data ", out);
    html_text(out, release->standing.account.name);
    fputs(", released ", out);
    html_text(out, release_time(time, release));
    fputs(" with dpnoise. Every coefficient carries noise that hides each single ", out);
    fprintf(out, "%s.</p>\n<div class=\"facts\">", unit);
    html_fact(out, "epsilon", model->epsilon);
    html_fact(out, "delta", model->delta);
    html_fact(out, "method", model->method);
    html_fact(out, "protected unit", unit);
    html_fact(out, "neighbouring tables", dpn_relation_name(model->relation));
    fputs("</div>\n", out);
}

/* ---- Numbers ---- */

/* A number with four digits, and commas. */
static char *four_digits(char text[PAGE_NUMBER_SIZE], double x) {
    char number[40];
    double size = fabs(x);
    int digits = size > 0 ? (int)fmax(0, 3 - floor(log10(size))) : 0;
    if (size < 1e15 && digits < 12)
        snprintf(number, sizeof number, "%.*f", digits, x);
    else
        snprintf(number, sizeof number, "%.4g", x);
    return page_thousands(text, number);
}

/* So many digits after the point, with commas; side -1 for ends that are rounded down, 1 up, 0 for values. */
static char *rounded(char text[PAGE_NUMBER_SIZE], double x, int decimals, int side) {
    char number[40];
    double scale = pow(10, decimals), steps = x * scale;
    steps = side < 0 ? floor(steps) : side > 0 ? ceil(steps) : nearbyint(steps);
    snprintf(number, sizeof number, "%.*f", decimals, steps == 0 ? 0 : steps / scale);
    return page_thousands(text, number);
}

/* As many digits as tell two of what is beside the value on either side of it. */
static void print_numbers(FILE *out, const dpn_coefficient *of, bool has) {
    const double number[] = {of->value, of->low, of->high};
    bool told = has && !isnan(of->low);
    static const int side[] = {0, -1, 1};
    double half = 0.5 * (of->high - of->low), decimals = fmax(1 - floor(log10(half)), 0);
    bool plain = told && half > 0 && decimals <= 9 && fmax(fabs(of->low), fabs(of->high)) < 1e15;
    for (size_t i = 0; i < (has ? 3 : 1); i++) {
        char text[PAGE_NUMBER_SIZE];
        fprintf(out, "<td class=\"n\">%s</td>",
                isnan(number[i]) ? "-"
                : plain          ? rounded(text, number[i], (int)decimals, side[i])
                                 : four_digits(text, number[i]));
    }
}

/* ---- Coefficients ---- */

static void print_coefficients(FILE *out, const dpn_model *model) {
    bool has = model->interval[0];
    fprintf(out, "<h2>Coefficients</h2>\n<p class=\"dim\">In the units of the data%s. ",
            model->kind != DPN_FIT_LOGISTIC ? ""
                                            : ", of the log odds that the target is above the middle of its bounds");
    fputs(has ? "The interval is 95%, approximately, about the coefficients of the same fit without noise, not of a "
                "population; there is none where the noise leaves too little of a coefficient.</p>\n"
              : "There is no interval: the error of this estimate is not known.</p>\n",
          out);
    fputs("<div class=\"wide\"><table><thead><tr><th></th><th class=\"n\">value</th>", out);
    if (has) fputs("<th class=\"n\">low</th><th class=\"n\">high</th>", out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < model->coefficients; i++) {
        const dpn_coefficient *coefficient = &model->coefficient[i];
        fputs("<tr><th scope=\"row\">", out);
        html_text(out, coefficient->name);
        fputs("</th>", out);
        print_numbers(out, coefficient, has);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* ---- Effects ---- */

static struct mark effect_mark(const dpn_coefficient *effect) {
    struct mark mark = {.value = effect->value, .low = effect->low, .high = effect->high};
    char value[PAGE_NUMBER_SIZE], low[PAGE_NUMBER_SIZE], high[PAGE_NUMBER_SIZE];
    four_digits(value, effect->value);
    if (isfinite(effect->low) && isfinite(effect->high))
        snprintf(mark.words, sizeof mark.words, "%.40s (%.40s to %.40s)", value, four_digits(low, effect->low),
                 four_digits(high, effect->high));
    else
        snprintf(mark.words, sizeof mark.words, "%.40s", value);
    return mark;
}

static void print_effects(FILE *out, const dpn_model *model) {
    enum { LINES = 80 };
    struct chart_line line[LINES];
    struct mark mark[LINES];
    size_t lines = model->features < LINES ? model->features : LINES;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < lines; i++) {
        dpn_coefficient effect = fit_effect(model, i);
        mark[i] = effect_mark(&effect);
        snprintf(line[i].label, sizeof line[i].label, "%.150s", effect.name);
        line[i].mark = &mark[i];
        line[i].marks = 1;
    }
    if (!marks_span(&least, &most, mark, lines)) return;
    struct axis axis = axis_make(fmin(0, least), fmax(0, most), 0, 6, false);
    fputs("<h2>Effects</h2>\n<p class=\"dim\">What changes when a feature goes from its lower to its upper bound, or a "
          "level takes the place of the first one: the dot is the value, the line through it the interval.</p>\n",
          out);
    chart_intervals(out, &axis, line, lines, model->kind != DPN_FIT_LOGISTIC ? model->target : "log odds");
    if (model->features > LINES) fprintf(out, "<p class=\"dim\">The picture shows the first %d features.</p>\n", LINES);
}

static void print_releases(FILE *out, const dpn_fit *fit) {
    fputs("<h2>The plan</h2>\n<p>What was drawn; the coefficients are computed from it.</p>\n<dl>", out);
    for (size_t i = 0; dpn_fit_release_at(fit, i).plan; i++) {
        dpn_fit_release one = dpn_fit_release_at(fit, i);
        fprintf(out, "<dt>%s</dt><dd>%zu number%s, drawn %" PRIu64 " time%s, <code>", one.what, one.plan->dimension,
                one.plan->dimension == 1 ? "" : "s", one.times, one.times == 1 ? "" : "s");
        release_print_noise(out, one.plan, "</code>, <code>");
        fputs("</code></dd>\n", out);
    }
    fputs("</dl>\n", out);
}

/* ---- The page ---- */

static void print_page(FILE *out, const void *what) {
    const struct fitting *fitting = what;
    print_head(out, fitting);
    print_coefficients(out, fitting->model);
    print_effects(out, fitting->model);
    html_guarantee(out, &fitting->release);
    print_releases(out, fitting->fit);
    html_data_sheet(out, &fitting->release);
    html_budget(out, &fitting->release);
    html_end(out);
}

dpn_status fit_write_report(struct draft *draft, const struct fitting *fitting, dpn_error *why) {
    return draft_print(draft, print_page, fitting, why);
}
