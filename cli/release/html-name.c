/* What the report of `dpnoise release` calls columns and statistics: by --label and in words. */
#include "release/html.h"

#include "kit/fail.h"

#include <string.h>

/* ---- Labels ---- */

/* The text after "column=", if that is what the value of --label begins with. */
static const char *label_for(const char *value, const char *column) {
    size_t length = strlen(column);
    return strncmp(value, column, length) == 0 && value[length] == '=' ? value + length + 1 : NULL;
}

const char *html_label(const struct release *release, const char *column) {
    const struct arguments *arguments = release->arguments;
    for (size_t i = 0; i < arguments->givens; i++) {
        if (strcmp(arguments->given[i].option->name, "--label") != 0) continue;
        const char *label = label_for(arguments->given[i].value, column);
        if (label) return label;
    }
    return column;
}

static bool names_column(const dpn_declaration *declaration, const char *value) {
    for (size_t s = 0; s < declaration->statistics; s++)
        for (size_t i = 0; i < declaration->statistic[s].columns; i++)
            if (label_for(value, declaration->statistic[s].column[i])) return true;
    for (size_t k = 0; k < declaration->bys; k++)
        if (label_for(value, declaration->by[k].column)) return true;
    return false;
}

dpn_status release_check_labels(const struct release *release, dpn_error *why) {
    const struct arguments *arguments = release->arguments;
    for (size_t i = 0; i < arguments->givens; i++) {
        const char *option = arguments->given[i].option->name, *value = arguments->given[i].value;
        bool label = strcmp(option, "--label") == 0;
        if (!label && strcmp(option, "--title") != 0) continue;
        if (!arguments_have(arguments, "--report"))
            return refuse(why, DPN_EPARSE, "%s belongs to --report: give both", option);
        if (!*value) return refuse(why, DPN_EPARSE, "%s: the text is empty", option);
        if (label && !strchr(value, '='))
            return refuse(why, DPN_EPARSE, "--label '%.60s' is not COLUMN=TEXT, as in income=Income in euros", value);
        if (label && !names_column(&release->declaration, value))
            return refuse(why, DPN_EPARSE, "--label '%.60s': the question has no such column", value);
    }
    return DPN_OK;
}

/* ---- Statistics ---- */

/* The words between the brackets of "mean(income)", told by labels if they are a column or two. */
static void put_inside(char *text, size_t size, const struct release *release, const char *inside) {
    const dpn_declaration *declaration = &release->declaration;
    snprintf(text, size, "%s", html_label(release, inside));
    for (size_t s = 0; s < declaration->statistics; s++)
        for (size_t i = 0; i < declaration->statistic[s].columns && declaration->statistic[s].columns > 1; i++) {
            const char *one = declaration->statistic[s].column[i];
            size_t length = strlen(one);
            if (strncmp(inside, one, length) != 0 || inside[length] != ',') continue;
            snprintf(text, size, "%s and %s", html_label(release, one), html_label(release, inside + length + 1));
            return;
        }
}

char *html_statistic(char text[HTML_NAME_SIZE], const struct release *release, const char *output) {
    static const struct {
        const char *kind, *words;
    } known[] = {{"sum(", "Sum of "},           {"mean(", "Mean of "},           {"variance(", "Variance of "},
                 {"quantile(", "Quantile of "}, {"histogram(", "Histogram of "}, {"covariance(", "Covariance of "}};
    char inside[HTML_NAME_SIZE], column[HTML_NAME_SIZE];
    if (strcmp(output, "count") == 0) return strcpy(text, "Count");
    if (strcmp(output, "left out") == 0) return strcpy(text, "Left out");
    snprintf(text, HTML_NAME_SIZE, "%s", output);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].kind);
        if (strncmp(output, known[i].kind, length) != 0) continue;
        snprintf(inside, sizeof inside, "%s", output + length);
        char *bracket = strrchr(inside, ')');
        if (i == 4 && bracket && strrchr(inside, '[')) bracket = strrchr(inside, '[') - 1;
        if (!bracket) return text;
        *bracket = '\0';
        char *comma = i == 3 ? strrchr(inside, ',') : NULL;
        if (comma) *comma = '\0';
        put_inside(column, sizeof column, release, inside);
        const char *words = comma && strcmp(comma + 1, "0.5") == 0 ? "Median of " : known[i].words;
        snprintf(text, HTML_NAME_SIZE, "%s%.700s%s%.60s", words, column, comma && words == known[i].words ? " at " : "",
                 comma && words == known[i].words ? comma + 1 : "");
    }
    return text;
}

/* ---- Histograms and quantiles ---- */

bool html_is_histogram(const char *output) {
    return strncmp(output, "histogram(", 10) == 0 && strrchr(output, '[');
}

/* How long the part is that bins of one histogram, and quantiles of one column, share. */
static size_t stem(const char *output) {
    const char *end = html_is_histogram(output)              ? strrchr(output, '[')
                      : strncmp(output, "quantile(", 9) == 0 ? strrchr(output, ',')
                                                             : NULL;
    return end ? (size_t)(end - output) : strlen(output);
}

size_t html_family(const dpn_answer *answer, size_t first) {
    const char *name = answer->output[first];
    size_t length = stem(name), end = first + 1;
    for (; name[length] && end < answer->outputs; end++) {
        const char *other = answer->output[end];
        if (stem(other) != length || memcmp(name, other, length) != 0) break;
        /* The last bin of a histogram is closed: another one of the column may follow. */
        if (html_is_histogram(name) && answer->output[end - 1][strlen(answer->output[end - 1]) - 1] == ']') break;
    }
    return end - first;
}

char *html_family_name(char text[HTML_NAME_SIZE], const struct release *release, const char *output) {
    char part[HTML_NAME_SIZE];
    html_statistic(text, release, output);
    if (strncmp(output, "quantile(", 9) != 0) return text;
    snprintf(part, sizeof part, "%.*s", (int)(stem(output) - 9), output + 9);
    snprintf(text, HTML_NAME_SIZE, "Quantiles of %.700s", html_label(release, part));
    return text;
}
