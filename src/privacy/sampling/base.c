/* The profile of one release before sampling. */
#include "privacy/sampling/base.h"

#include "base/error.h"
#include "law/facts.h"
#include "privacy/interval.h"
#include "privacy/loss/largest.h"

#include <stdlib.h>

/* Corners of a polygon, the accuracy of the heights at them, and over which distance a slope is measured: at most from one corner to the
 * next, so that an atom at a corner is in no slope but those that end there. */
enum { CORNERS = 5042 };
#define ACCURACY 1e-8
#define SECANT 1e-3

/* What lies beyond this delta counts as infinite loss. */
#define LOG_FLOOR -75

#define ROUNDING (8 * DBL_EPSILON)

/* A corner that rounding drops from a polygon, or keeps, moves it by as much as ROUNDING of its height; at worst all do. */
#define CORNER_ROUNDING (CORNERS * ROUNDING)

/* ---- single losses ---- */

static bool find_single(dpn_base *base, const dpn_composition *all, dpn_status *status, dpn_error *why) {
    if (all->parts == 0) {
        *status = dpn_loss_pure(&base->loss[0], 0, why);
        base->loss[1] = base->loss[0];
    } else if (all->parts == 1 && all->part[0].times == 1) {
        base->loss[0] = base->loss[1] = all->part[0].loss;
    } else if (!dpn_compose_gaussian(base->loss, all->part, all->parts)) {
        return false;
    }
    base->single = true;
    base->lesser = dpn_loss_look(&base->loss[0]);
    base->greater = dpn_loss_look(&base->loss[1]);
    return true;
}

/* ---- the composition of several, as a loss of its own ---- */

typedef struct composed {
    dpn_composition *all;
    dpn_dot_grid grid; /* of the corners, whose heights are asked for again by the slopes beside them */
    double *known;     /* both ends of log delta at each corner, NAN before they are asked for */
    double secant;
    double end; /* finite losses lie in [-end, end] */
    bool infinite;
    bool no_memory; /* at some time */
} composed;

static const composed *composed_of(const dpn_loss_view *view) {
    return view->other;
}

/* The corner nearest to epsilon, or as many as there are if that is not one of them, to within `apart`. */
static size_t corner_near(const composed *own, double epsilon, double apart) {
    double place = own->known ? (epsilon - own->grid.offset) / own->grid.step : -1;
    if (!(place > -0.5 && place < (double)own->grid.count - 0.5)) return own->grid.count;
    size_t i = (size_t)(place + 0.5);
    return fabs(dpn_dot_grid_value(&own->grid, i) - epsilon) <= apart ? i : own->grid.count;
}

/* The other end of a slope: a secant away, or at the corner that is there but for rounding. */
static double other_end(const composed *own, double nu, int side) {
    double end = nu + side * own->secant;
    size_t corner = corner_near(own, end, 1e-12 * (1 + fabs(end)));
    return corner < own->grid.count ? dpn_dot_grid_value(&own->grid, corner) : end;
}

static dpn_status composed_log_delta(double *lower, double *upper, const dpn_loss_view *view, double epsilon,
                                     dpn_error *why) {
    /* The composition changes what it keeps between calls, not what it means. */
    composed *own = (composed *)(uintptr_t)view->other;
    dpn_delta delta;
    size_t corner = corner_near(own, epsilon, 0);
    double *known = corner < own->grid.count ? own->known + 2 * corner : NULL;
    if (known && !isnan(known[0])) {
        *lower = known[0];
        *upper = known[1];
        return DPN_OK;
    }
    dpn_status status = dpn_composition_delta(&delta, own->all, epsilon, why);
    if (status == DPN_ENOMEM) own->no_memory = true;
    if (status) return status;
    *lower = delta.log_lower;
    *upper = delta.log_upper;
    if (known) known[0] = *lower, known[1] = *upper;
    return DPN_OK;
}

/* Minus the mean slope between two points: the ends of the fall e^from - e^to are rounded by exp. */
static double mean_slope(double from, double to, double nu, double further, double outwards) {
    double fall = exp(from) * (1 + outwards) - exp(to) * (1 - outwards);
    return fall * (1 + 2 * outwards) / (exp(nu) * expm1(further - nu));
}

/* Over a short distance to the left, or to the right, of e^nu: by convexity on the safe side. */
static double composed_above(double *least, const dpn_loss_view *view, double nu) {
    double lower[2], upper[2], before = other_end(composed_of(view), nu, -1);
    *least = 0;
    dpn_error why;
    if (composed_log_delta(&lower[0], &upper[0], view, before, &why)) return 1;
    if (composed_log_delta(&lower[1], &upper[1], view, nu, &why)) return 1;
    return fmin(1, fmax(0, mean_slope(upper[0], lower[1], before, nu, ROUNDING)));
}

static double composed_at_least(const dpn_loss_view *view, double nu) {
    const composed *own = composed_of(view);
    double lower[2], upper[2], after = other_end(own, nu, 1);
    dpn_error why;
    if (nu < -own->end && !own->infinite) return 1; /* so do all losses */
    if (nu < own->end && after > own->end)
        after = own->end; /* level beyond: a line from further off would miss the last atom */
    if (composed_log_delta(&lower[0], &upper[0], view, nu, &why)) return 0;
    if (composed_log_delta(&lower[1], &upper[1], view, after, &why)) return 0;
    return fmax(0, mean_slope(lower[0], upper[1], nu, after, -ROUNDING));
}

static double composed_largest(const dpn_loss_view *view) {
    const dpn_composition *all = composed_of(view)->all;
    return dpn_two_value(dpn_largest_loss(all->part, all->parts, false));
}

static double composed_least(const dpn_loss_view *view) {
    return -composed_largest(view);
}

static dpn_status no_atoms(dpn_heavy_atom *out, size_t *count, size_t most, const dpn_loss_view *view, double theta) {
    (void)out, (void)most, (void)view, (void)theta;
    *count = 0;
    return DPN_OK;
}

static const struct dpn_loss_source composed_source = {
    composed_log_delta, composed_above, composed_at_least, composed_largest, composed_least, no_atoms, NULL, NULL};

static dpn_status copy_polygon(dpn_polygon *out, const dpn_dots *dots, const dpn_dots_scratch *scratch,
                               dpn_error *why) {
    out->nu = malloc(2 * dots->corners * sizeof *out->nu);
    if (!out->nu) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu corners", dots->corners);
    out->log_h = out->nu + dots->corners;
    out->corners = dots->corners;
    out->log_start = dots->log_start;
    for (size_t i = 0; i < dots->corners; i++) {
        out->nu[i] = dpn_dot_grid_value(&dots->grid, scratch->corner[i]);
        out->log_h[i] = scratch->log_upper[scratch->corner[i]];
    }
    return DPN_OK;
}

static dpn_status make_polygons(dpn_base *base, composed *own, dpn_error *why) {
    dpn_loss_view *view = &(dpn_loss_view){.source = &composed_source, .other = own};
    double *room = malloc(8 * CORNERS * sizeof *room);
    size_t *corner = malloc(CORNERS * sizeof *corner);
    dpn_status status = DPN_OK;
    if (room && corner) {
        dpn_dots_scratch scratch = {.log_lower = room,
                                    .log_upper = room + CORNERS,
                                    .left = room + 2 * CORNERS,
                                    .right = room + 3 * CORNERS,
                                    .corner = corner};
        dpn_dots dots = {.grid = {-base->reach, 2 * base->reach / (CORNERS - 2), CORNERS},
                         .log_mass = room + 4 * CORNERS,
                         .blur = room + 5 * CORNERS};
        own->secant = fmin(SECANT, dots.grid.step);
        own->grid = dots.grid;
        own->known = room + 6 * CORNERS;
        for (size_t i = 0; i < 2 * CORNERS; i++) own->known[i] = NAN;
        own->end = base->largest * (1 + ROUNDING);
        own->infinite = base->infinite;
        status = dpn_dots_above(&dots, view, scratch, why);
        if (!status) status = copy_polygon(&base->above, &dots, &scratch, why);
        if (!status) status = dpn_dots_below(&dots, view, scratch, why);
        /* A slope that could not be had is replaced by one that is safe, but not for want of memory. */
        if (!status && own->no_memory) status = dpn_fail(why, DPN_ENOMEM, "no memory for the slopes of a composition");
        if (!status) status = copy_polygon(&base->below, &dots, &scratch, why);
    } else {
        status = dpn_fail(why, DPN_ENOMEM, "no memory for %d corners", CORNERS);
    }
    own->known = NULL;
    free(corner);
    free(room);
    return status;
}

/* The loss beyond which nothing matters. */
static dpn_status find_reach(dpn_base *base, const dpn_loss_view *view, dpn_error *why) {
    double low = 0, lower, upper;
    dpn_status first = view->source->log_delta(&lower, &upper, view, INFINITY, why);
    if (first) return first;
    base->infinite = upper > -INFINITY;
    base->reach = base->largest = view->source->largest(view);
    double high = fmin(base->reach, 0x1p-10);
    for (;; high *= 2) { /* the first power of two beyond, then halves */
        if (high >= base->reach) break;
        dpn_status status = view->source->log_delta(&lower, &upper, view, high, why);
        if (status) return status;
        if (upper < LOG_FLOOR) break;
        if (high > 1e5)
            return dpn_fail(why, DPN_EACCURACY,
                            base->infinite
                                ? "some losses are infinite and the largest of the others is not known, so that "
                                  "the noise cannot be sampled"
                                : "the losses are too large to be sampled");
        low = high;
    }
    base->reach = fmin(high, base->reach);
    while (base->reach < base->largest && base->reach - low > 0.1 * low) {
        double middle = 0.5 * (low + base->reach);
        dpn_status status = view->source->log_delta(&lower, &upper, view, middle, why);
        if (status) return status;
        *(upper < LOG_FLOOR ? &base->reach : &low) = middle;
    }
    return DPN_OK;
}

dpn_status dpn_base_open(dpn_base *out, const dpn_part *part, size_t parts, dpn_error *why) {
    *out = (dpn_base){0};
    dpn_workspace *workspace = NULL;
    dpn_composition all;
    dpn_accounting_options options = {.size = sizeof(dpn_accounting_options), .accuracy = ACCURACY};
    dpn_status status = dpn_composition_open(&all, NULL, part, parts, &options, why);
    if (status) return status;
    for (size_t i = 0; i < all.parts && !status; i++)
        if (all.part[i].loss.kind == &dpn_loss_kind_explicit || all.part[i].loss.kind->largest)
            status = dpn_fail(why, DPN_EUNSUPPORTED, "%s losses cannot be sampled", all.part[i].loss.kind->name);
    if (!status && find_single(out, &all, &status, why)) {
        if (!status) status = find_reach(out, &out->greater, why);
    } else if (!status) {
        if (dpn_workspace_new(&workspace)) status = dpn_fail(why, DPN_ENOMEM, "no memory for a workspace");
        all.workspace = workspace;
        composed own = {.all = &all};
        dpn_loss_view view = {.source = &composed_source, .other = &own};
        if (!status) status = find_reach(out, &view, why);
        if (!status) status = make_polygons(out, &own, why);
    }
    dpn_workspace_free(workspace);
    dpn_composition_close(&all);
    return status;
}

void dpn_base_close(dpn_base *base) {
    free(base->above.nu);
    free(base->below.nu);
    *base = (dpn_base){0};
}

/* ---- asking ---- */

/* The corner at or before nu, or corners if there is none. */
static size_t corner_before(const dpn_polygon *polygon, double nu) {
    size_t low = 0, high = polygon->corners;
    if (nu < polygon->nu[0]) return polygon->corners;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(polygon->nu[middle] <= nu ? &low : &high) = middle;
    }
    return low;
}

/* Height and slope on the line that begins at corner i (the line to x = 0 for i = corners). */
static void polygon_at(const dpn_polygon *polygon, size_t i, double nu, double *height, double *slope) {
    if (i == polygon->corners) {
        double start = exp(polygon->log_start), first = exp(polygon->log_h[0]);
        *slope = (first - start) * exp(-polygon->nu[0]);
        *height = start + *slope * exp(nu);
    } else if (i + 1 == polygon->corners || polygon->log_h[i] == -INFINITY) {
        *slope = 0;
        *height = exp(polygon->log_h[i]);
    } else {
        double unit = exp(polygon->log_h[i]);
        double relative = expm1(polygon->log_h[i + 1] - polygon->log_h[i]) / expm1(polygon->nu[i + 1] - polygon->nu[i]);
        *slope = relative * unit * exp(-polygon->nu[i]);
        *height = unit * fmax(0, 1 + relative * expm1(nu - polygon->nu[i]));
    }
}

/* Rounding costs as much of the height of the line's upper end, whatever is left of it near its lower end. */
static void polygon_height(const dpn_polygon *polygon, double nu, double *lower, double *upper) {
    size_t i = corner_before(polygon, nu);
    double height, slope, scale = i == polygon->corners ? 1 : exp(polygon->log_h[i]);
    polygon_at(polygon, i, nu, &height, &slope);
    *lower = fmax(0, height - CORNER_ROUNDING * scale);
    *upper = fmin(1, height + CORNER_ROUNDING * scale);
}

/* Between the two Gaussians the slope is between theirs, but for a turning point of the order of rounding squared. */
static bool one_view(const dpn_base *base) {
    return base->loss[0].sensitivity == base->loss[1].sensitivity;
}

bool dpn_base_gaussian(double *ratio, double *doubt, const dpn_base *base) {
    double end[2];
    for (int i = 0; i < 2; i++) {
        const dpn_loss *loss = &base->loss[i];
        double sigma = base->single && loss->kind == &dpn_loss_kind_law ? dpn_law_gaussian(&loss->law) : 0;
        if (!(sigma > 0 && loss->sensitivity > 0)) return false;
        end[i] = loss->sensitivity / sigma;
    }
    *ratio = 0.5 * (end[0] + end[1]);
    *doubt = (end[1] - end[0]) / end[1] + 2 * DBL_EPSILON;
    return isfinite(*ratio) && *ratio > 1e-100;
}

dpn_status dpn_base_log_delta(double *lower, double *upper, const dpn_base *base, double epsilon, dpn_error *why) {
    if (!base->single) {
        double least, most, unused;
        polygon_height(&base->below, epsilon, &least, &unused);
        polygon_height(&base->above, epsilon, &unused, &most);
        *lower = log(least);
        *upper = log(most);
        return DPN_OK;
    }
    double unused;
    dpn_status status = base->lesser.source->log_delta(lower, upper, &base->lesser, epsilon, why);
    if (status || one_view(base)) return status;
    return base->greater.source->log_delta(&unused, upper, &base->greater, epsilon, why);
}

dpn_status dpn_base_height(double *lower, double *upper, const dpn_base *base, double epsilon, dpn_error *why) {
    if (!base->single) {
        polygon_height(&base->below, epsilon, lower, upper);
        return DPN_OK;
    }
    double log_lower, log_upper;
    dpn_status status = dpn_base_log_delta(&log_lower, &log_upper, base, epsilon, why);
    if (status) return status;
    *lower = exp(log_lower) * (1 - ROUNDING);
    *upper = exp(log_upper) * (1 + ROUNDING);
    return DPN_OK;
}

double dpn_base_above(const dpn_base *base, double epsilon) {
    const dpn_loss_view *a = &base->lesser, *b = &base->greater;
    double height, slope, least;
    if (base->single && one_view(base)) return a->source->above(&least, a, epsilon);
    if (base->single) return fmax(a->source->above(&least, a, epsilon), b->source->above(&least, b, epsilon));
    polygon_at(&base->below, corner_before(&base->below, epsilon), epsilon, &height, &slope);
    return -slope * (1 + 4 * ROUNDING);
}

double dpn_base_at_least(const dpn_base *base, double epsilon) {
    const dpn_loss_view *a = &base->lesser, *b = &base->greater;
    if (base->single && one_view(base)) return a->source->at_least(a, epsilon);
    if (base->single) return fmin(a->source->at_least(a, epsilon), b->source->at_least(b, epsilon));
    double height, slope;
    size_t i = corner_before(&base->below, epsilon);
    if (i < base->below.corners && base->below.nu[i] == epsilon) i = i ? i - 1 : base->below.corners;
    polygon_at(&base->below, i, epsilon, &height, &slope);
    return -slope * (1 - 4 * ROUNDING);
}
