/* The report of `dpnoise release`: how to read it, guarantee, plan, data sheet and budget. */
#include "release/html.h"

#include "release/said.h"
#include "words/decimal.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LEVELS = 60 };

/* ---- The guarantee ---- */

void html_guarantee(FILE *out, const struct release *release) {
    const dpn_declaration *declaration = &release->declaration;
    const char *delta = declaration->delta, *unit = declaration->person ? "person" : "row";
    char factor[DPN_NUMBER_SIZE];
    double epsilon;
    bool pure = !delta || (!dpn_number_parse(&epsilon, delta, NULL) && epsilon == 0);
    if (dpn_number_parse_up(&epsilon, declaration->epsilon, NULL)) epsilon = INFINITY;
    fputs("<h2>The guarantee</h2>\n<p>All numbers of this page together are <b>", out);
    release_print_claim(out, release);
    fprintf(out, "</b> for %s", release_neighbours(declaration));
    if (declaration->per_person)
        fputs(", with all rows of that person", out);
    else if (declaration->person)
        fprintf(out,
                ", with all the rows of that person that count (up to %" PRIu64 " in each of up to %" PRIu64
                " group%s)",
                declaration->max_rows, declaration->max_groups, declaration->max_groups == 1 ? "" : "s");
    fprintf(out,
            ".</p>\n<p>In plain words: take two tables that differ by %s. Whatever page could come out of the one is "
            "at most "
            "e<sup>%s</sup> = %s times as likely to come out of the other",
            release_neighbours(declaration), declaration->epsilon,
            decimal_print_up(factor, exp(epsilon) * (1 + 0x1p-50), 3));
    if (!pure)
        fprintf(out,
                "; for a set of pages (all those that show more than 100 rows, say) the probability may be larger by "
                "up to delta "
                "= %s on top of that",
                delta);
    fprintf(
        out,
        ". So nobody, whatever they know or compute, learns much more about one %s from this page than from the page "
        "that would have come without it",
        unit);
    /* Even odds become at most e^epsilon : 1. */
    if (pure && epsilon < 700)
        fprintf(out,
                "; a guess about it that had even odds before is right with a probability of at most %s afterwards",
                decimal_print_up(factor, 1 / (1 + exp(-epsilon)), 3));
    fputs(".</p>\n<p class=\"dim\">The noise is drawn exactly, on a public grid; bounds and levels are public and were "
          "declared "
          "before the data were read. Not covered: the time it took, and that the table could be read at all.",
          out);
    if (dpn_query_look(dpn_question_query(release->question)).count_is_public)
        fputs(" The number of rows is taken for known.", out);
    fputs("</p>\n", out);
}

/* ---- The plan ---- */

static void plan_cells(FILE *out, const dpn_query_facts *facts) {
    char text[DPN_NUMBER_SIZE];
    fputs("<div class=\"wide\"><table><caption>Noise</caption><thead><tr><th scope=\"col\">sum of each group</th><th "
          "scope=\"col\" class=\"n\">one unit moves it by</th>"
          "<th scope=\"col\" class=\"n\">grid</th><th scope=\"col\" class=\"n\">standard deviation</th><th "
          "scope=\"col\" class=\"n\">95% within</th>"
          "<th scope=\"col\" class=\"n\">split naively</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < facts->cells; i++) {
        const dpn_query_cell *cell = &facts->cell[i];
        fputs("<tr><th scope=\"row\">", out);
        html_text(out, cell->name);
        fprintf(out, "</th><td class=\"n\">%s</td>", release_few(text, cell->sensitivity));
        fprintf(out, "<td class=\"n\">%s</td>", dpn_number_print(text, cell->grid));
        fprintf(out, "<td class=\"n\">%s</td>", release_few(text, sqrt(cell->variance)));
        fprintf(out, "<td class=\"n\">%s</td>", release_few(text, cell->interval95));
        fprintf(out, "<td class=\"n dim\">%s</td></tr>\n", release_few(text, cell->naive95));
    }
    fputs("</tbody></table></div>\n", out);
}

void html_plan(FILE *out, const struct release *release) {
    dpn_query_facts facts = dpn_query_look(dpn_question_query(release->question));
    char text[DPN_NUMBER_SIZE];
    fputs("<h2>The plan</h2>\n", out);
    if (facts.cells) {
        fputs("<p>One plan for all statistics together. &ldquo;Split naively&rdquo; is the error that equal shares of "
              "epsilon and "
              "delta would have cost.</p>\n",
              out);
        plan_cells(out, &facts);
    }
    fputs("<dl style=\"margin-top:1rem\">", out);
    if (facts.plan) {
        fputs("<dt>noise</dt><dd><code>", out);
        release_print_noise(out, facts.plan, "</code>, <code>");
        fputs("</code></dd>", out);
    }
    fprintf(out, "<dt>one unit moves</dt><dd>up to %" PRIu64 " group%s</dd>", facts.moved_groups,
            facts.moved_groups == 1 ? "" : "s");
    if (facts.quantiles)
        fprintf(out, "<dt>quantiles</dt><dd>%zu in each group, by the exponential mechanism, each with epsilon %s</dd>",
                facts.quantiles, release_few(text, facts.quantile_epsilon));
    if (facts.unknown_keys)
        fprintf(out,
                "<dt>keys</dt><dd>chosen privately: a key is shown if its noisy number of %ss is above %" PRId64
                ", for a delta of %s</dd>",
                release->declaration.person ? "person" : "row", facts.threshold,
                release_few(text, facts.threshold_delta));
    fputs("</dl>\n", out);
}

/* ---- What was done to the data ---- */

void html_treatment(FILE *out, const struct release *release) {
    struct said said = said_of(&release->declaration, dpn_question_query(release->question), release->answer);
    fputs("<h2>How to read the numbers</h2>\n<dl>", out);
    for (size_t i = 0; i < said.count && !said.failed; i++) {
        bool again = i > 0 && strcmp(said.line[i].topic, said.line[i - 1].topic) == 0;
        fprintf(out, "<dt>%s</dt><dd>", again ? "" : said.line[i].topic);
        html_text(out, said.line[i].text);
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n", out);
    said_free(&said);
}

/* ---- The data sheet ---- */

static void sheet_statistic(FILE *out, const char *what, const dpn_statistic *statistic) {
    fprintf(out, "<dt>%s</dt><dd>", what);
    if (statistic->columns == 0) fputs("rows", out);
    for (size_t i = 0; i < statistic->columns; i++) {
        if (i) fputs(", ", out);
        html_text(out, statistic->column[i]);
        if (!statistic->lower) continue;
        fputs(" clamped to ", out);
        html_text(out, statistic->lower[i]);
        fputs(" &hellip; ", out);
        html_text(out, statistic->upper[i]);
    }
    if (statistic->quantile) fputs(", at ", out);
    if (statistic->quantile) html_text(out, statistic->quantile);
    if (statistic->step) fputs(", candidates in steps of ", out);
    if (statistic->step) html_text(out, statistic->step);
    for (size_t i = 0; i < statistic->edges && i < LEVELS; i++) {
        fputs(i ? ", " : "; edges ", out);
        html_text(out, statistic->edge[i]);
    }
    if (statistic->edges > LEVELS) fprintf(out, " and %zu more", statistic->edges - LEVELS);
    fputs("</dd>\n", out);
}

static void sheet_grouping(FILE *out, const char *what, const dpn_grouping *grouping) {
    fprintf(out, "<dt>%s ", what);
    html_text(out, grouping->column);
    fputs("</dt><dd>", out);
    if (!grouping->level) fputs("keys not declared: chosen privately", out);
    for (size_t i = 0; i < grouping->levels && i < LEVELS; i++) {
        if (i) fputs(", ", out);
        html_text(out, grouping->level[i]);
    }
    if (grouping->levels > LEVELS) fprintf(out, " and %zu more", grouping->levels - LEVELS);
    fputs("</dd>\n", out);
}

void html_data_sheet(FILE *out, const struct release *release) {
    const dpn_declaration *declaration = &release->declaration;
    fputs("<h2>Data sheet</h2>\n<p class=\"dim\">What was declared before the data were "
          "read.</p>\n<dl><dt>source</dt><dd>",
          out);
    html_text(out, release_source_name(release));
    fputs("</dd>\n", out);
    bool fit = release->inquiry; /* the means are of its target and features, the groups features too */
    for (size_t i = 0; i < declaration->statistics; i++) {
        const dpn_statistic *statistic = &declaration->statistic[i];
        const char *role = i == 0 ? "target" : "feature";
        sheet_statistic(out, fit ? role : dpn_statistic_kind_name(statistic->kind), statistic);
    }
    for (size_t i = 0; i < declaration->bys; i++) sheet_grouping(out, fit ? "levels of" : "by", &declaration->by[i]);
    for (size_t i = 0; i < declaration->wheres; i++) {
        fputs(i ? "<dt></dt><dd>" : "<dt>only rows with</dt><dd>", out);
        html_text(out, declaration->where[i].column);
        fputs(" ", out);
        html_text(out, dpn_predicate_is_name(declaration->where[i].is));
        fputs(" ", out);
        html_text(out, declaration->where[i].value);
        fputs("</dd>\n", out);
    }
    fprintf(out, "<dt>neighbouring tables</dt><dd>differ by %s</dd>\n<dt>unit</dt><dd>",
            release_neighbours(declaration));
    fputs(declaration->person ? "a person, told apart by " : "a row", out);
    if (declaration->person) html_text(out, declaration->person);
    if (declaration->per_person)
        fprintf(out,
                ", who counts once in each of up to %" PRIu64
                " group%s, with the %s of all rows there, clamped as above",
                declaration->max_groups, declaration->max_groups == 1 ? "" : "s",
                dpn_per_person_name(declaration->per_person));
    else if (declaration->person)
        fprintf(out, "; %" PRIu64 " row%s in each of %" PRIu64 " group%s count%s, chosen at random",
                declaration->max_rows, declaration->max_rows == 1 ? "" : "s", declaration->max_groups,
                declaration->max_groups == 1 ? "" : "s",
                declaration->max_rows == 1 && declaration->max_groups == 1 ? "s" : "");
    fputs("</dd>\n<dt>missing values</dt><dd>", out);
    if (declaration->missing == DPN_MISSING_VALUE)
        fprintf(out, "become %s where a number is needed", declaration->missing_value);
    else
        fprintf(out, "leave the row out of %s", fit ? "the fit" : "all statistics");
    fputs("</dd></dl>\n", out);
}

/* ---- The budget ---- */

void html_budget(FILE *out, const struct release *release) {
    const struct standing *standing = &release->standing;
    char left[RELEASE_LEFT_SIZE], head[DPN_HEAD_TEXT_SIZE];
    double share = release_share_left(&standing->account);
    fputs("<h2>Budget</h2>\n<p>", out);
    html_text(out, release_left(left, &standing->account));
    fputs(" when this page was made.</p>\n", out);
    fprintf(out,
            "<svg class=\"gauge\" height=\"14\" role=\"img\" aria-label=\"%.0f%% of the budget is left\"><rect "
            "class=\"spent\" "
            "width=\"100%%\" height=\"14\" rx=\"7\"/><rect class=\"left\" width=\"%.1f%%\" height=\"14\" "
            "rx=\"7\"/></svg>\n",
            100 * share, 100 * share);
    fputs("<dl style=\"margin-top:1rem\"><dt>ledger</dt><dd>", out);
    html_text(out, release->budget.path);
    fprintf(out,
            "</dd><dt>head of the charge</dt><dd><code>%s</code> &ndash; <code>dpnoise budget verify --head</code> "
            "shows that "
            "nothing before it was changed</dd></dl>\n",
            dpn_head_print(head, &standing->head));
    for (size_t i = 0; i < release->notes; i++) {
        fputs("<p class=\"dim\">Note: ", out);
        html_text(out, release->note[i]);
        fputs(".</p>\n", out);
    }
}
