/* Whether a declaration makes sense by itself. Sentences name the part, as people declared it, and say what to do. */
#include "release/declare/declaration.h"

#include "base/error.h"
#include "base/text/excerpt.h"
#include "release/statistic/statistic.h"
#include "release/declare/candidates.h"
#include "release/declare/repeats.h"

#include <dpnoise/calibrate.h>
#include <inttypes.h>
#include <string.h>

/* ---- Statistics and columns ---- */

/* A column with another office can be no measure. */
static dpn_status check_offices(const dpn_declaration *declaration, const dpn_statistic *statistic, dpn_error *why) {
    char column[DPN_SHOWN_SIZE];
    const char *kind = dpn_statistic_kind_name(statistic->kind);
    for (size_t i = 0; i < statistic->columns; i++) {
        const char *name = statistic->column[i];
        if (declaration->person && strcmp(declaration->person, name) == 0)
            return dpn_fail(
                why, DPN_EDOMAIN,
                "%s of '%s': this column tells persons apart (person) and is no quantity; leave one of both out", kind,
                dpn_show(column, name));
        for (size_t g = 0; g < declaration->bys; g++)
            if (strcmp(declaration->by[g].column, name) == 0)
                return dpn_fail(
                    why, DPN_EDOMAIN,
                    "%s of '%s': this column is in by, so each group has one value of it; leave one of both out", kind,
                    dpn_show(column, name));
    }
    return DPN_OK;
}

/* ---- Groups ---- */

static dpn_status check_levels(const dpn_grouping *grouping, dpn_error *why) {
    char column[DPN_SHOWN_SIZE], level[DPN_SHOWN_SIZE];
    dpn_show(column, grouping->column);
    if (!grouping->level && grouping->levels == 0) return DPN_OK;
    if (!grouping->level || grouping->levels == 0)
        return dpn_fail(why, DPN_EDOMAIN, "levels of '%s': the list is empty; list them, or leave levels out", column);
    if (grouping->levels > DPN_DECLARATION_GROUPS)
        return dpn_fail(why, DPN_EDOMAIN, "levels of '%s': there are more than %d", column, DPN_DECLARATION_GROUPS);
    for (size_t i = 0; i < grouping->levels; i++) {
        dpn_error reason;
        if (dpn_name_check(grouping->level[i], "a level", &reason))
            return dpn_fail(why, reason.status, "levels of '%s': %s", column, reason.sentence);
    }
    size_t repeated;
    dpn_status status = dpn_repeated_text(&repeated, grouping->level, grouping->levels, why);
    if (status || repeated == SIZE_MAX) return status;
    return dpn_fail(why, DPN_EDOMAIN, "levels of '%s': '%s' is given twice", column,
                    dpn_show(level, grouping->level[repeated]));
}

static dpn_status check_groupings(const dpn_declaration *declaration, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    if (declaration->bys > DPN_DECLARATION_BYS)
        return dpn_fail(why, DPN_EDOMAIN, "by: there are more than %d columns", DPN_DECLARATION_BYS);
    for (size_t i = 0; i < declaration->bys; i++) {
        const dpn_grouping *grouping = &declaration->by[i];
        dpn_status status = dpn_name_check(grouping->column, "by: a column's name", why);
        if (status) return status;
        dpn_show(shown, grouping->column);
        if (grouping->levels_only)
            return dpn_fail(why, DPN_EDOMAIN, "levels of '%s': this column is not in by; add it there", shown);
        if (declaration->person && strcmp(declaration->person, grouping->column) == 0)
            return dpn_fail(why, DPN_EDOMAIN, "by: '%s' tells persons apart (person) and must not form groups", shown);
        for (size_t j = 0; j < i; j++)
            if (strcmp(declaration->by[j].column, grouping->column) == 0)
                return dpn_fail(why, DPN_EDOMAIN, "by: '%s' is given twice", shown);
        status = check_levels(grouping, why);
        if (status) return status;
    }
    return DPN_OK;
}

/* ---- Sizes ---- */

/* The numbers that a group needs for a statistic; DPN_DECLARATION_CELLS + 1 for more than that. */
static uint64_t cells_of(const dpn_statistic *statistic) {
    uint32_t steps;
    if (statistic->step &&
        !dpn_candidates_steps(&steps, statistic->lower[0], statistic->upper[0], statistic->step, NULL))
        return (uint64_t)steps + 1;
    uint64_t cells = dpn_statistic_shape_of(statistic->kind) & DPN_HAS_COLUMNS
                         ? (uint64_t)statistic->columns * (statistic->columns + 1) / 2
                     : statistic->edge ? statistic->edges - 1
                                       : 1;
    return cells > DPN_DECLARATION_CELLS ? DPN_DECLARATION_CELLS + 1 : cells;
}

static dpn_status check_sizes(const dpn_declaration *declaration, dpn_error *why) {
    uint64_t groups = 1, cells = 0; /* no product here passes 10^12 */
    for (size_t i = 0; i < declaration->bys; i++) {
        if (declaration->by[i].level) groups *= declaration->by[i].levels;
        if (groups > DPN_DECLARATION_GROUPS)
            return dpn_fail(why, DPN_EDOMAIN, "by: the levels make more than %d groups; take fewer columns or levels",
                            DPN_DECLARATION_GROUPS);
    }
    for (size_t i = 0; i < declaration->statistics; i++) {
        cells += cells_of(&declaration->statistic[i]);
        if (cells * groups > DPN_DECLARATION_CELLS)
            return dpn_fail(why, DPN_EDOMAIN,
                            "statistics: %" PRIu64 " groups with %" PRIu64
                            " numbers or more are more than %d; take fewer groups, bins or statistics",
                            groups, cells, DPN_DECLARATION_CELLS);
    }
    return DPN_OK;
}

static dpn_status check_repeats(const dpn_declaration *declaration, dpn_error *why) {
    dpn_repeat repeat;
    char first[DPN_SHOWN_SIZE], second[DPN_SHOWN_SIZE];
    dpn_status status = dpn_repeated_statistic(&repeat, declaration, why);
    if (status || !repeat.statistic) return status;
    const char *kind = dpn_statistic_kind_name(repeat.statistic->kind);
    if (!repeat.first) return dpn_fail(why, DPN_EDOMAIN, "%s: it is asked twice; leave one out", kind);
    dpn_show(first, repeat.first);
    if (!repeat.second) return dpn_fail(why, DPN_EDOMAIN, "%s of '%s': it is asked twice; leave one out", kind, first);
    if (strcmp(repeat.first, repeat.second) == 0)
        return dpn_fail(why, DPN_EDOMAIN, "%s of '%s': the column is given twice; name each once", kind, first);
    return dpn_fail(why, DPN_EDOMAIN, "%s of '%s' and '%s': it is asked twice; name each pair of columns once", kind,
                    first, dpn_show(second, repeat.second));
}

/* ---- Predicates ---- */

static dpn_status check_predicate(const dpn_predicate *predicate, dpn_error *why) {
    dpn_signed number;
    dpn_error reason;
    char column[DPN_SHOWN_SIZE];
    dpn_status status = dpn_name_check(predicate->column, "where: a column's name", why);
    if (status) return status;
    const char *name = dpn_predicate_is_name(predicate->is);
    dpn_show(column, predicate->column);
    if (!name) return dpn_fail(why, DPN_EDOMAIN, "where '%s': there is no such comparison", column);
    if (dpn_name_check(predicate->value, "the value", &reason))
        return dpn_fail(why, reason.status, "where '%s' %s: %s", column, name, reason.sentence);
    if (predicate->is == DPN_IS_EQUAL || predicate->is == DPN_IS_NOT_EQUAL) return DPN_OK;
    status = dpn_signed_read(&number, predicate->value, &reason);
    return status ? dpn_fail(why, status, "where '%s' %s: %s", column, name, reason.sentence) : DPN_OK;
}

static dpn_status check_wheres(const dpn_declaration *declaration, dpn_error *why) {
    if (declaration->wheres > DPN_DECLARATION_WHERES)
        return dpn_fail(why, DPN_EDOMAIN, "where: there are more than %d predicates", DPN_DECLARATION_WHERES);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < declaration->wheres && !status; i++) status = check_predicate(&declaration->where[i], why);
    return status;
}

/* ---- The unit and the guarantee ---- */

static dpn_status check_most(const char *name, uint64_t most, bool person, dpn_error *why) {
    static const uint64_t limit = 1000000000;
    if (most < 1 || most > limit)
        return dpn_fail(why, DPN_EDOMAIN, "%s must be from 1 to %" PRIu64 ", not %" PRIu64, name, limit, most);
    if (most > 1 && !person)
        return dpn_fail(why, DPN_EDOMAIN,
                        "%s %" PRIu64 " needs person, the column that tells persons apart; name it, or leave %s out",
                        name, most, name);
    return DPN_OK;
}

/* A person is one record in each group then, which has a value of each measure and is in no bin. */
static dpn_status check_per_person(const dpn_declaration *declaration, dpn_error *why) {
    const char *word = dpn_per_person_name(declaration->per_person);
    char column[DPN_SHOWN_SIZE];
    if (!word) return dpn_fail(why, DPN_EDOMAIN, "per_person: it must be sum or mean");
    if (declaration->per_person == DPN_PER_PERSON_ROWS) return DPN_OK;
    if (!declaration->person)
        return dpn_fail(
            why, DPN_EDOMAIN,
            "per_person %s needs person, the column that tells persons apart; name it, or leave per_person out", word);
    if (declaration->max_rows > 1)
        return dpn_fail(why, DPN_EDOMAIN, "per_person %s: all rows of a person count; leave max_rows out", word);
    if (declaration->count_left_out)
        return dpn_fail(why, DPN_EDOMAIN, "per_person %s: count_left_out is about rows; ask for it by itself", word);
    for (size_t i = 0; i < declaration->statistics; i++) {
        const dpn_statistic *statistic = &declaration->statistic[i];
        if (dpn_statistic_row_of(statistic->kind)->bins == DPN_BINS_NONE) continue;
        return dpn_fail(why, DPN_EDOMAIN, "per_person %s: %s of '%s' is about rows; ask for it by itself", word,
                        dpn_statistic_kind_name(statistic->kind), dpn_show(column, statistic->column[0]));
    }
    return DPN_OK;
}

static dpn_status check_unit(const dpn_declaration *declaration, dpn_error *why) {
    const char *person = declaration->person;
    dpn_status status = person ? dpn_name_check(person, "person: the column's name", why) : DPN_OK;
    if (!status) status = check_most("max_rows", declaration->max_rows, person, why);
    if (!status) status = check_most("max_groups", declaration->max_groups, person, why);
    if (status) return status;
    if (declaration->max_groups > 1 && declaration->bys == 0)
        return dpn_fail(why, DPN_EDOMAIN,
                        "max_groups %" PRIu64 ": there are no groups; name them in by, or leave max_groups out",
                        declaration->max_groups);
    status = check_per_person(declaration, why);
    if (status) return status;
    if (!dpn_relation_name(declaration->relation))
        return dpn_fail(why, DPN_EDOMAIN, "relation: there is no such relation");
    return dpn_missing_check(declaration, why);
}

/* epsilon or delta: not negative, and what a double can hold with all its digits. */
static dpn_status read_share(dpn_decimal *out, const char *name, const char *text, dpn_error *why) {
    static const char least_text[] = "2.2250738585072014e-308";
    dpn_signed number;
    dpn_decimal least;
    dpn_error reason;
    char shown[DPN_SHOWN_SIZE];
    if (!text) return dpn_fail(why, DPN_EDOMAIN, "%s is missing", name);
    dpn_status status = dpn_signed_read(&number, text, &reason);
    if (!status) status = dpn_decimal_parse(&least, least_text, &reason);
    if (status) return dpn_fail(why, status, "%s: %s", name, reason.sentence);
    dpn_show(shown, text);
    if (number.negative) return dpn_fail(why, DPN_EDOMAIN, "%s %s must not be negative", name, shown);
    if (!dpn_decimal_is_zero(&number.size) && dpn_decimal_compare(&number.size, &least) < 0)
        return dpn_fail(why, DPN_EDOMAIN, "%s %s is too small: %s is the least", name, shown, least_text);
    *out = number.size;
    return DPN_OK;
}

static dpn_status read_guarantee(dpn_shares *out, const dpn_declaration *declaration, dpn_error *why) {
    dpn_decimal epsilon, delta, one;
    char shown[DPN_SHOWN_SIZE];
    dpn_status status = read_share(&epsilon, "epsilon", declaration->epsilon, why);
    if (!status) status = read_share(&delta, "delta", declaration->delta ? declaration->delta : "0", why);
    if (!status) status = dpn_decimal_parse(&one, "1", why);
    if (status) return status;
    if (dpn_decimal_is_zero(&epsilon)) return dpn_fail(why, DPN_EDOMAIN, "epsilon must be above 0");
    if (dpn_decimal_compare(&delta, &one) >= 0)
        return dpn_fail(why, DPN_EDOMAIN, "delta %s must be below 1", dpn_show(shown, declaration->delta));
    for (size_t i = 0; i < declaration->bys; i++)
        if (!declaration->by[i].level && dpn_decimal_is_zero(&delta))
            return dpn_fail(
                why, DPN_EDOMAIN,
                "by: '%s' has no levels, and finding them privately needs a delta above 0; declare levels or delta",
                dpn_show(shown, declaration->by[i].column));
    *out = (dpn_shares){epsilon, delta};
    return DPN_OK;
}

static dpn_status check_noise(const char *noise, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    if (!noise || strcmp(noise, "best") == 0) return DPN_OK;
    for (size_t i = 0; dpn_mechanism_name(i); i++)
        if (strcmp(noise, dpn_mechanism_name(i)) == 0) return DPN_OK;
    return dpn_fail(why, DPN_EPARSE, "noise: there is no family '%s'; leave it out, or name one as gaussian or laplace",
                    dpn_show(shown, noise));
}

dpn_status dpn_declaration_read_shares(dpn_shares *out, const dpn_declaration *declaration, dpn_error *why) {
    if (declaration->statistics == 0)
        return dpn_fail(why, DPN_EDOMAIN, "statistics: there are none; ask for one, as a count");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < declaration->statistics && !status; i++)
        status = dpn_statistic_check(&declaration->statistic[i], why);
    if (!status) status = check_groupings(declaration, why);
    for (size_t i = 0; i < declaration->statistics && !status; i++)
        status = check_offices(declaration, &declaration->statistic[i], why);
    if (!status) status = check_sizes(declaration, why);
    if (!status) status = check_repeats(declaration, why);
    if (!status) status = check_wheres(declaration, why);
    if (!status) status = check_unit(declaration, why);
    dpn_shares shares = {0};
    if (!status) status = read_guarantee(&shares, declaration, why);
    if (!status) status = check_noise(declaration->noise, why);
    if (!status) *out = shares;
    return status;
}

dpn_status dpn_declaration_check(const dpn_declaration *declaration, dpn_error *why) {
    dpn_shares unused;
    return dpn_declaration_read_shares(&unused, declaration, why);
}
