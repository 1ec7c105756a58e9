/* Statistics as they are typed in a shell. */
#include "release/declare/declaration.h"
#include "release/declare/words.h"

#include "base/decimal.h"
#include "base/error.h"
#include "base/text/excerpt.h"
#include "release/statistic/statistic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the declaration");
}

/* How a kind is written. */
static dpn_status expect(dpn_statistic_kind kind, dpn_error *why) {
    return dpn_fail(why, DPN_EPARSE, "%s", dpn_statistic_row_of(kind)->form);
}

/* Whether these separators follow the words from `first` on, the end last: "::" for three words. */
static bool separated(const dpn_words *words, size_t first, const char *by) {
    size_t count = strlen(by) + 1;
    if (words->count != first + count) return false;
    for (size_t i = 0; i < count; i++)
        if (words->word[first + i].after != by[i]) return false;
    return true;
}

/* Whether the words from `first` on are a list of two or more. */
static bool listed(const dpn_words *words, size_t first) {
    if (words->count < first + 2) return false;
    for (size_t i = first; i + 1 < words->count; i++)
        if (words->word[i].after != ',') return false;
    return true;
}

/* ---- parts ---- */

static dpn_status make_lists(dpn_statistic *out, size_t columns, bool bounds, dpn_error *why) {
    out->columns = columns;
    out->column = calloc(columns, sizeof *out->column);
    if (bounds) {
        out->lower = calloc(columns, sizeof *out->lower);
        out->upper = calloc(columns, sizeof *out->upper);
    }
    return out->column && (!bounds || (out->lower && out->upper)) ? DPN_OK : no_memory(why);
}

static dpn_status set_column(dpn_statistic *out, size_t index, const char *name, dpn_error *why) {
    if (dpn_name_check(name, "the column's name", why)) return DPN_EPARSE;
    return dpn_text_copy(&out->column[index], name, why);
}

/* A number; the sentence tells which. */
static dpn_status set_number(char **out, const char *text, const char *part, bool infinite, dpn_error *why) {
    dpn_error reason;
    dpn_status status = dpn_number_copy(out, text, infinite, &reason);
    return status ? dpn_fail(why, status, "%s: %s", part, reason.sentence) : DPN_OK;
}

/* COLUMN:LOWER:UPPER at three words. */
static dpn_status set_bounded(dpn_statistic *out, size_t index, const dpn_word *word, dpn_error *why) {
    dpn_status status = set_column(out, index, word[0].text, why);
    if (!status) status = set_number(&out->lower[index], word[1].text, "lower", false, why);
    return status ? status : set_number(&out->upper[index], word[2].text, "upper", false, why);
}

static dpn_status make_edges(dpn_statistic *out, size_t count, dpn_error *why) {
    out->edge = calloc(count, sizeof *out->edge);
    if (!out->edge) return no_memory(why);
    out->edges = count;
    return DPN_OK;
}

static dpn_status set_edges(dpn_statistic *out, const dpn_words *words, size_t first, bool infinite, dpn_error *why) {
    dpn_status status = make_edges(out, words->count - first, why);
    for (size_t i = 0; i < out->edges && !status; i++)
        status = set_number(&out->edge[i], words->word[first + i].text, "edges", infinite, why);
    return status;
}

/* ---- equal bins ---- */

/* A whole number from 1 to DPN_DECLARATION_CELLS in digits, 0 if it is not one. */
static uint32_t read_bins(const char *text) {
    uint32_t bins = 0;
    for (; *text >= '0' && *text <= '9' && bins <= DPN_DECLARATION_CELLS; text++)
        bins = 10 * bins + (uint32_t)(*text - '0');
    return *text || bins > DPN_DECLARATION_CELLS ? 0 : bins;
}

/* (upper - lower)/bins, exactly. */
static dpn_status find_step(dpn_signed *out, const dpn_signed *lower, const dpn_signed *upper, uint32_t bins,
                            dpn_error *why) {
    dpn_signed width = *lower;
    width.negative = !lower->negative && !dpn_decimal_is_zero(&lower->size);
    dpn_status status = dpn_signed_add(&width, &width, upper, why);
    if (status) return status;
    if (width.negative || dpn_decimal_is_zero(&width.size))
        return dpn_fail(why, DPN_EPARSE, "lower must be less than upper");
    if (!dpn_decimal_divide(&width.size, &width.size, bins))
        return dpn_fail(
            why, DPN_EPARSE,
            "that many equal bins have edges that are not decimals; choose another number, or list the edges");
    *out = width;
    return DPN_OK;
}

/* Edges lower, lower + step, ..., upper. */
static dpn_status set_equal_bins(dpn_statistic *out, const dpn_word *word, dpn_error *why) {
    dpn_signed lower, upper, step;
    dpn_error reason;
    char text[DPN_SIGNED_TEXT_SIZE];
    uint32_t bins = read_bins(word[2].text);
    if (bins == 0)
        return dpn_fail(why, DPN_EPARSE, "bins: a whole number from 1 to %d is expected", DPN_DECLARATION_CELLS);
    dpn_status status = dpn_signed_read(&lower, word[0].text, &reason);
    if (status) return dpn_fail(why, status, "lower: %s", reason.sentence);
    status = dpn_signed_read(&upper, word[1].text, &reason);
    if (status) return dpn_fail(why, status, "upper: %s", reason.sentence);
    status = find_step(&step, &lower, &upper, bins, why);
    if (!status) status = make_edges(out, (size_t)bins + 1, why);
    for (size_t i = 0; i < out->edges && !status; i++) {
        status = dpn_text_copy(&out->edge[i], dpn_signed_print(text, &lower), why);
        if (!status) status = dpn_signed_add(&lower, &lower, &step, why);
    }
    return status;
}

/* ---- kinds ---- */

static dpn_status read_histogram(dpn_statistic *out, const dpn_words *words, dpn_error *why) {
    bool equal = separated(words, 0, ":::");
    if (!equal && (words->word[0].after != ':' || !listed(words, 1))) return expect(out->kind, why);
    dpn_status status = make_lists(out, 1, false, why);
    if (!status) status = set_column(out, 0, words->word[0].text, why);
    if (status) return status;
    return equal ? set_equal_bins(out, &words->word[1], why) : set_edges(out, words, 1, true, why);
}

/* COLUMN:QUANTILE or COLUMN:QUANTILE:::STEP, whose bounds a registration supplies. */
static dpn_status read_bare_quantile(dpn_statistic *out, const dpn_words *words, dpn_error *why) {
    dpn_status status = make_lists(out, 1, false, why);
    if (!status) status = set_column(out, 0, words->word[0].text, why);
    if (!status) status = set_number(&out->quantile, words->word[1].text, "quantile", false, why);
    if (!status && words->count == 5) status = set_number(&out->step, words->word[4].text, "step", false, why);
    return status;
}

static dpn_status read_quantile(dpn_statistic *out, const dpn_words *words, dpn_error *why) {
    bool step = separated(words, 0, "::::"), empty = step && !*words->word[2].text && !*words->word[3].text;
    if (separated(words, 0, ":") || empty) return read_bare_quantile(out, words, why);
    bool bounds = step || separated(words, 0, ":::"), edges = false;
    if (words->count > 3) edges = words->word[0].after == ':' && words->word[1].after == ':' && listed(words, 2);
    if (!bounds && !edges) return expect(out->kind, why);
    dpn_status status = make_lists(out, 1, true, why);
    if (!status) status = set_column(out, 0, words->word[0].text, why);
    if (!status) status = set_number(&out->quantile, words->word[1].text, "quantile", false, why);
    if (!status && edges) status = set_edges(out, words, 2, false, why);
    if (!status) status = set_number(&out->lower[0], words->word[2].text, "lower", false, why);
    if (!status) status = set_number(&out->upper[0], words->word[words->count - 1 - step].text, "upper", false, why);
    if (!status && step) status = set_number(&out->step, words->word[4].text, "step", false, why);
    return status;
}

/* Columns alone, whose bounds a registration supplies. */
static dpn_status read_unbounded(dpn_statistic *out, const dpn_words *words, dpn_error *why) {
    dpn_status status = make_lists(out, words->count, false, why);
    for (size_t i = 0; i < words->count && !status; i++) status = set_column(out, i, words->word[i].text, why);
    return status;
}

/* One column for a sum, mean or variance, more for a covariance. */
static dpn_status read_bounded(dpn_statistic *out, const dpn_words *words, dpn_error *why) {
    size_t columns = words->count / 3;
    bool many = dpn_statistic_shape_of(out->kind) & DPN_HAS_COLUMNS;
    if (many ? listed(words, 0) : words->count == 1 && *words->word[0].text) return read_unbounded(out, words, why);
    if (words->count % 3 || (many ? columns < 2 : columns != 1)) return expect(out->kind, why);
    for (size_t i = 0; i + 1 < words->count; i++)
        if (words->word[i].after != (i % 3 == 2 ? ',' : ':')) return expect(out->kind, why);
    dpn_status status = make_lists(out, columns, true, why);
    for (size_t i = 0; i < columns && !status; i++) status = set_bounded(out, i, &words->word[3 * i], why);
    return status;
}

static dpn_status read_statistic(dpn_statistic *out, const char *text, dpn_error *why) {
    dpn_words words;
    unsigned shape = dpn_statistic_shape_of(out->kind);
    if (shape == 0) return *text ? expect(out->kind, why) : DPN_OK;
    dpn_status status = dpn_words_split(&words, text, ":,", why);
    if (status) return status;
    if (shape & DPN_HAS_EDGES)
        status = read_histogram(out, &words, why);
    else if (shape & DPN_HAS_QUANTILE)
        status = read_quantile(out, &words, why);
    else
        status = read_bounded(out, &words, why);
    dpn_words_free(&words);
    return status;
}

dpn_status dpn_declare_statistic(dpn_declaration *declaration, dpn_statistic_kind kind, const char *text,
                                 dpn_error *why) {
    dpn_statistic statistic = {.kind = kind}, *all = NULL;
    dpn_error reason;
    char shown[DPN_SHOWN_SIZE];
    const char *name = dpn_statistic_kind_name(kind);
    if (!name) return dpn_fail(why, DPN_EDOMAIN, "there is no such kind of statistic");
    if (!text) text = "";
    dpn_status status = read_statistic(&statistic, text, &reason);
    if (!status) {
        all = realloc(declaration->statistic, (declaration->statistics + 1) * sizeof *all);
        if (!all) status = no_memory(&reason);
    }
    if (status) {
        dpn_statistic_free(&statistic);
        return status == DPN_ENOMEM
                   ? no_memory(why)
                   : dpn_fail(why, status, "%s '%s': %s", name, dpn_show(shown, text), reason.sentence);
    }
    declaration->statistic = all;
    all[declaration->statistics++] = statistic;
    return DPN_OK;
}
