/* Every family, ranked. */
#include "calibrate/mechanism.h"
#include "calibrate/findings.h"
#include "calibrate/problem.h"

#include "base/error.h"
#include "base/options.h"

#include <dpnoise/calibrate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An l2 norm tells nothing of whether the answers are whole. */
static bool all_whole(const dpn_sensitivity *set) {
    return dpn_set_is_whole(set) && (set->l2 == 0 || isinf(set->l2));
}

/* Whether at most one coordinate moves: by its own bound, or as one of many. */
static bool one_moves(const dpn_sensitivity *set) {
    if (set->dimension <= 1) return true;
    size_t moving = 0;
    for (size_t i = 0; i < set->dimension; i++) {
        bool moves = !set->bound || set->bound[i] > 0;
        for (size_t v = 0; v < set->vertices && !set->bound; v++)
            moves = v == 0 ? set->vertex[i] != 0 : moves || set->vertex[v * set->dimension + i] != 0;
        moving += moves;
    }
    return moving <= 1;
}

/* ---- what is compared ---- */

/* The least error at an epsilon, or the least epsilon for an error. */
typedef struct ranking {
    dpn_status (*plan)(dpn_plan *plan, const char *family, double given, double delta, const dpn_sensitivity *set,
                       const dpn_calibration_options *options, dpn_findings *findings, dpn_error *why);
    double (*cost)(const dpn_plan *plan);
    bool once; /* a family's plan is one calibration, whose progress counts; else only the families are counted */
} ranking;

static double error_of(const dpn_plan *plan) {
    return plan->error;
}

static double epsilon_of(const dpn_plan *plan) {
    return plan->epsilon;
}

/* Each family looks at epsilons of its own: nothing is shared. */
static dpn_status plan_epsilon(dpn_plan *plan, const char *family, double error, double delta,
                               const dpn_sensitivity *set, const dpn_calibration_options *options,
                               dpn_findings *findings, dpn_error *why) {
    (void)findings;
    return dpn_calibrate_epsilon(plan, family, error, delta, set, options, why);
}

static const ranking by_error = {dpn_calibrate_sharing, error_of, true}, by_epsilon = {plan_epsilon, epsilon_of, false};

/* One family's share of the progress. */
typedef struct progress {
    const dpn_calibration_options *options;
    double from, share;
} progress;

static void pass_on(void *context, double done) {
    progress *p = context;
    p->options->progress(p->options->context, p->from + p->share * done);
}

static bool ask_on(void *context) {
    const progress *p = context;
    return p->options->cancelled(p->options->context);
}

/* ---- the rows ---- */

/* Plans before failures, the lesser cost first; insertion keeps the order of the families among equals. */
static void sort_rows(dpn_comparison *c, const ranking *by) {
    for (size_t i = 1; i < c->rows; i++) {
        dpn_comparison_row row = c->row[i];
        size_t j = i;
        for (; j > 0; j--) {
            const dpn_comparison_row *before = &c->row[j - 1];
            bool first = !row.status && (before->status || by->cost(&row.plan) < by->cost(&before->plan));
            if (!first) break;
            c->row[j] = c->row[j - 1];
        }
        c->row[j] = row;
    }
}

void dpn_comparison_free(dpn_comparison *comparison) {
    if (!comparison) return;
    for (size_t i = 0; i < comparison->rows; i++) dpn_plan_free(&comparison->row[i].plan);
    free(comparison->row);
    *comparison = (dpn_comparison){0};
}

/* Why joint noise has no row for one answer. */
static const char *on_one_answer(const char *family) {
    if (strcmp(family, DPN_MECHANISM_RANDOM_BOX) == 0)
        return "on one answer a random box has nothing over noise of a law";
    if (strcmp(family, DPN_MECHANISM_SPHERICAL) == 0) return "on one answer spherical noise is osgt noise";
    return strncmp(family, "start-", 6) == 0 ? "on one answer a start box is laplace or staircase noise"
                                             : "on one answer K-norm noise is laplace noise";
}

static void fill_row(dpn_comparison_row *row, const ranking *by, double given, double delta, const dpn_sensitivity *set,
                     const dpn_calibration_options *ask, dpn_findings *findings) {
    row->why = (dpn_error){DPN_OK, ""};
    dpn_mechanism_traits traits = dpn_mechanism_traits_of(row->family);
    if (traits.integer && !all_whole(set))
        row->status =
            dpn_fail(&row->why, DPN_EUNSUPPORTED, "noise on the integers needs sensitivities that are whole numbers");
    else if (traits.joint && one_moves(set))
        row->status = dpn_fail(&row->why, DPN_EUNSUPPORTED, "%s", on_one_answer(row->family));
    else
        row->status = by->plan(&row->plan, row->family, given, delta, set, ask, findings, &row->why);
    if (row->status == DPN_OK) row->why = (dpn_error){DPN_OK, ""};
}

/* A set or a delta that no family could serve fails for the first, which has no limits of its own. */
static dpn_status fill_rows(dpn_comparison *c, size_t rows, const ranking *by, double given, double delta,
                            const dpn_sensitivity *set, const dpn_calibration_options *options,
                            dpn_workspace *workspace, dpn_findings *findings, dpn_error *why) {
    dpn_calibration_options ask = *options;
    progress part = {options, 0, by->once ? 1 / (double)rows : 0};
    ask.workspace = workspace;
    if (ask.progress) ask.progress = pass_on;
    if (ask.cancelled) ask.cancelled = ask_on;
    ask.context = &part;
    for (size_t i = 0; i < rows; i++) {
        dpn_comparison_row *row = &c->row[c->rows++];
        row->family = dpn_mechanism_name(i);
        part.from = (double)i / (double)rows;
        fill_row(row, by, given, delta, set, &ask, findings);
        if (row->status == DPN_OK) c->plans++;
        if ((row->status == DPN_EDOMAIN && i == 0) || row->status == DPN_ENOMEM || row->status == DPN_ECANCELLED) {
            if (why) *why = row->why;
            return row->status;
        }
    }
    return DPN_OK;
}

static dpn_status compare(dpn_comparison *out, const ranking *by, double given, double delta,
                          const dpn_sensitivity *set, const dpn_calibration_options *asked, dpn_error *why) {
    dpn_calibration_options options;
    dpn_status status = dpn_options_take(&options, sizeof options, asked, why);
    if (status) return status;
    if (options.shape_min != 0 || options.shape_max != 0)
        return dpn_fail(why, DPN_EDOMAIN,
                        "a comparison takes no range of shapes: families call different things their shape");
    size_t rows = 0;
    while (dpn_mechanism_name(rows)) rows++;
    dpn_comparison c = {.row = calloc(rows, sizeof *c.row)};
    dpn_workspace *own = NULL;
    dpn_findings *findings = dpn_findings_new();
    status = c.row ? DPN_OK : DPN_ENOMEM;
    if (!status && !options.workspace) status = dpn_workspace_new(&own);
    if (status)
        dpn_fail(why, status, "no memory for the comparison");
    else
        status = fill_rows(&c, rows, by, given, delta, set, &options, own ? own : options.workspace, findings, why);
    dpn_findings_free(findings);
    dpn_workspace_free(own);
    if (status) {
        dpn_comparison_free(&c);
        return status;
    }
    sort_rows(&c, by);
    *out = c;
    return DPN_OK;
}

dpn_status dpn_compare(dpn_comparison *out, double epsilon, double delta, const dpn_sensitivity *set,
                       const dpn_calibration_options *options, dpn_error *why) {
    return compare(out, &by_error, epsilon, delta, set, options, why);
}

dpn_status dpn_compare_epsilon(dpn_comparison *out, double error, double delta, const dpn_sensitivity *set,
                               const dpn_calibration_options *options, dpn_error *why) {
    return compare(out, &by_epsilon, error, delta, set, options, why);
}

/* ---- histograms ---- */

bool dpn_sensitivity_like_histogram(const dpn_sensitivity *set) {
    enum { MANY = 4 };
    if (set->dimension < MANY || set->vertices || set->l1 != 0 || set->l2 != 0) return false;
    if (set->max_changed != 0 && set->max_changed < set->dimension) return false;
    double first = set->bound ? set->bound[0] : set->linf;
    if (!(first > 0) || first != floor(first)) return false;
    for (size_t i = 1; set->bound && i < set->dimension; i++)
        if (set->bound[i] != first) return false;
    return true;
}
