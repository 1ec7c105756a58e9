/* The report of `dpnoise release`: one page that needs nothing else. */
#include "release/html.h"

static void print_head(FILE *out, const struct release *release) {
    const dpn_declaration *declaration = &release->declaration;
    const char *title = arguments_value(release->arguments, "--title");
    char groups[32], time[40];
    snprintf(groups, sizeof groups, "%zu", release->answer->groups);
    html_begin(out, title ? "" : "Private statistics of ", title ? title : release->standing.account.name);
    fputs("<p class=\"dim\">", out);
    if (title) {
        fputs("Private statistics of ", out);
        html_text(out, release->standing.account.name);
        fputs(", released ", out);
    } else {
        fputs("Released ", out);
    }
    html_text(out, release_time(time, release));
    fprintf(
        out,
        " with dpnoise. Every number has noise that hides each single %s, and a 95%% interval. Which rows and values "
        "were counted is said below.</p>\n<div class=\"facts\">",
        declaration->person ? "person" : "row");
    html_fact(out, "epsilon", declaration->epsilon);
    html_fact(out, "delta", declaration->delta ? declaration->delta : "0");
    html_fact(out, "protected unit", declaration->person ? "person" : "row");
    html_fact(out, "neighbouring tables", dpn_relation_name(declaration->relation));
    html_fact(out, release->answer->groups == 1 ? "group" : "groups", groups);
    fputs("</div>\n", out);
}

/* Each histogram with its own heading, picture and table. */
static void print_histograms(FILE *out, const struct release *release) {
    const dpn_answer *answer = release->answer;
    char name[HTML_NAME_SIZE];
    for (size_t o = 0; o < answer->outputs;) {
        size_t outputs = html_family(answer, o);
        if (html_is_histogram(answer->output[o])) {
            fputs("<h2>", out);
            html_text(out, html_statistic(name, release, answer->output[o]));
            fputs("</h2>\n", out);
            html_histogram(out, release, o, outputs);
            html_histogram_tables(out, release, o, outputs);
        }
        o += outputs;
    }
}

static bool has_others(const dpn_answer *answer) {
    for (size_t o = 0; o < answer->outputs; o++)
        if (!html_is_histogram(answer->output[o])) return true;
    return false;
}

void release_print_html(FILE *out, const struct release *release) {
    const dpn_answer *answer = release->answer;
    print_head(out, release);
    if (answer->groups == 0)
        fprintf(out, "<h2>Results</h2>\n<p>No key has enough %s to be shown.</p>\n",
                release->declaration.person ? "persons" : "rows");
    if (answer->groups && has_others(answer)) {
        fputs("<h2>Results</h2>\n", out);
        html_tables(out, release);
        html_pictures(out, release);
    }
    if (answer->groups) print_histograms(out, release);
    html_treatment(out, release);
    html_guarantee(out, release);
    html_plan(out, release);
    html_data_sheet(out, release);
    html_budget(out, release);
    html_end(out);
}
