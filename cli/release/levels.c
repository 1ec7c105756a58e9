/* The groups of `dpnoise release`: --by and --levels; and parts of a declaration that options replace. */
#define _POSIX_C_SOURCE 200809L
#include "release/release.h"

#include "input/levels.h"
#include "kit/fail.h"

#include <stdlib.h>
#include <string.h>

/* ---- What options replace ---- */

static void free_texts(char **text, size_t count) {
    for (size_t i = 0; i < count && text; i++) free(text[i]);
    free(text);
}

static void forget_levels(dpn_grouping *grouping) {
    free_texts(grouping->level, grouping->levels);
    grouping->level = NULL;
    grouping->levels = 0;
}

/* dpn_declaration_free frees a part if it is in a declaration of its own. */
void release_forget_statistics(dpn_declaration *declaration) {
    dpn_declaration old = {.statistic = declaration->statistic, .statistics = declaration->statistics};
    declaration->statistic = NULL;
    declaration->statistics = 0;
    dpn_declaration_free(&old);
}

void release_forget_where(dpn_declaration *declaration) {
    dpn_declaration old = {.where = declaration->where, .wheres = declaration->wheres};
    declaration->where = NULL;
    declaration->wheres = 0;
    dpn_declaration_free(&old);
}

void release_forget_na(dpn_declaration *declaration) {
    dpn_declaration old = {.na = declaration->na, .nas = declaration->nas};
    declaration->na = NULL;
    declaration->nas = 0;
    dpn_declaration_free(&old);
}

static dpn_grouping *find_grouping(const dpn_declaration *declaration, const char *column) {
    for (size_t i = 0; i < declaration->bys; i++)
        if (strcmp(declaration->by[i].column, column) == 0) return &declaration->by[i];
    return NULL;
}

/* ---- --by ---- */

/* Columns that stay keep the levels that the specification gave them. */
static void keep_levels(dpn_declaration *declaration, const dpn_declaration *old) {
    for (size_t i = 0; i < declaration->bys; i++) {
        dpn_grouping *now = &declaration->by[i], *was = find_grouping(old, now->column);
        if (now->level || !was) continue;
        now->level = was->level;
        now->levels = was->levels;
        was->level = NULL;
        was->levels = 0;
    }
}

static dpn_status declare_by(dpn_declaration *declaration, const char *value, dpn_error *why) {
    dpn_declaration old = {.by = declaration->by, .bys = declaration->bys};
    dpn_error reason;
    if (!value) return DPN_OK;
    declaration->by = NULL;
    declaration->bys = 0;
    dpn_status status = dpn_declare_by(declaration, value, &reason);
    if (!status) keep_levels(declaration, &old);
    dpn_declaration_free(&old);
    return status ? refuse(why, status, "--by: %.200s", reason.sentence) : DPN_OK;
}

/* ---- --levels ---- */

static dpn_status read_level_file(dpn_grouping *grouping, const struct release *release, const char *name,
                                  dpn_error *why) {
    dpn_status status = release_check_input(release, "--levels", name, why);
    return status ? status : levels_read_file(grouping, "--levels", name, why);
}

static dpn_status declare_levels(struct release *release, size_t place, dpn_error *why) {
    const struct arguments *arguments = release->arguments;
    const char *value = arguments->given[place].value;
    char column[1024], other[1024];
    const char *list = levels_column(column, sizeof column, value);
    if (!list) return refuse(why, DPN_EPARSE, "--levels: write column=level,level or column=@FILE, not '%.40s'", value);
    dpn_grouping *grouping = find_grouping(&release->declaration, column);
    if (!grouping) return refuse(why, DPN_EPARSE, "--levels: '%.60s' is not a column of --by", column);
    for (size_t i = 0; i < place; i++)
        if (arguments->given[i].option == arguments->given[place].option &&
            levels_column(other, sizeof other, arguments->given[i].value) && strcmp(column, other) == 0)
            return refuse(why, DPN_EPARSE, "--levels: the levels of '%.60s' are given twice", column);
    forget_levels(grouping);
    if (list[0] == '@') return read_level_file(grouping, release, list + 1, why);
    dpn_error reason;
    dpn_status status = dpn_declare_levels(&release->declaration, value, &reason);
    return status ? refuse(why, status, "--levels: %.200s", reason.sentence) : DPN_OK;
}

dpn_status release_declare_groups(struct release *release, dpn_error *why) {
    dpn_status status = declare_by(&release->declaration, arguments_value(release->arguments, "--by"), why);
    for (size_t i = 0; i < release->arguments->givens && !status; i++)
        if (strcmp(release->arguments->given[i].option->name, "--levels") == 0)
            status = declare_levels(release, i, why);
    return status;
}
