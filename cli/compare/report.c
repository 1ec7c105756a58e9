/* dpnoise compare --report: one page that needs nothing else. */
#include "compare/compare.h"

#include "kit/draft.h"
#include "page/chart.h"
#include "page/page.h"
#include "words/decimal.h"
#include "words/delta.h"

#include <dpnoise/plan.h>
#include <math.h>

enum { LINES = 40 };

/* The number that families are ranked by, for one answer where errors are sums of squares. */
static double ranked(const struct compared *compared, const dpn_plan *plan) {
    bool plain = compared->asked.options.objective == DPN_OBJECTIVE_MSE && !compared->asked.weights.at;
    if (compared->asked.of_error) return plan->epsilon;
    return plain ? plan->mse / (double)plan->dimension : plan->error;
}

static const char *ranked_words(const struct compared *compared) {
    bool plain = compared->asked.options.objective == DPN_OBJECTIVE_MSE && !compared->asked.weights.at;
    if (compared->asked.of_error) return "Least epsilon";
    return plain ? "Mean squared error of each answer" : objective_words(compared->asked.options.objective);
}

/* An epsilon is a bound and rounded up. */
static char *few_digits(char text[PAGE_NUMBER_SIZE], const struct compared *compared, const dpn_plan *plan) {
    char number[DPN_NUMBER_SIZE];
    if (compared->asked.of_error)
        decimal_print_up(number, plan->epsilon, 5);
    else
        snprintf(number, sizeof number, "%.5g", ranked(compared, plan));
    return page_thousands(text, number);
}

static void print_head(FILE *out, const struct compared *compared) {
    const struct calibration *asked = &compared->asked;
    const dpn_comparison_row *best = &compared->comparison.row[0];
    char text[DPN_NUMBER_SIZE], number[PAGE_NUMBER_SIZE];
    html_begin(out, "Noise for this guarantee: ", best->family);
    fprintf(out,
            "<p class=\"dim\">Every family of noise, calibrated and certified by dpnoise, the best first. Neighbouring "
            "tables: %s.</p>\n",
            neighbours_words(&asked->sensitivity.set));
    fputs("<div class=\"facts\">", out);
    if (!asked->of_error) html_fact(out, "epsilon", dpn_number_print(text, asked->asked_epsilon));
    html_fact(out, "delta", dpn_number_print(text, asked->asked_delta));
    snprintf(text, sizeof text, "%zu", asked->sensitivity.set.dimension);
    html_fact(out, asked->sensitivity.set.dimension == 1 ? "answer" : "answers", text);
    html_fact(out, ranked_words(compared), few_digits(number, compared, &best->plan));
    fputs("</div>\n<p>One row moves them so: ", out);
    sensitivity_describe(out, &asked->sensitivity);
    fputs(".</p>\n", out);
}

static void print_picture(FILE *out, const struct compared *compared) {
    struct chart_line line[LINES];
    struct mark mark[LINES];
    size_t lines = compared->comparison.plans < LINES ? compared->comparison.plans : LINES;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < lines; i++) {
        const dpn_comparison_row *row = &compared->comparison.row[i];
        mark[i] = (struct mark){.value = ranked(compared, &row->plan), .low = NAN, .high = NAN};
        few_digits(mark[i].words, compared, &row->plan);
        snprintf(line[i].label, sizeof line[i].label, "%s", row->family);
        line[i].mark = &mark[i];
        line[i].marks = 1;
    }
    if (!marks_span(&least, &most, mark, lines)) return;
    struct axis axis = axis_make(least, most, 0, 6, true);
    chart_intervals(out, &axis, line, lines, ranked_words(compared));
}

static void print_marks(FILE *out, const dpn_plan *plan) {
    const char *between = "";
    const struct {
        bool yes;
        const char *word;
    } mark[] = {{plan->pure, "pure"},
                {plan->sub_gaussian, "sub-Gaussian"},
                {plan->integer, "integer"},
                {plan->bounded, "bounded"}};
    for (size_t i = 0; i < sizeof mark / sizeof *mark; i++) {
        if (!mark[i].yes) continue;
        fprintf(out, "%s%s", between, mark[i].word);
        between = ", ";
    }
}

static void print_rows(FILE *out, const struct compared *compared) {
    char number[PAGE_NUMBER_SIZE], delta[DELTA_SIZE], noise[DPN_BLOCK_TEXT_SIZE];
    fprintf(out,
            "<h2>Families</h2>\n<div class=\"wide\"><table><caption>The least noise of each</caption><thead><tr>"
            "<th scope=\"col\">family</th><th scope=\"col\" class=\"n\">%s</th><th scope=\"col\" class=\"n\">delta at "
            "most</th><th scope=\"col\">marks</th><th scope=\"col\">noise</th></tr></thead>\n<tbody>\n",
            compared->asked.of_error ? "epsilon" : "error");
    for (size_t i = 0; i < compared->comparison.plans; i++) {
        const dpn_comparison_row *row = &compared->comparison.row[i];
        fprintf(out, "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td><td class=\"n\">%s</td><td>", row->family,
                few_digits(number, compared, &row->plan), delta_print_upper(delta, &row->plan.delta, 4));
        print_marks(out, &row->plan);
        fputs("</td><td><code>", out);
        html_text(out, dpn_block_print(noise, &row->plan.block[0], 6));
        fprintf(out, "</code>%s</td></tr>\n", row->plan.blocks > 1 ? ", and more" : "");
    }
    fputs("</tbody></table></div>\n", out);
}

static void print_refused(FILE *out, const dpn_comparison *comparison) {
    if (comparison->plans == comparison->rows) return;
    fputs("<h2>Not for this</h2>\n<dl>", out);
    for (size_t i = comparison->plans; i < comparison->rows; i++) {
        fprintf(out, "<dt>%s</dt><dd>", comparison->row[i].family);
        html_text(out, comparison->row[i].why.sentence);
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n", out);
}

static void print_page(FILE *out, const void *what) {
    const struct compared *compared = what;
    print_head(out, compared);
    print_picture(out, compared);
    print_rows(out, compared);
    fputs("<p class=\"dim\">Pure: delta is 0. Sub-Gaussian: tails as light as those of Gaussian noise. Integer: noise "
          "on the "
          "integers, for answers that are whole numbers. Bounded: an output beyond the noise's reach gives the data "
          "away, "
          "which has probability up to delta.</p>\n",
          out);
    print_refused(out, &compared->comparison);
    html_end(out);
}

dpn_status compare_write_report(const struct compared *compared, const char *file, dpn_error *why) {
    struct draft draft;
    dpn_status status = draft_begin(&draft, "--report", file, why);
    return status ? status : draft_print(&draft, print_page, compared, why);
}
