/* One of several ways, by the number of rows. */
#include "learn/counted.h"

#include "base/error.h"
#include "learn/row-count.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For what sums of shares are rounded by. */
#define DOWN (1 - 1e-12)

typedef struct state {
    bool buys_rows;
    size_t count; /* the release */
    double epsilon;
    size_t ways;
    dpn_way way[DPN_WAYS_MOST];
    void *of[DPN_WAYS_MOST]; /* the state of each way's method */
} state;

/* ---- A fit on one of its ways ---- */

/* What a way sees in place of what the whole fit has. */
typedef struct aside {
    double epsilon, rows;
    uint64_t passes;
    dpn_fit_options settled;
} aside;

static aside turn(dpn_fit *fit, const state *of, size_t way, double rows) {
    aside kept = {fit->epsilon, fit->options.rows, fit->options.passes, fit->settled};
    fit->epsilon = of->epsilon;
    fit->options.rows = rows;
    fit->options.passes = of->way[way].passes;
    return kept;
}

static void turn_back(dpn_fit *fit, const aside *kept) {
    fit->epsilon = kept->epsilon;
    fit->options.rows = kept->rows;
    fit->options.passes = kept->passes;
    fit->settled = kept->settled;
}

/* ---- Planning ---- */

double dpn_counted_left(const dpn_fit *fit) {
    return dpn_count_is_public(fit->query) ? fit->epsilon : (1 - DPN_ROW_COUNT_SHARE) * fit->epsilon * DOWN;
}

/* Which way it is of, in its name too; and beside the pure number of rows one release of a way may spend delta. */
static void mark(dpn_announced *made, const dpn_way *way, size_t number) {
    char what[sizeof made->what], passes[32] = "";
    memcpy(what, made->what, sizeof what);
    if (way->passes > 0)
        snprintf(passes, sizeof passes, ", %" PRIu64 " pass%s", way->passes, way->passes == 1 ? "" : "es");
    snprintf(made->what, sizeof made->what, "%s%s: %.30s", way->method->name, passes, what);
    made->alternative = number;
    if (!(made->delta_times > 0)) made->delta_times = 1;
}

static dpn_status plan_way(state *of, dpn_fit *fit, size_t way, dpn_error *why) {
    size_t first = fit->releases;
    aside kept = turn(fit, of, way, 0);
    dpn_status status = of->way[way].method->plan(&of->of[way], fit, why);
    turn_back(fit, &kept);
    for (size_t i = first; i < fit->releases; i++) mark(&fit->announced[i], &of->way[way], way + 1);
    return status;
}

dpn_status dpn_counted_plan(void **out, dpn_fit *fit, const dpn_way *way, size_t ways, dpn_error *why) {
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    of->ways = ways;
    memcpy(of->way, way, ways * sizeof *way);
    of->buys_rows = !dpn_count_is_public(fit->query);
    of->epsilon = dpn_counted_left(fit);
    dpn_status status = of->buys_rows ? dpn_row_count_announce(&of->count, fit, why) : DPN_OK;
    for (size_t i = 0; i < ways && !status; i++) status = plan_way(of, fit, i, why);
    return status;
}

void dpn_counted_free(void *context) {
    state *of = context;
    for (size_t i = 0; i < of->ways; i++) {
        if (of->of[i] && of->way[i].method->free)
            of->way[i].method->free(of->of[i]);
        else
            free(of->of[i]);
    }
    free(of);
}

/* ---- The run ---- */

/* The last way that has no more rows. */
static size_t choose(const state *of, double rows) {
    size_t way = 0;
    while (way + 1 < of->ways && of->way[way + 1].rows <= rows) way++;
    return way;
}

/* What a way takes for the number of rows, as if that had been declared: at least four standard deviations of its noise, so that no rare noise makes it small, and steps as
 * much too long. Nothing is declared where the number is public: the way looks itself. */
static double told(const dpn_fit *fit, const state *of, double rows) {
    if (!of->buys_rows) return 0;
    return fmax(fmax(rows, 4 * sqrt(dpn_fit_release_at(fit, of->count).plan->variance[0])), 1);
}

dpn_status dpn_counted_run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    double rows = (double)fit->rows.count;
    dpn_status status = of->buys_rows ? dpn_row_count_draw(&rows, fit, of->count, rng, why) : DPN_OK;
    if (status) return status;
    if (of->buys_rows) dpn_fit_show(fit, &rows, 1);
    size_t way = choose(of, rows);
    aside kept = turn(fit, of, way, told(fit, of, rows));
    out->method = of->way[way].method->name;
    status = of->way[way].method->run(out, fit, of->of[way], rng, why);
    turn_back(fit, &kept);
    return status;
}
