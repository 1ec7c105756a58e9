/* A copy of a declaration, text by text: nothing is read, checked or put into another form. */
#include "release/declare/declaration.h"

#include "base/error.h"

#include <stdlib.h>

static bool copy_text(char **out, const char *text) {
    return !text || !dpn_text_copy(out, text, NULL);
}

/* NULL stays NULL; an element may be NULL too. */
static bool copy_texts(char ***out, char *const *text, size_t count) {
    if (!text) return true;
    *out = calloc(count ? count : 1, sizeof **out);
    bool copied = *out;
    for (size_t i = 0; i < count && copied; i++) copied = copy_text(&(*out)[i], text[i]);
    return copied;
}

static bool copy_statistic(dpn_statistic *out, const dpn_statistic *statistic) {
    *out = *statistic;
    out->column = out->lower = out->upper = out->edge = NULL;
    out->quantile = out->step = NULL;
    return copy_texts(&out->column, statistic->column, statistic->columns) &&
           copy_texts(&out->lower, statistic->lower, statistic->columns) &&
           copy_texts(&out->upper, statistic->upper, statistic->columns) &&
           copy_texts(&out->edge, statistic->edge, statistic->edges) &&
           copy_text(&out->quantile, statistic->quantile) && copy_text(&out->step, statistic->step);
}

static bool copy_grouping(dpn_grouping *out, const dpn_grouping *grouping) {
    *out = *grouping;
    out->column = NULL;
    out->level = NULL;
    return copy_text(&out->column, grouping->column) && copy_texts(&out->level, grouping->level, grouping->levels);
}

static bool copy_predicate(dpn_predicate *out, const dpn_predicate *predicate) {
    *out = (dpn_predicate){.is = predicate->is};
    return copy_text(&out->column, predicate->column) && copy_text(&out->value, predicate->value);
}

/* Counts grow as parts are copied, so that what is there can be freed at any time. */
static bool copy_parts(dpn_declaration *out, const dpn_declaration *declaration) {
    out->statistic = calloc(declaration->statistics + 1, sizeof *out->statistic);
    out->by = calloc(declaration->bys + 1, sizeof *out->by);
    out->where = calloc(declaration->wheres + 1, sizeof *out->where);
    bool copied = out->statistic && out->by && out->where;
    while (copied && out->statistics < declaration->statistics) {
        size_t i = out->statistics++;
        copied = copy_statistic(&out->statistic[i], &declaration->statistic[i]);
    }
    while (copied && out->bys < declaration->bys) {
        size_t i = out->bys++;
        copied = copy_grouping(&out->by[i], &declaration->by[i]);
    }
    while (copied && out->wheres < declaration->wheres) {
        size_t i = out->wheres++;
        copied = copy_predicate(&out->where[i], &declaration->where[i]);
    }
    return copied;
}

static bool copy_rest(dpn_declaration *out, const dpn_declaration *declaration) {
    out->nas = declaration->na ? declaration->nas : 0;
    return copy_text(&out->person, declaration->person) && copy_text(&out->epsilon, declaration->epsilon) &&
           copy_text(&out->delta, declaration->delta) && copy_text(&out->missing_value, declaration->missing_value) &&
           copy_texts(&out->na, declaration->na, declaration->nas) && copy_text(&out->noise, declaration->noise);
}

dpn_status dpn_declaration_copy(dpn_declaration *out, const dpn_declaration *declaration, dpn_error *why) {
    dpn_declaration copy = {.max_rows = declaration->max_rows,
                            .max_groups = declaration->max_groups,
                            .relation = declaration->relation,
                            .missing = declaration->missing,
                            .count_left_out = declaration->count_left_out,
                            .nonnegative = declaration->nonnegative,
                            .consistent = declaration->consistent,
                            .unsaid = declaration->unsaid,
                            .per_person = declaration->per_person};
    if (copy_parts(&copy, declaration) && copy_rest(&copy, declaration)) {
        *out = copy;
        return DPN_OK;
    }
    dpn_declaration_free(&copy);
    return dpn_fail(why, DPN_ENOMEM, "no memory for the declaration");
}
