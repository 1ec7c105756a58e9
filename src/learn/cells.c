/* The sums that moments are released as. */
#include "learn/cells.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which ---- */

static const dpn_variable *level_at(const dpn_fit *fit, size_t column) {
    bool feature = column >= 1 && column <= fit->features;
    return feature && fit->variable[column - 1].is_level ? &fit->variable[column - 1] : NULL;
}

bool dpn_is_indicator(const dpn_fit *fit, size_t column) {
    return level_at(fit, column) != NULL;
}

/* Whether an entry, i <= j, is told by others or not needed at all. */
static bool is_told(const dpn_fit *fit, size_t i, size_t j) {
    const dpn_variable *one = level_at(fit, i), *other = level_at(fit, j);
    if (i == dpn_target_column(fit)) return true;
    if (one && other && one->grouping == other->grouping) return true; /* 0, or the indicator itself */
    return i == 0 && j > 0 && fit->options.no_intercept && !other;
}

/* Whether what a row adds lies in [0, 1]. */
static bool is_positive(const dpn_fit *fit, size_t i, size_t j) {
    bool one = i == 0 || level_at(fit, i), other = level_at(fit, j);
    return j > 0 && (i == j || (one && other));
}

dpn_status dpn_cells_make(dpn_cells *out, const dpn_fit *fit, dpn_error *why) {
    size_t width = dpn_fit_width(fit), most = width * (width + 1) / 2;
    dpn_cells made = {.cell = calloc(most, sizeof *made.cell), .bound = calloc(most, sizeof *made.bound)};
    if (!made.cell || !made.bound) {
        dpn_cells_free(&made);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the moments");
    }
    for (size_t i = 0; i < width; i++)
        for (size_t j = i; j < width; j++) {
            if (is_told(fit, i, j)) continue;
            made.bound[made.count] = fit->relation == DPN_REPLACE ? 2 : 1;
            made.cell[made.count++] = (dpn_cell){.i = i, .j = j, .doubled = is_positive(fit, i, j)};
        }
    made.bound[0] = dpn_count_is_public(fit->query) ? 0 : 1;
    *out = made;
    return DPN_OK;
}

void dpn_cells_free(dpn_cells *cells) {
    free(cells->cell);
    free(cells->bound);
    *cells = (dpn_cells){0};
}

/* ---- There and back ---- */

void dpn_cells_sum(int64_t *out, const dpn_cells *cells, const int64_t *moments, size_t width) {
    for (size_t k = 0; k < cells->count; k++) {
        const dpn_cell *cell = &cells->cell[k];
        int64_t sum = moments[cell->i * width + cell->j];
        out[k] = cell->doubled ? 2 * sum - moments[0] : sum;
    }
}

void dpn_cells_restore(double *moments, const dpn_cells *cells, const dpn_fit *fit, const double *value) {
    size_t width = dpn_fit_width(fit);
    memset(moments, 0, width * width * sizeof *moments);
    for (size_t k = 0; k < cells->count; k++) {
        const dpn_cell *cell = &cells->cell[k];
        double sum = cell->doubled ? 0.5 * (value[k] + value[0]) : value[k];
        moments[cell->i * width + cell->j] = moments[cell->j * width + cell->i] = sum;
        if (cell->i == 0 && level_at(fit, cell->j)) moments[cell->j * width + cell->j] = sum;
    }
}

/* ---- What a cell does to c - A b ---- */

static void affect(double *out, const dpn_fit *fit, const double *b, size_t i, size_t j, double by) {
    if (j == dpn_target_column(fit)) {
        out[i] += by;
        return;
    }
    out[i] -= by * b[j];
    if (i != j) out[j] -= by * b[i];
    if (i == 0 && level_at(fit, j)) out[j] -= by * b[j]; /* its own square */
}

void dpn_cells_effect(double *out, const dpn_cells *cells, const dpn_fit *fit, size_t k, const double *b) {
    for (size_t i = 0; i <= fit->features; i++) out[i] = 0;
    const dpn_cell *cell = &cells->cell[k];
    affect(out, fit, b, cell->i, cell->j, cell->doubled ? 0.5 : 1);
    for (size_t other = 1; k == 0 && other < cells->count; other++)
        if (cells->cell[other].doubled) affect(out, fit, b, cells->cell[other].i, cells->cell[other].j, 0.5);
    if (fit->options.no_intercept) out[0] = 0;
}
