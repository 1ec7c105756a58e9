/* The offsets of a start box with the least error: a quasi-Newton search.
 *
 * With S_g the sum of the keys of a group, n_g its coordinates and d the degree, given the size t the error is
 * G(t) = sum S_g (c_g + t)^d/(d + 1), and M = E G(t). The weight of t is e^(-epsilon t) prod (c_g + t)^n_g, so that
 * dM/dc_g = E[(G - M) n_g/(c_g + t)] + E[d S_g (c_g + t)^(d-1)]/(d + 1). */
#include "calibrate/start-offsets.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 192, MEMORY = 10, MOST_ROUNDS = 300, MOST_LOG = 300 };
#define LEAST_STEP 0x1p-20 /* of the offsets of a staircase, which are positive */

/* ---- the groups ---- */

typedef struct ranked {
    double key;
    size_t place;
} ranked;

static int larger_first(const void *x, const void *y) {
    const ranked *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? 1 : -1;
    return (a->place > b->place) - (a->place < b->place);
}

typedef struct search {
    bool stairs;
    double epsilon;
    int degree;
    size_t groups;
    double key[MOST_GROUPS]; /* of one coordinate of the group, falling */
    double sum[MOST_GROUPS]; /* of its keys, in units of the largest key */
    dpn_start_group group[MOST_GROUPS];
    double unit, least;
    dpn_start_law law;
    dpn_error *why;
} search;

/* Groups of equal keys, or, if those are too many, of keys that differ by less than a factor; false for too many. */
static bool form_groups(search *s, const ranked *all, size_t count, double factor) {
    double logs = 0, first = 0;
    s->groups = 0;
    for (size_t i = 0; i < count; i++) {
        double key = all[i].key / all[0].key;
        if (s->groups == 0 || key < first * factor) {
            if (s->groups == MOST_GROUPS) return false;
            first = key;
            logs = 0;
            s->sum[s->groups] = 0;
            s->group[s->groups++].count = 0;
        }
        size_t g = s->groups - 1;
        s->group[g].count++;
        s->sum[g] += key;
        logs += log(key / first);
        s->key[g] = first * exp(logs / s->group[g].count);
    }
    return true;
}

/* ---- the error and its gradient ---- */

/* Where a search is. The variables are u = log(1 + c/unit) >= 0, the unit about the size that the box grows by: relative changes
 * of a side. `scale` is about the second derivative. All of the logarithm of the error. */
typedef struct station {
    double u[MOST_GROUPS], gradient[MOST_GROUPS], scale[MOST_GROUPS], error;
} station;

static dpn_status evaluate(station *at, search *s) {
    size_t n = s->groups;
    bool square = s->degree == 2;
    double first[MOST_GROUPS] = {0};
    for (size_t g = 0; g < n; g++) s->group[g].c = s->least + s->unit * expm1(at->u[g]);
    dpn_status status = dpn_start_law_make(&s->law, s->stairs, s->epsilon, s->group, n, s->why);
    if (status) return status;
    double total = 0, linear = 0, constant = 0; /* G(t) = (constant + d linear t + total t^d)/(d + 1) */
    for (size_t g = 0; g < n; g++) {
        double c = s->group[g].c;
        total += s->sum[g];
        linear += s->sum[g] * c;
        constant += s->sum[g] * c * (square ? c : 1);
    }
    double mean = square ? (constant + 2 * linear * s->law.mean + total * s->law.square) / 3
                         : (constant + total * s->law.mean) / 2;
    for (size_t k = 0; k < s->law.points; k++) {
        double t = s->law.size[k];
        double more = square ? (constant + (2 * linear + total * t) * t) / 3 : (constant + total * t) / 2;
        double weight = s->law.share[k] * (more - mean);
        for (size_t g = 0; g < n; g++) first[g] += weight / (s->group[g].c + t);
    }
    for (size_t g = 0; g < n; g++) {
        double side = s->group[g].c - s->least + s->unit;
        double own = square ? 2 * s->sum[g] * (s->group[g].c + s->law.mean) / 3 : s->sum[g] / 2;
        at->gradient[g] = side * (s->group[g].count * first[g] + own) / mean;
        at->scale[g] = side * own / mean;
    }
    at->error = log(mean);
    return DPN_OK;
}

/* ---- the search ---- */

typedef struct pair {
    double step[MOST_GROUPS], change[MOST_GROUPS], product;
} pair;

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* An offset of 0 that would have to be less stays. */
static bool stuck(const station *at, size_t i) {
    return at->u[i] == 0 && at->gradient[i] > 0;
}

/* The two loops of L-BFGS (Nocedal 1980): the direction from the gradient and the last pairs, over what is free. */
static void find_direction(double *direction, const station *at, const pair *memory, int pairs, size_t n) {
    double share[MEMORY] = {0};
    for (size_t i = 0; i < n; i++) direction[i] = stuck(at, i) ? 0 : -at->gradient[i];
    int from = pairs > MEMORY ? pairs - MEMORY : 0;
    for (int k = pairs - 1; k >= from; k--) {
        const pair *one = &memory[k % MEMORY];
        share[k % MEMORY] = dot(one->step, direction, n) / one->product;
        for (size_t i = 0; i < n; i++) direction[i] -= share[k % MEMORY] * one->change[i];
    }
    for (size_t i = 0; i < n; i++) direction[i] /= at->scale[i];
    for (int k = from; k < pairs; k++) {
        const pair *one = &memory[k % MEMORY];
        double back = dot(one->change, direction, n) / one->product;
        for (size_t i = 0; i < n; i++) direction[i] += (share[k % MEMORY] - back) * one->step[i];
    }
    for (size_t i = 0; i < n; i++)
        if (stuck(at, i)) direction[i] = 0;
}

/* From one station down a direction to the next, by a step that is long enough for the slope to flatten (Wolfe's conditions); the
 * error stays where nothing is less. */
static dpn_status step_down(station *to, const station *from, const double *direction, double share, search *s) {
    size_t n = s->groups;
    double down = dot(direction, from->gradient, n), low = 0, high = INFINITY;
    for (int i = 0; i < 40; i++) {
        for (size_t g = 0; g < n; g++) to->u[g] = fmin(MOST_LOG, fmax(0, from->u[g] + share * direction[g]));
        dpn_status status = evaluate(to, s);
        if (status) return status;
        double after = 0; /* the slope along what still moves */
        for (size_t g = 0; g < n; g++) after += to->u[g] > 0 ? direction[g] * to->gradient[g] : 0;
        if (!(to->error <= from->error + 1e-4 * share * down))
            high = share;
        else if (after < 0.9 * down && i < 20)
            low = share;
        else
            return DPN_OK;
        share = isinf(high) ? 2 * share : 0.5 * (low + high);
    }
    return DPN_OK;
}

static bool remember(pair *one, const station *to, const station *from, size_t n) {
    for (size_t i = 0; i < n; i++) {
        one->step[i] = to->u[i] - from->u[i];
        one->change[i] = to->gradient[i] - from->gradient[i];
    }
    one->product = dot(one->step, one->change, n);
    return one->product > 1e-12 * sqrt(dot(one->step, one->step, n) * dot(one->change, one->change, n));
}

/* The least error from a station, which moves there. It ends where three steps gain nothing that counts. */
static dpn_status descend(station *at, search *s, pair *memory) {
    size_t n = s->groups;
    station next;
    int pairs = 0, calm = 0;
    dpn_status status = evaluate(at, s);
    for (int round = 0; round < MOST_ROUNDS && !status && calm < 3; round++) {
        double direction[MOST_GROUPS], longest = 0;
        find_direction(direction, at, memory, pairs, n);
        if (!(dot(direction, at->gradient, n) < 0)) {
            if (pairs == 0) break;
            pairs = 0;
            continue;
        }
        for (size_t i = 0; i < n; i++) longest = fmax(longest, fabs(direction[i]));
        status = step_down(&next, at, direction, longest > 1 ? 1 / longest : 1, s);
        if (status) break;
        if (!(next.error < at->error)) {
            if (pairs == 0) break;
            pairs = 0;
            continue;
        }
        calm = at->error - next.error < 1e-11 ? calm + 1 : 0;
        if (remember(&memory[pairs % MEMORY], &next, at, n)) pairs++;
        *at = next;
    }
    return status;
}

/* Two starts. Beside one large key a small one wants the side grown(key) = key^(-1/(d+1)) times the large one's; if all did, the
 * box would grow by about `unit`. And the box itself. */
static dpn_status find_offsets(double *c, search *s, dpn_error *why) {
    pair *memory = malloc(MEMORY * sizeof *memory);
    station *at = malloc(sizeof *at);
    double best = INFINITY, grown[MOST_GROUPS] = {0}, sides = 1;
    dpn_status status = memory && at ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the offsets");
    for (size_t g = 0; g < s->groups; g++) {
        grown[g] = pow(s->key[g], -1 / (1.0 + s->degree));
        sides += s->group[g].count / grown[g];
    }
    s->unit = sides / s->epsilon;
    s->least = s->stairs ? LEAST_STEP : 0;
    for (int start = 0; start < 2 && !status; start++) {
        for (size_t g = 0; g < s->groups; g++) at->u[g] = start == 0 ? log(grown[g]) + 0.5 / sides : 0.1 / sides;
        status = descend(at, s, memory);
        if (status || !(at->error < best)) continue;
        best = at->error;
        for (size_t g = 0; g < s->groups; g++) c[g] = s->least + s->unit * expm1(at->u[g]);
    }
    free(memory);
    free(at);
    return status;
}

/* The offset of a key, on a line in the logarithm of the key between those of the groups around it. *at is a group with a key
 * that is not less, and moves on. */
static double between(const search *s, const double *c, double key, size_t *at) {
    while (*at + 1 < s->groups && s->key[*at + 1] >= key) ++*at;
    if (*at + 1 == s->groups || key >= s->key[*at]) return c[*at];
    double part = log(s->key[*at] / key) / log(s->key[*at] / s->key[*at + 1]);
    return c[*at] + part * (c[*at + 1] - c[*at]);
}

dpn_status dpn_start_offsets(double *c, bool stairs, double epsilon, const double *key, size_t count, int degree,
                             dpn_error *why) {
    search *s = calloc(1, sizeof *s);
    ranked *all = malloc(count * sizeof *all);
    double found[MOST_GROUPS], factor = 1;
    dpn_status status = s && all ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the offsets");
    if (!status) {
        s->stairs = stairs;
        s->epsilon = epsilon;
        s->degree = degree;
        s->why = why;
        for (size_t i = 0; i < count; i++) all[i] = (ranked){key[i], i};
        qsort(all, count, sizeof *all, larger_first);
        if (!(all[count - 1].key / all[0].key > 0x1p-300))
            status = dpn_fail(why, DPN_EUNSUPPORTED, "the sensitivities differ too much for a start box");
        for (double narrow = 1e-3; !status && !form_groups(s, all, count, factor); narrow *= 1.5)
            factor = 1 / (1 + narrow);
    }
    if (!status) status = find_offsets(found, s, why);
    size_t at = 0;
    for (size_t i = 0; i < count && !status; i++) c[all[i].place] = between(s, found, all[i].key / all[0].key, &at);
    if (s) dpn_start_law_free(&s->law);
    free(s);
    free(all);
    return status;
}
