/* Neighbouring tables for the audit of a fit. */
#include "learn/audit-rows.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* What a field holds: a bound, far beyond one, or nothing that can be used. */
enum content { LOW, HIGH, FAR_LOW, FAR_HIGH, UNUSABLE };

enum { BACKGROUND = 6 };

/* ---- Fields ---- */

/* The statistic whose column this is; the first one is the target. */
static size_t statistic_of(const dpn_declaration *declaration, const char *column) {
    size_t i = 0;
    while (i < declaration->statistics && strcmp(declaration->statistic[i].column[0], column) != 0) i++;
    return i;
}

static dpn_field field_of(const char *text) {
    return (dpn_field){text, strlen(text)};
}

static dpn_field content_of(const dpn_fit *fit, size_t column, enum content content) {
    const dpn_declaration *declaration = &fit->query->declaration;
    const char *name = dpn_fit_column(fit, column);
    if (column == fit->query->person) return field_of("one person");
    if (content == UNUSABLE) return field_of("?");
    for (size_t g = 0; g < declaration->bys; g++)
        if (strcmp(declaration->by[g].column, name) == 0) {
            bool last = content == HIGH || content == FAR_HIGH;
            return field_of(declaration->by[g].level[last ? declaration->by[g].levels - 1 : 0]);
        }
    const dpn_statistic *statistic = &declaration->statistic[statistic_of(declaration, name)];
    if (content == FAR_LOW || content == FAR_HIGH) return field_of(content == FAR_LOW ? "-1e12" : "1e12");
    return field_of(content == LOW ? statistic->lower[0] : statistic->upper[0]);
}

/* ---- Rows ---- */

/* The row of a pair, or the one in whose place it comes: target or features are turned around, so that their products are too. */
static enum content row_content(size_t pair, bool target, size_t column, bool opposite) {
    bool high = target ? pair != 1 : pair < 2 || column % 2 == 0;
    if (pair == 4 && !opposite) return UNUSABLE;
    if (opposite && (pair % 2 == 0) == target) high = !high;
    if (pair == 3) return high ? FAR_HIGH : FAR_LOW;
    return high ? HIGH : LOW;
}

static dpn_status add(dpn_fit *fit, dpn_field *row, size_t pair, bool opposite, dpn_error *why) {
    for (size_t c = 0; c < fit->query->columns; c++) {
        bool target = statistic_of(&fit->query->declaration, dpn_fit_column(fit, c)) == 0;
        row[c] = content_of(fit, c, row_content(pair, target, c, opposite));
    }
    dpn_status status = DPN_OK;
    uint64_t copies = fit->query->declaration.person ? fit->query->declaration.max_rows : 1;
    for (uint64_t i = 0; i < copies && !status; i++) status = dpn_fit_rows(fit, row, 1, why);
    return status;
}

/* Rows at all sorts of corners, of which neither most are high nor features go with the target. */
static dpn_status add_background(dpn_fit *fit, dpn_field *row, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t r = 0; r < BACKGROUND && !status; r++) {
        for (size_t c = 0; c < fit->query->columns; c++)
            row[c] = content_of(fit, c, (r >> c % 3 ^ c / 3) & 1 ? HIGH : LOW);
        status = dpn_fit_rows(fit, row, 1, why);
    }
    return status;
}

static dpn_status make_table(dpn_rows *out, dpn_fit *fit, dpn_field *row, size_t pair, bool second, dpn_error *why) {
    dpn_status status = add_background(fit, row, why);
    if (!status && second) status = add(fit, row, pair, false, why);
    if (!status && !second && fit->relation == DPN_REPLACE) status = add(fit, row, pair, true, why);
    *out = fit->rows;
    fit->rows = (dpn_rows){.columns = dpn_fit_width(fit)};
    return status;
}

dpn_status dpn_fit_pairs_make(dpn_fit_pair pair[DPN_FIT_PAIRS], dpn_fit *fit, dpn_error *why) {
    memset(pair, 0, DPN_FIT_PAIRS * sizeof *pair);
    if (fit->query->declaration.wheres > 0)
        return dpn_fail(why, DPN_EUNSUPPORTED, "an audit of a fit takes no predicates: leave them out");
    dpn_field *row = malloc(fit->query->columns * sizeof *row);
    if (!row) return dpn_fail(why, DPN_ENOMEM, "no memory for the audit");
    dpn_status status = DPN_OK;
    for (size_t p = 0; p < DPN_FIT_PAIRS && !status; p++) {
        status = make_table(&pair[p].a, fit, row, p, false, why);
        if (!status) status = make_table(&pair[p].b, fit, row, p, true, why);
    }
    free(row);
    return status;
}
