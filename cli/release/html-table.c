/* The tables of the report of `dpnoise release`. */
#include "release/html.h"

#include "kit/columns.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 96, SPACE = 3 }; /* in letters: what fits on a page of paper, and what is between two columns */

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* ---- Cells ---- */

char *html_group(char text[HTML_NAME_SIZE], const dpn_answer *answer, size_t group) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < answer->bys && used < HTML_NAME_SIZE; k++) {
        int length = snprintf(text + used, HTML_NAME_SIZE - used, "%s%.200s", k ? ", " : "",
                              answer->key[group * answer->bys + k]);
        used += length > 0 ? (size_t)length : 0;
    }
    return text;
}

char *html_value(char text[PAGE_NUMBER_SIZE], const dpn_answer_cell *cell) {
    char number[RELEASE_NUMBER_SIZE];
    return page_thousands(text, release_number(number, cell->value, cell->digits));
}

char *html_error(char text[HTML_NAME_SIZE], const dpn_answer_cell *cell) {
    char number[RELEASE_NUMBER_SIZE], low[PAGE_NUMBER_SIZE], high[PAGE_NUMBER_SIZE];
    text[0] = '\0';
    if (!isnan(cell->rank95))
        snprintf(text, HTML_NAME_SIZE, "rank ± %s", page_thousands(low, release_number_up(number, cell->rank95, 0)));
    else if (isnan(cell->value) || isnan(cell->low) || isnan(cell->high))
        return text;
    else if (release_symmetric(cell))
        snprintf(text, HTML_NAME_SIZE, "± %s", page_thousands(low, release_half_width(number, cell)));
    else {
        page_thousands(low, release_number_down(number, cell->low, cell->digits));
        page_thousands(high, release_number_up(number, cell->high, cell->digits));
        snprintf(text, HTML_NAME_SIZE, "%s to %s", low, high);
    }
    return text;
}

/* ---- Pairs of columns: values and their errors ---- */

/* Cells of a table: `at` gives that of a row and a pair of columns, `head` the head of a pair. */
struct pairs {
    const struct release *release;
    size_t rows, pairs, first; /* first: the output that a histogram begins with */
    const dpn_answer_cell *(*at)(const struct pairs *pairs, size_t row, size_t pair);
    void (*head)(char text[HTML_NAME_SIZE], const struct pairs *pairs, size_t pair);
};

static size_t pair_width(const struct pairs *pairs, size_t pair) {
    char name[HTML_NAME_SIZE], value[PAGE_NUMBER_SIZE];
    size_t widest = 0, error = 0;
    for (size_t r = 0; r < pairs->rows; r++) {
        const dpn_answer_cell *cell = pairs->at(pairs, r, pair);
        widest = larger(widest, strlen(html_value(value, cell)));
        error = larger(error, columns_letters(html_error(name, cell)));
    }
    pairs->head(name, pairs, pair);
    return larger(widest + 1 + error, columns_letters(name)) + SPACE;
}

/* How many pairs from this one on fit beside what is used; at least one. */
static size_t pairs_that_fit(const struct pairs *pairs, size_t pair, size_t used) {
    size_t count = 0;
    for (; pair + count < pairs->pairs; count++) {
        used += pair_width(pairs, pair + count);
        if (count > 0 && used > WIDEST) break;
    }
    return count;
}

static size_t decimals(const struct pairs *pairs, size_t pair) {
    char number[RELEASE_NUMBER_SIZE];
    size_t most = 0;
    for (size_t r = 0; r < pairs->rows; r++) {
        const dpn_answer_cell *cell = pairs->at(pairs, r, pair);
        most = larger(most, page_decimals(release_number(number, cell->value, cell->digits)));
    }
    return most;
}

static void print_heads(FILE *out, const struct pairs *pairs, size_t from, size_t count) {
    char name[HTML_NAME_SIZE];
    for (size_t p = from; p < from + count; p++) {
        fputs("<th scope=\"colgroup\" colspan=\"2\">", out);
        pairs->head(name, pairs, p);
        html_text(out, name);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void print_pairs(FILE *out, const struct pairs *pairs, size_t row, size_t from, size_t count) {
    char number[RELEASE_NUMBER_SIZE], error[HTML_NAME_SIZE];
    for (size_t p = from; p < from + count; p++) {
        const dpn_answer_cell *cell = pairs->at(pairs, row, p);
        fputs("<td class=\"n\">", out);
        html_aligned(out, release_number(number, cell->value, cell->digits), decimals(pairs, p));
        fprintf(out, "</td><td class=\"e\">%s</td>", html_error(error, cell));
    }
    fputs("</tr>\n", out);
}

static void begin_table(FILE *out, const char *caption) {
    fputs("<div class=\"wide\"><table><caption>", out);
    html_text(out, caption);
    fputs("</caption><thead><tr>", out);
}

/* ---- Groups as rows ---- */

/* The output of the pair: bins of histograms have tables of their own. */
static size_t output_of(const dpn_answer *answer, size_t pair) {
    size_t o = 0;
    for (;; o++)
        if (!html_is_histogram(answer->output[o]) && pair-- == 0) return o;
}

static const dpn_answer_cell *group_cell(const struct pairs *pairs, size_t row, size_t pair) {
    const dpn_answer *answer = pairs->release->answer;
    return &answer->cell[row * answer->outputs + output_of(answer, pair)];
}

static void group_head(char text[HTML_NAME_SIZE], const struct pairs *pairs, size_t pair) {
    html_statistic(text, pairs->release, pairs->release->answer->output[output_of(pairs->release->answer, pair)]);
}

static size_t keys_width(const struct release *release) {
    const dpn_answer *answer = release->answer;
    size_t width = 0;
    for (size_t k = 0; k < answer->bys; k++) {
        size_t widest = columns_letters(html_label(release, release->declaration.by[k].column));
        for (size_t g = 0; g < answer->groups; g++)
            widest = larger(widest, columns_letters(answer->key[g * answer->bys + k]));
        width += (widest < 30 ? widest : 30) + SPACE;
    }
    return width;
}

/* The keys of a group; the first of several once for the groups that share it. */
static void print_keys(FILE *out, const dpn_answer *answer, size_t group) {
    char *const *key = answer->key + group * answer->bys;
    for (size_t k = 0; k < answer->bys; k++) {
        size_t span = 1;
        if (k == 0 && answer->bys > 1) {
            if (group > 0 && strcmp(key[0], key[-(ptrdiff_t)answer->bys]) == 0) continue;
            while (group + span < answer->groups && strcmp(key[0], key[span * answer->bys]) == 0) span++;
        }
        fprintf(out, span > 1 ? "<th scope=\"rowgroup\" rowspan=\"%zu\">" : "<th scope=\"row\">", span);
        html_text(out, key[k]);
        fputs("</th>", out);
    }
}

static void print_groups(FILE *out, const struct release *release, const struct pairs *pairs) {
    const dpn_answer *answer = release->answer;
    for (size_t p = 0; p < pairs->pairs;) {
        size_t count = pairs_that_fit(pairs, p, keys_width(release));
        begin_table(out, p ? "Values and 95% intervals, continued" : "Values and 95% intervals");
        for (size_t k = 0; k < answer->bys; k++) {
            fputs("<th scope=\"col\">", out);
            html_text(out, html_label(release, release->declaration.by[k].column));
            fputs("</th>", out);
        }
        print_heads(out, pairs, p, count);
        for (size_t g = 0; g < answer->groups; g++) {
            bool first =
                answer->bys > 1 && (g == 0 || strcmp(answer->key[g * answer->bys], answer->key[(g - 1) * answer->bys]));
            fputs(first ? "<tr class=\"first\">" : "<tr>", out);
            print_keys(out, answer, g);
            print_pairs(out, pairs, g, p, count);
        }
        fputs("</tbody></table></div>\n", out);
        p += count;
    }
}

/* Without groups, one line for each output. */
static void print_statistics(FILE *out, const struct pairs *pairs) {
    char text[HTML_NAME_SIZE], number[RELEASE_NUMBER_SIZE];
    begin_table(out, "Values and 95% intervals");
    fputs("<th scope=\"col\">statistic</th><th scope=\"colgroup\" colspan=\"2\">value</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t p = 0; p < pairs->pairs; p++) {
        const dpn_answer_cell *cell = pairs->at(pairs, 0, p);
        size_t most = 0;
        for (size_t q = 0; q < pairs->pairs; q++) most = larger(most, decimals(pairs, q));
        fputs("<tr><th scope=\"row\">", out);
        group_head(text, pairs, p);
        html_text(out, text);
        fputs("</th><td class=\"n\">", out);
        html_aligned(out, release_number(number, cell->value, cell->digits), most);
        fprintf(out, "</td><td class=\"e\">%s</td></tr>\n", html_error(text, cell));
    }
    fputs("</tbody></table></div>\n", out);
}

void html_tables(FILE *out, const struct release *release) {
    const dpn_answer *answer = release->answer;
    struct pairs pairs = {.release = release, .rows = answer->groups, .at = group_cell, .head = group_head};
    for (size_t o = 0; o < answer->outputs; o++) pairs.pairs += !html_is_histogram(answer->output[o]);
    if (answer->bys)
        print_groups(out, release, &pairs);
    else if (pairs.pairs)
        print_statistics(out, &pairs);
}

/* ---- Bins as rows ---- */

static const dpn_answer_cell *bin_cell(const struct pairs *pairs, size_t row, size_t pair) {
    const dpn_answer *answer = pairs->release->answer;
    return &answer->cell[pair * answer->outputs + pairs->first + row];
}

static void bin_head(char text[HTML_NAME_SIZE], const struct pairs *pairs, size_t pair) {
    if (pairs->release->answer->bys)
        html_group(text, pairs->release->answer, pair);
    else
        strcpy(text, "count");
}

void html_histogram_tables(FILE *out, const struct release *release, size_t first, size_t bins) {
    const dpn_answer *answer = release->answer;
    struct pairs pairs = {
        .release = release, .rows = bins, .pairs = answer->groups, .first = first, .at = bin_cell, .head = bin_head};
    char name[HTML_NAME_SIZE];
    size_t widest = 0;
    for (size_t i = 0; i < bins; i++) widest = larger(widest, strlen(strrchr(answer->output[first + i], '[')));
    html_statistic(name, release, answer->output[first]);
    for (size_t p = 0; p < pairs.pairs;) {
        size_t count = pairs_that_fit(&pairs, p, widest + SPACE);
        begin_table(out, name);
        fputs("<th scope=\"col\">bin</th>", out);
        print_heads(out, &pairs, p, count);
        for (size_t i = 0; i < bins; i++) {
            fputs("<tr><th scope=\"row\">", out);
            html_text(out, strrchr(answer->output[first + i], '['));
            fputs("</th>", out);
            print_pairs(out, &pairs, i, p, count);
        }
        fputs("</tbody></table></div>\n", out);
        p += count;
    }
}
