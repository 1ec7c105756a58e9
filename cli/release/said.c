/* What was done to the data, in sentences. */
#define _POSIX_C_SOURCE 200809L
#include "release/said.h"

#include "kit/fact.h"
#include "kit/plain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 12 }; /* columns and tests in one sentence; the declaration has all */

/* ---- Sentences ---- */

/* A new sentence; end_line must follow unless it is NULL. */
static FILE *start_line(struct said *said, const char *topic) {
    if (said->failed || said->count == SAID_MOST) return NULL;
    said->line[said->count].topic = topic;
    FILE *out = open_memstream(&said->line[said->count].text, &said->length);
    said->failed = !out;
    return out;
}

static void end_line(struct said *said, FILE *out) {
    bool lost = ferror(out) != 0;
    if (fclose(out) != 0 || lost || !said->line[said->count].text) said->failed = true;
    said->count++;
}

static void say(struct said *said, const char *topic, const char *text) {
    FILE *out = start_line(said, topic);
    if (!out) return;
    fputs(text, out);
    end_line(said, out);
}

/* What stands between the parts of a list, of which SHOWN are told. */
static const char *between(size_t i) {
    return i ? ", " : "";
}

static void tell_more(FILE *out, size_t count) {
    if (count > SHOWN) fprintf(out, " and %zu more", count - SHOWN);
}

/* ---- Which rows count ---- */

static void say_where(struct said *said, const dpn_declaration *declaration) {
    FILE *out = declaration->wheres ? start_line(said, "rows") : NULL;
    if (!out) return;
    fputs("only those with ", out);
    for (size_t i = 0; i < declaration->wheres && i < SHOWN; i++) {
        const dpn_predicate *where = &declaration->where[i];
        fprintf(out, "%s%s %s %s", i ? " and " : "", where->column, dpn_predicate_is_name(where->is), where->value);
    }
    tell_more(out, declaration->wheres);
    end_line(said, out);
}

static void say_levels(struct said *said, const dpn_declaration *declaration) {
    size_t listed = 0;
    for (size_t i = 0; i < declaration->bys; i++) listed += declaration->by[i].level != NULL;
    FILE *out = listed ? start_line(said, "rows") : NULL;
    if (!out) return;
    fputs("those whose ", out);
    for (size_t i = 0, told = 0; i < declaration->bys && told < SHOWN; i++)
        if (declaration->by[i].level) fprintf(out, "%s%s", told++ ? " or " : "", declaration->by[i].column);
    tell_more(out, listed);
    fputs(" is not among the declared levels are left out", out);
    end_line(said, out);
}

static void say_persons(struct said *said, const dpn_declaration *declaration) {
    FILE *out = declaration->person ? start_line(said, "rows") : NULL;
    if (!out) return;
    fprintf(out, "of each person (%s) ", declaration->person);
    if (declaration->per_person)
        fputs("all", out);
    else
        fprintf(out, "up to %" PRIu64, declaration->max_rows);
    if (declaration->bys)
        fprintf(out, " in each of up to %" PRIu64 " group%s", declaration->max_groups,
                declaration->max_groups == 1 ? "" : "s");
    fputs(!declaration->per_person ? " count, drawn at random; the others are left out"
          : declaration->bys       ? ", drawn at random, count; groups beyond are left out"
                                   : " count",
          out);
    end_line(said, out);
    if (declaration->per_person)
        say(said, "persons",
            declaration->per_person == DPN_PER_PERSON_SUM
                ? "each adds the sum of all rows in a group; a count is that of persons"
                : "each adds the mean of all rows in a group; a count is that of persons");
}

static void say_missing(struct said *said, const dpn_declaration *declaration) {
    if (declaration->missing == DPN_MISSING_SKIP)
        say(said, "missing", "a row that cannot be used is left out of all answers");
    FILE *out = declaration->missing == DPN_MISSING_VALUE ? start_line(said, "missing") : NULL;
    if (!out) return;
    fprintf(out, "a field that is not a number where a statistic needs one becomes %s", declaration->missing_value);
    end_line(said, out);
}

/* ---- What happens to values ---- */

/* Whether the same bounds of a column were told before. */
static bool is_told(const dpn_declaration *declaration, size_t statistic, size_t column) {
    const dpn_statistic *now = &declaration->statistic[statistic];
    for (size_t s = 0; s <= statistic; s++) {
        const dpn_statistic *was = &declaration->statistic[s];
        size_t columns = s < statistic ? was->columns : column;
        for (size_t i = 0; i < columns && was->lower; i++)
            if (strcmp(was->column[i], now->column[column]) == 0 && strcmp(was->lower[i], now->lower[column]) == 0 &&
                strcmp(was->upper[i], now->upper[column]) == 0)
                return true;
    }
    return false;
}

static void say_clamped(struct said *said, const dpn_declaration *declaration) {
    size_t told = 0;
    FILE *out = NULL;
    for (size_t s = 0; s < declaration->statistics; s++) {
        const dpn_statistic *statistic = &declaration->statistic[s];
        for (size_t i = 0; statistic->lower && i < statistic->columns; i++) {
            if (is_told(declaration, s, i)) continue;
            if (!out) out = start_line(said, "clamped");
            if (!out) return;
            if (told < SHOWN)
                fprintf(out, "%s%s to %s..%s", between(told), statistic->column[i], statistic->lower[i],
                        statistic->upper[i]);
            told++;
        }
    }
    if (!out) return;
    tell_more(out, told);
    if (declaration->per_person)
        fprintf(out, ": a person's %s beyond a bound counts as the bound",
                dpn_per_person_name(declaration->per_person));
    else
        fputs(": a value beyond a bound counts as the bound", out);
    end_line(said, out);
}

static bool is_finite(const char *edge) {
    return strstr(edge, "inf") == NULL;
}

static void say_bins(struct said *said, const dpn_declaration *declaration) {
    size_t told = 0;
    FILE *out = NULL;
    for (size_t s = 0; s < declaration->statistics; s++) {
        const dpn_statistic *statistic = &declaration->statistic[s];
        if (statistic->kind != DPN_STATISTIC_HISTOGRAM || statistic->edges < 2) continue;
        const char *first = statistic->edge[0], *last = statistic->edge[statistic->edges - 1];
        if (!is_finite(first) && !is_finite(last)) continue;
        if (!out) out = start_line(said, "bins");
        if (!out) return;
        if (told < SHOWN) fprintf(out, "%s%s from %s to %s", between(told), statistic->column[0], first, last);
        told++;
    }
    if (!out) return;
    tell_more(out, told);
    fputs(": values outside are in no bin", out);
    end_line(said, out);
}

static void say_candidates(struct said *said, const dpn_declaration *declaration) {
    for (size_t s = 0; s < declaration->statistics; s++)
        if (declaration->statistic[s].step) {
            say(said, "quantiles", "the least candidate with at least that share of the values not above it");
            return;
        }
}

/* ---- What was selected, and what was done with the noisy numbers ---- */

static void say_keys(struct said *said, const dpn_declaration *declaration, const dpn_query_facts *facts) {
    FILE *out = facts->unknown_keys ? start_line(said, "keys") : NULL;
    if (!out) return;
    fprintf(out,
            "only those are shown whose noisy number of %ss is above %" PRId64
            "; smaller ones are left out, and how many is not told",
            declaration->person ? "person" : "row", facts->threshold);
    end_line(said, out);
}

static void say_processing(struct said *said, const dpn_declaration *declaration) {
    FILE *out = start_line(said, "processed");
    if (!out) return;
    fputs("after the noise, ", out);
    if (declaration->nonnegative) fputs("counts below 0 were set to 0, ", out);
    if (declaration->consistent) fputs("parts were made to add up to their totals, ", out);
    if (declaration->nonnegative || declaration->consistent) fputs("and ", out);
    fputs("numbers were rounded to the digits that the noise leaves", out);
    end_line(said, out);
}

/* ---- What the intervals hold ---- */

/* Whether an output has, in some group, an interval of that kind. */
static bool has_kind(const dpn_answer *answer, size_t output, dpn_interval_kind kind) {
    for (size_t g = 0; g < answer->groups; g++) {
        const dpn_answer_cell *cell = &answer->cell[g * answer->outputs + output];
        if (cell->kind == kind && !isnan(cell->low)) return true;
    }
    return false;
}

/* How long the name is under which an output is told: bins of a histogram are told as one, by its name. */
static size_t told_length(const char *output) {
    const char *bin = strncmp(output, "histogram(", 10) == 0 ? strrchr(output, '[') : NULL;
    return bin ? (size_t)(bin - output) : strlen(output);
}

/* Whether an output has intervals of that kind and is not told with the one before it. */
static bool is_named(const dpn_answer *answer, size_t output, dpn_interval_kind kind) {
    if (!has_kind(answer, output, kind)) return false;
    if (output == 0 || !has_kind(answer, output - 1, kind)) return true;
    const char *name = answer->output[output], *before = answer->output[output - 1];
    size_t length = told_length(name);
    return !name[length] || told_length(before) != length || memcmp(name, before, length) != 0;
}

static size_t count_kind(const dpn_answer *answer, dpn_interval_kind kind) {
    size_t count = 0;
    for (size_t o = 0; o < answer->outputs; o++) count += is_named(answer, o, kind);
    return count;
}

/* The outputs with intervals of a kind, all of them without names. */
static void say_kind(struct said *said, const dpn_answer *answer, dpn_interval_kind kind, const char *promise) {
    size_t count = count_kind(answer, kind), intervals = 0, told = 0;
    for (dpn_interval_kind k = DPN_INTERVAL_UNSTATED; k <= DPN_INTERVAL_CONDITIONAL; k++)
        intervals += count_kind(answer, k);
    FILE *out = count ? start_line(said, "error") : NULL;
    if (!out) return;
    size_t outputs = 0;
    for (size_t o = 0; o < answer->outputs; o++) outputs += has_kind(answer, o, kind);
    bool plural = outputs > 1 && count < intervals;
    fputs(count == intervals ? "each interval" : plural ? "the intervals of " : "the interval of ", out);
    for (size_t o = 0; o < answer->outputs && count < intervals && told < SHOWN; o++)
        if (is_named(answer, o, kind))
            fprintf(out, "%s%.*s", between(told++), (int)told_length(answer->output[o]), answer->output[o]);
    if (count < intervals) tell_more(out, count);
    fprintf(out, " %s the value without noise %s", plural ? "contain" : "contains", promise);
    end_line(said, out);
}

static void say_intervals(struct said *said, const dpn_answer *answer) {
    bool ranks = false;
    for (size_t i = 0; i < answer->groups * answer->outputs; i++) ranks = ranks || !isnan(answer->cell[i].rank95);
    say_kind(said, answer, DPN_INTERVAL_EXACT, "with probability 95%");
    say_kind(said, answer, DPN_INTERVAL_UNSTATED, "with probability about 95%, which is not proved");
    say_kind(said, answer, DPN_INTERVAL_CONSERVATIVE, "with probability at least 95%");
    say_kind(said, answer, DPN_INTERVAL_CONDITIONAL, "with probability at least 95%, given that its key is shown");
    if (ranks)
        say(said, "error",
            "rank +- n: with probability 95% a quantile is off by at most n values, and the step to the next "
            "candidate");
}

/* ---- All of it ---- */

struct said said_of(const dpn_declaration *declaration, const dpn_query *query, const dpn_answer *answer) {
    struct said said = {0};
    dpn_query_facts facts = dpn_query_look(query);
    if (answer) say_intervals(&said, answer);
    say_where(&said, declaration);
    say_levels(&said, declaration);
    say_persons(&said, declaration);
    if (facts.count_is_public) say(&said, "rows", "their number is taken for known, as rows are replaced, not added");
    say_missing(&said, declaration);
    say_clamped(&said, declaration);
    say_bins(&said, declaration);
    say_candidates(&said, declaration);
    if (answer) say_keys(&said, declaration, &facts);
    if (answer) say_processing(&said, declaration);
    return said;
}

void said_free(struct said *said) {
    for (size_t i = 0; i < SAID_MOST; i++) free(said->line[i].text);
    *said = (struct said){0};
}

void said_print(FILE *out, const struct said *said, const char *start) {
    for (size_t i = 0; i < said->count; i++) {
        bool again = i > 0 && strcmp(said->line[i].topic, said->line[i - 1].topic) == 0, note = start[0] == '#';
        char label[32];
        snprintf(label, sizeof label, "%s%-10s ", start, again ? "" : said->line[i].topic);
        if (!note) {
            fact_print(out, label, "%s", said->line[i].text);
            continue;
        }
        fputs(label, out); /* a comment is one line, however long */
        print_plain(out, said->line[i].text);
        putc('\n', out);
    }
}

void said_json(struct json *json, const struct said *said) {
    json_open_array(json, "treatment");
    for (size_t i = 0; i < said->count; i++) {
        json_open_object(json, NULL);
        json_string(json, "topic", said->line[i].topic);
        json_string(json, "text", said->line[i].text);
        json_close_object(json);
    }
    json_close_array(json);
}
