/* Every family, ranked by the least epsilon for an error. */
#include "base/error.h"

#include <dpnoise/calibrate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the family at hand begins. */
typedef struct progress {
    const dpn_calibration *how;
    double from;
} progress;

/* A search for epsilon calibrates several times, each from 0 to 1: only the family counts. */
static void pass_on(void *context, double done) {
    progress *p = context;
    (void)done;
    p->how->progress(p->how->context, p->from);
}

static bool whole(double x) {
    return x == floor(x) || isinf(x);
}

/* As dpn_compare has it: noise on the integers for whole moves only. */
static bool all_whole(const dpn_sensitivity *set) {
    if (!whole(set->linf) || !whole(set->l1) || (set->l2 != 0 && isfinite(set->l2))) return false;
    for (size_t i = 0; set->bound && i < set->dimension; i++)
        if (!whole(set->bound[i])) return false;
    for (size_t i = 0; i < set->vertices * set->dimension; i++)
        if (!whole(set->vertex[i])) return false;
    return true;
}

/* Plans before failures, the lesser epsilon first; among equals the order of the families stays. */
static void sort_rows(dpn_comparison *c) {
    for (size_t i = 1; i < c->rows; i++) {
        dpn_comparison_row row = c->row[i];
        size_t j = i;
        for (; j > 0; j--) {
            const dpn_comparison_row *before = &c->row[j - 1];
            bool later = before->status ? !row.status : !row.status && row.plan.epsilon < before->plan.epsilon;
            if (!later) break;
            c->row[j] = c->row[j - 1];
        }
        c->row[j] = row;
    }
}

static void fill_row(dpn_comparison_row *row, double error, double delta, const dpn_sensitivity *set,
                     const dpn_calibration *ask) {
    row->why = (dpn_error){DPN_OK, ""};
    if (!strncmp(row->family, "discrete-", 9) && !all_whole(set))
        row->status =
            dpn_fail(&row->why, DPN_EUNSUPPORTED, "noise on the integers needs sensitivities that are whole numbers");
    else
        row->status = dpn_calibrate_epsilon(&row->plan, row->family, error, delta, set, ask, &row->why);
    if (row->status == DPN_OK) row->why = (dpn_error){DPN_OK, ""};
}

dpn_status dpn_compare_epsilon(dpn_comparison *out, double error, double delta, const dpn_sensitivity *set,
                               const dpn_calibration *how, dpn_error *why) {
    dpn_calibration ask = how ? *how : (dpn_calibration){0};
    if (ask.shape_min != 0 || ask.shape_max != 0)
        return dpn_fail(why, DPN_EDOMAIN,
                        "a comparison takes no range of shapes: families call different things their shape");
    progress part = {how, 0};
    if (ask.progress) {
        ask.progress = pass_on;
        ask.context = &part;
    }
    size_t rows = 0;
    while (dpn_family_name(rows)) rows++;
    dpn_comparison c = {.row = calloc(rows, sizeof *c.row)};
    dpn_workspace *own = NULL;
    dpn_status status = c.row ? DPN_OK : DPN_ENOMEM;
    if (!status && !ask.workspace) status = dpn_workspace_new(&own);
    if (own) ask.workspace = own;
    if (status) dpn_fail(why, status, "no memory for the comparison");
    for (size_t i = 0; i < rows && !status; i++) {
        dpn_comparison_row *row = &c.row[c.rows++];
        row->family = dpn_family_name(i);
        part.from = (double)i / (double)rows;
        fill_row(row, error, delta, set, &ask);
        if (row->status == DPN_OK) c.plans++;
        /* A set or a delta that no family could serve fails for the first; later ones may have limits of their own. */
        if ((row->status == DPN_EDOMAIN && i == 0) || row->status == DPN_ENOMEM) {
            status = row->status;
            if (why) *why = row->why;
        }
    }
    dpn_workspace_free(own);
    if (status) {
        dpn_comparison_free(&c);
        return status;
    }
    sort_rows(&c);
    *out = c;
    return DPN_OK;
}
