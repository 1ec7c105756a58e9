/* How far a start box has grown. */
#include "calibrate/start-law.h"

#include "base/error.h"
#include "privacy/loss/gauss-legendre.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* With r = epsilon t and a_i = epsilon c_i the weight of r is e^-r (a_1 + r) .. (a_m + r): log-concave, whatever epsilon is. */
typedef struct weights {
    const dpn_start_group *group;
    size_t groups;
    double epsilon;
    double mode; /* where the weight is largest, nearly */
} weights;

static double slope(const weights *w, double r) {
    double sum = -1;
    for (size_t g = 0; g < w->groups; g++) sum += w->group[g].count / (w->epsilon * w->group[g].c + r);
    return sum;
}

static double curvature(const weights *w, double r) {
    double sum = 0;
    for (size_t g = 0; g < w->groups; g++) {
        double side = w->epsilon * w->group[g].c + r;
        sum += w->group[g].count / (side * side);
    }
    return sum;
}

/* The weight at the mode is 1. Ratios are multiplied as long as they stay within doubles. */
static double log_weight(const weights *w, double r) {
    double sum = w->mode - r, product = 1;
    for (size_t g = 0; g < w->groups; g++) {
        double a = w->epsilon * w->group[g].c, ratio = (a + r) / (a + w->mode);
        if (w->group[g].count == 1) {
            product *= ratio;
        } else {
            sum += w->group[g].count * log(ratio);
        }
        if (product > 0x1p900 || product < 0x1p-900) {
            sum += log(product);
            product = 1;
        }
    }
    return sum + log(product);
}

/* The slope falls; it is below 0 from the number of coordinates on. */
static double find_mode(const weights *w) {
    double low = 0, high = 0;
    for (size_t g = 0; g < w->groups; g++) high += w->group[g].count;
    if (!(slope(w, 0) > 0)) return 0;
    for (int i = 0; i < 60 && high - low > 1e-6 * high; i++) {
        double middle = 0.5 * (low + high);
        *(slope(w, middle) > 0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

static bool reserve(dpn_start_law *law, size_t points) {
    if (points <= law->room) return true;
    size_t room = points + points / 2;
    double *size = realloc(law->size, room * sizeof *size);
    if (size) law->size = size;
    double *share = realloc(law->share, room * sizeof *share);
    if (share) law->share = share;
    if (size && share) law->room = room;
    return size && share;
}

static bool add_point(dpn_start_law *law, double size, double share) {
    if (!reserve(law, law->points + 1)) return false;
    law->size[law->points] = size;
    law->share[law->points++] = share;
    return true;
}

static const double far = -52; /* logarithms of weights below this do not count */

/* How far the weight falls by a factor or so. */
static double scale_of(const weights *w) {
    return 1 / (sqrt(curvature(w, w->mode)) + (w->mode > 0 ? 0 : -slope(w, 0)));
}

static double half_panel(const weights *w) {
    return 1.5 * fmax(1, scale_of(w));
}

/* Panels as wide as the weight changes slowly, with 16 points each. On the left of the mode the weight falls faster than that of
 * a normal law with the curvature at the mode. */
static bool add_panels(dpn_start_law *law, const weights *w) {
    const dpn_gauss *rule = &dpn_gauss_rule[1];
    double half = half_panel(w), from = fmax(0, w->mode - 10.5 * scale_of(w));
    for (;; from += 2 * half) {
        if (from > w->mode && log_weight(w, from) < far) return true;
        for (size_t i = 0; i < 2 * rule->half; i++) {
            size_t at = i < rule->half ? i : 2 * rule->half - 1 - i;
            double node = i < rule->half ? -rule->node[at] : rule->node[at], r = from + half * (1 + node);
            if (!add_point(law, r / w->epsilon, rule->weight[at] * exp(log_weight(w, r)))) return false;
        }
    }
}

/* The steps that count. */
static bool add_steps(dpn_start_law *law, const weights *w) {
    double top = floor(w->mode / w->epsilon), first = top;
    while (first > 0 && log_weight(w, (first - 1) * w->epsilon) > far) first--;
    for (double j = first;; j++) {
        double weight = log_weight(w, j * w->epsilon);
        if (j > top + 1 && weight < far) return true;
        if (!add_point(law, j, exp(weight))) return false;
    }
}

static double steps_about(const weights *w) {
    return (22 * scale_of(w) + 60) / w->epsilon;
}

/* Returns what the shares added up to. */
static double normalise(dpn_start_law *law) {
    double sum = 0, first = 0, second = 0;
    for (size_t i = 0; i < law->points; i++) sum += law->share[i];
    for (size_t i = 0; i < law->points; i++) {
        law->share[i] /= sum;
        first += law->share[i] * law->size[i];
        second += law->share[i] * law->size[i] * law->size[i];
    }
    law->mean = first;
    law->square = second;
    return sum;
}

dpn_status dpn_start_law_make(dpn_start_law *law, bool stairs, double epsilon, const dpn_start_group *group,
                              size_t groups, dpn_error *why) {
    enum { MOST_STEPS = 1500 };
    weights w = {.group = group, .groups = groups, .epsilon = epsilon};
    for (size_t g = 0; g < groups; g++) {
        double a = epsilon * group[g].c;
        if (!(a >= 0 && a < 0x1p400) || (stairs && !(a > 0)) || (group[g].c > 0 && a < 0x1p-400))
            return dpn_fail(why, DPN_EDOMAIN, "the offsets of a start box are out of range");
    }
    if (!(epsilon > 0x1p-400 && epsilon < 0x1p400))
        return dpn_fail(why, DPN_EDOMAIN, "the epsilon of a start box is out of range");
    w.mode = find_mode(&w);
    if (stairs && !(steps_about(&w) < MOST_STEPS))
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "so many steps of a start-staircase are not added up; start-box noise is as good");
    law->points = 0;
    law->at_start = 0;
    if (!(stairs ? add_steps(law, &w) : add_panels(law, &w)))
        return dpn_fail(why, DPN_ENOMEM, "no memory for the sizes of a start box");
    double sum = normalise(law);
    if (!stairs) law->at_start = exp(log_weight(&w, 0)) * epsilon / (sum * half_panel(&w));
    return DPN_OK;
}

void dpn_start_law_free(dpn_start_law *law) {
    if (!law) return;
    free(law->size);
    free(law->share);
    *law = (dpn_start_law){0};
}

/* ---- errors ---- */

/* X = (c + t) U. */
double dpn_start_law_sf(const dpn_start_law *law, double c, double x) {
    double sum = 0;
    for (size_t i = 0; i < law->points; i++)
        if (c + law->size[i] > x) sum += law->share[i] * (1 - x / (c + law->size[i]));
    return 0.5 * sum;
}

static double half_width(const dpn_start_law *law, double c) {
    double low = 0, high = 20 * (c + law->mean); /* Markov: P(X > 10 E|X|) is at most 0.05, and E|X| half of c + E t */
    while (high - low > 4 * DBL_EPSILON * high) {
        double x = 0.5 * (low + high);
        if (!(x > low && x < high)) break;
        *(dpn_start_law_sf(law, c, x) > 0.025 ? &low : &high) = x;
    }
    return high;
}

double dpn_start_law_error(const dpn_start_law *law, double c, dpn_objective objective) {
    switch (objective) {
    case DPN_OBJECTIVE_MAE:
        return 0.5 * (c + law->mean);
    case DPN_OBJECTIVE_INTERVAL95:
        return half_width(law, c);
    default:
        return (c * c + 2 * c * law->mean + law->square) / 3;
    }
}

/* ---- blocks ---- */

/* Runs of equal offsets. */
static size_t group_offsets(dpn_start_group *group, const dpn_block *block) {
    size_t groups = 0;
    for (size_t i = 0; i < block->count; i++) {
        if (groups == 0 || group[groups - 1].c != block->start[i])
            group[groups++] = (dpn_start_group){block->start[i], 0};
        group[groups - 1].count++;
    }
    return groups;
}

dpn_status dpn_start_block_measure(dpn_block *block, dpn_error *why) {
    dpn_start_group *group = malloc(block->count * sizeof *group);
    dpn_start_law *law = calloc(1, sizeof *law);
    dpn_status status = group && law ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the sizes of a start box");
    if (!status) {
        size_t groups = group_offsets(group, block);
        bool stairs = block->kind == DPN_BLOCK_START_STAIRCASE;
        status = dpn_start_law_make(law, stairs, block->epsilon, group, groups, why);
    }
    free(group);
    if (status) {
        dpn_start_law_free(law);
        free(law);
        return status == DPN_ENOMEM ? status : DPN_OK;
    }
    block->start_law = law;
    return DPN_OK;
}
