/* What is watched in the answers of whole releases. docs/proofs/audit/audit.md */
#include "audit/watch.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWERED, GROUPS, FIRST }; /* the features before those of the tracked groups */

/* ---- The numbers of an answer ---- */

static size_t outputs_watched(const dpn_audit_tables *tables) {
    size_t outputs = 0, room = (DPN_WATCH_FEATURES - FIRST) / tables->tracked;
    while (dpn_query_output(tables->query, outputs) && 1 + 3 * (outputs + 1) <= room) outputs++;
    return outputs;
}

size_t dpn_watch_features(const dpn_audit_tables *tables) {
    return FIRST + tables->tracked * (1 + 3 * outputs_watched(tables));
}

size_t dpn_watch_own(const dpn_audit_tables *tables) {
    return FIRST + (tables->tracked - 1) * (1 + 3 * outputs_watched(tables));
}

/* The group of an answer with the tracked key, its number of groups if there is none. */
static size_t find_group(const dpn_audit_tables *tables, const dpn_answer *answer, size_t tracked) {
    size_t bys = answer->bys, g = 0;
    for (; g < answer->groups; g++) {
        bool same = true;
        for (size_t i = 0; i < bys && same; i++)
            same = strcmp(answer->key[g * bys + i], tables->key[tracked * bys + i]) == 0;
        if (same) break;
    }
    return g;
}

static double number(double x) {
    return isnan(x) ? -INFINITY : x; /* what is undefined is a value too */
}

void dpn_watch_look(double *out, const dpn_audit_tables *tables, const dpn_answer *answer) {
    size_t outputs = outputs_watched(tables);
    out[ANSWERED] = answer != NULL;
    out[GROUPS] = answer ? (double)answer->groups : 0;
    double *at = out + FIRST;
    for (size_t t = 0; t < tables->tracked; t++) {
        size_t g = answer ? find_group(tables, answer, t) : 0;
        bool shown = answer && g < answer->groups;
        *at++ = shown;
        for (size_t o = 0; o < outputs; o++) {
            const dpn_answer_cell *cell = shown ? &answer->cell[g * answer->outputs + o] : NULL;
            *at++ = cell ? number(cell->value) : -INFINITY;
            *at++ = cell ? number(isnan(cell->low) ? cell->rank95 : cell->low) : -INFINITY;
            *at++ = cell ? number(cell->high) : -INFINITY;
        }
    }
}

/* ---- Learning ---- */

static int ascending(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static size_t bin_of(const dpn_watched *watched, double x) {
    size_t bin = 0;
    while (bin < watched->cuts && x >= watched->cut[bin]) bin++;
    return bin;
}

/* Cuts at evenly spaced places of both pilots together, each value once. */
static void cut(dpn_watched *watched, const double *sorted, size_t count) {
    watched->cuts = 0;
    for (size_t i = 1; i <= DPN_WATCH_CUTS; i++) {
        double x = sorted[i * count / (DPN_WATCH_CUTS + 1)];
        if (x > sorted[0] && (watched->cuts == 0 || x > watched->cut[watched->cuts - 1]))
            watched->cut[watched->cuts++] = x;
    }
    /* A value that few have is an end of its own. */
    if (watched->cuts == 0 && sorted[count - 1] > sorted[0]) watched->cut[watched->cuts++] = sorted[count - 1];
}

/* What bins say; how far apart the distributions are is returned. */
static double weigh(dpn_watched *watched, const double *first, const double *second, size_t pilot, size_t step) {
    double a[DPN_WATCH_CUTS + 1] = {0}, b[DPN_WATCH_CUTS + 1] = {0}, apart = 0, difference = 0;
    for (size_t i = 0; i < pilot; i++) {
        a[bin_of(watched, first[i * step])]++;
        b[bin_of(watched, second[i * step])]++;
    }
    for (size_t i = 0; i <= watched->cuts; i++) {
        watched->says[i] = log((b[i] + 0.5) / (a[i] + 0.5));
        difference += (b[i] - a[i]) / (double)pilot;
        apart = fmax(apart, fabs(difference));
    }
    return apart;
}

static double score_of(const dpn_watch *watch, const double *feature) {
    double score = 0;
    for (size_t f = 0; f < watch->features; f++)
        if (watch->feature[f].used) score += watch->feature[f].says[bin_of(&watch->feature[f], feature[f])];
    return score;
}

static void learn_features(dpn_watch *watch, const double *first, const double *second, size_t pilot, double *sorted) {
    size_t step = watch->features, best = 0;
    double most = -1, chance = 3.5 * sqrt(0.5 / (double)pilot); /* what is apart by less may be so by chance */
    for (size_t f = 0; f < step; f++) {
        for (size_t i = 0; i < pilot; i++) {
            sorted[2 * i] = first[i * step + f];
            sorted[2 * i + 1] = second[i * step + f];
        }
        qsort(sorted, 2 * pilot, sizeof *sorted, ascending);
        cut(&watch->feature[f], sorted, 2 * pilot);
        double apart = weigh(&watch->feature[f], first + f, second + f, pilot, step);
        watch->feature[f].used = apart > chance;
        if (apart > most) best = f;
        if (apart > most) most = apart;
    }
    watch->feature[best].used = true;
}

dpn_status dpn_watch_learn(dpn_watch *out, size_t features, size_t own, const double *first, const double *second,
                           size_t pilot, dpn_error *why) {
    *out = (dpn_watch){.features = features, .feature = calloc(features, sizeof *out->feature), .own = own};
    double *sorted = malloc(2 * pilot * sizeof *sorted);
    if (out->feature && sorted) {
        learn_features(out, first, second, pilot, sorted);
        for (size_t i = 0; i < pilot; i++) {
            sorted[2 * i] = score_of(out, first + i * features);
            sorted[2 * i + 1] = score_of(out, second + i * features);
        }
        qsort(sorted, 2 * pilot, sizeof *sorted, ascending);
        for (size_t i = 0; i < DPN_WATCH_SCORES; i++)
            out->threshold[i] = sorted[(2 * i + 1) * pilot / DPN_WATCH_SCORES];
    }
    dpn_status status = out->feature && sorted ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the pilot");
    free(sorted);
    return status;
}

void dpn_watch_free(dpn_watch *watch) {
    free(watch->feature);
    *watch = (dpn_watch){0};
}

/* ---- Counting ---- */

void dpn_watch_count(uint64_t count[DPN_WATCH_EVENTS], const dpn_watch *watch, const double *feature) {
    double score = score_of(watch, feature);
    for (size_t i = 0; i < DPN_WATCH_SCORES; i++) count[i] += score >= watch->threshold[i];
    count[DPN_WATCH_SCORES] += feature[ANSWERED] > 0;
    count[DPN_WATCH_SCORES + 1] += feature[watch->own] > 0;
}
