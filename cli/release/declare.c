/* What `dpnoise release` is asked: the declaration of --spec, and options that override it. */
#define _POSIX_C_SOURCE 200809L
#include "release/release.h"

#include "input/family.h"
#include "input/sensitivity.h"
#include "input/slips.h"
#include "kit/draft.h"
#include "kit/fail.h"
#include "kit/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The file of --spec ---- */

static dpn_status read_text(char **out, size_t *length, const char *name, dpn_error *why) {
    dpn_status status = file_read(out, length, name, FILE_MOST, "--spec: ", why);
    if (status || *length <= FILE_MOST) return status;
    free(*out);
    return refuse(why, DPN_EIO, "--spec: '%.80s' is longer than 64 MiB", name);
}

static dpn_status read_spec(dpn_declaration *out, const struct release *release, dpn_error *why) {
    const char *name = arguments_value(release->arguments, "--spec");
    for (size_t i = 0; !name && i < release->states.files; i++)
        if (release->states.file[i].spec)
            return dpn_declaration_read(out, release->states.file[i].spec, release->states.file[i].spec_length, why);
    if (!name) return dpn_declaration_read(out, "{}", 2, why); /* the defaults */
    char *text = NULL;
    size_t length = 0;
    dpn_error reason;
    dpn_status status = release_check_input(release, "--spec", name, why);
    if (!status) status = read_text(&text, &length, name, why);
    if (status) return status;
    status = dpn_declaration_read(out, text, length, &reason);
    free(text);
    return status ? refuse(why, status, "--spec: %.200s", reason.sentence) : DPN_OK;
}

/* ---- Statistics and predicates ---- */

static dpn_status named(const char *option, dpn_status status, const dpn_error *reason, dpn_error *why) {
    return status ? refuse(why, status, "%s: %.200s", option, reason->sentence) : DPN_OK;
}

/* The kind of an option such as --sum; a number past the end if it is not one. */
static dpn_statistic_kind kind_of(const struct option *option) {
    unsigned kind = 0;
    while (dpn_statistic_kind_name((dpn_statistic_kind)kind) &&
           strcmp(dpn_statistic_kind_name((dpn_statistic_kind)kind), option->name + 2) != 0)
        kind++;
    return (dpn_statistic_kind)kind;
}

/* COLUMN:LOWER:UPPER:STEP as the quantile COLUMN:0.5:LOWER:UPPER:STEP; release with free(). A colon in quotes is part of the
 * column; a quote within quotes is written twice and ends none. */
static char *median_as_quantile(const char *text) {
    static const char half[] = ":0.5";
    size_t column = 0, length = strlen(text);
    for (bool quoted = false; column < length && (quoted || text[column] != ':'); column++)
        quoted = quoted != (text[column] == '"');
    char *out = malloc(length + sizeof half);
    if (!out) return NULL;
    memcpy(out, text, column);
    memcpy(out + column, half, sizeof half - 1);
    memcpy(out + column + sizeof half - 1, text + column, length - column + 1);
    return out;
}

static dpn_status declare_median(dpn_declaration *declaration, const char *text, dpn_error *why) {
    char *quantile = median_as_quantile(text);
    if (!quantile) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = dpn_declare_statistic(declaration, DPN_STATISTIC_QUANTILE, quantile, why);
    free(quantile);
    return status;
}

static dpn_status declare_statistics(dpn_declaration *declaration, const struct arguments *arguments, dpn_error *why) {
    bool first = true;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        const struct given *given = &arguments->given[i];
        dpn_statistic_kind kind = kind_of(given->option);
        dpn_error reason;
        bool median = strcmp(given->option->name, "--median") == 0;
        if (!median && !dpn_statistic_kind_name(kind)) continue;
        if (first) release_forget_statistics(declaration);
        first = false;
        status = median ? declare_median(declaration, given->value, &reason)
                        : dpn_declare_statistic(declaration, kind, given->value ? given->value : "", &reason);
        status = named(given->option->name, status, &reason, why);
    }
    return status;
}

static dpn_status declare_where(dpn_declaration *declaration, const struct arguments *arguments, dpn_error *why) {
    dpn_status status = DPN_OK;
    if (arguments_have(arguments, "--where")) release_forget_where(declaration);
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        dpn_error reason;
        if (strcmp(arguments->given[i].option->name, "--where") != 0) continue;
        status = dpn_declare_where(declaration, arguments->given[i].value, &reason);
        status = named("--where", status, &reason, why);
    }
    return status;
}

/* ---- Single values ---- */

/* What an option says is not a registration's to fill in. */
static void said(dpn_declaration *declaration, const struct arguments *arguments, const char *option, dpn_unsaid part) {
    if (arguments_have(arguments, option)) declaration->unsaid &= ~(unsigned)part;
}

/* --missing and --na: what becomes of rows that cannot be used. */
static dpn_status declare_missing(dpn_declaration *declaration, const struct arguments *arguments, dpn_error *why) {
    const char *rule = arguments_value(arguments, "--missing"), *words = arguments_value(arguments, "--na");
    dpn_error reason;
    dpn_status status = rule ? dpn_declare_missing(declaration, rule, &reason) : DPN_OK;
    if (rule) status = named("--missing", status, &reason, why);
    if (status) return status;
    if (rule && declaration->missing == DPN_MISSING_REFUSE)
        return refuse(why, DPN_EPARSE,
                      "--missing refuse does not exist any more, because a release that fails tells about a row: type "
                      "--missing skip "
                      "to leave out rows that cannot be used (the default), or --missing value:0");
    if (words) {
        release_forget_na(declaration);
        status = named("--na", dpn_declare_na(declaration, words, &reason), &reason, why);
    }
    if (arguments_have(arguments, "--count-left-out")) declaration->count_left_out = true;
    return status;
}

static dpn_status declare_values(dpn_declaration *declaration, const struct arguments *arguments, dpn_error *why) {
    static const char *const per_persons[] = {"rows", "sum", "mean", NULL};
    size_t per_person = (size_t)declaration->per_person;
    dpn_status status = arguments_take(&declaration->person, arguments, "--person-id", why);
    if (!status) status = arguments_take(&declaration->epsilon, arguments, "--epsilon", why);
    if (!status) status = arguments_take(&declaration->delta, arguments, "--delta", why);
    if (!status) status = arguments_take(&declaration->noise, arguments, "--noise", why);
    if (!status) status = family_check("--noise", declaration->noise, why);
    if (!status) status = arguments_count(&declaration->max_rows, arguments, "--max-rows", why);
    if (!status) status = arguments_count(&declaration->max_groups, arguments, "--max-groups", why);
    if (!status) status = arguments_choice(&per_person, arguments, "--per-person", per_persons, why);
    if (!status) status = relation_read(&declaration->relation, arguments, why);
    if (!status) status = declare_missing(declaration, arguments, why);
    if (status) return status;
    said(declaration, arguments, "--max-rows", DPN_UNSAID_MAX_ROWS);
    said(declaration, arguments, "--max-groups", DPN_UNSAID_MAX_GROUPS);
    said(declaration, arguments, "--relation", DPN_UNSAID_RELATION);
    said(declaration, arguments, "--missing", DPN_UNSAID_MISSING);
    said(declaration, arguments, "--delta", DPN_UNSAID_DELTA);
    declaration->per_person = (dpn_per_person)per_person;
    if (arguments_have(arguments, "--nonnegative")) declaration->nonnegative = true;
    if (arguments_have(arguments, "--consistent")) declaration->consistent = true;
    return DPN_OK;
}

dpn_status release_check_persons(const struct release *release, dpn_error *why) {
    static const char *const about_persons[] = {"--max-rows", "--max-groups", "--per-person"};
    for (size_t i = 0; i < sizeof about_persons / sizeof *about_persons && !release->declaration.person; i++)
        if (arguments_have(release->arguments, about_persons[i]))
            return refuse(why, DPN_EPARSE, "%s is about persons: give --person-id, the column that tells them apart",
                          about_persons[i]);
    return DPN_OK;
}

/* ---- What is not said ---- */

static bool keys_are_unknown(const dpn_declaration *declaration) {
    for (size_t i = 0; i < declaration->bys; i++)
        if (!declaration->by[i].level) return true;
    return false;
}

/* What is no number is refused by others. */
bool release_has_delta(const dpn_declaration *declaration) {
    dpn_decimal delta;
    return declaration->delta && (dpn_decimal_parse(&delta, declaration->delta, NULL) || !dpn_decimal_is_zero(&delta));
}

/* Keys that are chosen privately need a delta. */
dpn_status release_choose_delta(struct release *release, dpn_error *why) {
    dpn_declaration *declaration = &release->declaration;
    if (!keys_are_unknown(declaration) || arguments_have(release->arguments, "--delta")) return DPN_OK;
    char *chosen = strdup("1e-6");
    if (!chosen) return refuse(why, DPN_ENOMEM, "out of memory");
    free(declaration->delta);
    declaration->delta = chosen;
    return DPN_OK;
}

void release_tell_delta(struct release *release) {
    const char *delta = release->declaration.delta;
    if (!delta || !keys_are_unknown(&release->declaration)) return;
    release_note(release, "keys without %s are chosen privately, which takes a delta: %.40s, as none was given",
                 release->registered ? "registered levels" : "--levels", delta);
}

/* The question is compiled: its numbers are known, and nothing was spent. */
dpn_status release_check_slips(const struct release *release, dpn_error *why) {
    const struct arguments *arguments = release->arguments;
    dpn_query_facts facts = dpn_query_look(dpn_question_query(release->question));
    if (arguments_have(arguments, "--dry-run") || arguments_have(arguments, "--check")) return DPN_OK;
    dpn_status status = slip_in_epsilon(&facts.epsilon, arguments, why);
    return status ? status : slip_in_delta(&facts.delta, arguments, why);
}

static dpn_status check_question(const struct release *release, dpn_error *why) {
    const dpn_declaration *declaration = &release->declaration;
    if (declaration->statistics == 0 && arguments_have(release->arguments, "--sums"))
        return refuse(why, DPN_EPARSE, "which question are these the sums of? give --spec as to dpnoise sql");
    if (declaration->statistics == 0)
        return refuse(why, DPN_EPARSE, "what shall be released? --count, or --mean column:lower:upper, for example");
    if (!declaration->epsilon)
        return refuse(why, DPN_EPARSE, "--epsilon is missing: how private shall the answer be? 1 is a common start");
    return DPN_OK;
}

dpn_status release_declare_rest(struct release *release, dpn_error *why) {
    dpn_status status = release_declare_groups(release, why);
    if (!status) status = declare_where(&release->declaration, release->arguments, why);
    if (!status) status = declare_values(&release->declaration, release->arguments, why);
    return status ? status : check_question(release, why);
}

dpn_status release_declare(struct release *release, dpn_error *why) {
    dpn_status status = read_spec(&release->declaration, release, why);
    if (!status) status = declare_statistics(&release->declaration, release->arguments, why);
    return status ? status : release_declare_rest(release, why);
}

dpn_status release_take_asked(struct release *release, dpn_error *why) {
    dpn_declaration asked;
    dpn_status status = dpn_declaration_copy(&asked, dpn_question_declaration(release->question), why);
    if (status) return status;
    dpn_declaration_free(&release->declaration);
    release->declaration = asked;
    return DPN_OK;
}

dpn_status release_save_spec(const struct release *release, dpn_error *why) {
    const char *name = arguments_value(release->arguments, "--save-spec");
    struct draft draft;
    if (!name) return DPN_OK;
    dpn_status status = draft_begin(&draft, "--save-spec", name, why);
    if (status) return status;
    const char *text = dpn_question_text(release->question);
    size_t length = strlen(text);
    bool written = write(draft.descriptor, text, length) == (ssize_t)length && write(draft.descriptor, "\n", 1) == 1;
    if (written) return draft_publish(&draft, why);
    status = refuse(why, DPN_EIO, "--save-spec: '%.80s' cannot be written: %s", name, strerror(errno));
    draft_drop(&draft);
    return status;
}
