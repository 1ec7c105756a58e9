/* The report of `dpnoise release`, of which `dpnoise fit` shares parts. */
#ifndef DPNOISE_CLI_RELEASE_HTML_H
#define DPNOISE_CLI_RELEASE_HTML_H

#include "page/page.h"
#include "release/release.h"

enum { HTML_NAME_SIZE = 1000 };

/* ---- Names (html-name.c) ---- */

/* What a column is called: by --label, else as it is. */
const char *html_label(const struct release *release, const char *column);

/* "mean(income)" in words: "Mean of income". */
char *html_statistic(char text[HTML_NAME_SIZE], const struct release *release, const char *output);

/* Bins of one histogram, and quantiles of one column, are a family that is shown together: whether an output is a bin; how
 * many outputs from `first` on are one family; its name. */
bool html_is_histogram(const char *output);
size_t html_family(const dpn_answer *answer, size_t first);
char *html_family_name(char text[HTML_NAME_SIZE], const struct release *release, const char *output);

/* ---- Results (html-table.c, html-picture.c) ---- */

/* Tables of all outputs but the bins of histograms; of the histogram at `first`, its bins as rows. They are never wider than a page of
 * paper: what does not fit becomes the next table. */
void html_tables(FILE *out, const struct release *release);
void html_histogram_tables(FILE *out, const struct release *release, size_t first, size_t bins);

/* The name of a group: its keys. */
char *html_group(char text[HTML_NAME_SIZE], const dpn_answer *answer, size_t group);

/* "12,345", "± 7", "19,000 to 19,100", "rank ± 3" or nothing. */
char *html_value(char text[PAGE_NUMBER_SIZE], const dpn_answer_cell *cell);
char *html_error(char text[HTML_NAME_SIZE], const dpn_answer_cell *cell);

/* Error bars of the groups, and a histogram of each. */
void html_pictures(FILE *out, const struct release *release);
void html_histogram(FILE *out, const struct release *release, size_t first, size_t bins);

/* ---- What stands below (html-data.c) ---- */

/* The guarantee in plain words, how to read the numbers, the plan, the data sheet and the budget. */
void html_guarantee(FILE *out, const struct release *release);
void html_treatment(FILE *out, const struct release *release);
void html_plan(FILE *out, const struct release *release);
void html_data_sheet(FILE *out, const struct release *release);
void html_budget(FILE *out, const struct release *release);

#endif
