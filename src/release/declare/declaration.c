/* The parts of a declaration: their names, their texts and their memory. */
#include "release/declare/declaration.h"

#include "base/error.h"
#include "base/text/excerpt.h"

#include <stdlib.h>
#include <string.h>

const char *dpn_predicate_is_name(dpn_predicate_is is) {
    static const char *const names[] = {"=", "!=", "<", "<=", ">", ">="};
    return (size_t)is < sizeof names / sizeof *names ? names[is] : NULL;
}

const char *dpn_per_person_name(dpn_per_person per_person) {
    static const char *const names[] = {"rows", "sum", "mean"};
    return (size_t)per_person < sizeof names / sizeof *names ? names[per_person] : NULL;
}

/* ---- texts ---- */

dpn_status dpn_text_copy(char **out, const char *text, dpn_error *why) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) return dpn_fail(why, DPN_ENOMEM, "no memory for the declaration");
    memcpy(copy, text, size);
    *out = copy;
    return DPN_OK;
}

int dpn_infinity_sign(const char *text) {
    return strcmp(text, "-inf") == 0 ? -1 : strcmp(text, "inf") == 0;
}

dpn_status dpn_number_copy(char **out, const char *text, bool infinite, dpn_error *why) {
    dpn_signed number;
    char normal[DPN_SIGNED_TEXT_SIZE];
    if (infinite && dpn_infinity_sign(text)) return dpn_text_copy(out, text, why);
    dpn_status status = dpn_signed_read(&number, text, why);
    return status ? status : dpn_text_copy(out, dpn_signed_print(normal, &number), why);
}

dpn_status dpn_value_copy(char **out, const char *text, dpn_error *why) {
    dpn_signed number;
    char normal[DPN_SIGNED_TEXT_SIZE];
    bool is_number = dpn_signed_read(&number, text, NULL) == DPN_OK;
    return dpn_text_copy(out, is_number ? dpn_signed_print(normal, &number) : text, why);
}

dpn_status dpn_name_check(const char *name, const char *what, dpn_error *why) {
    if (!name) return dpn_fail(why, DPN_EDOMAIN, "%s is missing", what);
    if (!name[0]) return dpn_fail(why, DPN_EDOMAIN, "%s is empty", what);
    /* Blanks at the ends are as the data have them. */
    return dpn_text_check(name, what, DPN_DECLARATION_NAME_SIZE, true, why);
}

/* ---- memory ---- */

void dpn_texts_free(char **text, size_t count) {
    for (size_t i = 0; text && i < count; i++) free(text[i]);
    free(text);
}

void dpn_statistic_free(dpn_statistic *statistic) {
    dpn_texts_free(statistic->column, statistic->columns);
    dpn_texts_free(statistic->lower, statistic->columns);
    dpn_texts_free(statistic->upper, statistic->columns);
    dpn_texts_free(statistic->edge, statistic->edges);
    free(statistic->quantile);
    free(statistic->step);
    *statistic = (dpn_statistic){0};
}

void dpn_grouping_free(dpn_grouping *grouping) {
    free(grouping->column);
    dpn_texts_free(grouping->level, grouping->levels);
    *grouping = (dpn_grouping){0};
}

void dpn_declaration_free(dpn_declaration *declaration) {
    if (!declaration) return;
    for (size_t i = 0; i < declaration->statistics; i++) dpn_statistic_free(&declaration->statistic[i]);
    for (size_t i = 0; i < declaration->bys; i++) dpn_grouping_free(&declaration->by[i]);
    for (size_t i = 0; i < declaration->wheres; i++) {
        free(declaration->where[i].column);
        free(declaration->where[i].value);
    }
    free(declaration->statistic);
    free(declaration->by);
    free(declaration->where);
    free(declaration->person);
    free(declaration->epsilon);
    free(declaration->delta);
    free(declaration->missing_value);
    dpn_texts_free(declaration->na, declaration->nas);
    free(declaration->noise);
    *declaration = (dpn_declaration){0};
}
